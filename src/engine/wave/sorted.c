/* SPDX-License-Identifier: MIT */

/* Nodes lie in the order of hashes. Splitters, from a sample of the nodes, cut the keys into buckets of a few thousand; one
 * pass counts what each has. As many buckets as the budget allows make a range: a pass over all nodes collects its entries,
 * each bucket is sorted while it is in the processor's cache, and the entries go out. With enough memory there is one range;
 * with less there are more passes, each of which reads what is on disk from its beginning to its end. */

#include "engine/wave/sorted.h"

#include "engine/wave/runs.h"

#include <stdlib.h>

#define BUCKET       4096 /* nodes, about: an entry has 16 or 24 bytes */
#define BUCKETS_MOST 65536
#define SAMPLES      8 /* for each bucket */

typedef struct node_sorter {
    const sorted_request *q;
    _Atomic bool late;    /* it is given up */
    unsigned words;       /* of an entry */
    holos_key *splitters; /* the first key of each bucket but the first */
    size_t bucket_count;
    _Atomic uint64_t *counts; /* of the buckets; while a range is collected: where the next entry goes */
    uint64_t *begin;          /* of each bucket in all entries, and the end */
    /* The range. */
    size_t first, last; /* buckets */
    uint64_t *entries;
    uint64_t **spares; /* a thread's room to sort a bucket */
    size_t spare_bytes;
    /* Until the first entries go out: nodes are counted, collected and sorted, and each of the three is a third of the work. */
    progress *shown;
} node_sorter;

static int key_order(const void *a, const void *b)
{
    const holos_key *x = a, *y = b;
    return holos_key_less(*x, *y) ? -1 : holos_key_less(*y, *x);
}

/* ---- Buckets ----------------------------------------------------------------------------------- */

/* The first slots of each shard, in memory and in each run: hashes are as good as random. */
static size_t samples_take(const nodes *n, size_t room, holos_key *out)
{
    size_t count = 0, each = room / NODES_SHARDS / (1 + (n->runs != NULL ? n->runs->count : 0));
    for (unsigned shard = 0; shard < NODES_SHARDS; shard++) {
        node_at at;
        for (size_t i = 0, taken = 0; taken < each && (at = nodes_next_in_memory(n, shard, &i)) != NULL;
             taken++)
            out[count++] = slot_key(n, at);
        for (unsigned r = 0; n->runs != NULL && r < n->runs->count; r++) {
            const nodes_run *run = &n->runs->runs[r];
            for (size_t i = run->begin[shard]; i < run->begin[shard + 1] && i < run->begin[shard] + each; i++)
                out[count++] = slot_key(n, run->slots + i * n->slot_words);
        }
    }
    return count;
}

static bool splitters_make(node_sorter *r, uint64_t positions)
{
    size_t wanted = (size_t)(positions / BUCKET + 1);
    wanted = wanted < BUCKETS_MOST ? wanted : BUCKETS_MOST;
    /* Room for the shares of all shards, in memory and in each run, to be at least one. */
    size_t room =
        wanted * SAMPLES > NODES_SHARDS * (RUNS_MOST + 2) ? wanted * SAMPLES : NODES_SHARDS * (RUNS_MOST + 2);
    holos_key *samples = malloc(room * sizeof *samples);
    r->splitters = malloc(wanted * sizeof *r->splitters);
    if (samples == NULL || r->splitters == NULL) {
        free(samples);
        return false;
    }
    size_t count = samples_take(r->q->nodes, room, samples);
    qsort(samples, count, sizeof *samples, key_order);
    r->bucket_count = 1;
    for (size_t i = 1; i < wanted && count >= wanted; i++)
        r->splitters[r->bucket_count++ - 1] = samples[i * count / wanted];
    free(samples);
    r->counts = calloc(r->bucket_count, sizeof *r->counts);
    r->begin = calloc(r->bucket_count + 1, sizeof *r->begin);
    return r->counts != NULL && r->begin != NULL;
}

/* How many splitters are not after the key, without branches, which nobody could foresee: the rows of connect4:4x6 are in the store after 1.63 s, with them
 * after 2.45 s. */
