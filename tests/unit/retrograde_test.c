/* SPDX-License-Identifier: MIT */

/* The retrograde engine: its passes against plain minimax, kalah's kernel against both, and cyclic games
 * against fixed points that are found the slow way. */

#include "unit.h"

#include "core/rng.h"
#include "engine/retrograde/retrograde.h"

static retro *build(const holos_variant *v, uint32_t top, unsigned threads, bool no_hot, mem_budget *budget)
{
    holos_error err;
    retro *r;
    mem_budget_init(budget, 0);
    retro_options o = {.top = top, .threads = threads, .no_hot = no_hot, .budget = budget};
    if (retro_build(v, &o, &r, &err) != HOLOS_OK)
        fail_msg("%s: %s", v->name, err.message);
    return r;
}

static holos_variant *open_variant(const char *name)
{
    holos_error err;
    holos_variant *v;
    if (holos_open(name, &v, &err) != HOLOS_OK)
        fail_msg("%s: %s", name, err.message);
    return v;
}

/* ---- Kalah, independently of the game's code --------------------------------------------------- */

typedef struct plain {
    int pits, most; /* pits a side; seeds in all */
    bool empty_capture, mover_end;
    int8_t *memory; /* what was found before, by the board as a number to the base most + 1; 127: nothing */
} plain;

static size_t plain_number(const plain *rules, const int *board)
{
    size_t number = 0;
    for (int i = 0; i < 2 * rules->pits; i++)
        number = number * (size_t)(rules->most + 1) + (size_t)board[i];
    return number;
}

/* What the side to move can still win: pits 0 … M-1 are its own, then those of the other side. */
static int plain_value(const plain *rules, const int *board)
{
    int M = rules->pits, mine = 0, theirs = 0, best = -1000;
    int8_t *known = &rules->memory[plain_number(rules, board)];
    if (*known != 127)
        return *known;
    for (int i = 0; i < M; i++) {
        mine += board[i];
        theirs += board[M + i];
    }
    if (mine == 0)
        return -theirs;
    if (theirs == 0 && !rules->mover_end)
        return mine;
    for (int pit = 0; pit < M; pit++) {
        if (board[pit] == 0)
            continue;
        int around[17] = {0}; /* own pits, store, other pits */
        for (int i = 0; i < M; i++) {
            around[i] = board[i];
            around[M + 1 + i] = board[M + i];
        }
        int hand = around[pit], at = pit;
        for (around[pit] = 0; hand > 0; hand--) {
            at = (at + 1) % (2 * M + 1);
            around[at]++;
        }
        if (at < M && around[at] == 1 && (around[2 * M - at] > 0 || rules->empty_capture)) {
            around[M] += 1 + around[2 * M - at];
            around[at] = around[2 * M - at] = 0;
        }
        int next[16];
        for (int i = 0; i < M; i++) {
            next[at == M ? i : M + i] = around[i];
            next[at == M ? M + i : i] = around[M + 1 + i];
        }
        int rest = plain_value(rules, next);
        int score = around[M] + (at == M ? rest : -rest);
        best = score > best ? score : best;
    }
    *known = (int8_t)best;
    return best;
}

static void plain_check(const retro *r, const holos_variant *v, const plain *rules, uint32_t tier)
{
    const holos_index *index = v->game->index;
    holos_position *p = holos_position_new(v);
    for (uint32_t part = 0; part < index->parts(v, tier); part++) {
        for (uint64_t i = 0; i < index->size(v, tier, part); i++) {
            holos_place place = {.tier = tier, .part = part, .index = i};
            int board[16];
            index->unrank(v, place, p);
            for (int k = 0; k < rules->pits; k++) {
                board[k] = ((const uint8_t *)p)[k];
                board[rules->pits + k] = ((const uint8_t *)p)[rules->pits + 1 + k];
            }
            int value = retro_part(r, tier, part)[i] - HOLOS_BYTE_ZERO;
            int expected = plain_value(rules, board);
            if (value != expected)
                fail_msg("%s, tier %u part %u index %llu: %d instead of %d", v->name, tier, part,
                         (unsigned long long)i, value, expected);
        }
    }
    holos_position_free(p);
}

static const char *const rule_options[] = {"", ",empty-capture", ",mover-end", ",empty-capture,mover-end"};

