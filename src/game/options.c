/* SPDX-License-Identifier: MIT */

/* The options that games declare. */

#include "game/game.h"

#include <stdlib.h>

const holos_game_options *game_options(const holos_game *game, holos_use use, const char *purpose)
{
    for (const holos_game_options *o = game->options; o != NULL && o->options != NULL; o++) {
        bool same = (o->purpose == NULL) == (purpose == NULL);
        if (o->use == use && same && (purpose == NULL || strcmp(o->purpose, purpose) == 0))
            return o;
    }
    return NULL;
}

holos_status game_settings_new(const holos_game_options *options, const holos_settings *settings, void **out,
                               holos_error *err)
{
    *out = NULL;
    if (options == NULL)
        return HOLOS_OK;
    *out = calloc(1, options->size);
    if (*out == NULL)
        return error_system(err, "options");
    holos_status status = option_read(options->options, settings, *out, err);
    if (status != HOLOS_OK) {
        free(*out);
        *out = NULL;
    }
    return status;
}

bool game_option_group_at(holos_use use, size_t index, holos_option_group *out)
{
    const holos_game *game;
    for (size_t g = 0; (game = holos_game_at(g)) != NULL; g++) {
        for (const holos_game_options *o = game->options; o != NULL && o->options != NULL; o++) {
            if (o->use != use || index-- > 0)
                continue;
            *out = (holos_option_group){.owner = game->name,
                                        .kind = HOLOS_OWNER_GAME,
                                        .use = use,
                                        .purpose = o->purpose,
                                        .options = o->options};
            return true;
        }
    }
    return false;
}
