/* SPDX-License-Identifier: MIT */

/* Books: plies that come back as they went in, known counts of whole small games, and values that are those
 * of a search. */

#include "unit.h"

#include "core/rng.h"
#include "session/build.h"

static void ply_fill(book_ply *ply, bool wide)
{
    rng random;
    rng_init(&random, 5, wide);
    holos_key key = {0, 0};
    for (uint64_t i = 0; i < ply->count; i++) {
        key.lo += 1 + rng_below(&random, 1 << 20);
        key.hi += wide && i % 3 == 0 ? rng_below(&random, UINT64_C(1) << 48) : 0;
        ply->keys[i] = key;
        ply->values[i] = (uint8_t)(1 + rng_below(&random, 255));
    }
}

static void test_a_ply_comes_back(void **state)
{
    (void)state;
    for (int wide = 0; wide < 2; wide++) {
        book from, to;
        text bytes;
        holos_error err;
        book_init(&from, NULL);
        book_init(&to, NULL);
        text_init(&bytes);
        ply_fill(book_add(&from, 1000), wide);
        book_ply_encode(&from.plies[0], &bytes);
        assert_ok(book_ply_decode(&to, (const uint8_t *)bytes.data, bytes.length, "ply", &err), err);
        assert_int_equal(to.plies[0].count, 1000);
        assert_memory_equal(to.plies[0].keys, from.plies[0].keys, 1000 * sizeof(holos_key));
        assert_memory_equal(to.plies[0].values, from.plies[0].values, 1000);
        for (uint64_t i = 0; i < 1000; i++) {
            holos_key key = from.plies[0].keys[i];
            assert_int_equal(book_find(&to, key), from.plies[0].values[i]);
            key.lo -= 1;
            bool there = i > 0 && holos_key_equal(key, from.plies[0].keys[i - 1]);
            assert_int_equal(book_find(&to, key), there ? from.plies[0].values[i - 1] : HOLOS_BYTE_UNKNOWN);
        }
        text_free(&bytes);
        book_free(&from);
        book_free(&to);
    }
}

static void refuse(const uint8_t *bytes, size_t size)
{
    book b;
    holos_error err;
    book_init(&b, NULL);
    assert_fails(book_ply_decode(&b, bytes, size, "ply", &err), err, HOLOS_BAD_FILE, "ply");
    book_free(&b);
}

static void test_what_is_no_ply_is_refused(void **state)
{
    (void)state;
    const uint8_t good[] = {2, 0, 0, 0, 0, 0, 0, 0, 5, 0x81, 1, 128, 129};
    book b;
    holos_error err;
    book_init(&b, NULL);
    assert_ok(book_ply_decode(&b, good, sizeof good, "ply", &err), err);
    assert_int_equal(b.plies[0].keys[1].lo, 5 + 129);
    book_free(&b);
    for (size_t size = 0; size < sizeof good; size++)
        refuse(good, size);
    uint8_t bad[sizeof good + 1];
    memcpy(bad, good, sizeof good);
    refuse(bad, sizeof bad); /* a byte too many */
    bad[0] = 3;
    refuse(bad, sizeof good);
    memcpy(bad, (uint8_t[]){2, 0, 0, 0, 0, 0, 0, 0, 5, 0, 128, 129}, 12);
    refuse(bad, 12); /* the same key twice */
    memcpy(bad, (uint8_t[]){2, 0, 0, 0, 0, 0, 0, 0, 5, 1, 128, 0}, 12);
    refuse(bad, 12); /* no value */
    uint8_t high[8 + 19 + 1] = {1};
    memset(high + 8, 255, 18);
    high[8 + 18] = 4; /* 2^128 and more */
    high[8 + 19] = 128;
    refuse(high, sizeof high);
}

static holos_variant *variant_of(const char *name)
{
    holos_variant *v;
    holos_error err;
    assert_ok(holos_open(name, &v, &err), err);
    return v;
}

typedef struct known_game {
    const char *name;
    uint64_t positions;
    int32_t start;
} known_game;

/* The whole of a game is a book whose last ply is over. */
static void test_small_boards_have_their_known_counts(void **state)
{
    (void)state;
    /* John Tromp, "John's Connect Four Playground": numbers of legal positions. */
    static const known_game games[] = {
        {"connect4:4x4", 161029, 0}, {"connect4:5x4", 3945711, 0}, {"connect4:3x6", 235781, 0}};
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        holos_variant *v = variant_of(games[i].name);
        build_request b = {.v = v, .top = 1000, .threads = 2};
        build_report r;
        holos_error err;
        assert_ok(build_book(&b, &r, &err), err);
        assert_int_equal(r.positions, games[i].positions);
        assert_int_equal(r.computed, 0);
        assert_int_equal(r.start_score, games[i].start);
        const build_ply *last = &r.plies[r.ply_count - 1];
        assert_int_equal(last->finished, last->positions);
        for (size_t ply = 0; ply < r.ply_count; ply++)
            assert_int_equal(r.plies[ply].won + r.plies[ply].drawn + r.plies[ply].lost,
                             r.plies[ply].positions);
        build_report_free(&r);
        holos_close(v);
    }
}

