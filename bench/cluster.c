/* SPDX-License-Identifier: MIT */

/* More than one process: `mpirun -n N holos bench cluster --cluster`. Rates, bytes a position, messages, how evenly positions are spread;
 * and what the model (src/cluster/model.h) says of the same work, from constants that are measured in the same run: rank 0
 * works alone while the others sleep, then all of them together, in turns.
 *
 * Ranks that wait sleep. So what they take on a quiet machine is their processor time divided by the cores that they can use, as long as the work is
 * evenly spread; and that is hardly disturbed by other work on the machine, as the time on the wall is. */

#include "bench.h"

#include "cluster/exchange.h"
#include "cluster/model.h"
#include "cluster/spread.h"
#include "core/clock.h"
#include "core/pool.h"
#include "engine/wave/wave.h"
#include "session/build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of a rank that do not become fewer with more ranks, most of them for what travels: 1.4 MB for kalah:3,6, 4.0 MB for connect4:5x4
 * (`mpirun -n 1 holos build GAME --graph --cluster --json`, and with -n 4). */
#define GRAPH_BASE 2.5e6

enum { ROUND_TRIPS = 2000, TURNS = 5, ROUNDS = 400, RECORDS = 1 << 15 };

/* What the cases share. */
typedef struct cluster_bench {
    bench_context *c;
    holos_cluster *cluster; /* NULL: this process alone */
    unsigned ranks, cores;
    model_machine machine;
} cluster_bench;

static holos_status figure(cluster_bench *b, const char *name, uint64_t n, double value, const char *unit)
{
    return holos_cluster_rank(b->cluster) == 0 ? bench_figure(b->c, name, n, value, unit) : HOLOS_OK;
}

/* ---- Builds ------------------------------------------------------------------------------------ */

/* What is built: a graph, or a database up to a tier. */
typedef struct work {
    const char *name, *game;
    uint32_t top;
    bool graph, spread;
    bool lone; /* its constants are those of a process alone, not of one rank */
} work;

typedef struct sample {
    double seconds; /* on a quiet machine */
    build_report report;
} sample;

static holos_status build_run(cluster_bench *b, const holos_variant *v, const work *w, holos_cluster *cluster,
                              build_report *r)
{
    bench_context *c = b->c;
    build_request request = {
        .v = v,
        .top = w->top,
        .spread = w->spread,
        .threads = 1,
        .memory = c->mem != 0 ? c->mem : mem_spare() / (b->cluster != NULL ? b->cluster->here : 1),
        .stop = c->stop,
        .cluster = cluster};
    return w->graph ? build_graph(&request, r, &c->error) : build_database(&request, r, &c->error);
}

/* By rank 0 alone, in this process alone or as one rank. */
static holos_status run_alone(cluster_bench *b, const holos_variant *v, const work *w, sample *out)
{
    uint64_t word = 0;
    holos_cluster one = cluster_alone(&word);
    double begun = clock_cpu();
    holos_status status = HOLOS_OK;
    if (holos_cluster_rank(b->cluster) == 0)
        status = build_run(b, v, w, w->lone ? NULL : &one, &out->report);
    out->seconds = clock_cpu() - begun;
    return cluster_agree(b->cluster, status, &b->c->error);
}

/* By all ranks. */
static holos_status run_shared(cluster_bench *b, const holos_variant *v, const work *w, sample *out)
{
    double begun = clock_cpu();
    b->cluster->bytes = b->cluster->messages = 0; /* of this run */
    holos_status status = build_run(b, v, w, b->cluster, &out->report);
    uint64_t spent = (uint64_t)(1e9 * (clock_cpu() - begun));
    if (status != HOLOS_OK)
        return status;
    cluster_sum(b->cluster, &spent, 1);
    out->seconds = 1e-9 * (double)spent / (b->ranks < b->cores ? b->ranks : b->cores);
    return HOLOS_OK;
}

static int seconds_compare(const void *a, const void *b)
{
    double x = ((const sample *)a)->seconds, y = ((const sample *)b)->seconds;
    return (x > y) - (x < y);
}

typedef holos_status run_way(cluster_bench *b, const holos_variant *v, const work *w, sample *out);

/* Alone and shared in turns; the least of each, which other work on the machine and its host have disturbed least. The caller frees the
 * reports. */
static holos_status work_run(cluster_bench *b, const holos_variant *v, const work *w, sample out[2])
{
    static run_way *const ways[2] = {run_alone, run_shared};
    sample all[2][TURNS] = {0};
    unsigned turns = b->c->quick ? 1 : TURNS, count = b->cluster != NULL ? 2 : 1;
    holos_status status = HOLOS_OK;
    for (unsigned turn = 0; turn < turns; turn++)
        for (unsigned i = 0; status == HOLOS_OK && i < count; i++)
            status = ways[i](b, v, w, &all[i][turn]);
    for (unsigned i = 0; i < 2; i++) {
        qsort(all[i], turns, sizeof **all, seconds_compare);
        out[i] = all[i][0];
        for (unsigned turn = 1; turn < turns; turn++)
            build_report_free(&all[i][turn].report);
    }
    return status;
}

