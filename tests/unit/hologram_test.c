/* SPDX-License-Identifier: MIT */

/* Holograms: what a wave knew is what its file says; merging loses nothing and notices contradictions; a damaged
 * file is refused and never harms. */

#include "core/rng.h"
#include "engine/wave/mappings.h"

#include <holos/holos.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include <cmocka.h>

/* ---- Help -------------------------------------------------------------------------------------- */

static char folder[] = "/tmp/hologram_test_XXXXXX";

static int folder_make(void **state)
{
    (void)state;
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int folder_remove(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

/* One of a few names in the test's folder; valid until the test ends. */
static const char *name(const char *last)
{
    static char names[16][128];
    static unsigned next;
    char *out = names[next++ % 16];
    snprintf(out, sizeof names[0], "%s/%s", folder, last);
    return out;
}

typedef struct made {
    holos_variant *v;
    holos_position *p;
    holos_wave *w;
    holos_error err;
} made;

static made wave_make(const char *variant, const char *position, const holos_wave_options *options,
                      holos_wave_mode mode)
{
    made m = {0};
    assert_int_equal(holos_open(variant, &m.v, &m.err), HOLOS_OK);
    m.p = holos_position_new(m.v);
    assert_int_equal(holos_parse(m.v, position, m.p, &m.err), HOLOS_OK);
    assert_int_equal(holos_wave_open(m.v, options, &m.w, &m.err), HOLOS_OK);
    assert_int_equal(holos_wave_add(m.w, &(holos_wave_seed){.position = m.p}, &m.err), HOLOS_OK);
    holos_status status = holos_wave_run(m.w, mode, &m.err);
    assert_true(status == HOLOS_OK || status == HOLOS_LIMIT);
    return m;
}

static void made_free(made *m)
{
    holos_wave_close(m->w);
    holos_position_free(m->p);
    holos_close(m->v);
}

static void save(made *m, const char *path)
{
    if (holos_wave_save(m->w, path, &m->err) != HOLOS_OK)
        fail_msg("%s", m->err.message);
}

static holos_hologram *open_or_fail(const char *path)
{
    holos_hologram *h;
    holos_error err;
    if (holos_hologram_open(path, &h, &err) != HOLOS_OK)
        fail_msg("%s", err.message);
    if (holos_hologram_verify(h, &err) != HOLOS_OK)
        fail_msg("%s", err.message);
    return h;
}

static void file_bytes(const char *path, unsigned char **bytes, size_t *size)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    *size = (size_t)ftell(f);
    rewind(f);
    *bytes = malloc(*size);
    assert_int_equal(fread(*bytes, 1, *size, f), *size);
    fclose(f);
}

static void bytes_file(const char *path, const unsigned char *bytes, size_t size)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    fclose(f);
}

static void assert_same_files(const char *a, const char *b)
{
    unsigned char *x, *y;
    size_t x_size, y_size;
    file_bytes(a, &x, &x_size);
    file_bytes(b, &y, &y_size);
    assert_int_equal(x_size, y_size);
    assert_memory_equal(x, y, x_size);
    free(x);
    free(y);
}

/* ---- Values ------------------------------------------------------------------------------------ */

static void test_a_file_says_what_the_wave_knew(void **state)
{
    (void)state;
    const char *variants[] = {"connect4:4x4", "kalah:3,3", "nim:3,4,5"};
    for (size_t i = 0; i < 3; i++) {
        made m =
            wave_make(variants[i], "start", &(holos_wave_options){.limits.nodes = 6000}, HOLOS_WAVE_AUTO);
        save(&m, name("values"));
        holos_hologram *h = open_or_fail(name("values"));
        holos_hologram_summary summary;
        holos_hologram_summary_get(h, &summary);
        uint64_t count = 0;
        for (unsigned shard = 0; shard < NODES_SHARDS; shard++) {
            node_at at;
            for (size_t k = 0; (at = nodes_next(&m.w->nodes, shard, &k)) != NULL; count++) {
                holos_value known, filed;
                wave_position(m.w, slot_key(&m.w->nodes, at), m.p);
                wave_node n = node_load(at);
                assert_int_equal(holos_hologram_query(h, m.p, &filed, &m.err), HOLOS_OK);
                known = holos_wave_query(m.w, m.p);
                if (known.source == HOLOS_SOURCE_CONJECTURE)
                    known.lo = n.lo, known.hi = n.hi; /* guesses are not filed as values */
                assert_int_equal(filed.lo, known.lo);
                assert_int_equal(filed.hi, known.hi);
                assert_int_equal(filed.source, n.source);
            }
        }
        assert_int_equal(summary.entries, count);
        assert_true(summary.bytes < 24 * count + 20000);
        holos_hologram_close(h);
        made_free(&m);
    }
}

