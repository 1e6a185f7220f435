/* SPDX-License-Identifier: MIT */

#include "cli/jsonl.h"

#include "cli/interrupt.h"
#include "core/clock.h"

#include <stdlib.h>
#include <string.h>

enum { WAITING_MOST = 100000, WATCH_NANOSECONDS = 5000000 };

typedef struct jsonl {
    session *s;
    pthread_mutex_t lock;
    pthread_cond_t news;   /* of a question, or of the end */
    pthread_cond_t begins; /* a question that wants reports; or the end */
    /* Under the lock. */
    query *first, **last; /* waiting, the oldest first */
    size_t waiting;
    query *busy; /* being answered */
    bool ended;  /* no more questions come */

    pthread_t *threads, watcher;
    unsigned count;
    bool watched;
} jsonl;

/* ---- Threads ----------------------------------------------------------------------------------- */

static query *query_take(jsonl *l)
{
    pthread_mutex_lock(&l->lock);
    while (l->first == NULL && !l->ended)
        pthread_cond_wait(&l->news, &l->lock);
    query *q = l->first;
    if (q != NULL) {
        l->first = q->next;
        if (l->first == NULL)
            l->last = &l->first;
        l->waiting--;
        q->next = l->busy;
        l->busy = q;
        if (q->report > 0)
            pthread_cond_signal(&l->begins);
    }
    pthread_mutex_unlock(&l->lock);
    return q;
}

static void query_done(jsonl *l, query *q)
{
    pthread_mutex_lock(&l->lock);
    query **at = &l->busy;
    while (*at != q)
        at = &(*at)->next;
    *at = q->next;
    pthread_mutex_unlock(&l->lock);
    query_free(q);
    free(q);
}

static void *work_thread(void *context)
{
    jsonl *l = context;
    worker_desk desk = {.s = l->s, .lock = &l->lock};
    for (query *q; (q = query_take(l)) != NULL;) {
        query_answer(&desk, q);
        query_done(l, q);
    }
    desk_clear(&desk);
    return NULL;
}

static bool reports_wanted(const jsonl *l)
{
    for (const query *q = l->busy; q != NULL; q = q->next)
        if (q->report > 0)
            return true;
    return false;
}

/* One thread looks after all questions that want reports. It ends when all are answered. */
static void *watch_thread(void *context)
{
    jsonl *l = context;
    text out;
    text_init(&out);
    pthread_mutex_lock(&l->lock);
    for (;;) {
        bool wanted = reports_wanted(l);
        if (!wanted && l->ended && l->first == NULL)
            break;
        if (!wanted) {
            pthread_cond_wait(&l->begins, &l->lock);
            continue;
        }
        for (query *q = l->busy; q != NULL; q = q->next)
            if (q->report > 0)
                query_watch(q, clock_wall(), &out);
        if (out.length > 0) /* under the lock: no report comes after the answer */
            session_say(l->s, &out);
        text_clear(&out);
        pthread_mutex_unlock(&l->lock);
        const struct timespec moment = {.tv_nsec = WATCH_NANOSECONDS};
        nanosleep(&moment, NULL);
        pthread_mutex_lock(&l->lock);
    }
    pthread_mutex_unlock(&l->lock);
    text_free(&out);
    return NULL;
}

/* ---- Commands ---------------------------------------------------------------------------------- */

/* Asks all questions of a list with this id (NULL: all) to stop; returns how many. */
static uint64_t list_stop(query *list, const char *id)
{
    uint64_t count = 0;
    for (query *q = list; q != NULL; q = q->next)
        if ((id == NULL || strcmp(q->id, id) == 0) && !q->terminated) {
            q->terminated = true;
            holos_stop_set(&q->stop);
            count++;
        }
    return count;
}

/* Those that wait are still answered, in their turn, with what is known without any work. */
static void command_terminate(jsonl *l, const query *q, json *j)
{
    const char *id = q->command == QUERY_TERMINATE ? q->terminate_id : NULL;
    pthread_mutex_lock(&l->lock);
    uint64_t count = list_stop(l->busy, id) + list_stop(l->first, id);
    pthread_mutex_unlock(&l->lock);
    if (id != NULL)
        json_put_string(j, "terminate_id", id);
    json_put_uint(j, "count", count);
}

