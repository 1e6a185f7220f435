/* SPDX-License-Identifier: MIT */

/* Moves that lead out of what is being solved: captures, promotions and pawns' moves. Their results are looked up row by
 * row, 64 places of the black king at once; rows that were looked up lately are kept, since many moves lead to each. */

#include "games/chess/tables/generate.h"
#include "games/chess/tables/lanes.h"
#include "games/chess/tables/probe.h"

#include <stdlib.h>
#include <string.h>

#define CACHE_BITS 15
#define CHILDREN   (KEY_SUCCESSORS_MOST + 1)
#define MASK_ALL   (~(chess_set)0)

/* Everything on the board but the black king. */
typedef struct scene {
    tb_key key;
    unsigned count;
    uint8_t codes[LAYOUT_EXTRAS_MOST], squares[LAYOUT_EXTRAS_MOST];
    uint8_t king; /* white's */
} scene;

/* What a row's positions are worth to the side that moved there. */
typedef struct cached_row {
    uint64_t tag; /* 0: nothing */
    uint8_t mate[64], classes[64];
} cached_row;

struct zeroing_pass {
    const index_maps *maps;
    const row_geometry *geometry;
    const tb_table *t;
    const tb_table *children[CHILDREN]; /* the table itself first */
    unsigned child_count;
    cached_row *cache;
    tb_answer answer; /* not TB_FOUND: a file could not be read, for this position first */
    chess_position fault;
    struct tablebase *fault_files;
};

/* What a row gathers. */
typedef struct gathering {
    uint8_t *mate;
    uint8_t all[64], captures[64]; /* classes */
} gathering;

holos_status zeroing_open(const tb_table *t, const index_maps *m, const row_geometry *g,
                          tb_table_finder *find, void *context, zeroing_pass **out, holos_error *err)
{
    tb_key keys[KEY_SUCCESSORS_MOST];
    char name[TB_NAME_SIZE], own[TB_NAME_SIZE];
    zeroing_pass *z = calloc(1, sizeof *z);
    *out = NULL;
    if (z != NULL)
        z->cache = calloc((size_t)1 << CACHE_BITS, sizeof *z->cache);
    if (z == NULL || z->cache == NULL) {
        zeroing_close(z);
        return error_system(err, "making tables");
    }
    z->maps = m;
    z->geometry = g;
    z->t = t;
    z->answer = TB_FOUND;
    z->children[z->child_count++] = t;
    unsigned count = key_successors(t->layout.key, keys);
    for (unsigned i = 0; i < count; i++) {
        const tb_table *child = find(context, keys[i]);
        if (child == NULL) {
            zeroing_close(z);
            return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "%s needs %s, which has not been made",
                             key_name(t->layout.key, own), key_name(keys[i], name));
        }
        z->children[z->child_count++] = child;
    }
    *out = z;
    return HOLOS_OK;
}

void zeroing_close(zeroing_pass *z)
{
    if (z != NULL)
        free(z->cache);
    free(z);
}

holos_status zeroing_fault(const zeroing_pass *z, holos_error *err)
{
    return z->answer == TB_FOUND ? HOLOS_OK
                                 : tablebase_error(z->fault_files, &z->fault, z->answer, false, err);
}

/* ---- Rows of other tables ---------------------------------------------------------------------- */

static unsigned child_find(const zeroing_pass *z, tb_key key)
{
    for (unsigned i = 0; i < z->child_count; i++)
        if (z->children[i]->layout.key == key || key_flip(z->children[i]->layout.key) == key)
            return i;
    return 0; /* every successor is there: zeroing_open saw to it */
}

static void scene_place(const scene *s, const tb_layout *l, bool flip, tb_placement *out)
{
    unsigned used = 0, square_flip = flip ? 56 : 0, colour = flip ? 8 : 0;
    for (unsigned i = 0; i < l->mover_count + l->pawn_count; i++) {
        bool pawn = i >= l->mover_count;
        unsigned code = pawn ? l->pawns[i - l->mover_count] : l->movers[i], k = 0;
        while ((used >> k & 1) != 0 || (s->codes[k] ^ colour) != code)
            k++;
        used |= 1u << k;
        uint8_t square = s->squares[k] ^ square_flip;
        if (pawn)
            out->pawns[i - l->mover_count] = square;
        else
            out->movers[i] = square;
    }
}

static void kings_only(const scene *s, uint8_t *mate, uint8_t *classes)
{
    chess_set legal = ~(chess_king_attacks(s->king) | chess_bit(s->king));
    for (unsigned i = 0; i < 64; i++) {
        mate[i] = (legal >> i & 1) != 0 ? MATE_DRAW : MATE_NONE;
        classes[i] = (legal >> i & 1) != 0 ? CLASS_DRAW : CLASS_NONE;
    }
}

