/* SPDX-License-Identifier: MIT */

/* The ranks of a cluster as a kind of a game sees them, which knows nothing of clusters (game/jobs.h). */

#include "cluster/model.h"
#include "cluster/tasks.h"
#include "core/file.h"
#include "session/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static holos_status company_agree(void *context, holos_status status, holos_error *err)
{
    const holos_job *j = context;
    return holos_cluster_agree(j->options.cluster, status, err);
}

static void company_share(void *context, void *bytes, size_t size)
{
    const holos_job *j = context;
    cluster_share(j->options.cluster, bytes, size, 0);
}

static holos_status company_run(void *context, const job_tasks *tasks, const job_work *work, holos_error *err)
{
    const holos_job *j = context;
    return tasks_run(j->options.cluster, tasks, work, &j->stop, err);
}

static void company_traffic(void *context, uint64_t *bytes, uint64_t *messages)
{
    const holos_job *j = context;
    uint64_t sums[2] = {j->options.cluster->bytes, j->options.cluster->messages};
    cluster_sum(j->options.cluster, sums, 2);
    *bytes = sums[0];
    *messages = sums[1];
}

void ranks_meet(holos_job *j)
{
    holos_cluster *c = j->options.cluster;
    if (c == NULL)
        return;
    j->company = (job_company){.context = j,
                               .rank = c->rank,
                               .ranks = c->ranks,
                               .agree = company_agree,
                               .share = company_share,
                               .run = company_run,
                               .traffic = company_traffic};
    j->base.company = &j->company;
}

/* ---- A folder that all of them see -------------------------------------------------------------- */

/* Rank 0 puts a file there whose name nobody could have guessed: its path. */
static holos_status mark_make(const char *folder, char **path, holos_error *err)
{
    text named;
    text_init(&named);
    text_printf(&named, "%s/ranks", folder);
    *path = named.failed ? NULL : file_temporary_name(named.data);
    text_free(&named);
    return *path != NULL ? file_put(*path, "", 0, err) : error_system(err, "a file for all ranks");
}

/* Whether this rank sees it in its folder. */
static bool mark_seen(const char *folder, const char *name)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    return length < (int)sizeof path && access(path, F_OK) == 0;
}

holos_status ranks_check_folder(holos_job *j, holos_error *err)
{
    holos_cluster *c = j->options.cluster;
    if (c == NULL || !j->kind->reads_others || j->base.folder == NULL)
        return HOLOS_OK;
    char name[64] = "", *path = NULL;
    holos_status status = c->rank == 0 ? mark_make(j->base.folder, &path, err) : HOLOS_OK;
    status = holos_cluster_agree(c, status, err);
    if (status == HOLOS_OK) {
        if (path != NULL)
            snprintf(name, sizeof name, "%s", strrchr(path, '/') + 1);
        cluster_share(c, name, sizeof name, 0);
        if (!mark_seen(j->base.folder, name))
            status = error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                               "%s is another folder here; a %s job needs a folder that all ranks see, on a "
                               "disk that their machines share",
                               j->base.folder, j->kind->about.name);
        status = holos_cluster_agree(c, status, err);
        if (path != NULL)
            unlink(path);
    }
    free(path);
    return status;
}

/* ---- The plan ------------------------------------------------------------------------------------ */

void ranks_plan(const holos_job *j, holos_plan *out)
{
    const holos_job_options *o = &j->options;
    unsigned ranks = o->cluster != NULL ? o->cluster->ranks : o->ranks;
    if (ranks == 0 || j->base.tasks == NULL)
        return;
    model_plan model = model_tasks(j->base.tasks, ranks, o->threads, MODEL_MACHINE);
    out->ranks = ranks;
    out->traffic = model.traffic;
    out->seconds = model.seconds * o->threads; /* they are divided by them later */
}
