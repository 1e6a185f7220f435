/* SPDX-License-Identifier: MIT */

/* The search of endings as the contract wants it, with threads. All of them work on the same question and share what they remember; the
 * first answer counts. */

#include "core/cpu.h"
#include "core/pool.h"
#include "games/reversi/reversi.h"
#include "games/reversi/search.h"

#include <holos/knowledge.h>

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Most questions are small: only what one thread does not answer in so many nodes is given to all. */
#define ALONE_NODES 200000
/* Plies from the start in which images of positions come up. */
#define SYMMETRIC_PLIES 14
/* Empty cells: below, the value itself is found sooner than a guess about it; and plies of search behind that guess. */
#define GUESS_EMPTIES 10
#define GUESS_DEPTH   8

typedef struct worker {
    reversi_search search;
    struct limits limits;
} worker;

typedef struct hot {
    reversi_memo memo;
    reversi_search_function *search;
    reversi_guess_function *guess;
    reversi_evaluation *evaluation; /* NULL: there is none */
    char lacks[PATH_MAX + 128];     /* "": nothing */
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

reversi_search_function *reversi_search_choose(void)
{
#ifdef __x86_64__
    if (has_avx2())
        return reversi_search_avx2;
#endif
    return reversi_search_portable;
}

reversi_guess_function *reversi_guess_choose(void)
{
#ifdef __x86_64__
    if (has_avx2())
        return reversi_guess_avx2;
#endif
    return reversi_guess_portable;
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

void reversi_search_init(reversi_search *s, const reversi_rules *rules, reversi_memo *memo)
{
    unsigned half = rules->size / 2, last = rules->size - 1;
    reversi_rays_init(&s->rays);
    s->cells = rules->cells;
    s->size = rules->size;
    s->count = (int)(rules->size * rules->size);
    s->symmetric = rules->size > 4 ? (unsigned)s->count - 4 - SYMMETRIC_PLIES : 0;
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
    evaluation_close(h->evaluation);
    pthread_mutex_destroy(&h->lock);
    free(h->workers);
    free(h);
}

/* The file that the user names, or the one that comes with holos. That it is missing is no error: the search works without. */
static holos_status evaluation_find(hot *h, const reversi_rules *rules,
                                    const reversi_solve_settings *settings, holos_error *err)
{
    char path[PATH_MAX];
    const char *named = settings != NULL ? settings->evaluation : NULL;
    if (rules->size < 6) {
        return named == NULL || strcmp(named, "none") == 0
                   ? HOLOS_OK
                   : error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                               "--evaluation: a board of 4x4 cells needs none");
    }
    if (named != NULL)
        return strcmp(named, "none") != 0 ? evaluation_read(named, rules->size, &h->evaluation, err)
                                          : HOLOS_OK;
    size_t length = holos_data_folder(path, sizeof path);
    if (length < sizeof path)
        snprintf(path + length, sizeof path - length, "/evaluations/reversi-%u", rules->size);
    if (access(path, F_OK) == 0)
        return evaluation_read(path, rules->size, &h->evaluation, err);
    snprintf(h->lacks, sizeof h->lacks, "%s is missing: the search works without it, but takes longer", path);
    return HOLOS_OK;
}

static holos_status hot_open(const holos_variant *v, const holos_hot_setup *setup, void **state,
                             holos_error *err)
{
    hot *h = calloc(1, sizeof *h);
    if (h == NULL)
        return error_system(err, "the search");
    pthread_mutex_init(&h->lock, NULL);
    h->search = reversi_search_choose();
    h->guess = reversi_guess_choose();
    h->count = setup->threads > 1 ? setup->threads : 1;
    h->workers = aligned_alloc(64, (h->count * sizeof *h->workers + 63) & ~(size_t)63);
    if (h->workers == NULL || !memo_open(&h->memo, setup->budget, setup->memory)) {
        hot_close(h);
        return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "the search needs more memory");
    }
    holos_status status = evaluation_find(h, reversi_rules_of(v), setup->settings, err);
    for (unsigned i = 0; i < h->count; i++) {
        reversi_search *s = &h->workers[i].search;
        h->workers[i] = (worker){0};
        reversi_search_init(s, reversi_rules_of(v), &h->memo);
        s->limits = &h->workers[i].limits;
        s->evaluation = h->evaluation;
        s->progress = setup->progress;
    }
    if (status == HOLOS_OK && h->count > 1)
        status = pool_open(h->count, &h->pool, err);
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
        if (i == 0) { /* the caller's own thread, which may stop for a checkpoint while the others go on */
            w->limits.pause = limits->pause;
            w->limits.pause_context = limits->pause_context;
        }
        w->search.busy = count > 1 ? h->busy : NULL;
        w->search.abandon = count > 1 ? &h->abandon : NULL;
    }
    if (count > 1)
        pool_run(h->pool, count, worker_run, h);
    else
        worker_run(h, 0, 0);
    for (unsigned i = 0; i < count; i++)
        limits_join(limits, &h->workers[i].limits);
    limits->next_pause = h->workers[0].limits.next_pause;
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

