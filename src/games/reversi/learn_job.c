/* SPDX-License-Identifier: MIT */

/* `holos train reversi evaluation`: the job that learns an evaluation. Rounds: in the first, moves are chosen by the number of replies; in each
 * later one, by the evaluation of the round before. What is done so far lies in one file beside the result.
 *
 * A sample depends on its number alone, so in company any process makes it. The first has the samples and the files, and fits; the
 * others get what it has learned. */

#include "core/file.h"
#include "core/hash.h"
#include "core/pool.h"
#include "game/jobs.h"
#include "games/reversi/learn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MAGIC "HOLOSRL1"
#define CHUNK 64 /* samples for each thread between two looks, and of a task in company */
#define HELD  10 /* one sample of so many is kept from the fit, to see how good it is */
#define EARLY                                                                                                \
    3 /* stages after this one matter less to the search: each has half the samples of the one before */
#define SECOND 400 /* positions that one core labels in a second, about */

typedef struct learn_state {
    reversi_evaluation *learned, *players; /* players NULL: the first round */
    learn_sample *samples;
    uint64_t count; /* of them, in this stage */
    uint32_t round, stage;
    learn_maker *makers;
    pool *pool;
    /* In company: the tasks of this stage; how many samples there were before; the first that has not been heard of. */
    job_tasks tasks;
    uint64_t begun;
    uint32_t next;
    uint64_t traffic, messages;
    double errors[EVALUATION_STAGES]; /* in discs, of what was held back */
    double seconds, next_checkpoint;
    bool done;
} learn_state;

const holos_option reversi_learn_options[] = {
    {OPTION(COUNT, reversi_learn_settings, positions), .name = "positions", .value = "N", .fallback = "100k",
     .help = "how many positions of each stage to learn from"},
    {OPTION(INT, reversi_learn_settings, rounds), .name = "rounds", .value = "N", .min = 1, .max = 9,
     .fallback = "2",
     .help =
         "how often to learn; each round but the last with a quarter of the positions, and its evaluation "
         "plays the games of the next"},
    {0},
};

static const reversi_learn_settings *settings_of(const job *j)
{
    return j->game_settings;
}

/* How many samples a stage has. */
static uint64_t samples_wanted(const job *j, uint32_t round, uint32_t stage)
{
    uint64_t all = settings_of(j)->positions;
    if (round + 1 < settings_of(j)->rounds)
        return all / 4;
    return stage > EARLY ? all >> (stage - EARLY) : all;
}

static bool stage_exists(const job *j, uint32_t stage)
{
    unsigned least, most;
    return stage < EVALUATION_STAGES && learn_stage(reversi_rules_of(j->v)->size, stage, &least, &most);
}

/* ---- Opening ----------------------------------------------------------------------------------- */

static void path_of(const job *j, const char *name, text *out)
{
    text_printf(out, "%s/%s", j->folder, name);
}

/* reversi-8: the name under which the search looks for it, in the folder evaluations of the data. */
static void result_path(const job *j, text *out)
{
    char name[32];
    snprintf(name, sizeof name, "reversi-%u", reversi_rules_of(j->v)->size);
    path_of(j, name, out);
}

/* Whether this is not the first process of a cluster: it makes samples, and keeps none. */
static bool follows(const job *j)
{
    return holos_cluster_rank(j->o->cluster) > 0;
}

static holos_status learn_open(job *j, holos_error *err)
{
    unsigned size = reversi_rules_of(j->v)->size;
    learn_state *s = j->state = calloc(1, sizeof *s);
    if (s == NULL)
        return error_system(err, "learning");
    if (size < 6)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "a board of 4x4 cells needs no evaluation: it is solved at once");
    if (j->folder == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "an evaluation needs a folder to be kept in: --store file:DIR");
    if (settings_of(j)->positions < 8 * HELD || settings_of(j)->positions > 100000000)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "--positions must be between %d and 100M",
                         8 * HELD);
    if (!follows(j))
        s->samples = calloc(settings_of(j)->positions, sizeof *s->samples);
    s->makers = aligned_alloc(64, (j->o->threads * sizeof *s->makers + 63) & ~(size_t)63);
    if ((s->samples == NULL && !follows(j)) || s->makers == NULL)
        return error_system(err, "positions to learn from");
    memset(s->makers, 0, j->o->threads * sizeof *s->makers);
    for (unsigned i = 0; i < j->o->threads; i++)
        if (!learn_maker_open(&s->makers[i], reversi_rules_of(j->v)))
            return error_system(err, "games to learn from");
    return evaluation_new(size, &s->learned, err);
}

