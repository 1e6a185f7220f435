/* SPDX-License-Identifier: MIT */

/* Puzzles of a wanted difficulty: the game makes puzzles by number, threads rate them in blocks, and those that will do
 * are handed out in the order of their numbers; so the result does not depend on who did what. */

#include "core/clock.h"
#include "core/pool.h"
#include "game/game.h"

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
    holos_status status;
    holos_error error;
} block;

struct holos_generator {
    const holos_variant *v;
    holos_puzzle_request request;
    holos_limits limits;
    bool any; /* whatever its difficulty */
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
    double deadline;
};

static const char *name_at(const char *const *names, size_t index)
{
    for (size_t i = 0; names != NULL && i < index; i++)
        if (names[i] == NULL)
            return NULL;
    return names != NULL ? names[index] : NULL;
}

const char *holos_symmetry_at(const holos_game *game, size_t index)
{
    return game->puzzle != NULL ? name_at(game->puzzle->symmetries, index) : NULL;
}

const char *holos_shape_at(const holos_game *game, size_t index)
{
    return game->puzzle != NULL ? name_at(game->puzzle->shapes, index) : NULL;
}

/* ---- Opening ----------------------------------------------------------------------------------- */

/* The index of a name among those that there are; of NULL, 0. */
static holos_status read_name(const char *const *names, const char *what, const char *name, unsigned *out,
                              holos_error *err)
{
    char list[160];
    text t;
    text_init_fixed(&t, list, sizeof list);
    const char *known;
    *out = 0;
    for (unsigned i = 0; name != NULL && (known = name_at(names, i)) != NULL; i++) {
        if (strcmp(name, known) == 0) {
            *out = i;
            return HOLOS_OK;
        }
        text_printf(&t, "%s%s", i > 0 ? ", " : "", known);
    }
    if (name == NULL)
        return HOLOS_OK;
    return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "there is no %s \"%s\"; there are: %s", what, name,
                     list);
}

static holos_status read_board(holos_generator *g, const holos_generator_options *options, holos_error *err)
{
    const holos_puzzle *puzzle = g->v->game->puzzle;
    bool asked = options->rows != 0 || options->columns != 0 || options->shape != NULL || options->holes != 0;
    if (puzzle->shapes == NULL && asked)
        return error_set(
            err, HOLOS_USAGE, HOLOS_NOWHERE,
            "boards of %s have no size, shape or holes to choose: its variant says what they are like",
            g->v->name);
    holos_status status = read_name(puzzle->shapes, "shape", options->shape, &g->request.shape, err);
    return status != HOLOS_OK || puzzle->check == NULL ? status : puzzle->check(g->v, &g->request, err);
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
        "there is no difficulty \"%s\"; there are easy, medium, hard, unfair, extreme, and the techniques "
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
    *out = NULL;
    if (v->game->puzzle == NULL || v->game->puzzle->generate == NULL)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "there is no way to make puzzles of %s",
                         v->name);
    holos_generator *g = calloc(1, sizeof *g);
    if (g == NULL)
        return error_system(err, "puzzles");
    g->v = v;
    g->request = (holos_puzzle_request){.seed = options->seed,
                                        .minimal = options->minimal,
                                        .rows = options->rows,
                                        .columns = options->columns,
                                        .holes = options->holes};
    g->limits = options->limits;
    g->deadline = deadline_after(g->limits.seconds);
    holos_status status =
        read_name(v->game->puzzle->symmetries, "symmetry", options->symmetry, &g->request.symmetry, err);
    if (status == HOLOS_OK)
        status = read_board(g, options, err);
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
    pool_close(g->pool);
    free(g);
}

/* ---- Making ------------------------------------------------------------------------------------ */

static bool must_stop(const holos_generator *g)
{
    return stop_asked(g->limits.stop) || deadline_passed(g->deadline);
}

static bool fits(const holos_generator *g, const holos_rating *rating)
{
    if (!rating->solved)
        return false;
    if (g->by_level)
        return rating->level == g->level;
    return rating->hardest == &g->v->game->deduction->techniques[g->technique];
}

static holos_status rate(holos_generator *g, block *b, const holos_position *p, holos_rating *out)
{
    holos_status status = b->logic == NULL ? holos_logic_open(g->v, p, NULL, &b->logic, &b->error)
                                           : holos_logic_restart(b->logic, p, &b->error);
    if (status == HOLOS_OK)
        holos_logic_rate(b->logic, out);
    return status;
}

static void block_make(void *context, uint64_t index, unsigned worker)
{
    (void)worker;
    holos_generator *g = context;
    block *b = &g->blocks[index];
    b->status =
        g->v->game->puzzle->generate(g->v, &g->request, b->first, g->block_size, b->puzzles, &b->error);
    for (size_t i = 0; i < g->block_size && b->status == HOLOS_OK; i++) {
        b->fits[i] = g->any;
        if (g->any)
            continue;
        if (must_stop(g))
            return;
        b->status = rate(g, b, position_at(g->v, b->puzzles, i), &b->ratings[i]);
        b->fits[i] = b->status == HOLOS_OK && fits(g, &b->ratings[i]);
    }
}

static holos_status make_more(holos_generator *g, holos_error *err)
{
    for (unsigned i = 0; i < g->block_count; i++) {
        memset(g->blocks[i].fits, 0, g->block_size * sizeof *g->blocks[i].fits);
        g->blocks[i].first = g->next_number;
        g->next_number += g->block_size;
    }
    pool_run(g->pool, g->block_count, block_make, g);
    g->at_block = 0;
    g->at_puzzle = 0;
    for (unsigned i = 0; i < g->block_count; i++) {
        if (g->blocks[i].status != HOLOS_OK) {
            if (err != NULL)
                *err = g->blocks[i].error;
            return g->blocks[i].status;
        }
    }
    return HOLOS_OK;
}

static holos_status stop_status(const holos_generator *g, holos_error *err)
{
    bool asked = stop_asked(g->limits.stop);
    return error_set(err, asked ? HOLOS_INTERRUPTED : HOLOS_LIMIT, HOLOS_NOWHERE,
                     "stopped by %s after %llu puzzles, looking for one that fits",
                     asked ? "the request to stop" : "the limit of time", (unsigned long long)g->next_number);
}

holos_status holos_generator_next(holos_generator *g, holos_position *out, holos_rating *rating,
                                  holos_error *err)
{
    for (;;) {
        for (; g->at_block < g->block_count; g->at_block++, g->at_puzzle = 0) {
            block *b = &g->blocks[g->at_block];
            while (g->at_puzzle < g->block_size && !b->fits[g->at_puzzle])
                g->at_puzzle++;
            if (g->at_puzzle == g->block_size)
                continue;
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
        if (must_stop(g))
            return stop_status(g, err);
        holos_status status = make_more(g, err);
        if (status != HOLOS_OK)
            return status;
    }
}
