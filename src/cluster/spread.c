/* SPDX-License-Identifier: MIT */

#include "cluster/spread.h"

#include "cluster/exchange.h"
#include "cluster/numbers.h"
#include "core/clock.h"

#include <stdlib.h>
#include <string.h>

#define SLICE     4096 /* positions between two exchanges */
#define POKE_EACH 1024
/* What travels takes memory for so many successors of each position of a slice, and so many bytes for each that is elsewhere: questions, answers, and what
 * they are about, on lists that double (kalah:4,3 and kalah:6,4, 2 to 8 ranks: 160 to 220 bytes). */
#define TRAVEL_SUCCESSORS 4.2
#define TRAVEL_BYTES      210.0

/* A question about a position of another rank: where its answer counts. */
typedef struct question {
    uint8_t *best;
    holos_edge edge;
} question;

/* As it travels. */
typedef struct ask {
    uint16_t tier, part;
    uint32_t index[2]; /* low, high */
    uint32_t number;
} ask;

/* A part of this rank while it is being solved. */
typedef struct open_part {
    uint32_t part;
    uint64_t size;
    uint8_t *bytes; /* at first the best that is known from other parts */
    uint8_t *inner; /* bits: it has successors in its own part */
} open_part;

struct cluster_spread {
    spread_request q;
    const holos_index *index;
    uint32_t **owners; /* [tier][part] */
    uint8_t ***parts;  /* [tier][part]; NULL: another rank has it */
    uint64_t *loads;   /* bytes of each rank so far */
    retro_worker worker;
    holos_tables tables;
    exchange asks, answers;
    numbers numbers;
    question *questions; /* by number */
    size_t question_room;
    uint64_t missing;
    open_part *open; /* of the tier */
    size_t open_count, open_room;
    uint32_t tier;
    holos_status status;
    holos_error error;
    bool skip;
    uint64_t solved;
    double seconds;
};

static void spread_fail(cluster_spread *s, holos_status status, const holos_error *err)
{
    if (s->status != HOLOS_OK || status == HOLOS_OK)
        return;
    s->status = status;
    s->error = *err;
    s->skip = true;
}

/* ---- Who has what ------------------------------------------------------------------------------ */

holos_status spread_supports(const holos_variant *v, holos_error *err)
{
    if ((v->game->traits & HOLOS_TRAIT_CYCLIC) == 0)
        return HOLOS_OK;
    return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                     "%s can repeat positions: every rank needs all of a database in its memory", v->name);
}

/* Gives the parts of a tier to ranks: the largest first, to whoever has the least. `owners` may be NULL. */
static bool tier_assign(const holos_variant *v, uint32_t tier, uint64_t *loads, unsigned ranks,
                        uint32_t *owners)
{
    const holos_index *index = v->game->index;
    uint32_t count = index->parts(v, tier);
    bool *given = calloc(count, sizeof *given);
    for (uint32_t i = 0; given != NULL && i < count; i++) {
        uint32_t largest = count, least = 0;
        for (uint32_t part = 0; part < count; part++)
            if (!given[part] &&
                (largest == count || index->size(v, tier, part) > index->size(v, tier, largest)))
                largest = part;
        for (unsigned rank = 1; rank < ranks; rank++)
            least = loads[rank] < loads[least] ? rank : least;
        given[largest] = true;
        loads[least] += index->size(v, tier, largest);
        if (owners != NULL)
            owners[largest] = least;
    }
    bool done = given != NULL;
    free(given);
    return done;
}

uint64_t spread_memory(const holos_variant *v, uint32_t top, unsigned ranks)
{
    uint64_t *loads = calloc(ranks, sizeof *loads), most = 0;
    for (uint32_t tier = 0; loads != NULL && tier <= top; tier++)
        tier_assign(v, tier, loads, ranks, NULL);
    for (unsigned rank = 0; loads != NULL && rank < ranks; rank++)
        most = loads[rank] > most ? loads[rank] : most;
    free(loads);
    double travel = SLICE * TRAVEL_SUCCESSORS * TRAVEL_BYTES * (ranks - 1) / ranks;
    return most + most / 8 + (uint64_t)travel; /* with the bits of the open parts */
}

