/* SPDX-License-Identifier: MIT */

#include "games/hidato/domains.h"

#include "core/hash.h"

#include <stdlib.h>
#include <string.h>

/* ---- Lists of changes --------------------------------------------------------------------------- */

void hidato_changes_add(hidato_changes *c, unsigned what)
{
    if (c->listed[what])
        return;
    c->listed[what] = true;
    c->ring[(c->first + c->count++) & (c->room - 1)] = (uint16_t)what;
}

unsigned hidato_changes_take(hidato_changes *c)
{
    unsigned what = c->ring[c->first];
    c->first = (c->first + 1) & (c->room - 1);
    c->count--;
    c->listed[what] = false;
    return what;
}

void hidato_changes_clear(hidato_changes *c)
{
    while (c->count > 0)
        hidato_changes_take(c);
}

void hidato_later_around(hidato_domains *d, uint64_t *out)
{
    uint64_t changed[HIDATO_WORDS] = {0};
    while (d->later_sites.count > 0)
        set_add(changed, hidato_changes_take(&d->later_sites));
    hidato_dilate(&d->grid, changed, out);
    for (unsigned word = 0; word < d->grid.words; word++)
        out[word] |= changed[word];
}

/* ---- Memory ------------------------------------------------------------------------------------ */

/* Cuts a piece off a block; with a NULL block, only counts. */
static void *cut(unsigned char *block, size_t *used, size_t size)
{
    void *piece = block != NULL ? block + *used : NULL;
    *used += (size + 15) / 16 * 16;
    return piece;
}

static void cut_changes(hidato_changes *c, unsigned most, unsigned char *block, size_t *used)
{
    for (c->room = 64; c->room < most; c->room *= 2)
        ;
    c->first = c->count = 0;
    c->ring = cut(block, used, c->room * sizeof *c->ring);
    c->listed = cut(block, used, most);
}

static size_t cut_all(hidato_domains *d, unsigned char *block)
{
    size_t used = 0, numbers = d->last + 2u, sites = d->grid.sites;
    d->places = cut(block, &used, numbers * d->grid.words * sizeof *d->places);
    d->values = cut(block, &used, sites * d->value_words * sizeof *d->values);
    d->place_count = cut(block, &used, numbers * sizeof *d->place_count);
    d->value_count = cut(block, &used, sites * sizeof *d->value_count);
    cut_changes(&d->numbers, (unsigned)numbers, block, &used);
    cut_changes(&d->sites, (unsigned)sites, block, &used);
    cut_changes(&d->later_numbers, (unsigned)numbers, block, &used);
    cut_changes(&d->later_sites, (unsigned)sites, block, &used);
    return used;
}

void hidato_domains_free(hidato_domains *d)
{
    free(d->memory);
    free(d->trail);
    d->memory = NULL;
    d->trail = NULL;
}

/* ---- The beginning ------------------------------------------------------------------------------ */

/* A filled number has its place, any other number all empty ones. */
static void places_begin(hidato_domains *d, const hidato_board *b)
{
    const hidato_grid *g = &d->grid;
    uint64_t empty[HIDATO_WORDS];
    memcpy(empty, g->mask, g->words * sizeof *empty);
    for (unsigned place = 0; place < g->rows * g->columns; place++) {
        unsigned number = b->numbers[place], site = hidato_site_of(g, place);
        if (!hidato_is_number((uint16_t)number))
            continue;
        set_remove(empty, site);
        set_add(hidato_places(d, number), site);
        d->place_count[number] = 1;
    }
    for (unsigned number = 1; number <= d->last; number++)
        if (d->place_count[number] == 0)
            memcpy(hidato_places(d, number), empty, g->words * sizeof *empty);
}

/* Keeps the places of `to` that are next to one of `from`; the first number without any is the conflict. */
static void sweep_whole(hidato_domains *d, unsigned from, unsigned to)
{
    uint64_t near[HIDATO_WORDS], left = 0;
    if (d->conflict.kind != HIDATO_NO_CONFLICT)
        return;
    hidato_dilate(&d->grid, hidato_places(d, from), near);
    for (unsigned word = 0; word < d->grid.words; word++)
        left |= hidato_places(d, to)[word] &= near[word];
    if (left == 0)
        d->conflict = (hidato_conflict_found){HIDATO_NO_PLACE, (uint16_t)to, 0};
}

/* Removal by removal this would take 20 times as long: whole sets are swept once forward and once back before there are
 * counts to keep, and after that the two-ended propagation has nothing left to do. */
static void places_sweep(hidato_domains *d)
{
    for (unsigned number = 2; number <= d->last; number++)
        sweep_whole(d, number - 1, number);
    for (unsigned number = d->last; number-- > 1;)
        sweep_whole(d, number + 1, number);
}

static size_t counts_make(hidato_domains *d)
{
    size_t candidates = 0;
    d->open = 0;
    for (unsigned number = 1; number <= d->last; number++) {
        d->place_count[number] = 0;
        SET_EACH (site, hidato_places(d, number), d->grid.words) {
            set_add(hidato_values(d, site), number);
            d->value_count[site]++;
            d->place_count[number]++;
        }
        d->open += d->place_count[number] > 1;
        candidates += d->place_count[number];
        if (d->place_count[number] == 0 && d->conflict.kind == HIDATO_NO_CONFLICT)
            d->conflict = (hidato_conflict_found){HIDATO_NO_PLACE, (uint16_t)number, 0};
    }
    SET_EACH (site, d->grid.mask, d->grid.words)
        if (d->value_count[site] == 0 && d->conflict.kind == HIDATO_NO_CONFLICT)
            d->conflict = (hidato_conflict_found){HIDATO_NO_NUMBER, 0, (uint16_t)site};
    return candidates;
}

