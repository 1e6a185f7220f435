/* SPDX-License-Identifier: MIT */

/* Puzzles: how hard one is, the next step a person could find, and a picture of it.
 *
 *     $ ./draw_hint sudoku 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79 hint.svg
 *     wrote hint.svg
 *     easy, hardest technique: Hidden single in a box
 *     next: Hidden single in a box
 */

#include <holos/holos.h>

#include <stdio.h>
#include <stdlib.h>

static int write_picture(const holos_variant *v, const holos_position *p, const holos_step *step,
                         const char *path)
{
    size_t length = holos_picture(v, p, step, NULL, 0);
    char *svg = malloc(length + 1);
    FILE *file = fopen(path, "w");
    int failed = svg == NULL || file == NULL;
    if (!failed) {
        holos_picture(v, p, step, svg, length + 1);
        failed = fputs(svg, file) < 0;
    }
    if (file != NULL)
        failed |= fclose(file) != 0;
    free(svg);
    printf(failed ? "cannot write %s\n" : "wrote %s\n", path);
    return failed;
}

static int show(const holos_variant *v, const holos_position *p, const char *path, holos_error *err)
{
    holos_logic *logic;
    holos_step step;
    holos_rating rating;
    if (holos_logic_open(v, p, NULL, &logic, err) != HOLOS_OK)
        return 1;
    bool found = holos_logic_find(logic, &step);
    int failed = write_picture(v, p, found ? &step : NULL, path);
    holos_logic_rate(logic, &rating);
    printf("%s, hardest technique: %s\n", holos_level_name(rating.level),
           rating.hardest != NULL ? rating.hardest->title : "none");
    if (found)
        printf("next: %s\n", step.technique->title);
    holos_logic_close(logic);
    return failed;
}

int main(int argc, char **argv)
{
    holos_error err = {0};
    holos_variant *v = NULL;
    if (argc != 4) {
        fprintf(stderr, "usage: %s GAME[:VARIANT] PUZZLE FILE.svg\n", argv[0]);
        return 2;
    }
    if (holos_open(argv[1], &v, &err) != HOLOS_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 2;
    }
    holos_position *p = holos_position_new(v);
    int status = p == NULL || holos_parse(v, argv[2], p, &err) != HOLOS_OK || show(v, p, argv[3], &err) != 0;
    if (err.message[0] != 0)
        fprintf(stderr, "%s\n", err.message);
    holos_position_free(p);
    holos_close(v);
    return status;
}
