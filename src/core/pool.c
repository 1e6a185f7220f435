/* SPDX-License-Identifier: MIT */

#include "core/pool.h"

#include "core/assert.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

/* A thread takes indices by the handful when there are many: enough handfuls for an even share, none so
 * large that the last one keeps everybody waiting. */
#define HANDFULS_EACH 64
#define HANDFUL_MOST  1024

typedef struct pool_worker {
    pool *owner;
    unsigned number; /* 1 and up; the caller of pool_run is 0 */
    pthread_t thread;
} pool_worker;

struct pool {
    unsigned threads; /* the caller among them */
    pthread_mutex_t lock;
    pthread_cond_t begin, end;
    /* Under the lock. */
    uint64_t round; /* counts pool_run: a worker that has not seen this one has something to do */
    unsigned busy;  /* workers that have not finished this round */
    bool closing;
    /* Set before a round begins. */
    uint64_t count, handful;
    void (*job)(void *context, uint64_t index, unsigned worker);
    void *context;

    atomic_bool running;
    _Atomic uint64_t next;
    pool_worker workers[]; /* threads - 1 */
};

unsigned pool_processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return (unsigned)CPU_COUNT(&set);
    long online = sysconf(_SC_NPROCESSORS_ONLN); /* more processors than a cpu_set_t holds */
    return online > 0 ? (unsigned)online : 1;
}

unsigned pool_threads(const pool *p)
{
    return p->threads;
}

static void pool_work(pool *p, unsigned worker)
{
    for (;;) {
        uint64_t index = atomic_fetch_add_explicit(&p->next, p->handful, memory_order_relaxed);
        if (index >= p->count)
            return;
        uint64_t end = p->count - index > p->handful ? index + p->handful : p->count;
        for (; index < end; index++)
            p->job(p->context, index, worker);
    }
}

static void *worker_main(void *argument)
{
    pool_worker *self = argument;
    pool *p = self->owner;
    uint64_t seen = 0;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (p->round == seen && !p->closing)
            pthread_cond_wait(&p->begin, &p->lock);
        if (p->closing)
            break;
        seen = p->round;
        pthread_mutex_unlock(&p->lock);
        pool_work(p, self->number);
        pthread_mutex_lock(&p->lock);
        if (--p->busy == 0)
            pthread_cond_signal(&p->end);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* Stops and frees a pool whose first `started` workers run. */
static void pool_stop(pool *p, unsigned started)
{
    pthread_mutex_lock(&p->lock);
    p->closing = true;
    pthread_cond_broadcast(&p->begin);
    pthread_mutex_unlock(&p->lock);
    for (unsigned i = 0; i < started; i++)
        pthread_join(p->workers[i].thread, NULL);
    pthread_cond_destroy(&p->end);
    pthread_cond_destroy(&p->begin);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

/* Starts the workers with all signals blocked, so that they reach the program's own thread. Returns how
 * many were started; errno tells why it is not all of them. */
static unsigned pool_start(pool *p)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    unsigned started = 0;
    for (; started + 1 < p->threads; started++) {
        pool_worker *w = &p->workers[started];
        *w = (pool_worker){.owner = p, .number = started + 1};
        errno = pthread_create(&w->thread, NULL, worker_main, w);
        if (errno != 0)
            break;
    }
    int reason = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return started;
}

holos_status pool_open(unsigned threads, pool **out, holos_error *err)
{
    if (threads == 0)
        threads = pool_processors();
    if (threads > POOL_THREADS_MOST)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%u threads are too many: at most %d", threads,
                         POOL_THREADS_MOST);
    pool *p = calloc(1, sizeof *p + (threads - 1) * sizeof *p->workers);
    if (p == NULL)
        return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for %u threads", threads);
    p->threads = threads;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->begin, NULL);
    pthread_cond_init(&p->end, NULL);
    unsigned started = pool_start(p);
    if (started + 1 < threads) {
        int reason = errno;
        pool_stop(p, started);
        errno = reason;
        return error_system(err, "cannot start thread %u of %u", started + 2, threads);
    }
    *out = p;
    return HOLOS_OK;
}

void pool_close(pool *p)
{
    if (p != NULL)
        pool_stop(p, p->threads - 1);
}

static void pool_share(pool *p, uint64_t count)
{
    uint64_t handful = count / p->threads / HANDFULS_EACH;
    p->handful = handful < 1 ? 1 : handful < HANDFUL_MOST ? handful : HANDFUL_MOST;
    p->count = count;
    atomic_store_explicit(&p->next, 0, memory_order_relaxed);
    pthread_mutex_lock(&p->lock);
    p->busy = p->threads - 1;
    p->round++;
    pthread_cond_broadcast(&p->begin);
    pthread_mutex_unlock(&p->lock);

    pool_work(p, 0);

    pthread_mutex_lock(&p->lock);
    while (p->busy > 0)
        pthread_cond_wait(&p->end, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

void pool_run(pool *p, uint64_t count, void (*job)(void *context, uint64_t index, unsigned worker),
              void *context)
{
    bool was_running = atomic_exchange(&p->running, true);
    assert(!was_running);
    p->job = job;
    p->context = context;
    if (p->threads > 1 && count > 1)
        pool_share(p, count);
    else
        for (uint64_t index = 0; index < count; index++)
            job(context, index, 0);
    atomic_store(&p->running, false);
}
