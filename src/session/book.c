/* SPDX-License-Identifier: MIT */

/* Books: the positions of the last ply that are not over (the leaves) are searched one by one, in parts that
 * are kept as soon as they are finished; what comes before follows from them. */

#include "store/book.h"

#include "core/clock.h"
#include "session/build.h"
#include "session/plies.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Leaves of one part: what is lost at most, for each thread, when a build is interrupted. */
#define PART_LEAVES 128u
/* What each thread's search may use, unless the caller says otherwise. */
#define SEARCH_MEMORY ((size_t)1 << 30)

typedef struct leaf_search {
    const build_request *b;
    store *s; /* NULL: nothing is kept */
    book_ply *ply;
    uint64_t *leaves; /* which positions of the ply */
    uint64_t count;
    holos_solver **solvers;   /* one a thread */
    holos_settings *settings; /* of the solvers, or NULL */
    holos_position **here;
    pthread_mutex_t lock;
    uint64_t searched;
    holos_status status; /* of the first part that failed */
    holos_error error;
} leaf_search;

/* ---- Leaves ------------------------------------------------------------------------------------ */

static holos_status leaves_find(leaf_search *l, holos_error *err)
{
    for (uint64_t i = 0; i < l->ply->count; i++)
        l->count += l->ply->values[i] == HOLOS_BYTE_UNKNOWN;
    l->leaves = malloc((l->count + 1) * sizeof *l->leaves);
    if (l->leaves == NULL)
        return error_system(err, "the book");
    uint64_t count = 0;
    for (uint64_t i = 0; i < l->ply->count; i++)
        if (l->ply->values[i] == HOLOS_BYTE_UNKNOWN)
            l->leaves[count++] = i;
    return HOLOS_OK;
}

static holos_status leaf_solve(leaf_search *l, uint64_t leaf, unsigned worker, uint8_t *out, holos_error *err)
{
    const holos_variant *v = l->b->v;
    holos_result result;
    v->game->from_key(v, l->ply->keys[leaf], l->here[worker]);
    holos_status status = holos_solver_solve(l->solvers[worker], l->here[worker], &result, err);
    if (status == HOLOS_OK)
        *out = (uint8_t)(HOLOS_BYTE_ZERO + result.value.lo - game_banked(v, l->here[worker]));
    return status;
}

/* Parts of leaves come after part 0, which is the ply itself. */
static bool part_load(leaf_search *l, uint32_t part, uint8_t *values, uint64_t count)
{
    return l->s != NULL && l->s->backend->has(l->s, l->b->top, part + 1) &&
           l->s->backend->load(l->s, l->b->top, part + 1, values, count, NULL) == HOLOS_OK;
}

static holos_status part_solve(leaf_search *l, uint32_t part, unsigned worker, holos_error *err)
{
    uint8_t values[PART_LEAVES];
    uint64_t first = (uint64_t)part * PART_LEAVES;
    uint64_t count = l->count - first < PART_LEAVES ? l->count - first : PART_LEAVES;
    holos_status status = HOLOS_OK;
    bool loaded = part_load(l, part, values, count);
    for (uint64_t i = 0; status == HOLOS_OK && !loaded && i < count; i++) {
        status = leaf_solve(l, l->leaves[first + i], worker, &values[i], err);
        progress_add(l->b->progress, 1);
    }
    if (status == HOLOS_OK && !loaded && l->s != NULL)
        status = l->s->backend->save(l->s, l->b->top, part + 1, values, count, err);
    if (status != HOLOS_OK)
        return status;
    for (uint64_t i = 0; i < count; i++)
        l->ply->values[l->leaves[first + i]] = values[i];
    if (loaded)
        progress_add(l->b->progress, count);
    else
        __atomic_fetch_add(&l->searched, count, __ATOMIC_RELAXED);
    return HOLOS_OK;
}

