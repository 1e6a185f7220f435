/* SPDX-License-Identifier: MIT */

/* Forward, backward, and a step. */

#include "net/train.h"

#include "core/mem.h"

#include <math.h>
#include <string.h>

#define NORM_EPSILON 1e-5
#define ADAM_EPSILON 1e-8

net_training net_training_usual(void)
{
    return (net_training){.method = NET_ADAM,
                          .decay = 1e-4,
                          .momentum = 0.9,
                          .second = 0.999,
                          .norm_share = 0.1,
                          .value_weight = 1};
}

/* ---- Memory ------------------------------------------------------------------------------------ */

static float *piece(net_trainer *t, size_t *used, size_t count)
{
    float *at = t->block != NULL ? t->block + *used : NULL;
    *used += net_padded(count, NET_PANEL);
    return at;
}

static size_t pieces(net_trainer *t)
{
    const net_shape *s = &t->net->shape;
    const net_layout *at = &t->net->at;
    size_t used = 0, pixels = t->batch * s->height * s->width;
    t->gradient = piece(t, &used, at->parameters);
    t->first = piece(t, &used, at->parameters);
    t->second = piece(t, &used, at->parameters);
    size_t widest = s->channels > at->planes ? s->channels : at->planes;
    t->packed = piece(t, &used, net_packed_size(widest, s->channels));
    t->raised = piece(t, &used, net_packed_size(widest, s->channels));
    for (size_t i = 0; i <= at->convs; i++) {
        size_t channels = i < at->convs ? s->channels : NET_PANEL;
        t->raw[i] = piece(t, &used, pixels * channels);
        t->active[i] = piece(t, &used, pixels * channels);
        t->mean[i] = piece(t, &used, channels);
        t->inverse[i] = piece(t, &used, channels);
    }
    t->back = piece(t, &used, pixels * s->channels);
    t->side = piece(t, &used, pixels * s->channels);
    t->head_back = piece(t, &used, pixels * NET_PANEL);
    t->logits = piece(t, &used, t->batch * at->logits);
    t->hidden = piece(t, &used, t->batch * s->value_hidden);
    t->hidden_back = piece(t, &used, t->batch * s->value_hidden);
    t->turned = piece(t, &used, (size_t)s->channels * NET_PANEL);
    t->values = piece(t, &used, t->batch);
    return used;
}

holos_status net_trainer_init(net_trainer *t, net *n, const net_training *how, size_t batch, holos_error *err)
{
    *t = (net_trainer){.net = n, .how = *how, .kernels = net_kernels_pick(), .batch = batch};
    holos_status status = net_room_init(&t->room, &n->shape, err);
    if (status != HOLOS_OK)
        return status;
    t->size = pieces(t) * sizeof(float);
    t->block = mem_alloc(NULL, t->size);
    if (t->block == NULL)
        return mem_error(err, NULL, t->size, "training a network");
    pieces(t);
    return HOLOS_OK;
}

void net_trainer_free(net_trainer *t)
{
    if (t->block != NULL)
        mem_free(NULL, t->block, t->size);
    net_room_free(&t->room);
    *t = (net_trainer){0};
}

/* ---- Convolutions ------------------------------------------------------------------------------ */

/* Boards from `in` through a packed convolution to `out`, block by block. */
static void convolve(net_trainer *t, size_t boards, const float *in, size_t in_channels, size_t out_channels,
                     net_finish finish, float *out)
{
    const net_shape *s = &t->net->shape;
    size_t pixels = (size_t)s->height * s->width;
    for (size_t from = 0; from < boards; from += NET_BLOCK) {
        size_t count = boards - from < NET_BLOCK ? boards - from : NET_BLOCK;
        net_convolve(t->kernels, s, &t->room, count, in + from * pixels * in_channels, in_channels, t->packed,
                     out_channels, finish, out + from * pixels * out_channels);
    }
}

/* G^T of the transformed weights' gradient: six values of a line back to the three of the weights. */
static void lower_line(const float *six, size_t step, float three[3])
{
    float sum = six[step] + six[2 * step], difference = six[2 * step] - six[step];
    float sum2 = six[3 * step] + six[4 * step], difference2 = six[3 * step] - six[4 * step];
    three[0] = six[0] / 4 - sum / 6 + sum2 / 24;
    three[1] = difference / 6 + difference2 / 12;
    three[2] = -sum / 6 + sum2 / 6 + six[5 * step];
}

