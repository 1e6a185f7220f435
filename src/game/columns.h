/* SPDX-License-Identifier: MIT */

/* A position as a row of a table, for people who ask with SQL: a capability. NULL: rows have the position's key alone. */

#ifndef HOLOS_GAME_COLUMNS_H
#define HOLOS_GAME_COLUMNS_H

#include "game/types.h"

/* What is known of one position of a graph. */
typedef struct holos_row {
    holos_key identity;
    uint32_t depth;  /* moves from the start, at least */
    int32_t value;   /* the score, with what is banked, for the side to move */
    holos_move best; /* the first of the best moves */
    bool has_value, has_best;
} holos_row;

typedef struct holos_columns {
    /* Required, as are the others. */
    uint32_t (*count)(const holos_variant *v);
    /* The name of a column: lower case letters, digits and underscores. */
    void (*name)(const holos_variant *v, uint32_t column, text *out);
    void (*values)(const holos_variant *v, const holos_position *p, int64_t *out);
    /* A column as an SQL expression of `key`, the identity as an integer; column count(v) is the side to move, 1 or 2. So a
     * table need not repeat what the key says. False: this variant's keys cannot be taken apart like that. NULL: no
     * variant's can. */
    bool (*expression)(const holos_variant *v, uint32_t column, text *out);
} holos_columns;

#endif
