/* SPDX-License-Identifier: MIT */

/* Sudoku: five sets of grids (data/sudoku/README.md), each proved to have one solution or several by looking for a
 * second one, as a list and one grid per call; and generating minimal puzzles. One thread; the fastest of a few
 * runs counts. */

#include "bench.h"

#include "core/clock.h"
#include "games/sudoku/generate.h"
#include "sudoku_sets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_GRIDS = 500, PUZZLES = 4096, QUICK_PUZZLES = 64 };

#define RUN_SECONDS 0.5 /* of CPU time per case; a run takes 1 to 25 ms */

typedef struct set {
    const char *name;
    const char *lines;
    uint64_t solutions; /* of each grid, counted up to 2 */
} set;

static const set sets[] = {
    {"17clue", grids_17clue, 1},
    {"magictour", grids_magictour, 1},
    {"hardest-1905", grids_hardest_1905, 1},
    {"hardest-1106", grids_hardest_1106, 1},
    {"serg-multi", grids_serg_multi, 2},
};

typedef struct contest {
    const sudoku_solver *solver;
    size_t count;
    sudoku_grid grids[MOST_GRIDS];
    sudoku_answer answers[MOST_GRIDS];
    sudoku_puzzle puzzles[PUZZLES];
} contest;

static void grids_read(contest *k, const char *lines)
{
    for (k->count = 0; k->count < MOST_GRIDS && strlen(lines) > SUDOKU_CELLS; k->count++) {
        uint8_t cells[SUDOKU_CELLS];
        for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++)
            cells[cell] = (uint8_t)(lines[cell] == '.' ? 0 : lines[cell] - '0');
        sudoku_grid_from_cells(cells, &k->grids[k->count]);
        lines += SUDOKU_CELLS + 1;
    }
}

/* The CPU time of the fastest run, with `batch` grids in a call. */
static double set_solve(contest *k, size_t batch, bool quick)
{
    sudoku_limits limits = {.solutions = 2, .guesses = UINT64_MAX};
    double best = CLOCK_NEVER, total = 0;
    do {
        double begin = clock_cpu();
        for (size_t i = 0; i < k->count; i += batch)
            k->solver->solve(&k->grids[i], batch, &limits, &k->answers[i]);
        double seconds = clock_cpu() - begin;
        best = seconds < best ? seconds : best;
        total += seconds;
    } while (!quick && total < RUN_SECONDS);
    return best;
}

static holos_status set_measure(bench_context *c, contest *k, const set *s, bool single)
{
    uint64_t guesses = 0;
    grids_read(k, s->lines);
    double seconds = set_solve(k, single ? 1 : k->count, c->quick);
    for (size_t i = 0; i < k->count; i++) {
        guesses += k->answers[i].guesses;
        if (k->answers[i].solutions != s->solutions)
            return error_set(&c->error, HOLOS_BAD_POSITION, HOLOS_NOWHERE,
                             "grid %zu of %s: found %llu solutions instead of %llu", i + 1, s->name,
                             (unsigned long long)k->answers[i].solutions, (unsigned long long)s->solutions);
    }
    char name[40];
    snprintf(name, sizeof name, "%s%s", s->name, single ? ", one per call" : "");
    return bench_report(c, name, k->count, seconds, "puzzles/s", guesses);
}

static holos_status generate_measure(bench_context *c, contest *k)
{
    size_t count = c->quick ? QUICK_PUZZLES : PUZZLES;
    struct limits limits;
    size_t made;
    limits_begin(&limits, &(holos_limits){.stop = c->stop}, NULL);
    double begin = clock_cpu();
    holos_status status = sudoku_generate(k->solver, &(sudoku_recipe){.seed = c->seed, .minimal = true}, 0,
                                          count, &limits, k->puzzles, &made, &c->error);
    double seconds = clock_cpu() - begin;
    return status != HOLOS_OK ? status : bench_report(c, "generate-minimal", count, seconds, "puzzles/s", 0);
}

holos_status bench_sudoku(bench_context *c)
{
    contest *k = malloc(sizeof *k);
    if (k == NULL)
        return error_system(&c->error, "the sudoku benchmark");
    k->solver = sudoku_solver_choose(cpu_detect());
    holos_status status = HOLOS_OK;
    for (unsigned single = 0; single < 2; single++)
        for (size_t i = 0; i < sizeof sets / sizeof *sets && status == HOLOS_OK; i++)
            status = set_measure(c, k, &sets[i], single == 1);
    if (status == HOLOS_OK)
        status = generate_measure(c, k);
    free(k);
    return status;
}
