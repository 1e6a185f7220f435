/* SPDX-License-Identifier: MIT */

/* Inside connect four: the parts of the contract that work on boards, made twice from board.tpl.h. A
 * narrow board has up to 64 bits, a wide one up to 128; a position is a c4_board of such words. */

#ifndef HOLOS_CONNECT4_BOARD_H
#define HOLOS_CONNECT4_BOARD_H

#include "game/game.h"
#include "games/connect4/rules.h"

#define C4_BOARD_FUNCTIONS(PREFIX)                                                                           \
    holos_status PREFIX##_open(c4_size size, holos_variant *v, holos_error *err);                            \
    void PREFIX##_start(const holos_variant *v, holos_position *out);                                        \
    uint32_t PREFIX##_expand(const holos_variant *v, const holos_position *p, holos_edges out);              \
    holos_edge PREFIX##_play(const holos_variant *v, const holos_position *p, holos_move move,               \
                             holos_position *out);                                                           \
    bool PREFIX##_terminal(const holos_variant *v, const holos_position *p, int32_t *score);                 \
    unsigned PREFIX##_stones(const holos_variant *v, const holos_position *p);                               \
    holos_key PREFIX##_key(const holos_variant *v, const holos_position *p);                                 \
    holos_key PREFIX##_identity(const holos_variant *v, const holos_position *p);                            \
    void PREFIX##_from_identity(const holos_variant *v, holos_key identity, holos_position *out);            \
    uint32_t PREFIX##_symmetries(const holos_variant *v, const holos_position *p, holos_position *out);      \
    void PREFIX##_planes(const holos_variant *v, const holos_position *p, float *pixels, size_t stride);     \
    uint32_t PREFIX##_predecessors(const holos_variant *v, const holos_position *p, holos_edges out);        \
    uint64_t PREFIX##_features(const holos_variant *v, const holos_position *p);                             \
    void PREFIX##_bounds(const holos_variant *v, const holos_position *p, int32_t *lo, int32_t *hi);

C4_BOARD_FUNCTIONS(c4_narrow)
C4_BOARD_FUNCTIONS(c4_wide)
#undef C4_BOARD_FUNCTIONS

/* v->rules is a c4_shape, of narrow or wide words: both begin with the size. */
static inline c4_size c4_variant_size(const holos_variant *v)
{
    return *(const c4_size *)v->rules;
}

static inline bool c4_is_wide(const holos_variant *v)
{
    return c4_size_bits(c4_variant_size(v)) > 64;
}

#endif
