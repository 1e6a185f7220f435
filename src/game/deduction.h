/* SPDX-License-Identifier: MIT */

/* Deductions, for puzzles that a person can solve step by step: a capability, which needs `puzzle`. NULL: no hints, no
 * ratings. The game says what is known of a puzzle (a
 * state: flat, of state_size bytes, aligned to 16) and has a function for each technique; the logic engine
 * asks for the cheapest one that applies. */

#ifndef HOLOS_GAME_DEDUCTION_H
#define HOLOS_GAME_DEDUCTION_H

#include "game/types.h"

typedef struct holos_deduction {
    const holos_technique *techniques; /* the cheapest first; at most HOLOS_TECHNIQUES_MOST. Required. */
    size_t technique_count;
    /* The highest score of a puzzle of a level; the last level is not asked about. NULL: its techniques tell the level. */
    unsigned (*level_score)(const holos_variant *v, holos_level level);
    /* Required. */
    size_t (*state_size)(const holos_variant *v);
    /* What the position shows at a glance. False: out of memory. Required. */
    bool (*begin)(const holos_variant *v, const holos_position *p, void *state);
    /* Frees what a state has besides its own bytes; NULL: nothing. */
    void (*end)(const holos_variant *v, void *state);
    /* A step by this technique that rules out or places something new, or false. It fills `placements`,
     * `eliminations`, `marks`, `houses` and adds to `rating` what makes this use harder than others (the
     * engine has set the technique and its rating); it writes the explanation unless `words` is NULL. One that may
     * take long keeps to the limits: once limits->status is not HOLOS_OK it returns false. Required. */
    bool (*find)(const holos_variant *v, const void *state, size_t technique, struct limits *limits,
                 holos_step *step, text *words);
    /* Required. */
    void (*apply)(const holos_variant *v, void *state, const holos_step *step);
    /* Every cell is filled. Required. */
    bool (*done)(const holos_variant *v, const void *state);
    /* The position with all that is known. Required. */
    void (*position)(const holos_variant *v, const void *state, holos_position *out);
    /* The position without what its owner has ruled out: what must have one solution before a technique may
     * rely on that. NULL: positions say nothing of that kind. */
    void (*bare)(const holos_variant *v, const holos_position *p, holos_position *out);
    /* What a candidate and a house are called. Required. */
    void (*format_candidate)(const holos_variant *v, holos_candidate candidate, bool holds, text *out);
    void (*format_house)(const holos_variant *v, unsigned house, text *out);
} holos_deduction;

#endif
