/* SPDX-License-Identifier: MIT */

#include "cli/output.h"

#include "core/clock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OUTPUT_MUCH = 1 << 16 };        /* bytes collected before they are written anyway */
static const double output_late = 0.1; /* seconds that an answer may wait */

bool output_wants_color(int fd)
{
    const char *off = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    return isatty(fd) && (off == NULL || *off == 0) && term != NULL && strcmp(term, "dumb") != 0;
}

void output_init(output *out, int fd)
{
    *out = (output){.fd = fd, .is_terminal = isatty(fd), .color = output_wants_color(fd)};
    text_init(&out->text);
    out->flushed = clock_wall();
}

void output_free(output *out)
{
    text_free(&out->text);
}

bool output_flush(output *out)
{
    if (out->text.failed && out->failed == 0)
        out->failed = ENOMEM;
    const char *at = out->text.data;
    size_t left = out->failed == 0 ? out->text.length : 0;
    out->written = out->written || left > 0;
    while (left > 0) {
        ssize_t n = write(out->fd, at, left);
        if (n >= 0) {
            at += n;
            left -= (size_t)n;
        } else if (errno != EINTR) {
            out->failed = errno;
            break;
        }
    }
    text_clear(&out->text);
    out->flushed = clock_wall();
    return out->failed == 0;
}

bool output_answer(output *out)
{
    if (out->is_terminal || out->text.length >= OUTPUT_MUCH || clock_wall() - out->flushed > output_late)
        return output_flush(out);
    return out->failed == 0;
}

static const char *const style_codes[] = {
    [STYLE_BOLD] = "\x1b[1m",
    [STYLE_FAINT] = "\x1b[2m",
    [STYLE_GOOD] = "\x1b[32m",
    [STYLE_BAD] = "\x1b[31m",
};

void text_style_begin(text *t, bool color, output_style style)
{
    if (color && style != STYLE_PLAIN)
        text_string(t, style_codes[style]);
}

void text_style_end(text *t, bool color, output_style style)
{
    if (color && style != STYLE_PLAIN)
        text_string(t, "\x1b[0m");
}

static size_t columns_of(const char *s, size_t length)
{
    size_t columns = 0;
    for (size_t i = 0; i < length; i++)
        columns += ((unsigned char)s[i] & 0xc0) != 0x80;
    return columns;
}

size_t output_columns(const char *s)
{
    return columns_of(s, strlen(s));
}

void output_wrap(text *t, size_t column, size_t indent, size_t width, const char *s)
{
    bool fresh = true; /* nothing stands on this line yet */
    while (*s != 0) {
        if (*s == '\n') {
            text_char(t, '\n');
            text_repeat(t, ' ', s[1] == '\n' ? 0 : indent);
            column = indent;
            fresh = true;
            s++;
            continue;
        }
        size_t length = strcspn(s, " \n");
        size_t columns = columns_of(s, length);
        if (!fresh && column + 1 + columns > width) {
            text_char(t, '\n');
            text_repeat(t, ' ', indent);
            column = indent;
        } else if (!fresh) {
            text_char(t, ' ');
            column++;
        }
        text_bytes(t, s, length);
        column += columns;
        fresh = false;
        s += length;
        s += *s == ' ';
    }
    text_char(t, '\n');
}
