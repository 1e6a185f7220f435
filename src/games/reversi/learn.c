/* SPDX-License-Identifier: MIT */

#include "games/reversi/learn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH        6 /* plies of search from a stage into the one after it: as many as it has */
#define MEMO_BYTES   ((size_t)1 << 20)
#define RANDOM_PLIES 6  /* at the start of a game, at least */
#define PULL         10 /* of a weight to 0: as so many samples that say 0 */
#define STEPS_MOST   60 /* of the fit */

/* ---- Games ------------------------------------------------------------------------------------- */

bool learn_maker_open(learn_maker *m, const reversi_rules *rules)
{
    *m = (learn_maker){.limits = limits_none()};
    reversi_search_init(&m->search, rules, &m->memo);
    m->search.limits = &m->limits;
    m->exact = reversi_search_choose();
    m->guess = reversi_guess_choose();
    return memo_open(&m->memo, NULL, MEMO_BYTES);
}

void learn_maker_close(learn_maker *m)
{
    memo_close(&m->memo);
}

bool learn_stage(unsigned size, unsigned stage, unsigned *least, unsigned *most)
{
    unsigned all = size * size - 4;
    *least = stage == 0 ? 7 : 7 + 6 * stage;
    *most = stage + 1 == EVALUATION_STAGES ? all : 12 + 6 * stage;
    if (*most > all - 2)
        *most = all - 2;
    return *least <= *most;
}

/* What a move looks worth to those who play: what it leaves, and some luck. */
static double move_worth(learn_maker *m, rng *r, reversi_board next, unsigned empties,
                         const reversi_evaluation *players)
{
    uint64_t cells = m->search.cells;
    unsigned theirs = reversi_count(reversi_moves(next, cells));
    unsigned mine = reversi_count(reversi_moves(reversi_pass(next), cells));
    double luck = 4 * rng_double(r);
    if (players == NULL)
        return luck - theirs;
    return luck - evaluation_guess(players, next, empties, theirs, mine) / (double)EVALUATION_UNIT;
}

static unsigned move_choose(learn_maker *m, rng *r, reversi_board b, uint64_t moves, bool at_random,
                            const reversi_evaluation *players)
{
    unsigned empties = reversi_count(m->search.cells & ~(b.mine | b.theirs)), best = reversi_first(moves);
    double most = -1e9;
    if (at_random) {
        for (uint64_t skip = rng_below(r, reversi_count(moves)); skip > 0; skip--)
            moves &= moves - 1;
        return reversi_first(moves);
    }
    for (; moves != 0; moves &= moves - 1) {
        unsigned cell = reversi_first(moves);
        reversi_board next = reversi_after(b, cell, reversi_turned_portable(b, cell));
        double worth = move_worth(m, r, next, empties - 1, players);
        if (worth > most) {
            most = worth;
            best = cell;
        }
    }
    return best;
}

/* A position with so many empty cells in which the side to move has a move; false: the game ended before. */
static bool game_play(learn_maker *m, rng *r, reversi_board start, unsigned empties,
                      const reversi_evaluation *players, reversi_board *out)
{
    reversi_board b = start;
    double wild = rng_double(r) / 2; /* how often a move is random, in this game */
    for (unsigned ply = 0;; ply++) {
        uint64_t moves = reversi_moves(b, m->search.cells);
        if (moves == 0) {
            b = reversi_pass(b);
            moves = reversi_moves(b, m->search.cells);
        }
        if (moves == 0)
            return false;
        *out = b;
        if (reversi_count(m->search.cells & ~(b.mine | b.theirs)) <= empties)
            return true;
        bool at_random = ply < RANDOM_PLIES || rng_double(r) < wild;
        unsigned cell = move_choose(m, r, b, moves, at_random, players);
        b = reversi_after(b, cell, reversi_turned_portable(b, cell));
    }
}

/* The exact value: from an even game on, in the direction of the answers. */
static int solve(learn_maker *m, reversi_board b)
{
    int lo = -m->search.count, hi = m->search.count, beta = 1;
    while (lo < hi) {
        int answer = m->exact(&m->search, b, beta);
        if (answer >= beta)
            lo = answer;
        else
            hi = answer;
        beta = answer >= beta ? answer + 1 : answer;
    }
    return lo;
}

learn_sample learn_make(learn_maker *m, rng *r, unsigned stage, const reversi_evaluation *players,
                        const reversi_evaluation *learned)
{
    unsigned size = m->search.count == 64 ? 8 : 6, least, most;
    unsigned corner = 9 * (size / 2 - 1);
    reversi_board start = {.mine = UINT64_C(0x102) << corner, .theirs = UINT64_C(0x201) << corner};
    learn_stage(size, stage, &least, &most);
    learn_sample sample = {.empties = least + (unsigned)rng_below(r, most - least + 1)};
    while (!game_play(m, r, start, sample.empties, players, &sample.board))
        ;
    m->search.evaluation = stage > 0 ? learned : NULL;
    sample.worth =
        stage == 0 ? EVALUATION_UNIT * solve(m, sample.board) : m->guess(&m->search, sample.board, DEPTH);
    return sample;
}

/* ---- The fit ----------------------------------------------------------------------------------- */

/* The sum that a sample is compared with: so many weights, and the numbers with what they are multiplied by. */
typedef struct fit {
    size_t count, width; /* samples; weights of each */
    uint32_t *rows;      /* which ones */
    float *factors;      /* EVALUATION_NUMBERS of each sample */
    uint32_t unknowns;   /* weights, then numbers */
    double *diagonal, *x, *residual, *direction, *product, *ready;
} fit;

static void fit_free(fit *f)
{
    free(f->rows);
    free(f->factors);
    free(f->diagonal);
    free(f->x);
    free(f->residual);
    free(f->direction);
    free(f->product);
    free(f->ready);
}

