/* SPDX-License-Identifier: MIT */

/* The public functions about experiments. */

#include "game/experiment.h"
#include "core/clock.h"
#include "core/file.h"
#include "core/json.h"
#include "core/progress.h"
#include "meta/lab/lab.h"
#include "session/ablation_lab.h"
#include "session/job.h"
#include "session/options.h"

#include <stdlib.h>
#include <time.h>

#define TELL_SECONDS 0.5

/* The experiment at `index` of all, and its game; those over any game come first, and have none. */
static const holos_experiment *experiment_at(size_t index, const holos_game **of)
{
    const holos_game *game;
    size_t count = 0;
    *of = NULL;
    for (; lab_experiment_at(count) != NULL; count++)
        if (count == index)
            return lab_experiment_at(index);
    if (count++ == index)
        return &ablation_lab;
    index -= count;
    for (size_t g = 0; (game = holos_game_at(g)) != NULL; g++)
        for (const holos_experiment *e = game->experiments; e != NULL && e->name != NULL; e++)
            if (index-- == 0) {
                *of = game;
                return e;
            }
    return NULL;
}

const holos_experiment *holos_experiment_at(size_t index)
{
    const holos_game *game;
    return experiment_at(index, &game);
}

const holos_experiment *holos_experiment_find(const char *name)
{
    const holos_experiment *e;
    for (size_t i = 0; name != NULL && (e = holos_experiment_at(i)) != NULL; i++)
        if (strcmp(e->name, name) == 0)
            return e;
    return NULL;
}

const char *holos_experiment_name(const holos_experiment *e)
{
    return e != NULL ? e->name : NULL;
}

const char *holos_experiment_summary(const holos_experiment *e)
{
    return e != NULL ? e->summary : NULL;
}

static const holos_game *game_of(const holos_experiment *wanted)
{
    const holos_experiment *e;
    const holos_game *game;
    for (size_t i = 0; (e = experiment_at(i, &game)) != NULL; i++)
        if (e == wanted)
            return game;
    return NULL;
}

/* The one that really runs: an experiment may be another one, on the subjects of its own game. */
static const holos_experiment *real_of(const holos_experiment *e)
{
    return e->same_as != NULL ? holos_experiment_find(e->same_as) : e;
}

bool holos_experiment_takes_games(const holos_experiment *e)
{
    const holos_experiment *real = e != NULL ? real_of(e) : NULL;
    return real != NULL && real->over_games;
}

static const holos_game_options *options_of(const holos_experiment *wanted)
{
    const holos_game *game = game_of(wanted);
    return game != NULL ? game_options(game, HOLOS_USE_EXPERIMENT, wanted->name) : NULL;
}

static holos_status settings_read(const holos_experiment *e, const holos_settings *settings, void **out,
                                  holos_error *err)
{
    const holos_game_options *own = options_of(e);
    holos_option_group party = {.owner = e->name, .options = own != NULL ? own->options : NULL};
    char what[80];
    text t;
    text_init_fixed(&t, what, sizeof what);
    text_printf(&t, "the experiment %s", e->name);
    holos_status status = settings_check(settings, &party, 1, experiment_option_group_at, what, err);
    return status != HOLOS_OK ? status : game_settings_new(own, settings, out, err);
}

/* ---- Runs: jobs without a game of their own ---------------------------------------------------- */

typedef struct experiment_run {
    const holos_experiment *e;
    const holos_experiment_options *o;
    file_lock lock;
    progress progress;
    time_t began;
    double begun;
} experiment_run;

static holos_status run_lock(experiment_run *r, holos_error *err)
{
    text place, words;
    if (r->o->folder == NULL)
        return HOLOS_OK;
    text_init(&place);
    text_init(&words);
    text_printf(&place, "file:%s", r->o->folder);
    holos_status status =
        place.failed ? error_system(err, "the lock") : place_lock(&r->lock, place.data, err);
    if (status == HOLOS_OK) {
        json w = json_begin(&words);
        json_open(&w, NULL, '{');
        lock_put_owner(&w, r->began);
        if (r->o->command != NULL)
            json_put_string(&w, "command", r->o->command);
        json_put_string(&w, "game", r->e->name);
        json_put_string(&w, "kind", "experiment");
        json_close(&w);
        lock_write(&r->lock, words.data);
    }
    text_free(&place);
    text_free(&words);
    return status;
}

static void moment_put(json *w, const char *key, time_t at)
{
    text t;
    text_init(&t);
    text_moment(&t, at);
    json_put_string(w, key, t.data);
    text_free(&t);
}