static size_t bucket_of(const node_sorter *r, holos_key key)
{
    const holos_key *base = r->splitters;
    u128 wanted = key_number(key);
    for (size_t left = r->bucket_count - 1; left > 0;) {
        size_t half = left - left / 2;
        base += half & -(size_t)(wanted >= key_number(base[half - 1]));
        left -= half;
    }
    return (size_t)(base - r->splitters);
}

/* Whether the rest is of no use. Only the caller's thread asks, so whoever answers need not know of threads. */
static bool sorter_is_late(node_sorter *r, unsigned worker)
{
    if (worker == 0 && r->q->late != NULL && r->q->late(r->q->context))
        atomic_store_explicit(&r->late, true, memory_order_relaxed);
    return atomic_load_explicit(&r->late, memory_order_relaxed);
}

static holos_status late_error(holos_error *err)
{
    return error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
}

static void shard_count(void *context, uint64_t shard, unsigned worker)
{
    node_sorter *r = context;
    const nodes *n = r->q->nodes;
    node_at at;
    if (sorter_is_late(r, worker))
        return;
    uint64_t count = 0;
    for (size_t i = 0; (at = nodes_next(n, (unsigned)shard, &i)) != NULL; count++)
        atomic_fetch_add_explicit(&r->counts[bucket_of(r, slot_key(n, at))], 1, memory_order_relaxed);
    progress_add(r->shown, count / 3);
}

/* ---- A range ----------------------------------------------------------------------------------- */

static void shard_collect(void *context, uint64_t shard, unsigned worker)
{
    node_sorter *r = context;
    const nodes *n = r->q->nodes;
    node_at at;
    if (sorter_is_late(r, worker))
        return;
    uint64_t count = 0;
    for (size_t i = 0; (at = nodes_next(n, (unsigned)shard, &i)) != NULL; count++) {
        holos_key key = slot_key(n, at);
        size_t bucket = bucket_of(r, key);
        if (bucket < r->first || bucket >= r->last)
            continue;
        uint64_t place = atomic_fetch_add_explicit(&r->counts[bucket], 1, memory_order_relaxed);
        uint64_t *entry = r->entries + place * r->words;
        entry[0] = key.lo;
        if (r->words == 3)
            entry[1] = key.hi;
        entry[r->words - 1] = *at;
    }
    progress_add(r->shown, count / 3);
}

/* The bits in which keys differ, word by word. */
static void bits_that_differ(const uint64_t *entries, size_t count, unsigned words, uint64_t out[2])
{
    out[0] = out[1] = 0;
    for (size_t i = 1; i < count; i++)
        for (unsigned word = 0; word < 2 && word + 1 < words; word++)
            out[word] |= entries[word] ^ entries[i * words + word];
}

/* Sorts by a byte of the keys. */
__attribute__((always_inline)) static inline void byte_sort(const uint64_t *from, uint64_t *to, size_t count,
                                                            unsigned word, unsigned shift, unsigned words)
{
    uint32_t next[256] = {0}, sum = 0;
    for (size_t i = 0; i < count; i++)
        next[from[i * words + word] >> shift & 255]++;
    for (unsigned d = 0; d < 256; d++) {
        uint32_t here = next[d];
        next[d] = sum;
        sum += here;
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t *place = to + (size_t)next[from[i * words + word] >> shift & 255]++ * words;
        for (unsigned k = 0; k < words; k++)
            place[k] = from[i * words + k];
    }
}

/* From the last byte to the first; bytes that are the same everywhere cost nothing. */
static void entries_sort(uint64_t *entries, uint64_t *spare, size_t count, unsigned words)
{
    uint64_t differ[2], *from = entries, *to = spare;
    bits_that_differ(entries, count, words, differ);
    for (unsigned digit = 0; digit < 8 * (words - 1); digit++) {
        unsigned word = digit / 8, shift = digit % 8 * 8;
        if ((differ[word] >> shift & 255) == 0)
            continue;
        if (words == 2)
            byte_sort(from, to, count, word, shift, 2);
        else
            byte_sort(from, to, count, word, shift, 3);
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != entries)
        memcpy(entries, from, count * words * sizeof *entries);
}

static void bucket_sort(void *context, uint64_t index, unsigned worker)
{
    node_sorter *r = context;
    size_t bucket = r->first + (size_t)index;
    uint64_t count = r->begin[bucket + 1] - r->begin[bucket];
    if (sorter_is_late(r, worker))
        return;
    entries_sort(r->entries + (r->begin[bucket] - r->begin[r->first]) * r->words, r->spares[worker],
                 (size_t)count, r->words);
    progress_add(r->shown, count / 3);
}

