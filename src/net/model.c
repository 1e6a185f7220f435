/* SPDX-License-Identifier: MIT */

/* Networks that are ready to evaluate. */

#include "core/mem.h"
#include "net/net.h"

#include <math.h>
#include <string.h>

#define NORM_EPSILON 1e-5F

/* ---- Models ------------------------------------------------------------------------------------ */

/* Hands out pieces of a block; the first time, without a block, it only adds up. */
static float *piece(float *block, size_t *used, size_t count)
{
    float *at = block != NULL ? block + *used : NULL;
    *used += net_padded(count, NET_PANEL);
    return at;
}

static size_t model_pieces(net_model *m)
{
    size_t used = 0, channels = m->shape.channels;
    for (size_t i = 0; i < m->at.convs; i++) {
        m->weights[i] = piece(m->block, &used, net_packed_size(m->at.in[i], channels));
        m->bias[i] = piece(m->block, &used, channels);
    }
    m->head = piece(m->block, &used, channels * NET_PANEL);
    m->head_bias = piece(m->block, &used, NET_PANEL);
    m->rest = piece(m->block, &used, m->at.parameters - m->at.policy);
    return used;
}

holos_status net_model_init(net_model *m, const net *n, holos_error *err)
{
    *m = (net_model){.shape = n->shape, .at = n->at, .kernels = net_kernels_pick()};
    m->size = model_pieces(m) * sizeof(float);
    m->block = mem_alloc(NULL, m->size);
    if (m->block == NULL)
        return mem_error(err, NULL, m->size, "a network");
    model_pieces(m);
    net_model_set(m, n);
    return HOLOS_OK;
}

void net_model_free(net_model *m)
{
    if (m->block != NULL)
        mem_free(NULL, m->block, m->size);
    *m = (net_model){0};
}

/* What batch norm does to a channel, once its statistics are fixed: times scale, plus bias. */
static void fold(const net *n, size_t layer, size_t channels, float *scale, float *bias)
{
    for (size_t c = 0; c < channels; c++) {
        scale[c] = n->parameters[n->at.gamma[layer] + c] /
                   sqrtf(n->statistics[n->at.variance[layer] + c] + NORM_EPSILON);
        bias[c] = n->parameters[n->at.beta[layer] + c] - n->statistics[n->at.mean[layer] + c] * scale[c];
    }
}

void net_model_set(net_model *m, const net *n)
{
    float scale[NET_CHANNELS_MOST];
    size_t channels = m->shape.channels;
    for (size_t i = 0; i < m->at.convs; i++) {
        fold(n, i, channels, scale, m->bias[i]);
        net_pack(n->parameters + n->at.weight[i], n->at.in[i], channels, scale, false, m->weights[i]);
    }
    fold(n, m->at.convs, NET_PANEL, scale, m->head_bias);
    for (size_t i = 0; i < channels; i++)
        for (size_t c = 0; c < NET_PANEL; c++)
            m->head[i * NET_PANEL + c] = n->parameters[n->at.head + i * NET_PANEL + c] * scale[c];
    memcpy(m->rest, n->parameters + n->at.policy, (n->at.parameters - n->at.policy) * sizeof(float));
}

/* ---- Rooms ------------------------------------------------------------------------------------- */

static size_t room_pieces(net_room *r, const net_shape *shape)
{
    size_t used = 0, channels = shape->channels;
    size_t widest = channels > net_padded(shape->planes, 8) ? channels : net_padded(shape->planes, 8);
    size_t boards = (size_t)NET_BLOCK * shape->height * shape->width * channels;
    r->spread = piece(r->block, &used, net_spread_size(shape, widest));
    r->sums = piece(r->block, &used, net_spread_size(shape, channels));
    r->in = piece(r->block, &used, boards);
    r->out = piece(r->block, &used, boards);
    return used;
}

holos_status net_room_init(net_room *r, const net_shape *shape, holos_error *err)
{
    *r = (net_room){0};
    r->size = room_pieces(r, shape) * sizeof(float);
    r->block = mem_alloc(NULL, r->size);
    if (r->block == NULL)
        return mem_error(err, NULL, r->size, "a network");
    room_pieces(r, shape);
    return HOLOS_OK;
}

