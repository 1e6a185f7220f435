/* SPDX-License-Identifier: MIT */

/* Sessions: exploration in rounds. Each round takes seeds that earlier rounds suggest; phases follow each other by what rounds
 * yield. */

#include "core/file.h"
#include "core/hash.h"
#include "core/list.h"
#include "meta/selector.h"
#include "session/plan.h"
#include "session/session.h"
#include "session/value.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* A phase ends when rounds yield less than this on average: spines, solved positions, solved positions. */
#define LIGHTNING_SPINES 2
#define WAVE_SOLVED      100
#define CRYSTAL_SOLVED   5

#define PARTS_MOST   4096
#define NODES_LEAST  64  /* of a batch that is tried once more */
#define ROUND_MEMORY 3.6 /* bytes for each that a position takes, as for explorations */
#define ROUND_DISK   2.0
#define HOLOGRAMS    3 /* copies of the hologram that may be on the disk at once */

static const holos_option session_options[] = {
    {OPTION(FLAG, session_settings, isolate), .name = "isolate",
     .help = "run batches in processes of their own; one that dies costs its batch, which is tried again in "
             "smaller pieces"},
    {OPTION(SIZE, session_settings, batch_memory), .name = "batch-mem", .value = "SIZE",
     .help = "memory of a batch; 0 means that of the session"},
    {OPTION(SIZE, session_settings, keep_free), .name = "keep-free", .value = "SIZE", .fallback = "256M",
     .help = "stop before less than this is free on the disk"},
    {OPTION(COUNT, session_settings, budget), .name = "budget", .value = "N", .fallback = "0",
     .help = "positions that the session may expand in all its runs; 0 means no limit"},
    {OPTION(COUNT, session_settings, round_nodes), .name = "round-nodes", .value = "N", .fallback = "100k",
     .help = "positions that a round may expand"},
    {OPTION(INT, session_settings, round_seeds), .name = "round-seeds", .value = "N", .fallback = "16",
     .min = 1, .max = SESSION_SEEDS_MOST,
     .help = "seeds of a round, at least; more if they are solved early"},
    {OPTION(INT, session_settings, batch_seeds), .name = "batch-seeds", .value = "N", .fallback = "1024",
     .min = 1, .max = SESSION_SEEDS_MOST, .help = "seeds of a batch, at most"},
    {OPTION(INT, session_settings, seed_depth), .name = "seed-depth", .value = "N", .fallback = "4", .min = 1,
     .max = 64, .help = "how many steps from a seed, in the phase wave"},
    {OPTION(INT, session_settings, phase_rounds), .name = "phase-rounds", .value = "N", .fallback = "3",
     .min = 1, .max = 1000, .help = "rounds until the phase may change"},
    WAVING_OPTIONS(session_settings){0},
};

typedef struct session_state {
    char *path; /* of the hologram */
    wave_history history;
    uint64_t session; /* its number */
    holos_phase phase;
    uint64_t rounds, used; /* finished rounds, and what they have expanded */
    uint64_t done_now;     /* rounds of this run */
    uint64_t expanded_now;
    char **seeds; /* of the next round, as lines */
    size_t seed_count, seed_room;
    holos_position *p;
    /* Of the round that is under way. */
    char **parts;
    size_t part_count, part_room;
    uint64_t batches, lost;
    /* Of this run. */
    uint64_t lost_now, died_now;
    holos_report *deaths; /* never shown by itself: where words about them live */
    const char *death[32];
    size_t death_count;
    double seconds;
} session_state;

/* ---- Lists of words ---------------------------------------------------------------------------- */

static bool word_add(char ***list, size_t *count, size_t *room, const char *word)
{
    char **items = *list;
    if (!LIST_RESERVE(items, *room, *count + 1))
        return false;
    *list = items;
    items[*count] = strdup(word);
    return items[(*count)++] != NULL;
}

static void words_clear(char **list, size_t *count)
{
    for (size_t i = 0; i < *count; i++)
        free(list[i]);
    *count = 0;
}

