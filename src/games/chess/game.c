/* SPDX-License-Identifier: MIT */

/* Chess as the contract has it.
 *
 * The graph of chess has no clocks: a position is what stands where, who moves, who may castle, and what can be taken in
 * passing. A game that goes on for ever is a draw. chess:50 counts the clock as well, and ends the game when it reaches
 * fifty moves: then positions are as many times more, and since any clock may have run before a capture, there is no way
 * back. */

#include "game/experiment.h"
#include "games/chess/chess.h"

#include "core/hash.h"
#include "games/chess/evaluation.h"
#include "games/chess/fen.h"
#include "games/chess/kinds.h"
#include "games/chess/notation.h"
#include "games/chess/phase/experiment.h"
#include "games/chess/seeds.h"
#include "games/chess/symmetry.h"
#include "games/chess/tables/endings.h"
#include "games/chess/tables/knowledge.h"
#include "games/chess/tables/material.h"
#include "games/chess/unmoves.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(chess_position) % 16 == 0, "positions are kept in arrays aligned to 16");

typedef struct chess_rules {
    bool counts; /* the clock */
} chess_rules;

enum { LOSS = -2, DRAW = 0, WIN = 2 };

static bool clock_counts(const holos_variant *v)
{
    return ((const chess_rules *)v->rules)->counts;
}

/* Forgets what a variant does not tell positions apart by. */
static void board_save(const holos_variant *v, holos_position *out, const chess_position *p)
{
    chess_position *board = (chess_position *)out;
    *board = *p;
    board->number = 1;
    if (!clock_counts(v))
        board->clock = 0;
    else if (board->clock > CHESS_CLOCK_DRAW)
        board->clock = CHESS_CLOCK_DRAW;
}

/* ---- Opening ----------------------------------------------------------------------------------- */

static holos_status chess_open(const char *variant, holos_variant *v, holos_error *err)
{
    bool counts = strcmp(variant, "50") == 0;
    if (variant[0] != 0 && !counts)
        return error_set(err, HOLOS_BAD_VARIANT, 0,
                         "chess has the variant chess:50, which counts the moves of the fifty-move rule");
    chess_rules *rules = malloc(sizeof *rules);
    if (rules == NULL)
        return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "out of memory");
    rules->counts = counts;
    v->rules = rules;
    strcpy(v->name, counts ? "chess:50" : "chess");
    v->position_size = sizeof(chess_position);
    v->max_successors = CHESS_MOVES_MOST;
    v->max_predecessors = counts ? 0 : CHESS_UNMOVES_MOST;
    v->score_min = LOSS;
    v->score_max = WIN;
    return HOLOS_OK;
}

static void chess_close(holos_variant *v)
{
    free(v->rules);
}

static void chess_start(const holos_variant *v, holos_position *out)
{
    chess_position p;
    fen_parse(CHESS_START_FEN, &p, NULL);
    board_save(v, out, &p);
}

/* ---- Keys -------------------------------------------------------------------------------------- */

static holos_key chess_key(const holos_variant *v, const holos_position *p)
{
    (void)v;
    chess_position image = position_canonical(chess_of(p));
    return hash_bytes(&image, sizeof image);
}

static holos_key chess_identity(const holos_variant *v, const holos_position *p)
{
    (void)v;
    return hash_bytes(p, sizeof(chess_position));
}

static uint32_t chess_symmetries(const holos_variant *v, const holos_position *p, holos_position *out)
{
    (void)v;
    return position_images(chess_of(p), (chess_position *)out);
}

/* ---- Moves ------------------------------------------------------------------------------------- */

/* A draw whatever is played. A mate on the last ply of the clock is a mate. */
static bool is_drawn(const holos_variant *v, const chess_position *p)
{
    return position_is_dead(p) || (clock_counts(v) && p->clock >= CHESS_CLOCK_DRAW);
}

static bool chess_terminal(const holos_variant *v, const holos_position *position, int32_t *score)
{
    const chess_position *p = chess_of(position);
    *score = DRAW;
    if (position_count_moves(p) > 0)
        return is_drawn(v, p);
    *score = position_in_check(p, p->side) ? LOSS : DRAW;
    return true;
}

/* What looks good: checks, what is taken, what a pawn becomes. */
static holos_edge edge_make(const chess_position *p, chess_move move, const chess_position *after)
{
    static const int16_t worth[] = {0, 10, 30, 32, 50, 90, 0};
    bool check = position_in_check(after, after->side);
    unsigned taken = position_kind_at(p, move_to(move));
    int order = worth[taken] + worth[move_promotion(move)] + (check ? 60 : 0) - (int)move_kind(move);
    bool forcing = check || taken != CHESS_ANY || move_promotion(move) != CHESS_ANY;
    return (holos_edge){.move = move, .order = (int16_t)order, .flags = forcing ? HOLOS_EDGE_FORCING : 0};
}

