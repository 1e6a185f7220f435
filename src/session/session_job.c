/* SPDX-License-Identifier: MIT */

/* Sessions: exploration in rounds. Each round takes seeds that earlier rounds suggest; phases follow each other by what rounds
 * yield. */

#include "core/file.h"
#include "core/hash.h"
#include "core/list.h"
#include "session/plan.h"
#include "session/session.h"
#include "session/value.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

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

/* Whether this process has the session: in a cluster, rank 0. The others do batches. */
static bool is_keeper(const job *j)
{
    return j->company == NULL || j->company->rank == 0;
}

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

void session_words_clear(char **list, size_t *count)
{
    for (size_t i = 0; i < *count; i++)
        free(list[i]);
    *count = 0;
}

bool session_seed_add(session_state *s, const holos_variant *v, const holos_wave_seed *seed)
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
    if (j->o->ranks > 0)
        return error_set(
            err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
            "--ranks: how many batches the rounds of a session have follows from what they find, so "
            "nobody knows what ranks gain; leave it out, and each needs at most what is said");
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
    session_words_clear(s->seeds, &s->seed_count);
    session_words_clear(s->parts, &s->part_count);
    free(s->batches);
    free(s->finished);
    free(s->seeds);
    free(s->parts);
    wave_history_clear(&s->history);
    holos_position_free(s->p);
    holos_report_close(s->deaths);
    free(s->path);
    free(s);
}

/* ---- The plan ---------------------------------------------------------------------------------- */

/* Whether there is a session to go on with. A cluster may be asked to resume before there is one. */
static bool goes_on(const job *j)
{
    const session_state *s = j->state;
    return j->o->start == HOLOS_JOB_RESUME && (j->o->cluster == NULL || access(s->path, F_OK) == 0);
}

/* How far a session goes nobody can tell; what a round takes is known. */
static holos_status session_plan(job *j, holos_plan *out, holos_report *r, holos_error *err)
{
    const session_state *s = j->state;
    const session_settings *asked = j->settings;
    holos_wave_options o = waving_options(j, &asked->common);
    wave_ways ways = wave_ways_of(j->v, &o);
    holos_hologram_summary summary = {0};
    holos_hologram *h;
    if (goes_on(j)) {
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
    session_words_clear(s->seeds, &s->seed_count);
    hologram_section from =
        s->rounds == 0 && s->history.pending_count == 0 ? HOLOGRAM_SEEDS : HOLOGRAM_PENDING;
    const hologram_seed *seeds = h->sections[from];
    for (uint64_t i = 0; made && i < hologram_count(h, from) && i < SESSION_SEEDS_MOST; i++) {
        holos_wave_seed seed = {.position = s->p,
                                .depth = seeds[i].depth,
                                .direction = seeds[i].direction,
                                .mode = seeds[i].mode};
        if (hologram_position(h, seeds[i].key, s->p))
            made = session_seed_add(s, j->v, &seed);
    }
    holos_hologram_close(h);
    return made ? HOLOS_OK : error_system(err, "a session");
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
                          .path = s->path,
                          .seeds = (const char *const *)s->seeds,
                          .seed_count = s->seed_count,
                          .memory = session_memory(j, false),
                          .stop = j->o->limits.stop};
}

static void death_tell(job *j, const char *line)
{
    session_state *s = j->state;
    const char *words = report_words(s->deaths, "%s", line);
    log_write(j->log, LOG_LEVEL_WARNING, "%s", words);
    if (s->death_count < sizeof s->death / sizeof *s->death)
        s->death[s->death_count++] = words;
}

static void batch_hear(job *j, const session_outcome *said)
{
    session_state *s = j->state;
    for (uint32_t i = 0; i < said->part_count; i++)
        s->finished[said->parts[i].first] = said->parts[i].count;
    s->lost += said->lost;
    s->lost_now += said->lost;
    s->died_now += said->died;
    s->traffic += said->bytes;
    for (const char *line = said->deaths; line < said->deaths + said->words; line += strlen(line) + 1)
        death_tell(j, line);
}

/* The parts of the round, in the order of its seeds, whoever has made them. */
static holos_status parts_list(job *j, const session_task *round, holos_error *err)
{
    session_state *s = j->state;
    text path;
    text_init(&path);
    bool made = true;
    for (uint32_t i = 0; made && i < s->seed_count; i++)
        if (s->finished[i] > 0)
            made = session_part_path(round, (session_part){i, s->finished[i]}, &path) &&
                   word_add(&s->parts, &s->part_count, &s->part_room, path.data);
    text_free(&path);
    return made ? HOLOS_OK : error_system(err, "the batches of a round");
}

static holos_status settle_do(job *j, const holos_stop *stop, holos_error *err)
{
    session_state *s = j->state;
    session_task task = task_of(j);
    bool died;
    holos_status status = parts_list(j, &task, err);
    if (status != HOLOS_OK)
        return status;
    task.settles = true;
    task.batches = s->part_count;
    task.lost = s->lost;
    task.parts = (const char *const *)s->parts;
    task.part_count = s->part_count;
    task.memory = session_memory(j, true);
    task.stop = stop;
    status = session_task_do(j, &task, &died, err);
    if (died && status != HOLOS_NO_MEMORY) {
        char line[sizeof err->message + 64];
        snprintf(line, sizeof line, "round %llu: settling died (%s); it is tried once more",
                 (unsigned long long)task.round, err->message);
        s->died_now++;
        death_tell(j, line);
        status = session_task_do(j, &task, &died, err);
    }
    return status;
}

