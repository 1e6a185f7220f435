/* SPDX-License-Identifier: MIT */

/* What jobs would need, before any of them starts: how many positions, how that is known, and whether they fit.
 * Kinds of jobs that need more than a game to plan are left out.
 *
 *     cc plan_jobs.c $(pkg-config --cflags --libs holos) -o plan_jobs
 *
 *     $ ./plan_jobs kalah:3,2
 *     database: 18564 positions (exact), fits
 *     graph: 4001 positions (exact), fits
 *     book: 1 positions (exact), fits
 *     wave: 1456 positions (exact), fits
 *
 *     $ ./plan_jobs connect4:4x3 1000000
 *     graph: 12031 positions (exact), does not fit
 *     book: 1 positions (exact), fits
 *     wave: 6027 positions (exact), does not fit
 */

#include <holos/holos.h>

#include <stdio.h>
#include <stdlib.h>

static void plan_show(const holos_variant *v, const holos_job_options *options, holos_error *err)
{
    holos_job *job;
    holos_plan plan;
    holos_status status = holos_job_open(v, options, &job, err);
    if (status != HOLOS_OK)
        return;
    status = holos_job_plan(job, &plan, err);
    if (status == HOLOS_OK)
        printf("%s: %llu positions (%s), %s\n", holos_job_name(job), (unsigned long long)plan.positions,
               holos_plan_basis_name(plan.basis), plan.memory <= plan.memory_limit ? "fits" : "does not fit");
    holos_job_close(job);
}

int main(int argc, char **argv)
{
    holos_error err;
    holos_variant *v;
    const holos_job_kind *kind;
    if (argc < 2) {
        fprintf(stderr, "usage: %s GAME[:VARIANT] [BYTES]\n", argv[0]);
        return 2;
    }
    if (holos_open(argv[1], &v, &err) != HOLOS_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 2;
    }
    for (size_t i = 0; (kind = holos_job_kind_at(v, i)) != NULL; i++) {
        holos_job_options options = {.kind = kind->name,
                                     .limits = {.memory = argc > 2 ? strtoull(argv[2], NULL, 10) : 0}};
        plan_show(v, &options, &err);
    }
    holos_close(v);
    return 0;
}
