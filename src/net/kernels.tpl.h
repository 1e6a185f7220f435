/* SPDX-License-Identifier: MIT */

/* The kernels of kernels.h, for vectors of LANES floats and ROWS rows of a product at a time. Whoever includes this defines both,
 * and KERNELS, the name of the set, with KERNELS_NAME, the same as a string. */

#include "net/kernels.h"

#include <string.h>

/* A vector anywhere in memory; and one in registers. */
typedef float loose __attribute__((vector_size(LANES * sizeof(float)), aligned(sizeof(float)), may_alias));
typedef float vec __attribute__((vector_size(LANES * sizeof(float))));
typedef int bits __attribute__((vector_size(LANES * sizeof(int))));

#define VECTORS (NET_PANEL / LANES)
#define INLINE  static inline __attribute__((always_inline))
#define LOAD(p) (*(const loose *)(p))
#define STORE(p, x)                                                                                          \
    do {                                                                                                     \
        *(loose *)(p) = (x);                                                                                 \
    } while (0)

/* ---- Products ---------------------------------------------------------------------------------- */

/* A block of C, `rows` by NET_PANEL, whose sums stay in registers: 6 x 16 keeps twelve multiply-adds under way. `rows` is constant
 * wherever this is inlined. */
INLINE void block(const size_t rows, const net_product *p, const float *a, const float *b, float *c)
{
    vec sums[ROWS][VECTORS];
#pragma GCC unroll 8
    for (size_t r = 0; r < rows; r++)
#pragma GCC unroll 8
        for (size_t v = 0; v < VECTORS; v++)
            sums[r][v] = p->add ? (vec)LOAD(c + r * p->c_row + v * LANES) : (vec){0};
    for (size_t k = 0; k < p->depth; k++, a += p->a_step, b += p->b_step) {
        vec right[VECTORS];
#pragma GCC unroll 8
        for (size_t v = 0; v < VECTORS; v++)
            right[v] = LOAD(b + v * LANES);
#pragma GCC unroll 8
        for (size_t r = 0; r < rows; r++) {
            vec left = a[r * p->a_row] - (vec){0};
#pragma GCC unroll 8
            for (size_t v = 0; v < VECTORS; v++)
                sums[r][v] += left * right[v];
        }
    }
#pragma GCC unroll 8
    for (size_t r = 0; r < rows; r++)
#pragma GCC unroll 8
        for (size_t v = 0; v < VECTORS; v++)
            STORE(c + r * p->c_row + v * LANES, sums[r][v]);
}

static void product(const net_product *p)
{
    for (size_t column = 0; column < p->columns; column += NET_PANEL) {
        const float *b = p->b + column / NET_PANEL * p->b_panel;
        const float *a = p->a;
        float *c = p->c + column;
        size_t left = p->rows;
        for (; left >= ROWS; left -= ROWS, a += ROWS * p->a_row, c += ROWS * p->c_row)
            block(ROWS, p, a, b, c);
        switch (left) {
#if ROWS > 4
        case 5:
            block(5, p, a, b, c);
            break;
        case 4:
            block(4, p, a, b, c);
            break;
        case 3:
            block(3, p, a, b, c);
            break;
#endif
        case 2:
            block(2, p, a, b, c);
            break;
        case 1:
            block(1, p, a, b, c);
            break;
        default:
            break;
        }
    }
}

/* ---- Winograd F(4x4,3x3) ----------------------------------------------------------------------- */

/* The 36 pixels that a tile looks at, those outside of the board at `nothing`. */
INLINE void tile_window(const net_boards *b, const float *board, const float *nothing, size_t row,
                        size_t column, const float *window[NET_TAPS])
{
    for (int y = 0; y < 6; y++)
        for (int x = 0; x < 6; x++) {
            int at_y = (int)row + y - 1, at_x = (int)column + x - 1;
            bool inside = at_y >= 0 && at_x >= 0 && at_y < (int)b->height && at_x < (int)b->width;
            window[6 * y + x] =
                inside ? board + ((size_t)at_y * b->width + (size_t)at_x) * b->channels : nothing;
        }
}

/* Six values of a line to the six of its transform: B^T of Lavin and Gray. */
#define SPREAD_LINE(d, step)                                                                                 \
    vec d0 = (d)[0], d1 = (d)[step], d2 = (d)[2 * (step)], d3 = (d)[3 * (step)], d4 = (d)[4 * (step)],       \
        d5 = (d)[5 * (step)];                                                                                \
    vec even = d4 - 4 * d2, odd = d3 - 4 * d1, inner = d4 - d2, outer = 2 * (d3 - d1);                       \
    (d)[0] = 4 * d0 - 5 * d2 + d4;                                                                           \
    (d)[step] = even + odd;                                                                                  \
    (d)[2 * (step)] = even - odd;                                                                            \
    (d)[3 * (step)] = inner + outer;                                                                         \
    (d)[4 * (step)] = inner - outer;                                                                         \
    (d)[5 * (step)] = 4 * d1 - 5 * d3 + d5

