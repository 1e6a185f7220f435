/* SPDX-License-Identifier: MIT */

/* Golden texts: one whole random game of each game, with everything that the contract says about every
 * position on the way, compared byte for byte with tests/golden/GAME.txt. So a change of the rules, the
 * notation, the order of moves or the keys shows in a diff.
 *
 *     golden [--update] [GAME…]      compare, or write anew; all games if none is named */

#include "core/clock.h"
#include "core/hash.h"
#include "core/rng.h"
#include "game/game.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEED          1
#define MOVES_WRITTEN 16 /* of a position with more, the first few and a digest of all */

/* ---- Writing a playthrough --------------------------------------------------------------------- */

typedef struct playthrough {
    holos_variant *v;
    holos_position *p, *scratch;
    holos_edge *edges;
    holos_position *neighbours;
    holos_key *keys;
    text *out;
} playthrough;

static void *must_alloc(size_t size)
{
    void *block = aligned_alloc(16, (size + 15) / 16 * 16);
    if (block == NULL)
        abort();
    return block;
}

static void write_key(text *out, const char *name, holos_key key)
{
    text_printf(out, "%s %016" PRIx64 "%016" PRIx64 "\n", name, key.hi, key.lo);
}

static void write_edge(playthrough *t, uint32_t index)
{
    const holos_variant *v = t->v;
    holos_edge edge = t->edges[index];
    text_string(t->out, "  ");
    v->game->format_move(v, t->p, edge.move, t->out);
    text_string(t->out, " -> ");
    v->game->format(v, position_at(v, t->neighbours, index), t->out);
    text_printf(t->out, "  gain %d order %d%s%s\n", (int)edge.gain, (int)edge.order,
                (edge.flags & HOLOS_EDGE_SAME_SIDE) != 0 ? " same-side" : "",
                (edge.flags & HOLOS_EDGE_FORCING) != 0 ? " forcing" : "");
}

/* The edges and where they lead, as one number. */
static holos_key digest(const playthrough *t, uint32_t count)
{
    holos_key parts[3] = {hash_bytes(t->edges, count * sizeof *t->edges),
                          hash_bytes(t->neighbours, count * t->v->position_size),
                          hash_bytes(t->keys, count * sizeof *t->keys)};
    return hash_bytes(parts, sizeof parts);
}

static uint32_t write_moves(playthrough *t)
{
    uint32_t count = t->v->game->expand(
        t->v, t->p, (holos_edges){.edges = t->edges, .positions = t->neighbours, .keys = t->keys});
    text_printf(t->out, "%u moves\n", count);
    for (uint32_t i = 0; i < count && (count <= MOVES_WRITTEN || i < 3); i++)
        write_edge(t, i);
    if (count > MOVES_WRITTEN)
        text_string(t->out, "  ...\n");
    write_key(t->out, "  digest", digest(t, count));
    return count;
}

static void write_predecessors(playthrough *t)
{
    if (t->v->game->back == NULL)
        return;
    holos_edges out = {.edges = t->edges, .positions = t->neighbours, .keys = t->keys};
    uint32_t count = t->v->game->back->predecessors(t->v, t->p, out);
    text_printf(t->out, "%u predecessors\n", count);
    write_key(t->out, "  digest", digest(t, count));
}

static void write_facts(playthrough *t)
{
    const holos_variant *v = t->v;
    int32_t score;
    text_string(t->out, "position \"");
    v->game->format(v, t->p, t->out);
    text_string(t->out, "\"\n");
    v->game->draw(v, t->p, t->out);
    text_printf(t->out, "side %u, banked %d\n", v->game->side(v, t->p), (int)game_banked(v, t->p));
    if (v->game->terminal(v, t->p, &score))
        text_printf(t->out, "over, value %d\n", (int)score);
    if (v->game->search != NULL && v->game->search->bounds != NULL) {
        int32_t lo = v->score_min, hi = v->score_max;
        v->game->search->bounds(v, t->p, &lo, &hi);
        text_printf(t->out, "bounds %d to %d\n", (int)lo, (int)hi);
    }
    write_key(t->out, "key", v->game->key(v, t->p));
    write_key(t->out, "identity", v->game->identity(v, t->p));
}

/* A random move. Of a puzzle, one that leaves a solution: others come to an end too soon. */
static uint32_t choose(playthrough *t, uint32_t count, rng *random)
{
    const holos_puzzle *puzzle = t->v->game->puzzle;
    bool solvable = true;
    uint32_t choice;
    do {
        choice = (uint32_t)rng_below(random, count);
        if (puzzle != NULL)
            solvable = game_count_solutions(t->v, position_at(t->v, t->neighbours, choice), 1, t->scratch)
                           .solutions > 0;
    } while (!solvable);
    return choice;
}

