/* SPDX-License-Identifier: MIT */

#include "cluster/model.h"

#include <math.h>

/* Successors of a position that are sent on: connect4:5x4 has 2.2, kalah:4,3 has 2.6 (`holos build … --graph --json`). */
#define EDGES 2.4
/* Of the keys that would travel, those that do: what was sent of late is not sent again (connect4:5x4). */
#define SENT_SHARE 0.65
/* How much longer a rank takes for a position than a process alone, which records its edges: connect4:5x4, kalah:4,3. */
#define RANK_TIME 1.3
/* Copying a byte that travels, at both ends. */
#define BYTE_SECONDS 2e-9
/* A position of a database that is spread: processor time, and bytes if all successors were in other ranks (`mpirun -n 2 holos build
 * kalah:4,3 --spread --cluster --json`). */
#define SPREAD_SECONDS 2.5e-7
#define SPREAD_BYTES   50.0
#define SPREAD_SLICE   4096.0
/* Positions of a slice: as in owner.h. */
#define SLICE_POSITIONS 8192.0
/* Calls of all ranks for a slice, while positions are reached and valued. */
#define CALLS_EACH 6.0

static double doublings(unsigned ranks)
{
    return ranks > 1 ? log2((double)ranks) : 0;
}

/* The largest part bounds a tier: its threads share it, other ranks do not. */
static double tier_seconds(const holos_variant *v, uint32_t tier, unsigned ranks, unsigned threads,
                           double each, uint64_t *bytes)
{
    const holos_index *index = v->game->index;
    uint64_t all = 0, largest = 0;
    for (uint32_t part = 0; part < index->parts(v, tier); part++) {
        uint64_t size = index->size(v, tier, part);
        all += size;
        largest = size > largest ? size : largest;
    }
    *bytes = all;
    double even = (double)all / ranks;
    return each * (even > (double)largest ? even : (double)largest) / threads;
}

model_plan model_database(const holos_variant *v, uint32_t top, unsigned ranks, unsigned threads,
                          double seconds, uint64_t memory, model_machine machine)
{
    model_plan out = {.memory = memory};
    double positions = 0, work, travel = 0;
    uint64_t bytes;
    for (uint32_t tier = 0; tier <= top; tier++) {
        tier_seconds(v, tier, 1, 1, 0, &bytes);
        positions += (double)bytes;
    }
    double each = positions > 0 ? seconds / positions : 0;
    for (uint32_t tier = 0; tier <= top; tier++) {
        out.seconds += tier_seconds(v, tier, ranks, threads, each, &bytes);
        if (tier < top && ranks > 1) {
            travel += (double)bytes * (ranks - 1);
            out.seconds += (double)bytes * (ranks - 1) / ranks / machine.bandwidth;
        }
        out.seconds += machine.latency * doublings(ranks) * (2 + v->game->index->parts(v, tier));
    }
    work = seconds / threads / ranks;
    out.traffic = (uint64_t)travel;
    out.share = out.seconds > 0 ? work / out.seconds : 1;
    return out;
}

model_plan model_spread(const holos_variant *v, uint32_t top, uint64_t memory, unsigned ranks,
                        model_machine machine)
{
    double positions = 0, busiest = 0, away = (double)(ranks - 1) / ranks, bytes = SPREAD_BYTES * away;
    for (uint32_t tier = 0; tier <= top; tier++) {
        uint64_t all;
        busiest += tier_seconds(v, tier, ranks, 1, 1, &all); /* in positions */
        positions += (double)all;
    }
    model_plan out = {.memory = memory, .traffic = (uint64_t)(bytes * positions)};
    out.seconds = busiest * SPREAD_SECONDS + bytes * busiest * (1 / machine.bandwidth + BYTE_SECONDS) +
                  2 * (top + busiest / SPREAD_SLICE) * machine.latency * doublings(ranks);
    out.share = positions / ranks * SPREAD_SECONDS / out.seconds;
    return out;
}

model_plan model_graph(const model_graph_costs *each, unsigned ranks, model_machine machine)
{
    model_plan out = {0};
    double key = 8.0 * each->key_words, away = (double)(ranks - 1) / ranks;
    double bytes = (EDGES * (SENT_SHARE * key + (key + 4) + 8) + each->row) * away;
    double mine = each->positions / ranks;
    double slices = each->layers + mine / SLICE_POSITIONS;
    double work = RANK_TIME * each->seconds / ranks;
    out.traffic = (uint64_t)(bytes * each->positions);
    out.memory = (uint64_t)(each->base + each->memory * mine);
    out.seconds = work + bytes * mine * (1 / machine.bandwidth + BYTE_SECONDS) +
                  CALLS_EACH * slices * machine.latency * doublings(ranks);
    out.share = out.seconds > 0 ? each->seconds / ranks / out.seconds : 1;
    return out;
}
