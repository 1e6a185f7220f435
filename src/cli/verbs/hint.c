/* SPDX-License-Identifier: MIT */

/* The next step a person could find, and why. */

#include "cli/deducing.h"
#include "cli/steps.h"

typedef struct hint_settings {
    unsigned stage;
    bool fill, whole;
} hint_settings;

static const cli_option options[] = {
    {OPTION(CHOICE, hint_settings, stage), .name = "stage", .value = "vague|technique|step",
     .fallback = "step",
     .help = "how much to give away: where to look, with which technique, or the whole step"},
    {OPTION(FLAG, hint_settings, fill), .name = "fill",
     .help = "go on until a step fills a cell: with all steps on the way"},
    {OPTION(FLAG, hint_settings, whole), .name = "whole",
     .help = "standard input is one position, over several lines"},
    {0},
};

/* What there is to say of a puzzle. */
typedef enum hint_outcome { HINT_STEP, HINT_DONE, HINT_UNSOLVABLE, HINT_STUCK } hint_outcome;

static const struct {
    const char *name, *words;
} outcomes[] = {
    [HINT_STEP] = {"hint", ""},
    [HINT_DONE] = {"done", "it is solved"},
    [HINT_UNSOLVABLE] = {"unsolvable", "no hint: there is no solution from here"},
    [HINT_STUCK] = {"stuck", "no hint: there are several solutions, and nothing follows from here"},
};

static hint_outcome outcome_of(holos_logic *logic, holos_step *step)
{
    return holos_logic_is_done(logic)          ? HINT_DONE
           : holos_logic_solutions(logic) == 0 ? HINT_UNSOLVABLE
           : holos_logic_find(logic, step)     ? HINT_STEP
                                               : HINT_STUCK;
}

/* With --fill, a step that fills no cell is shown and done, and the next one looked for. */
static bool goes_on(const deducing *d, hint_outcome outcome, const holos_step *step)
{
    return ((const hint_settings *)d->context)->fill && outcome == HINT_STEP && step->placement_count == 0;
}

static hint_outcome put(text *t, const deducing *d, holos_logic *logic, const char *question)
{
    const hint_settings *s = d->context;
    holos_step step;
    hint_outcome outcome;
    json j = json_begin(t);
    json_open(&j, NULL, '{');
    json_put_string(&j, "game", holos_variant_name(d->format.v));
    json_put_string(&j, "position", question);
    if (s->fill)
        json_open(&j, "before", '[');
    while (goes_on(d, outcome = outcome_of(logic, &step), &step)) {
        json_open(&j, NULL, '{');
        steps_put(&j, d->format.v, &step, (step_stage)s->stage);
        json_close(&j);
        holos_logic_apply(logic, &step);
    }
    if (s->fill)
        json_close(&j);
    json_put_string(&j, "status", outcomes[outcome].name);
    json_put_uint(&j, "solutions", holos_logic_solutions(logic));
    if (outcome == HINT_STEP)
        steps_put(&j, d->format.v, &step, (step_stage)s->stage);
    json_close(&j);
    text_char(t, '\n');
    return outcome;
}

static hint_outcome say(text *t, const deducing *d, holos_logic *logic, const char *question)
{
    const hint_settings *s = d->context;
    holos_step step;
    hint_outcome outcome = outcome_of(logic, &step);
    answer_question(t, &d->format, question, outcome == HINT_STEP ? ":\n" : ": ");
    while (goes_on(d, outcome, &step)) {
        steps_say(t, d->format.v, &step, (step_stage)s->stage, d->format.color);
        holos_logic_apply(logic, &step);
        outcome = outcome_of(logic, &step);
    }
    if (outcome == HINT_STEP)
        steps_say(t, d->format.v, &step, (step_stage)s->stage, d->format.color);
    else
        text_printf(t, "%s\n", outcomes[outcome].words);
    return outcome;
}

static void answer(const deducing *d, holos_logic *logic, batch_item *item)
{
    hint_outcome outcome = d->format.json ? put(item->answer, d, logic, item->question)
                                          : say(item->answer, d, logic, item->question);
    item->status = outcome == HINT_STEP || outcome == HINT_DONE ? CLI_DONE : CLI_NO;
}

static cli_status run(cli *c)
{
    const hint_settings *s = c->settings;
    holos_error err;
    holos_variant *v;
    if (holos_open(c->operands[0], &v, &err) != HOLOS_OK)
        return cli_fail(&err);
    deducing hints = {
        .name = "hint", .whole = s->whole, .context = s, .format = answer_format_of(c, v), .answer = answer};
    cli_status status = deducing_run(c, &hints);
    holos_close(v);
    return status;
}

static const cli_example examples[] = {
    {"hint sudoku < puzzle.txt", "the next step, and why it is right"},
    {"hint hidato --fill < puzzle.txt", "the steps up to the next number"},
    {"hint sudoku --stage vague < puzzle.txt", "only where to look"},
    {0},
};

const cli_verb verb_hint = {
    .name = "hint",
    .operands = "GAME[:VARIANT] [POSITION…]",
    .summary = "the next step a person could find, and why",
    .description =
        "Finds the easiest step from a position by the techniques that people use, and explains it: the "
        "cells, houses and digits that it is about. In three stages: where to look, which technique "
        "helps, and the step itself.\n\n"
        "Positions come as in solve. A position may carry pencil marks: then the step goes on from them. "
        "Techniques that rely on there being one solution are used only after that has been shown.",
    .operands_min = 1,
    .operands_max = SIZE_MAX,
    .complete = game_word,
    .shared = SHARED_TIME | SHARED_NODES | SHARED_THREADS | SHARED_JSON | SHARED_PROGRESS | SHARED_CONFIG |
              SHARED_LOG,
    .options = options,
    .settings_size = sizeof(hint_settings),
    .examples = examples,
    .run = run,
};
