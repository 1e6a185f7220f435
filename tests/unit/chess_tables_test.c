/* SPDX-License-Identifier: MIT */

/* Tables of chess endings: the reader against Syzygy's own files, the generator against published counts and against the
 * reader, our files against the generator. */

#include "unit.h"

#include "core/rng.h"
#include "games/chess/fen.h"
#include "games/chess/tables/endings.h"
#include "games/chess/tables/generate.h"
#include "games/chess/tables/memory.h"
#include "games/chess/tables/probe.h"
#include "games/chess/tables/syzygy.h"
#include "games/chess/tables/write.h"

#define REAL TEST_DATA "/chess/syzygy"

static index_maps maps;

/* ---- Tables that tests share ------------------------------------------------------------------- */

typedef struct shelf {
    tb_table tables[40];
    size_t count;
} shelf;

static shelf made;

static const tb_table *shelf_find(void *context, tb_key key)
{
    shelf *s = context;
    for (size_t i = 0; i < s->count; i++)
        if (s->tables[i].layout.key == key)
            return &s->tables[i];
    return NULL;
}

static tb_key key_named(const char *name)
{
    tb_key key;
    holos_error err;
    assert_ok(key_parse(name, &key, &err), err);
    return key;
}

/* A table and all that it depends on, made when it is first asked for. */
static const tb_table *table_named(const char *name)
{
    tb_key keys[64];
    holos_error err;
    size_t count = key_closure(key_named(name), keys, 64);
    for (size_t i = 0; i < count; i++) {
        tb_table *t = &made.tables[made.count];
        if (shelf_find(&made, keys[i]) != NULL)
            continue;
        assert_ok(tb_table_alloc(t, &maps, keys[i], NULL, &err), err);
        assert_ok(tb_table_generate(t, &maps, shelf_find, &made, NULL, NULL, NULL, &err), err);
        made.count++;
    }
    return shelf_find(&made, key_named(name));
}

/* The position at an address; false if there is none. */
static bool position_of(const tb_table *t, uint64_t address, unsigned side, chess_position *out)
{
    static row_geometry g;
    const tb_layout *l = &t->layout;
    uint8_t pawns[LAYOUT_EXTRAS_MOST];
    if (t->mate[side][address] == MATE_NONE)
        return false;
    geometry_init(&g, &maps, l);
    layout_slice_pawns(l, &maps, (uint32_t)((address >> 6) / l->rows), pawns);
    row_view v = row_look(l, &g, 0, (uint32_t)((address >> 6) % l->rows));
    *out = (chess_position){.side = (uint8_t)side, .number = 1};
    position_put(out, piece_make(CHESS_WHITE, CHESS_KING), v.king);
    position_put(out, piece_make(CHESS_BLACK, CHESS_KING), address & 63);
    for (unsigned i = 0; i < l->mover_count; i++)
        position_put(out, l->movers[i], v.movers[i]);
    for (unsigned i = 0; i < l->pawn_count; i++)
        position_put(out, l->pawns[i], pawns[i]);
    return true;
}

/* ---- Materials and numbers --------------------------------------------------------------------- */

static void test_materials_have_one_name(void **state)
{
    (void)state;
    char name[TB_NAME_SIZE];
    holos_error err;
    tb_key key, keys[64];
    assert_string_equal(key_name(key_named("krkq"), name), "KQvKR");
    assert_string_equal(key_name(key_named("KvKP"), name), "KPvK");
    assert_string_equal(key_name(key_named("KQvKNN"), name), "KNNvKQ");
    assert_fails(key_parse("KXvK", &key, &err), err, HOLOS_USAGE, "'X'");
    assert_fails(key_parse("K", &key, &err), err, HOLOS_USAGE, "KQvKR");
    assert_int_equal(key_all(3, keys, 64), 5);
    assert_int_equal(key_all(4, keys, 64), 35);
    assert_int_equal(key_closure(key_named("KQvKR"), keys, 64), 3);
    assert_int_equal(keys[2], key_named("KQvKR")); /* after what it depends on */
}

