/* SPDX-License-Identifier: MIT */

/* What a run leaves for whoever comes later: its report with what was asked, beside the result; and while it lasts, who runs it
 * and how far it is, in the lock. */

#include "core/file.h"
#include "core/json.h"
#include "core/url.h"
#include "session/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define COMMAND_MOST 200 /* bytes of the command that the lock shows */

static const char *const start_names[] = {
    [HOLOS_JOB_NEW] = "new", [HOLOS_JOB_RESUME] = "resume", [HOLOS_JOB_RESTART] = "restart"};

/* Why a run ended. */
static const char *why(const holos_job *j)
{
    if (j->base.stopped != NULL)
        return j->base.stopped;
    switch (j->status) {
    case HOLOS_OK:
        return "finished";
    case HOLOS_INTERRUPTED:
        return "interrupted";
    case HOLOS_NO_MEMORY:
        return "memory limit";
    default:
        return j->problem;
    }
}

static void moment_put(holos_report *r, const char *key, time_t at)
{
    text t;
    text_init(&t);
    text_moment(&t, at);
    report_text(r, key, NULL, t.data);
    text_free(&t);
}

static void limits_put(holos_report *r, const holos_limits *limits)
{
    report_open(r, "limits", NULL, HOLOS_FIELD_GROUP);
    if (limits->seconds > 0)
        report_seconds(r, "seconds", NULL, limits->seconds);
    if (limits->nodes > 0)
        report_count(r, "nodes", NULL, limits->nodes);
    report_bytes(r, "memory", NULL, limits->memory);
    report_close_field(r);
}

void record_run(holos_job *j, holos_report *r)
{
    const holos_job_options *o = &j->options;
    report_text(r, "status", NULL, holos_status_name(j->status));
    bool plain = j->status == HOLOS_OK && j->base.stopped == NULL; /* nobody needs to be told */
    report_text(r, "stopped", plain ? NULL : "stopped", why(j));
    report_open(r, "run", NULL, HOLOS_FIELD_GROUP);
    report_text(r, "version", NULL, holos_version());
    report_text(r, "job", NULL, j->kind->about.name);
    if (o->command != NULL)
        report_text(r, "command", NULL, o->command);
    report_text(r, "start", NULL, start_names[o->start]);
    report_open(r, "operands", NULL, HOLOS_FIELD_LIST);
    for (size_t i = 0; i < o->operand_count; i++)
        report_text(r, NULL, NULL, o->operands[i]);
    report_close_field(r);
    limits_put(r, &o->limits);
    report_count(r, "seed", NULL, o->seed);
    moment_put(r, "began", j->began);
    moment_put(r, "ended", time(NULL));
    report_seconds(r, "seconds", NULL, clock_wall() - j->begun);
    report_close_field(r);
}

holos_status record_keep(const holos_job *j, holos_error *err)
{
    if (j->options.store == NULL)
        return HOLOS_OK;
    text path, record;
    text_init(&path);
    text_init(&record);
    place_beside(j->options.store, j->kind->record, &path);
    report_json(j->report, &record);
    text_char(&record, '\n');
    holos_status status = path.failed || record.failed ? error_system(err, "the record of the run")
                                                       : file_put(path.data, record.data, record.length, err);
    text_free(&path);
    text_free(&record);
    return status;
}

void record_lock(const holos_job *j, const char *reached, text *out)
{
    char command[COMMAND_MOST];
    text moment;
    json w = json_begin(out);
    text_init(&moment);
    json_open(&w, NULL, '{');
    lock_put_owner(&w, j->began);
    if (j->options.command != NULL) {
        char *whole = strdup(j->options.command); /* what is cut might end in half a password */
        if (whole != NULL)
            url_hide_passwords(whole);
        snprintf(command, sizeof command, "%s", whole != NULL ? whole : "");
        json_put_string(&w, "command", command);
        free(whole);
    }
    text_moment(&moment, time(NULL));
    json_put_string(&w, "seen", moment.data);
    json_put_string(&w, "game", j->base.v->name);
    json_put_string(&w, "kind", j->kind->about.name);
    json_put_double(&w, "seconds", clock_wall() - j->begun);
    json_close(&w);
    text_free(&moment);
    if (reached[0] == 0 || out->failed)
        return;
    out->data[--out->length] = 0; /* the last brace: an object more comes before it */
    text_printf(out, ",\"progress\":%s}", reached);
}
