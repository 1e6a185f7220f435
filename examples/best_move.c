/* SPDX-License-Identifier: MIT */

/* The smallest useful program that uses libholos: reads positions, prints values and best moves.
 *
 *     $ cc best_move.c $(pkg-config --cflags --libs holos) -o best_move
 *     $ ./best_move connect4:5x4 33 3
 *     33: draw, score 0, best 3
 *     3: draw, score 0, best 1 2 3 4 5
 */

#include <holos/holos.h>

#include <stdio.h>

static int show(const holos_variant *v, holos_solver *solver, holos_position *p, const char *text)
{
    holos_error err;
    holos_result result;
    if (holos_parse(v, text, p, &err) != HOLOS_OK) {
        fprintf(stderr, "%s: %s\n", text, err.message);
        return 1;
    }
    if (holos_solver_solve(solver, p, &result, &err) != HOLOS_OK) {
        fprintf(stderr, "%s: %s\n", text, err.message);
        return 1;
    }
    printf("%s: %s, score %d", text, holos_outcome(v, result.value.lo), result.value.lo);
    for (size_t i = 0; i < result.best_count; i++) {
        char move[32];
        holos_format_move(v, p, result.best[i], move, sizeof move);
        printf("%s%s", i == 0 ? ", best " : " ", move);
    }
    printf("\n");
    return 0;
}

int main(int argc, char **argv)
{
    holos_error err;
    holos_variant *v;
    holos_solver *solver;
    if (argc < 3) {
        fprintf(stderr, "usage: %s GAME[:VARIANT] POSITION...\n", argv[0]);
        return 2;
    }
    if (holos_open(argv[1], &v, &err) != HOLOS_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 2;
    }
    holos_solver_options options = {.moves = true};
    if (holos_solver_open(v, &options, &solver, &err) != HOLOS_OK) {
        fprintf(stderr, "%s\n", err.message);
        holos_close(v);
        return 2;
    }
    int status = 0;
    holos_position *p = holos_position_new(v);
    for (int i = 2; i < argc && p != NULL; i++)
        status |= show(v, solver, p, argv[i]);
    holos_position_free(p);
    holos_solver_close(solver);
    holos_close(v);
    return status;
}
