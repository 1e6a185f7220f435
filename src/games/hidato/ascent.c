/* SPDX-License-Identifier: MIT */

/* Game IDs of Ascent, a puzzle by Lennard Sprong (x-sheep) for Simon Tatham's collection.
 *
 * WIDTHxHEIGHT, m and a letter for the kind (O: no diagonals, R: rectangle, H: hexagon, C: honeycomb), perhaps E, d and a
 * difficulty, S; then a colon and the cells, row by row: a number for a given, a to z for 1 to 26 empty cells, A to Z for
 * 1 to 26 holes, _ between two numbers. A honeycomb's rows are longer than its width by half of its height, since they
 * lie in the same axial coordinates as ours; holes fill the corners. */

#include "games/hidato/hidato.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool hidato_is_ascent(const char *string)
{
    size_t width = strspn(string, "0123456789");
    if (width == 0 || string[width] != 'x')
        return false;
    size_t height = strspn(string + width + 1, "0123456789");
    const char *rest = string + width + 1 + height;
    return height > 0 && (*rest == 'm' || *rest == ':' || *rest == '#');
}

static unsigned honeycomb_padding(unsigned rows)
{
    return (rows + 1) / 2 - 1;
}

/* What stands before the colon. */
typedef struct parameters {
    uint64_t width, height;
    char kind;         /* O, R, H, C or E */
    const char *cells; /* behind the colon */
} parameters;

static uint64_t read_number(const char **s)
{
    uint64_t number = 0;
    for (; isdigit((unsigned char)**s); (*s)++)
        number = number < 100000 ? number * 10 + (uint64_t)(**s - '0') : number;
    return number;
}

static holos_status read_parameters(const char *string, parameters *out, holos_error *err)
{
    const char *s = string + strspn(string, " \t\r\n");
    out->width = read_number(&s);
    s++;
    out->height = read_number(&s);
    out->kind = 'R';
    if (*s == 'm' && s[1] != 0) {
        out->kind = s[1];
        s += 2;
    }
    if (*s == 'E')
        s++;
    if (*s == 'd' && s[1] != 0)
        s += 2;
    if (*s == 'S')
        s++;
    if (*s == '#')
        return error_set(
            err, HOLOS_BAD_POSITION, s - string,
            "a random seed names a puzzle only to the program that made it; give the game ID, with a "
            "colon and the cells");
    if (*s != ':')
        return error_set(err, HOLOS_BAD_POSITION, s - string,
                         "expected a colon and the cells, as in 3x3mR:1g9");
    out->cells = s + 1;
    return HOLOS_OK;
}

static holos_status check_kind(hidato_kind kind, char letter, int64_t at, holos_error *err)
{
    static const struct {
        char letter;
        hidato_kind kind;
    } kinds[] = {{'R', HIDATO_KING}, {'O', HIDATO_ROOK}, {'H', HIDATO_HEX}, {'C', HIDATO_HEX}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (kinds[i].letter == letter && kinds[i].kind == kind)
            return HOLOS_OK;
        if (kinds[i].letter == letter)
            return error_set(err, HOLOS_BAD_POSITION, at, "this game ID is one of %s, not of %s",
                             hidato_kind_name(kinds[i].kind), hidato_kind_name(kind));
    }
    if (letter == 'E')
        return error_set(err, HOLOS_BAD_POSITION, at,
                         "the mode Edges, with its givens around the board, is not supported");
    return error_set(err, HOLOS_BAD_POSITION, at, "no such mode: m is followed by O, R, H or C in a game ID");
}

/* Writes `count` cells at *place; false if the board has no room for them. */
static bool put_cells(hidato_reading *out, unsigned *place, unsigned count, uint16_t held, int64_t at)
{
    unsigned places = (unsigned)out->board.rows * out->board.columns;
    if (count > places - *place)
        return false;
    for (; count > 0; count--) {
        out->board.numbers[*place] = held;
        out->at[(*place)++] = at;
    }
    return true;
}

