/* SPDX-License-Identifier: MIT */

/* file:DIR, the native store: DIR/manifest.json, and for each part of a database or a book
 * DIR/TIER-PART.part; of a graph DIR/graph.rows. All files appear whole or not at all, so the parts that are there are the checkpoint of a build; the
 * manifest says at the end that all of them are, and what their digests are. */

#include "core/file.h"
#include "core/assert.h"
#include "core/clock.h"
#include "core/hash.h"
#include "store/cache.h"
#include "store/graph_file.h"
#include "store/manifest.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEFAULT_CACHE ((size_t)256 << 20)
#define MANIFEST_MOST ((size_t)64 << 20)

extern const store_backend store_file;

/* One part's file. */
typedef struct file_part {
    char name[32];
    file_view file;
    cache_part cached; /* cached.blocks is NULL until it is opened for lookups */
} file_part;

typedef struct file_store {
    store base;
    char *folder;
    int lock; /* the folder's descriptor, locked while it is written to; -1 */
    manifest manifest;
    uint64_t family;   /* its hash, as in the labels */
    file_part **parts; /* [tier][part]; for reading */
    cache cache;
    book book;           /* of a complete one */
    graph_file graph;    /* of a complete one */
    rows_writer *writer; /* of a graph that is being written; NULL before the first row */
} file_store;

static file_store *file_of(store *s)
{
    return (file_store *)s;
}

static char *path_of(const file_store *f, const char *name)
{
    char *path = malloc(strlen(f->folder) + strlen(name) + 2);
    if (path != NULL)
        sprintf(path, "%s/%s", f->folder, name);
    return path;
}

static void part_file_name(uint32_t tier, uint32_t part, char out[32])
{
    snprintf(out, 32, "%03u-%03u.part", tier, part);
}

/* How many parts a tier has once the store is complete, and how large a part is; 0: as large as it is. */
static uint32_t parts_of(const file_store *f, uint32_t tier)
{
    const holos_variant *v = f->base.v;
    return f->base.kind == STORE_BOOK ? 1 : v->game->index->parts(v, tier);
}

static uint64_t size_of(const file_store *f, uint32_t tier, uint32_t part)
{
    const holos_variant *v = f->base.v;
    return f->base.kind == STORE_BOOK ? 0 : v->game->index->size(v, tier, part);
}

static part_label label_of(const file_store *f, uint32_t tier, uint32_t part)
{
    return (part_label){.family = f->family, .tier = tier, .part = part, .size = size_of(f, tier, part)};
}

/* What variants the store is good for: "" if for its own only. */
static void family_of(const file_store *f, char out[64])
{
    out[0] = 0;
    if (f->base.kind == STORE_DATABASE)
        store_family(f->base.v, out);
}

/* The store is for the game of this name. */
static holos_status variant_open(file_store *f, const char *name, holos_error *err)
{
    char family[64];
    holos_status status = holos_open(name, &f->base.v, err);
    if (status != HOLOS_OK)
        return status;
    family_of(f, family);
    if (family[0] == 0)
        strcpy(family, f->base.v->name);
    f->family = hash_bytes(family, strlen(family)).lo;
    return HOLOS_OK;
}

/* ---- Opening ----------------------------------------------------------------------------------- */

static void file_close(store *s)
{
    file_store *f = file_of(s);
    for (uint32_t tier = 0; f->parts != NULL && tier <= f->manifest.facts.top; tier++) {
        uint32_t count = parts_of(f, tier);
        for (uint32_t part = 0; f->parts[tier] != NULL && part < count; part++) {
            cache_part_free(&f->parts[tier][part].cached);
            file_view_close(&f->parts[tier][part].file);
        }
        free(f->parts[tier]);
    }
    free(f->parts);
    cache_free(&f->cache);
    book_free(&f->book);
    graph_file_close(&f->graph);
    rows_discard(f->writer);
    manifest_free(&f->manifest);
    holos_close(f->base.v);
    if (f->lock >= 0)
        close(f->lock);
    free(f->folder);
    free(f);
}

