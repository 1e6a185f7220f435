/* SPDX-License-Identifier: MIT */

#include "session/plies.h"

#include "core/clock.h"
#include "core/table.h"

#include <stdlib.h>

/* Positions of one job, and between two looks at the stop flag. */
#define CHUNK 65536

holos_status plies_supports(const holos_variant *v, holos_error *err)
{
    const holos_game *game = v->game;
    const char *missing = (game->traits & HOLOS_TRAIT_CYCLIC) != 0 ? "its positions can repeat"
                          : game->start == NULL                    ? "it has no start position"
                          : game->from_key == NULL ? "its keys cannot be turned back into positions"
                          : v->score_min < -127 || v->score_max > 127 ? "its scores do not fit in a byte"
                                                                      : NULL;
    if (missing == NULL)
        return HOLOS_OK;
    return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "there is no book of %s: %s", v->name, missing);
}

static holos_status check_stop(const plies_task *task, holos_error *err)
{
    if (!holos_stop_asked(task->stop))
        return HOLOS_OK;
    return error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
}

/* ---- Reaching ---------------------------------------------------------------------------------- */

static int key_compare(const void *a, const void *b)
{
    const holos_key *x = a, *y = b;
    return holos_key_less(*x, *y) ? -1 : holos_key_less(*y, *x);
}

/* All keys of a set, in order, as a new ply. */
static holos_status ply_from_set(book *b, const table *set, holos_error *err)
{
    book_ply *ply = book_add(b, set->count);
    if (ply == NULL)
        return mem_error(err, b->budget, set->count * (sizeof(holos_key) + 1), "a ply of the game");
    uint64_t count = 0;
    void *payload;
    for (size_t i = 0; table_next(set, &i, &ply->keys[count], &payload);)
        if (++count == ply->count)
            break;
    qsort(ply->keys, ply->count, sizeof *ply->keys, key_compare);
    return HOLOS_OK;
}

typedef struct scratch {
    holos_position *here;
    holos_edge *edges;
    holos_key *keys;
} scratch;

static void scratch_free(scratch *s)
{
    holos_position_free(s->here);
    free(s->edges);
    free(s->keys);
}

static bool scratch_init(scratch *s, const holos_variant *v)
{
    *s = (scratch){.here = holos_position_new(v),
                   .edges = calloc(v->max_successors, sizeof *s->edges),
                   .keys = calloc(v->max_successors, sizeof *s->keys)};
    return s->here != NULL && s->edges != NULL && s->keys != NULL;
}

/* Adds the successors of all positions of a ply to `next`, and the values of those that are over to it. */
static holos_status ply_expand(const plies_task *task, book_ply *ply, scratch *s, table *next,
                               holos_error *err)
{
    const holos_variant *v = task->v;
    for (uint64_t i = 0; i < ply->count; i++) {
        bool fresh;
        if (i % CHUNK == 0 && check_stop(task, err) != HOLOS_OK)
            return HOLOS_INTERRUPTED;
        v->game->from_key(v, ply->keys[i], s->here);
        uint32_t count = v->game->expand(v, s->here, (holos_edges){.keys = s->keys});
        for (uint32_t j = 0; j < count; j++)
            if (table_insert(next, s->keys[j], &fresh) == NULL)
                return mem_error(err, next->budget, 2 * next->count * next->slot_size, "a ply of the game");
    }
    progress_add(task->progress, ply->count);
    return HOLOS_OK;
}

static holos_status ply_values(const plies_task *task, book_ply *ply, scratch *s, holos_error *err)
{
    const holos_variant *v = task->v;
    int32_t score;
    for (uint64_t i = 0; i < ply->count; i++) {
        if (i % CHUNK == 0 && check_stop(task, err) != HOLOS_OK)
            return HOLOS_INTERRUPTED;
        v->game->from_key(v, ply->keys[i], s->here);
        if (v->game->terminal(v, s->here, &score))
            ply->values[i] = (uint8_t)(HOLOS_BYTE_ZERO + score);
    }
    return HOLOS_OK;
}

static holos_status ply_first(book *b, const holos_variant *v, scratch *s, holos_error *err)
{
    book_ply *ply = book_add(b, 1);
    if (ply == NULL)
        return error_system(err, "the book");
    v->game->start(v, s->here);
    ply->keys[0] = v->game->key(v, s->here);
    return HOLOS_OK;
}

