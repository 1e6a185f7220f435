/* SPDX-License-Identifier: MIT */

/* Another program that speaks the Go Text Protocol: it is started, asked, and ended. */

#ifndef HOLOS_SESSION_GTP_PROGRAM_H
#define HOLOS_SESSION_GTP_PROGRAM_H

#include "core/error.h"
#include "core/text.h"

typedef struct gtp_program gtp_program;

/* Starts a command of the shell. Its error output is dropped; Ctrl-C does not reach it. `stop` may be NULL. */
holos_status gtp_open(const char *command, const holos_stop *stop, gtp_program **out, holos_error *err);
/* Asks it to quit, and ends it if it does not. NULL is nothing. */
void gtp_close(gtp_program *g);

/* Sends a command, and waits for the answer without its "= ". HOLOS_IO: it has ended, says nothing for minutes, or
 * nothing that can be understood; HOLOS_BAD_MOVE: it refuses the command; HOLOS_INTERRUPTED: `stop` was set. */
__attribute__((format(printf, 4, 5))) holos_status gtp_ask(gtp_program *g, text *answer, holos_error *err,
                                                           const char *format, ...);

#endif
