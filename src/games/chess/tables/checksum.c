/* SPDX-License-Identifier: MIT */

#include "games/chess/tables/checksum.h"

#include "core/bytes.h"

#include <stdlib.h>
#include <string.h>

/* ---- What CityHash is made of ------------------------------------------------------------------ */

#define K0    0xc3a5c85c97cb3127u
#define K1    0xb492b66fbe98f273u
#define K2    0x9ae16a3b2f90404fu
#define K3    0xc949d7c7509e6557u
#define K_MIX 0x9ddfea08eb382d69u

typedef struct pair {
    uint64_t first, second;
} pair;

static uint64_t turn(uint64_t value, unsigned bits)
{
    return bits == 0 ? value : value >> bits | value << (64 - bits);
}

static uint64_t fold(uint64_t value)
{
    return value ^ value >> 47;
}

static uint64_t mix(uint64_t low, uint64_t high)
{
    uint64_t once = fold((low ^ high) * K_MIX);
    return fold((high ^ once) * K_MIX) * K_MIX;
}

/* 32 bytes and two seeds to 16 bytes. */
static pair weak(const unsigned char *bytes, uint64_t a, uint64_t b)
{
    uint64_t last = get64(bytes + 24), start = a + get64(bytes), sum = start;
    b = turn(b + start + last, 21);
    sum += get64(bytes + 8) + get64(bytes + 16);
    b += turn(sum, 44);
    return (pair){sum + last, b + start};
}

/* ---- 128 bits: for the digests of the chunks, so sizes are multiples of 16 ---------------------- */

/* Fewer than 128 bytes. */
static pair short_hash(const unsigned char *bytes, size_t size, pair seed)
{
    uint64_t a = seed.first, b = seed.second, c, d;
    if (size == 16) {
        uint64_t x = get64(bytes), y = get64(bytes + 8);
        a = fold(a * K1) * K1;
        c = b * K1 + (mix(x, turn(y + 16, 16)) ^ y);
        d = fold(a + x);
    } else {
        c = mix(get64(bytes + size - 8) + K1, a);
        d = mix(b + size, c + get64(bytes + size - 16));
        a += d;
        for (size_t i = 0; i + 16 < size; i += 16) {
            a = (a ^ fold(get64(bytes + i) * K1) * K1) * K1;
            b ^= a;
            c = (c ^ fold(get64(bytes + i + 8) * K1) * K1) * K1;
            d ^= c;
        }
    }
    uint64_t low = mix(a, c), high = mix(d, b);
    return (pair){low ^ high, mix(high, low)};
}

typedef struct long_state {
    pair v, w;
    uint64_t x, y, z;
} long_state;

static void long_step(long_state *s, const unsigned char *bytes)
{
    s->x = turn(s->x + s->y + s->v.first + get64(bytes + 8), 37) * K1 ^ s->w.second;
    s->y = turn(s->y + s->v.second + get64(bytes + 48), 42) * K1 + s->v.first + get64(bytes + 40);
    s->z = turn(s->z + s->w.first, 33) * K1;
    s->v = weak(bytes, s->v.second * K1, s->x + s->w.first);
    s->w = weak(bytes + 32, s->z + s->w.second, s->y + get64(bytes + 16));
    uint64_t x = s->x;
    s->x = s->z;
    s->z = x;
}

/* The last bytes, fewer than 128, in pieces of 32 from the end. */
static void long_tail(long_state *s, const unsigned char *bytes, size_t size)
{
    for (size_t done = 32; done < size + 32; done += 32) {
        const unsigned char *piece = bytes + size - done;
        s->y = turn(s->x + s->y, 42) * K0 + s->v.second;
        s->w.first += get64(piece + 16);
        s->x = s->x * K0 + s->w.first;
        s->z += s->w.second + get64(piece);
        s->w.second += s->v.first;
        s->v = weak(piece, s->v.first + s->z, s->v.second);
    }
}

static pair long_hash(const unsigned char *bytes, size_t size, pair seed)
{
    long_state s = {.x = seed.first, .y = seed.second, .z = size * K1};
    s.v.first = turn(s.y ^ K1, 49) * K1 + get64(bytes);
    s.v.second = turn(s.v.first, 42) * K1 + get64(bytes + 8);
    s.w.first = turn(s.y + s.z, 35) * K1 + s.x;
    s.w.second = turn(s.x + get64(bytes + 88), 53) * K1;
    for (; size >= 128; size -= 128, bytes += 128) {
        long_step(&s, bytes);
        long_step(&s, bytes + 64);
    }
    s.x += turn(s.v.first + s.z, 49) * K0;
    s.z += turn(s.w.first, 37) * K0;
    long_tail(&s, bytes, size);
    uint64_t x = mix(s.x, s.v.first), y = mix(s.y + s.z, s.w.first);
    return (pair){mix(x + s.v.second, s.w.second) + y, mix(x + s.w.second, y + s.v.second)};
}

/* ---- 256 bits: for chunks ---------------------------------------------------------------------- */

enum { LANES = 5, STEP = 8 * LANES, ROUND = 6 * STEP };

typedef struct lanes {
    uint64_t value[LANES], next, crc[LANES];
} lanes;

/* CRC-32C of eight more bytes: a processor with SSE 4.2 has an instruction for it. */
static uint32_t crc_plain(uint64_t crc, uint64_t value)
{
    uint64_t rest = (uint32_t)crc ^ value;
    for (unsigned i = 0; i < 64; i++)
        rest = rest >> 1 ^ (0x82f63b78u & -(rest & 1));
    return (uint32_t)rest;
}

