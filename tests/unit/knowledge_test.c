/* SPDX-License-Identifier: MIT */

/* Knowledge: every kind of it opens by its URL and by its path, says what a search says, and never takes what is damaged for
 * what is not there. */

#include "unit.h"

#include "core/file.h"
#include "core/url.h"
#include "engine/engine.h"
#include "engine/wave/hologram_format.h"
#include "session/build.h"

#include <sqlite3.h>
#include <sys/stat.h>

#define SYZYGY TEST_DATA "/chess/syzygy"
#define KQVKR  "8/8/8/3k4/8/8/1r6/K3Q3 w - - 0 1"

/* ---- What there is to know --------------------------------------------------------------------- */

static char folder[64];

/* A place in the test's folder, with a scheme before it or none. */
static const char *at(const char *scheme, const char *name)
{
    static char places[8][128];
    static unsigned next;
    char *out = places[next++ % 8];
    snprintf(out, sizeof places[0], "%s%s%s/%s", scheme, scheme[0] != 0 ? ":" : "", folder, name);
    return out;
}

static holos_variant *variant(const char *name)
{
    holos_variant *v;
    holos_error err;
    assert_ok(holos_open(name, &v, &err), err);
    return v;
}

static void build(const char *game, const char *url, uint32_t top,
                  holos_status (*make)(const build_request *, build_report *, holos_error *))
{
    holos_error err;
    build_report report;
    holos_variant *v = variant(game);
    build_request b = {
        .v = v, .url = url, .mode = STORE_CREATE, .top = top, .threads = 1, .memory = 256 << 20};
    assert_ok(make(&b, &report, &err), err);
    build_report_free(&report);
    holos_close(v);
}

static void explore(const char *game, const char *path)
{
    holos_error err;
    holos_wave *w;
    holos_variant *v = variant(game);
    holos_position *p = holos_position_new(v);
    holos_wave_seed seed = {.position = p};
    assert_ok(holos_wave_open(v, NULL, &w, &err), err);
    assert_ok(holos_wave_add(w, &seed, &err), err);
    assert_ok(holos_wave_run(w, HOLOS_WAVE_WAVE, &err), err);
    assert_ok(holos_wave_save(w, path, &err), err);
    holos_wave_close(w);
    holos_position_free(p);
    holos_close(v);
}

static int make_all(void **state)
{
    (void)state;
    unit_make_folder(folder);
    build("kalah:2,2", at("file", "database"), 8, build_database);
    build("kalah:2,2", at("sqlite", "database.sqlite"), 8, build_database);
    build("connect4:4x4", at("sqlite", "graph.sqlite"), 0, build_graph);
    build("connect4:4x4", at("file", "book"), 3, build_book);
    mkdir(at("", "waves"), 0777);
    explore("connect4:4x4", at("", "waves/hologram"));
    return 0;
}

static int remove_all(void **state)
{
    (void)state;
    unit_remove_folder(folder);
    return 0;
}

static const struct subject {
    const char *scheme, *name, *kind, *game, *position;
} subjects[] = {
    {"file", "database", "database", "kalah:2,2", "start"},
    {"sqlite", "database.sqlite", "database", "kalah:2,2", "start"},
    {"sqlite", "graph.sqlite", "graph", "connect4:4x4", "1122"},
    {"file", "book", "book", "connect4:4x4", "112"},
    {"file", "waves", "hologram", "connect4:4x4", "1122"},
    {"file", "waves/hologram", "hologram", "connect4:4x4", "1122"},
};

static holos_knowledge *know(const char *url, const holos_variant *v)
{
    holos_knowledge *k;
    holos_error err;
    assert_ok(holos_knowledge_open(url, v, NULL, &k, &err), err);
    return k;
}

static holos_position *position(const holos_variant *v, const char *name)
{
    holos_error err;
    holos_position *p = holos_position_new(v);
    assert_ok(holos_parse(v, name, p, &err), err);
    return p;
}

/* What a search without any knowledge finds. */
static int32_t truth(const holos_variant *v, const holos_position *p)
{
    holos_solver *solver;
    holos_result r;
    holos_error err;
    assert_ok(holos_solver_open(v, NULL, &solver, &err), err);
    assert_ok(holos_solver_solve(solver, p, &r, &err), err);
    holos_solver_close(solver);
    return r.value.lo;
}

