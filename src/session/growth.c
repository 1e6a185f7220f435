/* SPDX-License-Identifier: MIT */

#include "session/growth.h"

#include "core/rng.h"
#include "core/table.h"

#include <math.h>
#include <stdlib.h>

/* A first look. */
#define FIRST_COUNT    32768u
#define FIRST_WALKERS  4096u
#define FIRST_MEETINGS 16.0
#define FEW            200000.0 /* positions: fewer are nearly counted */
#define MANY           5e6      /* more take so long that the plan may take its time */
/* The whole plan. */
#define COUNT_MOST    100000u
#define COUNT_BYTES   ((size_t)64 << 20) /* of the positions of a layer, at the most */
#define WALKERS       16384u             /* meet often enough in layers of up to some ten million positions */
#define MEETINGS      30.0               /* fewer in a layer say nothing */
#define TAIL_SHARE    0.02 /* of all positions: once a layer is smaller, what follows does not matter */
#define SECONDS_MOST  1.0  /* of processor time */
#define SECONDS_SHARE 0.05 /* of a limit of time, at the most */
#define LOOK_EACH     256u /* positions between two looks at the clock */

/* A successor: how many positions of the layer lead to it, and the last of them. */
typedef struct sighting {
    uint32_t times, parent;
} sighting;

/* The successors of a position, on their way into the tables: they are fetched while those before them are noted. */
typedef struct family {
    holos_position *successors;
    holos_key *keys;
    uint32_t count;
} family;

typedef struct growth_walk {
    const growth_request *q;
    growth *g;
    table seen;  /* what was counted */
    table found; /* successors of a layer */
    holos_position *here, *next;
    holos_position *counted; /* while walkers are on their way: the last layer that was counted */
    size_t counted_count;
    family families[2];
    size_t room, most, count, next_count;
    double meetings_least; /* fewer in a layer say nothing */
    rng chance;
    double end; /* of its time, on the clock of the processor */
    bool sampling;
    /* Of the layer that was looked at last. */
    uint64_t fresh;         /* successors that are different */
    double edges, meetings; /* pairs of positions with a common successor */
    uint64_t moves;         /* of all its positions */
    uint64_t looked;        /* positions, in all */
    bool full, late;        /* why the count ended */
} growth_walk;

static double processor_seconds(void)
{
    return clock_read(CLOCK_THREAD_CPUTIME_ID);
}

/* ---- One layer --------------------------------------------------------------------------------- */

static void position_put(growth_walk *w, size_t index, const holos_position *p)
{
    memcpy(position_at(w->q->v, w->next, index), p, w->q->v->position_size);
}

/* Notes a successor of position `parent`. False: it was known, or there is no more room. */
static bool successor_note(growth_walk *w, holos_key key, uint32_t parent, bool *fresh)
{
    if (table_find(&w->seen, key) != NULL)
        return false;
    sighting *s = table_insert(&w->found, key, fresh);
    if (s == NULL) {
        w->full = true;
        return false;
    }
    if (!*fresh && s->parent == parent)
        return false; /* another move to the same position, or to a symmetric one */
    w->edges++;
    w->meetings += s->times++;
    s->parent = parent;
    w->fresh += *fresh;
    return true;
}

static void family_fetch(growth_walk *w, size_t index)
{
    const holos_variant *v = w->q->v;
    family *f = &w->families[index % 2];
    f->count =
        w->q->ways.expand(v, position_at(v, w->here, index), (holos_edges){.positions = f->successors});
    for (uint32_t i = 0; i < f->count; i++) {
        f->keys[i] = w->q->ways.key(v, position_at(v, f->successors, i));
        table_prefetch(&w->seen, f->keys[i]);
        table_prefetch(&w->found, f->keys[i]);
    }
}

/* Looks at one position. Counting, all that is new goes into the next layer; otherwise one random successor does. */
static void position_look(growth_walk *w, size_t index)
{
    const family *f = &w->families[index % 2];
    uint32_t own = 0;
    for (uint32_t i = 0; i < f->count && !w->full; i++) {
        const holos_position *p = position_at(w->q->v, f->successors, i);
        bool fresh = false;
        if (!successor_note(w, f->keys[i], (uint32_t)index, &fresh))
            continue;
        if (w->sampling) {
            if (rng_below(&w->chance, ++own) == 0)
                position_put(w, w->next_count, p);
        } else if (fresh) {
            w->full = w->seen.count + w->fresh > w->most;
            if (!w->full)
                position_put(w, w->next_count++, p);
        }
    }
    w->next_count += own > 0;
    w->moves += f->count;
    w->looked++;
}

