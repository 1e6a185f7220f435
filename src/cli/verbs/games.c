/* SPDX-License-Identifier: MIT */

/* What can be solved, and how. */

#include "cli/page.h"
#include "cli/words.h"
#include "core/json.h"
#include "wire/answer.h"

#include <string.h>

enum { GAMES_WIDTH = 80, LABEL_COLUMN = 12 };

/* The name of the engine at `index` if it can take the variant, or NULL. */
static const char *engine_name(const holos_variant *v, size_t index)
{
    const holos_engine *engine = holos_engine_at(index);
    return holos_engine_supports(engine, v, NULL) == HOLOS_OK ? holos_engine_name(engine) : NULL;
}

static void list_engines(text *t, const holos_variant *v)
{
    size_t listed = 0;
    for (size_t i = 0; holos_engine_at(i) != NULL; i++) {
        const char *name = engine_name(v, i);
        if (name != NULL)
            text_printf(t, "%s%s", listed++ > 0 ? ", " : "", name);
    }
}

/* ---- JSON -------------------------------------------------------------------------------------- */

/* The options of a game's own, for every use. */
static void options_json(json *j, const holos_game *game)
{
    holos_option_group group;
    json_open(j, "options", '[');
    for (unsigned use = 0; use < HOLOS_USE_COUNT; use++) {
        for (size_t i = 0; holos_option_group_at((holos_use)use, i, &group); i++) {
            bool own = group.kind == HOLOS_OWNER_GAME && strcmp(group.owner, holos_game_name(game)) == 0;
            for (const holos_option *o = group.options; own && o->name != NULL; o++) {
                json_open(j, NULL, '{');
                page_option_put(j, o, o->fallback);
                json_put_string(j, "use", holos_use_name(group.use));
                if (group.purpose != NULL)
                    json_put_string(j, "purpose", group.purpose);
                json_close(j);
            }
        }
    }
    json_close(j);
}

static void write_json(text *t, const holos_variant *v)
{
    const holos_game *game = holos_variant_game(v);
    const char *example;
    int32_t min, max;
    holos_score_range(v, &min, &max);
    json j = json_begin(t);
    json_open(&j, NULL, '{');
    json_put_string(&j, "game", holos_game_name(game));
    json_put_string(&j, "variant", holos_variant_name(v));
    json_put_string(&j, "title", holos_game_title(game));
    json_put_string(&j, "kind", wire_is_puzzle(v) ? "puzzle" : "game");
    json_put_string(&j, "summary", holos_game_summary(game));
    json_put_string(&j, "variants", holos_game_variant_help(game));
    json_put_string(&j, "position", holos_game_position_help(game));
    json_put_string(&j, "score", holos_game_score_help(game));
    json_put_int(&j, "score_min", min);
    json_put_int(&j, "score_max", max);
    json_open(&j, "engines", '[');
    for (size_t i = 0; holos_engine_at(i) != NULL; i++) {
        if (engine_name(v, i) != NULL)
            json_put_string(&j, NULL, engine_name(v, i));
    }
    json_close(&j);
    json_open(&j, "examples", '[');
    for (size_t i = 0; (example = holos_game_example(game, i)) != NULL; i++)
        json_put_string(&j, NULL, example);
    json_close(&j);
    options_json(&j, game);
    json_close(&j);
    text_char(t, '\n');
}

/* ---- For people -------------------------------------------------------------------------------- */

static void label(output *out, const char *name)
{
    text_style_begin(&out->text, out->color, STYLE_BOLD);
    text_printf(&out->text, "%-*s", LABEL_COLUMN, name);
    text_style_end(&out->text, out->color, STYLE_BOLD);
}

static void entry(output *out, const char *name, const char *s)
{
    label(out, name);
    output_wrap(&out->text, LABEL_COLUMN, LABEL_COLUMN, GAMES_WIDTH, s);
}

static void write_row(output *out, const holos_variant *v)
{
    const holos_game *game = holos_variant_game(v);
    text row;
    text_init(&row);
    text_printf(&row, "%s. %s", holos_game_title(game), holos_game_summary(game));
    entry(out, holos_game_name(game), row.data);
    text_free(&row);
    text_repeat(&out->text, ' ', LABEL_COLUMN);
    text_string(&out->text, "Solved by: ");
    list_engines(&out->text, v);
    text_char(&out->text, '\n');
}

/* A position worth a look: the start, or the first example. False if there is neither. */
static bool find_position(const holos_variant *v, holos_position *p)
{
    const char *example = holos_game_example(holos_variant_game(v), 0);
    return holos_start(v, p, NULL) == HOLOS_OK ||
           (example != NULL && holos_parse(v, example, p, NULL) == HOLOS_OK);
}

static void write_drawing(text *t, const holos_variant *v)
{
    holos_position *p = holos_position_new(v);
    if (p != NULL && find_position(v, p)) {
        text_char(t, '\n');
        words_drawing(t, v, p);
    }
    holos_position_free(p);
}

static void write_details(output *out, const holos_variant *v)
{
    const holos_game *game = holos_variant_game(v);
    const char *example;
    text *t = &out->text;
    int32_t min, max;
    holos_score_range(v, &min, &max);
    text_printf(t, "%s: %s\n", holos_variant_name(v), holos_game_title(game));
    output_wrap(t, 0, 0, GAMES_WIDTH, holos_game_summary(game));
    text_char(t, '\n');
    entry(out, "Variants", holos_game_variant_help(game));
    entry(out, "Position", holos_game_position_help(game));
    entry(out, "Score", holos_game_score_help(game));
    label(out, "Range");
    text_printf(t, "%d to %d\n", min, max);
    label(out, "Solved by");
    list_engines(t, v);
    text_char(t, '\n');
    for (size_t i = 0; (example = holos_game_example(game, i)) != NULL; i++) {
        label(out, i == 0 ? "Examples" : "");
        text_printf(t, "holos solve %s \"%s\"\n", holos_game_name(game), example);
    }
    write_drawing(t, v);
}

/* ------------------------------------------------------------------------------------------------ */

static cli_status show_one(cli *c, const char *name, bool details)
{
    holos_variant *v;
    holos_error err;
    if (holos_open(name, &v, &err) != HOLOS_OK)
        return cli_fail(&err);
    if (c->shared.json)
        write_json(&c->out->text, v);
    else if (details)
        write_details(c->out, v);
    else
        write_row(c->out, v);
    holos_close(v);
    return CLI_DONE;
}

static cli_status run(cli *c)
{
    if (c->operand_count > 0)
        return show_one(c, c->operands[0], true);
    cli_status status = CLI_DONE;
    for (size_t i = 0; i < holos_game_count(); i++)
        status = cli_worse(status, show_one(c, holos_game_name(holos_game_at(i)), false));
    if (!c->shared.json)
        text_string(&c->out->text, "\n'holos games GAME' describes one game.\n");
    return status;
}

static const cli_example examples[] = {
    {"games", "the list"},
    {"games --json", "the same for programs, one object for each game"},
    {0},
};

const cli_verb verb_games = {
    .name = "games",
    .operands = "[GAME[:VARIANT]]",
    .summary = "list the games, and how they are solved",
    .description =
        "Lists the games and puzzles that holos knows. For one of them: its variants, how to write "
        "positions and moves, what a score means, which engines can solve it, and examples.",
    .operands_max = 1,
    .complete = game_word,
    .shared = SHARED_JSON,
    .examples = examples,
    .run = run,
};
