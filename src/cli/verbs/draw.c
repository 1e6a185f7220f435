/* SPDX-License-Identifier: MIT */

/* A picture of a position, or the position in another notation. */

#include "cli/cli.h"
#include "cli/formats.h"
#include "cli/interrupt.h"
#include "core/clock.h"
#include "core/file.h"

#include <stdlib.h>
#include <string.h>

enum { DRAW_LONGEST = 1 << 16 };

typedef struct draw_settings {
    const char *format;
    bool hint, solution;
} draw_settings;

static const cli_option options[] = {
    {OPTION(STRING, draw_settings, format), .name = "format", .letter = 'f', .value = "NAME",
     .fallback = "svg",
     .help = "svg, or a notation of the game (sudoku: line, grid, sdk, sdm, candidates; hidato: line, grid, "
             "ascent, json)"},
    {OPTION(FLAG, draw_settings, hint), .name = "hint",
     .help = "with the next step on it, as `holos hint` tells it"},
    {OPTION(FLAG, draw_settings, solution), .name = "solution", .help = "with the solution filled in"},
    {0},
};

/* The argument, or all of standard input. */
static holos_status read_position(const cli *c, const holos_variant *v, holos_position *p, holos_error *err)
{
    if (c->operand_count > 1 && strcmp(c->operands[1], "-") != 0)
        return holos_parse(v, c->operands[1], p, err);
    text input;
    text_init(&input);
    holos_status status = file_read("/dev/stdin", DRAW_LONGEST, &input, err);
    if (status == HOLOS_OK)
        status = holos_parse(v, input.data, p, err);
    text_free(&input);
    return status;
}

static holos_status draw_picture(cli *c, const holos_variant *v, const holos_position *p, holos_error *err)
{
    const draw_settings *s = c->settings;
    holos_logic *l;
    holos_step step;
    if (v->game->picture == NULL)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "there are no pictures of %s", v->name);
    if (!s->hint) {
        v->game->picture(v, p, NULL, &c->out->text);
        return HOLOS_OK;
    }
    holos_status status = holos_logic_open(v, p, &(holos_limits){.stop = interrupt_flag()}, &l, err);
    if (status != HOLOS_OK)
        return status;
    v->game->picture(v, p, holos_logic_find(l, &step) ? &step : NULL, &c->out->text);
    holos_logic_close(l);
    return HOLOS_OK;
}

static holos_status draw(cli *c, const holos_variant *v, holos_position *p, holos_error *err)
{
    const draw_settings *s = c->settings;
    const holos_notation *notation;
    if (strcmp(s->format, "svg") == 0)
        return draw_picture(c, v, p, err);
    holos_status status = format_find(v, s->format, "line", &notation, err);
    if (status == HOLOS_OK)
        format_write(&c->out->text, v, p, notation);
    return status;
}

/* Fills in the rest of a puzzle. */
static holos_status fill_in(const holos_variant *v, holos_position *p, holos_error *err)
{
    holos_puzzle_answer answer = {0};
    if (v->game->puzzle == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "--solution: %s is no puzzle", v->name);
    holos_position *first = holos_position_new(v);
    if (first == NULL)
        return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for a position");
    v->game->puzzle->count(v, p, 1, UINT64_MAX, CLOCK_NEVER, interrupt_flag(), first, &answer);
    if (answer.solutions > 0)
        memcpy(p, first, v->position_size);
    holos_position_free(first);
    return answer.solutions > 0
               ? HOLOS_OK
               : error_set(err, HOLOS_BAD_POSITION, HOLOS_NOWHERE, "there is no solution to draw");
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

static const cli_example examples[] = {
    {"draw sudoku --hint < puzzle.txt > "
     "hint.svg",
     "a picture of the next step"},
    {"draw hidato --solution < puzzle.txt > solution.svg", "the solution of a hidato, with its path"},
    {"draw sudoku --format grid < puzzle.sdk", "an .sdk file as a drawn grid"},
    {0},
};

const cli_verb verb_draw = {
    .name = "draw",
    .operands = "GAME[:VARIANT] [POSITION]",
    .summary = "a picture (SVG) of a position or a step",
    .description = "Draws a position as SVG: givens, what was filled in, candidates, and with --hint the "
                   "next step. With "
                   "another --format, writes the position in that notation.\n\n"
                   "The position is an argument, or all of standard input, over several lines if need be.",
    .operands_min = 1,
    .operands_max = 2,
    .complete = game_word,
    .shared = SHARED_CONFIG,
    .options = options,
    .settings_size = sizeof(draw_settings),
    .examples = examples,
    .run = run,
};
