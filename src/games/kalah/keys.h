/* SPDX-License-Identifier: MIT */

/* Positions as keys.
 *
 * With up to four pits a side the numbers of seeds (places) fit into one word, a field of a fixed width each, so
 * that SQL can take them apart: seven bits with up to three pits, six with four. Six bits hold at most 63 seeds; a
 * board with a place that has more is written in another way, with the bit above all fields set: the lowest
 * three bits of each place, and the rest of it in unary. With more pits there are two words, a half each: a pit holds at
 * most 127 seeds, so eight of them and eight bits more go into 64 bits.
 *
 * All functions are inline, for a number of pits that is known when the code is compiled. */

#ifndef HOLOS_KALAH_KEYS_H
#define HOLOS_KALAH_KEYS_H

#include "core/key.h"
#include "games/kalah/rules.h"

#define KALAH_ONE_WORD_PITS 4
#define KALAH_PLACES_MOST   (2 * KALAH_MAX_PITS + 2)

static inline unsigned kalah_field_bits(unsigned pits)
{
    return pits <= 3 ? 7 : 6;
}

/* Both keys and identities are below 2 to the power of this; 128 bits are all there are. */
static inline unsigned kalah_key_bits(unsigned pits)
{
    return pits > KALAH_ONE_WORD_PITS ? 128 : (2 * pits + 2) * kalah_field_bits(pits) + 2;
}

/* ---- One word ---------------------------------------------------------------------------------- */

/* The lowest three bits of each place; above them, for each place, its other bits as so many ones and a zero. With at most 127
 * seeds in ten places that takes 55 bits. */
static inline uint64_t kalah_pack_wide(const uint8_t *places, unsigned count)
{
    uint64_t word = 0;
    unsigned at = 3 * count;
    for (unsigned i = 0; i < count; i++) {
        word |= (uint64_t)(places[i] & 7) << 3 * i;
        for (unsigned high = places[i] >> 3; high > 0; high--)
            word |= UINT64_C(1) << at++;
        at++;
    }
    return word;
}

static inline void kalah_unpack_wide(uint64_t word, unsigned count, uint8_t *places)
{
    unsigned at = 3 * count;
    for (unsigned i = 0; i < count; i++, at++) {
        places[i] = word >> 3 * i & 7;
        for (; (word >> at & 1) != 0; at++)
            places[i] = (uint8_t)(places[i] + 8);
    }
}

/* The places, and a bit more at the lowest end. */
static inline uint64_t kalah_pack(unsigned pits, const uint8_t *places, unsigned count, unsigned bit)
{
    unsigned bits = kalah_field_bits(pits), any = 0;
    uint64_t word = 0;
    for (unsigned i = 0; i < count; i++) {
        word = word << bits | places[i];
        any |= places[i];
    }
    if (any >> bits != 0)
        word = UINT64_C(1) << (count * bits) | kalah_pack_wide(places, count);
    return word << 1 | bit;
}

static inline unsigned kalah_unpack(unsigned pits, uint64_t word, unsigned count, uint8_t *places)
{
    unsigned bits = kalah_field_bits(pits), bit = word & 1;
    word >>= 1;
    if (word >> (count * bits) != 0)
        kalah_unpack_wide(word & ~(UINT64_C(1) << (count * bits)), count, places);
    else
        for (unsigned i = count; i-- > 0; word >>= bits)
            places[i] = (uint8_t)(word & ((1u << bits) - 1));
    return bit;
}

/* ---- Two words --------------------------------------------------------------------------------- */

/* The highest bit of each byte is free. */
static inline uint64_t kalah_pack_half(unsigned pits, const uint8_t *half, unsigned bits)
{
    uint64_t word = 0;
    for (unsigned i = 0; i < pits; i++)
        word |= (uint64_t)half[i] << 8 * i;
    for (unsigned i = 0; bits != 0; i++, bits >>= 1)
        word |= (uint64_t)(bits & 1) << (8 * i + 7);
    return word;
}

static inline unsigned kalah_unpack_half(unsigned pits, uint64_t word, uint8_t *half)
{
    unsigned bits = 0;
    for (unsigned i = 0; i < pits; i++)
        half[i] = word >> 8 * i & 127;
    for (unsigned i = 0; i < 8; i++)
        bits |= (unsigned)(word >> (8 * i + 7) & 1) << i;
    return bits;
}

/* ---- Identities -------------------------------------------------------------------------------- */

/* The bytes of a half as fields, the first one highest; and back. In registers: bytes that are written one by one and read
 * together make a processor wait. */
static inline uint64_t kalah_fields(unsigned bits, uint64_t half, unsigned count)
{
    uint64_t word = 0;
    for (unsigned i = 0; i < count; i++)
        word = word << bits | (half >> 8 * i & 255);
    return word;
}

static inline uint64_t kalah_unfields(unsigned bits, uint64_t word, unsigned count)
{
    uint64_t half = 0;
    for (unsigned i = 0; i < count; i++, word >>= bits)
        half = half << 8 | (word & ((1u << bits) - 1));
    return half;
}

