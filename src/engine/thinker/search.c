/* SPDX-License-Identifier: MIT */

#include "engine/thinker/search.h"

#include <stdlib.h>
#include <string.h>

enum {
    INFINITE = 32000,
    DECIDED = HOLOS_THOUGHT_KNOWN - 1000, /* beyond it a score counts plies to something certain */
    HISTORY = 4096,
    FIRST = 1 << 30,
    LOUD = 1 << 24,
    KILLER = 1 << 23,
    MARGIN = 90, /* hundredths for each ply that are not lost in a quiet position */
};

/* ---- Room -------------------------------------------------------------------------------------- */

static bool ply_init(look_ply *ply, const holos_variant *v, mem_budget *budget)
{
    size_t most = v->max_successors;
    ply->next.edges = mem_alloc(budget, most * sizeof *ply->next.edges);
    ply->next.positions = mem_alloc(budget, most * v->position_size);
    ply->order = mem_alloc(budget, most * sizeof *ply->order);
    return ply->next.edges != NULL && ply->next.positions != NULL && ply->order != NULL;
}

bool look_init(look *l, const holos_variant *v, mem_budget *budget, size_t played)
{
    *l = (look){.v = v, .played = played};
    l->plies = calloc(LOOK_PLIES, sizeof *l->plies);
    l->path = calloc(played + LOOK_PLIES + 1, sizeof *l->path);
    l->history = calloc(2 * HISTORY, sizeof *l->history);
    bool good = l->plies != NULL && l->path != NULL && l->history != NULL;
    for (unsigned i = 0; good && i < LOOK_PLIES; i++)
        good = ply_init(&l->plies[i], v, budget);
    return good;
}

void look_free(look *l, mem_budget *budget)
{
    size_t most = l->v != NULL ? l->v->max_successors : 0, each = l->v != NULL ? l->v->position_size : 0;
    for (unsigned i = 0; l->plies != NULL && i < LOOK_PLIES; i++) {
        look_ply *ply = &l->plies[i];
        mem_free(budget, ply->next.edges, most * sizeof *ply->next.edges);
        mem_free(budget, ply->next.positions, most * each);
        mem_free(budget, ply->order, most * sizeof *ply->order);
    }
    free(l->plies);
    free(l->path);
    free(l->history);
}

uint64_t look_key(const holos_variant *v, const holos_position *p)
{
    holos_key key = v->game->identity(v, p);
    return (key.hi ^ key.lo * UINT64_C(0x9E3779B97F4A7C15)) | 1;
}

/* ---- Scores ------------------------------------------------------------------------------------ */

/* What a certain score counts `ply` moves from the root. What is neither won nor lost for good is hardly more than a draw. */
static int32_t certain_score(const holos_variant *v, int32_t score, int32_t won, unsigned ply)
{
    const char *outcome = game_outcome(v, score);
    if (strcmp(outcome, "win") == 0)
        return won - (int32_t)ply;
    if (strcmp(outcome, "loss") == 0)
        return (int32_t)ply - won;
    return 10 * ((score > 0) - (score < 0));
}

static int32_t over_score(const look *l, const holos_position *p, unsigned ply)
{
    int32_t score = 0;
    l->v->game->terminal(l->v, p, &score);
    return certain_score(l->v, score + game_banked(l->v, p), HOLOS_THOUGHT_WIN, ply);
}

static int32_t looks(const look *l, const holos_position *p)
{
    const holos_evaluation *e = l->v->game->evaluation;
    return e != NULL ? e->looks(l->v, p) : 100 * game_banked(l->v, p);
}

static bool is_tense(const look *l, const holos_position *p)
{
    const holos_evaluation *e = l->v->game->evaluation;
    return e != NULL && e->is_tense != NULL && e->is_tense(l->v, p);
}

static bool is_loud(const look *l, const holos_position *p, holos_move move)
{
    const holos_evaluation *e = l->v->game->evaluation;
    return e != NULL && e->is_loud != NULL && e->is_loud(l->v, p, move);
}

/* Scores that count plies count them from the position when they are kept, and from the root when they are used. */
static int32_t score_to_keep(int32_t score, unsigned ply)
{
    return score > DECIDED ? score + (int32_t)ply : score < -DECIDED ? score - (int32_t)ply : score;
}

static int32_t score_to_use(int32_t score, unsigned ply)
{
    return score > DECIDED ? score - (int32_t)ply : score < -DECIDED ? score + (int32_t)ply : score;
}

/* ---- Moves ------------------------------------------------------------------------------------- */

static int32_t *history_of(look *l, const holos_position *p, holos_move move)
{
    return &l->history[l->v->game->side(l->v, p) * HISTORY + move % HISTORY];
}

