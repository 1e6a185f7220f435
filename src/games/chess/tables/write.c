/* SPDX-License-Identifier: MIT */

#include "games/chess/tables/write.h"

#include "core/list.h"
#include "games/chess/tables/checksum.h"

#include "games/chess/tables/compress.h"
#include "games/chess/tables/look.h"

#include <stdlib.h>
#include <string.h>

enum {
    WDL_BLOCK_MOST = 6, /* as in the files that are known: a probe decodes half a block on average */
    DTZ_BLOCK_MOST = 10,
    SAMPLES = 12,       /* windows that an order of pieces is judged by */
    SAMPLE_WDL = 10000, /* values of each, about: WDL has few runs, so it takes more to tell */
    SAMPLE_OTHER = 3000,
    /* Runs in the sample, to judge by: with fewer the best orders are tried out in full. With 3,000 all tables of four
     * pieces take a fifth more time and 1 % less space. */
    RUNS_ENOUGH = 400,
    TRIED_MOST = 3,       /* so many of them: a tenth more time, where KRvKB's DTZ took 1.4 times the space */
    TRIED_SIZE = 1 << 22, /* values, up to which it takes no time */
    ORDERS_MOST = 2 * 120, /* of five pieces, with the leading group slowest or fastest */
    PAIR_SIDES = 2,
    LOOK_STRETCHES = 4096, /* between two looks at the limits */
};

/* ---- What is to be stored ---------------------------------------------------------------------- */

/* A file being made. */
typedef struct writing {
    const tb_table *t;
    const tb_layout *l;
    const index_maps *m;
    index_shape shape;
    syzygy_kind kind;
    mem_budget *budget;
    const struct limits *limits; /* NULL: none */
    uint8_t *view; /* by address: what may be stored (WDL: a set of values) or is (DTZ: a place in a list) */
    uint8_t *values; /* in the order of the file */
    uint64_t values_room;
    unsigned
        swapped; /* in the view, the piece with this shift has changed places with the black king; 0: none */
    uint8_t (*leads)[3];   /* without pawns: the squares of each number of the leading group */
    uint8_t lists[4][256]; /* DTZ: the distances, most frequent first */
    unsigned list_sizes[4];
    unsigned dtz_side, dtz_flags;
    index_encoding encodings[PAIR_SIDES][4];
    unsigned orders[PAIR_SIDES][2];
    compressed parts[PAIR_SIDES][4];
} writing;

static const unsigned list_of_class[] = {
    [CLASS_LOSS] = 1, [CLASS_BLESSED] = 3, [CLASS_CURSED] = 2, [CLASS_WIN] = 0};

/* The sets of values that may be stored: by the class of a position and that of its best capture. */
static void wdl_view(const writing *w, unsigned side, uint8_t *view)
{
    uint8_t sets[6][8];
    const uint8_t *mate = w->t->mate[side], *distance = w->t->distance[side], *zeroing = w->t->zeroing[side];
    for (unsigned class = 0; class < 6; class ++)
        for (unsigned capture = 0; capture < 8; capture++)
            sets[class][capture] = class == CLASS_NONE ? 31
                                   : capture == class  ? (uint8_t)((1u << class) - 1)
                                                       : (uint8_t)(1u << (class - 1));
    for (uint64_t i = 0, end; (end = look_end(w->limits, i, w->t->size)) > i;)
        for (; i < end; i++)
            view[i] = sets[class_of(mate[i], distance[i])][zeroing[i] & 7];
}

/* What DTZ stores of a position: a distance, or COMPRESS_ANY. Plies by themselves take up to three times the space of
 * moves; so they are kept only where a distance is so near to the limit of the rule that one ply may matter. */
static inline unsigned dtz_stored(unsigned mate, unsigned distance, unsigned zeroing, unsigned flags,
                                  unsigned *class)
{
    *class = class_of(mate, distance);
    if (*class == CLASS_NONE || *class == CLASS_DRAW)
        return COMPRESS_ANY;
    if (*class > CLASS_DRAW && (zeroing >> 4 & 7) == *class)
        return COMPRESS_ANY;
    /* Losses are stored even where only zeroing moves are left: some readers look there before they look at moves. */
    if (*class == CLASS_CURSED || *class == CLASS_BLESSED)
        return (distance - DISTANCE_RULE - 1) / 2;
    unsigned plies = distance > 0 ? distance - 1 : 0;
    return (flags & (*class == CLASS_WIN ? PAIRS_WIN_PLIES : PAIRS_LOSS_PLIES)) != 0 ? plies : plies / 2;
}

