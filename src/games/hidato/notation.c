/* SPDX-License-Identifier: MIT */

/* How boards are written: rows as lines or joined by /, cells as words; . for an empty one and # for a hole. Game IDs
 * of Ascent and JSON are told from it by how they begin. */

#include "games/hidato/hidato.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Reading ----------------------------------------------------------------------------------- */

holos_status hidato_size_error(uint64_t rows, uint64_t columns, int64_t at, holos_error *err)
{
    return error_set(
        err, HOLOS_BAD_POSITION, at,
        "a board of %llu rows and %llu columns: there may be 1 to %d of each, and %d cells in all",
        (unsigned long long)rows, (unsigned long long)columns, HIDATO_SIDE, HIDATO_PLACES);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == ',' || c == '|';
}

static bool is_row_end(char c)
{
    return c == '/' || c == '\n' || c == 0;
}

/* The words of a text, row by row, before the size of the board is known. */
typedef struct words {
    unsigned rows, count;
    uint16_t held[HIDATO_PLACES];
    int64_t at[HIDATO_PLACES];
    unsigned row_end[HIDATO_SIDE]; /* words up to the end of each row */
} words;

static holos_status read_word(const char *string, const char *word, size_t length, uint16_t *out,
                              holos_error *err)
{
    char shown[8];
    if (length == 1 && strchr("._?-", word[0]) != NULL) {
        *out = 0;
        return HOLOS_OK;
    }
    if (length == 1 && strchr("#xX*", word[0]) != NULL) {
        *out = HIDATO_HOLE;
        return HOLOS_OK;
    }
    uint64_t number = 0;
    for (size_t i = 0; i < length; i++) {
        if (word[i] < '0' || word[i] > '9')
            return error_set(err, HOLOS_BAD_POSITION, word + i - string,
                             "'%s' is not part of a cell: write a number, . for an empty cell, # for a hole",
                             text_show_char((unsigned char)word[i], shown));
        number = number * 10 + (uint64_t)(word[i] - '0');
        if (number > HIDATO_PLACES)
            return error_set(err, HOLOS_BAD_POSITION, word - string,
                             "%.*s is too large: no board has more than %d numbers",
                             (int)(length < 12 ? length : 12), word, HIDATO_PLACES);
    }
    *out = (uint16_t)number;
    return HOLOS_OK;
}

static holos_status words_end_row(words *w, unsigned row_begin, int64_t at, holos_error *err)
{
    unsigned columns = w->count - row_begin;
    if (columns == 0)
        return HOLOS_OK; /* an empty line */
    if (w->rows == HIDATO_SIDE)
        return hidato_size_error(w->rows + 1u, columns, at, err);
    unsigned first = w->rows > 0 ? w->row_end[0] : columns;
    if (columns != first)
        return error_set(err, HOLOS_BAD_POSITION, at, "row %u has %u cells, row 1 has %u: all must be equal",
                         w->rows + 1, columns, first);
    if (columns > HIDATO_SIDE)
        return hidato_size_error(w->rows + 1u, columns, at, err);
    w->row_end[w->rows++] = w->count;
    return HOLOS_OK;
}

static holos_status words_read(const char *string, words *w, holos_error *err)
{
    const char *s = string;
    holos_status status = HOLOS_OK;
    w->rows = w->count = 0;
    while (status == HOLOS_OK) {
        unsigned row_begin = w->count;
        while (status == HOLOS_OK && !is_row_end(*s)) {
            if (is_blank(*s)) {
                s++;
                continue;
            }
            const char *word = s;
            while (!is_blank(*s) && !is_row_end(*s))
                s++;
            if (w->count == HIDATO_PLACES)
                return hidato_size_error(w->rows + 1u, w->count + 1u - row_begin, word - string, err);
            w->at[w->count] = word - string;
            status = read_word(string, word, (size_t)(s - word), &w->held[w->count++], err);
        }
        if (status == HOLOS_OK)
            status = words_end_row(w, row_begin, s - string, err);
        if (*s++ == 0)
            break;
    }
    return status;
}

static holos_status read_rows(const char *string, hidato_reading *out, holos_error *err)
{
    words w;
    holos_status status = words_read(string, &w, err);
    if (status != HOLOS_OK)
        return status;
    if (w.count == 0)
        return error_set(err, HOLOS_BAD_POSITION, 0,
                         "no board: write rows joined by /, such as 1 . ./. # ./. . 8");
    if (!hidato_board_init(&out->board, w.rows, w.count / w.rows))
        return hidato_size_error(w.rows, w.count / w.rows, 0, err);
    memcpy(out->board.numbers, w.held, w.count * sizeof *w.held);
    memcpy(out->at, w.at, w.count * sizeof *w.at);
    return HOLOS_OK;
}

/* ---- What every board must fulfil ---------------------------------------------------------------- */

static holos_status check_numbers(const hidato_reading *r, holos_error *err)
{
    uint16_t seen[HIDATO_PLACES + 1] = {0};
    const hidato_board *b = &r->board;
    char here[16], there[16];
    for (unsigned place = 0; place < (unsigned)b->rows * b->columns; place++) {
        unsigned number = b->numbers[place];
        if (!hidato_is_number((uint16_t)number))
            continue;
        hidato_place_names(b, place, here);
        if (number > b->cells)
            return error_set(err, HOLOS_BAD_POSITION, r->at[place],
                             "%u in %s is too large: this board has %u cells, so its numbers are 1 to %u",
                             number, here, b->cells, b->cells);
        if (seen[number] != 0) {
            hidato_place_names(b, seen[number] - 1u, there);
            return error_set(err, HOLOS_BAD_POSITION, r->at[place],
                             "%u stands twice, in %s and in %s: every number has one cell", number, there,
                             here);
        }
        seen[number] = (uint16_t)(place + 1);
    }
    return HOLOS_OK;
}

