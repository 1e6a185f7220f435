/* SPDX-License-Identifier: MIT */

/* Looks positions up in a store. */

#include "cli/interrupt.h"
#include "cli/known.h"
#include "cli/solving.h"

#include <unistd.h>

typedef struct query_settings {
    const char *game;
    bool moves, pv;
} query_settings;

static const cli_option options[] = {
    {OPTION(STRING, query_settings, game), .name = "game", .value = "GAME",
     .help = "another variant that the store is good for"},
    {OPTION(FLAG, query_settings, moves), .name = "moves", .letter = 'm',
     .help = "the value of every move, too"},
    {OPTION(FLAG, query_settings, pv), .name = "pv", .letter = 'p', .help = "a line of best play, too"},
    {0},
};

static const char *const only_start[] = {"start"};
static const char *const only_stdin[] = {"-"};

static cli_status look_up(cli *c, const holos_variant *v, const known *k)
{
    const query_settings *s = c->settings;
    batch_source source = {.words = isatty(STDIN_FILENO) ? only_start : only_stdin, .count = 1};
    if (c->operand_count > 1)
        source = (batch_source){.words = c->operands + 1, .count = c->operand_count - 1};
    solving lookups = {.format = answer_format_of(c, v),
                       .options = {.engine = "lookup",
                                   .limits = {.stop = interrupt_flag()},
                                   .moves = s->moves,
                                   .line = s->pv,
                                   .boundary = known_boundary(k)}};
    lookups.format.moves = s->moves;
    lookups.format.line = s->pv;
    batch_totals totals = {0};
    return solving_run(c, &lookups, source, 1, &totals);
}

static cli_status run(cli *c)
{
    const query_settings *s = c->settings;
    holos_error err;
    holos_variant *v = NULL;
    known k = {0};
    holos_status status = s->game != NULL ? holos_open(s->game, &v, &err) : HOLOS_OK;
    if (status == HOLOS_OK)
        status = known_open(&k, c->operands[0], v, c->shared.mem, &err);
    cli_status exit = status == HOLOS_OK ? look_up(c, v != NULL ? v : known_variant(&k), &k) : cli_fail(&err);
    known_close(&k);
    holos_close(v);
    return exit;
}

static const cli_example examples[] = {
    {"query file:kalah6 '0,0,1,0,0,2,20/0,1,0,0,3,1,20 1' --moves", "the value of every move"},
    {"query sqlite:kalah43.db start", "the start position"},
    {"query file:waves 4453 --moves", "what waves found out about a position"},
    {0},
};

const cli_verb verb_query = {
    .name = "query",
    .operands = "STORE [POSITION…]",
    .summary = "look up values in a store",
    .description =
        "Looks positions up in a store that 'holos build' made, or in a hologram of 'holos explore': their "
        "value, "
        "best moves, and with --moves the value of every move. Nothing is searched: a position that the "
        "store does not hold is answered with the "
        "range "
        "of scores, and the exit status is 4. Positions are arguments, or lines on standard input.",
    .operands_min = 1,
    .operands_max = SIZE_MAX,
    .shared = SHARED_MEM | SHARED_JSON | SHARED_CONFIG | SHARED_LOG,
    .options = options,
    .settings_size = sizeof(query_settings),
    .examples = examples,
    .run = run,
};
