/* SPDX-License-Identifier: MIT */

/* Verification of a book: positions that are searched anew must have the values that it says. */

#include "core/rng.h"
#include "session/build.h"

#include <pthread.h>
#include <stdlib.h>

/* Positions of one job: neighbours, which share what a search learns. */
#define JOB 64

typedef struct verification {
    store *s;
    const book *b;
    const store_derivation *how;
    uint64_t total; /* positions of the book */
    holos_solver **solvers;
    holos_position **here;
    pthread_mutex_t lock;
    uint64_t done;
    holos_status status;
    holos_error error;
} verification;

/* The position with this number, all plies counted through. */
static holos_key key_at(const book *b, uint64_t number, uint8_t *value)
{
    const book_ply *ply = b->plies;
    for (; number >= ply->count; ply++)
        number -= ply->count;
    *value = ply->values[number];
    return ply->keys[number];
}

static holos_status position_verify(verification *c, uint64_t number, unsigned worker, holos_error *err)
{
    const holos_variant *v = c->s->v;
    uint8_t byte;
    holos_position *here = c->here[worker];
    holos_result result;
    holos_key key = key_at(c->b, number, &byte);
    v->game->from_key(v, key, here);
    if (!holos_key_equal(v->game->key(v, here), key))
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "position %llu of the book has an invalid key",
                         (unsigned long long)number);
    holos_status status = holos_solver_solve(c->solvers[worker], here, &result, err);
    int32_t stored = byte - HOLOS_BYTE_ZERO + game_banked(v, here);
    if (status != HOLOS_OK || result.value.lo == stored)
        return status;
    char position[512];
    holos_format(v, here, position, sizeof position);
    return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s has the value %d; a search gives %d", position,
                     stored, result.value.lo);
}

static void job_run(void *context, uint64_t job, unsigned worker)
{
    verification *c = context;
    uint64_t samples = c->how->samples, count = samples != 0 ? samples : c->total;
    holos_status status = HOLOS_OK;
    holos_error err;
    rng random;
    rng_init(&random, c->how->seed, job);
    for (uint64_t i = job * JOB; i < count && i < (job + 1) * JOB; i++) {
        pthread_mutex_lock(&c->lock);
        bool going = c->status == HOLOS_OK;
        pthread_mutex_unlock(&c->lock);
        if (!going)
            return;
        status = position_verify(c, samples != 0 ? rng_below(&random, c->total) : i, worker, &err);
        pthread_mutex_lock(&c->lock);
        if (status == HOLOS_OK) {
            c->done++;
        } else if (c->status == HOLOS_OK) {
            c->status = status;
            c->error = err;
        }
        pthread_mutex_unlock(&c->lock);
        progress_add(c->how->progress, 1);
    }
}

static holos_status verification_open(verification *c, holos_error *err)
{
    unsigned threads = pool_threads(c->how->threads);
    holos_solver_options o = {.limits = {.stop = c->how->stop}};
    c->solvers = calloc(threads, sizeof *c->solvers);
    c->here = calloc(threads, sizeof *c->here);
    if (c->solvers == NULL || c->here == NULL)
        return error_system(err, "verification");
    holos_status status = HOLOS_OK;
    for (unsigned i = 0; status == HOLOS_OK && i < threads; i++) {
        status = holos_solver_open(c->s->v, &o, &c->solvers[i], err);
        c->here[i] = holos_position_new(c->s->v);
        if (status == HOLOS_OK && c->here[i] == NULL)
            status = error_system(err, "verification");
    }
    return status;
}

static void verification_close(verification *c)
{
    for (unsigned i = 0; i < pool_threads(c->how->threads); i++) {
        if (c->solvers != NULL)
            holos_solver_close(c->solvers[i]);
        if (c->here != NULL)
            holos_position_free(c->here[i]);
    }
    free(c->solvers);
    free(c->here);
    pthread_mutex_destroy(&c->lock);
}

holos_status book_verify(store *s, const store_derivation *how, uint64_t *done, holos_error *err)
{
    verification c = {.s = s, .b = s->backend->book(s), .how = how};
    c.total = book_positions(c.b);
    uint64_t count = how->samples != 0 ? how->samples : c.total;
    pthread_mutex_init(&c.lock, NULL);
    holos_status status = verification_open(&c, err);
    if (status == HOLOS_OK) {
        progress_begin(how->progress, "verify", "positions", count);
        pool_run(how->threads, (count + JOB - 1) / JOB, job_run, &c);
        progress_end(how->progress);
        status = c.status;
        if (status != HOLOS_OK && err != NULL)
            *err = c.error;
    }
    *done = c.done;
    verification_close(&c);
    return status;
}
