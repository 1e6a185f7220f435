/* SPDX-License-Identifier: MIT */

/* Books: the positions of the last ply that are not over (the leaves) are searched one by one, in parts that
 * are kept as soon as they are finished; what comes before follows from them.
 *
 * In a cluster rank 0 reaches the plies, keeps the parts, and derives the rest; parts are handed out. The others get the leaves from
 * it, 16 bytes each. They could reach the plies themselves, but everybody would be as late, and need three times the memory: connect4 to
 * 11 plies is reached in 1.1 s and 114 MiB; its 2.1 million leaves have 33 MiB, and each is searched for 15 ms. */

#include "store/book.h"

#include "cluster/handout.h"
#include "cluster/tasks.h"
#include "core/clock.h"
#include "session/build.h"
#include "session/plies.h"

#include <stdlib.h>
#include <string.h>

/* What each thread's search may use, unless the caller says otherwise. */
#define SEARCH_MEMORY ((size_t)1 << 30)

/* What rank 0 hears of a part. */
typedef struct part_said {
    uint32_t rank; /* that has searched it */
    uint8_t values[BOOK_PART];
} part_said;

/* One of so many searches at once, made when there is something to search. */
typedef struct leaf_worker {
    holos_solver *solver;
    holos_position *here;
} leaf_worker;

typedef struct leaf_search {
    const build_request *b;
    holos_cluster *c;
    store *s; /* of rank 0; NULL: nothing is kept */
    mem_budget *budget;
    pool *threads;
    uint64_t count;
    holos_key *keys; /* of the leaves, ascending */
    uint8_t *values; /* the same; of rank 0 */
    job_tasks parts;
    holos_solver_options ask; /* what solvers are asked to do */
    holos_settings *settings; /* theirs, or NULL */
    leaf_worker *workers;     /* one a thread */
    uint64_t searched;        /* of all ranks, in rank 0 */
} leaf_search;

/* ---- Leaves ------------------------------------------------------------------------------------ */

/* Room for so many of them. */
static holos_status leaves_room(leaf_search *l, uint64_t count, holos_error *err)
{
    uint64_t parts = (count + BOOK_PART - 1) / BOOK_PART;
    if (parts >= UINT32_MAX)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "%llu positions are too many to search",
                         (unsigned long long)count);
    l->keys = mem_alloc(l->budget, (count + 1) * sizeof *l->keys);
    l->values = mem_alloc(l->budget, count + 1);
    l->parts = (job_tasks){.list = calloc(parts + 1, sizeof *l->parts.list), .count = (uint32_t)parts};
    l->count = count;
    if (l->keys == NULL || l->values == NULL || l->parts.list == NULL)
        return mem_error(err, l->budget, count * (sizeof *l->keys + 1), "what is to be searched");
    return HOLOS_OK;
}

static void leaves_free(leaf_search *l)
{
    mem_free(l->budget, l->keys, (l->count + 1) * sizeof *l->keys);
    mem_free(l->budget, l->values, l->count + 1);
    free(l->parts.list);
}

static holos_status leaves_find(leaf_search *l, const book_ply *ply, holos_error *err)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < ply->count; i++)
        count += ply->values[i] == HOLOS_BYTE_UNKNOWN;
    holos_status status = leaves_room(l, count, err);
    if (status != HOLOS_OK)
        return status;
    count = 0;
    for (uint64_t i = 0; i < ply->count; i++)
        if (ply->values[i] == HOLOS_BYTE_UNKNOWN)
            l->keys[count++] = ply->keys[i];
    return HOLOS_OK;
}

static void leaves_take(const leaf_search *l, book_ply *ply)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < ply->count; i++)
        if (ply->values[i] == HOLOS_BYTE_UNKNOWN)
            ply->values[i] = l->values[count++];
}

/* All ranks together: those of rank 0, to the others. */
static holos_status leaves_share(leaf_search *l, holos_status status, holos_error *err)
{
    uint64_t count = l->count;
    status = holos_cluster_agree(l->c, status, err);
    if (status != HOLOS_OK)
        return status;
    cluster_share(l->c, &count, sizeof count, 0);
    if (l->parts.list == NULL)
        status = leaves_room(l, count, err);
    status = holos_cluster_agree(l->c, status, err);
    if (status == HOLOS_OK)
        cluster_share(l->c, l->keys, count * sizeof *l->keys, 0);
    return status;
}