static bool seed_line_add(session_state *s, const holos_variant *v, const holos_wave_seed *seed)
{
    text t;
    text_init(&t);
    text_take(&t, holos_seed_format, v, seed);
    bool made = !t.failed && word_add(&s->seeds, &s->seed_count, &s->seed_room, t.data);
    text_free(&t);
    return made;
}

/* ---- Opening ----------------------------------------------------------------------------------- */

static bool session_takes(const holos_variant *v, const char *word)
{
    holos_position *p = holos_position_new(v);
    holos_wave_seed seed;
    bool takes = p != NULL && holos_seed_parse(v, word, p, &seed, NULL) == HOLOS_OK;
    holos_position_free(p);
    return takes;
}

static holos_status session_open(job *j, holos_error *err)
{
    const session_settings *asked = j->settings;
    session_state *s = j->state = calloc(1, sizeof *s);
    if (s == NULL || (s->p = holos_position_new(j->v)) == NULL || (s->deaths = report_new()) == NULL)
        return error_system(err, "a session");
    if (j->o->store == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "a session needs a store, where it is kept");
    if (asked->isolate && j->o->child == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "--isolate needs a command that runs batches (holos_job_options.child)");
    if (asked->round_nodes == 0)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "--round-nodes: a round needs at least one");
    holos_status status = waving_place(j, &s->path, err);
    for (size_t i = 0; status == HOLOS_OK && i < j->o->operand_count; i++) {
        holos_wave_seed seed;
        status = holos_seed_parse(j->v, j->o->operands[i], s->p, &seed, err);
        if (status != HOLOS_OK)
            error_prefix(err, "%s: ", j->o->operands[i]);
    }
    if (status == HOLOS_OK && j->o->operand_count == 0 && j->o->start != HOLOS_JOB_RESUME)
        status = holos_start(j->v, s->p, err);
    return status;
}

static void session_close(job *j)
{
    session_state *s = j->state;
    if (s == NULL)
        return;
    words_clear(s->seeds, &s->seed_count);
    words_clear(s->parts, &s->part_count);
    free(s->seeds);
    free(s->parts);
    wave_history_clear(&s->history);
    holos_position_free(s->p);
    holos_report_close(s->deaths);
    free(s->path);
    free(s);
}

/* ---- The plan ---------------------------------------------------------------------------------- */

/* How far a session goes nobody can tell; what a round takes is known. */
static holos_status session_plan(job *j, holos_plan *out, holos_report *r, holos_error *err)
{
    const session_state *s = j->state;
    const session_settings *asked = j->settings;
    holos_wave_options o = waving_options(j, &asked->common);
    wave_ways ways = wave_ways_of(j->v, &o);
    holos_hologram_summary summary = {0};
    holos_hologram *h;
    if (j->o->start == HOLOS_JOB_RESUME) {
        holos_status status = holos_hologram_open(s->path, &h, err);
        if (status != HOLOS_OK)
            return status;
        holos_hologram_summary_get(h, &summary);
        holos_hologram_close(h);
    }
    growth g = {.basis = HOLOS_PLAN_AT_LEAST, .positions = (double)(summary.entries + asked->round_nodes)};
    plan_costs each = {.base = PLAN_WAVE_BASE,
                       .memory = ROUND_MEMORY * (double)wave_bytes_each(&ways),
                       .disk = HOLOGRAMS * ROUND_DISK,
                       .beyond = o.spill == NULL ? "--spill DIR" : NULL};
    plan_by_growth(&g, &each, "the first rounds", j->v, out, r);
    growth_free(&g);
    return HOLOS_OK;
}

/* ---- Where it stands --------------------------------------------------------------------------- */

