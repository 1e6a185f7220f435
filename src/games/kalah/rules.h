/* SPDX-License-Identifier: MIT */

/* The rules of kalah, inline: with rules that are known when the code is compiled, loops unroll and the
 * options disappear.
 *
 * A board is a row of bytes, seen from the side to move ("mine"): with M pits a side,
 *
 *     0 … M-1       my pits, in the direction of sowing      M       my store
 *     M+1 … 2M      their pits                               2M+1    their store
 *     2M+2          which player is to move, 0 or 1; what follows is 0
 *
 * Pit i lies opposite 2M - i. Passing the turn swaps the halves. No board has more than 127 seeds. */

#ifndef HOLOS_KALAH_RULES_H
#define HOLOS_KALAH_RULES_H

#include "core/wide.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define KALAH_MAX_PITS  8
#define KALAH_MAX_SEEDS 127
#define KALAH_MAX_BYTES 32

typedef struct kalah_rules {
    unsigned pits;      /* M, a side */
    bool empty_capture; /* the last seed in an own empty pit is banked even with nothing opposite */
    bool majority_stop; /* the game also ends when a store holds more than half of the seeds */
    bool mover_end;     /* the game ends only when the side to move has no seeds */
} kalah_rules;

/* Bytes that a board takes: up to six pits a side fit into one 16-byte load. */
static inline size_t kalah_board_size(const kalah_rules *rules)
{
    return rules->pits <= 6 ? 16 : 32;
}

/* What a move did. */
typedef struct kalah_outcome {
    unsigned gain;     /* seeds that went to the mover's store */
    unsigned captured; /* seeds among them that a capture took, the last one sown included */
    bool again;        /* the last seed fell into the store: the mover moves again */
} kalah_outcome;

static inline unsigned kalah_sum(const uint8_t *pits, unsigned count)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += pits[i];
    return sum;
}

static inline unsigned kalah_in_play(const kalah_rules *rules, const uint8_t *board)
{
    return kalah_sum(board, rules->pits) + kalah_sum(board + rules->pits + 1, rules->pits);
}

static inline bool kalah_is_over(const kalah_rules *rules, const uint8_t *board)
{
    unsigned M = rules->pits;
    unsigned mine = kalah_sum(board, M), theirs = kalah_sum(board + M + 1, M);
    if (mine == 0 || (theirs == 0 && !rules->mover_end))
        return true;
    /* One store has more than half of all seeds if it is ahead by more than all that is still in play. */
    int ahead = (int)board[M] - (int)board[2 * M + 1];
    return rules->majority_stop && (ahead > 0 ? ahead : -ahead) > (int)(mine + theirs);
}

/* The value of a finished board: what is left goes to the owner of the pits it lies in. */
static inline int kalah_left_over(const kalah_rules *rules, const uint8_t *board)
{
    unsigned M = rules->pits;
    return (int)kalah_sum(board, M) - (int)kalah_sum(board + M + 1, M);
}

/* Sows one of my pits, which has seeds, and captures. The turn is not passed. */
static inline kalah_outcome kalah_sow(const kalah_rules *rules, uint8_t *board, unsigned pit)
{
    unsigned M = rules->pits, lap = 2 * M + 1; /* their store is passed over */
    unsigned store = board[M], seeds = board[pit], last = pit;
    board[pit] = 0;
    for (; seeds >= lap; seeds -= lap)
        for (unsigned i = 0; i < lap; i++)
            board[i]++;
    for (; seeds > 0; seeds--) {
        last = last + 1 == lap ? 0 : last + 1;
        board[last]++;
    }
    kalah_outcome outcome = {.again = last == M};
    if (last < M && board[last] == 1) {
        uint8_t *opposite = &board[2 * M - last];
        if (*opposite > 0 || rules->empty_capture) {
            outcome.captured = *opposite + 1u;
            board[M] = (uint8_t)(board[M] + outcome.captured);
            *opposite = board[last] = 0;
        }
    }
    outcome.gain = board[M] - store;
    return outcome;
}

/* Passes the turn: the board as the other side sees it. */
static inline void kalah_turn(const kalah_rules *rules, uint8_t *board)
{
    unsigned half = rules->pits + 1;
    uint8_t mine[KALAH_MAX_PITS + 1];
    memcpy(mine, board, half);
    memmove(board, board + half, half);
    memcpy(board + half, mine, half);
    board[2 * half] ^= 1;
}

/* Plays a pit of the side to move; the board is then seen from whose turn it is. */
static inline kalah_outcome kalah_play(const kalah_rules *rules, uint8_t *board, unsigned pit)
{
    kalah_outcome outcome = kalah_sow(rules, board, pit);
    if (!outcome.again)
        kalah_turn(rules, board);
    return outcome;
}

/* ---- Boards in a register ---------------------------------------------------------------------- */

/* Up to six pits a side, a board is one number of 16 bytes: sowing adds ones to a run of bytes, and nothing is
 * written to memory and read back in other pieces. */
#define KALAH_WORD_PITS 6

static inline u128 kalah_word_load(const uint8_t *board)
{
    u128 word;
    memcpy(&word, board, sizeof word);
    return word;
}

/* 1 in each of the lowest bytes. */
static inline u128 kalah_word_ones(unsigned bytes)
{
    u128 ones = (u128)UINT64_C(0x0101010101010101) << 64 | UINT64_C(0x0101010101010101);
    return ones & (((u128)1 << 8 * bytes) - 1);
}

static inline unsigned kalah_word_byte(u128 word, unsigned index)
{
    return (uint8_t)(word >> 8 * index);
}

/* Plays a pit of the side to move, as kalah_play does. */
static inline kalah_outcome kalah_word_play(const kalah_rules *rules, u128 *board, unsigned pit)
{
    unsigned M = rules->pits, lap = 2 * M + 1, half = M + 1;
    u128 w = *board;
    unsigned store = kalah_word_byte(w, M), seeds = kalah_word_byte(w, pit), laps = seeds / lap;
    unsigned rest = seeds - laps * lap, ahead = rest < lap - 1 - pit ? rest : lap - 1 - pit;
    unsigned last = pit + rest < lap ? pit + rest : pit + rest - lap;
    w -= (u128)seeds << 8 * pit;
    w += (kalah_word_ones(ahead) << 8 * (pit + 1)) + kalah_word_ones(rest - ahead);
    if (laps > 0)
        w += kalah_word_ones(lap) * laps;
    kalah_outcome outcome = {.again = last == M};
    if (last < M && kalah_word_byte(w, last) == 1) {
        unsigned opposite = kalah_word_byte(w, 2 * M - last);
        if (opposite > 0 || rules->empty_capture) {
            outcome.captured = opposite + 1;
            w += (u128)outcome.captured << 8 * M;
            w -= (u128)1 << 8 * last;
            w -= (u128)opposite << 8 * (2 * M - last);
        }
    }
    outcome.gain = kalah_word_byte(w, M) - store;
    if (!outcome.again) { /* the turn passes */
        u128 low = ((u128)1 << 8 * half) - 1, side = ((w >> 16 * half & 1) ^ 1) << 16 * half;
        w = (w >> 8 * half & low) | (w & low) << 8 * half | side;
    }
    *board = w;
    return outcome;
}

#endif
