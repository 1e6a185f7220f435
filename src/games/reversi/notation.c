/* SPDX-License-Identifier: MIT */

/* Positions and moves as text: transcripts, boards, games in GGF. */

#include "games/reversi/reversi.h"

#include <ctype.h>
#include <strings.h>

static const char side_names[] = "XO";

static const char *skip_spaces(const char *s)
{
    while (isspace((unsigned char)*s))
        s++;
    return s;
}

/* ---- Moves ------------------------------------------------------------------------------------- */

static void cell_format(unsigned cell, text *out)
{
    text_char(out, (char)('a' + cell % 8));
    text_char(out, (char)('1' + cell / 8));
}

static void cells_list(uint64_t cells, text *out)
{
    for (const char *before = ""; cells != 0; cells &= cells - 1, before = " ") {
        text_string(out, before);
        cell_format(reversi_first(cells), out);
    }
}

/* "f5" as a number; false if it is not a cell of the board. */
static bool cell_read(const char *s, unsigned size, unsigned *out)
{
    int file = tolower((unsigned char)s[0]) - 'a', rank = file >= 0 && s[0] != 0 ? s[1] - '1' : -1;
    if (file < 0 || rank < 0 || file >= (int)size || rank >= (int)size)
        return false;
    *out = (unsigned)(8 * rank + file);
    return true;
}

/* How long a pass is at s, as people write it; 0: there is none. */
static size_t pass_length(const char *s)
{
    static const char *const words[] = {"pass", "pa", "ps", "--", "@@"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncasecmp(s, words[i], strlen(words[i])) == 0)
            return strlen(words[i]);
    return 0;
}

/* The error for a move that is not legal: it names those that are. */
static holos_status move_error(const reversi_position *p, const reversi_rules *rules, const char *s,
                               size_t length, holos_status code, int64_t at, holos_error *err)
{
    text legal;
    text_init(&legal);
    cells_list(reversi_moves(p->board, rules->cells), &legal);
    char who = side_names[p->side];
    if (legal.length > 0)
        error_set(err, code, at, "%.*s is not a move of %c here; legal are %s", (int)length, s, who,
                  legal.data);
    else if (reversi_is_over(p->board, rules->cells))
        error_set(err, code, at, "%.*s: the game is over", (int)length, s);
    else
        error_set(err, code, at, "%.*s: %c has no move here and must pass", (int)length, s, who);
    text_free(&legal);
    return code;
}

/* Reads a cell or a pass that is legal here; `at` is where s stands in what the user wrote. */
static holos_status move_read(const reversi_position *p, const reversi_rules *rules, const char *s,
                              size_t *length, holos_status code, int64_t at, unsigned *out, holos_error *err)
{
    char shown[8];
    uint64_t moves = reversi_moves(p->board, rules->cells);
    *length = pass_length(s);
    if (*length > 0) {
        *out = REVERSI_PASS;
        if (moves == 0 && !reversi_is_over(p->board, rules->cells))
            return HOLOS_OK;
        return move_error(p, rules, s, *length, code, at, err);
    }
    if (!cell_read(s, rules->size, out))
        return error_set(err, code, at, "'%s' does not begin a move: moves are cells, a1 to %c%c",
                         text_show_char((unsigned char)s[0], shown), (char)('a' + rules->size - 1),
                         (char)('0' + rules->size));
    *length = 2;
    if ((moves >> *out & 1) == 0)
        return move_error(p, rules, s, 2, code, at, err);
    return HOLOS_OK;
}

static void move_play(reversi_position *p, unsigned move)
{
    p->board = move == REVERSI_PASS ? reversi_pass(p->board)
                                    : reversi_after(p->board, move, reversi_turned_portable(p->board, move));
    p->side = 1 - p->side;
}

/* In transcripts passes may be left out. */
static void pass_if_need_be(reversi_position *p, const reversi_rules *rules)
{
    if (reversi_moves(p->board, rules->cells) == 0 && !reversi_is_over(p->board, rules->cells))
        move_play(p, REVERSI_PASS);
}

