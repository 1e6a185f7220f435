/* SPDX-License-Identifier: MIT */

/* Every value, twice: small universes of every game are solved here by brute force, from the rules alone (which moves there
 * are, where they lead, and what a finished game is worth). Then everything that holos has to say of their positions must
 * agree: each engine, database, graph, book and hologram, merges of holograms, under random limits. Every interval contains
 * the truth; every best move is best; every line keeps the value. HOLOS_FULL=1 takes larger universes and more rounds. */

#include "unit.h"

#include <holos/holos.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- A universe, solved by brute force --------------------------------------------------------- */

#define MOVES_MOST  256
#define TEXT_MOST   512
#define PLACES_MOST 2000000

typedef struct place {
    char *text;
    holos_position *p;
    bool over;
    int32_t lo, hi; /* equal in the end: the truth */
    uint32_t first, count;
} place;

typedef struct way {
    uint32_t to;
    int sign; /* -1: the other side is to move there */
    holos_move move;
} way;

typedef struct universe {
    holos_variant *v;
    place *places;
    way *ways;
    uint32_t *slots; /* place + 1, by a hash of the text */
    size_t count, room, way_count, way_room, slot_count;
} universe;

static bool is_full(void)
{
    const char *asked = getenv("HOLOS_FULL");
    return asked != NULL && strcmp(asked, "1") == 0;
}

static uint64_t random_state = 88172645463325252u;

static uint64_t random_below(uint64_t n)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state % n;
}

static uint64_t text_hash(const char *s)
{
    uint64_t h = 14695981039346656037u;
    for (; *s != 0; s++)
        h = (h ^ (unsigned char)*s) * 1099511628211u;
    return h ^ h >> 29;
}

static void slots_grow(universe *u)
{
    u->slot_count = u->slot_count * 2 + 1024;
    free(u->slots);
    u->slots = calloc(u->slot_count, sizeof *u->slots);
    assert_non_null(u->slots);
    for (size_t i = 0; i < u->count; i++) {
        size_t at = text_hash(u->places[i].text) % u->slot_count;
        while (u->slots[at] != 0)
            at = (at + 1) % u->slot_count;
        u->slots[at] = (uint32_t)i + 1;
    }
}

/* The place of a position; a new one if there was none. */
static uint32_t place_of(universe *u, const holos_position *p)
{
    char text[TEXT_MOST];
    assert_true(holos_format(u->v, p, text, sizeof text) < sizeof text);
    if (u->count * 2 >= u->slot_count)
        slots_grow(u);
    size_t at = text_hash(text) % u->slot_count;
    for (; u->slots[at] != 0; at = (at + 1) % u->slot_count)
        if (strcmp(u->places[u->slots[at] - 1].text, text) == 0)
            return u->slots[at] - 1;
    if (u->count == u->room) {
        u->room = u->room * 2 + 256;
        u->places = realloc(u->places, u->room * sizeof *u->places);
        assert_non_null(u->places);
    }
    place *fresh = &u->places[u->count];
    *fresh = (place){.text = strdup(text), .p = holos_position_new(u->v)};
    assert_true(fresh->text != NULL && fresh->p != NULL);
    memcpy(fresh->p, p, holos_position_size(u->v));
    u->slots[at] = (uint32_t)u->count + 1;
    return (uint32_t)u->count++;
}

static void ways_add(universe *u, size_t index)
{
    holos_move moves[MOVES_MOST];
    holos_value value;
    holos_position *next = holos_position_new(u->v);
    place *here = &u->places[index];
    here->first = (uint32_t)u->way_count;
    here->over = holos_terminal(u->v, here->p, &value);
    holos_score_range(u->v, &here->lo, &here->hi);
    if (here->over)
        here->lo = here->hi = value.lo;
    size_t count = here->over ? 0 : holos_moves(u->v, here->p, moves, MOVES_MOST);
    assert_true(count <= MOVES_MOST && (count > 0 || here->over));
    u->places[index].count = (uint32_t)count;
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(holos_play(u->v, u->places[index].p, moves[i], next, NULL), HOLOS_OK);
        bool same = holos_side_to_move(u->v, next) == holos_side_to_move(u->v, u->places[index].p);
        uint32_t to = place_of(u, next);
        if (u->way_count == u->way_room) {
            u->way_room = u->way_room * 2 + 1024;
            u->ways = realloc(u->ways, u->way_room * sizeof *u->ways);
            assert_non_null(u->ways);
        }
        u->ways[u->way_count++] = (way){to, same ? 1 : -1, moves[i]};
    }
    holos_position_free(next);
}

