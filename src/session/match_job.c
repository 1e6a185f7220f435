/* SPDX-License-Identifier: MIT */

/* A match as a job. Pairs of games are played on several threads, each with contestants of its own; they count in their order, so the
 * result does not depend on the threads. The table of games is the checkpoint. */

#include "session/match.h"

#include "core/file.h"
#include "core/list.h"
#include "core/pool.h"
#include "session/job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TABLE   "games.csv"
#define PICTURE "match.svg"

/* About, for the plan. */
#define GAME_BYTES   512
#define PLAYER_BYTES ((uint64_t)4 << 20)

typedef struct match_settings {
    uint64_t games;
    int64_t opening_plies;
    const char *sprt;
} match_settings;

static const holos_option options[] = {
    {OPTION(COUNT, match_settings, games), .name = "games", .value = "N", .fallback = "100",
     .help = "how many games to play, two for each opening"},
    {OPTION(INT, match_settings, opening_plies), .name = "opening-plies", .value = "N", .min = 0, .max = 60,
     .fallback = "6", .help = "begin games with so many random plies"},
    {OPTION(STRING, match_settings, sprt), .name = "sprt", .value = "ELO0,ELO1",
     .help = "stop as soon as it is clear (5 % error) whether A is stronger by ELO0 or by ELO1"},
    {0},
};

typedef struct match_worker {
    holos_contestant *players[2];
    match_game pair[2];
    holos_status status;
    holos_error error;
} match_worker;

typedef struct match_state {
    match_setup setup;
    double elo[2]; /* of --sprt */
    bool tests;
    match_game *games;
    size_t room;
    uint64_t count;
    match_worker *workers;
    unsigned worker_count;
    pool *pool;
    double seconds, next_checkpoint;
    double likelihood;
    const char *verdict; /* of the test, in words; NULL: none yet */
} match_state;

static const match_settings *settings_of(const job *j)
{
    return j->settings;
}

static bool match_takes(const holos_variant *v, const char *word)
{
    (void)v;
    return word[0] != 0;
}

/* ---- Opening ----------------------------------------------------------------------------------- */

static holos_status sprt_read(match_state *s, const char *words, holos_error *err)
{
    int used = 0;
    if (words == NULL)
        return HOLOS_OK;
    s->tests = sscanf(words, "%lf,%lf%n", &s->elo[0], &s->elo[1], &used) == 2 && words[used] == 0 &&
               s->elo[0] < s->elo[1] && fabs(s->elo[0]) <= 2000 && fabs(s->elo[1]) <= 2000;
    return s->tests ? HOLOS_OK
                    : error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                                "--sprt takes two numbers, the smaller one first: --sprt 0,20");
}

static holos_status match_open(job *j, holos_error *err)
{
    const match_settings *o = settings_of(j);
    match_state *s = j->state = calloc(1, sizeof *s);
    if (s == NULL)
        return error_system(err, "a match");
    if (j->o->operand_count != 2)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "a match is between two players; %zu were named",
                         j->o->operand_count);
    if (o->games < 2 || o->games % 2 != 0 || o->games > 10000000)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "--games must be even, and 2 at least: each opening is played with both colours");
    if (j->o->store != NULL && j->folder == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "a match is kept in a folder: --store file:DIR");
    s->setup = (match_setup){.v = j->v,
                             .names = {j->o->operands[0], j->o->operands[1]},
                             .seed = j->o->seed,
                             .opening_plies = (unsigned)o->opening_plies,
                             .stop = j->o->limits.stop};
    uint64_t pairs = o->games / 2;
    s->worker_count = j->o->threads < pairs ? j->o->threads : (unsigned)pairs;
    s->workers = calloc(s->worker_count, sizeof *s->workers);
    holos_status status = s->workers != NULL ? sprt_read(s, o->sprt, err) : error_system(err, "a match");
    /* One of each, to see that there are such players; the others when the match begins. */
    for (int i = 0; i < 2 && status == HOLOS_OK; i++)
        status =
            holos_contestant_open(j->v, s->setup.names[i], s->setup.stop, &s->workers[0].players[i], err);
    return status;
}

static void match_close(job *j)
{
    match_state *s = j->state;
    if (s == NULL)
        return;
    for (unsigned i = 0; s->workers != NULL && i < s->worker_count; i++)
        for (int k = 0; k < 2; k++) {
            holos_contestant_close(s->workers[i].players[k]);
            match_game_free(&s->workers[i].pair[k]);
        }
    for (uint64_t i = 0; i < s->count; i++)
        match_game_free(&s->games[i]);
    pool_close(s->pool);
    free(s->workers);
    free(s->games);
    free(s);
}

