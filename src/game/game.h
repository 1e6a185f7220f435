/* SPDX-License-Identifier: MIT */

/* The contract of a game: everything the engines, the program and the page know of it.
 *
 * A game is one folder, one `const holos_game` made with designated initialisers, and one line in
 * games.def. The members of the core are required; each capability is a struct of its own, and NULL
 * means that the game does not have it: an engine that needs it says so in words a user understands.
 * src/games/_template/ is the smallest complete example.
 *
 * Scores and sides. A value is always seen from the side to move. An edge that keeps the side to move
 * carries HOLOS_EDGE_SAME_SIDE; a solitaire game is one whose edges all do. So for every game
 *
 *     value(p) = max over edges e of p:  e.gain + (e keeps the side ? +1 : -1) * value(e.child)
 *
 * Gains. In some games a move banks points that the rest of the game cannot take back (seeds in a
 * kalah store). Then what is still to come does not depend on what has been banked, and tables should
 * not tell such positions apart. Such a game has the trait HOLOS_TRAIT_GAINS: its values are those of
 * the points still to come, an edge's `gain` is what the mover banks by it, and `banked` gives what the
 * side to move is ahead by already. The score people see is banked + value.
 *
 * Positions are flat structs of v->position_size bytes, aligned to 16, without pointers or padding
 * that differs: equal positions are equal bytes. Whatever `parse` accepts can never crash or corrupt
 * anything later; the other functions rely on that and check nothing.
 *
 * All functions may be called from several threads at once: a variant does not change once it is open. */

#ifndef HOLOS_GAME_H
#define HOLOS_GAME_H

#include "core/error.h"
#include "core/key.h"
#include "core/mem.h"
#include "core/text.h"

#include <holos/holos.h>

#include <string.h>

enum {
    HOLOS_EDGE_SAME_SIDE = 1 << 0, /* the side to move stays the same */
    HOLOS_EDGE_FORCING = 1 << 1,   /* what lightning follows: a threat, a capture, a single candidate */
};

typedef struct holos_edge {
    holos_move move;
    int32_t gain;  /* what the mover banks by it; 0 without HOLOS_TRAIT_GAINS */
    int16_t order; /* a hint: the better a move looks, the higher */
    uint8_t flags;
    uint8_t reserved; /* 0 */
} holos_edge;

/* Where `expand` and `predecessors` write. The caller owns the arrays; each has room for
 * v->max_successors (or v->max_predecessors) entries. Each of them may be NULL: then it is not wanted. */
typedef struct holos_edges {
    holos_edge *edges;
    holos_position *positions; /* entry i at byte offset i * v->position_size */
    holos_key *keys;
} holos_edges;

/* No position has more successors than this: so what looks at the moves of one position needs no heap. */
#define GAME_MAX_SUCCESSORS 16384

struct holos_variant {
    const holos_game *game;
    char name[64];             /* in full, "kalah:6,4,empty-capture"; equal names are equal rules */
    size_t position_size;      /* a multiple of 16 */
    uint32_t max_successors;   /* of any position that parse accepts */
    uint32_t max_predecessors; /* 0 without `back`, and where a variant has no way back */
    int32_t score_min, score_max;
    bool key_is_exact; /* equal keys are equal futures; otherwise the key is a 128-bit hash */
    uint8_t key_bits;  /* keys and identities are below 2^key_bits; 0 means 128 */
    void *rules;       /* the game's own; made by open, freed by close */
};

/* ---- Optional capabilities --------------------------------------------------------------------- */

/* The way back: for waves from known values, and for retrograde analysis. */
typedef struct holos_back {
    /* All positions with an edge to this one, each with that edge (as seen from the predecessor).
     * A predecessor is legal but need not be reachable from the start. Returns their number. */
    uint32_t (*predecessors)(const holos_variant *v, const holos_position *p, holos_edges out);
    /* Boundary positions from which a wave back may reach `p`: writes at most `most` positions whose value
     * `terminal` gives, and returns how many. NULL: waves look for some by playing at random. */
    uint32_t (*seeds)(const holos_variant *v, const holos_position *p, uint64_t seed, uint32_t most,
                      holos_position *out);
} holos_back;

/* What waves may want to know of a position. Each member may be NULL. */
typedef struct holos_hints {
    /* Positions with equal features may be expected to have equal values. */
    uint64_t (*features)(const holos_variant *v, const holos_position *p);
    /* What kind of position it is, in a word: what goals are matched with. */
    void (*signature)(const holos_variant *v, const holos_position *p, text *out);
} holos_hints;

