/* SPDX-License-Identifier: MIT */

/* Looking after stores (holos/store.h): what its files share.
 *
 *     care.c    what lies at a place, and whether it is sound
 *     copy.c    a copy of it elsewhere       merge.c   one made of several
 *     contents.c  what a hologram holds besides values */

#ifndef HOLOS_SESSION_CARE_H
#define HOLOS_SESSION_CARE_H

#include "core/lock.h"
#include "core/progress.h"
#include "core/report.h"
#include "session/build.h"

#include <holos/store.h>

/* One piece of care, with everything that it was asked filled in. */
typedef struct care {
    holos_store_options o; /* threads and memory are never 0 here */
    progress progress;
    file_lock lock; /* on what is written */
} care;

void care_begin(care *c, const holos_store_options *options);
/* Lets go of the lock, too. */
void care_end(care *c);

/* Locks a place that is going to be written to. `what` is done there: "copy". */
holos_status care_lock(care *c, const char *url, const char *what, const holos_variant *v, holos_error *err);
/* HOLOS_INTERRUPTED, with `advice` behind it, if the caller asked to stop. */
holos_status care_stop(const care *c, const char *advice, holos_error *err);
/* HOLOS_USAGE if the two are one place, whatever they are called. */
holos_status care_distinct(const char *from, const char *to, const char *verb, holos_error *err);

/* Opens a store for reading. */
holos_status care_open(const care *c, const char *url, store **out, holos_error *err);
/* Whether a hologram lies at a URL, and its path, which has room for PATH_MAX. */
bool care_is_hologram(const char *url, char *path);
/* The report on what lies at a URL; `out` may be NULL. */
holos_status care_report(const char *url, holos_report **out, holos_error *err);

/* Adds the seeds, frontiers, spines and rounds of a hologram to the report on it. */
void contents_put(holos_report *r, holos_hologram *h, const holos_hologram_summary *s);

#endif
