/* SPDX-License-Identifier: MIT */

/* Command lines and configuration files, both read by the table of options. */

#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* Reads a value into the member of the verb's own settings, or of the shared ones. */
static holos_status set(cli *c, const verb_option *o, const char *value, holos_error *err)
{
    return option_set(o->option, o->source == OPTION_SHARED ? (void *)&c->shared : c->settings, value, err);
}

/* Takes what was asked for. Reads a value (NULL: the option stood alone) into the member that takes it; what belongs to others is kept for them. */
static holos_status take(cli *c, const verb_option *o, const char *value, holos_error *err)
{
    if (o->source != OPTION_OTHERS) {
        holos_status status = set(c, o, value, err);
        return status != HOLOS_OK ? status : holos_settings_set(c->given, o->option->name, value, err);
    }
    if (value == NULL && option_needs_value(o->option))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "--%s needs a value: --%s %s", o->option->name,
                         o->option->name, o->option->value);
    return holos_settings_set(c->others, o->option->name, value, err);
}

static holos_status set_defaults(cli *c, holos_error *err)
{
    c->shared = (shared_settings){0};
    memset(c->settings, 0, c->verb->settings_size);
    holos_settings_clear(c->others);
    holos_settings_clear(c->given);
    verb_option o;
    for (size_t i = 0; verb_option_at(c->verb, i, &o) && o.source != OPTION_OTHERS; i++) {
        if (o.fallback != NULL && set(c, &o, o.fallback, err) != HOLOS_OK)
            return err->code;
    }
    return HOLOS_OK;
}

static const char *option_word(const void *context, size_t index)
{
    verb_option o;
    return verb_option_at(context, index, &o) ? o.option->name : NULL;
}

/* The verb has no such option: find out what was meant. */
static holos_status refuse_option(const cli_verb *verb, const char *name, size_t length, holos_error *err)
{
    char word[64];
    size_t kept = length < sizeof word ? length : sizeof word - 1;
    memcpy(word, name, kept);
    word[kept] = 0;
    const char *near = kept == length ? suggest(word, option_word, verb) : NULL;
    if (near != NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s has no option --%s; did you mean --%s?",
                         verb->name, word, near);
    if (name[0] == '-')
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "%s has no option --%s; put arguments that begin with - after --", verb->name, word);
    return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s has no option --%s; 'holos help %s' lists them",
                     verb->name, word, verb->name);
}

/* One run over the arguments. */
typedef struct reader {
    cli *c;
    int argc, next;
    char **argv;
} reader;

/* The next argument as the value of an option; NULL if there is none, or it is an option itself: --svg --json lacks the name
 * of a file. One that begins like an option can be given all the same: --svg=--json. */
static const char *read_value(reader *r)
{
    if (r->next == r->argc || strncmp(r->argv[r->next], "--", 2) == 0)
        return NULL;
    return r->argv[r->next++];
}

static holos_status read_long(reader *r, const char *name, holos_error *err)
{
    const char *equals = strchr(name, '=');
    size_t length = equals != NULL ? (size_t)(equals - name) : strlen(name);
    verb_option o;
    if (!verb_option_find(r->c->verb, name, length, &o))
        return refuse_option(r->c->verb, name, length, err);
    const char *value = equals != NULL ? equals + 1 : NULL;
    if (value == NULL && option_needs_value(o.option))
        value = read_value(r);
    return take(r->c, &o, value, err);
}

/* "-jt5" is "-j -t 5". */
static holos_status read_short(reader *r, const char *letters, holos_error *err)
{
    for (; *letters != 0; letters++) {
        verb_option o;
        if (!verb_option_letter(r->c->verb, *letters, &o)) {
            char shown[8];
            return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                             "%s has no option -%s; 'holos help %s' lists them", r->c->verb->name,
                             text_show_char((unsigned char)*letters, shown), r->c->verb->name);
        }
        if (option_needs_value(o.option))
            return take(r->c, &o, letters[1] != 0 ? letters + 1 : read_value(r), err);
        if (take(r->c, &o, NULL, err) != HOLOS_OK)
            return err->code;
    }
    return HOLOS_OK;
}

/* A board may begin with a dash; but no option has a space in its name. */
static bool is_option(const char *arg)
{
    return arg[0] == '-' && arg[1] != 0 && arg[strcspn(arg, " =")] != ' ';
}

