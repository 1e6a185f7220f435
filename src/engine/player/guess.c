/* SPDX-License-Identifier: MIT */

#include "engine/player/guess.h"

#include "core/limits.h"
#include "core/list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    GUESS_GAMES = 4000,   /* random games for a guess */
    GUESS_LONGEST = 1000, /* plies after which a random game counts as a draw */
};

typedef struct candidate {
    holos_move move;
    bool loses; /* the opponent can answer with a win */
    double points, games;
} candidate;

typedef struct guesser {
    const holos_variant *v;
    const holos_position *position;
    unsigned side;
    holos_position *here, *next;
    holos_move *moves;
    size_t move_room;
    rng *r;
    struct limits limits;
} guesser;

/* The legal moves of p in g->moves; 0 also if there is no memory for them. */
static size_t list_moves(guesser *g, const holos_position *p)
{
    size_t count = holos_moves(g->v, p, g->moves, g->move_room);
    if (count <= g->move_room)
        return count;
    if (!LIST_RESERVE(g->moves, g->move_room, count))
        return 0;
    return holos_moves(g->v, p, g->moves, g->move_room);
}

/* 1, 0.5 or 0: what a finished game is worth to the side that guesses. */
static double points_of(const guesser *g, const holos_position *over, holos_value value)
{
    int32_t score = holos_side_to_move(g->v, over) == g->side ? value.lo : -value.lo;
    return score > 0 ? 1 : score < 0 ? 0 : 0.5;
}

/* Plays at random from g->here to the end, or until a limit is reached. */
static double play_out(guesser *g)
{
    holos_value value;
    for (int ply = 0; ply < GUESS_LONGEST && limits_count(&g->limits); ply++) {
        if (holos_terminal(g->v, g->here, &value))
            return points_of(g, g->here, value);
        size_t count = list_moves(g, g->here);
        if (count == 0)
            break;
        holos_play(g->v, g->here, g->moves[rng_below(g->r, count)], g->here, NULL);
    }
    return 0.5;
}

/* Whether the position after a move lets the opponent win with the next one. */
static bool loses_at_once(guesser *g, holos_move move)
{
    holos_value value;
    holos_play(g->v, g->position, move, g->here, NULL);
    if (holos_terminal(g->v, g->here, &value))
        return points_of(g, g->here, value) == 0;
    size_t count = holos_side_to_move(g->v, g->here) != g->side ? list_moves(g, g->here) : 0;
    for (size_t i = 0; i < count && limits_count(&g->limits); i++) {
        holos_play(g->v, g->here, g->moves[i], g->next, NULL);
        if (holos_terminal(g->v, g->next, &value) && points_of(g, g->next, value) == 0)
            return true;
    }
    return false;
}

/* The candidate to try next: upper confidence bound. */
static candidate *choose(candidate *candidates, size_t count, double games)
{
    candidate *best = NULL;
    double best_bound = -1;
    for (size_t i = 0; i < count; i++) {
        candidate *c = &candidates[i];
        if (c->loses)
            continue;
        if (c->games == 0)
            return c;
        double bound = c->points / c->games + sqrt(log(games) / c->games);
        if (bound > best_bound) {
            best = c;
            best_bound = bound;
        }
    }
    return best != NULL ? best : &candidates[0];
}

/* Where no game was played, one that does not lose at once. */
static holos_move most_played(const candidate *candidates, size_t count)
{
    const candidate *best = &candidates[0];
    for (size_t i = 1; i < count; i++)
        if (candidates[i].games > best->games || (best->loses && !candidates[i].loses))
            best = &candidates[i];
    return best->move;
}

static holos_move guess_among(guesser *g, candidate *candidates, size_t count)
{
    bool all_lose = true;
    for (size_t i = 0; i < count; i++) {
        candidates[i].loses = loses_at_once(g, candidates[i].move);
        all_lose = all_lose && candidates[i].loses;
    }
    for (size_t i = 0; all_lose && i < count; i++)
        candidates[i].loses = false;
    for (int games = 1; games <= GUESS_GAMES && limits_go_on(&g->limits); games++) {
        candidate *c = choose(candidates, count, games);
        holos_play(g->v, g->position, c->move, g->here, NULL);
        c->points += play_out(g);
        c->games++;
    }
    return most_played(candidates, count);
}

bool guess_move(const holos_variant *v, const holos_position *position, const holos_limits *limits, rng *r,
                holos_move *out)
{
    guesser g = {.v = v, .position = position, .side = holos_side_to_move(v, position), .r = r};
    limits_begin(&g.limits, limits, NULL);
    g.here = holos_position_new(v);
    g.next = holos_position_new(v);
    size_t count = g.here != NULL && g.next != NULL ? list_moves(&g, position) : 0;
    candidate *candidates = calloc(count + 1, sizeof *candidates);
    if (candidates != NULL && count > 0) {
        for (size_t i = 0; i < count; i++)
            candidates[i].move = g.moves[i];
        *out = guess_among(&g, candidates, count);
    }
    bool good = candidates != NULL && count > 0;
    free(candidates);
    free(g.moves);
    holos_position_free(g.here);
    holos_position_free(g.next);
    return good;
}
