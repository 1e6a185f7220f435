/* SPDX-License-Identifier: MIT */

/* Reversi: counting positions, published endings, random endings by empty cells, and how much a second thread brings. */

#include "bench.h"

#include "core/clock.h"
#include "core/rng.h"
#include "games/reversi/reversi.h"
#include "games/reversi/search.h"

#include <stdio.h>

/* FFO 40 to 44, and what they are worth. */
static const struct {
    const char *name, *position;
    int32_t value;
} endings[] = {
    {"FFO 40", "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X", 38},
    {"FFO 41", "-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X", 0},
    {"FFO 42", "--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X", 6},
    {"FFO 43", "--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O", -12},
    {"FFO 44", "--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O", -14},
};

static holos_status measure_perft(bench_context *c, const holos_variant *v)
{
    const uint64_t counts[] = {[9] = 3005288, [12] = 1939886636};
    unsigned depth = c->quick ? 9 : 12;
    reversi_position start;
    v->game->start(v, (holos_position *)&start);
    double begun = clock_cpu();
    uint64_t count = reversi_perft(start.board, UINT64_MAX, depth);
    if (count != counts[depth])
        return error_set(&c->error, HOLOS_BAD_FILE, HOLOS_NOWHERE, "perft %u is %llu", depth,
                         (unsigned long long)count);
    return bench_report(c, depth == 9 ? "perft 9" : "perft 12", count, clock_cpu() - begun, "nodes/s", count);
}

typedef struct sum {
    uint64_t nodes;
    double cpu, wall;
} sum;

/* Solves one position with a fresh table. */
static holos_status solve_one(bench_context *c, const holos_variant *v, const holos_position *p,
                              unsigned threads, int32_t *value, sum *s)
{
    holos_solver *solver;
    holos_result r;
    holos_solver_options o = {
        .engine = "alphabeta", .threads = threads, .limits = {.memory = c->mem, .stop = c->stop}};
    holos_status status = holos_solver_open(v, &o, &solver, &c->error);
    if (status != HOLOS_OK)
        return status;
    double cpu = clock_cpu(), wall = clock_wall();
    status = holos_solver_solve(solver, p, &r, &c->error);
    s->cpu += clock_cpu() - cpu;
    s->wall += clock_wall() - wall;
    s->nodes += r.nodes;
    *value = r.value.lo;
    holos_solver_close(solver);
    return status;
}

static holos_status measure_endings(bench_context *c, const holos_variant *v, holos_position *p,
                                    unsigned threads, sum *all)
{
    size_t count = c->quick ? 1 : sizeof endings / sizeof *endings;
    for (size_t i = 0; i < count; i++) {
        int32_t value = 0;
        sum one = {0};
        holos_status status = holos_parse(v, endings[i].position, p, &c->error);
        if (status == HOLOS_OK)
            status = solve_one(c, v, p, threads, &value, &one);
        if (status != HOLOS_OK)
            return status;
        if (value != endings[i].value)
            return error_set(&c->error, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s is %d instead of %d",
                             endings[i].name, (int)value, (int)endings[i].value);
        if (threads == 1)
            status = bench_report(c, endings[i].name, one.nodes, one.cpu, "nodes/s", one.nodes);
        if (status != HOLOS_OK)
            return status;
        all->nodes += one.nodes;
        all->cpu += one.cpu;
        all->wall += one.wall;
    }
    return HOLOS_OK;
}

/* The same endings on one thread and on two. By the clock on the wall, which needs a quiet machine; and by CPU time: no thread ever waits for
 * another, so two of them take half of what they use together. */
static holos_status measure_threads(bench_context *c, const holos_variant *v, holos_position *p)
{
    sum one = {0}, two = {0};
    holos_status status = measure_endings(c, v, p, 1, &one);
    if (status == HOLOS_OK)
        status = bench_report(c, "FFO, all", one.nodes, one.cpu, "nodes/s", one.nodes);
    if (status == HOLOS_OK)
        status = measure_endings(c, v, p, 2, &two);
    if (status != HOLOS_OK)
        return status;
    status = bench_report(c, "two threads, times as fast x 1000", (uint64_t)(1000 * one.wall / two.wall), 1,
                          "‰", two.nodes);
    if (status != HOLOS_OK)
        return status;
    return bench_report(c, "the same by CPU time x 1000", (uint64_t)(2000 * one.cpu / two.cpu), 1, "‰",
                        two.nodes);
}

/* The board of 6x6 cells from the start: a loss by four. */
static holos_status measure_six(bench_context *c)
{
    holos_variant *v;
    int32_t value = 0;
    sum s = {0};
    holos_status status = holos_open("reversi:6", &v, &c->error);
    if (status != HOLOS_OK)
        return status;
    holos_position *p = holos_position_new(v);
    status = solve_one(c, v, p, 1, &value, &s);
    if (status == HOLOS_OK && value != -4)
        status = error_set(&c->error, HOLOS_BAD_FILE, HOLOS_NOWHERE, "6x6 is %d instead of -4", (int)value);
    if (status == HOLOS_OK)
        status = bench_report(c, "6x6 from the start", s.nodes, s.cpu, "nodes/s", s.nodes);
    holos_position_free(p);
    holos_close(v);
    return status;
}

/* A position that random play leads to. */
static void play_at_random(const holos_variant *v, rng *r, unsigned empties, reversi_position *out)
{
    do {
        v->game->start(v, (holos_position *)out);
        for (uint64_t moves; reversi_count(~(out->board.mine | out->board.theirs)) > empties;) {
            moves = reversi_moves(out->board, UINT64_MAX);
            if (moves == 0 && reversi_is_over(out->board, UINT64_MAX))
                break;
            for (uint64_t skip = moves != 0 ? rng_below(r, reversi_count(moves)) : 0; skip > 0; skip--)
                moves &= moves - 1;
            v->game->play(v, (holos_position *)out, moves != 0 ? reversi_first(moves) : REVERSI_PASS,
                          (holos_position *)out);
        }
    } while (reversi_count(~(out->board.mine | out->board.theirs)) > empties ||
             reversi_is_over(out->board, UINT64_MAX));
}

static holos_status measure_random(bench_context *c, const holos_variant *v, unsigned empties, unsigned count)
{
    rng r;
    sum s = {0};
    char label[32];
    rng_init(&r, c->seed, empties);
    for (unsigned i = 0; i < count; i++) {
        reversi_position p;
        int32_t value;
        play_at_random(v, &r, empties, &p);
        holos_status status = solve_one(c, v, (const holos_position *)&p, 1, &value, &s);
        if (status != HOLOS_OK)
            return status;
    }
    snprintf(label, sizeof label, "random, %u empty", empties);
    return bench_report(c, label, count, s.cpu, "positions/s", s.nodes);
}

holos_status bench_reversi(bench_context *c)
{
    holos_variant *v;
    holos_status status = holos_open("reversi", &v, &c->error);
    if (status != HOLOS_OK)
        return status;
    holos_position *p = holos_position_new(v);
    status = measure_perft(c, v);
    if (status == HOLOS_OK)
        status = measure_threads(c, v, p);
    for (unsigned empties = 16; status == HOLOS_OK && empties <= (c->quick ? 16 : 22); empties += 2)
        status = measure_random(c, v, empties, c->quick ? 5 : empties == 22 ? 10 : 40);
    if (status == HOLOS_OK && !c->quick)
        status = measure_six(c);
    holos_position_free(p);
    holos_close(v);
    return status;
}
