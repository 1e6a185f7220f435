/* SPDX-License-Identifier: MIT */

/* The speed of core. The hash table is measured at its load limit and far larger than any cache, with keys drawn
 * before the clock starts. */

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

/* One case: `run` does `n` things. The best of many short rounds is reported, because other work on the machine
 * can only slow a round down. */
typedef struct core_case {
    const char *name, *unit;
    void (*run)(void *context, uint64_t n);
    uint64_t n, quick;
    void (*prepare)(void *context, uint64_t n); /* before each round; may be NULL */
} core_case;

#define ROUNDS 50

static holos_status measure(bench_context *c, const core_case *k, void *context)
{
    uint64_t n = c->quick ? k->quick : k->n;
    double best = CLOCK_NEVER;
    for (int round = 0; round < (c->quick ? 1 : ROUNDS); round++) {
        if (k->prepare != NULL)
            k->prepare(context, n);
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

#define LOOKUPS ((uint64_t)200000) /* in a round */

typedef struct table_state {
    table map, cache;
    uint64_t entries; /* keys 0 … entries - 1 are in the map */
    rng random;
    holos_key keys[LOOKUPS + AHEAD];
} table_state;

/* A plain packing, as a game makes it; the table has to mix it. */
static holos_key table_key(uint64_t n)
{
    return (holos_key){.hi = n & 7, .lo = n << 3};
}

static void draw_keys(table_state *s, uint64_t n, uint64_t first)
{
    for (uint64_t i = 0; i < n + AHEAD; i++)
        s->keys[i] = table_key(first + rng_below(&s->random, s->entries));
}

static void draw_known(void *context, uint64_t n)
{
    draw_keys(context, n, 0);
}

static void draw_unknown(void *context, uint64_t n)
{
    table_state *s = context;
    draw_keys(s, n, s->entries);
}

/* For comparison with a lookup: one read at the place where it would begin. */
static void read_home(void *context, uint64_t n)
{
    table_state *s = context;
    const table *t = &s->map;
    for (uint64_t i = 0; i < n; i++)
        KEEP(table_slot_key(t->slots + table_home(t, table_mix(s->keys[i])) * t->slot_size)->hi);
}

static void find(void *context, uint64_t n)
{
    table_state *s = context;
    for (uint64_t i = 0; i < n; i++)
        KEEP(table_find(&s->map, s->keys[i]));
}

static void find_ahead(void *context, uint64_t n)
{
    table_state *s = context;
    for (uint64_t i = 0; i < n; i++) {
        table_prefetch(&s->map, s->keys[i + AHEAD]);
        KEEP(table_find(&s->map, s->keys[i]));
    }
}

static void cache_find(void *context, uint64_t n)
{
    table_state *s = context;
    for (uint64_t i = 0; i < n; i++)
        KEEP(table_find(&s->cache, s->keys[i]));
}

static uint32_t first_word(const void *payload)
{
    return *(const uint32_t *)payload;
}

static void cache_replace(void *context, uint64_t n)
{
    table_state *s = context;
    for (uint64_t i = 0; i < n; i++)
        *(uint32_t *)table_replace(&s->cache, s->keys[i], first_word) = (uint32_t)i;
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
    {"table-random-read", "reads/s", read_home, LOOKUPS, LOOKUPS, draw_known},
    {"table-find-hit", "lookups/s", find, LOOKUPS, LOOKUPS, draw_known},
    {"table-find-miss", "lookups/s", find, LOOKUPS, LOOKUPS, draw_unknown},
    {"table-find-hit-prefetch", "lookups/s", find_ahead, LOOKUPS, LOOKUPS, draw_known},
    {"table-find-miss-prefetch", "lookups/s", find_ahead, LOOKUPS, LOOKUPS, draw_unknown},
    {"table-next", "entries/s", walk, 1000000, 100000, NULL},
    {"cache-replace", "entries/s", cache_replace, LOOKUPS, LOOKUPS, draw_known},
    {"cache-find", "lookups/s", cache_find, LOOKUPS, LOOKUPS, draw_known},
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

/* Touches the memory, so that no case waits for the system to provide it. */
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
    table_state *s = mem_alloc(NULL, sizeof *s);
    if (s == NULL)
        return mem_error(&c->error, NULL, sizeof *s, "the keys");
    s->entries = bytes / TABLE_PER_ENTRY;
    rng_init(&s->random, c->seed, 0);
    warm_up(&budget, bytes);
    holos_status status = table_measure(c, s, &budget, bytes);
    mem_free(NULL, s, sizeof *s);
    return status;
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

static void hear_nothing(void *context, const holos_progress *state)
{
    (void)context;
    (void)state;
}

static const core_case small_cases[] = {
    {"rng-next", "numbers/s", run_rng, 5000000, 100000, NULL},
    {"rng-below", "numbers/s", run_rng_below, 2000000, 100000, NULL},
    {"hash-mix", "numbers/s", run_mix, 5000000, 100000, NULL},
    {"hash-bytes-32", "hashes/s", run_hash_32, 500000, 100000, NULL},
    {"hash-bytes-4096", "hashes/s", run_hash_4096, 20000, 1000, NULL},
    {"json-object", "objects/s", run_json, 10000, 1000, NULL},
    {"progress-add", "calls/s", run_progress, 500000, 100000, NULL},
};

static holos_status bench_small(bench_context *c)
{
    small_state s = {0};
    rng_init(&s.random, c->seed, 1);
    text_init(&s.out);
    progress_init(&s.silent, hear_nothing, NULL, 0.1);
    progress_begin(&s.silent, "bench", "calls", 0);
    holos_status status = measure_all(c, small_cases, COUNT(small_cases), &s);
    progress_free(&s.silent);
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
    {"pool-round", "rounds/s", run_pool_rounds, 1000, 100, NULL},
    {"pool-job", "jobs/s", run_pool_jobs, 2000000, 10000, NULL},
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
