/* SPDX-License-Identifier: MIT */

/* The speed of core. The table is measured at its limit of load, far larger than any cache; the keys are
 * drawn while it is measured, which costs a nanosecond or two of each lookup. */

#include "bench.h"

#include "core/clock.h"
#include "core/hash.h"
#include "core/json.h"
#include "core/pool.h"
#include "core/progress.h"
#include "core/rng.h"
#include "core/table.h"

/* Makes the compiler believe that a result is used. */
#define KEEP(value) __asm__ volatile("" : : "r"(value) : "memory")

/* One case: `run` does `n` things. The best of many short rounds is reported: whatever else the machine
 * does can only make one slower. */
typedef struct core_case {
    const char *name, *unit;
    void (*run)(void *context, uint64_t n);
    uint64_t n, quick;
} core_case;

#define ROUNDS 50

static holos_status measure(bench_context *c, const core_case *k, void *context)
{
    uint64_t n = c->quick ? k->quick : k->n;
    double best = CLOCK_NEVER;
    for (int round = 0; round < (c->quick ? 1 : ROUNDS); round++) {
        double begin = clock_cpu();
        k->run(context, n);
        double seconds = clock_cpu() - begin;
        if (seconds < best)
            best = seconds;
    }
    return bench_report(c, k->name, n, best, k->unit, 0);
}

static holos_status measure_all(bench_context *c, const core_case *cases, size_t count, void *context)
{
    holos_status status = HOLOS_OK;
    for (size_t i = 0; i < count && status == HOLOS_OK; i++)
        status = measure(c, &cases[i], context);
    return status;
}

#define COUNT(array) (sizeof array / sizeof *array)

/* ---- The table --------------------------------------------------------------------------------- */

#define TABLE_BYTES       ((size_t)1536 << 20)
#define TABLE_BYTES_QUICK ((size_t)8 << 20)
#define TABLE_PER_ENTRY   37 /* bytes that an entry needs, with the empty slots: a bit more than slot / load */
#define AHEAD             16 /* lookups that a prefetch is ahead: 8 and 32 are slower */

typedef struct table_state {
    table map, cache;
    uint64_t entries; /* keys 0 … entries - 1 are in the map */
    rng random;
} table_state;

/* A plain packing, as a game makes it; the table has to mix it. */
static inline holos_key table_key(uint64_t n)
{
    return (holos_key){.hi = n & 7, .lo = n << 3};
}

static inline holos_key draw_key(table_state *s, uint64_t first)
{
    return table_key(first + wide_scale(rng_next(&s->random), s->entries));
}

static inline void find_many(table_state *s, const table *t, uint64_t n, uint64_t first)
{
    for (uint64_t i = 0; i < n; i++)
        KEEP(table_find(t, draw_key(s, first)));
}

static inline void find_many_ahead(table_state *s, const table *t, uint64_t n, uint64_t first)
{
    holos_key keys[AHEAD];
    for (int i = 0; i < AHEAD; i++)
        table_prefetch(t, keys[i] = draw_key(s, first));
    for (uint64_t i = 0; i < n; i++) {
        holos_key key = keys[i % AHEAD];
        table_prefetch(t, keys[i % AHEAD] = draw_key(s, first));
        KEEP(table_find(t, key));
    }
}

/* What a lookup can be compared with: one read at the place where it would begin. */
static void read_home(void *context, uint64_t n)
{
    table_state *s = context;
    for (uint64_t i = 0; i < n; i++)
        KEEP(table_slot_key(s->map.slots + table_home(&s->map, table_mix(draw_key(s, 0))) * s->map.slot_size)
                 ->hi);
}

static void find_hit(void *context, uint64_t n)
{
    table_state *s = context;
    find_many(s, &s->map, n, 0);
}

static void find_miss(void *context, uint64_t n)
{
    table_state *s = context;
    find_many(s, &s->map, n, s->entries);
}

static void find_hit_ahead(void *context, uint64_t n)
{
    table_state *s = context;
    find_many_ahead(s, &s->map, n, 0);
}

static void find_miss_ahead(void *context, uint64_t n)
{
    table_state *s = context;
    find_many_ahead(s, &s->map, n, s->entries);
}

