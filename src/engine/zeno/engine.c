/* SPDX-License-Identifier: MIT */

/* Zeno as an engine among the others: it proves what its tree proves, guesses the rest, and always has a move to play. */

#include "engine/engine.h"
#include "core/clock.h"
#include "core/file.h"
#include "engine/zeno/calibrate.h"
#include "engine/zeno/lambda.h"

#include <holos/knowledge.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CACHE   ((size_t)16 << 20) /* of what the network said */
#define CERTAIN (1.0F / 3)         /* expectations above it are called a win */

typedef struct zeno_settings {
    const char *network, *layers, *calibration, *lambda;
    int64_t simulations;
} zeno_settings;

static const holos_option zeno_engine_options[] = {
    {OPTION(FILE, zeno_settings, network), .name = "network", .value = "FILE",
     .help = "the network, such as 'holos train' makes; otherwise the one that comes with holos"},
    {OPTION(INT, zeno_settings, simulations), .name = "simulations", .value = "N", .min = 1, .max = 100000000,
     .fallback = "800", .help = "simulations of a move; with the layer budget, the most"},
    {OPTION(STRING, zeno_settings, layers), .name = "layers", .value = "WORD,…", .fallback = "gain",
     .help = "tactics, glance, prune, control, explore, stop and budget, which are all, or none; and gain: "
             "stop when more simulations tell little"},
    {OPTION(FILE, zeno_settings, calibration), .name = "calibration", .value = "FILE",
     .help = "thresholds of the layer stop that fit the network"},
    {OPTION(FILE, zeno_settings, lambda), .name = "lambda", .value = "FILE",
     .help = "a learned lambda for the layer control, in the place of its formula"},
    {0},
};

typedef struct zeno_engine_state {
    const holos_variant *v;
    holos_limits limits;
    holos_gauges *gauges;
    void *gauges_context;
    net net;
    net_model model;
    net_cache said;
    zeno_lambda learned;
    zeno_thinker thinker;
    holos_move best;
} zeno_engine_state;

/* ---- Networks ---------------------------------------------------------------------------------- */

/* DATA/networks/reversi-8.net */
void zeno_network_path(const holos_variant *v, const char *asked, text *out)
{
    char folder[PATH_MAX];
    if (asked != NULL) {
        text_string(out, asked);
        return;
    }
    holos_data_folder(folder, sizeof folder);
    text_printf(out, "%s/networks/", folder);
    for (const char *c = v->name; *c != 0; c++)
        text_char(out, *c == ':' || *c == ',' ? '-' : *c);
    text_string(out, ".net");
}

static holos_status zeno_supports(const holos_variant *v, const holos_solver_options *options,
                                  holos_error *err)
{
    text path;
    holos_status status = HOLOS_OK;
    if (v->game->net == NULL)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "the zeno engine cannot take %s: the game shows networks no planes", v->game->name);
    text_init(&path);
    zeno_network_path(v, holos_settings_get(options->settings, "network"), &path);
    if (path.failed || access(path.data, R_OK) != 0)
        status =
            error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                      "the zeno engine needs a network for %s; %s is not there: 'holos train %s' makes one",
                      v->name, path.data, v->name);
    text_free(&path);
    return status;
}

/* ---- Opening ----------------------------------------------------------------------------------- */

/* "glance,prune" */
static holos_status layers_read(const char *words, zeno_options *o, holos_error *err)
{
    const struct {
        const char *name;
        bool *layer;
    } layers[] = {
        {"tactics", &o->tactics}, {"glance", &o->glance}, {"prune", &o->prune},   {"control", &o->control},
        {"explore", &o->explore}, {"stop", &o->stop},     {"budget", &o->budget}, {"gain", &o->gain},
    };
    const size_t count = sizeof layers / sizeof *layers;
    bool all = strcmp(words, "all") == 0, none = strcmp(words, "none") == 0;
    for (size_t i = 0; i < count; i++)
        *layers[i].layer = all && layers[i].layer != &o->gain;
    while (!all && !none && *words != 0) {
        size_t length = strcspn(words, ","), i = 0;
        while (i < count && (strlen(layers[i].name) != length || memcmp(layers[i].name, words, length) != 0))
            i++;
        if (i == count)
            return error_set(
                err, HOLOS_USAGE, HOLOS_NOWHERE,
                "--layers: unknown layer \"%.*s\"; the layers are tactics, glance, prune, control, "
                "explore, stop, budget, gain",
                (int)length, words);
        *layers[i].layer = true;
        words += length + (words[length] == ',');
    }
    return HOLOS_OK;
}

static void zeno_close(void *state)
{
    zeno_engine_state *s = state;
    if (s->thinker.model != NULL)
        zeno_thinker_free(&s->thinker);
    net_cache_free(&s->said);
    net_model_free(&s->model);
    net_free(&s->net);
    free(s);
}

