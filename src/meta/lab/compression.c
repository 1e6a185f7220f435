/* SPDX-License-Identifier: MIT */

/* Which share of the solved positions do a few seeds bring back? A wave solves positions; then seeds are taken from where its waves met,
 * from solved positions at random, and greedily from both; each is expanded a few steps both ways. */

#include "core/list.h"
#include "core/rng.h"
#include "engine/wave/wave.h"
#include "meta/lab/experiments.h"
#include "meta/strategy.h"

#include <stdlib.h>

#define QUICK_NODES 4000
#define FULL_NODES  100000
#define POOL        24 /* seeds of a kind that are tried */
#define DEPTH       3
#define COVER_NODES 20000

typedef struct solved_set {
    holos_key *keys, *meetings;
    size_t count, room, meeting_count;
    uint64_t positions;
} solved_set;

static int key_compare(const void *a, const void *b)
{
    const holos_key *x = a, *y = b;
    return holos_key_less(*x, *y) ? -1 : holos_key_less(*y, *x);
}

static holos_status solved_gather(const holos_wave *w, solved_set *s, holos_error *err)
{
    const layers *ways[] = {&w->forward, &w->backward};
    for (unsigned way = 0; way < 2; way++) {
        layer_place at = {0};
        holos_key key;
        while (layers_next(ways[way], &at, &key)) {
            if (!node_is_solved(node_load(nodes_find(&w->nodes, key))))
                continue;
            if (!LIST_RESERVE(s->keys, s->room, s->count + 1))
                return error_system(err, "the solved positions");
            s->keys[s->count++] = key;
        }
    }
    size_t kept = 0;
    if (s->count > 1)
        qsort(s->keys, s->count, sizeof *s->keys, key_compare);
    for (size_t i = 0; i < s->count; i++)
        if (kept == 0 || !holos_key_equal(s->keys[kept - 1], s->keys[i]))
            s->keys[kept++] = s->keys[i];
    s->count = kept;
    s->meetings = calloc(w->meetings.count + 1, sizeof *s->meetings);
    if (s->meetings == NULL)
        return error_system(err, "the meeting points");
    for (size_t i = 0; i < w->meetings.count; i++)
        s->meetings[s->meeting_count++] = list_key(&w->meeting_format, &w->meetings, i);
    s->positions = w->statistics.positions;
    return HOLOS_OK;
}

/* Covers up to POOL seeds drawn from a list of keys, each a few steps both ways. */
static holos_status pool_draw(lab_place *p, const holos_wave *w, const holos_key *keys, size_t count, rng *r,
                              strategy_pool *seeds_pool, holos_error *err)
{
    holos_position *at = holos_position_new(p->v);
    holos_status status = at != NULL ? HOLOS_OK : error_system(err, "a position");
    size_t wanted = count < POOL ? count : POOL;
    for (size_t i = 0; status == HOLOS_OK && i < wanted && seeds_pool->count < STRATEGY_POOL; i++) {
        wave_position(w, keys[rng_below(r, count)], at);
        cover_task task = {.v = p->v,
                           .position = at,
                           .depth = p->subject->size > 0 ? p->subject->size : DEPTH,
                           .mode = HOLOS_WAVE_WAVE,
                           .direction = HOLOS_TACTIC_BOTH,
                           .nodes = COVER_NODES,
                           .boundary = holos_knowledge_boundary(p->known),
                           .stop = p->task->limits->stop};
        status = cover_measure(&task, &seeds_pool->covers[seeds_pool->count++], err);
        if (status == HOLOS_OK)
            status = lab_go_on(p, err);
    }
    holos_position_free(at);
    return status;
}

static void curve_rows(lab_place *p, const solved_set *s, const char *from, const uint64_t *covered,
                       size_t count)
{
    static const size_t shown[] = {1, 2, 5, 10, 20, 24, 48};
    char series[96];
    text t;
    text_init_fixed(&t, series, 60);
    text_printf(&t, "%s, %s", p->label, from);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        if (shown[i] > count)
            continue;
        double share = s->count > 0 ? 100.0 * (double)covered[shown[i] - 1] / (double)s->count : 0;
        lab_row(p->sheet, "%s|%s|%zu|%zu|%llu|%.1f|%.1f", p->label, from, shown[i], s->count,
                (unsigned long long)covered[shown[i] - 1], share,
                (double)covered[shown[i] - 1] / (double)shown[i]);
        lab_point_add(p->sheet, series, (double)shown[i], share);
    }
}

