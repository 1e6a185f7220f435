/* SPDX-License-Identifier: MIT */

#include "store/parquet_file.h"

#include "core/file.h"
#include "core/hash.h"
#include "core/json.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOTE_MOST ((size_t)16 << 20)

char *parquet_note_path(const char *path)
{
    size_t length = strlen(path);
    char *note = strdup(path);
    assert(length > 8 && strcmp(path + length - 8, ".parquet") == 0);
    if (note != NULL)
        strcpy(note + length - 8, ".json");
    return note;
}

static void key_put(json *j, const char *name, holos_key key)
{
    char words[33];
    digest_format(key, words);
    json_put_string(j, name, words);
}

static void note_write(const file_view *file, holos_key digest, const tabular_block *blocks, size_t count,
                       text *out)
{
    json j = json_begin(out);
    json_open(&j, NULL, '{');
    json_put_uint(&j, "bytes", file->size);
    key_put(&j, "checksum", hash_bytes(file->data, file->size));
    key_put(&j, "digest", digest);
    json_open(&j, "blocks", '[');
    for (size_t i = 0; i < count; i++) {
        text_char(out, '\n');
        json_open(&j, NULL, '{');
        key_put(&j, "first", blocks[i].first);
        json_put_uint(&j, "rows", blocks[i].rows);
        key_put(&j, "digest", blocks[i].digest);
        json_close(&j);
    }
    json_close(&j);
    json_close(&j);
    text_char(out, '\n');
}

holos_status parquet_file_note(const char *path, holos_key digest, const tabular_block *blocks, size_t count,
                               holos_error *err)
{
    char *note = parquet_note_path(path);
    file_view file;
    text words;
    holos_status status = note == NULL ? error_system(err, "the store") : file_view_open(&file, path, err);
    if (status == HOLOS_OK) {
        text_init(&words);
        note_write(&file, digest, blocks, count, &words);
        status =
            words.failed ? error_system(err, "the store") : file_put(note, words.data, words.length, err);
        text_free(&words);
        file_view_close(&file);
    }
    free(note);
    return status;
}

static bool key_get(const json_t *from, const char *name, holos_key *out)
{
    return digest_parse(json_string_value(json_object_get(from, name)), out);
}

static bool blocks_get(parquet_file *f, const json_t *list)
{
    f->blocks = calloc(json_array_size(list) + 1, sizeof *f->blocks);
    f->block_count = f->blocks != NULL ? json_array_size(list) : 0;
    bool good = f->blocks != NULL;
    for (size_t i = 0; good && i < f->block_count; i++) {
        const json_t *entry = json_array_get(list, i);
        json_int_t rows = json_integer_value(json_object_get(entry, "rows"));
        f->blocks[i].rows = rows > 0 && rows <= ROWS_BLOCK ? (uint32_t)rows : 0;
        good = f->blocks[i].rows > 0 && key_get(entry, "first", &f->blocks[i].first) &&
               key_get(entry, "digest", &f->blocks[i].digest);
    }
    return good;
}

holos_status parquet_file_read(parquet_file *f, const char *path, bool *there, holos_error *err)
{
    *f = (parquet_file){.path = strdup(path)};
    char *note = parquet_note_path(path);
    text words;
    text_init(&words);
    *there = false;
    holos_status status = note == NULL || f->path == NULL ? error_system(err, "the store") : HOLOS_OK;
    if (status == HOLOS_OK && access(path, F_OK) == 0 &&
        file_read(note, NOTE_MOST, &words, NULL) == HOLOS_OK) {
        json_t *root = json_read(words.data, words.length, NULL);
        json_int_t bytes = json_integer_value(json_object_get(root, "bytes"));
        f->bytes = bytes > 0 ? (uint64_t)bytes : 0;
        *there = root != NULL && bytes > 0 && key_get(root, "checksum", &f->checksum) &&
                 key_get(root, "digest", &f->digest) && blocks_get(f, json_object_get(root, "blocks"));
        json_decref(root);
    }
    text_free(&words);
    free(note);
    if (!*there)
        parquet_file_free(f);
    return status;
}

holos_status parquet_file_check(parquet_file *f, holos_error *err)
{
    file_view file;
    if (f->good)
        return HOLOS_OK;
    holos_status status = file_view_open(&file, f->path, err);
    if (status != HOLOS_OK)
        return status;
    f->good = file.size == f->bytes && holos_key_equal(f->checksum, hash_bytes(file.data, file.size));
    file_view_close(&file);
    return f->good ? HOLOS_OK
                   : error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                               "%s is damaged: it has changed since it was written", f->path);
}

void parquet_file_free(parquet_file *f)
{
    free(f->path);
    free(f->blocks);
    *f = (parquet_file){0};
}
