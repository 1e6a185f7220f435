/* SPDX-License-Identifier: MIT */

/* Inside the files wave*.c. */

#ifndef HOLOS_CLUSTER_WAVE_INSIDE_H
#define HOLOS_CLUSTER_WAVE_INSIDE_H

#include "cluster/exchange.h"
#include "cluster/wave.h"
#include "engine/wave/round.h"

#define WAVE_SENT        32768 /* keys that a rank remembers to have sent; a power of two */
#define WAVE_SLICE_LEAST 16    /* positions between two exchanges */

/* Where a run is: what a checkpoint goes on with. */
typedef enum wave_phase {
    PHASE_LAYERS, /* before the next layer */
    PHASE_LAYER,  /* in the middle of one */
    PHASE_SWEEP,  /* before values flow */
    PHASE_SETTLE, /* likewise, for the last time */
} wave_phase;

/* What the ranks tell each other between two steps: sums. */
enum {
    FACT_WAITING, /* positions of the layer that are not done */
    FACT_NEXT,    /* and of the layer that it makes */
    FACT_EXPANDED,
    FACT_POSITIONS,
    FACT_SOLVED,
    FACT_STOP, /* somebody asks to stop */
    FACT_TIME, /* rank 0: the time is over */
    FACT_FULL, /* a rank has no more room */
    FACT_CROSSING,
    FACT_SAVE, /* rank 0: it is time for a checkpoint */
    FACT_FAILED,
    FACTS
};

/* One of the two waves: forward from the seeds, or back from the boundary. */
typedef struct wave_way {
    layers *layers;
    unsigned *next;    /* the layer to expand next: holos_wave.next_forward or next_backward */
    uint64_t *limited; /* likewise, forward_limited or backward_limited */
    uint32_t most;     /* neighbours of a position */
    exchange x;        /* positions that were reached */
    uint64_t *
        record; /* one of them: the key, what a backward wave says of it, the position where positions are kept */
    size_t record_words;
    /* Over all ranks, by layer; see layers_gather. */
    uint64_t *counts, *waiting;
    unsigned depth;
    uint64_t done; /* positions of all layers */
} wave_way;

typedef struct wave_retracing wave_retracing;

struct cluster_wave {
    cluster_wave_request q;
    holos_wave *w;
    holos_cluster *c;
    wave_way forward, backward;
    wave_way *way;   /* the one whose layer is being expanded */
    holos_key *sent; /* of late, by hash: their owners have them in this layer */
    shard_result taken;
    wave_retracing *retracing; /* NULL where no wave runs back */
    layer *whole;              /* the counts of a layer over all ranks */
    uint64_t facts[FACTS];
    uint64_t *each; /* what each rank says */

    wave_phase phase;
    uint64_t nodes_base; /* expanded before this exploration began, which may have been before a restart */
    bool interrupted;    /* all ranks know */
    bool failed;         /* likewise: some rank has */
    holos_status status; /* of this rank: what all will be told of */
    holos_error error;
    double sweep_until, saved;
    uint64_t generation; /* of the last checkpoint; 0: none */
    uint64_t label;      /* what a checkpoint must have in common with this exploration */
};

/* Notes the first failure of this rank. */
void wave_fail(cluster_wave *g, holos_status status, const holos_error *err);
/* Moves positions to disk before memory runs out. False: there is no room for so many more. */
bool wave_room_make(cluster_wave *g, uint64_t insertions, const layer *keep);
/* Whether somebody asks to stop, but not because the time is over. */
bool wave_stop_asked(const cluster_wave *g);

static inline bool way_is_back(const cluster_wave *g)
{
    return g->way == &g->backward;
}

/* wave.c: sums up what the ranks know, with the layer that is being expanded and the one that it makes (or NULL); and whether
 * they may go on, by that. */
void wave_facts(cluster_wave *g, const layer *from, const layer *to);
bool wave_may_go_on(cluster_wave *g);

/* wave_layer.c: expands what is not done of a layer of g->way. False: stopped by a limit. */
bool wave_layer_run(cluster_wave *g, unsigned depth);
/* Counts what has been taken into a layer. */
void wave_taken(cluster_wave *g);

/* wave_back.c. A round of a backward layer: positions are looked at, what they give is collected by its owners, and when all
 * have it, it is decided who joins. */
holos_status retracing_open(cluster_wave *g, holos_error *err);
void retracing_close(cluster_wave *g);
void retrace_look(cluster_wave *g, holos_key key);
void retrace_collect(cluster_wave *g, record_box *box);
void retrace_decide(cluster_wave *g, layer *to, unsigned depth);

/* wave_values.c: like wave_sweep. False: cut short. */
bool wave_sweep_shared(cluster_wave *g);

/* wave_classes.c: like classes_survey and classes_survey_if_grown. */
void wave_survey_shared(cluster_wave *g);
void wave_survey_if_grown(cluster_wave *g);

/* wave_keep.c. All ranks together. */
holos_status wave_checkpoint(cluster_wave *g, holos_error *err);

/* wave_whole.c: what rank 0 has to know at the end. */
void wave_whole(cluster_wave *g);

#endif