static holos_status parse_moves(const holos_variant *v, const char *string, reversi_position *p,
                                holos_error *err)
{
    const reversi_rules *rules = reversi_rules_of(v);
    for (const char *s = skip_spaces(string); *s != 0;) {
        unsigned move = 0;
        size_t length = 0;
        if (pass_length(s) == 0)
            pass_if_need_be(p, rules);
        holos_status status = move_read(p, rules, s, &length, HOLOS_BAD_POSITION, s - string, &move, err);
        if (status != HOLOS_OK)
            return status;
        move_play(p, move);
        s = skip_spaces(s + length);
    }
    return HOLOS_OK;
}

/* ---- Boards ------------------------------------------------------------------------------------ */

/* 0: X, 1: O, 2: empty, -1: nothing of the kind. */
static int cell_kind(char c)
{
    const char *kinds = "XxBb*OoWw-.";
    const char *at = c != 0 ? strchr(kinds, c) : NULL;
    return at == NULL ? -1 : at < kinds + 5 ? 0 : at < kinds + 9 ? 1 : 2;
}

static bool is_between(char c)
{
    return isspace((unsigned char)c) || c == '/' || c == '|';
}

/* Reads the cells of a board into the discs of X and O, and moves *s behind them. */
static holos_status cells_read(const reversi_rules *rules, const char *string, const char **s,
                               uint64_t discs[2], holos_error *err)
{
    unsigned size = rules->size, count = size * size;
    for (unsigned i = 0; i < count; (*s)++) {
        char shown[8];
        int kind = cell_kind(**s);
        if (**s != 0 && is_between(**s))
            continue;
        if (**s == 0)
            return error_set(err, HOLOS_BAD_POSITION, *s - string,
                             "a board of reversi:%u has %u cells, but here are only %u", size, count, i);
        if (kind < 0)
            return error_set(err, HOLOS_BAD_POSITION, *s - string, "'%s' is not a cell: write X, O or -",
                             text_show_char((unsigned char)**s, shown));
        if (kind < 2)
            discs[kind] |= UINT64_C(1) << (i / size * 8 + i % size);
        i++;
    }
    return HOLOS_OK;
}

static holos_status side_read(const reversi_rules *rules, const char *string, const char **s, uint64_t *side,
                              holos_error *err)
{
    while (**s != 0 && is_between(**s))
        (*s)++;
    int kind = cell_kind(**s);
    if (kind == 2)
        return error_set(err, HOLOS_BAD_POSITION, *s - string,
                         "a board of reversi:%u has %u cells, but here are more", rules->size,
                         rules->size * rules->size);
    if (kind < 0)
        return error_set(err, HOLOS_BAD_POSITION, *s - string, "%s",
                         **s == 0 ? "after the cells comes who moves: X or O" : "who moves is X or O");
    *side = (uint64_t)kind;
    (*s)++;
    return HOLOS_OK;
}

static holos_status board_check(const reversi_rules *rules, const uint64_t discs[2], holos_error *err)
{
    uint64_t both = discs[0] | discs[1];
    if (both == 0)
        return error_set(err, HOLOS_BAD_POSITION, HOLOS_NOWHERE, "there is no disc on the board");
    if ((rules->middle & ~both) != 0) {
        char name[4];
        text t;
        text_init_fixed(&t, name, sizeof name);
        cell_format(reversi_first(rules->middle & ~both), &t);
        return error_set(err, HOLOS_BAD_POSITION, HOLOS_NOWHERE,
                         "%s is empty, but the four cells in the middle never are", name);
    }
    return HOLOS_OK;
}