/* As far as it is wanted: whether a move gives check takes time. */
static void edge_put(holos_edges out, uint32_t index, const chess_position *p, chess_move move,
                     const chess_position *after)
{
    if (out.edges != NULL && out.bare)
        out.edges[index] = (holos_edge){.move = move};
    else if (out.edges != NULL)
        out.edges[index] = edge_make(p, move, after);
}

static uint32_t chess_expand(const holos_variant *v, const holos_position *position, holos_edges out)
{
    const chess_position *p = chess_of(position);
    chess_move moves[CHESS_MOVES_MOST];
    uint32_t count = is_drawn(v, p) ? 0 : position_moves(p, moves);
    if (out.edges == NULL && out.positions == NULL && out.keys == NULL)
        return count;
    for (uint32_t i = 0; i < count; i++) {
        _Alignas(16) chess_position made, after;
        position_make(p, moves[i], &made);
        board_save(v, (holos_position *)&after, &made);
        edge_put(out, i, p, moves[i], &after);
        if (out.positions != NULL)
            memcpy(position_at(v, out.positions, i), &after, sizeof after);
        if (out.keys != NULL)
            out.keys[i] = chess_key(v, (holos_position *)&after);
    }
    return count;
}

static holos_edge chess_play(const holos_variant *v, const holos_position *p, holos_move move,
                             holos_position *out)
{
    chess_position before = *chess_of(p), after;
    position_make(&before, move, &after);
    board_save(v, out, &after);
    return edge_make(&before, move, &after);
}

static unsigned chess_side(const holos_variant *v, const holos_position *p)
{
    (void)v;
    return chess_of(p)->side;
}

/* ---- The way back ------------------------------------------------------------------------------ */

typedef struct unmove_writer {
    const holos_variant *v;
    const chess_position *after;
    holos_edges out;
    uint32_t count;
} unmove_writer;

static void write_unmove(void *context, const chess_position *before, chess_move move)
{
    unmove_writer *w = context;
    if (position_is_dead(before) || w->count == w->v->max_predecessors)
        return;
    edge_put(w->out, w->count, before, move, w->after);
    if (w->out.positions != NULL)
        memcpy(position_at(w->v, w->out.positions, w->count), before, sizeof *before);
    if (w->out.keys != NULL)
        w->out.keys[w->count] = chess_key(w->v, (const holos_position *)before);
    w->count++;
}

static uint32_t chess_predecessors(const holos_variant *v, const holos_position *p, holos_edges out)
{
    unmove_writer w = {.v = v, .after = chess_of(p), .out = out};
    position_unmoves(chess_of(p), NULL, write_unmove, &w);
    return w.count;
}

uint32_t chess_predecessors_among(const holos_variant *v, const holos_position *p, const holos_kind *kinds,
                                  size_t count, holos_edges out)
{
    unmove_writer w = {.v = v, .after = chess_of(p), .out = out};
    position_unmoves_among(chess_of(p), kinds, count, write_unmove, &w);
    return w.count;
}

static uint32_t chess_seeds(const holos_variant *v, const holos_position *p, uint64_t seed, uint32_t most,
                            holos_position *out)
{
    (void)v;
    chess_material m = material_of(chess_of(p));
    return chess_find_mates(&m, seed, most, (chess_position *)out);
}

/* ---- What waves and searches want to know ------------------------------------------------------ */

/* The material with the stronger side first: colours do not matter. */
static void chess_signature(const holos_variant *v, const holos_position *p, text *out)
{
    (void)v;
    chess_material m = material_of(chess_of(p));
    if (!material_is_ordered(&m))
        m = material_swap(&m);
    material_format(&m, out);
}

/* How far a king is from the edge of the board. */
static unsigned ring_of(unsigned king)
{
    unsigned file = chess_file_of(king), rank = chess_rank_of(king);
    file = file > 3 ? 7 - file : file;
    rank = rank > 3 ? 7 - rank : rank;
    return file < rank ? file : rank;
}

/* Pieces of a side that the other attacks and nothing defends. */
static unsigned loose_count(const chess_position *p, unsigned side)
{
    unsigned count = 0;
    SET_EACH (square, p->sides[side] & ~p->kinds[CHESS_KING])
        count += position_attackers(p, (unsigned)square, 1 - side, p->kinds[CHESS_ANY]) != 0 &&
                 position_attackers(p, (unsigned)square, side, p->kinds[CHESS_ANY]) == 0;
    return count;
}

/* Ranks that the foremost pawn of a side has to go; 7 if there is none. */
static unsigned pawn_way(const chess_position *p, unsigned side)
{
    unsigned least = 7;
    SET_EACH (square, position_set(p, side, CHESS_PAWN)) {
        unsigned rank = chess_rank_of((unsigned)square), way = side == CHESS_WHITE ? 7 - rank : rank;
        least = way < least ? way : least;
    }
    return least;
}

