/* SPDX-License-Identifier: MIT */

/* The transport, on Open MPI. The library is loaded when a process joins: linked, it would cost every start of the program
 * what is measured in docs/cluster.md. So only its header is built with; the handles that the header takes from the
 * library's own variables (MPI_COMM_WORLD is one) are looked up like its functions. */

#include "cluster/cluster.h"
#include "core/clock.h"
#include "core/pool.h"
#include "core/text.h"
#include "store/library.h"

#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FUNCTIONS(X)                                                                                         \
    X(MPI_Init_thread)                                                                                       \
    X(MPI_Initialized)                                                                                       \
    X(MPI_Finalize)                                                                                          \
    X(MPI_Comm_rank)                                                                                         \
    X(MPI_Comm_size)                                                                                         \
    X(MPI_Comm_dup)                                                                                          \
    X(MPI_Comm_split)                                                                                        \
    X(MPI_Comm_split_type)                                                                                   \
    X(MPI_Comm_set_errhandler)                                                                               \
    X(MPI_Error_string)                                                                                      \
    X(MPI_Bcast)                                                                                             \
    X(MPI_Iallreduce)                                                                                        \
    X(MPI_Iallgather)                                                                                        \
    X(MPI_Ialltoall)                                                                                         \
    X(MPI_Ialltoallv)                                                                                        \
    X(MPI_Ibarrier)                                                                                          \
    X(MPI_Test)                                                                                              \
    X(MPI_Isend)                                                                                             \
    X(MPI_Irecv)                                                                                             \
    X(MPI_Iprobe)                                                                                            \
    X(MPI_Get_count)                                                                                         \
    X(MPI_Get_library_version)

/* What the header's names for handles stand for. */
#define HANDLES(X)                                                                                           \
    X(ompi_mpi_comm_world)                                                                                   \
    X(ompi_mpi_info_null)                                                                                    \
    X(ompi_mpi_byte)                                                                                         \
    X(ompi_mpi_uint64_t)                                                                                     \
    X(ompi_mpi_op_sum)                                                                                       \
    X(ompi_mpi_errors_return)

typedef struct mpi {
    FUNCTIONS(LIBRARY_MEMBER)
#define HANDLE_MEMBER(name) void *name;
    HANDLES(HANDLE_MEMBER)
    MPI_Comm here, between; /* the ranks of this machine; the first ranks of all machines */
    MPI_Comm lanes[CLUSTER_LANES];
} mpi;

#define ENTRY(name) {#name, offsetof(mpi, name)},
static const library_entry entries[] = {FUNCTIONS(ENTRY) HANDLES(ENTRY)};

static const char *const files[] = {"libmpi.so.40", "libmpi.so"};

/* Whoever waits in the library takes a whole processor, and ranks may be more than there are. So calls only begin there; this rank looks
 * whether they have ended, at first without a pause (between two slices of a graph others come soon), then with one. */
#define WAIT_EAGER   0.0002              /* seconds without a pause */
#define WAIT_LEAST   2000                /* nanoseconds between two looks later */
#define WAIT_MOST    200000              /* the same after a while */
#define MESSAGE_MOST ((uint64_t)1 << 30) /* bytes: lengths are of type int there */

static holos_status library_load(mpi *out, holos_error *err)
{
    void *file = library_open(files, sizeof files / sizeof *files);
    if (file == NULL)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "Open MPI is not installed (libmpi.so.40); scripts/setup --with mpi installs it");
    const char *missing = library_fill(file, entries, sizeof entries / sizeof *entries, out);
    if (missing != NULL)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "the MPI library that is installed is not Open MPI 4: it has no %s", missing);
    return HOLOS_OK;
}

