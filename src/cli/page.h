/* SPDX-License-Identifier: MIT */

/* Help, made from the tables of verbs and options: on the terminal, and as a man page. */

#ifndef HOLOS_CLI_PAGE_H
#define HOLOS_CLI_PAGE_H

#include "cli/cli.h"

/* What the exit statuses mean: pairs of a status and its meaning, ended by {0}. */
typedef struct page_status {
    const char *status, *meaning;
} page_status;
extern const page_status page_statuses[];

extern const char page_tagline[]; /* what holos is, in a few words */

void page_overview(output *out);                   /* `holos --help` */
void page_verb(const cli_verb *verb, output *out); /* `holos VERB --help` */
void page_man(text *t);                            /* holos.1, in roff's man macros */

/* "-m, --moves", "    --solutions N": how an option is written. */
void page_option_text(text *t, const cli_option *option);

#endif
