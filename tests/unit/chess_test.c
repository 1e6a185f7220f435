/* SPDX-License-Identifier: MIT */

/* The rules of chess: known perft counts, FEN and its faults, SAN, UCI and PGN, the end of the game, single unmoves, and
 * what the deepening engine makes of positions. */

#include "game_fixture.h"

#include "games/chess/fen.h"
#include "games/chess/notation.h"
#include "games/chess/perft.h"
#include "games/chess/symmetry.h"
#include "games/chess/unmoves.h"

#define KIWIPETE "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -"

static chess_position position(const char *fen)
{
    chess_position p;
    holos_error err;
    if (fen_parse(fen, &p, &err) != HOLOS_OK)
        fail_msg("%s: %s", fen, err.message);
    return p;
}

/* ---- Perft ------------------------------------------------------------------------------------- */

typedef struct known_perft {
    const char *fen;
    uint64_t counts[7]; /* from one ply on; 0 ends them */
} known_perft;

static const known_perft perfts[] = {
    {CHESS_START_FEN, {20, 400, 8902, 197281, 4865609, 119060324}},
    {KIWIPETE, {48, 2039, 97862, 4085603, 193690690}},
    {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", {14, 191, 2812, 43238, 674624, 11030083}},
    {"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - -", {24, 496, 9483, 182838, 3605103}},
    {"8/8/8/K2pP2r/8/8/8/7k w - d6", {6, 78, 528, 8288, 55203}},
    {"1qrr2k1/8/8/8/8/8/8/1QRR2K1 w - -", {35, 965, 31858, 1004816}},
};

static void test_perft_has_the_known_counts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof perfts / sizeof perfts[0]; i++) {
        chess_position p = position(perfts[i].fen);
        for (unsigned depth = 1; perfts[i].counts[depth - 1] != 0; depth++)
            assert_int_equal(chess_perft(&p, depth), perfts[i].counts[depth - 1]);
    }
}

static void test_the_portable_version_counts_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof perfts / sizeof perfts[0]; i++) {
        chess_position p = position(perfts[i].fen);
        for (unsigned depth = 1; depth <= 4; depth++)
            assert_int_equal(chess_perft_portable(&p, depth), perfts[i].counts[depth - 1]);
    }
}

/* ---- FEN --------------------------------------------------------------------------------------- */

static void test_fen_is_written_as_it_was_read(void **state)
{
    (void)state;
    static const char *const fens[] = {
        CHESS_START_FEN,
        "r3k2r/8/8/8/8/8/8/R3K2R b Qk - 12 34",
        "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
    };
    for (size_t i = 0; i < sizeof fens / sizeof fens[0]; i++) {
        chess_position p = position(fens[i]);
        text out;
        text_init(&out);
        fen_format(&p, &out);
        assert_string_equal(out.data, fens[i]);
        text_free(&out);
    }
}

static void test_en_passant_is_kept_only_where_a_pawn_can_take(void **state)
{
    (void)state;
    assert_int_equal(position("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1").en_passant, 0);
    assert_int_equal(position("8/8/8/K2pP2r/8/8/8/7k w - d6").en_passant, 0); /* pinned along the rank */
    assert_int_equal(position("8/8/8/3pP3/8/8/8/K6k w - d6").en_passant, 43);
}