static void test_a_position_that_is_not_there_is_open(void **state)
{
    (void)state;
    made m = wave_make("connect4:4x4", "start", &(holos_wave_options){.limits.nodes = 20}, HOLOS_WAVE_WAVE);
    save(&m, name("small"));
    holos_hologram *h = open_or_fail(name("small"));
    holos_value value;
    assert_int_equal(holos_parse(m.v, "1123442", m.p, &m.err), HOLOS_OK);
    assert_int_equal(holos_hologram_query(h, m.p, &value, &m.err), HOLOS_OK);
    assert_int_equal(value.source, HOLOS_SOURCE_NONE);
    assert_true(value.lo < value.hi);
    holos_hologram_close(h);
    made_free(&m);
}

/* From the start, best moves alone lead to the end with the value that was promised. */
static void test_best_moves_keep_the_value(void **state)
{
    (void)state;
    made m = wave_make("kalah:3,3", "start", NULL, HOLOS_WAVE_WAVE);
    save(&m, name("best"));
    holos_hologram *h = open_or_fail(name("best"));
    holos_value first, value;
    assert_int_equal(holos_hologram_query(h, m.p, &first, &m.err), HOLOS_OK);
    int32_t sign = 1;
    for (unsigned ply = 0; !holos_terminal(m.v, m.p, &value); ply++) {
        assert_true(ply < 200);
        holos_move move;
        bool found;
        assert_int_equal(holos_hologram_best(h, m.p, &move, &found, &m.err), HOLOS_OK);
        assert_true(found);
        unsigned side = holos_side_to_move(m.v, m.p);
        assert_int_equal(holos_play(m.v, m.p, move, m.p, &m.err), HOLOS_OK);
        sign = holos_side_to_move(m.v, m.p) == side ? sign : -sign;
    }
    assert_int_equal(sign * value.lo, first.lo);
    holos_hologram_close(h);
    made_free(&m);
}

/* Compares the best moves of every position of a hologram that is solved and not over with the truth. */
static void assert_all_have_best_moves(const char *variant, const holos_wave_options *options,
                                       holos_wave_mode mode)
{
    made m = wave_make(variant, "start", options, mode);
    save(&m, name("all"));
    holos_hologram *h = open_or_fail(name("all"));
    holos_knowledge *k;
    holos_solver *looked, *searched;
    assert_int_equal(holos_knowledge_open(name("all"), m.v, NULL, &k, &m.err), HOLOS_OK);
    holos_solver_options o = {.engine = "lookup", .boundary = holos_knowledge_boundary(k)};
    assert_int_equal(holos_solver_open(m.v, &o, &looked, &m.err), HOLOS_OK);
    o = (holos_solver_options){.moves = true};
    assert_int_equal(holos_solver_open(m.v, &o, &searched, &m.err), HOLOS_OK);
    uint64_t solved = 0;
    for (uint64_t block = 0; block < h->block_count; block++) {
        uint32_t count;
        assert_int_equal(hologram_unpack(h, block, &count, &m.err), HOLOS_OK);
        for (uint32_t i = 0; i < count; i++) {
            holos_value over;
            holos_result r, truth;
            m.v->game->from_key(m.v, h->entries[i].key, m.p);
            if (!node_is_solved(h->entries[i].node) || holos_terminal(m.v, m.p, &over))
                continue;
            assert_int_equal(holos_solver_solve(looked, m.p, &r, &m.err), HOLOS_OK);
            assert_true(r.best_count > 0);
            if (solved++ % 16 != 0)
                continue;
            assert_int_equal(holos_solver_solve(searched, m.p, &truth, &m.err), HOLOS_OK);
            for (size_t b = 0; b < r.best_count; b++) {
                size_t at = 0;
                while (truth.moves[at].move != r.best[b])
                    at++;
                assert_int_equal(truth.moves[at].value.lo, truth.value.lo);
            }
        }
    }
    assert_true(solved > 100);
    holos_solver_close(looked);
    holos_solver_close(searched);
    holos_knowledge_close(k);
    holos_hologram_close(h);
    made_free(&m);
}

