/* SPDX-License-Identifier: MIT */

/* Ranks of one machine. A file that one of them has opened without a name, on disk or in memory, is opened by the others through
 * /proc. So nothing is left behind, however they end. Where that cannot be (they do not see each other's processes, say), every rank is a
 * machine of its own. */

#include "cluster/cluster.h"
#include "core/clock.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int cluster_file_share(holos_cluster *c, int fd)
{
    int64_t place[2] = {getpid(), fd};
    char path[64];
    cluster_share_here(c, place, sizeof place);
    if (c->leads || place[1] < 0)
        return fd;
    snprintf(path, sizeof path, "/proc/%lld/fd/%lld", (long long)place[0], (long long)place[1]);
    return open(path, O_RDWR | O_CLOEXEC);
}

/* What the first rank of a machine writes into a file that it shares, and the others must find there. */
typedef struct sign {
    uint64_t process, rank;
    double time;
} sign;

static bool sign_same(const sign *a, const sign *b)
{
    return a->process == b->process && a->rank == b->rank && a->time == b->time;
}

/* Whether this rank finds in the file of the first one what that has written. */
static bool share_try(holos_cluster *c)
{
    sign sent = {.process = (uint64_t)getpid(), .rank = c->rank, .time = clock_wall()}, found = {0};
    int own = c->leads ? memfd_create("holos", MFD_CLOEXEC) : -1;
    bool well = !c->leads || (own >= 0 && pwrite(own, &sent, sizeof sent, 0) == (ssize_t)sizeof sent);
    cluster_share_here(c, &sent, sizeof sent);
    int fd = cluster_file_share(c, own);
    well = well && fd >= 0 && pread(fd, &found, sizeof found, 0) == (ssize_t)sizeof found &&
           sign_same(&found, &sent);
    uint64_t failed = !well;
    cluster_sum(c, &failed, 1); /* and the first keeps its file until here */
    if (fd >= 0)
        close(fd);
    return failed == 0;
}

void cluster_meet(holos_cluster *c, uint32_t first_here)
{
    uint64_t crowd = c->here > 1;
    c->leads = first_here == c->rank;
    cluster_sum(c, &crowd, 1);
    bool shares = crowd > 0 && share_try(c);
    c->together = shares ? c->here : 1;
    c->leads |= !shares;
    c->machines = 0;
    const uint64_t *leaders = cluster_each(c, c->leads ? c->rank : first_here);
    for (unsigned i = 0; i < c->ranks; i++)
        c->machine_of[i] = leaders[i] == i ? c->machines++ : c->machine_of[leaders[i]];
}