static void learn_close(job *j)
{
    learn_state *s = j->state;
    if (s == NULL)
        return;
    for (unsigned i = 0; s->makers != NULL && i < j->o->threads; i++)
        learn_maker_close(&s->makers[i]);
    evaluation_close(s->learned);
    evaluation_close(s->players);
    pool_close(s->pool);
    free(s->tasks.list);
    free(s->samples);
    free(s->makers);
    free(s);
}

static uint64_t samples_of_all(const job *j)
{
    uint64_t sum = 0;
    for (uint32_t round = 0; round < settings_of(j)->rounds; round++)
        for (uint32_t stage = 0; stage_exists(j, stage); stage++)
            sum += samples_wanted(j, round, stage);
    return sum;
}

/* Tasks for a plan, as many to a stage as keep any number of ranks busy. */
#define PLAN_TASKS 1024

static holos_status tasks_plan(job *j, holos_error *err)
{
    job_tasks *tasks = &((learn_state *)j->state)->tasks;
    uint64_t stages = (uint64_t)settings_of(j)->rounds * EVALUATION_STAGES;
    free(tasks->list);
    *tasks = (job_tasks){.list = calloc(stages * PLAN_TASKS, sizeof *tasks->list)};
    if (tasks->list == NULL)
        return error_system(err, "the plan");
    for (uint32_t round = 0; round < settings_of(j)->rounds; round++)
        for (uint32_t stage = 0; stage_exists(j, stage); stage++) {
            uint64_t samples = samples_wanted(j, round, stage), chunks = (samples + CHUNK - 1) / CHUNK;
            uint64_t count = chunks < PLAN_TASKS ? chunks : PLAN_TASKS;
            for (uint64_t i = 0; i < count; i++)
                tasks->list[tasks->count++] = (job_task){.seconds = (double)samples / (double)count / SECOND,
                                                         .reads = samples * sizeof(learn_sample) / count};
        }
    j->tasks = tasks;
    return HOLOS_OK;
}

static holos_status learn_plan(job *j, holos_plan *out, holos_report *r, holos_error *err)
{
    text t;
    uint64_t makers = ((uint64_t)j->o->threads << 20) + ((uint64_t)16 << 20);
    report_count(r, "rounds", NULL, (uint64_t)settings_of(j)->rounds);
    out->positions = samples_of_all(j);
    out->memory = settings_of(j)->positions * 256 + makers;
    out->memory_least = follows(j) ? makers : out->memory;
    out->disk = settings_of(j)->positions * sizeof(learn_sample) + ((uint64_t)2 << 20);
    out->seconds = (double)out->positions / SECOND;
    text_init_fixed(&t, out->what, sizeof out->what);
    text_printf(&t, "an evaluation of %s from ", j->v->name);
    text_count(&t, out->positions);
    text_string(&t, " positions");
    return j->o->cluster != NULL || j->o->ranks > 0 ? tasks_plan(j, err) : HOLOS_OK;
}

/* ---- Checkpoints ------------------------------------------------------------------------------- */

typedef struct header {
    char magic[8];
    uint64_t seed, positions, count;
    uint32_t size, rounds, round, stage, has_players, unused;
    double errors[EVALUATION_STAGES];
} header;

static header header_of(const job *j)
{
    const learn_state *s = j->state;
    header h = {.seed = j->o->seed,
                .positions = settings_of(j)->positions,
                .count = s->count,
                .size = reversi_rules_of(j->v)->size,
                .rounds = (uint32_t)settings_of(j)->rounds,
                .round = s->round,
                .stage = s->stage,
                .has_players = s->players != NULL};
    memcpy(h.magic, MAGIC, sizeof h.magic);
    memcpy(h.errors, s->errors, sizeof h.errors);
    return h;
}

