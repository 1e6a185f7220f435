/* SPDX-License-Identifier: MIT */

/* A whole build: plan, memory, tiers in order, the parts of a tier over the threads. */

#include "core/clock.h"
#include "core/pool.h"
#include "engine/retrograde/retrograde.h"
#include "engine/retrograde/room.h"
#include "engine/retrograde/schedule.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Positions a second on one core, with compression, for the estimate: `holos bench kalah`. */
#define KERNEL_RATE  90e6
#define GENERIC_RATE 2.5e6
/* Bytes of a store for each position, in hundredths: kalah's databases take 25 to 36. */
#define DISK_PERCENT 36

/* Smaller parts are not split: then a step would be shorter than it takes to wake a thread. */
#define SPLIT_LEAST ((uint64_t)1 << 20)
/* A step is given out in so many tasks for each thread. */
#define TASKS_EACH 4

struct retro {
    const holos_variant *v;
    const holos_index *index;
    retro_options o;
    const holos_kernel *kernel; /* NULL: position by position */
    void *kernel_state;
    uint8_t ***parts;
    table_room room; /* what parts point into */
    holos_tables tables;
    pool *pool;
    retro_worker *workers;
    size_t worker_count, scratch_size;
    struct limits limits; /* of all; each worker has its share */
    limits_pot pot;

    /* The tier that is being solved. */
    uint32_t tier;
    schedule schedule;
    pthread_mutex_t lock;
    holos_status status; /* of the first job that failed */
    holos_error error;
    uint64_t solved;
    double seconds;
};

/* ---- The plan ---------------------------------------------------------------------------------- */

holos_status retro_supports(const holos_variant *v, holos_error *err)
{
    const holos_game *game = v->game;
    if (game->index == NULL)
        return error_set(
            err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
            "the retrograde engine needs a game whose positions can be numbered; %s has no index",
            game->name);
    if (game->index->supports != NULL && game->index->supports(v, err) != HOLOS_OK)
        return HOLOS_UNSUPPORTED;
    bool cyclic = (game->traits & HOLOS_TRAIT_CYCLIC) != 0;
    if (cyclic && game->index->kernel == NULL &&
        (game->back == NULL || (game->traits & HOLOS_TRAIT_GAINS) != 0))
        return error_set(
            err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
            "%s can repeat positions: the retrograde engine needs its moves backwards, and no gains",
            game->name);
    return HOLOS_OK;
}

static bool uses_kernel(const holos_variant *v, const retro_options *o)
{
    return v->game->index->kernel != NULL && !o->no_hot;
}

holos_status retro_make_plan(const holos_variant *v, const retro_options *o, retro_plan *out,
                             holos_error *err)
{
    holos_status status = retro_supports(v, err);
    if (status != HOLOS_OK)
        return status;
    const holos_index *index = v->game->index;
    if (o->top >= index->tiers(v))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s can be indexed up to %u %s, not %u", v->name,
                         index->tiers(v) - 1, index->tier_unit, o->top);
    unsigned threads = o->threads != 0 ? o->threads : pool_processors();
    *out = (retro_plan){0};
    for (uint32_t tier = 0; tier <= o->top; tier++) {
        for (uint32_t part = 0; part < index->parts(v, tier); part++) {
            uint64_t size = index->size(v, tier, part);
            out->positions += size;
            out->largest = size > out->largest ? size : out->largest;
            out->parts++;
        }
        out->memory += tier_share(v, o, tier);
    }
    if (uses_kernel(v, o))
        out->memory += index->kernel->memory(v, o->top) + threads * index->kernel->scratch(v, o->top);
    out->disk = out->positions / 100 * DISK_PERCENT + out->parts * 4096;
    out->seconds = (double)out->positions / (uses_kernel(v, o) ? KERNEL_RATE : GENERIC_RATE);
    return HOLOS_OK;
}

/* ---- Memory ------------------------------------------------------------------------------------ */