static void book_keep(const holos_variant *v, uint32_t depth, const char *url, build_report *r)
{
    build_request b = {.v = v, .top = depth, .threads = 2, .url = url, .mode = STORE_CREATE};
    holos_error err;
    assert_ok(build_book(&b, r, &err), err);
}

static void verify(const char *url, uint64_t samples, uint64_t expected)
{
    store *s;
    pool *threads;
    holos_error err;
    store_options o = {.mode = STORE_READ};
    uint64_t done;
    assert_ok(store_open(url, &o, &s, &err), err);
    assert_ok(pool_open(2, &threads, &err), err);
    store_derivation how = {.samples = samples, .seed = 1, .threads = threads};
    assert_ok(book_verify(s, &how, &done, &err), err);
    assert_int_equal(done, expected);
    pool_close(threads);
    store_close(s);
}

/* Values from the ends backwards and values of searches know nothing of each other. */
static void test_whole_games_agree_with_the_search(void **state)
{
    (void)state;
    char folder[64];
    build_report r;
    unit_make_folder(folder);
    holos_variant *v = variant_of("connect4:4x4");
    book_keep(v, 1000, unit_path(folder, "4x4"), &r);
    verify(unit_path(folder, "4x4"), 0, 80541);
    build_report_free(&r);
    holos_close(v);
    v = variant_of("kalah:3,2");
    book_keep(v, 6, unit_path(folder, "kalah"), &r);
    assert_true(r.computed > 0);
    assert_int_equal(r.start_score, 4);
    verify(unit_path(folder, "kalah"), 500, 500);
    build_report_free(&r);
    holos_close(v);
    unit_remove_folder(folder);
}

/* A wrong value is found by a search, even if all checksums fit. */
static void test_verification_finds_a_wrong_value(void **state)
{
    (void)state;
    char folder[64];
    build_report r;
    holos_error err;
    uint64_t done;
    store *from, *to;
    pool *threads;
    unit_make_folder(folder);
    holos_variant *v = variant_of("connect4:4x4");
    book_keep(v, 3, unit_path(folder, "right"), &r);
    assert_ok(store_open(unit_path(folder, "right"), &(store_options){.mode = STORE_READ}, &from, &err), err);
    store_options o = {.mode = STORE_CREATE, .kind = STORE_BOOK, .v = v, .top = 3};
    assert_ok(store_open(unit_path(folder, "wrong"), &o, &to, &err), err);
    for (uint32_t ply = 0; ply <= 3; ply++) {
        text bytes;
        text_init(&bytes);
        book_ply_encode(&from->backend->book(from)->plies[ply], &bytes);
        bytes.data[bytes.length - 1] = (char)(bytes.data[bytes.length - 1] + (ply == 2));
        assert_ok(to->backend->save(to, ply, 0, (const uint8_t *)bytes.data, bytes.length, &err), err);
        text_free(&bytes);
    }
    assert_ok(to->backend->finish(to, &err), err);
    store_close(from);
    store_close(to);
    assert_ok(store_open(unit_path(folder, "wrong"), &(store_options){.mode = STORE_READ}, &to, &err), err);
    assert_ok(pool_open(1, &threads, &err), err);
    store_derivation how = {.threads = threads};
    assert_fails(book_verify(to, &how, &done, &err), err, HOLOS_BAD_FILE, "a search gives");
    pool_close(threads);
    store_close(to);
    build_report_free(&r);
    holos_close(v);
    unit_remove_folder(folder);
}

static void test_what_has_no_book_says_why(void **state)
{
    (void)state;
    holos_variant *v = variant_of("sudoku");
    build_request b = {.v = v, .top = 2, .threads = 1};
    build_report r;
    holos_error err;
    assert_fails(build_book(&b, &r, &err), err, HOLOS_UNSUPPORTED, "no start");
    build_report_free(&r);
    holos_close(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_ply_comes_back),
        cmocka_unit_test(test_what_is_no_ply_is_refused),
        cmocka_unit_test(test_small_boards_have_their_known_counts),
        cmocka_unit_test(test_whole_games_agree_with_the_search),
        cmocka_unit_test(test_verification_finds_a_wrong_value),
        cmocka_unit_test(test_what_has_no_book_says_why),
    };
    UNIT_MAIN(tests);
}
