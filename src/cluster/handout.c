/* SPDX-License-Identifier: MIT */

#include "cluster/handout.h"

#include "cluster/tasks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NOBODY     UINT32_MAX
#define NOT_YET    (UINT32_MAX - 2)
#define WAIT_LEAST 20000    /* nanoseconds between two looks for questions */
#define WAIT_MOST  500000   /* the same while nobody asks for parts of a tier */
#define WAIT_TASKS 10000000 /* and for tasks, which take long */

/* What ranks say to rank 0; what follows ASK_DONE is about the piece. */
enum { ASK_NEXT, ASK_STOP, ASK_DONE };
typedef struct question {
    uint32_t what, piece;
} question;

/* ---- What rank 0 knows, under the lock ---------------------------------------------------------- */

static bool is_ready(const handout *h, uint32_t piece)
{
    if (h->tasks == NULL || h->tasks->waits == NULL)
        return true;
    for (uint32_t i = 0; i < h->count; i++)
        if (!h->done[i] && h->tasks->waits[(size_t)piece * h->count + i])
            return false;
    return true;
}

/* Whether it is for this rank. */
static bool is_for(const handout *h, uint32_t piece, unsigned rank)
{
    return rank == 0 || h->tasks == NULL || !h->tasks->list[piece].first;
}

static uint32_t piece_at(const handout *h, uint32_t i)
{
    return h->tasks != NULL ? h->order[i] : i;
}

/* The next piece for a rank; NOT_YET: it waits for others. */
static uint32_t piece_give(handout *h, unsigned rank)
{
    while (h->next < h->count && h->owners[piece_at(h, h->next)] != NOBODY)
        h->next++;
    for (uint32_t i = h->next; i < h->count && !h->stopped; i++) {
        uint32_t piece = piece_at(h, i);
        if (h->owners[piece] == NOBODY && is_for(h, piece, rank) && is_ready(h, piece)) {
            h->owners[piece] = rank;
            return piece;
        }
    }
    if (h->tasks == NULL || h->left == 0)
        return HANDOUT_NOTHING;
    return h->stopped ? HANDOUT_STOPPED : NOT_YET;
}

/* Something has changed: whoever waits may go on. */
static void waiting_answer(handout *h)
{
    for (unsigned rank = 1; h->tasks != NULL && rank < h->c->ranks; rank++) {
        uint32_t given = h->waiting[rank] ? piece_give(h, rank) : NOT_YET;
        if (given == NOT_YET)
            continue;
        h->waiting[rank] = false;
        cluster_send(h->c, rank, TAG_TELL, &given, sizeof given);
    }
    pthread_cond_broadcast(&h->more);
}

/* The last that rank 0 says. */
static void others_tell(handout *h)
{
    uint32_t stopped = h->stopped;
    for (unsigned rank = 1; h->together && !h->told && rank < h->c->ranks; rank++)
        cluster_send(h->c, rank, TAG_STOP, &stopped, sizeof stopped);
    h->told = true;
}

static void all_stop(handout *h)
{
    if (h->stopped)
        return;
    h->stopped = true;
    holos_stop_set(&h->stop);
    others_tell(h);
    waiting_answer(h);
}

static void piece_finish(handout *h, uint32_t piece, const void *said)
{
    holos_error err;
    h->done[piece] = true;
    h->left--;
    holos_status status = h->work->hear(h->work->context, piece, said, &err);
    if (status != HOLOS_OK) {
        if (h->status == HOLOS_OK) {
            h->status = status;
            h->error = err;
        }
        all_stop(h);
    }
    waiting_answer(h);
}

/* ---- The threads -------------------------------------------------------------------------------- */

