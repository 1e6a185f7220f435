/* SPDX-License-Identifier: MIT */

/* The arithmetic that takes the time: products of matrices, the transforms of Winograd's F(4x4,3x3) and batch norm.
 *
 * One source, kernels.tpl.h, is compiled once for vectors of eight with fused multiply-add (AVX2, FMA) and once for vectors of
 * four, which every machine has. Whoever opens a network picks a set by what the processor can do (net_kernels).
 *
 * Tensors are NHWC: a pixel's channels lie side by side. Channels are multiples of 8 where they are read by a convolution and
 * multiples of NET_PANEL where one writes them. */

#ifndef HOLOS_NET_KERNELS_H
#define HOLOS_NET_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

#define NET_PANEL 16 /* columns of a packed panel of a matrix */
#define NET_TAPS  36 /* points of a transformed tile, 6x6 */
#define NET_TILE  4  /* a tile gives 4x4 pixels */
/* Rows of transformed tensors are so much longer than their channels: without, those of 128 channels fall into the same few sets
 * of the first cache. */
#define NET_PAD 16

/* C = A B, or C += A B with `add`. A(row, k) is a[row * row_step + k * step]; B(k, column) is in panels of NET_PANEL columns,
 * b[panel * b_panel + k * b_step + column]; rows of C are c_step apart. `columns` is a multiple of NET_PANEL. */
typedef struct net_product {
    size_t rows, columns, depth;
    const float *a;
    size_t a_row, a_step;
    const float *b;
    size_t b_panel, b_step;
    float *c;
    size_t c_row;
    bool add;
} net_product;

/* The boards of a tensor, and the tiles that cover one. */
typedef struct net_boards {
    size_t boards, height, width, channels;
} net_boards;

/* What happens to the sums of a convolution on their way out. */
typedef struct net_finish {
    const float *bias; /* NULL: none */
    const float *plus; /* NULL, or a tensor like the result that is added */
    bool relu;
} net_finish;

typedef struct net_kernels {
    const char *name; /* "avx2" */
    void (*product)(const net_product *p);
    /* Boards to the 36 planes of their tiles: planes[tap * plane + tile * (channels + NET_PAD) + channel]. */
    void (*spread)(const net_boards *b, const float *in, float *planes, size_t plane);
    /* And back. */
    void (*gather)(const net_boards *b, const float *planes, size_t plane, net_finish finish, float *out);
    /* The transpose of `gather`: what a gradient of the pixels is to the planes. */
    void (*spread_gradient)(const net_boards *b, const float *gradient, float *planes, size_t plane);
    /* Sums of x and of x squared by channel, over so many pixels. */
    void (*sums)(const float *x, size_t pixels, size_t channels, double *sum, double *square);
    /* out = relu?(x * scale + shift + plus?), by channel. */
    void (*scale)(const float *x, size_t pixels, size_t channels, const float *factor, net_finish finish,
                  float *out);
    /* Clears a gradient where the result of a ReLU was not above zero. */
    void (*mask)(float *gradient, const float *result, size_t count);
    /* Batch norm backwards, first step: sums of g and of g * (x - mean) * inverse, by channel. */
    void (*norm_sums)(const float *g, const float *x, size_t pixels, size_t channels, const float *mean,
                      const float *inverse, double *sum, double *product);
    /* Second step, g = a * g - b - c * (x - mean) * inverse, by channel, in place. */
    void (*norm_back)(float *g, const float *x, size_t pixels, size_t channels, const float *mean,
                      const float *inverse, const float *a, const float *b, const float *c);
} net_kernels;

extern const net_kernels net_kernels_portable;
extern const net_kernels net_kernels_avx2;

/* The fastest set that this processor has and HOLOS_CPU allows. */
const net_kernels *net_kernels_pick(void);

/* Tiles of one board. */
static inline size_t net_tiles(size_t height, size_t width)
{
    return (height + NET_TILE - 1) / NET_TILE * ((width + NET_TILE - 1) / NET_TILE);
}

#endif
