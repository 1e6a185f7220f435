/* SPDX-License-Identifier: MIT */

#include "serve/request.h"

#include "wire/answer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Requests ---------------------------------------------------------------------------------- */

void request_free(request *r)
{
    for (size_t i = 0; i < r->count; i++) {
        free(r->pairs[i].name);
        free(r->pairs[i].value);
    }
    r->count = 0;
    json_decref(r->body);
    r->body = NULL;
}

bool request_add(request *r, const char *name, const char *value)
{
    if (r->count == REQUEST_PAIRS_MOST)
        return false;
    request_pair pair = {strdup(name), strdup(value)};
    if (pair.name == NULL || pair.value == NULL) {
        free(pair.name);
        free(pair.value);
        return false;
    }
    r->pairs[r->count++] = pair;
    return true;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Undoes %20 and +, in place. False: a byte that text cannot have. */
static bool unescape(char *s)
{
    char *to = s;
    for (; *s != 0; s++) {
        int high = *s == '%' ? hex_digit(s[1]) : -1, low = high >= 0 ? hex_digit(s[2]) : -1;
        if (low >= 0) {
            *to = (char)(high * 16 + low);
            if (*to++ == 0)
                return false;
            s += 2;
        } else {
            *to++ = *s == '+' ? ' ' : *s;
        }
    }
    *to = 0;
    return true;
}

static holos_status too_many(holos_error *err)
{
    return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "a request has at most %d values", REQUEST_PAIRS_MOST);
}

holos_status request_read_query(request *r, const char *query, holos_error *err)
{
    char *copy = strdup(query), *rest = copy, *part;
    holos_status status = copy != NULL ? HOLOS_OK : error_system(err, "a request");
    while (status == HOLOS_OK && (part = strsep(&rest, "&")) != NULL) {
        char *value = strchr(part, '=');
        if (*part == 0)
            continue;
        if (value != NULL)
            *value++ = 0;
        if (!unescape(part) || (value != NULL && !unescape(value)))
            status = error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "a value must not have a zero byte");
        else if (!request_add(r, part, value != NULL ? value : "yes"))
            status = too_many(err);
    }
    free(copy);
    return status;
}

static bool add_member(request *r, const char *name, const json_t *value)
{
    char number[64];
    if (json_is_string(value))
        return request_add(r, name, json_string_value(value));
    if (json_is_boolean(value))
        return request_add(r, name, json_is_true(value) ? "yes" : "no");
    if (!json_is_number(value))
        return true; /* lists and objects stay in the body */
    snprintf(number, sizeof number, "%.17g", json_number_value(value));
    return request_add(r, name, number);
}

holos_status request_read_body(request *r, const char *bytes, size_t size, holos_error *err)
{
    const char *name;
    json_t *value;
    r->body = json_read(bytes, size, err);
    if (r->body == NULL) {
        error_prefix(err, "the body of a request is a JSON object: ");
        return err->code = HOLOS_USAGE;
    }
    if (!json_is_object(r->body))
        return error_set(err, HOLOS_USAGE, 0, "the body of a request is a JSON object");
    json_object_foreach(r->body, name, value)
    {
        if (!add_member(r, name, value))
            return too_many(err);
    }
    return HOLOS_OK;
}

const char *request_get(const request *r, const char *name, const char *fallback)
{
    for (size_t i = 0; i < r->count; i++)
        if (strcmp(r->pairs[i].name, name) == 0)
            return r->pairs[i].value;
    return fallback;
}

holos_status request_number(const request *r, const char *name, double min, double max, double fallback,
                            double *out, holos_error *err)
{
    const char *value = request_get(r, name, NULL);
    *out = fallback;
    if (value == NULL || text_to_double(value, min, max, out))
        return HOLOS_OK;
    return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s: \"%.40s\" is not a number from %g to %g", name,
                     value, min, max);
}

bool request_flag(const request *r, const char *name)
{
    const char *value = request_get(r, name, "no");
    return strcmp(value, "yes") == 0 || strcmp(value, "true") == 0 || strcmp(value, "1") == 0;
}

static bool names_file(holos_use use, const char *name)
{
    holos_option_group g;
    for (size_t i = 0; holos_option_group_at(use, i, &g); i++)
        for (const holos_option *o = g.options; o->name != NULL; o++)
            if (strcmp(o->name, name) == 0 && o->type == HOLOS_OPTION_FILE)
                return true;
    return false;
}

holos_status request_settings(const request *r, holos_use use, holos_settings **out, holos_error *err)
{
    const char *name;
    json_t *value, *options = r->body != NULL ? json_object_get(r->body, "options") : NULL;
    *out = holos_settings_new();
    if (*out == NULL)
        return error_system(err, "options");
    json_object_foreach(options, name, value)
    {
        if (!json_is_string(value))
            return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "option %.40s: write its value as text", name);
        if (names_file(use, name))
            return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                             "option %.40s names a file: only a command line can", name);
        holos_status status = holos_settings_set(*out, name, json_string_value(value), err);
        if (status != HOLOS_OK)
            return status;
    }
    return HOLOS_OK;
}

/* ---- Replies ----------------------------------------------------------------------------------- */

void reply_init(reply *r)
{
    *r = (reply){.status = 200, .type = "application/json"};
    text_init(&r->body);
}

void reply_free(reply *r)
{
    if (r->events != NULL)
        r->events->close(r->events);
    r->events = NULL;
    text_free(&r->body);
}

/* {"error":{…}} */
static void put_error(text *out, const holos_error *err)
{
    json j = json_begin(out);
    json_open(&j, NULL, '{');
    wire_error(&j, err);
    json_close(&j);
}

static const unsigned statuses[] = {
    [HOLOS_OK] = 200,       [HOLOS_USAGE] = 400,       [HOLOS_BAD_VARIANT] = 400, [HOLOS_BAD_POSITION] = 400,
    [HOLOS_BAD_MOVE] = 400, [HOLOS_BAD_FILE] = 500,    [HOLOS_UNSUPPORTED] = 400, [HOLOS_NO_MEMORY] = 503,
    [HOLOS_LIMIT] = 503,    [HOLOS_INTERRUPTED] = 503, [HOLOS_IO] = 500,
};

void reply_error(reply *r, const holos_error *err)
{
    text_clear(&r->body);
    r->status = statuses[err->code];
    r->type = "application/json";
    put_error(&r->body, err);
}

void reply_refuse(reply *r, unsigned status, const char *format, ...)
{
    holos_error err = {.code = HOLOS_USAGE, .at = HOLOS_NOWHERE};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(err.message, sizeof err.message, format, arguments);
    va_end(arguments);
    reply_error(r, &err);
    r->status = status;
}

void event_begin(text *out, const char *name)
{
    text_printf(out, "event: %s\ndata: ", name);
}

void event_end(text *out)
{
    text_string(out, "\n\n");
}

void event_error(text *out, const holos_error *err)
{
    event_begin(out, "error");
    put_error(out, err);
    event_end(out);
}

holos_variant *request_variant(const request *r, reply *out)
{
    holos_error err;
    holos_variant *v;
    if (holos_open(request_get(r, "game", ""), &v, &err) == HOLOS_OK)
        return v;
    reply_error(out, &err);
    return NULL;
}
