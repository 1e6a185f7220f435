/* SPDX-License-Identifier: MIT */

#include "games/chess/tables/index.h"

#include "core/assert.h"

#include <string.h>

/* Above the diagonal a1 h8: positive; below: negative. */
static int off_diagonal(unsigned square)
{
    return (int)chess_rank_of(square) - (int)chess_file_of(square);
}

/* ---- The small tables -------------------------------------------------------------------------- */

static void init_triangle(index_maps *m)
{
    uint8_t inside = 0, diagonal = 6, below = 0;
    for (unsigned s = 0; s < 64; s++) {
        if (off_diagonal(s) < 0)
            m->below[s] = below++;
        if (chess_file_of(s) > 3 || chess_rank_of(s) > 3 || off_diagonal(s) > 0)
            continue;
        m->triangle[s] = off_diagonal(s) < 0 ? inside++ : diagonal++;
    }
    for (unsigned s = 0; s < 64; s++) {
        for (unsigned t = 8; t-- > 0;) {
            unsigned to = square_turn(s, t);
            m->turned[t][s] = (uint8_t)to;
            if (chess_file_of(to) <= 3 && chess_rank_of(to) <= 3 && off_diagonal(to) <= 0)
                m->into_triangle[s] = (uint8_t)t;
        }
    }
}

static unsigned triangle_square(const index_maps *m, unsigned number)
{
    for (unsigned s = 0; s < 28; s++)
        if (m->triangle[s] == number && chess_file_of(s) <= 3 && off_diagonal(s) <= 0)
            return s;
    return 0;
}

/* Kings that both stand on the diagonal come last. */
static void init_kings(index_maps *m)
{
    uint16_t number = 0;
    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned i = 0; i < INDEX_TRIANGLE; i++) {
            unsigned first = triangle_square(m, i);
            for (unsigned second = 0; second < 64; second++) {
                bool on = off_diagonal(first) == 0, both = on && off_diagonal(second) == 0;
                if (((chess_king_attacks(first) | chess_bit(first)) >> second & 1) != 0 ||
                    (on && off_diagonal(second) > 0) || both != (pass == 1))
                    continue;
                m->kings[i][second] = number++;
            }
        }
    }
}

static void init_choose(index_maps *m)
{
    for (unsigned n = 0; n < 64; n++)
        for (unsigned k = 0; k < 7; k++)
            m->choose[k][n] = k == 0 ? 1 : n == 0 ? 0 : m->choose[k - 1][n - 1] + m->choose[k][n - 1];
}

static void init_pawns(index_maps *m)
{
    uint8_t left = 47;
    for (unsigned file = 0; file < 4; file++) {
        for (unsigned rank = 1; rank < 7; rank++) {
            m->pawn[rank * 8 + file] = left--;
            m->pawn[rank * 8 + 7 - file] = left--;
        }
    }
    for (unsigned count = 1; count < 6; count++) {
        for (unsigned file = 0; file < 4; file++) {
            uint32_t number = 0;
            for (unsigned rank = 1; rank < 7; rank++) {
                m->lead_first[count][rank * 8 + file] = number;
                number += m->choose[count - 1][m->pawn[rank * 8 + file]];
            }
            m->lead_size[count][file] = number;
        }
    }
}

void index_maps_init(index_maps *m)
{
    memset(m, 0, sizeof *m);
    init_triangle(m);
    init_kings(m);
    init_choose(m);
    init_pawns(m);
}

/* ---- Encodings --------------------------------------------------------------------------------- */

index_shape index_shape_of(tb_key key)
{
    unsigned white = key_count(key, CHESS_WHITE, CHESS_PAWN), black = key_count(key, CHESS_BLACK, CHESS_PAWN);
    index_shape shape = {.pieces = (uint8_t)key_pieces(key)};
    bool white_leads = black == 0 || (white > 0 && black >= white); /* the side with fewer pawns */
    shape.leading_side = white_leads ? CHESS_WHITE : CHESS_BLACK;
    shape.leading_pawns = (uint8_t)(white_leads ? white : black);
    shape.other_pawns = (uint8_t)(white_leads ? black : white);
    for (unsigned side = 0; side < 2; side++)
        for (unsigned kind = CHESS_PAWN; kind <= CHESS_QUEEN; kind++)
            shape.unique |= key_count(key, side, kind) == 1;
    return shape;
}

