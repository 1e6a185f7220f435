/* SPDX-License-Identifier: MIT */

#include "games/chess/tables/clock.h"

#include "core/hash.h"

#include <stdlib.h>

enum {
    MEMO_BITS = 13,
    SEARCH_MOST = 30000, /* positions: a tenth of a second */
};

typedef enum verdict { OPEN, HOLDS, FAILS } verdict; /* whether the win or loss stands */

/* A search for the ply that decides. All of it is about one result, so a position is there with one clock. */
typedef struct clock_search {
    tablebase *t;
    unsigned left; /* positions that may still be looked at */
    struct {
        holos_key key;
        verdict found;
    } memo[1 << MEMO_BITS];
} clock_search;

static bool is_mate(const chess_position *p)
{
    return position_in_check(p, p->side) && position_count_moves(p) == 0;
}

/* What the tables say at once. OPEN: one ply decides, or DTZ is not there, then *dtz is 0. */
static tb_answer verdict_look(tablebase *t, const chess_position *p, int wdl, int *dtz, verdict *out)
{
    bool exact;
    *out = FAILS;
    *dtz = 0;
    if (wdl == -2 && is_mate(p)) {
        *out = HOLDS;
        return TB_FOUND;
    }
    if (abs(wdl) < 2 || p->clock >= CHESS_CLOCK_DRAW)
        return TB_FOUND;
    tb_answer answer = tablebase_dtz_exact(t, p, dtz, &exact);
    if (answer != TB_FOUND) {
        *out = p->clock == 0 ? HOLDS : OPEN;
        *dtz = 0;
        return answer == TB_MISSING ? TB_FOUND : answer;
    }
    int plies = abs(*dtz) + p->clock;
    *out = plies < CHESS_CLOCK_DRAW || p->clock == 0 || (plies == CHESS_CLOCK_DRAW && exact) ? HOLDS
           : plies == CHESS_CLOCK_DRAW                                                       ? OPEN
                                                                                             : FAILS;
    return TB_FOUND;
}

static tb_answer verdict_search(clock_search *s, const chess_position *p, int wdl, verdict *out);

/* What a move comes to for the result of the side that moves, `wdl`. */
static tb_answer move_judge(clock_search *s, const chess_position *p, chess_move move, int wdl, verdict *out)
{
    chess_position next;
    int after;
    position_make(p, move, &next);
    tb_answer answer = tablebase_wdl(s->t, &next, &after);
    *out = FAILS;
    return answer == TB_FOUND && after == -wdl ? verdict_search(s, &next, after, out) : answer;
}

/* A win needs one move that keeps it, a loss holds if no move escapes. */
static tb_answer moves_judge(clock_search *s, const chess_position *p, int wdl, verdict *out)
{
    chess_move moves[CHESS_MOVES_MOST];
    unsigned count = position_moves(p, moves);
    verdict decides = wdl > 0 ? HOLDS : FAILS;
    *out = wdl > 0 ? FAILS : HOLDS;
    for (unsigned i = 0; i < count; i++) {
        verdict found;
        tb_answer answer = move_judge(s, p, moves[i], wdl, &found);
        if (answer != TB_FOUND)
            return answer;
        if (found == decides) {
            *out = found;
            break;
        }
        if (found == OPEN)
            *out = OPEN;
    }
    return TB_FOUND;
}

/* Whether the result of p, which the tables know, stands with its clock. Every ply makes the clock larger or zeroes it, and with
 * a clock of zero the tables decide: so this comes to an end. */
static tb_answer verdict_search(clock_search *s, const chess_position *p, int wdl, verdict *out)
{
    int dtz;
    tb_answer answer = verdict_look(s->t, p, wdl, &dtz, out);
    if (answer != TB_FOUND || *out != OPEN || dtz == 0)
        return answer;
    holos_key key = hash_bytes(p, sizeof *p);
    size_t slot = (size_t)key.lo & ((1u << MEMO_BITS) - 1);
    if (holos_key_equal(s->memo[slot].key, key)) {
        *out = s->memo[slot].found;
        return TB_FOUND;
    }
    if (s->left == 0)
        return TB_FOUND;
    s->left--;
    answer = moves_judge(s, p, wdl, out);
    if (answer == TB_FOUND && *out != OPEN) {
        s->memo[slot].key = key;
        s->memo[slot].found = *out;
    }
    return answer;
}

tb_answer clock_judge(tablebase *t, const chess_position *p, clock_verdict *out)
{
    int wdl, dtz;
    verdict found;
    *out = (clock_verdict){.conversion = CLOCK_NO_DISTANCE};
    tb_answer answer = tablebase_wdl(t, p, &wdl);
    if (answer == TB_FOUND)
        answer = verdict_look(t, p, wdl, &dtz, &found);
    if (answer != TB_FOUND)
        return answer;
    if (found == OPEN && dtz != 0) {
        clock_search *s = calloc(1, sizeof *s);
        if (s != NULL) { /* without memory it stays open */
            *s = (clock_search){.t = t, .left = SEARCH_MOST};
            answer = verdict_search(s, p, wdl, &found);
        }
        free(s);
    }
    if (found == HOLDS && (dtz != 0 || is_mate(p)))
        out->conversion = (unsigned)abs(dtz);
    out->lo = found == HOLDS || (found == OPEN && wdl < 0) ? wdl : 0;
    out->hi = found == HOLDS || (found == OPEN && wdl > 0) ? wdl : 0;
    return answer;
}
