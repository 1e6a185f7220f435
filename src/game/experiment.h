/* SPDX-License-Identifier: MIT */

/* Experiments: a capability of a game. Its options are those that the game declares for HOLOS_USE_EXPERIMENT and the
 * experiment's name. */

#ifndef HOLOS_GAME_EXPERIMENT_H
#define HOLOS_GAME_EXPERIMENT_H

#include "game/game.h"

#include <holos/lab.h>

/* What an experiment over any game runs on: games name positions that show something, and what the source document found there. */
typedef struct holos_subject {
    const char *experiment; /* "modes" */
    const char *variant;    /* in full: "nim:3,4,5" */
    const char *position;
    const char *goal;     /* a signature, for an experiment that looks for one; or NULL */
    const char *document; /* what the source document says, or NULL */
    unsigned size;        /* the experiment's own: how far it goes; 0: as it likes */
    bool full;            /* too large for the quick size */
} holos_subject;

typedef struct experiment_task {
    const void *settings;  /* the values of its options */
    const char *folder;    /* for tables, or NULL */
    struct limits *limits; /* how long it may take, and when to stop */
    bool quick, json;
    uint64_t seed;
    const char *name;                     /* of the experiment, as it was asked for: files are called so */
    bool own_subjects;                    /* of the game alone */
    const char *game, *position, *tables; /* what the caller wants it to run on; NULL: what games name */
    struct progress *progress;
} experiment_task;

struct holos_experiment {
    const char *name, *summary; /* required, as is the next */
    bool over_games;            /* it runs on any game: on subjects */
    /* NULL, or the experiment over any game that this one is, on the subjects of its own game: then `run` is NULL. */
    const char *same_as;
    /* Writes what came of it, and counts what was compared in *result. */
    holos_status (*run)(const experiment_task *task, text *out, holos_experiment_result *result,
                        holos_error *err);
};

/* Writes a table to the folder of the task, which is made if need be; does nothing without one. */
holos_status experiment_write(const experiment_task *task, const char *name, const text *table,
                              holos_error *err);

#endif
