/* SPDX-License-Identifier: MIT */

/* Sudoku, as the contract asks for it: a game for one, in which a move writes a digit that no other cell in
 * the row, column or box holds. A full grid is worth 1, a cell without a candidate 0. */

#include "core/hash.h"
#include "game/experiment.h"
#include "games/sudoku/generate.h"
#include "games/sudoku/sudoku.h"

#include <stdio.h>
#include <stdlib.h>

/* What the candidates of a grid show at a glance. */
typedef struct sudoku_view {
    uint16_t candidates[SHAPE_CELLS]; /* of empty cells; 0 for the others */
    uint16_t hidden[SHAPE_CELLS];     /* digits that have their only place in a house here */
    unsigned empty;                   /* cells */
    bool stuck;                       /* an empty cell has no candidate */
    bool dead;                        /* a house has no place for a digit */
} sudoku_view;

static void view_house(const sudoku_shape *shape, sudoku_view *view, const uint8_t *cells, unsigned house)
{
    unsigned once = 0, twice = 0, held = 0;
    for (unsigned place = 0; place < shape->size; place++) {
        unsigned cell = shape->house_cells[house][place];
        held |= 1u << cells[cell] >> 1;
        twice |= once & view->candidates[cell];
        once |= view->candidates[cell];
    }
    view->dead |= (once | held) != shape->all;
    for (unsigned place = 0; place < shape->size; place++) {
        unsigned cell = shape->house_cells[house][place];
        view->hidden[cell] = (uint16_t)(view->hidden[cell] | (view->candidates[cell] & once & ~twice));
    }
}

/* The candidates alone. */
static void view_candidates(const sudoku_shape *shape, const holos_position *p, sudoku_view *view)
{
    sudoku_candidates_of(shape, p, view->candidates);
    view->empty = 0;
    view->stuck = false;
    for (unsigned cell = 0; cell < shape->cells; cell++) {
        bool empty = sudoku_cells(p)[cell] == 0;
        view->empty += empty;
        view->stuck |= empty && view->candidates[cell] == 0;
    }
}

static void view_make(const sudoku_shape *shape, const holos_position *p, sudoku_view *view)
{
    view_candidates(shape, p, view);
    view->dead = false;
    memset(view->hidden, 0, shape->cells * sizeof *view->hidden);
    for (unsigned house = 0; house < shape->houses; house++)
        view_house(shape, view, sudoku_cells(p), house);
}

/* ---- Moves ------------------------------------------------------------------------------------- */

/* Givens make no difference to what can still be written. */
static holos_key sudoku_key(const holos_variant *v, const holos_position *p)
{
    return hash_bytes(p, sudoku_shape_of(v)->given_at);
}

static holos_key sudoku_identity(const holos_variant *v, const holos_position *p)
{
    return hash_bytes(p, v->position_size);
}

/* The edge for a digit: the fewer choices it leaves open, the better it looks. */
static holos_edge edge_make(const sudoku_shape *shape, const sudoku_view *view, unsigned cell, unsigned digit)
{
    int choices = __builtin_popcount(view->candidates[cell]);
    if ((view->hidden[cell] >> (digit - 1) & 1) != 0)
        choices = 1;
    unsigned flags = HOLOS_EDGE_SAME_SIDE | (choices == 1 ? HOLOS_EDGE_FORCING : 0);
    return (holos_edge){.move = sudoku_move(shape, cell, digit),
                        .order = (int16_t)((int)shape->size - choices),
                        .flags = (uint8_t)flags};
}

/* Room for a position of any shape. */
typedef struct sudoku_scratch {
    _Alignas(16) unsigned char bytes[SUDOKU_POSITION_MOST];
} sudoku_scratch;

/* Writes the edges for some digits of a cell; returns how many edges there are then. */
static uint32_t expand_cell(const holos_variant *v, const holos_position *p, const sudoku_view *view,
                            unsigned cell, unsigned digits, holos_edges out, uint32_t count)
{
    const sudoku_shape *shape = sudoku_shape_of(v);
    sudoku_scratch scratch;
    holos_position *child = (holos_position *)scratch.bytes;
    for (; digits != 0; digits &= digits - 1) {
        unsigned digit = (unsigned)__builtin_ctz(digits) + 1;
        if (out.positions != NULL || out.keys != NULL) {
            memcpy(child, p, v->position_size);
            sudoku_write(shape, child, cell, digit);
        }
        edges_put(v, out, count++, edge_make(shape, view, cell, digit), child);
    }
    return count;
}

