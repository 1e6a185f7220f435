/* SPDX-License-Identifier: MIT */

#include "meta/strategy.h"

#include "engine/wave/wave.h"

#include <math.h>
#include <stdlib.h>

#define DEPTH      2
#define NODES      20000
#define SET_NODES  200000 /* sets that a wave looks at */
#define SCORE_MOST 30000

/* ---- Sets as bits ------------------------------------------------------------------------------ */

void strategy_pool_init(strategy_pool *p)
{
    memset(p, 0, sizeof *p);
}

void strategy_pool_free(strategy_pool *p)
{
    for (size_t i = 0; i < STRATEGY_POOL; i++) {
        cover_free(&p->covers[i]);
        free(p->bits[i]);
    }
    strategy_pool_init(p);
}

static int key_compare(const void *a, const void *b)
{
    const holos_key *x = a, *y = b;
    return holos_key_less(*x, *y) ? -1 : holos_key_less(*y, *x);
}

/* All keys of all covers, sorted, each once; the caller frees them. */
static holos_key *keys_unite(const strategy_pool *p, size_t *count)
{
    size_t total = 0, kept = 0;
    for (size_t i = 0; i < p->count; i++)
        total += p->covers[i].count;
    holos_key *keys = malloc((total + 1) * sizeof *keys);
    if (keys == NULL)
        return NULL;
    total = 0;
    for (size_t i = 0; i < p->count; i++) {
        if (p->covers[i].count > 0)
            memcpy(keys + total, p->covers[i].keys, p->covers[i].count * sizeof *keys);
        total += p->covers[i].count;
    }
    if (total > 1)
        qsort(keys, total, sizeof *keys, key_compare);
    for (size_t i = 0; i < total; i++)
        if (kept == 0 || !holos_key_equal(keys[kept - 1], keys[i]))
            keys[kept++] = keys[i];
    *count = kept;
    return keys;
}

holos_status strategy_pool_count(strategy_pool *p, const holos_key *keys, size_t key_count, holos_error *err)
{
    holos_key *own = NULL;
    if (keys == NULL) {
        own = keys_unite(p, &key_count);
        keys = own;
        if (own == NULL)
            return error_system(err, "a strategy");
    }
    p->universe = key_count;
    p->words = (key_count + 63) / 64;
    bool made = true;
    for (size_t i = 0; made && i < p->count; i++) {
        free(p->bits[i]);
        p->bits[i] = calloc(p->words + 1, sizeof *p->bits[i]);
        made = p->bits[i] != NULL;
        const cover *c = &p->covers[i];
        for (size_t k = 0, at = 0; made && k < c->count; k++) {
            while (at < key_count && holos_key_less(keys[at], c->keys[k]))
                at++;
            if (at < key_count && holos_key_equal(keys[at], c->keys[k]))
                p->bits[i][at / 64] |= UINT64_C(1) << at % 64;
        }
    }
    free(own);
    return made ? HOLOS_OK : error_system(err, "a strategy");
}

uint64_t strategy_covered(const strategy_pool *p, uint64_t set)
{
    uint64_t count = 0;
    for (size_t w = 0; w < p->words; w++) {
        uint64_t word = 0;
        for (uint64_t rest = set; rest != 0; rest &= rest - 1)
            word |= p->bits[__builtin_ctzll(rest)][w];
        count += (uint64_t)__builtin_popcountll(word);
    }
    return count;
}

uint64_t strategy_cost(const strategy_pool *p, uint64_t set)
{
    uint64_t cost = 0;
    for (; set != 0; set &= set - 1)
        cost += p->covers[__builtin_ctzll(set)].measure.cost;
    return cost;
}

/* ---- Greedy ------------------------------------------------------------------------------------ */

static int gain_compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x > y ? -1 : x < y;
}

/* No set of `most` seeds covers more than this set and the `most` largest gains beyond it: a seed adds no more to a larger set. */
static uint64_t bound_from(const strategy_pool *p, uint64_t set, size_t most)
{
    uint64_t gains[STRATEGY_POOL] = {0}, covered = strategy_covered(p, set), bound = covered;
    for (size_t i = 0; i < p->count; i++)
        gains[i] = strategy_covered(p, set | UINT64_C(1) << i) - covered;
    qsort(gains, p->count, sizeof *gains, gain_compare);
    for (size_t i = 0; i < p->count && i < most; i++)
        bound += gains[i];
    return bound < p->universe ? bound : p->universe;
}

