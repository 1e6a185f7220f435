/* SPDX-License-Identifier: MIT */

/* One of Syzygy's files: WDL (.rtbw: win, draw or loss, and whether the fifty-move rule spoils it) or DTZ (.rtbz: plies to
 * the next capture or pawn's move), as the values that are stored. What they mean for a position is probe.c's affair.
 *
 * DTM tables (.hdtm: moves to mate, without the fifty-move rule) are of our own: the same container with another magic
 * number, both sides to move. Their values are mate bytes (layout.h), with 0 for 255, mate in one move. */

#ifndef HOLOS_CHESS_TABLES_SYZYGY_H
#define HOLOS_CHESS_TABLES_SYZYGY_H

#include "core/file.h"
#include "games/chess/tables/index.h"
#include "games/chess/tables/pairs.h"

#define SYZYGY_WDL_MAGIC "\x71\xE8\x23\x5D"
#define SYZYGY_DTZ_MAGIC "\xD7\x66\x0C\xA5"
#define SYZYGY_DTM_MAGIC "\x68\x44\x54\x4D"

typedef enum syzygy_kind { SYZYGY_WDL, SYZYGY_DTZ, SYZYGY_DTM } syzygy_kind;

#define SYZYGY_KINDS 3

/* One sequence of values: of a side to move (WDL) and of a file of the leading pawn. */
typedef struct syzygy_part {
    index_encoding encoding;
    pairs values;
    const unsigned char *lists[4]; /* DTZ with PAIRS_MAPPED: for wins, losses, cursed wins, blessed losses */
    uint16_t list_sizes[4];
} syzygy_part;

typedef struct syzygy {
    tb_key key; /* canonical */
    syzygy_kind kind;
    bool symmetric;  /* both sides have the same pieces */
    uint8_t sides;   /* to move, that are stored: 1 or 2 */
    uint8_t files;   /* 4 with pawns, otherwise 1 */
    uint8_t leading; /* the code of the leading pawns, as stored; 0 without pawns */
    file_view view;
    syzygy_part parts[2][4];
} syzygy;

/* The ending of a file's name. */
static inline const char *syzygy_suffix(syzygy_kind kind)
{
    return kind == SYZYGY_WDL ? ".rtbw" : kind == SYZYGY_DTZ ? ".rtbz" : ".hdtm";
}

/* A table is checked as a whole when it is opened: the format has one checksum for all of it. Only larger files of six and more
 * pieces are not, because that would take as long as to read them; `store verify` checks them. */
#define SYZYGY_CHECKED_MOST   ((size_t)256 << 20)
#define SYZYGY_CHECKED_PIECES 5

/* Compares the checksum at the end of a table. HOLOS_BAD_FILE: it does not fit. */
holos_status syzygy_check(const unsigned char *bytes, size_t size, const char *name, holos_error *err);

/* Opens the table of a canonical material. HOLOS_BAD_FILE with the reason if it is something else or damaged. */
holos_status syzygy_open(syzygy *s, const index_maps *m, tb_key key, syzygy_kind kind, const char *path,
                         holos_error *err);
/* The same of bytes that the caller keeps. `name` is for messages. */
holos_status syzygy_open_bytes(syzygy *s, const index_maps *m, tb_key key, syzygy_kind kind,
                               const unsigned char *bytes, size_t size, const char *name, holos_error *err);
void syzygy_close(syzygy *s);

typedef enum syzygy_answer { SYZYGY_FOUND, SYZYGY_OTHER_SIDE, SYZYGY_DAMAGED } syzygy_answer;

/* Where a table has what it stores of a position. */
typedef struct syzygy_place {
    const syzygy_part *part;
    uint64_t index;
} syzygy_place;

/* Finds the place of a position of this material, in either colour, and lets the processor fetch what stands there while the
 * caller does something else. SYZYGY_OTHER_SIDE: DTZ is stored for the other side to move only. */
syzygy_answer syzygy_locate(const syzygy *s, const index_maps *m, const chess_position *p, tb_key key,
                            syzygy_place *out);
/* What is stored there: WDL -2 … 2 for the side to move; DTZ (which needs to be told the position's WDL) in plies, at least
 * 1; DTM a mate byte. */
syzygy_answer syzygy_read(const syzygy *s, const syzygy_place *place, int wdl, int *out);

/* Whether the DTZ there is in plies: otherwise it may be one short. */
bool syzygy_has_plies(const syzygy_place *place, int wdl);

/* Both at once. */
static inline syzygy_answer syzygy_get(const syzygy *s, const index_maps *m, const chess_position *p,
                                       tb_key key, int wdl, int *out)
{
    syzygy_place place;
    syzygy_answer answer = syzygy_locate(s, m, p, key, &place);
    return answer == SYZYGY_FOUND ? syzygy_read(s, &place, wdl, out) : answer;
}

#endif