static void spread(const net_boards *b, const float *in, float *planes, size_t plane)
{
    const float *window[NET_TAPS];
    static const float nothing[LANES];
    for (size_t board = 0; board < b->boards; board++, in += b->height * b->width * b->channels)
        for (size_t row = 0; row < b->height; row += NET_TILE)
            for (size_t column = 0; column < b->width; column += NET_TILE) {
                tile_window(b, in, NULL, row, column, window);
                for (size_t c = 0; c < b->channels; c += LANES) {
                    vec d[NET_TAPS];
                    for (int i = 0; i < NET_TAPS; i++)
                        d[i] = LOAD(window[i] != NULL ? window[i] + c : nothing);
                    for (int i = 0; i < 6; i++) {
                        SPREAD_LINE(d + i, 6);
                    }
                    for (int i = 0; i < 6; i++) {
                        SPREAD_LINE(d + 6 * i, 1);
                    }
                    for (size_t i = 0; i < NET_TAPS; i++)
                        STORE(planes + i * plane + c, d[i]);
                }
                planes += b->channels + NET_PAD;
            }
}

/* Six values to four: A^T. */
#define GATHER_LINE(d, step)                                                                                 \
    vec sum = (d)[step] + (d)[2 * (step)], difference = (d)[step] - (d)[2 * (step)];                         \
    vec sum2 = (d)[3 * (step)] + (d)[4 * (step)], difference2 = (d)[3 * (step)] - (d)[4 * (step)];           \
    (d)[0] += sum + sum2;                                                                                    \
    (d)[step] = difference + 2 * difference2;                                                                \
    (d)[2 * (step)] = sum + 4 * sum2;                                                                        \
    (d)[3 * (step)] = difference + 8 * difference2 + (d)[5 * (step)]

INLINE vec finish_pixel(vec x, const net_finish *finish, size_t at, size_t c)
{
    if (finish->bias != NULL)
        x += LOAD(finish->bias + c);
    if (finish->plus != NULL)
        x += LOAD(finish->plus + at);
    if (finish->relu)
        x = (vec)((bits)x & (x > 0));
    return x;
}

static void gather(const net_boards *b, const float *planes, size_t plane, net_finish finish, float *out)
{
    for (size_t board = 0; board < b->boards; board++)
        for (size_t row = 0; row < b->height; row += NET_TILE)
            for (size_t column = 0; column < b->width; column += NET_TILE) {
                size_t rows = b->height - row < NET_TILE ? b->height - row : NET_TILE;
                size_t columns = b->width - column < NET_TILE ? b->width - column : NET_TILE;
                for (size_t c = 0; c < b->channels; c += LANES) {
                    vec d[NET_TAPS];
                    for (size_t i = 0; i < NET_TAPS; i++)
                        d[i] = LOAD(planes + i * plane + c);
                    for (int i = 0; i < 6; i++) {
                        GATHER_LINE(d + i, 6);
                    }
                    for (size_t i = 0; i < rows; i++) {
                        GATHER_LINE(d + 6 * i, 1);
                        size_t at = ((board * b->height + row + i) * b->width + column) * b->channels + c;
                        for (size_t k = 0; k < columns; k++, at += b->channels)
                            STORE(out + at, finish_pixel(d[6 * i + k], &finish, at, c));
                    }
                }
                planes += b->channels + NET_PAD;
            }
}

/* Four values to six: A. */
#define SCATTER_LINE(d, step)                                                                                \
    vec d0 = (d)[0], d1 = (d)[step], d2 = (d)[2 * (step)], d3 = (d)[3 * (step)];                             \
    vec even = d0 + d2, odd = d1 + d3, even4 = d0 + 4 * d2, odd4 = 2 * d1 + 8 * d3;                          \
    (d)[step] = even + odd;                                                                                  \
    (d)[2 * (step)] = even - odd;                                                                            \
    (d)[3 * (step)] = even4 + odd4;                                                                          \
    (d)[4 * (step)] = even4 - odd4;                                                                          \
    (d)[5 * (step)] = d3