/* In one word: the first player's pits and store, then the second's, then who is to move. */
static inline holos_key kalah_identify_word(unsigned pits, const uint8_t *board)
{
    unsigned half = pits + 1, bits = kalah_field_bits(pits), side = board[2 * half];
    u128 word = kalah_word_load(board);
    uint64_t mask = (UINT64_C(1) << 8 * half) - 1, mine = (uint64_t)word & mask;
    uint64_t theirs = (uint64_t)(word >> 8 * half) & mask;
    uint64_t first = side != 0 ? theirs : mine, second = side != 0 ? mine : theirs;
    uint64_t large = (uint64_t)kalah_word_ones(half) * (256 - (1u << bits));
    if (((first | second) & large) != 0) {
        uint8_t places[KALAH_PLACES_MOST];
        memcpy(places, board + (side != 0 ? half : 0), half);
        memcpy(places + half, board + (side != 0 ? 0 : half), half);
        return (holos_key){.lo = kalah_pack(pits, places, 2 * half, side)};
    }
    uint64_t fields = kalah_fields(bits, first, half) << half * bits | kalah_fields(bits, second, half);
    return (holos_key){.lo = fields << 1 | side};
}

static inline void kalah_restore_word(unsigned pits, uint64_t identity, uint8_t *board)
{
    unsigned half = pits + 1, bits = kalah_field_bits(pits), side = identity & 1;
    uint64_t fields = identity >> 1, first, second;
    if (fields >> 2 * half * bits != 0) {
        uint8_t places[KALAH_PLACES_MOST + 8];
        kalah_unpack(pits, identity, 2 * half, places);
        memcpy(&first, places, sizeof first);
        memcpy(&second, places + half, sizeof second);
        first &= (UINT64_C(1) << 8 * half) - 1;
        second &= (UINT64_C(1) << 8 * half) - 1;
    } else {
        second = kalah_unfields(bits, fields & ((UINT64_C(1) << half * bits) - 1), half);
        first = kalah_unfields(bits, fields >> half * bits, half);
    }
    u128 word = (u128)(side != 0 ? first : second) << 8 * half | (side != 0 ? second : first);
    word |= (u128)side << 16 * half;
    memcpy(board, &word, sizeof word);
}

/* In two words: the mover's half, with who that is, and the other half. */
static inline holos_key kalah_identify(unsigned pits, const uint8_t *board)
{
    unsigned half = pits + 1, side = board[2 * half];
    if (pits <= KALAH_ONE_WORD_PITS)
        return kalah_identify_word(pits, board);
    return (holos_key){.hi = kalah_pack_half(pits, board, board[pits] | side << 7),
                       .lo = kalah_pack_half(pits, board + half, board[half + pits])};
}

static inline void kalah_restore(unsigned pits, holos_key identity, uint8_t *board)
{
    unsigned half = pits + 1;
    if (pits <= KALAH_ONE_WORD_PITS) {
        kalah_restore_word(pits, identity.lo, board);
        return;
    }
    memset(board, 0, pits <= 6 ? 16 : 32);
    unsigned store_and_side = kalah_unpack_half(pits, identity.hi, board);
    board[pits] = store_and_side & 127;
    board[half + pits] = (uint8_t)kalah_unpack_half(pits, identity.lo, board + half);
    board[2 * half] = (uint8_t)(store_and_side >> 7);
}

/* ---- Keys -------------------------------------------------------------------------------------- */

/* The pits, as the side to move sees them. If the game can end by majority, then how far its store is ahead
 * matters too. */
static inline holos_key kalah_key_of(const kalah_rules *rules, const uint8_t *board)
{
    unsigned pits = rules->pits;
    unsigned ahead = rules->majority_stop ? (uint8_t)(board[pits] - board[2 * pits + 1]) : 0;
    if (pits > KALAH_ONE_WORD_PITS)
        return (holos_key){.hi = kalah_pack_half(pits, board, ahead),
                           .lo = kalah_pack_half(pits, board + pits + 1, 0)};
    uint8_t places[KALAH_PLACES_MOST];
    memcpy(places, board, pits);
    memcpy(places + pits, board + pits + 1, pits);
    return (holos_key){.lo = kalah_pack(pits, places, 2 * pits, 0) << 7 | ahead};
}

/* The board, all zero before, with empty stores; or, where it matters, with as many seeds in one of them as it is
 * ahead by. */
static inline void kalah_from_key_of(unsigned pits, holos_key key, uint8_t *board)
{
    int ahead;
    if (pits > KALAH_ONE_WORD_PITS) {
        ahead = (int8_t)kalah_unpack_half(pits, key.hi, board);
        kalah_unpack_half(pits, key.lo, board + pits + 1);
    } else {
        uint8_t places[KALAH_PLACES_MOST];
        ahead = (int8_t)(uint8_t)key.lo;
        kalah_unpack(pits, key.lo >> 8 << 1, 2 * pits, places);
        memcpy(board, places, pits);
        memcpy(board + pits + 1, places + pits, pits);
    }
    board[pits] = (uint8_t)(ahead > 0 ? ahead : 0);
    board[2 * pits + 1] = (uint8_t)(ahead < 0 ? -ahead : 0);
}

#endif
