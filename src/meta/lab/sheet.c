/* SPDX-License-Identifier: MIT */

#include "core/json.h"
#include "core/list.h"
#include "meta/lab/lab.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void lab_sheet_init(lab_sheet *s, const char *const *columns, const char *title, const char *x, const char *y)
{
    *s = (lab_sheet){.title = title, .x = x, .y = y};
    for (size_t i = 0; i + 1 < LAB_COLUMNS && columns[i] != NULL; i++)
        s->columns[i] = columns[i];
    text_init(&s->finding);
    text_init(&s->documents);
}

void lab_sheet_free(lab_sheet *s)
{
    for (size_t i = 0; i < s->row_count; i++)
        free(s->rows[i]);
    free(s->rows);
    for (size_t i = 0; i < s->series_count; i++)
        free(s->series[i].points);
    text_free(&s->finding);
    text_free(&s->documents);
}

void lab_row(lab_sheet *s, const char *format, ...)
{
    va_list args;
    char *row = NULL;
    va_start(args, format);
    bool made = vasprintf(&row, format, args) >= 0;
    va_end(args);
    if (!made || !LIST_RESERVE(s->rows, s->row_room, s->row_count + 1)) {
        if (made)
            free(row);
        s->failed = true;
        return;
    }
    s->rows[s->row_count++] = row;
}

void lab_point_add(lab_sheet *s, const char *name, double x, double y)
{
    size_t i = 0;
    while (i < s->series_count && strcmp(s->series[i].name, name) != 0)
        i++;
    if (i == LAB_SERIES)
        return; /* a plot of more could not be read */
    lab_series *series = &s->series[i];
    if (i == s->series_count) {
        snprintf(series->name, sizeof series->name, "%s", name);
        s->series_count++;
    }
    if (LIST_RESERVE(series->points, series->room, series->count + 1))
        series->points[series->count++] = (lab_point){x, y};
    else
        s->failed = true;
}

/* ---- Cells ------------------------------------------------------------------------------------- */

/* The cell at a column of a row, and its length. */
static const char *cell_at(const char *row, size_t column, size_t *length)
{
    for (; column > 0; column--) {
        row = strchr(row, '|');
        if (row == NULL) {
            *length = 0;
            return "";
        }
        row++;
    }
    *length = strcspn(row, "|");
    return row;
}

static bool is_number(const char *cell, size_t length)
{
    return length > 0 && strspn(cell, "0123456789.-") == length && cell[length - 1] != '-';
}

static void csv_make(const lab_sheet *s, text *t)
{
    for (size_t c = 0; s->columns[c] != NULL; c++)
        text_printf(t, "%s%s", c > 0 ? "," : "", s->columns[c]);
    text_char(t, '\n');
    for (size_t r = 0; r < s->row_count; r++) {
        for (size_t c = 0; s->columns[c] != NULL; c++) {
            size_t length;
            const char *cell = cell_at(s->rows[r], c, &length);
            bool quote = memchr(cell, ',', length) != NULL;
            text_printf(t, "%s%s%.*s%s", c > 0 ? "," : "", quote ? "\"" : "", (int)length, cell,
                        quote ? "\"" : "");
        }
        text_char(t, '\n');
    }
}

static void table_print(const lab_sheet *s, text *t)
{
    size_t widths[LAB_COLUMNS] = {0};
    for (size_t c = 0; s->columns[c] != NULL; c++) {
        widths[c] = strlen(s->columns[c]);
        for (size_t r = 0; r < s->row_count; r++) {
            size_t length;
            cell_at(s->rows[r], c, &length);
            widths[c] = length > widths[c] ? length : widths[c];
        }
    }
    for (size_t r = 0; r <= s->row_count; r++) {
        for (size_t c = 0; s->columns[c] != NULL; c++) {
            size_t length = r == 0 ? strlen(s->columns[c]) : 0;
            const char *cell = r == 0 ? s->columns[c] : cell_at(s->rows[r - 1], c, &length);
            bool left = !is_number(
                r == 0 && s->row_count > 0 ? cell_at(s->rows[0], c, &(size_t){0}) : cell,
                r == 0 && s->row_count > 0 ? strcspn(cell_at(s->rows[0], c, &(size_t){0}), "|") : length);
            size_t pad = widths[c] - length;
            text_string(t, c > 0 ? "  " : "");
            text_repeat(t, ' ', left ? 0 : pad);
            text_bytes(t, cell, length);
            if (left && s->columns[c + 1] != NULL)
                text_repeat(t, ' ', pad);
        }
        text_char(t, '\n');
    }
}

static void json_make(const lab_sheet *s, const experiment_task *task, text *t)
{
    char buffer[256];
    json j = json_begin(t);
    json_open(&j, NULL, '{');
    json_put_string(&j, "lab", task->name);
    json_put_bool(&j, "quick", task->quick);
    json_put_uint(&j, "seed", task->seed);
    json_open(&j, "rows", '[');
    for (size_t r = 0; r < s->row_count; r++) {
        json_open(&j, NULL, '{');
        for (size_t c = 0; s->columns[c] != NULL; c++) {
            size_t length;
            const char *cell = cell_at(s->rows[r], c, &length);
            snprintf(buffer, sizeof buffer, "%.*s", (int)length, cell);
            double number;
            if (is_number(cell, length) && text_to_double(buffer, -1e300, 1e300, &number))
                json_put_double(&j, s->columns[c], number);
            else
                json_put_string(&j, s->columns[c], buffer);
        }
        json_close(&j);
    }
    json_close(&j);
    json_put_string(&j, "finding", s->finding.data);
    json_put_string(&j, "document", s->documents.data);
    json_close(&j);
    text_char(t, '\n');
}

holos_status lab_sheet_end(lab_sheet *s, const experiment_task *task, text *out, holos_error *err)
{
    text file;
    char name[64];
    text_init(&file);
    snprintf(name, sizeof name, "%.50s.csv", task->name);
    csv_make(s, &file);
    holos_status status = s->failed ? error_system(err, "the experiment %s", task->name)
                                    : experiment_write(task, name, &file, err);
    text_clear(&file);
    snprintf(name, sizeof name, "%.50s.svg", task->name);
    lab_chart_draw(s, &file);
    if (status == HOLOS_OK)
        status = experiment_write(task, name, &file, err);
    text_free(&file);
    if (status != HOLOS_OK)
        return status;
    if (task->json) {
        json_make(s, task, out);
        return HOLOS_OK;
    }
    table_print(s, out);
    text_printf(out, "\n%s\n", s->finding.data);
    if (s->documents.length > 0)
        text_printf(out, "\nIn the source document:\n%s", s->documents.data);
    return HOLOS_OK;
}
