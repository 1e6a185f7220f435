/* SPDX-License-Identifier: MIT */

/* What a run prints on stdout: collected in `text`, written when asked to or when there is much of it.
 * A failed write is remembered: verbs look at `failed` to stop early, and main reports it once. */

#ifndef HOLOS_CLI_OUTPUT_H
#define HOLOS_CLI_OUTPUT_H

#include "core/text.h"

typedef struct output {
    text text;
    int fd;
    bool written;     /* something was, or has been tried */
    int failed;       /* 0, or the errno of the first failure */
    bool is_terminal; /* a person may be reading: flush after each answer */
    bool color;
    double flushed; /* when text was last written */
} output;

void output_init(output *out, int fd);
void output_free(output *out);

/* Writes what was collected. False once anything failed. */
bool output_flush(output *out);
/* After each answer: writes if there is much, if a terminal waits, or if the last time is a while ago,
 * so that slow answers do not sit in a buffer. */
bool output_answer(output *out);

/* How a piece of text is to stand out. Nothing without colour. */
typedef enum output_style { STYLE_PLAIN, STYLE_BOLD, STYLE_FAINT, STYLE_GOOD, STYLE_BAD } output_style;
void text_style_begin(text *t, bool color, output_style style);
void text_style_end(text *t, bool color, output_style style);

/* Colour on this descriptor: a terminal that is not dumb, and no NO_COLOR. */
bool output_wants_color(int fd);

/* Prints paragraphs ("\n" between them) wrapped to `width` columns. The first line starts where the
 * text stands (at column `column`), the others are indented by `indent`. Ends with a newline. */
void output_wrap(text *t, size_t column, size_t indent, size_t width, const char *s);
/* Columns that a UTF-8 string takes. */
size_t output_columns(const char *s);

#endif
