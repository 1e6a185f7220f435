/* SPDX-License-Identifier: MIT */

/* The contract of a game: everything the engines, the program and the page know of it.
 *
 * A game is one folder, one `const holos_game` made with designated initialisers, and one line in
 * games.def. This is the core; each capability is a struct of its own, with a header of its own, and NULL means that the
 * game does not have it: an engine that needs it says so in words a user understands. Every member is marked as required,
 * or says what happens when it is NULL.
 * src/games/_template/ is the smallest complete example.
 *
 * Scores and sides. A value is always seen from the side to move. An edge that keeps the side to move
 * carries HOLOS_EDGE_SAME_SIDE; a solitaire game is one whose edges all do. So for every game
 *
 *     value(p) = max over edges e of p:  e.gain + (e keeps the side ? +1 : -1) * value(e.child)
 *
 * Gains. In some games a move banks points that the rest of the game cannot take back (seeds in
 * a store). Then what is still to come does not depend on what has been banked, and tables should
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

#include "game/back.h"
#include "game/columns.h"
#include "game/deduction.h"
#include "game/evaluation.h"
#include "game/hints.h"
#include "game/hot.h"
#include "game/index.h"
#include "game/net.h"
#include "game/options.h"
#include "game/puzzle.h"
#include "game/search.h"
#include "game/types.h"
#include "game/view.h"

struct holos_game {
    /* Words: all required. `name` is what users type: lower case letters and digits. */
    const char *name;
    const char *title;
    const char *summary;
    const char *variant_help;
    const char *position_help;
    const char *score_help;
    const char *const *examples; /* positions of the default variant, ended by NULL */
    const char *const *variants; /* small variants that tests can search whole, ended by NULL */
    const holos_usage *usages;   /* commands that show it, ended by {0}; NULL: none */
    uint32_t traits;             /* HOLOS_TRAIT_… */
    /* Protocols of other programs that are usually about this game, ended by NULL: "nboard". NULL: none. */
    const char *const *protocols;

    /* Reads what follows the colon ("" if nothing does) and fills everything in *v but `game`. On failure nothing stays
     * allocated. Required. */
    holos_status (*open)(const char *variant, holos_variant *v, holos_error *err);
    void (*close)(holos_variant *v); /* NULL: there is nothing to free */

    /* NULL: the game has no start position. */
    void (*start)(const holos_variant *v, holos_position *out);

    /* All legal moves with the positions they lead to, in the game's natural order: returns their number, 0 exactly where
     * the game is over. Required. */
    uint32_t (*expand)(const holos_variant *v, const holos_position *p, holos_edges out);
    /* Plays a legal move; `out` may be `p`. Required. */
    holos_edge (*play)(const holos_variant *v, const holos_position *p, holos_move move, holos_position *out);
    /* True if the game is over; then *score is the value (of what is still to come, with gains). Required. */
    bool (*terminal)(const holos_variant *v, const holos_position *p, int32_t *score);
    /* 0 or 1. Required. */
    unsigned (*side)(const holos_variant *v, const holos_position *p);
    /* What the side to move is ahead by already. Required with HOLOS_TRAIT_GAINS; NULL without. */
    int32_t (*banked)(const holos_variant *v, const holos_position *p);
    /* HOLOS_OK, or why the game cannot be trusted any more: one of its functions failed, and nothing that was found since holds.
     * NULL: its functions never fail. A game that may fail keeps nothing (game_may_fail). */
    holos_status (*failed)(const holos_variant *v, holos_error *err);
    /* How high a position is: a number that falls with every move. Then there are no circles, and values of a graph can be found from the
     * lowest positions on. NULL: none is known. As many counters are kept as the highest position is high. */
    uint32_t (*height)(const holos_variant *v, const holos_position *p);
    /* What a score is called, in a word that is the same for equal outcomes. NULL: "win", "draw", "loss". */
    const char *(*outcome)(const holos_variant *v, int32_t score);

    /* Equal key <=> equal future up to symmetry: what tables are indexed by. Required. */
    holos_key (*key)(const holos_variant *v, const holos_position *p);
    /* Equal identity <=> the same position, nothing folded: what graphs are counted by. Required. */
    holos_key (*identity)(const holos_variant *v, const holos_position *p);
    /* A position with this identity. NULL: identities cannot be undone (a hash), and who needs positions keeps them. */
    void (*from_identity)(const holos_variant *v, holos_key identity, holos_position *out);
    /* A position with this key, any one of those that share it. NULL: likewise. */
    void (*from_key)(const holos_variant *v, holos_key key, holos_position *out);
    /* Writes the symmetric images of a position, itself first; returns their number. NULL: there are no symmetries. */
    uint32_t (*symmetries)(const holos_variant *v, const holos_position *p, holos_position *out);
    uint32_t max_symmetries; /* how many `symmetries` may write */

    /* The border of trust: what it accepts can never crash or corrupt anything later. Required. */
    holos_status (*parse)(const holos_variant *v, const char *text, holos_position *out, holos_error *err);
    /* Required. */
    void (*format)(const holos_variant *v, const holos_position *p, text *out);
    /* Reads a move and checks that it is legal. Required. */
    holos_status (*parse_move)(const holos_variant *v, const holos_position *p, const char *text,
                               holos_move *out, holos_error *err);
    /* Required. */
    void (*format_move)(const holos_variant *v, const holos_position *p, holos_move move, text *out);
    /* A legal move as other programs write it, in the protocols that are usually about this game: "e2e4". NULL: as
     * `format_move` does. */
    void (*spell_move)(const holos_variant *v, const holos_position *p, holos_move move, text *out);
    /* A line of legal moves from p as people write it, with numbers perhaps. NULL: the moves with spaces between. */
    void (*format_line)(const holos_variant *v, const holos_position *p, const holos_move *moves,
                        size_t count, text *out);
    /* A board of text, several lines. Required. */
    void (*draw)(const holos_variant *v, const holos_position *p, text *out);
    const holos_notation *notations; /* ended by {0}, the usual one first. NULL: `format` is the only one. */
    /* A picture of the position, with a step of the deduction on it unless that is NULL: a whole SVG document.
     * NULL: there are none. */
    void (*picture)(const holos_variant *v, const holos_position *p, const holos_step *step, text *out);

    /* Capabilities. Each header says what NULL means. */
    const holos_view *view;
    const holos_back *back;
    const holos_hints *hints;
    const holos_search *search;
    const holos_evaluation *evaluation;
    const holos_hot *hot;
    const holos_index *index;
    const holos_net *net;
    const struct holos_game_knowledge *knowledge; /* game/knowledge.h; NULL: only what every game has */
    const struct holos_kinds *kinds;              /* game/kinds.h */
    /* Kinds of long work of its own (game/jobs.h), ended by NULL; NULL: none. */
    const struct job_kind *const *jobs;
    const holos_columns *columns;
    const holos_puzzle *puzzle;
    const holos_deduction *deduction;
    const holos_game_options *options; /* ended by one without a table; NULL: none */
    const struct holos_experiment
        *experiments; /* game/experiment.h; ended by one without a name; NULL: none */
    const struct holos_subject
        *subjects; /* for experiments over any game; ended by one without an experiment; NULL: none */
};

