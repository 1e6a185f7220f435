/* SPDX-License-Identifier: MIT */

/* chess:50 above tables: what they say of a position and a clock, against a solver that knows nothing but the rules and
 * goes through all positions clock by clock. HOLOS_LONG_TESTS=1: all of them, and many more with four pieces. */

#include "unit.h"

#include "core/rng.h"
#include "game/kinds.h"
#include "game/knowledge.h"
#include "games/chess/chess.h"
#include "games/chess/fen.h"
#include "games/chess/tables/endings.h"
#include "games/chess/tables/generate.h"
#include "games/chess/tables/probe.h"
#include "games/chess/tables/write.h"
#include "plain_chess.h"

#define REAL TEST_DATA "/chess/syzygy"

enum { CLOCK_END = 100, NEVER = -1 };

/* ---- The solver -------------------------------------------------------------------------------- */

/* White has a king and a piece, black a king. A position's number is its squares, six bits each. Of its images, the one counts
 * that has the white king in a corner of the board (with a pawn, in a half). `till` is the highest clock at which the
 * result is not a draw, and NEVER for draws: white to move and wins, black to move and loses. */
typedef struct solved {
    int piece;
    int8_t *till[2];           /* white to move, black to move */
    uint8_t *now[2], *then[2]; /* decided at this clock, at the next one */
    int32_t *ways[2];          /* WAYS_MOST for each position, up to WAY_END */
} solved;

/* What a move leads to: the number of a position that keeps the clock running, or an answer. */
enum { SIZE = 1 << 18, WAYS_MOST = 40, WAY_END = -1, WAY_WON = -2, WAY_DRAWN = -3 };

static const int squares_pieces[] = {PLAIN_KING, -PLAIN_KING};

/* The image of a square that brings the white king to where it counts. */
static int turned(int square, int king, bool pawn)
{
    int file = king % 8 > 3 ? 7 - square % 8 : square % 8, king_file = king % 8 > 3 ? 7 - king % 8 : king % 8;
    int rank = !pawn && king / 8 > 3 ? 7 - square / 8 : square / 8,
        king_rank = !pawn && king / 8 > 3 ? 7 - king / 8 : king / 8;
    return !pawn && king_rank > king_file ? 8 * file + rank : 8 * rank + file;
}

static bool position_at_number(const solved *s, int number, int side, plain *out)
{
    int king = number >> 12;
    *out = (plain){.side = (int8_t)side, .passed = -1};
    for (int i = 0; i < 3; i++) {
        int square = number >> (12 - 6 * i) & 63, piece = i < 2 ? squares_pieces[i] : s->piece;
        if (out->at[square] != 0 || (piece == PLAIN_PAWN && (square / 8 == 0 || square / 8 == 7)))
            return false;
        out->at[square] = (int8_t)piece;
    }
    return turned(king, king, s->piece == PLAIN_PAWN) == king && !plain_in_check(out, -side);
}

static int square_of(const plain *p, int piece)
{
    for (int square = 0; square < 64; square++)
        if (p->at[square] == piece)
            return square;
    return -1;
}

static int number_of(const solved *s, const plain *p)
{
    int king = square_of(p, PLAIN_KING), number = 0;
    for (int i = 0; i < 3; i++)
        number = number << 6 |
                 turned(square_of(p, i < 2 ? squares_pieces[i] : s->piece), king, s->piece == PLAIN_PAWN);
    return number;
}

/* What a move comes to. Without the piece that is known here, or `queens` and `rooks` below it, nobody wins. */
static int32_t way_of(const solved *s, const solved *below, const plain *p, plain_move m)
{
    plain next = plain_play(p, m);
    const solved *there = s;
    if (m.becomes != 0)
        there = m.becomes == PLAIN_QUEEN ? &below[0] : m.becomes == PLAIN_ROOK ? &below[1] : NULL;
    if (p->at[m.to] != 0 || there == NULL)
        return WAY_DRAWN;
    int number = number_of(there, &next);
    if (!m.zeroes)
        return number;
    return there->till[next.side < 0][number] != NEVER ? WAY_WON : WAY_DRAWN;
}

static void ways_find(solved *s, const solved *below, int black, int number)
{
    plain p;
    plain_move moves[256];
    int32_t *ways = s->ways[black] + (size_t)number * WAYS_MOST;
    if (!position_at_number(s, number, black ? -1 : 1, &p))
        return;
    int count = plain_moves(&p, moves);
    assert_true(count < WAYS_MOST);
    for (int i = 0; i < count; i++)
        ways[i] = way_of(s, below, &p, moves[i]);
    if (count == 0)
        ways[count++] = black && plain_in_check(&p, -1) ? WAY_WON : WAY_DRAWN;
    ways[count] = WAY_END;
}

