/* SPDX-License-Identifier: MIT */

/* Reading the tree, and what follows from it: the layers of the source document, formula by formula. */

#include "engine/zeno/zeno.h"

#include <math.h>

zeno_options zeno_options_plain(const holos_variant *v)
{
    const holos_net *view = v->game->net;
    return (zeno_options){.simulations = 800,
                          .least = 150,
                          .most = 800,
                          .c = 1.414F,
                          .fixed_lambda = 0.3F,
                          .thresholds = {.entropy = 0.20, .gap = 0.50, .variance = 0.02},
                          .considered = 16,
                          .exact_tree = view != NULL ? view->exact_tree : 0,
                          .exact_root = view != NULL ? view->exact_root : 0,
                          .leaves = 8,
                          .reuse = true};
}

zeno_options zeno_options_full(const holos_variant *v)
{
    zeno_options o = zeno_options_plain(v);
    o.simulations = 500; /* times 0.49 to 1.56: about 150 to 800 */
    o.tactics = o.glance = o.prune = o.control = o.explore = o.stop = o.budget = true;
    return o;
}

/* ---- Layer 1: sensors -------------------------------------------------------------------------- */

zeno_shape zeno_shape_of(const zeno_tree *t)
{
    const zeno_node *root = &t->nodes[0];
    double total = 0, entropy = 0, first = 0, second = 0, sum = 0, squares = 0, seen = 0;
    for (uint32_t i = root->first; i < root->first + root->count; i++)
        total += (double)t->visits[i];
    if (total <= 0) /* nothing has been seen: as even as can be */
        return (zeno_shape){.entropy = 1};
    for (uint32_t i = root->first; i < root->first + root->count; i++) {
        double n = (double)t->visits[i], q = (double)zeno_edge_value(t, i);
        if (n <= 0)
            continue;
        entropy -= n / total * log(n / total);
        second = n > first ? first : n > second ? n : second;
        first = n > first ? n : first;
        sum += q;
        squares += q * q;
        seen++;
    }
    double mean = sum / seen, variance = squares / seen - mean * mean;
    return (zeno_shape){.entropy = root->count > 1 ? (float)(entropy / log(root->count)) : 0,
                        .gap = (float)((first - second) / total),
                        .variance = variance > 0 ? (float)variance : 0};
}

/* ---- Layer 3: soft pruning --------------------------------------------------------------------- */

float zeno_prune(float glance)
{
    float penalty = glance >= 0 ? 0 : glance >= -0.5F ? 0.5F : 1;
    return expf(-0.5F * penalty);
}

/* ---- Layer 4: lambda --------------------------------------------------------------------------- */

float zeno_lambda_learned(const zeno_lambda *l, zeno_shape shape)
{
    float sum = l->out_bias;
    for (int i = 0; i < ZENO_LAMBDA_HIDDEN; i++) {
        float x = l->weights[i][0] * shape.entropy + l->weights[i][1] * shape.gap +
                  l->weights[i][2] * shape.variance + l->bias[i];
        sum += x > 0 ? x * l->out[i] : 0;
    }
    return 1 / (1 + expf(-sum));
}

float zeno_lambda_of(const zeno_options *o, zeno_shape shape)
{
    if (!o->control)
        return o->fixed_lambda;
    if (o->learned != NULL)
        return zeno_lambda_learned(o->learned, shape);
    float variance = shape.variance < 1 ? shape.variance : 1;
    return 0.4F * (1 - shape.entropy) + 0.4F * shape.gap + 0.2F * (1 - variance);
}

/* ---- Layer 6: early stop ----------------------------------------------------------------------- */

bool zeno_is_clear(const zeno_thresholds *t, zeno_shape shape)
{
    return (double)shape.entropy < t->entropy && (double)shape.gap > t->gap &&
           (double)shape.variance < t->variance;
}

/* ---- Layer 7: the budget ----------------------------------------------------------------------- */

uint32_t zeno_budget_of(const zeno_options *o, holos_stage phase, float lambda)
{
    static const float by_phase[] = {
        [HOLOS_STAGE_OPENING] = 0.7F, [HOLOS_STAGE_MIDDLE] = 1.2F, [HOLOS_STAGE_ENDING] = 0.8F};
    float by_lambda = lambda > 0.7F ? 0.7F : lambda < 0.3F ? 1.3F : 1.0F;
    float budget = roundf((float)o->simulations * by_phase[phase] * by_lambda);
    return budget < (float)o->least ? o->least : budget > (float)o->most ? o->most : (uint32_t)budget;
}
