/* SPDX-License-Identifier: MIT */

#include "unit.h"

#include <dirent.h>
#include <ftw.h>

void unit_make_folder(char out[64])
{
    const char *where = getenv("TMPDIR");
    snprintf(out, 64, "%.40s/holos-XXXXXX", where != NULL && strlen(where) <= 40 ? where : "/tmp");
    assert_non_null(mkdtemp(out));
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info;
    (void)kind;
    (void)walk;
    return remove(path);
}

void unit_remove_folder(const char *folder)
{
    assert_int_equal(nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

size_t unit_count_names(const char *folder)
{
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    size_t count = 0;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(dir);
    return count;
}

const char *unit_path(const char *folder, const char *name)
{
    static _Thread_local char paths[4][256];
    static _Thread_local unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

void unit_write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}
