/* SPDX-License-Identifier: MIT */

#include "cluster/parts.h"

#include "cluster/handout.h"

#include <stdlib.h>

/* A rank that solves a small part asks for the next one at the same time, and need not wait for the answer. Such a part is kept from
 * ranks that have nothing to do, so it is no more than this share of what a rank has to do in the tier; the next one is no larger. Two
 * ranks that always asked early took 3.6 s for kalah:6,4 up to 24 seeds, 0.5 s of which one waited for the other at the ends of tiers. */
#define SMALL_SHARE 64
/* Positions: whoever waited for an answer would take longer for that than for such a part. */
#define SMALL_LEAST 8192

struct cluster_parts {
    holos_cluster *c;
    retro_company company;
    handout handout;
    const uint64_t *sizes; /* of the parts of this tier */
    uint64_t small;        /* those up to here are small */
    bool asked;            /* a question for the next part is on its way */
};

/* ---- A tier ------------------------------------------------------------------------------------ */

static holos_status company_begin(void *context, bool *there, const uint64_t *sizes, uint32_t count,
                                  holos_status status, holos_error *err)
{
    cluster_parts *p = context;
    uint64_t total = 0;
    for (uint32_t i = 0; i < count; i++)
        total += sizes[i];
    p->sizes = sizes;
    p->small = total / p->c->ranks / SMALL_SHARE;
    p->small = p->small > SMALL_LEAST ? p->small : SMALL_LEAST;
    return handout_begin(&p->handout, there, count, NULL, NULL, status, err);
}

static void next_ask(cluster_parts *p)
{
    handout_ask(&p->handout);
    p->asked = true;
}

static uint32_t next_hear(cluster_parts *p)
{
    p->asked = false;
    return handout_hear(&p->handout);
}

static bool company_next(void *context, uint32_t *at)
{
    cluster_parts *p = context;
    if (p->c->rank == 0) {
        *at = handout_next(&p->handout);
        return *at != HANDOUT_NOTHING;
    }
    if (!p->asked)
        next_ask(p);
    *at = next_hear(p);
    if (*at == HANDOUT_NOTHING)
        return false;
    if (p->sizes[*at] <= p->small)
        next_ask(p);
    return true;
}

static void company_stop(void *context)
{
    cluster_parts *p = context;
    handout_stop(&p->handout);
}

static holos_status company_end(void *context, uint8_t *const *parts, const uint64_t *sizes, bool *mine,
                                uint32_t count, bool spread, holos_status status, holos_error *err)
{
    cluster_parts *p = context;
    uint32_t *owners = p->handout.owners;
    if (p->asked) /* after a failure: nobody will solve that part */
        (void)next_hear(p);
    status = holos_cluster_agree(p->c, status, err);
    if (status != HOLOS_OK)
        return status;
    cluster_share(p->c, owners, count * sizeof *owners, 0);
    for (uint32_t i = 0; i < count; i++) {
        mine[i] = owners[i] == p->c->rank;
        if (spread)
            cluster_share_between(p->c, parts[i], sizes[i], owners[i]);
    }
    return HOLOS_OK;
}

/* ---- Tables that several ranks have ------------------------------------------------------------- */

static int company_hand(void *context, int fd)
{
    cluster_parts *p = context;
    return cluster_file_share(p->c, fd);
}

static holos_status company_agree(void *context, holos_status status, holos_error *err)
{
    cluster_parts *p = context;
    return holos_cluster_agree(p->c, status, err);
}

/* ---- Opening ----------------------------------------------------------------------------------- */

holos_status parts_open(holos_cluster *c, bool keeps, bool whole, cluster_parts **out, holos_error *err)
{
    cluster_parts *p = *out = calloc(1, sizeof *p);
    if (p == NULL)
        return error_system(err, "the parts of a database");
    p->c = c;
    p->company = (retro_company){.context = p,
                                 .ranks = c->ranks,
                                 .loads = c->rank == 0,
                                 .whole = whole,
                                 .keeps = keeps,
                                 .leads = c->leads,
                                 .hand = company_hand,
                                 .agree = company_agree,
                                 .begin = company_begin,
                                 .next = company_next,
                                 .stop = company_stop,
                                 .end = company_end};
    return handout_open(&p->handout, c, NULL, err);
}

void parts_close(cluster_parts *p)
{
    if (p == NULL)
        return;
    handout_close(&p->handout);
    free(p);
}

const retro_company *parts_company(const cluster_parts *p)
{
    return &p->company;
}