/* All boards with up to three pits a side and three seeds a pit, under the four rule combinations. */
static void test_small_boards_against_plain_minimax(void **state)
{
    (void)state;
    for (int M = 1; M <= 3; M++) {
        for (int option = 0; option < 4; option++) {
            char name[64];
            snprintf(name, sizeof name, "kalah:%d,3%s", M, rule_options[option]);
            holos_variant *v = open_variant(name);
            uint32_t top = (uint32_t)(6 * M);
            plain rules = {.pits = M, .most = 6 * M, .empty_capture = option & 1, .mover_end = option & 2};
            size_t boards = 1;
            for (int i = 0; i < 2 * M; i++)
                boards *= top + 1;
            rules.memory = malloc(boards);
            memset(rules.memory, 127, boards);
            mem_budget budget;
            retro *r = build(v, top, 1, false, &budget);
            for (uint32_t tier = 0; tier <= top; tier++)
                plain_check(r, v, &rules, tier);
            retro_close(r);
            free(rules.memory);
            assert_int_equal(atomic_load(&budget.used), 0);
            holos_close(v);
        }
    }
}

static void assert_same_tables(const holos_variant *v, const retro *a, const retro *b, uint32_t top)
{
    const holos_index *index = v->game->index;
    for (uint32_t tier = 0; tier <= top; tier++)
        for (uint32_t part = 0; part < index->parts(v, tier); part++)
            if (memcmp(retro_part(a, tier, part), retro_part(b, tier, part), index->size(v, tier, part)) != 0)
                fail_msg("%s: tier %u part %u differs", v->name, tier, part);
}

/* Every part that can be split, whatever its size. */
static void test_parts_in_pieces_are_the_same(void **state)
{
    (void)state;
    static const struct {
        unsigned pits, top;
    } boards[] = {{1, 12}, {2, 24}, {4, 16}, {6, 12}, {8, 8}};
    for (size_t i = 0; i < 4 * sizeof boards / sizeof *boards; i++) {
        char name[64];
        uint32_t top = boards[i / 4].top;
        snprintf(name, sizeof name, "kalah:%u,6%s", boards[i / 4].pits, rule_options[i % 4]);
        holos_variant *v = open_variant(name);
        mem_budget budget, other;
        holos_error err;
        retro *whole = build(v, top, 1, false, &budget), *pieces;
        mem_budget_init(&other, 0);
        retro_options o = {.top = top, .threads = 4, .split_from = 1, .budget = &other};
        assert_ok(retro_build(v, &o, &pieces, &err), err);
        assert_same_tables(v, whole, pieces, top);
        uint64_t positions[2];
        double seconds;
        retro_work(whole, &positions[0], &seconds);
        retro_work(pieces, &positions[1], &seconds);
        assert_int_equal(positions[0], positions[1]);
        retro_close(whole);
        retro_close(pieces);
        assert_int_equal(atomic_load(&other.used), 0);
        /* A limit in the middle of a part ends all threads. */
        o.limits.nodes = 20;
        assert_fails(retro_build(v, &o, &pieces, &err), err, HOLOS_LIMIT, "node limit");
        assert_int_equal(atomic_load(&other.used), 0);
        holos_close(v);
    }
}

static void expect_equal(const holos_variant *v, const retro *a, const retro *b, uint32_t top)
{
    const holos_index *index = v->game->index;
    for (uint32_t tier = 0; tier <= top; tier++)
        for (uint32_t part = 0; part < index->parts(v, tier); part++)
            if (memcmp(retro_part(a, tier, part), retro_part(b, tier, part), index->size(v, tier, part)) != 0)
                fail_msg("%s: tier %u part %u differs", v->name, tier, part);
}

/* Laps of 2M+1 seeds and more occur only with many seeds in few pits. */
static void test_kernel_equals_position_by_position(void **state)
{
    (void)state;
    static const struct {
        const char *board;
        uint32_t top;
    } cases[] = {{"1,30", 60}, {"2,11", 40}, {"3,5", 22}, {"4,3", 14}, {"5,2", 11}, {"6,2", 9}, {"8,1", 7}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int option = 0; option < 4; option++) {
            char name[64];
            snprintf(name, sizeof name, "kalah:%s%s", cases[i].board, rule_options[option]);
            holos_variant *v = open_variant(name);
            mem_budget budget, other;
            retro *hot = build(v, cases[i].top, 2, false, &budget);
            retro *cold = build(v, cases[i].top, 1, true, &other);
            expect_equal(v, hot, cold, cases[i].top);
            retro_close(hot);
            retro_close(cold);
            holos_close(v);
        }
    }
}

