/* SPDX-License-Identifier: MIT */

#include "cli/steps.h"

#include <string.h>

enum { STEPS_WIDTH = 100 };

double steps_rating(unsigned rating)
{
    return rating / 10.0;
}

/* Where to look, without saying for what: the house of the step, or else a cell of its pattern. */
static void say_where(text *t, const holos_variant *v, const holos_step *step)
{
    char name[64];
    if (step->house_count > 0) {
        holos_format_house(v, step->houses[0], name, sizeof name);
    } else {
        holos_candidate seen = step->mark_count > 0        ? step->marks[0].candidate
                               : step->placement_count > 0 ? step->placements[0]
                                                           : step->eliminations[0];
        holos_format_candidate(v, seen, true, name, sizeof name);
        name[strcspn(name, "=")] = 0;
    }
    text_string(t, name);
}

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
        say_where(t, v, step);
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
        say_where(&words, v, step);
        text_char(&words, '.');
    }
    text_style_begin(t, color, STYLE_BOLD);
    text_bytes(t, words.data, title);
    text_style_end(t, color, STYLE_BOLD);
    output_wrap(t, title, 4, STEPS_WIDTH, words.data + title);
    t->failed = t->failed || words.failed;
    text_free(&words);
}

/* ---- JSON -------------------------------------------------------------------------------------- */

static void put_candidates(json *j, const char *name, const holos_variant *v, const holos_candidate *list,
                           size_t count, bool holds)
{
    char s[64];
    json_open(j, name, '[');
    for (size_t i = 0; i < count; i++) {
        holos_format_candidate(v, list[i], holds, s, sizeof s);
        json_put_string(j, NULL, s);
    }
    json_close(j);
}

static void put_pattern(json *j, const holos_variant *v, const holos_step *step)
{
    char s[64];
    json_open(j, "pattern", '[');
    for (size_t i = 0; i < step->mark_count; i++) {
        holos_format_candidate(v, step->marks[i].candidate, true, s, sizeof s);
        json_put_string(j, NULL, s);
    }
    json_close(j);
    json_open(j, "houses", '[');
    for (size_t i = 0; i < step->house_count; i++) {
        holos_format_house(v, step->houses[i], s, sizeof s);
        json_put_string(j, NULL, s);
    }
    json_close(j);
}

void steps_put(json *j, const holos_variant *v, const holos_step *step, step_stage stage)
{
    char where[64];
    text t;
    text_init_fixed(&t, where, sizeof where);
    say_where(&t, v, step);
    json_put_string(j, "level", holos_level_name(step->technique->level));
    json_put_string(j, "where", where);
    if (stage >= STAGE_TECHNIQUE) {
        json_put_string(j, "technique", step->technique->name);
        json_put_string(j, "title", step->technique->title);
        json_put_double(j, "rating", steps_rating(step->rating));
        json_put_uint(j, "score", step->technique->score);
    }
    if (stage < STAGE_STEP)
        return;
    put_candidates(j, "placements", v, step->placements, step->placement_count, true);
    put_candidates(j, "eliminations", v, step->eliminations, step->elimination_count, false);
    put_pattern(j, v, step);
    json_put_string(j, "explanation", step->explanation);
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

holos_status steps_put_all(json *j, const char *name, const holos_variant *v, const holos_position *position,
                           const holos_limits *limits)
{
    holos_logic *l;
    holos_step step;
    json_open(j, name, '[');
    holos_status status = holos_logic_open(v, position, limits, &l, NULL);
    if (status == HOLOS_OK) {
        while (holos_logic_find(l, &step)) {
            json_open(j, NULL, '{');
            steps_put(j, v, &step, STAGE_STEP);
            json_close(j);
            holos_logic_apply(l, &step);
        }
        status = holos_logic_status(l, NULL);
        holos_logic_close(l);
    }
    json_close(j);
    if (status == HOLOS_LIMIT || status == HOLOS_INTERRUPTED)
        json_put_bool(j, "steps_complete", false);
    return status;
}
