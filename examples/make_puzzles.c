/* SPDX-License-Identifier: MIT */

/* Makes puzzles of a level, each with exactly one solution, and says what the hardest step of each is.
 *
 *     cc make_puzzles.c $(pkg-config --cflags --libs holos) -o make_puzzles
 *
 *     $ ./make_puzzles sudoku medium 2
 *     3.........64....3..82..4.....57..46....69..5......1..7.364.9..2....7...41....56..
 *     60 steps, the hardest is Claiming
 *     ..7..6..2.......45..942...8...68..7........9....2.13.....17.5.........135.2.3....
 *     60 steps, the hardest is Naked pair
 */

#include <holos/holos.h>

#include <stdio.h>
#include <stdlib.h>

static holos_status puzzles_print(const holos_variant *v, const char *level, int count, holos_error *err)
{
    holos_generator *g;
    holos_generator_options options = {.seed = 1, .difficulty = level, .expected = (uint64_t)count};
    holos_status status = holos_generator_open(v, &options, &g, err);
    if (status != HOLOS_OK)
        return status;
    holos_position *p = holos_position_new(v);
    for (int i = 0; status == HOLOS_OK && i < count; i++) {
        holos_rating rating;
        char puzzle[4096];
        status = holos_generator_next(g, p, &rating, err);
        if (status != HOLOS_OK)
            break;
        holos_format(v, p, puzzle, sizeof puzzle);
        printf("%s\n%u steps, the hardest is %s\n", puzzle, rating.steps,
               rating.hardest != NULL ? rating.hardest->title : "none");
    }
    holos_position_free(p);
    holos_generator_close(g);
    return status;
}

int main(int argc, char **argv)
{
    holos_error err;
    holos_variant *v;
    if (argc < 4) {
        fprintf(stderr, "usage: %s GAME[:VARIANT] LEVEL COUNT\n", argv[0]);
        return 2;
    }
    if (holos_open(argv[1], &v, &err) != HOLOS_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 2;
    }
    holos_status status = puzzles_print(v, argv[2], atoi(argv[3]), &err);
    if (status != HOLOS_OK)
        printf("%s\n", err.message);
    holos_close(v);
    return status == HOLOS_OK ? 0 : 1;
}
