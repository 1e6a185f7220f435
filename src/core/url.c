/* SPDX-License-Identifier: MIT */

#include "core/url.h"

#include <string.h>

url_parts url_parse(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789+-.";
    url_parts u = {.location = text};
    size_t length = strspn(text, letters);
    if (length < 2 || length >= sizeof u.scheme || text[length] != ':' || text[0] < 'a' || text[0] > 'z')
        return u;
    memcpy(u.scheme, text, length);
    u.location = text + length + 1;
    return u;
}

bool url_is_path(const url_parts *u)
{
    return u->scheme[0] == 0 || strcmp(u->scheme, "file") == 0;
}

static const char hidden[] = "***";

/* Puts "***" in the place of `length` bytes, or fewer stars if it is shorter. Returns what comes after. */
static char *span_hide(char *at, size_t length)
{
    size_t stars = length < sizeof hidden - 1 ? length : sizeof hidden - 1;
    memcpy(at, hidden, stars);
    memmove(at + stars, at + length, strlen(at + length) + 1);
    return at + stars;
}

void url_hide_passwords(char *text)
{
    static const char blanks[] = " \t\n\"'<>", word[] = "password=";
    for (char *at = text; (at = strstr(at, "://")) != NULL;) {
        at += 3;
        size_t length = strcspn(at, " \t\n\"'<>/?#");
        char *end = memrchr(at, '@', length);
        char *colon = end != NULL ? memchr(at, ':', (size_t)(end - at)) : NULL;
        if (colon != NULL)
            at = span_hide(colon + 1, (size_t)(end - colon) - 1);
    }
    for (char *at = text; (at = strcasestr(at, word)) != NULL;) {
        at += sizeof word - 1;
        size_t length = strcspn(at, blanks), part = strcspn(at, "&");
        at = span_hide(at, part < length ? part : length);
    }
}
