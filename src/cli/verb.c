/* SPDX-License-Identifier: MIT */

/* The list of verbs, and their options. */

#include "cli/cli.h"

#include <string.h>

#define VERB(name) extern const cli_verb verb_##name;
#include "cli/verbs.def"
#undef VERB

static const cli_verb *const verbs[] = {
#define VERB(name) &verb_##name,
#include "cli/verbs.def"
#undef VERB
};

enum {
#define VERB(name) INDEX_OF_##name,
#include "cli/verbs.def"
#undef VERB
    VERB_COUNT
};

const cli_verb *verb_at(size_t index)
{
    return index < VERB_COUNT ? verbs[index] : NULL;
}

const cli_verb *verb_find(const char *name)
{
    const cli_verb *verb;
    for (size_t i = 0; (verb = verb_at(i)) != NULL; i++) {
        if (strcmp(verb->name, name) == 0)
            return verb;
    }
    return NULL;
}

static const char *verb_word_at(const void *context, size_t index)
{
    (void)context;
    return verb_word(index);
}

cli_status verb_unknown(const char *name)
{
    const char *near = suggest(name, verb_word_at, NULL);
    if (name[0] == '-')
        cli_error("%s comes after a verb: holos VERB %s; 'holos help' lists the verbs", name, name);
    else if (near != NULL)
        cli_error("there is no verb \"%s\"; did you mean %s?", name, near);
    else
        cli_error("there is no verb \"%s\"; 'holos help' lists the verbs", name);
    return CLI_USAGE;
}

const char *verb_word(size_t index)
{
    const cli_verb *verb = verb_at(index);
    return verb != NULL ? verb->name : NULL;
}

const char *game_word(size_t index)
{
    const holos_game *game = holos_game_at(index);
    return game != NULL ? holos_game_name(game) : NULL;
}

const cli_option *verb_option_at(const cli_verb *verb, size_t index)
{
    if (verb->options != NULL) {
        for (const cli_option *o = verb->options; o->name != NULL; o++) {
            if (index-- == 0)
                return o;
        }
    }
    for (const cli_option *o = shared_options; o->name != NULL; o++) {
        if (((verb->shared | SHARED_HELP) & o->shared) != 0 && index-- == 0)
            return o;
    }
    return NULL;
}

const cli_option *verb_option_find(const cli_verb *verb, const char *name, size_t length)
{
    const cli_option *o;
    for (size_t i = 0; (o = verb_option_at(verb, i)) != NULL; i++) {
        if (strlen(o->name) == length && memcmp(o->name, name, length) == 0)
            return o;
    }
    return NULL;
}

const cli_option *verb_option_letter(const cli_verb *verb, char letter)
{
    const cli_option *o;
    for (size_t i = 0; (o = verb_option_at(verb, i)) != NULL; i++) {
        if (o->letter == letter)
            return o;
    }
    return NULL;
}

const char *verb_option_default(const cli_verb *verb, const cli_option *option)
{
    for (const char *const *d = verb->defaults; d != NULL && *d != NULL; d += 2) {
        if (option->shared != 0 && strcmp(d[0], option->name) == 0)
            return d[1];
    }
    return option->fallback;
}
