/* SPDX-License-Identifier: MIT */

/* Graphs: the file of rows finds every flipped bit; the known counts; values as other engines find them; the same
 * rows from any number of threads, any memory and any store; and builds that were interrupted. */

#include "unit.h"

#include "core/file.h"
#include "core/rng.h"
#include "engine/wave/graph.h"
#include "engine/wave/wave.h"
#include "session/build.h"
#include "store/rows.h"

/* Races show in small graphs as well, and are looked for at a tenth of the speed. */
#ifdef __SANITIZE_THREAD__
#define LARGEST 70000
#else
#define LARGEST UINT64_MAX
#endif

static void url_in(const char *folder, const char *scheme, const char *name, char out[128])
{
    snprintf(out, 128, "%s:%s/%s", scheme, folder, name);
}

/* ---- The file of rows -------------------------------------------------------------------------- */

static holos_row *rows_make(size_t count, uint64_t seed)
{
    rng random;
    rng_init(&random, seed, 0);
    holos_row *rows = calloc(count, sizeof *rows);
    holos_key key = {0};
    for (size_t i = 0; i < count; i++) {
        uint64_t step = 1 + rng_below(&random, i % 7 == 0 ? UINT64_C(1) << 62 : 1000);
        key.lo += step;
        key.hi += (key.lo < step) + (i % 100 == 50 ? UINT64_C(1) << 50 : 0);
        rows[i] =
            (holos_row){.identity = key, .depth = (uint32_t)rng_below(&random, i % 50 == 0 ? 70000 : 40)};
        rows[i].has_value = rng_below(&random, 10) > 0;
        if (rows[i].has_value)
            rows[i].value = i % 90 == 0   ? INT32_MIN
                            : i % 91 == 0 ? INT32_MAX
                                          : (int)rng_below(&random, 60) - 30;
        rows[i].has_best = rng_below(&random, 10) > 0;
        if (rows[i].has_best)
            rows[i].best = i % 92 == 0 ? UINT32_MAX : (holos_move)rng_below(&random, 7);
    }
    return rows;
}

static bool rows_equal(const holos_row *a, const holos_row *b)
{
    return holos_key_equal(a->identity, b->identity) && a->depth == b->depth && a->value == b->value &&
           a->best == b->best && a->has_value == b->has_value && a->has_best == b->has_best;
}

static void rows_file_make(const char *path, const holos_row *rows, size_t count)
{
    rows_writer *w;
    rows_written written;
    holos_error err;
    assert_ok(rows_create(path, 77, &w, &err), err);
    for (size_t i = 0; i < count; i += 1000)
        assert_ok(rows_put(w, rows + i, count - i < 1000 ? count - i : 1000, &err), err);
    assert_ok(rows_finish(w, &written, &err), err);
    assert_int_equal(written.rows, count);
}

static void test_rows_come_back(void **state)
{
    (void)state;
    static const size_t counts[] = {0, 1, ROWS_BLOCK, ROWS_BLOCK + 1, 3 * ROWS_BLOCK - 5};
    char folder[64];
    holos_error err;
    unit_make_folder(folder);
    holos_row *back = calloc(ROWS_BLOCK, sizeof *back);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        holos_row *rows = rows_make(counts[k], k);
        const char *path = unit_path(folder, "graph.rows");
        file_view file;
        rows_view view;
        rows_file_make(path, rows, counts[k]);
        assert_ok(file_view_open(&file, path, &err), err);
        assert_ok(rows_view_open(&view, file.data, file.size, "graph.rows", &err), err);
        assert_int_equal(view.rows, counts[k]);
        assert_int_equal(view.family, 77);
        size_t at = 0;
        for (uint64_t block = 0; block < view.block_count; block++) {
            assert_ok(rows_block_read(&view, block, back, "graph.rows", &err), err);
            for (uint32_t i = 0; i < rows_of_block(&view, block); i++, at++) {
                uint64_t where;
                assert_true(rows_equal(&rows[at], &back[i]));
                assert_true(rows_block_of(&view, rows[at].identity, &where));
                assert_int_equal(where, block);
            }
        }
        assert_int_equal(at, counts[k]);
        file_view_close(&file);
        free(rows);
    }
    free(back);
    unit_remove_folder(folder);
}

