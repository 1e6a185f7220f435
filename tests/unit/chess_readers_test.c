/* SPDX-License-Identifier: MIT */

/* Our tables as other programs read them, next to Syzygy's own: position by position, by a reader of the test's own.
 * HOLOS_SYZYGY=DIR, with Syzygy's tables of three and four pieces, compares every position of all of them with tables that
 * are made for it, or with those in HOLOS_OURS=DIR; HOLOS_ENDINGS=KPvKP,KQvK takes only some endings. */

#include "unit.h"

#include "core/rng.h"
#include "games/chess/fen.h"
#include "games/chess/tables/endings.h"
#include "games/chess/tables/material.h"
#include "plain_syzygy.h"

#define REAL TEST_DATA "/chess/syzygy"

typedef struct comparison {
    ps_folder real, ours;
    uint64_t compared, one_ply; /* one_ply: DTZ that differ by the ply that the format allows */
} comparison;

static void fail_at(const chess_position *p, const char *what, int real, int ours)
{
    text fen;
    text_init(&fen);
    fen_format(p, &fen);
    fail_msg("%s: %s is %d, ours is read as %d", fen.data, what, real, ours);
}

static int wdl_of(ps_folder *folder, const chess_position *p)
{
    ps_result result;
    int wdl = ps_search(folder, p, false, &result);
    assert_true(result != PS_FAIL);
    return wdl;
}

static void compare_dtz(comparison *c, const chess_position *p, ps_way *way, const char *what)
{
    ps_result result[2];
    int real = way(&c->real, p, &result[0]), ours = way(&c->ours, p, &result[1]);
    assert_true(result[0] != PS_FAIL && result[1] != PS_FAIL);
    if (real == ours)
        return;
    if (ps_sign(real) != ps_sign(ours) || abs(real - ours) > 1)
        fail_at(p, what, real, ours);
    c->one_ply++;
}

static void compare_position(comparison *c, const chess_position *p)
{
    int real = wdl_of(&c->real, p), ours = wdl_of(&c->ours, p);
    c->compared++;
    if (real != ours)
        fail_at(p, "WDL", real, ours);
    if (real == 0)
        return;
    compare_dtz(c, p, ps_dtz, "DTZ by Stockfish's way");
    if (p->en_passant == 0)
        compare_dtz(c, p, ps_other_dtz, "DTZ by Fathom's way");
}

/* The same with every pawn that may be taken in passing. */
static void compare_passing(comparison *c, const chess_position *p)
{
    compare_position(c, p);
    for (unsigned file = 0; file < 8; file++) {
        unsigned rank = p->side == CHESS_WHITE ? 5 : 2, behind = 8 * rank + file;
        unsigned pawn = p->side == CHESS_WHITE ? behind - 8 : behind + 8, home = 2 * behind - pawn;
        chess_set theirs = position_set(p, 1u - p->side, CHESS_PAWN);
        if ((theirs >> pawn & 1) == 0 ||
            ((p->kinds[CHESS_ANY] >> behind | p->kinds[CHESS_ANY] >> home) & 1) != 0)
            continue;
        chess_position passing = *p;
        if (en_passant_pawns(p, p->side, behind) == 0)
            continue;
        passing.en_passant = (uint8_t)behind;
        if (position_fault(&passing) == NULL)
            compare_position(c, &passing);
    }
}

/* ---- All positions ----------------------------------------------------------------------------- */

typedef struct ending {
    unsigned pieces[PS_PIECES], count;
    bool pawns;
} ending;

static void ending_read(ending *e, const char *name)
{
    unsigned side = CHESS_WHITE;
    *e = (ending){.pawns = strchr(name, 'P') != NULL};
    for (const char *c = name; *c != 0; c++) {
        if (*c == 'v')
            side = CHESS_BLACK;
        else
            e->pieces[e->count++] = piece_make(side, (unsigned)(strchr(" PNBRQK", *c) - " PNBRQK"));
    }
}

