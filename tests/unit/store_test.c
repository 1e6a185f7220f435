/* SPDX-License-Identifier: MIT */

/* Stores: part files that find every flipped bit, a cache that forgets, databases that come back
 * as they went in, and words for everything that is not as it should be. */

#include "unit.h"

#include "core/file.h"
#include "core/rng.h"
#include "session/build.h"
#include "store/cache.h"
#include "store/manifest.h"

#include <holos/store.h>

#include <sys/stat.h>

static const part_label label = {.family = 77, .tier = 5, .part = 2, .size = 3 * PART_BLOCK + 1234};

static uint8_t *bytes_make(void)
{
    rng random;
    rng_init(&random, 3, 0);
    uint8_t *bytes = malloc(label.size);
    for (size_t i = 0; i < label.size; i++)
        bytes[i] = (uint8_t)(120 + rng_below(&random, 16));
    return bytes;
}

/* ---- Part files -------------------------------------------------------------------------------- */

static void test_a_part_comes_back(void **state)
{
    (void)state;
    char folder[64];
    holos_error err;
    part_written written;
    part_view view;
    file_view file;
    unit_make_folder(folder);
    uint8_t *bytes = bytes_make(), *back = malloc(label.size);
    const char *path = unit_path(folder, "a.part");
    assert_ok(part_write(path, &label, bytes, &written, &err), err);
    assert_int_equal(unit_count_names(folder), 1);
    assert_ok(file_view_open(&file, path, &err), err);
    assert_int_equal(file.size, written.file_size);
    assert_ok(part_view_open(&view, file.data, file.size, &label, "a.part", &err), err);
    assert_int_equal(view.block_count, 4);
    assert_int_equal(part_block_size(&view, 3), 1234);
    assert_ok(part_read(&view, back, "a.part", &err), err);
    assert_memory_equal(bytes, back, label.size);
    memset(back, 0, label.size);
    assert_ok(part_block_read(&view, 2, back, "a.part", &err), err);
    assert_memory_equal(bytes + 2 * PART_BLOCK, back, PART_BLOCK);
    file_view_close(&file);
    free(bytes);
    free(back);
    unit_remove_folder(folder);
}

static void test_an_empty_part_comes_back(void **state)
{
    (void)state;
    char folder[64];
    holos_error err;
    part_written written;
    part_view view;
    file_view file;
    part_label none = {.family = 1};
    unit_make_folder(folder);
    assert_ok(part_write(unit_path(folder, "none"), &none, NULL, &written, &err), err);
    assert_ok(file_view_open(&file, unit_path(folder, "none"), &err), err);
    assert_ok(part_view_open(&view, file.data, file.size, &none, "none", &err), err);
    assert_int_equal(view.block_count, 0);
    file_view_close(&file);
    unit_remove_folder(folder);
}

static bool part_is_sound(const unsigned char *data, size_t size, uint8_t *room)
{
    part_view view;
    return part_view_open(&view, data, size, &label, "part", NULL) == HOLOS_OK &&
           part_read(&view, room, "part", NULL) == HOLOS_OK;
}

static void test_every_flipped_bit_is_found(void **state)
{
    (void)state;
    char folder[64];
    holos_error err;
    part_written written;
    text file;
    rng random;
    unit_make_folder(folder);
    uint8_t *bytes = bytes_make(), *room = malloc(label.size);
    assert_ok(part_write(unit_path(folder, "p"), &label, bytes, &written, &err), err);
    text_init(&file);
    assert_ok(file_read(unit_path(folder, "p"), 0, &file, &err), err);
    unsigned char *data = (unsigned char *)file.data;
    assert_true(part_is_sound(data, file.length, room));
    rng_init(&random, 1, 0);
    /* All of the header, table and footer, and a sample of the blocks. */
    size_t tail = file.length - 48 - 4 * 16;
    for (size_t i = 0; i < 64 + (file.length - tail) + 500; i++) {
        size_t at = i < 64                        ? i
                    : i < 64 + file.length - tail ? tail + i - 64
                                                  : rng_below(&random, file.length);
        for (unsigned bit = i < 600 ? 0 : 7; bit < 8; bit++) {
            data[at] ^= (unsigned char)(1 << bit);
            if (part_is_sound(data, file.length, room))
                fail_msg("bit %u of byte %zu flipped unseen", bit, at);
            data[at] ^= (unsigned char)(1 << bit);
        }
    }
    for (size_t length = 0; length < file.length; length += length < 200 ? 1 : 997)
        assert_false(part_is_sound(data, length, room));
    text_free(&file);
    free(bytes);
    free(room);
    unit_remove_folder(folder);
}

