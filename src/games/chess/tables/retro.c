/* SPDX-License-Identifier: MIT */

/* The solver of one slice. Ply by ply, new losses of one side make wins of the other by its unmoves; new wins make the
 * other side's positions candidates for losses, which are checked move by move. All on rows: 64-bit boards of places of
 * the black king. The four tasks of a ply (wins and losses of either side) touch different sets, so they run in parallel. */

#include "games/chess/tables/generate.h"
#include "games/chess/tables/lanes.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_ROWS 64 /* rows whose pending mate codes are summed up in one set of codes */

/* Positions as rows with bits. `rows` lists those that are not 0. */
typedef struct frontier {
    chess_set *bits;
    uint32_t *rows;
    uint32_t count;
} frontier;

typedef enum retro_run { RUN_DISTANCE, RUN_MATE } retro_run;

enum { WON, LOST };

typedef struct code_set {
    uint64_t bits[4];
} code_set;

#define LOOK_ROWS 1024 /* between two looks at the limits */

typedef struct retro {
    const index_maps *maps;
    tb_table *t;
    const tb_layout *l;
    row_geometry *geometry;
    pool *workers;
    zeroing_pass **passes; /* one for each thread */
    unsigned threads;
    /* The slice. */
    uint8_t pawns[LAYOUT_EXTRAS_MOST];
    chess_set pawn_set;
    uint64_t base; /* its first row */
    /* By side to move, a set for each row. */
    chess_set *legal[2];
    chess_set *mated[2];
    chess_set *unresolved[2]; /* legal, neither won nor lost so far */
    chess_set *safe[2];       /* legal, not won so far: where the other side would like to go */
    chess_set *escape[2];     /* stalemate, or a zeroing move that does not lose, as far as that counts now */
    frontier now[2][2], next[2][2]; /* [WON or LOST][side to move] */
    code_set *pending[2];           /* by block of rows: mate codes of zeroing moves */
    retro_run run;
    unsigned ply;
    bool too_long;
    const struct limits *limits; /* NULL: none */
} retro;

static inline uint8_t *mates_of(const retro *r, unsigned side, uint32_t row)
{
    return r->t->mate[side] + ((r->base + row) << 6);
}

static inline uint8_t *zeroing_of(const retro *r, unsigned side, uint32_t row)
{
    return r->t->zeroing[side] + ((r->base + row) << 6);
}

/* ---- Unmoves ----------------------------------------------------------------------------------- */

static inline void frontier_add(frontier *f, uint32_t row, chess_set bits)
{
    if (bits == 0)
        return;
    chess_set old = f->bits[row];
    f->bits[row] = old | bits;
    if (old == 0)
        f->rows[f->count++] = row;
}

static inline uint32_t row_with(const tb_layout *l, unsigned place, const uint8_t *movers,
                                const uint8_t *turned)
{
    uint32_t row = place;
    for (unsigned i = 0; i < l->mover_count; i++)
        row = row << 6 | turned[movers[i]];
    return row;
}

/* Where `side` may have come from: quiet unmoves of the positions `bits` of a row, as far as `filter` has them. */
static void row_unmove(const retro *r, unsigned side, uint32_t row, chess_set bits, const chess_set *filter,
                       const chess_set *without, frontier *out)
{
    const tb_layout *l = r->l;
    row_view v = row_look(l, r->geometry, r->pawn_set, row);
    for (unsigned i = 0; i < l->mover_count; i++) {
        if (piece_side(l->movers[i]) != side)
            continue;
        const piece_rays *rays = &r->geometry->rays[piece_kind(l->movers[i])][v.movers[i]];
        unsigned shift = 6 * (l->mover_count - 1u - i);
        uint32_t others = row & ~((uint32_t)63 << shift);
        for (unsigned k = 0; k < rays->count; k++) {
            chess_set carry = bits;
            for (unsigned n = 0; n < rays->lengths[k]; n++) {
                unsigned to = rays->squares[k][n];
                carry &= ~chess_bit(to);
                if ((v.fixed >> to & 1) != 0 || carry == 0)
                    break;
                uint32_t target = others | to << shift;
                frontier_add(out, target, carry & filter[target] & ~without[target]);
            }
        }
    }
    if (side == CHESS_BLACK) {
        frontier_add(out, row, SET_KING(bits) & filter[row] & ~without[row]);
        return;
    }
    const king_step *steps = r->geometry->steps[v.place];
    for (unsigned k = 0; k < r->geometry->step_counts[v.place]; k++) {
        const king_step *step = &steps[k];
        if ((v.fixed >> step->to & 1) != 0)
            continue;
        uint32_t target = row_with(l, step->place, v.movers, r->maps->turned[step->turn]);
        chess_set turned = set_turn(bits & ~chess_bit(step->to), step->turn);
        frontier_add(out, target, turned & filter[target] & ~without[target]);
    }
}

