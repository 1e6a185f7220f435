/* SPDX-License-Identifier: MIT */

/* The definition of a value, straight from the contract: no bounds, no keys, no pruning. What it has seen it
 * remembers by identity. */

#include "conformance.h"

#include <stdlib.h>
#include <string.h>

void minimax_open(minimax *m, const holos_variant *v)
{
    m->edges = malloc(v->max_successors * sizeof *m->edges);
    assert_non_null(m->edges);
    assert_int_equal(table_init(&m->by_identity, NULL, sizeof(int64_t), 1024, NULL), HOLOS_OK);
    assert_int_equal(table_init(&m->by_key, NULL, sizeof(int64_t), 1024, NULL), HOLOS_OK);
}

void minimax_close(minimax *m)
{
    table_free(&m->by_identity);
    table_free(&m->by_key);
    free(m->edges);
}

static void remember(subject *s, const holos_position *p, holos_key identity, int32_t value)
{
    minimax *m = &s->values;
    bool fresh;
    int64_t *slot = table_insert(&m->by_identity, identity, &fresh);
    assert_non_null(slot);
    assert_true(fresh);
    *slot = value;
    slot = table_insert(&m->by_key, s->v->game->key(s->v, p), &fresh);
    assert_non_null(slot);
    if (!fresh && *slot != value)
        fail_msg("a key stands for positions of value %d and %d", (int)*slot, (int)value);
    *slot = value;
}

static bool value_of(subject *s, const holos_position *p, int32_t *out);

/* The moves of a position, as many as there are: a board that could have a million has few at a time. */
static holos_edge *edges_of(subject *s, const holos_position *p, uint32_t *count)
{
    holos_edge *all = s->values.edges;
    *count = s->v->game->expand(s->v, p, (holos_edges){.edges = all});
    holos_edge *edges = malloc((*count + 1) * sizeof *edges);
    assert_non_null(edges);
    memcpy(edges, all, *count * sizeof *edges);
    return edges;
}

/* The best of all moves, by the formula in game.h. */
static bool best_of(subject *s, const holos_position *p, int32_t *out)
{
    const holos_variant *v = s->v;
    uint32_t count;
    holos_edge *edges = edges_of(s, p, &count);
    holos_position *child = holos_position_new(v);
    assert_non_null(child);
    bool known = true;
    *out = INT32_MIN;
    for (uint32_t i = 0; known && i < count; i++) {
        int32_t value;
        v->game->play(v, p, edges[i].move, child);
        known = value_of(s, child, &value);
        if (known && edge_score(edges[i], value) > *out)
            *out = edge_score(edges[i], value);
    }
    free(edges);
    holos_position_free(child);
    return known;
}

static bool value_of(subject *s, const holos_position *p, int32_t *out)
{
    const holos_variant *v = s->v;
    minimax *m = &s->values;
    holos_key identity = v->game->identity(v, p);
    const int64_t *known = table_find(&m->by_identity, identity);
    if (known != NULL) {
        *out = (int32_t)*known;
        return true;
    }
    if (m->budget == 0)
        return false;
    m->budget--;
    if (!v->game->terminal(v, p, out) && !best_of(s, p, out))
        return false;
    remember(s, p, identity, *out);
    return true;
}

bool minimax_value(subject *s, const holos_position *p, int32_t *out)
{
    s->values.budget = 3000;
    return value_of(s, p, out);
}

bool minimax_sample_value(subject *s, size_t index, int32_t *out)
{
    bool *too_large = &s->values.too_large[index];
    *too_large = *too_large || !minimax_value(s, subject_at(s, index), out);
    return !*too_large;
}
