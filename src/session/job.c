/* SPDX-License-Identifier: MIT */

/* The one runner of long work. */

#include "session/job.h"

#include "cluster/cluster.h"
#include "core/pool.h"
#include "session/build.h"
#include "session/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TELL_SECONDS 0.5

/* ---- Kinds ------------------------------------------------------------------------------------- */

#define JOB(name) extern const job_kind job_##name;
#include "session/jobs.def"
#undef JOB

static const job_kind *const kinds[] = {
#define JOB(name) &job_##name,
#include "session/jobs.def"
#undef JOB
};

static const job_kind *kind_at(const holos_variant *v, size_t index)
{
    for (size_t i = 0; v->game->jobs != NULL && v->game->jobs[i] != NULL; i++)
        if (index-- == 0)
            return v->game->jobs[i];
    return index < sizeof kinds / sizeof *kinds ? kinds[index] : NULL;
}

static const job_kind *kind_find(const holos_variant *v, const char *name)
{
    const job_kind *kind;
    if (name == NULL)
        return kind_at(v, 0); /* the game's own, or the first of the list: databases */
    for (size_t i = 0; (kind = kind_at(v, i)) != NULL; i++)
        if (strcmp(kind->about.name, name) == 0)
            return kind;
    return NULL;
}

static holos_status kind_unknown(const holos_variant *v, const char *name, holos_error *err)
{
    const job_kind *kind;
    text known;
    text_init(&known);
    for (size_t i = 0; (kind = kind_at(v, i)) != NULL; i++)
        text_printf(&known, "%s%s", i > 0 ? ", " : "", kind->about.name);
    holos_status status = error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "unknown kind of job \"%s\"; %s has %s",
                                    name, v->name, known.data);
    text_free(&known);
    return status;
}

const holos_option *job_options(const char *kind)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i]->about.name, kind) == 0)
            return kinds[i]->options;
    return NULL;
}

const char *job_with_options_at(size_t index)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i]->options != NULL && index-- == 0)
            return kinds[i]->about.name;
    return NULL;
}

const holos_job_kind *holos_job_kind_at(const holos_variant *v, size_t index)
{
    const job_kind *kind = v != NULL ? kind_at(v, index) : NULL;
    return kind != NULL ? &kind->about : NULL;
}

bool holos_job_takes(const holos_variant *v, const char *kind, const char *word)
{
    const job_kind *k = v != NULL && word != NULL ? kind_find(v, kind) : NULL;
    return k != NULL && k->takes != NULL && k->takes(v, word);
}

/* ---- Opening ----------------------------------------------------------------------------------- */

static const char *string_copy(holos_job *j, const char *s, bool *failed)
{
    const char *copy = s != NULL ? arena_string(&j->memory, s) : NULL;
    *failed |= s != NULL && copy == NULL;
    return copy;
}

static const char *const *strings_copy(holos_job *j, const char *const *from, size_t count, bool *failed)
{
    const char **copies = arena_alloc(&j->memory, (count + 1) * sizeof *copies);
    *failed |= copies == NULL;
    for (size_t i = 0; copies != NULL && i < count; i++)
        copies[i] = string_copy(j, from[i], failed);
    return copies;
}

static holos_status options_copy(holos_job *j, const holos_job_options *from, holos_error *err)
{
    holos_job_options *o = &j->options;
    bool failed = false;
    *o = *from;
    o->kind = j->kind->about.name;
    o->store = string_copy(j, from->store, &failed);
    o->command = string_copy(j, from->command, &failed);
    o->operands = strings_copy(j, from->operands, from->operand_count, &failed);
    o->threads = o->threads > 0 ? o->threads : pool_processors();
    unsigned here = o->cluster != NULL ? o->cluster->here : 1; /* processes that share what there is */
    o->limits.memory = o->limits.memory > 0 ? o->limits.memory : build_memory_available() / here;
    o->limits.stop = &j->stop;
    j->asked = from->limits.stop;
    return failed ? error_system(err, "a job") : HOLOS_OK;
}