static holos_status tier_allocate(retro *r, uint32_t tier, holos_error *err)
{
    uint32_t count = r->index->parts(r->v, tier);
    r->parts[tier] = calloc(count, sizeof **r->parts);
    if (r->parts[tier] == NULL)
        return error_system(err, "the tables");
    uint8_t *next = room_take(&r->room, tier, err);
    if (next == NULL)
        return r->o.scratch != NULL ? HOLOS_IO : HOLOS_NO_MEMORY;
    for (uint32_t part = 0; part < count; part++) {
        r->parts[tier][part] = next;
        next += part_room(r->v, tier, part);
    }
    return HOLOS_OK;
}

static bool worker_init(retro *r, retro_worker *w)
{
    const holos_variant *v = r->v;
    w->v = v;
    w->tables = &r->tables;
    w->limits = limits_share_pot(&r->limits, &r->pot);
    if (r->kernel != NULL) {
        w->scratch = mem_alloc(r->o.budget, r->scratch_size);
        return w->scratch != NULL;
    }
    size_t next = v->max_successors, back = v->max_predecessors;
    w->here = aligned_alloc(16, v->position_size);
    w->successors.edges = calloc(next, sizeof *w->successors.edges);
    w->successors.positions = aligned_alloc(16, next * v->position_size);
    w->successors.bare = w->predecessors.bare = true;
    bool ready = w->here != NULL && w->successors.edges != NULL && w->successors.positions != NULL;
    if (back > 0) {
        w->predecessors.edges = calloc(back, sizeof *w->predecessors.edges);
        w->predecessors.positions = aligned_alloc(16, back * v->position_size);
        ready = ready && w->predecessors.edges != NULL && w->predecessors.positions != NULL;
    }
    return ready;
}

static void worker_free(retro *r, retro_worker *w)
{
    if (w->scratch != NULL)
        mem_free(r->o.budget, w->scratch, r->scratch_size);
    free(w->here);
    free(w->successors.edges);
    free(w->successors.positions);
    free(w->predecessors.edges);
    free(w->predecessors.positions);
    free(w->stack);
}

/* What is only needed while building. */
static void workers_close(retro *r)
{
    for (size_t i = 0; i < r->worker_count; i++)
        worker_free(r, &r->workers[i]);
    free(r->workers);
    if (r->kernel_state != NULL)
        r->kernel->close(r->kernel_state);
    pool_close(r->pool);
    r->workers = NULL;
    r->worker_count = 0;
    r->kernel_state = NULL;
    r->pool = NULL;
}

static holos_status workers_open(retro *r, holos_error *err)
{
    holos_status status = pool_open(r->o.threads, &r->pool, err);
    if (status != HOLOS_OK)
        return status;
    if (uses_kernel(r->v, &r->o)) {
        r->kernel = r->index->kernel;
        r->scratch_size = r->kernel->scratch(r->v, r->o.top);
        status = r->kernel->open(r->v, r->o.top, r->o.budget, &r->kernel_state, err);
        if (status != HOLOS_OK)
            return status;
    }
    r->workers = calloc(pool_threads(r->pool), sizeof *r->workers);
    if (r->workers == NULL)
        return error_system(err, "the retrograde engine");
    r->worker_count = pool_threads(r->pool);
    for (size_t i = 0; i < r->worker_count; i++)
        if (!worker_init(r, &r->workers[i]))
            return error_system(err, "the retrograde engine");
    return HOLOS_OK;
}

/* ---- Tiers ------------------------------------------------------------------------------------- */

static holos_status stop_error(const retro *r, const struct limits *l, holos_error *err)
{
    bool asked = l->status == HOLOS_INTERRUPTED;
    return error_set(err, l->status, HOLOS_NOWHERE, "%s%s at %u %s; what is finished is kept",
                     asked ? "interrupted" : "stopped by ", asked ? "" : l->reached, r->tier,
                     r->index->tier_unit);
}

static void work_add(retro *r, uint64_t positions, double seconds)
{
    pthread_mutex_lock(&r->lock);
    r->seconds += seconds;
    r->solved += positions;
    pthread_mutex_unlock(&r->lock);
}

