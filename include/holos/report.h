/* SPDX-License-Identifier: MIT */

/* holos: reports. What a job or a store has to say, as a document for programs and people.
 *
 * A report is a tree of fields. A field has a name for programs (key), a name for people (label), a type, and a
 * value. You can show a report without knowing what it is about. */

#ifndef HOLOS_REPORT_H
#define HOLOS_REPORT_H

#include <holos/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum holos_field_type {
    HOLOS_FIELD_TEXT = 0,
    HOLOS_FIELD_INTEGER, /* a signed number, such as a score */
    HOLOS_FIELD_COUNT,   /* how many */
    HOLOS_FIELD_BYTES,   /* how much memory or disk */
    HOLOS_FIELD_SECONDS,
    HOLOS_FIELD_REAL,
    HOLOS_FIELD_TRUTH,
    HOLOS_FIELD_GROUP, /* fields with keys: an object */
    HOLOS_FIELD_LIST,  /* values without keys: an array */
    HOLOS_FIELD_ROWS,  /* groups with the same fields: a table */
} holos_field_type;

typedef struct holos_field {
    const char *key;   /* for programs; NULL in a list, and for fields that only people see */
    const char *label; /* for people; NULL: not shown; "": a line by itself */
    const char *note;  /* words after the value; for ROWS, the name of a last row with the sums; or NULL */
    holos_field_type type;
    const char *text; /* TEXT */
    int64_t integer;  /* INTEGER */
    uint64_t count;   /* COUNT, BYTES; for GROUP, LIST or ROWS, the number of fields */
    double real;      /* SECONDS, REAL */
    bool truth;       /* TRUTH */

    const char *chart, *axis; /* title and axis of a bar chart of the counts in it; or NULL */
    bool logarithmic;         /* of the chart */

    const struct holos_field *first; /* GROUP, LIST, ROWS: the first of its fields, or NULL */
    const struct holos_field *next;  /* in the same group; NULL: it is the last */
} holos_field;

typedef struct holos_report holos_report;

/* The whole document: a group. Its fields live as long as the report. */
HOLOS_API const holos_field *holos_report_root(const holos_report *report); /* NULL for NULL */
/* The field of a group with this key, or NULL. */
HOLOS_API const holos_field *holos_report_find(const holos_field *group, const char *key);
/* The document as one JSON object, without a newline. Like snprintf. */
HOLOS_API size_t holos_report_json(const holos_report *report, char *out, size_t size);
HOLOS_API void holos_report_close(holos_report *report); /* may be NULL */

#ifdef __cplusplus
}
#endif

#endif
