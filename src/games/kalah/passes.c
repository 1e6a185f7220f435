/* SPDX-License-Identifier: MIT */

#include "games/kalah/passes.h"

#include "core/assert.h"
#include "core/list.h"

#include <stdlib.h>
#include <string.h>

/* Below this average length, runs cost more than the pairs they stand for. */
#define RUN_LENGTH 4

void sowing_make(unsigned pits, unsigned k, unsigned seeds, sowing *out)
{
    memset(out, 0, sizeof *out);
    unsigned place = k; /* own pits, the store, the opponent's pits */
    for (unsigned n = 0; n < seeds; n++) {
        place = (place + 1) % (2 * pits + 1);
        if (place < pits)
            out->own[place]++;
        else if (place == pits)
            out->store++;
        else
            out->across++;
    }
    out->last = (uint8_t)(place < pits ? place : place == pits ? SOWING_STORE : SOWING_ACROSS);
}

/* ---- Lists ------------------------------------------------------------------------------------- */

/* Neighbours that stay neighbours. */
typedef struct run {
    uint32_t from, to, length;
} run;

typedef struct list {
    run *runs;
    size_t count, room;
    size_t elements;
} list;

/* False: there is no memory. */
static bool list_push(list *l, uint32_t from, uint32_t to, uint32_t length)
{
    run *last = l->count > 0 ? &l->runs[l->count - 1] : NULL;
    l->elements += length;
    if (last != NULL && from == last->from + last->length && to == last->to + last->length) {
        last->length += length;
        return true;
    }
    if (!LIST_RESERVE(l->runs, l->room, l->count + 1))
        return false;
    assert(l->runs != NULL);
    l->runs[l->count++] = (run){from, to, length};
    return true;
}

static bool list_is_runs(const list *l)
{
    return l->elements >= RUN_LENGTH * l->count;
}

static size_t list_words(const list *l)
{
    return list_is_runs(l) ? l->count * 3 : l->elements * 2;
}

/* Writes a list to where the kernel reads it; *next goes behind it. */
static pass list_write(const list *l, uint32_t **next)
{
    pass p = {.words = *next, .runs = list_is_runs(l)};
    p.count = (uint32_t)(p.runs ? l->count : l->elements);
    uint32_t *out = *next;
    for (size_t i = 0; i < l->count; i++) {
        const run *r = &l->runs[i];
        for (uint32_t k = 0; !p.runs && k < r->length; k++) {
            *out++ = r->from + k;
            *out++ = r->to + k;
        }
        if (p.runs) {
            *out++ = r->from;
            *out++ = r->to;
            *out++ = r->length;
        }
    }
    *next = out;
    return p;
}

/* ---- All lists of one number of seeds ---------------------------------------------------------- */

typedef struct builder {
    const arrange *a;
    unsigned seeds;
    unsigned outer_most;  /* the most seeds that the outer side will have */
    unsigned across_most; /* the most it can sow across */
    unsigned groups;      /* of inner moves from one pit */
    sowing *sowings;      /* [k * (seeds + 1) + n] */
    list *moves;          /* [k * groups + group] */
    list *spared;         /* [k * pits + p] */
    list *sown;           /* [u] */
    list *captured;       /* as inner_side.captured */
    list *lists;          /* all of them, in one array */
    size_t list_count;
    bool failed; /* there was no memory for one of them */
} builder;

/* The groups of inner moves: by what is sown across, by rounds before another turn, by captures. */
static unsigned group_sow(const builder *b, unsigned across)
{
    (void)b;
    return across;
}

static unsigned group_again(const builder *b, unsigned across)
{
    assert(b->a->pits > 0);
    return b->seeds + 1 + across / b->a->pits;
}

static unsigned group_capture(const builder *b, unsigned pit, unsigned across)
{
    assert(b->a->pits > 0);
    return 2 * (b->seeds + 1) + 2 * pit + across / b->a->pits;
}

static void builder_free(builder *b)
{
    for (size_t i = 0; b->lists != NULL && i < b->list_count; i++)
        free(b->lists[i].runs);
    free(b->lists);
    free(b->sowings);
}

static bool builder_init(builder *b, const arrange *a, unsigned seeds, unsigned outer_most)
{
    unsigned pits = a->pits;
    *b = (builder){.a = a, .seeds = seeds, .outer_most = outer_most};
    b->groups = 2 * (seeds + 1) + 2 * pits;
    sowing farthest; /* nobody sows more across than from the pit next to the store */
    sowing_make(pits, pits - 1, outer_most, &farthest);
    b->across_most = farthest.across;
    size_t moves = (size_t)pits * b->groups, spared = (size_t)pits * pits;
    size_t sown = b->across_most + 1, captured = (size_t)2 * pits * (seeds + 1);
    b->list_count = moves + spared + sown + captured;
    b->lists = calloc(b->list_count, sizeof *b->lists);
    b->sowings = calloc((size_t)pits * (seeds + 1), sizeof *b->sowings);
    if (b->lists == NULL || b->sowings == NULL) {
        builder_free(b);
        return false;
    }
    b->moves = b->lists;
    b->spared = b->moves + moves;
    b->sown = b->spared + spared;
    b->captured = b->sown + sown;
    for (unsigned k = 0; k < pits; k++)
        for (unsigned n = 1; n <= seeds; n++)
            sowing_make(pits, k, n, &b->sowings[k * (seeds + 1) + n]);
    return true;
}

