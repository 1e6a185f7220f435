/* SPDX-License-Identifier: MIT */

/* The ablation as an experiment of the laboratory: on every game that a network comes with, or on one that is named. `holos ablate` is the
 * same as a job that can be resumed. */

#include "session/ablation_lab.h"

#include "core/error.h"
#include "engine/zeno/calibrate.h"
#include "meta/lab/lab.h"
#include "session/ablation.h"

#include <unistd.h>

#define OPENING 8

/* Whether a network comes with holos for the variant; its path is in *out. */
static bool has_network(const holos_variant *v, text *out)
{
    text_init(out);
    if (v->game->net == NULL)
        return false;
    zeno_network_path(v, NULL, out);
    return !out->failed && access(out->data, R_OK) == 0;
}

static void rows_add(lab_sheet *s, const ablation *a)
{
    for (size_t i = 0; i < ablation_size(); i++) {
        const ablation_count *c = &a->counts[i];
        ablation_row r = ablation_row_of(c);
        lab_row(s, "%s|%s|%llu|%llu|%llu|%llu|%.3f|%.0f|%.0f|%.3f|%.0f|%.3f|%.3f|%.3f", a->v->name,
                ablation_name(i), 2 * (unsigned long long)c->pairs, (unsigned long long)c->wins,
                (unsigned long long)c->draws, (unsigned long long)c->losses, r.score, r.elo, r.error,
                r.probability, r.simulations, r.saved, r.lambda, r.entropy);
        lab_point_add(s, ablation_name(i), r.simulations, r.score);
    }
}

/* Says which configurations differ from the baseline by more than chance, and what all of them save. */
static void finding_add(lab_sheet *s, const ablation *a)
{
    bool some = false;
    for (size_t i = 1; i < ablation_size(); i++) {
        ablation_row r = ablation_row_of(&a->counts[i]);
        if (r.probability >= 0.05)
            continue;
        text_printf(&s->finding,
                    "%s, %s: %.0f %% of the points, %.0f %% of the simulations saved (p = %.3f). ",
                    a->v->name, ablation_name(i), 100 * r.score, 100 * r.saved, r.probability);
        some = true;
    }
    if (!some)
        text_printf(
            &s->finding,
            "%s: in %llu games each, no configuration differs from the baseline by more than chance. ",
            a->v->name, 2 * (unsigned long long)a->pairs);
}

/* All configurations, or as many as the limits leave time for. */
static holos_status games_play(const experiment_task *task, ablation *a, zeno_until until, holos_error *err)
{
    holos_status status = pool_open(1, &a->threads, err);
    for (size_t i = 0; status == HOLOS_OK && i < ablation_size(); i++)
        while (status == HOLOS_OK && a->counts[i].pairs < a->pairs) {
            uint64_t before = a->counts[i].pairs;
            status = ablation_step(a, i, until, err);
            task->limits->nodes += 2 * (a->counts[i].pairs - before);
            progress_add(task->progress, a->counts[i].pairs - before);
        }
    pool_close(a->threads);
    return status;
}

static holos_status ablation_on(const experiment_task *task, const holos_variant *v, const char *network,
                                lab_sheet *s, holos_error *err)
{
    net weights = {0};
    net_model model = {0};
    zeno_calibration fitted = {0};
    zeno_options o = zeno_options_full(v);
    zeno_until until = {task->limits->stop, task->limits->deadline};
    ablation a = {.v = v,
                  .model = &model,
                  .pairs = task->quick ? 1 : 100,
                  .opening = OPENING,
                  .simulations = task->quick ? 40 : 800,
                  .seed = task->seed};
    text_init(&a.log);
    holos_status status = net_load(&weights, network, v->name, err);
    if (status == HOLOS_OK)
        status = net_model_init(&model, &weights, err);
    if (status == HOLOS_OK)
        status = zeno_calibrate(v, &o, &model, task->quick ? 10 : CALIBRATE_POSITIONS, task->seed, until,
                                &fitted, err);
    a.thresholds = fitted.thresholds;
    if (status == HOLOS_OK)
        status = games_play(task, &a, until, err);
    if (status == HOLOS_INTERRUPTED && !limits_check(task->limits))
        status = limits_error(task->limits, "games", err);
    if (status == HOLOS_OK) {
        rows_add(s, &a);
        finding_add(s, &a);
    }
    text_free(&a.log);
    net_model_free(&model);
    net_free(&weights);
    return status;
}

/* One game; *done says whether it has a network. */
static holos_status game_visit(const experiment_task *task, const char *name, lab_sheet *s, bool *done,
                               holos_error *err)
{
    holos_variant *v;
    text network;
    holos_status status = holos_open(name, &v, err);
    if (status != HOLOS_OK)
        return status;
    *done = has_network(v, &network);
    if (*done)
        status = ablation_on(task, v, network.data, s, err);
    text_free(&network);
    holos_close(v);
    return status;
}

static holos_status games_visit(const experiment_task *task, lab_sheet *s, holos_error *err)
{
    const holos_game *game;
    bool done = false;
    holos_status status = HOLOS_OK;
    if (task->position != NULL || task->tables != NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "--position and --tables: an ablation plays whole games");
    if (task->game == NULL) {
        for (size_t i = 0; status == HOLOS_OK && (game = holos_game_at(i)) != NULL; i++)
            status = game_visit(task, game->name, s, &done, err);
        return status;
    }
    status = game_visit(task, task->game, s, &done, err);
    return status != HOLOS_OK || done
               ? status
               : error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                           "no network comes with holos for %s; 'holos ablate' takes one", task->game);
}

static holos_status ablation_run(const experiment_task *task, text *out, holos_experiment_result *result,
                                 holos_error *err)
{
    static const char *const columns[] = {"game",        "configuration", "games",  "won",   "drawn",
                                          "lost",        "score",         "elo",    "error", "p",
                                          "simulations", "saved",         "lambda", "H_v",   NULL};
    lab_sheet s;
    (void)result;
    lab_sheet_init(&s, columns, "What the layers of zeno are worth", "simulations a game",
                   "share of the points");
    text_string(&s.documents, "Baseline; +L2; +L2+L4; +L5; +L6; all: no figures are given.\n");
    holos_status status = games_visit(task, &s, err);
    if (status == HOLOS_OK)
        status = lab_sheet_end(&s, task, out, err);
    lab_sheet_free(&s);
    return status;
}

const holos_experiment ablation_lab = {
    .name = "ablation",
    .summary = "what each layer of the zeno engine is worth, by games against the plain "
               "search",
    .over_games = true,
    .run = ablation_run};
