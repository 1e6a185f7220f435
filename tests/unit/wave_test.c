/* SPDX-License-Identifier: MIT */

/* Waves: what they count, that what they say is true wherever they are stopped, and that nothing depends on
 * the number of threads. */

#include "core/hash.h"
#include "core/rng.h"
#include "core/table.h"
#include "engine/wave/sorted.h"
#include "engine/wave/wave.h"

#include <holos/holos.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Races show in a part of the cases, and are looked for at a tenth of the speed. */
#ifdef __SANITIZE_THREAD__
#define SHARE 10
#else
#define SHARE 1
#endif

/* ---- Help -------------------------------------------------------------------------------------- */

typedef struct fixture {
    holos_variant *v;
    holos_position *p;
    holos_wave *w;
    holos_wave_statistics s;
    holos_error err;
} fixture;

static fixture fixture_open(const char *variant, const holos_wave_options *options, const char *position)
{
    fixture f = {0};
    if (holos_open(variant, &f.v, &f.err) != HOLOS_OK)
        fail_msg("%s: %s", variant, f.err.message);
    f.p = holos_position_new(f.v);
    assert_non_null(f.p);
    if (holos_parse(f.v, position, f.p, &f.err) != HOLOS_OK)
        fail_msg("%s: %s", position, f.err.message);
    if (holos_wave_open(f.v, options, &f.w, &f.err) != HOLOS_OK)
        fail_msg("%s: %s", variant, f.err.message);
    assert_int_equal(holos_wave_add(f.w, &(holos_wave_seed){.position = f.p}, &f.err), HOLOS_OK);
    return f;
}

static void fixture_close(fixture *f)
{
    holos_wave_close(f->w);
    holos_position_free(f->p);
    holos_close(f->v);
}

static holos_status fixture_run(fixture *f, holos_wave_mode mode)
{
    holos_status status = holos_wave_run(f->w, mode, &f->err);
    holos_wave_statistics_get(f->w, &f->s);
    return status;
}

/* ---- Truth: a plain minimax over the contract, remembered -------------------------------------- */

typedef struct truth {
    const holos_variant *v;
    table values;
} truth;

static int32_t truth_of(truth *t, const holos_position *p)
{
    const holos_game *game = t->v->game;
    holos_key key = game->key(t->v, p);
    const int64_t *known = table_find(&t->values, key);
    if (known != NULL)
        return (int32_t)*known;
    int32_t best = INT32_MIN, score;
    if (game->terminal(t->v, p, &score)) {
        best = score;
    } else {
        holos_edge *edges = calloc(t->v->max_successors, sizeof *edges);
        holos_position *children = aligned_alloc(16, t->v->max_successors * t->v->position_size);
        assert_true(edges != NULL && children != NULL);
        uint32_t count = game->expand(t->v, p, (holos_edges){.edges = edges, .positions = children});
        for (uint32_t i = 0; i < count; i++) {
            int32_t value = edge_score(edges[i], truth_of(t, position_at(t->v, children, i)));
            best = value > best ? value : best;
        }
        free(edges);
        free(children);
    }
    bool fresh;
    int64_t *entry = table_insert(&t->values, key, &fresh);
    assert_non_null(entry);
    *entry = best;
    return best;
}

static void truth_init(truth *t, const holos_variant *v)
{
    t->v = v;
    assert_int_equal(table_init(&t->values, NULL, sizeof(int64_t), 1000, NULL), HOLOS_OK);
}

/* Compares every node with the truth; returns how many there are. */
static uint64_t assert_sound(const holos_wave *w, truth *t, const char *what)
{
    uint64_t count = 0;
    holos_position *p = aligned_alloc(16, w->v->position_size);
    for (unsigned shard = 0; shard < NODES_SHARDS; shard++) {
        node_at at;
        for (size_t i = 0; (at = nodes_next(&w->nodes, shard, &i)) != NULL; count++) {
            wave_node n = node_load(at);
            wave_position(w, slot_key(&w->nodes, at), p);
            int32_t value = truth_of(t, p);
            if (n.lo > value || n.hi < value) {
                char shown[256];
                holos_format(w->v, p, shown, sizeof shown);
                fail_msg("%s, %s: [%d, %d] does not contain %d", what, shown, n.lo, n.hi, value);
            }
            assert_true(n.lo <= n.hi && holos_source_is_proof(n.source) == (n.source != HOLOS_SOURCE_NONE));
        }
    }
    free(p);
    return count;
}

/* ---- Counts ------------------------------------------------------------------------------------ */

/* Positions of connect4:7x6 by ply, published by several people (OEIS A212693). */
static const uint64_t connect4_plies[] = {1,     7,      49,     238,     1120,    4263,    16422,
                                          54859, 184275, 558186, 1662623, 4568683, 12236101};

static void test_layers_of_connect4_are_the_published_ones(void **state)
{
    (void)state;
    unsigned depth = SHARE > 1 ? 9 : 11;
    fixture f = fixture_open(
        "connect4",
        &(holos_wave_options){.graph = true, .unfolded = true, .forward_depth = depth, .threads = 2},
        "start");
    assert_int_equal(fixture_run(&f, HOLOS_WAVE_WAVE), HOLOS_OK);
    assert_int_equal(holos_wave_depth(f.w), depth + 1);
    for (unsigned ply = 0; ply <= depth; ply++)
        assert_int_equal(holos_wave_layer_at(f.w, ply).positions, connect4_plies[ply]);
    assert_true(SHARE > 1 || f.s.bytes / f.s.positions <= 40);
    fixture_close(&f);
}

/* Folded, a layer has as many positions as there are mirror pairs in the layer that is not. */
static void test_folded_layers_are_the_pairs_of_the_unfolded_ones(void **state)
{
    (void)state;
    holos_wave_options options = {.graph = true, .forward_depth = 9};
    fixture folded = fixture_open("connect4", &options, "start");
    options.unfolded = true;
    fixture all = fixture_open("connect4", &options, "start");
    assert_int_equal(fixture_run(&folded, HOLOS_WAVE_WAVE), HOLOS_OK);
    assert_int_equal(fixture_run(&all, HOLOS_WAVE_WAVE), HOLOS_OK);
    uint64_t pairs[10] = {0};
    for (unsigned shard = 0; shard < NODES_SHARDS; shard++) {
        node_at at;
        for (size_t i = 0; (at = nodes_next(&all.w->nodes, shard, &i)) != NULL;) {
            holos_key identity = slot_key(&all.w->nodes, at);
            wave_position(all.w, identity, all.p);
            pairs[node_load(at).depth] += holos_key_equal(all.v->game->key(all.v, all.p), identity);
        }
    }
    for (unsigned ply = 0; ply < 10; ply++)
        assert_int_equal(holos_wave_layer_at(folded.w, ply).positions, pairs[ply]);
    fixture_close(&folded);
    fixture_close(&all);
}

