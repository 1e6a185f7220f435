/* SPDX-License-Identifier: MIT */

#include "serve/solvers.h"

#include "core/clock.h"
#include "core/error.h"
#include "core/file.h"
#include "core/pool.h"
#include "core/text.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

enum { SEATS_PER_THREAD = 4 }; /* games that keep what they learned while others are asked about */

static const size_t default_memory = (size_t)1 << 30, cache_memory = (size_t)64 << 20;

/* ---- What is known ------------------------------------------------------------------------------- */

/* The stores of the folder, one after the other; the first that is made for the variant. Others are passed over. */
static void search_folder(const solvers *s, const holos_variant *v, const holos_knowledge_options *options,
                          holos_knowledge **out)
{
    struct dirent **entries;
    int count = scandir(s->folder, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        text url;
        text_init(&url);
        text_printf(&url, "%s/%s", s->folder, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.' && *out == NULL && file_is_folder(url.data) &&
            holos_knowledge_open(url.data, v, options, out, NULL) != HOLOS_OK)
            *out = NULL;
        text_free(&url);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

holos_status solvers_knowledge(const solvers *s, const holos_variant *v, holos_knowledge **out,
                               holos_error *err)
{
    holos_knowledge_options options = {.memory = cache_memory};
    *out = NULL;
    if (s->store != NULL && holos_knowledge_open(s->store, v, &options, out, NULL) != HOLOS_OK)
        *out = NULL; /* it was checked at the start: it is for another game */
    if (*out == NULL)
        search_folder(s, v, &options, out);
    return *out != NULL || s->no_book ? HOLOS_OK : holos_knowledge_open_shipped(v, &options, out, err);
}

/* ---- Seats --------------------------------------------------------------------------------------- */

static void seat_clear(solver_seat *seat)
{
    holos_solver_close(seat->solver);
    holos_knowledge_close(seat->known);
    holos_close(seat->v);
    seat->solver = NULL;
    seat->known = NULL;
    seat->v = NULL;
}

static holos_status seat_fill(solvers *s, solver_seat *seat, const char *variant, holos_error *err)
{
    holos_status status = holos_open(variant, &seat->v, err);
    if (status != HOLOS_OK) {
        seat->v = NULL;
        return status;
    }
    status = solvers_knowledge(s, seat->v, &seat->known, err);
    holos_solver_options options = {.limits = {.memory = s->memory, .stop = &seat->stop},
                                    .moves = true,
                                    .line = true,
                                    .boundary = holos_knowledge_boundary(seat->known)};
    if (status == HOLOS_OK)
        status = holos_solver_open(seat->v, &options, &seat->solver, err);
    if (status != HOLOS_OK) {
        seat->solver = NULL;
        seat_clear(seat);
    }
    return status;
}

holos_status solvers_open(solvers *s, sentry *w, unsigned threads, size_t memory, const char *store,
                          const char *folder, bool no_book, holos_error *err)
{
    (void)err;
    *s = (solvers){.sentry = w, .store = store, .folder = folder, .no_book = no_book};
    s->limit = threads > 0 ? threads : pool_processors();
    if (s->limit > SOLVERS_MOST / SEATS_PER_THREAD)
        s->limit = SOLVERS_MOST / SEATS_PER_THREAD;
    s->count = s->limit * SEATS_PER_THREAD;
    s->memory = (memory > 0 ? memory : default_memory) / s->count;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->freed, NULL);
    return HOLOS_OK;
}

void solvers_close(solvers *s)
{
    if (s->count == 0)
        return;
    for (unsigned i = 0; i < s->count; i++)
        seat_clear(&s->seats[i]);
    pthread_cond_destroy(&s->freed);
    pthread_mutex_destroy(&s->lock);
    s->count = 0;
}

void solvers_refresh(solvers *s)
{
    pthread_mutex_lock(&s->lock);
    s->generation++;
    pthread_mutex_unlock(&s->lock);
}

/* The best seat that is free: one of the variant, else an empty one, else the one that was used longest ago. */
static solver_seat *seat_choose(solvers *s, const char *variant)
{
    solver_seat *best = NULL;
    for (unsigned i = 0; i < s->count; i++) {
        solver_seat *seat = &s->seats[i];
        if (seat->busy)
            continue;
        if (seat->v != NULL && strcmp(holos_variant_name(seat->v), variant) == 0)
            return seat;
        if (best == NULL || seat->used < best->used)
            best = seat;
    }
    return best;
}

static void waiter_add(solvers *s, solver_waiter *w)
{
    solver_waiter **at = &s->waiters;
    while (*at != NULL && (*at)->seconds <= w->seconds)
        at = &(*at)->next;
    w->next = *at;
    *at = w;
}

static void waiter_remove(solvers *s, const solver_waiter *w)
{
    solver_waiter **at = &s->waiters;
    while (*at != w)
        at = &(*at)->next;
    *at = w->next;
}

/* `stop` rings no bell: whoever waits looks at it now and then. */
static void wait_a_moment(solvers *s)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 50 * 1000 * 1000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&s->freed, &s->lock, &until);
}

/* Waits for a free processor and its turn; NULL if nobody wants to wait any more. */
static solver_seat *seat_wait(solvers *s, const char *variant, double seconds, const holos_stop *stop)
{
    solver_seat *seat = NULL;
    solver_waiter self = {.seconds = seconds};
    pthread_mutex_lock(&s->lock);
    waiter_add(s, &self);
    while (!holos_stop_asked(stop) &&
           (s->waiters != &self || s->busy == s->limit || (seat = seat_choose(s, variant)) == NULL))
        wait_a_moment(s);
    waiter_remove(s, &self);
    if (seat != NULL) {
        seat->busy = true;
        seat->used = ++s->used;
        s->busy++;
        if (seat->generation != s->generation)
            seat_clear(seat);
        seat->generation = s->generation;
    }
    pthread_cond_broadcast(&s->freed); /* somebody else is the first now */
    pthread_mutex_unlock(&s->lock);
    return seat;
}

holos_status solvers_take(solvers *s, const char *variant, double seconds, const holos_stop *stop,
                          solver_seat **out, holos_error *err)
{
    solver_seat *seat = *out = seat_wait(s, variant, seconds, stop);
    if (seat == NULL)
        return error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
    if (seat->v != NULL && strcmp(holos_variant_name(seat->v), variant) == 0)
        return HOLOS_OK;
    seat_clear(seat);
    holos_status status = seat_fill(s, seat, variant, err);
    if (status != HOLOS_OK) {
        solvers_give(s, seat);
        *out = NULL;
    }
    return status;
}

void solvers_give(solvers *s, solver_seat *seat)
{
    pthread_mutex_lock(&s->lock);
    seat->busy = false;
    s->busy--;
    pthread_cond_broadcast(&s->freed);
    pthread_mutex_unlock(&s->lock);
}

holos_status seat_solve(solvers *s, solver_seat *seat, const holos_position *p, double seconds,
                        const holos_stop *stop, holos_result *out, holos_error *err)
{
    sentry_item item = {.fd = -1, .deadline = clock_wall() + seconds, .stop = &seat->stop};
    holos_stop_clear(&seat->stop);
    seat->stop.also = stop;
    sentry_begin(s->sentry, &item);
    holos_status status = holos_solver_solve(seat->solver, p, out, err);
    sentry_end(s->sentry, &item);
    seat->stop.also = NULL;
    return status == HOLOS_LIMIT ? HOLOS_INTERRUPTED : status;
}