static void lower(const float *raised, size_t count, float *gradient)
{
    for (size_t i = 0; i < count; i++) {
        float half[3][6], three[3];
        for (size_t x = 0; x < 6; x++) {
            lower_line(raised + x * count + i, 6 * count, three);
            for (size_t y = 0; y < 3; y++)
                half[y][x] = three[y];
        }
        for (size_t y = 0; y < 3; y++) {
            lower_line(half[y], 1, three);
            for (size_t x = 0; x < 3; x++)
                gradient[(3 * y + x) * count + i] = three[x];
        }
    }
}

/* The gradient of a convolution's weights, from what came in and the gradient of what went out: in the planes of Winograd, where it
 * is a product of matrices, too. */
static void weights_back(net_trainer *t, size_t layer, size_t boards, const float *in, const float *back)
{
    const net_shape *s = &t->net->shape;
    size_t in_channels = t->net->at.in[layer], out_channels = s->channels;
    size_t pixels = (size_t)s->height * s->width, tiles = net_tiles(s->height, s->width);
    size_t in_row = in_channels + NET_PAD, out_row = out_channels + NET_PAD;
    memset(t->raised, 0, net_packed_size(in_channels, out_channels) * sizeof(float));
    for (size_t from = 0; from < boards; from += NET_BLOCK) {
        size_t count = boards - from < NET_BLOCK ? boards - from : NET_BLOCK, rows = count * tiles;
        net_boards b = {.boards = count, .height = s->height, .width = s->width, .channels = in_channels};
        t->kernels->spread(&b, in + from * pixels * in_channels, t->room.spread, rows * in_row);
        b.channels = out_channels;
        t->kernels->spread_gradient(&b, back + from * pixels * out_channels, t->room.sums, rows * out_row);
        for (size_t tap = 0; tap < NET_TAPS; tap++) {
            net_product p = {.rows = in_channels,
                             .columns = out_channels,
                             .depth = rows,
                             .a = t->room.spread + tap * rows * in_row,
                             .a_row = 1,
                             .a_step = in_row,
                             .b = t->room.sums + tap * rows * out_row,
                             .b_panel = NET_PANEL,
                             .b_step = out_row,
                             .c = t->raised + tap * in_channels * out_channels,
                             .c_row = out_channels,
                             .add = true};
            t->kernels->product(&p);
        }
    }
    lower(t->raised, in_channels * out_channels, t->gradient + t->net->at.weight[layer]);
}

/* ---- Batch norm -------------------------------------------------------------------------------- */

static size_t channels_of(const net_trainer *t, size_t layer)
{
    return layer < t->net->at.convs ? t->net->shape.channels : NET_PANEL;
}

/* From t->raw to t->active; `plus` is added before the ReLU unless it is NULL. */
static void norm(net_trainer *t, size_t layer, size_t pixels, const float *plus)
{
    double sum[NET_CHANNELS_MOST] = {0}, square[NET_CHANNELS_MOST] = {0};
    float factor[NET_CHANNELS_MOST], shift[NET_CHANNELS_MOST];
    net *n = t->net;
    size_t channels = channels_of(t, layer);
    double share = t->how.norm_share, count = (double)pixels;
    t->kernels->sums(t->raw[layer], pixels, channels, sum, square);
    for (size_t c = 0; c < channels; c++) {
        double mean = sum[c] / count, variance = square[c] / count - mean * mean;
        variance = variance > 0 ? variance : 0;
        float *running = n->statistics + n->at.mean[layer] + c;
        float *spread = n->statistics + n->at.variance[layer] + c;
        *running = (float)((1 - share) * (double)*running + share * mean);
        *spread = (float)((1 - share) * (double)*spread +
                          share * variance * (pixels > 1 ? count / (count - 1) : 1));
        t->mean[layer][c] = (float)mean;
        t->inverse[layer][c] = (float)(1 / sqrt(variance + NORM_EPSILON));
        factor[c] = n->parameters[n->at.gamma[layer] + c] * t->inverse[layer][c];
        shift[c] = n->parameters[n->at.beta[layer] + c] - (float)mean * factor[c];
    }
    t->kernels->scale(t->raw[layer], pixels, channels, factor,
                      (net_finish){.bias = shift, .plus = plus, .relu = true}, t->active[layer]);
}

