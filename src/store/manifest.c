/* SPDX-License-Identifier: MIT */

#include "store/manifest.h"

#include "core/hash.h"
#include "core/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void digest_format(holos_key digest, char out[33])
{
    snprintf(out, 33, "%016llx%016llx", (unsigned long long)digest.hi, (unsigned long long)digest.lo);
}

bool digest_parse(const char *s, holos_key *out)
{
    if (s == NULL || strlen(s) != 32 || strspn(s, "0123456789abcdef") != 32)
        return false;
    char half[17] = "";
    memcpy(half, s, 16);
    out->hi = strtoull(half, NULL, 16);
    out->lo = strtoull(s + 16, NULL, 16);
    return true;
}

#define CHECKSUM_FIELD "checksum" /* the last one: of all bytes before it */

/* ---- Writing ----------------------------------------------------------------------------------- */

void manifest_sign(manifest *m)
{
    snprintf(m->facts.writer, sizeof m->facts.writer, "holos %s", holos_version());
}

void manifest_write(const manifest *m, const holos_variant *v, text *out)
{
    size_t begun = out->length;
    json j = json_begin(out);
    json_open(&j, NULL, '{');
    json_put_string(&j, "format", "holos store");
    json_put_int(&j, "version", MANIFEST_VERSION);
    json_put_string(&j, "kind", store_kind_name(m->facts.kind));
    json_put_string(&j, "game", v->game->name);
    json_put_string(&j, "variant", m->facts.variant);
    json_put_string(&j, "family", m->facts.family);
    if (m->facts.writer[0] != 0)
        json_put_string(&j, "writer", m->facts.writer);
    json_put_bool(&j, "complete", m->facts.complete);
    if (m->facts.kind != STORE_GRAPH) {
        bool plies = m->facts.kind == STORE_BOOK;
        json_put_string(&j, "tiers", plies ? "plies" : v->game->index->tier_unit);
        json_put_uint(&j, "top", m->facts.top);
        json_put_string(&j, "values",
                        "one byte a position: 128 + value of what is still to come, for the side to move");
    }
    if (m->facts.complete) {
        json_put_uint(&j, "positions", m->facts.positions);
        if (m->facts.digest[0] != 0)
            json_put_string(&j, "digest", m->facts.digest);
    }
    if (m->facts.complete && m->parts != NULL) {
        json_open(&j, "parts", '[');
        for (size_t i = 0; i < m->part_count; i++) {
            char digest[33];
            digest_format(m->parts[i].digest, digest);
            text_string(out, i > 0 ? "" : "\n");
            json_open(&j, NULL, '{');
            json_put_uint(&j, "tier", m->parts[i].tier);
            json_put_uint(&j, "part", m->parts[i].part);
            json_put_uint(&j, "positions", m->parts[i].positions);
            json_put_uint(&j, "bytes", m->parts[i].bytes);
            json_put_string(&j, "digest", digest);
            json_close(&j);
        }
        json_close(&j);
    }
    if (!out->failed) {
        char checksum[33];
        digest_format(hash_bytes(out->data + begun, out->length - begun), checksum);
        json_put_string(&j, CHECKSUM_FIELD, checksum);
    }
    json_close(&j);
    text_char(out, '\n');
}

/* ---- Reading ----------------------------------------------------------------------------------- */

static holos_status bad(const char *name, const char *what, holos_error *err)
{
    return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s is not the manifest of a store: %s", name, what);
}

static bool copy_string(const json_t *root, const char *field, char *out, size_t size)
{
    const char *s = json_string_value(json_object_get(root, field));
    if (s == NULL || strlen(s) >= size)
        return false;
    strcpy(out, s);
    return true;
}

static bool get_number(const json_t *root, const char *field, uint64_t most, uint64_t *out)
{
    const json_t *value = json_object_get(root, field);
    if (!json_is_integer(value) || json_integer_value(value) < 0 ||
        (uint64_t)json_integer_value(value) > most)
        return false;
    *out = (uint64_t)json_integer_value(value);
    return true;
}

static bool read_kind(const char *name, store_kind *out)
{
    for (store_kind kind = STORE_DATABASE; kind <= STORE_BOOK; kind++)
        if (strcmp(name, store_kind_name(kind)) == 0) {
            *out = kind;
            return true;
        }
    return false;
}