static bool fit_alloc(fit *f, const reversi_evaluation *e, size_t count)
{
    *f = (fit){.count = count, .unknowns = e->weight_count + EVALUATION_NUMBERS};
    for (unsigned s = 0; s < e->shape_count; s++)
        f->width += e->shapes[s].image_count;
    f->rows = calloc(count * f->width + 1, sizeof *f->rows);
    f->factors = calloc(count * EVALUATION_NUMBERS + 1, sizeof *f->factors);
    double **vectors[] = {&f->diagonal, &f->x, &f->residual, &f->direction, &f->product, &f->ready};
    bool made = f->rows != NULL && f->factors != NULL;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        made = (*vectors[i] = calloc(f->unknowns, sizeof(double))) != NULL && made;
    return made;
}

static void row_make(fit *f, const reversi_evaluation *e, size_t at, const learn_sample *sample)
{
    uint64_t cells = reversi_cells(e->size);
    reversi_board images[REVERSI_SYMMETRIES];
    uint32_t *row = f->rows + at * f->width;
    float *factors = f->factors + at * EVALUATION_NUMBERS;
    evaluation_images(e, sample->board, images);
    for (unsigned s = 0; s < e->shape_count; s++)
        for (unsigned i = 0; i < e->shapes[s].image_count; i++)
            *row++ = e->kin[evaluation_index(e, &e->shapes[s], images[e->shapes[s].images[i]])];
    factors[0] = (float)reversi_count(reversi_moves(sample->board, cells));
    factors[1] = (float)reversi_count(reversi_moves(reversi_pass(sample->board), cells));
    factors[2] = 1;
}

static double row_times(const fit *f, size_t at, const double *x)
{
    const uint32_t *row = f->rows + at * f->width;
    const float *factors = f->factors + at * EVALUATION_NUMBERS;
    double sum = 0;
    for (size_t i = 0; i < f->width; i++)
        sum += x[row[i]];
    for (unsigned i = 0; i < EVALUATION_NUMBERS; i++)
        sum += (double)factors[i] * x[f->unknowns - EVALUATION_NUMBERS + i];
    return sum;
}

static void row_add(const fit *f, size_t at, double by, double *out)
{
    const uint32_t *row = f->rows + at * f->width;
    const float *factors = f->factors + at * EVALUATION_NUMBERS;
    for (size_t i = 0; i < f->width; i++)
        out[row[i]] += by;
    for (unsigned i = 0; i < EVALUATION_NUMBERS; i++)
        out[f->unknowns - EVALUATION_NUMBERS + i] += by * (double)factors[i];
}

static void fit_begin(fit *f, const reversi_evaluation *e, const learn_sample *samples)
{
    for (uint32_t i = 0; i < f->unknowns; i++)
        f->diagonal[i] = PULL;
    for (size_t at = 0; at < f->count; at++) {
        row_make(f, e, at, &samples[at]);
        row_add(f, at, samples[at].worth, f->residual);
        const uint32_t *row = f->rows + at * f->width;
        const float *factors = f->factors + at * EVALUATION_NUMBERS;
        for (size_t i = 0; i < f->width; i++)
            f->diagonal[row[i]] += 1;
        for (unsigned i = 0; i < EVALUATION_NUMBERS; i++)
            f->diagonal[f->unknowns - EVALUATION_NUMBERS + i] += (double)(factors[i] * factors[i]);
    }
}

/* Conjugate gradients, each unknown in its own scale. */
static void fit_run(fit *f)
{
    double rho = 0, first = 0;
    for (unsigned step = 0; step < STEPS_MOST; step++) {
        double last = rho, along = 0;
        rho = 0;
        for (uint32_t i = 0; i < f->unknowns; i++) {
            f->ready[i] = f->residual[i] / f->diagonal[i];
            rho += f->residual[i] * f->ready[i];
        }
        first = step == 0 ? rho : first;
        if (rho <= 1e-6 * first)
            return;
        for (uint32_t i = 0; i < f->unknowns; i++) {
            f->direction[i] = f->ready[i] + (step > 0 ? rho / last * f->direction[i] : 0);
            f->product[i] = PULL * f->direction[i];
        }
        for (size_t at = 0; at < f->count; at++)
            row_add(f, at, row_times(f, at, f->direction), f->product);
        for (uint32_t i = 0; i < f->unknowns; i++)
            along += f->direction[i] * f->product[i];
        for (uint32_t i = 0; i < f->unknowns; i++) {
            f->x[i] += rho / along * f->direction[i];
            f->residual[i] -= rho / along * f->product[i];
        }
    }
}

static double clamp(double x, double most)
{
    return x > most ? most : x < -most ? -most : x;
}

bool learn_fit(reversi_evaluation *e, unsigned stage, const learn_sample *samples, size_t count,
               double *error)
{
    fit f;
    bool made = fit_alloc(&f, e, count);
    if (made) {
        double squares = 0;
        fit_begin(&f, e, samples);
        fit_run(&f);
        for (uint32_t i = 0; i < e->weight_count; i++)
            e->weights[stage][i] = (int8_t)lround(clamp(f.x[e->kin[i]], INT8_MAX));
        for (unsigned i = 0; i < EVALUATION_NUMBERS; i++)
            e->numbers[stage][i] = (int16_t)lround(clamp(f.x[e->weight_count + i], INT16_MAX));
        for (size_t at = 0; at < count; at++) {
            double off = (row_times(&f, at, f.x) - samples[at].worth) / EVALUATION_UNIT;
            squares += off * off;
        }
        *error = count > 0 ? sqrt(squares / (double)count) : 0;
    }
    fit_free(&f);
    return made;
}
