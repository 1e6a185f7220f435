/* SPDX-License-Identifier: MIT */

#include "core/hash.h"
#include "core/list.h"
#include "meta/selector.h"
#include "session/session.h"

#include <stdlib.h>

#define CANDIDATES     1000000 /* at most about, that are compared */
#define FEATURES_LEAST 8       /* of a round: no features have more than their share */

typedef struct candidate {
    holos_key key;
    uint64_t features, chance;
    double score;
} candidate;

uint64_t session_features(const holos_variant *v, const holos_position *p)
{
    const holos_hints *hints = v->game->hints;
    return hints != NULL && hints->features != NULL ? hints->features(v, p) : 0;
}

/* The better one first. */
static int by_score(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    return x->chance > y->chance ? -1 : x->chance < y->chance;
}

static int by_features(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    return x->features != y->features ? (x->features < y->features ? -1 : 1) : by_score(a, b);
}

/* What seeds with these features have paid in their best mode. Features that nobody has tried are worth as much as all together: so
 * both what has paid and what is new gets its turn. */
static double payoff(const selector *s, uint64_t features)
{
    double best = 0;
    for (holos_wave_mode mode = HOLOS_WAVE_LIGHTNING; mode <= HOLOS_WAVE_OSMOSIS; mode++) {
        double one = selector_has_tried(s, mode) ? selector_payoff(s, features, mode) : 0;
        best = one > best ? one : best;
    }
    return best;
}

/* Open positions that no wave has expanded, at most CANDIDATES of them, evenly spread. */
static holos_status candidates_gather(holos_wave *w, uint64_t seed, candidate **out, size_t *count,
                                      holos_error *err)
{
    selector s = selector_of(w->history);
    size_t room = 0, stride = 1 + w->statistics.positions / CANDIDATES, passed = 0;
    layer_place place = {0};
    holos_key key;
    while (layers_next(&w->forward, &place, &key)) {
        wave_node n = node_load(nodes_find(&w->nodes, key));
        if (node_is_solved(n) || (n.flags & NODE_EXPANDED) != 0 || passed++ % stride != 0)
            continue;
        if (!LIST_RESERVE(*out, room, *count + 1))
            return error_system(err, "the seeds of a round");
        wave_position(w, key, w->scratch[0].position);
        uint64_t features = session_features(w->v, w->scratch[0].position);
        (*out)[(*count)++] = (candidate){.key = key,
                                         .features = features,
                                         .chance = hash_add(hash_add(seed, key.hi), key.lo),
                                         .score = payoff(&s, features)};
    }
    return HOLOS_OK;
}

holos_status session_choose(holos_wave *w, size_t most, uint64_t seed, holos_error *err)
{
    candidate *all = NULL;
    size_t count = 0, kept = 0, alike = 0, share = most / FEATURES_LEAST > 0 ? most / FEATURES_LEAST : 1;
    holos_status status = candidates_gather(w, seed, &all, &count, err);
    if (count > 1)
        qsort(all, count, sizeof *all, by_features);
    for (size_t i = 0; i < count; i++) {
        alike = i > 0 && all[i].features == all[i - 1].features ? alike + 1 : 1;
        if (count <= most || alike <= share)
            all[kept++] = all[i];
    }
    if (kept > 1)
        qsort(all, kept, sizeof *all, by_score);
    w->history->pending_count = 0;
    for (size_t i = 0; status == HOLOS_OK && i < kept && i < most; i++)
        if (!wave_history_add_pending(w->history, (hologram_seed){.key = all[i].key}))
            status = error_system(err, "the seeds of a round");
    free(all);
    return status;
}