static void evaluation_put(const reversi_evaluation *e, text *out)
{
    for (unsigned stage = 0; stage < EVALUATION_STAGES; stage++) {
        text_bytes(out, (const char *)e->numbers[stage], sizeof e->numbers[stage]);
        text_bytes(out, (const char *)e->weights[stage], e->weight_count);
    }
}

static const char *evaluation_take(reversi_evaluation *e, const char *from)
{
    for (unsigned stage = 0; stage < EVALUATION_STAGES; stage++) {
        memcpy(e->numbers[stage], from, sizeof e->numbers[stage]);
        from += sizeof e->numbers[stage];
        memcpy(e->weights[stage], from, e->weight_count);
        from += e->weight_count;
    }
    return from;
}

static double checkpoint_next(const job *j)
{
    return clock_wall() + (j->o->checkpoint_seconds > 0 ? j->o->checkpoint_seconds : 60);
}

static holos_status checkpoint_save(job *j, holos_error *err)
{
    learn_state *s = j->state;
    text t, path;
    header h = header_of(j);
    text_init(&t);
    text_init(&path);
    path_of(j, "learning", &path);
    text_bytes(&t, (const char *)&h, sizeof h);
    evaluation_put(s->learned, &t);
    if (s->players != NULL)
        evaluation_put(s->players, &t);
    text_bytes(&t, (const char *)s->samples, s->count * sizeof *s->samples);
    uint64_t sum = hash_bytes(t.data, t.length).lo;
    text_bytes(&t, (const char *)&sum, sizeof sum);
    holos_status status = t.failed || path.failed ? error_system(err, "a checkpoint")
                                                  : file_put(path.data, t.data, t.length, err);
    s->next_checkpoint = checkpoint_next(j);
    text_free(&t);
    text_free(&path);
    return status;
}

/* Takes over what a checkpoint holds, if it is of the same work. */
static holos_status checkpoint_take(job *j, const char *path, const text *t, holos_error *err)
{
    learn_state *s = j->state;
    header h = {0}, own = header_of(j);
    uint64_t sum = 0;
    if (t->length >= sizeof h + sizeof sum) {
        memcpy(&h, t->data, sizeof h);
        memcpy(&sum, t->data + t->length - sizeof sum, sizeof sum);
    }
    size_t weights = EVALUATION_STAGES * (sizeof s->learned->numbers[0] + s->learned->weight_count);
    if (memcmp(h.magic, MAGIC, sizeof h.magic) != 0 ||
        hash_bytes(t->data, t->length - sizeof sum).lo != sum || h.count > h.positions ||
        (h.size == own.size &&
         t->length != sizeof h + weights * (h.has_players + 1) + h.count * sizeof *s->samples + sizeof sum))
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s is damaged; --restart starts over", path);
    if (h.size != own.size || h.seed != own.seed || h.positions != own.positions || h.rounds != own.rounds)
        return error_set(
            err, HOLOS_USAGE, HOLOS_NOWHERE,
            "%s was begun with another board, --seed, --positions or --rounds; --restart starts over", path);
    const char *next = evaluation_take(s->learned, t->data + sizeof h);
    holos_status status = h.has_players ? evaluation_new(h.size, &s->players, err) : HOLOS_OK;
    if (status != HOLOS_OK)
        return status;
    if (h.has_players)
        next = evaluation_take(s->players, next);
    memcpy(s->samples, next, h.count * sizeof *s->samples);
    memcpy(s->errors, h.errors, sizeof h.errors);
    s->round = h.round;
    s->stage = h.stage;
    s->count = h.count;
    return HOLOS_OK;
}

