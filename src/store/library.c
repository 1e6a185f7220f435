/* SPDX-License-Identifier: MIT */

#include "store/library.h"

#include <dlfcn.h>
#include <string.h>

/* Libraries of this size have threads and data of their own, and do not like to be unloaded. */
void *library_open(const char *const *files, size_t count)
{
    void *library = NULL;
    for (size_t i = 0; library == NULL && i < count; i++)
        library = dlopen(files[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    return library;
}

const char *library_fill(void *library, const library_entry *entries, size_t count, void *table)
{
    const char *missing = NULL;
    for (size_t i = 0; i < count; i++) {
        void *found = dlsym(library, entries[i].name);
        memcpy((char *)table + entries[i].at, &found, sizeof found);
        missing = found == NULL ? entries[i].name : missing;
    }
    return missing;
}
