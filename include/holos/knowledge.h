/* SPDX-License-Identifier: MIT */

/* holos: knowledge, which is anything that holds values of positions: a database, a graph, a book, a
 * hologram, a folder of Syzygy tables. One function opens them all, and they all answer one question: what
 * is known about this position?
 *
 *     holos_knowledge *k;  holos_value value;
 *     if (holos_knowledge_open("file:kalah6", NULL, NULL, &k, &err) != HOLOS_OK) ...err.message...
 *     holos_parse(holos_knowledge_variant(k), "0,0,1,0,0,2,20/0,1,0,0,3,1,20 1", p, &err);
 *     if (holos_knowledge_find(k, p, &value, &err) != HOLOS_OK) ...damaged...
 *     else if (value.source == HOLOS_SOURCE_NONE) ...not here...
 *     else ...value.lo, value.hi, value.distance... */

#ifndef HOLOS_KNOWLEDGE_H
#define HOLOS_KNOWLEDGE_H

#include <holos/solve.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct holos_knowledge holos_knowledge;

/* Zero is the default everywhere. */
typedef struct holos_knowledge_options {
    size_t memory;    /* cache size in bytes; 0: half of what the system can spare */
    const char *data; /* the folder of the shipped data; NULL: holos_data_folder */
} holos_knowledge_options;

/* Opens a URL (file:DIR, sqlite:FILE, postgres://…) or a plain path, whose content shows what it is. Separate several
 * folders of tables with colons. `v` is the variant it must serve; NULL: the one it was made for, or for a
 * game's own tables the default variant. `options` may be NULL. Refuses what was made for other rules,
 * naming both, and what is unfinished, with the reason. `v` must outlive the knowledge. */
HOLOS_API holos_status holos_knowledge_open(const char *url, const holos_variant *v,
                                            const holos_knowledge_options *options, holos_knowledge **out,
                                            holos_error *err);
/* Opens the book or the tables that ship with holos for a variant. *out is NULL if there are none. */
HOLOS_API holos_status holos_knowledge_open_shipped(const holos_variant *v,
                                                    const holos_knowledge_options *options,
                                                    holos_knowledge **out, holos_error *err);
HOLOS_API void holos_knowledge_close(holos_knowledge *k); /* may be NULL */

/* The variant it was opened for, or else made for. */
HOLOS_API const holos_variant *holos_knowledge_variant(const holos_knowledge *k);
/* "database", "graph", "book", "hologram"; for a game's own format, its name: "Syzygy tables". */
HOLOS_API const char *holos_knowledge_kind(const holos_knowledge *k);

/* Looks a position up. There are three answers: HOLOS_OK with a value and its distances, if known; HOLOS_OK
 * with the range of scores and the source "none" if the position is not here; or an error if its place
 * cannot be read. Several threads may call this at once. */
HOLOS_API holos_status holos_knowledge_find(holos_knowledge *k, const holos_position *position,
                                            holos_value *out, holos_error *err);
/* Why a position is unknown: HOLOS_UNSUPPORTED with the names of what is missing, or HOLOS_LIMIT if it is
 * just not here. HOLOS_OK: it is known. */
HOLOS_API holos_status holos_knowledge_why(holos_knowledge *k, const holos_position *position,
                                           holos_error *err);

/* The next positions that it knows, at most `capacity`: position i at the byte offset i * holos_position_size, and its value in values[i].
 * *count 0: there are no more. Every position comes once, of symmetric ones perhaps only one; the order is its own. The cursor may be
 * kept, for as long as nobody writes there. HOLOS_UNSUPPORTED if this kind of knowledge cannot be listed. */
HOLOS_API holos_status holos_knowledge_walk(holos_knowledge *k, holos_cursor *cursor,
                                            holos_position *positions, holos_value *values, size_t capacity,
                                            size_t *count, holos_error *err);

/* The knowledge as a boundary for solvers and waves, valid while it is open. NULL for NULL. With the lookup
 * engine, a solver finds best moves, the value of every move and lines of best play from it alone. */
HOLOS_API const holos_boundary *holos_knowledge_boundary(const holos_knowledge *k);

/* What players of a game call its distances. */
typedef struct holos_distance_words {
    const char *end, *conversion;             /* for programs: "dtm", "dtz" */
    const char *end_title, *conversion_title; /* for people: "DTM", "DTZ" */
    const char *event;                        /* what the end is: "mate" */
    const char *legend;                       /* what the titles mean, in a sentence */
    const char *const *moves; /* what to call moves of each score, from the lowest up: "losses", … */
} holos_distance_words;

/* NULL for a game without its own words. */
HOLOS_API const holos_distance_words *holos_game_distance_words(const holos_game *game);

/* The folder of the data that ships with holos: $HOLOS_DATA if set; otherwise the folder installed with the
 * library, or `data` in the source tree if the library runs from its build folder. Like snprintf. */
HOLOS_API size_t holos_data_folder(char *out, size_t size);

/* The path of the hologram at a URL, existing or not: DIR/hologram for file:DIR or the path of a folder; the
 * path itself for the path of a hologram. HOLOS_USAGE for other URLs. */
HOLOS_API holos_status holos_hologram_path(const char *url, char *out, size_t size, holos_error *err);

#ifdef __cplusplus
}
#endif

#endif
