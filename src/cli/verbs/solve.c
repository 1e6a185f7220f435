/* SPDX-License-Identifier: MIT */

#include "cli/interrupt.h"
#include "cli/known.h"
#include "cli/solving.h"
#include "core/clock.h"
#include "core/pool.h"

#include <string.h>

typedef struct solve_settings {
    bool moves, pv, weak, distance, steps, no_hot, no_book, whole, telemetry;
    uint64_t solutions, depth;
    const char *store;
    const char *mode;
} solve_settings;

static const cli_option options[] = {
    {OPTION(FLAG, solve_settings, moves), .name = "moves", .letter = 'm',
     .help = "the value of every move, too"},
    {OPTION(FLAG, solve_settings, pv), .name = "pv", .letter = 'p', .help = "a line of best play, too"},
    {OPTION(FLAG, solve_settings, weak), .name = "weak", .letter = 'w',
     .help = "only the outcome: win, draw or loss; quicker than the exact score"},
    {OPTION(FLAG, solve_settings, distance), .name = "distance", .letter = 'd',
     .help = "how long the game will last, even where that takes more work"},
    {OPTION(COUNT, solve_settings, solutions), .name = "solutions", .letter = 's', .value = "N",
     .fallback = "2", .help = "puzzles: count solutions up to this many"},
    {OPTION(FLAG, solve_settings, steps), .name = "steps",
     .help = "puzzles: the deductions that lead to the solution, one after another, too"},
    {OPTION(STRING, solve_settings, store), .name = "store", .value = "URL",
     .help = "values that need not be searched: a store that 'holos build' made, such as file:DIR"},
    {OPTION(FILE, solve_settings, store), .name = "tables", .value = "DIR", .help = "the same, as a folder"},
    {OPTION(FLAG, solve_settings, no_book), .name = "no-book",
     .help = "search even what stands in the book that comes with the program"},
    {OPTION(STRING, solve_settings, mode), .name = "mode", .value = "MODE",
     .help = "hidato: v1 to v4; with --engine wave: auto, lightning, wave, crystal or osmosis"},
    {OPTION(COUNT, solve_settings, depth), .name = "depth", .value = "N",
     .help = "puzzles with modes: guesses on top of each other, at most"},
    {OPTION(FLAG, solve_settings, telemetry), .name = "telemetry",
     .help = "puzzles with modes: what each technique did, and how long it took, too"},
    {OPTION(FLAG, solve_settings, no_hot), .name = "no-hot",
     .help = "the generic engine even where the game has a faster one of its own"},
    {OPTION(FLAG, solve_settings, whole), .name = "whole",
     .help = "standard input is one position, over several lines"},
    {0},
};

static const char *const only_start[] = {"start"};

static cli_status run(cli *c)
{
    const solve_settings *s = c->settings;
    holos_error err;
    holos_variant *v;
    known from_store;
    if (holos_open(c->operands[0], &v, &err) != HOLOS_OK)
        return cli_fail(&err);
    if (s->steps && holos_technique_at(holos_variant_game(v), 0) == NULL) {
        cli_error("--steps is for puzzles; %s is not solved by deductions", holos_variant_name(v));
        holos_close(v);
        return CLI_USAGE;
    }
    /* The book stands in for the search: whoever names another engine wants to see that one work. */
    bool with_book = !s->no_book && c->shared.engine == NULL;
    if ((with_book ? known_open_or_book(&from_store, s->store, v, &err)
                   : known_open(&from_store, s->store, v, 0, &err)) != HOLOS_OK) {
        holos_close(v);
        return cli_fail(&err);
    }
    batch_source source = batch_source_choose(c, s->whole ? NULL : only_start);
    source.whole = s->whole;
    unsigned threads = c->shared.threads > 0 ? (unsigned)c->shared.threads : pool_processors();
    if (!solving_is_single(&source) && source.count < threads && strcmp(source.words[0], "-") != 0)
        threads = (unsigned)source.count;
    solving context = {.format = answer_format_of(c, v)};
    context.format.moves = s->moves;
    context.format.line = s->pv;
    context.format.weak = s->weak;
    context.format.steps = s->steps;
    context.format.telemetry = s->telemetry;
    context.options = (holos_solver_options){
        .engine = c->shared.engine,
        .limits = {.seconds = c->shared.time,
                   .nodes = c->shared.nodes,
                   .memory = c->shared.mem,
                   .stop = interrupt_flag()},
        .weak = s->weak,
        .moves = s->moves,
        .line = s->pv,
        .distance = s->distance,
        .no_hot = s->no_hot,
        .mode = s->mode,
        .depth = s->depth < UINT32_MAX ? (unsigned)s->depth : UINT32_MAX,
        .telemetry = s->telemetry,
        .solutions = s->solutions,
        .threads = solving_is_single(&source) ? threads : 1,
        .boundary = known_boundary(&from_store),
    };
    batch_totals totals = {0};
    double start = clock_wall();
    log_write(&c->log, LOG_LEVEL_INFO, "solving %s on %u %s", holos_variant_name(v), threads,
              threads == 1 ? "thread" : "threads");
    cli_status status = solving_run(c, &context, source, threads, &totals);
    output_flush(c->out); /* the remarks come after the answers */
    batch_report(c, &totals, clock_wall() - start);
    known_close(&from_store);
    holos_close(v);
    return status;
}

static const cli_example examples[] = {
    {"solve connect4 4453", "is the player to move winning, and how?"},
    {"solve connect4:5x4 --moves --pv start", "a smaller board: every first move, and a line of best play"},
    {"solve sudoku --solutions 10 < puzzles.txt", "one puzzle a line; up to ten solutions counted for each"},
    {"solve kalah --time 5s --json < positions.txt", "at most five seconds for each, as JSON"},
    {0},
};

const cli_verb verb_solve = {
    .name = "solve",
    .operands = "GAME[:VARIANT] [POSITION…]",
    .summary = "exact values of positions",
    .description =
        "Finds out what positions are worth: the score with best play on both sides, seen from the side to "
        "move; for a puzzle, its solution and whether it is the only one.\n\n"
        "Positions are arguments, or lines on standard input if there are no arguments or one of them is -. "
        "Answers come in the same order. Without positions, on a terminal, the start position is "
        "solved. A position that cannot be read gets an error in the place of its answer, and the others go "
        "on. "
        "What begins with a dash goes after --.\n\n"
        "Where a limit is reached first, the answer is the interval in which the score lies, and the "
        "exit status is 4.",
    .operands_min = 1,
    .operands_max = SIZE_MAX,
    .complete = game_word,
    .shared = SHARED_LIMITS | SHARED_THREADS | SHARED_ENGINE | SHARED_SEED | SHARED_JSON | SHARED_PROGRESS |
              SHARED_CONFIG | SHARED_LOG,
    .options = options,
    .settings_size = sizeof(solve_settings),
    .examples = examples,
    .run = run,
};
