/* SPDX-License-Identifier: MIT */

/* Puzzles with one solution, of a wanted difficulty; and positions of a kind. */

#include "cli/booklet.h"
#include "cli/cli.h"
#include "cli/formats.h"
#include "cli/interrupt.h"
#include "cli/kinds.h"
#include "cli/rating.h"
#include "cli/words.h"
#include "core/pool.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct generate_settings {
    uint64_t count;
    const char *difficulty, *symmetry, *format, *size, *shape, *booklet;
    uint64_t holes, per_page;
    bool minimal, rate;
} generate_settings;

static const cli_option options[] = {
    {OPTION(COUNT, generate_settings, count), .name = "count", .letter = 'n', .value = "N", .fallback = "1",
     .help = "make so many"},
    {OPTION(STRING, generate_settings, difficulty), .name = "difficulty", .letter = 'd', .value = "NAME",
     .help = "easy, medium, hard, unfair, extreme, or the hardest technique that it takes, such as x-wing"},
    {OPTION(STRING, generate_settings, symmetry), .name = "symmetry", .value = "NAME",
     .help = "how the givens are arranged: none, rotate180, rotate90, mirror, flip, diagonal"},
    {OPTION(STRING, generate_settings, size), .name = "size", .value = "WxH",
     .help = "of games whose boards come in sizes: so many columns and rows (hidato: 8x8)"},
    {OPTION(STRING, generate_settings, shape), .name = "shape", .value = "NAME",
     .help = "of the board: rectangle, diamond, disc, ring, cross, heart, hexagon"},
    {OPTION(COUNT, generate_settings, holes), .name = "holes", .value = "PERCENT",
     .help = "leave out so many of the cells, at random"},
    {OPTION(FLAG, generate_settings, minimal), .name = "minimal",
     .help = "no given can be left out; otherwise there may be a few more"},
    {OPTION(FLAG, generate_settings, rate), .name = "rate", .help = "rate each, too"},
    {OPTION(STRING, generate_settings, format), .name = "format", .letter = 'f', .value = "NAME",
     .help = "how they are written: line, grid, and more that the game has, such as sdk or ascent"},
    {OPTION(STRING, generate_settings, booklet), .name = "booklet", .value = "DIR",
     .help = "write pages to print into this folder (SVG, and index.html), the solutions at the back"},
    {OPTION(COUNT, generate_settings, per_page), .name = "per-page", .value = "N", .fallback = "4",
     .help = "puzzles on a page of the booklet, up to 12"},
    {0},
};

static void write_json(cli *c, const holos_variant *v, const holos_position *p, const holos_rating *rating,
                       uint64_t number)
{
    text *t = &c->out->text, position;
    text_init(&position);
    words_position(&position, v, p);
    json j = json_begin(t);
    json_open(&j, NULL, '{');
    json_put_string(&j, "game", holos_variant_name(v));
    json_put_uint(&j, "number", number);
    json_put_string(&j, "position", position.data);
    rating_put(&j, v, rating);
    json_close(&j);
    text_char(t, '\n');
    text_free(&position);
}

static void write_plain(cli *c, const holos_variant *v, const holos_position *p, const holos_rating *rating,
                        const holos_notation *format)
{
    const generate_settings *s = c->settings;
    format_write(&c->out->text, v, p, format);
    if (s->rate) {
        text_string(&c->out->text, "# ");
        rating_say(&c->out->text, v, rating);
    }
}

typedef struct making {
    const holos_variant *v;
    holos_generator *generator;
    const holos_notation *format;
    booklet *booklet; /* NULL: they are printed */
    holos_position *p;
} making;

static holos_status make_one(cli *c, const making *m, uint64_t number, holos_error *err)
{
    const generate_settings *s = c->settings;
    holos_rating rating;
    bool rated = c->shared.json || s->rate || m->booklet != NULL;
    holos_status status = holos_generator_next(m->generator, m->p, rated ? &rating : NULL, err);
    if (status != HOLOS_OK)
        return status;
    if (m->booklet != NULL)
        return booklet_add(m->booklet, m->p, &rating, err);
    if (c->shared.json)
        write_json(c, m->v, m->p, &rating, number);
    else
        write_plain(c, m->v, m->p, &rating, m->format);
    return HOLOS_OK;
}

static cli_status make_all(cli *c, const making *m)
{
    const generate_settings *s = c->settings;
    holos_error err;
    for (uint64_t i = 0; i < s->count; i++) {
        holos_status status = make_one(c, m, i + 1, &err);
        if (status == HOLOS_INTERRUPTED)
            return CLI_INTERRUPTED;
        if (status != HOLOS_OK) {
            output_flush(c->out);
            return cli_fail(&err);
        }
        progress_add(&c->progress, 1);
        if (m->booklet == NULL && !output_answer(c->out))
            break;
    }
    return CLI_DONE;
}

