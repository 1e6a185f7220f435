/* SPDX-License-Identifier: MIT */

#include "serve/jobs.h"

#include "core/error.h"
#include "core/file.h"
#include "wire/answer.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const state_names[] = {[JOB_FREE] = "free",
                                          [JOB_RUNNING] = "running",
                                          [JOB_DONE] = "done",
                                          [JOB_STOPPED] = "stopped",
                                          [JOB_FAILED] = "failed"};

/* ---- Names ------------------------------------------------------------------------------------------ */

bool jobs_is_name(const char *name)
{
    size_t length = strlen(name);
    if (length == 0 || length > 64 || !isalnum((unsigned char)name[0]))
        return false;
    return strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") == length;
}

char *jobs_path(const jobs *j, const char *name)
{
    text t;
    text_init(&t);
    text_printf(&t, "%s/%s", j->folder, name);
    if (!t.failed && jobs_is_name(name))
        return t.data;
    text_free(&t);
    return NULL;
}

/* ---- Entries ---------------------------------------------------------------------------------------- */

static void entry_free(job_entry *e)
{
    free((void *)(uintptr_t)e->wish.game);
    free((void *)(uintptr_t)e->wish.kind);
    free((void *)(uintptr_t)e->wish.name);
    free((void *)(uintptr_t)e->wish.experiment);
    for (size_t i = 0; i < JOBS_OPERANDS; i++)
        free(e->operands[i]);
    holos_settings_free(e->wish.settings);
    free(e->store);
    free(e->report);
    *e = (job_entry){0};
}

static const char *copy(const char *s)
{
    return s != NULL ? strdup(s) : NULL;
}

/* A copy of the wish that belongs to the entry. False: out of memory. */
static bool entry_fill(job_entry *e, jobs *j, const job_wish *wish)
{
    *e = (job_entry){.owner = j, .wish = *wish, .interval = 0.5};
    e->wish.game = copy(wish->game);
    e->wish.kind = copy(wish->kind);
    e->wish.name = copy(wish->name);
    e->wish.experiment = copy(wish->experiment);
    bool good = (e->wish.game != NULL || wish->game == NULL) &&
                (e->wish.kind != NULL || wish->kind == NULL) &&
                (e->wish.name != NULL || wish->name == NULL) &&
                (e->wish.experiment != NULL || wish->experiment == NULL);
    for (size_t i = 0; i < wish->operand_count; i++) {
        e->operands[i] = strdup(wish->operands[i]);
        e->wish.operands[i] = e->operands[i];
        good = good && e->operands[i] != NULL;
    }
    char *path = wish->name != NULL ? jobs_path(j, wish->name) : NULL;
    if (path != NULL && asprintf(&e->store, "%s%s", wish->experiment != NULL ? "" : "file:", path) < 0)
        e->store = NULL;
    free(path);
    return good && (e->store != NULL || wish->name == NULL);
}

static void changed(jobs *j)
{
    j->version++;
    pthread_cond_broadcast(&j->changed);
}

/* ---- Work ------------------------------------------------------------------------------------------- */

/* When the history is full, every second point is left out, and from now on they are twice as far apart. */
static void history_add(job_entry *e, const holos_progress *p)
{
    if (e->points > 0 && p->seconds < e->history[e->points - 1].seconds)
        e->points = 0; /* another piece of work has begun */
    if (e->points > 0 && p->seconds - e->history[e->points - 1].seconds < e->interval && !p->ended)
        return;
    if (e->points == JOBS_HISTORY_MOST) {
        for (unsigned i = 0; i < JOBS_HISTORY_MOST / 2; i++)
            e->history[i] = e->history[2 * i];
        e->points /= 2;
        e->interval *= 2;
    }
    e->history[e->points++] =
        (job_point){.seconds = p->seconds, .rate = p->rate, .done = p->done, .memory = p->memory};
}

static void entry_progress(void *context, const holos_progress *p)
{
    job_entry *e = context;
    pthread_mutex_lock(&e->owner->lock);
    e->progress = *p;
    snprintf(e->label, sizeof e->label, "%s", p->label != NULL ? p->label : "");
    snprintf(e->unit, sizeof e->unit, "%s", p->unit != NULL ? p->unit : "");
    history_add(e, p);
    changed(e->owner);
    pthread_mutex_unlock(&e->owner->lock);
}

static holos_status run_job(job_entry *e, char **report, holos_error *err)
{
    holos_variant *v;
    holos_job *job = NULL;
    holos_status status = holos_open(e->wish.game, &v, err);
    if (status != HOLOS_OK)
        return status;
    holos_job_options options = {.kind = e->wish.kind,
                                 .store = e->store,
                                 .start = e->wish.start,
                                 .operands = e->wish.operands,
                                 .operand_count = e->wish.operand_count,
                                 .limits = {.seconds = e->wish.seconds, .stop = &e->stop},
                                 .threads = e->wish.threads,
                                 .seed = 1,
                                 .command = "holos serve",
                                 .settings = e->wish.settings,
                                 .histogram = true,
                                 .progress = entry_progress,
                                 .progress_context = e,
                                 .progress_seconds = 0.25};
    status = holos_job_open(v, &options, &job, err);
    if (status == HOLOS_OK) {
        text t;
        status = holos_job_run(job, err);
        text_init(&t);
        if (holos_job_report(job) != NULL)
            text_take(&t, holos_report_json, holos_job_report(job));
        *report = t.length > 0 ? t.data : NULL;
        if (*report == NULL)
            text_free(&t);
        holos_job_close(job);
    }
    holos_close(v);
    return status;
}

