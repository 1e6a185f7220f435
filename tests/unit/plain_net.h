/* SPDX-License-Identifier: MIT */

/* A network as the textbook has it: sums in doubles, convolutions pixel by pixel. What the real one is compared with. */

#ifndef HOLOS_TESTS_PLAIN_NET_H
#define HOLOS_TESTS_PLAIN_NET_H

#include "net/train.h"

#include <math.h>
#include <stdlib.h>

typedef struct plain_result {
    double *logits, *values; /* [board][policy] without padding */
} plain_result;

static inline void plain_free(plain_result *r)
{
    free(r->logits);
    free(r->values);
}

static double *plain_convolve(const net_shape *s, size_t boards, const double *in, size_t in_channels,
                              const double *weights, size_t out_channels)
{
    int height = (int)s->height, width = (int)s->width;
    double *out = calloc(boards * s->height * s->width * out_channels, sizeof *out);
    for (size_t b = 0; b < boards; b++)
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                for (int tap = 0; tap < 9; tap++) {
                    int from_y = y + tap / 3 - 1, from_x = x + tap % 3 - 1;
                    if (from_y < 0 || from_x < 0 || from_y >= height || from_x >= width)
                        continue;
                    const double *pixel =
                        in + ((b * s->height + (size_t)from_y) * s->width + (size_t)from_x) * in_channels;
                    double *to = out + ((b * s->height + (size_t)y) * s->width + (size_t)x) * out_channels;
                    for (size_t i = 0; i < in_channels; i++)
                        for (size_t o = 0; o < out_channels; o++)
                            to[o] += pixel[i] * weights[((size_t)tap * in_channels + i) * out_channels + o];
                }
    return out;
}

/* Batch norm in place, with the batch's statistics or the running ones; then `plus`, then a ReLU. */
static void plain_norm(const net *n, const double *p, size_t layer, bool training, size_t pixels,
                       size_t channels, const double *plus, double *x)
{
    for (size_t c = 0; c < channels; c++) {
        double mean = (double)n->statistics[n->at.mean[layer] + c];
        double variance = (double)n->statistics[n->at.variance[layer] + c];
        if (training) {
            mean = variance = 0;
            for (size_t i = 0; i < pixels; i++)
                mean += x[i * channels + c] / (double)pixels;
            for (size_t i = 0; i < pixels; i++)
                variance += (x[i * channels + c] - mean) * (x[i * channels + c] - mean) / (double)pixels;
        }
        for (size_t i = 0; i < pixels; i++) {
            double y = p[n->at.gamma[layer] + c] * (x[i * channels + c] - mean) / sqrt(variance + 1e-5) +
                       p[n->at.beta[layer] + c] + (plus != NULL ? plus[i * channels + c] : 0);
            x[i * channels + c] = y > 0 ? y : 0;
        }
    }
}

static void plain_heads(const net *n, const double *p, size_t boards, const double *head, plain_result *out)
{
    const net_shape *s = &n->shape;
    size_t pixels = (size_t)s->height * s->width;
    for (size_t b = 0; b < boards; b++) {
        const double *pixel = head + b * pixels * NET_PANEL;
        for (size_t k = 0; k < s->policy; k++) {
            double sum = p[n->at.policy_bias + k];
            for (size_t i = 0; i < n->at.policy_inputs; i++)
                sum += pixel[i / s->policy_channels * NET_PANEL + i % s->policy_channels] *
                       p[n->at.policy + i * n->at.logits + k];
            out->logits[b * s->policy + k] = sum;
        }
        double value = p[n->at.value_bias];
        for (size_t k = 0; k < s->value_hidden; k++) {
            double sum = p[n->at.hidden_bias + k];
            for (size_t i = 0; i < n->at.hidden_inputs; i++)
                sum += pixel[i / s->value_channels * NET_PANEL + s->policy_channels + i % s->value_channels] *
                       p[n->at.hidden + i * s->value_hidden + k];
            value += sum > 0 ? sum * p[n->at.value + k] : 0;
        }
        out->values[b] = tanh(value);
    }
}

/* The network's answer with the parameters p (like n->parameters, but doubles). */
static plain_result plain_run(const net *n, const double *p, bool training, size_t boards,
                              const float *planes)
{
    const net_shape *s = &n->shape;
    size_t pixels = boards * s->height * s->width, channels = s->channels;
    double *layers[NET_CONVS_MOST + 1], *in = calloc(pixels * n->at.planes, sizeof *in);
    for (size_t i = 0; i < pixels * n->at.planes; i++)
        in[i] = (double)planes[i];
    for (size_t i = 0; i < n->at.convs; i++) {
        layers[i] = plain_convolve(s, boards, i == 0 ? in : layers[i - 1], n->at.in[i], p + n->at.weight[i],
                                   channels);
        bool second = s->kind == NET_RESIDUAL && i > 0 && i % 2 == 0;
        plain_norm(n, p, i, training, pixels, channels, second ? layers[i - 2] : NULL, layers[i]);
    }
    double *head = layers[n->at.convs] = calloc(pixels * NET_PANEL, sizeof *head);
    for (size_t i = 0; i < pixels; i++)
        for (size_t c = 0; c < channels; c++)
            for (size_t k = 0; k < NET_PANEL; k++)
                head[i * NET_PANEL + k] +=
                    layers[n->at.convs - 1][i * channels + c] * p[n->at.head + c * NET_PANEL + k];
    plain_norm(n, p, n->at.convs, training, pixels, NET_PANEL, NULL, head);
    plain_result out = {.logits = calloc(boards * s->policy, sizeof(double)),
                        .values = calloc(boards, sizeof(double))};
    plain_heads(n, p, boards, head, &out);
    for (size_t i = 0; i <= n->at.convs; i++)
        free(layers[i]);
    free(in);
    return out;
}

/* What training minimises, without decay. */
static double plain_loss(const net *n, const double *p, const net_batch *batch)
{
    plain_result r = plain_run(n, p, true, batch->count, batch->planes);
    double loss = 0;
    for (size_t b = 0; b < batch->count; b++) {
        double sum = 0, error = r.values[b] - (double)batch->values[b];
        for (size_t k = 0; k < n->shape.policy; k++)
            sum += exp(r.logits[b * n->shape.policy + k]);
        for (size_t k = 0; k < n->shape.policy; k++)
            loss -=
                (double)batch->policy[b * n->at.logits + k] * (r.logits[b * n->shape.policy + k] - log(sum));
        loss += error * error;
    }
    plain_free(&r);
    return loss / (double)batch->count;
}

#endif
