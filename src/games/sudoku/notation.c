/* SPDX-License-Identifier: MIT */

/* How sudokus are written. A grid is a text with a character for each cell; a candidate grid has the candidates of
 * each cell instead, either in a place of their own (729 characters) or as words. What people draw around them does
 * not count: spaces, new lines, borders, and lines that begin with # or [, as .sdk files have them. */

#include "core/assert.h"
#include "games/sudoku/sudoku.h"

#include <string.h>

#define SYMBOLS_MOST (SHAPE_CELLS * SHAPE_DIGITS)

/* What is left of a text without its decoration. */
typedef struct symbols {
    unsigned count; /* at most SYMBOLS_MOST + 1: more are not kept */
    unsigned words; /* runs without anything between them */
    uint8_t digit[SYMBOLS_MOST + 1];
    uint16_t word[SYMBOLS_MOST + 1];
    int32_t at[SYMBOLS_MOST + 1];
} symbols;

/* ---- Reading ----------------------------------------------------------------------------------- */

/* The digit that a character stands for, 0 for an empty cell; -1 for what is neither. */
static int read_digit(const sudoku_shape *shape, char c)
{
    int digit = c == '.'               ? 0
                : c >= '0' && c <= '9' ? c - '0'
                : c >= 'A' && c <= 'G' ? c - 'A' + 10
                : c >= 'a' && c <= 'g' ? c - 'a' + 10
                                       : -1;
    return digit <= (int)shape->size ? digit : -1;
}

/* The length of a line that is decoration as a whole, 0 if it is not: a remark, or a border. */
static size_t decoration(const char *line)
{
    size_t length = strcspn(line, "\n");
    if (line[0] == '#' || line[0] == '[')
        return length;
    size_t border = strspn(line, " \t\r.:'*+-|");
    return border == length && memmem(line, length, "---", 3) != NULL ? length : 0;
}

static holos_status bad_symbol(const sudoku_shape *shape, char c, int64_t at, holos_error *err)
{
    char shown[8], most[16] = "9";
    if (shape->size < 9)
        most[0] = (char)('0' + shape->size);
    else if (shape->size > 9)
        strcpy(most, "9, A to "), most[8] = shape_digit(shape->size), most[9] = 0;
    return error_set(err, HOLOS_BAD_POSITION, at,
                     "'%s' is not a cell: write 1 to %s, and . or 0 for an empty one",
                     text_show_char((unsigned char)c, shown), most);
}

static holos_status read_symbols(const sudoku_shape *shape, const char *string, symbols *out,
                                 holos_error *err)
{
    bool inside = false, line_begins = true;
    out->count = out->words = 0;
    for (const char *s = string; *s != 0 && out->count <= SYMBOLS_MOST; s++) {
        if (line_begins) {
            s += decoration(s);
            line_begins = false;
            if (*s == 0)
                break;
        }
        if (strchr(" \t\r\n|-+:", *s) != NULL) {
            inside = false;
            line_begins = *s == '\n';
            continue;
        }
        int digit = read_digit(shape, *s);
        if (digit < 0)
            return bad_symbol(shape, *s, s - string, err);
        out->words += !inside;
        inside = true;
        out->at[out->count] = (int32_t)(s - string);
        out->word[out->count] = (uint16_t)(out->words - 1);
        out->digit[out->count++] = (uint8_t)digit;
    }
    return HOLOS_OK;
}

/* Candidates of the cells (of a filled one: what it holds), and where each cell stands in the text. */
typedef struct reading {
    uint16_t candidates[SHAPE_CELLS];
    int32_t at[SHAPE_CELLS];
} reading;

/* The candidates of each cell in places of their own: 1 or . , then 2 or . , and so on. */
static holos_status read_places(const sudoku_shape *shape, const symbols *s, reading *out, holos_error *err)
{
    memset(out->candidates, 0, sizeof out->candidates);
    for (unsigned i = 0; i < s->count; i++) {
        unsigned cell = i / shape->size, digit = i % shape->size + 1;
        if (s->digit[i] != 0 && s->digit[i] != digit)
            return error_set(err, HOLOS_BAD_POSITION, s->at[i],
                             "candidates stand in their places: here %c or . for r%uc%u, not %c",
                             shape_digit(digit), shape_row(shape, cell) + 1, shape_column(shape, cell) + 1,
                             shape_digit(s->digit[i]));
        if (digit == 1)
            out->at[cell] = s->at[i];
        if (s->digit[i] != 0)
            out->candidates[cell] |= (uint16_t)(1u << (digit - 1));
    }
    return HOLOS_OK;
}