/* Which of wins and losses must be kept in plies. */
static unsigned dtz_flags(const writing *w, unsigned side)
{
    const uint8_t *mate = w->t->mate[side], *distance = w->t->distance[side];
    unsigned most[2] = {0, 0};
    for (uint64_t i = 0, end; (end = look_end(w->limits, i, w->t->size)) > i;)
        for (; i < end; i++) {
            unsigned win = mate_is_win(mate[i]) ? 1 : 0;
            most[win] = distance[i] > most[win] ? distance[i] : most[win];
        }
    return (most[0] >= DISTANCE_RULE - 1 ? PAIRS_LOSS_PLIES : 0u) |
           (most[1] >= DISTANCE_RULE - 1 ? PAIRS_WIN_PLIES : 0u);
}

static void lists_make(writing *w, uint64_t counts[4][256])
{
    for (unsigned list = 0; list < 4; list++) {
        w->list_sizes[list] = 0;
        for (;;) {
            unsigned best = 256;
            for (unsigned d = 0; d < 256; d++)
                if (counts[list][d] > 0 && (best == 256 || counts[list][d] > counts[list][best]))
                    best = d;
            if (best == 256)
                break;
            w->lists[list][w->list_sizes[list]++] = (uint8_t)best;
            counts[list][best] = 0;
        }
    }
}

static void dtz_view(writing *w, unsigned side, uint8_t *view)
{
    const uint8_t *mate = w->t->mate[side], *distance = w->t->distance[side], *zeroing = w->t->zeroing[side];
    uint64_t counts[4][256] = {{0}};
    uint8_t places[6][256] = {{0}};
    unsigned class;
    w->dtz_flags = dtz_flags(w, side);
    for (uint64_t i = 0, end; (end = look_end(w->limits, i, w->t->size)) > i;)
        for (; i < end; i++) {
            unsigned d = dtz_stored(mate[i], distance[i], zeroing[i], w->dtz_flags, &class);
            if (d != COMPRESS_ANY)
                counts[list_of_class[class]][d]++;
        }
    lists_make(w, counts);
    for (unsigned c = CLASS_LOSS; c <= CLASS_WIN; c++)
        for (unsigned i = 0; c != CLASS_DRAW && i < w->list_sizes[list_of_class[c]]; i++)
            places[c][w->lists[list_of_class[c]][i]] = (uint8_t)i;
    for (uint64_t i = 0, end; (end = look_end(w->limits, i, w->t->size)) > i;)
        for (; i < end; i++) {
            unsigned d = dtz_stored(mate[i], distance[i], zeroing[i], w->dtz_flags, &class);
            view[i] = d == COMPRESS_ANY ? COMPRESS_ANY : places[class][d];
        }
}

/* Mate bytes; what is no position may be anything. */
static void dtm_view(const writing *w, unsigned side, uint8_t *view)
{
    const uint8_t *mate = w->t->mate[side];
    for (uint64_t i = 0, end; (end = look_end(w->limits, i, w->t->size)) > i;)
        for (; i < end; i++)
            view[i] = mate[i] == MATE_NONE ? COMPRESS_ANY : mate[i] == 255 ? 0 : mate[i];
}

/* ---- The order of the file --------------------------------------------------------------------- */

/* Goes through numbers of an encoding and looks up what the view has there. */
typedef struct walker {
    const writing *w;
    const index_encoding *e;
    unsigned
        shift[TB_PIECES_MOST]; /* of a piece in an address; SHIFT_KING: the white king, SHIFT_PAWN: a pawn */
    uint8_t squares[TB_PIECES_MOST];
    uint8_t free[64]; /* squares that the leading group, and the other pawns, leave */
    unsigned free_count;
    uint64_t slice;
} walker;

enum { SHIFT_KING = 64, SHIFT_PAWN };

static void walker_init(walker *k, const writing *w, const index_encoding *e)
{
    unsigned used = 0;
    *k = (walker){.w = w, .e = e};
    for (unsigned i = 0; i < e->piece_count; i++) {
        unsigned kind = piece_kind(e->pieces[i]), side = piece_side(e->pieces[i]), mover = 0;
        if (kind == CHESS_PAWN) {
            k->shift[i] = SHIFT_PAWN;
        } else if (kind == CHESS_KING) {
            k->shift[i] = side == CHESS_WHITE ? SHIFT_KING : 0;
        } else {
            while ((used >> mover & 1) != 0 || w->l->movers[mover] != e->pieces[i])
                mover++;
            used |= 1u << mover;
            k->shift[i] = 6 * (w->l->mover_count - mover);
        }
        if (w->swapped != 0 && k->shift[i] == 0)
            k->shift[i] = w->swapped;
        else if (w->swapped != 0 && k->shift[i] == w->swapped)
            k->shift[i] = 0;
    }
}

