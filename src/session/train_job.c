/* SPDX-License-Identifier: MIT */

/* Training a network by self-play, as a job. Each iteration ends with a checkpoint that holds everything. */

#include "cluster/letter.h"
#include "core/file.h"
#include "session/job.h"
#include "session/training.h"

#include <stdlib.h>
#include <unistd.h>

#define EVALUATIONS_A_SECOND                                                                                 \
    6000.0 /* of one core and a residual net of 64 channels, about: `holos bench net` */
#define PLIES_A_GAME 50.0

typedef struct train_state {
    training training;
    train_settings settings;
    holos_settings *words; /* what the settings are, as text */
    uint64_t seed;
    bool made, there;
    double seconds;
} train_state;

/* ---- Opening ----------------------------------------------------------------------------------- */

static void checkpoint_path(const job *j, text *out)
{
    text_init(out);
    text_printf(out, "%s/%s", j->folder, TRAINING_CHECKPOINT);
}

/* Whether there is a training to go on with. A cluster may be asked to resume before there is one. */
static bool goes_on(const job *j)
{
    const train_state *s = j->state;
    return j->o->start == HOLOS_JOB_RESUME && s->there;
}

static holos_status store_check(job *j, holos_error *err)
{
    train_state *s = j->state;
    if (j->folder == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "a training is kept in a folder: write --store file:DIR");
    if (holos_cluster_rank(j->o->cluster) > 0)
        return HOLOS_OK; /* rank 0 has the folder */
    text path;
    checkpoint_path(j, &path);
    s->there = access(path.data, F_OK) == 0;
    text_free(&path);
    if (s->there && j->o->start == HOLOS_JOB_NEW)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "%s already holds a training; --resume continues it, --restart starts over",
                         j->o->store);
    if (!s->there && j->o->start == HOLOS_JOB_RESUME && j->o->cluster == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "--resume: %s holds no training", j->o->store);
    return HOLOS_OK;
}

/* With --resume the settings are those of the checkpoint, which rank 0 has; only how far it goes may be another. */
static holos_status words_take(job *j, holos_error *err)
{
    train_state *s = j->state;
    bool first = holos_cluster_rank(j->o->cluster) == 0;
    for (size_t i = 0; train_options[i].name != NULL; i++) {
        const char *name = train_options[i].name, *asked = holos_settings_get(j->o->settings, name);
        const char *kept = holos_settings_get(s->words, name);
        if (asked == NULL || (kept != NULL && strcmp(asked, kept) == 0))
            continue;
        if (first && goes_on(j) && strcmp(name, "iterations") != 0)
            return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                             "--%s %s: the training in %s was begun with %s; only --iterations may change",
                             name, asked, j->o->store, kept != NULL ? kept : "none");
        holos_status status = holos_settings_set(s->words, name, asked, err);
        if (status != HOLOS_OK)
            return status;
    }
    return option_read(train_options, s->words, &s->settings, err);
}

static holos_status asked_check(const job *j, const train_settings *s, holos_error *err)
{
    net_shape shape;
    train_reals reals;
    holos_status status = training_shape(j->v, s, &shape, err);
    if (status == HOLOS_OK)
        status = training_reals(s, &reals, err);
    if (status == HOLOS_OK && j->v->game->start == NULL)
        status = error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "%s has no start position to play from",
                           j->v->game->name);
    if (status == HOLOS_OK && (s->buffer < 1 || s->buffer > UINT64_C(100000000)))
        status = error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "--buffer takes 1 to 100M positions");
    if (status == HOLOS_OK && s->buffer_least > s->buffer)
        status = error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                           "--min-buffer is more than --buffer: nothing would be learned");
    return status;
}

static holos_status train_open(job *j, holos_error *err)
{
    train_state *s = j->state = calloc(1, sizeof *s);
    if (s == NULL || (s->words = holos_settings_new()) == NULL)
        return error_system(err, "a training");
    s->seed = j->o->seed;
    net_shape shape;
    train_settings asked = *(const train_settings *)j->settings;
    holos_status status = training_shape(j->v, &asked, &shape, err);
    if (status == HOLOS_OK)
        status = store_check(j, err);
    if (status == HOLOS_OK && goes_on(j) && holos_cluster_rank(j->o->cluster) == 0)
        status = training_load_settings(j->folder, j->v, s->words, &s->seed, err);
    if (status == HOLOS_OK)
        status = words_take(j, err);
    return status == HOLOS_OK ? asked_check(j, &s->settings, err) : status;
}