static void test_a_part_of_something_else_is_refused(void **state)
{
    (void)state;
    char folder[64];
    holos_error err;
    part_written written;
    part_view view;
    file_view file;
    unit_make_folder(folder);
    uint8_t *bytes = bytes_make();
    assert_ok(part_write(unit_path(folder, "p"), &label, bytes, &written, &err), err);
    assert_ok(file_view_open(&file, unit_path(folder, "p"), &err), err);
    part_label other = label;
    other.family++;
    assert_fails(part_view_open(&view, file.data, file.size, &other, "p", &err), err, HOLOS_BAD_FILE,
                 "other rules");
    other = label;
    other.tier++;
    assert_fails(part_view_open(&view, file.data, file.size, &other, "p", &err), err, HOLOS_BAD_FILE,
                 "tier 5");
    assert_fails(part_view_open(&view, "HOLOSDB1", 8, NULL, "p", &err), err, HOLOS_BAD_FILE, "not a part");
    file_view_close(&file);
    free(bytes);
    unit_remove_folder(folder);
}

static void test_a_small_cache_forgets_and_reads_again(void **state)
{
    (void)state;
    char folder[64];
    holos_error err;
    part_written written;
    part_view view;
    file_view file;
    cache c;
    cache_part p;
    rng random;
    unit_make_folder(folder);
    uint8_t *bytes = bytes_make();
    assert_ok(part_write(unit_path(folder, "p"), &label, bytes, &written, &err), err);
    assert_ok(file_view_open(&file, unit_path(folder, "p"), &err), err);
    assert_ok(part_view_open(&view, file.data, file.size, &label, "p", &err), err);
    cache_init(&c, 2 * PART_BLOCK);
    assert_true(cache_part_init(&p, view, "p"));
    cache_begin(&c, label.size);
    assert_false(c.keeps_all);
    rng_init(&random, 9, 0);
    for (int i = 0; i < 2000; i++) {
        uint64_t index = rng_below(&random, label.size);
        uint8_t byte;
        assert_ok(cache_byte(&c, &p, index, &byte, &err), err);
        assert_int_equal(byte, bytes[index]);
        assert_true(c.held <= c.limit);
    }
    cache_part_free(&p);
    cache_free(&c);
    file_view_close(&file);
    free(bytes);
    unit_remove_folder(folder);
}

/* ---- Manifests --------------------------------------------------------------------------------- */

static void test_manifests_that_are_none(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", "not JSON"},
        {"{\"format\":\"x\"}", "format"},
        {"{\"format\":\"holos store\",\"version\":99}", "version 1"},
        {"{\"format\":\"holos store\",\"version\":1}", "missing"},
        {"{\"format\":\"holos store\",\"version\":1,\"kind\":\"soup\",\"variant\":\"a\",\"family\":\"b\"}",
         "kind"},
        {"{\"format\":\"holos "
         "store\",\"version\":1,\"kind\":\"database\",\"variant\":\"a\",\"family\":\"b\"}",
         "complete"},
        {"{\"format\":\"holos store\",\"version\":1,\"kind\":\"database\",\"variant\":\"a\",\"family\":\"b\","
         "\"complete\":false}",
         "top"},
        {"{\"format\":\"holos store\",\"version\":1,\"kind\":\"database\",\"variant\":\"a\",\"family\":\"b\","
         "\"complete\":false,\"top\":3,\"parts\":[{\"tier\":-1}]}",
         "parts"},
        {"{\"format\":\"holos store\",\"version\":1,\"kind\":\"database\",\"variant\":\"a\",\"family\":\"b\","
         "\"complete\":false,\"top\":3,\"checksum\":\"00000000000000000000000000000000\"}",
         "checksum"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        holos_error err;
        manifest m;
        assert_fails(manifest_read(&m, cases[i].text, strlen(cases[i].text), "m", &err), err, HOLOS_BAD_FILE,
                     cases[i].words);
    }
}

/* ---- Databases --------------------------------------------------------------------------------- */

static holos_status build(const char *game, const char *url, uint32_t top, store_mode mode, holos_error *err)
{
    holos_variant *v;
    build_report report;
    assert_ok(holos_open(game, &v, err), *err);
    build_request b = {.v = v, .url = url, .mode = mode, .top = top, .threads = 2, .memory = 256 << 20};
    holos_status status = build_database(&b, &report, err);
    build_report_free(&report);
    holos_close(v);
    return status;
}

