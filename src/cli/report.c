/* SPDX-License-Identifier: MIT */

#include "cli/report.h"

#include "core/report.h"

#include <string.h>

enum { LABEL_WIDTH = 12, COLUMN_WIDTH = 14, FIRST_COLUMN = 5 };

/* ---- Words ------------------------------------------------------------------------------------- */

static void value_words(text *t, const holos_field *f)
{
    switch (f->type) {
    case HOLOS_FIELD_TEXT:
        text_string(t, f->text);
        break;
    case HOLOS_FIELD_INTEGER:
        text_int(t, f->integer);
        break;
    case HOLOS_FIELD_COUNT:
        text_count(t, f->count);
        break;
    case HOLOS_FIELD_BYTES:
        text_size(t, f->count);
        break;
    case HOLOS_FIELD_SECONDS:
        text_duration(t, f->real);
        break;
    case HOLOS_FIELD_REAL:
        text_double(t, f->real, 6);
        break;
    case HOLOS_FIELD_TRUTH:
        text_string(t, f->truth ? "yes" : "no");
        break;
    case HOLOS_FIELD_GROUP:
    case HOLOS_FIELD_LIST:
    case HOLOS_FIELD_ROWS:
        break; /* have lines of their own */
    }
}

/* `left`: the width of the first column, or 0 for the others. */
static void cell_words(text *t, const char *word, int left)
{
    text_printf(t, left > 0 ? "  %-*s" : " %*s", left > 0 ? left : COLUMN_WIDTH, word);
}

/* As wide as what stands in it. */
static int first_width(const holos_field *rows)
{
    size_t width = FIRST_COLUMN;
    text cell;
    text_init(&cell);
    for (const holos_field *row = rows->first; row != NULL; row = row->next) {
        const holos_field *f = row->first;
        while (f != NULL && f->label == NULL)
            f = f->next;
        if (f == NULL)
            continue;
        text_clear(&cell);
        value_words(&cell, f);
        width = cell.length > width ? cell.length : width;
        width = strlen(f->label) > width ? strlen(f->label) : width;
    }
    text_free(&cell);
    return (int)width;
}

static void row_words(text *t, const holos_field *row, int left)
{
    text cell;
    text_init(&cell);
    for (const holos_field *f = row->first; f != NULL; f = f->next) {
        if (f->label == NULL)
            continue;
        text_clear(&cell);
        value_words(&cell, f);
        cell_words(t, cell.data, left);
        left = 0;
    }
    text_char(t, '\n');
    text_free(&cell);
}

/* The sums of a column's counts, for the last row. */
static uint64_t column_sum(const holos_field *rows, const char *label)
{
    uint64_t sum = 0;
    for (const holos_field *row = rows->first; row != NULL; row = row->next)
        for (const holos_field *f = row->first; f != NULL; f = f->next)
            if (f->label != NULL && strcmp(f->label, label) == 0)
                sum += f->count;
    return sum;
}

static void rows_words(text *t, const holos_field *rows)
{
    if (rows->first == NULL)
        return;
    const int width = first_width(rows);
    int left = width;
    for (const holos_field *f = rows->first->first; f != NULL; f = f->next) {
        if (f->label == NULL)
            continue;
        cell_words(t, f->label, left);
        left = 0;
    }
    text_char(t, '\n');
    for (const holos_field *row = rows->first; row != NULL; row = row->next)
        row_words(t, row, width);
    if (rows->note == NULL || rows->first == NULL || rows->first->first == NULL)
        return;
    cell_words(t, rows->note, width);
    text sum;
    text_init(&sum);
    for (const holos_field *f = rows->first->first->next; f != NULL; f = f->next) {
        if (f->label == NULL)
            continue;
        text_clear(&sum);
        text_count(&sum, column_sum(rows, f->label));
        cell_words(t, sum.data, 0);
    }
    text_char(t, '\n');
    text_free(&sum);
}

static void field_words(text *t, const holos_field *f)
{
    if (f->type == HOLOS_FIELD_ROWS) {
        if (f->label != NULL)
            rows_words(t, f);
        return;
    }
    if (f->type == HOLOS_FIELD_GROUP || f->type == HOLOS_FIELD_LIST) {
        for (const holos_field *child = f->first; child != NULL; child = child->next)
            field_words(t, child);
        return;
    }
    if (f->label == NULL)
        return;
    if (f->label[0] != 0)
        text_printf(t, "  %-*s ", LABEL_WIDTH, f->label);
    value_words(t, f);
    if (f->note != NULL)
        text_string(t, f->note);
    text_char(t, '\n');
}

void report_print_words(text *t, const holos_report *report)
{
    field_words(t, holos_report_root(report));
}

void report_print(cli *c, const holos_report *report)
{
    text *t = &c->out->text;
    if (c->shared.json) {
        report_json(report, t);
        text_char(t, '\n');
    } else {
        report_print_words(t, report);
    }
}