static void test_wrong_fens_are_refused_with_the_reason(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        int64_t at;
        const char *message;
    } wrong[] = {
        {"8/8/8/8/8/8/8 w - -", 13,
         "expected '/' and rank 1: the board has eight ranks, from the eighth down"},
        {"9/8/8/8/8/8/8/8 w - -", 0,
         "'9' in rank 8: expected a piece (PNBRQKpnbrqk) or a number of empty squares"},
        {"44/8/8/8/8/8/8/8 w - -", 1, "two numbers side by side in rank 8: write their sum"},
        {"7/8/8/8/8/8/8/8 w - -", 1, "rank 8 has 7 squares instead of 8"},
        {"8p/8/8/8/8/8/8/8 w - -", 1, "rank 8 has more than 8 squares"},
        {"k7/8/8/8/8/8/8/K7/8 w - -", 17, "the board has more than eight ranks"},
        {"k7/8/8/8/8/8/8/K7 x - -", 18, "who is to move is written w or b"},
        {"k7/8/8/8/8/8/8/K7 w QK -", 21, "castling rights are letters of KQkq, in this order, or -"},
        {"k7/8/8/8/8/8/8/K7 w K -", 0, "castling K needs a white king on e1 and a white rook on h1"},
        {"k7/8/8/8/8/8/8/K7 w - e3", 22, "the en passant square is on rank 6 when white is to move, or -"},
        {"k7/8/8/8/8/8/8/K7 w - e6", 22, "en passant on e6: no black pawn has just gone past it"},
        {"k7/8/4n3/4p3/8/8/8/K7 w - e6", 26, "en passant on e6: the pawn's way was not free"},
        {"k7/8/8/4p3/8/8/8/K7 w - e6 3 9", 24,
         "en passant, but the clock says that the last move was not a pawn's"},
        {"k7/8/8/8/8/8/8/K7 w - - 200 1", 24,
         "the clock (plies without a capture or pawn move) is at most 150"},
        {"k7/8/8/8/8/8/8/K7 w - - 0 0", 26, "moves are numbered from 1"},
        {"8/8/8/8/8/8/8/K7 w - -", 0, "black has no king"},
        {"k7/8/8/8/8/8/8/KK6 w - -", 0, "white has more than one king"},
        {"k7/pppppppp/p7/8/8/8/8/K7 w - -", 0, "black has more than eight pawns"},
        {"kqq5/pppppppp/8/8/8/8/8/7K w - -", 0, "black has more pieces than promotions can account for"},
        {"k6P/8/8/8/8/8/8/K7 w - -", 0, "a pawn stands on the first or the last rank"},
        {"k7/8/8/8/8/8/8/Q6K w - -", 0, "black is in check, but white is to move"},
        {"k7/8/1K6/8/8/8/8/8 b - - 0 1 x", 29,
         "expected a move such as e4, Nf3, exd5, O-O, e8=Q, or e2e4 and e7e8q"},
        {"k3R3/1P6/1NK5/8/8/8/8/8 b - -", 0, "three pieces give check, which no move can do"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_position_refused("chess", wrong[i].fen, wrong[i].at, wrong[i].message);
}

/* ---- Moves as text ----------------------------------------------------------------------------- */

static void assert_san(const char *fen, const char *uci, const char *san)
{
    chess_position p = position(fen);
    chess_move by_uci, by_san;
    holos_error err;
    if (move_parse(&p, uci, strlen(uci), &by_uci, &err) != HOLOS_OK)
        fail_msg("%s: %s", uci, err.message);
    if (move_parse(&p, san, strlen(san), &by_san, &err) != HOLOS_OK)
        fail_msg("%s: %s", san, err.message);
    assert_int_equal(by_uci, by_san);
    char written[16];
    text out;
    text_init_fixed(&out, written, sizeof written);
    san_format(&p, by_uci, &out);
    assert_string_equal(written, san);
    text_init_fixed(&out, written, sizeof written);
    uci_format(by_uci, &out);
    assert_string_equal(written, uci);
}

static void test_moves_are_san_and_uci(void **state)
{
    (void)state;
    assert_san(CHESS_START_FEN, "g1f3", "Nf3");
    assert_san(KIWIPETE, "e1g1", "O-O");
    assert_san(KIWIPETE, "e1c1", "O-O-O");
    assert_san(KIWIPETE, "e5f7", "Nxf7");
    assert_san("8/8/8/3pP3/8/8/8/K6k w - d6", "e5d6", "exd6");
    assert_san("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N w - -", "b7a8q", "bxa8=Q");
    assert_san("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N w - -", "b7c8n", "bxc8=N");
    assert_san("6k1/5ppp/8/8/8/8/8/R6K w - -", "a1a8", "Ra8#");
    assert_san("7k/8/8/8/8/8/8/R6K w - -", "a1a8", "Ra8+");
    /* By the file, by the rank, by both; a pinned piece is not in the way. */
    assert_san("7k/8/8/8/8/8/8/RN3NK1 w - -", "b1d2", "Nbd2");
    assert_san("7k/R7/8/8/8/8/8/R5K1 w - -", "a1a4", "R1a4");
    assert_san("8/7k/8/8/1Q1Q4/8/1Q6/6K1 w - -", "b4d2", "Qb4d2");
    assert_san("4r2k/8/8/8/8/2N5/4N3/4K3 w - -", "c3d5", "Nd5");
}

static void test_other_spellings_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *fen, *spelling, *uci;
    } read[] = {
        {KIWIPETE, "0-0", "e1g1"},
        {KIWIPETE, "Ne5xf7!?", "e5f7"},
        {KIWIPETE, "d5-d6", "d5d6"},
        {KIWIPETE, "N:f7", "e5f7"},
        {"8/8/8/3pP3/8/8/8/K6k w - d6", "exd6e.p.", "e5d6"},
        {"7k/P7/8/8/8/8/8/K7 w - -", "a8Q", "a7a8q"},
    };
    for (size_t i = 0; i < sizeof read / sizeof read[0]; i++) {
        chess_position p = position(read[i].fen);
        chess_move a, b;
        assert_int_equal(move_parse(&p, read[i].spelling, strlen(read[i].spelling), &a, NULL), HOLOS_OK);
        assert_int_equal(move_parse(&p, read[i].uci, strlen(read[i].uci), &b, NULL), HOLOS_OK);
        assert_int_equal(a, b);
    }
}

