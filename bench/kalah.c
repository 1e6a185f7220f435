/* SPDX-License-Identifier: MIT */

/* Kalah: databases built by the kernel and position by position, the reachable graph, lookups in a store, and a
 * search from the start of 6,4 down to a database. Stores go into a temporary folder. */

#include "bench.h"

#include "core/clock.h"
#include "core/pool.h"
#include "core/rng.h"
#include "session/build.h"

#include <ftw.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct kalah_bench {
    bench_context *c;
    char folder[64];
    char url[96];
} kalah_bench;

static holos_status open_variant(bench_context *c, const char *name, holos_variant **out)
{
    return holos_open(name, out, &c->error);
}

/* Computing alone: CPU time in the kernel, whatever else the machine is doing. */
static holos_status measure_database(kalah_bench *b, uint32_t top, bool no_hot, const char *label)
{
    bench_context *c = b->c;
    holos_variant *v;
    build_report r = {0};
    if (open_variant(c, "kalah:6,4", &v) != HOLOS_OK)
        return c->error.code;
    build_request request = {
        .v = v, .top = top, .no_hot = no_hot, .threads = 1, .memory = c->mem, .stop = c->stop};
    holos_status status = build_database(&request, &r, &c->error);
    if (status == HOLOS_OK)
        status = bench_report(c, label, r.computed, r.solve_seconds, "positions/s", 0);
    build_report_free(&r);
    holos_close(v);
    return status;
}

/* Including compression and files, on all threads. */
static holos_status measure_store(kalah_bench *b, uint32_t top)
{
    bench_context *c = b->c;
    holos_variant *v;
    build_report r = {0};
    if (open_variant(c, "kalah:6,4", &v) != HOLOS_OK)
        return c->error.code;
    build_request request = {.v = v,
                             .url = b->url,
                             .mode = STORE_CREATE,
                             .top = top,
                             .threads = c->threads != 0 ? c->threads : pool_processors(),
                             .memory = c->mem,
                             .stop = c->stop};
    double begun = clock_cpu();
    holos_status status = build_database(&request, &r, &c->error);
    if (status == HOLOS_OK)
        status = bench_report(c, "to a store", r.computed, clock_cpu() - begun, "positions/s", 0);
    build_report_free(&r);
    holos_close(v);
    return status;
}

/* Random positions of the largest tier, looked up again and again. */
static holos_status measure_lookups(kalah_bench *b, uint64_t count)
{
    bench_context *c = b->c;
    store *s;
    store_facts facts;
    rng random;
    store_options o = {.mode = STORE_READ, .cache = (size_t)2 << 30};
    if (store_open(b->url, &o, &s, &c->error) != HOLOS_OK)
        return c->error.code;
    s->backend->facts(s, &facts);
    holos_position *list = aligned_alloc(16, count * s->v->position_size);
    const holos_index *index = s->v->game->index;
    holos_status status = list == NULL ? error_system(&c->error, "lookups") : HOLOS_OK;
    rng_init(&random, c->seed, 0);
    for (uint64_t i = 0; status == HOLOS_OK && i < count; i++) {
        holos_place place = {.tier = facts.top};
        place.part = (uint32_t)rng_below(&random, index->parts(s->v, place.tier));
        place.index = rng_below(&random, index->size(s->v, place.tier, place.part));
        index->unrank(s->v, place, position_at(s->v, list, i));
    }
    for (int round = 0; status == HOLOS_OK && round < 2; round++) {
        double begun = clock_cpu();
        for (uint64_t i = 0; status == HOLOS_OK && i < count; i++) {
            int32_t score;
            bool found;
            status = store_score(s, position_at(s->v, list, i), &score, &found, &c->error);
        }
        if (status == HOLOS_OK)
            status = bench_report(c, round == 0 ? "lookups, cold" : "lookups, warm", count,
                                  clock_cpu() - begun, "lookups/s", 0);
    }
    free(list);
    store_close(s);
    return status;
}

static holos_status measure_start(kalah_bench *b, const char *game)
{
    bench_context *c = b->c;
    holos_variant *v = NULL;
    holos_solver *solver = NULL;
    holos_position *start = NULL;
    holos_result r;
    holos_knowledge *known = NULL;
    holos_knowledge_options o = {.memory = (size_t)2 << 30};
    holos_status status = holos_open(game, &v, &c->error);
    if (status == HOLOS_OK)
        status = holos_knowledge_open(b->url, v, &o, &known, &c->error);
    holos_solver_options options = {.limits = {.memory = (size_t)2 << 30, .stop = c->stop},
                                    .boundary = holos_knowledge_boundary(known)};
    if (status == HOLOS_OK)
        status = holos_solver_open(v, &options, &solver, &c->error);
    start = status == HOLOS_OK ? holos_position_new(v) : NULL;
    if (start != NULL) {
        holos_start(v, start, NULL);
        double begun = clock_cpu();
        status = holos_solver_solve(solver, start, &r, &c->error);
        if (status == HOLOS_OK)
            status =
                bench_report(c, "start down to the store", r.nodes, clock_cpu() - begun, "nodes/s", r.nodes);
    }
    holos_position_free(start);
    holos_solver_close(solver);
    holos_knowledge_close(known);
    holos_close(v);
    return status;
}

static holos_status measure_graph(kalah_bench *b, const char *game, const char *url, const char *label)
{
    bench_context *c = b->c;
    holos_variant *v;
    build_report r = {0};
    if (open_variant(c, game, &v) != HOLOS_OK)
        return c->error.code;
    build_request request = {.v = v,
                             .url = url,
                             .mode = STORE_CREATE,
                             .threads = c->threads != 0 ? c->threads : pool_processors(),
                             .memory = c->mem,
                             .stop = c->stop};
    double begun = clock_cpu();
    holos_status status = build_graph(&request, &r, &c->error);
    if (status == HOLOS_OK)
        status = bench_report(c, label, r.positions, clock_cpu() - begun, "positions/s", 0);
    build_report_free(&r);
    holos_close(v);
    return status;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
    (void)st;
    (void)kind;
    (void)where;
    return remove(path);
}

static holos_status measure_all(kalah_bench *b)
{
    bool quick = b->c->quick;
    const char *graph = quick ? "kalah:3,2" : "kalah:4,3";
    char database[96];
    snprintf(b->url, sizeof b->url, "file:%s/db", b->folder);
    snprintf(database, sizeof database, "sqlite:%s/graph.db", b->folder);
    holos_status status = measure_database(b, quick ? 10 : 22, false, "kernel");
    if (status == HOLOS_OK)
        status = measure_database(b, quick ? 6 : 13, true, "position by position");
    if (status == HOLOS_OK)
        status = measure_store(b, quick ? 10 : 22);
    if (status == HOLOS_OK)
        status = measure_lookups(b, quick ? 10000 : 1000000);
    if (status == HOLOS_OK)
        status = measure_start(b, quick ? "kalah:6,1" : "kalah:6,4");
    if (status == HOLOS_OK)
        status = measure_graph(b, graph, NULL, quick ? "graph of 3,2" : "graph of 4,3");
    if (status == HOLOS_OK)
        status = measure_graph(b, graph, database, "graph to sqlite");
    return status;
}

holos_status bench_kalah(bench_context *c)
{
    kalah_bench b = {.c = c, .folder = "/tmp/holos-bench-XXXXXX"};
    if (mkdtemp(b.folder) == NULL)
        return error_system(&c->error, "a temporary folder");
    holos_status status = measure_all(&b);
    nftw(b.folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return status;
}
