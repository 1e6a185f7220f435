/* SPDX-License-Identifier: MIT */

/* The body of search.h, for whatever processor the including file is compiled for. RV(name) is a function's name.
 *
 * Null windows throughout: a result r >= beta means that the value is at least r, one below it that the value is at most r. The last
 * four empty cells are written out; up to SHALLOW empty cells moves are tried in the order of parity; above, what
 * is remembered, discs that can never be turned, and moves in order of what they leave the other side and of what they look worth. */

#include "core/clock.h"
#include "games/reversi/search.h"
#include "games/reversi/stable.h"

#define SHALLOW   6    /* empty cells: up to here nothing is remembered or sorted */
#define LOOK      8    /* from here on children are looked up before any is searched */
#define SETTLED   7    /* from here on stable discs are counted */
#define CHUNK     4096 /* nodes between looks at the limits */
#define EVALUATED 12   /* from here on the evaluation takes part in the order of moves */
#define SHARED    12   /* empty cells: from here on threads keep out of each other's way */

#define MOST_MOVES 64

/* ---- The last cells ---------------------------------------------------------------------------- */

static inline int full_score(const reversi_search *s, uint64_t mine)
{
    return 2 * (int)reversi_count(mine) - s->count;
}

/* What a move turns, for one that may not be legal: most that are not have nothing of theirs around. */
static inline uint64_t turned_at(const reversi_search *s, reversi_board b, unsigned x)
{
    return (s->rays.around[x] & b.theirs) != 0 ? reversi_turned(&s->rays, b, x) : 0;
}

static inline int last_one(const reversi_search *s, reversi_board b, unsigned x)
{
    int turned = (int)reversi_turned_last(&s->rays, b.mine, x);
    int score = full_score(s, b.mine); /* as if the cell were theirs */
    if (turned != 0)
        return score + 2 * turned + 2;
    turned = (int)reversi_turned_last(&s->rays, b.theirs, x);
    if (turned != 0)
        return score - 2 * turned;
    return score >= 0 ? score + 2 : score; /* the winner's; at 0 it is one disc more for the mover */
}

static int last_two(reversi_search *s, reversi_board b, int beta, unsigned x1, unsigned x2)
{
    int best = INT32_MIN;
    s->nodes++;
    for (int pass = 0; pass < 2; pass++) {
        uint64_t turned = turned_at(s, b, x1);
        if (turned != 0) {
            best = -last_one(s, reversi_after(b, x1, turned), x2);
            if (best >= beta)
                return pass == 0 ? best : -best;
        }
        turned = turned_at(s, b, x2);
        if (turned != 0) {
            int score = -last_one(s, reversi_after(b, x2, turned), x1);
            best = score > best ? score : best;
        }
        if (best != INT32_MIN)
            return pass == 0 ? best : -best;
        b = reversi_pass(b);
        beta = 1 - beta;
    }
    return reversi_final(b, s->cells);
}

static int last_three(reversi_search *s, reversi_board b, int beta, unsigned x1, unsigned x2, unsigned x3)
{
    int best = INT32_MIN;
    s->nodes++;
    for (int pass = 0; pass < 2; pass++) {
        uint64_t turned = turned_at(s, b, x1);
        if (turned != 0) {
            best = -last_two(s, reversi_after(b, x1, turned), 1 - beta, x2, x3);
            if (best >= beta)
                return pass == 0 ? best : -best;
        }
        turned = turned_at(s, b, x2);
        if (turned != 0) {
            int score = -last_two(s, reversi_after(b, x2, turned), 1 - beta, x1, x3);
            best = score > best ? score : best;
            if (best >= beta)
                return pass == 0 ? best : -best;
        }
        turned = turned_at(s, b, x3);
        if (turned != 0) {
            int score = -last_two(s, reversi_after(b, x3, turned), 1 - beta, x1, x2);
            best = score > best ? score : best;
        }
        if (best != INT32_MIN)
            return pass == 0 ? best : -best;
        b = reversi_pass(b);
        beta = 1 - beta;
    }
    return reversi_final(b, s->cells);
}