static void test_wrong_moves_are_refused_with_the_reason(void **state)
{
    (void)state;
    const char *how = "expected a move such as e4, Nf3, exd5, O-O, e8=Q, or e2e4 and e7e8q";
    assert_move_refused("chess", "start", "hello", 0, how);
    assert_move_refused("chess", "start", "", 0, how);
    assert_move_refused("chess", "start", "e4x", 2, "unexpected text after the move");
    assert_move_refused("chess", "start", "e5", 0, "e5 is not legal here: no pawn can go to e5");
    assert_move_refused("chess", "start", "O-O", 0, "O-O is not legal here");
    assert_move_refused("chess", "start", "e2e5", 0, "e2e5 is not legal here");
    assert_move_refused("chess", "7k/P7/8/8/8/8/8/K7 w - -", "a8", 2,
                        "a8: say what the pawn becomes, as in e8=Q or e7e8q");
    assert_move_refused("chess", "7k/8/8/8/8/8/8/RN3NK1 w - -", "Nd2", 0,
                        "Nd2 can be several moves: Nbd2, Nfd2");
    assert_move_refused("chess", KIWIPETE, "Kg1", 0, "Kg1 is not legal here: no king can go to g1");
    assert_move_refused("chess", "8/8/8/8/8/8/8/K6k w - -", "Ka2", 0, "the game is over: a draw");
    assert_move_refused("chess", "k7/1Q6/1K6/8/8/8/8/8 b - -", "Ka7", 0,
                        "Ka7: there is no legal move, the game is over");
}

/* ---- Lines ------------------------------------------------------------------------------------- */

static void hear_move(void *context, const chess_position *before, chess_move move)
{
    (void)before;
    chess_move **next = context;
    *(*next)++ = move;
}

static void test_lines_are_pgn(void **state)
{
    (void)state;
    static const char game[] =
        "[Event \"?\"]\n\n1. e4 {best by test} e5 2.Nf3 (2. f4 exf4 (2... d5 3. exd5)) 2... Nc6 $1\n"
        "3. Bb5 ; the Spanish\n a6 4. Ba4 Nf6 5. O-O 1-0\n";
    chess_move moves[32], *end = moves;
    chess_position after, start = position(CHESS_START_FEN);
    holos_error err;
    if (position_read(game, &after, hear_move, &end, &err) != HOLOS_OK)
        fail_msg("%s", err.message);
    assert_int_equal(end - moves, 9);
    text out;
    text_init(&out);
    pgn_format(&start, moves, 9, &out);
    assert_string_equal(out.data, "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O");
    text_clear(&out);
    chess_position later;
    position_make(&start, moves[0], &later);
    pgn_format(&later, moves + 1, 2, &out);
    assert_string_equal(out.data, "1... e5 2. Nf3");
    text_free(&out);
}

static void test_positions_may_be_given_by_moves(void **state)
{
    (void)state;
    const char *expected = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 0 1";
    assert_format("chess", "1. e4 e5 2. Nf3 Nc6 3. Bb5", expected);
    assert_format("chess", "startpos moves e2e4 e7e5 g1f3 b8c6 f1b5", expected);
    assert_format("chess", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2 Nf3 Nc6 Bb5",
                  expected);
    assert_format(
        "chess",
        "[FEN \"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\"]\n2. Nf3 Nc6 3. Bb5 *",
        expected);
    assert_position_refused("chess", "1. e4 e5 2. Nf4", 12, "Nf4 is not legal here: no knight can go to f4");
    assert_position_refused("chess", "1. e4 {no end", 6, "a comment or variation that does not end");
    assert_position_refused("chess", "1. e4 1-0 e5", 10, "unexpected text after the result");
    assert_position_refused("chess", "[Event", 0, "a tag without its ]");
}