/* Of the images of a position, one is enough: by the white king, which comes first. */
static bool king_is_enough(const ending *e, unsigned square)
{
    unsigned file = square % 8, rank = square / 8;
    return e->pawns ? file < 4 : file < 4 && rank <= file;
}

static void squares_place(const ending *e, uint64_t number, comparison *c)
{
    chess_position p = {.number = 1};
    unsigned before = 64;
    for (unsigned i = 0; i < e->count; i++) {
        unsigned square = number >> 6 * (e->count - 1 - i) & 63;
        bool equal = i > 0 && e->pieces[i] == e->pieces[i - 1];
        if ((p.kinds[CHESS_ANY] >> square & 1) != 0 || (equal && square < before) ||
            (piece_kind(e->pieces[i]) == CHESS_PAWN && (square < 8 || square > 55)) ||
            (i == 0 && !king_is_enough(e, square)))
            return;
        position_put(&p, e->pieces[i], square);
        before = square;
    }
    for (unsigned side = 0; side < 2; side++) {
        p.side = (uint8_t)side;
        if (position_fault(&p) == NULL)
            compare_passing(c, &p);
    }
}

/* All positions of an ending, or about so many at random. */
static void compare_ending(comparison *c, const char *name, uint64_t samples)
{
    ending e;
    rng r;
    ending_read(&e, name);
    uint64_t all = (uint64_t)1 << 6 * e.count, before = c->compared, off = c->one_ply;
    rng_init(&r, 5, 0);
    for (uint64_t i = 0; samples == 0 && i < all; i++)
        squares_place(&e, i, c);
    while (c->compared - before < samples)
        squares_place(&e, rng_below(&r, all), c);
    if (samples == 0)
        print_message("%s: %llu positions, DTZ differs by one ply for %llu\n", name,
                      (unsigned long long)(c->compared - before), (unsigned long long)(c->one_ply - off));
}

static void tables_make(const char *folder, const char *name, unsigned pieces)
{
    holos_error err;
    endings_report report;
    endings_request request = {.name = name, .pieces = pieces, .folder = folder, .threads = 1};
    assert_ok(endings_make(&request, &report, &err), err);
    free(report.endings);
}

static void test_others_read_the_same_in_our_tables(void **state)
{
    (void)state;
    static const char *const names[] = {"KQvK", "KRvK", "KPvK", "KBvK", "KRvKB"};
    char folder[64];
    comparison c = {.real.path = REAL};
    unit_make_folder(folder);
    tables_make(folder, "KPvK", 0);
    tables_make(folder, "KRvKB", 0);
    snprintf(c.ours.path, sizeof c.ours.path, "%s", folder);
    for (unsigned i = 0; i < 5; i++)
        compare_ending(&c, names[i], 4000);
    ps_close(&c.real);
    ps_close(&c.ours);
    unit_remove_folder(folder);
}

static bool is_wanted(const char *name)
{
    const char *list = getenv("HOLOS_ENDINGS");
    for (const char *at = list; at != NULL && (at = strstr(at, name)) != NULL; at++)
        if ((at == list || at[-1] == ',') && (at[strlen(name)] == ',' || at[strlen(name)] == 0))
            return true;
    return list == NULL;
}

static void test_every_position_of_four_pieces(void **state)
{
    (void)state;
    const char *real = getenv("HOLOS_SYZYGY"), *given = getenv("HOLOS_OURS");
    char folder[64], name[TB_NAME_SIZE];
    tb_key keys[64];
    comparison c = {.real.whole = true, .ours.whole = true};
    if (real == NULL)
        return;
    size_t count = key_all(4, keys, 64);
    if (given == NULL) {
        unit_make_folder(folder);
        tables_make(folder, NULL, 4);
    }
    snprintf(c.real.path, sizeof c.real.path, "%s", real);
    snprintf(c.ours.path, sizeof c.ours.path, "%s", given != NULL ? given : folder);
    for (size_t i = 0; i < count; i++)
        if (is_wanted(key_name(keys[i], name))) {
            ps_know(&c.real);
            ps_know(&c.ours);
            compare_ending(&c, name, 0);
        }
    ps_close(&c.real);
    ps_close(&c.ours);
    if (given == NULL)
        unit_remove_folder(folder);
}