/* Four cells, those of odd quadrants first; among the other three the same again. */
static int last_four(reversi_search *s, reversi_board b, int beta, unsigned parity)
{
    uint64_t empty = s->cells & ~(b.mine | b.theirs), odd = empty & s->odd[parity];
    unsigned x[4], count = 0;
    int best = INT32_MIN;
    for (uint64_t left = odd; left != 0; left &= left - 1)
        x[count++] = reversi_first(left);
    for (uint64_t left = empty & ~odd; left != 0; left &= left - 1)
        x[count++] = reversi_first(left);
    s->nodes++;
    for (int pass = 0; pass < 2; pass++) {
        for (unsigned i = 0; i < 4; i++) {
            uint64_t turned = turned_at(s, b, x[i]);
            if (turned == 0)
                continue;
            unsigned y[3] = {0}, k = 0;
            for (unsigned j = 0; j < 4; j++)
                if (j != i)
                    y[k++] = x[j];
            /* A cell that is left alone in its quadrant goes first. */
            unsigned left = parity ^ s->quadrant[x[i]];
            if ((left & s->quadrant[y[0]]) == 0) {
                unsigned first = (left & s->quadrant[y[1]]) != 0   ? 1
                                 : (left & s->quadrant[y[2]]) != 0 ? 2
                                                                   : 0;
                unsigned swap = y[0];
                y[0] = y[first];
                y[first] = swap;
            }
            int score = -last_three(s, reversi_after(b, x[i], turned), 1 - beta, y[0], y[1], y[2]);
            best = score > best ? score : best;
            if (best >= beta)
                return pass == 0 ? best : -best;
        }
        if (best != INT32_MIN)
            return pass == 0 ? best : -best;
        b = reversi_pass(b);
        beta = 1 - beta;
    }
    return reversi_final(b, s->cells);
}

/* ---- Few cells --------------------------------------------------------------------------------- */

static int few(reversi_search *s, reversi_board b, int beta, unsigned empties, unsigned parity)
{
    if (empties == 4)
        return last_four(s, b, beta, parity);
    uint64_t moves = reversi_moves_fast(b, s->cells);
    s->nodes++;
    if (moves == 0) {
        if (reversi_moves_fast(reversi_pass(b), s->cells) == 0)
            return reversi_final(b, s->cells);
        return -few(s, reversi_pass(b), 1 - beta, empties, parity);
    }
    int best = INT32_MIN;
    uint64_t first = moves & s->odd[parity];
    for (int round = 0; round < 2; round++, first = moves & ~s->odd[parity])
        for (uint64_t left = first; left != 0; left &= left - 1) {
            unsigned cell = reversi_first(left);
            uint64_t turned = reversi_turned(&s->rays, b, cell);
            int score =
                -few(s, reversi_after(b, cell, turned), 1 - beta, empties - 1, parity ^ s->quadrant[cell]);
            best = score > best ? score : best;
            if (best >= beta)
                return best;
        }
    return best;
}

/* Fewer than four cells, or a whole board: only at the root. */
static int tiny(reversi_search *s, reversi_board b, int beta)
{
    uint64_t moves = reversi_moves_fast(b, s->cells);
    s->nodes++;
    if (moves == 0)
        return reversi_is_over(b, s->cells) ? reversi_final(b, s->cells)
                                            : -tiny(s, reversi_pass(b), 1 - beta);
    int best = INT32_MIN;
    for (; moves != 0 && best < beta; moves &= moves - 1) {
        unsigned cell = reversi_first(moves);
        int score = -tiny(s, reversi_after(b, cell, reversi_turned(&s->rays, b, cell)), 1 - beta);
        best = score > best ? score : best;
    }
    return best;
}

/* ---- Guesses ----------------------------------------------------------------------------------- */

static int guess_now(const reversi_search *s, reversi_board b, unsigned empties, uint64_t moves,
                     uint64_t theirs)
{
    return evaluation_guess(s->evaluation, b, empties, reversi_count(moves), reversi_count(theirs));
}

/* The moves of a position, those that leave the other side few first: sorting by the evaluation takes twice as long, and finds
 * nothing sooner. */