/* What a move is worth at least, or at most, to its mover. */
static int32_t way_score(const universe *u, const way *w, bool least)
{
    const place *to = &u->places[w->to];
    return w->sign > 0 ? (least ? to->lo : to->hi) : -(least ? to->hi : to->lo);
}

/* Narrows intervals until nothing changes; whoever can go round for ever draws. */
static void universe_solve(universe *u)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = u->count; i-- > 0;) {
            place *p = &u->places[i];
            int32_t lo = INT32_MIN, hi = INT32_MIN;
            if (p->lo == p->hi)
                continue;
            for (uint32_t k = 0; k < p->count; k++) {
                int32_t a = way_score(u, &u->ways[p->first + k], true),
                        b = way_score(u, &u->ways[p->first + k], false);
                lo = a > lo ? a : lo;
                hi = b > hi ? b : hi;
            }
            changed |= lo > p->lo || hi < p->hi;
            p->lo = lo > p->lo ? lo : p->lo;
            p->hi = hi < p->hi ? hi : p->hi;
        }
    }
    for (size_t i = 0; i < u->count; i++) {
        place *p = &u->places[i];
        if (p->lo != p->hi)
            p->lo = p->hi = p->lo > 0 ? p->lo : p->hi < 0 ? p->hi : 0;
    }
}

static universe universe_open(const char *variant, const char *position)
{
    universe u = {0};
    holos_error err;
    if (holos_open(variant, &u.v, &err) != HOLOS_OK)
        fail_msg("%s: %s", variant, err.message);
    holos_position *start = holos_position_new(u.v);
    if (holos_parse(u.v, position, start, &err) != HOLOS_OK)
        fail_msg("%s %s: %s", variant, position, err.message);
    place_of(&u, start);
    for (size_t i = 0; i < u.count; i++) {
        ways_add(&u, i);
        if (u.count > PLACES_MOST)
            fail_msg("%s %s has more than %d positions: name a smaller universe", variant, position,
                     PLACES_MOST);
    }
    holos_position_free(start);
    universe_solve(&u);
    return u;
}

static void universe_close(universe *u)
{
    for (size_t i = 0; i < u->count; i++) {
        free(u->places[i].text);
        holos_position_free(u->places[i].p);
    }
    free(u->places);
    free(u->ways);
    free(u->slots);
    holos_close(u->v);
}

/* ---- Comparing --------------------------------------------------------------------------------- */

static const way *way_by(const universe *u, const place *p, holos_move move)
{
    for (uint32_t k = 0; k < p->count; k++)
        if (u->ways[p->first + k].move == move)
            return &u->ways[p->first + k];
    fail_msg("%s: a move that is none", p->text);
    return NULL;
}

static void value_compare(const universe *u, const place *p, holos_value value, int32_t truth,
                          const char *who)
{
    if (value.lo > truth || value.hi < truth)
        fail_msg("%s, %s, %s: [%d, %d] does not contain %d", holos_variant_name(u->v), p->text, who, value.lo,
                 value.hi, truth);
    if (!holos_source_is_proof(value.source) && value.source != HOLOS_SOURCE_NONE)
        fail_msg("%s, %s: a guess passes for a value", p->text, who);
}

