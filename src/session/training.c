/* SPDX-License-Identifier: MIT */

#include "session/training.h"

#include "core/clock.h"
#include "core/list.h"

#include <math.h>
#include <stdlib.h>

/* Streams of random numbers: games have even and odd ones from 0 on, these lie far behind. */
#define STREAM_WEIGHTS (UINT64_C(1) << 60)
#define STREAM_BATCHES (UINT64_C(2) << 60)
#define STREAM_RATINGS (UINT64_C(3) << 60)
#define RATING_PLIES   8 /* of an opening */

/* ---- Options ----------------------------------------------------------------------------------- */

const holos_option train_options[] = {
    {OPTION(INT, train_settings, iterations), .name = "iterations", .letter = 'i', .value = "N", .min = 1,
     .max = 1000000, .fallback = "100", .help = "how many times to play games and learn from them, in all"},
    {OPTION(INT, train_settings, games), .name = "games-per-iteration", .value = "N", .min = 1, .max = 65536,
     .fallback = "64", .help = "games of an iteration"},
    {OPTION(INT, train_settings, simulations), .name = "simulations", .value = "N", .min = 2, .max = 100000,
     .fallback = "32", .help = "simulations of a search"},
    {OPTION(CHOICE, train_settings, root), .name = "root", .value = "puct|gumbel", .fallback = "gumbel",
     .help =
         "how simulations are divided among the moves: as in the source document, or Gumbel's way, for few"},
    {OPTION(INT, train_settings, considered), .name = "considered", .value = "N", .min = 2, .max = 64,
     .fallback = "16", .help = "moves that Gumbel's way considers"},
    {OPTION(INT, train_settings, quick), .name = "quick-simulations", .value = "N", .min = 0, .max = 100000,
     .fallback = "0",
     .help = "playout caps: three searches in four have only so many simulations and are not learned from; "
             "0: none"},
    {OPTION(CHOICE, train_settings, kind), .name = "net", .value = "residual|tower", .fallback = "residual",
     .help = "the kind of network"},
    {OPTION(INT, train_settings, channels), .name = "channels", .value = "N", .min = 16, .max = 512,
     .fallback = "64", .help = "channels of the network, a multiple of 16"},
    {OPTION(INT, train_settings, blocks), .name = "blocks", .value = "N", .min = 1, .max = 31,
     .fallback = "4", .help = "residual blocks, or layers of the tower"},
    {OPTION(COUNT, train_settings, buffer), .name = "buffer", .value = "N", .fallback = "80k",
     .help = "positions of late games to learn from"},
    {OPTION(COUNT, train_settings, buffer_least), .name = "min-buffer", .value = "N", .fallback = "2k",
     .help = "positions that must be there before learning begins"},
    {OPTION(INT, train_settings, batch), .name = "batch", .value = "N", .min = 1, .max = 4096,
     .fallback = "256", .help = "positions of a step"},
    {OPTION(INT, train_settings, reuse), .name = "reuse", .value = "N", .min = 1, .max = 100, .fallback = "4",
     .help = "how often a position is learned from, about"},
    {OPTION(CHOICE, train_settings, method), .name = "optimiser", .value = "adam|momentum",
     .fallback = "adam", .help = "how steps are made"},
    {OPTION(STRING, train_settings, rate), .name = "rate", .value = "X", .fallback = "0.001",
     .help = "the learning rate to begin with"},
    {OPTION(INT, train_settings, rate_half), .name = "rate-half", .value = "N", .min = 1, .max = 1000000,
     .fallback = "300", .help = "iterations in which the learning rate falls to a half"},
    {OPTION(STRING, train_settings, decay), .name = "decay", .value = "X", .fallback = "0.0001",
     .help = "L2 on the weights"},
    {OPTION(INT, train_settings, warm), .name = "warm", .value = "N", .min = 0, .max = 10000,
     .fallback = "30", .help = "plies with temperature 1 and noise; later ones take the best move"},
    {OPTION(STRING, train_settings, alpha), .name = "alpha", .value = "X", .fallback = "0.3",
     .help = "Dirichlet noise at the root, for --root puct"},
    {OPTION(STRING, train_settings, epsilon), .name = "epsilon", .value = "X", .fallback = "0.25",
     .help = "its share of the priors"},
    {OPTION(INT, train_settings, opening), .name = "opening", .value = "N", .min = 0, .max = 100,
     .fallback = "8", .help = "a game begins with up to so many random moves"},
    {OPTION(INT, train_settings, exact_tree), .name = "exact-tree", .value = "N", .min = 0, .max = 30,
     .fallback = "8", .help = "with so many moves left, the tree asks the game's solver"},
    {OPTION(INT, train_settings, exact_root), .name = "exact-root", .value = "N", .min = 0, .max = 30,
     .fallback = "13", .help = "with so many moves left, the solver ends a game"},
    {OPTION(INT, train_settings, rating_every), .name = "rating-every", .value = "N", .min = 0,
     .max = 1000000, .fallback = "20",
     .help = "play against the last rated network every so many iterations; 0: never"},
    {OPTION(INT, train_settings, calibrate_every), .name = "calibrate-every", .value = "N", .min = 0,
     .max = 1000000, .fallback = "0",
     .help = "fit the thresholds of the early stop to the network every so many iterations; 0: never"},
    {OPTION(STRING, train_settings, drift), .name = "drift", .value = "X", .fallback = "0",
     .help =
         "also when 50 positions show that a mean has moved by so many standard deviations; 0: not by that"},
    {OPTION(INT, train_settings, rating_pairs), .name = "rating-pairs", .value = "N", .min = 1, .max = 10000,
     .fallback = "20", .help = "pairs of games of a rating"},
    {0},
};

