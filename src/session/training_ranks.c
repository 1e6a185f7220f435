/* SPDX-License-Identifier: MIT */

#include "cluster/letter.h"
#include "session/training.h"

static void net_share(holos_cluster *c, net *n)
{
    cluster_share(c, n->parameters, n->at.parameters * sizeof(float), 0);
    cluster_share(c, n->statistics, n->at.statistics * sizeof(float), 0);
}

void training_share_weights(training *t)
{
    if (t->cluster != NULL)
        net_share(t->cluster, &t->net);
}

void training_share_all(training *t)
{
    if (t->cluster == NULL)
        return;
    uint64_t *const counts[] = {&t->iteration, &t->games, &t->positions};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        cluster_share(t->cluster, counts[i], sizeof *counts[i], 0);
    net_share(t->cluster, &t->net);
    net_share(t->cluster, &t->rated);
}

void training_sum(training *t, uint64_t *count, double seconds)
{
    if (t->cluster == NULL)
        return;
    uint64_t sums[2] = {*count, t->cluster->rank > 0 ? (uint64_t)(1e6 * seconds) : 0};
    cluster_sum(t->cluster, sums, 2);
    *count = sums[0];
    t->elsewhere += 1e-6 * (double)sums[1];
}

/* As a letter: the seconds, the plies, the positions. An empty one is from a rank that has failed, and tells why later. */
static void group_write(const replay *found, const selfplay_result *result, double seconds, text *out)
{
    text_bytes(out, (const char *)&seconds, sizeof seconds);
    text_bytes(out, (const char *)&result->plies, sizeof result->plies);
    replay_write(found, out);
}

static bool group_read(const text *words, replay *found, selfplay_result *result, double *seconds)
{
    const unsigned char *at = (const unsigned char *)words->data, *end = at + words->length;
    if (words->length < sizeof *seconds + sizeof result->plies)
        return words->length == 0;
    memcpy(seconds, at, sizeof *seconds);
    memcpy(&result->plies, at + sizeof *seconds, sizeof result->plies);
    at += sizeof *seconds + sizeof result->plies;
    return replay_read(found, &at, end) && at == end;
}

holos_status training_group_pass(training *t, uint64_t group, replay *found, selfplay_result *result,
                                 double *seconds, holos_error *err)
{
    holos_cluster *c = t->cluster;
    unsigned owner = training_rank_of(t, group);
    text words;
    holos_status status = HOLOS_OK;
    if (owner == 0 || (c->rank > 0 && c->rank != owner))
        return status;
    text_init(&words);
    if (c->rank == 0) {
        letter_receive(c, owner, &words);
        if (!words.failed && !group_read(&words, found, result, seconds))
            status = error_set(err, HOLOS_IO, HOLOS_NOWHERE, "the games of rank %u are damaged", owner);
    } else {
        group_write(found, result, *seconds, &words);
        letter_send(c, 0, &words);
    }
    if (words.failed)
        status = error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for games");
    text_free(&words);
    return status;
}