static void test_numbers_and_squares_belong_together(void **state)
{
    (void)state;
    static const uint8_t orders[][5] = {
        {6, 14, 5, 12, 0}, {14, 5, 6, 12, 0}, {6, 14, 3, 3, 0}, {1, 9, 6, 14, 0}};
    static const char *const names[] = {"KQvKR", "KQvKR", "KBBvK", "KPvKP"};
    for (unsigned i = 0; i < 4; i++) {
        index_shape shape = index_shape_of(key_named(names[i]));
        index_encoding e = {.piece_count = 4, .file = 2};
        memcpy(e.pieces, orders[i], 4);
        assert_true(index_encode_init(&e, &maps, &shape, i == 3 ? 3 : 1, 2));
        for (uint64_t number = 0; number < e.size; number += 97) {
            uint8_t squares[TB_PIECES_MOST];
            assert_true(index_unrank(&e, &maps, number, squares));
            assert_int_equal(index_rank(&e, &maps, squares), number);
        }
    }
}

/* ---- The generator ----------------------------------------------------------------------------- */

typedef struct known_counts {
    const char *name;
    uint64_t white[3], black[3]; /* won, drawn, lost */
    unsigned zeroing, mate;
} known_counts;

static void test_counts_are_the_published_ones(void **state)
{
    (void)state;
    static const known_counts known[] = {
        {"KQvK", {18081, 0, 0}, {0, 2896, 25160}, 20, 10},
        {"KRvK", {21959, 0, 0}, {0, 2796, 25260}, 32, 16},
        {"KPvK", {62480, 19184, 0}, {0, 35210, 48802}, 20, 28},
        {"KBNvK", {1352913, 6665, 0}, {0, 309147, 1398741}, 66, 33},
        {"KQvKR", {1108111, 8963, 2142}, {386313, 78518, 883075}, 62, 35},
    };
    static const unsigned classes[] = {CLASS_WIN, CLASS_DRAW, CLASS_LOSS};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        tb_table_counts counts;
        tb_table_count(table_named(known[i].name), &maps, NULL, &counts);
        for (unsigned k = 0; k < 3; k++) {
            assert_int_equal(counts.classes[CHESS_WHITE][classes[k]], known[i].white[k]);
            assert_int_equal(counts.classes[CHESS_BLACK][classes[k]], known[i].black[k]);
        }
        assert_int_equal(counts.distance_most, known[i].zeroing);
        assert_int_equal(counts.mate_most, known[i].mate);
    }
}

static void test_longest_mates_are_the_published_ones(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned moves;
    } known[] = {{"KBBvK", 19}, {"KRvKB", 29}, {"KRvKN", 40}, {"KQvKQ", 13}, {"KPvKP", 33}};
    bool all = getenv("HOLOS_LONG_TESTS") != NULL;
    for (size_t i = 0; i < (all ? 5 : 2); i++) {
        tb_table_counts counts;
        tb_table_count(table_named(known[i].name), &maps, NULL, &counts);
        assert_int_equal(counts.mate_most, known[i].moves);
    }
}

/* ---- The generator against the rules ------------------------------------------------------------ */

/* What the tables in memory say of a position without en passant. */
static void table_look(const chess_position *p, unsigned *mate, unsigned *distance)
{
    tb_key key = key_of(p);
    *mate = MATE_DRAW;
    *distance = 0;
    if (key == TB_BARE_KINGS)
        return;
    const tb_table *t = shelf_find(&made, key_canonical(key));
    assert_non_null(t);
    const tb_layout *l = &t->layout;
    unsigned colour = key != l->key;
    tb_placement at = {0};
    layout_place(l, p, colour, &at);
    uint64_t address = layout_index(l, &maps, &at);
    *mate = t->mate[p->side ^ colour][address];
    *distance = t->distance[p->side ^ colour][address];
}

/* The same where a pawn can be taken in passing; only the mate byte and the class. */
static void position_look(const chess_position *p, unsigned *mate, unsigned *class, unsigned *distance)
{
    table_look(p, mate, distance);
    *class = class_of(*mate, *distance);
    if (p->en_passant == 0)
        return;
    chess_position plain = *p;
    plain.en_passant = 0;
    bool must = position_count_moves(&plain) == 0;
    SET_EACH (from, en_passant_pawns(p, p->side, p->en_passant)) {
        chess_position next;
        unsigned m, d;
        position_make(p, move_make((unsigned)from, p->en_passant, CHESS_PAWN, CHESS_ANY), &next);
        table_look(&next, &m, &d);
        unsigned c = 6 - class_of(m, d);
        *mate = must || mate_negate(m) > *mate ? mate_negate(m) : *mate;
        *class = must || c > *class ? c : *class;
        must = false;
    }
}

