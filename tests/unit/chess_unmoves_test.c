/* SPDX-License-Identifier: MIT */

/* Moves and unmoves are two descriptions of the same edges. Here all positions with a material are made by placing its
 * pieces on all squares, with all castling rights and en passant squares that they can have; the edges from them are
 * found by moves, the edges to them by unmoves, and both sums of hashes must be the same, material by material.
 *
 * By default: all endings with three pieces, and of some with four those edges whose first position has the black king at
 * home. HOLOS_LONG_TESTS=1: all endings with four pieces, all edges. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/clock.h"
#include "core/hash.h"
#include "core/pool.h"
#include "games/chess/fen.h"
#include "games/chess/unmoves.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALL_SQUARES (~UINT64_C(0))

/* ---- All positions with a material ------------------------------------------------------------- */

typedef void visitor(void *context, const chess_position *p);

typedef struct placing {
    unsigned pieces[8], count;
    chess_set black_king; /* where it may stand */
    visitor *visit;
    void *context;
} placing;

static void visit_en_passants(const placing *e, chess_position *p)
{
    e->visit(e->context, p);
    unsigned us = p->side, them = 1 - us;
    for (unsigned file = 0; file < 8; file++) {
        unsigned passed = us == CHESS_WHITE ? 40 + file : 16 + file;
        unsigned origin = us == CHESS_WHITE ? passed + 8 : passed - 8;
        if (position_piece_at(p, passed ^ 8) != piece_make(them, CHESS_PAWN) ||
            position_piece_at(p, passed) != 0 || position_piece_at(p, origin) != 0 ||
            en_passant_pawns(p, us, passed) == 0)
            continue;
        p->en_passant = (uint8_t)passed;
        e->visit(e->context, p);
    }
    p->en_passant = 0;
}

/* Without rights a position is sound or not; where no king is at home, there are none to try. */
static void visit_rights(const placing *e, chess_position *p)
{
    bool at_home = p->kinds[CHESS_ROOK] != 0 &&
                   (p->kinds[CHESS_KING] & (chess_bit(CHESS_E1) | chess_bit(CHESS_E8))) != 0;
    for (p->side = 0; p->side < 2; p->side++) {
        p->castling = 0;
        if (position_fault(p) != NULL)
            continue;
        visit_en_passants(e, p);
        for (p->castling = 1; at_home && p->castling < 16; p->castling++)
            if (position_fault(p) == NULL)
                visit_en_passants(e, p);
    }
}

static void place(const placing *e, unsigned index, unsigned from, chess_position *p)
{
    if (index == e->count) {
        visit_rights(e, p);
        return;
    }
    unsigned piece = e->pieces[index];
    bool again = index + 1 < e->count && e->pieces[index + 1] == piece;
    for (unsigned square = from; square < 64; square++) {
        if ((p->kinds[CHESS_ANY] >> square & 1) != 0 ||
            (piece == piece_make(CHESS_BLACK, CHESS_KING) && (e->black_king >> square & 1) == 0) ||
            (piece_kind(piece) == CHESS_PAWN && (square < 8 || square > 55)))
            continue;
        position_put(p, piece, square);
        place(e, index + 1, again ? square + 1 : 0, p);
        position_remove(p, square);
    }
}

static void each_position(const chess_material *m, chess_set black_king, visitor *visit, void *context)
{
    placing e = {.black_king = black_king, .visit = visit, .context = context};
    chess_position p = {.number = 1};
    for (unsigned side = 0; side < 2; side++)
        for (unsigned kind = CHESS_KING; kind >= CHESS_PAWN; kind--)
            for (unsigned i = 0; i < m->counts[side][kind]; i++)
                e.pieces[e.count++] = piece_make(side, kind);
    place(&e, 0, 0, &p);
}

/* ---- Edges ------------------------------------------------------------------------------------- */

typedef struct edge_sum {
    chess_material material; /* of the second position */
    uint64_t count, sum;
} edge_sum;

#define SUMS_MOST 64

