/* SPDX-License-Identifier: MIT */

/* Making tables in the order in which they depend on each other, and keeping them as files. Every table is finished by
 * itself: what is interrupted goes on with the next one that is missing. */

#include "games/chess/tables/build.h"

#include "core/clock.h"
#include "games/chess/fen.h"
#include "games/chess/tables/probe.h"
#include "games/chess/tables/write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define KEPT_PIECES 4
#define READING_MEMORY                                                                                       \
    ((uint64_t)64 << 20) /* of a table that is read: its file is a few MiB, its spans thrice that */
#define PASS_MEMORY  ((uint64_t)5 << 20) /* of a thread */
#define SEEN_SECONDS 120.0 /* twice as long as NFS remembers a folder, if nobody says otherwise */

holos_status endings_interrupted(const endings_build *b, holos_error *err)
{
    bool asked = holos_stop_asked(b->limits.stop);
    return error_set(err, asked ? HOLOS_INTERRUPTED : HOLOS_LIMIT, HOLOS_NOWHERE,
                     "interrupted while making tables");
}

/* ---- What there is to do ----------------------------------------------------------------------- */

/* Whether a file is there and whole: one that is empty or damaged is made again. */
static bool file_is_there(const endings_build *b, tb_key key, syzygy_kind kind)
{
    char path[4096], name[TB_NAME_SIZE];
    file_view view;
    int length =
        snprintf(path, sizeof path, "%s/%s%s", b->r->folder, key_name(key, name), syzygy_suffix(kind));
    if (length >= (int)sizeof path || file_view_open(&view, path, NULL) != HOLOS_OK)
        return false;
    bool whole = syzygy_check(view.data, view.size, path, NULL) == HOLOS_OK;
    file_view_close(&view);
    return whole;
}

/* Mates of five pieces take as much time and space as the rest together. */
unsigned ending_kinds(const endings_build *b, tb_key key)
{
    return b->r->mates || key_pieces(key) < 5 ? SYZYGY_KINDS : SYZYGY_DTM;
}

static bool ending_is_there(const endings_build *b, tb_key key)
{
    for (unsigned kind = 0; kind < ending_kinds(b, key); kind++)
        if (!file_is_there(b, key, kind))
            return false;
    return true;
}

static holos_status keys_find(endings_build *b, holos_error *err)
{
    tb_key key = 0;
    if (b->r->name != NULL) {
        holos_status status = key_parse(b->r->name, &key, err);
        if (status != HOLOS_OK)
            return status;
    }
    unsigned pieces = b->r->name != NULL ? key_pieces(key) : b->r->pieces;
    if (pieces > LAYOUT_PIECES_MOST)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "tables of up to %d pieces, kings among them, can be made; these have %u",
                         LAYOUT_PIECES_MOST, pieces);
    b->count =
        b->r->name != NULL ? key_closure(key, b->keys, TABLES_MOST) : key_all(pieces, b->keys, TABLES_MOST);
    return HOLOS_OK;
}

bool ending_needs(tb_key key, tb_key other)
{
    tb_key next[KEY_SUCCESSORS_MOST];
    unsigned count = key_successors(key, next);
    for (unsigned i = 0; i < count; i++)
        if (next[i] == other)
            return true;
    return false;
}

bool ending_is_read(const endings_build *b, size_t i)
{
    unsigned kept = b->r->kept_pieces != 0 ? b->r->kept_pieces : KEPT_PIECES;
    return (b->r->folder != NULL || b->r->ranks > 0) && key_pieces(b->keys[i]) > kept;
}

void endings_needed_find(endings_build *b)
{
    for (size_t i = b->count; i-- > 0;) {
        b->needed[i] = !b->finished[i];
        for (size_t k = i + 1; k < b->count && !b->needed[i] && !ending_is_read(b, i); k++)
            b->needed[i] = b->needed[k] && ending_needs(b->keys[k], b->keys[i]);
    }
}

/* What is finished, and what must be computed: the rest, and what that depends on. A folder that holds other tables, or some of
 * these, gets what is missing. In a cluster the first rank looks. */
static void work_find(endings_build *b)
{
    bool looks = b->r->folder != NULL && !b->r->restart && !b->r->follows;
    for (size_t i = b->count; i-- > 0;)
        b->finished[i] = looks && !limits_passed(&b->limits) && ending_is_there(b, b->keys[i]);
    endings_needed_find(b);
}

static void closure_mark(const endings_build *b, size_t i, bool *marks)
{
    marks[i] = true;
    for (size_t k = 0; k < i; k++)
        if (!marks[k] && ending_needs(b->keys[i], b->keys[k]))
            closure_mark(b, k, marks);
}