/* Whether white wins with this clock, from what is known with one more. */
static bool decided_at(const solved *s, int black, int number, int clock)
{
    const int32_t *way = s->ways[black] + (size_t)number * WAYS_MOST;
    bool over = way[1] == WAY_END && way[0] < WAY_END;
    if (clock >= CLOCK_END)
        return over && way[0] == WAY_WON; /* or a move that zeroes: but then it is not mate */
    for (; *way != WAY_END; way++) {
        bool won = *way < WAY_END ? *way == WAY_WON : s->then[1 - black][*way] != 0;
        if (won != (black != 0))
            return won;
    }
    return black != 0;
}

/* All positions, or those with the pawn on a rank, from the last clock to the first: but once two clocks in a row are alike, so are
 * all that follow. */
static void solve_rank(solved *s, const solved *below, int rank)
{
    bool changes = true;
    for (int black = 0; black < 2; black++) {
        memset(s->then[black], 0, SIZE);
        for (int n = 0; n < SIZE; n++) {
            s->ways[black][(size_t)n * WAYS_MOST] = WAY_END;
            if (rank == 0 || (n & 63) / 8 == rank)
                ways_find(s, below, black, n);
        }
    }
    for (int clock = CLOCK_END; clock >= 0 && changes; clock--) {
        changes = clock > CLOCK_END - 2;
        for (int black = 0; black < 2; black++) {
            for (int n = 0; n < SIZE; n++) {
                if (s->ways[black][(size_t)n * WAYS_MOST] == WAY_END)
                    continue;
                bool won = decided_at(s, black, n, clock);
                s->now[black][n] = won;
                changes |= won != (s->then[black][n] != 0);
                if (won && s->till[black][n] == NEVER)
                    s->till[black][n] = (int8_t)clock;
                assert_true(won || s->till[black][n] == NEVER); /* more time does no harm */
            }
        }
        for (int side = 0; side < 2; side++) {
            uint8_t *keep = s->now[side];
            s->now[side] = s->then[side];
            s->then[side] = keep;
        }
    }
}

static void solve_ending(solved *s, int piece, const solved *below)
{
    s->piece = piece;
    for (int side = 0; side < 2; side++) {
        s->till[side] = malloc(SIZE);
        s->now[side] = malloc(SIZE);
        s->then[side] = malloc(SIZE);
        s->ways[side] = malloc((size_t)SIZE * WAYS_MOST * sizeof(int32_t));
        memset(s->till[side], NEVER, SIZE);
        memset(s->now[side], 0, SIZE);
    }
    for (int rank = piece == PLAIN_PAWN ? 6 : 0; rank > (piece == PLAIN_PAWN ? 0 : -1); rank--)
        solve_rank(s, below, rank);
}

static void solved_free(solved *s)
{
    for (int side = 0; side < 2; side++) {
        free(s->till[side]);
        free(s->now[side]);
        free(s->then[side]);
        free(s->ways[side]);
    }
}

/* ---- Tables against it ------------------------------------------------------------------------- */

static chess_position position_of_plain(const plain *p, int clock)
{
    chess_position out = {.side = p->side < 0, .clock = (uint8_t)clock, .number = 1};
    for (unsigned i = 0; i < 64; i++)
        if (p->at[i] != 0)
            position_put(&out, piece_make(p->at[i] < 0, (unsigned)abs(p->at[i])), i);
    return out;
}

typedef struct tables_of_50 {
    holos_variant *v;
    const holos_game_knowledge *knowledge;
    void *state;
} tables_of_50;

static void tables_open(tables_of_50 *t, const char *folder)
{
    holos_error err;
    assert_ok(holos_open("chess:50", &t->v, &err), err);
    t->knowledge = t->v->game->knowledge;
    assert_ok(t->knowledge->open(t->v, folder, &t->state, &err), err);
}

static void tables_close(tables_of_50 *t)
{
    t->knowledge->close(t->state);
    holos_close(t->v);
}

/* Both ways to ask say the same, and it is true. */
static void assert_score(const tables_of_50 *t, const chess_position *p, int score)
{
    _Alignas(16) chess_position asked = *p;
    const holos_position *position = (const holos_position *)&asked;
    holos_value value;
    holos_error err;
    int32_t plain_score = 99;
    bool found;
    text fen;
    text_init(&fen);
    fen_format(p, &fen);
    assert_ok(t->knowledge->find(t->state, position, &value, &err), err);
    assert_ok(t->knowledge->score(t->state, position, &plain_score, &found, &err), err);
    if (value.lo != score || value.hi != score || !found || plain_score != score)
        fail_msg("%s: %d to %d, at once %d, should be %d", fen.data, value.lo, value.hi,
                 found ? plain_score : 99, score);
    text_free(&fen);
}

