/* SPDX-License-Identifier: MIT */

/* The body of perft, for whatever processor the including file is compiled for. PERFT is the function's name. The last
 * ply is counted, not played. */

static uint64_t perft_side(const chess_position *p, unsigned depth, unsigned us);

static uint64_t perft_white(const chess_position *p, unsigned depth)
{
    return perft_side(p, depth, CHESS_WHITE);
}

static uint64_t perft_black(const chess_position *p, unsigned depth)
{
    return perft_side(p, depth, CHESS_BLACK);
}

static inline __attribute__((always_inline)) uint64_t perft_side(const chess_position *p, unsigned depth,
                                                                 unsigned us)
{
    if (depth == 1) {
        move_sink counter = {.moves = NULL};
        moves_find(p, us, &counter);
        return counter.count;
    }
    chess_move moves[CHESS_MOVES_MOST];
    move_sink sink = {.moves = moves};
    moves_find(p, us, &sink);
    uint64_t lines = 0;
    for (unsigned i = 0; i < sink.count; i++) {
        chess_position next;
        position_make_for(p, moves[i], us, &next);
        lines += us == CHESS_WHITE ? perft_black(&next, depth - 1) : perft_white(&next, depth - 1);
    }
    return lines;
}

uint64_t PERFT(const chess_position *p, unsigned depth)
{
    if (depth == 0)
        return 1;
    return p->side == CHESS_WHITE ? perft_white(p, depth) : perft_black(p, depth);
}