static unsigned empties_of(const hot *h, reversi_board b)
{
    return reversi_count(h->workers[0].search.cells & ~(b.mine | b.theirs));
}

static void hot_known(void *state, const holos_position *p, int32_t *lo, int32_t *hi)
{
    const hot *h = state;
    memo_value known;
    unsigned image;
    reversi_board b = reversi_of(p)->board;
    if (!memo_find(&h->memo, reversi_remembered_as(&h->workers[0].search, b, empties_of(h, b), &image),
                   &known))
        return;
    *lo = known.lo > *lo ? known.lo : *lo;
    *hi = known.hi < *hi ? known.hi : *hi;
}

/* ---- Guesses ----------------------------------------------------------------------------------- */

/* Scores are even. */
static int32_t score_of(int guess)
{
    int32_t half = (guess + (guess >= 0 ? EVALUATION_UNIT : -EVALUATION_UNIT)) / (2 * EVALUATION_UNIT);
    return 2 * half;
}

static bool hot_guess(void *state, const holos_position *p, unsigned depth, int32_t *score, holos_move *move)
{
    const hot *h = state;
    const reversi_search *s = &h->workers[0].search;
    reversi_board b = reversi_of(p)->board;
    uint64_t moves = reversi_moves(b, s->cells);
    if (h->evaluation == NULL || (depth == 0 && empties_of(h, b) < GUESS_EMPTIES))
        return false;
    depth = depth > 0 ? depth : GUESS_DEPTH;
    *move = REVERSI_PASS;
    int best = moves == 0 ? -h->guess(s, reversi_pass(b), depth) : -INT32_MAX;
    for (; moves != 0; moves &= moves - 1) {
        unsigned cell = reversi_first(moves);
        reversi_board next = reversi_after(b, cell, reversi_turned_portable(b, cell));
        int worth = -h->guess(s, next, depth - 1);
        if (worth > best) {
            best = worth;
            *move = cell;
        }
    }
    *score = score_of(best);
    return true;
}

/* ---- Checkpoints ------------------------------------------------------------------------------- */

static bool hot_next(void *state, size_t *index, holos_key *key, holos_remembered *out)
{
    const hot *h = state;
    reversi_board b;
    memo_value v;
    if (!memo_next(&h->memo, index, &b, &v))
        return false;
    *key = (holos_key){.hi = b.theirs, .lo = b.mine};
    *out = (holos_remembered){
        .lo = v.lo, .hi = v.hi, .move = v.move, .work = UINT32_C(1) << (v.cost < 31 ? v.cost : 31)};
    return true;
}

static void hot_put(void *state, holos_key key, const holos_remembered *entry)
{
    hot *h = state;
    const reversi_search *s = &h->workers[0].search;
    reversi_board b = {.mine = key.lo, .theirs = key.hi};
    if ((b.mine & b.theirs) != 0 || ((b.mine | b.theirs) & ~s->cells) != 0 || entry->lo < -s->count ||
        entry->hi > s->count || entry->move > REVERSI_PASS)
        return;
    memo_store(&h->memo, b,
               (memo_value){.lo = (int8_t)entry->lo,
                            .hi = (int8_t)entry->hi,
                            .move = (uint8_t)entry->move,
                            .cost = (uint8_t)(31 - __builtin_clz(entry->work | 1))});
}

static const char *hot_lacks(const void *state)
{
    const hot *h = state;
    return h->lacks[0] != 0 ? h->lacks : NULL;
}

const holos_hot reversi_hot = {
    .open = hot_open,
    .close = hot_close,
    .known = hot_known,
    .search = hot_search,
    .guess = hot_guess,
    .next = hot_next,
    .put = hot_put,
    .lacks = hot_lacks,
};