static holos_status manifest_load(file_store *f, bool *there, holos_error *err)
{
    char *path = path_of(f, "manifest.json");
    text bytes;
    if (path == NULL)
        return error_system(err, "the store");
    *there = access(path, F_OK) == 0;
    holos_status status = HOLOS_OK;
    text_init(&bytes);
    if (*there)
        status = file_read(path, MANIFEST_MOST, &bytes, err);
    if (*there && status == HOLOS_OK)
        status = manifest_read(&f->manifest, bytes.data, bytes.length, path, err);
    text_free(&bytes);
    free(path);
    return status;
}

static holos_status manifest_save(file_store *f, holos_error *err)
{
    char *path = path_of(f, "manifest.json");
    text bytes;
    file_writer w;
    text_init(&bytes);
    manifest_write(&f->manifest, f->base.v, &bytes);
    holos_status status = HOLOS_OK;
    if (path == NULL || bytes.failed)
        status = error_system(err, "the manifest");
    if (status == HOLOS_OK)
        status = file_create(&w, path, err);
    if (status == HOLOS_OK) {
        file_write(&w, bytes.data, bytes.length);
        status = file_commit(&w, err);
    }
    text_free(&bytes);
    free(path);
    return status;
}

static bool ends_with(const char *s, const char *end)
{
    size_t length = strlen(s), tail = strlen(end);
    return length >= tail && strcmp(s + length - tail, end) == 0;
}

/* What there is to remove. */
typedef enum leftovers {
    LEFT_BY_KILLED,   /* temporary files of builds that were killed */
    LEFT_BY_FINISHED, /* also the parts that a finished book has no more use for */
    LEFT_ALL,         /* also what makes up the store */
} leftovers;

static bool is_left_over(const char *name, leftovers what)
{
    bool temporary = name[0] == '.' && ends_with(name, ".tmp") &&
                     (strstr(name, ".part.") != NULL || strncmp(name, ".manifest.json.", 15) == 0 ||
                      strncmp(name, "." GRAPH_FILE_NAME ".", sizeof GRAPH_FILE_NAME + 1) == 0);
    bool part = ends_with(name, ".part") || strcmp(name, GRAPH_FILE_NAME) == 0;
    return temporary || (what == LEFT_BY_FINISHED && part && !ends_with(name, "-000.part")) ||
           (what == LEFT_ALL && (part || strcmp(name, "manifest.json") == 0));
}

static void folder_clean(const file_store *f, leftovers what)
{
    DIR *folder = opendir(f->folder);
    if (folder == NULL)
        return;
    int fd = dirfd(folder);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (is_left_over(entry->d_name, what))
            unlinkat(fd, entry->d_name, 0);
    }
    closedir(folder);
}

static holos_status folder_lock(file_store *f, holos_error *err)
{
    f->lock = open(f->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (f->lock < 0)
        return error_system(err, "cannot open %s", f->folder);
    if (flock(f->lock, LOCK_EX | LOCK_NB) != 0)
        return error_set(err, HOLOS_IO, HOLOS_NOWHERE, "another process is writing to %s", f->folder);
    return HOLOS_OK;
}

/* What may lie beside a store: the record of a run, its lock, what a killed one left. */
static bool is_beside(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strcmp(name, "build.json") == 0 ||
           strncmp(name, STORE_REACHED, sizeof STORE_REACHED - 1) == 0 || ends_with(name, ".tmp") ||
           strcmp(name, ".holos-lock") == 0;
}

static bool folder_is_empty(const file_store *f)
{
    DIR *folder = opendir(f->folder);
    bool empty = true;
    if (folder == NULL)
        return false;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        empty = empty && is_beside(entry->d_name);
    closedir(folder);
    return empty;
}

/* What is in the folder decides whether the mode is right. */
static holos_status mode_check(file_store *f, const store_options *o, bool there, holos_error *err)
{
    if (!there) {
        if (folder_is_empty(f))
            return HOLOS_OK;
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "%s has files in it, but no manifest of a store; give a new folder", f->folder);
    }
    return store_may_begin(f->folder, &f->manifest.facts, o, err);
}

/* Opens the graph of a complete store for lookups. */
static holos_status graph_open(file_store *f, size_t room, holos_error *err)
{
    char *path = path_of(f, GRAPH_FILE_NAME), digest[33];
    holos_status status = path == NULL ? error_system(err, "the store")
                                       : graph_file_open(&f->graph, path, f->family, room, err);
    free(path);
    if (status != HOLOS_OK)
        return status;
    digest_format(f->graph.view.digest, digest);
    if (strcmp(digest, f->manifest.facts.digest) != 0 || f->graph.view.rows != f->manifest.facts.positions)
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s: the graph does not match the manifest",
                         f->folder);
    return HOLOS_OK;
}