static void result_compare(const universe *u, const place *p, const holos_result *r, holos_status status,
                           const char *who)
{
    value_compare(u, p, r->value, p->lo, who);
    if (status == HOLOS_OK && r->value.lo != r->value.hi)
        fail_msg("%s, %s: said to be solved, and [%d, %d]", p->text, who, r->value.lo, r->value.hi);
    for (size_t i = 0; i < r->best_count; i++)
        if (way_score(u, way_by(u, p, r->best[i]), true) != p->lo)
            fail_msg("%s, %s, %s: a best move that is none", holos_variant_name(u->v), p->text, who);
    for (size_t i = 0; i < r->move_count; i++)
        value_compare(u, p, r->moves[i].value, way_score(u, way_by(u, p, r->moves[i].move), true), who);
    const place *here = p;
    for (size_t i = 0; i < r->line_length; i++) {
        const way *next = way_by(u, here, r->line[i]);
        if (way_score(u, next, true) != here->lo)
            fail_msg("%s, %s, %s: move %zu of the line loses value", holos_variant_name(u->v), p->text, who,
                     i);
        here = &u->places[next->to];
    }
}

/* Asks a solver about random positions of the universe. */
static void solver_try(const universe *u, const holos_solver_options *o, unsigned questions, const char *who)
{
    holos_solver *solver;
    holos_error err;
    if (holos_solver_open(u->v, o, &solver, &err) != HOLOS_OK)
        fail_msg("%s, %s: %s", holos_variant_name(u->v), who, err.message);
    for (unsigned i = 0; i < questions; i++) {
        const place *p = &u->places[random_below(u->count)];
        holos_result r;
        holos_status status = holos_solver_solve(solver, p->p, &r, &err);
        if (status != HOLOS_OK && status != HOLOS_LIMIT)
            fail_msg("%s, %s, %s: %s", holos_variant_name(u->v), p->text, who, err.message);
        result_compare(u, p, &r, status, who);
    }
    holos_solver_close(solver);
}

static void engines_try(const universe *u, const holos_boundary *known, unsigned rounds)
{
    for (size_t e = 0; holos_engine_at(e) != NULL; e++) {
        const char *name = holos_engine_name(holos_engine_at(e));
        bool looks = strcmp(name, "lookup") == 0;
        if ((looks && known == NULL) ||
            (!looks && holos_engine_supports(holos_engine_at(e), u->v, NULL) != HOLOS_OK))
            continue;
        for (unsigned i = 0; i < rounds; i++) {
            holos_solver_options o = {.engine = name,
                                      .limits = {.nodes = random_below(3) == 0 ? 0 : 1 + random_below(3000),
                                                 .memory = (size_t)1 << 30},
                                      .moves = random_below(2) == 0,
                                      .line = random_below(3) == 0,
                                      .boundary = known};
            if (u->count > 20000 && o.limits.nodes == 0)
                o.limits.nodes = 20000;
            solver_try(u, &o, looks ? 200 : 8, name);
        }
    }
}

/* Every position of the universe, and best moves of some. */
static void knowledge_try(const universe *u, const char *url, const char *who)
{
    holos_knowledge *k;
    holos_error err;
    if (holos_knowledge_open(url, u->v, NULL, &k, &err) != HOLOS_OK)
        fail_msg("%s: %s", url, err.message);
    for (size_t i = 0; i < u->count; i++) {
        holos_value value;
        if (holos_knowledge_find(k, u->places[i].p, &value, &err) != HOLOS_OK)
            fail_msg("%s: %s", who, err.message);
        value_compare(u, &u->places[i], value, u->places[i].lo, who);
    }
    solver_try(
        u,
        &(holos_solver_options){.engine = "lookup", .boundary = holos_knowledge_boundary(k), .moves = true},
        100, who);
    solver_try(
        u, &(holos_solver_options){.engine = "lookup", .boundary = holos_knowledge_boundary(k), .line = true},
        20, who);
    if (random_below(3) == 0)
        engines_try(u, holos_knowledge_boundary(k), 1);
    holos_knowledge_close(k);
}

/* ---- Stores ------------------------------------------------------------------------------------ */

static char folder[] = "/tmp/twice_test_XXXXXX";

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

static const char *url_of(const char *scheme, unsigned number)
{
    static char urls[16][96];
    static unsigned next;
    char *out = urls[next++ % 16];
    snprintf(out, sizeof urls[0], "%s%s/%u", scheme, folder, number);
    return out;
}

static unsigned stores_made;