/* Hears one rank; false: nobody says anything. */
static bool question_answer(handout *h)
{
    unsigned from = CLUSTER_ANY;
    size_t size;
    pthread_mutex_lock(&h->lock);
    question q, *asked = h->tasks != NULL ? (void *)h->letter : (void *)&q;
    pthread_mutex_unlock(&h->lock);
    if (!cluster_waits(h->c, &from, TAG_ASK, &size) || !cluster_receive(h->c, from, TAG_ASK, asked, size))
        return false;
    pthread_mutex_lock(&h->lock);
    if (asked->what == ASK_STOP) {
        all_stop(h);
    } else if (asked->what == ASK_DONE) {
        piece_finish(h, asked->piece, asked + 1);
    } else {
        uint32_t given = piece_give(h, from);
        if (given == NOT_YET)
            h->waiting[from] = true;
        else
            cluster_send(h->c, from, TAG_TELL, &given, sizeof given);
    }
    pthread_mutex_unlock(&h->lock);
    return true;
}

static void *manage(void *context)
{
    handout *h = context;
    long wait = WAIT_LEAST, most = h->together ? WAIT_TASKS : WAIT_MOST;
    while (!h->over) {
        bool asked = question_answer(h);
        if (h->together && (holos_stop_asked(&h->stop) || cluster_broken(h->c)))
            handout_stop(h);
        wait = asked ? WAIT_LEAST : wait * 2 > most ? most : wait * 2;
        if (!asked)
            nanosleep(&(struct timespec){.tv_nsec = wait}, NULL);
    }
    while (question_answer(h))
        ;
    return NULL;
}

/* In another rank: passes on requests to stop, until rank 0 has said its last word. */
static void *listen(void *context)
{
    handout *h = context;
    bool told = false;
    unsigned from = 0;
    size_t size;
    while (!cluster_broken(h->c) && !cluster_waits(h->c, &from, TAG_STOP, &size)) {
        pthread_mutex_lock(&h->lock);
        if (!told && !h->over && holos_stop_asked(h->stop.also)) {
            handout_stop(h);
            told = true;
        }
        pthread_mutex_unlock(&h->lock);
        nanosleep(&(struct timespec){.tv_nsec = WAIT_TASKS}, NULL);
    }
    uint32_t stopped = 0;
    if (cluster_receive(h->c, 0, TAG_STOP, &stopped, sizeof stopped) && stopped != 0)
        holos_stop_set(&h->stop);
    return NULL;
}

holos_status handout_open(handout *h, holos_cluster *c, const holos_stop *stop, holos_error *err)
{
    *h = (handout){.c = c, .together = stop != NULL, .stop = {.also = stop}};
    pthread_mutex_init(&h->lock, NULL);
    pthread_mutex_init(&h->asking, NULL);
    pthread_cond_init(&h->more, NULL);
    if (c->ranks == 1 || (c->rank > 0 && !h->together))
        return HOLOS_OK;
    errno = pthread_create(&h->thread, NULL, c->rank == 0 ? manage : listen, h);
    h->running = errno == 0;
    return h->running ? HOLOS_OK : error_system(err, "cannot start a thread");
}

void handout_rest(handout *h)
{
    pthread_mutex_lock(&h->lock);
    h->over = h->c->rank > 0;
    pthread_mutex_unlock(&h->lock);
}

void handout_close(handout *h)
{
    h->over = true;
    if (h->c->rank == 0) {
        if (h->running)
            pthread_join(h->thread, NULL);
        others_tell(h);
    } else if (h->running) {
        pthread_join(h->thread, NULL);
    } else if (h->together) {
        listen(h);
    }
    pthread_cond_destroy(&h->more);
    pthread_mutex_destroy(&h->asking);
    pthread_mutex_destroy(&h->lock);
    free(h->owners);
    free(h->order);
    free(h->letter);
    free(h->done);
    free(h->waiting);
}

holos_status handout_together(holos_cluster *c, const holos_stop *stop,
                              holos_status (*run)(void *context, const holos_stop *stop, holos_error *err),
                              void *context, holos_error *err)
{
    handout h;
    holos_status status = holos_cluster_agree(c, handout_open(&h, c, stop, err), err);
    if (status == HOLOS_OK)
        status = run(context, &h.stop, err);
    status = holos_cluster_agree(c, status, err); /* whoever waits here still passes on a request to stop */
    handout_rest(&h);
    cluster_wait(c); /* so all that they had to say is on its way to rank 0 */
    handout_close(&h);
    return status;
}