/* What makes a search fast. Each member may be NULL. */
typedef struct holos_search {
    /* Like core.expand, but may leave out moves that cannot change the value of the position, such as
     * all cells of a sudoku but one. At least one edge remains. */
    uint32_t (*expand)(const holos_variant *v, const holos_position *p, holos_edges out);
    /* Bounds of the value that need no search; *lo and *hi come in as the known bounds and may only be
     * narrowed. */
    void (*bounds)(const holos_variant *v, const holos_position *p, int32_t *lo, int32_t *hi);
    /* Where the score says how long the game will last: plies to the end under best play. */
    uint16_t (*distance)(const holos_variant *v, const holos_position *p, int32_t score);
} holos_search;

/* Whole databases. Positions are numbered: a tier (kalah: the seeds in play), in it a part (how they are
 * split between the sides), in that an index below the part's size. Every successor of a position lies in
 * a lower tier or in the same part; so the parts of a tier are independent of each other: the unit of
 * parallel work, of checkpoints and of files. With HOLOS_TRAIT_GAINS the values are those of what is
 * still to come, and positions that differ only in what is banked have the same place.
 *
 * A value is kept in one byte, HOLOS_BYTE_ZERO + value; HOLOS_BYTE_UNKNOWN is not a value. So the values
 * of what is indexed lie in [-127, 127]. */
#define HOLOS_BYTE_ZERO    128
#define HOLOS_BYTE_UNKNOWN 0

typedef struct holos_place {
    uint32_t tier, part;
    uint64_t index;
} holos_place;

/* The parts that are known so far: parts[tier][part] is an array of bytes. */
typedef struct holos_tables {
    uint8_t *const *const *parts;
} holos_tables;

/* A game's own way to solve a whole part at once, faster than position by position. */
typedef struct holos_kernel {
    /* Bytes that `open` will take, about; and bytes of scratch space that each thread needs. */
    size_t (*memory)(const holos_variant *v, uint32_t top);
    size_t (*scratch)(const holos_variant *v, uint32_t top);
    /* Makes what is needed for all tiers up to `top`. `budget` outlives the state. */
    holos_status (*open)(const holos_variant *v, uint32_t top, mem_budget *budget, void **state,
                         holos_error *err);
    void (*close)(void *state);
    /* Fills one part, which is all HOLOS_BYTE_UNKNOWN before, from complete lower tiers. Several threads
     * may do so at once, for different parts. */
    void (*solve)(const void *state, const holos_tables *tables, uint32_t tier, uint32_t part, void *scratch);
} holos_kernel;

typedef struct holos_index {
    const char *tier_unit; /* what a tier counts: "seeds" */
    /* HOLOS_UNSUPPORTED, and why, if a variant's rules do not allow it. NULL: all do. */
    holos_status (*supports)(const holos_variant *v, holos_error *err);
    /* Variants of one family have the same databases: "kalah:6". */
    void (*family)(const holos_variant *v, text *out);
    uint32_t (*tiers)(const holos_variant *v); /* 0 … tiers - 1; those that can be numbered */
    uint32_t (*parts)(const holos_variant *v, uint32_t tier);
    uint64_t (*size)(const holos_variant *v, uint32_t tier, uint32_t part);
    /* What a part is called in a listing: "3 + 19 seeds". */
    void (*part_name)(const holos_variant *v, uint32_t tier, uint32_t part, text *out);
    /* Where a position is; false if it lies beyond what can be numbered. */
    bool (*rank)(const holos_variant *v, const holos_position *p, holos_place *out);
    /* A position with this place, as good as any other. */
    void (*unrank)(const holos_variant *v, holos_place place, holos_position *out);
    const holos_kernel *kernel; /* NULL: none */
} holos_index;

/* What is known of one position of a graph. */
typedef struct holos_row {
    holos_key identity;
    uint32_t depth;  /* moves from the start, at least */
    int32_t value;   /* the score, with what is banked, for the side to move */
    holos_move best; /* the first of the best moves */
    bool has_value, has_best;
} holos_row;

/* A position as a row of a table, for people who ask with SQL. */
typedef struct holos_columns {
    uint32_t (*count)(const holos_variant *v);
    /* The name of a column: lower case letters, digits and underscores. */
    void (*name)(const holos_variant *v, uint32_t column, text *out);
    void (*values)(const holos_variant *v, const holos_position *p, int64_t *out);
} holos_columns;