/* One position of a table in files. False: it cannot be read. */
static bool lane_probe(zeroing_pass *z, const tb_table *t, const chess_position *p, uint8_t *mate,
                       uint8_t *class)
{
    int wdl;
    unsigned exact;
    tb_answer answer = tablebase_wdl(t->files, p, &wdl);
    if (answer == TB_FOUND && !t->without_mates)
        answer = tablebase_dtm(t->files, p, &exact);
    if (answer != TB_FOUND) {
        z->answer = answer;
        z->fault = *p;
        z->fault_files = t->files;
        return false;
    }
    *class = (uint8_t)(wdl + 3);
    *mate = (uint8_t)(!t->without_mates ? exact
                      : wdl > 0         ? MATE_SOME_WIN
                      : wdl < 0         ? MATE_SOME_LOSS
                                        : MATE_DRAW);
    return true;
}

static void row_probe(zeroing_pass *z, const tb_table *t, const scene *s, unsigned side, uint8_t *mate,
                      uint8_t *classes)
{
    chess_position base = {.side = (uint8_t)side, .number = 1};
    position_put(&base, piece_make(CHESS_WHITE, CHESS_KING), s->king);
    for (unsigned i = 0; i < s->count; i++)
        position_put(&base, s->codes[i], s->squares[i]);
    memset(mate, MATE_NONE, 64);
    memset(classes, CLASS_NONE, 64);
    chess_set free_squares = ~base.kinds[CHESS_ANY] & ~chess_king_attacks(s->king);
    bool two = set_count(base.kinds[CHESS_ANY]) != s->count + 1; /* on one square: no positions */
    SET_EACH (i, two ? 0 : free_squares) {
        chess_position p = base;
        position_put(&p, piece_make(CHESS_BLACK, CHESS_KING), (unsigned)i);
        if (!position_in_check(&p, 1 - side) && !lane_probe(z, t, &p, &mate[i], &classes[i]))
            return;
    }
}

/* Values of a scene for the side to move in it. */
static void row_read(zeroing_pass *z, const scene *s, unsigned side, uint8_t *mate, uint8_t *classes)
{
    if (s->key == TB_BARE_KINGS) {
        kings_only(s, mate, classes);
        return;
    }
    const tb_table *t = z->children[child_find(z, s->key)];
    if (t->files != NULL) {
        row_probe(z, t, s, side, mate, classes);
        return;
    }
    bool flip = s->key != t->layout.key;
    const uint8_t *mates = t->mate[side ^ (flip ? 1 : 0)], *distances = t->distance[side ^ (flip ? 1 : 0)];
    tb_placement at = {0};
    scene_place(s, &t->layout, flip, &at);
    unsigned turn = 0;
    uint64_t base = 0;
    if (!flip) {
        at.king[CHESS_WHITE] = s->king;
        base = layout_row(&t->layout, z->maps, &at, &turn) << 6;
    }
    for (unsigned i = 0; i < 64; i++) {
        uint64_t index = base | z->maps->turned[turn][i];
        if (flip) {
            at.king[CHESS_WHITE] = (uint8_t)(i ^ 56);
            at.king[CHESS_BLACK] = s->king ^ 56;
            index = layout_index(&t->layout, z->maps, &at);
        }
        mate[i] = mates[index];
        classes[i] = (uint8_t)class_of(mates[index], distances[index]);
    }
}

/* All of a scene in 64 bits, never 0. The pieces tell the material. */
static uint64_t scene_tag(const scene *s, unsigned side)
{
    uint64_t tag = 2 | side;
    for (unsigned i = 0; i < s->count; i++)
        tag = tag << 10 | (uint64_t)s->codes[i] << 6 | s->squares[i];
    return tag << 6 | s->king;
}

/* The same for the side that moved there, kept for the next time. */
static const cached_row *row_get(zeroing_pass *z, const scene *s, unsigned side)
{
    uint64_t tag = scene_tag(s, side);
    cached_row *row = &z->cache[tag * UINT64_C(0x9E3779B97F4A7C15) >> (64 - CACHE_BITS)];
    if (row->tag == tag)
        return row;
    row_read(z, s, side, row->mate, row->classes);
    for (unsigned i = 0; i < 64; i++) {
        row->mate[i] = (uint8_t)mate_negate(row->mate[i]);
        row->classes[i] = row->classes[i] != 0 ? (uint8_t)(6 - row->classes[i]) : 0;
    }
    row->tag = tag;
    return row;
}