/* Whether a part or a graph was made for the game of this store; false, too, if its header cannot be read. */
static bool entry_fits(const file_store *f, const char *name)
{
    char *path = path_of(f, name);
    file_view file;
    bool fits = false;
    if (path != NULL && file_view_open(&file, path, NULL) == HOLOS_OK) {
        part_view part;
        rows_view rows;
        fits = strcmp(name, GRAPH_FILE_NAME) == 0
                   ? rows_view_open(&rows, file.data, file.size, name, NULL) == HOLOS_OK &&
                         rows.family == f->family
                   : part_view_open(&part, file.data, file.size, NULL, name, NULL) == HOLOS_OK &&
                         part.label.family == f->family;
        file_view_close(&file);
    }
    free(path);
    return fits;
}

/* A manifest that cannot be read says nothing of what else lies there. Whoever begins anew needs to know only that it is a store;
 * whoever goes on needs parts of the same game: then the manifest is made again from them. */
static holos_status manifest_lost(const file_store *f, const store_options *o, const holos_error *why,
                                  holos_error *err)
{
    DIR *folder = opendir(f->folder);
    bool ours = folder != NULL, fits = ours;
    for (struct dirent *entry; ours && (entry = readdir(folder)) != NULL;) {
        const char *name = entry->d_name;
        bool part = ends_with(name, ".part") || strcmp(name, GRAPH_FILE_NAME) == 0;
        ours = part || strcmp(name, "manifest.json") == 0 || is_beside(name);
        fits = fits && (!part || entry_fits(f, name));
    }
    if (folder != NULL)
        closedir(folder);
    if (ours && (o->mode == STORE_RESTART || (o->mode == STORE_RESUME && fits)))
        return HOLOS_OK;
    return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s%s", why->message,
                     ours ? "; --restart rebuilds it" : "");
}

/* Whether a finished graph is whole. Parts show that when they are loaded. */
static bool graph_is_sound(file_store *f)
{
    holos_status status = graph_open(f, DEFAULT_CACHE, NULL);
    if (status == HOLOS_OK)
        status = graph_file_scan(&f->graph, &STORE_ALL, NULL, NULL, NULL, NULL);
    graph_file_close(&f->graph);
    return status == HOLOS_OK;
}

/* Whether a store that is there is finished, and goes as far as it is asked to. */
static bool is_finished(file_store *f, const store_options *o)
{
    const store_facts *facts = &f->manifest.facts;
    return facts->complete && facts->top >= o->top && (facts->kind != STORE_GRAPH || graph_is_sound(f));
}

/* Whoever joins sees what the first process has begun, or it is not the same folder. */
static holos_status file_join(file_store *f, const store_options *o, holos_error *err)
{
    bool there = false;
    f->base.kind = o->kind;
    holos_status status = variant_open(f, o->v->name, err);
    if (status == HOLOS_OK)
        status = manifest_load(f, &there, err);
    const store_facts *facts = &f->manifest.facts;
    if (status == HOLOS_OK && (!there || facts->kind != o->kind || strcmp(facts->variant, o->v->name) != 0))
        status = error_set(err, HOLOS_IO, HOLOS_NOWHERE, "%s is another folder here", f->folder);
    return status;
}

static holos_status file_begin(file_store *f, const store_options *o, holos_error *err)
{
    bool there = false;
    holos_error why;
    f->base.kind = o->kind;
    holos_status status = variant_open(f, o->v->name, err);
    if (status == HOLOS_OK)
        status = file_make_folder(f->folder, err);
    if (status == HOLOS_OK)
        status = folder_lock(f, err);
    if (status != HOLOS_OK)
        return status;
    status = manifest_load(f, &there, &why);
    if (status == HOLOS_BAD_FILE) {
        there = false;
        status = manifest_lost(f, o, &why, err);
    } else if (status == HOLOS_OK) {
        status = mode_check(f, o, there, err);
    } else if (err != NULL) {
        *err = why;
    }
    if (status != HOLOS_OK)
        return status;
    folder_clean(f, o->mode == STORE_RESTART ? LEFT_ALL : LEFT_BY_KILLED);
    /* A finished store that is asked for again, or for less, stays as it is. */
    if (there && o->mode == STORE_RESUME && is_finished(f, o))
        return HOLOS_OK;
    manifest_free(&f->manifest);
    f->manifest.facts = (store_facts){.kind = o->kind, .top = o->top};
    strcpy(f->manifest.facts.variant, f->base.v->name);
    manifest_sign(&f->manifest);
    family_of(f, f->manifest.facts.family);
    return manifest_save(f, err);
}

