/* SPDX-License-Identifier: MIT */

#include "games/kalah/kernel.h"

#include "core/assert.h"
#include "game/game.h"
#include "games/kalah/columns.h"

#include <stdlib.h>
#include <string.h>

/* The arrangements of some seeds by how far these are from the store, all together. */
typedef struct distances {
    uint16_t *of;    /* by number */
    uint32_t *order; /* the numbers, the nearest first */
    uint32_t *begin; /* [step]: where those of a distance begin in `order`; and behind the last */
    uint32_t steps;
} distances;

struct kalah_kernel {
    arrange a;
    kalah_rules rules;
    unsigned top;
    mem_budget *budget;
    sowing *sowings;   /* [pit * (top + 1) + seeds] */
    inner_side *inner; /* [seeds] */
    distances *outer;  /* [seeds], up to half of top */
};

/* ---- Passes over a row ------------------------------------------------------------------------- */

/* Where a pass reads: the value of what y becomes is at base[y' * stride]. */
typedef struct source {
    const uint8_t *base;
    size_t stride;
    uint8_t gain;
    bool same_side;
} source;

/* Bytes are values + 128, so gain - value is, modulo 256, gain - byte; and gain + value is gain + byte. */
#define STEP(target, child)                                                                                  \
    do {                                                                                                     \
        uint8_t step_new = (uint8_t)(same_side ? gain + (child) : gain - (child));                           \
        uint8_t step_old = (target);                                                                         \
        (target) = step_new > step_old ? step_new : step_old;                                                \
    } while (0)

static inline __attribute__((always_inline)) void pairs_apply(const uint32_t *restrict words, size_t count,
                                                              uint8_t *restrict out,
                                                              const uint8_t *restrict base, size_t stride,
                                                              uint8_t gain, bool same_side)
{
    for (size_t i = 0; i < count; i++)
        STEP(out[words[2 * i]], base[words[2 * i + 1] * stride]);
}

static inline __attribute__((always_inline)) void run_apply(uint8_t *restrict out,
                                                            const uint8_t *restrict base, size_t length,
                                                            size_t stride, uint8_t gain, bool same_side)
{
    for (size_t i = 0; i < length; i++)
        STEP(out[i], base[i * stride]);
}

static inline __attribute__((always_inline)) void runs_apply(const uint32_t *restrict words, size_t count,
                                                             uint8_t *restrict out,
                                                             const uint8_t *restrict base, size_t stride,
                                                             uint8_t gain, bool same_side)
{
    for (size_t i = 0; i < count; i++)
        run_apply(out + words[3 * i], base + words[3 * i + 1] * stride, words[3 * i + 2], stride, gain,
                  same_side);
}

