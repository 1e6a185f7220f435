/* SPDX-License-Identifier: MIT */

/* Searches above the tables of chess: with tables of few pieces as the boundary, what proofs, regions and waves say of
 * positions with more must be what the generator of tables says. And the same engines on games without tables. */

#include "unit.h"

#include "core/clock.h"
#include "core/rng.h"
#include "engine/region/region.h"
#include "games/chess/chess.h"
#include "games/chess/kinds.h"
#include "games/chess/tables/memory.h"

static bool long_tests(void)
{
    return getenv("HOLOS_LONG_TESTS") != NULL;
}

/* ---- Tables as a boundary ---------------------------------------------------------------------- */

/* Tables of a material and of all below it. As a boundary they only tell of up to `pieces` pieces; the truth is all. */
typedef struct fixture {
    holos_variant *v;
    tb_key key;
    memory_tables *tables;
    unsigned pieces;
    holos_boundary boundary;
    holos_error err;
} fixture;

static holos_status score_few(void *context, const holos_position *p, int32_t *score, bool *found,
                              holos_error *err)
{
    const fixture *f = context;
    (void)err;
    *found = set_count(chess_of(p)->kinds[CHESS_ANY]) <= f->pieces &&
             memory_tables_wdl(f->tables, chess_of(p), score);
    return HOLOS_OK;
}

static holos_status find_few(void *context, const holos_position *p, holos_value *out, holos_error *err)
{
    int32_t score;
    bool found;
    score_few(context, p, &score, &found, err);
    if (found) {
        out->lo = out->hi = score;
        out->source = HOLOS_SOURCE_TABLE;
    }
    return HOLOS_OK;
}

static void fixture_open(fixture *f, const char *material, unsigned pieces)
{
    *f = (fixture){.pieces = pieces};
    assert_ok(holos_open("chess", &f->v, &f->err), f->err);
    assert_ok(key_parse(material, &f->key, &f->err), f->err);
    assert_ok(memory_tables_open(&f->key, 1, NULL, NULL, &f->tables, &f->err), f->err);
    f->boundary = (holos_boundary){.context = f, .find = find_few, .score = score_few};
}

static void fixture_close(fixture *f)
{
    memory_tables_close(f->tables);
    holos_close(f->v);
}

static int truth(const fixture *f, const holos_position *p)
{
    int wdl;
    assert_true(memory_tables_wdl(f->tables, chess_of(p), &wdl));
    return wdl;
}

/* Without a clock, what the fifty-move rule spoils on the way to the tables is a win: then the table says 1 where the search
 * says 2. Anything else must be the same. */
static bool agrees(int32_t found, int wdl)
{
    return found == wdl || (abs(wdl) == 1 && found == 2 * wdl);
}

static void assert_agrees(const fixture *f, const holos_position *p, holos_value value)
{
    int wdl = truth(f, p);
    char fen[128];
    if (value.lo > wdl && !agrees(value.lo, wdl)) {
        holos_format(f->v, p, fen, sizeof fen);
        fail_msg("%s: at least %d, but the table says %d", fen, value.lo, wdl);
    }
    if (value.hi < wdl && !agrees(value.hi, wdl)) {
        holos_format(f->v, p, fen, sizeof fen);
        fail_msg("%s: at most %d, but the table says %d", fen, value.hi, wdl);
    }
    if (value.lo == value.hi)
        assert_true(agrees(value.lo, wdl));
}

/* ---- Materials --------------------------------------------------------------------------------- */

static void test_parents_are_the_other_way_of_successors(void **state)
{
    (void)state;
    tb_key all[TB_TABLES_MOST], parents[KEY_PARENTS_MOST], next[KEY_SUCCESSORS_MOST];
    size_t count = key_all(5, all, TB_TABLES_MOST), edges = 0, back = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned up = key_parents(all[i], 5, parents);
        back += up;
        for (unsigned k = 0; k < up; k++) {
            unsigned down = key_successors(parents[k], next), at = 0;
            while (at < down && next[at] != all[i])
                at++;
            assert_true(at < down);
        }
        edges += key_successors(all[i], next);
    }
    assert_int_equal(edges, back);
}

