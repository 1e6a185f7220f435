/* SPDX-License-Identifier: MIT */

/* The job that learns lambda from a log of moves: `ablate --out DIR` writes one. */

#include "core/file.h"
#include "core/option.h"
#include "engine/zeno/lambda.h"
#include "session/job.h"

#include <stdlib.h>
#include <unistd.h>

#define RESULT "lambda.json"

typedef struct lambda_settings {
    const char *log;
} lambda_settings;

static const holos_option lambda_options[] = {
    {OPTION(FILE, lambda_settings, log), .name = "log", .value = "FILE",
     .help = "the log of moves to learn lambda from: moves.csv of an ablation"},
    {0},
};

typedef struct lambda_state {
    lambda_row *rows;
    size_t count;
    zeno_lambda learned;
    lambda_lesson lesson;
    bool done;
} lambda_state;

static void result_path(const job *j, text *out)
{
    text_init(out);
    text_printf(out, "%s/%s", j->folder, RESULT);
}

static holos_status store_check(const job *j, holos_error *err)
{
    if (j->folder == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "a learned lambda is kept in a folder: --store file:DIR");
    if (j->o->start == HOLOS_JOB_RESUME)
        return error_set(
            err, HOLOS_USAGE, HOLOS_NOWHERE,
            "--resume: learning lambda takes seconds and starts over; --restart replaces what is there");
    text path;
    result_path(j, &path);
    bool there = access(path.data, F_OK) == 0;
    text_free(&path);
    return there && j->o->start == HOLOS_JOB_NEW
               ? error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                           "%s already holds a learned lambda; --restart replaces it", j->folder)
               : HOLOS_OK;
}

static holos_status lambda_open(job *j, holos_error *err)
{
    const lambda_settings *asked = j->settings;
    lambda_state *s = j->state = calloc(1, sizeof *s);
    if (s == NULL)
        return error_system(err, "a lesson");
    if (j->v->game->net == NULL)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "%s has no networks: the game shows them no planes", j->v->game->name);
    if (asked->log == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "which log? --log FILE; 'holos ablate %s --out DIR' writes DIR/moves.csv",
                         j->v->name);
    holos_status status = store_check(j, err);
    return status == HOLOS_OK ? lambda_log_read(asked->log, &s->rows, &s->count, err) : status;
}

static holos_status lambda_plan(job *j, holos_plan *out, holos_report *r, holos_error *err)
{
    (void)r;
    (void)err;
    const lambda_state *s = j->state;
    out->basis = HOLOS_PLAN_EXACT;
    out->positions = s->count;
    out->memory = out->memory_least = s->count * sizeof *s->rows + (UINT64_C(1) << 20);
    out->disk = 8192;
    out->seconds = (double)s->count * 2000 * 2e-7; /* 2,000 steps, 0.2 microseconds a row */
    text t;
    text_init_fixed(&t, out->what, sizeof out->what);
    text_printf(&t, "lambda for %s from %zu moves", j->v->name, s->count);
    return HOLOS_OK;
}

static holos_status lambda_run(job *j, holos_error *err)
{
    lambda_state *s = j->state;
    text path, content;
    holos_status status = file_make_folder(j->folder, err);
    if (status == HOLOS_OK)
        status = lambda_fit(s->rows, s->count, j->o->seed, j->o->limits.stop, &s->learned, &s->lesson, err);
    if (status != HOLOS_OK)
        return status;
    result_path(j, &path);
    text_init(&content);
    lambda_write(&s->learned, &content);
    status = path.failed || content.failed ? error_system(err, "a lesson")
                                           : file_put(path.data, content.data, content.length, err);
    s->done = status == HOLOS_OK;
    text_free(&path);
    text_free(&content);
    return status;
}

static void lambda_report(job *j, holos_report *r)
{
    const lambda_state *s = j->state;
    report_text(r, "kind", NULL, "lambda");
    report_count(r, "moves", "moves", s->count);
    if (!s->done)
        return;
    report_count(r, "decided", "in games won or lost", s->lesson.rows);
    report_real(r, "error", "error", s->lesson.error);
    report_real(r, "formula_error", "the formula's", s->lesson.formula);
    report_real(r, "least", "least", s->lesson.least);
    report_real(r, "mean", "mean", s->lesson.mean);
    report_real(r, "most", "most", s->lesson.most);
}

static void lambda_close(job *j)
{
    lambda_state *s = j->state;
    if (s == NULL)
        return;
    free(s->rows);
    free(s);
}

const job_kind job_lambda = {
    .about = {.name = "lambda",
              .summary = "how far zeno should trust a glance, learned from a log of moves",
              .operands = "",
              .keeps = true},
    .record = "train.json",
    .options = lambda_options,
    .settings_size = sizeof(lambda_settings),
    .open = lambda_open,
    .plan = lambda_plan,
    .run = lambda_run,
    .report = lambda_report,
    .close = lambda_close,
};
