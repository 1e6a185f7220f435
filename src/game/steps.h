/* SPDX-License-Identifier: MIT */

/* What the techniques of all puzzles note in a step, and how they say why. A note that there is no room for is left out:
 * a step says something true without it. */

#ifndef HOLOS_GAME_STEPS_H
#define HOLOS_GAME_STEPS_H

#include "core/text.h"

#include <holos/holos.h>
#include <stdarg.h>

void step_place(holos_step *step, holos_candidate c);
/* Once, however often it is asked for. */
void step_drop(holos_step *step, holos_candidate c);
void step_mark(holos_step *step, holos_candidate c, holos_role role);
void step_house(holos_step *step, unsigned house);

static inline bool step_found(const holos_step *step)
{
    return step->placement_count + step->elimination_count > 0;
}

/* How much harder a pattern of so many parts is than a short one: in tenths, as Sudoku Explainer counts. */
unsigned step_length_rating(unsigned length);

/* ---- Words ------------------------------------------------------------------------------------- */

/* What stands before one of `count` things of a list. */
static inline const char *say_between(unsigned index, unsigned count)
{
    return index == 0 ? "" : index + 1 == count ? " and " : ", ";
}

typedef struct say_arguments {
    va_list list;
} say_arguments;

/* Says what a letter after % stands for; the next argument is va_arg(arguments->list, …). */
typedef void say_function(const void *context, char letter, say_arguments *arguments);
/* Writes a format: %u is a number and %s a string, and all other letters are up to `say`. */
void say_format(text *t, const char *format, say_arguments *arguments, say_function *say,
                const void *context);

#endif
