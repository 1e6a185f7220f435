/* SPDX-License-Identifier: MIT */

/* Progress: whoever works only counts, and now and then somebody who wants to know is told (holos/job.h,
 * holos_progress). How that looks is the listener's affair: the program draws it (core/screen.h). A NULL progress is one that
 * nobody listens to. */

#ifndef HOLOS_CORE_PROGRESS_H
#define HOLOS_CORE_PROGRESS_H

#include "core/log.h"
#include "core/mem.h"
#include "core/text.h"

#include <holos/progress.h>

#include <pthread.h>
#include <stdatomic.h>

/* Called by whichever thread counts, never by two at once. */
typedef void progress_sink(void *context, const holos_progress *state);

/* What a wave adds to its count. */
typedef struct progress_wave {
    unsigned layer;
    uint64_t solved;
    size_t memory;
    bool has_seed;
    int32_t seed_lo, seed_hi;
} progress_wave;

typedef struct progress {
    progress_sink *sink; /* NULL: nobody listens */
    void *context;
    int64_t interval;         /* nanoseconds between two calls */
    const mem_budget *budget; /* whose memory is told; may be NULL */
    double deadline;          /* when the limit of time ends the work; 0: there is none */
    _Atomic uint64_t done, total;
    _Atomic uint64_t parts_done, parts; /* of work that is done in parts */
    _Atomic uint64_t disk;              /* bytes written */
    _Atomic int64_t due; /* when the sink is called next, in nanoseconds; INT64_MAX: nothing is going on */
    pthread_mutex_t lock;
    /* Under the lock. */
    char label[64], unit[32];
    bool is_wave;
    progress_wave wave;
    double begun, rate, rate_time; /* the rate of late, as of rate_time, when rate_done were done */
    uint64_t rate_done;
} progress;

/* `sink` may be NULL. */
void progress_init(progress *p, progress_sink *sink, void *context, double interval);
void progress_free(progress *p); /* ends what is going on */

/* A piece of work begins: `total` things called `unit` (0: nobody knows how many). */
void progress_begin(progress *p, const char *label, const char *unit, uint64_t total);
/* It is called something else from now on. */
void progress_label(progress *p, const char *label);
void progress_set_total(progress *p, uint64_t total);
/* It is done in so many parts. */
void progress_set_parts(progress *p, uint64_t parts);
/* A part is finished, and so many bytes are on the disk by now. */
void progress_add_part(progress *p, uint64_t disk);
/* It ends, whether all is done or not. */
void progress_end(progress *p);

/* So many are done in all. */
void progress_set(progress *p, uint64_t done);
/* More is done. Any thread may call it; some 10 ns, so call it for a few hundred small things at once. */
static inline void progress_add(progress *p, uint64_t count);
/* Tells the listener if it is time to; progress_add does that by itself. */
void progress_tick(progress *p);

/* Whether it is time to tell the listener: for whoever has to look up what to tell. */
bool progress_is_due(const progress *p);
/* So many are done in all, and this is what else is known of a wave. */
void progress_set_wave(progress *p, uint64_t done, const progress_wave *wave);

static inline void progress_add(progress *p, uint64_t count)
{
    if (p == NULL || p->sink == NULL)
        return;
    atomic_fetch_add_explicit(&p->done, count, memory_order_relaxed);
    progress_tick(p);
}

#endif
