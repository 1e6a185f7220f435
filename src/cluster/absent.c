/* SPDX-License-Identifier: MIT */

/* The transport of a build without MPI: nobody can join, so there is at most one rank, which benchmarks make. */

#include "cluster/cluster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MISSING                                                                                              \
    "this build has no MPI; install libopenmpi-dev and openmpi-bin (scripts/setup --with mpi) and build "    \
    "again"

bool holos_cluster_library(char *out, size_t size)
{
    if (out != NULL && size > 0)
        snprintf(out, size, "%s", MISSING);
    return false;
}

holos_status holos_cluster_join(holos_cluster **out, holos_error *err)
{
    if (out == NULL)
        return error_null(err, __func__);
    *out = NULL;
    return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "%s", MISSING);
}

void holos_cluster_leave(holos_cluster *c, int status)
{
    (void)c;
    (void)status;
}

holos_status holos_cluster_send(holos_cluster *c, unsigned to, const void *bytes, size_t size,
                                holos_error *err)
{
    (void)c;
    (void)to;
    (void)bytes;
    (void)size;
    return error_null(err, __func__);
}

holos_status holos_cluster_receive(holos_cluster *c, unsigned from, void **bytes, size_t *size,
                                   holos_error *err)
{
    (void)c;
    (void)from;
    (void)size;
    if (bytes != NULL)
        *bytes = NULL;
    return error_null(err, __func__);
}

/* ---- One rank with itself ---------------------------------------------------------------------- */

void cluster_share(holos_cluster *c, void *bytes, uint64_t size, unsigned from)
{
    (void)c, (void)bytes, (void)size, (void)from;
}

void cluster_share_here(holos_cluster *c, void *bytes, size_t size)
{
    (void)c, (void)bytes, (void)size;
}

void cluster_share_between(holos_cluster *c, void *bytes, uint64_t size, unsigned from)
{
    (void)c, (void)bytes, (void)size, (void)from;
}

void cluster_sum(holos_cluster *c, uint64_t *counts, size_t count)
{
    (void)c, (void)counts, (void)count;
}

void cluster_gather(holos_cluster *c, const void *mine, size_t size, void *all)
{
    (void)c;
    memcpy(all, mine, size);
}

void cluster_wait(holos_cluster *c)
{
    (void)c;
}

void cluster_swap_begin(holos_cluster *c, cluster_move *m, const uint64_t *out, uint64_t *in, size_t words)
{
    (void)c, (void)m, (void)out, (void)in, (void)words;
}

void cluster_move_begin(holos_cluster *c, cluster_move *m)
{
    (void)c, (void)m;
}

bool cluster_move_poke(holos_cluster *c, cluster_move *m)
{
    (void)c, (void)m;
    return true;
}

void cluster_move_end(holos_cluster *c, cluster_move *m)
{
    (void)c, (void)m;
}

void cluster_send(holos_cluster *c, unsigned to, cluster_tag tag, const void *bytes, size_t size)
{
    (void)c, (void)to, (void)tag, (void)bytes, (void)size;
}

bool cluster_receive(holos_cluster *c, unsigned from, cluster_tag tag, void *bytes, size_t size)
{
    (void)c, (void)from, (void)tag, (void)bytes, (void)size;
    return false;
}

bool cluster_waits(holos_cluster *c, unsigned *from, cluster_tag tag, size_t *size)
{
    (void)c, (void)from, (void)tag, (void)size;
    return false;
}
