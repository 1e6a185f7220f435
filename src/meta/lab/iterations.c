/* SPDX-License-Identifier: MIT */

/* How many positions are solved after so many iterations? In an iteration the forward and the backward wave each take one layer. */

#include "meta/lab/experiments.h"

#define QUICK_NODES 30000
#define FULL_NODES  3000000
#define QUICK       6
#define FULL        20

typedef struct iteration {
    holos_wave_statistics statistics;
    holos_value value;
    bool cut;
} iteration;

static holos_status iteration_do(lab_place *p, unsigned depth, iteration *out, holos_error *err)
{
    holos_wave_options o = lab_wave_options(p, p->task->quick ? QUICK_NODES : FULL_NODES);
    holos_wave *w;
    o.forward_depth = o.backward_depth = depth;
    holos_status status = holos_wave_open(p->v, &o, &w, err);
    if (status != HOLOS_OK)
        return status;
    holos_wave_seed seed = {.position = p->position};
    status = holos_wave_add(w, &seed, err);
    if (status == HOLOS_OK)
        status = holos_wave_run(w, HOLOS_WAVE_WAVE, err);
    out->cut = status == HOLOS_LIMIT;
    holos_wave_statistics_get(w, &out->statistics);
    out->value = holos_wave_query(w, p->position);
    holos_wave_close(w);
    return out->cut ? HOLOS_OK : status;
}

static holos_status iterations_visit(lab_place *p, holos_error *err)
{
    unsigned most = p->subject->size > 0 ? p->subject->size : FULL;
    most = p->task->quick && most > QUICK ? QUICK : most;
    holos_status status = HOLOS_OK;
    for (unsigned depth = 1; status == HOLOS_OK && depth <= most; depth++) {
        iteration one = {0};
        char words[96];
        status = iteration_do(p, depth, &one, err);
        if (status != HOLOS_OK)
            break;
        const holos_wave_statistics *s = &one.statistics;
        holos_format_value(p->v, one.value, words, sizeof words);
        lab_row(p->sheet, "%s|%u|%llu|%llu|%llu|%llu|%s%s", p->label, depth, (unsigned long long)s->positions,
                (unsigned long long)s->solved, (unsigned long long)s->connections,
                (unsigned long long)s->forward_expanded + s->backward_expanded, words,
                one.cut ? " (cut)" : "");
        lab_point_add(p->sheet, p->label, depth, (double)s->solved + 1);
        bool solved = holos_value_is_solved(one.value);
        if (solved || one.cut || depth == most)
            text_printf(&p->sheet->finding,
                        "%s: after %u iterations %llu of %llu positions are solved, and the position itself "
                        "is %s%s. ",
                        p->label, depth, (unsigned long long)s->solved, (unsigned long long)s->positions,
                        words, one.cut ? "; the limit of work ended it" : "");
        if (solved || one.cut)
            break;
        status = lab_go_on(p, err);
    }
    return status;
}

static holos_status iterations_run(const experiment_task *task, text *out, holos_experiment_result *result,
                                   holos_error *err)
{
    static const char *const columns[] = {"subject",  "iteration", "positions", "solved",
                                          "meetings", "expanded",  "value",     NULL};
    lab_sheet s;
    lab_sheet_init(&s, columns, "Positions solved by iteration", "iterations", "positions solved");
    s.log_y = true;
    return lab_run(task, "iterations", &s, iterations_visit, NULL, out, result, err);
}

const holos_experiment lab_iterations = {.name = "iterations",
                                         .summary = "positions solved after so many layers forward and back",
                                         .over_games = true,
                                         .run = iterations_run};
