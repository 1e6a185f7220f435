/* SPDX-License-Identifier: MIT */

/* Networks that look at a board and say which moves look good and who will win: a tower of 3x3 convolutions, and two heads.
 *
 *     net        the weights as they are trained, and as a file keeps them
 *     net_model  the same with batch norm folded in, ready to evaluate; any number of threads may share one
 *     net_room   what one thread evaluates in
 *
 * Two kinds. The tower: `blocks` times [convolution, batch norm, ReLU]. The residual net: one of these, then `blocks` times
 * [convolution, batch norm, ReLU, convolution, batch norm, plus what came in, ReLU]. Then a 1x1 convolution with batch norm and
 * ReLU, some channels of which go to the policy (a linear layer) and some to the value (two linear layers, tanh).
 *
 * What a network says is a guess. Whoever passes it on says so (HOLOS_SOURCE_NETWORK). */

#ifndef HOLOS_NET_NET_H
#define HOLOS_NET_NET_H

#include "core/error.h"
#include "core/rng.h"
#include "net/kernels.h"

#include <stdint.h>

#define NET_CONVS_MOST    64
#define NET_SIDE_MOST     32 /* of a board */
#define NET_CHANNELS_MOST 512
#define NET_POLICY_MOST   4096
#define NET_NAME          64

typedef enum net_kind { NET_RESIDUAL = 0, NET_TOWER } net_kind;

typedef struct net_shape {
    uint32_t kind; /* a net_kind */
    /* What the game says. */
    uint32_t height, width, planes, policy;
    /* What whoever trains it chooses. */
    uint32_t channels; /* a multiple of NET_PANEL */
    uint32_t blocks;
    uint32_t policy_channels, value_channels; /* together at most NET_PANEL */
    uint32_t value_hidden;                    /* a multiple of NET_PANEL */
} net_shape;

/* Where things stand in the arrays of a net. Weights of convolution i: [tap][in][out]. */
typedef struct net_layout {
    size_t convs; /* 3x3 */
    size_t in[NET_CONVS_MOST];
    size_t weight[NET_CONVS_MOST], gamma[NET_CONVS_MOST + 1], beta[NET_CONVS_MOST + 1]; /* the head's last */
    size_t mean[NET_CONVS_MOST + 1], variance[NET_CONVS_MOST + 1];
    size_t head;                                         /* [channels][NET_PANEL] */
    size_t policy, policy_bias;                          /* [pixel][channel][logit] */
    size_t hidden, hidden_bias;                          /* [pixel][channel][hidden] */
    size_t value, value_bias;                            /* [hidden], and one */
    size_t planes, logits, policy_inputs, hidden_inputs; /* sizes: planes and logits are padded */
    size_t parameters, statistics;                       /* how many numbers there are in all */
} net_layout;

typedef struct net {
    net_shape shape;
    net_layout at;
    char game[NET_NAME]; /* the variant that it was made for */
    float *parameters;   /* what training changes */
    float *statistics;   /* the running means and variances of batch norm */
} net;

/* HOLOS_USAGE, with the reason, if no network has this shape. */
holos_status net_shape_check(const net_shape *shape, holos_error *err);
/* Where things stand in a network of a shape that has been checked. */
net_layout net_layout_of(const net_shape *shape);
/* Planes and logits as they lie in memory: padded to 8 and to NET_PANEL. */
static inline size_t net_padded(size_t count, size_t unit)
{
    return (count + unit - 1) / unit * unit;
}

/* All zero; *n needs a net_free even if it fails. */
holos_status net_init(net *n, const net_shape *shape, const char *game, holos_error *err);
void net_free(net *n);
/* Weights to begin with. */
void net_randomise(net *n, rng *random);

/* ---- Files (file.c) ---------------------------------------------------------------------------- */

holos_status net_save(const net *n, const char *path, holos_error *err);
/* Checks version, shape, size and checksum. *n needs a net_free even if it fails. `game`: NULL, or the variant that it must be
 * for. */
holos_status net_load(net *n, const char *path, const char *game, holos_error *err);

/* ---- Evaluation (model.c) ---------------------------------------------------------------------- */

typedef struct net_model {
    net_shape shape;
    net_layout at;
    const net_kernels *kernels;
    float *weights[NET_CONVS_MOST]; /* transformed, packed, with the scale of batch norm */
    float *bias[NET_CONVS_MOST];
    float *head, *head_bias;
    float *rest; /* the parameters from at.policy on */
    float *block;
    size_t size;
} net_model;

/* What one thread evaluates in. */
typedef struct net_room {
    float *spread, *sums; /* transformed boards, before and after the product */
    float *in, *out;      /* boards */
    float *block;
    size_t size;
} net_room;

holos_status net_model_init(net_model *m, const net *n, holos_error *err);
/* The same shape with other weights. */
void net_model_set(net_model *m, const net *n);
void net_model_free(net_model *m);

holos_status net_room_init(net_room *r, const net_shape *shape, holos_error *err);
void net_room_free(net_room *r);

/* Looks at `count` boards, planes[board][pixel][plane], padded: logits[board][move], padded, of which those of illegal moves mean
 * nothing, and values in [-1, 1] for the side to move. What it says of a board does not depend on the others. */
void net_evaluate(const net_model *m, net_room *r, size_t count, const float *planes, float *logits,
                  float *values);

/* ---- Convolutions, for model.c and train.c (convolve.c) ---------------------------------------- */

#define NET_BLOCK 3 /* boards that go through a convolution together, at most: see convolve.c */

/* Floats of a transformed block of boards. */
size_t net_spread_size(const net_shape *shape, size_t channels);
/* Floats of the packed weights of a convolution. */
size_t net_packed_size(size_t in, size_t out);
/* Transforms and packs weights [tap][in][out]; `scale` by output, or NULL. With `back` the convolution that takes gradients back: from
 * `out` channels to `in`. */
void net_pack(const float *weights, size_t in, size_t out, const float *scale, bool back, float *packed);
/* A convolution of at most NET_BLOCK boards. */
void net_convolve(const net_kernels *k, const net_shape *shape, net_room *room, size_t boards,
                  const float *in, size_t in_channels, const float *packed, size_t out_channels,
                  net_finish finish, float *out);

#endif
