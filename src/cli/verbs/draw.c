/* SPDX-License-Identifier: MIT */

/* A picture of a position, or the position in another notation. */

#include "cli/cli.h"
#include "cli/formats.h"
#include "cli/interrupt.h"
#include "cli/lines.h"
#include "cli/words.h"
#include "wire/answer.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct draw_settings {
    const char *format;
    bool hint, solution;
} draw_settings;

static const holos_option options[] = {
    {OPTION(STRING, draw_settings, format), .name = "format", .letter = 'f', .value = "NAME",
     .fallback = "svg", .help = "svg, or a notation: line, grid, or another that the game has"},
    {OPTION(FLAG, draw_settings, hint), .name = "hint",
     .help = "also show the next step, as `holos hint` finds it"},
    {OPTION(FLAG, draw_settings, solution), .name = "solution", .help = "fill in the solution"},
    {0},
};

/* The argument, or all of standard input. */
static holos_status read_position(const cli *c, const holos_variant *v, holos_position *p, holos_error *err)
{
    if (c->operand_count > 1 && strcmp(c->operands[1], "-") != 0)
        return holos_parse(v, c->operands[1], p, err);
    lines *in = malloc(sizeof *in);
    text input;
    bool cut;
    text_init(&input);
    if (in == NULL)
        return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for the position");
    lines_init(in, STDIN_FILENO);
    holos_status status = lines_join(in, &input, &cut, err);
    if (status == HOLOS_INTERRUPTED)
        error_set(err, status, HOLOS_NOWHERE, "interrupted");
    else if (status == HOLOS_OK && cut)
        status = error_set(err, HOLOS_BAD_POSITION, LINES_LONGEST,
                           "standard input is too long: a position has at most %d bytes", LINES_LONGEST - 1);
    else if (status == HOLOS_OK)
        status = holos_parse(v, input.data, p, err);
    text_free(&input);
    free(in);
    return status;
}

static holos_status draw_picture(cli *c, const holos_variant *v, const holos_position *p, holos_error *err)
{
    const draw_settings *s = c->settings;
    holos_logic *l;
    holos_step step;
    if (!holos_has_pictures(holos_variant_game(v)))
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "%s has no pictures", holos_variant_name(v));
    if (!s->hint) {
        text_take(&c->out->text, holos_picture, v, p, NULL);
        return HOLOS_OK;
    }
    holos_status status = holos_logic_open(v, p, &(holos_limits){.stop = interrupt_flag()}, &l, err);
    if (status != HOLOS_OK)
        return err->code == HOLOS_UNSUPPORTED ? error_prefix(err, "--hint: ") : status;
    const holos_step *shown = holos_logic_find(l, &step) ? &step : NULL;
    text_take(&c->out->text, holos_picture, v, p, shown);
    holos_logic_close(l);
    return HOLOS_OK;
}

static holos_status draw(cli *c, const holos_variant *v, holos_position *p, holos_error *err)
{
    const draw_settings *s = c->settings;
    size_t notation;
    if (strcmp(s->format, "svg") == 0)
        return draw_picture(c, v, p, err);
    if (s->hint)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "--hint: a step is drawn on a picture, --format svg");
    holos_status status = format_find(v, s->format, "line", &notation, err);
    if (status == HOLOS_OK)
        format_write(&c->out->text, v, p, notation);
    return status;
}

/* Fills in the rest of a puzzle. */
static holos_status fill_in(const holos_variant *v, holos_position *p, holos_error *err)
{
    holos_solver *solver = NULL;
    holos_result result;
    if (!wire_is_puzzle(v))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "--solution: %s is not a puzzle",
                         holos_variant_name(v));
    holos_settings *one = holos_settings_new();
    holos_status status = holos_settings_set(one, "solutions", "1", err);
    holos_solver_options wanted = {.settings = one, .limits = {.stop = interrupt_flag()}};
    if (status == HOLOS_OK)
        status = holos_solver_open(v, &wanted, &solver, err);
    if (status == HOLOS_OK)
        status = holos_solver_solve(solver, p, &result, err);
    if (status == HOLOS_OK && result.solution == NULL)
        status = error_set(err, HOLOS_BAD_POSITION, HOLOS_NOWHERE, "no solution to draw");
    else if (status == HOLOS_OK)
        memcpy(p, result.solution, holos_position_size(v));
    holos_solver_close(solver);
    holos_settings_free(one);
    return status;
}

static cli_status run(cli *c)
{
    const draw_settings *s = c->settings;
    holos_variant *v;
    holos_error err;
    if (holos_open(c->operands[0], &v, &err) != HOLOS_OK)
        return cli_fail(&err);
    holos_position *p = holos_position_new(v);
    holos_status status = p == NULL
                              ? error_set(&err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for a position")
                              : read_position(c, v, p, &err);
    if (status == HOLOS_OK && s->solution)
        status = fill_in(v, p, &err);
    if (status == HOLOS_OK)
        status = draw(c, v, p, &err);
    holos_position_free(p);
    holos_close(v);
    return status == HOLOS_OK ? CLI_DONE : cli_fail(&err);
}

const cli_verb verb_draw = {
    .name = "draw",
    .operands = "GAME[:VARIANT] [POSITION]",
    .summary = "draw a position or a step as SVG",
    .description =
        "Draws a position as SVG: givens, what was filled in, candidates, and with --hint the next "
        "step. With another --format, writes the position in that notation.\n\n"
        "The position is an argument, or all of standard input; it may span several lines.",
    .operands_min = 1,
    .operands_max = 2,
    .complete = game_word,
    .shared = SHARED_CONFIG,
    .options = options,
    .settings_size = sizeof(draw_settings),
    .run = run,
};
