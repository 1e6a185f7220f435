/* SPDX-License-Identifier: MIT */

#include "cli/kinds.h"

#include "cli/interrupt.h"
#include "cli/words.h"
#include "core/json.h"

static void kind_put(json *j, const char *name, const holos_variant *v, holos_kind kind)
{
    char word[64];
    holos_kind_format(v, kind, word, sizeof word);
    json_put_string(j, name, word);
}

static void kind_say(text *t, const holos_variant *v, holos_kind kind)
{
    char word[64];
    holos_kind_format(v, kind, word, sizeof word);
    text_string(t, word);
}

/* ---- What lies around -------------------------------------------------------------------------- */

static void list_json(json *j, const char *name, const holos_variant *v, const holos_kind *kinds,
                      size_t count)
{
    json_open(j, name, '[');
    for (size_t i = 0; i < count; i++)
        kind_put(j, NULL, v, kinds[i]);
    json_close(j);
}

static void list_words(text *t, const char *what, const holos_variant *v, const holos_kind *kinds,
                       size_t count)
{
    if (count == 0)
        return;
    text_printf(t, "  %s (%zu):", what, count);
    for (size_t i = 0; i < count; i++) {
        text_string(t, i > 0 ? ", " : " ");
        kind_say(t, v, kinds[i]);
    }
    text_char(t, '\n');
}

static void list_write(cli *c, const holos_variant *v, holos_kind kind, const holos_surroundings *s)
{
    text *t = &c->out->text;
    if (c->shared.json) {
        json j = json_begin(t);
        json_open(&j, NULL, '{');
        json_put_string(&j, "game", holos_variant_name(v));
        kind_put(&j, "kind", v, kind);
        list_json(&j, "known", v, s->known, s->known_count);
        list_json(&j, "unknown", v, s->unknown, s->unknown_count);
        list_json(&j, "parents", v, s->parents, s->parent_count);
        json_close(&j);
        text_char(t, '\n');
        return;
    }
    kind_say(t, v, kind);
    text_printf(t, ", a %s of %s\n", holos_kind_word(holos_variant_game(v)), holos_variant_name(v));
    list_words(t, "known below it", v, s->known, s->known_count);
    list_words(t, "not known", v, s->unknown, s->unknown_count);
    list_words(t, "a move leads to it from", v, s->parents, s->parent_count);
}

cli_status kinds_list(cli *c, const holos_variant *v, const holos_boundary *boundary, const char *word)
{
    holos_error err;
    holos_kind kind;
    holos_surroundings s;
    cli_status exit = CLI_DONE;
    if (holos_kind_parse(v, word, &kind, NULL) != HOLOS_OK)
        return cli_usage("--kinds needs a kind of positions instead of a position");
    if (holos_surroundings_find(v, kind, boundary, &s, &err) == HOLOS_OK)
        list_write(c, v, kind, &s);
    else
        exit = cli_fail(&err);
    holos_surroundings_free(&s);
    return exit;
}

/* ---- At random --------------------------------------------------------------------------------- */

static void position_write(cli *c, const holos_variant *v, holos_kind kind, const holos_position *p,
                           uint64_t number)
{
    text *t = &c->out->text, position;
    text_init(&position);
    words_position(&position, v, p);
    if (c->shared.json) {
        json j = json_begin(t);
        json_open(&j, NULL, '{');
        json_put_string(&j, "game", holos_variant_name(v));
        json_put_uint(&j, "number", number);
        kind_put(&j, "kind", v, kind);
        json_put_string(&j, "position", position.data);
        json_close(&j);
    } else {
        text_string(t, position.data);
    }
    text_char(t, '\n');
    text_free(&position);
}

cli_status kinds_generate(cli *c, const holos_variant *v, const char *word, uint64_t count)
{
    holos_error err;
    holos_kind kind;
    if (holos_kind_word(holos_variant_game(v)) == NULL)
        return cli_usage("unexpected argument '%s': positions of %s have no kinds to choose from", word,
                         holos_variant_name(v));
    if (holos_kind_parse(v, word, &kind, &err) != HOLOS_OK)
        return cli_fail(&err);
    holos_position *p = holos_position_new(v);
    cli_status exit = p != NULL ? CLI_DONE : CLI_LIMIT;
    for (uint64_t i = 0; p != NULL && i < count && !interrupted(); i++) {
        if (holos_kind_position(v, kind, c->shared.seed, i, p, &err) != HOLOS_OK) {
            cli_error("%s", err.message);
            exit = CLI_NO;
            break;
        }
        position_write(c, v, kind, p, i + 1);
        if (!output_answer(c->out))
            break;
    }
    holos_position_free(p);
    return interrupted() ? CLI_INTERRUPTED : exit;
}
