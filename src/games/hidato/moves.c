/* SPDX-License-Identifier: MIT */

/* Hidato as a game for one: a move writes a number next to the one before it or the one after it. On a board without
 * any number the first move is a 1, anywhere. A full board is worth 1. The game is lost, 0, as soon as a number next to
 * a written one has no place left, or two numbers that follow each other are not neighbours. */

#include "core/hash.h"
#include "games/hidato/hidato.h"

#include <string.h>

enum { NOWHERE = 0xFFFF };

/* Where the numbers stand. */
typedef struct view {
    const hidato_board *board;
    hidato_kind kind;
    uint16_t where[HIDATO_PLACES + 2]; /* the place of each number; 0 and cells + 1 are nowhere */
    bool stuck;
} view;

/* The places that a number may be written to: it is missing, and the number before it or after it is not. */
typedef struct choices {
    unsigned count;
    uint16_t places[HIDATO_DEGREE];
} choices;

static bool is_open(const view *w, unsigned number)
{
    return w->where[number] == NOWHERE &&
           (w->where[number - 1] != NOWHERE || w->where[number + 1] != NOWHERE);
}

static bool places_touch(const hidato_board *b, hidato_kind kind, unsigned a, unsigned c)
{
    return hidato_distance(b, kind, a, c) == 1;
}

static void choices_find(const view *w, unsigned number, choices *out)
{
    unsigned before = w->where[number - 1], after = w->where[number + 1];
    unsigned anchor = before != NOWHERE ? before : after, other = before != NOWHERE ? after : NOWHERE;
    uint16_t near[HIDATO_DEGREE];
    unsigned degree = hidato_neighbours(w->board, w->kind, anchor, near);
    out->count = 0;
    for (unsigned i = 0; i < degree; i++)
        if (w->board->numbers[near[i]] == 0 &&
            (other == NOWHERE || places_touch(w->board, w->kind, near[i], other)))
            out->places[out->count++] = near[i];
}

static void view_init(const holos_variant *v, const holos_position *p, view *out)
{
    const hidato_board *b = hidato_board_of(p);
    out->board = b;
    out->kind = hidato_kind_of(v);
    out->stuck = false;
    memset(out->where, 0xFF, (b->cells + 2u) * sizeof *out->where);
    for (unsigned place = 0; place < (unsigned)b->rows * b->columns; place++)
        if (hidato_is_number(b->numbers[place]))
            out->where[b->numbers[place]] = (uint16_t)place;
}

static void view_make(const holos_variant *v, const holos_position *p, view *out)
{
    choices c;
    view_init(v, p, out);
    for (unsigned number = 1; number <= out->board->cells && !out->stuck; number++) {
        unsigned here = out->where[number], next = out->where[number + 1];
        if (here != NOWHERE && next != NOWHERE)
            out->stuck = !places_touch(out->board, out->kind, here, next);
        if (is_open(out, number)) {
            choices_find(out, number, &c);
            out->stuck = out->stuck || c.count == 0;
        }
    }
}

/* ---- Edges ------------------------------------------------------------------------------------- */

/* Givens make no difference to what can still be written. */
holos_key hidato_key(const holos_variant *v, const holos_position *p)
{
    const hidato_board *b = hidato_board_of(p);
    (void)v;
    return hash_bytes(p, offsetof(hidato_board, numbers) + 2u * b->rows * b->columns);
}

/* The fewer choices a number has, the better a move looks. */
static holos_edge edge_make(unsigned place, unsigned number, unsigned count)
{
    unsigned flags = HOLOS_EDGE_SAME_SIDE | (count == 1 ? HOLOS_EDGE_FORCING : 0);
    return (holos_edge){.move = hidato_move(place, number),
                        .order = (int16_t)(count < HIDATO_DEGREE ? HIDATO_DEGREE - (int)count : 0),
                        .flags = (uint8_t)flags};
}

