/* SPDX-License-Identifier: MIT */

/* Beside a job that runs: a thread that passes on requests to stop and the end of the time, so that kinds of jobs have one flag
 * to look at, and that refreshes the lock for `holos status`, even while the work does not count. */

#include "core/screen.h"
#include "session/job.h"

#include <errno.h>
#include <stdlib.h>

#define WATCH_SECONDS   0.05
#define REFRESH_SECONDS 2.0

void watch_init(holos_job *j)
{
    pthread_condattr_t steady; /* waits go by the clock that nobody sets */
    pthread_mutex_init(&j->watch_lock, NULL);
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_cond_init(&j->watch_end, &steady);
    pthread_condattr_destroy(&steady);
}

void watch_free(holos_job *j)
{
    pthread_cond_destroy(&j->watch_end);
    pthread_mutex_destroy(&j->watch_lock);
}

static void lock_refresh(holos_job *j)
{
    text words;
    if (j->lock.fd < 0)
        return;
    text_init(&words);
    record_lock(j, j->shown, &words);
    if (!words.failed)
        lock_write(&j->lock, words.data);
    text_free(&words);
}

static void *watch(void *context)
{
    holos_job *j = context;
    double refresh = 0;
    pthread_mutex_lock(&j->watch_lock);
    while (!j->over) {
        double now = clock_wall();
        if (holos_stop_asked(j->asked))
            holos_stop_set(&j->stop);
        if (deadline_passed(j->base.deadline) && !holos_stop_asked(&j->stop)) {
            j->out_of_time = true;
            holos_stop_set(&j->stop);
        }
        if (now >= refresh) {
            lock_refresh(j);
            refresh = now + REFRESH_SECONDS;
        }
        double until = now + WATCH_SECONDS;
        struct timespec at = {.tv_sec = (time_t)until,
                              .tv_nsec = (long)(1e9 * (until - (double)(time_t)until))};
        pthread_cond_timedwait(&j->watch_end, &j->watch_lock, &at);
    }
    pthread_mutex_unlock(&j->watch_lock);
    return NULL;
}

holos_status watch_begin(holos_job *j, holos_error *err)
{
    int code = pthread_create(&j->watcher, NULL, watch, j);
    errno = code;
    if (code != 0)
        return error_system(err, "cannot start a thread");
    j->watching = true;
    return HOLOS_OK;
}

void watch_end(holos_job *j)
{
    if (!j->watching)
        return;
    pthread_mutex_lock(&j->watch_lock);
    j->over = true;
    pthread_cond_signal(&j->watch_end);
    pthread_mutex_unlock(&j->watch_lock);
    pthread_join(j->watcher, NULL);
    j->watching = false;
}

bool watch_out_of_time(holos_job *j)
{
    pthread_mutex_lock(&j->watch_lock);
    bool out = j->out_of_time;
    pthread_mutex_unlock(&j->watch_lock);
    return out;
}

void watch_progress(void *context, const holos_progress *state)
{
    holos_job *j = context;
    text t;
    if (j->options.progress != NULL)
        j->options.progress(j->options.progress_context, state);
    pthread_mutex_lock(&j->watch_lock);
    text_init_fixed(&t, j->shown, sizeof j->shown);
    screen_format_json(state, &t);
    if (t.length >= sizeof j->shown)
        j->shown[0] = 0;
    pthread_mutex_unlock(&j->watch_lock);
}