/* ---- Opening ----------------------------------------------------------------------------------- */

static void assert_knows(holos_knowledge *k, const struct subject *s)
{
    holos_value value;
    holos_error err;
    const holos_variant *v = holos_knowledge_variant(k);
    holos_position *p = position(v, s->position);
    assert_string_equal(holos_knowledge_kind(k), s->kind);
    assert_string_equal(holos_variant_name(v), s->game);
    assert_ok(holos_knowledge_find(k, p, &value, &err), err);
    assert_true(holos_source_is_proof(value.source));
    assert_int_equal(value.lo, value.hi);
    assert_int_equal(value.lo, truth(v, p));
    holos_position_free(p);
    holos_knowledge_close(k);
}

static void test_each_kind_opens_by_url_and_by_path(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
        const struct subject *s = &subjects[i];
        holos_variant *v = variant(s->game);
        assert_knows(know(at(s->scheme, s->name), NULL), s);
        assert_knows(know(at("", s->name), NULL), s);
        assert_knows(know(at("", s->name), v), s);
        holos_close(v);
    }
}

static void test_tables_of_a_game_open_by_their_folders(void **state)
{
    (void)state;
    static const char *const names[] = {"file:" SYZYGY, SYZYGY, SYZYGY ":" SYZYGY};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        holos_knowledge *k = know(names[i], NULL);
        holos_value value;
        holos_error err;
        holos_position *p = position(holos_knowledge_variant(k), KQVKR);
        assert_string_equal(holos_knowledge_kind(k), "Syzygy tables");
        assert_string_equal(holos_variant_name(holos_knowledge_variant(k)), "chess");
        assert_ok(holos_knowledge_find(k, p, &value, &err), err);
        assert_int_equal(value.lo, 2);
        assert_int_equal(value.hi, 2);
        assert_int_equal(value.conversion, 1);
        assert_int_equal(value.distance, HOLOS_NO_DISTANCE); /* Syzygy's have no distances to mate */
        holos_position_free(p);
        holos_knowledge_close(k);
    }
}

