/* SPDX-License-Identifier: MIT */

/* Training a network by self-play, as a job. Each iteration ends with a checkpoint that holds everything. */

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
    uint64_t seed, begun_at;
    bool made, there;
    double seconds;
} train_state;

/* ---- Opening ----------------------------------------------------------------------------------- */

static void checkpoint_path(const job *j, text *out)
{
    text_init(out);
    text_printf(out, "%s/%s", j->folder, TRAINING_CHECKPOINT);
}

static holos_status store_check(job *j, holos_error *err)
{
    train_state *s = j->state;
    if (j->folder == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "a training is kept in a folder: write --store file:DIR");
    text path;
    checkpoint_path(j, &path);
    s->there = access(path.data, F_OK) == 0;
    text_free(&path);
    if (s->there && j->o->start == HOLOS_JOB_NEW)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "%s already holds a training; --resume continues it, --restart starts over",
                         j->o->store);
    if (!s->there && j->o->start == HOLOS_JOB_RESUME)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "--resume: %s holds no training", j->o->store);
    return HOLOS_OK;
}

/* With --resume the settings are those of the checkpoint; only how far it goes may be another. */
static holos_status words_take(job *j, holos_error *err)
{
    train_state *s = j->state;
    for (size_t i = 0; train_options[i].name != NULL; i++) {
        const char *name = train_options[i].name, *asked = holos_settings_get(j->o->settings, name);
        const char *kept = holos_settings_get(s->words, name);
        if (asked == NULL || (kept != NULL && strcmp(asked, kept) == 0))
            continue;
        if (j->o->start == HOLOS_JOB_RESUME && strcmp(name, "iterations") != 0)
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
    if (status == HOLOS_OK && j->o->start == HOLOS_JOB_RESUME)
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
    out->seconds = games * PLIES_A_GAME * (double)a->simulations / EVALUATIONS_A_SECOND;
    text t;
    text_init_fixed(&t, out->what, sizeof out->what);
    text_printf(&t, "training a network for %s: %lld iterations of %lld games", j->v->name,
                (long long)a->iterations, (long long)a->games);
    return HOLOS_OK;
}

/* ---- The run ----------------------------------------------------------------------------------- */

static holos_status iterations_run(job *j, holos_error *err)
{
    train_state *s = j->state;
    training *t = &s->training;
    uint64_t last = (uint64_t)s->settings.iterations;
    /* Also what was there before: whoever was killed may have left an older network beside the checkpoint. */
    holos_status status = training_save(t, s->words, j->folder, err);
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
            status = training_save(t, s->words, j->folder, err);
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
    holos_status status = training_init(&s->training, j->v, &s->settings, s->seed, err);
    s->made = true;
    if (status == HOLOS_OK && j->o->start == HOLOS_JOB_RESUME)
        status = training_load(&s->training, j->folder, err);
    s->begun_at = s->training.iteration;
    if (status == HOLOS_OK)
        status = pool_open(j->o->threads, &s->training.threads, err);
    if (status == HOLOS_OK)
        status = file_make_folder(j->folder, err);
    if (status == HOLOS_OK)
        status = iterations_run(j, err);
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
    .settings_size = sizeof(train_settings),
    .open = train_open,
    .plan = train_plan,
    .run = train_run,
    .report = train_report,
    .close = train_close,
};
