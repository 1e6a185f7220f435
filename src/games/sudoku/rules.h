/* SPDX-License-Identifier: MIT */

/* The rules of sudoku: 81 cells in row-major order, and the digits that each may still hold. Sets of digits
 * are masks: bit d - 1 stands for digit d. */

#ifndef HOLOS_SUDOKU_RULES_H
#define HOLOS_SUDOKU_RULES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define SUDOKU_CELLS 81
#define SUDOKU_ALL   0x1ffu /* all nine digits */

/* A position: what the cells hold (0: nothing), and which of them are givens, a bit each. */
typedef struct sudoku_board {
    uint8_t cells[SUDOKU_CELLS];
    uint8_t given[11];
    uint8_t unused[4]; /* 0 */
} sudoku_board;

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

static inline bool sudoku_is_given(const sudoku_board *board, unsigned cell)
{
    return (board->given[cell / 8] >> cell % 8 & 1) != 0;
}

static inline void sudoku_set_given(sudoku_board *board, unsigned cell)
{
    board->given[cell / 8] = (uint8_t)(board->given[cell / 8] | 1u << cell % 8);
}

/* The digits in each row, column and box. */
typedef struct sudoku_houses {
    uint16_t rows[9], columns[9], boxes[9];
} sudoku_houses;

static inline sudoku_houses sudoku_houses_of(const uint8_t cells[SUDOKU_CELLS])
{
    sudoku_houses houses = {0};
    for (unsigned cell = 0; cell < SUDOKU_CELLS; cell++) {
        uint16_t digit = (uint16_t)(1u << cells[cell] >> 1); /* an empty cell adds nothing */
        houses.rows[sudoku_row(cell)] |= digit;
        houses.columns[sudoku_column(cell)] |= digit;
        houses.boxes[sudoku_box(cell)] |= digit;
    }
    return houses;
}

/* The digits that no cell seen from this one holds. */
static inline unsigned sudoku_candidates(const sudoku_houses *houses, unsigned cell)
{
    return SUDOKU_ALL & ~(unsigned)(houses->rows[sudoku_row(cell)] | houses->columns[sudoku_column(cell)] |
                                    houses->boxes[sudoku_box(cell)]);
}

#endif
