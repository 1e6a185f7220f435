/* SPDX-License-Identifier: MIT */

/* Making tables of endings as a kind of job of the game's own. */

#include "game/jobs.h"

#include "games/chess/tables/endings.h"
#include "games/chess/tables/material.h"

#include <stdlib.h>
#include <string.h>

static const char *const score_names[] = {"loss", "blessed", "draw", "cursed", "win"};

typedef struct tables_state {
    endings_request request;
    endings_report report;
    job_tasks tasks; /* of the plan, if ranks share them */
    double seconds;
} tables_state;

static void tasks_free(job_tasks *tasks)
{
    free(tasks->list);
    free(tasks->waits);
}

static bool tables_take(const holos_variant *v, const char *word)
{
    tb_key key;
    (void)v;
    return key_parse(word, &key, NULL) == HOLOS_OK;
}

/* ---- Beginning --------------------------------------------------------------------------------- */

static holos_status tables_open(job *j, holos_error *err)
{
    const holos_job_options *o = j->o;
    tables_state *s = j->state = calloc(1, sizeof *s);
    if (s == NULL)
        return error_system(err, "making tables");
    if (o->operand_count > 1)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "unexpected argument '%s'", o->operands[1]);
    const endings_settings *asked = j->game_settings;
    if ((o->operand_count == 0) == (asked->pieces < 3))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "say which tables: holos build %s KQvKR, or --pieces 4 for all", j->v->name);
    if (o->store != NULL && j->folder == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "tables of endings are files: --store file:DIR");
    if (o->cluster != NULL && j->folder == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "with --cluster, ranks read the tables of others from files: --store file:DIR, in a "
                         "folder that all ranks see");
    s->request = (endings_request){.name = o->operand_count > 0 ? o->operands[0] : NULL,
                                   .pieces = (unsigned)asked->pieces,
                                   .folder = j->folder,
                                   .restart = o->start == HOLOS_JOB_RESTART,
                                   .mates = asked->mates,
                                   .threads = o->threads,
                                   .memory = o->limits.memory,
                                   .ranks = o->cluster != NULL ? holos_cluster_ranks(o->cluster) : o->ranks,
                                   .follows = holos_cluster_rank(o->cluster) > 0,
                                   .progress = j->progress,
                                   .log = j->log,
                                   .stop = o->limits.stop};
    endings_plan plan = {0};
    holos_status status = endings_plan_make(&s->request, &plan, err); /* whether there are such tables */
    tasks_free(&plan.tasks);
    return status;
}

static void tables_close(job *j)
{
    tables_state *s = j->state;
    if (s != NULL) {
        free(s->report.endings);
        tasks_free(&s->tasks);
    }
    free(s);
}

static holos_status tables_plan(job *j, holos_plan *out, holos_report *r, holos_error *err)
{
    tables_state *s = j->state;
    endings_plan plan = {0};
    text t;
    holos_status status = endings_plan_make(&s->request, &plan, err);
    s->tasks = plan.tasks;
    if (status != HOLOS_OK)
        return status;
    j->tasks = s->request.ranks > 0 ? &s->tasks : NULL;
    report_count(r, "tables", NULL, plan.tables);
    report_count(r, "tables_there", NULL, plan.made_already);
    out->positions = plan.positions;
    out->memory = plan.memory;
    /* A rank that follows does not know what is there: it looks at its memory when it has been told. */
    out->memory_least = s->request.follows ? 0 : plan.memory_least;
    out->disk = plan.disk;
    out->seconds = plan.seconds;
    text_init_fixed(&t, out->what, sizeof out->what);
    text_printf(&t, plan.tables == 1 ? "%zu table" : "%zu tables", plan.tables);
    if (plan.made_already > 0)
        text_printf(&t, ", %zu of them there already", plan.made_already);
    text_string(&t, "; ");
    text_count(&t, plan.positions);
    text_string(&t, " positions");
    return HOLOS_OK;
}

