/* SPDX-License-Identifier: MIT */

#include "core/file.h"

#include "core/assert.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define WRITE_BUFFER ((size_t)256 << 10)
#define READ_STEP    ((size_t)64 << 10)

/* ---- Writing ----------------------------------------------------------------------------------- */

/* The length of a path's folder with its last slash; 0 for a plain name. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

static void writer_close(file_writer *w)
{
    if (w->fd >= 0)
        close(w->fd);
    free(w->buffer);
    free(w->temporary);
    free(w->path);
    *w = (file_writer){.fd = -1, .failure = w->failure};
}

/* The file that `path` stands for: itself, or where its symbolic links lead. The permissions that it
 * has, or else those of a new file. NULL: errno tells, 0 if it is not a regular file. */
static char *writer_target(const char *path, mode_t *mode)
{
    struct stat info;
    *mode = 0666;
    if (lstat(path, &info) != 0)
        return errno == ENOENT ? strdup(path) : NULL;
    char *target = S_ISLNK(info.st_mode) ? realpath(path, NULL) : strdup(path);
    if (target == NULL || stat(target, &info) != 0) {
        free(target);
        return NULL;
    }
    if (!S_ISREG(info.st_mode)) {
        free(target);
        errno = S_ISDIR(info.st_mode) ? EISDIR : 0;
        return NULL;
    }
    *mode = info.st_mode & 07777;
    return target;
}

char *file_temporary_name(const char *path)
{
    uint64_t random = 0;
    if (getrandom(&random, sizeof random, 0) != sizeof random)
        return NULL;
    text t;
    text_init(&t);
    text_printf(&t, "%.*s.%s.%016llx.tmp", (int)folder_length(path), path, path + folder_length(path),
                (unsigned long long)random);
    if (t.failed)
        text_free(&t);
    return t.length > 0 ? t.data : NULL; /* the caller's */
}

static bool writer_open(file_writer *w, mode_t mode)
{
    w->temporary = file_temporary_name(w->path);
    w->buffer = malloc(WRITE_BUFFER);
    if (w->temporary == NULL || w->buffer == NULL)
        return false;
    w->fd = open(w->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode & 0777);
    return w->fd >= 0;
}

holos_status file_create(file_writer *w, const char *path, holos_error *err)
{
    mode_t mode;
    *w = (file_writer){.fd = -1};
    w->path = writer_target(path, &mode);
    if (w->path == NULL && errno == 0)
        return error_set(err, HOLOS_IO, HOLOS_NOWHERE, "cannot write %s: it is not a regular file", path);
    if (w->path == NULL || !writer_open(w, mode)) {
        holos_status status = error_system(err, "cannot write %s", path);
        writer_close(w);
        return status;
    }
    if (mode != 0666)
        fchmod(w->fd, mode); /* open asked for it, but umask may have taken away */
    return HOLOS_OK;
}

void file_discard(file_writer *w)
{
    if (w->temporary != NULL)
        unlink(w->temporary);
    writer_close(w);
}

/* Keeps the first failure; the temporary file goes at once, so that a full disk has room again. */
static bool writer_fail(file_writer *w)
{
    error_system(&w->failure, "cannot write %s", w->path);
    file_discard(w);
    return false;
}

