/* SPDX-License-Identifier: MIT */

/* With tables, a win is carried out: against any defence, within the fifty-move rule, without coming back to a position.
 * HOLOS_LONG_TESTS=1: from every ending of three and four pieces. */

#include "unit.h"

#include "core/rng.h"
#include "engine/player/guess.h"
#include "game/kinds.h"
#include "games/chess/chess.h"
#include "games/chess/fen.h"
#include "games/chess/tables/endings.h"
#include "games/chess/tables/material.h"

#include <dirent.h>

#define REAL TEST_DATA "/chess/syzygy"

enum { PLIES_MOST = 400, RULE = 100 };

typedef struct match {
    holos_variant *v;
    holos_knowledge *tables;
    holos_player *player;
    rng random;
} match;

static void match_open(match *a, const char *variant, const char *folder)
{
    holos_error err;
    assert_ok(holos_open(variant, &a->v, &err), err);
    assert_ok(holos_knowledge_open(folder, a->v, NULL, &a->tables, &err), err);
    holos_player_options options = {.boundary = holos_knowledge_boundary(a->tables), .seed = 3};
    assert_ok(holos_player_open(a->v, &options, &a->player, &err), err);
    rng_init(&a->random, 2, 0);
}

static void match_close(match *a)
{
    holos_player_close(a->player);
    holos_knowledge_close(a->tables);
    holos_close(a->v);
}

static holos_move move_choose(match *a, const holos_position *p, bool at_random)
{
    holos_choice choice;
    holos_error err;
    holos_move moves[CHESS_MOVES_MOST];
    if (at_random)
        return moves[rng_below(&a->random, holos_moves(a->v, p, moves, CHESS_MOVES_MOST))];
    assert_ok(holos_player_choose(a->player, p, &choice, &err), err);
    assert_int_equal(choice.grounds, HOLOS_GROUNDS_BEST);
    return choice.move;
}

/* The board without its clocks. */
static bool is_same(const chess_position *a, const chess_position *b)
{
    return memcmp(a->sides, b->sides, sizeof a->sides) == 0 &&
           memcmp(a->kinds, b->kinds, sizeof a->kinds) == 0 && a->side == b->side &&
           a->en_passant == b->en_passant;
}

/* Plays on from a position that the side to move wins or loses; the other side defends at random, or as well as it can. */
static void play_out(match *a, const chess_position *from, bool at_random)
{
    static chess_position seen[PLIES_MOST + 1];
    _Alignas(16) chess_position p = *from;
    holos_value over;
    holos_error err;
    text fen;
    text_init(&fen);
    fen_format(from, &fen);
    assert_ok(holos_knowledge_find(a->tables, (holos_position *)&p, &over, &err), err);
    unsigned winner = over.lo > 0 ? p.side : 1u - p.side, clock = from->clock, ply = 0;
    for (; !holos_terminal(a->v, (holos_position *)&p, &over); ply++) {
        if (ply == PLIES_MOST || clock >= RULE)
            fail_msg("%s: no mate after %u plies, the clock says %u", fen.data, ply, clock);
        for (unsigned i = 0; i < ply; i++)
            if (is_same(&seen[i], &p))
                fail_msg("%s: after %u plies a position comes back", fen.data, ply);
        seen[ply] = p;
        holos_move move = move_choose(a, (holos_position *)&p, p.side != winner && at_random);
        clock = move_is_zeroing(&p, move) ? 0 : clock + 1;
        holos_play(a->v, (holos_position *)&p, move, (holos_position *)&p, NULL);
    }
    if (over.lo != -2 || p.side == winner)
        fail_msg("%s: won, but not mated after %u plies", fen.data, ply);
    text_free(&fen);
}

/* Some positions of an ending that are won or lost within the rule, played against both defences. */
static void play_ending(match *a, const char *name, unsigned games)
{
    const holos_kinds *kinds = a->v->game->kinds;
    _Alignas(16) chess_position p;
    holos_kind kind;
    holos_value value;
    holos_error err;
    assert_ok(kinds->parse(a->v, name, &kind, &err), err);
    for (unsigned found = 0, tries = 0; found < games && tries < 3000; tries++) {
        assert_true(kinds->random(a->v, kind, &a->random, (holos_position *)&p));
        if (strcmp(a->v->name, "chess") != 0)
            p.clock = (uint8_t)rng_below(&a->random, RULE);
        if (holos_terminal(a->v, (holos_position *)&p, &value))
            continue;
        assert_ok(holos_knowledge_find(a->tables, (holos_position *)&p, &value, &err), err);
        if (abs(value.lo) != 2 || value.lo != value.hi)
            continue;
        play_out(a, &p, found % 2 == 0);
        found++;
    }
}

