/* SPDX-License-Identifier: MIT */

#include "engine/region/region.h"

#include "core/clock.h"
#include "core/list.h"
#include "engine/scope.h"

#include <stdlib.h>

#define CHUNK      4096 /* numbers of a job */
#define OUT_NONE   INT8_MIN
#define OPEN_MOST  250
#define PLIES_MOST 255

/* Whether a position is there, the end of the game, and settled. What a pass settles is passed on by the next one. */
enum { NONE, OPEN_STATE, OVER, DONE, FRESH, COMING };

/* One kind. */
typedef struct region {
    region_report report;
    kind_numbers *numbers;
    uint64_t size;
    uint8_t *states;
    int8_t *scores; /* of an open position: its best move that leaves the kind */
    uint8_t *open;  /* moves within the kind that are open; of a settled position: plies to leave it */
    bool unknown;   /* something outside is not known */
} region;

typedef struct region_scratch {
    holos_position *here;
    holos_edges successors, predecessors;
    uint64_t *numbers; /* of neighbours */
    uint64_t changed;
    bool unknown;
    bool levels[128];
    struct limits limits; /* its share */
} region_scratch;

struct regions {
    regions_setup setup;
    const holos_kinds *kinds;
    region *list;
    size_t count, room;
    region_scratch *scratch; /* one a thread */
    arena memory;
    holos_kind one[1]; /* the kind in hand */
    region *current;
    int32_t level;
    unsigned pass;
    struct limits *limits; /* of all */
    limits_pot pot;
    boundary_guard guard, *known; /* NULL: there is none */
    holos_stop stop;              /* of an error of the boundary's, and the caller's */
};

/* ---- What is known ----------------------------------------------------------------------------- */

static const region *region_of(const regions *r, holos_kind kind)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->list[i].report.kind == kind)
            return &r->list[i];
    return NULL;
}

static bool boundary_find(const regions *r, const holos_position *p, int32_t *score)
{
    if (r->known == NULL || !boundary_score(r->known, p, score))
        return false;
    *score -= game_banked(r->setup.v, p);
    return true;
}

/* The score of a position outside of the region in hand. */
static bool score_find(const regions *r, const holos_position *p, holos_kind kind, int32_t *score)
{
    const holos_variant *v = r->setup.v;
    const region *there = region_of(r, kind);
    uint64_t number;
    if (v->game->terminal(v, p, score))
        return true;
    if (there == NULL || !r->kinds->rank(there->numbers, p, &number))
        return boundary_find(r, p, score);
    *score = there->scores[number];
    return there->states[number] == DONE;
}

bool regions_find(const regions *r, const holos_position *p, holos_value *out, unsigned *plies)
{
    const holos_variant *v = r->setup.v;
    const region *there = region_of(r, r->kinds->of(v, p));
    uint64_t number;
    int32_t score;
    *out = game_value_unknown(v);
    if (plies != NULL)
        *plies = 0;
    if (v->game->terminal(v, p, &score)) {
        *out = (holos_value){.lo = score, .hi = score, .source = HOLOS_SOURCE_RULES};
    } else if (boundary_find(r, p, &score)) {
        out->lo = out->hi = score;
        out->source = HOLOS_SOURCE_TABLE;
    } else if (there != NULL && r->kinds->rank(there->numbers, p, &number) && there->states[number] == DONE) {
        out->lo = out->hi = there->scores[number];
        out->source = HOLOS_SOURCE_RETROGRADE;
        if (plies != NULL)
            *plies = there->open[number];
    }
    return out->source != HOLOS_SOURCE_NONE;
}

const region_report *regions_report(const regions *r, size_t index)
{
    return index < r->count ? &r->list[index].report : NULL;
}

bool regions_each(const regions *r, holos_kind kind, region_visitor *visit, void *context)
{
    const region *there = region_of(r, kind);
    holos_value value;
    for (uint64_t i = 0; there != NULL && i < there->size; i++)
        if (there->states[i] != NONE && r->kinds->unrank(there->numbers, i, r->scratch[0].here)) {
            regions_find(r, r->scratch[0].here, &value, NULL);
            if (!visit(context, r->scratch[0].here, value))
                return false;
        }
    return true;
}

/* ---- The first look ---------------------------------------------------------------------------- */

/* Adds a number to a list unless it is there: symmetric moves lead to one position. */
static uint32_t number_add(uint64_t *list, uint32_t count, uint64_t number)
{
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == number)
            return count;
    list[count] = number;
    return count + 1;
}