static void train_close(job *j)
{
    train_state *s = j->state;
    if (s == NULL)
        return;
    if (s->made)
        training_free(&s->training);
    holos_settings_free(s->words);
    free(s);
}

/* ---- The plan ---------------------------------------------------------------------------------- */

static holos_status train_plan(job *j, holos_plan *out, holos_report *r, holos_error *err)
{
    (void)r;
    (void)err;
    const train_state *s = j->state;
    const train_settings *a = &s->settings;
    double games = (double)a->games * (double)a->iterations;
    out->basis = HOLOS_PLAN_ESTIMATE;
    out->factor = 2; /* of how long games are */
    out->memory = out->memory_least = training_memory(j->v, a, j->o->threads);
    out->positions = (uint64_t)(games * PLIES_A_GAME);
    out->disk = (uint64_t)a->buffer * 128 + (UINT64_C(8) << 20);
    out->seconds = games * PLIES_A_GAME * (double)a->simulations / EVALUATIONS_A_SECOND /
                   holos_cluster_ranks(j->o->cluster);
    text t;
    text_init_fixed(&t, out->what, sizeof out->what);
    text_printf(&t, "training a network for %s: %lld iterations of %lld games", j->v->name,
                (long long)a->iterations, (long long)a->games);
    return HOLOS_OK;
}

/* ---- The run ----------------------------------------------------------------------------------- */

/* What rank 0 was asked, or goes on with, to all: lines of "NAME VALUE". */
static holos_status settings_share(job *j, holos_error *err)
{
    train_state *s = j->state;
    text words;
    text_init(&words);
    for (size_t i = 0; j->o->cluster->rank == 0 && train_options[i].name != NULL; i++) {
        const char *value = holos_settings_get(s->words, train_options[i].name);
        if (value != NULL)
            text_printf(&words, "%s %s\n", train_options[i].name, value);
    }
    holos_status status = cluster_share_text(j->o->cluster, &words, err);
    cluster_share(j->o->cluster, &s->seed, sizeof s->seed, 0);
    char *line = words.data, *end;
    for (; status == HOLOS_OK && (end = strchr(line, '\n')) != NULL; line = end + 1) {
        char *value = strchr(line, ' ');
        *end = *value = '\0';
        status = holos_settings_set(s->words, line, value + 1, err);
    }
    text_free(&words);
    return status == HOLOS_OK ? option_read(train_options, s->words, &s->settings, err) : status;
}

/* A rank that only plays has no buffer and makes no steps. */
static holos_status state_make(job *j, holos_error *err)
{
    train_state *s = j->state;
    train_settings own = s->settings;
    if (holos_cluster_rank(j->o->cluster) > 0)
        own.buffer = (uint64_t)(own.batch = 1);
    holos_status status = training_init(&s->training, j->v, &own, s->seed, err);
    s->training.cluster = j->o->cluster;
    s->made = true;
    if (holos_cluster_rank(j->o->cluster) > 0)
        return status;
    if (status == HOLOS_OK && goes_on(j))
        status = training_load(&s->training, j->folder, err);
    return status == HOLOS_OK ? file_make_folder(j->folder, err) : status;
}

/* Rank 0 keeps it. */
static holos_status state_save(job *j, holos_error *err)
{
    train_state *s = j->state;
    return holos_cluster_rank(j->o->cluster) == 0 ? training_save(&s->training, s->words, j->folder, err)
                                                  : HOLOS_OK;
}

