/* SPDX-License-Identifier: MIT */

/* The search, compiled once for each kind of processor. The including file defines LANES_SOLVER, the
 * sudoku_solver to make, and LANES_NAME, what it is called.
 *
 * Every lane searches depth first with a stack of its own: when a pass changes nothing more in a lane, one
 * of its cells is guessed; the other choice goes to the stack. A lane that has finished its grid takes the
 * next one of the list, and when there are none, the oldest (so the largest) branch of another lane. */

#include "core/assert.h"
#include "games/sudoku/guess.h"
#include "games/sudoku/lanes.h"
#include "games/sudoku/sweep.h"

#define ALL_LANES ((1u << LANES) - 1)
#define MAX_DEPTH SUDOKU_CELLS /* each guess on the way to a node has settled one more cell */

/* How many passes between two looks at the clock and the stop flag: about 0.2 ms. */
#define PASSES_BETWEEN_CHECKS 256

typedef struct lanes_task {
    const sudoku_grid *grids;
    size_t count;
    const sudoku_limits *limits;
    sudoku_answer *answers;
    bool share; /* idle lanes take over branches of others' grids */
} lanes_task;

typedef struct lanes {
    vec cells[SUDOKU_CELLS], settled[SUDOKU_CELLS];
    vec sums; /* after the last pass; 0 for a lane that has not had one */
    const lanes_task *task;
    size_t next;        /* grid of the list */
    uint32_t active;    /* lanes with a node, a bit each */
    uint32_t pending;   /* nodes on all stacks */
    uint32_t shared;    /* grids in shared_grids */
    bool failed;        /* a lane has come to a dead end */
    size_t grid[LANES]; /* what an active lane works on */
    size_t shared_grids[LANES];
    unsigned depth[LANES]; /* nodes on a lane's stack; all of its grid */
    guess_node stack[LANES][MAX_DEPTH];
} lanes;

static void lane_load(lanes *s, unsigned lane, const uint16_t *cells)
{
    uint16_t *to = (uint16_t *)s->cells + lane;
#pragma GCC unroll 27
    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++)
        to[cell * LANES] = cells[cell];
    s->sums[lane] = 0;
    s->active |= 1u << lane;
}

static void lane_store(const lanes *s, unsigned lane, guess_node *node)
{
    const uint16_t *from = (const uint16_t *)s->cells + lane;
#pragma GCC unroll 27
    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++)
        node->cells[cell] = from[cell * LANES];
    for (unsigned cell = SUDOKU_CELLS; cell < GUESS_PADDED; cell++)
        node->cells[cell] = 0;
}

/* Takes the oldest branch of the lane that has most of them. */
static void lane_take_over(lanes *s, unsigned lane)
{
    unsigned from = 0;
    for (unsigned other = 1; other < LANES; other++)
        if (s->depth[other] > s->depth[from])
            from = other;
    lane_load(s, lane, s->stack[from][0].cells);
    s->pending--;
    s->depth[from]--;
    memmove(s->stack[from], s->stack[from] + 1, s->depth[from] * sizeof s->stack[from][0]);
    s->grid[lane] = s->grid[from];
    for (unsigned i = 0; i < s->shared; i++)
        if (s->shared_grids[i] == s->grid[lane])
            return;
    assert(s->shared < LANES); /* the list is empty: no lane starts another grid */
    s->shared_grids[s->shared++] = s->grid[lane];
}

/* Gives every idle lane something to do; false if there is nothing left. */
static bool lanes_refill(lanes *s)
{
    const lanes_task *task = s->task;
    for (uint32_t idle = ~s->active & ALL_LANES; idle != 0; idle &= idle - 1) {
        unsigned lane = (unsigned)__builtin_ctz(idle);
        if (s->depth[lane] > 0) {
            s->pending--;
            lane_load(s, lane, s->stack[lane][--s->depth[lane]].cells);
        } else if (s->next < task->count) {
            sudoku_answer *answer = &task->answers[s->next];
            answer->solutions = answer->guesses = 0;
            answer->complete = true;
            lane_load(s, lane, task->grids[s->next].candidates);
            s->grid[lane] = s->next++;
        }
    }
    /* A grid with many solutions leads straight to the second one: help would only be in the way, and which solution
     * comes first would have to be found again. So help waits for a dead end. */
    if (task->share && s->failed)
        for (uint32_t idle = ~s->active & ALL_LANES; idle != 0 && s->pending > 0; idle &= idle - 1)
            lane_take_over(s, (unsigned)__builtin_ctz(idle));
    return s->active != 0;
}

/* Drops what is left to search of a lane's grid. It is complete if that is nothing. */
static void lanes_abandon(lanes *s, unsigned lane)
{
    bool nothing_left = true;
    for (unsigned other = 0; other < LANES; other++) {
        if ((s->active >> other & 1) == 0 && s->depth[other] == 0)
            continue;
        if (s->grid[other] != s->grid[lane])
            continue;
        nothing_left &= s->depth[other] == 0 && (s->active >> other & 1) == 0;
        s->pending -= s->depth[other];
        s->depth[other] = 0;
        s->active &= ~(1u << other);
    }
    s->task->answers[s->grid[lane]].complete = nothing_left;
}

