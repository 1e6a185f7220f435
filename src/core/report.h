/* SPDX-License-Identifier: MIT */

/* Writing reports (holos/report.h). Whoever worked says what came of it; how that looks is not its affair.
 *
 *     report_count(r, "positions", "positions", n)->note = ", all that can be reached";
 *     report_open(r, "seeds", NULL, HOLOS_FIELD_LIST);  …  report_close_field(r);
 *
 * Every function returns the new field, for what is seldom set: never NULL. Out of memory is remembered, and a field that is
 * not kept takes what is written to it. Texts are copied; keys, labels, notes and titles must outlive the report, or be made by
 * report_words. */

#ifndef HOLOS_CORE_REPORT_H
#define HOLOS_CORE_REPORT_H

#include "core/mem.h"
#include "core/text.h"

#include <holos/report.h>

#define REPORT_DEPTH 8

struct holos_report {
    arena memory;
    holos_field root, lost;
    holos_field *open[REPORT_DEPTH]; /* groups, the innermost last */
    holos_field *last[REPORT_DEPTH]; /* the last field of each */
    unsigned depth;
    bool failed;
};

/* NULL: out of memory. */
holos_report *report_new(void);

holos_field *report_text(holos_report *r, const char *key, const char *label, const char *value);
holos_field *report_integer(holos_report *r, const char *key, const char *label, int64_t value);
holos_field *report_count(holos_report *r, const char *key, const char *label, uint64_t value);
holos_field *report_bytes(holos_report *r, const char *key, const char *label, uint64_t value);
holos_field *report_seconds(holos_report *r, const char *key, const char *label, double value);
holos_field *report_real(holos_report *r, const char *key, const char *label, double value);
holos_field *report_truth(holos_report *r, const char *key, const char *label, bool value);
/* A line for people alone; with the label "" one without a label. */
__attribute__((format(printf, 3, 4))) holos_field *report_line(holos_report *r, const char *label,
                                                               const char *format, ...);

/* A group, list or table begins; what follows is in it until it is closed. */
holos_field *report_open(holos_report *r, const char *key, const char *label, holos_field_type type);
void report_close_field(holos_report *r);

/* Words that live as long as the report. */
__attribute__((format(printf, 2, 3))) const char *report_words(holos_report *r, const char *format, ...);

/* The document as JSON, for whoever appends to a text. */
void report_json(const holos_report *r, text *out);

#endif