/* More pieces than any table has: the start of a game, and what a game may come to. */
static void test_the_richest_materials_have_room_for_their_successors(void **state)
{
    (void)state;
    holos_variant *v;
    holos_error err;
    tb_key next[KEY_SUCCESSORS_MOST + 1];
    assert_ok(holos_open("chess", &v, &err), err);
    holos_position *p = holos_position_new(v);
    assert_in_range(key_successors(v->game->kinds->of(v, p), next), 20, KEY_SUCCESSORS_MOST);
    assert_ok(holos_parse(v, "rnbqkbnr/ppppppp1/8/8/8/8/PPPPPPPP/RNBQKBN1 w Qkq - 0 1", p, &err), err);
    assert_in_range(key_successors(v->game->kinds->of(v, p), next), 45, KEY_SUCCESSORS_MOST);
    holos_position_free(p);
    holos_close(v);
}

static void test_the_parents_of_a_material_have_one_piece_more_or_a_pawn(void **state)
{
    (void)state;
    holos_variant *v;
    holos_error err;
    holos_kind kind, parents[KEY_PARENTS_MOST];
    char words[512];
    text t;
    assert_ok(holos_open("chess", &v, &err), err);
    assert_ok(v->game->kinds->parse(v, "KRvKQ", &kind, &err), err);
    text_init_fixed(&t, words, sizeof words);
    v->game->kinds->format(v, kind, &t);
    assert_string_equal(words, "KQvKR");
    size_t count = v->game->kinds->parents(v, kind, parents, KEY_PARENTS_MOST);
    text_init_fixed(&t, words, sizeof words);
    for (size_t i = 0; i < count; i++) {
        text_char(&t, i > 0 ? ' ' : '>');
        v->game->kinds->format(v, parents[i], &t);
    }
    assert_non_null(strstr(words, "KRvKP"));
    assert_non_null(strstr(words, "KQvKP"));
    assert_non_null(strstr(words, "KQRvKQ"));
    assert_non_null(strstr(words, "KRRvKP")); /* the pawn takes a rook and becomes a queen */
    assert_null(strstr(words, "KQvKR"));
    assert_fails(v->game->kinds->parse(v, "KQvX", &kind, &err), err, HOLOS_USAGE, "king");
    holos_close(v);
}

/* ---- Numbers ----------------------------------------------------------------------------------- */

static void count_positions(const char *material, uint64_t strong, uint64_t weak)
{
    fixture f;
    kind_numbers *n;
    uint64_t counts[2] = {0}, back;
    fixture_open(&f, material, 3);
    const holos_kinds *kinds = f.v->game->kinds;
    holos_position *p = holos_position_new(f.v), *images = aligned_alloc(16, 16 * sizeof(chess_position));
    assert_ok(kinds->open(f.v, f.key, &n, &f.err), f.err);
    for (uint64_t i = 0; i < kinds->size(n); i++) {
        if (!kinds->unrank(n, i, p))
            continue;
        counts[key_of(chess_of(p)) == f.key ? chess_of(p)->side : 1 - chess_of(p)->side]++;
        if (i % 97 != 0)
            continue;
        uint32_t many = f.v->game->symmetries(f.v, p, images); /* all have the same number */
        for (uint32_t k = 0; k < many; k++) {
            assert_true(kinds->rank(n, position_at(f.v, images, k), &back));
            assert_int_equal(back, i);
        }
    }
    assert_int_equal(counts[0], strong);
    assert_int_equal(counts[1], weak);
    kinds->close(n);
    free(images);
    holos_position_free(p);
    fixture_close(&f);
}

