/* SPDX-License-Identifier: MIT */

/* A game against holos in the terminal. Commands come from stdin, a line each, so that a script can
 * play, too. */

#include "cli/cli.h"
#include "cli/distances.h"
#include "cli/history.h"
#include "cli/interrupt.h"
#include "cli/known.h"
#include "cli/lines.h"
#include "cli/steps.h"
#include "cli/words.h"
#include "wire/answer.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOVES_SHOWN = 40 }; /* more legal moves than this are counted, not listed */

enum { SIDE_NONE = 0, SIDE_FIRST = 1, SIDE_SECOND = 2, SIDE_BOTH = 3 }; /* bits: the sides of the user */

#define SIDE_WORDS "first|second|both|none"
static const unsigned side_bits[] = {SIDE_FIRST, SIDE_SECOND, SIDE_BOTH, SIDE_NONE};
static const char *const side_names[] = {"first", "second"};

typedef struct play_settings {
    unsigned side;
    const char *store;
    bool no_book;
} play_settings;

static const holos_option options[] = {
    {OPTION(CHOICE, play_settings, side), .name = "side", .letter = 's', .value = SIDE_WORDS,
     .fallback = "first", .help = "the side you play"},
    KNOWN_OPTIONS(play_settings),
    {0},
};

typedef struct game_table {
    cli *c;
    output *out;
    holos_variant *v;
    bool puzzle;
    unsigned user; /* SIDE_… */
    history game;
    holos_player *mind;
    holos_knowledge *known; /* what the mind need not search, or NULL */
    lines *in;
    bool person; /* somebody types: show a prompt */
    bool show;   /* the board has changed since it was last shown */
    bool quit;
    cli_status status;
} game_table;

static void say(game_table *g, const char *s)
{
    text_string(&g->out->text, s);
    text_char(&g->out->text, '\n');
}

static const holos_position *now(const game_table *g)
{
    return history_now(&g->game);
}

static unsigned side(const game_table *g)
{
    return holos_side_to_move(g->v, now(g));
}

static bool is_users_turn(const game_table *g)
{
    return g->puzzle || (g->user & (1u << side(g))) != 0;
}

/* ---- Showing ----------------------------------------------------------------------------------- */

static size_t list_moves(const game_table *g, holos_move **out)
{
    size_t count = holos_moves(g->v, now(g), NULL, 0);
    *out = malloc((count + 1) * sizeof **out);
    return *out != NULL ? holos_moves(g->v, now(g), *out, count) : 0;
}

static void show_moves(game_table *g, bool all)
{
    text list;
    holos_move *moves;
    size_t count = list_moves(g, &moves);
    text_init(&list);
    if (count == 0)
        text_string(&list, "no moves");
    else if (all || count <= MOVES_SHOWN)
        words_moves(&list, g->v, now(g), moves, count);
    else
        text_printf(&list, "%zu; 'moves' lists them", count);
    text_string(&g->out->text, "moves: ");
    output_wrap(&g->out->text, 7, 7, 80, list.data);
    text_free(&list);
    free(moves);
}

static void show_end(game_table *g, holos_value value)
{
    text *t = &g->out->text;
    if (g->puzzle) {
        say(g, value.lo > 0 ? "Solved!" : "Stuck: no move is left. 'undo' takes one back.");
        return;
    }
    unsigned winner = value.lo > 0 ? side(g) : 1 - side(g);
    if (value.lo == 0)
        text_string(t, "The game is over: a draw.\n");
    else
        text_printf(t, "The game is over: %s wins%s (score %+d).\n", side_names[winner],
                    g->user == SIDE_BOTH || g->user == SIDE_NONE ? ""
                    : (g->user & (1u << winner)) != 0            ? ", that is you"
                                                                 : ", that is holos",
                    value.lo > 0 ? value.lo : -value.lo);
}

static void show_board(game_table *g)
{
    holos_value value;
    text_char(&g->out->text, '\n');
    words_drawing(&g->out->text, g->v, now(g));
    if (holos_terminal(g->v, now(g), &value))
        show_end(g, value);
    else if (is_users_turn(g))
        show_moves(g, false);
    g->show = false;
}

