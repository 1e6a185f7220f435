/* SPDX-License-Identifier: MIT */

#include "cluster/model.h"

#include "cluster/tasks.h"

#include <math.h>
#include <stdlib.h>

/* Of the keys that would travel, those that do: what was sent of late is not sent again (connect4:5x4). */
#define SENT_SHARE 0.65
/* Bytes of an answer: four, and eight more if it comes late. connect4:5x4: 4, kalah:3,4: 12. */
#define ANSWER_BYTES 7.0
/* A byte of a finished tier that comes from another rank goes to memory that the system has to clear first (two and four ranks of
 * `holos bench cluster`). */
#define FRESH_SECONDS 1.2e-9
/* A byte of what a kernel works out before it begins, which every rank does for itself (kalah:6,4 with 24 seeds: 34 MB, 0.09 s). */
#define KERNEL_SECONDS 2.7e-9
/* A position of a database that is spread: processor time, and bytes if all successors were in other ranks (`mpirun -n 2 holos build
 * kalah:4,3 --spread --cluster --json`). */
#define SPREAD_SECONDS 2.5e-7
#define SPREAD_BYTES   50.0
#define SPREAD_RECORDS 4.2
#define SPREAD_SLICE   4096.0
/* Positions of a slice: as in owner.h; and where values come by height, about as in values.c. */
#define SLICE_POSITIONS       16384.0
#define SLICE_POSITIONS_LEAST 1024.0
#define SLICE_POSITIONS_MOST  8192.0
#define LOW_SLICES            128.0
/* Calls of all ranks for a slice, while positions are reached, and valued; and while a database that is spread is. */
#define REACH_CALLS  2.0
#define VALUE_CALLS  4.0
#define SPREAD_CALLS 4.0

static double doublings(unsigned ranks)
{
    return ranks > 1 ? log2((double)ranks) : 0;
}

/* How many of so many ranks or threads can run at once. */
static double at_once(double wanted, model_machine machine)
{
    return machine.cores > 0 && wanted > machine.cores ? machine.cores : wanted;
}

/* The positions of a tier, and what of them the busiest rank has: its largest part bounds a tier. */
static double tier_load(const holos_variant *v, uint32_t tier, double ranks, double *busiest)
{
    const holos_index *index = v->game->index;
    double all = 0, largest = 0;
    for (uint32_t part = 0; part < index->parts(v, tier); part++) {
        double size = (double)index->size(v, tier, part);
        all += size;
        largest = size > largest ? size : largest;
    }
    *busiest = all / ranks > largest ? all / ranks : largest;
    return all;
}

/* All of a database: its positions, and what the busiest rank has of each tier. */
static double tiers_load(const holos_variant *v, uint32_t top, double ranks, double *busiest)
{
    double all = 0, most;
    *busiest = 0;
    for (uint32_t tier = 0; tier <= top; tier++) {
        all += tier_load(v, tier, ranks, &most);
        *busiest += most;
    }
    return all;
}

model_plan model_database(const holos_variant *v, uint32_t top, unsigned ranks, unsigned machines,
                          unsigned threads, double seconds, uint64_t memory, model_machine machine)
{
    model_plan out = {.memory = memory};
    double running = at_once(ranks, machine), travel = 0, busiest, calls = 0;
    double receiving = at_once(machines, machine);
    double own_threads = at_once((double)ranks * threads, machine) / running;
    double positions = tiers_load(v, top, running, &busiest);
    for (uint32_t tier = 0; tier <= top && ranks > 1; tier++) {
        double most, bytes = tier_load(v, tier, 1, &most);
        travel += tier < top ? bytes * (machines - 1) : 0;
        calls += 2.0 + (machines > 1 ? v->game->index->parts(v, tier) : 0);
    }
    const holos_kernel *kernel = v->game->index->kernel;
    double before = kernel != NULL ? KERNEL_SECONDS * (double)kernel->memory(v, top) : 0;
    before = before < seconds ? before : seconds;
    out.seconds = before * ranks / running +
                  (positions > 0 ? (seconds - before) / positions : 0) * busiest / own_threads +
                  travel / machines / machine.bandwidth +
                  travel / receiving * (machine.copying + FRESH_SECONDS) +
                  calls * machine.latency * doublings(ranks);
    out.traffic = (uint64_t)travel;
    out.share = out.seconds > 0 ? seconds / threads / ranks / out.seconds : 1;
    return out;
}

