/* SPDX-License-Identifier: MIT */

/* The files of the page, compressed, as parts of the program. */

#ifndef HOLOS_SERVE_PAGE_H
#define HOLOS_SERVE_PAGE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct page_file {
    const char *path, *type;
    const unsigned char *data; /* gzip */
    size_t size;
    bool lasting; /* its name changes with its content: browsers may keep it */
} page_file;

/* The file at a path ("/" is index.html); false: there is none. */
bool page_find(const char *path, page_file *out);
/* NULL if there is a page; otherwise why there is none. */
const char *page_missing(void);

#endif
