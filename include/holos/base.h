/* SPDX-License-Identifier: MIT */

/* holos: errors, values and limits, which every other header uses. */

#ifndef HOLOS_BASE_H
#define HOLOS_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) || defined(__clang__)
#define HOLOS_API __attribute__((visibility("default")))
#else
#define HOLOS_API
#endif

/* The version of this header; holos_version() is the version of the library that was linked. */
#define HOLOS_VERSION_MAJOR 0
#define HOLOS_VERSION_MINOR 1
#define HOLOS_VERSION_PATCH 0

HOLOS_API const char *holos_version(void);

/* ---- Errors --------------------------------------------------------------------------------- */

/* The result of a call. Every function that can fail returns one and fills the caller's holos_error (which
 * may be NULL). A function that gets NULL for a required argument returns HOLOS_USAGE, or 0, false or NULL
 * if it returns no status. */
typedef enum holos_status {
    HOLOS_OK = 0,
    HOLOS_USAGE,        /* the call itself is wrong: an unknown game, engine or option */
    HOLOS_BAD_VARIANT,  /* the game is known, the variant string is not valid */
    HOLOS_BAD_POSITION, /* a position that does not parse or breaks the rules */
    HOLOS_BAD_MOVE,     /* a move that does not parse or is not legal here */
    HOLOS_BAD_FILE,     /* a file of the wrong kind or version, or a damaged one */
    HOLOS_UNSUPPORTED,  /* this game or this build has no such capability */
    HOLOS_NO_MEMORY,    /* more memory than the budget or the machine has */
    HOLOS_LIMIT,        /* a limit was reached; what is known so far has been returned */
    HOLOS_INTERRUPTED,  /* the caller asked to stop; what is known so far has been returned */
    HOLOS_IO,           /* the system refused: disk full, no permission, no such file */
} holos_status;

#define HOLOS_NOWHERE (-1)

typedef struct holos_error {
    holos_status code;
    int64_t at;        /* where: the byte offset in the text that was read, or HOLOS_NOWHERE */
    char message[256]; /* what is wrong, where, and what would be right; never empty on failure */
} holos_error;

/* The name of a status as programs see it: "bad-position". Never NULL. */
HOLOS_API const char *holos_status_name(holos_status status);

/* ---- Values --------------------------------------------------------------------------------- */

#define HOLOS_NO_DISTANCE UINT16_MAX

/* Who found a value. Sources up to HOLOS_SOURCE_LOGIC are proofs. The rest are guesses: they are shown as
 * guesses, and no proof ever rests on them. */
typedef enum holos_source {
    HOLOS_SOURCE_NONE = 0,   /* nothing is known but the range of scores */
    HOLOS_SOURCE_RULES,      /* the game is over */
    HOLOS_SOURCE_TABLE,      /* a database or tablebase */
    HOLOS_SOURCE_SEARCH,     /* the alphabeta, deepening or proof engine */
    HOLOS_SOURCE_RETROGRADE, /* the retrograde or region engine */
    HOLOS_SOURCE_WAVE,       /* the wave engine */
    HOLOS_SOURCE_LOGIC,      /* deductions on a puzzle */
    HOLOS_SOURCE_CONJECTURE, /* a guess: solved positions with the same features have this value */
    HOLOS_SOURCE_NETWORK,    /* a guess by a trained network */
} holos_source;

HOLOS_API const char *holos_source_name(holos_source source);
HOLOS_API bool holos_source_is_proof(holos_source source);

/* What is known about a position: its score is in [lo, hi], seen from the side to move. */
typedef struct holos_value {
    int32_t lo, hi;
    uint16_t distance; /* plies to the end under best play, or HOLOS_NO_DISTANCE */
    uint16_t
        conversion; /* plies to the next irreversible move that keeps the result, or to the end; or HOLOS_NO_DISTANCE */
    uint8_t source; /* a holos_source */
} holos_value;

static inline bool holos_value_is_solved(holos_value value)
{
    return value.lo == value.hi;
}

/* An expectation without a proof. It never shares a field with what is proved. */
typedef struct holos_guess {
    int32_t value;
    uint8_t source;              /* a holos_source that is not a proof; HOLOS_SOURCE_NONE: no guess */
    uint64_t confirmed, refuted; /* how many guesses by this source later proofs have confirmed or refuted */
} holos_guess;

/* The share of these guesses that proofs have confirmed; negative if no proof has decided any yet. */
static inline double holos_guess_precision(const holos_guess *g)
{
    uint64_t decided = g->confirmed + g->refuted;
    return decided > 0 ? (double)g->confirmed / (double)decided : -1.0;
}

/* ---- Limits --------------------------------------------------------------------------------------- */

/* A request to stop. Initialize it to zero. A signal handler or another thread may set it at any time. */
typedef struct holos_stop {
    int32_t asked;                 /* use only the functions below */
    const struct holos_stop *also; /* NULL, or another request that also stops the work */
} holos_stop;

static inline void holos_stop_set(holos_stop *stop)
{
    __atomic_store_n(&stop->asked, 1, __ATOMIC_RELAXED);
}

static inline void holos_stop_clear(holos_stop *stop)
{
    __atomic_store_n(&stop->asked, 0, __ATOMIC_RELAXED);
}

static inline bool holos_stop_asked(const holos_stop *stop) /* NULL: nobody can ask */
{
    for (; stop != NULL; stop = stop->also)
        if (__atomic_load_n(&stop->asked, __ATOMIC_RELAXED) != 0)
            return true;
    return false;
}

/* Limits for a piece of work. Zero means no limit (for memory: a modest default). */
typedef struct holos_limits {
    double seconds;         /* wall-clock time for each position, or for a whole job */
    uint64_t nodes;         /* likewise */
    size_t memory;          /* bytes, for the whole solver, wave or job */
    const holos_stop *stop; /* may be NULL */
} holos_limits;

/* Where a walk through many positions stands. Initialize it to zero: the beginning. */
typedef struct holos_cursor {
    uint64_t at[4]; /* for the function that walks */
} holos_cursor;

#ifdef __cplusplus
}
#endif

#endif
