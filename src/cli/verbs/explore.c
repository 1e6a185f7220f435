/* SPDX-License-Identifier: MIT */

/* Waves from positions and from the boundary, into a hologram that later runs continue. */

#include "cli/interrupt.h"
#include "cli/job.h"
#include "cli/kinds.h"
#include "cli/known.h"
#include "cli/seeds.h"

#include <stdlib.h>
#include <string.h>

typedef struct explore_settings {
    const char *store, *known, *plot, *seeds, *session, *batch;
    double checkpoint;
    int64_t ranks;
    bool resume, restart, estimate, kinds;
} explore_settings;

static const holos_option options[] = {
    {OPTION(STRING, explore_settings, store), .name = "store", .letter = 's', .value = "file:DIR",
     .help = "where to keep the hologram; without a store the result is only shown"},
    {OPTION(FILE, explore_settings, seeds), .name = "seeds", .value = "FILE|-",
     .help = "explore from these, one a line: POSITION, or POSITION DEPTH MODE DIRECTION"},
    {OPTION(FILE, explore_settings, session), .name = "session", .value = "NAME",
     .help = "explore in rounds that choose their own seeds, and keep the session in this folder"},
    {OPTION(FILE, explore_settings, batch), .name = "batch", .value = "FILE",
     .help = "do one batch of a session, as --isolate asks, and nothing else; for programs"},
    {OPTION(FLAG, explore_settings, resume), .name = "resume", .letter = 'r',
     .help = "continue with the hologram that is there"},
    {OPTION(FLAG, explore_settings, restart), .name = "restart",
     .help = "start over and replace what is there"},
    {OPTION(DURATION, explore_settings, checkpoint), .name = "checkpoint-every", .value = "TIME",
     .fallback = "1m", .help = "save the hologram this often; less often if saving takes long"},
    {OPTION(FLAG, explore_settings, estimate), .name = "estimate",
     .help = "only say what it would need: memory, disk, time"},
    {OPTION(INT, explore_settings, ranks), .name = "ranks", .min = 1, .max = 1000000, .value = "N",
     .help = "with --estimate: for a cluster of this many processes"},
    {OPTION(FILE, explore_settings, plot), .name = "plot", .value = "FILE",
     .help = "draw how many positions each layer has, as SVG"},
    {OPTION(STRING, explore_settings, known), .name = "known", .value = "URL",
     .help = "a store or hologram whose values are part of the boundary"},
    {OPTION(FILE, explore_settings, known), .name = "tables", .value = "DIR",
     .help = "the same, as a folder; it may hold tables made by other programs"},
    {OPTION(FLAG, explore_settings, kinds), .name = "kinds",
     .help = "only list what a kind of positions leads to and comes from, and which of these are known"},
    {0},
};

/* This program again, with the same words, for one batch of the session; it is no rank of the cluster. NULL: no memory. */
static const char **child_words(const cli *c)
{
    static const char *const first[] = {"/proc/self/exe", "explore", "--batch", "{}"};
    size_t count = sizeof first / sizeof *first, at = 0;
    const char **words = calloc(count + c->word_count + 2, sizeof *words);
    if (words == NULL)
        return NULL;
    memcpy(words, first, sizeof first);
    while (at < c->word_count && strcmp(c->words[at], "--") != 0)
        words[count++] = c->words[at++];
    words[count++] = "--cluster=no";
    while (at < c->word_count)
        words[count++] = c->words[at++];
    return words;
}

/* A session opens what is there as --resume does. */
static cli_status batch(cli *c, const holos_variant *v, holos_job_options *o)
{
    const explore_settings *s = c->settings;
    holos_job *job;
    holos_error err;
    o->start = HOLOS_JOB_RESUME;
    o->limits = (holos_limits){.memory = c->shared.mem, .stop = interrupt_flag()};
    o->threads = (unsigned)c->shared.threads;
    o->seed = c->shared.seed;
    o->settings = c->others;
    o->operand_count = 0;
    holos_status status = holos_job_open(v, o, &job, &err);
    if (status == HOLOS_OK)
        status = holos_job_batch(job, s->batch, &err);
    if (status == HOLOS_OK || status == HOLOS_LIMIT) {
        holos_job_close(job);
        return cli_status_of(status);
    }
    holos_job_close(job);
    return cli_fail(&err);
}

static cli_status session(cli *c, const holos_variant *v, holos_job_options *o, const job_wishes *wishes)
{
    static const char *const of_waves[] = {"store", "checkpoint-every", "plot", NULL};
    const explore_settings *s = c->settings;
    text store;
    if (cli_refuses(c, of_waves, "--session"))
        return CLI_USAGE;
    text_init(&store);
    text_printf(&store, "%s%s", strncmp(s->session, "file:", 5) == 0 ? "" : "file:", s->session);
    const char **child = child_words(c);
    o->kind = "session";
    o->store = store.data;
    o->child = child;
    cli_status exit = s->batch != NULL ? batch(c, v, o) : job_do(c, v, o, wishes);
    free(child);
    text_free(&store);
    return exit;
}

