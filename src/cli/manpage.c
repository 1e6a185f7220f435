/* SPDX-License-Identifier: MIT */

/* The man page. Everything but the frame comes from the tables. */

#include "cli/page.h"

#include <string.h>

/* One code point of valid UTF-8. */
static uint32_t next_code_point(const char **s)
{
    const unsigned char *u = (const unsigned char *)*s;
    unsigned more = u[0] < 0x80 ? 0 : u[0] < 0xe0 ? 1 : u[0] < 0xf0 ? 2 : 3;
    uint32_t point = more == 0 ? u[0] : u[0] & (0x3fu >> more);
    for (unsigned i = 1; i <= more; i++)
        point = point << 6 | (u[i] & 0x3fu);
    *s += more + 1;
    return point;
}

/* Text such that roff prints it as it stands; `fresh` if it begins a line. */
static void roff_text(text *t, const char *s, bool fresh)
{
    while (*s != 0) {
        uint32_t c = next_code_point(&s);
        if (fresh && (c == '.' || c == '\''))
            text_string(t, "\\&");
        if (c == '\\')
            text_string(t, "\\e");
        else if (c == '-')
            text_string(t, "\\-");
        else if (c == '\'')
            text_string(t, "\\(aq");
        else if (c == '^')
            text_string(t, "\\(ha");
        else if (c == '~')
            text_string(t, "\\(ti");
        else if (c < 0x80)
            text_char(t, (char)c);
        else
            text_printf(t, "\\[u%04X]", c);
        fresh = c == '\n';
    }
}

static void roff_paragraphs(text *t, const char *s)
{
    bool first = true; /* a heading begins a paragraph by itself */
    while (*s != 0) {
        size_t length = strcspn(s, "\n");
        text line;
        text_init(&line);
        text_bytes(&line, s, length);
        if (length > 0) {
            text_string(t, first ? "" : ".PP\n");
            first = false;
            roff_text(t, line.data, true);
            text_char(t, '\n');
        }
        text_free(&line);
        s += length;
        s += *s == '\n';
    }
}

static void roff_option(text *t, const holos_option *option, const char *fallback)
{
    text_string(t, ".TP\n.B ");
    if (option->letter != 0)
        text_printf(t, "\\-%c\\fR, \\fB", option->letter);
    text_string(t, "\\-\\-");
    roff_text(t, option->name, false);
    if (option->value != NULL) {
        text_string(t, "\\fR \\fI");
        roff_text(t, option->value, false);
        text_string(t, "\\fR");
    }
    text_char(t, '\n');
    roff_text(t, option->help, true);
    if (fallback != NULL) {
        text_string(t, " (default ");
        roff_text(t, fallback, false);
        text_char(t, ')');
    }
    text_string(t, ".\n");
}

/* A verb's own options, shared ones where it has another default, and those of others under their names. */
static void roff_options(text *t, const cli_verb *verb)
{
    verb_option o;
    for (size_t i = 0; verb_option_at(verb, i, &o); i++) {
        if (o.source == OPTION_SHARED && o.fallback == o.option->fallback)
            continue;
        if (page_begins_group(verb, i, &o)) {
            text title;
            text_init(&title);
            page_group_title(&title, &o.group);
            text_string(t, ".PP\n");
            roff_text(t, title.data, true);
            text_string(t, ":\n");
            text_free(&title);
        }
        roff_option(t, o.option, o.fallback);
    }
}

static void roff_verb(text *t, const cli_verb *verb)
{
    text_string(t, ".SS ");
    text_printf(t, "\"holos %s ", verb->name);
    roff_text(t, verb->operands, false);
    text_string(t, "\"\n");
    roff_paragraphs(t, verb->description);
    roff_options(t, verb);
    size_t listed = 0;
    verb_option o;
    for (size_t i = 0; verb_option_at(verb, i, &o); i++) {
        if (o.source != OPTION_SHARED || strcmp(o.option->name, "help") == 0)
            continue;
        text_string(t, listed++ == 0 ? ".PP\nShared options: " : ",\n");
        text_string(t, "\\fB\\-\\-");
        roff_text(t, o.option->name, false);
        text_string(t, "\\fR");
    }
    text_string(t, listed > 0 ? ".\n" : "");
}

static void roff_examples(text *t)
{
    text_string(t, ".SH EXAMPLES\n");
    const cli_verb *verb;
    for (size_t i = 0; (verb = verb_at(i)) != NULL; i++) {
        cli_example e;
        for (size_t j = 0; verb_example_at(verb, j, &e); j++) {
            text_string(t, ".TP\n.B holos ");
            roff_text(t, e.command, false);
            text_char(t, '\n');
            roff_text(t, e.what, true);
            text_string(t, "\n");
        }
    }
}

void page_man(text *t)
{
    text_printf(t, ".\\\" Made by 'holos help \\-\\-man'.\n.TH HOLOS 1 \"\" \"holos %s\" \"User Commands\"\n",
                holos_version());
    text_string(t, ".nh\n.ad l\n.SH NAME\nholos \\- ");
    roff_text(t, page_tagline, false);
    text_string(t, "\n.SH SYNOPSIS\n.B holos\n.I VERB\n.RI [ OPTION \\[u2026]]\n.RI [ ARGUMENT \\[u2026]]\n");
    text_string(t, ".SH VERBS\n");
    const cli_verb *verb;
    for (size_t i = 0; (verb = verb_at(i)) != NULL; i++)
        roff_verb(t, verb);
    text_string(t, ".SH SHARED OPTIONS\nThese mean the same in every verb that takes them. "
                   "A value follows after a space or an equals sign;\n"
                   "what comes after \\fB\\-\\-\\fR is not an option.\n");
    for (const shared_option *s = shared_options; s->option.name != NULL; s++)
        roff_option(t, &s->option, s->option.fallback);
    text_string(t, ".SH EXIT STATUS\n");
    for (const page_status *s = page_statuses; s->status != NULL; s++) {
        text_printf(t, ".TP\n.B %s\n", s->status);
        roff_text(t, s->meaning, true);
        text_string(t, ".\n");
    }
    text_string(t, ".PP\nWith several positions the worst status is that of the run: "
                   "0, 1, 4, 3, 2, 5, 130, 141, from best to worst.\n");
    text_string(t, ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nIf it is set and not empty, nothing is coloured.\n");
    roff_examples(t);
}
