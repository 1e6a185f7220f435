/* SPDX-License-Identifier: MIT */

/* Tables of endings, in files that other programs of the game read, too (chess: Syzygy's). A capability of a game: made by
 * `holos build`, used as the boundary of searches and to tell what every move of an ending is worth.
 *
 * The retrograde engine does not make them: its tiers hold one value for each position and are solved from lower tiers
 * alone, while positions of an ending lead to each other in circles and have two distances. */

#ifndef HOLOS_GAME_ENDINGS_H
#define HOLOS_GAME_ENDINGS_H

#include "core/log.h"
#include "core/progress.h"
#include "game/game.h"

#define ENDINGS_UNKNOWN INT32_MIN

/* What is known of a position, or of a move for the side that makes it. */
typedef struct ending_value {
    int32_t score; /* as the game counts */
    int32_t
        zeroing; /* DTZ: plies to the next move that cannot be taken back; negative for the loser; ENDINGS_UNKNOWN */
    int32_t mate; /* DTM: plies to mate, likewise */
} ending_value;

typedef struct ending_move {
    holos_move move;
    ending_value value;
    bool known;
} ending_move;

/* What is to be made. */
typedef struct endings_request {
    const char *name; /* "KQvKR" and all it depends on; NULL: all of up to `pieces` pieces */
    unsigned pieces;
    const char *folder; /* NULL: nothing is kept, the tables are only counted */
    bool resume, restart;
    bool
        mates; /* distances to mate are kept for tables of five pieces, too; those of fewer always have them */
    unsigned threads;
    uint64_t memory; /* bytes; 0: no limit */
    progress *progress;
    const logger *log;
    const bool *stop;
} endings_request;

typedef struct endings_plan {
    size_t tables, made_already;
    uint64_t positions, memory, disk;
    double seconds; /* on one core, about */
} endings_plan;

/* One table. Counts have one position of each symmetry class. */
typedef struct ending_report {
    char name[16];
    bool was_there;        /* its files were finished before */
    uint64_t counts[2][5]; /* by side to move and score: loss, blessed loss, draw, cursed win, win */
    unsigned zeroing_most; /* plies */
    unsigned mate_most;    /* moves */
    uint64_t positions;    /* that were computed, symmetric ones too */
    uint64_t bytes;        /* of its files */
    double value_seconds, write_seconds; /* of processor time */
} ending_report;

typedef struct endings_report {
    ending_report *endings;
    size_t count;
    uint64_t memory; /* at the most */
} endings_report;

typedef struct holos_endings {
    const char *what; /* "Syzygy tables" */
    holos_status (*plan)(const endings_request *r, endings_plan *out, holos_error *err);
    /* HOLOS_INTERRUPTED: finished tables are in the folder. The caller frees report->endings in any case. */
    holos_status (*build)(const endings_request *r, endings_report *report, holos_error *err);

    /* Whether a folder holds such tables. */
    bool (*is_here)(const char *folder);
    /* Several folders have colons between. Everything below may be called by several threads at once. */
    holos_status (*open)(const holos_variant *v, const char *folder, void **state, holos_error *err);
    void (*close)(void *state);
    /* The score alone, fast: for the boundary of searches. */
    bool (*score)(void *state, const holos_position *p, int32_t *out);
    bool (*find)(void *state, const holos_position *p, ending_value *out);
    /* Every legal move, in the game's order; returns how many there are. `out` has room for v->max_successors. */
    uint32_t (*moves)(void *state, const holos_position *p, ending_move *out);
    /* A line of best play to the end of the game, or as far as it is known; returns its length, at most `most`. */
    uint32_t (*line)(void *state, const holos_position *p, holos_move *out, uint32_t most);
    /* Why a position is not known: HOLOS_UNSUPPORTED or HOLOS_BAD_FILE, with the names of missing tables; HOLOS_LIMIT if
     * no table could have it. */
    holos_status (*why)(void *state, const holos_position *p, holos_error *err);
} holos_endings;

#endif