static holos_status part_open(file_store *f, uint32_t tier, uint32_t part, file_part *out, holos_error *err)
{
    part_file_name(tier, part, out->name);
    char *path = path_of(f, out->name);
    if (path == NULL)
        return error_system(err, "the store");
    holos_status status = file_view_open(&out->file, path, err);
    free(path);
    if (status != HOLOS_OK)
        return status;
    part_view view;
    part_label label = label_of(f, tier, part);
    status = part_view_open(&view, out->file.data, out->file.size, &label, out->name, err);
    if (status == HOLOS_OK && !cache_part_init(&out->cached, view, out->name))
        status = error_system(err, "the store");
    return status;
}

/* Opens the parts of a complete store for lookups. */
static holos_status parts_open(file_store *f, holos_error *err)
{
    uint64_t total = 0;
    f->parts = calloc(f->manifest.facts.top + 1, sizeof *f->parts);
    if (f->parts == NULL)
        return error_system(err, "the store");
    f->manifest.facts.bytes = 0;
    for (uint32_t tier = 0; tier <= f->manifest.facts.top; tier++) {
        uint32_t count = parts_of(f, tier);
        f->parts[tier] = calloc(count, sizeof **f->parts);
        if (f->parts[tier] == NULL)
            return error_system(err, "the store");
        for (uint32_t part = 0; part < count; part++) {
            holos_status status = part_open(f, tier, part, &f->parts[tier][part], err);
            if (status != HOLOS_OK)
                return error_prefix(err, "%s: ", f->folder);
            f->manifest.facts.bytes += f->parts[tier][part].file.size;
            total += f->parts[tier][part].cached.view.label.size;
        }
    }
    cache_begin(&f->cache, total);
    return HOLOS_OK;
}

static holos_status digests_compare(const file_store *f, holos_error *err)
{
    const manifest *m = &f->manifest;
    for (size_t i = 0; i < m->part_count; i++) {
        const manifest_part *p = &m->parts[i];
        if (p->tier > m->facts.top || p->part >= parts_of(f, p->tier) ||
            !holos_key_equal(p->digest, f->parts[p->tier][p->part].cached.view.digest))
            return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                             "%s: part %u of tier %u does not match the manifest", f->folder, p->part,
                             p->tier);
    }
    return HOLOS_OK;
}

/* Adds a ply from its part. */
static holos_status ply_load(const file_part *p, book *b, holos_error *err)
{
    const part_view *view = &p->cached.view;
    uint8_t *bytes = malloc(view->label.size + 1);
    if (bytes == NULL)
        return error_system(err, "the book");
    holos_status status = part_read(view, bytes, p->name, err);
    if (status == HOLOS_OK)
        status = book_ply_decode(b, bytes, view->label.size, p->name, err);
    free(bytes);
    return status;
}

static holos_status book_load(file_store *f, holos_error *err)
{
    holos_status status = HOLOS_OK;
    for (uint32_t ply = 0; status == HOLOS_OK && ply <= f->manifest.facts.top; ply++) {
        assert(f->parts[ply] != NULL); /* parts_open has opened them */
        status = ply_load(&f->parts[ply][0], &f->book, err);
    }
    return status == HOLOS_OK ? status : error_prefix(err, "%s: ", f->folder);
}

static bool manifest_fits(const file_store *f)
{
    const store_facts *facts = &f->manifest.facts;
    const holos_index *index = f->base.v->game->index;
    if (facts->kind == STORE_BOOK)
        return true;
    if (facts->kind == STORE_GRAPH)
        return f->base.v->game->from_identity != NULL;
    return index != NULL && facts->top < index->tiers(f->base.v);
}