static uint32_t sudoku_expand(const holos_variant *v, const holos_position *p, holos_edges out)
{
    const sudoku_shape *shape = sudoku_shape_of(v);
    sudoku_view view;
    uint32_t count = 0;
    view_make(shape, p, &view);
    for (unsigned cell = 0; cell < shape->cells && !view.stuck; cell++)
        count = expand_cell(v, p, &view, cell, view.candidates[cell], out, count);
    return count;
}

static holos_edge sudoku_play(const holos_variant *v, const holos_position *p, holos_move move,
                              holos_position *out)
{
    const sudoku_shape *shape = sudoku_shape_of(v);
    unsigned cell = sudoku_move_cell(shape, move), digit = sudoku_move_digit(shape, move);
    sudoku_view view;
    view_make(shape, p, &view);
    memmove(out, p, v->position_size);
    sudoku_write(shape, out, cell, digit);
    return edge_make(shape, &view, cell, digit);
}

static bool sudoku_terminal(const holos_variant *v, const holos_position *p, int32_t *score)
{
    sudoku_view view;
    view_candidates(sudoku_shape_of(v), p, &view);
    *score = view.empty == 0;
    return view.empty == 0 || view.stuck;
}

static unsigned sudoku_side(const holos_variant *v, const holos_position *p)
{
    (void)v;
    (void)p;
    return 0;
}

static uint32_t sudoku_predecessors(const holos_variant *v, const holos_position *p, holos_edges out)
{
    const sudoku_shape *shape = sudoku_shape_of(v);
    sudoku_scratch scratch;
    holos_position *before = (holos_position *)scratch.bytes;
    uint32_t count = 0;
    for (unsigned cell = 0; cell < shape->cells; cell++) {
        unsigned digit = sudoku_cells(p)[cell];
        if (digit == 0 || sudoku_is_given(shape, p, cell))
            continue;
        sudoku_view view;
        memcpy(before, p, v->position_size);
        sudoku_cells_mutable(before)[cell] = 0;
        view_make(shape, before, &view);
        if (!view.stuck)
            edges_put(v, out, count++, edge_make(shape, &view, cell, digit), before);
    }
    return count;
}

/* ---- Search ------------------------------------------------------------------------------------ */

/* Any one cell will do, and any one digit of a house: a solution has to fill it somehow. So a digit that
 * has one place is the only move; otherwise the cell with the fewest candidates. */
static uint32_t sudoku_search_expand(const holos_variant *v, const holos_position *p, holos_edges out)
{
    const sudoku_shape *shape = sudoku_shape_of(v);
    sudoku_view view;
    view_make(shape, p, &view);
    if (view.stuck || view.empty == 0)
        return 0;
    unsigned best = 0;
    int fewest = SHAPE_DIGITS + 1;
    for (unsigned cell = 0; cell < shape->cells && fewest > 1; cell++) {
        int choices = view.hidden[cell] != 0 ? 1 : __builtin_popcount(view.candidates[cell]);
        if (choices > 0 && choices < fewest) {
            best = cell;
            fewest = choices;
        }
    }
    unsigned digits = view.hidden[best] != 0 ? view.hidden[best] : view.candidates[best];
    if (fewest == 1 || view.dead) /* in a dead grid every move is as bad as another: one is enough */
        digits &= -digits;
    return expand_cell(v, p, &view, best, digits, out, 0);
}

static void sudoku_bounds(const holos_variant *v, const holos_position *p, int32_t *lo, int32_t *hi)
{
    sudoku_view view;
    view_make(sudoku_shape_of(v), p, &view);
    int32_t least = view.empty == 0, most = !view.stuck && !view.dead;
    *lo = *lo < least ? least : *lo;
    *hi = *hi > most ? most : *hi;
}

static uint16_t sudoku_distance(const holos_variant *v, const holos_position *p, int32_t score)
{
    uint16_t empty = 0;
    for (unsigned cell = 0; cell < sudoku_shape_of(v)->cells; cell++)
        empty += sudoku_cells(p)[cell] == 0;
    return score > 0 ? empty : HOLOS_NO_DISTANCE;
}

/* ---- Puzzle ------------------------------------------------------------------------------------ */

