/* SPDX-License-Identifier: MIT */

/* A holos_hot around the search of search.tpl.h, which see for what to define first; and
 *
 *   SEARCH_ORDER   the values of cells for order_fill, or NULL
 *
 * Several threads search the same position with the same window, over one table; each leaves alone for the
 * moment what another is at, and the first to have an answer ends the search. Two threads need 1.2 times the
 * nodes of one (begin-hard, first eight). */

#include "core/clock.h"
#include "core/pool.h"
#include "games/connect4/hot.h"

#include <stdlib.h>

/* What the table begins with: the second-level cache's size, so that small questions stay near. */
#define TABLE_FIRST ((size_t)1 << 20)

/* What takes no more than this is done by one thread: it is over sooner than others have started, and the
 * same every time. */
#define ALONE_NODES 50000

#include "games/connect4/search.tpl.h"

typedef struct hot_worker {
    c4_search search;
    struct limits limits;
} hot_worker;

typedef struct hot {
    memo table;
    size_t table_bytes, table_limit; /* it grows from one to the other */
    double grow_seconds;             /* what that took the last time */
    bool grow_later;                 /* there is no time for it now */
    pool *pool;                      /* NULL with one thread */
    unsigned worker_count;
    hot_worker *workers;
    uint64_t *busy;
    bool abandon;

    /* The question, and its answer once `answered` is set. */
    const c4_child *root;
    int beta, answer;
    bool answered;
} hot;

static void hot_close(void *state)
{
    hot *h = state;
    if (h == NULL)
        return;
    pool_close(h->pool);
    memo_close(&h->table);
    free(h->workers);
    free(h->busy);
    free(h);
}

static holos_status hot_open_threads(hot *h, unsigned threads, holos_error *err)
{
    if (threads > 1) {
        holos_status status = pool_open(threads, &h->pool, err);
        if (status != HOLOS_OK)
            return status;
    }
    h->worker_count = h->pool != NULL ? pool_threads(h->pool) : 1;
    h->workers = calloc(h->worker_count, sizeof *h->workers);
    h->busy = calloc(BUSY_SLOTS, sizeof *h->busy);
    if (h->workers == NULL || h->busy == NULL)
        return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for %u threads", h->worker_count);
    return HOLOS_OK;
}

static holos_status hot_open(const holos_variant *v, const holos_hot_setup *setup, void **state,
                             holos_error *err)
{
    hot *h = calloc(1, sizeof *h);
    if (h == NULL)
        return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "out of memory");
    holos_status status = hot_open_threads(h, setup->threads, err);
    h->table_limit = setup->memory;
    h->table_bytes = setup->memory < TABLE_FIRST ? setup->memory : TABLE_FIRST;
    if (status == HOLOS_OK && !memo_open(&h->table, setup->budget, h->table_bytes))
        status = mem_error(err, setup->budget, h->table_bytes, "the search's table");
    if (status != HOLOS_OK) {
        hot_close(h);
        return status;
    }
    for (unsigned i = 0; i < h->worker_count; i++) {
        c4_search *s = &h->workers[i].search;
        s->shape = *(const c4_shape *)v->rules;
        s->table = &h->table;
        s->limits = &h->workers[i].limits;
        s->abandon = &h->abandon;
        order_fill(s, &s->shape, SEARCH_ORDER);
    }
    *state = h;
    return HOLOS_OK;
}

/* A table four times as large; if there is no memory or no time for it, the old one does. */
static void hot_grow(hot *h, const struct limits *limits)
{
    double began = clock_wall();
    if (began + 4 * h->grow_seconds >= limits->deadline) {
        h->grow_later = true;
        return;
    }
    size_t bytes = h->table_bytes < h->table_limit / 4 ? h->table_bytes * 4 : h->table_limit;
    h->table_bytes = memo_resize(&h->table, bytes) ? bytes : h->table_limit;
    h->grow_seconds = clock_wall() - began;
}