/* Of the positions `bits` with `side` to move, those where every quiet move leads to what is not in `safe`. */
static chess_set row_check(const retro *r, unsigned side, uint32_t row, chess_set bits, const chess_set *safe)
{
    const tb_layout *l = r->l;
    if (side == CHESS_BLACK)
        bits &= ~SET_KING(safe[row]);
    if (bits == 0)
        return 0;
    row_view v = row_look(l, r->geometry, r->pawn_set, row);
    if (side == CHESS_WHITE) {
        const king_step *steps = r->geometry->steps[v.place];
        for (unsigned k = 0; k < r->geometry->step_counts[v.place]; k++) {
            const king_step *step = &steps[k];
            if (step->twin || (v.fixed >> step->to & 1) != 0)
                continue;
            uint32_t target = row_with(l, step->place, v.movers, r->maps->turned[step->turn]);
            bits &= ~set_turn(safe[target], turn_back(step->turn));
            if (bits == 0)
                return 0;
        }
    }
    for (unsigned i = 0; i < l->mover_count; i++) {
        if (piece_side(l->movers[i]) != side)
            continue;
        const piece_rays *rays = &r->geometry->rays[piece_kind(l->movers[i])][v.movers[i]];
        unsigned shift = 6 * (l->mover_count - 1u - i);
        uint32_t others = row & ~((uint32_t)63 << shift);
        for (unsigned k = 0; k < rays->count; k++) {
            chess_set reach = bits;
            for (unsigned n = 0; n < rays->lengths[k]; n++) {
                unsigned to = rays->squares[k][n];
                reach &= ~chess_bit(to);
                if ((v.fixed >> to & 1) != 0 || reach == 0)
                    break;
                chess_set out = reach & safe[others | to << shift];
                bits &= ~out;
                reach &= ~out;
            }
            if (bits == 0)
                return 0;
        }
    }
    return bits;
}

/* ---- Before the first ply ---------------------------------------------------------------------- */

/* Places of the black king where white attacks it, and where black attacks the white king. */
static void row_attacks(const retro *r, const row_view *v, chess_set *on_black, chess_set *on_white)
{
    const tb_layout *l = r->l;
    *on_black = 0;
    *on_white = 0;
    for (unsigned i = 0; i < l->mover_count; i++) {
        chess_set seen = kind_attacks(piece_kind(l->movers[i]), v->movers[i], v->fixed);
        if (piece_side(l->movers[i]) == CHESS_WHITE)
            *on_black |= seen;
        else if ((seen >> v->king & 1) != 0)
            *on_white |= ~chess_between(v->movers[i], v->king);
    }
    for (unsigned i = 0; i < l->pawn_count; i++) {
        unsigned side = piece_side(l->pawns[i]);
        chess_set seen = set_pawn_attacks(chess_bit(r->pawns[i]), side);
        if (side == CHESS_WHITE)
            *on_black |= seen;
        else if ((seen >> v->king & 1) != 0)
            *on_white = ~(chess_set)0;
    }
}

static void job_legal(void *context, uint64_t block, unsigned worker)
{
    retro *r = context;
    if (limits_passed(r->limits)) /* what was made so far means nothing */
        return;
    for (uint32_t row = (uint32_t)block * BLOCK_ROWS; row < (block + 1) * BLOCK_ROWS && row < r->l->rows;
         row++) {
        row_view v = row_look(r->l, r->geometry, r->pawn_set, row);
        chess_set on_black, on_white, exist = v.overlaps ? 0 : ~v.fixed & ~chess_king_attacks(v.king);
        row_attacks(r, &v, &on_black, &on_white);
        r->legal[CHESS_WHITE][row] = exist & ~on_black;
        r->legal[CHESS_BLACK][row] = exist & ~on_white;
        for (unsigned side = 0; side < 2; side++) {
            uint8_t *mate = mates_of(r, side, row), *zeroing = zeroing_of(r, side, row);
            chess_set none = ~r->legal[side][row];
            zeroing_row(r->passes[worker], r->pawns, &v, side, mate, zeroing);
            for (unsigned i = 0; i < 64; i++) {
                uint8_t keep = (none >> i & 1) != 0 ? 0 : 0xFF;
                mate[i] &= keep;
                zeroing[i] &= keep;
            }
        }
    }
}