/* Lets the fastest piece be the one whose places lie side by side: otherwise nearly every value of a large table would
 * be a cache miss of its own, which made KRBvKR three times as slow. */
static void view_swap(writing *w, const index_encoding *e)
{
    walker k;
    unsigned fixed = e->both_pawns ? 2 : 1;
    w->swapped = 0;
    walker_init(&k, w, e);
    unsigned shift = fixed < e->group_count ? k.shift[e->groups[fixed].first] : 0;
    if (shift == 0 || shift >= SHIFT_KING)
        return;
    w->swapped = shift;
    for (uint64_t high = 0; high < w->t->size; high += (uint64_t)64 << shift) {
        for (uint64_t low = 0; low < (uint64_t)1 << shift && !limits_passed(w->limits); low += 64) {
            uint8_t *tile = w->view + high + low;
            for (unsigned a = 1; a < 64; a++) {
                for (unsigned b = 0; b < a; b++) {
                    uint8_t *x = tile + ((uint64_t)a << shift) + b, *y = tile + ((uint64_t)b << shift) + a,
                            keep = *x;
                    *x = *y;
                    *y = keep;
                }
            }
        }
    }
}

/* The address of the squares, without the piece `except` if that is not the white king. */
static uint64_t walker_address(const walker *k, unsigned except, unsigned *turn)
{
    const tb_layout *l = k->w->l;
    const index_maps *m = k->w->m;
    uint64_t address = 0;
    *turn = 0;
    for (unsigned i = 0; i < k->e->piece_count; i++) {
        if (k->shift[i] != SHIFT_KING)
            continue;
        unsigned king = k->squares[i];
        *turn = l->pawn_count > 0 ? 0 : m->into_triangle[king];
        king = l->pawn_count > 0 ? king : m->triangle[m->turned[*turn][king]];
        address = (k->slice * l->kings + king) << 6 * (l->mover_count + 1);
    }
    for (unsigned i = 0; i < k->e->piece_count; i++)
        if (k->shift[i] < SHIFT_KING && i != except)
            address |= (uint64_t)m->turned[*turn][k->squares[i]] << k->shift[i];
    return address;
}

/* The n-th choice of `length` of the squares that are left, as places in `free`. `taken` has bits of places. */
static chess_set group_places(const index_maps *m, uint64_t n, unsigned length, chess_set taken,
                              uint8_t *places)
{
    chess_set own = 0;
    for (unsigned i = length; i-- > 0;) {
        unsigned nth = i == 0 ? (unsigned)n : 63;
        while (i > 0 && m->choose[i + 1][nth] > n)
            nth--;
        n -= m->choose[i + 1][nth];
        chess_set left = ~taken;
        while (nth-- > 0)
            left &= left - 1;
        places[i] = (uint8_t)set_first(left);
        own |= chess_bit(places[i]);
    }
    return taken | own;
}

/* All places of the fastest group, from one place to the next, with the slower groups' numbers as they are. A slower
 * piece stays where it is until the fastest one comes to its square. */
static void walk_fastest(walker *k, unsigned fastest, const uint64_t *numbers, uint8_t *out)
{
    const index_encoding *e = k->e;
    const index_maps *m = k->w->m;
    const index_group *g = &e->groups[fastest];
    const uint8_t *view = k->w->view;
    bool simple = g->length == 1 && (k->shift[g->first] != SHIFT_KING || k->w->l->pawn_count > 0);
    for (uint64_t n = 0; n < g->size;) {
        uint8_t places[TB_PIECES_MOST];
        chess_set taken = group_places(m, n, g->length, 0, places);
        chess_set others = 0;
        for (unsigned i = 0; i < g->length; i++)
            k->squares[g->first + i] = k->free[places[i]];
        for (unsigned other = fastest + 1; other < e->group_count; other++) {
            chess_set before = taken;
            taken = group_places(m, numbers[other], e->groups[other].length, taken, places);
            others |= taken & ~before;
            for (unsigned i = 0; i < e->groups[other].length; i++)
                k->squares[e->groups[other].first + i] = k->free[places[i]];
        }
        unsigned turn;
        uint64_t base = walker_address(k, simple ? g->first : TB_PIECES_MOST, &turn);
        if (!simple) {
            out[n++] = view[base];
            continue;
        }
        chess_set later = others & ~(((chess_set)2 << n) - 1);
        uint64_t end = later != 0 ? set_first(later) : g->size;
        const uint8_t *turned = m->turned[turn];
        if (k->shift[g->first] == SHIFT_KING) {
            base -= (uint64_t)k->squares[g->first] << 6 * (k->w->l->mover_count + 1);
            for (; n < end; n++)
                out[n] = view[base + ((uint64_t)k->free[n] << 6 * (k->w->l->mover_count + 1))];
        } else {
            for (; n < end; n++)
                out[n] = view[base | (uint64_t)turned[k->free[n]] << k->shift[g->first]];
        }
    }
}

