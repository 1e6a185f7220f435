/* SPDX-License-Identifier: MIT */

#include "games/chess/material.h"

#include <string.h>

/* The greatest first: how materials are written and compared. */
static const char letters[] = "KQRBNP";
static const uint8_t kinds[] = {CHESS_KING, CHESS_QUEEN, CHESS_ROOK, CHESS_BISHOP, CHESS_KNIGHT, CHESS_PAWN};

chess_material material_of(const chess_position *p)
{
    chess_material m = {0};
    for (unsigned side = 0; side < 2; side++)
        for (unsigned kind = CHESS_PAWN; kind <= CHESS_KING; kind++)
            m.counts[side][kind] = (uint8_t)set_count(position_set(p, side, kind));
    return m;
}

chess_material material_swap(const chess_material *m)
{
    chess_material swapped;
    memcpy(swapped.counts[0], m->counts[1], sizeof swapped.counts[0]);
    memcpy(swapped.counts[1], m->counts[0], sizeof swapped.counts[1]);
    return swapped;
}

static unsigned side_total(const chess_material *m, unsigned side)
{
    unsigned total = 0;
    for (unsigned kind = CHESS_PAWN; kind <= CHESS_KING; kind++)
        total += m->counts[side][kind];
    return total;
}

unsigned material_total(const chess_material *m)
{
    return side_total(m, 0) + side_total(m, 1);
}

bool material_is_ordered(const chess_material *m)
{
    unsigned white = side_total(m, 0), black = side_total(m, 1);
    if (white != black)
        return white > black;
    for (size_t i = 0; i < sizeof kinds; i++)
        if (m->counts[0][kinds[i]] != m->counts[1][kinds[i]])
            return m->counts[0][kinds[i]] > m->counts[1][kinds[i]];
    return true;
}

void material_format(const chess_material *m, text *out)
{
    for (unsigned side = 0; side < 2; side++) {
        if (side == 1)
            text_char(out, 'v');
        for (size_t i = 0; i < sizeof kinds; i++)
            text_repeat(out, letters[i], m->counts[side][kinds[i]]);
    }
}

holos_status material_parse(const char *string, chess_material *out, holos_error *err)
{
    unsigned side = 0;
    *out = (chess_material){0};
    for (const char *s = string;; s++) {
        const char *found = *s != 0 ? strchr(letters, *s) : NULL;
        if (found != NULL) {
            out->counts[side][kinds[found - letters]]++;
            if (side_total(out, side) > 16)
                return error_set(err, HOLOS_USAGE, s - string, "a side has at most 16 pieces");
            continue;
        }
        if (out->counts[side][CHESS_KING] != 1)
            return error_set(err, HOLOS_USAGE, s - string, "each side has one king: KQvKR");
        if (*s == 0 && side == 1)
            return HOLOS_OK;
        if (*s != 'v' || side == 1)
            return error_set(err, HOLOS_USAGE, s - string,
                             "a material is written KQvKR: pieces of KQRBNP, v, and the other side's");
        side = 1;
    }
}

/* ---- What a side can have ---------------------------------------------------------------------- */

/* Pieces beyond those of the start must once have been pawns. */
static unsigned promoted_count(const chess_position *p, unsigned side)
{
    static const chess_set light = UINT64_C(0x55AA55AA55AA55AA), all = ~UINT64_C(0);
    const struct {
        unsigned kind, most;
        chess_set where;
    } usual[] = {{CHESS_KNIGHT, 2, all},
                 {CHESS_BISHOP, 1, light},
                 {CHESS_BISHOP, 1, ~light},
                 {CHESS_ROOK, 2, all},
                 {CHESS_QUEEN, 1, all}};
    unsigned promoted = 0;
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
        unsigned count = set_count(position_set(p, side, usual[i].kind) & usual[i].where);
        promoted += count > usual[i].most ? count - usual[i].most : 0;
    }
    return promoted;
}

const char *material_fault(const chess_position *p, unsigned side)
{
    static const char *const faults[2][4] = {
        {"white has no king", "white has more than one king", "white has more than eight pawns",
         "white has more pieces than promotions can account for"},
        {"black has no king", "black has more than one king", "black has more than eight pawns",
         "black has more pieces than promotions can account for"}};
    unsigned kings = set_count(position_set(p, side, CHESS_KING));
    unsigned pawns = set_count(position_set(p, side, CHESS_PAWN));
    if (kings != 1)
        return faults[side][kings > 1];
    if (pawns > 8)
        return faults[side][2];
    return pawns + promoted_count(p, side) > 8 ? faults[side][3] : NULL;
}
