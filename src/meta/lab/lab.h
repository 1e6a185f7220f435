/* SPDX-License-Identifier: MIT */

/* The laboratory: experiments over any game. Each runs on subjects, which games name or the caller does, and ends as a table (CSV), a
 * plot (SVG) and a paragraph on what was found. What is printed depends on the seed alone, never on time. */

#ifndef HOLOS_META_LAB_H
#define HOLOS_META_LAB_H

#include "game/experiment.h"

#include <holos/knowledge.h>
#include <holos/meta.h>

#define LAB_COLUMNS 16
#define LAB_SERIES  32

/* The experiments, NULL past the end. */
const holos_experiment *lab_experiment_at(size_t index);

/* ---- Tables and plots (table.c, chart.c) ------------------------------------------------------- */

typedef struct lab_point {
    double x, y;
} lab_point;

typedef struct lab_series {
    char name[64];
    lab_point *points;
    size_t count, room;
} lab_series;

/* What an experiment has to show. */
typedef struct lab_sheet {
    const char *columns[LAB_COLUMNS]; /* ended by NULL */
    char **rows;                      /* cells with '|' between them */
    size_t row_count, row_room;
    const char *title, *x, *y; /* of the plot */
    bool log_x, log_y;
    lab_series series[LAB_SERIES];
    size_t series_count;
    text finding;   /* the paragraph */
    text documents; /* what the source document says, a line each */
    uint64_t compared, mismatches;
    bool failed;
} lab_sheet;

void lab_sheet_init(lab_sheet *s, const char *const *columns, const char *title, const char *x,
                    const char *y);
void lab_sheet_free(lab_sheet *s);
__attribute__((format(printf, 2, 3))) void lab_row(lab_sheet *s, const char *format, ...);
/* Adds a point to the series of this name, which begins with it if it is new. */
void lab_point_add(lab_sheet *s, const char *name, double x, double y);
/* Writes NAME.csv and NAME.svg, and what people (or programs, task->json) read. */
holos_status lab_sheet_end(lab_sheet *s, const experiment_task *task, text *out, holos_error *err);
void lab_chart_draw(const lab_sheet *s, text *t);

/* ---- Subjects (subjects.c) --------------------------------------------------------------------- */

typedef struct lab_place {
    const experiment_task *task;
    lab_sheet *sheet;
    const holos_subject *subject;
    holos_variant *v;
    holos_position *position;
    holos_knowledge *known; /* NULL: none */
    char label[96];         /* "nim:3,4,5" */
} lab_place;

/* Calls `visit` for each subject of an experiment, in the order of games; for the caller's own, if there is one. */
typedef holos_status lab_visitor(lab_place *place, holos_error *err);
holos_status lab_visit(const experiment_task *task, const char *experiment, lab_sheet *sheet,
                       lab_visitor *visit, holos_error *err);
/* A whole run: visits all subjects, adds `last` to the finding (NULL: nothing), ends the sheet and frees it. */
holos_status lab_run(const experiment_task *task, const char *experiment, lab_sheet *sheet,
                     lab_visitor *visit, const char *last, text *out, holos_experiment_result *result,
                     holos_error *err);
/* HOLOS_OK, or why to end: the time is over, or somebody asked to stop. */
holos_status lab_go_on(const lab_place *place, holos_error *err);
/* A wave from the place, with its boundary; `o` may be changed before. */
holos_wave_options lab_wave_options(const lab_place *place, uint64_t nodes);

#endif
