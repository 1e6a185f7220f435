/* SPDX-License-Identifier: MIT */

#include "games/chess/tables/generate.h"

#include "core/assert.h"
#include "games/chess/tables/look.h"

#include <string.h>

/* ---- Tables ------------------------------------------------------------------------------------ */

uint64_t tb_table_memory(const tb_layout *l)
{
    return 6 * ((uint64_t)l->slices * l->rows << 6);
}

holos_status tb_table_alloc(tb_table *t, const index_maps *m, tb_key key, mem_budget *budget,
                            holos_error *err)
{
    char name[TB_NAME_SIZE];
    *t = (tb_table){0};
    if (!layout_init(&t->layout, m, key))
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "%s: tables of up to %d pieces can be made",
                         key_name(key, name), LAYOUT_PIECES_MOST);
    t->size = (uint64_t)t->layout.slices * t->layout.rows << 6;
    uint8_t *block = mem_alloc(budget, 6 * t->size);
    if (block == NULL)
        return mem_error(err, budget, 6 * t->size, key_name(key, name));
    for (unsigned side = 0; side < 2; side++) {
        t->mate[side] = block + side * t->size;
        t->distance[side] = block + (2 + side) * t->size;
        t->zeroing[side] = block + (4 + side) * t->size;
    }
    return HOLOS_OK;
}

void tb_table_free(tb_table *t, mem_budget *budget)
{
    if (t->mate[0] != NULL)
        mem_free(budget, t->mate[0], 6 * t->size);
    *t = (tb_table){0};
}

/* ---- Geometry ---------------------------------------------------------------------------------- */

static void rays_make(piece_rays *r, unsigned kind, unsigned from)
{
    static const int8_t knight[8][2] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                        {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    static const int8_t queen[8][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}, {1, 1}, {1, -1}, {-1, -1}, {-1, 1}};
    unsigned first = kind == CHESS_BISHOP ? 4 : 0, last = kind == CHESS_ROOK ? 4 : 8;
    *r = (piece_rays){0};
    for (unsigned i = first; i < last; i++) {
        const int8_t *step = kind == CHESS_KNIGHT ? knight[i] : queen[i];
        int file = (int)chess_file_of(from) + step[0], rank = (int)chess_rank_of(from) + step[1];
        unsigned length = 0;
        while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
            r->squares[r->count][length++] = (uint8_t)(rank * 8 + file);
            file += step[0];
            rank += step[1];
            if (kind == CHESS_KNIGHT)
                break;
        }
        if (length > 0)
            r->lengths[r->count++] = (uint8_t)length;
    }
}

/* The steps of the white king from a place; on the diagonal with both images. */
static void steps_make(row_geometry *g, const index_maps *m, unsigned place, bool pawns)
{
    unsigned count = 0;
    SET_EACH (to, chess_king_attacks(g->king_squares[place])) {
        unsigned turn = pawns ? 0 : m->into_triangle[to], turned = m->turned[turn][to];
        uint8_t target = pawns ? (uint8_t)to : m->triangle[turned];
        g->steps[place][count++] = (king_step){(uint8_t)to, target, (uint8_t)turn, false};
        if (!pawns && chess_rank_of(turned) == chess_file_of(turned))
            g->steps[place][count++] = (king_step){(uint8_t)to, target, (uint8_t)(turn ^ 4), true};
    }
    g->step_counts[place] = (uint8_t)count;
}

void geometry_init(row_geometry *g, const index_maps *m, const tb_layout *l)
{
    bool pawns = l->pawn_count > 0;
    memset(g, 0, sizeof *g);
    for (unsigned kind = CHESS_KNIGHT; kind <= CHESS_QUEEN; kind++)
        for (unsigned s = 0; s < 64; s++)
            rays_make(&g->rays[kind][s], kind, s);
    for (unsigned s = 64; s-- > 0;)
        if (pawns)
            g->king_squares[s] = (uint8_t)s;
        else if (m->into_triangle[s] == 0)
            g->king_squares[m->triangle[s]] = (uint8_t)s;
    for (unsigned place = 0; place < l->kings; place++)
        steps_make(g, m, place, pawns);
}

/* ---- Counting ---------------------------------------------------------------------------------- */

/* Whether a row is one of several images of itself that another row, or the same one, stands for; *lanes are the places
 * of the black king that are to be counted. Equal movers in the other order and the board turned along the diagonal, or
 * with pawns that are their own mirror image left and right, are the same positions. */