/* A search of the game's own, which takes the place of the alphabeta engine's search over the contract
 * unless the user says --no-hot. It gives the same values, faster; the rest of the engine is the same for
 * both. The game must have search->distance. */
typedef struct holos_hot_setup {
    mem_budget *budget;
    size_t memory; /* bytes for its table, at most */
    unsigned threads;
} holos_hot_setup;

struct ab_search; /* engine/alphabeta/ab.h */

typedef struct holos_hot {
    holos_status (*open)(const holos_variant *v, const holos_hot_setup *setup, void **state,
                         holos_error *err);
    void (*close)(void *state);
    /* Narrows [*lo, *hi] to what is known of p without a search. */
    void (*known)(void *state, const holos_position *p, int32_t *lo, int32_t *hi);
    /* Whether the value of p is at least beta: a result r >= beta means value >= r, a result r < beta
     * means value <= r. Counts nodes and keeps to the limits; once limits->status is not HOLOS_OK the
     * result means nothing. */
    int32_t (*search)(void *state, struct ab_search *limits, const holos_position *p, int32_t beta);
} holos_hot;

/* Puzzles: a position is solvable (1) or not (0), and may have several solutions. */
typedef struct holos_puzzle_answer {
    uint64_t solutions; /* at most the limit */
    bool complete;      /* there are no more */
    uint64_t nodes;     /* guesses made */
} holos_puzzle_answer;

/* For puzzles that can be solved in several ways (modes), with a report of what was done. */
typedef struct holos_puzzle_question {
    const char *mode; /* one of the game's; NULL: the strongest */
    uint64_t solutions, nodes;
    unsigned depth; /* guesses on top of each other; 0: the mode's own limit */
    double deadline;
    const bool *stop;
    bool telemetry; /* take the time of each technique */
} holos_puzzle_question;

#define HOLOS_PUZZLE_WORK 16

typedef struct holos_puzzle_report {
    holos_puzzle_answer answer;
    const char *limit; /* what ended the work early: "the limit of nodes"; NULL: nothing did */
    bool has_known;    /* `known` is what follows for sure, short of a solution */
    unsigned depth;    /* the deepest guess */
    holos_work work[HOLOS_PUZZLE_WORK];
    size_t work_count;
} holos_puzzle_report;

/* What kind of puzzle is wanted. */
typedef struct holos_puzzle_request {
    uint64_t seed;
    unsigned symmetry; /* an index into holos_puzzle.symmetries */
    bool minimal;      /* no given can be left out; of symmetric ones, none with those it is carried to */
    bool has_level;    /* puzzles of this level are looked for: a hint, so that many are */
    holos_level level;
    /* Of a game whose boards come in sizes and shapes. */
    unsigned rows, columns; /* 0: as usual */
    unsigned shape;         /* an index into holos_puzzle.shapes */
    unsigned holes;         /* percent of the cells that are left out */
} holos_puzzle_request;

typedef struct holos_puzzle {
    /* Counts the solutions up to `limit`, and writes the first one to `first` (not NULL) if there is
     * one. Stops when *stop becomes true (stop may be NULL), at `nodes` guesses (UINT64_MAX: no limit), or at the time
     * `deadline` (core/clock.h): then the answer is not complete. */
    void (*count)(const holos_variant *v, const holos_position *p, uint64_t limit, uint64_t nodes,
                  double deadline, const bool *stop, holos_position *first, holos_puzzle_answer *out);
    /* The same for many positions, which lie one after the other, as do the first solutions. NULL: it would not
     * be faster. */
    void (*count_many)(const holos_variant *v, const holos_position *positions, size_t count, uint64_t limit,
                       uint64_t nodes, const bool *stop, holos_position *firsts, holos_puzzle_answer *out);
    /* The ways to solve, ended by NULL; the last one is what `count` does. NULL: there is only that. */
    const char *const *modes;
    /* As `count`, in any mode; needs `modes`. `known` has room for a position. */
    void (*examine)(const holos_variant *v, const holos_position *p, const holos_puzzle_question *question,
                    holos_position *first, holos_position *known, holos_puzzle_report *out);
    /* Why a position has no solution, as a clause that names what conflicts; false if it cannot be told without a
     * search. NULL: it never can. */
    bool (*conflict)(const holos_variant *v, const holos_position *p, text *out);
    /* The puzzle of a position: only its givens. */
    void (*givens)(const holos_variant *v, const holos_position *p, holos_position *out);
    /* The first move, in natural order, on the way from p, which is not over, to a solution of it.
     * NULL: whoever needs it tries the moves. */
    holos_move (*toward)(const holos_variant *v, const holos_position *p, const holos_position *solution);
    /* Makes puzzles number `first`, first + 1, … with one solution. A puzzle depends on the request and its number
     * alone. NULL: there are none to be made. */
    holos_status (*generate)(const holos_variant *v, const holos_puzzle_request *request, uint64_t first,
                             size_t count, holos_position *out, holos_error *err);
    const char *const *symmetries; /* how givens may be arranged: "none" first, ended by NULL */
    const char *const *shapes;     /* the usual one first, ended by NULL; NULL: the variant says it all */
    /* HOLOS_USAGE with the reason if there are no such puzzles. NULL: there always are. */
    holos_status (*check)(const holos_variant *v, const holos_puzzle_request *request, holos_error *err);
} holos_puzzle;