static unsigned replies_sort(const reversi_search *s, reversi_board b, uint64_t moves, reversi_board *out)
{
    unsigned count = 0, left[MOST_MOVES];
    for (; moves != 0; moves &= moves - 1, count++) {
        unsigned cell = reversi_first(moves), i = count;
        reversi_board next = reversi_after(b, cell, reversi_turned(&s->rays, b, cell));
        uint64_t theirs = reversi_moves_fast(next, s->cells);
        unsigned order = reversi_count(theirs) + reversi_count(theirs & s->corners);
        for (; i > 0 && left[i - 1] > order; i--) {
            left[i] = left[i - 1];
            out[i] = out[i - 1];
        }
        left[i] = order;
        out[i] = next;
    }
    return count;
}

/* Fail-soft between alpha and beta, in units of the evaluation. */
static int guess(const reversi_search *s, reversi_board b, int alpha, int beta, unsigned empties,
                 unsigned depth)
{
    uint64_t moves = reversi_moves_fast(b, s->cells);
    if (moves == 0 || depth == 0) {
        uint64_t theirs = reversi_moves_fast(reversi_pass(b), s->cells);
        if (moves == 0 && theirs == 0)
            return EVALUATION_UNIT * reversi_final(b, s->cells);
        return moves == 0 ? -guess(s, reversi_pass(b), -beta, -alpha, empties, depth)
                          : guess_now(s, b, empties, moves, theirs);
    }
    reversi_board next[MOST_MOVES];
    unsigned count = 0;
    if (depth > 1)
        count = replies_sort(s, b, moves, next);
    else
        for (; moves != 0; moves &= moves - 1) {
            unsigned cell = reversi_first(moves);
            next[count++] = reversi_after(b, cell, reversi_turned(&s->rays, b, cell));
        }
    int best = INT32_MIN;
    for (unsigned i = 0; i < count && best < beta; i++) {
        int score = -guess(s, next[i], -beta, best > alpha ? -best : -alpha, empties - 1, depth - 1);
        best = score > best ? score : best;
    }
    return best;
}

int RV(guess)(const reversi_search *s, reversi_board b, unsigned depth)
{
    unsigned empties = reversi_count(s->cells & ~(b.mine | b.theirs));
    return guess(s, b, -INT32_MAX, INT32_MAX, empties, depth);
}

/* ---- Many cells -------------------------------------------------------------------------------- */

typedef struct move_entry {
    reversi_board next;
    int order;
    uint8_t cell;
} move_entry;

static bool may_go_on(reversi_search *s)
{
    if (s->nodes >= CHUNK) {
        s->limits->nodes += s->nodes;
        progress_add(s->progress, s->nodes);
        s->nodes = 0;
        s->stopped = s->stopped || !limits_check(s->limits) ||
                     (s->abandon != NULL && atomic_load_explicit(s->abandon, memory_order_relaxed));
    }
    return !s->stopped;
}

/* Plies of search behind the evaluation of a move. For FFO 40 to 44, 97 M nodes, against 220 M without any evaluation and with questions
 * by halving; from 10 empty cells on instead of 12, or deeper, no fewer nodes, and more time. */
static unsigned guess_depth(unsigned empties)
{
    return empties >= 26 ? 3 : empties >= 21 ? 2 : empties >= 16 ? 1 : 0;
}

static int order_of(const reversi_search *s, const move_entry *m, unsigned empties, unsigned parity)
{
    uint64_t moves = reversi_moves_fast(m->next, s->cells);
    uint64_t around =
        m->next.theirs; /* the mover's discs: what is empty beside them may become a move of the other's */
    uint64_t wide = around & REVERSI_INNER;
    uint64_t beside =
        around << 8 | around >> 8 | wide << 1 | wide >> 1 | wide << 7 | wide >> 7 | wide << 9 | wide >> 9;
    beside &= s->cells & ~(m->next.mine | m->next.theirs);
    int mobility = (int)(reversi_count(moves) + reversi_count(moves & s->corners));
    int order = -16 * mobility - 3 * (int)reversi_count(beside);
    if ((s->corners >> m->cell & 1) != 0)
        order += 24;
    if ((parity & s->quadrant[m->cell]) != 0)
        order += empties < 12 ? 8 : 4;
    if (s->evaluation != NULL && empties >= EVALUATED) /* a disc counts as much as a move */
        order -= guess(s, m->next, -INT32_MAX, INT32_MAX, empties - 1, guess_depth(empties));
    return order;
}