static void sudoku_count(const holos_variant *v, const holos_position *p, uint64_t most, struct limits *work,
                         holos_position *first, holos_puzzle_answer *out)
{
    const sudoku_rules *rules = sudoku_rules_of(v);
    const sudoku_limits limits = {.solutions = most, .guesses = limits_nodes_left(work), .work = work};
    if (rules->solver == NULL) {
        sudoku_general_count(&rules->shape, p, &limits, first, out);
        return;
    }
    sudoku_grid grid;
    sudoku_answer answer;
    sudoku_grid_from_position(&rules->shape, p, &grid);
    rules->solver->solve(&grid, 1, &limits, &answer);
    work->nodes += answer.guesses;
    *out = (holos_puzzle_answer){
        .solutions = answer.solutions, .complete = answer.complete, .nodes = answer.guesses};
    if (answer.solutions > 0)
        sudoku_fill(&rules->shape, p, answer.first, first);
}

static void sudoku_count_many(const holos_variant *v, const holos_position *positions, size_t count,
                              uint64_t most, struct limits *work, holos_position *firsts,
                              holos_puzzle_answer *out)
{
    enum { LIST = 256 };
    const sudoku_rules *rules = sudoku_rules_of(v);
    struct limits each = limits_share(work, LIMITS_NO_NODES); /* the node limit is for each of them */
    const sudoku_limits limits = {.solutions = most, .guesses = limits_nodes_left(work), .work = &each};
    sudoku_grid grids[LIST];
    sudoku_answer answers[LIST];
    for (size_t i = 0; i < count && rules->solver == NULL; i++)
        sudoku_general_count(&rules->shape, position_in(v, positions, i), &limits, position_at(v, firsts, i),
                             &out[i]);
    for (size_t from = 0; from < count && rules->solver != NULL; from += LIST) {
        size_t listed = count - from < LIST ? count - from : LIST;
        for (size_t i = 0; i < listed; i++)
            sudoku_grid_from_position(&rules->shape, position_in(v, positions, from + i), &grids[i]);
        rules->solver->solve(grids, listed, &limits, answers);
        for (size_t i = 0; i < listed; i++) {
            out[from + i] = (holos_puzzle_answer){.solutions = answers[i].solutions,
                                                  .complete = answers[i].complete,
                                                  .nodes = answers[i].guesses};
            if (answers[i].solutions > 0)
                sudoku_fill(&rules->shape, position_in(v, positions, from + i), answers[i].first,
                            position_at(v, firsts, from + i));
            each.nodes += answers[i].guesses;
        }
    }
    limits_join(work, &each);
}

static holos_move sudoku_toward(const holos_variant *v, const holos_position *p,
                                const holos_position *solution)
{
    unsigned cell = 0;
    while (sudoku_cells(p)[cell] != 0)
        cell++;
    return sudoku_move(sudoku_shape_of(v), cell, sudoku_cells(solution)[cell]);
}

static const holos_option make_options[] = {
    {OPTION(CHOICE, sudoku_make_settings, symmetry), .name = "symmetry",
     .value = "none|rotate180|rotate90|mirror|flip|diagonal", .fallback = "none",
     .help = "how the givens are arranged"},
    {0},
};

static const holos_game_options sudoku_options[] = {
    {.use = HOLOS_USE_GENERATE, .options = make_options, .size = sizeof(sudoku_make_settings)},
    {0},
};

unsigned sudoku_symmetry_of(const holos_puzzle_request *request)
{
    const sudoku_make_settings *s = request->settings;
    return s != NULL ? s->symmetry : 0;
}

static holos_status sudoku_make(const holos_variant *v, const holos_puzzle_request *request, uint64_t first,
                                size_t count, struct limits *work, holos_position *out, size_t *made,
                                holos_error *err)
{
    const sudoku_rules *rules = sudoku_rules_of(v);
    if (rules->solver == NULL)
        return sudoku_general_make(&rules->shape, request, first, count, work, out, made, err);
    const sudoku_recipe recipe = {
        .seed = request->seed, .symmetry = sudoku_symmetry_of(request), .minimal = request->minimal};
    *made = 0;
    sudoku_puzzle *puzzles = calloc(count, sizeof *puzzles);
    if (puzzles == NULL)
        return error_system(err, "making sudokus");
    holos_status status = sudoku_generate(rules->solver, &recipe, first, count, work, puzzles, made, err);
    for (size_t i = 0; i < *made; i++) {
        holos_position *p = position_at(v, out, i);
        memset(p, 0, v->position_size);
        memcpy(sudoku_cells_mutable(p), puzzles[i].givens, SUDOKU_CELLS);
        for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++)
            if (puzzles[i].givens[cell] != 0)
                sudoku_set_given(&rules->shape, p, cell);
    }
    free(puzzles);
    return status;
}

