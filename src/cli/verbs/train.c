/* SPDX-License-Identifier: MIT */

/* Training a network by self-play. */

#include "cli/job.h"

typedef struct train_wishes {
    const char *store;
    bool resume, restart, estimate;
} train_wishes;

static const holos_option options[] = {
    {OPTION(STRING, train_wishes, store), .name = "store", .letter = 's', .value = "file:DIR",
     .help = "the folder of the training: its checkpoint, network, record and plot"},
    {OPTION(FLAG, train_wishes, resume), .name = "resume", .letter = 'r',
     .help = "continue with the training that is there"},
    {OPTION(FLAG, train_wishes, restart), .name = "restart", .help = "start over and replace what is there"},
    {OPTION(FLAG, train_wishes, estimate), .name = "estimate", .help = "only say what it would need"},
    {0},
};

static cli_status run(cli *c)
{
    static const char *const of_searches[] = {"nodes", NULL};
    const train_wishes *s = c->settings;
    holos_error err;
    holos_variant *v;
    if (cli_refuses(c, of_searches, "a training"))
        return CLI_USAGE;
    if (holos_open(c->operands[0], &v, &err) != HOLOS_OK)
        return cli_fail(&err);
    holos_job_options o = {.kind = "training", .store = s->store};
    job_wishes wishes = {.resume = s->resume, .restart = s->restart, .estimate = s->estimate};
    cli_status exit = job_do(c, v, &o, &wishes);
    holos_close(v);
    return exit;
}

static const char *const kinds[] = {"training", NULL};

const cli_verb verb_train = {
    .name = "train",
    .operands = "GAME[:VARIANT]",
    .summary = "train a network by self-play, for the zeno engine",
    .description =
        "Plays games of a network against itself, learns from them, and plays again. Every iteration ends "
        "with a "
        "checkpoint that holds everything; whenever it stops, --resume continues, and ends with the same "
        "weights "
        "as a training that was not stopped. The folder also gets the network, a record with the losses and "
        "ratings of every iteration, and a plot of them.\n\n"
        "Without other options it trains a residual net of 64 channels and 4 blocks with few simulations; "
        "--root puct --simulations 800 --net tower --channels 128 is the training of the source document.",
    .operands_min = 1,
    .operands_max = 1,
    .complete = game_word,
    .shared = SHARED_LIMITS | SHARED_THREADS | SHARED_SEED | SHARED_JSON | SHARED_PROGRESS | SHARED_CONFIG |
              SHARED_LOG,
    .options = options,
    .uses = USE(JOB),
    .purposes = kinds,
    .settings_size = sizeof(train_wishes),
    .answers_once = true,
    .run = run,
};