static holos_status file_read_begin(file_store *f, const store_options *o, holos_error *err)
{
    bool there = false;
    holos_status status = manifest_load(f, &there, err);
    if (status != HOLOS_OK)
        return status;
    store_facts *facts = &f->manifest.facts;
    if (!there)
        return error_set(err, HOLOS_IO, HOLOS_NOWHERE, "%s holds no store (no manifest.json)", f->folder);
    /* A variant of the same family serves as well, and may know more positions. */
    if (o->v != NULL && store_fits(facts->family, facts->variant, o->v, err) != HOLOS_OK)
        return error_prefix(err, "%s: ", f->folder);
    f->base.kind = facts->kind;
    if (variant_open(f, facts->variant, err) != HOLOS_OK || !manifest_fits(f))
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s: its manifest does not match its game",
                         f->folder);
    if (!facts->complete)
        return HOLOS_OK;
    if (facts->kind == STORE_GRAPH)
        return graph_open(f, o->cache != 0 ? o->cache : DEFAULT_CACHE, err);
    status = parts_open(f, err);
    if (status == HOLOS_OK)
        status = digests_compare(f, err);
    if (status == HOLOS_OK && facts->kind == STORE_BOOK)
        status = book_load(f, err);
    return status;
}

static holos_status file_open(const char *location, const store_options *o, store **out, holos_error *err)
{
    file_store *f = calloc(1, sizeof *f);
    char *folder = strdup(location);
    if (f == NULL || folder == NULL) {
        free(f);
        free(folder);
        return error_system(err, "the store");
    }
    f->base.backend = &store_file;
    f->lock = -1;
    f->folder = folder;
    cache_init(&f->cache, o->cache != 0 ? o->cache : DEFAULT_CACHE);
    holos_status status = o->mode == STORE_READ   ? file_read_begin(f, o, err)
                          : o->mode == STORE_JOIN ? file_join(f, o, err)
                                                  : file_begin(f, o, err);
    if (status != HOLOS_OK) {
        file_close(&f->base);
        return status;
    }
    *out = &f->base;
    return HOLOS_OK;
}

/* ---- Parts ------------------------------------------------------------------------------------- */

static bool file_has(store *s, uint32_t tier, uint32_t part)
{
    char name[32];
    part_file_name(tier, part, name);
    char *path = path_of(file_of(s), name);
    bool there = path != NULL && access(path, F_OK) == 0;
    free(path);
    return there;
}

static holos_status file_load(store *s, uint32_t tier, uint32_t part, uint8_t *bytes, uint64_t size,
                              holos_error *err)
{
    file_store *f = file_of(s);
    file_part p = {0};
    holos_error own = {0};
    err = err != NULL ? err : &own;
    holos_status status = part_open(f, tier, part, &p, err);
    if (status == HOLOS_OK && p.cached.view.label.size != size)
        status = error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s has the wrong size", p.name);
    if (status == HOLOS_OK)
        status = part_read(&p.cached.view, bytes, p.name, err);
    cache_part_free(&p.cached);
    file_view_close(&p.file);
    return status == HOLOS_OK ? status : error_prefix(err, "%s: ", f->folder);
}

static holos_status file_save(store *s, uint32_t tier, uint32_t part, const uint8_t *bytes, uint64_t size,
                              holos_error *err)
{
    file_store *f = file_of(s);
    char name[32];
    part_file_name(tier, part, name);
    char *path = path_of(f, name);
    if (path == NULL)
        return error_system(err, "the store");
    part_label label = label_of(f, tier, part);
    part_written written;
    label.size = size;
    holos_status status = part_write(path, &label, bytes, &written, err);
    if (status == HOLOS_OK)
        s->written += written.file_size;
    free(path);
    return status;
}

static holos_status file_byte(store *s, holos_place place, uint8_t *out, holos_error *err)
{
    file_store *f = file_of(s);
    *out = HOLOS_BYTE_UNKNOWN;
    if (f->parts == NULL || place.tier > f->manifest.facts.top || s->kind != STORE_DATABASE)
        return HOLOS_OK;
    return cache_byte(&f->cache, &f->parts[place.tier][place.part].cached, place.index, out, err);
}

