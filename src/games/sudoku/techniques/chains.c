/* SPDX-License-Identifier: MIT */

/* Chains in which each link follows from the one before: colours, X-chains, XY-chains. */

#include "games/sudoku/techniques/finder.h"

#include <string.h>

/* The other place of a digit in a house that has two, one of them `cell`; false if the house has not. */
static bool conjugate(const finder *f, unsigned house, unsigned digit, unsigned cell, unsigned *other)
{
    cellset places = finder_places(f, house, digit);
    cellset_remove(&places, cell);
    if (cellset_few(places) != 1)
        return false;
    *other = cellset_first(&places);
    return true;
}

/* ---- Colours ----------------------------------------------------------------------------------- */

/* The cells that hang together with `start` by conjugate pairs, in two colours. */
static void colour(const finder *f, unsigned digit, unsigned start, cellset colours[2])
{
    unsigned queue[SHAPE_CELLS], count = 0, side[SHAPE_CELLS];
    memset(colours, 0, 2 * sizeof *colours);
    cellset_add(&colours[0], start);
    side[start] = 0;
    queue[count++] = start;
    for (unsigned i = 0; i < count; i++) {
        unsigned cell = queue[i], other;
        for (uint64_t houses = f->shape->houses_of[cell]; houses != 0; houses &= houses - 1) {
            if (!conjugate(f, (unsigned)__builtin_ctzll(houses), digit, cell, &other) ||
                cellset_has(&colours[0], other) || cellset_has(&colours[1], other))
                continue;
            side[other] = 1 - side[cell];
            cellset_add(&colours[side[other]], other);
            queue[count++] = other;
        }
    }
}

static void colour_say(const finder *f, unsigned digit, const cellset colours[2])
{
    for (unsigned side = 0; side < 2; side++)
        CELLSET_EACH(cell, colours[side])
    finder_mark(f, cell, digit, side == 0 ? HOLOS_ROLE_PATTERN : HOLOS_ROLE_OTHER);
    finder_say(f, "Pairs of places link the %ds: either all of %C hold %d, or all of %C. ", digit,
               &colours[0], digit, &colours[1]);
}

/* Two cells of one colour that see each other: that colour is false. */
static bool colour_wraps(const finder *f, unsigned digit, const cellset colours[2])
{
    for (unsigned side = 0; side < 2; side++) {
        CELLSET_EACH(cell, colours[side])
        {
            cellset seen = cellset_and(colours[side], f->shape->peers[cell]);
            if (cellset_is_empty(seen))
                continue;
            finder_drop_all(f, colours[side], digit);
            colour_say(f, digit, colours);
            finder_say(f, "But %c and %c see each other, so it is not the ones with them: %e.", cell,
                       cellset_first(&seen));
            return true;
        }
    }
    return false;
}

/* A cell that sees both colours sees the digit, whichever is true. */
static bool colour_traps(const finder *f, unsigned digit, const cellset colours[2])
{
    cellset seen[2] = {{{0}}, {{0}}};
    for (unsigned side = 0; side < 2; side++)
        CELLSET_EACH(cell, colours[side])
    seen[side] = cellset_or(seen[side], f->shape->peers[cell]);
    cellset trapped = cellset_and(seen[0], seen[1]);
    finder_drop_all(f, cellset_minus(cellset_minus(trapped, colours[0]), colours[1]), digit);
    if (!step_found(f->step))
        return false;
    colour_say(f, digit, colours);
    finder_say(f, "What sees one of each sees a %d in any case: %e.", digit);
    return true;
}

bool find_colouring(const finder *f, unsigned size)
{
    (void)size;
    for (unsigned digit = 0; digit < f->shape->size; digit++) {
        cellset left = f->marks->places[digit];
        while (!cellset_is_empty(left)) {
            cellset colours[2];
            colour(f, digit, cellset_first(&left), colours);
            left = cellset_minus(cellset_minus(left, colours[0]), colours[1]);
            if (!cellset_is_empty(colours[1]) &&
                (colour_wraps(f, digit, colours) || colour_traps(f, digit, colours)))
                return true;
        }
    }
    return false;
}

/* ---- Chains ------------------------------------------------------------------------------------ */

#define NODES (2 * SHAPE_CELLS)

/* A search over nodes, each reached from one before it. What a node means is up to the kind of chain. */
typedef struct walk {
    uint16_t queue[NODES], before[NODES];
    bool reached[NODES];
    unsigned count;
} walk;

static void walk_reach(walk *w, unsigned node, unsigned from)
{
    if (w->reached[node])
        return;
    w->reached[node] = true;
    w->before[node] = (uint16_t)from;
    w->queue[w->count++] = (uint16_t)node;
}

/* The nodes from the start to `node`; returns how many. */
static unsigned walk_path(const walk *w, unsigned node, unsigned path[NODES])
{
    unsigned length = 1;
    for (unsigned at = node; w->before[at] != at; at = w->before[at])
        length++;
    for (unsigned i = length, at = node; i-- > 0; at = w->before[at])
        path[i] = at;
    return length;
}

static cellset seen_by_both(const finder *f, unsigned a, unsigned b)
{
    return cellset_and(f->shape->peers[a], f->shape->peers[b]);
}

/* ---- X-chains: node 2c says that cell c does not hold the digit, 2c + 1 that it does ----------- */

/* Supposes that `start` does not hold the digit. Returns the first cell that then does and sees something that
 * start sees, too; SHAPE_CELLS if there is none. */