/* A word for each cell: its candidates. */
static void read_words(const symbols *s, reading *out)
{
    memset(out->candidates, 0, sizeof out->candidates);
    for (unsigned i = s->count; i-- > 0;) {
        out->at[s->word[i]] = s->at[i];
        if (s->digit[i] != 0)
            out->candidates[s->word[i]] |= (uint16_t)(1u << (s->digit[i] - 1));
    }
}

static holos_status conflict_error(const sudoku_shape *shape, unsigned digit, unsigned first, unsigned second,
                                   int64_t at, holos_error *err)
{
    char buffer[96];
    text t;
    text_init_fixed(&t, buffer, sizeof buffer);
    uint64_t shared = shape->houses_of[first] & shape->houses_of[second];
    shape_write_house(shape, (unsigned)__builtin_ctzll(shared), &t);
    text_string(&t, ": ");
    shape_write_cell(shape, first, &t);
    text_string(&t, " and ");
    shape_write_cell(shape, second, &t);
    return error_set(err, HOLOS_BAD_POSITION, at, "two %cs in %s", shape_digit(digit), buffer);
}

/* The first cell that sees `cell` and holds `digit`, looking at its houses in turn; SHAPE_CELLS if there is none. */
static unsigned find_conflict(const sudoku_shape *shape, const uint8_t *cells, unsigned cell, unsigned digit)
{
    for (uint64_t houses = shape->houses_of[cell]; houses != 0; houses &= houses - 1) {
        const uint16_t *house = shape->house_cells[__builtin_ctzll(houses)];
        for (unsigned place = 0; place < shape->size; place++)
            if (house[place] != cell && cells[house[place]] == digit)
                return house[place];
    }
    return SHAPE_CELLS;
}

/* Givens that meet are told by name: which digit, where, which cells. */
static holos_status check_givens(const sudoku_shape *shape, const holos_position *p, const int32_t *at,
                                 holos_error *err)
{
    uint16_t held[SHAPE_HOUSES] = {0};
    const uint8_t *cells = sudoku_cells(p);
    for (unsigned cell = 0; cell < shape->cells; cell++) {
        for (uint64_t houses = cells[cell] != 0 ? shape->houses_of[cell] : 0; houses != 0;
             houses &= houses - 1) {
            uint16_t bit = (uint16_t)(1u << (cells[cell] - 1)), *house = &held[__builtin_ctzll(houses)];
            if ((*house & bit) == 0) {
                *house |= bit;
                continue;
            }
            for (unsigned first = 0; first < shape->cells; first++) {
                unsigned other =
                    cells[first] != 0 ? find_conflict(shape, cells, first, cells[first]) : SHAPE_CELLS;
                if (other < SHAPE_CELLS)
                    return conflict_error(shape, cells[first], first, other, at[other], err);
            }
        }
    }
    return HOLOS_OK;
}

/* A single candidate that no cell in sight has, too, is what the cell holds. */
static void fill_singles(const sudoku_shape *shape, const reading *r, holos_position *out)
{
    for (unsigned cell = 0; cell < shape->cells; cell++) {
        unsigned own = r->candidates[cell], seen = 0;
        if (own == 0 || (own & (own - 1)) != 0)
            continue;
        CELLSET_EACH(peer, shape->peers[cell])
        seen |= r->candidates[peer];
        if ((seen & own) != 0)
            continue;
        sudoku_cells_mutable(out)[cell] = (uint8_t)(__builtin_ctz(own) + 1);
        sudoku_set_given(shape, out, cell);
    }
}

static void read_marks(const sudoku_shape *shape, const reading *r, holos_position *out)
{
    uint16_t open[SHAPE_CELLS];
    memset(out, 0, shape->position_size);
    fill_singles(shape, r, out);
    sudoku_candidates_of(shape, out, open);
    for (unsigned cell = 0; cell < shape->cells; cell++)
        sudoku_erased_mutable(shape, out)[cell] = (uint16_t)(open[cell] & ~r->candidates[cell]);
}