static bool groups_find(index_encoding *e, const index_shape *shape)
{
    unsigned leading = e->has_pawns ? shape->leading_pawns : e->unique ? 3 : 2;
    unsigned n = 0;
    e->groups[0] = (index_group){.first = 0, .length = (uint8_t)leading};
    for (unsigned i = 0; i < e->piece_count; i++) {
        if (i < leading) {
            if (e->has_pawns && e->pieces[i] != piece_make(shape->leading_side, CHESS_PAWN))
                return false;
            if (!e->unique && !e->has_pawns && piece_kind(e->pieces[i]) != CHESS_KING)
                return false;
        } else if (i > leading && e->pieces[i] == e->pieces[i - 1]) {
            e->groups[n].length++;
        } else {
            e->groups[++n] = (index_group){.first = (uint8_t)i, .length = 1};
        }
    }
    e->group_count = (uint8_t)(n + 1);
    return !e->both_pawns || (e->groups[1].length == shape->other_pawns &&
                              e->pieces[leading] == piece_make(1u - shape->leading_side, CHESS_PAWN));
}

bool index_encode_init(index_encoding *e, const index_maps *m, const index_shape *shape, unsigned order_lead,
                       unsigned order_pawns)
{
    e->has_pawns = shape->leading_pawns > 0;
    e->both_pawns = shape->other_pawns > 0;
    e->unique = !e->has_pawns && shape->unique;
    e->leading_pawns = shape->leading_pawns;
    if (!groups_find(e, shape))
        return false;
    unsigned next = e->both_pawns ? 2 : 1, placed = 0;
    unsigned left = 64u - e->groups[0].length - (e->both_pawns ? e->groups[1].length : 0u);
    uint64_t factor = 1;
    for (unsigned k = 0; k < 16 && placed < e->group_count; k++, placed++) {
        index_group *g;
        if (k == order_lead) {
            g = &e->groups[0];
            g->size = e->has_pawns ? m->lead_size[g->length][e->file]
                      : e->unique  ? INDEX_UNIQUE_LEADS
                                   : INDEX_KING_LEADS;
        } else if (e->both_pawns && k == order_pawns) {
            g = &e->groups[1];
            g->size = m->choose[g->length][48 - e->groups[0].length];
        } else if (next < e->group_count) {
            g = &e->groups[next++];
            g->size = m->choose[g->length][left];
            left -= g->length;
        } else {
            return false;
        }
        g->factor = factor;
        factor *= g->size;
    }
    e->size = factor;
    return placed == e->group_count && e->groups[0].factor != 0 && factor != 0;
}

/* ---- Ranking ----------------------------------------------------------------------------------- */

static void squares_turn(uint8_t *squares, unsigned count, unsigned symmetry)
{
    for (unsigned i = 0; i < count; i++)
        squares[i] = (uint8_t)square_turn(squares[i], symmetry);
}

static void insert_sorted(uint8_t *squares, unsigned count, const uint8_t *weight)
{
    for (unsigned i = 1; i < count; i++) {
        uint8_t s = squares[i];
        unsigned k = i;
        for (; k > 0 && (weight != NULL ? weight[squares[k - 1]] > weight[s] : squares[k - 1] > s); k--)
            squares[k] = squares[k - 1];
        squares[k] = s;
    }
}

