/* SPDX-License-Identifier: MIT */

/* Reversi, as the contract asks for it. */

#include "game/experiment.h"
#include "games/reversi/reversi.h"

#include "core/wide.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Variants ---------------------------------------------------------------------------------- */

static holos_status open_variant(const char *variant, holos_variant *v, holos_error *err)
{
    unsigned size = 8;
    if (variant[0] != 0 && (strchr("468", variant[0]) == NULL || variant[1] != 0))
        return error_set(err, HOLOS_BAD_VARIANT, 0, "a board of reversi is 4, 6 or 8: reversi:6");
    if (variant[0] != 0)
        size = (unsigned)(variant[0] - '0');
    reversi_rules *rules = calloc(1, sizeof *rules);
    if (rules == NULL)
        return error_system(err, "a variant");
    *rules = (reversi_rules){.size = size, .cells = reversi_cells(size)};
    rules->middle = UINT64_C(0x303) << 9 * (size / 2 - 1);
    snprintf(v->name, sizeof v->name, "reversi:%u", size);
    v->position_size = sizeof(reversi_position);
    v->max_successors = size * size - 4;
    v->max_predecessors = reversi_most_predecessors(size);
    v->score_max = (int32_t)(size * size);
    v->score_min = -v->score_max;
    v->key_bits = (uint8_t)(size == 8 ? 0 : 2 * size * size);
    v->rules = rules;
    return HOLOS_OK;
}

static void close_variant(holos_variant *v)
{
    free(v->rules);
}

void reversi_start(const holos_variant *v, holos_position *out)
{
    const reversi_rules *rules = reversi_rules_of(v);
    unsigned corner = 9 * (rules->size / 2 - 1); /* the first of the four in the middle */
    reversi_position start = {
        .board = {.mine = UINT64_C(0x102) << corner, .theirs = UINT64_C(0x201) << corner}};
    memcpy(out, &start, sizeof start);
}

/* ---- Moves ------------------------------------------------------------------------------------- */

/* The fewer moves the other side has, the better a move looks; a corner is worth some, too. */
static holos_edge edge_make(const reversi_rules *rules, holos_move move, reversi_board next)
{
    unsigned last = rules->size - 1, file = move % 8, rank = move / 8;
    bool corner = (file == 0 || file == last) && (rank == 0 || rank == last);
    holos_edge edge = {.move = move};
    if (move != REVERSI_PASS)
        edge.order = (int16_t)((corner ? 6 : 0) - 2 * (int)reversi_count(reversi_moves(next, rules->cells)));
    return edge;
}

void reversi_put(const holos_variant *v, holos_edges out, uint32_t index, holos_move move, reversi_board next,
                 const reversi_position *neighbour)
{
    holos_edge edge = {.move = move};
    if (out.edges != NULL && !out.bare)
        edge = edge_make(reversi_rules_of(v), move, next);
    edges_put(v, out, index, edge, (const holos_position *)neighbour);
}

static uint32_t expand(const holos_variant *v, const holos_position *position, holos_edges out)
{
    const reversi_position *p = reversi_of(position);
    const reversi_rules *rules = reversi_rules_of(v);
    uint64_t moves = reversi_moves(p->board, rules->cells);
    reversi_position next = {.side = 1 - p->side};
    if (moves == 0) {
        next.board = reversi_pass(p->board);
        if (reversi_moves(next.board, rules->cells) == 0)
            return 0;
        reversi_put(v, out, 0, REVERSI_PASS, next.board, &next);
        return 1;
    }
    uint32_t count = 0;
    for (; moves != 0; moves &= moves - 1) {
        unsigned cell = reversi_first(moves);
        next.board = reversi_after(p->board, cell, reversi_turned_portable(p->board, cell));
        reversi_put(v, out, count++, cell, next.board, &next);
    }
    return count;
}

static holos_edge play(const holos_variant *v, const holos_position *position, holos_move move,
                       holos_position *out)
{
    const reversi_position *p = reversi_of(position);
    reversi_position next = {.side = 1 - p->side, .board = reversi_pass(p->board)};
    if (move != REVERSI_PASS)
        next.board = reversi_after(p->board, move, reversi_turned_portable(p->board, move));
    memcpy(out, &next, sizeof next);
    return edge_make(reversi_rules_of(v), move, next.board);
}

static bool terminal(const holos_variant *v, const holos_position *p, int32_t *score)
{
    uint64_t cells = reversi_rules_of(v)->cells;
    reversi_board b = reversi_of(p)->board;
    if (!reversi_is_over(b, cells))
        return false;
    *score = reversi_final(b, cells);
    return true;
}

