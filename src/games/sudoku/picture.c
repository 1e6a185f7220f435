/* SPDX-License-Identifier: MIT */

/* A grid as SVG: givens, what was filled in, candidates, and a step: its houses tinted, the candidates of its pattern
 * in green (the other side in blue), what it strikes in red, what it places as a large digit in green. */

#include "games/sudoku/sudoku.h"

enum { SIDE = 60, MARGIN = 30 }; /* pixels: of a cell, around the grid */

/* How a candidate is shown. */
typedef enum picture_look { LOOK_PLAIN, LOOK_PATTERN, LOOK_OTHER, LOOK_STRUCK, LOOK_PLACED } picture_look;

static const char *const look_classes[] = {"c", "c p", "c o", "c x", "c p"};

static bool is_listed(const holos_candidate *list, unsigned count, unsigned cell, unsigned digit)
{
    for (unsigned i = 0; i < count; i++)
        if (list[i].cell == cell && list[i].value == digit)
            return true;
    return false;
}

static picture_look look_of(const holos_step *step, unsigned cell, unsigned digit)
{
    if (step == NULL)
        return LOOK_PLAIN;
    if (is_listed(step->eliminations, step->elimination_count, cell, digit))
        return LOOK_STRUCK;
    if (is_listed(step->placements, step->placement_count, cell, digit))
        return LOOK_PLACED;
    for (unsigned i = 0; i < step->mark_count; i++)
        if (step->marks[i].candidate.cell == cell && step->marks[i].candidate.value == digit)
            return step->marks[i].role == HOLOS_ROLE_PATTERN ? LOOK_PATTERN : LOOK_OTHER;
    return LOOK_PLAIN;
}

static unsigned left(const sudoku_shape *shape, unsigned cell)
{
    return MARGIN + SIDE * shape_column(shape, cell);
}

static unsigned top(const sudoku_shape *shape, unsigned cell)
{
    return MARGIN + SIDE * shape_row(shape, cell);
}

static void write_tint(const sudoku_shape *shape, const holos_step *step, text *out)
{
    for (unsigned cell = 0; cell < shape->cells; cell++) {
        const char *tint = NULL;
        for (unsigned house = 3 * shape->size; house < shape->houses; house++)
            if (cellset_has(&shape->house_set[house], cell))
                tint = "extra";
        for (unsigned i = 0; step != NULL && i < step->house_count; i++)
            if (cellset_has(&shape->house_set[step->houses[i]], cell))
                tint = "house";
        if (tint != NULL)
            text_printf(out, "<rect class=\"%s\" x=\"%u\" y=\"%u\" width=\"%d\" height=\"%d\"/>\n", tint,
                        left(shape, cell), top(shape, cell), SIDE, SIDE);
    }
}

static void write_candidate(const sudoku_shape *shape, const holos_step *step, unsigned cell, unsigned digit,
                            text *out)
{
    unsigned across = shape->box_columns, down = shape->box_rows;
    picture_look look = look_of(step, cell, digit);
    unsigned x = left(shape, cell) + SIDE * (2 * ((digit - 1) % across) + 1) / (2 * across);
    unsigned y = top(shape, cell) + SIDE * (2 * ((digit - 1) / across) + 1) / (2 * down);
    unsigned radius = SIDE / (2 * (across > down ? across : down)) - 1;
    if (look != LOOK_PLAIN)
        text_printf(out, "<circle class=\"%s\" cx=\"%u\" cy=\"%u\" r=\"%u\"/>\n", look_classes[look] + 2, x,
                    y, radius);
    text_printf(out, "<text class=\"%s\" x=\"%u\" y=\"%u\" dy=\".35em\">%c</text>\n", look_classes[look], x,
                y, shape_digit(digit));
}

static void write_cell(const sudoku_shape *shape, const holos_position *p, const holos_step *step,
                       unsigned cell, unsigned candidates, text *out)
{
    unsigned digit = sudoku_cells(p)[cell];
    if (digit != 0) {
        text_printf(out, "<text class=\"%s\" x=\"%u\" y=\"%u\" dy=\".35em\">%c</text>\n",
                    sudoku_is_given(shape, p, cell) ? "g" : "f", left(shape, cell) + SIDE / 2,
                    top(shape, cell) + SIDE / 2, shape_digit(digit));
        return;
    }
    for (; candidates != 0; candidates &= candidates - 1)
        write_candidate(shape, step, cell, (unsigned)__builtin_ctz(candidates) + 1, out);
}

static void write_lines(const sudoku_shape *shape, text *out)
{
    unsigned end = MARGIN + SIDE * shape->size;
    for (unsigned i = 0; i <= shape->size; i++) {
        unsigned at = MARGIN + SIDE * i;
        text_printf(out, "<path class=\"%s\" d=\"M%d %uH%u\"/>\n", i % shape->box_rows == 0 ? "b" : "l",
                    MARGIN, at, end);
        text_printf(out, "<path class=\"%s\" d=\"M%u %dV%u\"/>\n", i % shape->box_columns == 0 ? "b" : "l",
                    at, MARGIN, end);
    }
    for (unsigned i = 0; i < shape->size; i++) {
        unsigned at = MARGIN + SIDE * i + SIDE / 2;
        text_printf(out, "<text class=\"n\" x=\"%u\" y=\"%d\" dy=\".35em\">%u</text>\n", at, MARGIN / 2,
                    i + 1);
        text_printf(out, "<text class=\"n\" x=\"%d\" y=\"%u\" dy=\".35em\">%u</text>\n", MARGIN / 2, at,
                    i + 1);
    }
}

void sudoku_picture(const holos_variant *v, const holos_position *p, const holos_step *step, text *out)
{
    const sudoku_shape *shape = sudoku_shape_of(v);
    uint16_t candidates[SHAPE_CELLS];
    unsigned side = 2 * MARGIN + SIDE * shape->size;
    bool pencil = step != NULL || sudoku_has_erased(shape, p);
    sudoku_candidates_of(shape, p, candidates);
    text_printf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\">\n"
        "<style>\n"
        "text{font-family:sans-serif;text-anchor:middle}\n"
        ".g{font-size:%dpx;font-weight:bold;fill:#111}.f{font-size:%dpx;fill:#1656b0}\n"
        ".c{font-size:%upx;fill:#777}.n{font-size:12px;fill:#999}\n"
        "text.p,text.o,text.x{fill:#fff;font-weight:bold}\n"
        "circle.p{fill:#2a8a3c}circle.o{fill:#3a6fd0}circle.x{fill:#c8322b}\n"
        ".l{stroke:#999;stroke-width:1}.b{stroke:#111;stroke-width:3;stroke-linecap:square}\n"
        ".house{fill:#fdf1c7}.extra{fill:#eceef2}\n"
        "</style>\n"
        "<rect width=\"%u\" height=\"%u\" fill=\"#fff\"/>\n",
        side, side, side, side, SIDE * 3 / 5, SIDE * 3 / 5, SIDE * 4 / (5 * shape->box_columns), side, side);
    write_tint(shape, step, out);
    for (unsigned cell = 0; cell < shape->cells; cell++)
        write_cell(shape, p, step, cell, pencil ? candidates[cell] : 0, out);
    write_lines(shape, out);
    text_string(out, "</svg>\n");
}
