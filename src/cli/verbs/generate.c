/* SPDX-License-Identifier: MIT */

/* Puzzles with one solution, of a wanted difficulty; and positions of a kind. */

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
    const char *difficulty, *format, *booklet;
    uint64_t per_page;
    bool minimal, rate;
} generate_settings;

static const holos_option options[] = {
    {OPTION(COUNT, generate_settings, count), .name = "count", .letter = 'n', .value = "N", .fallback = "1",
     .help = "how many to make"},
    {OPTION(STRING, generate_settings, difficulty), .name = "difficulty", .letter = 'd', .value = "NAME",
     .help = "easy, medium, hard, unfair, extreme, or the hardest technique needed, such as x-wing"},
    {OPTION(FLAG, generate_settings, minimal), .name = "minimal",
     .help = "make every given necessary; otherwise a few may not be"},
    {OPTION(FLAG, generate_settings, rate), .name = "rate", .help = "also rate each one"},
    {OPTION(STRING, generate_settings, format), .name = "format", .letter = 'f', .value = "NAME",
     .help = "how to write them: line, grid, or another notation of the game, such as sdk or ascent"},
    {OPTION(FILE, generate_settings, booklet), .name = "booklet", .value = "DIR",
     .help = "write pages to print (SVG and index.html) to this folder, with the solutions at the back"},
    {OPTION(COUNT, generate_settings, per_page), .name = "per-page", .value = "N", .fallback = "4",
     .help = "puzzles per page of the booklet, up to 12"},
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
    wire_rating(&j, v, rating);
    json_close(&j);
    text_char(t, '\n');
    text_free(&position);
}

static void write_plain(cli *c, const holos_variant *v, const holos_position *p, const holos_rating *rating,
                        size_t format)
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
    size_t format;
    holos_booklet *booklet; /* NULL: they are printed */
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
        return holos_booklet_add(m->booklet, m->p, &rating, &(holos_limits){.stop = interrupt_flag()}, err);
    if (c->shared.json)
        write_json(c, m->v, m->p, &rating, number);
    else
        write_plain(c, m->v, m->p, &rating, m->format);
    return HOLOS_OK;
}

static cli_status make_all(cli *c, const making *m, uint64_t *made)
{
    const generate_settings *s = c->settings;
    holos_error err;
    for (*made = 0; *made < s->count; ++*made) {
        holos_status status = make_one(c, m, *made + 1, &err);
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

/* Also where a limit or Ctrl-C came first: then with what was made until then. */
static cli_status write_booklet(cli *c, const holos_booklet *b, uint64_t made)
{
    const generate_settings *s = c->settings;
    holos_error err;
    unsigned pages;
    if (holos_booklet_write(b, &pages, &err) != HOLOS_OK)
        return cli_fail(&err);
    text_printf(&c->out->text, "%s: %u pages, %llu puzzles\n", s->booklet, pages, (unsigned long long)made);
    return CLI_DONE;
}

static cli_status generate(cli *c, const holos_variant *v)
{
    const generate_settings *s = c->settings;
    size_t format;
    holos_generator *g;
    holos_error err;
    holos_generator_options wanted = {
        .seed = c->shared.seed,
        .threads = c->shared.threads > 0 ? (unsigned)c->shared.threads : pool_processors(),
        .difficulty = s->difficulty,
        .minimal = s->minimal,
        .settings = c->others,
        .expected = s->count,
        .limits = {.seconds = c->shared.time, .stop = interrupt_flag()},
    };
    if (format_find(v, s->format, "line", &format, &err) != HOLOS_OK ||
        holos_generator_open(v, &wanted, &g, &err) != HOLOS_OK)
        return cli_fail(&err);
    making m = {.v = v, .generator = g, .format = format, .p = holos_position_new(v)};
    cli_status status = CLI_LIMIT;
    if (s->booklet != NULL &&
        holos_booklet_open(v, s->booklet, (unsigned)s->per_page, &m.booklet, &err) != HOLOS_OK) {
        status = cli_fail(&err);
    } else if (m.p != NULL) {
        progress_begin(&c->progress, "generate", "puzzles", s->count);
        uint64_t made;
        status = make_all(c, &m, &made);
        progress_end(&c->progress);
        if (made > 0 && m.booklet != NULL)
            status = cli_worse(status, write_booklet(c, m.booklet, made));
    }
    holos_booklet_close(m.booklet);
    holos_position_free(m.p);
    holos_generator_close(g);
    return status;
}

/* What would go unheeded beside --json or --booklet. */
static bool contradicts_itself(const cli *c)
{
    static const char *const formats[] = {"format", NULL}, *const pages[] = {"per-page", NULL},
                             *const lines[] = {"format", "json", "rate", NULL};
    const generate_settings *s = c->settings;
    return (s->booklet == NULL && cli_refuses(c, pages, "what is not a booklet")) ||
           (s->booklet != NULL && cli_refuses(c, lines, "a booklet")) ||
           (c->shared.json && cli_refuses(c, formats, "--json"));
}

/* Positions of a kind, in place of puzzles. */
static cli_status generate_kind(cli *c, const holos_variant *v)
{
    static const char *const of_puzzles[] = {"difficulty", "minimal", "rate", "format", "booklet",
                                             "per-page",   "threads", "time", NULL};
    const generate_settings *s = c->settings;
    if (cli_refuses(c, of_puzzles, "a kind of positions") || cli_refuses_others(c, "a kind of positions"))
        return CLI_USAGE;
    return kinds_generate(c, v, c->operands[1], s->count);
}

static cli_status run(cli *c)
{
    holos_variant *v;
    holos_error err;
    if (holos_open(c->operands[0], &v, &err) != HOLOS_OK)
        return cli_fail(&err);
    cli_status status = c->operand_count > 1    ? generate_kind(c, v)
                        : contradicts_itself(c) ? CLI_USAGE
                                                : generate(c, v);
    holos_close(v);
    return status;
}

const cli_verb verb_generate = {
    .name = "generate",
    .operands = "GAME[:VARIANT] [KIND]",
    .summary = "make graded puzzles with one solution",
    .description = "Makes puzzles that have one solution, as hard as you want. The same seed makes the same "
                   "puzzles, in the same order, with any number of threads.\n\n"
                   "A rare difficulty takes a while: holos makes and rates puzzles until enough of them fit. "
                   "--time ends the search.\n\n"
                   "For a game whose positions fall into kinds, makes random positions of a kind.",
    .operands_min = 1,
    .operands_max = 2,
    .complete = game_word,
    .shared = SHARED_TIME | SHARED_THREADS | SHARED_SEED | SHARED_JSON | SHARED_PROGRESS | SHARED_CONFIG |
              SHARED_LOG,
    .options = options,
    .uses = USE(GENERATE),
    .settings_size = sizeof(generate_settings),
    .run = run,
};