static void moves_order(look *l, const holos_position *p, look_ply *here, uint32_t count, holos_move first)
{
    for (uint32_t i = 0; i < count; i++) {
        holos_edge e = here->next.edges[i];
        int32_t loud = is_loud(l, p, e.move) ? LOUD + 1000 * e.order : 0;
        int32_t quiet = e.move == here->killers[0]   ? KILLER + 1
                        : e.move == here->killers[1] ? KILLER
                                                     : *history_of(l, p, e.move) + e.order;
        here->order[i] = e.move == first ? FIRST : loud != 0 ? loud : quiet;
    }
}

/* The next best of the moves from `from` on, by its index. Each is given out once. */
static uint32_t move_pick(look_ply *here, uint32_t count)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < count; i++)
        if (here->order[i] > here->order[best])
            best = i;
    return best;
}

static bool is_wanted(const look *l, holos_move move)
{
    if (l->only == NULL)
        return true;
    for (size_t i = 0; i < l->only_count; i++)
        if (l->only[i] == move)
            return true;
    return false;
}

static void line_take(look *l, unsigned ply, holos_move move)
{
    look_ply *here = &l->plies[ply];
    const look_ply *below = &l->plies[ply + 1];
    here->line[0] = move;
    here->line_length = 1;
    for (unsigned i = 0; i < below->line_length && here->line_length < LOOK_PLIES; i++)
        here->line[here->line_length++] = below->line[i];
}

static void quiet_reward(look *l, const holos_position *p, look_ply *here, holos_move move, int depth)
{
    int32_t *h = history_of(l, p, move);
    *h += depth * depth;
    if (*h > 1 << 20)
        for (size_t i = 0; i < 2 * HISTORY; i++)
            l->history[i] /= 2;
    if (here->killers[0] != move) {
        here->killers[1] = here->killers[0];
        here->killers[0] = move;
    }
}

/* ---- The search -------------------------------------------------------------------------------- */

static int32_t look_down(look *l, const holos_position *p, int32_t alpha, int32_t beta, int depth,
                         unsigned ply);

/* What a child is worth to whoever moved to it. */
static int32_t child_score(look *l, const holos_position *child, holos_edge e, int32_t alpha, int32_t beta,
                           int depth, unsigned ply,
                           int32_t (*down)(look *, const holos_position *, int32_t, int32_t, int, unsigned))
{
    if ((e.flags & HOLOS_EDGE_SAME_SIDE) != 0)
        return down(l, child, alpha, beta, depth, ply);
    return -down(l, child, -beta, -alpha, depth, ply);
}

/* Only what is loud, or everything where the position is tense. */
static int32_t settle(look *l, const holos_position *p, int32_t alpha, int32_t beta, int depth, unsigned ply)
{
    look_ply *here = &l->plies[ply];
    here->line_length = 0;
    l->deepest = ply > l->deepest ? ply : l->deepest;
    if (!limits_count(&l->limits))
        return 0;
    bool tense = is_tense(l, p);
    uint32_t count = l->v->game->expand(l->v, p, here->next);
    if (count == 0)
        return over_score(l, p, ply);
    int32_t best = tense ? -INFINITE : looks(l, p);
    if (best >= beta || ply + 1 >= LOOK_PLIES)
        return tense ? looks(l, p) : best;
    moves_order(l, p, here, count, HOLOS_NO_MOVE);
    for (uint32_t tried = 0; tried < count && best < beta; tried++) {
        uint32_t i = move_pick(here, count);
        if (!tense && here->order[i] < LOUD / 2)
            break;
        here->order[i] = INT32_MIN;
        int32_t score = child_score(l, position_at(l->v, here->next.positions, i), here->next.edges[i],
                                    best > alpha ? best : alpha, beta, depth - 1, ply + 1, settle);
        if (!limits_go_on(&l->limits))
            return 0;
        best = score > best ? score : best;
    }
    return best;
}

static bool is_repeated(const look *l, unsigned ply, uint64_t key)
{
    for (size_t i = l->played + ply; i-- > 0;)
        if (l->path[i] == key)
            return true;
    return false;
}

/* Whether what is known beforehand answers. */
static bool is_known(look *l, const holos_position *p, unsigned ply, int32_t *score)
{
    if (l->known == NULL || !boundary_score(l->known, p, score))
        return false;
    l->found++;
    *score = certain_score(l->v, *score, HOLOS_THOUGHT_KNOWN, ply);
    return true;
}

/* Whether what is remembered answers; *first is the move to try first either way. */
static bool is_remembered(const look *l, uint64_t key, int32_t alpha, int32_t beta, int depth, unsigned ply,
                          holos_move *first, int32_t *score)
{
    remembered r;
    if (!memory_find(l->memory, key, &r))
        return false;
    *first = r.move;
    *score = score_to_use(r.score, ply);
    return beta - alpha == 1 && r.depth >= depth &&
           (r.bound == SCORE_EXACT || (r.bound == SCORE_AT_LEAST && *score >= beta) ||
            (r.bound == SCORE_AT_MOST && *score <= alpha));
}

