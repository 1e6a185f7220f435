/* SPDX-License-Identifier: MIT */

/* The public functions about experiments. */

#include "game/experiment.h"
#include "session/options.h"

#include <stdlib.h>

/* The game whose experiment is at `index` of all; then *out is that one. */
static const holos_game *game_of(size_t index, const holos_experiment **out)
{
    const holos_game *game;
    for (size_t g = 0; (game = holos_game_at(g)) != NULL; g++)
        for (const holos_experiment *e = game->experiments; e != NULL && e->name != NULL; e++)
            if (index-- == 0) {
                *out = e;
                return game;
            }
    return NULL;
}

const holos_experiment *holos_experiment_at(size_t index)
{
    const holos_experiment *e;
    return game_of(index, &e) != NULL ? e : NULL;
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

static const holos_game_options *options_of(const holos_experiment *wanted)
{
    const holos_experiment *e;
    const holos_game *game;
    for (size_t i = 0; (game = game_of(i, &e)) != NULL; i++)
        if (e == wanted)
            return game_options(game, HOLOS_USE_EXPERIMENT, e->name);
    return NULL;
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

holos_status holos_experiment_run(const holos_experiment *e, const holos_experiment_options *options,
                                  holos_experiment_result *out, holos_error *err)
{
    static const holos_experiment_options none;
    void *settings = NULL;
    text words;
    if (e == NULL || out == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "an experiment and a place for its result are needed");
    *out = (holos_experiment_result){0};
    options = options != NULL ? options : &none;
    holos_status status = settings_read(e, options->settings, &settings, err);
    if (status != HOLOS_OK)
        return status;
    text_init(&words);
    struct limits limits;
    limits_begin(&limits, &options->limits, NULL);
    experiment_task task = {.settings = settings,
                            .folder = options->folder,
                            .limits = &limits,
                            .quick = options->quick,
                            .json = options->json};
    status = e->run(&task, &words, out, err);
    free(settings);
    out->text = words.failed ? NULL : strdup(words.data);
    text_free(&words);
    return status == HOLOS_OK && out->text == NULL ? error_system(err, "the experiment %s", e->name) : status;
}

void holos_experiment_result_free(holos_experiment_result *result)
{
    if (result == NULL)
        return;
    free(result->text);
    result->text = NULL;
}
