/* SPDX-License-Identifier: MIT */

/* Stores: the rows of a graph in and out of every type of store, single rows by their keys, and bytes per row. Files go into a temporary
 * folder; a server takes part if HOLOS_POSTGRES or HOLOS_BIGTABLE has the URL of a store that may be replaced
 * (scripts/bench-stores starts servers). Times of a server are by the clock on the wall: most of the work is not ours. */

#include "bench.h"
#include "chart.h"

#include "core/clock.h"
#include "core/rng.h"
#include "session/build.h"
#include "store/rows.h"

#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TYPES = 8, BATCH = 10000, ASKED = 256 };

/* Rows that an emulator takes in a reasonable time. */
#define REMOTE_MOST 500000u

typedef struct store_bench {
    bench_context *c;
    char folder[64];
    holos_variant *v;
    holos_row *rows;
    uint64_t count;
    chart_row marks[TYPES];
    size_t mark_count;
} store_bench;

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *walk)
{
    (void)st;
    (void)type;
    (void)walk;
    return remove(path);
}

/* ---- The rows ---------------------------------------------------------------------------------- */

static bool row_keep(void *context, const holos_row *row)
{
    store_bench *b = context;
    b->rows[b->count++] = *row;
    return true;
}

static holos_status rows_make(store_bench *b)
{
    bench_context *c = b->c;
    char url[96];
    build_report r = {0};
    store *s;
    snprintf(url, sizeof url, "file:%s/graph", b->folder);
    holos_status status = holos_open(c->quick ? "kalah:3,3" : "kalah:4,3", &b->v, &c->error);
    build_request request = {
        .v = b->v, .url = url, .mode = STORE_CREATE, .threads = 1, .memory = c->mem, .stop = c->stop};
    if (status == HOLOS_OK)
        status = build_graph(&request, &r, &c->error);
    if (status == HOLOS_OK)
        b->rows = malloc((r.positions + 1) * sizeof *b->rows);
    build_report_free(&r);
    if (status == HOLOS_OK && b->rows == NULL)
        status = error_system(&c->error, "the rows");
    if (status == HOLOS_OK)
        status = store_open(url, &(store_options){.mode = STORE_READ}, &s, &c->error);
    if (status != HOLOS_OK)
        return status;
    status = s->backend->scan(s, &STORE_ALL, row_keep, b, &c->error);
    store_close(s);
    return status;
}

/* ---- One type ---------------------------------------------------------------------------------- */

typedef struct measured {
    double begun_wall, begun_cpu;
} measured;

static measured measure_begin(void)
{
    return (measured){clock_wall(), clock_cpu()};
}

/* Reports a rate; returns it. */
static double measure_end(store_bench *b, measured m, const char *scheme, const char *what, bool remote,
                          uint64_t n, const char *unit, holos_status *status)
{
    double cpu = clock_cpu() - m.begun_cpu, wall = clock_wall() - m.begun_wall;
    char name[48];
    snprintf(name, sizeof name, "%s %s", scheme, what);
    *status = remote ? bench_figure(b->c, name, n, (double)n / wall, unit)
                     : bench_report(b->c, name, n, cpu, unit, 0);
    return (double)n / (remote ? wall : cpu);
}

static holos_status rows_write(store_bench *b, const char *url, uint64_t count, store_facts *facts)
{
    store *s;
    store_options o = {.mode = STORE_RESTART, .kind = STORE_GRAPH, .v = b->v, .stop = b->c->stop};
    holos_status status = store_open(url, &o, &s, &b->c->error);
    if (status != HOLOS_OK)
        return status;
    for (uint64_t at = 0; status == HOLOS_OK && at < count; at += BATCH)
        status = s->backend->put(s, b->rows + at, count - at < BATCH ? count - at : BATCH, &b->c->error);
    if (status == HOLOS_OK)
        status = s->backend->finish(s, &b->c->error);
    if (status == HOLOS_OK)
        s->backend->facts(s, facts);
    store_close(s);
    return status;
}

static bool row_sum(void *context, const holos_row *row)
{
    *(uint64_t *)context += row->identity.lo;
    return true;
}

/* Keys at random, ASKED at a time, from blocks that have been checked before and are not kept in memory. */
static holos_status rows_ask(store_bench *b, store *s, uint64_t from, uint64_t *asked)
{
    holos_key keys[ASKED];
    holos_row rows[ASKED];
    bool found[ASKED];
    rng random;
    holos_status status = HOLOS_OK;
    uint64_t rounds = *asked / ASKED;
    rng_init(&random, b->c->seed, 0);
    *asked = 0;
    for (uint64_t i = 0; status == HOLOS_OK && i < rounds; i++, *asked += ASKED) {
        for (int k = 0; k < ASKED; k++)
            keys[k] = b->rows[rng_below(&random, from)].identity;
        status = s->backend->get(s, keys, ASKED, rows, found, &b->c->error);
    }
    return status;
}

