/* SPDX-License-Identifier: MIT */

/* Known answers: how many positions can be reached in whole small games, what their starts and first moves
 * are worth, and positions with published scores. All of it is computed here from the contract alone.
 *
 *     known_games DATA_FOLDER */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/table.h"
#include "game/game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PITS         8
#define NAME_LENGTH  160
#define MAX_BRANCHES 16

static holos_variant *variant_open(const char *name)
{
    holos_variant *v;
    holos_error err;
    if (holos_open(name, &v, &err) != HOLOS_OK)
        fail_msg("%s: %s", name, err.message);
    assert_true(v->max_successors <= MAX_BRANCHES);
    return v;
}

/* ---- Counting ---------------------------------------------------------------------------------- */

typedef struct known_count {
    const char *variant;
    unsigned plies; /* 0: to the end */
    uint64_t positions;
} known_count;

/* Kalah counts pits, stores and side to move, finished positions as they stand. Connect four after each
 * ply: J. Tromp, On-Line Encyclopedia of Integer Sequences, A212693. */
static const known_count counts[] = {
    {"kalah:2,1", 0, 9},
    {"kalah:2,2", 0, 26},
    {"kalah:2,3", 0, 160},
    {"kalah:3,1", 0, 81},
    {"kalah:3,2", 0, 4001},
    {"kalah:3,3", 0, 29274},
    {"kalah:4,1", 0, 2646},
    {"kalah:4,2", 0, 315147},
    {"kalah:5,1", 0, 60949},
    {"kalah:6,1", 0, 1218928},
    {"kalah:4,3", 0, 5255649},
    {"kalah:4,3,empty-capture", 0, 4646746},
    {"kalah:4,3,empty-capture,majority-stop", 0, 4604996},
    {"kalah:4,3,mover-end", 0, 5283478},
    {"connect4:4x4", 0, 161029},
    {"connect4:3x6", 0, 235781},
    {"connect4:7x6", 1, 7},
    {"connect4:7x6", 2, 49},
    {"connect4:7x6", 3, 238},
    {"connect4:7x6", 4, 1120},
    {"connect4:7x6", 5, 4263},
    {"connect4:7x6", 6, 16422},
    {"connect4:7x6", 7, 54859},
    {"nim:3,4,5", 0,
     232}, /* 4 * 5 * 6 heaps, either side to move, but for eight that one move or none leaves */
};

/* Identities in the order they were found. */
typedef struct queue {
    holos_key *items;
    size_t count, capacity;
} queue;

static void queue_push(queue *q, holos_key key)
{
    if (q->count == q->capacity) {
        q->capacity = q->capacity * 2 + 1024;
        q->items = realloc(q->items, q->capacity * sizeof *q->items);
        assert_non_null(q->items);
    }
    q->items[q->count++] = key;
}

static void queue_discover(queue *q, table *seen, holos_key key)
{
    bool fresh;
    assert_non_null(table_insert(seen, key, &fresh));
    if (fresh)
        queue_push(q, key);
}

static void expand_all(const holos_variant *v, holos_key identity, queue *q, table *seen)
{
    _Alignas(16) unsigned char position[64], children[MAX_BRANCHES * 64];
    holos_edge edges[MAX_BRANCHES];
    holos_position *p = (holos_position *)position, *c = (holos_position *)children;
    v->game->from_identity(v, identity, p);
    uint32_t count = v->game->expand(v, p, (holos_edges){.edges = edges, .positions = c});
    for (uint32_t i = 0; i < count; i++)
        queue_discover(q, seen, v->game->identity(v, position_at(v, c, i)));
}

/* All positions that can be reached, ply by ply: up to `plies`, or to the end if that is 0. *last is where
 * those after the last ply begin. The caller frees the items. */
static queue reachable(const holos_variant *v, unsigned plies, size_t *last)
{
    queue q = {0};
    table seen;
    assert_int_equal(table_init(&seen, NULL, 0, 1024, NULL), HOLOS_OK);
    holos_position *start = holos_position_new(v);
    queue_discover(&q, &seen, v->game->identity(v, start));
    size_t done = 0;
    *last = 0;
    for (unsigned ply = 0; done < q.count && (plies == 0 || ply < plies); ply++) {
        *last = q.count;
        for (; done < *last; done++)
            expand_all(v, q.items[done], &q, &seen);
    }
    holos_position_free(start);
    table_free(&seen);
    return q;
}

static void test_count(void **state)
{
    const known_count *known = *state;
    holos_variant *v = variant_open(known->variant);
    size_t last;
    queue q = reachable(v, known->plies, &last);
    assert_int_equal(known->plies == 0 ? q.count : q.count - last, known->positions);
    free(q.items);
    holos_close(v);
}

/* ---- The way back ------------------------------------------------------------------------------ */

