/* SPDX-License-Identifier: MIT */

#include "games/chess/chess.h"

#include "games/chess/fen.h"

enum { SIDE = 48, MARGIN = 22 }; /* pixels: of a square, around the board */

void chess_draw(const holos_variant *v, const holos_position *position, text *out)
{
    const chess_position *p = chess_of(position);
    int32_t score;
    for (unsigned rank = 8; rank-- > 0; text_char(out, '\n')) {
        text_printf(out, "%u ", rank + 1);
        for (unsigned file = 0; file < 8; file++)
            text_printf(out, " %c", fen_piece_char(position_piece_at(p, 8 * rank + file)));
    }
    text_string(out, "   a b c d e f g h\n");
    text_printf(out, "%s to move", p->side == CHESS_WHITE ? "white" : "black");
    if (v->game->terminal(v, position, &score))
        text_string(out, score != 0 ? ": checkmate" : ": a draw");
    else if (position_in_check(p, p->side))
        text_string(out, ", in check");
    text_char(out, '\n');
}

/* The solid figures of Unicode for both sides, so that white ones can be filled. */
static void picture_piece(unsigned piece, unsigned x, unsigned y, text *out)
{
    static const char *const figures[] = {"", "♟", "♞", "♝", "♜", "♛", "♚"};
    text_printf(out, "<text class=\"%s\" x=\"%u\" y=\"%u\">%s</text>\n",
                piece_side(piece) == CHESS_WHITE ? "w" : "b", x + SIDE / 2, y + SIDE * 4 / 5,
                figures[piece_kind(piece)]);
}

void chess_picture(const holos_variant *v, const holos_position *position, const holos_step *step, text *out)
{
    (void)v;
    (void)step; /* there are no deductions */
    const chess_position *p = chess_of(position);
    unsigned size = 8 * SIDE + 2 * MARGIN;
    text_printf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
                "viewBox=\"0 0 %u %u\">\n"
                "<style>\n"
                "text{font-family:sans-serif;font-size:13px;text-anchor:middle;fill:#777}\n"
                ".l{fill:#f0d9b5}.d{fill:#b58863}\n"
                ".w,.b{font-size:%dpx;font-family:serif;stroke-width:1.2;paint-order:stroke}\n"
                ".w{fill:#fff;stroke:#000}.b{fill:#000;stroke:#ddd}\n"
                "</style>\n"
                "<rect width=\"%u\" height=\"%u\" fill=\"#fff\"/>\n",
                size, size, size, size, SIDE * 5 / 6, size, size);
    for (unsigned square = 0; square < 64; square++) {
        unsigned file = chess_file_of(square), rank = chess_rank_of(square);
        unsigned x = MARGIN + SIDE * file, y = MARGIN + SIDE * (7 - rank),
                 piece = position_piece_at(p, square);
        text_printf(out, "<rect class=\"%s\" x=\"%u\" y=\"%u\" width=\"%d\" height=\"%d\"/>\n",
                    (file + rank) % 2 == 0 ? "d" : "l", x, y, SIDE, SIDE);
        if (piece != 0)
            picture_piece(piece, x, y, out);
    }
    for (unsigned i = 0; i < 8; i++)
        text_printf(out,
                    "<text x=\"%u\" y=\"%u\">%c</text>\n"
                    "<text x=\"%d\" y=\"%u\">%u</text>\n",
                    MARGIN + SIDE * i + SIDE / 2, size - 6, 'a' + (int)i, MARGIN / 2,
                    MARGIN + SIDE * (7 - i) + SIDE / 2 + 5, i + 1);
    /* A dot beside the board of the side to move. */
    text_printf(out, "<circle cx=\"%u\" cy=\"%u\" r=\"6\" fill=\"%s\" stroke=\"#000\"/>\n", size - MARGIN / 2,
                p->side == CHESS_WHITE ? size - MARGIN - 8 : MARGIN + 8u,
                p->side == CHESS_WHITE ? "#fff" : "#000");
    text_string(out, "</svg>\n");
}
