/* SPDX-License-Identifier: MIT */

#include "games/chess/phase/experiment.h"

#include "games/chess/rules.h"

#include <string.h>

const holos_option phase_options[] = {
    {OPTION(INT, phase_settings, modulus), .name = "modulus", .value = "M", .min = 2, .max = 4096,
     .fallback = "640", .help = "the modulus of the ring"},
    {OPTION(INT, phase_settings, row), .name = "row", .value = "N", .min = 0, .max = 4095, .fallback = "67",
     .help = "what a row adds to a phase"},
    {OPTION(INT, phase_settings, column), .name = "column", .value = "N", .min = 0, .max = 4095,
     .fallback = "7", .help = "what a column adds to a phase"},
    {0},
};

/* ---- The empty board --------------------------------------------------------------------------- */

static bool is_pawn(phase_piece piece)
{
    return piece == PHASE_PAWN_WHITE || piece == PHASE_PAWN_BLACK;
}

/* What the bitboards say: they know nothing of phases. */
static uint64_t geometric_targets(phase_piece piece, unsigned square, bool first)
{
    static const unsigned kinds[] = {[PHASE_KNIGHT] = CHESS_KNIGHT,
                                     [PHASE_BISHOP] = CHESS_BISHOP,
                                     [PHASE_ROOK] = CHESS_ROOK,
                                     [PHASE_QUEEN] = CHESS_QUEEN,
                                     [PHASE_KING] = CHESS_KING};
    if (!is_pawn(piece))
        return kind_attacks(kinds[piece], square, 0);
    unsigned side = piece == PHASE_PAWN_WHITE ? CHESS_WHITE : CHESS_BLACK;
    uint64_t one = set_forward(chess_bit(square), side);
    return first ? one | set_forward(one, side) : one;
}

unsigned phase_compare(const phase_ring *ring, phase_row rows[PHASE_ROWS])
{
    unsigned count = 0, equal = 0;
    for (unsigned piece = 0; piece < PHASE_PIECES; piece++)
        for (unsigned square = 0; square < 64; square++) {
            unsigned r = square / 8, c = square % 8;
            bool first = r == (piece == PHASE_PAWN_WHITE ? 1 : 6);
            uint16_t phases[PHASE_TARGETS_MOST];
            if (is_pawn(piece) && (r == 0 || r == 7))
                continue;
            unsigned reached = phase_apply(ring, piece, phase_of(ring, r, c), first, false, phases);
            rows[count] = (phase_row){.piece = piece,
                                      .row = r,
                                      .column = c,
                                      .reached = phase_clip(ring, phases, reached),
                                      .geometric = geometric_targets(piece, square, first)};
            equal += rows[count].reached == rows[count].geometric;
            count++;
        }
    return equal;
}

static void set_format(uint64_t set, text *out)
{
    const char *between = "";
    SET_EACH (square, set) {
        text_printf(out, "%s(%u,%u)", between, square / 8, square % 8);
        between = ";";
    }
}

/* A set has commas in it, so it stands in quotes; an empty one is nothing. */
static void csv_set(uint64_t set, text *out)
{
    text_char(out, ',');
    if (set == 0)
        return;
    text_char(out, '"');
    set_format(set, out);
    text_char(out, '"');
}

void phase_rows_csv(const phase_row rows[PHASE_ROWS], text *out)
{
    text_string(out, "polarization,origin_row,origin_col,phase_op_destinations,geometric_destinations,"
                     "set_equal,missing,extra\n");
    for (unsigned i = 0; i < PHASE_ROWS; i++) {
        const phase_row *row = &rows[i];
        text_printf(out, "%s,%u,%u", phase_operators[row->piece].name, row->row, row->column);
        csv_set(row->reached, out);
        csv_set(row->geometric, out);
        text_string(out, row->reached == row->geometric ? ",true" : ",false");
        csv_set(row->geometric & ~row->reached, out);
        csv_set(row->reached & ~row->geometric, out);
        text_char(out, '\n');
    }
}

/* ---- Rings without aliases --------------------------------------------------------------------- */

enum { SPAN = 14 }; /* seven steps from the farthest square */

typedef bool grid[4 * SPAN + 1][4 * SPAN + 1];

/* Marks the differences of one place and all squares, but for itself: of each and its opposite only one. */
static void grid_mark(grid marked, int r, int c)
{
    for (int square = 0; square < 64; square++) {
        int rows = r - square / 8, columns = c - square % 8;
        if (rows < 0 || (rows == 0 && columns < 0)) {
            rows = -rows;
            columns = -columns;
        }
        if (rows != 0 || columns != 0)
            marked[rows + 2 * SPAN][columns + 2 * SPAN] = true;
    }
}

void phase_differences_find(phase_differences *out)
{
    grid marked = {{false}};
    for (int square = 0; square < 64; square++)
        for (unsigned piece = 0; piece < PHASE_PIECES; piece++) {
            const phase_operator *op = &phase_operators[piece];
            for (unsigned i = 0; i < 8; i++)
                for (int k = 0; k <= (int)(is_pawn(piece) ? 2 : op->reach); k++)
                    grid_mark(marked, square / 8 + k * op->shifts[i][0], square % 8 + k * op->shifts[i][1]);
        }
    out->count = 0;
    for (int rows = 0; rows <= 2 * SPAN; rows++)
        for (int columns = -2 * SPAN; columns <= 2 * SPAN; columns++)
            if (marked[rows + 2 * SPAN][columns + 2 * SPAN]) {
                out->rows[out->count] = (int8_t)rows;
                out->columns[out->count++] = (int8_t)columns;
            }
}

bool phase_is_free(const phase_differences *d, unsigned modulus, unsigned row, unsigned column)
{
    for (unsigned i = 0; i < d->count; i++)
        if ((d->rows[i] * (int)row + d->columns[i] * (int)column) % (int)modulus == 0)
            return false;
    return true;
}

phase_modulus phase_modulus_survey(const phase_differences *d, unsigned modulus, const struct limits *limits)
{
    phase_modulus found = {.modulus = modulus, .pairs = (modulus - 1) * (modulus - 1)};
    for (unsigned row = 1; row < modulus && !limits_passed(limits); row++)
        for (unsigned column = 1; column < modulus; column++) {
            if (!phase_is_free(d, modulus, row, column))
                continue;
            if (found.free++ == 0) {
                found.row = row;
                found.column = column;
            }
        }
    found.usual = phase_is_free(d, modulus, PHASE_ROW % modulus, PHASE_COLUMN % modulus);
    return found;
}

unsigned phase_least_modulus(const phase_differences *d, unsigned row, unsigned column, unsigned most,
                             unsigned *free)
{
    unsigned least = 0;
    *free = 0;
    for (unsigned modulus = 64; modulus <= most; modulus++)
        if (phase_is_free(d, modulus, row % modulus, column % modulus)) {
            least = least == 0 ? modulus : least;
            ++*free;
        }
    return least;
}
