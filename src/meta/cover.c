/* SPDX-License-Identifier: MIT */

#include "meta/cover.h"

#include "core/list.h"
#include "core/table.h"
#include "engine/wave/wave.h"

#include <stdlib.h>

void cover_free(cover *c)
{
    free(c->keys);
    *c = (cover){0};
}

static bool key_add(cover *c, holos_key key)
{
    if (!LIST_RESERVE(c->keys, c->room, c->count + 1))
        return false;
    c->keys[c->count++] = key;
    return true;
}

static int key_compare(const void *a, const void *b)
{
    const holos_key *x = a, *y = b;
    return holos_key_less(*x, *y) ? -1 : holos_key_less(*y, *x);
}

uint64_t cover_common(const cover *a, const cover *b)
{
    uint64_t common = 0;
    for (size_t i = 0, k = 0; i < a->count && k < b->count;) {
        if (holos_key_equal(a->keys[i], b->keys[k]))
            common++, i++, k++;
        else if (holos_key_less(a->keys[i], b->keys[k]))
            i++;
        else
            k++;
    }
    return common;
}

/* ---- Forward: a wave of the mode --------------------------------------------------------------- */

/* A wave that goes layer by layer reaches everything; the other modes stop when they know the value. */
static holos_status cover_forward(const cover_task *task, cover *out, holos_error *err)
{
    holos_wave_options o = {.limits = {.nodes = task->nodes, .memory = task->memory, .stop = task->stop},
                            .forward_depth = task->depth,
                            .no_backward = true,
                            .no_classes = true,
                            .graph = task->mode == HOLOS_WAVE_WAVE,
                            .lightning_depth = task->depth,
                            .boundary = task->boundary};
    holos_wave *w;
    holos_status status = holos_wave_open(task->v, &o, &w, err);
    if (status != HOLOS_OK)
        return status;
    holos_wave_seed seed = {.position = task->position, .mode = task->mode};
    status = holos_wave_add(w, &seed, err);
    if (status == HOLOS_OK)
        status = holos_wave_run(w, task->mode, err);
    out->measure.cut |= status == HOLOS_LIMIT;
    status = status == HOLOS_LIMIT ? HOLOS_OK : status;
    layer_place place = {0};
    holos_key key;
    size_t before = out->count;
    while (status == HOLOS_OK && layers_next(&w->forward, &place, &key))
        if (!key_add(out, key))
            status = error_system(err, "a cover");
    out->measure.forward = out->count - before - (out->count > before); /* the seed itself is not covered */
    out->measure.cost += wave_expanded(w);
    holos_wave_close(w);
    return status;
}

/* ---- Backward: predecessors of any position ---------------------------------------------------- */

typedef struct retreat {
    const cover_task *task;
    table seen;
    holos_edges edges;
    unsigned char *layer, *next; /* positions */
    size_t layer_count, next_count, layer_room, next_room;
    cover *out;
} retreat;

static bool position_add(retreat *r, const holos_position *p)
{
    size_t size = r->task->v->position_size;
    if (r->next_count == r->next_room && !list_grow(&r->next, &r->next_room, r->next_count + 1, size))
        return false;
    memcpy(r->next + r->next_count++ * size, p, size);
    return true;
}

/* Whether lightning follows an edge: if there are forcing ones, only these. */
static bool is_followed(const retreat *r, uint32_t count, uint32_t index)
{
    if (r->task->mode != HOLOS_WAVE_LIGHTNING)
        return true;
    bool forcing = false;
    for (uint32_t i = 0; i < count && !forcing; i++)
        forcing = (r->edges.edges[i].flags & HOLOS_EDGE_FORCING) != 0;
    return !forcing || (r->edges.edges[index].flags & HOLOS_EDGE_FORCING) != 0;
}

static holos_status position_retreat(retreat *r, const holos_position *p, holos_error *err)
{
    const holos_variant *v = r->task->v;
    uint32_t count = v->game->back->predecessors(v, p, r->edges);
    r->out->measure.cost++;
    for (uint32_t i = 0; i < count; i++) {
        bool fresh;
        const holos_position *before = position_at(v, r->edges.positions, i);
        holos_key key = v->game->key(v, before);
        if (!is_followed(r, count, i))
            continue;
        if (table_insert(&r->seen, key, &fresh) == NULL ||
            (fresh && (!position_add(r, before) || !key_add(r->out, key))))
            return error_system(err, "a cover");
        r->out->measure.backward += fresh;
    }
    return HOLOS_OK;
}

static holos_status layers_retreat(retreat *r, holos_error *err)
{
    const cover_task *task = r->task;
    uint64_t began = r->out->measure.cost;
    holos_status status = HOLOS_OK;
    for (unsigned depth = 0; status == HOLOS_OK && depth < task->depth; depth++) {
        unsigned char *swap = r->layer;
        size_t room = r->layer_room;
        r->layer = r->next;
        r->layer_count = r->next_count;
        r->layer_room = r->next_room;
        r->next = swap;
        r->next_room = room;
        r->next_count = 0;
        for (size_t i = 0; status == HOLOS_OK && i < r->layer_count; i++) {
            if (holos_stop_asked(task->stop))
                return error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
            if (r->out->measure.cost - began >= task->nodes) {
                r->out->measure.cut = true;
                return HOLOS_OK;
            }
            status = position_retreat(
                r, (const holos_position *)(const void *)(r->layer + i * task->v->position_size), err);
        }
    }
    return status;
}

static holos_status cover_backward(const cover_task *task, cover *out, holos_error *err)
{
    const holos_variant *v = task->v;
    retreat r = {.task = task, .out = out};
    if (v->game->back == NULL || v->max_predecessors == 0)
        return HOLOS_OK; /* nothing can be found there */
    r.edges = (holos_edges){.edges = calloc(v->max_predecessors, sizeof(holos_edge)),
                            .positions = mem_alloc(NULL, v->max_predecessors * v->position_size)};
    bool fresh;
    holos_status status = table_init(&r.seen, NULL, 8, 1024, err);
    if (status == HOLOS_OK && (r.edges.edges == NULL || r.edges.positions == NULL ||
                               table_insert(&r.seen, v->game->key(v, task->position), &fresh) == NULL ||
                               !position_add(&r, task->position)))
        status = error_system(err, "a cover");
    if (status == HOLOS_OK)
        status = layers_retreat(&r, err);
    table_free(&r.seen);
    free(r.edges.edges);
    mem_free(NULL, r.edges.positions, v->max_predecessors * v->position_size);
    free(r.layer);
    free(r.next);
    return status;
}

holos_status cover_measure(const cover_task *task, cover *out, holos_error *err)
{
    *out = (cover){0};
    holos_status status = HOLOS_OK;
    if (task->direction != HOLOS_TACTIC_BACKWARD)
        status = cover_forward(task, out, err);
    if (status == HOLOS_OK && task->direction != HOLOS_TACTIC_FORWARD)
        status = cover_backward(task, out, err);
    size_t kept = 0;
    if (out->count > 1)
        qsort(out->keys, out->count, sizeof *out->keys, key_compare);
    for (size_t i = 0; i < out->count; i++)
        if (kept == 0 || !holos_key_equal(out->keys[kept - 1], out->keys[i]))
            out->keys[kept++] = out->keys[i];
    out->count = kept;
    return status;
}
