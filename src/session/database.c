/* SPDX-License-Identifier: MIT */

#include "cluster/parts.h"
#include "cluster/spread.h"
#include "core/clock.h"
#include "session/build.h"

#include <stdlib.h>
#include <string.h>

uint64_t build_memory_available(void)
{
    return mem_spare();
}

static retro_options options_of(const build_request *b, mem_budget *budget)
{
    return (retro_options){.top = b->top,
                           .threads = b->threads,
                           .no_hot = b->no_hot,
                           .scratch = b->scratch,
                           .together = b->cluster != NULL ? b->cluster->together : b->together,
                           .budget = budget,
                           .progress = b->progress,
                           .log = b->log,
                           .limits = {.stop = b->stop}};
}

holos_status build_plan(const build_request *b, retro_plan *out, holos_error *err)
{
    retro_options o = options_of(b, NULL);
    return retro_make_plan(b->v, &o, out, err);
}

/* ---- A store as the keeper of parts ------------------------------------------------------------ */

static bool keeper_has(void *context, uint32_t tier, uint32_t part)
{
    store *s = context;
    return s->backend->has(s, tier, part);
}

static holos_status keeper_load(void *context, uint32_t tier, uint32_t part, uint8_t *bytes, uint64_t size,
                                holos_error *err)
{
    store *s = context;
    return s->backend->load(s, tier, part, bytes, size, err);
}

static holos_status keeper_save(void *context, uint32_t tier, uint32_t part, const uint8_t *bytes,
                                uint64_t size, holos_error *err)
{
    store *s = context;
    return s->backend->save(s, tier, part, bytes, size, err);
}

static uint64_t keeper_written(void *context)
{
    store *s = context;
    return s->written;
}

/* ---- The report -------------------------------------------------------------------------------- */

/* What a build has made: one of the two. */
typedef struct known_tables {
    const retro *tables;
    const cluster_spread *spread;
} known_tables;

/* The value of a position, if the tables go so far. In a cluster a rank may lack what others have solved of the last tier; all ranks
 * ask together. */
static bool tables_probe(const build_request *b, known_tables known, const holos_position *p, int32_t *value)
{
    bool found =
        known.tables != NULL ? retro_probe(known.tables, p, value) : spread_probe(known.spread, p, value);
    unsigned ranks = holos_cluster_ranks(b->cluster);
    if (ranks == 1)
        return found;
    uint8_t byte = found ? (uint8_t)(*value + HOLOS_BYTE_ZERO) : HOLOS_BYTE_UNKNOWN, most = byte;
    const uint64_t *all = cluster_each(b->cluster, byte);
    for (unsigned i = 0; i < ranks; i++) /* whoever does not know it has HOLOS_BYTE_UNKNOWN, which is 0 */
        most = all[i] > most ? (uint8_t)all[i] : most;
    *value = most - HOLOS_BYTE_ZERO;
    return most != HOLOS_BYTE_UNKNOWN;
}

/* The value of the start and its best moves, if the tables go so far. All ranks together. */
static holos_status report_start(build_report *r, const build_request *b, known_tables tables,
                                 holos_error *err)
{
    const holos_variant *v = b->v;
    holos_position *p = holos_position_new(v);
    holos_edge *edges = calloc(v->max_successors, sizeof *edges);
    holos_position *next = aligned_alloc(16, v->max_successors * v->position_size);
    int32_t value = 0;
    holos_status status = HOLOS_OK;
    if (p == NULL || edges == NULL || next == NULL)
        status = error_system(err, "the report");
    status = cluster_agree(b->cluster, status, err);
    if (status == HOLOS_OK && v->game->start != NULL) {
        v->game->start(v, p);
        r->has_start = tables_probe(b, tables, p, &value);
    }
    if (r->has_start && edges != NULL) {
        r->start_score = value + game_banked(v, p);
        uint32_t count = v->game->expand(v, p, (holos_edges){.edges = edges, .positions = next});
        for (uint32_t i = 0; i < count && r->start_best_count < 64; i++) {
            int32_t child;
            if (tables_probe(b, tables, position_at(v, next, i), &child) &&
                edge_score(edges[i], child) == value)
                r->start_best[r->start_best_count++] = edges[i].move;
        }
    }
    holos_position_free(p);
    free(edges);
    free(next);
    return status;
}