static holos_status read_arguments(cli *c, int argc, char **argv, holos_error *err)
{
    reader r = {.c = c, .argc = argc, .argv = argv};
    bool options_end = false;
    c->operand_count = 0;
    while (r.next < argc) {
        const char *arg = argv[r.next++];
        holos_status status = HOLOS_OK;
        if (options_end || !is_option(arg))
            c->operands[c->operand_count++] = arg;
        else if (strcmp(arg, "--") == 0)
            options_end = true;
        else if (arg[1] == '-')
            status = read_long(&r, arg + 2, err);
        else
            status = read_short(&r, arg + 1, err);
        if (status != HOLOS_OK)
            return status;
    }
    return HOLOS_OK;
}

static holos_status check_operands(const cli *c, holos_error *err)
{
    const cli_verb *verb = c->verb;
    if (c->operand_count < verb->operands_min)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s needs another argument: holos %s %s",
                         verb->name, verb->name, verb->operands);
    if (c->operand_count > verb->operands_max)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "unexpected argument \"%s\"; write holos %s%s%s",
                         c->operands[verb->operands_max], verb->name, verb->operands[0] != 0 ? " " : "",
                         verb->operands);
    return HOLOS_OK;
}

/* Whether any verb has an option of this name: a file may serve several verbs. */
static bool is_known_anywhere(const char *name)
{
    const cli_verb *verb;
    verb_option ignored;
    for (size_t i = 0; (verb = verb_at(i)) != NULL; i++) {
        if (verb_option_find(verb, name, strlen(name), &ignored))
            return true;
    }
    return false;
}

static holos_status apply_entry(cli *c, const config_entry *entry, holos_error *err)
{
    verb_option o;
    bool has = verb_option_find(c->verb, entry->name, strlen(entry->name), &o);
    if (strcmp(entry->name, "config") == 0 || strcmp(entry->name, "help") == 0)
        return config_error(&c->config, entry, err, "\"%s\" cannot stand in a configuration file",
                            entry->name);
    if (!has && is_known_anywhere(entry->name))
        return HOLOS_OK;
    if (!has) {
        const char *near = suggest(entry->name, option_word, c->verb);
        return config_error(&c->config, entry, err, "unknown option \"%s\"%s%s%s", entry->name,
                            near != NULL ? "; did you mean \"" : "", near != NULL ? near : "",
                            near != NULL ? "\"?" : "");
    }
    holos_error wrong;
    if (take(c, &o, entry->value, &wrong) != HOLOS_OK)
        return config_error(&c->config, entry, err, "%s", wrong.message);
    return HOLOS_OK;
}

/* The file's values take the place of the defaults. */
static holos_status apply_config(cli *c, holos_error *err)
{
    holos_status status = config_read_file(&c->config, c->shared.config, err);
    if (status != HOLOS_OK)
        return status;
    c->has_config = true;
    status = set_defaults(c, err);
    for (size_t i = 0; status == HOLOS_OK && i < c->config.count; i++)
        status = apply_entry(c, &c->config.entries[i], err);
    return status;
}

holos_status cli_parse(cli *c, int argc, char **argv, holos_error *err)
{
    c->operands = calloc((size_t)argc + 1, sizeof *c->operands);
    c->settings = calloc(1, c->verb->settings_size + 1);
    c->others = holos_settings_new();
    c->given = holos_settings_new();
    if (c->operands == NULL || c->settings == NULL || c->others == NULL || c->given == NULL)
        return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for the arguments");
    if (set_defaults(c, err) != HOLOS_OK || read_arguments(c, argc, argv, err) != HOLOS_OK)
        return err->code;
    if (c->shared.help)
        return HOLOS_OK;
    /* The command line is read again over what the file says: it wins. */
    if (c->shared.config != NULL &&
        (apply_config(c, err) != HOLOS_OK || read_arguments(c, argc, argv, err) != HOLOS_OK))
        return err->code;
    return check_operands(c, err);
}

void cli_parse_free(cli *c)
{
    if (c->has_config)
        config_free(&c->config);
    free(c->operands);
    free(c->settings);
    holos_settings_free(c->others);
    holos_settings_free(c->given);
}

/* ---- What was asked for ------------------------------------------------------------------------ */

bool cli_given(const cli *c, const char *name)
{
    return holos_settings_get(c->given, name) != NULL;
}

bool cli_refuses(const cli *c, const char *const *names, const char *what)
{
    for (; *names != NULL; names++) {
        if (cli_given(c, *names)) {
            cli_usage("--%s: %s takes no such option", *names, what);
            return true;
        }
    }
    return false;
}

bool cli_refuses_others(const cli *c, const char *what)
{
    const char *name = settings_name_at(c->others, 0);
    if (name != NULL)
        cli_usage("--%s: %s takes no such option", name, what);
    return name != NULL;
}
