/* SPDX-License-Identifier: MIT */

#include "games/hidato/options.h"

static const holos_option solve_options[] = {
    {OPTION(CHOICE, hidato_solve_settings, mode), .name = "mode", .value = "v1|v2|v3|v3-table|v4",
     .fallback = "v4",
     .help = "how to solve: v1 and v2 only conclude, v3 searches on within budgets, v4 finds every solution"},
    {OPTION(INT, hidato_solve_settings, depth), .name = "depth", .value = "N", .max = 1000000,
     .fallback = "0", .help = "maximum depth of guesses; 0 means the mode's own limit"},
    {OPTION(FLAG, hidato_solve_settings, telemetry), .name = "telemetry",
     .help = "also say what each technique did and how long it took"},
    {0},
};

static const holos_option board_options[] = {
    {OPTION(STRING, hidato_board_settings, size), .name = "size", .value = "WxH", .fallback = "8x8",
     .help = "how many columns and rows"},
    {OPTION(CHOICE, hidato_board_settings, shape), .name = "shape",
     .value = "rectangle|diamond|disc|ring|cross|heart|hexagon", .fallback = "rectangle",
     .help = "the shape of the board"},
    {OPTION(INT, hidato_board_settings, holes), .name = "holes", .value = "PERCENT", .max = 50,
     .fallback = "0", .help = "percentage of cells to turn into holes, at random"},
    {OPTION(CHOICE, hidato_board_settings, symmetry), .name = "symmetry",
     .value = "none|rotate180|rotate90|mirror|flip|diagonal", .fallback = "none",
     .help = "how the givens are arranged"},
    {0},
};

const holos_game_options hidato_options[] = {
    {.use = HOLOS_USE_SOLVE, .options = solve_options, .size = sizeof(hidato_solve_settings)},
    {.use = HOLOS_USE_GENERATE, .options = board_options, .size = sizeof(hidato_board_settings)},
    {0},
};