holos_status training_reals(const train_settings *s, train_reals *out, holos_error *err)
{
    const struct {
        const char *name, *words;
        double most;
        double *to;
    } all[] = {
        {"rate", s->rate, 10, &out->rate},      {"decay", s->decay, 10, &out->decay},
        {"alpha", s->alpha, 1000, &out->alpha}, {"epsilon", s->epsilon, 1, &out->epsilon},
        {"drift", s->drift, 1000, &out->drift},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!text_to_double(all[i].words, 0, all[i].most, all[i].to))
            return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "--%s takes a number from 0 to %g, not \"%s\"",
                             all[i].name, all[i].most, all[i].words);
    return HOLOS_OK;
}

holos_status training_shape(const holos_variant *v, const train_settings *s, net_shape *out, holos_error *err)
{
    bool tower = s->kind == NET_TOWER;
    net_shape wish = {.kind = s->kind,
                      .channels = (uint32_t)s->channels,
                      .blocks = (uint32_t)s->blocks,
                      .policy_channels = tower ? 2 : 4, /* the tower is that of the source document */
                      .value_channels = tower ? 1 : 4,
                      .value_hidden = 64};
    return zeno_net_shape(v, &wish, out, err);
}

uint64_t training_memory(const holos_variant *v, const train_settings *s, unsigned threads)
{
    net_shape shape;
    replay r;
    if (training_shape(v, s, &shape, NULL) != HOLOS_OK || !replay_init(&r, v, 0))
        return 0;
    net_layout at = net_layout_of(&shape);
    uint64_t board = (uint64_t)shape.height * shape.width * shape.channels * sizeof(float);
    uint64_t boards = (2 * at.convs + 4) * board * (uint64_t)s->batch;
    uint64_t weights =
        (at.parameters * 5 + 2 * 4 * at.convs * net_packed_size(shape.channels, shape.channels)) *
        sizeof(float);
    return s->buffer * r.slot_size + boards + weights + threads * ((UINT64_C(32) << 20) + SELFPLAY_CACHE);
}

/* ---- Opening ----------------------------------------------------------------------------------- */

static net_training how_of(const training *t)
{
    net_training how = net_training_usual();
    how.method = t->settings.method == 0 ? NET_ADAM : NET_MOMENTUM;
    how.decay = t->reals.decay;
    return how;
}

holos_status training_init(training *t, const holos_variant *v, const train_settings *settings, uint64_t seed,
                           holos_error *err)
{
    net_shape shape;
    rng random;
    *t = (training){.v = v, .settings = *settings, .seed = seed};
    holos_status status = training_reals(settings, &t->reals, err);
    if (status == HOLOS_OK)
        status = training_shape(v, settings, &shape, err);
    if (status == HOLOS_OK)
        status = net_init(&t->net, &shape, v->name, err);
    if (status != HOLOS_OK)
        return status;
    rng_init(&random, seed, STREAM_WEIGHTS);
    net_randomise(&t->net, &random);
    net_training how = how_of(t);
    size_t batch = (size_t)settings->batch, board = (size_t)shape.height * shape.width * t->net.at.planes;
    status = net_init(&t->rated, &shape, v->name, err);
    if (status == HOLOS_OK)
        status = net_trainer_init(&t->trainer, &t->net, &how, batch, err);
    if (status == HOLOS_OK)
        status = net_model_init(&t->model, &t->net, err);
    if (status == HOLOS_OK)
        status = net_model_init(&t->other, &t->net, err);
    if (status != HOLOS_OK)
        return status;
    memcpy(t->rated.parameters, t->net.parameters, t->net.at.parameters * sizeof(float));
    memcpy(t->rated.statistics, t->net.statistics, t->net.at.statistics * sizeof(float));
    t->planes = calloc(batch * board, sizeof *t->planes);
    t->policy = calloc(batch * t->net.at.logits, sizeof *t->policy);
    t->values = calloc(batch, sizeof *t->values);
    bool made = replay_init(&t->buffer, v, settings->buffer);
    return made && t->planes != NULL && t->policy != NULL && t->values != NULL
               ? HOLOS_OK
               : error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for a training");
}

