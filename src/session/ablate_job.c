/* SPDX-License-Identifier: MIT */

/* The job around an ablation. */

#include "core/file.h"
#include "core/option.h"
#include "engine/zeno/calibrate.h"
#include "session/ablation.h"
#include "session/job.h"

#include <holos/knowledge.h>

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#define CHECKPOINT "ablation"
#define LOG_HEAD                                                                                             \
    "move_num,player,H_v,G,Var_Q,lambda_h,c_puct,budget,tactical,board_density,phase,win_outcome\n"
#define SIMULATIONS_A_SECOND 22000.0 /* two of three find the network's answer in the cache */
#define MOVES_A_GAME         56.0
#define SEARCHES_A_GAME      34.0 /* the last moves are solved */

typedef struct ablate_settings {
    int64_t games, simulations, opening, calibrate;
    const char *network;
} ablate_settings;

static const holos_option ablate_options[] = {
    {OPTION(INT, ablate_settings, games), .name = "games", .value = "N", .min = 2, .max = 1000000,
     .fallback = "200", .help = "games of each configuration, in pairs with both colours"},
    {OPTION(INT, ablate_settings, simulations), .name = "simulations", .value = "N", .min = 8, .max = 1000000,
     .fallback = "800", .help = "the fixed budget of the baseline, and the most of the others"},
    {OPTION(INT, ablate_settings, opening), .name = "opening", .value = "N", .min = 0, .max = 100,
     .fallback = "8", .help = "random moves at the beginning of a pair"},
    {OPTION(FILE, ablate_settings, network), .name = "network", .value = "FILE",
     .help = "the network; otherwise the one that comes with holos"},
    {OPTION(INT, ablate_settings, calibrate), .name = "calibrate", .value = "N", .min = 0, .max = 100000,
     .fallback = "300",
     .help = "positions of random games to fit the thresholds of the early stop to; 0: those of the source "
             "document"},
    {0},
};

typedef struct ablate_state {
    ablation a;
    zeno_calibration calibration;
    net net;
    net_model model;
    bool there;
} ablate_state;

static void path_of(const job *j, const char *name, text *out)
{
    text_init(out);
    text_printf(out, "%s/%s", j->folder, name);
}

static holos_status store_check(job *j, holos_error *err)
{
    ablate_state *s = j->state;
    text path;
    if (j->folder == NULL)
        return j->o->store == NULL ? HOLOS_OK
                                   : error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                                               "an ablation is kept in a folder, not in \"%s\"", j->o->store);
    path_of(j, CHECKPOINT, &path);
    s->there = access(path.data, F_OK) == 0;
    text_free(&path);
    if (s->there && j->o->start == HOLOS_JOB_NEW)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "%s already holds an ablation; --resume continues it, --restart starts over",
                         j->folder);
    if (!s->there && j->o->start == HOLOS_JOB_RESUME)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "--resume: %s holds no ablation", j->folder);
    return HOLOS_OK;
}

static holos_status network_open(job *j, const ablate_settings *asked, holos_error *err)
{
    ablate_state *s = j->state;
    text path;
    text_init(&path);
    zeno_network_path(j->v, asked->network, &path);
    holos_status status = HOLOS_OK;
    if (access(path.data, R_OK) != 0)
        status = error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                           "an ablation needs a network for %s; %s is not there: 'holos train %s' makes one",
                           j->v->name, path.data, j->v->name);
    if (status == HOLOS_OK)
        status = net_load(&s->net, path.data, j->v->name, err);
    text_free(&path);
    return status == HOLOS_OK ? net_model_init(&s->model, &s->net, err) : status;
}

static holos_status ablate_open(job *j, holos_error *err)
{
    const ablate_settings *asked = j->settings;
    ablate_state *s = j->state = calloc(1, sizeof *s);
    if (s == NULL)
        return error_system(err, "an ablation");
    text_init(&s->a.log);
    s->a.v = j->v;
    s->a.model = &s->model;
    s->a.pairs = ((uint64_t)asked->games + 1) / 2;
    s->a.opening = (uint32_t)asked->opening;
    s->a.simulations = (uint32_t)asked->simulations;
    s->a.seed = j->o->seed;
    if (j->v->game->net == NULL)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "%s has no networks: the game shows them no planes", j->v->game->name);
    holos_status status = store_check(j, err);
    return status == HOLOS_OK ? network_open(j, asked, err) : status;
}