/* ---- Parts ------------------------------------------------------------------------------------- */

static uint64_t part_size(const leaf_search *l, uint32_t part)
{
    uint64_t left = l->count - (uint64_t)part * BOOK_PART;
    return left < BOOK_PART ? left : BOOK_PART;
}

/* Takes what an earlier build has finished. Parts of leaves come after part 0, which is the ply itself. */
static void parts_load(leaf_search *l)
{
    const store_backend *backend = l->s != NULL ? l->s->backend : NULL;
    for (uint32_t part = 0; backend != NULL && part < l->parts.count; part++) {
        uint8_t *values = &l->values[(uint64_t)part * BOOK_PART];
        uint64_t size = part_size(l, part);
        l->parts.list[part].done = backend->has(l->s, l->b->top, part + 1) &&
                                   backend->load(l->s, l->b->top, part + 1, values, size, NULL) == HOLOS_OK;
        progress_add(l->b->progress, l->parts.list[part].done ? size : 0);
    }
}

/* What a solver is asked to do, one of so many at once. *settings is the caller's to free. */
static holos_status solver_ask(const build_request *b, unsigned count, holos_solver_options *o,
                               holos_settings **settings, holos_error *err)
{
    *o = (holos_solver_options){
        .limits = {.memory = b->memory != 0 ? b->memory / count : SEARCH_MEMORY, .stop = b->stop},
        .value_only = true,
        .boundary = b->boundary};
    if (!b->no_hot)
        return HOLOS_OK;
    o->settings = *settings = holos_settings_new();
    return holos_settings_set(*settings, "no-hot", NULL, err) == HOLOS_OK ? HOLOS_OK
                                                                          : error_system(err, "the book");
}

static holos_status worker_open(leaf_search *l, leaf_worker *w, const holos_stop *stop, holos_error *err)
{
    holos_solver_options o = l->ask;
    if (w->solver != NULL)
        return HOLOS_OK;
    o.limits.stop = stop;
    if (w->here == NULL)
        w->here = holos_position_new(l->b->v);
    return w->here != NULL ? holos_solver_open(l->b->v, &o, &w->solver, err) : error_system(err, "the book");
}

static holos_status leaf_solve(const leaf_search *l, holos_key leaf, const leaf_worker *w, uint8_t *out,
                               holos_error *err)
{
    const holos_variant *v = l->b->v;
    holos_result result;
    v->game->from_key(v, leaf, w->here);
    holos_status status = holos_solver_solve(w->solver, w->here, &result, err);
    if (status == HOLOS_OK)
        *out = (uint8_t)(HOLOS_BYTE_ZERO + result.value.lo - game_banked(v, w->here));
    return status;
}

static holos_status part_make(void *context, uint32_t part, unsigned worker, const holos_stop *stop,
                              void *said, holos_error *err)
{
    leaf_search *l = context;
    leaf_worker *w = &l->workers[worker];
    const holos_key *leaves = &l->keys[(uint64_t)part * BOOK_PART];
    part_said *out = said;
    uint64_t size = part_size(l, part);
    *out = (part_said){.rank = l->c->rank};
    holos_status status = worker_open(l, w, stop, err);
    for (uint64_t i = 0; status == HOLOS_OK && i < size; i++) {
        status = leaf_solve(l, leaves[i], w, &out->values[i], err);
        progress_add(l->b->progress, 1);
    }
    return status;
}

/* In rank 0: keeps a part. */
static holos_status part_hear(void *context, uint32_t part, const void *said, holos_error *err)
{
    leaf_search *l = context;
    const part_said *from = said;
    uint64_t size = part_size(l, part);
    memcpy(&l->values[(uint64_t)part * BOOK_PART], from->values, size);
    l->searched += size;
    if (from->rank != l->c->rank)
        progress_add(l->b->progress, size);
    return l->s == NULL ? HOLOS_OK : l->s->backend->save(l->s, l->b->top, part + 1, from->values, size, err);
}

