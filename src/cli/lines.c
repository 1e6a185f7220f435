/* SPDX-License-Identifier: MIT */

#include "cli/lines.h"

#include "cli/interrupt.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

void lines_init(lines *l, int fd)
{
    l->fd = fd;
    l->start = l->end = l->searched = 0;
    l->cut = l->began = l->ended = false;
}

static char *find_end(lines *l)
{
    char *end = memchr(l->data + l->searched, '\n', l->end - l->searched);
    if (end == NULL)
        l->searched = l->end;
    return end;
}

static void make_room(lines *l)
{
    if (l->start > 0) {
        memmove(l->data, l->data + l->start, l->end - l->start);
        l->end -= l->start;
        l->searched -= l->start;
        l->start = 0;
    }
    if (l->end == LINES_LONGEST) {
        l->end = l->searched = LINES_CUT;
        l->cut = true;
    }
}

/* Reads once; false at the end, on an interrupt and on a failure (with errno set). */
static bool read_more(lines *l)
{
    make_room(l);
    if (interrupt_or_input(l->fd)) {
        errno = EINTR;
        return false;
    }
    errno = 0;
    ssize_t n = read(l->fd, l->data + l->end, LINES_LONGEST - l->end);
    if (n == 0)
        l->ended = true;
    if (n > 0)
        l->end += (size_t)n;
    return n > 0;
}

/* Once the first line is there, whole or as far as it goes. */
static void skip_mark(lines *l)
{
    if (!l->began)
        l->start += text_mark(l->data + l->start, l->end - l->start);
    l->began = true;
}

static holos_status read_failed(holos_error *err)
{
    if (errno == EBADF)
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "cannot read standard input: it is closed");
    error_system(err, "cannot read standard input");
    return err->code = HOLOS_BAD_FILE;
}

bool lines_next(lines *l, line *out, holos_status *status, holos_error *err)
{
    char *end;
    *status = HOLOS_OK;
    while ((end = find_end(l)) == NULL && !l->ended) {
        if (read_more(l) || l->ended)
            continue;
        if (errno != EINTR)
            *status = read_failed(err);
        else if (interrupted())
            *status = HOLOS_INTERRUPTED;
        if (*status != HOLOS_OK)
            return false;
    }
    skip_mark(l);
    if (end == NULL && l->start == l->end)
        return false;
    if (end == NULL)
        end = l->data + l->end;
    *out = (line){.text = l->data + l->start, .length = (size_t)(end - l->data) - l->start, .cut = l->cut};
    if (out->cut)
        out->length = LINES_CUT;
    else if (out->length > 0 && out->text[out->length - 1] == '\r')
        out->length--;
    l->data[l->start + out->length] = 0;
    l->start = (size_t)(end - l->data) + (end < l->data + l->end);
    l->searched = l->start;
    l->cut = false;
    return true;
}

holos_status lines_join(lines *l, text *out, bool *cut, holos_error *err)
{
    line next;
    holos_status status = HOLOS_OK;
    size_t before = out->length;
    *cut = false;
    while (!*cut && lines_next(l, &next, &status, err)) {
        if (out->length > before)
            text_char(out, '\n');
        text_bytes(out, next.text, next.length);
        *cut = next.cut || out->length - before >= LINES_LONGEST;
    }
    return status;
}

static bool is_readable(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    return poll(&p, 1, 0) > 0;
}

bool lines_ready(lines *l)
{
    while (find_end(l) == NULL && !l->ended) {
        if (!is_readable(l->fd))
            return false;
        if (!read_more(l) && !l->ended)
            return true; /* lines_next will say what is wrong */
    }
    return true;
}

static size_t count_ends(const lines *l, size_t most)
{
    size_t count = 0;
    const char *here = l->data + l->start, *end = l->data + l->end;
    while (count < most && (here = memchr(here, '\n', (size_t)(end - here))) != NULL) {
        here++;
        count++;
    }
    return count;
}

size_t lines_waiting(lines *l, size_t most)
{
    size_t count;
    while ((count = count_ends(l, most)) < most && !l->ended && l->end - l->start < LINES_LONGEST / 2 &&
           is_readable(l->fd))
        if (!read_more(l))
            break;
    return count;
}
