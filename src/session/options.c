/* SPDX-License-Identifier: MIT */

#include "session/options.h"

#include "engine/engine.h"

static holos_option_group group_of(const char *kind, const holos_option *options)
{
    return (holos_option_group){
        .owner = kind, .kind = HOLOS_OWNER_JOB, .use = HOLOS_USE_JOB, .purpose = kind, .options = options};
}

bool job_option_group_at(size_t index, holos_option_group *out)
{
    size_t kinds = 0;
    const char *kind = job_with_options_at(index);
    if (kind != NULL) {
        *out = group_of(kind, job_options(kind));
        return true;
    }
    while (job_with_options_at(kinds) != NULL)
        kinds++;
    return game_option_group_at(HOLOS_USE_JOB, index - kinds, out);
}

/* An experiment is part of the game that it is about, and known by its own name. */
bool experiment_option_group_at(size_t index, holos_option_group *out)
{
    if (!game_option_group_at(HOLOS_USE_EXPERIMENT, index, out))
        return false;
    out->owner = out->purpose;
    out->kind = HOLOS_OWNER_EXPERIMENT;
    return true;
}

holos_status job_settings_check(const holos_variant *v, const char *kind, const holos_settings *settings,
                                holos_error *err)
{
    char what[128];
    text t;
    text_init_fixed(&t, what, sizeof what);
    text_printf(&t, "the %s job of %s", kind, v->name);
    const holos_game_options *game = game_options(v->game, HOLOS_USE_JOB, kind);
    holos_option_group parties[2] = {group_of(kind, job_options(kind))};
    if (game != NULL)
        parties[1] = (holos_option_group){.owner = v->game->name, .options = game->options};
    return settings_check(settings, parties, game != NULL ? 2 : 1, job_option_group_at, what, err);
}

bool holos_option_group_at(holos_use use, size_t index, holos_option_group *out)
{
    static option_groups *const uses[] = {[HOLOS_USE_SOLVE] = solve_option_group_at,
                                          [HOLOS_USE_GENERATE] = generate_option_group_at,
                                          [HOLOS_USE_JOB] = job_option_group_at,
                                          [HOLOS_USE_EXPERIMENT] = experiment_option_group_at,
                                          [HOLOS_USE_PLAY] = play_option_group_at};
    return out != NULL && (size_t)use < sizeof uses / sizeof *uses && uses[use](index, out);
}