static void test_rows_that_are_not_in_order_are_refused(void **state)
{
    (void)state;
    char folder[64];
    holos_error err;
    rows_writer *w;
    holos_row rows[] = {{.identity = {.lo = 2}}, {.identity = {.lo = 2}}};
    unit_make_folder(folder);
    assert_ok(rows_create(unit_path(folder, "graph.rows"), 1, &w, &err), err);
    assert_fails(rows_put(w, rows, 2, &err), err, HOLOS_USAGE, "order");
    rows_discard(w);
    assert_int_equal(unit_count_names(folder), 0);
    unit_remove_folder(folder);
}

static void test_rows_that_come_packed_make_the_same_file(void **state)
{
    (void)state;
    size_t count = 2 * ROWS_BLOCK + 77, size = 0, first = 0;
    char folder[64];
    holos_error err;
    rows_writer *w;
    rows_packer *packer;
    rows_written written;
    unit_make_folder(folder);
    holos_row *rows = rows_make(count, 5);
    unsigned char *bytes = malloc(3 * rows_packed_room());
    const char *path = unit_path(folder, "graph.rows");
    file_view one, other;
    uint64_t taken;
    rows_file_make(path, rows, count);
    assert_ok(file_view_open(&one, path, &err), err);
    assert_ok(rows_packer_open(&packer, &err), err);
    for (size_t i = 0; i < count; i += ROWS_BLOCK) {
        size_t some = 0;
        uint32_t all = count - i < ROWS_BLOCK ? (uint32_t)(count - i) : ROWS_BLOCK;
        assert_ok(rows_pack(packer, rows + i, all, bytes + size, &some, &err), err);
        assert_true(some % 4 == 0 && some <= rows_packed_room());
        size += some;
        first = i == 0 ? some : first;
    }
    assert_ok(rows_create(unit_path(folder, "packed.rows"), 77, &w, &err), err);
    assert_ok(rows_put_packed(w, bytes, size, &taken, &err), err);
    assert_int_equal(taken, count);
    assert_ok(rows_finish(w, &written, &err), err);
    assert_int_equal(written.rows, count);
    assert_ok(file_view_open(&other, unit_path(folder, "packed.rows"), &err), err);
    assert_int_equal(one.size, other.size);
    assert_memory_equal(one.data, other.data, one.size);
    /* What is damaged on its way, cut off, or out of order is refused. */
    for (size_t at = first / 2; at < first - 4; at += 997) { /* behind the head of the first block */
        bytes[at] ^= 16;
        assert_ok(rows_create(unit_path(folder, "hurt.rows"), 77, &w, &err), err);
        assert_fails(rows_put_packed(w, bytes, size, &taken, &err), err, HOLOS_IO, "damaged");
        rows_discard(w);
        bytes[at] ^= 16;
    }
    assert_ok(rows_create(unit_path(folder, "hurt.rows"), 77, &w, &err), err);
    assert_fails(rows_put_packed(w, bytes, size - 4, &taken, &err), err, HOLOS_IO, "damaged");
    rows_discard(w);
    assert_ok(rows_create(unit_path(folder, "hurt.rows"), 77, &w, &err), err);
    assert_ok(rows_put_packed(w, bytes, size, &taken, &err), err);
    assert_fails(rows_put_packed(w, bytes, size, &taken, &err), err, HOLOS_USAGE, "order");
    rows_discard(w);
    rows[7].identity = rows[6].identity;
    assert_fails(rows_pack(packer, rows, 9, bytes, &size, &err), err, HOLOS_USAGE, "order");
    rows_packer_close(packer);
    file_view_close(&one);
    file_view_close(&other);
    free(bytes);
    free(rows);
    unit_remove_folder(folder);
}