static bool write_all(int fd, const unsigned char *bytes, size_t size, off_t offset)
{
    while (size > 0) {
        ssize_t done = offset < 0 ? write(fd, bytes, size) : pwrite(fd, bytes, size, offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return false;
        bytes += done;
        size -= (size_t)done;
        if (offset >= 0)
            offset += done;
    }
    return true;
}

static bool writer_flush(file_writer *w)
{
    if (!write_all(w->fd, w->buffer, w->buffered, -1))
        return writer_fail(w);
    w->buffered = 0;
    return true;
}

bool file_write(file_writer *w, const void *bytes, size_t size)
{
    if (w->fd < 0)
        return false;
    if (size > WRITE_BUFFER - w->buffered && !writer_flush(w))
        return false;
    if (size >= WRITE_BUFFER) {
        if (!write_all(w->fd, bytes, size, -1))
            return writer_fail(w);
    } else if (size > 0) {
        memcpy(w->buffer + w->buffered, bytes, size);
        w->buffered += size;
    }
    w->size += size;
    return true;
}

bool file_patch(file_writer *w, uint64_t offset, const void *bytes, size_t size)
{
    assert(w->fd < 0 || (offset <= w->size && size <= w->size - offset));
    if (w->fd < 0 || !writer_flush(w))
        return false;
    return write_all(w->fd, bytes, size, (off_t)offset) || writer_fail(w);
}

/* Brings the names in a folder to the disk. Some file systems cannot, and say EINVAL. */
static bool folder_sync(const char *path)
{
    size_t length = folder_length(path);
    char *folder = length > 0 ? strndup(path, length) : strdup(".");
    int fd = folder != NULL ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    free(folder);
    if (fd < 0)
        return false;
    bool done = fsync(fd) == 0 || errno == EINVAL;
    int reason = errno;
    close(fd);
    errno = reason;
    return done;
}

static bool writer_finish(file_writer *w)
{
    if (!writer_flush(w))
        return false;
    if (fsync(w->fd) != 0)
        return writer_fail(w);
    int fd = w->fd;
    w->fd = -1;
    if (close(fd) != 0 || rename(w->temporary, w->path) != 0)
        return writer_fail(w);
    free(w->temporary); /* it has its name now: nothing to remove any more */
    w->temporary = NULL;
    return folder_sync(w->path) || writer_fail(w);
}

holos_status file_commit(file_writer *w, holos_error *err)
{
    assert(w->fd >= 0 || w->failure.code != HOLOS_OK);
    if (w->fd < 0 || !writer_finish(w)) {
        if (err != NULL)
            *err = w->failure;
        return w->failure.code;
    }
    writer_close(w);
    return HOLOS_OK;
}

holos_status file_put(const char *path, const char *bytes, size_t size, holos_error *err)
{
    file_writer w;
    holos_status status = file_create(&w, path, err);
    if (status != HOLOS_OK)
        return status;
    file_write(&w, bytes, size);
    return file_commit(&w, err);
}

/* ---- Reading ----------------------------------------------------------------------------------- */

static holos_status read_open(const char *path, int *fd, struct stat *info, holos_error *err)
{
    *fd = open(path, O_RDONLY | O_CLOEXEC);
    if (*fd < 0)
        return error_system(err, "cannot read %s", path);
    bool known = fstat(*fd, info) == 0;
    if (known && !S_ISDIR(info->st_mode))
        return HOLOS_OK;
    if (known)
        errno = EISDIR;
    holos_status status = error_system(err, "cannot read %s", path);
    close(*fd);
    return status;
}

static holos_status read_too_large(holos_error *err, const char *path, size_t limit)
{
    char size[32];
    text t;
    text_init_fixed(&t, size, sizeof size);
    text_size(&t, limit);
    return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s is too large: at most %s are read", path, size);
}

static holos_status read_from(int fd, const char *path, size_t limit, text *out, holos_error *err)
{
    char *step = malloc(READ_STEP);
    holos_status status = HOLOS_OK;
    size_t total = 0;
    for (;;) {
        ssize_t got = step != NULL ? read(fd, step, READ_STEP) : -1;
        if (got < 0 && step != NULL && errno == EINTR)
            continue;
        if (got < 0)
            status = error_system(err, "cannot read %s", path);
        if (got <= 0)
            break;
        text_bytes(out, step, (size_t)got);
        total += (size_t)got;
        if (out->failed)
            status = error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory to read %s", path);
        else if (limit != 0 && total > limit)
            status = read_too_large(err, path, limit);
        if (status != HOLOS_OK)
            break;
    }
    free(step);
    return status;
}

holos_status file_read(const char *path, size_t limit, text *out, holos_error *err)
{
    int fd;
    struct stat info;
    holos_status status = read_open(path, &fd, &info, err);
    if (status != HOLOS_OK)
        return status;
    status = read_from(fd, path, limit, out, err);
    close(fd);
    return status;
}

holos_status file_view_open(file_view *view, const char *path, holos_error *err)
{
    static const unsigned char nothing[1] = {0};
    *view = (file_view){.data = nothing};
    int fd;
    struct stat info = {0};
    holos_status status = read_open(path, &fd, &info, err);
    if (status != HOLOS_OK)
        return status;
    if (!S_ISREG(info.st_mode)) {
        status = error_set(err, HOLOS_IO, HOLOS_NOWHERE, "cannot map %s: it is not a regular file", path);
    } else if (info.st_size > 0) {
        void *data = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_SHARED, fd, 0);
        if (data == MAP_FAILED)
            status = error_system(err, "cannot map %s", path);
        else
            *view = (file_view){.data = data, .size = (size_t)info.st_size};
    }
    close(fd);
    return status;
}