/* Variants in which every edge of the whole game is looked for backwards. */
static const char *const whole_games[] = {
    "kalah:2,3",    "kalah:3,2", "kalah:3,2,empty-capture", "kalah:3,2,majority-stop", "kalah:3,2,mover-end",
    "connect4:4x3", "nim:3,4,5",
};

typedef struct back_room {
    holos_edge *edges;
    holos_position *positions;
} back_room;

static bool is_found_backwards(const holos_variant *v, const holos_position *p, const holos_edge *edge,
                               const holos_position *child, back_room room)
{
    holos_edges out = {.edges = room.edges, .positions = room.positions};
    uint32_t count = v->game->back->predecessors(v, child, out);
    for (uint32_t i = 0; i < count; i++)
        if (memcmp(&room.edges[i], edge, sizeof *edge) == 0 &&
            memcmp(position_at(v, room.positions, i), p, v->position_size) == 0)
            return true;
    return false;
}

static void test_every_edge_is_found_backwards(void **state)
{
    holos_variant *v = variant_open(*state);
    size_t last;
    queue q = reachable(v, 0, &last);
    back_room room = {.edges = malloc(v->max_predecessors * sizeof(holos_edge)),
                      .positions = aligned_alloc(16, v->max_predecessors * v->position_size)};
    assert_true(room.edges != NULL && room.positions != NULL);
    for (size_t i = 0; i < q.count; i++) {
        _Alignas(16) unsigned char position[64], children[MAX_BRANCHES * 64];
        holos_edge edges[MAX_BRANCHES];
        holos_position *p = (holos_position *)position, *c = (holos_position *)children;
        v->game->from_identity(v, q.items[i], p);
        uint32_t count = v->game->expand(v, p, (holos_edges){.edges = edges, .positions = c});
        for (uint32_t k = 0; k < count; k++)
            assert_true(is_found_backwards(v, p, &edges[k], position_at(v, c, k), room));
    }
    free(room.edges);
    free(room.positions);
    free(q.items);
    holos_close(v);
}

/* ---- Values of openings ------------------------------------------------------------------------ */

typedef struct known_values {
    const char *variant;
    int32_t start;
    int32_t openings[PITS]; /* in natural order; UNKNOWN ends them */
} known_values;

#define UNKNOWN INT32_MAX

static const known_values values[] = {
    {"kalah:2,1", 2, {-2, 2, UNKNOWN}},
    {"kalah:2,2", -2, {-4, -2, UNKNOWN}},
    {"kalah:2,3", -2, {-2, -4, UNKNOWN}},
    {"kalah:3,1", 0, {0, -4, 0, UNKNOWN}},
    {"kalah:3,2", 4, {-8, 4, 0, UNKNOWN}},
    {"kalah:3,3", 2, {2, 2, -4, UNKNOWN}},
    {"kalah:4,1", 2, {0, -2, -2, 2, UNKNOWN}},
    {"kalah:4,2", 6, {-12, -10, 4, 6, UNKNOWN}},
    {"kalah:4,3", 6, {-6, 6, 2, -2, UNKNOWN}},
    {"kalah:6,1", 2, {UNKNOWN}},
    {"kalah:2,1,empty-capture", 2, {UNKNOWN}},
    {"kalah:2,2,empty-capture", -2, {UNKNOWN}},
    {"kalah:2,3,empty-capture", -2, {UNKNOWN}},
    {"kalah:3,1,empty-capture", 0, {UNKNOWN}},
    {"kalah:3,2,empty-capture", 4, {UNKNOWN}},
    {"kalah:3,3,empty-capture", 2, {UNKNOWN}},
    {"kalah:4,1,empty-capture", 2, {UNKNOWN}},
    {"kalah:4,2,empty-capture", 6, {UNKNOWN}},
    {"kalah:4,3,empty-capture", 8, {-8, 8, 0, -4, UNKNOWN}},
    {"kalah:6,1,empty-capture", 2, {UNKNOWN}},
    {"connect4:4x4", 0, {UNKNOWN}},
    {"nim:3,4,5", 1, {-1, 1, -1, -1, -1, -1, -1, -1}}, /* only 2 from the heap of 3 leaves 1, 4, 5 */
    {"nim:1,2,3", -1, {-1, -1, -1, -1, -1, -1, UNKNOWN}},
};

/* Plain minimax, remembered by key. */
static int32_t value_of(const holos_variant *v, const holos_position *p, table *known)
{
    bool fresh;
    holos_key key = v->game->key(v, p);
    const int64_t *found = table_find(known, key);
    if (found != NULL)
        return (int32_t)*found;
    int32_t best;
    if (!v->game->terminal(v, p, &best)) {
        _Alignas(16) unsigned char children[MAX_BRANCHES * 64];
        holos_edge edges[MAX_BRANCHES];
        holos_position *c = (holos_position *)children;
        uint32_t count = v->game->expand(v, p, (holos_edges){.edges = edges, .positions = c});
        best = INT32_MIN;
        for (uint32_t i = 0; i < count; i++) {
            int32_t score = edge_score(edges[i], value_of(v, position_at(v, c, i), known));
            best = score > best ? score : best;
        }
    }
    int64_t *slot = table_insert(known, key, &fresh);
    assert_non_null(slot);
    *slot = best;
    return best;
}

