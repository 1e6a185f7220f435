/* SPDX-License-Identifier: MIT */

/* Sowing backwards. The boards that may lead to a board are few and easy to list: the pit that was sown
 * and where the last seed fell tell how many seeds there were, and a capture leaves two empty pits and
 * only the number of seeds it took open. Each candidate is then played forward, which settles everything
 * else: that the game was not over, that a capture happens or does not, that the turn passes or stays. */

#include "games/kalah/back.h"

typedef struct back_search {
    const kalah_rules *rules;
    const uint8_t *board; /* where the moves must lead */
    kalah_visit *visit;
    void *context;
} back_search;

uint32_t kalah_max_predecessors(const kalah_rules *rules)
{
    unsigned M = rules->pits;
    unsigned sowings = M * (2 * M + 1);          /* a pit, and where the last seed fell */
    unsigned captures = M * M * KALAH_MAX_SEEDS; /* a pit, an own last pit, and how many were taken */
    return sowings + captures;
}

/* What was sown: so many times around, and so many seeds more. */
typedef struct back_sowing {
    unsigned pit, laps, rest;
} back_sowing;

/* How many places it is from one place to another, around the board; 0 from a place to itself. */
static unsigned back_steps(unsigned lap, unsigned from, unsigned to)
{
    return to >= from ? to - from : to + lap - from;
}

/* Takes what was sown back into its pit; false if some place has too few seeds. */
static bool back_unsow(const kalah_rules *rules, uint8_t *board, back_sowing sowing)
{
    unsigned lap = 2 * rules->pits + 1;
    for (unsigned i = 0; i < lap; i++) {
        unsigned steps = back_steps(lap, sowing.pit, i);
        unsigned sown = sowing.laps + (steps > 0 && steps <= sowing.rest);
        if (board[i] < sown)
            return false;
        board[i] = (uint8_t)(board[i] - sown);
    }
    if (board[sowing.pit] != 0)
        return false;
    board[sowing.pit] = (uint8_t)(sowing.laps * lap + sowing.rest);
    return true;
}

/* Visits the board from which the sowing leads to `sown` and, captures done, to the board in question. All
 * are seen from the side that moved. */
static void back_try(const back_search *s, const uint8_t *sown, back_sowing sowing)
{
    const kalah_rules *rules = s->rules;
    size_t size = kalah_board_size(rules);
    uint8_t before[KALAH_MAX_BYTES], after[KALAH_MAX_BYTES];
    memcpy(before, sown, size);
    if (!back_unsow(rules, before, sowing) || kalah_is_over(rules, before))
        return;
    memcpy(after, before, size);
    kalah_outcome outcome = kalah_play(rules, after, sowing.pit);
    if (memcmp(after, s->board, size) == 0)
        s->visit(s->context, before, sowing.pit, outcome);
}

/* Moves without a capture: the pit that was sown holds one seed for each full lap. */
static void back_sowings(const back_search *s, const uint8_t *mine)
{
    unsigned M = s->rules->pits, lap = 2 * M + 1;
    for (unsigned pit = 0; pit < M; pit++)
        for (unsigned rest = mine[pit] > 0 ? 0 : 1; rest < lap; rest++)
            back_try(s, mine, (back_sowing){pit, mine[pit], rest});
}

/* Moves with a capture: `last`, where it ended, and the pit opposite are empty, and so is the pit that was
 * sown. A capture needs less than a lap, or one exactly, which ends where it began. */
static void back_captures(const back_search *s, const uint8_t *mine)
{
    unsigned M = s->rules->pits, lap = 2 * M + 1;
    for (unsigned last = 0; last < M; last++) {
        if (mine[last] != 0 || mine[2 * M - last] != 0)
            continue;
        for (unsigned taken = s->rules->empty_capture ? 0 : 1; taken + 1 <= mine[M]; taken++) {
            uint8_t sown[KALAH_MAX_BYTES];
            memcpy(sown, mine, kalah_board_size(s->rules));
            sown[last] = 1;
            sown[2 * M - last] = (uint8_t)taken;
            sown[M] = (uint8_t)(mine[M] - taken - 1);
            for (unsigned pit = 0; pit < M; pit++)
                if (mine[pit] == 0)
                    back_try(s, sown, (back_sowing){pit, pit == last, back_steps(lap, pit, last)});
        }
    }
}

void kalah_each_predecessor(const kalah_rules *rules, const uint8_t *board, kalah_visit *visit, void *context)
{
    back_search s = {rules, board, visit, context};
    back_sowings(&s, board); /* the side to move has moved again */
    uint8_t theirs[KALAH_MAX_BYTES];
    memcpy(theirs, board, kalah_board_size(rules));
    kalah_turn(rules, theirs);
    back_sowings(&s, theirs);
    back_captures(&s, theirs);
}
