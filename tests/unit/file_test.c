/* SPDX-License-Identifier: MIT */

#include "unit.h"

#include "core/file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* Every test gets an empty folder. */
static int setup(void **state)
{
    char *folder = malloc(64);
    unit_make_folder(folder);
    *state = folder;
    return 0;
}

static int teardown(void **state)
{
    unit_remove_folder(*state);
    free(*state);
    return 0;
}

static void check_content(const char *path, const void *bytes, size_t size)
{
    text t;
    text_init(&t);
    holos_error err;
    assert_ok(file_read(path, 0, &t, &err), err);
    assert_int_equal(t.length, size);
    assert_memory_equal(t.data, bytes, size);
    text_free(&t);
}

static void write_whole(const char *path, const char *words)
{
    file_writer w;
    holos_error err;
    assert_ok(file_create(&w, path, &err), err);
    assert_true(file_write(&w, words, strlen(words)));
    assert_ok(file_commit(&w, &err), err);
}

/* ---- Writing ----------------------------------------------------------------------------------- */

static void test_a_file_appears_when_it_is_committed(void **state)
{
    const char *folder = *state, *path = unit_path(folder, "new.db");
    file_writer w;
    holos_error err;
    assert_ok(file_create(&w, path, &err), err);
    assert_true(file_write(&w, "abc", 3));
    assert_true(file_write(&w, "", 0));
    assert_true(file_write(&w, "defg", 4));
    assert_int_equal(w.size, 7);
    assert_int_equal(access(path, F_OK), -1);
    assert_ok(file_commit(&w, &err), err);
    check_content(path, "abcdefg", 7);
    assert_int_equal(unit_count_names(folder), 1);
    file_discard(&w); /* too late: no harm */
    assert_int_equal(unit_count_names(folder), 1);
}

static void test_a_file_is_replaced_whole(void **state)
{
    const char *folder = *state, *path = unit_path(folder, "old.db");
    write_whole(path, "a long old content");
    file_writer w;
    holos_error err;
    assert_ok(file_create(&w, path, &err), err);
    file_write(&w, "new", 3);
    check_content(path, "a long old content", 18);
    assert_ok(file_commit(&w, &err), err);
    check_content(path, "new", 3);
    assert_int_equal(unit_count_names(folder), 1);
}

static void test_discard_leaves_nothing_behind(void **state)
{
    const char *folder = *state, *path = unit_path(folder, "x.db");
    write_whole(path, "old");
    file_writer w;
    holos_error err;
    assert_ok(file_create(&w, path, &err), err);
    file_write(&w, "new", 3);
    assert_int_equal(unit_count_names(folder), 2);
    file_discard(&w);
    check_content(path, "old", 3);
    assert_int_equal(unit_count_names(folder), 1);
}

static void test_pieces_of_every_size_arrive_in_order(void **state)
{
    const char *path = unit_path(*state, "big.db");
    enum { SIZE = 3 << 20 };
    unsigned char *bytes = malloc(SIZE);
    for (size_t i = 0; i < SIZE; i++)
        bytes[i] = (unsigned char)(i * 7 + (i >> 8));
    file_writer w;
    holos_error err;
    assert_ok(file_create(&w, path, &err), err);
    size_t at = 0;
    for (size_t piece = 1; at < SIZE; piece = piece * 3 + 1) { /* beyond the buffer and around again */
        if (piece > 700000)
            piece = 1;
        size_t size = piece < SIZE - at ? piece : SIZE - at;
        assert_true(file_write(&w, bytes + at, size));
        at += size;
    }
    assert_ok(file_commit(&w, &err), err);
    check_content(path, bytes, SIZE);
    free(bytes);
}

static void test_patch_replaces_what_was_written(void **state)
{
    const char *path = unit_path(*state, "patched.db");
    file_writer w;
    holos_error err;
    assert_ok(file_create(&w, path, &err), err);
    file_write(&w, "????body", 8);
    assert_true(file_patch(&w, 0, "HEAD", 4));
    file_write(&w, "tail", 4);
    assert_true(file_patch(&w, 11, "L", 1));
    assert_ok(file_commit(&w, &err), err);
    check_content(path, "HEADbodytaiL", 12);
}

static void test_permissions_are_those_of_the_old_file_or_of_a_new_one(void **state)
{
    const char *path = unit_path(*state, "secret.db");
    mode_t before = umask(022);
    struct stat info;
    write_whole(path, "a");
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 07777, 0644);
    assert_int_equal(chmod(path, 0660), 0); /* more than umask would give, and less */
    write_whole(path, "b");
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 07777, 0660);
    umask(before);
}

