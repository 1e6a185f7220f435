/* SPDX-License-Identifier: MIT */

/* Long work in a program of one's own: says what a database will need, builds it, and reads the report.
 *
 *     cc build_database.c $(pkg-config --cflags --libs holos) -o build_database
 *
 *     $ ./build_database kalah:3,2 file:kalah32
 *     kalah:3,2 up to 12 seeds: 18,564 positions in 49 parts
 *     18564 positions, start worth 4, ok: finished
 *
 *     $ ./build_database kalah:3,2 file:kalah32
 *     kalah:3,2 up to 12 seeds: 18,564 positions in 49 parts
 *     kalah32 holds a finished database of kalah:3,2 up to 12; --resume extends it, --restart replaces it
 */

#include <holos/holos.h>

#include <stdio.h>

/* What is told while it lasts; a small database is done before. */
static void progress_show(void *context, const holos_progress *p)
{
    (void)context;
    if (!p->ended)
        fprintf(stderr, "%s: %llu of %llu %s\n", p->label, (unsigned long long)p->done,
                (unsigned long long)p->total, p->unit);
}

static void report_show(const holos_report *report)
{
    const holos_field *root = holos_report_root(report);
    const holos_field *start = holos_report_find(root, "start");
    printf("%llu positions, start worth %lld, %s: %s\n",
           (unsigned long long)holos_report_find(root, "positions")->count,
           (long long)holos_report_find(start, "value")->integer, holos_report_find(root, "status")->text,
           holos_report_find(root, "stopped")->text);
}

static holos_status build(const holos_variant *v, const char *store, holos_error *err)
{
    holos_job_options options = {
        .kind = "database", .store = store, .progress = progress_show, .progress_seconds = 10};
    holos_job *job;
    holos_plan plan;
    holos_status status = holos_job_open(v, &options, &job, err);
    if (status != HOLOS_OK)
        return status;
    status = holos_job_plan(job, &plan, err);
    if (status == HOLOS_OK) {
        printf("%s\n", plan.what);
        status = holos_job_run(job, err);
    }
    if (status == HOLOS_OK)
        report_show(holos_job_report(job));
    holos_job_close(job);
    return status;
}

int main(int argc, char **argv)
{
    holos_error err;
    holos_variant *v;
    if (argc < 2) {
        fprintf(stderr, "usage: %s GAME[:VARIANT] [STORE]\n", argv[0]);
        return 2;
    }
    if (holos_open(argv[1], &v, &err) != HOLOS_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 2;
    }
    holos_status status = build(v, argc > 2 ? argv[2] : NULL, &err);
    if (status != HOLOS_OK)
        printf("%s\n", err.message);
    holos_close(v);
    return 0;
}
