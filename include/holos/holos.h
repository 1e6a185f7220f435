/* SPDX-License-Identifier: MIT */

/* holos: exact values of positions in games and puzzles.
 *
 * A program opens a variant ("connect4:7x6"), reads positions in the notation that players use, and asks a
 * solver for their exact values. A result says how it is known. If a limit comes first, the result is an
 * interval that contains the true value.
 *
 *     holos_variant *v;  holos_error err;
 *     if (holos_open("connect4:5x4", &v, &err) != HOLOS_OK) ...err.message...
 *     holos_position *p = holos_position_new(v);
 *     holos_parse(v, "3344", p, &err);
 *     holos_solver *s;   holos_result r;
 *     holos_solver_open(v, NULL, &s, &err);
 *     holos_solver_solve(s, p, &r, &err);          r.value.lo == r.value.hi: solved
 *     holos_solver_close(s);  holos_position_free(p);  holos_close(v);
 *
 * The library keeps no mutable globals, never prints and never exits. Threads may use different variants and
 * solvers at the same time; a solver serves one thread at a time. A variant is read-only once it is open, so
 * threads may share it. */

#ifndef HOLOS_HOLOS_H
#define HOLOS_HOLOS_H

#include <holos/base.h>
#include <holos/cluster.h>
#include <holos/custom.h>
#include <holos/game.h>
#include <holos/job.h>
#include <holos/knowledge.h>
#include <holos/lab.h>
#include <holos/match.h>
#include <holos/meta.h>
#include <holos/option.h>
#include <holos/picture.h>
#include <holos/play.h>
#include <holos/progress.h>
#include <holos/puzzle.h>
#include <holos/report.h>
#include <holos/solve.h>
#include <holos/store.h>
#include <holos/wave.h>

#endif
