/* SPDX-License-Identifier: MIT */

/* web/embed.py writes the list of files (serve/page_files.h) and puts them into one blob, one after the other. */

#include "serve/page.h"

#include "serve/page_files.h"
#include "serve/serve.h"

#include <string.h>

#ifdef PAGE_BLOB
__asm__(".section .rodata\n"
        ".global page_blob\n"
        ".balign 16\n"
        "page_blob:\n"
        ".incbin \"" PAGE_BLOB "\"\n"
        ".previous\n");
#endif

bool page_find(const char *path, page_file *out)
{
#ifdef PAGE_BLOB
    extern const unsigned char page_blob[];
    static const struct {
        const char *path, *type;
        size_t offset, size;
        bool lasting;
    } files[] = {
#define PAGE_FILE(path, type, offset, size, lasting) {path, type, offset, size, lasting},
        PAGE_FILES
#undef PAGE_FILE
    };
    if (strcmp(path, "/") == 0)
        path = "/index.html";
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (strcmp(files[i].path, path) == 0) {
            *out = (page_file){files[i].path, files[i].type, page_blob + files[i].offset, files[i].size,
                               files[i].lasting};
            return true;
        }
#endif
    (void)path;
    (void)out;
    return false;
}

const char *page_missing(void)
{
#ifdef PAGE_BLOB
    return NULL;
#else
    return PAGE_MISSING;
#endif
}

const char *serve_page_missing(void)
{
    return page_missing();
}
