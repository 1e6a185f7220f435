/* SPDX-License-Identifier: MIT */

#include "conformance.h"

#include "core/clock.h"
#include "core/hash.h"

#include <stdlib.h>
#include <string.h>

#define GUARD       0xA5
#define GUARD_BYTES 64

/* ---- Neighbours -------------------------------------------------------------------------------- */

static void *guarded_alloc(size_t size)
{
    size_t rounded = (size + GUARD_BYTES + 15) / 16 * 16;
    void *block = aligned_alloc(16, rounded);
    assert_non_null(block);
    memset(block, GUARD, rounded);
    return block;
}

static void guard_check(const void *block, size_t size)
{
    const unsigned char *guard = (const unsigned char *)block + size;
    for (size_t i = 0; i < GUARD_BYTES; i++)
        if (guard[i] != GUARD)
            fail_msg("written past the end of the room that was promised");
}

static void neighbours_open(neighbours *n, const holos_variant *v, uint32_t room)
{
    n->room = room;
    n->edges = guarded_alloc(room * sizeof *n->edges);
    n->positions = guarded_alloc(room * v->position_size);
    n->keys = guarded_alloc(room * sizeof *n->keys);
}

static void neighbours_close(neighbours *n)
{
    free(n->edges);
    free(n->positions);
    free(n->keys);
}

typedef uint32_t neighbours_function(const holos_variant *v, const holos_position *p, holos_edges out);

static void neighbours_fill(const subject *s, neighbours_function *f, const holos_position *p, neighbours *n)
{
    n->count = f(s->v, p, (holos_edges){.edges = n->edges, .positions = n->positions, .keys = n->keys});
    assert_true(n->count <= n->room);
    guard_check(n->edges, n->room * sizeof *n->edges);
    guard_check(n->positions, n->room * s->v->position_size);
    guard_check(n->keys, n->room * sizeof *n->keys);
}

void expand_into(const subject *s, const holos_position *p, neighbours *out)
{
    neighbours_fill(s, s->v->game->expand, p, out);
}

void search_expand_into(const subject *s, const holos_position *p, neighbours *out)
{
    neighbours_fill(s, s->v->game->search->expand, p, out);
}

void predecessors_into(const subject *s, const holos_position *p, neighbours *out)
{
    neighbours_fill(s, s->v->game->back->predecessors, p, out);
}

const holos_position *neighbour_at(const subject *s, const neighbours *n, uint32_t index)
{
    return position_at(s->v, n->positions, index);
}

/* ---- The sample -------------------------------------------------------------------------------- */

const holos_position *subject_at(const subject *s, size_t index)
{
    return position_at(s->v, s->positions, index);
}

bool subject_equal(const subject *s, const holos_position *a, const holos_position *b)
{
    return memcmp(a, b, s->v->position_size) == 0;
}

char *subject_text(const subject *s, const holos_position *p)
{
    size_t length = holos_format(s->v, p, NULL, 0);
    char *buffer = malloc(length + 1);
    assert_non_null(buffer);
    assert_int_equal(holos_format(s->v, p, buffer, length + 1), length);
    return buffer;
}

static void sample_add(subject *s, const holos_position *p)
{
    if (s->count < SAMPLE_SIZE)
        memcpy(position_at(s->v, s->positions, s->count++), p, s->v->position_size);
}

/* Plays at random to the end, and adds about every `every`th position and the last one. */
static void sample_forward(subject *s, const holos_position *from, uint64_t every)
{
    holos_position *p = holos_position_new(s->v);
    memcpy(p, from, s->v->position_size);
    for (;;) {
        if (rng_below(&s->random, every) == 0)
            sample_add(s, p);
        expand_into(s, p, &s->next);
        if (s->next.count == 0)
            break;
        uint32_t choice = (uint32_t)rng_below(&s->random, s->next.count);
        memcpy(p, neighbour_at(s, &s->next, choice), s->v->position_size);
    }
    sample_add(s, p);
    holos_position_free(p);
}

