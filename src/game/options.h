/* SPDX-License-Identifier: MIT */

/* Options that a game reads itself: a table, and the struct that takes its values. Whoever lets the game read them fills the
 * struct (game_settings_new) and hands it over. NULL: the game has no options of its own. */

#ifndef HOLOS_GAME_OPTIONS_H
#define HOLOS_GAME_OPTIONS_H

#include "core/option.h"
#include "game/types.h"

typedef struct holos_game_options {
    holos_use use;
    /* Of HOLOS_USE_JOB: the kind of job, "tables"; of an experiment, its name; otherwise NULL. */
    const char *purpose;
    const holos_option *options; /* ended by {0} */
    size_t size;                 /* of the struct */
} holos_game_options;

/* What a game's options for databases (HOLOS_USE_JOB, "database") fill: how far one goes. */
typedef struct holos_tier_settings {
    int64_t top; /* the last tier; -1: all */
} holos_tier_settings;

/* A command of the program, and what it shows: for the help of the verb that it begins with. */
typedef struct holos_usage {
    const char *command, *what;
} holos_usage;

/* The options of a game for a use, and of those for one purpose (NULL: without one); NULL if it has none. */
const holos_game_options *game_options(const holos_game *game, holos_use use, const char *purpose);
/* The values of these options as `settings` have them (both may be NULL). The caller frees *out with free; without options it
 * is NULL. */
holos_status game_settings_new(const holos_game_options *options, const holos_settings *settings, void **out,
                               holos_error *err);
/* The groups of games for a use. */
bool game_option_group_at(holos_use use, size_t index, holos_option_group *out);

#endif
