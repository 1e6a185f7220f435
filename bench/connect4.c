/* SPDX-License-Identifier: MIT */

/* Connect Four: six sets of positions with published scores (tests/data/README.md), each solved for the exact
 * score and, in the case NAME-weak, for win, draw or loss; and the empty board. One solver solves a whole case,
 * so what it learns from one position helps with the next. */

#include "bench.h"

#include "connect4_sets.h"
#include "core/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct set {
    const char *name, *weak_name;
    const char *lines;    /* "moves score" */
    unsigned count;       /* how many positions of the set to solve */
    unsigned quick_count; /* the same for a quick run; 0: leave the set out */
} set;

/* Harder sets are cut so that a case takes a few seconds. */
static const set sets[] = {
    {"end-easy", "end-easy-weak", end_easy, 1000, 1000},
    {"middle-easy", "middle-easy-weak", middle_easy, 1000, 1000},
    {"middle-medium", "middle-medium-weak", middle_medium, 1000, 50},
    {"begin-easy", "begin-easy-weak", begin_easy, 1000, 100},
    {"begin-medium", "begin-medium-weak", begin_medium, 40, 4},
    {"begin-hard", "begin-hard-weak", begin_hard, 20, 0},
    {"empty-7x6", "empty-7x6-weak", "start 1\n", 1, 0},
};
enum { SET_COUNT = sizeof sets / sizeof *sets, LINES_MAX = 1000 };

/* The positions of a case, parsed beforehand so that only solving is measured. */
typedef struct contest {
    holos_variant *v;
    unsigned char *positions; /* LINES_MAX of them */
    int scores[LINES_MAX];
    size_t count;
    bool weak;
} contest;

static holos_position *position_of(const contest *c, size_t index)
{
    return (holos_position *)(c->positions + index * holos_position_size(c->v));
}

static holos_status lines_read(contest *c, const char *lines, size_t most, holos_error *err)
{
    char moves[128];
    int length;
    for (c->count = 0; c->count < most; c->count++) {
        if (sscanf(lines, "%127s %d\n%n", moves, &c->scores[c->count], &length) != 2)
            break;
        holos_status status = holos_parse(c->v, moves, position_of(c, c->count), err);
        if (status != HOLOS_OK)
            return status;
        lines += length;
    }
    return HOLOS_OK;
}

static bool is_right(const contest *c, holos_value value, int score)
{
    if (c->weak)
        return strcmp(holos_outcome(c->v, value.lo), holos_outcome(c->v, score)) == 0 && value.lo <= score &&
               score <= value.hi;
    return value.lo == score && value.hi == score;
}

static holos_status lines_solve(const contest *c, holos_solver *solver, uint64_t *nodes, holos_error *err)
{
    for (size_t i = 0; i < c->count; i++) {
        holos_result answer;
        const holos_position *p = position_of(c, i);
        holos_status status = holos_solver_solve(solver, p, &answer, err);
        if (status != HOLOS_OK)
            return status;
        *nodes += answer.nodes;
        if (!is_right(c, answer.value, c->scores[i])) {
            char moves[128];
            holos_format(c->v, p, moves, sizeof moves);
            return error_set(err, HOLOS_BAD_POSITION, HOLOS_NOWHERE,
                             "%s is worth %d, but the search found [%d, %d]", moves, c->scores[i],
                             (int)answer.value.lo, (int)answer.value.hi);
        }
    }
    return HOLOS_OK;
}

static holos_status case_run(contest *c, bench_context *b, const set *s)
{
    size_t count = b->quick ? s->quick_count : s->count;
    if (count == 0)
        return HOLOS_OK;
    /* One thread unless the user asks for more: rates of one core can be compared. */
    holos_solver_options options = {
        .weak = c->weak,
        .threads = b->threads,
        .limits = {.memory = b->mem, .stop = b->stop},
    };
    holos_solver *solver;
    uint64_t nodes = 0;
    holos_status status = lines_read(c, s->lines, count, &b->error);
    if (status == HOLOS_OK)
        status = holos_solver_open(c->v, &options, &solver, &b->error);
    if (status != HOLOS_OK)
        return status;
    double start = clock_cpu();
    status = lines_solve(c, solver, &nodes, &b->error);
    double seconds = clock_cpu() - start;
    holos_solver_close(solver);
    if (status != HOLOS_OK)
        return status;
    return bench_report(b, c->weak ? s->weak_name : s->name, c->count, seconds, "positions/s", nodes);
}

holos_status bench_connect4(bench_context *b)
{
    contest c = {0};
    holos_status status = holos_open("connect4", &c.v, &b->error);
    if (status != HOLOS_OK)
        return status;
    c.positions = aligned_alloc(16, LINES_MAX * holos_position_size(c.v));
    if (c.positions == NULL)
        status =
            error_set(&b->error, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "out of memory for %d positions", LINES_MAX);
    for (unsigned i = 0; i < 2 * SET_COUNT && status == HOLOS_OK; i++) {
        c.weak = i % 2 == 1;
        status = case_run(&c, b, &sets[i / 2]);
    }
    free(c.positions);
    holos_close(c.v);
    return status;
}