static void test_other_rules_are_refused_with_both_names(void **state)
{
    (void)state;
    holos_variant *v = variant("connect4:5x4");
    holos_error err;
    holos_knowledge *k;
    static const struct {
        const char *name, *made_for;
    } all[] = {{"database", "kalah:2,2"}, {"database.sqlite", "kalah:2,2"}, {"graph.sqlite", "connect4:4x4"},
               {"book", "connect4:4x4"},  {"waves", "connect4:4x4"},        {NULL, "chess"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const char *url = all[i].name != NULL ? at("", all[i].name) : SYZYGY;
        assert_true(holos_knowledge_open(url, v, NULL, &k, &err) != HOLOS_OK);
        assert_null(k);
        assert_non_null(strstr(err.message, all[i].made_for));
        assert_non_null(strstr(err.message, "connect4:5x4"));
    }
    holos_close(v);
}

static void test_nothing_is_an_error(void **state)
{
    (void)state;
    holos_error err;
    holos_knowledge *k;
    assert_int_equal(holos_knowledge_open(at("", "nowhere"), NULL, NULL, &k, &err), HOLOS_IO);
    assert_fails(holos_knowledge_open("gopher:x", NULL, NULL, &k, &err), err, HOLOS_USAGE, "is not a store");
    unit_write_file(at("", "junk"), "junk", 4);
    assert_true(holos_knowledge_open(at("", "junk"), NULL, NULL, &k, &err) != HOLOS_OK);
}

static void test_null_is_a_usage_error(void **state)
{
    (void)state;
    holos_error err;
    holos_value value;
    holos_result result;
    holos_solver *solver;
    holos_knowledge *k = know(at("", "database"), NULL), *out;
    holos_position *p = position(holos_knowledge_variant(k), "start");
    char path[8];
    assert_int_equal(holos_knowledge_open(NULL, NULL, NULL, &out, &err), HOLOS_USAGE);
    assert_int_equal(holos_knowledge_open("x", NULL, NULL, NULL, &err), HOLOS_USAGE);
    assert_int_equal(holos_knowledge_open_shipped(NULL, NULL, &out, &err), HOLOS_USAGE);
    assert_int_equal(holos_knowledge_find(NULL, p, &value, &err), HOLOS_USAGE);
    assert_int_equal(holos_knowledge_find(k, NULL, &value, &err), HOLOS_USAGE);
    assert_int_equal(holos_knowledge_find(k, p, NULL, &err), HOLOS_USAGE);
    assert_int_equal(holos_knowledge_why(NULL, p, &err), HOLOS_USAGE);
    assert_int_equal(holos_hologram_path(NULL, path, 8, &err), HOLOS_USAGE);
    assert_int_equal(holos_hologram_path("file:a-long-name", path, 8, &err), HOLOS_USAGE);
    assert_int_equal(holos_solver_open(NULL, NULL, &solver, &err), HOLOS_USAGE);
    assert_int_equal(holos_solver_solve(NULL, p, &result, &err), HOLOS_USAGE);
    assert_null(holos_knowledge_boundary(NULL));
    assert_null(holos_knowledge_variant(NULL));
    assert_null(holos_knowledge_kind(NULL));
    assert_null(holos_game_distance_words(NULL));
    holos_knowledge_close(NULL);
    holos_position_free(p);
    holos_knowledge_close(k);
}

static void test_urls(void **state)
{
    (void)state;
    static const struct {
        const char *name, *scheme, *location;
        bool path;
    } all[] = {
        {"file:DIR", "file", "DIR", true},
        {"sqlite:a/b.db", "sqlite", "a/b.db", false},
        {"DIR", "", "DIR", true},
        {"a/b:c", "", "a/b:c", true},
        {"/a:b", "", "/a:b", true},
        {"./x:y", "", "./x:y", true},
        {"C:x", "", "C:x", true},
        {"file:", "file", "", true},
        {"postgres://h/d", "postgres", "//h/d", 0},
        {"", "", "", true},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        url_parts u = url_parse(all[i].name);
        assert_string_equal(u.scheme, all[i].scheme);
        assert_string_equal(u.location, all[i].location);
        assert_int_equal(url_is_path(&u), all[i].path);
    }
}

/* ---- What is not there ------------------------------------------------------------------------- */

static void test_what_is_not_there_is_no_error(void **state)
{
    (void)state;
    static const struct {
        const char *name, *game, *position;
    } all[] = {{"database", "kalah:2,3", "start"},
               {"database.sqlite", "kalah:2,3", "start"},
               {"book", "connect4:4x4", "11223"},
               {"graph.sqlite", "kalah:2,2", NULL}};
    for (size_t i = 0; all[i].position != NULL; i++) {
        holos_variant *v = variant(all[i].game);
        holos_knowledge *k = know(at("", all[i].name), v);
        holos_position *p = position(v, all[i].position);
        holos_error err;
        holos_value value;
        int32_t min, max;
        assert_ok(holos_knowledge_find(k, p, &value, &err), err);
        holos_score_range(v, &min, &max);
        assert_int_equal(value.source, HOLOS_SOURCE_NONE);
        assert_int_equal(value.lo, min);
        assert_int_equal(value.hi, max);
        assert_fails(holos_knowledge_why(k, p, &err), err, HOLOS_LIMIT, "is not in");
        holos_position_free(p);
        holos_knowledge_close(k);
        holos_close(v);
    }
}

static void test_missing_tables_are_named(void **state)
{
    (void)state;
    holos_knowledge *k = know(SYZYGY, NULL);
    holos_error err;
    holos_value value;
    holos_position *p = position(holos_knowledge_variant(k), "7k/1n6/8/8/8/8/8/K3Q3 w - - 0 1");
    assert_ok(holos_knowledge_find(k, p, &value, &err), err);
    assert_int_equal(value.source, HOLOS_SOURCE_NONE);
    assert_fails(holos_knowledge_why(k, p, &err), err, HOLOS_UNSUPPORTED, "KQvKN.rtbw");
    holos_position_free(p);
    holos_knowledge_close(k);
}

/* ---- What is damaged --------------------------------------------------------------------------- */

static void flip(const char *path, long offset)
{
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, offset, SEEK_SET), 0);
    int byte = fgetc(file);
    assert_true(byte != EOF);
    assert_int_equal(fseek(file, offset, SEEK_SET), 0);
    assert_int_equal(fputc(byte ^ 0x55, file), byte ^ 0x55);
    assert_int_equal(fclose(file), 0);
}

