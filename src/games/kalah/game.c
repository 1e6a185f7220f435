/* SPDX-License-Identifier: MIT */

/* Kalah, as the contract asks for it. Values are those of the seeds still in play: what lies in the stores
 * is banked and changes nothing of what can still be won. */

#include "games/kalah/back.h"
#include "games/kalah/kalah.h"

/* What a move looks worth before it is searched: another turn, then what it takes, then the pits nearest to
 * the store, which keep the others' options open. */
enum {
    ORDER_AGAIN = 400,
    ORDER_SEED = 8, /* for each seed banked */
};

static uint8_t *board_in(holos_position *p)
{
    return (uint8_t *)p;
}

static unsigned board_side(const kalah_rules *rules, const uint8_t *board)
{
    return board[2 * rules->pits + 2];
}

static int board_ahead(const kalah_rules *rules, const uint8_t *board)
{
    return (int)board[rules->pits] - (int)board[2 * rules->pits + 1];
}

/* ---- Keys -------------------------------------------------------------------------------------- */

/* A pit holds at most 127 seeds. So eight of them and eight bits more go into 64 bits: the highest bit of
 * each byte is free. */
static uint64_t half_pack(const kalah_rules *rules, const uint8_t *pits, unsigned bits)
{
    uint64_t half = 0;
    for (unsigned i = 0; i < rules->pits; i++)
        half |= (uint64_t)pits[i] << 8 * i;
    for (unsigned i = 0; bits != 0; i++, bits >>= 1)
        half |= (uint64_t)(bits & 1) << (8 * i + 7);
    return half;
}

static unsigned half_unpack(const kalah_rules *rules, uint64_t half, uint8_t *pits)
{
    unsigned bits = 0;
    for (unsigned i = 0; i < rules->pits; i++)
        pits[i] = half >> 8 * i & 127;
    for (unsigned i = 0; i < 8; i++)
        bits |= (unsigned)(half >> (8 * i + 7) & 1) << i;
    return bits;
}

/* The pits, as the side to move sees them. If the game can end by majority, then how far one store is
 * ahead matters too. */
static holos_key board_key(const kalah_rules *rules, const uint8_t *board)
{
    unsigned ahead = rules->majority_stop ? (uint8_t)board_ahead(rules, board) : 0;
    return (holos_key){.hi = half_pack(rules, board, ahead),
                       .lo = half_pack(rules, board + rules->pits + 1, 0)};
}

static holos_key kalah_key(const holos_variant *v, const holos_position *p)
{
    return board_key(kalah_rules_of(v), kalah_board_of(p));
}

static holos_key kalah_identity(const holos_variant *v, const holos_position *p)
{
    const kalah_rules *rules = kalah_rules_of(v);
    const uint8_t *board = kalah_board_of(p), *theirs = board + rules->pits + 1;
    unsigned side = board_side(rules, board);
    return (holos_key){.hi = half_pack(rules, board, board[rules->pits] | side << 7),
                       .lo = half_pack(rules, theirs, theirs[rules->pits])};
}

static void kalah_from_identity(const holos_variant *v, holos_key identity, holos_position *out)
{
    const kalah_rules *rules = kalah_rules_of(v);
    unsigned M = rules->pits;
    uint8_t *board = board_in(out);
    memset(board, 0, v->position_size);
    unsigned store_and_side = half_unpack(rules, identity.hi, board);
    board[M] = store_and_side & 127;
    board[2 * M + 1] = (uint8_t)half_unpack(rules, identity.lo, board + M + 1);
    board[2 * M + 2] = (uint8_t)(store_and_side >> 7);
}

/* The board with empty stores; or, where it matters, with as many seeds in one of them as it is ahead by. */
static void kalah_from_key(const holos_variant *v, holos_key key, holos_position *out)
{
    const kalah_rules *rules = kalah_rules_of(v);
    unsigned M = rules->pits;
    uint8_t *board = board_in(out);
    memset(board, 0, v->position_size);
    int ahead = (int8_t)half_unpack(rules, key.hi, board);
    half_unpack(rules, key.lo, board + M + 1);
    board[M] = (uint8_t)(ahead > 0 ? ahead : 0);
    board[2 * M + 1] = (uint8_t)(ahead < 0 ? -ahead : 0);
}

/* ---- Moves ------------------------------------------------------------------------------------- */

static holos_edge edge_make(unsigned pit, kalah_outcome outcome)
{
    int order = (int)pit + ORDER_SEED * (int)outcome.gain + (outcome.again ? ORDER_AGAIN : 0);
    unsigned flags = (outcome.again ? HOLOS_EDGE_SAME_SIDE : 0) |
                     (outcome.again || outcome.captured > 0 ? HOLOS_EDGE_FORCING : 0);
    return (holos_edge){
        .move = pit, .gain = (int32_t)outcome.gain, .order = (int16_t)order, .flags = (uint8_t)flags};
}

