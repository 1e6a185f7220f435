/* SPDX-License-Identifier: MIT */

/* The forward wave: one layer makes the next.
 *
 * A layer is cut into chunks, and a number of chunks is a round. In the first half of a round, threads
 * expand chunks and sort what comes out by shard; in the second, each shard takes what the chunks have for
 * it, in the order of the chunks. Chunks and rounds are cut by position counts alone, so the outcome does not
 * depend on the number of threads; and a round's insertions into a shard stay in the processor's cache. */

#include "core/assert.h"
#include "engine/wave/wave.h"

#include <stdlib.h>

#define ROUND_CHUNKS     64
#define CHUNK_SUCCESSORS 28672 /* a chunk makes at most about so many */
#define CHUNK_MOST       4096
#define CHUNK_LEAST      16
#define AHEAD            12 /* slots are fetched this many insertions ahead */

typedef struct round_chunk {
    layer_chunk keys;
    uint64_t *entries; /* a key and, where they are kept, a position; sorted by shard */
    size_t room;       /* bytes */
    uint32_t offsets[NODES_SHARDS + 1];
} round_chunk;

typedef struct shard_result {
    uint64_t fresh, duplicates, crossing;
    key_list meetings;
    bool failed;
    holos_error error;
} shard_result;

struct wave_round {
    uint32_t chunk_size;
    unsigned entry_words;
    unsigned depth;
    layer *from, *to;
    layer_chunk *cut; /* of the whole layer */
    size_t cut_room;
    round_chunk chunks[ROUND_CHUNKS];
    shard_result results[NODES_SHARDS];
};

/* ---- Memory ------------------------------------------------------------------------------------ */

uint32_t wave_chunk_size(const holos_wave *w)
{
    uint32_t size = CHUNK_SUCCESSORS / w->v->max_successors;
    return size > CHUNK_MOST ? CHUNK_MOST : size < CHUNK_LEAST ? CHUNK_LEAST : size;
}

static size_t chunk_bytes(const holos_wave *w, uint32_t keys)
{
    return (size_t)keys * w->v->max_successors * w->round->entry_words * sizeof(uint64_t);
}

holos_status wave_round_open(holos_wave *w, holos_error *err)
{
    wave_round *r = mem_alloc(w->budget, sizeof *r);
    if (r == NULL)
        return mem_error(err, w->budget, sizeof *r, "a wave");
    w->round = r;
    r->chunk_size = wave_chunk_size(w);
    r->entry_words = w->nodes.key_words + (unsigned)(w->nodes.position_size / sizeof(uint64_t));
    return HOLOS_OK;
}

void wave_round_close(holos_wave *w)
{
    wave_round *r = w->round;
    if (r == NULL)
        return;
    for (unsigned i = 0; i < ROUND_CHUNKS; i++)
        mem_free(w->budget, r->chunks[i].entries, r->chunks[i].room);
    for (unsigned i = 0; i < NODES_SHARDS; i++)
        mem_free(w->budget, r->results[i].meetings.words,
                 r->results[i].meetings.room * w->forward.key_words * sizeof(uint64_t));
    mem_free(w->budget, r->cut, r->cut_room * sizeof *r->cut);
    mem_free(w->budget, r, sizeof *r);
    w->round = NULL;
}

static bool block_reserve(holos_wave *w, void **block, size_t *room, size_t need, holos_error *err)
{
    if (*room >= need)
        return true;
    mem_free(w->budget, *block, *room);
    *room = 0;
    *block = mem_alloc(w->budget, need);
    if (*block == NULL) {
        mem_error(err, w->budget, need, "a round of a wave");
        return false;
    }
    *room = need;
    return true;
}

/* ---- First half: expand chunks ----------------------------------------------------------------- */

/* Expands a position into the scratch; returns the number of successors. */
static uint32_t position_expand(const holos_wave *w, const holos_position *p, wave_scratch *s)
{
    holos_edges out = s->successors;
    out.edges = NULL; /* what moves lead there is of no interest here */
    if (w->key == w->v->game->key && w->nodes.position_size == 0)
        out.positions = NULL;
    uint32_t count = w->expand(w->v, p, out);
    if (w->key != w->v->game->key)
        for (uint32_t i = 0; i < count; i++)
            out.keys[i] = w->key(w->v, position_at(w->v, out.positions, i));
    return count;
}

