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

#endif
