/* SPDX-License-Identifier: MIT */

#include "cluster/parts.h"

#include "cluster/handout.h"

#include <stdlib.h>

struct cluster_parts {
    holos_cluster *c;
    retro_company company;
    handout handout;
    bool
        asked; /* a question for the next part is on its way: it is asked while this rank works, so that nobody waits for the answer */
};

/* ---- A tier ------------------------------------------------------------------------------------ */

static holos_status company_begin(void *context, bool *there, uint32_t count, holos_status status,
                                  holos_error *err)
{
    cluster_parts *p = context;
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
    if (*at != HANDOUT_NOTHING)
        next_ask(p);
    return *at != HANDOUT_NOTHING;
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
