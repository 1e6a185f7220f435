/* SPDX-License-Identifier: MIT */

/* How hard a puzzle is, and by which techniques. */

#include "cli/deducing.h"
#include "cli/rating.h"

typedef struct rate_settings {
    bool techniques;
    bool telemetry;
    bool whole;
} rate_settings;

static const holos_option options[] = {
    {OPTION(FLAG, rate_settings, techniques), .name = "techniques",
     .help = "list the techniques, easiest first, with their rating, score and level"},
    {OPTION(FLAG, rate_settings, telemetry), .name = "telemetry",
     .help = "also say how often each technique was tried, what it found and how long that took"},
    {OPTION(FLAG, rate_settings, whole), .name = "whole",
     .help = "read standard input as one position that spans several lines"},
    {0},
};

/* What a technique did; false past the last one. */
static bool work_at(const deducing *d, const holos_logic *logic, size_t index, holos_work *out)
{
    if (holos_technique_at(holos_variant_game(d->format.v), index) == NULL)
        return false;
    *out = holos_logic_work(logic, index);
    return true;
}

static void put_work(json *j, const deducing *d, const holos_logic *logic)
{
    holos_work work;
    json_open(j, "work", '[');
    for (size_t i = 0; work_at(d, logic, i, &work); i++) {
        if (work.calls == 0)
            continue;
        json_open(j, NULL, '{');
        json_put_string(j, "technique", work.name);
        json_put_uint(j, "calls", work.calls);
        json_put_uint(j, "removals", work.removals);
        json_put_double(j, "seconds", work.seconds);
        json_close(j);
    }
    json_close(j);
}

static void say_work(text *t, const deducing *d, const holos_logic *logic)
{
    holos_work work;
    text_printf(t, "  %-22s %9s %9s %12s\n", "technique", "calls", "removals", "microseconds");
    for (size_t i = 0; work_at(d, logic, i, &work); i++)
        if (work.calls > 0)
            text_printf(t, "  %-22s %9llu %9llu %12.0f\n", work.name, (unsigned long long)work.calls,
                        (unsigned long long)work.removals, 1e6 * work.seconds);
}

static bool wants_work(const deducing *d)
{
    return ((const rate_settings *)d->context)->telemetry;
}

static void put(text *t, const deducing *d, const holos_logic *logic, const char *question,
                const holos_rating *rating)
{
    json j = json_begin(t);
    json_open(&j, NULL, '{');
    json_put_string(&j, "game", holos_variant_name(d->format.v));
    json_put_string(&j, "position", question);
    json_put_string(&j, "status", wire_rating_status(logic, rating));
    json_put_uint(&j, "solutions", holos_logic_solutions(logic));
    if (rating->solved)
        wire_rating(&j, d->format.v, rating);
    if (wants_work(d))
        put_work(&j, d, logic);
    json_close(&j);
    text_char(t, '\n');
}

static void say(text *t, const deducing *d, const holos_logic *logic, const char *question,
                const holos_rating *rating)
{
    answer_question(t, &d->format, question, ": ");
    unsigned solutions = holos_logic_solutions(logic);
    if (solutions == 0)
        text_string(t, "no rating: there is no solution\n");
    else if (!rating->solved)
        text_string(t, solutions > 1 ? "no rating: there are several solutions\n"
                                     : "no rating: the techniques do not lead to the solution\n");
    else
        rating_say(t, d->format.v, rating);
    if (wants_work(d))
        say_work(t, d, logic);
}

static void answer(const deducing *d, holos_logic *logic, batch_item *item)
{
    holos_rating rating;
    if (wants_work(d))
        holos_logic_measure(logic);
    holos_logic_rate(logic, &rating);
    item->status = rating.solved ? CLI_DONE : CLI_NO;
    if (d->format.json)
        put(item->answer, d, logic, item->question, &rating);
    else
        say(item->answer, d, logic, item->question, &rating);
}

static void put_technique(cli *c, const holos_technique *technique)
{
    json j = json_begin(&c->out->text);
    wire_technique(&j, technique);
    text_char(&c->out->text, '\n');
}

static void list_techniques(cli *c, const holos_variant *v)
{
    const holos_technique *t;
    for (size_t i = 0; (t = holos_technique_at(holos_variant_game(v), i)) != NULL; i++) {
        if (c->shared.json)
            put_technique(c, t);
        else
            text_printf(&c->out->text, "%u.%u %4u  %-8s %-22s %s\n", t->rating / 10, t->rating % 10, t->score,
                        holos_level_name(t->level), t->name, t->title);
    }
}

static cli_status techniques(cli *c, const holos_variant *v)
{
    static const char *const of_ratings[] = {"telemetry", "whole", "time", "nodes", "threads", NULL};
    if (cli_refuses(c, of_ratings, "--techniques"))
        return CLI_USAGE;
    if (c->operand_count > 1)
        return cli_usage("--techniques: unexpected argument '%s'", c->operands[1]);
    list_techniques(c, v);
    return CLI_DONE;
}

static cli_status run(cli *c)
{
    const rate_settings *s = c->settings;
    holos_error err;
    holos_variant *v;
    if (holos_open(c->operands[0], &v, &err) != HOLOS_OK)
        return cli_fail(&err);
    deducing ratings = {.name = "rating",
                        .whole = s->whole,
                        .context = s,
                        .format = answer_format_of(c, v),
                        .answer = answer};
    cli_status status = CLI_DONE;
    if (s->techniques && holos_technique_at(holos_variant_game(v), 0) != NULL)
        status = techniques(c, v);
    else
        status = deducing_run(c, &ratings);
    holos_close(v);
    return status;
}

const cli_verb verb_rate = {
    .name = "rate",
    .operands = "GAME[:VARIANT] [POSITION…]",
    .summary = "say how hard a puzzle is, and which techniques it needs",
    .description =
        "Solves puzzles with the techniques that people use, always with the easiest one that "
        "helps, and says what it took: the hardest step and the sum of all steps, each on the scale "
        "that solvers of such puzzles share, the level, and how often each technique was needed.\n\n"
        "Positions are given as for solve.",
    .operands_min = 1,
    .operands_max = SIZE_MAX,
    .complete = game_word,
    .shared = SHARED_TIME | SHARED_NODES | SHARED_THREADS | SHARED_JSON | SHARED_PROGRESS | SHARED_CONFIG |
              SHARED_LOG,
    .options = options,
    .settings_size = sizeof(rate_settings),
    .run = run,
};