static holos_status tables_run(job *j, holos_error *err)
{
    tables_state *s = j->state;
    double begun = clock_wall();
    s->request.company = j->company;
    holos_status status = endings_make(&s->request, &s->report, err);
    s->seconds = clock_wall() - begun;
    return status;
}

/* ---- The report -------------------------------------------------------------------------------- */

static void counts_put(holos_report *r, const char *side, const uint64_t counts[5])
{
    report_open(r, side, NULL, HOLOS_FIELD_GROUP);
    for (unsigned i = 5; i-- > 0;)
        report_count(r, score_names[i], NULL, counts[i]);
    report_close_field(r);
}

static void counts_words(text *t, const uint64_t counts[5])
{
    for (unsigned i = 5; i-- > 0;) {
        bool rare = i == 1 || i == 3;
        if (rare && counts[i] == 0)
            continue;
        text_printf(t, "%s%llu %s", i < 4 ? ", " : "", (unsigned long long)counts[i], score_names[i]);
    }
}

static void table_line(holos_report *r, const ending_report *e)
{
    text t;
    if (e->positions == 0) {
        report_line(r, "", "%s: there already", e->name);
        return;
    }
    text_init(&t);
    text_printf(&t, "%s: white to move ", e->name);
    counts_words(&t, e->counts[0]);
    text_string(&t, "; black to move ");
    counts_words(&t, e->counts[1]);
    text_printf(&t, "; longest DTZ %u plies", e->zeroing_most);
    if (!e->without_mates)
        text_printf(&t, ", longest mate %u moves", e->mate_most);
    if (e->bytes > 0) {
        text_string(&t, "; ");
        text_size(&t, e->bytes);
    }
    report_line(r, "", "%s", t.data);
    text_free(&t);
}

static void table_put(holos_report *r, const ending_report *e)
{
    report_open(r, NULL, NULL, HOLOS_FIELD_GROUP);
    report_text(r, "table", NULL, e->name);
    report_truth(r, "there", NULL, e->was_there);
    if (e->positions > 0) {
        counts_put(r, "white", e->counts[0]);
        counts_put(r, "black", e->counts[1]);
        report_count(r, "dtz", NULL, e->zeroing_most);
        if (!e->without_mates)
            report_count(r, "dtm", NULL, e->mate_most);
        if (e->longest[0] != 0)
            report_text(r, "longest", NULL, e->longest);
        report_count(r, "positions", NULL, e->positions);
        report_bytes(r, "bytes", NULL, e->bytes);
        report_seconds(r, "value_seconds", NULL, e->value_seconds);
        report_seconds(r, "write_seconds", NULL, e->write_seconds);
    }
    table_line(r, e);
    report_close_field(r);
}

static void tables_report(job *j, holos_report *r)
{
    const tables_state *s = j->state;
    report_text(r, "kind", NULL, "tables");
    report_open(r, "tables", "", HOLOS_FIELD_LIST);
    for (size_t i = 0; i < s->report.count; i++)
        table_put(r, &s->report.endings[i]);
    report_close_field(r);
    if (j->o->cluster != NULL) {
        report_count(r, "ranks", NULL, s->request.ranks);
        report_bytes(r, "traffic", NULL, s->report.traffic);
        report_count(r, "messages", NULL, s->report.messages);
    }
    report_bytes(r, "memory", NULL, s->report.memory);
    report_seconds(r, "seconds", NULL, s->seconds);
}

static const job_kind job_tables = {
    .about = {.name = "tables",
              .summary = "tables of endings, as files that chess programs read",
              .operands = "ENDING",
              .keeps = true},
    .record = "build.json",
    .clusters = true,
    .reads_others = true,
    .takes = tables_take,
    .open = tables_open,
    .plan = tables_plan,
    .run = tables_run,
    .report = tables_report,
    .close = tables_close,
};

const job_kind *const chess_jobs[] = {&job_tables, NULL};
