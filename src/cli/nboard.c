/* SPDX-License-Identifier: MIT */

/* What NBoard, a program to play and analyze reversi with, speaks to its engines, version 2. Positions come as games in GGF. */

#include "cli/protocol.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* "F5", or "PA" for a pass. */
static void move_write(const session *s, holos_move move, text *out)
{
    char name[64];
    holos_format_move(s->v, session_now(s), move, name, sizeof name);
    if (strcmp(name, "pass") == 0)
        strcpy(name, "PA");
    for (char *c = name; *c != 0; c++)
        *c = (char)toupper((unsigned char)*c);
    text_string(out, name);
}

static void complain(session *s, const holos_error *err)
{
    text_printf(s->out, "status %s\n", err->message);
}

/* ---- Commands ---------------------------------------------------------------------------------- */

static void nboard_hello(session *s, char *rest)
{
    (void)rest;
    text_string(s->out, "set myname holos\n");
}

static void nboard_ping(session *s, char *rest)
{
    text_printf(s->out, "pong %s\n", word_take(&rest));
}

/* The next move of a game in GGF, "B[f5/1.2/3]", from `at` on; NULL: there is none. *end is what follows it. */
static char *ggf_move(char *at, char **end)
{
    for (char *p = at; *p != 0; p++)
        if ((p[0] == 'B' || p[0] == 'W') && p[1] == '[' && (p == at || p[-1] == ']' || p[-1] == ';')) {
            char *move = p + 2;
            *end = move + strcspn(move, "]");
            *end += **end != 0;
            move[strcspn(move, "/]")] = 0;
            return move;
        }
    return NULL;
}

/* Begins at the board of a game and plays its moves, so that they can be taken back and analyzed. False: it is no such game. */
static bool game_replay(session *s, const char *ggf)
{
    const char *board = strstr(ggf, "BO["), *close = board != NULL ? strchr(board, ']') : NULL;
    text start;
    if (close == NULL)
        return false;
    text_init(&start);
    text_bytes(&start, ggf, (size_t)(close + 1 - ggf));
    text_string(&start, ";)");
    bool good = !start.failed && session_begin(s, start.data, NULL) == HOLOS_OK;
    text_free(&start);
    char *rest = good ? strdup(close + 1) : NULL, *at = rest, *move;
    while (good && at != NULL && (move = ggf_move(at, &at)) != NULL)
        good = session_play(s, move, NULL) == HOLOS_OK;
    free(rest);
    return good;
}

/* set game GGF; everything else is NBoard's own affair. */
static void nboard_set(session *s, char *rest)
{
    holos_error err;
    if (strcmp(word_take(&rest), "game") != 0)
        return;
    if (session_begin(s, rest, &err) != HOLOS_OK)
        complain(s, &err);
    else if (!game_replay(s, rest))
        session_begin(s, rest, NULL); /* the last position is enough to play on */
}

/* move F5/eval/seconds */
static void nboard_move(session *s, char *rest)
{
    holos_error err;
    char *move = word_take(&rest);
    move[strcspn(move, "/")] = 0;
    if (session_play(s, move, &err) != HOLOS_OK)
        complain(s, &err);
}

/* A value in discs, with its sign; nothing if it is not known. */
static void value_write(holos_value value, text *out)
{
    if (value.lo == value.hi && value.source != HOLOS_SOURCE_NONE)
        text_printf(out, "%+.2f", (double)value.lo);
}

static void nboard_go(session *s, char *rest)
{
    (void)rest;
    holos_error err;
    holos_choice choice;
    holos_value over;
    if (holos_terminal(s->v, session_now(s), &over)) {
        text_string(s->out, "status the game is over\n");
        return;
    }
    if (holos_player_choose(s->player, session_now(s), &choice, &err) != HOLOS_OK) {
        complain(s, &err);
        return;
    }
    text_string(s->out, "=== ");
    move_write(s, choice.move, s->out);
    text_char(s->out, '/');
    value_write(choice.value, s->out);
    text_printf(s->out, "/%.2f\nstatus\n", choice.seconds);
}

/* hint N: the best N moves, each with its value. What is not proved is not told: NBoard would show it as a value. */
static void nboard_hint(session *s, char *rest)
{
    holos_error err;
    holos_result result;
    long left = strtol(rest, NULL, 10);
    if (holos_player_judge(s->player, session_now(s), &result, &err) != HOLOS_OK) {
        complain(s, &err);
        return;
    }
    int32_t min, max;
    holos_score_range(s->v, &min, &max);
    left = left > 0 ? left : 1;
    for (int32_t score = max; score >= min && left > 0; score--)
        for (size_t i = 0; i < result.move_count && left > 0; i++) {
            holos_value value = result.moves[i].value;
            if (value.lo != score || value.hi != score)
                continue;
            text_string(s->out, "search ");
            move_write(s, result.moves[i].move, s->out);
            text_printf(s->out, " %+.2f 0 100%%\n", (double)score);
            left--;
        }
    text_string(s->out, "status\n");
}

/* There is no book to learn for. */
static void nboard_learn(session *s, char *rest)
{
    (void)rest;
    text_string(s->out, "learned\n");
}

/* What each position of the game is worth to black, from the end back, as far as it can be proved in time. */
static void nboard_analyze(session *s, char *rest)
{
    (void)rest;
    holos_error err;
    holos_result result;
    size_t now = s->game.now;
    do {
        if (holos_player_solve(s->player, session_now(s), &result, &err) != HOLOS_OK) {
            complain(s, &err);
            break;
        }
        int sign = holos_side_to_move(s->v, session_now(s)) == 0 ? 1 : -1;
        if (holos_value_is_solved(result.value))
            text_printf(s->out, "analysis %zu %+.2f\n", s->game.now, (double)(sign * result.value.lo));
    } while (holos_value_is_solved(result.value) && history_undo(&s->game));
    while (s->game.now < now && history_redo(&s->game))
        continue;
    text_string(s->out, "status\n");
}

static void nboard_quit(session *s, char *rest)
{
    (void)rest;
    s->quit = true;
}

static const struct {
    const char *name;
    void (*run)(session *s, char *rest);
} commands[] = {
    {"nboard", nboard_hello}, {"ping", nboard_ping},   {"set", nboard_set},
    {"move", nboard_move},    {"learn", nboard_learn}, {"analyze", nboard_analyze},
    {"go", nboard_go},        {"hint", nboard_hint},   {"quit", nboard_quit},
};

/* Commands that it does not know are passed over, as the protocol asks. */
static void nboard_obey(session *s, char *line)
{
    char *rest = line;
    const char *word = word_take(&rest);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, word) == 0)
            commands[i].run(s, rest);
}

static const char *const refuses[] = {"threads", NULL};

const protocol protocol_nboard = {.name = "nboard", .refuses = refuses, .obey = nboard_obey};