/* What every kind would have to check. */
static holos_status request_check(const holos_variant *v, const job_kind *kind, const holos_job_options *o,
                                  holos_error *err)
{
    if (o->operand_count > 0 && o->operands == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "a job has operands, but they are NULL");
    for (size_t i = 0; i < o->operand_count; i++)
        if (o->operands[i] == NULL)
            return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "an operand of a job is NULL");
    if (o->operand_count > 0 && kind->takes == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "unexpected argument '%s': a %s of %s takes none",
                         o->operands[0], kind->about.name, v->name);
    if (o->store != NULL && !kind->about.keeps)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "a %s job keeps nothing: leave out --store",
                         kind->about.name);
    if ((o->cluster != NULL || o->ranks > 1) && !kind->clusters)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "a %s job of %s runs in one process: leave out --%s", kind->about.name, v->name,
                         o->cluster != NULL ? "cluster" : "ranks");
    if (o->store != NULL && game_may_fail(v))
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "%s is not a built-in game, and keeps nothing: leave out --store", v->name);
    if (o->store == NULL && o->start == HOLOS_JOB_RESUME && kind->about.keeps)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "--resume needs --store: the work to continue");
    return HOLOS_OK;
}

static void log_pass(void *context, log_level level, const char *message)
{
    const holos_job *j = context;
    j->options.log(j->options.log_context, (holos_log_level)level, message);
}

/* The options of the kind and of the game for it, each into a struct of its own. */
static holos_status settings_read(holos_job *j, holos_error *err)
{
    const char *kind = j->kind->about.name;
    const holos_settings *settings = j->options.settings;
    holos_status status = job_settings_check(j->base.v, kind, settings, err);
    if (status == HOLOS_OK && j->kind->options != NULL) {
        j->settings = calloc(1, j->kind->settings_size);
        status = j->settings == NULL ? error_system(err, "a job")
                                     : option_read(j->kind->options, settings, j->settings, err);
    }
    if (status == HOLOS_OK)
        status = game_settings_new(game_options(j->base.v->game, HOLOS_USE_JOB, kind), settings,
                                   &j->game_settings, err);
    j->base.settings = j->settings;
    j->base.game_settings = j->game_settings;
    return status;
}

static holos_status job_make(const holos_variant *v, const job_kind *kind, const holos_job_options *options,
                             holos_job **out, holos_error *err)
{
    holos_job *j = *out = calloc(1, sizeof *j);
    if (j == NULL)
        return error_system(err, "a job");
    j->kind = kind;
    j->lock.fd = -1;
    arena_init(&j->memory, NULL, 4096);
    watch_init(j);
    double interval = options->progress_seconds > 0 ? options->progress_seconds : TELL_SECONDS;
    progress_init(&j->progress, watch_progress, j, interval);
    j->log =
        (logger){.level = LOG_LEVEL_DEBUG, .write = options->log != NULL ? log_pass : NULL, .context = j};
    holos_status status = options_copy(j, options, err);
    j->base = (job){.v = v,
                    .o = &j->options,
                    .asked = j->asked,
                    .deadline = CLOCK_NEVER,
                    .progress = &j->progress,
                    .log = &j->log};
    if (status == HOLOS_OK && j->options.store != NULL)
        j->base.folder = place_folder(j->options.store);
    if (status == HOLOS_OK)
        status = settings_read(j, err);
    return status == HOLOS_OK ? kind->open(&j->base, err) : status;
}

holos_status holos_job_open(const holos_variant *v, const holos_job_options *options, holos_job **out,
                            holos_error *err)
{
    static const holos_job_options defaults = {0};
    if (out != NULL)
        *out = NULL;
    if (v == NULL || out == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "a game and a place for the job are needed");
    options = options != NULL ? options : &defaults;
    const job_kind *kind = kind_find(v, options->kind);
    if (kind == NULL)
        return kind_unknown(v, options->kind, err);
    holos_status status = request_check(v, kind, options, err);
    if (status == HOLOS_OK)
        status = job_make(v, kind, options, out, err);
    if (status != HOLOS_OK) {
        holos_job_close(*out);
        *out = NULL;
    }
    return status;
}

