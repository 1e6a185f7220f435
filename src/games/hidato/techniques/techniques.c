/* SPDX-License-Identifier: MIT */

/* The techniques of hidato, as the logic engine asks for them. */

#include "games/hidato/hidato.h"
#include "games/hidato/techniques/seeker.h"

#include <stdlib.h>
#include <string.h>

static const holos_technique techniques[] = {
#define TECHNIQUE(find, size, name, title, rating, score, level, by_uniqueness, summary)                     \
    {name, title, summary, rating, score, HOLOS_LEVEL_##level, by_uniqueness},
#include "games/hidato/techniques/techniques.def"
#undef TECHNIQUE
};

#define TECHNIQUE_COUNT (sizeof techniques / sizeof *techniques)

static const struct {
    seeker_function *find;
    unsigned size;
} seekers[] = {
#define TECHNIQUE(find, size, ...) {find, size},
#include "games/hidato/techniques/techniques.def"
#undef TECHNIQUE
};

static size_t deduction_size(const holos_variant *v)
{
    (void)v;
    return sizeof(hidato_knowledge);
}

static void place(hidato_knowledge *k, unsigned number, unsigned site)
{
    k->site_of[number] = (uint16_t)site;
    set_remove(k->free, site);
}

static void deduction_end(const holos_variant *v, void *state)
{
    hidato_knowledge *k = state;
    (void)v;
    if (k->s != NULL)
        hidato_state_free(k->s);
    free(k->s);
    k->s = NULL;
}

/* The state has what the solver's modes have up to the matching; trials run in mode 3, whose changes can all be taken
 * back. */
static bool deduction_begin(const holos_variant *v, const holos_position *p, void *state)
{
    hidato_knowledge *k = state;
    k->board = *hidato_board_of(p);
    k->s = malloc(sizeof *k->s);
    if (k->s == NULL || !hidato_state_init(k->s, &k->board, hidato_kind_of(v), 4)) {
        free(k->s);
        k->s = NULL;
        return false;
    }
    k->s->mode = 3;
    memset(k->site_of, 0xFF, sizeof k->site_of);
    memcpy(k->free, k->s->d.grid.mask, sizeof k->free);
    for (unsigned i = 0; i < (unsigned)k->board.rows * k->board.columns; i++)
        if (hidato_is_number(k->board.numbers[i]))
            place(k, k->board.numbers[i], hidato_site_of(&k->s->d.grid, i));
    hidato_propagate_sweeps(&k->s->d);
    return true;
}

static bool deduction_find(const holos_variant *v, const void *state, size_t technique, struct limits *limits,
                           holos_step *step, text *words)
{
    const hidato_knowledge *k = state;
    seeker f = {.k = k, .d = &k->s->d, .g = &k->s->d.grid, .limits = limits, .step = step, .words = words};
    (void)v;
    return seekers[technique].find(&f, seekers[technique].size);
}

static unsigned site_of_cell(const hidato_knowledge *k, unsigned cell)
{
    return cell / HIDATO_SIDE * k->s->d.grid.stride + cell % HIDATO_SIDE;
}

static void deduction_apply(const holos_variant *v, void *state, const holos_step *step)
{
    hidato_knowledge *k = state;
    hidato_domains *d = &k->s->d;
    (void)v;
    for (unsigned i = 0; i < step->placement_count; i++) {
        unsigned number = step->placements[i].value, site = site_of_cell(k, step->placements[i].cell);
        hidato_board_write(&k->board, hidato_place_of(&d->grid, site), number);
        place(k, number, site);
        hidato_assign(d, number, site);
    }
    for (unsigned i = 0; i < step->elimination_count; i++) {
        unsigned number = step->eliminations[i].value, site = site_of_cell(k, step->eliminations[i].cell);
        if (hidato_may(d, number, site))
            hidato_remove(d, number, site);
    }
    hidato_propagate_sweeps(d);
}

static bool deduction_done(const holos_variant *v, const void *state)
{
    const hidato_knowledge *k = state;
    (void)v;
    return k->board.filled == k->board.cells;
}

static void deduction_position(const holos_variant *v, const void *state, holos_position *out)
{
    memcpy(out, &((const hidato_knowledge *)state)->board, v->position_size);
}

static void write_candidate(const holos_variant *v, holos_candidate candidate, bool holds, text *out)
{
    (void)v;
    text_printf(out, "r%uc%u%s%u", candidate.cell / HIDATO_SIDE + 1u, candidate.cell % HIDATO_SIDE + 1u,
                holds ? "=" : "<>", candidate.value);
}

static void write_house(const holos_variant *v, unsigned house, text *out)
{
    (void)v;
    text_printf(out, "the gap that begins with %u", house);
}

const holos_deduction hidato_deduction = {
    .techniques = techniques,
    .technique_count = TECHNIQUE_COUNT,
    .state_size = deduction_size,
    .begin = deduction_begin,
    .end = deduction_end,
    .find = deduction_find,
    .apply = deduction_apply,
    .done = deduction_done,
    .position = deduction_position,
    .format_candidate = write_candidate,
    .format_house = write_house,
};
