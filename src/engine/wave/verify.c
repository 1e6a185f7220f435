/* SPDX-License-Identifier: MIT */

/* Whether what a hologram says is true: every value is derived again, from nothing but the rules, the positions that are in
 * the file, and tables if they are given. Positions begin unknown, and values flow from finished games until nothing changes;
 * in a game that can go round, closed regions that nobody decides become draws. A value that the file has and that does not
 * come out is false, or at least unfounded. */

#include "engine/wave/hologram_format.h"

#include <stdlib.h>

#define CHUNK 1024

typedef struct check {
    holos_hologram *h;
    holos_wave *
        w; /* its nodes are what has been derived. NODE_MISSED: leads out of what is known; NODE_BACKWARD: has a
                      successor that is neither in the file nor known otherwise, which need not be looked for again */
    const holos_hologram_checking *how;
    holos_hologram_checked *out;
    bool tables;  /* values of the file may rest on tables that were not given */
    bool decided; /* waves that run back in kinds look beyond what they reach */
} check;

/* ---- What is there ----------------------------------------------------------------------------- */

/* A file may hold anything: the position of an entry must be one that could have been read. */
bool hologram_position_check(const holos_wave *w, const hologram_entry *entry, holos_position *p)
{
    char shown[HOLOGRAM_TEXT_MOST];
    const char *read = entry->position;
    if (w->nodes.key_words == 1 && entry->key.hi != 0)
        return false;
    if (w->from_key != NULL) {
        w->from_key(w->v, entry->key, p);
        if (!holos_key_equal(w->key(w->v, p), entry->key) ||
            holos_format(w->v, p, shown, sizeof shown) >= sizeof shown)
            return false;
        read = shown;
    }
    return read != NULL && holos_parse(w->v, read, p, NULL) == HOLOS_OK &&
           holos_key_equal(w->key(w->v, p), entry->key);
}

static holos_status problem(const check *c, const hologram_entry *e, wave_node found, const char *words,
                            holos_error *err)
{
    holos_position *p = c->w->scratch[0].position;
    char shown[HOLOGRAM_TEXT_MOST];
    if (!hologram_position_check(c->w, e, p))
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s: a key does not belong to a position of %s",
                         c->h->path, c->w->v->name);
    holos_format(c->w->v, p, shown, sizeof shown);
    int32_t banked = game_banked(c->w->v, p);
    return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s: %s has the value [%d, %d]; %s [%d, %d]",
                     c->h->path, shown[0] != 0 ? shown : "start", e->node.lo + banked, e->node.hi + banked,
                     words, found.lo + banked, found.hi + banked);
}

/* The node of an entry before anything is derived: finished games, tables and bounds that need no search. */
static holos_status entry_begin(check *c, const hologram_entry *e, wave_node *n, holos_error *err)
{
    holos_wave *w = c->w;
    holos_position *p = w->scratch[0].position;
    bool forward = (e->node.flags & NODE_FORWARD) != 0;
    *n = wave_unknown(w, NODE_FORWARD | NODE_EXPANDED, e->node.depth);
    if (!hologram_position_check(w, e, p))
        return problem(c, e, *n, "", err);
    if (!forward) /* those nearest to the boundary come first */
        n->depth = (uint16_t)(UINT16_MAX / 2 - (e->node.depth < UINT16_MAX / 4 ? e->node.depth : 0));
    if (!wave_known(w, p, n, &w->scratch[0]))
        wave_bound(w, p, n);
    if (!node_is_solved(*n) && e->node.source == HOLOS_SOURCE_TABLE && w->known == NULL) {
        n->lo = e->node.lo;
        n->hi = e->node.hi;
        c->tables = true;
        c->out->given++;
    }
    return wave_damage(w, err);
}