static void test_known_values_of_starts(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int value;
    } cases[] = {
        {"kalah:2,1", 2},
        {"kalah:2,2", -2},
        {"kalah:2,3", -2},
        {"kalah:3,1", 0},
        {"kalah:3,2", 4},
        {"kalah:3,3", 2},
        {"kalah:4,1", 2},
        {"kalah:4,2", 6},
        {"kalah:4,3", 6},
        {"kalah:6,1", 2},
        {"kalah:2,1,empty-capture", 2},
        {"kalah:2,2,empty-capture", -2},
        {"kalah:2,3,empty-capture", -2},
        {"kalah:3,1,empty-capture", 0},
        {"kalah:3,2,empty-capture", 4},
        {"kalah:3,3,empty-capture", 2},
        {"kalah:4,1,empty-capture", 2},
        {"kalah:4,2,empty-capture", 6},
        {"kalah:4,3,empty-capture", 8},
        {"kalah:6,1,empty-capture", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        holos_variant *v = open_variant(cases[i].name);
        mem_budget budget;
        retro *r = build(v, v->game->index->tiers(v) - 1, 1, false, &budget);
        holos_position *start = holos_position_new(v);
        int32_t value = 99;
        v->game->start(v, start);
        assert_true(retro_probe(r, start, &value));
        if (value != cases[i].value)
            fail_msg("%s: %d instead of %d", cases[i].name, value, cases[i].value);
        holos_position_free(start);
        retro_close(r);
        holos_close(v);
    }
}

static void test_rank_and_unrank_are_inverse(void **state)
{
    (void)state;
    holos_variant *v = open_variant("kalah:5,3");
    const holos_index *index = v->game->index;
    holos_position *p = holos_position_new(v);
    for (uint32_t tier = 0; tier <= 9; tier++) {
        for (uint32_t part = 0; part < index->parts(v, tier); part++) {
            for (uint64_t i = 0; i < index->size(v, tier, part); i++) {
                holos_place place = {.tier = tier, .part = part, .index = i}, back;
                index->unrank(v, place, p);
                assert_true(index->rank(v, p, &back));
                assert_true(back.tier == tier && back.part == part && back.index == i);
            }
        }
    }
    holos_position_free(p);
    holos_close(v);
}

/* A value has the parity of the seeds in play and never exceeds them, and it does not matter which player
 * is which. */
static void test_invariants_over_random_games(void **state)
{
    (void)state;
    static const char *const games[] = {"kalah:4,3", "kalah:4,3,empty-capture", "kalah:4,3,mover-end"};
    uint64_t moves = 0;
    rng random;
    rng_init(&random, 11, 0);
    for (size_t g = 0; g < 3; g++) {
        holos_variant *v = open_variant(games[g]);
        mem_budget budget;
        retro *r = build(v, 24, 1, false, &budget);
        holos_position *p = holos_position_new(v), *swapped = holos_position_new(v);
        while (moves < 1000000 * (g + 1)) {
            int32_t over, value, same;
            v->game->start(v, p);
            for (; !v->game->terminal(v, p, &over); moves++) {
                holos_move legal[8];
                size_t count = holos_moves(v, p, legal, 8);
                v->game->play(v, p, legal[rng_below(&random, count)], p);
                const uint8_t *board = (const uint8_t *)p;
                int seeds = 0;
                for (int i = 0; i < 10; i++)
                    seeds += board[i];
                assert_int_equal(seeds, 24);
                int in_play = seeds - board[4] - board[9];
                assert_true(retro_probe(r, p, &value));
                assert_true(abs(value) <= in_play && (value - in_play) % 2 == 0);
                memcpy(swapped, p, v->position_size);
                ((uint8_t *)swapped)[10] ^= 1;
                assert_true(retro_probe(r, swapped, &same));
                assert_int_equal(value, same);
            }
        }
        holos_position_free(p);
        holos_position_free(swapped);
        retro_close(r);
        holos_close(v);
    }
}

static void test_majority_stop_is_refused_in_words(void **state)
{
    (void)state;
    holos_error err;
    holos_variant *v = open_variant("kalah:3,2,majority-stop");
    assert_int_equal(retro_supports(v, &err), HOLOS_UNSUPPORTED);
    assert_non_null(strstr(err.message, "stores"));
    holos_close(v);
    v = open_variant("connect4:4x4");
    assert_int_equal(retro_supports(v, &err), HOLOS_UNSUPPORTED);
    assert_non_null(strstr(err.message, "index"));
    holos_close(v);
}

