/* SPDX-License-Identifier: MIT */

/* Files. A file that we write appears whole or not at all: it is written under a temporary name in the
 * same folder, brought to the disk, and then takes its name, and the place of what had it before.
 *
 *     file_writer w;
 *     if (file_create(&w, path, err) != HOLOS_OK) return err->code;
 *     file_write(&w, header, sizeof header);  file_write(&w, body, size);
 *     return file_commit(&w, err);
 *
 * A writer that failed stays failed, and file_commit says why; so the writes between need no checks of
 * their own, except to stop early. Whatever fails, no temporary file is left behind. A process that is
 * killed leaves one, named ".NAME.XXXXXXXXXXXXXXXX.tmp". */

#ifndef HOLOS_CORE_FILE_H
#define HOLOS_CORE_FILE_H

#include "core/error.h"
#include "core/text.h"

typedef struct file_writer {
    int fd; /* -1: not open */
    char *path, *temporary;
    unsigned char *buffer;
    size_t buffered;
    uint64_t size; /* bytes so far */
    holos_error failure;
} file_writer;

/* The path must be free or a regular file (a symbolic link is followed), whose permissions are kept. On
 * failure there is nothing to commit or discard. */
holos_status file_create(file_writer *w, const char *path, holos_error *err);
/* False: it has failed, now or before. */
bool file_write(file_writer *w, const void *bytes, size_t size);
/* Replaces bytes that have been written: a header that needs to know the rest. */
bool file_patch(file_writer *w, uint64_t offset, const void *bytes, size_t size);
/* The file takes its name; or the error, and nothing has changed. The writer is closed either way. */
holos_status file_commit(file_writer *w, holos_error *err);
/* Gives up: nothing has changed. Does nothing to a writer that is closed. */
void file_discard(file_writer *w);

/* Writes a whole file: create, write, commit. */
holos_status file_put(const char *path, const char *bytes, size_t size, holos_error *err);

/* Appends all bytes of a file. More than `limit` of them is an error (0: no limit). A pipe will do. */
holos_status file_read(const char *path, size_t limit, text *out, holos_error *err);

/* Whether a regular file begins with these bytes, at most 64 of them. */
bool file_begins(const char *path, const void *bytes, size_t size);
/* Whether a path is a folder. */
bool file_is_folder(const char *path);

/* A file seen as memory, read-only. Reads past what another process cuts off kill the program, so this
 * is for files that are replaced, never changed: such as those of a file_writer. */
typedef struct file_view {
    const unsigned char *data; /* not NULL, even of an empty file */
    size_t size;
} file_view;

holos_status file_view_open(file_view *view, const char *path, holos_error *err);
void file_view_close(file_view *view);

/* A name beside `path` that nobody has; file_sweep knows it. It begins with a dot, so that patterns such as *.db pass it by. NULL if
 * there is no memory. The caller frees it. */
char *file_temporary_name(const char *path);

/* Removes what processes that were killed left in a folder: temporary files of a file_writer for names that begin with `prefix`
 * ("": any; NULL: none of these), and files without a purpose of waves that did not fit into memory. For folders that nobody else
 * writes to, or with NULL for any. */
void file_sweep(const char *folder, const char *prefix);

/* The same for one file of a file_writer: whoever calls it holds a lock on it. */
void file_sweep_of(const char *path);

/* Makes a folder with all that are missing above it. It may be there already. */
holos_status file_make_folder(const char *path, holos_error *err);

#endif
