/* SPDX-License-Identifier: MIT */

/* The reachable graph, shared by the ranks of a cluster: the same rows as those of one process (graph.c). Rank 0 has the store;
 * every rank keeps what it has reached beside it, or where that would be on its machine. */

#include "cluster/graph.h"
#include "core/clock.h"
#include "core/file.h"
#include "session/build.h"
#include "session/job.h"
#include "store/rows.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Beside the store: one file a rank. NULL if nothing is kept, or without memory. */
static char *checkpoint_path(const build_request *b)
{
    text path;
    char *copy = NULL;
    text_init(&path);
    if (b->url != NULL) {
        place_beside(b->url, STORE_REACHED, &path);
        copy = path.failed ? NULL : strdup(path.data);
    }
    text_free(&path);
    return copy;
}

static holos_status checkpoint_folder(const char *path, holos_error *err)
{
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;
    if (slash == NULL || slash == path)
        return HOLOS_OK;
    char *folder = strndup(path, (size_t)(slash - path));
    holos_status status =
        folder == NULL ? error_system(err, "the checkpoint") : file_make_folder(folder, err);
    free(folder);
    return status;
}

/* What earlier runs with more ranks left, and what one process alone did. */
static void checkpoints_sweep(const build_request *b, const char *path)
{
    bool found = b->cluster->rank == 0 && path != NULL;
    if (found)
        unlink(path);
    for (unsigned i = b->cluster->ranks; found; i++) {
        text name;
        text_init(&name);
        text_printf(&name, "%s.%u", path, i);
        found = !name.failed && unlink(name.data) == 0;
        text_free(&name);
    }
}

/* What was generated is counted while values are found: nobody knows it before all are. */
static holos_status levels_take(build_report *r, const cluster_graph *g, bool valued, holos_error *err)
{
    r->level_count = cluster_graph_depth(g);
    r->levels = calloc(r->level_count + 1, sizeof *r->levels);
    if (r->levels == NULL)
        return error_system(err, "the report");
    for (size_t depth = 0; depth < r->level_count; depth++) {
        build_level *level = &r->levels[depth];
        cluster_layer at = cluster_graph_layer(g, depth);
        level->positions = at.positions;
        r->positions += at.positions;
        if (!valued)
            continue;
        level->generated = at.generated;
        level->duplicates =
            at.generated - (depth + 1 < r->level_count ? cluster_graph_layer(g, depth + 1).positions : 0);
        r->edges += level->generated;
        r->duplicates += level->duplicates;
    }
    return HOLOS_OK;
}

static void values_take(build_report *r, cluster_graph *g)
{
    graph_counts counts;
    holos_row start;
    cluster_graph_count(g, &counts);
    cluster_graph_start(g, &start);
    build_graph_values(r, &counts, &start);
    cluster_graph_skew(g, &r->rank_most, &r->rank_least);
}

/* Rows that all ranks pack. */
typedef struct packed_rows {
    build_rows to;
    rows_packer *packer;
} packed_rows;

static holos_status block_pack(void *context, const holos_row *rows, size_t count, unsigned char *out,
                               size_t *size, holos_error *err)
{
    const packed_rows *p = context;
    return rows_pack(p->packer, rows, (uint32_t)count, out, size, err);
}

static holos_status packed_keep(void *context, const unsigned char *bytes, size_t size, holos_error *err)
{
    packed_rows *p = context;
    uint64_t rows;
    holos_status status = p->to.s->backend->put_packed(p->to.s, bytes, size, &rows, err);
    build_rows_tell(&p->to, rows);
    return status;
}

static holos_status rows_pack_all(const build_rows *k, cluster_graph *g, holos_error *err)
{
    packed_rows p = {.to = *k};
    graph_packing how = {.block = ROWS_BLOCK,
                         .room = rows_packed_room(),
                         .pack = block_pack,
                         .take = packed_keep,
                         .context = &p};
    holos_status status = holos_cluster_agree(k->b->cluster, rows_packer_open(&p.packer, err), err);
    if (status == HOLOS_OK)
        status = cluster_graph_pack(g, &how, err);
    rows_packer_close(p.packer);
    return status;
}

static holos_status rows_keep(const build_request *b, cluster_graph *g, store *s, build_report *r,
                              holos_error *err)
{
    build_rows k = {.b = b, .s = s, .total = r->positions};
    double begun = clock_wall();
    bool packed = cluster_each(b->cluster, s != NULL && s->backend->put_packed != NULL)[0] != 0;
    holos_status status =
        packed ? rows_pack_all(&k, g, err) : cluster_graph_rows(g, build_rows_take, &k, err);
    progress_end(b->progress);
    if (status == HOLOS_OK && s != NULL)
        status = s->backend->finish(s, err);
    status = holos_cluster_agree(b->cluster, status, err);
    if (status == HOLOS_OK && s != NULL)
        s->backend->facts(s, &r->facts);
    r->store_seconds = clock_wall() - begun;
    return status;
}

static holos_status graph_make(const build_request *b, const char *path, mem_budget *budget,
                               cluster_graph **g, build_report *r, holos_error *err)
{
    double begun = clock_wall();
    cluster_graph_request q = {.v = b->v,
                               .cluster = b->cluster,
                               .budget = budget,
                               .spill = b->spill,
                               .path = path,
                               .resume = b->mode == STORE_RESUME,
                               .expected = b->expected,
                               .stop = b->stop,
                               .progress = b->progress};
    progress_begin(b->progress, "graph", "positions", 0);
    holos_status status = cluster_graph_reach(&q, g, err);
    progress_end(b->progress);
    r->reach_seconds = clock_wall() - begun;
    if (status == HOLOS_OK)
        status = cluster_graph_solve(*g, err);
    bool valued = status == HOLOS_OK;
    if (valued)
        values_take(r, *g);
    if (*g != NULL) { /* also after a limit: whole layers are known by then */
        holos_status taken = levels_take(r, *g, valued, valued ? err : NULL);
        status = valued ? taken : status;
    }
    r->computed = valued ? r->positions : 0;
    r->solve_seconds = clock_wall() - begun - r->reach_seconds;
    return status;
}

holos_status build_graph_shared(const build_request *b, store *s, mem_budget *budget, build_report *r,
                                holos_error *err)
{
    char *path = checkpoint_path(b);
    cluster_graph *g = NULL;
    holos_status status = checkpoint_folder(path, err);
    if (b->url != NULL && path == NULL)
        status = error_system(err, "the checkpoint");
    if (b->threads > 1)
        status = error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                           "a rank has one thread for its share of a graph: start more ranks instead");
    status = holos_cluster_agree(b->cluster, status, err);
    if (status == HOLOS_OK)
        status = graph_make(b, path, budget, &g, r, err);
    if (status == HOLOS_OK && b->url != NULL)
        status = rows_keep(b, g, s, r, err);
    status = holos_cluster_agree(b->cluster, status, err);
    if (status == HOLOS_OK) {
        uint64_t traffic[2] = {b->cluster->bytes, b->cluster->messages};
        cluster_sum(b->cluster, traffic, 2);
        r->traffic = traffic[0];
        r->messages = traffic[1];
        checkpoints_sweep(b, path);
    }
    cluster_graph_close(g, status == HOLOS_OK);
    free(path);
    return status;
}
