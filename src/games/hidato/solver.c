/* SPDX-License-Identifier: MIT */

#include "games/hidato/solver.h"

#include "games/hidato/clauses.h"

#include "core/clock.h"

#include <string.h>

enum { QUICK_NODES = 100 };

const hidato_mode hidato_modes[] = {
    {.name = "v1", .level = 1},
    {.name = "v2", .level = 2},
    {.name = "v3", .level = 3, .nodes = 20000, .depth = 50, .seconds = 0.5},
    {.name = "v3-table", .level = 3, .table = true, .nodes = 20000, .depth = 50, .seconds = 0.5},
    {.name = "v4", .level = 4},
    {0},
};

const hidato_mode *hidato_mode_find(const char *name)
{
    const hidato_mode *mode = hidato_modes;
    while (mode->name != NULL && (name != NULL ? strcmp(name, mode->name) != 0 : mode[1].name != NULL))
        mode++;
    return mode->name != NULL ? mode : NULL;
}

bool hidato_run_found(hidato_run *run, const hidato_board *solution)
{
    if (run->answer->solutions == 0)
        run->answer->first = *solution;
    return ++run->answer->solutions >= run->request->solutions;
}

/* The caller's limits, and the mode's budgets where the caller has none. */
static void run_begin(hidato_run *run, const struct limits *limits)
{
    const hidato_mode *mode = run->request->mode;
    unsigned depth = run->request->depth;
    uint64_t nodes = limits_nodes_left(limits);
    run->limits = limits_share(limits, nodes == LIMITS_NO_NODES && mode->nodes > 0 ? mode->nodes : nodes);
    if (mode->seconds > 0 && limits->deadline >= CLOCK_NEVER)
        run->limits.deadline = deadline_after(mode->seconds);
    run->depth_limit = depth != 0 ? depth : mode->depth != 0 ? mode->depth : UINT32_MAX;
}

/* v4 begins with a few guesses on boards up to 10 x 10: they are cheap there, and mostly enough. Minimal boards then take
 * 0.3 and 0.8 ms (eight and four neighbours) instead of 0.8 and 4. Returns true if that settles it. */
static bool quick_search(hidato_run *run, hidato_state *s, bool *all)
{
    hidato_answer *answer = run->answer;
    size_t mark = s->d.trail_length;
    if (s->d.grid.words > 2)
        return false;
    uint64_t node_limit = run->limits.node_limit;
    if (node_limit > QUICK_NODES)
        limits_set_nodes(&run->limits, QUICK_NODES);
    s->mode = 3; /* the edge layer is not taken back: a search has nudges in its place */
    *all = hidato_search(s, run);
    s->mode = 4;
    hidato_undo(&s->d, mark);
    if (*all || answer->solutions >= run->request->solutions)
        return true;
    answer->limit = NULL;
    limits_resume(&run->limits);
    limits_set_nodes(&run->limits, node_limit);
    if (!limits_check(&run->limits))
        return true;
    answer->solutions = 0;
    run->nodes_before = run->limits.nodes;
    return false;
}

/* What follows from a propagated state; true if everything is known. */
static bool run_mode(hidato_run *run, hidato_state *s)
{
    hidato_board solution;
    if (hidato_is_solved(&s->d)) {
        hidato_domains_board(&s->d, run->board, &solution);
        hidato_run_found(run, &solution);
        return true;
    }
    if (run->request->mode->level == 4) {
        bool all = false;
        return quick_search(run, s, &all) ? all : hidato_solve_components(s, run);
    }
    if (run->request->mode->level == 3)
        return hidato_search(s, run);
    run->answer->limit = "what the mode can conclude";
    return false;
}

static void run_end(const hidato_run *run, struct limits *limits)
{
    hidato_answer *out = run->answer;
    out->nodes = run->limits.nodes;
    if (!limits_go_on(&run->limits))
        out->limit = run->limits.reached;
    limits_join(limits, &run->limits);
}

holos_status hidato_solve(const hidato_board *b, hidato_kind kind, const hidato_request *request,
                          struct limits *limits, hidato_answer *out)
{
    hidato_state s;
    hidato_run run = {.request = request, .board = b, .answer = out};
    memset(out, 0, offsetof(hidato_answer, first));
    if (!hidato_state_init(&s, b, kind, request->mode->level))
        return HOLOS_NO_MEMORY;
    s.d.clock = request->clock;
    s.d.hashed = request->mode->table;
    run_begin(&run, limits);
    if (hidato_propagate(&s)) {
        hidato_domains_board(&s.d, b, &out->known);
        out->complete = run_mode(&run, &s);
        out->has_known = !out->complete && out->solutions == 0;
    } else {
        out->complete = true;
    }
    run_end(&run, limits);
    memcpy(out->work, s.d.work, sizeof out->work);
    hidato_state_free(&s);
    return run.failed ? HOLOS_NO_MEMORY : HOLOS_OK;
}
