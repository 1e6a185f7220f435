/* SPDX-License-Identifier: MIT */

/* Tables that the ranks of a cluster make together: whole tables are handed out. Tables of five pieces wait for those that they read,
 * and for all that these lead to, since whoever looks into a file looks at captures, too. Smaller ones never wait: what a rank needs of them it makes itself, and keeps.
 *
 * Measured for the choice (one core): with the tables of four pieces in memory all tables of up to four pieces take 4.9 s of values and 29.2
 * s of files; read from files, 13.5 s and 30.8 s, and then they wait for each other: on 8 ranks 8.0 s instead of 6.7 s with
 * what is made again, on 16 ranks 7.2 s instead of 4.3 s. The values of KRBvKR take 13.1 s, read 23.3 s. */

#include "games/chess/tables/build.h"

#include "core/clock.h"
#include "core/file.h"
#include "games/chess/tables/syzygy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Positions a second of values alone: all tables of up to four pieces. */
#define VALUES_A_SECOND 4.5e7
/* Bytes of a position in a file of WDL (KRBvKR), and in one of DTM (all tables of four pieces). */
#define WDL_BYTES (1 / 90.0)
#define DTM_BYTES (1 / 8.0)

/* ---- What a rank has in memory ------------------------------------------------------------------ */

/* Marks the tables in memory that table i is made from, and those that they are made from. */
static void below_mark(const endings_build *b, size_t i, bool *below)
{
    for (size_t k = 0; k < i; k++)
        if (!below[k] && !ending_is_read(b, k) && ending_needs(b->keys[i], b->keys[k])) {
            below[k] = true;
            below_mark(b, k, below);
        }
}

static uint64_t table_size(const endings_build *b, size_t i)
{
    tb_layout l;
    layout_init(&l, &b->maps, b->keys[i]);
    return tb_table_memory(&l);
}

/* What making table i and those below it takes, besides all of them. */
static uint64_t work_most(const endings_build *b, size_t i, const bool *below)
{
    uint64_t most = ending_work(b, i);
    for (size_t k = 0; k < i; k++) {
        uint64_t work = below[k] ? ending_work(b, k) : 0;
        most = work > most ? work : most;
    }
    return most;
}

/* Makes room for table i: what it does not need is forgotten if there is none. */
static void room_make(endings_build *b, size_t i, const bool *below)
{
    uint64_t wanted = work_most(b, i, below);
    for (size_t k = 0; k <= i; k++)
        if ((below[k] || k == i) && b->tables[k].mate[0] == NULL)
            wanted += table_size(b, k);
    if (b->r->memory == 0 || wanted <= mem_available(&b->budget))
        return;
    for (size_t k = 0; k < b->count; k++)
        if (k != i && !below[k] && b->tables[k].mate[0] != NULL)
            tb_table_free(&b->tables[k], &b->budget);
}

/* Whether a rank keeps table i: it is small, and something is made from it. */
static bool is_kept(const endings_build *b, size_t i)
{
    for (size_t k = i + 1; k < b->count && !ending_is_read(b, i); k++)
        if (b->needed[k] && ending_needs(b->keys[k], b->keys[i]))
            return true;
    return false;
}

/* ---- The tasks ---------------------------------------------------------------------------------- */

static uint64_t reads_guess(const endings_build *b, size_t i)
{
    double each = WDL_BYTES + (ending_kinds(b, b->keys[i]) == SYZYGY_KINDS ? DTM_BYTES : 0);
    return (uint64_t)(each * (double)ending_positions(b, i));
}

/* One task for each table, in their order. */
static holos_status tasks_make(const endings_build *b, job_tasks *out, holos_error *err)
{
    size_t count = b->count;
    *out = (job_tasks){.list = calloc(count + 1, sizeof *out->list),
                       .waits = calloc(count * count + 1, sizeof *out->waits),
                       .count = (uint32_t)count};
    if (out->list == NULL || out->waits == NULL)
        return error_system(err, "making tables");
    for (size_t i = 0; i < count; i++) {
        double positions = (double)ending_positions(b, i);
        job_task *task = &out->list[i];
        task->done = !b->needed[i];
        task->seconds = positions / (b->finished[i] ? VALUES_A_SECOND : ENDINGS_POSITIONS_A_SECOND);
        ending_files_mark(b, i, &out->waits[i * count]);
        for (size_t k = 0; k < i; k++)
            if (ending_is_read(b, k) && ending_needs(b->keys[i], b->keys[k]))
                task->reads += reads_guess(b, k);
        if (is_kept(b, i))
            out->before += positions / VALUES_A_SECOND;
    }
    return HOLOS_OK;
}