static uint64_t rank_pawns(const index_encoding *e, const index_maps *m, uint8_t *squares)
{
    if (chess_file_of(squares[0]) > 3)
        squares_turn(squares, e->piece_count, 1);
    uint64_t number = m->lead_first[e->leading_pawns][squares[0]];
    insert_sorted(squares + 1, e->leading_pawns - 1u, m->pawn);
    for (unsigned i = 1; i < e->leading_pawns; i++)
        number += m->choose[i][m->pawn[squares[i]]];
    return number;
}

static uint64_t rank_unique(const index_maps *m, const uint8_t *s)
{
    unsigned adjust1 = s[1] > s[0], adjust2 = (s[2] > s[0]) + (s[2] > s[1]);
    unsigned r0 = chess_rank_of(s[0]), r1 = chess_rank_of(s[1]), r2 = chess_rank_of(s[2]);
    if (off_diagonal(s[0]) != 0)
        return ((uint64_t)m->triangle[s[0]] * 63 + s[1] - adjust1) * 62 + s[2] - adjust2;
    if (off_diagonal(s[1]) != 0)
        return (6 * 63 + r0 * 28 + m->below[s[1]]) * 62 + s[2] - adjust2;
    if (off_diagonal(s[2]) != 0)
        return 6 * 63 * 62 + 4 * 28 * 62 + r0 * 7 * 28 + (r1 - adjust1) * 28 + m->below[s[2]];
    return 6 * 63 * 62 + 4 * 28 * 62 + 4 * 7 * 28 + r0 * 7 * 6 + (r1 - adjust1) * 6 + (r2 - adjust2);
}

static uint64_t rank_pieces(const index_encoding *e, const index_maps *m, uint8_t *squares)
{
    unsigned symmetry = (chess_file_of(squares[0]) > 3 ? 1 : 0) | (chess_rank_of(squares[0]) > 3 ? 2 : 0);
    squares_turn(squares, e->piece_count, symmetry);
    for (unsigned i = 0; i < e->groups[0].length; i++) {
        int off = off_diagonal(squares[i]);
        if (off == 0)
            continue;
        if (off > 0)
            squares_turn(squares, e->piece_count, 4);
        break;
    }
    return e->unique ? rank_unique(m, squares) : m->kings[m->triangle[squares[0]]][squares[1]];
}

uint64_t index_rank(const index_encoding *e, const index_maps *m, uint8_t *squares)
{
    uint64_t lead = e->has_pawns ? rank_pawns(e, m, squares) : rank_pieces(e, m, squares);
    uint64_t number = lead * e->groups[0].factor;
    for (unsigned g = 1; g < e->group_count; g++) {
        const index_group *group = &e->groups[g];
        uint8_t *own = squares + group->first;
        unsigned pawns = g == 1 && e->both_pawns ? 8 : 0;
        uint64_t part = 0;
        if (group->length > 1)
            insert_sorted(own, group->length, NULL);
        for (unsigned i = 0; i < group->length; i++) {
            unsigned s = own[i];
            for (const uint8_t *before = squares; before < squares + group->first; before++)
                s -= own[i] > *before;
            part += m->choose[i + 1][s - pawns];
        }
        number += part * group->factor;
    }
    return number;
}

/* ---- Unranking --------------------------------------------------------------------------------- */

static unsigned below_square(const index_maps *m, unsigned number)
{
    for (unsigned s = 0; s < 64; s++)
        if (off_diagonal(s) < 0 && m->below[s] == number)
            return s;
    return 0;
}

static bool unrank_kings(const index_maps *m, uint64_t lead, uint8_t *squares)
{
    for (unsigned i = 0; i < INDEX_TRIANGLE; i++) {
        unsigned first = triangle_square(m, i);
        for (unsigned second = 0; second < 64; second++) {
            if (((chess_king_attacks(first) | chess_bit(first)) >> second & 1) != 0 ||
                m->kings[i][second] != lead || (off_diagonal(first) == 0 && off_diagonal(second) > 0))
                continue;
            squares[0] = (uint8_t)first;
            squares[1] = (uint8_t)second;
            return true;
        }
    }
    return false;
}