static holos_status read_grid(const sudoku_shape *shape, const symbols *s, holos_position *out,
                              holos_error *err)
{
    memset(out, 0, shape->position_size);
    memcpy(sudoku_cells_mutable(out), s->digit, shape->cells);
    for (unsigned cell = 0; cell < shape->cells; cell++)
        if (s->digit[cell] != 0)
            sudoku_set_given(shape, out, cell);
    return check_givens(shape, out, s->at, err);
}

/* The plainest text, 81 characters and nothing wrong with them, which is what comes by the million: 4 times as fast as
 * looking for all that could be there. False: look. */
static bool read_plain(const sudoku_shape *shape, const char *string, holos_position *out)
{
    uint16_t rows[9] = {0}, columns[9] = {0}, boxes[9] = {0};
    uint8_t *cells = sudoku_cells_mutable(out), *given = sudoku_given_mutable(shape, out);
    if (shape->size != 9 || !shape_is_plain(shape))
        return false;
    memset(out, 0, shape->position_size);
    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++) {
        unsigned digit = (unsigned char)string[cell] - (unsigned)'0';
        if (string[cell] == '.' || digit == 0)
            continue;
        if (digit > 9)
            return false;
        uint16_t bit = (uint16_t)(1u << digit);
        uint16_t *row = &rows[sudoku_row(cell)], *column = &columns[sudoku_column(cell)],
                 *box = &boxes[sudoku_box(cell)];
        if (((*row | *column | *box) & bit) != 0)
            return false;
        *row |= bit;
        *column |= bit;
        *box |= bit;
        cells[cell] = (uint8_t)digit;
        given[cell / 8] = (uint8_t)(given[cell / 8] | 1u << cell % 8);
    }
    return string[SUDOKU_CELLS] == 0;
}

static holos_status parse_any(const sudoku_shape *shape, const char *string, holos_position *out,
                              holos_error *err)
{
    if (read_plain(shape, string, out))
        return HOLOS_OK;
    symbols s;
    reading r;
    holos_status status = read_symbols(shape, string, &s, err);
    if (status != HOLOS_OK)
        return status;
    if (s.count == shape->cells)
        return read_grid(shape, &s, out, err);
    if (s.count < shape->cells)
        return error_set(err, HOLOS_BAD_POSITION, (int64_t)strlen(string), "only %u cells: a grid has %u",
                         s.count, shape->cells);
    if (s.words == shape->cells) {
        read_words(&s, &r);
    } else if (s.count == shape->cells * shape->size) {
        status = read_places(shape, &s, &r, err);
        if (status != HOLOS_OK)
            return status;
    } else {
        return error_set(err, HOLOS_BAD_POSITION, s.at[shape->cells],
                         "more than %u cells, and not the %u characters or %u words of a candidate grid",
                         shape->cells, shape->cells * shape->size, shape->cells);
    }
    read_marks(shape, &r, out);
    return HOLOS_OK;
}

/* A text that is refused leaves the position alone. */
holos_status sudoku_parse(const holos_variant *v, const char *string, holos_position *out, holos_error *err)
{
    const sudoku_shape *shape = sudoku_shape_of(v);
    _Alignas(16) unsigned char fresh[4 * SHAPE_CELLS];
    assert(shape->position_size <= sizeof fresh);
    holos_status status = parse_any(shape, string, (holos_position *)fresh, err);
    if (status == HOLOS_OK)
        memcpy(out, fresh, shape->position_size);
    return status;
}

/* ---- Writing ----------------------------------------------------------------------------------- */

void sudoku_write_line(const holos_variant *v, const holos_position *p, text *out)
{
    char line[SHAPE_CELLS];
    unsigned count = sudoku_shape_of(v)->cells;
    for (unsigned cell = 0; cell < count; cell++)
        line[cell] = shape_digit(sudoku_cells(p)[cell]);
    text_bytes(out, line, count);
}

void sudoku_write_candidates(const holos_variant *v, const holos_position *p, text *out)
{
    const sudoku_shape *shape = sudoku_shape_of(v);
    uint16_t candidates[SHAPE_CELLS];
    sudoku_candidates_of(shape, p, candidates);
    for (unsigned cell = 0; cell < shape->cells; cell++) {
        unsigned digits = candidates[cell] | (1u << sudoku_cells(p)[cell] >> 1);
        for (unsigned digit = 1; digit <= shape->size; digit++)
            text_char(out, (digits >> (digit - 1) & 1) != 0 ? shape_digit(digit) : '.');
    }
}