static void report_values(build_report *r, const retro *tables, const holos_variant *v)
{
    const holos_index *index = v->game->index;
    for (uint32_t tier = 0; tier <= retro_top(tables); tier++) {
        for (uint32_t part = 0; part < index->parts(v, tier); part++) {
            const uint8_t *bytes = retro_part(tables, tier, part);
            for (uint64_t i = 0; i < index->size(v, tier, part); i++)
                r->values[bytes[i]]++;
        }
    }
}

static holos_status report_tiers(build_report *r, const build_request *b, holos_error *err)
{
    const holos_index *index = b->v->game->index;
    r->tiers = calloc(b->top + 1, sizeof *r->tiers);
    if (r->tiers == NULL)
        return error_system(err, "the report");
    for (uint32_t tier = 0; tier <= b->top; tier++)
        for (uint32_t part = 0; part < index->parts(b->v, tier); part++)
            r->tiers[tier] += index->size(b->v, tier, part);
    return HOLOS_OK;
}

void build_report_free(build_report *r)
{
    free(r->tiers);
    free(r->levels);
    free(r->plies);
    r->tiers = NULL;
    r->levels = NULL;
    r->plies = NULL;
}

/* ---- The build --------------------------------------------------------------------------------- */

/* In a cluster rank 0 holds the store; the others join it if they see the same files. */
static holos_status database_store(const build_request *b, store **out, bool *keeps, holos_error *err)
{
    store_options o = {.mode = b->mode, .kind = STORE_DATABASE, .v = b->v, .top = b->top, .stop = b->stop};
    const char *location;
    unsigned rank = holos_cluster_rank(b->cluster), ranks = holos_cluster_ranks(b->cluster);
    *keeps = false;
    if (b->url == NULL)
        return HOLOS_OK;
    holos_status status = rank == 0 ? store_open(b->url, &o, out, err) : HOLOS_OK;
    if (b->cluster == NULL)
        return status;
    status = holos_cluster_agree(b->cluster, status, err);
    if (status != HOLOS_OK)
        return status;
    const store_backend *backend = store_backend_of(b->url, &location);
    uint64_t joined = rank == 0;
    o.mode = STORE_JOIN;
    if (rank > 0 && backend != NULL && (backend->can & STORE_JOINS) != 0)
        joined = store_open(b->url, &o, out, NULL) == HOLOS_OK;
    cluster_sum(b->cluster, &joined, 1);
    *keeps = joined == ranks;
    if (!*keeps)
        log_write(b->log, LOG_LEVEL_INFO, "rank 0 alone writes to %s", b->url);
    return HOLOS_OK;
}

void build_work_sum(const build_request *b, build_report *out)
{
    uint64_t sums[2] = {out->computed, (uint64_t)(1e6 * out->solve_seconds)};
    if (b->cluster == NULL)
        return;
    cluster_sum(b->cluster, sums, 2);
    out->computed = sums[0];
    out->solve_seconds = 1e-6 * (double)sums[1];
    uint64_t traffic[2] = {b->cluster->bytes, b->cluster->messages};
    cluster_sum(b->cluster, traffic, 2);
    out->traffic = traffic[0];
    out->messages = traffic[1];
}