static cli_status explore_from(cli *c, const holos_variant *v, holos_job_options *o)
{
    const explore_settings *s = c->settings;
    job_wishes wishes = {.resume = s->resume,
                         .restart = s->restart,
                         .estimate = s->estimate,
                         .plot = s->plot,
                         .ranks = (unsigned)s->ranks};
    if (s->session != NULL)
        return session(c, v, o, &wishes);
    if (s->batch != NULL)
        return cli_usage("--batch needs --session: the session that it is part of");
    return job_do(c, v, o, &wishes);
}

static cli_status explore(cli *c, const holos_variant *v, const holos_boundary *boundary)
{
    static const char *const of_waves[] = {"checkpoint-every", "seed", "seeds", "batch", NULL};
    const explore_settings *s = c->settings;
    seed_words words;
    holos_error err;
    bool whole = c->operand_count > 1 && s->session == NULL && holos_job_takes(v, "region", c->operands[1]);
    if (whole && cli_refuses(c, of_waves, "a kind of positions"))
        return CLI_USAGE;
    if (s->ranks > 0 && !s->estimate)
        return cli_usage("--ranks is for --estimate; mpirun -n N starts the processes of a cluster");
    if (c->cluster != NULL && s->seeds != NULL && strcmp(s->seeds, "-") == 0)
        return cli_usage(
            "--seeds - with --cluster: only the first process has an input; put the seeds into a file");
    if (s->checkpoint <= 0)
        return cli_usage("--checkpoint-every needs some time between two checkpoints, such as 10s");
    /* A batch has its seeds in its request. */
    holos_status status = seed_words_read(&words, c, v, s->batch == NULL ? s->seeds : NULL, &err);
    holos_job_options o = {.kind = whole ? "region" : "wave",
                           .store = s->store,
                           .operands = words.words,
                           .operand_count = words.count,
                           .boundary = boundary,
                           .checkpoint_seconds = s->checkpoint};
    cli_status exit = status == HOLOS_OK ? explore_from(c, v, &o) : cli_fail(&err);
    seed_words_free(&words);
    return exit;
}

static cli_status list(cli *c, const holos_variant *v, const holos_boundary *boundary)
{
    static const char *const of_runs[] = {
        "store", "seeds", "session", "batch",   "resume", "restart", "checkpoint-every", "estimate", "plot",
        "time",  "nodes", "seed",    "cluster", "ranks",  NULL};
    if (cli_refuses(c, of_runs, "--kinds") || cli_refuses_others(c, "--kinds"))
        return CLI_USAGE;
    return kinds_list(c, v, boundary, c->operand_count > 1 ? c->operands[1] : "");
}

static cli_status run(cli *c)
{
    const explore_settings *s = c->settings;
    holos_error err;
    holos_variant *v;
    holos_knowledge *known;
    if (holos_open(c->operands[0], &v, &err) != HOLOS_OK)
        return cli_fail(&err);
    cli_status exit;
    if (known_open(s->known, false, v, 0, &known, &err) != HOLOS_OK)
        exit = cli_fail(&err);
    else
        exit = (s->kinds ? list : explore)(c, v, holos_knowledge_boundary(known));
    holos_knowledge_close(known);
    holos_close(v);
    return exit;
}

static const char *const kinds[] = {"wave", "region", "session", NULL};

const cli_verb verb_explore = {
    .name = "explore",
    .operands = "GAME[:VARIANT] [POSITION…|KIND]",
    .summary = "send waves from positions and from the boundary, into a hologram",
    .description =
        "Sends waves forward from the positions (or the start) and backward from positions of known "
        "value; where they meet, values flow. A hologram keeps everything that was reached: 'holos "
        "query' looks positions up in it, and --resume continues. Whenever it stops, at a limit or "
        "with Ctrl-C, every interval in it contains the true value.\n\n"
        "With --session, it explores in rounds: lightning, wave, crystal. Each round takes seeds that "
        "earlier "
        "ones suggest, and the session is saved whole after each. --resume goes on, also after a crash. With "
        "--isolate, batches run in processes of their own.\n\n"
        "If the positions of a game fall into kinds, name a kind instead of a position to solve all "
        "its positions, ply by ply, back from the boundary.\n\n"
        "With --cluster, the processes of mpirun share the work: --mode wave, which is the default then, "
        "--graph, or the batches of a --session. With --batch-seeds 4 or so there are enough of these to "
        "share.\n\n"
        "The exit status is 0 when all the positions you asked about are solved or nothing is left "
        "to do, and 4 at a limit.",
    .operands_min = 1,
    .operands_max = SIZE_MAX,
    .complete = game_word,
    .shared = SHARED_LIMITS | SHARED_THREADS | SHARED_SEED | SHARED_JSON | SHARED_PROGRESS | SHARED_CONFIG |
              SHARED_LOG | SHARED_CLUSTER,
    .options = options,
    .uses = USE(JOB),
    .purposes = kinds,
    .settings_size = sizeof(explore_settings),
    .answers_once = true,
    .run = run,
};
