/* SPDX-License-Identifier: MIT */

#include "core/report.h"

#include "core/json.h"
#include "core/url.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK ((size_t)8 << 10)

holos_report *report_new(void)
{
    holos_report *r = calloc(1, sizeof *r);
    if (r == NULL)
        return NULL;
    arena_init(&r->memory, NULL, BLOCK);
    r->root.type = HOLOS_FIELD_GROUP;
    r->open[0] = &r->root;
    return r;
}

void holos_report_close(holos_report *report)
{
    if (report == NULL)
        return;
    arena_free(&report->memory);
    free(report);
}

/* ---- Writing ----------------------------------------------------------------------------------- */

static holos_field *field_add(holos_report *r, const char *key, const char *label, holos_field_type type)
{
    holos_field *f = arena_alloc(&r->memory, sizeof *f);
    if (f == NULL) {
        r->failed = true;
        r->lost = (holos_field){.type = type};
        return &r->lost;
    }
    *f = (holos_field){.key = key, .label = label, .type = type};
    if (r->last[r->depth] != NULL)
        r->last[r->depth]->next = f;
    else
        r->open[r->depth]->first = f;
    r->last[r->depth] = f;
    r->open[r->depth]->count++;
    return f;
}

static const char *words_keep(holos_report *r, const char *words)
{
    char *kept = arena_string(&r->memory, words);
    r->failed |= kept == NULL;
    if (kept != NULL)
        url_hide_passwords(kept);
    return kept != NULL ? kept : "";
}

__attribute__((format(printf, 2, 0))) static const char *words_make(holos_report *r, const char *format,
                                                                    va_list args)
{
    char *made = NULL;
    if (vasprintf(&made, format, args) < 0)
        made = NULL;
    const char *kept = words_keep(r, made != NULL ? made : "");
    r->failed |= made == NULL;
    free(made);
    return kept;
}

const char *report_words(holos_report *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *kept = words_make(r, format, args);
    va_end(args);
    return kept;
}

holos_field *report_text(holos_report *r, const char *key, const char *label, const char *value)
{
    holos_field *f = field_add(r, key, label, HOLOS_FIELD_TEXT);
    f->text = words_keep(r, value);
    return f;
}

holos_field *report_line(holos_report *r, const char *label, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *words = words_make(r, format, args);
    va_end(args);
    holos_field *f = field_add(r, NULL, label, HOLOS_FIELD_TEXT);
    f->text = words;
    return f;
}

holos_field *report_integer(holos_report *r, const char *key, const char *label, int64_t value)
{
    holos_field *f = field_add(r, key, label, HOLOS_FIELD_INTEGER);
    f->integer = value;
    return f;
}

holos_field *report_count(holos_report *r, const char *key, const char *label, uint64_t value)
{
    holos_field *f = field_add(r, key, label, HOLOS_FIELD_COUNT);
    f->count = value;
    return f;
}

holos_field *report_bytes(holos_report *r, const char *key, const char *label, uint64_t value)
{
    holos_field *f = field_add(r, key, label, HOLOS_FIELD_BYTES);
    f->count = value;
    return f;
}

holos_field *report_seconds(holos_report *r, const char *key, const char *label, double value)
{
    holos_field *f = field_add(r, key, label, HOLOS_FIELD_SECONDS);
    f->real = value;
    return f;
}

holos_field *report_real(holos_report *r, const char *key, const char *label, double value)
{
    holos_field *f = field_add(r, key, label, HOLOS_FIELD_REAL);
    f->real = value;
    return f;
}

holos_field *report_truth(holos_report *r, const char *key, const char *label, bool value)
{
    holos_field *f = field_add(r, key, label, HOLOS_FIELD_TRUTH);
    f->truth = value;
    return f;
}

holos_field *report_open(holos_report *r, const char *key, const char *label, holos_field_type type)
{
    assert(r->depth + 1 < REPORT_DEPTH);
    holos_field *f = field_add(r, key, label, type);
    r->open[++r->depth] = f;
    r->last[r->depth] = NULL;
    return f;
}

void report_close_field(holos_report *r)
{
    assert(r->depth > 0);
    r->depth--;
}

/* ---- Reading ----------------------------------------------------------------------------------- */

const holos_field *holos_report_root(const holos_report *report)
{
    return report != NULL ? &report->root : NULL;
}

const holos_field *holos_report_find(const holos_field *group, const char *key)
{
    if (group == NULL || key == NULL)
        return NULL;
    for (const holos_field *f = group->first; f != NULL; f = f->next)
        if (f->key != NULL && strcmp(f->key, key) == 0)
            return f;
    return NULL;
}

static void field_json(json *j, const holos_field *f, const char *key)
{
    switch (f->type) {
    case HOLOS_FIELD_TEXT:
        json_put_string(j, key, f->text);
        return;
    case HOLOS_FIELD_INTEGER:
        json_put_int(j, key, f->integer);
        return;
    case HOLOS_FIELD_COUNT:
    case HOLOS_FIELD_BYTES:
        json_put_uint(j, key, f->count);
        return;
    case HOLOS_FIELD_SECONDS:
    case HOLOS_FIELD_REAL:
        json_put_double(j, key, f->real);
        return;
    case HOLOS_FIELD_TRUTH:
        json_put_bool(j, key, f->truth);
        return;
    case HOLOS_FIELD_GROUP:
    case HOLOS_FIELD_LIST:
    case HOLOS_FIELD_ROWS:
        break;
    }
    bool group = f->type == HOLOS_FIELD_GROUP;
    json_open(j, key, group ? '{' : '[');
    for (const holos_field *child = f->first; child != NULL; child = child->next)
        if (!group || child->key != NULL) /* the rest of a group is for people alone */
            field_json(j, child, group ? child->key : NULL);
    json_close(j);
}

void report_json(const holos_report *r, text *out)
{
    json j = json_begin(out);
    field_json(&j, &r->root, NULL);
}

size_t holos_report_json(const holos_report *report, char *out, size_t size)
{
    text t;
    text_init_fixed(&t, out, size);
    if (report != NULL)
        report_json(report, &t);
    else if (size > 0)
        out[0] = 0;
    return t.length;
}