static void test_values(void **state)
{
    const known_values *expected = *state;
    holos_variant *v = variant_open(expected->variant);
    table known;
    assert_int_equal(table_init(&known, NULL, sizeof(int64_t), 1024, NULL), HOLOS_OK);
    holos_position *start = holos_position_new(v), *child = holos_position_new(v);
    assert_int_equal(value_of(v, start, &known), expected->start);
    holos_move moves[MAX_BRANCHES];
    size_t count = holos_moves(v, start, moves, MAX_BRANCHES);
    for (size_t i = 0; i < count && i < PITS && expected->openings[i] != UNKNOWN; i++) {
        holos_edge edge = v->game->play(v, start, moves[i], child);
        assert_int_equal(edge_score(edge, value_of(v, child, &known)), expected->openings[i]);
    }
    holos_position_free(start);
    holos_position_free(child);
    table_free(&known);
    holos_close(v);
}

/* ---- Connect four: late positions -------------------------------------------------------------- */

/* Alpha-beta without a table; captures the score in [alpha, beta]. */
static int32_t alphabeta(const holos_variant *v, const holos_position *p, int32_t alpha, int32_t beta)
{
    int32_t best;
    if (v->game->terminal(v, p, &best))
        return best;
    _Alignas(16) unsigned char children[MAX_BRANCHES * 64];
    holos_edge edges[MAX_BRANCHES];
    holos_position *c = (holos_position *)children;
    uint32_t count = v->game->expand(v, p, (holos_edges){.edges = edges, .positions = c});
    best = INT32_MIN;
    for (uint32_t i = 0; i < count && best < beta; i++) {
        int32_t score = -alphabeta(v, position_at(v, c, i), -beta, -alpha);
        best = score > best ? score : best;
        alpha = best > alpha ? best : alpha;
    }
    return best;
}

static void test_late_positions(void **state)
{
    FILE *file = fopen(*state, "r");
    assert_non_null(file);
    holos_variant *v = variant_open("connect4");
    holos_position *p = holos_position_new(v);
    char moves[64];
    int score, lines = 0;
    for (; fscanf(file, "%63s %d", moves, &score) == 2; lines++) {
        assert_int_equal(holos_parse(v, moves, p, NULL), HOLOS_OK);
        assert_int_equal(alphabeta(v, p, v->score_min, v->score_max), score);
    }
    assert_int_equal(lines, 100);
    holos_position_free(p);
    holos_close(v);
    fclose(file);
}

/* ---- The list ---------------------------------------------------------------------------------- */

#define COUNTS (sizeof counts / sizeof counts[0])
#define VALUES (sizeof values / sizeof values[0])
#define WHOLE  (sizeof whole_games / sizeof whole_games[0])
#define TESTS  (COUNTS + VALUES + WHOLE + 1)

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: known_games DATA_FOLDER\n");
        return 2;
    }
    struct CMUnitTest tests[TESTS];
    static char names[TESTS][NAME_LENGTH], path[4096];
    size_t n = 0;
    for (size_t i = 0; i < COUNTS; i++, n++) {
        snprintf(names[n], NAME_LENGTH, "%s has %llu positions%s%.0u%s", counts[i].variant,
                 (unsigned long long)counts[i].positions, counts[i].plies > 0 ? " after " : "",
                 counts[i].plies, counts[i].plies > 0 ? " plies" : "");
        tests[n] = (struct CMUnitTest){names[n], test_count, NULL, NULL, (void *)(uintptr_t)&counts[i]};
    }
    for (size_t i = 0; i < VALUES; i++, n++) {
        snprintf(names[n], NAME_LENGTH, "%s is worth %d", values[i].variant, (int)values[i].start);
        tests[n] = (struct CMUnitTest){names[n], test_values, NULL, NULL, (void *)(uintptr_t)&values[i]};
    }
    for (size_t i = 0; i < WHOLE; i++, n++) {
        snprintf(names[n], NAME_LENGTH, "%s: every edge is found backwards", whole_games[i]);
        tests[n] = (struct CMUnitTest){names[n], test_every_edge_is_found_backwards, NULL, NULL,
                                       (void *)(uintptr_t)whole_games[i]};
    }
    snprintf(path, sizeof path, "%s/connect4/end-easy-100.txt", argv[1]);
    tests[n++] = (struct CMUnitTest){"connect4: late positions have their published scores",
                                     test_late_positions, NULL, NULL, path};
    return _cmocka_run_group_tests("known games", tests, n, NULL, NULL);
}