static void test_whole_graphs_have_the_published_sizes(void **state)
{
    (void)state;
    const struct {
        const char *variant;
        uint64_t positions;
    } graphs[] = {{"connect4:4x4", 161029}, {"connect4:4x5", 1706255}, {"connect4:3x6", 235781}};
    for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++) {
        fixture f =
            fixture_open(graphs[i].variant, &(holos_wave_options){.graph = true, .unfolded = true}, "start");
        assert_int_equal(fixture_run(&f, HOLOS_WAVE_AUTO), HOLOS_OK);
        assert_int_equal(f.s.positions, graphs[i].positions);
        assert_true(f.s.closed);
        fixture_close(&f);
    }
}

/* ---- Values ------------------------------------------------------------------------------------ */

static const holos_wave_mode all_modes[] = {HOLOS_WAVE_AUTO, HOLOS_WAVE_LIGHTNING, HOLOS_WAVE_WAVE,
                                            HOLOS_WAVE_CRYSTAL, HOLOS_WAVE_OSMOSIS};

static void test_every_mode_proves_small_boards(void **state)
{
    (void)state;
    const struct {
        const char *variant;
        int32_t value;
    } boards[] = {{"connect4:4x4", 0}, {"kalah:3,3", 2}, {"nim:3,4,5", 1}, {"kalah:3,2,majority-stop", 0}};
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++)
        for (size_t m = 0; m < 5; m++) {
            fixture f = fixture_open(boards[i].variant, NULL, "start");
            assert_int_equal(fixture_run(&f, all_modes[m]), HOLOS_OK);
            holos_value value = holos_wave_query(f.w, f.p);
            truth t;
            truth_init(&t, f.v);
            assert_true(holos_value_is_solved(value));
            assert_int_equal(value.lo, truth_of(&t, f.p));
            if (i < 3)
                assert_int_equal(value.lo, boards[i].value);
            assert_sound(f.w, &t, boards[i].variant);
            table_free(&t.values);
            fixture_close(&f);
        }
}

/* Every exact value of a wave, against the other engine. */
static void assert_agrees_with_alphabeta(const char *variant, unsigned every)
{
    fixture f = fixture_open(variant, &(holos_wave_options){.threads = 2}, "start");
    assert_int_equal(fixture_run(&f, HOLOS_WAVE_WAVE), HOLOS_OK);
    holos_solver *solver;
    assert_int_equal(holos_solver_open(f.v, &(holos_solver_options){.engine = "alphabeta"}, &solver, &f.err),
                     HOLOS_OK);
    uint64_t compared = 0, seen = 0;
    for (unsigned shard = 0; shard < NODES_SHARDS; shard++) {
        node_at at;
        for (size_t i = 0; (at = nodes_next(&f.w->nodes, shard, &i)) != NULL;) {
            wave_node n = node_load(at);
            if (seen++ % every != 0)
                continue;
            holos_result result;
            wave_position(f.w, slot_key(&f.w->nodes, at), f.p);
            assert_int_equal(holos_solver_solve(solver, f.p, &result, &f.err), HOLOS_OK);
            int32_t score = result.value.lo - game_banked(f.v, f.p);
            if (score < n.lo || score > n.hi)
                fail_msg("%s: [%d, %d], alphabeta says %d", variant, n.lo, n.hi, score);
            compared++;
        }
    }
    assert_true(compared >= f.s.positions / every);
    holos_solver_close(solver);
    fixture_close(&f);
}

static void test_values_are_those_of_alphabeta(void **state)
{
    (void)state;
    assert_agrees_with_alphabeta("connect4:4x4", 1);
    assert_agrees_with_alphabeta("kalah:3,3", 1);
    assert_agrees_with_alphabeta("kalah:4,2", 1);
    if (SHARE == 1)
        assert_agrees_with_alphabeta("connect4:5x4", 101);
}

/* ---- Soundness: stopped anywhere --------------------------------------------------------------- */

static holos_wave_options options_random(rng *r)
{
    holos_wave_options o = {
        .seed = rng_next(r),
        .limits.nodes = 1 + rng_below(r, rng_below(r, 4) == 0 ? 4000 : 300),
        .boundary_seeds = 1 + rng_below(r, 40),
        .lightning_nodes = 1 + rng_below(r, 200),
        .lightning_depth = (unsigned)(1 + rng_below(r, 20)),
        .crystal_layers = (unsigned)(1 + rng_below(r, 4)),
        .crystal_points = (unsigned)(1 + rng_below(r, 20)),
        .no_backward = rng_below(r, 4) == 0,
        .spine_boundary = rng_below(r, 2) == 0,
        .all_moves = rng_below(r, 2) == 0,
        .unfolded = rng_below(r, 3) == 0,
    };
    if (rng_below(r, 3) == 0)
        o.frontier = 1 + rng_below(r, 200);
    if (rng_below(r, 3) == 0)
        o.backward_depth = (unsigned)(1 + rng_below(r, 4));
    if (rng_below(r, 4) == 0)
        o.forward_depth = (unsigned)(1 + rng_below(r, 12));
    return o;
}

/* Stops waves at random limits, runs them again in other modes, and looks at every interval each time. */
static uint64_t stops_try(const char *variant, unsigned stops, uint64_t seed)
{
    rng r;
    rng_init(&r, seed, 0);
    truth t = {0};
    uint64_t checked = 0;
    for (unsigned i = 0; i < stops;) {
        holos_wave_options options = options_random(&r);
        fixture f = fixture_open(variant, &options, "start");
        if (t.v == NULL)
            truth_init(&t, f.v);
        t.v = f.v;
        unsigned runs = 1 + (unsigned)rng_below(&r, 4);
        for (unsigned run = 0; run < runs; run++, i++) {
            holos_wave_mode mode = all_modes[rng_below(&r, 5)];
            char what[64];
            snprintf(what, sizeof what, "%s, stop %u, %s", variant, i, holos_wave_mode_name(mode));
            holos_status status = fixture_run(&f, mode);
            assert_true(status == HOLOS_OK || status == HOLOS_LIMIT);
            checked += assert_sound(f.w, &t, what);
        }
        fixture_close(&f);
    }
    table_free(&t.values);
    return checked;
}