/* Reads everything there is in a file of rows. */
static holos_status rows_file_read(const unsigned char *bytes, size_t size, holos_row *room, holos_error *err)
{
    rows_view view;
    holos_status status = rows_view_open(&view, bytes, size, "graph.rows", err);
    for (uint64_t block = 0; status == HOLOS_OK && block < view.block_count; block++)
        status = rows_block_read(&view, block, room, "graph.rows", err);
    return status;
}

static void test_every_flipped_bit_is_found(void **state)
{
    (void)state;
    char folder[64];
    holos_error err;
    text bytes;
    unit_make_folder(folder);
    holos_row *rows = rows_make(200, 9), *room = calloc(ROWS_BLOCK, sizeof *room);
    const char *path = unit_path(folder, "graph.rows");
    rows_file_make(path, rows, 200);
    text_init(&bytes);
    assert_ok(file_read(path, 0, &bytes, &err), err);
    unsigned char *data = (unsigned char *)bytes.data;
    assert_ok(rows_file_read(data, bytes.length, room, &err), err);
    for (size_t bit = 0; bit < 8 * bytes.length; bit++) {
        data[bit / 8] ^= (unsigned char)(1 << bit % 8);
        assert_int_equal(rows_file_read(data, bytes.length, room, &err), HOLOS_BAD_FILE);
        data[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    for (size_t size = 0; size < bytes.length; size++)
        assert_int_equal(rows_file_read(data, size, room, &err), HOLOS_BAD_FILE);
    text_free(&bytes);
    free(rows);
    free(room);
    unit_remove_folder(folder);
}

/* ---- Counts and values ------------------------------------------------------------------------- */

static void test_graphs_have_the_known_counts(void **state)
{
    (void)state;
    static const struct {
        const char *game;
        uint64_t positions, finished, edges;
    } cases[] = {
        {"kalah:2,1", 9, 0, 0},
        {"kalah:2,2", 26, 0, 0},
        {"kalah:2,3", 160, 0, 0},
        {"kalah:3,1", 81, 0, 0},
        {"kalah:3,2", 4001, 595, 5565},
        {"kalah:3,3", 29274, 0, 0},
        {"kalah:4,1", 2646, 0, 0},
        {"kalah:4,2", 315147, 0, 0},
        {"kalah:5,1", 60949, 0, 0},
        {"kalah:6,1", 1218928, 0, 0},
        {"connect4:4x4", 161029, 0, 0},
        {"kalah:4,3", 5255649, 62167, 13788458},
        {"kalah:4,3,empty-capture,majority-stop", 4604996, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        holos_error err;
        holos_variant *v;
        build_report report;
        if (cases[i].positions > LARGEST)
            continue;
        assert_ok(holos_open(cases[i].game, &v, &err), err);
        build_request b = {.v = v, .threads = 2, .memory = 768 << 20};
        assert_ok(build_graph(&b, &report, &err), err);
        if (report.positions != cases[i].positions)
            fail_msg("%s: %llu positions instead of %llu", cases[i].game,
                     (unsigned long long)report.positions, (unsigned long long)cases[i].positions);
        assert_int_equal(report.edges, report.positions - 1 + report.duplicates);
        if (cases[i].finished > 0) {
            assert_int_equal(report.finished, cases[i].finished);
            assert_int_equal(report.edges, cases[i].edges);
        }
        assert_true(report.has_start);
        build_report_free(&report);
        holos_close(v);
    }
}

typedef struct comparison {
    const holos_variant *v;
    holos_solver *solver;
    holos_position *p, *next;
    uint64_t rows;
    holos_key last;
} comparison;

static bool row_compare(void *context, const holos_row *row)
{
    comparison *c = context;
    holos_result r;
    holos_error err;
    int32_t over;
    assert_true(c->rows == 0 || holos_key_less(c->last, row->identity));
    c->last = row->identity;
    c->rows++;
    c->v->game->from_identity(c->v, row->identity, c->p);
    assert_ok(holos_solver_solve(c->solver, c->p, &r, &err), err);
    assert_true(row->has_value);
    assert_int_equal(r.value.lo, r.value.hi);
    assert_int_equal(row->value, r.value.lo);
    assert_int_equal(row->has_best, !c->v->game->terminal(c->v, c->p, &over));
    if (!row->has_best)
        return true;
    holos_edge edge = c->v->game->play(c->v, c->p, row->best, c->next);
    assert_ok(holos_solver_solve(c->solver, c->next, &r, &err), err);
    assert_int_equal(row->value, (edge.flags & HOLOS_EDGE_SAME_SIDE) != 0 ? r.value.lo : -r.value.lo);
    return true;
}

static void test_values_are_those_of_a_search(void **state)
{
    (void)state;
    static const char *const games[] = {"kalah:2,3",
                                        "kalah:3,2",
#ifndef __SANITIZE_THREAD__
                                        "kalah:5,1,majority-stop",
#endif
                                        "kalah:3,2,empty-capture",
                                        "kalah:3,2,majority-stop",
                                        "kalah:3,2,mover-end",
                                        "kalah:3,2,empty-capture,majority-stop,mover-end",
                                        "connect4:3x3",
                                        "nim"};
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        char folder[64], url[128];
        holos_error err;
        holos_variant *v;
        build_report report;
        store *s;
        unit_make_folder(folder);
        url_in(folder, "sqlite", "a.db", url);
        assert_ok(holos_open(games[i], &v, &err), err);
        build_request b = {.v = v, .url = url, .mode = STORE_CREATE, .threads = 2, .memory = 256 << 20};
        assert_ok(build_graph(&b, &report, &err), err);
        store_options o = {.mode = STORE_READ, .v = v};
        holos_solver_options how = {.engine = "alphabeta"};
        comparison c = {.v = v, .p = holos_position_new(v), .next = holos_position_new(v)};
        assert_ok(store_open(url, &o, &s, &err), err);
        assert_ok(holos_solver_open(v, &how, &c.solver, &err), err);
        assert_ok(s->backend->scan(s, &STORE_ALL, row_compare, &c, &err), err);
        assert_int_equal(c.rows, report.positions);
        holos_solver_close(c.solver);
        holos_position_free(c.p);
        holos_position_free(c.next);
        store_close(s);
        build_report_free(&report);
        holos_close(v);
        unit_remove_folder(folder);
    }
}

static void test_games_without_a_graph_say_why(void **state)
{
    (void)state;
    holos_error err;
    holos_variant *v;
    build_report report;
    assert_ok(holos_open("sudoku", &v, &err), err);
    build_request b = {.v = v, .threads = 1, .memory = 64 << 20};
    assert_fails(build_graph(&b, &report, &err), err, HOLOS_UNSUPPORTED, "no start position");
    build_report_free(&report);
    holos_close(v);
    assert_ok(holos_open("chess", &v, &err), err);
    b.v = v;
    assert_fails(build_graph(&b, &report, &err), err, HOLOS_UNSUPPORTED, "do not fit into a key");
    build_report_free(&report);
    holos_close(v);
}

/* ---- The same rows, however they are made ------------------------------------------------------ */

static holos_status graph_build(const char *game, const char *url, store_mode mode, unsigned threads,
                                uint64_t memory, const char *spill, holos_error *err)
{
    holos_variant *v;
    build_report report;
    assert_ok(holos_open(game, &v, err), *err);
    build_request b = {
        .v = v, .url = url, .mode = mode, .threads = threads, .memory = memory, .spill = spill};
    holos_status status = build_graph(&b, &report, err);
    build_report_free(&report);
    holos_close(v);
    return status;
}

static void assert_same_file(const char *a, const char *b)
{
    text x, y;
    holos_error err;
    text_init(&x);
    text_init(&y);
    assert_ok(file_read(a, 0, &x, &err), err);
    assert_ok(file_read(b, 0, &y, &err), err);
    assert_int_equal(x.length, y.length);
    assert_memory_equal(x.data, y.data, x.length);
    text_free(&x);
    text_free(&y);
}

static void test_rows_do_not_depend_on_threads_or_memory(void **state)
{
    (void)state;
    static const struct {
        const char *game;
        uint64_t little; /* memory */
    } cases[] = {{"kalah:4,2", 6 << 20}, {"kalah:5,1,majority-stop", 3 << 20}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char folder[64], url[128], one[128];
        holos_error err;
        const char *game = cases[i].game;
        unit_make_folder(folder);
        url_in(folder, "file", "one", url);
        assert_ok(graph_build(game, url, STORE_CREATE, 1, 512 << 20, NULL, &err), err);
        snprintf(one, sizeof one, "%s/one/graph.rows", folder);
        for (unsigned threads = 1; threads <= 2; threads++) {
            char name[16], path[128];
            snprintf(name, sizeof name, "spilled%u", threads);
            url_in(folder, "file", name, url);
            /* Without the folder it does not fit: so with it something was written there. */
            assert_fails(graph_build(game, NULL, STORE_CREATE, threads, cases[i].little, NULL, &err), err,
                         HOLOS_LIMIT, "--spill");
            assert_ok(graph_build(game, url, STORE_CREATE, threads, cases[i].little, folder, &err), err);
            snprintf(path, sizeof path, "%s/%s/graph.rows", folder, name);
            assert_same_file(one, path);
            snprintf(path, sizeof path, "%s/%s", folder, name);
            unit_remove_folder(path);
        }
        url_in(folder, "file", "two", url);
        assert_ok(graph_build(game, url, STORE_CREATE, 2, 512 << 20, NULL, &err), err);
        char path[128];
        snprintf(path, sizeof path, "%s/two/graph.rows", folder);
        assert_same_file(one, path);
        snprintf(path, sizeof path, "%s/two", folder);
        unit_remove_folder(path);
        snprintf(path, sizeof path, "%s/one", folder);
        unit_remove_folder(path);
        unit_remove_folder(folder);
    }
}

/* ---- Stores ------------------------------------------------------------------------------------ */

typedef struct some_rows {
    store *to;
    uint64_t left;
} some_rows;

static bool row_put(void *context, const holos_row *row)
{
    some_rows *some = context;
    holos_error err;
    assert_ok(some->to->backend->put(some->to, row, 1, &err), err);
    return --some->left > 0;
}

typedef struct row_list {
    holos_row *rows;
    uint64_t count;
} row_list;

static bool row_keep(void *context, const holos_row *row)
{
    row_list *list = context;
    list->rows[list->count++] = *row;
    return true;
}

static void test_an_interrupted_build_goes_on(void **state)
{
    (void)state;
    static const char *const schemes[] = {"file", "sqlite"};
    for (size_t i = 0; i < 2; i++) {
        char folder[64], whole[128], url[128];
        holos_error err;
        holos_variant *v;
        store *from, *to;
        unit_make_folder(folder);
        url_in(folder, schemes[i], "whole", whole);
        url_in(folder, schemes[i], "part", url);
        assert_ok(graph_build("kalah:3,3", whole, STORE_CREATE, 1, 64 << 20, NULL, &err), err);
        assert_ok(holos_open("kalah:3,3", &v, &err), err);
        store_options read = {.mode = STORE_READ, .v = v};
        store_options create = {.mode = STORE_CREATE, .kind = STORE_GRAPH, .v = v};
        assert_ok(store_open(whole, &read, &from, &err), err);
        assert_ok(store_open(url, &create, &to, &err), err);
        some_rows some = {.to = to, .left = 10000};
        assert_ok(from->backend->scan(from, &STORE_ALL, row_put, &some, &err), err);
        store_close(to); /* as an interrupted build does */
        assert_ok(store_open(url, &read, &to, &err), err);
        store_facts facts;
        to->backend->facts(to, &facts);
        assert_false(facts.complete);
        assert_int_equal(facts.positions, i == 0 ? 0 : ROWS_BLOCK);
        store_close(to);
        assert_fails(graph_build("kalah:3,3", url, STORE_CREATE, 1, 64 << 20, NULL, &err), err, HOLOS_USAGE,
                     "--restart");
        assert_ok(graph_build("kalah:3,3", url, STORE_RESUME, 1, 64 << 20, NULL, &err), err);
        assert_ok(graph_build("kalah:3,3", url, STORE_RESUME, 1, 64 << 20, NULL, &err), err);
        assert_ok(store_open(url, &read, &to, &err), err);
        to->backend->facts(to, &facts);
        assert_true(facts.complete);
        row_list a = {.rows = calloc(29274, sizeof *a.rows)}, b = {.rows = calloc(29274, sizeof *b.rows)};
        assert_ok(from->backend->scan(from, &STORE_ALL, row_keep, &a, &err), err);
        assert_ok(to->backend->scan(to, &STORE_ALL, row_keep, &b, &err), err);
        assert_int_equal(a.count, 29274);
        assert_int_equal(b.count, 29274);
        for (size_t k = 0; k < 29274; k++)
            assert_true(rows_equal(&a.rows[k], &b.rows[k]));
        free(a.rows);
        free(b.rows);
        store_close(from);
        store_close(to);
        holos_close(v);
        if (i == 0) {
            unit_remove_folder(unit_path(folder, "whole"));
            unit_remove_folder(unit_path(folder, "part"));
        }
        unit_remove_folder(folder);
    }
}

/* ---- Checkpoints ------------------------------------------------------------------------------- */

typedef struct disk_pause {
    const char *path;
    bool on_disk;
} disk_pause;

/* Saves a graph that has gone to disk, and ends its run as if it had been killed. */
static holos_status pause_on_disk(void *context, holos_wave *w, holos_error *err)
{
    disk_pause *p = context;
    p->on_disk = w->nodes.runs != NULL;
    if (!p->on_disk)
        return HOLOS_OK;
    assert_ok(wave_save(w, p->path, -1, CLOCK_NEVER, err), *err);
    return error_set(err, HOLOS_IO, HOLOS_NOWHERE, "killed");
}

static holos_status row_collect(void *context, const holos_row *rows, size_t count, holos_error *err)
{
    row_list *list = context;
    (void)err;
    memcpy(list->rows + list->count, rows, count * sizeof *rows);
    list->count += count;
    return HOLOS_OK;
}

/* Reaches and solves a graph and collects its rows. */
static void rows_reach(const holos_variant *v, const char *spill, uint64_t memory, const graph_pauses *pauses,
                       row_list *out)
{
    holos_wave_options o = {.threads = 2, .spill = spill};
    holos_wave *w;
    holos_error err;
    mem_budget budget;
    mem_budget_init(&budget, memory);
    assert_ok(graph_reach(v, &o, &budget, 0, pauses, &w, &err), err);
    assert_int_equal(graph_went_on(w), pauses != NULL);
    assert_ok(graph_solve(w, NULL, NULL, 0, &err), err);
    assert_ok(graph_rows(w, NULL, NULL, row_collect, out, &err), err);
    holos_wave_close(w);
}

static void test_a_graph_on_disk_goes_on_from_a_checkpoint(void **state)
{
    (void)state;
    enum { ROWS = 315147, LITTLE = 6 << 20 };
    char folder[64];
    holos_error err;
    holos_variant *v;
    holos_wave *w;
    mem_budget budget;
    unit_make_folder(folder);
    char *path = strdup(unit_path(folder, "graph.reached"));
    disk_pause paused = {.path = path};
    graph_pauses pauses = {.seconds = 0.001, .pause = pause_on_disk, .context = &paused};
    holos_wave_options o = {.threads = 2, .spill = folder};
    assert_ok(holos_open("kalah:4,2", &v, &err), err);
    mem_budget_init(&budget, LITTLE);
    assert_fails(graph_reach(v, &o, &budget, 0, &pauses, &w, &err), err, HOLOS_IO, "killed");
    assert_true(paused.on_disk);
    holos_wave_close(w);

    row_list a = {.rows = calloc(ROWS, sizeof *a.rows)}, b = {.rows = calloc(ROWS, sizeof *b.rows)};
    pauses = (graph_pauses){.from = path};
    rows_reach(v, NULL, 512 << 20, NULL, &a);
    rows_reach(v, folder, LITTLE, &pauses, &b);
    assert_int_equal(a.count, ROWS);
    assert_int_equal(b.count, ROWS);
    for (size_t i = 0; i < ROWS; i++)
        assert_true(rows_equal(&a.rows[i], &b.rows[i]));
    free(a.rows);
    free(b.rows);
    free(path);
    holos_close(v);
    unit_remove_folder(folder);
}

static void test_the_store_is_looked_at_before_the_work(void **state)
{
    (void)state;
    char folder[64], url[128];
    holos_error err;
    holos_variant *v;
    build_report report;
    unit_make_folder(folder);
    url_in(folder, "sqlite", "a.db", url);
    assert_ok(graph_build("kalah:2,2", url, STORE_CREATE, 1, 64 << 20, NULL, &err), err);
    assert_ok(holos_open("kalah:2,2", &v, &err), err);
    build_request b = {.v = v, .url = url, .mode = STORE_CREATE, .threads = 1, .memory = 64 << 20};
    assert_fails(build_graph(&b, &report, &err), err, HOLOS_USAGE, "--restart");
    assert_int_equal(report.positions, 0);
    build_report_free(&report);
    holos_close(v);
    unit_remove_folder(folder);
}

static void test_a_position_that_is_not_there_is_not_found(void **state)
{
    (void)state;
    char folder[64], url[128];
    holos_error err;
    store *s;
    unit_make_folder(folder);
    url_in(folder, "file", "a", url);
    assert_ok(graph_build("kalah:3,2", url, STORE_CREATE, 1, 64 << 20, NULL, &err), err);
    /* Hardly any cache: blocks come and go. */
    store_options o = {.mode = STORE_READ, .cache = 1};
    assert_ok(store_open(url, &o, &s, &err), err);
    holos_position *p = holos_position_new(s->v);
    static const struct {
        const char *position;
        bool there;
    } cases[] = {{"start", true},
                 {"0,0,0,0/0,0,0,0 1", false},
                 {"2,2,2,0/2,2,2,0 2", false},
                 {"99,0,0,0/0,0,0,0 1", false},
                 {"0,3,3,0/2,2,2,0 2", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int32_t score;
        bool found;
        assert_ok(holos_parse(s->v, cases[i].position, p, &err), err);
        assert_ok(store_score(s, p, &score, &found, &err), err);
        assert_int_equal(found, cases[i].there);
    }
    holos_position_free(p);
    store_close(s);
    unit_remove_folder(unit_path(folder, "a"));
    unit_remove_folder(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_come_back),
        cmocka_unit_test(test_rows_that_come_packed_make_the_same_file),
        cmocka_unit_test(test_rows_that_are_not_in_order_are_refused),
        cmocka_unit_test(test_every_flipped_bit_is_found),
        cmocka_unit_test(test_graphs_have_the_known_counts),
        cmocka_unit_test(test_values_are_those_of_a_search),
        cmocka_unit_test(test_games_without_a_graph_say_why),
        cmocka_unit_test(test_rows_do_not_depend_on_threads_or_memory),
        cmocka_unit_test(test_an_interrupted_build_goes_on),
        cmocka_unit_test(test_a_graph_on_disk_goes_on_from_a_checkpoint),
        cmocka_unit_test(test_the_store_is_looked_at_before_the_work),
        cmocka_unit_test(test_a_position_that_is_not_there_is_not_found),
    };
    UNIT_MAIN(tests);
}