/* All ranks together. */
static holos_status parts_run(leaf_search *l, holos_error *err)
{
    const build_request *b = l->b;
    job_work work = {.context = l,
                     .threads = l->threads,
                     .make = part_make,
                     .hear = part_hear,
                     .said_size = sizeof(part_said)};
    unsigned threads = pool_threads(l->threads);
    l->workers = calloc(threads, sizeof *l->workers);
    holos_status status = l->workers != NULL ? solver_ask(b, threads, &l->ask, &l->settings, err)
                                             : error_system(err, "the book");
    status = holos_cluster_agree(l->c, status, err);
    if (status == HOLOS_OK) {
        progress_begin(b->progress, "search", "positions", l->count);
        parts_load(l);
        status = tasks_run(l->c, &l->parts, &work, b->stop, err);
        progress_end(b->progress);
    }
    if (status == HOLOS_INTERRUPTED)
        error_set(err, status, HOLOS_NOWHERE, "interrupted%s",
                  b->url != NULL ? "; --resume continues from what is finished" : "");
    for (unsigned i = 0; l->workers != NULL && i < threads; i++) {
        holos_solver_close(l->workers[i].solver);
        holos_position_free(l->workers[i].here);
    }
    free(l->workers);
    holos_settings_free(l->settings);
    return status;
}

/* ---- A few searches, for the plan -------------------------------------------------------------- */

#define SAMPLE_SEARCHES 16
#define SAMPLE_SECONDS  0.5
#define SAMPLE_MEMORY   ((size_t)256 << 20) /* making a larger table would take longer than the searches */

static bool is_over(const holos_variant *v, const holos_position *p)
{
    int32_t score;
    return v->game->terminal(v, p, &score);
}

/* Searches positions that are spread over all of them, until the time is over. */
static holos_status searches_try(holos_solver *solver, const build_request *b,
                                 const holos_position *positions, size_t count, book_searches *out,
                                 holos_error *err)
{
    double begun = clock_wall(), end = begun + SAMPLE_SECONDS;
    holos_status status = HOLOS_OK;
    size_t step = count / SAMPLE_SEARCHES + 1;
    for (size_t i = 0; i < count && status == HOLOS_OK && clock_wall() < end; i += step) {
        const holos_position *p = position_in(b->v, positions, i);
        holos_result result;
        if (is_over(b->v, p))
            continue;
        out->tried++;
        status = holos_solver_solve(solver, p, &result, err);
        out->finished += status == HOLOS_OK;
    }
    out->seconds = out->tried > 0 ? (clock_wall() - begun) / (double)out->tried : 0;
    return status == HOLOS_LIMIT || status == HOLOS_INTERRUPTED ? HOLOS_OK : status;
}

holos_status book_searches_sample(const build_request *b, const holos_position *positions, size_t count,
                                  const holos_stop *stop, book_searches *out, holos_error *err)
{
    holos_solver_options o;
    holos_settings *settings = NULL;
    holos_solver *solver = NULL;
    size_t open = 0;
    *out = (book_searches){0};
    for (size_t i = 0; i < count; i++)
        open += !is_over(b->v, position_in(b->v, positions, i));
    out->share = count > 0 ? (double)open / (double)count : 0;
    holos_status status = solver_ask(b, b->threads, &o, &settings, err);
    o.limits.memory = o.limits.memory < SAMPLE_MEMORY ? o.limits.memory : SAMPLE_MEMORY;
    o.limits.seconds = SAMPLE_SECONDS;
    o.limits.stop = stop;
    if (status == HOLOS_OK && open > 0)
        status = holos_solver_open(b->v, &o, &solver, err);
    if (solver != NULL)
        status = searches_try(solver, b, positions, count, out, err);
    holos_solver_close(solver);
    holos_settings_free(settings);
    return status == HOLOS_NO_MEMORY ? HOLOS_OK : status; /* the run will say so */
}

/* ---- The report -------------------------------------------------------------------------------- */

