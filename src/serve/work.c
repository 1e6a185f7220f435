/* SPDX-License-Identifier: MIT */

/* Long work over HTTP: options, plans, jobs, records. */

#include "core/error.h"
#include "core/file.h"
#include "serve/state.h"
#include "wire/answer.h"

#include <stdlib.h>
#include <string.h>

/* ---- Options ---------------------------------------------------------------------------------------- */

static void put_option(json *j, const holos_option *o)
{
    json_open(j, NULL, '{');
    json_put_string(j, "name", o->name);
    json_put_string(j, "type", holos_option_type_name(o->type));
    if (o->value != NULL)
        json_put_string(j, "value", o->value);
    if (o->fallback != NULL)
        json_put_string(j, "default", o->fallback);
    if (o->type == HOLOS_OPTION_INT) {
        json_put_int(j, "min", o->min);
        json_put_int(j, "max", o->max);
    }
    json_put_string(j, "help", o->help);
    json_close(j);
}

static void put_group(json *j, const holos_option_group *g)
{
    json_open(j, NULL, '{');
    json_put_string(j, "owner", g->owner);
    json_put_string(j, "kind", holos_owner_name(g->kind));
    json_put_string(j, "use", holos_use_name(g->use));
    if (g->purpose != NULL)
        json_put_string(j, "purpose", g->purpose);
    json_open(j, "options", '[');
    for (const holos_option *o = g->options; o->name != NULL; o++)
        put_option(j, o);
    json_close(j);
    json_close(j);
}

void route_options(serve_state *s, const request *r, reply *out)
{
    (void)s;
    const char *wanted = request_get(r, "use", NULL);
    json j = json_begin(&out->body);
    json_open(&j, NULL, '{');
    json_open(&j, "groups", '[');
    for (unsigned use = 0; use < HOLOS_USE_COUNT; use++) {
        holos_option_group g;
        for (size_t i = 0; holos_option_group_at((holos_use)use, i, &g); i++)
            if (wanted == NULL || strcmp(wanted, holos_use_name(g.use)) == 0)
                put_group(&j, &g);
    }
    json_close(&j);
    json_close(&j);
}

/* ---- Wishes ----------------------------------------------------------------------------------------- */

static holos_status read_start(const request *r, holos_job_start *out, holos_error *err)
{
    static const char *const names[] = {
        [HOLOS_JOB_NEW] = "new", [HOLOS_JOB_RESUME] = "resume", [HOLOS_JOB_RESTART] = "restart"};
    const char *name = request_get(r, "start", "new");
    for (unsigned i = 0; i < 3; i++)
        if (strcmp(names[i], name) == 0) {
            *out = (holos_job_start)i;
            return HOLOS_OK;
        }
    return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "start is new, resume or restart");
}

static holos_status read_operands(const request *r, job_wish *w, holos_error *err)
{
    json_t *list = r->body != NULL ? json_object_get(r->body, "operands") : NULL, *word;
    size_t i;
    json_array_foreach(list, i, word)
    {
        if (!json_is_string(word) || i >= JOBS_OPERANDS)
            return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "operands are at most %d texts", JOBS_OPERANDS);
        w->operands[w->operand_count++] = json_string_value(word);
    }
    return HOLOS_OK;
}

/* Reads a wish from a request, whose strings it uses. Its settings are the caller's, even after an error. */
static holos_status wish_read(const request *r, job_wish *w, holos_error *err)
{
    double seconds = 0, threads = 0;
    *w = (job_wish){.game = request_get(r, "game", ""),
                    .kind = request_get(r, "kind", NULL),
                    .name = request_get(r, "name", NULL),
                    .quick = request_flag(r, "quick")};
    holos_status status = read_start(r, &w->start, err);
    if (status == HOLOS_OK)
        status = request_number(r, "seconds", 0, 1e7, 0, &seconds, err);
    if (status == HOLOS_OK)
        status = request_number(r, "threads", 0, 1024, 1, &threads, err);
    if (status == HOLOS_OK)
        status = read_operands(r, w, err);
    if (status == HOLOS_OK)
        status = request_settings(r, HOLOS_USE_JOB, &w->settings, err);
    w->seconds = seconds;
    w->threads = (unsigned)threads;
    return status;
}

void route_plan(serve_state *s, const request *r, reply *out)
{
    (void)s;
    job_wish w;
    holos_error err;
    holos_variant *v = NULL;
    holos_job *job = NULL;
    holos_plan plan;
    holos_status status = wish_read(r, &w, &err);
    if (status == HOLOS_OK)
        status = holos_open(w.game, &v, &err);
    if (status == HOLOS_OK) {
        holos_job_options options = {.kind = w.kind,
                                     .operands = w.operands,
                                     .operand_count = w.operand_count,
                                     .threads = w.threads,
                                     .settings = w.settings};
        status = holos_job_open(v, &options, &job, &err);
    } else {
        v = NULL;
    }
    if (status == HOLOS_OK)
        status = holos_job_plan(job, &plan, &err);
    if (status != HOLOS_OK) {
        reply_error(out, &err);
    } else {
        json j = json_begin(&out->body);
        json_open(&j, NULL, '{');
        json_put_bool(&j, "known", plan.known);
        if (plan.known) {
            json_put_string(&j, "what", plan.what);
            json_put_uint(&j, "memory", plan.memory);
            json_put_uint(&j, "memory_limit", plan.memory_limit);
            json_put_uint(&j, "disk", plan.disk);
            json_put_double(&j, "seconds", plan.seconds);
        }
        json_close(&j);
    }
    holos_job_close(job);
    holos_close(v);
    holos_settings_free(w.settings);
}

