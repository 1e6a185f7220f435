/* SPDX-License-Identifier: MIT */

/* What is on the board, without where: KQvKR. */

#ifndef HOLOS_CHESS_MATERIAL_H
#define HOLOS_CHESS_MATERIAL_H

#include "core/error.h"
#include "core/text.h"
#include "games/chess/rules.h"

#include <string.h>

typedef struct chess_material {
    uint8_t counts[2][8]; /* by side and kind; the rest is 0 */
} chess_material;

chess_material material_of(const chess_position *p);
static inline bool material_equal(const chess_material *a, const chess_material *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}
/* The other side's pieces for one's own. */
chess_material material_swap(const chess_material *m);
/* Whether white is the side that is named first: the one with more pieces, or with the greater ones. */
bool material_is_ordered(const chess_material *m);
unsigned material_total(const chess_material *m);

/* "KQvKR", white first. */
void material_format(const chess_material *m, text *out);
/* Reads it. HOLOS_USAGE, with the offset, if it is none: a king and pieces of KQRBNP, v, and the same again. */
holos_status material_parse(const char *string, chess_material *out, holos_error *err);

/* Why a side cannot have these pieces, or NULL: one king, eight pawns, and what promotions can account for. Bishops are
 * told apart by the colour of their squares. */
const char *material_fault(const chess_position *p, unsigned side);

#endif