static void write_game(playthrough *t)
{
    const holos_variant *v = t->v;
    rng random;
    rng_init(&random, SEED, 0);
    text_printf(t->out,
                "One random game of %s, seed %d. Made by `golden --update %s`.\n"
                "scores %d to %d, at most %u moves\n",
                v->name, SEED, v->game->name, (int)v->score_min, (int)v->score_max, v->max_successors);
    for (unsigned ply = 0;; ply++) {
        text_printf(t->out, "\n== ply %u ==\n", ply);
        write_facts(t);
        write_predecessors(t);
        uint32_t count = write_moves(t);
        if (count == 0)
            return;
        holos_move move = t->edges[choose(t, count, &random)].move;
        text_string(t->out, "plays ");
        v->game->format_move(v, t->p, move, t->out);
        text_char(t->out, '\n');
        v->game->play(v, t->p, move, t->p);
    }
}

static void make_playthrough(const holos_game *game, text *out)
{
    playthrough t = {.out = out};
    if (holos_open(game->name, &t.v, NULL) != HOLOS_OK)
        abort();
    uint32_t room = t.v->max_successors > t.v->max_predecessors ? t.v->max_successors : t.v->max_predecessors;
    t.p = holos_position_new(t.v);
    t.scratch = holos_position_new(t.v);
    t.edges = must_alloc(room * sizeof *t.edges);
    t.neighbours = must_alloc(room * t.v->position_size);
    t.keys = must_alloc(room * sizeof *t.keys);
    if (game->start == NULL && holos_parse(t.v, game->examples[0], t.p, NULL) != HOLOS_OK)
        abort();
    write_game(&t);
    holos_position_free(t.p);
    holos_position_free(t.scratch);
    free(t.edges);
    free(t.neighbours);
    free(t.keys);
    holos_close(t.v);
}

/* ---- Comparing --------------------------------------------------------------------------------- */

/* The whole of a file, 0-terminated; NULL if there is none. */
static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    text content;
    text_init(&content);
    char block[4096];
    for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;)
        text_bytes(&content, block, n);
    fclose(file);
    return content.data;
}

/* Prints the first line in which the texts differ, as TAP comments. */
static void show_difference(const char *expected, const char *got)
{
    unsigned line = 1;
    const char *begin = expected, *begin_got = got;
    for (; *expected == *got && *got != 0; expected++, got++)
        if (*got == '\n') {
            line++;
            begin = expected + 1;
            begin_got = got + 1;
        }
    printf("# line %u is     %.*s\n# and should be %.*s\n", line, (int)strcspn(begin_got, "\n"), begin_got,
           (int)strcspn(begin, "\n"), begin);
}

static bool compare(unsigned number, const char *game, const char *path, const text *got)
{
    char *expected = read_file(path);
    bool same = expected != NULL && strcmp(expected, got->data) == 0;
    if (expected == NULL)
        printf("ok %u - %s # SKIP no golden text: golden --update %s writes it\n", number, game, game);
    else
        printf("%s %u - %s\n", same ? "ok" : "not ok", number, game);
    if (expected != NULL && !same)
        show_difference(expected, got->data);
    bool good = same || expected == NULL;
    free(expected);
    return good;
}

static bool update(const char *path, const text *got)
{
    FILE *file = fopen(path, "wb");
    bool written = file != NULL && fwrite(got->data, 1, got->length, file) == got->length;
    if (file != NULL && fclose(file) != 0)
        written = false;
    if (!written)
        fprintf(stderr, "golden: cannot write %s: %s\n", path, strerror(errno));
    return written;
}

static bool is_named(const char *game, char **names)
{
    if (names[0] == NULL)
        return true;
    for (; *names != NULL; names++)
        if (strcmp(*names, game) == 0)
            return true;
    return false;
}

int main(int argc, char **argv)
{
    bool updating = argc > 1 && strcmp(argv[1], "--update") == 0, good = true;
    char **names = argv + 1 + updating;
    unsigned number = 0;
    for (size_t i = 0; i < holos_game_count(); i++) {
        const holos_game *game = holos_game_at(i);
        char path[4096];
        text got;
        if (!is_named(game->name, names))
            continue;
        text_init(&got);
        make_playthrough(game, &got);
        snprintf(path, sizeof path, "%s/%s.txt", GOLDEN_FOLDER, game->name);
        number++;
        good &= updating ? update(path, &got) : compare(number, game->name, path, &got);
        text_free(&got);
    }
    if (!updating)
        printf("1..%u\n", number);
    return good && number > 0 ? 0 : 1;
}