/* Mates, stalemates, and which codes are pending where. */
static void job_ends(void *context, uint64_t block, unsigned worker)
{
    retro *r = context;
    (void)worker;
    for (unsigned side = 0; side < 2; side++)
        r->pending[side][block] = (code_set){0};
    if (limits_passed(r->limits))
        return;
    for (uint32_t row = (uint32_t)block * BLOCK_ROWS; row < (block + 1) * BLOCK_ROWS && row < r->l->rows;
         row++) {
        for (unsigned side = 0; side < 2; side++) {
            const uint8_t *mate = mates_of(r, side, row);
            chess_set pending = lanes_from(mate, 1);
            SET_EACH (i, pending)
                r->pending[side][block].bits[mate[i] >> 6] |= (uint64_t)1 << (mate[i] & 63);
            r->mated[side][row] = 0;
            chess_set stuck = row_check(r, side, row, r->legal[side][row] & ~pending, r->legal[1 - side]);
            if (stuck == 0)
                continue;
            chess_set attacked[2];
            row_view v = row_look(r->l, r->geometry, r->pawn_set, row);
            row_attacks(r, &v, &attacked[CHESS_BLACK], &attacked[CHESS_WHITE]);
            SET_EACH (i, stuck & ~attacked[side])
                zeroing_of(r, side, row)[i] |= ZEROING_STALEMATE;
            r->mated[side][row] = stuck & attacked[side];
        }
    }
}

/* ---- A run ------------------------------------------------------------------------------------- */

/* Where zeroing moves keep a side from losing, at first. */
static chess_set escapes_find(const retro *r, unsigned side, uint32_t row)
{
    const uint8_t *zeroing = zeroing_of(r, side, row);
    uint8_t marks[64];
    for (unsigned i = 0; i < 64; i++)
        marks[i] = zeroing[i] & ZEROING_STALEMATE;
    chess_set stalemates = lanes_from(marks, 1);
    if (r->run == RUN_MATE)
        return stalemates | lanes_from(mates_of(r, side, row), 1);
    for (unsigned i = 0; i < 64; i++)
        marks[i] = zeroing[i] >> 4 & 7;
    return stalemates | lanes_from(marks, CLASS_BLESSED);
}

/* A look now and then. */
static bool is_passed(const retro *r, uint32_t i)
{
    return i % LOOK_ROWS == 0 && limits_passed(r->limits);
}

static void run_begin(retro *r, retro_run run)
{
    r->run = run;
    r->ply = 0;
    for (unsigned side = 0; side < 2; side++) {
        for (uint32_t row = 0; row < r->l->rows && !is_passed(r, row); row++) {
            r->unresolved[side][row] = r->safe[side][row] = r->legal[side][row];
            r->escape[side][row] = escapes_find(r, side, row);
            frontier_add(&r->next[LOST][side], row, r->mated[side][row]);
        }
    }
}

/* The value that new positions of a ply get. */
static uint8_t value_now(retro *r, unsigned kind)
{
    unsigned moves = (r->ply + 1) / 2;
    if (r->run == RUN_DISTANCE) {
        r->too_long |= r->ply > UINT8_MAX;
        return (uint8_t)r->ply;
    }
    r->too_long |= moves > (kind == WON ? MATE_WIN_MOST : MATE_LOSS_MOST);
    return (uint8_t)(kind == WON ? 256 - moves : 1 + moves);
}

/* What was found becomes known. */
static void ply_commit(retro *r)
{
    for (unsigned kind = 0; kind < 2; kind++) {
        uint8_t value = value_now(r, kind);
        for (unsigned side = 0; side < 2; side++) {
            frontier *old = &r->now[kind][side], *found = &r->next[kind][side];
            uint8_t *values = r->run == RUN_DISTANCE ? r->t->distance[side] : r->t->mate[side];
            for (uint32_t i = 0; i < old->count; i++)
                old->bits[old->rows[i]] = 0;
            old->count = 0;
            for (uint32_t i = 0; i < found->count && !is_passed(r, i); i++) {
                uint32_t row = found->rows[i];
                chess_set bits = found->bits[row];
                uint8_t *lanes = values + ((r->base + row) << 6);
                r->unresolved[side][row] &= ~bits;
                if (kind == WON)
                    r->safe[side][row] &= ~bits;
                SET_EACH (lane, bits)
                    lanes[lane] = value;
                if (r->t->without_mates)
                    SET_EACH (lane, bits)
                        mates_of(r, side, row)[lane] = kind == WON ? MATE_SOME_WIN : MATE_SOME_LOSS;
            }
            frontier keep = *old;
            *old = *found;
            *found = keep;
        }
    }
}

