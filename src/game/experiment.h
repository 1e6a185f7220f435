/* SPDX-License-Identifier: MIT */

/* Experiments: a capability of a game. Its options are those that the game declares for HOLOS_USE_EXPERIMENT and the
 * experiment's name. */

#ifndef HOLOS_GAME_EXPERIMENT_H
#define HOLOS_GAME_EXPERIMENT_H

#include "game/game.h"

#include <holos/lab.h>

typedef struct experiment_task {
    const void *settings;  /* the values of its options */
    const char *folder;    /* for tables, or NULL */
    struct limits *limits; /* how long it may take, and when to stop */
    bool quick, json;
} experiment_task;

struct holos_experiment {
    const char *name, *summary; /* required, as is the next */
    /* Writes what came of it, and counts what was compared in *result. */
    holos_status (*run)(const experiment_task *task, text *out, holos_experiment_result *result,
                        holos_error *err);
};

/* Writes a table to the folder of the task, which is made if need be; does nothing without one. */
holos_status experiment_write(const experiment_task *task, const char *name, const text *table,
                              holos_error *err);

#endif
