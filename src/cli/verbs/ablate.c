/* SPDX-License-Identifier: MIT */

/* What each layer of the zeno engine is worth. */

#include "cli/job.h"

typedef struct ablate_wishes {
    const char *out;
    bool resume, restart, estimate;
} ablate_wishes;

static const holos_option options[] = {
    {OPTION(FILE, ablate_wishes, out), .name = "out", .letter = 'o', .value = "DIR",
     .help = "a folder for the table, the plot, the log of moves and the record; without it the result is "
             "only shown"},
    {OPTION(FLAG, ablate_wishes, resume), .name = "resume", .letter = 'r',
     .help = "continue with the ablation that is there"},
    {OPTION(FLAG, ablate_wishes, restart), .name = "restart", .help = "start over and replace what is there"},
    {OPTION(FLAG, ablate_wishes, estimate), .name = "estimate", .help = "only say what it would need"},
    {0},
};

static cli_status run(cli *c)
{
    static const char *const of_searches[] = {"nodes", NULL};
    const ablate_wishes *s = c->settings;
    holos_error err;
    holos_variant *v;
    if (cli_refuses(c, of_searches, "an ablation"))
        return CLI_USAGE;
    if (holos_open(c->operands[0], &v, &err) != HOLOS_OK)
        return cli_fail(&err);
    holos_job_options o = {.kind = "ablation", .store = s->out};
    job_wishes wishes = {.resume = s->resume, .restart = s->restart, .estimate = s->estimate};
    cli_status exit = job_do(c, v, &o, &wishes);
    holos_close(v);
    return exit;
}

static const char *const kinds[] = {"ablation", NULL};

const cli_verb verb_ablate = {
    .name = "ablate",
    .operands = "GAME[:VARIANT]",
    .summary = "measure what each layer of the zeno engine is worth",
    .description =
        "Lets configurations of the zeno engine play against the plain search with a fixed budget and the "
        "same "
        "network: layers added one by one, all of them, and two controls (a fixed budget equal to the mean "
        "of "
        "all layers, and a stopper by information gain). Openings come in pairs, with both colours.\n\n"
        "For each configuration it prints points, Elo with its 95 % error, the chance of so uneven a result "
        "between equals, simulations a game, what was saved of the baseline's, obvious moves, early stops, "
        "and "
        "the mean lambda and entropy.",
    .operands_min = 1,
    .operands_max = 1,
    .complete = game_word,
    .shared = SHARED_LIMITS | SHARED_THREADS | SHARED_SEED | SHARED_JSON | SHARED_PROGRESS | SHARED_CONFIG |
              SHARED_LOG,
    .options = options,
    .uses = USE(JOB),
    .purposes = kinds,
    .settings_size = sizeof(ablate_wishes),
    .answers_once = true,
    .run = run,
};
