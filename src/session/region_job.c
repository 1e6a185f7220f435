/* SPDX-License-Identifier: MIT */

/* All positions of a kind, and of what lies between it and the boundary: solved one kind after the other. Nothing is kept. */

#include "engine/region/region.h"
#include "engine/scope.h"
#include "session/job.h"

#include <stdlib.h>

#define BYTES_EACH         3   /* of a position, in a region */
#define POSITIONS_A_SECOND 2e6 /* of one core, about: `holos explore chess KRvKN` */

typedef struct region_state {
    holos_kind *kinds; /* what is to be solved, each after those that it leads to */
    uint64_t *sizes;
    size_t count;
    mem_budget budget;
    pool *threads;
    regions *r;
    double seconds;
} region_state;

static bool region_takes(const holos_variant *v, const char *word)
{
    holos_kind kind;
    return v->game->kinds != NULL && v->game->kinds->parse(v, word, &kind, NULL) == HOLOS_OK;
}

/* ---- Opening ----------------------------------------------------------------------------------- */

static holos_status kind_measure(const holos_variant *v, holos_kind kind, uint64_t *size, holos_error *err)
{
    kind_numbers *numbers = NULL;
    holos_status status = v->game->kinds->open(v, kind, &numbers, err);
    if (status == HOLOS_OK)
        *size = v->game->kinds->size(numbers);
    v->game->kinds->close(numbers);
    return status;
}

/* Leaves in the list only what the boundary does not know. */
static holos_status kinds_choose(job *j, size_t found, holos_error *err)
{
    region_state *s = j->state;
    boundary_guard guard, *known = boundary_begin(&guard, j->o->boundary, j->v, NULL);
    holos_position *scratch = holos_position_new(j->v);
    holos_status status = scratch != NULL ? HOLOS_OK : error_system(err, "a position");
    for (size_t i = 0; status == HOLOS_OK && i < found; i++) {
        bool is_known = scope_is_known(j->v, known, s->kinds[i], scratch);
        status = boundary_end(known, err);
        if (is_known || status != HOLOS_OK)
            continue;
        s->kinds[s->count] = s->kinds[i];
        status = kind_measure(j->v, s->kinds[i], &s->sizes[s->count++], err);
    }
    holos_position_free(scratch);
    return status;
}

static holos_status region_open(job *j, holos_error *err)
{
    const holos_kinds *kinds = j->v->game->kinds;
    holos_kind kind;
    region_state *s = j->state = calloc(1, sizeof *s);
    if (s == NULL)
        return error_system(err, "a region");
    if (kinds == NULL)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "the positions of %s do not fall into kinds",
                         j->v->name);
    if (j->o->operand_count != 1)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "all positions of a kind are explored alone: leave out other positions");
    holos_status status = kinds->parse(j->v, j->o->operands[0], &kind, err);
    if (status != HOLOS_OK)
        return status;
    s->kinds = calloc(KINDS_MOST, sizeof *s->kinds);
    s->sizes = calloc(KINDS_MOST, sizeof *s->sizes);
    if (s->kinds == NULL || s->sizes == NULL)
        return error_system(err, "kinds of positions");
    size_t found = kinds->closure(j->v, kind, s->kinds, KINDS_MOST);
    if (found == KINDS_MOST)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "there are more than %d kinds of positions between this one and the end",
                         KINDS_MOST);
    return kinds_choose(j, found, err);
}

static void region_close(job *j)
{
    region_state *s = j->state;
    if (s == NULL)
        return;
    regions_close(s->r);
    pool_close(s->threads);
    free(s->kinds);
    free(s->sizes);
    free(s);
}

static uint64_t positions_of(const region_state *s)
{
    uint64_t positions = 0;
    for (size_t i = 0; i < s->count; i++)
        positions += s->sizes[i];
    return positions;
}

static holos_status region_plan(job *j, holos_plan *out, holos_report *r, holos_error *err)
{
    const region_state *s = j->state;
    text t;
    (void)err;
    report_count(r, "kinds", NULL, s->count);
    out->positions = positions_of(s);
    out->memory = out->memory_least = BYTES_EACH * out->positions;
    out->seconds = (double)out->positions / POSITIONS_A_SECOND;
    text_init_fixed(&t, out->what, sizeof out->what);
    text_printf(&t, "%s: up to ", j->o->operands[0]);
    text_count(&t, out->positions);
    text_printf(&t, " positions of %zu %s", s->count, s->count == 1 ? "kind" : "kinds");
    return HOLOS_OK;
}