/* ---- Gathering --------------------------------------------------------------------------------- */

static void gather(gathering *g, const uint8_t *mate, const uint8_t *classes, chess_set lanes, bool capture)
{
    uint8_t m[64], c[64];
    if (lanes != MASK_ALL) {
        memcpy(m, mate, 64);
        memcpy(c, classes, 64);
        lanes_clear(m, ~lanes);
        lanes_clear(c, ~lanes);
        mate = m;
        classes = c;
    }
    lanes_max(g->mate, mate);
    lanes_max(g->all, classes);
    if (capture)
        lanes_max(g->captures, classes);
}

static void scene_remove(scene *s, unsigned i)
{
    s->key -= key_one(piece_side(s->codes[i]), piece_kind(s->codes[i]));
    s->count--;
    s->codes[i] = s->codes[s->count];
    s->squares[i] = s->squares[s->count];
}

/* A move of piece i to `to`, with victim j (or none: s->count) taken. */
static void gather_move(zeroing_pass *z, gathering *g, const scene *s, unsigned side, unsigned i, unsigned j,
                        unsigned to, unsigned promotion, chess_set lanes)
{
    scene next = *s;
    next.squares[i] = (uint8_t)to;
    if (promotion != CHESS_ANY) {
        next.codes[i] = (uint8_t)piece_make(side, promotion);
        next.key += key_one(side, promotion) - key_one(side, CHESS_PAWN);
    }
    if (j < s->count)
        scene_remove(&next, j);
    const cached_row *row = row_get(z, &next, 1 - side);
    gather(g, row->mate, row->classes, lanes, j < s->count);
}

static void gather_pawn_move(zeroing_pass *z, gathering *g, const scene *s, unsigned side, unsigned i,
                             unsigned j, unsigned to, chess_set lanes)
{
    if (chess_rank_of(to) != 0 && chess_rank_of(to) != 7) {
        gather_move(z, g, s, side, i, j, to, CHESS_ANY, lanes);
        return;
    }
    for (unsigned kind = CHESS_KNIGHT; kind <= CHESS_QUEEN; kind++)
        gather_move(z, g, s, side, i, j, to, kind, lanes);
}

/* A double step past pawns that may take in passing. Where they have no other move, they must. */
static void gather_double(zeroing_pass *z, gathering *g, const scene *s, unsigned side, unsigned i,
                          unsigned to, chess_set lanes)
{
    uint8_t mate[64], classes[64], stalemate[64] = {0};
    unsigned behind = side == CHESS_WHITE ? to - 8 : to + 8;
    chess_set takers = SET_SIDES1(chess_bit(to));
    scene next = *s;
    bool passes = false;
    next.squares[i] = (uint8_t)to;
    for (unsigned k = 0; k < s->count; k++)
        passes |= s->codes[k] == piece_make(1 - side, CHESS_PAWN) && (takers >> s->squares[k] & 1) != 0;
    if (!passes) {
        gather_move(z, g, s, side, i, s->count, to, CHESS_ANY, lanes);
        return;
    }
    tb_placement at = {0};
    unsigned turn;
    row_read(z, &next, 1 - side, mate, classes);
    scene_place(&next, &z->t->layout, false, &at);
    at.king[CHESS_WHITE] = next.king;
    uint64_t base = layout_row(&z->t->layout, z->maps, &at, &turn) << 6;
    for (unsigned lane = 0; lane < 64; lane++)
        stalemate[lane] = z->t->zeroing[1 - side][base | z->maps->turned[turn][lane]] & ZEROING_STALEMATE;
    for (unsigned k = 0; k < s->count; k++) {
        if (s->codes[k] != piece_make(1 - side, CHESS_PAWN) || (takers >> s->squares[k] & 1) == 0)
            continue;
        scene taken = next;
        taken.squares[k] = (uint8_t)behind;
        scene_remove(&taken, i);
        const cached_row *row = row_get(z, &taken, side); /* for the side that took */
        for (unsigned lane = 0; lane < 64; lane++) {
            if (mate[lane] == MATE_NONE || row->mate[lane] == MATE_NONE || lane == behind)
                continue;
            bool must = stalemate[lane] != 0;
            stalemate[lane] = 0; /* there is a move now */
            mate[lane] = must || row->mate[lane] > mate[lane] ? row->mate[lane] : mate[lane];
            classes[lane] = must || row->classes[lane] > classes[lane] ? row->classes[lane] : classes[lane];
        }
    }
    for (unsigned lane = 0; lane < 64; lane++) {
        mate[lane] = (uint8_t)mate_negate(mate[lane]);
        classes[lane] = classes[lane] != 0 ? (uint8_t)(6 - classes[lane]) : 0;
    }
    gather(g, mate, classes, lanes, false);
}