/* ---- The game ---------------------------------------------------------------------------------- */

/* What may follow the colon; the first is the usual one, and needs no name. */
static const struct {
    const char *name;
    unsigned box_rows, box_columns, extras;
} kinds[] = {
    {"9x9", 3, 3, 0},
    {"x", 3, 3, SHAPE_DIAGONALS},
    {"windoku", 3, 3, SHAPE_WINDOWS},
    {"4x4", 2, 2, 0},
    {"6x6", 2, 3, 0},
    {"12x12", 3, 4, 0},
    {"16x16", 4, 4, 0},
};

#define KINDS (sizeof kinds / sizeof *kinds)

static holos_status sudoku_open(const char *variant, holos_variant *v, holos_error *err)
{
    size_t kind = 0;
    while (variant[0] != 0 && kind < KINDS && strcmp(variant, kinds[kind].name) != 0)
        kind++;
    if (kind == KINDS)
        return error_set(err, HOLOS_BAD_VARIANT, 0,
                         "unknown variant sudoku:%.20s; use x, windoku, 4x4, 6x6, 9x9, 12x12 or 16x16",
                         variant);
    sudoku_rules *rules = calloc(1, sizeof *rules);
    if (rules == NULL)
        return error_system(err, "sudoku");
    sudoku_shape_init(&rules->shape, kinds[kind].box_rows, kinds[kind].box_columns, kinds[kind].extras);
    rules->solver = kind == 0 ? sudoku_solver_choose(cpu_detect()) : NULL;
    v->rules = rules;
    snprintf(v->name, sizeof v->name, kind == 0 ? "sudoku" : "sudoku:%s", kinds[kind].name);
    v->position_size = rules->shape.position_size;
    v->max_successors = rules->shape.cells * rules->shape.size;
    v->max_predecessors = rules->shape.cells;
    v->score_min = 0;
    v->score_max = 1;
    return HOLOS_OK;
}

static void sudoku_close(holos_variant *v)
{
    free(v->rules);
}

static const char *const sudoku_examples[] = {
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79", /* a gentle one */
    "................12..3..4........5.....4.36....1.....78....1......98..3...7....6..", /* 17 givens */
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..", /* a hard one */
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..97", /* none */
    NULL,
};

static const char *const sudoku_variants[] = {NULL}; /* even 4x4 has too many positions to search whole */

/* The way back begins at a solution. */
static uint32_t sudoku_seeds(const holos_variant *v, const holos_position *p, uint64_t seed, uint32_t most,
                             holos_position *out)
{
    (void)seed;
    return most > 0 && game_count_solutions(v, p, 1, out).solutions > 0 ? 1 : 0;
}

/* How many cells are empty, and how many of them have one, two, three and more candidates. */
static uint64_t sudoku_features(const holos_variant *v, const holos_position *p)
{
    const sudoku_shape *shape = sudoku_shape_of(v);
    sudoku_view view;
    view_candidates(shape, p, &view);
    uint16_t counts[5] = {0};
    for (unsigned cell = 0; cell < shape->cells; cell++) {
        int choices = __builtin_popcount(view.candidates[cell]);
        counts[choices < 4 ? choices : 4]++;
    }
    uint64_t features = view.empty << 1 | view.stuck;
    for (unsigned i = 1; i < 5; i++)
        features = features << 8 | counts[i];
    return features;
}

static void sudoku_signature(const holos_variant *v, const holos_position *p, text *out)
{
    sudoku_view view;
    view_candidates(sudoku_shape_of(v), p, &view);
    if (view.empty == 0)
        text_string(out, "solved");
    else if (view.stuck)
        text_string(out, "stuck");
    else
        text_printf(out, "empty-%u", view.empty);
}

static const holos_back sudoku_back = {.predecessors = sudoku_predecessors, .seeds = sudoku_seeds};
static const holos_hints sudoku_hints = {.features = sudoku_features, .signature = sudoku_signature};
static const holos_search sudoku_search = {
    .expand = sudoku_search_expand, .bounds = sudoku_bounds, .distance = sudoku_distance};
static const holos_puzzle sudoku_puzzles = {
    .count = sudoku_count, .count_many = sudoku_count_many, .toward = sudoku_toward, .generate = sudoku_make};