/* Calls for every row where zeroing moves have a certain result. */
typedef void row_visitor(retro *r, unsigned side, uint32_t row, chess_set lanes);

static void visit_mates(retro *r, unsigned side, unsigned code, row_visitor *visit)
{
    uint32_t blocks = (r->l->rows + BLOCK_ROWS - 1) / BLOCK_ROWS;
    for (uint32_t block = 0; block < blocks && !is_passed(r, block); block++) {
        if ((r->pending[side][block].bits[code >> 6] >> (code & 63) & 1) == 0)
            continue;
        uint32_t end = (block + 1) * BLOCK_ROWS;
        for (uint32_t row = block * BLOCK_ROWS; row < end && row < r->l->rows; row++) {
            chess_set lanes = lanes_equal(mates_of(r, side, row), (uint8_t)code) & r->unresolved[side][row];
            if (lanes != 0)
                visit(r, side, row, lanes);
        }
    }
}

static void visit_classes(retro *r, unsigned side, unsigned code, row_visitor *visit)
{
    for (uint32_t row = 0; row < r->l->rows && !is_passed(r, row); row++) {
        const uint8_t *zeroing = zeroing_of(r, side, row);
        uint8_t classes[64];
        for (unsigned i = 0; i < 64; i++)
            classes[i] = zeroing[i] >> 4 & 7;
        chess_set lanes = lanes_equal(classes, (uint8_t)code) & r->unresolved[side][row];
        if (lanes != 0)
            visit(r, side, row, lanes);
    }
}

static void seed_win(retro *r, unsigned side, uint32_t row, chess_set lanes)
{
    frontier_add(&r->next[WON][side], row, lanes);
}

/* These zeroing moves lose by now: whether all others do, too, is to be checked. */
static void seed_loss(retro *r, unsigned side, uint32_t row, chess_set lanes)
{
    r->escape[side][row] &= ~lanes;
    frontier_add(&r->next[LOST][side], row, lanes);
}

static void find_wins(retro *r, unsigned side)
{
    const frontier *lost = &r->now[LOST][1 - side];
    frontier *out = &r->next[WON][side];
    for (uint32_t i = 0; i < lost->count && !is_passed(r, i); i++) {
        uint32_t row = lost->rows[i];
        row_unmove(r, side, row, lost->bits[row], r->unresolved[side], out->bits, out);
    }
    if (r->run == RUN_MATE && r->ply % 2 == 1)
        visit_mates(r, side, 256 - (r->ply + 1) / 2, seed_win);
    else if (r->run == RUN_DISTANCE && (r->ply == 1 || r->ply == DISTANCE_RULE + 1))
        visit_classes(r, side, r->ply == 1 ? CLASS_WIN : CLASS_CURSED, seed_win);
}

static void find_losses(retro *r, unsigned side)
{
    const frontier *won = &r->now[WON][1 - side];
    frontier *out = &r->next[LOST][side];
    if (r->run == RUN_MATE && r->ply % 2 == 0)
        visit_mates(r, side, 1 + r->ply / 2, seed_loss);
    else if (r->run == RUN_DISTANCE && (r->ply == 1 || r->ply == DISTANCE_RULE + 1))
        visit_classes(r, side, r->ply == 1 ? CLASS_LOSS : CLASS_BLESSED, seed_loss);
    for (uint32_t i = 0; i < won->count && !is_passed(r, i); i++) {
        uint32_t row = won->rows[i];
        row_unmove(r, side, row, won->bits[row], r->unresolved[side], r->escape[side], out);
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < out->count && !is_passed(r, i); i++) {
        uint32_t row = out->rows[i];
        chess_set lost = row_check(r, side, row, out->bits[row] & ~r->escape[side][row], r->safe[1 - side]);
        out->bits[row] = lost;
        if (lost != 0)
            out->rows[kept++] = row;
    }
    out->count = kept;
}

static void job_ply(void *context, uint64_t job, unsigned worker)
{
    retro *r = context;
    (void)worker;
    if (job < 2)
        find_losses(r, (unsigned)job);
    else
        find_wins(r, (unsigned)job - 2);
}