static holos_status iterations_run(job *j, holos_error *err)
{
    train_state *s = j->state;
    training *t = &s->training;
    uint64_t last = (uint64_t)s->settings.iterations;
    /* Also what was there before: whoever was killed may have left an older network beside the checkpoint. */
    holos_status status = cluster_agree(t->cluster, state_save(j, err), err);
    while (status == HOLOS_OK && t->iteration < last) {
        char label[64];
        text words;
        text_init_fixed(&words, label, sizeof label);
        text_printf(&words, "iteration %llu of %llu", (unsigned long long)t->iteration + 1,
                    (unsigned long long)last);
        if (t->row_count > 0)
            text_printf(&words, ", losses %.3f %.3f", t->rows[t->row_count - 1].policy,
                        t->rows[t->row_count - 1].value);
        progress_begin(j->progress, label, "games", (uint64_t)s->settings.games);
        status = training_iterate(t, j->o->limits.stop, j->progress, err);
        progress_end(j->progress);
        if (status == HOLOS_OK)
            status = state_save(j, err);
        status = cluster_agree(t->cluster, status, err);
        if (status == HOLOS_OK && t->rows[t->row_count - 1].rated)
            log_write(j->log, LOG_LEVEL_INFO, "iteration %llu: %+.0f Elo over the first network",
                      (unsigned long long)t->iteration, t->rating);
    }
    return status;
}

static holos_status train_run(job *j, holos_error *err)
{
    train_state *s = j->state;
    double begun = clock_wall();
    holos_status status = j->o->cluster != NULL ? settings_share(j, err) : HOLOS_OK;
    if (status == HOLOS_OK)
        status = state_make(j, err);
    if (status == HOLOS_OK)
        status = pool_open(j->o->threads, &s->training.threads, err);
    status = cluster_agree(j->o->cluster, status, err);
    if (status == HOLOS_OK) {
        training_share_all(&s->training);
        status = iterations_run(j, err);
    }
    pool_close(s->training.threads);
    s->training.threads = NULL;
    s->seconds = clock_wall() - begun;
    return status;
}

static void train_report(job *j, holos_report *r)
{
    train_state *s = j->state;
    const training *t = &s->training;
    report_text(r, "kind", NULL, "training");
    report_count(r, "iterations", "iterations", t->iteration);
    report_count(r, "games", "games", t->games);
    report_count(r, "positions", "positions", t->positions);
    report_count(r, "steps", "steps", t->trainer.steps);
    if (t->row_count > 0) {
        report_real(r, "policy_loss", "policy loss", t->rows[t->row_count - 1].policy);
        report_real(r, "value_loss", "value loss", t->rows[t->row_count - 1].value);
    }
    if (t->rating != 0)
        report_real(r, "rating", "rating", t->rating)->note = " Elo over the first network";
    if (j->o->cluster != NULL)
        report_count(r, "ranks", "ranks", holos_cluster_ranks(j->o->cluster));
    report_text(r, "network", "network", report_words(r, "%s/%s", j->folder, TRAINING_NETWORK));
    report_text(r, "plot", "plot", report_words(r, "%s/%s", j->folder, TRAINING_PLOT));
    report_open(r, "settings", NULL, HOLOS_FIELD_GROUP);
    report_count(r, "seed", NULL, s->seed);
    for (size_t i = 0; train_options[i].name != NULL; i++) {
        const char *value = holos_settings_get(s->words, train_options[i].name);
        report_text(r, train_options[i].name, NULL, value != NULL ? value : train_options[i].fallback);
    }
    report_close_field(r);
    report_open(r, "log", NULL, HOLOS_FIELD_ROWS);
    for (size_t i = 0; i < t->row_count; i++) {
        const training_row *row = &t->rows[i];
        report_open(r, NULL, NULL, HOLOS_FIELD_GROUP);
        report_count(r, "iteration", NULL, row->iteration);
        report_count(r, "games", NULL, row->games);
        report_count(r, "positions", NULL, row->positions);
        report_count(r, "steps", NULL, row->steps);
        report_real(r, "policy_loss", NULL, row->policy);
        report_real(r, "value_loss", NULL, row->value);
        report_real(r, "rate", NULL, row->rate);
        report_real(r, "plies", NULL, row->plies);
        report_real(r, "cpu_seconds", NULL, row->seconds);
        if (row->rated)
            report_real(r, "rating", NULL, row->rating);
        report_close_field(r);
    }
    report_close_field(r);
}

const job_kind job_training = {
    .about = {.name = "training",
              .summary = "a network that learns by playing against itself",
              .operands = "",
              .keeps = true},
    .record = "train.json",
    .options = train_options,
    .clusters = true,
    .settings_size = sizeof(train_settings),
    .open = train_open,
    .plan = train_plan,
    .run = train_run,
    .report = train_report,
    .close = train_close,
};