/* ---- The end ----------------------------------------------------------------------------------- */

static void test_mate_stalemate_and_dead_positions(void **state)
{
    (void)state;
    assert_over("chess", "k7/1Q6/1K6/8/8/8/8/8 b - -", -2);
    assert_over("chess", "7k/5Q2/6K1/8/8/8/8/8 b - -", 0);
    assert_over("chess", "8/8/8/8/8/8/8/K6k w - -", 0);
    assert_over("chess", "8/8/8/8/8/8/8/KN5k w - -", 0);
    assert_over("chess", "8/8/8/8/8/3b4/8/KB5k w - -", 0); /* both bishops on light squares */
    assert_goes_on("chess", "8/8/8/8/8/4b3/8/KB5k w - -");
    assert_goes_on("chess", "8/8/8/8/8/8/8/KNN4k w - -");
    assert_goes_on("chess", "8/8/8/8/8/8/P7/K6k w - -");
}

static void test_the_clock_counts_in_its_variant(void **state)
{
    (void)state;
    const char *late = "7k/8/8/8/8/8/8/R6K w - - 99 80", *over = "7k/8/8/8/8/8/8/R6K b - - 100 80";
    assert_goes_on("chess", over);
    assert_over("chess:50", over, 0);
    assert_goes_on("chess:50", late);
    assert_plays("chess:50", late, "Ra2", "7k/8/8/8/8/8/R7/7K b - - 100 80");
    assert_over("chess:50", "k7/1Q6/1K6/8/8/8/8/8 b - - 100 1", -2); /* a mate is a mate */
    assert_false(keys_equal("chess:50", late, "7k/8/8/8/8/8/8/R6K w - - 98 80"));
    assert_true(keys_equal("chess", late, "7k/8/8/8/8/8/8/R6K w - - 98 80"));
    assert_variant_refused("chess:75", 6,
                           "chess has the variant chess:50, which counts the moves of the fifty-move rule");
}

static void test_a_bare_king_cannot_win(void **state)
{
    (void)state;
    assert_bounds("chess", "8/8/8/4k3/8/8/8/KQ6 w - -", 0, 2);
    assert_bounds("chess", "8/8/8/4k3/8/8/8/KQ6 b - -", -2, 0);
    assert_bounds("chess", CHESS_START_FEN, -2, 2);
}

/* ---- Symmetry ---------------------------------------------------------------------------------- */

static void test_what_looks_alike_has_one_key(void **state)
{
    (void)state;
    /* Colours, upside down. */
    assert_true(keys_equal("chess", "r3k2r/8/8/8/8/8/8/4K3 b kq -", "4k3/8/8/8/8/8/8/R3K2R w KQ -"));
    /* Mirrored, without castling. */
    assert_true(keys_equal("chess", "8/8/8/4k3/8/8/1P6/K7 w - -", "8/8/8/3k4/8/8/6P1/7K w - -"));
    assert_false(keys_equal("chess", "4k3/8/8/8/8/8/8/R3K3 w Q -", "3k4/8/8/8/8/8/8/3K3R w - -"));
    /* Turned, without pawns. */
    assert_true(keys_equal("chess", "8/8/8/4k3/8/8/8/KQ6 w - -", "8/8/8/4k3/8/8/Q7/K7 w - -"));
    assert_false(keys_equal("chess", "8/8/8/4k3/8/8/1P6/K7 w - -", "8/1P6/8/4k3/8/8/8/K7 w - -"));
}

/* ---- The way back ------------------------------------------------------------------------------ */

