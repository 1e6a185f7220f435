/* SPDX-License-Identifier: MIT */

/* A booklet: puzzles on pages to print, the solutions on pages of their own at the back. It is a folder of SVG files, a
 * page each (A4), and an index.html that shows and prints all of them. */

#ifndef HOLOS_CLI_BOOKLET_H
#define HOLOS_CLI_BOOKLET_H

#include "game/game.h"

typedef struct booklet booklet;

/* `per_page`: puzzles on a page, 1 to 12. HOLOS_UNSUPPORTED if there are no pictures of the game. */
holos_status booklet_open(const holos_variant *v, const char *folder, unsigned per_page, booklet **out,
                          holos_error *err);
/* Adds a puzzle that has a solution; `rating` may be NULL. */
holos_status booklet_add(booklet *b, const holos_position *p, const holos_rating *rating, holos_error *err);
/* Writes the pages, and how many there are to *pages. */
holos_status booklet_write(const booklet *b, unsigned *pages, holos_error *err);
void booklet_close(booklet *b);

#endif