static void cache_find(void *context, uint64_t n)
{
    table_state *s = context;
    find_many(s, &s->cache, n, 0);
}

static uint32_t first_word(const void *payload)
{
    return *(const uint32_t *)payload;
}

static void cache_replace(void *context, uint64_t n)
{
    table_state *s = context;
    for (uint64_t i = 0; i < n; i++)
        *(uint32_t *)table_replace(&s->cache, draw_key(s, 0), first_word) = (uint32_t)i;
}

static void walk(void *context, uint64_t n)
{
    table_state *s = context;
    holos_key key;
    void *payload;
    uint64_t sum = 0;
    for (size_t i = 0; n > 0 && table_next(&s->map, &i, &key, &payload); n--)
        sum += key.lo;
    KEEP(sum);
}

static const core_case table_cases[] = {
    {"table-random-read", "reads/s", read_home, 200000, 100000},
    {"table-find-hit", "lookups/s", find_hit, 200000, 100000},
    {"table-find-miss", "lookups/s", find_miss, 200000, 100000},
    {"table-find-hit-prefetch", "lookups/s", find_hit_ahead, 200000, 100000},
    {"table-find-miss-prefetch", "lookups/s", find_miss_ahead, 200000, 100000},
    {"table-next", "entries/s", walk, 1000000, 100000},
    {"cache-replace", "entries/s", cache_replace, 200000, 100000},
    {"cache-find", "lookups/s", cache_find, 200000, 100000},
};

/* Fills the map from nothing, growing, or to its expected size; reports that as a case. */
static holos_status table_fill(bench_context *c, table_state *s, mem_budget *budget, bool grow)
{
    holos_status status = table_init(&s->map, budget, sizeof(uint64_t), grow ? 0 : s->entries, &c->error);
    if (status != HOLOS_OK)
        return status;
    double begin = clock_cpu();
    for (uint64_t n = 0; n < s->entries; n++) {
        bool fresh;
        uint64_t *payload = table_insert(&s->map, table_key(n), &fresh);
        if (payload == NULL)
            return mem_error(&c->error, budget, mem_available(budget), "the table");
        *payload = n;
    }
    return bench_report(c, grow ? "table-insert-growing" : "table-insert", s->entries, clock_cpu() - begin,
                        "entries/s", 0);
}

static holos_status table_measure(bench_context *c, table_state *s, mem_budget *budget, size_t bytes)
{
    holos_status status = table_fill(c, s, budget, true);
    table_free(&s->map);
    if (status == HOLOS_OK)
        status = table_fill(c, s, budget, false);
    if (status == HOLOS_OK)
        status = table_init_cache(&s->cache, budget, sizeof(uint64_t), bytes / 4, &c->error);
    if (status == HOLOS_OK)
        status = measure_all(c, table_cases, COUNT(table_cases), s);
    table_free(&s->map);
    table_free(&s->cache);
    return status;
}

/* The first to use the machine's memory waits for the system to give it: not us. */
static void warm_up(mem_budget *budget, size_t bytes)
{
    void *block = mem_alloc(budget, bytes);
    if (block != NULL)
        memset(block, 1, bytes);
    KEEP(block);
    mem_free(budget, block, bytes);
}

static holos_status bench_tables(bench_context *c)
{
    size_t bytes = c->quick ? TABLE_BYTES_QUICK : TABLE_BYTES;
    if (c->mem != 0 && bytes > c->mem / 2)
        bytes = c->mem / 2;
    mem_budget budget;
    mem_budget_init(&budget, c->mem);
    table_state s = {.entries = bytes / TABLE_PER_ENTRY};
    rng_init(&s.random, c->seed, 0);
    warm_up(&budget, bytes);
    return table_measure(c, &s, &budget, bytes);
}

/* ---- Small things ------------------------------------------------------------------------------ */

typedef struct small_state {
    rng random;
    unsigned char bytes[4096];
    text out;
    progress silent;
} small_state;

static void run_rng(void *context, uint64_t n)
{
    small_state *s = context;
    for (uint64_t i = 0; i < n; i++)
        KEEP(rng_next(&s->random));
}