static void test_all_solved_positions_have_best_moves(void **state)
{
    (void)state;
    for (holos_wave_mode mode = HOLOS_WAVE_AUTO; mode <= HOLOS_WAVE_OSMOSIS; mode++) {
        assert_all_have_best_moves("connect4:4x4", &(holos_wave_options){.limits.nodes = 4000}, mode);
        assert_all_have_best_moves("kalah:3,3", &(holos_wave_options){.limits.nodes = 4000}, mode);
    }
}

/* ---- Spines ------------------------------------------------------------------------------------ */

static void test_a_spine_is_followed_from_any_position_on_it(void **state)
{
    (void)state;
    made m =
        wave_make("connect4:5x4", "start", &(holos_wave_options){.limits.nodes = 3000}, HOLOS_WAVE_LIGHTNING);
    save(&m, name("spines"));
    holos_hologram *h = open_or_fail(name("spines"));
    const hologram_spine *spines = h->sections[HOLOGRAM_SPINES];
    const hologram_path *paths = h->sections[HOLOGRAM_PATHS];
    assert_true(hologram_count(h, HOLOGRAM_SPINES) > 0);
    uint64_t followed = 0;
    for (uint64_t i = 0; i < hologram_count(h, HOLOGRAM_SPINES); i++)
        for (uint32_t k = 0; k < spines[i].length; k++) {
            m.v->game->from_key(m.v, paths[spines[i].first + k].key, m.p);
            for (unsigned mirror = 0; mirror < 2; mirror++) {
                holos_position *images = aligned_alloc(16, 2 * m.v->position_size);
                m.v->game->symmetries(m.v, m.p, images);
                const holos_position *p = position_at(m.v, images, mirror);
                holos_move moves[64], best;
                bool found;
                size_t length = holos_hologram_spine(h, p, moves, 64);
                assert_in_range(length, 1, 20);
                holos_value value;
                assert_int_equal(holos_hologram_query(h, p, &value, &m.err), HOLOS_OK);
                assert_int_equal(holos_hologram_best(h, p, &best, &found, &m.err), HOLOS_OK);
                assert_int_equal(found,
                                 holos_value_is_solved(value)); /* a spine proves nothing of its moves */
                holos_position *q = holos_position_new(m.v);
                memcpy(q, p, m.v->position_size);
                for (size_t step = 0; step < length; step++)
                    assert_int_equal(holos_play(m.v, q, moves[step], q, &m.err), HOLOS_OK);
                assert_true(holos_value_is_solved(holos_wave_query(m.w, q)));
                holos_position_free(q);
                free(images);
                followed++;
            }
        }
    assert_true(followed > 10);
    holos_hologram_close(h);
    made_free(&m);
}

/* ---- Seed mappings ----------------------------------------------------------------------------- */

static void test_seeds_lead_to_the_same_frontier_again(void **state)
{
    (void)state;
    const holos_wave_options options[] = {
        {.graph = true, .unfolded = true, .forward_depth = 7},
        {.graph = true, .forward_depth = 8},
        {.forward_depth = 9, .seed = 5},
        {.limits.nodes = 5000, .no_backward = true},
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        made m = wave_make("connect4:5x4", "start", &options[i], HOLOS_WAVE_WAVE);
        save(&m, name("seeds"));
        holos_hologram *h = open_or_fail(name("seeds"));
        holos_hologram_summary summary;
        holos_hologram_summary_get(h, &summary);
        assert_int_equal(summary.mappings, 1);
        assert_int_equal(summary.seeds, 1);
        holos_wave *again;
        if (holos_hologram_frontier(h, 0, NULL, &again, &m.err) != HOLOS_OK)
            fail_msg("%s", m.err.message);
        const hologram_mapping *mapping = h->sections[HOLOGRAM_MAPPINGS];
        assert_true(mapping->count > 100);
        assert_true(hologram_layer_digest(&again->forward, again->forward.at[mapping->depth]) ==
                    hologram_layer_digest(&m.w->forward, m.w->forward.at[mapping->depth]));
        holos_wave_close(again);
        assert_int_equal(holos_hologram_frontier(h, 1, NULL, &again, &m.err), HOLOS_USAGE);
        holos_hologram_close(h);
        made_free(&m);
    }
}

