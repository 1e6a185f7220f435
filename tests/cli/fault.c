/* SPDX-License-Identifier: MIT */

/* Faults on demand, for hurt_test.py: loaded before the C library (LD_PRELOAD), this counts the calls by which a program
 * changes files, and lets one of them fail.
 *
 *     HOLOS_FAULT=exit:17   the process ends at the 17th call, before it, as if it had been killed
 *     HOLOS_FAULT=torn:17   the same, but half of what the call was to write is written
 *     HOLOS_FAULT=full:17   from the 17th call on the disk is full
 *     HOLOS_FAULT=short:17  the 17th call writes less than it should and says so
 *     HOLOS_FAULT_COUNT=F   at the end, the number of calls is written to F
 *
 * Only calls on regular files count: what is printed does not. */

#pragma GCC visibility push(default) /* what is hidden takes nobody's place */

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KILLED = 99 };

static atomic_long calls;

static long fault_at(const char *kind)
{
    const char *asked = getenv("HOLOS_FAULT");
    size_t length = strlen(kind);
    return asked != NULL && strncmp(asked, kind, length) == 0 && asked[length] == ':'
               ? atol(asked + length + 1)
               : 0;
}

static int is_regular(int fd)
{
    struct stat info;
    return fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
}

/* The number of this call, after the fault that ends the process. */
static long call_count(void)
{
    long number = atomic_fetch_add(&calls, 1) + 1;
    if (number == fault_at("exit"))
        _exit(KILLED);
    return number;
}

static int is_full(long number)
{
    long first = fault_at("full");
    return first > 0 && number >= first;
}

/* How much of `size` bytes a call may write; -1: none, the disk is full. */
static ssize_t call_allows(long number, size_t size, int *torn)
{
    *torn = number == fault_at("torn");
    if (is_full(number)) {
        errno = ENOSPC;
        return -1;
    }
    if (*torn || (number == fault_at("short") && size > 1))
        return (ssize_t)(size / 2);
    return (ssize_t)size;
}

static void *real_of(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (found == NULL)
        abort();
    return found;
}

/* POSIX lets a pointer to a function pass through one to an object. */
#define REAL(type, name) (__extension__(type)(real_of(name)))

typedef ssize_t write_call(int, const void *, size_t);
typedef ssize_t pwrite_call(int, const void *, size_t, off_t);
typedef int truncate_call(int, off_t);
typedef int fd_call(int);
typedef int path_call(const char *);
typedef int rename_call(const char *, const char *);
typedef int unlinkat_call(int, const char *, int);
typedef int renameat_call(int, const char *, int, const char *);

ssize_t write(int fd, const void *bytes, size_t size)
{
    int torn = 0;
    ssize_t allowed = is_regular(fd) ? call_allows(call_count(), size, &torn) : (ssize_t)size;
    ssize_t done = allowed < 0 ? -1 : REAL(write_call *, "write")(fd, bytes, (size_t)allowed);
    if (torn)
        _exit(KILLED);
    return done;
}

/* Offsets have 64 bits, so that this is pwrite64, and ftruncate is ftruncate64. */
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at)
{
    int torn = 0;
    ssize_t allowed = is_regular(fd) ? call_allows(call_count(), size, &torn) : (ssize_t)size;
    ssize_t done = allowed < 0 ? -1 : REAL(pwrite_call *, "pwrite64")(fd, bytes, (size_t)allowed, at);
    if (torn)
        _exit(KILLED);
    return done;
}

int ftruncate(int fd, off_t size)
{
    struct stat info;
    long number = call_count();
    if (is_full(number) && fstat(fd, &info) == 0 && size > info.st_size) {
        errno = ENOSPC;
        return -1;
    }
    return REAL(truncate_call *, "ftruncate64")(fd, size);
}

int fsync(int fd)
{
    call_count();
    return REAL(fd_call *, "fsync")(fd);
}

int fdatasync(int fd)
{
    call_count();
    return REAL(fd_call *, "fdatasync")(fd);
}

int rename(const char *from, const char *to)
{
    call_count();
    return REAL(rename_call *, "rename")(from, to);
}

int renameat(int a, const char *from, int b, const char *to)
{
    call_count();
    return REAL(renameat_call *, "renameat")(a, from, b, to);
}

int unlink(const char *path)
{
    call_count();
    return REAL(path_call *, "unlink")(path);
}

int unlinkat(int fd, const char *path, int flags)
{
    call_count();
    return REAL(unlinkat_call *, "unlinkat")(fd, path, flags);
}

__attribute__((destructor)) static void count_write(void)
{
    const char *path = getenv("HOLOS_FAULT_COUNT");
    FILE *file = path != NULL ? fopen(path, "w") : NULL;
    if (file == NULL)
        return;
    fprintf(file, "%ld\n", atomic_load(&calls));
    fclose(file);
}