static holos_status entries_begin(check *c, holos_error *err)
{
    holos_wave *w = c->w;
    holos_status status = HOLOS_OK;
    for (uint64_t block = 0; status == HOLOS_OK && block < c->h->block_count; block++) {
        uint32_t count;
        status = hologram_unpack(c->h, block, &count, err);
        if (status == HOLOS_OK && holos_stop_asked(c->how->limits.stop))
            status = error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
        for (uint32_t i = 0; status == HOLOS_OK && i < count; i++) {
            const hologram_entry *e = &c->h->entries[i];
            wave_node n;
            bool fresh;
            status = entry_begin(c, e, &n, err);
            if (status == HOLOS_OK)
                status = layers_reach(&w->forward, n.depth, err);
            if (status != HOLOS_OK)
                break;
            uint64_t hash = nodes_hash(e->key);
            key_list *list = &w->forward.at[n.depth]->lists[nodes_shard_of(hash)];
            if (nodes_insert(&w->nodes, e->key, hash, w->scratch[0].position, n, &fresh, err) == NULL ||
                !list_append(&w->forward, list, e->key))
                status = mem_error(err, w->budget, 64, "verification");
        }
    }
    return status;
}

/* ---- Deriving ---------------------------------------------------------------------------------- */

typedef struct pass {
    check *c;
    const layer *at;
    layer_chunk *chunks;
    bool leaks; /* looks for what leads out, instead of values */
    uint64_t changed;
} pass;

/* What is known of a successor; *inside: it is in the file, or known without it. `probe`: look beyond the file. */
static wave_node successor_node(const check *c, holos_key key, const holos_position *p, bool probe,
                                bool *inside)
{
    holos_wave *w = c->w;
    wave_scratch none = {0};
    wave_node n = wave_unknown(w, NODE_FORWARD, 0);
    node_at at = nodes_find(&w->nodes, key);
    *inside = at != NULL;
    if (at != NULL)
        return node_load(at);
    if (probe) /* what waves did not reach, since it decided a position at once */
        *inside = wave_known(w, p, &n, &none);
    return n;
}

static bool has_two_ways(const holos_wave *w)
{
    return w->expand != w->v->game->expand;
}

/* Narrows *n by the successors that `expand` gives. Returns whether one of them leads out. */
static bool successors_look(const check *c, const holos_position *p, bool all, bool only_leaks, wave_node *n,
                            wave_scratch *s, bool *changed)
{
    holos_wave *w = c->w;
    holos_edges out = {.edges = s->successors.edges, .positions = s->successors.positions, .bare = true};
    uint32_t count = (all ? w->v->game->expand : w->expand)(w->v, p, out);
    int32_t best_lo = INT32_MIN, best_hi = INT32_MIN;
    for (uint32_t i = 0; i < count; i++) {
        s->successors.keys[i] = w->key(w->v, position_at(w->v, out.positions, i));
        nodes_prefetch(&w->nodes, s->successors.keys[i]);
    }
    bool leaks = count == 0, probe = c->decided && (n->flags & NODE_BACKWARD) == 0, outside = false;
    for (uint32_t i = 0; i < count && !(leaks && only_leaks); i++) {
        bool inside;
        wave_node child =
            successor_node(c, s->successors.keys[i], position_at(w->v, out.positions, i), probe, &inside);
        int32_t a = edge_score(out.edges[i], child.lo), b = edge_score(out.edges[i], child.hi);
        best_lo = (a < b ? a : b) > best_lo ? (a < b ? a : b) : best_lo;
        best_hi = (a < b ? b : a) > best_hi ? (a < b ? b : a) : best_hi;
        outside |= !inside;
        leaks |= !inside || (!node_is_solved(child) && (child.flags & NODE_MISSED) != 0);
    }
    if (outside && !has_two_ways(w))
        n->flags |= NODE_BACKWARD;
    if (count > 0 && !only_leaks)
        *changed |= node_narrow(w, n, best_lo, best_hi);
    return leaks;
}

static void node_look(pass *ps, holos_key key, wave_scratch *s)
{
    holos_wave *w = ps->c->w;
    node_at at = nodes_find(&w->nodes, key);
    wave_node n = node_load(at);
    bool changed = false;
    if (node_is_solved(n) || (ps->leaks && (n.flags & NODE_MISSED) != 0))
        return;
    wave_position(w, key, s->position);
    bool leaks = successors_look(ps->c, s->position, false, ps->leaks, &n, s, &changed);
    if (!node_is_solved(n) && has_two_ways(w))
        leaks &= successors_look(ps->c, s->position, true, ps->leaks, &n, s, &changed);
    if (ps->leaks && leaks) {
        n.flags |= NODE_MISSED;
        changed = true;
    }
    node_store(at, n);
    s->changed += changed;
}

