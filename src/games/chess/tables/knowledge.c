/* SPDX-License-Identifier: MIT */

#include "games/chess/tables/knowledge.h"

#include "games/chess/chess.h"
#include "games/chess/tables/clock.h"
#include "games/chess/tables/layout.h"

#include <stdlib.h>
#include <string.h>

typedef struct tables {
    tablebase *base;
    const holos_variant *v;
    bool clock_counts; /* chess:50 */
} tables;

static holos_status tables_open(const holos_variant *v, const char *folder, void **state, holos_error *err)
{
    tables *t = calloc(1, sizeof *t);
    if (t == NULL)
        return error_system(err, "tables");
    t->v = v;
    t->clock_counts = strcmp(v->name, "chess") != 0;
    holos_status status = tablebase_open(folder, &t->base, err);
    if (status != HOLOS_OK) {
        free(t);
        return status;
    }
    *state = t;
    return HOLOS_OK;
}

static void tables_close(void *state)
{
    tables *t = state;
    tablebase_close(t->base);
    free(t);
}

/* ---- Positions --------------------------------------------------------------------------------- */

/* An answer that is not found: not here, or damaged. */
static holos_status answer_status(const tables *t, const chess_position *p, tb_answer answer,
                                  holos_error *err)
{
    return answer == TB_DAMAGED ? tablebase_error(t->base, p, answer, true, err) : HOLOS_OK;
}

static holos_value value_make(int lo, int hi)
{
    return (holos_value){.lo = lo,
                         .hi = hi,
                         .distance = HOLOS_NO_DISTANCE,
                         .conversion = HOLOS_NO_DISTANCE,
                         .source = HOLOS_SOURCE_TABLE};
}

/* Adds DTM to a value that is not 0. It knows nothing of the fifty-move rule: where that counts, a mate is as far only if it
 * comes before the rule can. */
static holos_status mate_add(const tables *t, const chess_position *p, holos_value *out, holos_error *err)
{
    unsigned mate;
    tb_answer answer = tablebase_dtm(t->base, p, &mate);
    if (answer == TB_FOUND && (!t->clock_counts || mate_plies(mate) + p->clock <= CHESS_CLOCK_DRAW))
        out->distance = (uint16_t)mate_plies(mate);
    return answer_status(t, p, answer, err);
}

/* chess:50. */
static holos_status find_by_clock(const tables *t, const chess_position *p, holos_value *out,
                                  holos_error *err)
{
    clock_verdict verdict;
    tb_answer answer = clock_judge(t->base, p, &verdict);
    if (answer != TB_FOUND)
        return answer_status(t, p, answer, err);
    *out = value_make(verdict.lo, verdict.hi);
    if (verdict.conversion != CLOCK_NO_DISTANCE)
        out->conversion = (uint16_t)verdict.conversion;
    return verdict.lo == verdict.hi && verdict.lo != 0 ? mate_add(t, p, out, err) : HOLOS_OK;
}

static holos_status tables_find(void *state, const holos_position *position, holos_value *out,
                                holos_error *err)
{
    const tables *t = state;
    const chess_position *p = chess_of(position);
    int wdl, dtz;
    *out = game_value_unknown(t->v);
    if (t->clock_counts)
        return find_by_clock(t, p, out, err);
    tb_answer answer = tablebase_wdl(t->base, p, &wdl);
    if (answer != TB_FOUND)
        return answer_status(t, p, answer, err);
    *out = value_make(wdl, wdl);
    if (wdl == 0)
        return HOLOS_OK;
    answer = tablebase_dtz(t->base, p, &dtz);
    if (answer == TB_FOUND)
        out->conversion = dtz == -1 && position_count_moves(p) == 0 ? 0 : (uint16_t)abs(dtz);
    holos_status status = answer_status(t, p, answer, err);
    return status == HOLOS_OK ? mate_add(t, p, out, err) : status;
}