/* Saves a hologram that holds nothing but the seeds: from here on the session can be resumed. */
static holos_status session_begin(job *j, holos_error *err)
{
    session_state *s = j->state;
    const session_settings *asked = j->settings;
    static const char *const start[] = {"start"};
    const char *const *lines = j->o->operand_count > 0 ? j->o->operands : start;
    size_t count = j->o->operand_count > 0 ? j->o->operand_count : 1;
    holos_wave_options o = waving_options(j, &asked->common);
    holos_wave *w;
    holos_status status = holos_wave_open(j->v, &o, &w, err);
    if (status != HOLOS_OK)
        return status;
    for (size_t i = 0; status == HOLOS_OK && i < count; i++) {
        holos_wave_seed seed;
        status = holos_seed_parse(j->v, lines[i], s->p, &seed, err);
        if (status == HOLOS_OK)
            status = holos_wave_add(w, &seed, err);
        hologram_seed kept = {w->key(j->v, s->p), 0, seed.depth, seed.direction, seed.mode};
        if (status == HOLOS_OK && !wave_history_add_pending(w->history, kept))
            status = error_system(err, "the seeds of a session");
    }
    if (status == HOLOS_OK)
        status = holos_wave_save(w, s->path, err);
    holos_wave_close(w);
    return status;
}

/* Seeds that were asked for on top of those that the session has. */
static holos_status seeds_more(job *j, holos_error *err)
{
    session_state *s = j->state;
    if (j->o->start != HOLOS_JOB_RESUME)
        return HOLOS_OK;
    for (size_t i = 0; i < j->o->operand_count; i++)
        if (!word_add(&s->seeds, &s->seed_count, &s->seed_room, j->o->operands[i]))
            return error_system(err, "the seeds of a session");
    if (j->o->operand_count > 0 && s->phase == HOLOS_PHASE_COMPLETE)
        s->phase = HOLOS_PHASE_INIT;
    return HOLOS_OK;
}

static uint64_t session_number(const job *j, holos_hologram *h)
{
    uint64_t hash = hash_add(j->o->seed, hash_bytes(j->v->name, strlen(j->v->name)).lo);
    const hologram_seed *seeds = h->sections[HOLOGRAM_PENDING];
    return hash_add(hash, hash_bytes(seeds, hologram_count(h, HOLOGRAM_PENDING) * sizeof *seeds).lo);
}

/* Reads what the hologram says of the session: all that is known between two rounds. */
static holos_status session_read(job *j, holos_error *err)
{
    session_state *s = j->state;
    holos_hologram *h;
    holos_status status = holos_hologram_open(s->path, &h, err);
    if (status != HOLOS_OK)
        return status;
    wave_history_clear(&s->history);
    bool made = wave_history_read(&s->history, h);
    size_t count = s->history.round_count;
    s->session = count > 0 ? s->history.rounds[count - 1].round.session : session_number(j, h);
    s->phase = HOLOS_PHASE_INIT;
    s->rounds = s->used = 0;
    for (size_t i = 0; i < count; i++) {
        const hologram_round *r = &s->history.rounds[i].round;
        if (r->session != s->session)
            continue;
        s->phase = (holos_phase)r->phase;
        s->rounds = r->number;
        s->used += r->expanded;
    }
    words_clear(s->seeds, &s->seed_count);
    hologram_section from =
        s->rounds == 0 && s->history.pending_count == 0 ? HOLOGRAM_SEEDS : HOLOGRAM_PENDING;
    const hologram_seed *seeds = h->sections[from];
    for (uint64_t i = 0; made && i < hologram_count(h, from) && i < SESSION_SEEDS_MOST; i++) {
        holos_wave_seed seed = {.position = s->p,
                                .depth = seeds[i].depth,
                                .direction = seeds[i].direction,
                                .mode = seeds[i].mode};
        if (hologram_position(h, seeds[i].key, s->p))
            made = seed_line_add(s, j->v, &seed);
    }
    holos_hologram_close(h);
    return made ? HOLOS_OK : error_system(err, "a session");
}

/* ---- Phases ------------------------------------------------------------------------------------ */

/* What the last rounds of the phase yielded on average; false: it is not time to ask. Spines are counted for as many seeds as a round
 * has at least, since rounds with many seeds find many. */
