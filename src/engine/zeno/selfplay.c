/* SPDX-License-Identifier: MIT */

#include "engine/zeno/selfplay.h"

#include "core/clock.h"
#include "core/list.h"

#include <stdlib.h>

/* ---- One game ---------------------------------------------------------------------------------- */

typedef struct game {
    zeno_search search;
    holos_position *position;
    rng random;
    uint32_t ply;
    bool over, full; /* this search is learned from */
    int result;      /* 1, 0, -1 for side 0 */
    /* Samples so far. */
    unsigned char *positions;
    unsigned *sides;
    uint32_t *counts, *moves;
    float *shares;
    size_t samples, position_room, side_room, count_room, move_count, move_room, share_room;
} game;

typedef struct group {
    const selfplay *s;
    game games[SELFPLAY_GAMES];
    uint32_t count;
    zeno_exact exact;
    net_room room;
    net_cache said;
    float *planes, *logits, *values;
    selfplay_result *out;
    bool out_of_memory;
} group;

/* Ends a game whose outcome for the side to move is known. */
static void game_end(group *g, game *a, float value)
{
    unsigned side = g->s->v->game->side(g->s->v, a->position);
    a->over = true;
    a->result = (int)value * (side == 0 ? 1 : -1);
    g->out->games++;
    g->out->plies += a->ply;
    g->out->first_wins += a->result > 0;
    g->out->draws += a->result == 0;
    g->out->second_wins += a->result < 0;
}

/* Whether the rules end it. */
static bool game_is_over(group *g, game *a)
{
    int32_t score;
    float value;
    if (!g->s->v->game->terminal(g->s->v, a->position, &score))
        return false;
    score += game_banked(g->s->v, a->position);
    zeno_says(score, score, &value);
    game_end(g, a, value);
    return true;
}

static void search_begin(group *g, game *a)
{
    const selfplay *s = g->s;
    bool warm = a->ply < s->warm;
    a->full = s->quick == 0 || rng_below(&a->random, s->full_one_in) == 0;
    zeno_request r = {.simulations = a->full ? 0 : s->quick,
                      .alpha = s->alpha,
                      .epsilon = a->full && warm ? s->epsilon : 0,
                      .temperature = warm ? 1 : 0,
                      .noise = warm,
                      .stop = s->stop,
                      .deadline = CLOCK_NEVER};
    zeno_search_begin(&a->search, a->position, &r);
}

/* Random moves from the start. */
static void opening_play(group *g, game *a)
{
    const holos_variant *v = g->s->v;
    uint32_t plies = g->s->opening > 0 ? (uint32_t)rng_below(&a->random, g->s->opening + 1) : 0;
    v->game->start(v, a->position);
    for (uint32_t i = 0; i < plies; i++, a->ply++) {
        uint32_t count = game_edges(v, a->position, a->search.edges);
        if (count == 0)
            break;
        v->game->play(v, a->position, a->search.edges[rng_below(&a->random, count)].move, a->position);
    }
    if (!game_is_over(g, a))
        search_begin(g, a);
}

static bool sample_keep(group *g, game *a, const float *shares)
{
    const holos_variant *v = g->s->v;
    const zeno_node *root = &a->search.tree.nodes[0];
    uint32_t count = 0;
    if (!LIST_RESERVE(a->positions, a->position_room, (a->samples + 1) * v->position_size) ||
        !LIST_RESERVE(a->sides, a->side_room, a->samples + 1) ||
        !LIST_RESERVE(a->counts, a->count_room, a->samples + 1) ||
        !LIST_RESERVE(a->moves, a->move_room, a->move_count + root->count) ||
        !LIST_RESERVE(a->shares, a->share_room, a->move_count + root->count))
        return false;
    for (uint32_t i = 0; i < root->count; i++)
        if (shares[i] > 0) {
            a->moves[a->move_count + count] =
                v->game->net->policy(v, a->position, a->search.tree.edges[root->first + i].move);
            a->shares[a->move_count + count++] = shares[i];
        }
    memcpy(a->positions + a->samples * v->position_size, a->position, v->position_size);
    a->sides[a->samples] = v->game->side(v, a->position);
    a->counts[a->samples++] = count;
    a->move_count += count;
    return true;
}

/* A search is over: its position is a sample, its move is played. */
static void move_make(group *g, game *a)
{
    float shares[ZENO_EDGES_MAX], value;
    const holos_variant *v = g->s->v;
    if (a->search.settled) { /* the solver knows the outcome: nobody needs to play it */
        zeno_says(a->search.tree.nodes[0].lo, a->search.tree.nodes[0].hi, &value);
        game_end(g, a, value);
        return;
    }
    zeno_result r = zeno_search_result(&a->search, shares);
    g->out->simulations += r.simulations;
    g->out->evaluations += r.evaluations;
    bool single = a->search.tree.nodes[0].count == 1; /* nothing to learn about moves, but about the value */
    if (a->full && !r.tactical && !single && !sample_keep(g, a, shares))
        g->out_of_memory = true;
    if (zeno_says(r.lo, r.hi, &value)) {
        game_end(g, a, value);
        return;
    }
    v->game->play(v, a->position, r.move, a->position);
    a->ply++;
    if (!game_is_over(g, a))
        search_begin(g, a);
}