double model_spread_seconds(const holos_variant *v, uint32_t top)
{
    double busiest;
    return SPREAD_SECONDS * tiers_load(v, top, 1, &busiest);
}

model_plan model_spread(const holos_variant *v, uint32_t top, double seconds, uint64_t memory, unsigned ranks,
                        model_machine machine)
{
    double busiest, running = at_once(ranks, machine), bytes = SPREAD_BYTES * (ranks - 1) / ranks;
    double positions = tiers_load(v, top, ranks, &busiest);
    /* What a rank asks and answers finds its place in the cache, unless ranks share one. */
    double records = ranks > running ? SPREAD_RECORDS * (ranks - 1) / ranks : 0;
    double crowd = ranks / running, steps = top + 1 + busiest / SPREAD_SLICE;
    model_plan out = {.memory = memory, .traffic = (uint64_t)(bytes * positions)};
    /* The others wait for the busiest; where there are more ranks than cores, they let it run. */
    double work = seconds * (busiest / positions > 1 / running ? busiest / positions : 1 / running);
    out.seconds = work + bytes * busiest / machine.bandwidth +
                  crowd * positions / ranks * (bytes * machine.copying + records * machine.cold) +
                  SPREAD_CALLS * steps * machine.latency * doublings(ranks);
    out.share = out.seconds > 0 ? seconds / ranks / out.seconds : 1;
    return out;
}

model_plan model_graph(const model_graph_costs *each, unsigned ranks, model_machine machine)
{
    model_plan out = {0};
    double key = 8.0 * each->key_words, away = (double)(ranks - 1) / ranks;
    double edges = each->positions > 0 ? each->moves / each->positions : 0;
    double bytes = (edges * (SENT_SHARE * key + key + ANSWER_BYTES) + each->row) * away;
    double records = edges * (SENT_SHARE + 2) * away; /* keys; questions and answers */
    double running = at_once(ranks, machine), mine = each->positions / ranks;
    double slices = each->layers + mine / SLICE_POSITIONS, low = mine / SLICE_POSITIONS_LEAST;
    low = low < LOW_SLICES ? low : LOW_SLICES;
    low = low > mine / SLICE_POSITIONS_MOST ? low : mine / SLICE_POSITIONS_MOST;
    double valued = each->heights ? low : slices;
    out.traffic = (uint64_t)(bytes * each->positions);
    out.memory = (uint64_t)(each->base + each->memory * mine);
    out.seconds = each->seconds / running + bytes * mine / machine.bandwidth +
                  (bytes * machine.copying + records * machine.cold) * each->positions / running +
                  (REACH_CALLS * slices + VALUE_CALLS * valued) * machine.latency * doublings(ranks);
    out.share = out.seconds > 0 ? each->seconds / ranks / out.seconds : 1;
    return out;
}

model_plan model_book(const model_book_costs *each, unsigned ranks, unsigned threads, model_machine machine)
{
    model_plan out = {.memory = each->memory};
    double running = at_once((double)ranks * threads, machine), away = (double)(ranks - 1) / ranks;
    double keys = (double)each->key * each->leaves, parts = each->leaves / each->part;
    double least = each->leaves < each->part ? each->leaves : each->part;
    double busiest = each->leaves / running > least ? each->leaves / running : least;
    double work = each->before + each->seconds * each->leaves;
    out.traffic = (uint64_t)(keys * (ranks - 1) + away * parts * (double)each->said);
    out.seconds = each->before / at_once(threads, machine) + each->seconds * busiest +
                  (ranks > 1 ? keys * (1 / machine.bandwidth + machine.copying) : 0);
    out.share = out.seconds > 0 ? work / threads / ranks / out.seconds : 1;
    return out;
}