static void prompt(game_table *g)
{
    if (!g->person)
        return;
    text_style_begin(&g->out->text, g->out->color, STYLE_BOLD);
    holos_value over;
    if (g->puzzle || holos_terminal(g->v, now(g), &over))
        text_string(&g->out->text, "> ");
    else
        text_printf(&g->out->text, "%s> ", side_names[side(g)]);
    text_style_end(&g->out->text, g->out->color, STYLE_BOLD);
}

/* ---- Thinking ---------------------------------------------------------------------------------- */

/* Before and after thinking. Ctrl-C ends the thinking, not the game, if a person plays. */
static void think_begin(game_table *g)
{
    if (g->person && g->out->is_terminal)
        text_string(&g->out->text, "thinking…");
    output_flush(g->out);
}

/* False if it failed: that ends the game. */
static bool think_end(game_table *g, holos_status status, const holos_error *err)
{
    if (g->person && g->out->is_terminal)
        text_string(&g->out->text, "\r\x1b[K");
    if (g->person)
        interrupt_clear();
    if (status == HOLOS_OK)
        return true;
    g->status = cli_fail(err);
    g->quit = true;
    return false;
}

static void computer_moves(game_table *g)
{
    holos_choice m;
    holos_error err;
    text *t = &g->out->text;
    think_begin(g);
    holos_status status = holos_player_choose(g->mind, now(g), &m, &err);
    if (!think_end(g, status, &err) || interrupted())
        return;
    text_printf(t, "%s plays ", side_names[side(g)]);
    words_move(t, g->v, now(g), m.move);
    text_string(t, m.grounds == HOLOS_GROUNDS_GUESS ? ", a guess: not solved in " : ": ");
    if (m.guess.source != HOLOS_SOURCE_NONE) {
        text_duration(t, m.seconds);
        text_printf(t, ", the %s expects %.0f %% of the points; ",
                    holos_source_name((holos_source)m.guess.source), 50 * (1 + m.expectation));
    } else if (m.grounds == HOLOS_GROUNDS_GUESS) {
        text_duration(t, m.seconds);
        text_string(t, "; ");
    }
    words_value(t, g->v, m.value);
    text_char(t, '\n');
    const holos_distance_words *words = wire_distances_of(g->known);
    if (wire_distances_are_known(words, m.value))
        distances_say(t, words, m.value);
    history_play(&g->game, m.move, NULL);
    g->show = true;
}

/* The steps up to one that fills a cell, as a person could find them. False: nothing follows from here, or a limit came first. */
static bool steps_to_move(game_table *g, holos_logic *logic)
{
    text *t = &g->out->text;
    holos_step step;
    char move[64];
    while (holos_logic_find(logic, &step)) {
        steps_say(t, g->v, &step, STAGE_STEP, g->out->color);
        if (step.placement_count > 0) {
            holos_format_candidate(g->v, step.placements[0], true, move, sizeof move);
            text_printf(t, "Try %s.\n", move);
            return true;
        }
        holos_logic_apply(logic, &step);
    }
    return false;
}

/* A hint with its reason, where there is one solution and the techniques lead on. False: there is none of that kind. */
static bool hint_by_logic(game_table *g)
{
    const shared_settings *shared = &g->c->shared;
    holos_limits limits = {.seconds = shared->time, .nodes = shared->nodes, .stop = interrupt_flag()};
    holos_logic *logic;
    holos_error err;
    if (holos_logic_open(g->v, now(g), &limits, &logic, &err) != HOLOS_OK)
        return false;
    bool found = holos_logic_solutions(logic) == 1 && steps_to_move(g, logic);
    holos_logic_close(logic);
    return found;
}

static void hint_puzzle(game_table *g)
{
    if (hint_by_logic(g))
        return;
    holos_result r;
    holos_error err;
    text *t = &g->out->text;
    think_begin(g);
    holos_status status = holos_player_solve(g->mind, now(g), &r, &err);
    if (!think_end(g, status, &err))
        return;
    if (r.value.hi == 0) {
        say(g, "There is no solution from here: 'undo' takes a move back.");
    } else if (r.best_count > 0) {
        text_string(t, "Try ");
        words_move(t, g->v, now(g), r.best[0]);
        say(g, ".");
    } else {
        say(g, "Not solved in time: no hint.");
    }
}

