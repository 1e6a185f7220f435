/* SPDX-License-Identifier: MIT */

/* A tour in under a minute: something real of every game. */

#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/words.h"
#include "core/clock.h"
#include "wire/answer.h"

#include <errno.h> /* program_invocation_name */
#include <string.h>

enum { DEMO_WIDTH = 80 };

static const double demo_time = 20; /* seconds for a stop of the tour, if it turns out to be slow */

/* A stop of the tour. Games without one of their own are shown by their first example. */
typedef struct stop {
    const char *variant;
    const char *position; /* NULL: the game's first example, or its start */
    const char *what;
    bool moves, line, weak;
} stop;

static const stop stops[] = {
    {"chess", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1",
     "Chess: white to move gives mate in two. Paul Morphy is said to have composed this at the age of ten.",
     false, true, false},
    {"connect4:5x4", "start",
     "Connect four on a small board, from the empty board to the end: nobody can win it.", true, true, false},
    {"connect4", "start",
     "The real board: who wins, if nobody errs? A position and its mirror image are one, and so are those "
     "that "
     "differ in stones that can no longer matter.",
     false, false, true},
    {"connect4", "2531276566711153",
     "The middle of a game on the real board. Only one move wins; the score counts the stones that the "
     "winner has "
     "left.",
     true, true, false},
    {"kalah:4,3", "start", "Kalah with four pits and three seeds: what is each first move worth?", true, true,
     false},
    {"reversi", "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X",
     "The end of a game of reversi: every move, in discs. Only one wins by eighteen.", true, true, false},
    {"sudoku", NULL, "A sudoku: solved, and proved to have no other solution.", false, false, false},
    {"hidato", NULL,
     "A hidato: each number is next to the one after it. Solved, and proved to have no other solution.",
     false, false, false},
    {"nim", NULL, "Nim has a formula. The search does not know it, and finds the same value.", true, false,
     false},
};
enum { STOP_COUNT = sizeof stops / sizeof *stops };

/* What the tour ends with; the program is called as it was called now. */
static const cli_example next[] = {
    {"serve --open", "the same in a browser: boards with the value of every move"},
    {"play connect4", "play against it"},
    {"games", "every game, its notation and its variants"},
    {"help solve", "what solve can do"},
    {"bench sudoku", "measure how fast holos is on this machine"},
};

static const char *first_position(const stop *s, const holos_variant *v)
{
    const char *example = holos_game_example(holos_variant_game(v), 0);
    return s->position != NULL ? s->position : example != NULL ? example : "start";
}

static void show_result(cli *c, const stop *s, const holos_variant *v, const holos_position *p,
                        holos_status status, const holos_result *r)
{
    text *t = &c->out->text;
    if (s->moves)
        words_move_table(t, v, p, r, false, c->out->color);
    text_string(t, "=> ");
    words_value(t, v, r->value);
    if (r->solutions > 0)
        text_string(t, r->solutions_complete && r->solutions == 1 ? ", with one solution"
                                                                  : ", with several solutions");
    if (status == HOLOS_OK && r->best_count > 0 && !wire_is_puzzle(v)) {
        text_string(t, "; best ");
        words_moves(t, v, p, r->best, r->best_count);
    }
    text_string(t, status == HOLOS_OK ? "   [" : "; not settled   [");
    text_duration(t, r->seconds);
    text_string(t, ", ");
    text_count(t, r->nodes);
    text_string(t, r->nodes == 1 ? " node]\n" : " nodes]\n");
    if (r->solution != NULL)
        words_drawing(t, v, r->solution);
    if (r->line_length > 0) {
        text line;
        text_init(&line);
        words_play(&line, v, p, r->line, r->line_length);
        text_string(t, "   best play: ");
        output_wrap(t, 14, 14, DEMO_WIDTH, line.data);
        text_free(&line);
    }
}