/* The edge and the position that a move gives. */
static void edges_add(const holos_variant *v, const view *w, holos_edges out, uint32_t index, unsigned place,
                      unsigned number, unsigned count)
{
    hidato_board child;
    if (out.positions != NULL || out.keys != NULL) {
        child = *w->board;
        hidato_board_write(&child, place, number);
    }
    edges_put(v, out, index, edge_make(place, number, count), (const holos_position *)&child);
}

static uint32_t expand_number(const holos_variant *v, const view *w, unsigned number, holos_edges out,
                              uint32_t index)
{
    choices c;
    choices_find(w, number, &c);
    for (unsigned i = 0; i < c.count; i++)
        edges_add(v, w, out, index + i, c.places[i], number, c.count);
    return index + c.count;
}

static uint32_t expand_bare(const holos_variant *v, const view *w, holos_edges out)
{
    uint32_t count = 0;
    for (unsigned place = 0; place < (unsigned)w->board->rows * w->board->columns; place++)
        if (w->board->numbers[place] == 0)
            edges_add(v, w, out, count++, place, 1, w->board->cells);
    return count;
}

uint32_t hidato_expand(const holos_variant *v, const holos_position *p, holos_edges out)
{
    view w;
    uint32_t count = 0;
    view_make(v, p, &w);
    if (w.board->filled == 0)
        return expand_bare(v, &w, out);
    for (unsigned number = 1; number <= w.board->cells && !w.stuck; number++)
        if (is_open(&w, number))
            count = expand_number(v, &w, number, out, count);
    return count;
}

/* Any one number will do, since it has to stand somewhere: the one with the fewest places. */
uint32_t hidato_search_expand(const holos_variant *v, const holos_position *p, holos_edges out)
{
    view w;
    unsigned best = 0, fewest = HIDATO_DEGREE + 1;
    choices c;
    view_make(v, p, &w);
    if (w.board->filled == 0)
        return expand_bare(v, &w, out);
    for (unsigned number = 1; number <= w.board->cells && !w.stuck; number++) {
        if (!is_open(&w, number))
            continue;
        choices_find(&w, number, &c);
        if (c.count < fewest) {
            fewest = c.count;
            best = number;
        }
    }
    return best != 0 ? expand_number(v, &w, best, out, 0) : 0;
}

/* How many places a number has that may be written; 0 if it may not be written to this one. */
static unsigned choices_count(const view *w, unsigned number, unsigned place)
{
    choices c;
    if (w->board->filled == 0)
        return number == 1 && w->board->numbers[place] == 0 ? w->board->cells : 0;
    if (!is_open(w, number))
        return 0;
    choices_find(w, number, &c);
    for (unsigned i = 0; i < c.count; i++)
        if (c.places[i] == place)
            return c.count;
    return 0;
}

uint32_t hidato_predecessors(const holos_variant *v, const holos_position *p, holos_edges out)
{
    const hidato_board *b = hidato_board_of(p);
    hidato_board before = *b;
    const holos_position *position = (const holos_position *)&before;
    uint32_t count = 0;
    for (unsigned place = 0; place < (unsigned)b->rows * b->columns; place++) {
        unsigned number = b->numbers[place];
        if (!hidato_is_number((uint16_t)number) || hidato_is_given(b, place))
            continue;
        view w;
        hidato_board_write(&before, place, 0);
        view_make(v, position, &w);
        unsigned choice = w.stuck ? 0 : choices_count(&w, number, place);
        if (choice > 0)
            edges_put(v, out, count++, edge_make(place, number, choice), position);
        hidato_board_write(&before, place, number);
    }
    return count;
}

holos_edge hidato_play(const holos_variant *v, const holos_position *p, holos_move move, holos_position *out)
{
    unsigned place = hidato_move_place(move), number = hidato_move_number(move);
    view w;
    view_init(v, p, &w);
    holos_edge edge = edge_make(place, number, choices_count(&w, number, place));
    memmove(out, p, v->position_size);
    hidato_board_write(hidato_board_mutable(out), place, number);
    return edge;
}