/* The n-th square of those that are not among `taken`. */
static unsigned free_square(unsigned n, const uint8_t *taken, unsigned count)
{
    for (unsigned s = 0; s < 64; s++) {
        bool is_taken = false;
        for (unsigned i = 0; i < count; i++)
            is_taken |= taken[i] == s;
        if (!is_taken && n-- == 0)
            return s;
    }
    return 0;
}

static bool unrank_unique(const index_maps *m, uint64_t lead, uint8_t *s)
{
    unsigned n = (unsigned)lead;
    const unsigned diagonal = 6 * 63 * 62, two = diagonal + 4 * 28 * 62, three = two + 4 * 7 * 28;
    if (n < diagonal) {
        s[0] = (uint8_t)triangle_square(m, n / (63 * 62));
        s[1] = (uint8_t)free_square(n / 62 % 63, s, 1);
        s[2] = (uint8_t)free_square(n % 62, s, 2);
    } else if (n < two) {
        n -= diagonal;
        s[0] = (uint8_t)(9 * (n / 62 / 28));
        s[1] = (uint8_t)below_square(m, n / 62 % 28);
        s[2] = (uint8_t)free_square(n % 62, s, 2);
    } else {
        bool all = n >= three;
        n -= all ? three : two;
        unsigned last = all ? 6 : 28, r0 = n / (7 * last), r1 = n / last % 7;
        r1 += r1 >= r0;
        s[0] = (uint8_t)(9 * r0);
        s[1] = (uint8_t)(9 * r1);
        unsigned r2 = n % last;
        if (all)
            for (unsigned i = 0; i < 2; i++)
                r2 += r2 >= (i == 0 ? (r0 < r1 ? r0 : r1) : (r0 < r1 ? r1 : r0));
        s[2] = (uint8_t)(all ? 9 * r2 : below_square(m, r2));
    }
    return true;
}

/* The largest n with choose[k][n] <= number. */
static unsigned choose_root(const index_maps *m, unsigned k, uint64_t number, unsigned most)
{
    assert(k < 7 && most < 64);
    while (m->choose[k][most] > number)
        most--;
    return most; /* choose[k][0] is 0 */
}

static bool unrank_pawns(const index_encoding *e, const index_maps *m, uint64_t lead, uint8_t *squares)
{
    unsigned rank = 6, count = e->leading_pawns;
    while (rank > 1 && m->lead_first[count][rank * 8 + e->file] > lead)
        rank--;
    squares[0] = (uint8_t)(rank * 8 + e->file);
    lead -= m->lead_first[count][squares[0]];
    for (unsigned i = count - 1; i >= 1; i--) {
        unsigned weight = choose_root(m, i, lead, 47);
        lead -= m->choose[i][weight];
        unsigned s = 8;
        while (s < 56 && m->pawn[s] != weight)
            s++;
        squares[i] = (uint8_t)s;
    }
    return true;
}

bool index_unrank_lead(const index_encoding *e, const index_maps *m, uint64_t lead, uint8_t *squares)
{
    if (e->has_pawns)
        return unrank_pawns(e, m, lead, squares);
    return e->unique ? unrank_unique(m, lead, squares) : unrank_kings(m, lead, squares);
}

bool index_unrank(const index_encoding *e, const index_maps *m, uint64_t number, uint8_t *squares)
{
    if (!index_unrank_lead(e, m, number / e->groups[0].factor % e->groups[0].size, squares))
        return false;
    for (unsigned g = 1; g < e->group_count; g++) {
        const index_group *group = &e->groups[g];
        uint64_t part = number / group->factor % group->size;
        unsigned pawns = g == 1 && e->both_pawns ? 8 : 0;
        for (unsigned i = group->length; i-- > 0;) {
            unsigned nth = choose_root(m, i + 1, part, 63);
            part -= m->choose[i + 1][nth];
            squares[group->first + i] = (uint8_t)free_square(nth + pawns, squares, group->first);
        }
    }
    return true;
}
