/* SPDX-License-Identifier: MIT */

/* A small solver for clauses that learns from its conflicts (CDCL: Marques-Silva and Sakallah's GRASP, with the watched
 * literals, activities and restarts of Chaff, MiniSat and Glucose).
 *
 * Besides clauses it knows groups: sets of variables of which at most one is true. A puzzle is full of them, and as
 * clauses they would be quadratic; here a variable that becomes true makes the others of its groups false, and the
 * explanation is made when a conflict asks for it. A variable is in at most CDCL_GROUPS groups.
 *
 * Literals are 2 * variable, and 2 * variable + 1 for its negation. It is deterministic. */

#ifndef HOLOS_HIDATO_CDCL_H
#define HOLOS_HIDATO_CDCL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CDCL_GROUPS = 2 };

typedef struct cdcl cdcl;

typedef enum cdcl_result {
    CDCL_SATISFIED,   /* cdcl_is_true tells how */
    CDCL_UNSATISFIED, /* there are no more models */
    CDCL_STOPPED,     /* the caller's check said so */
    CDCL_NO_MEMORY,
} cdcl_result;

typedef struct cdcl_statistics {
    uint64_t decisions, conflicts, propagations, restarts, learned;
    unsigned depth; /* the most decisions on top of each other */
} cdcl_statistics;

cdcl *cdcl_open(unsigned variables); /* NULL: out of memory */
void cdcl_close(cdcl *c);

/* At most one of the variables is true. */
void cdcl_add_group(cdcl *c, const uint32_t *variables, unsigned count);
/* At least one of the literals is true. No variable occurs twice. After a model was found, too. */
void cdcl_add_clause(cdcl *c, const uint32_t *literals, unsigned count);
/* How interesting a variable is before anything is learned, 0 to 1. */
void cdcl_set_activity(cdcl *c, uint32_t variable, double activity);

/* Looks for a model. `go_on` is asked now and then, and ends the work when it returns false. */
cdcl_result cdcl_solve(cdcl *c, bool (*go_on)(void *context, const cdcl_statistics *so_far), void *context);
bool cdcl_is_true(const cdcl *c, uint32_t variable); /* in the model */
const cdcl_statistics *cdcl_statistics_of(const cdcl *c);

#endif
