/* SPDX-License-Identifier: MIT */

/* Verification: what a store says of a position must follow from what it says of its successors. */

#include "core/clock.h"
#include "core/list.h"
#include "core/rng.h"
#include "store/store.h"

#include <pthread.h>
#include <stdlib.h>

/* Positions of one job, and of a graph between two looks at the stop flag. */
#define CHUNK 65536

/* ---- One position ------------------------------------------------------------------------------ */

typedef struct deriver {
    store *s;
    holos_position *here;
    holos_edges successors;
} deriver;

static bool deriver_init(deriver *d, store *s)
{
    const holos_variant *v = s->v;
    *d = (deriver){.s = s, .here = holos_position_new(v)};
    d->successors.edges = calloc(v->max_successors, sizeof *d->successors.edges);
    d->successors.positions = aligned_alloc(16, v->max_successors * v->position_size);
    d->successors.bare = true;
    return d->here != NULL && d->successors.edges != NULL && d->successors.positions != NULL;
}

static void deriver_free(deriver *d)
{
    holos_position_free(d->here);
    free(d->successors.edges);
    free(d->successors.positions);
}

/* The best of the successors' scores. False: *status, or one of them is missing. */
static bool best_of_successors(deriver *d, int32_t *best, holos_status *status, holos_error *err)
{
    const holos_variant *v = d->s->v;
    uint32_t count = v->game->expand(v, d->here, d->successors);
    *best = INT32_MIN;
    for (uint32_t i = 0; i < count; i++) {
        int32_t score;
        bool found;
        *status = store_score(d->s, position_at(v, d->successors.positions, i), &score, &found, err);
        if (*status != HOLOS_OK || !found)
            return false;
        if ((d->successors.edges[i].flags & HOLOS_EDGE_SAME_SIDE) == 0)
            score = -score;
        *best = score > *best ? score : *best;
    }
    return true;
}

/* Compares what the store says of d->here with what follows from the rules. */
static holos_status derive_one(deriver *d, holos_error *err)
{
    const holos_variant *v = d->s->v;
    int32_t stored, derived;
    bool found;
    holos_status status = store_score(d->s, d->here, &stored, &found, err);
    if (status != HOLOS_OK)
        return status;
    if (v->game->terminal(v, d->here, &derived))
        derived += game_banked(v, d->here);
    else if (found)
        found = best_of_successors(d, &derived, &status, err);
    if (status != HOLOS_OK || (found && stored == derived))
        return status;
    char position[512];
    holos_format(v, d->here, position, sizeof position);
    if (!found)
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s or one of its successors is missing",
                         position);
    return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s has the value %d; its successors give %d",
                     position, stored, derived);
}

/* ---- Databases --------------------------------------------------------------------------------- */

/* Some positions of one part. */
typedef struct derive_job {
    holos_place first;
    uint64_t count;
    bool sampled; /* drawn from the whole part */
} derive_job;

typedef struct derivation {
    const store_derivation *how;
    deriver *workers;
    unsigned worker_count;
    derive_job *jobs;
    size_t job_count, job_room;
    uint64_t total;
    pthread_mutex_t lock;
    uint64_t done;
    holos_status status; /* of the first job that failed */
    holos_error error;
} derivation;

static bool job_add(derivation *d, derive_job job)
{
    if (!LIST_RESERVE(d->jobs, d->job_room, d->job_count + 1))
        return false;
    d->jobs[d->job_count++] = job;
    d->total += job.count;
    return true;
}

/* Each part has its share of the samples, by its size, and at least a few. */
static bool jobs_make(derivation *d, const store *s, const store_facts *facts)
{
    const holos_index *index = s->v->game->index;
    for (uint32_t tier = 0; tier <= facts->top; tier++) {
        for (uint32_t part = 0; part < index->parts(s->v, tier); part++) {
            uint64_t size = index->size(s->v, tier, part);
            derive_job job = {.first = {.tier = tier, .part = part}, .sampled = d->how->samples != 0};
            if (job.sampled) {
                job.count = (uint64_t)((double)d->how->samples * (double)size / (double)facts->positions) + 4;
                if (!job_add(d, job))
                    return false;
                continue;
            }
            for (; job.first.index < size; job.first.index += CHUNK) {
                job.count = size - job.first.index < CHUNK ? size - job.first.index : CHUNK;
                if (!job_add(d, job))
                    return false;
            }
        }
    }
    return true;
}