static void test_numbers_stand_for_each_class_of_positions_once(void **state)
{
    (void)state;
    count_positions("KQvK", 18081, 2896 + 25160);
    count_positions("KRvK", 21959, 2796 + 25260);
    count_positions("KPvK", 62480 + 19184, 35210 + 48802);
    count_positions("KQvKR", 1108111 + 8963 + 2142, 386313 + 78518 + 883075);
}

static void test_predecessors_among_kinds_are_those_of_that_kind(void **state)
{
    (void)state;
    holos_variant *v;
    holos_error err;
    assert_ok(holos_open("chess", &v, &err), err);
    holos_position *p = holos_position_new(v),
                   *all = aligned_alloc(16, v->max_predecessors * v->position_size),
                   *some = aligned_alloc(16, v->max_predecessors * v->position_size);
    assert_ok(holos_parse(v, "8/8/8/3k4/8/8/1r6/K3Q3 b - -", p, &err), err);
    holos_kind wanted[3] = {0};
    assert_ok(v->game->kinds->parse(v, "KQvKR", &wanted[0], &err), err);
    assert_ok(v->game->kinds->parse(v, "KQvKRN", &wanted[1], &err), err);
    assert_ok(v->game->kinds->parse(v, "KPvKR", &wanted[2], &err), err);
    for (unsigned i = 0; i < 3; i++)
        for (unsigned k = 0; k + 1 < 3; k++)
            if (wanted[k] > wanted[k + 1]) {
                holos_kind swap = wanted[k];
                wanted[k] = wanted[k + 1];
                wanted[k + 1] = swap;
            }
    uint32_t many = v->game->back->predecessors(v, p, (holos_edges){.positions = all}), kept = 0;
    uint32_t few = v->game->kinds->predecessors(v, p, wanted, 3, (holos_edges){.positions = some});
    for (uint32_t i = 0; i < many; i++) {
        holos_kind kind = v->game->kinds->of(v, position_at(v, all, i));
        if (kind != wanted[0] && kind != wanted[1] && kind != wanted[2])
            continue;
        assert_true(kept < few);
        assert_memory_equal(position_at(v, all, i), position_at(v, some, kept), v->position_size);
        kept++;
    }
    assert_int_equal(kept, few);
    assert_true(few > 0 && few < many);
    free(all);
    free(some);
    holos_position_free(p);
    holos_close(v);
}

/* ---- Regions ----------------------------------------------------------------------------------- */

typedef struct comparison {
    const fixture *f;
    uint64_t positions, spoilt;
} comparison;

static bool compare(void *context, const holos_position *p, holos_value value)
{
    comparison *c = context;
    int wdl = truth(c->f, p);
    if (value.lo != value.hi || !agrees(value.lo, wdl)) {
        char fen[128];
        holos_format(c->f->v, p, fen, sizeof fen);
        fail_msg("%s: [%d, %d], but the table says %d", fen, value.lo, value.hi, wdl);
    }
    c->positions++;
    c->spoilt += value.lo != wdl;
    return true;
}

/* Every position of a material, with tables of fewer pieces as the boundary. */
static void check_region(const char *material, unsigned pieces, unsigned threads)
{
    fixture f;
    regions *r;
    pool *workers;
    mem_budget budget;
    double began = clock_cpu();
    fixture_open(&f, material, pieces);
    double made = clock_cpu();
    mem_budget_init(&budget, 0);
    assert_ok(pool_open(threads, &workers, &f.err), f.err);
    regions_setup setup = {.v = f.v, .boundary = &f.boundary, .budget = &budget, .threads = workers};
    assert_ok(regions_open(&setup, &r, &f.err), f.err);
    assert_ok(regions_solve(r, f.key, NULL, &f.err), f.err);
    double solved = clock_cpu();
    for (size_t i = 0; regions_report(r, i) != NULL; i++) {
        const region_report *report = regions_report(r, i);
        comparison c = {.f = &f};
        assert_true(regions_each(r, report->kind, compare, &c));
        assert_int_equal(c.positions, report->positions);
        assert_int_equal(report->open, 0);
        if (long_tests()) {
            char name[TB_NAME_SIZE];
            print_message(
                "%s above %u: %llu positions, %llu wins, %llu draws, %llu losses, %u plies; all as the "
                "table has them, %llu of them wins or losses that the fifty-move rule spoils\n",
                key_name(report->kind, name), pieces, (unsigned long long)report->positions,
                (unsigned long long)report->wins, (unsigned long long)report->draws,
                (unsigned long long)report->losses, report->plies, (unsigned long long)c.spoilt);
        }
    }
    if (long_tests())
        print_message("%s: tables %.1f s, regions %.1f s of processor time\n", material, made - began,
                      solved - made);
    regions_close(r);
    pool_close(workers);
    fixture_close(&f);
}