/* All positions of an ending, or some, with the clocks around the one that decides and one at random. */
static void compare_with_tables(const tables_of_50 *t, const solved *s, uint64_t samples)
{
    rng r;
    uint64_t compared = 0;
    rng_init(&r, 50, 0);
    for (uint64_t i = 0; i < (samples > 0 ? samples : 2 * SIZE); i++) {
        uint64_t number = samples > 0 ? rng_below(&r, 2 * SIZE) : i;
        int black = (int)(number & 1), till = s->till[black][number / 2];
        plain p;
        if (!position_at_number(s, (int)(number / 2), black ? -1 : 1, &p))
            continue;
        int clocks[] = {0, till, till + 1, till - 1, (int)rng_below(&r, CLOCK_END + 1)};
        for (unsigned k = 0; k < sizeof clocks / sizeof *clocks; k++) {
            if (clocks[k] < 0 || clocks[k] > CLOCK_END)
                continue;
            chess_position position = position_of_plain(&p, clocks[k]);
            assert_score(t, &position, clocks[k] > till ? 0 : black ? -2 : 2);
            compared++;
        }
    }
    assert_true(compared > 1000);
}

static void test_every_clock_of_three_pieces(void **state)
{
    (void)state;
    bool all = getenv("HOLOS_LONG_TESTS") != NULL;
    solved endings[3] = {0};
    tables_of_50 t;
    tables_open(&t, REAL);
    solve_ending(&endings[0], PLAIN_QUEEN, NULL);
    solve_ending(&endings[1], PLAIN_ROOK, NULL);
    solve_ending(&endings[2], PLAIN_PAWN, endings);
    for (unsigned i = 0; i < 3; i++)
        compare_with_tables(&t, &endings[i], all ? 0 : 8000);
    tables_close(&t);
    for (unsigned i = 0; i < 3; i++)
        solved_free(&endings[i]);
}

/* ---- Four pieces, by looking ahead -------------------------------------------------------------- */

/* The score of a position whose clock is about to run out, by all moves. Moves that zero it lead to where tables are
 * asked without a clock. */
static int look_ahead(const tables_of_50 *t, const chess_position *p)
{
    chess_move moves[CHESS_MOVES_MOST];
    unsigned count = position_moves(p, moves);
    int best = -2;
    if (count == 0)
        return position_in_check(p, p->side) ? -2 : 0;
    if (p->clock >= CLOCK_END)
        return 0;
    for (unsigned i = 0; i < count && best < 2; i++) {
        _Alignas(16) chess_position next;
        int32_t score;
        bool found;
        position_make(p, moves[i], &next);
        if (next.clock > 0) {
            score = look_ahead(t, &next);
        } else {
            assert_int_equal(
                t->knowledge->score(t->state, (const holos_position *)&next, &score, &found, NULL), HOLOS_OK);
            assert_true(found);
        }
        best = -score > best ? -score : best;
    }
    return best;
}

/* Positions that are decided within a few plies, with clocks that leave so many, one less, one more. */
static void check_by_looking_ahead(const tables_of_50 *t, const char *name, unsigned wanted)
{
    const holos_kinds *kinds = t->v->game->kinds;
    _Alignas(16) chess_position p;
    holos_kind kind;
    holos_error err;
    rng r;
    unsigned open = 0;
    rng_init(&r, 4, 0);
    assert_ok(kinds->parse(t->v, name, &kind, &err), err);
    for (unsigned seen = 0; seen < wanted;) {
        holos_value value;
        assert_true(kinds->random(t->v, kind, &r, (holos_position *)&p));
        assert_ok(t->knowledge->find(t->state, (const holos_position *)&p, &value, &err), err);
        if (value.lo == 0 || value.conversion > 4)
            continue;
        seen++;
        for (int more = -1; more <= 1; more++) {
            int clock = CLOCK_END - value.conversion + more;
            if (clock > CLOCK_END)
                continue;
            p.clock = (uint8_t)clock;
            int score = look_ahead(t, &p);
            assert_score(t, &p, score);
            open += more == 0 && score == 0;
        }
    }
    if (wanted > 300)
        print_message("%s: one ply decided %u of %u\n", name, open, wanted);
}

static void test_the_last_plies_of_four_pieces(void **state)
{
    (void)state;
    static const char *const names[] = {"KRvKB", "KQvKR", "KPvK", "KRvK"};
    tables_of_50 t;
    tables_open(&t, REAL);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        check_by_looking_ahead(&t, names[i], getenv("HOLOS_LONG_TESTS") != NULL ? 3000 : 100);
    tables_close(&t);
}