static void hot_job(void *context, uint64_t index, unsigned worker)
{
    (void)worker;
    hot *h = context;
    c4_search *s = &h->workers[index].search;
    int answer = SEARCH(search)(s, h->root, h->beta);
    bool expected = false;
    if (!s->halted &&
        __atomic_compare_exchange_n(&h->answered, &expected, true, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        h->answer = answer;
    __atomic_store_n(&h->abandon, true, __ATOMIC_RELAXED);
}

/* Gives each of `count` workers its share of `nodes`. */
static void hot_prepare(hot *h, const struct limits *limits, uint64_t nodes, unsigned count)
{
    h->answered = h->abandon = false;
    for (unsigned i = 0; i < count; i++) {
        hot_worker *w = &h->workers[i];
        w->limits =
            limits_share(limits, nodes == LIMITS_NO_NODES ? nodes : nodes / count + (i < nodes % count));
        w->search.halted = w->search.full = false;
        w->search.fresh = 0;
        w->search.may_grow = h->table_bytes < h->table_limit && !h->grow_later;
        w->search.busy = count > 1 ? h->busy : NULL;
    }
}

/* Lets `count` workers at the question for at most so many nodes. */
static void hot_run(hot *h, struct limits *limits, uint64_t nodes, unsigned count)
{
    hot_prepare(h, limits, nodes, count);
    if (count > 1)
        pool_run(h->pool, count, hot_job, h);
    else
        hot_job(h, 0, 0);
    bool full = false;
    for (unsigned i = 0; i < count; i++) {
        const hot_worker *w = &h->workers[i];
        full |= w->search.full;
        limits_join(limits, &w->limits);
    }
    if (h->answered)
        limits_resume(limits);
    else if (full)
        hot_grow(h, limits);
}

/* Works on the question until there is an answer, a limit, or the table has grown. */
static void hot_round(hot *h, struct limits *limits, bool alone)
{
    uint64_t left = limits_nodes_left(limits);
    bool few = left < h->worker_count;
    if (h->worker_count == 1 || few)
        hot_run(h, limits, left, 1);
    else if (alone)
        hot_run(h, limits, left < ALONE_NODES ? left : ALONE_NODES, 1);
    else
        hot_run(h, limits, left, h->worker_count);
}

/* Turns a position into a root. True if it needs a search: otherwise *value is its value. *same tells
 * whether the root has the position's side to move. */
static bool hot_root(const hot *h, const holos_position *p, c4_child *root, bool *same, int *value)
{
    const c4_shape *shape = SEARCH_SHAPE(&h->workers[0].search);
    c4_board board = *(const c4_board *)p;
    c4_word theirs = c4_theirs(board);
    c4_node n = {
        .mine = board.mine,
        .theirs = theirs,
        .my_wins = c4_wins(shape, board.mine, board.both),
        .their_wins = c4_wins(shape, theirs, board.both),
        .stones = (int)c4_stones(board),
    };
    *same = true;
    if (c4_has_four(shape, theirs)) {
        *value = -c4_win_score(shape, (unsigned)n.stones - 1);
        return false;
    }
    if ((n.my_wins & c4_playable(shape, board.both)) != 0) {
        *value = c4_win_score(shape, (unsigned)n.stones);
        return false;
    }
    root->node = n;
    bool open = node_settle(shape, &root->node, value);
    *same = (root->node.stones - n.stones) % 2 == 0;
    if (!open)
        *value = *same ? *value : -*value;
    return open;
}

/* Fills in what is known of a root, with one eye on beta. */
static void hot_root_bound(const hot *h, c4_child *root, int beta)
{
    const c4_search *s = &h->workers[0].search;
    const c4_shape *shape = SEARCH_SHAPE(s);
    child_bound(shape, root, beta);
    child_make_key(shape, root);
    child_look_up(s, shape, root);
}

static void hot_known(void *state, const holos_position *p, int32_t *lo, int32_t *hi)
{
    const hot *h = state;
    c4_child root;
    bool same;
    int value;
    if (!hot_root(h, p, &root, &same, &value)) {
        *lo = *hi = value;
        return;
    }
    hot_root_bound(h, &root, 0);
    const c4_shape *shape = SEARCH_SHAPE(&h->workers[0].search);
    for (int bound; root.hi <= 0 && (bound = c4_follow_up(shape, &root.node, root.hi)) < root.hi;)
        root.hi = bound;
    int low = child_lo(same, &root), high = child_hi(same, &root);
    *lo = low > *lo ? low : *lo;
    *hi = high < *hi ? high : *hi;
}

static int32_t hot_search(void *state, struct limits *limits, const holos_position *p, int32_t beta)
{
    hot *h = state;
    c4_child root;
    bool same;
    int value;
    if (!hot_root(h, p, &root, &same, &value))
        return value;
    h->root = &root;
    h->grow_later = false;
    h->beta = child_beta(same, beta);
    h->answered = false;
    for (bool alone = true; limits_check(limits); alone = false) {
        hot_root_bound(h, &root, h->beta);
        if (root.lo >= h->beta || root.hi < h->beta) {
            h->answer = root.lo >= h->beta ? root.lo : root.hi;
            break;
        }
        hot_round(h, limits, alone);
        if (h->answered)
            break;
    }
    return same ? h->answer : -h->answer;
}

const holos_hot SEARCH(hot) = {
    .open = hot_open,
    .close = hot_close,
    .known = hot_known,
    .search = hot_search,
};
