/* SPDX-License-Identifier: MIT */

/* JSON. The writer appends to a text and puts commas where they belong; the reader is jansson's.
 *
 *     json j = json_begin(&t);
 *     json_open(&j, NULL, '{');
 *     json_put_string(&j, "game", "nim");  json_put_int(&j, "lo", -1);
 *     json_open(&j, "best", '[');  json_put_string(&j, NULL, "4");  json_close(&j);
 *     json_close(&j);
 *
 * The writer's values are json_put_…, because json_string and its like are jansson's. */

#ifndef HOLOS_CORE_JSON_H
#define HOLOS_CORE_JSON_H

#include "core/error.h"
#include "core/text.h"

#include <jansson.h>

#define JSON_DEPTH 32

typedef struct json {
    text *out;
    unsigned depth;
    bool comma[JSON_DEPTH];
    char closer[JSON_DEPTH];
} json;

json json_begin(text *out);
/* `name` is NULL inside an array and at the top. */
void json_open(json *j, const char *name, char bracket);            /* '{' or '[' */
void json_close(json *j);                                           /* what was opened last */
void json_put_string(json *j, const char *name, const char *value); /* invalid UTF-8 becomes U+FFFD */
void json_put_int(json *j, const char *name, int64_t value);
void json_put_uint(json *j, const char *name, uint64_t value);
/* 6 significant digits, without the zeros at the end; what is not a number becomes null. */
void json_put_double(json *j, const char *name, double value);
void json_put_bool(json *j, const char *name, bool value);
void json_put_null(json *j, const char *name);

/* Reads one JSON value from the whole of `s`. The caller decrefs it. err->at is the byte offset. */
json_t *json_read(const char *s, size_t length, holos_error *err);

#endif