static void test_single_unmoves(void **state)
{
    (void)state;
    const char *castled = "4k3/8/8/8/8/8/8/5RK1 b - -";
    assert_true(is_predecessor("chess", "4k3/8/8/8/8/8/8/4K2R w K -", castled, "O-O"));
    assert_false(is_predecessor("chess", "4k3/8/8/8/8/8/8/4K2R w - -", castled, "Kg1"));
    /* A king that came from home may have been allowed to castle, or not. */
    assert_true(is_predecessor("chess", "4k3/8/8/8/8/8/8/4K2R w - -", "4k3/8/8/8/8/8/8/3K3R b - -", "Kd1"));
    assert_true(is_predecessor("chess", "4k3/8/8/8/8/8/8/4K2R w K -", "4k3/8/8/8/8/8/8/3K3R b - -", "Kd1"));
    /* In passing: the pawn comes back beside, not where the other one is. */
    assert_true(
        is_predecessor("chess", "4k3/8/8/3pP3/8/8/8/4K3 w - d6", "4k3/8/3P4/8/8/8/8/4K3 b - -", "exd6"));
    assert_true(
        is_predecessor("chess", "1n2k3/P7/8/8/8/8/8/4K3 w - -", "1Q2k3/8/8/8/8/8/8/4K3 b - -", "axb8=Q+"));
    /* An en passant square tells what the last move was. */
    assert_int_equal(count_predecessors("chess", "4k3/8/8/8/3pP3/8/8/4K3 b - e3"), 1);
    /* A double step that a pawn could answer in passing did not lead here. */
    assert_false(
        is_predecessor("chess", "4k3/8/8/8/3p4/8/4P3/4K3 w - -", "4k3/8/8/8/3pP3/8/8/4K3 b - -", "e4"));
}

static void test_unmoves_by_material(void **state)
{
    (void)state;
    chess_position p = position("4k3/8/8/8/8/8/8/4K1Q1 b - -");
    unsigned total = 0;
    static const char *const befores[] = {"KQvK", "KQvKQ", "KQvKR", "KQvKB", "KQvKN", "KQvKP"};
    for (size_t i = 0; i < sizeof befores / sizeof befores[0]; i++) {
        chess_material wanted;
        assert_int_equal(material_parse(befores[i], &wanted, NULL), HOLOS_OK);
        unsigned count = position_unmoves(&p, &wanted, NULL, NULL);
        assert_true(count > 0 || i == 5); /* nothing is taken by a pawn on the first rank */
        total += count;
    }
    assert_int_equal(position_unmoves(&p, NULL, NULL, NULL), total);
}

/* ---- Materials --------------------------------------------------------------------------------- */

static void test_signatures_name_the_stronger_side_first(void **state)
{
    (void)state;
    static const char *const named[][2] = {
        {"4k3/4r3/8/8/8/8/8/Q3K3 w - -", "KQvKR"},
        {"4k3/4q3/8/8/8/8/8/R2K4 w - -", "KQvKR"},
        {"4kq2/8/8/8/8/8/P7/R3K3 w - -", "KRPvKQ"},
        {CHESS_START_FEN, "KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP"},
    };
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) {
        fixture f = fixture_open("chess", named[i][0]);
        char signature[64];
        text out;
        text_init_fixed(&out, signature, sizeof signature);
        f.v->game->hints->signature(f.v, f.p, &out);
        assert_string_equal(signature, named[i][1]);
        fixture_close(&f);
    }
}

static void test_wrong_materials_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int64_t at;
    } wrong[] = {
        {"", 0}, {"KQ", 2}, {"KQvQ", 4}, {"KKvK", 2}, {"KQxK", 2}, {"KvKv", 3}, {"KQQQQQQQQQQQQQQQQvK", 16}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        chess_material m;
        holos_error err;
        assert_int_equal(material_parse(wrong[i].name, &m, &err), HOLOS_USAGE);
        assert_int_equal(err.at, wrong[i].at);
        assert_true(err.message[0] != 0);
    }
}

/* ---- Solving ----------------------------------------------------------------------------------- */

static void solve(const char *variant, const char *fen, uint64_t nodes, bool moves, holos_status expected,
                  holos_value value, const char *line)
{
    fixture f = fixture_open(variant, fen);
    holos_solver_options options = {.limits.nodes = nodes, .line = true, .moves = moves};
    holos_solver *s;
    holos_result r;
    char written[256];
    assert_int_equal(holos_solver_open(f.v, &options, &s, &f.err), HOLOS_OK);
    assert_int_equal(holos_solver_solve(s, f.p, &r, &f.err), expected);
    assert_string_equal(r.engine, "deepening");
    assert_int_equal(r.value.lo, value.lo);
    assert_int_equal(r.value.hi, value.hi);
    assert_int_equal(r.value.distance, value.distance);
    holos_format_line(f.v, f.p, r.line, r.line_length, written, sizeof written);
    assert_string_equal(written, line);
    holos_solver_close(s);
    fixture_close(&f);
}

