/* SPDX-License-Identifier: MIT */

/* Waiting for a server that is gone: with pauses that grow, up to a limit. */

#ifndef HOLOS_STORE_PATIENCE_H
#define HOLOS_STORE_PATIENCE_H

#include <holos/base.h>

/* Seconds, unless a URL says "wait=SECONDS". */
#define PATIENCE_SECONDS 60.0

typedef struct patience {
    double until, pause;
    const holos_stop *stop; /* may be NULL */
} patience;

patience patience_begin(double seconds, const holos_stop *stop);
/* Sleeps a while. False: the limit is reached, or somebody asked to stop. */
bool patience_wait(patience *p);

/* "NAME=VALUE" of a URL's query, "?A=1&B=2"; `out` has room for `size` bytes. False: it is not there, or too long. */
bool query_value(const char *url, const char *name, char *out, size_t size);
/* The seconds of "wait=", or PATIENCE_SECONDS. False: they are none. */
bool query_wait(const char *url, double *out);

#endif