/* A position's values follow from those of its moves, which the rules give one by one. */
static void check_by_moves(const chess_position *p)
{
    chess_move moves[CHESS_MOVES_MOST];
    unsigned count = position_moves(p, moves), mate, distance, best = 0, best_class = 0, quick = 1000,
             slow = 0;
    for (unsigned i = 0; i < count; i++) {
        chess_position next;
        unsigned m, c, d;
        position_make(p, moves[i], &next);
        position_look(&next, &m, &c, &d);
        best = mate_negate(m) > best ? mate_negate(m) : best;
        bool zeroing = move_is_zeroing(p, moves[i]);
        unsigned plies = zeroing ? (c == CLASS_BLESSED || c == CLASS_CURSED ? DISTANCE_RULE + 1 : 1) : d + 1;
        /* The rule may be overstepped by this very ply. */
        unsigned class = zeroing ? 6 - c : class_of(mate_negate(m), plies);
        best_class = class > best_class ? class : best_class;
        quick = mate_is_loss(m) && plies < quick ? plies : quick;
        slow = mate_is_win(m) && plies > slow ? plies : slow;
    }
    table_look(p, &mate, &distance);
    if (count == 0)
        best = position_in_check(p, p->side) ? 1 : MATE_DRAW;
    assert_int_equal(mate, best);
    if (mate_is_win(mate))
        assert_int_equal(distance, quick);
    else if (mate_is_loss(mate) && count > 0)
        assert_int_equal(distance, slow);
    else
        assert_int_equal(distance, 0);
    if (count > 0)
        assert_int_equal(class_of(mate, distance), best_class);
}

static void check_table(const char *name, unsigned samples)
{
    const tb_table *t = table_named(name);
    rng r;
    rng_init(&r, 4, 0);
    for (unsigned i = 0; i < samples; i++) {
        chess_position p;
        if (position_of(t, rng_below(&r, t->size), i & 1, &p))
            check_by_moves(&p);
    }
}

static void test_values_follow_from_moves(void **state)
{
    (void)state;
    check_table("KQvKR", 100000);
    check_table("KRvKB", 100000);
    check_table("KPvK", 100000);
    if (getenv("HOLOS_LONG_TESTS") == NULL)
        return;
    check_table("KPvKP", 1000000); /* en passant */
    check_table("KRBvKR", 1000000);
    check_table("KNPvKN", 1000000);
}

/* ---- Reader and generator ---------------------------------------------------------------------- */

/* One position: the classes agree; DTZ may be one short by design. False if there is none at the address. */
static bool compare(tablebase *files, const tb_table *t, uint64_t address, unsigned side, bool dtm)
{
    chess_position p;
    int wdl, dtz;
    unsigned mate;
    if (!position_of(t, address, side, &p))
        return false;
    int class = (int)class_of(t->mate[side][address], t->distance[side][address]) - 3;
    assert_int_equal(tablebase_wdl(files, &p, &wdl), TB_FOUND);
    assert_int_equal(wdl, class);
    assert_int_equal(tablebase_dtz(files, &p, &dtz), TB_FOUND);
    int distance = t->distance[side][address];
    distance = class < 0 && distance == 0 ? 1 : distance; /* mate is -1 */
    assert_true((dtz > 0) - (dtz < 0) == (class > 0) - (class < 0));
    assert_true(class == 0 || distance - abs(dtz) == 0 || distance - abs(dtz) == 1);
    if (dtm) {
        assert_int_equal(tablebase_dtm(files, &p, &mate), TB_FOUND);
        assert_int_equal(mate, t->mate[side][address]);
    }
    return true;
}

/* So many positions at random, or with 0 all of them. */
static void compare_table(const char *folder, const char *name, uint64_t samples, bool dtm)
{
    tablebase *files;
    holos_error err;
    rng r;
    const tb_table *t = table_named(name);
    assert_ok(tablebase_open(folder, &files, &err), err);
    rng_init(&r, 1, 0);
    for (uint64_t compared = 0; compared < samples;)
        compared += compare(files, t, rng_below(&r, t->size), (unsigned)rng_below(&r, 2), dtm);
    for (uint64_t i = 0; samples == 0 && i < 2 * t->size; i++)
        compare(files, t, i / 2, i % 2, dtm);
    tablebase_close(files);
}