/* The first block of the part with the start position. */
static void damage_database(void)
{
    holos_variant *v = variant("kalah:2,2");
    holos_position *p = position(v, "start");
    holos_place place;
    char name[64];
    assert_true(v->game->index->rank(v, p, &place));
    build("kalah:2,2", at("file", "bad-database"), 8, build_database);
    snprintf(name, sizeof name, "bad-database/%03u-%03u.part", place.tier, place.part);
    flip(at("", name), 64 + 5);
    holos_position_free(p);
    holos_close(v);
}

static void damage_sqlite(void)
{
    sqlite3 *db;
    build("kalah:2,2", at("sqlite", "bad.sqlite"), 8, build_database);
    assert_int_equal(sqlite3_open(at("", "bad.sqlite"), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "DELETE FROM indexed WHERE tier = 8", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void damage_hologram(void)
{
    holos_hologram *h;
    holos_error err;
    const char *path = at("", "bad.hologram");
    explore("connect4:4x4", path);
    assert_ok(holos_hologram_open(path, &h, &err), err);
    uint64_t count = h->block_count, *offsets = malloc(count * sizeof *offsets);
    for (uint64_t i = 0; i < count; i++)
        offsets[i] = h->blocks[i].offset;
    holos_hologram_close(h);
    for (uint64_t i = 0; i < count; i++)
        flip(path, (long)offsets[i] + 9);
    free(offsets);
}

static void damage_tables(void)
{
    static const char *const names[] = {"KQvK.rtbw", "KQvK.rtbz",  "KRvK.rtbw",
                                        "KRvK.rtbz", "KQvKR.rtbw", "KQvKR.rtbz"};
    mkdir(at("", "bad-tables"), 0777);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char name[64];
        text bytes;
        holos_error err;
        text_init(&bytes);
        assert_ok(file_read(unit_path(SYZYGY, names[i]), 0, &bytes, &err), err);
        snprintf(name, sizeof name, "bad-tables/%s", names[i]);
        unit_write_file(at("", name), bytes.data, i == 5 ? bytes.length / 2 : bytes.length);
        text_free(&bytes);
    }
}

/* What a solver says of the position. */
static void assert_solver_fails(const holos_variant *v, const holos_boundary *boundary, const char *engine,
                                const holos_position *p, const char *words)
{
    holos_error err;
    holos_solver *solver;
    holos_result r;
    holos_solver_options options = {.engine = engine, .boundary = boundary, .moves = true, .line = true};
    assert_ok(holos_solver_open(v, &options, &solver, &err), err);
    assert_fails(holos_solver_solve(solver, p, &r, &err), err, HOLOS_BAD_FILE, words);
    assert_fails(holos_solver_solve(solver, p, &r, &err), err, HOLOS_BAD_FILE, words); /* and again */
    holos_solver_close(solver);
}

static void test_what_is_damaged_is_an_error_everywhere(void **state)
{
    (void)state;
    static const struct {
        const char *name, *position, *words, *engines[3];
        void (*damage)(void);
    } all[] = {
        {"bad-database", "start", ".part", {"alphabeta", "wave", NULL}, damage_database},
        {"bad.sqlite", "start", "bad.sqlite", {"alphabeta", "wave", NULL}, damage_sqlite},
        {"bad.hologram", "1122", "bad.hologram", {"alphabeta", "wave", NULL}, damage_hologram},
        {"bad-tables", "8/8/8/3k4/7r/8/1Q6/K7 w - - 0 1", "KQvKR.rtbz", {NULL}, damage_tables},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        all[i].damage();
        holos_error err;
        holos_value value;
        holos_knowledge *k = know(at("", all[i].name), NULL);
        const holos_variant *v = holos_knowledge_variant(k);
        const holos_boundary *boundary = holos_knowledge_boundary(k);
        holos_position *p = position(v, all[i].position);
        assert_fails(holos_knowledge_find(k, p, &value, &err), err, HOLOS_BAD_FILE, all[i].words);
        assert_fails(holos_knowledge_why(k, p, &err), err, HOLOS_BAD_FILE, all[i].words);
        assert_solver_fails(v, boundary, "lookup", p, all[i].words);
        assert_solver_fails(v, boundary, NULL, p, all[i].words);
        for (size_t j = 0; all[i].engines[j] != NULL; j++)
            assert_solver_fails(v, boundary, all[i].engines[j], p, all[i].words);
        holos_position_free(p);
        holos_knowledge_close(k);
    }
}

/* A table whose first bytes are right and whose blocks are not; every engine that asks it fails. */
static void test_damaged_blocks_of_tables_are_named(void **state)
{
    (void)state;
    text bytes;
    holos_error err;
    text_init(&bytes);
    mkdir(at("", "spoiled"), 0777);
    assert_ok(file_read(unit_path(SYZYGY, "KQvK.rtbw"), 0, &bytes, &err), err);
    unit_write_file(at("", "spoiled/KQvK.rtbw"), bytes.data, bytes.length - 64);
    text_free(&bytes);
    holos_knowledge *k = know(at("", "spoiled"), NULL);
    const holos_variant *v = holos_knowledge_variant(k);
    holos_position *p = position(v, "8/8/8/4k3/8/8/8/KQ6 w - - 0 1");
    static const char *const engines[] = {NULL, "lookup", "proof", "deepening", "region", "wave"};
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++)
        assert_solver_fails(v, holos_knowledge_boundary(k), engines[i], p, "KQvK.rtbw");
    holos_position_free(p);
    holos_knowledge_close(k);
}

/* A boundary of a program's own that fails in the middle of the work. */
typedef struct failing {
    _Atomic int left; /* questions that it still answers, with "not known" */
} failing;

static holos_status failing_find(void *context, const holos_position *p, holos_value *out, holos_error *err)
{
    failing *f = context;
    (void)p;
    (void)out;
    if (f->left-- > 0)
        return HOLOS_OK;
    *err = (holos_error){.code = HOLOS_IO, .at = HOLOS_NOWHERE, .message = "the line is cut"};
    return HOLOS_IO;
}

static void test_an_error_in_the_middle_ends_the_work(void **state)
{
    (void)state;
    static const char *const engines[] = {"alphabeta", "wave", "proof", NULL};
    holos_variant *v = variant("connect4:6x5");
    holos_position *p = position(v, "start");
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
        failing f = {.left = 1000};
        holos_boundary boundary = {.context = &f, .find = failing_find};
        holos_settings *settings = holos_settings_new();
        holos_solver_options options = {
            .engine = engines[i], .boundary = &boundary, .settings = settings, .threads = 2};
        holos_solver *solver;
        holos_result r;
        holos_error err;
        if (engines[i] == NULL || strcmp(engines[i], "alphabeta") == 0)
            assert_ok(holos_settings_set(settings, "no-hot", "yes", &err), err);
        assert_ok(holos_solver_open(v, &options, &solver, &err), err);
        assert_fails(holos_solver_solve(solver, p, &r, &err), err, HOLOS_IO, "the line is cut");
        holos_solver_close(solver);
        holos_settings_free(settings);
    }
    failing f = {.left = 1000};
    holos_boundary boundary = {.context = &f, .find = failing_find};
    holos_wave_options options = {.boundary = &boundary, .threads = 2};
    holos_wave_seed seed = {.position = p};
    holos_wave *w;
    holos_error err;
    assert_ok(holos_wave_open(v, &options, &w, &err), err);
    assert_ok(holos_wave_add(w, &seed, &err), err);
    assert_fails(holos_wave_run(w, HOLOS_WAVE_WAVE, &err), err, HOLOS_IO, "the line is cut");
    holos_wave_close(w);
    holos_position_free(p);
    holos_close(v);
}