void ending_files_mark(const endings_build *b, size_t i, bool *files)
{
    for (size_t k = 0; k < i; k++)
        if (ending_is_read(b, k) && ending_needs(b->keys[i], b->keys[k]))
            closure_mark(b, k, files);
}

/* How many of the tables that table i depends on are read from files. */
static unsigned readers_count(const endings_build *b, size_t i)
{
    unsigned count = 0;
    for (size_t k = 0; k < i; k++)
        count += ending_is_read(b, k) && ending_needs(b->keys[i], b->keys[k]);
    return count;
}

/* Whether something that is still to be made depends on table i being in memory. */
static bool table_is_wanted(const endings_build *b, size_t i, size_t from)
{
    if (ending_is_read(b, i))
        return false;
    for (size_t k = from; k < b->count; k++)
        if (b->needed[k] && ending_needs(b->keys[k], b->keys[i]))
            return true;
    return false;
}

uint64_t ending_positions(const endings_build *b, size_t i)
{
    tb_layout l;
    layout_init(&l, &b->maps, b->keys[i]);
    return 2 * ((uint64_t)l.slices * l.rows << 6);
}

uint64_t ending_work(const endings_build *b, size_t i)
{
    tb_layout l;
    layout_init(&l, &b->maps, b->keys[i]);
    uint64_t work = generate_memory(&l), writing = ending_kinds(b, b->keys[i]) * write_memory(&l);
    return readers_count(b, i) * READING_MEMORY + b->r->threads * PASS_MEMORY +
           (work > writing || (b->r->folder == NULL && b->r->ranks == 0) ? work : writing);
}

/* The most memory at any time. */
static uint64_t memory_plan(const endings_build *b)
{
    uint64_t most = 0, sizes[TABLES_MOST] = {0};
    for (size_t i = 0; i < b->count; i++) {
        tb_layout l;
        if (!b->needed[i])
            continue;
        layout_init(&l, &b->maps, b->keys[i]);
        uint64_t now = ending_work(b, i);
        sizes[i] = tb_table_memory(&l);
        for (size_t k = 0; k <= i; k++)
            now += sizes[k];
        most = now > most ? now : most;
        for (size_t k = 0; k <= i; k++)
            if (!table_is_wanted(b, k, i + 1))
                sizes[k] = 0;
    }
    return most;
}

static holos_status plan_make(const endings_build *b, endings_plan *out, holos_error *err)
{
    *out = (endings_plan){.tables = b->count};
    for (size_t i = 0; i < b->count; i++) {
        uint64_t positions = ending_positions(b, i);
        out->made_already += b->finished[i];
        if (b->needed[i]) {
            out->positions += positions;
            out->disk += b->finished[i] ? 0 : positions / 8; /* seldom more than a bit a position */
        }
    }
    out->seconds = (double)out->positions / ENDINGS_POSITIONS_A_SECOND;
    if (b->r->ranks > 0)
        return endings_plan_ranks(b, out, err);
    out->memory = out->memory_least = memory_plan(b);
    return HOLOS_OK;
}

static holos_status build_begin(endings_build **out, const endings_request *r, holos_error *err)
{
    endings_build *b = *out = calloc(1, sizeof *b);
    if (b == NULL)
        return error_system(err, "making tables");
    b->r = r;
    index_maps_init(&b->maps);
    mem_budget_init(&b->budget, r->memory);
    limits_begin(&b->limits, &(holos_limits){.stop = r->stop}, &b->budget);
    holos_status status = keys_find(b, err);
    if (status == HOLOS_OK) {
        work_find(b);
        if (limits_passed(&b->limits)) /* it reads all files that are there */
            status = endings_interrupted(b, err);
    }
    return status;
}

static void build_end(endings_build *b)
{
    for (size_t i = 0; b != NULL && i < b->count; i++)
        tb_table_free(&b->tables[i], &b->budget);
    if (b != NULL) {
        pool_close(b->workers);
        tablebase_close(b->files);
    }
    free(b);
}

holos_status endings_plan_make(const endings_request *r, endings_plan *out, holos_error *err)
{
    endings_build *b;
    holos_status status = build_begin(&b, r, err);
    if (status == HOLOS_OK)
        status = plan_make(b, out, err);
    build_end(b);
    return status;
}

/* ---- Doing it ---------------------------------------------------------------------------------- */

static const tb_table *build_find(void *context, tb_key key)
{
    endings_build *b = context;
    for (size_t i = 0; i < b->count; i++)
        if (b->keys[i] == key)
            return b->tables[i].mate[0] != NULL  ? &b->tables[i]
                   : b->readers[i].files != NULL ? &b->readers[i]
                                                 : NULL;
    return NULL;
}