/* Whether there is time for more of the same. */
static bool is_long(void)
{
    const char *chosen = getenv("HOLOS_LONG_TESTS");
    return chosen != NULL && strcmp(chosen, "1") == 0;
}

static void test_intervals_hold_at_a_thousand_random_stops(void **state)
{
    (void)state;
    unsigned times = is_long() ? 10 : 1;
    assert_true(stops_try("connect4:4x4", 400 * times / SHARE, 1) > 100000 / SHARE);
    assert_true(stops_try("kalah:3,3", 300 * times / SHARE, 2) > 10000 / SHARE);
    assert_true(stops_try("kalah:3,2,majority-stop", 100 * times / SHARE, 3) > 1000 / SHARE);
    assert_true(stops_try("nim:3,4,5", 100 * times / SHARE, 4) > 1000 / SHARE);
    assert_true(stops_try("connect4:3x3", 200 * times / SHARE, 5) > 1000 / SHARE);
}

static void test_memory_limit_stops_soundly_and_is_kept(void **state)
{
    (void)state;
    truth t = {0};
    for (size_t memory = (size_t)3 << 20; memory < (size_t)24 << 20;
         memory += (size_t)(is_long() ? 1 : 6) << 20) {
        fixture f = fixture_open("connect4:5x4", &(holos_wave_options){.limits.memory = memory, .threads = 2},
                                 "start");
        holos_status status = fixture_run(&f, HOLOS_WAVE_WAVE);
        assert_int_equal(status, HOLOS_LIMIT);
        assert_true(f.s.memory_limited > 0 && f.s.bytes <= memory);
        assert_non_null(strstr(f.err.message, "memory"));
        if (t.v == NULL)
            truth_init(&t, f.v);
        t.v = f.v;
        if (memory == (size_t)3 << 20 || memory == (size_t)9 << 20)
            assert_sound(f.w, &t, "little memory");
        fixture_close(&f);
    }
    table_free(&t.values);
}

/* ---- Threads ----------------------------------------------------------------------------------- */

/* A number that depends on every node and on nothing else. */
static uint64_t wave_digest(const holos_wave *w)
{
    uint64_t sum = 0;
    for (unsigned shard = 0; shard < NODES_SHARDS; shard++) {
        node_at at;
        for (size_t i = 0; (at = nodes_next(&w->nodes, shard, &i)) != NULL;) {
            holos_key key = slot_key(&w->nodes, at);
            sum += hash_add(hash_add(key.hi, key.lo), *at);
        }
    }
    return sum;
}

static void test_results_do_not_depend_on_the_number_of_threads(void **state)
{
    (void)state;
    const char *variants[] = {"connect4:5x4", "kalah:4,2"};
    for (size_t i = 0; i < 2; i++)
        for (size_t m = 0; m < 5; m++) {
            uint64_t digest[3];
            holos_wave_statistics s[3];
            for (unsigned threads = 1; threads <= 3; threads++) {
                fixture f = fixture_open(
                    variants[i], &(holos_wave_options){.threads = threads, .limits.nodes = 40000}, "start");
                fixture_run(&f, all_modes[m]);
                digest[threads - 1] = wave_digest(f.w);
                s[threads - 1] = f.s;
                fixture_close(&f);
            }
            assert_true(digest[0] == digest[1] && digest[0] == digest[2]);
            assert_int_equal(s[0].positions, s[1].positions);
            assert_int_equal(s[0].solved, s[2].solved);
            assert_int_equal(s[0].generated, s[2].generated);
            assert_int_equal(s[0].connections, s[1].connections);
        }
}

/* ---- Memory and disk --------------------------------------------------------------------------- */

/* 15 cells are empty; every order of filling them is tried. */
#define NEARLY_FULL "5.467891.6721953.81.8342.6785..61.2342685379171.92.856961537.842874.9.3.3452861.9"

/* With a folder to put things into, a wave passes its limit and finds what it would have found: every node is the
 * same. Sudoku's positions are kept with their nodes, because its keys cannot be turned back into positions. */
static void test_a_wave_goes_on_from_disk_past_its_memory(void **state)
{
    (void)state;
    char folder[] = "/tmp/wave_test_XXXXXX";
    assert_non_null(mkdtemp(folder));
    const struct {
        const char *variant, *position;
        size_t memory;
        bool back, graph;
    } cases[] = {{"connect4:4x4", "start", (size_t)3 << 20, false, true},
                 {"connect4:4x4", "start", (size_t)3 << 20, true, false},
                 {"kalah:4,2", "start", (size_t)5 << 19, false, false},
                 {"sudoku", NEARLY_FULL, (size_t)24 << 20, false, false},
                 {"connect4:5x4", "start", (size_t)10 << 20, false, false}}; /* the largest is the last */
    const size_t count = sizeof cases / sizeof *cases - (SHARE > 1);
    for (size_t i = 0; i < count; i++) {
        holos_wave_options options = {.threads = 2,
                                      .no_classes = true,
                                      .no_backward = !cases[i].back,
                                      .graph = cases[i].graph,
                                      .all_moves = true};
        fixture all = fixture_open(cases[i].variant, &options, cases[i].position);
        assert_int_equal(fixture_run(&all, HOLOS_WAVE_WAVE), HOLOS_OK);
        options.limits.memory = cases[i].memory;
        fixture f = fixture_open(cases[i].variant, &options, cases[i].position);
        assert_int_equal(fixture_run(&f, HOLOS_WAVE_WAVE), HOLOS_LIMIT);
        fixture_close(&f);
        options.spill = folder;
        f = fixture_open(cases[i].variant, &options, cases[i].position);
        assert_int_equal(fixture_run(&f, HOLOS_WAVE_WAVE), HOLOS_OK);
        assert_true(f.s.spilled > 0 && f.s.bytes <= cases[i].memory);
        assert_int_equal(f.s.positions, all.s.positions);
        assert_int_equal(f.s.solved, all.s.solved);
        assert_int_equal(f.s.generated, all.s.generated);
        assert_int_equal(f.s.connections, all.s.connections);
        assert_int_equal(holos_wave_depth(f.w), holos_wave_depth(all.w));
        for (size_t d = 0; d < holos_wave_depth(f.w); d++) {
            holos_wave_layer a = holos_wave_layer_at(f.w, d), b = holos_wave_layer_at(all.w, d);
            assert_int_equal(a.positions, b.positions);
            assert_int_equal(a.duplicates, b.duplicates);
        }
        assert_true(wave_digest(f.w) == wave_digest(all.w));
        fixture_close(&f);
        fixture_close(&all);
    }
    assert_int_equal(rmdir(folder), 0); /* nothing stays behind */
}