static void hint_game(game_table *g)
{
    holos_result r;
    holos_error err;
    text *t = &g->out->text;
    think_begin(g);
    holos_status status = holos_player_judge(g->mind, now(g), &r, &err);
    if (!think_end(g, status, &err))
        return;
    const holos_distance_words *words = wire_distances_of(g->known);
    bool in_tables = wire_distances_are_known(words, r.value);
    if (in_tables)
        distances_say_moves(t, g->v, words, now(g), &r, g->out->color);
    else
        words_move_table(t, g->v, now(g), &r, false, g->out->color);
    text_printf(t, "%s: ", side_names[side(g)]);
    words_value(t, g->v, r.value);
    if (r.best_count > 0) {
        text_string(t, "; best ");
        words_moves(t, g->v, now(g), r.best, r.best_count);
    } else {
        text_string(t, "; not settled in ");
        text_duration(t, r.seconds);
    }
    text_char(t, '\n');
    if (in_tables)
        distances_say(t, words, r.value);
}

/* ---- Commands ---------------------------------------------------------------------------------- */

static void command_hint(game_table *g, const char *rest)
{
    (void)rest;
    holos_value over;
    if (holos_terminal(g->v, now(g), &over))
        show_end(g, over);
    else if (g->puzzle)
        hint_puzzle(g);
    else
        hint_game(g);
}

static void command_moves(game_table *g, const char *rest)
{
    (void)rest;
    show_moves(g, true);
}

/* Back to the user's last decision, past holos' replies. */
static void command_undo(game_table *g, const char *rest)
{
    (void)rest;
    if (!history_undo(&g->game)) {
        say(g, "There is nothing to undo.");
        return;
    }
    while (g->user != SIDE_NONE && !is_users_turn(g) && history_undo(&g->game))
        ;
    if (!is_users_turn(g)) {
        g->user = SIDE_BOTH;
        say(g, "You play both sides now.");
    }
    g->show = true;
}

static void command_redo(game_table *g, const char *rest)
{
    (void)rest;
    if (!history_redo(&g->game)) {
        say(g, "There is nothing to redo.");
        return;
    }
    while (!is_users_turn(g) && history_redo(&g->game))
        ;
    g->show = true;
}

static void command_new(game_table *g, const char *rest)
{
    (void)rest;
    history_restart(&g->game);
    g->show = true;
}

static void command_side(game_table *g, const char *rest)
{
    const holos_option *option = &options[0];
    play_settings chosen;
    if (g->puzzle) {
        say(g, "A puzzle has one side: yours.");
    } else if (option_set(option, &chosen, rest, NULL) != HOLOS_OK) {
        say(g, "side takes first, second, both or none: the side that you play.");
    } else {
        g->user = side_bits[chosen.side];
        g->show = true;
    }
}

static void command_swap(game_table *g, const char *rest)
{
    (void)rest;
    if (g->puzzle || g->user == SIDE_BOTH || g->user == SIDE_NONE)
        say(g, "There is nothing to swap; 'side' chooses the side that you play.");
    else
        g->user = g->user == SIDE_FIRST ? SIDE_SECOND : SIDE_FIRST;
    g->show = true;
}

static void command_position(game_table *g, const char *rest)
{
    (void)rest;
    words_position(&g->out->text, g->v, now(g));
    text_char(&g->out->text, '\n');
}

static void command_board(game_table *g, const char *rest)
{
    (void)rest;
    show_board(g);
}

static void command_quit(game_table *g, const char *rest)
{
    (void)rest;
    g->quit = true;
}

static void command_help(game_table *g, const char *rest);