static const char *const variants[] = {"chess", "chess:50"};

static void play_endings(const char *folder, const char *const *names, size_t count, unsigned games)
{
    for (unsigned i = 0; i < 2; i++) {
        match a;
        match_open(&a, variants[i], folder);
        for (size_t k = 0; k < count; k++)
            play_ending(&a, names[k], games);
        match_close(&a);
    }
}

static void test_wins_are_carried_out_by_dtz(void **state)
{
    (void)state;
    static const char *const names[] = {"KQvK", "KRvK", "KPvK", "KQvKR", "KRvKB"};
    play_endings(REAL, names, sizeof names / sizeof *names, getenv("HOLOS_LONG_TESTS") != NULL ? 200 : 30);
}

static void tables_make(const char *folder, const char *name, unsigned pieces)
{
    holos_error err;
    endings_report report;
    endings_request request = {.name = name, .pieces = pieces, .folder = folder, .threads = 1};
    assert_ok(endings_make(&request, &report, &err), err);
    free(report.endings);
}

static void test_wins_are_carried_out_by_dtm(void **state)
{
    (void)state;
    static const char *const names[] = {"KQvK", "KRvK", "KPvK"};
    char folder[64];
    unit_make_folder(folder);
    tables_make(folder, "KPvK", 0);
    play_endings(folder, names, sizeof names / sizeof *names, getenv("HOLOS_LONG_TESTS") != NULL ? 200 : 30);
    unit_remove_folder(folder);
}

/* Takes away what only our own tables have. */
static void mates_remove(const char *folder)
{
    DIR *d = opendir(folder);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d)) != NULL;)
        if (strstr(e->d_name, ".hdtm") != NULL)
            assert_int_equal(unlink(unit_path(folder, e->d_name)), 0);
    closedir(d);
}

static void test_wins_of_every_ending_are_carried_out(void **state)
{
    (void)state;
    char folder[64], names[40][TB_NAME_SIZE];
    const char *list[40];
    tb_key keys[40];
    if (getenv("HOLOS_LONG_TESTS") == NULL)
        return;
    size_t count = key_all(4, keys, 40);
    for (size_t i = 0; i < count; i++)
        list[i] = key_name(keys[i], names[i]);
    unit_make_folder(folder);
    tables_make(folder, NULL, 4);
    play_endings(folder, list, count, 40);
    mates_remove(folder);
    play_endings(folder, list, count, 40);
    unit_remove_folder(folder);
}

/* ---- One order everywhere ---------------------------------------------------------------------- */

/* The first of the best moves is the one that lines begin with and that is played; the values of moves agree. */
static void test_best_moves_lines_and_players_agree(void **state)
{
    (void)state;
    match a;
    holos_error err;
    for (unsigned i = 0; i < 2; i++) {
        match_open(&a, variants[i], REAL);
        holos_kind kind;
        assert_ok(a.v->game->kinds->parse(a.v, "KQvKR", &kind, &err), err);
        holos_solver_options options = {
            .boundary = holos_knowledge_boundary(a.tables), .moves = true, .line = true};
        holos_solver *solver;
        assert_ok(holos_solver_open(a.v, &options, &solver, &err), err);
        for (unsigned n = 0; n < 30;) {
            _Alignas(16) chess_position p;
            holos_value value;
            holos_result all, hint;
            assert_true(a.v->game->kinds->random(a.v, kind, &a.random, (holos_position *)&p));
            assert_ok(holos_knowledge_find(a.tables, (holos_position *)&p, &value, &err), err);
            if (value.lo == 0 || holos_terminal(a.v, (holos_position *)&p, &value))
                continue;
            n++;
            assert_ok(holos_solver_solve(solver, (holos_position *)&p, &all, &err), err);
            assert_ok(holos_player_solve(a.player, (holos_position *)&p, &hint, &err), err);
            assert_true(all.best_count > 0 && all.line_length > 0);
            assert_int_equal(all.best[0], all.line[0]);
            assert_int_equal(all.best_count, hint.best_count);
            assert_memory_equal(all.best, hint.best, hint.best_count * sizeof *hint.best);
            uint16_t best = 0;
            for (size_t k = 0; k < all.move_count; k++)
                if (all.moves[k].move == all.best[0])
                    best = all.moves[k].value.conversion;
            for (size_t k = 0; k < all.move_count; k++) {
                const holos_value *m = &all.moves[k].value;
                if (m->lo == all.value.lo)
                    assert_true(m->lo > 0 ? m->conversion >= best : m->conversion <= best);
            }
        }
        holos_solver_close(solver);
        match_close(&a);
    }
}