static void command_version(json *j)
{
    json_put_string(j, "name", "holos");
    json_put_string(j, "version", holos_version());
}

static void command_games(json *j)
{
    json_open(j, "games", '[');
    for (size_t i = 0; i < holos_game_count(); i++)
        json_put_string(j, NULL, holos_game_name(holos_game_at(i)));
    json_close(j);
}

static void command_run(jsonl *l, const query *q)
{
    text t;
    text_init(&t);
    json j = answer_begin(&t, q, false);
    if (q->command == QUERY_VERSION)
        command_version(&j);
    else if (q->command == QUERY_GAMES)
        command_games(&j);
    else
        command_terminate(l, q, &j);
    answer_end(&j);
    session_say(l->s, &t);
    text_free(&t);
}

/* ---- Lines ------------------------------------------------------------------------------------- */

static bool query_queue(jsonl *l, query *q)
{
    pthread_mutex_lock(&l->lock);
    bool room = l->waiting < WAITING_MOST;
    if (room) {
        *l->last = q;
        l->last = &q->next;
        l->waiting++;
        pthread_cond_signal(&l->news);
    }
    pthread_mutex_unlock(&l->lock);
    return room;
}

static void jsonl_obey(session *s, char *line)
{
    jsonl *l = s->state;
    holos_error err;
    const char *field;
    if (line[strspn(line, " \t")] == 0)
        return;
    query *q = malloc(sizeof *q);
    if (q == NULL)
        return;
    holos_status status = query_read(q, line, strlen(line), &field, &err);
    q->stop.also = interrupt_flag();
    if (status == HOLOS_OK && query_is_work(q->command)) {
        if (query_queue(l, q))
            return; /* a thread has it now */
        status =
            error_set(&err, HOLOS_LIMIT, HOLOS_NOWHERE, "%d questions are waiting already", WAITING_MOST);
    }
    if (status == HOLOS_OK)
        command_run(l, q);
    else
        query_refuse(s, q, field, &err);
    query_free(q);
    free(q);
}

/* ---- Beginning and end ------------------------------------------------------------------------- */

/* Whatever was asked is answered, unless somebody interrupts. */
static void jsonl_close(session *s)
{
    jsonl *l = s->state;
    pthread_mutex_lock(&l->lock);
    l->ended = true;
    pthread_cond_broadcast(&l->news);
    pthread_mutex_unlock(&l->lock);
    for (unsigned i = 0; i < l->count; i++)
        pthread_join(l->threads[i], NULL);
    pthread_cond_signal(&l->begins);
    if (l->watched)
        pthread_join(l->watcher, NULL);
    pthread_cond_destroy(&l->news);
    pthread_cond_destroy(&l->begins);
    pthread_mutex_destroy(&l->lock);
    free(l->threads);
    free(l);
}

static holos_status jsonl_open(session *s, holos_error *err)
{
    unsigned count = session_threads(s);
    jsonl *l = s->state = calloc(1, sizeof *l);
    pthread_t *threads = calloc(count, sizeof *threads);
    if (l == NULL || threads == NULL) {
        free(l);
        free(threads);
        return error_system(err, "the questions");
    }
    l->s = s;
    l->threads = threads;
    l->last = &l->first;
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->news, NULL);
    pthread_cond_init(&l->begins, NULL);
    l->watched = pthread_create(&l->watcher, NULL, watch_thread, l) == 0;
    while (l->count < count && pthread_create(&threads[l->count], NULL, work_thread, l) == 0)
        l->count++;
    if (l->count > 0 && l->watched)
        return HOLOS_OK;
    jsonl_close(s);
    return error_set(err, HOLOS_IO, HOLOS_NOWHERE, "no thread to think on");
}

static const char *const refuses[] = {NULL};

const protocol protocol_jsonl = {.name = "jsonl",
                                 .refuses = refuses,
                                 .refuses_others = true,
                                 .plain = true,
                                 .open = jsonl_open,
                                 .close = jsonl_close,
                                 .obey = jsonl_obey};
