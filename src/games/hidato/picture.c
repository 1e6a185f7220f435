/* SPDX-License-Identifier: MIT */

/* A board as SVG: givens in bold, what was filled in lighter, 1 and the last number in circles; of a full board the path,
 * too. A step has the numbers it rests on on green ground (those it supposes on blue), what it places in green, what it
 * rules out in red. */

#include "games/hidato/hidato.h"

#include <math.h>

enum { SIDE = 48, MARGIN = 28 }; /* pixels: of a cell, around the board */

typedef struct picture {
    const hidato_board *b;
    hidato_kind kind;
    const holos_step *step;
    text *out;
} picture;

typedef struct point {
    double x, y;
} point;

/* The middle of a place. Hexagons stand on a corner, and each row begins half a cell further to the right. */
static point middle(const picture *p, unsigned row, unsigned column)
{
    if (p->kind == HIDATO_HEX)
        return (point){MARGIN + SIDE * (column + row / 2.0 + 0.5), MARGIN + SIDE / sqrt(3) * (1.5 * row + 1)};
    return (point){MARGIN + SIDE * (column + 0.5), MARGIN + SIDE * (row + 0.5)};
}

static point place_middle(const picture *p, unsigned place)
{
    return middle(p, place / p->b->columns, place % p->b->columns);
}

static void write_number(text *out, double number)
{
    text_double(out, round(number * 10) / 10, 6);
}

static void write_point(text *out, point at)
{
    write_number(out, at.x);
    text_char(out, ',');
    write_number(out, at.y);
}

static void write_at(text *out, const char *x, const char *y, point at)
{
    text_printf(out, " %s=\"", x);
    write_number(out, at.x);
    text_printf(out, "\" %s=\"", y);
    write_number(out, at.y);
    text_char(out, '"');
}

static void write_label(text *out, const char *class, point at, unsigned number)
{
    text_printf(out, "<text class=\"%s\"", class);
    write_at(out, "x", "y", at);
    text_printf(out, " dy=\".35em\">%u</text>\n", number);
}

/* ---- Cells --------------------------------------------------------------------------------------- */

static unsigned cell_of(const picture *p, unsigned place)
{
    return place / p->b->columns * HIDATO_SIDE + place % p->b->columns;
}

/* The ground of a cell: what the step has to do with it. */
static const char *ground(const picture *p, unsigned place)
{
    unsigned cell = cell_of(p, place);
    for (unsigned i = 0; p->step != NULL && i < p->step->mark_count; i++)
        if (p->step->marks[i].candidate.cell == cell)
            return p->step->marks[i].role == HOLOS_ROLE_PATTERN ? "c p" : "c o";
    return "c";
}

static void write_ground(const picture *p, unsigned place)
{
    point at = place_middle(p, place);
    if (p->kind != HIDATO_HEX) {
        text_printf(p->out, "<rect class=\"%s\"", ground(p, place));
        write_at(p->out, "x", "y", (point){at.x - SIDE / 2.0, at.y - SIDE / 2.0});
        text_printf(p->out, " width=\"%d\" height=\"%d\"/>\n", SIDE, SIDE);
        return;
    }
    double radius = SIDE / sqrt(3);
    text_printf(p->out, "<polygon class=\"%s\" points=\"", ground(p, place));
    for (unsigned i = 0; i < 6; i++) {
        double angle = M_PI / 6 + i * M_PI / 3;
        text_string(p->out, i > 0 ? " " : "");
        write_point(p->out, (point){at.x + radius * cos(angle), at.y + radius * sin(angle)});
    }
    text_string(p->out, "\"/>\n");
}

/* What the step rules out of an empty cell, as far as there is room. */
static void write_struck(const picture *p, unsigned place)
{
    enum { ROOM = 4 };
    unsigned count = 0, cell = cell_of(p, place);
    point at = place_middle(p, place);
    for (unsigned i = 0; i < p->step->elimination_count && count < ROOM; i++) {
        if (p->step->eliminations[i].cell != cell)
            continue;
        point corner = {at.x + (count % 2 == 0 ? -1 : 1) * SIDE / 4.5,
                        at.y + (count < 2 ? -1 : 1) * SIDE / 5.0};
        write_label(p->out, "x", corner, p->step->eliminations[i].value);
        count++;
    }
}