static const book *file_book(store *s)
{
    file_store *f = file_of(s);
    return s->kind == STORE_BOOK && f->parts != NULL ? &f->book : NULL;
}

/* How many positions a part has. */
static holos_status part_positions(const file_store *f, const file_part *p, uint64_t *out, holos_error *err)
{
    book b;
    holos_status status = HOLOS_OK;
    *out = p->cached.view.label.size;
    if (f->base.kind != STORE_BOOK)
        return HOLOS_OK;
    book_init(&b, NULL);
    status = ply_load(p, &b, err);
    *out = book_positions(&b);
    book_free(&b);
    return status;
}

/* The digest of a database is that of its parts' digests, in order. */
static holos_status manifest_collect(file_store *f, holos_error *err)
{
    manifest *m = &f->manifest;
    size_t count = 0;
    free(m->parts);
    m->part_count = 0;
    m->facts.positions = 0;
    for (uint32_t tier = 0; tier <= m->facts.top; tier++)
        count += parts_of(f, tier);
    m->parts = calloc(count, sizeof *m->parts);
    holos_key *digests = calloc(count, sizeof *digests);
    if (m->parts == NULL || digests == NULL) {
        free(digests);
        return error_system(err, "the manifest");
    }
    holos_status status = HOLOS_OK;
    for (uint32_t tier = 0; status == HOLOS_OK && tier <= m->facts.top; tier++) {
        for (uint32_t part = 0; status == HOLOS_OK && part < parts_of(f, tier); part++) {
            file_part p = {0};
            uint64_t positions = 0;
            status = part_open(f, tier, part, &p, err);
            if (status == HOLOS_OK)
                status = part_positions(f, &p, &positions, err);
            if (status == HOLOS_OK) {
                const part_view *view = &p.cached.view;
                digests[m->part_count] = view->digest;
                m->parts[m->part_count++] = (manifest_part){.tier = tier,
                                                            .part = part,
                                                            .positions = positions,
                                                            .bytes = p.file.size,
                                                            .digest = view->digest};
                m->facts.positions += positions;
            }
            cache_part_free(&p.cached);
            file_view_close(&p.file);
        }
    }
    if (status == HOLOS_OK)
        digest_format(hash_bytes(digests, count * sizeof *digests), m->facts.digest);
    free(digests);
    return status;
}

/* ---- Graphs ------------------------------------------------------------------------------------ */

static holos_status writer_open(file_store *f, holos_error *err)
{
    if (f->writer != NULL)
        return HOLOS_OK;
    char *path = path_of(f, GRAPH_FILE_NAME);
    holos_status status =
        path == NULL ? error_system(err, "the store") : rows_create(path, f->family, &f->writer, err);
    free(path);
    return status;
}

/* A finished graph that is asked for again stays as it is. */
static holos_status file_put_rows(store *s, const holos_row *rows, size_t count, holos_error *err)
{
    file_store *f = file_of(s);
    if (f->manifest.facts.complete)
        return HOLOS_OK;
    holos_status status = writer_open(f, err);
    return status == HOLOS_OK ? rows_put(f->writer, rows, count, err) : status;
}

static holos_status file_put_packed(store *s, const unsigned char *bytes, size_t size, uint64_t *rows,
                                    holos_error *err)
{
    file_store *f = file_of(s);
    *rows = 0;
    if (f->manifest.facts.complete)
        return HOLOS_OK;
    holos_status status = writer_open(f, err);
    return status == HOLOS_OK ? rows_put_packed(f->writer, bytes, size, rows, err) : status;
}

static holos_status file_get(store *s, const holos_key *identities, size_t count, holos_row *out, bool *found,
                             holos_error *err)
{
    file_store *f = file_of(s);
    holos_status status = HOLOS_OK;
    for (size_t i = 0; i < count; i++)
        found[i] = false;
    for (size_t i = 0; f->graph.path != NULL && status == HOLOS_OK && i < count; i++)
        status = graph_file_find(&f->graph, identities[i], &out[i], &found[i], err);
    return status;
}

static holos_status file_scan(store *s, const store_range *range, store_row_visit *visit, void *context,
                              holos_error *err)
{
    file_store *f = file_of(s);
    return f->graph.path != NULL ? graph_file_scan(&f->graph, range, visit, context, NULL, err) : HOLOS_OK;
}