void file_view_close(file_view *view)
{
    if (view->size > 0)
        munmap((void *)(uintptr_t)view->data, view->size);
    *view = (file_view){0};
}

/* ---- What was left behind ---------------------------------------------------------------------- */

enum { DIGITS = 16, ENDING = 1 + DIGITS + 4 }; /* of file_temporary_name's names: ".XXXXXXXXXXXXXXXX.tmp" */

/* Whether a name is file_temporary_name's for something that begins with `prefix`. */
static bool is_temporary(const char *name, const char *prefix)
{
    size_t length = strlen(name);
    if (name[0] != '.' || length < 1 + ENDING || strcmp(name + length - 4, ".tmp") != 0 ||
        name[length - ENDING] != '.' || strspn(name + length - ENDING + 1, "0123456789abcdef") != DIGITS)
        return false;
    return strncmp(name + 1, prefix, strlen(prefix)) == 0;
}

void file_sweep(const char *folder, const char *prefix)
{
    DIR *all = opendir(folder);
    if (all == NULL)
        return;
    for (struct dirent *entry; (entry = readdir(all)) != NULL;) {
        const char *name = entry->d_name;
        if ((prefix != NULL && is_temporary(name, prefix)) || strncmp(name, ".holos-run-", 11) == 0)
            unlinkat(dirfd(all), name, 0);
    }
    closedir(all);
}

void file_sweep_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *file = slash != NULL ? slash + 1 : path;
    char *folder = slash != NULL ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    DIR *all = folder != NULL ? opendir(folder) : NULL;
    for (struct dirent *entry; all != NULL && (entry = readdir(all)) != NULL;) {
        const char *name = entry->d_name;
        if (strlen(name) == 1 + strlen(file) + ENDING && is_temporary(name, file))
            unlinkat(dirfd(all), name, 0);
    }
    if (all != NULL)
        closedir(all);
    free(folder);
}

/* ---- Folders ----------------------------------------------------------------------------------- */

bool file_is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool file_begins(const char *path, const void *bytes, size_t size)
{
    char found[64];
    struct stat info;
    assert(size <= sizeof found);
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) /* a pipe would wait, and what was read be gone */
        return false;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool begins = fd >= 0 && read(fd, found, size) == (ssize_t)size && memcmp(found, bytes, size) == 0;
    if (fd >= 0)
        close(fd);
    return begins;
}

static bool make_one_folder(const char *path)
{
    if (mkdir(path, 0777) == 0)
        return true;
    int reason = errno; /* EEXIST, but also EROFS or EACCES for what is there already */
    if (file_is_folder(path))
        return true;
    errno = reason == EEXIST ? ENOTDIR : reason;
    return false;
}

holos_status file_make_folder(const char *path, holos_error *err)
{
    char *part = strdup(path);
    if (part == NULL)
        return error_system(err, "cannot create the folder %s", path);
    holos_status status = HOLOS_OK;
    char *end = part;
    do {
        end += strspn(end, "/");
        end += strcspn(end, "/");
        char slash = *end;
        *end = '\0';
        if (!make_one_folder(part))
            status = error_system(err, "cannot create the folder %s", part);
        *end = slash;
    } while (*end != '\0' && status == HOLOS_OK);
    free(part);
    return status;
}