/* Goes back at random, up to `steps` moves, and adds what it meets: not all of it can be reached. */
static void sample_backward(subject *s, const holos_position *from, uint64_t steps)
{
    if (s->v->game->back == NULL)
        return;
    holos_position *p = holos_position_new(s->v);
    memcpy(p, from, s->v->position_size);
    while (steps-- > 0) {
        predecessors_into(s, p, &s->before);
        if (s->before.count == 0)
            break;
        uint32_t choice = (uint32_t)rng_below(&s->random, s->before.count);
        memcpy(p, neighbour_at(s, &s->before, choice), s->v->position_size);
        sample_add(s, p);
    }
    holos_position_free(p);
}

/* A puzzle with its solution filled in, and the way back from there: positions that can be solved, with few
 * cells open. Random play hardly ever finds them. */
static void sample_solution(subject *s, const holos_position *from)
{
    if (s->v->game->puzzle == NULL)
        return;
    holos_position *solution = holos_position_new(s->v);
    holos_puzzle_answer answer = game_count_solutions(s->v, from, 1, solution);
    if (answer.solutions > 0) {
        sample_add(s, solution);
        sample_backward(s, solution, 8);
        if (s->count > 0)
            sample_forward(s, subject_at(s, s->count - 1), 2);
    }
    holos_position_free(solution);
}

static void sample_around(subject *s, const holos_position *root, size_t target)
{
    sample_add(s, root);
    sample_solution(s, root);
    for (int tries = 0; tries < 1000 && s->count < target; tries++) {
        sample_forward(s, root, 3);
        sample_backward(s, subject_at(s, s->count - 1 - rng_below(&s->random, s->count)), 4);
    }
}

/* Reads an example; false if it is one of another variant. */
static bool example_read(const subject *s, size_t index, holos_position *out)
{
    const holos_game *game = s->v->game;
    holos_error err;
    bool must = strchr(s->name, ':') == NULL || game->start == NULL;
    if (holos_parse(s->v, game->examples[index], out, &err) == HOLOS_OK)
        return true;
    if (must)
        fail_msg("example %s: %s", game->examples[index], err.message);
    return false;
}

/* The roots are the start and the examples, each with an equal share. The examples are those of the default variant; a
 * game without a start has no other roots, so its other variants must be able to read them, too. */
static void sample_fill(subject *s)
{
    const holos_game *game = s->v->game;
    size_t roots = game->start != NULL, next = 0;
    holos_position *p = holos_position_new(s->v), *start = holos_position_new(s->v);
    for (size_t i = 0; game->examples[i] != NULL; i++)
        roots += example_read(s, i, p);
    if (game->start != NULL)
        sample_around(s, start, SAMPLE_SIZE * ++next / roots);
    for (size_t i = 0; game->examples[i] != NULL; i++)
        if (example_read(s, i, p))
            sample_around(s, p, SAMPLE_SIZE * ++next / roots);
    holos_position_free(start);
    holos_position_free(p);
}

void subject_open(subject *s, const char *name)
{
    holos_error err;
    *s = (subject){.name = name};
    if (holos_open(name, &s->v, &err) != HOLOS_OK)
        fail_msg("%s: %s", name, err.message);
    rng_init(&s->random, hash_bytes(name, strlen(name)).lo, 0);
    neighbours_open(&s->next, s->v, s->v->max_successors);
    neighbours_open(&s->further, s->v, s->v->max_successors);
    neighbours_open(&s->before, s->v, s->v->max_predecessors);
    neighbours_open(&s->earlier, s->v, s->v->max_predecessors);
    s->positions = aligned_alloc(16, SAMPLE_SIZE * s->v->position_size);
    assert_non_null(s->positions);
    minimax_open(&s->values, s->v);
    sample_fill(s);
    assert_true(s->count > 0);
}

void subject_close(subject *s)
{
    neighbours_close(&s->next);
    neighbours_close(&s->further);
    neighbours_close(&s->before);
    neighbours_close(&s->earlier);
    minimax_close(&s->values);
    free(s->positions);
    holos_close(s->v);
}
