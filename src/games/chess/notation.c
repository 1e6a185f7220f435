/* SPDX-License-Identifier: MIT */

#include "games/chess/notation.h"

#include "games/chess/fen.h"

#include <ctype.h>
#include <string.h>

static const char kind_letters[] = ".PNBRQK";
static const char *const kind_names[] = {"", "pawn", "knight", "bishop", "rook", "queen", "king"};

/* ---- Writing ----------------------------------------------------------------------------------- */

static void square_format(unsigned square, text *out)
{
    text_char(out, (char)('a' + chess_file_of(square)));
    text_char(out, (char)('1' + chess_rank_of(square)));
}

void uci_format(chess_move move, text *out)
{
    square_format(move_from(move), out);
    square_format(move_to(move), out);
    if (move_promotion(move) != CHESS_ANY)
        text_char(out, (char)tolower(kind_letters[move_promotion(move)]));
}

/* Which of several pieces of a kind it is: by its file if that tells them apart, else its rank, else both. */
static void san_origin(const chess_position *p, chess_move move, text *out)
{
    chess_move moves[CHESS_MOVES_MOST];
    unsigned count = position_moves(p, moves), from = move_from(move);
    chess_set others = 0;
    for (unsigned i = 0; i < count; i++)
        if (move_kind(moves[i]) == move_kind(move) && move_to(moves[i]) == move_to(move) &&
            move_from(moves[i]) != from)
            others |= chess_bit(move_from(moves[i]));
    if (others == 0)
        return;
    bool by_file = (others & CHESS_FILE_A << chess_file_of(from)) == 0;
    bool by_rank = (others & chess_rank(chess_rank_of(from))) == 0;
    if (by_file || !by_rank)
        text_char(out, (char)('a' + chess_file_of(from)));
    if (!by_file)
        text_char(out, (char)('1' + chess_rank_of(from)));
}

static void san_body(const chess_position *p, chess_move move, text *out)
{
    bool takes = (p->kinds[CHESS_ANY] & chess_bit(move_to(move))) != 0;
    if (move_is_castling(move)) {
        text_string(out, chess_file_of(move_to(move)) == 6 ? "O-O" : "O-O-O");
        return;
    }
    if (move_kind(move) == CHESS_PAWN) {
        takes = chess_file_of(move_from(move)) != chess_file_of(move_to(move));
        if (takes)
            text_char(out, (char)('a' + chess_file_of(move_from(move))));
    } else {
        text_char(out, kind_letters[move_kind(move)]);
        san_origin(p, move, out);
    }
    if (takes)
        text_char(out, 'x');
    square_format(move_to(move), out);
    if (move_promotion(move) != CHESS_ANY)
        text_printf(out, "=%c", kind_letters[move_promotion(move)]);
}

void san_format(const chess_position *p, chess_move move, text *out)
{
    chess_position next;
    san_body(p, move, out);
    position_make(p, move, &next);
    if (position_in_check(&next, next.side))
        text_char(out, position_count_moves(&next) == 0 ? '#' : '+');
}

void pgn_format(const chess_position *p, const chess_move *moves, size_t count, text *out)
{
    chess_position here = *p;
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            text_char(out, ' ');
        if (here.side == CHESS_WHITE)
            text_printf(out, "%u. ", here.number);
        else if (i == 0)
            text_printf(out, "%u... ", here.number);
        san_format(&here, moves[i], out);
        chess_position next;
        position_make(&here, moves[i], &next);
        here = next;
    }
}

/* ---- Reading a move ---------------------------------------------------------------------------- */

/* What a move's text says of it; -1 where it says nothing. */
typedef struct move_words {
    unsigned kind, to, promotion;
    int from_file, from_rank;
    bool any_kind; /* UCI: the squares are enough */
    bool castles;
} move_words;

static int kind_of(char c)
{
    const char *found = c != 0 && c != '.' && c != 'P' ? strchr(kind_letters, c) : NULL;
    return found != NULL ? (int)(found - kind_letters) : -1;
}

static bool is_file(char c)
{
    return c >= 'a' && c <= 'h';
}

static bool is_rank(char c)
{
    return c >= '1' && c <= '8';
}

/* How long what joins to a square is: a sign that says what follows anyway, or nothing. */
static size_t joiner_length(const char *s, size_t length)
{
    bool joins =
        length > 1 && (s[0] == 'x' || s[0] == '-' || s[0] == ':') && (is_file(s[1]) || is_rank(s[1]));
    return joins ? 1 : 0;
}

/* "O-O-O", or with zeros. Returns how long it is, 0 if it is something else. */
static size_t words_castling(const char *s, size_t length, unsigned side, move_words *w)
{
    size_t wings = 0;
    for (size_t i = 0; i < length && (i % 2 == 0 ? s[i] == 'O' || s[i] == '0' : s[i] == '-'); i++)
        wings += i % 2 == 0;
    if (wings != 2 && wings != 3)
        return 0;
    *w = (move_words){.kind = CHESS_KING,
                      .castles = true,
                      .to = (wings == 2 ? 6 : 2) + (side == CHESS_WHITE ? 0 : 56),
                      .from_file = 4,
                      .from_rank = -1};
    return 2 * wings - 1;
}

