/* SPDX-License-Identifier: MIT */

/* A game of one's own: tic-tac-toe in four functions, solved by two engines.
 *
 *     $ cc own_game.c $(pkg-config --cflags --libs holos) -o own_game
 *     $ ./own_game
 *     alphabeta: draw, best 0 1 2 3 4 5 6 7 8
 *     wave: draw, best 0 1 2 3 4 5 6 7 8
 */

#include <holos/holos.h>

#include <stdio.h>

/* Sixteen bytes, all of them part of the position: nine cells, and how many are filled. */
typedef struct board {
    char cells[9], unused[6], filled;
} board;

static holos_status start(void *context, void *out, holos_error *err)
{
    (void)context, (void)out, (void)err; /* all zero, as it comes */
    return HOLOS_OK;
}

static holos_status moves(void *context, const void *position, holos_custom_move *out, void *positions,
                          uint32_t *count, holos_error *err)
{
    const board *b = position;
    board *next = positions;
    (void)context, (void)err;
    for (unsigned cell = 0; cell < 9; cell++) {
        if (b->cells[cell] != 0)
            continue;
        out[*count].move = cell;
        next[*count] = *b;
        next[*count].cells[cell] = b->filled % 2 == 0 ? 'x' : 'o';
        next[(*count)++].filled++;
    }
    return HOLOS_OK;
}

/* Whoever is to move has lost if the other side has three in a row. */
static holos_status terminal(void *context, const void *position, bool *over, int32_t *score,
                             holos_error *err)
{
    static const unsigned char rows[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6},
                                             {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
    const board *b = position;
    (void)context, (void)err;
    *over = b->filled == 9;
    *score = 0;
    for (unsigned i = 0; i < 8; i++) {
        char first = b->cells[rows[i][0]];
        if (first != 0 && first == b->cells[rows[i][1]] && first == b->cells[rows[i][2]]) {
            *over = true;
            *score = -1;
        }
    }
    return HOLOS_OK;
}

static holos_status side(void *context, const void *position, unsigned *out, holos_error *err)
{
    (void)context, (void)err;
    *out = (unsigned)((const board *)position)->filled % 2;
    return HOLOS_OK;
}

static holos_status show(const holos_variant *v, const holos_position *p, const char *engine,
                         holos_error *err)
{
    holos_solver *solver;
    holos_result r;
    const holos_solver_options options = {.engine = engine, .moves = true};
    holos_status status = holos_solver_open(v, &options, &solver, err);
    if (status != HOLOS_OK)
        return status;
    status = holos_solver_solve(solver, p, &r, err);
    if (status == HOLOS_OK) {
        printf("%s: %s, best", engine, holos_outcome(v, r.value.lo));
        for (size_t i = 0; i < r.best_count; i++)
            printf(" %u", (unsigned)r.best[i]);
        printf("\n");
    }
    holos_solver_close(solver);
    return status;
}

int main(void)
{
    const holos_custom game = {.name = "tictactoe",
                               .position_size = sizeof(board),
                               .most_moves = 9,
                               .score_min = -1,
                               .score_max = 1,
                               .start = start,
                               .moves = moves,
                               .terminal = terminal,
                               .side = side};
    holos_error err;
    holos_variant *v;
    holos_status status = holos_custom_open(&game, &v, &err);
    if (status == HOLOS_OK) {
        holos_position *p = holos_position_new(v);
        status = show(v, p, "alphabeta", &err);
        if (status == HOLOS_OK)
            status = show(v, p, "wave", &err);
        holos_position_free(p);
        holos_close(v);
    }
    if (status != HOLOS_OK)
        fprintf(stderr, "%s\n", err.message);
    return status != HOLOS_OK;
}
