/* SPDX-License-Identifier: MIT */

/* Positions are written as people see them, the first player's half first; boards are seen from the side
 * to move. */

#include "games/kalah/kalah.h"

#include "core/json.h"

#include <stdio.h>

#include <math.h>

/* The half of a player: pits, then the store. */
static const uint8_t *half_of(const kalah_rules *rules, const uint8_t *board, unsigned player)
{
    unsigned half = rules->pits + 1, side = board[2 * half];
    return player == side ? board : board + half;
}

/* ---- Positions --------------------------------------------------------------------------------- */

/* Reads a count of seeds and moves *s behind it. */
static holos_status read_seeds(const char *string, const char **s, unsigned *total, uint8_t *out,
                               holos_error *err)
{
    const char *first = *s;
    unsigned seeds = 0;
    for (; **s >= '0' && **s <= '9' && seeds <= KALAH_MAX_SEEDS; ++*s)
        seeds = 10 * seeds + (unsigned)(**s - '0');
    if (*s == first)
        return error_set(err, HOLOS_BAD_POSITION, first - string, "expected a number of seeds");
    *total += seeds;
    if (seeds > KALAH_MAX_SEEDS || *total > KALAH_MAX_SEEDS)
        return error_set(err, HOLOS_BAD_POSITION, first - string, "more than %d seeds on the board",
                         KALAH_MAX_SEEDS);
    *out = (uint8_t)seeds;
    return HOLOS_OK;
}

/* Reads "4,4,4,4,4,4,0": the pits of one player, then the store. */
static holos_status read_half(const kalah_rules *rules, const char *string, const char **s, unsigned *total,
                              uint8_t *out, holos_error *err)
{
    for (unsigned i = 0; i <= rules->pits; i++) {
        if (i > 0 && **s != ',')
            return error_set(err, HOLOS_BAD_POSITION, *s - string,
                             "expected a comma: a player has %u pits and a store", rules->pits);
        *s += i > 0;
        holos_status status = read_seeds(string, s, total, &out[i], err);
        if (status != HOLOS_OK)
            return status;
    }
    return HOLOS_OK;
}

holos_status kalah_parse(const holos_variant *v, const char *string, holos_position *out, holos_error *err)
{
    const kalah_rules *rules = kalah_rules_of(v);
    unsigned half = rules->pits + 1, total = 0;
    uint8_t board[KALAH_MAX_BYTES] = {0};
    const char *s = string;
    holos_status status = read_half(rules, string, &s, &total, board, err);
    if (status != HOLOS_OK)
        return status;
    if (*s != '/')
        return error_set(err, HOLOS_BAD_POSITION, s - string,
                         "expected / after the %u pits and the store of player 1", rules->pits);
    s++;
    status = read_half(rules, string, &s, &total, board + half, err);
    if (status != HOLOS_OK)
        return status;
    if (strcmp(s, " 1") != 0 && strcmp(s, " 2") != 0)
        return error_set(err, HOLOS_BAD_POSITION, s - string,
                         "after both halves comes a space and who is to move, 1 or 2");
    if (s[1] == '2')
        kalah_turn(rules, board);
    memcpy(out, board, v->position_size);
    return HOLOS_OK;
}

void kalah_format(const holos_variant *v, const holos_position *p, text *out)
{
    const kalah_rules *rules = kalah_rules_of(v);
    const uint8_t *board = kalah_board_of(p);
    for (unsigned player = 0; player < 2; player++) {
        const uint8_t *half = half_of(rules, board, player);
        for (unsigned i = 0; i <= rules->pits; i++)
            text_printf(out, "%s%u", i > 0 ? "," : player > 0 ? "/" : "", half[i]);
    }
    text_printf(out, " %u", board[2 * rules->pits + 2] + 1);
}

/* ---- Moves ------------------------------------------------------------------------------------- */