static void test_every_position_of_four_pieces_above_three_is_as_the_table_has_it(void **state)
{
    (void)state;
    check_region("KRvKN", 3, 2);
    check_region("KPvK", 2, 1); /* with promotions, which are solved before */
    if (!long_tests())
        return;
    check_region("KQvKR", 3, 2);
    check_region("KBPvK", 3, 2);
}

static void test_every_position_of_five_pieces_above_four_is_as_the_table_has_it(void **state)
{
    (void)state;
    const char *material = getenv("HOLOS_ABOVE");
    if (!long_tests())
        return;
    check_region(material != NULL ? material : "KRBvKR", 4, 2);
}

static void test_a_region_says_what_it_does_not_know(void **state)
{
    (void)state;
    fixture f;
    regions *r;
    pool *workers;
    mem_budget budget;
    holos_value value;
    fixture_open(&f, "KQvK", 2);
    mem_budget_init(&budget, (size_t)16 << 20);
    assert_ok(pool_open(1, &workers, &f.err), f.err);
    regions_setup setup = {.v = f.v, .budget = &budget, .threads = workers};
    assert_ok(regions_open(&setup, &r, &f.err), f.err);
    assert_ok(regions_solve(r, f.key, NULL, &f.err), f.err);
    assert_int_equal(regions_report(r, 0)->positions, 18081 + 2896 + 25160);
    assert_int_equal(regions_report(r, 0)->plies, 20); /* mate in 10 */
    tb_key larger;
    assert_ok(key_parse("KQvKR", &larger, &f.err), f.err);
    assert_fails(regions_solve(r, larger, NULL, &f.err), f.err, HOLOS_NO_MEMORY, "a region needs");
    assert_ok(key_parse("KPvKP", &larger, &f.err), f.err);
    holos_position *p = holos_position_new(f.v);
    assert_ok(holos_parse(f.v, "8/8/8/3k4/8/8/1r6/K3Q3 b - -", p, &f.err), f.err);
    assert_false(regions_find(r, p, &value, NULL));
    assert_int_equal(value.lo, -2);
    assert_int_equal(value.hi, 2);
    holos_position_free(p);
    regions_close(r);
    pool_close(workers);
    fixture_close(&f);
}

/* ---- Proofs ------------------------------------------------------------------------------------ */

/* Random positions of a material; returns how many were solved. */
static unsigned check_engine(const fixture *f, const char *engine, unsigned samples, uint64_t nodes,
                             const holos_boundary *boundary)
{
    holos_solver_options options = {
        .engine = engine, .limits = {.nodes = nodes, .memory = (size_t)256 << 20}, .boundary = boundary};
    holos_solver *solver;
    holos_error err;
    holos_result result;
    rng r;
    unsigned solved = 0;
    rng_init(&r, 1, f->key);
    assert_ok(holos_solver_open(f->v, &options, &solver, &err), err);
    holos_position *p = holos_position_new(f->v);
    for (unsigned i = 0; i < samples; i++) {
        assert_true(f->v->game->kinds->random(f->v, f->key, &r, p));
        holos_status status = holos_solver_solve(solver, p, &result, &err);
        assert_true(status == HOLOS_OK || status == HOLOS_LIMIT);
        assert_agrees(f, p, result.value);
        solved += status == HOLOS_OK;
        assert_int_equal(status == HOLOS_OK, result.value.lo == result.value.hi);
    }
    holos_position_free(p);
    holos_solver_close(solver);
    return solved;
}

