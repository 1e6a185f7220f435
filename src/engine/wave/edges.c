/* SPDX-License-Identifier: MIT */

#include "engine/wave/edges.h"

void edges_open(holos_wave *w)
{
    if (w->v->score_min <= EDGES_CLAIMED || w->nodes.position_size > 0)
        return;
    w->edges = mem_alloc(w->budget, sizeof *w->edges);
    if (w->edges == NULL)
        return;
    node_at at = nodes_find(&w->nodes, w->seeds[0].key);
    node_store(at, node_numbered(node_load(at), 0));
}

void edges_release_chunks(holos_wave *w)
{
    for (unsigned i = 0; w->edges != NULL && i < ROUND_CHUNKS; i++) {
        edge_chunk *chunk = &w->edges->chunks[i];
        mem_free(w->budget, chunk->records, chunk->bytes);
        *chunk = (edge_chunk){0};
    }
}

void edges_free(holos_wave *w)
{
    wave_edges *e = w->edges;
    if (e == NULL)
        return;
    edges_release_chunks(w);
    for (unsigned i = 0; e->block == NULL && i < NODES_SHARDS; i++)
        mem_free(w->budget, e->records[i], e->record_bytes[i]);
    mem_free(w->budget, e->block, e->block_bytes);
    mem_free(w->budget, e->edges, e->bytes);
    mem_free(w->budget, e, sizeof *e);
    w->edges = NULL;
}

static void shard_forget_numbers(void *context, uint64_t shard, unsigned worker)
{
    (void)worker;
    holos_wave *w = context;
    wave_node unknown = wave_unknown(w, 0, 0);
    node_at at;
    for (size_t i = 0; (at = nodes_next_in_memory(&w->nodes, (unsigned)shard, &i)) != NULL;) {
        wave_node n = node_load(at);
        n.lo = unknown.lo;
        n.hi = unknown.hi;
        node_store(at, n);
    }
}

void edges_drop(holos_wave *w)
{
    if (w->edges == NULL)
        return;
    edges_free(w);
    pool_run(w->threads, NODES_SHARDS, shard_forget_numbers, w);
}

/* ---- Memory ------------------------------------------------------------------------------------ */

/* A block with room for `need` bytes. NULL: no memory, and it is as it was. */
static void *block_grow(holos_wave *w, void *block, size_t *bytes, size_t need)
{
    if (need <= *bytes)
        return block;
    block = mem_resize(w->budget, block, *bytes, need);
    if (block != NULL)
        *bytes = need;
    return block;
}

static bool records_reserve(holos_wave *w, unsigned shard, size_t count)
{
    wave_edges *e = w->edges;
    edge_record *records = block_grow(w, e->records[shard], &e->record_bytes[shard], count * sizeof *records);
    if (records != NULL)
        e->records[shard] = records;
    return records != NULL || count == 0;
}

void edges_layer(holos_wave *w, unsigned depth)
{
    wave_edges *e = w->edges;
    if (e == NULL)
        return;
    bool fits = true;
    for (unsigned shard = 0; fits && shard < NODES_SHARDS; shard++) {
        size_t begin = 0;
        for (unsigned i = 0; i <= depth; i++)
            begin += w->forward.at[i]->lists[shard].count;
        e->begin[shard] = (uint32_t)begin;
        fits = records_reserve(w, shard, begin);
    }
    if (!fits)
        edges_drop(w);
}

static size_t chunk_bytes(const holos_wave *w, uint64_t keys)
{
    return (size_t)keys * (sizeof(edge_record) + 2 * (size_t)w->v->max_successors);
}

bool edges_chunk(holos_wave *w, unsigned index, uint32_t keys)
{
    edge_chunk *chunk = &w->edges->chunks[index];
    size_t need = chunk_bytes(w, keys);
    if (chunk->bytes < need) {
        mem_free(w->budget, chunk->records, chunk->bytes);
        *chunk = (edge_chunk){.records = mem_alloc(w->budget, need)};
        if (chunk->records == NULL)
            return false;
        chunk->bytes = need;
    }
    chunk->same_side = (uint8_t *)(chunk->records + keys);
    chunk->shards = chunk->same_side + (size_t)keys * w->v->max_successors;
    chunk->record_count = chunk->edge_count = 0;
    return true;
}

