/* SPDX-License-Identifier: MIT */

/* Ctrl-C. The first one asks the work to stop: what is known is printed, the exit status is 130. The
 * second one ends the program at once. SIGTERM and SIGHUP (the terminal is gone) ask in the same way, with the same exit
 * status. */

#ifndef HOLOS_CLI_INTERRUPT_H
#define HOLOS_CLI_INTERRUPT_H

#include <holos/base.h>

/* Also makes a closed pipe an error of write instead of a signal. */
void interrupt_init(void);

bool interrupted(void);
/* For holos_limits.stop. */
const holos_stop *interrupt_flag(void);
/* Forgets an interrupt: `play` goes on after one that only stopped a search. */
void interrupt_clear(void);
/* The same as a first Ctrl-C. */
void interrupt_request(void);
/* Waits for input on a descriptor (its end and its failure count as input) or for an interrupt, on any
 * thread. True if it was the interrupt. */
bool interrupt_or_input(int fd);

#endif
