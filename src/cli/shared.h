/* SPDX-License-Identifier: MIT */

/* Options that mean the same in every verb that takes them. */

#ifndef HOLOS_CLI_SHARED_H
#define HOLOS_CLI_SHARED_H

#include "core/option.h"

enum {
    SHARED_JSON = 1 << 0,
    SHARED_THREADS = 1 << 1,
    SHARED_TIME = 1 << 2,
    SHARED_NODES = 1 << 3,
    SHARED_MEM = 1 << 4,
    SHARED_SEED = 1 << 5,
    SHARED_ENGINE = 1 << 6,
    SHARED_PROGRESS = 1 << 7,
    SHARED_CONFIG = 1 << 8,
    SHARED_LOG = 1 << 9,   /* --quiet, --verbose */
    SHARED_HELP = 1 << 10, /* every verb has it */
    SHARED_CLUSTER = 1 << 11,

    SHARED_LIMITS = SHARED_TIME | SHARED_NODES | SHARED_MEM,
};

enum { SHOW_AUTO, SHOW_NONE, SHOW_LOG, SHOW_JSON }; /* the order of the choices of --progress */

typedef struct shared_settings {
    bool json;
    int64_t threads;
    double time;    /* seconds; 0: no limit */
    uint64_t nodes; /* 0: no limit */
    uint64_t mem;   /* bytes; 0: a modest default */
    uint64_t seed;
    const char *engine; /* NULL: the best one for the game */
    unsigned progress;
    const char *config;
    bool quiet, verbose;
    bool cluster;
    bool help;
} shared_settings;

typedef struct shared_option {
    uint32_t bit; /* SHARED_… */
    holos_option option;
} shared_option;

extern const shared_option shared_options[]; /* ended by {0} */

#endif
