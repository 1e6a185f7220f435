/* SPDX-License-Identifier: MIT */

/* What lies around a kind of positions, for people who plan which tables they need. */

#include "engine/scope.h"

#include <stdlib.h>

static bool lists_make(holos_surroundings *s)
{
    s->known = calloc(KINDS_MOST, sizeof *s->known);
    s->unknown = calloc(KINDS_MOST, sizeof *s->unknown);
    s->parents = calloc(KINDS_MOST, sizeof *s->parents);
    return s->known != NULL && s->unknown != NULL && s->parents != NULL;
}

static holos_status lists_fill(const holos_variant *v, holos_kind kind, boundary_guard *known,
                               holos_kind *closure, holos_position *scratch, holos_surroundings *s,
                               holos_error *err)
{
    size_t count = v->game->kinds->closure(v, kind, closure, KINDS_MOST);
    for (size_t i = 0; i < count; i++) {
        if (scope_is_known(v, known, closure[i], scratch))
            s->known[s->known_count++] = closure[i];
        else if (closure[i] != kind)
            s->unknown[s->unknown_count++] = closure[i];
    }
    s->parent_count = v->game->kinds->parents(v, kind, s->parents, KINDS_MOST);
    if (count < KINDS_MOST)
        return HOLOS_OK;
    return error_set(err, HOLOS_LIMIT, HOLOS_NOWHERE,
                     "play from there may come to more than %d kinds of positions", KINDS_MOST);
}

holos_status holos_surroundings_find(const holos_variant *v, holos_kind kind, const holos_boundary *boundary,
                                     holos_surroundings *out, holos_error *err)
{
    if (v == NULL || out == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "a variant and a place for the lists are needed");
    *out = (holos_surroundings){0};
    if (v->game->kinds == NULL)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "positions of %s have no kinds",
                         v->game->name);
    holos_position *scratch = holos_position_new(v);
    holos_kind *closure = calloc(KINDS_MOST, sizeof *closure);
    boundary_guard guard, *known = boundary_begin(&guard, boundary, v, NULL);
    holos_status status = lists_make(out) && scratch != NULL && closure != NULL
                              ? lists_fill(v, kind, known, closure, scratch, out, err)
                              : error_system(err, "kinds of positions");
    holos_status damage = boundary_end(known, err);
    holos_position_free(scratch);
    free(closure);
    return damage != HOLOS_OK ? damage : status;
}

void holos_surroundings_free(holos_surroundings *s)
{
    if (s == NULL)
        return;
    free(s->known);
    free(s->unknown);
    free(s->parents);
    *s = (holos_surroundings){0};
}
