/* SPDX-License-Identifier: MIT */

/* Who does what in a tier. A part is taken whole, or begun and then solved in pieces by whoever is free: step by step, since
 * a step needs the ones before. Large parts that cannot be split come first, small ones last, so that the threads
 * finish at about the same time. */

#ifndef HOLOS_RETROGRADE_SCHEDULE_H
#define HOLOS_RETROGRADE_SCHEDULE_H

#include "core/error.h"

#include <pthread.h>

typedef struct schedule_part {
    uint32_t part;
    uint64_t size;
    uint32_t steps;                       /* 0: taken whole */
    uint32_t step, pieces, next, running; /* of the step that is open */
    bool begun, open, solved, ended;
} schedule_part;

typedef enum task_kind {
    TASK_BEGIN,  /* load it; if that cannot be: solve it whole, or say that it is open */
    TASK_PIECES, /* some of a step */
    TASK_END,    /* all pieces are done: keep it */
} task_kind;

typedef struct task {
    task_kind kind;
    schedule_part *part;
    uint32_t step, first, count;
} task;

typedef struct schedule {
    schedule_part *parts; /* the largest first */
    uint32_t count;
    unsigned busy; /* threads at work on a task */
    bool stopped;
    uint32_t share; /* a step is given out in about so many tasks */
    uint32_t (*pieces)(void *context, uint32_t part, uint32_t step);
    void *context;
    /* NULL, or who says which part is the next one here, as its place in the list, where other processes take parts of the
     * same tier; false: there is none any more. */
    bool (*next)(void *context, uint32_t *at);
    void *next_context;
    bool none_left; /* it has said so */
    pthread_mutex_t lock;
    pthread_cond_t change;
} schedule;

void schedule_init(schedule *s);
void schedule_free(schedule *s);

/* Waits for the next task. False: there will be none any more, or the work has been stopped. */
bool schedule_take(schedule *s, task *out);
/* After a task; `open`: of a part that was begun, whether its pieces are to be solved. */
void schedule_done(schedule *s, const task *t, bool open);
/* No more tasks are given out. */
void schedule_stop(schedule *s);

#endif
