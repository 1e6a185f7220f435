/* SPDX-License-Identifier: MIT */

/* What the next round of a session is like: its phase, by what the last rounds have yielded, and how its seeds are explored. */

#include "meta/selector.h"
#include "session/session.h"

#include <stdlib.h>

/* A phase ends when rounds yield less than this on average: spines, solved positions, solved positions. */
#define LIGHTNING_SPINES 2
#define WAVE_SOLVED      100
#define CRYSTAL_SOLVED   5

/* What the last rounds of the phase yielded on average; false: it is not time to ask. Spines are counted for as many seeds as a round
 * has at least, since rounds with many seeds find many. */
static bool phase_yield(const job *j, double *out)
{
    const session_state *s = j->state;
    const session_settings *asked = j->settings;
    uint64_t all = 0, most = (uint64_t)asked->phase_rounds;
    double sum = 0;
    for (size_t i = s->history.round_count; i-- > 0;) {
        const hologram_round *r = &s->history.rounds[i].round;
        if (r->session != s->session || r->phase != (uint64_t)s->phase)
            continue;
        if (all++ < most)
            sum += s->phase != HOLOS_PHASE_LIGHTNING ? (double)r->solved
                   : r->seed_count > (uint64_t)asked->round_seeds
                       ? (double)(r->spines * (uint64_t)asked->round_seeds) / (double)r->seed_count
                       : (double)r->spines;
    }
    *out = most > 0 ? sum / (double)most : 0;
    return all > 0 && most > 0 && all % most == 0;
}

holos_phase session_phase_next(const job *j)
{
    static const double least[] = {[HOLOS_PHASE_LIGHTNING] = LIGHTNING_SPINES,
                                   [HOLOS_PHASE_WAVE] = WAVE_SOLVED,
                                   [HOLOS_PHASE_CRYSTAL] = CRYSTAL_SOLVED};
    const session_state *s = j->state;
    double yield;
    if (s->phase == HOLOS_PHASE_INIT)
        return HOLOS_PHASE_LIGHTNING;
    if (s->phase == HOLOS_PHASE_COMPLETE || s->seed_count == 0)
        return HOLOS_PHASE_COMPLETE; /* nothing is open */
    return phase_yield(j, &yield) && yield < least[s->phase] ? s->phase + 1 : s->phase;
}

/* How a seed is explored in a phase, unless somebody has said. */
static void seed_suit(const job *j, const selector *learned, holos_wave_seed *seed)
{
    static const holos_wave_mode broad[] = {HOLOS_WAVE_WAVE, HOLOS_WAVE_OSMOSIS};
    const session_state *s = j->state;
    const session_settings *asked = j->settings;
    if (seed->mode != HOLOS_WAVE_AUTO)
        return;
    switch (s->phase) {
    case HOLOS_PHASE_WAVE:
        seed->mode = selector_choose(learned, session_features(j->v, seed->position), broad, 2);
        if (seed->depth == 0)
            seed->depth = (unsigned)asked->seed_depth;
        break;
    case HOLOS_PHASE_CRYSTAL:
        seed->mode = HOLOS_WAVE_CRYSTAL;
        break;
    default:
        seed->mode = HOLOS_WAVE_LIGHTNING;
    }
}

/* The seeds of the round as they will be explored: modes together, and those with a depth of their own. The first round of the
 * phase wave tries both modes. */
holos_status session_seeds_suit(job *j, holos_error *err)
{
    session_state *s = j->state;
    char **before = s->seeds;
    size_t count = s->seed_count;
    s->seeds = NULL;
    s->seed_count = s->seed_room = 0;
    selector learned = selector_of(&s->history);
    bool divide = s->phase == HOLOS_PHASE_WAVE && !selector_has_tried(&learned, HOLOS_WAVE_OSMOSIS);
    holos_status status = HOLOS_OK;
    for (unsigned group = 0; group <= 2 * HOLOS_WAVE_OSMOSIS + 1; group++)
        for (size_t i = 0; status == HOLOS_OK && i < count; i++) {
            holos_wave_seed seed;
            status = holos_seed_parse(j->v, before[i], s->p, &seed, err);
            if (status != HOLOS_OK)
                break;
            seed_suit(j, &learned, &seed);
            if (divide && seed.mode == HOLOS_WAVE_WAVE && i % 2 == 1)
                seed.mode = HOLOS_WAVE_OSMOSIS;
            if (2u * seed.mode + (seed.depth > 0) == group && !session_seed_add(s, j->v, &seed))
                status = error_system(err, "the seeds of a round");
        }
    session_words_clear(before, &count);
    free(before);
    return status;
}