static cli_status write_booklet(cli *c, const booklet *b)
{
    const generate_settings *s = c->settings;
    holos_error err;
    unsigned pages;
    if (booklet_write(b, &pages, &err) != HOLOS_OK)
        return cli_fail(&err);
    text_printf(&c->out->text, "%s: %u pages, %llu puzzles\n", s->booklet, pages,
                (unsigned long long)s->count);
    return CLI_DONE;
}

/* "12x8" */
static bool read_size(const char *size, holos_generator_options *wanted)
{
    int end = 0;
    if (size == NULL)
        return true;
    if (sscanf(size, "%4ux%4u%n", &wanted->columns, &wanted->rows, &end) == 2 && size[end] == 0 &&
        wanted->columns > 0 && wanted->rows > 0)
        return true;
    cli_error("--size %s: expected columns and rows, such as 10x8", size);
    return false;
}

static cli_status generate(cli *c, const holos_variant *v)
{
    const generate_settings *s = c->settings;
    const holos_notation *format;
    holos_generator *g;
    holos_error err;
    holos_generator_options wanted = {
        .seed = c->shared.seed,
        .threads = c->shared.threads > 0 ? (unsigned)c->shared.threads : pool_processors(),
        .symmetry = s->symmetry,
        .difficulty = s->difficulty,
        .minimal = s->minimal,
        .shape = s->shape,
        .holes = s->holes < 100 ? (unsigned)s->holes : 100,
        .expected = s->count,
        .limits = {.seconds = c->shared.time, .stop = interrupt_flag()},
    };
    if (!read_size(s->size, &wanted))
        return CLI_USAGE;
    if (format_find(v, s->format, "line", &format, &err) != HOLOS_OK ||
        holos_generator_open(v, &wanted, &g, &err) != HOLOS_OK)
        return cli_fail(&err);
    making m = {.v = v, .generator = g, .format = format, .p = holos_position_new(v)};
    cli_status status = CLI_LIMIT;
    if (s->booklet != NULL &&
        booklet_open(v, s->booklet, (unsigned)s->per_page, &m.booklet, &err) != HOLOS_OK) {
        status = cli_fail(&err);
    } else if (m.p != NULL) {
        progress_begin(&c->progress, "generate", "puzzles", s->count);
        status = make_all(c, &m);
        progress_end(&c->progress);
        if (status == CLI_DONE && m.booklet != NULL)
            status = write_booklet(c, m.booklet);
    }
    booklet_close(m.booklet);
    holos_position_free(m.p);
    holos_generator_close(g);
    return status;
}

static cli_status run(cli *c)
{
    holos_variant *v;
    holos_error err;
    if (holos_open(c->operands[0], &v, &err) != HOLOS_OK)
        return cli_fail(&err);
    const generate_settings *s = c->settings;
    cli_status status =
        c->operand_count > 1 ? kinds_generate(c, v, c->operands[1], s->count) : generate(c, v);
    holos_close(v);
    return status;
}

static const cli_example examples[] = {
    {"generate sudoku --difficulty hard --symmetry rotate180", "a hard one that looks the same upside down"},
    {"generate sudoku --count 1000 --minimal --seed 7 --threads 0",
     "a thousand minimal ones, on all processors"},
    {"generate hidato --size 10x10 --shape heart --holes 5 --symmetry mirror",
     "a heart of numbers, the same in a mirror"},
    {"generate hidato --count 24 --difficulty medium --booklet puzzles",
     "24 puzzles on pages to print, with solutions"},
    {"generate chess KQRvKQ --count 10", "ten positions with these pieces, at random"},
    {"generate sudoku --difficulty swordfish --rate", "one whose hardest step is a swordfish"},
    {0},
};

const cli_verb verb_generate = {
    .name = "generate",
    .operands = "GAME[:VARIANT] [KIND]",
    .summary = "puzzles with one solution, graded",
    .description =
        "Makes puzzles that have one solution, as hard as wanted. The same seed makes the same puzzles, in "
        "the same order, for any number of threads.\n\n"
        "A difficulty that is rare takes a while: puzzles are made and rated until enough fit. --time ends "
        "the search.\n\n"
        "Of a game whose positions fall into kinds (chess: by material), positions of a kind at random.",
    .operands_min = 1,
    .operands_max = 2,
    .complete = game_word,
    .shared = SHARED_TIME | SHARED_THREADS | SHARED_SEED | SHARED_JSON | SHARED_PROGRESS | SHARED_CONFIG |
              SHARED_LOG,
    .options = options,
    .settings_size = sizeof(generate_settings),
    .examples = examples,
    .run = run,
};