static bool files_seen(const endings_build *b, tb_key key)
{
    char path[4096], name[TB_NAME_SIZE];
    bool seen = true;
    for (unsigned kind = 0; kind < ending_kinds(b, key); kind++) {
        snprintf(path, sizeof path, "%s/%s%s", b->r->folder, key_name(key, name), syzygy_suffix(kind));
        seen = seen && access(path, F_OK) == 0;
    }
    return seen;
}

/* Other ranks have made the tables that table i reads. The file system of this machine may have looked for them before, and remember
 * for a while that they were not there. */
static holos_status readers_await(endings_build *b, size_t i, holos_error *err)
{
    char name[TB_NAME_SIZE];
    bool files[TABLES_MOST] = {false};
    double until = clock_wall() + SEEN_SECONDS;
    if (b->r->company != NULL)
        ending_files_mark(b, i, files);
    for (size_t k = 0; k < i; k++) {
        while (files[k] && !files_seen(b, b->keys[k])) {
            if (limits_passed(&b->limits))
                return endings_interrupted(b, err);
            if (clock_wall() > until)
                return error_set(
                    err, HOLOS_IO, HOLOS_NOWHERE,
                    "%s has no %s, which another rank has made; all ranks must see the same folder",
                    b->r->folder, key_name(b->keys[k], name));
            nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
        }
    }
    return HOLOS_OK;
}

/* Opens what table i needs to read. */
static holos_status readers_open(endings_build *b, size_t i, holos_error *err)
{
    if (readers_count(b, i) == 0)
        return HOLOS_OK;
    holos_status status = readers_await(b, i, err);
    if (status == HOLOS_OK)
        status = tablebase_open(b->r->folder, &b->files, err);
    for (size_t k = 0; status == HOLOS_OK && k < i; k++) {
        if (!ending_is_read(b, k) || !ending_needs(b->keys[i], b->keys[k]))
            continue;
        tb_table *reader = &b->readers[k];
        *reader = (tb_table){.files = b->files, .without_mates = ending_kinds(b, b->keys[k]) < SYZYGY_KINDS};
        layout_init(&reader->layout, &b->maps, b->keys[k]);
        b->tables[i].without_mates |= reader->without_mates;
    }
    return status;
}

static void readers_close(endings_build *b)
{
    tablebase_close(b->files);
    b->files = NULL;
    memset(b->readers, 0, sizeof b->readers);
}

/* The files of a table, written at the same time. */
typedef struct files_job {
    endings_build *b;
    const tb_table *t;
    uint64_t bytes[SYZYGY_KINDS];
    holos_error errors[SYZYGY_KINDS];
    holos_status statuses[SYZYGY_KINDS];
} files_job;

static void job_write(void *context, uint64_t kind, unsigned worker)
{
    files_job *files = context;
    (void)worker;
    files->statuses[kind] =
        syzygy_write(files->t, &files->b->maps, (syzygy_kind)kind, files->b->r->folder, &files->b->budget,
                     &files->b->limits, &files->bytes[kind], &files->errors[kind]);
}

static holos_status files_write(endings_build *b, const tb_table *t, uint64_t *bytes, holos_error *err)
{
    files_job files = {.b = b, .t = t};
    unsigned kinds = ending_kinds(b, t->layout.key);
    pool_run(b->workers, kinds, job_write, &files);
    for (unsigned kind = 0; kind < kinds; kind++) {
        *bytes += files.bytes[kind];
        if (files.statuses[kind] != HOLOS_OK) {
            *err = files.errors[kind];
            return files.statuses[kind];
        }
    }
    return HOLOS_OK;
}

static void report_counts(const endings_build *b, const tb_table *t, ending_report *out)
{
    tb_table_counts counts;
    tb_table_count(t, &b->maps, &b->limits, &counts);
    for (unsigned side = 0; side < 2; side++)
        memcpy(out->counts[side], &counts.classes[side][CLASS_LOSS], sizeof out->counts[side]);
    out->zeroing_most = counts.distance_most;
    out->mate_most = counts.mate_most;
    out->win_most = counts.win_most;
    if (counts.win_most > 0) {
        text fen;
        text_init(&fen);
        fen_format(&counts.longest, &fen);
        snprintf(out->longest, sizeof out->longest, "%s", fen.failed ? "" : fen.data);
        text_free(&fen);
    }
}

holos_status ending_fill(endings_build *b, size_t i, holos_error *err)
{
    tb_table *t = &b->tables[i];
    holos_status status = tb_table_alloc(t, &b->maps, b->keys[i], &b->budget, err);
    if (status == HOLOS_OK)
        status = readers_open(b, i, err);
    if (status == HOLOS_OK)
        status =
            tb_table_generate(t, &b->maps, build_find, b, pool_threads(b->workers) > 1 ? b->workers : NULL,
                              &b->budget, &b->limits, err);
    readers_close(b);
    return status;
}