/* The gradient `back` of what left batch norm, already zero where the ReLU was, becomes that of what entered it. */
static void norm_back(net_trainer *t, size_t layer, size_t pixels, float *back)
{
    double sum[NET_CHANNELS_MOST] = {0}, product[NET_CHANNELS_MOST] = {0};
    float a[NET_CHANNELS_MOST], b[NET_CHANNELS_MOST], c[NET_CHANNELS_MOST];
    const net_layout *at = &t->net->at;
    size_t channels = channels_of(t, layer);
    t->kernels->norm_sums(back, t->raw[layer], pixels, channels, t->mean[layer], t->inverse[layer], sum,
                          product);
    for (size_t i = 0; i < channels; i++) {
        t->gradient[at->beta[layer] + i] = (float)sum[i];
        t->gradient[at->gamma[layer] + i] = (float)product[i];
        a[i] = t->net->parameters[at->gamma[layer] + i] * t->inverse[layer][i];
        b[i] = a[i] * (float)(sum[i] / (double)pixels);
        c[i] = a[i] * (float)(product[i] / (double)pixels);
    }
    t->kernels->norm_back(back, t->raw[layer], pixels, channels, t->mean[layer], t->inverse[layer], a, b, c);
}

/* ---- Heads ------------------------------------------------------------------------------------- */

/* A linear layer on `channels` of the head's channels, from the channel at `in` on. */
static void linear(const float *in, size_t pixels, size_t channels, const float *weights, const float *bias,
                   size_t outputs, float *out)
{
    memcpy(out, bias, outputs * sizeof *out);
    for (size_t i = 0; i < pixels; i++)
        for (size_t c = 0; c < channels; c++, weights += outputs)
            for (size_t k = 0; k < outputs; k++)
                out[k] += in[i * NET_PANEL + c] * weights[k];
}

static void linear_back(const float *in, size_t pixels, size_t channels, const float *weights, size_t outputs,
                        const float *out_back, float *weights_gradient, float *bias_gradient, float *in_back)
{
    for (size_t k = 0; k < outputs; k++)
        bias_gradient[k] += out_back[k];
    for (size_t i = 0; i < pixels; i++)
        for (size_t c = 0; c < channels; c++, weights += outputs, weights_gradient += outputs) {
            float x = in[i * NET_PANEL + c], sum = 0;
            for (size_t k = 0; k < outputs; k++) {
                weights_gradient[k] += x * out_back[k];
                sum += weights[k] * out_back[k];
            }
            in_back[i * NET_PANEL + c] = sum;
        }
}

/* The logits become the gradient of the loss by them. */
static double policy_loss(const net_shape *s, const float *target, size_t padded, float share, float *logits)
{
    float most = logits[0];
    double sum = 0, loss = 0, given = 0;
    for (size_t i = 1; i < s->policy; i++)
        most = logits[i] > most ? logits[i] : most;
    for (size_t i = 0; i < s->policy; i++) {
        sum += exp((double)(logits[i] - most));
        given += (double)target[i];
    }
    for (size_t i = 0; i < s->policy; i++) {
        double log_share = (double)(logits[i] - most) - log(sum);
        loss -= (double)target[i] * log_share;
        logits[i] = share * (float)(given * exp(log_share) - (double)target[i]);
    }
    memset(logits + s->policy, 0, (padded - s->policy) * sizeof *logits);
    return loss;
}

static void heads_forward(net_trainer *t, size_t board)
{
    const net_shape *s = &t->net->shape;
    const net_layout *at = &t->net->at;
    const float *p = t->net->parameters;
    size_t pixels = (size_t)s->height * s->width;
    const float *head = t->active[at->convs] + board * pixels * NET_PANEL;
    float *hidden = t->hidden + board * s->value_hidden, sum = p[at->value_bias];
    linear(head, pixels, s->policy_channels, p + at->policy, p + at->policy_bias, at->logits,
           t->logits + board * at->logits);
    linear(head + s->policy_channels, pixels, s->value_channels, p + at->hidden, p + at->hidden_bias,
           s->value_hidden, hidden);
    for (size_t i = 0; i < s->value_hidden; i++) {
        hidden[i] = hidden[i] > 0 ? hidden[i] : 0;
        sum += hidden[i] * p[at->value + i];
    }
    t->values[board] = tanhf(sum);
}

