/* SPDX-License-Identifier: MIT */

/* How hard a puzzle is, and by which techniques. */

#include "cli/answer.h"
#include "cli/batch.h"
#include "cli/interrupt.h"
#include "cli/rating.h"
#include "core/clock.h"
#include "core/pool.h"

#include <stdlib.h>

typedef struct rate_settings {
    bool techniques;
    bool whole;
} rate_settings;

static const cli_option options[] = {
    {OPTION(FLAG, rate_settings, techniques), .name = "techniques",
     .help = "list the techniques, the cheapest first, with rating, score and level"},
    {OPTION(FLAG, rate_settings, whole), .name = "whole",
     .help = "standard input is one position, over several lines"},
    {0},
};

typedef struct rate_context {
    answer_format format;
    holos_limits limits;
} rate_context;

typedef struct rate_worker {
    const rate_context *context;
    holos_logic *logic;
} rate_worker;

static holos_status worker_open(const void *context, unsigned workers, void **out, holos_error *err)
{
    (void)workers;
    rate_worker *w = calloc(1, sizeof *w);
    if (w == NULL)
        return error_system(err, "ratings");
    w->context = context;
    *out = w;
    return HOLOS_OK;
}

static void worker_close(void *worker)
{
    rate_worker *w = worker;
    holos_logic_close(w->logic);
    free(w);
}

static const char *status_of(const holos_logic *l, const holos_rating *rating)
{
    unsigned solutions = holos_logic_solutions(l);
    return solutions == 0 ? "unsolvable" : rating->solved ? "rated" : solutions > 1 ? "several" : "stuck";
}

static void write_json(text *t, const rate_worker *w, const char *question, const holos_rating *rating)
{
    const holos_variant *v = w->context->format.v;
    json j = json_begin(t);
    json_open(&j, NULL, '{');
    json_put_string(&j, "game", holos_variant_name(v));
    json_put_string(&j, "position", question);
    json_put_string(&j, "status", status_of(w->logic, rating));
    json_put_uint(&j, "solutions", holos_logic_solutions(w->logic));
    if (rating->solved)
        rating_put(&j, v, rating);
    json_close(&j);
    text_char(t, '\n');
}

static void worker_rate(rate_worker *w, batch_item *item)
{
    const answer_format *format = &w->context->format;
    holos_rating rating;
    holos_logic_rate(w->logic, &rating);
    item->status = rating.solved ? CLI_DONE : CLI_NO;
    if (format->json) {
        write_json(item->answer, w, item->question, &rating);
        return;
    }
    answer_question(item->answer, format, item->question, ": ");
    unsigned solutions = holos_logic_solutions(w->logic);
    if (solutions == 0)
        text_string(item->answer, "no rating: there is no solution\n");
    else if (!rating.solved)
        text_string(item->answer, solutions > 1 ? "no rating: there are several solutions\n"
                                                : "no rating: the techniques do not lead to the solution\n");
    else
        rating_say(item->answer, format->v, &rating);
}

static void worker_answer(void *worker, batch_item *items, size_t count)
{
    rate_worker *w = worker;
    const rate_context *c = w->context;
    for (size_t i = 0; i < count; i++) {
        holos_error err;
        holos_status status =
            w->logic == NULL ? holos_logic_open(c->format.v, items[i].position, &c->limits, &w->logic, &err)
                             : holos_logic_restart(w->logic, items[i].position, &err);
        if (status == HOLOS_OK) {
            worker_rate(w, &items[i]);
        } else {
            items[i].failed = true;
            items[i].status = answer_error(items[i].answer, &c->format, items[i].question, &err);
        }
    }
}

static void worker_refuse(const void *context, const char *question, const holos_error *err, text *out)
{
    answer_error(out, &((const rate_context *)context)->format, question, err);
}

static void list_techniques(cli *c, const holos_variant *v)
{
    const holos_technique *t;
    for (size_t i = 0; (t = holos_technique_at(holos_variant_game(v), i)) != NULL; i++) {
        if (c->shared.json)
            rating_put_technique(&c->out->text, t);
        else
            text_printf(&c->out->text, "%u.%u %4u  %-8s %-22s %s\n", t->rating / 10, t->rating % 10, t->score,
                        holos_level_name(t->level), t->name, t->title);
    }
}

static cli_status rate_positions(cli *c, const holos_variant *v)
{
    rate_context context = {
        .format = {.v = v, .json = c->shared.json, .color = c->out->color && !c->shared.json},
        .limits = {.seconds = c->shared.time, .nodes = c->shared.nodes, .stop = interrupt_flag()}};
    batch_kind kind = {.name = "rate",
                       .v = v,
                       .context = &context,
                       .block = 1,
                       .open = worker_open,
                       .close = worker_close,
                       .answer = worker_answer,
                       .refuse = worker_refuse};
    unsigned threads = c->shared.threads > 0 ? (unsigned)c->shared.threads : pool_processors();
    batch_source source = batch_source_choose(c, NULL);
    source.whole = ((const rate_settings *)c->settings)->whole;
    batch_totals totals = {0};
    double start = clock_wall();
    cli_status status = batch_run(c, &kind, source, threads, &totals);
    output_flush(c->out);
    batch_report(c, &totals, clock_wall() - start);
    return status;
}

static cli_status run(cli *c)
{
    const rate_settings *s = c->settings;
    holos_error err;
    holos_variant *v;
    cli_status status = CLI_DONE;
    if (holos_open(c->operands[0], &v, &err) != HOLOS_OK)
        return cli_fail(&err);
    if (holos_technique_at(holos_variant_game(v), 0) == NULL) {
        cli_error("%s is not solved by deductions: there are no ratings for it", holos_variant_name(v));
        status = CLI_USAGE;
    } else if (s->techniques) {
        list_techniques(c, v);
    } else {
        status = rate_positions(c, v);
    }
    holos_close(v);
    return status;
}

static const cli_example examples[] = {
    {"rate sudoku < puzzle.txt", "the hardest technique, two scores, and how often each technique is needed"},
    {"rate sudoku --json < puzzles.txt", "one puzzle a line, one JSON object a line"},
    {"rate sudoku --techniques", "the techniques, the cheapest first"},
    {0},
};

const cli_verb verb_rate = {
    .name = "rate",
    .operands = "GAME[:VARIANT] [POSITION…]",
    .summary = "how hard a puzzle is, and by which techniques",
    .description = "Solves puzzles by the techniques that people use, always by the easiest one that helps, "
                   "and tells what "
                   "it took: the hardest step on the scale of Sudoku Explainer, the sum of all steps on the "
                   "scale of HoDoKu with its level, and how often each technique was needed.\n\n"
                   "Positions come as in solve.",
    .operands_min = 1,
    .operands_max = SIZE_MAX,
    .complete = game_word,
    .shared = SHARED_TIME | SHARED_NODES | SHARED_THREADS | SHARED_JSON | SHARED_PROGRESS | SHARED_CONFIG |
              SHARED_LOG,
    .options = options,
    .settings_size = sizeof(rate_settings),
    .examples = examples,
    .run = run,
};
