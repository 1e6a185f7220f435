/* SPDX-License-Identifier: MIT */

/* What rounds of sessions are made of: batches of seeds, each a wave of its own; and settling, which makes them part of the
 * session's hologram. */

#include "core/file.h"
#include "engine/wave/spines.h"
#include "session/session.h"

#include <holos/knowledge.h>

#include <stdlib.h>
#include <unistd.h>

#define SEEDS_GROWTH 64   /* times as many seeds as the option says, at most */
#define TASK_SECONDS 60.0 /* at most: what is finished is saved once a minute */

typedef struct ticking {
    job *j;
    const holos_wave *w;
} ticking;

/* What the live line shows. */
static void task_tick(void *context)
{
    const ticking *t = context;
    holos_wave_statistics statistics;
    if (t->w == NULL || !progress_is_due(t->j->progress))
        return;
    holos_wave_statistics_get(t->w, &statistics);
    size_t depth = holos_wave_depth(t->w);
    progress_wave shown = {.layer = depth > 0 ? (unsigned)depth - 1 : 0,
                           .solved = statistics.solved,
                           .memory = atomic_load_explicit(&t->w->budget->used, memory_order_relaxed)};
    progress_set_wave(t->j->progress, statistics.positions, &shown);
}

uint64_t session_memory(const job *j, bool settles)
{
    const session_settings *asked = j->settings;
    return asked->batch_memory > 0 && !settles ? asked->batch_memory : j->o->limits.memory;
}

static holos_status wave_make(job *j, const session_task *task, const holos_boundary *known, ticking *t,
                              holos_wave **out, holos_error *err)
{
    const session_settings *asked = j->settings;
    holos_wave_options o = waving_options(j, &asked->common);
    o.limits.memory = task->memory;
    o.limits.stop = task->stop;
    double left = j->deadline < CLOCK_NEVER ? j->deadline - clock_wall() : TASK_SECONDS;
    o.limits.seconds = left < TASK_SECONDS ? (left > 0.01 ? left : 0.01) : TASK_SECONDS;
    o.limits.nodes = task->nodes;
    o.tick = task_tick;
    o.tick_context = t;
    if (known != NULL)
        o.boundary = known;
    holos_status status = holos_wave_open(j->v, &o, out, err);
    t->w = *out;
    return status;
}

/* ---- Batches ----------------------------------------------------------------------------------- */

/* What the session knows, and what the caller does. */
typedef struct learned {
    holos_knowledge *session;
    const holos_boundary *known; /* the caller's; NULL: none */
    holos_boundary both;
} learned;

static holos_status learned_find(void *context, const holos_position *p, holos_value *out, holos_error *err)
{
    const learned *l = context;
    const holos_boundary *own = holos_knowledge_boundary(l->session);
    holos_status status = l->known != NULL ? l->known->find(l->known->context, p, out, err) : HOLOS_OK;
    return status == HOLOS_OK && out->source == HOLOS_SOURCE_NONE ? own->find(own->context, p, out, err)
                                                                  : status;
}

/* Probes stop where the session knows the value. A wave does not: its frontier follows from its seeds alone, and is kept as them. */
static holos_status learned_open(learned *l, job *j, const session_task *task, holos_error *err)
{
    *l = (learned){.known = j->o->boundary};
    if (task->mode == HOLOS_WAVE_WAVE)
        return HOLOS_OK;
    l->both = (holos_boundary){.context = l, .find = learned_find};
    return holos_knowledge_open(task->path, j->v, NULL, &l->session, err);
}

/* What the batch took from the session is nobody's table: it stands in the hologram that this one becomes part of. */
static void learned_forget(const learned *l, holos_wave *w)
{
    if (l->session == NULL || l->known != NULL)
        return;
    for (unsigned shard = 0; shard < NODES_SHARDS; shard++) {
        node_at at;
        for (size_t i = 0; (at = nodes_next(&w->nodes, shard, &i)) != NULL;) {
            wave_node n = node_load(at);
            if (n.source != HOLOS_SOURCE_TABLE)
                continue;
            n.source = HOLOS_SOURCE_WAVE;
            n.flags &= (uint8_t)~NODE_BOUNDARY;
            node_store(at, n);
        }
    }
    w->known = NULL;
}

