/* SPDX-License-Identifier: MIT */

#include "games/chess/fen.h"

#include "games/chess/checks.h"
#include "games/chess/material.h"

#include <string.h>

static const char piece_chars[] = ".PNBRQK..pnbrqk.";
static const char *const side_names[2] = {"white", "black"};

#define FAIL(s, ...) error_set(err, HOLOS_BAD_POSITION, (s)-string, __VA_ARGS__)

char fen_piece_char(unsigned piece)
{
    return piece_chars[piece];
}

unsigned fen_piece_code(char c)
{
    const char *found = c != 0 && c != '.' ? strchr(piece_chars, c) : NULL;
    return found != NULL ? (unsigned)(found - piece_chars) : 0;
}

/* ---- What a position must be like -------------------------------------------------------------- */

static const char *castling_fault(const chess_position *p)
{
    static const struct {
        unsigned right, side, king, rook;
        const char *fault;
    } rights[] = {
        {CHESS_WHITE_SHORT, CHESS_WHITE, CHESS_E1, CHESS_H1,
         "castling K needs a white king on e1 and a white rook on h1"},
        {CHESS_WHITE_LONG, CHESS_WHITE, CHESS_E1, CHESS_A1,
         "castling Q needs a white king on e1 and a white rook on a1"},
        {CHESS_BLACK_SHORT, CHESS_BLACK, CHESS_E8, CHESS_H8,
         "castling k needs a black king on e8 and a black rook on h8"},
        {CHESS_BLACK_LONG, CHESS_BLACK, CHESS_E8, CHESS_A8,
         "castling q needs a black king on e8 and a black rook on a8"},
    };
    for (size_t i = 0; i < 4; i++)
        if ((p->castling & rights[i].right) != 0 &&
            (position_piece_at(p, rights[i].king) != piece_make(rights[i].side, CHESS_KING) ||
             position_piece_at(p, rights[i].rook) != piece_make(rights[i].side, CHESS_ROOK)))
            return rights[i].fault;
    return NULL;
}

const char *position_fault(const chess_position *p)
{
    for (unsigned side = 0; side < 2; side++) {
        const char *fault = material_fault(p, side);
        if (fault != NULL)
            return fault;
    }
    if ((p->kinds[CHESS_PAWN] & (CHESS_RANK_1 | CHESS_RANK_8)) != 0)
        return "a pawn stands on the first or the last rank";
    if (position_in_check(p, 1 - p->side))
        return p->side == CHESS_WHITE ? "black is in check, but white is to move"
                                      : "white is in check, but black is to move";
    const char *fault = checks_fault(p);
    return fault != NULL ? fault : castling_fault(p);
}

/* ---- Reading ----------------------------------------------------------------------------------- */

static holos_status read_rank(const char *string, const char **s, unsigned rank, chess_position *p,
                              holos_error *err)
{
    unsigned file = 0;
    bool after_digit = false;
    for (; **s != 0 && **s != '/' && **s != ' '; ++*s) {
        unsigned piece = fen_piece_code(**s);
        bool digit = **s >= '1' && **s <= '8';
        if (!digit && piece == 0) {
            char shown[8];
            return FAIL(*s, "'%s' in rank %u: expected a piece (PNBRQKpnbrqk) or a number of empty squares",
                        text_show_char((unsigned char)**s, shown), rank + 1);
        }
        if (digit && after_digit)
            return FAIL(*s, "two numbers side by side in rank %u: write their sum", rank + 1);
        after_digit = digit;
        if (file + (digit ? (unsigned)(**s - '0') : 1) > 8)
            return FAIL(*s, "rank %u has more than 8 squares", rank + 1);
        if (digit)
            file += (unsigned)(**s - '0');
        else
            position_put(p, piece, 8 * rank + file++);
    }
    if (file < 8)
        return FAIL(*s, "rank %u has %u squares instead of 8", rank + 1, file);
    return HOLOS_OK;
}

