/* SPDX-License-Identifier: MIT */

/* holos: games, their variants, positions and moves. */

#ifndef HOLOS_GAMES_H
#define HOLOS_GAMES_H

#include <holos/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Games and variants --------------------------------------------------------------------- */

typedef struct holos_game holos_game;         /* the rules of a game, and what it can do */
typedef struct holos_variant holos_variant;   /* a game opened with its variant: "kalah:4,3" */
typedef struct holos_position holos_position; /* a position: flat, may be copied with memcpy */

/* Traits of a game. */
enum {
    HOLOS_TRAIT_SOLITAIRE = 1 << 0, /* one player: a position is worth what its best move is worth */
    HOLOS_TRAIT_CYCLIC = 1 << 1,    /* a position can repeat */
    HOLOS_TRAIT_SAME_SIDE = 1 << 2, /* the same side may move again */
    HOLOS_TRAIT_GAINS = 1 << 3,     /* moves bank points that cannot be lost again */
    HOLOS_TRAIT_PUZZLE = 1 << 4,    /* positions have solutions: solvable or not, one or many */
};

/* The built-in games, in the order of the list. */
HOLOS_API size_t holos_game_count(void);
HOLOS_API const holos_game *holos_game_at(size_t index); /* NULL past the end */
HOLOS_API const holos_game *holos_game_find(const char *name, size_t length);

HOLOS_API const char *holos_game_name(const holos_game *game);
HOLOS_API const char *holos_game_title(const holos_game *game);
HOLOS_API const char *holos_game_summary(const holos_game *game);       /* one sentence */
HOLOS_API const char *holos_game_variant_help(const holos_game *game);  /* what may follow the colon */
HOLOS_API const char *holos_game_position_help(const holos_game *game); /* how a position is written */
HOLOS_API const char *holos_game_score_help(const holos_game *game);    /* what a score means */
HOLOS_API uint32_t holos_game_traits(const holos_game *game);
/* Interesting positions of the default variant; NULL past the end. */
HOLOS_API const char *holos_game_example(const holos_game *game, size_t index);
/* Protocols of other programs that are usually about this game: "nboard". NULL past the end. */
HOLOS_API const char *holos_game_protocol(const holos_game *game, size_t index);
/* Example commands for the program ("solve connect4 4453"), and what each one shows. False past the end. */
HOLOS_API bool holos_game_usage(const holos_game *game, size_t index, const char **command,
                                const char **what);

/* Opens "GAME" or "GAME:VARIANT". The caller closes it. */
HOLOS_API holos_status holos_open(const char *name, holos_variant **out, holos_error *err);
HOLOS_API void holos_close(holos_variant *v);

HOLOS_API const holos_game *holos_variant_game(const holos_variant *v);
HOLOS_API const char *holos_variant_name(const holos_variant *v); /* in full: "connect4:7x6" */
HOLOS_API void holos_score_range(const holos_variant *v, int32_t *min, int32_t *max);
/* A score as a word: "win", "draw", "loss"; for a puzzle, "solvable" or "unsolvable". */
HOLOS_API const char *holos_outcome(const holos_variant *v, int32_t score);

/* ---- Positions and moves -------------------------------------------------------------------- */

typedef uint32_t holos_move; /* encoded by the game; holos_format_move makes it readable */

/* Callers may also provide the memory for a position: holos_position_size bytes, aligned to 16. */
HOLOS_API size_t holos_position_size(const holos_variant *v);
/* A new position: the start, or all zero if the game has none. NULL: out of memory. */
HOLOS_API holos_position *holos_position_new(const holos_variant *v);
HOLOS_API void holos_position_free(holos_position *position);

/* HOLOS_UNSUPPORTED if the game has no start position (a puzzle). */
HOLOS_API holos_status holos_start(const holos_variant *v, holos_position *out, holos_error *err);

/* Reads a position. "start" is the start position of any game that has one. Every position that this accepts is safe to
 * pass to every other function. */
HOLOS_API holos_status holos_parse(const holos_variant *v, const char *text, holos_position *out,
                                   holos_error *err);

/* Like snprintf: writes at most `size` bytes with the final 0, returns the length it would have had. */
HOLOS_API size_t holos_format(const holos_variant *v, const holos_position *position, char *out, size_t size);
/* The position as a text board of several lines. */
HOLOS_API size_t holos_draw(const holos_variant *v, const holos_position *position, char *out, size_t size);