static holos_status silent_find(void *context, const holos_position *p, holos_value *out, holos_error *err)
{
    (void)context;
    (void)p;
    (void)out;
    (void)err;
    return HOLOS_IO;
}

static void test_an_error_without_words_gets_some(void **state)
{
    (void)state;
    static const char *const engines[] = {"alphabeta", "lookup", NULL};
    holos_variant *v = variant("connect4:4x4");
    holos_position *p = position(v, "start");
    holos_boundary boundary = {.find = silent_find};
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
        holos_solver_options options = {.engine = engines[i], .boundary = &boundary};
        holos_solver *solver;
        holos_result r;
        holos_error err;
        assert_ok(holos_solver_open(v, &options, &solver, &err), err);
        assert_fails(holos_solver_solve(solver, p, &r, &err), err, HOLOS_IO, "cannot be read");
        assert_int_equal(holos_solver_solve(solver, p, &r, NULL), HOLOS_IO);
        holos_solver_close(solver);
    }
    boundary.find = NULL;
    holos_solver_options options = {.boundary = &boundary};
    holos_solver *solver;
    holos_error err;
    assert_fails(holos_solver_open(v, &options, &solver, &err), err, HOLOS_USAGE, "boundary");
    holos_position_free(p);
    holos_close(v);
}

