/* SPDX-License-Identifier: MIT */

/* Connect four, as the contract asks for it. Boards come in two widths: see board.h. */

#include "game/experiment.h"
#include "games/connect4/board.h"
#include "games/connect4/hot.h"
#include "games/connect4/net.h"
#include "games/connect4/notation.h"

#include <stdio.h>
#include <stdlib.h>

#define C4_CALL(name, v, ...)                                                                                \
    (c4_is_wide(v) ? c4_wide_##name((v), __VA_ARGS__) : c4_narrow_##name((v), __VA_ARGS__))

/* Reads "WxH". */
static holos_status read_size(const char *variant, c4_size *out, holos_error *err)
{
    unsigned side[2] = {0, 0};
    const char *s = variant;
    for (int i = 0; i < 2; i++) {
        const char *first = s;
        for (; *s >= '0' && *s <= '9' && side[i] < 1000; s++)
            side[i] = 10 * side[i] + (unsigned)(*s - '0');
        if (s == first || *s != (i == 0 ? 'x' : 0))
            return error_set(err, HOLOS_BAD_VARIANT, s - variant,
                             "a board is written WIDTHxHEIGHT, such as connect4:7x6");
        s++;
    }
    c4_size size = {side[0], side[1]};
    if (size.width < 1 || size.height < 1 || size.width > C4_MAX_SIDE || size.height > C4_MAX_SIDE ||
        c4_size_bits(size) > C4_MAX_BITS)
        return error_set(
            err, HOLOS_BAD_VARIANT, 0,
            "a board of %ux%u is too %s: sides are 1 to %d, and width * (height + 1) is at most %d",
            size.width, size.height, size.width * size.height == 0 ? "small" : "large", C4_MAX_SIDE,
            C4_MAX_BITS);
    *out = size;
    return HOLOS_OK;
}

/* The best score there is: a win with the fourth stone of the first player. */
static int32_t earliest_win(c4_size size)
{
    int32_t score = ((int32_t)c4_size_cells(size) + 1 - 6) / 2;
    return score > 0 ? score : 0;
}

static holos_status c4_open(const char *variant, holos_variant *v, holos_error *err)
{
    c4_size size = {7, 6};
    if (variant[0] != 0) {
        holos_status status = read_size(variant, &size, err);
        if (status != HOLOS_OK)
            return status;
    }
    snprintf(v->name, sizeof v->name, "connect4:%ux%u", size.width, size.height);
    v->max_successors = v->max_predecessors = size.width;
    v->score_max = earliest_win(size);
    v->score_min = -v->score_max;
    v->key_bits = (uint8_t)c4_size_bits(size);
    return c4_size_bits(size) > 64 ? c4_wide_open(size, v, err) : c4_narrow_open(size, v, err);
}

static void c4_close(holos_variant *v)
{
    free(v->rules);
}

static void c4_start(const holos_variant *v, holos_position *out)
{
    C4_CALL(start, v, out);
}

static uint32_t c4_expand(const holos_variant *v, const holos_position *p, holos_edges out)
{
    return C4_CALL(expand, v, p, out);
}

static holos_edge c4_play_move(const holos_variant *v, const holos_position *p, holos_move move,
                               holos_position *out)
{
    return C4_CALL(play, v, p, move, out);
}

static bool c4_terminal(const holos_variant *v, const holos_position *p, int32_t *score)
{
    return C4_CALL(terminal, v, p, score);
}

static unsigned c4_side(const holos_variant *v, const holos_position *p)
{
    return C4_CALL(stones, v, p) % 2;
}

static holos_key c4_key(const holos_variant *v, const holos_position *p)
{
    return C4_CALL(key, v, p);
}

static holos_key c4_identity(const holos_variant *v, const holos_position *p)
{
    return C4_CALL(identity, v, p);
}

static void c4_from_identity(const holos_variant *v, holos_key identity, holos_position *out)
{
    C4_CALL(from_identity, v, identity, out);
}

static uint32_t c4_symmetries(const holos_variant *v, const holos_position *p, holos_position *out)
{
    return C4_CALL(symmetries, v, p, out);
}

static uint32_t c4_predecessors(const holos_variant *v, const holos_position *p, holos_edges out)
{
    return C4_CALL(predecessors, v, p, out);
}

static void c4_bounds(const holos_variant *v, const holos_position *p, int32_t *lo, int32_t *hi)
{
    C4_CALL(bounds, v, p, lo, hi);
}

/* The score says how many stones the winner has left, so also when the last one falls. */
static uint16_t c4_distance(const holos_variant *v, const holos_position *p, int32_t score)
{
    unsigned cells = c4_size_cells(c4_variant_size(v));
    unsigned stones = C4_CALL(stones, v, p);
    if (score == 0)
        return (uint16_t)(cells - stones);
    unsigned winner = score > 0 ? stones % 2 : 1 - stones % 2;
    unsigned before = cells + 1 - 2 * (unsigned)abs(score); /* stones before the winning one, or one less */
    if (before % 2 != winner)
        before--;
    return (uint16_t)(before + 1 - stones);
}

static const char *const c4_examples[] = {
    "11163142533736577",                     /* one move wins, the other six lose */
    "165713352355467777",                    /* one wins, two draw, four lose */
    "5165132157277276134227475",             /* a win in two moves */
    "2252576253462244111563365343671351441", /* both moves lose, one later than the other */
    NULL,
};

static const char *const c4_variants[] = {"4x4", "5x4", "4x5", "3x3", "1x4", "8x8", "9x7", NULL};

static const holos_back c4_back = {.predecessors = c4_predecessors};
static uint64_t c4_features(const holos_variant *v, const holos_position *p)
{
    return C4_CALL(features, v, p);
}

/* How the game has ended, or how many stones there are. */
static void c4_signature(const holos_variant *v, const holos_position *p, text *out)
{
    int32_t score;
    unsigned stones = C4_CALL(stones, v, p);
    if (!c4_terminal(v, p, &score))
        text_printf(out, "stones-%u", stones);
    else if (score == 0)
        text_string(out, "draw");
    else
        text_string(out, stones % 2 == 1 ? "first-wins" : "second-wins");
}

static const holos_hints c4_hints = {.features = c4_features, .signature = c4_signature};
static const holos_search c4_search = {.bounds = c4_bounds, .distance = c4_distance};

static const holos_usage c4_usages[] = {
    {"optimize seed connect4 44", "how far, in which mode and direction a wave should set out from there"},
    {"solve connect4 4453", "is the player to move winning, and how?"},
    {"solve connect4:5x4 --moves --pv start", "a smaller board: every first move, and a line of best play"},
    {"play connect4", "you begin"},
    {"build connect4:6x5 --book-depth 6 --store file:book65",
     "the first six moves, for 'holos solve --store'"},
    {"build connect4:4x4 --book-depth 16", "every position of a small board: won, drawn and lost, by ply"},
    {"explore connect4:5x4 --store file:waves", "prove a small board, and keep every value on the way"},
    {"explore connect4 --mode wave --depth 12 --graph --unfolded", "count the positions of every ply"},
    {"explore connect4 44444 --time 1m --store file:waves", "a minute; then --resume for another one"},
    {"query file:waves 4453 --moves", "what waves found out about a position"},
    {0},
};

static const holos_subject c4_subjects[] = {
    {.experiment = "modes", .variant = "connect4:4x4", .position = "start"},
    {.experiment = "modes", .variant = "connect4:7x6", .position = "4444435262", .full = true},
    {.experiment = "iterations",
     .variant = "connect4:7x6",
     .position = "start",
     .size = 12,
     .document = "5 iterations solve 8,615 positions in 3.7 s, 20 iterations 1,094,767 in 255 s: the first "
                 "player wins"},
    {.experiment = "iterations", .variant = "connect4:4x4", .position = "start", .size = 16, .full = true},
    {.experiment = "compression",
     .variant = "connect4:5x4",
     .position = "start",
     .document = "9.2 M positions (238 s) from 10 % of them as seeds: 10x"},
    {.experiment = "compression", .variant = "connect4:7x6", .position = "444443", .full = true},
    {.experiment = "tactics",
     .variant = "connect4:7x6",
     .position = "44",
     .document = "depth 4, wave: efficiency 353; depth is the dominant variable, about 10x for each level"},
    {.experiment = "strategy",
     .variant = "connect4:7x6",
     .position = "start",
     .document = "1 seed at depth 5 covers 8,275 (efficiency 1,655), 20 seeds at depth 2 cover 6,100 (191)"},
    {.experiment = "transfer", .variant = "connect4:7x6", .position = "start"},
    {.experiment = "goal", .variant = "connect4:4x4", .position = "start", .goal = "draw"},
    {0},
};

static const holos_experiment c4_experiments[] = {
    {.name = "connect4",
     .summary = "Connect Four: positions solved after so many layers forward and back",
     .same_as = "iterations"},
    {0},
};

extern const holos_game connect4_game;
const holos_game connect4_game = {
    .name = "connect4",
    .title = "Connect Four",
    .summary = "Drop stones into columns; four in a row, in any direction, win.",
    .variant_help =
        "WIDTHxHEIGHT, such as connect4:5x4; connect4 alone is connect4:7x6. Sides are 1 to 16, and "
        "width * (height + 1) is at most 128.",
    .position_help =
        "The columns played, from 1 (after 9 come a, b, ...): 4453. Nothing at all is the empty board. "
        "Or the rows, the highest first, joined by /, with x for the first player, o for the second "
        "and . for an empty cell.",
    .score_help =
        "0 is a draw. A win counts 1 if it comes with the winner's last stone, 2 with the last but one, "
        "and so on; a loss counts the same, negative.",
    .examples = c4_examples,
    .variants = c4_variants,
    .usages = c4_usages,
    .open = c4_open,
    .close = c4_close,
    .start = c4_start,
    .expand = c4_expand,
    .play = c4_play_move,
    .terminal = c4_terminal,
    .side = c4_side,
    .key = c4_key,
    .identity = c4_identity,
    .from_identity = c4_from_identity,
    .from_key = c4_from_identity, /* a key is the identity of the position or of its mirror image */
    .symmetries = c4_symmetries,
    .max_symmetries = 2,
    .parse = c4_parse,
    .format = c4_format,
    .parse_move = c4_parse_move,
    .format_move = c4_format_move,
    .draw = c4_draw,
    .picture = c4_picture,
    .view = &c4_view,
    .back = &c4_back,
    .hints = &c4_hints,
    .search = &c4_search,
    .hot = &c4_hot,
    .experiments = c4_experiments,
    .subjects = c4_subjects,
    .net = &c4_net,
};