/* Puts the leading group, and the other side's pawns, on the board. */
static void walk_lead(walker *k, uint64_t lead, uint64_t pawns)
{
    const index_encoding *e = k->e;
    const tb_layout *l = k->w->l;
    unsigned placed = e->groups[0].length;
    chess_set taken = 0;
    if (e->has_pawns)
        index_unrank_lead(e, k->w->m, lead, k->squares);
    else
        memcpy(k->squares, k->w->leads[lead], placed);
    if (e->both_pawns) {
        index_unrank(e, k->w->m, lead * e->groups[0].factor + pawns * e->groups[1].factor, k->squares);
        placed += e->groups[1].length;
    }
    k->slice = e->has_pawns ? l->file_first[e->file] + lead * l->rest + pawns : 0;
    k->free_count = 0;
    for (unsigned i = 0; i < placed; i++)
        taken |= chess_bit(k->squares[i]);
    SET_EACH (s, ~taken)
        k->free[k->free_count++] = (uint8_t)s;
}

/* Whether the leading group is the fastest one: tried where equal pieces follow the kings. */
static bool lead_is_fastest(const index_encoding *e)
{
    return e->group_count > 1 && e->groups[0].factor == 1;
}

/* A stretch is all numbers of the fastest group. */
static uint64_t stretch_size(const index_encoding *e)
{
    unsigned fixed = e->both_pawns ? 2 : 1;
    if (lead_is_fastest(e))
        return e->groups[0].size;
    return fixed < e->group_count ? e->groups[fixed].size : 1;
}

/* One stretch where the leading group is fastest, and one group follows. */
static void walk_leads(walker *k, uint64_t number, uint8_t *out)
{
    const index_group *g = &k->e->groups[1];
    uint8_t places[TB_PIECES_MOST];
    unsigned turn;
    for (uint64_t lead = 0; lead < k->e->groups[0].size; lead++) {
        walk_lead(k, lead, 0);
        group_places(k->w->m, number, g->length, 0, places);
        for (unsigned i = 0; i < g->length; i++)
            k->squares[g->first + i] = k->free[places[i]];
        out[lead] = k->w->view[walker_address(k, TB_PIECES_MOST, &turn)];
    }
}

/* The values of some stretches, one after the other. */
static void walk_stretches(const writing *w, const index_encoding *e, uint64_t first, uint64_t count,
                           uint8_t *out)
{
    walker k;
    unsigned fixed = e->both_pawns ? 2 : 1, turn;
    uint64_t pawns = e->both_pawns ? e->groups[1].size : 1, size = stretch_size(e);
    uint64_t stretches = lead_is_fastest(e) ? 1 : e->size / size / pawns / e->groups[0].size,
             last = UINT64_MAX;
    walker_init(&k, w, e);
    for (uint64_t n = first; n < first + count; n++, out += size) {
        if (n % LOOK_STRETCHES == 0 && limits_passed(w->limits))
            return; /* whoever uses them looks, too */
        if (lead_is_fastest(e)) {
            walk_leads(&k, n, out);
            continue;
        }
        uint64_t numbers[TB_PIECES_MOST] = {0}, rest = n % stretches;
        if (n / stretches != last) {
            last = n / stretches;
            walk_lead(&k, last / pawns, last % pawns);
        }
        for (unsigned i = fixed + 1; i < e->group_count; i++) {
            numbers[i] = rest % e->groups[i].size;
            rest /= e->groups[i].size;
        }
        if (fixed < e->group_count)
            walk_fastest(&k, fixed, numbers, out);
        else
            *out = w->view[walker_address(&k, TB_PIECES_MOST, &turn)];
    }
}

static void walk_all(const writing *w, const index_encoding *e, uint8_t *out)
{
    walk_stretches(w, e, 0, e->size / stretch_size(e), out);
}

/* ---- Choosing an order of pieces --------------------------------------------------------------- */

/* Runs in a sample of the numbers. */
static uint64_t order_judge(const writing *w, const index_encoding *e)
{
    uint64_t size = stretch_size(e), stretches = e->size / size, runs = 0;
    uint64_t window = (w->kind == SYZYGY_WDL ? SAMPLE_WDL : SAMPLE_OTHER) / size + 1;
    window = window > stretches ? stretches : window;
    for (unsigned i = 0; i < SAMPLES; i++) {
        walk_stretches(w, e, (stretches - window) / SAMPLES * i, window, w->values);
        runs +=
            w->kind == SYZYGY_WDL ? sets_runs(w->values, window * size) : gaps_runs(w->values, window * size);
    }
    return runs;
}