holos_status kalah_parse_move(const holos_variant *v, const holos_position *p, const char *string,
                              holos_move *out, holos_error *err)
{
    const kalah_rules *rules = kalah_rules_of(v);
    if (kalah_is_over(rules, kalah_board_of(p)))
        return error_set(err, HOLOS_BAD_MOVE, HOLOS_NOWHERE, "the game is over");
    if (string[0] < '1' || string[0] > (char)('0' + rules->pits) || string[1] != 0)
        return error_set(err, HOLOS_BAD_MOVE, 0, "'%.40s' is not a pit: a move is one of 1 to %u", string,
                         rules->pits);
    unsigned pit = (unsigned)(string[0] - '1');
    if (kalah_board_of(p)[pit] == 0)
        return error_set(err, HOLOS_BAD_MOVE, 0, "pit %u is empty", pit + 1);
    *out = pit;
    return HOLOS_OK;
}

void kalah_format_move(const holos_variant *v, const holos_position *p, holos_move move, text *out)
{
    (void)v;
    (void)p;
    text_int(out, (int64_t)move + 1);
}

/* ---- Drawing ----------------------------------------------------------------------------------- */

static void draw_status(const kalah_rules *rules, const uint8_t *board, text *out)
{
    unsigned player = board[2 * rules->pits + 2] + 1u;
    if (!kalah_is_over(rules, board)) {
        text_printf(out, "player %u to move\n", player);
        return;
    }
    int ahead = (int)board[rules->pits] - (int)board[2 * rules->pits + 1] + kalah_left_over(rules, board);
    if (ahead == 0)
        text_string(out, "the game is over: a draw\n");
    else
        text_printf(out, "the game is over: player %u wins by %d\n", ahead > 0 ? player : 3 - player,
                    ahead > 0 ? ahead : -ahead);
}

/* The second player's pits run from right to left above the first player's; stores stand at the ends. */
void kalah_draw(const holos_variant *v, const holos_position *p, text *out)
{
    const kalah_rules *rules = kalah_rules_of(v);
    unsigned M = rules->pits;
    const uint8_t *first = half_of(rules, kalah_board_of(p), 0),
                  *second = half_of(rules, kalah_board_of(p), 1);
    text_string(out, "pit     ");
    for (unsigned i = M; i-- > 0;)
        text_printf(out, "%4u", i + 1);
    text_string(out, "\nplayer 2");
    for (unsigned i = M; i-- > 0;)
        text_printf(out, " %3u", second[i]);
    text_printf(out, "\n   [%3u]", second[M]);
    text_repeat(out, ' ', 4 * M + 2);
    text_printf(out, "[%3u]\nplayer 1", first[M]);
    for (unsigned i = 0; i < M; i++)
        text_printf(out, " %3u", first[i]);
    text_string(out, "\npit     ");
    for (unsigned i = 0; i < M; i++)
        text_printf(out, "%4u", i + 1);
    text_char(out, '\n');
    draw_status(rules, kalah_board_of(p), out);
}

/* ---- A picture --------------------------------------------------------------------------------- */

enum { SIDE = 70, MARGIN = 20 }; /* pixels: of a pit with its surroundings, around the board */

/* Seeds in a spiral from the middle, each at the golden angle from the last, so that any number lies evenly. */
static void picture_seeds(unsigned x, unsigned y, unsigned count, text *out)
{
    static const double across = -0.7373688780783197, along = 0.6754902942615238; /* cos, sin of 137.5° */
    double cosine = 1, sine = 0;
    for (unsigned i = 0; i < count; i++) {
        double radius = 22 * sqrt((i + 0.5) / (count > 8 ? count : 8));
        text_printf(out, "<circle class=\"s%u\" cx=\"%.1f\" cy=\"%.1f\" r=\"%s\"/>\n", i % 3,
                    x + radius * cosine, y + radius * sine, count > 16 ? "3" : "5");
        double turned = cosine * across - sine * along;
        sine = cosine * along + sine * across;
        cosine = turned;
    }
}

static void picture_pit(unsigned x, unsigned y, unsigned seeds, text *out)
{
    text_printf(out, "<circle class=\"pit\" cx=\"%u\" cy=\"%u\" r=\"%d\"/>\n", x, y, SIDE * 3 / 7);
    picture_seeds(x, y, seeds, out);
}

