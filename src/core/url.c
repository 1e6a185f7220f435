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
