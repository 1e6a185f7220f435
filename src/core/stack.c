/* SPDX-License-Identifier: MIT */

#include "core/stack.h"

/* What is left of any stack, nobody having recursed yet: so deep nobody has to ask. */
#define ROOM_SURE ((size_t)48 << 10)

void stack_begin(stack_bound *b)
{
    if (b->begun && pthread_equal(b->thread, pthread_self()))
        return;
    *b = (stack_bound){
        .thread = pthread_self(), .begun = true, .lowest = (uintptr_t)__builtin_frame_address(0) - ROOM_SURE};
}

bool stack_ask(stack_bound *b, size_t reserve)
{
    pthread_attr_t attributes;
    void *begin;
    size_t size, guard;
    if (b->asked)
        return false;
    b->asked = true;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return false;
    if (pthread_attr_getstack(&attributes, &begin, &size) == 0 &&
        pthread_attr_getguardsize(&attributes, &guard) == 0)
        b->lowest = (uintptr_t)begin + guard + reserve;
    pthread_attr_destroy(&attributes);
    return (uintptr_t)__builtin_frame_address(0) > b->lowest;
}
