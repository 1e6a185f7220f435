/* SPDX-License-Identifier: MIT */

/* Kalah, as the contract asks for it. Values are those of the seeds still in play: what lies in the stores
 * is banked and changes nothing of what can still be won. */

#include "game/experiment.h"
#include "games/kalah/back.h"
#include "games/kalah/kalah.h"
#include "games/kalah/keys.h"

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

/* Calls a function once for each number of pits, so that it is compiled for each. */
#define EACH_PITS(CASE) CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8)

static holos_key kalah_key(const holos_variant *v, const holos_position *p)
{
    return kalah_key_of(kalah_rules_of(v), kalah_board_of(p));
}

static holos_key kalah_identity(const holos_variant *v, const holos_position *p)
{
    switch (kalah_rules_of(v)->pits) {
#define IDENTIFY(pits)                                                                                       \
    case pits:                                                                                               \
        return kalah_identify(pits, kalah_board_of(p));
        EACH_PITS(IDENTIFY)
#undef IDENTIFY
    default:
        return (holos_key){0};
    }
}

static void kalah_from_identity(const holos_variant *v, holos_key identity, holos_position *out)
{
    switch (kalah_rules_of(v)->pits) {
#define RESTORE(pits)                                                                                        \
    case pits:                                                                                               \
        kalah_restore(pits, identity, board_in(out));                                                        \
        break;
        EACH_PITS(RESTORE)
#undef RESTORE
    default:
        break;
    }
}

static void kalah_from_key(const holos_variant *v, holos_key key, holos_position *out)
{
    memset(board_in(out), 0, v->position_size);
    kalah_from_key_of(kalah_rules_of(v)->pits, key, board_in(out));
}

/* ---- Moves ------------------------------------------------------------------------------------- */

