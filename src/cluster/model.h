/* SPDX-License-Identifier: MIT */

/* What work on a number of ranks takes: time, memory of a rank, bytes that travel. People plan before they rent machines, so this
 * needs no cluster. The constants are measured by `holos bench cluster`; docs/cluster.md compares what it says with runs. */

#ifndef HOLOS_CLUSTER_MODEL_H
#define HOLOS_CLUSTER_MODEL_H

#include "game/jobs.h"

/* A rank and its network. */
typedef struct model_machine {
    double bandwidth; /* bytes a second into a rank */
    double latency;   /* seconds of a call that all ranks make, for each doubling of their number */
    double copying;   /* seconds of processor time that a byte takes on its way, at both ends */
    double
        cold; /* the same for a key, a question or an answer of a graph that comes from elsewhere: what it is about has left
                         the cache, while a rank's own is there still */
    unsigned cores; /* of all machines together; 0: as many as ranks and threads can use */
} model_machine;

/* Ten gigabit Ethernet, half of it used. `cold` is what two ranks took longer than one for connect4:5x4. */
#define MODEL_COLD 7e-9
#define MODEL_MACHINE                                                                                        \
    ((model_machine){.bandwidth = 6e8, .latency = 3e-5, .copying = 2e-9, .cold = MODEL_COLD})

typedef struct model_plan {
    double seconds;
    uint64_t memory;  /* of a rank */
    uint64_t traffic; /* bytes, of all ranks */
    double share;     /* of the processors' time that is work */
} model_plan;

/* A database up to a tier: parts are handed out, the largest first; a finished tier goes to all machines, whose ranks share it. `seconds`
 * are those of one rank with one thread; `memory` is the share of one of them all. */
model_plan model_database(const holos_variant *v, uint32_t top, unsigned ranks, unsigned machines,
                          unsigned threads, double seconds, uint64_t memory, model_machine machine);

/* A database whose parts are spread over the ranks, position by position. `seconds` are those of one rank, `memory` is that of the
 * fullest of all. */
model_plan model_spread(const holos_variant *v, uint32_t top, double seconds, uint64_t memory, unsigned ranks,
                        model_machine machine);
/* Seconds of one rank for a database that is spread, where nothing better is known. */
double model_spread_seconds(const holos_variant *v, uint32_t top);

/* A graph: every rank has its share. */
typedef struct model_graph_costs {
    double positions, layers;
    double moves;   /* of all positions */
    double seconds; /* of one rank, for all */
    double memory;  /* bytes of a position */
    double base;    /* bytes of a rank without positions */
    double row;     /* bytes that a row takes on its way to rank 0; 0: there is no store */
    unsigned key_words;
    bool heights; /* values are found from the lowest positions on (heights.h) */
} model_graph_costs;

/* How much longer one rank takes for a position than a process alone, which records its edges: connect4:5x4. */
#define MODEL_RANK_TIME 1.3
/* How much memory of one rank a node takes: its shard is 60 to 75 % full. Layers and what is sorted come on top. */
#define MODEL_RANK_MEMORY 1.7

model_plan model_graph(const model_graph_costs *each, unsigned ranks, model_machine machine);

/* A book: rank 0 reaches its plies, sends the leaves to all, hands out parts of them, and derives the rest. */
typedef struct model_book_costs {
    double before;   /* seconds of one thread that everybody waits for */
    double leaves;   /* to be searched */
    double seconds;  /* of one thread, for a leaf */
    double part;     /* leaves of a part */
    size_t key;      /* bytes of a leaf on its way to a rank */
    size_t said;     /* and those of a part that goes there and back */
    uint64_t memory; /* of rank 0 */
} model_book_costs;

model_plan model_book(const model_book_costs *each, unsigned ranks, unsigned threads, model_machine machine);

/* Tasks that are handed out, each once those that it waits for are done. What travels is what they read of each other's files. Memory is
 * not said. All zero if there is no memory for it. */
model_plan model_tasks(const job_tasks *tasks, unsigned ranks, unsigned threads, model_machine machine);

#endif