static holos_status read_board(const char *string, const char **s, chess_position *p, holos_error *err)
{
    for (unsigned rank = 8; rank-- > 0;) {
        holos_status status = read_rank(string, s, rank, p, err);
        if (status != HOLOS_OK)
            return status;
        if (rank > 0 && **s != '/')
            return FAIL(*s, "expected '/' and rank %u: the board has eight ranks, from the eighth down",
                        rank);
        *s += rank > 0;
    }
    if (**s == '/')
        return FAIL(*s, "the board has more than eight ranks");
    return HOLOS_OK;
}

static holos_status read_space(const char *string, const char **s, const char *what, holos_error *err)
{
    if (**s != ' ')
        return FAIL(*s, "expected a space and %s", what);
    while (**s == ' ')
        ++*s;
    return HOLOS_OK;
}

static holos_status read_side(const char *string, const char **s, chess_position *p, holos_error *err)
{
    holos_status status = read_space(string, s, "who is to move, w or b", err);
    if (status != HOLOS_OK)
        return status;
    if (**s != 'w' && **s != 'b')
        return FAIL(*s, "who is to move is written w or b");
    p->side = **s == 'b';
    ++*s;
    return HOLOS_OK;
}

static holos_status read_castling(const char *string, const char **s, chess_position *p, holos_error *err)
{
    static const char letters[] = "KQkq";
    holos_status status = read_space(string, s, "the castling rights, such as KQkq or -", err);
    if (status != HOLOS_OK)
        return status;
    if (**s == '-') {
        ++*s;
        return HOLOS_OK;
    }
    const char *first = *s;
    for (; **s != 0 && **s != ' '; ++*s) {
        const char *found = strchr(letters, **s);
        if (found == NULL || (p->castling >> (found - letters)) != 0)
            return FAIL(*s, "castling rights are letters of KQkq, in this order, or -");
        p->castling |= (uint8_t)(1 << (found - letters));
    }
    return *s > first ? HOLOS_OK : FAIL(*s, "expected the castling rights, letters of KQkq or -");
}

/* Reads the square; it is looked at when the rest of the position is known to be sound. */
static holos_status read_en_passant(const char *string, const char **s, chess_position *p, holos_error *err)
{
    holos_status status = read_space(string, s, "the en passant square, or -", err);
    if (status != HOLOS_OK)
        return status;
    if (**s == '-') {
        ++*s;
        return HOLOS_OK;
    }
    char rank = p->side == CHESS_WHITE ? '6' : '3';
    if ((*s)[0] < 'a' || (*s)[0] > 'h' || (*s)[1] != rank)
        return FAIL(*s, "the en passant square is on rank %c when %s is to move, or -", rank,
                    side_names[p->side]);
    p->en_passant = (uint8_t)((*s)[0] - 'a' + 8 * ((*s)[1] - '1'));
    *s += 2;
    return HOLOS_OK;
}

/* A number below `most`, in the usual notation. */
static holos_status read_number(const char *string, const char **s, unsigned most, const char *what,
                                unsigned *out, holos_error *err)
{
    const char *first = *s;
    *out = 0;
    for (; **s >= '0' && **s <= '9' && *out <= most; ++*s)
        *out = 10 * *out + (unsigned)(**s - '0');
    if (*s == first)
        return FAIL(first, "expected %s", what);
    if (*out > most)
        return FAIL(first, "%s is at most %u", what, most);
    return HOLOS_OK;
}

static holos_status read_clocks(const char *string, const char **s, chess_position *p, holos_error *err)
{
    const char *next = *s;
    unsigned clock = 0, number = 1;
    while (*next == ' ')
        next++;
    if (*next >= '0' && *next <= '9') {
        *s = next;
        holos_status status =
            read_number(string, s, 150, "the clock (plies without a capture or pawn move)", &clock, err);
        if (status == HOLOS_OK)
            status = read_space(string, s, "the number of the move", err);
        const char *first = *s;
        if (status == HOLOS_OK)
            status = read_number(string, s, 9999, "the number of the move", &number, err);
        if (status != HOLOS_OK)
            return status;
        if (number == 0)
            return FAIL(first, "moves are numbered from 1");
    }
    p->clock = (uint8_t)clock;
    p->number = (uint16_t)number;
    return HOLOS_OK;
}