static unsigned side(const holos_variant *v, const holos_position *p)
{
    (void)v;
    return (unsigned)reversi_of(p)->side;
}

/* ---- Keys -------------------------------------------------------------------------------------- */

/* The cells of a board without the room beside it. */
static uint64_t pack(uint64_t cells, unsigned size)
{
    uint64_t packed = 0;
    for (unsigned rank = 0; rank < size; rank++)
        packed |= (cells >> 8 * rank & 0xff) << size * rank;
    return packed;
}

static uint64_t unpack(uint64_t packed, unsigned size)
{
    uint64_t cells = 0, mask = (UINT64_C(1) << size) - 1;
    for (unsigned rank = 0; rank < size; rank++)
        cells |= (packed >> size * rank & mask) << 8 * rank;
    return cells;
}

static holos_key key_of(reversi_board b, unsigned size)
{
    if (size == 8)
        return (holos_key){.hi = b.theirs, .lo = b.mine};
    u128 both = (u128)pack(b.theirs, size) << size * size | pack(b.mine, size);
    return (holos_key){.hi = (uint64_t)(both >> 64), .lo = (uint64_t)both};
}

static reversi_board board_of(holos_key key, unsigned size)
{
    if (size == 8)
        return (reversi_board){.mine = key.lo, .theirs = key.hi};
    u128 both = key_number(key);
    uint64_t mask = (UINT64_C(1) << size * size) - 1;
    return (reversi_board){.mine = unpack((uint64_t)both & mask, size),
                           .theirs = unpack((uint64_t)(both >> size * size) & mask, size)};
}

static holos_key key(const holos_variant *v, const holos_position *p)
{
    unsigned size = reversi_rules_of(v)->size;
    holos_key least = {.hi = UINT64_MAX, .lo = UINT64_MAX};
    for (unsigned i = 0; i < REVERSI_SYMMETRIES; i++) {
        holos_key image = key_of(reversi_image(reversi_of(p)->board, i, size), size);
        least = holos_key_less(image, least) ? image : least;
    }
    return least;
}

/* A cell in the middle that is not mine is theirs. So one of them need not be told, and the side to move is in its place. */
static holos_key identity(const holos_variant *v, const holos_position *position)
{
    const reversi_rules *rules = reversi_rules_of(v);
    const reversi_position *p = reversi_of(position);
    uint64_t cell = rules->middle & -rules->middle;
    reversi_board b = p->board;
    b.theirs = (b.theirs & ~cell) | (p->side != 0 ? cell : 0);
    return key_of(b, rules->size);
}

static void from_identity(const holos_variant *v, holos_key identity_, holos_position *out)
{
    const reversi_rules *rules = reversi_rules_of(v);
    uint64_t cell = rules->middle & -rules->middle;
    reversi_position p = {.board = board_of(identity_, rules->size)};
    p.side = (p.board.theirs & cell) != 0;
    p.board.theirs = (p.board.theirs & ~cell) | (cell & ~p.board.mine);
    memcpy(out, &p, sizeof p);
}

static void from_key(const holos_variant *v, holos_key key_, holos_position *out)
{
    reversi_position p = {.board = board_of(key_, reversi_rules_of(v)->size)};
    memcpy(out, &p, sizeof p);
}

static uint32_t symmetries(const holos_variant *v, const holos_position *position, holos_position *out)
{
    reversi_position image = *reversi_of(position);
    for (unsigned i = 0; i < REVERSI_SYMMETRIES; i++) {
        image.board = reversi_image(reversi_of(position)->board, i, reversi_rules_of(v)->size);
        memcpy(position_at(v, out, i), &image, sizeof image);
    }
    return REVERSI_SYMMETRIES;
}

/* ---- Hints ------------------------------------------------------------------------------------- */

static uint64_t corners_of(const reversi_rules *rules)
{
    unsigned last = rules->size - 1;
    return UINT64_C(1) | UINT64_C(1) << last | UINT64_C(1) << 8 * last | UINT64_C(1) << 9 * last;
}

/* Cells left, corners, moves and discs of both sides, the last two roughly. */
static uint64_t features(const holos_variant *v, const holos_position *position)
{
    const reversi_rules *rules = reversi_rules_of(v);
    reversi_board b = reversi_of(position)->board;
    uint64_t corners = corners_of(rules), empty = rules->cells & ~(b.mine | b.theirs);
    uint64_t word = reversi_count(empty);
    word = word << 3 | reversi_count(b.mine & corners);
    word = word << 3 | reversi_count(b.theirs & corners);
    word = word << 5 | reversi_count(reversi_moves(b, rules->cells)) / 2;
    word = word << 5 | reversi_count(reversi_moves(reversi_pass(b), rules->cells)) / 2;
    return word << 5 | reversi_count(b.mine) / 4;
}