/* `line` says the mode that the task has, too. */
static holos_status line_add(job *j, holos_wave *w, const char *line, holos_position *p, holos_error *err)
{
    holos_wave_seed seed;
    holos_status status = holos_seed_parse(j->v, line, p, &seed, err);
    return status == HOLOS_OK ? holos_wave_add(w, &seed, err) : status;
}

static bool is_done(holos_status status)
{
    return status == HOLOS_OK || status == HOLOS_LIMIT;
}

/* How a wave has ended, once more: after a request to stop, values have not come through all of it, even if it had reached all that it
 * may. Nothing is kept of that, or what follows would depend on when somebody asked. */
static holos_status unless_stopped(const session_task *task, holos_status status, holos_error *err)
{
    return is_done(status) && holos_stop_asked(task->stop)
               ? error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted; finished batches are kept")
               : status;
}

static holos_status wave_explore(job *j, const session_task *task, const learned *l, holos_wave *w,
                                 holos_error *err)
{
    holos_position *p = holos_position_new(j->v);
    holos_status status = p != NULL ? HOLOS_OK : error_system(err, "a position");
    for (size_t i = 0; status == HOLOS_OK && i < task->seed_count; i++)
        status = line_add(j, w, task->seeds[i], p, err);
    if (status == HOLOS_OK)
        status = unless_stopped(task, holos_wave_run(w, task->mode, err), err);
    holos_position_free(p);
    if (!is_done(status))
        return status;
    learned_forget(l, w);
    return holos_wave_save(w, task->out, err);
}

static holos_status batch_run(job *j, const session_task *task, holos_error *err)
{
    ticking t = {.j = j};
    learned l;
    holos_wave *w = NULL;
    holos_status status = learned_open(&l, j, task, err);
    if (status == HOLOS_OK)
        status = wave_make(j, task, l.session != NULL ? &l.both : NULL, &t, &w, err);
    if (status == HOLOS_OK)
        status = wave_explore(j, task, &l, w, err);
    t.w = NULL;
    holos_wave_close(w);
    holos_knowledge_close(l.session);
    return status;
}

/* ---- Settling ---------------------------------------------------------------------------------- */

typedef struct settling {
    job *j;
    const session_task *task;
    holos_wave *w;
    holos_position *p;
    holos_hologram_summary before; /* of the session, before this round */
    uint64_t expanded;             /* in this round */
    hologram_seed *seeds;          /* of the round */
} settling;

/* Merges the session's hologram and the batches; *out is the file, which is temporary if there are several. What is in several of them is
 * taken from the first, but batches are merged with each other before that: so the session's hologram, which is large, is read once. */
static holos_status parts_merge(settling *s, char **out, bool *temporary, holos_error *err)
{
    const session_task *task = s->task;
    bool old = access(task->path, F_OK) == 0;
    size_t count = task->part_count;
    const char *merged = count > 0 ? task->parts[0] : task->path;
    *temporary = false;
    if (!old && count == 0)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "all batches of the first round were lost");
    char *scratch = file_temporary_name(task->path);
    holos_status status = scratch != NULL ? HOLOS_OK : error_system(err, "the hologram");
    for (size_t i = 1; status == HOLOS_OK && i < count; i++) {
        status = hologram_merge(merged, task->parts[i], scratch, task->stop, err);
        merged = scratch;
    }
    if (status == HOLOS_OK && old && count > 0) {
        status = hologram_merge(task->path, merged, scratch, task->stop, err);
        merged = scratch;
    }
    *temporary = merged == scratch;
    *out = status == HOLOS_OK && !*temporary ? strdup(merged) : scratch;
    if (*out != scratch)
        free(scratch);
    return status == HOLOS_OK && *out == NULL ? error_system(err, "the hologram") : status;
}