static void builder_push(builder *b, list *l, uint32_t from, uint32_t to, uint32_t length)
{
    b->failed |= !list_push(l, from, to, length);
}

/* ---- A walk through all arrangements ----------------------------------------------------------- */

/* Arrangements one after the other that differ in the last two pits only. `pits` is the first of them; each has a seed more than the one before
 * it in the last pit but one, and a seed less in the last. What a move makes of them are neighbours, too, as long as it is the same move for all: so it is
 * worked out once. The lists of kalah:6,4 up to 17 seeds take 140 million instructions (callgrind); they took 411 million one by one. */
typedef struct stretch {
    uint8_t pits[ARRANGE_PITS];
    uint32_t from, length;
} stretch;

/* How many pits they have in common, which are the first. */
static unsigned stretch_common(const arrange *a)
{
    return a->pits < 2 ? 0 : a->pits - 2;
}

/* Some of a stretch, from the one at `skip` on. */
static stretch stretch_cut(const arrange *a, const stretch *s, uint32_t skip, uint32_t length)
{
    stretch some = *s;
    some.from += skip;
    some.length = length;
    some.pits[a->pits - 1] = (uint8_t)(some.pits[a->pits - 1] - skip);
    if (skip > 0)
        some.pits[a->pits - 2] = (uint8_t)(some.pits[a->pits - 2] + skip);
    return some;
}

/* The inner side moves from pit k, which is the same in all of them; and so is whether the last seed falls into an empty pit. */
static void builder_move_alike(builder *b, const stretch *these, unsigned k)
{
    unsigned count = b->a->pits;
    const sowing *s = &b->sowings[k * (b->seeds + 1) + these->pits[k]];
    uint8_t after[ARRANGE_PITS];
    /* All that a board may have: this is one instruction. Pits that are not there are empty. */
    for (unsigned p = 0; p < ARRANGE_PITS; p++)
        after[p] = (uint8_t)(these->pits[p] + s->own[p]);
    after[k] = s->own[k];
    unsigned left = b->seeds - s->across - s->store;
    uint32_t from = these->from, length = these->length;
    list *moves = b->moves + (size_t)k * b->groups;
    if (s->last == SOWING_STORE) {
        builder_push(b, &moves[group_again(b, s->across)], from, arrange_rank(b->a, after, left), length);
    } else if (s->last == SOWING_ACROSS || after[s->last] != 1) {
        builder_push(b, &moves[group_sow(b, s->across)], from, arrange_rank(b->a, after, left), length);
    } else {
        if (s->across == 0)
            builder_push(b, &b->spared[k * count + s->last], from, arrange_rank(b->a, after, left), length);
        after[s->last] = 0;
        builder_push(b, &moves[group_capture(b, s->last, s->across)], from,
                     arrange_rank(b->a, after, left - 1), length);
    }
}

/* The inner side moves from pit k, which is the same in all of them. The last two pits are not: the last but one is empty in the first of them, and the
 * last one in the last of them. */
static void builder_move(builder *b, const stretch *these, unsigned k)
{
    unsigned last = b->sowings[k * (b->seeds + 1) + these->pits[k]].last, pits = b->a->pits;
    if (these->length == 1 || last + 2 < pits || last >= pits) {
        builder_move_alike(b, these, k);
        return;
    }
    uint32_t first = last + 2 == pits ? 1 : these->length - 1;
    stretch front = stretch_cut(b->a, these, 0, first);
    stretch back = stretch_cut(b->a, these, first, these->length - first);
    builder_move_alike(b, &front, k);
    builder_move_alike(b, &back, k);
}

/* The outer side sows u seeds across. */
static void builder_sow(builder *b, const stretch *these, unsigned u)
{
    uint8_t after[ARRANGE_PITS] = {0};
    unsigned count = b->a->pits;
    for (unsigned p = 0; p < count; p++)
        after[p] = (uint8_t)(these->pits[p] + u / count + (p < u % count ? 1 : 0));
    builder_push(b, &b->sown[u], these->from, arrange_rank(b->a, after, b->seeds + u), these->length);
}

/* The outer side sows q seeds into every pit, and takes those in pit o, as many in all of them. */
static void builder_capture(builder *b, const stretch *these, unsigned q, unsigned o)
{
    uint8_t after[ARRANGE_PITS];
    unsigned count = b->a->pits, taken = these->pits[o];
    for (unsigned p = 0; p < ARRANGE_PITS; p++)
        after[p] = (uint8_t)(these->pits[p] + q);
    after[o] = 0;
    unsigned left = b->seeds + q * (count - 1) - taken;
    builder_push(b, &b->captured[(q * count + o) * (b->seeds + 1) + taken], these->from,
                 arrange_rank(b->a, after, left), these->length);
}

