/* SPDX-License-Identifier: MIT */

/* Deductions in words and as JSON, for the verbs that show them. */

#ifndef HOLOS_CLI_STEPS_H
#define HOLOS_CLI_STEPS_H

#include "cli/output.h"
#include "core/json.h"

#include <holos/holos.h>

/* How much a hint gives away; the order of the choices of --stage. */
typedef enum step_stage { STAGE_VAGUE, STAGE_TECHNIQUE, STAGE_STEP } step_stage;

/* "Naked pair (3.0): In row 3, …" as a paragraph; less of it for an earlier stage. */
void steps_say(text *t, const holos_variant *v, const holos_step *step, step_stage stage, bool color);
/* The members of a step: those that the stage allows. */
void steps_put(json *j, const holos_variant *v, const holos_step *step, step_stage stage);

/* All steps from a position to the end, or to a limit, which is the status then. */
holos_status steps_say_all(text *t, const holos_variant *v, const holos_position *position,
                           const holos_limits *limits, bool color);
holos_status steps_put_all(json *j, const char *name, const holos_variant *v, const holos_position *position,
                           const holos_limits *limits);

/* A rating of 34 as 3.4. */
double steps_rating(unsigned rating);

#endif