static void test_mates_are_found_with_their_distance(void **state)
{
    (void)state;
    solve("chess", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - -", 0, false, HOLOS_OK,
          (holos_value){.lo = 2, .hi = 2, .distance = 1}, "1. Rd8#");
    solve("chess", "7k/8/5K2/6Q1/8/8/8/8 b - -", 0, false, HOLOS_OK,
          (holos_value){.lo = -2, .hi = -2, .distance = 2}, "1... Kh7 2. Qg7#");
    solve("chess", "kbK5/pp6/1P6/8/8/8/8/R7 w - -", 0, false, HOLOS_OK,
          (holos_value){.lo = 2, .hi = 2, .distance = 3}, "1. Ra6 bxa6 2. b7#"); /* Paul Morphy */
    solve("chess", "kbK5/pp6/1P6/8/8/8/8/R7 w - -", 0, true, HOLOS_OK,
          (holos_value){.lo = 2, .hi = 2, .distance = 3}, "1. Ra6 bxa6 2. b7#");
}

static void test_what_is_not_proven_stays_open(void **state)
{
    (void)state;
    solve("chess", "start", 2000, false, HOLOS_LIMIT,
          (holos_value){.lo = -2, .hi = 2, .distance = HOLOS_NO_DISTANCE}, "");
    solve("chess", "8/8/8/4k3/8/8/8/KQ6 w - -", 2000, false, HOLOS_LIMIT,
          (holos_value){.lo = 0, .hi = 2, .distance = HOLOS_NO_DISTANCE}, "");
    solve("chess", "7k/6Q1/8/8/8/8/8/K7 b - -", 0, false, HOLOS_OK,
          (holos_value){.lo = 0, .hi = 0, .distance = HOLOS_NO_DISTANCE}, "");
}

/* Two rooks mate in three plies, if the clock allows as many. */
static void test_a_mate_must_come_before_the_clock_runs_out(void **state)
{
    (void)state;
    solve("chess:50", "7k/R7/8/8/8/8/8/1R5K w - - 99 90", 0, false, HOLOS_OK,
          (holos_value){.lo = 2, .hi = 2, .distance = 1}, "1. Rb8#");
    solve("chess:50", "8/7k/R7/8/8/8/8/1R5K w - - 98 90", 0, false, HOLOS_OK,
          (holos_value){.lo = 0, .hi = 0, .distance = HOLOS_NO_DISTANCE}, "");
    solve("chess", "8/7k/R7/8/8/8/8/1R5K w - - 98 90", 0, false, HOLOS_OK,
          (holos_value){.lo = 2, .hi = 2, .distance = 3}, "1. Rg1 Kh8 2. Rh6#");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_perft_has_the_known_counts),
        cmocka_unit_test(test_the_portable_version_counts_the_same),
        cmocka_unit_test(test_fen_is_written_as_it_was_read),
        cmocka_unit_test(test_en_passant_is_kept_only_where_a_pawn_can_take),
        cmocka_unit_test(test_wrong_fens_are_refused_with_the_reason),
        cmocka_unit_test(test_moves_are_san_and_uci),
        cmocka_unit_test(test_other_spellings_are_read),
        cmocka_unit_test(test_wrong_moves_are_refused_with_the_reason),
        cmocka_unit_test(test_lines_are_pgn),
        cmocka_unit_test(test_positions_may_be_given_by_moves),
        cmocka_unit_test(test_mate_stalemate_and_dead_positions),
        cmocka_unit_test(test_the_clock_counts_in_its_variant),
        cmocka_unit_test(test_a_bare_king_cannot_win),
        cmocka_unit_test(test_what_looks_alike_has_one_key),
        cmocka_unit_test(test_single_unmoves),
        cmocka_unit_test(test_unmoves_by_material),
        cmocka_unit_test(test_signatures_name_the_stronger_side_first),
        cmocka_unit_test(test_wrong_materials_are_refused),
        cmocka_unit_test(test_mates_are_found_with_their_distance),
        cmocka_unit_test(test_what_is_not_proven_stays_open),
        cmocka_unit_test(test_a_mate_must_come_before_the_clock_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
