/* SPDX-License-Identifier: MIT */

/* Kinds of positions: a capability of a game whose moves now and then lead to another kind of position, with no way back.
 * A kind may be what is left on the board, where captures change it for good. Kinds have the names that `signature` gives;
 * who has which side, and symmetries, do not matter.
 *
 * For searches above a boundary: what lies between the positions asked about and the kinds that tables know is the
 * closure of their kinds, without the tables'. Nothing else can be of use, forward or back. All members are required. */

#ifndef HOLOS_GAME_KINDS_H
#define HOLOS_GAME_KINDS_H

#include "core/rng.h"
#include "game/game.h"

#define KINDS_MOST 1024 /* of a closure that anybody looks at */

/* The positions of a kind, numbered; the game's own. */
typedef struct kind_numbers kind_numbers;

typedef struct holos_kinds {
    const char *what; /* "material" */
    /* HOLOS_USAGE with the reason, and the offset, if it is none. */
    holos_status (*parse)(const holos_variant *v, const char *name, holos_kind *out, holos_error *err);
    void (*format)(const holos_variant *v, holos_kind kind, text *out);
    holos_kind (*of)(const holos_variant *v, const holos_position *p);

    /* The kind and all that play from it may come to, each after those that it leads to. Writes at most `most` and returns
     * how many; `most` means that there may be more. */
    size_t (*closure)(const holos_variant *v, holos_kind kind, holos_kind *out, size_t most);
    /* The kinds from which one move leads to this one; the same return. */
    size_t (*parents)(const holos_variant *v, holos_kind kind, holos_kind *out, size_t most);
    /* The predecessors whose kind is among those (in ascending order); otherwise as holos_back.predecessors. */
    uint32_t (*predecessors)(const holos_variant *v, const holos_position *p, const holos_kind *kinds,
                             size_t count, holos_edges out);
    /* A position of the kind, each as likely as any other, or nearly so. False: none was found. */
    bool (*random)(const holos_variant *v, holos_kind kind, rng *r, holos_position *out);

    /* Numbers below `size`, with gaps, one for each symmetry class of positions of the kind; but for those that lead to
     * another kind of future than the pieces alone tell (rights that a position has beside its pieces), which have none. HOLOS_UNSUPPORTED with
     * the reason where they cannot be numbered. */
    holos_status (*open)(const holos_variant *v, holos_kind kind, kind_numbers **out, holos_error *err);
    void (*close)(kind_numbers *n); /* may be NULL */
    uint64_t (*size)(const kind_numbers *n);
    /* The number of a position of the kind; false if it has none. */
    bool (*rank)(const kind_numbers *n, const holos_position *p, uint64_t *out);
    /* The position with a number; false if there is none. */
    bool (*unrank)(const kind_numbers *n, uint64_t number, holos_position *out);
} holos_kinds;

#endif