static void test_a_symbolic_link_stays_one(void **state)
{
    const char *target = unit_path(*state, "target.db"), *link = unit_path(*state, "link.db");
    write_whole(target, "old");
    assert_int_equal(symlink("target.db", link), 0);
    write_whole(link, "new");
    struct stat info;
    assert_int_equal(lstat(link, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    check_content(target, "new", 3);
}

static void test_a_plain_name_is_in_the_current_folder(void **state)
{
    char *before = getcwd(NULL, 0);
    assert_int_equal(chdir(*state), 0);
    write_whole("plain.db", "x");
    assert_int_equal(unit_count_names("."), 1);
    assert_int_equal(chdir(before), 0);
    free(before);
}

/* ---- When writing fails ------------------------------------------------------------------------ */

static void test_create_says_what_is_wrong_with_the_path(void **state)
{
    const char *folder = *state;
    file_writer w;
    holos_error err;
    assert_fails(file_create(&w, unit_path(folder, "no/x.db"), &err), err, HOLOS_IO, "No such file");
    assert_fails(file_create(&w, folder, &err), err, HOLOS_IO, "Is a directory");
    assert_fails(file_create(&w, "/dev/null", &err), err, HOLOS_IO, "/dev/null: it is not a regular file");
    assert_int_equal(symlink("nowhere", unit_path(folder, "dangling")), 0);
    assert_fails(file_create(&w, unit_path(folder, "dangling"), &err), err, HOLOS_IO, "No such file");
    write_whole(unit_path(folder, "file"), "x");
    assert_fails(file_create(&w, unit_path(folder, "file/x.db"), &err), err, HOLOS_IO, "Not a directory");
    file_discard(&w); /* no harm */
    assert_int_equal(unit_count_names(folder), 2);
}

/* A disk that is full after `room` bytes. */
static void limit_file_size(rlim_t room, struct rlimit *before)
{
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, before), 0);
    struct rlimit limit = {.rlim_cur = room, .rlim_max = before->rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void test_a_full_disk_leaves_the_old_file_and_nothing_else(void **state)
{
    const char *folder = *state, *path = unit_path(folder, "full.db");
    write_whole(path, "old");
    char *bytes = calloc(1, 1 << 20);
    static const size_t pieces[] = {1, 1000, 1 << 20}; /* fails in commit, in between, at once */
    for (size_t i = 0; i < 3; i++) {
        struct rlimit before;
        limit_file_size(i == 0 ? 4096 : 600000, &before);
        file_writer w;
        holos_error err = {0};
        holos_status created = file_create(&w, path, &err);
        bool fine = true;
        for (size_t at = 0; at < 1 << 20 && (i > 0 || at < 10000); at += pieces[i])
            fine = file_write(&w, bytes, pieces[i]);
        bool patched = i == 0 || file_patch(&w, 0, "x", 1);
        holos_status status = file_commit(&w, &err);
        setrlimit(RLIMIT_FSIZE, &before);
        assert_int_equal(created, HOLOS_OK);
        assert_int_equal(fine, i == 0);
        assert_int_equal(patched, i == 0);
        assert_fails(status, err, HOLOS_IO, "full.db: File too large");
        check_content(path, "old", 3);
        assert_int_equal(unit_count_names(folder), 1);
    }
    free(bytes);
}

static void test_a_name_that_cannot_be_taken_leaves_nothing_behind(void **state)
{
    const char *folder = *state, *path = unit_path(folder, "taken");
    file_writer w;
    holos_error err;
    assert_ok(file_create(&w, path, &err), err);
    file_write(&w, "x", 1);
    assert_int_equal(mkdir(path, 0777), 0); /* somebody else made a folder of this name meanwhile */
    assert_fails(file_commit(&w, &err), err, HOLOS_IO, "taken: Is a directory");
    assert_int_equal(unit_count_names(folder), 1);
    assert_int_equal(file_commit(&w, NULL), HOLOS_IO); /* it stays failed */
    assert_false(file_write(&w, "y", 1));
}

/* ---- Reading ----------------------------------------------------------------------------------- */

static void test_read_appends_and_knows_its_limit(void **state)
{
    const char *path = unit_path(*state, "a.txt");
    unit_write_file(path, "0123456789", 10);
    text t;
    text_init(&t);
    holos_error err;
    text_string(&t, "<");
    assert_ok(file_read(path, 10, &t, &err), err);
    assert_string_equal(t.data, "<0123456789");
    assert_fails(file_read(path, 9, &t, &err), err, HOLOS_BAD_FILE, "a.txt is too large: at most 9 B");
    text_free(&t);
}

static void test_read_takes_zeros_pipes_and_empty_files(void **state)
{
    const char *path = unit_path(*state, "a.txt");
    unit_write_file(path, "a\0b", 3);
    check_content(path, "a\0b", 3);
    unit_write_file(path, "", 0);
    check_content(path, "", 0);
    int ends[2];
    char name[32];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "piped", 5), 5);
    close(ends[1]);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    check_content(name, "piped", 5);
    close(ends[0]);
}