/* An order of pieces. */
typedef struct piece_order {
    uint8_t pieces[TB_PIECES_MOST];
    bool lead_fastest;
    uint64_t runs; /* in the sample */
    uint64_t size; /* in bytes, where it was tried out, otherwise 0 */
} piece_order;

typedef struct order_search {
    writing *w;
    index_encoding now;
    piece_order orders[ORDERS_MOST];
    unsigned count;
    uint8_t left[TB_PIECES_MOST]; /* pieces to be placed; 0: placed */
} order_search;

static bool order_complete(order_search *s, unsigned file, bool lead_fastest)
{
    unsigned groups = 0;
    s->now.file = (uint8_t)file;
    if (lead_fastest)
        return index_encode_init(&s->now, s->w->m, &s->w->shape, 0, 15) && s->now.group_count == 2;
    /* The leading group is slowest, then come the other pawns: so a probe's neighbours are near. How many groups there
     * are shows only when they have been made. */
    for (groups = 1; groups <= s->now.piece_count; groups++)
        if (index_encode_init(&s->now, s->w->m, &s->w->shape, groups - 1,
                              s->w->shape.other_pawns > 0 ? groups - 2 : 15) &&
            s->now.group_count == groups)
            return true;
    return false;
}

static bool order_set(order_search *s, const piece_order *o, unsigned file)
{
    memcpy(s->now.pieces, o->pieces, sizeof o->pieces);
    return order_complete(s, file, o->lead_fastest);
}

static bool view_is_large(const writing *w)
{
    return w->t->size > (uint64_t)32 << 20;
}

/* Lists all orders that begin with the pieces that are placed. */
static void order_list(order_search *s, unsigned placed)
{
    if (placed == s->now.piece_count) {
        bool equals = s->now.piece_count > 3 && !s->now.has_pawns && !s->w->shape.unique;
        uint8_t king = (uint8_t)piece_make(CHESS_WHITE, CHESS_KING);
        if (view_is_large(s->w) && s->now.pieces[s->now.has_pawns ? s->w->l->pawn_count : 3] == king)
            return; /* its places never lie side by side: see view_swap */
        for (unsigned fastest = 0; fastest <= (equals ? 1u : 0u) && s->count < ORDERS_MOST; fastest++) {
            piece_order *o = &s->orders[s->count];
            memcpy(o->pieces, s->now.pieces, sizeof o->pieces);
            o->lead_fastest = fastest != 0;
            s->count += order_complete(s, 0, o->lead_fastest);
        }
        return;
    }
    bool kings_first = !s->now.has_pawns && !s->w->shape.unique;
    for (unsigned i = 0; i < s->now.piece_count; i++) {
        uint8_t piece = s->left[i];
        if (piece == 0 || (i > 0 && s->left[i - 1] == piece)) /* equal pieces: the first one */
            continue;
        if (placed > 0 && s->now.pieces[placed - 1] != piece) { /* equal pieces stay together */
            bool more = false;
            for (unsigned k = 0; k < s->now.piece_count; k++)
                more |= s->left[k] == s->now.pieces[placed - 1];
            if (more)
                continue;
        }
        if (kings_first && placed < 2 && piece_kind(piece) != CHESS_KING)
            continue;
        if (s->w->shape.unique && !s->now.has_pawns && placed < 3) {
            unsigned equal = 0;
            for (unsigned k = 0; k < s->now.piece_count; k++)
                equal += s->left[k] == piece;
            if (equal > 1) /* the three that lead are different */
                continue;
        }
        s->left[i] = 0;
        s->now.pieces[placed] = piece;
        order_list(s, placed + 1);
        s->left[i] = piece;
    }
}

/* What numbers of the leading group stand for; all orders of pieces share it. */
static bool leads_make(writing *w)
{
    index_encoding e = {.unique = w->shape.unique};
    unsigned count = e.unique ? INDEX_UNIQUE_LEADS : INDEX_KING_LEADS;
    w->leads = calloc(count, sizeof *w->leads);
    for (unsigned i = 0; w->leads != NULL && w->l->pawn_count == 0 && i < count; i++)
        index_unrank_lead(&e, w->m, i, w->leads[i]);
    return w->leads != NULL;
}

static int order_compare(const void *a, const void *b)
{
    const piece_order *x = a, *y = b;
    if (x->runs != y->runs)
        return x->runs < y->runs ? -1 : 1;
    int pieces = memcmp(x->pieces, y->pieces, sizeof x->pieces);
    return pieces != 0 ? pieces : x->lead_fastest - y->lead_fastest;
}

