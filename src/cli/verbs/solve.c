/* SPDX-License-Identifier: MIT */

#include "cli/interrupt.h"
#include "cli/known.h"
#include "cli/solving.h"
#include "core/clock.h"
#include "core/error.h"
#include "core/pool.h"

#include <string.h>

typedef struct solve_settings {
    bool moves, pv, weak, distance, steps, no_book, whole;
    const char *store;
} solve_settings;

static const holos_option options[] = {
    {OPTION(FLAG, solve_settings, moves), .name = "moves", .letter = 'm',
     .help = "also print the value of every move"},
    {OPTION(FLAG, solve_settings, pv), .name = "pv", .letter = 'p', .help = "also print a line of best play"},
    {OPTION(FLAG, solve_settings, weak), .name = "weak", .letter = 'w',
     .help = "only the outcome: win, draw or loss; quicker than the exact score"},
    {OPTION(FLAG, solve_settings, distance), .name = "distance", .letter = 'd',
     .help = "find how long the game lasts, even if that takes more work"},
    {OPTION(FLAG, solve_settings, steps), .name = "steps",
     .help = "puzzles: also print the deductions that lead to the solution, step by step"},
    KNOWN_OPTIONS(solve_settings),
    {OPTION(FLAG, solve_settings, whole), .name = "whole",
     .help = "read standard input as one position that spans several lines"},
    {0},
};

static const char *const only_start[] = {"start"};

static cli_status run(cli *c)
{
    const solve_settings *s = c->settings;
    holos_error err;
    holos_variant *v;
    holos_knowledge *known;
    cli_status exit;
    if (holos_open(c->operands[0], &v, &err) != HOLOS_OK)
        return cli_fail(&err);
    if (s->steps && holos_technique_at(holos_variant_game(v), 0) == NULL) {
        exit = cli_usage("--steps is for puzzles; %s is not solved by deductions", holos_variant_name(v));
        holos_close(v);
        return exit;
    }
    /* The book stands in for the search: whoever names another engine wants to see that one work. */
    bool with_book = !s->no_book && c->shared.engine == NULL;
    if (known_open(s->store, with_book, v, 0, &known, &err) != HOLOS_OK) {
        holos_close(v);
        return cli_fail(&err);
    }
    batch_source source = batch_source_choose(c, s->whole ? NULL : only_start);
    source.whole = s->whole;
    if (holos_settings_get(c->others, "checkpoint") != NULL && !solving_is_single(&source)) {
        exit = cli_usage("--checkpoint: a checkpoint holds one position; name exactly one");
        holos_knowledge_close(known);
        holos_close(v);
        return exit;
    }
    if (c->cluster != NULL && c->shared.threads != 1) {
        error_set(&err, HOLOS_USAGE, HOLOS_NOWHERE,
                  "a rank of a cluster solves with one thread: start more ranks instead");
        holos_knowledge_close(known);
        holos_close(v);
        return cli_fail(&err);
    }
    unsigned threads = c->shared.threads > 0 ? (unsigned)c->shared.threads : pool_processors();
    if (!solving_is_single(&source) && source.count < threads && strcmp(source.words[0], "-") != 0)
        threads = (unsigned)source.count;
    atomic_bool told = false;
    solving context = {.format = answer_format_of(c, v), .log = &c->log, .told = &told};
    context.format.moves = s->moves;
    context.format.line = s->pv;
    context.format.weak = s->weak;
    context.format.steps = s->steps;
    if (c->shared.engine == NULL || strcmp(c->shared.engine, "lookup") == 0) /* others tell no distances */
        answer_format_know(&context.format, known);
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
        .threads = solving_is_single(&source) ? threads : 1,
        .boundary = holos_knowledge_boundary(known),
        .settings = c->others,
        .progress = solving_is_single(&source) && c->screen.mode != SCREEN_NONE ? screen_show : NULL,
        .progress_context = &c->screen,
        .progress_seconds = screen_interval(&c->screen),
    };
    batch_totals totals = {0};
    double start = clock_wall();
    log_write(&c->log, LOG_LEVEL_INFO, "solving %s on %u %s", holos_variant_name(v), threads,
              threads == 1 ? "thread" : "threads");
    cli_status status = solving_run(c, &context, source, threads, &totals);
    output_flush(c->out); /* the remarks come after the answers */
    batch_report(c, &totals, clock_wall() - start);
    holos_knowledge_close(known);
    holos_close(v);
    return status;
}

const cli_verb verb_solve = {
    .name = "solve",
    .operands = "GAME[:VARIANT] [POSITION…]",
    .summary = "find the exact values of positions",
    .description =
        "Finds what positions are worth: the score with best play on both sides, seen from the side "
        "to move; for a puzzle, its solution and whether it is the only one.\n\n"
        "Positions are arguments, or lines on standard input if there are no arguments or one of "
        "them is -. Answers come in the same order. Without positions, on a terminal, holos solves "
        "the start position. A position that cannot be read gets an error instead of an answer; the "
        "others are still answered. Put -- before a position that begins with a dash.\n\n"
        "If a limit comes first, the answer is the interval that contains the score, and the exit "
        "status is 4.",
    .operands_min = 1,
    .operands_max = SIZE_MAX,
    .complete = game_word,
    .shared = SHARED_LIMITS | SHARED_THREADS | SHARED_ENGINE | SHARED_JSON | SHARED_PROGRESS | SHARED_CONFIG |
              SHARED_LOG | SHARED_CLUSTER,
    .options = options,
    .uses = USE(SOLVE),
    .settings_size = sizeof(solve_settings),
    .run = run,
};