/* Tables of our own, which take a while. */
static void test_pawns_on_both_sides(void **state)
{
    (void)state;
    char folder[64];
    holos_error err;
    endings_report report;
    tables_of_50 t;
    if (getenv("HOLOS_LONG_TESTS") == NULL)
        return;
    unit_make_folder(folder);
    endings_request request = {.name = "KPvKP", .folder = folder, .threads = 1};
    assert_ok(endings_make(&request, &report, &err), err);
    free(report.endings);
    tables_open(&t, folder);
    check_by_looking_ahead(&t, "KPvKP", 3000);
    check_by_looking_ahead(&t, "KQvKP", 3000);
    tables_close(&t);
    unit_remove_folder(folder);
}

/* ---- Wins that the rule spoils ------------------------------------------------------------------ */

static const tb_table *nothing_made(void *context, tb_key key)
{
    (void)context;
    (void)key;
    return NULL;
}

/* With few pieces there are none: so a table is told that the longest wins take 100 plies more. */
static void test_spoiled_wins_are_draws(void **state)
{
    (void)state;
    static index_maps maps;
    static const char *const fens[] = {"8/8/8/8/8/2k5/8/KQ6 w - - 0 1", "8/8/8/8/8/2k5/8/K1Q5 b - - 0 1"};
    char folder[64];
    holos_error err;
    tb_table table;
    tb_key key;
    tables_of_50 t;
    index_maps_init(&maps);
    unit_make_folder(folder);
    assert_ok(key_parse("KQvK", &key, &err), err);
    assert_ok(tb_table_alloc(&table, &maps, key, NULL, &err), err);
    assert_ok(tb_table_generate(&table, &maps, nothing_made, NULL, NULL, NULL, NULL, &err), err);
    for (unsigned side = 0; side < 2; side++)
        for (uint64_t i = 0; i < table.size; i++)
            if (table.distance[side][i] > 8)
                table.distance[side][i] = (uint8_t)(table.distance[side][i] + 100);
    for (unsigned kind = SYZYGY_WDL; kind <= SYZYGY_DTZ; kind++)
        assert_ok(syzygy_write(&table, &maps, kind, folder, NULL, NULL, NULL, &err), err);
    tb_table_free(&table, NULL);
    tables_open(&t, folder);
    for (unsigned i = 0; i < 2; i++) {
        _Alignas(16) chess_position p;
        assert_ok(fen_parse(fens[i], &p, &err), err);
        int spoiled = i == 0 ? 1 : -1;
        int wdl;
        tablebase *base;
        assert_ok(tablebase_open(folder, &base, &err), err);
        assert_int_equal(tablebase_wdl(base, &p, &wdl), TB_FOUND);
        assert_int_equal(wdl, spoiled);
        tablebase_close(base);
        assert_score(&t, &p, 0);
        p.clock = 30;
        assert_score(&t, &p, 0);
    }
    tables_close(&t);
    unit_remove_folder(folder);
}

/* ---- Damage ------------------------------------------------------------------------------------ */

/* Takes bytes off the end of a file, all of it, or changes one in the middle. */
static void file_hurt(const char *path, unsigned how)
{
    static unsigned char bytes[1 << 20];
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t size = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    assert_true(size > 100 && size < sizeof bytes);
    bytes[size / 2] ^= how == 3 ? 16 : 0;
    size_t left[] = {size - 64, size - 1, 0, size};
    unit_write_file(path, bytes, left[how]);
}

/* A value without its distance would look like one of a table that was made without. */
static void test_damaged_distances_are_errors(void **state)
{
    (void)state;
    static const char *const files[] = {"KRvK.rtbw", "KRvK.rtbz", "KRvK.hdtm"};
    holos_error err;
    _Alignas(16) chess_position p;
    assert_ok(fen_parse("8/8/8/8/8/2k5/8/K6R b - - 3 5", &p, &err), err);
    for (unsigned file = 0; file < 3; file++) {
        for (unsigned how = 0; how < 4; how++) {
            char folder[64];
            endings_report report;
            holos_value value;
            tables_of_50 t;
            unit_make_folder(folder);
            endings_request request = {.name = "KRvK", .folder = folder, .threads = 1};
            assert_ok(endings_make(&request, &report, &err), err);
            free(report.endings);
            file_hurt(unit_path(folder, files[file]), how);
            tables_open(&t, folder);
            assert_fails(t.knowledge->find(t.state, (holos_position *)&p, &value, &err), err, HOLOS_BAD_FILE,
                         files[file]);
            tables_close(&t);
            unit_remove_folder(folder);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_clock_of_three_pieces),
        cmocka_unit_test(test_the_last_plies_of_four_pieces),
        cmocka_unit_test(test_pawns_on_both_sides),
        cmocka_unit_test(test_spoiled_wins_are_draws),
        cmocka_unit_test(test_damaged_distances_are_errors),
    };
    UNIT_MAIN(tests);
}