/* What each of the ranks of this machine has of a database: a share of the tables, and all that goes with them. */
static uint64_t share_memory(const cluster_bench *b, const build_report *alone)
{
    return alone->memory - alone->positions + alone->positions / b->cluster->together;
}

static model_plan work_model(const cluster_bench *b, const holos_variant *v, const work *w, const sample *one)
{
    const build_report *r = &one->report;
    if (w->spread)
        return model_spread(v, w->top, one->seconds, spread_memory(v, w->top, b->ranks), b->ranks,
                            b->machine);
    if (!w->graph)
        return model_database(v, w->top, b->ranks, b->cluster->machines, 1, one->seconds, share_memory(b, r),
                              b->machine);
    holos_wave_options o = {.graph = true, .unfolded = true, .all_moves = true};
    wave_ways ways = wave_ways_of(v, &o);
    model_graph_costs each = {.positions = (double)r->positions,
                              .moves = (double)r->edges,
                              .heights = v->game->height != NULL,
                              .layers = (double)r->level_count,
                              .seconds = one->seconds,
                              .memory = ((double)r->memory - GRAPH_BASE) / (double)r->positions,
                              .base = GRAPH_BASE,
                              .key_words = (unsigned)(wave_bytes_each(&ways) / sizeof(uint64_t)) - 1};
    return model_graph(&each, b->ranks, b->machine);
}

static holos_status named(cluster_bench *b, const work *w, const char *what, uint64_t n, double value,
                          const char *unit)
{
    char words[64];
    snprintf(words, sizeof words, "%s%s", w->name, what);
    return figure(b, words, n, value, unit);
}

/* What was found, and what the model says. */
static holos_status work_report(cluster_bench *b, const holos_variant *v, const work *w, const sample out[2])
{
    const build_report *r = &out[1].report;
    double n = (double)r->positions;
    model_plan model = work_model(b, v, w, &out[0]);
    const struct {
        const char *what, *unit;
        double value;
        bool shown;
    } all[] = {
        {"", "positions/s", n / out[1].seconds, true},
        {"-model", "positions/s", n / model.seconds, true},
        {"-reach", "positions/s", n / r->reach_seconds, w->graph},
        {"-values", "positions/s", n / r->solve_seconds, w->graph},
        {"-bytes", "bytes/position", (double)r->traffic / n, b->ranks > 1},
        {"-bytes-model", "bytes/position", (double)model.traffic / n, b->ranks > 1},
        {"-messages", "messages/s", (double)r->messages / out[1].seconds, b->ranks > 1},
        {"-memory", "bytes", (double)r->memory, true},
        {"-memory-model", "bytes", (double)model.memory, true},
        {"-skew", "most/least", (double)r->rank_most / (double)r->rank_least, w->graph && b->ranks > 1},
    };
    holos_status status = HOLOS_OK;
    for (size_t i = 0; status == HOLOS_OK && i < sizeof all / sizeof *all; i++)
        if (all[i].shown)
            status = named(b, w, all[i].what, r->positions, all[i].value, all[i].unit);
    return status;
}

static holos_status work_measure(cluster_bench *b, const work *w)
{
    holos_variant *v = NULL;
    sample out[2] = {0};
    holos_status status = cluster_agree(b->cluster, holos_open(w->game, &v, &b->c->error), &b->c->error);
    if (status == HOLOS_OK)
        status = work_run(b, v, w, out);
    double rate = (double)out[0].report.positions / out[0].seconds;
    if (status == HOLOS_OK)
        status = named(b, w, "-alone", out[0].report.positions, rate, "positions/s");
    if (status == HOLOS_OK && b->cluster != NULL)
        status = work_report(b, v, w, out);
    for (int i = 0; i < 2; i++)
        build_report_free(&out[i].report);
    holos_close(v);
    return status;
}

/* ---- The network ------------------------------------------------------------------------------- */