static unsigned moves_make(const reversi_search *s, reversi_board b, uint64_t moves, unsigned empties,
                           unsigned parity, unsigned known, move_entry *out)
{
    unsigned count = 0;
    for (; moves != 0; moves &= moves - 1, count++) {
        unsigned cell = reversi_first(moves);
        move_entry m = {.cell = (uint8_t)cell};
        m.next = reversi_after(b, cell, reversi_turned(&s->rays, b, cell));
        m.order = cell == known      ? INT32_MAX
                  : m.next.mine == 0 ? INT32_MAX - 1
                                     : order_of(s, &m, empties, parity);
        if (empties > LOOK)
            memo_prefetch(s->memo, m.next);
        unsigned i = count;
        for (; i > 0 && out[i - 1].order < m.order; i--)
            out[i] = out[i - 1];
        out[i] = m;
    }
    return count;
}

/* The most that what is remembered of the children says: enough for beta, or INT32_MIN. */
static int children_look(const reversi_search *s, const move_entry *moves, unsigned count, int beta,
                         unsigned empties)
{
    memo_value v;
    unsigned image;
    for (unsigned i = 0; i < count; i++)
        if (memo_find(s->memo, reversi_remembered_as(s, moves[i].next, empties - 1, &image), &v) &&
            -v.hi >= beta)
            return -v.hi;
    return INT32_MIN;
}

/* A move that is remembered of an image, on the board itself. */
static unsigned move_behind(const reversi_search *s, uint64_t moves, unsigned move, unsigned image)
{
    for (; moves != 0 && image != 0; moves &= moves - 1) {
        reversi_board one = {.mine = moves & -moves};
        if (reversi_image(one, image, s->size).mine == UINT64_C(1) << move)
            return reversi_first(moves);
    }
    return move;
}

/* The same the other way. */
static unsigned move_ahead(const reversi_search *s, unsigned move, unsigned image)
{
    return reversi_first(reversi_image((reversi_board){.mine = UINT64_C(1) << move}, image, s->size).mine);
}

static uint8_t cost_of(uint64_t nodes)
{
    return (uint8_t)(64 - __builtin_clzll(nodes | 1));
}

static int many(reversi_search *s, reversi_board b, int beta, unsigned empties, unsigned parity);

/* Searches a child; *later: somebody else is at it, and it comes last. */
static int child_search(reversi_search *s, const move_entry *m, int beta, unsigned empties, unsigned parity,
                        bool *later)
{
    parity ^= s->quadrant[m->cell];
    if (s->busy == NULL || empties < SHARED)
        return -many(s, m->next, 1 - beta, empties - 1, parity);
    uint64_t mark = memo_hash(m->next) | 1;
    _Atomic uint64_t *slot = &s->busy[mark % REVERSI_BUSY];
    if (*later && atomic_load_explicit(slot, memory_order_relaxed) == mark)
        return 0;
    *later = false;
    atomic_store_explicit(slot, mark, memory_order_relaxed);
    int score = -many(s, m->next, 1 - beta, empties - 1, parity);
    atomic_store_explicit(slot, 0, memory_order_relaxed);
    return score;
}

/* The best of the moves, until one is worth beta. */
static int moves_search(reversi_search *s, const move_entry *list, unsigned count, int beta, unsigned empties,
                        unsigned parity, uint8_t *move)
{
    int best = INT32_MIN;
    unsigned left[MOST_MOVES], waiting = 0;
    for (unsigned i = 0; i < count + waiting && best < beta; i++) {
        const move_entry *m = &list[i < count ? i : left[i - count]];
        bool later = i > 0 && i < count;
        int score = child_search(s, m, beta, empties, parity, &later);
        if (s->stopped)
            return 0;
        if (later && s->busy != NULL && empties >= SHARED) {
            left[waiting++] = i;
            continue;
        }
        if (score > best) {
            best = score;
            *move = m->cell;
        }
    }
    return best;
}