/* The material, and what decides endings: where the kings are, how far pawns have come, what can be taken for nothing. Seen
 * from the side to move, and the same for all images of a position. */
static uint64_t chess_features(const holos_variant *v, const holos_position *position)
{
    const chess_position *p = chess_of(position);
    unsigned us = p->side, kings[2] = {position_king(p, us), position_king(p, 1 - us)};
    int files = abs((int)chess_file_of(kings[0]) - (int)chess_file_of(kings[1]));
    int ranks = abs((int)chess_rank_of(kings[0]) - (int)chess_rank_of(kings[1]));
    uint64_t rest = (uint64_t)(files > ranks ? files : ranks) << 1 | position_in_check(p, us);
    for (unsigned i = 0; i < 2; i++) {
        rest = rest << 2 | ring_of(kings[i]);
        rest = rest << 3 | pawn_way(p, us ^ i);
        rest = rest << 4 | loose_count(p, us ^ i);
    }
    (void)v;
    return hash_add(us == CHESS_WHITE ? key_of(p) : key_flip(key_of(p)), rest);
}

/* A bare king cannot win. */
static void chess_bounds(const holos_variant *v, const holos_position *position, int32_t *lo, int32_t *hi)
{
    (void)v;
    const chess_position *p = chess_of(position);
    chess_set mine = p->sides[p->side] & ~p->kinds[CHESS_KING];
    chess_set theirs = p->sides[1 - p->side] & ~p->kinds[CHESS_KING];
    if (mine == 0 && *hi > DRAW)
        *hi = DRAW;
    if (theirs == 0 && *lo < DRAW)
        *lo = DRAW;
}

/* ---- Text -------------------------------------------------------------------------------------- */

static holos_status chess_parse(const holos_variant *v, const char *string, holos_position *out,
                                holos_error *err)
{
    chess_position p;
    holos_status status = position_read(string, &p, NULL, NULL, err);
    if (status == HOLOS_OK)
        board_save(v, out, &p);
    return status;
}

static void chess_format(const holos_variant *v, const holos_position *p, text *out)
{
    (void)v;
    fen_format(chess_of(p), out);
}

static holos_status chess_parse_move(const holos_variant *v, const holos_position *p, const char *string,
                                     holos_move *out, holos_error *err)
{
    if (is_drawn(v, chess_of(p)))
        return error_set(err, HOLOS_BAD_MOVE, 0, "the game is over: a draw");
    return move_parse(chess_of(p), string, strlen(string), out, err);
}

static void chess_format_move(const holos_variant *v, const holos_position *p, holos_move move, text *out)
{
    (void)v;
    san_format(chess_of(p), move, out);
}

static void chess_spell_move(const holos_variant *v, const holos_position *p, holos_move move, text *out)
{
    (void)v;
    (void)p;
    uci_format(move, out);
}

static void chess_format_line(const holos_variant *v, const holos_position *p, const holos_move *moves,
                              size_t count, text *out)
{
    (void)v;
    pgn_format(chess_of(p), moves, count, out);
}

/* ---- The game ---------------------------------------------------------------------------------- */

static const char *const chess_examples[] = {
    CHESS_START_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", /* a mate in one */
    "8/8/8/4k3/8/8/8/KQ6 w - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",  /* stalemate */
    "7k/6Q1/8/8/8/8/8/K7 b - - 0 1",   /* one move, and neither side can win any more */
    "7k/8/5KQ1/8/8/8/8/8 w - - 97 80", /* the clock of chess:50 is nearly run down */
    NULL,
};

static const char *const chess_protocols[] = {"uci", NULL};

static const char *const chess_variants[] = {"50", NULL};

static const holos_back chess_back = {.predecessors = chess_predecessors, .seeds = chess_seeds};
static const holos_hints chess_hints = {.features = chess_features, .signature = chess_signature};
static const holos_search chess_search = {.bounds = chess_bounds};

/* The Syzygy convention: what the rule of fifty moves turns into a draw has a name of its own. */
static const char *chess_outcome(const holos_variant *v, int32_t score)
{
    static const char *const names[] = {"loss", "blessed", "draw", "cursed", "win"};
    (void)v;
    return names[score + 2];
}
static const holos_option tables_options[] = {
    {OPTION(INT, endings_settings, pieces), .name = "pieces", .min = 0, .max = 7, .value = "N",
     .fallback = "0",
     .help = "all endgame tables with up to this many pieces, including the kings; 0 means only the named "
             "one"},
    {OPTION(FLAG, endings_settings, mates), .name = "dtm",
     .help = "also keep distances to mate for five pieces; smaller tables always have them"},
    {0},
};