static holos_status range_put(const node_sorter *r, holos_error *err)
{
    uint64_t count = r->begin[r->last] - r->begin[r->first];
    holos_status status = HOLOS_OK;
    for (uint64_t done = 0; status == HOLOS_OK && done < count;) {
        size_t some = count - done < SORTED_BATCH ? (size_t)(count - done) : SORTED_BATCH;
        status = r->q->take(r->q->context, r->entries + done * r->words, some, err);
        done += some;
    }
    return status;
}

/* ---- All ranges -------------------------------------------------------------------------------- */

static size_t range_bytes(const node_sorter *r, size_t first, size_t last)
{
    return (size_t)(r->begin[last] - r->begin[first]) * r->words * sizeof *r->entries;
}

/* The buckets from r->first on that fit into so many bytes; at least one. */
static void range_choose(node_sorter *r, size_t bytes)
{
    r->last = r->first + 1;
    while (r->last < r->bucket_count && range_bytes(r, r->first, r->last + 1) <= bytes)
        r->last++;
}

static holos_status ranges_run(node_sorter *r, holos_error *err)
{
    mem_budget *budget = r->q->nodes->budget;
    size_t least = r->q->least;
    holos_status status = HOLOS_OK;
    for (r->first = 0; status == HOLOS_OK && r->first < r->bucket_count; r->first = r->last) {
        size_t room = budget->limit != 0 ? mem_available(budget) : SIZE_MAX;
        bool within = room - room / 8 >= least;
        range_choose(r, within ? room - room / 8 : least);
        size_t bytes = range_bytes(r, r->first, r->last) + 1;
        r->entries = mem_alloc(within ? budget : NULL, bytes);
        if (r->entries == NULL)
            return mem_error(err, budget, bytes, "sorting the positions");
        for (size_t bucket = r->first; bucket < r->last; bucket++)
            r->counts[bucket] = r->begin[bucket] - r->begin[r->first];
        pool_run(r->q->threads, NODES_SHARDS, shard_collect, r);
        pool_run(r->q->threads, r->last - r->first, bucket_sort, r);
        progress_end(r->shown);
        r->shown = NULL;
        status = r->late ? late_error(err) : range_put(r, err);
        mem_free(within ? budget : NULL, r->entries, bytes);
    }
    return status;
}

/* Room for each thread to sort the largest bucket. */
static bool spares_make(node_sorter *r)
{
    unsigned threads = pool_threads(r->q->threads);
    for (size_t bucket = 0; bucket < r->bucket_count; bucket++) {
        size_t bytes = range_bytes(r, bucket, bucket + 1);
        r->spare_bytes = bytes > r->spare_bytes ? bytes : r->spare_bytes;
    }
    r->spares = calloc(threads, sizeof *r->spares);
    bool made = r->spares != NULL;
    for (unsigned i = 0; made && i < threads; i++)
        made = (r->spares[i] = malloc(r->spare_bytes + 1)) != NULL;
    return made;
}

static void sorter_free(node_sorter *r)
{
    for (unsigned i = 0; r->spares != NULL && i < pool_threads(r->q->threads); i++)
        free(r->spares[i]);
    free(r->spares);
    free(r->splitters);
    free(r->counts);
    free(r->begin);
}

holos_status nodes_sorted(const sorted_request *q, holos_error *err)
{
    node_sorter r = {.q = q, .words = sorted_words(q->nodes), .shown = q->shown};
    progress_begin(r.shown, "sort", "positions", nodes_count(q->nodes));
    bool ready = splitters_make(&r, nodes_count(q->nodes));
    if (ready) {
        pool_run(q->threads, NODES_SHARDS, shard_count, &r);
        for (size_t i = 0; i < r.bucket_count; i++)
            r.begin[i + 1] = r.begin[i] + r.counts[i];
        ready = spares_make(&r);
    }
    holos_status status;
    if (!ready)
        status = mem_error(err, q->nodes->budget, r.spare_bytes, "sorting the positions");
    else
        status = r.late ? late_error(err) : ranges_run(&r, err);
    sorter_free(&r);
    return status;
}