/* Osmosis keeps a queue besides, which stays in memory: it may have to stop, and is sound then. */
static void test_osmosis_goes_on_from_disk_soundly(void **state)
{
    (void)state;
    char folder[] = "/tmp/wave_test_XXXXXX";
    assert_non_null(mkdtemp(folder));
    holos_wave_options options = {
        .no_classes = true, .no_backward = true, .spill = folder, .limits.memory = (size_t)3 << 20};
    fixture f = fixture_open("kalah:4,2", &options, "start");
    fixture_run(&f, HOLOS_WAVE_OSMOSIS);
    truth t;
    truth_init(&t, f.v);
    assert_sound(f.w, &t, "spilled");
    table_free(&t.values);
    fixture_close(&f);
    assert_int_equal(rmdir(folder), 0);
}

/* ---- State ------------------------------------------------------------------------------------- */

static void test_a_wave_goes_on_where_it_was_stopped(void **state)
{
    (void)state;
    fixture f = fixture_open("connect4:4x4", &(holos_wave_options){.limits.nodes = 1000}, "start");
    unsigned runs = 1;
    uint64_t positions = 0;
    for (; fixture_run(&f, HOLOS_WAVE_WAVE) == HOLOS_LIMIT; runs++) {
        assert_true(f.s.positions > positions);
        positions = f.s.positions;
        assert_true(runs < 200);
    }
    assert_true(runs > 5);
    assert_int_equal(holos_wave_query(f.w, f.p).lo, 0);
    holos_wave_reset(f.w);
    holos_wave_statistics_get(f.w, &f.s);
    assert_int_equal(f.s.positions, 0);
    assert_false(holos_value_is_solved(holos_wave_query(f.w, f.p)));
    assert_int_equal(holos_wave_add(f.w, &(holos_wave_seed){.position = f.p}, &f.err), HOLOS_OK);
    assert_int_equal(fixture_run(&f, HOLOS_WAVE_WAVE), HOLOS_LIMIT);
    fixture_close(&f);
}

static void test_limits_say_how_often_they_bit(void **state)
{
    (void)state;
    holos_wave_options options = {.frontier = 100, .limits.nodes = 5000, .no_backward = true};
    fixture f = fixture_open("connect4:5x4", &options, "start");
    assert_int_equal(fixture_run(&f, HOLOS_WAVE_WAVE), HOLOS_LIMIT);
    assert_true(f.s.frontier_capped > 0);
    fixture_close(&f);

    options = (holos_wave_options){.forward_depth = 3, .backward_depth = 1};
    f = fixture_open("connect4:5x4", &options, "start");
    assert_int_equal(fixture_run(&f, HOLOS_WAVE_WAVE), HOLOS_OK);
    assert_true(f.s.depth_limited > 0);
    assert_int_equal(holos_wave_depth(f.w), 4);
    fixture_close(&f);
}

/* Who takes sorted nodes, and has enough after so many questions. */
typedef struct sorted_reader {
    unsigned words;
    unsigned asked, most;
    uint64_t count;
    holos_key last;
} sorted_reader;

static holos_status sorted_read(void *context, const uint64_t *entries, size_t count, holos_error *err)
{
    (void)err;
    sorted_reader *r = context;
    for (size_t i = 0; i < count; i++, r->count++) {
        holos_key key = sorted_key(entries + i * r->words, r->words);
        assert_true(r->count == 0 || holos_key_less(r->last, key));
        r->last = key;
    }
    return HOLOS_OK;
}

static bool sorted_enough(void *context)
{
    sorted_reader *r = context;
    return ++r->asked == r->most;
}

/* A checkpoint of millions of positions takes seconds, most of them before the first is written. */
static void test_sorting_is_given_up_when_asked(void **state)
{
    (void)state;
    fixture f = fixture_open("connect4:4x4", &(holos_wave_options){.threads = 1, .graph = true}, "start");
    assert_int_equal(fixture_run(&f, HOLOS_WAVE_WAVE), HOLOS_OK);
    sorted_reader whole = {.words = sorted_words(&f.w->nodes)};
    sorted_request q = {.nodes = &f.w->nodes,
                        .threads = f.w->threads,
                        .take = sorted_read,
                        .late = sorted_enough,
                        .context = &whole};
    assert_int_equal(nodes_sorted(&q, &f.err), HOLOS_OK);
    assert_int_equal(whole.count, f.s.positions);
    assert_true(whole.asked > 2 * NODES_SHARDS); /* to count, to collect, to sort */
    for (unsigned most = 1; most <= whole.asked; most += most < 8 ? 1 : whole.asked / 20) {
        sorted_reader r = {.words = whole.words, .most = most};
        q.context = &r;
        assert_int_equal(nodes_sorted(&q, &f.err), HOLOS_INTERRUPTED);
        assert_int_equal(r.count, 0);
    }
    fixture_close(&f);
}

/* Puts so many keys into a table, from this one on. */
static void nodes_fill(nodes *n, pool *one, uint64_t first, uint64_t count, bool early)
{
    uint32_t incoming[NODES_SHARDS];
    for (unsigned i = 0; i < NODES_SHARDS; i++)
        incoming[i] = (uint32_t)(count / NODES_SHARDS);
    nodes_reserve(n, incoming, early, one);
    for (uint64_t k = first; k < first + count; k++) {
        bool fresh;
        holos_key key = {.lo = k};
        wave_node node = {.depth = (uint16_t)k, .flags = NODE_FORWARD};
        assert_non_null(nodes_insert(n, key, nodes_hash(key), NULL, node, &fresh, NULL));
        assert_true(fresh);
    }
}

