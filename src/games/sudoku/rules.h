/* SPDX-License-Identifier: MIT */

/* The usual sudoku, as the fast solver sees it: 81 cells in row-major order. Sets of digits are masks: bit d - 1
 * stands for digit d. */

#ifndef HOLOS_SUDOKU_RULES_H
#define HOLOS_SUDOKU_RULES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define SUDOKU_CELLS 81
#define SUDOKU_ALL   0x1ffu /* all nine digits */

static inline unsigned sudoku_row(unsigned cell)
{
    return cell / 9;
}

static inline unsigned sudoku_column(unsigned cell)
{
    return cell % 9;
}

static inline unsigned sudoku_box(unsigned cell)
{
    return cell / 27 * 3 + cell % 9 / 3;
}

/* The cell at a place (0 to 8) of a house: houses 0 to 8 are the rows, then come the columns, then the
 * boxes. */
static inline unsigned sudoku_house_cell(unsigned house, unsigned place)
{
    if (house < 9)
        return house * 9 + place;
    if (house < 18)
        return place * 9 + house - 9;
    return (house - 18) / 3 * 27 + place / 3 * 9 + (house - 18) % 3 * 3 + place % 3;
}

#endif
