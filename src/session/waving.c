/* SPDX-License-Identifier: MIT */

#include "session/waving.h"

#include "session/cluster_wave.h"
#include "session/job.h"

#include <stdlib.h>
#include <unistd.h>

holos_status waving_place_check(const job *j, const char *path, holos_error *err)
{
    bool there = path != NULL && access(path, F_OK) == 0;
    if (there && j->o->start == HOLOS_JOB_NEW)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "%s already holds a hologram; --resume continues it, --restart starts over",
                         j->o->store);
    char *kept = shared_wave_place(j);
    bool begun = cluster_wave_kept(kept);
    free(kept);
    bool stranded = j->o->start == HOLOS_JOB_RESUME && !there && j->o->cluster == NULL;
    if (begun && (j->o->start == HOLOS_JOB_NEW || stranded))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "%s holds an exploration of a cluster that has not ended; --resume with --cluster "
                         "continues it, --restart starts over",
                         j->o->store);
    /* What a batch system starts again may not have got to its first checkpoint: in a cluster, --resume also begins. */
    if (!there && j->o->start == HOLOS_JOB_RESUME && j->o->cluster == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s holds no hologram to continue", j->o->store);
    if (there && j->o->start == HOLOS_JOB_RESTART && !holos_hologram_is_at(path))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "%s is not a hologram, and is left alone; give a new folder", path);
    char what[160];
    if (path != NULL && !there && place_other(j->o->store, what, sizeof what))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s holds %s; a hologram needs its own folder",
                         j->o->store, what);
    return HOLOS_OK;
}

holos_status waving_place(const job *j, char **out, holos_error *err)
{
    *out = NULL;
    if (j->o->store == NULL)
        return HOLOS_OK;
    if (j->folder == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "a hologram is kept in a folder: write --store file:DIR, not \"%s\"", j->o->store);
    text path;
    text_init(&path);
    place_beside(j->o->store, JOB_HOLOGRAM, &path);
    *out = path.failed ? NULL : strdup(path.data);
    text_free(&path);
    return *out == NULL ? error_system(err, "a hologram") : waving_place_check(j, *out, err);
}

holos_wave_options waving_options(const job *j, const waving_settings *asked)
{
    return (holos_wave_options){
        .limits = {.memory = j->o->limits.memory, .stop = j->o->limits.stop},
        .threads = j->o->threads,
        .seed = j->o->seed,
        .frontier = asked->frontier,
        .backward_depth = (unsigned)asked->back_depth,
        .class_size = asked->class_size,
        .boundary_seeds = asked->boundary,
        .lightning_depth = (unsigned)asked->probe_depth,
        .crystal_points = (unsigned)asked->crystal_points,
        .crystal_layers = (unsigned)asked->crystal_layers,
        .spine_boundary = asked->spine_boundary,
        .no_backward = asked->no_back,
        .no_classes = asked->no_classes,
        .all_moves = asked->all_moves,
        .spill = asked->spill,
        .boundary = j->o->boundary,
    };
}