/* What one worker has found. */
typedef struct edge_sums {
    edge_sum sums[SUMS_MOST];
    size_t count;
    bool is_full;
    chess_set black_king; /* where it stands in the first position */
    const chess_material *first;
    const chess_position *visited; /* and its hash, while its moves or unmoves are listed */
    uint64_t visited_hash;
} edge_sums;

/* Eight words that tell positions apart, each mixed on its own: quicker than one after the other. */
static uint64_t position_hash(const chess_position *p)
{
    uint64_t hash = hash_mix((uint64_t)p->side << 32 | (uint64_t)p->castling << 16 | (p->en_passant + 1u));
    hash += hash_mix(p->sides[0] ^ UINT64_C(0x9E3779B97F4A7C15)) +
            hash_mix(p->sides[1] ^ UINT64_C(0xD1B54A32D192ED03));
    for (unsigned kind = CHESS_PAWN; kind < CHESS_KING; kind++)
        hash += hash_mix(p->kinds[kind] ^ kind * UINT64_C(0xA24BAED4963EE407));
    return hash;
}

/* Nothing taken, no promotion. */
static bool material_is_same(const chess_position *before, const chess_position *after)
{
    return set_count(before->kinds[CHESS_ANY]) == set_count(after->kinds[CHESS_ANY]) &&
           set_count(before->kinds[CHESS_PAWN]) == set_count(after->kinds[CHESS_PAWN]);
}

static void sums_add(edge_sums *s, const chess_material *m, uint64_t count, uint64_t sum)
{
    size_t i = 0;
    while (i < s->count && !material_equal(&s->sums[i].material, m))
        i++;
    if (i == SUMS_MOST) {
        s->is_full = true;
        return;
    }
    s->count = i == s->count ? i + 1 : s->count;
    s->sums[i].material = *m;
    s->sums[i].count += count;
    s->sums[i].sum += sum;
}

static void edge_add(edge_sums *s, const chess_position *before, uint64_t before_hash, chess_move move,
                     const chess_position *after, uint64_t after_hash)
{
    chess_material m;
    if (material_is_same(before, after))
        m = *s->first;
    else
        m = material_of(after);
    sums_add(s, &m, 1, hash_add(hash_add(before_hash, move), after_hash));
}

static void visit_forward(void *context, const chess_position *p)
{
    chess_move moves[CHESS_MOVES_MOST];
    unsigned count = position_moves(p, moves);
    uint64_t hash = position_hash(p);
    for (unsigned i = 0; i < count; i++) {
        chess_position after;
        position_make(p, moves[i], &after);
        edge_add(context, p, hash, moves[i], &after, position_hash(&after));
    }
}

static void hear_unmove(void *context, const chess_position *before, chess_move move)
{
    edge_sums *s = context;
    if ((position_set(before, CHESS_BLACK, CHESS_KING) & s->black_king) != 0)
        edge_add(s, before, position_hash(before), move, s->visited, s->visited_hash);
}

static void visit_backward(void *context, const chess_position *p)
{
    edge_sums *s = context;
    s->visited = p;
    s->visited_hash = position_hash(p);
    position_unmoves(p, s->first, hear_unmove, s);
}

/* ---- On all processors ------------------------------------------------------------------------- */

/* All positions with a material, and the edges that `visit` finds there: a job for each square of the black king. */
typedef struct survey {
    const chess_material *material;
    chess_set black_king;
    visitor *visit;
    edge_sums *sums; /* of each worker */
} survey;

static void survey_square(void *context, uint64_t square, unsigned worker)
{
    const survey *s = context;
    if ((s->black_king >> square & 1) != 0)
        each_position(s->material, chess_bit((unsigned)square), s->visit, &s->sums[worker]);
}

static void survey_run(pool *workers, const chess_material *m, chess_set black_king, visitor *visit,
                       edge_sums *total)
{
    unsigned threads = pool_threads(workers);
    edge_sums *sums = calloc(threads, sizeof *sums);
    assert_non_null(sums);
    for (unsigned i = 0; i < threads; i++)
        sums[i] = (edge_sums){.black_king = total->black_king, .first = total->first};
    pool_run(workers, 64, survey_square, &(survey){m, black_king, visit, sums});
    for (unsigned i = 0; i < threads; i++) {
        assert_false(sums[i].is_full);
        for (size_t k = 0; k < sums[i].count; k++)
            sums_add(total, &sums[i].sums[k].material, sums[i].sums[k].count, sums[i].sums[k].sum);
    }
    free(sums);
    assert_false(total->is_full);
}