static void picture_store(unsigned x, unsigned seeds, text *out)
{
    text_printf(out,
                "<rect class=\"pit\" x=\"%u\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"25\"/>\n"
                "<text class=\"big\" x=\"%u\" y=\"%d\" dy=\".35em\">%u</text>\n",
                x - SIDE * 3 / 7, MARGIN * 2, SIDE * 6 / 7, SIDE * 2 - MARGIN, x, MARGIN * 3 / 2 + SIDE,
                seeds);
}

/* The board as kalah_draw shows it. */
void kalah_picture(const holos_variant *v, const holos_position *p, const holos_step *step, text *out)
{
    (void)step; /* there are no deductions */
    const kalah_rules *rules = kalah_rules_of(v);
    const uint8_t *board = kalah_board_of(p);
    unsigned M = rules->pits, width = SIDE * (M + 2) + 2 * MARGIN, height = 2 * SIDE + 5 * MARGIN;
    text_printf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
                "viewBox=\"0 0 %u %u\">\n"
                "<style>\n"
                "text{font-family:sans-serif;font-size:13px;text-anchor:middle;fill:#777}\n"
                ".pit{fill:#8a5a2b}.big{font-size:30px;fill:#fff}\n"
                ".s0{fill:#f4e3c1}.s1{fill:#d9e4ec}.s2{fill:#f0c9a0}\n"
                "</style>\n"
                "<rect width=\"%u\" height=\"%u\" fill=\"#fff\"/>\n"
                "<rect x=\"%d\" y=\"%d\" width=\"%u\" height=\"%u\" rx=\"30\" fill=\"#c89058\"/>\n",
                width, height, width, height, width, height, MARGIN, MARGIN + MARGIN / 2, width - 2 * MARGIN,
                2 * SIDE);
    for (unsigned player = 0; player < 2; player++) {
        const uint8_t *half = half_of(rules, board, player);
        unsigned y = MARGIN + MARGIN / 2 + (player == 0 ? SIDE * 3 / 2 : SIDE / 2);
        for (unsigned i = 0; i < M; i++) {
            unsigned x = MARGIN + SIDE * (player == 0 ? i + 1 : M - i) + SIDE / 2;
            picture_pit(x, y, half[i], out);
            text_printf(out, "<text x=\"%u\" y=\"%u\">%u</text>\n", x,
                        player == 0 ? 2 * SIDE + MARGIN * 5 / 2 : (unsigned)MARGIN, half[i]);
        }
        picture_store(MARGIN + (player == 0 ? SIDE * (M + 1) : 0) + SIDE / 2, half[M], out);
    }
    text_printf(out, "<text x=\"%u\" y=\"%u\">", width / 2, height - MARGIN / 2);
    draw_status(rules, board, out);
    text_string(out, "</text>\n</svg>\n");
}

/* ---- A scene ----------------------------------------------------------------------------------- */

/* The first player's pits, then the second's, each in the direction of sowing. */
static void scene_board(const holos_variant *v, const holos_position *p, json *out)
{
    const kalah_rules *rules = kalah_rules_of(v);
    const uint8_t *board = kalah_board_of(p);
    char seeds[8];
    json_put_uint(out, "rows", 2);
    json_put_uint(out, "columns", rules->pits);
    json_open(out, "cells", '[');
    for (unsigned i = 0; i < 2 * rules->pits; i++) {
        snprintf(seeds, sizeof seeds, "%u", half_of(rules, board, i / rules->pits)[i % rules->pits]);
        json_put_string(out, NULL, seeds);
    }
    json_close(out);
    json_open(out, "stores", '[');
    for (unsigned player = 0; player < 2; player++)
        json_put_uint(out, NULL, half_of(rules, board, player)[rules->pits]);
    json_close(out);
}

static unsigned scene_cells(const holos_variant *v, const holos_position *p, holos_move move,
                            uint16_t out[HOLOS_VIEW_CELLS])
{
    unsigned pits = kalah_rules_of(v)->pits;
    out[0] = (uint16_t)(kalah_board_of(p)[2 * pits + 2] * pits + move);
    return 1;
}

const holos_view kalah_view = {.board = scene_board, .cells = scene_cells};
