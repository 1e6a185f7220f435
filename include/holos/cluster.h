/* SPDX-License-Identifier: MIT */

/* holos: more than one machine. A program that `mpirun` has started several times joins the others, and gives the cluster to a
 * job; then all of them work at it, and the result is the same, byte for byte, as that of one.
 *
 *     holos_cluster *cluster;
 *     if (holos_cluster_join(&cluster, &err) != HOLOS_OK) ...err.message...
 *     holos_job_options o = {.kind = "database", .store = "file:kalah44", .cluster = cluster};
 *     ...                                       every rank opens and runs the job with the same options
 *     holos_cluster_leave(cluster, status);     and leaves
 *
 * MPI moves the data; its library is loaded by the first call that needs it, and nothing else of holos depends on it. A process
 * can join once. */

#ifndef HOLOS_CLUSTER_H
#define HOLOS_CLUSTER_H

#include <holos/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct holos_cluster holos_cluster;

/* The library and its version, "openmpi 4.1.4", into `out`. False: it is not there, and `out` says what is missing. */
HOLOS_API bool holos_cluster_library(char *out, size_t size);

/* Joins the other processes. One that was not started by mpirun is a cluster of one. HOLOS_UNSUPPORTED: the library is
 * missing. */
HOLOS_API holos_status holos_cluster_join(holos_cluster **out, holos_error *err);
/* Every rank calls it at the end, with the exit status of its process; those that have not failed wait for the others. May be
 * NULL. */
HOLOS_API void holos_cluster_leave(holos_cluster *c, int status);

HOLOS_API unsigned holos_cluster_rank(const holos_cluster *c);  /* from 0; 0 of NULL */
HOLOS_API unsigned holos_cluster_ranks(const holos_cluster *c); /* how many there are; 1 of NULL */

/* Every rank calls it with how things went there: the first failure, in the order of ranks, becomes that of all, and its message
 * names the rank. A failure that all know of already is returned as it is: so a rank that fails can go to the last of these
 * calls, wherever the others are. */
HOLOS_API holos_status holos_cluster_agree(holos_cluster *c, holos_status status, holos_error *err);
/* Whether all ranks know of the last failure: then rank 0 speaks for the others. False of NULL. */
HOLOS_API bool holos_cluster_agreed(const holos_cluster *c);

/* Sends bytes to another rank, which receives them in the order in which they were sent. Several threads may, for different
 * ranks. */
HOLOS_API holos_status holos_cluster_send(holos_cluster *c, unsigned to, const void *bytes, size_t size,
                                          holos_error *err);
/* Waits for them. The caller frees *bytes with free(). */
HOLOS_API holos_status holos_cluster_receive(holos_cluster *c, unsigned from, void **bytes, size_t *size,
                                             holos_error *err);

#ifdef __cplusplus
}
#endif

#endif