/* The sequence of an encoding, compressed. */
static holos_status part_make(writing *w, const index_encoding *e, unsigned flags, compressed *out,
                              holos_error *err)
{
    walk_all(w, e, w->values);
    if (limits_passed(w->limits))
        return error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted while writing a table");
    if (w->kind == SYZYGY_WDL)
        sets_choose(w->values, e->size, w->limits);
    else
        gaps_fill(w->values, e->size, w->limits);
    return compress(w->values, e->size, flags, w->kind == SYZYGY_WDL ? WDL_BLOCK_MOST : DTZ_BLOCK_MOST,
                    w->budget, w->limits, out, err);
}

/* Bytes that an order takes; UINT64_MAX if there is no memory to tell. */
static uint64_t order_size(order_search *s, const piece_order *o)
{
    compressed part;
    order_set(s, o, 0);
    if (part_make(s->w, &s->now, 0, &part, NULL) != HOLOS_OK)
        return UINT64_MAX;
    uint64_t size = part.head_size + part.sparse_size + part.lengths_size + part.blocks_size;
    compressed_free(&part);
    return size;
}

/* Which order is best. */
static const piece_order *orders_decide(order_search *s)
{
    const piece_order *best = &s->orders[0];
    for (unsigned i = 0; i < s->count && !limits_passed(s->w->limits); i++) {
        order_set(s, &s->orders[i], 0);
        s->orders[i].runs = order_judge(s->w, &s->now);
    }
    qsort(s->orders, s->count, sizeof *s->orders, order_compare);
    if (best->runs >= RUNS_ENOUGH || s->now.size > TRIED_SIZE)
        return best;
    for (unsigned i = 0; i < s->count && i < TRIED_MOST; i++) {
        s->orders[i].size = order_size(s, &s->orders[i]);
        best = s->orders[i].size < best->size ? &s->orders[i] : best;
    }
    return best;
}

/* Finds the order for one side to move. Pawns come first, the leading side's before the others. */
static piece_order order_choose(writing *w, unsigned slot)
{
    order_search s = {.w = w};
    unsigned placed = 0, count = 0;
    w->swapped = 0;
    s.now.piece_count = w->shape.pieces;
    s.now.has_pawns = w->shape.leading_pawns > 0;
    for (unsigned i = 0; i < w->l->pawn_count; i++)
        s.now.pieces[placed++] = w->l->pawns[i];
    s.left[count++] = (uint8_t)piece_make(CHESS_WHITE, CHESS_KING);
    s.left[count++] = (uint8_t)piece_make(CHESS_BLACK, CHESS_KING);
    for (unsigned i = 0; i < w->l->mover_count; i++)
        s.left[count++] = w->l->movers[i];
    order_list(&s, placed);
    const piece_order *best = orders_decide(&s);
    for (unsigned file = 0; file < (w->l->pawn_count > 0 ? 4u : 1u); file++) {
        order_set(&s, best, file);
        w->encodings[slot][file] = s.now;
    }
    w->orders[slot][0] = lead_is_fastest(&s.now) ? 0 : s.now.group_count - 1u;
    w->orders[slot][1] = s.now.group_count - 2u;
    return *best;
}

/* ---- The file ---------------------------------------------------------------------------------- */

static holos_status parts_make(writing *w, unsigned slot, unsigned flags, holos_error *err)
{
    unsigned files = w->l->pawn_count > 0 ? 4 : 1;
    holos_status status = HOLOS_OK;
    view_swap(w, &w->encodings[slot][0]);
    for (unsigned file = 0; status == HOLOS_OK && file < files; file++)
        status = part_make(w, &w->encodings[slot][file], flags, &w->parts[slot][file], err);
    return status;
}

/* Both sides to move: WDL and DTM. */
static holos_status sides_make(writing *w, unsigned sides, holos_error *err)
{
    holos_status status = HOLOS_OK;
    for (unsigned side = 0; status == HOLOS_OK && side < sides; side++) {
        if (w->kind == SYZYGY_WDL)
            wdl_view(w, side, w->view);
        else
            dtm_view(w, side, w->view);
        order_choose(w, side);
        status = parts_make(w, side, 0, err);
    }
    return status;
}

/* By size, if both were tried out. */
static bool order_is_smaller(const piece_order *a, const piece_order *b)
{
    return a->size > 0 && b->size > 0 ? a->size < b->size : a->runs < b->runs;
}