void training_free(training *t)
{
    net_model_free(&t->model);
    net_model_free(&t->other);
    net_trainer_free(&t->trainer);
    net_free(&t->net);
    net_free(&t->rated);
    replay_free(&t->buffer);
    free(t->rows);
    free(t->planes);
    free(t->policy);
    free(t->values);
    *t = (training){0};
}

/* ---- Games ------------------------------------------------------------------------------------- */

static zeno_options search_options(const training *t)
{
    zeno_options o = zeno_options_plain(t->v);
    o.simulations = (uint32_t)t->settings.simulations;
    o.root = t->settings.root == 0 ? ZENO_ROOT_PUCT : ZENO_ROOT_GUMBEL;
    o.considered = (uint32_t)t->settings.considered;
    o.exact_tree = (uint32_t)t->settings.exact_tree;
    o.exact_root = (uint32_t)t->settings.exact_root;
    return o;
}

typedef struct playing {
    training *t;
    selfplay s;
    replay *found; /* of each group */
    selfplay_result *results;
    holos_status *statuses;
    uint64_t first, count, groups;
    progress *progress;
} playing;

typedef struct taker {
    replay *to;
    bool failed;
} taker;

static void sample_take(void *context, const zeno_sample *sample)
{
    taker *t = context;
    t->failed |= !replay_add(t->to, sample);
}

static void group_run(void *context, uint64_t index, unsigned worker)
{
    (void)worker;
    playing *p = context;
    index = training_mine(p->t, index);
    uint64_t from = index * SELFPLAY_GAMES, left = p->count - from;
    uint32_t count = left < SELFPLAY_GAMES ? (uint32_t)left : SELFPLAY_GAMES;
    taker take = {.to = &p->found[index]};
    holos_error err;
    p->statuses[index] = selfplay_run(&p->s, &p->t->model, p->first + from, count, sample_take, &take,
                                      &p->results[index], &err);
    if (p->statuses[index] == HOLOS_OK && take.failed)
        p->statuses[index] = HOLOS_NO_MEMORY;
    progress_add(p->progress, count);
}

/* Plays this rank's groups. */
static holos_status groups_play(playing *p, holos_error *err)
{
    holos_status status = HOLOS_OK;
    if (p->found == NULL || p->results == NULL || p->statuses == NULL)
        return error_system(err, "games");
    for (uint64_t i = 0; i < p->groups; i++)
        replay_init(&p->found[i], p->t->v, 0);
    pool_run(p->t->threads, training_share_of(p->t, p->groups), group_run, p);
    if (holos_stop_asked(p->s.stop))
        return error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
    for (uint64_t i = 0; status == HOLOS_OK && i < p->groups; i++)
        if (p->statuses[i] != HOLOS_OK)
            status = error_set(err, p->statuses[i], HOLOS_NOWHERE, "no memory for games");
    return status;
}

/* What all ranks have found, to rank 0 in the order of the games. A rank that fails still takes or sends all. */
static holos_status groups_gather(playing *p, double seconds, holos_error *err)
{
    training *t = p->t;
    holos_status status = HOLOS_OK;
    holos_error own;
    for (uint64_t i = 0; t->cluster != NULL && i < p->groups; i++) {
        double spent = seconds; /* told once */
        holos_status passed = training_group_pass(t, i, &p->found[i], &p->results[i], &spent, &own);
        if (status == HOLOS_OK && passed != HOLOS_OK) {
            status = passed;
            *err = own;
        }
        if (training_rank_of(t, i) != holos_cluster_rank(t->cluster))
            t->elsewhere += holos_cluster_rank(t->cluster) == 0 ? spent : 0;
        else
            seconds = 0;
    }
    return cluster_agree(t->cluster, status, err);
}

/* Plays the games of an iteration, and adds their positions to the buffer in the order of the games. In a cluster, `status` is how
 * things went before. */