/* The record of the run, as `holos status` reads it. */
static holos_status run_record(const experiment_run *r, holos_status ended, const char *message,
                               holos_error *err)
{
    text path, t;
    if (r->o->folder == NULL)
        return HOLOS_OK;
    text_init(&path);
    text_init(&t);
    text_printf(&path, "%s/lab.json", r->o->folder);
    json w = json_begin(&t);
    json_open(&w, NULL, '{');
    json_put_string(&w, "game", r->e->name);
    json_put_string(&w, "status", holos_status_name(ended));
    json_put_string(&w, "stopped", ended == HOLOS_OK ? "finished" : message);
    json_open(&w, "run", '{');
    json_put_string(&w, "version", holos_version());
    json_put_string(&w, "job", "experiment");
    if (r->o->command != NULL)
        json_put_string(&w, "command", r->o->command);
    json_put_bool(&w, "quick", r->o->quick);
    json_put_uint(&w, "seed", r->o->seed);
    moment_put(&w, "began", r->began);
    moment_put(&w, "ended", time(NULL));
    json_put_double(&w, "seconds", clock_wall() - r->begun);
    json_close(&w);
    json_close(&w);
    text_char(&t, '\n');
    holos_status status = path.failed || t.failed ? error_system(err, "the record")
                                                  : file_put(path.data, t.data, t.length, err);
    text_free(&path);
    text_free(&t);
    return status;
}

static holos_status run_check(const holos_experiment *e, const holos_experiment_options *o, holos_error *err)
{
    if (real_of(e) == NULL)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "the experiment %s is not there", e->name);
    if ((o->game != NULL || o->position != NULL || o->tables != NULL) && !holos_experiment_takes_games(e))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "--game, --position and --tables: the experiment %s is about one game alone",
                         e->name);
    return HOLOS_OK;
}

static holos_status run_do(experiment_run *r, void *settings, text *words, holos_experiment_result *out,
                           holos_error *err)
{
    struct limits limits;
    const holos_experiment_options *o = r->o;
    const holos_game *own = game_of(r->e);
    limits_begin(&limits, &o->limits, NULL);
    experiment_task task = {.settings = settings,
                            .folder = o->folder,
                            .limits = &limits,
                            .quick = o->quick,
                            .json = o->json,
                            .seed = o->seed,
                            .game = o->game != NULL         ? o->game
                                    : r->e->same_as != NULL ? own->name
                                                            : NULL,
                            .own_subjects = r->e->same_as != NULL && o->game == NULL,
                            .position = o->position,
                            .tables = o->tables,
                            .name = r->e->name,
                            .progress = &r->progress};
    progress_begin(&r->progress, r->e->name, "steps", 0);
    holos_status status = real_of(r->e)->run(&task, words, out, err);
    progress_end(&r->progress);
    return status;
}

holos_status holos_experiment_run(const holos_experiment *e, const holos_experiment_options *options,
                                  holos_experiment_result *out, holos_error *err)
{
    static const holos_experiment_options none;
    void *settings = NULL;
    holos_error own = {0};
    text words;
    err = err != NULL ? err : &own;
    if (e == NULL || out == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "an experiment and a place for its result are needed");
    *out = (holos_experiment_result){0};
    experiment_run r = {.e = e,
                        .o = options != NULL ? options : &none,
                        .lock.fd = -1,
                        .began = time(NULL),
                        .begun = clock_wall()};
    holos_status status = run_check(e, r.o, err);
    if (status == HOLOS_OK)
        status = settings_read(e, r.o->settings, &settings, err);
    if (status == HOLOS_OK)
        status = run_lock(&r, err);
    if (status != HOLOS_OK) {
        free(settings);
        return status;
    }
    text_init(&words);
    progress_init(&r.progress, r.o->progress, r.o->progress_context, TELL_SECONDS);
    status = run_do(&r, settings, &words, out, err);
    progress_free(&r.progress);
    holos_error later;
    holos_status kept = run_record(&r, status, err->message, &later);
    lock_release(&r.lock);
    free(settings);
    out->text = words.failed ? NULL : strdup(words.data);
    text_free(&words);
    if (status == HOLOS_OK && kept != HOLOS_OK)
        *err = later;
    status = status == HOLOS_OK ? kept : status;
    return status == HOLOS_OK && out->text == NULL ? error_system(err, "the experiment %s", e->name) : status;
}

void holos_experiment_result_free(holos_experiment_result *result)
{
    if (result == NULL)
        return;
    free(result->text);
    result->text = NULL;
}
