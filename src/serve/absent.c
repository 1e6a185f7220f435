/* SPDX-License-Identifier: MIT */

/* The server of a build without libmicrohttpd: it says so. */

#include "core/error.h"
#include "serve/serve.h"

holos_status serve_open(const serve_options *options, serve **out, holos_error *err)
{
    (void)options;
    *out = NULL;
    return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                     "this build has no server: libmicrohttpd (Debian: libmicrohttpd-dev) was missing");
}

void serve_close(serve *s)
{
    (void)s;
}

const char *serve_url(const serve *s)
{
    (void)s;
    return "";
}

unsigned serve_port(const serve *s)
{
    (void)s;
    return 0;
}

const char *serve_token(const serve *s)
{
    (void)s;
    return "";
}

void serve_wait(serve *s, const holos_stop *stop)
{
    (void)s;
    (void)stop;
}

const char *serve_library_version(void)
{
    return NULL;
}
