/* SPDX-License-Identifier: MIT */

/* What is known of a position, in a report. */

#ifndef HOLOS_SESSION_VALUE_H
#define HOLOS_SESSION_VALUE_H

#include "core/report.h"

#include <holos/game.h>

/* Adds a group with what is proved, and apart from that what is only guessed (NULL: nothing). */
void report_value(holos_report *r, const holos_variant *v, const holos_position *p, holos_value proved,
                  const holos_guess *guess);
/* How far the conjectures so far can be trusted; nothing if no proof has decided one. */
void report_precision(holos_report *r, uint64_t confirmed, uint64_t refuted);

#endif
