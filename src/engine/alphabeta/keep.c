/* SPDX-License-Identifier: MIT */

#include "core/clock.h"
#include "core/file.h"
#include "engine/alphabeta/alphabeta.h"
#include "engine/alphabeta/checkpoint.h"

#include <unistd.h>

static void entry_restore(void *context, holos_key key, const ab_entry *entry)
{
    alphabeta *s = context;
    if (s->hot == NULL)
        *entry_make(s, key) = *entry;
    else
        s->hot->put(
            s->hot_state, key,
            &(holos_remembered){.lo = entry->lo, .hi = entry->hi, .move = entry->move, .work = entry->work});
}

/* What is remembered, one after the other: by the table, or by the game's own search. */
static bool entry_next(void *context, size_t *index, holos_key *key, ab_entry *out)
{
    const alphabeta *s = context;
    if (s->hot == NULL) {
        void *payload;
        if (!table_next(&s->table, index, key, &payload))
            return false;
        *out = *(const ab_entry *)payload;
        return true;
    }
    holos_remembered r;
    if (!s->hot->next(s->hot_state, index, key, &r))
        return false;
    *out = (ab_entry){.lo = r.lo, .hi = r.hi, .move = r.move, .work = r.work};
    return true;
}

static double pause_next(const alphabeta *s)
{
    return clock_wall() + s->settings.checkpoint_every;
}

/* If it cannot be written now, it may be the next time; whether it could in the end is told with the answer. */
static void pause_write(struct limits *l, void *context)
{
    alphabeta *s = context;
    checkpoint_write(s->settings.checkpoint, s->v, entry_next, s, NULL);
    l->next_pause = s->next_pause = pause_next(s);
}

/* Whether the checkpoint may be used as it is. */
static holos_status checkpoint_check(const alphabeta *s, holos_error *err)
{
    const alphabeta_settings *a = &s->settings;
    const holos_game *game = s->v->game;
    if (a->resume && a->restart)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "--resume and --restart contradict each other");
    const char *needs = a->resume    ? "resume"
                        : a->restart ? "restart"
                        : holos_settings_get(s->options.settings, "checkpoint-every") != NULL
                            ? "checkpoint-every"
                            : NULL;
    if (a->checkpoint == NULL)
        return needs != NULL
                   ? error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "--%s needs --checkpoint FILE", needs)
                   : HOLOS_OK;
    if (a->checkpoint_every <= 0)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "--checkpoint-every needs some time between two checkpoints, such as 10s");
    if ((game->traits & HOLOS_TRAIT_PUZZLE) != 0)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "--checkpoint: a puzzle such as %s takes none", s->v->name);
    if (game->hot != NULL && game->hot->next == NULL && !a->no_hot)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "--checkpoint: the search for %s writes none; the generic one does: add --no-hot",
                         game->name);
    bool there = access(a->checkpoint, F_OK) == 0;
    if (there && !a->resume && !a->restart)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "%s already exists; --resume continues from it, --restart starts over",
                         a->checkpoint);
    if (there && !checkpoint_is_at(a->checkpoint))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "%s is not a checkpoint of a search, and is left alone; give a new file",
                         a->checkpoint);
    if (there && a->restart && unlink(a->checkpoint) != 0)
        return error_system(err, "cannot remove %s", a->checkpoint);
    return HOLOS_OK;
}

holos_status keep_begin(alphabeta *s, holos_error *err)
{
    if (s->settings.checkpoint == NULL)
        return checkpoint_check(s, err);
    text path;
    text_init(&path);
    text_printf(&path, "%s.holos-lock", s->settings.checkpoint);
    holos_status status = path.failed ? error_system(err, "a checkpoint")
                                      : lock_take(&s->lock, path.data, s->settings.checkpoint, err);
    text_free(&path);
    if (status == HOLOS_OK)
        status = checkpoint_check(s, err);
    if (status != HOLOS_OK)
        return status;
    file_sweep_of(s->settings.checkpoint);
    s->next_pause = pause_next(s);
    return checkpoint_read(s->settings.checkpoint, s->v, entry_restore, s, err);
}

void keep_during(alphabeta *s, struct limits *l)
{
    if (s->settings.checkpoint == NULL)
        return;
    l->pause = pause_write;
    l->pause_context = s;
    l->next_pause = s->next_pause;
}

holos_status keep_end(alphabeta *s, holos_error *err)
{
    if (s->settings.checkpoint == NULL)
        return HOLOS_OK;
    return checkpoint_write(s->settings.checkpoint, s->v, entry_next, s, err);
}
