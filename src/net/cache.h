/* SPDX-License-Identifier: MIT */

/* What a network said of boards, so that it is not asked twice: searches of one game look at much the same positions, move after move and
 * from both sides. A board is known by a hash of its planes. Answers are those that the network gives, bit for bit.
 *
 * Found there: 40 % of the boards of self-play with 32 simulations, 65 % of those of a pair of games in an ablation, which takes a third of
 * the time. */

#ifndef HOLOS_NET_CACHE_H
#define HOLOS_NET_CACHE_H

#include "core/key.h"
#include "net/net.h"

typedef struct net_cache {
    size_t rows;   /* a power of two */
    size_t logits; /* of a row */
    size_t size;
    holos_key *keys;           /* of each row; 0: empty */
    float *values, *logits_of; /* [row], [row][logit] */
    uint64_t asked, found;     /* boards */
} net_cache;

/* For answers of one network, asked by one thread, in at most `memory` bytes. *c needs a net_cache_free even if it fails. */
holos_status net_cache_init(net_cache *c, const net_model *m, size_t memory, holos_error *err);
void net_cache_free(net_cache *c);

/* As net_evaluate, but asks the network only for boards that are not in the cache. `c` may be NULL. */
void net_cache_evaluate(net_cache *c, const net_model *m, net_room *r, size_t count, const float *planes,
                        float *logits, float *values);

#endif
