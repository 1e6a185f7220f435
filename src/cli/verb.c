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
        return cli_usage("%s comes after a verb: holos VERB %s; 'holos help' lists the verbs", name, name);
    if (near != NULL)
        return cli_usage("unknown verb \"%s\"; did you mean %s?", name, near);
    return cli_usage("unknown verb \"%s\"; 'holos help' lists the verbs", name);
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

/* ---- Options ----------------------------------------------------------------------------------- */

static const char *default_of(const cli_verb *verb, const holos_option *shared)
{
    for (const char *const *d = verb->defaults; d != NULL && *d != NULL; d += 2) {
        if (strcmp(d[0], shared->name) == 0)
            return d[1];
    }
    return shared->fallback;
}

/* Whether a verb takes the options of a group. */
static bool takes_group(const cli_verb *verb, const holos_option_group *group)
{
    if (verb->purposes == NULL || group->purpose == NULL)
        return true;
    for (const char *const *p = verb->purposes; *p != NULL; p++)
        if (strcmp(*p, group->purpose) == 0)
            return true;
    return false;
}

/* The option of others at `index`. */
static bool others_at(const cli_verb *verb, size_t index, verb_option *out)
{
    for (unsigned use = 0; use < HOLOS_USE_COUNT; use++) {
        if ((verb->uses & (1u << use)) == 0)
            continue;
        for (size_t i = 0; holos_option_group_at((holos_use)use, i, &out->group); i++) {
            if (!takes_group(verb, &out->group))
                continue;
            for (const holos_option *o = out->group.options; o->name != NULL; o++) {
                if (index-- > 0)
                    continue;
                out->option = o;
                out->source = OPTION_OTHERS;
                out->fallback = o->fallback;
                return true;
            }
        }
    }
    return false;
}

bool verb_option_at(const cli_verb *verb, size_t index, verb_option *out)
{
    for (const holos_option *o = verb->options; o != NULL && o->name != NULL; o++) {
        if (index-- == 0) {
            *out = (verb_option){.option = o, .source = OPTION_OWN, .fallback = o->fallback};
            return true;
        }
    }
    for (const shared_option *s = shared_options; s->option.name != NULL; s++) {
        if (((verb->shared | SHARED_HELP) & s->bit) != 0 && index-- == 0) {
            *out = (verb_option){
                .option = &s->option, .source = OPTION_SHARED, .fallback = default_of(verb, &s->option)};
            return true;
        }
    }
    return others_at(verb, index, out);
}

bool verb_option_find(const cli_verb *verb, const char *name, size_t length, verb_option *out)
{
    for (size_t i = 0; verb_option_at(verb, i, out); i++) {
        if (strlen(out->option->name) == length && memcmp(out->option->name, name, length) == 0)
            return true;
    }
    return false;
}

bool verb_option_letter(const cli_verb *verb, char letter, verb_option *out)
{
    for (size_t i = 0; verb_option_at(verb, i, out); i++) {
        if (out->option->letter == letter)
            return true;
    }
    return false;
}

bool verb_option_is_again(const cli_verb *verb, size_t index)
{
    verb_option this, other;
    if (!verb_option_at(verb, index, &this))
        return false;
    for (size_t i = 0; i < index && verb_option_at(verb, i, &other); i++)
        if (strcmp(this.option->name, other.option->name) == 0)
            return true;
    return false;
}

/* ---- Examples ---------------------------------------------------------------------------------- */

static bool is_command_of(const cli_verb *verb, const char *command)
{
    size_t length = strlen(verb->name);
    return strncmp(command, verb->name, length) == 0 && (command[length] == ' ' || command[length] == 0);
}

bool verb_example_at(const cli_verb *verb, size_t index, cli_example *out)
{
    for (const cli_example *e = verb->examples; e != NULL && e->command != NULL; e++) {
        if (index-- == 0) {
            *out = *e;
            return true;
        }
    }
    for (size_t g = 0; g < holos_game_count(); g++)
        for (size_t i = 0; holos_game_usage(holos_game_at(g), i, &out->command, &out->what); i++)
            if (is_command_of(verb, out->command) && index-- == 0)
                return true;
    return false;
}