static void nodes_check(const nodes *n, uint64_t count)
{
    for (uint64_t k = 0; k < count; k++) {
        node_at at = nodes_find(n, (holos_key){.lo = k});
        assert_true(at != NULL && node_load(at).depth == (uint16_t)k);
    }
    assert_int_equal(nodes_count(n), count);
}

/* What grows with others does so while it could wait, once for all of them; and loses nothing. */
static void test_tables_grow_early_when_asked(void **state)
{
    (void)state;
    enum { SOME = 8192, MANY = 4000000 / SHARE }; /* so many fill all shards evenly */
    nodes n;
    pool *one;
    mem_budget budget;
    uint64_t count = 0;
    mem_budget_init(&budget, 0);
    assert_int_equal(pool_open(1, &one, NULL), HOLOS_OK);
    assert_int_equal(nodes_init(&n, &budget, 1, 0, NULL), HOLOS_OK);
    /* Under a sanitizer that does not know how pages move, tables are never one block. */
    bool blocks = mem_resize_cost(1 << 24, 1 << 25) <= 1 << 24;
    for (unsigned early = 0; early < 3;) {
        bool soon = nodes_grow_soon(&n), sure = blocks && count > MANY;
        size_t before = n.block_bytes;
        nodes_fill(&n, one, count, SOME, soon);
        count += SOME;
        early += count > MANY && (soon || !blocks);
        assert_true(!sure || soon == (n.block_bytes > before));
        if (!sure || !soon)
            continue;
        before = n.block_bytes; /* there is room now, and asking once more takes none */
        assert_false(nodes_grow_soon(&n));
        nodes_fill(&n, one, count, SOME, true);
        count += SOME;
        assert_int_equal(n.block_bytes, before);
    }
    nodes_check(&n, count);
    nodes_free(&n);
    pool_close(one);
    assert_int_equal(budget.used, 0);
}

/* Bytes that a table may take at once, beside its usual steps. */
#define STEP_MOST ((size_t)130 << 20)

/* Fills a table that expects so many keys with `count` of them. How often all shards grew once a tenth of those expected were there. */
static unsigned nodes_fill_expecting(uint64_t expected, uint64_t count, uint64_t limit, pool *one)
{
    enum { SOME = 8192 };
    nodes n;
    mem_budget budget;
    unsigned grown = 0;
    mem_budget_init(&budget, limit);
    assert_int_equal(nodes_init(&n, &budget, 1, 0, NULL), HOLOS_OK);
    n.expected = expected;
    for (uint64_t k = 0; k < count; k += SOME) {
        size_t before = n.block_bytes;
        nodes_fill(&n, one, k, SOME, false);
        assert_true(n.block_bytes >= before && n.block_bytes <= before + before / 4 + STEP_MOST);
        grown += k >= expected / 10 && n.block_bytes > before;
    }
    nodes_check(&n, (count + SOME - 1) / SOME * SOME);
    nodes_free(&n);
    assert_int_equal(budget.used, 0);
    return grown;
}

/* A table whose size is known beforehand is copied once, not again and again; if it was wrong, or memory is short, it grows as others do. */
static void test_tables_grow_at_once_to_what_is_expected(void **state)
{
    (void)state;
    enum { MANY = 4000000 / SHARE };
    pool *one;
    assert_int_equal(pool_open(1, &one, NULL), HOLOS_OK);
    bool blocks = mem_resize_cost(1 << 24, 1 << 25) <= 1 << 24;
    unsigned alone = nodes_fill_expecting(0, MANY, 0, one), known = nodes_fill_expecting(MANY, MANY, 0, one);
    unsigned fewer = nodes_fill_expecting(MANY, MANY / 2, 0, one);
    unsigned more = nodes_fill_expecting(MANY / 2, MANY, 0, one);
    unsigned tight = nodes_fill_expecting(MANY, MANY, UINT64_C(28) * MANY, one);
    unsigned large = nodes_fill_expecting(4 * (uint64_t)MANY, MANY, 0, one); /* 360 MB in the end */
    assert_true(!blocks || alone > 8);
    assert_true(!blocks || (known > 0 && known <= 2)); /* one small step at the most before the large one */
    assert_int_equal(fewer, known);
    assert_true(!blocks || (more > 1 && more < 8));
    assert_true(!blocks || tight > 2);
    assert_true(!blocks || large > 0);
    pool_close(one);
}

static void test_a_backward_seed_must_be_known(void **state)
{
    (void)state;
    fixture f = fixture_open("connect4:4x4", NULL, "start");
    holos_wave_seed seed = {.position = f.p, .direction = HOLOS_WAVE_BACKWARD};
    assert_int_equal(holos_wave_add(f.w, &seed, &f.err), HOLOS_USAGE);
    assert_non_null(strstr(f.err.message, "known"));
    assert_int_equal(holos_parse(f.v, "1212121", f.p, &f.err), HOLOS_OK);
    assert_int_equal(holos_wave_add(f.w, &seed, &f.err), HOLOS_OK);
    fixture_close(&f);
}

/* Conjectures are counted and scored, and never pass for values. */
static void test_conjectures_are_scored_and_never_mixed_with_proofs(void **state)
{
    (void)state;
    fixture f = fixture_open("connect4:5x4", &(holos_wave_options){.limits.nodes = 60000}, "start");
    truth t;
    truth_init(&t, f.v);
    uint64_t guesses = 0;
    for (unsigned run = 0; run < 12 && fixture_run(&f, HOLOS_WAVE_OSMOSIS) != HOLOS_OK; run++) {
        for (unsigned shard = 0; shard < NODES_SHARDS; shard++) {
            node_at at;
            for (size_t i = 0; (at = nodes_next(&f.w->nodes, shard, &i)) != NULL;) {
                wave_node n = node_load(at);
                wave_position(f.w, slot_key(&f.w->nodes, at), f.p);
                holos_value value = holos_wave_query(f.w, f.p);
                holos_guess guess;
                assert_true(n.source < HOLOS_SOURCE_CONJECTURE && value.source < HOLOS_SOURCE_CONJECTURE);
                assert_true(value.lo == n.lo && value.hi == n.hi);
                if (!holos_wave_guess(f.w, f.p, &guess))
                    continue;
                assert_false(node_is_solved(n));
                assert_int_equal(guess.source, HOLOS_SOURCE_CONJECTURE);
                assert_in_range(guess.value + 100, n.lo + 100, n.hi + 100);
                guesses++;
            }
        }
    }
    assert_true(guesses > 0);
    assert_true(f.s.equiv_classes > 100 && f.s.equiv_tracked > 1000);
    assert_true(f.s.equiv_propagated > 0 && f.s.equiv_confirmed + f.s.equiv_refuted > 0);
    assert_true(f.s.equiv_confirmed + f.s.equiv_refuted <= f.s.equiv_propagated);
    table_free(&t.values);
    fixture_close(&f);
}

