/* SPDX-License-Identifier: MIT */

#include <holos/base.h>

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)

const char *holos_version(void)
{
    return TEXT(HOLOS_VERSION_MAJOR) "." TEXT(HOLOS_VERSION_MINOR) "." TEXT(HOLOS_VERSION_PATCH);
}