static void spread_gradient(const net_boards *b, const float *gradient, float *planes, size_t plane)
{
    for (size_t board = 0; board < b->boards; board++)
        for (size_t row = 0; row < b->height; row += NET_TILE)
            for (size_t column = 0; column < b->width; column += NET_TILE) {
                for (size_t c = 0; c < b->channels; c += LANES) {
                    vec d[NET_TAPS];
                    memset(d, 0, sizeof d);
                    for (size_t y = row; y < b->height && y < row + NET_TILE; y++)
                        for (size_t x = column; x < b->width && x < column + NET_TILE; x++)
                            d[6 * (y - row) + (x - column)] =
                                LOAD(gradient + ((board * b->height + y) * b->width + x) * b->channels + c);
                    for (int i = 0; i < 4; i++) {
                        SCATTER_LINE(d + i, 6);
                    }
                    for (int i = 0; i < 6; i++) {
                        SCATTER_LINE(d + 6 * i, 1);
                    }
                    for (size_t i = 0; i < NET_TAPS; i++)
                        STORE(planes + i * plane + c, d[i]);
                }
                planes += b->channels + NET_PAD;
            }
}

/* ---- Batch norm -------------------------------------------------------------------------------- */

#define SUM_BLOCK 64 /* pixels that are summed as floats before they are added to the doubles */

static void sums(const float *x, size_t pixels, size_t channels, double *sum, double *square)
{
    for (size_t from = 0; from < pixels; from += SUM_BLOCK) {
        size_t to = from + SUM_BLOCK < pixels ? from + SUM_BLOCK : pixels;
        for (size_t c = 0; c < channels; c += LANES) {
            vec s = {0}, q = {0};
            for (size_t i = from; i < to; i++) {
                vec y = LOAD(x + i * channels + c);
                s += y;
                q += y * y;
            }
            for (size_t k = 0; k < LANES; k++) {
                sum[c + k] += (double)s[k];
                square[c + k] += (double)q[k];
            }
        }
    }
}

static void scale(const float *x, size_t pixels, size_t channels, const float *factor, net_finish finish,
                  float *out)
{
    for (size_t i = 0; i < pixels; i++)
        for (size_t c = 0; c < channels; c += LANES) {
            size_t at = i * channels + c;
            STORE(out + at, finish_pixel(LOAD(x + at) * LOAD(factor + c), &finish, at, c));
        }
}

static void mask(float *gradient, const float *result, size_t count)
{
    for (size_t i = 0; i < count; i += LANES) {
        vec g = LOAD(gradient + i), r = LOAD(result + i);
        STORE(gradient + i, (vec)((bits)g & (r > 0)));
    }
}

static void norm_sums(const float *g, const float *x, size_t pixels, size_t channels, const float *mean,
                      const float *inverse, double *sum, double *total)
{
    for (size_t from = 0; from < pixels; from += SUM_BLOCK) {
        size_t to = from + SUM_BLOCK < pixels ? from + SUM_BLOCK : pixels;
        for (size_t c = 0; c < channels; c += LANES) {
            vec s = {0}, t = {0}, m = LOAD(mean + c), f = LOAD(inverse + c);
            for (size_t i = from; i < to; i++) {
                vec y = LOAD(g + i * channels + c);
                s += y;
                t += y * ((LOAD(x + i * channels + c) - m) * f);
            }
            for (size_t k = 0; k < LANES; k++) {
                sum[c + k] += (double)s[k];
                total[c + k] += (double)t[k];
            }
        }
    }
}

static void norm_back(float *g, const float *x, size_t pixels, size_t channels, const float *mean,
                      const float *inverse, const float *a, const float *b, const float *c)
{
    for (size_t i = 0; i < pixels; i++)
        for (size_t k = 0; k < channels; k += LANES) {
            size_t at = i * channels + k;
            vec normal = (LOAD(x + at) - LOAD(mean + k)) * LOAD(inverse + k);
            STORE(g + at, LOAD(a + k) * LOAD(g + at) - LOAD(b + k) - LOAD(c + k) * normal);
        }
}

const net_kernels KERNELS = {
    .name = KERNELS_NAME,
    .product = product,
    .spread = spread,
    .gather = gather,
    .spread_gradient = spread_gradient,
    .sums = sums,
    .scale = scale,
    .mask = mask,
    .norm_sums = norm_sums,
    .norm_back = norm_back,
};

#undef VECTORS
#undef INLINE
#undef LOAD
#undef STORE
#undef SPREAD_LINE
#undef GATHER_LINE
#undef SCATTER_LINE
#undef SUM_BLOCK
#undef LANES
#undef ROWS
#undef KERNELS
#undef KERNELS_NAME
