/* SPDX-License-Identifier: MIT */

/* holos: pictures. A position or a step of a puzzle as SVG, scenes as JSON, and booklets of puzzles to print. */

#ifndef HOLOS_PICTURE_H
#define HOLOS_PICTURE_H

#include <holos/puzzle.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether positions of a game can be drawn as SVG. */
HOLOS_API bool holos_has_pictures(const holos_game *game);

/* The position as an SVG document, with a step drawn on it unless `step` is NULL. Like snprintf; 0 if the
 * game has no pictures. */
HOLOS_API size_t holos_picture(const holos_variant *v, const holos_position *position, const holos_step *step,
                               char *out, size_t size);

/* Whether positions of a game have scenes. */
HOLOS_API bool holos_has_scenes(const holos_game *game);

/* What stands where, for a program that draws the board itself: a JSON object with the rows, the columns, what each
 * cell holds, and the cells of every legal move; for a puzzle, the givens and the candidates. docs/http.md lists the
 * members. Like snprintf; 0 if the game has no scenes. */
HOLOS_API size_t holos_scene(const holos_variant *v, const holos_position *position, char *out, size_t size);

/* A booklet: puzzles on A4 pages to print, with the solutions at the back. It is a folder with one SVG file
 * per page, and an index.html that shows and prints them all. */
typedef struct holos_booklet holos_booklet;

#define HOLOS_BOOKLET_PER_PAGE_MOST 12

/* `per_page`: puzzles per page, 1 to HOLOS_BOOKLET_PER_PAGE_MOST. Creates the folder if it is missing.
 * HOLOS_UNSUPPORTED if the game has no pictures of puzzles. */
HOLOS_API holos_status holos_booklet_open(const holos_variant *v, const char *folder, unsigned per_page,
                                          holos_booklet **out, holos_error *err);
/* Adds a puzzle and finds its solution, within `limits` (may be NULL). `rating` may be NULL. */
HOLOS_API holos_status holos_booklet_add(holos_booklet *b, const holos_position *position,
                                         const holos_rating *rating, const holos_limits *limits,
                                         holos_error *err);
/* Writes the pages. *pages is how many there are (`pages` may be NULL). */
HOLOS_API holos_status holos_booklet_write(const holos_booklet *b, unsigned *pages, holos_error *err);
HOLOS_API void holos_booklet_close(holos_booklet *b); /* may be NULL */

#ifdef __cplusplus
}
#endif

#endif
