/* SPDX-License-Identifier: MIT */

/* Layer 2: how much do a few seeds cover together, how far is a greedy choice from the best, and when do waves first meet? */

#include "meta/lab/experiments.h"
#include "meta/lab/sample.h"

#include <math.h>
#include <stdlib.h>

#define QUICK_POOL 12
#define FULL_POOL  24
#define PLIES      8
#define DEPTH      2
#define SEEDS      5

/* Half of the pool sets out forward from positions of games played at random, half backward from their ends. */
static holos_status pool_make(lab_place *p, size_t half, lab_sample *forward, lab_sample *backward,
                              holos_wave_seed *seeds, holos_error *err)
{
    rng r;
    rng_init(&r, p->task->seed, 2);
    holos_status status = lab_sample_draw(forward, p, &r, half, PLIES, false, err);
    if (status == HOLOS_OK)
        status = lab_sample_draw(backward, p, &r, half, 0, true, err);
    for (size_t i = 0; status == HOLOS_OK && i < half; i++) {
        seeds[2 * i] = (holos_wave_seed){.position = lab_sample_at(forward, i), .depth = DEPTH};
        seeds[2 * i + 1] = (holos_wave_seed){
            .position = lab_sample_at(backward, i), .depth = DEPTH, .direction = HOLOS_WAVE_BACKWARD};
    }
    return status;
}

static void strategy_rows(lab_place *p, const holos_strategy *s)
{
    holos_strategy_summary m;
    holos_strategy_step step = {0};
    holos_strategy_summary_get(s, &m);
    double all = m.universe > 0 ? (double)m.universe : 1;
    for (size_t i = 0; holos_strategy_step_at(s, i, &step); i++) {
        lab_row(p->sheet, "%s|%zu|%llu|%.1f|%llu|%.2f|%llu", p->label, i + 1,
                (unsigned long long)step.covered, 100.0 * (double)step.covered / all,
                (unsigned long long)step.bound, step.cost > 0 ? (double)step.covered / (double)step.cost : 0,
                (unsigned long long)step.cost);
        lab_point_add(p->sheet, p->label, (double)i + 1, 100.0 * (double)step.covered / all);
    }
    bool exact = m.least == m.most;
    text_printf(&p->sheet->finding,
                "%s: %zu greedy seeds cover %.1f %% of what the pool covers, with an overlap of %.0f %%; the "
                "best set covers %s%.1f %%",
                p->label, m.steps, 100.0 * (double)m.greedy / all, 100 * m.overlap, exact ? "" : "at most ",
                100.0 * (double)m.most / all);
    text_printf(&p->sheet->finding, exact ? " (found by a wave through the game of sets)" : "");
    if (m.meeting > 0)
        text_printf(&p->sheet->finding, "; the first forward and backward seeds meet after %llu positions. ",
                    (unsigned long long)m.meeting);
    else
        text_string(&p->sheet->finding, "; none of its forward and backward seeds meet. ");
    p->sheet->compared++;
    p->sheet->mismatches += (double)m.greedy < (1 - exp(-1)) * (double)m.least - 1;
}

static holos_status strategy_visit(lab_place *p, holos_error *err)
{
    holos_wave_seed seeds[FULL_POOL];
    lab_sample forward = {0}, backward = {0};
    holos_strategy *s = NULL;
    size_t half = (p->task->quick ? QUICK_POOL : FULL_POOL) / 2;
    holos_meta_options o = {.limits = {.stop = p->task->limits->stop},
                            .boundary = holos_knowledge_boundary(p->known),
                            .seeds = SEEDS};
    holos_status status = pool_make(p, half, &forward, &backward, seeds, err);
    if (status == HOLOS_OK)
        status = holos_strategy_choose(p->v, seeds, 2 * half, &o, &s, err);
    if (status == HOLOS_OK)
        strategy_rows(p, s);
    holos_strategy_close(s);
    lab_sample_free(&forward);
    lab_sample_free(&backward);
    return status;
}

static holos_status strategy_run(const experiment_task *task, text *out, holos_experiment_result *result,
                                 holos_error *err)
{
    static const char *const columns[] = {"subject", "seeds",    "covered", "percent",
                                          "bound",   "per_cost", "cost",    NULL};
    lab_sheet s;
    lab_sheet_init(&s, columns, "Few-shot coverage: greedy sets of seeds", "seeds",
                   "percent of what the pool covers");
    return lab_run(task, "strategy", &s, strategy_visit,
                   "A greedy set is never below 63.2 % (1 - 1/e) of the best; bound says what "
                   "no set of so many seeds exceeds.",
                   out, result, err);
}

const holos_experiment lab_strategy = {.name = "strategy",
                                       .summary = "layer 2: what a few seeds cover together, greedy sets "
                                                  "against the best ones, time to the first meeting",
                                       .over_games = true,
                                       .run = strategy_run};