/* Builds what can be built for the variant; false: there can be no such thing. */
static bool store_try(const universe *u, const char *kind, const char *scheme, const char *option,
                      const char *value)
{
    const char *url = url_of(scheme, stores_made++);
    holos_job *job;
    holos_error err;
    holos_settings *settings = holos_settings_new();
    if (option != NULL)
        assert_int_equal(holos_settings_set(settings, option, value, &err), HOLOS_OK);
    holos_job_options o = {
        .kind = kind, .store = url, .settings = settings, .threads = 1 + (unsigned)random_below(2)};
    bool made = holos_job_open(u->v, &o, &job, &err) == HOLOS_OK;
    if (made) {
        holos_status status = holos_job_run(job, &err);
        made = status == HOLOS_OK;
        if (!made && status != HOLOS_UNSUPPORTED && status != HOLOS_USAGE)
            fail_msg("%s %s: %s", holos_variant_name(u->v), kind, err.message);
        holos_job_close(job);
    }
    if (made)
        knowledge_try(u, url, kind);
    holos_settings_free(settings);
    return made;
}

/* ---- Holograms --------------------------------------------------------------------------------- */

/* A wave under random limits, from random seeds, into a hologram; it may go on from another one, and have one as tables. */
static void hologram_make(const universe *u, const char *path, const char *from, const holos_boundary *known)
{
    holos_wave *w;
    holos_error err;
    holos_wave_options o = {.limits = {.nodes = 1 + random_below(4000), .memory = (size_t)1 << 30},
                            .threads = 1 + (unsigned)random_below(2),
                            .seed = random_below(1000),
                            .frontier = random_below(4) == 0 ? 1 + random_below(200) : 0,
                            .forward_depth = random_below(4) == 0 ? 1 + (unsigned)random_below(12) : 0,
                            .no_backward = random_below(3) == 0,
                            .spine_boundary = random_below(2) == 0,
                            .boundary = known};
    assert_int_equal(holos_wave_open(u->v, &o, &w, &err), HOLOS_OK);
    if (from != NULL && holos_wave_load(w, from, &err) != HOLOS_OK)
        fail_msg("%s", err.message);
    for (uint64_t seeds = 1 + random_below(3); seeds > 0; seeds--) {
        const place *p = &u->places[random_below(2) == 0 ? 0 : random_below(u->count)];
        assert_int_equal(holos_wave_add(w, &(holos_wave_seed){.position = p->p}, &err), HOLOS_OK);
    }
    for (uint64_t runs = 1 + random_below(2); runs > 0; runs--) {
        holos_status status = holos_wave_run(w, (holos_wave_mode)random_below(HOLOS_WAVE_OSMOSIS + 1), &err);
        if (status != HOLOS_OK && status != HOLOS_LIMIT)
            fail_msg("%s: %s", holos_variant_name(u->v), err.message);
    }
    for (size_t i = 0; i < u->count; i++)
        value_compare(u, &u->places[i], holos_wave_query(w, u->places[i].p), u->places[i].lo, "wave");
    if (holos_wave_save(w, path, &err) != HOLOS_OK)
        fail_msg("%s", err.message);
    holos_wave_close(w);
}

static void hologram_check(const universe *u, const char *path, const holos_boundary *known)
{
    holos_hologram *h;
    holos_error err;
    assert_int_equal(holos_hologram_open(path, &h, &err), HOLOS_OK);
    holos_hologram_checking how = {.boundary = known, .frontiers = true};
    if (holos_hologram_check(h, &how, NULL, &err) != HOLOS_OK)
        fail_msg("%s: %s", holos_variant_name(u->v), err.message);
    holos_hologram_close(h);
}