static holos_status checkpoint_begin(job *j, const char *learning, const char *result, holos_error *err)
{
    bool begun = access(learning, F_OK) == 0, finished = access(result, F_OK) == 0;
    if ((begun || finished) && j->o->start == HOLOS_JOB_NEW)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "%s already exists; --resume continues, --restart starts over",
                         begun ? learning : result);
    if (j->o->start != HOLOS_JOB_RESUME || !begun)
        return HOLOS_OK;
    text t;
    text_init(&t);
    holos_status status = file_read(learning, 0, &t, err);
    if (status == HOLOS_OK)
        status = checkpoint_take(j, learning, &t, err);
    text_free(&t);
    return status;
}

/* ---- Running ----------------------------------------------------------------------------------- */

static learn_sample sample_make(const job *j, uint64_t at, unsigned worker)
{
    learn_state *s = j->state;
    rng r;
    rng_init(&r, j->o->seed, ((uint64_t)(s->round * EVALUATION_STAGES + s->stage) << 32) + at);
    return learn_make(&s->makers[worker], &r, s->stage, s->players, s->learned);
}

static void sample_keep(void *context, uint64_t index, unsigned worker)
{
    const job *j = context;
    learn_state *s = j->state;
    s->samples[s->count + index] = sample_make(j, s->count + index, worker);
    progress_add(j->progress, 1);
}

/* Makes what the stage still needs. */
static holos_status stage_sample(job *j, holos_error *err)
{
    learn_state *s = j->state;
    uint64_t wanted = samples_wanted(j, s->round, s->stage);
    while (s->count < wanted) {
        uint64_t chunk = (uint64_t)CHUNK * j->o->threads;
        chunk = wanted - s->count < chunk ? wanted - s->count : chunk;
        if (holos_stop_asked(j->o->limits.stop))
            return error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
        pool_run(s->pool, chunk, sample_keep, j);
        s->count += chunk;
        if (clock_wall() >= s->next_checkpoint) {
            holos_status status = checkpoint_save(j, err);
            if (status != HOLOS_OK)
                return status;
        }
    }
    return HOLOS_OK;
}

/* ---- In company -------------------------------------------------------------------------------- */

/* The samples of a task: from *first on. */
static uint64_t task_samples(const job *j, uint32_t task, uint64_t *first)
{
    const learn_state *s = j->state;
    *first = s->begun + (uint64_t)task * CHUNK;
    uint64_t left = samples_wanted(j, s->round, s->stage) - *first;
    return left < CHUNK ? left : CHUNK;
}

static holos_status task_make(void *context, uint32_t task, unsigned worker, const holos_stop *stop,
                              void *said, holos_error *err)
{
    const job *j = context;
    learn_sample *out = said;
    uint64_t first, count = task_samples(j, task, &first);
    for (uint64_t i = 0; i < count; i++) {
        if (holos_stop_asked(stop))
            return error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
        out[i] = sample_make(j, first + i, worker);
    }
    return HOLOS_OK;
}

/* A checkpoint has the samples up to the first that is missing. */
static holos_status task_hear(void *context, uint32_t task, const void *said, holos_error *err)
{
    job *j = context;
    learn_state *s = j->state;
    uint64_t first, count = task_samples(j, task, &first);
    memcpy(&s->samples[first], said, count * sizeof *s->samples);
    s->tasks.list[task].done = true;
    progress_add(j->progress, count);
    for (; s->next < s->tasks.count && s->tasks.list[s->next].done; s->next++)
        s->count += task_samples(j, s->next, &first);
    return clock_wall() < s->next_checkpoint ? HOLOS_OK : checkpoint_save(j, err);
}

/* All processes together: what the stage still needs. */
static holos_status stage_share(job *j, holos_error *err)
{
    learn_state *s = j->state;
    const job_company *company = j->company;
    job_work work = {.context = j,
                     .threads = s->pool,
                     .make = task_make,
                     .hear = task_hear,
                     .said_size = CHUNK * sizeof(learn_sample)};
    uint64_t tasks = (samples_wanted(j, s->round, s->stage) - s->count + CHUNK - 1) / CHUNK;
    free(s->tasks.list);
    s->begun = s->count;
    s->next = 0;
    s->tasks = (job_tasks){.list = calloc(tasks + 1, sizeof *s->tasks.list), .count = (uint32_t)tasks};
    holos_status status = s->tasks.list != NULL ? HOLOS_OK : error_system(err, "positions to learn from");
    status = company->agree(company->context, status, err);
    return status == HOLOS_OK ? company->run(company->context, &s->tasks, &work, err) : status;
}

