/* SPDX-License-Identifier: MIT */

/* Scripts that complete verbs, options and the names of games, made from the tables. */

#include "cli/cli.h"

#include <string.h>

/* ---- bash -------------------------------------------------------------------------------------- */

static void bash_words(text *t, const char *(*words)(size_t index))
{
    const char *word;
    for (size_t i = 0; (word = words(i)) != NULL; i++)
        text_printf(t, "%s%s", i > 0 ? " " : "", word);
}

/* The words of a choice: those of every owner that has an option of this name. */
static void choice_words(text *t, const cli_verb *verb, const char *name)
{
    verb_option o;
    size_t listed = 0;
    for (size_t i = 0; verb_option_at(verb, i, &o); i++) {
        if (strcmp(o.option->name, name) != 0 || o.option->type != HOLOS_OPTION_CHOICE)
            continue;
        text_string(t, listed++ > 0 ? " " : "");
        for (const char *s = o.option->value; *s != 0; s++)
            text_char(t, *s == '|' ? ' ' : *s);
    }
}

/* The option at `index`, past those whose name came before. False past the end. */
static bool option_once(const cli_verb *verb, size_t *index, verb_option *out)
{
    while (verb_option_is_again(verb, *index))
        ++*index;
    return verb_option_at(verb, *index, out);
}

/* The words after an option that takes a value: choices, files, or nothing that we know of. */
static void bash_values(text *t, const cli_verb *verb)
{
    verb_option each;
    text_string(t, "        case $prev in\n");
    for (size_t i = 0; option_once(verb, &i, &each); i++) {
        const holos_option *o = each.option;
        if (!option_needs_value(o))
            continue;
        text_printf(t, "        --%s", o->name);
        if (o->letter != 0)
            text_printf(t, "|-%c", o->letter);
        if (o->type == HOLOS_OPTION_CHOICE) {
            text_string(t, ") words=\"");
            choice_words(t, verb, o->name);
            text_string(t, "\" ;;\n");
        } else if (o->type == HOLOS_OPTION_FILE) {
            text_string(t, ") COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n");
        } else {
            text_string(t, ") return ;;\n");
        }
    }
    text_string(t, "        *) words=\"");
    if (verb->complete != NULL)
        bash_words(t, verb->complete);
    for (size_t i = 0; option_once(verb, &i, &each); i++)
        text_printf(t, " --%s", each.option->name);
    text_string(t, "\" ;;\n        esac ;;\n");
}

static void complete_bash(text *t)
{
    text_string(t, "# bash completion for holos, made by 'holos completion bash'\n"
                   "_holos() {\n"
                   "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words=\n"
                   "    # --name=value is split at the equals sign\n"
                   "    if [[ $cur == '=' ]]; then cur=; fi\n"
                   "    if [[ $prev == '=' ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
                   "    if ((COMP_CWORD == 1)); then\n"
                   "        COMPREPLY=($(compgen -W \"");
    bash_words(t, verb_word);
    text_string(t, " --help --version\" -- \"$cur\"))\n"
                   "        return\n"
                   "    fi\n"
                   "    case ${COMP_WORDS[1]} in\n");
    const cli_verb *verb;
    for (size_t i = 0; (verb = verb_at(i)) != NULL; i++) {
        text_printf(t, "    %s)\n", verb->name);
        bash_values(t, verb);
    }
    text_string(t, "    esac\n"
                   "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
                   "}\n"
                   "complete -F _holos holos\n");
}

/* ---- zsh --------------------------------------------------------------------------------------- */

/* Text inside a quoted _arguments specification. */
static void zsh_text(text *t, const char *s)
{
    for (; *s != 0; s++) {
        if (*s == '\'')
            text_string(t, "'\\''");
        else if (strchr("[]:\\", *s) != NULL)
            text_printf(t, "\\%c", *s);
        else
            text_char(t, *s);
    }
}

static void zsh_option(text *t, const cli_verb *verb, const holos_option *o)
{
    text_string(t, "            ");
    if (o->letter != 0)
        text_printf(t, "'(-%c --%s)'{-%c,--%s%s}'", o->letter, o->name, o->letter, o->name,
                    option_needs_value(o) ? "=" : "");
    else
        text_printf(t, "'--%s%s", o->name, option_needs_value(o) ? "=" : "");
    text_char(t, '[');
    zsh_text(t, o->help);
    text_char(t, ']');
    if (o->type == HOLOS_OPTION_CHOICE) {
        text_string(t, ":word:(");
        choice_words(t, verb, o->name);
        text_char(t, ')');
    } else if (o->type == HOLOS_OPTION_FILE) {
        text_string(t, ":file:_files");
    } else if (option_needs_value(o)) {
        text_printf(t, ":%s:", o->value);
    }
    text_string(t, "' \\\n");
}