/* Field by field: a struct that is put together first and copied then makes a processor wait. */
static inline void edge_write(holos_edge *out, unsigned pit, kalah_outcome outcome)
{
    int order = (int)pit + ORDER_SEED * (int)outcome.gain + (outcome.again ? ORDER_AGAIN : 0);
    unsigned flags = (outcome.again ? HOLOS_EDGE_SAME_SIDE : 0) |
                     (outcome.again || outcome.captured > 0 ? HOLOS_EDGE_FORCING : 0);
    out->move = pit;
    out->gain = (int32_t)outcome.gain;
    out->order = (int16_t)order;
    out->flags = (uint8_t)flags;
    out->reserved = 0;
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

/* With a number of pits that is known when the code is compiled, loops unroll: 1.9 times as fast. */
__attribute__((always_inline)) static inline uint32_t expand_with(unsigned pits, const kalah_rules *given,
                                                                  const uint8_t *board, holos_edges out)
{
    kalah_rules fixed = *given;
    fixed.pits = pits;
    const kalah_rules *rules = &fixed;
    const size_t size = kalah_board_size(rules);
    if (kalah_is_over(rules, board))
        return 0;
    uint32_t count = 0;
    for (unsigned pit = 0; pit < pits; pit++) {
        if (board[pit] == 0)
            continue;
        uint8_t child[KALAH_MAX_BYTES];
        kalah_outcome outcome;
        if (pits <= KALAH_WORD_PITS) {
            u128 word = kalah_word_load(board);
            outcome = kalah_word_play(rules, &word, pit);
            memcpy(child, &word, sizeof word);
        } else {
            memcpy(child, board, size);
            outcome = kalah_play(rules, child, pit);
        }
        if (out.edges != NULL)
            edge_write(&out.edges[count], pit, outcome);
        if (out.positions != NULL)
            memcpy((uint8_t *)out.positions + count * size, child, size);
        if (out.keys != NULL)
            out.keys[count] = kalah_key_of(rules, child);
        count++;
    }
    return count;
}

static uint32_t kalah_expand(const holos_variant *v, const holos_position *p, holos_edges out)
{
    const kalah_rules *rules = kalah_rules_of(v);
    switch (rules->pits) {
#define EXPAND(pits)                                                                                         \
    case pits:                                                                                               \
        return expand_with(pits, rules, kalah_board_of(p), out);
        EACH_PITS(EXPAND)
#undef EXPAND
    default:
        return 0;
    }
}

static holos_edge kalah_play_move(const holos_variant *v, const holos_position *p, holos_move move,
                                  holos_position *out)
{
    memmove(out, p, v->position_size);
    holos_edge edge;
    edge_write(&edge, move, kalah_play(kalah_rules_of(v), board_in(out), move));
    return edge;
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

/* Seeds in play, and in second place the steps that they are away from their side's store. A move that banks nothing moves
 * seeds towards the store of the side to move; any other leaves fewer in play. With t seeds there are between t and t times pits steps. */
static uint32_t kalah_height(const holos_variant *v, const holos_position *p)
{
    const uint8_t *board = kalah_board_of(p);
    uint32_t pits = kalah_rules_of(v)->pits, seeds = 0, steps = 0;
    for (uint32_t i = 0; i < pits; i++) {
        uint32_t both = (uint32_t)board[i] + board[pits + 1 + i];
        seeds += both;
        steps += both * (pits - i);
    }
    return seeds * (seeds - 1) / 2 * (pits - 1) + steps;
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
        edge_write(&o->out.edges[o->count], pit, outcome);
    if (o->out.positions != NULL)
        memcpy(position_at(o->v, o->out.positions, o->count), before, o->v->position_size);
    if (o->out.keys != NULL)
        o->out.keys[o->count] = kalah_key_of(kalah_rules_of(o->v), before);
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

/* Each player's pits and store, the first player's first, whoever is to move; then the seeds in play. */
static uint32_t kalah_column_count(const holos_variant *v)
{
    return 2 * (kalah_rules_of(v)->pits + 1) + 1;
}

static void kalah_column_name(const holos_variant *v, uint32_t column, text *out)
{
    unsigned half = kalah_rules_of(v)->pits + 1, place = column % half;
    const char *player = column < half ? "first" : "second";
    if (column == 2 * half)
        text_string(out, "in_play");
    else if (place + 1 == half)
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
    out[2 * half] = kalah_in_play(kalah_rules_of(v), board);
}

static void place_expression(unsigned pits, unsigned place, text *out)
{
    unsigned bits = kalah_field_bits(pits), shift = bits * (2 * pits + 1 - place) + 1;
    text_printf(out, "(key >> %u & %u)", shift, (1u << bits) - 1);
}

/* Where keys have one word and no place can hold more seeds than its field. */
static bool kalah_column_expression(const holos_variant *v, uint32_t column, text *out)
{
    const kalah_variant *variant = v->rules;
    unsigned pits = variant->rules.pits, half = pits + 1;
    if (pits > KALAH_ONE_WORD_PITS || 2 * pits * variant->seeds >> kalah_field_bits(pits) != 0)
        return false;
    if (column < 2 * half) {
        place_expression(pits, column, out);
    } else if (column == 2 * half) {
        for (unsigned place = 0; place < 2 * half; place++) {
            if (place % half == pits)
                continue;
            text_string(out, place > 0 ? " + " : "");
            place_expression(pits, place, out);
        }
    } else {
        text_string(out, "(key & 1) + 1");
    }
    return true;
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
static const holos_columns kalah_columns = {.count = kalah_column_count,
                                            .name = kalah_column_name,
                                            .values = kalah_column_values,
                                            .expression = kalah_column_expression};
static const holos_hints kalah_hints = {.features = kalah_features, .signature = kalah_signature};
static const holos_search kalah_search = {.bounds = kalah_bounds};

static const holos_option database_options[] = {
    {OPTION(INT, holos_tier_settings, top), .name = "seeds", .min = -1, .max = 127, .value = "N",
     .fallback = "-1", .help = "up to this many seeds in play; -1 means the whole game"},
    {0},
};

static const holos_game_options kalah_options[] = {
    {.use = HOLOS_USE_JOB,
     .purpose = "database",
     .options = database_options,
     .size = sizeof(holos_tier_settings)},
    {0},
};

static const holos_usage kalah_usages[] = {
    {"games kalah", "variants, notation and scores of kalah, with examples"},
    {"solve kalah:6,5,empty-capture start --store file:kalah6 --checkpoint kalah65.search",
     "a long search; --resume continues it"},
    {"solve kalah --time 5s --json < positions.txt", "at most five seconds for each, as JSON"},
    {"play kalah --side second --time 5s", "holos begins, and thinks up to five seconds for a move"},
    {"build kalah:4,3 --store file:kalah43", "every position of a small game"},
    {"build kalah:6,4 --seeds 22 --store file:kalah6 --threads 0", "all endings with up to 22 seeds"},
    {"build kalah:4,3 --graph --store sqlite:kalah43.db", "what can be reached, a table for SQL"},
    {"build --config configs/kalah-4-3.yaml", "what a file says"},
    {"explore kalah:3,3 --mode osmosis", "one position at a time, the most certain first"},
    {"query file:kalah6 '0,0,1,0,0,2,20/0,1,0,0,3,1,20 1' --moves", "the value of every move"},
    {"query sqlite:kalah43.db start", "the start position"},
    {"store info file:kalah6", "what is in it"},
    {"store verify file:kalah6 --all", "every checksum, and every position from the rules"},
    {"store copy file:kalah43 sqlite:kalah43.db", "a table for SQL"},
    {0},
};

static const holos_subject kalah_subjects[] = {
    {.experiment = "modes", .variant = "kalah:3,2", .position = "start"},
    {.experiment = "iterations", .variant = "kalah:3,2", .position = "start", .size = 12, .full = true},
    {.experiment = "compression", .variant = "kalah:3,2", .position = "start", .full = true},
    {.experiment = "tactics", .variant = "kalah:4,3", .position = "start"},
    {.experiment = "strategy", .variant = "kalah:4,3", .position = "start"},
    {.experiment = "transfer", .variant = "kalah:4,3", .position = "start"},
    {0},
};

extern const holos_game kalah_game;
const holos_game kalah_game = {
    .name = "kalah",
    .title = "Kalah",
    .summary = "Sow seeds around the board; whoever has more in their store at the end wins.",
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
    .usages = kalah_usages,
    .options = kalah_options,
    .traits = HOLOS_TRAIT_SAME_SIDE | HOLOS_TRAIT_GAINS,
    .open = kalah_open,
    .close = kalah_close,
    .start = kalah_start,
    .expand = kalah_expand,
    .play = kalah_play_move,
    .terminal = kalah_terminal,
    .side = kalah_side,
    .banked = kalah_banked,
    .height = kalah_height,
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
    .view = &kalah_view,
    .back = &kalah_back,
    .hints = &kalah_hints,
    .search = &kalah_search,
    .index = &kalah_index,
    .net = &kalah_net,
    .columns = &kalah_columns,
    .subjects = kalah_subjects,
};