/* In this process alone. */
static holos_status round_alone(job *j, const session_round *round, holos_error *err)
{
    const session_state *s = j->state;
    session_outcome *said = malloc(session_outcome_size(s->seed_count));
    holos_status status = said != NULL ? HOLOS_OK : error_system(err, "the batches of a round");
    for (size_t i = 0; status == HOLOS_OK && i < round->count; i++) {
        status = session_batch_do(j, &round->batches[i], said, err);
        round->hear(j, said);
    }
    free(said);
    return status == HOLOS_OK ? round->settle(j, j->o->limits.stop, err) : status;
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
    session_words_clear(s->parts, &s->part_count);
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

/* What the round will do. */
static holos_status round_begin(job *j, holos_error *err)
{
    session_state *s = j->state;
    s->lost = 0;
    s->batch_count = 0;
    session_words_clear(s->parts, &s->part_count);
    s->phase = session_phase_next(j);
    holos_status status = s->phase == HOLOS_PHASE_COMPLETE ? HOLOS_OK : session_seeds_suit(j, err);
    round_tell(j);
    free(s->finished);
    free(s->batches);
    s->batches = NULL;
    s->finished = calloc(s->seed_count + 1, sizeof *s->finished);
    if (status == HOLOS_OK && s->finished == NULL)
        status = error_system(err, "the batches of a round");
    session_task round = task_of(j);
    if (status == HOLOS_OK && (s->phase == HOLOS_PHASE_LIGHTNING || s->phase == HOLOS_PHASE_WAVE))
        status = session_batches(j, &round, &s->batches, &s->batch_count, err);
    return status;
}

static holos_status round_end(job *j, holos_error *err)
{
    session_state *s = j->state;
    uint64_t used = s->used;
    holos_status status = session_read(j, err);
    if (status != HOLOS_OK)
        return status;
    s->done_now++;
    s->expanded_now += s->used - used;
    parts_remove(s);
    const hologram_round *r = &s->history.rounds[s->history.round_count - 1].round;
    log_write(j->log, LOG_LEVEL_INFO,
              "round %llu (%s): %llu seeds, %llu expanded, %llu positions, %llu solved",
              (unsigned long long)r->number, holos_phase_name((holos_phase)r->phase),
              (unsigned long long)r->seed_count, (unsigned long long)r->expanded,
              (unsigned long long)r->positions, (unsigned long long)r->all_solved);
    return status;
}

static holos_status round_do(job *j, holos_error *err)
{
    session_state *s = j->state;
    holos_status status = is_keeper(j) ? round_begin(j, err) : HOLOS_OK;
    session_round round = {.path = s->path,
                           .batches = s->batches,
                           .count = s->batch_count,
                           .hear = batch_hear,
                           .settle = settle_do};
    if (j->company != NULL)
        status = session_share(j, &round, status, err);
    else if (status == HOLOS_OK)
        status = round_alone(j, &round, err);
    if (status == HOLOS_OK && is_keeper(j))
        status = round_end(j, err);
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

/* Goes back to what is there, or begins. */
static holos_status session_prepare(job *j, holos_error *err)
{
    session_state *s = j->state;
    bool resumes = goes_on(j);
    holos_status status = waving_place_check(j, s->path, err);
    if (status == HOLOS_OK && !resumes)
        status = disk_check(j, err);
    if (status == HOLOS_OK && j->o->start == HOLOS_JOB_RESTART) {
        s->rounds = UINT64_MAX; /* batches of the one before are of no use, whatever their round */
        parts_remove(s);
    }
    if (status == HOLOS_OK && !resumes)
        status = session_begin(j, err);
    if (status == HOLOS_OK)
        status = session_read(j, err);
    if (status == HOLOS_OK && resumes)
        status = seeds_more(j, err);
    if (status == HOLOS_OK)
        parts_remove(s);
    return status;
}

/* Whether another round follows, as the keeper decides, once all know how things went so far. */
static holos_status round_follows(job *j, holos_status status, bool *follows, holos_error *err)
{
    const session_state *s = j->state;
    *follows = is_keeper(j) && s->phase != HOLOS_PHASE_COMPLETE;
    if (status == HOLOS_OK && *follows)
        status = limits_look(j, err);
    if (j->company != NULL) {
        status = j->company->agree(j->company->context, status, err);
        if (status == HOLOS_OK)
            j->company->share(j->company->context, follows, sizeof *follows);
    }
    return status;
}

static holos_status session_run(job *j, holos_error *err)
{
    session_state *s = j->state;
    double begun = clock_wall();
    bool follows;
    holos_status status = is_keeper(j) ? session_prepare(j, err) : HOLOS_OK;
    while ((status = round_follows(j, status, &follows, err)) == HOLOS_OK && follows)
        status = round_do(j, err);
    if (status == HOLOS_OK)
        j->stopped = "complete";
    if (j->company != NULL) {
        uint64_t sent;
        j->company->traffic(j->company->context, &sent, &s->messages);
        s->traffic += sent;
    }
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
    if (j->company != NULL) {
        report_count(r, "ranks", "ranks", j->company->ranks);
        report_bytes(r, "traffic", NULL, s->traffic);
        report_count(r, "messages", NULL, s->messages);
    }
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
    .clusters = true,
    .reads_others = true,
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