/* A pawn has just gone past the square: it stands behind, and where it came from is empty. */
static holos_status check_en_passant(const char *string, const char *at, chess_position *p, holos_error *err)
{
    unsigned square = p->en_passant, them = 1 - p->side;
    if (square == 0)
        return HOLOS_OK;
    unsigned origin = p->side == CHESS_WHITE ? square + 8 : square - 8;
    if (position_piece_at(p, square ^ 8) != piece_make(them, CHESS_PAWN))
        return FAIL(at, "en passant on %c%c: no %s pawn has just gone past it", 'a' + (int)(square & 7),
                    '1' + (int)(square >> 3), side_names[them]);
    if ((p->kinds[CHESS_ANY] & (chess_bit(square) | chess_bit(origin))) != 0)
        return FAIL(at, "en passant on %c%c: the pawn's way was not free", 'a' + (int)(square & 7),
                    '1' + (int)(square >> 3));
    if (p->clock != 0)
        return FAIL(at, "en passant, but the clock says that the last move was not a pawn's");
    if (en_passant_pawns(p, p->side, square) == 0)
        p->en_passant = 0;
    return HOLOS_OK;
}

holos_status fen_read(const char *string, const char **s, chess_position *out, holos_error *err)
{
    chess_position p = {0};
    holos_status status = read_board(string, s, &p, err);
    if (status == HOLOS_OK)
        status = read_side(string, s, &p, err);
    if (status == HOLOS_OK)
        status = read_castling(string, s, &p, err);
    if (status == HOLOS_OK)
        status = read_en_passant(string, s, &p, err);
    if (status != HOLOS_OK)
        return status;
    const char *at = *s - (p.en_passant != 0 ? 2 : 1);
    status = read_clocks(string, s, &p, err);
    if (status != HOLOS_OK)
        return status;
    const char *fault = position_fault(&p);
    if (fault != NULL)
        return FAIL(string, "%s", fault);
    status = check_en_passant(string, at, &p, err);
    if (status == HOLOS_OK)
        *out = p;
    return status;
}

holos_status fen_parse(const char *string, chess_position *out, holos_error *err)
{
    const char *s = string;
    chess_position p;
    holos_status status = fen_read(string, &s, &p, err);
    if (status != HOLOS_OK)
        return status;
    while (*s == ' ' || *s == '\n' || *s == '\r')
        s++;
    if (*s != 0)
        return FAIL(s, "unexpected text after the FEN");
    *out = p;
    return HOLOS_OK;
}

/* ---- Writing ----------------------------------------------------------------------------------- */

static void format_rank(const chess_position *p, unsigned rank, text *out)
{
    char empty = 0;
    for (unsigned file = 0; file < 8; file++) {
        unsigned piece = position_piece_at(p, 8 * rank + file);
        if (piece == 0) {
            empty++;
            continue;
        }
        if (empty > 0)
            text_char(out, (char)('0' + empty));
        empty = 0;
        text_char(out, fen_piece_char(piece));
    }
    if (empty > 0)
        text_char(out, (char)('0' + empty));
}

void fen_format(const chess_position *p, text *out)
{
    for (unsigned rank = 8; rank-- > 0;) {
        format_rank(p, rank, out);
        if (rank > 0)
            text_char(out, '/');
    }
    text_printf(out, " %c ", "wb"[p->side]);
    for (unsigned i = 0; i < 4; i++)
        if ((p->castling >> i & 1) != 0)
            text_char(out, "KQkq"[i]);
    if (p->castling == 0)
        text_char(out, '-');
    if (p->en_passant != 0)
        text_printf(out, " %c%c", 'a' + (int)(p->en_passant & 7), '1' + (int)(p->en_passant >> 3));
    else
        text_string(out, " -");
    text_printf(out, " %u %u", p->clock, p->number);
}
