/* SPDX-License-Identifier: MIT */

#include "games/chess/tables/syzygy.h"

#include "games/chess/tables/checksum.h"

#include <string.h>

enum { HEAD_SPLIT = 1, HEAD_PAWNS = 2 };

/* ---- Opening ----------------------------------------------------------------------------------- */

/* Whether the pieces of an encoding are those of the material. */
static bool pieces_match(const index_encoding *e, tb_key key)
{
    tb_key seen = 0;
    unsigned kings[2] = {0, 0};
    for (unsigned i = 0; i < e->piece_count; i++) {
        unsigned kind = piece_kind(e->pieces[i]), side = piece_side(e->pieces[i]);
        if (kind == CHESS_ANY || kind > CHESS_KING)
            return false;
        if (kind == CHESS_KING)
            kings[side]++;
        else
            seen += key_one(side, kind);
    }
    return seen == key && kings[0] == 1 && kings[1] == 1;
}

static const char *encodings_read(syzygy *s, const index_maps *m, pairs_cursor *c)
{
    index_shape shape = index_shape_of(s->key);
    unsigned orders = shape.other_pawns > 0 ? 2 : 1;
    for (unsigned file = 0; file < s->files; file++) {
        if (!cursor_has(c, orders + shape.pieces))
            return "it ends too early";
        for (unsigned side = 0; side < s->sides; side++) {
            index_encoding *e = &s->parts[side][file].encoding;
            unsigned shift = 4 * side;
            e->file = (uint8_t)file;
            e->piece_count = shape.pieces;
            for (unsigned i = 0; i < shape.pieces; i++)
                e->pieces[i] = c->at[orders + i] >> shift & 15;
            if (!pieces_match(e, s->key) || !index_encode_init(e, m, &shape, c->at[0] >> shift & 15,
                                                               orders > 1 ? c->at[1] >> shift & 15 : 15))
                return "its order of pieces makes no sense";
        }
        c->at += orders + shape.pieces;
    }
    s->leading = s->files > 1 ? s->parts[0][0].encoding.pieces[0] : 0;
    return NULL;
}

static bool cursor_align(pairs_cursor *c, unsigned to)
{
    while ((c->at - c->begin) % to != 0) {
        if (!cursor_has(c, 1))
            return false;
        c->at++;
    }
    return true;
}

/* The lists that DTZ values are places in. */
static const char *lists_read(syzygy *s, pairs_cursor *c)
{
    for (unsigned file = 0; file < s->files; file++) {
        syzygy_part *part = &s->parts[0][file];
        bool wide = (part->values.flags & PAIRS_WIDE) != 0;
        if ((part->values.flags & PAIRS_MAPPED) == 0)
            continue;
        if (wide && !cursor_align(c, 2))
            return "it ends too early";
        for (unsigned i = 0; i < 4; i++) {
            if (!cursor_has(c, wide ? 2 : 1))
                return "it ends too early";
            part->list_sizes[i] = wide ? read_u16(c->at) : *c->at;
            c->at += wide ? 2 : 1;
            part->lists[i] = c->at;
            uint64_t bytes = part->list_sizes[i] * (wide ? 2u : 1u);
            if (!cursor_has(c, bytes))
                return "it ends too early";
            c->at += bytes;
        }
    }
    return cursor_align(c, 2) ? NULL : "it ends too early";
}

/* Calls `place` for every sequence that has blocks. */
static bool parts_place(syzygy *s, pairs_cursor *c, bool (*place)(pairs *, pairs_cursor *))
{
    for (unsigned file = 0; file < s->files; file++) {
        for (unsigned side = 0; side < s->sides; side++) {
            pairs *values = &s->parts[side][file].values;
            if ((values->flags & PAIRS_SINGLE) == 0 && !place(values, c))
                return false;
        }
    }
    return true;
}

