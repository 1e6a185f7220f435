/* SPDX-License-Identifier: MIT */

/* Explorations: a wave that runs in slices, so that what it has found is saved in between. */

#include "core/assert.h"
#include "core/file.h"
#include "core/list.h"
#include "engine/wave/wave.h"
#include "session/cluster_wave.h"
#include "session/job.h"
#include "session/keeper.h"
#include "session/plan.h"
#include "session/value.h"
#include "session/waving.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECKPOINT_SECONDS 60.0
#define SAVING_SHARE       9.0 /* a slice is at least so many times as long as it takes to end it and to save */
#define FIRST_SHARE        8.0  /* of the time: a first slice, to learn how long that takes */
#define CAUTION            1.3  /* on what was learned */
#define LEAST_SHARE        0.05 /* of the time: less is not worth another slice */
/* The first checkpoint comes early: somebody who asks to stop may not wait for another. */
#define FIRST_SECONDS 10.0

#define GOALS_MOST 64

/* ---- Options ----------------------------------------------------------------------------------- */

typedef struct wave_settings {
    unsigned mode; /* a holos_wave_mode */
    const char *goal;
    int64_t depth;
    bool goal_stops, graph, unfolded;
    waving_settings common;
} wave_settings;

static const holos_option wave_options[] = {
    {OPTION(CHOICE, wave_settings, mode), .name = "mode", .letter = 'm',
     .value = "auto|lightning|wave|crystal|osmosis", .fallback = "auto",
     .help =
         "how to explore: what pays best, deep along forcing moves, layer by layer, around meeting points, "
         "or one position at a time"},
    {OPTION(STRING, wave_settings, goal), .name = "goal", .letter = 'g', .value = "WORD,…",
     .help = "only boundary positions with one of these signatures count as reached"},
    {OPTION(FLAG, wave_settings, goal_stops), .name = "goal-stops",
     .help = "ignore the values of other boundary positions"},
    {OPTION(INT, wave_settings, depth), .name = "depth", .value = "N", .max = 65000, .fallback = "0",
     .help = "how many steps forward from a position; 0 means no limit"},
    {OPTION(FLAG, wave_settings, graph), .name = "graph",
     .help = "reach and count everything, value nothing"},
    {OPTION(FLAG, wave_settings, unfolded), .name = "unfolded", .help = "tell symmetric positions apart"},
    WAVING_OPTIONS(wave_settings){0},
};

/* Ranks share waves. So that is what they do, unless a mode is named. */
static holos_wave_mode mode_of(const job *j)
{
    const wave_settings *asked = j->settings;
    bool ranks = (j->o->cluster != NULL || j->o->ranks > 1) && !asked->graph;
    bool named = holos_settings_get(j->o->settings, "mode") != NULL;
    return ranks && !named ? HOLOS_WAVE_WAVE : (holos_wave_mode)asked->mode;
}

typedef struct wave_state {
    char *goal_words; /* cut into goals */
    const char *goals[GOALS_MOST];
    size_t goal_count;
    holos_wave *w;
    char *path; /* of the hologram; NULL: it is not kept */
    holos_wave_seed
        *seeds; /* the operands, with positions of their own; then other seeds that the hologram has */
    size_t count, room;
    double ending; /* seconds that the end of the last slice took, with saving; negative: there was none */
    wave_keeper keeper;
    unsigned slices;
    uint64_t expanded_before;
    double seconds;     /* of the run */
    shared_wave shared; /* in a cluster: with its ranks */
    wave_node *found;   /* likewise: what is known of the seeds, wherever they are */
} wave_state;

static bool wave_takes(const holos_variant *v, const char *word)
{
    holos_position *p = holos_position_new(v);
    holos_wave_seed seed;
    bool takes = p != NULL && holos_seed_parse(v, word, p, &seed, NULL) == HOLOS_OK;
    holos_position_free(p);
    return takes;
}

/* ---- Opening ----------------------------------------------------------------------------------- */

