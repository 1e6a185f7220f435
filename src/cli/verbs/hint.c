/* SPDX-License-Identifier: MIT */

/* The next step a person could find, and why. */

#include "cli/deducing.h"
#include "cli/interrupt.h"
#include "cli/known.h"
#include "cli/solving.h"
#include "cli/steps.h"
#include "core/pool.h"

typedef struct hint_settings {
    unsigned stage;
    bool fill, whole, no_book;
    const char *store;
} hint_settings;

static const holos_option options[] = {
    {OPTION(CHOICE, hint_settings, stage), .name = "stage", .value = "vague|technique|step",
     .fallback = "step",
     .help = "how much to give away: where to look, with which technique, or the whole step"},
    {OPTION(FLAG, hint_settings, fill), .name = "fill",
     .help = "continue until a step fills a cell, and show every step on the way"},
    {OPTION(FLAG, hint_settings, whole), .name = "whole",
     .help = "read standard input as one position that spans several lines"},
    KNOWN_OPTIONS(hint_settings),
    {0},
};

static const char *const refusals[] = {
    [HINT_DONE] = "it is solved",
    [HINT_UNSOLVABLE] = "no hint: there is no solution from here",
    [HINT_STUCK] = "no hint: there are several solutions, and nothing follows from here",
};

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
    while (goes_on(d, outcome = wire_hint(logic, &step), &step)) {
        json_open(&j, NULL, '{');
        wire_step(&j, d->format.v, &step, (step_stage)s->stage);
        json_close(&j);
        holos_logic_apply(logic, &step);
    }
    if (s->fill)
        json_close(&j);
    json_put_string(&j, "status", wire_hint_name(outcome));
    json_put_uint(&j, "solutions", holos_logic_solutions(logic));
    if (outcome == HINT_STEP)
        wire_step(&j, d->format.v, &step, (step_stage)s->stage);
    json_close(&j);
    text_char(t, '\n');
    return outcome;
}

static hint_outcome say(text *t, const deducing *d, holos_logic *logic, const char *question)
{
    const hint_settings *s = d->context;
    holos_step step;
    hint_outcome outcome = wire_hint(logic, &step);
    answer_question(t, &d->format, question, outcome == HINT_STEP ? ":\n" : ": ");
    while (goes_on(d, outcome, &step)) {
        steps_say(t, d->format.v, &step, (step_stage)s->stage, d->format.color);
        holos_logic_apply(logic, &step);
        outcome = wire_hint(logic, &step);
    }
    if (outcome == HINT_STEP)
        steps_say(t, d->format.v, &step, (step_stage)s->stage, d->format.color);
    else
        text_printf(t, "%s\n", refusals[outcome]);
    return outcome;
}

static void answer(const deducing *d, holos_logic *logic, batch_item *item)
{
    hint_outcome outcome = d->format.json ? put(item->answer, d, logic, item->question)
                                          : say(item->answer, d, logic, item->question);
    item->status = outcome == HINT_STEP || outcome == HINT_DONE ? CLI_DONE : CLI_NO;
}

/* A game of two has no steps: the hint is a best move, with what it is worth. */
static cli_status best_moves(cli *c, const holos_variant *v)
{
    const hint_settings *s = c->settings;
    holos_error err;
    holos_knowledge *known;
    if (known_open(s->store, !s->no_book, v, 0, &known, &err) != HOLOS_OK)
        return cli_fail(&err);
    solving hints = {
        .format = answer_format_of(c, v),
        .options = {.limits = {.seconds = c->shared.time, .nodes = c->shared.nodes, .stop = interrupt_flag()},
                    .threads = 1,
                    .boundary = holos_knowledge_boundary(known)}};
    answer_format_know(&hints.format, known);
    batch_source source = batch_source_choose(c, NULL);
    source.whole = s->whole;
    batch_totals totals = {0};
    unsigned threads = c->shared.threads > 0 ? (unsigned)c->shared.threads : pool_processors();
    cli_status status = solving_run(c, &hints, source, threads, &totals);
    holos_knowledge_close(known);
    return status;
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
    bool puzzle = (holos_game_traits(holos_variant_game(v)) & HOLOS_TRAIT_PUZZLE) != 0;
    cli_status status = puzzle ? deducing_run(c, &hints) : best_moves(c, v);
    holos_close(v);
    return status;
}

const cli_verb verb_hint = {
    .name = "hint",
    .operands = "GAME[:VARIANT] [POSITION…]",
    .summary = "show the next step a person could find, and why",
    .description =
        "Finds the easiest step from a position, with the techniques that people use, and explains "
        "it: the cells, houses and digits involved. There are three stages: where to look, which "
        "technique helps, and the step itself.\n\n"
        "Positions are given as for solve. A position may carry pencil marks; the step then starts "
        "from them. Techniques that rely on there being one solution are used only after that has "
        "been shown.\n\n"
        "In a game for two, the hint is a best move and its value, as solve prints it.",
    .operands_min = 1,
    .operands_max = SIZE_MAX,
    .complete = game_word,
    .shared = SHARED_TIME | SHARED_NODES | SHARED_THREADS | SHARED_JSON | SHARED_PROGRESS | SHARED_CONFIG |
              SHARED_LOG,
    .options = options,
    .settings_size = sizeof(hint_settings),
    .run = run,
};