/* Looks at all positions of a layer. False: there is no more room or time, and the layer stays what it is. */
static bool layer_look(growth_walk *w)
{
    table_clear(&w->found);
    w->fresh = w->next_count = w->moves = 0;
    w->edges = w->meetings = 0;
    if (w->count > 0)
        family_fetch(w, 0);
    for (size_t i = 0; i < w->count && !w->full; i++) {
        if (i % LOOK_EACH == 0)
            w->late = holos_stop_asked(w->q->stop) || processor_seconds() > w->end;
        if (w->late)
            break;
        if (i + 1 < w->count)
            family_fetch(w, i + 1);
        position_look(w, i);
    }
    if (w->full || w->late)
        return false;
    w->g->moves += w->count > 0 ? w->g->last * (double)w->moves / (double)w->count : 0;
    return true;
}

static void swap(holos_position **a, holos_position **b)
{
    holos_position *before = *a;
    *a = *b;
    *b = before;
}

static void layer_enter(growth_walk *w, double size)
{
    swap(&w->here, &w->next);
    w->count = w->next_count;
    w->g->last = size;
    w->g->positions += size;
    w->g->layers++;
}

static bool depth_is_reached(const growth_walk *w)
{
    return w->g->layers > w->q->depth;
}

/* ---- Counting ---------------------------------------------------------------------------------- */

static bool seen_take(growth_walk *w)
{
    holos_key key;
    void *payload;
    bool fresh;
    for (size_t i = 0; table_next(&w->found, &i, &key, &payload);)
        if (table_insert(&w->seen, key, &fresh) == NULL)
            return false;
    return true;
}

static void seeds_take(growth_walk *w)
{
    for (size_t i = 0; i < w->q->seed_count && w->next_count < w->room; i++) {
        bool fresh = false;
        if (table_insert(&w->seen, w->q->ways.key(w->q->v, w->q->seeds[i]), &fresh) != NULL && fresh)
            position_put(w, w->next_count++, w->q->seeds[i]);
    }
    layer_enter(w, (double)w->next_count);
}

/* Counts on, up to `most` positions, as far as there is room and time. False: there is more. */
static bool layers_count(growth_walk *w, size_t most)
{
    bool going = true;
    w->most = most < w->room ? most : w->room;
    w->full = false;
    while (going && w->count > 0 && !depth_is_reached(w)) {
        going = layer_look(w);
        w->g->seen = w->seen.count + w->fresh;
        going = going && seen_take(w);
        if (going && w->fresh == 0)
            break; /* the last layer stays the sample */
        if (going)
            layer_enter(w, (double)w->fresh);
    }
    return going;
}

/* ---- Sampling ---------------------------------------------------------------------------------- */

/* Walkers on random positions of the layer that was counted last. */
static void walkers_place(growth_walk *w, size_t walkers)
{
    w->counted_count = w->count;
    w->count = w->room < walkers ? w->room : walkers;
    for (size_t i = 0; i < w->count; i++)
        position_put(w, i, position_at(w->q->v, w->here, rng_below(&w->chance, w->counted_count)));
    swap(&w->counted, &w->here);
    swap(&w->here, &w->next);
    w->sampling = true;
    w->full = false;
}

/* Back to the layer that was counted last, as if nobody had walked. */
static void walkers_leave(growth_walk *w, const growth *counted)
{
    *w->g = *counted;
    swap(&w->counted, &w->here);
    w->count = w->counted_count;
    w->sampling = false;
}

/* The mean number of predecessors of a position, by how often two walkers meet at one, which shows the mean of the squares:
 * `ratio` is that divided by the mean. If the number is 1 and some more at random (Poisson, x on average), then
 * ratio = (1 + 3x + x²) / (1 + x). */
static double predecessors_by(double ratio)
{
    double b = ratio - 3;
    return ratio > 1 ? 1 + (b + sqrt(b * b + 4 * (ratio - 1))) / 2 : 1;
}

/* How large the next layer is. False: nobody can tell. */
static bool layer_estimate(growth_walk *w, double *size)
{
    double before = w->g->last, successors = w->edges / (double)w->count;
    if (w->meetings < w->meetings_least)
        return false;
    *size = before * successors / predecessors_by(2 * w->meetings * before / ((double)w->count * w->edges));
    return true;
}

static bool is_tail(const growth_walk *w)
{
    return w->count == 0 || w->g->last < TAIL_SHARE * w->g->positions || depth_is_reached(w);
}