static void test_proofs_above_tables_agree_with_the_table_above(void **state)
{
    (void)state;
    static const struct {
        const char *material;
        unsigned samples, least; /* so many must be solved */
    } cases[] = {{"KQvKN", 60, 40}, {"KRvKN", 60, 12}, {"KQvKR", 60, 20}, {"KBNvK", 40, 4}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture f;
        fixture_open(&f, cases[i].material, 3);
        unsigned solved = check_engine(&f, "proof", cases[i].samples, 20000, &f.boundary);
        if (solved < cases[i].least)
            fail_msg("%s: only %u of %u solved", cases[i].material, solved, cases[i].samples);
        fixture_close(&f);
    }
}

/* Without any tables a search of this size finds few mates. What it finds must be true all the same, and above all it must
 * not take the many repetitions on the way for draws. */
static void test_repetitions_are_not_sold_as_draws(void **state)
{
    (void)state;
    static const char *const materials[] = {"KQvK", "KRvK", "KPvK"};
    for (unsigned i = 0; i < 3; i++) {
        fixture f;
        fixture_open(&f, materials[i], 2);
        check_engine(&f, "proof", 40, 3000, NULL);
        fixture_close(&f);
    }
}

static void test_waves_above_tables_agree_with_the_table_above(void **state)
{
    (void)state;
    fixture f;
    fixture_open(&f, "KQvKN", 3);
    unsigned solved = check_engine(&f, "wave", 12, 1500, &f.boundary);
    assert_true(solved >= 3);
    fixture_close(&f);
}

/* Five pieces with tables of up to four below them. The verdicts are those of the tables that holos builds for five. */
static void test_some_positions_of_five_pieces_are_proven_above_four(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        int score;
    } known[] = {
        {"8/5r2/8/K6k/8/6Q1/8/2q5 b - -", 2},   {"8/8/4r1K1/Q7/q5k1/8/8/8 w - -", -2},
        {"1k6/8/8/1qQ5/8/2R5/3K4/8 b - -", -2}, {"5K2/6Q1/8/7r/1k6/7q/8/8 b - -", 2},
        {"4Q3/2K5/8/8/1qRk4/8/8/8 b - -", 0},   {"2k3K1/8/8/8/8/8/q3r3/5Q2 w - -", -2},
        {"K7/4q3/2k5/4R3/8/1Q6/8/8 b - -", 0},  {"8/8/5Q2/8/6q1/2r5/1K6/6k1 w - -", 0},
        {"8/1K6/8/q7/8/k7/4Q3/7r b - -", 2},    {"4k3/1Q6/8/1K4q1/R7/8/8/8 w - -", 2},
    };
    fixture f = {.pieces = 4};
    tb_key keys[4];
    static const char *const names[] = {"KQvKQ", "KQvKR", "KQRvK", "KRvKR"};
    assert_ok(holos_open("chess", &f.v, &f.err), f.err);
    for (unsigned i = 0; i < 4; i++)
        assert_ok(key_parse(names[i], &keys[i], &f.err), f.err);
    assert_ok(memory_tables_open(keys, 4, NULL, NULL, &f.tables, &f.err), f.err);
    f.boundary = (holos_boundary){.context = &f, .find = find_few, .score = score_few};
    holos_solver_options options = {.boundary = &f.boundary, .line = true};
    holos_solver *solver;
    assert_ok(holos_solver_open(f.v, &options, &solver, &f.err),
              f.err); /* above tables it is the first choice */
    holos_position *p = holos_position_new(f.v);
    for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++) {
        holos_result r;
        int32_t score;
        assert_ok(holos_parse(f.v, known[i].fen, p, &f.err), f.err);
        assert_ok(holos_solver_solve(solver, p, &r, &f.err), f.err);
        assert_string_equal(r.engine, "proof");
        assert_int_equal(r.value.lo, known[i].score);
        assert_int_equal(r.best_count, 1);
        /* A line of a win or loss ends where the tables show it. */
        for (size_t k = 0; k < r.line_length; k++)
            assert_ok(holos_play(f.v, p, r.line[k], p, &f.err), f.err);
        if (known[i].score == 0)
            continue;
        assert_true(r.line_length > 0);
        if (!f.v->game->terminal(f.v, p, &score)) {
            bool found;
            score_few(&f, p, &score, &found, NULL);
            assert_true(found);
        }
        assert_int_equal(r.line_length % 2 == 0 ? score : -score, known[i].score);
    }
    holos_solver_close(solver);
    holos_position_free(p);
    memory_tables_close(f.tables);
    holos_close(f.v);
}

