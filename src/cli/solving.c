/* SPDX-License-Identifier: MIT */

#include "cli/solving.h"

#include <stdlib.h>
#include <string.h>

typedef struct solving_worker {
    const solving *context;
    holos_solver *solver;
    uint64_t nodes;
    holos_result results[HOLOS_SOLVE_MANY];
    holos_status statuses[HOLOS_SOLVE_MANY];
} solving_worker;

static holos_status worker_open(const void *context, unsigned workers, void **out, holos_error *err)
{
    solving_worker *w = calloc(1, sizeof *w);
    if (w == NULL)
        return error_system(err, "solving");
    w->context = context;
    holos_solver_options own = w->context->options;
    own.limits.memory /= workers;
    *out = w;
    holos_status status = holos_solver_open(w->context->format.v, &own, &w->solver, err);
    const char *lacks = holos_solver_lacks(w->solver);
    if (lacks != NULL && w->context->told != NULL && !atomic_exchange(w->context->told, true))
        log_write(w->context->log, LOG_LEVEL_WARNING, "%s", lacks);
    return status;
}

static void worker_close(void *worker)
{
    solving_worker *w = worker;
    holos_solver_close(w->solver);
    free(w);
}

static void worker_write(solving_worker *w, batch_item *item, holos_status status, const holos_result *result,
                         const holos_error *err)
{
    const answer_format *format = &w->context->format;
    item->failed = status != HOLOS_OK && status != HOLOS_LIMIT && status != HOLOS_INTERRUPTED;
    if (item->failed) {
        item->status = answer_error(item->answer, format, item->question, err);
        return;
    }
    w->nodes += result->nodes;
    item->status = answer_write(item->answer, format, item->question, item->position, status, result);
}

static void worker_answer(void *worker, batch_item *items, size_t count)
{
    solving_worker *w = worker;
    holos_error err = {0};
    if (count > 1) {
        holos_solver_solve_many(w->solver, items[0].position, count, w->results, w->statuses);
        for (size_t i = 0; i < count; i++)
            worker_write(w, &items[i], w->statuses[i], &w->results[i], &err);
        return;
    }
    holos_status status = holos_solver_solve(w->solver, items[0].position, &w->results[0], &err);
    worker_write(w, &items[0], status, &w->results[0], &err);
}

static void worker_refuse(const void *context, const char *question, const holos_error *err, text *out)
{
    answer_error(out, &((const solving *)context)->format, question, err);
}

static uint64_t worker_nodes(const void *worker)
{
    return ((const solving_worker *)worker)->nodes;
}

/* How many positions a solver takes at once without making anybody wait for a slow one. */
static size_t block_of(const solving *context)
{
    holos_solver *solver;
    if (holos_solver_open(context->format.v, &context->options, &solver, NULL) != HOLOS_OK)
        return 1; /* the workers will say why */
    size_t block = holos_solver_takes_many(solver) ? HOLOS_SOLVE_MANY : 1;
    holos_solver_close(solver);
    return block;
}

cli_status solving_run(cli *c, const solving *s, batch_source source, unsigned threads, batch_totals *totals)
{
    bool single = solving_is_single(&source);
    batch_kind kind = {.name = "solve",
                       .v = s->format.v,
                       .context = s,
                       .block = single ? 1 : block_of(s),
                       .open = worker_open,
                       .close = worker_close,
                       .answer = worker_answer,
                       .refuse = worker_refuse,
                       .nodes = worker_nodes};
    return batch_run(c, &kind, source, single ? 1 : threads, totals);
}
