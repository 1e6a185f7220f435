/* SPDX-License-Identifier: MIT */

#include "cluster/letter.h"

#include <time.h>

#define PIECE      65536
#define WAIT_LEAST 20000   /* nanoseconds between two looks for a message */
#define WAIT_MOST  2000000 /* the same after a while */

/* A wait in the library would take a whole processor. */
static void message_wait(holos_cluster *c, unsigned from, cluster_tag tag)
{
    size_t size;
    for (long wait = WAIT_LEAST; !cluster_broken(c) && !cluster_waits(c, &from, tag, &size);
         wait = wait * 2 > WAIT_MOST ? WAIT_MOST : wait * 2)
        nanosleep(&(struct timespec){.tv_nsec = wait}, NULL);
}

void letter_send(holos_cluster *c, unsigned to, const text *words)
{
    uint64_t size = words->failed ? 0 : words->length;
    cluster_send(c, to, TAG_LETTER, &size, sizeof size);
    for (uint64_t done = 0; done < size; done += PIECE)
        cluster_send(c, to, TAG_LETTER, words->data + done, size - done < PIECE ? size - done : PIECE);
}

void letter_receive(holos_cluster *c, unsigned from, text *out)
{
    char piece[PIECE];
    uint64_t size = 0;
    message_wait(c, from, TAG_LETTER);
    if (!cluster_receive(c, from, TAG_LETTER, &size, sizeof size))
        return;
    for (uint64_t done = 0; done < size; done += PIECE) {
        size_t some = size - done < PIECE ? (size_t)(size - done) : PIECE;
        if (!cluster_receive(c, from, TAG_LETTER, piece, some))
            return;
        text_bytes(out, piece, some);
    }
}

void cluster_rest(holos_cluster *c)
{
    char nothing = 0;
    if (c->rank > 0) {
        message_wait(c, 0, TAG_GO);
        cluster_receive(c, 0, TAG_GO, &nothing, sizeof nothing);
        return;
    }
    for (unsigned i = 1; i < c->ranks; i++)
        cluster_send(c, i, TAG_GO, &nothing, sizeof nothing);
}

holos_status cluster_share_text(holos_cluster *c, text *words, holos_error *err)
{
    uint64_t size = words->length;
    cluster_share(c, &size, sizeof size, 0);
    char *room = c->rank > 0 && !cluster_broken(c) ? text_room(words, size) : words->data;
    holos_status status = HOLOS_OK;
    if (room == NULL || words->failed)
        status = error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for what rank 0 says");
    status = holos_cluster_agree(c, status, err);
    if (status != HOLOS_OK)
        return status;
    cluster_share(c, room, size, 0);
    words->data[words->length] = '\0';
    return status;
}