/* Deductions: for puzzles that a person can solve step by step. The game says what is known of a puzzle (a
 * state: flat, of state_size bytes, aligned to 16) and has a function for each technique; the logic engine
 * asks for the cheapest one that applies. */
typedef struct holos_deduction {
    const holos_technique *techniques; /* the cheapest first; at most HOLOS_TECHNIQUES_MOST */
    size_t technique_count;
    /* The highest score of a puzzle of each level; the last one has no end. NULL: its techniques tell the level. */
    const unsigned *level_scores;
    size_t (*state_size)(const holos_variant *v);
    /* What the position shows at a glance. False: out of memory. */
    bool (*begin)(const holos_variant *v, const holos_position *p, void *state);
    /* Frees what a state has besides its own bytes; NULL: nothing. */
    void (*end)(const holos_variant *v, void *state);
    /* A step by this technique that rules out or places something new, or false. It fills `placements`,
     * `eliminations`, `marks`, `houses` and adds to `rating` what makes this use harder than others (the
     * engine has set the technique and its rating); it writes the explanation unless `words` is NULL. */
    bool (*find)(const holos_variant *v, const void *state, size_t technique, holos_step *step, text *words);
    void (*apply)(const holos_variant *v, void *state, const holos_step *step);
    bool (*done)(const holos_variant *v, const void *state);
    /* The position with all that is known. */
    void (*position)(const holos_variant *v, const void *state, holos_position *out);
    /* The position without what its owner has ruled out: what must have one solution before a technique may
     * rely on that. NULL: positions say nothing of that kind. */
    void (*bare)(const holos_variant *v, const holos_position *p, holos_position *out);
    void (*format_candidate)(const holos_variant *v, holos_candidate candidate, bool holds, text *out);
    void (*format_house)(const holos_variant *v, unsigned house, text *out);
} holos_deduction;

/* Another way to write positions that people use; what `parse` reads, too. */
typedef struct holos_notation {
    const char *name;                                                          /* "sdk" */
    const char *what;                                                          /* a few words */
    void (*write)(const holos_variant *v, const holos_position *p, text *out); /* whole lines */
} holos_notation;

/* ---- The contract ------------------------------------------------------------------------------ */

struct holos_game {
    /* Words. `name` is what users type: lower case letters and digits. */
    const char *name;
    const char *title;
    const char *summary;
    const char *variant_help;
    const char *position_help;
    const char *score_help;
    const char *const *examples; /* positions of the default variant, ended by NULL */
    const char *const *variants; /* small variants that tests can search whole, ended by NULL */
    uint32_t traits;

    /* Reads what follows the colon ("" if nothing does) and fills everything in *v but `game`.
     * On failure nothing stays allocated. */
    holos_status (*open)(const char *variant, holos_variant *v, holos_error *err);
    void (*close)(holos_variant *v); /* may be NULL */

    /* NULL if the game has no start position. */
    void (*start)(const holos_variant *v, holos_position *out);

    /* All legal moves with the positions they lead to, in the game's natural order: returns their
     * number, 0 exactly where the game is over. */
    uint32_t (*expand)(const holos_variant *v, const holos_position *p, holos_edges out);
    /* Plays a legal move; `out` may be `p`. */
    holos_edge (*play)(const holos_variant *v, const holos_position *p, holos_move move, holos_position *out);
    /* True if the game is over; then *score is the value (of what is still to come, with gains). */
    bool (*terminal)(const holos_variant *v, const holos_position *p, int32_t *score);
    unsigned (*side)(const holos_variant *v, const holos_position *p); /* 0 or 1 */
    /* What the side to move is ahead by already. NULL without HOLOS_TRAIT_GAINS. */
    int32_t (*banked)(const holos_variant *v, const holos_position *p);