static bool phase_yield(const job *j, double *out)
{
    const session_state *s = j->state;
    const session_settings *asked = j->settings;
    uint64_t all = 0, most = (uint64_t)asked->phase_rounds;
    double sum = 0;
    for (size_t i = s->history.round_count; i-- > 0;) {
        const hologram_round *r = &s->history.rounds[i].round;
        if (r->session != s->session || r->phase != (uint64_t)s->phase)
            continue;
        if (all++ < most)
            sum += s->phase != HOLOS_PHASE_LIGHTNING ? (double)r->solved
                   : r->seed_count > (uint64_t)asked->round_seeds
                       ? (double)(r->spines * (uint64_t)asked->round_seeds) / (double)r->seed_count
                       : (double)r->spines;
    }
    *out = most > 0 ? sum / (double)most : 0;
    return all > 0 && most > 0 && all % most == 0;
}

static holos_phase phase_next(const job *j)
{
    static const double least[] = {[HOLOS_PHASE_LIGHTNING] = LIGHTNING_SPINES,
                                   [HOLOS_PHASE_WAVE] = WAVE_SOLVED,
                                   [HOLOS_PHASE_CRYSTAL] = CRYSTAL_SOLVED};
    const session_state *s = j->state;
    double yield;
    if (s->phase == HOLOS_PHASE_INIT)
        return HOLOS_PHASE_LIGHTNING;
    if (s->phase == HOLOS_PHASE_COMPLETE || s->seed_count == 0)
        return HOLOS_PHASE_COMPLETE; /* nothing is open */
    return phase_yield(j, &yield) && yield < least[s->phase] ? s->phase + 1 : s->phase;
}

/* How a seed is explored in a phase, unless somebody has said. */
static void seed_suit(const job *j, const selector *learned, holos_wave_seed *seed)
{
    static const holos_wave_mode broad[] = {HOLOS_WAVE_WAVE, HOLOS_WAVE_OSMOSIS};
    const session_state *s = j->state;
    const session_settings *asked = j->settings;
    if (seed->mode != HOLOS_WAVE_AUTO)
        return;
    switch (s->phase) {
    case HOLOS_PHASE_WAVE:
        seed->mode = selector_choose(learned, session_features(j->v, seed->position), broad, 2);
        if (seed->depth == 0)
            seed->depth = (unsigned)asked->seed_depth;
        break;
    case HOLOS_PHASE_CRYSTAL:
        seed->mode = HOLOS_WAVE_CRYSTAL;
        break;
    default:
        seed->mode = HOLOS_WAVE_LIGHTNING;
    }
}

/* The seeds of the round as they will be explored: modes together, and those with a depth of their own. The first round of the
 * phase wave tries both modes. */
static holos_status seeds_suit(job *j, holos_error *err)
{
    session_state *s = j->state;
    char **before = s->seeds;
    size_t count = s->seed_count;
    s->seeds = NULL;
    s->seed_count = s->seed_room = 0;
    selector learned = selector_of(&s->history);
    bool divide = s->phase == HOLOS_PHASE_WAVE && !selector_has_tried(&learned, HOLOS_WAVE_OSMOSIS);
    holos_status status = HOLOS_OK;
    for (unsigned group = 0; group <= 2 * HOLOS_WAVE_OSMOSIS + 1; group++)
        for (size_t i = 0; status == HOLOS_OK && i < count; i++) {
            holos_wave_seed seed;
            status = holos_seed_parse(j->v, before[i], s->p, &seed, err);
            if (status != HOLOS_OK)
                break;
            seed_suit(j, &learned, &seed);
            if (divide && seed.mode == HOLOS_WAVE_WAVE && i % 2 == 1)
                seed.mode = HOLOS_WAVE_OSMOSIS;
            if (2u * seed.mode + (seed.depth > 0) == group && !seed_line_add(s, j->v, &seed))
                status = error_system(err, "the seeds of a round");
        }
    words_clear(before, &count);
    free(before);
    return status;
}