static void test_memory_is_checked_before_the_work(void **state)
{
    (void)state;
    holos_error err;
    retro *r;
    mem_budget budget;
    mem_budget_init(&budget, 64 << 20);
    holos_variant *v = open_variant("kalah:6,4");
    retro_options o = {.top = 24, .threads = 1, .budget = &budget};
    assert_int_equal(retro_build(v, &o, &r, &err), HOLOS_NO_MEMORY);
    assert_non_null(strstr(err.message, "1.2 GiB"));
    assert_non_null(strstr(err.message, "64"));
    assert_int_equal(atomic_load(&budget.peak), 0);
    o.top = 49;
    assert_int_equal(retro_build(v, &o, &r, &err), HOLOS_USAGE);
    holos_close(v);
}

static void test_tables_on_disk_equal_those_in_memory(void **state)
{
    (void)state;
    holos_error err;
    holos_variant *v = open_variant("kalah:4,3");
    mem_budget budget, other;
    retro *memory = build(v, 14, 1, false, &budget), *disk;
    mem_budget_init(&other, 0);
    retro_options o = {.top = 14, .threads = 2, .scratch = "/tmp", .budget = &other};
    assert_int_equal(retro_build(v, &o, &disk, &err), HOLOS_OK);
    expect_equal(v, memory, disk, 14);
    retro_close(memory);
    retro_close(disk);
    holos_close(v);
}

/* ---- A cyclic game: a random graph ------------------------------------------------------------- */

enum { TIERS = 3, PARTS = 2, NODES = 40, ALL = TIERS * PARTS * NODES, DEGREE = 4 };

/* Nodes have numbers; tier = n / (PARTS * NODES), part and index follow. `kind`: 0 goes on, 1 ends. */
typedef struct graph {
    int degree[ALL], to[ALL][DEGREE];
    uint8_t flags[ALL][DEGREE];
    bool ends[ALL];
    int32_t score[ALL];
} graph;

typedef struct node {
    uint32_t number, unused[3];
} node;

static const graph *graph_of(const holos_variant *v)
{
    return v->rules;
}

static bool graph_terminal(const holos_variant *v, const holos_position *p, int32_t *score)
{
    uint32_t n = ((const node *)p)->number;
    *score = graph_of(v)->score[n];
    return graph_of(v)->ends[n];
}

static uint32_t graph_expand(const holos_variant *v, const holos_position *p, holos_edges out)
{
    const graph *g = graph_of(v);
    uint32_t n = ((const node *)p)->number;
    if (g->ends[n])
        return 0;
    for (int i = 0; i < g->degree[n]; i++) {
        out.edges[i] = (holos_edge){.move = (holos_move)i, .flags = g->flags[n][i]};
        *(node *)position_at(v, out.positions, (size_t)i) = (node){.number = (uint32_t)g->to[n][i]};
    }
    return (uint32_t)g->degree[n];
}

static uint32_t graph_predecessors(const holos_variant *v, const holos_position *p, holos_edges out)
{
    const graph *g = graph_of(v);
    uint32_t target = ((const node *)p)->number, count = 0;
    for (uint32_t n = 0; n < ALL; n++)
        for (int i = 0; !g->ends[n] && i < g->degree[n]; i++)
            if ((uint32_t)g->to[n][i] == target) {
                out.edges[count] = (holos_edge){.move = (holos_move)i, .flags = g->flags[n][i]};
                *(node *)position_at(v, out.positions, count++) = (node){.number = n};
            }
    return count;
}

static uint32_t graph_tiers(const holos_variant *v)
{
    (void)v;
    return TIERS;
}

static uint32_t graph_parts(const holos_variant *v, uint32_t tier)
{
    (void)v;
    (void)tier;
    return PARTS;
}

static uint64_t graph_size(const holos_variant *v, uint32_t tier, uint32_t part)
{
    (void)v;
    (void)tier;
    (void)part;
    return NODES;
}

static bool graph_rank(const holos_variant *v, const holos_position *p, holos_place *out)
{
    (void)v;
    uint32_t n = ((const node *)p)->number;
    *out = (holos_place){.tier = n / NODES / PARTS, .part = n / NODES % PARTS, .index = n % NODES};
    return true;
}

static void graph_unrank(const holos_variant *v, holos_place place, holos_position *out)
{
    (void)v;
    *(node *)out = (node){.number = (place.tier * PARTS + place.part) * NODES + (uint32_t)place.index};
}

static const holos_index graph_index = {.tier_unit = "layers",
                                        .tiers = graph_tiers,
                                        .parts = graph_parts,
                                        .size = graph_size,
                                        .rank = graph_rank,
                                        .unrank = graph_unrank};
