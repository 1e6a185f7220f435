/* SPDX-License-Identifier: MIT */

/* Inside reversi: its positions, and what the files of the game share. */

#ifndef HOLOS_REVERSI_H
#define HOLOS_REVERSI_H

#include "game/game.h"
#include "games/reversi/rules.h"

#define REVERSI_PASS 64u /* the move of a side that has no other */

typedef struct reversi_position {
    reversi_board board;
    uint64_t side; /* 0: X, who begins; 1: O */
    uint64_t unused;
} reversi_position;

typedef struct reversi_rules {
    unsigned size;
    uint64_t cells;
    uint64_t middle; /* the four that a game begins with: never empty */
} reversi_rules;

static inline const reversi_rules *reversi_rules_of(const holos_variant *v)
{
    return v->rules;
}

static inline const reversi_position *reversi_of(const holos_position *p)
{
    return (const reversi_position *)p;
}

/* ---- game.c ---- */

/* The start position. */
void reversi_start(const holos_variant *v, holos_position *out);
/* Writes what the caller wants to know of a neighbour; the move between them leads to the board `next`. */
void reversi_put(const holos_variant *v, holos_edges out, uint32_t index, holos_move move, reversi_board next,
                 const reversi_position *neighbour);

/* ---- back.c ---- */

/* How many predecessors a position can have at most. */
uint32_t reversi_most_predecessors(unsigned size);
uint32_t reversi_predecessors(const holos_variant *v, const holos_position *p, holos_edges out);

/* ---- notation.c ---- */

holos_status reversi_parse(const holos_variant *v, const char *string, holos_position *out, holos_error *err);
void reversi_format(const holos_variant *v, const holos_position *p, text *out);
holos_status reversi_parse_move(const holos_variant *v, const holos_position *p, const char *string,
                                holos_move *out, holos_error *err);
void reversi_format_move(const holos_variant *v, const holos_position *p, holos_move move, text *out);
void reversi_draw(const holos_variant *v, const holos_position *p, text *out);
void reversi_picture(const holos_variant *v, const holos_position *p, const holos_step *step, text *out);
extern const holos_notation reversi_notations[];

/* ---- view.c ---- */

extern const holos_view reversi_view;
/* ---- learn_job.c ---- */

typedef struct reversi_learn_settings {
    uint64_t positions;
    int64_t rounds;
} reversi_learn_settings;

extern const holos_option reversi_learn_options[];
extern const struct job_kind *const reversi_jobs[];

/* ---- hot.c ---- */

typedef struct reversi_solve_settings {
    const char *evaluation; /* a file, or "none"; NULL: the one that comes with holos */
} reversi_solve_settings;

extern const holos_hot reversi_hot;

/* ---- net.c ---- */

extern const holos_net reversi_net;

#endif
