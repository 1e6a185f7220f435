/* SPDX-License-Identifier: MIT */

/* The tables as a capability of the game: game/endings.h. */

#ifndef HOLOS_CHESS_TABLES_ENDINGS_H
#define HOLOS_CHESS_TABLES_ENDINGS_H

#include "game/endings.h"

extern const holos_endings chess_endings;

/* build.c */
holos_status endings_plan_make(const endings_request *r, endings_plan *out, holos_error *err);
holos_status endings_make(const endings_request *r, endings_report *report, holos_error *err);

#endif