size_t strategy_greedy(const strategy_pool *p, size_t most, uint64_t budget, bool by_cost,
                       holos_strategy_step *out)
{
    uint64_t set = 0, covered = 0, cost = 0;
    size_t steps = 0;
    for (; steps < most && steps < p->count; steps++) {
        size_t best = SIZE_MAX;
        double most_gained = -1;
        for (size_t i = 0; i < p->count; i++) {
            uint64_t own = p->covers[i].measure.cost;
            if ((set >> i & 1) != 0 || (budget > 0 && cost + own > budget))
                continue;
            double gain = (double)(strategy_covered(p, set | UINT64_C(1) << i) - covered);
            gain /= by_cost ? (double)own + 1 : 1;
            if (gain > most_gained) {
                best = i;
                most_gained = gain;
            }
        }
        if (best == SIZE_MAX)
            break;
        set |= UINT64_C(1) << best;
        covered = strategy_covered(p, set);
        cost += p->covers[best].measure.cost;
        out[steps] = (holos_strategy_step){.seed = best, .covered = covered, .cost = cost};
    }
    /* The best set of so many seeds is bounded from every set on the way, also from the empty one. */
    for (size_t k = 0; k < steps; k++) {
        uint64_t reached = 0;
        out[k].bound = bound_from(p, 0, k + 1);
        for (size_t i = 0; i < steps; i++) {
            reached |= UINT64_C(1) << out[i].seed;
            uint64_t bound = bound_from(p, reached, k + 1);
            out[k].bound = bound < out[k].bound ? bound : out[k].bound;
        }
    }
    return steps;
}

/* ---- The game of sets -------------------------------------------------------------------------- */

/* A position is a set; a move adds a seed that comes after all in it, or takes the set as it is. The score is the share of all that
 * counts which the set covers. */
typedef struct set_board {
    uint64_t set;
    uint64_t taken;
} set_board;

typedef struct set_rules {
    const strategy_pool *pool;
    size_t most;
    uint64_t budget;
} set_rules;

static const set_board *board_of(const holos_position *p)
{
    return (const set_board *)p;
}

static int32_t share_of(const strategy_pool *p, uint64_t set)
{
    return p->universe > 0 ? (int32_t)((double)strategy_covered(p, set) * SCORE_MOST / (double)p->universe)
                           : 0;
}

static holos_key set_key(const holos_variant *v, const holos_position *p)
{
    (void)v;
    return (holos_key){.hi = board_of(p)->taken, .lo = board_of(p)->set};
}

static void set_from_key(const holos_variant *v, holos_key key, holos_position *out)
{
    (void)v;
    *(set_board *)out = (set_board){.set = key.lo, .taken = key.hi};
}

static void set_start(const holos_variant *v, holos_position *out)
{
    (void)v;
    *(set_board *)out = (set_board){0};
}

static set_board set_after(const set_board *b, holos_move move)
{
    return move == STRATEGY_POOL ? (set_board){.set = b->set, .taken = 1}
                                 : (set_board){.set = b->set | UINT64_C(1) << move};
}

static uint32_t set_expand(const holos_variant *v, const holos_position *p, holos_edges out)
{
    const set_rules *r = v->rules;
    const set_board *b = board_of(p);
    uint32_t count = 0;
    if (b->taken != 0)
        return 0;
    set_board next = set_after(b, STRATEGY_POOL);
    edges_put(v, out, count++, (holos_edge){.move = STRATEGY_POOL, .flags = HOLOS_EDGE_SAME_SIDE},
              (const holos_position *)(const void *)&next);
    size_t first = b->set == 0 ? 0 : 64 - (size_t)__builtin_clzll(b->set);
    if ((size_t)__builtin_popcountll(b->set) >= r->most)
        return count;
    for (size_t i = first; i < r->pool->count; i++) {
        next = set_after(b, (holos_move)i);
        if (r->budget > 0 && strategy_cost(r->pool, next.set) > r->budget)
            continue;
        edges_put(v, out, count++, (holos_edge){.move = (holos_move)i, .flags = HOLOS_EDGE_SAME_SIDE},
                  (const holos_position *)(const void *)&next);
    }
    return count;
}

static holos_edge set_play(const holos_variant *v, const holos_position *p, holos_move move,
                           holos_position *out)
{
    (void)v;
    *(set_board *)out = set_after(board_of(p), move);
    return (holos_edge){.move = move, .flags = HOLOS_EDGE_SAME_SIDE};
}

static bool set_terminal(const holos_variant *v, const holos_position *p, int32_t *score)
{
    const set_rules *r = v->rules;
    if (board_of(p)->taken == 0)
        return false;
    *score = share_of(r->pool, board_of(p)->set);
    return true;
}

static unsigned set_side(const holos_variant *v, const holos_position *p)
{
    (void)v;
    (void)p;
    return 0;
}