/* How long players take, nobody knows before they have played. */
static holos_status match_plan(job *j, holos_plan *out, holos_report *r, holos_error *err)
{
    const match_state *s = j->state;
    uint64_t games = settings_of(j)->games;
    text t;
    (void)err;
    report_count(r, "games", NULL, games);
    out->memory = games * GAME_BYTES + 2 * s->worker_count * PLAYER_BYTES;
    out->disk = games * GAME_BYTES;
    text_init_fixed(&t, out->what, sizeof out->what);
    text_printf(&t, "%llu games of %s", (unsigned long long)games, j->v->name);
    return HOLOS_OK;
}

/* ---- What is kept ------------------------------------------------------------------------------ */

static holos_status file_keep(const job *j, const char *name, const text *t, holos_error *err)
{
    text path;
    text_init(&path);
    text_printf(&path, "%s/%s", j->folder, name);
    holos_status status = path.failed || t->failed ? error_system(err, "a match")
                                                   : file_put(path.data, t->data, t->length, err);
    text_free(&path);
    return status;
}

static holos_status match_keep(job *j, holos_error *err)
{
    match_state *s = j->state;
    text t;
    if (j->folder == NULL)
        return HOLOS_OK;
    text_init(&t);
    match_write_table(&s->setup, s->games, s->count, &t);
    holos_status status = file_keep(j, TABLE, &t, err);
    text_clear(&t);
    match_draw(&s->setup, s->games, s->count, &t);
    if (status == HOLOS_OK)
        status = file_keep(j, PICTURE, &t, err);
    text_free(&t);
    s->next_checkpoint = clock_wall() + (j->o->checkpoint_seconds > 0 ? j->o->checkpoint_seconds : 10);
    return status;
}

static holos_status match_resume(job *j, holos_error *err)
{
    match_state *s = j->state;
    text path, table;
    if (j->folder == NULL)
        return HOLOS_OK;
    text_init(&path);
    text_init(&table);
    text_printf(&path, "%s/" TABLE, j->folder);
    bool there = !path.failed && access(path.data, F_OK) == 0;
    holos_status status = path.failed ? error_system(err, "a match") : HOLOS_OK;
    if (there && j->o->start == HOLOS_JOB_NEW)
        status =
            error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                      "%s already exists; --resume continues the match, --restart starts over", path.data);
    if (status == HOLOS_OK && there && j->o->start == HOLOS_JOB_RESUME) {
        status = file_read(path.data, 0, &table, err);
        if (status == HOLOS_OK)
            status = match_read_table(&s->setup, path.data, &table, &s->games, &s->count, err);
        s->room = s->count;
    }
    text_free(&path);
    text_free(&table);
    return status;
}

/* ---- Running ----------------------------------------------------------------------------------- */

static holos_status worker_open(match_state *s, match_worker *w, holos_error *err)
{
    holos_status status = HOLOS_OK;
    for (int i = 0; i < 2 && status == HOLOS_OK; i++)
        if (w->players[i] == NULL)
            status = holos_contestant_open(s->setup.v, s->setup.names[i], s->setup.stop, &w->players[i], err);
    return status;
}

static void pair_play(void *context, uint64_t index, unsigned worker)
{
    const job *j = context;
    match_state *s = j->state;
    match_worker *w = &s->workers[index];
    (void)worker;
    w->status = worker_open(s, w, &w->error);
    for (uint64_t i = 0; i < 2 && w->status == HOLOS_OK; i++) {
        w->status = match_play(&s->setup, w->players, s->count + 2 * index + i, &w->pair[i], &w->error);
        if (w->status == HOLOS_OK)
            progress_add(j->progress, 1);
    }
}

/* Whether the test has an answer. */
static bool test_is_over(match_state *s)
{
    holos_score score;
    match_count(s->games, s->count, &score);
    s->likelihood = s->tests ? holos_score_likelihood(&score, s->elo[0], s->elo[1]) : 0;
    if (s->likelihood >= HOLOS_SPRT_BOUND)
        s->verdict = "stronger";
    else if (s->likelihood <= -HOLOS_SPRT_BOUND)
        s->verdict = "not stronger";
    return s->verdict != NULL;
}

/* Takes over the pairs that were played, in their order, until the test is over or one failed. */
static holos_status pairs_take(match_state *s, uint64_t pairs, holos_error *err)
{
    for (uint64_t i = 0; i < pairs; i++) {
        match_worker *w = &s->workers[i];
        if (w->status != HOLOS_OK) {
            *err = w->error;
            return w->status;
        }
        if (!LIST_RESERVE(s->games, s->room, s->count + 2))
            return error_system(err, "a match");
        memcpy(&s->games[s->count], w->pair, sizeof w->pair);
        memset(w->pair, 0, sizeof w->pair);
        s->count += 2;
        if (test_is_over(s))
            return HOLOS_OK;
    }
    return HOLOS_OK;
}

static void pairs_drop(match_state *s)
{
    for (unsigned i = 0; i < s->worker_count; i++)
        for (int k = 0; k < 2; k++)
            match_game_free(&s->workers[i].pair[k]);
}