static holos_status games_play(training *t, const holos_stop *stop, progress *shown, training_row *row,
                               uint64_t *fresh, holos_status status, holos_error *err)
{
    uint64_t count = (uint64_t)t->settings.games, groups = (count + SELFPLAY_GAMES - 1) / SELFPLAY_GAMES;
    playing p = {.t = t, .first = t->games, .count = count, .groups = groups, .progress = shown};
    double begun = clock_cpu();
    p.s = (selfplay){.v = t->v,
                     .options = search_options(t),
                     .seed = t->seed,
                     .warm = (uint32_t)t->settings.warm,
                     .alpha = (float)t->reals.alpha,
                     .epsilon = (float)t->reals.epsilon,
                     .opening = (uint32_t)t->settings.opening,
                     .quick = (uint32_t)t->settings.quick,
                     .full_one_in = 4,
                     .stop = stop};
    p.found = calloc(groups, sizeof *p.found);
    p.results = calloc(groups, sizeof *p.results);
    p.statuses = calloc(groups, sizeof *p.statuses);
    if (status == HOLOS_OK)
        status = groups_play(&p, err);
    status = cluster_agree(t->cluster, status, err);
    if (status == HOLOS_OK)
        status = groups_gather(&p, clock_cpu() - begun, err);
    for (uint64_t i = 0; status == HOLOS_OK && i < groups; i++) {
        replay_add_all(&t->buffer, &p.found[i]);
        *fresh += p.found[i].count;
        row->plies += (double)p.results[i].plies / (double)count;
    }
    for (uint64_t i = 0; p.found != NULL && i < groups; i++)
        replay_free(&p.found[i]);
    free(p.found);
    free(p.results);
    free(p.statuses);
    return status;
}

/* ---- Steps ------------------------------------------------------------------------------------- */

static void steps_make(training *t, uint64_t fresh, const holos_stop *stop, training_row *row)
{
    const train_settings *s = &t->settings;
    rng random;
    rng_init(&random, t->seed, STREAM_BATCHES + t->iteration);
    row->rate = t->reals.rate * pow(0.5, (double)t->iteration / (double)s->rate_half);
    if (t->buffer.count < s->buffer_least || t->buffer.count == 0)
        return;
    uint64_t steps = (fresh * (uint64_t)s->reuse + (uint64_t)s->batch - 1) / (uint64_t)s->batch;
    net_batch batch = {
        .count = (size_t)s->batch, .planes = t->planes, .policy = t->policy, .values = t->values};
    for (uint64_t i = 0; i < steps && !holos_stop_asked(stop); i++) {
        replay_draw(&t->buffer, &random, batch.count, &t->net.at, t->planes, t->policy, t->values);
        net_loss loss = net_trainer_step(&t->trainer, &batch, row->rate);
        row->policy += loss.policy / (double)steps;
        row->value += loss.value / (double)steps;
        row->decay += loss.decay / (double)steps;
    }
}

/* Learns from the buffer, and from what the games of this iteration have added to it. */
static holos_status learn(training *t, uint64_t fresh, const holos_stop *stop, training_row *row,
                          holos_error *err)
{
    if (fresh == 0 && t->positions == 0)
        return error_set(
            err, HOLOS_USAGE, HOLOS_NOWHERE,
            "the games of %s have no positions to learn from; --exact-root %lld: the solver ends them at "
            "once?",
            t->v->name, (long long)t->settings.exact_root);
    steps_make(t, fresh, stop, row);
    return holos_stop_asked(stop) ? error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted")
                                  : HOLOS_OK;
}

/* ---- Ratings ----------------------------------------------------------------------------------- */

typedef struct rating {
    training *t;
    const holos_stop *stop;
    _Atomic int64_t halves; /* 2 for a win, 1 for a draw */
    _Atomic bool failed;
} rating;

static void pair_play(void *context, uint64_t index, unsigned worker)
{
    (void)worker;
    rating *r = context;
    training *t = r->t;
    index = training_mine(t, index);
    zeno_options o = search_options(t);
    zeno_thinker a = {0}, b = {0}, *players[2] = {&a, &b};
    duel_side sides[2] = {0};
    holos_error err;
    bool made = zeno_thinker_init(&a, t->v, &o, &t->model, t->seed, 0, &err) == HOLOS_OK &&
                zeno_thinker_init(&b, t->v, &o, &t->other, t->seed, 1, &err) == HOLOS_OK;
    for (int swapped = 0; made && swapped < 2; swapped++) {
        int score = 0;
        made = duel_play(t->v, players, RATING_PLIES, t->seed, STREAM_RATINGS + (t->iteration << 20) + index,
                         swapped != 0, (zeno_until){r->stop, CLOCK_NEVER}, sides, NULL, &score,
                         &err) == HOLOS_OK;
        r->halves += 1 + score;
    }
    if (!made)
        r->failed = true;
    zeno_thinker_free(&a);
    zeno_thinker_free(&b);
}