/* A set that may still grow covers at least what it does, and at most what the largest gains add. */
static void set_bounds(const holos_variant *v, const holos_position *p, int32_t *lo, int32_t *hi)
{
    const set_rules *r = v->rules;
    const set_board *b = board_of(p);
    size_t left = r->most - (size_t)__builtin_popcountll(b->set);
    int32_t now = share_of(r->pool, b->set);
    double bound = (double)bound_from(r->pool, b->set, left) * SCORE_MOST /
                   (double)(r->pool->universe > 0 ? r->pool->universe : 1);
    int32_t above = (int32_t)bound + 1;
    *lo = now > *lo ? now : *lo;
    *hi = above < *hi ? (above > *lo ? above : *lo) : *hi;
}

static void set_format(const holos_variant *v, const holos_position *p, text *out)
{
    (void)v;
    text_printf(out, "%016llx%s", (unsigned long long)board_of(p)->set,
                board_of(p)->taken != 0 ? " taken" : "");
}

static holos_status set_parse(const holos_variant *v, const char *string, holos_position *out,
                              holos_error *err)
{
    const set_rules *r = v->rules;
    char *end;
    uint64_t set = strtoull(string, &end, 16),
             room = r->pool->count < 64 ? (UINT64_C(1) << r->pool->count) - 1 : ~UINT64_C(0);
    bool taken = strcmp(end, " taken") == 0;
    if ((*end != 0 && !taken) || (set & ~room) != 0 || (size_t)__builtin_popcountll(set) > r->most)
        return error_set(err, HOLOS_BAD_POSITION, 0, "expected a set of seeds, as a hexadecimal number");
    *(set_board *)out = (set_board){.set = set, .taken = taken};
    return HOLOS_OK;
}

static void set_format_move(const holos_variant *v, const holos_position *p, holos_move move, text *out)
{
    (void)v;
    (void)p;
    if (move == STRATEGY_POOL)
        text_string(out, "take");
    else
        text_printf(out, "%u", move);
}

static void set_draw(const holos_variant *v, const holos_position *p, text *out)
{
    set_format(v, p, out);
    text_char(out, '\n');
}

static const holos_search set_search = {.bounds = set_bounds};

static const holos_game set_game = {
    .name = "sets",
    .title = "Sets of seeds",
    .summary = "Which few of many seeds cover most.",
    .variant_help = "Made for a pool of seeds.",
    .position_help = "A set, as a hexadecimal number.",
    .score_help = "The share that is covered, of 30,000.",
    .traits = HOLOS_TRAIT_SOLITAIRE | HOLOS_TRAIT_SAME_SIDE,
    .start = set_start,
    .expand = set_expand,
    .play = set_play,
    .terminal = set_terminal,
    .side = set_side,
    .key = set_key,
    .identity = set_key,
    .from_key = set_from_key,
    .from_identity = set_from_key,
    .parse = set_parse,
    .format = set_format,
    .parse_move = game_parse_move,
    .format_move = set_format_move,
    .draw = set_draw,
    .search = &set_search,
};

holos_status strategy_optimum(const strategy_pool *p, size_t most, uint64_t budget, uint64_t sets,
                              uint64_t bound, const holos_stop *stop, uint64_t *least, uint64_t *most_out,
                              holos_error *err)
{
    set_rules rules = {.pool = p, .most = most, .budget = budget};
    holos_variant v = {.game = &set_game,
                       .name = "sets",
                       .position_size = sizeof(set_board),
                       .max_successors = STRATEGY_POOL + 1,
                       .score_min = 0,
                       .score_max = SCORE_MOST,
                       .rules = &rules};
    holos_wave_options o = {.limits = {.nodes = sets, .stop = stop}, .no_classes = true, .no_backward = true};
    holos_wave *w;
    set_board start = {0};
    holos_status status = holos_wave_open(&v, &o, &w, err);
    if (status != HOLOS_OK)
        return status;
    holos_wave_seed seed = {.position = (const holos_position *)(const void *)&start};
    status = holos_wave_add(w, &seed, err);
    if (status == HOLOS_OK)
        status = holos_wave_run(w, HOLOS_WAVE_WAVE, err);
    holos_value value = holos_wave_query(w, seed.position);
    holos_wave_close(w);
    if (status != HOLOS_OK && status != HOLOS_LIMIT)
        return status;
    /* A score is a share, rounded down: as counts, what it may have been. */
    double one = (double)p->universe / SCORE_MOST;
    uint64_t lo = (uint64_t)ceil((double)value.lo * one), hi = (uint64_t)((double)(value.hi + 1) * one);
    bool exact = holos_value_is_solved(value) && p->universe <= SCORE_MOST;
    *least = lo > *least ? lo : *least;
    *most_out = exact ? *least : hi < bound ? hi : bound;
    *most_out = *most_out > *least ? *most_out : *least;
    return HOLOS_OK;
}

