/* SPDX-License-Identifier: MIT */

#include "cli/interrupt.h"
#include "cli/known.h"
#include "cli/solving.h"
#include "core/clock.h"
#include "core/pool.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

typedef struct solve_settings {
    bool moves, pv, weak, distance, steps, no_hot, no_book, whole, telemetry;
    uint64_t solutions, depth;
    const char *store;
    const char *mode;
    const char *checkpoint;
    double checkpoint_every;
    bool resume, restart;
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
    {OPTION(FILE, solve_settings, store), .name = "tables", .value = "DIR",
     .help = "the same, as a folder; of chess also one with Syzygy tables"},
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
    {OPTION(FILE, solve_settings, checkpoint), .name = "checkpoint", .value = "FILE",
     .help = "keep what the search has proved in this file, so that it can go on after Ctrl-C, a limit or a "
             "kill"},
    {OPTION(DURATION, solve_settings, checkpoint_every), .name = "checkpoint-every", .value = "TIME",
     .fallback = "1m", .help = "how often the checkpoint is written"},
    {OPTION(FLAG, solve_settings, resume), .name = "resume", .letter = 'r',
     .help = "go on from the checkpoint"},
    {OPTION(FLAG, solve_settings, restart), .name = "restart",
     .help = "begin anew, and replace the checkpoint"},
    {OPTION(FLAG, solve_settings, whole), .name = "whole",
     .help = "standard input is one position, over several lines"},
    {0},
};

static const char *const only_start[] = {"start"};

/* Whether the checkpoint may be used as it is; if not, says why. */
static bool checkpoint_check(const solve_settings *s, bool single)
{
    if (s->checkpoint == NULL) {
        if (s->resume || s->restart)
            cli_error("--%s needs --checkpoint FILE", s->resume ? "resume" : "restart");
        return !s->resume && !s->restart;
    }
    if (!single) {
        cli_error("a checkpoint is of one position; give one");
        return false;
    }
    bool there = access(s->checkpoint, F_OK) == 0;
    if (there && !s->resume && !s->restart) {
        cli_error("%s is there already: --resume goes on from it, --restart begins anew", s->checkpoint);
        return false;
    }
    if (there && s->restart && unlink(s->checkpoint) != 0) {
        cli_error("cannot remove %s: %s", s->checkpoint, strerror(errno));
        return false;
    }
    return true;
}

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
    if (!checkpoint_check(s, solving_is_single(&source))) {
        known_close(&from_store);
        holos_close(v);
        return CLI_USAGE;
    }
    unsigned threads = c->shared.threads > 0 ? (unsigned)c->shared.threads : pool_processors();
    if (!solving_is_single(&source) && source.count < threads && strcmp(source.words[0], "-") != 0)
        threads = (unsigned)source.count;
    solving context = {.format = answer_format_of(c, v)};
    context.format.moves = s->moves;
    context.format.line = s->pv;
    context.format.weak = s->weak;
    context.format.steps = s->steps;
    context.format.telemetry = s->telemetry;
    if (c->shared.engine == NULL)
        context.format.endings = known_endings(&from_store);
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
        .checkpoint = s->checkpoint,
        .checkpoint_seconds = s->checkpoint_every,
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
    {"solve kalah:6,5,empty-capture start --store file:kalah6 --checkpoint kalah65.search",
     "a long search, which goes on with --resume"},
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