static store *open_store(const char *url, const holos_variant *v)
{
    holos_error err;
    store *s;
    store_options o = {.mode = STORE_READ, .v = v};
    assert_ok(store_open(url, &o, &s, &err), err);
    return s;
}

static holos_status derive_all(store *s, uint64_t *done, holos_error *err)
{
    pool *threads;
    assert_ok(pool_open(2, &threads, err), *err);
    store_derivation how = {.seed = 1, .threads = threads};
    holos_status status = store_derive(s, &how, done, err);
    pool_close(threads);
    return status;
}

static void url_in(const char *folder, const char *scheme, const char *name, char out[128])
{
    snprintf(out, 128, "%s:%s/%s", scheme, folder, name);
}

/* Both kinds of store give back what plain tables hold. */
static void test_databases_come_back(void **state)
{
    (void)state;
    char folder[64], url[128];
    holos_error err;
    unit_make_folder(folder);
    for (int kind = 0; kind < 2; kind++) {
        url_in(folder, kind == 0 ? "file" : "sqlite", kind == 0 ? "db" : "db.sqlite", url);
        assert_ok(build("kalah:3,2", url, 9, STORE_CREATE, &err), err);
        store *s = open_store(url, NULL);
        store_facts facts;
        s->backend->facts(s, &facts);
        assert_true(facts.complete);
        assert_int_equal(facts.positions, 5005);
        assert_int_equal(facts.top, 9);
        uint64_t done;
        assert_ok(s->backend->check(s, NULL, &err), err);
        assert_ok(derive_all(s, &done, &err), err);
        assert_int_equal(done, 5005);
        holos_position *p = holos_position_new(s->v);
        int32_t score = 0;
        bool found;
        assert_ok(holos_parse(s->v, "0,0,1,4/1,0,0,6 1", p, &err), err);
        assert_ok(store_score(s, p, &score, &found, &err), err);
        assert_true(found);
        assert_int_equal(score, -2 + 1 - 1); /* banked -2; one seed each */
        assert_ok(holos_parse(s->v, "start", p, &err), err);
        assert_ok(store_score(s, p, &score, &found, &err), err);
        assert_false(found); /* 12 seeds are more than 9 */
        holos_position_free(p);
        store_close(s);
    }
    snprintf(url, sizeof url, "%s/db", folder);
    unit_remove_folder(url);
    unit_remove_folder(folder);
}

static void test_a_store_says_what_it_is_not_for(void **state)
{
    (void)state;
    char folder[64], url[128];
    holos_error err;
    holos_variant *v;
    store *s;
    unit_make_folder(folder);
    url_in(folder, "file", "db", url);
    assert_ok(build("kalah:3,2", url, 6, STORE_CREATE, &err), err);
    assert_fails(build("kalah:3,2", url, 6, STORE_CREATE, &err), err, HOLOS_USAGE, "--restart");
    assert_fails(build("kalah:3,2,empty-capture", url, 6, STORE_RESUME, &err), err, HOLOS_UNSUPPORTED,
                 "made for kalah:3,2");
    assert_ok(build("kalah:3,2", url, 7, STORE_RESUME, &err), err);
    assert_ok(build("kalah:3,2,empty-capture", url, 6, STORE_RESTART, &err), err);
    assert_ok(holos_open("kalah:3,3,empty-capture", &v, &err), err);
    s = open_store(url, v); /* another number of seeds, the same rules */
    store_close(s);
    holos_close(v);
    assert_ok(holos_open("kalah:4,2,empty-capture", &v, &err), err);
    store_options o = {.mode = STORE_READ, .v = v};
    assert_fails(store_open(url, &o, &s, &err), err, HOLOS_UNSUPPORTED, "kalah:4,2");
    holos_close(v);
    o.v = NULL;
    assert_fails(store_open("soup:x", &o, &s, &err), err, HOLOS_USAGE, "file:DIR");
    assert_fails(store_open("/nowhere/at/all", &o, &s, &err), err, HOLOS_IO, "manifest.json");
    snprintf(url, sizeof url, "%s/db", folder);
    unit_remove_folder(url);
    unit_remove_folder(folder);
}