/* What must be known of a position before it is expanded; false if it need not be. */
static bool node_prepare(const holos_wave *w, node_at at, const holos_position *p, wave_scratch *s)
{
    wave_node n = node_load(at);
    if ((n.flags & (NODE_EXPANDED | NODE_MISSED)) != 0 || (node_is_solved(n) && !w->options.graph))
        return false;
    if (w->options.graph)
        return true;
    if (!wave_known(w, p, &n, s))
        wave_bound(w, p, &n);
    s->solved += node_is_solved(n);
    node_store(at, n);
    return !node_is_solved(n) && (n.flags & NODE_MISSED) == 0;
}

static uint32_t entries_append(const holos_wave *w, wave_scratch *s, uint32_t made, uint32_t count,
                               uint32_t totals[NODES_SHARDS])
{
    unsigned words = w->round->entry_words, key_words = w->nodes.key_words;
    for (uint32_t i = 0; i < count; i++, made++) {
        holos_key key = s->successors.keys[i];
        uint64_t *entry = s->entries + (size_t)made * words;
        entry[0] = key.lo;
        if (key_words == 2)
            entry[1] = key.hi;
        if (w->nodes.position_size > 0)
            memcpy(entry + key_words, position_at(w->v, s->successors.positions, i), w->nodes.position_size);
        unsigned shard = nodes_shard_of(nodes_hash(key));
        s->shards[made] = (uint8_t)shard;
        totals[shard]++;
    }
    return made;
}

/* Moves the entries into the chunk, those of a shard together, in their order. */
static void entries_sort(const wave_round *r, round_chunk *chunk, const wave_scratch *s, uint32_t made,
                         const uint32_t totals[NODES_SHARDS])
{
    uint32_t next[NODES_SHARDS], sum = 0;
    for (unsigned i = 0; i < NODES_SHARDS; i++) {
        chunk->offsets[i] = next[i] = sum;
        sum += totals[i];
    }
    chunk->offsets[NODES_SHARDS] = sum;
    if (r->entry_words == 1) {
        for (uint32_t i = 0; i < made; i++)
            chunk->entries[next[s->shards[i]]++] = s->entries[i];
        return;
    }
    size_t words = r->entry_words;
    for (uint32_t i = 0; i < made; i++)
        memcpy(chunk->entries + next[s->shards[i]]++ * words, s->entries + i * words,
               words * sizeof(uint64_t));
}

static void chunk_expand(void *context, uint64_t index, unsigned worker)
{
    holos_wave *w = context;
    wave_round *r = w->round;
    wave_scratch *s = &w->scratch[worker];
    round_chunk *chunk = &r->chunks[index];
    uint32_t totals[NODES_SHARDS] = {0}, made = 0;
    layer_chunk c = chunk->keys;
    holos_key keys[WAVE_BATCH];
    for (unsigned batch = 1; batch > 0;) {
        for (batch = 0; batch < WAVE_BATCH && chunk_next(&w->forward, r->from, &c, &keys[batch]); batch++)
            nodes_prefetch(&w->nodes, keys[batch]);
        for (unsigned i = 0; i < batch; i++) {
            node_at at = nodes_find(&w->nodes, keys[i]);
            wave_position(w, keys[i], s->position);
            if (!node_prepare(w, at, s->position, s))
                continue;
            uint32_t count = position_expand(w, s->position, s);
            made = entries_append(w, s, made, count, totals);
            wave_node n = node_load(at);
            n.flags |= NODE_EXPANDED;
            node_store(at, n);
            s->expanded++;
        }
    }
    s->generated += made;
    entries_sort(r, chunk, s, made, totals);
}

/* ---- Second half: fill shards ------------------------------------------------------------------ */

static holos_key entry_key(const holos_wave *w, const uint64_t *entry)
{
    return (holos_key){.hi = w->nodes.key_words == 2 ? entry[1] : 0, .lo = entry[0]};
}

