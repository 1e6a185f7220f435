/* SPDX-License-Identifier: MIT */

#include "cli/shared.h"

const cli_option shared_options[] = {
    {OPTION(DURATION, shared_settings, time), .shared = SHARED_TIME, .name = "time", .letter = 't',
     .value = "TIME", .help = "stop after this long for each position: 0.5, 5s, 2m, 1h"},
    {OPTION(COUNT, shared_settings, nodes), .shared = SHARED_NODES, .name = "nodes", .letter = 'n',
     .value = "N", .help = "stop after this many positions searched, for each position: 1000, 10k, 20M"},
    {OPTION(SIZE, shared_settings, mem), .shared = SHARED_MEM, .name = "mem", .value = "SIZE",
     .help = "use no more memory than this for tables: 512M, 2G"},
    {OPTION(INT, shared_settings, threads), .shared = SHARED_THREADS, .name = "threads", .letter = 'T',
     .min = 0, .max = 1024, .value = "N", .fallback = "1",
     .help = "work on this many threads; 0 means one for each processor"},
    {OPTION(STRING, shared_settings, engine), .shared = SHARED_ENGINE, .name = "engine", .value = "NAME",
     .help = "use this engine instead of the best one for the game"},
    {OPTION(COUNT, shared_settings, seed), .shared = SHARED_SEED, .name = "seed", .value = "N",
     .fallback = "1", .help = "where random choices start; the same seed makes the same choices"},
    {OPTION(FLAG, shared_settings, json), .shared = SHARED_JSON, .name = "json", .letter = 'j',
     .help = "print one JSON object a line"},
    {OPTION(CHOICE, shared_settings, progress), .shared = SHARED_PROGRESS, .name = "progress",
     .value = "auto|none|json", .fallback = "auto",
     .help = "show progress on stderr: auto means on a terminal only, json is for programs"},
    {OPTION(FILE, shared_settings, config), .shared = SHARED_CONFIG, .name = "config", .letter = 'c',
     .value = "FILE", .help = "read options from a YAML file; those on the command line win"},
    {OPTION(FLAG, shared_settings, quiet), .shared = SHARED_LOG, .name = "quiet", .letter = 'q',
     .help = "say nothing on stderr but errors"},
    {OPTION(FLAG, shared_settings, verbose), .shared = SHARED_LOG, .name = "verbose", .letter = 'v',
     .help = "say on stderr what is being done"},
    {OPTION(FLAG, shared_settings, help), .shared = SHARED_HELP, .name = "help", .letter = 'h',
     .help = "show this help"},
    {0},
};
