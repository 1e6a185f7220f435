/* SPDX-License-Identifier: MIT */

#include "engine/wave/history.h"

#include "core/list.h"

#include <stdlib.h>

void wave_history_clear(wave_history *h)
{
    for (size_t i = 0; i < h->round_count; i++)
        free(h->rounds[i].seeds);
    free(h->rounds);
    free(h->outcomes);
    free(h->pending);
    *h = (wave_history){0};
}

bool wave_history_add_round(wave_history *h, hologram_round round, const hologram_seed *seeds)
{
    hologram_seed *own = malloc((round.seed_count + 1) * sizeof *own);
    if (own == NULL || !LIST_RESERVE(h->rounds, h->round_room, h->round_count + 1)) {
        free(own);
        return false;
    }
    if (round.seed_count > 0)
        memcpy(own, seeds, round.seed_count * sizeof *own);
    h->rounds[h->round_count++] = (wave_history_round){.round = round, .seeds = own};
    return true;
}

/* The place of features and a mode among the outcomes: where they are, or would be. */
static size_t outcome_place(const wave_history *h, uint64_t features, uint64_t mode)
{
    size_t low = 0, high = h->outcome_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const hologram_outcome *o = &h->outcomes[middle];
        if (o->features < features || (o->features == features && o->mode < mode))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const hologram_outcome *wave_history_outcome(const wave_history *h, uint64_t features, uint64_t mode)
{
    size_t at = outcome_place(h, features, mode);
    const hologram_outcome *o = &h->outcomes[at];
    return at < h->outcome_count && o->features == features && o->mode == mode ? o : NULL;
}

/* The outcome of features and a mode, made if there is none; NULL: no memory. */
static hologram_outcome *outcome_at(wave_history *h, uint64_t features, uint64_t mode)
{
    size_t at = outcome_place(h, features, mode);
    bool there =
        at < h->outcome_count && h->outcomes[at].features == features && h->outcomes[at].mode == mode;
    if (there)
        return &h->outcomes[at];
    if (!LIST_RESERVE(h->outcomes, h->outcome_room, h->outcome_count + 1))
        return NULL;
    memmove(h->outcomes + at + 1, h->outcomes + at, (h->outcome_count - at) * sizeof *h->outcomes);
    h->outcome_count++;
    h->outcomes[at] = (hologram_outcome){.features = features, .mode = mode};
    return &h->outcomes[at];
}

bool wave_history_add_outcome(wave_history *h, hologram_outcome more)
{
    hologram_outcome *o = outcome_at(h, more.features, more.mode);
    if (o == NULL)
        return false;
    o->tries += more.tries;
    o->wins += more.wins;
    o->gain += more.gain;
    o->cost += more.cost;
    return true;
}

bool wave_history_add_pending(wave_history *h, hologram_seed seed)
{
    if (!LIST_RESERVE(h->pending, h->pending_room, h->pending_count + 1))
        return false;
    h->pending[h->pending_count++] = seed;
    return true;
}

/* ---- In files ---------------------------------------------------------------------------------- */

static int round_compare(const void *a, const void *b)
{
    const hologram_round *x = &((const wave_history_round *)a)->round,
                         *y = &((const wave_history_round *)b)->round;
    if (x->session != y->session)
        return x->session < y->session ? -1 : 1;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return memcmp(x, y, offsetof(hologram_round, first));
}

static int seed_compare(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(hologram_seed));
}

static bool rounds_write(wave_history *h, hologram_writer *out)
{
    uint64_t total = 0, count = 0, seed_count = 0;
    for (size_t i = 0; i < h->round_count; i++)
        total += h->rounds[i].round.seed_count;
    hologram_round *rounds = calloc(h->round_count + 1, sizeof *rounds);
    hologram_seed *seeds = calloc(total + 1, sizeof *seeds);
    bool made = rounds != NULL && seeds != NULL;
    if (made && h->round_count > 1)
        qsort(h->rounds, h->round_count, sizeof *h->rounds, round_compare);
    for (size_t i = 0; made && i < h->round_count; i++) {
        const wave_history_round *one = &h->rounds[i];
        if (i > 0 && round_compare(one - 1, one) == 0)
            continue;
        rounds[count] = one->round;
        rounds[count++].first = seed_count;
        memcpy(seeds + seed_count, one->seeds, one->round.seed_count * sizeof *seeds);
        seed_count += one->round.seed_count;
    }
    if (made) {
        hologram_add_section(out, HOLOGRAM_ROUNDS, rounds, count);
        hologram_add_section(out, HOLOGRAM_ROUND_SEEDS, seeds, seed_count);
    }
    free(rounds);
    free(seeds);
    return made;
}

bool wave_history_write(wave_history *h, hologram_writer *out)
{
    size_t kept = 0;
    if (!rounds_write(h, out))
        return false;
    if (h->outcome_count > 0)
        hologram_add_section(out, HOLOGRAM_OUTCOMES, h->outcomes, h->outcome_count);
    if (h->pending_count > 1)
        qsort(h->pending, h->pending_count, sizeof *h->pending, seed_compare);
    for (size_t i = 0; i < h->pending_count; i++)
        if (kept == 0 || seed_compare(&h->pending[kept - 1], &h->pending[i]) != 0)
            h->pending[kept++] = h->pending[i];
    h->pending_count = kept;
    if (kept > 0)
        hologram_add_section(out, HOLOGRAM_PENDING, h->pending, kept);
    return true;
}

bool wave_history_read(wave_history *h, const holos_hologram *from)
{
    const hologram_round *rounds = from->sections[HOLOGRAM_ROUNDS];
    const hologram_seed *seeds = from->sections[HOLOGRAM_ROUND_SEEDS];
    const hologram_outcome *outcomes = from->sections[HOLOGRAM_OUTCOMES];
    const hologram_seed *pending = from->sections[HOLOGRAM_PENDING];
    bool made = true;
    for (uint64_t i = 0; made && i < hologram_count(from, HOLOGRAM_ROUNDS); i++)
        made = wave_history_add_round(h, rounds[i], seeds + rounds[i].first);
    for (uint64_t i = 0; made && i < hologram_count(from, HOLOGRAM_OUTCOMES); i++) {
        hologram_outcome *o = outcome_at(h, outcomes[i].features, outcomes[i].mode);
        made = o != NULL;
        if (made &&
            memcmp(&outcomes[i].tries, &o->tries, sizeof *o - offsetof(hologram_outcome, tries)) != 0 &&
            (outcomes[i].tries > o->tries || (outcomes[i].tries == o->tries && outcomes[i].cost > o->cost)))
            *o = outcomes[i];
    }
    for (uint64_t i = 0; made && i < hologram_count(from, HOLOGRAM_PENDING); i++)
        made = wave_history_add_pending(h, pending[i]);
    return made;
}
