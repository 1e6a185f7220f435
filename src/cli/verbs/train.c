/* SPDX-License-Identifier: MIT */

/* What a game learns from playing against itself: a network, an evaluation, or how far to trust a glance. */

#include "cli/job.h"

#include <string.h>

typedef struct train_wishes {
    const char *store;
    double checkpoint;
    bool resume, restart, estimate;
} train_wishes;

static const holos_option options[] = {
    {OPTION(STRING, train_wishes, store), .name = "store", .letter = 's', .value = "file:DIR",
     .help = "the folder of the training: its checkpoint, result, record and plot"},
    {OPTION(FLAG, train_wishes, resume), .name = "resume", .letter = 'r',
     .help = "continue with the training that is there"},
    {OPTION(FLAG, train_wishes, restart), .name = "restart", .help = "start over and replace what is there"},
    {OPTION(DURATION, train_wishes, checkpoint), .name = "checkpoint-every", .value = "TIME",
     .help = "how often to save an evaluation's training; by default every minute"},
    {OPTION(FLAG, train_wishes, estimate), .name = "estimate", .help = "only say what it would need"},
    {0},
};

/* What can be learned, and the kind of job that does it. */
static const struct {
    const char *word, *kind, *missing;
} lessons[] = {
    {"network", "training", "has no networks"},
    {"evaluation", "evaluation", "has no evaluation to learn"},
    {"lambda", "lambda", "has no networks"},
};

static cli_status train(cli *c, const holos_variant *v, size_t lesson)
{
    const train_wishes *s = c->settings;
    const char *const names[] = {lessons[lesson].kind, NULL};
    bool given = cli_given(c, "checkpoint-every");
    if (job_kind_of(v, names) == NULL)
        return cli_usage("%s %s", holos_variant_name(v), lessons[lesson].missing);
    if (given && lesson != 1)
        return cli_usage(
            "--checkpoint-every: only the training of an evaluation takes it; a network's saves after every "
            "iteration");
    if (given && s->checkpoint <= 0)
        return cli_usage("--checkpoint-every needs some time between two checkpoints, such as 10s");
    holos_job_options o = {
        .kind = lessons[lesson].kind, .store = s->store, .checkpoint_seconds = s->checkpoint};
    job_wishes wishes = {.resume = s->resume, .restart = s->restart, .estimate = s->estimate};
    return job_do(c, v, &o, &wishes);
}

static cli_status run(cli *c)
{
    static const char *const of_searches[] = {"nodes", NULL};
    const size_t count = sizeof lessons / sizeof *lessons;
    size_t lesson = 0;
    holos_error err;
    holos_variant *v;
    if (cli_refuses(c, of_searches, "a training"))
        return CLI_USAGE;
    if (c->operand_count > 1)
        while (lesson < count && strcmp(lessons[lesson].word, c->operands[1]) != 0)
            lesson++;
    if (lesson == count)
        return cli_usage("cannot train \"%s\"; choose network, evaluation or lambda", c->operands[1]);
    if (holos_open(c->operands[0], &v, &err) != HOLOS_OK)
        return cli_fail(&err);
    cli_status exit = train(c, v, lesson);
    holos_close(v);
    return exit;
}

static const char *const kinds[] = {"training", "evaluation", "lambda", NULL};

const cli_verb verb_train = {
    .name = "train",
    .operands = "GAME[:VARIANT] [network|evaluation|lambda]",
    .summary = "learn a network, an evaluation or lambda by self-play",
    .description =
        "Plays games against itself, learns from them, and plays again. What it learns is a guess, never a "
        "value.\n\n"
        "A network is what the zeno engine asks. Every iteration ends with a checkpoint that holds "
        "everything; whenever it stops, --resume continues, and ends with the same weights as a training "
        "that was not stopped. The folder also gets the network, a record with the losses and ratings of "
        "every iteration, and a plot of them. Without other options it trains a residual net of 64 channels "
        "and 4 blocks with few simulations; --root puct --simulations 800 --net tower --channels 128 is the "
        "training of the source document.\n\n"
        "An evaluation is what exact searches order their moves by, so that they end sooner. The same seed "
        "gives the same result, for any number of threads. Networks and evaluations are shared by --cluster, "
        "and are those that one process learns.\n\n"
        "Lambda says how far zeno trusts a glance at the board. It is learned from the log of an ablation "
        "(--log), in "
        "seconds, and used by the engine's option --lambda.",
    .operands_min = 1,
    .operands_max = 2,
    .complete = game_word,
    .shared = SHARED_LIMITS | SHARED_THREADS | SHARED_SEED | SHARED_JSON | SHARED_PROGRESS | SHARED_CONFIG |
              SHARED_LOG | SHARED_CLUSTER,
    .options = options,
    .uses = USE(JOB),
    .purposes = kinds,
    .settings_size = sizeof(train_wishes),
    .answers_once = true,
    .run = run,
};