holos_status endings_plan_ranks(const endings_build *b, endings_plan *out, holos_error *err)
{
    uint64_t kept = 0, most = 0, least = 0;
    for (size_t i = 0; i < b->count; i++)
        kept += is_kept(b, i) ? table_size(b, i) : 0;
    for (size_t i = 0; i < b->count; i++) {
        bool below[TABLES_MOST] = {false};
        if (!b->needed[i])
            continue;
        below_mark(b, i, below);
        uint64_t work = work_most(b, i, below), all = work + table_size(b, i);
        for (size_t k = 0; k < i; k++)
            all += below[k] ? table_size(b, k) : 0;
        least = all > least ? all : least;
        work += is_kept(b, i) ? 0 : table_size(b, i);
        most = work > most ? work : most;
    }
    out->memory = kept + most;
    out->memory_least = least;
    return tasks_make(b, &out->tasks, err);
}

/* ---- Making them -------------------------------------------------------------------------------- */

typedef struct ranks_work {
    endings_build *b;
    endings_report *report; /* of the first rank: all tables, in their order */
    bool heard[TABLES_MOST];
    bool mine[TABLES_MOST]; /* made by this rank */
} ranks_work;

/* What table i is read from that others have made. */
static uint64_t reads_count(const ranks_work *w, size_t i)
{
    const endings_build *b = w->b;
    uint64_t bytes = 0;
    for (size_t k = 0; k < i; k++) {
        if (w->mine[k] || !ending_is_read(b, k) || !ending_needs(b->keys[i], b->keys[k]))
            continue;
        for (unsigned kind = 0; kind < ending_kinds(b, b->keys[k]); kind++) {
            char path[4096], name[TB_NAME_SIZE];
            struct stat info;
            snprintf(path, sizeof path, "%s/%s%s", b->r->folder, key_name(b->keys[k], name),
                     syzygy_suffix(kind));
            if (kind != SYZYGY_DTZ && stat(path, &info) == 0)
                bytes += (uint64_t)info.st_size;
        }
    }
    return bytes;
}

static holos_status task_make(void *context, uint32_t i, unsigned worker, const holos_stop *stop, void *said,
                              holos_error *err)
{
    ranks_work *w = context;
    endings_build *b = w->b;
    bool below[TABLES_MOST] = {false};
    ending_report *out = said;
    holos_status status = HOLOS_OK;
    double begun = clock_cpu();
    (void)worker;
    *out = (ending_report){.was_there = b->finished[i]};
    key_name(b->keys[i], out->name);
    b->limits.stop = stop;
    below_mark(b, i, below);
    room_make(b, i, below);
    for (size_t k = 0; status == HOLOS_OK && k <= i; k++)
        if ((below[k] || k == i) && b->tables[k].mate[0] == NULL)
            status = ending_fill(b, k, err);
    out->value_seconds = clock_cpu() - begun;
    if (status == HOLOS_OK)
        status = ending_keep(b, i, out, err);
    if (!is_kept(b, i))
        tb_table_free(&b->tables[i], &b->budget);
    out->reads = reads_count(w, i);
    out->memory = atomic_load(&b->budget.peak);
    w->mine[i] = true;
    return status;
}

static holos_status task_hear(void *context, uint32_t i, const void *said, holos_error *err)
{
    ranks_work *w = context;
    const endings_request *r = w->b->r;
    ending_report *out = &w->report->endings[i];
    (void)err;
    *out = *(const ending_report *)said;
    w->heard[i] = true;
    w->report->traffic += out->reads;
    if (out->memory > w->report->memory)
        w->report->memory = out->memory;
    if (r->log != NULL)
        log_write(r->log, LOG_LEVEL_INFO, "%s is made", out->name);
    progress_add(r->progress, out->positions);
    return HOLOS_OK;
}

/* Those that were there or are made, in their order. */
static void report_close(const ranks_work *w)
{
    const endings_build *b = w->b;
    endings_report *r = w->report;
    for (size_t i = 0; i < b->count; i++) {
        ending_report *out = &r->endings[r->count];
        if (w->heard[i]) {
            *out = r->endings[i];
        } else if (!b->needed[i]) {
            *out = (ending_report){.was_there = true};
            key_name(b->keys[i], out->name);
        } else {
            continue;
        }
        r->count++;
    }
}

holos_status endings_share(endings_build *b, endings_report *report, holos_error *err)
{
    const job_company *company = b->r->company;
    ranks_work work = {.b = b, .report = report};
    job_work shared = {
        .context = &work, .make = task_make, .hear = task_hear, .said_size = sizeof(ending_report)};
    job_tasks tasks;
    uint64_t sent;
    holos_status status = tasks_make(b, &tasks, err);
    status = company->agree(company->context, status, err);
    if (status == HOLOS_OK)
        status = company->run(company->context, &tasks, &shared, err);
    b->limits.stop = b->r->stop;
    if (status == HOLOS_OK) {
        company->traffic(company->context, &sent, &report->messages);
        report->traffic += sent;
    }
    if (company->rank == 0)
        report_close(&work);
    free(tasks.list);
    free(tasks.waits);
    return status;
}
