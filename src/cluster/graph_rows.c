/* SPDX-License-Identifier: MIT */

/* The rows of a graph that is shared, in their order. Each rank sorts its own for a long time, and hears of the others nothing but that one is asked to
 * stop. */

#include "cluster/handout.h"
#include "cluster/merge.h"
#include "cluster/owner.h"
#include "cluster/ranges.h"

/* Rows on their way from a graph to a merger, or from that to whoever wants them. */
typedef struct row_way {
    cluster_graph *g;
    const holos_stop *stop;
    merge_take *take;
    graph_take *rows;
    void *context;
} row_way;

static holos_status rows_to_records(void *context, const holos_row *rows, size_t count, holos_error *err)
{
    const row_way *way = context;
    return way->take(way->context, rows, count, err);
}

static holos_status rows_give(void *from, merge_take *take, void *context, holos_error *err)
{
    const row_way *way = from;
    row_way on = {.take = take, .context = context};
    return graph_rows(way->g->w, way->stop, way->g->q.progress, rows_to_records, &on, err);
}

static holos_status records_to_rows(void *context, const void *records, size_t count, holos_error *err)
{
    const row_way *way = context;
    return way->rows(way->context, records, count, err);
}

_Static_assert(offsetof(holos_row, identity) == 0, "rows are sorted by what they begin with");

static holos_status rows_merge(void *context, const holos_stop *stop, holos_error *err)
{
    row_way *to = context, from = {.g = to->g, .stop = stop};
    return cluster_merge(to->g->q.cluster, sizeof(holos_row), rows_give, &from, records_to_rows, to, err);
}

holos_status cluster_graph_rows(cluster_graph *g, graph_take *take, void *context, holos_error *err)
{
    row_way to = {.g = g, .rows = take, .context = context};
    return handout_together(g->q.cluster, g->q.stop, rows_merge, &to, err);
}

/* ---- Packed ------------------------------------------------------------------------------------ */

static holos_status records_pack(void *context, const void *records, size_t count, unsigned char *out,
                                 size_t *size, holos_error *err)
{
    const graph_packing *how = context;
    return how->pack(how->context, records, count, out, size, err);
}

static holos_status packed_take(void *context, const unsigned char *bytes, size_t size, holos_error *err)
{
    const graph_packing *how = context;
    return how->take(how->context, bytes, size, err);
}

/* How a graph is packed. */
typedef struct pack_work {
    cluster_graph *g;
    graph_packing how;
} pack_work;

static holos_status rows_pack_ranges(void *context, const holos_stop *stop, holos_error *err)
{
    pack_work *work = context;
    cluster_graph *g = work->g;
    const graph_packing *how = &work->how;
    row_way from = {.g = g, .stop = stop};
    ranges_request q = {.record = sizeof(holos_row),
                        .block = how->block,
                        .room = how->room,
                        .give = rows_give,
                        .from = &from,
                        .pack = records_pack,
                        .take = packed_take,
                        .context = &work->how};
    return cluster_ranges(g->q.cluster, g->q.budget, &q, err);
}

holos_status cluster_graph_pack(cluster_graph *g, const graph_packing *how, holos_error *err)
{
    pack_work work = {.g = g, .how = *how};
    return handout_together(g->q.cluster, g->q.stop, rows_pack_ranges, &work, err);
}
