/* SPDX-License-Identifier: MIT */

/* Asks how a wave should set out from a position, and writes that as a seed.
 *
 *     cc optimize_seed.c $(pkg-config --cflags --libs holos) -o optimize_seed
 *
 *     $ ./optimize_seed nim:3,4,5 "3,4,5 1"
 *     3,4,5 1 1 wave forward
 */

#include <holos/holos.h>

#include <stdio.h>

int main(int argc, char **argv)
{
    holos_variant *v;
    holos_error err;
    holos_tactic best;
    char line[256];
    if (argc != 3 || holos_open(argv[1], &v, &err) != HOLOS_OK) {
        fprintf(stderr, "usage: optimize_seed GAME POSITION\n");
        return 2;
    }
    holos_position *p = holos_position_new(v);
    holos_status status = holos_parse(v, argv[2], p, &err);
    if (status == HOLOS_OK)
        status = holos_seed_optimize(v, p, NULL, &best, NULL, &err);
    if (status == HOLOS_OK) {
        holos_wave_seed seed = {.position = p, .depth = best.depth, .mode = best.mode};
        holos_seed_format(v, &seed, line, sizeof line);
        printf("%s\n", line);
    } else {
        fprintf(stderr, "%s\n", err.message);
    }
    holos_position_free(p);
    holos_close(v);
    return status == HOLOS_OK ? 0 : 1;
}
