/* SPDX-License-Identifier: MIT */

/* Deductions and ratings of puzzles as the JSON of docs/json.md. */

#ifndef HOLOS_WIRE_STEP_H
#define HOLOS_WIRE_STEP_H

#include "core/json.h"

#include <holos/holos.h>

/* How much a hint gives away; the order of the choices of --stage. */
typedef enum step_stage { STAGE_VAGUE, STAGE_TECHNIQUE, STAGE_STEP } step_stage;

/* What there is to say of a puzzle. */
typedef enum hint_outcome { HINT_STEP, HINT_DONE, HINT_UNSOLVABLE, HINT_STUCK } hint_outcome;

/* Looks for the next step; *step is it if the outcome is HINT_STEP. */
hint_outcome wire_hint(holos_logic *logic, holos_step *step);
const char *wire_hint_name(hint_outcome outcome); /* "hint", "done", … */

/* Where to look, without saying for what: the house of the step, or else a cell of its pattern. */
void wire_where(text *t, const holos_variant *v, const holos_step *step);
/* The members of a step: those that the stage allows. */
void wire_step(json *j, const holos_variant *v, const holos_step *step, step_stage stage);
/* All steps from a position to the end, or to a limit, which is the status then. */
holos_status wire_steps(json *j, const char *name, const holos_variant *v, const holos_position *position,
                        const holos_limits *limits);

/* A rating of 34 as 3.4. */
double wire_rating_of(unsigned rating);
/* "rated", "unsolvable", "several", "stuck". */
const char *wire_rating_status(const holos_logic *logic, const holos_rating *rating);
/* The members of a rating. */
void wire_rating(json *j, const holos_variant *v, const holos_rating *rating);
/* A technique as an object. */
void wire_technique(json *j, const holos_technique *technique);

#endif
