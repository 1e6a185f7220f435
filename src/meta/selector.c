/* SPDX-License-Identifier: MIT */

#include "meta/selector.h"

#include <math.h>

#define ENOUGH 3 /* tries of a feature until it speaks as loud as all together */

static double rate(uint64_t gain, uint64_t cost)
{
    return (double)gain / ((double)cost + 1);
}

selector selector_of(const wave_history *h)
{
    selector s = {.history = h};
    hologram_outcome sums[HOLOS_WAVE_OSMOSIS + 1] = {0};
    for (size_t i = 0; i < h->outcome_count; i++) {
        hologram_outcome *sum = &sums[h->outcomes[i].mode];
        sum->tries += h->outcomes[i].tries;
        sum->gain += h->outcomes[i].gain;
        sum->cost += h->outcomes[i].cost;
    }
    for (unsigned mode = 0; mode <= HOLOS_WAVE_OSMOSIS; mode++) {
        s.all[mode].tries = (double)sums[mode].tries;
        s.all[mode].rate = rate(sums[mode].gain, sums[mode].cost);
    }
    return s;
}

bool selector_has_tried(const selector *s, holos_wave_mode mode)
{
    return s->all[mode].tries > 0;
}

double selector_payoff(const selector *s, uint64_t features, holos_wave_mode mode)
{
    if (!selector_has_tried(s, mode))
        return HUGE_VAL;
    const hologram_outcome *own = wave_history_outcome(s->history, features, mode);
    if (own == NULL)
        return s->all[mode].rate;
    double trust = (double)own->tries / (double)(own->tries + ENOUGH);
    return trust * rate(own->gain, own->cost) + (1 - trust) * s->all[mode].rate;
}

holos_wave_mode selector_choose(const selector *s, uint64_t features, const holos_wave_mode *allowed,
                                size_t count)
{
    holos_wave_mode best = allowed[0];
    double most = selector_payoff(s, features, best);
    for (size_t i = 1; i < count; i++) {
        double payoff = selector_payoff(s, features, allowed[i]);
        if (payoff > most) {
            best = allowed[i];
            most = payoff;
        }
    }
    return best;
}
