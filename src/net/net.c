/* SPDX-License-Identifier: MIT */

/* The shape of a network, and where its numbers stand. */

#include "net/net.h"

#include "core/mem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Shapes ------------------------------------------------------------------------------------ */

static size_t convs_of(const net_shape *s)
{
    return s->kind == NET_TOWER ? s->blocks : 1 + 2 * (size_t)s->blocks;
}

holos_status net_shape_check(const net_shape *s, holos_error *err)
{
    const struct {
        const char *what;
        uint64_t value, least, most, unit;
    } rules[] = {
        {"kind", s->kind, NET_RESIDUAL, NET_TOWER, 1},
        {"height", s->height, 1, NET_SIDE_MOST, 1},
        {"width", s->width, 1, NET_SIDE_MOST, 1},
        {"planes", s->planes, 1, NET_CHANNELS_MOST, 1},
        {"policy", s->policy, 1, NET_POLICY_MOST, 1},
        {"channels", s->channels, NET_PANEL, NET_CHANNELS_MOST, NET_PANEL},
        {"blocks", s->blocks, 1, NET_CONVS_MOST, 1},
        {"convolutions", convs_of(s), 1, NET_CONVS_MOST, 1},
        {"policy channels", s->policy_channels, 1, NET_PANEL - 1, 1},
        {"value channels", s->value_channels, 1, NET_PANEL - 1, 1},
        {"channels of the heads", (uint64_t)s->policy_channels + s->value_channels, 2, NET_PANEL, 1},
        {"hidden units", s->value_hidden, NET_PANEL, NET_CHANNELS_MOST, NET_PANEL},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].value < rules[i].least || rules[i].value > rules[i].most ||
            rules[i].value % rules[i].unit != 0)
            return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                             "a network with %s %llu; it takes %llu to %llu, in steps of %llu", rules[i].what,
                             (unsigned long long)rules[i].value, (unsigned long long)rules[i].least,
                             (unsigned long long)rules[i].most, (unsigned long long)rules[i].unit);
    return HOLOS_OK;
}

/* Takes room for `count` numbers; returns where they begin. */
static size_t take(size_t *used, size_t count)
{
    size_t at = *used;
    *used += net_padded(count, NET_PANEL);
    return at;
}

net_layout net_layout_of(const net_shape *s)
{
    net_layout at = {.convs = convs_of(s)};
    size_t pixels = (size_t)s->height * s->width;
    at.planes = net_padded(s->planes, 8);
    at.logits = net_padded(s->policy, NET_PANEL);
    at.policy_inputs = pixels * s->policy_channels;
    at.hidden_inputs = pixels * s->value_channels;
    for (size_t i = 0; i < at.convs; i++) {
        at.in[i] = i == 0 ? at.planes : s->channels;
        at.weight[i] = take(&at.parameters, 9 * at.in[i] * s->channels);
    }
    for (size_t i = 0; i <= at.convs; i++) {
        size_t channels = i < at.convs ? s->channels : NET_PANEL;
        at.gamma[i] = take(&at.parameters, channels);
        at.beta[i] = take(&at.parameters, channels);
        at.mean[i] = take(&at.statistics, channels);
        at.variance[i] = take(&at.statistics, channels);
    }
    at.head = take(&at.parameters, (size_t)s->channels * NET_PANEL);
    at.policy = take(&at.parameters, at.policy_inputs * at.logits);
    at.policy_bias = take(&at.parameters, at.logits);
    at.hidden = take(&at.parameters, at.hidden_inputs * s->value_hidden);
    at.hidden_bias = take(&at.parameters, s->value_hidden);
    at.value = take(&at.parameters, s->value_hidden);
    at.value_bias = take(&at.parameters, 1);
    return at;
}

/* ---- Weights ----------------------------------------------------------------------------------- */

holos_status net_init(net *n, const net_shape *shape, const char *game, holos_error *err)
{
    *n = (net){.shape = *shape};
    holos_status status = net_shape_check(shape, err);
    if (status != HOLOS_OK)
        return status;
    n->at = net_layout_of(shape);
    snprintf(n->game, sizeof n->game, "%s", game);
    n->parameters = mem_alloc(NULL, n->at.parameters * sizeof(float));
    n->statistics = mem_alloc(NULL, n->at.statistics * sizeof(float));
    if (n->parameters == NULL || n->statistics == NULL)
        return mem_error(err, NULL, n->at.parameters * sizeof(float), "a network");
    return HOLOS_OK;
}

void net_free(net *n)
{
    if (n->parameters != NULL)
        mem_free(NULL, n->parameters, n->at.parameters * sizeof(float));
    if (n->statistics != NULL)
        mem_free(NULL, n->statistics, n->at.statistics * sizeof(float));
    *n = (net){0};
}

/* Normally distributed, by Box and Muller. */
static float normal(rng *random)
{
    double u = 1 - rng_double(random), angle = 6.283185307179586 * rng_double(random);
    return (float)(sqrt(-2 * log(u)) * cos(angle));
}

static void fill(float *at, size_t rows, size_t columns, size_t stride, double deviation, rng *random)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < columns; k++)
            at[i * stride + k] = (float)deviation * normal(random);
}

void net_randomise(net *n, rng *random)
{
    const net_shape *s = &n->shape;
    const net_layout *at = &n->at;
    float *p = n->parameters;
    memset(p, 0, at->parameters * sizeof *p);
    memset(n->statistics, 0, at->statistics * sizeof *p);
    for (size_t i = 0; i < at->convs; i++) { /* padded planes are zero, and so are their weights */
        size_t in = i == 0 ? s->planes : s->channels;
        for (size_t tap = 0; tap < 9; tap++)
            fill(p + at->weight[i] + tap * at->in[i] * s->channels, in, s->channels, s->channels,
                 sqrt(2.0 / (9.0 * (double)in)), random);
    }
    for (size_t i = 0; i <= at->convs; i++)
        for (size_t c = 0; c < (i < at->convs ? s->channels : NET_PANEL); c++)
            p[at->gamma[i] + c] = n->statistics[at->variance[i] + c] = 1;
    fill(p + at->head, s->channels, s->policy_channels + s->value_channels, NET_PANEL,
         sqrt(2.0 / s->channels), random);
    /* The last layers begin small: no opinion yet. */
    fill(p + at->policy, at->policy_inputs, s->policy, at->logits, 0.3 / sqrt((double)at->policy_inputs),
         random);
    fill(p + at->hidden, at->hidden_inputs, s->value_hidden, s->value_hidden,
         sqrt(2.0 / (double)at->hidden_inputs), random);
    fill(p + at->value, 1, s->value_hidden, s->value_hidden, 0.3 / sqrt((double)s->value_hidden), random);
}