static const struct command {
    const char *name, *help;
    void (*run)(game_table *g, const char *rest);
} commands[] = {
    {"help", "this list", command_help},
    {"hint", "what each move is worth; in a puzzle, the next step and why it is right", command_hint},
    {"moves", "the legal moves", command_moves},
    {"undo", "take back your last move", command_undo},
    {"redo", "play it again", command_redo},
    {"side", "side first, second, both or none: the side that you play", command_side},
    {"swap", "change sides", command_swap},
    {"position", "the position as 'holos solve' reads it", command_position},
    {"board", "show the board again", command_board},
    {"new", "start again", command_new},
    {"quit", "leave; so does the end of the input", command_quit},
};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static void command_help(game_table *g, const char *rest)
{
    (void)rest;
    holos_move *moves;
    text *t = &g->out->text;
    size_t count = list_moves(g, &moves);
    if (count > 0) {
        text_string(t, "Type a move, such as ");
        words_move(t, g->v, now(g), moves[0]);
        text_string(t, ", or one of these:\n");
    }
    free(moves);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        text_printf(t, "  %-10s %s\n", commands[i].name, commands[i].help);
}

static const char *command_word(const void *context, size_t index)
{
    (void)context;
    return index < COMMAND_COUNT ? commands[index].name : NULL;
}

/* A move that the user typed. */
static void user_moves(game_table *g, const char *typed)
{
    holos_move move;
    holos_error err;
    holos_value over;
    if (holos_terminal(g->v, now(g), &over)) {
        say(g, "The game is over here: 'undo', 'new' or 'quit'?");
        return;
    }
    unsigned mover = side(g);
    if (holos_parse_move(g->v, now(g), typed, &move, &err) == HOLOS_OK &&
        history_play(&g->game, move, &err) == HOLOS_OK) {
        if (!g->puzzle)
            text_printf(&g->out->text, "%s plays %s\n", side_names[mover], typed);
        g->show = true;
        return;
    }
    const char *near = suggest(typed, command_word, NULL);
    text_string(&g->out->text, err.message);
    if (near != NULL)
        text_printf(&g->out->text, "; did you mean '%s'?", near);
    text_string(&g->out->text, near != NULL ? "\n" : "; 'help' lists the commands\n");
}

static void obey(game_table *g, char *typed)
{
    static const char blanks[] = " \t";
    typed += strspn(typed, blanks);
    size_t length = strlen(typed);
    while (length > 0 && strchr(blanks, typed[length - 1]) != NULL)
        typed[--length] = 0;
    if (length == 0)
        return;
    size_t word = strcspn(typed, blanks);
    const char *rest = typed + word + strspn(typed + word, blanks);
    if (strcmp(typed, "?") == 0) {
        command_help(g, rest);
        return;
    }
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strlen(commands[i].name) == word && memcmp(typed, commands[i].name, word) == 0) {
            commands[i].run(g, rest);
            return;
        }
    }
    user_moves(g, typed);
}

/* Waits for a line and obeys it; false at the end of the input. */
static bool ask(game_table *g)
{
    line l;
    holos_status status;
    holos_error err;
    prompt(g);
    if (!output_flush(g->out))
        return false;
    if (!lines_next(g->in, &l, &status, &err)) {
        g->status = status == HOLOS_BAD_FILE ? cli_fail(&err) : cli_status_of(status);
        if (g->person)
            text_char(&g->out->text, '\n');
        return false;
    }
    char *typed = strndup(l.text, l.length);
    if (typed != NULL)
        obey(g, typed);
    free(typed);
    return !g->quit;
}

/* ---- The game ---------------------------------------------------------------------------------- */

static void play(game_table *g)
{
    holos_value over;
    bool going = true;
    while (going && !g->quit && g->out->failed == 0) {
        bool asks = is_users_turn(g) || holos_terminal(g->v, now(g), &over);
        if (g->show && (asks || g->user == SIDE_NONE))
            show_board(g);
        if (asks)
            going = ask(g);
        else
            computer_moves(g);
        if (interrupted()) {
            g->status = CLI_INTERRUPTED;
            going = false;
        }
    }
}

