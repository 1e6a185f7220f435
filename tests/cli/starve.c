/* SPDX-License-Identifier: MIT */

/* Memory that runs out on demand, for cluster_test.py: loaded before the C library (LD_PRELOAD), this counts the requests for
 * memory that the program and its library make themselves (those of other libraries are none of ours), and lets one fail.
 *
 *     HOLOS_STARVE=17        the 17th request fails
 *     HOLOS_STARVE_RANK=1    only in this rank of a cluster
 *     HOLOS_STARVE_COUNT=F   at the end, the number of requests is written to F */

#pragma GCC visibility push(default) /* what is hidden takes nobody's place */

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_long requests;
static long at;

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

__attribute__((constructor)) static void starve_begin(void)
{
    const char *asked = getenv("HOLOS_STARVE"), *only = getenv("HOLOS_STARVE_RANK");
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    at = asked != NULL && (only == NULL || (rank != NULL && strcmp(only, rank) == 0)) ? atol(asked) : 0;
}

static int is_ours(const void *caller)
{
    Dl_info found;
    if (dladdr(caller, &found) == 0 || found.dli_fname == NULL)
        return 0;
    const char *slash = strrchr(found.dli_fname, '/'), *name = slash != NULL ? slash + 1 : found.dli_fname;
    return strncmp(name, "holos", 5) == 0 || strncmp(name, "libholos", 8) == 0;
}

/* Whether this request fails. */
static int fails(const void *caller)
{
    if (!is_ours(caller) || atomic_fetch_add(&requests, 1) + 1 != at)
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
}

__attribute__((destructor)) static void count_write(void)
{
    const char *path = getenv("HOLOS_STARVE_COUNT"), *rank = getenv("OMPI_COMM_WORLD_RANK");
    char name[4096];
    snprintf(name, sizeof name, "%s.%s", path != NULL ? path : "", rank != NULL ? rank : "0");
    FILE *file = path != NULL ? fopen(name, "w") : NULL;
    if (file == NULL)
        return;
    fprintf(file, "%ld\n", atomic_load(&requests));
    fclose(file);
}