/* With every limit of nodes: a line that does not come to the mate says that it was cut. */
static void test_lines_that_a_limit_cuts_say_so(void **state)
{
    (void)state;
    static const char *const engines[] = {"deepening", "proof"};
    holos_variant *v;
    holos_error err;
    unsigned cut = 0, whole = 0;
    assert_ok(holos_open("chess", &v, &err), err);
    holos_position *p = holos_position_new(v);
    assert_ok(holos_parse(v, "8/8/8/8/8/2K5/7R/k7 w - - 0 1", p, &err), err);
    for (unsigned i = 0; i < 2; i++) {
        for (uint64_t nodes = 20; nodes < 300; nodes += nodes / 24 + 1) {
            holos_solver_options options = {
                .engine = engines[i], .line = true, .limits = {.nodes = nodes, .memory = 8 << 20}};
            holos_solver *solver;
            holos_result r;
            holos_value over;
            assert_ok(holos_solver_open(v, &options, &solver, &err), err);
            holos_status status = holos_solver_solve(solver, p, &r, &err);
            if (status == HOLOS_OK && r.value.lo == r.value.hi) {
                holos_position *end = holos_position_new(v);
                holos_parse(v, "8/8/8/8/8/2K5/7R/k7 w - - 0 1", end, &err);
                for (size_t k = 0; k < r.line_length; k++)
                    holos_play(v, end, r.line[k], end, NULL);
                bool mated = holos_terminal(v, end, &over);
                assert_true(mated == (r.line_end == NULL));
                whole += mated;
                cut += !mated;
                holos_position_free(end);
            }
            holos_solver_close(solver);
        }
    }
    assert_true(cut > 0 && whole > 0);
    holos_position_free(p);
    holos_close(v);
}

/* ---- Guesses ----------------------------------------------------------------------------------- */

/* Random games end at a limit, too: a guess after 200 nodes has drawn few random numbers. */
static void test_guesses_keep_to_limits(void **state)
{
    (void)state;
    holos_variant *v;
    holos_error err;
    holos_move move;
    holos_stop stop = {0};
    const holos_limits limits[] = {{.nodes = 200}, {.stop = &stop}};
    assert_ok(holos_open("chess", &v, &err), err);
    holos_position *p = holos_position_new(v);
    assert_ok(holos_parse(v, "start", p, &err), err);
    holos_stop_set(&stop);
    for (unsigned i = 0; i < 2; i++) {
        rng used, copy;
        rng_init(&used, 7, 0);
        rng_init(&copy, 7, 0);
        assert_true(guess_move(v, p, &limits[i], &used, &move));
        unsigned drawn = 0;
        for (; drawn < 2000 && memcmp(&used, &copy, sizeof used) != 0; drawn++)
            rng_next(&copy);
        assert_true(drawn < 2000);
    }
    holos_position_free(p);
    holos_close(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wins_are_carried_out_by_dtz),
        cmocka_unit_test(test_wins_are_carried_out_by_dtm),
        cmocka_unit_test(test_wins_of_every_ending_are_carried_out),
        cmocka_unit_test(test_best_moves_lines_and_players_agree),
        cmocka_unit_test(test_lines_that_a_limit_cuts_say_so),
        cmocka_unit_test(test_guesses_keep_to_limits),
    };
    UNIT_MAIN(tests);
}
