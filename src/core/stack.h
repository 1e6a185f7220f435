/* SPDX-License-Identifier: MIT */

/* The stack of the calling thread: for what recurses as deep as its question asks, in threads of any size. */

#ifndef HOLOS_CORE_STACK_H
#define HOLOS_CORE_STACK_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct stack_bound {
    pthread_t thread; /* whose stack it is */
    bool begun, asked;
    uintptr_t lowest; /* what recurses must stay above this address */
} stack_bound;

/* Before a recursion begins. */
void stack_begin(stack_bound *b);
/* For the inline function below: asks the system, which takes longer than a small search. */
bool stack_ask(stack_bound *b, size_t reserve);

/* Whether the caller may go deeper; `reserve` bytes are left for what is called at the deepest place. */
static inline bool stack_has_room(stack_bound *b, size_t reserve)
{
    return (uintptr_t)__builtin_frame_address(0) > b->lowest || stack_ask(b, reserve);
}

#endif
