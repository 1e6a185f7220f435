/* SPDX-License-Identifier: MIT */

/* Hidato, as the contract asks for it. */

#include "core/hash.h"
#include "games/hidato/generate.h"
#include "games/hidato/hidato.h"
#include "games/hidato/options.h"
#include "games/hidato/solver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Variants ----------------------------------------------------------------------------------- */

/* What may follow the colon; the first is the usual one, and needs no name. */
static const struct {
    const char *word, *name;
    unsigned degree;
} kinds[] = {
    [HIDATO_KING] = {"8", "hidato", 8},
    [HIDATO_ROOK] = {"4", "hidato:4", 4},
    [HIDATO_HEX] = {"hex", "hidato:hex", 6},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

const char *hidato_kind_name(hidato_kind kind)
{
    return kinds[kind].name;
}

static holos_status hidato_open(const char *variant, holos_variant *v, holos_error *err)
{
    unsigned kind = 0;
    while (variant[0] != 0 && kind < KINDS && strcmp(variant, kinds[kind].word) != 0)
        kind++;
    if (kind == KINDS)
        return error_set(err, HOLOS_BAD_VARIANT, 0,
                         "unknown variant hidato:%.20s; use 8 (the same as hidato alone), 4 or hex", variant);
    hidato_rules *rules = calloc(1, sizeof *rules);
    if (rules == NULL)
        return error_system(err, "hidato");
    rules->kind = (hidato_kind)kind;
    v->rules = rules;
    snprintf(v->name, sizeof v->name, "%s", kinds[kind].name);
    v->position_size = sizeof(hidato_board);
    /* Numbers that may be written are next to a written one: there are at most two for each written one, and no
     * more than are missing; so at most two thirds of all. Each has at most one place for each neighbour. */
    v->max_successors = HIDATO_PLACES * 2 / 3 * kinds[kind].degree + kinds[kind].degree;
    v->max_predecessors = HIDATO_PLACES;
    v->score_min = 0;
    v->score_max = 1;
    return HOLOS_OK;
}

static void hidato_close(holos_variant *v)
{
    free(v->rules);
}

static unsigned hidato_side(const holos_variant *v, const holos_position *p)
{
    (void)v;
    (void)p;
    return 0;
}

static holos_key hidato_identity(const holos_variant *v, const holos_position *p)
{
    return hash_bytes(p, v->position_size);
}

static uint16_t hidato_moves_left(const holos_variant *v, const holos_position *p, int32_t score)
{
    const hidato_board *b = hidato_board_of(p);
    (void)v;
    return score > 0 ? (uint16_t)(b->cells - b->filled) : HOLOS_NO_DISTANCE;
}

/* ---- Puzzle ------------------------------------------------------------------------------------- */

static const char *const propagator_names[] = {
#define PROPAGATOR(id, name, mode, what) name,
#include "games/hidato/propagators.def"
#undef PROPAGATOR
};

static const unsigned propagator_levels[] = {
#define PROPAGATOR(id, name, mode, what) mode,
#include "games/hidato/propagators.def"
#undef PROPAGATOR
};

_Static_assert(HIDATO_PROPAGATORS <= HOLOS_PUZZLE_WORK, "the report has room for all propagators");

static void report_work(const hidato_answer *answer, unsigned level, holos_puzzle_report *out)
{
    for (unsigned i = 0; i < HIDATO_PROPAGATORS; i++) {
        const hidato_work *w = &answer->work[i];
        if (propagator_levels[i] <= level)
            out->work[out->work_count++] = (holos_work){.name = propagator_names[i],
                                                        .calls = w->calls,
                                                        .removals = w->removals,
                                                        .conflicts = w->conflicts,
                                                        .seconds = w->seconds};
    }
}

/* A solution found is p with the rest filled in: givens stay givens. */
static void hidato_examine(const holos_variant *v, const holos_position *p,
                           const holos_puzzle_question *question, struct limits *limits,
                           holos_position *first, holos_position *known, holos_puzzle_report *out)
{
    const hidato_solve_settings *s = question->settings;
    const hidato_mode *mode = s != NULL ? &hidato_modes[s->mode] : hidato_mode_find(NULL);
    const hidato_request request = {.mode = mode,
                                    .solutions = question->solutions,
                                    .depth = s != NULL ? (unsigned)s->depth : 0,
                                    .clock = s != NULL && s->telemetry};
    hidato_answer answer;
    memset(out, 0, sizeof *out);
    if (hidato_solve(hidato_board_of(p), hidato_kind_of(v), &request, limits, &answer) != HOLOS_OK) {
        out->limit = "the memory limit";
        return;
    }
    out->answer = (holos_puzzle_answer){
        .solutions = answer.solutions, .complete = answer.complete, .nodes = answer.nodes};
    out->limit = answer.limit;
    out->depth = answer.depth;
    out->has_known = answer.has_known;
    if (request.clock)
        report_work(&answer, mode->level, out);
    if (answer.solutions > 0)
        memcpy(first, &answer.first, sizeof answer.first);
    if (answer.has_known && known != NULL)
        memcpy(known, &answer.known, sizeof answer.known);
}

static void hidato_count(const holos_variant *v, const holos_position *p, uint64_t most,
                         struct limits *limits, holos_position *first, holos_puzzle_answer *out)
{
    const holos_puzzle_question question = {.solutions = most};
    holos_puzzle_report report;
    hidato_examine(v, p, &question, limits, first, NULL, &report);
    *out = report.answer;
}

/* The way back begins at a solution. */
static uint32_t hidato_seeds(const holos_variant *v, const holos_position *p, uint64_t seed, uint32_t most,
                             holos_position *out)
{
    (void)seed;
    return most > 0 && game_count_solutions(v, p, 1, out).solutions > 0 ? 1 : 0;
}

/* ---- The game ----------------------------------------------------------------------------------- */

static const char best_known[] = ". 33 35 . . # # #/. . 24 22 . # # #/. . . 21 . . # #/. 26 . 13 40 11 # #/"
                                 "27 . . . 9 . 1 #/# # . . 18 . . #/# # # # . 7 . ./# # # # # # 5 .";

static const char *const hidato_examples[] = {
    best_known,
    "1 . ./. . ./. . 9",                /* several solutions */
    ". . 7 ./. # . ./. . . 1/13 . . .", /* a small one */
    "1 . . 4/. . . ./. . . ./. . . 2",  /* none: 1 and 2 are not neighbours */
    ". . ./. 5 ./. . .",
    NULL,
};

static const holos_usage hidato_usages[] = {
    {"hint hidato --fill < puzzle.txt", "the steps up to the next number"},
    {"generate hidato --size 10x10 --shape heart --holes 5 --symmetry mirror",
     "a heart of numbers, the same in a mirror"},
    {"generate hidato --count 24 --difficulty medium --booklet puzzles",
     "24 puzzles on pages to print, with solutions"},
    {"draw hidato --solution < puzzle.txt > solution.svg", "the solution of a hidato, with its path"},
    {"bench hidato --plot hidato.svg", "medians and worst of every set and mode, and a picture of them"},
    {0},
};

static const char *const hidato_variants[] = {"4", "hex", NULL};

static const holos_back hidato_back = {.predecessors = hidato_predecessors, .seeds = hidato_seeds};
static const holos_hints hidato_hints = {.features = hidato_features, .signature = hidato_signature};
static const holos_search hidato_searching = {
    .expand = hidato_search_expand, .bounds = hidato_bounds, .distance = hidato_moves_left};
static const holos_puzzle hidato_puzzle = {.count = hidato_count,
                                           .examine = hidato_examine,
                                           .conflict = hidato_conflict,
                                           .toward = hidato_toward,
                                           .generate = hidato_generate,
                                           .check = hidato_check_request};

extern const holos_game hidato_game;
const holos_game hidato_game = {
    .name = "hidato",
    .title = "Hidato",
    .summary = "Fill the board with the numbers from 1, so that each is next to the one after it.",
    .variant_help =
        "hidato:4: neighbours share a side (Numbrix). hidato:hex: cells are hexagons. hidato alone: "
        "neighbours "
        "may be diagonal, too.",
    .position_help =
        "Rows joined by / or on lines of their own, cells by spaces: a number, . for an empty cell, "
        "# for a hole. Also a game ID of Ascent (7x6mR:…) and JSON. Up to 1,600 cells, 64 in a row. "
        "A move is r3c7=12, next to an 11 or a 13.",
    .score_help = "1 if the board can be filled, 0 if it cannot.",
    .examples = hidato_examples,
    .variants = hidato_variants,
    .usages = hidato_usages,
    .options = hidato_options,
    .traits = HOLOS_TRAIT_SOLITAIRE | HOLOS_TRAIT_PUZZLE,
    .open = hidato_open,
    .close = hidato_close,
    .expand = hidato_expand,
    .play = hidato_play,
    .terminal = hidato_terminal,
    .outcome = game_puzzle_outcome,
    .side = hidato_side,
    .key = hidato_key,
    .identity = hidato_identity,
    .parse = hidato_parse,
    .format = hidato_format,
    .parse_move = hidato_parse_move,
    .format_move = hidato_format_move,
    .draw = hidato_draw,
    .notations = hidato_notations,
    .picture = hidato_picture,
    .view = &hidato_view,
    .back = &hidato_back,
    .hints = &hidato_hints,
    .search = &hidato_searching,
    .puzzle = &hidato_puzzle,
    .deduction = &hidato_deduction,
};