static void test_every_three_piece_position_agrees_with_the_real_tables(void **state)
{
    (void)state;
    static const char *const names[] = {"KQvK", "KRvK", "KBvK", "KNvK", "KPvK"};
    for (unsigned i = 0; i < 5; i++)
        compare_table(REAL, names[i], 0, false);
}

static void test_random_four_piece_positions_agree_with_the_real_tables(void **state)
{
    (void)state;
    uint64_t samples = getenv("HOLOS_LONG_TESTS") != NULL ? 1000000 : 50000;
    compare_table(REAL, "KQvKR", samples, false);
    compare_table(REAL, "KRvKB", samples, false);
}

/* Of every ending of four pieces, a million positions in all, by Syzygy's tables in the folder that the environment
 * variable HOLOS_SYZYGY names: they are too large to come along with the tests. */
static void test_a_million_four_piece_positions_agree_with_the_real_tables(void **state)
{
    (void)state;
    const char *folder = getenv("HOLOS_SYZYGY");
    tb_key keys[64];
    size_t count = key_all(4, keys, 64), endings = 0;
    char name[TB_NAME_SIZE];
    for (size_t i = 0; i < count; i++)
        endings += key_pieces(keys[i]) == 4;
    for (size_t i = 0; i < count; i++) {
        if (key_pieces(keys[i]) != 4)
            continue;
        fprintf(stderr, "%s\n", key_name(keys[i], name));
        compare_table(folder, name, 1000000 / endings + 1, false);
    }
}

static void test_our_files_say_what_was_made(void **state)
{
    (void)state;
    static const char *const names[] = {"KBvK", "KRvK", "KQvK", "KNvK", "KPvK", "KQvKR", "KRvKB"};
    char folder[64];
    holos_error err;
    unit_make_folder(folder);
    for (unsigned i = 0; i < 7; i++)
        for (unsigned kind = 0; kind < SYZYGY_KINDS; kind++)
            assert_ok(syzygy_write(table_named(names[i]), &maps, kind, folder, NULL, NULL, NULL, &err), err);
    for (unsigned i = 0; i < 7; i++)
        compare_table(folder, names[i], i < 5 ? 0 : 50000, true);
    unit_remove_folder(folder);
}

/* Some programs read DTZ of a lost position before they look at its moves. So what is stored there must be true, also where only
 * zeroing moves are left. */
static void check_stored_losses(const char *name)
{
    const tb_table *t = table_named(name);
    char folder[64], file[32];
    holos_error err;
    syzygy s;
    uint64_t compared = 0, only_zeroing = 0;
    unit_make_folder(folder);
    assert_ok(syzygy_write(t, &maps, SYZYGY_DTZ, folder, NULL, NULL, NULL, &err), err);
    snprintf(file, sizeof file, "%s.rtbz", name);
    assert_ok(syzygy_open(&s, &maps, key_named(name), SYZYGY_DTZ, unit_path(folder, file), &err), err);
    for (uint64_t i = 0; i < 2 * t->size; i++) {
        chess_position p;
        int stored, wdl = (int)class_of(t->mate[i % 2][i / 2], t->distance[i % 2][i / 2]) - 3;
        if (wdl >= 0 || !position_of(t, i / 2, i % 2, &p) ||
            syzygy_get(&s, &maps, &p, key_of(&p), wdl, &stored) != SYZYGY_FOUND)
            continue;
        int distance = t->distance[i % 2][i / 2] - (wdl == -1 ? DISTANCE_RULE : 0);
        assert_in_range(stored, distance > 1 ? distance - 1 : 1, distance > 1 ? distance : 1);
        compared++;
        only_zeroing += t->distance[i % 2][i / 2] == 1;
    }
    assert_true(compared > 0 && only_zeroing > 0);
    syzygy_close(&s);
    unit_remove_folder(folder);
}

static void test_losses_are_stored_even_where_only_zeroing_moves_are_left(void **state)
{
    (void)state;
    check_stored_losses("KNvKP");
    if (getenv("HOLOS_LONG_TESTS") != NULL)
        check_stored_losses("KPvKP");
}

