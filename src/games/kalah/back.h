/* SPDX-License-Identifier: MIT */

/* Inside kalah: the way back. */

#ifndef HOLOS_KALAH_BACK_H
#define HOLOS_KALAH_BACK_H

#include "games/kalah/rules.h"

/* More than any board has. */
uint32_t kalah_max_predecessors(const kalah_rules *rules);

/* Called for each board with a move to the one in question. */
typedef void kalah_visit(void *context, const uint8_t *before, unsigned pit, kalah_outcome outcome);

void kalah_each_predecessor(const kalah_rules *rules, const uint8_t *board, kalah_visit *visit,
                            void *context);

#endif