static holos_status state_fill(zeno_engine_state *s, const holos_solver_options *options, holos_error *err)
{
    zeno_settings asked = {0};
    text path;
    zeno_options o = zeno_options_full(s->v);
    holos_status status = option_read(zeno_engine_options, options->settings, &asked, err);
    if (status == HOLOS_OK)
        status = layers_read(asked.layers, &o, err);
    if (status == HOLOS_OK && asked.calibration != NULL && !o.stop)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "--calibration: nobody reads it without the layer stop (--layers all)");
    if (status == HOLOS_OK && asked.lambda != NULL && !o.control)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "--lambda: nobody reads it without the layer control (--layers all)");
    zeno_calibration fitted;
    if (status == HOLOS_OK && asked.calibration != NULL) {
        status = zeno_calibration_load(&fitted, asked.calibration, err);
        o.thresholds = fitted.thresholds;
    }
    if (status == HOLOS_OK && asked.lambda != NULL) {
        status = lambda_load(&s->learned, asked.lambda, err);
        o.learned = &s->learned;
    }
    if (status != HOLOS_OK)
        return status;
    o.most = (uint32_t)asked.simulations;
    o.simulations = o.budget ? (uint32_t)(asked.simulations * 5 / 8) : o.most; /* the base of 800 is 500 */
    o.least = o.least < o.most ? o.least : o.most;
    text_init(&path);
    zeno_network_path(s->v, asked.network, &path);
    status = net_load(&s->net, path.data, s->v->name, err);
    text_free(&path);
    if (status == HOLOS_OK)
        status = net_model_init(&s->model, &s->net, err);
    if (status == HOLOS_OK)
        status = zeno_thinker_init(&s->thinker, s->v, &o, &s->model, 1, 0, err);
    if (status == HOLOS_OK)
        status = net_cache_init(&s->said, &s->model, CACHE, err);
    s->thinker.cache = &s->said;
    return status;
}

static holos_status zeno_open(const engine_task *task, void **state, holos_error *err)
{
    zeno_engine_state *s = calloc(1, sizeof *s);
    if (s == NULL)
        return error_system(err, "the zeno engine");
    s->v = task->v;
    s->limits = task->options.limits;
    s->gauges = task->options.gauges;
    s->gauges_context = task->options.gauges_context;
    holos_status status = state_fill(s, &task->options, err);
    if (status == HOLOS_OK)
        *state = s;
    else
        zeno_close(s);
    return status;
}

/* ---- Answers ----------------------------------------------------------------------------------- */

/* `follow`: in a game, what is known from the last move is kept. */
static holos_status ask(zeno_engine_state *s, const holos_position *p, bool follow, zeno_result *found,
                        holos_error *err)
{
    zeno_request r = {.stop = s->limits.stop,
                      .deadline = deadline_after(s->limits.seconds),
                      .keep = follow && zeno_search_follow(&s->thinker.search, p),
                      .gauges = s->gauges,
                      .gauges_context = s->gauges_context};
    if (s->limits.nodes > 0 && s->limits.nodes < s->thinker.search.o.most)
        r.simulations = (uint32_t)s->limits.nodes;
    r.ending_nodes = s->limits.nodes;
    return zeno_think(&s->thinker, p, &r, found, NULL, err);
}

static holos_guess guess_of(float expected)
{
    return (holos_guess){.value = (expected > CERTAIN) - (expected < -CERTAIN),
                         .source = HOLOS_SOURCE_NETWORK};
}

/* What is proved, and who says so. */
static holos_value value_of(const holos_variant *v, const zeno_result *found)
{
    bool nothing = found->lo == v->score_min && found->hi == v->score_max;
    return (holos_value){.lo = found->lo,
                         .hi = found->hi,
                         .distance = HOLOS_NO_DISTANCE,
                         .conversion = HOLOS_NO_DISTANCE,
                         .source = nothing ? HOLOS_SOURCE_NONE : HOLOS_SOURCE_SEARCH};
}

static holos_status zeno_solve(void *state, const holos_position *p, holos_result *result, holos_error *err)
{
    zeno_engine_state *s = state;
    zeno_result found;
    int32_t score;
    if (s->v->game->terminal(s->v, p, &score)) {
        score += game_banked(s->v, p);
        result->value.lo = result->value.hi = score;
        result->value.source = HOLOS_SOURCE_RULES;
        return HOLOS_OK;
    }
    holos_status status = ask(s, p, false, &found, err);
    if (status != HOLOS_OK)
        return status;
    float outcome;
    bool settled = zeno_says(found.lo, found.hi, &outcome);
    result->value = value_of(s->v, &found);
    result->nodes = found.simulations;
    if (!settled)
        result->guess = guess_of(found.value);
    if (found.lo == found.hi) {
        s->best = found.move;
        result->best = &s->best;
        result->best_count = 1;
        return HOLOS_OK;
    }
    if (holos_stop_asked(s->limits.stop))
        return error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
    return error_set(err, HOLOS_LIMIT, HOLOS_NOWHERE, "stopped after %u simulations", found.simulations);
}

static holos_status zeno_choose(void *state, const holos_position *p, holos_choice *out, holos_error *err)
{
    zeno_engine_state *s = state;
    zeno_result found;
    float outcome;
    double begun = clock_wall();
    holos_status status = ask(s, p, true, &found, err);
    if (status != HOLOS_OK)
        return status;
    bool settled = zeno_says(found.lo, found.hi, &outcome);
    *out = (holos_choice){.move = found.move,
                          .grounds = settled ? HOLOS_GROUNDS_OUTCOME : HOLOS_GROUNDS_GUESS,
                          .value = value_of(s->v, &found),
                          .seconds = clock_wall() - begun};
    if (!settled) {
        out->guess = guess_of(found.value);
        out->expectation = (double)found.value;
    }
    return HOLOS_OK;
}

extern const holos_engine zeno_engine;
const holos_engine zeno_engine = {
    .name = "zeno",
    .summary =
        "tree search that asks a network and reads its own tree; it plays, and proves what it comes across",
    .options = zeno_engine_options,
    .supports = zeno_supports,
    .open = zeno_open,
    .close = zeno_close,
    .solve = zeno_solve,
    .choose = zeno_choose,
};