static holos_status match_run(job *j, holos_error *err)
{
    match_state *s = j->state;
    double begun = clock_wall();
    uint64_t wanted = settings_of(j)->games;
    holos_status status = match_resume(j, err);
    if (status == HOLOS_OK)
        status = pool_open(s->worker_count, &s->pool, err);
    progress_begin(j->progress, "match", "games", wanted);
    progress_add(j->progress, s->count);
    bool over = status == HOLOS_OK && test_is_over(s);
    while (status == HOLOS_OK && s->count < wanted && !over) {
        uint64_t pairs = (wanted - s->count) / 2;
        pairs = pairs < s->worker_count ? pairs : s->worker_count;
        pool_run(s->pool, pairs, pair_play, j);
        status = pairs_take(s, pairs, err);
        pairs_drop(s);
        over = s->verdict != NULL;
        if (status == HOLOS_OK && clock_wall() >= s->next_checkpoint)
            status = match_keep(j, err);
    }
    progress_end(j->progress);
    s->seconds = clock_wall() - begun;
    if (over)
        j->stopped = "the test is decided";
    holos_error later;
    bool begins = s->count > 0 && (status == HOLOS_OK || status == HOLOS_INTERRUPTED || status == HOLOS_IO ||
                                   status == HOLOS_BAD_MOVE);
    holos_status kept = begins && s->pool != NULL ? match_keep(j, &later) : HOLOS_OK;
    if (status == HOLOS_OK && kept != HOLOS_OK) {
        *err = later;
        status = kept;
    }
    return status;
}

/* ---- The report -------------------------------------------------------------------------------- */

static void score_put(holos_report *r, const holos_score *score)
{
    uint64_t games = score->wins + score->draws + score->losses;
    double points = (double)score->wins + 0.5 * (double)score->draws;
    holos_elo elo = holos_score_elo(score);
    report_count(r, "games", "games", games);
    report_count(r, "wins", "wins", score->wins);
    report_count(r, "draws", "draws", score->draws);
    report_count(r, "losses", "losses", score->losses);
    report_open(r, "pairs", NULL, HOLOS_FIELD_LIST);
    for (int i = 0; i < 5; i++)
        report_count(r, NULL, NULL, score->pairs[i]);
    report_close_field(r);
    report_real(r, "points", NULL, games > 0 ? points / (double)games : 0);
    report_real(r, "elo", NULL, elo.elo);
    report_real(r, "elo_low", NULL, elo.low);
    report_real(r, "elo_high", NULL, elo.high);
    report_real(r, "superiority", NULL, elo.superiority);
    if (games == 0)
        return;
    report_line(r, "points", "%.1f of %llu (%.1f %%)", points, (unsigned long long)games,
                100 * points / (double)games);
    report_line(r, "Elo", "%+.0f, between %+.0f and %+.0f (95 %%)", elo.elo, elo.low, elo.high);
}

static void match_report(job *j, holos_report *r)
{
    const match_state *s = j->state;
    holos_score score;
    double seconds[2] = {0};
    match_count(s->games, s->count, &score);
    for (uint64_t i = 0; i < s->count; i++)
        for (int k = 0; k < 2; k++)
            seconds[k] += s->games[i].seconds[k];
    report_open(r, "players", "", HOLOS_FIELD_ROWS);
    for (int i = 0; i < 2; i++) {
        report_open(r, NULL, NULL, HOLOS_FIELD_GROUP);
        report_text(r, "player", "player", s->setup.names[i]);
        report_seconds(r, "seconds", "thought", seconds[i]);
        report_close_field(r);
    }
    report_close_field(r);
    score_put(r, &score);
    if (s->tests) {
        report_open(r, "sprt", NULL, HOLOS_FIELD_GROUP);
        report_real(r, "elo0", NULL, s->elo[0]);
        report_real(r, "elo1", NULL, s->elo[1]);
        report_real(r, "likelihood", NULL, s->likelihood);
        report_real(r, "bound", NULL, HOLOS_SPRT_BOUND);
        report_text(r, "verdict", NULL, s->verdict != NULL ? s->verdict : "open");
        report_close_field(r);
        report_line(r, "test", "stronger by %+.0f or by %+.0f: %s (%.2f, bound %.2f)", s->elo[0], s->elo[1],
                    s->verdict != NULL ? s->verdict : "open", s->likelihood, HOLOS_SPRT_BOUND);
    }
    report_seconds(r, "seconds", "time", s->seconds);
}

extern const job_kind job_match;

const job_kind job_match = {
    .about = {.name = "match", .summary = "two players against each other", .operands = "A B", .keeps = true},
    .record = "match.json",
    .options = options,
    .settings_size = sizeof(match_settings),
    .takes = match_takes,
    .open = match_open,
    .plan = match_plan,
    .run = match_run,
    .report = match_report,
    .close = match_close,
};