static void test_seeds_of_different_depths_lead_to_the_same_frontier_again(void **state)
{
    (void)state;
    static const char *const positions[] = {"start", "1", "22", "3344"};
    static const unsigned depths[] = {6, 3, 5, 1};
    for (unsigned limit = 0; limit < 9;
         limit += 4) { /* none, one that cuts seeds short, and one that does not */
        holos_error err;
        holos_variant *v;
        holos_wave *w, *again;
        holos_wave_options options = {.graph = true, .forward_depth = limit};
        assert_int_equal(holos_open("connect4:5x4", &v, &err), HOLOS_OK);
        assert_int_equal(holos_wave_open(v, &options, &w, &err), HOLOS_OK);
        holos_position *p = holos_position_new(v);
        for (unsigned i = 0; i < 4; i++) {
            assert_int_equal(holos_parse(v, positions[i], p, &err), HOLOS_OK);
            holos_wave_seed seed = {.position = p, .depth = depths[i]};
            assert_int_equal(holos_wave_add(w, &seed, &err), HOLOS_OK);
        }
        assert_int_equal(holos_wave_run(w, HOLOS_WAVE_WAVE, &err), HOLOS_OK);
        assert_int_equal(holos_wave_save(w, name("depths"), &err), HOLOS_OK);
        holos_hologram *h = open_or_fail(name("depths"));
        if (holos_hologram_frontier(h, 0, NULL, &again, &err) != HOLOS_OK)
            fail_msg("%s", err.message);
        const hologram_mapping *mapping = h->sections[HOLOGRAM_MAPPINGS];
        assert_int_equal(mapping->depth, limit != 0 ? limit : 6);
        assert_true(mapping->count > 20);
        holos_wave_close(again);
        holos_hologram_close(h);
        holos_position_free(p);
        holos_wave_close(w);
        holos_close(v);
    }
}

/* A wave from several positions of connect4:5x4, in this order, saved. */
static void several_save(const char *const *positions, size_t count, const holos_wave_options *o,
                         const char *path)
{
    made m = {0};
    assert_int_equal(holos_open("connect4:5x4", &m.v, &m.err), HOLOS_OK);
    m.p = holos_position_new(m.v);
    assert_int_equal(holos_wave_open(m.v, o, &m.w, &m.err), HOLOS_OK);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(holos_parse(m.v, positions[i], m.p, &m.err), HOLOS_OK);
        assert_int_equal(holos_wave_add(m.w, &(holos_wave_seed){.position = m.p}, &m.err), HOLOS_OK);
    }
    for (unsigned run = 0; run < 3; run++) /* the first one is what can be repeated */
        holos_wave_run(m.w, HOLOS_WAVE_WAVE, &m.err);
    save(&m, path);
    made_free(&m);
}

static uint64_t frontiers_of(const char *path, const holos_boundary *boundary)
{
    holos_hologram *h;
    holos_error err;
    holos_hologram_checked found;
    assert_int_equal(holos_hologram_open(path, &h, &err), HOLOS_OK);
    holos_hologram_checking how = {.frontiers = true, .boundary = boundary};
    if (holos_hologram_check(h, &how, &found, &err) != HOLOS_OK)
        fail_msg("%s: %s", path, err.message);
    holos_hologram_close(h);
    return found.frontiers;
}

static void test_frontiers_of_several_seeds_merges_and_tables_come_again(void **state)
{
    (void)state;
    static const char *const positions[] = {"3344", "1", "22", "5"};
    const holos_wave_options o = {.limits.nodes = 3000, .boundary_seeds = 10};
    several_save(positions, 4, &o, name("four"));
    assert_int_equal(frontiers_of(name("four"), NULL), 1);
    several_save(positions + 1, 1, &o, name("one"));
    several_save(positions + 2, 2, &(holos_wave_options){.limits.nodes = 500, .no_backward = true},
                 name("two"));
    holos_error err;
    assert_int_equal(holos_hologram_merge(name("one"), name("two"), name("three"), &err), HOLOS_OK);
    assert_int_equal(frontiers_of(name("three"), NULL), 2);
    assert_int_equal(holos_hologram_merge(name("three"), name("four"), name("seven"), &err), HOLOS_OK);
    assert_int_equal(frontiers_of(name("seven"), NULL), 3);

    holos_knowledge *k;
    assert_int_equal(holos_knowledge_open(name("one"), NULL, NULL, &k, &err), HOLOS_OK);
    several_save(positions, 4,
                 &(holos_wave_options){.limits.nodes = 3000, .boundary = holos_knowledge_boundary(k)},
                 name("known"));
    assert_int_equal(frontiers_of(name("known"), holos_knowledge_boundary(k)), 1);
    assert_int_equal(frontiers_of(name("known"), NULL), 0);
    holos_knowledge_close(k);
}