/* In how many symmetric images a position exists. */
static uint64_t images(const holos_variant *v, const holos_position *p, holos_position *room)
{
    if (v->game->symmetries == NULL)
        return 1;
    uint32_t count = v->game->symmetries(v, p, room);
    uint64_t different = 0;
    for (uint32_t i = 0; i < count; i++) {
        holos_key identity = v->game->identity(v, position_at(v, room, i));
        bool seen = false;
        for (uint32_t j = 0; j < i && !seen; j++)
            seen = holos_key_equal(identity, v->game->identity(v, position_at(v, room, j)));
        different += !seen;
    }
    return different;
}

static void ply_count(const holos_variant *v, const book_ply *ply, holos_position *here, holos_position *room,
                      build_ply *out)
{
    *out = (build_ply){.folded = ply->count};
    for (uint64_t i = 0; i < ply->count; i++) {
        int32_t over;
        v->game->from_key(v, ply->keys[i], here);
        uint64_t count = images(v, here, room);
        int32_t value = ply->values[i] - HOLOS_BYTE_ZERO;
        out->positions += count;
        out->finished += v->game->terminal(v, here, &over) ? count : 0;
        *(value > 0 ? &out->won : value < 0 ? &out->lost : &out->drawn) += count;
    }
}

static holos_status report_plies(const build_request *b, const book *values, build_report *r,
                                 holos_error *err)
{
    const holos_variant *v = b->v;
    uint32_t most = v->game->max_symmetries > 0 ? v->game->max_symmetries : 1;
    holos_position *here = holos_position_new(v);
    holos_position *room = aligned_alloc(16, most * v->position_size);
    r->plies = calloc(values->count, sizeof *r->plies);
    bool ready = here != NULL && room != NULL && r->plies != NULL;
    for (uint32_t i = 0; ready && i < values->count; i++) {
        ply_count(v, &values->plies[i], here, room, &r->plies[i]);
        r->positions += r->plies[i].positions;
        for (uint64_t j = 0; j < values->plies[i].count; j++)
            r->values[values->plies[i].values[j]]++;
    }
    if (ready) {
        r->ply_count = values->count;
        r->has_start = true;
        v->game->start(v, here);
        r->start_score = values->plies[0].values[0] - HOLOS_BYTE_ZERO + game_banked(v, here);
    }
    holos_position_free(here);
    free(room);
    return ready ? HOLOS_OK : error_system(err, "the report");
}

/* ---- The build --------------------------------------------------------------------------------- */

static holos_status plies_keep(store *s, const book *values, holos_error *err)
{
    holos_status status = HOLOS_OK;
    for (uint32_t i = 0; status == HOLOS_OK && i < values->count; i++) {
        text bytes;
        text_init(&bytes);
        book_ply_encode(&values->plies[i], &bytes);
        status = bytes.failed ? error_system(err, "the book")
                              : s->backend->save(s, i, 0, (const uint8_t *)bytes.data, bytes.length, err);
        text_free(&bytes);
    }
    return status == HOLOS_OK ? s->backend->finish(s, err) : status;
}

/* Takes the values of a finished book, if it is sound and has the same positions. */
static bool book_adopt(const build_request *b, book *values)
{
    store *s = NULL;
    if (store_open(b->url, &(store_options){.mode = STORE_READ, .v = b->v}, &s, NULL) != HOLOS_OK)
        return false;
    const book *known = s->kind == STORE_BOOK ? s->backend->book(s) : NULL;
    bool same = known != NULL && known->count == values->count;
    for (uint32_t i = 0; same && i < values->count; i++) {
        const book_ply *from = &known->plies[i], *to = &values->plies[i];
        same = from->count == to->count && memcmp(from->keys, to->keys, to->count * sizeof *to->keys) == 0;
    }
    for (uint32_t i = 0; same && i < values->count; i++)
        memcpy(values->plies[i].values, known->plies[i].values, values->plies[i].count);
    store_close(s);
    return same;
}

/* A book on its way. In ranks other than 0 there are no plies, and no store. */
typedef struct book_work {
    build_request b; /* with the last ply that there is */
    holos_cluster *c;
    plies_task task;
    mem_budget budget;
    book values;
    store *s;
    bool finished; /* the store has all of it */
    build_report *out;
    double solving; /* when the search began, on the clock of the processor */
} book_work;

