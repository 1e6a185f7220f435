/* SPDX-License-Identifier: MIT */

/* Options of waves that explorations and sessions share. */

#ifndef HOLOS_SESSION_WAVING_H
#define HOLOS_SESSION_WAVING_H

#include "engine/wave/wave.h"
#include "game/jobs.h"

typedef struct waving_settings {
    const char *spill;
    uint64_t frontier, class_size, boundary;
    int64_t back_depth, probe_depth, crystal_points, crystal_layers;
    bool spine_boundary, no_back, no_classes, all_moves;
} waving_settings;

/* Rows of a table of options, whose owner has a member `common`, a waving_settings. */
#define WAVING_OPTIONS(owner)                                                                                \
    {OPTION(INT, owner, common.back_depth),                                                                  \
     .name = "back-depth",                                                                                   \
     .value = "N",                                                                                           \
     .max = 65000,                                                                                           \
     .fallback = "0",                                                                                        \
     .help = "how many steps back from the boundary; 0 means no limit"},                                     \
        {OPTION(COUNT, owner, common.frontier), .name = "frontier", .value = "N", .fallback = "0",           \
         .help = "maximum positions per layer; the rest wait; 0 means no limit"},                            \
        {OPTION(COUNT, owner, common.class_size), .name = "class-size", .value = "N", .fallback = "10k",     \
         .help = "maximum positions that an equivalence class counts"},                                      \
        {OPTION(COUNT, owner, common.boundary), .name = "boundary-seeds", .value = "N", .fallback = "64",    \
         .help = "how many boundary positions waves run back from"},                                         \
        {OPTION(INT, owner, common.probe_depth),                                                             \
         .name = "probe-depth",                                                                              \
         .value = "N",                                                                                       \
         .fallback = "64",                                                                                   \
         .min = 1,                                                                                           \
         .max = 500,                                                                                         \
         .help = "lightning and auto: how many steps a probe goes"},                                         \
        {OPTION(INT, owner, common.crystal_points),                                                          \
         .name = "crystal-points",                                                                           \
         .value = "N",                                                                                       \
         .fallback = "10",                                                                                   \
         .min = 1,                                                                                           \
         .max = 1000000,                                                                                     \
         .help = "crystal and auto: how many of the last meeting points to work around"},                    \
        {OPTION(INT, owner, common.crystal_layers),                                                          \
         .name = "crystal-layers",                                                                           \
         .value = "N",                                                                                       \
         .fallback = "3",                                                                                    \
         .min = 1,                                                                                           \
         .max = 100,                                                                                         \
         .help = "crystal and auto: how many layers around each"},                                           \
        {OPTION(FLAG, owner, common.spine_boundary), .name = "spine-boundary",                               \
         .help = "also run back from solved positions on spines"},                                           \
        {OPTION(FLAG, owner, common.no_back), .name = "no-back", .help = "forward only"},                    \
        {OPTION(FLAG, owner, common.no_classes), .name = "no-classes",                                       \
         .help = "no equivalence classes, no conjectures"},                                                  \
        {OPTION(FLAG, owner, common.all_moves), .name = "all-moves",                                         \
         .help = "expand every move, even if the game knows that some are enough"},                          \
        {OPTION(FILE, owner, common.spill), .name = "spill", .value = "DIR",                                 \
         .help = "keep positions that do not fit in memory in this folder"},

/* Where the hologram of a job lies: *out, which the caller frees, is NULL without a store. HOLOS_USAGE with the reason if the store
 * is no folder, or if what is there does not fit how the job begins. */
holos_status waving_place(const job *j, char **out, holos_error *err);
/* The second of these alone: looked at early, to refuse in time, and again under the lock. */
holos_status waving_place_check(const job *j, const char *path, holos_error *err);

/* The options of a wave, as a job and these settings have them. */
holos_wave_options waving_options(const job *j, const waving_settings *asked);

#endif