static holos_status read_cells(const char *string, const char *cells, hidato_reading *out, holos_error *err)
{
    unsigned place = 0, places = (unsigned)out->board.rows * out->board.columns;
    char shown[8];
    for (const char *s = cells; *s != 0;) {
        int64_t at = s - string;
        bool fits = true;
        if (*s == '_' || isspace((unsigned char)*s)) {
            s++;
        } else if (isdigit((unsigned char)*s)) {
            uint64_t number = read_number(&s);
            if (number == 0 || number > HIDATO_PLACES)
                return error_set(err, HOLOS_BAD_POSITION, at,
                                 "%llu is not on this board: its numbers are 1 to %u",
                                 (unsigned long long)number, places);
            fits = put_cells(out, &place, 1, (uint16_t)number, at);
        } else if (*s >= 'a' && *s <= 'z') {
            fits = put_cells(out, &place, (unsigned)(*s++ - 'a') + 1, 0, at);
        } else if (*s >= 'A' && *s <= 'Z') {
            fits = put_cells(out, &place, (unsigned)(*s++ - 'A') + 1, HIDATO_HOLE, at);
        } else {
            return error_set(
                err, HOLOS_BAD_POSITION, at,
                "'%s' is not part of a game ID: numbers, a to z for empty cells, A to Z for holes",
                text_show_char((unsigned char)*s, shown));
        }
        if (!fits)
            return error_set(err, HOLOS_BAD_POSITION, at, "more cells than the %u that the board has",
                             places);
    }
    if (place < places)
        return error_set(err, HOLOS_BAD_POSITION, (int64_t)strlen(string), "only %u of the board's %u cells",
                         place, places);
    return HOLOS_OK;
}

holos_status hidato_read_ascent(hidato_kind kind, const char *string, hidato_reading *out, holos_error *err)
{
    parameters p = {0};
    holos_status status = read_parameters(string, &p, err);
    if (status == HOLOS_OK)
        status = check_kind(kind, p.kind, 0, err);
    if (status != HOLOS_OK)
        return status;
    uint64_t columns = p.width;
    if (p.kind == 'C' && p.height <= HIDATO_SIDE && p.height > 0)
        columns += honeycomb_padding((unsigned)p.height);
    if (p.height > HIDATO_SIDE || columns > HIDATO_SIDE ||
        !hidato_board_init(&out->board, (unsigned)p.height, (unsigned)columns))
        return hidato_size_error(p.height, columns, 0, err);
    return read_cells(string, p.cells, out, err);
}

/* ---- Writing ----------------------------------------------------------------------------------- */

/* Cells of one sort, which are written when another sort begins. */
typedef struct run {
    unsigned length;
    char first; /* 'a' or 'A' */
    bool after_number;
} run;

static void run_end(run *r, text *out)
{
    for (; r->length > 26; r->length -= 26)
        text_char(out, (char)(r->first + 25));
    if (r->length > 0)
        text_char(out, (char)(r->first + (char)r->length - 1));
    r->length = 0;
}

static void run_add(run *r, uint16_t held, text *out)
{
    if (hidato_is_number(held)) {
        run_end(r, out);
        text_printf(out, "%s%u", r->after_number ? "_" : "", held);
        r->after_number = true;
        return;
    }
    char first = held == 0 ? 'a' : 'A';
    if (r->first != first)
        run_end(r, out);
    r->first = first;
    r->length++;
    r->after_number = false;
}

/* Every hex board is a honeycomb, if need be with more holes to the right. */
void hidato_write_ascent(const holos_variant *v, const holos_position *p, text *out)
{
    static const char letters[] = {[HIDATO_KING] = 'R', [HIDATO_ROOK] = 'O', [HIDATO_HEX] = 'C'};
    const hidato_board *b = hidato_board_of(p);
    hidato_kind kind = hidato_kind_of(v);
    unsigned padding = kind == HIDATO_HEX ? honeycomb_padding(b->rows) : 0, columns = b->columns;
    if (columns < padding + 2 && kind == HIDATO_HEX)
        columns = padding + 2;
    run r = {0};
    text_printf(out, "%ux%um%c:", columns - padding, b->rows, letters[kind]);
    for (unsigned row = 0; row < b->rows; row++)
        for (unsigned column = 0; column < columns; column++)
            run_add(&r, column < b->columns ? b->numbers[row * b->columns + column] : HIDATO_HOLE, out);
    run_end(&r, out);
    text_char(out, '\n');
}