/* Elo by which a share of the points is better; shares near 0 and 1 say little. */
static double elo_of(double share)
{
    share = share < 0.02 ? 0.02 : share > 0.98 ? 0.98 : share;
    return 400 * log10(share / (1 - share));
}

static holos_status rate(training *t, const holos_stop *stop, training_row *row, holos_error *err)
{
    rating r = {.t = t, .stop = stop};
    uint64_t pairs = (uint64_t)t->settings.rating_pairs;
    double begun = clock_cpu();
    holos_status status = HOLOS_OK;
    net_model_set(&t->model, &t->net);
    net_model_set(&t->other, &t->rated);
    pool_run(t->threads, training_share_of(t, pairs), pair_play, &r);
    if (holos_stop_asked(stop))
        status = error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
    else if (r.failed)
        status = error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for a rating");
    status = cluster_agree(t->cluster, status, err);
    if (status != HOLOS_OK)
        return status;
    uint64_t halves = (uint64_t)r.halves;
    training_sum(t, &halves, clock_cpu() - begun);
    t->rating += elo_of((double)halves / (double)(4 * pairs));
    row->rating = t->rating;
    row->rated = true;
    memcpy(t->rated.parameters, t->net.parameters, t->net.at.parameters * sizeof(float));
    memcpy(t->rated.statistics, t->net.statistics, t->net.at.statistics * sizeof(float));
    return HOLOS_OK;
}

/* ---- Calibration ------------------------------------------------------------------------------- */

/* Thresholds for the search of the source document with this network; the weights do not depend on them. */
static holos_status calibrate(training *t, const holos_stop *stop, holos_error *err)
{
    uint64_t every = (uint64_t)t->settings.calibrate_every, seed = t->seed + t->iteration;
    zeno_options o = zeno_options_full(t->v);
    o.exact_tree = (uint32_t)t->settings.exact_tree;
    bool due = every > 0 && (t->iteration + 1) % every == 0;
    holos_status status = HOLOS_OK;
    t->calibrated = false;
    if (!due && t->reals.drift > 0 && t->calibration.positions > 0) {
        zeno_calibration now;
        net_model_set(&t->model, &t->net);
        status = zeno_calibrate(t->v, &o, &t->model, CALIBRATE_DRIFT, seed, (zeno_until){stop, CLOCK_NEVER},
                                &now, err);
        due = zeno_calibration_drift(&t->calibration, &now) > t->reals.drift;
    }
    if (status != HOLOS_OK || !due)
        return status;
    net_model_set(&t->model, &t->net);
    t->calibrated = true;
    return zeno_calibrate(t->v, &o, &t->model, CALIBRATE_POSITIONS, seed, (zeno_until){stop, CLOCK_NEVER},
                          &t->calibration, err);
}

/* ---- Iterations -------------------------------------------------------------------------------- */

holos_status training_iterate(training *t, const holos_stop *stop, progress *p, holos_error *err)
{
    training_row row = {.iteration = t->iteration + 1};
    uint64_t fresh = 0, every = (uint64_t)t->settings.rating_every;
    double begun = clock_cpu();
    holos_status status = HOLOS_OK;
    t->elsewhere = 0;
    if (!LIST_RESERVE(t->rows, t->row_room, t->row_count + 1))
        status = error_system(err, "a training");
    net_model_set(&t->model, &t->net);
    status = games_play(t, stop, p, &row, &fresh, status, err);
    if (status == HOLOS_OK && holos_cluster_rank(t->cluster) == 0)
        status = learn(t, fresh, stop, &row, err);
    status = cluster_agree(t->cluster, status, err);
    if (status != HOLOS_OK)
        return status;
    training_share_weights(t);
    if (every > 0 && (t->iteration + 1) % every == 0)
        status = rate(t, stop, &row, err);
    if (status == HOLOS_OK && holos_cluster_rank(t->cluster) == 0)
        status = calibrate(t, stop, err);
    if (status != HOLOS_OK)
        return status;
    t->iteration++;
    t->games += (uint64_t)t->settings.games;
    t->positions += fresh;
    row.games = t->games;
    row.positions = t->positions;
    row.steps = t->trainer.steps;
    row.seconds = clock_cpu() - begun + t->elsewhere;
    t->rows[t->row_count++] = row;
    return HOLOS_OK;
}
