/* SPDX-License-Identifier: MIT */

#include "engine/scope.h"

#include <stdlib.h>

#define SAMPLES 8

bool scope_is_known(const holos_variant *v, boundary_guard *known, holos_kind kind, holos_position *scratch)
{
    rng random;
    int32_t score;
    rng_init(&random, 0, kind);
    for (unsigned i = 0; i < SAMPLES; i++) {
        if (!v->game->kinds->random(v, kind, &random, scratch))
            return false;
        if (!v->game->terminal(v, scratch, &score) &&
            (known == NULL || !boundary_score(known, scratch, &score)))
            return false;
    }
    return true;
}

void scope_init(scope *s)
{
    *s = (scope){.limited = true};
}

void scope_free(scope *s)
{
    free(s->between);
    free(s->known);
    *s = (scope){0};
}

static bool list_has(const holos_kind *list, size_t count, holos_kind kind)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == kind)
            return true;
    return false;
}

/* Keeps a list in ascending order, without doubles. False: no memory. */
static bool list_add(holos_kind **list, size_t *count, holos_kind kind)
{
    size_t at = *count;
    if (list_has(*list, *count, kind))
        return true;
    holos_kind *grown = realloc(*list, (*count + 1) * sizeof *grown);
    if (grown == NULL)
        return false;
    *list = grown;
    for (; at > 0 && grown[at - 1] > kind; at--)
        grown[at] = grown[at - 1];
    grown[at] = kind;
    ++*count;
    return true;
}

bool scope_has(const scope *s, holos_kind kind)
{
    return list_has(s->between, s->between_count, kind);
}

/* Whether a move from a kind in between may lead to this one. */
static bool is_next(const scope *s, const holos_variant *v, holos_kind kind, holos_kind *parents)
{
    size_t count = v->game->kinds->parents(v, kind, parents, KINDS_MOST);
    for (size_t i = 0; i < count; i++)
        if (list_has(s->between, s->between_count, parents[i]))
            return true;
    return false;
}

void scope_add(scope *s, const holos_variant *v, boundary_guard *known, holos_kind kind,
               holos_position *scratch)
{
    holos_kind *closure = malloc(2 * KINDS_MOST * sizeof *closure), *parents = closure + KINDS_MOST;
    size_t count = 0;
    if (!s->limited || list_has(s->between, s->between_count, kind)) {
        free(closure);
        return;
    }
    if (closure != NULL)
        count = v->game->kinds->closure(v, kind, closure, KINDS_MOST);
    bool fits = closure != NULL && count < KINDS_MOST;
    size_t found = 0;
    for (size_t i = 0; fits && i < count; i++) {
        if (scope_is_known(v, known, closure[i], scratch))
            closure[found++] = closure[i];
        else
            fits = list_add(&s->between, &s->between_count, closure[i]);
    }
    for (size_t i = 0; fits && i < found; i++)
        if (is_next(s, v, closure[i], parents))
            fits = list_add(&s->known, &s->known_count, closure[i]);
    free(closure);
    if (!fits)
        scope_free(s); /* not limited */
}
