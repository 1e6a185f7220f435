/* SPDX-License-Identifier: MIT */

/* What a position looks worth: a guess, for the order of moves and for where a search asks first. Never a value.
 *
 * A guess is a sum of weights. Each shape (an edge, a corner, a rank, a diagonal) has a weight for every way in which its cells can be
 * filled, the same for all its images on the board; and there is one for each move that either side has. Weights differ by how
 * many cells are empty. They are learned (learn.c) and kept in a file. Only 6x6 and 8x8 have any: the 4x4 board needs none. */

#ifndef HOLOS_REVERSI_EVALUATION_H
#define HOLOS_REVERSI_EVALUATION_H

#include "core/error.h"
#include "games/reversi/rules.h"

#ifdef __BMI2__
#include <immintrin.h>
#endif

#define EVALUATION_UNIT   16 /* of a guess, in one disc */
#define EVALUATION_STAGES 7
#define EVALUATION_SHAPES 10
#define EVALUATION_CELLS  10 /* of a shape, at most */
#define EVALUATION_NUMBERS                                                                                   \
    3 /* for my moves, for theirs, and one that always counts: beside the weights of shapes */

/* The cells that a shape has on the board as it lies, and which images of the board show it in its other places. */
typedef struct evaluation_shape {
    uint64_t cells;
    uint32_t first; /* of its weights, among those of a stage */
    uint32_t fillings;
    uint8_t images[REVERSI_SYMMETRIES], image_count;
} evaluation_shape;

typedef struct reversi_evaluation {
    unsigned size; /* of the board */
    unsigned shape_count, image_count;
    evaluation_shape shapes[EVALUATION_SHAPES];
    uint16_t ternary[1u << EVALUATION_CELLS]; /* a set of cells as digits of base three */
    uint32_t weight_count;                    /* of a stage */
    uint32_t *kin; /* of each weight, the least that it always equals, because the shape is its own image */
    int8_t *weights[EVALUATION_STAGES]; /* in units */
    int16_t numbers[EVALUATION_STAGES][EVALUATION_NUMBERS];
} reversi_evaluation;

/* ---- evaluation.c ------------------------------------------------------------------------------ */

/* An evaluation whose weights are all 0. The caller closes it, also after an error. */
holos_status evaluation_new(unsigned size, reversi_evaluation **out, holos_error *err);
void evaluation_close(reversi_evaluation *e); /* may be NULL */
/* Reads a file. HOLOS_BAD_FILE: it is damaged, or for another board. */
holos_status evaluation_read(const char *path, unsigned size, reversi_evaluation **out, holos_error *err);
holos_status evaluation_write(const reversi_evaluation *e, const char *path, holos_error *err);

/* ---- Inline ------------------------------------------------------------------------------------ */

/* The stages, by empty cells: children of the search's last sorted plies, then six plies each. */
static inline unsigned evaluation_stage(unsigned empties)
{
    unsigned stage = empties <= 12 ? 0 : (empties - 7) / 6;
    return stage < EVALUATION_STAGES ? stage : EVALUATION_STAGES - 1;
}

static inline uint64_t cells_gather(uint64_t board, uint64_t cells)
{
#ifdef __BMI2__
    return _pext_u64(board, cells);
#else
    uint64_t out = 0;
    for (uint64_t bit = 1; cells != 0; cells &= cells - 1, bit <<= 1)
        if ((board & cells & -cells) != 0)
            out |= bit;
    return out;
#endif
}

static inline reversi_board board_transpose(reversi_board b)
{
    return (reversi_board){reversi_transpose(b.mine), reversi_transpose(b.theirs)};
}

/* The images of reversi_image that shapes are read from, each made from another. */
static inline void evaluation_images(const reversi_evaluation *e, reversi_board b,
                                     reversi_board out[REVERSI_SYMMETRIES])
{
    unsigned size = e->size;
    out[0] = b;
    out[1] = (reversi_board){reversi_mirror(b.mine, size), reversi_mirror(b.theirs, size)};
    for (unsigned i = 0; i < 2; i++)
        out[2 + i] = (reversi_board){reversi_flip(out[i].mine, size), reversi_flip(out[i].theirs, size)};
    for (unsigned i = 0; i + 4 < e->image_count; i++)
        out[4 + i] = board_transpose(out[i]);
}

/* Which weight the way a shape is filled has. */
static inline uint32_t evaluation_index(const reversi_evaluation *e, const evaluation_shape *shape,
                                        reversi_board image)
{
    return shape->first + e->ternary[cells_gather(image.mine, shape->cells)] +
           2u * e->ternary[cells_gather(image.theirs, shape->cells)];
}

/* In units, for the side to move, whose moves are `mine`. */
static inline int evaluation_guess(const reversi_evaluation *e, reversi_board b, unsigned empties,
                                   unsigned mine, unsigned theirs)
{
    unsigned stage = evaluation_stage(empties);
    const int8_t *weights = e->weights[stage];
    const int16_t *numbers = e->numbers[stage];
    int sum = numbers[0] * (int)mine + numbers[1] * (int)theirs + numbers[2];
    reversi_board images[REVERSI_SYMMETRIES];
    evaluation_images(e, b, images);
    for (unsigned s = 0; s < e->shape_count; s++) {
        const evaluation_shape *shape = &e->shapes[s];
        for (unsigned i = 0; i < shape->image_count; i++)
            sum += weights[evaluation_index(e, shape, images[shape->images[i]])];
    }
    return sum;
}

#endif