static bool frontiers_are_empty(const retro *r)
{
    return r->now[WON][0].count + r->now[WON][1].count + r->now[LOST][0].count + r->now[LOST][1].count == 0;
}

/* The last ply at which a zeroing move may still make a difference. */
static unsigned pending_last(const retro *r)
{
    uint32_t blocks = (r->l->rows + BLOCK_ROWS - 1) / BLOCK_ROWS;
    code_set all = {0};
    unsigned last = 0;
    if (r->run == RUN_DISTANCE)
        return DISTANCE_RULE + 1;
    for (unsigned side = 0; side < 2; side++)
        for (uint32_t block = 0; block < blocks; block++)
            for (unsigned i = 0; i < 4; i++)
                all.bits[i] |= r->pending[side][block].bits[i];
    for (unsigned code = 1; code < 256; code++)
        if (code != MATE_DRAW && (all.bits[code >> 6] >> (code & 63) & 1) != 0 && mate_plies(code) > last)
            last = mate_plies(code);
    return last;
}

static void run_all(retro *r, retro_run run, const struct limits *limits)
{
    run_begin(r, run);
    ply_commit(r);
    unsigned last = pending_last(r);
    while (!limits_passed(limits)) {
        if (frontiers_are_empty(r)) {
            if (r->ply >= last)
                break;
            if (run == RUN_DISTANCE && r->ply >= 1)
                r->ply = DISTANCE_RULE;
        }
        r->ply++;
        if (r->workers != NULL)
            pool_run(r->workers, 4, job_ply, r);
        else
            for (unsigned job = 0; job < 4; job++)
                job_ply(r, job, 0);
        ply_commit(r);
    }
    for (unsigned kind = 0; kind < 2; kind++) /* interrupted: nothing may stay for the next run */
        for (unsigned side = 0; side < 2; side++) {
            frontier *f = &r->now[kind][side];
            for (uint32_t i = 0; i < f->count; i++)
                f->bits[f->rows[i]] = 0;
            f->count = 0;
        }
}

/* ---- A slice ----------------------------------------------------------------------------------- */

static void run_jobs(retro *r, void (*job)(void *, uint64_t, unsigned))
{
    uint64_t blocks = (r->l->rows + BLOCK_ROWS - 1) / BLOCK_ROWS;
    if (r->workers != NULL)
        pool_run(r->workers, blocks, job, r);
    else
        for (uint64_t block = 0; block < blocks; block++)
            job(r, block, 0);
}

/* Whatever is neither won nor lost is a draw. */
static void slice_draws(retro *r)
{
    for (unsigned side = 0; side < 2; side++) {
        for (uint32_t row = 0; row < r->l->rows && !is_passed(r, row); row++) {
            uint8_t *mate = mates_of(r, side, row);
            SET_EACH (i, r->unresolved[side][row])
                mate[i] = MATE_DRAW;
        }
    }
}

static void slice_solve(retro *r, uint32_t slice, const struct limits *limits)
{
    r->base = (uint64_t)slice * r->l->rows;
    r->pawn_set = 0;
    layout_slice_pawns(r->l, r->maps, slice, r->pawns);
    for (unsigned i = 0; i < r->l->pawn_count; i++)
        r->pawn_set |= chess_bit(r->pawns[i]);
    run_jobs(r, job_legal);
    run_jobs(r, job_ends);
    run_all(r, RUN_DISTANCE, limits);
    if (!r->t->without_mates)
        run_all(r, RUN_MATE, limits);
    slice_draws(r);
}

/* ---- A table ----------------------------------------------------------------------------------- */

/* Sets of rows that a solver keeps: the four kinds of them, `mated`, and the frontiers' bits. */
#define ROW_SETS (2 * 5 + 8)

uint64_t generate_memory(const tb_layout *l)
{
    uint64_t frontiers = 8 * (uint64_t)l->rows * sizeof(uint32_t);
    uint64_t pending = 2 * ((uint64_t)l->rows / BLOCK_ROWS + 1) * sizeof(code_set);
    return ROW_SETS * (uint64_t)l->rows * sizeof(chess_set) + frontiers + pending + sizeof(row_geometry);
}

