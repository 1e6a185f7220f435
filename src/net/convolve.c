/* SPDX-License-Identifier: MIT */

/* 3x3 convolutions by Winograd's F(4x4,3x3) (Lavin and Gray 2016): boards and weights are transformed to 36 planes, a convolution
 * is one product of matrices in each plane, and the sums are transformed back. 2.25 multiplications for a pixel instead of 9. */

#include "net/net.h"

#include <string.h>

/* Three weights of a line to the six of its transform. */
static const float transform[6][3] = {
    {1.0F / 4, 0, 0},
    {-1.0F / 6, -1.0F / 6, -1.0F / 6},
    {-1.0F / 6, 1.0F / 6, -1.0F / 6},
    {1.0F / 24, 1.0F / 12, 1.0F / 6},
    {1.0F / 24, -1.0F / 12, 1.0F / 6},
    {0, 0, 1},
};

size_t net_spread_size(const net_shape *shape, size_t channels)
{
    return NET_TAPS * NET_BLOCK * net_tiles(shape->height, shape->width) * (channels + NET_PAD);
}

size_t net_packed_size(size_t in, size_t out)
{
    return NET_TAPS * in * out;
}

/* The nine taps of one input and NET_PANEL outputs to 36; plane i of the result is `step` floats behind plane i - 1. */
static void pack_panel(float taps[9][NET_PANEL], float *packed, size_t step)
{
    float half[6][3][NET_PANEL];
    for (size_t i = 0; i < 6; i++)
        for (size_t x = 0; x < 3; x++)
            for (size_t c = 0; c < NET_PANEL; c++)
                half[i][x][c] = transform[i][0] * taps[x][c] + transform[i][1] * taps[3 + x][c] +
                                transform[i][2] * taps[6 + x][c];
    for (size_t i = 0; i < 6; i++)
        for (size_t k = 0; k < 6; k++)
            for (size_t c = 0; c < NET_PANEL; c++)
                packed[(6 * i + k) * step + c] = transform[k][0] * half[i][0][c] +
                                                 transform[k][1] * half[i][1][c] +
                                                 transform[k][2] * half[i][2][c];
}

void net_pack(const float *weights, size_t in, size_t out, const float *scale, bool back, float *packed)
{
    size_t from = back ? out : in, to = back ? in : out;
    float taps[9][NET_PANEL];
    for (size_t panel = 0; panel < to; panel += NET_PANEL)
        for (size_t f = 0; f < from; f++) {
            for (size_t tap = 0; tap < 9; tap++)
                for (size_t c = 0; c < NET_PANEL; c++) /* backwards the taps are turned round */
                    taps[tap][c] = back ? weights[((8 - tap) * in + panel + c) * out + f]
                                        : weights[(tap * in + f) * out + panel + c] *
                                              (scale != NULL ? scale[panel + c] : 1);
            pack_panel(taps, packed + panel * from + f * NET_PANEL, from * to);
        }
}

/* Blocks of 3 boards: their 12 tiles are two full blocks of rows, and both transforms stay in the second cache. 1.23x over 12
 * boards, 1.4x over 8 (`holos bench net`, tower, batch 16, on a core with 1 MiB). */
void net_convolve(const net_kernels *k, const net_shape *shape, net_room *room, size_t boards,
                  const float *in, size_t in_channels, const float *packed, size_t out_channels,
                  net_finish finish, float *out)
{
    size_t rows = boards * net_tiles(shape->height, shape->width);
    net_boards b = {
        .boards = boards, .height = shape->height, .width = shape->width, .channels = in_channels};
    size_t in_row = in_channels + NET_PAD, out_row = out_channels + NET_PAD;
    k->spread(&b, in, room->spread, rows * in_row);
    net_product p = {.rows = rows,
                     .columns = out_channels,
                     .depth = in_channels,
                     .a_row = in_row,
                     .a_step = 1,
                     .b_panel = in_channels * NET_PANEL,
                     .b_step = NET_PANEL,
                     .c_row = out_row};
    for (size_t tap = 0; tap < NET_TAPS; tap++) {
        p.a = room->spread + tap * rows * in_row;
        p.b = packed + tap * in_channels * out_channels;
        p.c = room->sums + tap * rows * out_row;
        k->product(&p);
    }
    b.channels = out_channels;
    k->gather(&b, room->sums, rows * out_row, finish, out);
}
