/* SPDX-License-Identifier: MIT */

/* v4: what propagation leaves is split into components, and each is handed to the clause learner (cdcl.h). */

#ifndef HOLOS_HIDATO_CLAUSES_H
#define HOLOS_HIDATO_CLAUSES_H

#include "games/hidato/solver.h"

#define HIDATO_NO_COMPONENT UINT16_MAX

/* The component of each open number, counted from 0 in the order of their smallest numbers; returns how many there
 * are. `of` has room for last + 1. */
unsigned hidato_components(const hidato_domains *d, uint16_t *of);

/* One component to solve, and what became of it. */
typedef struct hidato_part {
    hidato_state *state;
    hidato_run *run;
    const uint16_t *component_of;
    unsigned component;
    uint64_t solutions;
    bool exhausted;  /* there are no more */
    uint16_t *sites; /* of its numbers, in the first solution */
} hidato_part;

/* Counts solutions of a component up to `limit`; run->limits tells if it was ended early. */
void hidato_solve_part(hidato_part *part, uint64_t limit);

/* Solves a propagated state, all components; true if all solutions are known. */
bool hidato_solve_components(hidato_state *s, hidato_run *run);

#endif