/* Of the first process, to all. */
static void weights_share(const job *j, reversi_evaluation *e, uint32_t stage)
{
    const job_company *company = j->company;
    company->share(company->context, e->numbers[stage], sizeof e->numbers[stage]);
    company->share(company->context, e->weights[stage], e->weight_count);
}

/* Where the first process goes on, to all. */
static holos_status state_share(job *j, holos_status status, holos_error *err)
{
    learn_state *s = j->state;
    const job_company *company = j->company;
    uint64_t at[] = {s->round, s->stage, s->count, s->players != NULL};
    status = company->agree(company->context, status, err);
    if (status != HOLOS_OK)
        return status;
    company->share(company->context, at, sizeof at);
    s->round = (uint32_t)at[0];
    s->stage = (uint32_t)at[1];
    s->count = at[2];
    if (at[3] != 0 && s->players == NULL)
        status = evaluation_new(s->learned->size, &s->players, err);
    status = company->agree(company->context, status, err);
    bool begun = s->round > 0 || s->stage > 0;
    for (uint32_t stage = 0; status == HOLOS_OK && begun && stage < EVALUATION_STAGES; stage++) {
        weights_share(j, s->learned, stage);
        if (s->players != NULL)
            weights_share(j, s->players, stage);
    }
    return status;
}

/* ---- Stages ------------------------------------------------------------------------------------ */

static double error_of(const reversi_evaluation *e, const learn_sample *samples, uint64_t count)
{
    double squares = 0;
    uint64_t cells = reversi_cells(e->size);
    for (uint64_t i = 0; i < count; i++) {
        reversi_board b = samples[i].board;
        unsigned mine = reversi_count(reversi_moves(b, cells));
        unsigned theirs = reversi_count(reversi_moves(reversi_pass(b), cells));
        int guess = evaluation_guess(e, b, samples[i].empties, mine, theirs);
        double off = (double)(guess - samples[i].worth) / EVALUATION_UNIT;
        squares += off * off;
    }
    return count > 0 ? sqrt(squares / (double)count) : 0;
}

static holos_status stage_fit(job *j, holos_error *err)
{
    learn_state *s = j->state;
    double fitted;
    uint64_t fit = s->count - s->count / HELD;
    if (!learn_fit(s->learned, s->stage, s->samples, fit, &fitted))
        return error_system(err, "the fit of an evaluation");
    s->errors[s->stage] = error_of(s->learned, s->samples + fit, s->count - fit);
    return HOLOS_OK;
}

static holos_status all_agree(const job *j, holos_status status, holos_error *err)
{
    return j->company != NULL ? j->company->agree(j->company->context, status, err) : status;
}

static holos_status stage_learn(job *j, holos_error *err)
{
    learn_state *s = j->state;
    unsigned least, most;
    learn_stage(reversi_rules_of(j->v)->size, s->stage, &least, &most);
    char label[64];
    snprintf(label, sizeof label, "round %u, %u to %u empty", s->round + 1, least, most);
    progress_begin(j->progress, label, "positions", samples_wanted(j, s->round, s->stage));
    progress_add(j->progress, s->count);
    holos_status status = j->company != NULL ? stage_share(j, err) : stage_sample(j, err);
    progress_end(j->progress);
    if (status == HOLOS_OK && !follows(j))
        status = stage_fit(j, err);
    status = all_agree(j, status, err);
    if (status != HOLOS_OK)
        return status;
    if (j->company != NULL)
        weights_share(j, s->learned, s->stage);
    s->count = 0;
    s->stage++;
    return HOLOS_OK;
}

/* The evaluation of a round that is over plays the next. */
static holos_status round_end(job *j, holos_error *err)
{
    learn_state *s = j->state;
    evaluation_close(s->players);
    s->players = s->learned;
    s->learned = NULL;
    s->stage = 0;
    s->round++;
    return all_agree(j, evaluation_new(s->players->size, &s->learned, err), err);
}