void holos_job_close(holos_job *j)
{
    if (j == NULL)
        return;
    j->kind->close(&j->base);
    progress_free(&j->progress);
    watch_free(j);
    holos_report_close(j->report);
    holos_report_close(j->plan_report);
    arena_free(&j->memory);
    free(j->settings);
    free(j->game_settings);
    free(j);
}

const char *holos_job_name(const holos_job *j)
{
    return j != NULL ? j->kind->about.name : "";
}

const holos_report *holos_job_report(const holos_job *j)
{
    return j != NULL ? j->report : NULL;
}

/* ---- The plan ---------------------------------------------------------------------------------- */

const char *holos_plan_basis_name(holos_plan_basis basis)
{
    static const char *const names[] = {"exact", "estimate", "at-least"};
    return names[basis];
}

/* What every plan says, after what only its kind can. */
static void plan_put(const holos_plan *plan, holos_report *r)
{
    report_count(r, "positions", NULL, plan->positions);
    report_text(r, "basis", NULL, holos_plan_basis_name(plan->basis));
    if (plan->basis == HOLOS_PLAN_ESTIMATE)
        report_real(r, "factor", NULL, plan->factor);
    if (plan->parts > 0)
        report_count(r, "parts", NULL, plan->parts);
    report_bytes(r, "memory", NULL, plan->memory);
    if (plan->memory_each > 0) {
        report_real(r, "memory_each", NULL, plan->memory_each);
        report_bytes(r, "memory_limit", NULL, plan->memory_limit);
        report_count(r, "fits", NULL, plan->fits);
    }
    report_bytes(r, "disk", NULL, plan->disk);
    report_seconds(r, "seconds", NULL, plan->seconds);
    if (plan->ranks > 0) {
        report_count(r, "ranks", NULL, plan->ranks);
        report_bytes(r, "traffic", NULL, plan->traffic);
    }
    if (plan->seconds_more)
        report_truth(r, "seconds_more", NULL, true);
}

static holos_status plan_make(holos_job *j, holos_plan *out, holos_error *err)
{
    holos_report *r = j->plan_report = report_new();
    if (r == NULL)
        return error_system(err, "the plan");
    report_text(r, "game", NULL, j->base.v->name);
    *out = (holos_plan){.factor = 1, .memory_limit = j->options.limits.memory, .report = r};
    holos_status status = j->kind->plan(&j->base, out, r, err);
    if (status != HOLOS_OK)
        return status;
    ranks_plan(j, out);
    out->seconds /= j->options.threads;
    if (out->memory_each > 0)
        out->fits = (uint64_t)((double)out->memory_limit / out->memory_each);
    plan_put(out, r);
    out->known = !r->failed;
    return r->failed ? error_system(err, "the plan") : HOLOS_OK;
}

holos_status holos_job_plan(holos_job *j, holos_plan *out, holos_error *err)
{
    if (j == NULL || out == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "a job and a place for its plan are needed");
    holos_status status = HOLOS_OK;
    if (!j->plan.known) {
        double begun = clock_wall();
        holos_report_close(j->plan_report);
        status = plan_make(j, &j->plan, err);
        j->planned = clock_wall() - begun;
    }
    *out = j->plan;
    return status;
}

/* Nothing begins that could not end. */
static holos_status plan_check(holos_job *j, holos_error *err)
{
    holos_plan plan;
    holos_status status = holos_job_plan(j, &plan, err);
    if (status != HOLOS_OK || plan.memory_least <= plan.memory_limit)
        return status;
    text t;
    char words[96];
    text_init_fixed(&t, words, sizeof words);
    text_string(&t, "needs ");
    text_size(&t, plan.memory_least);
    text_string(&t, " of memory, limit ");
    text_size(&t, plan.memory_limit);
    return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "%s", words);
}

/* ---- The run ----------------------------------------------------------------------------------- */

static holos_status store_lock(holos_job *j, holos_error *err)
{
    text words;
    if (j->options.store == NULL || holos_cluster_rank(j->options.cluster) > 0)
        return HOLOS_OK;
    holos_status status = place_lock(&j->lock, j->options.store, err);
    if (status != HOLOS_OK)
        return status;
    text_init(&words);
    record_lock(j, "", &words);
    lock_write(&j->lock, words.data);
    text_free(&words);
    return HOLOS_OK;
}

