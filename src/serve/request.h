/* SPDX-License-Identifier: MIT */

/* A request and its reply, apart from how they travel: handlers, tests and the fuzzer need no network.
 *
 * A request's values come from the query and, of a POST, from the members of a JSON object; handlers read both alike.
 * A reply is a text, or a stream of server-sent events that is made piece by piece. */

#ifndef HOLOS_SERVE_REQUEST_H
#define HOLOS_SERVE_REQUEST_H

#include "core/json.h"

#include <holos/holos.h>

#define REQUEST_PAIRS_MOST 32
#define REQUEST_BODY_MOST  65536 /* bytes */

typedef struct request_pair {
    char *name, *value;
} request_pair;

typedef struct request {
    const char *method, *path;
    request_pair pairs[REQUEST_PAIRS_MOST];
    size_t count;
    json_t *body;           /* an object, or NULL */
    const holos_stop *stop; /* asked for when nobody waits for the reply any more */
} request;

void request_free(request *r);
/* Adds a value; both strings are copied. False: too many, or out of memory. */
bool request_add(request *r, const char *name, const char *value);
/* Reads "a=1&b=two%20words". */
holos_status request_read_query(request *r, const char *query, holos_error *err);
/* Reads a JSON object (`err` is not NULL): members that are text, numbers or truths become values, and `body` keeps all of it. */
holos_status request_read_body(request *r, const char *bytes, size_t size, holos_error *err);

/* A value, or `fallback`. */
const char *request_get(const request *r, const char *name, const char *fallback);
/* A number in [min, max]; `fallback` if there is none. */
holos_status request_number(const request *r, const char *name, double min, double max, double fallback,
                            double *out, holos_error *err);
/* "yes", "true" or "1". */
bool request_flag(const request *r, const char *name);

/* The member `options` of the body, an object of texts, as settings for a use; the caller frees them, even after an
 * error. An option that names a file is refused: no request opens a path. */
holos_status request_settings(const request *r, holos_use use, holos_settings **out, holos_error *err);

/* ---- Replies ----------------------------------------------------------------------------------- */

/* Events that are made while they are sent. Whoever makes one embeds this as its first member. */
typedef struct stream {
    /* Appends the next events, taking its time, but no longer than about a second; false: that was the last. */
    bool (*next)(struct stream *s, const holos_stop *stop, text *out);
    void (*close)(struct stream *s);
} stream;

typedef struct reply {
    unsigned status; /* of HTTP */
    const char *type;
    text body;
    stream *events; /* in place of the body; or NULL */
} reply;

void reply_init(reply *r);
void reply_free(reply *r);
/* {"error":{…}} and the status that belongs to it. */
void reply_error(reply *r, const holos_error *err);
/* The same for what is about HTTP itself, with the code "usage". */
__attribute__((format(printf, 3, 4))) void reply_refuse(reply *r, unsigned status, const char *format, ...);

/* Writes "event: NAME", then whatever the caller adds to `out` as one line of data, until event_end. */
void event_begin(text *out, const char *name);
void event_end(text *out);
/* The event `error`, with the members of an error reply. */
void event_error(text *out, const holos_error *err);

/* Opens the value `game`; NULL: the reply says why not. */
holos_variant *request_variant(const request *r, reply *out);

#endif
