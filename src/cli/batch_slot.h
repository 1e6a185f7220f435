/* SPDX-License-Identifier: MIT */

/* Inside batch.c and remote.c: a question and its answer. */

#ifndef HOLOS_CLI_BATCH_SLOT_H
#define HOLOS_CLI_BATCH_SLOT_H

#include "cli/batch.h"

typedef struct slot {
    text question, answer;
    size_t length; /* of the question, which may hold zeros */
    bool cut;      /* the line was too long: `question` is its beginning */
    bool failed;   /* the answer is an error */
    cli_status status;
} slot;

/* Puts a question into a slot. */
void slot_ask(slot *s, const char *question, size_t length, bool cut);

/* ---- Other ranks of a cluster (remote.c) ------------------------------------------------------- */

/* Lets a rank answer questions; *nodes: what it has searched so far. */
holos_status remote_ask(holos_cluster *c, unsigned rank, slot *slots, size_t count, uint64_t *nodes,
                        holos_error *err);
/* It has nothing more to do. */
holos_status remote_dismiss(holos_cluster *c, unsigned rank, holos_error *err);
/* In another rank: the next questions, at most so many; *count is 0 when there is nothing more to do. */
holos_status remote_questions(holos_cluster *c, slot *slots, size_t most, size_t *count, holos_error *err);
holos_status remote_answer(holos_cluster *c, const slot *slots, size_t count, uint64_t nodes,
                           holos_error *err);

#endif