/* How many plies less a late quiet move gets at first. */
static int reduction(const look *l, const holos_edge *e, uint32_t tried, int depth, bool quiet)
{
    if (l->whole || !quiet || depth < 3 || tried < 4 || (e->flags & HOLOS_EDGE_FORCING) != 0)
        return 0;
    return tried < 12 || depth < 6 ? 1 : 2;
}

/* The score of one move: the first with the whole window, the others with none until they prove better. */
static int32_t move_score(look *l, const holos_position *child, holos_edge e, int32_t alpha, int32_t beta,
                          int depth, int less, unsigned ply, bool is_first)
{
    if (is_first)
        return child_score(l, child, e, alpha, beta, depth, ply, look_down);
    int32_t score = child_score(l, child, e, alpha, alpha + 1, depth - less, ply, look_down);
    if (score > alpha && less > 0)
        score = child_score(l, child, e, alpha, alpha + 1, depth, ply, look_down);
    if (score > alpha && score < beta)
        score = child_score(l, child, e, alpha, beta, depth, ply, look_down);
    return score;
}

/* The best of all moves; *move is it. */
static int32_t moves_try(look *l, const holos_position *p, uint32_t count, int32_t alpha, int32_t beta,
                         int depth, unsigned ply, bool tense, holos_move *move)
{
    look_ply *here = &l->plies[ply];
    int32_t best = -INFINITE;
    for (uint32_t tried = 0, done = 0; tried < count && best < beta; tried++) {
        uint32_t i = move_pick(here, count);
        bool quiet = !tense && here->order[i] < LOUD / 2;
        here->order[i] = INT32_MIN;
        holos_edge e = here->next.edges[i];
        if (ply == 0 && !is_wanted(l, e.move))
            continue;
        int32_t low = best > alpha ? best : alpha;
        int32_t score = move_score(l, position_at(l->v, here->next.positions, i), e, low, beta, depth - 1,
                                   reduction(l, &e, done, depth, quiet), ply + 1, done == 0);
        if (!limits_go_on(&l->limits))
            return best;
        if (score > best) {
            best = score;
            *move = e.move;
            if (score > alpha || (ply == 0 && done == 0))
                line_take(l, ply, e.move);
        }
        if (score >= beta && quiet)
            quiet_reward(l, p, here, e.move, depth);
        done++;
    }
    return best;
}

static int32_t look_down(look *l, const holos_position *p, int32_t alpha, int32_t beta, int depth,
                         unsigned ply)
{
    look_ply *here = &l->plies[ply];
    here->line_length = 0;
    uint64_t key = look_key(l->v, p);
    l->path[l->played + ply] = key;
    if (ply > 0 && is_repeated(l, ply, key))
        return 0;
    bool tense = is_tense(l, p);
    depth += tense && ply > 0 && !l->whole;
    if (depth <= 0 || ply + 1 >= LOOK_PLIES)
        return settle(l, p, alpha, beta, 0, ply);
    if (!limits_count(&l->limits))
        return 0;
    uint32_t count = l->v->game->expand(l->v, p, here->next);
    if (count == 0)
        return over_score(l, p, ply);
    holos_move first = HOLOS_NO_MOVE, move = HOLOS_NO_MOVE;
    int32_t score = 0;
    if (ply > 0 && is_known(l, p, ply, &score))
        return score;
    if (is_remembered(l, key, alpha, beta, depth, ply, &first, &score) && ply > 0)
        return score;
    /* So far ahead that a few quiet plies will not change it. */
    if (!l->whole && !tense && beta - alpha == 1 && depth <= 3 && beta < DECIDED &&
        looks(l, p) - MARGIN * depth >= beta)
        return beta;
    moves_order(l, p, here, count, first);
    score = moves_try(l, p, count, alpha, beta, depth, ply, tense, &move);
    if (limits_go_on(&l->limits) && !(ply == 0 && l->only != NULL))
        memory_keep(l->memory, key,
                    (remembered){.move = move,
                                 .score = (int16_t)score_to_keep(score, ply),
                                 .depth = (uint8_t)depth,
                                 .bound = score >= beta    ? SCORE_AT_LEAST
                                          : score <= alpha ? SCORE_AT_MOST
                                                           : SCORE_EXACT});
    return score;
}

int32_t look_ahead(look *l, const holos_position *p, unsigned depth)
{
    return look_down(l, p, -INFINITE, INFINITE, (int)depth, 0);
}
