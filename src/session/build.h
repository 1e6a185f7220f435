/* SPDX-License-Identifier: MIT */

/* Building whole databases, graphs and books into stores: what three kinds of jobs do (build_job.c). Parts that are finished are
 * in the store at once: they are the checkpoint. */

#ifndef HOLOS_SESSION_BUILD_H
#define HOLOS_SESSION_BUILD_H

#include "cluster/cluster.h"
#include "core/progress.h"
#include "engine/retrograde/retrograde.h"
#include "engine/wave/graph.h"
#include "store/store.h"

typedef struct build_request {
    const holos_variant *v;
    const char *url;     /* NULL: nothing is kept */
    store_mode mode;     /* STORE_CREATE, STORE_RESUME or STORE_RESTART */
    uint32_t top;        /* a database's last tier, a book's last ply */
    const char *scratch; /* NULL, or a folder for tables that do not fit into memory */
    double checkpoint;   /* graphs: seconds between two checkpoints; 0: a minute */
    const char *spill;   /* graphs: NULL, or a folder for positions that do not fit into memory */
    const holos_boundary
        *boundary;     /* books: NULL, or values that need not be searched, such as those of a shorter book */
    uint64_t expected; /* graphs: positions, about; 0: nobody knows */
    bool no_hot;
    bool spread;       /* databases in a cluster: each part in the memory of one rank */
    unsigned together; /* databases, for a plan without a cluster: ranks of one machine; 0: one */
    bool histogram;    /* count values */
    unsigned threads;
    uint64_t memory;        /* bytes; 0: what the system has to spare */
    progress *progress;     /* may be NULL */
    const logger *log;      /* may be NULL */
    const holos_stop *stop; /* may be NULL */
    holos_cluster *cluster; /* NULL: this process alone */
} build_request;

/* One depth of a graph. */
typedef struct build_level {
    uint64_t positions, generated, duplicates;
} build_level;

/* One ply of a book: positions, of which symmetric ones are told apart, by what they are worth to the side
 * to move. */
typedef struct build_ply {
    uint64_t positions, finished, won, drawn, lost;
    uint64_t folded; /* symmetric ones once */
} build_ply;

typedef struct build_report {
    store_kind kind;
    retro_plan plan; /* databases */
    uint64_t positions, computed;
    double seconds;       /* on the wall */
    double reach_seconds; /* of them, for reaching a graph's positions */
    double solve_seconds; /* for computing values alone: graphs on the wall, others of processor time */
    double store_seconds; /* graphs: for writing the rows, on the wall */
    uint64_t memory;      /* at the most */
    store_facts facts;    /* of the store, if there is one */
    bool has_start;       /* the start position is among them: */
    int32_t start_score;
    holos_move start_best[64];
    uint32_t start_best_count;
    uint64_t *tiers;  /* databases: positions of each tier, top + 1 of them */
    build_ply *plies; /* books */
    size_t ply_count;
    uint64_t values[256]; /* databases, with `histogram`: by byte; graphs: by 128 + score, clamped */
    build_level *levels;  /* graphs */
    size_t level_count;
    uint64_t finished, edges, duplicates; /* graphs */
    bool spread;                          /* a database: each part in one rank */
    uint64_t traffic, messages;           /* bytes and messages between ranks */
    uint64_t rank_most, rank_least;       /* positions of a rank of a graph */
} build_report;

/* What it would take. */
holos_status build_plan(const build_request *b, retro_plan *out, holos_error *err);
/* Bytes that the system can spare. */
uint64_t build_memory_available(void);

/* The caller frees the report in any case. HOLOS_INTERRUPTED: finished parts are in the store. */
holos_status build_database(const build_request *b, build_report *out, holos_error *err);
/* Where the rows of a graph go. */
typedef struct build_rows {
    const build_request *b;
    store *s;
    uint64_t total;
    bool begun; /* the first have come */
} build_rows;

/* A graph_take for them. */
holos_status build_rows_take(void *context, const holos_row *rows, size_t count, holos_error *err);
/* So many more are on their way. */
void build_rows_tell(build_rows *k, uint64_t count);
/* All ranks together: what they have computed, its processor time, and what went between them. Nothing without a cluster. */
void build_work_sum(const build_request *b, build_report *out);
/* The part of build_graph that several ranks share; the store is that of rank 0, or NULL. */
holos_status build_graph_shared(const build_request *b, store *s, mem_budget *budget, build_report *r,
                                holos_error *err);
/* What a graph's values come to: how many there are of each, and what the start is worth. */
void build_graph_values(build_report *r, const graph_counts *counts, const holos_row *start);
holos_status build_graph(const build_request *b, build_report *out, holos_error *err);
/* Every position of the first b->top plies, or of the whole game if it is shorter: the last ply is searched,
 * the others follow from it. */
holos_status build_book(const build_request *b, build_report *out, holos_error *err);
/* Leaves of a book that are searched, and kept, together: what is lost at most, for each thread, when a build is interrupted. */
#define BOOK_PART 128u
/* Bytes that go between two ranks for a part: the question for it, the answer, and what it is worth. */
#define BOOK_PART_TRAFFIC (8 + 4 + 8 + 4 + BOOK_PART)

/* What the searches of a book take, by a few of them. */
typedef struct book_searches {
    uint64_t tried, finished;
    double seconds; /* of one; at least so much if not all have finished */
    double share;   /* of the positions: the game is not over there, so they are searched */
} book_searches;

/* Tries some of the positions of a book's last ply, which lie one after the other. */
holos_status book_searches_sample(const build_request *b, const holos_position *positions, size_t count,
                                  const holos_stop *stop, book_searches *out, holos_error *err);
/* Searches positions of a book anew; how->samples of them, 0: all. *done says how many were. HOLOS_BAD_FILE:
 * one has another value; the message says which. */
holos_status book_verify(store *s, const store_derivation *how, uint64_t *done, holos_error *err);
void build_report_free(build_report *r);

#endif