/* ---- Batches ----------------------------------------------------------------------------------- */

static bool part_path(const session_state *s, size_t index, text *out)
{
    text_clear(out);
    text_printf(out, "%s.batch-%llu-%zu", s->path, (unsigned long long)s->rounds + 1, index);
    return !out->failed;
}

/* Whether a finished batch of an earlier run lies there, from these very seeds. */
static bool part_is_there(job *j, const char *path, const session_task *task)
{
    session_state *s = j->state;
    holos_hologram *h;
    if (access(path, F_OK) != 0 || holos_hologram_open(path, &h, NULL) != HOLOS_OK)
        return false;
    const hologram_seed *seeds = h->sections[HOLOGRAM_SEEDS];
    bool same = hologram_count(h, HOLOGRAM_SEEDS) == task->seed_count && strcmp(h->v->name, j->v->name) == 0;
    for (size_t i = 0; same && i < task->seed_count; i++) {
        holos_wave_seed seed;
        bool found = false;
        same = holos_seed_parse(j->v, task->seeds[i], s->p, &seed, NULL) == HOLOS_OK;
        holos_key key = hologram_key(h, s->p);
        for (size_t k = 0; same && k < task->seed_count && !found; k++)
            found = holos_key_equal(seeds[k].key, key) && seeds[k].mode == (uint32_t)seed.mode &&
                    seeds[k].depth == seed.depth;
        same = same && found;
    }
    holos_hologram_close(h);
    return same;
}

static void death_note(job *j, const session_task *task, const holos_error *err, const char *what)
{
    session_state *s = j->state;
    const char *words = report_words(s->deaths, "round %llu: a batch of %zu seed%s died (%s); %s",
                                     (unsigned long long)task->round, task->seed_count,
                                     task->seed_count == 1 ? "" : "s", err->message, what);
    s->died_now++;
    log_write(j->log, LOG_LEVEL_WARNING, "%s", words);
    if (s->death_count < sizeof s->death / sizeof *s->death)
        s->death[s->death_count++] = words;
}

/* Runs a task here or in a process of its own; *died: it can be tried again, smaller. */
static holos_status task_do(job *j, const session_task *task, bool *died, holos_error *err)
{
    const session_settings *asked = j->settings;
    *died = false;
    if (asked->isolate)
        return session_task_spawn(j, task, died, err);
    holos_status status = session_task_run(j, task, err);
    *died = status == HOLOS_NO_MEMORY;
    return status;
}

static holos_status batch_do(job *j, session_task task, holos_error *err)
{
    session_state *s = j->state;
    text path;
    bool died = false;
    text_init(&path);
    holos_status status = part_path(s, s->part_count, &path) ? HOLOS_OK : error_system(err, "a batch");
    task.out = path.data;
    if (status == HOLOS_OK && !part_is_there(j, path.data, &task))
        status = task_do(j, &task, &died, err);
    if (status == HOLOS_OK || (status == HOLOS_LIMIT && !died)) {
        s->batches++;
        status = word_add(&s->parts, &s->part_count, &s->part_room, path.data) ? HOLOS_OK
                                                                               : error_system(err, "a batch");
    }
    text_free(&path);
    if (!died)
        return status;
    if (task.nodes / 2 < NODES_LEAST) {
        death_note(j, &task, err, "it was given up");
        s->lost++;
        s->lost_now++;
        return HOLOS_OK;
    }
    death_note(j, &task, err, "it is tried again, smaller");
    size_t half = (task.seed_count + 1) / 2, rest = task.seed_count - half;
    session_task piece = task;
    piece.nodes = task.nodes / 2;
    piece.seed_count = half;
    status = batch_do(j, piece, err);
    piece.seeds = task.seeds + half;
    piece.seed_count = rest;
    return status == HOLOS_OK && rest > 0 ? batch_do(j, piece, err) : status;
}

