/* SPDX-License-Identifier: MIT */

/* The tasks of a job (game/jobs.h) over the ranks of a cluster: handed out one by one, each once those that it waits for are done. */

#ifndef HOLOS_CLUSTER_TASKS_H
#define HOLOS_CLUSTER_TASKS_H

#include "cluster/cluster.h"
#include "game/jobs.h"

/* In which order tasks that are ready go out: the one with the longest chain of tasks behind it first, then the longest. */
holos_status tasks_order(const job_tasks *tasks, uint32_t *out, holos_error *err);

/* All ranks together. A failure or a request to stop in one of them, by `stop`, ends the work of all. */
holos_status tasks_run(holos_cluster *c, const job_tasks *tasks, const job_work *work, const holos_stop *stop,
                       holos_error *err);

#endif
