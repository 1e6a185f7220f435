/* SPDX-License-Identifier: MIT */

/* Boards without numbers: shapes, and holes in random places. */

#include "games/hidato/generate.h"
#include "games/hidato/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const hidato_symmetries[] = {"none", "rotate180", "rotate90", "mirror", "flip", "diagonal", NULL};
enum {
    SYMMETRY_NONE,
    SYMMETRY_HALF_TURN,
    SYMMETRY_QUARTER_TURN,
    SYMMETRY_MIRROR,
    SYMMETRY_FLIP,
    SYMMETRY_DIAGONAL
};

unsigned hidato_carry(unsigned symmetry, const hidato_board *b, unsigned place)
{
    unsigned row = place / b->columns, column = place % b->columns;
    unsigned last_row = b->rows - 1u, last_column = b->columns - 1u;
    switch (symmetry) {
    case SYMMETRY_HALF_TURN:
        return (last_row - row) * b->columns + last_column - column;
    case SYMMETRY_QUARTER_TURN:
        return column * b->columns + last_row - row;
    case SYMMETRY_MIRROR:
        return row * b->columns + last_column - column;
    case SYMMETRY_FLIP:
        return (last_row - row) * b->columns + column;
    case SYMMETRY_DIAGONAL:
        return column * b->columns + row;
    default:
        return place;
    }
}

/* ---- Shapes: x and y run from -1 to 1, to the middles of the outermost cells ------------------------- */

typedef bool shape_function(double x, double y);

static bool in_rectangle(double x, double y)
{
    (void)x;
    (void)y;
    return true;
}

static bool in_diamond(double x, double y)
{
    return fabs(x) + fabs(y) < 1.05;
}

static bool in_disc(double x, double y)
{
    return x * x + y * y < 1.25;
}

static bool in_ring(double x, double y)
{
    return fabs(x) > 0.4 || fabs(y) > 0.4;
}

static bool in_cross(double x, double y)
{
    return fabs(x) < 0.45 || fabs(y) < 0.45;
}

static bool in_heart(double x, double y)
{
    double u = 1.12 * x, w = 0.1 - 1.07 * y, round = u * u + w * w - 1;
    return round * round * round < u * u * w * w * w + 0.02;
}

/* On hex boards, whose x and y are axial; on squares it loses two corners. */
static bool in_hexagon(double x, double y)
{
    return fabs(x + y) < 1.01;
}

#define SHAPES(X) X(rectangle) X(diamond) X(disc) X(ring) X(cross) X(heart) X(hexagon)

#define SHAPE_NAME(name) #name,
const char *const hidato_shapes[] = {SHAPES(SHAPE_NAME) NULL};
#undef SHAPE_NAME

#define SHAPE_FUNCTION(name) in_##name,
static shape_function *const shape_functions[] = {SHAPES(SHAPE_FUNCTION)};
#undef SHAPE_FUNCTION

static void shape_draw(const hidato_plan *plan, hidato_board *b)
{
    hidato_board_init(b, plan->rows, plan->columns);
    double half_rows = (plan->rows - 1) / 2.0, half_columns = (plan->columns - 1) / 2.0;
    for (unsigned place = 0; place < plan->rows * plan->columns; place++) {
        unsigned row = place / plan->columns, column = place % plan->columns;
        double y = half_rows > 0 ? (row - half_rows) / half_rows : 0;
        double x = half_columns > 0 ? (column - half_columns) / half_columns : 0;
        b->numbers[place] = shape_functions[plan->shape](x, y) ? 0 : HIDATO_HOLE;
    }
    hidato_board_count(b);
}

/* ---- What a board must be ----------------------------------------------------------------------------- */

static bool is_connected(const hidato_board *b, hidato_kind kind)
{
    bool reached[HIDATO_PLACES] = {false};
    unsigned first;
    return hidato_reach(b, kind, &first, reached) == b->cells;
}

/* By how many cells the black ones of a chess board outnumber the white ones. A path of rook steps has as many of
 * either, or one more. */
static int imbalance(const hidato_board *b)
{
    int sum = 0;
    for (unsigned place = 0; place < (unsigned)b->rows * b->columns; place++)
        if (b->numbers[place] != HIDATO_HOLE)
            sum += (place / b->columns + place % b->columns) % 2 == 0 ? 1 : -1;
    return sum;
}

static bool is_balanced(const hidato_board *b, hidato_kind kind)
{
    int sum = kind == HIDATO_ROOK ? imbalance(b) : 0;
    return sum >= -1 && sum <= 1;
}

static bool is_symmetric(const hidato_board *b, unsigned symmetry)
{
    for (unsigned place = 0; place < (unsigned)b->rows * b->columns; place++)
        if ((b->numbers[place] == HIDATO_HOLE) !=
            (b->numbers[hidato_carry(symmetry, b, place)] == HIDATO_HOLE))
            return false;
    return true;
}

/* A cell with fewer than two neighbours is an end of the path: a hole that makes one more is no good. */
static unsigned count_dead_ends(const hidato_board *b, hidato_kind kind)
{
    uint16_t near[HIDATO_DEGREE];
    unsigned count = 0;
    for (unsigned place = 0; place < (unsigned)b->rows * b->columns; place++)
        count += b->numbers[place] != HIDATO_HOLE && hidato_neighbours(b, kind, place, near) < 2;
    return count;
}

