/* SPDX-License-Identifier: MIT */

/* holos: progress reports and log levels of long work. */

#ifndef HOLOS_PROGRESS_H
#define HOLOS_PROGRESS_H

#include <holos/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How far a piece of work has come. Unless noted, zero or NULL means unknown. */
typedef struct holos_progress {
    const char *label, *unit; /* "build", "positions" */
    uint64_t done, total;
    uint64_t parts_done, parts; /* for work that is done in parts */
    double rate;                /* things per second, recently */
    double seconds;             /* since this piece of work began */
    double left;                /* seconds to the end or to the time limit */
    size_t memory;              /* bytes in use */
    uint64_t disk;              /* bytes written */
    bool ended;                 /* the work is over; this is the last call for it */

    bool is_wave;    /* the members below are valid */
    unsigned layer;  /* the depth that the wave has reached */
    uint64_t solved; /* how many of the positions done have an exact value */
    bool has_seed;
    int32_t seed_lo, seed_hi; /* what is proved about the first seed */
} holos_progress;

typedef enum holos_log_level {
    HOLOS_LOG_ERROR = 0, /* something failed; the work continues without it */
    HOLOS_LOG_WARNING,
    HOLOS_LOG_INFO,
    HOLOS_LOG_DEBUG,
} holos_log_level;

#ifdef __cplusplus
}
#endif

#endif