/* A piece's letter, up to two squares, of which the first may lack its file or rank, and what a pawn becomes. Returns
 * where it ends. */
static size_t words_squares(const char *s, size_t length, move_words *w)
{
    size_t i = 0;
    int file = -1, rank = -1;
    *w = (move_words){.kind = CHESS_PAWN, .from_file = -1, .from_rank = -1, .to = 64};
    if (i < length && kind_of(s[i]) > 0)
        w->kind = (unsigned)kind_of(s[i++]);
    bool letter = i > 0;
    i += letter ? joiner_length(s + i, length - i) : 0;
    for (unsigned squares = 0; squares < 2 && i < length; squares++) {
        int next_file = is_file(s[i]) ? s[i++] - 'a' : -1;
        int next_rank = i < length && is_rank(s[i]) ? s[i++] - '1' : -1;
        if (next_file < 0 && next_rank < 0)
            break;
        w->from_file = file;
        w->from_rank = rank;
        file = next_file;
        rank = next_rank;
        i += joiner_length(s + i, length - i);
    }
    if (file >= 0 && rank >= 0)
        w->to = (unsigned)(8 * rank + file);
    w->any_kind = !letter && w->from_file >= 0 && w->from_rank >= 0;
    if (i < length && s[i] == '=')
        i++;
    int promotion = i < length ? kind_of((char)toupper((unsigned char)s[i])) : -1;
    if (promotion > 0 && promotion != CHESS_KING) {
        w->promotion = (unsigned)promotion;
        i++;
    }
    return i;
}

static bool words_fit(const move_words *w, chess_move move)
{
    return (w->any_kind || move_kind(move) == w->kind) && move_to(move) == w->to &&
           move_promotion(move) == w->promotion && (w->any_kind || w->castles == move_is_castling(move)) &&
           (w->from_file < 0 || chess_file_of(move_from(move)) == (unsigned)w->from_file) &&
           (w->from_rank < 0 || chess_rank_of(move_from(move)) == (unsigned)w->from_rank);
}

/* Why no legal move has the words. */
static holos_status words_refuse(const chess_position *p, const move_words *w, int length, const char *string,
                                 holos_error *err)
{
    move_words queen = *w;
    chess_move moves[CHESS_MOVES_MOST];
    unsigned count = position_moves(p, moves);
    queen.promotion = CHESS_QUEEN;
    for (unsigned i = 0; w->promotion == CHESS_ANY && i < count; i++)
        if (words_fit(&queen, moves[i]))
            return error_set(err, HOLOS_BAD_MOVE, length,
                             "%.*s: say what the pawn becomes, as in e8=Q or e7e8q", length, string);
    if (count == 0)
        return error_set(err, HOLOS_BAD_MOVE, 0, "%.*s: there is no legal move, the game is over", length,
                         string);
    if (w->any_kind || w->castles)
        return error_set(err, HOLOS_BAD_MOVE, 0, "%.*s is not legal here%s", length, string,
                         position_in_check(p, p->side) ? ": the king is in check" : "");
    return error_set(err, HOLOS_BAD_MOVE, 0, "%.*s is not legal here: no %s can go to %c%c", length, string,
                     kind_names[w->kind], 'a' + (int)(w->to & 7), '1' + (int)(w->to >> 3));
}

static holos_status words_resolve(const chess_position *p, const move_words *w, int length,
                                  const char *string, chess_move *out, holos_error *err)
{
    chess_move moves[CHESS_MOVES_MOST], fits[CHESS_MOVES_MOST];
    unsigned count = position_moves(p, moves), found = 0;
    for (unsigned i = 0; i < count; i++)
        if (words_fit(w, moves[i]))
            fits[found++] = moves[i];
    if (found == 0)
        return words_refuse(p, w, length, string, err);
    if (found > 1) {
        char names[128];
        text list;
        text_init_fixed(&list, names, sizeof names);
        for (unsigned i = 0; i < found; i++) {
            text_string(&list, i > 0 ? ", " : "");
            san_format(p, fits[i], &list);
        }
        return error_set(err, HOLOS_BAD_MOVE, 0, "%.*s can be several moves: %s", length, string, names);
    }
    *out = fits[0];
    return HOLOS_OK;
}

holos_status move_parse(const chess_position *p, const char *string, size_t length, chess_move *out,
                        holos_error *err)
{
    move_words w;
    size_t end = words_castling(string, length, p->side, &w);
    int shown = length < 20 ? (int)length : 20;
    if (end == 0) {
        end = words_squares(string, length, &w);
        if (w.to == 64)
            return error_set(err, HOLOS_BAD_MOVE, 0,
                             "expected a move such as e4, Nf3, exd5, O-O, e8=Q, or e2e4 and e7e8q");
    }
    if (length - end >= 4 && memcmp(string + end, "e.p.", 4) == 0)
        end += 4;
    while (end < length && strchr("+#!?", string[end]) != NULL)
        end++;
    if (end < length)
        return error_set(err, HOLOS_BAD_MOVE, (int64_t)end, "unexpected text after the move");
    return words_resolve(p, &w, shown, string, out, err);
}

