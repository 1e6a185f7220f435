/* SPDX-License-Identifier: MIT */

#include "cli/job.h"

#include "cli/interrupt.h"
#include "cli/plot.h"
#include "cli/report.h"
#include "cli/words.h"
#include "core/json.h"
#include "wire/answer.h"

#include <string.h>

#define LONG_WORK 2.0 /* seconds */

const char *job_kind_of(const holos_variant *v, const char *const *names)
{
    const holos_job_kind *kind;
    for (size_t i = 0; (kind = holos_job_kind_at(v, i)) != NULL; i++)
        for (const char *const *name = names; *name != NULL; name++)
            if (strcmp(kind->name, *name) == 0)
                return kind->name;
    return NULL;
}

/* ---- What is asked ----------------------------------------------------------------------------- */

static void remark(void *context, holos_log_level level, const char *message)
{
    log_write(context, (log_level)level, "%s", message);
}

void command_words(const cli *c, text *out)
{
    text_printf(out, "holos %s", c->verb->name);
    for (size_t i = 0; i < c->word_count; i++)
        text_printf(out, " %s", c->words[i]);
}

static void options_share(cli *c, holos_job_options *o, const job_wishes *wishes, const char *command)
{
    o->start = wishes->resume ? HOLOS_JOB_RESUME : wishes->restart ? HOLOS_JOB_RESTART : HOLOS_JOB_NEW;
    o->limits = (holos_limits){.seconds = c->shared.time,
                               .nodes = c->shared.nodes,
                               .memory = c->shared.mem,
                               .stop = interrupt_flag()};
    o->threads = (unsigned)c->shared.threads;
    o->seed = c->shared.seed;
    o->command = command;
    o->settings = c->others;
    o->cluster = c->cluster;
    o->ranks = wishes->ranks;
    o->machines = wishes->machines;
    o->histogram = wishes->plot != NULL;
    o->progress = c->screen.mode != SCREEN_NONE ? screen_show : NULL;
    o->progress_context = &c->screen;
    o->progress_seconds = screen_interval(&c->screen);
    o->log = remark;
    o->log_context = &c->log;
}

/* ---- The plan ---------------------------------------------------------------------------------- */

/* How much the limit holds, where that may not be enough. */
static void room_words(text *t, const holos_plan *plan)
{
    text_string(t, "; ");
    text_size(t, plan->memory_limit);
    text_string(t, " hold about ");
    text_count(t, plan->fits);
    if (plan->beyond != NULL)
        text_printf(t, "; %s goes past that", plan->beyond);
}

static bool fits_not(const holos_plan *plan)
{
    return plan->fits > 0 && plan->fits < plan->positions;
}

static void plan_words(text *t, const holos_plan *plan)
{
    bool more = plan->basis == HOLOS_PLAN_AT_LEAST;
    text_printf(t, "%s; ", plan->what);
    if (more)
        text_string(t, "these alone need ");
    else
        text_string(t, plan->memory_each > 0 ? "needs about " : "needs ");
    text_size(t, plan->memory);
    text_string(t, " of memory");
    if (plan->ranks > 0)
        text_printf(t, " in each of %u %s", plan->ranks, plan->ranks == 1 ? "rank" : "ranks");
    if (plan->disk > 0) {
        text_string(t, ", about ");
        text_size(t, plan->disk);
        text_string(t, " of disk");
    }
    if (plan->seconds > 0) {
        text_string(t, plan->seconds_more ? ", at least " : ", about ");
        text_duration(t, plan->seconds);
    }
    if (plan->traffic > 0) {
        text_string(t, ", about ");
        text_size(t, plan->traffic);
        text_string(t, " between them");
    }
    if (plan->fits > 0 && (more || fits_not(plan)))
        room_words(t, plan);
}

/* Whoever has to wait should know for what. Whoever has too little memory, and could do something about it, should know before it is
 * used up. */
static void plan_say(const cli *c, const holos_job_options *o, holos_plan plan)
{
    logger log = c->log;
    text t;
    bool matters = plan.seconds > LONG_WORK || (plan.beyond != NULL && fits_not(&plan));
    if (matters && !c->shared.quiet)
        log.level = LOG_LEVEL_INFO;
    plan.disk = o->store != NULL ? plan.disk : 0;
    text_init(&t);
    plan_words(&t, &plan);
    log_write(&log, LOG_LEVEL_INFO, "%s", t.data);
    text_free(&t);
}

static void plan_print(cli *c, const holos_plan *plan)
{
    if (c->shared.json) {
        report_print(c, plan->report);
        return;
    }
    plan_words(&c->out->text, plan);
    text_char(&c->out->text, '\n');
}

/* A job that did not begin, for programs. */
static void refusal_json(cli *c, const holos_variant *v, const holos_job *job, const holos_plan *plan,
                         const holos_error *err)
{
    json j = json_begin(&c->out->text);
    json_open(&j, NULL, '{');
    json_put_string(&j, "game", holos_variant_name(v));
    json_put_string(&j, "kind", holos_job_name(job));
    json_put_string(&j, "status", holos_status_name(err->code));
    json_put_uint(&j, "memory", plan->memory);
    json_put_uint(&j, "memory_limit", plan->memory_limit);
    wire_error(&j, err);
    json_close(&j);
    text_char(&c->out->text, '\n');
}

/* ---- Doing it ---------------------------------------------------------------------------------- */

static cli_status job_run(cli *c, const holos_variant *v, holos_job *job, const holos_plan *plan,
                          const char *plot)
{
    holos_error err;
    holos_status status = holos_job_run(job, &err);
    const holos_report *report = holos_job_report(job);
    cli_status exit = cli_status_of(status);
    if (report != NULL)
        report_print(c, report);
    else if (status == HOLOS_NO_MEMORY && c->shared.json)
        refusal_json(c, v, job, plan, &err);
    if (status == HOLOS_LIMIT)
        log_write(&c->log, LOG_LEVEL_INFO, "%s", err.message);
    else if (status != HOLOS_OK)
        exit = cli_fail(&err);
    if (status == HOLOS_OK && plot != NULL && report != NULL && plot_write(plot, report, &err) != HOLOS_OK)
        exit = cli_fail(&err);
    return exit;
}

cli_status job_do(cli *c, const holos_variant *v, holos_job_options *o, const job_wishes *wishes)
{
    holos_error err;
    holos_job *job;
    holos_plan plan;
    text command;
    if (wishes->resume && wishes->restart)
        return cli_usage("--resume and --restart contradict each other");
    if (wishes->estimate && wishes->plot != NULL)
        return cli_usage("--estimate only predicts and --plot draws a result: leave one out");
    text_init(&command);
    command_words(c, &command);
    options_share(c, o, wishes, command.data);
    holos_status status = holos_job_open(v, o, &job, &err);
    text_free(&command);
    if (status != HOLOS_OK)
        return cli_fail(&err);
    cli_status exit;
    if (holos_job_plan(job, &plan, &err) != HOLOS_OK) {
        exit = cli_fail(&err);
    } else if (wishes->estimate) {
        plan_print(c, &plan);
        exit = interrupted() ? CLI_INTERRUPTED : CLI_DONE;
    } else {
        plan_say(c, o, plan);
        exit = job_run(c, v, job, &plan, wishes->plot);
    }
    holos_job_close(job);
    return exit;
}