static void lane_solved(lanes *s, unsigned lane)
{
    sudoku_answer *answer = &s->task->answers[s->grid[lane]];
    if (answer->solutions++ == 0) {
        const uint16_t *from = (const uint16_t *)s->cells + lane;
        for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++)
            answer->first[cell] = (uint8_t)(__builtin_ctz(from[cell * LANES]) + 1);
    }
    s->active &= ~(1u << lane);
    if (answer->solutions >= s->task->limits->solutions)
        lanes_abandon(s, lane);
}

static void lane_guess(lanes *s, unsigned lane)
{
    sudoku_answer *answer = &s->task->answers[s->grid[lane]];
    if (answer->guesses >= s->task->limits->guesses) {
        lanes_abandon(s, lane);
        return;
    }
    answer->guesses++;
    assert(s->depth[lane] < MAX_DEPTH);
    guess_node *other = &s->stack[lane][s->depth[lane]++];
    s->pending++;
    lane_store(s, lane, other);
    guess choice = guess_choose(other);
    other->cells[choice.cell] = (uint16_t)(other->cells[choice.cell] & ~choice.digit);
    s->cells[choice.cell][lane] = choice.digit;
    s->sums[lane] = 0;
}

/* One pass, and what it means for the lanes. */
static void lanes_step(lanes *s)
{
    sweep_result result = sweep_pass(s->cells, s->settled);
    vec dead = vec_is_zero(result.smallest) | ~vec_equal(result.placeable, vec_all(SUDOKU_ALL));
    vec same = vec_equal(result.sum, s->sums);
    s->sums = result.sum;
    s->failed |= (vec_mask(dead) & s->active) != 0;
    s->active &= ~vec_mask(dead);
    uint32_t still = vec_mask(same) & s->active;
    if (still == 0)
        return;
    /* Only a pass that changes nothing has checked every row, column and box of what it leaves. */
    uint32_t solved = vec_mask(vec_equal(result.sum, vec_all(SWEEP_SOLVED)));
    for (; still != 0; still = still & (still - 1) & s->active) {
        unsigned lane = (unsigned)__builtin_ctz(still);
        if ((solved >> lane & 1) != 0)
            lane_solved(s, lane);
        else
            lane_guess(s, lane);
    }
}

static bool must_stop(const sudoku_limits *limits)
{
    return limits->work != NULL && !limits_check(limits->work);
}

static void lanes_stop(lanes *s)
{
    for (unsigned lane = 0; lane < LANES; lane++)
        if ((s->active >> lane & 1) != 0 || s->depth[lane] > 0)
            s->task->answers[s->grid[lane]].complete = false;
    for (size_t grid = s->next; grid < s->task->count; grid++)
        s->task->answers[grid] = (sudoku_answer){0};
}

static void lanes_search(lanes *s, const lanes_task *task)
{
    s->task = task;
    s->next = 0;
    s->active = s->pending = s->shared = 0;
    s->failed = false;
    s->sums = vec_all(0);
    memset(s->depth, 0, sizeof s->depth);
    memset(s->cells, 0, sizeof s->cells);
    for (uint64_t passes = 0; lanes_refill(s); passes++) {
        if (passes % PASSES_BETWEEN_CHECKS == 0 && must_stop(task->limits)) {
            lanes_stop(s);
            return;
        }
        lanes_step(s);
    }
}

/* Which solution of a shared grid was found first depends on the other grids in the list. If there are
 * several, a search by one lane says which one comes first in any company. */
static void find_first_again(lanes *s, const lanes_task *task, size_t grid)
{
    sudoku_limits limits = *task->limits;
    limits.solutions = 1;
    limits.guesses = UINT64_MAX;
    sudoku_answer answer = {0};
    lanes_search(
        s, &(lanes_task){.grids = task->grids + grid, .count = 1, .limits = &limits, .answers = &answer});
    if (answer.solutions > 0)
        memcpy(task->answers[grid].first, answer.first, sizeof answer.first);
}

static void lanes_solve(const sudoku_grid *list, size_t count, const sudoku_limits *limits,
                        sudoku_answer *answers)
{
    lanes s;
    lanes_task task = {
        .grids = list, .count = count, .limits = limits, .answers = answers, .share = !limits->alone};
    lanes_search(&s, &task);
    size_t grids[LANES], shared = s.shared;
    memcpy(grids, s.shared_grids, shared * sizeof grids[0]);
    for (size_t i = 0; i < shared; i++) {
        const sudoku_answer *answer = &answers[grids[i]];
        if (answer->solutions > 1 || (answer->solutions == 1 && !answer->complete))
            find_first_again(&s, &task, grids[i]);
    }
}

const sudoku_solver LANES_SOLVER = {.name = LANES_NAME, .solve = lanes_solve};

#undef LANES_SOLVER
#undef LANES_NAME
