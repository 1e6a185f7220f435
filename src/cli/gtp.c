/* SPDX-License-Identifier: MIT */

/* The Go Text Protocol, version 2, for any game of two. Black is the side that begins. An answer is "=", one to a command that failed
 * is "?", each with the command's number if it had one, and an empty line follows. */

#include "cli/protocol.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char *const colors[] = {"black", "white"};

/* ---- Words ------------------------------------------------------------------------------------- */

/* 0: black, 1: white, -1: neither. */
static int color_of(const char *word)
{
    for (int i = 0; i < 2; i++)
        if (strcasecmp(word, colors[i]) == 0 ||
            (tolower((unsigned char)word[0]) == colors[i][0] && word[1] == 0))
            return i;
    return -1;
}

/* Cells are written in capitals, a pass is not: some programs take no other. */
static void move_write(text *out, char *move)
{
    for (char *c = move; *c != 0 && strcmp(move, "pass") != 0; c++)
        *c = (char)toupper((unsigned char)*c);
    text_string(out, move);
}

/* Makes sure that a colour is to move: if the other one must pass, it has. */
static holos_status turn_take(session *s, int color, holos_error *err)
{
    holos_move only, pass;
    const holos_position *p = session_now(s);
    if (color < 0)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "syntax error: black or white");
    if ((int)holos_side_to_move(s->v, p) == color)
        return HOLOS_OK;
    if (holos_moves(s->v, p, &only, 1) == 1 && holos_parse_move(s->v, p, "pass", &pass, NULL) == HOLOS_OK)
        return history_play(&s->game, pass, err);
    return error_set(err, HOLOS_BAD_MOVE, HOLOS_NOWHERE, "it is not %s's turn", colors[color]);
}

/* ---- Commands ---------------------------------------------------------------------------------- */

static holos_status gtp_version(session *s, char *rest, holos_error *err)
{
    (void)rest;
    (void)err;
    text_string(s->out, holos_version());
    return HOLOS_OK;
}

static holos_status gtp_name(session *s, char *rest, holos_error *err)
{
    (void)rest;
    (void)err;
    text_string(s->out, "holos");
    return HOLOS_OK;
}

static holos_status gtp_protocol(session *s, char *rest, holos_error *err)
{
    (void)rest;
    (void)err;
    text_string(s->out, "2");
    return HOLOS_OK;
}

static holos_status gtp_quit(session *s, char *rest, holos_error *err)
{
    (void)rest;
    (void)err;
    s->quit = true;
    return HOLOS_OK;
}

static holos_status gtp_clear(session *s, char *rest, holos_error *err)
{
    (void)rest;
    return session_begin(s, NULL, err);
}

static holos_status gtp_boardsize(session *s, char *rest, holos_error *err)
{
    char game[80];
    const char *size = word_take(&rest);
    snprintf(game, sizeof game, "%s:%.20s", holos_game_name(holos_variant_game(s->v)), size);
    if (session_game(s, game, err) != HOLOS_OK)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "unacceptable size");
    return HOLOS_OK;
}

static holos_status gtp_nothing(session *s, char *rest, holos_error *err)
{
    (void)s;
    (void)rest;
    (void)err;
    return HOLOS_OK;
}

static holos_status gtp_play(session *s, char *rest, holos_error *err)
{
    int color = color_of(word_take(&rest));
    const char *move = word_take(&rest);
    size_t before = s->game.now;
    holos_value over;
    if (color >= 0 && strcasecmp(move, "pass") == 0 && holos_terminal(s->v, session_now(s), &over))
        return HOLOS_OK; /* that is how a game ends */
    holos_status status = turn_take(s, color, err);
    if (status != HOLOS_OK)
        return status;
    /* A pass that has been played for somebody may still be announced. */
    if (s->game.now > before && strcasecmp(move, "pass") == 0)
        return HOLOS_OK;
    status = session_play(s, move, err);
    if (status != HOLOS_OK) {
        while (s->game.now > before)
            history_undo(&s->game);
        holos_error why = *err;
        error_set(err, status, HOLOS_NOWHERE, "illegal move: %s", why.message);
    }
    return status;
}

/* Chooses a move for a colour and says it; *choice.move is only set if the game is not over. */
static holos_status move_choose(session *s, char *rest, holos_choice *choice, bool *over, holos_error *err)
{
    char move[64];
    holos_value value;
    int color = color_of(word_take(&rest));
    *over = color >= 0 && holos_terminal(s->v, session_now(s), &value);
    if (*over) {
        text_string(s->out, "pass");
        return HOLOS_OK;
    }
    holos_status status = turn_take(s, color, err);
    if (status == HOLOS_OK)
        status = holos_player_choose(s->player, session_now(s), choice, err);
    if (status != HOLOS_OK)
        return status;
    holos_format_move(s->v, session_now(s), choice->move, move, sizeof move);
    move_write(s->out, move);
    return HOLOS_OK;
}

static holos_status gtp_genmove(session *s, char *rest, holos_error *err)
{
    holos_choice choice;
    bool over;
    holos_status status = move_choose(s, rest, &choice, &over, err);
    return status == HOLOS_OK && !over ? history_play(&s->game, choice.move, err) : status;
}

/* The same without playing it: for tests of engines. */
static holos_status gtp_reg_genmove(session *s, char *rest, holos_error *err)
{
    holos_choice choice;
    bool over;
    size_t before = s->game.now;
    holos_status status = move_choose(s, rest, &choice, &over, err);
    while (s->game.now > before) /* a pass on the way */
        history_undo(&s->game);
    return status;
}