/* ---- Verification ------------------------------------------------------------------------------ */

/* Saves a wave with one value of its own that is false, or more than follows. Returns what verification says. */
static holos_status forged_verify(made *m, size_t number, bool solved, holos_error *err)
{
    size_t seen = 0;
    node_at at = NULL;
    for (unsigned shard = 0; shard < NODES_SHARDS && at == NULL; shard++) {
        node_at here;
        for (size_t i = 0; at == NULL && (here = nodes_next(&m->w->nodes, shard, &i)) != NULL;)
            if (node_is_solved(node_load(here)) == solved && seen++ == number)
                at = here;
    }
    if (at == NULL)
        return HOLOS_LIMIT;
    wave_node kept = node_load(at), n = kept;
    n.lo = n.hi = (int16_t)(solved && kept.lo == m->v->score_max ? kept.lo - 2
                            : solved                             ? kept.lo + 2
                                                                 : kept.hi);
    if (n.hi > m->v->score_max)
        n.lo = n.hi = (int16_t)m->v->score_min;
    n.source = HOLOS_SOURCE_WAVE;
    node_store(at, n);
    save(m, name("forged"));
    node_store(at, kept);
    holos_hologram *h;
    assert_int_equal(holos_hologram_open(name("forged"), &h, err), HOLOS_OK);
    holos_status status = holos_hologram_verify(h, err);
    holos_hologram_close(h);
    return status;
}

static void test_every_forged_value_is_found(void **state)
{
    (void)state;
    static const char *const variants[] = {"connect4:4x4", "kalah:3,3", "nim:3,4,5"};
    for (size_t i = 0; i < 3; i++)
        for (unsigned open = 0; open < 2; open++) {
            made m = wave_make(variants[i], "start", &(holos_wave_options){.limits.nodes = 200},
                               open ? HOLOS_WAVE_OSMOSIS : HOLOS_WAVE_WAVE);
            unsigned forged = 0;
            for (size_t number = 0; number < 2000; number += 31) {
                holos_status status = forged_verify(&m, number, !open, &m.err);
                if (status == HOLOS_LIMIT)
                    break;
                /* what was open may have been given its true value, which follows */
                assert_true(status == HOLOS_BAD_FILE || (open && status == HOLOS_OK));
                forged += status == HOLOS_BAD_FILE;
            }
            assert_true(forged > 0 || (open && i == 2));
            made_free(&m);
        }
}

/* ---- Going on ---------------------------------------------------------------------------------- */

static void test_a_loaded_wave_goes_on_to_the_same_values(void **state)
{
    (void)state;
    const struct {
        const char *variant, *position;
    } cases[] = {
        {"connect4:4x4", "start"},
        {"kalah:3,3", "start"},
        {"sudoku", "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."}};
    for (size_t i = 0; i < 3; i++) {
        made m = wave_make(cases[i].variant, cases[i].position, &(holos_wave_options){.limits.nodes = 200},
                           HOLOS_WAVE_OSMOSIS);
        holos_value before = holos_wave_query(m.w, m.p);
        for (unsigned round = 0; round < 400 && !holos_value_is_solved(before); round++) {
            save(&m, name("going"));
            holos_wave_close(m.w);
            assert_int_equal(
                holos_wave_open(
                    m.v, &(holos_wave_options){.limits.nodes = (uint64_t)200 << (round < 20 ? round : 20)},
                    &m.w, &m.err),
                HOLOS_OK);
            if (holos_wave_load(m.w, name("going"), &m.err) != HOLOS_OK)
                fail_msg("%s", m.err.message);
            holos_value loaded = holos_wave_query(m.w, m.p);
            assert_int_equal(loaded.lo, before.lo);
            assert_int_equal(loaded.hi, before.hi);
            holos_wave_run(m.w, round % 2 == 0 ? HOLOS_WAVE_WAVE : HOLOS_WAVE_OSMOSIS, &m.err);
            before = holos_wave_query(m.w, m.p);
        }
        assert_int_equal(before.lo, i == 0 ? 0 : i == 1 ? 2 : 1);
        made_free(&m);
    }
}

