/* SPDX-License-Identifier: MIT */

/* Experiments: what `holos lab NAME` runs. */

#ifndef HOLOS_CLI_LAB_H
#define HOLOS_CLI_LAB_H

#include "cli/cli.h"

typedef struct lab_settings {
    const char *out; /* a folder for tables, or NULL */
    bool quick;
    bool fail_on_mismatch;
    int64_t modulus, row, column; /* of the ring of `phase` */
} lab_settings;

#define LAB(name, summary) cli_status lab_##name(cli *c);
#include "cli/labs/labs.def"
#undef LAB

/* Writes a table to the folder of --out, which is made if need be; does nothing without one. */
cli_status lab_write(cli *c, const char *name, const text *table);

#endif