void sudoku_format(const holos_variant *v, const holos_position *p, text *out)
{
    if (sudoku_has_erased(sudoku_shape_of(v), p))
        sudoku_write_candidates(v, p, out);
    else
        sudoku_write_line(v, p, out);
}

static void write_line(const holos_variant *v, const holos_position *p, text *out)
{
    sudoku_write_line(v, p, out);
    text_char(out, '\n');
}

/* .sdm: one a line, 0 for an empty cell. */
static void write_sdm(const holos_variant *v, const holos_position *p, text *out)
{
    for (unsigned cell = 0; cell < sudoku_shape_of(v)->cells; cell++)
        text_char(out, sudoku_cells(p)[cell] == 0 ? '0' : shape_digit(sudoku_cells(p)[cell]));
    text_char(out, '\n');
}

static void write_candidates(const holos_variant *v, const holos_position *p, text *out)
{
    sudoku_write_candidates(v, p, out);
    text_char(out, '\n');
}

/* .sdk: a header, then a line for each row. */
static void write_sdk(const holos_variant *v, const holos_position *p, text *out)
{
    const sudoku_shape *shape = sudoku_shape_of(v);
    text_printf(out, "#A holos\n#D %s\n", v->name);
    for (unsigned cell = 0; cell < shape->cells; cell++) {
        text_char(out, shape_digit(sudoku_cells(p)[cell]));
        text_string(out, (cell + 1) % shape->size == 0 ? "\n" : "");
    }
}

static void write_rule(const sudoku_shape *shape, text *out)
{
    for (unsigned column = 0; column < shape->size; column += shape->box_columns) {
        text_string(out, column > 0 ? "+" : "");
        text_repeat(out, '-', 2 * shape->box_columns + (column > 0));
    }
    text_char(out, '\n');
}

/* Drawn with | and -. */
static void write_grid(const holos_variant *v, const holos_position *p, text *out)
{
    const sudoku_shape *shape = sudoku_shape_of(v);
    for (unsigned cell = 0; cell < shape->cells; cell++) {
        unsigned row = shape_row(shape, cell), column = shape_column(shape, cell);
        if (column == 0 && row > 0 && row % shape->box_rows == 0)
            write_rule(shape, out);
        text_string(out, column == 0 ? "" : column % shape->box_columns == 0 ? " | " : " ");
        text_char(out, shape_digit(sudoku_cells(p)[cell]));
        text_string(out, column + 1 == shape->size ? "\n" : "");
    }
}

const holos_notation sudoku_notations[] = {
    {"line", "81 characters, . for an empty cell", write_line},
    {"grid", "drawn with | and -", write_grid},
    {"sdk", "a line for each row, after a header", write_sdk},
    {"sdm", "81 characters, 0 for an empty cell", write_sdm},
    {"candidates", "the candidates of each cell, in their places: 729 characters", write_candidates},
    {0},
};

/* ---- Moves ------------------------------------------------------------------------------------- */

/* Reads a number from 1 to `most`; moves *s behind it. */
static bool read_number(const char **s, unsigned most, unsigned *out)
{
    unsigned value = 0, digits = 0;
    for (; **s >= '0' && **s <= '9' && digits < 3; ++*s, digits++)
        value = value * 10 + (unsigned)(**s - '0');
    *out = value - 1;
    return digits > 0 && value >= 1 && value <= most;
}

static bool read_move(const sudoku_shape *shape, const char *s, unsigned *cell, unsigned *digit)
{
    unsigned row, column;
    if (*s++ != 'r' || !read_number(&s, shape->size, &row) || *s++ != 'c' ||
        !read_number(&s, shape->size, &column) || *s++ != '=')
        return false;
    int value = s[0] != 0 && s[1] == 0 ? read_digit(shape, *s) : -1;
    *cell = row * shape->size + column;
    *digit = (unsigned)value;
    return value > 0;
}