/* Where a king may be after a move from one of these squares: around them, or castled. */
static chess_set king_reach(chess_set from)
{
    return from | SET_KING(from) | SET_EAST2(from) | SET_WEST2(from);
}

/* Returns the number of edges. */
static uint64_t check_duality(pool *workers, const char *name, chess_set black_king)
{
    chess_material m;
    uint64_t edges = 0;
    assert_int_equal(material_parse(name, &m, NULL), HOLOS_OK);
    edge_sums forward = {.black_king = black_king, .first = &m},
              backward = {.black_king = black_king, .first = &m};
    survey_run(workers, &m, black_king, visit_forward, &forward);
    assert_true(forward.count > 0);
    for (size_t i = 0; i < forward.count; i++)
        survey_run(workers, &forward.sums[i].material, king_reach(black_king), visit_backward, &backward);
    assert_int_equal(backward.count, forward.count);
    for (size_t i = 0; i < forward.count; i++) {
        edges += forward.sums[i].count;
        size_t k = 0;
        while (k < backward.count && !material_equal(&backward.sums[k].material, &forward.sums[i].material))
            k++;
        assert_true(k < backward.count);
        if (forward.sums[i].count != backward.sums[k].count || forward.sums[i].sum != backward.sums[k].sum) {
            char to[32];
            text out;
            text_init_fixed(&out, to, sizeof to);
            material_format(&forward.sums[i].material, &out);
            fail_msg("from %s to %s there are %llu moves and %llu unmoves", name, to,
                     (unsigned long long)forward.sums[i].count, (unsigned long long)backward.sums[k].count);
        }
    }
    return edges;
}

static void test_three_pieces(void **state)
{
    static const char *const endings[] = {"KQvK", "KRvK", "KBvK", "KNvK", "KPvK"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        check_duality(*state, endings[i], ALL_SQUARES);
}

/* At home for castling. */
#define SOME_SQUARES (UINT64_C(1) << CHESS_E8)

static void test_some_endings_of_four(void **state)
{
    static const char *const endings[] = {"KPvKP", "KRvKR"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        check_duality(*state, endings[i], SOME_SQUARES);
}

/* It takes a while, so it says where it is. */
static void test_all_endings_of_four(void **state)
{
    static const char letters[] = "QRBNP";
    unsigned done = 0;
    for (size_t i = 0; i < 50; i++) {
        size_t a = i / 10, b = i / 2 % 5;
        char name[8];
        if (b < a)
            continue;
        snprintf(name, sizeof name, i % 2 == 0 ? "K%c%cvK" : "K%cvK%c", letters[a], letters[b]);
        double begun = clock_cpu();
        uint64_t edges = check_duality(*state, name, ALL_SQUARES);
        fprintf(stderr, "%2u of 30: %s, %llu moves and as many unmoves, %.0f s of processor time\n", ++done,
                name, (unsigned long long)edges, clock_cpu() - begun);
    }
    assert_int_equal(done, 30);
}

static int workers_open(void **state)
{
    pool *workers;
    if (pool_open(0, &workers, NULL) != HOLOS_OK)
        return -1;
    *state = workers;
    return 0;
}

static int workers_close(void **state)
{
    pool_close(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_three_pieces),
        cmocka_unit_test(test_some_endings_of_four),
    };
    const struct CMUnitTest long_tests[] = {
        cmocka_unit_test(test_three_pieces),
        cmocka_unit_test(test_all_endings_of_four),
    };
    if (getenv("HOLOS_LONG_TESTS") != NULL)
        return cmocka_run_group_tests(long_tests, workers_open, workers_close);
    return cmocka_run_group_tests(tests, workers_open, workers_close);
}