/* Goes on from a file without any options, and returns what becomes of its first seed. */
static holos_value value_gone_on(const char *variant, const char *position, const char *path)
{
    made m = wave_make(variant, position, &(holos_wave_options){.limits.nodes = 1}, HOLOS_WAVE_WAVE);
    holos_wave *w;
    assert_int_equal(holos_wave_open(m.v, NULL, &w, &m.err), HOLOS_OK);
    if (holos_wave_load(w, path, &m.err) != HOLOS_OK ||
        holos_wave_run(w, HOLOS_WAVE_WAVE, &m.err) != HOLOS_OK)
        fail_msg("%s", m.err.message);
    holos_value value = holos_wave_query(w, m.p);
    holos_wave_close(w);
    made_free(&m);
    return value;
}

static void test_goals_that_stop_leave_no_marks(void **state)
{
    (void)state;
    const char *goals[] = {"draw"};
    for (holos_wave_mode mode = HOLOS_WAVE_AUTO; mode <= HOLOS_WAVE_OSMOSIS; mode++) {
        made m = wave_make("connect4:4x4", "start",
                           &(holos_wave_options){.goals = goals, .goal_count = 1, .goal_stops = true}, mode);
        assert_false(holos_value_is_solved(holos_wave_query(m.w, m.p)));
        save(&m, name("stopped"));
        holos_value value = value_gone_on("connect4:4x4", "start", name("stopped"));
        assert_true(holos_value_is_solved(value) && value.lo == 0);

        made other = wave_make("connect4:4x4", "2", &(holos_wave_options){.limits.nodes = 500}, mode);
        save(&other, name("other"));
        assert_int_equal(holos_hologram_merge(name("stopped"), name("other"), name("joined"), &m.err),
                         HOLOS_OK);
        value = value_gone_on("connect4:4x4", "start", name("joined"));
        assert_true(holos_value_is_solved(value) && value.lo == 0);
        made_free(&m);
        made_free(&other);
    }
}

static void test_a_graph_that_was_only_counted_can_be_valued(void **state)
{
    (void)state;
    made m = wave_make("connect4:4x4", "start", &(holos_wave_options){.graph = true}, HOLOS_WAVE_WAVE);
    save(&m, name("counted"));
    holos_value value = value_gone_on("connect4:4x4", "start", name("counted"));
    assert_true(holos_value_is_solved(value) && value.lo == 0);
    made_free(&m);
}

static void test_a_hologram_of_another_game_is_not_loaded(void **state)
{
    (void)state;
    made m = wave_make("nim:3,4,5", "start", NULL, HOLOS_WAVE_WAVE);
    save(&m, name("nim"));
    made other = wave_make("nim:1,2", "start", NULL, HOLOS_WAVE_WAVE);
    assert_int_equal(holos_wave_load(other.w, name("nim"), &other.err), HOLOS_USAGE);
    assert_non_null(strstr(other.err.message, "nim:3,4,5"));
    made_free(&m);
    made_free(&other);
}

/* ---- Merging ----------------------------------------------------------------------------------- */

static void merge(const char *a, const char *b, const char *out)
{
    holos_error err;
    if (holos_hologram_merge(a, b, out, &err) != HOLOS_OK)
        fail_msg("%s", err.message);
}

static void test_merging_is_associative_and_loses_nothing(void **state)
{
    (void)state;
    const char *positions[] = {"start", "22", "3"};
    const char *files[] = {name("a"), name("b"), name("c")};
    made m[3];
    for (size_t i = 0; i < 3; i++) {
        m[i] = wave_make("connect4:4x4", positions[i], &(holos_wave_options){.limits.nodes = 2000, .seed = i},
                         i == 1 ? HOLOS_WAVE_LIGHTNING : HOLOS_WAVE_AUTO);
        save(&m[i], files[i]);
    }
    merge(files[0], files[1], name("ab"));
    merge(name("ab"), files[2], name("ab_c"));
    merge(files[1], files[2], name("bc"));
    merge(files[0], name("bc"), name("a_bc"));
    assert_same_files(name("ab_c"), name("a_bc"));
    merge(name("bc"), files[0], name("bc_a"));
    assert_same_files(name("ab_c"), name("bc_a"));

    holos_hologram *all = open_or_fail(name("ab_c"));
    for (size_t i = 0; i < 3; i++) {
        holos_hologram *one = open_or_fail(files[i]);
        assert_true(hologram_count(all, HOLOGRAM_MEETINGS) >= hologram_count(one, HOLOGRAM_MEETINGS));
        assert_true(hologram_count(all, HOLOGRAM_SPINES) >= hologram_count(one, HOLOGRAM_SPINES));
        for (unsigned shard = 0; shard < NODES_SHARDS; shard++) {
            node_at at;
            for (size_t k = 0; (at = nodes_next(&m[i].w->nodes, shard, &k)) != NULL;) {
                holos_value mine, merged;
                wave_position(m[i].w, slot_key(&m[i].w->nodes, at), m[i].p);
                holos_hologram_query(one, m[i].p, &mine, NULL);
                assert_int_equal(holos_hologram_query(all, m[i].p, &merged, NULL), HOLOS_OK);
                assert_true(merged.lo >= mine.lo && merged.hi <= mine.hi);
            }
        }
        holos_hologram_close(one);
        made_free(&m[i]);
    }
    holos_hologram_close(all);
}

