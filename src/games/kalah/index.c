/* SPDX-License-Identifier: MIT */

/* The index of kalah: a tier is the number of seeds in play, a part is how many of them lie on the side
 * that has fewer. What lies in the stores does not matter. Parts are laid out as kernel.h says. */

#include "games/kalah/kalah.h"
#include "games/kalah/kernel.h"

static const arrange *arrange_of(const holos_variant *v)
{
    return &((const kalah_variant *)v->rules)->arrange;
}

static holos_status index_supports(const holos_variant *v, holos_error *err)
{
    if (kalah_rules_of(v)->majority_stop)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "there is no database of %s: with majority-stop, the value of a position also "
                         "depends on the seeds in the stores",
                         v->name);
    return HOLOS_OK;
}

static void index_family(const holos_variant *v, text *out)
{
    const kalah_rules *rules = kalah_rules_of(v);
    text_printf(out, "kalah:%u pits%s%s%s", rules->pits, rules->empty_capture ? ",empty-capture" : "",
                rules->majority_stop ? ",majority-stop" : "", rules->mover_end ? ",mover-end" : "");
}

static uint32_t index_tiers(const holos_variant *v)
{
    return arrange_of(v)->seeds + 1;
}

static uint32_t index_parts(const holos_variant *v, uint32_t tier)
{
    (void)v;
    return tier / 2 + 1;
}

static uint64_t index_size(const holos_variant *v, uint32_t tier, uint32_t part)
{
    return kalah_part_size(arrange_of(v), tier, part);
}

static bool index_rank(const holos_variant *v, const holos_position *p, holos_place *out)
{
    const arrange *a = arrange_of(v);
    const uint8_t *mine = kalah_board_of(p), *theirs = mine + a->pits + 1;
    unsigned my_seeds = kalah_sum(mine, a->pits), their_seeds = kalah_sum(theirs, a->pits);
    if (my_seeds + their_seeds > a->seeds)
        return false;
    out->tier = my_seeds + their_seeds;
    out->part = my_seeds < their_seeds ? my_seeds : their_seeds;
    out->index = kalah_part_index(a, arrange_rank(a, mine, my_seeds), my_seeds,
                                  arrange_rank(a, theirs, their_seeds), their_seeds);
    return true;
}

/* The stores are filled as evenly as can be: the game is far from decided. */
static void index_unrank(const holos_variant *v, holos_place place, holos_position *out)
{
    const kalah_variant *variant = v->rules;
    const arrange *a = &variant->arrange;
    unsigned pits = a->pits, inner_seeds = place.tier - place.part;
    uint64_t length = arrange_count(a, inner_seeds);
    uint64_t row = place.index / length;
    bool even = inner_seeds == place.part;
    bool outer_moves = even || row % 2 == 0;
    uint8_t *board = (uint8_t *)out;
    uint8_t *outer = outer_moves ? board : board + pits + 1;
    uint8_t *inner = outer_moves ? board + pits + 1 : board;
    memset(board, 0, v->position_size);
    arrange_unrank(a, (uint32_t)(even ? row : row / 2), place.part, outer);
    arrange_unrank(a, (uint32_t)(place.index % length), inner_seeds, inner);
    unsigned banked = 2 * pits * variant->seeds - place.tier;
    board[pits] = (uint8_t)(banked / 2);
    board[2 * pits + 1] = (uint8_t)(banked - banked / 2);
}

/* ---- The kernel -------------------------------------------------------------------------------- */

static size_t kernel_memory(const holos_variant *v, uint32_t top)
{
    return kalah_kernel_memory(kalah_rules_of(v), top);
}

static size_t kernel_scratch(const holos_variant *v, uint32_t top)
{
    return kalah_kernel_scratch(kalah_rules_of(v)->pits, top);
}

static holos_status kernel_open(const holos_variant *v, uint32_t top, mem_budget *budget, void **state,
                                holos_error *err)
{
    kalah_kernel *kernel = NULL;
    holos_status status = kalah_kernel_open(kalah_rules_of(v), top, budget, &kernel, err);
    *state = kernel;
    return status;
}

static void kernel_close(void *state)
{
    kalah_kernel_close(state);
}

static holos_status kernel_solve(const void *state, const holos_tables *tables, uint32_t tier, uint32_t part,
                                 struct limits *limits, void *scratch)
{
    kalah_kernel_solve(state, tables->parts, tier, part, limits, scratch);
    return limits->status;
}

static uint32_t kernel_steps(const void *state, uint32_t tier, uint32_t part)
{
    return kalah_kernel_steps(state, tier, part);
}

static uint32_t kernel_pieces(const void *state, uint32_t tier, uint32_t part, uint32_t step)
{
    (void)tier;
    return kalah_kernel_pieces(state, part, step);
}

static holos_status kernel_solve_pieces(const void *state, const holos_tables *tables, uint32_t tier,
                                        uint32_t part, uint32_t step, uint32_t first, uint32_t count,
                                        struct limits *limits, void *scratch)
{
    kalah_kernel_solve_pieces(state, tables->parts, tier, part, step, first, count, limits, scratch);
    return limits->status;
}

static const holos_kernel kalah_index_kernel = {
    .memory = kernel_memory,
    .scratch = kernel_scratch,
    .open = kernel_open,
    .close = kernel_close,
    .solve = kernel_solve,
    .steps = kernel_steps,
    .pieces = kernel_pieces,
    .solve_pieces = kernel_solve_pieces,
};

const holos_index kalah_index = {
    .tier_unit = "seeds",
    .supports = index_supports,
    .family = index_family,
    .tiers = index_tiers,
    .parts = index_parts,
    .size = index_size,
    .rank = index_rank,
    .unrank = index_unrank,
    .kernel = &kalah_index_kernel,
};
