/* SPDX-License-Identifier: MIT */

/* Phase operators: the ring, the shifts, the experiment, and the generator beside the bitboards. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "games/chess/fen.h"
#include "games/chess/perft.h"
#include "games/chess/phase/experiment.h"
#include "games/chess/phase/generator.h"

#include <stdlib.h>
#include <string.h>

static phase_ring usual_ring(void)
{
    phase_ring ring;
    phase_ring_init(&ring, PHASE_MODULUS, PHASE_ROW, PHASE_COLUMN);
    return ring;
}

static unsigned greatest_divisor(unsigned a, unsigned b)
{
    return b == 0 ? a : greatest_divisor(b, a % b);
}

static void test_the_generators_are_coprime(void **state)
{
    (void)state;
    assert_int_equal(greatest_divisor(PHASE_ROW, PHASE_MODULUS), 1);
    assert_int_equal(greatest_divisor(PHASE_COLUMN, PHASE_MODULUS), 1);
    assert_int_equal(greatest_divisor(PHASE_ROW, PHASE_COLUMN), 1);
}

static void test_every_square_has_a_phase_of_its_own(void **state)
{
    (void)state;
    phase_ring ring = usual_ring();
    assert_true(phase_ring_is_injective(&ring));
    for (unsigned square = 0; square < 64; square++)
        assert_int_equal(ring.squares[phase_of(&ring, square / 8, square % 8)], square);
    phase_ring_init(&ring, 60, 8, 1);
    assert_false(phase_ring_is_injective(&ring));
}

static void test_the_last_row_inverts_and_what_follows_is_off_the_board(void **state)
{
    (void)state;
    phase_ring ring = usual_ring();
    unsigned last = phase_shift(&ring, phase_of(&ring, 0, 0), 1, 0, 7);
    assert_int_equal(last, 469);
    assert_int_equal(ring.squares[last], 8 * 7 + 0);
    unsigned past = phase_shift(&ring, phase_of(&ring, 7, 0), 1, 0, 1);
    assert_int_equal(past, 536);
    assert_int_equal(ring.squares[past], PHASE_OFF_BOARD);
}

static void test_the_image_is_no_subgroup(void **state)
{
    (void)state;
    phase_ring ring = usual_ring();
    assert_int_equal(ring.squares[384], 8 * 5 + 7);
    assert_int_equal((384 + 384) % 640, 128);
    assert_int_equal(ring.squares[128], PHASE_OFF_BOARD);
}

static int compare_ints(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* The shifts of an operator as numbers, the least first. */
static void check_shifts(phase_piece piece, const int expected[8])
{
    int shifts[8];
    for (unsigned i = 0; i < 8; i++)
        shifts[i] = phase_operators[piece].shifts[i][0] * (int)PHASE_ROW +
                    phase_operators[piece].shifts[i][1] * (int)PHASE_COLUMN;
    qsort(shifts, 8, sizeof shifts[0], compare_ints);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(shifts[i], expected[i]);
}

static void test_shifts_of_knight_and_king(void **state)
{
    (void)state;
    check_shifts(PHASE_KNIGHT, (const int[8]){-141, -127, -81, -53, 53, 81, 127, 141});
    check_shifts(PHASE_KING, (const int[8]){-74, -67, -60, -7, 7, 60, 67, 74});
}

static void test_sizes_from_the_middle(void **state)
{
    (void)state;
    static const struct {
        phase_piece piece;
        unsigned phases, squares;
    } sizes[] = {{PHASE_ROOK, 28, 14},
                 {PHASE_BISHOP, 28, 13},
                 {PHASE_QUEEN, 56, 27},
                 {PHASE_KING, 8, 8},
                 {PHASE_KNIGHT, 8, 8}};
    phase_ring ring = usual_ring();
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        uint16_t phases[PHASE_TARGETS_MOST];
        unsigned count = phase_apply(&ring, sizes[i].piece, phase_of(&ring, 4, 4), false, false, phases);
        assert_int_equal(count, sizes[i].phases);
        assert_int_equal(set_count(phase_clip(&ring, phases, count)), sizes[i].squares);
        for (unsigned k = 0; k < count; k++)
            assert_int_not_equal(phases[k], phase_of(&ring, 4, 4));
    }
}

static void test_pawns_advance_and_take(void **state)
{
    (void)state;
    phase_ring ring = usual_ring();
    uint16_t phases[PHASE_TARGETS_MOST];
    unsigned count = phase_apply(&ring, PHASE_PAWN_WHITE, phase_of(&ring, 1, 4), true, true, phases);
    assert_true(phase_clip(&ring, phases, count) ==
                (chess_bit(20) | chess_bit(28) | chess_bit(19) | chess_bit(21)));
    count = phase_apply(&ring, PHASE_PAWN_BLACK, phase_of(&ring, 3, 0), false, true, phases);
    assert_true(phase_clip(&ring, phases, count) == (chess_bit(16) | chess_bit(17)));
}

