/* SPDX-License-Identifier: MIT */

/* Plans of jobs whose positions have to be counted or estimated first (growth.h). */

#ifndef HOLOS_SESSION_PLAN_H
#define HOLOS_SESSION_PLAN_H

#include "core/report.h"
#include "session/growth.h"

/* Bytes of memory that a wave takes before its first position: 1.8 MB for nim:4,5,6, more with more threads. */
#define PLAN_WAVE_BASE ((size_t)2 << 20)

/* What a position costs. */
typedef struct plan_costs {
    size_t base;         /* bytes of memory without any position */
    double memory, disk; /* bytes, about */
    double seconds;      /* of one processor */
    size_t least; /* bytes of memory, for sure; 0: the job may end before it has reached all positions */
    const char *beyond; /* as in holos_plan */
} plan_costs;

/* Fills in the plan of a job. `what` is what the positions make: "the reachable graph". */
void plan_by_growth(const growth *g, const plan_costs *each, const char *what, const holos_variant *v,
                    holos_plan *out, holos_report *r);

#endif