/* What a position has outside of its kind, and how many moves within. */
static void position_look(regions *r, uint64_t number, region_scratch *s)
{
    const holos_variant *v = r->setup.v;
    region *at = r->current;
    uint32_t within = 0;
    int32_t best = OUT_NONE, score;
    at->states[number] = OPEN_STATE;
    uint32_t count = v->game->expand(v, s->here, s->successors);
    if (count == 0 && v->game->terminal(v, s->here, &score)) {
        best = score;
        at->states[number] = OVER;
    }
    for (uint32_t i = 0; i < count; i++) {
        const holos_position *next = position_at(v, s->successors.positions, i);
        holos_kind kind = r->kinds->of(v, next);
        uint64_t there;
        if (kind == at->report.kind && r->kinds->rank(at->numbers, next, &there)) {
            within = number_add(s->numbers, within, there);
        } else if (score_find(r, next, kind, &score)) {
            best = -score > best ? -score : best; /* sides take turns here, and nothing is banked */
        } else {
            s->unknown = true;
            s->numbers[within++] = UINT64_MAX - i; /* a move that stays open */
        }
    }
    at->scores[number] = (int8_t)best;
    at->open[number] = (uint8_t)(within < OPEN_MOST ? within : OPEN_MOST);
    s->unknown |= within >= OPEN_MOST;
    if (best != OUT_NONE)
        s->levels[abs(best)] = true;
}

static void look_chunk(void *context, uint64_t index, unsigned worker)
{
    regions *r = context;
    const region *at = r->current;
    region_scratch *s = &r->scratch[worker];
    uint64_t end = (index + 1) * CHUNK < at->size ? (index + 1) * CHUNK : at->size;
    for (uint64_t i = index * CHUNK; i < end && limits_count(&s->limits); i++)
        if (r->kinds->unrank(at->numbers, i, s->here)) {
            position_look(r, i, s);
            s->changed++;
        }
}

/* ---- Levels ------------------------------------------------------------------------------------ */

/* Settles an open position; only one thread does. */
static void position_settle(region *at, uint64_t number, int32_t score, region_scratch *s)
{
    uint8_t open = __atomic_load_n(&at->states[number], __ATOMIC_RELAXED) == OVER ? OVER : OPEN_STATE;
    if (!__atomic_compare_exchange_n(&at->states[number], &open, COMING, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED))
        return;
    __atomic_store_n(&at->scores[number], (int8_t)score, __ATOMIC_RELAXED);
    s->changed++;
}

/* A level begins with the ends of the game; then come moves out of the kind. */
static void level_chunk(void *context, uint64_t index, unsigned worker)
{
    regions *r = context;
    region *at = r->current;
    region_scratch *s = &r->scratch[worker];
    uint64_t end = (index + 1) * CHUNK < at->size ? (index + 1) * CHUNK : at->size;
    for (uint64_t i = index * CHUNK; i < end; i++) {
        if (at->states[i] != (r->pass == 0 ? OVER : OPEN_STATE))
            continue;
        if (at->scores[i] >= r->level)
            position_settle(at, i, r->level, s);
        else if (at->open[i] == 0 && at->scores[i] <= -r->level)
            position_settle(at, i, -r->level, s);
    }
}

/* The position in hand has been settled: tells its predecessors within the kind. */
static void position_tell(regions *r, int32_t score, region_scratch *s)
{
    const holos_variant *v = r->setup.v;
    region *at = r->current;
    uint32_t count = r->kinds->predecessors(v, s->here, r->one, 1, s->predecessors), known = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t before;
        if (r->kinds->rank(at->numbers, position_at(v, s->predecessors.positions, i), &before))
            known = number_add(s->numbers, known, before);
    }
    for (uint32_t i = 0; i < known; i++) {
        uint64_t before = s->numbers[i];
        if (__atomic_load_n(&at->states[before], __ATOMIC_ACQUIRE) != OPEN_STATE)
            continue;
        /* One move that wins is enough; of moves that do not, all must be known. */
        if (score < 0 || (__atomic_sub_fetch(&at->open[before], 1, __ATOMIC_ACQ_REL) == 0 &&
                          __atomic_load_n(&at->scores[before], __ATOMIC_RELAXED) <= -score))
            position_settle(at, before, -score, s);
    }
}