static void test_merging_names_the_key_of_a_contradiction(void **state)
{
    (void)state;
    made m = wave_make("nim:3,4,5", "start", NULL, HOLOS_WAVE_WAVE);
    save(&m, name("true"));
    holos_key key = m.v->game->key(m.v, m.p);
    node_at at = nodes_find(&m.w->nodes, key);
    wave_node n = node_load(at);
    n.lo = n.hi = (int16_t)-n.lo;
    node_store(at, n);
    save(&m, name("false"));
    char expected[40];
    snprintf(expected, sizeof expected, "%016llx%016llx", (unsigned long long)key.hi,
             (unsigned long long)key.lo);
    assert_int_equal(holos_hologram_merge(name("true"), name("false"), name("both"), &m.err), HOLOS_BAD_FILE);
    assert_non_null(strstr(m.err.message, expected));
    assert_int_equal(access(name("both"), F_OK), -1);
    made_free(&m);
}

static void test_holograms_of_different_games_do_not_mix(void **state)
{
    (void)state;
    made a = wave_make("nim:3,4,5", "start", NULL, HOLOS_WAVE_WAVE);
    made b = wave_make("nim:1,2", "start", NULL, HOLOS_WAVE_WAVE);
    save(&a, name("one"));
    save(&b, name("two"));
    assert_int_equal(holos_hologram_merge(name("one"), name("two"), name("both"), &a.err), HOLOS_USAGE);
    made_free(&a);
    made_free(&b);
}

/* ---- Damage ------------------------------------------------------------------------------------ */

/* Asks a file everything; it may refuse, but must not crash or say what is outside the range of scores. */
static void ask_everything(const char *path, const holos_variant *v, const holos_position *p)
{
    holos_hologram *h;
    holos_error err = {0};
    if (holos_hologram_open(path, &h, &err) != HOLOS_OK) {
        assert_true(err.message[0] != 0);
        return;
    }
    holos_value value;
    holos_move moves[8];
    bool found;
    holos_hologram_verify(h, &err);
    if (strcmp(holos_hologram_variant(h)->name, v->name) == 0) {
        holos_hologram_query(h, p, &value, &err);
        holos_hologram_best(h, p, moves, &found, &err);
        holos_hologram_spine(h, p, moves, 8);
        holos_wave *w;
        assert_int_equal(holos_wave_open(v, NULL, &w, &err), HOLOS_OK);
        if (holos_wave_load(w, path, &err) == HOLOS_OK) {
            w->options.limits.nodes = 200;
            holos_wave_run(w, HOLOS_WAVE_AUTO, &err);
        }
        holos_wave_close(w);
    }
    holos_hologram_close(h);
}

static void test_damaged_files_are_refused(void **state)
{
    (void)state;
    made m = wave_make("kalah:2,2", "start", NULL, HOLOS_WAVE_AUTO);
    save(&m, name("good"));
    unsigned char *bytes;
    size_t size;
    file_bytes(name("good"), &bytes, &size);
    rng r;
    rng_init(&r, 11, 0);
    unsigned refused = 0, tries = 400;
    for (unsigned i = 0; i < tries; i++) {
        size_t at = rng_below(&r, size);
        unsigned char before = bytes[at];
        bytes[at] ^= (unsigned char)(1 + rng_below(&r, 255));
        bytes_file(name("bad"), bytes, size);
        bytes[at] = before;
        holos_hologram *h;
        holos_error err;
        bool good = holos_hologram_open(name("bad"), &h, &err) == HOLOS_OK;
        if (good) {
            good = holos_hologram_verify(h, &err) == HOLOS_OK;
            holos_hologram_close(h);
        }
        refused += !good;
    }
    /* What may change unnoticed are the few bytes between sections that nobody reads. */
    assert_true(refused >= tries - tries / 20);
    for (size_t cut = 0; cut < size; cut += 1 + size / 60) {
        bytes_file(name("bad"), bytes, cut);
        holos_hologram *h;
        assert_int_equal(holos_hologram_open(name("bad"), &h, &m.err), HOLOS_BAD_FILE);
    }
    free(bytes);
    made_free(&m);
}