bool holos_cluster_library(char *out, size_t size)
{
    mpi m;
    holos_error err;
    char words[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;
    unsigned version[3] = {0};
    if (out == NULL || size == 0)
        return false;
    if (library_load(&m, &err) != HOLOS_OK) {
        snprintf(out, size, "%s", err.message);
        return false;
    }
    m.MPI_Get_library_version(words, &length);
    sscanf(words, "Open MPI v%u.%u.%u", &version[0], &version[1], &version[2]);
    snprintf(out, size, "openmpi %u.%u.%u", version[0], version[1], version[2]);
    return true;
}

/* ---- Joining and leaving ----------------------------------------------------------------------- */

/* Notes what the library has failed with: the first time. Threads may fail at once. */
static bool call_done(holos_cluster *c, int code, const char *call)
{
    int whole = 0, length = 0;
    char words[MPI_MAX_ERROR_STRING] = "";
    if (code == MPI_SUCCESS)
        return true;
    if (!atomic_compare_exchange_strong(&c->broken, &whole, 1))
        return false;
    c->mpi->MPI_Error_string(code, words, &length);
    (void)error_set(&c->reason, HOLOS_IO, HOLOS_NOWHERE, "%s: %s", call, words);
    atomic_store_explicit(&c->broken, 2, memory_order_release);
    return false;
}

/* Calls the library, unless it has failed before. False: it has failed. */
#define CALL(c, name, ...) (!cluster_broken(c) && call_done((c), (c)->mpi->name(__VA_ARGS__), #name))

/* The time of the n-th look: a look is quick, so the clock is asked now and then. */
static void pause_make(const holos_cluster *c, unsigned looks, double begun)
{
    if (looks % 16 != 0)
        return;
    double waited = clock_wall() - begun;
    double pause = 1e9 * waited / 8; /* never much longer than it has waited */
    long most = pause < WAIT_LEAST ? WAIT_LEAST : pause > WAIT_MOST ? WAIT_MOST : (long)pause;
    if (waited < WAIT_EAGER && !c->crowded)
        sched_yield();
    else
        nanosleep(&(struct timespec){.tv_nsec = most}, NULL);
}

/* Waits for what has begun. */
static bool request_end(holos_cluster *c, MPI_Request request)
{
    int done = 0;
    double begun = clock_wall();
    for (unsigned looks = 0; CALL(c, MPI_Test, &request, &done, MPI_STATUS_IGNORE) && !done;)
        pause_make(c, ++looks, begun);
    return done != 0;
}

static holos_status library_start(const mpi *m, holos_error *err)
{
    int begun = 0, threads = MPI_THREAD_SINGLE;
    m->MPI_Initialized(&begun);
    if (begun)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "this process has joined a cluster already");
    if (m->MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &threads) != MPI_SUCCESS)
        return error_set(err, HOLOS_IO, HOLOS_NOWHERE, "MPI cannot begin: was this started by mpirun?");
    if (threads == MPI_THREAD_MULTIPLE)
        return HOLOS_OK;
    m->MPI_Finalize();
    return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                     "this Open MPI was built without threads (MPI_THREAD_MULTIPLE)");
}

static void cluster_free(holos_cluster *c)
{
    free((void *)(uintptr_t)c->mpi);
    free(c->counts);
    free(c->machine_of);
    free(c);
}

/* The ranks of this machine, and which of them can share memory. A call that fails is told of by the next one of all ranks. */
static void machines_find(holos_cluster *c, mpi *m)
{
    int here = 1;
    uint32_t first = c->rank;
    c->here = c->together = c->machines = 1;
    c->leads = true;
    if (!CALL(c, MPI_Comm_split_type, m->ompi_mpi_comm_world, MPI_COMM_TYPE_SHARED, (int)c->rank,
              m->ompi_mpi_info_null, &m->here) ||
        !CALL(c, MPI_Comm_size, m->here, &here) ||
        !CALL(c, MPI_Bcast, &first, (int)sizeof first, m->ompi_mpi_byte, 0, m->here))
        return;
    c->here = (unsigned)here;
    cluster_meet(c, first);
    (void)CALL(c, MPI_Comm_split, m->ompi_mpi_comm_world, c->leads ? 0 : MPI_UNDEFINED, (int)c->rank,
               &m->between);
}

holos_status holos_cluster_join(holos_cluster **out, holos_error *err)
{
    int rank, ranks;
    if (out == NULL)
        return error_null(err, __func__);
    *out = NULL;
    holos_cluster *c = calloc(1, sizeof *c);
    mpi *m = calloc(1, sizeof *m);
    holos_status status = c != NULL && m != NULL ? library_load(m, err) : error_system(err, "the cluster");
    if (status == HOLOS_OK)
        status = library_start(m, err);
    if (status != HOLOS_OK || c == NULL || m == NULL) {
        free(c);
        free(m);
        return status;
    }
    m->MPI_Comm_rank(m->ompi_mpi_comm_world, &rank);
    m->MPI_Comm_size(m->ompi_mpi_comm_world, &ranks);
    m->MPI_Comm_set_errhandler(m->ompi_mpi_comm_world, m->ompi_mpi_errors_return);
    *c = (holos_cluster){.mpi = m,
                         .rank = (unsigned)rank,
                         .ranks = (unsigned)ranks,
                         .counts = calloc((size_t)ranks, sizeof *c->counts),
                         .machine_of = calloc((size_t)ranks, sizeof *c->machine_of)};
    if (c->counts == NULL || c->machine_of == NULL) {
        /* The process ends without a word to the others, and mpirun ends them. */
        cluster_free(c);
        return error_system(err, "the cluster");
    }
    for (unsigned i = 0; i < CLUSTER_LANES; i++)
        (void)CALL(c, MPI_Comm_dup, m->ompi_mpi_comm_world, &m->lanes[i]);
    machines_find(c, m);
    c->crowded = c->here > pool_processors();
    *out = c;
    return HOLOS_OK;
}

