/* SPDX-License-Identifier: MIT */

/* Layer 1: how efficient is a seed, by depth, mode and direction? And does a wave through the game of tactics find the best? */

#include "meta/tactics.h"
#include "meta/lab/experiments.h"

#include <math.h>
#include <stdlib.h>

#define QUICK_NODES 2000
#define FULL_NODES  10000

typedef struct survey {
    tactics *t;
    holos_tactic best;  /* of all */
    double first, last; /* coverage of the shallowest and the deepest forward wave that was not cut */
    unsigned depth;     /* of the latter */
} survey;

static bool is_better(const holos_tactic *a, const holos_tactic *b)
{
    return (int32_t)(TACTICS_SCALE * holos_measure_efficiency(&a->measure)) >
           (int32_t)(TACTICS_SCALE * holos_measure_efficiency(&b->measure));
}

static void tactic_row(lab_place *p, const holos_tactic *tactic)
{
    const holos_measure *m = &tactic->measure;
    uint64_t coverage = m->forward + m->backward;
    double by_depth =
        (double)coverage / (tactic->depth * (tactic->direction == HOLOS_TACTIC_BOTH ? 2.0 : 1.0));
    lab_row(p->sheet, "%s|%s|%s|%u|%llu|%llu|%llu|%.2f|%.1f|%s", p->label, holos_wave_mode_name(tactic->mode),
            holos_tactic_direction_name(tactic->direction), tactic->depth, (unsigned long long)m->forward,
            (unsigned long long)m->backward, (unsigned long long)m->cost, holos_measure_efficiency(m),
            by_depth, m->cut ? "yes" : "no");
}

static holos_status tactics_survey(lab_place *p, survey *s, holos_error *err)
{
    holos_status status = HOLOS_OK;
    for (holos_wave_mode mode = HOLOS_WAVE_LIGHTNING; mode <= HOLOS_WAVE_OSMOSIS; mode++)
        for (unsigned direction = 0; direction <= HOLOS_TACTIC_BOTH; direction++)
            for (unsigned depth = 1; depth <= HOLOS_TACTIC_DEPTH; depth++) {
                holos_tactic tactic = {
                    .depth = depth, .mode = mode, .direction = (holos_tactic_direction)direction};
                status = tactics_measure(s->t, &tactic, err);
                if (status == HOLOS_OK)
                    status = lab_go_on(p, err);
                if (status != HOLOS_OK)
                    return status;
                tactic_row(p, &tactic);
                if (s->best.depth == 0 || is_better(&tactic, &s->best))
                    s->best = tactic;
                if (mode == HOLOS_WAVE_WAVE && direction == HOLOS_TACTIC_FORWARD && !tactic.measure.cut) {
                    lab_point_add(p->sheet, p->label, depth, holos_measure_efficiency(&tactic.measure));
                    s->first = depth == 1 ? (double)tactic.measure.forward : s->first;
                    s->last = (double)tactic.measure.forward;
                    s->depth = depth;
                }
            }
    return status;
}

static holos_status tactics_visit(lab_place *p, holos_error *err)
{
    cover_task place = {.v = p->v,
                        .position = p->position,
                        .nodes = p->task->quick ? QUICK_NODES : FULL_NODES,
                        .boundary = holos_knowledge_boundary(p->known),
                        .stop = p->task->limits->stop};
    survey s = {.t = malloc(sizeof *s.t)};
    holos_tactic found = {0};
    if (s.t == NULL)
        return error_system(err, "tactics");
    tactics_init(s.t, &place);
    holos_status status = tactics_best(s.t, &found, err);
    if (status == HOLOS_OK)
        status = tactics_survey(p, &s, err);
    if (status == HOLOS_OK) {
        bool same = !is_better(&s.best, &found) && !is_better(&found, &s.best);
        double growth = s.depth > 1 && s.first > 0 ? pow(s.last / s.first, 1.0 / (s.depth - 1)) : 1;
        text_printf(
            &p->sheet->finding,
            "%s: the best tactic is depth %u, %s, %s, with %.2f positions for each one expanded; the wave "
            "through the game of tactics %s it. Each level of depth multiplies what a wave covers by %.1f. ",
            p->label, s.best.depth, holos_wave_mode_name(s.best.mode),
            holos_tactic_direction_name(s.best.direction), holos_measure_efficiency(&s.best.measure),
            same ? "finds" : "MISSES", growth);
        p->sheet->compared++;
        p->sheet->mismatches += !same;
    }
    free(s.t);
    return status;
}

static holos_status tactics_run(const experiment_task *task, text *out, holos_experiment_result *result,
                                holos_error *err)
{
    static const char *const columns[] = {"subject",  "mode",     "direction", "depth",
                                          "forward",  "backward", "cost",      "efficiency",
                                          "by_depth", "cut",      NULL};
    lab_sheet s;
    lab_sheet_init(&s, columns, "Efficiency of a forward wave, by depth", "depth",
                   "positions reached for each expanded");
    return lab_run(task, "tactics", &s, tactics_visit,
                   "Efficiency here is coverage for each position expanded, so it levels off at the "
                   "branching factor; by_depth divides by the depth, as the source document does, and grows "
                   "as coverage does.",
                   out, result, err);
}

const holos_experiment lab_tactics = {
    .name = "tactics",
    .summary =
        "layer 1: efficiency of a seed by depth, mode and direction, and the best of them found by a wave",
    .over_games = true,
    .run = tactics_run};