/* A win in 101 plies is spoiled by the rule; one ply later it is a plain win in 100. */
static void test_reading_at_the_edge_of_the_fifty_move_rule(void **state)
{
    (void)state;
    static const char *const names[] = {"KBNvKN", "KBNvK", "KBvKN", "KNNvK", "KNvKN", "KBvK", "KNvK"};
    char folder[64];
    holos_error err;
    tablebase *files;
    uint64_t cursed = 0;
    if (getenv("HOLOS_LONG_TESTS") == NULL)
        return; /* five pieces take a minute */
    const tb_table *t = table_named("KBNvKN");
    unit_make_folder(folder);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        for (unsigned kind = SYZYGY_WDL; kind <= SYZYGY_DTZ; kind++)
            assert_ok(syzygy_write(table_named(names[i]), &maps, kind, folder, NULL, NULL, NULL, &err), err);
    assert_ok(tablebase_open(folder, &files, &err), err);
    for (uint64_t i = 0; i < 2 * t->size; i++) {
        unsigned distance = t->distance[i % 2][i / 2];
        if (distance >= DISTANCE_RULE - 2)
            cursed += compare(files, t, i / 2, i % 2, false);
    }
    assert_true(cursed > 200);
    tablebase_close(files);
    unit_remove_folder(folder);
}

/* ---- Tables that are read while others are made -------------------------------------------------- */

static void assert_same_files(const char *folder, const char *other, const char *name, unsigned kinds)
{
    for (unsigned kind = 0; kind < kinds; kind++) {
        char file[32];
        text a, b;
        holos_error err;
        text_init(&a);
        text_init(&b);
        snprintf(file, sizeof file, "%s%s", name, syzygy_suffix(kind));
        assert_ok(file_read(unit_path(folder, file), 0, &a, &err), err);
        assert_ok(file_read(unit_path(other, file), 0, &b, &err), err);
        assert_int_equal(a.length, b.length);
        assert_memory_equal(a.data, b.data, a.length);
        text_free(&a);
        text_free(&b);
    }
}

static void tables_make(const char *folder, const char *name, unsigned kept)
{
    holos_error err;
    endings_report report;
    endings_request request = {.name = name, .folder = folder, .threads = 1, .kept_pieces = kept};
    assert_ok(endings_make(&request, &report, &err), err);
    free(report.endings);
}

/* Whether the tables below are in memory or in files makes no difference to a byte. */
static void test_tables_made_from_files_are_the_same(void **state)
{
    (void)state;
    bool all = getenv("HOLOS_LONG_TESTS") != NULL;
    const char *name = all ? "KPvKP" : "KPvK";
    char kept[64], read[64];
    unit_make_folder(kept);
    unit_make_folder(read);
    tables_make(kept, name, 5);
    tables_make(read, name, all ? 3 : 2);
    assert_same_files(kept, read, name, SYZYGY_KINDS);
    unit_remove_folder(kept);
    unit_remove_folder(read);
}

static struct {
    tablebase *files;
    tb_table readers[8];
    unsigned count;
} below;

static const tb_table *below_find(void *context, tb_key key)
{
    (void)context;
    tb_table *reader = &below.readers[below.count++ % 8];
    *reader = (tb_table){.files = below.files, .without_mates = true};
    layout_init(&reader->layout, &maps, key);
    return reader;
}

/* Without distances to mate, all the rest is as it would be with them. */
static void test_tables_without_mates_have_the_same_values(void **state)
{
    (void)state;
    char kept[64], read[64];
    holos_error err;
    tb_table t;
    unit_make_folder(kept);
    unit_make_folder(read);
    tables_make(kept, "KPvK", 5);
    assert_ok(tablebase_open(kept, &below.files, &err), err);
    assert_ok(tb_table_alloc(&t, &maps, key_named("KPvK"), NULL, &err), err);
    t.without_mates = true;
    assert_ok(tb_table_generate(&t, &maps, below_find, NULL, NULL, NULL, NULL, &err), err);
    for (unsigned kind = SYZYGY_WDL; kind <= SYZYGY_DTZ; kind++)
        assert_ok(syzygy_write(&t, &maps, kind, read, NULL, NULL, NULL, &err), err);
    assert_same_files(kept, read, "KPvK", SYZYGY_DTM);
    tb_table_free(&t, NULL);
    tablebase_close(below.files);
    unit_remove_folder(kept);
    unit_remove_folder(read);
}

