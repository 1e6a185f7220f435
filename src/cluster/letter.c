/* SPDX-License-Identifier: MIT */

#include "cluster/letter.h"

#define PIECE 65536

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
    if (!cluster_receive(c, from, TAG_LETTER, &size, sizeof size))
        return;
    for (uint64_t done = 0; done < size; done += PIECE) {
        size_t some = size - done < PIECE ? (size_t)(size - done) : PIECE;
        if (!cluster_receive(c, from, TAG_LETTER, piece, some))
            return;
        text_bytes(out, piece, some);
    }
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
    if (status != HOLOS_OK || room == NULL)
        return status;
    cluster_share(c, room, size, 0); /* there is a 0 behind it already */
    return status;
}