static void holograms_try(const universe *u, unsigned rounds)
{
    for (unsigned i = 0; i < rounds; i++) {
        const char *a = url_of("", 900000 + 4 * i), *b = url_of("", 900001 + 4 * i),
                   *both = url_of("", 900002 + 4 * i);
        holos_error err;
        holos_knowledge *k = NULL;
        hologram_make(u, a, NULL, NULL);
        hologram_check(u, a, NULL);
        if (random_below(3) == 0)
            assert_int_equal(holos_knowledge_open(a, u->v, NULL, &k, &err), HOLOS_OK);
        hologram_make(u, b, random_below(3) == 0 ? a : NULL, holos_knowledge_boundary(k));
        hologram_check(u, b, holos_knowledge_boundary(k));
        if (holos_hologram_merge(a, b, both, &err) != HOLOS_OK)
            fail_msg("%s: %s", holos_variant_name(u->v), err.message);
        hologram_check(u, both, NULL);
        hologram_make(u, both, both, NULL); /* what was merged goes on */
        knowledge_try(u, a, "hologram");
        knowledge_try(u, b, "hologram");
        knowledge_try(u, both, "merged holograms");
        holos_knowledge_close(k);
        unlink(a);
        unlink(b);
        unlink(both);
    }
}

/* ---- The games --------------------------------------------------------------------------------- */

typedef struct subject {
    const char *variant, *position;
    bool large;      /* only in full */
    unsigned stores; /* how many kinds of stores there must be */
} subject;

static const subject subjects[] = {
    {"connect4:4x4", "112233", false, 1},
    {"connect4:4x4", "start", true, 3},
    {"connect4:5x4", "3344211", true, 1},
    {"kalah:2,2", "start", false, 3},
    {"kalah:2,2,majority-stop", "start", false, 3},
    {"kalah:3,2", "start", false, 3},
    {"kalah:3,2,empty-capture", "start", false, 3},
    {"kalah:3,2,majority-stop", "start", false, 3},
    {"kalah:3,2,mover-end", "start", false, 3},
    {"kalah:3,3", "start", true, 3},
    {"nim:2,3,4", "start", false, 1},
    {"nim:3,4,5", "start", true, 1},
    {"reversi:4", "b1a1a2c1", false, 1},
    {"reversi:4", "start", true, 1},
    {"sudoku:4x4", "1.3434.22.4.4321", false, 0},
    {"hidato", "1 . 3/. 5 ./7 . 9", false, 0},
    {"hidato:4", "1 . ./. 5 ./. . 9", false, 0},
    {"chess", "8/8/8/8/8/k7/8/K1q5 w - - 0 1", true, 0},
};

/* Types on servers have a suite of their own, with servers (tests/cli/stores_test.py). */
static bool has_parquet(void)
{
    holos_store_type type;
    for (size_t i = 0; holos_store_type_at(i, &type); i++)
        if (strcmp(type.scheme, "parquet") == 0)
            return type.available;
    return false;
}

static void subject_try(const subject *s)
{
    universe u = universe_open(s->variant, s->position);
    unsigned stores = 0, rounds = is_full() ? 24 : 8;
    engines_try(&u, NULL, rounds);
    stores += store_try(&u, "database", "file:", NULL, NULL);
    stores += store_try(&u, "graph", "file:", NULL, NULL);
    stores += store_try(&u, "graph", "sqlite:", NULL, NULL);
    if (has_parquet()) {
        store_try(&u, "database", "parquet:", NULL, NULL);
        store_try(&u, "graph", "parquet:", NULL, NULL);
    }
    stores += store_try(&u, "book", "file:", "book-depth", "4");
    if (stores < s->stores)
        fail_msg("%s: %u kinds of stores, at least %u expected", s->variant, stores, s->stores);
    holograms_try(&u, rounds);
    universe_close(&u);
}

static void test_every_value_twice(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++)
        if (!subjects[i].large || is_full())
            subject_try(&subjects[i]);
}

static bool is_subject(const char *game)
{
    size_t length = strlen(game);
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++)
        if (strncmp(subjects[i].variant, game, length) == 0 &&
            (subjects[i].variant[length] == 0 || subjects[i].variant[length] == ':'))
            return true;
    return false;
}

/* A game that is added joins in: with all that follows from its start, until it has subjects of its own. */
static void test_games_without_a_subject_too(void **state)
{
    (void)state;
    for (size_t g = 0; g < holos_game_count(); g++) {
        const char *name = holos_game_name(holos_game_at(g));
        if (!is_subject(name))
            subject_try(&(subject){.variant = name, .position = "start"});
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_value_twice),
        cmocka_unit_test(test_games_without_a_subject_too),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
