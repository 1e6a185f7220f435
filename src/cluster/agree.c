/* SPDX-License-Identifier: MIT */

/* What a rank knows of itself and of the others' failures. */

#include "cluster/cluster.h"

#include <string.h>

#define LATE (UINT64_C(1) << 32) /* beside a status: it is the end of the time */

unsigned holos_cluster_rank(const holos_cluster *c)
{
    return c != NULL ? c->rank : 0;
}

unsigned holos_cluster_ranks(const holos_cluster *c)
{
    return c != NULL ? c->ranks : 1;
}

bool holos_cluster_agreed(const holos_cluster *c)
{
    return c != NULL && c->agreed;
}

void cluster_begin(holos_cluster *c)
{
    c->agreed = c->late = false;
}

void cluster_time(holos_cluster *c, bool (*is_late)(void *context), void *context)
{
    c->is_late = is_late;
    c->late_context = context;
}

/* A limit or a request to stop in one rank is no failure of it; where it meets one, the failure is what all are told. */
static bool is_worse(holos_status a, holos_status b)
{
    bool ended = b == HOLOS_INTERRUPTED || b == HOLOS_LIMIT;
    return a != HOLOS_OK && (b == HOLOS_OK || (ended && a != HOLOS_INTERRUPTED && a != HOLOS_LIMIT));
}

static holos_status status_in(uint64_t said)
{
    return (holos_status)(said & ~LATE);
}

const uint64_t *cluster_each(holos_cluster *c, uint64_t mine)
{
    cluster_gather(c, &mine, sizeof mine, c->counts);
    return c->counts;
}

/* Nobody else knows of it: this rank says it. */
static holos_status broken(holos_cluster *c, holos_error *err)
{
    *err = c->reason;
    c->agreed = false;
    return err->code;
}

holos_status holos_cluster_agree(holos_cluster *c, holos_status status, holos_error *err)
{
    holos_error own = {0};
    err = err != NULL ? err : &own;
    if (c == NULL)
        return error_null(err, __func__);
    if (c->agreed && status != HOLOS_OK)
        return status;
    if (c->ranks == 1) {
        c->agreed = status != HOLOS_OK;
        return status;
    }
    bool late = status == HOLOS_INTERRUPTED && c->is_late != NULL && c->is_late(c->late_context);
    const uint64_t *counts = cluster_each(c, (uint64_t)status | (late ? LATE : 0));
    if (cluster_broken(c))
        return broken(c, err);
    unsigned who = 0;
    for (unsigned i = 0; i < c->ranks; i++) {
        c->late |= (counts[i] & LATE) != 0;
        if (is_worse(status_in(counts[i]), status_in(counts[who])))
            who = i;
    }
    status = status_in(counts[who]);
    if (status == HOLOS_OK)
        return status;
    cluster_share(c, err, sizeof *err, who);
    if (cluster_broken(c))
        return broken(c, err);
    c->agreed = true;
    if (who > 0 && status != HOLOS_INTERRUPTED && status != HOLOS_LIMIT)
        error_prefix(err, "rank %u: ", who);
    return status;
}
