/* SPDX-License-Identifier: MIT */

#include "cluster/parts.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#define NOBODY       UINT32_MAX
#define WAIT_LEAST   20000  /* nanoseconds between two looks for questions */
#define WAIT_MOST    500000 /* the same while nobody asks */
#define NOTHING_LEFT UINT32_MAX

/* What ranks ask. */
enum { ASK_NEXT, ASK_STOP };

struct cluster_parts {
    holos_cluster *c;
    retro_company company;
    pthread_t manager;
    bool managing;
    _Atomic bool over;
    bool
        asked; /* a question for the next part is on its way: it is asked while this rank works, so that nobody waits for the answer */
    pthread_mutex_t lock; /* guards what follows; in rank 0 */
    uint32_t *owners;     /* of each part of the tier; NOBODY: not yet */
    size_t room;
    uint32_t count, next;
    bool stopped;
};

/* ---- The manager ------------------------------------------------------------------------------- */

/* The next part for a rank, or NOTHING_LEFT. */
static uint32_t part_give(cluster_parts *p, unsigned rank)
{
    uint32_t given = NOTHING_LEFT;
    pthread_mutex_lock(&p->lock);
    while (p->next < p->count && p->owners[p->next] != NOBODY)
        p->next++;
    if (!p->stopped && p->next < p->count) {
        given = p->next++;
        p->owners[given] = rank;
    }
    pthread_mutex_unlock(&p->lock);
    return given;
}

static void parts_stop(cluster_parts *p)
{
    pthread_mutex_lock(&p->lock);
    p->stopped = true;
    pthread_mutex_unlock(&p->lock);
}

/* Answers one rank; false: nobody asks. */
static bool question_answer(cluster_parts *p)
{
    unsigned from = CLUSTER_ANY;
    size_t size;
    uint32_t ask, given;
    if (!cluster_waits(p->c, &from, TAG_ASK, &size) ||
        !cluster_receive(p->c, from, TAG_ASK, &ask, sizeof ask))
        return false;
    if (ask == ASK_STOP) {
        parts_stop(p);
        return true;
    }
    given = part_give(p, from);
    cluster_send(p->c, from, TAG_TELL, &given, sizeof given);
    return true;
}

static void *manage(void *context)
{
    cluster_parts *p = context;
    long wait = WAIT_LEAST;
    while (!p->over) {
        bool asked = question_answer(p);
        wait = asked ? WAIT_LEAST : wait * 2 > WAIT_MOST ? WAIT_MOST : wait * 2;
        if (!asked)
            nanosleep(&(struct timespec){.tv_nsec = wait}, NULL);
    }
    while (question_answer(p))
        ;
    return NULL;
}

/* ---- A tier ------------------------------------------------------------------------------------ */

static holos_status company_begin(void *context, bool *there, uint32_t count, holos_status status,
                                  holos_error *err)
{
    cluster_parts *p = context;
    if (status == HOLOS_OK && count > p->room) {
        uint32_t *more = realloc(p->owners, count * sizeof *more);
        if (more == NULL) {
            status = error_system(err, "the parts of a tier");
        } else {
            p->owners = more;
            p->room = count;
        }
    }
    status = holos_cluster_agree(p->c, status, err);
    if (status != HOLOS_OK)
        return status;
    cluster_share(p->c, there, count * sizeof *there, 0);
    pthread_mutex_lock(&p->lock);
    p->count = count;
    p->next = 0;
    p->stopped = false;
    for (uint32_t i = 0; i < count; i++)
        p->owners[i] = there[i] ? 0 : NOBODY;
    pthread_mutex_unlock(&p->lock);
    cluster_wait(p->c); /* nobody asks before the manager knows the tier */
    return HOLOS_OK;
}

static void next_ask(cluster_parts *p)
{
    uint32_t ask = ASK_NEXT;
    cluster_send(p->c, 0, TAG_ASK, &ask, sizeof ask);
    p->asked = true;
}

static uint32_t next_hear(cluster_parts *p)
{
    uint32_t at;
    p->asked = false;
    return cluster_receive(p->c, 0, TAG_TELL, &at, sizeof at) ? at : NOTHING_LEFT;
}

static bool company_next(void *context, uint32_t *at)
{
    cluster_parts *p = context;
    if (p->c->rank == 0) {
        *at = part_give(p, 0);
        return *at != NOTHING_LEFT;
    }
    if (!p->asked)
        next_ask(p);
    *at = next_hear(p);
    if (*at != NOTHING_LEFT)
        next_ask(p);
    return *at != NOTHING_LEFT;
}

static void company_stop(void *context)
{
    cluster_parts *p = context;
    uint32_t ask = ASK_STOP;
    if (p->c->rank == 0)
        parts_stop(p);
    else
        cluster_send(p->c, 0, TAG_ASK, &ask, sizeof ask);
}

static holos_status company_end(void *context, uint8_t *const *parts, const uint64_t *sizes, bool *mine,
                                uint32_t count, bool spread, holos_status status, holos_error *err)
{
    cluster_parts *p = context;
    if (p->asked) /* after a failure: nobody will solve that part */
        (void)next_hear(p);
    status = holos_cluster_agree(p->c, status, err);
    if (status != HOLOS_OK)
        return status;
    cluster_share(p->c, p->owners, count * sizeof *p->owners, 0);
    for (uint32_t i = 0; i < count; i++) {
        mine[i] = p->owners[i] == p->c->rank;
        if (spread)
            cluster_share_between(p->c, parts[i], sizes[i], p->owners[i]);
    }
    return HOLOS_OK;
}

/* ---- Tables that several ranks have ------------------------------------------------------------- */

static int company_hand(void *context, int fd)
{
    cluster_parts *p = context;
    return cluster_file_share(p->c, fd);
}

static holos_status company_agree(void *context, holos_status status, holos_error *err)
{
    cluster_parts *p = context;
    return holos_cluster_agree(p->c, status, err);
}

/* ---- Opening ----------------------------------------------------------------------------------- */

holos_status parts_open(holos_cluster *c, bool keeps, bool whole, cluster_parts **out, holos_error *err)
{
    cluster_parts *p = *out = calloc(1, sizeof *p);
    if (p == NULL)
        return error_system(err, "the parts of a database");
    p->c = c;
    p->company = (retro_company){.context = p,
                                 .ranks = c->ranks,
                                 .loads = c->rank == 0,
                                 .whole = whole,
                                 .keeps = keeps,
                                 .leads = c->leads,
                                 .hand = company_hand,
                                 .agree = company_agree,
                                 .begin = company_begin,
                                 .next = company_next,
                                 .stop = company_stop,
                                 .end = company_end};
    pthread_mutex_init(&p->lock, NULL);
    if (c->rank > 0 || c->ranks == 1)
        return HOLOS_OK;
    errno = pthread_create(&p->manager, NULL, manage, p);
    p->managing = errno == 0;
    return p->managing ? HOLOS_OK : error_system(err, "cannot start a thread");
}

void parts_close(cluster_parts *p)
{
    if (p == NULL)
        return;
    p->over = true;
    if (p->managing)
        pthread_join(p->manager, NULL);
    pthread_mutex_destroy(&p->lock);
    free(p->owners);
    free(p);
}

const retro_company *parts_company(const cluster_parts *p)
{
    return &p->company;
}
