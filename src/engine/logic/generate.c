/* SPDX-License-Identifier: MIT */

/* Puzzles of a wanted difficulty: the game makes puzzles by number, threads rate them in blocks, and those that will do
 * are handed out in the order of their numbers; so the result does not depend on who did what. */

#include "core/pool.h"
#include "engine/engine.h"
#include "engine/logic/logic.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_MOST   256 /* puzzles that a thread makes at once */
#define BLOCK_GRADED 16

typedef struct block {
    holos_logic *logic; /* opened with the first puzzle */
    holos_position *puzzles;
    holos_rating *ratings;
    bool *fits;
    uint64_t first;
    struct limits limits;
    size_t made;         /* the first ones; fewer than all where something ended the work */
    holos_status status; /* why */
    holos_error error;
} block;

struct holos_generator {
    const holos_variant *v;
    holos_puzzle_request request;
    void *settings;       /* of the game's own options; may be NULL */
    struct limits limits; /* of all puzzles; each block has its share */
    bool any;             /* whatever its difficulty */
    bool by_level;
    holos_level level;
    size_t technique;
    pool *pool;
    block *blocks;
    unsigned block_count;
    size_t block_size;
    uint64_t next_number; /* of the puzzles not yet made */
    unsigned at_block;
    size_t at_puzzle; /* where the next one to hand out may be */
};

/* ---- Opening ----------------------------------------------------------------------------------- */

/* Reads the game's own options. */
static holos_status read_settings(holos_generator *g, const holos_settings *settings, holos_error *err)
{
    const holos_game *game = g->v->game;
    const holos_game_options *own = game_options(game, HOLOS_USE_GENERATE, NULL);
    holos_option_group party = {.owner = game->name, .options = own != NULL ? own->options : NULL};
    char what[80];
    text t;
    text_init_fixed(&t, what, sizeof what);
    text_printf(&t, "making puzzles of %s", g->v->name);
    holos_status status = settings_check(settings, &party, 1, generate_option_group_at, what, err);
    if (status == HOLOS_OK)
        status = game_settings_new(own, settings, &g->settings, err);
    g->request.settings = g->settings;
    return status != HOLOS_OK || game->puzzle->check == NULL ? status
                                                             : game->puzzle->check(g->v, &g->request, err);
}

static holos_status read_difficulty(holos_generator *g, const char *name, holos_error *err)
{
    g->any = name == NULL;
    if (g->any)
        return HOLOS_OK;
    g->by_level = holos_level_find(name, &g->level);
    g->technique = holos_technique_find(g->v->game, name);
    if (g->v->game->deduction == NULL)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "puzzles of %s cannot be rated", g->v->name);
    if (g->by_level || g->technique != SIZE_MAX) {
        g->request.has_level = true;
        g->request.level = g->by_level ? g->level : g->v->game->deduction->techniques[g->technique].level;
        return HOLOS_OK;
    }
    return error_set(
        err, HOLOS_USAGE, HOLOS_NOWHERE,
        "unknown difficulty \"%s\"; use easy, medium, hard, unfair, extreme, or one of the techniques "
        "that `holos rate --techniques` lists",
        name);
}

/* Of a difficulty about one in BLOCK_GRADED fits; where few are wanted, smaller blocks waste less. */
static size_t block_size(const holos_generator *g, uint64_t expected)
{
    uint64_t share = expected / g->block_count + 1;
    if (!g->any)
        share = share < BLOCK_MOST ? share * BLOCK_GRADED : BLOCK_MOST;
    return expected > 0 && share < BLOCK_MOST ? (size_t)share : BLOCK_MOST;
}

static holos_status blocks_open(holos_generator *g, holos_error *err)
{
    g->blocks = calloc(g->block_count, sizeof *g->blocks);
    for (unsigned i = 0; g->blocks != NULL && i < g->block_count; i++) {
        block *b = &g->blocks[i];
        b->puzzles = aligned_alloc(16, g->block_size * g->v->position_size);
        b->ratings = calloc(g->block_size, sizeof *b->ratings);
        b->fits = calloc(g->block_size, sizeof *b->fits);
        if (b->puzzles == NULL || b->ratings == NULL || b->fits == NULL)
            return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for puzzles");
    }
    return g->blocks != NULL ? HOLOS_OK : error_system(err, "puzzles");
}

holos_status holos_generator_open(const holos_variant *v, const holos_generator_options *options,
                                  holos_generator **out, holos_error *err)
{
    static const holos_generator_options none;
    if (v == NULL || out == NULL)
        return error_null(err, __func__);
    if (options == NULL)
        options = &none;
    *out = NULL;
    if (v->game->puzzle == NULL || v->game->puzzle->generate == NULL)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "%s has no puzzles to generate", v->name);
    holos_generator *g = calloc(1, sizeof *g);
    if (g == NULL)
        return error_system(err, "puzzles");
    g->v = v;
    g->request = (holos_puzzle_request){.seed = options->seed, .minimal = options->minimal};
    limits_begin(&g->limits, &options->limits, NULL);
    holos_status status = read_settings(g, options->settings, err);
    if (status == HOLOS_OK)
        status = read_difficulty(g, options->difficulty, err);
    if (status == HOLOS_OK)
        status = pool_open(options->threads == 0 ? 1 : options->threads, &g->pool, err);
    if (status == HOLOS_OK) {
        g->block_count = pool_threads(g->pool);
        g->block_size = block_size(g, options->expected);
        g->at_block = g->block_count; /* nothing is made yet */
        status = blocks_open(g, err);
    }
    if (status != HOLOS_OK) {
        holos_generator_close(g);
        return status;
    }
    *out = g;
    return HOLOS_OK;
}

