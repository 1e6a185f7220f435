/* SPDX-License-Identifier: MIT */

#include "games/kalah/passes.h"

#include "core/assert.h"

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

/* ---- Lists that are first counted, then filled ------------------------------------------------- */

typedef struct list {
    uint32_t elements, runs;
    uint32_t next_from, next_to; /* what would continue the last run */
    bool as_runs;
    uint32_t *words; /* NULL while counting */
    uint32_t used;
} list;

static void list_push(list *l, uint32_t from, uint32_t to)
{
    bool continues = l->elements > 0 && from == l->next_from && to == l->next_to;
    l->next_from = from + 1;
    l->next_to = to + 1;
    l->elements++;
    if (!continues)
        l->runs++;
    if (l->words == NULL)
        return;
    if (l->as_runs && continues) {
        l->words[l->used - 1]++;
        return;
    }
    l->words[l->used++] = from;
    l->words[l->used++] = to;
    if (l->as_runs)
        l->words[l->used++] = 1;
}

static size_t list_words(const list *l)
{
    bool as_runs = l->elements >= RUN_LENGTH * l->runs;
    return as_runs ? (size_t)l->runs * 3 : (size_t)l->elements * 2;
}

/* From counting to filling. */
static void list_begin(list *l, uint32_t *words)
{
    *l = (list){.words = words, .as_runs = l->elements >= RUN_LENGTH * l->runs};
}

static pass list_pass(const list *l)
{
    return (pass){.words = l->words, .count = l->used / (l->as_runs ? 3 : 2), .runs = l->as_runs};
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

/* The inner side moves from pit k. */
static void builder_move(builder *b, const uint8_t *pits, uint32_t from, unsigned k)
{
    unsigned count = b->a->pits;
    const sowing *s = &b->sowings[k * (b->seeds + 1) + pits[k]];
    uint8_t after[ARRANGE_PITS];
    for (unsigned p = 0; p < count; p++)
        after[p] = (uint8_t)((p == k ? 0 : pits[p]) + s->own[p]);
    unsigned left = b->seeds - s->across - s->store;
    list *moves = b->moves + (size_t)k * b->groups;
    if (s->last == SOWING_STORE) {
        list_push(&moves[group_again(b, s->across)], from, arrange_rank(b->a, after, left));
    } else if (s->last == SOWING_ACROSS || after[s->last] != 1) {
        list_push(&moves[group_sow(b, s->across)], from, arrange_rank(b->a, after, left));
    } else {
        if (s->across == 0)
            list_push(&b->spared[k * count + s->last], from, arrange_rank(b->a, after, left));
        after[s->last] = 0;
        list_push(&moves[group_capture(b, s->last, s->across)], from, arrange_rank(b->a, after, left - 1));
    }
}

/* The outer side sows u seeds across. */
static void builder_sow(builder *b, const uint8_t *pits, uint32_t from, unsigned u)
{
    uint8_t after[ARRANGE_PITS] = {0};
    unsigned count = b->a->pits;
    for (unsigned p = 0; p < count; p++)
        after[p] = (uint8_t)(pits[p] + u / count + (p < u % count ? 1 : 0));
    list_push(&b->sown[u], from, arrange_rank(b->a, after, b->seeds + u));
}

/* The outer side sows q seeds into every pit, and takes those in pit o. */
static void builder_capture(builder *b, const uint8_t *pits, uint32_t from, unsigned q, unsigned o)
{
    uint8_t after[ARRANGE_PITS];
    unsigned count = b->a->pits;
    for (unsigned p = 0; p < count; p++)
        after[p] = (uint8_t)(pits[p] + q);
    after[o] = 0;
    unsigned left = b->seeds + q * (count - 1) - pits[o];
    list_push(&b->captured[(q * count + o) * (b->seeds + 1) + pits[o]], from,
              arrange_rank(b->a, after, left));
}

static void builder_walk(builder *b)
{
    uint8_t pits[ARRANGE_PITS];
    unsigned count = b->a->pits;
    uint32_t from = 0;
    bool rounds = b->outer_most >= count + 2; /* the least that sows across and comes back */
    arrange_first(b->a, b->seeds, pits);
    do {
        for (unsigned k = 0; k < count; k++)
            if (pits[k] > 0)
                builder_move(b, pits, from, k);
        for (unsigned u = 0; u <= b->across_most; u++)
            builder_sow(b, pits, from, u);
        for (unsigned q = 0; q <= (rounds ? 1 : 0); q++)
            for (unsigned o = 0; o < count; o++)
                builder_capture(b, pits, from, q, o);
        from++;
    } while (arrange_next(b->a, pits));
}

static size_t align64(size_t size)
{
    return (size + 63) & ~(size_t)63;
}

/* The moves of one pit, from lists to what the kernel reads. */
static void side_collect_moves(inner_side *side, const builder *b, unsigned k)
{
    unsigned pits = b->a->pits;
    for (unsigned group = 0; group < b->groups; group++) {
        const list *l = &b->moves[(size_t)k * b->groups + group];
        if (l->elements == 0)
            continue;
        inner_move *move = &side->moves[side->move_count++];
        *move = (inner_move){.moves = list_pass(l)};
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
                move->spared = list_pass(&b->spared[k * pits + move->pit]);
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
    for (size_t i = 0; i < b.list_count; i++) {
        size_t length = list_words(&b.lists[i]);
        list_begin(&b.lists[i], next);
        next += length;
    }
    builder_walk(&b);
    for (unsigned k = 0; k < a->pits; k++)
        side_collect_moves(side, &b, k);
    for (unsigned u = 0; u <= b.across_most; u++)
        side->sown[u] = list_pass(&b.sown[u]);
    for (size_t i = 0; i < captured; i++)
        side->captured[i] = list_pass(&b.captured[i]);
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