static bool entry_insert(holos_wave *w, const uint64_t *entry, key_list *list, shard_result *out)
{
    holos_key key = entry_key(w, entry);
    unsigned depth = w->round->depth + 1;
    bool fresh;
    node_at at = nodes_insert(&w->nodes, key, entry + w->nodes.key_words,
                              wave_unknown(w, NODE_FORWARD, depth), &fresh, &out->error);
    if (at == NULL)
        return false;
    if (fresh) {
        out->fresh++;
        return list_append(&w->forward, list, key);
    }
    wave_node n = node_load(at);
    if ((n.flags & NODE_FORWARD) != 0) {
        out->duplicates++;
        out->crossing += n.depth != (uint16_t)depth && !node_is_solved(n);
        return true;
    }
    n.flags |= NODE_FORWARD;
    n.depth = (uint16_t)depth;
    node_store(at, n);
    out->crossing++;
    return list_append(&w->forward, list, key) && list_append(&w->forward, &out->meetings, key);
}

static void shard_fill(void *context, uint64_t shard, unsigned worker)
{
    (void)worker;
    holos_wave *w = context;
    wave_round *r = w->round;
    shard_result *out = &r->results[shard];
    key_list *list = &r->to->lists[shard];
    for (unsigned i = 0; i < ROUND_CHUNKS && r->chunks[i].keys.count > 0; i++) {
        const round_chunk *chunk = &r->chunks[i];
        const uint64_t *entry = chunk->entries + (size_t)chunk->offsets[shard] * r->entry_words;
        const uint64_t *end = chunk->entries + (size_t)chunk->offsets[shard + 1] * r->entry_words;
        const uint64_t *ahead = entry;
        for (unsigned k = 0; k < AHEAD && ahead != end; k++, ahead += r->entry_words)
            nodes_prefetch(&w->nodes, entry_key(w, ahead));
        for (; entry != end; entry += r->entry_words) {
            if (ahead != end) {
                nodes_prefetch(&w->nodes, entry_key(w, ahead));
                ahead += r->entry_words;
            }
            if (!entry_insert(w, entry, list, out)) {
                out->failed = true;
                return;
            }
        }
    }
}

/* ---- A round ----------------------------------------------------------------------------------- */

static void scratch_collect(holos_wave *w, holos_wave_layer *layer_statistics)
{
    for (unsigned i = 0; i < pool_threads(w->threads); i++) {
        wave_scratch *s = &w->scratch[i];
        w->statistics.forward_expanded += s->expanded;
        w->statistics.generated += s->generated;
        w->statistics.solved += s->solved;
        w->statistics.boundary += s->boundary;
        w->statistics.goal_filtered += s->filtered;
        layer_statistics->generated += s->generated;
        s->expanded = s->generated = s->solved = s->boundary = s->filtered = 0;
    }
}

/* False: memory ran out in the middle. */
static bool results_collect(holos_wave *w, holos_error *err)
{
    wave_round *r = w->round;
    bool whole = true;
    for (unsigned i = 0; i < NODES_SHARDS; i++) {
        shard_result *out = &r->results[i];
        w->statistics.positions += out->fresh;
        r->from->statistics.duplicates += out->duplicates;
        w->layered &= out->crossing == 0;
        for (size_t k = 0; k < out->meetings.count; k++)
            list_append(&w->meeting_format, &w->meetings, list_key(&w->forward, &out->meetings, k));
        w->statistics.connections += out->meetings.count;
        if (out->failed && whole) {
            whole = false;
            if (err != NULL)
                *err = out->error;
        }
        out->fresh = out->duplicates = out->crossing = out->meetings.count = 0;
        out->failed = false;
    }
    return whole;
}

/* Memory ran out while a round's successors were stored: its positions count as not expanded, so that they
 * will be expanded again when there is room. */
static void round_take_back(holos_wave *w)
{
    wave_round *r = w->round;
    for (unsigned i = 0; i < ROUND_CHUNKS && r->chunks[i].keys.count > 0; i++) {
        holos_key key;
        for (layer_chunk c = r->chunks[i].keys; chunk_next(&w->forward, r->from, &c, &key);) {
            node_at at = nodes_find(&w->nodes, key);
            wave_node n = node_load(at);
            n.flags &= (uint8_t)~NODE_EXPANDED;
            node_store(at, n);
        }
    }
}