/* Whether a run got so far that there is something to tell: a refusal must not take the place of an older record. */
static bool has_begun(holos_status status)
{
    return status == HOLOS_OK || status == HOLOS_LIMIT || status == HOLOS_INTERRUPTED || status == HOLOS_IO ||
           status == HOLOS_NO_MEMORY;
}

/* The report of a run, whatever became of it. */
static holos_status report_make(holos_job *j, holos_error *err)
{
    holos_report *r = j->report = report_new();
    if (r == NULL)
        return error_system(err, "the report");
    report_text(r, "game", NULL, j->base.v->name);
    j->kind->report(&j->base, r);
    record_run(j, r);
    return r->failed ? error_system(err, "the report") : HOLOS_OK;
}

static bool is_late(void *context)
{
    return watch_out_of_time(context);
}

/* A request to stop that nobody made was the end of the time. */
static holos_status status_of(holos_job *j, holos_status status, holos_error *err)
{
    bool late = j->options.cluster != NULL && j->options.cluster->late; /* another rank noticed it first */
    if (status != HOLOS_INTERRUPTED || (!watch_out_of_time(j) && !late))
        return status;
    j->base.stopped = "time limit";
    return error_set(err, HOLOS_LIMIT, HOLOS_NOWHERE, "the time limit was reached%s",
                     j->options.store != NULL ? "; --resume continues from what is finished" : "");
}

holos_status holos_job_batch(holos_job *j, const char *request, holos_error *err)
{
    if (j == NULL || request == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "a job and a request are needed");
    if (j->kind->batch == NULL)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "a %s job has no batches",
                         j->kind->about.name);
    j->begun = clock_wall();
    j->base.deadline = deadline_after(j->options.limits.seconds);
    holos_status status = watch_begin(j, err);
    if (status == HOLOS_OK)
        status = j->kind->batch(&j->base, request, err);
    watch_end(j);
    return status;
}

holos_status holos_job_run(holos_job *j, holos_error *err)
{
    holos_error own = {0};
    err = err != NULL ? err : &own;
    if (j == NULL || j->has_run)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s",
                         j == NULL ? "there is no job to run" : "a job runs once");
    if (j->options.cluster != NULL)
        cluster_begin(j->options.cluster);
    holos_status status = plan_check(j, err);
    if (status != HOLOS_OK)
        return cluster_agree(j->options.cluster, status, err);
    j->begun = clock_wall();
    j->began = time(NULL);
    if (j->options.limits.seconds > 0)
        j->progress.deadline = j->base.deadline = j->begun + j->options.limits.seconds - j->planned;
    status = cluster_agree(j->options.cluster, store_lock(j, err), err);
    if (status != HOLOS_OK) {
        lock_release(&j->lock);
        return status;
    }
    status = watch_begin(j, err);
    if (status == HOLOS_OK) {
        j->has_run = true;
        if (j->options.cluster != NULL)
            cluster_time(j->options.cluster, is_late, j);
        ranks_meet(j);
        status = ranks_check_folder(j, err);
        if (status == HOLOS_OK)
            status = j->kind->run(&j->base, err);
        if (j->options.cluster != NULL)
            cluster_time(j->options.cluster, NULL, NULL);
        status = status_of(j, status, err);
        holos_status failure = game_failed(j->base.v, err);
        status = failure != HOLOS_OK ? failure : status;
    }
    watch_end(j);
    j->status = status;
    snprintf(j->problem, sizeof j->problem, "%s", status != HOLOS_OK ? err->message : "");
    holos_error later;
    bool tells = j->has_run && has_begun(status) && holos_cluster_rank(j->options.cluster) == 0;
    holos_status kept = tells ? report_make(j, &later) : HOLOS_OK;
    if (tells && kept == HOLOS_OK)
        kept = record_keep(j, &later);
    lock_release(&j->lock);
    if (status == HOLOS_OK && kept != HOLOS_OK) {
        *err = later;
        status = kept;
    }
    return status;
}