/* Reads a board and who moves; *s is moved behind it. */
static holos_status board_read(const reversi_rules *rules, const char *string, const char **s,
                               reversi_position *out, holos_error *err)
{
    uint64_t discs[2] = {0, 0}, side = 0;
    holos_status status = cells_read(rules, string, s, discs, err);
    if (status == HOLOS_OK)
        status = side_read(rules, string, s, &side, err);
    if (status == HOLOS_OK)
        status = board_check(rules, discs, err);
    if (status == HOLOS_OK)
        *out = (reversi_position){.board = {discs[side], discs[1 - side]}, .side = side};
    return status;
}

static holos_status parse_board(const holos_variant *v, const char *string, reversi_position *out,
                                holos_error *err)
{
    const char *s = string;
    holos_status status = board_read(reversi_rules_of(v), string, &s, out, err);
    if (status != HOLOS_OK)
        return status;
    s = skip_spaces(s);
    if (*s != 0 && *s != ';') /* what follows is what others know of the position */
        return error_set(err, HOLOS_BAD_POSITION, s - string, "unexpected text behind the board: %.20s", s);
    return HOLOS_OK;
}

/* ---- GGF --------------------------------------------------------------------------------------- */

/* Finds the next "NAME[" at or behind s; the value begins at *value. False at the end. */
static bool property_next(const char *s, char name[4], const char **value)
{
    for (; *s != 0; s++) {
        size_t length = 0;
        while (length < 3 && isupper((unsigned char)s[length]))
            length++;
        if (length > 0 && s[length] == '[') {
            memcpy(name, s, length);
            name[length] = 0;
            *value = s + length + 1;
            return true;
        }
    }
    return false;
}

static holos_status ggf_board(const reversi_rules *rules, const char *string, const char *value,
                              reversi_position *out, holos_error *err)
{
    const char *s = skip_spaces(value);
    unsigned size = 0;
    while (isdigit((unsigned char)*s) && size < 100)
        size = 10 * size + (unsigned)(*s++ - '0');
    if (size != rules->size)
        return error_set(err, HOLOS_BAD_POSITION, value - string,
                         "this game is played on a board of %u, not of %u", size, rules->size);
    return board_read(rules, string, &s, out, err);
}

static holos_status parse_ggf(const holos_variant *v, const char *string, reversi_position *p,
                              holos_error *err)
{
    const reversi_rules *rules = reversi_rules_of(v);
    char name[4];
    const char *value = string;
    bool has_board = false;
    while (property_next(value, name, &value)) {
        holos_status status = HOLOS_OK;
        bool move = strcmp(name, "B") == 0 || strcmp(name, "W") == 0;
        if (strcmp(name, "BO") == 0) {
            status = ggf_board(rules, string, value, p, err);
            has_board = true;
        } else if (move && !has_board) {
            status =
                error_set(err, HOLOS_BAD_POSITION, value - string, "a move stands before the board BO[…]");
        } else if (move) {
            unsigned cell = 0;
            size_t length = 0;
            if (p->side != (name[0] == 'W'))
                pass_if_need_be(p, rules);
            if (p->side != (name[0] == 'W'))
                return error_set(err, HOLOS_BAD_POSITION, value - string,
                                 "%s moves, but it is the other's turn", name);
            status = move_read(p, rules, value, &length, HOLOS_BAD_POSITION, value - string, &cell, err);
            if (status == HOLOS_OK)
                move_play(p, cell);
        }
        if (status != HOLOS_OK)
            return status;
        const char *end = strchr(value, ']');
        if (end == NULL)
            return error_set(err, HOLOS_BAD_POSITION, value - string, "%s[ is not closed", name);
        value = end + 1;
    }
    if (!has_board)
        return error_set(err, HOLOS_BAD_POSITION, HOLOS_NOWHERE, "a game in GGF has its board in BO[…]");
    return HOLOS_OK;
}

/* ---- The contract ------------------------------------------------------------------------------ */