static void pass_chunk(void *context, uint64_t index, unsigned worker)
{
    regions *r = context;
    region *at = r->current;
    region_scratch *s = &r->scratch[worker];
    uint64_t end = (index + 1) * CHUNK < at->size ? (index + 1) * CHUNK : at->size;
    for (uint64_t i = index * CHUNK; i < end; i++)
        if (__atomic_load_n(&at->states[i], __ATOMIC_ACQUIRE) == FRESH) {
            if (!limits_count(&s->limits))
                return;
            r->kinds->unrank(at->numbers, i, s->here);
            position_tell(r, at->scores[i], s);
            __atomic_store_n(&at->states[i], DONE, __ATOMIC_RELEASE);
        }
}

/* What was settled in a pass is what the next one begins from. */
static void turn_chunk(void *context, uint64_t index, unsigned worker)
{
    regions *r = context;
    region *at = r->current;
    uint64_t end = (index + 1) * CHUNK < at->size ? (index + 1) * CHUNK : at->size;
    (void)worker;
    for (uint64_t i = index * CHUNK; i < end; i++)
        if (at->states[i] == COMING) {
            at->states[i] = FRESH;
            at->open[i] = (uint8_t)(r->pass < PLIES_MOST ? r->pass : PLIES_MOST);
        }
}

typedef void chunk_job(void *context, uint64_t index, unsigned worker);

/* Runs a job over the whole region; returns what it changed. */
static uint64_t region_run(regions *r, chunk_job *job)
{
    uint64_t changed = 0;
    if (!limits_check(r->limits))
        return 0;
    limits_fill(r->limits, &r->pot);
    for (unsigned i = 0; i < pool_threads(r->setup.threads); i++)
        r->scratch[i].limits = limits_share_pot(r->limits, &r->pot);
    pool_run(r->setup.threads, (r->current->size + CHUNK - 1) / CHUNK, job, r);
    for (unsigned i = 0; i < pool_threads(r->setup.threads); i++) {
        changed += r->scratch[i].changed;
        r->current->unknown |= r->scratch[i].unknown;
        limits_join(r->limits, &r->scratch[i].limits);
        r->scratch[i].changed = 0;
        r->scratch[i].unknown = false;
    }
    return changed;
}

static void level_run(regions *r)
{
    uint64_t changed = 1;
    for (r->pass = 0; (changed > 0 || r->pass == 1) && limits_check(r->limits); r->pass++) {
        if (r->pass < 2)
            changed += region_run(r, level_chunk);
        if (changed > 0 && r->pass > r->current->report.plies)
            r->current->report.plies = r->pass;
        region_run(r, turn_chunk);
        changed = region_run(r, pass_chunk);
    }
}

/* What no level has settled can be held for ever, if everything outside is known. */
static void region_finish(regions *r)
{
    region *at = r->current;
    region_report *report = &at->report;
    for (uint64_t i = 0; i < at->size; i++) {
        if (at->states[i] == OVER || (at->states[i] == OPEN_STATE && !at->unknown)) {
            at->states[i] = DONE;
            at->scores[i] = 0;
            at->open[i] = 0;
        }
        if (at->states[i] == NONE)
            continue;
        report->positions++;
        if (at->states[i] == OPEN_STATE)
            report->open++;
        else if (at->scores[i] == 0)
            report->draws++;
        else
            at->scores[i] > 0 ? report->wins++ : report->losses++;
    }
}

static holos_status region_solve(regions *r, holos_error *err)
{
    double began = clock_wall();
    bool levels[128] = {false};
    region_run(r, look_chunk);
    for (unsigned i = 0; i < pool_threads(r->setup.threads); i++)
        for (unsigned level = 0; level < 128; level++) {
            levels[level] |= r->scratch[i].levels[level];
            r->scratch[i].levels[level] = false;
        }
    for (r->level = 127; r->level > 0; r->level--)
        if (levels[r->level])
            level_run(r);
    if (!limits_check(r->limits))
        return limits_error(r->limits, "positions, before the region was solved", err);
    region_finish(r);
    r->current->report.seconds = clock_wall() - began;
    return HOLOS_OK;
}

/* ---- Which kinds ------------------------------------------------------------------------------- */

static void region_free(regions *r, region *at)
{
    mem_free(r->setup.budget, at->states, 3 * at->size);
    r->kinds->close(at->numbers);
}

static holos_status region_make(regions *r, holos_kind kind, region *at, holos_error *err)
{
    *at = (region){.report.kind = kind};
    holos_status status = r->kinds->open(r->setup.v, kind, &at->numbers, err);
    if (status != HOLOS_OK)
        return status;
    at->size = r->kinds->size(at->numbers);
    at->states = mem_alloc(r->setup.budget, 3 * at->size);
    if (at->states == NULL) {
        r->kinds->close(at->numbers);
        return mem_error(err, r->setup.budget, 3 * at->size, "a region");
    }
    at->scores = (int8_t *)at->states + at->size;
    at->open = at->states + 2 * at->size;
    return HOLOS_OK;
}

