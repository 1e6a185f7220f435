/* SPDX-License-Identifier: MIT */

/* Whatever a game accepts must survive everything. The input is lines: what follows the colon of the
 * variant, a position, then moves. FUZZ_GAME is the game; one target is built for each. */

#include "core/assert.h"
#include "game/game.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_INPUT 1000
#define MAX_MOVES 50

typedef struct fuzz_state {
    holos_variant *v;
    holos_position *p, *other;
    holos_edge *edges;
    holos_position *neighbours;
    holos_key *keys;
} fuzz_state;

static void *must_alloc(size_t size)
{
    void *block = aligned_alloc(16, (size + 15) / 16 * 16);
    assert(block != NULL);
    return block;
}

static void state_open(fuzz_state *f)
{
    const holos_variant *v = f->v;
    uint32_t room = v->max_successors > v->max_predecessors ? v->max_successors : v->max_predecessors;
    f->p = holos_position_new(v);
    f->other = holos_position_new(v);
    f->edges = must_alloc(room * sizeof *f->edges);
    f->neighbours = must_alloc(room * v->position_size);
    f->keys = must_alloc(room * sizeof *f->keys);
    assert(f->p != NULL && f->other != NULL);
}

static void state_close(fuzz_state *f)
{
    holos_position_free(f->p);
    holos_position_free(f->other);
    free(f->edges);
    free(f->neighbours);
    free(f->keys);
    holos_close(f->v);
}

/* A position reads back from its own text. */
static void check_text(fuzz_state *f)
{
    const holos_variant *v = f->v;
    size_t length = holos_format(v, f->p, NULL, 0);
    char *written = must_alloc(length + 1);
    holos_format(v, f->p, written, length + 1);
    assert(v->game->parse(v, written, f->other, NULL) == HOLOS_OK);
    assert(holos_key_equal(v->game->key(v, f->other), v->game->key(v, f->p)));
    assert(v->game->puzzle != NULL || memcmp(f->other, f->p, v->position_size) == 0);
    free(written);
    length = holos_draw(v, f->p, NULL, 0);
    char *drawn = must_alloc(length + 1);
    assert(holos_draw(v, f->p, drawn, length + 1) == length && strlen(drawn) == length);
    free(drawn);
}

static void check_neighbours(fuzz_state *f)
{
    const holos_variant *v = f->v;
    holos_edges out = {.edges = f->edges, .positions = f->neighbours, .keys = f->keys};
    int32_t score, lo = v->score_min, hi = v->score_max;
    uint32_t count = v->game->expand(v, f->p, out);
    assert(count <= v->max_successors && (count == 0) == v->game->terminal(v, f->p, &score));
    if (v->game->back != NULL) {
        count = v->game->back->predecessors(v, f->p, out);
        assert(count <= v->max_predecessors);
        for (uint32_t i = 0; i < count; i++) {
            v->game->play(v, position_at(v, f->neighbours, i), f->edges[i].move, f->other);
            assert(memcmp(f->other, f->p, v->position_size) == 0);
        }
    }
    if (v->game->from_identity != NULL) {
        v->game->from_identity(v, v->game->identity(v, f->p), f->other);
        assert(memcmp(f->other, f->p, v->position_size) == 0);
    }
    if (v->game->search != NULL && v->game->search->bounds != NULL) {
        v->game->search->bounds(v, f->p, &lo, &hi);
        assert(lo <= hi);
    }
}

static void play_line(fuzz_state *f, char *rest)
{
    const char *word;
    for (int moves = 0; moves < MAX_MOVES && (word = strsep(&rest, "\n")) != NULL; moves++) {
        holos_move move;
        holos_error err = {0};
        if (holos_parse_move(f->v, f->p, word, &move, &err) != HOLOS_OK) {
            assert(err.code == HOLOS_BAD_MOVE && err.message[0] != 0);
            assert(err.at >= HOLOS_NOWHERE && err.at <= (int64_t)strlen(word));
            continue;
        }
        assert(holos_play(f->v, f->p, move, f->p, &err) == HOLOS_OK);
        check_text(f);
        check_neighbours(f);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char buffer[MAX_INPUT + 1], name[MAX_INPUT + 32], *rest = buffer;
    if (size > MAX_INPUT)
        return -1;
    memcpy(buffer, data, size);
    buffer[size] = 0;
    const char *variant = strsep(&rest, "\n"), *position = strsep(&rest, "\n");
    if (position == NULL)
        return -1;
    strcpy(stpcpy(stpcpy(name, FUZZ_GAME), variant[0] != 0 ? ":" : ""), variant);

    fuzz_state f = {0};
    holos_error err = {0};
    if (holos_open(name, &f.v, &err) != HOLOS_OK) {
        assert(err.message[0] != 0 && err.at >= HOLOS_NOWHERE && err.at <= (int64_t)strlen(name));
        return 0;
    }
    state_open(&f);
    if (holos_parse(f.v, position, f.p, &err) == HOLOS_OK) {
        check_text(&f);
        check_neighbours(&f);
        play_line(&f, rest);
    } else {
        assert(err.message[0] != 0 && err.at >= HOLOS_NOWHERE && err.at <= (int64_t)strlen(position));
    }
    state_close(&f);
    return 0;
}
