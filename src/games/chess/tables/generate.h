/* SPDX-License-Identifier: MIT */

/* Making a table in memory by retrograde analysis, from the tables that captures and promotions lead to.
 *
 * Rows are the unit of work: an unmove of a piece takes all 64 places of the black king at once, along a ray, with the
 * places where that king would be in the way masked out. Distances to zeroing (under the fifty-move rule) and to mate
 * are two runs of one algorithm. Slices of pawns are solved one after the other, the most advanced pawns first, so that a
 * pawn's move is nothing else than a capture: a way into what is known. */

#ifndef HOLOS_CHESS_TABLES_GENERATE_H
#define HOLOS_CHESS_TABLES_GENERATE_H

#include "core/limits.h"
#include "core/pool.h"
#include "games/chess/tables/layout.h"

/* Finds a table that has been made before; NULL if there is none. `key` is canonical. */
typedef const tb_table *tb_table_finder(void *context, tb_key key);

/* Bytes that the table takes, and bytes that making it takes on top. */
uint64_t tb_table_memory(const tb_layout *l);
uint64_t generate_memory(const tb_layout *l);

holos_status tb_table_alloc(tb_table *t, const index_maps *m, tb_key key, mem_budget *budget,
                            holos_error *err);
void tb_table_free(tb_table *t, mem_budget *budget);

/* Fills a table. All tables that its captures and promotions lead to must be found, in memory or in files. Where one of them is
 * without mates, `t` has to be, too. `workers` may be NULL, and limits (of time, and the request to stop), too.
 * HOLOS_UNSUPPORTED if a distance does not fit into its byte. */
holos_status tb_table_generate(tb_table *t, const index_maps *m, tb_table_finder *find, void *context,
                               pool *workers, mem_budget *budget, const struct limits *limits,
                               holos_error *err);

/* Counts with one position of each symmetry class, by side to move. */
typedef struct tb_table_counts {
    uint64_t classes[2][6]; /* by CLASS_… */
    unsigned distance_most; /* plies */
    unsigned mate_most;     /* moves */
    unsigned
        win_most; /* plies to mate, or to the next capture or pawn move in a table without mates; 0: there is no win */
    chess_position longest; /* a position with such a win */
} tb_table_counts;

/* Keeps to the limits (NULL: none): where one is passed, not all are counted. */
void tb_table_count(const tb_table *t, const index_maps *m, const struct limits *limits,
                    tb_table_counts *out);

/* ---- Inside: what the passes of the generator share ---------------------------------------------- */

/* Squares that a piece steps through, ray by ray. */
typedef struct piece_rays {
    uint8_t count, lengths[8], squares[8][7];
} piece_rays;

/* A step of the white king: to which square; which place of the layout that is, with the board turned. On the diagonal a
 * position has two images: `twin` marks the second one. */
typedef struct king_step {
    uint8_t to, place, turn;
    bool twin;
} king_step;

typedef struct row_geometry {
    piece_rays rays[7][64];   /* by kind; knight to queen */
    uint8_t king_squares[64]; /* by place */
    uint8_t step_counts[64];
    king_step steps[64][16];
} row_geometry;

void geometry_init(row_geometry *g, const index_maps *m, const tb_layout *l);

/* One row of one slice, taken apart. */
typedef struct row_view {
    unsigned place, king;
    uint8_t movers[LAYOUT_EXTRAS_MOST];
    chess_set fixed; /* everything but the black king */
    bool overlaps;   /* two pieces on one square: no such position */
} row_view;

static inline row_view row_look(const tb_layout *l, const row_geometry *g, chess_set pawns, uint32_t row)
{
    row_view v = {.place = row >> 6 * l->mover_count};
    v.king = g->king_squares[v.place];
    v.fixed = chess_bit(v.king) | pawns;
    v.overlaps = (chess_bit(v.king) & pawns) != 0;
    for (unsigned i = 0; i < l->mover_count; i++) {
        v.movers[i] = row >> 6 * (l->mover_count - 1u - i) & 63;
        v.overlaps |= (v.fixed >> v.movers[i] & 1) != 0;
        v.fixed |= chess_bit(v.movers[i]);
    }
    return v;
}

/* A board turned as squares are by square_turn. */
static inline chess_set set_turn(chess_set set, unsigned turn)
{
    if ((turn & 1) != 0) {
        set = (set >> 1 & UINT64_C(0x5555555555555555)) | (set & UINT64_C(0x5555555555555555)) << 1;
        set = (set >> 2 & UINT64_C(0x3333333333333333)) | (set & UINT64_C(0x3333333333333333)) << 2;
        set = (set >> 4 & UINT64_C(0x0F0F0F0F0F0F0F0F)) | (set & UINT64_C(0x0F0F0F0F0F0F0F0F)) << 4;
    }
    if ((turn & 2) != 0)
        set = __builtin_bswap64(set);
    if ((turn & 4) != 0) {
        chess_set t = UINT64_C(0x0F0F0F0F00000000) & (set ^ set << 28);
        set ^= t ^ t >> 28;
        t = UINT64_C(0x3333000033330000) & (set ^ set << 14);
        set ^= t ^ t >> 14;
        t = UINT64_C(0x5500550055005500) & (set ^ set << 7);
        set ^= t ^ t >> 7;
    }
    return set;
}

/* The turn that undoes another. */
static inline unsigned turn_back(unsigned turn)
{
    return (turn & 4) == 0 ? turn : 4 | (turn & 1) << 1 | (turn & 2) >> 1;
}

/* The best captures and pawns' moves of rows (zeroing.c). */
typedef struct zeroing_pass zeroing_pass;

holos_status zeroing_open(const tb_table *t, const index_maps *m, const row_geometry *g,
                          tb_table_finder *find, void *context, zeroing_pass **out, holos_error *err);
void zeroing_close(zeroing_pass *z); /* may be NULL */
/* HOLOS_OK, or why a table could not be read from its files: then what was filled means nothing. */
holos_status zeroing_fault(const zeroing_pass *z, holos_error *err);
/* Fills the mate bytes (of the best zeroing move) and zeroing bytes of one row, for a side to move. One thread at a time
 * uses a pass. */
void zeroing_row(zeroing_pass *z, const uint8_t *pawns, const row_view *row, unsigned side, uint8_t *mate,
                 uint8_t *zeroing);

#endif
