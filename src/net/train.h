/* SPDX-License-Identifier: MIT */

/* Training: how wrong a network is about a batch of boards, which way every weight should go, and a step that way.
 *
 * The loss is the cross-entropy of the policy with the shares that moves should have, plus the squared error of the value, plus
 * `decay` / 2 times the sum of the squared weights (of convolutions and linear layers). The same batch and the same state give the
 * same step, bit for bit, on one machine. */

#ifndef HOLOS_NET_TRAIN_H
#define HOLOS_NET_TRAIN_H

#include "net/net.h"

typedef enum net_method { NET_ADAM = 0, NET_MOMENTUM } net_method;

typedef struct net_training {
    net_method method;
    double decay;        /* of weights; L2 */
    double momentum;     /* also Adam's first; usually 0.9 */
    double second;       /* Adam's second; usually 0.999 */
    double norm_share;   /* how much of a batch's statistics goes into the running ones; usually 0.1 */
    double value_weight; /* of the squared error; 1 in the source document */
} net_training;

/* What training usually uses. */
net_training net_training_usual(void);

typedef struct net_batch {
    size_t count;
    const float *planes; /* [board][pixel][plane], padded */
    const float *policy; /* [board][move], padded: shares that sum to 1 */
    const float *values; /* [board], in [-1, 1] */
} net_batch;

typedef struct net_loss {
    double policy, value, decay; /* per board; what is minimised is policy + value_weight * value + decay */
} net_loss;

typedef struct net_trainer {
    net *net;
    net_training how;
    const net_kernels *kernels;
    size_t batch; /* at most */
    uint64_t steps;
    float *gradient;       /* like net->parameters */
    float *first, *second; /* the moments, likewise: with `steps`, all that a training needs to go on */
    /* What one step works in. */
    net_room room;
    float *packed, *raised; /* a convolution's weights, and the gradient of the transformed ones */
    float *raw[NET_CONVS_MOST + 1],
        *active[NET_CONVS_MOST + 1]; /* before and after batch norm, the head last */
    float *mean[NET_CONVS_MOST + 1], *inverse[NET_CONVS_MOST + 1];
    float *back, *side; /* gradients of boards: on the main path, and on the way round a block */
    float *head_back, *logits, *hidden, *hidden_back, *turned, *values;
    float *block;
    size_t size;
} net_trainer;

/* `n` must outlive the trainer. *t needs a net_trainer_free even if it fails. */
holos_status net_trainer_init(net_trainer *t, net *n, const net_training *how, size_t batch,
                              holos_error *err);
void net_trainer_free(net_trainer *t);

/* Fills t->gradient, and moves the running statistics of the network; nothing else changes. */
net_loss net_trainer_look(net_trainer *t, const net_batch *batch);
/* Looks, then changes the weights. */
net_loss net_trainer_step(net_trainer *t, const net_batch *batch, double rate);

#endif