static void gather_pawn(zeroing_pass *z, gathering *g, const scene *s, chess_set fixed, unsigned side,
                        unsigned i)
{
    unsigned from = s->squares[i], to = side == CHESS_WHITE ? from + 8 : from - 8;
    chess_set sees = set_pawn_attacks(chess_bit(from), side);
    for (unsigned j = 0; j < s->count; j++)
        if (piece_side(s->codes[j]) != side && (sees >> s->squares[j] & 1) != 0)
            gather_pawn_move(z, g, s, side, i, j, s->squares[j], MASK_ALL);
    if ((fixed >> to & 1) != 0)
        return;
    gather_pawn_move(z, g, s, side, i, s->count, to, ~chess_bit(to));
    unsigned far = side == CHESS_WHITE ? to + 8 : to - 8;
    bool home = chess_rank_of(from) == (side == CHESS_WHITE ? 1 : 6);
    if (home && (fixed >> far & 1) == 0)
        gather_double(z, g, s, side, i, far, ~chess_bit(to) & ~chess_bit(far));
}

static void gather_mover(zeroing_pass *z, gathering *g, const scene *s, chess_set fixed, unsigned side,
                         unsigned i)
{
    unsigned from = s->squares[i];
    chess_set sees = kind_attacks(piece_kind(s->codes[i]), from, fixed);
    for (unsigned j = 0; j < s->count; j++)
        if (piece_side(s->codes[j]) != side && (sees >> s->squares[j] & 1) != 0)
            gather_move(z, g, s, side, i, j, s->squares[j], CHESS_ANY, ~chess_between(from, s->squares[j]));
}

static void gather_white_king(zeroing_pass *z, gathering *g, const scene *s)
{
    for (unsigned j = 0; j < s->count; j++) {
        if (piece_side(s->codes[j]) == CHESS_WHITE || (chess_king_attacks(s->king) >> s->squares[j] & 1) == 0)
            continue;
        scene next = *s;
        next.king = s->squares[j];
        scene_remove(&next, j);
        const cached_row *row = row_get(z, &next, CHESS_BLACK);
        gather(g, row->mate, row->classes, MASK_ALL, true);
    }
}

/* Wherever the black king comes from, what it takes is worth the same. */
static void gather_black_king(zeroing_pass *z, gathering *g, const scene *s)
{
    for (unsigned j = 0; j < s->count; j++) {
        unsigned to = s->squares[j];
        if (piece_side(s->codes[j]) == CHESS_BLACK)
            continue;
        scene next = *s;
        scene_remove(&next, j);
        const cached_row *row = row_get(z, &next, CHESS_WHITE);
        if (row->mate[to] == MATE_NONE)
            continue;
        uint8_t mate[64] = {0}, classes[64] = {0};
        SET_EACH (from, chess_king_attacks(to)) {
            mate[from] = row->mate[to];
            classes[from] = row->classes[to];
        }
        gather(g, mate, classes, MASK_ALL, true);
    }
}

void zeroing_row(zeroing_pass *z, const uint8_t *pawns, const row_view *row, unsigned side, uint8_t *mate,
                 uint8_t *zeroing)
{
    const tb_layout *l = &z->t->layout;
    gathering g = {.mate = mate};
    memset(mate, 0, 64);
    if (!row->overlaps) {
        scene s = {.key = l->key, .count = l->mover_count + l->pawn_count, .king = (uint8_t)row->king};
        memcpy(s.codes, l->movers, l->mover_count);
        memcpy(s.squares, row->movers, l->mover_count);
        memcpy(s.codes + l->mover_count, l->pawns, l->pawn_count);
        memcpy(s.squares + l->mover_count, pawns, l->pawn_count);
        for (unsigned i = 0; i < s.count; i++) {
            if (piece_side(s.codes[i]) != side)
                continue;
            if (piece_kind(s.codes[i]) == CHESS_PAWN)
                gather_pawn(z, &g, &s, row->fixed, side, i);
            else
                gather_mover(z, &g, &s, row->fixed, side, i);
        }
        if (side == CHESS_WHITE)
            gather_white_king(z, &g, &s);
        else
            gather_black_king(z, &g, &s);
    }
    for (unsigned i = 0; i < 64; i++)
        zeroing[i] = (uint8_t)(g.captures[i] | g.all[i] << 4);
}