/* A seed with a position of its own: that of a word, or of another seed. */
static holos_status seed_add(job *j, const char *word, const holos_wave_seed *from, holos_error *err)
{
    wave_state *s = j->state;
    holos_position *p = LIST_RESERVE(s->seeds, s->room, s->count + 1) ? holos_position_new(j->v) : NULL;
    if (p == NULL)
        return error_system(err, "a position");
    holos_wave_seed *seed = &s->seeds[s->count++];
    if (word != NULL && holos_seed_parse(j->v, word, p, seed, err) != HOLOS_OK) {
        seed->position = p;
        return error_prefix(err, "%s: ", word);
    }
    if (from != NULL) {
        *seed = *from;
        memcpy(p, from->position, j->v->position_size);
    }
    seed->position = p;
    return HOLOS_OK;
}

/* "KQvK,KRvK" */
static holos_status goals_read(job *j, holos_error *err)
{
    const wave_settings *asked = j->settings;
    wave_state *s = j->state;
    if (asked->goal == NULL)
        return asked->goal_stops
                   ? error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "--goal-stops needs --goal WORD,…")
                   : HOLOS_OK;
    s->goal_words = strdup(asked->goal);
    if (s->goal_words == NULL)
        return error_system(err, "the goals");
    char *rest = s->goal_words, *word;
    while ((word = strsep(&rest, ",")) != NULL) {
        if (word[0] == 0 || s->goal_count == GOALS_MOST)
            return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                             "--goal takes signatures with commas between them, at most %d", GOALS_MOST);
        s->goals[s->goal_count++] = word;
    }
    return HOLOS_OK;
}