/* Between ranks 0 and 1; the others wait. */
static holos_status network_measure(cluster_bench *b)
{
    holos_cluster *c = b->cluster;
    size_t size = b->c->quick ? (size_t)1 << 20 : (size_t)64 << 20;
    unsigned other = 1 - c->rank;
    char byte = 0, *block = calloc(1, size);
    holos_status status = block == NULL ? error_system(&b->c->error, "a message") : HOLOS_OK;
    status = holos_cluster_agree(c, status, &b->c->error);
    if (status != HOLOS_OK) {
        free(block);
        return status;
    }
    double begun = clock_wall();
    for (int i = 0; c->rank < 2 && i < ROUND_TRIPS; i++) {
        if (c->rank == 0)
            cluster_send(c, other, TAG_ROWS, &byte, 1);
        cluster_receive(c, other, TAG_ROWS, &byte, 1);
        if (c->rank == 1)
            cluster_send(c, other, TAG_ROWS, &byte, 1);
    }
    double trips = clock_wall() - begun;
    cluster_wait(c);
    begun = clock_wall();
    cluster_share(c, block, size, 0);
    cluster_wait(c);
    double shared = clock_wall() - begun;
    free(block);
    status = figure(b, "messages", ROUND_TRIPS, 2 * ROUND_TRIPS / trips, "messages/s");
    return status == HOLOS_OK ? figure(b, "bandwidth", size, (double)size / shared, "bytes/s") : status;
}

/* What goes into an exchange: nothing, records for this rank, or records for all ranks in turns. */
enum { ROUND_EMPTY, ROUND_OWN, ROUND_ALL, ROUND_KINDS };

static void records_exchange(exchange *x, int kind)
{
    const uint32_t record[2] = {0};
    for (unsigned k = 0; kind != ROUND_EMPTY && k < RECORDS; k++)
        exchange_put(x, kind == ROUND_OWN ? x->c->rank : k % x->c->ranks, record);
    x->own.size = 0;
    do {
        exchange_begin(x, 0, false);
        exchange_end(x);
    } while (x->unfinished > 0);
}

/* What an exchange takes: without bytes, and for each byte that travels, beyond what one that stays takes. */
static holos_status exchange_measure(cluster_bench *b)
{
    holos_cluster *c = b->cluster;
    exchange x = {0};
    uint64_t spent[ROUND_KINDS] = {0}, sent = 0;
    double running = b->ranks < b->cores ? b->ranks : b->cores, doublings = 0;
    holos_status status = exchange_init(&x, c, NULL, 2 * sizeof(uint32_t), &b->c->error);
    status = holos_cluster_agree(c, status, &b->c->error);
    for (unsigned n = 1; n < b->ranks; n *= 2)
        doublings++;
    for (int kind = 0; status == HOLOS_OK && kind < ROUND_KINDS; kind++) {
        records_exchange(&x, kind); /* the room grows to what is put */
        double begun = clock_cpu();
        uint64_t before = c->bytes;
        for (int i = 0; i < ROUNDS; i++)
            records_exchange(&x, kind);
        spent[kind] = (uint64_t)(1e9 * (clock_cpu() - begun));
        sent = c->bytes - before;
    }
    exchange_free(&x);
    if (status != HOLOS_OK)
        return status;
    cluster_sum(c, spent, ROUND_KINDS);
    cluster_sum(c, &sent, 1);
    double round = 1e-9 * (double)spent[ROUND_EMPTY] / running / ROUNDS; /* two calls */
    b->machine.latency = round / 2 / doublings;
    double more = (double)spent[ROUND_ALL] - (double)spent[ROUND_OWN];
    b->machine.copying = more > 0 ? 1e-9 * more / (double)sent : 0;
    status = figure(b, "call", ROUNDS, 1e6 * b->machine.latency, "us/doubling");
    return status == HOLOS_OK ? figure(b, "copying", sent, 1e9 * b->machine.copying, "ns/byte") : status;
}

holos_status bench_cluster(bench_context *c)
{
    bool quick = c->quick;
    const work all[] = {
        {.name = "database", .game = "kalah:6,4", .top = quick ? 10 : 20, .lone = true},
        {.name = "spread", .game = "kalah:4,3", .top = quick ? 12 : 20, .spread = true},
        {.name = "graph", .game = quick ? "connect4:4x4" : "connect4:5x4", .graph = true},
        {.name = "crossing", .game = quick ? "kalah:4,2" : "kalah:3,6", .graph = true},
    };
    cluster_bench b = {.c = c,
                       .cluster = c->cluster,
                       .ranks = holos_cluster_ranks(c->cluster),
                       .cores = pool_processors(),
                       .machine = {.bandwidth = INFINITY, .cold = MODEL_COLD}};
    b.machine.cores = b.cores;
    holos_status status = figure(&b, "ranks", b.ranks, b.ranks, "ranks");
    if (status == HOLOS_OK && b.ranks > 1)
        status = network_measure(&b);
    if (status == HOLOS_OK && b.ranks > 1)
        status = exchange_measure(&b);
    for (size_t i = 0; status == HOLOS_OK && i < sizeof all / sizeof *all; i++)
        status = work_measure(&b, &all[i]);
    return status;
}
