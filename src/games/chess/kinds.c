/* SPDX-License-Identifier: MIT */

/* Kinds are canonical keys of materials (tables/material.h). Positions are numbered as tables in memory lay them out
 * (tables/layout.h), first those with the stronger side to move. A class of symmetric positions may have several
 * addresses there: its number is the lowest. */

#include "games/chess/kinds.h"

#include "games/chess/chess.h"
#include "games/chess/fen.h"
#include "games/chess/material.h"
#include "games/chess/tables/layout.h"

#include <stdlib.h>
#include <string.h>

#define PIECES_MOST 32
#define TRIES_MOST  100000

struct kind_numbers {
    index_maps maps;
    tb_layout layout;
    uint8_t king_squares[64]; /* by the white king's place */
    uint64_t side_size;
    bool symmetric;
};

/* ---- Names ------------------------------------------------------------------------------------- */

static tb_key key_of_material(const chess_material *m)
{
    tb_key key = 0;
    for (unsigned side = 0; side < 2; side++)
        for (unsigned kind = CHESS_PAWN; kind <= CHESS_QUEEN; kind++)
            key += m->counts[side][kind] * key_one(side, kind);
    return key;
}

static holos_status kinds_parse(const holos_variant *v, const char *name, holos_kind *out, holos_error *err)
{
    (void)v;
    chess_material m;
    holos_status status = material_parse(name, &m, err);
    for (unsigned side = 0; status == HOLOS_OK && side < 2; side++)
        for (unsigned kind = CHESS_PAWN; kind <= CHESS_QUEEN; kind++)
            if (m.counts[side][kind] > (kind == CHESS_PAWN ? 8 : 10))
                return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                                 "\"%s\": no side has more than eight pawns, or ten of another piece", name);
    if (status == HOLOS_OK)
        *out = key_canonical(key_of_material(&m));
    return status;
}

static void kinds_format(const holos_variant *v, holos_kind kind, text *out)
{
    (void)v;
    chess_material m = {0};
    for (unsigned side = 0; side < 2; side++) {
        m.counts[side][CHESS_KING] = 1;
        for (unsigned piece = CHESS_PAWN; piece <= CHESS_QUEEN; piece++)
            m.counts[side][piece] = (uint8_t)key_count(kind, side, piece);
    }
    material_format(&m, out);
}

static holos_kind kinds_of(const holos_variant *v, const holos_position *p)
{
    (void)v;
    return key_canonical(key_of(chess_of(p)));
}

/* ---- Which lead to which ----------------------------------------------------------------------- */

static size_t kinds_closure(const holos_variant *v, holos_kind kind, holos_kind *out, size_t most)
{
    (void)v;
    return key_closure(kind, out, most);
}

static size_t kinds_parents(const holos_variant *v, holos_kind kind, holos_kind *out, size_t most)
{
    (void)v;
    tb_key parents[KEY_PARENTS_MOST];
    size_t count = key_parents(kind, PIECES_MOST, parents);
    count = count < most ? count : most;
    memcpy(out, parents, count * sizeof *out);
    return count;
}

/* ---- Positions at random ------------------------------------------------------------------------ */

static void put_anywhere(chess_position *p, unsigned piece, rng *r)
{
    chess_set free = ~p->kinds[CHESS_ANY];
    if (piece_kind(piece) == CHESS_PAWN)
        free &= ~(CHESS_RANK_1 | CHESS_RANK_8);
    for (uint64_t skip = rng_below(r, set_count(free)); skip > 0; skip--)
        free &= free - 1;
    position_put(p, piece, set_first(free));
}

/* Pawns first: they have fewer squares, and all placements are to be equally likely. */
static bool kinds_random(const holos_variant *v, holos_kind kind, rng *r, holos_position *out)
{
    (void)v;
    for (unsigned i = 0; i < TRIES_MOST; i++) {
        chess_position p = {.side = (uint8_t)rng_below(r, 2), .number = 1};
        unsigned colour = (unsigned)rng_below(r, 2);
        for (unsigned piece = CHESS_PAWN; piece <= CHESS_KING; piece++)
            for (unsigned side = 0; side < 2; side++)
                for (unsigned n = piece == CHESS_KING ? 1 : key_count(kind, side, piece); n > 0; n--)
                    put_anywhere(&p, piece_make(side ^ colour, piece), r);
        if (position_fault(&p) == NULL) {
            memcpy(out, &p, sizeof p);
            return true;
        }
    }
    return false;
}

/* ---- Numbers ----------------------------------------------------------------------------------- */

static holos_status numbers_open(const holos_variant *v, holos_kind kind, kind_numbers **out,
                                 holos_error *err)
{
    (void)v;
    char name[TB_NAME_SIZE];
    *out = NULL;
    kind_numbers *n = calloc(1, sizeof *n);
    if (n == NULL)
        return error_system(err, "the numbers of positions");
    index_maps_init(&n->maps);
    bool facing = key_count(kind, 0, CHESS_PAWN) > 0 && key_count(kind, 1, CHESS_PAWN) > 0;
    bool small = layout_init(&n->layout, &n->maps, kind);
    if (facing || !small) {
        free(n);
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         facing
                             ? "%s: where both sides have pawns, not all positions are numbered (en passant)"
                             : "%s: positions of at most five pieces are numbered",
                         key_name(kind, name));
    }
    for (unsigned square = 0; square < 64; square++) {
        unsigned place = n->layout.pawn_count > 0 ? square : n->maps.triangle[square];
        if (n->layout.pawn_count > 0 || n->maps.into_triangle[square] == 0)
            n->king_squares[place] = (uint8_t)square;
    }
    n->side_size = (uint64_t)n->layout.slices * n->layout.rows << 6;
    n->symmetric = key_is_symmetric(kind);
    *out = n;
    return HOLOS_OK;
}