static const holos_usage sudoku_usages[] = {
    {"solve sudoku --solutions 10 < puzzles.txt", "one puzzle a line; up to ten solutions counted for each"},
    {"hint sudoku < puzzle.txt", "the next step, and why it is right"},
    {"hint sudoku --stage vague < puzzle.txt", "only where to look"},
    {"generate sudoku --difficulty hard --symmetry rotate180", "a hard one that looks the same upside down"},
    {"generate sudoku --count 1000 --minimal --seed 7 --threads 0",
     "a thousand minimal ones, on all processors"},
    {"generate sudoku --difficulty swordfish --rate", "one whose hardest step is a swordfish"},
    {"rate sudoku < puzzle.txt", "the hardest technique, two scores, and how often each technique is needed"},
    {"rate sudoku --json < puzzles.txt", "one puzzle a line, one JSON object a line"},
    {"rate sudoku --techniques", "the techniques, the cheapest first"},
    {"draw sudoku --hint < puzzle.txt > hint.svg", "a picture of the next step"},
    {"draw sudoku --format grid < puzzle.sdk", "an .sdk file as a drawn grid"},
    {"play sudoku", "a puzzle to fill in, with hints"},
    {0},
};

#define SUDOKU_NEARLY "534678912672195348198342567859761423426853791713924856961537284287419635........."
#define SUDOKU_EASY   "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"

static const holos_subject sudoku_subjects[] = {
    {.experiment = "modes",
     .variant = "sudoku",
     .position = SUDOKU_NEARLY,
     .document =
         "8 empty cells: wave 8,202 expansions in 22.55 s, osmosis 9 steps in 0.72 s (900 times less)"},
    {.experiment = "modes", .variant = "sudoku", .position = SUDOKU_EASY},
    {.experiment = "compression",
     .variant = "sudoku",
     .position = SUDOKU_NEARLY,
     .size = 2,
     .document = "2.4x; backward from the solution 3,322 positions at depth 2"},
    {.experiment = "tactics", .variant = "sudoku", .position = SUDOKU_NEARLY},
    {.experiment = "strategy", .variant = "sudoku", .position = SUDOKU_NEARLY},
    {.experiment = "transfer", .variant = "sudoku", .position = SUDOKU_EASY},
    {.experiment = "goal", .variant = "sudoku", .position = SUDOKU_NEARLY, .goal = "solved"},
    {0},
};

extern const holos_game sudoku_game;
const holos_game sudoku_game = {
    .name = "sudoku",
    .title = "Sudoku",
    .summary = "Fill the grid so that every row, column and box holds the digits 1 to 9.",
    .variant_help =
        "sudoku:x: the two diagonals also hold every digit once. sudoku:windoku: so do four windows. "
        "sudoku:4x4, "
        "6x6, 12x12, 16x16: other sizes. sudoku alone is 9x9.",
    .position_help = "81 cells, row by row: 1 to 9, and . or 0 for an empty one; above 9, A to G. Spaces, "
                     "new lines and the lines of "
                     "a drawn grid (| - +) may stand between them. With pencil marks: 729 characters, the "
                     "candidates of each cell "
                     "in their places. A move is r3c7=5.",
    .score_help = "1 if the grid can be filled, 0 if it cannot.",
    .examples = sudoku_examples,
    .variants = sudoku_variants,
    .usages = sudoku_usages,
    .options = sudoku_options,
    .traits = HOLOS_TRAIT_SOLITAIRE | HOLOS_TRAIT_PUZZLE,
    .open = sudoku_open,
    .close = sudoku_close,
    .expand = sudoku_expand,
    .play = sudoku_play,
    .terminal = sudoku_terminal,
    .outcome = game_puzzle_outcome,
    .side = sudoku_side,
    .key = sudoku_key,
    .identity = sudoku_identity,
    .parse = sudoku_parse,
    .format = sudoku_format,
    .parse_move = sudoku_parse_move,
    .format_move = sudoku_format_move,
    .draw = sudoku_draw,
    .notations = sudoku_notations,
    .picture = sudoku_picture,
    .view = &sudoku_scenes,
    .back = &sudoku_back,
    .hints = &sudoku_hints,
    .search = &sudoku_search,
    .puzzle = &sudoku_puzzles,
    .deduction = &sudoku_deduction,
    .subjects = sudoku_subjects,
};