holos_status reversi_parse(const holos_variant *v, const char *string, holos_position *out, holos_error *err)
{
    reversi_position p;
    const char *s = skip_spaces(string);
    reversi_start(v, (holos_position *)&p);
    /* b and B stand for a disc in other people's boards, and for a file in moves: there a digit follows. */
    bool letters = *s != 0 && strchr("XxOoWw*-.", *s) != NULL;
    bool blacks = (*s == 'b' || *s == 'B') && !isdigit((unsigned char)s[1]);
    holos_status status = *s == '('           ? parse_ggf(v, string, &p, err)
                          : letters || blacks ? parse_board(v, string, &p, err)
                                              : parse_moves(v, string, &p, err);
    if (status == HOLOS_OK)
        memcpy(out, &p, sizeof p);
    return status;
}

static char cell_char(const reversi_position *p, unsigned cell)
{
    if ((p->board.mine >> cell & 1) != 0)
        return side_names[p->side];
    return (p->board.theirs >> cell & 1) != 0 ? side_names[1 - p->side] : '-';
}

void reversi_format(const holos_variant *v, const holos_position *position, text *out)
{
    const reversi_position *p = reversi_of(position);
    for (uint64_t left = reversi_rules_of(v)->cells; left != 0; left &= left - 1)
        text_char(out, cell_char(p, reversi_first(left)));
    text_char(out, ' ');
    text_char(out, side_names[p->side]);
}

holos_status reversi_parse_move(const holos_variant *v, const holos_position *position, const char *string,
                                holos_move *out, holos_error *err)
{
    const reversi_rules *rules = reversi_rules_of(v);
    const reversi_position *p = reversi_of(position);
    unsigned move = 0;
    size_t length = 0;
    if (reversi_is_over(p->board, rules->cells))
        return error_set(err, HOLOS_BAD_MOVE, HOLOS_NOWHERE, "the game is over");
    holos_status status = move_read(p, rules, string, &length, HOLOS_BAD_MOVE, 0, &move, err);
    if (status == HOLOS_OK && string[length] != 0)
        status = error_set(err, HOLOS_BAD_MOVE, (int64_t)length, "a move is one cell, such as f5, or pass");
    if (status == HOLOS_OK)
        *out = move;
    return status;
}

void reversi_format_move(const holos_variant *v, const holos_position *p, holos_move move, text *out)
{
    (void)v;
    (void)p;
    if (move == REVERSI_PASS)
        text_string(out, "pass");
    else
        cell_format(move, out);
}

static void state_describe(const reversi_position *p, const reversi_rules *rules, text *out)
{
    unsigned mine = reversi_count(p->board.mine), theirs = reversi_count(p->board.theirs);
    unsigned x = p->side == 0 ? mine : theirs, o = p->side == 0 ? theirs : mine;
    if (reversi_is_over(p->board, rules->cells))
        text_string(out, x == o ? "a draw" : x > o ? "X has won" : "O has won");
    else
        text_printf(out, "%c to move", side_names[p->side]);
    text_printf(out, ", X %u, O %u\n", x, o);
}

void reversi_draw(const holos_variant *v, const holos_position *position, text *out)
{
    const reversi_position *p = reversi_of(position);
    const reversi_rules *rules = reversi_rules_of(v);
    text_char(out, ' ');
    for (unsigned file = 0; file < rules->size; file++)
        text_printf(out, " %c", (char)('a' + file));
    text_char(out, '\n');
    for (unsigned rank = 0; rank < rules->size; rank++) {
        text_printf(out, "%u", rank + 1);
        for (unsigned file = 0; file < rules->size; file++)
            text_printf(out, " %c", cell_char(p, 8 * rank + file));
        text_char(out, '\n');
    }
    state_describe(p, rules, out);
}

/* As many rows as the board has, and who moves. */
static void write_grid(const holos_variant *v, const holos_position *position, text *out)
{
    const reversi_position *p = reversi_of(position);
    unsigned size = reversi_rules_of(v)->size;
    for (unsigned rank = 0; rank < size; rank++) {
        for (unsigned file = 0; file < size; file++)
            text_char(out, cell_char(p, 8 * rank + file));
        text_char(out, '\n');
    }
    text_printf(out, "%c\n", side_names[p->side]);
}

