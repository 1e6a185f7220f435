/* SPDX-License-Identifier: MIT */

#include "cli/steps.h"

#include <string.h>

enum { STEPS_WIDTH = 100 };

static void say_level(text *t, const holos_technique *technique)
{
    const char *level = holos_level_name(technique->level);
    text_printf(t, "%s %s step", strchr("aeiou", level[0]) != NULL ? "An" : "A", level);
}

void steps_say(text *t, const holos_variant *v, const holos_step *step, step_stage stage, bool color)
{
    if (stage == STAGE_VAGUE) {
        say_level(t, step->technique);
        text_string(t,
                    step->placement_count > 0 ? " fills a cell: look at " : " rules something out: look at ");
        wire_where(t, v, step);
        text_string(t, ".\n");
        return;
    }
    text words;
    text_init(&words);
    text_printf(&words, "%s (%u.%u): ", step->technique->title, step->rating / 10, step->rating % 10);
    size_t title = words.length;
    text_string(&words, stage == STAGE_STEP ? step->explanation : step->technique->summary);
    if (stage == STAGE_TECHNIQUE) {
        text_string(&words, " Look at ");
        wire_where(&words, v, step);
        text_char(&words, '.');
    }
    text_style_begin(t, color, STYLE_BOLD);
    text_bytes(t, words.data, title);
    text_style_end(t, color, STYLE_BOLD);
    output_wrap(t, title, 4, STEPS_WIDTH, words.data + title);
    t->failed = t->failed || words.failed;
    text_free(&words);
}

/* ---- The whole way ----------------------------------------------------------------------------- */

holos_status steps_say_all(text *t, const holos_variant *v, const holos_position *position,
                           const holos_limits *limits, bool color)
{
    holos_logic *l;
    holos_error err;
    holos_step step;
    holos_status status = holos_logic_open(v, position, limits, &l, &err);
    if (status != HOLOS_OK) {
        text_printf(t, "  no steps: %s\n", err.message);
        return status;
    }
    for (unsigned number = 1; holos_logic_find(l, &step); number++) {
        text_printf(t, "%3u ", number);
        steps_say(t, v, &step, STAGE_STEP, color);
        holos_logic_apply(l, &step);
    }
    status = holos_logic_status(l, &err);
    if (status != HOLOS_OK)
        text_printf(t, "    no further step: %s\n", err.message);
    else if (!holos_logic_is_done(l) && holos_logic_solutions(l) > 1)
        text_string(t, "    no further step: there are several solutions\n");
    holos_logic_close(l);
    return status;
}
