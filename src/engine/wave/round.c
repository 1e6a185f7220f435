/* SPDX-License-Identifier: MIT */

#include "engine/wave/round.h"

#include "core/assert.h"
#include "engine/wave/edges.h"
#include "engine/wave/runs.h"

#define CHUNK_ENTRIES   28672 /* a chunk gives at most about so many */
#define CHUNK_MOST      4096
#define CHUNK_LEAST     16
#define KEYS_UNMEASURED 4096 /* of a first round that has a limit of time */
#define ROUND_LEAST     16
#define AHEAD           32 /* slots are fetched this many insertions ahead; a power of two */

typedef struct round_chunk {
    layer_chunk keys;
    uint64_t *entries; /* sorted by shard */
    size_t room;       /* bytes */
    uint32_t offsets[NODES_SHARDS + 1];
} round_chunk;

struct wave_round {
    const round_kind *kind;
    unsigned entry_words;
    bool valued;       /* entries carry a node: what a backward wave says of a position */
    wave_node unknown; /* otherwise: what a position is when it is reached */
    unsigned depth;
    layers *layers;
    layer *from, *to;
    double key_seconds; /* what looking at a position took, in the last round */
    layer_chunk *cut;   /* of the whole layer */
    size_t cut_room;    /* bytes */
    round_chunk chunks[ROUND_CHUNKS];
    unsigned fill_from, fill_to; /* the chunks whose entries go into the shards now */
    shard_result results[NODES_SHARDS];
};

/* ---- Memory ------------------------------------------------------------------------------------ */

static uint32_t neighbours_most(const holos_wave *w, bool forward)
{
    return forward ? w->v->max_successors : w->v->max_predecessors;
}

static uint32_t chunk_size(const holos_wave *w, bool forward)
{
    uint32_t size = CHUNK_ENTRIES / neighbours_most(w, forward);
    return size > CHUNK_MOST ? CHUNK_MOST : size < CHUNK_LEAST ? CHUNK_LEAST : size;
}

static unsigned entry_words(const holos_wave *w, bool valued)
{
    return w->nodes.key_words + valued + (unsigned)(w->nodes.position_size / sizeof(uint64_t));
}

size_t wave_round_entries(const holos_wave *w, size_t *bytes)
{
    size_t entries = (size_t)chunk_size(w, true) * neighbours_most(w, true);
    *bytes = entries * entry_words(w, false) * sizeof(uint64_t);
    if (w->has_back) {
        size_t back = (size_t)chunk_size(w, false) * neighbours_most(w, false);
        size_t back_bytes = back * entry_words(w, true) * sizeof(uint64_t);
        entries = back > entries ? back : entries;
        *bytes = back_bytes > *bytes ? back_bytes : *bytes;
    }
    return entries;
}

holos_status wave_round_open(holos_wave *w, holos_error *err)
{
    w->round = mem_alloc(w->budget, sizeof *w->round);
    return w->round != NULL ? HOLOS_OK : mem_error(err, w->budget, sizeof *w->round, "a wave");
}

/* Gives back what the chunks of earlier rounds have lain in. */
static void chunks_release(holos_wave *w)
{
    for (unsigned i = 0; i < ROUND_CHUNKS; i++) {
        round_chunk *chunk = &w->round->chunks[i];
        mem_free(w->budget, chunk->entries, chunk->room);
        chunk->entries = NULL;
        chunk->room = 0;
    }
    edges_release_chunks(w);
}

void wave_round_close(holos_wave *w)
{
    wave_round *r = w->round;
    if (r == NULL)
        return;
    chunks_release(w);
    for (unsigned i = 0; i < NODES_SHARDS; i++)
        for (unsigned list = 0; list < 2; list++) {
            const key_list *keys = list == 0 ? &r->results[i].meetings : &r->results[i].again;
            mem_free(w->budget, keys->words, keys->room * w->nodes.key_words * sizeof(uint64_t));
        }
    mem_free(w->budget, r->cut, r->cut_room);
    mem_free(w->budget, r, sizeof *r);
    w->round = NULL;
}

/* Room for `need` bytes; what was there is lost. NULL: no memory. */
static void *block_reserve(holos_wave *w, void *block, size_t *room, size_t need, holos_error *err)
{
    if (*room >= need && block != NULL)
        return block;
    mem_free(w->budget, block, *room);
    *room = 0;
    block = mem_alloc(w->budget, need);
    if (block == NULL)
        mem_error(err, w->budget, need, "a round of a wave");
    else
        *room = need;
    return block;
}