static void test_a_wrong_value_is_found_by_derivation(void **state)
{
    (void)state;
    char folder[64], url[128], path[160];
    holos_error err;
    part_written written;
    part_view view;
    file_view file;
    uint64_t done;
    unit_make_folder(folder);
    url_in(folder, "file", "db", url);
    assert_ok(build("kalah:2,2", url, 8, STORE_CREATE, &err), err);
    /* One value of a part, with the checksums that fit it: only the rules can tell. */
    snprintf(path, sizeof path, "%s/db/006-002.part", folder);
    assert_ok(file_view_open(&file, path, &err), err);
    assert_ok(part_view_open(&view, file.data, file.size, NULL, "p", &err), err);
    uint8_t *bytes = malloc(view.label.size);
    assert_ok(part_read(&view, bytes, "p", &err), err);
    bytes[view.label.size / 2] += 2;
    assert_ok(part_write(path, &view.label, bytes, &written, &err), err);
    file_view_close(&file);
    store *s;
    store_options o = {.mode = STORE_READ};
    assert_fails(store_open(url, &o, &s, &err), err, HOLOS_BAD_FILE, "manifest");
    /* Even the manifest is made to fit, by taking the parts as they are. */
    snprintf(path, sizeof path, "%s/db/manifest.json", folder);
    unit_write_file(
        path,
        "{\"format\":\"holos store\",\"version\":1,\"kind\":\"database\",\"variant\":\"kalah:2,2\","
        "\"family\":\"kalah:2 pits\",\"top\":8,\"complete\":true,\"positions\":495}",
        strlen("{\"format\":\"holos store\",\"version\":1,\"kind\":\"database\",\"variant\":\"kalah:2,2\","
               "\"family\":\"kalah:2 pits\",\"top\":8,\"complete\":true,\"positions\":495}"));
    s = open_store(url, NULL);
    assert_ok(s->backend->check(s, NULL, &err), err);
    assert_fails(derive_all(s, &done, &err), err, HOLOS_BAD_FILE, "successors give");
    store_close(s);
    free(bytes);
    snprintf(url, sizeof url, "%s/db", folder);
    unit_remove_folder(url);
    unit_remove_folder(folder);
}

/* Two databases that are each in order, and do not agree. */
static void test_what_contradicts_is_not_merged(void **state)
{
    (void)state;
    static const char *const schemes[] = {"file", "sqlite"};
    char folder[64], first[128], second[128], into[128];
    holos_error err;
    unit_make_folder(folder);
    url_in(folder, "file", "db", first);
    url_in(folder, "file", "merged", into);
    assert_ok(build("kalah:2,2", first, 8, STORE_CREATE, &err), err);
    for (int kind = 0; kind < 2; kind++) {
        url_in(folder, schemes[kind], "other", second);
        store *from = open_store(first, NULL), *to;
        const holos_index *index = from->v->game->index;
        store_options o = {.mode = STORE_CREATE, .kind = STORE_DATABASE, .v = from->v, .top = 8};
        assert_ok(store_open(second, &o, &to, &err), err);
        for (uint32_t tier = 0; tier <= 8; tier++) {
            for (uint32_t part = 0; part < index->parts(from->v, tier); part++) {
                uint64_t size = index->size(from->v, tier, part);
                uint8_t *bytes = malloc(size);
                assert_ok(from->backend->load(from, tier, part, bytes, size, &err), err);
                bytes[size / 2] += tier == 5 && part == 2;
                assert_ok(to->backend->save(to, tier, part, bytes, size, &err), err);
                free(bytes);
            }
        }
        assert_ok(to->backend->finish(to, &err), err);
        store_close(to);
        store_close(from);
        const char *urls[] = {first, second};
        assert_fails(holos_store_merge(urls, 2, into, NULL, NULL, &err), err, HOLOS_BAD_FILE,
                     "contradict each other on");
        assert_fails(holos_store_verify(second, &(holos_store_options){.all = true}, NULL, &err), err,
                     HOLOS_BAD_FILE, "successors give");
        unit_remove_folder(into + strlen("file:"));
        if (kind == 0)
            unit_remove_folder(second + strlen("file:"));
    }
    unit_remove_folder(first + strlen("file:"));
    unit_remove_folder(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_part_comes_back),
        cmocka_unit_test(test_an_empty_part_comes_back),
        cmocka_unit_test(test_every_flipped_bit_is_found),
        cmocka_unit_test(test_a_part_of_something_else_is_refused),
        cmocka_unit_test(test_a_small_cache_forgets_and_reads_again),
        cmocka_unit_test(test_manifests_that_are_none),
        cmocka_unit_test(test_databases_come_back),
        cmocka_unit_test(test_a_store_says_what_it_is_not_for),
        cmocka_unit_test(test_a_wrong_value_is_found_by_derivation),
        cmocka_unit_test(test_what_contradicts_is_not_merged),
    };
    UNIT_MAIN(tests);
}