static holos_status summary_read(const char *path, holos_hologram_summary *out, holos_error *err)
{
    holos_hologram *h;
    holos_status status = holos_hologram_open(path, &h, err);
    if (status != HOLOS_OK)
        return status;
    holos_hologram_summary_get(h, out);
    holos_hologram_close(h);
    return HOLOS_OK;
}

static uint64_t expanded_of(const holos_hologram_summary *s)
{
    return s->statistics.forward_expanded + s->statistics.backward_expanded;
}

static bool key_is_solved(const holos_wave *w, holos_key key)
{
    node_at at = nodes_find(&w->nodes, key);
    return at != NULL && node_is_solved(node_load(at));
}

/* What came of some seeds of one mode: each has its share of what was solved and expanded. */
static bool outcomes_note(settling *s, const hologram_seed *seeds, size_t count, uint64_t gain, uint64_t cost)
{
    bool made = true;
    for (size_t i = 0; made && i < count; i++) {
        if (nodes_find(&s->w->nodes, seeds[i].key) == NULL)
            continue;
        wave_position(s->w, seeds[i].key, s->p);
        made = wave_history_add_outcome(s->w->history,
                                        (hologram_outcome){.features = session_features(s->j->v, s->p),
                                                           .mode = seeds[i].mode,
                                                           .tries = 1,
                                                           .wins = key_is_solved(s->w, seeds[i].key),
                                                           .gain = gain / count,
                                                           .cost = cost / count});
    }
    return made;
}

static holos_status part_note(settling *s, const char *path, holos_error *err)
{
    holos_hologram *h;
    holos_hologram_summary summary;
    holos_status status = holos_hologram_open(path, &h, err);
    if (status != HOLOS_OK)
        return status;
    holos_hologram_summary_get(h, &summary);
    s->expanded += expanded_of(&summary);
    if (!outcomes_note(s, h->sections[HOLOGRAM_SEEDS], summary.seeds, summary.solved, expanded_of(&summary)))
        status = error_system(err, "the outcomes of seeds");
    holos_hologram_close(h);
    return status;
}

static holos_status seeds_read(settling *s, holos_error *err)
{
    const session_task *task = s->task;
    s->seeds = calloc(task->seed_count + 1, sizeof *s->seeds);
    holos_status status = s->seeds != NULL ? HOLOS_OK : error_system(err, "the seeds of a round");
    for (size_t i = 0; status == HOLOS_OK && i < task->seed_count; i++) {
        holos_wave_seed seed;
        status = holos_seed_parse(s->j->v, task->seeds[i], s->p, &seed, err);
        s->seeds[i] = (hologram_seed){.key = s->w->key(s->j->v, s->p),
                                      .priority = seed.priority,
                                      .depth = seed.depth,
                                      .direction = seed.direction,
                                      .mode = seed.mode};
    }
    return status;
}

/* Grows around what is solved, for the seeds of the round; the wave's own seeds come back afterwards. */
static holos_status crystal_run(settling *s, holos_error *err)
{
    holos_wave *w = s->w;
    size_t count = w->seed_count;
    wave_seed *own = calloc(count + 1, sizeof *own);
    if (own == NULL)
        return error_system(err, "the seeds of a wave");
    if (count > 0)
        memcpy(own, w->seeds, count * sizeof *own);
    wave_seeds_clear(w);
    bool made = true;
    for (size_t i = 0; made && i < s->task->seed_count; i++)
        if (nodes_find(&w->nodes, s->seeds[i].key) != NULL)
            made = wave_seeds_add(w, (wave_seed){.key = s->seeds[i].key, .mode = HOLOS_WAVE_CRYSTAL});
    uint64_t solved = w->statistics.solved, expanded = wave_expanded(w);
    w->crystal_next = 0; /* meetings of all batches: which of them are new nobody knows */
    holos_status status = made ? holos_wave_run(w, HOLOS_WAVE_CRYSTAL, err) : error_system(err, "a seed");
    wave_seeds_clear(w);
    for (size_t i = 0; made && i < count; i++)
        made = wave_seeds_add(w, own[i]);
    free(own);
    s->expanded += wave_expanded(w) - expanded;
    if (!made || !outcomes_note(s, s->seeds, s->task->seed_count, w->statistics.solved - solved,
                                wave_expanded(w) - expanded))
        return error_system(err, "the seeds of a wave");
    return status;
}