static const char *table_read(syzygy *s, const index_maps *m, pairs_cursor *c)
{
    static const char *const magics[] = {SYZYGY_WDL_MAGIC, SYZYGY_DTZ_MAGIC, SYZYGY_DTM_MAGIC};
    static const char *const others[] = {"it is not a Syzygy WDL table", "it is not a Syzygy DTZ table",
                                         "it is not a DTM table made by holos"};
    if (!cursor_has(c, 5) || memcmp(c->at, magics[s->kind], 4) != 0)
        return others[s->kind];
    unsigned flags = c->at[4];
    c->at += 5;
    if (((flags & HEAD_PAWNS) != 0) != (key_pawns(s->key) > 0) || ((flags & HEAD_SPLIT) != 0) == s->symmetric)
        return "it is a table of other pieces";
    const char *wrong = encodings_read(s, m, c);
    if (wrong == NULL && !cursor_align(c, 2))
        wrong = "it ends too early";
    for (unsigned file = 0; wrong == NULL && file < s->files; file++)
        for (unsigned side = 0; wrong == NULL && side < s->sides; side++) {
            syzygy_part *part = &s->parts[side][file];
            wrong = pairs_read(&part->values, c, part->encoding.size);
        }
    if (wrong == NULL && s->kind == SYZYGY_DTZ)
        wrong = lists_read(s, c);
    if (wrong != NULL)
        return wrong;
    bool whole = parts_place(s, c, pairs_place_sparse) && parts_place(s, c, pairs_place_lengths) &&
                 parts_place(s, c, pairs_place_blocks);
    return whole ? NULL : "it ends too early";
}

holos_status syzygy_open_bytes(syzygy *s, const index_maps *m, tb_key key, syzygy_kind kind,
                               const unsigned char *bytes, size_t size, const char *name, holos_error *err)
{
    *s = (syzygy){.key = key, .kind = kind, .symmetric = key_is_symmetric(key)};
    s->sides = kind != SYZYGY_DTZ && !s->symmetric ? 2 : 1;
    s->files = key_pawns(key) > 0 ? 4 : 1;
    pairs_cursor c = {.begin = bytes, .at = bytes, .end = bytes + size};
    const char *wrong = table_read(s, m, &c);
    if (wrong == NULL)
        return HOLOS_OK;
    syzygy_close(s);
    return error_set(err, HOLOS_BAD_FILE, c.at - bytes, "%s: %s (at byte %lld of %zu)", name, wrong,
                     (long long)(c.at - bytes), size);
}

/* Blocks and the checksum make every table end in the same way. */
static holos_status end_check(size_t size, const char *name, holos_error *err)
{
    if (size <= CHECKSUM_SIZE || size % 64 != CHECKSUM_SIZE)
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s: it was cut off, or is not a table", name);
    return HOLOS_OK;
}

holos_status syzygy_check(const unsigned char *bytes, size_t size, const char *name, holos_error *err)
{
    unsigned char sum[CHECKSUM_SIZE];
    holos_status status = end_check(size, name, err);
    if (status != HOLOS_OK)
        return status;
    if (!checksum_of(bytes, size - CHECKSUM_SIZE, sum))
        return error_system(err, "%s", name);
    if (memcmp(sum, bytes + size - CHECKSUM_SIZE, CHECKSUM_SIZE) != 0)
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s is damaged: its checksum does not fit",
                         name);
    return HOLOS_OK;
}

holos_status syzygy_open(syzygy *s, const index_maps *m, tb_key key, syzygy_kind kind, const char *path,
                         holos_error *err)
{
    file_view view;
    holos_status status = file_view_open(&view, path, err);
    if (status != HOLOS_OK)
        return status;
    status = syzygy_open_bytes(s, m, key, kind, view.data, view.size, path, err);
    if (status == HOLOS_OK) {
        bool checked = key_pieces(key) <= SYZYGY_CHECKED_PIECES || view.size <= SYZYGY_CHECKED_MOST;
        status = checked ? syzygy_check(view.data, view.size, path, err) : end_check(view.size, path, err);
        if (status != HOLOS_OK)
            syzygy_close(s);
    }
    if (status == HOLOS_OK)
        s->view = view;
    else
        file_view_close(&view);
    return status;
}

void syzygy_close(syzygy *s)
{
    for (unsigned side = 0; side < 2; side++)
        for (unsigned file = 0; file < 4; file++)
            pairs_free(&s->parts[side][file].values);
    if (s->view.data != NULL)
        file_view_close(&s->view);
    s->view.data = NULL;
}

/* ---- Values ------------------------------------------------------------------------------------ */