static void round_mark_done(const wave_round *r)
{
    for (unsigned i = 0; i < ROUND_CHUNKS && r->chunks[i].keys.count > 0; i++) {
        layer_chunk c = r->chunks[i].keys;
        while (c.count > 0) {
            key_list *list = &r->from->lists[c.shard++];
            size_t take = list->count - c.index < c.count ? list->count - c.index : c.count;
            list->done = c.index + take;
            c.count -= (uint32_t)take;
            c.index = 0;
        }
    }
}

/* How many chunks may be expanded at once within what is left of the memory and of the nodes: cut by what
 * they could need at the most. 0: not even one. */
static unsigned round_size(holos_wave *w, const layer_chunk *chunks, size_t count)
{
    uint64_t nodes_left = w->node_limit - wave_expanded(w), keys = 0;
    size_t room = wave_room(w);
    unsigned size = 0;
    for (; size < count && size < ROUND_CHUNKS; size++) {
        keys += chunks[size].count;
        uint64_t successors = keys * w->v->max_successors;
        size_t need = nodes_growth(&w->nodes, successors) +
                      successors * (w->round->entry_words + 2u * w->nodes.key_words) * sizeof(uint64_t);
        if (need > room)
            break;
        if (size > 0 && keys > nodes_left)
            break;
    }
    return size;
}

/* Expands these chunks of r->from. False: stopped. */
static bool round_run(holos_wave *w, layer_chunk *chunks, unsigned count, holos_error *err)
{
    wave_round *r = w->round;
    for (unsigned i = 0; i < ROUND_CHUNKS; i++) {
        r->chunks[i].keys = i < count ? chunks[i] : (layer_chunk){0};
        if (i < count && !block_reserve(w, (void **)&r->chunks[i].entries, &r->chunks[i].room,
                                        chunk_bytes(w, chunks[i].count), err))
            return false;
    }
    pool_run(w->threads, count, chunk_expand, w);
    pool_run(w->threads, NODES_SHARDS, shard_fill, w);
    scratch_collect(w, &r->from->statistics);
    if (!results_collect(w, err)) {
        round_take_back(w);
        return false;
    }
    round_mark_done(r);
    return true;
}

static bool layer_is_full(holos_wave *w)
{
    wave_round *r = w->round;
    layers_recount(r->to);
    if (w->options.frontier == 0 || r->to->count - r->to->done < w->options.frontier)
        return false;
    layers_recount(r->from);
    w->statistics.frontier_capped += r->from->count - r->from->done;
    return true;
}

static bool layer_begin(holos_wave *w, unsigned depth, size_t *count, holos_error *err)
{
    wave_round *r = w->round;
    if (layers_reach(&w->forward, depth + 1, err) != HOLOS_OK)
        return false;
    r->depth = depth;
    r->from = w->forward.at[depth];
    r->to = w->forward.at[depth + 1];
    *count = layers_cut(r->from, false, r->chunk_size, NULL, 0);
    size_t room = r->cut_room * sizeof *r->cut;
    if (!block_reserve(w, (void **)&r->cut, &room, *count * sizeof *r->cut, err)) {
        r->cut_room = 0;
        return false;
    }
    r->cut_room = room / sizeof *r->cut;
    layers_cut(r->from, false, r->chunk_size, r->cut, *count);
    return true;
}

bool wave_expand_layer(holos_wave *w, unsigned depth, holos_error *err)
{
    wave_round *r = w->round;
    double began = clock_wall();
    size_t count, done = 0;
    bool going = layer_begin(w, depth, &count, err);
    if (!going)
        wave_stop(w, HOLOS_LIMIT, "the limit of memory");
    while (going && done < count && !layer_is_full(w)) {
        unsigned size = round_size(w, r->cut + done, count - done);
        if (size == 0) {
            w->statistics.memory_limited++;
            wave_stop(w, HOLOS_LIMIT, "the limit of memory");
        }
        going = wave_go_on(w) && round_run(w, r->cut + done, size, err);
        if (!going && w->status == HOLOS_OK) {
            w->statistics.memory_limited++;
            wave_stop(w, HOLOS_LIMIT, "the limit of memory");
        }
        done += size;
    }
    layers_recount(r->from);
    layers_recount(r->to);
    r->from->statistics.expanded = r->from->done;
    r->to->statistics.positions = r->to->count;
    layers_trim(&w->forward, r->to);
    w->statistics.wave_seconds += clock_wall() - began;
    return going;
}
