/* SPDX-License-Identifier: MIT */

/* Work that several processes share, on one machine or on many: every one of them runs this program. Without MPI, or without mpirun,
 * there is one.
 *
 *     cc share_work.c $(pkg-config --cflags --libs holos) -o share_work
 *     mpirun -n 4 ./share_work kalah:4,3 file:kalah43
 *
 *     $ ./share_work kalah:3,2
 *     18564 positions on 1 rank, start worth 4
 */

#include <holos/holos.h>

#include <stdio.h>

/* Rank 0 has the report; the others have none. */
static void report_show(const holos_report *report, unsigned ranks)
{
    const holos_field *root = holos_report_root(report);
    const holos_field *start = holos_report_find(root, "start");
    if (report == NULL)
        return;
    printf("%llu positions on %u %s, start worth %lld\n",
           (unsigned long long)holos_report_find(root, "positions")->count, ranks,
           ranks == 1 ? "rank" : "ranks", (long long)holos_report_find(start, "value")->integer);
}

static holos_status build(const holos_variant *v, const char *store, holos_cluster *cluster, holos_error *err)
{
    holos_job_options options = {.kind = "database", .store = store, .threads = 1, .cluster = cluster};
    holos_job *job;
    holos_status status = holos_job_open(v, &options, &job, err);
    if (status != HOLOS_OK)
        return status;
    status = holos_job_run(job, err);
    if (status == HOLOS_OK)
        report_show(holos_job_report(job), holos_cluster_ranks(cluster));
    holos_job_close(job);
    return status;
}

int main(int argc, char **argv)
{
    holos_error err;
    holos_variant *v;
    holos_cluster *cluster = NULL;
    if (argc < 2) {
        fprintf(stderr, "usage: %s GAME[:VARIANT] [STORE]\n", argv[0]);
        return 2;
    }
    if (holos_open(argv[1], &v, &err) != HOLOS_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 2;
    }
    /* HOLOS_UNSUPPORTED: there is no MPI, and this process works alone. */
    holos_status status = holos_cluster_join(&cluster, &err);
    if (status == HOLOS_OK || status == HOLOS_UNSUPPORTED)
        status = build(v, argc > 2 ? argv[2] : NULL, cluster, &err);
    if (status != HOLOS_OK && holos_cluster_rank(cluster) == 0)
        printf("%s\n", err.message);
    holos_close(v);
    holos_cluster_leave(cluster, status != HOLOS_OK);
    return status != HOLOS_OK;
}