/* Makes the checksums of a file anew, as far as its places are within it. */
static void hologram_checksums_make(unsigned char *bytes, size_t size)
{
    hologram_header *header = (void *)bytes;
    hologram_place *index = &header->index;
    if (index->offset <= size && index->count <= (size - index->offset) / sizeof(hologram_block)) {
        hologram_block *blocks = (void *)(bytes + index->offset / 8 * 8);
        for (uint64_t i = 0; index->offset % 8 == 0 && i < index->count; i++)
            if (blocks[i].offset <= size && blocks[i].stored <= size - blocks[i].offset)
                blocks[i].checksum = XXH3_64bits(bytes + blocks[i].offset, blocks[i].stored);
        index->checksum = XXH3_64bits(bytes + index->offset, index->count * sizeof(hologram_block));
    }
    for (unsigned i = 0; i < HOLOGRAM_SECTION_COUNT; i++) {
        hologram_place *place = &header->sections[i];
        if (place->offset <= size && place->count <= (size - place->offset) / hologram_record_size(i))
            place->checksum = XXH3_64bits(bytes + place->offset, place->count * hologram_record_size(i));
    }
    header->checksum = XXH3_64bits(header, offsetof(hologram_header, checksum));
}

/* Damage that the checksums do not show: they are made again after it. */
static void test_files_that_lie_do_no_harm(void **state)
{
    (void)state;
    const struct {
        const char *variant, *position;
    } cases[] = {
        {"kalah:2,2", "start"},
        {"connect4:4x4", "start"},
        {"sudoku", "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"}};
    rng r;
    rng_init(&r, 12, 0);
    for (size_t c = 0; c < 3; c++) {
        made m = wave_make(cases[c].variant, cases[c].position, &(holos_wave_options){.limits.nodes = 300},
                           HOLOS_WAVE_AUTO);
        save(&m, name("good"));
        unsigned char *bytes;
        size_t size;
        file_bytes(name("good"), &bytes, &size);
        for (unsigned i = 0; i < 700; i++) {
            unsigned char *copy = malloc(size);
            memcpy(copy, bytes, size);
            for (uint64_t k = 1 + rng_below(&r, 4); k > 0; k--) {
                size_t range = rng_below(&r, 2) == 0 ? sizeof(hologram_header) : size;
                copy[rng_below(&r, range)] = (unsigned char)rng_next(&r);
            }
            hologram_checksums_make(copy, size);
            bytes_file(name("lie"), copy, size);
            free(copy);
            ask_everything(name("lie"), m.v, m.p);
        }
        free(bytes);
        made_free(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_file_says_what_the_wave_knew),
        cmocka_unit_test(test_a_position_that_is_not_there_is_open),
        cmocka_unit_test(test_best_moves_keep_the_value),
        cmocka_unit_test(test_all_solved_positions_have_best_moves),
        cmocka_unit_test(test_a_spine_is_followed_from_any_position_on_it),
        cmocka_unit_test(test_seeds_lead_to_the_same_frontier_again),
        cmocka_unit_test(test_seeds_of_different_depths_lead_to_the_same_frontier_again),
        cmocka_unit_test(test_frontiers_of_several_seeds_merges_and_tables_come_again),
        cmocka_unit_test(test_every_forged_value_is_found),
        cmocka_unit_test(test_a_loaded_wave_goes_on_to_the_same_values),
        cmocka_unit_test(test_goals_that_stop_leave_no_marks),
        cmocka_unit_test(test_a_graph_that_was_only_counted_can_be_valued),
        cmocka_unit_test(test_a_hologram_of_another_game_is_not_loaded),
        cmocka_unit_test(test_merging_is_associative_and_loses_nothing),
        cmocka_unit_test(test_merging_names_the_key_of_a_contradiction),
        cmocka_unit_test(test_holograms_of_different_games_do_not_mix),
        cmocka_unit_test(test_damaged_files_are_refused),
        cmocka_unit_test(test_files_that_lie_do_no_harm),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