static const holos_back graph_back = {.predecessors = graph_predecessors};
static const holos_game graph_game = {.name = "graph",
                                      .traits = HOLOS_TRAIT_CYCLIC | HOLOS_TRAIT_SAME_SIDE,
                                      .expand = graph_expand,
                                      .terminal = graph_terminal,
                                      .back = &graph_back,
                                      .index = &graph_index};

static void graph_make(graph *g, rng *random)
{
    memset(g, 0, sizeof *g);
    for (uint32_t n = 0; n < ALL; n++) {
        uint32_t group = n / NODES, lower = n / NODES / PARTS * PARTS * NODES;
        g->ends[n] = rng_below(random, 8) == 0;
        g->score[n] = (int32_t)rng_below(random, 7) - 3;
        g->degree[n] = 1 + (int)rng_below(random, DEGREE);
        for (int i = 0; i < g->degree[n]; i++) {
            bool down = lower > 0 && rng_below(random, 6) == 0;
            g->to[n][i] = (int)(down ? rng_below(random, lower) : group * NODES + rng_below(random, NODES));
            g->flags[n][i] = rng_below(random, 3) == 0 ? HOLOS_EDGE_SAME_SIDE : 0;
        }
    }
}

/* at_least[n]: the mover of n can force m or more, by definition: grown from nothing until it stays.
 * at_most[n]: the mover of n can be held to -m or less. */
static void graph_force(const graph *g, int m, bool *at_least, bool *at_most)
{
    bool grown = true;
    memset(at_least, 0, ALL);
    memset(at_most, 0, ALL);
    while (grown) {
        grown = false;
        for (int n = 0; n < ALL; n++) {
            bool some = false, all = true;
            for (int i = 0; i < g->degree[n]; i++) {
                bool same = (g->flags[n][i] & HOLOS_EDGE_SAME_SIDE) != 0;
                int to = g->to[n][i];
                some = some || (same ? at_least[to] : at_most[to]);
                all = all && (same ? at_most[to] : at_least[to]);
            }
            bool high = g->ends[n] ? g->score[n] >= m : some, low = g->ends[n] ? g->score[n] <= -m : all;
            grown = grown || high != at_least[n] || low != at_most[n];
            at_least[n] = high;
            at_most[n] = low;
        }
    }
}

static void test_cyclic_games_against_fixed_points(void **state)
{
    (void)state;
    static graph g;
    static bool high[4][ALL], low[4][ALL];
    rng random;
    rng_init(&random, 7, 0);
    int draws = 0, wins = 0, losses = 0;
    for (int round = 0; round < 200; round++) {
        graph_make(&g, &random);
        holos_variant v = {.game = &graph_game,
                           .name = "graph",
                           .position_size = sizeof(node),
                           .max_successors = DEGREE,
                           .max_predecessors = ALL * DEGREE,
                           .score_min = -3,
                           .score_max = 3,
                           .rules = &g};
        mem_budget budget;
        retro *r = build(&v, TIERS - 1, 2, false, &budget);
        for (int m = 1; m <= 3; m++)
            graph_force(&g, m, high[m], low[m]);
        for (uint32_t n = 0; n < ALL; n++) {
            int expected = 0;
            for (int m = 1; m <= 3; m++)
                expected = high[m][n] ? m : low[m][n] ? -m : expected;
            int value = retro_part(r, n / NODES / PARTS, n / NODES % PARTS)[n % NODES] - HOLOS_BYTE_ZERO;
            if (value != expected)
                fail_msg("round %d node %u: %d instead of %d", round, n, value, expected);
            *(expected > 0 ? &wins : expected < 0 ? &losses : &draws) += 1;
        }
        retro_close(r);
    }
    assert_true(wins > 1000 && losses > 1000 && draws > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_boards_against_plain_minimax),
        cmocka_unit_test(test_parts_in_pieces_are_the_same),
        cmocka_unit_test(test_kernel_equals_position_by_position),
        cmocka_unit_test(test_known_values_of_starts),
        cmocka_unit_test(test_rank_and_unrank_are_inverse),
        cmocka_unit_test(test_invariants_over_random_games),
        cmocka_unit_test(test_majority_stop_is_refused_in_words),
        cmocka_unit_test(test_memory_is_checked_before_the_work),
        cmocka_unit_test(test_tables_on_disk_equal_those_in_memory),
        cmocka_unit_test(test_cyclic_games_against_fixed_points),
    };
    UNIT_MAIN(tests);
}
