/* SPDX-License-Identifier: MIT */

/* A root for few simulations (Danihelka et al. 2022): moves are drawn without replacement by noise on their logits, and visits are
 * halved round by round among those that hold up. What comes out is a policy that is better than the network's even with 16
 * simulations, and so a target to train on. */

#include "engine/zeno/zeno.h"

#include <math.h>
#include <stdlib.h>

#define VISIT_SCALE 50.0F /* and 0.1: how much a difference of values counts against one of logits */
#define VALUE_SCALE 0.1F

/* Logits of the root, as the network gave them; with noise if moves are to be sampled. */
static float draw(rng *random)
{
    return (float)-log(-log(rng_double(random) + 1e-300) + 1e-300);
}

/* ---- What values say --------------------------------------------------------------------------- */

/* Values of all moves, in [0, 1] between the worst and the best; those of moves that were not tried are the mix of the root's own and of
 * those that were. */
static void completed_values(const zeno_search *s, float *values)
{
    const zeno_tree *t = &s->tree;
    const zeno_node *root = &t->nodes[0];
    float weight = 0, sum = 0, visits = 0, least = INFINITY, most = -INFINITY;
    for (uint32_t i = 0; i < root->count; i++) {
        uint32_t e = root->first + i;
        if (t->visits[e] <= 0)
            continue;
        weight += t->priors[e];
        sum += t->priors[e] * zeno_edge_value(t, e);
        visits += t->visits[e];
    }
    float mixed = (root->value + (weight > 0 ? visits * sum / weight : 0)) / (1 + visits);
    for (uint32_t i = 0; i < root->count; i++) {
        uint32_t e = root->first + i;
        float known;
        bool proved = zeno_says(t->lo[e], t->hi[e], &known);
        values[i] = proved || t->visits[e] > 0 ? zeno_edge_value(t, e) : mixed;
        least = values[i] < least ? values[i] : least;
        most = values[i] > most ? values[i] : most;
    }
    for (uint32_t i = 0; i < root->count; i++)
        values[i] = most - least > 1e-6F ? (values[i] - least) / (most - least) : 0.5F;
}

static float value_weight(const zeno_search *s)
{
    const zeno_node *root = &s->tree.nodes[0];
    float most = 0;
    for (uint32_t i = root->first; i < root->first + root->count; i++)
        most = s->tree.visits[i] > most ? s->tree.visits[i] : most;
    return (VISIT_SCALE + most) * VALUE_SCALE;
}

/* ---- Rounds ------------------------------------------------------------------------------------ */

typedef struct ranked {
    float score;
    uint32_t index;
} ranked;

static int rank_compare(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

/* Orders the candidates, best first. */
static void rank(zeno_search *s, bool values_count)
{
    zeno_gumbel *g = &s->gumbel;
    float values[ZENO_EDGES_MAX], weight = value_weight(s);
    ranked order[ZENO_CONSIDERED] = {0};
    completed_values(s, values);
    for (uint32_t i = 0; i < g->count; i++) {
        uint32_t k = g->candidates[i];
        order[i] = (ranked){g->noise[k] + g->logits[k] + (values_count ? weight * values[k] : 0), k};
    }
    qsort(order, g->count, sizeof *order, rank_compare);
    for (uint32_t i = 0; i < g->count; i++)
        g->candidates[i] = order[i].index;
}

static uint32_t rounds_of(uint32_t considered)
{
    uint32_t rounds = 1;
    while ((1U << rounds) < considered)
        rounds++;
    return rounds;
}

/* The visits of each candidate by the end of the round that begins now. */
static void round_begin(zeno_search *s)
{
    zeno_gumbel *g = &s->gumbel;
    uint32_t parts = rounds_of(g->considered) * g->count, more = parts > 0 ? s->budget / parts : 0;
    g->target += more > 0 ? more : 1;
}

void gumbel_begin(zeno_search *s)
{
    zeno_gumbel *g = &s->gumbel;
    const zeno_node *root = &s->tree.nodes[0];
    ranked order[ZENO_EDGES_MAX] = {0};
    for (uint32_t i = 0; i < root->count; i++) {
        g->logits[i] = logf(s->tree.priors[root->first + i] + 1e-12F);
        g->noise[i] = s->r.noise ? draw(&s->random) : 0;
        order[i] = (ranked){g->noise[i] + g->logits[i], i};
    }
    qsort(order, root->count, sizeof *order, rank_compare);
    uint32_t most = s->o.considered < ZENO_CONSIDERED ? s->o.considered : ZENO_CONSIDERED;
    most = most < s->budget ? most : s->budget;
    g->considered = g->count = root->count < most ? root->count : most;
    for (uint32_t i = 0; i < g->count; i++)
        g->candidates[i] = order[i].index;
    g->target = 0;
    round_begin(s);
}

uint32_t gumbel_select(zeno_search *s, bool *wait)
{
    zeno_gumbel *g = &s->gumbel;
    uint32_t first = s->tree.nodes[0].first;
    *wait = false;
    for (;;) {
        uint32_t least = ZENO_NONE;
        for (uint32_t i = 0; i < g->count; i++) {
            uint32_t e = first + g->candidates[i];
            float known;
            if (zeno_says(s->tree.lo[e], s->tree.hi[e], &known)) /* nothing more to learn there */
                continue;
            if (s->tree.visits[e] < (float)g->target &&
                (least == ZENO_NONE || s->tree.visits[e] < s->tree.visits[least]))
                least = e;
        }
        if (least != ZENO_NONE)
            return least;
        if (s->leaf_count > 0) {
            *wait = true;
            return ZENO_NONE;
        }
        rank(s, true);
        if (g->count <= 2 && s->started >= s->budget)
            return ZENO_NONE;
        bool open = false;
        for (uint32_t i = 0; i < g->count; i++) {
            float known;
            uint32_t e = first + g->candidates[i];
            open |= !zeno_says(s->tree.lo[e], s->tree.hi[e], &known);
        }
        if (!open)
            return ZENO_NONE;
        g->count = g->count > 2 ? (g->count + 1) / 2 : g->count;
        round_begin(s);
    }
}

uint32_t gumbel_choose(zeno_search *s, float *shares)
{
    const zeno_node *root = &s->tree.nodes[0];
    float values[ZENO_EDGES_MAX], weight = value_weight(s), most = -INFINITY, sum = 0;
    completed_values(s, values);
    if (shares != NULL) {
        for (uint32_t i = 0; i < root->count; i++) {
            shares[i] = s->gumbel.logits[i] + weight * values[i];
            most = shares[i] > most ? shares[i] : most;
        }
        for (uint32_t i = 0; i < root->count; i++)
            sum += shares[i] = expf(shares[i] - most);
        for (uint32_t i = 0; i < root->count; i++)
            shares[i] /= sum;
    }
    rank(s, true);
    return root->first + s->gumbel.candidates[0];
}