static void ablate_close(job *j)
{
    ablate_state *s = j->state;
    if (s == NULL)
        return;
    text_free(&s->a.log);
    net_model_free(&s->model);
    net_free(&s->net);
    free(s);
}

static holos_status ablate_plan(job *j, holos_plan *out, holos_report *r, holos_error *err)
{
    (void)r;
    (void)err;
    const ablate_state *s = j->state;
    double games = (double)(2 * s->a.pairs * ablation_size());
    out->basis = HOLOS_PLAN_ESTIMATE;
    out->factor = 2; /* of how long games are */
    out->memory = out->memory_least =
        (UINT64_C(32) << 20) + j->o->threads * (ABLATION_CACHE + ((uint64_t)32 << 20));
    out->positions = (uint64_t)(games * MOVES_A_GAME);
    out->disk = UINT64_C(1) << 20;
    out->seconds = games * SEARCHES_A_GAME * s->a.simulations / SIMULATIONS_A_SECOND;
    text t;
    text_init_fixed(&t, out->what, sizeof out->what);
    text_printf(&t, "%zu configurations of zeno for %s: %llu games each", ablation_size(), j->v->name,
                2 * (unsigned long long)s->a.pairs);
    return HOLOS_OK;
}

/* ---- The run ----------------------------------------------------------------------------------- */

static holos_status file_make(const job *j, const char *name, void (*write)(const ablation *a, text *out),
                              holos_error *err)
{
    const ablate_state *s = j->state;
    text path, content;
    path_of(j, name, &path);
    text_init(&content);
    write(&s->a, &content);
    holos_status status = path.failed || content.failed
                              ? error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for %s", name)
                              : file_put(path.data, content.data, content.length, err);
    text_free(&path);
    text_free(&content);
    return status;
}

static void log_write_all(const ablation *a, text *out)
{
    text_string(out, LOG_HEAD);
    text_string(out, a->log.data);
}

static holos_status tables_write(const job *j, holos_error *err)
{
    holos_status status = file_make(j, "ablation.csv", ablation_csv, err);
    if (status == HOLOS_OK)
        status = file_make(j, "ablation.svg", ablation_svg, err);
    return status == HOLOS_OK ? file_make(j, "moves.csv", log_write_all, err) : status;
}

static holos_status checkpoint_load(job *j, holos_error *err)
{
    ablate_state *s = j->state;
    text path, file;
    path_of(j, CHECKPOINT, &path);
    text_init(&file);
    holos_status status = file_read(path.data, 0, &file, err);
    if (status == HOLOS_OK && !ablation_read(&s->a, file.data, file.length))
        status = error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                           "%s is damaged, or was made with another game, seed, --simulations or --opening",
                           path.data);
    text_free(&path);
    text_free(&file);
    return status;
}

/* What was played is kept, also if the run ends here with an error. */
static holos_status checkpoint_make(const job *j, holos_status so_far, holos_error *err)
{
    holos_error second;
    holos_status status = file_make(j, CHECKPOINT, ablation_write, so_far == HOLOS_OK ? err : &second);
    return so_far == HOLOS_OK ? status : so_far;
}

static holos_status configurations_run(job *j, holos_error *err)
{
    ablate_state *s = j->state;
    holos_status status = HOLOS_OK;
    for (size_t i = 0; status == HOLOS_OK && i < ablation_size(); i++) {
        progress_begin(j->progress, ablation_name(i), "pairs", s->a.pairs);
        progress_add(j->progress, s->a.counts[i].pairs);
        while (status == HOLOS_OK && s->a.counts[i].pairs < s->a.pairs) {
            uint64_t before = s->a.counts[i].pairs;
            status = ablation_step(&s->a, i, (zeno_until){j->o->limits.stop, CLOCK_NEVER}, err);
            progress_add(j->progress, s->a.counts[i].pairs - before);
            if (s->a.counts[i].pairs > before && j->folder != NULL)
                status = checkpoint_make(j, status, err);
        }
        progress_end(j->progress);
    }
    return status;
}

