/* SPDX-License-Identifier: MIT */

/* Inside kalah: what the files of the game share. */

#ifndef HOLOS_KALAH_KALAH_H
#define HOLOS_KALAH_KALAH_H

#include "game/game.h"
#include "games/kalah/arrange.h"
#include "games/kalah/rules.h"

/* A variant: the rules and what the game starts with. */
typedef struct kalah_variant {
    kalah_rules rules;
    unsigned seeds;  /* N, a pit */
    arrange arrange; /* of one side, with up to all seeds of the start */
} kalah_variant;

static inline const kalah_rules *kalah_rules_of(const holos_variant *v)
{
    return &((const kalah_variant *)v->rules)->rules;
}

static inline const uint8_t *kalah_board_of(const holos_position *p)
{
    return (const uint8_t *)p;
}

/* variant.c */
holos_status kalah_open(const char *variant, holos_variant *v, holos_error *err);
void kalah_close(holos_variant *v);

/* index.c */
extern const holos_index kalah_index;

/* net.c */
extern const holos_net kalah_net;

/* notation.c */
holos_status kalah_parse(const holos_variant *v, const char *string, holos_position *out, holos_error *err);
void kalah_format(const holos_variant *v, const holos_position *p, text *out);
holos_status kalah_parse_move(const holos_variant *v, const holos_position *p, const char *string,
                              holos_move *out, holos_error *err);
void kalah_format_move(const holos_variant *v, const holos_position *p, holos_move move, text *out);
void kalah_draw(const holos_variant *v, const holos_position *p, text *out);
void kalah_picture(const holos_variant *v, const holos_position *p, const holos_step *step, text *out);
extern const holos_view kalah_view;

#endif