/* One board's losses, and the gradients of the heads down to the channels of the 1x1 convolution. */
static void heads_back(net_trainer *t, const net_batch *batch, size_t board, net_loss *loss)
{
    const net_shape *s = &t->net->shape;
    const net_layout *at = &t->net->at;
    const float *p = t->net->parameters;
    float *g = t->gradient, share = 1.0F / (float)batch->count;
    size_t pixels = (size_t)s->height * s->width;
    const float *head = t->active[at->convs] + board * pixels * NET_PANEL;
    float *head_back = t->head_back + board * pixels * NET_PANEL, *logits = t->logits + board * at->logits;
    float *hidden = t->hidden + board * s->value_hidden, *back = t->hidden_back + board * s->value_hidden;
    float value = t->values[board], error = value - batch->values[board];
    loss->policy +=
        policy_loss(s, batch->policy + board * at->logits, at->logits, share, logits) / (double)batch->count;
    loss->value += (double)error * (double)error / (double)batch->count;
    float sum_back = share * 2 * (float)t->how.value_weight * error * (1 - value * value);
    g[at->value_bias] += sum_back;
    for (size_t i = 0; i < s->value_hidden; i++) {
        g[at->value + i] += sum_back * hidden[i];
        back[i] = hidden[i] > 0 ? sum_back * p[at->value + i] : 0;
    }
    linear_back(head, pixels, s->policy_channels, p + at->policy, at->logits, logits, g + at->policy,
                g + at->policy_bias, head_back);
    linear_back(head + s->policy_channels, pixels, s->value_channels, p + at->hidden, s->value_hidden, back,
                g + at->hidden, g + at->hidden_bias, head_back + s->policy_channels);
}

/* ---- Forward and backward ---------------------------------------------------------------------- */

static bool ends_block(const net_trainer *t, size_t layer)
{
    return t->net->shape.kind == NET_RESIDUAL && layer > 0 && layer % 2 == 0;
}

static void forward(net_trainer *t, const net_batch *batch)
{
    const net *n = t->net;
    size_t channels = n->shape.channels, pixels = batch->count * n->shape.height * n->shape.width;
    const float *in = batch->planes;
    for (size_t i = 0; i < n->at.convs; i++) {
        net_pack(n->parameters + n->at.weight[i], n->at.in[i], channels, NULL, false, t->packed);
        convolve(t, batch->count, in, n->at.in[i], channels, (net_finish){0}, t->raw[i]);
        norm(t, i, pixels, ends_block(t, i) ? t->active[i - 2] : NULL);
        in = t->active[i];
    }
    net_product head = {.rows = pixels,
                        .columns = NET_PANEL,
                        .depth = channels,
                        .a = in,
                        .a_row = channels,
                        .a_step = 1,
                        .b = n->parameters + n->at.head,
                        .b_step = NET_PANEL,
                        .c = t->raw[n->at.convs],
                        .c_row = NET_PANEL};
    t->kernels->product(&head);
    norm(t, n->at.convs, pixels, NULL);
    for (size_t i = 0; i < batch->count; i++)
        heads_forward(t, i);
}

/* From the gradient of the 1x1 convolution's channels to that of the last convolution's, in t->back. */
static void head_back(net_trainer *t, size_t pixels)
{
    const net *n = t->net;
    size_t channels = n->shape.channels, last = n->at.convs;
    t->kernels->mask(t->head_back, t->active[last], pixels * NET_PANEL);
    norm_back(t, last, pixels, t->head_back);
    memset(t->gradient + n->at.head, 0, channels * NET_PANEL * sizeof(float));
    net_product weights = {.rows = channels,
                           .columns = NET_PANEL,
                           .depth = pixels,
                           .a = t->active[last - 1],
                           .a_row = 1,
                           .a_step = channels,
                           .b = t->head_back,
                           .b_step = NET_PANEL,
                           .c = t->gradient + n->at.head,
                           .c_row = NET_PANEL};
    t->kernels->product(&weights);
    for (size_t i = 0; i < channels; i++) /* in panels, with rows and columns exchanged */
        for (size_t k = 0; k < NET_PANEL; k++)
            t->turned[(i / NET_PANEL * NET_PANEL + k) * NET_PANEL + i % NET_PANEL] =
                n->parameters[n->at.head + i * NET_PANEL + k];
    net_product back = {.rows = pixels,
                        .columns = channels,
                        .depth = NET_PANEL,
                        .a = t->head_back,
                        .a_row = NET_PANEL,
                        .a_step = 1,
                        .b = t->turned,
                        .b_panel = NET_PANEL * NET_PANEL,
                        .b_step = NET_PANEL,
                        .c = t->back,
                        .c_row = channels};
    t->kernels->product(&back);
}

