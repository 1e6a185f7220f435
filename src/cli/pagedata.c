/* SPDX-License-Identifier: MIT */

/* Help as data: what `holos help --json` prints. */

#include "cli/page.h"

#include <string.h>

static void put_choices(json *j, const holos_option *option)
{
    json_open(j, "choices", '[');
    for (size_t i = 0; i < option_choice_count(option); i++) {
        char word[64];
        size_t length;
        const char *s = option_choice(option, i, &length);
        length = length < sizeof word ? length : sizeof word - 1;
        memcpy(word, s, length);
        word[length] = 0;
        json_put_string(j, NULL, word);
    }
    json_close(j);
}

void page_option_put(json *j, const holos_option *option, const char *fallback)
{
    json_put_string(j, "name", option->name);
    if (option->letter != 0)
        json_put_string(j, "letter", (char[]){option->letter, 0});
    json_put_string(j, "type", holos_option_type_name(option->type));
    if (option->type == HOLOS_OPTION_INT) {
        json_put_int(j, "min", option->min);
        json_put_int(j, "max", option->max);
    }
    if (option->type == HOLOS_OPTION_CHOICE)
        put_choices(j, option);
    else if (option->value != NULL)
        json_put_string(j, "value", option->value);
    if (fallback != NULL)
        json_put_string(j, "default", fallback);
    else
        json_put_null(j, "default");
    json_put_string(j, "help", option->help);
}

static void put_option(json *j, const cli_verb *verb, const verb_option *o)
{
    const char *kinds[] = {[OPTION_OWN] = "verb", [OPTION_SHARED] = "shared"};
    const char *owners[] = {[OPTION_OWN] = verb->name, [OPTION_SHARED] = "holos"};
    bool others = o->source == OPTION_OTHERS;
    json_open(j, NULL, '{');
    page_option_put(j, o->option, o->fallback);
    json_put_string(j, "owner", others ? o->group.owner : owners[o->source]);
    json_put_string(j, "kind", others ? holos_owner_name(o->group.kind) : kinds[o->source]);
    if (others)
        json_put_string(j, "use", holos_use_name(o->group.use));
    if (others && o->group.purpose != NULL)
        json_put_string(j, "purpose", o->group.purpose);
    json_close(j);
}

static void put_verb(const cli_verb *verb, text *t)
{
    verb_option o;
    cli_example e;
    json j = json_begin(t);
    json_open(&j, NULL, '{');
    json_put_string(&j, "verb", verb->name);
    json_put_string(&j, "operands", verb->operands);
    json_put_string(&j, "summary", verb->summary);
    json_open(&j, "options", '[');
    for (size_t i = 0; verb_option_at(verb, i, &o); i++)
        put_option(&j, verb, &o);
    json_close(&j);
    json_open(&j, "examples", '[');
    for (size_t i = 0; verb_example_at(verb, i, &e); i++) {
        json_open(&j, NULL, '{');
        json_put_string(&j, "command", e.command);
        json_put_string(&j, "what", e.what);
        json_close(&j);
    }
    json_close(&j);
    json_close(&j);
    text_char(t, '\n');
}

void page_json(const cli_verb *verb, text *t)
{
    for (size_t i = 0; verb == NULL && verb_at(i) != NULL; i++)
        put_verb(verb_at(i), t);
    if (verb != NULL)
        put_verb(verb, t);
}
