/* SPDX-License-Identifier: MIT */

/* Making tables in the order in which they depend on each other, and keeping them as files. Every table is finished by
 * itself: what is interrupted goes on with the next one that is missing. */

#include "games/chess/tables/endings.h"

#include "core/clock.h"
#include "games/chess/fen.h"
#include "games/chess/tables/probe.h"
#include "games/chess/tables/write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POSITIONS_A_SECOND 8e6 /* with files, on one core, about */
#define TABLES_MOST        512
#define KEPT_PIECES        4
#define READING_MEMORY                                                                                       \
    ((uint64_t)64 << 20) /* of a table that is read: its file is a few MiB, its spans thrice that */
#define PASS_MEMORY ((uint64_t)5 << 20) /* of a thread */

/* A build. Tables live as long as something that is still to be made depends on them. */
typedef struct endings_build {
    const endings_request *r;
    index_maps maps;
    tb_key keys[TABLES_MOST]; /* in order of dependency */
    bool finished[TABLES_MOST], needed[TABLES_MOST];
    tb_table tables[TABLES_MOST];
    tb_table readers[TABLES_MOST]; /* of tables that are read from their files */
    tablebase *files;              /* the folder, while one of them is needed */
    size_t count, done;            /* done: those before need not be made any more */
    struct limits limits;
    mem_budget budget;
    pool *workers;
} endings_build;

static holos_status interrupted(const endings_build *b, holos_error *err)
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

/* The files that a table has. Mates of five pieces take as much time and space as the rest together. */
static unsigned kinds_of(const endings_build *b, tb_key key)
{
    return b->r->mates || key_pieces(key) < 5 ? SYZYGY_KINDS : SYZYGY_DTM;
}

static bool table_is_there(const endings_build *b, tb_key key)
{
    for (unsigned kind = 0; kind < kinds_of(b, key); kind++)
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

static bool depends_on(tb_key key, tb_key other)
{
    tb_key next[KEY_SUCCESSORS_MOST];
    unsigned count = key_successors(key, next);
    for (unsigned i = 0; i < count; i++)
        if (next[i] == other)
            return true;
    return false;
}

/* Whether those that depend on a table read it from its files. Otherwise it is made again, if need be, and kept. */
static bool is_read(const endings_build *b, size_t i)
{
    unsigned kept = b->r->kept_pieces != 0 ? b->r->kept_pieces : KEPT_PIECES;
    return b->r->folder != NULL && key_pieces(b->keys[i]) > kept;
}

/* What is finished, and what must be computed: the rest, and what that depends on. A folder that holds other tables, or some of
 * these, gets what is missing. */
static void work_find(endings_build *b)
{
    for (size_t i = b->count; i-- > 0;) {
        b->finished[i] = b->r->folder != NULL && !b->r->restart && !limits_passed(&b->limits) &&
                         table_is_there(b, b->keys[i]);
        b->needed[i] = !b->finished[i];
        for (size_t k = i + 1; k < b->count && !b->needed[i] && !is_read(b, i); k++)
            b->needed[i] = b->needed[k] && depends_on(b->keys[k], b->keys[i]);
    }
}

/* How many of the tables that table i depends on are read from files. */
static unsigned readers_count(const endings_build *b, size_t i)
{
    unsigned count = 0;
    for (size_t k = 0; k < i; k++)
        count += is_read(b, k) && depends_on(b->keys[i], b->keys[k]);
    return count;
}

/* Whether something that is still to be made depends on table i being in memory. */
static bool table_is_wanted(const endings_build *b, size_t i, size_t from)
{
    if (is_read(b, i))
        return false;
    for (size_t k = from; k < b->count; k++)
        if (b->needed[k] && depends_on(b->keys[k], b->keys[i]))
            return true;
    return false;
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
        uint64_t work = generate_memory(&l), writing = kinds_of(b, b->keys[i]) * write_memory(&l);
        uint64_t now = readers_count(b, i) * READING_MEMORY + b->r->threads * PASS_MEMORY;
        sizes[i] = tb_table_memory(&l);
        for (size_t k = 0; k <= i; k++)
            now += sizes[k];
        now += work > writing || b->r->folder == NULL ? work : writing;
        most = now > most ? now : most;
        for (size_t k = 0; k <= i; k++)
            if (!table_is_wanted(b, k, i + 1))
                sizes[k] = 0;
    }
    return most;
}