static holos_status run_experiment(job_entry *e, char **report, holos_error *err)
{
    holos_experiment_result result = {0};
    holos_experiment_options options = {.settings = e->wish.settings,
                                        .folder = e->store,
                                        .limits = {.seconds = e->wish.seconds, .stop = &e->stop},
                                        .quick = e->wish.quick,
                                        .json = true};
    holos_status status =
        holos_experiment_run(holos_experiment_find(e->wish.experiment), &options, &result, err);
    *report = status == HOLOS_OK && result.text != NULL ? strdup(result.text) : NULL;
    holos_experiment_result_free(&result);
    return status;
}

static void *entry_run(void *context)
{
    job_entry *e = context;
    jobs *j = e->owner;
    holos_error err = {0};
    char *report = NULL;
    holos_status status =
        e->wish.experiment != NULL ? run_experiment(e, &report, &err) : run_job(e, &report, &err);
    pthread_mutex_lock(&j->lock);
    e->report = report;
    e->err = err;
    e->err.code = status;
    e->state = status == HOLOS_OK                                     ? JOB_DONE
               : status == HOLOS_LIMIT || status == HOLOS_INTERRUPTED ? JOB_STOPPED
                                                                      : JOB_FAILED;
    j->running--;
    changed(j);
    pthread_mutex_unlock(&j->lock);
    if (status == HOLOS_OK && j->finished != NULL)
        j->finished(j->context);
    return NULL;
}

/* ---- The list --------------------------------------------------------------------------------------- */

void jobs_open(jobs *j, const char *folder)
{
    pthread_condattr_t monotonic;
    *j = (jobs){.folder = folder, .is_open = true};
    pthread_mutex_init(&j->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&j->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

void jobs_close(jobs *j)
{
    if (!j->is_open)
        return;
    for (size_t i = 0; i < JOBS_MOST; i++)
        holos_stop_set(&j->entries[i].stop);
    for (size_t i = 0; i < JOBS_MOST; i++) {
        if (j->entries[i].state != JOB_FREE)
            pthread_join(j->entries[i].thread, NULL);
        entry_free(&j->entries[i]);
    }
    pthread_cond_destroy(&j->changed);
    pthread_mutex_destroy(&j->lock);
    j->is_open = false;
}

/* A free entry, or the oldest that has ended. NULL: all are at work. */
static job_entry *entry_choose(jobs *j)
{
    job_entry *best = NULL;
    for (size_t i = 0; i < JOBS_MOST; i++) {
        job_entry *e = &j->entries[i];
        if (e->state != JOB_RUNNING && (best == NULL || e->id < best->id))
            best = e;
    }
    return best;
}

static bool is_at_work(const jobs *j, const char *name)
{
    for (size_t i = 0; name != NULL && i < JOBS_MOST; i++)
        if (j->entries[i].state == JOB_RUNNING && j->entries[i].wish.name != NULL &&
            strcmp(j->entries[i].wish.name, name) == 0)
            return true;
    return false;
}

static holos_status wish_check(const jobs *j, const job_wish *wish, holos_error *err)
{
    if (wish->name != NULL && !jobs_is_name(wish->name))
        return error_set(
            err, HOLOS_USAGE, HOLOS_NOWHERE,
            "a name has letters, digits, -, _ and ., at most 64, and begins with a letter or a digit");
    if (wish->experiment != NULL && holos_experiment_find(wish->experiment) == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "unknown experiment \"%.40s\"", wish->experiment);
    if (j->running == JOBS_AT_ONCE)
        return error_set(err, HOLOS_LIMIT, HOLOS_NOWHERE, "%d jobs are at work already: stop one first",
                         JOBS_AT_ONCE);
    if (is_at_work(j, wish->name))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "a job is writing to %s already", wish->name);
    return wish->name != NULL ? file_make_folder(j->folder, err) : HOLOS_OK;
}

static holos_status start(jobs *j, const job_wish *wish, unsigned *id, holos_error *err)
{
    holos_status status = wish_check(j, wish, err);
    if (status != HOLOS_OK) {
        holos_settings_free(wish->settings);
        return status;
    }
    job_entry *e = entry_choose(j);
    if (e->state != JOB_FREE)
        pthread_join(e->thread, NULL); /* it has ended */
    entry_free(e);
    bool filled = entry_fill(e, j, wish);
    errno = ENOMEM;
    if (filled)
        errno = pthread_create(&e->thread, NULL, entry_run, e);
    if (errno != 0) {
        status = error_system(err, "a job");
        entry_free(e);
        return status;
    }
    e->state = JOB_RUNNING;
    *id = e->id = ++j->last_id;
    j->running++;
    changed(j);
    return HOLOS_OK;
}

holos_status jobs_start(jobs *j, const job_wish *wish, unsigned *id, holos_error *err)
{
    pthread_mutex_lock(&j->lock); /* the thread waits for it before it reports anything */
    holos_status status = start(j, wish, id, err);
    pthread_mutex_unlock(&j->lock);
    return status;
}

holos_status jobs_stop(jobs *j, unsigned id, holos_error *err)
{
    bool found = false;
    pthread_mutex_lock(&j->lock);
    for (size_t i = 0; i < JOBS_MOST; i++)
        if (j->entries[i].id == id && j->entries[i].state != JOB_FREE) {
            holos_stop_set(&j->entries[i].stop);
            found = true;
        }
    pthread_mutex_unlock(&j->lock);
    return found ? HOLOS_OK : error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "there is no job %u", id);
}