holos_status sudoku_parse_move(const holos_variant *v, const holos_position *p, const char *string,
                               holos_move *out, holos_error *err)
{
    const sudoku_shape *shape = sudoku_shape_of(v);
    const uint8_t *cells = sudoku_cells(p);
    unsigned cell, digit;
    int32_t score;
    if (v->game->terminal(v, p, &score))
        return error_set(err, HOLOS_BAD_MOVE, HOLOS_NOWHERE,
                         score > 0 ? "the grid is full" : "there are no moves: a cell has no candidate left");
    if (!read_move(shape, string, &cell, &digit))
        return error_set(err, HOLOS_BAD_MOVE, 0, "'%.40s' is not a move: write row, column and digit, r3c7=5",
                         string);
    unsigned row = shape_row(shape, cell) + 1, column = shape_column(shape, cell) + 1;
    if (cells[cell] != 0)
        return error_set(err, HOLOS_BAD_MOVE, 0, "r%uc%u already holds a %c", row, column,
                         shape_digit(cells[cell]));
    unsigned other = find_conflict(shape, cells, cell, digit);
    if (other < SHAPE_CELLS) {
        char buffer[64];
        text t;
        text_init_fixed(&t, buffer, sizeof buffer);
        uint64_t shared = shape->houses_of[cell] & shape->houses_of[other];
        shape_write_house(shape, (unsigned)__builtin_ctzll(shared), &t);
        return error_set(err, HOLOS_BAD_MOVE, (int64_t)strlen(string) - 1, "%s already has a %c: r%uc%u",
                         buffer, shape_digit(digit), shape_row(shape, other) + 1,
                         shape_column(shape, other) + 1);
    }
    if ((sudoku_erased(shape, p)[cell] >> (digit - 1) & 1) != 0)
        return error_set(err, HOLOS_BAD_MOVE, (int64_t)strlen(string) - 1,
                         "%c is no longer a candidate of r%uc%u: it was erased", shape_digit(digit), row,
                         column);
    *out = sudoku_move(shape, cell, digit);
    return HOLOS_OK;
}

void sudoku_format_move(const holos_variant *v, const holos_position *p, holos_move move, text *out)
{
    (void)p;
    const sudoku_shape *shape = sudoku_shape_of(v);
    shape_write_cell(shape, sudoku_move_cell(shape, move), out);
    text_char(out, '=');
    text_char(out, shape_digit(sudoku_move_digit(shape, move)));
}

/* ---- Drawing ----------------------------------------------------------------------------------- */

static void draw_border(const sudoku_shape *shape, unsigned width, const char *left, const char *middle,
                        const char *right, text *out)
{
    unsigned boxes = shape->size / shape->box_columns;
    text_repeat(out, ' ', width + 1);
    for (unsigned box = 0; box < boxes; box++) {
        text_string(out, box == 0 ? left : middle);
        for (unsigned i = 0; i < (width + 1) * shape->box_columns + 1; i++)
            text_string(out, "─");
    }
    text_string(out, right);
    text_char(out, '\n');
}

static void draw_row(const sudoku_shape *shape, const uint8_t *cells, unsigned row, int width, text *out)
{
    text_printf(out, "%*u ", width, row + 1);
    for (unsigned column = 0; column < shape->size; column++) {
        text_string(out, column % shape->box_columns == 0 ? "│ " : "");
        text_printf(out, "%*c ", width, shape_digit(cells[row * shape->size + column]));
    }
    text_string(out, "│\n");
}

void sudoku_draw(const holos_variant *v, const holos_position *p, text *out)
{
    const sudoku_shape *shape = sudoku_shape_of(v);
    int width = shape->size > 9 ? 2 : 1;
    unsigned empty = 0;
    text_repeat(out, ' ', (size_t)width + 1);
    for (unsigned column = 0; column < shape->size; column++)
        text_printf(out, "%s%*u%s", column % shape->box_columns == 0 ? "  " : " ", width, column + 1,
                    (column + 1) % shape->box_columns == 0 && column + 1 < shape->size ? " " : "");
    text_char(out, '\n');
    draw_border(shape, (unsigned)width, "┌", "┬", "┐", out);
    for (unsigned row = 0; row < shape->size; row++) {
        if (row > 0 && row % shape->box_rows == 0)
            draw_border(shape, (unsigned)width, "├", "┼", "┤", out);
        draw_row(shape, sudoku_cells(p), row, width, out);
    }
    draw_border(shape, (unsigned)width, "└", "┴", "┘", out);
    for (unsigned cell = 0; cell < shape->cells; cell++)
        empty += sudoku_cells(p)[cell] == 0;
    int32_t score;
    if (!v->game->terminal(v, p, &score))
        text_printf(out, "%u empty %s\n", empty, empty == 1 ? "cell" : "cells");
    else
        text_string(out, score > 0 ? "solved\n" : "no solution: a cell has no candidate left\n");
}