/* What is there is not made again, and damage below is an error, not a wrong table. */
static void test_tables_below_are_read_not_made_again(void **state)
{
    (void)state;
    char folder[64];
    holos_error err;
    endings_report report;
    endings_plan plan;
    endings_request request = {.name = "KPvK", .folder = folder, .threads = 1, .kept_pieces = 2};
    unit_make_folder(folder);
    tables_make(folder, "KPvK", 2);
    assert_int_equal(unlink(unit_path(folder, "KPvK.rtbz")), 0);
    assert_ok(endings_plan_make(&request, &plan, &err), err);
    assert_int_equal(plan.positions, 2 * 24 * 64 * 64);
    assert_ok(endings_make(&request, &report, &err), err);
    for (size_t i = 0; i < report.count; i++)
        assert_int_equal(report.endings[i].positions > 0, strcmp(report.endings[i].name, "KPvK") == 0);
    free(report.endings);
    unit_remove_folder(folder);
}

static void test_every_ending_of_five_pieces_fits_into_8_gib(void **state)
{
    (void)state;
    holos_error err;
    endings_plan plan;
    endings_request request = {.pieces = 5, .folder = "no such folder", .threads = 8, .mates = true};
    assert_ok(endings_plan_make(&request, &plan, &err), err);
    assert_int_equal(plan.tables, 145);
    assert_true(plan.memory < (uint64_t)8 << 30);
}

/* ---- Checksums --------------------------------------------------------------------------------- */

static void test_checksums_are_those_of_the_real_tables(void **state)
{
    (void)state;
    static const char *const names[] = {"KBvK.rtbw",  "KBvK.rtbz", "KQvKR.rtbw",
                                        "KQvKR.rtbz", "KPvK.rtbw", "KRvKB.rtbz"};
    holos_error err;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        text bytes;
        text_init(&bytes);
        assert_ok(file_read(unit_path(REAL, names[i]), 0, &bytes, &err), err);
        assert_ok(syzygy_check((unsigned char *)bytes.data, bytes.length, names[i], &err), err);
        bytes.data[bytes.length / 2] ^= 1;
        assert_fails(syzygy_check((unsigned char *)bytes.data, bytes.length, names[i], &err), err,
                     HOLOS_BAD_FILE, "checksum");
        assert_fails(syzygy_check((unsigned char *)bytes.data, bytes.length - 1, names[i], &err), err,
                     HOLOS_BAD_FILE, "cut off");
        text_free(&bytes);
    }
}

static void test_a_flipped_bit_is_found_when_a_table_is_opened(void **state)
{
    (void)state;
    char folder[64];
    holos_error err;
    syzygy s;
    text bytes;
    file_writer w;
    unit_make_folder(folder);
    for (unsigned kind = 0; kind < SYZYGY_KINDS; kind++) {
        char name[32];
        snprintf(name, sizeof name, "KRvK%s", syzygy_suffix(kind));
        assert_ok(syzygy_write(table_named("KRvK"), &maps, kind, folder, NULL, NULL, NULL, &err), err);
        assert_ok(syzygy_open(&s, &maps, key_named("KRvK"), kind, unit_path(folder, name), &err), err);
        syzygy_close(&s);
        text_init(&bytes);
        assert_ok(file_read(unit_path(folder, name), 0, &bytes, &err), err);
        bytes.data[bytes.length - 40] ^= 0x10;
        assert_ok(file_create(&w, unit_path(folder, name), &err), err);
        file_write(&w, bytes.data, bytes.length);
        assert_ok(file_commit(&w, &err), err);
        text_free(&bytes);
        assert_fails(syzygy_open(&s, &maps, key_named("KRvK"), kind, unit_path(folder, name), &err), err,
                     HOLOS_BAD_FILE, "damaged");
    }
    unit_remove_folder(folder);
}