/* DTZ is about one side to move: the one that takes less space. */
static holos_status dtz_make(writing *w, holos_error *err)
{
    piece_order white, black;
    index_encoding encodings[4];
    unsigned orders[2];
    bool symmetric = key_is_symmetric(w->l->key);
    if (!symmetric) {
        dtz_view(w, CHESS_BLACK, w->view);
        black = order_choose(w, 0);
        memcpy(encodings, w->encodings[0], sizeof encodings);
        memcpy(orders, w->orders[0], sizeof orders);
    }
    dtz_view(w, CHESS_WHITE, w->view);
    white = order_choose(w, 0);
    if (!symmetric && order_is_smaller(&black, &white)) {
        w->dtz_side = CHESS_BLACK;
        dtz_view(w, CHESS_BLACK, w->view);
        memcpy(w->encodings[0], encodings, sizeof encodings);
        memcpy(w->orders[0], orders, sizeof orders);
    }
    unsigned flags = PAIRS_MAPPED | w->dtz_flags | (w->dtz_side == CHESS_BLACK ? PAIRS_BLACK : 0u);
    return parts_make(w, 0, flags, err);
}

/* A file that is summed up as it is written. */
typedef struct summed_file {
    file_writer writer;
    unsigned char *chunk;
    size_t filled;
    uint64_t *digests;
    size_t count, room;
    bool failed; /* out of memory */
} summed_file;

static void chunk_end(summed_file *f)
{
    f->failed |= !LIST_RESERVE(f->digests, f->room, 4 * (f->count + 1));
    if (!f->failed)
        checksum_chunk(f->chunk, f->filled, f->digests + 4 * f->count++);
    f->filled = 0;
}

static void put(summed_file *f, const void *bytes, size_t size)
{
    file_write(&f->writer, bytes, size);
    for (size_t done = 0; done < size;) {
        size_t room = CHECKSUM_CHUNK - f->filled, part = size - done < room ? size - done : room;
        memcpy(f->chunk + f->filled, (const unsigned char *)bytes + done, part);
        f->filled += part;
        done += part;
        if (f->filled == CHECKSUM_CHUNK)
            chunk_end(f);
    }
}

static holos_status summed_create(summed_file *f, const char *path, holos_error *err)
{
    *f = (summed_file){.chunk = malloc(CHECKSUM_CHUNK)};
    if (f->chunk == NULL)
        return error_system(err, "writing a table");
    holos_status status = file_create(&f->writer, path, err);
    if (status != HOLOS_OK)
        free(f->chunk);
    return status;
}

/* Adds the checksum, and the file takes its name. */
static holos_status summed_commit(summed_file *f, uint64_t *bytes, holos_error *err)
{
    unsigned char sum[CHECKSUM_SIZE];
    holos_status status = HOLOS_OK;
    if (f->filled > 0)
        chunk_end(f);
    if (f->failed) {
        file_discard(&f->writer);
        status = error_system(err, "writing a table");
    } else {
        checksum_chunks(f->digests, f->count, sum);
        file_write(&f->writer, sum, sizeof sum);
        if (bytes != NULL)
            *bytes = f->writer.size;
        status = file_commit(&f->writer, err);
    }
    free(f->chunk);
    free(f->digests);
    return status;
}

static void write_padding(summed_file *f, unsigned to)
{
    static const unsigned char zeros[64];
    if (f->writer.size % to != 0)
        put(f, zeros, to - f->writer.size % to);
}

static void head_write(summed_file *f, const writing *w, unsigned sides, unsigned files)
{
    unsigned char head =
        (unsigned char)(w->shape.pieces << 4 | (key_is_symmetric(w->l->key) ? 0 : 1) | (files > 1 ? 2 : 0));
    static const char *const magics[] = {SYZYGY_WDL_MAGIC, SYZYGY_DTZ_MAGIC, SYZYGY_DTM_MAGIC};
    put(f, magics[w->kind], 4);
    put(f, &head, 1);
    for (unsigned file = 0; file < files; file++) {
        for (unsigned i = 0; i < (w->shape.other_pawns > 0 ? 2u : 1u); i++) {
            unsigned char order = (unsigned char)(w->orders[0][i] | (sides > 1 ? w->orders[1][i] << 4 : 0));
            put(f, &order, 1);
        }
        for (unsigned i = 0; i < w->shape.pieces; i++) {
            unsigned char pieces = (unsigned char)(w->encodings[0][file].pieces[i] |
                                                   (sides > 1 ? w->encodings[1][file].pieces[i] << 4 : 0));
            put(f, &pieces, 1);
        }
    }
    write_padding(f, 2);
}