static hologram_round round_of(const settling *s)
{
    const session_task *task = s->task;
    const holos_wave *w = s->w;
    return (hologram_round){.session = task->session,
                            .number = task->round,
                            .phase = task->phase,
                            .seed_count = task->seed_count,
                            .batches = task->batches,
                            .lost = task->lost,
                            .expanded = s->expanded,
                            .reached = w->statistics.positions - s->before.entries,
                            .solved = w->statistics.solved - s->before.solved,
                            .spines = w->spines->count - s->before.spines,
                            .meetings = w->meetings.count - s->before.meetings,
                            .positions = w->statistics.positions,
                            .all_solved = w->statistics.solved};
}

/* Seeds of the next round: more of them, if those of this one were solved before the round had used what it may. */
static size_t seeds_wanted(const settling *s)
{
    const session_settings *asked = s->j->settings;
    uint64_t each = s->expanded / (s->task->seed_count + 1) + 1, fit = asked->round_nodes / each;
    uint64_t least = (uint64_t)asked->round_seeds, most = SEEDS_GROWTH * least;
    uint64_t wanted = fit < least ? least : fit < most ? fit : most;
    return (size_t)(wanted < SESSION_SEEDS_MOST ? wanted : SESSION_SEEDS_MOST);
}

/* The wave holds everything now: values flow, the round is noted, and everything is saved. */
static holos_status round_end(settling *s, holos_error *err)
{
    const session_task *task = s->task;
    holos_status status = seeds_read(s, err);
    if (status == HOLOS_OK)
        status = task->phase == HOLOS_PHASE_CRYSTAL ? crystal_run(s, err) : wave_settle(s->w, err);
    status = unless_stopped(task, status, err);
    status = status == HOLOS_LIMIT ? HOLOS_OK : status;
    for (size_t i = 0; status == HOLOS_OK && i < task->part_count; i++)
        status = part_note(s, task->parts[i], err);
    if (status == HOLOS_OK)
        status = session_choose(s->w, seeds_wanted(s), s->j->o->seed + task->round, err);
    if (status == HOLOS_OK && !wave_history_add_round(s->w->history, round_of(s), s->seeds))
        status = error_system(err, "the rounds of a session");
    return status == HOLOS_OK ? holos_wave_save(s->w, task->path, err) : status;
}

static holos_status settle_run(job *j, const session_task *task, holos_error *err)
{
    ticking t = {.j = j};
    settling s = {.j = j, .task = task, .p = holos_position_new(j->v)};
    char *merged = NULL;
    bool temporary = false;
    holos_status status = s.p != NULL ? HOLOS_OK : error_system(err, "a position");
    if (status == HOLOS_OK && access(task->path, F_OK) == 0)
        status = summary_read(task->path, &s.before, err);
    if (status == HOLOS_OK)
        status = parts_merge(&s, &merged, &temporary, err);
    if (status == HOLOS_OK)
        status = wave_make(j, task, NULL, &t, &s.w, err);
    if (status == HOLOS_OK)
        status = holos_wave_load(s.w, merged, err);
    if (status == HOLOS_OK) {
        wave_reach_reset(s.w); /* how far single seeds went is no limit for what follows */
        s.w->reach_decided = true;
    }
    if (temporary && merged != NULL)
        (void)unlink(merged);
    if (status == HOLOS_OK)
        status = round_end(&s, err);
    t.w = NULL;
    holos_wave_close(s.w);
    holos_position_free(s.p);
    free(s.seeds);
    free(merged);
    return status;
}

holos_status session_task_run(job *j, const session_task *task, holos_error *err)
{
    return (task->settles ? settle_run : batch_run)(j, task, err);
}