/* ---- Asking ------------------------------------------------------------------------------------ */

static void best_take(uint8_t *best, holos_edge edge, uint8_t byte)
{
    int32_t score = HOLOS_BYTE_ZERO + edge_score(edge, byte - HOLOS_BYTE_ZERO);
    *best = score > *best ? (uint8_t)score : *best;
}

static uint32_t question_keep(cluster_spread *s, question q)
{
    holos_error err;
    uint32_t number = numbers_take(&s->numbers);
    if (number == NO_NUMBER ||
        !COUNTED_RESERVE(s->q.budget, s->questions, s->question_room, (size_t)number + 1)) {
        spread_fail(s,
                    error_set(&err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for questions to other ranks"),
                    &err);
        return 0;
    }
    s->questions[number] = q;
    s->missing++;
    return number;
}

/* A position whose successors in other parts are looked at. */
static void position_ask(cluster_spread *s, open_part *p, uint64_t index)
{
    const holos_game *game = s->q.v->game;
    retro_worker *w = &s->worker;
    int32_t over;
    game->index->unrank(s->q.v, (holos_place){.tier = s->tier, .part = p->part, .index = index}, w->here);
    if (game->terminal(s->q.v, w->here, &over)) {
        p->bytes[index] = (uint8_t)(HOLOS_BYTE_ZERO + over);
        return;
    }
    uint32_t count = game->expand(s->q.v, w->here, w->successors);
    for (uint32_t i = 0; i < count; i++) {
        holos_place next;
        game->index->rank(s->q.v, position_at(s->q.v, w->successors.positions, i), &next);
        if (next.tier == s->tier && next.part == p->part) {
            p->inner[index / 8] |= (uint8_t)(1u << index % 8);
            continue;
        }
        uint32_t owner = s->owners[next.tier][next.part];
        if (owner == s->q.cluster->rank) {
            best_take(&p->bytes[index], w->successors.edges[i], *tables_at(&s->tables, next));
            continue;
        }
        question q = {.best = &p->bytes[index], .edge = w->successors.edges[i]};
        ask a = {.tier = (uint16_t)next.tier,
                 .part = (uint16_t)next.part,
                 .index = {(uint32_t)next.index, (uint32_t)(next.index >> 32)},
                 .number = question_keep(s, q)};
        uint32_t record[sizeof a / sizeof(uint32_t)];
        memcpy(record, &a, sizeof a);
        exchange_put(&s->asks, owner, record);
    }
}

static void asks_answer(cluster_spread *s)
{
    const exchange *x = &s->asks;
    for (unsigned rank = 0; x->in.size > 0 && rank < x->c->ranks; rank++) {
        const unsigned char *at = x->in.bytes + x->move.in_at[rank];
        for (size_t done = 0; done < (size_t)x->move.in_sizes[rank]; done += sizeof(ask)) {
            ask a;
            memcpy(&a, at + done, sizeof a);
            uint64_t index = a.index[0] | (uint64_t)a.index[1] << 32;
            exchange_put(&s->answers, rank, (uint32_t[]){a.number, s->parts[a.tier][a.part][index]});
        }
    }
}

static void answers_take(cluster_spread *s)
{
    for (size_t at = 0; at < s->answers.in.size; at += 2 * sizeof(uint32_t)) {
        uint32_t record[2];
        memcpy(record, s->answers.in.bytes + at, sizeof record);
        question q = s->questions[record[0]];
        best_take(q.best, q.edge, (uint8_t)record[1]);
        numbers_give(&s->numbers, record[0]);
        s->missing--;
    }
}

static void round_run(cluster_spread *s)
{
    holos_error err;
    exchange_end(&s->asks);
    asks_answer(s);
    exchange_end(&s->answers);
    answers_take(s);
    if (s->asks.no_memory || s->answers.no_memory)
        spread_fail(s, error_set(&err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for questions"), &err);
    exchange_begin(&s->asks, s->missing, s->status != HOLOS_OK);
    exchange_begin(&s->answers, s->missing, s->status != HOLOS_OK);
    exchange_hear(&s->asks);
    exchange_hear(&s->answers);
    s->skip |= s->asks.failed || s->answers.failed;
}

/* All ranks take as many steps as the one with the most positions. */
static uint64_t tier_steps(cluster_spread *s)
{
    holos_cluster *c = s->q.cluster;
    uint64_t mine = 0, most = 0;
    for (size_t i = 0; i < s->open_count; i++)
        mine += s->open[i].size;
    mine = (mine + SLICE - 1) / SLICE;
    const uint64_t *all = cluster_each(c, mine);
    for (unsigned i = 0; i < c->ranks; i++)
        most = all[i] > most ? all[i] : most;
    return most;
}

static void tier_ask(cluster_spread *s)
{
    holos_error err;
    uint64_t steps = tier_steps(s), index = 0;
    size_t at = 0;
    for (uint64_t step = 0; step < steps; step++) {
        if (holos_stop_asked(s->q.stop))
            spread_fail(s, error_set(&err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted"), &err);
        for (unsigned i = 0; i < SLICE && at < s->open_count && !s->skip; i++) {
            position_ask(s, &s->open[at], index);
            if (++index == s->open[at].size) {
                at++;
                index = 0;
            }
            if (i % POKE_EACH == 0) {
                exchange_poke(&s->asks);
                exchange_poke(&s->answers);
            }
        }
        round_run(s);
    }
    do
        round_run(s);
    while (s->answers.unfinished > 0 && !s->skip);
    exchange_end(&s->asks);
    exchange_end(&s->answers);
}

/* ---- Inside a part ----------------------------------------------------------------------------- */

static bool has_inner(const open_part *p, uint64_t index)
{
    return (p->inner[index / 8] >> index % 8 & 1) != 0;
}

/* The byte of a position from its best elsewhere and its successors here; false: one of these has to be solved first. */
static bool inner_solve(cluster_spread *s, open_part *p, uint64_t index, uint64_t *missing)
{
    const holos_game *game = s->q.v->game;
    retro_worker *w = &s->worker;
    uint8_t best = p->bytes[index];
    game->index->unrank(s->q.v, (holos_place){.tier = s->tier, .part = p->part, .index = index}, w->here);
    uint32_t count = game->expand(s->q.v, w->here, w->successors);
    for (uint32_t i = 0; i < count; i++) {
        holos_place next;
        game->index->rank(s->q.v, position_at(s->q.v, w->successors.positions, i), &next);
        if (next.tier != s->tier || next.part != p->part)
            continue;
        if (has_inner(p, next.index)) {
            *missing = next.index;
            return false;
        }
        best_take(&best, w->successors.edges[i], p->bytes[next.index]);
    }
    p->bytes[index] = best;
    p->inner[index / 8] &= (uint8_t) ~(1u << index % 8);
    return true;
}

static void part_solve(cluster_spread *s, open_part *p)
{
    holos_error err;
    for (uint64_t index = 0; index < p->size && !s->skip; index++) {
        size_t depth = 0;
        uint64_t next = index, missing = 0;
        while (has_inner(p, index) && !s->skip) {
            if (inner_solve(s, p, next, &missing)) {
                if (depth > 0)
                    next = s->worker.stack[--depth];
            } else if (retro_push(&s->worker, &depth, next)) {
                next = missing;
            } else {
                spread_fail(s, error_system(&err, "the stack of the retrograde engine"), &err);
            }
        }
    }
}

/* ---- Tiers ------------------------------------------------------------------------------------- */

static size_t inner_bytes(uint64_t size)
{
    return size / 8 + 1;
}

/* This rank's part, loaded or to be solved. */
static void part_begin(cluster_spread *s, uint32_t part)
{
    const retro_keeper *keeper = s->q.keeper;
    holos_error err;
    uint64_t size = s->index->size(s->q.v, s->tier, part);
    uint8_t *bytes = s->parts[s->tier][part] = mem_alloc(s->q.budget, size + 1);
    if (bytes == NULL) {
        spread_fail(s, mem_error(&err, s->q.budget, size, "a part of the tables"), &err);
        return;
    }
    if (keeper != NULL && keeper->has(keeper->context, s->tier, part)) {
        holos_status status = keeper->load(keeper->context, s->tier, part, bytes, size, &err);
        if (status == HOLOS_OK) {
            progress_add(s->q.progress, size);
            return;
        }
        if (status != HOLOS_BAD_FILE)
            spread_fail(s, status, &err);
        memset(bytes, HOLOS_BYTE_UNKNOWN, size);
    }
    open_part p = {.part = part, .size = size, .bytes = bytes};
    p.inner = mem_alloc(s->q.budget, inner_bytes(size));
    if (p.inner == NULL || !LIST_RESERVE(s->open, s->open_room, s->open_count + 1)) {
        spread_fail(s, mem_error(&err, s->q.budget, inner_bytes(size), "a part of the tables"), &err);
        mem_free(s->q.budget, p.inner, inner_bytes(size));
        return;
    }
    if (size > 0)
        s->open[s->open_count++] = p;
    else
        mem_free(s->q.budget, p.inner, inner_bytes(size));
}

static holos_status tier_begin(cluster_spread *s, holos_error *err)
{
    uint32_t count = s->index->parts(s->q.v, s->tier);
    s->owners[s->tier] = calloc(count, sizeof **s->owners);
    s->parts[s->tier] = calloc(count, sizeof **s->parts);
    if (s->owners[s->tier] == NULL || s->parts[s->tier] == NULL ||
        !tier_assign(s->q.v, s->tier, s->loads, s->q.cluster->ranks, s->owners[s->tier]))
        return error_system(err, "the tables");
    for (uint32_t part = 0; part < count && s->status == HOLOS_OK; part++)
        if (s->owners[s->tier][part] == s->q.cluster->rank)
            part_begin(s, part);
    *err = s->error;
    return s->status;
}

static void tier_end(cluster_spread *s)
{
    const retro_keeper *keeper = s->q.keeper;
    for (size_t i = 0; i < s->open_count; i++) {
        open_part *p = &s->open[i];
        holos_error err;
        part_solve(s, p);
        if (!s->skip && keeper != NULL)
            spread_fail(s, keeper->save(keeper->context, s->tier, p->part, p->bytes, p->size, &err), &err);
        if (!s->skip) {
            s->solved += p->size;
            progress_add(s->q.progress, p->size);
        }
        mem_free(s->q.budget, p->inner, inner_bytes(p->size));
    }
    s->open_count = 0;
}

static holos_status tier_solve(cluster_spread *s, holos_error *err)
{
    holos_status status = holos_cluster_agree(s->q.cluster, tier_begin(s, err), err);
    if (status != HOLOS_OK)
        return status;
    double begun = clock_read(CLOCK_THREAD_CPUTIME_ID);
    tier_ask(s);
    tier_end(s);
    s->seconds += clock_read(CLOCK_THREAD_CPUTIME_ID) - begun;
    *err = s->error;
    return holos_cluster_agree(s->q.cluster, s->status, err);
}

/* ---- Opening ----------------------------------------------------------------------------------- */

static holos_status spread_open(cluster_spread *s, holos_error *err)
{
    const holos_variant *v = s->q.v;
    size_t tiers = (size_t)s->q.top + 1, most = v->max_successors;
    retro_worker *w = &s->worker;
    holos_status status = spread_supports(v, err);
    if (status != HOLOS_OK)
        return status;
    s->index = v->game->index;
    s->owners = calloc(tiers, sizeof *s->owners);
    s->parts = calloc(tiers, sizeof *s->parts);
    s->loads = calloc(s->q.cluster->ranks, sizeof *s->loads);
    w->here = aligned_alloc(16, v->position_size);
    w->successors.edges = calloc(most, sizeof *w->successors.edges);
    w->successors.positions = aligned_alloc(16, most * v->position_size);
    w->successors.bare = true;
    s->tables.parts = (uint8_t *const *const *)s->parts;
    if (s->owners == NULL || s->parts == NULL || s->loads == NULL || w->here == NULL ||
        w->successors.edges == NULL || w->successors.positions == NULL)
        return error_system(err, "the tables");
    status = exchange_init(&s->asks, s->q.cluster, s->q.budget, sizeof(ask), err);
    if (status == HOLOS_OK)
        status = exchange_init(&s->answers, s->q.cluster, s->q.budget, 2 * sizeof(uint32_t), err);
    s->answers.move.lane = 1;
    return status;
}

holos_status spread_build(const spread_request *q, cluster_spread **out, holos_error *err)
{
    holos_error own = {0};
    err = err != NULL ? err : &own;
    cluster_spread *s = *out = calloc(1, sizeof *s);
    if (s == NULL)
        return error_system(err, "the tables");
    s->q = *q;
    uint64_t all = 0;
    holos_status status = holos_cluster_agree(q->cluster, spread_open(s, err), err);
    for (uint32_t tier = 0; status == HOLOS_OK && tier <= q->top; tier++)
        for (uint32_t part = 0; part < s->index->parts(q->v, tier); part++)
            all += s->index->size(q->v, tier, part) / q->cluster->ranks;
    progress_begin(q->progress, "build", "positions", all);
    for (s->tier = 0; status == HOLOS_OK && s->tier <= q->top; s->tier++)
        status = tier_solve(s, err);
    progress_end(q->progress);
    return status;
}

void spread_close(cluster_spread *s)
{
    if (s == NULL)
        return;
    for (uint32_t tier = 0; s->parts != NULL && s->owners != NULL && tier <= s->q.top; tier++) {
        for (uint32_t part = 0; s->parts[tier] != NULL && part < s->index->parts(s->q.v, tier); part++)
            if (s->parts[tier][part] != NULL)
                mem_free(s->q.budget, s->parts[tier][part], s->index->size(s->q.v, tier, part) + 1);
        free(s->parts[tier]);
        free(s->owners[tier]);
    }
    for (size_t i = 0; i < s->open_count; i++)
        mem_free(s->q.budget, s->open[i].inner, inner_bytes(s->open[i].size));
    exchange_free(&s->asks);
    exchange_free(&s->answers);
    free(s->worker.here);
    free(s->worker.successors.edges);
    free(s->worker.successors.positions);
    free(s->worker.stack);
    free(s->owners);
    free(s->parts);
    free(s->loads);
    COUNTED_FREE(s->q.budget, s->questions, s->question_room);
    numbers_free(&s->numbers);
    free(s->open);
    free(s);
}

/* ---- What there is ----------------------------------------------------------------------------- */

void spread_work(const cluster_spread *s, uint64_t *positions, double *seconds)
{
    *positions = s->solved;
    *seconds = s->seconds;
}

bool spread_probe(const cluster_spread *s, const holos_position *p, int32_t *value)
{
    holos_place place;
    if (!s->index->rank(s->q.v, p, &place) || place.tier > s->q.top ||
        s->parts[place.tier][place.part] == NULL)
        return false;
    *value = *tables_at(&s->tables, place) - HOLOS_BYTE_ZERO;
    return true;
}

void spread_count(const cluster_spread *s, uint64_t values[256])
{
    for (uint32_t tier = 0; tier <= s->q.top; tier++)
        for (uint32_t part = 0; part < s->index->parts(s->q.v, tier); part++)
            for (uint64_t i = 0; s->parts[tier][part] != NULL && i < s->index->size(s->q.v, tier, part); i++)
                values[s->parts[tier][part][i]]++;
}
