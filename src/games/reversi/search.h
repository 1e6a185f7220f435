/* SPDX-License-Identifier: MIT */

/* The exact search of endings, one thread's: whether a position is worth at least beta discs. search.tpl.h is its body, made twice:
 * for any processor, and for those with AVX2. */

#ifndef HOLOS_REVERSI_SEARCH_H
#define HOLOS_REVERSI_SEARCH_H

#include "core/limits.h"
#include "core/progress.h"
#include "games/reversi/evaluation.h"
#include "games/reversi/memo.h"
#include "games/reversi/rays.h"
#include "games/reversi/reversi.h"

typedef struct reversi_search {
    reversi_rays rays;
    uint64_t cells;
    unsigned size;
    int count;            /* of cells */
    unsigned symmetric;   /* empty cells: from here on images of a position are remembered as one */
    uint64_t odd[16];     /* by the parities of four quadrants: the cells of odd ones */
    uint8_t quadrant[64]; /* the bit of a cell's */
    uint64_t corners;
    reversi_memo *memo;                   /* shared by all threads */
    const reversi_evaluation *evaluation; /* the same; NULL: there is none */
    struct limits *limits;                /* this thread's */
    progress *progress;                   /* the same for all; may be NULL */
    uint64_t nodes;                       /* not yet told to the limits */
    bool stopped;
    /* With several threads: what each is searching, so that the others begin with something else; and whether there is an
     * answer already. NULL with one. */
    _Atomic uint64_t *busy;
    atomic_bool *abandon;
} reversi_search;

/* The board that a position is remembered as, and which image of it that is. */
static inline reversi_board reversi_remembered_as(const reversi_search *s, reversi_board b, unsigned empties,
                                                  unsigned *image)
{
    *image = 0;
    return empties < s->symmetric ? b : reversi_least_image(b, s->size, image);
}

#define REVERSI_BUSY 1024 /* entries of `busy` */

typedef int reversi_search_function(reversi_search *s, reversi_board b, int beta);

int reversi_search_portable(reversi_search *s, reversi_board b, int beta);
int reversi_search_avx2(reversi_search *s, reversi_board b, int beta);

/* What a position looks worth after so many plies of search, in units of the evaluation: it is needed. */
typedef int reversi_guess_function(const reversi_search *s, reversi_board b, unsigned depth);

int reversi_guess_portable(const reversi_search *s, reversi_board b, unsigned depth);
int reversi_guess_avx2(const reversi_search *s, reversi_board b, unsigned depth);

/* The faster ones that this processor has. */
reversi_search_function *reversi_search_choose(void);
reversi_guess_function *reversi_guess_choose(void);
/* Ready to search, but for its limits. */
void reversi_search_init(reversi_search *s, const reversi_rules *rules, reversi_memo *memo);

/* Counts the positions so many plies ahead; a pass is a ply, and a game that is over before counts once. */
uint64_t reversi_perft_portable(const reversi_rays *rays, reversi_board b, uint64_t cells, unsigned depth);
uint64_t reversi_perft_avx2(const reversi_rays *rays, reversi_board b, uint64_t cells, unsigned depth);
/* The faster one that this processor has. */
uint64_t reversi_perft(reversi_board b, uint64_t cells, unsigned depth);

#endif
