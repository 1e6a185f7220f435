/* SPDX-License-Identifier: MIT */

/* The lines of a descriptor, in constant memory however many and however long they are. A byte-order mark at the beginning is
 * left out. */

#ifndef HOLOS_CLI_LINES_H
#define HOLOS_CLI_LINES_H

#include "core/error.h"
#include "core/text.h"

enum {
    LINES_LONGEST = 1 << 16, /* bytes of a line; a longer one is passed over */
    LINES_CUT = 64,          /* bytes that are kept of such a line, for the message */
};

typedef struct lines {
    int fd;
    size_t start, end; /* what was read and not yet handed out */
    size_t searched;   /* up to here there is no end of line */
    bool cut;          /* of the line at `start` only the first LINES_CUT bytes are kept */
    bool began, ended; /* a line was handed out; there is no more to read */
    char data[LINES_LONGEST + 1];
} lines;

/* A line without its end ("\n" or "\r\n"), 0-terminated; it may hold other zeros. Valid until the next
 * call for the same lines. */
typedef struct line {
    const char *text;
    size_t length;
    bool cut; /* it was longer than LINES_LONGEST */
} line;

void lines_init(lines *l, int fd);

/* The next line; what stands after the last "\n" counts as one. False at the end, on an interrupt
 * (then *status is HOLOS_INTERRUPTED) and on a failure to read (HOLOS_BAD_FILE, with *err filled). */
bool lines_next(lines *l, line *out, holos_status *status, holos_error *err);

/* Appends all lines that are left, with a "\n" between two of them. *cut: they are longer than LINES_LONGEST, and the rest was not
 * read. The status is that of lines_next. */
holos_status lines_join(lines *l, text *out, bool *cut, holos_error *err);

/* True if lines_next would return at once. */
bool lines_ready(lines *l);

/* How many whole lines are there without waiting; counted up to `most`, and up to what fits the buffer. */
size_t lines_waiting(lines *l, size_t most);

#endif
