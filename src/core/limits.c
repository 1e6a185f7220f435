/* SPDX-License-Identifier: MIT */

#include "core/limits.h"

#include "core/clock.h"

/* A tenth of a limit is how late work may be; a look every twentieth keeps well below it. Where there is no deadline the
 * request to stop is what is waited for, and nobody notices this much. */
#define INTERVAL_MOST 0.008
#define INTERVAL_PART 20
/* Looks begin close together, since nobody knows how long a node takes; and they are never further apart than this, since
 * nodes differ. Reading the clock every 512 nodes costs less than a thousandth of the fastest search. */
#define STRIDE_FIRST 16
#define STRIDE_MOST  512
/* Nodes that a thread takes from the pot at once. */
#define TAKE_MOST 65536

static const char by_nodes[] = "the node limit";

static bool has_clock(const struct limits *l)
{
    return l->deadline < CLOCK_NEVER || l->stop != NULL || l->pause != NULL;
}

void limits_begin(struct limits *l, const holos_limits *from, mem_budget *memory)
{
    static const holos_limits none;
    if (from == NULL)
        from = &none;
    *l = (struct limits){.node_limit = from->nodes != 0 ? from->nodes : LIMITS_NO_NODES,
                         .deadline = deadline_after(from->seconds),
                         .stop = from->stop,
                         .memory = memory,
                         .interval = INTERVAL_MOST,
                         .stride = STRIDE_FIRST};
    if (from->seconds > 0 && from->seconds / INTERVAL_PART < INTERVAL_MOST)
        l->interval = from->seconds / INTERVAL_PART;
}

struct limits limits_none(void)
{
    struct limits l;
    limits_begin(&l, NULL, NULL);
    return l;
}

/* How many nodes may pass before the next look, by what passed since the last one. */
static uint64_t stride_next(const struct limits *l, double now)
{
    uint64_t most = l->stride * 4 < STRIDE_MOST ? l->stride * 4 : STRIDE_MOST,
             done = l->nodes - l->looked_nodes;
    double passed = now - l->looked;
    if (done == 0 || l->looked <= 0)
        return l->stride;
    if (passed * (double)most <= l->interval * (double)done)
        return most;
    double fits = l->interval / passed * (double)done;
    return fits < 1 ? 1 : (uint64_t)fits;
}

static void look(struct limits *l)
{
    double now = clock_wall();
    if (holos_stop_asked(l->stop))
        limits_stop(l, HOLOS_INTERRUPTED, "the request to stop");
    else if (now >= l->deadline)
        limits_stop(l, HOLOS_LIMIT, LIMITS_TIME);
    else if (l->pause != NULL && now >= l->next_pause)
        l->pause(l, l->pause_context);
    l->stride = stride_next(l, now);
    l->looked = now;
    l->looked_nodes = l->nodes;
}

/* Takes a few nodes from the pot, fewer where few are left. False: it is empty. */
static bool take(struct limits *l)
{
    if (l->pot == NULL)
        return false;
    uint64_t left = atomic_load_explicit(&l->pot->left, memory_order_relaxed), taken;
    do {
        taken = l->nodes - l->node_limit + 1 + (left / 16 < TAKE_MOST ? left / 16 : TAKE_MOST);
        taken = taken < left ? taken : left;
    } while (!atomic_compare_exchange_weak_explicit(&l->pot->left, &left, left - taken, memory_order_relaxed,
                                                    memory_order_relaxed));
    l->node_limit += taken;
    return l->nodes < l->node_limit;
}

bool limits_check(struct limits *l)
{
    uint64_t next = LIMITS_NO_NODES;
    if (l->status != HOLOS_OK)
        return false;
    if (l->nodes >= l->node_limit && !take(l)) {
        limits_stop(l, HOLOS_LIMIT, by_nodes);
        if (l->node_limit == 0)
            l->nodes = 0; /* the one that was counted is not looked at */
    } else if (has_clock(l)) {
        look(l);
        next = l->nodes + l->stride;
    }
    l->next_check = l->status != HOLOS_OK ? 0 : next < l->node_limit ? next : l->node_limit;
    return l->status == HOLOS_OK;
}

bool limits_passed(const struct limits *l)
{
    return l != NULL && (holos_stop_asked(l->stop) || deadline_passed(l->deadline));
}

bool limits_stop(struct limits *l, holos_status status, const char *reached)
{
    if (l->status == HOLOS_OK) {
        l->status = status;
        l->reached = reached;
        l->next_check = 0;
    }
    return false;
}

bool limits_stop_memory(struct limits *l)
{
    return limits_stop(l, HOLOS_LIMIT, "the memory limit");
}

void limits_set_nodes(struct limits *l, uint64_t node_limit)
{
    l->node_limit = node_limit;
    l->next_check = 0;
}

void limits_resume(struct limits *l)
{
    l->status = HOLOS_OK;
    l->reached = NULL;
    l->next_check = 0;
}

struct limits limits_share(const struct limits *l, uint64_t nodes)
{
    struct limits share = *l;
    share.nodes = share.next_check = share.looked_nodes = 0;
    share.node_limit = nodes;
    share.stride = STRIDE_FIRST;
    share.pause = NULL; /* whoever owns the whole writes it down */
    share.pot = NULL;
    return share;
}

void limits_fill(const struct limits *l, limits_pot *pot)
{
    atomic_init(&pot->left, limits_nodes_left(l));
}

struct limits limits_share_pot(const struct limits *l, limits_pot *pot)
{
    bool limited = l->node_limit != LIMITS_NO_NODES;
    struct limits share = limits_share(l, limited ? 0 : LIMITS_NO_NODES);
    share.pot = limited ? pot : NULL;
    return share;
}

void limits_join(struct limits *l, const struct limits *share)
{
    l->nodes += share->nodes;
    l->next_check = 0;
    if (share->status != HOLOS_OK && share->reached != by_nodes)
        limits_stop(l, share->status, share->reached);
}

uint64_t limits_nodes_left(const struct limits *l)
{
    if (l->node_limit == LIMITS_NO_NODES)
        return LIMITS_NO_NODES;
    return l->node_limit > l->nodes ? l->node_limit - l->nodes : 0;
}

holos_status limits_error(const struct limits *l, const char *what, holos_error *err)
{
    unsigned long long nodes = l->nodes;
    if (l->status == HOLOS_INTERRUPTED)
        return error_set(err, l->status, HOLOS_NOWHERE, "interrupted after %llu %s", nodes, what);
    return error_set(err, l->status, HOLOS_NOWHERE, "stopped at %s after %llu %s", l->reached, nodes, what);
}
