/* SPDX-License-Identifier: MIT */

/* Looks positions up in a store. */

#include "cli/interrupt.h"
#include "cli/known.h"
#include "cli/solving.h"
#include "cli/spines.h"
#include "core/pool.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

typedef struct query_settings {
    const char *game, *store;
    bool moves, pv, spine;
} query_settings;

static const holos_option options[] = {
    {OPTION(STRING, query_settings, game), .name = "game", .value = "GAME",
     .help = "another variant that the store also serves"},
    {OPTION(STRING, query_settings, store), .name = "store", .value = "URL",
     .help = "the store, if it is not the first argument"},
    {OPTION(FILE, query_settings, store), .name = "tables", .value = "DIR",
     .help = "the same, as a folder; it may hold tables made by other programs"},
    {OPTION(FLAG, query_settings, moves), .name = "moves", .letter = 'm',
     .help = "also print the value of every move"},
    {OPTION(FLAG, query_settings, pv), .name = "pv", .letter = 'p', .help = "also print a line of best play"},
    {OPTION(FLAG, query_settings, spine), .name = "spine",
     .help = "hologram: print the line from a solved position to the boundary instead"},
    {0},
};

static const char *const only_start[] = {"start"};
static const char *const only_stdin[] = {"-"};

static cli_status spine_look_up(cli *c, const holos_knowledge *known, batch_source source)
{
    static const char *const of_values[] = {"moves", "pv", NULL};
    const query_settings *s = c->settings;
    char path[PATH_MAX];
    holos_error err;
    if (cli_refuses(c, of_values, "--spine"))
        return CLI_USAGE;
    if (strcmp(holos_knowledge_kind(known), "hologram") != 0)
        return cli_usage("--spine needs a hologram; this is a %s", holos_knowledge_kind(known));
    if (holos_hologram_path(s->store != NULL ? s->store : c->operands[0], path, sizeof path, &err) !=
        HOLOS_OK)
        return cli_fail(&err);
    return spines_answer(c, holos_knowledge_variant(known), path, source);
}

static cli_status look_up(cli *c, holos_knowledge *known)
{
    const query_settings *s = c->settings;
    size_t first = s->store == NULL ? 1 : 0; /* the first argument may be the store */
    batch_source source = {.words = isatty(STDIN_FILENO) ? only_start : only_stdin, .count = 1};
    if (c->operand_count > first)
        source = (batch_source){.words = c->operands + first, .count = c->operand_count - first};
    if (s->spine)
        return spine_look_up(c, known, source);
    solving lookups = {.format = answer_format_of(c, holos_knowledge_variant(known)),
                       .options = {.engine = "lookup",
                                   .limits = {.stop = interrupt_flag()},
                                   .moves = s->moves,
                                   .line = s->pv,
                                   .boundary = holos_knowledge_boundary(known)}};
    answer_format_know(&lookups.format, known);
    lookups.format.moves = s->moves;
    lookups.format.line = s->pv;
    batch_totals totals = {0};
    unsigned threads = c->shared.threads > 0 ? (unsigned)c->shared.threads : pool_processors();
    return solving_run(c, &lookups, source, threads, &totals);
}

static cli_status run(cli *c)
{
    const query_settings *s = c->settings;
    holos_error err;
    holos_variant *v = NULL;
    holos_knowledge *known = NULL;
    if (s->store == NULL && c->operand_count == 0)
        return cli_usage("query needs a store: holos query file:DIR");
    const char *url = s->store != NULL ? s->store : c->operands[0];
    holos_status status = s->game != NULL ? holos_open(s->game, &v, &err) : HOLOS_OK;
    if (status == HOLOS_OK)
        status = known_open(url, false, v, c->shared.mem, &known, &err);
    cli_status exit = status == HOLOS_OK ? look_up(c, known) : cli_fail(&err);
    holos_knowledge_close(known);
    holos_close(v);
    return exit;
}

const cli_verb verb_query = {
    .name = "query",
    .operands = "STORE [POSITION…]",
    .summary = "look up values in a store",
    .description =
        "Looks up positions in a store that 'holos build' made, in a hologram that 'holos explore' made, or "
        "in a folder of tables: their value, distances and best moves, and with --moves those of "
        "every move. With --spine, it prints the line from a solved position of a hologram to the boundary. "
        "A plain path is enough: holos sees what is there. query never searches: if a "
        "position is not in the store, the answer is the range of scores, and the exit "
        "status is 4. If its place in the store is damaged, the answer is an error. Positions are "
        "arguments, or lines on standard input.",
    .operands_min = 0,
    .operands_max = SIZE_MAX,
    .shared = SHARED_MEM | SHARED_THREADS | SHARED_JSON | SHARED_CONFIG | SHARED_LOG,
    .options = options,
    .settings_size = sizeof(query_settings),
    .run = run,
};
