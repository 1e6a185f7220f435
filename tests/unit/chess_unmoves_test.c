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

#include "core/hash.h"
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

typedef struct edge_sums {
    edge_sum sums[64];
    size_t count;
    chess_set black_king; /* where it stands in the first position */
    const chess_material *first;
    const chess_position *after; /* while its unmoves are listed */
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

static void sums_add(edge_sums *s, const chess_position *before, chess_move move, const chess_position *after)
{
    chess_material m;
    if (material_is_same(before, after))
        m = *s->first;
    else
        m = material_of(after);
    size_t i = 0;
    while (i < s->count && !material_equal(&s->sums[i].material, &m))
        i++;
    assert_true(i < 64);
    s->count = i == s->count ? i + 1 : s->count;
    s->sums[i].material = m;
    s->sums[i].count++;
    s->sums[i].sum += hash_add(hash_add(position_hash(before), move), position_hash(after));
}

static void visit_forward(void *context, const chess_position *p)
{
    chess_move moves[CHESS_MOVES_MOST];
    unsigned count = position_moves(p, moves);
    for (unsigned i = 0; i < count; i++) {
        chess_position after;
        position_make(p, moves[i], &after);
        sums_add(context, p, moves[i], &after);
    }
}

static void hear_unmove(void *context, const chess_position *before, chess_move move)
{
    edge_sums *s = context;
    if ((position_set(before, CHESS_BLACK, CHESS_KING) & s->black_king) != 0)
        sums_add(s, before, move, s->after);
}

static void visit_backward(void *context, const chess_position *p)
{
    edge_sums *s = context;
    s->after = p;
    position_unmoves(p, s->first, hear_unmove, s);
}

/* Where a king may be after a move from one of these squares: around them, or castled. */
static chess_set king_reach(chess_set from)
{
    return from | SET_KING(from) | SET_EAST2(from) | SET_WEST2(from);
}

static void check_duality(const char *name, chess_set black_king)
{
    chess_material m;
    assert_int_equal(material_parse(name, &m, NULL), HOLOS_OK);
    edge_sums forward = {.black_king = black_king, .first = &m},
              backward = {.black_king = black_king, .first = &m};
    each_position(&m, black_king, visit_forward, &forward);
    assert_true(forward.count > 0);
    for (size_t i = 0; i < forward.count; i++)
        each_position(&forward.sums[i].material, king_reach(black_king), visit_backward, &backward);
    for (size_t i = 0; i < forward.count; i++)
        if (forward.sums[i].count != backward.sums[i].count || forward.sums[i].sum != backward.sums[i].sum) {
            char to[32];
            text out;
            text_init_fixed(&out, to, sizeof to);
            material_format(&forward.sums[i].material, &out);
            fail_msg("from %s to %s there are %llu moves and %llu unmoves", name, to,
                     (unsigned long long)forward.sums[i].count, (unsigned long long)backward.sums[i].count);
        }
    assert_int_equal(backward.count, forward.count);
}

static void test_three_pieces(void **state)
{
    (void)state;
    static const char *const endings[] = {"KQvK", "KRvK", "KBvK", "KNvK", "KPvK"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        check_duality(endings[i], ALL_SQUARES);
}

/* At home for castling. */
#define SOME_SQUARES (UINT64_C(1) << CHESS_E8)

static void test_some_endings_of_four(void **state)
{
    (void)state;
    static const char *const endings[] = {"KPvKP", "KRvKR"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        check_duality(endings[i], SOME_SQUARES);
}

static void test_all_endings_of_four(void **state)
{
    (void)state;
    static const char letters[] = "QRBNP";
    for (size_t a = 0; a < 5; a++)
        for (size_t b = a; b < 5; b++) {
            char name[8];
            snprintf(name, sizeof name, "K%c%cvK", letters[a], letters[b]);
            print_message("%s\n", name);
            check_duality(name, ALL_SQUARES);
            snprintf(name, sizeof name, "K%cvK%c", letters[a], letters[b]);
            print_message("%s\n", name);
            check_duality(name, ALL_SQUARES);
        }
}

int main(void)
{
    const char *wanted = getenv("HOLOS_LONG_TESTS");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_three_pieces),
        cmocka_unit_test(test_some_endings_of_four),
    };
    const struct CMUnitTest long_tests[] = {
        cmocka_unit_test(test_three_pieces),
        cmocka_unit_test(test_all_endings_of_four),
    };
    if (wanted != NULL && strcmp(wanted, "1") == 0)
        return cmocka_run_group_tests(long_tests, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