/* ---- Helpers for games and engines ------------------------------------------------------------- */

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

/* Nothing is known but the range of scores. */
static inline holos_value game_value_unknown(const holos_variant *v)
{
    return (holos_value){.lo = v->score_min,
                         .hi = v->score_max,
                         .distance = HOLOS_NO_DISTANCE,
                         .conversion = HOLOS_NO_DISTANCE};
}

static inline int32_t game_banked(const holos_variant *v, const holos_position *p)
{
    return v->game->banked != NULL ? v->game->banked(v, p) : 0;
}

/* Whether functions of the game may fail: then nothing about it is written to files. */
static inline bool game_may_fail(const holos_variant *v)
{
    return v->game->failed != NULL;
}

/* What whoever answers asks before it does. */
static inline holos_status game_failed(const holos_variant *v, holos_error *err)
{
    return v->game->failed != NULL ? v->game->failed(v, err) : HOLOS_OK;
}

/* The edges alone; `edges` has room for v->max_successors of them. */
static inline uint32_t game_edges(const holos_variant *v, const holos_position *p, holos_edge *edges)
{
    return v->game->expand(v, p, (holos_edges){.edges = edges});
}

/* The solutions of a position up to `most`, however long it takes: for boards that are known to be easy. */
static inline holos_puzzle_answer game_count_solutions(const holos_variant *v, const holos_position *p,
                                                       uint64_t most, holos_position *first)
{
    holos_puzzle_answer answer = {0};
    struct limits none = limits_none();
    v->game->puzzle->count(v, p, most, &none, first, &answer);
    return answer;
}

/* The edges of a position, on the heap: for those who have no room of their own. The caller frees them. NULL: no memory. */
holos_edge *game_edges_new(const holos_variant *v, const holos_position *p, uint32_t *count);
/* Whether a move is legal. Without memory to tell, it is not. */
bool game_is_legal(const holos_variant *v, const holos_position *p, holos_move move);
/* What a score is called; and what puzzles call theirs, for their `outcome`. */
const char *game_outcome(const holos_variant *v, int32_t score);
const char *game_puzzle_outcome(const holos_variant *v, int32_t score);

/* A parse_move for games whose moves have one spelling: compares with the format of every legal move.
 * The error lists the legal moves. */
holos_status game_parse_move(const holos_variant *v, const holos_position *p, const char *string,
                             holos_move *out, holos_error *err);

#endif
