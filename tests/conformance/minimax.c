/* SPDX-License-Identifier: MIT */

/* The definition of a value, straight from the contract: no bounds, no keys, no pruning. What it has seen it
 * remembers by identity. */

#include "conformance.h"

#include <stdlib.h>
#include <string.h>

void minimax_open(minimax *m)
{
    assert_int_equal(table_init(&m->by_identity, NULL, sizeof(int64_t), 1024, NULL), HOLOS_OK);
    assert_int_equal(table_init(&m->by_key, NULL, sizeof(int64_t), 1024, NULL), HOLOS_OK);
}

void minimax_close(minimax *m)
{
    table_free(&m->by_identity);
    table_free(&m->by_key);
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

/* The best of all moves, by the formula in game.h. */
static bool best_of(subject *s, const holos_position *p, int32_t *out)
{
    const holos_variant *v = s->v;
    holos_edge *edges = malloc(v->max_successors * sizeof *edges);
    holos_position *children = aligned_alloc(16, v->max_successors * v->position_size);
    assert_true(edges != NULL && children != NULL);
    uint32_t count = v->game->expand(v, p, (holos_edges){.edges = edges, .positions = children});
    bool known = true;
    *out = INT32_MIN;
    for (uint32_t i = 0; known && i < count; i++) {
        int32_t child;
        known = value_of(s, position_at(v, children, i), &child);
        if (known && edge_score(edges[i], child) > *out)
            *out = edge_score(edges[i], child);
    }
    free(edges);
    free(children);
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