/* ---- In public --------------------------------------------------------------------------------- */

struct holos_strategy {
    holos_strategy_summary summary;
    holos_strategy_step steps[HOLOS_STRATEGY_MOST];
};

/* What expanding seeds in their order costs until two of them meet that go in different directions. */
static uint64_t meeting_cost(const strategy_pool *p, const holos_wave_seed *seeds)
{
    uint64_t cost = 0;
    for (size_t i = 0; i < p->count; i++) {
        cost += p->covers[i].measure.cost;
        for (size_t k = 0; k < i; k++)
            if (seeds[i].direction != seeds[k].direction && cover_common(&p->covers[i], &p->covers[k]) > 0)
                return cost;
    }
    return 0;
}

static holos_status pool_measure(strategy_pool *p, const holos_variant *v, const holos_wave_seed *seeds,
                                 size_t count, const holos_meta_options *o, holos_error *err)
{
    holos_status status = HOLOS_OK;
    for (size_t i = 0; status == HOLOS_OK && i < count; i++) {
        cover_task task = {.v = v,
                           .position = seeds[i].position,
                           .depth = seeds[i].depth > 0 ? seeds[i].depth : DEPTH,
                           .mode = seeds[i].mode != HOLOS_WAVE_AUTO ? seeds[i].mode : HOLOS_WAVE_WAVE,
                           .direction = seeds[i].direction == HOLOS_WAVE_FORWARD ? HOLOS_TACTIC_FORWARD
                                                                                 : HOLOS_TACTIC_BACKWARD,
                           .nodes = o->limits.nodes > 0 ? o->limits.nodes : NODES,
                           .memory = o->limits.memory,
                           .boundary = o->boundary,
                           .stop = o->limits.stop};
        status = cover_measure(&task, &p->covers[i], err);
        p->count++;
    }
    return status == HOLOS_OK ? strategy_pool_count(p, NULL, 0, err) : status;
}

static holos_status strategy_find(holos_strategy *s, const strategy_pool *p, const holos_wave_seed *seeds,
                                  const holos_meta_options *o, holos_error *err)
{
    holos_strategy_summary *m = &s->summary;
    size_t most = o->seeds > 0 && o->seeds < HOLOS_STRATEGY_MOST ? o->seeds : HOLOS_STRATEGY_MOST;
    uint64_t alone = 0, set = 0;
    m->steps = strategy_greedy(p, most, o->budget, o->budget > 0, s->steps);
    for (size_t i = 0; i < m->steps; i++) {
        set |= UINT64_C(1) << s->steps[i].seed;
        alone += strategy_covered(p, UINT64_C(1) << s->steps[i].seed);
    }
    m->universe = p->universe;
    m->greedy = m->least = strategy_covered(p, set);
    m->overlap = alone > 0 ? 1 - (double)m->greedy / (double)alone : 0;
    m->meeting = meeting_cost(p, seeds);
    uint64_t bound = m->steps > 0 ? s->steps[m->steps - 1].bound : 0;
    bound = o->budget > 0 ? p->universe : bound;
    return strategy_optimum(p, most, o->budget, SET_NODES, bound, o->limits.stop, &m->least, &m->most, err);
}

holos_status holos_strategy_choose(const holos_variant *v, const holos_wave_seed *seeds, size_t count,
                                   const holos_meta_options *options, holos_strategy **out, holos_error *err)
{
    static const holos_meta_options none;
    if (v == NULL || seeds == NULL || out == NULL)
        return error_null(err, __func__);
    *out = NULL;
    if (count == 0 || count > STRATEGY_POOL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "a strategy chooses from 1 to %d seeds",
                         STRATEGY_POOL);
    options = options != NULL ? options : &none;
    holos_strategy *s = calloc(1, sizeof *s);
    strategy_pool *p = malloc(sizeof *p);
    if (s == NULL || p == NULL) {
        free(s);
        free(p);
        return error_system(err, "a strategy");
    }
    strategy_pool_init(p);
    holos_status status = pool_measure(p, v, seeds, count, options, err);
    if (status == HOLOS_OK)
        status = strategy_find(s, p, seeds, options, err);
    strategy_pool_free(p);
    free(p);
    if (status != HOLOS_OK)
        free(s);
    else
        *out = s;
    return status;
}

void holos_strategy_close(holos_strategy *s)
{
    free(s);
}

void holos_strategy_summary_get(const holos_strategy *s, holos_strategy_summary *out)
{
    if (s != NULL && out != NULL)
        *out = s->summary;
}

bool holos_strategy_step_at(const holos_strategy *s, size_t index, holos_strategy_step *out)
{
    if (s == NULL || out == NULL || index >= s->summary.steps)
        return false;
    *out = s->steps[index];
    return true;
}