static const holos_game_options chess_options[] = {
    {.use = HOLOS_USE_JOB, .purpose = "tables", .options = tables_options, .size = sizeof(endings_settings)},
    {.use = HOLOS_USE_EXPERIMENT,
     .purpose = "phase",
     .options = phase_options,
     .size = sizeof(phase_settings)},
    {0},
};

static const holos_usage chess_usages[] = {
    {"build chess KQvKR --store file:syzygy",
     "tables of an ending and of everything it can lead to, for chess programs"},
    {"explore chess KRvKN --tables syzygy", "every position with these pieces, above tables of fewer"},
    {"generate chess KQRvKQ --count 10", "ten positions with these pieces, at random"},
    {"hint chess --tables syzygy '8/8/8/3k4/8/8/1r6/K3Q3 w - - 0 1'", "the move that mates soonest"},
    {"query syzygy '8/8/8/3k4/8/8/1r6/K3Q3 w - - 0 1' --moves", "an ending, with all distances"},
    {"lab phase --out results", "chess pieces as shifts modulo 640, with the tables in a folder"},
    {"lab phase --modulus 64 --row 8 --column 1 --fail-on-mismatch", "a ring that is too small"},
    {0},
};

static const holos_subject chess_subjects[] = {
    {.experiment = "modes", .variant = "chess", .position = "8/8/8/8/8/2k5/8/K1q5 w - - 0 1"},
    {.experiment = "modes", .variant = "chess", .position = "4k3/8/4K3/8/8/8/8/R7 w - - 0 1", .full = true},
    {.experiment = "compression",
     .variant = "chess",
     .position = "4k3/8/4K3/8/8/8/8/R7 w - - 0 1",
     .size = 2,
     .document = "87.4 % of the positions from 300 seeds, a ratio of 7,453; above tables of 7 pieces"},
    {.experiment = "tactics",
     .variant = "chess",
     .position = "4k3/8/4K3/8/8/8/8/R7 w - - 0 1",
     .document = "backward from the boundary 4 M positions a seed (efficiency 2 M), both ways 2.9 M (725 K)"},
    {.experiment = "strategy",
     .variant = "chess",
     .position = "4k3/8/4K3/8/8/8/8/R7 w - - 0 1",
     .full = true},
    {.experiment = "transfer", .variant = "chess", .position = "4k3/8/4K3/8/8/4r3/8/R7 w - - 0 1"},
    {.experiment = "goal",
     .variant = "chess",
     .position = "8/8/8/3k4/8/3K1r2/8/R7 w - - 0 1",
     .goal = "KRvK",
     .document =
         "483 positions of the target material found, 340 of others filtered, for KQRRvKQR in three batches"},
    {0},
};

extern const holos_game chess_game;
const holos_game chess_game = {
    .name = "chess",
    .title = "Chess",
    .summary = "Checkmate the other king.",
    .variant_help =
        "chess:50 ends the game after fifty moves of each side without a capture or a pawn's move; "
        "chess alone has no clock, and a game that never ends is a draw.",
    .position_help =
        "FEN: 8/8/8/4k3/8/8/8/KQ6 w - - 0 1 (the clocks may be left out), or moves from the start, or both: "
        "1. e4 e5 2. Nf3. Moves are SAN (Nbd7, exd6, O-O, e8=Q) or UCI (b8d7, e7e8q).",
    .score_help =
        "2 if the side to move wins, -2 if it loses, 0 for a draw; 1 and -1 for wins and losses that the "
        "fifty-move rule turns into draws, which only tables tell.",
    .examples = chess_examples,
    .variants = chess_variants,
    .usages = chess_usages,
    .options = chess_options,
    .experiments = chess_experiments,
    .traits = HOLOS_TRAIT_CYCLIC,
    .protocols = chess_protocols,
    .open = chess_open,
    .close = chess_close,
    .start = chess_start,
    .expand = chess_expand,
    .play = chess_play,
    .terminal = chess_terminal,
    .outcome = chess_outcome,
    .side = chess_side,
    .key = chess_key,
    .identity = chess_identity,
    .symmetries = chess_symmetries,
    .max_symmetries = CHESS_IMAGES_MOST,
    .parse = chess_parse,
    .format = chess_format,
    .parse_move = chess_parse_move,
    .format_move = chess_format_move,
    .spell_move = chess_spell_move,
    .format_line = chess_format_line,
    .draw = chess_draw,
    .picture = chess_picture,
    .view = &chess_view,
    .back = &chess_back,
    .hints = &chess_hints,
    .search = &chess_search,
    .evaluation = &chess_evaluation,
    .knowledge = &chess_knowledge,
    .jobs = chess_jobs,
    .kinds = &chess_kinds,
    .subjects = chess_subjects,
};
