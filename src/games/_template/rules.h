/* SPDX-License-Identifier: MIT */

/* The rules of nim: heaps of counters; a move takes any number from one heap; who takes the last counter
 * wins. Rules live in a header of small inline functions that know nothing of the contract, so that a
 * specialised engine can include them. */

#ifndef HOLOS_NIM_RULES_H
#define HOLOS_NIM_RULES_H

#include <stdbool.h>
#include <stdint.h>

#define NIM_MAX_HEAPS 4
#define NIM_MAX_HEAP  15

/* A position is flat: no pointers, no padding, and everything that is not used is 0, so that equal
 * positions are equal bytes. Its size is a multiple of 16. */
typedef struct nim_board {
    uint8_t heaps[NIM_MAX_HEAPS];
    uint8_t side; /* 0: the first player is to move */
    uint8_t unused[11];
} nim_board;

static inline bool nim_is_over(const nim_board *board)
{
    unsigned counters = 0;
    for (int i = 0; i < NIM_MAX_HEAPS; i++)
        counters += board->heaps[i];
    return counters == 0;
}

static inline nim_board nim_take(nim_board board, unsigned heap, unsigned counters)
{
    board.heaps[heap] = (uint8_t)(board.heaps[heap] - counters);
    board.side ^= 1;
    return board;
}

#endif