static void test_every_pair_is_equivalent(void **state)
{
    (void)state;
    phase_ring ring = usual_ring();
    phase_row rows[PHASE_ROWS];
    assert_int_equal(phase_compare(&ring, rows), PHASE_ROWS);
    assert_int_equal(rows[0].piece, PHASE_KNIGHT);
    assert_int_equal(rows[PHASE_ROWS - 1].piece, PHASE_PAWN_BLACK);
    assert_int_equal(rows[PHASE_ROWS - 1].row, 6);
}

static void test_a_ring_that_is_too_small_shows_in_the_table(void **state)
{
    (void)state;
    phase_ring ring;
    phase_row rows[PHASE_ROWS];
    text csv;
    phase_ring_init(&ring, 64, 8, 1);
    assert_int_equal(phase_compare(&ring, rows), 148);
    text_init(&csv);
    phase_rows_csv(rows, &csv);
    assert_non_null(strstr(csv.data,
                           "\nN,0,0,\"(0,6);(1,2);(1,7);(2,1);(5,7);(6,1);(6,6);(7,2)\",\"(1,2);(2,1)\","
                           "false,,\"(0,6);(1,7);(5,7);(6,1);(6,6);(7,2)\"\n"));
    text_free(&csv);
}

/* The smallest alias modulo 512: nine rows up and thirteen columns back is nothing. */
static void test_which_rings_have_aliases(void **state)
{
    (void)state;
    phase_differences d;
    phase_differences_find(&d);
    assert_true(phase_is_free(&d, 640, 67, 7));
    assert_int_equal((9 * 67 - 13 * 7) % 512, 0);
    assert_false(phase_is_free(&d, 512, 67, 7));
    assert_true(phase_is_free(&d, 225, 1, 15));
    assert_false(phase_is_free(&d, 64, 8, 1));
    unsigned free;
    assert_int_equal(phase_least_modulus(&d, 67, 7, 640, &free), 239);
    assert_int_equal(phase_least_modulus(&d, 8, 1, 640, &free), 0);
}

static int compare_moves(const void *a, const void *b)
{
    chess_move x = *(const chess_move *)a, y = *(const chess_move *)b;
    return x < y ? -1 : x > y;
}

/* Both generators find the same moves in every position that is reached. */
static void check_moves(const chess_position *p, unsigned depth)
{
    phase_board b;
    chess_move phases[CHESS_MOVES_MOST], bits[CHESS_MOVES_MOST];
    phase_board_load(&b, p);
    unsigned count = position_moves(p, bits);
    assert_int_equal(phase_moves(&b, phases), count);
    qsort(bits, count, sizeof bits[0], compare_moves);
    qsort(phases, count, sizeof phases[0], compare_moves);
    assert_memory_equal(bits, phases, count * sizeof bits[0]);
    for (unsigned i = 0; depth > 1 && i < count; i++) {
        chess_position next;
        position_make(p, bits[i], &next);
        check_moves(&next, depth - 1);
    }
}

static void test_the_generator_agrees_with_the_bitboards(void **state)
{
    (void)state;
    static const char *const positions[] = {
        CHESS_START_FEN,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - -",
        "8/8/8/K2pP2r/8/8/8/7k w - d6",
        "1qrr2k1/8/8/8/8/8/8/1QRR2K1 w - -",
    };
    for (size_t i = 0; i < sizeof positions / sizeof positions[0]; i++) {
        chess_position p;
        phase_board b;
        assert_int_equal(fen_parse(positions[i], &p, NULL), HOLOS_OK);
        check_moves(&p, 3);
        phase_board_load(&b, &p);
        assert_int_equal(phase_perft(&b, 4), chess_perft(&p, 4));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_generators_are_coprime),
        cmocka_unit_test(test_every_square_has_a_phase_of_its_own),
        cmocka_unit_test(test_the_last_row_inverts_and_what_follows_is_off_the_board),
        cmocka_unit_test(test_the_image_is_no_subgroup),
        cmocka_unit_test(test_shifts_of_knight_and_king),
        cmocka_unit_test(test_sizes_from_the_middle),
        cmocka_unit_test(test_pawns_advance_and_take),
        cmocka_unit_test(test_every_pair_is_equivalent),
        cmocka_unit_test(test_a_ring_that_is_too_small_shows_in_the_table),
        cmocka_unit_test(test_which_rings_have_aliases),
        cmocka_unit_test(test_the_generator_agrees_with_the_bitboards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