/* What the first process leaves behind. */
static holos_status learn_end(job *j, holos_status status, const char *learning, const char *result,
                              holos_error *err)
{
    const learn_state *s = j->state;
    holos_error unused;
    if (status == HOLOS_INTERRUPTED && checkpoint_save(j, &unused) != HOLOS_OK)
        *err = unused;
    if (status == HOLOS_OK)
        status = evaluation_write(s->learned, result, err);
    if (status == HOLOS_OK)
        unlink(learning);
    return status;
}

static holos_status learn_all(job *j, holos_status status, const char *learning, const char *result,
                              holos_error *err)
{
    learn_state *s = j->state;
    if (status == HOLOS_OK && !follows(j))
        status = checkpoint_begin(j, learning, result, err);
    if (status == HOLOS_OK)
        status = pool_open(j->o->threads, &s->pool, err);
    if (j->company != NULL)
        status = state_share(j, status, err);
    while (status == HOLOS_OK && !s->done) {
        if (stage_exists(j, s->stage))
            status = stage_learn(j, err);
        else if (s->round + 1 < settings_of(j)->rounds)
            status = round_end(j, err);
        else
            s->done = true;
    }
    if (!follows(j))
        status = learn_end(j, status, learning, result, err);
    status = all_agree(j, status, err);
    if (j->company != NULL)
        j->company->traffic(j->company->context, &s->traffic, &s->messages);
    return status;
}

static holos_status learn_run(job *j, holos_error *err)
{
    learn_state *s = j->state;
    text learning, result;
    double begun = clock_wall();
    text_init(&learning);
    text_init(&result);
    path_of(j, "learning", &learning);
    result_path(j, &result);
    s->next_checkpoint = checkpoint_next(j);
    holos_status status = learning.failed || result.failed ? error_system(err, "learning") : HOLOS_OK;
    status = learn_all(j, status, learning.data, result.data, err);
    s->seconds = clock_wall() - begun;
    text_free(&learning);
    text_free(&result);
    return status;
}

/* ---- The report -------------------------------------------------------------------------------- */

static void learn_report(job *j, holos_report *r)
{
    const learn_state *s = j->state;
    report_count(r, "positions", "positions", samples_of_all(j));
    report_count(r, "rounds", "rounds", s->round + (s->done ? 1 : 0));
    report_open(r, "stages", "", HOLOS_FIELD_ROWS);
    for (uint32_t stage = 0; stage_exists(j, stage) && (s->done || stage < s->stage); stage++) {
        unsigned least, most;
        learn_stage(reversi_rules_of(j->v)->size, stage, &least, &most);
        report_open(r, NULL, NULL, HOLOS_FIELD_GROUP);
        report_count(r, "from", "empty from", least);
        report_count(r, "to", "to", most);
        report_count(r, "learned", "positions", samples_wanted(j, s->round, stage));
        report_real(r, "error", "off by", s->errors[stage]);
        report_close_field(r);
    }
    report_close_field(r);
    if (s->done) {
        text path;
        text_init(&path);
        result_path(j, &path);
        report_text(r, "evaluation", "evaluation", path.data);
        text_free(&path);
    }
    if (j->o->cluster != NULL) {
        report_count(r, "ranks", "ranks", holos_cluster_ranks(j->o->cluster));
        report_bytes(r, "traffic", NULL, s->traffic);
        report_count(r, "messages", NULL, s->messages);
    }
    report_seconds(r, "seconds", "time", s->seconds);
}

static const job_kind job_evaluation = {
    .about = {.name = "evaluation",
              .summary = "an evaluation for the order of moves, learned from games of its own",
              .operands = "",
              .keeps = true},
    .record = "train.json",
    .clusters = true,
    .open = learn_open,
    .plan = learn_plan,
    .run = learn_run,
    .report = learn_report,
    .close = learn_close,
};

const job_kind *const reversi_jobs[] = {&job_evaluation, NULL};