static void zsh_verb(text *t, const cli_verb *verb)
{
    text_printf(t, "    %s)\n        _arguments -s \\\n", verb->name);
    verb_option o;
    for (size_t i = 0; option_once(verb, &i, &o); i++)
        zsh_option(t, verb, o.option);
    if (verb->complete != NULL) {
        text_string(t, "            '1:word:(");
        bash_words(t, verb->complete);
        text_string(t, ")' \\\n");
    }
    text_string(t, "            '*:: :' ;;\n");
}

static void complete_zsh(text *t)
{
    text_string(t, "#compdef holos\n"
                   "# zsh completion for holos, made by 'holos completion zsh'\n"
                   "_holos() {\n"
                   "    if ((CURRENT == 2)); then\n"
                   "        local -a verbs=(\n");
    const cli_verb *verb;
    for (size_t i = 0; (verb = verb_at(i)) != NULL; i++) {
        text_printf(t, "            '%s:", verb->name);
        zsh_text(t, verb->summary);
        text_string(t, "'\n");
    }
    text_string(t, "        )\n"
                   "        _describe verb verbs\n"
                   "        return\n"
                   "    fi\n"
                   "    local verb=$words[2]\n"
                   "    shift words\n"
                   "    ((CURRENT--))\n"
                   "    case $verb in\n");
    for (size_t i = 0; (verb = verb_at(i)) != NULL; i++)
        zsh_verb(t, verb);
    text_string(t, "    esac\n"
                   "}\n"
                   "_holos \"$@\"\n");
}

/* ---- fish -------------------------------------------------------------------------------------- */

static void fish_text(text *t, const char *s)
{
    text_char(t, '\'');
    for (; *s != 0; s++) {
        if (*s == '\'' || *s == '\\')
            text_char(t, '\\');
        text_char(t, *s);
    }
    text_char(t, '\'');
}

static void fish_option(text *t, const cli_verb *verb, const holos_option *o)
{
    text_printf(t, "complete -c holos -n '__fish_seen_subcommand_from %s' -l %s", verb->name, o->name);
    if (o->letter != 0)
        text_printf(t, " -s %c", o->letter);
    if (o->type == HOLOS_OPTION_FILE)
        text_string(t, " -rF");
    else if (option_needs_value(o))
        text_string(t, " -x");
    if (o->type == HOLOS_OPTION_CHOICE) {
        text_string(t, " -a '");
        choice_words(t, verb, o->name);
        text_char(t, '\'');
    }
    text_string(t, " -d ");
    fish_text(t, o->help);
    text_char(t, '\n');
}

static void complete_fish(text *t)
{
    text_string(t, "# fish completion for holos, made by 'holos completion fish'\n"
                   "complete -c holos -f\n");
    const cli_verb *verb;
    for (size_t i = 0; (verb = verb_at(i)) != NULL; i++) {
        text_printf(t, "complete -c holos -n __fish_use_subcommand -a %s -d ", verb->name);
        fish_text(t, verb->summary);
        text_char(t, '\n');
        if (verb->complete != NULL) {
            text_printf(t, "complete -c holos -n '__fish_seen_subcommand_from %s' -a '", verb->name);
            bash_words(t, verb->complete);
            text_string(t, "'\n");
        }
        verb_option o;
        for (size_t j = 0; option_once(verb, &j, &o); j++)
            fish_option(t, verb, o.option);
    }
}

/* ------------------------------------------------------------------------------------------------ */

static const struct shell {
    const char *name;
    void (*write)(text *t);
} shells[] = {{"bash", complete_bash}, {"zsh", complete_zsh}, {"fish", complete_fish}};

static const char *shell_word(size_t index)
{
    return index < sizeof shells / sizeof *shells ? shells[index].name : NULL;
}

static cli_status run(cli *c)
{
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
        if (strcmp(shells[i].name, c->operands[0]) == 0) {
            shells[i].write(&c->out->text);
            return CLI_DONE;
        }
    }
    return cli_usage("no completion for \"%s\"; use bash, zsh or fish", c->operands[0]);
}

static const cli_example examples[] = {
    {"completion bash > ~/.local/share/bash-completion/completions/holos",
     "completion in bash, from the next shell on"},
    {"completion fish > ~/.config/fish/completions/holos.fish", "the same for fish"},
    {0},
};

const cli_verb verb_completion = {
    .name = "completion",
    .operands = "bash|zsh|fish",
    .summary = "print a completion script for your shell",
    .description = "Prints a script that lets your shell complete verbs, options and the names of games. An "
                   "installed holos comes with these scripts.",
    .operands_min = 1,
    .operands_max = 1,
    .complete = shell_word,
    .examples = examples,
    .run = run,
};