/* ---- Reading lines ----------------------------------------------------------------------------- */

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Behind a comment, a variation or an annotation at s; s itself if there is none, NULL if it does not end. */
static const char *skip_remark(const char *s)
{
    if (*s == '{') {
        s = strchr(s, '}');
        return s != NULL ? s + 1 : NULL;
    }
    if (*s == ';')
        return s + strcspn(s, "\n");
    if (*s == '$')
        return s + 1 + strspn(s + 1, "0123456789");
    if (*s != '(')
        return s;
    for (unsigned depth = 0; *s != 0;) {
        const char *next = *s == '(' ? s : skip_remark(s);
        if (next == NULL)
            return NULL;
        if (next > s) {
            s = next;
            continue;
        }
        depth += *s == '(';
        depth -= *s == ')';
        s++;
        if (depth == 0)
            return s;
    }
    return NULL;
}

/* Behind a number such as "12." or "12...", with or without the dots; s if there is none. */
static const char *skip_number(const char *s)
{
    const char *end = s + strspn(s, "0123456789");
    if (end > s && (*end == '.' || is_space(*end) || *end == 0))
        s = end;
    return s + strspn(s, ".");
}

static const char *skip_result(const char *s)
{
    static const char *const results[] = {"1-0", "0-1", "1/2-1/2", "*"};
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        size_t length = strlen(results[i]);
        if (strncmp(s, results[i], length) == 0 && (s[length] == 0 || is_space(s[length])))
            return s + length;
    }
    return s;
}

holos_status pgn_read(const char *string, const char **s, chess_position *p, pgn_listener *listener,
                      void *context, holos_error *err)
{
    for (;;) {
        while (is_space(**s))
            ++*s;
        const char *next = skip_remark(*s);
        if (next == NULL)
            return error_set(err, HOLOS_BAD_POSITION, *s - string,
                             "a comment or variation that does not end");
        if (next == *s && skip_result(*s) == *s)
            next = skip_number(*s);
        if (next > *s) {
            *s = next;
            continue;
        }
        if (**s == 0 || skip_result(*s) > *s) {
            *s = skip_result(*s);
            return HOLOS_OK;
        }
        size_t length = strcspn(*s, " \t\n\r{(;$)");
        chess_move move = 0;
        holos_status status = move_parse(p, *s, length, &move, err);
        if (status != HOLOS_OK) {
            if (err != NULL)
                err->at += *s - string;
            if (err != NULL)
                err->code = HOLOS_BAD_POSITION;
            return HOLOS_BAD_POSITION;
        }
        if (listener != NULL)
            listener(context, p, move);
        chess_position after;
        position_make(p, move, &after);
        *p = after;
        *s += length;
    }
}

/* PGN tags at *s. The value of FEN, if there is one, is the position. */
static holos_status read_tags(const char *string, const char **s, chess_position *p, holos_error *err)
{
    while (**s == '[') {
        const char *end = strchr(*s, ']');
        if (end == NULL)
            return error_set(err, HOLOS_BAD_POSITION, *s - string, "a tag without its ]");
        if (strncmp(*s, "[FEN \"", 6) == 0) {
            const char *fen = *s + 6;
            holos_status status = fen_read(string, &fen, p, err);
            if (status != HOLOS_OK)
                return status;
            if (fen[0] != '"')
                return error_set(err, HOLOS_BAD_POSITION, fen - string, "unexpected text after the FEN");
        }
        *s = end + 1;
        while (is_space(**s))
            ++*s;
    }
    return HOLOS_OK;
}

holos_status position_read(const char *string, chess_position *out, pgn_listener *listener, void *context,
                           holos_error *err)
{
    chess_position p;
    const char *s = CHESS_START_FEN;
    holos_status status = fen_read(s, &s, &p, err);
    for (s = string; is_space(*s);)
        s++;
    const char *slash = strpbrk(s, "/ \t\n");
    if (*s == '[')
        status = read_tags(string, &s, &p, err);
    else if (slash != NULL && *slash == '/' && strncmp(s, "1/2-", 4) != 0)
        status = fen_read(string, &s, &p, err);
    else if (strncmp(s, "startpos", 8) == 0)
        s += 8;
    if (status != HOLOS_OK)
        return status;
    while (is_space(*s))
        s++;
    if (strncmp(s, "moves", 5) == 0 && (s[5] == 0 || is_space(s[5])))
        s += 5;
    status = pgn_read(string, &s, &p, listener, context, err);
    if (status != HOLOS_OK)
        return status;
    while (is_space(*s))
        s++;
    if (*s != 0)
        return error_set(err, HOLOS_BAD_POSITION, s - string, "unexpected text after the result");
    *out = p;
    return HOLOS_OK;
}
