/* SPDX-License-Identifier: MIT */

#include "cli/answer.h"
#include "cli/batch.h"
#include "cli/interrupt.h"
#include "core/clock.h"
#include "core/pool.h"

#include <stdlib.h>
#include <string.h>

typedef struct solve_settings {
    bool moves, pv, weak, distance, steps, no_hot;
    uint64_t solutions;
    bool whole;
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
    {OPTION(FLAG, solve_settings, no_hot), .name = "no-hot",
     .help = "the generic engine even where the game has a faster one of its own"},
    {OPTION(FLAG, solve_settings, whole), .name = "whole",
     .help = "standard input is one position, over several lines"},
    {0},
};

/* A stream is shared out over threads; a single position is given to a solver with all of them. */
static bool is_single(const batch_source *source)
{
    return source->count == 1 && strcmp(source->words[0], "-") != 0;
}

/* ---- What a thread does ------------------------------------------------------------------------ */

typedef struct solve_context {
    answer_format format;
    holos_solver_options options;
} solve_context;

typedef struct solve_worker {
    const solve_context *context;
    holos_solver *solver;
    uint64_t nodes;
    holos_result results[HOLOS_SOLVE_MANY];
    holos_status statuses[HOLOS_SOLVE_MANY];
} solve_worker;

static holos_status worker_open(const void *context, unsigned workers, void **out, holos_error *err)
{
    solve_worker *w = calloc(1, sizeof *w);
    if (w == NULL)
        return error_system(err, "solving");
    w->context = context;
    holos_solver_options own = w->context->options;
    own.limits.memory /= workers;
    *out = w;
    return holos_solver_open(w->context->format.v, &own, &w->solver, err);
}

static void worker_close(void *worker)
{
    solve_worker *w = worker;
    holos_solver_close(w->solver);
    free(w);
}

static void worker_write(solve_worker *w, batch_item *item, holos_status status, const holos_result *result,
                         const holos_error *err)
{
    const answer_format *format = &w->context->format;
    item->failed = status != HOLOS_OK && status != HOLOS_LIMIT && status != HOLOS_INTERRUPTED;
    if (item->failed) {
        item->status = answer_error(item->answer, format, item->question, err);
        return;
    }
    w->nodes += result->nodes;
    item->status = answer_write(item->answer, format, item->question, item->position, status, result);
}

static void worker_answer(void *worker, batch_item *items, size_t count)
{
    solve_worker *w = worker;
    holos_error err = {0};
    if (count > 1) {
        holos_solver_solve_many(w->solver, items[0].position, count, w->results, w->statuses);
        for (size_t i = 0; i < count; i++)
            worker_write(w, &items[i], w->statuses[i], &w->results[i], &err);
        return;
    }
    holos_status status = holos_solver_solve(w->solver, items[0].position, &w->results[0], &err);
    worker_write(w, &items[0], status, &w->results[0], &err);
}

static void worker_refuse(const void *context, const char *question, const holos_error *err, text *out)
{
    answer_error(out, &((const solve_context *)context)->format, question, err);
}

static uint64_t worker_nodes(const void *worker)
{
    return ((const solve_worker *)worker)->nodes;
}

/* How many positions a solver takes at once without making anybody wait for a slow one. */
static size_t block_of(const solve_context *context)
{
    holos_solver *solver;
    if (holos_solver_open(context->format.v, &context->options, &solver, NULL) != HOLOS_OK)
        return 1; /* the workers will say why */
    size_t block = holos_solver_takes_many(solver) ? HOLOS_SOLVE_MANY : 1;
    holos_solver_close(solver);
    return block;
}

/* ------------------------------------------------------------------------------------------------ */

static const char *const only_start[] = {"start"};

static cli_status run(cli *c)
{
    const solve_settings *s = c->settings;
    holos_error err;
    holos_variant *v;
    if (holos_open(c->operands[0], &v, &err) != HOLOS_OK)
        return cli_fail(&err);
    if (s->steps && holos_technique_at(holos_variant_game(v), 0) == NULL) {
        cli_error("--steps is for puzzles; %s is not solved by deductions", holos_variant_name(v));
        holos_close(v);
        return CLI_USAGE;
    }
    batch_source source = batch_source_choose(c, s->whole ? NULL : only_start);
    source.whole = s->whole;
    unsigned threads = c->shared.threads > 0 ? (unsigned)c->shared.threads : pool_processors();
    if (!is_single(&source) && source.count < threads && strcmp(source.words[0], "-") != 0)
        threads = (unsigned)source.count;
    solve_context context = {.format = {.v = v,
                                        .json = c->shared.json,
                                        .color = c->out->color && !c->shared.json,
                                        .moves = s->moves,
                                        .line = s->pv,
                                        .weak = s->weak,
                                        .steps = s->steps}};
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
        .solutions = s->solutions,
        .threads = is_single(&source) ? threads : 1,
    };
    batch_totals totals = {0};
    double start = clock_wall();
    log_write(&c->log, LOG_LEVEL_INFO, "solving %s on %u %s", holos_variant_name(v), threads,
              threads == 1 ? "thread" : "threads");
    batch_kind kind = {.name = "solve",
                       .v = v,
                       .context = &context,
                       .block = is_single(&source) ? 1 : block_of(&context),
                       .open = worker_open,
                       .close = worker_close,
                       .answer = worker_answer,
                       .refuse = worker_refuse,
                       .nodes = worker_nodes};
    cli_status status = batch_run(c, &kind, source, is_single(&source) ? 1 : threads, &totals);
    output_flush(c->out); /* the remarks come after the answers */
    batch_report(c, &totals, clock_wall() - start);
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