/* ---- First half: look at chunks ---------------------------------------------------------------- */

void round_emit(const holos_wave *w, round_sink *sink, holos_key key, wave_node value,
                const holos_position *position)
{
    const wave_round *r = w->round;
    wave_scratch *s = sink->scratch;
    uint64_t *entry = s->entries + (size_t)sink->made * r->entry_words;
    *entry++ = key.lo;
    if (w->nodes.key_words == 2)
        *entry++ = key.hi;
    if (r->valued)
        node_store(entry++, value);
    if (w->nodes.position_size > 0)
        memcpy(entry, position, w->nodes.position_size);
    unsigned shard = nodes_shard_of(nodes_hash(key));
    sink->shards[sink->made++] = (uint8_t)shard;
    sink->totals[shard]++;
}

/* Moves the entries into the chunk, those of a shard together, in their order. */
static void entries_sort(const wave_round *r, round_chunk *chunk, const round_sink *sink)
{
    const wave_scratch *s = sink->scratch;
    uint32_t next[NODES_SHARDS], sum = 0;
    for (unsigned i = 0; i < NODES_SHARDS; i++) {
        chunk->offsets[i] = next[i] = sum;
        sum += sink->totals[i];
    }
    chunk->offsets[NODES_SHARDS] = sum;
    if (r->entry_words == 1) {
        for (uint32_t i = 0; i < sink->made; i++)
            chunk->entries[next[sink->shards[i]]++] = s->entries[i];
        return;
    }
    size_t words = r->entry_words;
    for (uint32_t i = 0; i < sink->made; i++)
        memcpy(chunk->entries + next[sink->shards[i]]++ * words, s->entries + i * words,
               words * sizeof(uint64_t));
}

static void chunk_look(void *context, uint64_t index, unsigned worker)
{
    holos_wave *w = context;
    wave_round *r = w->round;
    round_sink sink = {.scratch = &w->scratch[worker], .shards = w->scratch[worker].shards};
    if (w->edges != NULL) {
        sink.said = &w->edges->chunks[index];
        sink.shards = sink.said->shards;
    }
    layer_chunk c = r->chunks[index].keys;
    holos_key keys[AHEAD];
    unsigned read = 0, looked = 0;
    for (bool more = true; more || looked < read;) {
        more = more && chunk_next(r->layers, r->from, &c, &keys[read % AHEAD]);
        if (more && !w->once)
            nodes_prefetch(&w->nodes, keys[read % AHEAD]);
        read += more;
        if (more && read - looked < AHEAD)
            continue;
        holos_key key = keys[looked++ % AHEAD];
        r->kind->look(w, key, w->once ? NULL : nodes_find(&w->nodes, key), &sink);
    }
    sink.scratch->generated += sink.made;
    entries_sort(r, &r->chunks[index], &sink);
}

/* ---- Second half: fill shards ------------------------------------------------------------------ */

/* Runs through what the chunks of a round have for a shard. */
typedef struct shard_cursor {
    const wave_round *round;
    unsigned shard, chunk; /* the next chunk */
    uint64_t *entry, *end;
} shard_cursor;

/* NULL: there is no more. */
static uint64_t *cursor_next(shard_cursor *c)
{
    const wave_round *r = c->round;
    while (c->entry == c->end) {
        if (c->chunk == r->fill_to)
            return NULL;
        const round_chunk *chunk = &r->chunks[c->chunk++];
        c->entry = chunk->entries + (size_t)chunk->offsets[c->shard] * r->entry_words;
        c->end = chunk->entries + (size_t)chunk->offsets[c->shard + 1] * r->entry_words;
        if (c->chunk < r->fill_to)
            __builtin_prefetch(r->chunks[c->chunk].entries +
                               (size_t)r->chunks[c->chunk].offsets[c->shard] * r->entry_words);
    }
    uint64_t *entry = c->entry;
    c->entry += r->entry_words;
    return entry;
}

static round_entry entry_read(const holos_wave *w, uint64_t *words)
{
    const wave_round *r = w->round;
    const uint64_t *rest = words + w->nodes.key_words;
    round_entry entry = {.key = {.hi = w->nodes.key_words == 2 ? words[1] : 0, .lo = words[0]},
                         .value = r->valued ? node_load(rest) : r->unknown,
                         .position = rest + r->valued,
                         .words = words};
    entry.hash = nodes_hash(entry.key);
    return entry;
}