/* How the game has ended, or how many cells are empty. */
static void signature(const holos_variant *v, const holos_position *p, text *out)
{
    int32_t score;
    reversi_board b = reversi_of(p)->board;
    if (!terminal(v, p, &score))
        text_printf(out, "empty-%u", reversi_count(reversi_rules_of(v)->cells & ~(b.mine | b.theirs)));
    else if (score == 0)
        text_string(out, "draw");
    else
        text_string(out, (score > 0) == (side(v, p) == 0) ? "x-wins" : "o-wins");
}

/* The score does not say how many moves a game will take. */
static uint16_t distance(const holos_variant *v, const holos_position *p, int32_t score)
{
    (void)score;
    int32_t over;
    return terminal(v, p, &over) ? 0 : HOLOS_NO_DISTANCE;
}

static const holos_back back = {.predecessors = reversi_predecessors};
static const holos_hints hints = {.features = features, .signature = signature};
static const holos_search search = {.distance = distance};

/* ---- Options ----------------------------------------------------------------------------------- */

static const holos_option solve_options[] = {
    {OPTION(FILE, reversi_solve_settings, evaluation), .name = "evaluation", .value = "FILE",
     .help = "order moves by this evaluation, as 'holos train' makes it, instead of the one that comes with "
             "holos; none: by what moves leave the other side"},
    {0},
};

static const holos_game_options game_options_[] = {
    {.use = HOLOS_USE_SOLVE, .options = solve_options, .size = sizeof(reversi_solve_settings)},
    {.use = HOLOS_USE_JOB,
     .purpose = "evaluation",
     .options = reversi_learn_options,
     .size = sizeof(reversi_learn_settings)},
    {.options = NULL},
};

/* ---- The game ---------------------------------------------------------------------------------- */

static const char *const examples[] = {
    "f5d6c3d3c4f4f6f3",
    "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X",
    "XXXXXXXXXXXXXXXXXXXXXXXXOOOOXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOOOOO- X",
    "-OXXXXXX-OOOOOOX-OXOXOXX-OOXOOXX-OOOXOXX-OOOOXOX-OOOOOOX-OXXXXXX X",
    NULL,
};

static const char *const variants[] = {"4", "6", NULL};

static const holos_usage usages[] = {
    {"solve reversi:4 start --pv", "the smallest board, with a line of best play"},
    {"solve reversi "
     "'O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X' --moves",
     "an ending: what every move is worth, in discs"},
    {"play reversi:6", "you begin, as X"},
    {0},
};

static const holos_subject reversi_subjects[] = {
    {.experiment = "modes", .variant = "reversi:4", .position = "start", .full = true},
    {.experiment = "tactics", .variant = "reversi:6", .position = "start", .full = true},
    {.experiment = "strategy", .variant = "reversi:6", .position = "start", .full = true},
    {.experiment = "transfer", .variant = "reversi:6", .position = "start"},
    {0},
};

extern const holos_game reversi_game;
const holos_game reversi_game = {
    .name = "reversi",
    .title = "Reversi",
    .summary = "Put discs down, turn what lies between two of yours; the most discs win. Othello's rules.",
    .variant_help = "4, 6 or 8, the length of a side: reversi:6; reversi alone is reversi:8.",
    .position_help =
        "The moves played, passes left out: f5d6c3. Or the cells from a1 to h8, rank after rank, with X "
        "(who begins), O and - for an empty one, then the side to move, X or O. Or a game in GGF.",
    .score_help = "Discs of the side to move less those of the other at the end; what is empty then goes to "
                  "the winner.",
    .examples = examples,
    .variants = variants,
    .usages = usages,
    .protocols = (const char *const[]){"gtp", "nboard", NULL},
    .open = open_variant,
    .close = close_variant,
    .start = reversi_start,
    .expand = expand,
    .play = play,
    .terminal = terminal,
    .side = side,
    .key = key,
    .identity = identity,
    .from_identity = from_identity,
    .from_key = from_key,
    .symmetries = symmetries,
    .max_symmetries = REVERSI_SYMMETRIES,
    .parse = reversi_parse,
    .format = reversi_format,
    .parse_move = reversi_parse_move,
    .format_move = reversi_format_move,
    .draw = reversi_draw,
    .notations = reversi_notations,
    .picture = reversi_picture,
    .view = &reversi_view,
    .back = &back,
    .hints = &hints,
    .search = &search,
    .hot = &reversi_hot,
    .subjects = reversi_subjects,
    .net = &reversi_net,
    .jobs = reversi_jobs,
    .options = game_options_,
};
