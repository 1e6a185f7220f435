/* SPDX-License-Identifier: MIT */

/* Properties that hold for every game, whatever its rules: what the contract in game/game.h promises.
 *
 * A subject is one variant with a sample of its positions, made by seeded random play forward from the
 * start and the examples, and backward from there. A property is a function that asserts something of all
 * of them. Every property of the list becomes a test case for every subject. */

#ifndef HOLOS_CONFORMANCE_H
#define HOLOS_CONFORMANCE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/rng.h"
#include "core/table.h"
#include "game/game.h"

#define SAMPLE_SIZE 240

/* Arrays for expand and predecessors, exactly as large as the contract says they must be, with guard bytes
 * behind them. */
typedef struct neighbours {
    holos_edge *edges;
    holos_position *positions;
    holos_key *keys;
    uint32_t room, count;
} neighbours;

/* Values found so far. */
typedef struct minimax {
    table by_identity;
    table by_key;    /* equal keys must have equal values */
    uint64_t budget; /* positions that may still be looked at */
    bool too_large[SAMPLE_SIZE];
    holos_edge *edges; /* scratch */
} minimax;

typedef struct subject {
    holos_variant *v;
    const char *name; /* "kalah:3,2" */
    rng random;
    holos_position *positions;
    size_t count;
    neighbours next, further, before, earlier; /* scratch: two for successors, two for predecessors */
    minimax values;
} subject;

/* ---- subject.c ---- */

void subject_open(subject *s, const char *name);
void subject_close(subject *s);
const holos_position *subject_at(const subject *s, size_t index);
/* A position's text, for messages; the caller frees it. */
char *subject_text(const subject *s, const holos_position *p);
bool subject_equal(const subject *s, const holos_position *a, const holos_position *b);

/* Call the game's function and check the guard bytes. */
void expand_into(const subject *s, const holos_position *p, neighbours *out);
void search_expand_into(const subject *s, const holos_position *p, neighbours *out);
void predecessors_into(const subject *s, const holos_position *p, neighbours *out);

const holos_position *neighbour_at(const subject *s, const neighbours *n, uint32_t index);

/* ---- minimax.c: values by the definition, independent of any engine ---- */

void minimax_open(minimax *m, const holos_variant *v);
void minimax_close(minimax *m);
/* False if it would take too long. What has been found is kept for the next call. */
bool minimax_value(subject *s, const holos_position *p, int32_t *out);
/* The same for a position of the sample; does not try again what was too large once. */
bool minimax_sample_value(subject *s, size_t index, int32_t *out);

/* ---- The properties: each with what a game must have for it to apply ---- */

#define HAS_SEARCH(member) (game->search != NULL && game->search->member != NULL)

#define PROPERTIES(P)                                                                                        \
    P(variant_is_well_formed, true)                                                                          \
    P(expand_agrees_with_play, true)                                                                         \
    P(height_falls_with_every_move, game->height != NULL)                                                    \
    P(only_what_is_wanted_is_filled, true)                                                                   \
    P(game_is_over_exactly_without_moves, true)                                                              \
    P(side_follows_the_edges, true)                                                                          \
    P(banked_points_follow_the_gains, true)                                                                  \
    P(illegal_moves_are_refused, true)                                                                       \
    P(positions_read_back_as_written, true)                                                                  \
    P(moves_read_back_as_written, true)                                                                      \
    P(drawings_are_whole_lines_of_text, true)                                                                \
    P(texts_fit_short_buffers, true)                                                                         \
    P(garbage_positions_are_refused_or_safe, true)                                                           \
    P(garbage_moves_are_refused_or_legal, true)                                                              \
    P(identity_tells_positions_apart, true)                                                                  \
    P(identity_can_be_undone, game->from_identity != NULL)                                                   \
    P(key_can_be_undone, game->from_key != NULL)                                                             \
    P(keys_fit_into_their_bits, true)                                                                        \
    P(places_follow_the_keys, game->index != NULL)                                                           \
    P(symmetric_images_have_equal_keys, game->symmetries != NULL)                                            \
    P(symmetric_images_have_equal_successors, game->symmetries != NULL)                                      \
    P(successors_know_their_predecessor, game->back != NULL)                                                 \
    P(predecessors_lead_here, game->back != NULL)                                                            \
    P(seeds_of_waves_are_over, game->back != NULL && game->back->seeds != NULL)                              \
    P(scores_stay_in_range, true)                                                                            \
    P(equal_keys_have_equal_values, true)                                                                    \
    P(bounds_contain_the_value, HAS_SEARCH(bounds))                                                          \
    P(search_expand_keeps_the_value, HAS_SEARCH(expand))                                                     \
    P(distance_falls_by_one_along_best_play, HAS_SEARCH(distance))                                           \
    P(solutions_are_counted_right, game->puzzle != NULL)                                                     \
    P(steps_toward_a_solution_arrive, game->puzzle != NULL && game->puzzle->toward != NULL)                  \
    P(places_belong_to_positions, game->index != NULL)                                                       \
    P(moves_lead_to_lower_tiers_or_stay_in_the_part, game->index != NULL)                                    \
    P(databases_have_the_values_of_the_definition, game->index != NULL)                                      \
    P(columns_tell_positions_apart, game->columns != NULL)                                                   \
    P(stores_that_accept_it_agree, true)

#define P(name, applies) void name(void **state);
PROPERTIES(P)
#undef P

#endif