static holos_status kind_solve(regions *r, holos_kind kind, holos_error *err)
{
    region at;
    if (region_of(r, kind) != NULL || scope_is_known(r->setup.v, r->known, kind, r->scratch[0].here))
        return HOLOS_OK;
    if (!LIST_RESERVE(r->list, r->room, r->count + 1))
        return error_system(err, "the list of regions");
    holos_status status = region_make(r, kind, &at, err);
    if (status != HOLOS_OK)
        return status;
    r->current = &at;
    r->one[0] = kind;
    status = region_solve(r, err);
    r->current = NULL;
    if (status == HOLOS_OK)
        r->list[r->count++] = at;
    else
        region_free(r, &at);
    return status;
}

holos_status regions_solve(regions *r, holos_kind kind, struct limits *limits, holos_error *err)
{
    holos_kind *closure = malloc(KINDS_MOST * sizeof *closure);
    if (closure == NULL)
        return error_system(err, "a closure of kinds");
    size_t count = r->kinds->closure(r->setup.v, kind, closure, KINDS_MOST);
    holos_status status = HOLOS_OK;
    struct limits none = limits_none();
    r->limits = limits != NULL ? limits : &none;
    const holos_stop *asked = r->limits->stop;
    r->stop = (holos_stop){.also = asked};
    r->limits->stop = &r->stop;
    if (count == KINDS_MOST)
        status =
            error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                      "there are more than %d kinds of positions between this one and the end", KINDS_MOST);
    for (size_t i = 0; status == HOLOS_OK && i < count; i++)
        status = kind_solve(r, closure[i], err);
    free(closure);
    r->limits->stop = asked;
    r->limits = NULL;
    holos_status damage = r->known == &r->guard ? boundary_end(r->known, err) : HOLOS_OK;
    return damage != HOLOS_OK ? damage : status;
}

/* ---- Opening ----------------------------------------------------------------------------------- */

static bool scratch_make(regions *r, region_scratch *s)
{
    const holos_variant *v = r->setup.v;
    size_t next = v->max_successors, before = v->max_predecessors, most = next > before ? next : before;
    s->here = arena_alloc(&r->memory, v->position_size);
    s->successors.positions = arena_alloc(&r->memory, next * v->position_size);
    s->predecessors.positions = arena_alloc(&r->memory, before * v->position_size);
    s->numbers = arena_alloc(&r->memory, most * sizeof *s->numbers);
    return s->here != NULL && s->successors.positions != NULL && s->predecessors.positions != NULL &&
           s->numbers != NULL;
}

holos_status regions_open(const regions_setup *setup, regions **out, holos_error *err)
{
    const holos_variant *v = setup->v;
    *out = NULL;
    if (v->game->kinds == NULL || v->max_predecessors == 0 || v->score_max > 127 || v->score_min < -127 ||
        (v->game->traits & (HOLOS_TRAIT_SAME_SIDE | HOLOS_TRAIT_GAINS)) != 0)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "regions need positions that fall into kinds, and their predecessors; %s does not "
                         "have them",
                         v->name);
    regions *r = calloc(1, sizeof *r);
    if (r == NULL)
        return error_system(err, "regions");
    r->setup = *setup;
    r->known = setup->known != NULL ? setup->known : boundary_begin(&r->guard, setup->boundary, v, &r->stop);
    r->kinds = v->game->kinds;
    arena_init(&r->memory, setup->budget, 1 << 16);
    unsigned threads = pool_threads(setup->threads);
    r->scratch = arena_alloc(&r->memory, threads * sizeof *r->scratch);
    bool made = r->scratch != NULL;
    if (made)
        memset(r->scratch, 0, threads * sizeof *r->scratch);
    for (unsigned i = 0; made && i < threads; i++)
        made = scratch_make(r, &r->scratch[i]);
    if (!made) {
        regions_close(r);
        return mem_error(err, setup->budget, threads * v->max_predecessors * v->position_size,
                         "the way back from a position");
    }
    *out = r;
    return HOLOS_OK;
}

void regions_close(regions *r)
{
    if (r == NULL)
        return;
    for (size_t i = 0; i < r->count; i++)
        region_free(r, &r->list[i]);
    free(r->list);
    arena_free(&r->memory);
    free(r);
}