static int many(reversi_search *s, reversi_board b, int beta, unsigned empties, unsigned parity)
{
    if (empties <= SHALLOW)
        return few(s, b, beta, empties, parity);
    s->nodes++;
    if (!may_go_on(s))
        return 0;
    uint64_t moves = reversi_moves_fast(b, s->cells);
    if (moves == 0) {
        if (reversi_moves_fast(reversi_pass(b), s->cells) == 0)
            return reversi_final(b, s->cells);
        return -many(s, reversi_pass(b), 1 - beta, empties, parity);
    }
    int lo = -s->count, hi = s->count;
    if (empties >= SETTLED && s->count == 64 && beta > s->count - 2 * (int)reversi_count(b.theirs)) {
        hi = s->count - 2 * (int)reversi_count(reversi_stable(b.theirs, b.mine));
        if (hi < beta)
            return hi;
    }
    unsigned image;
    reversi_board as = reversi_remembered_as(s, b, empties, &image);
    memo_value known = {.lo = (int8_t)lo, .hi = (int8_t)s->count, .move = REVERSI_PASS};
    if (memo_find(s->memo, as, &known)) {
        if (known.lo >= beta)
            return known.lo;
        if (known.hi < beta)
            return known.hi;
    }
    move_entry list[MOST_MOVES];
    uint64_t before = s->limits->nodes + s->nodes;
    if (image != 0 && known.move != REVERSI_PASS)
        known.move = (uint8_t)move_behind(s, moves, known.move, image);
    unsigned count = moves_make(s, b, moves, empties, parity, known.move, list);
    int best = empties > LOOK ? children_look(s, list, count, beta, empties) : INT32_MIN;
    uint8_t move = known.move;
    if (best < beta)
        best = moves_search(s, list, count, beta, empties, parity, &move);
    if (s->stopped)
        return 0;
    hi = hi < known.hi ? hi : known.hi;
    memo_value v = {.lo = (int8_t)(best >= beta && best > known.lo ? best : known.lo),
                    .hi = (int8_t)(best < beta && best < hi ? best : hi),
                    .move = (uint8_t)(image == 0 || move == REVERSI_PASS ? move : move_ahead(s, move, image)),
                    .cost = cost_of(s->limits->nodes + s->nodes - before)};
    memo_store(s->memo, as, v);
    return best;
}

int RV(search)(reversi_search *s, reversi_board b, int beta)
{
    uint64_t empty = s->cells & ~(b.mine | b.theirs);
    unsigned empties = reversi_count(empty), parity = 0;
    for (; empty != 0; empty &= empty - 1)
        parity ^= s->quadrant[reversi_first(empty)];
    s->stopped = !limits_check(s->limits);
    int result = 0;
    if (!s->stopped)
        result = empties < 4 ? tiny(s, b, beta) : many(s, b, beta, empties, parity);
    s->limits->nodes += s->nodes;
    progress_add(s->progress, s->nodes);
    s->nodes = 0;
    return result;
}

/* ---- Perft ------------------------------------------------------------------------------------- */

uint64_t RV(perft)(const reversi_rays *rays, reversi_board b, uint64_t cells, unsigned depth)
{
    uint64_t moves = reversi_moves_fast(b, cells), sum = 0;
    if (depth == 0)
        return 1;
    if (moves == 0)
        return depth == 1 || reversi_moves_fast(reversi_pass(b), cells) == 0
                   ? 1
                   : RV(perft)(rays, reversi_pass(b), cells, depth - 1);
    if (depth == 1)
        return reversi_count(moves);
    for (; moves != 0; moves &= moves - 1) {
        unsigned cell = reversi_first(moves);
        reversi_board next = reversi_after(b, cell, reversi_turned(rays, b, cell));
        if (depth > 2) {
            sum += RV(perft)(rays, next, cells, depth - 1);
            continue;
        }
        uint64_t after = reversi_moves_fast(next, cells);
        sum += after != 0 ? reversi_count(after) : 1;
    }
    return sum;
}