    /* Equal key <=> equal future up to symmetry: what tables are indexed by. */
    holos_key (*key)(const holos_variant *v, const holos_position *p);
    /* Equal identity <=> the same position, nothing folded: what graphs are counted by. */
    holos_key (*identity)(const holos_variant *v, const holos_position *p);
    /* A position with this identity; NULL where identities cannot be undone (a hash). */
    void (*from_identity)(const holos_variant *v, holos_key identity, holos_position *out);
    /* A position with this key, any one of those that share it; NULL where keys cannot be undone. */
    void (*from_key)(const holos_variant *v, holos_key key, holos_position *out);
    /* Writes the symmetric images of a position, itself first; returns their number. NULL: none. */
    uint32_t (*symmetries)(const holos_variant *v, const holos_position *p, holos_position *out);
    uint32_t max_symmetries; /* how many `symmetries` may write */

    holos_status (*parse)(const holos_variant *v, const char *text, holos_position *out, holos_error *err);
    void (*format)(const holos_variant *v, const holos_position *p, text *out);
    /* Reads a move and checks that it is legal. */
    holos_status (*parse_move)(const holos_variant *v, const holos_position *p, const char *text,
                               holos_move *out, holos_error *err);
    void (*format_move)(const holos_variant *v, const holos_position *p, holos_move move, text *out);
    /* A line of legal moves from p as people write it, with numbers perhaps. NULL: the moves with spaces between. */
    void (*format_line)(const holos_variant *v, const holos_position *p, const holos_move *moves,
                        size_t count, text *out);
    void (*draw)(const holos_variant *v, const holos_position *p, text *out);
    const holos_notation *notations; /* ended by {0}, the usual one first; NULL: `format` is the only one */
    /* A picture of the position, with a step of the deduction on it unless that is NULL: a whole SVG document.
     * NULL: there are none. */
    void (*picture)(const holos_variant *v, const holos_position *p, const holos_step *step, text *out);

    const holos_back *back;
    const holos_hints *hints;
    const holos_search *search;
    const holos_index *index;
    const struct holos_endings *endings; /* game/endings.h */
    const struct holos_kinds *kinds;     /* game/kinds.h */
    const holos_columns *columns;
    const holos_hot *hot;
    const holos_puzzle *puzzle;
    const holos_deduction *deduction; /* needs `puzzle` */
};

/* ---- Helpers for games and engines ------------------------------------------------------------- */

static inline holos_position *position_at(const holos_variant *v, holos_position *base, size_t index)
{
    return (holos_position *)((unsigned char *)base + index * v->position_size);
}

/* Writes what the caller of `expand` or `predecessors` wants to know of a neighbour p. */
static inline void edges_put(const holos_variant *v, holos_edges out, uint32_t index, holos_edge edge,
                             const holos_position *p)
{
    if (out.edges != NULL)
        out.edges[index] = edge;
    if (out.positions != NULL)
        memcpy(position_at(v, out.positions, index), p, v->position_size);
    if (out.keys != NULL)
        out.keys[index] = v->game->key(v, p);
}

static inline const holos_position *position_in(const holos_variant *v, const holos_position *base,
                                                size_t index)
{
    return (const holos_position *)((const unsigned char *)base + index * v->position_size);
}

/* The value a child gives its parent's mover. */
static inline int32_t edge_score(holos_edge edge, int32_t child)
{
    return edge.gain + ((edge.flags & HOLOS_EDGE_SAME_SIDE) != 0 ? child : -child);
}

static inline int32_t game_banked(const holos_variant *v, const holos_position *p)
{
    return v->game->banked != NULL ? v->game->banked(v, p) : 0;
}

/* The edges alone; `edges` has room for v->max_successors of them. */
static inline uint32_t game_edges(const holos_variant *v, const holos_position *p, holos_edge *edges)
{
    return v->game->expand(v, p, (holos_edges){.edges = edges});
}

/* A parse_move for games whose moves have one spelling: compares with the format of every legal move.
 * The error lists the legal moves. */
holos_status game_parse_move(const holos_variant *v, const holos_position *p, const char *string,
                             holos_move *out, holos_error *err);

#endif