static void run_rng_below(void *context, uint64_t n)
{
    small_state *s = context;
    for (uint64_t i = 0; i < n; i++)
        KEEP(rng_below(&s->random, 1000003));
}

static void run_mix(void *context, uint64_t n)
{
    (void)context;
    for (uint64_t i = 0; i < n; i++)
        KEEP(hash_mix(i));
}

static void hash_many(small_state *s, uint64_t n, size_t size)
{
    for (uint64_t i = 0; i < n; i++) {
        s->bytes[0] = (unsigned char)i;
        KEEP(hash_bytes(s->bytes, size).lo);
    }
}

static void run_hash_32(void *context, uint64_t n)
{
    hash_many(context, n, 32);
}

static void run_hash_4096(void *context, uint64_t n)
{
    hash_many(context, n, 4096);
}

/* An answer as `solve --json` prints it. */
static void run_json(void *context, uint64_t n)
{
    small_state *s = context;
    for (uint64_t i = 0; i < n; i++) {
        text_clear(&s->out);
        json j = json_begin(&s->out);
        json_open(&j, NULL, '{');
        json_put_string(&j, "game", "connect4:7x6");
        json_put_string(&j, "position", "4453");
        json_put_string(&j, "status", "solved");
        json_put_int(&j, "lo", 2);
        json_put_int(&j, "hi", 2);
        json_open(&j, "best", '[');
        json_put_string(&j, NULL, "4");
        json_close(&j);
        json_put_uint(&j, "nodes", i);
        json_put_double(&j, "seconds", 0.021);
        json_close(&j);
    }
    KEEP(s->out.length);
}

static void run_progress(void *context, uint64_t n)
{
    small_state *s = context;
    for (uint64_t i = 0; i < n; i++)
        progress_add(&s->silent, 1);
}

static const core_case small_cases[] = {
    {"rng-next", "numbers/s", run_rng, 5000000, 100000},
    {"rng-below", "numbers/s", run_rng_below, 2000000, 100000},
    {"hash-mix", "numbers/s", run_mix, 5000000, 100000},
    {"hash-bytes-32", "hashes/s", run_hash_32, 500000, 100000},
    {"hash-bytes-4096", "hashes/s", run_hash_4096, 20000, 1000},
    {"json-object", "objects/s", run_json, 10000, 1000},
    {"progress-add", "calls/s", run_progress, 500000, 100000},
};

static holos_status bench_small(bench_context *c)
{
    small_state s = {0};
    rng_init(&s.random, c->seed, 1);
    text_init(&s.out);
    FILE *nowhere = fopen("/dev/null", "w");
    if (nowhere == NULL)
        return error_system(&c->error, "cannot open /dev/null");
    progress_init(&s.silent, nowhere, PROGRESS_LINE, NULL);
    progress_begin(&s.silent, "bench", "calls", 0);
    holos_status status = measure_all(c, small_cases, COUNT(small_cases), &s);
    progress_free(&s.silent);
    fclose(nowhere);
    text_free(&s.out);
    return status;
}

/* ---- Threads ----------------------------------------------------------------------------------- */

static void job_nothing(void *context, uint64_t index, unsigned worker)
{
    (void)context;
    (void)worker;
    KEEP(index);
}

static void run_pool_rounds(void *context, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        pool_run(context, 2, job_nothing, NULL);
}

static void run_pool_jobs(void *context, uint64_t n)
{
    pool_run(context, n, job_nothing, NULL);
}

static const core_case pool_cases[] = {
    {"pool-round", "rounds/s", run_pool_rounds, 1000, 100},
    {"pool-job", "jobs/s", run_pool_jobs, 2000000, 10000},
};

static holos_status bench_pool(bench_context *c)
{
    pool *p; /* with one thread there is nothing to measure */
    holos_status status = pool_open(c->threads == 1 ? 2 : c->threads, &p, &c->error);
    if (status != HOLOS_OK)
        return status;
    status = measure_all(c, pool_cases, COUNT(pool_cases), p);
    pool_close(p);
    return status;
}

holos_status bench_core(bench_context *c)
{
    holos_status status = bench_small(c);
    if (status == HOLOS_OK)
        status = bench_pool(c);
    if (status == HOLOS_OK)
        status = bench_tables(c);
    return status;
}