void holos_generator_close(holos_generator *g)
{
    if (g == NULL)
        return;
    for (unsigned i = 0; g->blocks != NULL && i < g->block_count; i++) {
        holos_logic_close(g->blocks[i].logic);
        free(g->blocks[i].puzzles);
        free(g->blocks[i].ratings);
        free(g->blocks[i].fits);
    }
    free(g->blocks);
    free(g->settings);
    pool_close(g->pool);
    free(g);
}

/* ---- Making ------------------------------------------------------------------------------------ */

static bool fits(const holos_generator *g, const holos_rating *rating)
{
    if (!rating->solved)
        return false;
    if (g->by_level)
        return rating->level == g->level;
    return rating->hardest == &g->v->game->deduction->techniques[g->technique];
}

/* Within the limits of the block. */
static holos_status rate(holos_generator *g, block *b, const holos_position *p, holos_rating *out)
{
    holos_status status = b->logic == NULL ? logic_open_within(g->v, p, &b->limits, &b->logic, &b->error)
                                           : holos_logic_restart(b->logic, p, &b->error);
    if (status == HOLOS_OK && holos_logic_rate(b->logic, out) != HOLOS_OK)
        status = holos_logic_status(b->logic, &b->error);
    return status;
}

static void block_make(void *context, uint64_t index, unsigned worker)
{
    (void)worker;
    holos_generator *g = context;
    block *b = &g->blocks[index];
    size_t made = 0;
    b->made = 0;
    b->status = g->v->game->puzzle->generate(g->v, &g->request, b->first, g->block_size, &b->limits,
                                             b->puzzles, &made, &b->error);
    for (; b->made < made; b->made++) {
        size_t i = b->made;
        b->fits[i] = g->any;
        if (g->any)
            continue;
        holos_status status = rate(g, b, position_at(g->v, b->puzzles, i), &b->ratings[i]);
        if (status != HOLOS_OK) {
            b->status = status;
            return;
        }
        b->fits[i] = fits(g, &b->ratings[i]);
    }
}

static void make_more(holos_generator *g)
{
    for (unsigned i = 0; i < g->block_count; i++) {
        block *b = &g->blocks[i];
        b->first = g->next_number;
        b->limits = limits_share(&g->limits, limits_nodes_left(&g->limits));
        g->next_number += g->block_size;
    }
    pool_run(g->pool, g->block_count, block_make, g);
    for (unsigned i = 0; i < g->block_count; i++)
        g->limits.nodes += g->blocks[i].limits.nodes;
    g->at_block = 0;
    g->at_puzzle = 0;
}

/* The next puzzle of what was made that will do. NULL: there are no more, and *status says whether more can be made. */
static block *puzzle_next(holos_generator *g, holos_status *status, holos_error *err)
{
    *status = HOLOS_OK;
    for (; g->at_block < g->block_count; g->at_block++, g->at_puzzle = 0) {
        block *b = &g->blocks[g->at_block];
        while (g->at_puzzle < b->made && !b->fits[g->at_puzzle])
            g->at_puzzle++;
        if (g->at_puzzle < b->made)
            return b;
        *status = b->status;
        if (b->status != HOLOS_OK) {
            if (err != NULL)
                *err = b->error;
            return NULL;
        }
    }
    return NULL;
}

static holos_status stop_status(const holos_generator *g, holos_error *err)
{
    return limits_error(&g->limits, "guesses, looking for a puzzle that fits", err);
}

static holos_status puzzle_take(holos_generator *g, block *b, holos_position *out, holos_rating *rating,
                                holos_error *err)
{
    size_t found = g->at_puzzle++;
    memcpy(out, position_at(g->v, b->puzzles, found), g->v->position_size);
    if (rating != NULL && g->any && g->v->game->deduction != NULL) {
        holos_status status = rate(g, b, out, &b->ratings[found]);
        if (status != HOLOS_OK) {
            if (err != NULL)
                *err = b->error;
            return status;
        }
    }
    if (rating != NULL)
        *rating = b->ratings[found];
    return HOLOS_OK;
}

holos_status holos_generator_next(holos_generator *g, holos_position *out, holos_rating *rating,
                                  holos_error *err)
{
    if (g == NULL || out == NULL)
        return error_null(err, __func__);
    for (;;) {
        holos_status status;
        block *b = puzzle_next(g, &status, err);
        if (b != NULL)
            return puzzle_take(g, b, out, rating, err);
        if (status != HOLOS_OK)
            return status;
        if (!limits_check(&g->limits))
            return stop_status(g, err);
        make_more(g);
    }
}