/* ---- Answers without a search ------------------------------------------------------------------ */

typedef struct answer {
    holos_solver *solver;
    holos_result r;
} answer;

static answer ask(const holos_variant *v, const holos_boundary *boundary, const char *engine,
                  const char *question)
{
    answer a;
    holos_error err;
    holos_solver_options options = {.engine = engine, .boundary = boundary, .moves = true, .line = true};
    holos_position *p = position(v, question);
    assert_ok(holos_solver_open(v, &options, &a.solver, &err), err);
    assert_ok(holos_solver_solve(a.solver, p, &a.r, &err), err);
    holos_position_free(p);
    return a;
}

/* Plays a line; the position at its end. */
static holos_position *line_play(const holos_variant *v, const char *question, const holos_result *r)
{
    holos_error err;
    holos_position *p = position(v, question);
    for (size_t i = 0; i < r->line_length; i++)
        assert_ok(holos_play(v, p, r->line[i], p, &err), err);
    return p;
}

static void test_what_is_known_needs_no_search(void **state)
{
    (void)state;
    holos_knowledge *k = know(at("", "database"), NULL);
    const holos_variant *v = holos_knowledge_variant(k);
    answer a = ask(v, holos_knowledge_boundary(k), NULL, "start"), b = ask(v, NULL, NULL, "start");
    assert_string_equal(a.r.engine, "lookup");
    assert_string_equal(b.r.engine, "alphabeta");
    assert_int_equal(a.r.value.lo, b.r.value.lo);
    assert_int_equal(a.r.best_count, b.r.best_count);
    assert_int_equal(a.r.move_count, b.r.move_count);
    for (size_t i = 0; i < a.r.move_count; i++)
        assert_int_equal(a.r.moves[i].value.lo, b.r.moves[i].value.lo);
    assert_null(a.r.line_end);
    holos_solver_close(a.solver);
    holos_solver_close(b.solver);
    holos_knowledge_close(k);
}

/* At its last ply a book knows positions, but not where they lead. */
static void test_where_knowledge_ends_a_search_goes_on(void **state)
{
    (void)state;
    holos_knowledge *k = know(at("", "book"), NULL);
    const holos_variant *v = holos_knowledge_variant(k);
    answer a = ask(v, holos_knowledge_boundary(k), NULL, "112");
    assert_string_equal(a.r.engine, "alphabeta");
    assert_true(a.r.best_count > 0);
    holos_solver_close(a.solver);
    a = ask(v, holos_knowledge_boundary(k), "lookup", "112");
    assert_string_equal(a.r.engine, "lookup");
    assert_true(a.r.best_count > 0); /* by a short search for that alone */
    assert_int_equal(a.r.line_length, 1);
    assert_non_null(a.r.line_end);
    holos_solver_close(a.solver);
    holos_knowledge_close(k);
}

static void test_tables_win_soonest_and_to_the_end(void **state)
{
    (void)state;
    holos_knowledge *k = know(SYZYGY, NULL);
    const holos_variant *v = holos_knowledge_variant(k);
    holos_value end;
    answer a = ask(v, holos_knowledge_boundary(k), NULL, KQVKR);
    char move[16];
    holos_position *p = position(v, KQVKR);
    assert_string_equal(a.r.engine, "lookup");
    assert_int_equal(a.r.best_count, 1);
    holos_format_move(v, p, a.r.best[0], move, sizeof move);
    assert_string_equal(move, "Kxb2");
    for (size_t i = 0; i < a.r.move_count; i++)
        assert_int_equal(a.r.moves[i].value.conversion == HOLOS_NO_DISTANCE, a.r.moves[i].value.lo == 0);
    holos_position_free(p);
    p = line_play(v, KQVKR, &a.r);
    assert_null(a.r.line_end);
    assert_true(holos_terminal(v, p, &end));
    assert_int_equal(end.lo, -2);
    holos_position_free(p);
    holos_solver_close(a.solver);
    holos_knowledge_close(k);
}

