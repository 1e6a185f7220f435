/* SPDX-License-Identifier: MIT */

/* Lines of best play: they make progress, or end with the reason. */

#ifndef HOLOS_ENGINE_LINE_H
#define HOLOS_ENGINE_LINE_H

#include "game/game.h"

#define LINE_MOST 1024 /* moves, in games where positions come back */

static inline bool line_may_go_round(const holos_variant *v)
{
    return (v->game->traits & HOLOS_TRAIT_CYCLIC) != 0;
}

/* Whether a line of so many moves has been here before; if not, it has now. */
static inline bool line_was_here(const holos_variant *v, holos_key *seen, size_t length,
                                 const holos_position *p)
{
    holos_key key = v->game->key(v, p);
    for (size_t i = 0; i < length; i++)
        if (holos_key_equal(seen[i], key))
            return true;
    seen[length] = key;
    return false;
}

/* Why a line ends at `p`, of which this is known, after so many moves; NULL: it goes on. `seen` has room for the keys of
 * LINE_MOST + 1 positions. */
static inline const char *line_stops(const holos_variant *v, holos_value value, holos_key *seen,
                                     size_t length, const holos_position *p)
{
    if (!holos_value_is_solved(value) || !holos_source_is_proof(value.source))
        return "the rest is unknown";
    if (!line_may_go_round(v))
        return NULL;
    if (value.lo == 0)
        return "a draw need not end";
    if (length >= LINE_MOST)
        return "it is too long";
    return line_was_here(v, seen, length, p)
               ? "the position repeats: values without distances do not show how to make progress"
               : NULL;
}

#endif