static holos_status part_solve(retro *r, retro_worker *w, const schedule_part *p, holos_error *err)
{
    double begun = clock_read(CLOCK_THREAD_CPUTIME_ID);
    holos_status status = HOLOS_OK;
    if (r->kernel != NULL)
        status = r->kernel->solve(r->kernel_state, &r->tables, r->tier, p->part, &w->limits, w->scratch);
    else if ((r->v->game->traits & HOLOS_TRAIT_CYCLIC) != 0)
        status = retro_solve_cyclic(w, r->tier, p->part, err);
    else
        status = retro_solve_acyclic(w, r->tier, p->part, err);
    work_add(r, status == HOLOS_OK ? p->size : 0, clock_read(CLOCK_THREAD_CPUTIME_ID) - begun);
    if (!limits_go_on(&w->limits))
        return stop_error(r, &w->limits, err);
    return status;
}

static holos_status pieces_solve(retro *r, retro_worker *w, const task *t, holos_error *err)
{
    double begun = clock_read(CLOCK_THREAD_CPUTIME_ID);
    holos_status status = r->kernel->solve_pieces(r->kernel_state, &r->tables, r->tier, t->part->part,
                                                  t->step, t->first, t->count, &w->limits, w->scratch);
    work_add(r, 0, clock_read(CLOCK_THREAD_CPUTIME_ID) - begun);
    return status == HOLOS_OK ? status : stop_error(r, &w->limits, err);
}

/* HOLOS_UNSUPPORTED: nobody has it, or not as it should be, and it must be solved. */
static holos_status part_load(retro *r, uint32_t part, uint64_t size, holos_error *err)
{
    const retro_keeper *keeper = r->o.keeper;
    uint8_t *bytes = r->parts[r->tier][part];
    if (keeper == NULL || !keeper->has(keeper->context, r->tier, part))
        return HOLOS_UNSUPPORTED;
    room_prepare(&r->room, bytes, size);
    holos_status status = keeper->load(keeper->context, r->tier, part, bytes, size, err);
    if (status != HOLOS_BAD_FILE)
        return status;
    log_write(r->o.log, LOG_LEVEL_WARNING, "%s; it is made again", err != NULL ? err->message : "damaged");
    memset(bytes, HOLOS_BYTE_UNKNOWN, size);
    return HOLOS_UNSUPPORTED;
}

static holos_status part_keep(retro *r, const schedule_part *p, holos_error *err)
{
    const retro_keeper *keeper = r->o.keeper;
    holos_status status = HOLOS_OK;
    if (keeper != NULL && (r->o.company == NULL || r->o.company->keeps))
        status = keeper->save(keeper->context, r->tier, p->part, r->parts[r->tier][p->part], p->size, err);
    return status;
}

/* Loads a part or solves it; *open: its pieces are to be solved. */
static holos_status part_begin(retro *r, retro_worker *w, const schedule_part *p, bool *open,
                               holos_error *err)
{
    holos_status status =
        r->o.company == NULL ? part_load(r, p->part, p->size, err) : HOLOS_UNSUPPORTED; /* has been tried */
    if (status == HOLOS_UNSUPPORTED)
        room_prepare(&r->room, r->parts[r->tier][p->part], p->size);
    *open = status == HOLOS_UNSUPPORTED && p->steps > 0;
    if (*open)
        return HOLOS_OK;
    if (status == HOLOS_UNSUPPORTED) {
        status = part_solve(r, w, p, err);
        if (status == HOLOS_OK)
            status = part_keep(r, p, err);
    }
    return status;
}

static holos_status task_run(retro *r, retro_worker *w, const task *t, bool *open, holos_error *err)
{
    if (!limits_check(&w->limits))
        return stop_error(r, &w->limits, err);
    if (t->kind == TASK_BEGIN)
        return part_begin(r, w, t->part, open, err);
    if (t->kind == TASK_PIECES)
        return pieces_solve(r, w, t, err);
    work_add(r, t->part->size, 0);
    return part_keep(r, t->part, err);
}

