/* SPDX-License-Identifier: MIT */

/* Why a board has no solution, in words. First what anybody can check: two numbers that are too far apart. Then what
 * propagation runs into. */

#include "games/hidato/hidato.h"
#include "games/hidato/propagate.h"

#include <string.h>

/* Steps from a site to another through empty cells; 0 if there is no way. */
static unsigned way_length(const hidato_domains *d, const uint64_t *empty, unsigned from, unsigned to)
{
    uint64_t front[HIDATO_WORDS] = {0}, near[HIDATO_WORDS];
    set_add(front, from);
    for (unsigned steps = 1;; steps++) {
        bool grows = false;
        hidato_dilate(&d->grid, front, near);
        if (set_has(near, to))
            return steps;
        for (unsigned word = 0; word < d->grid.words; word++) {
            uint64_t more = near[word] & empty[word] & ~front[word];
            front[word] |= more;
            grows |= more != 0;
        }
        if (!grows)
            return 0;
    }
}

typedef struct pair {
    unsigned number, next;  /* written numbers, with none between them */
    unsigned place, beyond; /* where they stand */
} pair;

static void say_pair(const hidato_board *b, const pair *p, text *out)
{
    text_printf(out, "%u in ", p->number);
    hidato_place_name(b, p->place, out);
    text_printf(out, " and %u in ", p->next);
    hidato_place_name(b, p->beyond, out);
}

static bool check_pair(const hidato_domains *d, const hidato_board *b, const uint64_t *empty, const pair *p,
                       text *out)
{
    unsigned from = hidato_site_of(&d->grid, p->place), to = hidato_site_of(&d->grid, p->beyond);
    unsigned apart = p->next - p->number;
    if (apart == 1 && !hidato_are_neighbours(&d->grid, from, to)) {
        say_pair(b, p, out);
        text_string(out, " are not neighbours");
        return true;
    }
    unsigned way = way_length(d, empty, from, to);
    if (way != 0 && way <= apart)
        return false;
    say_pair(b, p, out);
    if (way == 0)
        text_string(out, " are cut off from each other by what is filled");
    else
        text_printf(out, " are too far apart: the shortest way takes %u steps, and there %s %u", way,
                    apart == 1 ? "is" : "are", apart);
    return true;
}

static bool find_pair(const hidato_domains *d, const hidato_board *b, text *out)
{
    uint16_t where[HIDATO_PLACES + 1];
    uint64_t empty[HIDATO_WORDS];
    memset(where, 0xFF, sizeof where);
    memcpy(empty, d->grid.mask, sizeof empty);
    for (unsigned place = 0; place < (unsigned)b->rows * b->columns; place++)
        if (hidato_is_number(b->numbers[place])) {
            where[b->numbers[place]] = (uint16_t)place;
            set_remove(empty, hidato_site_of(&d->grid, place));
        }
    pair p = {0};
    for (unsigned number = 1; number <= b->cells; number++) {
        if (where[number] == 0xFFFF)
            continue;
        p.next = number;
        p.beyond = where[number];
        if (p.number != 0 && check_pair(d, b, empty, &p, out))
            return true;
        p.number = number;
        p.place = where[number];
    }
    return false;
}

static void say_found(const hidato_domains *d, const hidato_board *b, text *out)
{
    const hidato_conflict_found *c = &d->conflict;
    unsigned place = c->kind != HIDATO_NO_PLACE ? hidato_place_of(&d->grid, c->site) : 0;
    switch (c->kind) {
    case HIDATO_NO_PLACE:
        text_printf(out, "no cell is left for %u", c->number);
        break;
    case HIDATO_NO_NUMBER:
        text_string(out, "no number is left for ");
        hidato_place_name(b, place, out);
        break;
    case HIDATO_ISLAND:
        text_string(out, "no numbers that are missing fill the empty cells around ");
        hidato_place_name(b, place, out);
        break;
    case HIDATO_MATCHING:
        text_printf(out, "%u and other missing numbers have fewer cells than they need", c->number);
        break;
    case HIDATO_NO_CONFLICT:
        break;
    }
}

bool hidato_conflict(const holos_variant *v, const holos_position *p, text *out)
{
    const hidato_board *b = hidato_board_of(p);
    hidato_state s;
    if (!hidato_state_init(&s, b, hidato_kind_of(v), 4))
        return false;
    bool found = find_pair(&s.d, b, out);
    if (!found && !hidato_propagate(&s)) {
        say_found(&s.d, b, out);
        found = true;
    }
    hidato_state_free(&s);
    return found;
}