/* Nobody can get through: the draw is a closed region, found without any table. */
static void test_a_fortress_is_a_draw(void **state)
{
    (void)state;
    static const char *const fens[] = {"8/8/1k6/1p1p1p1p/1P1P1P1P/1K6/8/8 w - -",
                                       "8/8/1k6/1p1p1p1p/1P1P1P1P/1K6/8/8 b - -"};
    holos_variant *v;
    holos_error err;
    holos_solver *solver;
    holos_solver_options options = {.engine = "proof", .limits = {.nodes = 2000000}};
    assert_ok(holos_open("chess", &v, &err), err);
    assert_ok(holos_solver_open(v, &options, &solver, &err), err);
    holos_position *p = holos_position_new(v);
    for (unsigned i = 0; i < 2; i++) {
        holos_result r;
        assert_ok(holos_parse(v, fens[i], p, &err), err);
        assert_ok(holos_solver_solve(solver, p, &r, &err), err);
        assert_int_equal(r.value.lo, 0);
        assert_int_equal(r.value.hi, 0);
        assert_int_equal(r.best_count, 1);
    }
    holos_position_free(p);
    holos_solver_close(solver);
    holos_close(v);
}

/* ---- Games without tables ---------------------------------------------------------------------- */

static void check_game(const char *variant, const char *other, unsigned samples, unsigned plies)
{
    holos_variant *v;
    holos_error err;
    holos_solver *proofs, *truths;
    holos_solver_options options = {.engine = "proof", .moves = true},
                         truly = {.engine = other, .moves = true};
    rng r;
    rng_init(&r, 3, 0);
    assert_ok(holos_open(variant, &v, &err), err);
    assert_ok(holos_solver_open(v, &options, &proofs, &err), err);
    assert_ok(holos_solver_open(v, &truly, &truths, &err), err);
    holos_position *p = holos_position_new(v);
    for (unsigned i = 0; i < samples; i++) {
        holos_move moves[64];
        holos_result a, b;
        assert_ok(holos_start(v, p, &err), err);
        for (unsigned k = 0; k < i % (plies + 1); k++) {
            size_t count = holos_moves(v, p, moves, 64);
            if (count > 0)
                assert_ok(holos_play(v, p, moves[rng_below(&r, count)], p, &err), err);
        }
        assert_ok(holos_solver_solve(proofs, p, &a, &err), err);
        assert_ok(holos_solver_solve(truths, p, &b, &err), err);
        assert_int_equal(a.value.lo, b.value.lo);
        assert_int_equal(a.value.hi, b.value.hi);
        assert_int_equal(a.move_count, b.move_count);
        for (size_t k = 0; k < a.move_count; k++) {
            assert_int_equal(a.moves[k].value.lo, b.moves[k].value.lo);
            assert_int_equal(a.moves[k].value.hi, b.moves[k].value.hi);
        }
        assert_int_equal(a.best_count, b.best_count);
    }
    holos_position_free(p);
    holos_solver_close(proofs);
    holos_solver_close(truths);
    holos_close(v);
}