void net_room_free(net_room *r)
{
    if (r->block != NULL)
        mem_free(NULL, r->block, r->size);
    *r = (net_room){0};
}

/* ---- Evaluation -------------------------------------------------------------------------------- */

/* out[k] = bias[k] + the sum of in[pixel][channel] * weights[pixel][channel][k] over `channels` of the head's channels. */
static void linear(const float *in, size_t pixels, size_t channels, const float *weights, const float *bias,
                   size_t outputs, float *out)
{
    memcpy(out, bias, outputs * sizeof *out);
    for (size_t i = 0; i < pixels; i++)
        for (size_t c = 0; c < channels; c++, weights += outputs) {
            float x = in[i * NET_PANEL + c];
            if (x == 0) /* as about half of what leaves a ReLU */
                continue;
            for (size_t k = 0; k < outputs; k++)
                out[k] += x * weights[k];
        }
}

static void heads(const net_model *m, const float *head, float *logits, float *value)
{
    const net_shape *s = &m->shape;
    const net_layout *at = &m->at;
    const float *rest = m->rest - at->policy;
    float hidden[NET_CHANNELS_MOST], sum = rest[at->value_bias];
    size_t pixels = (size_t)s->height * s->width;
    linear(head, pixels, s->policy_channels, rest + at->policy, rest + at->policy_bias, at->logits, logits);
    linear(head + s->policy_channels, pixels, s->value_channels, rest + at->hidden, rest + at->hidden_bias,
           s->value_hidden, hidden);
    for (size_t i = 0; i < s->value_hidden; i++)
        sum += hidden[i] > 0 ? hidden[i] * rest[at->value + i] : 0;
    *value = tanhf(sum);
}

/* The 3x3 convolutions, on at most NET_BLOCK boards. Returns where the result is. */
static const float *tower(const net_model *m, net_room *r, size_t boards, const float *planes)
{
    size_t channels = m->shape.channels;
    float *now = r->in, *other = r->out;
    net_finish finish = {.bias = m->bias[0], .relu = true};
    net_convolve(m->kernels, &m->shape, r, boards, planes, m->at.planes, m->weights[0], channels, finish,
                 now);
    for (size_t i = 1; i < m->at.convs; i++) {
        bool second =
            m->shape.kind == NET_RESIDUAL && i % 2 == 0; /* of a block: its sum goes where it came from */
        float *out = other;
        finish = (net_finish){.bias = m->bias[i], .plus = second ? out : NULL, .relu = true};
        net_convolve(m->kernels, &m->shape, r, boards, now, channels, m->weights[i], channels, finish, out);
        other = now;
        now = out;
    }
    return now;
}

void net_evaluate(const net_model *m, net_room *r, size_t count, const float *planes, float *logits,
                  float *values)
{
    size_t pixels = (size_t)m->shape.height * m->shape.width, channels = m->shape.channels;
    for (size_t from = 0; from < count; from += NET_BLOCK) {
        size_t boards = count - from < NET_BLOCK ? count - from : NET_BLOCK;
        const float *last = tower(m, r, boards, planes + from * pixels * m->at.planes);
        net_product p = {.rows = boards * pixels,
                         .columns = NET_PANEL,
                         .depth = channels,
                         .a = last,
                         .a_row = channels,
                         .a_step = 1,
                         .b = m->head,
                         .b_step = NET_PANEL,
                         .c = r->sums,
                         .c_row = NET_PANEL};
        m->kernels->product(&p);
        for (size_t i = 0; i < boards * pixels; i++)
            for (size_t c = 0; c < NET_PANEL; c++) {
                float x = r->sums[i * NET_PANEL + c] + m->head_bias[c];
                r->sums[i * NET_PANEL + c] = x > 0 ? x : 0;
            }
        for (size_t i = 0; i < boards; i++)
            heads(m, r->sums + i * pixels * NET_PANEL, logits + (from + i) * m->at.logits, values + from + i);
    }
}
