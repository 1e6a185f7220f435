/* SPDX-License-Identifier: MIT */

/* Inside a cluster: what its files share. MPI moves the data (mpi.c); everything else is said in these few calls.
 *
 *     mpi        joining, leaving, calls that all ranks make together, messages between two of them
 *     machine    ranks of one machine: files and memory that they share
 *     exchange   batches from every rank to every other, while the next batch is made
 *     letter     words of any length between two ranks
 *     handout    pieces of work, handed out by rank 0
 *     parts      the parts of a tier of a database, handed out
 *     tasks      the tasks of a job, handed out: each waits for others
 *     spread     a database that no rank has room for: each part in one of them
 *     graph      the reachable graph, each position in the rank that its hash names
 *     values     what these positions are worth
 *     reached    checkpoints of a graph
 *     merge      sorted records of all ranks, for rank 0
 *     ranges     the same, packed by all of them
 *     wave       an exploration, each position in the rank that its hash names
 *     model      time, memory and traffic on any number of ranks
 *
 * A call that all ranks make together ("collective") must be made by all of them in the same order. So a failure in one rank
 * waits for the next call that carries it to the others: holos_cluster_agree, or the flags of an exchange. Nothing is allocated
 * between them that could be missing there.
 *
 * If the library itself fails, nobody can be told: from then on every call here does nothing, answers are zero, and
 * holos_cluster_agree gives the reason. The process then ends, and mpirun ends the others. */

#ifndef HOLOS_CLUSTER_CLUSTER_H
#define HOLOS_CLUSTER_CLUSTER_H

#include "core/error.h"

#include <holos/cluster.h>
#include <stdatomic.h>

struct holos_cluster {
    unsigned rank, ranks;
    unsigned here;                  /* ranks on this machine: they share what it has */
    unsigned together;              /* those of them that can map the same memory, this one among them */
    unsigned machines;              /* groups of such ranks; a rank that shares with nobody is one */
    uint32_t *machine_of;           /* of each rank */
    bool leads;                     /* the first of its group */
    bool crowded;                   /* and they are more than its processors */
    bool agreed;                    /* all ranks know of the last failure */
    bool late;                      /* and that what interrupted one of them was the end of its time */
    bool (*is_late)(void *context); /* NULL, or whether this rank's time is over: see cluster_time */
    void *late_context;
    const struct mpi *mpi;            /* the library */
    _Atomic uint64_t bytes, messages; /* that this rank has sent to others */
    uint64_t *counts;                 /* `ranks` words: what each has said of late */
    _Atomic int broken;               /* the library has failed: 1 while `reason` is being written, then 2 */
    holos_error reason;
};

/* The kinds of messages between two ranks. */
typedef enum cluster_tag { TAG_BYTES = 1, TAG_ASK, TAG_TELL, TAG_ROWS, TAG_LETTER, TAG_STOP } cluster_tag;

#define CLUSTER_ANY UINT32_MAX

/* holos_cluster_agree, or without a cluster the status as it is. */
static inline holos_status cluster_agree(holos_cluster *c, holos_status status, holos_error *err)
{
    return c != NULL ? holos_cluster_agree(c, status, err) : status;
}

/* Work begins: what failed before has been told. */
void cluster_begin(holos_cluster *c);
/* While it runs, `is_late` says whether the time of this rank is over; NULL: it does not run any more. Ranks are late at slightly
 * different moments, and the first one interrupts all. */
void cluster_time(holos_cluster *c, bool (*is_late)(void *context), void *context);

/* A rank alone, without the library: for what has to be compared with many. `word` is its room for counts. */
static inline holos_cluster cluster_alone(uint64_t *word)
{
    return (holos_cluster){
        .ranks = 1, .here = 1, .together = 1, .machines = 1, .leads = true, .counts = word};
}

/* Whether the library has failed. */
static inline bool cluster_broken(const holos_cluster *c)
{
    return atomic_load_explicit(&c->broken, memory_order_acquire) == 2;
}

/* ---- All ranks together ------------------------------------------------------------------------ */

/* The bytes of one rank, to all. */
void cluster_share(holos_cluster *c, void *bytes, uint64_t size, unsigned from);
/* The sums over all ranks, to all. */
void cluster_sum(holos_cluster *c, uint64_t *counts, size_t count);
/* `size` bytes of each rank, one after the other, to all. */
void cluster_gather(holos_cluster *c, const void *mine, size_t size, void *all);
/* A number of each rank, to all: `ranks` of them, until the next call of this or of holos_cluster_agree. */
const uint64_t *cluster_each(holos_cluster *c, uint64_t mine);
void cluster_wait(holos_cluster *c);

/* ---- One machine, and one rank of each --------------------------------------------------------- */

/* The bytes of the first rank of each machine, to the others there. */
void cluster_share_here(holos_cluster *c, void *bytes, size_t size);
/* The bytes that the machine of a rank has, to all machines: only their first ranks take part; the others see them in the memory that
 * they share, after the next call of all ranks. */
void cluster_share_between(holos_cluster *c, void *bytes, uint64_t size, unsigned from);
/* A file that the first rank of each machine has opened, for the others there: a descriptor of their own. -1: it has none, or it
 * cannot be had. The first keeps it open until the next call of all ranks. */
int cluster_file_share(holos_cluster *c, int fd);
/* Finds out which ranks can share memory. */
void cluster_meet(holos_cluster *c, uint32_t first_here);

/* ---- From all to all --------------------------------------------------------------------------- */

/* What goes from all to all at the same time goes on different lanes: on each, all ranks begin the same calls in the same order. */
enum { CLUSTER_LANES = 2 };

/* Bytes to all, from all: the i-th pieces go to rank i, and come from it. */
typedef struct cluster_move {
    unsigned lane;
    const unsigned char *out;
    unsigned char *in;
    int *out_sizes, *out_at, *in_sizes, *in_at; /* `ranks` of each */
    void *request;                              /* the library's; NULL: nothing is on its way */
} cluster_move;

/* The i-th of so many words of each rank, to rank i. Ends with cluster_move_end, as the bytes do. */
void cluster_swap_begin(holos_cluster *c, cluster_move *m, const uint64_t *out, uint64_t *in, size_t words);
void cluster_move_begin(holos_cluster *c, cluster_move *m);
/* Lets the library work; it has no thread of its own. Whether nothing is on its way any more. */
bool cluster_move_poke(holos_cluster *c, cluster_move *m);
void cluster_move_end(holos_cluster *c, cluster_move *m);

/* ---- Two ranks --------------------------------------------------------------------------------- */

void cluster_send(holos_cluster *c, unsigned to, cluster_tag tag, const void *bytes, size_t size);
/* Waits. False: the library has failed. */
bool cluster_receive(holos_cluster *c, unsigned from, cluster_tag tag, void *bytes, size_t size);
/* Whether a message waits; *from may be CLUSTER_ANY, and is then whose it is. */
bool cluster_waits(holos_cluster *c, unsigned *from, cluster_tag tag, size_t *size);

#endif