static holos_status graph_finish(file_store *f, holos_error *err)
{
    rows_written written;
    holos_status status = writer_open(f, err);
    if (status != HOLOS_OK)
        return status;
    status = rows_finish(f->writer, &written, err);
    f->writer = NULL;
    f->manifest.facts.positions = written.rows;
    if (status == HOLOS_OK)
        digest_format(written.digest, f->manifest.facts.digest);
    return status;
}

/* ---- All of it --------------------------------------------------------------------------------- */

static holos_status file_finish(store *s, holos_error *err)
{
    file_store *f = file_of(s);
    if (f->manifest.facts.complete && s->kind == STORE_GRAPH)
        return HOLOS_OK;
    /* Parts of a finished store may have been damaged and made again, or its manifest be wrong about them. */
    holos_status status = s->kind == STORE_GRAPH ? graph_finish(f, err) : manifest_collect(f, err);
    if (status != HOLOS_OK)
        return status;
    f->manifest.facts.complete = true;
    status = manifest_save(f, err);
    if (status == HOLOS_OK && s->kind == STORE_BOOK)
        folder_clean(f, LEFT_BY_FINISHED);
    return status;
}

/* Of a file in the folder; 0 if it is not there. */
static uint64_t file_bytes(const file_store *f, const char *name)
{
    struct stat st;
    char *path = path_of(f, name);
    bool there = path != NULL && stat(path, &st) == 0;
    free(path);
    return there ? (uint64_t)st.st_size : 0;
}

static void file_facts(store *s, store_facts *out)
{
    file_store *f = file_of(s);
    *out = f->manifest.facts;
    out->parts = out->parts_expected = 0;
    if (!out->complete)
        out->positions = 0;
    out->bytes = 0;
    if (s->kind == STORE_GRAPH) {
        out->bytes = file_bytes(f, GRAPH_FILE_NAME);
        return;
    }
    for (uint32_t tier = 0; tier <= out->top; tier++) {
        for (uint32_t part = 0; part < parts_of(f, tier); part++) {
            char name[32];
            part_file_name(tier, part, name);
            uint64_t bytes = file_bytes(f, name);
            out->parts_expected++;
            out->parts += bytes > 0;
            out->bytes += bytes;
            if (bytes > 0 && !out->complete)
                out->positions += size_of(f, tier, part);
        }
    }
}

static holos_status file_check(store *s, const holos_stop *stop, holos_error *err)
{
    file_store *f = file_of(s);
    if (s->kind == STORE_GRAPH)
        return f->graph.path != NULL ? graph_file_scan(&f->graph, &STORE_ALL, NULL, NULL, stop, err)
                                     : HOLOS_OK;
    uint8_t *bytes = malloc(PART_BLOCK);
    if (bytes == NULL)
        return error_system(err, "verification");
    holos_status status = HOLOS_OK;
    for (uint32_t tier = 0; status == HOLOS_OK && f->parts != NULL && tier <= f->manifest.facts.top; tier++) {
        for (uint32_t part = 0; status == HOLOS_OK && part < parts_of(f, tier); part++) {
            const cache_part *p = &f->parts[tier][part].cached;
            if (p->view.block_size > PART_BLOCK)
                status =
                    error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s: blocks of an unknown size", p->name);
            for (uint64_t block = 0; status == HOLOS_OK && block < p->view.block_count; block++) {
                status = part_block_read(&p->view, block, bytes, p->name, err);
                if (status == HOLOS_OK && holos_stop_asked(stop))
                    status = error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
            }
        }
    }
    free(bytes);
    return status;
}

const store_backend store_file = {
    .scheme = "file",
    .summary = "file:DIR",
    .can = STORE_DATABASES | STORE_GRAPHS | STORE_BOOKS | STORE_ATOMIC | STORE_JOINS,
    .open = file_open,
    .close = file_close,
    .facts = file_facts,
    .finish = file_finish,
    .check = file_check,
    .has = file_has,
    .load = file_load,
    .save = file_save,
    .byte = file_byte,
    .book = file_book,
    .put = file_put_rows,
    .put_packed = file_put_packed,
    .get = file_get,
    .scan = file_scan,
};