/* ---- The work ----------------------------------------------------------------------------------- */

static holos_status room_make(handout *h, uint32_t count, const job_tasks *tasks, const job_work *work,
                              holos_error *err)
{
    if (count > h->room) {
        uint32_t *more = realloc(h->owners, count * sizeof *more);
        if (more == NULL)
            return error_system(err, "handing out work");
        h->owners = more;
        h->room = count;
    }
    if (tasks == NULL)
        return HOLOS_OK;
    h->order = calloc(count + 1, sizeof *h->order);
    h->done = calloc(count + 1, sizeof *h->done);
    h->waiting = calloc(h->c->ranks, sizeof *h->waiting);
    h->letter = malloc(sizeof(question) + work->said_size);
    if (h->order == NULL || h->done == NULL || h->waiting == NULL || h->letter == NULL)
        return error_system(err, "handing out work");
    return tasks_order(tasks, h->order, err);
}

holos_status handout_begin(handout *h, bool *there, uint32_t count, const job_tasks *tasks,
                           const job_work *work, holos_status status, holos_error *err)
{
    if (status == HOLOS_OK)
        status = room_make(h, count, tasks, work, err);
    status = holos_cluster_agree(h->c, status, err);
    if (status != HOLOS_OK)
        return status;
    cluster_share(h->c, there, count * sizeof *there, 0);
    pthread_mutex_lock(&h->lock);
    h->tasks = tasks;
    h->work = work;
    h->count = h->left = count;
    h->next = 0;
    h->stopped = false;
    for (uint32_t i = 0; i < count; i++) {
        h->owners[i] = there[i] ? 0 : NOBODY;
        h->left -= there[i];
        if (tasks != NULL)
            h->done[i] = there[i];
    }
    pthread_mutex_unlock(&h->lock);
    cluster_wait(h->c); /* nobody asks before the manager knows the pieces */
    return HOLOS_OK;
}

void handout_ask(handout *h)
{
    cluster_send(h->c, 0, TAG_ASK, &(question){.what = ASK_NEXT}, sizeof(question));
}

uint32_t handout_hear(handout *h)
{
    uint32_t piece;
    return cluster_receive(h->c, 0, TAG_TELL, &piece, sizeof piece) ? piece : HANDOUT_NOTHING;
}

uint32_t handout_next(handout *h)
{
    uint32_t given;
    if (h->c->rank > 0) {
        pthread_mutex_lock(&h->asking);
        handout_ask(h);
        given = handout_hear(h);
        pthread_mutex_unlock(&h->asking);
        return given;
    }
    pthread_mutex_lock(&h->lock);
    while ((given = piece_give(h, 0)) == NOT_YET)
        pthread_cond_wait(&h->more, &h->lock);
    pthread_mutex_unlock(&h->lock);
    return given;
}

void handout_done(handout *h, uint32_t piece, const void *said)
{
    question q = {.what = ASK_DONE, .piece = piece};
    pthread_mutex_lock(&h->lock);
    if (h->c->rank == 0) {
        piece_finish(h, piece, said);
    } else {
        memcpy(h->letter, &q, sizeof q);
        memcpy(h->letter + sizeof q, said, h->work->said_size);
        cluster_send(h->c, 0, TAG_ASK, h->letter, sizeof q + h->work->said_size);
    }
    pthread_mutex_unlock(&h->lock);
}

holos_status handout_heard(handout *h, holos_status status, holos_error *err)
{
    pthread_mutex_lock(&h->lock);
    if (h->status != HOLOS_OK) {
        status = h->status;
        *err = h->error;
    }
    pthread_mutex_unlock(&h->lock);
    return status;
}

void handout_stop(handout *h)
{
    if (h->c->rank > 0) {
        cluster_send(h->c, 0, TAG_ASK, &(question){.what = ASK_STOP}, sizeof(question));
        return;
    }
    pthread_mutex_lock(&h->lock);
    all_stop(h);
    pthread_mutex_unlock(&h->lock);
}