/* ---- Running ----------------------------------------------------------------------------------- */

static holos_status region_run(job *j, holos_error *err)
{
    region_state *s = j->state;
    double begun = clock_wall();
    mem_budget_init(&s->budget, j->o->limits.memory);
    holos_status status = pool_open(j->o->threads, &s->threads, err);
    regions_setup setup = {
        .v = j->v, .boundary = j->o->boundary, .budget = &s->budget, .threads = s->threads};
    struct limits limits;
    limits_begin(&limits, &(holos_limits){.nodes = j->o->limits.nodes, .stop = j->o->limits.stop},
                 &s->budget);
    limits.deadline = j->deadline;
    if (status == HOLOS_OK)
        status = regions_open(&setup, &s->r, err);
    j->progress->budget = &s->budget;
    progress_begin(j->progress, "explore", "positions", positions_of(s));
    progress_set_parts(j->progress, s->count);
    for (size_t i = 0; status == HOLOS_OK && i < s->count; i++) {
        status = regions_solve(s->r, s->kinds[i], &limits, err);
        progress_add_part(j->progress, 0);
        progress_add(j->progress, s->sizes[i]);
    }
    progress_end(j->progress);
    j->progress->budget = NULL;
    s->seconds = clock_wall() - begun;
    if (status == HOLOS_LIMIT)
        j->stopped =
            limits.deadline < CLOCK_NEVER && deadline_passed(limits.deadline) ? "time limit" : "node limit";
    return status;
}

/* ---- The report -------------------------------------------------------------------------------- */

static void kind_line(holos_report *r, const char *name, const region_report *k)
{
    text t;
    text_init(&t);
    text_printf(&t, "%s: ", name);
    text_count(&t, k->positions);
    text_string(&t, " positions; ");
    text_count(&t, k->wins);
    text_string(&t, " wins, ");
    text_count(&t, k->draws);
    text_string(&t, " draws, ");
    text_count(&t, k->losses);
    text_string(&t, " losses");
    if (k->open > 0) {
        text_string(&t, ", ");
        text_count(&t, k->open);
        text_string(&t, " open");
    }
    report_line(r, "", "%s; at most %u plies to the end or out of it", t.data, k->plies);
    text_free(&t);
}

static void kind_put(const holos_variant *v, const region_report *k, holos_report *r)
{
    text name;
    text_init(&name);
    v->game->kinds->format(v, k->kind, &name);
    report_open(r, NULL, NULL, HOLOS_FIELD_GROUP);
    report_text(r, "kind", NULL, name.data);
    report_count(r, "positions", NULL, k->positions);
    report_count(r, "wins", NULL, k->wins);
    report_count(r, "draws", NULL, k->draws);
    report_count(r, "losses", NULL, k->losses);
    report_count(r, "open", NULL, k->open);
    report_count(r, "plies", NULL, k->plies);
    report_seconds(r, "seconds", NULL, k->seconds);
    kind_line(r, name.data, k);
    report_close_field(r);
    text_free(&name);
}

static void region_job_report(job *j, holos_report *r)
{
    const region_state *s = j->state;
    report_open(r, "kinds", "", HOLOS_FIELD_LIST);
    for (size_t i = 0; s->r != NULL && regions_report(s->r, i) != NULL; i++)
        kind_put(j->v, regions_report(s->r, i), r);
    report_close_field(r);
    report_bytes(r, "memory", "memory", atomic_load_explicit(&s->budget.peak, memory_order_relaxed));
    report_seconds(r, "seconds", "time", s->seconds);
}

extern const job_kind job_region;

const job_kind job_region = {
    .about = {.name = "region", .summary = "all positions of a kind", .operands = "KIND", .keeps = false},
    .record = "explore.json",
    .takes = region_takes,
    .open = region_open,
    .plan = region_plan,
    .run = region_run,
    .report = region_job_report,
    .close = region_close,
};
