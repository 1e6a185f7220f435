/* SPDX-License-Identifier: MIT */

/* Deductions in words, for the verbs that show them. */

#ifndef HOLOS_CLI_STEPS_H
#define HOLOS_CLI_STEPS_H

#include "cli/output.h"
#include "wire/step.h"

#include <holos/holos.h>

/* "Naked pair (3.0): In row 3, …" as a paragraph; less of it for an earlier stage. */
void steps_say(text *t, const holos_variant *v, const holos_step *step, step_stage stage, bool color);

/* All steps from a position to the end, or to a limit, which is the status then. */
holos_status steps_say_all(text *t, const holos_variant *v, const holos_position *position,
                           const holos_limits *limits, bool color);

#endif
