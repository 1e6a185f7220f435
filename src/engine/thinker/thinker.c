/* SPDX-License-Identifier: MIT */

/* The public thinker: deeper and deeper looks, on several threads that share what they remember. */

#include "core/clock.h"
#include "core/error.h"
#include "core/pool.h"
#include "engine/thinker/search.h"

#include <stdlib.h>
#include <string.h>

#define MEMORY_DEFAULT ((size_t)16 << 20)
#define FIRST_NODES    2000

struct holos_thinker {
    const holos_variant *v;
    holos_thinker_options options;
    mem_budget budget;
    memory memory;
    pool *pool;
    boundary_guard guard, *known;
    holos_stop stop; /* of the boundary's errors */
    holos_move line[LOOK_PLIES];
};

/* One call of holos_thinker_think. */
typedef struct thinking {
    holos_thinker *t;
    const holos_think_options *options;
    const holos_position *position;
    look *looks; /* one for each thread */
    limits_pot pot;
    holos_stop done; /* the first thread has an answer: the others stop */
    holos_thought *out;
    double begun;
} thinking;

holos_status holos_thinker_open(const holos_variant *v, const holos_thinker_options *options,
                                holos_thinker **out, holos_error *err)
{
    if (v == NULL || out == NULL)
        return error_null(err, __func__);
    *out = NULL;
    if ((v->game->traits & HOLOS_TRAIT_SOLITAIRE) != 0)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "%s is not a game for two: there is nobody to look ahead against", v->name);
    holos_thinker *t = calloc(1, sizeof *t);
    if (t == NULL)
        return error_system(err, "the thinker");
    t->v = v;
    if (options != NULL)
        t->options = *options;
    mem_budget_init(&t->budget, 0);
    t->known = boundary_begin(&t->guard, t->options.boundary, v, &t->stop);
    holos_status status = pool_open(t->options.threads > 0 ? t->options.threads : 1, &t->pool, err);
    size_t size = t->options.memory > 0 ? t->options.memory : MEMORY_DEFAULT;
    if (status == HOLOS_OK && !memory_init(&t->memory, NULL, size))
        status =
            error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for a table of %zu MiB", size >> 20);
    if (status != HOLOS_OK) {
        holos_thinker_close(t);
        return status;
    }
    *out = t;
    return HOLOS_OK;
}

void holos_thinker_close(holos_thinker *t)
{
    if (t == NULL)
        return;
    pool_close(t->pool);
    memory_free(&t->memory);
    free(t);
}

void holos_thinker_forget(holos_thinker *t)
{
    if (t != NULL)
        memory_clear(&t->memory);
}

/* ---- One thought ------------------------------------------------------------------------------- */

static uint64_t nodes_of(const thinking *w)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < pool_threads(w->t->pool); i++)
        sum += w->looks[i].limits.nodes;
    return sum;
}

/* What the first thread has found becomes the answer. */
static void thought_take(thinking *w, unsigned depth, int32_t score)
{
    const look *l = &w->looks[0];
    holos_thought *out = w->out;
    out->depth = depth;
    out->deepest = l->deepest > depth ? l->deepest : depth;
    out->score = score;
    out->nodes = l->limits.nodes;
    out->known = l->found;
    out->seconds = clock_wall() - w->begun;
    out->line_length = l->plies[0].line_length;
    memcpy(w->t->line, l->plies[0].line, out->line_length * sizeof *w->t->line);
    if (w->options->report != NULL)
        w->options->report(w->options->context, out);
}

/* Whether a deeper look would add nothing: a win so near that every line to it has been seen, or time is nearly up. */
static bool is_enough(const thinking *w, unsigned depth, int32_t score)
{
    int32_t left = HOLOS_THOUGHT_WIN - abs(score);
    if (left <= (int32_t)depth)
        return true;
    return w->options->enough > 0 && clock_wall() - w->begun >= w->options->enough;
}

/* The first ply is looked at even if there is no time: it takes a moment, and any move would be worse. */
static int32_t first_look(look *l, const holos_position *p)
{
    const holos_limits moment = {.nodes = FIRST_NODES};
    struct limits asked = l->limits;
    limits_begin(&l->limits, &moment, NULL);
    int32_t score = look_ahead(l, p, 1);
    uint64_t nodes = l->limits.nodes;
    l->limits = asked;
    l->limits.nodes += nodes;
    limits_check(&l->limits);
    return score;
}