/* ---- JSON ------------------------------------------------------------------------------------------- */

static void put_progress(const job_entry *e, json *out)
{
    const holos_progress *p = &e->progress;
    json_open(out, "progress", '{');
    json_put_string(out, "label", e->label);
    json_put_string(out, "unit", e->unit);
    json_put_uint(out, "done", p->done);
    json_put_uint(out, "total", p->total);
    json_put_uint(out, "parts_done", p->parts_done);
    json_put_uint(out, "parts", p->parts);
    json_put_double(out, "rate", p->rate);
    json_put_double(out, "seconds", p->seconds);
    json_put_double(out, "left", p->left);
    json_put_uint(out, "memory", p->memory);
    json_put_uint(out, "disk", p->disk);
    if (p->is_wave) {
        json_put_uint(out, "layer", p->layer);
        json_put_uint(out, "solved", p->solved);
    }
    if (p->is_wave && p->has_seed) {
        json_put_int(out, "seed_lo", p->seed_lo);
        json_put_int(out, "seed_hi", p->seed_hi);
    }
    json_close(out);
}

static void put_history(const job_entry *e, json *out)
{
    json_open(out, "history", '[');
    for (unsigned i = 0; i < e->points; i++) {
        json_open(out, NULL, '[');
        json_put_double(out, NULL, e->history[i].seconds);
        json_put_uint(out, NULL, e->history[i].done);
        json_put_double(out, NULL, e->history[i].rate);
        json_put_uint(out, NULL, e->history[i].memory);
        json_close(out);
    }
    json_close(out);
}

static void put_entry(const job_entry *e, json *out)
{
    json_open(out, NULL, '{');
    json_put_uint(out, "id", e->id);
    json_put_string(out, "state", state_names[e->state]);
    json_put_string(out, e->wish.experiment != NULL ? "experiment" : "game",
                    e->wish.experiment != NULL ? e->wish.experiment : e->wish.game);
    json_put_string(out, "kind", e->wish.kind != NULL ? e->wish.kind : "");
    if (e->wish.name != NULL)
        json_put_string(out, "name", e->wish.name);
    json_open(out, "operands", '[');
    for (size_t i = 0; i < e->wish.operand_count; i++)
        json_put_string(out, NULL, e->wish.operands[i]);
    json_close(out);
    put_progress(e, out);
    put_history(e, out);
    if (e->report != NULL)
        json_put_string(out, "report", e->report);
    if (e->state != JOB_RUNNING && e->err.code != HOLOS_OK)
        wire_error(out, &e->err);
    json_close(out);
}

void jobs_put(jobs *j, json *out)
{
    pthread_mutex_lock(&j->lock);
    json_put_uint(out, "version", j->version);
    json_open(out, "jobs", '[');
    for (unsigned id = j->last_id; id > 0 && id + 2 * JOBS_MOST > j->last_id; id--)
        for (size_t i = 0; i < JOBS_MOST; i++)
            if (j->entries[i].id == id && j->entries[i].state != JOB_FREE)
                put_entry(&j->entries[i], out);
    json_close(out);
    pthread_mutex_unlock(&j->lock);
}

void jobs_wait(jobs *j, uint64_t version, double seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    double at = (double)until.tv_nsec * 1e-9 + seconds;
    until.tv_sec += (time_t)at;
    until.tv_nsec = (long)((at - (double)(time_t)at) * 1e9);
    pthread_mutex_lock(&j->lock);
    int waited = 0;
    while (j->version == version && waited == 0)
        waited = pthread_cond_timedwait(&j->changed, &j->lock, &until);
    pthread_mutex_unlock(&j->lock);
}

uint64_t jobs_version(jobs *j)
{
    pthread_mutex_lock(&j->lock);
    uint64_t version = j->version;
    pthread_mutex_unlock(&j->lock);
    return version;
}

unsigned jobs_running(jobs *j)
{
    pthread_mutex_lock(&j->lock);
    unsigned running = j->running;
    pthread_mutex_unlock(&j->lock);
    return running;
}