/* One run is enough to know how far conjectures can be trusted, in every mode; and what they were is known by counting: each
 * position that has an opinion of its class now has it until a proof comes. */
static void test_conjectures_are_scored_while_a_run_lasts(void **state)
{
    (void)state;
    for (size_t m = 0; m < 2; m++) {
        holos_wave_mode mode = m == 0 ? HOLOS_WAVE_WAVE : HOLOS_WAVE_AUTO;
        fixture f = fixture_open("connect4:5x4", NULL, "start");
        assert_int_equal(fixture_run(&f, mode), HOLOS_OK);
        assert_true(f.s.equiv_confirmed + f.s.equiv_refuted > 0);
        uint64_t waiting = 0;
        for (unsigned shard = 0; shard < NODES_SHARDS; shard++) {
            node_at at;
            for (size_t i = 0; (at = nodes_next(&f.w->nodes, shard, &i)) != NULL;) {
                wave_node n = node_load(at);
                waiting += (n.flags & NODE_CONJECTURE) != 0;
                assert_true((n.flags & NODE_CONJECTURE) == 0 || !node_is_solved(n));
            }
        }
        assert_int_equal(f.s.equiv_confirmed + f.s.equiv_refuted + waiting, f.s.equiv_propagated);
        fixture_close(&f);
    }
}

/* Where other boundary positions end their paths, less is known, and it is still true. */
static void test_goals_that_stop_leave_true_intervals(void **state)
{
    (void)state;
    const char *goals[] = {"draw"};
    for (size_t m = 0; m < 5; m++) {
        holos_wave_options options = {
            .goals = goals, .goal_count = 1, .goal_stops = true, .limits.nodes = 3000};
        fixture f = fixture_open("connect4:4x4", &options, "start");
        truth t;
        truth_init(&t, f.v);
        fixture_run(&f, all_modes[m]);
        assert_sound(f.w, &t, "goals");
        if (all_modes[m] == HOLOS_WAVE_WAVE)
            assert_true(f.s.goal_filtered > 0);
        table_free(&t.values);
        fixture_close(&f);
    }
}

/* ---- Cycles: a game on a random graph ---------------------------------------------------------- */

enum { GRAPH_NODES = 60, GRAPH_EDGES = 4, GRAPH_BEST = 3 };

typedef struct graph {
    uint8_t degree[GRAPH_NODES], to[GRAPH_NODES][GRAPH_EDGES];
    bool same[GRAPH_NODES][GRAPH_EDGES];
    int8_t value[GRAPH_NODES]; /* where the degree is 0 */
} graph;

typedef struct graph_position {
    uint8_t node, rest[15];
} graph_position;

static const graph *graph_of(const holos_variant *v)
{
    return v->rules;
}

static unsigned graph_node(const holos_position *p)
{
    return ((const graph_position *)p)->node;
}

static void graph_from_key(const holos_variant *v, holos_key key, holos_position *out)
{
    (void)v;
    graph_position p = {.node = (uint8_t)key.lo};
    memcpy(out, &p, sizeof p);
}

static holos_key graph_key(const holos_variant *v, const holos_position *p)
{
    (void)v;
    return (holos_key){.lo = graph_node(p)};
}

static void graph_write(const holos_variant *v, holos_edges out, uint32_t index, unsigned node, bool same)
{
    graph_position p = {.node = (uint8_t)node};
    if (out.edges != NULL)
        out.edges[index] = (holos_edge){.flags = same ? HOLOS_EDGE_SAME_SIDE : 0};
    if (out.positions != NULL)
        memcpy(position_at(v, out.positions, index), &p, sizeof p);
    if (out.keys != NULL)
        out.keys[index] = (holos_key){.lo = node};
}

static uint32_t graph_expand(const holos_variant *v, const holos_position *p, holos_edges out)
{
    const graph *g = graph_of(v);
    unsigned node = graph_node(p);
    for (uint32_t i = 0; i < g->degree[node]; i++)
        graph_write(v, out, i, g->to[node][i], g->same[node][i]);
    return g->degree[node];
}

static uint32_t graph_predecessors(const holos_variant *v, const holos_position *p, holos_edges out)
{
    const graph *g = graph_of(v);
    uint32_t count = 0;
    for (unsigned node = 0; node < GRAPH_NODES; node++)
        for (unsigned i = 0; i < g->degree[node]; i++)
            if (g->to[node][i] == graph_node(p))
                graph_write(v, out, count++, node, g->same[node][i]);
    return count;
}

static bool graph_terminal(const holos_variant *v, const holos_position *p, int32_t *score)
{
    *score = graph_of(v)->value[graph_node(p)];
    return graph_of(v)->degree[graph_node(p)] == 0;
}

static holos_edge graph_play(const holos_variant *v, const holos_position *p, holos_move move,
                             holos_position *out)
{
    graph_position to = {.node = graph_of(v)->to[graph_node(p)][move]};
    bool same = graph_of(v)->same[graph_node(p)][move];
    memcpy(out, &to, sizeof to);
    return (holos_edge){.flags = same ? HOLOS_EDGE_SAME_SIDE : 0};
}

static const holos_back graph_back = {.predecessors = graph_predecessors};
static const holos_game graph_game = {
    .name = "graph",
    .traits = HOLOS_TRAIT_CYCLIC | HOLOS_TRAIT_SAME_SIDE,
    .expand = graph_expand,
    .play = graph_play,
    .terminal = graph_terminal,
    .key = graph_key,
    .identity = graph_key,
    .from_key = graph_from_key,
    .from_identity = graph_from_key,
    .back = &graph_back,
};