static holos_status gtp_undo(session *s, char *rest, holos_error *err)
{
    (void)rest;
    return history_undo(&s->game) ? HOLOS_OK : error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "cannot undo");
}

static holos_status gtp_show(session *s, char *rest, holos_error *err)
{
    (void)rest;
    (void)err;
    char board[8192];
    holos_draw(s->v, session_now(s), board, sizeof board);
    size_t length = strlen(board);
    if (length > 0 && board[length - 1] == '\n')
        board[length - 1] = 0;
    text_char(s->out, '\n');
    text_string(s->out, board);
    return HOLOS_OK;
}

/* "B+12", "W+2" or "0", as far as the rules tell. */
static holos_status gtp_score(session *s, char *rest, holos_error *err)
{
    (void)rest;
    holos_value value;
    if (!holos_terminal(s->v, session_now(s), &value))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "cannot score: the game is not over");
    int32_t score = holos_side_to_move(s->v, session_now(s)) == 0 ? value.lo : -value.lo;
    if (score == 0)
        text_char(s->out, '0');
    else
        text_printf(s->out, "%c+%d", score > 0 ? 'B' : 'W', score > 0 ? (int)score : -(int)score);
    return HOLOS_OK;
}

/* What a move gets: a share of what is left for sixty plies, or of a period. */
static holos_status share_take(session *s, double left, double period, int stones, holos_error *err)
{
    double share = stones > 0 ? period / stones * 0.9 : 0;
    share = left / 30 > share ? left / 30 : share;
    return share > 0 ? session_limit(s, share, err) : HOLOS_OK;
}

/* time_settings MAIN BYO STONES: seconds. */
static holos_status gtp_time(session *s, char *rest, holos_error *err)
{
    double main = 0, byo = 0;
    int stones = 0;
    if (sscanf(rest, "%lf %lf %d", &main, &byo, &stones) != 3 || !(main >= 0 && byo >= 0) || stones < 0)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "syntax error: three numbers");
    return share_take(s, main, byo, stones, err);
}

/* time_left COLOR SECONDS STONES; with stones, the seconds are for so many of them. The clock counts when it is that side's move. */
static holos_status gtp_time_left(session *s, char *rest, holos_error *err)
{
    double seconds = 0;
    int stones = 0, color = color_of(word_take(&rest));
    if (color < 0 || sscanf(rest, "%lf %d", &seconds, &stones) != 2 || !(seconds >= 0) || stones < 0)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "syntax error: a colour and two numbers");
    if ((int)holos_side_to_move(s->v, session_now(s)) != color)
        return HOLOS_OK;
    return stones > 0 ? share_take(s, 0, seconds, stones, err) : share_take(s, seconds, 0, 0, err);
}

static holos_status gtp_known(session *s, char *rest, holos_error *err);
static holos_status gtp_list(session *s, char *rest, holos_error *err);

static const struct {
    const char *name;
    holos_status (*run)(session *s, char *rest, holos_error *err);
} commands[] = {
    {"protocol_version", gtp_protocol},
    {"name", gtp_name},
    {"version", gtp_version},
    {"known_command", gtp_known},
    {"list_commands", gtp_list},
    {"quit", gtp_quit},
    {"boardsize", gtp_boardsize},
    {"clear_board", gtp_clear},
    {"komi", gtp_nothing},
    {"play", gtp_play},
    {"genmove", gtp_genmove},
    {"reg_genmove", gtp_reg_genmove},
    {"undo", gtp_undo},
    {"showboard", gtp_show},
    {"final_score", gtp_score},
    {"time_settings", gtp_time},
    {"time_left", gtp_time_left},
};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static holos_status gtp_known(session *s, char *rest, holos_error *err)
{
    (void)err;
    const char *name = word_take(&rest);
    bool known = false;
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        known = known || strcmp(commands[i].name, name) == 0;
    text_string(s->out, known ? "true" : "false");
    return HOLOS_OK;
}

static holos_status gtp_list(session *s, char *rest, holos_error *err)
{
    (void)rest;
    (void)err;
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        text_printf(s->out, "%s%s", i > 0 ? "\n" : "", commands[i].name);
    return HOLOS_OK;
}

/* ---- A line ------------------------------------------------------------------------------------ */

/* Comments go, and control characters; tabs become spaces. */
static void line_clean(char *line)
{
    char *to = line;
    for (const char *from = line; *from != 0 && *from != '#'; from++)
        if (*from == '\t')
            *to++ = ' ';
        else if ((unsigned char)*from >= ' ')
            *to++ = *from;
    *to = 0;
}

static void gtp_obey(session *s, char *line)
{
    holos_error err = {0};
    line_clean(line);
    char *rest = line, *word = word_take(&rest);
    const char *number = "";
    if (isdigit((unsigned char)word[0]) && word[strspn(word, "0123456789")] == 0) {
        number = word;
        word = word_take(&rest);
    }
    if (word[0] == 0)
        return;
    size_t begun = s->out->length;
    text_printf(s->out, "=%s ", number);
    holos_status status = error_set(&err, HOLOS_USAGE, HOLOS_NOWHERE, "unknown command");
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i].name, word) == 0)
            status = commands[i].run(s, rest, &err);
    if (status != HOLOS_OK) {
        text_cut(s->out, begun);
        text_printf(s->out, "?%s %s", number, err.message);
    }
    text_string(s->out, "\n\n");
}

static const char *const refuses[] = {"threads", NULL};

const protocol protocol_gtp = {.name = "gtp", .refuses = refuses, .obey = gtp_obey};