static uint64_t pool_curve(lab_place *p, const solved_set *s, const strategy_pool *seeds_pool, size_t first,
                           size_t end, const char *from)
{
    uint64_t covered[STRATEGY_POOL] = {0}, set = 0;
    for (size_t i = first; i < end; i++) {
        set |= UINT64_C(1) << i;
        covered[i - first] = strategy_covered(seeds_pool, set);
    }
    curve_rows(p, s, from, covered, end - first);
    return end > first ? covered[end - first - 1] : 0;
}

static void greedy_curve(lab_place *p, const solved_set *s, const strategy_pool *seeds_pool)
{
    holos_strategy_step steps[STRATEGY_POOL];
    uint64_t covered[STRATEGY_POOL] = {0};
    size_t count = strategy_greedy(seeds_pool, HOLOS_STRATEGY_MOST, 0, false, steps);
    for (size_t i = 0; i < count; i++)
        covered[i] = steps[i].covered;
    curve_rows(p, s, "greedy of both", covered, count);
    if (count > 0)
        text_printf(&p->sheet->finding, "the best %zu of both %.1f %%, %.0f positions for each seed. ", count,
                    100.0 * (double)covered[count - 1] / (double)(s->count > 0 ? s->count : 1),
                    (double)covered[count - 1] / (double)count);
}

static holos_status seeds_compare(lab_place *p, const holos_wave *w, const solved_set *s,
                                  strategy_pool *seeds_pool, holos_error *err)
{
    rng r;
    rng_init(&r, p->task->seed, 1);
    holos_status status = pool_draw(p, w, s->meetings, s->meeting_count, &r, seeds_pool, err);
    size_t met = seeds_pool->count;
    if (status == HOLOS_OK)
        status = pool_draw(p, w, s->keys, s->count, &r, seeds_pool, err);
    if (status == HOLOS_OK)
        status = strategy_pool_count(seeds_pool, s->keys, s->count, err);
    if (status != HOLOS_OK)
        return status;
    double all = s->count > 0 ? (double)s->count : 1;
    uint64_t a = pool_curve(p, s, seeds_pool, 0, met, "meeting points"),
             b = pool_curve(p, s, seeds_pool, met, seeds_pool->count, "solved, at random");
    text_printf(&p->sheet->finding,
                "%s: of %zu solved positions %zu seeds from meeting points bring back %.1f %%, %zu at random "
                "%.1f %%, ",
                p->label, s->count, met, 100.0 * (double)a / all, seeds_pool->count - met,
                100.0 * (double)b / all);
    greedy_curve(p, s, seeds_pool);
    return HOLOS_OK;
}

static holos_status compression_visit(lab_place *p, holos_error *err)
{
    holos_wave_options o = lab_wave_options(p, p->task->quick ? QUICK_NODES : FULL_NODES);
    holos_wave *w;
    solved_set s = {0};
    strategy_pool *seeds_pool = malloc(sizeof *seeds_pool);
    holos_status status =
        seeds_pool != NULL ? holos_wave_open(p->v, &o, &w, err) : error_system(err, "a strategy");
    if (status != HOLOS_OK) {
        free(seeds_pool);
        return status;
    }
    strategy_pool_init(seeds_pool);
    holos_wave_seed seed = {.position = p->position};
    status = holos_wave_add(w, &seed, err);
    if (status == HOLOS_OK)
        status = holos_wave_run(w, HOLOS_WAVE_WAVE, err);
    status = status == HOLOS_LIMIT ? HOLOS_OK : status;
    if (status == HOLOS_OK)
        status = solved_gather(w, &s, err);
    if (status == HOLOS_OK)
        status = seeds_compare(p, w, &s, seeds_pool, err);
    holos_wave_close(w);
    strategy_pool_free(seeds_pool);
    free(seeds_pool);
    free(s.keys);
    free(s.meetings);
    return status;
}

static holos_status compression_run(const experiment_task *task, text *out, holos_experiment_result *result,
                                    holos_error *err)
{
    static const char *const columns[] = {"subject",      "seeds_from", "seeds",       "solved",
                                          "brought_back", "percent",    "compression", NULL};
    lab_sheet s;
    lab_sheet_init(&s, columns, "Solved positions that a few seeds bring back", "seeds", "percent");
    s.log_x = true;
    return lab_run(task, "compression", &s, compression_visit, NULL, out, result, err);
}

const holos_experiment lab_compression = {
    .name = "compression",
    .summary = "which share of the solved positions a few seeds bring back, from meeting points and others",
    .over_games = true,
    .run = compression_run};
