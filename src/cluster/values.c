/* SPDX-License-Identifier: MIT */

/* Values. Each position asks the owners of its successors, once, from the lowest on (heights.h), or from the deepest layer on. Whoever
 * knows a value answers at once; otherwise the question waits there until the value is known: so in a graph without cycles every question
 * is answered, whatever edges lead to, and none travels twice. A position is known when its last answer has come.
 *
 * A question travels as a key. Answers come in the order of the questions, so nothing in them need say what they answer: a word
 * is a value, or says that the question waits, under a number. Later the number comes once more, before the value.
 *
 * Positions ask in slices. When all ranks have answered a slice, its positions are valued in their order, from answers that are read in theirs: that is
 * the only time that a position's own node is looked for. Only what still waits then is kept with the node. */

#include "cluster/heights.h"
#include "cluster/values_inside.h"

#include <stdlib.h>

/* Answers to a slice come while the second one after it asks, and what asks for its positions before that comes too early. So small graphs are cut into
 * at least so many slices, unless these get too small. Two ranks of kalah:4,2: 13 % of all questions do with slices of 1,024, 70 % with 8,192. */
#define LOW_SLICES  128
#define SLICE_LEAST 1024

void values_fail(valuing *s)
{
    holos_error err;
    graph_fail(s->g,
               error_set(&err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for questions to other ranks"),
               &err);
}

/* What this rank has to say to itself; answers may lead to more of them. */
static void own_take(valuing *s)
{
    unsigned rank = s->g->q.cluster->rank;
    asks_take(s, s->asks.own.bytes, s->asks.own.size, rank);
    s->asks.own.size = 0;
    record_box now = {0};
    do {
        record_box swap = now;
        now = s->answers.own;
        s->answers.own = swap;
        s->answers.own.size = 0;
        words_take(s, now.bytes, now.size, rank);
        slices_value(s);
    } while (s->answers.own.size > 0);
    box_free(s->g->q.budget, &now);
}

/* ---- All of it --------------------------------------------------------------------------------- */

/* What has come with the last batch, and what is there for the next one. Answers come first, then this rank's own questions: what they
 * settle, others need not wait for. Returns whether with the last batch something was left to do; all ranks have heard the same. */
static bool round_run(valuing *s)
{
    cluster_graph *g = s->g;
    const exchange *asks = &s->asks, *answers = &s->answers;
    holos_error err;
    exchange_end(&s->answers);
    g->skip |= answers->failed;
    for (unsigned i = 0; answers->in.size > 0 && i < answers->c->ranks; i++)
        words_take(s, answers->in.bytes + answers->move.in_at[i], (size_t)answers->move.in_sizes[i], i);
    slices_value(s);
    early_look(s);
    own_take(s);
    exchange_end(&s->asks);
    g->skip |= asks->failed;
    bool more = answers->unfinished > 0 && !asks->failed && !answers->failed;
    for (unsigned i = 0; asks->in.size > 0 && i < asks->c->ranks; i++)
        asks_take(s, asks->in.bytes + asks->move.in_at[i], (size_t)asks->move.in_sizes[i], i);
    if (asks->no_memory || answers->no_memory)
        graph_fail(g, error_set(&err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, GRAPH_NO_MEMORY), &err);
    exchange_begin(&s->asks, s->missing, g->status != HOLOS_OK);
    exchange_begin(&s->answers, s->missing, g->status != HOLOS_OK);
    return more;
}

/* From the deepest layer on. */
static void layers_ask(valuing *s)
{
    cluster_graph *g = s->g;
    s->early_most = VALUES_SLICE / 2;
    for (size_t depth = g->layer_count; depth-- > 0;) {
        for (uint64_t first = 0; first < g->longest[depth]; first += VALUES_SLICE) {
            slice_ask(s, g->slice, slice_read(g, depth, first, VALUES_SLICE));
            round_run(s);
        }
    }
}

/* From the lowest position on. All ranks are about as high as each other: a hash has spread the positions. */
static void heights_ask(valuing *s, const heights *h)
{
    cluster_graph *g = s->g;
    holos_error err;
    if (g->q.path == NULL) /* the layers are in memory, and of no more use */
        graph_fail(g, reached_cut(&g->reached, 0, &err), &err);
    const uint64_t *all = cluster_each(g->q.cluster, h->count);
    uint64_t most = 0;
    for (unsigned i = 0; i < g->q.cluster->ranks; i++)
        most = all[i] > most ? all[i] : most;
    uint64_t slice = most / LOW_SLICES < SLICE_LEAST ? SLICE_LEAST : most / LOW_SLICES;
    slice = slice < VALUES_SLICE ? slice : VALUES_SLICE;
    s->early_most = slice / 2;
    for (uint64_t first = 0; first < most; first += slice) {
        uint64_t left = first < h->count && !graph_stopped(g) ? h->count - first : 0;
        slice_ask(s, h->words + first * g->words, left < slice ? (size_t)left : slice);
        round_run(s);
    }
}

static void all_solve(valuing *s)
{
    cluster_graph *g = s->g;
    heights h;
    uint64_t sorted = heights_sort(g, &h);
    cluster_sum(g->q.cluster, &sorted, 1);
    if (sorted == g->q.cluster->ranks)
        heights_ask(s, &h);
    else
        layers_ask(s);
    while (round_run(s)) /* all ranks make the same calls */
        ;
    exchange_end(&s->asks);
    exchange_end(&s->answers);
    heights_free(&h, g);
}

static void generated_sum(cluster_graph *g)
{
    for (size_t depth = 0; depth < g->layer_count; depth++)
        cluster_sum(g->q.cluster, &g->layers[depth].generated, 1);
}

static void partners_free(partner *all, unsigned count, mem_budget *budget)
{
    for (unsigned i = 0; all != NULL && i < count; i++) {
        COUNTED_FREE(budget, all[i].words, all[i].room);
        COUNTED_FREE(budget, all[i].late, all[i].late_room);
        numbers_free(&all[i].numbers);
    }
    free(all);
}

holos_status cluster_graph_solve(cluster_graph *g, holos_error *err)
{
    holos_cluster *c = g->q.cluster;
    valuing s = {.g = g, .free = NO_WAITER, .partners = calloc(c->ranks, sizeof *s.partners)};
    uint64_t total = 0;
    for (size_t depth = 0; depth < g->layer_count; depth++)
        total += g->layers[depth].positions;
    holos_status status = s.partners == NULL ? error_system(err, "questions to other ranks") : HOLOS_OK;
    if (status == HOLOS_OK)
        status = graph_settle_down(g->w, err);
    if (status == HOLOS_OK)
        status = table_init(&s.waiting, g->q.budget, sizeof(uint64_t), 0, err);
    if (status == HOLOS_OK)
        status = exchange_init(&s.asks, c, g->q.budget, g->words * sizeof(uint64_t), err);
    if (status == HOLOS_OK)
        status = exchange_init(&s.answers, c, g->q.budget, sizeof(uint32_t), err);
    s.answers.move.lane = 1;
    status = holos_cluster_agree(c, status, err);
    if (status == HOLOS_OK) {
        progress_begin(g->q.progress, "values", "positions", total);
        all_solve(&s);
        progress_end(g->q.progress);
        *err = g->error;
        status = holos_cluster_agree(c, g->status, err);
    }
    if (status == HOLOS_OK)
        generated_sum(g);
    exchange_free(&s.asks);
    exchange_free(&s.answers);
    table_free(&s.waiting);
    COUNTED_FREE(g->q.budget, s.waiters, s.waiter_room);
    COUNTED_FREE(g->q.budget, s.early, s.early_room);
    free(s.settled);
    slices_free(&s);
    partners_free(s.partners, c->ranks, g->q.budget);
    return status;
}
