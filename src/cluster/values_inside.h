/* SPDX-License-Identifier: MIT */

/* Inside the files values*.c: the values of the positions that this rank has.
 *
 *     values           from the first question to the last
 *     values_slices    what this rank asks, and what the answers make of its positions
 *     values_answers   what this rank is asked, and what has to wait for a value */

#ifndef HOLOS_CLUSTER_VALUES_INSIDE_H
#define HOLOS_CLUSTER_VALUES_INSIDE_H

#include "cluster/numbers.h"
#include "cluster/owner.h"
#include "core/table.h"

#define VALUES_POKE_EACH 1024
#define VALUES_AHEAD     16
#define VALUES_SLICE     8192   /* positions that ask together, at the most */
#define NODE_WAITED      0x8000 /* in the depth of a node: somebody waits for its value */

/* The words of an answer. */
#define WORD_WAITS  UINT32_C(0x80000000) /* the question waits: the rest is its number */
#define WORD_LATE   UINT32_C(0xC0000000) /* it has waited, likewise; the next word is the value */
#define WORD_NUMBER UINT32_C(0x3FFFFFFF)

/* A move of a position that has asked: whose word about it comes next, and whether the side to move is the same after it. */
typedef struct asked_move {
    uint16_t rank; /* and SAME_SIDE */
    uint16_t move;
} asked_move;

#define SAME_SIDE GRAPH_RANKS_MOST /* the bit above all ranks */

/* Positions that have asked, until all ranks have answered them. */
typedef struct asked_slice {
    uint64_t *keys; /* room for VALUES_SLICE of them */
    uint8_t *move_counts;
    size_t count;
    asked_move *moves; /* of all positions, one after the other */
    size_t move_count, move_room;
    int16_t *ends; /* what positions without moves are worth */
    size_t end_count, end_room;
    uint64_t *until; /* for each rank: how many words must have come from it */
} asked_slice;

/* A question that another rank lets wait. When its slice is valued, the asker's node keeps what is known by then: `flags` is how many answers are
 * missing, `known` 1 + the place of the best move so far among its moves, 0: none yet. */
typedef struct late {
    node_at asker; /* NULL: its slice has not been valued yet */
    uint64_t word; /* then: the word that will be replaced by the answer, counted as in `until` */
    uint16_t move;
    uint8_t order; /* of the move among the asker's */
    bool same_side;
} late;

/* Who asks, if the answer has to wait: a rank, and the number there. */
typedef struct ask {
    uint32_t rank, number;
} ask;

/* What this rank has asked another one, or itself; and what that one has asked. */
typedef struct partner {
    uint64_t asked;  /* questions so far */
    uint64_t before; /* words that were removed from the list */
    uint32_t *words; /* about the questions, in their order; from `first` on they have not been read */
    size_t first, count, room;
    late *late; /* those that wait there, by number */
    size_t late_room;
    uint32_t told;   /* the number that the last word said, + 1: a value comes next */
    numbers numbers; /* of its questions that wait here */
} partner;

#define NO_WAITER UINT32_MAX

/* A question that waits for a value. */
typedef struct waiter {
    ask ask;
    uint32_t next;
} waiter;

/* A question that came too early. */
typedef struct early {
    node_at at;
    ask ask;
} early;

/* A node that has got its value, and the next of those that wait for it. */
typedef struct settled {
    node_at at;
    uint32_t next;
    int16_t value;
} settled;

typedef struct valuing {
    cluster_graph *g;
    exchange asks, answers;
    partner *partners;   /* one for each rank */
    asked_slice *slices; /* the oldest first; then some that are of no use at present */
    size_t slice_count, slice_room;
    early *early; /* the oldest first; beyond `early_most` of them, these wait */
    size_t early_count, early_room, early_most;
    /* Whose waiters are answered together, so that places in the table are fetched while others are worked at. */
    settled *settled;
    size_t settled_count, settled_room;
    table waiting; /* by the node that they wait for: the first of its waiters + 1 */
    waiter *waiters;
    size_t waiter_count, waiter_room;
    uint64_t open;    /* those that still wait */
    uint32_t free;    /* the first of those that are of no use any more */
    uint64_t missing; /* positions that have asked and are not known yet */
} valuing;

/* Lets what travels go on. */
static inline void values_poke(valuing *s)
{
    exchange_poke(&s->asks);
    exchange_poke(&s->answers);
}

/* There is no memory for what is asked. */
void values_fail(valuing *s);

/* ---- values_answers.c -------------------------------------------------------------------------- */

/* The questions of a rank, the keys of one after the other. */
void asks_take(valuing *s, const unsigned char *bytes, size_t size, unsigned rank);
/* Looks once more at the questions that came too early. */
void early_look(valuing *s);
/* A node that somebody waits for has got its value: settled_answer will answer. */
void settled_add(valuing *s, node_at at, int16_t value);
void settled_answer(valuing *s);

/* A node has its value; whoever waits for it will be answered. */
static inline void node_settle(valuing *s, node_at at, graph_node n)
{
    bool waited = (n.depth & NODE_WAITED) != 0;
    n.depth &= (uint16_t)~NODE_WAITED;
    n.known = GRAPH_KNOWN;
    n.flags = NODE_FORWARD;
    graph_store(at, n);
    s->missing--;
    if (waited)
        settled_add(s, at, n.value);
}

/* ---- values_slices.c --------------------------------------------------------------------------- */

/* A slice of positions asks, no more than VALUES_SLICE. */
void slice_ask(valuing *s, const uint64_t *keys, size_t count);
/* What a rank says to questions. */
void words_take(valuing *s, const unsigned char *bytes, size_t size, unsigned rank);
/* Values the slices that all ranks have answered. */
void slices_value(valuing *s);
void slices_free(valuing *s);

#endif