/* What spans make quick is what the file says by itself. */
static void check_spans(const char *name, syzygy_kind kind)
{
    syzygy s;
    holos_error err;
    char file[32];
    unsigned compared = 0;
    snprintf(file, sizeof file, "%s%s", name, syzygy_suffix(kind));
    assert_ok(syzygy_open(&s, &maps, key_named(name), kind, unit_path(REAL, file), &err), err);
    for (unsigned side = 0; side < s.sides; side++) {
        for (unsigned part = 0; part < s.files; part++) {
            const pairs *quick = &s.parts[side][part].values;
            pairs plain = *quick;
            plain.spans = NULL;
            if ((quick->flags & PAIRS_SINGLE) != 0)
                continue;
            assert_non_null(quick->spans);
            for (uint64_t i = 0; i < plain.size; i += i % 1000 < 300 ? 1 : 700, compared++)
                assert_int_equal(pairs_get(quick, i), pairs_get(&plain, i));
            assert_int_equal(pairs_get(quick, plain.size - 1), pairs_get(&plain, plain.size - 1));
            assert_int_equal(pairs_get(quick, plain.size), -1);
        }
    }
    assert_true(compared > 1000);
    syzygy_close(&s);
}

static void test_spans_say_what_the_file_says(void **state)
{
    (void)state;
    static const char *const names[] = {"KRvK", "KPvK", "KQvKR", "KRvKB"};
    for (unsigned i = 0; i < 4; i++)
        for (syzygy_kind kind = SYZYGY_WDL; kind <= SYZYGY_DTZ; kind++)
            check_spans(names[i], kind);
}

/* ---- Probing ----------------------------------------------------------------------------------- */

static chess_position position_read(const char *fen)
{
    chess_position p;
    holos_error err;
    assert_ok(fen_parse(fen, &p, &err), err);
    return p;
}

static void test_missing_tables_are_named_with_all_that_is_needed(void **state)
{
    (void)state;
    tablebase *files;
    holos_error err;
    int wdl;
    chess_position p = position_read("7k/1n6/8/8/8/8/8/K3Q3 w - - 0 1");
    assert_ok(tablebase_open(REAL, &files, &err), err);
    assert_int_equal(tablebase_wdl(files, &p, &wdl), TB_MISSING);
    assert_fails(tablebase_error(files, &p, TB_MISSING, true, &err), err, HOLOS_UNSUPPORTED,
                 "missing tables: KQvKN.rtbw, KQvKN.rtbz");
    p = position_read("7k/1p6/8/8/8/8/8/K3Q3 w - - 0 1");
    assert_fails(tablebase_error(files, &p, TB_MISSING, false, &err), err, HOLOS_UNSUPPORTED, "KQvKQ.rtbw");
    p = position_read("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
    assert_int_equal(tablebase_wdl(files, &p, &wdl), TB_CASTLING);
    tablebase_close(files);
}

static void test_tables_in_memory_agree(void **state)
{
    (void)state;
    holos_error err;
    tb_key key = key_named("KQvKR");
    memory_tables *memory;
    tablebase *files;
    rng r;
    const tb_table *t = table_named("KQvKR");
    assert_ok(memory_tables_open(&key, 1, NULL, NULL, &memory, &err), err);
    assert_ok(tablebase_open(REAL, &files, &err), err);
    rng_init(&r, 2, 0);
    for (unsigned i = 0; i < 100000; i++) {
        chess_position p;
        int wdl, value;
        if (!position_of(t, rng_below(&r, t->size), i & 1, &p))
            continue;
        assert_int_equal(tablebase_wdl(files, &p, &wdl), TB_FOUND);
        assert_true(memory_tables_wdl(memory, &p, &value));
        assert_int_equal(value, wdl);
    }
    chess_position strange = position_read("8/8/8/3k4/8/8/1n6/K3Q3 w - - 0 1");
    int value;
    assert_false(memory_tables_wdl(memory, &strange, &value));
    tablebase_close(files);
    memory_tables_close(memory);
}

/* ---- Damage ------------------------------------------------------------------------------------ */

/* Reads a file into memory, cut to `size` bytes, in a block of its own. */
static unsigned char *file_load(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    unsigned char *bytes = malloc(1 << 20);
    assert_non_null(bytes);
    *size = fread(bytes, 1, 1 << 20, f);
    fclose(f);
    return bytes;
}

static void probe_some(const syzygy *s, const tb_table *t, rng *r)
{
    for (unsigned i = 0; i < 50; i++) {
        chess_position p;
        int value;
        if (position_of(t, rng_below(r, t->size), i & 1, &p))
            syzygy_get(s, &maps, &p, key_of(&p), i % 3 == 0 ? 2 : -2, &value);
    }
}

static void test_damaged_tables_do_no_harm(void **state)
{
    (void)state;
    static const char *const names[] = {"KPvK", "KRvKB"};
    rng r;
    rng_init(&r, 3, 0);
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned kind = 0; kind < 2; kind++) {
            char name[32];
            size_t size;
            snprintf(name, sizeof name, "%s%s", names[i], syzygy_suffix(kind));
            unsigned char *bytes = file_load(unit_path(REAL, name), &size);
            for (unsigned round = 0; round < 300; round++) {
                size_t cut = round % 3 == 0 ? rng_below(&r, size) : size;
                unsigned char *damaged =
                    malloc(cut > 0 ? cut : 1); /* exact, so that sanitizers see every step beyond */
                syzygy s;
                memcpy(damaged, bytes, cut);
                for (unsigned k = 0; cut > 0 && k < round % 4; k++)
                    damaged[rng_below(&r, k == 0 && cut > 300 ? 300 : cut)] = (unsigned char)rng_next(&r);
                if (syzygy_open_bytes(&s, &maps, key_named(names[i]), kind, damaged, cut, name, NULL) ==
                    HOLOS_OK) {
                    probe_some(&s, table_named(names[i]), &r);
                    syzygy_close(&s);
                }
                free(damaged);
            }
            free(bytes);
        }
    }
}

