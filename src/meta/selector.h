/* SPDX-License-Identifier: MIT */

/* Which mode suits a seed: learned from how earlier seeds with the same features did in each mode (hologram_outcome). */

#ifndef HOLOS_META_SELECTOR_H
#define HOLOS_META_SELECTOR_H

#include "engine/wave/history.h"

typedef struct selector {
    const wave_history *history;
    struct {
        double tries, rate;
    } all[HOLOS_WAVE_OSMOSIS + 1]; /* of all features together, by mode */
} selector;

/* The history must not change while the selector is used. */
selector selector_of(const wave_history *h);
bool selector_has_tried(const selector *s, holos_wave_mode mode);
/* Positions solved for each position expanded, as far as seeds with these features tell; where they tell little, as all seeds
 * together do. A mode that was never tried counts as better than any. */
double selector_payoff(const selector *s, uint64_t features, holos_wave_mode mode);
/* The mode of those allowed (`count` > 0) that promises most; the first of equal ones. */
holos_wave_mode selector_choose(const selector *s, uint64_t features, const holos_wave_mode *allowed,
                                size_t count);

#endif