static holos_status tables_score(void *state, const holos_position *position, int32_t *score, bool *found,
                                 holos_error *err)
{
    const tables *t = state;
    const chess_position *p = chess_of(position);
    *found = false;
    if (set_count(p->kinds[CHESS_ANY]) > tablebase_pieces(t->base))
        return HOLOS_OK;
    if (t->clock_counts && p->clock > 0) {
        clock_verdict verdict;
        tb_answer answer = clock_judge(t->base, p, &verdict);
        *score = verdict.lo;
        *found = answer == TB_FOUND && verdict.lo == verdict.hi;
        return answer_status(t, p, answer, err);
    }
    int wdl;
    tb_answer answer = tablebase_wdl(t->base, p, &wdl);
    *found = answer == TB_FOUND;
    if (*found)
        *score = t->clock_counts && abs(wdl) == 1 ? 0 : wdl;
    return answer_status(t, p, answer, err);
}

/* ---- Moves ------------------------------------------------------------------------------------- */

static uint16_t one_more(uint16_t distance)
{
    return distance == HOLOS_NO_DISTANCE ? distance : (uint16_t)(distance + 1);
}

static holos_status move_look(const tables *t, const chess_position *p, chess_move move, holos_value *out,
                              holos_error *err)
{
    _Alignas(16) chess_position next;
    holos_value after;
    position_make(p, move, &next);
    if (!t->clock_counts)
        next.clock = 0;
    holos_status status = tables_find((void *)(uintptr_t)t, (const holos_position *)&next, &after, err);
    *out = after;
    if (status != HOLOS_OK || after.source == HOLOS_SOURCE_NONE)
        return status;
    out->lo = -after.hi;
    out->hi = -after.lo;
    if (after.lo == 0)
        return HOLOS_OK;
    out->distance = one_more(after.distance);
    bool mated = after.conversion == 0;
    if (move_is_zeroing(p, move) && !mated)
        out->conversion = abs(after.lo) == 1 ? 101 : 1;
    else
        out->conversion = one_more(after.conversion);
    return HOLOS_OK;
}

static holos_status tables_moves(void *state, const holos_position *position, holos_move_value *out,
                                 size_t *count, holos_error *err)
{
    const chess_position *p = chess_of(position);
    chess_move moves[CHESS_MOVES_MOST];
    *count = position_moves(p, moves);
    for (size_t i = 0; i < *count; i++) {
        out[i].move = moves[i];
        holos_status status = move_look(state, p, moves[i], &out[i].value, err);
        if (status != HOLOS_OK)
            return status;
    }
    return HOLOS_OK;
}

static holos_status tables_why(void *state, const holos_position *position, holos_error *err)
{
    const tables *t = state;
    int wdl, dtz;
    tb_answer answer = tablebase_wdl(t->base, chess_of(position), &wdl);
    if (answer != TB_FOUND)
        return tablebase_error(t->base, chess_of(position), answer, false, err);
    answer = tablebase_dtz(t->base, chess_of(position), &dtz);
    if (answer != TB_FOUND)
        return tablebase_error(t->base, chess_of(position), answer, true, err);
    return error_set(err, HOLOS_LIMIT, HOLOS_NOWHERE,
                     "one ply on the fifty-move clock decides, and the tables do not tell it");
}

static const char *const move_words[] = {"losses", "losses that the fifty-move rule saves", "draws",
                                         "wins that the fifty-move rule spoils", "wins"};

const holos_game_knowledge chess_knowledge = {
    .what = "Syzygy tables",
    .folder = "syzygy",
    .words = {.end = "dtm",
              .conversion = "dtz",
              .end_title = "DTM",
              .conversion_title = "DTZ",
              .event = "mate",
              .legend =
                  "DTM counts plies to mate, DTZ plies to the next capture or pawn's move that keeps the "
                  "result (or mate)",
              .moves = move_words},
    .recognise = tablebase_is_at,
    .open = tables_open,
    .close = tables_close,
    .score = tables_score,
    .find = tables_find,
    .moves = tables_moves,
    .verify = tables_verify,
    .why = tables_why,
};
