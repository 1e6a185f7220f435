/* SPDX-License-Identifier: MIT */

#include "game/steps.h"

void step_place(holos_step *step, holos_candidate c)
{
    if (step->placement_count < HOLOS_STEP_MOST)
        step->placements[step->placement_count++] = c;
}

void step_drop(holos_step *step, holos_candidate c)
{
    if (step->elimination_count == HOLOS_STEP_MOST)
        return;
    for (unsigned i = 0; i < step->elimination_count; i++)
        if (step->eliminations[i].cell == c.cell && step->eliminations[i].value == c.value)
            return;
    step->eliminations[step->elimination_count++] = c;
}

void step_mark(holos_step *step, holos_candidate c, holos_role role)
{
    if (step->mark_count < HOLOS_STEP_MOST)
        step->marks[step->mark_count++] = (holos_mark){.candidate = c, .role = (uint8_t)role};
}

void step_house(holos_step *step, unsigned house)
{
    if (step->house_count < HOLOS_STEP_HOUSES)
        step->houses[step->house_count++] = (uint16_t)house;
}

unsigned step_length_rating(unsigned length)
{
    static const unsigned steps[] = {4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256};
    unsigned harder = 0;
    while (harder < sizeof steps / sizeof *steps && length > steps[harder])
        harder++;
    return harder;
}

void say_format(text *t, const char *format, say_arguments *arguments, say_function *say, const void *context)
{
    for (const char *s = format; *s != 0; s++) {
        if (*s != '%')
            text_char(t, *s);
        else if (*++s == 'u')
            text_uint(t, va_arg(arguments->list, unsigned));
        else if (*s == 's')
            text_string(t, va_arg(arguments->list, const char *));
        else
            say(context, *s, arguments);
    }
}
