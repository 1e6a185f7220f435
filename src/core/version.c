/* SPDX-License-Identifier: MIT */

#include <holos/holos.h>

#define WORD(x)          #x
#define VERSION(a, b, c) WORD(a) "." WORD(b) "." WORD(c)

const char *holos_version(void)
{
    return VERSION(HOLOS_VERSION_MAJOR, HOLOS_VERSION_MINOR, HOLOS_VERSION_PATCH);
}