/* One of the two bindings of a round, of size 240: the plain one, or that of the instruction. */
#define LANES_STEP(l, bytes, multiplier, z, crc_of)                                                          \
    do {                                                                                                     \
        static const unsigned turns[LANES] = {41, 27, 41, 33, 25};                                           \
        uint64_t before[LANES + 1];                                                                          \
        memcpy(before, (l)->value, sizeof(l)->value);                                                        \
        before[LANES] = (l)->next;                                                                           \
        (l)->next = before[0];                                                                               \
        for (unsigned lane = 0; lane < LANES; lane++) {                                                      \
            (l)->value[lane] =                                                                               \
                turn(before[lane + 1], turns[lane] ^ (z)) * (multiplier) + get64((bytes) + 8 * lane);        \
            (l)->crc[lane] = crc_of((l)->crc[lane], (l)->value[lane]);                                       \
        }                                                                                                    \
    } while (0)

#define LANES_RUN(l, bytes, size, crc_of)                                                                    \
    do {                                                                                                     \
        const unsigned char *at = (bytes);                                                                   \
        size_t left = (size);                                                                                \
        for (; left >= ROUND; left -= ROUND)                                                                 \
            for (unsigned i = 0; i < 3; i++) {                                                               \
                LANES_STEP(l, at, 1, 1, crc_of);                                                             \
                LANES_STEP(l, at + STEP, K0, 0, crc_of);                                                     \
                at += 2 * STEP;                                                                              \
            }                                                                                                \
        for (; left >= STEP; left -= STEP, at += STEP)                                                       \
            LANES_STEP(l, at, K0, 0, crc_of);                                                                \
        if (left > 0)                                                                                        \
            LANES_STEP(l, at + left - STEP, K0, 0, crc_of);                                                  \
    } while (0)

static void lanes_run_plain(lanes *l, const unsigned char *bytes, size_t size)
{
    LANES_RUN(l, bytes, size, crc_plain);
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) static void lanes_run_fast(lanes *l, const unsigned char *bytes,
                                                             size_t size)
{
    LANES_RUN(l, bytes, size, __builtin_ia32_crc32di);
}
#endif

static void lanes_run(lanes *l, const unsigned char *bytes, size_t size)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("sse4.2")) {
        lanes_run_fast(l, bytes, size);
        return;
    }
#endif
    lanes_run_plain(l, bytes, size);
}

/* At least ROUND bytes. */
static void wide_hash(const unsigned char *bytes, size_t size, uint32_t seed, uint64_t out[4])
{
    lanes l = {.value = {get64(bytes + 56) + K0, get64(bytes + 96) + K0, 0, get64(bytes + 120) * K0 + size,
                         get64(bytes + 184) + seed},
               .crc = {seed}};
    l.value[2] = mix(l.value[1], size);
    uint64_t first = l.value[2], second = l.value[3];
    l.next = first + second;
    lanes_run(&l, bytes, size);
    uint64_t a = l.value[0], b = l.value[1], c = l.value[2], d = l.value[3], e = l.value[4];
    uint64_t f = l.crc[0], g = l.crc[1], h = l.crc[2], i = l.crc[3], j = l.crc[4];
    j += i << 32;
    a = mix(a, j);
    h += g << 32;
    b += h;
    c = mix(c, f) + i;
    d = mix(d, e + first);
    j += e;
    i += mix(h, l.next);
    e = mix(a, d) + j;
    f = mix(b, c) + a;
    g = mix(j, i) + c;
    out[0] = e + f + g + h;
    a = fold((a + g) * K0) * K0 + b;
    out[1] = second + a + out[0];
    a = fold(a * K0) * K0 + c;
    out[2] = a + out[1];
    a = fold((a + e) * K0) * K0;
    out[3] = a + out[2];
}

void checksum_chunk(const unsigned char *bytes, size_t size, uint64_t out[4])
{
    unsigned char padded[ROUND] = {0};
    if (size >= ROUND) {
        wide_hash(bytes, size, 0, out);
        return;
    }
    memcpy(padded, bytes, size);
    wide_hash(padded, ROUND, ~(uint32_t)size, out);
}

/* ---- Both -------------------------------------------------------------------------------------- */

/* Digests of this many bytes are hashed as chunks are. */
#define DIGESTS_WIDE 900

void checksum_chunks(const uint64_t *digests, size_t count, unsigned char out[CHECKSUM_SIZE])
{
    const unsigned char *bytes = (const unsigned char *)digests;
    size_t size = count * 4 * sizeof *digests;
    uint64_t wide[4];
    pair hash;
    if (size > DIGESTS_WIDE) {
        checksum_chunk(bytes, size, wide);
        hash = (pair){wide[2], wide[3]};
    } else {
        pair seed = {get64(bytes) ^ K3, get64(bytes + 8)};
        hash = size - 16 < 128 ? short_hash(bytes + 16, size - 16, seed)
                               : long_hash(bytes + 16, size - 16, seed);
    }
    put64(out, hash.first);
    put64(out + 8, hash.second);
}

bool checksum_of(const unsigned char *bytes, size_t size, unsigned char out[CHECKSUM_SIZE])
{
    size_t count = (size + CHECKSUM_CHUNK - 1) / CHECKSUM_CHUNK;
    uint64_t *digests = calloc(count + 1, 4 * sizeof *digests);
    if (digests == NULL || count == 0) {
        free(digests);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        size_t start = i * CHECKSUM_CHUNK;
        checksum_chunk(bytes + start, size - start < CHECKSUM_CHUNK ? size - start : CHECKSUM_CHUNK,
                       digests + 4 * i);
    }
    checksum_chunks(digests, count, out);
    free(digests);
    return true;
}