static void write_line(const holos_variant *v, const holos_position *position, text *out)
{
    reversi_format(v, position, out);
    text_char(out, '\n');
}

static void write_ggf(const holos_variant *v, const holos_position *position, text *out)
{
    const reversi_position *p = reversi_of(position);
    unsigned size = reversi_rules_of(v)->size;
    text_printf(out, "(;GM[Othello]TY[%u]BO[%u ", size, size);
    for (uint64_t left = reversi_rules_of(v)->cells; left != 0; left &= left - 1) {
        char c = cell_char(p, reversi_first(left));
        text_char(out, c == 'X' ? '*' : c);
    }
    text_printf(out, " %c];)\n", p->side == 0 ? '*' : 'O');
}

const holos_notation reversi_notations[] = {
    {"line", "the cells in a line, then who moves", write_line},
    {"grid", "a line for each rank, then who moves", write_grid},
    {"ggf", "the generic game format of game servers", write_ggf},
    {0},
};

/* ---- A picture --------------------------------------------------------------------------------- */

enum { SIDE = 52, MARGIN = 26 }; /* pixels: of a cell, around the board */

static void picture_cell(const reversi_position *p, uint64_t moves, unsigned cell, text *out)
{
    char c = cell_char(p, cell);
    unsigned x = MARGIN + SIDE * (cell % 8) + SIDE / 2, y = MARGIN + SIDE * (cell / 8) + SIDE / 2;
    if (c != '-')
        text_printf(out, "<circle class=\"%c\" cx=\"%u\" cy=\"%u\" r=\"%d\"/>\n", c == 'X' ? 'x' : 'o', x, y,
                    SIDE * 2 / 5);
    else if ((moves >> cell & 1) != 0)
        text_printf(out, "<circle class=\"m\" cx=\"%u\" cy=\"%u\" r=\"%d\"/>\n", x, y, SIDE / 10);
}

void reversi_picture(const holos_variant *v, const holos_position *position, const holos_step *step,
                     text *out)
{
    (void)step; /* there are no deductions */
    const reversi_position *p = reversi_of(position);
    const reversi_rules *rules = reversi_rules_of(v);
    unsigned size = rules->size, board = SIDE * size, whole = board + 2 * MARGIN;
    uint64_t moves = reversi_moves(p->board, rules->cells);
    text_printf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
                "viewBox=\"0 0 %u %u\">\n"
                "<style>\n"
                "text{font-family:sans-serif;font-size:14px;text-anchor:middle;fill:#777}\n"
                ".x{fill:#111}.o{fill:#fff;stroke:#555}.m{fill:#0b3d1e;fill-opacity:.55}.l{stroke:#0b3d1e}\n"
                "</style>\n"
                "<rect width=\"%u\" height=\"%u\" fill=\"#fff\"/>\n"
                "<rect x=\"%d\" y=\"%d\" width=\"%u\" height=\"%u\" fill=\"#2e8b57\"/>\n",
                whole, whole, whole, whole, whole, whole, MARGIN, MARGIN, board, board);
    for (unsigned i = 0; i <= size; i++)
        text_printf(out, "<path class=\"l\" d=\"M%u %uH%uM%u %uV%u\"/>\n", MARGIN, MARGIN + SIDE * i,
                    MARGIN + board, MARGIN + SIDE * i, MARGIN, MARGIN + board);
    for (unsigned i = 0; i < size; i++)
        text_printf(out, "<text x=\"%u\" y=\"%d\">%c</text>\n<text x=\"%d\" y=\"%u\">%u</text>\n",
                    MARGIN + SIDE * i + SIDE / 2, MARGIN * 3 / 4, (char)('a' + i), MARGIN / 2,
                    MARGIN + SIDE * i + SIDE / 2 + 5, i + 1);
    for (uint64_t left = rules->cells; left != 0; left &= left - 1)
        picture_cell(p, moves, reversi_first(left), out);
    text_string(out, "</svg>\n");
}