static holos_status ply_next(const plies_task *task, book *b, scratch *s, bool *more, holos_error *err)
{
    table next;
    book_ply *last = &b->plies[b->count - 1];
    holos_status status = table_init(&next, b->budget, 0, 2 * last->count, err);
    if (status != HOLOS_OK)
        return status;
    status = ply_expand(task, last, s, &next, err);
    *more = next.count > 0;
    if (status == HOLOS_OK && *more)
        status = ply_from_set(b, &next, err);
    table_free(&next);
    return status;
}

holos_status plies_reach(const plies_task *task, uint32_t depth, book *b, holos_error *err)
{
    scratch s;
    bool more = true;
    holos_status status = plies_supports(task->v, err);
    if (status != HOLOS_OK)
        return status;
    status = scratch_init(&s, task->v) ? ply_first(b, task->v, &s, err) : error_system(err, "the book");
    progress_begin(task->progress, "reach", "positions", 0);
    while (status == HOLOS_OK && more && b->count <= depth)
        status = ply_next(task, b, &s, &more, err);
    for (uint32_t i = 0; status == HOLOS_OK && i < b->count; i++)
        status = ply_values(task, &b->plies[i], &s, err);
    progress_end(task->progress);
    scratch_free(&s);
    return status;
}

/* ---- Deriving ---------------------------------------------------------------------------------- */

typedef struct derivation {
    const plies_task *task;
    book_ply *ply;
    table next; /* of the ply below: key to value */
    scratch *workers;
} derivation;

static void derive_chunk(void *context, uint64_t number, unsigned worker)
{
    derivation *d = context;
    const holos_variant *v = d->task->v;
    scratch *s = &d->workers[worker];
    uint64_t end = (number + 1) * CHUNK < d->ply->count ? (number + 1) * CHUNK : d->ply->count;
    if (check_stop(d->task, NULL) != HOLOS_OK)
        return;
    for (uint64_t i = number * CHUNK; i < end; i++) {
        if (d->ply->values[i] != HOLOS_BYTE_UNKNOWN)
            continue;
        v->game->from_key(v, d->ply->keys[i], s->here);
        uint32_t count =
            v->game->expand(v, s->here, (holos_edges){.edges = s->edges, .keys = s->keys, .bare = true});
        int32_t best = INT32_MIN;
        for (uint32_t j = 0; j < count; j++) {
            const uint8_t *child = table_find(&d->next, s->keys[j]);
            int32_t score = edge_score(s->edges[j], *child - HOLOS_BYTE_ZERO);
            best = score > best ? score : best;
        }
        d->ply->values[i] = (uint8_t)(HOLOS_BYTE_ZERO + best);
    }
    progress_add(d->task->progress, end - number * CHUNK);
}

static holos_status values_table(const book *b, const book_ply *ply, table *out, holos_error *err)
{
    holos_status status = table_init(out, b->budget, 1, ply->count, err);
    for (uint64_t i = 0; status == HOLOS_OK && i < ply->count; i++) {
        bool fresh;
        uint8_t *value = table_insert(out, ply->keys[i], &fresh);
        if (value != NULL)
            *value = ply->values[i];
        else
            status = mem_error(err, b->budget, ply->count * out->slot_size, "the values of a ply");
    }
    return status;
}

static holos_status ply_derive(derivation *d, const book *b, uint32_t number, holos_error *err)
{
    holos_status status = values_table(b, &b->plies[number + 1], &d->next, err);
    if (status != HOLOS_OK)
        return status;
    d->ply = &b->plies[number];
    pool_run(d->task->threads, (d->ply->count + CHUNK - 1) / CHUNK, derive_chunk, d);
    table_free(&d->next);
    return check_stop(d->task, err);
}

holos_status plies_derive(const plies_task *task, book *b, holos_error *err)
{
    unsigned threads = pool_threads(task->threads), ready = 0;
    derivation d = {.task = task, .workers = calloc(threads, sizeof *d.workers)};
    while (d.workers != NULL && ready < threads && scratch_init(&d.workers[ready], task->v))
        ready++;
    holos_status status = ready == threads ? HOLOS_OK : error_system(err, "the book");
    progress_begin(task->progress, "derive", "positions", book_positions(b) - b->plies[b->count - 1].count);
    for (uint32_t i = b->count - 1; status == HOLOS_OK && i-- > 0;)
        status = ply_derive(&d, b, i, err);
    progress_end(task->progress);
    for (unsigned i = 0; d.workers != NULL && i < threads; i++)
        scratch_free(&d.workers[i]);
    free(d.workers);
    return status;
}
