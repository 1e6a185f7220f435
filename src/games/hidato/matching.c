/* SPDX-License-Identifier: MIT */

/* All-different, as Regin (1994) has it: numbers and cells form a bipartite graph, and a solution is a perfect matching in
 * it. A candidate that is in no perfect matching is none. One matching is kept and mended; a candidate outside of it is in
 * another one exactly if it lies on an alternating circle, that is within a strongly connected component. */

#include "games/hidato/propagate.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = 0 };

typedef struct matching {
    hidato_domains *d;
    uint16_t *site_of;   /* of a number; kept from call to call */
    uint16_t *number_at; /* of a site; NONE: nobody's */
    uint32_t visited[HIDATO_PLACES + 2];
    uint32_t round;
    /* Tarjan's algorithm over the numbers: an edge leads from a number to the owner of any of its places. */
    uint16_t index[HIDATO_PLACES + 2], low[HIDATO_PLACES + 2], component[HIDATO_PLACES + 2];
    uint16_t stack[HIDATO_PLACES + 2];
    unsigned depth, next, components;
} matching;

bool hidato_matching_init(hidato_state *s)
{
    s->site_of = calloc(s->d.last + 2u, sizeof *s->site_of);
    s->number_at = calloc(s->d.grid.sites, sizeof *s->number_at);
    return s->site_of != NULL && s->number_at != NULL;
}

void hidato_matching_free(hidato_state *s)
{
    free(s->site_of);
    free(s->number_at);
    s->site_of = s->number_at = NULL;
}

/* Finds a site for the number, if need be by moving others. */
static bool augment(matching *m, unsigned number)
{
    const hidato_domains *d = m->d;
    m->visited[number] = m->round;
    SET_EACH(site, hidato_places(d, number), d->grid.words)
    if (m->number_at[site] == NONE) {
        m->number_at[site] = (uint16_t)number;
        m->site_of[number] = (uint16_t)site;
        return true;
    }
    SET_EACH(site, hidato_places(d, number), d->grid.words)
    {
        unsigned owner = m->number_at[site];
        if (m->visited[owner] == m->round || !augment(m, owner))
            continue;
        m->number_at[site] = (uint16_t)number;
        m->site_of[number] = (uint16_t)site;
        return true;
    }
    return false;
}

/* Gives up pairs that are candidates no longer, then finds new ones. */
static bool match_all(matching *m)
{
    hidato_domains *d = m->d;
    memset(m->number_at, 0, d->grid.sites * sizeof *m->number_at);
    for (unsigned number = 1; number <= d->last; number++) {
        unsigned site = m->site_of[number];
        if (m->number_at[site] == NONE && hidato_may(d, number, site))
            m->number_at[site] = (uint16_t)number;
    }
    for (unsigned number = 1; number <= d->last; number++) {
        if (m->number_at[m->site_of[number]] == number)
            continue;
        m->round++;
        if (augment(m, number))
            continue;
        d->conflict = (hidato_conflict_found){HIDATO_MATCHING, (uint16_t)number, 0};
        return false;
    }
    return true;
}

static void connect(matching *m, unsigned number)
{
    const hidato_domains *d = m->d;
    m->index[number] = m->low[number] = (uint16_t)++m->next;
    m->stack[m->depth++] = (uint16_t)number;
    SET_EACH(site, hidato_places(d, number), d->grid.words)
    {
        unsigned other = m->number_at[site];
        if (m->index[other] == 0) {
            connect(m, other);
            if (m->low[other] < m->low[number])
                m->low[number] = m->low[other];
        } else if (m->component[other] == 0 && m->index[other] < m->low[number]) {
            m->low[number] = m->index[other];
        }
    }
    if (m->low[number] != m->index[number])
        return;
    m->components++;
    do
        m->component[m->stack[--m->depth]] = (uint16_t)m->components;
    while (m->stack[m->depth] != number);
}

static bool remove_unmatched(matching *m)
{
    hidato_domains *d = m->d;
    for (unsigned number = 1; number <= d->last; number++) {
        if (d->place_count[number] == 1)
            continue;
        uint64_t allowed[HIDATO_WORDS] = {0};
        SET_EACH(site, hidato_places(d, number), d->grid.words)
        if (m->component[m->number_at[site]] == m->component[number])
            set_add(allowed, site);
        if (!hidato_restrict_places(d, number, allowed))
            return false;
    }
    return true;
}

bool hidato_propagate_matching(hidato_state *s)
{
    matching m = {.d = &s->d, .site_of = s->site_of, .number_at = s->number_at};
    if (!match_all(&m))
        return false;
    for (unsigned number = 1; number <= s->d.last; number++)
        if (m.index[number] == 0)
            connect(&m, number);
    return remove_unmatched(&m);
}
