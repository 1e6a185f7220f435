/* SPDX-License-Identifier: MIT */

#include "cli/page.h"

#include <string.h>

enum { PAGE_WIDTH = 80, OPTION_COLUMN = 28, SUMMARY_COLUMN = 38 };

const char page_tagline[] = "finds exact values of positions in games and puzzles";

const page_status page_statuses[] = {
    {"0", "done"},
    {"1", "the answer is no: the puzzle has no solution"},
    {"2", "the command line or a configuration file is wrong"},
    {"3", "a position or a file that cannot be read; the other positions were answered"},
    {"4", "a limit was reached; what is known was printed"},
    {"5", "the system refused: the disk is full, a file cannot be written"},
    {"130", "interrupted; what is known was printed"},
    {"141", "the reader of the output is gone"},
    {0},
};

static void heading(output *out, const char *s)
{
    text_style_begin(&out->text, out->color, STYLE_BOLD);
    text_string(&out->text, s);
    text_style_end(&out->text, out->color, STYLE_BOLD);
}

/* Two columns: what was appended since `start`, then `s` from `column` on. */
static void right_column(text *t, size_t start, size_t column, const char *s)
{
    size_t used = output_columns(t->data + start);
    if (used + 2 > column) {
        text_char(t, '\n');
        used = 0;
    }
    text_repeat(t, ' ', column - used);
    output_wrap(t, column, column, PAGE_WIDTH, s);
}

void page_overview(output *out)
{
    text *t = &out->text;
    text_printf(t, "holos %s: %s\n\n", holos_version(), page_tagline);
    heading(out, "Usage:");
    text_string(t, " holos VERB [OPTION…] [ARGUMENT…]\n\n");
    const cli_verb *verb;
    for (size_t i = 0; (verb = verb_at(i)) != NULL; i++) {
        size_t start = t->length;
        text_printf(t, "  %s %s", verb->name, verb->operands);
        right_column(t, start, SUMMARY_COLUMN, verb->summary);
    }
    text_string(t, "\n'holos help VERB' describes one verb; 'holos demo' is a good start.\n");
}

void page_option_text(text *t, const holos_option *option)
{
    if (option->letter != 0)
        text_printf(t, "-%c, --%s", option->letter, option->name);
    else
        text_printf(t, "    --%s", option->name);
    if (option->value != NULL)
        text_printf(t, " %s", option->value);
}

static void option_line(text *t, const verb_option *o)
{
    const holos_option *option = o->option;
    size_t start = t->length;
    text_string(t, "  ");
    page_option_text(t, option);
    text help;
    text_init(&help);
    text_string(&help, option->help);
    if (o->fallback != NULL)
        text_printf(&help, " (default %s)", o->fallback);
    right_column(t, start, OPTION_COLUMN, help.data);
    text_free(&help);
}

void page_group_title(text *t, const holos_option_group *group)
{
    char owner[80];
    holos_option_group_format(group, owner, sizeof owner);
    text_printf(t, "Options of %s", owner);
    if (group->kind == HOLOS_OWNER_GAME && group->purpose != NULL)
        text_printf(t, " (%s)", group->purpose);
}

bool page_begins_group(const cli_verb *verb, size_t index, const verb_option *o)
{
    verb_option before;
    return o->source == OPTION_OTHERS && (index == 0 || !verb_option_at(verb, index - 1, &before) ||
                                          before.group.options != o->group.options);
}

static void options_list(output *out, const cli_verb *verb)
{
    verb_option o;
    heading(out, "Options:");
    text_char(&out->text, '\n');
    for (size_t i = 0; verb_option_at(verb, i, &o); i++) {
        if (page_begins_group(verb, i, &o)) {
            text title;
            text_init(&title);
            page_group_title(&title, &o.group);
            text_char(&title, ':');
            text_char(&out->text, '\n');
            heading(out, title.data);
            text_char(&out->text, '\n');
            text_free(&title);
        }
        option_line(&out->text, &o);
    }
}

static void examples_list(output *out, const cli_verb *verb)
{
    cli_example e;
    for (size_t i = 0; verb_example_at(verb, i, &e); i++) {
        if (i == 0) {
            text_char(&out->text, '\n');
            heading(out, "Examples:");
            text_char(&out->text, '\n');
        }
        text_printf(&out->text, "  holos %s\n      ", e.command);
        output_wrap(&out->text, 6, 6, PAGE_WIDTH, e.what);
    }
}

void page_verb(const cli_verb *verb, output *out)
{
    text *t = &out->text;
    text_printf(t, "holos %s: %s\n\n", verb->name, verb->summary);
    heading(out, "Usage:");
    text_printf(t, " holos %s%s%s [OPTION…]\n\n", verb->name, verb->operands[0] != 0 ? " " : "",
                verb->operands);
    output_wrap(t, 0, 0, PAGE_WIDTH, verb->description);
    text_char(t, '\n');
    options_list(out, verb);
    examples_list(out, verb);
}
