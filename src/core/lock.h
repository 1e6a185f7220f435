/* SPDX-License-Identifier: MIT */

/* Locks on what one process at a time may write to. A lock is a file that its holder keeps locked, and that says as a JSON object
 * who that is: {"pid":123,"host":"…","command":"holos build …","since":"2026-03-01T12:03:00Z",…}. The system lets go of it
 * when the process ends, however it ends; the file of one that was killed stays, tells how far it came, and is taken over by
 * the next. */

#ifndef HOLOS_CORE_LOCK_H
#define HOLOS_CORE_LOCK_H

#include "core/error.h"
#include "core/json.h"

#define LOCK_MOST 4096 /* bytes that a lock can say */

typedef struct file_lock {
    int fd; /* -1: not held */
    char *path;
} file_lock;

/* Takes the lock at `path`, or says who has it: HOLOS_IO, "WHAT is locked by process 123 (holos build …) since 12:03". The lock
 * says which process took it, and when, until its holder says more. */
holos_status lock_take(file_lock *l, const char *path, const char *what, holos_error *err);
/* Says `words`, one line, in place of what it said before. Needs no room on a full disk but the first time. */
void lock_write(file_lock *l, const char *words);
/* The fields that tell who holds it, for whoever says more: pid, host, since. */
void lock_put_owner(json *j, int64_t since);
/* Lets go of it and removes the file. Does nothing to one that is not held. */
void lock_release(file_lock *l);

/* What a lock says, and whether somebody holds it. False: there is none. */
bool lock_read(const char *path, text *out, bool *held);

#endif