static void lists_write(summed_file *f, const writing *w, unsigned files)
{
    for (unsigned file = 0; file < files; file++) {
        const unsigned char *head = w->parts[0][file].head;
        if (head == NULL || (head[0] & PAIRS_MAPPED) == 0)
            continue;
        for (unsigned list = 0; list < 4; list++) {
            unsigned char size = (unsigned char)w->list_sizes[list];
            put(f, &size, 1);
            put(f, w->lists[list], size);
        }
    }
    write_padding(f, 2);
}

/* The parts of all sequences, kind by kind. */
static void body_write(summed_file *f, const writing *w, unsigned sides, unsigned files)
{
    for (unsigned pass = 0; pass < 4; pass++) {
        for (unsigned file = 0; file < files; file++) {
            for (unsigned side = 0; side < sides; side++) {
                const compressed *c = &w->parts[side][file];
                if (pass == 3 && c->blocks_size > 0)
                    write_padding(f, 64);
                if (pass == 0)
                    put(f, c->head, c->head_size);
                else if (pass == 1 && c->sparse_size > 0)
                    put(f, c->sparse, c->sparse_size);
                else if (pass == 2 && c->lengths_size > 0)
                    put(f, c->lengths, c->lengths_size);
                else if (pass == 3 && c->blocks_size > 0)
                    put(f, c->blocks, c->blocks_size);
            }
        }
        if (pass == 0 && w->kind == SYZYGY_DTZ)
            lists_write(f, w, files);
    }
    write_padding(f, 64);
}

static holos_status file_make(const writing *w, const char *folder, unsigned sides, uint64_t *bytes,
                              holos_error *err)
{
    unsigned files = w->l->pawn_count > 0 ? 4 : 1;
    char name[TB_NAME_SIZE];
    summed_file f;
    text path;
    text_init(&path);
    text_printf(&path, "%s/%s%s", folder, key_name(w->l->key, name), syzygy_suffix(w->kind));
    holos_status status =
        path.failed ? error_system(err, "writing a table") : summed_create(&f, path.data, err);
    text_free(&path);
    if (status != HOLOS_OK)
        return status;
    head_write(&f, w, sides, files);
    body_write(&f, w, sides, files);
    return summed_commit(&f, bytes, err);
}

static uint64_t values_most(const tb_layout *l)
{
    /* A file's part is never more than the placements of its leading group times 64 for each other piece; with pawns there is a
     * part for each file of the leading one. */
    uint64_t lead = l->pawn_count == 0 ? INDEX_UNIQUE_LEADS : 0;
    for (unsigned file = 0; l->pawn_count > 0 && file < 4; file++) {
        uint64_t slices = l->file_first[file + 1] - l->file_first[file];
        lead = slices > lead ? slices : lead;
    }
    unsigned others = l->pawn_count == 0 ? l->piece_count - 3u : (unsigned)l->piece_count - l->pawn_count;
    for (; others > 0; others--)
        lead *= 64 - (l->piece_count - others);
    return lead > 2 * SAMPLE_WDL ? lead + 64 * 64 : 2 * SAMPLE_WDL + 64 * 64 * 64;
}

uint64_t write_memory(const tb_layout *l)
{
    uint64_t view = (uint64_t)l->slices * l->rows << 6;
    return view + 3 * values_most(l) + ((uint64_t)64 << 20); /* tokens, pairs, blocks: about */
}

holos_status syzygy_write(const tb_table *t, const index_maps *m, syzygy_kind kind, const char *folder,
                          mem_budget *budget, const struct limits *limits, uint64_t *bytes, holos_error *err)
{
    writing *w = calloc(1, sizeof *w);
    if (w == NULL)
        return error_system(err, "writing a table");
    *w = (writing){.t = t, .l = &t->layout, .m = m, .kind = kind, .budget = budget, .limits = limits};
    w->shape = index_shape_of(t->layout.key);
    w->values_room = values_most(w->l);
    w->view = mem_alloc(budget, t->size);
    w->values = mem_alloc(budget, w->values_room);
    unsigned sides = kind != SYZYGY_DTZ && !key_is_symmetric(w->l->key) ? 2 : 1;
    holos_status status = w->view == NULL || w->values == NULL || !leads_make(w)
                              ? mem_error(err, budget, t->size + w->values_room, "writing a table")
                          : kind == SYZYGY_DTZ ? dtz_make(w, err)
                                               : sides_make(w, sides, err);
    if (status == HOLOS_OK)
        status = file_make(w, folder, sides, bytes, err);
    for (unsigned side = 0; side < PAIR_SIDES; side++)
        for (unsigned file = 0; file < 4; file++)
            compressed_free(&w->parts[side][file]);
    mem_free(budget, w->view, t->size);
    mem_free(budget, w->values, w->values_room);
    free(w->leads);
    free(w);
    return status;
}
