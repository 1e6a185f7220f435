/* SPDX-License-Identifier: MIT */

/* What a rank knows of itself and of the others' failures. */

#include "cluster/cluster.h"

#include <string.h>

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
    c->agreed = false;
}

/* A limit or a request to stop in one rank is no failure of it; where it meets one, the failure is what all are told. */
static bool is_worse(holos_status a, holos_status b)
{
    bool ended = b == HOLOS_INTERRUPTED || b == HOLOS_LIMIT;
    return a != HOLOS_OK && (b == HOLOS_OK || (ended && a != HOLOS_INTERRUPTED && a != HOLOS_LIMIT));
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
    const uint64_t *counts = cluster_each(c, (uint64_t)status);
    if (cluster_broken(c))
        return broken(c, err);
    unsigned who = 0;
    for (unsigned i = 1; i < c->ranks; i++)
        if (is_worse((holos_status)counts[i], (holos_status)counts[who]))
            who = i;
    status = (holos_status)counts[who];
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