static void kalah_start(const holos_variant *v, holos_position *out)
{
    const kalah_variant *variant = v->rules;
    unsigned M = variant->rules.pits;
    uint8_t *board = board_in(out);
    memset(board, 0, v->position_size);
    memset(board, (int)variant->seeds, M);
    memset(board + M + 1, (int)variant->seeds, M);
}

static uint32_t kalah_expand(const holos_variant *v, const holos_position *p, holos_edges out)
{
    const kalah_rules *rules = kalah_rules_of(v);
    const uint8_t *board = kalah_board_of(p);
    if (kalah_is_over(rules, board))
        return 0;
    uint32_t count = 0;
    for (unsigned pit = 0; pit < rules->pits; pit++) {
        if (board[pit] == 0)
            continue;
        uint8_t child[KALAH_MAX_BYTES];
        memcpy(child, board, v->position_size);
        kalah_outcome outcome = kalah_play(rules, child, pit);
        if (out.edges != NULL)
            out.edges[count] = edge_make(pit, outcome);
        if (out.positions != NULL)
            memcpy(position_at(v, out.positions, count), child, v->position_size);
        if (out.keys != NULL)
            out.keys[count] = board_key(rules, child);
        count++;
    }
    return count;
}

static holos_edge kalah_play_move(const holos_variant *v, const holos_position *p, holos_move move,
                                  holos_position *out)
{
    memmove(out, p, v->position_size);
    return edge_make(move, kalah_play(kalah_rules_of(v), board_in(out), move));
}

static bool kalah_terminal(const holos_variant *v, const holos_position *p, int32_t *score)
{
    const kalah_rules *rules = kalah_rules_of(v);
    *score = kalah_left_over(rules, kalah_board_of(p));
    return kalah_is_over(rules, kalah_board_of(p));
}

static unsigned kalah_side(const holos_variant *v, const holos_position *p)
{
    return board_side(kalah_rules_of(v), kalah_board_of(p));
}

static int32_t kalah_banked(const holos_variant *v, const holos_position *p)
{
    return board_ahead(kalah_rules_of(v), kalah_board_of(p));
}

/* ---- The way back ------------------------------------------------------------------------------ */

typedef struct back_output {
    const holos_variant *v;
    holos_edges out;
    uint32_t count;
} back_output;

static void back_write(void *context, const uint8_t *before, unsigned pit, kalah_outcome outcome)
{
    back_output *o = context;
    if (o->out.edges != NULL)
        o->out.edges[o->count] = edge_make(pit, outcome);
    if (o->out.positions != NULL)
        memcpy(position_at(o->v, o->out.positions, o->count), before, o->v->position_size);
    if (o->out.keys != NULL)
        o->out.keys[o->count] = board_key(kalah_rules_of(o->v), before);
    o->count++;
}

static uint32_t kalah_predecessors(const holos_variant *v, const holos_position *p, holos_edges out)
{
    back_output o = {.v = v, .out = out};
    kalah_each_predecessor(kalah_rules_of(v), kalah_board_of(p), back_write, &o);
    return o.count;
}

/* ---- Hints for waves --------------------------------------------------------------------------- */

/* The seeds of either side, its pits that are not empty, and the moves that keep the turn. */
static uint64_t kalah_features(const holos_variant *v, const holos_position *p)
{
    const kalah_rules *rules = kalah_rules_of(v);
    const uint8_t *board = kalah_board_of(p);
    unsigned M = rules->pits;
    uint64_t features = 0;
    for (unsigned side = 0; side < 2; side++) {
        const uint8_t *pits = board + side * (M + 1);
        unsigned filled = 0, again = 0;
        for (unsigned i = 0; i < M; i++) {
            filled += pits[i] > 0;
            again += pits[i] > 0 && pits[i] % (2 * M + 1) == M - i;
        }
        features = features << 8 | kalah_sum(pits, M);
        features = features << 8 | filled;
        features = features << 8 | again;
    }
    return features;
}

/* How many seeds are in play. */
static void kalah_signature(const holos_variant *v, const holos_position *p, text *out)
{
    text_printf(out, "seeds-%u", kalah_in_play(kalah_rules_of(v), kalah_board_of(p)));
}

/* ---- Search ------------------------------------------------------------------------------------ */

/* All seeds in play go to one side or the other in the end: so the value is at most their number, and has
 * its parity. */
