/* SPDX-License-Identifier: MIT */

#include "cli/page.h"

#include <string.h>

enum { PAGE_WIDTH = 80, OPTION_COLUMN = 28, SUMMARY_COLUMN = 38 };

const char page_tagline[] = "what positions in games and puzzles are worth";

const page_status page_statuses[] = {
    {"0", "done"},
    {"1", "the answer is no: a puzzle without a solution"},
    {"2", "the command line or a configuration file asks for what does not exist"},
    {"3", "a position or a file that cannot be read; the other positions were answered"},
    {"4", "a limit was reached; what is known was printed"},
    {"5", "the system refused: the disk is full, a file cannot be written"},
    {"130", "interrupted; what is known was printed"},
    {"141", "nobody reads the output any more"},
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
    text_string(t, "\n'holos help VERB' tells more of one; 'holos demo' is a good start.\n");
}

void page_option_text(text *t, const cli_option *option)
{
    if (option->letter != 0)
        text_printf(t, "-%c, --%s", option->letter, option->name);
    else
        text_printf(t, "    --%s", option->name);
    if (option->value != NULL)
        text_printf(t, " %s", option->value);
}

static void option_line(text *t, const cli_verb *verb, const cli_option *option)
{
    size_t start = t->length;
    text_string(t, "  ");
    page_option_text(t, option);
    text help;
    text_init(&help);
    text_string(&help, option->help);
    const char *fallback = verb_option_default(verb, option);
    if (fallback != NULL)
        text_printf(&help, " (default %s)", fallback);
    right_column(t, start, OPTION_COLUMN, help.data);
    text_free(&help);
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
    heading(out, "Options:");
    text_char(t, '\n');
    const cli_option *option;
    for (size_t i = 0; (option = verb_option_at(verb, i)) != NULL; i++)
        option_line(t, verb, option);
    if (verb->examples == NULL)
        return;
    text_char(t, '\n');
    heading(out, "Examples:");
    text_char(t, '\n');
    for (const cli_example *e = verb->examples; e->command != NULL; e++) {
        text_printf(t, "  holos %s\n      ", e->command);
        output_wrap(t, 6, 6, PAGE_WIDTH, e->what);
    }
}
