/* SPDX-License-Identifier: MIT */

/* Whether a folder of tables is sound: every file is read, and its checksum compared. */

#include "core/file.h"
#include "games/chess/tables/knowledge.h"
#include "games/chess/tables/syzygy.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static bool is_table(const char *name)
{
    const char *dot = strrchr(name, '.');
    for (int kind = 0; dot != NULL && kind < SYZYGY_KINDS; kind++)
        if (strcmp(dot, syzygy_suffix((syzygy_kind)kind)) == 0)
            return true;
    return false;
}

static holos_status file_verify(const char *folder, const char *name, holos_error *err)
{
    text path;
    file_view view;
    text_init(&path);
    text_printf(&path, "%s/%s", folder, name);
    holos_status status = path.failed ? error_system(err, "%s", name) : file_view_open(&view, path.data, err);
    if (status == HOLOS_OK) {
        status = syzygy_check(view.data, view.size, path.data, err);
        file_view_close(&view);
    }
    text_free(&path);
    return status;
}

static holos_status folder_verify(const char *folder, const holos_stop *stop, uint64_t *files,
                                  holos_error *err)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, NULL, alphasort);
    holos_status status = count < 0 ? error_system(err, "cannot read %s", folder) : HOLOS_OK;
    for (int i = 0; i < count; i++) {
        if (status == HOLOS_OK && holos_stop_asked(stop))
            status = error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
        if (status == HOLOS_OK && is_table(entries[i]->d_name)) {
            status = file_verify(folder, entries[i]->d_name, err);
            ++*files;
        }
        free(entries[i]);
    }
    free(entries);
    return status;
}

holos_status tables_verify(const char *folders, const holos_stop *stop, uint64_t *files, holos_error *err)
{
    char *copy = strdup(folders), *rest = copy;
    holos_status status = copy == NULL ? error_system(err, "the tables") : HOLOS_OK;
    *files = 0;
    for (char *folder; status == HOLOS_OK && (folder = strsep(&rest, ":")) != NULL;)
        if (*folder != 0)
            status = folder_verify(folder, stop, files, err);
    free(copy);
    return status;
}
