/* SPDX-License-Identifier: MIT */

/* What does it save to look for one kind of boundary positions only? */

#include "meta/lab/experiments.h"

#define QUICK_NODES 20000
#define FULL_NODES  50000

typedef struct goal_way {
    const char *name;
    bool goal, stops;
} goal_way;

static const goal_way ways[] = {
    {"no goal", false, false}, {"goal", true, false}, {"goal, others ignored", true, true}};

static holos_status goal_try(lab_place *p, const goal_way *way, holos_wave_statistics *out,
                             holos_value *value, holos_error *err)
{
    const char *goals[] = {p->subject->goal};
    holos_wave_options o = lab_wave_options(p, p->task->quick ? QUICK_NODES : FULL_NODES);
    holos_wave *w;
    o.goals = goals;
    o.goal_count = way->goal ? 1 : 0;
    o.goal_stops = way->stops;
    holos_status status = holos_wave_open(p->v, &o, &w, err);
    if (status != HOLOS_OK)
        return status;
    holos_wave_seed seed = {.position = p->position};
    status = holos_wave_add(w, &seed, err);
    if (status == HOLOS_OK)
        status = holos_wave_run(w, HOLOS_WAVE_WAVE, err);
    holos_wave_statistics_get(w, out);
    *value = holos_wave_query(w, p->position);
    holos_wave_close(w);
    return status == HOLOS_LIMIT ? HOLOS_OK : status;
}

static holos_status goal_visit(lab_place *p, holos_error *err)
{
    holos_status status = HOLOS_OK;
    uint64_t work[3] = {0}, filtered = 0;
    if (p->subject->goal == NULL)
        return error_set(
            err, HOLOS_USAGE, HOLOS_NOWHERE,
            "this experiment looks for a goal, which a game names with its positions: leave out --game");
    for (size_t i = 0; status == HOLOS_OK && i < 3; i++) {
        holos_wave_statistics s = {0};
        holos_value value;
        char words[96];
        status = goal_try(p, &ways[i], &s, &value, err);
        if (status != HOLOS_OK)
            break;
        work[i] = s.forward_expanded + s.backward_expanded;
        filtered = s.goal_filtered;
        holos_format_value(p->v, value, words, sizeof words);
        lab_row(p->sheet, "%s|%s|%s|%llu|%llu|%llu|%llu|%s", p->label, p->subject->goal, ways[i].name,
                (unsigned long long)work[i], (unsigned long long)s.positions, (unsigned long long)s.solved,
                (unsigned long long)s.goal_filtered, words);
        lab_point_add(p->sheet, p->label, (double)i, (double)work[i] + 1);
        status = lab_go_on(p, err);
    }
    if (status == HOLOS_OK)
        text_printf(
            &p->sheet->finding,
            "%s, goal %s: %llu boundary positions are filtered; the work changes from %llu to %llu positions "
            "expanded. ",
            p->label, p->subject->goal, (unsigned long long)filtered, (unsigned long long)work[0],
            (unsigned long long)work[2]);
    return status;
}

static holos_status goal_run(const experiment_task *task, text *out, holos_experiment_result *result,
                             holos_error *err)
{
    static const char *const columns[] = {"subject", "goal",     "way",   "expanded", "positions",
                                          "solved",  "filtered", "value", NULL};
    lab_sheet s;
    lab_sheet_init(&s, columns, "Targeted search", "0 no goal, 1 goal, 2 goal and others ignored",
                   "positions expanded");
    s.log_y = true;
    return lab_run(task, "goal", &s, goal_visit, NULL, out, result, err);
}

const holos_experiment lab_goal = {.name = "goal",
                                   .summary = "targeted search: what a goal filters, and what it saves",
                                   .over_games = true,
                                   .run = goal_run};