static void pass_chunk(void *context, uint64_t index, unsigned worker)
{
    pass *ps = context;
    holos_wave *w = ps->c->w;
    layer_chunk chunk = ps->chunks[index];
    holos_key key;
    if (holos_stop_asked(ps->c->how->limits.stop))
        return;
    while (chunk_next(&w->forward, ps->at, &chunk, &key))
        node_look(ps, key, &w->scratch[worker]);
}

/* One pass from the last layer to the first. *changed says how many nodes it changed. */
static holos_status pass_run(check *c, bool leaks, uint64_t *changed, holos_error *err)
{
    holos_wave *w = c->w;
    *changed = 0;
    for (unsigned depth = w->forward.depth; depth-- > 0;) {
        layer *at = w->forward.at[depth];
        size_t count = layers_cut(at, true, CHUNK, NULL, 0);
        if (count == 0)
            continue;
        pass ps = {.c = c, .at = at, .leaks = leaks, .chunks = malloc(count * sizeof *ps.chunks)};
        if (ps.chunks == NULL)
            return error_system(err, "verification");
        layers_cut(at, true, CHUNK, ps.chunks, count);
        pool_run(w->threads, count, pass_chunk, &ps);
        free(ps.chunks);
    }
    for (unsigned i = 0; i < pool_threads(w->threads); i++) {
        *changed += w->scratch[i].changed;
        w->scratch[i].changed = 0;
    }
    if (holos_stop_asked(c->how->limits.stop))
        return error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
    return wave_damage(w, err);
}

static holos_status pass_repeat(check *c, bool leaks, holos_error *err)
{
    uint64_t changed = 1;
    holos_status status = HOLOS_OK;
    while (status == HOLOS_OK && changed > 0)
        status = pass_run(c, leaks, &changed, err);
    return status;
}

/* What leads nowhere but to itself and is not decided becomes a draw; returns how many did. */
static uint64_t closed_settle(check *c)
{
    holos_wave *w = c->w;
    uint64_t settled = 0;
    for (unsigned shard = 0; shard < NODES_SHARDS; shard++) {
        node_at at;
        for (size_t i = 0; (at = nodes_next(&w->nodes, shard, &i)) != NULL;) {
            wave_node n = node_load(at);
            bool leaks = (n.flags & NODE_MISSED) != 0;
            n.flags &= (uint8_t)~NODE_MISSED;
            if (leaks)
                node_store(at, n);
            else if (!node_is_solved(n))
                wave_settle_draw(w, at, n);
            settled += !leaks && !node_is_solved(n);
        }
    }
    return settled;
}

static holos_status values_derive(check *c, holos_error *err)
{
    holos_status status = pass_repeat(c, false, err);
    for (bool going = wave_may_settle(c->w); status == HOLOS_OK && going;) {
        status = pass_repeat(c, true, err);
        going = status == HOLOS_OK && closed_settle(c) > 0;
        if (going)
            status = pass_repeat(c, false, err);
    }
    return status;
}

/* ---- Comparing --------------------------------------------------------------------------------- */

/* What goes on from here believes that all successors of such a position are there. */
static bool is_expanded(const check *c, const hologram_entry *e)
{
    holos_wave *w = c->w;
    holos_edges out = {.positions = w->scratch[0].successors.positions};
    for (unsigned way = 0; way < 2; way++) {
        wave_position(w, e->key, w->scratch[0].position);
        uint32_t count = (way == 0 ? w->expand : w->v->game->expand)(w->v, w->scratch[0].position, out),
                 i = 0;
        while (i < count && nodes_find(&w->nodes, w->key(w->v, position_at(w->v, out.positions, i))) != NULL)
            i++;
        if (i == count)
            return true;
    }
    return false;
}

static holos_status entry_compare(check *c, const hologram_entry *e, holos_error *err)
{
    wave_node found = node_load(nodes_find(&c->w->nodes, e->key)), said = e->node;
    if (said.lo > found.hi || said.hi < found.lo)
        return problem(c, e, found, "its value is in", err);
    if ((said.flags & NODE_EXPANDED) != 0 && !node_is_solved(said) && !is_expanded(c, e))
        return problem(c, e, found,
                       "it is marked as expanded, but its successors are missing; its value is in", err);
    if (said.lo <= found.lo && said.hi >= found.hi) {
        c->out->derived++;
        return HOLOS_OK;
    }
    if (!c->tables)
        return problem(c, e, found, "its successors give", err);
    c->out->given++;
    return HOLOS_OK;
}

