/* SPDX-License-Identifier: MIT */

#include "games/chess/tables/endings.h"

#include "games/chess/chess.h"
#include "games/chess/tables/layout.h"
#include "games/chess/tables/probe.h"

#include <stdlib.h>
#include <string.h>

typedef struct endings {
    tablebase *tables;
    bool clock_counts; /* chess:50 */
} endings;

static bool endings_are_here(const char *folder)
{
    tablebase *t;
    if (tablebase_open(folder, &t, NULL) != HOLOS_OK)
        return false;
    bool here = tablebase_count(t) > 0;
    tablebase_close(t);
    return here;
}

static holos_status endings_open(const holos_variant *v, const char *folder, void **state, holos_error *err)
{
    endings *e = calloc(1, sizeof *e);
    if (e == NULL)
        return error_system(err, "tables");
    e->clock_counts = strcmp(v->name, "chess") != 0;
    holos_status status = tablebase_open(folder, &e->tables, err);
    if (status != HOLOS_OK) {
        free(e);
        return status;
    }
    *state = e;
    return HOLOS_OK;
}

static void endings_close(void *state)
{
    endings *e = state;
    tablebase_close(e->tables);
    free(e);
}

/* With a clock that runs already, a win or a loss is sure only if the next zeroing move comes in time. A distance in a
 * table may be one ply short. */
static bool clock_allows(const endings *e, const chess_position *p, const ending_value *v)
{
    if (!e->clock_counts || p->clock == 0 || v->score == 0)
        return true;
    return v->zeroing != ENDINGS_UNKNOWN && (unsigned)abs(v->zeroing) + p->clock < CHESS_CLOCK_DRAW &&
           abs(v->score) == 2;
}

static bool endings_find(void *state, const holos_position *position, ending_value *out)
{
    const endings *e = state;
    const chess_position *p = chess_of(position);
    unsigned mate;
    int dtz, wdl;
    *out = (ending_value){.zeroing = ENDINGS_UNKNOWN, .mate = ENDINGS_UNKNOWN};
    if (tablebase_wdl(e->tables, p, &wdl) != TB_FOUND)
        return false;
    out->score = wdl;
    if (tablebase_dtz(e->tables, p, &dtz) == TB_FOUND)
        out->zeroing = dtz == -1 && position_count_moves(p) == 0 ? 0 : dtz;
    if (tablebase_dtm(e->tables, p, &mate) == TB_FOUND) {
        int plies = (int)mate_plies(mate);
        out->mate = mate_is_loss(mate) ? -plies : plies;
    }
    return clock_allows(e, p, out);
}

static bool endings_score(void *state, const holos_position *position, int32_t *score)
{
    const endings *e = state;
    const chess_position *p = chess_of(position);
    ending_value value;
    int wdl;
    if (e->clock_counts && p->clock > 0) {
        bool known = endings_find(state, position, &value);
        *score = value.score;
        return known;
    }
    if (set_count(p->kinds[CHESS_ANY]) > tablebase_pieces(e->tables) ||
        tablebase_wdl(e->tables, p, &wdl) != TB_FOUND)
        return false;
    *score = wdl;
    return true;
}

/* A move leads to mate one ply later than the position behind it does. */
static int32_t distance_before(int32_t after, bool losing)
{
    return after == ENDINGS_UNKNOWN ? after : losing ? 1 - after : -1 - after;
}

static ending_move move_look(const endings *e, const chess_position *p, chess_move move)
{
    _Alignas(16) chess_position next;
    ending_move m = {.move = move};
    ending_value after;
    position_make(p, move, &next);
    if (!e->clock_counts)
        next.clock = 0;
    m.known = endings_find((void *)(uintptr_t)e, (const holos_position *)&next, &after);
    if (!m.known)
        return m;
    m.value = (ending_value){.score = -after.score, .zeroing = 0, .mate = 0};
    if (after.score == 0)
        return m;
    /* The opponent has lost: so many plies and one. */
    m.value.mate = distance_before(after.mate, after.score < 0);
    bool mated = after.zeroing == 0;
    if (move_is_zeroing(p, move) && !mated)
        m.value.zeroing = (abs(after.score) == 1 ? 101 : 1) * (after.score < 0 ? 1 : -1);
    else
        m.value.zeroing = mated ? 1 : distance_before(after.zeroing, after.score < 0);
    return m;
}

static uint32_t endings_moves(void *state, const holos_position *position, ending_move *out)
{
    const chess_position *p = chess_of(position);
    chess_move moves[CHESS_MOVES_MOST];
    uint32_t count = position_moves(p, moves);
    for (uint32_t i = 0; i < count; i++)
        out[i] = move_look(state, p, moves[i]);
    return count;
}

/* Whether a is better for the mover: the score, then mate, then zeroing; sooner for a winner, later for a loser. */
static bool move_is_better(const ending_move *a, const ending_move *b)
{
    if (a->value.score != b->value.score)
        return a->value.score > b->value.score;
    if (a->value.mate != ENDINGS_UNKNOWN && b->value.mate != ENDINGS_UNKNOWN &&
        a->value.mate != b->value.mate)
        return a->value.mate < b->value.mate; /* of losses, -20 is better than -10 */
    return a->value.zeroing < b->value.zeroing;
}

static uint32_t endings_line(void *state, const holos_position *position, holos_move *out, uint32_t most)
{
    _Alignas(16) chess_position here = *chess_of(position), next;
    ending_move moves[CHESS_MOVES_MOST];
    uint32_t length = 0;
    while (length < most) {
        uint32_t count = endings_moves(state, (const holos_position *)&here, moves), best = 0;
        for (uint32_t i = 1; i < count; i++)
            if (moves[i].known && (!moves[best].known || move_is_better(&moves[i], &moves[best])))
                best = i;
        if (count == 0 || !moves[best].known || moves[best].value.score == 0)
            break; /* a draw can go on for ever */
        out[length++] = moves[best].move;
        position_make(&here, moves[best].move, &next);
        here = next;
    }
    return length;
}

static holos_status endings_why(void *state, const holos_position *position, holos_error *err)
{
    const endings *e = state;
    int wdl;
    tb_answer answer = tablebase_wdl(e->tables, chess_of(position), &wdl);
    if (answer == TB_FOUND)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "the fifty-move clock runs already: whether the result holds takes a search");
    return tablebase_error(e->tables, chess_of(position), answer, false, err);
}

const holos_endings chess_endings = {
    .what = "Syzygy tables",
    .plan = endings_plan_make,
    .build = endings_make,
    .is_here = endings_are_here,
    .open = endings_open,
    .close = endings_close,
    .score = endings_score,
    .find = endings_find,
    .moves = endings_moves,
    .line = endings_line,
    .why = endings_why,
};
