/* SPDX-License-Identifier: MIT */

/* More than one process: `mpirun -n N holos bench cluster --cluster`. Rates by the clock on the wall, since ranks wait for each other; bytes a
 * position, messages, and how evenly positions are spread. The constants of the model (src/cluster/model.h) come from here. */

#include "bench.h"

#include "cluster/cluster.h"
#include "core/clock.h"
#include "session/build.h"

#include <stdlib.h>
#include <string.h>

enum { ROUND_TRIPS = 2000 };

/* What the cases share. */
typedef struct cluster_bench {
    bench_context *c;
    holos_cluster *cluster; /* NULL: this process alone */
    unsigned ranks;
    uint64_t bytes, messages; /* that had been sent before */
} cluster_bench;

static holos_status figure(cluster_bench *b, const char *name, uint64_t n, double value, const char *unit)
{
    return holos_cluster_rank(b->cluster) == 0 ? bench_figure(b->c, name, n, value, unit) : HOLOS_OK;
}

/* ---- Builds ------------------------------------------------------------------------------------ */

static holos_status build_run(cluster_bench *b, const char *game, bool graph, uint32_t top, build_report *r)
{
    bench_context *c = b->c;
    holos_variant *v = NULL;
    holos_status status = holos_open(game, &v, &c->error);
    build_request request = {
        .v = v,
        .top = top,
        .threads = 1,
        .memory = c->mem != 0 ? c->mem : mem_spare() / (b->cluster != NULL ? b->cluster->here : 1),
        .stop = c->stop,
        .cluster = b->cluster};
    if (status == HOLOS_OK)
        status = graph ? build_graph(&request, r, &c->error) : build_database(&request, r, &c->error);
    holos_close(v);
    return status;
}

/* What travels for a position, and how many messages there are; nothing does in one process. */
static holos_status traffic_report(cluster_bench *b, const char *name, const build_report *r, double seconds)
{
    char words[64];
    uint64_t sent[2] = {0};
    if (b->ranks == 1)
        return HOLOS_OK;
    sent[0] = b->cluster->bytes - b->bytes;
    sent[1] = b->cluster->messages - b->messages;
    cluster_sum(b->cluster, sent, 2);
    b->bytes = b->cluster->bytes;
    b->messages = b->cluster->messages;
    snprintf(words, sizeof words, "%s-bytes", name);
    holos_status status =
        figure(b, words, r->positions, (double)sent[0] / (double)r->positions, "bytes/position");
    snprintf(words, sizeof words, "%s-messages", name);
    return status == HOLOS_OK ? figure(b, words, sent[1], (double)sent[1] / seconds, "messages/s") : status;
}

static holos_status database_measure(cluster_bench *b)
{
    build_report r = {0};
    holos_status status = build_run(b, "kalah:6,4", false, b->c->quick ? 10 : 20, &r);
    if (status == HOLOS_OK)
        status = figure(b, "database", r.positions, (double)r.positions / r.seconds, "positions/s");
    if (status == HOLOS_OK)
        status = traffic_report(b, "database", &r, r.seconds);
    build_report_free(&r);
    return status;
}

static holos_status graph_measure(cluster_bench *b)
{
    build_report r = {0};
    holos_status status = build_run(b, b->c->quick ? "connect4:4x4" : "connect4:5x4", true, 0, &r);
    double seconds = r.reach_seconds + r.solve_seconds;
    if (status == HOLOS_OK)
        status = figure(b, "graph-reach", r.positions, (double)r.positions / r.reach_seconds, "positions/s");
    if (status == HOLOS_OK)
        status = figure(b, "graph-values", r.positions, (double)r.positions / r.solve_seconds, "positions/s");
    if (status == HOLOS_OK)
        status = figure(b, "graph", r.positions, (double)r.positions / seconds, "positions/s");
    if (status == HOLOS_OK)
        status = traffic_report(b, "graph", &r, seconds);
    if (status == HOLOS_OK && b->ranks > 1)
        status =
            figure(b, "graph-skew", r.positions, (double)r.rank_most / (double)r.rank_least, "most/least");
    build_report_free(&r);
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
    if (block == NULL)
        abort(); /* the others wait */
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
    holos_status status = figure(b, "messages", ROUND_TRIPS, 2 * ROUND_TRIPS / trips, "messages/s");
    return status == HOLOS_OK ? figure(b, "bandwidth", size, (double)size / shared, "bytes/s") : status;
}

holos_status bench_cluster(bench_context *c)
{
    cluster_bench b = {.c = c, .cluster = c->cluster, .ranks = holos_cluster_ranks(c->cluster)};
    holos_status status = figure(&b, "ranks", b.ranks, b.ranks, "ranks");
    if (status == HOLOS_OK)
        status = database_measure(&b);
    if (status == HOLOS_OK)
        status = graph_measure(&b);
    if (status == HOLOS_OK && b.ranks > 1)
        status = network_measure(&b);
    return status;
}