static void test_what_is_no_table_is_refused(void **state)
{
    (void)state;
    holos_error err;
    syzygy s;
    assert_fails(syzygy_open(&s, &maps, key_named("KQvK"), SYZYGY_DTZ, REAL "/KQvK.rtbw", &err), err,
                 HOLOS_BAD_FILE, "not a Syzygy DTZ table");
    assert_fails(syzygy_open(&s, &maps, key_named("KPvK"), SYZYGY_WDL, REAL "/KQvK.rtbw", &err), err,
                 HOLOS_BAD_FILE, "other pieces");
    assert_fails(syzygy_open(&s, &maps, key_named("KPvK"), SYZYGY_WDL, REAL "/none", &err), err, HOLOS_IO,
                 "none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_materials_have_one_name),
        cmocka_unit_test(test_numbers_and_squares_belong_together),
        cmocka_unit_test(test_counts_are_the_published_ones),
        cmocka_unit_test(test_longest_mates_are_the_published_ones),
        cmocka_unit_test(test_values_follow_from_moves),
        cmocka_unit_test(test_every_three_piece_position_agrees_with_the_real_tables),
        cmocka_unit_test(test_random_four_piece_positions_agree_with_the_real_tables),
        cmocka_unit_test(test_losses_are_stored_even_where_only_zeroing_moves_are_left),
        cmocka_unit_test(test_reading_at_the_edge_of_the_fifty_move_rule),
        cmocka_unit_test(test_tables_made_from_files_are_the_same),
        cmocka_unit_test(test_tables_without_mates_have_the_same_values),
        cmocka_unit_test(test_tables_below_are_read_not_made_again),
        cmocka_unit_test(test_every_ending_of_five_pieces_fits_into_8_gib),
        cmocka_unit_test(test_checksums_are_those_of_the_real_tables),
        cmocka_unit_test(test_a_flipped_bit_is_found_when_a_table_is_opened),
        cmocka_unit_test(test_our_files_say_what_was_made),
        cmocka_unit_test(test_spans_say_what_the_file_says),
        cmocka_unit_test(test_missing_tables_are_named_with_all_that_is_needed),
        cmocka_unit_test(test_tables_in_memory_agree),
        cmocka_unit_test(test_damaged_tables_do_no_harm),
        cmocka_unit_test(test_what_is_no_table_is_refused),
    };
    const struct CMUnitTest by_syzygy[] = {
        cmocka_unit_test(test_a_million_four_piece_positions_agree_with_the_real_tables),
    };
    index_maps_init(&maps);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (getenv("HOLOS_SYZYGY") != NULL)
        failed += cmocka_run_group_tests(by_syzygy, NULL, NULL);
    for (size_t i = 0; i < made.count; i++)
        tb_table_free(&made.tables[i], NULL);
    return failed;
}