static chess_set row_representative(const tb_layout *l, const index_maps *m, const row_view *v,
                                    bool turned_pawns)
{
    uint8_t here[LAYOUT_EXTRAS_MOST], there[LAYOUT_EXTRAS_MOST];
    unsigned turn = l->pawn_count > 0 ? 1 : 4;
    bool has_image = l->pawn_count > 0 ? turned_pawns : chess_rank_of(v->king) == chess_file_of(v->king);
    for (unsigned i = 0; i < l->mover_count; i++) {
        here[i] = v->movers[i];
        there[i] = m->turned[turn][v->movers[i]];
        if (i > 0 && l->movers[i] == l->movers[i - 1] && here[i] < here[i - 1])
            return 0;
    }
    if (!has_image)
        return ~(chess_set)0;
    for (unsigned i = 1; i < l->mover_count; i++)
        for (unsigned k = i; k > 0 && l->movers[k] == l->movers[k - 1] && there[k] < there[k - 1]; k--) {
            uint8_t s = there[k];
            there[k] = there[k - 1];
            there[k - 1] = s;
        }
    int order = (int)v->king - (int)m->turned[turn][v->king];
    if (order == 0)
        order = memcmp(here, there, l->mover_count);
    if (order != 0)
        return order < 0 ? ~(chess_set)0 : 0;
    chess_set lanes = 0;
    for (unsigned s = 0; s < 64; s++)
        lanes |= (chess_set)(s <= m->turned[turn][s]) << s;
    return lanes;
}

/* Where the longest win is that was found so far. */
typedef struct win_address {
    uint64_t row;
    uint8_t lane, side;
} win_address;

static void count_row(const tb_table *t, uint64_t row, chess_set lanes, tb_table_counts *out,
                      win_address *longest)
{
    for (unsigned side = 0; side < 2; side++) {
        const uint8_t *mate = t->mate[side] + (row << 6), *distance = t->distance[side] + (row << 6);
        SET_EACH (i, lanes) {
            unsigned class = class_of(mate[i], distance[i]), moves = (mate_plies(mate[i]) + 1) / 2;
            out->classes[side][class]++;
            if (class == CLASS_NONE || class == CLASS_DRAW)
                continue;
            out->distance_most = distance[i] > out->distance_most ? distance[i] : out->distance_most;
            if (!t->without_mates)
                out->mate_most = moves > out->mate_most ? moves : out->mate_most;
            unsigned plies = t->without_mates ? distance[i] : mate_plies(mate[i]);
            if ((class == CLASS_WIN || class == CLASS_CURSED) && plies > out->win_most) {
                out->win_most = plies;
                *longest = (win_address){row, (uint8_t)i, (uint8_t)side};
            }
        }
    }
}

static chess_position position_at_address(const tb_layout *l, const index_maps *m, const row_geometry *g,
                                          win_address at)
{
    chess_position p = {.side = at.side, .number = 1};
    uint8_t pawns[LAYOUT_EXTRAS_MOST];
    assert(l->rows > 0); /* it is in one of them */
    row_view v = row_look(l, g, 0, (uint32_t)(at.row % l->rows));
    layout_slice_pawns(l, m, (uint32_t)(at.row / l->rows), pawns);
    position_put(&p, piece_make(CHESS_WHITE, CHESS_KING), v.king);
    position_put(&p, piece_make(CHESS_BLACK, CHESS_KING), at.lane);
    for (unsigned i = 0; i < l->mover_count; i++)
        position_put(&p, l->movers[i], v.movers[i]);
    for (unsigned i = 0; i < l->pawn_count; i++)
        position_put(&p, l->pawns[i], pawns[i]);
    return p;
}

void tb_table_count(const tb_table *t, const index_maps *m, const struct limits *limits, tb_table_counts *out)
{
    const tb_layout *l = &t->layout;
    row_geometry g;
    uint64_t look = 0;
    geometry_init(&g, m, l);
    *out = (tb_table_counts){0};
    win_address longest = {0};
    for (uint32_t slice = 0; slice < l->slices; slice++) {
        uint8_t pawns[LAYOUT_EXTRAS_MOST], mirrored[LAYOUT_EXTRAS_MOST];
        chess_set sets[2][2] = {{0}};
        layout_slice_pawns(l, m, slice, pawns);
        for (unsigned i = 0; i < l->pawn_count; i++) {
            mirrored[i] = pawns[i] ^ 7;
            sets[0][piece_side(l->pawns[i])] |= chess_bit(pawns[i]);
            sets[1][piece_side(l->pawns[i])] |= chess_bit(mirrored[i]);
        }
        bool same = memcmp(sets[0], sets[1], sizeof sets[0]) == 0;
        for (uint32_t row = 0; row < l->rows; row++) {
            uint64_t number = (uint64_t)slice * l->rows + row;
            if (look_passed(limits, number << 6, &look))
                return;
            row_view v = row_look(l, &g, sets[0][0] | sets[0][1], row);
            chess_set lanes = v.overlaps ? 0 : row_representative(l, m, &v, same);
            if (lanes != 0)
                count_row(t, number, lanes, out, &longest);
        }
    }
    if (out->win_most > 0)
        out->longest = position_at_address(l, m, &g, longest);
}
