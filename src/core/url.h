/* SPDX-License-Identifier: MIT */

/* How places are named: "SCHEME:LOCATION", or a bare path. */

#ifndef HOLOS_CORE_URL_H
#define HOLOS_CORE_URL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct url_parts {
    char scheme[16]; /* "" for a bare path */
    const char *location;
} url_parts;

/* What begins with a short word of lowercase letters, digits, + - . and a colon has a scheme; anything else is a path. The
 * location points into `text`. */
url_parts url_parse(const char *text);
/* Whether it names a file or a folder: "file:PATH", or a bare path. */
bool url_is_path(const url_parts *u);

/* Overwrites the passwords in a text (a URL, a command with URLs in it, a message) with "***", in place: those of "scheme://USER:PASSWORD@…"
 * and "password=…". Whatever is written down or shown goes through it: reports, records, locks, errors, the log. */
void url_hide_passwords(char *text);

#endif