static void kalah_bounds(const holos_variant *v, const holos_position *p, int32_t *lo, int32_t *hi)
{
    const kalah_rules *rules = kalah_rules_of(v);
    const uint8_t *board = kalah_board_of(p);
    int32_t seeds = (int32_t)kalah_in_play(rules, board);
    int32_t least = -seeds, most = seeds;
    if (kalah_is_over(rules, board))
        least = most = kalah_left_over(rules, board);
    *lo = *lo < least ? least : *lo + ((*lo ^ seeds) & 1);
    *hi = *hi > most ? most : *hi - ((*hi ^ seeds) & 1);
}

/* ---- Columns ----------------------------------------------------------------------------------- */

/* Each player's pits and store, the first player's first, whoever is to move. */
static uint32_t kalah_column_count(const holos_variant *v)
{
    return 2 * (kalah_rules_of(v)->pits + 1);
}

static void kalah_column_name(const holos_variant *v, uint32_t column, text *out)
{
    unsigned half = kalah_rules_of(v)->pits + 1, place = column % half;
    const char *player = column < half ? "first" : "second";
    if (place + 1 == half)
        text_printf(out, "%s_store", player);
    else
        text_printf(out, "%s_%u", player, place + 1);
}

static void kalah_column_values(const holos_variant *v, const holos_position *p, int64_t *out)
{
    unsigned half = kalah_rules_of(v)->pits + 1;
    const uint8_t *board = kalah_board_of(p);
    unsigned shift = board_side(kalah_rules_of(v), board) != 0 ? half : 0;
    for (unsigned i = 0; i < 2 * half; i++)
        out[(i + shift) % (2 * half)] = board[i];
}

static const char *const kalah_examples[] = {
    "3,0,0,1,0,2,16/0,2,1,0,0,3,20 1",  /* four behind, and one move still wins */
    "1,0,2,0,1,1,18/0,1,0,2,0,2,20 2",  /* a draw, whatever the move */
    "0,0,13,0,0,1,10/1,1,0,0,2,1,19 1", /* thirteen seeds go once around and capture */
    "6,5,4,3,2,1,0/0,0,0,0,0,1,26 1",   /* every pit but the first ends in the store */
    NULL,
};

static const char *const kalah_variants[] = {
    "1,1",
    "2,1",
    "2,2",
    "2,3",
    "3,1",
    "3,2",
    "3,2,empty-capture",
    "3,2,majority-stop",
    "3,2,mover-end",
    "3,2,empty-capture,majority-stop,mover-end",
    "7,1",
    "8,1",
    NULL,
};

static const holos_back kalah_back = {.predecessors = kalah_predecessors};
static const holos_columns kalah_columns = {
    .count = kalah_column_count, .name = kalah_column_name, .values = kalah_column_values};
static const holos_hints kalah_hints = {.features = kalah_features, .signature = kalah_signature};
static const holos_search kalah_search = {.bounds = kalah_bounds};

extern const holos_game kalah_game;
const holos_game kalah_game = {
    .name = "kalah",
    .title = "Kalah",
    .summary = "Sow seeds around the board; who has more in the store at the end wins.",
    .variant_help = "PITS,SEEDS, such as kalah:4,3: pits a side (1 to 8) and seeds a pit; kalah alone is "
                    "kalah:6,4. Then options, "
                    "in any order: empty-capture (the last seed in an own empty pit is banked even with "
                    "nothing opposite), "
                    "majority-stop (the game also ends when a store holds more than half of all seeds), "
                    "mover-end (the game ends "
                    "only when the side to move has no seeds, not when the other has none).",
    .position_help = "Each player's pits in the direction of sowing and the store, then who is to move: "
                     "4,4,4,4,4,4,0/4,4,4,4,4,4,0 1. Any number of seeds up to 127. A move is a pit, from 1, "
                     "farthest from the "
                     "store.",
    .score_help =
        "Seeds in the own store minus those in the other's at the end, when what is left on the board has "
        "gone to its owner.",
    .examples = kalah_examples,
    .variants = kalah_variants,
    .traits = HOLOS_TRAIT_SAME_SIDE | HOLOS_TRAIT_GAINS,
    .open = kalah_open,
    .close = kalah_close,
    .start = kalah_start,
    .expand = kalah_expand,
    .play = kalah_play_move,
    .terminal = kalah_terminal,
    .side = kalah_side,
    .banked = kalah_banked,
    .key = kalah_key,
    .identity = kalah_identity,
    .from_identity = kalah_from_identity,
    .from_key = kalah_from_key,
    .parse = kalah_parse,
    .format = kalah_format,
    .parse_move = kalah_parse_move,
    .format_move = kalah_format_move,
    .draw = kalah_draw,
    .picture = kalah_picture,
    .back = &kalah_back,
    .hints = &kalah_hints,
    .search = &kalah_search,
    .index = &kalah_index,
    .columns = &kalah_columns,
};