static holos_status tables_build(const build_request *b, store *s, bool keeps, build_report *out,
                                 holos_error *err)
{
    mem_budget budget;
    cluster_parts *parts = NULL;
    mem_budget_init(&budget, b->memory != 0 ? b->memory : build_memory_available());
    retro_options o = options_of(b, &budget);
    retro_keeper keeper = {
        .context = s, .has = keeper_has, .load = keeper_load, .save = keeper_save, .written = keeper_written};
    o.keeper = s != NULL ? &keeper : NULL;
    retro *tables = NULL;
    if (b->progress != NULL)
        b->progress->budget = &budget; /* shown while it lasts */
    holos_status status = HOLOS_OK;
    if (b->cluster != NULL)
        status = parts_open(b->cluster, keeps, b->histogram || (b->url != NULL && !keeps), &parts, err);
    o.company = parts != NULL ? parts_company(parts) : NULL;
    if (status == HOLOS_OK)
        status = retro_build(b->v, &o, &tables, err);
    if (b->progress != NULL)
        b->progress->budget = NULL;
    if (status == HOLOS_OK && s != NULL && holos_cluster_rank(b->cluster) == 0)
        status = s->backend->finish(s, err);
    if (b->cluster != NULL)
        status = holos_cluster_agree(b->cluster, status, err);
    parts_close(parts);
    if (tables != NULL) {
        retro_work(tables, &out->computed, &out->solve_seconds);
        if (status == HOLOS_OK)
            build_work_sum(b, out);
        if (status == HOLOS_OK)
            status = report_start(out, b, (known_tables){.tables = tables}, err);
        else if (b->cluster == NULL)
            (void)report_start(out, b, (known_tables){.tables = tables}, NULL);
        if (b->histogram)
            report_values(out, tables, b->v);
    }
    out->memory = atomic_load(&budget.peak);
    retro_close(tables);
    return status;
}

/* Whether a database is spread over the ranks: it was asked for, or a rank has no room for all of it. */
static bool is_spread(const build_request *b, const build_report *r)
{
    if (b->cluster == NULL || b->scratch != NULL)
        return false;
    uint64_t wanted = b->spread || r->plan.memory > b->memory;
    cluster_sum(b->cluster, &wanted, 1);
    return wanted > 0;
}

/* Every part in one rank; each keeps its own. */
static holos_status spread_make(const build_request *b, store *s, bool keeps, build_report *out,
                                holos_error *err)
{
    mem_budget budget;
    cluster_spread *spread = NULL;
    retro_keeper keeper = {
        .context = s, .has = keeper_has, .load = keeper_load, .save = keeper_save, .written = keeper_written};
    mem_budget_init(&budget, b->memory);
    spread_request q = {.v = b->v,
                        .cluster = b->cluster,
                        .top = b->top,
                        .budget = &budget,
                        .keeper = s != NULL ? &keeper : NULL,
                        .progress = b->progress,
                        .stop = b->stop};
    holos_status status = HOLOS_OK;
    if (b->url != NULL && !keeps)
        status =
            error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                      "a database that is spread over ranks needs a store that all of them can write to: "
                      "file:DIR in a folder that they share");
    if (status == HOLOS_OK)
        status = spread_build(&q, &spread, err);
    if (status == HOLOS_OK && s != NULL && b->cluster->rank == 0)
        status = s->backend->finish(s, err);
    status = holos_cluster_agree(b->cluster, status, err);
    if (status == HOLOS_OK) {
        spread_work(spread, &out->computed, &out->solve_seconds);
        build_work_sum(b, out);
        status = report_start(out, b, (known_tables){.spread = spread}, err);
    }
    if (status == HOLOS_OK) {
        if (b->histogram)
            spread_count(spread, out->values);
        cluster_sum(b->cluster, out->values, sizeof out->values / sizeof *out->values);
    }
    spread_close(spread);
    out->memory = atomic_load(&budget.peak);
    out->spread = true;
    return status;
}

holos_status build_database(const build_request *b, build_report *out, holos_error *err)
{
    double begun = clock_wall();
    store *s = NULL;
    bool keeps = false;
    *out = (build_report){.kind = STORE_DATABASE};
    holos_status status = build_plan(b, &out->plan, err);
    if (status == HOLOS_OK)
        status = report_tiers(out, b, err);
    status = cluster_agree(b->cluster, status, err);
    if (status == HOLOS_OK)
        status = database_store(b, &s, &keeps, err);
    if (status == HOLOS_OK)
        status = is_spread(b, out) ? spread_make(b, s, keeps, out, err) : tables_build(b, s, keeps, out, err);
    out->positions = out->plan.positions;
    if (s != NULL)
        s->backend->facts(s, &out->facts);
    store_close(s);
    out->seconds = clock_wall() - begun;
    return status;
}
