/* SPDX-License-Identifier: MIT */

#include "cli/deducing.h"
#include "cli/interrupt.h"
#include "core/clock.h"
#include "core/pool.h"

#include <stdlib.h>

typedef struct deducing_context {
    const deducing *asked;
    holos_limits limits;
} deducing_context;

/* A thread's deductions: begun with its first question, restarted with each other. */
typedef struct deducing_worker {
    const deducing_context *context;
    holos_logic *logic;
} deducing_worker;

static holos_status worker_open(const void *context, unsigned workers, void **out, holos_error *err)
{
    (void)workers;
    deducing_worker *w = calloc(1, sizeof *w);
    if (w == NULL)
        return error_system(err, "deductions");
    w->context = context;
    *out = w;
    return HOLOS_OK;
}

static void worker_close(void *worker)
{
    deducing_worker *w = worker;
    holos_logic_close(w->logic);
    free(w);
}

static holos_status worker_begin(deducing_worker *w, const holos_position *position, holos_error *err)
{
    const deducing_context *c = w->context;
    return w->logic == NULL ? holos_logic_open(c->asked->format.v, position, &c->limits, &w->logic, err)
                            : holos_logic_restart(w->logic, position, err);
}

static void worker_answer(void *worker, batch_item *items, size_t count)
{
    deducing_worker *w = worker;
    const deducing *d = w->context->asked;
    for (size_t i = 0; i < count; i++) {
        holos_error err;
        size_t before = items[i].answer->length;
        holos_status status = worker_begin(w, items[i].position, &err);
        if (status == HOLOS_OK) {
            d->answer(d, w->logic, &items[i]);
            status = holos_logic_status(w->logic, &err);
        }
        if (status != HOLOS_OK) {
            text_cut(items[i].answer, before); /* what a limit cut short is no answer */
            items[i].failed = true;
            items[i].status = answer_error(items[i].answer, &d->format, items[i].question, &err);
        }
    }
}

static void worker_refuse(const void *context, const char *question, const holos_error *err, text *out)
{
    const deducing_context *c = context;
    answer_error(out, &c->asked->format, question, err);
}

cli_status deducing_run(cli *c, const deducing *d)
{
    const holos_variant *v = d->format.v;
    if (holos_technique_at(holos_variant_game(v), 0) == NULL)
        return cli_usage("%s is not solved by deductions, so it has no %s", holos_variant_name(v), d->name);
    deducing_context context = {
        .asked = d,
        .limits = {.seconds = c->shared.time, .nodes = c->shared.nodes, .stop = interrupt_flag()}};
    batch_kind kind = {.name = d->name,
                       .v = v,
                       .context = &context,
                       .block = 1,
                       .open = worker_open,
                       .close = worker_close,
                       .answer = worker_answer,
                       .refuse = worker_refuse};
    unsigned threads = c->shared.threads > 0 ? (unsigned)c->shared.threads : pool_processors();
    batch_source source = batch_source_choose(c, NULL);
    source.whole = d->whole;
    batch_totals totals = {0};
    double start = clock_wall();
    cli_status status = batch_run(c, &kind, source, threads, &totals);
    output_flush(c->out);
    batch_report(c, &totals, clock_wall() - start);
    return status;
}
