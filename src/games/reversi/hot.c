/* SPDX-License-Identifier: MIT */

/* The search of endings as the contract wants it, with threads. All of them work on the same question and share what they remember; the
 * first answer counts. */

#include "core/cpu.h"
#include "core/pool.h"
#include "games/reversi/reversi.h"
#include "games/reversi/search.h"

#include <pthread.h>
#include <stdlib.h>

/* Most questions are small: only what one thread does not answer in so many nodes is given to all. */
#define ALONE_NODES 200000

typedef struct worker {
    reversi_search search;
    struct limits limits;
} worker;

typedef struct hot {
    reversi_memo memo;
    reversi_search_function *search;
    pool *pool;
    worker *workers;
    unsigned count;
    _Atomic uint64_t busy[REVERSI_BUSY];
    atomic_bool abandon;

    /* The question. */
    reversi_board board;
    int beta, answer;
    bool answered;
    pthread_mutex_t lock;
} hot;

static bool has_avx2(void)
{
#ifdef __x86_64__
    cpu_features cpu = cpu_detect();
    return cpu.avx2 && cpu.bmi1 && cpu.bmi2 && cpu.popcnt;
#else
    return false;
#endif
}

static reversi_search_function *search_choose(void)
{
#ifdef __x86_64__
    if (has_avx2())
        return reversi_search_avx2;
#endif
    return reversi_search_portable;
}

uint64_t reversi_perft(reversi_board b, uint64_t cells, unsigned depth)
{
    reversi_rays rays;
    reversi_rays_init(&rays);
#ifdef __x86_64__
    if (has_avx2())
        return reversi_perft_avx2(&rays, b, cells, depth);
#endif
    return reversi_perft_portable(&rays, b, cells, depth);
}

/* ---- Opening ----------------------------------------------------------------------------------- */

static void search_init(reversi_search *s, const reversi_rules *rules, reversi_memo *memo)
{
    unsigned half = rules->size / 2, last = rules->size - 1;
    reversi_rays_init(&s->rays);
    s->cells = rules->cells;
    s->count = (int)(rules->size * rules->size);
    s->corners = UINT64_C(1) | UINT64_C(1) << last | UINT64_C(1) << 8 * last | UINT64_C(1) << 9 * last;
    s->memo = memo;
    for (unsigned cell = 0; cell < 64; cell++) {
        unsigned quadrant = (cell % 8 >= half ? 1u : 0u) + (cell / 8 >= half ? 2u : 0u);
        s->quadrant[cell] = (uint8_t)(1u << quadrant);
        for (unsigned parity = 0; parity < 16; parity++)
            if ((parity >> quadrant & 1) != 0 && (rules->cells >> cell & 1) != 0)
                s->odd[parity] |= UINT64_C(1) << cell;
    }
}

static void hot_close(void *state)
{
    hot *h = state;
    if (h == NULL)
        return;
    pool_close(h->pool);
    memo_close(&h->memo);
    pthread_mutex_destroy(&h->lock);
    free(h->workers);
    free(h);
}

static holos_status hot_open(const holos_variant *v, const holos_hot_setup *setup, void **state,
                             holos_error *err)
{
    hot *h = calloc(1, sizeof *h);
    if (h == NULL)
        return error_system(err, "the search");
    pthread_mutex_init(&h->lock, NULL);
    h->search = search_choose();
    h->count = setup->threads > 1 ? setup->threads : 1;
    h->workers = aligned_alloc(64, (h->count * sizeof *h->workers + 63) & ~(size_t)63);
    if (h->workers == NULL || !memo_open(&h->memo, setup->budget, setup->memory)) {
        hot_close(h);
        return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "the search needs more memory");
    }
    for (unsigned i = 0; i < h->count; i++) {
        h->workers[i] = (worker){0};
        search_init(&h->workers[i].search, reversi_rules_of(v), &h->memo);
        h->workers[i].search.limits = &h->workers[i].limits;
    }
    holos_status status = h->count > 1 ? pool_open(h->count, &h->pool, err) : HOLOS_OK;
    if (status != HOLOS_OK) {
        hot_close(h);
        return status;
    }
    *state = h;
    return HOLOS_OK;
}

/* ---- Questions --------------------------------------------------------------------------------- */

static void worker_run(void *context, uint64_t index, unsigned number)
{
    (void)index;
    hot *h = context;
    reversi_search *s = &h->workers[number].search;
    int answer = h->search(s, h->board, h->beta);
    if (s->stopped)
        return;
    pthread_mutex_lock(&h->lock);
    h->answer = answer;
    h->answered = true;
    pthread_mutex_unlock(&h->lock);
    atomic_store_explicit(&h->abandon, true, memory_order_relaxed);
}

/* Lets `count` threads at the question for at most so many nodes. */
static void hot_run(hot *h, struct limits *limits, uint64_t nodes, unsigned count)
{
    h->answered = false;
    atomic_store_explicit(&h->abandon, false, memory_order_relaxed);
    for (unsigned i = 0; i < REVERSI_BUSY; i++)
        atomic_store_explicit(&h->busy[i], 0, memory_order_relaxed);
    for (unsigned i = 0; i < count; i++) {
        worker *w = &h->workers[i];
        uint64_t share = nodes == LIMITS_NO_NODES ? nodes : nodes / count + (i < nodes % count);
        w->limits = limits_share(limits, share);
        w->search.busy = count > 1 ? h->busy : NULL;
        w->search.abandon = count > 1 ? &h->abandon : NULL;
    }
    if (count > 1)
        pool_run(h->pool, count, worker_run, h);
    else
        worker_run(h, 0, 0);
    for (unsigned i = 0; i < count; i++)
        limits_join(limits, &h->workers[i].limits);
    if (h->answered)
        limits_resume(limits);
}

static int32_t hot_search(void *state, struct limits *limits, const holos_position *p, int32_t beta)
{
    hot *h = state;
    h->board = reversi_of(p)->board;
    h->beta = beta;
    h->answered = false;
    for (bool alone = true; !h->answered && limits_check(limits); alone = false) {
        uint64_t left = limits_nodes_left(limits);
        if (h->count == 1)
            hot_run(h, limits, left, 1);
        else if (alone)
            hot_run(h, limits, left < ALONE_NODES ? left : ALONE_NODES, 1);
        else
            hot_run(h, limits, left, left < h->count ? 1 : h->count);
    }
    return h->answer;
}

static void hot_known(void *state, const holos_position *p, int32_t *lo, int32_t *hi)
{
    const hot *h = state;
    memo_value known;
    if (!memo_find(&h->memo, reversi_of(p)->board, &known))
        return;
    *lo = known.lo > *lo ? known.lo : *lo;
    *hi = known.hi < *hi ? known.hi : *hi;
}

const holos_hot reversi_hot = {
    .open = hot_open,
    .close = hot_close,
    .known = hot_known,
    .search = hot_search,
};