static unsigned x_walk(const finder *f, unsigned digit, unsigned start, walk *w)
{
    memset(w->reached, 0, sizeof w->reached);
    w->count = 0;
    walk_reach(w, 2 * start, 2 * start);
    for (unsigned i = 0; i < w->count; i++) {
        unsigned node = w->queue[i], cell = node / 2, other;
        if (node % 2 == 0) {
            for (uint64_t houses = f->shape->houses_of[cell]; houses != 0; houses &= houses - 1)
                if (conjugate(f, (unsigned)__builtin_ctzll(houses), digit, cell, &other))
                    walk_reach(w, 2 * other + 1, node);
            continue;
        }
        if (cell != start &&
            !cellset_is_empty(cellset_and(seen_by_both(f, start, cell), f->marks->places[digit])))
            return cell;
        CELLSET_EACH(peer, cellset_and(f->shape->peers[cell], f->marks->places[digit]))
        walk_reach(w, 2 * peer, node);
    }
    return SHAPE_CELLS;
}

static void x_chain_say(const finder *f, unsigned digit, const unsigned path[NODES], unsigned length)
{
    finder_say(f, "If %c does not hold %d, then ", path[0] / 2, digit);
    for (unsigned i = 1; i < length; i++)
        finder_say(f, path[i] % 2 == 1 ? "%s%c does" : "%s%c does not", i == 1 ? "" : ", ", path[i] / 2);
    finder_say(f, ". So %c or %c holds %d, and %e.", path[0] / 2, path[length - 1] / 2, digit);
}

bool find_x_chain(const finder *f, unsigned size)
{
    (void)size;
    unsigned best[NODES], best_length = NODES, best_digit = 0, path[NODES];
    walk w;
    for (unsigned digit = 0; digit < f->shape->size; digit++) {
        CELLSET_EACH(start, f->marks->places[digit])
        {
            unsigned end = x_walk(f, digit, start, &w);
            unsigned length = end < SHAPE_CELLS ? walk_path(&w, 2 * end + 1, path) : NODES;
            if (length < best_length) {
                best_length = length;
                best_digit = digit;
                memcpy(best, path, length * sizeof *path);
            }
        }
    }
    if (best_length == NODES)
        return false;
    finder_drop_all(f, seen_by_both(f, best[0] / 2, best[best_length - 1] / 2), best_digit);
    for (unsigned i = 0; i < best_length; i++)
        finder_mark(f, best[i] / 2, best_digit, i % 2 == 0 ? HOLOS_ROLE_OTHER : HOLOS_ROLE_PATTERN);
    f->step->rating += step_length_rating(best_length);
    x_chain_say(f, best_digit, best, best_length);
    return true;
}

/* ---- XY-chains: node 2c says that cell c holds the lower of its two candidates, 2c + 1 the higher --- */

static unsigned xy_digit(const finder *f, unsigned node)
{
    unsigned pair = f->marks->candidates[node / 2];
    return (unsigned)__builtin_ctz(node % 2 == 0 ? pair : pair & (pair - 1));
}

/* Supposes that a cell holds the digit of node `start`. Returns the first node whose cell then holds the other digit
 * of the start and sees something that holds it, too; NODES if there is none. */
static unsigned xy_walk(const finder *f, cellset pairs, unsigned start, walk *w)
{
    unsigned wanted = xy_digit(f, start ^ 1u);
    memset(w->reached, 0, sizeof w->reached);
    w->count = 0;
    walk_reach(w, start, start);
    for (unsigned i = 0; i < w->count; i++) {
        unsigned node = w->queue[i], digit = xy_digit(f, node);
        if (i > 0 && digit == wanted &&
            !cellset_is_empty(cellset_and(seen_by_both(f, start / 2, node / 2), f->marks->places[wanted])))
            return node;
        CELLSET_EACH(peer,
                     cellset_and(cellset_and(f->shape->peers[node / 2], f->marks->places[digit]), pairs))
        walk_reach(w, xy_digit(f, 2 * peer) == digit ? 2 * peer + 1 : 2 * peer, node);
    }
    return NODES;
}

static void xy_chain_say(const finder *f, const unsigned path[NODES], unsigned length, unsigned digit)
{
    finder_say(f, "If %c does not hold %d, it holds %d", path[0] / 2, digit, xy_digit(f, path[0]));
    for (unsigned i = 1; i < length; i++)
        finder_say(f, ", %s%c %d", i == 1 ? "then " : "", path[i] / 2, xy_digit(f, path[i]));
    finder_say(f, ". So %c or %c holds %d, and %e.", path[0] / 2, path[length - 1] / 2, digit);
}

bool find_xy_chain(const finder *f, unsigned size)
{
    (void)size;
    unsigned best[NODES], best_length = NODES, path[NODES];
    cellset pairs = finder_pairs(f);
    walk w;
    CELLSET_EACH(cell, pairs)
    {
        for (unsigned start = 2 * cell; start <= 2 * cell + 1; start++) {
            unsigned end = xy_walk(f, pairs, start, &w);
            unsigned length = end < NODES ? walk_path(&w, end, path) : NODES;
            if (length < best_length) {
                best_length = length;
                memcpy(best, path, length * sizeof *path);
            }
        }
    }
    if (best_length == NODES)
        return false;
    unsigned digit = xy_digit(f, best[0] ^ 1u);
    finder_drop_all(f, seen_by_both(f, best[0] / 2, best[best_length - 1] / 2), digit);
    for (unsigned i = 0; i < best_length; i++) {
        finder_mark(f, best[i] / 2, xy_digit(f, best[i]), HOLOS_ROLE_PATTERN);
        finder_mark(f, best[i] / 2, xy_digit(f, best[i] ^ 1u), HOLOS_ROLE_OTHER);
    }
    f->step->rating += step_length_rating(2 * best_length);
    xy_chain_say(f, best, best_length, digit);
    return true;
}