/* One block of memory holds all arrays. */
static void retro_share(retro *r, unsigned char *block)
{
    uint64_t rows = r->l->rows;
    chess_set *sets = (chess_set *)(void *)block;
    for (unsigned side = 0; side < 2; side++) {
        chess_set **const own[] = {&r->legal[side], &r->mated[side], &r->unresolved[side], &r->safe[side],
                                   &r->escape[side]};
        for (unsigned i = 0; i < 5; i++, sets += rows)
            *own[i] = sets;
    }
    uint32_t *lists = (uint32_t *)(sets + 8 * rows);
    for (unsigned i = 0; i < 8; i++, sets += rows, lists += rows) {
        frontier *f = i < 4 ? &r->now[i / 2][i % 2] : &r->next[i / 2 - 2][i % 2];
        *f = (frontier){.bits = sets, .rows = lists};
    }
    unsigned char *at = (unsigned char *)lists;
    for (unsigned side = 0; side < 2; side++) {
        r->pending[side] = (code_set *)(void *)at;
        at += (rows / BLOCK_ROWS + 1) * sizeof(code_set);
    }
    r->geometry = (row_geometry *)(void *)at;
}

/* Slices with pawns that are further advanced come first: pawns' moves lead to them. */
typedef struct slice_order {
    uint32_t slice, left; /* left: ranks that the pawns still have to go */
} slice_order;

static int slice_compare(const void *a, const void *b)
{
    const slice_order *x = a, *y = b;
    return x->left != y->left ? (x->left < y->left ? -1 : 1) : (x->slice > y->slice) - (x->slice < y->slice);
}

static void slices_order(const retro *r, slice_order *order)
{
    for (uint32_t i = 0; i < r->l->slices; i++) {
        uint8_t pawns[LAYOUT_EXTRAS_MOST];
        order[i] = (slice_order){.slice = i};
        layout_slice_pawns(r->l, r->maps, i, pawns);
        for (unsigned k = 0; k < r->l->pawn_count; k++) {
            unsigned rank = chess_rank_of(pawns[k]);
            order[i].left += piece_side(r->l->pawns[k]) == CHESS_WHITE ? 7 - rank : rank;
        }
    }
    qsort(order, r->l->slices, sizeof *order, slice_compare);
}

static holos_status slices_solve(retro *r, const struct limits *limits, holos_error *err)
{
    char name[TB_NAME_SIZE];
    slice_order *order = calloc(r->l->slices, sizeof *order);
    if (order == NULL)
        return error_system(err, "making tables");
    slices_order(r, order);
    holos_status status = HOLOS_OK;
    for (uint32_t i = 0; i < r->l->slices && !r->too_long && status == HOLOS_OK && !limits_passed(limits);
         i++) {
        slice_solve(r, order[i].slice, limits);
        for (unsigned k = 0; status == HOLOS_OK && k < r->threads; k++)
            status = zeroing_fault(r->passes[k], err);
    }
    free(order);
    if (status != HOLOS_OK)
        return status;
    if (limits_passed(limits))
        return error_set(err, holos_stop_asked(limits->stop) ? HOLOS_INTERRUPTED : HOLOS_LIMIT, HOLOS_NOWHERE,
                         "interrupted while making %s", key_name(r->l->key, name));
    if (r->too_long)
        return error_set(
            err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
            "%s has mates of more than %d moves, or more than 255 plies to a capture: no room for them",
            key_name(r->l->key, name), MATE_LOSS_MOST);
    return HOLOS_OK;
}

holos_status tb_table_generate(tb_table *t, const index_maps *m, tb_table_finder *find, void *context,
                               pool *workers, mem_budget *budget, const struct limits *limits,
                               holos_error *err)
{
    unsigned threads = workers != NULL ? pool_threads(workers) : 1;
    retro r = {.maps = m, .t = t, .l = &t->layout, .workers = workers, .threads = threads, .limits = limits};
    size_t size = generate_memory(r.l);
    unsigned char *block = mem_alloc(budget, size);
    if (block == NULL)
        return mem_error(err, budget, size, "making a table");
    retro_share(&r, block);
    geometry_init(r.geometry, m, r.l);
    r.passes = calloc(threads, sizeof(zeroing_pass *));
    holos_status status = r.passes != NULL ? HOLOS_OK : error_system(err, "making tables");
    for (unsigned i = 0; status == HOLOS_OK && i < threads; i++)
        status = zeroing_open(t, m, r.geometry, find, context, &r.passes[i], err);
    if (status == HOLOS_OK)
        status = slices_solve(&r, limits, err);
    for (unsigned i = 0; r.passes != NULL && i < threads; i++)
        zeroing_close(r.passes[i]);
    free(r.passes);
    mem_free(budget, block, size);
    return status;
}