/* Entries wait in a ring while their slots are fetched. */
static void shard_fill(void *context, uint64_t shard, unsigned worker)
{
    (void)worker;
    holos_wave *w = context;
    wave_round *r = w->round;
    shard_result *out = &r->results[shard];
    key_list *list = &r->to->lists[shard];
    shard_cursor cursor = {.round = r, .shard = (unsigned)shard, .chunk = r->fill_from};
    round_entry ring[AHEAD];
    unsigned read = 0, taken = 0;
    for (uint64_t *words; !out->failed && (words = cursor_next(&cursor)) != NULL;) {
        if (read - taken == AHEAD)
            out->failed = !r->kind->take(w, &ring[taken++ % AHEAD], list, out);
        ring[read % AHEAD] = entry_read(w, words);
        nodes_prefetch_hash(&w->nodes, ring[read++ % AHEAD].hash);
    }
    while (!out->failed && taken < read)
        out->failed = !r->kind->take(w, &ring[taken++ % AHEAD], list, out);
}

/* ---- A round ----------------------------------------------------------------------------------- */

/* Adds what the threads counted to the statistics. */
static void counts_collect(holos_wave *w)
{
    wave_round *r = w->round;
    bool forward = r->kind->flag == NODE_FORWARD;
    for (unsigned i = 0; i < pool_threads(w->threads); i++) {
        wave_scratch *s = &w->scratch[i];
        *(forward ? &w->statistics.forward_expanded : &w->statistics.backward_expanded) += s->expanded;
        w->statistics.generated += s->generated;
        w->statistics.solved += s->solved;
        w->statistics.boundary += s->boundary;
        w->statistics.goal_filtered += s->filtered;
        w->statistics.recomputed += s->recomputed;
        r->from->statistics.generated += s->generated;
        s->expanded = s->generated = s->solved = s->boundary = s->filtered = s->recomputed = 0;
    }
}

/* Adds what the shards found. False: memory ran out in one of them. */
static bool results_collect(holos_wave *w, holos_error *err)
{
    wave_round *r = w->round;
    bool whole = true;
    for (unsigned i = 0; i < NODES_SHARDS; i++) {
        shard_result *out = &r->results[i];
        w->statistics.positions += out->fresh - out->dropped;
        w->statistics.solved += out->solved - out->dropped_solved;
        r->from->statistics.duplicates += out->duplicates;
        w->layered &= out->crossing == 0;
        for (size_t k = 0; k < out->meetings.count; k++)
            wave_meet(w, list_key(r->layers, &out->meetings, k));
        if (out->failed && whole) {
            whole = false;
            if (err != NULL)
                *err = out->error;
        }
        out->fresh = out->solved = out->duplicates = out->crossing = out->meetings.count = out->again.count =
            0;
        out->dropped = out->dropped_solved = 0;
        out->failed = false;
    }
    return whole;
}

/* Memory ran out while a round's entries were stored: its positions count as not looked at, so that they will
 * be when there is room. */