static bool read_part(const json_t *entry, manifest_part *out)
{
    uint64_t tier, part;
    if (!get_number(entry, "tier", UINT32_MAX, &tier) || !get_number(entry, "part", UINT32_MAX, &part))
        return false;
    out->tier = (uint32_t)tier;
    out->part = (uint32_t)part;
    return get_number(entry, "positions", INT64_MAX, &out->positions) &&
           get_number(entry, "bytes", INT64_MAX, &out->bytes) &&
           digest_parse(json_string_value(json_object_get(entry, "digest")), &out->digest);
}

static holos_status read_parts(manifest *m, const json_t *list, const char *name, holos_error *err)
{
    if (list == NULL)
        return HOLOS_OK;
    m->parts = calloc(json_array_size(list) + 1, sizeof *m->parts);
    if (m->parts == NULL)
        return error_system(err, "the manifest");
    m->part_count = json_array_size(list);
    for (size_t i = 0; i < m->part_count; i++)
        if (!read_part(json_array_get(list, i), &m->parts[i]))
            return bad(name, "its list of parts cannot be read", err);
    return HOLOS_OK;
}

static holos_status read_fields(manifest *m, const json_t *root, const char *name, holos_error *err)
{
    char format[32], kind[16];
    uint64_t number;
    if (!copy_string(root, "format", format, sizeof format) || strcmp(format, "holos store") != 0)
        return bad(name, "\"format\" is not \"holos store\"", err);
    if (!get_number(root, "version", INT32_MAX, &number) || number != MANIFEST_VERSION)
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                         "%s has another format version; this program reads version %d", name,
                         MANIFEST_VERSION);
    if (!copy_string(root, "kind", kind, sizeof kind) ||
        !copy_string(root, "variant", m->facts.variant, 64) ||
        !copy_string(root, "family", m->facts.family, 64))
        return bad(name, "\"kind\", \"variant\" or \"family\" is missing", err);
    if (!read_kind(kind, &m->facts.kind))
        return bad(name, "its kind is unknown", err);
    if (!json_is_boolean(json_object_get(root, "complete")))
        return bad(name, "\"complete\" is missing", err);
    m->facts.complete = json_is_true(json_object_get(root, "complete"));
    if (m->facts.kind != STORE_GRAPH) {
        if (!get_number(root, "top", 1 << 20, &number))
            return bad(name, "\"top\" is missing", err);
        m->facts.top = (uint32_t)number;
    }
    if (m->facts.complete && !get_number(root, "positions", INT64_MAX, &m->facts.positions))
        return bad(name, "\"positions\" is missing", err);
    copy_string(root, "digest", m->facts.digest, sizeof m->facts.digest);
    copy_string(root, "writer", m->facts.writer, sizeof m->facts.writer);
    return read_parts(m, json_object_get(root, "parts"), name, err);
}

/* Stores that were made before there was one do not have it. */
static bool checksum_fits(const char *bytes, size_t size, const json_t *root)
{
    static const char field[] = ",\"" CHECKSUM_FIELD "\":";
    const char *expected = json_string_value(json_object_get(root, CHECKSUM_FIELD)), *at = NULL;
    if (expected == NULL)
        return true;
    for (size_t i = size; i > sizeof field && at == NULL; i--)
        if (memcmp(bytes + i - sizeof field, field, sizeof field - 1) == 0)
            at = bytes + i - sizeof field;
    holos_key digest;
    return at != NULL && digest_parse(expected, &digest) &&
           holos_key_equal(digest, hash_bytes(bytes, (size_t)(at - bytes)));
}

holos_status manifest_read(manifest *m, const char *bytes, size_t size, const char *name, holos_error *err)
{
    memset(m, 0, sizeof *m);
    json_t *root = json_read(bytes, size, err);
    if (root == NULL)
        return bad(name, "it is not JSON", err);
    holos_status status = read_fields(m, root, name, err);
    if (status == HOLOS_OK && !checksum_fits(bytes, size, root))
        status =
            error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s is damaged: its checksum does not fit", name);
    json_decref(root);
    if (status != HOLOS_OK)
        manifest_free(m);
    return status;
}

void manifest_free(manifest *m)
{
    free(m->parts);
    memset(m, 0, sizeof *m);
}