/* The position on the command line, the start, or the first example. */
static holos_status first_position(const game_table *g, holos_position *out, holos_error *err)
{
    const char *example = holos_game_example(holos_variant_game(g->v), 0);
    if (g->c->operand_count > 1)
        return holos_parse(g->v, g->c->operands[1], out, err);
    holos_status status = holos_start(g->v, out, err);
    if (status == HOLOS_UNSUPPORTED && example != NULL)
        status = holos_parse(g->v, example, out, err);
    return status;
}

static holos_status mind_open(game_table *g, holos_error *err)
{
    const shared_settings *shared = &g->c->shared;
    const play_settings *settings = g->c->settings;
    bool with_book = !settings->no_book && shared->engine == NULL;
    holos_status status = known_open(settings->store, with_book, g->v, 0, &g->known, err);
    if (status != HOLOS_OK)
        return status;
    holos_player_options wanted = {
        .engine = shared->engine,
        .limits = {.seconds = shared->time,
                   .nodes = shared->nodes,
                   .memory = shared->mem,
                   .stop = interrupt_flag()},
        .boundary = holos_knowledge_boundary(g->known),
        .seed = shared->seed,
        .settings = g->c->others,
    };
    return holos_player_open(g->v, &wanted, &g->mind, err);
}

/* What there is only in games of two. */
static const char *const of_games[] = {"side", "seed", NULL};

static holos_status table_open(game_table *g, holos_error *err)
{
    holos_status status = holos_open(g->c->operands[0], &g->v, err);
    if (status != HOLOS_OK)
        return status;
    g->puzzle = wire_is_puzzle(g->v);
    for (const char *const *name = of_games; g->puzzle && *name != NULL; name++)
        if (cli_given(g->c, *name))
            return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                             "--%s: a puzzle such as %s takes no such option", *name,
                             holos_variant_name(g->v));
    holos_position *start = holos_position_new(g->v);
    g->in = malloc(sizeof *g->in);
    if (start == NULL || g->in == NULL)
        status = error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for the game");
    if (status == HOLOS_OK)
        status = first_position(g, start, err);
    if (status == HOLOS_OK && !history_init(&g->game, g->v, start))
        status = error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for the game");
    if (status == HOLOS_OK)
        status = mind_open(g, err);
    holos_position_free(start);
    return status;
}

static void table_close(game_table *g)
{
    holos_player_close(g->mind);
    holos_knowledge_close(g->known);
    history_free(&g->game);
    free(g->in);
    holos_close(g->v);
}

static void greet(game_table *g)
{
    text *t = &g->out->text;
    text_printf(t, "%s. ", holos_game_title(holos_variant_game(g->v)));
    if (!g->puzzle && g->user != SIDE_NONE && g->user != SIDE_BOTH)
        text_printf(t, "You play %s. ", side_names[g->user == SIDE_SECOND]);
    text_string(t, "'help' lists the commands.\n");
}

static cli_status run(cli *c)
{
    const play_settings *settings = c->settings;
    holos_error err;
    game_table g = {.c = c,
                    .out = c->out,
                    .user = side_bits[settings->side],
                    .person = isatty(STDIN_FILENO),
                    .show = true};
    if (table_open(&g, &err) == HOLOS_OK) {
        lines_init(g.in, STDIN_FILENO);
        greet(&g);
        play(&g);
    } else {
        g.status = cli_fail(&err);
    }
    table_close(&g);
    return g.status;
}

static const char *const defaults[] = {"time", "2s", NULL};

const cli_verb verb_play = {
    .name = "play",
    .operands = "GAME[:VARIANT] [POSITION]",
    .summary = "play against holos in the terminal",
    .description =
        "Shows the board and takes moves and commands, one per line; 'help' lists the commands. "
        "holos plays perfectly wherever it can solve the position in time; otherwise it says that "
        "its move is a guess. Without a position, the game begins at its start, and a puzzle is the "
        "first example. Ctrl-C while it thinks makes it move at once.",
    .operands_min = 1,
    .operands_max = 2,
    .complete = game_word,
    .shared = SHARED_LIMITS | SHARED_ENGINE | SHARED_SEED | SHARED_CONFIG | SHARED_LOG,
    .uses = USE(PLAY),
    .options = options,
    .settings_size = sizeof(play_settings),
    .defaults = defaults,
    .run = run,
};