static holos_status entries_compare(check *c, holos_error *err)
{
    holos_status status = HOLOS_OK;
    for (uint64_t block = 0; status == HOLOS_OK && block < c->h->block_count; block++) {
        uint32_t count;
        status = hologram_unpack(c->h, block, &count, err);
        for (uint32_t i = 0; status == HOLOS_OK && i < count; i++)
            status = entry_compare(c, &c->h->entries[i], err);
    }
    return status;
}

/* The ends of spines have values, too. */
static holos_status spines_compare(const check *c, holos_error *err)
{
    const hologram_spine *spines = c->h->sections[HOLOGRAM_SPINES];
    const hologram_path *paths = c->h->sections[HOLOGRAM_PATHS];
    for (uint64_t i = 0; i < hologram_count(c->h, HOLOGRAM_SPINES); i++) {
        node_at at = nodes_find(&c->w->nodes, paths[spines[i].first + spines[i].length].key);
        if (at != NULL && (spines[i].lo > node_load(at).hi || spines[i].hi < node_load(at).lo))
            return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                             "%s: spine %llu says that its end has the value [%d, %d], which is false",
                             c->h->path, (unsigned long long)i, spines[i].lo, spines[i].hi);
    }
    return HOLOS_OK;
}

/* ---- The whole --------------------------------------------------------------------------------- */

static holos_status frontiers_check(check *c, holos_error *err)
{
    const hologram_mapping *mappings = c->h->sections[HOLOGRAM_MAPPINGS];
    holos_status status = HOLOS_OK;
    for (uint64_t i = 0; status == HOLOS_OK && i < hologram_count(c->h, HOLOGRAM_MAPPINGS); i++) {
        holos_wave *again;
        if ((mappings[i].flags & MAPPING_KNOWN) != 0 && c->how->boundary == NULL)
            continue; /* it takes the tables that its wave had */
        status = holos_hologram_frontier(c->h, i, c->how->boundary, &again, err);
        if (status != HOLOS_OK)
            break;
        holos_wave_close(again);
        c->out->frontiers++;
    }
    return status;
}

static holos_status values_check(check *c, holos_error *err)
{
    holos_wave_options o = {.limits = c->how->limits,
                            .threads = c->how->threads,
                            .boundary = c->how->boundary,
                            .unfolded = (c->h->header->flags & HOLOGRAM_UNFOLDED) != 0,
                            .no_backward = true,
                            .no_classes = true};
    holos_status status = holos_wave_open(c->h->v, &o, &c->w, err);
    if (status != HOLOS_OK)
        return status;
    c->w->loaded = true; /* contradictions are told, and do not end the program */
    c->decided = c->h->v->game->kinds != NULL || c->how->boundary != NULL;
    c->tables = (c->h->header->flags & HOLOGRAM_KNOWN) != 0 && c->how->boundary == NULL;
    status = entries_begin(c, err);
    if (status == HOLOS_OK)
        status = values_derive(c, err);
    if (status == HOLOS_OK && c->w->contradiction)
        status = error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s contradicts the rules of %s", c->h->path,
                           c->w->v->name);
    if (status == HOLOS_OK)
        status = entries_compare(c, err);
    if (status == HOLOS_OK)
        status = spines_compare(c, err);
    holos_wave_close(c->w);
    return status;
}

holos_status holos_hologram_check(holos_hologram *h, const holos_hologram_checking *how,
                                  holos_hologram_checked *out, holos_error *err)
{
    static const holos_hologram_checking none;
    holos_hologram_checked own = {0};
    if (h == NULL)
        return error_null(err, __func__);
    check c = {.h = h, .how = how != NULL ? how : &none, .out = out != NULL ? out : &own};
    *c.out = (holos_hologram_checked){0};
    holos_status status = hologram_counts_check(h, err);
    if (status == HOLOS_OK)
        status = values_check(&c, err);
    if (status == HOLOS_OK && c.how->frontiers)
        status = frontiers_check(&c, err);
    return status;
}

holos_status holos_hologram_verify(holos_hologram *h, holos_error *err)
{
    return holos_hologram_check(h, NULL, NULL, err);
}