static void part_show(const retro *r, const schedule_part *p)
{
    const retro_keeper *keeper = r->o.keeper;
    progress_add_part(r->o.progress,
                      keeper != NULL && keeper->written != NULL ? keeper->written(keeper->context) : 0);
    progress_add(r->o.progress, p->size);
}

/* A thread's share of a tier. */
static void tier_work(void *context, uint64_t job, unsigned worker)
{
    (void)job;
    retro *r = context;
    task t;
    while (schedule_take(&r->schedule, &t)) {
        holos_error err;
        bool open = false;
        holos_status status = task_run(r, &r->workers[worker], &t, &open, &err);
        if (status != HOLOS_OK) {
            pthread_mutex_lock(&r->lock);
            if (r->status == HOLOS_OK) {
                r->status = status;
                r->error = err;
            }
            pthread_mutex_unlock(&r->lock);
            schedule_stop(&r->schedule);
            if (r->o.company != NULL)
                r->o.company->stop(r->o.company->context);
        } else if (t.kind == TASK_END || (t.kind == TASK_BEGIN && !open))
            part_show(r, t.part);
        schedule_done(&r->schedule, &t, open);
    }
}

static uint32_t pieces_of(void *context, uint32_t part, uint32_t step)
{
    const retro *r = context;
    return r->kernel->pieces(r->kernel_state, r->tier, part, step);
}

/* A part is split if it is larger than a thread's share of the tier; that costs an eighth more time in it, and for an even split of kalah
 * twice as much, so it is not done for less. */
static uint32_t steps_of(const retro *r, const schedule_part *p, uint64_t positions)
{
    unsigned threads = pool_threads(r->pool), ranks = r->o.company != NULL ? r->o.company->ranks : 1;
    uint64_t least = r->o.split_from != 0 ? r->o.split_from : SPLIT_LEAST;
    if (r->kernel == NULL || r->kernel->steps == NULL || threads < 2 || p->size < least ||
        (r->o.split_from == 0 && threads * ranks * p->size <= positions))
        return 0;
    return r->kernel->steps(r->kernel_state, r->tier, p->part);
}

static holos_status tier_plan(retro *r, uint32_t count, holos_error *err)
{
    schedule *s = &r->schedule;
    uint64_t positions = 0;
    s->count = 0;
    s->share = TASKS_EACH * pool_threads(r->pool);
    s->pieces = pieces_of;
    s->context = r;
    s->none_left = false;
    if (r->o.company != NULL) {
        s->next = r->o.company->next;
        s->next_context = r->o.company->context;
    }
    free(s->parts);
    s->parts = calloc((size_t)count + 1, sizeof *s->parts);
    if (s->parts == NULL)
        return error_system(err, "the retrograde engine");
    for (; s->count < count; s->count++) {
        schedule_part p = {.part = s->count, .size = r->index->size(r->v, r->tier, s->count)};
        uint32_t i = s->count;
        for (; i > 0 && s->parts[i - 1].size < p.size; i--)
            s->parts[i] = s->parts[i - 1];
        s->parts[i] = p;
        positions += p.size;
    }
    for (uint32_t i = 0; i < count; i++)
        s->parts[i].steps = steps_of(r, &s->parts[i], positions);
    return HOLOS_OK;
}

static void tier_remark(const retro *r, uint32_t parts, double seconds)
{
    text t;
    uint64_t positions = 0;
    if (!log_wants(r->o.log, LOG_LEVEL_INFO))
        return;
    for (uint32_t part = 0; part < parts; part++)
        positions += r->index->size(r->v, r->tier, part);
    text_init(&t);
    text_printf(&t, "%u of %u %s: ", r->tier, r->o.top, r->index->tier_unit);
    text_count(&t, positions);
    text_printf(&t, " positions in %u parts, ", parts);
    text_duration(&t, seconds);
    text_string(&t, "; memory ");
    text_size(&t, atomic_load_explicit(&r->o.budget->used, memory_order_relaxed));
    log_write(r->o.log, LOG_LEVEL_INFO, "%s", t.data);
    text_free(&t);
}