/* Whatever empties a pit, from pit `k` up to `end`, in which they are all the same. */
static void builder_empty(builder *b, const stretch *these, unsigned k, unsigned end)
{
    bool rounds = b->outer_most >= b->a->pits + 2; /* the least that sows across and comes back */
    for (; k < end; k++) {
        if (these->pits[k] > 0)
            builder_move(b, these, k);
        for (unsigned q = 0; q <= (rounds ? 1 : 0); q++)
            builder_capture(b, these, q, k);
    }
}

static void builder_walk(builder *b)
{
    const arrange *a = b->a;
    unsigned common = stretch_common(a);
    stretch these = {.length = 1};
    bool more = true;
    for (arrange_first(a, b->seeds, these.pits); more; these.from += these.length) {
        these.length = a->pits < 2 ? 1 : these.pits[a->pits - 1] + 1U;
        for (unsigned u = 0; u <= b->across_most; u++)
            builder_sow(b, &these, u);
        builder_empty(b, &these, 0, common);
        for (uint32_t i = 0; i < these.length; i++) {
            stretch one = stretch_cut(a, &these, i, 1);
            builder_empty(b, &one, common, a->pits);
        }
        stretch last = stretch_cut(a, &these, these.length - 1, 1);
        more = arrange_next(a, last.pits);
        memcpy(these.pits, last.pits, sizeof these.pits);
    }
}

static size_t align64(size_t size)
{
    return (size + 63) & ~(size_t)63;
}

/* The moves of one pit, from lists to what the kernel reads. */
static void side_collect_moves(inner_side *side, const builder *b, unsigned k, uint32_t **next)
{
    unsigned pits = b->a->pits;
    for (unsigned group = 0; group < b->groups; group++) {
        const list *l = &b->moves[(size_t)k * b->groups + group];
        if (l->elements == 0)
            continue;
        inner_move *move = &side->moves[side->move_count++];
        *move = (inner_move){.moves = list_write(l, next)};
        if (group < group_again(b, 0)) {
            move->kind = PASS_SOW;
            move->across = (uint8_t)group;
            move->store = (uint8_t)((group + pits - 1) / pits);
        } else if (group < group_capture(b, 0, 0)) {
            unsigned rounds = group - group_again(b, 0);
            move->kind = PASS_AGAIN;
            move->across = (uint8_t)(rounds * pits);
            move->store = (uint8_t)(rounds + 1);
        } else {
            unsigned rounds = (group - group_capture(b, 0, 0)) % 2;
            move->kind = PASS_CAPTURE;
            move->pit = (uint8_t)((group - group_capture(b, 0, 0)) / 2);
            move->across = (uint8_t)(rounds * pits);
            move->store = (uint8_t)rounds;
            if (rounds == 0)
                move->spared = list_write(&b->spared[k * pits + move->pit], next);
        }
    }
}

holos_status inner_side_init(inner_side *side, const arrange *a, unsigned seeds, unsigned outer_most,
                             mem_budget *budget, holos_error *err)
{
    builder b;
    memset(side, 0, sizeof *side);
    if (!builder_init(&b, a, seeds, outer_most))
        return error_system(err, "the lists of kalah moves");
    builder_walk(&b);
    if (b.failed) {
        builder_free(&b);
        return error_system(err, "the lists of kalah moves");
    }
    size_t words = 0, move_count = 0, captured = (size_t)2 * a->pits * (seeds + 1);
    for (size_t i = 0; i < b.list_count; i++)
        words += list_words(&b.lists[i]);
    for (size_t i = 0; i < (size_t)a->pits * b.groups; i++)
        move_count += b.moves[i].elements > 0;
    size_t moves_size = align64(move_count * sizeof *side->moves);
    size_t passes_size = align64((b.across_most + 1 + captured) * sizeof *side->sown);
    side->memory_size = moves_size + passes_size + words * sizeof(uint32_t);
    side->memory = mem_alloc(budget, side->memory_size);
    if (side->memory == NULL) {
        builder_free(&b);
        return mem_error(err, budget, side->memory_size, "the lists of kalah moves");
    }
    side->moves = side->memory;
    side->sown = (pass *)((char *)side->memory + moves_size);
    side->captured = side->sown + b.across_most + 1;
    side->across_most = b.across_most;
    uint32_t *next = (uint32_t *)((char *)side->memory + moves_size + passes_size);
    for (unsigned k = 0; k < a->pits; k++)
        side_collect_moves(side, &b, k, &next);
    for (unsigned u = 0; u <= b.across_most; u++)
        side->sown[u] = list_write(&b.sown[u], &next);
    for (size_t i = 0; i < captured; i++)
        side->captured[i] = list_write(&b.captured[i], &next);
    builder_free(&b);
    return HOLOS_OK;
}

void inner_side_free(inner_side *side, mem_budget *budget)
{
    mem_free(budget, side->memory, side->memory_size);
    memset(side, 0, sizeof *side);
}

size_t inner_side_estimate(const arrange *a, unsigned seeds)
{
    /* Moves and captures are about one pair for each pit; sowing across needs fewer, mostly runs. */
    return (size_t)arrange_count(a, seeds) * a->pits * 9 + (64 << 10);
}