/* Goes on until the game needs an evaluation or is over. True: a leaf is in `planes`. */
static bool game_advance(group *g, game *a, float *planes)
{
    while (!a->over) {
        switch (zeno_search_next(&a->search, planes)) {
        case ZENO_LEAF:
            return true;
        case ZENO_DONE:
            if (holos_stop_asked(g->s->stop))
                return false;
            move_make(g, a);
            break;
        case ZENO_BUSY: /* cannot be: it has one leaf at a time, and that was answered */
        case ZENO_NO_MEMORY:
            g->out_of_memory = true;
            return false;
        }
    }
    return false;
}

/* ---- A group of games -------------------------------------------------------------------------- */

static holos_status group_open(group *g, const selfplay *s, const net_model *model, uint64_t first,
                               uint32_t count, selfplay_result *out, holos_error *err)
{
    size_t pixels = (size_t)model->shape.height * model->shape.width;
    zeno_options options = s->options;
    options.leaves = 1;
    options.reuse = false;
    *g = (group){.s = s, .count = count, .out = out};
    holos_status status = zeno_exact_open(&g->exact, s->v, (size_t)8 << 20, err);
    if (status == HOLOS_OK)
        status = net_room_init(&g->room, &model->shape, err);
    if (status == HOLOS_OK)
        status = net_cache_init(&g->said, model, SELFPLAY_CACHE, err);
    for (uint32_t i = 0; status == HOLOS_OK && i < count; i++) {
        status =
            zeno_search_init(&g->games[i].search, s->v, &options, &g->exact, s->seed, 2 * (first + i), err);
        rng_init(&g->games[i].random, s->seed, 2 * (first + i) + 1);
        g->games[i].position = holos_position_new(s->v);
        g->out_of_memory |= g->games[i].position == NULL;
    }
    g->planes = calloc(count * pixels * model->at.planes + 1, sizeof *g->planes);
    g->logits = calloc(count * model->at.logits + 1, sizeof *g->logits);
    g->values = calloc(count + 1, sizeof *g->values);
    if (status == HOLOS_OK &&
        (g->planes == NULL || g->logits == NULL || g->values == NULL || g->out_of_memory))
        status = error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for games");
    return status;
}

static void group_close(group *g)
{
    for (uint32_t i = 0; i < g->count; i++) {
        game *a = &g->games[i];
        if (a->search.v != NULL)
            zeno_search_free(&a->search);
        holos_position_free(a->position);
        free(a->positions);
        free(a->sides);
        free(a->counts);
        free(a->moves);
        free(a->shares);
    }
    if (g->exact.v != NULL)
        zeno_exact_close(&g->exact);
    net_room_free(&g->room);
    net_cache_free(&g->said);
    free(g->planes);
    free(g->logits);
    free(g->values);
}

static void group_play(group *g, const net_model *model)
{
    size_t board = (size_t)model->shape.height * model->shape.width * model->at.planes;
    for (uint32_t i = 0; i < g->count; i++)
        opening_play(g, &g->games[i]);
    while (!g->out_of_memory && !holos_stop_asked(g->s->stop)) {
        game *asking[SELFPLAY_GAMES] = {NULL};
        uint32_t count = 0;
        for (uint32_t i = 0; i < g->count; i++)
            if (game_advance(g, &g->games[i], g->planes + count * board))
                asking[count++] = &g->games[i];
        if (count == 0)
            return;
        net_cache_evaluate(&g->said, model, &g->room, count, g->planes, g->logits, g->values);
        for (uint32_t i = 0; i < count; i++)
            zeno_search_feed(&asking[i]->search, g->logits + i * model->at.logits, g->values + i);
    }
}

static void game_hand_over(const group *g, const game *a,
                           void (*take)(void *context, const zeno_sample *sample), void *context)
{
    size_t moves = 0;
    for (size_t i = 0; i < a->samples; moves += a->counts[i++]) {
        zeno_sample sample = {.value = (float)(a->sides[i] == 0 ? a->result : -a->result),
                              .count = a->counts[i],
                              .position = (const holos_position *)(a->positions + i * g->s->v->position_size),
                              .moves = a->moves + moves,
                              .shares = a->shares + moves};
        take(context, &sample);
    }
}

holos_status selfplay_run(const selfplay *s, const net_model *model, uint64_t first, uint32_t count,
                          void (*take)(void *context, const zeno_sample *sample), void *context,
                          selfplay_result *out, holos_error *err)
{
    *out = (selfplay_result){0};
    group *g = calloc(1, sizeof *g);
    if (g == NULL)
        return error_system(err, "games");
    holos_status status = group_open(g, s, model, first, count, out, err);
    if (status == HOLOS_OK) {
        group_play(g, model);
        out->stopped = holos_stop_asked(s->stop);
        if (g->out_of_memory)
            status = error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for games");
    }
    for (uint32_t i = 0; status == HOLOS_OK && !out->stopped && i < count; i++)
        game_hand_over(g, &g->games[i], take, context);
    group_close(g);
    free(g);
    return status;
}