/* Which pawn leads: it comes first. */
static void leader_first(const index_maps *m, uint8_t *squares, unsigned count)
{
    unsigned best = 0;
    for (unsigned i = 1; i < count; i++)
        if (m->pawn[squares[i]] > m->pawn[squares[best]])
            best = i;
    uint8_t s = squares[0];
    squares[0] = squares[best];
    squares[best] = s;
}

/* Where the pieces stand, in the order of an encoding. `colour` is 8 and `flip` 56 if colours are exchanged. */
static void squares_collect(const index_encoding *e, const chess_position *p, unsigned colour, unsigned flip,
                            unsigned from, uint8_t *squares)
{
    for (unsigned i = from; i < e->piece_count;) {
        unsigned piece = e->pieces[i] ^ colour;
        chess_set set = position_set(p, piece_side(piece), piece_kind(piece));
        SET_EACH (square, set)
            squares[i++] = (uint8_t)(square ^ flip);
    }
}

static bool flags_say_plies(unsigned flags, int wdl)
{
    return (wdl == 2 && (flags & PAIRS_WIN_PLIES) != 0) || (wdl == -2 && (flags & PAIRS_LOSS_PLIES) != 0);
}

static int dtz_of(const syzygy_part *part, int value, int wdl)
{
    static const uint8_t lists[] = {1, 3, 0, 2, 0}; /* by wdl, from -2 */
    unsigned flags = part->values.flags;
    if ((flags & PAIRS_MAPPED) != 0) {
        unsigned list = lists[wdl + 2];
        if (value >= part->list_sizes[list])
            return -1;
        value =
            (flags & PAIRS_WIDE) != 0 ? read_u16(part->lists[list] + 2 * value) : part->lists[list][value];
    }
    return (flags_say_plies(flags, wdl) ? value : 2 * value) + 1;
}

bool syzygy_has_plies(const syzygy_place *place, int wdl)
{
    return flags_say_plies(place->part->values.flags, wdl);
}

syzygy_answer syzygy_locate(const syzygy *s, const index_maps *m, const chess_position *p, tb_key key,
                            syzygy_place *out)
{
    uint8_t squares[TB_PIECES_MOST + 1] = {0};
    bool exchange = s->symmetric ? p->side == CHESS_BLACK : key != s->key;
    unsigned colour = exchange ? 8 : 0, flip = exchange ? 56 : 0, side = p->side ^ (exchange ? 1 : 0);
    unsigned file = 0, pawns = 0;
    if (s->files > 1) {
        unsigned piece = s->leading ^ colour;
        SET_EACH (square, position_set(p, piece_side(piece), CHESS_PAWN))
            squares[pawns++] = (uint8_t)(square ^ flip);
        leader_first(m, squares, pawns);
        file = chess_file_of(squares[0]);
        file = file > 3 ? 7 - file : file;
    }
    if (s->kind == SYZYGY_DTZ && (s->parts[0][file].values.flags & PAIRS_BLACK) != side &&
        !(s->symmetric && s->files == 1))
        return SYZYGY_OTHER_SIDE;
    out->part = &s->parts[s->sides == 2 ? side : 0][file];
    out->index = 0;
    if ((out->part->values.flags & PAIRS_SINGLE) == 0) {
        squares_collect(&out->part->encoding, p, colour, flip, pawns, squares);
        out->index = index_rank(&out->part->encoding, m, squares);
        pairs_prefetch(&out->part->values, out->index);
    }
    return SYZYGY_FOUND;
}

syzygy_answer syzygy_read(const syzygy *s, const syzygy_place *place, int wdl, int *out)
{
    *out = pairs_get(&place->part->values, place->index);
    if (*out < 0)
        return SYZYGY_DAMAGED;
    if (s->kind == SYZYGY_DTM) {
        *out = *out == 0 ? 255 : *out;
        return *out <= 255 ? SYZYGY_FOUND : SYZYGY_DAMAGED;
    }
    *out = s->kind == SYZYGY_WDL ? *out - 2 : dtz_of(place->part, *out, wdl);
    bool sound = s->kind == SYZYGY_WDL ? *out <= 2 : *out >= 1;
    return sound ? SYZYGY_FOUND : SYZYGY_DAMAGED;
}
