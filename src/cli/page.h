/* SPDX-License-Identifier: MIT */

/* Help, made from the tables of verbs and options: on the terminal, and as a man page. */

#ifndef HOLOS_CLI_PAGE_H
#define HOLOS_CLI_PAGE_H

#include "cli/cli.h"
#include "core/json.h"

/* What the exit statuses mean: pairs of a status and its meaning, ended by {0}. */
typedef struct page_status {
    const char *status, *meaning;
} page_status;
extern const page_status page_statuses[];

extern const char page_tagline[]; /* what holos is, in a few words */

void page_overview(output *out);                   /* `holos --help` */
void page_verb(const cli_verb *verb, output *out); /* `holos VERB --help` */
void page_man(text *t);                            /* holos.1, in roff's man macros */

void page_json(const cli_verb *verb, text *t); /* the same as JSON, a line for each verb; NULL: all verbs */

/* An option as an object: name, type, range, words, default, help. The caller has opened it, and closes it. */
void page_option_put(json *j, const holos_option *option, const char *fallback);

/* "-m, --moves", "    --solutions N": how an option is written. */
void page_option_text(text *t, const holos_option *option);

/* "Options of the wave engine". */
void page_group_title(text *t, const holos_option_group *group);
/* Whether the option at `index` is the first of its group. */
bool page_begins_group(const cli_verb *verb, size_t index, const verb_option *o);

#endif
