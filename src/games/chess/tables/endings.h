/* SPDX-License-Identifier: MIT */

/* Making tables of endings, in files that other programs of the game read, too: Syzygy's.
 *
 * The retrograde engine does not make them: its tiers hold one value for each position and are solved from lower tiers
 * alone, while positions of an ending lead to each other in circles and have two distances. */

#ifndef HOLOS_CHESS_TABLES_ENDINGS_H
#define HOLOS_CHESS_TABLES_ENDINGS_H

#include "core/log.h"
#include "core/progress.h"
#include "game/jobs.h"

/* What the options of the job (HOLOS_USE_JOB, "tables") fill. */
typedef struct endings_settings {
    int64_t pieces; /* all tables of up to so many; 0: the one that is named */
    bool
        mates; /* distances to mate are kept for tables of five pieces, too; those of fewer always have them */
} endings_settings;

extern const struct job_kind *const chess_jobs[]; /* job.c */

/* ---- build.c ----------------------------------------------------------------------------------- */

/* What is to be made. */
typedef struct endings_request {
    const char *name; /* "KQvKR" and all it depends on; NULL: all of up to `pieces` pieces */
    unsigned pieces;
    const char *folder; /* NULL: nothing is kept, the tables are only counted */
    bool restart;       /* make all of them anew */
    bool
        mates; /* distances to mate are kept for tables of five pieces, too; those of fewer always have them */
    /* Finished tables of more pieces are not kept in memory for those that depend on them, but read from their files; 0: 4,
     * which are quicker made than read. */
    unsigned kept_pieces;
    unsigned threads;
    uint64_t memory; /* bytes; 0: no limit */
    unsigned
        ranks; /* processes of a cluster that share the work; 0: there is none. The folder is never NULL then, but for a plan. */
    bool follows;               /* this is not the first of them, which alone looks at what is finished */
    const job_company *company; /* the others, while it runs */
    progress *progress;
    const logger *log;
    const holos_stop *stop;
} endings_request;

#define ENDINGS_POSITIONS_A_SECOND 8e6 /* with files, on one core, about */

typedef struct endings_plan {
    size_t tables, made_already;
    uint64_t positions, disk;
    uint64_t memory, memory_least; /* of a process: what it will take, and cannot do without */
    double seconds;                /* on one core, about */
    job_tasks tasks;               /* with ranks: what they share; the caller frees its lists */
} endings_plan;

/* One table. Counts have one position of each symmetry class. */
typedef struct ending_report {
    char name[16];
    bool was_there;        /* its files were finished before */
    uint64_t counts[2][5]; /* by side to move and score: loss, blessed loss, draw, cursed win, win */
    unsigned zeroing_most; /* plies */
    bool without_mates;    /* nobody asked for them, and a table that it needs has none */
    unsigned mate_most;    /* moves */
    unsigned win_most;     /* plies; 0: nobody wins */
    char longest[96];      /* a position with such a win, as FEN; or empty */
    uint64_t positions;    /* that were computed, symmetric ones too */
    uint64_t bytes;        /* of its files */
    double value_seconds, write_seconds; /* of processor time */
    uint64_t reads;  /* bytes of files that another process has made, which it was made from */
    uint64_t memory; /* of whoever made it, at the most so far */
} ending_report;

typedef struct endings_report {
    ending_report *endings;
    size_t count;
    uint64_t memory;            /* at the most, of any process */
    uint64_t traffic, messages; /* between processes, what they have read of each other's files with it */
} endings_report;

holos_status endings_plan_make(const endings_request *r, endings_plan *out, holos_error *err);
/* HOLOS_INTERRUPTED: finished tables are in the folder. The caller frees report->endings in any case. */
holos_status endings_make(const endings_request *r, endings_report *report, holos_error *err);

#endif
