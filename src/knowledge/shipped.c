/* SPDX-License-Identifier: MIT */

/* What comes with holos, and where it lies. The library knows how it was configured, and asks the system where it was loaded
 * from: in the build folder it uses the data of the source tree; installed, the data beside it, wherever the whole
 * installation was moved to. */

#include "core/file.h"
#include "holos_paths.h"
#include "knowledge/knowledge.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>

/* The real path of the library, or of the program that it is a part of. False: the system does not say. */
static bool object_path(char out[PATH_MAX])
{
    static const char here;
    Dl_info info;
    const char *name = NULL;
    if (dladdr(&here, &info) != 0)
        name = info.dli_fname;
    if (name == NULL || strchr(name, '/') == NULL) /* a program that was found along the PATH */
        name = (const char *)getauxval(AT_EXECFN);
    return name != NULL && realpath(name, out) != NULL;
}

static bool is_within(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

/* What stands before "/PART/NAME" at the end of a path; false if that is not how it ends. */
static bool prefix_of(const char *path, const char *part, char *out)
{
    const char *slash = strrchr(path, '/');
    size_t folder = slash != NULL ? (size_t)(slash - path) : 0, length = strlen(part);
    if (folder <= length || path[folder - length - 1] != '/' ||
        memcmp(path + folder - length, part, length) != 0)
        return false;
    memcpy(out, path, folder - length - 1);
    out[folder - length - 1] = 0;
    return true;
}

/* The folder of the installation that the library lies in; false: it is not there. */
static bool data_beside(const char *object, char out[PATH_MAX])
{
    char prefix[PATH_MAX];
    if (!prefix_of(object, HOLOS_LIBRARY_PART, prefix) && !prefix_of(object, HOLOS_PROGRAM_PART, prefix))
        return false;
    return snprintf(out, PATH_MAX, "%s/%s", prefix, HOLOS_DATA_PART) < PATH_MAX && file_is_folder(out);
}

size_t holos_data_folder(char *out, size_t size)
{
    char object[PATH_MAX], beside[PATH_MAX];
    const char *chosen = getenv("HOLOS_DATA"), *found = HOLOS_DATA_FOLDER;
    if (chosen != NULL && chosen[0] != 0)
        found = chosen;
    else if (object_path(object) && is_within(object, HOLOS_BUILD_FOLDER))
        found = HOLOS_SOURCE_DATA;
    else if (object_path(object) && data_beside(object, beside))
        found = beside;
    return (size_t)snprintf(out, size, "%s", found);
}

/* FOLDER/books/connect4-7x6 */
static void book_path(const char *folder, const holos_variant *v, text *out)
{
    text_printf(out, "%s/books/", folder);
    for (const char *c = v->name; *c != 0; c++)
        text_char(out, *c == ':' || *c == ',' ? '-' : *c);
}

holos_status holos_knowledge_open_shipped(const holos_variant *v, const holos_knowledge_options *options,
                                          holos_knowledge **out, holos_error *err)
{
    char folder[PATH_MAX];
    text path;
    if (v == NULL || out == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "a variant and a place for the knowledge are needed");
    *out = NULL;
    if (options != NULL && options->data != NULL)
        snprintf(folder, sizeof folder, "%s", options->data);
    else
        holos_data_folder(folder, sizeof folder);
    text_init(&path);
    book_path(folder, v, &path);
    bool found = !path.failed && file_is_folder(path.data);
    if (!found && v->game->knowledge != NULL) {
        text_clear(&path);
        text_printf(&path, "%s/%s", folder, v->game->knowledge->folder);
        found = !path.failed && v->game->knowledge->recognise(path.data);
    }
    holos_status status = HOLOS_OK;
    if (path.failed)
        status = error_system(err, "the data that comes with holos");
    else if (found)
        status = holos_knowledge_open(path.data, v, options, out, err);
    text_free(&path);
    return status;
}
