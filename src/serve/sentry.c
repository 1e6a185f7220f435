/* SPDX-License-Identifier: MIT */

#include "serve/sentry.h"

#include "core/clock.h"
#include "core/error.h"

#include <errno.h>
#include <sys/socket.h>

/* Seconds between two looks at the connections. */
#define LOOK 0.02

/* True if the other side has closed the connection. What it has sent stays unread. */
static bool is_gone(int fd)
{
    char byte;
    ssize_t got = fd >= 0 ? recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) : 1;
    return got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

/* Looks at everything; returns when to look again. */
static double look(sentry *w)
{
    double next = w->items != NULL ? clock_wall() + LOOK : CLOCK_NEVER;
    for (sentry_item *i = w->items; i != NULL; i = i->next) {
        if (deadline_passed(i->deadline) || is_gone(i->fd))
            holos_stop_set(i->stop);
        else if (i->deadline < next)
            next = i->deadline;
    }
    return next;
}

static void *sentry_run(void *context)
{
    sentry *w = context;
    pthread_mutex_lock(&w->lock);
    while (!w->over) {
        double next = look(w);
        if (next >= CLOCK_NEVER) {
            pthread_cond_wait(&w->changed, &w->lock);
        } else {
            struct timespec at = {.tv_sec = (time_t)next,
                                  .tv_nsec = (long)((next - (double)(time_t)next) * 1e9)};
            pthread_cond_timedwait(&w->changed, &w->lock, &at);
        }
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

holos_status sentry_open(sentry *w, holos_error *err)
{
    pthread_condattr_t monotonic;
    *w = (sentry){0};
    pthread_mutex_init(&w->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&w->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    errno = pthread_create(&w->thread, NULL, sentry_run, w);
    w->running = errno == 0;
    return w->running ? HOLOS_OK : error_system(err, "a thread of the server");
}

void sentry_close(sentry *w)
{
    if (!w->running)
        return;
    pthread_mutex_lock(&w->lock);
    w->over = true;
    pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    w->running = false;
}

void sentry_begin(sentry *w, sentry_item *item)
{
    pthread_mutex_lock(&w->lock);
    item->next = w->items;
    w->items = item;
    pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->lock);
}

void sentry_end(sentry *w, sentry_item *item)
{
    pthread_mutex_lock(&w->lock);
    sentry_item **at = &w->items;
    while (*at != item)
        at = &(*at)->next;
    *at = item->next;
    pthread_mutex_unlock(&w->lock);
}