static void test_read_says_what_is_wrong(void **state)
{
    text t;
    text_init(&t);
    holos_error err;
    assert_fails(file_read(unit_path(*state, "none"), 0, &t, &err), err, HOLOS_IO,
                 "none: No such file or directory");
    assert_fails(file_read(*state, 0, &t, &err), err, HOLOS_IO, "Is a directory");
    assert_fails(file_read("/proc/self/mem", 0, &t, &err), err, HOLOS_IO, "/proc/self/mem: Input/output");
    text_free(&t);
}

static void test_view(void **state)
{
    const char *path = unit_path(*state, "a.db");
    unit_write_file(path, "view", 4);
    file_view view;
    holos_error err;
    assert_ok(file_view_open(&view, path, &err), err);
    assert_int_equal(view.size, 4);
    assert_memory_equal(view.data, "view", 4);
    write_whole(path, "replaced"); /* what is seen does not change */
    assert_memory_equal(view.data, "view", 4);
    file_view_close(&view);
    unit_write_file(path, "", 0);
    assert_ok(file_view_open(&view, path, &err), err);
    assert_int_equal(view.size, 0);
    assert_non_null(view.data);
    file_view_close(&view);
    file_view_close(&view); /* no harm */
}

static void test_view_says_what_is_wrong(void **state)
{
    file_view view;
    holos_error err;
    assert_fails(file_view_open(&view, unit_path(*state, "none"), &err), err, HOLOS_IO, "No such file");
    assert_fails(file_view_open(&view, *state, &err), err, HOLOS_IO, "Is a directory");
    assert_fails(file_view_open(&view, "/dev/zero", &err), err, HOLOS_IO, "not a regular file");
    file_view_close(&view);
}

/* ---- Folders ----------------------------------------------------------------------------------- */

static void test_make_folder_makes_all_that_are_missing(void **state)
{
    holos_error err;
    struct stat info;
    assert_ok(file_make_folder(unit_path(*state, "a/b//c/"), &err), err);
    assert_int_equal(stat(unit_path(*state, "a/b/c"), &info), 0);
    assert_true(S_ISDIR(info.st_mode));
    assert_ok(file_make_folder(unit_path(*state, "a/b/c"), &err), err); /* again */
    assert_ok(file_make_folder("/", &err), err);
    assert_ok(file_make_folder(".", &err), err);
}

static void test_make_folder_says_what_is_wrong(void **state)
{
    holos_error err;
    unit_write_file(unit_path(*state, "file"), "", 0);
    assert_fails(file_make_folder(unit_path(*state, "file"), &err), err, HOLOS_IO, "file: Not a directory");
    assert_fails(file_make_folder(unit_path(*state, "file/x"), &err), err, HOLOS_IO, "file: Not a directory");
    assert_fails(file_make_folder("/proc/nowhere/x", &err), err, HOLOS_IO, "folder /proc/nowhere: No such");
    assert_fails(file_make_folder("", &err), err, HOLOS_IO, "No such file");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        CASE(test_a_file_appears_when_it_is_committed),
        CASE(test_a_file_is_replaced_whole),
        CASE(test_discard_leaves_nothing_behind),
        CASE(test_pieces_of_every_size_arrive_in_order),
        CASE(test_patch_replaces_what_was_written),
        CASE(test_permissions_are_those_of_the_old_file_or_of_a_new_one),
        CASE(test_a_symbolic_link_stays_one),
        CASE(test_a_plain_name_is_in_the_current_folder),
        CASE(test_create_says_what_is_wrong_with_the_path),
        CASE(test_a_full_disk_leaves_the_old_file_and_nothing_else),
        CASE(test_a_name_that_cannot_be_taken_leaves_nothing_behind),
        CASE(test_read_appends_and_knows_its_limit),
        CASE(test_read_takes_zeros_pipes_and_empty_files),
        CASE(test_read_says_what_is_wrong),
        CASE(test_view),
        CASE(test_view_says_what_is_wrong),
        CASE(test_make_folder_makes_all_that_are_missing),
        CASE(test_make_folder_says_what_is_wrong),
    };
    UNIT_MAIN(tests);
}