/* The end of the batch that begins at a seed: the same mode and way to count depth, and at most so many. */
static size_t batch_end(job *j, size_t begin, holos_wave_mode *mode, holos_error *err)
{
    session_state *s = j->state;
    const session_settings *asked = j->settings;
    size_t at = begin;
    bool deep = false;
    for (; at < s->seed_count && at - begin < (size_t)asked->batch_seeds; at++) {
        holos_wave_seed seed;
        if (holos_seed_parse(j->v, s->seeds[at], s->p, &seed, err) != HOLOS_OK)
            break;
        if (at == begin) {
            *mode = seed.mode;
            deep = seed.depth > 0;
        } else if (seed.mode != *mode || (seed.depth > 0) != deep) {
            break;
        }
    }
    return at;
}

/* ---- Rounds ------------------------------------------------------------------------------------ */

static session_task task_of(const job *j)
{
    const session_state *s = j->state;
    const session_settings *asked = j->settings;
    return (session_task){.round = s->rounds + 1,
                          .phase = s->phase,
                          .session = s->session,
                          .nodes = asked->round_nodes,
                          .path = s->path};
}

static holos_status batches_do(job *j, holos_error *err)
{
    session_state *s = j->state;
    holos_status status = HOLOS_OK;
    for (size_t begin = 0, end; status == HOLOS_OK && begin < s->seed_count; begin = end) {
        session_task task = task_of(j);
        end = batch_end(j, begin, &task.mode, err);
        if (end == begin)
            return err->code;
        task.seeds = (const char *const *)s->seeds + begin;
        task.seed_count = end - begin;
        task.nodes = task.nodes * task.seed_count / s->seed_count;
        task.nodes = task.nodes > 0 ? task.nodes : 1;
        if (holos_stop_asked(j->o->limits.stop))
            return error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted; finished batches are kept");
        status = batch_do(j, task, err);
    }
    return status;
}

static holos_status settle_do(job *j, holos_error *err)
{
    session_state *s = j->state;
    session_task task = task_of(j);
    bool died;
    task.settles = true;
    task.batches = s->batches;
    task.lost = s->lost;
    task.seeds = (const char *const *)s->seeds;
    task.seed_count = s->seed_count;
    task.parts = (const char *const *)s->parts;
    task.part_count = s->part_count;
    holos_status status = task_do(j, &task, &died, err);
    if (died && status != HOLOS_NO_MEMORY) {
        death_note(j, &task, err, "settling is tried once more");
        status = task_do(j, &task, &died, err);
    }
    return status;
}

/* Files of batches that are part of the hologram by now, of this run or one that was killed. */
static void parts_remove(session_state *s)
{
    text folder, path;
    text_init(&folder);
    text_init(&path);
    const char *slash = strrchr(s->path, '/'), *name = slash != NULL ? slash + 1 : s->path;
    text_bytes(&folder, slash != NULL ? s->path : ".", slash != NULL ? (size_t)(slash - s->path) : 1);
    DIR *d = opendir(folder.data);
    size_t length = strlen(name);
    for (struct dirent *entry; d != NULL && (entry = readdir(d)) != NULL;) {
        const char *rest = entry->d_name + length;
        if (strncmp(entry->d_name, name, length) != 0)
            continue;
        bool old = strncmp(rest, ".batch-", 7) == 0 && strtoull(rest + 7, NULL, 10) <= s->rounds;
        text_clear(&path);
        text_printf(&path, "%s/%s", folder.data, entry->d_name);
        if (old || strncmp(rest, ".request", 8) == 0)
            (void)unlink(path.data);
    }
    if (d != NULL)
        closedir(d);
    text_free(&folder);
    text_free(&path);
    words_clear(s->parts, &s->part_count);
}

static uint64_t hologram_bytes(const session_state *s)
{
    struct stat info;
    return stat(s->path, &info) == 0 ? (uint64_t)info.st_size : 0;
}