/* False: what lies beyond is not known. */
static bool layers_sample(growth_walk *w, size_t walkers, double meetings_least)
{
    bool going = true;
    w->meetings_least = meetings_least;
    walkers_place(w, walkers);
    while (going && !is_tail(w)) {
        double size;
        going = layer_look(w);
        if (going && w->edges == 0)
            break;
        going = going && layer_estimate(w, &size);
        if (going)
            layer_enter(w, size);
    }
    return going;
}

/* ---- The measurement --------------------------------------------------------------------------- */

static bool is_middling(double positions)
{
    return positions >= FEW && positions <= MANY;
}

/* Graphs of middling size are reached in less than a second, and of such a time the whole plan is a part that shows: 28 ms of processor time in every
 * rank, when two of them build the graph of kalah:3,6 in 0.28 s. A first look takes 10 ms and is hardly less exact: over 15 graphs of 0.2 to 16 million
 * positions, eight seeds each, it is off by a factor of 1.53 (root mean square of the logarithm), the whole plan by 1.48. */
static holos_plan_basis layers_measure(growth_walk *w)
{
    bool cyclic = (w->q->v->game->traits & HOLOS_TRAIT_CYCLIC) != 0;
    seeds_take(w);
    if (w->q->quick && !cyclic) {
        if (layers_count(w, FIRST_COUNT))
            return HOLOS_PLAN_EXACT;
        growth counted = *w->g;
        if (!w->late && layers_sample(w, FIRST_WALKERS, FIRST_MEETINGS) && is_middling(w->g->positions))
            return HOLOS_PLAN_ESTIMATE;
        if (w->late)
            return HOLOS_PLAN_AT_LEAST;
        walkers_leave(w, &counted);
    }
    if (layers_count(w, COUNT_MOST))
        return HOLOS_PLAN_EXACT;
    bool known = !cyclic && !w->late && layers_sample(w, WALKERS, MEETINGS);
    return known ? HOLOS_PLAN_ESTIMATE : HOLOS_PLAN_AT_LEAST;
}

static holos_status walk_open(growth_walk *w, holos_error *err)
{
    const holos_variant *v = w->q->v;
    size_t most = COUNT_BYTES / v->position_size;
    w->room = most < COUNT_MOST ? most : COUNT_MOST;
    w->here = aligned_alloc(16, w->room * v->position_size);
    w->next = aligned_alloc(16, w->room * v->position_size);
    w->counted = aligned_alloc(16, w->room * v->position_size);
    rng_init(&w->chance, w->q->seed, 0);
    bool made = w->here != NULL && w->next != NULL && w->counted != NULL;
    for (unsigned i = 0; i < 2; i++) {
        family *f = &w->families[i];
        f->successors = aligned_alloc(16, v->max_successors * v->position_size);
        f->keys = malloc(v->max_successors * sizeof *f->keys);
        made &= f->successors != NULL && f->keys != NULL;
    }
    if (!made)
        return error_system(err, "the plan");
    /* Of its size: a table that grows while it is filled in the order of hashes is slow (connect4:5x4: 59 ms for all instead of 38 ms). */
    holos_status status = table_init(&w->seen, NULL, 0, w->q->quick ? FIRST_COUNT : w->room, err);
    return status == HOLOS_OK ? table_init(&w->found, NULL, sizeof(sighting), 1024, err) : status;
}

static void walk_close(growth_walk *w)
{
    table_free(&w->seen);
    table_free(&w->found);
    free(w->next);
    free(w->counted);
    for (unsigned i = 0; i < 2; i++) {
        free(w->families[i].successors);
        free(w->families[i].keys);
    }
}

holos_status growth_measure(const growth_request *q, growth *out, holos_error *err)
{
    double begun = processor_seconds(), share = SECONDS_SHARE * q->seconds;
    growth_walk w = {
        .q = q, .g = out, .end = begun + (share > 0 && share < SECONDS_MOST ? share : SECONDS_MOST)};
    *out = (growth){0};
    holos_status status = walk_open(&w, err);
    if (status == HOLOS_OK) {
        out->basis = layers_measure(&w);
        out->positions = out->positions > (double)out->seen ? out->positions : (double)out->seen;
        out->seconds_each = (processor_seconds() - begun) / (double)(w.looked + 1);
        out->sample_count = w.count;
    }
    out->sample = w.here;
    walk_close(&w);
    return status;
}

void growth_free(growth *g)
{
    free(g->sample);
    g->sample = NULL;
}