bool hidato_domains_init(hidato_domains *d, const hidato_board *b, hidato_kind kind)
{
    memset(d, 0, sizeof *d);
    hidato_grid_init(&d->grid, b, kind);
    d->last = b->cells;
    d->value_words = d->last / 64 + 1;
    size_t size = cut_all(d, NULL);
    d->memory = calloc(1, size);
    if (d->memory == NULL)
        return false;
    cut_all(d, d->memory);
    places_begin(d, b);
    places_sweep(d);
    d->trail_room = counts_make(d) + 1;
    d->trail = malloc(d->trail_room * sizeof *d->trail);
    if (d->trail == NULL) {
        hidato_domains_free(d);
        return false;
    }
    for (unsigned number = 1; number <= d->last; number++) {
        if (d->place_count[number] == 1)
            hidato_changes_add(&d->numbers, number);
        hidato_changes_add(&d->later_numbers, number);
    }
    SET_EACH (site, d->grid.mask, d->grid.words) {
        if (d->value_count[site] == 1)
            hidato_changes_add(&d->sites, site);
        hidato_changes_add(&d->later_sites, site);
    }
    return true;
}

/* ---- Removing ----------------------------------------------------------------------------------- */

static bool fail(hidato_domains *d, hidato_conflict_kind kind, unsigned number, unsigned site)
{
    d->conflict = (hidato_conflict_found){kind, (uint16_t)number, (uint16_t)site};
    return false;
}

static inline void removal_note(hidato_domains *d, unsigned number, unsigned site)
{
    d->trail[d->trail_length++] = number << 16 | site;
    d->removed++;
    if (d->hashed)
        d->hash ^= hash_mix(number << 16 | site);
    hidato_changes_add(&d->numbers, number);
    hidato_changes_add(&d->sites, site);
    hidato_changes_add(&d->later_numbers, number);
    hidato_changes_add(&d->later_sites, site);
    d->open -= --d->place_count[number] == 1;
    d->value_count[site]--;
}

bool hidato_remove(hidato_domains *d, unsigned number, unsigned site)
{
    set_remove(hidato_places(d, number), site);
    set_remove(hidato_values(d, site), number);
    removal_note(d, number, site);
    if (d->place_count[number] == 0)
        return fail(d, HIDATO_NO_PLACE, number, site);
    return d->value_count[site] != 0 || fail(d, HIDATO_NO_NUMBER, number, site);
}

bool hidato_restrict_places(hidato_domains *d, unsigned number, const uint64_t *allowed)
{
    uint64_t *places = hidato_places(d, number);
    for (unsigned word = 0; word < d->grid.words; word++)
        for (uint64_t gone = places[word] & ~allowed[word]; gone != 0; gone &= gone - 1)
            if (!hidato_remove(d, number, word * 64 + (unsigned)__builtin_ctzll(gone)))
                return false;
    return true;
}

bool hidato_restrict_values(hidato_domains *d, unsigned site, const uint64_t *allowed)
{
    uint64_t *values = hidato_values(d, site);
    for (unsigned word = 0; word < d->value_words; word++)
        for (uint64_t gone = values[word] & ~allowed[word]; gone != 0; gone &= gone - 1)
            if (!hidato_remove(d, word * 64 + (unsigned)__builtin_ctzll(gone), site))
                return false;
    return true;
}

bool hidato_assign(hidato_domains *d, unsigned number, unsigned site)
{
    uint64_t only[HIDATO_WORDS] = {0}, one[HIDATO_PLACES / 64 + 1] = {0};
    set_add(only, site);
    set_add(one, number);
    return hidato_restrict_places(d, number, only) && hidato_restrict_values(d, site, one);
}

void hidato_undo(hidato_domains *d, size_t trail_length)
{
    while (d->trail_length > trail_length) {
        uint32_t removed = d->trail[--d->trail_length];
        unsigned number = removed >> 16, site = removed & 0xFFFF;
        if (d->hashed)
            d->hash ^= hash_mix(removed);
        set_add(hidato_places(d, number), site);
        set_add(hidato_values(d, site), number);
        d->open += ++d->place_count[number] == 2;
        d->value_count[site]++;
    }
    hidato_changes_clear(&d->numbers);
    hidato_changes_clear(&d->sites);
    hidato_changes_clear(&d->later_numbers);
    hidato_changes_clear(&d->later_sites);
    d->conflict.kind = HIDATO_NO_CONFLICT;
}

/* ------------------------------------------------------------------------------------------------ */

void hidato_domains_board(const hidato_domains *d, const hidato_board *b, hidato_board *out)
{
    *out = *b;
    for (unsigned number = 1; number <= d->last; number++)
        if (d->place_count[number] == 1) {
            unsigned place = hidato_place_of(&d->grid, set_first(hidato_places(d, number)));
            if (out->numbers[place] == 0)
                hidato_board_write(out, place, number);
        }
}
