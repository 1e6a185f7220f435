/* SPDX-License-Identifier: MIT */

#include "unit.h"

#include "core/config.h"
#include "core/text.h"

static config read_ok(const char *yaml)
{
    config c;
    holos_error err;
    assert_ok(config_read(&c, yaml, strlen(yaml), "test.yaml", &err), err);
    return c;
}

static void check_entry(const config *c, size_t index, const char *name, const char *value)
{
    assert_in_range(index, 0, c->count - 1);
    assert_string_equal(c->entries[index].name, name);
    assert_string_equal(c->entries[index].value, value);
}

static void check_bad_bytes(const char *yaml, size_t size, const char *place, const char *words)
{
    config c;
    holos_error err = {0};
    assert_fails(config_read(&c, yaml, size, "test.yaml", &err), err, HOLOS_BAD_FILE, words);
    char begin[64];
    snprintf(begin, sizeof begin, "test.yaml, %s: ", place);
    if (strncmp(err.message, begin, strlen(begin)) != 0)
        fail_msg("\"%s\" does not begin with \"%s\"", err.message, begin);
    assert_in_range(err.at, 0, size);
}

static void check_bad(const char *yaml, const char *place, const char *words)
{
    check_bad_bytes(yaml, strlen(yaml), place, words);
}

/* ---- What is read ------------------------------------------------------------------------------ */

static void test_names_and_values_keep_their_order_and_place(void **state)
{
    (void)state;
    config c = read_ok("# a comment\nthreads: 4\nstore:   file:out  # another\nverbose: true\n");
    assert_int_equal(c.count, 3);
    check_entry(&c, 0, "threads", "4");
    check_entry(&c, 1, "store", "file:out");
    check_entry(&c, 2, "verbose", "true");
    assert_int_equal(c.entries[0].line, 2);
    assert_int_equal(c.entries[0].column, 10);
    assert_int_equal(c.entries[1].line, 3);
    assert_int_equal(c.entries[1].column, 10);
    config_free(&c);
}

static void test_maps_put_their_name_before(void **state)
{
    (void)state;
    config c = read_ok("zeno:\n  games: 100\n  net: {width: 8, depth-most: 2}\n  rate: 0.1\nmem: 2G\n");
    assert_int_equal(c.count, 5);
    check_entry(&c, 0, "zeno-games", "100");
    check_entry(&c, 1, "zeno-net-width", "8");
    check_entry(&c, 2, "zeno-net-depth-most", "2");
    check_entry(&c, 3, "zeno-rate", "0.1");
    check_entry(&c, 4, "mem", "2G");
    config_free(&c);
}

static void test_lists_repeat_their_name(void **state)
{
    (void)state;
    config c = read_ok("feature: [chains, rings]\nnet:\n  layer:\n    - 8\n    - 16\nlast: x\n");
    assert_int_equal(c.count, 5);
    check_entry(&c, 0, "feature", "chains");
    check_entry(&c, 1, "feature", "rings");
    check_entry(&c, 2, "net-layer", "8");
    check_entry(&c, 3, "net-layer", "16");
    check_entry(&c, 4, "last", "x");
    assert_int_equal(c.entries[3].line, 5);
    config_free(&c);
}

static void test_text_is_kept_as_it_is(void **state)
{
    (void)state;
    config c = read_ok("a: \"\"\nb: '~'\nc: \"tab\\t€\"\nd: |\n  two\n  lines\ne: 0x10\nf: \"null\"\n");
    check_entry(&c, 0, "a", "");
    check_entry(&c, 1, "b", "~");
    check_entry(&c, 2, "c", "tab\t€");
    check_entry(&c, 3, "d", "two\nlines\n");
    check_entry(&c, 4, "e", "0x10");
    check_entry(&c, 5, "f", "null");
    config_free(&c);
}

static void test_nothing_is_a_config_too(void **state)
{
    (void)state;
    static const char *const empty[] = {"", "\n\n", "# only a comment\n", "---\n", "{}\n"};
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
        config c = read_ok(empty[i]);
        assert_int_equal(c.count, 0);
        config_free(&c);
    }
}

static void test_many_entries(void **state)
{
    (void)state;
    text t;
    text_init(&t);
    for (int i = 0; i < 1000; i++)
        text_printf(&t, "name-%d: value-%d\n", i, i);
    config c = read_ok(t.data);
    assert_int_equal(c.count, 1000);
    check_entry(&c, 999, "name-999", "value-999");
    config_free(&c);
    text_free(&t);
}

/* ---- What is refused --------------------------------------------------------------------------- */

static void test_broken_yaml_is_refused_with_its_place(void **state)
{
    (void)state;
    check_bad("a: 1\nb: [1, 2\nc: 3\n", "line 3, column 2", "while parsing a flow sequence");
    check_bad("a: \"open\n", "line 2, column 1", "quoted scalar");
    check_bad("a: 1\n\tb: 2\n", "line 2, column 1", "tab character");
    check_bad("a: b: c\n", "line 1, column 5", "mapping values are not allowed");
    check_bad("a: 1\n b: 2\n", "line 2, column 3", "mapping values are not allowed");
}

static void test_broken_utf8_is_refused_with_its_place(void **state)
{
    (void)state;
    check_bad("a: 1\nb: x\xFFy\n", "line 2, column 5", "should be UTF-8");
    check_bad("a: \xC3", "line 1, column 4", "should be UTF-8");
    check_bad("a: \xED\xA0\x80\n", "line 1, column 4", "should be UTF-8");
    check_bad_bytes("a: \x01\n", 5, "line 1, column 4", "should be UTF-8");
}

