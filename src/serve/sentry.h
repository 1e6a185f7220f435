/* SPDX-License-Identifier: MIT */

/* One thread that watches over the work of all others: it asks work to stop when its time is up, or when nobody waits
 * for it any more because the connection was closed. */

#ifndef HOLOS_SERVE_SENTRY_H
#define HOLOS_SERVE_SENTRY_H

#include <holos/base.h>

#include <pthread.h>

typedef struct sentry_item {
    int fd;          /* a connection, or -1 */
    double deadline; /* of core/clock.h; CLOCK_NEVER: none */
    holos_stop *stop;
    struct sentry_item *next;
} sentry_item;

typedef struct sentry {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    sentry_item *items;
    bool running, over;
} sentry;

holos_status sentry_open(sentry *w, holos_error *err);
void sentry_close(sentry *w);
/* From now until sentry_end: sets *item->stop when it is time. */
void sentry_begin(sentry *w, sentry_item *item);
void sentry_end(sentry *w, sentry_item *item);

#endif