/* The threads solve what they are given of the tier. */
static holos_status tier_run(retro *r, holos_error *err)
{
    pool_run(r->pool, pool_threads(r->pool), tier_work, r);
    if (r->status != HOLOS_OK && err != NULL)
        *err = r->error;
    return r->status;
}

/* ---- A tier in company ------------------------------------------------------------------------- */

/* A tier that others work at, too; in the order of the schedule. */
typedef struct shared_tier {
    retro *r;
    uint32_t count;
    bool *there, *mine;
    uint8_t **parts;
    uint64_t *sizes;
} shared_tier;

static void failure_note(retro *r, holos_status status, const holos_error *err)
{
    pthread_mutex_lock(&r->lock);
    if (r->status == HOLOS_OK) {
        r->status = status;
        r->error = *err;
    }
    pthread_mutex_unlock(&r->lock);
}

static void shared_load(void *context, uint64_t at, unsigned worker)
{
    (void)worker;
    shared_tier *t = context;
    retro *r = t->r;
    const schedule_part *p = &r->schedule.parts[at];
    holos_error err;
    holos_status status = part_load(r, p->part, p->size, &err);
    t->there[at] = status == HOLOS_OK;
    if (status != HOLOS_OK && status != HOLOS_UNSUPPORTED)
        failure_note(r, status, &err);
}

/* What others have solved and cannot keep. */
static void shared_keep(void *context, uint64_t at, unsigned worker)
{
    (void)worker;
    shared_tier *t = context;
    retro *r = t->r;
    const schedule_part *p = &r->schedule.parts[at];
    const retro_keeper *keeper = r->o.keeper;
    holos_error err;
    if (t->there[at] || r->status != HOLOS_OK)
        return;
    holos_status status = keeper->save(keeper->context, r->tier, p->part, t->parts[at], p->size, &err);
    if (status != HOLOS_OK)
        failure_note(r, status, &err);
}

/* Parts that others have solved count here as well. */
static void shared_show(const shared_tier *t)
{
    for (uint32_t i = 0; i < t->count; i++)
        if (!t->mine[i])
            part_show(t->r, &t->r->schedule.parts[i]);
}

static holos_status shared_run(shared_tier *t, holos_error *err)
{
    retro *r = t->r;
    const retro_company *company = r->o.company;
    holos_error own = {0};
    if (company->loads)
        pool_run(r->pool, t->count, shared_load, t);
    own = r->error;
    holos_status status = company->begin(company->context, t->there, t->sizes, t->count, r->status, &own);
    if (status == HOLOS_OK) {
        status = tier_run(r, &own);
        if (company->leads) /* for what comes from elsewhere; what is here is ready */
            room_prepare(&r->room, r->parts[r->tier][0], tier_room(r->v, r->tier));
        status = company->end(company->context, t->parts, t->sizes, t->mine, t->count,
                              r->tier < r->o.top || company->whole, status, &own);
    }
    if (status == HOLOS_OK) {
        shared_show(t);
        if (company->loads && !company->keeps && r->o.keeper != NULL)
            pool_run(r->pool, t->count, shared_keep, t);
        status = r->status; /* the others hear of it when the next tier begins */
        own = r->error;
    }
    if (status != HOLOS_OK && err != NULL)
        *err = own;
    return status;
}

