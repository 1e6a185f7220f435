/* SPDX-License-Identifier: MIT */

/* Whole databases, graphs and books, and what else a game can build. */

#include "cli/job.h"
#include "cli/known.h"

typedef struct build_settings {
    const char *game, *store, *known, *plot;
    bool graph, resume, restart, estimate;
    int64_t ranks, machines;
} build_settings;

static const holos_option options[] = {
    {OPTION(STRING, build_settings, game), .name = "game", .value = "GAME",
     .help = "the game, if it is not the first argument: for configuration files"},
    {OPTION(STRING, build_settings, store), .name = "store", .letter = 's', .value = "URL",
     .help = "where to keep the result: file:DIR, sqlite:FILE, postgres://…, parquet:DIR or bigtable://…; "
             "without a store it is only counted"},
    {OPTION(FLAG, build_settings, graph), .name = "graph", .letter = 'g',
     .help = "build the graph of positions that can be reached from the start"},
    {OPTION(STRING, build_settings, known), .name = "known", .value = "URL",
     .help = "for a book: a shorter book of the game, whose values speed up the search"},
    {OPTION(FLAG, build_settings, resume), .name = "resume", .letter = 'r',
     .help = "continue unfinished work, or extend finished work"},
    {OPTION(FLAG, build_settings, restart), .name = "restart", .help = "delete what is there and start over"},
    {OPTION(FLAG, build_settings, estimate), .name = "estimate",
     .help = "only say what it would need: memory, disk, time"},
    {OPTION(INT, build_settings, ranks), .name = "ranks", .min = 1, .max = 1000000, .value = "N",
     .help = "with --estimate: for a cluster of this many processes"},
    {OPTION(INT, build_settings, machines), .name = "machines", .min = 1, .max = 1000000, .value = "N",
     .help = "with --ranks, for databases: these are on so many machines, and those of one share its memory "
             "(default: one each)"},
    {OPTION(FILE, build_settings, plot), .name = "plot", .value = "FILE",
     .help = "draw positions by tier and the distribution of values, as SVG"},
    {0},
};

static const char *const kinds[] = {"database", "graph", "book", "tables", NULL};

static cli_status build(cli *c, const holos_variant *v)
{
    const build_settings *s = c->settings;
    holos_error err;
    holos_knowledge *known;
    bool book = holos_settings_get(c->others, "book-depth") != NULL;
    if (s->graph && book)
        return cli_usage("--graph and --book-depth contradict each other");
    if (s->known != NULL && !book)
        return cli_usage("--known works only for books");
    if (s->ranks > 0 && !s->estimate)
        return cli_usage("--ranks is for --estimate; mpirun -n N starts the processes of a cluster");
    if (s->machines > 0 && (s->machines > s->ranks || s->graph || book))
        return cli_usage(
            s->graph || book
                ? "--machines works only for databases"
                : "--machines is for --estimate with --ranks: a machine has at least one of them");
    if (known_open(s->known, false, v, 0, &known, &err) != HOLOS_OK)
        return cli_fail(&err);
    size_t named = c->operand_count > 0 ? 1 : 0; /* the game */
    holos_job_options o = {.kind = s->graph ? "graph"
                                   : book   ? "book"
                                            : job_kind_of(v, kinds),
                           .store = s->store,
                           .operands = c->operands + named,
                           .operand_count = c->operand_count - named,
                           .boundary = holos_knowledge_boundary(known)};
    job_wishes wishes = {.resume = s->resume,
                         .restart = s->restart,
                         .estimate = s->estimate,
                         .plot = s->plot,
                         .ranks = (unsigned)s->ranks,
                         .machines = (unsigned)s->machines};
    cli_status exit = job_do(c, v, &o, &wishes);
    holos_knowledge_close(known);
    return exit;
}

static cli_status run(cli *c)
{
    const build_settings *s = c->settings;
    const char *game = c->operand_count > 0 ? c->operands[0] : s->game;
    holos_error err;
    holos_variant *v;
    if (game == NULL)
        return cli_usage("build needs a game: holos build %s", c->verb->operands);
    if (holos_open(game, &v, &err) != HOLOS_OK)
        return cli_fail(&err);
    cli_status status = build(c, v);
    holos_close(v);
    return status;
}

const cli_verb verb_build = {
    .name = "build",
    .operands = "GAME[:VARIANT] [ENDING]",
    .summary = "build a database, a graph, a book or endgame tables",
    .description =
        "Finds the values of all positions of a game up to a size, by retrograde analysis, and keeps them in "
        "a store. 'holos query' looks them up, and 'holos solve --store' searches above them. Values count "
        "what is still to come, for the side to move. With --graph it finds every position that can "
        "be reached from the start instead, with its depth, value and best move. With --book-depth it makes "
        "a book of the first plies: it searches the positions of the last ply and derives the others. If the "
        "game has endgame tables, it builds those for the ending you name, as files that other programs "
        "read.\n\n"
        "Before long work starts, it checks that there is enough memory; --estimate only says what it would "
        "need. "
        "Finished parts are kept at once: after Ctrl-C, a crash or a full disk, --resume continues and ends "
        "with the same bytes. With --cluster, the processes that mpirun has started share any of these, and "
        "end with the bytes of one. A record of the run is kept beside the store (build.json).",
    .operands_min = 0,
    .operands_max = 2,
    .complete = game_word,
    .shared = SHARED_TIME | SHARED_MEM | SHARED_THREADS | SHARED_JSON | SHARED_PROGRESS | SHARED_CONFIG |
              SHARED_LOG | SHARED_CLUSTER,
    .options = options,
    .uses = USE(JOB),
    .purposes = kinds,
    .settings_size = sizeof(build_settings),
    .answers_once = true,
    .run = run,
};