static void think_job(void *context, uint64_t index, unsigned worker)
{
    (void)worker;
    thinking *w = context;
    look *l = &w->looks[index];
    unsigned most =
        w->options->depth > 0 && w->options->depth < LOOK_DEEPEST ? w->options->depth : LOOK_DEEPEST;
    /* Others begin a ply deeper, one in two: so they are ahead in what is remembered. */
    for (unsigned depth = 1 + (unsigned)(index % 2); depth <= most; depth++) {
        int32_t score =
            index == 0 && depth == 1 ? first_look(l, w->position) : look_ahead(l, w->position, depth);
        bool whole = limits_go_on(&l->limits);
        if (index == 0 && l->plies[0].line_length >
                              0) /* the best of the moves that there was time for: the old one came first */
            thought_take(w, depth, score);
        if (!whole || (index == 0 && is_enough(w, depth, score)))
            break;
    }
    if (index == 0)
        holos_stop_set(&w->done);
}

/* A move for whoever must move at once: any that is wanted. */
static void thought_begin(thinking *w)
{
    const holos_think_options *o = w->options;
    holos_edge *edges = w->looks[0].plies[0].next.edges;
    game_edges(w->t->v, w->position, edges);
    w->t->line[0] = o->only != NULL ? o->only[0] : edges[0].move;
    *w->out = (holos_thought){.line = w->t->line, .line_length = 1, .score = -HOLOS_THOUGHT_WIN};
}

static bool looks_open(thinking *w)
{
    holos_thinker *t = w->t;
    const holos_think_options *o = w->options;
    w->looks = calloc(pool_threads(t->pool), sizeof *w->looks);
    bool good = w->looks != NULL;
    struct limits own;
    holos_limits limits = o->limits;
    limits.stop = &w->done;
    limits_begin(&own, &limits, NULL);
    limits_fill(&own, &w->pot);
    for (unsigned i = 0; good && i < pool_threads(t->pool); i++) {
        look *l = &w->looks[i];
        good = look_init(l, t->v, &t->budget, o->played_count);
        if (!good)
            break;
        l->known = t->known;
        l->memory = &t->memory;
        l->whole = o->whole;
        l->only = o->only;
        l->only_count = o->only_count;
        l->limits = limits_share_pot(&own, &w->pot);
        for (size_t k = 0; k < o->played_count; k++)
            l->path[k] = look_key(t->v, position_in(t->v, o->played, k));
    }
    return good;
}

static void looks_close(thinking *w)
{
    for (unsigned i = 0; w->looks != NULL && i < pool_threads(w->t->pool); i++)
        look_free(&w->looks[i], &w->t->budget);
    free(w->looks);
}

static holos_status options_check(const holos_variant *v, const holos_position *p,
                                  const holos_think_options *o, holos_error *err)
{
    int32_t score;
    if (v->game->terminal(v, p, &score))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "the game is over: there is no move to think about");
    for (size_t i = 0; i < o->only_count; i++)
        if (!game_is_legal(v, p, o->only[i]))
            return error_set(err, HOLOS_BAD_MOVE, HOLOS_NOWHERE,
                             "one of the moves to choose from is not legal");
    if ((o->only == NULL) != (o->only_count == 0) || (o->played == NULL && o->played_count > 0))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "moves or positions were counted but not given");
    return HOLOS_OK;
}

holos_status holos_thinker_think(holos_thinker *t, const holos_position *position,
                                 const holos_think_options *options, holos_thought *out, holos_error *err)
{
    static const holos_think_options none;
    if (t == NULL || position == NULL || out == NULL)
        return error_null(err, __func__);
    thinking w = {.t = t, .options = options != NULL ? options : &none, .position = position, .out = out};
    holos_status status = options_check(t->v, position, w.options, err);
    if (status != HOLOS_OK)
        return status;
    w.begun = clock_wall();
    w.done.also = &t->stop;
    t->stop = (holos_stop){.also = w.options->limits.stop};
    if (looks_open(&w)) {
        thought_begin(&w);
        pool_run(t->pool, pool_threads(t->pool), think_job, &w);
        out->nodes = nodes_of(&w);
        out->seconds = clock_wall() - w.begun;
        status = boundary_end(t->known, err);
    } else {
        status = error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory to think");
    }
    looks_close(&w);
    return status;
}