/* Options that do something only together with others: what would be in vain is refused. */
static holos_status options_check(const job *j, holos_error *err)
{
    const wave_settings *asked = j->settings;
    holos_wave_mode mode = mode_of(j);
    bool automatic = mode == HOLOS_WAVE_AUTO && !asked->graph;
    bool lightning = automatic || (mode == HOLOS_WAVE_LIGHTNING && !asked->graph);
    bool crystal = automatic || (mode == HOLOS_WAVE_CRYSTAL && !asked->graph);
    bool back = !asked->common.no_back && !asked->graph;
    const struct {
        const char *option;
        bool works;
        const char *needs;
    } rules[] = {
        {"probe-depth", lightning, "--mode lightning or auto"},
        {"spine-boundary", lightning && back, "--mode lightning or auto, and waves that run back"},
        {"crystal-points", crystal, "--mode crystal or auto"},
        {"crystal-layers", crystal, "--mode crystal or auto"},
        {"boundary-seeds", back, "waves that run back: neither --no-back nor --graph"},
        {"back-depth", back, "waves that run back: neither --no-back nor --graph"},
        {"class-size", !asked->common.no_classes && !asked->graph,
         "classes: neither --no-classes nor --graph"},
        {"goal", !asked->graph, "values: not --graph"},
        {"mode", !asked->graph || mode == HOLOS_WAVE_AUTO || mode == HOLOS_WAVE_WAVE,
         "values: --graph goes layer by layer"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (!rules[i].works && holos_settings_get(j->o->settings, rules[i].option) != NULL)
            return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "--%s would do nothing: it needs %s",
                             rules[i].option, rules[i].needs);
    return HOLOS_OK;
}

static holos_wave_options options_of(job *j);

static holos_status wave_job_open(job *j, holos_error *err)
{
    wave_state *s = j->state = calloc(1, sizeof *s);
    if (s == NULL)
        return error_system(err, "an exploration");
    s->ending = -1;
    holos_status status = options_check(j, err);
    if (status == HOLOS_OK)
        status = goals_read(j, err);
    if (status == HOLOS_OK)
        status = waving_place(j, &s->path, err);
    for (size_t i = 0; status == HOLOS_OK && i < j->o->operand_count; i++)
        status = seed_add(j, j->o->operands[i], NULL, err);
    if (status == HOLOS_OK && (j->o->cluster != NULL || j->o->ranks > 1)) {
        holos_wave_options o = options_of(j);
        status = shared_wave_check(j, &o, mode_of(j), err);
    }
    if (status == HOLOS_OK && s->count == 0 && j->o->start != HOLOS_JOB_RESUME)
        status = seed_add(j, "start", NULL, err);
    return status;
}

static void wave_job_close(job *j)
{
    wave_state *s = j->state;
    if (s == NULL)
        return;
    for (size_t i = 0; i < s->count; i++)
        free((void *)(uintptr_t)s->seeds[i].position);
    free(s->seeds);
    free(s->goal_words);
    free(s->path);
    free(s->found);
    shared_wave_close(&s->shared);
    holos_wave_close(s->w);
    free(s);
}

/* ---- Beginning --------------------------------------------------------------------------------- */

/* What the live line shows. */
static void wave_tick(void *context)
{
    job *j = context;
    const wave_state *s = j->state;
    holos_wave_statistics statistics;
    if (!progress_is_due(j->progress))
        return;
    if (s->shared.g != NULL)
        cluster_wave_totals(s->shared.g, &statistics);
    else
        holos_wave_statistics_get(s->w, &statistics);
    size_t depth = holos_wave_depth(s->w);
    progress_wave shown = {.layer = depth > 0 ? (unsigned)depth - 1 : 0,
                           .solved = statistics.solved,
                           .memory = atomic_load_explicit(&s->w->budget->used, memory_order_relaxed)};
    if (s->count > 0 && wave_owns(s->w, s->w->key(j->v, s->seeds[0].position))) {
        holos_value value = holos_wave_query(s->w, s->seeds[0].position);
        shown.has_seed = true;
        shown.seed_lo = value.lo;
        shown.seed_hi = value.hi;
    }
    progress_set_wave(j->progress, statistics.positions, &shown);
}

/* Seeds that came with the hologram are reported, too. */
static holos_status seeds_collect(job *j, holos_error *err)
{
    wave_state *s = j->state;
    holos_wave_seed seed;
    holos_position *p = holos_position_new(j->v);
    if (p == NULL)
        return error_system(err, "a position");
    size_t asked = s->count;
    holos_status status = HOLOS_OK;
    for (size_t i = 0; status == HOLOS_OK && i < s->w->seed_count; i++) {
        holos_wave_seed_at(s->w, i, &seed, p);
        bool known = seed.direction != HOLOS_WAVE_FORWARD;
        for (size_t k = 0; k < asked && !known; k++)
            known = holos_key_equal(s->w->key(j->v, p), s->w->key(j->v, s->seeds[k].position));
        if (!known)
            status = seed_add(j, NULL, &seed, err);
    }
    holos_position_free(p);
    return status;
}

static holos_wave_options options_of(job *j)
{
    wave_state *s = j->state;
    const wave_settings *asked = j->settings;
    holos_wave_options o = waving_options(j, &asked->common);
    o.forward_depth = (unsigned)asked->depth;
    o.goals = s->goals;
    o.goal_count = s->goal_count;
    o.goal_stops = asked->goal_stops;
    o.graph = asked->graph;
    o.unfolded = asked->unfolded;
    o.tick = wave_tick;
    o.tick_context = j;
    return o;
}

/* In a cluster a rank that fails takes the others with it. */
static holos_status status_agree(const job *j, holos_status status, holos_error *err)
{
    return j->o->cluster != NULL ? holos_cluster_agree(j->o->cluster, status, err) : status;
}

/* To what earlier runs have left, if the job goes on. */
static holos_status wave_go_back(job *j, holos_error *err)
{
    wave_state *s = j->state;
    bool fresh;
    if (j->o->cluster == NULL) {
        char *kept = shared_wave_place(j); /* this process alone changes what ranks of a cluster left */
        cluster_wave_forget(kept, 0, 1);
        free(kept);
        return j->o->start == HOLOS_JOB_RESUME ? holos_wave_load(s->w, s->path, err) : HOLOS_OK;
    }
    s->shared = (shared_wave){.cluster = j->o->cluster, .w = s->w};
    s->w->part = holos_cluster_rank(j->o->cluster);
    s->w->parts = holos_cluster_ranks(j->o->cluster);
    holos_status status = shared_wave_begin(j, &s->shared, s->path, &fresh, err);
    return status == HOLOS_OK && fresh && s->count == 0 ? seed_add(j, "start", NULL, err) : status;
}

static holos_status wave_begin(job *j, holos_error *err)
{
    wave_state *s = j->state;
    holos_wave_options o = options_of(j);
    if (o.spill != NULL)
        file_sweep(o.spill, NULL);
    holos_status status = waving_place_check(j, s->path, err);
    if (status == HOLOS_OK)
        status = holos_wave_open(j->v, &o, &s->w, err);
    status = status_agree(j, status, err);
    if (status == HOLOS_OK)
        status = wave_go_back(j, err);
    for (size_t i = 0; status == HOLOS_OK && i < s->count; i++) {
        holos_wave_seed *seed = &s->seeds[i];
        bool backward = seed->direction == HOLOS_WAVE_BACKWARD;
        seed->mode = seed->mode == HOLOS_WAVE_AUTO ? mode_of(j) : seed->mode;
        if (backward && j->o->start == HOLOS_JOB_RESUME && s->w->boundary_seeded)
            continue; /* it came with the hologram */
        if (backward || !wave_is_seed(s->w, s->w->key(j->v, seed->position)))
            status = holos_wave_add(s->w, seed, err);
    }
    status = status_agree(j, status, err);
    if (status == HOLOS_OK && j->o->cluster != NULL)
        status = cluster_wave_seeds(s->shared.g, err);
    if (status == HOLOS_OK)
        status = seeds_collect(j, err);
    status = status_agree(j, status, err);
    if (status == HOLOS_OK)
        s->expanded_before = wave_expanded(s->w);
    return status;
}

/* ---- The plan ---------------------------------------------------------------------------------- */

/* Bytes of memory for a position, as a multiple of its node: `holos explore connect4:5x4 --mode wave --json`. */
#define WAVE_MEMORY 3.6
#define WAVE_DISK   2.0 /* of a hologram: likewise */
/* How much longer a position takes than counting it does: 4 to 20 with the values that flow through it (connect4:5x4 and
 * kalah:4,3, modes wave and auto); --graph values nothing. */
#define WAVE_TIME       10.0
#define WAVE_TIME_GRAPH 2.0

/* What a hologram holds already. */
static holos_status hologram_growth(const char *path, growth *out, holos_error *err)
{
    holos_hologram *h;
    holos_hologram_summary summary;
    holos_status status = holos_hologram_open(path, &h, err);
    if (status != HOLOS_OK)
        return status;
    holos_hologram_summary_get(h, &summary);
    *out = (growth){.basis = HOLOS_PLAN_AT_LEAST, .positions = (double)summary.entries};
    holos_hologram_close(h);
    return HOLOS_OK;
}

/* A cluster goes on from a checkpoint, whose seeds are not known before, or begins at the start. */
static holos_position *plan_start(const job *j, holos_error *err)
{
    holos_position *p = holos_position_new(j->v);
    if (p == NULL)
        error_system(err, "the plan");
    if (p != NULL && holos_start(j->v, p, err) == HOLOS_OK)
        return p;
    holos_position_free(p);
    return NULL;
}

static void plan_say(const job *j, const growth *g, const holos_wave_options *o, const wave_ways *ways,
                     bool resumes, holos_plan *out, holos_report *r)
{
    const wave_state *s = j->state;
    plan_costs each = {.base = PLAN_WAVE_BASE,
                       .memory = WAVE_MEMORY * (double)wave_bytes_each(ways),
                       .disk = s->path != NULL ? WAVE_DISK : 0,
                       .seconds = (o->graph ? WAVE_TIME_GRAPH : WAVE_TIME) * g->seconds_each,
                       .beyond = o->spill == NULL ? "--spill DIR" : NULL};
    plan_by_growth(g, &each, resumes ? "a hologram to continue" : "all that can be reached forward", j->v,
                   out, r);
    unsigned ranks = j->o->cluster != NULL ? holos_cluster_ranks(j->o->cluster) : j->o->ranks;
    if (ranks > 0)
        shared_wave_plan(j, g, &each, ways, ranks, o->graph, out);
}

static holos_status wave_plan(job *j, holos_plan *out, holos_report *r, holos_error *err)
{
    const wave_state *s = j->state;
    holos_wave_options o = options_of(j);
    holos_position **from = calloc(s->count + 1, sizeof *from), *start = NULL;
    if (from == NULL)
        return error_system(err, "the plan");
    for (size_t i = 0; i < s->count; i++)
        from[i] = (holos_position *)(uintptr_t)s->seeds[i].position;
    growth_request q = {.v = j->v,
                        .ways = wave_ways_of(j->v, &o),
                        .seeds = from,
                        .seed_count = s->count > 0 ? s->count : 1,
                        .depth = o.forward_depth > 0 ? o.forward_depth : GROWTH_NO_DEPTH,
                        .seed = j->o->seed,
                        .seconds = j->o->limits.seconds,
                        .stop = j->asked};
    growth g = {0};
    holos_status status = HOLOS_OK;
    bool resumes = j->o->start == HOLOS_JOB_RESUME && access(s->path, F_OK) == 0;
    if (!resumes && s->count == 0)
        status = (from[0] = start = plan_start(j, err)) != NULL ? HOLOS_OK : HOLOS_USAGE;
    if (status == HOLOS_OK)
        status = resumes ? hologram_growth(s->path, &g, err) : growth_measure(&q, &g, err);
    if (status == HOLOS_OK)
        plan_say(j, &g, &o, &q.ways, resumes, out, r);
    report_truth(r, "runs_back", NULL, wave_runs_back(j->v, &o));
    growth_free(&g);
    free(from);
    holos_position_free(start);
    return status;
}

/* ---- Slices ------------------------------------------------------------------------------------ */

/* How long the next slice may be; 0: there is no time for another one; negative: as long as it takes. The end of a slice costs
 * time in proportion to what has been reached: values flow once more, and everything is written. That must fit into the time; the
 * wave itself knows what it takes (save_seconds), since nobody can tell how much a slice will reach. */
static double slice_length(const job *j)
{
    const wave_state *s = j->state;
    double every = j->o->checkpoint_seconds > 0 ? j->o->checkpoint_seconds : CHECKPOINT_SECONDS;
    double ending = s->ending > 0 ? s->ending : 0;
    bool timed = j->deadline < CLOCK_NEVER;
    if (every < SAVING_SHARE * ending)
        every = SAVING_SHARE * ending;
    if (!timed && s->slices == 0 && every > FIRST_SECONDS)
        every = FIRST_SECONDS;
    if (!timed)
        return s->path != NULL ? every : -1;
    double left = j->deadline - clock_wall(), whole = j->o->limits.seconds;
    if (left <= 0)
        return 0;
    if (s->slices == 0) {
        every = every < left / FIRST_SHARE ? every : left / FIRST_SHARE;
        return every;
    }
    double length = left - CAUTION * ending;
    if (s->slices == 1)
        length /= 2; /* the first measurement was of a small wave */
    if (length < LEAST_SHARE * whole)
        return 0;
    return s->path != NULL && every < length ? every : length;
}

static holos_status hologram_save(job *j, holos_error *err)
{
    wave_state *s = j->state;
    if (s->path == NULL)
        return HOLOS_OK;
    holos_status status = keeper_save(&s->keeper, s->w, s->path, j->o->limits.stop, j->deadline, err);
    if (status == HOLOS_INTERRUPTED)
        error_set(err, status, HOLOS_NOWHERE,
                  s->keeper.saved > 0 || j->o->start == HOLOS_JOB_RESUME
                      ? "interrupted; the last checkpoint is kept, since another would take too long"
                      : "interrupted before the first checkpoint, which would take too long now");
    return status;
}

/* Why a wave stopped at a limit, as reports say it; NULL: its slice was over, and the next one may follow. */
static const char *reason(const job *j)
{
    const wave_state *s = j->state;
    uint64_t most = j->o->limits.nodes;
    if (most > 0 && wave_expanded(s->w) - s->expanded_before >= most)
        return "node limit";
    return strcmp(s->w->limits.reached, LIMITS_TIME) == 0 ? NULL : "memory limit";
}

/* One slice. HOLOS_LIMIT with j->stopped NULL: the next one may follow. */
static holos_status slice_run(job *j, double length, holos_error *err)
{
    wave_state *s = j->state;
    uint64_t most = j->o->limits.nodes, done = wave_expanded(s->w) - s->expanded_before;
    holos_limits limits = {.seconds = length > 0 ? length : 0,
                           .nodes = most > done ? most - done : 0,
                           .stop = j->o->limits.stop};
    holos_wave_limit(s->w, &limits);
    double begun = clock_wall();
    holos_status status = holos_wave_run(s->w, mode_of(j), err);
    double ran = clock_wall() - begun;
    if (status == HOLOS_OK)
        j->stopped = s->count > 0 && wave_is_done(s->w) ? "solved" : "nothing left to do";
    else if (status == HOLOS_LIMIT)
        j->stopped = reason(j);
    if (status != HOLOS_OK && status != HOLOS_LIMIT && status != HOLOS_INTERRUPTED)
        return status; /* what contradicts the rules is not saved */
    begun = clock_wall();
    holos_error failure;
    if (hologram_save(j, &failure) != HOLOS_OK) {
        *err = failure;
        j->stopped = NULL;
        return failure.code;
    }
    s->ending = (length > 0 && ran > length ? ran - length : 0) + clock_wall() - begun;
    s->slices++;
    s->w->save_seconds = CAUTION * s->ending / ((double)s->w->statistics.positions + 1);
    return status;
}

/* All ranks of a cluster together, in one go: checkpoints are theirs. */
static holos_status shared_run(job *j, holos_error *err)
{
    wave_state *s = j->state;
    holos_status status = shared_wave_run(j, &s->shared, s->path, err);
    if (status != HOLOS_OK && status != HOLOS_LIMIT && status != HOLOS_INTERRUPTED)
        return status;
    s->found = calloc(s->count + 1, sizeof *s->found);
    holos_error failure;
    holos_status made =
        status_agree(j, s->found != NULL ? HOLOS_OK : error_system(&failure, "the report"), &failure);
    if (made != HOLOS_OK) {
        *err = failure;
        return made;
    }
    assert(s->found != NULL); /* or this rank had not agreed */
    bool asked = false, solved = !s->w->options.graph;
    for (size_t i = 0; i < s->count; i++) {
        bool forward = s->seeds[i].direction == HOLOS_WAVE_FORWARD;
        s->found[i] = cluster_wave_node(s->shared.g, s->w->key(j->v, s->seeds[i].position));
        solved &= !forward || node_is_solved(s->found[i]);
        asked |= forward;
    }
    if (status == HOLOS_OK && asked && solved)
        j->stopped = "solved";
    return status;
}

/* The time is over. A store that nothing has gone into yet gets the seeds, so that --resume finds them. */
static holos_status time_is_over(job *j, holos_error *err)
{
    wave_state *s = j->state;
    holos_error failure;
    if (s->slices == 0 && s->path != NULL && access(s->path, F_OK) != 0 &&
        hologram_save(j, &failure) != HOLOS_OK) {
        *err = failure;
        return failure.code;
    }
    j->stopped = "time limit";
    return error_set(err, HOLOS_LIMIT, HOLOS_NOWHERE, "the time limit was reached");
}

static holos_status wave_job_run(job *j, holos_error *err)
{
    wave_state *s = j->state;
    holos_status status = wave_begin(j, err);
    if (status != HOLOS_OK)
        return status;
    double begun = clock_wall();
    s->w->save_by = j->deadline;
    progress_begin(j->progress, "explore", "positions", 0);
    if (j->o->cluster != NULL) {
        status = shared_run(j, err);
        progress_end(j->progress);
        s->seconds = clock_wall() - begun;
        return status;
    }
    do {
        double length = slice_length(j);
        status = length != 0 ? slice_run(j, length, err) : time_is_over(j, err);
    } while (status == HOLOS_LIMIT && j->stopped == NULL);
    progress_end(j->progress);
    s->seconds = clock_wall() - begun;
    return status;
}

/* ---- The report -------------------------------------------------------------------------------- */

/* Counts that people want to see, if there are any. */
static void counters_show(const holos_wave_statistics *s, holos_report *r)
{
    const struct {
        const char *label;
        uint64_t count;
        const char *note;
    } lines[] = {
        {"positions", s->positions, s->closed ? ", all that can be reached" : NULL},
        {"solved", s->solved, NULL},
        {"expanded", s->forward_expanded, " forward"},
        {"", s->backward_expanded, " back"},
        {"meetings", s->connections, NULL},
        {"spines", s->spines_found, NULL},
        {"crystallized", s->crystallized, NULL},
        {"osmosis", s->osmosis_steps, " steps"},
        {"conjectures", s->equiv_propagated, NULL},
        {"filtered", s->goal_filtered, " boundary positions that matched no goal"},
        {"waiting", s->frontier_capped, " because a layer was full"},
        {"too far", s->depth_limited, NULL},
        {"on disk", s->spilled, NULL},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (lines[i].count > 0)
            report_count(r, NULL, lines[i].label[0] != 0 ? lines[i].label : " ", lines[i].count)->note =
                lines[i].note;
}

static void seed_report(const job *j, size_t index, holos_report *r)
{
    const wave_state *s = j->state;
    const holos_position *p = s->seeds[index].position;
    holos_guess guess;
    bool guessed = s->found != NULL ? wave_guess_of(s->w, p, s->found[index], &guess)
                                    : holos_wave_guess(s->w, p, &guess);
    holos_value value =
        s->found != NULL ? wave_value_of(s->w, p, s->found[index]) : holos_wave_query(s->w, p);
    report_value(r, j->v, p, value, guessed ? &guess : NULL);
}

static void wave_job_report(job *j, holos_report *r)
{
    wave_state *s = j->state;
    holos_wave_statistics statistics = {0};
    if (s->w == NULL)
        return;
    holos_wave_statistics_get(s->w, &statistics);
    report_text(r, "kind", NULL, "hologram");
    report_text(r, "mode", NULL, holos_wave_mode_name(mode_of(j)));
    report_truth(r, "closed", NULL, statistics.closed);
    report_open(r, "seeds", "", HOLOS_FIELD_LIST);
    for (size_t i = 0; i < s->count; i++)
        seed_report(j, i, r);
    report_close_field(r);
#define COUNTER(name) report_count(r, #name, NULL, statistics.name);
    HOLOS_WAVE_COUNTERS(COUNTER)
#undef COUNTER
    report_seconds(r, "lightning_seconds", NULL, statistics.lightning_seconds);
    report_seconds(r, "wave_seconds", NULL, statistics.wave_seconds);
    report_seconds(r, "crystal_seconds", NULL, statistics.crystal_seconds);
    report_seconds(r, "osmosis_seconds", NULL, statistics.osmosis_seconds);
    report_seconds(r, "propagation_seconds", NULL, statistics.propagation_seconds);
    counters_show(&statistics, r);
    report_precision(r, statistics.equiv_confirmed, statistics.equiv_refuted);
    if (s->shared.g != NULL)
        shared_wave_report(&s->shared, r);
    report_bytes(r, "memory", "memory", s->shared.g != NULL ? s->shared.memory : statistics.bytes);
    report_seconds(r, "seconds", "time", s->seconds);
    if (s->keeper.behind && s->keeper.saved > 0) {
        double age = clock_wall() - s->keeper.saved;
        report_seconds(r, "checkpoint_age", NULL, age);
        report_line(r, "kept", "the checkpoint of %.0f s ago", age);
    }
    if (j->o->store != NULL)
        report_text(r, "store", "store", j->o->store);
    holos_field *list = report_open(r, "layers", NULL, HOLOS_FIELD_LIST);
    list->chart = "Positions by layer";
    list->axis = "moves from a seed";
    list->logarithmic = true;
    for (size_t i = 0; i < holos_wave_depth(s->w); i++)
        report_count(r, NULL, NULL, holos_wave_layer_at(s->w, i).positions);
    report_close_field(r);
}

extern const job_kind job_wave;

const job_kind job_wave = {
    .about = {.name = "wave",
              .summary = "waves from positions and from the boundary, into a hologram",
              .operands = "SEED…",
              .keeps = true},
    .record = "explore.json",
    .clusters = true,
    .options = wave_options,
    .settings_size = sizeof(wave_settings),
    .takes = wave_takes,
    .open = wave_job_open,
    .plan = wave_plan,
    .run = wave_job_run,
    .report = wave_job_report,
    .close = wave_job_close,
};
