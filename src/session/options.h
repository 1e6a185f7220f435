/* SPDX-License-Identifier: MIT */

/* The options of jobs, by kind. A kind has a table of its own; a game may add options of its own for it, such as how far a
 * database goes. */

#ifndef HOLOS_SESSION_OPTIONS_H
#define HOLOS_SESSION_OPTIONS_H

#include "game/game.h"

/* The table of a kind that serves every game: "database", "wave"; NULL if it has none. (job.c) */
const holos_option *job_options(const char *kind);
/* The kinds that have one; NULL past the end. (job.c) */
const char *job_with_options_at(size_t index);

/* HOLOS_USAGE with the reason if some setting is declared neither by the kind of job nor by the game for it. `settings` may be
 * NULL. */
holos_status job_settings_check(const holos_variant *v, const char *kind, const holos_settings *settings,
                                holos_error *err);

/* The groups of jobs and of experiments. */
bool job_option_group_at(size_t index, holos_option_group *out);
bool experiment_option_group_at(size_t index, holos_option_group *out);

#endif
