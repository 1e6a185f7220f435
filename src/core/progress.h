/* SPDX-License-Identifier: MIT */

/* The progress line: "build: 1.2 M of 5.3 M positions, part 12 of 91, 22 %, 4.1 M/s, 0:31 left, 310 MiB, 1.1 MiB
 * on disk".
 *
 * Its owner (the program, never the library) says where it goes and how; whoever works only counts. A
 * NULL progress is one that nobody looks at. On a terminal the line is redrawn some ten times a second
 * at most, and erases itself; for programs it is one JSON object a line:
 *
 *     {"event":"progress","label":"explore","done":1200000,"total":5300000,"unit":"positions",
 *      "parts_done":12,"parts":91,"rate":4.1e+06,"seconds":0.3,"left":31,"memory":325058560,"disk":1153434}
 *
 * and the same with "event":"done" when the work ends. A field that is not known is left out. */

#ifndef HOLOS_CORE_PROGRESS_H
#define HOLOS_CORE_PROGRESS_H

#include "core/log.h"
#include "core/mem.h"
#include "core/text.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

typedef enum progress_mode {
    PROGRESS_NONE,
    PROGRESS_LINE, /* a terminal */
    PROGRESS_JSON,
} progress_mode;

typedef struct progress {
    FILE *out;
    progress_mode mode;
    const mem_budget *budget; /* whose memory is shown; may be NULL */
    _Atomic uint64_t done, total;
    _Atomic uint64_t parts_done, parts; /* of work that is done in parts */
    _Atomic uint64_t disk;              /* bytes written */
    _Atomic int64_t due; /* when it may be drawn next, in nanoseconds; INT64_MAX: nothing is going on */
    pthread_mutex_t lock;
    /* Under the lock. */
    char label[64], unit[32];
    bool drawn;
    double begun, rate, rate_time; /* the rate of late, as of rate_time, when rate_done were done */
    uint64_t rate_done;
} progress;

void progress_init(progress *p, FILE *out, progress_mode mode, const mem_budget *budget);
void progress_free(progress *p); /* erases the line */

/* A piece of work begins: `total` things called `unit` (0: nobody knows how many). */
void progress_begin(progress *p, const char *label, const char *unit, uint64_t total);
void progress_set_total(progress *p, uint64_t total);
/* It is done in so many parts. */
void progress_set_parts(progress *p, uint64_t parts);
/* A part is finished, and so many bytes are on the disk by now. */
void progress_add_part(progress *p, uint64_t disk);
/* It ends, whether all is done or not: the line is erased. */
void progress_end(progress *p);

/* More is done. Any thread may call it; some 10 ns, so call it for a few hundred small things at once. */
static inline void progress_add(progress *p, uint64_t count);
/* Draws it if it is time to; progress_add does that by itself. */
void progress_tick(progress *p);

/* A sink for a logger whose context is the progress: a line of its own above the progress line, "warning:
 * …"; in JSON {"event":"log","level":"warning","message":"…"}. */
void progress_log(void *context, log_level level, const char *message);

/* How it looks: what progress_tick writes, without the ends of lines. */
typedef struct progress_state {
    const char *label, *unit;
    uint64_t done, total;       /* total 0: not known */
    uint64_t parts_done, parts; /* parts 0: there are none */
    double rate;                /* things a second; 0: not known */
    double seconds;             /* since it began */
    size_t memory;              /* 0: not known */
    uint64_t disk;              /* bytes written; 0: none */
} progress_state;

void progress_format_line(const progress_state *s, text *out);
void progress_format_json(const progress_state *s, const char *event, text *out);

static inline void progress_add(progress *p, uint64_t count)
{
    if (p == NULL || p->mode == PROGRESS_NONE)
        return;
    atomic_fetch_add_explicit(&p->done, count, memory_order_relaxed);
    progress_tick(p);
}

#endif