static void test_the_offset_is_in_bytes(void **state)
{
    (void)state;
    config c;
    holos_error err;
    const char *yaml = "a: \"€€\"\nb: [[1]]\n"; /* 6 bytes of two characters before it */
    assert_int_equal(config_read(&c, yaml, strlen(yaml), "test.yaml", &err), HOLOS_BAD_FILE);
    assert_int_equal(err.at, strstr(yaml, "[1]") - yaml);
}

static void test_what_could_be_meant_in_two_ways_is_refused(void **state)
{
    (void)state;
    check_bad("threads:\nmem: 2G\n", "line 1, column 9", "threads has no value");
    check_bad("threads: ~\n", "line 1, column 10", "threads has no value");
    check_bad("threads: null\n", "line 1, column 10", "threads has no value");
    check_bad("threads: 1\nmem: 2\nthreads: 3\n", "line 3, column 1", "threads was already given in line 1");
    check_bad("a-b: 1\na:\n  b: 2\n", "line 3, column 3", "a-b was already given in line 1");
    check_bad("a: 1\na: [2, 3]\n", "line 2, column 1", "a was already given in line 1");
    check_bad("a: []\n", "line 1, column 5", "the list a is empty");
    check_bad("a: [[1]]\n", "line 1, column 5", "a list in the list a");
    check_bad("a: [{b: 1}]\n", "line 1, column 5", "a map in the list a");
    check_bad("- a\n- b\n", "line 1, column 1", "a list where options should be");
    check_bad("just words\n", "line 1, column 1", "a value where options should be");
    check_bad("{a: 1}: 2\n", "line 1, column 1", "a map where the name");
    check_bad("[a]: 2\n", "line 1, column 1", "a list where the name");
    check_bad("a: 1\n---\nb: 2\n", "line 2, column 1", "a second document");
    check_bad("a: &x 1\nb: *x\n", "line 1, column 4", "anchors and aliases");
    check_bad("b: *x\n", "line 1, column 4", "anchors and aliases");
    check_bad("a: !!int 1\n", "line 1, column 4", "tags (tag:yaml.org,2002:int)");
    check_bad("a: !!map {}\n", "line 1, column 4", "tags");
    check_bad("a: !!seq []\n", "line 1, column 4", "tags");
    check_bad("a: &x {}\n", "line 1, column 4", "anchors");
    check_bad("a: &x []\n", "line 1, column 4", "anchors");
    check_bad("a: \"x\\0y\"\n", "line 1, column 4", "zero byte");
}

static void test_names_must_be_names_of_flags(void **state)
{
    (void)state;
    check_bad("Threads: 1\n", "line 1, column 1", "\"Threads\" is not an option name");
    check_bad("max_depth: 1\n", "line 1, column 1", "\"max_depth\" is not an option name");
    check_bad("--threads: 1\n", "line 1, column 1", "\"--threads\" is not an option name");
    check_bad("\"a\\0b\": 1\n", "line 1, column 1", "is not an option name");
    check_bad("\"\": 1\n", "line 1, column 1", "is not an option name");
    check_bad("7: 1\n", "line 1, column 1", "is not an option name");
}

static void test_deep_maps_are_refused(void **state)
{
    (void)state;
    config c = read_ok("{a: {a: {a: {a: {a: {a: {a: {a: 1}}}}}}}}\n");
    check_entry(&c, 0, "a-a-a-a-a-a-a-a", "1");
    config_free(&c);
    check_bad("{a: {a: {a: {a: {a: {a: {a: {a: {a: 1}}}}}}}}}\n", "line 1, column 33", "more than 8 deep");
}

/* ---- Files ------------------------------------------------------------------------------------- */

static void test_files(void **state)
{
    (void)state;
    char folder[64];
    unit_make_folder(folder);
    const char *path = unit_path(folder, "a.yaml");
    config c;
    holos_error err;
    assert_fails(config_read_file(&c, path, &err), err, HOLOS_IO, "cannot read");
    unit_write_file(path, "threads: 4\n", 11);
    assert_ok(config_read_file(&c, path, &err), err);
    check_entry(&c, 0, "threads", "4");
    assert_string_equal(c.source, path);
    assert_int_equal(config_error(&c, &c.entries[0], &err, "\"%s\" is too many", "4"), HOLOS_USAGE);
    assert_non_null(strstr(err.message, "a.yaml, line 1, column 10: \"4\" is too many"));
    config_free(&c);
    char *large = malloc(2 << 20);
    memset(large, '#', 2 << 20);
    unit_write_file(path, large, 2 << 20);
    free(large);
    assert_fails(config_read_file(&c, path, &err), err, HOLOS_BAD_FILE, "too large: at most 1.0 MiB");
    config_free(&c); /* no harm after a failure */
    unit_remove_folder(folder);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_and_values_keep_their_order_and_place),
        cmocka_unit_test(test_maps_put_their_name_before),
        cmocka_unit_test(test_lists_repeat_their_name),
        cmocka_unit_test(test_text_is_kept_as_it_is),
        cmocka_unit_test(test_nothing_is_a_config_too),
        cmocka_unit_test(test_many_entries),
        cmocka_unit_test(test_broken_yaml_is_refused_with_its_place),
        cmocka_unit_test(test_broken_utf8_is_refused_with_its_place),
        cmocka_unit_test(test_the_offset_is_in_bytes),
        cmocka_unit_test(test_what_could_be_meant_in_two_ways_is_refused),
        cmocka_unit_test(test_names_must_be_names_of_flags),
        cmocka_unit_test(test_deep_maps_are_refused),
        cmocka_unit_test(test_files),
    };
    UNIT_MAIN(tests);
}