static void round_take_back(holos_wave *w)
{
    wave_round *r = w->round;
    for (unsigned i = 0; !w->once && i < ROUND_CHUNKS && r->chunks[i].keys.count > 0; i++) {
        holos_key key;
        for (layer_chunk c = r->chunks[i].keys; chunk_next(r->layers, r->from, &c, &key);) {
            node_at at = nodes_find(&w->nodes, key);
            wave_node n = node_load(at);
            n.flags &= (uint8_t)~r->kind->done;
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

static size_t chunk_bytes(const holos_wave *w, uint32_t keys)
{
    bool forward = w->round->kind->flag == NODE_FORWARD;
    return (size_t)keys * neighbours_most(w, forward) * w->round->entry_words * sizeof(uint64_t);
}

/* The bytes that looking at so many positions could need at the most. */
static size_t round_need(const holos_wave *w, uint64_t keys)
{
    uint64_t entries = keys * neighbours_most(w, w->round->kind->flag == NODE_FORWARD);
    return nodes_growth(&w->nodes, entries) + 2 * entries * w->nodes.key_words * sizeof(uint64_t) +
           chunk_bytes(w, (uint32_t)keys) + (w->edges != NULL ? edges_need(w, keys, entries) : 0);
}

/* The larger the table, the more chunks together: what the chunks give has to lie somewhere, but the more of it
 * goes into a shard at once, the better. On connect4:7x6 up to ply 12, 192 chunks are 1.15 times as fast as 64. */
static unsigned round_most(const holos_wave *w)
{
    if (w->options.frontier > 0 || w->round->kind->flag == NODE_BACKWARD)
        return ROUND_LEAST; /* how soon a full layer is noticed, and who joins, must not depend on a table's size */
    size_t most = nodes_bytes(&w->nodes) / 16 / (chunk_bytes(w, CHUNK_LEAST) * 32 + 1);
    return most < ROUND_LEAST ? ROUND_LEAST : most < ROUND_CHUNKS ? (unsigned)most : ROUND_CHUNKS;
}

/* How many positions may be looked at: what is left of the nodes, and of the time by what the last round took. */
static uint64_t keys_left(const holos_wave *w)
{
    uint64_t left = w->limits.node_limit - wave_expanded(w);
    if (w->limits.deadline >= CLOCK_NEVER)
        return left;
    double each = w->round->key_seconds +
                  w->save_seconds * (double)w->statistics.positions / (double)(wave_expanded(w) + 1);
    double fits = w->round->key_seconds > 0 ? (wave_deadline(w) - clock_wall()) / each : KEYS_UNMEASURED;
    fits = fits < CHUNK_LEAST ? CHUNK_LEAST : fits;
    return fits < (double)left ? (uint64_t)fits : left;
}

/* How many chunks may be looked at together within what is left of the memory and of the nodes. 0: not even one,
 * nor a small part of it. The last one may be cut short (*cut). */
static unsigned round_size(const holos_wave *w, layer_chunk *chunks, size_t count, bool *cut)
{
    *cut = false;
    uint64_t nodes_left = keys_left(w), keys = 0;
    size_t room = wave_room(w), most = round_most(w) < count ? round_most(w) : count;
    unsigned size = 0;
    for (; size < most && keys < nodes_left; size++) {
        if (keys + chunks[size].count > nodes_left) {
            chunks[size].count = (uint32_t)(nodes_left - keys);
            *cut = true;
        }
        if (round_need(w, keys + chunks[size].count) > room)
            break;
        keys += chunks[size].count;
    }
    while (size == 0 && count > 0 && chunks[0].count >= 2) {
        chunks[0].count /= 2;
        *cut = true;
        size = round_need(w, chunks[0].count) <= room;
    }
    return size;
}

static void chunk_keep(void *context, uint64_t index, unsigned worker)
{
    (void)worker;
    holos_wave *w = context;
    const round_chunk *chunk = &w->round->chunks[index];
    edges_keep(w, (unsigned)index, chunk->keys, chunk->entries, w->round->entry_words, chunk->offsets);
}

/* Room for what the chunks give. */
static bool round_reserve(holos_wave *w, const layer_chunk *chunks, unsigned count, holos_error *err)
{
    wave_round *r = w->round;
    for (unsigned i = 0; i < ROUND_CHUNKS; i++) {
        round_chunk *chunk = &r->chunks[i];
        chunk->keys = i < count ? chunks[i] : (layer_chunk){0};
        if (i >= count)
            continue;
        chunk->entries = block_reserve(w, chunk->entries, &chunk->room, chunk_bytes(w, chunks[i].count), err);
        if (chunk->entries == NULL)
            return false;
        if (w->edges != NULL && !edges_chunk(w, i, chunks[i].count))
            edges_drop(w);
    }
    return true;
}

/* The next chunks whose entries go into the shards together, and room for these if all are new. A part of them at a time,
 * while the table is small beside a round: many will not be new, and the room would be too much. */
static void round_make_room(holos_wave *w, unsigned from, unsigned count)
{
    wave_round *r = w->round;
    uint32_t incoming[NODES_SHARDS] = {0};
    uint64_t entries = 0, most = nodes_count(&w->nodes) / 8;
    r->fill_from = r->fill_to = from;
    while (r->fill_to < count && (r->fill_to == from || entries < most)) {
        const uint32_t *offsets = r->chunks[r->fill_to++].offsets;
        entries += offsets[NODES_SHARDS];
        for (unsigned shard = 0; shard < NODES_SHARDS; shard++)
            incoming[shard] += offsets[shard + 1] - offsets[shard];
    }
    nodes_reserve(&w->nodes, incoming, false, w->threads);
}

/* False: stopped. */
static bool round_run(holos_wave *w, const layer_chunk *chunks, unsigned count, holos_error *err)
{
    wave_round *r = w->round;
    if (!round_reserve(w, chunks, count, err))
        return false;
    double began = clock_wall();
    uint64_t keys = 0;
    for (unsigned i = 0; i < count; i++)
        keys += chunks[i].count;
    pool_run(w->threads, count, chunk_look, w);
    for (r->fill_to = 0; r->fill_to < count;) {
        round_make_room(w, r->fill_to, count);
        pool_run(w->threads, NODES_SHARDS, shard_fill, w);
    }
    counts_collect(w);
    r->key_seconds = keys > 0 ? (clock_wall() - began) / (double)keys : r->key_seconds;
    if (!results_collect(w, err)) {
        round_take_back(w);
        return false;
    }
    if (w->edges != NULL && edges_reserve(w, count))
        pool_run(w->threads, count, chunk_keep, w);
    round_mark_done(r);
    return true;
}

/* ---- Delayed duplicate detection --------------------------------------------------------------- */

typedef struct settling {
    holos_wave *w;
    shard_result *out;
} settling;

/* A position that was taken for a new one is on disk: what wave_take would have done if it had looked there. */
static void position_met(void *context, holos_key key, node_at in_run, wave_node in_memory)
{
    const settling *s = context;
    wave_node n = node_load(in_run);
    s->out->dropped_solved += node_is_solved(n) && node_is_solved(in_memory);
    s->out->crossing += !node_is_solved(n) && ((n.flags & NODE_FORWARD) == 0 || n.depth != in_memory.depth);
    if (node_narrow(s->w, &n, in_memory.lo, in_memory.hi) && n.lo == in_memory.lo && n.hi == in_memory.hi)
        n.source = in_memory.source;
    if ((n.flags & NODE_FORWARD) != 0) {
        s->out->duplicates++;
        if (wave_come_nearer(s->w, &n, in_memory.depth))
            s->out->failed |= !list_append(&s->w->forward, &s->out->again, key);
    } else { /* a backward wave has been there: it stays in the layer */
        n.depth = in_memory.depth;
        s->out->failed |= !list_append(&s->w->forward, &s->out->meetings, key);
    }
    n.flags |= in_memory.flags;
    node_store(in_run, n);
}

static bool is_in_memory(const nodes *n, holos_key key)
{
    uint64_t hash = nodes_hash(key);
    return slot_holds(n, nodes_place(n, &n->shards[nodes_shard_of(hash)], key, hash), key, hash);
}

static void shard_settle(void *context, uint64_t shard, unsigned worker)
{
    (void)worker;
    holos_wave *w = context;
    wave_round *r = w->round;
    settling s = {.w = w, .out = &r->results[shard]};
    key_list *list = &r->to->lists[shard];
    size_t kept = s.out->settled;
    s.out->dropped = nodes_settle(&w->nodes, (unsigned)shard, position_met, &s);
    if (s.out->dropped == 0)
        return;
    for (size_t i = kept; i < list->count; i++) {
        holos_key key = list_key(r->layers, list, i);
        if (is_in_memory(&w->nodes, key))
            list_put(r->layers, list, kept++, key);
    }
    list->count = kept;
    for (size_t i = 0; i < s.out->meetings.count; i++)
        s.out->failed |= !list_append(r->layers, list, list_key(r->layers, &s.out->meetings, i));
    for (size_t i = 0; i < s.out->again.count; i++)
        s.out->failed |= !list_append(r->layers, list, list_key(r->layers, &s.out->again, i));
}

/* From here on the lists of the layer that is being made hold nothing that is on disk besides. */
static void layer_mark_settled(wave_round *r)
{
    for (unsigned i = 0; i < NODES_SHARDS; i++)
        r->results[i].settled = r->to->lists[i].count;
}

/* Compares what the layer has brought with what is on disk. */
static void layer_settle(holos_wave *w, holos_error *err)
{
    if (!w->nodes.deferred)
        return;
    pool_run(w->threads, NODES_SHARDS, shard_settle, w);
    if (!results_collect(w, err))
        limits_stop_memory(&w->limits);
    w->nodes.deferred = false;
    layer_mark_settled(w->round);
}

/* ---- A layer ----------------------------------------------------------------------------------- */

unsigned round_depth(const holos_wave *w)
{
    return w->round->depth + 1;
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

static bool layer_begin(holos_wave *w, const round_kind *kind, unsigned depth, size_t *count,
                        holos_error *err)
{
    wave_round *r = w->round;
    bool forward = kind->flag == NODE_FORWARD;
    r->kind = kind;
    r->valued = !forward;
    r->unknown = wave_unknown(w, kind->flag, depth + 1);
    r->entry_words = entry_words(w, r->valued);
    r->layers = forward ? &w->forward : &w->backward;
    r->depth = depth;
    r->from = r->layers->at[depth];
    r->to = r->layers->at[depth + 1];
    if (w->once && depth > 0) /* nobody asks for its keys again; this saves a sixth of all page faults */
        layers_hand_on(r->layers->at[depth - 1], r->to);
    edges_layer(w, depth);
    uint32_t size = chunk_size(w, forward);
    *count = layers_cut(r->from, false, size, NULL, 0);
    r->cut = block_reserve(w, r->cut, &r->cut_room, (*count + 1) * sizeof *r->cut, err);
    if (r->cut == NULL)
        return false;
    layers_cut(r->from, false, size, r->cut, *count);
    return true;
}

static void stop_for_memory(holos_wave *w)
{
    w->statistics.memory_limited++;
    limits_stop_memory(&w->limits);
}

/* One round of the layer, from the first chunk on that is not done. If its last chunk was cut short, nothing that
 * follows may be looked at before the rest is (*cut). False: stopped. */
static bool layer_step(holos_wave *w, size_t *done, size_t count, bool *cut, holos_error *err)
{
    wave_round *r = w->round;
    layer_chunk *next = r->cut + *done;
    layer_chunk whole = *next;
    unsigned size = round_size(w, next, count - *done, cut);
    if (size == 0 && w->edges != NULL) {
        edges_drop(w);
        *next = whole;
        size = round_size(w, next, count - *done, cut);
    }
    if (size == 0) {
        layer_settle(w, err);
        chunks_release(w);
        if (wave_spill(w, r->to, err))
            layer_mark_settled(r);
        *next = whole;
        size = round_size(w, next, count - *done, cut);
    }
    /* A limit of the frontier counts what is new: then it must be known at once. */
    w->nodes.deferred = r->kind->flag == NODE_FORWARD && w->nodes.runs != NULL && w->options.frontier == 0;
    if (size == 0 || !round_run(w, next, size, err)) {
        if (limits_go_on(&w->limits))
            stop_for_memory(w);
        return false;
    }
    *done += size;
    return true;
}

uint64_t round_positions(const holos_wave *w, const layer *at, bool forward)
{
    layer_chunk chunks[ROUND_LEAST];
    size_t count = layers_cut(at, false, chunk_size(w, forward), chunks, ROUND_LEAST);
    uint64_t positions = 0;
    for (size_t i = 0; i < count && i < ROUND_LEAST; i++)
        positions += chunks[i].count;
    return positions;
}

static void layer_order(holos_wave *w, const round_kind *kind, unsigned depth)
{
    bool forward = kind->flag == NODE_FORWARD;
    layers *l = forward ? &w->forward : &w->backward;
    layer *at = l->at[depth];
    layers_recount(at);
    if (round_needs_order(w, forward, at->count - at->done, w->limits.node_limit - wave_expanded(w)))
        layers_order(l, at);
}

bool round_layer(holos_wave *w, const round_kind *kind, unsigned depth, holos_error *err)
{
    wave_round *r = w->round;
    bool going = true, more = true;
    if (layers_reach(kind->flag == NODE_FORWARD ? &w->forward : &w->backward, depth + 1, err) != HOLOS_OK) {
        stop_for_memory(w);
        return false;
    }
    layer_order(w, kind, depth);
    while (going && more) { /* a chunk that was cut short leaves a rest, which is cut again */
        size_t count = 0, done = 0;
        bool cut = false;
        going = layer_begin(w, kind, depth, &count, err);
        if (!going)
            stop_for_memory(w);
        else if (!w->nodes.deferred)
            layer_mark_settled(r);
        more = count > 0;
        while (going && done < count && !cut) {
            if (layer_is_full(w)) {
                more = false;
                break;
            }
            going = wave_go_on(w) && layer_step(w, &done, count, &cut, err);
        }
    }
    layer_settle(w, err);
    layers_recount(r->from);
    layers_recount(r->to);
    r->from->statistics.expanded = r->from->done;
    r->to->statistics.positions = r->to->count;
    if (!w->once)
        layers_trim(r->layers, r->to);
    return going;
}