/* ---- Files by themselves ----------------------------------------------------------------------- */

/* What the moves of a position say of it. The fifty-move rule may turn a result where it is a ply away: then `edge`. */
typedef struct derived {
    int wdl, dtz;
    bool edge;
} derived;

static derived derive(ps_folder *folder, const chess_position *p)
{
    chess_move moves[CHESS_MOVES_MOST];
    unsigned count = position_moves(p, moves);
    derived best = {.wdl = -3};
    if (count == 0)
        return (derived){.wdl = position_in_check(p, p->side) ? -2 : 0,
                         .dtz = position_in_check(p, p->side) ? -1 : 0};
    for (unsigned i = 0; i < count; i++) {
        chess_position next;
        ps_result result;
        position_make(p, moves[i], &next);
        bool zeroes = ps_is_capture(p, moves[i]) || move_kind(moves[i]) == CHESS_PAWN;
        int wdl = -wdl_of(folder, &next), dtz = -ps_dtz(folder, &next, &result);
        assert_true(result != PS_FAIL);
        best.edge |= abs(dtz) > 97;
        dtz = ps_is_mate(&next) ? 1 : zeroes ? ps_before_zeroing(wdl) : dtz + ps_sign(dtz);
        bool sooner = wdl == best.wdl && (wdl > 0 ? dtz < best.dtz : wdl < 0 && dtz < best.dtz);
        if (wdl > best.wdl || sooner) {
            best.wdl = wdl;
            best.dtz = dtz;
        }
    }
    return best;
}

/* HOLOS_TABLES=DIR, with HOLOS_ENDINGS: positions at random follow from their moves. For tables that nobody else has. */
static void test_files_follow_from_moves(void **state)
{
    (void)state;
    const char *path = getenv("HOLOS_TABLES"), *name = getenv("HOLOS_ENDINGS");
    ps_folder folder = {0};
    ending e;
    rng r;
    snprintf(folder.path, sizeof folder.path, "%s", path != NULL && name != NULL ? path : REAL);
    ending_read(&e, path != NULL && name != NULL ? name : "KQvKR");
    rng_init(&r, 6, 0);
    uint64_t samples = path != NULL ? 100000 : 2000, edges = 0;
    for (uint64_t n = 0; n < samples;) {
        chess_position p = {.number = 1, .side = (uint8_t)rng_below(&r, 2)};
        ps_result result;
        bool fits = true;
        for (unsigned i = 0; i < e.count && fits; i++) {
            unsigned square = (unsigned)rng_below(&r, 64);
            fits = (p.kinds[CHESS_ANY] >> square & 1) == 0;
            if (fits)
                position_put(&p, e.pieces[i], square);
        }
        if (!fits || position_fault(&p) != NULL)
            continue;
        n++;
        int wdl = wdl_of(&folder, &p), dtz = ps_dtz(&folder, &p, &result);
        derived should = derive(&folder, &p);
        edges += should.edge;
        if (!should.edge && wdl != should.wdl)
            fail_at(&p, "by its moves WDL", should.wdl, wdl);
        if (!should.edge && abs(dtz - should.dtz) > 1)
            fail_at(&p, "by its moves DTZ", should.dtz, dtz);
    }
    if (path != NULL)
        print_message("%s: %llu positions, %llu of them at the edge of the rule\n", name,
                      (unsigned long long)samples, (unsigned long long)edges);
    ps_close(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_others_read_the_same_in_our_tables),
        cmocka_unit_test(test_every_position_of_four_pieces),
        cmocka_unit_test(test_files_follow_from_moves),
    };
    ps_init();
    UNIT_MAIN(tests);
}