static holos_status check_connected(const hidato_reading *r, hidato_kind kind, holos_error *err)
{
    const hidato_board *b = &r->board;
    bool reached[HIDATO_PLACES] = {false};
    unsigned first, count = hidato_reach(b, kind, &first, reached);
    unsigned places = (unsigned)b->rows * b->columns;
    for (unsigned place = 0; place < places && count < b->cells; place++) {
        if (reached[place] || b->numbers[place] == HIDATO_HOLE)
            continue;
        char here[16], there[16];
        hidato_place_names(b, first, here);
        hidato_place_names(b, place, there);
        return error_set(err, HOLOS_BAD_POSITION, r->at[place],
                         "the holes cut the board in pieces: no path leads from %s to %s", here, there);
    }
    return HOLOS_OK;
}

static holos_status read_any(hidato_kind kind, const char *string, hidato_reading *r, holos_error *err)
{
    const char *begin = string + strspn(string, " \t\r\n");
    if (*begin == '{' || *begin == '[')
        return hidato_read_json(kind, string, r, err);
    if (hidato_is_ascent(begin))
        return hidato_read_ascent(kind, string, r, err);
    return read_rows(string, r, err);
}

/* A text that is refused leaves the position alone. */
holos_status hidato_parse(const holos_variant *v, const char *string, holos_position *out, holos_error *err)
{
    hidato_reading r;
    hidato_kind kind = hidato_kind_of(v);
    holos_status status = read_any(kind, string, &r, err);
    if (status != HOLOS_OK)
        return status;
    hidato_board_count(&r.board);
    if (r.board.cells == 0)
        return error_set(err, HOLOS_BAD_POSITION, 0, "the board has no cells, only holes");
    if ((status = check_numbers(&r, err)) != HOLOS_OK ||
        (status = check_connected(&r, kind, err)) != HOLOS_OK)
        return status;
    memcpy(out, &r.board, sizeof r.board);
    return HOLOS_OK;
}

/* ---- Writing ----------------------------------------------------------------------------------- */

static void write_cell(uint16_t held, text *out)
{
    if (hidato_is_number(held))
        text_uint(out, held);
    else
        text_char(out, held == 0 ? '.' : '#');
}

void hidato_format(const holos_variant *v, const holos_position *p, text *out)
{
    const hidato_board *b = hidato_board_of(p);
    (void)v;
    for (unsigned place = 0; place < (unsigned)b->rows * b->columns; place++) {
        if (place > 0)
            text_char(out, place % b->columns == 0 ? '/' : ' ');
        write_cell(b->numbers[place], out);
    }
}

static void write_line(const holos_variant *v, const holos_position *p, text *out)
{
    hidato_format(v, p, out);
    text_char(out, '\n');
}

static unsigned digits_of(unsigned number)
{
    unsigned digits = 1;
    for (; number >= 10; number /= 10)
        digits++;
    return digits;
}

/* Numbers below each other. In a hex board each row begins half a cell further to the right than the one above. */
void hidato_draw(const holos_variant *v, const holos_position *p, text *out)
{
    const hidato_board *b = hidato_board_of(p);
    bool hex = hidato_kind_of(v) == HIDATO_HEX;
    unsigned width = digits_of(b->cells);
    if (hex && width % 2 == 0)
        width++; /* with its space, a cell has two equal halves */
    for (unsigned row = 0; row < b->rows; row++) {
        text_repeat(out, ' ', hex ? (size_t)row * (width + 1) / 2 : 0);
        for (unsigned column = 0; column < b->columns; column++) {
            uint16_t held = b->numbers[row * b->columns + column];
            unsigned used = hidato_is_number(held) ? digits_of(held) : 1;
            text_repeat(out, ' ', width - used + (column > 0));
            write_cell(held, out);
        }
        text_char(out, '\n');
    }
}

const holos_notation hidato_notations[] = {
    {"line", "rows joined by /, cells by spaces", write_line},
    {"grid", "a line for each row", hidato_draw},
    {"ascent", "a game ID of the puzzle Ascent, of the kind that Simon Tatham's collection has",
     hidato_write_ascent},
    {"json", "rows as arrays; null is an empty cell, \"#\" a hole", hidato_write_json},
    {0},
};

/* ---- Moves ------------------------------------------------------------------------------------- */

void hidato_format_move(const holos_variant *v, const holos_position *p, holos_move move, text *out)
{
    (void)v;
    hidato_place_name(hidato_board_of(p), hidato_move_place(move), out);
    text_printf(out, "=%u", hidato_move_number(move));
}

holos_status hidato_parse_move(const holos_variant *v, const holos_position *p, const char *string,
                               holos_move *out, holos_error *err)
{
    const hidato_board *b = hidato_board_of(p);
    unsigned row, column, number;
    int end = 0;
    if (sscanf(string, "r%2uc%2u=%4u%n", &row, &column, &number, &end) != 3 || string[end] != 0)
        return error_set(err, HOLOS_BAD_MOVE, 0, "a move is a cell and a number, such as r3c7=12");
    if (row < 1 || row > b->rows || column < 1 || column > b->columns)
        return error_set(err, HOLOS_BAD_MOVE, 0, "there is no r%uc%u on a board of %u rows and %u columns",
                         row, column, b->rows, b->columns);
    unsigned place = (row - 1) * b->columns + column - 1;
    holos_status status = hidato_check_move(v, p, place, number, err);
    if (status == HOLOS_OK)
        *out = hidato_move(place, number);
    return status;
}
