/* SPDX-License-Identifier: MIT */

/* Databases, graphs and books. */

#include "store/store.h"
#include "knowledge/knowledge.h"

static void store_shut(holos_knowledge *k)
{
    store_close(k->state);
}

static holos_status score_find(void *context, const holos_position *p, int32_t *score, bool *found,
                               holos_error *err)
{
    const holos_knowledge *k = context;
    return store_score(k->state, p, score, found, err);
}

static holos_status value_find(void *context, const holos_position *p, holos_value *out, holos_error *err)
{
    const holos_knowledge *k = context;
    const holos_search *search = k->v->game->search;
    int32_t score;
    bool found;
    holos_status status = store_score(k->state, p, &score, &found, err);
    if (status != HOLOS_OK || !found)
        return status;
    out->lo = out->hi = score;
    out->source = HOLOS_SOURCE_TABLE;
    if (search != NULL && search->distance != NULL)
        out->distance = search->distance(k->v, p, score);
    return HOLOS_OK;
}

/* ---- One position after the other ---------------------------------------------------------------- */

/* Where positions go. */
typedef struct listing {
    const holos_knowledge *k;
    holos_cursor *cursor;
    holos_position *positions;
    size_t capacity, *count;
} listing;

static holos_position *listing_next(listing *l)
{
    return position_at(l->k->v, l->positions, (*l->count)++);
}

/* The cursor is a tier, a part, and an index. */
static void database_walk(listing *l, uint32_t top)
{
    const holos_variant *v = l->k->v;
    const holos_index *index = v->game->index;
    uint64_t *at = l->cursor->at;
    while (*l->count < l->capacity && at[0] <= top) {
        holos_place place = {.tier = (uint32_t)at[0], .part = (uint32_t)at[1], .index = at[2]};
        if (place.part >= index->parts(v, place.tier)) {
            *l->cursor = (holos_cursor){.at = {at[0] + 1}};
        } else if (place.index >= index->size(v, place.tier, place.part)) {
            *l->cursor = (holos_cursor){.at = {at[0], at[1] + 1}};
        } else {
            index->unrank(v, place, listing_next(l));
            at[2]++;
        }
    }
}

/* The cursor is a ply, and a place in it. */
static void book_walk(listing *l, const book *b)
{
    const holos_variant *v = l->k->v;
    uint64_t *at = l->cursor->at;
    while (b != NULL && *l->count < l->capacity && at[0] < b->count) {
        if (at[1] >= b->plies[at[0]].count)
            *l->cursor = (holos_cursor){.at = {at[0] + 1}};
        else
            v->game->from_key(v, b->plies[at[0]].keys[at[1]++], listing_next(l));
    }
}

static bool row_list(void *context, const holos_row *row)
{
    listing *l = context;
    if (*l->count == l->capacity)
        return false;
    l->k->v->game->from_identity(l->k->v, row->identity, listing_next(l));
    l->cursor->at[0] = row->identity.hi;
    l->cursor->at[1] = row->identity.lo;
    l->cursor->at[2] = 1;
    return true;
}

/* The cursor is the last identity, if there was one. */
static holos_status graph_walk(listing *l, store *s, holos_error *err)
{
    store_range range = STORE_ALL;
    if (l->cursor->at[2] != 0) {
        range.first = (holos_key){.hi = l->cursor->at[0], .lo = l->cursor->at[1] + 1};
        range.first.hi += range.first.lo == 0;
        if ((range.first.hi | range.first.lo) == 0)
            return HOLOS_OK; /* it was the last that there can be */
    }
    return s->backend->scan(s, &range, row_list, l, err);
}

static holos_status positions_walk(holos_knowledge *k, holos_cursor *cursor, holos_position *positions,
                                   size_t capacity, size_t *count, holos_error *err)
{
    listing l = {.k = k, .cursor = cursor, .positions = positions, .capacity = capacity, .count = count};
    store *s = k->state;
    store_facts facts;
    if (s->kind == STORE_GRAPH)
        return graph_walk(&l, s, err);
    s->backend->facts(s, &facts);
    if (s->kind == STORE_DATABASE)
        database_walk(&l, facts.top);
    else
        book_walk(&l, s->backend->book != NULL ? s->backend->book(s) : NULL);
    return HOLOS_OK;
}

holos_status knowledge_open_store(holos_knowledge *k, const char *url, size_t memory, holos_error *err)
{
    store_options o = {.mode = STORE_READ, .v = k->v, .cache = memory};
    store *s;
    store_facts facts;
    holos_status status = store_open(url, &o, &s, err);
    if (status != HOLOS_OK)
        return status;
    s->backend->facts(s, &facts);
    if (!facts.complete) {
        store_close(s);
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                         "%s is unfinished; 'holos build --resume' continues", url);
    }
    k->state = s;
    k->v = k->v != NULL ? k->v : s->v;
    k->kind = store_kind_name(facts.kind);
    k->close = store_shut;
    k->walk = positions_walk;
    k->boundary = (holos_boundary){.context = k, .find = value_find, .score = score_find};
    return HOLOS_OK;
}