/* The loser holds out as long as possible. */
static void test_tables_lose_latest(void **state)
{
    (void)state;
    holos_knowledge *k = know(SYZYGY, NULL);
    const holos_variant *v = holos_knowledge_variant(k);
    answer a = ask(v, holos_knowledge_boundary(k), NULL, "7k/8/5K2/6Q1/8/8/8/8 b - - 0 1");
    assert_int_equal(a.r.value.lo, -2);
    assert_true(a.r.best_count > 0);
    for (size_t i = 0; i < a.r.move_count; i++)
        for (size_t j = 0; j < a.r.best_count; j++)
            if (a.r.moves[i].move == a.r.best[j])
                assert_int_equal(a.r.moves[i].value.conversion, a.r.value.conversion);
    holos_solver_close(a.solver);
    holos_knowledge_close(k);
}

/* The same tables without their distances: values alone. */
static holos_status values_alone(void *context, const holos_position *p, holos_value *out, holos_error *err)
{
    const holos_boundary *tables = context;
    holos_status status = tables->find(tables->context, p, out, err);
    out->distance = out->conversion = HOLOS_NO_DISTANCE;
    return status;
}

static void test_a_line_does_not_go_round(void **state)
{
    (void)state;
    holos_knowledge *k = know(SYZYGY, NULL);
    const holos_variant *v = holos_knowledge_variant(k);
    holos_boundary tables = *holos_knowledge_boundary(k), values = {.context = &tables, .find = values_alone};
    answer a = ask(v, &values, "lookup", "8/8/8/4k3/8/8/8/KQ6 w - - 0 1");
    assert_int_equal(a.r.value.lo, 2);
    assert_in_range(a.r.line_length, 1, 100);
    assert_non_null(a.r.line_end);
    assert_non_null(strstr(a.r.line_end, "the position repeats"));
    holos_solver_close(a.solver);
    a = ask(v, &values, "lookup", "8/8/8/8/3k4/8/2b5/K6R w - - 0 1");
    assert_int_equal(a.r.line_length, 0);
    assert_non_null(strstr(a.r.line_end, "draw"));
    holos_solver_close(a.solver);
    holos_knowledge_close(k);
}

/* ---- What is known when the work is stopped ---------------------------------------------------- */

static void stop_early(const holos_engine *engine, const char *game, const char *question,
                       const holos_boundary *boundary, holos_limits limits)
{
    holos_error err;
    holos_solver *solver;
    holos_result r;
    int32_t min, max;
    holos_variant *v = variant(game);
    holos_position *p = position(v, question);
    holos_solver_options options = {.engine = engine->name, .limits = limits, .boundary = boundary};
    assert_ok(holos_solver_open(v, &options, &solver, &err), err);
    holos_status status = holos_solver_solve(solver, p, &r, &err);
    holos_score_range(v, &min, &max);
    if (status != HOLOS_OK && status != HOLOS_LIMIT && status != HOLOS_INTERRUPTED)
        fail_msg("%s: %s", engine->name, err.message);
    if (r.value.lo < min || r.value.hi > max || r.value.lo > r.value.hi)
        fail_msg("%s: [%d, %d] is not within the scores", engine->name, r.value.lo, r.value.hi);
    if (status != HOLOS_OK && r.value.lo == r.value.hi)
        fail_msg("%s: stopped, and yet it says %d", engine->name, r.value.lo);
    holos_solver_close(solver);
    holos_position_free(p);
    holos_close(v);
}