holos_status ending_keep(endings_build *b, size_t i, ending_report *out, holos_error *err)
{
    const tb_table *t = &b->tables[i];
    holos_status status = HOLOS_OK;
    out->without_mates = t->without_mates;
    out->positions = 2 * t->size;
    report_counts(b, t, out);
    if (limits_passed(&b->limits))
        return endings_interrupted(b, err);
    double begun = clock_cpu();
    if (b->r->folder != NULL && !b->finished[i])
        status = files_write(b, t, &out->bytes, err);
    out->write_seconds = clock_cpu() - begun;
    return status;
}

static holos_status table_make(endings_build *b, size_t i, ending_report *out, holos_error *err)
{
    double begun = clock_cpu();
    holos_status status = ending_fill(b, i, err);
    out->value_seconds = clock_cpu() - begun;
    return status == HOLOS_OK ? ending_keep(b, i, out, err) : status;
}

static void tables_forget(endings_build *b, size_t done)
{
    for (size_t i = 0; i < done; i++)
        if (b->tables[i].mate[0] != NULL && !table_is_wanted(b, i, done))
            tb_table_free(&b->tables[i], &b->budget);
}

static holos_status tables_make(endings_build *b, endings_report *report, holos_error *err)
{
    holos_status status = HOLOS_OK;
    for (size_t i = 0; status == HOLOS_OK && i < b->count; i++) {
        ending_report *out = &report->endings[report->count++];
        key_name(b->keys[i], out->name);
        out->was_there = b->finished[i];
        if (!b->needed[i])
            continue;
        status = table_make(b, i, out, err);
        if (status != HOLOS_OK) {
            report->count--;
            break;
        }
        tables_forget(b, i + 1);
        if (b->r->log != NULL)
            log_write(b->r->log, LOG_LEVEL_INFO, "%s is made", out->name);
        progress_add(b->r->progress, out->positions);
    }
    return status;
}

/* Nothing begins that could not end. */
static holos_status memory_check(const endings_build *b, const endings_plan *plan, holos_error *err)
{
    text words;
    if (b->r->memory == 0 || plan->memory_least <= b->r->memory)
        return HOLOS_OK;
    text_init(&words);
    text_string(&words, "making these tables needs ");
    text_size(&words, plan->memory_least);
    text_string(&words, " of memory, the limit is ");
    text_size(&words, b->r->memory);
    holos_status status = error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "%s", words.data);
    text_free(&words);
    return status;
}

/* What the first rank has found in the folder, to all. */
static holos_status finished_share(endings_build *b, holos_status status, holos_error *err)
{
    const job_company *company = b->r->company;
    if (company == NULL)
        return status;
    status = company->agree(company->context, status, err);
    if (status == HOLOS_OK) {
        company->share(company->context, b->finished, sizeof b->finished);
        endings_needed_find(b);
    }
    return status;
}

/* Before the first table: room for all, and what they will take. */
static holos_status build_prepare(endings_build *b, endings_plan *plan, endings_report *report,
                                  holos_error *err)
{
    holos_status status = plan_make(b, plan, err);
    free(plan->tasks.list);
    free(plan->tasks.waits);
    if (status == HOLOS_OK)
        status = memory_check(b, plan, err);
    if (status == HOLOS_OK && b->r->folder != NULL)
        status = file_make_folder(b->r->folder, err);
    if (status == HOLOS_OK)
        status = pool_open(b->r->threads, &b->workers, err);
    report->endings = calloc(b->count + 1, sizeof *report->endings);
    if (status == HOLOS_OK && report->endings == NULL)
        status = error_system(err, "making tables");
    return status;
}

holos_status endings_make(const endings_request *r, endings_report *report, holos_error *err)
{
    endings_build *b;
    endings_plan plan;
    *report = (endings_report){0};
    holos_status status = build_begin(&b, r, err);
    status = finished_share(b, status, err);
    if (status == HOLOS_OK)
        status = build_prepare(b, &plan, report, err);
    if (r->company != NULL)
        status = r->company->agree(r->company->context, status, err);
    if (status == HOLOS_OK) {
        if (r->progress != NULL)
            r->progress->budget = &b->budget;
        progress_begin(r->progress, "build", "positions", plan.positions);
        status = r->company != NULL ? endings_share(b, report, err) : tables_make(b, report, err);
        progress_end(r->progress);
        if (r->progress != NULL)
            r->progress->budget = NULL;
    }
    if (b != NULL && report->memory == 0)
        report->memory = atomic_load(&b->budget.peak);
    build_end(b);
    return status;
}
