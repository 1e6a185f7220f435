/* SPDX-License-Identifier: MIT */

/* holos: experiments. Each tests a claim about a game and reports the results as tables. */

#ifndef HOLOS_LAB_H
#define HOLOS_LAB_H

#include <holos/option.h>
#include <holos/progress.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct holos_experiment holos_experiment;

HOLOS_API const holos_experiment *holos_experiment_at(size_t index);       /* NULL past the end */
HOLOS_API const holos_experiment *holos_experiment_find(const char *name); /* NULL if there is none */
HOLOS_API const char *holos_experiment_name(const holos_experiment *e);    /* "phase" */
HOLOS_API const char *holos_experiment_summary(const holos_experiment *e); /* a sentence */

/* Zero is the default everywhere. */
typedef struct holos_experiment_options {
    const holos_settings *settings; /* NULL, or the experiment's options (HOLOS_USE_EXPERIMENT) */
    const char *folder;             /* NULL, or a folder for the tables as CSV; created if missing */
    holos_limits limits;            /* seconds and stop */
    bool quick;                     /* smaller tables */
    bool json;                      /* make the text one JSON object */
    uint64_t seed;                  /* for random choices */
    const char *game,
        *position;       /* NULL, or what an experiment over any game is to run on: "kalah:3,2", "start" */
    const char *tables;  /* NULL, or known values that are its boundary, as for holos_knowledge_open */
    const char *command; /* shown to others that want the lock on the folder; may be NULL */
    /* Called from time to time; may be NULL. */
    void (*progress)(void *context, const holos_progress *progress);
    void *progress_context;
} holos_experiment_options;

typedef struct holos_experiment_result {
    char *text;                    /* the findings */
    uint64_t compared, mismatches; /* how many things were compared, and how many differ */
} holos_experiment_result;

/* Whether an experiment runs on any game, so that options may name one. */
HOLOS_API bool holos_experiment_takes_games(const holos_experiment *e);

/* With a folder, the experiment is a job there: it locks it, and leaves a record of the run (lab.json) beside its tables and plots.
 * `options` may be NULL. The caller frees *out, even after an error. */
HOLOS_API holos_status holos_experiment_run(const holos_experiment *e,
                                            const holos_experiment_options *options,
                                            holos_experiment_result *out, holos_error *err);
HOLOS_API void holos_experiment_result_free(holos_experiment_result *result);

#ifdef __cplusplus
}
#endif

#endif