void holos_cluster_leave(holos_cluster *c, int status)
{
    if (c == NULL)
        return;
    holos_error err = {0};
    if (!c->agreed)
        holos_cluster_agree(c, status != 0 ? HOLOS_IO : HOLOS_OK, &err); /* the others may wait for one */
    if (!cluster_broken(c))                                              /* it would wait for the others */
        c->mpi->MPI_Finalize();
    cluster_free(c);
}

/* ---- All ranks together ------------------------------------------------------------------------ */

static void count_sent(holos_cluster *c, uint64_t bytes, uint64_t messages)
{
    atomic_fetch_add_explicit(&c->bytes, bytes, memory_order_relaxed);
    atomic_fetch_add_explicit(&c->messages, messages, memory_order_relaxed);
}

/* From one to all of a group. */
static void bytes_share(holos_cluster *c, void *bytes, uint64_t size, unsigned from, MPI_Comm group)
{
    for (uint64_t done = 0; done < size; done += MESSAGE_MOST) {
        uint64_t some = size - done < MESSAGE_MOST ? size - done : MESSAGE_MOST;
        (void)CALL(c, MPI_Bcast, (char *)bytes + done, (int)some, c->mpi->ompi_mpi_byte, (int)from, group);
    }
}

void cluster_share(holos_cluster *c, void *bytes, uint64_t size, unsigned from)
{
    if (c->ranks == 1)
        return;
    bytes_share(c, bytes, size, from, c->mpi->ompi_mpi_comm_world);
    if (c->rank == from)
        count_sent(c, size * (c->ranks - 1), c->ranks - 1);
}

void cluster_share_here(holos_cluster *c, void *bytes, size_t size)
{
    if (c->here > 1)
        bytes_share(c, bytes, size, 0, c->mpi->here);
}

void cluster_share_between(holos_cluster *c, void *bytes, uint64_t size, unsigned from)
{
    if (c->machines == 1 || !c->leads)
        return;
    bytes_share(c, bytes, size, c->machine_of[from], c->mpi->between);
    if (c->machine_of[c->rank] == c->machine_of[from])
        count_sent(c, size * (c->machines - 1), c->machines - 1);
}

void cluster_sum(holos_cluster *c, uint64_t *counts, size_t count)
{
    const mpi *m = c->mpi;
    MPI_Request request = NULL;
    if (c->ranks > 1 && CALL(c, MPI_Iallreduce, MPI_IN_PLACE, counts, (int)count, m->ompi_mpi_uint64_t,
                             m->ompi_mpi_op_sum, m->ompi_mpi_comm_world, &request))
        request_end(c, request);
}

void cluster_gather(holos_cluster *c, const void *mine, size_t size, void *all)
{
    const mpi *m = c->mpi;
    MPI_Request request = NULL;
    if (c->ranks == 1)
        memcpy(all, mine, size);
    else if (!CALL(c, MPI_Iallgather, mine, (int)size, m->ompi_mpi_byte, all, (int)size, m->ompi_mpi_byte,
                   m->ompi_mpi_comm_world, &request) ||
             !request_end(c, request))
        memset(all, 0, size * c->ranks);
}

void cluster_wait(holos_cluster *c)
{
    MPI_Request request = NULL;
    if (c->ranks > 1 && CALL(c, MPI_Ibarrier, c->mpi->ompi_mpi_comm_world, &request))
        request_end(c, request);
}

void cluster_swap_begin(holos_cluster *c, cluster_move *move, const uint64_t *out, uint64_t *in, size_t words)
{
    const mpi *m = c->mpi;
    MPI_Request request = NULL;
    memset(in, 0, words * c->ranks * sizeof *in); /* what a library that fails says */
    bool well = CALL(c, MPI_Ialltoall, out, (int)words, m->ompi_mpi_uint64_t, in, (int)words,
                     m->ompi_mpi_uint64_t, m->lanes[move->lane], &request);
    move->request = well ? request : NULL;
}

