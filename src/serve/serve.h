/* SPDX-License-Identifier: MIT */

/* The server behind the page: what the library can do, over HTTP, for this machine alone. It is a client of the library;
 * docs/http.md describes the interface.
 *
 *     serve *s;
 *     if (serve_open(&options, &s, &err) != HOLOS_OK) ...err.message...
 *     ...serve_url(s)...                         the address, with the token
 *     serve_wait(s, stop);                       until somebody stops it
 *     serve_close(s);
 */

#ifndef HOLOS_SERVE_SERVE_H
#define HOLOS_SERVE_SERVE_H

#include "core/log.h"

#include <holos/holos.h>

typedef struct serve serve;

typedef struct serve_options {
    unsigned port;      /* 0: any that is free */
    const char *folder; /* where jobs keep what they make; NULL: serve_default_folder */
    const char *store;  /* NULL, or a store for the games it was made for */
    bool no_book;       /* do without the books that ship with holos */
    size_t memory;      /* for all solvers together; 0: a modest default */
    unsigned threads;   /* solvers that work at once; 0: one per processor */
    double idle;        /* seconds without a request after which serve_wait returns; 0: never */
    const logger *log;  /* one line per request at debug level; may be NULL */
} serve_options;

/* HOLOS_UNSUPPORTED if this build has no server; HOLOS_IO if the port is taken. */
holos_status serve_open(const serve_options *options, serve **out, holos_error *err);
void serve_close(serve *s); /* may be NULL; stops all work and waits for it */

/* "http://127.0.0.1:4650/#token=…" */
const char *serve_url(const serve *s);
unsigned serve_port(const serve *s);
const char *serve_token(const serve *s);

/* Returns when `stop` is asked for, or nobody has asked for anything as long as options.idle says. */
void serve_wait(serve *s, const holos_stop *stop);

/* $XDG_DATA_HOME/holos, or .local/share/holos in the home folder. Like snprintf. */
size_t serve_default_folder(char *out, size_t size);

/* NULL if the page is part of this program; otherwise why it is not. */
const char *serve_page_missing(void);
/* The version of the HTTP library, or NULL if this build has no server. */
const char *serve_library_version(void);

#endif