/* The number of leading entries of a list that lie wholly below y. */
static size_t pass_skip(const pass *p, uint32_t y)
{
    size_t width = p->runs ? 3 : 2, low = 0, high = p->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const uint32_t *entry = p->words + middle * width;
        if (entry[0] + (p->runs ? entry[2] : 1) <= y)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* out[y] = max(out[y], gain -+ source[y']) for all (y, y') of the list with y >= first. */
static void pass_apply(const pass *p, source s, uint8_t *out, uint32_t first)
{
    const uint32_t *words = p->words;
    size_t count = p->count;
    if (first > 0) {
        size_t skip = pass_skip(p, first);
        words += skip * (p->runs ? 3 : 2);
        count -= skip;
        if (count > 0 && p->runs && words[0] < first) {
            uint32_t cut = first - words[0];
            uint32_t rest[3] = {first, words[1] + cut, words[2] - cut};
            if (s.same_side)
                runs_apply(rest, 1, out, s.base, s.stride, s.gain, true);
            else
                runs_apply(rest, 1, out, s.base, s.stride, s.gain, false);
            words += 3;
            count--;
        }
    }
    if (p->runs && s.stride == 1 && !s.same_side)
        runs_apply(words, count, out, s.base, 1, s.gain, false);
    else if (p->runs && s.stride == 1)
        runs_apply(words, count, out, s.base, 1, s.gain, true);
    else if (p->runs && !s.same_side)
        runs_apply(words, count, out, s.base, s.stride, s.gain, false);
    else if (p->runs)
        runs_apply(words, count, out, s.base, s.stride, s.gain, true);
    else if (s.stride == 1 && !s.same_side)
        pairs_apply(words, count, out, s.base, 1, s.gain, false);
    else if (s.stride == 1)
        pairs_apply(words, count, out, s.base, 1, s.gain, true);
    else if (!s.same_side)
        pairs_apply(words, count, out, s.base, s.stride, s.gain, false);
    else
        pairs_apply(words, count, out, s.base, s.stride, s.gain, true);
}

/* ---- Rows -------------------------------------------------------------------------------------- */

/* One row of a part, while it is being computed. */
typedef struct row {
    const kalah_kernel *k;
    uint8_t *const *const *parts;
    const inner_side *inner;
    columns *columns; /* NULL: rows do not come in their order */
    /* An even split: the columns from `fresh_first` on up to this row, as rows; they are not in the part yet. */
    const uint8_t *fresh;
    size_t fresh_first;
    unsigned outer_seeds, inner_seeds;
    uint8_t x[ARRANGE_PITS];
    uint8_t *out;
    uint32_t first; /* where the row begins: not at 0 on an even split */
} row;

enum mover { OUTER, INNER };

/* From the first column of a table to the one at `rank`: to what it is as a row, if rows come in their order. */
static void source_move(const row *r, source *s, size_t rank, size_t width, unsigned x_seeds,
                        unsigned y_seeds)
{
    bool whole = x_seeds + y_seeds < r->outer_seeds + r->inner_seeds;
    const uint8_t *turned = NULL;
    assert(whole || r->columns == NULL || r->fresh != NULL); /* an uneven split reads no columns of itself */
    if (r->columns != NULL && !whole && rank >= r->fresh_first)
        turned = r->fresh + (rank - r->fresh_first) * width;
    else if (r->columns != NULL)
        turned = columns_row(r->columns, s->base, s->stride, width, arrange_count(&r->k->a, y_seeds), rank);
    s->base = turned != NULL ? turned : s->base + rank;
    s->stride = turned != NULL ? 1 : s->stride;
}

/* The positions with this arrangement on the outer side, and all arrangements of the inner one. */
static source source_find(const row *r, const uint8_t *x, unsigned x_seeds, unsigned y_seeds,
                          enum mover mover, unsigned gain, bool same_side)
{
    const arrange *a = &r->k->a;
    source s = {.gain = (uint8_t)gain, .same_side = same_side};
    size_t rank = arrange_rank(a, x, x_seeds);
    if (x_seeds < y_seeds) {
        size_t length = arrange_count(a, y_seeds);
        s.base = r->parts[x_seeds + y_seeds][x_seeds] + rank * 2 * length + (mover == OUTER ? 0 : length);
        s.stride = 1;
        return s;
    }
    size_t length = arrange_count(a, x_seeds);
    s.base = r->parts[x_seeds + y_seeds][y_seeds];
    if (x_seeds == y_seeds && mover == OUTER) {
        s.base += rank * length;
        s.stride = 1;
        return s;
    }
    /* There the sides have changed places: a column instead of a row. */
    if (x_seeds == y_seeds) {
        s.stride = length;
    } else {
        s.base += mover == OUTER ? length : 0;
        s.stride = 2 * length;
    }
    source_move(r, &s, rank, length, x_seeds, y_seeds);
    return s;
}

/* The last seed of the outer side fell into its empty pit p; `after` is without that seed. */
static void row_outer_capture(const row *r, const sowing *s, uint8_t *after, unsigned p)
{
    const kalah_kernel *k = r->k;
    unsigned pits = k->a.pits, rounds = s->across / pits, opposite = pits - 1 - p;
    unsigned left = r->outer_seeds - s->across - s->store - 1;
    for (unsigned c = 0; c <= r->inner_seeds; c++) {
        const pass *list = &r->inner->captured[(rounds * pits + opposite) * (r->inner_seeds + 1) + c];
        unsigned taken = c + rounds;
        if (list->count == 0)
            continue;
        if (taken == 0 && !k->rules.empty_capture) {
            after[p] = 1;
            pass_apply(list, source_find(r, after, left + 1, r->inner_seeds, INNER, 0, false), r->out,
                       r->first);
            after[p] = 0;
        } else {
            unsigned others = r->inner_seeds + s->across - taken;
            pass_apply(list, source_find(r, after, left, others, INNER, s->store + 1 + taken, false), r->out,
                       r->first);
        }
    }
}

/* All moves of the outer side. */
static void row_outer(const row *r)
{
    const kalah_kernel *k = r->k;
    unsigned pits = k->a.pits;
    for (unsigned pit = 0; pit < pits; pit++) {
        if (r->x[pit] == 0)
            continue;
        const sowing *s = &k->sowings[pit * (k->top + 1) + r->x[pit]];
        uint8_t after[ARRANGE_PITS] = {0};
        for (unsigned p = 0; p < pits; p++)
            after[p] = (uint8_t)((p == pit ? 0 : r->x[p]) + s->own[p]);
        if (s->last < pits && after[s->last] == 1) {
            after[s->last] = 0;
            row_outer_capture(r, s, after, s->last);
            continue;
        }
        bool again = s->last == SOWING_STORE;
        source from = source_find(r, after, r->outer_seeds - s->across - s->store, r->inner_seeds + s->across,
                                  again ? OUTER : INNER, s->store, again);
        pass_apply(&r->inner->sown[s->across], from, r->out, r->first);
    }
}

/* The last seed of the inner side falls into its empty pit. */
static void row_inner_capture(const row *r, const inner_move *m)
{
    const kalah_kernel *k = r->k;
    unsigned pits = k->a.pits, opposite = pits - 1 - m->pit, rounds = m->across / pits;
    unsigned taken = r->x[opposite] + rounds;
    if (taken == 0 && !k->rules.empty_capture) {
        pass_apply(&m->spared, source_find(r, r->x, r->outer_seeds, r->inner_seeds, OUTER, 0, false), r->out,
                   r->first);
        return;
    }
    uint8_t x[ARRANGE_PITS];
    for (unsigned p = 0; p < pits; p++)
        x[p] = (uint8_t)(r->x[p] + rounds);
    x[opposite] = 0;
    unsigned left = r->inner_seeds - m->across - m->store - 1;
    pass_apply(
        &m->moves,
        source_find(r, x, r->outer_seeds + m->across - taken, left, OUTER, m->store + 1 + taken, false),
        r->out, r->first);
}

/* All moves of the inner side. */
static void row_inner(const row *r)
{
    unsigned pits = r->k->a.pits;
    assert(pits > 0);
    for (uint32_t i = 0; i < r->inner->move_count; i++) {
        const inner_move *m = &r->inner->moves[i];
        if (m->kind == PASS_CAPTURE) {
            row_inner_capture(r, m);
            continue;
        }
        uint8_t x[ARRANGE_PITS];
        for (unsigned p = 0; p < pits; p++)
            x[p] = (uint8_t)(r->x[p] + m->across / pits + (p < m->across % pits ? 1 : 0));
        bool again = m->kind == PASS_AGAIN;
        source from = source_find(r, x, r->outer_seeds + m->across, r->inner_seeds - m->across - m->store,
                                  again ? INNER : OUTER, m->store, again);
        pass_apply(&m->moves, from, r->out, r->first);
    }
}

/* ---- Parts ------------------------------------------------------------------------------------- */

/* The values of the longest column. */
static size_t column_most(const arrange *a)
{
    return arrange_count(a, a->seeds / 2);
}

/* Scratch space: rows of an even split, which become columns; then columns that have become rows. */
static size_t rows_room(const arrange *a)
{
    return (COLUMNS_STRIP * column_most(a) + 63) / 64 * 64;
}

/* One side is empty. */
static void part_solve_empty(row *r, uint8_t *part, size_t length)
{
    memset(part, HOLOS_BYTE_ZERO - (int)r->inner_seeds, length);
    if (r->inner_seeds == 0)
        return;
    if (!r->k->rules.mover_end) {
        memset(part + length, HOLOS_BYTE_ZERO + (int)r->inner_seeds, length);
        return;
    }
    r->out = part + length;
    row_inner(r);
}

/* Even split: each position once. The row of x begins at y = x, since what lies before is known from
 * the rows before; the second row is computed aside and becomes a column, together with its neighbours. Only the rows of these
 * need some of it at once. */
static void part_solve_even(row *r, uint8_t *part, size_t length, struct limits *limits, uint8_t *scratch)
{
    r->fresh = scratch;
    for (size_t group = 0; group < length; group += COLUMNS_STRIP) {
        size_t end = length - group < COLUMNS_STRIP ? length : group + COLUMNS_STRIP;
        r->fresh_first = group;
        for (size_t rank = group; rank < end; rank++) {
            if (!limits_may_count(limits))
                return;
            limits->nodes += length;
            r->out = part + rank * length;
            r->first = (uint32_t)rank;
            row_outer(r);
            r->out = scratch + (rank - group) * length;
            r->first = (uint32_t)rank + 1;
            memset(r->out, HOLOS_BYTE_UNKNOWN, length);
            row_inner(r);
            for (size_t y = rank + 1; y < end; y++)
                part[y * length + rank] = r->out[y];
            arrange_next(&r->k->a, r->x);
        }
        columns_write(part + group, length, end, scratch, end - group);
    }
}

static void part_solve_uneven(row *r, uint8_t *part, size_t length, struct limits *limits)
{
    size_t rows = arrange_count(&r->k->a, r->outer_seeds);
    r->out = part;
    for (size_t rank = 0; rank < rows && limits_may_count(limits); rank++) {
        limits->nodes += 2 * length;
        row_outer(r);
        r->out += length;
        row_inner(r);
        r->out += length;
        arrange_next(&r->k->a, r->x);
    }
}

void kalah_kernel_solve(const kalah_kernel *k, uint8_t *const *const *parts, unsigned seeds, unsigned outer,
                        struct limits *limits, uint8_t *scratch)
{
    assert(seeds <= k->top && 2 * outer <= seeds);
    row r = {.k = k, .parts = parts, .outer_seeds = outer, .inner_seeds = seeds - outer};
    r.inner = &k->inner[r.inner_seeds];
    r.columns = columns_begin(scratch + rows_room(&k->a), column_most(&k->a));
    arrange_first(&k->a, outer, r.x);
    uint8_t *part = parts[seeds][outer];
    size_t length = arrange_count(&k->a, r.inner_seeds);
    if (outer == 0)
        part_solve_empty(&r, part, length);
    else if (2 * outer == seeds)
        part_solve_even(&r, part, length, limits, scratch);
    else
        part_solve_uneven(&r, part, length, limits);
}

/* ---- Parts in pieces --------------------------------------------------------------------------- */

static unsigned distance_of(const uint8_t *x, unsigned pits)
{
    unsigned sum = 0;
    for (unsigned p = 0; p < pits; p++)
        sum += x[p] * (pits - 1 - p);
    return sum;
}

static size_t distances_size(const arrange *a, unsigned seeds)
{
    return arrange_count(a, seeds) * (sizeof(uint16_t) + sizeof(uint32_t)) +
           (seeds * (a->pits - 1) + 2) * sizeof(uint32_t);
}

/* Sorts by counting. */
static bool distances_init(distances *d, const arrange *a, unsigned seeds, mem_budget *budget)
{
    uint32_t count = arrange_count(a, seeds);
    uint8_t x[ARRANGE_PITS];
    d->steps = seeds * (a->pits - 1) + 1;
    d->order = mem_alloc(budget, distances_size(a, seeds));
    if (d->order == NULL)
        return false;
    d->begin = d->order + count;
    d->of = (uint16_t *)(d->begin + d->steps + 1);
    arrange_first(a, seeds, x);
    for (uint32_t i = 0; i < count; i++) {
        d->of[i] = (uint16_t)distance_of(x, a->pits);
        d->begin[d->of[i] + 1]++;
        arrange_next(a, x);
    }
    for (uint32_t step = 1; step < d->steps; step++)
        d->begin[step + 1] += d->begin[step];
    for (uint32_t i = 0; i < count; i++)
        d->order[d->begin[d->of[i]]++] = i;
    memmove(d->begin + 1, d->begin, d->steps * sizeof *d->begin);
    d->begin[0] = 0;
    return true;
}

uint32_t kalah_kernel_steps(const kalah_kernel *k, unsigned seeds, unsigned outer)
{
    (void)seeds;
    return outer > 0 ? k->outer[outer].steps : 0;
}

uint32_t kalah_kernel_pieces(const kalah_kernel *k, unsigned outer, uint32_t step)
{
    return k->outer[outer].begin[step + 1] - k->outer[outer].begin[step];
}

/* Even split. Of two arrangements the nearer one has the position where it moves and the other does; of two that are equally far, each
 * has the one where it moves. So what a row reads is complete in the steps before. */
static void piece_solve_even(row *r, uint8_t *part, size_t length, uint32_t rank, uint8_t *scratch)
{
    const uint16_t *of = r->k->outer[r->outer_seeds].of;
    r->out = scratch;
    memset(scratch, HOLOS_BYTE_UNKNOWN, length);
    row_outer(r);
    for (size_t y = 0; y < length; y++)
        if (of[y] >= of[rank])
            part[rank * length + y] = scratch[y];
    memset(scratch, HOLOS_BYTE_UNKNOWN, length);
    row_inner(r);
    for (size_t y = 0; y < length; y++)
        if (of[y] > of[rank])
            part[y * length + rank] = scratch[y];
}

void kalah_kernel_solve_pieces(const kalah_kernel *k, uint8_t *const *const *parts, unsigned seeds,
                               unsigned outer, uint32_t step, uint32_t first, uint32_t count,
                               struct limits *limits, uint8_t *scratch)
{
    row r = {.k = k, .parts = parts, .outer_seeds = outer, .inner_seeds = seeds - outer};
    r.inner = &k->inner[r.inner_seeds];
    uint8_t *part = parts[seeds][outer];
    size_t length = arrange_count(&k->a, r.inner_seeds);
    const uint32_t *ranks = k->outer[outer].order + k->outer[outer].begin[step] + first;
    for (uint32_t i = 0; i < count && limits_may_count(limits); i++) {
        arrange_unrank(&k->a, ranks[i], outer, r.x);
        if (2 * outer == seeds) {
            limits->nodes += length;
            piece_solve_even(&r, part, length, ranks[i], scratch);
            continue;
        }
        limits->nodes += 2 * length;
        r.out = part + ranks[i] * 2 * length;
        row_outer(&r);
        r.out += length;
        row_inner(&r);
    }
}

/* ---- The kernel -------------------------------------------------------------------------------- */

/* Lists are for fewer seeds than this. Where the inner side has all of them the game is over, unless it may go on with an empty side: a fifth of the lists of
 * kalah:6,4 up to 24 seeds would be of no use. */
static unsigned inner_end(const kalah_rules *rules, unsigned top)
{
    return rules->mover_end ? top + 1 : top;
}

/* The outer side never has more seeds than the inner one. */
static unsigned outer_most(unsigned top, unsigned inner)
{
    return top - inner < inner ? top - inner : inner;
}

holos_status kalah_kernel_open(const kalah_rules *rules, unsigned top, mem_budget *budget, kalah_kernel **out,
                               holos_error *err)
{
    kalah_kernel *k = calloc(1, sizeof *k);
    *out = NULL;
    if (k == NULL)
        return error_system(err, "the kalah kernel");
    arrange_init(&k->a, rules->pits, top);
    assert(k->a.seeds == top && !rules->majority_stop);
    k->rules = *rules;
    k->top = top;
    k->budget = budget;
    k->sowings = calloc((size_t)rules->pits * (top + 1), sizeof *k->sowings);
    k->inner = calloc(top + 1, sizeof *k->inner);
    k->outer = calloc(top / 2 + 1, sizeof *k->outer);
    if (k->sowings == NULL || k->inner == NULL || k->outer == NULL) {
        kalah_kernel_close(k);
        return error_system(err, "the kalah kernel");
    }
    for (unsigned pit = 0; pit < rules->pits; pit++)
        for (unsigned n = 0; n <= top; n++)
            sowing_make(rules->pits, pit, n, &k->sowings[pit * (top + 1) + n]);
    for (unsigned seeds = 0; seeds < inner_end(rules, top); seeds++) {
        holos_status status =
            inner_side_init(&k->inner[seeds], &k->a, seeds, outer_most(top, seeds), budget, err);
        if (status != HOLOS_OK) {
            kalah_kernel_close(k);
            return status;
        }
    }
    for (unsigned seeds = 0; seeds <= top / 2; seeds++)
        if (!distances_init(&k->outer[seeds], &k->a, seeds, budget)) {
            size_t size = distances_size(&k->a, seeds);
            kalah_kernel_close(k);
            return mem_error(err, budget, size, "the kalah kernel");
        }
    *out = k;
    return HOLOS_OK;
}

void kalah_kernel_close(kalah_kernel *k)
{
    if (k == NULL)
        return;
    for (unsigned seeds = 0; k->inner != NULL && seeds < inner_end(&k->rules, k->top); seeds++)
        inner_side_free(&k->inner[seeds], k->budget);
    for (unsigned seeds = 0; k->outer != NULL && seeds <= k->top / 2; seeds++)
        if (k->outer[seeds].order != NULL)
            mem_free(k->budget, k->outer[seeds].order, distances_size(&k->a, seeds));
    free(k->inner);
    free(k->outer);
    free(k->sowings);
    free(k);
}

size_t kalah_kernel_memory(const kalah_rules *rules, unsigned top)
{
    arrange a;
    arrange_init(&a, rules->pits, top);
    size_t total = sizeof(kalah_kernel);
    for (unsigned seeds = 0; seeds < inner_end(rules, a.seeds); seeds++)
        total += inner_side_estimate(&a, seeds);
    for (unsigned seeds = 0; seeds <= a.seeds / 2; seeds++)
        total += distances_size(&a, seeds);
    return total;
}

size_t kalah_kernel_scratch(unsigned pits, unsigned top)
{
    arrange a;
    arrange_init(&a, pits, top);
    return rows_room(&a) + columns_size(column_most(&a));
}