static void numbers_close(kind_numbers *n)
{
    free(n);
}

static uint64_t numbers_size(const kind_numbers *n)
{
    return n->symmetric ? n->side_size : 2 * n->side_size;
}

/* Equal pieces in the order of their squares. */
static void movers_sort(const tb_layout *l, uint8_t *movers)
{
    for (unsigned i = 1; i < l->mover_count; i++)
        for (unsigned k = i; k > 0 && l->movers[k] == l->movers[k - 1] && movers[k] < movers[k - 1]; k--) {
            uint8_t square = movers[k];
            movers[k] = movers[k - 1];
            movers[k - 1] = square;
        }
}

/* The address of a placement on a board that is turned so. */
static uint64_t number_address(const kind_numbers *n, const tb_placement *at, uint64_t first, unsigned turn)
{
    const tb_layout *l = &n->layout;
    const uint8_t *turned = n->maps.turned[turn];
    uint8_t movers[LAYOUT_EXTRAS_MOST] = {0};
    unsigned king = turned[at->king[CHESS_WHITE]];
    uint64_t row = first * l->kings + (l->pawn_count > 0 ? king : n->maps.triangle[king]);
    for (unsigned i = 0; i < l->mover_count; i++)
        movers[i] = turned[at->movers[i]];
    movers_sort(l, movers);
    for (unsigned i = 0; i < l->mover_count; i++)
        row = row << 6 | movers[i];
    return row << 6 | turned[at->king[CHESS_BLACK]];
}

/* Of the two images that have the white king on the diagonal, the one with the lower address. */
static uint64_t number_of(const kind_numbers *n, const tb_placement *at)
{
    unsigned king = at->king[CHESS_WHITE];
    bool mirrored;
    if (n->layout.pawn_count > 0) {
        uint32_t slice = layout_slice(&n->layout, &n->maps, at->pawns, &mirrored);
        return number_address(n, at, slice, mirrored ? 1 : 0);
    }
    unsigned turn = n->maps.into_triangle[king], there = n->maps.turned[turn][king];
    uint64_t number = number_address(n, at, 0, turn);
    if (chess_file_of(there) != chess_rank_of(there))
        return number;
    uint64_t other = number_address(n, at, 0, turn ^ 4);
    return other < number ? other : number;
}

static bool numbers_rank(const kind_numbers *n, const holos_position *position, uint64_t *out)
{
    const chess_position *p = chess_of(position);
    const tb_layout *l = &n->layout;
    tb_placement at;
    if (p->castling != 0 || p->en_passant != 0)
        return false;
    unsigned colour = n->symmetric ? p->side : key_of(p) != l->key;
    layout_place(l, p, colour, &at);
    *out = (p->side ^ colour) * n->side_size + number_of(n, &at);
    return true;
}

static bool numbers_unrank(const kind_numbers *n, uint64_t number, holos_position *out)
{
    const tb_layout *l = &n->layout;
    uint64_t address = number % n->side_size, row = address >> 6, again;
    uint32_t in_slice = (uint32_t)(row % l->rows);
    uint8_t pawns[LAYOUT_EXTRAS_MOST], movers[LAYOUT_EXTRAS_MOST];
    chess_position p = {.side = number >= n->side_size, .number = 1};
    unsigned king = n->king_squares[in_slice >> 6 * l->mover_count], black = address & 63;
    layout_slice_pawns(l, &n->maps, (uint32_t)(row / l->rows), pawns);
    chess_set taken = chess_bit(king) | chess_bit(black);
    unsigned count = 2u + l->mover_count + l->pawn_count;
    for (unsigned i = 0; i < l->mover_count; i++) {
        movers[i] = in_slice >> 6 * (l->mover_count - 1u - i) & 63;
        taken |= chess_bit(movers[i]);
    }
    for (unsigned i = 0; i < l->pawn_count; i++)
        taken |= chess_bit(pawns[i]);
    if (set_count(taken) != count)
        return false;
    position_put(&p, piece_make(CHESS_WHITE, CHESS_KING), king);
    position_put(&p, piece_make(CHESS_BLACK, CHESS_KING), black);
    for (unsigned i = 0; i < l->mover_count; i++)
        position_put(&p, l->movers[i], movers[i]);
    for (unsigned i = 0; i < l->pawn_count; i++)
        position_put(&p, l->pawns[i], pawns[i]);
    if (!numbers_rank(n, (const holos_position *)&p, &again) || again != number || position_fault(&p) != NULL)
        return false;
    memcpy(out, &p, sizeof p);
    return true;
}

const holos_kinds chess_kinds = {
    .what = "material",
    .parse = kinds_parse,
    .format = kinds_format,
    .of = kinds_of,
    .closure = kinds_closure,
    .parents = kinds_parents,
    .predecessors = chess_predecessors_among,
    .random = kinds_random,
    .open = numbers_open,
    .close = numbers_close,
    .size = numbers_size,
    .rank = numbers_rank,
    .unrank = numbers_unrank,
};
