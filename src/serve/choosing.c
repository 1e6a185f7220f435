/* SPDX-License-Identifier: MIT */

/* Moves by an engine: at once, or as events that show what the engine reads of its own search while it thinks. */

#include "core/clock.h"
#include "core/error.h"
#include "serve/state.h"
#include "wire/answer.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Strengths: how long it thinks, and how often it plays any move instead. */
static const struct {
    const char *name;
    double seconds, slips;
    bool knows; /* uses books and tables */
} levels[] = {
    {"beginner", 0.05, 0.6, false}, {"casual", 0.1, 0.3, false}, {"club", 0.3, 0.1, false},
    {"strong", 1, 0, false},        {"perfect", 3, 0, true},
};
enum { LEVEL_COUNT = sizeof levels / sizeof *levels };

static const char *const grounds[] = {
    [HOLOS_GROUNDS_BEST] = "best", [HOLOS_GROUNDS_OUTCOME] = "outcome", [HOLOS_GROUNDS_GUESS] = "guess"};

/* ---- One choice ------------------------------------------------------------------------------------- */

/* What a request asks for. */
typedef struct wish {
    question q;
    unsigned level;
    char engine[32]; /* empty: the best one for the game */
    uint64_t seed;
} wish;

static holos_status level_find(const request *r, unsigned *out, holos_error *err)
{
    const char *name = request_get(r, "level", levels[LEVEL_COUNT - 1].name);
    for (*out = 0; *out < LEVEL_COUNT; ++*out)
        if (strcmp(levels[*out].name, name) == 0)
            return HOLOS_OK;
    return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                     "unknown level \"%.40s\"; choose from beginner, casual, club, strong, perfect", name);
}

static holos_status engine_find(const request *r, const holos_variant *v, char out[32], holos_error *err)
{
    const char *name = request_get(r, "engine", "");
    const holos_engine *engine = name[0] != 0 ? holos_engine_find(name) : NULL;
    out[0] = 0;
    if (name[0] == 0)
        return HOLOS_OK;
    if (engine == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "unknown engine \"%.40s\"", name);
    snprintf(out, 32, "%s", holos_engine_name(engine));
    return holos_engine_supports(engine, v, err);
}

static holos_status wish_open(wish *w, const request *r, holos_error *err)
{
    double seed = 1;
    holos_status status = question_open(&w->q, r, err);
    if (status == HOLOS_OK)
        status = level_find(r, &w->level, err);
    if (status == HOLOS_OK)
        status = engine_find(r, w->q.v, w->engine, err);
    if (status == HOLOS_OK)
        status = request_number(r, "seed", 0, 9e15, 1, &seed, err);
    w->seed = (uint64_t)seed;
    return status;
}

/* A seat is only taken so that no more players think at once than there are processors. */
static holos_status choose(serve_state *s, const wish *w, holos_gauges *gauges, void *context,
                           const holos_stop *stop, holos_choice *out, holos_error *err)
{
    solver_seat *seat;
    holos_player *player;
    double seconds = levels[w->level].seconds;
    holos_status status = solvers_take(&s->solvers, holos_variant_name(w->q.v), seconds, stop, &seat, err);
    if (status != HOLOS_OK)
        return status;
    holos_player_options options = {.engine = w->engine[0] != 0 ? w->engine : NULL,
                                    .limits = {.seconds = seconds, .memory = s->solvers.memory, .stop = stop},
                                    .boundary =
                                        levels[w->level].knows ? holos_knowledge_boundary(seat->known) : NULL,
                                    .seed = w->seed,
                                    .slips = levels[w->level].slips,
                                    .gauges = gauges,
                                    .gauges_context = context};
    status = holos_player_open(w->q.v, &options, &player, err);
    if (status == HOLOS_OK) {
        status = holos_player_choose(player, w->q.p, out, err);
        holos_player_close(player);
    }
    solvers_give(&s->solvers, seat);
    return status;
}