static void test_a_stopped_engine_says_only_what_it_knows(void **state)
{
    (void)state;
    static const struct {
        const char *engine, *game, *position;
    } all[] = {
        {"puzzle", "hidato", "1 . . ./. . . ./. . . ./. . . 16"},
        {"alphabeta", "connect4:7x6", "start"},
        {"deepening", "chess", "start"},
        {"proof", "chess", "start"},
        {"lookup", "kalah:2,3", "start"},
        {"retrograde", "kalah:4,3", "start"},
        {"wave", "connect4:7x6", "start"},
        {"region", "chess", "8/8/8/4k3/8/8/8/KQ6 w - - 0 1"},
        {"zeno", "reversi", "start"},
    };
    holos_knowledge *k = know(at("", "database"), NULL);
    size_t covered = 0;
    for (size_t i = 0; holos_engine_at(i) != NULL; i++)
        for (size_t j = 0; j < sizeof all / sizeof *all; j++) {
            if (strcmp(holos_engine_at(i)->name, all[j].engine) != 0)
                continue;
            const holos_boundary *boundary =
                strcmp(all[j].engine, "lookup") == 0 ? holos_knowledge_boundary(k) : NULL;
            holos_stop stop = {0};
            holos_stop_set(&stop);
            stop_early(holos_engine_at(i), all[j].game, all[j].position, boundary,
                       (holos_limits){.stop = &stop});
            stop_early(holos_engine_at(i), all[j].game, all[j].position, boundary,
                       (holos_limits){.seconds = 1e-6});
            covered++;
        }
    size_t count = 0;
    while (holos_engine_at(count) != NULL)
        count++;
    assert_int_equal(covered, count);
    holos_knowledge_close(k);
}

/* ---- What comes with holos --------------------------------------------------------------------- */

static void test_shipped_data_is_found(void **state)
{
    (void)state;
    char place[512];
    struct stat info;
    holos_error err;
    holos_knowledge *k;
    holos_variant *v = variant("connect4"), *other = variant("connect4:5x4");
    unsetenv("HOLOS_DATA");
    assert_true(holos_data_folder(place, sizeof place) < sizeof place);
    assert_int_equal(stat(place, &info), 0);
    assert_ok(holos_knowledge_open_shipped(v, NULL, &k, &err), err);
    assert_string_equal(holos_knowledge_kind(k), "book");
    holos_knowledge_close(k);
    assert_ok(holos_knowledge_open_shipped(other, NULL, &k, &err), err);
    assert_null(k);

    holos_knowledge_options empty = {.data = folder};
    assert_ok(holos_knowledge_open_shipped(v, &empty, &k, &err), err);
    assert_null(k);
    setenv("HOLOS_DATA", folder, 1);
    holos_data_folder(place, sizeof place);
    assert_string_equal(place, folder);
    assert_ok(holos_knowledge_open_shipped(v, NULL, &k, &err), err);
    assert_null(k);

    mkdir(at("", "syzygy"), 0777); /* tables lie in a folder of that name */
    text bytes;
    text_init(&bytes);
    assert_ok(file_read(unit_path(SYZYGY, "KQvK.rtbw"), 0, &bytes, &err), err);
    unit_write_file(at("", "syzygy/KQvK.rtbw"), bytes.data, bytes.length);
    text_free(&bytes);
    holos_variant *chess = variant("chess");
    assert_ok(holos_knowledge_open_shipped(chess, NULL, &k, &err), err);
    assert_string_equal(holos_knowledge_kind(k), "Syzygy tables");
    holos_knowledge_close(k);
    unsetenv("HOLOS_DATA");
    holos_close(chess);
    holos_close(other);
    holos_close(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_kind_opens_by_url_and_by_path),
        cmocka_unit_test(test_tables_of_a_game_open_by_their_folders),
        cmocka_unit_test(test_other_rules_are_refused_with_both_names),
        cmocka_unit_test(test_nothing_is_an_error),
        cmocka_unit_test(test_null_is_a_usage_error),
        cmocka_unit_test(test_urls),
        cmocka_unit_test(test_what_is_not_there_is_no_error),
        cmocka_unit_test(test_missing_tables_are_named),
        cmocka_unit_test(test_what_is_damaged_is_an_error_everywhere),
        cmocka_unit_test(test_damaged_blocks_of_tables_are_named),
        cmocka_unit_test(test_an_error_in_the_middle_ends_the_work),
        cmocka_unit_test(test_an_error_without_words_gets_some),
        cmocka_unit_test(test_what_is_known_needs_no_search),
        cmocka_unit_test(test_where_knowledge_ends_a_search_goes_on),
        cmocka_unit_test(test_tables_win_soonest_and_to_the_end),
        cmocka_unit_test(test_tables_lose_latest),
        cmocka_unit_test(test_a_line_does_not_go_round),
        cmocka_unit_test(test_a_stopped_engine_says_only_what_it_knows),
        cmocka_unit_test(test_shipped_data_is_found),
    };
    return cmocka_run_group_tests(tests, make_all, remove_all);
}