bool hidato_terminal(const holos_variant *v, const holos_position *p, int32_t *score)
{
    view w;
    view_make(v, p, &w);
    bool full = w.board->filled == w.board->cells;
    *score = full && !w.stuck;
    return full || w.stuck;
}

holos_move hidato_toward(const holos_variant *v, const holos_position *p, const holos_position *solution)
{
    const hidato_board *b = hidato_board_of(p), *goal = hidato_board_of(solution);
    view w;
    view_init(v, p, &w);
    unsigned number = 1, place = 0;
    while (b->filled > 0 && !is_open(&w, number))
        number++;
    while (goal->numbers[place] != number)
        place++;
    return hidato_move(place, number);
}

static holos_status refuse(const hidato_board *b, unsigned place, unsigned number, const char *why,
                           holos_error *err)
{
    char name[16];
    hidato_place_names(b, place, name);
    return error_set(err, HOLOS_BAD_MOVE, 0, "%s=%u: %s", name, number, why);
}

holos_status hidato_check_move(const holos_variant *v, const holos_position *p, unsigned place,
                               unsigned number, holos_error *err)
{
    view w;
    view_make(v, p, &w);
    const hidato_board *b = w.board;
    if (b->numbers[place] != 0)
        return refuse(b, place, number, b->numbers[place] == HIDATO_HOLE ? "a hole" : "the cell is filled",
                      err);
    if (number < 1 || number > b->cells)
        return refuse(b, place, number, "this board has no such number", err);
    if (w.where[number] != NOWHERE)
        return refuse(b, place, number, "the number stands elsewhere", err);
    if (w.stuck)
        return refuse(b, place, number, "the board is lost: a number has no place left", err);
    if (b->filled == 0 && number != 1)
        return refuse(b, place, number, "an empty board begins with a 1", err);
    if (b->filled > 0 && !is_open(&w, number))
        return refuse(b, place, number, "a number is written next to the one before it or after it", err);
    if (choices_count(&w, number, place) == 0)
        return refuse(b, place, number, "not next to the number before it and the one after it", err);
    return HOLOS_OK;
}

/* ---- Search and waves -------------------------------------------------------------------------- */

/* Two written numbers, with none between them, must not be too far apart. */
static bool is_too_far(const view *w)
{
    unsigned last = 0;
    for (unsigned number = 1; number <= w->board->cells; number++) {
        if (w->where[number] == NOWHERE)
            continue;
        if (last != 0 && hidato_distance(w->board, w->kind, w->where[last], w->where[number]) > number - last)
            return true;
        last = number;
    }
    return false;
}

void hidato_bounds(const holos_variant *v, const holos_position *p, int32_t *lo, int32_t *hi)
{
    view w;
    view_make(v, p, &w);
    int32_t least = w.board->filled == w.board->cells && !w.stuck, most = !w.stuck && !is_too_far(&w);
    *lo = *lo < least ? least : *lo;
    *hi = *hi > most ? most : *hi;
}

/* How many numbers are missing, and how many of those at an end of a gap have one, two, three and more places. */
uint64_t hidato_features(const holos_variant *v, const holos_position *p)
{
    view w;
    choices c;
    unsigned counts[5] = {0};
    view_make(v, p, &w);
    for (unsigned number = 1; number <= w.board->cells; number++) {
        if (!is_open(&w, number))
            continue;
        choices_find(&w, number, &c);
        counts[c.count < 4 ? c.count : 4]++;
    }
    uint64_t features = (uint64_t)(w.board->cells - w.board->filled) << 1 | w.stuck;
    for (unsigned i = 1; i < 5; i++)
        features = features << 11 | counts[i];
    return features;
}

void hidato_signature(const holos_variant *v, const holos_position *p, text *out)
{
    view w;
    view_make(v, p, &w);
    if (w.board->filled == w.board->cells)
        text_string(out, w.stuck ? "stuck" : "solved");
    else if (w.stuck)
        text_string(out, "stuck");
    else
        text_printf(out, "empty-%u", w.board->cells - w.board->filled);
}