static void round_tell(job *j)
{
    const session_state *s = j->state;
    char label[64];
    text t;
    text_init_fixed(&t, label, sizeof label);
    text_printf(&t, "%s, round %llu", holos_phase_name(s->phase), (unsigned long long)s->rounds + 1);
    progress_begin(j->progress, label, "positions", 0);
    progress_add_part(j->progress, hologram_bytes(s));
}

static holos_status round_do(job *j, holos_error *err)
{
    session_state *s = j->state;
    s->batches = s->lost = 0;
    words_clear(s->parts, &s->part_count);
    holos_status status = s->phase == HOLOS_PHASE_COMPLETE ? HOLOS_OK : seeds_suit(j, err);
    round_tell(j);
    if (status == HOLOS_OK && (s->phase == HOLOS_PHASE_LIGHTNING || s->phase == HOLOS_PHASE_WAVE))
        status = batches_do(j, err);
    if (status == HOLOS_OK)
        status = settle_do(j, err);
    uint64_t used = s->used;
    if (status == HOLOS_OK)
        status = session_read(j, err);
    if (status == HOLOS_OK) {
        s->done_now++;
        s->expanded_now += s->used - used;
        parts_remove(s);
        const hologram_round *r = &s->history.rounds[s->history.round_count - 1].round;
        log_write(j->log, LOG_LEVEL_INFO,
                  "round %llu (%s): %llu seeds, %llu expanded, %llu positions, %llu solved",
                  (unsigned long long)r->number, holos_phase_name((holos_phase)r->phase),
                  (unsigned long long)r->seed_count, (unsigned long long)r->expanded,
                  (unsigned long long)r->positions, (unsigned long long)r->all_solved);
    }
    progress_end(j->progress);
    return status;
}

/* ---- The run ----------------------------------------------------------------------------------- */

/* Whether the next round fits on the disk; if not, the last checkpoint is all there is room for. */
static holos_status disk_check(job *j, holos_error *err)
{
    const session_state *s = j->state;
    const session_settings *asked = j->settings;
    struct statvfs disk;
    if (statvfs(j->folder, &disk) != 0)
        return HOLOS_OK; /* nobody can tell */
    uint64_t free_bytes = (uint64_t)disk.f_bavail * disk.f_frsize,
             need = HOLOGRAMS * hologram_bytes(s) + asked->keep_free;
    if (free_bytes >= need)
        return HOLOS_OK;
    text t;
    text_init(&t);
    text_size(&t, free_bytes);
    text_string(&t, " free, and the next round may need ");
    text_size(&t, need);
    text_string(&t, " (--keep-free)");
    j->stopped = "disk limit";
    holos_status status =
        error_set(err, HOLOS_LIMIT, HOLOS_NOWHERE, "the disk is nearly full: %s; all is saved", t.data);
    text_free(&t);
    return status;
}

/* HOLOS_LIMIT if no other round may begin. */
static holos_status limits_look(job *j, holos_error *err)
{
    const session_state *s = j->state;
    const session_settings *asked = j->settings;
    if (holos_stop_asked(j->o->limits.stop))
        return error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted; all finished rounds are saved");
    if (asked->budget > 0 && s->used >= asked->budget)
        j->stopped = "budget";
    else if (j->o->limits.nodes > 0 && s->expanded_now >= j->o->limits.nodes)
        j->stopped = "node limit";
    else
        return disk_check(j, err);
    return error_set(err, HOLOS_LIMIT, HOLOS_NOWHERE, "the %s of the session is used up", j->stopped);
}