static holos_status reads_measure(store_bench *b, const char *url, const char *scheme, uint64_t count,
                                  bool remote, chart_row *mark)
{
    store *s;
    uint64_t sum = 0, from = count < 16 * ROWS_BLOCK ? count : 16 * ROWS_BLOCK, asked = 4 * ASKED;
    holos_status status = store_open(
        url, &(store_options){.mode = STORE_READ, .cache = 1, .stop = b->c->stop}, &s, &b->c->error);
    if (status != HOLOS_OK)
        return status;
    measured m = measure_begin();
    status = s->backend->scan(s, &STORE_ALL, row_sum, &sum, &b->c->error);
    if (status == HOLOS_OK)
        mark->marks[1].median = measure_end(b, m, scheme, "out", remote, count, "rows/s", &status);
    if (status == HOLOS_OK)
        status = rows_ask(b, s, from, &asked); /* checks the blocks */
    asked = b->c->quick ? 2 * ASKED : 40 * ASKED;
    m = measure_begin();
    if (status == HOLOS_OK)
        status = rows_ask(b, s, from, &asked);
    if (status == HOLOS_OK)
        mark->marks[2].median = measure_end(b, m, scheme, "single rows", remote, asked, "rows/s", &status);
    store_close(s);
    return status;
}

static holos_status type_measure(store_bench *b, const store_backend *backend, const char *url)
{
    bool remote = (backend->can & STORE_REMOTE) != 0;
    uint64_t count =
        strcmp(backend->scheme, "bigtable") == 0 && b->count > REMOTE_MOST ? REMOTE_MOST : b->count;
    store_facts facts;
    char name[48];
    chart_row *mark = &b->marks[b->mark_count++];
    mark->name = backend->scheme;
    measured m = measure_begin();
    holos_status status = rows_write(b, url, count, &facts);
    if (status == HOLOS_OK)
        mark->marks[0].median = measure_end(b, m, backend->scheme, "in", remote, count, "rows/s", &status);
    snprintf(name, sizeof name, "%s size", backend->scheme);
    if (status == HOLOS_OK)
        status = bench_figure(b->c, name, count, (double)facts.bytes / (double)count, "bytes/row");
    if (status == HOLOS_OK)
        status = reads_measure(b, url, backend->scheme, count, remote, mark);
    for (int i = 0; i < 3; i++) {
        mark->marks[i].worst = mark->marks[i].median;
        mark->marks[i].there = mark->marks[i].all = status == HOLOS_OK;
    }
    return status;
}

/* ---- All of them ------------------------------------------------------------------------------- */

/* Where a store of this type may lie; NULL: nowhere. */
static const char *place_of(const store_bench *b, const store_backend *backend, char url[128])
{
    text ignored;
    bool there = backend->missing == NULL;
    text_init(&ignored);
    if (there && backend->library != NULL)
        there = backend->library(&ignored);
    text_free(&ignored);
    if (!there)
        return NULL;
    if (strcmp(backend->scheme, "postgres") == 0)
        return getenv("HOLOS_POSTGRES");
    if (strcmp(backend->scheme, "bigtable") == 0)
        return getenv("HOLOS_BIGTABLE");
    snprintf(url, 128, "%s:%s/%s", backend->scheme, b->folder, backend->scheme);
    return url;
}

static holos_status plot_write(const store_bench *b)
{
    static const char *const series[] = {"in", "out", "single rows", NULL};
    return b->c->plot == NULL ? HOLOS_OK
                              : chart_write(&(chart){.title = "stores: rows per second",
                                                     .series = series,
                                                     .rows = b->marks,
                                                     .row_count = b->mark_count,
                                                     .rates = true},
                                            b->c->plot, &b->c->error);
}

holos_status bench_store(bench_context *c)
{
    store_bench b = {.c = c, .folder = "/tmp/holos_bench_XXXXXX"};
    if (mkdtemp(b.folder) == NULL)
        return error_system(&c->error, "a temporary folder");
    holos_status status = rows_make(&b);
    for (size_t i = 0; status == HOLOS_OK && store_backend_at(i) != NULL && b.mark_count < TYPES; i++) {
        char room[128];
        const char *url = place_of(&b, store_backend_at(i), room);
        if (url != NULL)
            status = type_measure(&b, store_backend_at(i), url);
    }
    if (status == HOLOS_OK)
        status = plot_write(&b);
    free(b.rows);
    holos_close(b.v);
    nftw(b.folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    return status;
}
