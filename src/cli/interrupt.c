/* SPDX-License-Identifier: MIT */

#include "cli/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

/* A signal handler has nowhere else to write to: the one mutable global of the program. */
static bool stop;

static void on_signal(int signal)
{
    if (__atomic_exchange_n(&stop, true, __ATOMIC_RELAXED))
        _exit(128 + signal);
}

void interrupt_init(void)
{
    struct sigaction action = {.sa_handler = on_signal}; /* no SA_RESTART: a read that waits must end */
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

bool interrupted(void)
{
    return __atomic_load_n(&stop, __ATOMIC_RELAXED);
}

const bool *interrupt_flag(void)
{
    return &stop;
}

void interrupt_clear(void)
{
    __atomic_store_n(&stop, false, __ATOMIC_RELAXED);
}

void interrupt_request(void)
{
    __atomic_store_n(&stop, true, __ATOMIC_RELAXED);
}