static holos_status session_run(job *j, holos_error *err)
{
    session_state *s = j->state;
    double begun = clock_wall();
    holos_status status = waving_place_check(j, s->path, err);
    if (status == HOLOS_OK && j->o->start != HOLOS_JOB_RESUME)
        status = disk_check(j, err);
    if (status == HOLOS_OK && j->o->start == HOLOS_JOB_RESTART) {
        s->rounds = UINT64_MAX; /* batches of the one before are of no use, whatever their round */
        parts_remove(s);
    }
    if (status == HOLOS_OK && j->o->start != HOLOS_JOB_RESUME)
        status = session_begin(j, err);
    if (status == HOLOS_OK)
        status = session_read(j, err);
    if (status == HOLOS_OK)
        status = seeds_more(j, err);
    if (status == HOLOS_OK)
        parts_remove(s);
    while (status == HOLOS_OK && s->phase != HOLOS_PHASE_COMPLETE) {
        status = limits_look(j, err);
        if (status == HOLOS_OK) {
            s->phase = phase_next(j);
            status = round_do(j, err);
        }
    }
    if (status == HOLOS_OK)
        j->stopped = "complete";
    s->seconds = clock_wall() - begun;
    return status;
}

/* ---- The report -------------------------------------------------------------------------------- */

static void asked_report(const job *j, holos_hologram *h, holos_report *r)
{
    session_state *s = j->state;
    holos_wave_seed seed;
    holos_hologram_summary summary;
    holos_hologram_summary_get(h, &summary);
    report_open(r, "seeds", "", HOLOS_FIELD_LIST);
    /* The seeds of the first round: what was asked. */
    for (uint64_t i = 0; i < 64 && holos_hologram_round_seed_at(h, 0, i, &seed, s->p); i++) {
        holos_value value;
        holos_guess guess;
        bool guessed = false;
        if (holos_hologram_query(h, s->p, &value, NULL) != HOLOS_OK)
            continue;
        (void)holos_hologram_guess(h, s->p, &guess, &guessed, NULL);
        report_value(r, j->v, s->p, value, guessed ? &guess : NULL);
    }
    report_close_field(r);
    report_count(r, "positions", "positions", summary.entries);
    report_count(r, "solved", "solved", summary.solved);
    report_count(r, "spines", "spines", summary.spines);
    report_count(r, "meetings", "meetings", summary.meetings);
    report_precision(r, summary.statistics.equiv_confirmed, summary.statistics.equiv_refuted);
    report_bytes(r, "bytes", "size", summary.bytes);
}

static void rounds_report(const job *j, holos_report *r)
{
    const session_state *s = j->state;
    report_text(r, "phase", "phase", holos_phase_name(s->phase));
    report_count(r, "rounds", "rounds", s->rounds);
    report_count(r, "rounds_now", NULL, s->done_now);
    report_count(r, "expanded", "expanded", s->used);
    report_count(r, "died", NULL, s->died_now);
    report_count(r, "lost", s->lost_now > 0 ? "lost" : NULL, s->lost_now)->note = " batches";
    report_open(r, "deaths", NULL, HOLOS_FIELD_LIST);
    for (size_t i = 0; i < s->death_count; i++)
        report_text(r, NULL, NULL, s->death[i]);
    report_close_field(r);
    for (size_t i = 0; i < s->death_count; i++)
        report_line(r, i == 0 ? "died" : " ", "%s", s->death[i]);
    report_count(r, "waiting", "waiting", s->seed_count)->note = " seeds for the next round";
}

static void session_report(job *j, holos_report *r)
{
    session_state *s = j->state;
    holos_hologram *h;
    report_text(r, "kind", NULL, "session");
    if (s->path != NULL && holos_hologram_open(s->path, &h, NULL) == HOLOS_OK) {
        asked_report(j, h, r);
        holos_hologram_close(h);
    }
    rounds_report(j, r);
    report_seconds(r, "seconds", "time", s->seconds);
    report_text(r, "store", "store", j->o->store);
}

extern const job_kind job_session;

const job_kind job_session = {
    .about = {.name = "session",
              .summary =
                  "exploration in rounds, whose seeds and phases follow from what earlier rounds yielded",
              .operands = "SEED…",
              .keeps = true},
    .record = "explore.json",
    .options = session_options,
    .settings_size = sizeof(session_settings),
    .takes = session_takes,
    .open = session_open,
    .plan = session_plan,
    .run = session_run,
    .batch = session_batch,
    .report = session_report,
    .close = session_close,
};