size_t edges_need(const holos_wave *w, uint64_t keys, uint64_t entries)
{
    size_t edges = w->edges->count + (size_t)entries;
    return chunk_bytes(w, keys) + (edges + edges / 8) * sizeof(graph_edge) -
           w->edges->count * sizeof(graph_edge);
}

static void shard_gather(void *context, uint64_t shard, unsigned worker)
{
    (void)worker;
    holos_wave *w = context;
    wave_edges *e = w->edges;
    edge_record *to = e->block;
    for (uint64_t i = 0; i < shard; i++)
        to += e->record_bytes[i] / sizeof *to;
    if (e->record_bytes[shard] > 0)
        memcpy(to, e->records[shard], e->record_bytes[shard]);
    mem_free(w->budget, e->records[shard], e->record_bytes[shard]);
    e->records[shard] = to;
}

void edges_gather(holos_wave *w)
{
    wave_edges *e = w->edges;
    size_t bytes = 0;
    for (unsigned i = 0; i < NODES_SHARDS; i++)
        bytes += e->record_bytes[i];
    e->block = mem_alloc(w->budget, bytes);
    if (e->block == NULL)
        return;
    e->block_bytes = bytes;
    pool_run(w->threads, NODES_SHARDS, shard_gather, w);
}

/* ---- Recording --------------------------------------------------------------------------------- */

void edges_look(holos_wave *w, edge_chunk *chunk, const wave_scratch *s, uint32_t count)
{
    edge_record *record = &chunk->records[chunk->record_count++];
    *record = (edge_record){.first = chunk->edge_count, .value = EDGES_UNKNOWN};
    if (count == 0) {
        int32_t score;
        w->v->game->terminal(w->v, s->position, &score);
        record->value = (int16_t)(score + game_banked(w->v, s->position));
        return;
    }
    unsigned moves = 0;
    for (uint32_t i = 0; i < count; i++) {
        const holos_edge *edge = &s->successors.edges[i];
        unsigned move = edge->move < EDGES_MOVES ? 1u << edge->move : 0;
        if (move <= moves)
            w->edges->unfit = true;
        moves |= move;
        chunk->same_side[chunk->edge_count++] =
            (edge->flags & HOLOS_EDGE_SAME_SIDE) != 0 ? EDGE_SAME_SIDE : 0;
    }
    record->moves = (uint16_t)moves;
}

bool edges_reserve(holos_wave *w, unsigned chunks)
{
    wave_edges *e = w->edges;
    size_t end = e->count;
    for (unsigned i = 0; i < chunks; i++) {
        e->chunks[i].base = end;
        end += e->chunks[i].edge_count;
    }
    size_t need = (end + EDGES_AHEAD) * sizeof *e->edges;
    bool fits = !e->unfit && end <= UINT32_MAX;
    graph_edge *edges =
        fits ? block_grow(w, e->edges, &e->bytes, need <= e->bytes ? need : need + need / 8) : NULL;
    if (edges == NULL) {
        edges_drop(w);
        return false;
    }
    e->edges = edges;
    e->count = end;
    return true;
}

void edges_keep(holos_wave *w, unsigned index, layer_chunk keys, const uint64_t *entries, unsigned words,
                const uint32_t *offsets)
{
    wave_edges *e = w->edges;
    const edge_chunk *chunk = &e->chunks[index];
    const layer *from = w->forward.at[round_depth(w) - 1];
    graph_edge *edges = e->edges + chunk->base;
    uint32_t next[NODES_SHARDS];
    memcpy(next, offsets, sizeof next);
    for (uint32_t i = 0; i < chunk->edge_count; i++) {
        unsigned shard = chunk->shards[i];
        uint32_t number = (uint32_t)entries[(size_t)next[shard]++ * words];
        edges[i] = edge_to(shard, number, chunk->same_side[i]);
    }
    for (uint32_t i = 0; i < chunk->record_count; keys.shard++, keys.index = 0) {
        size_t count = from->lists[keys.shard].count;
        edge_record *records = e->records[keys.shard] + (e->begin[keys.shard] - count);
        for (; keys.index < count && i < chunk->record_count; keys.index++) {
            records[keys.index] = chunk->records[i++];
            records[keys.index].first += (uint32_t)chunk->base;
        }
    }
}