/* The same positions and network give the same thresholds: a run that goes on finds them again. */
static holos_status calibrate(job *j, holos_error *err)
{
    ablate_state *s = j->state;
    const ablate_settings *asked = j->settings;
    zeno_options o = zeno_options_full(j->v);
    s->a.thresholds = o.thresholds;
    if (asked->calibrate == 0)
        return HOLOS_OK;
    holos_status status = zeno_calibrate(j->v, &o, &s->model, (uint32_t)asked->calibrate, s->a.seed,
                                         (zeno_until){j->o->limits.stop, CLOCK_NEVER}, &s->calibration, err);
    s->a.thresholds = s->calibration.thresholds;
    return status;
}

static holos_status ablate_run(job *j, holos_error *err)
{
    ablate_state *s = j->state;
    holos_status status = j->o->start == HOLOS_JOB_RESUME ? checkpoint_load(j, err) : HOLOS_OK;
    if (status == HOLOS_OK && j->folder != NULL)
        status = file_make_folder(j->folder, err);
    if (status == HOLOS_OK)
        status = pool_open(j->o->threads, &s->a.threads, err);
    if (status != HOLOS_OK)
        return status;
    status = calibrate(j, err);
    if (status == HOLOS_OK)
        status = configurations_run(j, err);
    pool_close(s->a.threads);
    s->a.threads = NULL;
    return status == HOLOS_OK && j->folder != NULL ? tables_write(j, err) : status;
}

static void ablate_report(job *j, holos_report *r)
{
    const ablate_state *s = j->state;
    report_text(r, "kind", NULL, "ablation");
    report_open(r, "calibration", "thresholds", HOLOS_FIELD_GROUP);
    report_count(r, "positions", "positions", s->calibration.positions);
    report_real(r, "entropy", "H_v below", s->a.thresholds.entropy);
    report_real(r, "gap", "G above", s->a.thresholds.gap);
    report_real(r, "variance", "Var_Q below", s->a.thresholds.variance);
    report_real(r, "stops", "stops", s->calibration.stops);
    report_close_field(r);
    report_open(r, "configurations", "configurations", HOLOS_FIELD_ROWS);
    for (size_t i = 0; i < ablation_size(); i++) {
        const ablation_count *c = &s->a.counts[i];
        ablation_row row = ablation_row_of(c);
        report_open(r, NULL, NULL, HOLOS_FIELD_GROUP);
        report_text(r, "configuration", "configuration", ablation_name(i));
        report_count(r, "games", "games", 2 * c->pairs);
        report_count(r, "wins", "won", c->wins);
        report_count(r, "draws", "drawn", c->draws);
        report_count(r, "losses", "lost", c->losses);
        report_real(r, "score", "score", row.score);
        report_real(r, "elo", "Elo", row.elo);
        report_real(r, "error", "±", row.error);
        report_real(r, "p", "p", row.probability);
        report_real(r, "simulations", "simulations", row.simulations);
        report_real(r, "saved", "saved", row.saved);
        report_real(r, "tactical", "tactical", row.tactical);
        report_real(r, "early", "early", row.early);
        report_real(r, "lambda", "lambda", row.lambda);
        report_real(r, "entropy", "H_v", row.entropy);
        report_close_field(r);
    }
    report_close_field(r);
}

const job_kind job_ablation = {
    .about = {.name = "ablation",
              .summary = "what each layer of the zeno engine is worth",
              .operands = "",
              .keeps = true},
    .record = "ablate.json",
    .options = ablate_options,
    .settings_size = sizeof(ablate_settings),
    .open = ablate_open,
    .plan = ablate_plan,
    .run = ablate_run,
    .report = ablate_report,
    .close = ablate_close,
};
