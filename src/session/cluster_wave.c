/* SPDX-License-Identifier: MIT */

#include "session/cluster_wave.h"

#include "cluster/model.h"
#include "core/file.h"
#include "session/job.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECKPOINT_SECONDS 60.0
#define GRACE_SHARE        0.05 /* of the time: for values to flow once more, after it */
#define KEPT               "explore.reached"
/* What travels, as a multiple of a graph's that is reached and valued once: 20 and 51 bytes a position between two ranks for
 * connect4:5x4, against 36. Where edges cross layers it is up to ten times as much (kalah:4,3): values flow in many passes. */
#define TRAFFIC_GRAPH  0.6
#define TRAFFIC_VALUES 1.4

/* ---- What can be shared ------------------------------------------------------------------------ */

holos_status shared_wave_check(const job *j, const holos_wave_options *o, holos_wave_mode mode,
                               holos_error *err)
{
    const char *reason = NULL;
    if (!o->graph && mode != HOLOS_WAVE_WAVE)
        reason = "ranks share --mode wave, which is what they do if you name none, and --graph; other modes "
                 "follow one position at a time";
    else if (j->o->threads > 1)
        reason = "a rank has one thread for its share of a wave: start more ranks instead";
    return reason == NULL ? HOLOS_OK : error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "--cluster: %s", reason);
}

void shared_wave_plan(const job *j, const growth *g, const plan_costs *each, const wave_ways *ways,
                      unsigned ranks, bool graph, holos_plan *out)
{
    model_graph_costs costs = {.positions = g->positions,
                               .moves = g->moves,
                               .layers = g->layers,
                               .seconds = MODEL_RANK_TIME * out->seconds,
                               .memory = each->memory,
                               .base = (double)each->base,
                               .row = j->o->store != NULL ? sizeof(holos_key) + sizeof(uint64_t) : 0,
                               .key_words = ways->key_words};
    model_plan model = model_graph(&costs, ranks, MODEL_MACHINE);
    out->ranks = ranks;
    out->memory = model.memory;
    out->traffic = (uint64_t)((double)model.traffic * (graph ? TRAFFIC_GRAPH : TRAFFIC_VALUES));
    out->seconds = model.seconds * j->o->threads; /* the runner divides by them */
}

char *shared_wave_place(const job *j)
{
    text path;
    char *copy = NULL;
    text_init(&path);
    if (j->o->store != NULL && j->folder != NULL) {
        place_beside(j->o->store, KEPT, &path);
        copy = path.failed ? NULL : strdup(path.data);
    }
    text_free(&path);
    return copy;
}

/* ---- Beginning --------------------------------------------------------------------------------- */

/* Whether rank 0 sees a file there. */
static bool is_there(const shared_wave *s, const char *path)
{
    uint64_t there = s->cluster->rank == 0 && path != NULL && access(path, F_OK) == 0;
    cluster_sum(s->cluster, &there, 1);
    return there > 0;
}

static holos_status place_make(const job *j, shared_wave *s, holos_error *err)
{
    s->kept = shared_wave_place(j);
    if (j->o->store == NULL)
        return HOLOS_OK;
    if (s->kept == NULL)
        return error_system(err, "the checkpoint");
    return file_make_folder(j->folder, err);
}