static holos_status shared_solve(retro *r, uint32_t count, holos_error *err)
{
    shared_tier t = {.r = r,
                     .count = count,
                     .there = calloc(count, sizeof *t.there),
                     .mine = calloc(count, sizeof *t.mine),
                     .parts = calloc(count, sizeof *t.parts),
                     .sizes = calloc(count, sizeof *t.sizes)};
    bool ready = t.there != NULL && t.mine != NULL && t.parts != NULL && t.sizes != NULL;
    for (uint32_t i = 0; ready && i < count; i++) {
        t.parts[i] = r->parts[r->tier][r->schedule.parts[i].part];
        t.sizes[i] = r->schedule.parts[i].size;
    }
    holos_status status = ready ? shared_run(&t, err) : error_system(err, "the retrograde engine");
    free(t.there);
    free(t.mine);
    free(t.parts);
    free(t.sizes);
    return status;
}

/* ---- All tiers --------------------------------------------------------------------------------- */

static holos_status tiers_solve(retro *r, holos_error *err)
{
    for (r->tier = 0; r->tier <= r->o.top; r->tier++) {
        double begun = clock_wall();
        holos_status status = tier_allocate(r, r->tier, err);
        if (status != HOLOS_OK)
            return status;
        uint32_t count = r->index->parts(r->v, r->tier);
        status = tier_plan(r, count, err);
        if (status == HOLOS_OK)
            status = r->o.company != NULL ? shared_solve(r, count, err) : tier_run(r, err);
        if (status != HOLOS_OK)
            return status;
        tier_remark(r, count, clock_wall() - begun);
    }
    return HOLOS_OK;
}

/* ---- The build --------------------------------------------------------------------------------- */

void retro_close(retro *r)
{
    if (r == NULL)
        return;
    workers_close(r);
    for (uint32_t tier = 0; r->parts != NULL && tier <= r->o.top; tier++)
        free(r->parts[tier]);
    free(r->parts);
    room_close(&r->room);
    schedule_free(&r->schedule);
    pthread_mutex_destroy(&r->lock);
    free(r);
}

holos_status retro_build(const holos_variant *v, const retro_options *o, retro **out, holos_error *err)
{
    retro_plan plan = {0};
    *out = NULL;
    holos_status status = retro_make_plan(v, o, &plan, err);
    if (status != HOLOS_OK)
        return status;
    /* Without a limit, what the system can spare is one. */
    if (plan.memory > mem_available(o->budget) || (o->budget->limit == 0 && plan.memory > mem_spare()))
        return mem_error(err, o->budget, plan.memory, "a database of this size");
    retro *r = calloc(1, sizeof *r);
    if (r == NULL)
        return error_system(err, "the retrograde engine");
    r->v = v;
    r->index = v->game->index;
    r->o = *o;
    pthread_mutex_init(&r->lock, NULL);
    schedule_init(&r->schedule);
    limits_begin(&r->limits, &o->limits, o->budget);
    limits_fill(&r->limits, &r->pot);
    r->parts = calloc(o->top + 1, sizeof *r->parts);
    r->tables.parts = (uint8_t *const *const *)r->parts;
    if (r->parts == NULL)
        status = error_system(err, "the retrograde engine");
    if (status == HOLOS_OK)
        status = workers_open(r, err);
    status = room_open(&r->room, v, &r->o, status, err);
    if (status == HOLOS_OK) {
        progress_begin(o->progress, "build", "positions", plan.positions);
        progress_set_parts(o->progress, plan.parts);
        status = tiers_solve(r, err);
        progress_end(o->progress);
    }
    workers_close(r);
    if (status != HOLOS_OK) {
        retro_close(r);
        return status;
    }
    *out = r;
    return HOLOS_OK;
}

uint32_t retro_top(const retro *r)
{
    return r->o.top;
}

const uint8_t *retro_part(const retro *r, uint32_t tier, uint32_t part)
{
    return r->parts[tier][part];
}

void retro_work(const retro *r, uint64_t *positions, double *seconds)
{
    *positions = r->solved;
    *seconds = r->seconds;
}

bool retro_probe(const retro *r, const holos_position *p, int32_t *value)
{
    holos_place place;
    if (!r->index->rank(r->v, p, &place) || place.tier > r->o.top)
        return false;
    *value = *tables_at(&r->tables, place) - HOLOS_BYTE_ZERO;
    return true;
}