/* The command that shows the same. */
static void show_command(cli *c, const stop *s, const holos_variant *v)
{
    text *t = &c->out->text;
    const char *position = first_position(s, v);
    text_char(t, '\n');
    text_style_begin(t, c->out->color, STYLE_BOLD);
    text_printf(t, "$ holos solve %s \"%s\"%s%s%s", s->variant, position, s->moves ? " --moves" : "",
                s->line ? " --pv" : "", s->weak ? " --weak" : "");
    text_style_end(t, c->out->color, STYLE_BOLD);
    text_char(t, '\n');
    output_wrap(t, 0, 0, DEMO_WIDTH, s->what);
    text_char(t, '\n');
}

static holos_status show_solved(cli *c, const stop *s, const holos_variant *v, holos_position *p,
                                holos_error *err)
{
    holos_solver *solver;
    holos_result r;
    holos_solver_options options = {
        .limits = {.seconds = demo_time, .stop = interrupt_flag()},
        .moves = s->moves,
        .line = s->line,
        .weak = s->weak,
    };
    holos_status status = holos_parse(v, first_position(s, v), p, err);
    if (status != HOLOS_OK)
        return status;
    words_drawing(&c->out->text, v, p);
    output_flush(c->out);
    status = holos_solver_open(v, &options, &solver, err);
    if (status != HOLOS_OK)
        return status;
    status = holos_solver_solve(solver, p, &r, err);
    if (status == HOLOS_OK || status == HOLOS_LIMIT || status == HOLOS_INTERRUPTED)
        show_result(c, s, v, p, status, &r);
    holos_solver_close(solver);
    return status;
}

static cli_status show_stop(cli *c, const stop *s)
{
    holos_variant *v;
    holos_error err;
    if (holos_open(s->variant, &v, &err) != HOLOS_OK)
        return cli_fail(&err);
    show_command(c, s, v);
    holos_position *p = holos_position_new(v);
    holos_status status = p != NULL
                              ? show_solved(c, s, v, p, &err)
                              : error_set(&err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for a position");
    output_flush(c->out);
    holos_position_free(p);
    holos_close(v);
    if (status == HOLOS_OK || status == HOLOS_LIMIT) /* on a slow machine, an interval is an answer */
        return CLI_DONE;
    return status == HOLOS_INTERRUPTED ? CLI_INTERRUPTED : cli_fail(&err);
}

static bool has_stop(const char *game)
{
    size_t length = strlen(game);
    for (size_t i = 0; i < STOP_COUNT; i++) {
        if (strncmp(stops[i].variant, game, length) == 0 && strchr(":", stops[i].variant[length]) != NULL)
            return true;
    }
    return false;
}

static cli_status run(cli *c)
{
    double begin = clock_wall();
    cli_status status = CLI_DONE;
    text *t = &c->out->text;
    text_printf(t, "holos %s finds out what positions are worth. A tour:\n", holos_version());
    for (size_t i = 0; i < STOP_COUNT && status == CLI_DONE && c->out->failed == 0; i++)
        status = show_stop(c, &stops[i]);
    for (size_t i = 0; i < holos_game_count() && status == CLI_DONE && c->out->failed == 0; i++) {
        const holos_game *game = holos_game_at(i);
        stop s = {.variant = holos_game_name(game), .what = holos_game_summary(game)};
        if (!has_stop(s.variant))
            status = show_stop(c, &s);
    }
    if (status != CLI_DONE)
        return status;
    text_string(t, "\nThat took ");
    text_duration(t, clock_wall() - begin);
    text_string(t, ". What next?\n");
    for (size_t i = 0; i < sizeof next / sizeof *next; i++)
        text_printf(t, "  %s %-18s  %s\n", program_invocation_name, next[i].command, next[i].what);
    return CLI_DONE;
}

const cli_verb verb_demo = {
    .name = "demo",
    .operands = "",
    .summary = "take a short tour, in under a minute",
    .description = "Solves something real in every game. Shows the board, the value, the best line and how "
                   "long it took, and says what to try next.",
    .run = run,
};