static void graph_random(graph *g, rng *r)
{
    memset(g, 0, sizeof *g);
    for (unsigned node = 0; node < GRAPH_NODES; node++) {
        g->degree[node] = (uint8_t)(rng_below(r, 5) == 0 ? 0 : 1 + rng_below(r, GRAPH_EDGES));
        g->value[node] = (int8_t)((int)rng_below(r, 2 * GRAPH_BEST + 1) - GRAPH_BEST);
        for (unsigned i = 0; i < g->degree[node]; i++) {
            g->to[node][i] = (uint8_t)rng_below(r, GRAPH_NODES);
            g->same[node][i] = rng_below(r, 4) == 0;
        }
    }
}

/* The value if the game is called off as a draw after so many moves that no one can force anything later. */
static void graph_truth(const graph *g, int values[GRAPH_NODES])
{
    memset(values, 0, GRAPH_NODES * sizeof *values);
    for (unsigned round = 0; round < 4 * GRAPH_NODES; round++) {
        int next[GRAPH_NODES];
        for (unsigned node = 0; node < GRAPH_NODES; node++) {
            next[node] = g->degree[node] == 0 ? g->value[node] : -GRAPH_BEST;
            for (unsigned i = 0; i < g->degree[node]; i++) {
                int value = values[g->to[node][i]];
                value = g->same[node][i] ? value : -value;
                next[node] = value > next[node] ? value : next[node];
            }
        }
        memcpy(values, next, sizeof next);
    }
}

static void test_cycles_are_draws_only_when_nothing_is_left_open(void **state)
{
    (void)state;
    rng r;
    rng_init(&r, 7, 0);
    graph g;
    holos_variant v = {.game = &graph_game,
                       .name = "graph",
                       .position_size = sizeof(graph_position),
                       .max_successors = GRAPH_EDGES,
                       .max_predecessors = GRAPH_NODES * GRAPH_EDGES,
                       .score_min = -GRAPH_BEST,
                       .score_max = GRAPH_BEST,
                       .rules = &g};
    for (unsigned i = 0; i < 600; i++) {
        graph_random(&g, &r);
        int values[GRAPH_NODES];
        graph_truth(&g, values);
        holos_wave_options options = {.seed = i, .boundary_seeds = 4};
        if (i % 2 == 1)
            options.limits.nodes = 1 + rng_below(&r, GRAPH_NODES);
        holos_wave *w;
        holos_error err;
        assert_int_equal(holos_wave_open(&v, &options, &w, &err), HOLOS_OK);
        graph_position p = {.node = 0};
        holos_wave_add(w, &(holos_wave_seed){.position = (const holos_position *)&p}, &err);
        holos_status status = holos_wave_run(w, all_modes[i / 2 % 5], &err);
        holos_value value = holos_wave_query(w, (const holos_position *)&p);
        if (options.limits.nodes == 0) {
            assert_int_equal(status, HOLOS_OK);
            assert_true(holos_value_is_solved(value));
        }
        for (unsigned node = 0; node < GRAPH_NODES; node++) {
            p.node = (uint8_t)node;
            value = holos_wave_query(w, (const holos_position *)&p);
            if (value.lo > values[node] || value.hi < values[node])
                fail_msg("graph %u, node %u: [%d, %d] does not contain %d", i, node, value.lo, value.hi,
                         values[node]);
        }
        holos_wave_close(w);
    }
}

/* ---- Sudoku ------------------------------------------------------------------------------------ */

/* 73 givens, as in the example that osmosis was first shown with. */
static void test_osmosis_fills_eight_cells_in_few_steps(void **state)
{
    (void)state;
    const char *full = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    char puzzle[82];
    memcpy(puzzle, full, sizeof puzzle);
    const int empty[] = {3, 12, 24, 37, 44, 50, 63, 78};
    for (size_t i = 0; i < 8; i++)
        puzzle[empty[i]] = '.';
    fixture f = fixture_open("sudoku", NULL, puzzle);
    assert_int_equal(fixture_run(&f, HOLOS_WAVE_OSMOSIS), HOLOS_OK);
    assert_int_equal(holos_wave_query(f.w, f.p).lo, 1);
    assert_true(f.s.osmosis_steps <= 9);
    fixture_close(&f);
}

static void test_osmosis_solves_easy_medium_and_hard_sudokus(void **state)
{
    (void)state;
    const struct {
        const char *puzzle;
        int32_t solvable;
        uint64_t steps;
    } puzzles[] = {
        {"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79", 1, 100},
        {"1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..", 1, 5000},
        {"8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..", 1, 20000},
        {"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..97", 0, 5000},
    };
    for (size_t i = 0; i < sizeof puzzles / sizeof *puzzles; i++) {
        fixture f = fixture_open("sudoku", NULL, puzzles[i].puzzle);
        assert_int_equal(fixture_run(&f, HOLOS_WAVE_OSMOSIS), HOLOS_OK);
        holos_value value = holos_wave_query(f.w, f.p);
        assert_int_equal(value.lo, puzzles[i].solvable);
        assert_int_equal(value.hi, puzzles[i].solvable);
        if (f.s.osmosis_steps > puzzles[i].steps)
            fail_msg("%s: %llu steps", puzzles[i].puzzle, (unsigned long long)f.s.osmosis_steps);
        fixture_close(&f);
    }
}

/* An argument chooses tests by a pattern of their names: '*disk*'. */
/* ---- Depths of seeds --------------------------------------------------------------------------- */

/* Adds what can be reached from p in so many steps, with the steps that are left there. */
static void ball_add(const holos_variant *v, table *ball, const holos_position *p, unsigned depth)
{
    const holos_game *game = v->game;
    bool fresh;
    uint64_t *left = table_insert(ball, game->key(v, p), &fresh);
    assert_non_null(left);
    if (!fresh && *left >= depth)
        return;
    *left = depth;
    int32_t score;
    if (depth == 0 || game->terminal(v, p, &score))
        return;
    holos_position *children = aligned_alloc(16, v->max_successors * v->position_size);
    assert_non_null(children);
    uint32_t count = game->expand(v, p, (holos_edges){.positions = children});
    for (uint32_t i = 0; i < count; i++)
        ball_add(v, ball, position_at(v, children, i), depth - 1);
    free(children);
}