static void choice_put(json *j, const wish *w, const holos_choice *choice)
{
    json_open(j, NULL, '{');
    wire_move(j, "move", w->q.v, w->q.p, choice->move);
    json_put_string(j, "grounds", grounds[choice->grounds]);
    wire_value(j, w->q.v, choice->value);
    if (choice->guess.source != HOLOS_SOURCE_NONE)
        json_put_double(j, "expectation", choice->expectation);
    json_put_double(j, "seconds", choice->seconds);
    json_close(j);
}

void route_choose(serve_state *s, const request *r, reply *out)
{
    wish w = {0};
    holos_error err;
    holos_choice choice;
    holos_status status = wish_open(&w, r, &err);
    if (status == HOLOS_OK)
        status = choose(s, &w, NULL, NULL, r->stop, &choice, &err);
    if (status != HOLOS_OK) {
        reply_error(out, &err);
    } else {
        json j = json_begin(&out->body);
        choice_put(&j, &w, &choice);
    }
    question_close(&w.q);
}

/* ---- The same with events ---------------------------------------------------------------------------- */

/* A thread thinks and writes events; whoever sends them takes what is there. */
typedef struct choosing {
    stream base;
    serve_state *s;
    wish w;
    holos_stop stop; /* of the thread */
    pthread_t thread;
    bool begun; /* the thread */
    pthread_mutex_t lock;
    pthread_cond_t written;
    text events; /* that nobody has taken yet */
    bool done;
} choosing;

static void sensors_write(void *context, const holos_gauge *gauges, size_t count)
{
    choosing *c = context;
    pthread_mutex_lock(&c->lock);
    event_begin(&c->events, "sensors");
    json j = json_begin(&c->events);
    json_open(&j, NULL, '{');
    for (size_t i = 0; i < count; i++)
        json_put_double(&j, gauges[i].name, gauges[i].value);
    json_close(&j);
    event_end(&c->events);
    pthread_cond_signal(&c->written);
    pthread_mutex_unlock(&c->lock);
}

static void *choosing_run(void *context)
{
    choosing *c = context;
    holos_error err;
    holos_choice choice;
    holos_status status = choose(c->s, &c->w, sensors_write, c, &c->stop, &choice, &err);
    pthread_mutex_lock(&c->lock);
    if (status == HOLOS_OK) {
        event_begin(&c->events, "move");
        json j = json_begin(&c->events);
        choice_put(&j, &c->w, &choice);
        event_end(&c->events);
    } else {
        event_error(&c->events, &err);
    }
    c->done = true;
    pthread_cond_signal(&c->written);
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* Waits for events, but not for long: whoever asked may have gone. */
static void choosing_wait(choosing *c)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 100000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    if (c->events.length == 0 && !c->done)
        pthread_cond_timedwait(&c->written, &c->lock, &until);
}

static bool choosing_next(stream *base, const holos_stop *stop, text *out)
{
    choosing *c = (choosing *)base;
    if (!c->begun && pthread_create(&c->thread, NULL, choosing_run, c) != 0) {
        holos_error err;
        error_system(&err, "a thread");
        event_error(out, &err);
        return false;
    }
    c->begun = true;
    if (holos_stop_asked(stop))
        holos_stop_set(&c->stop);
    pthread_mutex_lock(&c->lock);
    choosing_wait(c);
    text_bytes(out, c->events.data, c->events.length);
    text_clear(&c->events);
    bool done = c->done;
    pthread_mutex_unlock(&c->lock);
    return !done;
}

static void choosing_close(stream *base)
{
    choosing *c = (choosing *)base;
    if (c->begun) {
        holos_stop_set(&c->stop);
        pthread_join(c->thread, NULL);
    }
    question_close(&c->w.q);
    text_free(&c->events);
    pthread_cond_destroy(&c->written);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

void route_choose_events(serve_state *s, const request *r, reply *out)
{
    holos_error err;
    choosing *c = calloc(1, sizeof *c);
    if (c == NULL) {
        reply_refuse(out, 503, "no memory for the question");
        return;
    }
    c->base = (stream){.next = choosing_next, .close = choosing_close};
    c->s = s;
    text_init(&c->events);
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->written, NULL);
    if (wish_open(&c->w, r, &err) == HOLOS_OK) {
        out->events = &c->base;
    } else {
        reply_error(out, &err);
        choosing_close(&c->base);
    }
}