void cluster_move_begin(holos_cluster *c, cluster_move *move)
{
    const mpi *m = c->mpi;
    MPI_Request request = NULL;
    move->request = NULL;
    if (!CALL(c, MPI_Ialltoallv, move->out, move->out_sizes, move->out_at, m->ompi_mpi_byte, move->in,
              move->in_sizes, move->in_at, m->ompi_mpi_byte, m->lanes[move->lane], &request))
        return;
    move->request = request;
    for (unsigned i = 0; i < c->ranks; i++)
        if (i != c->rank && move->out_sizes[i] > 0)
            count_sent(c, (uint64_t)move->out_sizes[i], 1);
}

bool cluster_move_poke(holos_cluster *c, cluster_move *move)
{
    int done = 0;
    MPI_Request request = move->request;
    if (request == NULL)
        return true;
    bool well = CALL(c, MPI_Test, &request, &done, MPI_STATUS_IGNORE);
    move->request = well && !done ? request : NULL;
    return move->request == NULL;
}

void cluster_move_end(holos_cluster *c, cluster_move *move)
{
    MPI_Request request = move->request;
    move->request = NULL;
    if (request != NULL)
        request_end(c, request);
}

/* ---- Two ranks --------------------------------------------------------------------------------- */

void cluster_send(holos_cluster *c, unsigned to, cluster_tag tag, const void *bytes, size_t size)
{
    const mpi *m = c->mpi;
    MPI_Request request = NULL;
    if (CALL(c, MPI_Isend, bytes, (int)size, m->ompi_mpi_byte, (int)to, (int)tag, m->ompi_mpi_comm_world,
             &request) &&
        request_end(c, request))
        count_sent(c, size, 1);
}

bool cluster_receive(holos_cluster *c, unsigned from, cluster_tag tag, void *bytes, size_t size)
{
    const mpi *m = c->mpi;
    MPI_Request request = NULL;
    return CALL(c, MPI_Irecv, bytes, (int)size, m->ompi_mpi_byte, (int)from, (int)tag, m->ompi_mpi_comm_world,
                &request) &&
           request_end(c, request);
}

bool cluster_waits(holos_cluster *c, unsigned *from, cluster_tag tag, size_t *size)
{
    const mpi *m = c->mpi;
    int there = 0, count = 0;
    MPI_Status status;
    if (!CALL(c, MPI_Iprobe, *from == CLUSTER_ANY ? MPI_ANY_SOURCE : (int)*from, (int)tag,
              m->ompi_mpi_comm_world, &there, &status) ||
        !there || !CALL(c, MPI_Get_count, &status, m->ompi_mpi_byte, &count))
        return false;
    *from = (unsigned)status.MPI_SOURCE;
    *size = (size_t)count;
    return true;
}

/* What the library has failed with, if it has. */
static holos_status cluster_status(const holos_cluster *c, holos_error *err)
{
    if (!cluster_broken(c))
        return HOLOS_OK;
    if (err != NULL)
        *err = c->reason;
    return c->reason.code;
}

static holos_status partner_check(const holos_cluster *c, unsigned partner, holos_error *err)
{
    if (partner < c->ranks && partner != c->rank)
        return HOLOS_OK;
    return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "there is no other rank %u among %u", partner,
                     c->ranks);
}

holos_status holos_cluster_send(holos_cluster *c, unsigned to, const void *bytes, size_t size,
                                holos_error *err)
{
    if (c == NULL || (bytes == NULL && size > 0))
        return error_null(err, __func__);
    if (partner_check(c, to, err) != HOLOS_OK)
        return HOLOS_USAGE;
    if (size > MESSAGE_MOST)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "a message may have up to 1 GiB");
    cluster_send(c, to, TAG_BYTES, bytes, size);
    return cluster_status(c, err);
}

holos_status holos_cluster_receive(holos_cluster *c, unsigned from, void **bytes, size_t *size,
                                   holos_error *err)
{
    if (c == NULL || bytes == NULL || size == NULL)
        return error_null(err, __func__);
    *bytes = NULL;
    if (partner_check(c, from, err) != HOLOS_OK)
        return HOLOS_USAGE;
    double begun = clock_wall();
    for (unsigned looks = 0; !cluster_broken(c) && !cluster_waits(c, &from, TAG_BYTES, size);)
        pause_make(c, ++looks, begun);
    *bytes = cluster_broken(c) ? NULL : malloc(*size + 1);
    if (*bytes == NULL && !cluster_broken(c))
        return error_system(err, "a message of %zu bytes", *size);
    if (*bytes != NULL)
        cluster_receive(c, from, TAG_BYTES, *bytes, *size);
    return cluster_status(c, err);
}
