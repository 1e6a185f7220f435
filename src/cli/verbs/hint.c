/* SPDX-License-Identifier: MIT */

/* The next step a person could find, and why. */

#include "cli/answer.h"
#include "cli/batch.h"
#include "cli/interrupt.h"
#include "cli/steps.h"
#include "core/clock.h"
#include "core/pool.h"

#include <stdlib.h>

typedef struct hint_settings {
    unsigned stage;
    bool whole;
} hint_settings;

static const cli_option options[] = {
    {OPTION(CHOICE, hint_settings, stage), .name = "stage", .value = "vague|technique|step",
     .fallback = "step",
     .help = "how much to give away: where to look, with which technique, or the whole step"},
    {OPTION(FLAG, hint_settings, whole), .name = "whole",
     .help = "standard input is one position, over several lines"},
    {0},
};

typedef struct hint_context {
    answer_format format;
    step_stage stage;
    holos_limits limits;
} hint_context;

typedef struct hint_worker {
    const hint_context *context;
    holos_logic *logic;
} hint_worker;

static holos_status worker_open(const void *context, unsigned workers, void **out, holos_error *err)
{
    (void)workers;
    hint_worker *w = calloc(1, sizeof *w);
    if (w == NULL)
        return error_system(err, "hints");
    w->context = context;
    *out = w;
    return HOLOS_OK;
}

static void worker_close(void *worker)
{
    hint_worker *w = worker;
    holos_logic_close(w->logic);
    free(w);
}

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

static void write_json(text *t, const hint_worker *w, const batch_item *item, hint_outcome outcome,
                       const holos_step *step)
{
    const hint_context *c = w->context;
    json j = json_begin(t);
    json_open(&j, NULL, '{');
    json_put_string(&j, "game", holos_variant_name(c->format.v));
    json_put_string(&j, "position", item->question);
    json_put_string(&j, "status", outcomes[outcome].name);
    json_put_uint(&j, "solutions", holos_logic_solutions(w->logic));
    if (outcome == HINT_STEP)
        steps_put(&j, c->format.v, step, c->stage);
    json_close(&j);
    text_char(t, '\n');
}

static void worker_hint(hint_worker *w, batch_item *item)
{
    const hint_context *c = w->context;
    holos_step step;
    hint_outcome outcome = holos_logic_is_done(w->logic)          ? HINT_DONE
                           : holos_logic_solutions(w->logic) == 0 ? HINT_UNSOLVABLE
                           : holos_logic_find(w->logic, &step)    ? HINT_STEP
                                                                  : HINT_STUCK;
    if (c->format.json) {
        write_json(item->answer, w, item, outcome, &step);
    } else {
        answer_question(item->answer, &c->format, item->question, outcome == HINT_STEP ? ":\n" : ": ");
        if (outcome == HINT_STEP)
            steps_say(item->answer, c->format.v, &step, c->stage, c->format.color);
        else
            text_printf(item->answer, "%s\n", outcomes[outcome].words);
    }
    item->status = outcome == HINT_STEP || outcome == HINT_DONE ? CLI_DONE : CLI_NO;
}

static void worker_answer(void *worker, batch_item *items, size_t count)
{
    hint_worker *w = worker;
    const hint_context *c = w->context;
    for (size_t i = 0; i < count; i++) {
        holos_error err;
        holos_status status =
            w->logic == NULL ? holos_logic_open(c->format.v, items[i].position, &c->limits, &w->logic, &err)
                             : holos_logic_restart(w->logic, items[i].position, &err);
        if (status == HOLOS_OK) {
            worker_hint(w, &items[i]);
        } else {
            items[i].failed = true;
            items[i].status = answer_error(items[i].answer, &c->format, items[i].question, &err);
        }
    }
}

static void worker_refuse(const void *context, const char *question, const holos_error *err, text *out)
{
    answer_error(out, &((const hint_context *)context)->format, question, err);
}

static cli_status run(cli *c)
{
    const hint_settings *s = c->settings;
    holos_error err;
    holos_variant *v;
    if (holos_open(c->operands[0], &v, &err) != HOLOS_OK)
        return cli_fail(&err);
    hint_context context = {
        .format = {.v = v, .json = c->shared.json, .color = c->out->color && !c->shared.json},
        .stage = (step_stage)s->stage,
        .limits = {.seconds = c->shared.time, .nodes = c->shared.nodes, .stop = interrupt_flag()}};
    batch_kind kind = {.name = "hint",
                       .v = v,
                       .context = &context,
                       .block = 1,
                       .open = worker_open,
                       .close = worker_close,
                       .answer = worker_answer,
                       .refuse = worker_refuse};
    unsigned threads = c->shared.threads > 0 ? (unsigned)c->shared.threads : pool_processors();
    batch_source source = batch_source_choose(c, NULL);
    source.whole = s->whole;
    batch_totals totals = {0};
    double start = clock_wall();
    cli_status status = holos_technique_at(holos_variant_game(v), 0) != NULL
                            ? batch_run(c, &kind, source, threads, &totals)
                            : CLI_USAGE;
    if (holos_technique_at(holos_variant_game(v), 0) == NULL)
        cli_error("%s is not solved by deductions: there are no hints for it", holos_variant_name(v));
    output_flush(c->out);
    batch_report(c, &totals, clock_wall() - start);
    holos_close(v);
    return status;
}

static const cli_example examples[] = {
    {"hint sudoku < puzzle.txt", "the next step, and why it is right"},
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