/* What rank 0 does while the others wait. */
static holos_status work_begin(void *context, const holos_stop *stop, holos_error *err)
{
    book_work *w = context;
    double begun = clock_wall();
    if (w->c->rank > 0)
        return HOLOS_OK;
    w->task.stop = stop;
    holos_status status = plies_reach(&w->task, w->b.top, &w->values, err);
    w->out->reach_seconds = clock_wall() - begun;
    if (status != HOLOS_OK)
        return status;
    w->b.top = w->values.count - 1;
    if (w->b.url == NULL)
        return HOLOS_OK;
    store_options o = {.mode = w->b.mode, .kind = STORE_BOOK, .v = w->b.v, .top = w->b.top};
    status = store_open(w->b.url, &o, &w->s, err);
    w->finished = status == HOLOS_OK && w->b.mode == STORE_RESUME && book_adopt(&w->b, &w->values);
    return status;
}

/* All ranks together: gives every leaf of the last ply its value. */
static holos_status leaves_solve(book_work *w, holos_error *err)
{
    leaf_search l = {.b = &w->b, .c = w->c, .s = w->s, .budget = &w->budget, .threads = w->task.threads};
    book_ply *ply = NULL;
    holos_status status = HOLOS_OK;
    if (w->c->rank == 0 && !w->finished) {
        ply = &w->values.plies[w->b.top];
        status = leaves_find(&l, ply, err);
    }
    status = leaves_share(&l, status, err);
    if (status == HOLOS_OK && l.count > 0)
        status = parts_run(&l, err);
    if (status == HOLOS_OK && ply != NULL && l.values != NULL)
        leaves_take(&l, ply);
    w->out->computed = l.searched;
    leaves_free(&l);
    return status;
}

static holos_status work_end(void *context, const holos_stop *stop, holos_error *err)
{
    book_work *w = context;
    if (w->c->rank > 0)
        return HOLOS_OK;
    w->task.stop = stop;
    holos_status status = w->finished ? HOLOS_OK : plies_derive(&w->task, &w->values, err);
    w->out->solve_seconds = clock_cpu() - w->solving;
    if (status == HOLOS_OK && w->s != NULL)
        status = w->finished ? w->s->backend->finish(w->s, err) : plies_keep(w->s, &w->values, err);
    return status == HOLOS_OK ? report_plies(&w->b, &w->values, w->out, err) : status;
}

/* Reaches, searches, derives and keeps. */
static holos_status book_make(book_work *w, holos_error *err)
{
    holos_status status = handout_together(w->c, w->b.stop, work_begin, w, err);
    w->solving = clock_cpu();
    if (status == HOLOS_OK)
        status = leaves_solve(w, err);
    w->out->solve_seconds = clock_cpu() - w->solving;
    if (status == HOLOS_OK)
        status = handout_together(w->c, w->b.stop, work_end, w, err);
    build_work_sum(&w->b, w->out);
    if (w->s != NULL)
        w->s->backend->facts(w->s, &w->out->facts);
    store_close(w->s);
    return status;
}

holos_status build_book(const build_request *b, build_report *out, holos_error *err)
{
    double begun = clock_wall();
    uint64_t word;
    holos_cluster alone = cluster_alone(&word);
    book_work w = {.b = *b,
                   .c = b->cluster != NULL ? b->cluster : &alone,
                   .task = {.v = b->v, .progress = b->progress},
                   .out = out};
    *out = (build_report){.kind = STORE_BOOK};
    mem_budget_init(&w.budget, b->memory != 0 ? b->memory : build_memory_available());
    book_init(&w.values, &w.budget);
    holos_status status = holos_cluster_agree(w.c, pool_open(b->threads, &w.task.threads, err), err);
    if (status == HOLOS_OK)
        status = book_make(&w, err);
    pool_close(w.task.threads);
    book_free(&w.values);
    out->memory = atomic_load(&w.budget.peak);
    out->seconds = clock_wall() - begun;
    return status;
}
