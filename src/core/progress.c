/* SPDX-License-Identifier: MIT */

#include "core/progress.h"

#include "core/clock.h"

#include <math.h>
#include <stdio.h>

#define SECOND      1000000000 /* in nanoseconds */
#define RATE_MEMORY 5.0        /* seconds that the rate looks back, about */

/* Good to a few milliseconds, and five times as fast to read as the exact clock. */
static int64_t coarse_now(void)
{
#ifdef CLOCK_MONOTONIC_COARSE
    clockid_t id = CLOCK_MONOTONIC_COARSE;
#else
    clockid_t id = CLOCK_MONOTONIC;
#endif
    struct timespec t;
    clock_gettime(id, &t);
    return (int64_t)t.tv_sec * SECOND + t.tv_nsec;
}

/* ---- Telling, under the lock ------------------------------------------------------------------- */

/* The rate of late: each new measurement counts the more, the longer it took. */
static void progress_measure(progress *p, double now, uint64_t done)
{
    double span = now - p->rate_time;
    if (span <= 0)
        return;
    double rate = (double)(done - p->rate_done) / span;
    double weight = p->rate_time > p->begun ? 1 - exp(-span / RATE_MEMORY) : 1;
    p->rate += weight * (rate - p->rate);
    p->rate_time = now;
    p->rate_done = done;
}

/* Seconds to the end, or to the limit of time if that comes first; 0: not known. */
static double time_left(const progress *p, const holos_progress *s, double now)
{
    double left = 0;
    if (s->total > 0 && s->done <= s->total && s->rate > 0)
        left = (double)(s->total - s->done) / s->rate;
    if (p->deadline > 0 && (left == 0 || p->deadline - now < left))
        left = p->deadline > now ? p->deadline - now : 0;
    return left;
}

static holos_progress progress_observe(progress *p)
{
    double now = clock_wall();
    uint64_t done = atomic_load_explicit(&p->done, memory_order_relaxed);
    progress_measure(p, now, done);
    holos_progress s = {
        .label = p->label,
        .unit = p->unit,
        .done = done,
        .total = atomic_load_explicit(&p->total, memory_order_relaxed),
        .parts_done = atomic_load_explicit(&p->parts_done, memory_order_relaxed),
        .parts = atomic_load_explicit(&p->parts, memory_order_relaxed),
        .disk = atomic_load_explicit(&p->disk, memory_order_relaxed),
        .rate = p->rate,
        .seconds = now - p->begun,
        .memory = p->budget != NULL ? atomic_load_explicit(&p->budget->used, memory_order_relaxed) : 0,
        .is_wave = p->is_wave,
    };
    if (p->is_wave) {
        s.layer = p->wave.layer;
        s.solved = p->wave.solved;
        s.memory = p->wave.memory;
        s.has_seed = p->wave.has_seed;
        s.seed_lo = p->wave.seed_lo;
        s.seed_hi = p->wave.seed_hi;
    }
    s.left = time_left(p, &s, now);
    return s;
}

static void progress_tell(progress *p, bool ended)
{
    holos_progress state = progress_observe(p);
    state.ended = ended;
    p->sink(p->context, &state);
}

/* ---- The life of a progress -------------------------------------------------------------------- */

void progress_init(progress *p, progress_sink *sink, void *context, double interval)
{
    *p = (progress){.sink = sink, .context = context, .interval = (int64_t)(interval * SECOND)};
    atomic_init(&p->due, INT64_MAX);
    pthread_mutex_init(&p->lock, NULL);
}

void progress_free(progress *p)
{
    progress_end(p);
    pthread_mutex_destroy(&p->lock);
}

void progress_begin(progress *p, const char *label, const char *unit, uint64_t total)
{
    if (p == NULL || p->sink == NULL)
        return;
    progress_end(p);
    pthread_mutex_lock(&p->lock);
    snprintf(p->label, sizeof p->label, "%s", label);
    snprintf(p->unit, sizeof p->unit, "%s", unit);
    p->begun = p->rate_time = clock_wall();
    p->rate = 0;
    p->rate_done = 0;
    p->is_wave = false;
    atomic_store_explicit(&p->done, 0, memory_order_relaxed);
    atomic_store_explicit(&p->parts_done, 0, memory_order_relaxed);
    atomic_store_explicit(&p->parts, 0, memory_order_relaxed);
    atomic_store_explicit(&p->disk, 0, memory_order_relaxed);
    atomic_store_explicit(&p->total, total, memory_order_relaxed);
    /* Not at once: what is done in no time needs no line. */
    atomic_store_explicit(&p->due, coarse_now() + 2 * p->interval, memory_order_relaxed);
    pthread_mutex_unlock(&p->lock);
}

void progress_label(progress *p, const char *label)
{
    if (p == NULL || p->sink == NULL)
        return;
    pthread_mutex_lock(&p->lock);
    snprintf(p->label, sizeof p->label, "%s", label);
    pthread_mutex_unlock(&p->lock);
}

void progress_set_total(progress *p, uint64_t total)
{
    if (p != NULL)
        atomic_store_explicit(&p->total, total, memory_order_relaxed);
}

void progress_set_parts(progress *p, uint64_t parts)
{
    if (p != NULL)
        atomic_store_explicit(&p->parts, parts, memory_order_relaxed);
}

void progress_add_part(progress *p, uint64_t disk)
{
    if (p == NULL)
        return;
    atomic_fetch_add_explicit(&p->parts_done, 1, memory_order_relaxed);
    atomic_store_explicit(&p->disk, disk, memory_order_relaxed);
}

void progress_end(progress *p)
{
    if (p == NULL || p->sink == NULL)
        return;
    pthread_mutex_lock(&p->lock);
    if (atomic_exchange_explicit(&p->due, INT64_MAX, memory_order_relaxed) != INT64_MAX) {
        p->rate_time = p->begun; /* the rate of the whole */
        p->rate_done = 0;
        progress_tell(p, true);
    }
    pthread_mutex_unlock(&p->lock);
}

bool progress_is_due(const progress *p)
{
    return p != NULL && p->sink != NULL &&
           coarse_now() >= atomic_load_explicit(&p->due, memory_order_relaxed);
}

void progress_tick(progress *p)
{
    if (p == NULL)
        return;
    int64_t now = coarse_now();
    if (now < atomic_load_explicit(&p->due, memory_order_relaxed))
        return;
    if (pthread_mutex_trylock(&p->lock) != 0)
        return; /* somebody else tells */
    int64_t due = atomic_load_explicit(&p->due, memory_order_relaxed);
    if (now >= due) {
        atomic_store_explicit(&p->due, now + p->interval, memory_order_relaxed);
        progress_tell(p, false);
    }
    pthread_mutex_unlock(&p->lock);
}

void progress_set(progress *p, uint64_t done)
{
    if (p == NULL || p->sink == NULL)
        return;
    atomic_store_explicit(&p->done, done, memory_order_relaxed);
    progress_tick(p);
}

void progress_set_wave(progress *p, uint64_t done, const progress_wave *wave)
{
    if (p == NULL || p->sink == NULL)
        return;
    pthread_mutex_lock(&p->lock);
    p->is_wave = true;
    p->wave = *wave;
    pthread_mutex_unlock(&p->lock);
    progress_set(p, done);
}