static holos_status job_derive(derivation *d, uint64_t number, deriver *w, holos_error *err)
{
    const derive_job *job = &d->jobs[number];
    const holos_variant *v = w->s->v;
    uint64_t size = v->game->index->size(v, job->first.tier, job->first.part);
    rng random;
    rng_init(&random, d->how->seed, number);
    for (uint64_t i = 0; i < job->count; i++) {
        holos_place place = job->first;
        place.index = job->sampled ? rng_below(&random, size) : place.index + i;
        v->game->index->unrank(v, place, w->here);
        holos_status status = derive_one(w, err);
        if (status != HOLOS_OK)
            return status;
    }
    return HOLOS_OK;
}

static void job_run(void *context, uint64_t number, unsigned worker)
{
    derivation *d = context;
    holos_error err;
    pthread_mutex_lock(&d->lock);
    if (d->status == HOLOS_OK && holos_stop_asked(d->how->stop))
        d->status = error_set(&d->error, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
    bool going = d->status == HOLOS_OK;
    pthread_mutex_unlock(&d->lock);
    if (!going)
        return;
    holos_status status = job_derive(d, number, &d->workers[worker], &err);
    pthread_mutex_lock(&d->lock);
    if (status == HOLOS_OK)
        d->done += d->jobs[number].count;
    else if (d->status == HOLOS_OK) {
        d->status = status;
        d->error = err;
    }
    pthread_mutex_unlock(&d->lock);
    progress_add(d->how->progress, d->jobs[number].count);
}

static holos_status derive_database(store *s, const store_derivation *how, uint64_t *done, holos_error *err)
{
    derivation d = {.how = how, .worker_count = pool_threads(how->threads)};
    store_facts facts;
    s->backend->facts(s, &facts);
    pthread_mutex_init(&d.lock, NULL);
    d.workers = calloc(d.worker_count, sizeof *d.workers);
    bool ready = d.workers != NULL;
    for (unsigned i = 0; ready && i < d.worker_count; i++)
        ready = deriver_init(&d.workers[i], s);
    if (ready && jobs_make(&d, s, &facts)) {
        progress_begin(how->progress, "verify", "positions", d.total);
        pool_run(how->threads, d.job_count, job_run, &d);
        progress_end(how->progress);
    } else {
        d.status = error_system(&d.error, "verification");
    }
    for (unsigned i = 0; d.workers != NULL && i < d.worker_count; i++)
        deriver_free(&d.workers[i]);
    free(d.workers);
    free(d.jobs);
    pthread_mutex_destroy(&d.lock);
    *done = d.done;
    if (d.status != HOLOS_OK && err != NULL)
        *err = d.error;
    return d.status;
}

/* ---- Graphs ------------------------------------------------------------------------------------ */

typedef struct graph_derivation {
    const store_derivation *how;
    deriver worker;
    uint64_t every, next, done;
    holos_status status;
    holos_error *err;
} graph_derivation;

static bool row_derive(void *context, const holos_row *row)
{
    graph_derivation *g = context;
    const holos_variant *v = g->worker.s->v;
    if (g->next-- > 0)
        return true;
    g->next = g->every - 1;
    v->game->from_identity(v, row->identity, g->worker.here);
    g->status = derive_one(&g->worker, g->err);
    g->done++;
    if (g->status == HOLOS_OK && holos_stop_asked(g->how->stop))
        g->status = error_set(g->err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
    return g->status == HOLOS_OK;
}

static holos_status derive_graph(store *s, const store_derivation *how, uint64_t *done, holos_error *err)
{
    graph_derivation g = {.how = how, .every = 1, .err = err};
    store_facts facts;
    s->backend->facts(s, &facts);
    if (how->samples != 0 && facts.positions > how->samples)
        g.every = facts.positions / how->samples;
    g.next = how->seed % g.every;
    holos_status status = deriver_init(&g.worker, s) ? s->backend->scan(s, &STORE_ALL, row_derive, &g, err)
                                                     : error_system(err, "verification");
    deriver_free(&g.worker);
    *done = g.done;
    return status == HOLOS_OK ? g.status : status;
}

holos_status store_derive(store *s, const store_derivation *how, uint64_t *done, holos_error *err)
{
    return s->kind == STORE_GRAPH ? derive_graph(s, how, done, err) : derive_database(s, how, done, err);
}