/* ---- Holes ---------------------------------------------------------------------------------------------- */

enum { HOLE_TRIES = 20 }; /* for each place */

/* Makes holes of a place and of all that the symmetry carries it to. */
static void unit_dig(const hidato_plan *plan, hidato_board *b, unsigned place)
{
    unsigned at = place;
    do
        b->numbers[at] = HIDATO_HOLE;
    while ((at = hidato_carry(plan->symmetry, b, at)) != place);
    hidato_board_count(b);
}

/* Whether a hole was good: it leaves the board whole, makes no new dead end, and with holes enough, better balanced. */
static bool is_good_hole(const hidato_plan *plan, const hidato_board *before, const hidato_board *after,
                         unsigned cells_wanted)
{
    bool enough = before->cells <= cells_wanted;
    return after->cells >= 2 && is_connected(after, plan->kind) &&
           count_dead_ends(after, plan->kind) <= count_dead_ends(before, plan->kind) &&
           (!enough || abs(imbalance(after)) < abs(imbalance(before)));
}

/* Makes holes until there are enough and the board is balanced, or no place is good for one. */
static bool draw_holes(const hidato_plan *plan, rng *random, hidato_board *b)
{
    unsigned wanted = b->cells - b->cells * plan->holes / 100, places = (unsigned)b->rows * b->columns;
    for (unsigned tries = 0; tries < HOLE_TRIES * places; tries++) {
        if (b->cells <= wanted && is_balanced(b, plan->kind))
            return true;
        unsigned place = (unsigned)rng_below(random, places);
        if (b->numbers[place] == HIDATO_HOLE)
            continue;
        hidato_board before = *b;
        unit_dig(plan, b, place);
        if (!is_good_hole(plan, &before, b, wanted))
            *b = before;
    }
    return false;
}

bool hidato_plan_draw(const hidato_plan *plan, rng *random, hidato_board *out)
{
    shape_draw(plan, out);
    return plan->holes == 0 || draw_holes(plan, random, out);
}

/* ---- Plans ---------------------------------------------------------------------------------------------- */

static holos_status check_symmetry(const hidato_plan *plan, const hidato_board *b, holos_error *err)
{
    const char *name = hidato_symmetries[plan->symmetry];
    bool turns = plan->symmetry == SYMMETRY_QUARTER_TURN || plan->symmetry == SYMMETRY_DIAGONAL;
    if (turns && plan->rows != plan->columns)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "the symmetry %s needs a square, and this board is %ux%u", name, plan->columns,
                         plan->rows);
    if (plan->kind == HIDATO_HEX && (plan->symmetry == SYMMETRY_QUARTER_TURN ||
                                     plan->symmetry == SYMMETRY_MIRROR || plan->symmetry == SYMMETRY_FLIP))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "boards of hexagons have the symmetries none, rotate180 and diagonal, not %s", name);
    if (!is_symmetric(b, plan->symmetry))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "the shape %s does not have the symmetry %s",
                         hidato_shapes[plan->shape], name);
    return HOLOS_OK;
}

/* "12x8" */
static bool read_size(const char *size, hidato_plan *out)
{
    int end = 0;
    return sscanf(size, "%4ux%4u%n", &out->columns, &out->rows, &end) == 2 && size[end] == 0 &&
           out->columns > 0 && out->rows > 0;
}

holos_status hidato_plan_make(hidato_kind kind, const holos_puzzle_request *request, hidato_plan *out,
                              holos_error *err)
{
    enum { USUAL_SIDE = 8, HOLES_MOST = 50 };
    static const hidato_board_settings usual;
    const hidato_board_settings *s = request->settings != NULL ? request->settings : &usual;
    hidato_board b;
    *out = (hidato_plan){.kind = kind,
                         .rows = USUAL_SIDE,
                         .columns = USUAL_SIDE,
                         .shape = s->shape,
                         .symmetry = s->symmetry,
                         .holes = (unsigned)s->holes};
    if (s->size != NULL && !read_size(s->size, out))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "--size takes columns and rows such as 10x8, not \"%s\"", s->size);
    if (out->rows > HIDATO_SIDE || out->columns > HIDATO_SIDE || out->rows * out->columns > HIDATO_PLACES ||
        out->rows * out->columns < 2)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "a board of %ux%u is too %s: up to %u cells, up to %u in a row", out->columns,
                         out->rows, out->rows * out->columns < 2 ? "small" : "large", HIDATO_PLACES,
                         HIDATO_SIDE);
    if (out->holes > HOLES_MOST)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%u%% holes are too many: at most %u%%", out->holes,
                         HOLES_MOST);
    shape_draw(out, &b);
    holos_status status = check_symmetry(out, &b, err);
    if (status != HOLOS_OK)
        return status;
    if (b.cells < 2 || !is_connected(&b, kind))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "a %s of %ux%u falls apart: take a larger one",
                         hidato_shapes[out->shape], out->columns, out->rows);
    if (out->holes == 0 && !is_balanced(&b, kind))
        return error_set(
            err, HOLOS_USAGE, HOLOS_NOWHERE,
            "no path of this kind visits all cells of a %s of %ux%u: coloured as a chess board, it has %d "
            "more cells of one colour; take another size, or --holes",
            hidato_shapes[out->shape], out->columns, out->rows, abs(imbalance(&b)));
    return HOLOS_OK;
}