static void part_run(void *context, uint64_t part, unsigned worker)
{
    leaf_search *l = context;
    holos_error err;
    pthread_mutex_lock(&l->lock);
    bool going = l->status == HOLOS_OK;
    pthread_mutex_unlock(&l->lock);
    if (!going)
        return;
    holos_status status = part_solve(l, (uint32_t)part, worker, &err);
    pthread_mutex_lock(&l->lock);
    if (status != HOLOS_OK && l->status == HOLOS_OK) {
        l->status = status;
        l->error = err;
    }
    pthread_mutex_unlock(&l->lock);
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

static holos_status solvers_open(leaf_search *l, unsigned count, holos_error *err)
{
    const build_request *b = l->b;
    holos_solver_options o;
    holos_status asked = solver_ask(b, count, &o, &l->settings, err);
    if (asked != HOLOS_OK)
        return asked;
    l->solvers = calloc(count, sizeof *l->solvers);
    l->here = calloc(count, sizeof *l->here);
    if (l->solvers == NULL || l->here == NULL)
        return error_system(err, "the book");
    holos_status status = HOLOS_OK;
    for (unsigned i = 0; status == HOLOS_OK && i < count; i++) {
        status = holos_solver_open(b->v, &o, &l->solvers[i], err);
        l->here[i] = holos_position_new(b->v);
        if (status == HOLOS_OK && l->here[i] == NULL)
            status = error_system(err, "the book");
    }
    return status;
}

static void leaf_search_free(leaf_search *l, unsigned threads)
{
    for (unsigned i = 0; i < threads; i++) {
        if (l->solvers != NULL)
            holos_solver_close(l->solvers[i]);
        if (l->here != NULL)
            holos_position_free(l->here[i]);
    }
    holos_settings_free(l->settings);
    free(l->solvers);
    free(l->here);
    free(l->leaves);
}

/* Gives every leaf of the last ply its value. */
static holos_status leaves_solve(const build_request *b, store *s, book_ply *ply, pool *threads,
                                 uint64_t *searched, holos_error *err)
{
    leaf_search l = {.b = b, .s = s, .ply = ply};
    unsigned count = pool_threads(threads);
    pthread_mutex_init(&l.lock, NULL);
    holos_status status = leaves_find(&l, err);
    if (status == HOLOS_OK && l.count > 0)
        status = solvers_open(&l, count, err);
    if (status == HOLOS_OK && l.count > 0) {
        progress_begin(b->progress, "search", "positions", l.count);
        pool_run(threads, (l.count + PART_LEAVES - 1) / PART_LEAVES, part_run, &l);
        progress_end(b->progress);
        status = l.status;
        if (status == HOLOS_INTERRUPTED)
            error_set(err, status, HOLOS_NOWHERE, "interrupted%s",
                      s != NULL ? "; --resume continues from what is finished" : "");
        else if (status != HOLOS_OK && err != NULL)
            *err = l.error;
    }
    *searched = l.searched;
    leaf_search_free(&l, l.count > 0 ? count : 0);
    pthread_mutex_destroy(&l.lock);
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

/* Reaches, searches, derives and keeps. */
static holos_status book_make(const build_request *b, const plies_task *task, book *values, build_report *out,
                              holos_error *err)
{
    build_request whole = *b; /* with the last ply that there is */
    store *s = NULL;
    double begun = clock_wall();
    holos_status status = plies_reach(task, b->top, values, err);
    out->reach_seconds = clock_wall() - begun;
    if (status != HOLOS_OK)
        return status;
    whole.top = values->count - 1;
    if (b->url != NULL) {
        store_options o = {.mode = b->mode, .kind = STORE_BOOK, .v = b->v, .top = whole.top};
        status = store_open(b->url, &o, &s, err);
    }
    double solving = clock_cpu();
    bool finished = status == HOLOS_OK && s != NULL && b->mode == STORE_RESUME && book_adopt(b, values);
    if (status == HOLOS_OK && !finished)
        status = leaves_solve(&whole, s, &values->plies[whole.top], task->threads, &out->computed, err);
    if (status == HOLOS_OK && !finished)
        status = plies_derive(task, values, err);
    out->solve_seconds = clock_cpu() - solving;
    if (status == HOLOS_OK && s != NULL)
        status = finished ? s->backend->finish(s, err) : plies_keep(s, values, err);
    if (s != NULL)
        s->backend->facts(s, &out->facts);
    store_close(s);
    return status == HOLOS_OK ? report_plies(b, values, out, err) : status;
}

holos_status build_book(const build_request *b, build_report *out, holos_error *err)
{
    double begun = clock_wall();
    mem_budget budget;
    book values;
    plies_task task = {.v = b->v, .progress = b->progress, .stop = b->stop};
    *out = (build_report){.kind = STORE_BOOK};
    mem_budget_init(&budget, b->memory != 0 ? b->memory : build_memory_available());
    book_init(&values, &budget);
    holos_status status = pool_open(b->threads, &task.threads, err);
    if (status == HOLOS_OK)
        status = book_make(b, &task, &values, out, err);
    pool_close(task.threads);
    book_free(&values);
    out->memory = atomic_load(&budget.peak);
    out->seconds = clock_wall() - begun;
    return status;
}