/* The first task in an order that is neither done nor begun, and waits for nothing; `count`: there is none. Tasks end at ends[i],
 * INFINITY: not begun. */
static uint32_t task_next(const job_tasks *t, const uint32_t *order, const double *ends, double now)
{
    for (uint32_t i = 0; i < t->count; i++) {
        bool ready = ends[order[i]] == INFINITY;
        for (uint32_t k = 0; ready && k < t->count; k++)
            ready = !t->waits[(size_t)order[i] * t->count + k] || ends[k] <= now;
        if (ready)
            return order[i];
    }
    return t->count;
}

/* The next moment after `now` at which a task ends; INFINITY: none does. */
static double next_end(const job_tasks *t, const double *ends, double now, unsigned *running)
{
    double next = INFINITY;
    *running = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        *running += ends[i] > now && ends[i] < INFINITY;
        if (ends[i] > now && ends[i] < next)
            next = ends[i];
    }
    return next;
}

/* Ranks that do tasks. */
typedef struct tasks_plan {
    const job_tasks *tasks;
    const uint32_t *order;
    model_machine machine;
    double running, own_threads; /* ranks that run at once, and threads of each */
    double away;                 /* the share of what is read that comes from other ranks */
    double *ends;                /* of tasks; where none waits, of ranks: when they are free */
    double reads, work;
} tasks_plan;

/* The end of a task that begins now. */
static double task_plan(tasks_plan *p, uint32_t task, double now)
{
    const job_task *one = &p->tasks->list[task];
    double read = p->away * (double)one->reads;
    p->reads += read;
    p->work += one->seconds;
    return now + one->seconds / p->own_threads + read / p->machine.bandwidth + p->machine.latency;
}

/* The end of the last task. */
static double waiting_plan(tasks_plan *p)
{
    const job_tasks *t = p->tasks;
    double now = 0, next = 0;
    for (uint32_t i = 0; i < t->count; i++)
        p->ends[i] = t->list[i].done ? 0 : INFINITY;
    while (next < INFINITY) {
        unsigned busy;
        uint32_t task = t->count;
        next = next_end(t, p->ends, now, &busy);
        if (busy < p->running)
            task = task_next(t, p->order, p->ends, now);
        if (task < t->count)
            p->ends[task] = next = task_plan(p, task, now);
        else if (next < INFINITY)
            now = next;
    }
    return now;
}

/* The same for tasks that do not wait: each goes to the rank that is free first. */
static double free_plan(tasks_plan *p)
{
    uint32_t ranks = p->running < p->tasks->count ? (uint32_t)p->running : p->tasks->count;
    double last = 0;
    for (uint32_t i = 0; i < p->tasks->count; i++) {
        uint32_t first = 0;
        if (p->tasks->list[p->order[i]].done)
            continue;
        for (uint32_t k = 1; k < ranks; k++)
            first = p->ends[k] < p->ends[first] ? k : first;
        p->ends[first] = task_plan(p, p->order[i], p->ends[first]);
        last = p->ends[first] > last ? p->ends[first] : last;
    }
    return last;
}

model_plan model_tasks(const job_tasks *t, unsigned ranks, unsigned threads, model_machine machine)
{
    model_plan out = {0};
    uint32_t *order = calloc(t->count + 1, sizeof *order);
    double *ends = calloc(t->count + 1, sizeof *ends), running = at_once(ranks, machine);
    tasks_plan p = {.tasks = t,
                    .order = order,
                    .machine = machine,
                    .running = running,
                    .own_threads = at_once((double)ranks * threads, machine) / running,
                    .away = (double)(ranks - 1) / ranks,
                    .ends = ends};
    if (order != NULL && ends != NULL && tasks_order(t, order, NULL) == HOLOS_OK)
        out.seconds = t->waits != NULL ? waiting_plan(&p) : free_plan(&p);
    out.seconds += p.away * t->before / p.own_threads;
    out.traffic = (uint64_t)p.reads;
    out.share = out.seconds > 0 ? p.work / threads / ranks / out.seconds : 1;
    free(order);
    free(ends);
    return out;
}
