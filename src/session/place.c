/* SPDX-License-Identifier: MIT */

#include "session/job.h"

#include "core/file.h"
#include "knowledge/knowledge.h"
#include "store/store.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The location of a URL, after its scheme if it has one. */
static const char *location_of(const char *url, bool *named)
{
    const char *colon = strchr(url, ':');
    *named = colon != NULL && memchr(url, '/', (size_t)(colon - url)) == NULL;
    return *named ? colon + 1 : url;
}

const char *place_folder(const char *url)
{
    bool named;
    const char *location = location_of(url, &named);
    struct stat info;
    if (!named && stat(location, &info) == 0 && S_ISREG(info.st_mode))
        return NULL; /* a store that is a file */
    return !named || strncmp(url, "file:", 5) == 0 || strncmp(url, "parquet:", 8) == 0 ? location : NULL;
}

/* What belongs to a store on a server, as far as it is kept here: in a folder of this user that is named after it, without who asks
 * and how. */
static void remote_folder(const char *url, text *out)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    const char *at = strchr(url, '@'), *end = url + strcspn(url, "?");
    text name;
    text_init(&name);
    text_bytes(&name, url, strcspn(url, ":"));
    const char *rest = at != NULL && at < end ? at + 1 : url + strcspn(url, ":");
    text_bytes(&name, rest, (size_t)(end - rest));
    const char *schema = strstr(end, "schema=");
    if (schema != NULL)
        text_bytes(&name, schema, strcspn(schema, "&"));
    if (state != NULL && state[0] == '/')
        text_printf(out, "%s/holos/", state);
    else
        text_printf(out, "%s/.local/state/holos/", home != NULL ? home : "");
    for (size_t i = 0; i < name.length; i++) {
        char c = name.data[i];
        bool plain = isalnum((unsigned char)c) || c == '.' || c == '-';
        if (plain || (i > 0 && name.data[i - 1] != '/'))
            text_char(out, plain ? c : '_');
    }
    text_free(&name);
}

void place_beside(const char *url, const char *name, text *out)
{
    bool named;
    if (store_is_remote(url)) {
        remote_folder(url, out);
        text_printf(out, "/%s", name);
        return;
    }
    text_string(out, location_of(url, &named));
    if (place_folder(url) != NULL)
        text_char(out, '/');
    else if (name[0] != '.')
        text_char(out, '.');
    text_string(out, name);
}

void place_sweep(const char *url)
{
    bool named;
    const char *location = location_of(url, &named), *slash = strrchr(location, '/');
    text folder, prefix;
    if (store_is_remote(url)) {
        text_init(&folder);
        remote_folder(url, &folder);
        if (!folder.failed)
            file_sweep(folder.data, "");
        text_free(&folder);
        return;
    }
    if (place_folder(url) != NULL) {
        file_sweep(location, "");
        return;
    }
    text_init(&folder);
    text_init(&prefix); /* with a dot: a.db2 is another store, whose files may be another's */
    text_bytes(&folder, location, slash != NULL ? (size_t)(slash - location) + 1 : 0);
    text_printf(&prefix, "%s.", slash != NULL ? slash + 1 : location);
    if (!prefix.failed)
        file_sweep(slash != NULL ? folder.data : ".", prefix.data);
    text_free(&folder);
    text_free(&prefix);
}

holos_status place_lock(file_lock *l, const char *url, holos_error *err)
{
    const char *folder = place_folder(url);
    text path;
    text_init(&path);
    place_beside(url, JOB_LOCK, &path);
    holos_status status = path.failed ? error_system(err, "the lock") : HOLOS_OK;
    if (status == HOLOS_OK && folder != NULL)
        status = file_make_folder(folder, err);
    if (status == HOLOS_OK && store_is_remote(url)) {
        text remote;
        text_init(&remote);
        remote_folder(url, &remote);
        status = remote.failed ? error_system(err, "the lock") : file_make_folder(remote.data, err);
        text_free(&remote);
    }
    if (status == HOLOS_OK)
        status = lock_take(l, path.data, url, err);
    if (status == HOLOS_OK)
        place_sweep(url);
    text_free(&path);
    return status;
}

/* ---- What lies there --------------------------------------------------------------------------- */

static bool is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* A folder, a file, and the hologram in a folder: the same place has at least one of them in common. */
bool place_same(const char *a, const char *b)
{
    const char *urls[2] = {a, b};
    text paths[2][2];
    bool same = strcmp(a, b) == 0, named;
    for (int i = 0; i < 2; i++) {
        text_init(&paths[i][0]);
        text_init(&paths[i][1]);
        text_string(&paths[i][0], location_of(urls[i], &named));
        text_printf(&paths[i][1], "%s/" JOB_HOLOGRAM, paths[i][0].data);
    }
    for (int i = 0; i < 4; i++)
        same = same || is_same_file(paths[0][i / 2].data, paths[1][i % 2].data);
    for (int i = 0; i < 4; i++)
        text_free(&paths[i / 2][i % 2]);
    return same;
}

bool place_other(const char *url, char *what, size_t size)
{
    const char *folder = place_folder(url);
    text path;
    text_init(&path);
    text_printf(&path, "%s/manifest.json", folder != NULL ? folder : url);
    struct stat info;
    bool has_manifest = stat(path.data, &info) == 0;
    text_free(&path);
    const holos_game *game = folder != NULL && !has_manifest ? knowledge_recognise(NULL, folder) : NULL;
    store *s = NULL;
    snprintf(what, size, "%s", game != NULL ? game->knowledge->what : "a store");
    if (has_manifest && store_open(url, &(store_options){.mode = STORE_READ}, &s, NULL) == HOLOS_OK)
        snprintf(what, size, "a %s of %s", store_kind_name(s->kind), s->v->name);
    store_close(s);
    return has_manifest || game != NULL;
}