/* A position some random moves from the start. */
static void stroll(const holos_variant *v, rng *r, unsigned most, holos_position *p)
{
    int32_t score;
    holos_edge *edges = calloc(v->max_successors, sizeof *edges);
    assert_non_null(edges);
    v->game->start(v, p);
    for (unsigned left = (unsigned)rng_below(r, most + 1); left > 0 && !v->game->terminal(v, p, &score);
         left--) {
        uint32_t count = v->game->expand(v, p, (holos_edges){.edges = edges});
        v->game->play(v, p, edges[rng_below(r, count)].move, p);
    }
    free(edges);
}

/* Every position of the wave is in the ball, and if `whole` the other way round. */
static void assert_fills(const holos_wave *w, const table *ball, bool whole)
{
    uint64_t count = 0;
    for (unsigned shard = 0; shard < NODES_SHARDS; shard++) {
        node_at at;
        for (size_t i = 0; (at = nodes_next(&w->nodes, shard, &i)) != NULL; count++)
            assert_non_null(table_find(ball, slot_key(&w->nodes, at)));
    }
    if (whole)
        assert_int_equal(count, ball->count);
}

static void seeds_case(const char *variant, rng *r)
{
    static const holos_wave_mode modes[] = {HOLOS_WAVE_AUTO, HOLOS_WAVE_LIGHTNING, HOLOS_WAVE_WAVE,
                                            HOLOS_WAVE_CRYSTAL, HOLOS_WAVE_OSMOSIS};
    bool limited = rng_below(r, 2) == 0, whole = rng_below(r, 2) == 0;
    holos_wave_options options = {.graph = whole,
                                  .no_backward = true,
                                  .forward_depth = limited ? (unsigned)(1 + rng_below(r, 6)) : 0,
                                  .threads = (unsigned)(1 + rng_below(r, 2))};
    holos_error err;
    holos_variant *v;
    holos_wave *w;
    table ball;
    assert_int_equal(holos_open(variant, &v, &err), HOLOS_OK);
    assert_int_equal(holos_wave_open(v, &options, &w, &err), HOLOS_OK);
    assert_int_equal(table_init(&ball, NULL, sizeof(uint64_t), 1000, NULL), HOLOS_OK);
    holos_position *p = holos_position_new(v);
    unsigned deepest = 0;
    for (unsigned round = 0; round < 2; round++) { /* in the second, seeds come to a wave that has run */
        for (uint64_t count = 1 + rng_below(r, 4); count > 0; count--) {
            unsigned depth = (unsigned)rng_below(r, limited ? 8 : 6);
            if (!limited && depth == 0)
                depth = 1;
            if (!limited && round == 1 && depth > deepest)
                depth = deepest;
            deepest = depth > deepest ? depth : deepest;
            stroll(v, r, 8, p);
            holos_wave_seed seed = {.position = p, .depth = depth};
            assert_int_equal(holos_wave_add(w, &seed, &err), HOLOS_OK);
            bool wave_limit = limited && (depth == 0 || depth > options.forward_depth);
            ball_add(v, &ball, p, wave_limit ? options.forward_depth : depth);
        }
        assert_int_equal(holos_wave_run(w, modes[rng_below(r, 5)], &err), HOLOS_OK);
        assert_fills(w, &ball, whole);
    }
    holos_position_free(p);
    table_free(&ball);
    holos_wave_close(w);
    holos_close(v);
}

static void test_every_seed_goes_as_far_as_its_own_depth(void **state)
{
    (void)state;
    rng r;
    rng_init(&r, 2024, 0);
    for (unsigned i = 0; i < 150 / SHARE; i++)
        seeds_case(i % 2 == 0 ? "kalah:3,3" : "connect4:5x4", &r);
}

static void test_depths_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    fixture f = fixture_open("connect4:4x4", &(holos_wave_options){.graph = true}, "start");
    holos_wave_seed seed = {.position = f.p, .depth = 3};
    assert_int_equal(holos_wave_add(f.w, &seed, &f.err), HOLOS_OK);
    assert_int_equal(fixture_run(&f, HOLOS_WAVE_WAVE), HOLOS_USAGE);
    assert_non_null(strstr(f.err.message, "depth limit"));
    holos_wave_reset(f.w);
    assert_int_equal(holos_wave_add(f.w, &seed, &f.err), HOLOS_OK);
    assert_int_equal(fixture_run(&f, HOLOS_WAVE_WAVE), HOLOS_OK);
    seed.depth = 4;
    assert_int_equal(holos_wave_add(f.w, &seed, &f.err), HOLOS_USAGE);
    assert_non_null(strstr(f.err.message, "3 steps"));
    fixture_close(&f);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layers_of_connect4_are_the_published_ones),
        cmocka_unit_test(test_folded_layers_are_the_pairs_of_the_unfolded_ones),
        cmocka_unit_test(test_whole_graphs_have_the_published_sizes),
        cmocka_unit_test(test_every_mode_proves_small_boards),
        cmocka_unit_test(test_values_are_those_of_alphabeta),
        cmocka_unit_test(test_intervals_hold_at_a_thousand_random_stops),
        cmocka_unit_test(test_memory_limit_stops_soundly_and_is_kept),
        cmocka_unit_test(test_a_wave_goes_on_from_disk_past_its_memory),
        cmocka_unit_test(test_osmosis_goes_on_from_disk_soundly),
        cmocka_unit_test(test_results_do_not_depend_on_the_number_of_threads),
        cmocka_unit_test(test_a_wave_goes_on_where_it_was_stopped),
        cmocka_unit_test(test_limits_say_how_often_they_bit),
        cmocka_unit_test(test_sorting_is_given_up_when_asked),
        cmocka_unit_test(test_tables_grow_early_when_asked),
        cmocka_unit_test(test_tables_grow_at_once_to_what_is_expected),
        cmocka_unit_test(test_a_backward_seed_must_be_known),
        cmocka_unit_test(test_conjectures_are_scored_and_never_mixed_with_proofs),
        cmocka_unit_test(test_conjectures_are_scored_while_a_run_lasts),
        cmocka_unit_test(test_goals_that_stop_leave_true_intervals),
        cmocka_unit_test(test_cycles_are_draws_only_when_nothing_is_left_open),
        cmocka_unit_test(test_osmosis_fills_eight_cells_in_few_steps),
        cmocka_unit_test(test_osmosis_solves_easy_medium_and_hard_sudokus),
        cmocka_unit_test(test_every_seed_goes_as_far_as_its_own_depth),
        cmocka_unit_test(test_depths_that_make_no_sense_are_refused),
    };
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
