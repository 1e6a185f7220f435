/* SPDX-License-Identifier: MIT */

/* Which mode solves a position with the least work? */

#include "meta/lab/experiments.h"

#include <stdio.h>

#define QUICK_NODES 20000
#define FULL_NODES  50000

typedef struct mode_run {
    const char *name;
    holos_wave_mode mode;
    bool all_moves;
} mode_run;

static const mode_run runs[] = {
    {"wave", HOLOS_WAVE_WAVE, false},           {"wave, all moves", HOLOS_WAVE_WAVE, true},
    {"lightning", HOLOS_WAVE_LIGHTNING, false}, {"crystal", HOLOS_WAVE_CRYSTAL, false},
    {"osmosis", HOLOS_WAVE_OSMOSIS, false},     {"auto", HOLOS_WAVE_AUTO, false},
};

enum { RUNS = sizeof runs / sizeof *runs };

static holos_status mode_try(lab_place *p, const mode_run *run, holos_wave_statistics *out,
                             holos_value *value, holos_error *err)
{
    holos_wave_options o = lab_wave_options(p, p->task->quick ? QUICK_NODES : FULL_NODES);
    holos_wave *w;
    o.all_moves = run->all_moves;
    holos_status status = holos_wave_open(p->v, &o, &w, err);
    if (status != HOLOS_OK)
        return status;
    holos_wave_seed seed = {.position = p->position, .mode = run->mode};
    status = holos_wave_add(w, &seed, err);
    if (status == HOLOS_OK)
        status = holos_wave_run(w, run->mode, err);
    holos_wave_statistics_get(w, out);
    *value = holos_wave_query(w, p->position);
    holos_wave_close(w);
    return status == HOLOS_LIMIT ? HOLOS_OK : status;
}

static holos_status modes_visit(lab_place *p, holos_error *err)
{
    uint64_t work[RUNS] = {0};
    bool solved[RUNS] = {0};
    holos_status status = HOLOS_OK;
    double place = p->sheet->series_count > 0 ? (double)p->sheet->series[0].count + 1 : 1;
    for (size_t i = 0; status == HOLOS_OK && i < RUNS; i++) {
        holos_wave_statistics s;
        holos_value value;
        if (runs[i].all_moves && (p->v->game->traits & HOLOS_TRAIT_PUZZLE) == 0)
            continue; /* the same as without */
        status = mode_try(p, &runs[i], &s, &value, err);
        if (status != HOLOS_OK)
            break;
        work[i] = s.forward_expanded + s.backward_expanded;
        solved[i] = holos_value_is_solved(value);
        lab_row(p->sheet, "%s|%s|%s|%llu|%llu|%llu|%llu", p->label, runs[i].name, solved[i] ? "yes" : "no",
                (unsigned long long)work[i], (unsigned long long)s.positions, (unsigned long long)s.solved,
                (unsigned long long)s.osmosis_steps);
        lab_point_add(p->sheet, runs[i].name, place, (double)work[i] + 1);
        status = lab_go_on(p, err);
    }
    size_t wave = work[1] > 0 ? 1 : 0, osmosis = 4;
    if (status == HOLOS_OK && solved[osmosis] && work[osmosis] > 0)
        text_printf(&p->sheet->finding,
                    "%s (subject %.0f): osmosis expands %llu positions, %s %llu%s: a factor of %.1f. ",
                    p->label, place, (unsigned long long)work[osmosis], runs[wave].name,
                    (unsigned long long)work[wave], solved[wave] ? "" : " without an answer",
                    (double)work[wave] / (double)work[osmosis]);
    return status;
}

static holos_status modes_run(const experiment_task *task, text *out, holos_experiment_result *result,
                              holos_error *err)
{
    static const char *const columns[] = {
        "subject", "mode", "solved", "expanded", "positions", "solved_positions", "osmosis_steps", NULL};
    lab_sheet s;
    lab_sheet_init(&s, columns, "Work to solve a position, by mode", "subject", "positions expanded");
    s.log_y = true;
    return lab_run(task, "modes", &s, modes_visit, NULL, out, result, err);
}

const holos_experiment lab_modes = {
    .name = "modes",
    .summary = "wave against osmosis and the other modes: who solves a position with the least work?",
    .over_games = true,
    .run = modes_run};