/* ---- Jobs ------------------------------------------------------------------------------------------- */

static void reply_id(reply *out, unsigned id)
{
    json j = json_begin(&out->body);
    json_open(&j, NULL, '{');
    json_put_uint(&j, "id", id);
    json_close(&j);
}

void route_jobs_start(serve_state *s, const request *r, reply *out)
{
    job_wish w;
    holos_error err;
    unsigned id;
    holos_status status = wish_read(r, &w, &err);
    if (status == HOLOS_OK)
        status = jobs_start(&s->jobs, &w, &id, &err);
    else
        holos_settings_free(w.settings);
    if (status == HOLOS_OK)
        reply_id(out, id);
    else
        reply_error(out, &err);
}

void route_jobs_stop(serve_state *s, const request *r, reply *out)
{
    holos_error err;
    double id;
    holos_status status = request_number(r, "id", 1, 1e9, 0, &id, &err);
    if (status == HOLOS_OK)
        status = jobs_stop(&s->jobs, (unsigned)id, &err);
    if (status == HOLOS_OK)
        reply_id(out, (unsigned)id);
    else
        reply_error(out, &err);
}

/* What lies in the folder, with the names that requests use. */
static void put_stores(const serve_state *s, json *j)
{
    holos_report *report;
    json_open(j, "stores", '[');
    if (holos_job_inspect(s->folder, &report, NULL) == HOLOS_OK) {
        const holos_field *list = holos_report_find(holos_report_root(report), "jobs");
        for (const holos_field *f = list != NULL ? list->first : NULL; f != NULL; f = f->next) {
            const holos_field *store = holos_report_find(f, "store");
            const char *name = store != NULL && store->text != NULL ? strrchr(store->text, '/') : NULL;
            if (name == NULL || !jobs_is_name(name + 1))
                continue;
            json_open(j, NULL, '{');
            json_put_string(j, "name", name + 1);
            for (const holos_field *member = f->first; member != NULL; member = member->next)
                if (member->type == HOLOS_FIELD_TEXT && member->key != NULL &&
                    strcmp(member->key, "store") != 0 && strcmp(member->key, "command") != 0)
                    json_put_string(j, member->key, member->text);
            json_close(j);
        }
        holos_report_close(report);
    }
    json_close(j);
}

void route_jobs(serve_state *s, const request *r, reply *out)
{
    (void)r;
    json j = json_begin(&out->body);
    json_open(&j, NULL, '{');
    jobs_put(&s->jobs, &j);
    put_stores(s, &j);
    json_close(&j);
}

typedef struct jobs_stream {
    stream base;
    jobs *jobs;
    uint64_t version;
    bool begun;
} jobs_stream;

static bool jobs_next(stream *base, const holos_stop *stop, text *out)
{
    jobs_stream *w = (jobs_stream *)base;
    if (w->begun)
        jobs_wait(w->jobs, w->version, 1);
    if (holos_stop_asked(stop))
        return false;
    uint64_t version = jobs_version(w->jobs);
    if (w->begun && version == w->version) {
        text_string(out, ": nothing new\n\n");
        return true;
    }
    event_begin(out, "jobs");
    json j = json_begin(out);
    json_open(&j, NULL, '{');
    jobs_put(w->jobs, &j);
    json_close(&j);
    event_end(out);
    w->version = version;
    w->begun = true;
    return true;
}

static void jobs_stream_close(stream *base)
{
    free(base);
}

void route_jobs_events(serve_state *s, const request *r, reply *out)
{
    (void)r;
    jobs_stream *w = calloc(1, sizeof *w);
    if (w == NULL) {
        reply_refuse(out, 503, "no memory for the events");
        return;
    }
    *w = (jobs_stream){.base = {.next = jobs_next, .close = jobs_stream_close}, .jobs = &s->jobs};
    out->events = &w->base;
}

void route_record(serve_state *s, const request *r, reply *out)
{
    enum { RECORD_MOST = 1 << 20 };
    static const char *const files[] = {"build.json", "explore.json"};
    const char *name = request_get(r, "name", "");
    char *path = jobs_path(&s->jobs, name);
    for (size_t i = 0; path != NULL && i < 2 && out->body.length == 0; i++) {
        text file;
        text_init(&file);
        text_printf(&file, "%s/%s", path, files[i]);
        file_read(file.data, RECORD_MOST, &out->body, NULL);
        text_free(&file);
    }
    free(path);
    if (out->body.length == 0)
        reply_refuse(out, 404, "there is no record of %.64s", name);
}