holos_status shared_wave_begin(job *j, shared_wave *s, const char *hologram, bool *fresh, holos_error *err)
{
    *fresh = true;
    holos_status status = holos_cluster_agree(s->cluster, place_make(j, s, err), err);
    if (status != HOLOS_OK)
        return status;
    cluster_wave_request q = {.w = s->w,
                              .cluster = s->cluster,
                              .nodes = j->o->limits.nodes,
                              .deadline = j->deadline,
                              .grace = GRACE_SHARE * j->o->limits.seconds,
                              .stop = j->o->limits.stop,
                              .path = s->kept,
                              .every = j->o->checkpoint_seconds > 0 ? j->o->checkpoint_seconds
                                                                    : CHECKPOINT_SECONDS,
                              .hologram = hologram};
    status = cluster_wave_open(&q, &s->g, err);
    if (status != HOLOS_OK)
        return status;
    if (j->o->start != HOLOS_JOB_RESUME) {
        cluster_wave_forget(s->kept, s->cluster->rank, s->cluster->rank == 0 ? s->cluster->ranks : 0);
        return HOLOS_OK;
    }
    status = cluster_wave_restore(s->g, &s->restored, err);
    bool loads = status == HOLOS_OK && !s->restored && is_there(s, hologram);
    if (loads)
        status = holos_cluster_agree(s->cluster, holos_wave_load(s->w, hologram, err), err);
    *fresh = !s->restored && !loads;
    return status;
}

/* ---- The run ----------------------------------------------------------------------------------- */

static const char *reason(const shared_wave *s)
{
    const char *limit = cluster_wave_limit(s->g);
    if (limit == NULL)
        return "nothing left to do";
    return strcmp(limit, LIMITS_TIME) == 0        ? "time limit"
           : strcmp(limit, "the node limit") == 0 ? "node limit"
                                                  : "memory limit";
}

/* Over all ranks. */
static holos_status counts_take(shared_wave *s, holos_error *err)
{
    holos_cluster *c = s->cluster;
    uint64_t mine[2] = {atomic_load(&s->w->budget->peak), nodes_count(&s->w->nodes)},
             traffic[2] = {c->bytes, c->messages}, *all = calloc(2 * (size_t)c->ranks, sizeof *all);
    holos_status status =
        holos_cluster_agree(c, all != NULL ? HOLOS_OK : error_system(err, "the report"), err);
    if (status == HOLOS_OK && all != NULL) {
        cluster_gather(c, mine, sizeof mine, all);
        cluster_sum(c, traffic, 2);
        s->traffic = traffic[0];
        s->messages = traffic[1];
        s->rank_least = UINT64_MAX;
        for (unsigned i = 0; i < c->ranks; i++) {
            s->memory = all[2 * i] > s->memory ? all[2 * i] : s->memory;
            s->rank_most = all[2 * i + 1] > s->rank_most ? all[2 * i + 1] : s->rank_most;
            s->rank_least = all[2 * i + 1] < s->rank_least ? all[2 * i + 1] : s->rank_least;
        }
    }
    free(all);
    return status;
}

holos_status shared_wave_run(job *j, shared_wave *s, const char *hologram, holos_error *err)
{
    holos_error failure;
    holos_status status = cluster_wave_run(s->g, err);
    if (status == HOLOS_LIMIT || status == HOLOS_OK)
        j->stopped = reason(s);
    if (status != HOLOS_OK && status != HOLOS_LIMIT && status != HOLOS_INTERRUPTED)
        return status;
    holos_status saved = status != HOLOS_INTERRUPTED && hologram != NULL
                             ? cluster_wave_save(s->g, hologram, &failure)
                             : HOLOS_OK;
    if (saved == HOLOS_OK && status != HOLOS_INTERRUPTED)
        cluster_wave_forget(s->kept, s->cluster->rank, s->cluster->rank == 0 ? s->cluster->ranks : 0);
    if (saved == HOLOS_OK)
        saved = counts_take(s, &failure);
    if (saved != HOLOS_OK) {
        *err = failure;
        j->stopped = NULL;
        return saved;
    }
    return status;
}

void shared_wave_close(shared_wave *s)
{
    cluster_wave_close(s->g);
    free(s->kept);
    *s = (shared_wave){0};
}

void shared_wave_report(const shared_wave *s, holos_report *r)
{
    report_count(r, "ranks", "ranks", s->cluster->ranks);
    report_bytes(r, "traffic", NULL, s->traffic);
    report_count(r, "messages", NULL, s->messages);
    report_count(r, "rank_most", NULL, s->rank_most);
    report_count(r, "rank_least", NULL, s->rank_least);
}