static unsigned placed_by_step(const picture *p, unsigned place)
{
    for (unsigned i = 0; i < p->step->placement_count; i++)
        if (p->step->placements[i].cell == cell_of(p, place))
            return p->step->placements[i].value;
    return 0;
}

static void write_cell(const picture *p, unsigned place)
{
    unsigned number = p->b->numbers[place];
    point at = place_middle(p, place);
    if (number == 1 || number == p->b->cells) {
        text_string(p->out, "<circle class=\"e\"");
        write_at(p->out, "cx", "cy", at);
        text_printf(p->out, " r=\"%d\"/>\n", SIDE * 2 / 5);
    }
    if (number != 0) {
        write_label(p->out, hidato_is_given(p->b, place) ? "g" : "f", at, number);
    } else if (p->step != NULL) {
        unsigned placed = placed_by_step(p, place);
        if (placed != 0)
            write_label(p->out, "g n", at, placed);
        else
            write_struck(p, place);
    }
}

/* ---- Around the cells ------------------------------------------------------------------------------- */

static void write_path(const picture *p)
{
    uint16_t where[HIDATO_PLACES + 1] = {0};
    for (unsigned place = 0; place < (unsigned)p->b->rows * p->b->columns; place++)
        if (p->b->numbers[place] != HIDATO_HOLE)
            where[p->b->numbers[place]] = (uint16_t)place;
    text_string(p->out, "<polyline class=\"w\" points=\"");
    for (unsigned number = 1; number <= p->b->cells; number++) {
        text_string(p->out, number > 1 ? " " : "");
        write_point(p->out, place_middle(p, where[number]));
    }
    text_string(p->out, "\"/>\n");
}

/* The names of rows and columns, as r3c7 has them. */
static void write_names(const picture *p)
{
    for (unsigned column = 0; column < p->b->columns; column++)
        write_label(p->out, "h", (point){middle(p, 0, column).x, MARGIN / 2.0}, column + 1);
    for (unsigned row = 0; row < p->b->rows; row++) {
        point at = middle(p, row, 0);
        write_label(p->out, "h", (point){at.x - SIDE / 2.0 - MARGIN / 2.0, at.y}, row + 1);
    }
}

static void write_head(const picture *p)
{
    point corner = middle(p, p->b->rows - 1u, p->b->columns - 1u);
    double below = p->kind == HIDATO_HEX ? SIDE / sqrt(3) : SIDE / 2.0;
    unsigned width = (unsigned)ceil(corner.x + SIDE / 2.0 + MARGIN),
             height = (unsigned)ceil(corner.y + below + MARGIN);
    unsigned large = p->b->cells < 100 ? SIDE * 9 / 20 : p->b->cells < 1000 ? SIDE * 2 / 5 : SIDE * 3 / 10;
    text_printf(
        p->out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\">\n"
        "<style>\n"
        "text{font-family:sans-serif;text-anchor:middle}\n"
        ".g{font-size:%upx;font-weight:bold;fill:#111}.f{font-size:%upx;fill:#1656b0}text.n{fill:#2a8a3c}\n"
        ".x{font-size:%dpx;font-weight:bold;fill:#c8322b}.h{font-size:12px;fill:#999}\n"
        ".c{fill:#fff;stroke:#555;stroke-width:1.5}.p{fill:#d9f0dc}.o{fill:#dbe6fa}\n"
        ".e{fill:none;stroke:#111;stroke-width:1.5}\n"
        ".w{fill:none;stroke:#f0b429;stroke-width:5;stroke-linecap:round;stroke-linejoin:round;opacity:.55}\n"
        "</style>\n"
        "<rect width=\"%u\" height=\"%u\" fill=\"#fff\"/>\n",
        width, height, width, height, large, large, SIDE / 4, width, height);
}

void hidato_picture(const holos_variant *v, const holos_position *position, const holos_step *step, text *out)
{
    const hidato_board *b = hidato_board_of(position);
    const picture p = {.b = b, .kind = hidato_kind_of(v), .step = step, .out = out};
    unsigned places = (unsigned)b->rows * b->columns;
    write_head(&p);
    for (unsigned place = 0; place < places; place++)
        if (b->numbers[place] != HIDATO_HOLE)
            write_ground(&p, place);
    if (b->filled == b->cells)
        write_path(&p);
    for (unsigned place = 0; place < places; place++)
        if (b->numbers[place] != HIDATO_HOLE)
            write_cell(&p, place);
    write_names(&p);
    text_string(out, "</svg>\n");
}
