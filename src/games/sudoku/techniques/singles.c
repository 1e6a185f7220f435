/* SPDX-License-Identifier: MIT */

/* Cells that can be filled at once. */

#include "games/sudoku/techniques/finder.h"

bool find_full_house(const finder *f, unsigned size)
{
    (void)size;
    for (unsigned house = 0; house < f->shape->houses; house++) {
        cellset empty = cellset_and(f->marks->empty, f->shape->house_set[house]);
        if (cellset_few(empty) != 1)
            continue;
        unsigned cell = cellset_first(&empty);
        if (f->marks->candidates[cell] == 0)
            continue;
        unsigned digit = (unsigned)__builtin_ctz(f->marks->candidates[cell]);
        finder_place(f, cell, digit);
        finder_mark(f, cell, digit, HOLOS_ROLE_PATTERN);
        step_house(f->step, house);
        finder_say(f, "%c is the last empty cell of %h, and %d is missing there.", cell, house, digit);
        return true;
    }
    return false;
}

/* Says which digits on the board keep the others out of a house, if that is the whole reason. */
static void say_blockers(const finder *f, unsigned cell, unsigned house, unsigned digit)
{
    cellset others = cellset_and(f->marks->empty, f->shape->house_set[house]), blockers = {{0}};
    cellset_remove(&others, cell);
    CELLSET_EACH(other, others)
    {
        bool blocked = false;
        CELLSET_EACH(peer, f->shape->peers[other])
        {
            if (f->marks->values[peer] == digit + 1 && !blocked) {
                cellset_add(&blockers, peer);
                blocked = true;
            }
        }
        if (!blocked)
            return;
    }
    finder_say(f, " The other empty cells see the %d in %C.", digit, &blockers);
}

/* `size` 1: in boxes; 0: in everything else. */
bool find_hidden_single(const finder *f, unsigned size)
{
    for (unsigned house = 0; house < f->shape->houses; house++) {
        if ((f->shape->kind[house] == HOUSE_BOX) != (size == 1))
            continue;
        for (unsigned digit = 0; digit < f->shape->size; digit++) {
            cellset places = finder_places(f, house, digit);
            if (cellset_few(places) != 1)
                continue;
            unsigned cell = cellset_first(&places);
            finder_place(f, cell, digit);
            finder_mark(f, cell, digit, HOLOS_ROLE_PATTERN);
            step_house(f->step, house);
            if (f->words != NULL) {
                finder_say(f, "%c is the only cell of %h that can hold %d.", cell, house, digit);
                say_blockers(f, cell, house, digit);
            }
            return true;
        }
    }
    return false;
}

bool find_naked_single(const finder *f, unsigned size)
{
    (void)size;
    CELLSET_EACH(cell, f->marks->empty)
    {
        if (finder_candidate_count(f, cell) != 1)
            continue;
        unsigned digit = (unsigned)__builtin_ctz(f->marks->candidates[cell]), seen = 0;
        CELLSET_EACH(peer, f->shape->peers[cell])
        if (f->marks->values[peer] != 0)
            seen |= 1u << (f->marks->values[peer] - 1);
        finder_place(f, cell, digit);
        finder_mark(f, cell, digit, HOLOS_ROLE_PATTERN);
        if ((seen | 1u << digit) == f->shape->all)
            finder_say(f, "%c can only hold %d: it sees every other digit.", cell, digit);
        else
            finder_say(f, "%c can only hold %d: it sees %D, and the rest has been ruled out.", cell, digit,
                       seen);
        return true;
    }
    return false;
}