static void plan_make(const endings_build *b, endings_plan *out)
{
    *out = (endings_plan){.tables = b->count, .memory = memory_plan(b)};
    for (size_t i = 0; i < b->count; i++) {
        tb_layout l;
        layout_init(&l, &b->maps, b->keys[i]);
        uint64_t positions = 2 * ((uint64_t)l.slices * l.rows << 6);
        out->made_already += b->finished[i];
        if (b->needed[i]) {
            out->positions += positions;
            out->disk += b->finished[i] ? 0 : positions / 8; /* seldom more than a bit a position */
        }
    }
    out->seconds = (double)out->positions / POSITIONS_A_SECOND;
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
            status = interrupted(b, err);
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
        plan_make(b, out);
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

/* Opens what table i needs to read. */
static holos_status readers_open(endings_build *b, size_t i, holos_error *err)
{
    if (readers_count(b, i) == 0)
        return HOLOS_OK;
    holos_status status = tablebase_open(b->r->folder, &b->files, err);
    for (size_t k = 0; status == HOLOS_OK && k < i; k++) {
        if (!is_read(b, k) || !depends_on(b->keys[i], b->keys[k]))
            continue;
        tb_table *reader = &b->readers[k];
        *reader = (tb_table){.files = b->files, .without_mates = kinds_of(b, b->keys[k]) < SYZYGY_KINDS};
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
    files_job *job = context;
    (void)worker;
    job->statuses[kind] =
        syzygy_write(job->t, &job->b->maps, (syzygy_kind)kind, job->b->r->folder, &job->b->budget,
                     &job->b->limits, &job->bytes[kind], &job->errors[kind]);
}

static holos_status files_write(endings_build *b, const tb_table *t, uint64_t *bytes, holos_error *err)
{
    files_job job = {.b = b, .t = t};
    unsigned kinds = kinds_of(b, t->layout.key);
    pool_run(b->workers, kinds, job_write, &job);
    for (unsigned kind = 0; kind < kinds; kind++) {
        *bytes += job.bytes[kind];
        if (job.statuses[kind] != HOLOS_OK) {
            *err = job.errors[kind];
            return job.statuses[kind];
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

static holos_status table_make(endings_build *b, size_t i, ending_report *out, holos_error *err)
{
    tb_table *t = &b->tables[i];
    double begun = clock_cpu();
    holos_status status = tb_table_alloc(t, &b->maps, b->keys[i], &b->budget, err);
    if (status == HOLOS_OK)
        status = readers_open(b, i, err);
    if (status == HOLOS_OK)
        status =
            tb_table_generate(t, &b->maps, build_find, b, pool_threads(b->workers) > 1 ? b->workers : NULL,
                              &b->budget, &b->limits, err);
    readers_close(b);
    if (status != HOLOS_OK)
        return status;
    out->without_mates = t->without_mates;
    out->value_seconds = clock_cpu() - begun;
    out->positions = 2 * t->size;
    report_counts(b, t, out);
    if (limits_passed(&b->limits))
        return interrupted(b, err);
    begun = clock_cpu();
    if (b->r->folder != NULL && !b->finished[i])
        status = files_write(b, t, &out->bytes, err);
    out->write_seconds = clock_cpu() - begun;
    return status;
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

holos_status endings_make(const endings_request *r, endings_report *report, holos_error *err)
{
    endings_build *b;
    endings_plan plan;
    *report = (endings_report){0};
    holos_status status = build_begin(&b, r, err);
    if (status == HOLOS_OK) {
        plan_make(b, &plan);
        if (r->memory != 0 && plan.memory > r->memory) {
            text words;
            text_init(&words);
            text_string(&words, "making these tables needs ");
            text_size(&words, plan.memory);
            text_string(&words, " of memory, the limit is ");
            text_size(&words, r->memory);
            status = error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "%s", words.data);
            text_free(&words);
        }
    }
    if (status == HOLOS_OK && r->folder != NULL)
        status = file_make_folder(r->folder, err);
    if (status == HOLOS_OK)
        status = pool_open(r->threads, &b->workers, err);
    if (status == HOLOS_OK) {
        report->endings = calloc(b->count + 1, sizeof *report->endings);
        if (report->endings == NULL)
            status = error_system(err, "making tables");
    }
    if (status == HOLOS_OK) {
        if (r->progress != NULL)
            r->progress->budget = &b->budget;
        progress_begin(r->progress, "build", "positions", plan.positions);
        status = tables_make(b, report, err);
        progress_end(r->progress);
        if (r->progress != NULL)
            r->progress->budget = NULL;
    }
    if (b != NULL)
        report->memory = atomic_load(&b->budget.peak);
    build_end(b);
    return status;
}