static void tower_back(net_trainer *t, const net_batch *batch)
{
    const net *n = t->net;
    size_t channels = n->shape.channels, pixels = batch->count * n->shape.height * n->shape.width;
    for (size_t i = n->at.convs; i-- > 0;) {
        t->kernels->mask(t->back, t->active[i], pixels * channels);
        if (ends_block(t, i)) /* what goes round the block, for the sum at its beginning */
            memcpy(t->side, t->back, pixels * channels * sizeof(float));
        norm_back(t, i, pixels, t->back);
        weights_back(t, i, batch->count, i > 0 ? t->active[i - 1] : batch->planes, t->back);
        if (i == 0)
            return;
        bool begins = n->shape.kind == NET_RESIDUAL && i % 2 == 1;
        net_pack(n->parameters + n->at.weight[i], channels, channels, NULL, true, t->packed);
        convolve(t, batch->count, t->back, channels, channels, (net_finish){0}, t->back);
        if (begins)
            for (size_t k = 0; k < pixels * channels; k++)
                t->back[k] += t->side[k];
    }
}

/* L2 on the weights of convolutions and linear layers. */
static double decay(net_trainer *t)
{
    const net_layout *at = &t->net->at;
    const float *p = t->net->parameters;
    const struct {
        size_t from, to;
    } parts[] = {
        {0, at->gamma[0]},
        {at->head, at->policy_bias},
        {at->hidden, at->hidden_bias},
        {at->value, at->value_bias},
    };
    double squares = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (size_t k = parts[i].from; k < parts[i].to; k++) {
            squares += (double)p[k] * (double)p[k];
            t->gradient[k] += (float)t->how.decay * p[k];
        }
    return t->how.decay / 2 * squares;
}

net_loss net_trainer_look(net_trainer *t, const net_batch *batch)
{
    const net_layout *at = &t->net->at;
    net_loss loss = {0};
    forward(t, batch);
    memset(t->gradient + at->policy, 0, (at->parameters - at->policy) * sizeof(float));
    memset(t->head_back, 0,
           batch->count * t->net->shape.height * t->net->shape.width * NET_PANEL * sizeof(float));
    for (size_t i = 0; i < batch->count; i++)
        heads_back(t, batch, i, &loss);
    head_back(t, batch->count * t->net->shape.height * t->net->shape.width);
    tower_back(t, batch);
    loss.decay = decay(t);
    return loss;
}

/* ---- A step ------------------------------------------------------------------------------------ */

static void step_adam(net_trainer *t, double rate)
{
    float first = (float)t->how.momentum, second = (float)t->how.second;
    double correct1 = 1 - pow(t->how.momentum, (double)t->steps);
    double correct2 = 1 - pow(t->how.second, (double)t->steps);
    float size = (float)(rate * sqrt(correct2) / correct1), epsilon = (float)(ADAM_EPSILON * sqrt(correct2));
    for (size_t i = 0; i < t->net->at.parameters; i++) {
        float g = t->gradient[i];
        t->first[i] = first * t->first[i] + (1 - first) * g;
        t->second[i] = second * t->second[i] + (1 - second) * g * g;
        t->net->parameters[i] -= size * t->first[i] / (sqrtf(t->second[i]) + epsilon);
    }
}

static void step_momentum(net_trainer *t, double rate)
{
    float keep = (float)t->how.momentum;
    for (size_t i = 0; i < t->net->at.parameters; i++) {
        t->first[i] = keep * t->first[i] + t->gradient[i];
        t->net->parameters[i] -= (float)rate * t->first[i];
    }
}

net_loss net_trainer_step(net_trainer *t, const net_batch *batch, double rate)
{
    net_loss loss = net_trainer_look(t, batch);
    t->steps++;
    if (t->how.method == NET_ADAM)
        step_adam(t, rate);
    else
        step_momentum(t, rate);
    return loss;
}