/* The side to move: 0 for the first player, 1 for the second. */
HOLOS_API unsigned holos_side_to_move(const holos_variant *v, const holos_position *position);

/* True if the game is over; *out is then the value. */
HOLOS_API bool holos_terminal(const holos_variant *v, const holos_position *position, holos_value *out);

/* The legal moves in the game's natural order: writes at most `capacity`, returns how many there are. */
HOLOS_API size_t holos_moves(const holos_variant *v, const holos_position *position, holos_move *out,
                             size_t capacity);
HOLOS_API holos_status holos_parse_move(const holos_variant *v, const holos_position *position,
                                        const char *text, holos_move *out, holos_error *err);
/* Like holos_format; "?" for a move that is not legal here. */
HOLOS_API size_t holos_format_move(const holos_variant *v, const holos_position *position, holos_move move,
                                   char *out, size_t size);
/* The same for a move that is known to be legal, such as one from a result; faster, because it is not checked. */
HOLOS_API size_t holos_format_legal(const holos_variant *v, const holos_position *position, holos_move move,
                                    char *out, size_t size);
/* A move that is known to be legal as other programs write it, such as "e2e4" in chess; in most games the same as
 * holos_format_legal. */
HOLOS_API size_t holos_spell_move(const holos_variant *v, const holos_position *position, holos_move move,
                                  char *out, size_t size);
/* A line of legal moves from a position as people write it, with move numbers if the game uses them. Stops
 * before the first illegal move. Like snprintf. */
HOLOS_API size_t holos_format_line(const holos_variant *v, const holos_position *position,
                                   const holos_move *line, size_t length, char *out, size_t size);
/* A value in words: "win in 5 plies (score +3)", "between loss and win (score at least -2)"; for a puzzle, "solvable".
 * Like snprintf. */
HOLOS_API size_t holos_format_value(const holos_variant *v, holos_value value, char *out, size_t size);
/* Plays a legal move; `out` may be `position`. HOLOS_BAD_MOVE if the move is not legal here. */
HOLOS_API holos_status holos_play(const holos_variant *v, const holos_position *position, holos_move move,
                                  holos_position *out, holos_error *err);

/* ---- Notations --------------------------------------------------------------------------------- */

/* Other notations for positions, the most common one first: "line", "grid", "sdk". holos_parse reads them
 * all. NULL past the end, and for a game with no notation but that of holos_format. */
HOLOS_API const char *holos_notation_name(const holos_game *game, size_t index);
HOLOS_API const char *holos_notation_summary(const holos_game *game, size_t index);
/* The index of a notation, or SIZE_MAX. */
HOLOS_API size_t holos_notation_find(const holos_game *game, const char *name);
/* The position in this notation, as complete lines. Like snprintf; 0 if there is no such notation. */
HOLOS_API size_t holos_format_as(const holos_variant *v, const holos_position *position, size_t notation,
                                 char *out, size_t size);

/* ---- Kinds of positions ------------------------------------------------------------------------ */

/* In some games, a move can lead to another kind of position with no way back: a capture changes the pieces
 * on the board. Kinds have names, such as "KQvKR"; symmetric ones are the same kind. */
typedef uint64_t holos_kind;

/* The game's word for a kind: "material"; NULL if the game has no kinds. */
HOLOS_API const char *holos_kind_word(const holos_game *game);
/* HOLOS_UNSUPPORTED if the game has no kinds; HOLOS_USAGE, with the reason, if this is not the name of one. */
HOLOS_API holos_status holos_kind_parse(const holos_variant *v, const char *name, holos_kind *out,
                                        holos_error *err);
HOLOS_API size_t holos_kind_format(const holos_variant *v, holos_kind kind, char *out, size_t size);
/* The kind of a position. HOLOS_UNSUPPORTED if the game has no kinds. */
HOLOS_API holos_status holos_kind_of(const holos_variant *v, const holos_position *position, holos_kind *out,
                                     holos_error *err);
/* A random position of a kind. The same seed and number always give the same one. */
HOLOS_API holos_status holos_kind_position(const holos_variant *v, holos_kind kind, uint64_t seed,
                                           uint64_t number, holos_position *out, holos_error *err);

#ifdef __cplusplus
}
#endif

#endif