static void test_proofs_agree_with_other_engines_on_games_that_end(void **state)
{
    (void)state;
    check_game("connect4:4x4", "alphabeta", 40, 12);
    check_game("connect4:5x4", "alphabeta", 20, 12);
    check_game("kalah:2,3", "retrograde", 40, 10);
    check_game("kalah:3,2", "alphabeta", 40, 10);
    check_game("kalah:3,3", "alphabeta", 20, 10);
    check_game("nim", "alphabeta", 20, 6);
}

static void test_proofs_stop_at_limits_with_true_bounds(void **state)
{
    (void)state;
    holos_variant *v;
    holos_error err;
    holos_solver *solver;
    holos_result r;
    holos_solver_options options = {.engine = "proof", .limits = {.nodes = 500}};
    assert_ok(holos_open("connect4", &v, &err), err);
    assert_ok(holos_solver_open(v, &options, &solver, &err), err);
    holos_position *p = holos_position_new(v);
    assert_fails(holos_solver_solve(solver, p, &r, &err), err, HOLOS_LIMIT, "the node limit");
    assert_true(r.nodes <= 501);
    assert_true(r.value.lo < 1 &&
                r.value.hi >= 1); /* the first player wins by one, and that is not known yet */
    holos_solver_close(solver);
    holos_stop stop = {.asked = 1};
    options.limits = (holos_limits){.stop = &stop};
    assert_ok(holos_solver_open(v, &options, &solver, &err), err);
    assert_fails(holos_solver_solve(solver, p, &r, &err), err, HOLOS_INTERRUPTED, "interrupted after");
    holos_solver_close(solver);
    options.limits = (holos_limits){.memory = 4096};
    assert_fails(holos_solver_open(v, &options, &solver, &err), err, HOLOS_NO_MEMORY, "needs");
    holos_position_free(p);
    holos_close(v);
    assert_ok(holos_open("sudoku", &v, &err), err);
    options.limits = (holos_limits){0};
    assert_fails(holos_solver_open(v, &options, &solver, &err), err, HOLOS_UNSUPPORTED, "is a puzzle");
    options.engine = "region";
    assert_fails(holos_solver_open(v, &options, &solver, &err), err, HOLOS_UNSUPPORTED, "fall into kinds");
    holos_close(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parents_are_the_other_way_of_successors),
        cmocka_unit_test(test_the_richest_materials_have_room_for_their_successors),
        cmocka_unit_test(test_the_parents_of_a_material_have_one_piece_more_or_a_pawn),
        cmocka_unit_test(test_numbers_stand_for_each_class_of_positions_once),
        cmocka_unit_test(test_predecessors_among_kinds_are_those_of_that_kind),
        cmocka_unit_test(test_every_position_of_four_pieces_above_three_is_as_the_table_has_it),
        cmocka_unit_test(test_every_position_of_five_pieces_above_four_is_as_the_table_has_it),
        cmocka_unit_test(test_a_region_says_what_it_does_not_know),
        cmocka_unit_test(test_proofs_above_tables_agree_with_the_table_above),
        cmocka_unit_test(test_repetitions_are_not_sold_as_draws),
        cmocka_unit_test(test_waves_above_tables_agree_with_the_table_above),
        cmocka_unit_test(test_some_positions_of_five_pieces_are_proven_above_four),
        cmocka_unit_test(test_a_fortress_is_a_draw),
        cmocka_unit_test(test_proofs_agree_with_other_engines_on_games_that_end),
        cmocka_unit_test(test_proofs_stop_at_limits_with_true_bounds),
    };
    UNIT_MAIN(tests);
}
