/* SPDX-License-Identifier: MIT */

/* Words of any length between ranks. Whoever has no memory for a letter still takes it, so that the sender goes on. */

#ifndef HOLOS_CLUSTER_LETTER_H
#define HOLOS_CLUSTER_LETTER_H

#include "cluster/cluster.h"
#include "core/text.h"

/* Waits until it is taken, or most of it. */
void letter_send(holos_cluster *c, unsigned to, const text *words);
/* Adds it to a text, which has failed if there is no memory. */
void letter_receive(holos_cluster *c, unsigned from, text *out);

/* The text of rank 0, to all, into empty ones; or why not. */
holos_status cluster_share_text(holos_cluster *c, text *words, holos_error *err);

#endif
