/* SPDX-License-Identifier: MIT */

/* Inside the wave engine: what its files share. The parts:
 *
 *     nodes      what has been reached and what is known of it     layers    the order in which it was
 *     forward    breadth-first layers from the seeds               backward  the same from the boundary
 *     values     intervals flow from successors to predecessors    classes   equivalence by features
 *     lightning  crystal  osmosis  auto                            the modes
 *     hologram   the result as a file                              runs      what does not fit into memory
 *
 * What holds at any time: a node's interval contains the true value of its position. It is only ever
 * narrowed, by the rules, by a table, by the game's static bounds, or by value_of, which expands the
 * position and looks up all successors; one that is not a node counts with all it may be worth. So nothing
 * depends on who was recomputed when, on predecessors being complete, or on a mode's choices. */

#ifndef HOLOS_WAVE_WAVE_H
#define HOLOS_WAVE_WAVE_H

#include "core/clock.h"
#include "core/pool.h"
#include "engine/boundary.h"
#include "engine/scope.h"
#include "engine/wave/layers.h"
#include "engine/wave/nodes.h"
#include "game/game.h"

/* Positions that are expanded together, so that looking one up and fetching the next overlap. */
#define WAVE_BATCH 16

/* What one thread needs to look at positions. */
typedef struct wave_scratch {
    holos_position *position;
    holos_edges successors; /* room for WAVE_BATCH positions' successors; positions for one's */
    holos_edges predecessors;
    uint64_t *entries; /* what an expansion made, before it is sorted by shard */
    uint8_t *shards;
    uint64_t recomputed, changed, solved, boundary, filtered, generated, expanded, conjectures;
} wave_scratch;

typedef struct wave_seed {
    holos_key key;
    holos_wave_direction direction;
    holos_wave_mode mode;
    int32_t priority;
    unsigned depth;
} wave_seed;

typedef struct wave_classes wave_classes;
typedef struct wave_osmosis wave_osmosis;
typedef struct wave_spines wave_spines;
typedef struct wave_round wave_round;
typedef struct wave_mappings wave_mappings;
typedef struct wave_frame wave_frame;
typedef struct wave_edges wave_edges;
typedef struct wave_history wave_history;
struct hologram_writer;

/* How a wave names positions and goes on from them. */
typedef struct wave_ways {
    holos_key (*key)(const holos_variant *v, const holos_position *p);
    void (*from_key)(const holos_variant *v, holos_key key, holos_position *out); /* NULL: nodes keep them */
    uint32_t (*expand)(const holos_variant *v, const holos_position *p, holos_edges out);
    unsigned key_words;
    size_t kept; /* bytes of a position that is kept beside its node; 0: it is made from its key */
} wave_ways;

struct holos_wave {
    const holos_variant *v;
    holos_wave_options options;
    boundary_guard guard, *known; /* options.boundary; NULL: there is none */
    holos_stop stop;              /* of an error of the boundary's, and the caller's */
    mem_budget own_budget, *budget;
    size_t travel; /* bytes of the budget that nodes leave to what goes to other ranks, if a tenth is less */
    pool *threads;
    wave_scratch *scratch; /* one a thread */
    arena memory;

    /* How positions become keys, and back. */
    holos_key (*key)(const holos_variant *v, const holos_position *p);
    void (*from_key)(const holos_variant *v, holos_key key, holos_position *out); /* NULL: nodes keep them */
    uint32_t (*expand)(const holos_variant *v, const holos_position *p, holos_edges out);
    bool has_back;
    bool has_images; /* positions are kept, and symmetric ones share a key */
    scope scope;     /* where waves may run back to; made by a run from the seeds */

    /* In a cluster a wave has the positions of one part only (nodes_part_of), and the seeds of all. 0 parts: it is whole. */
    unsigned part, parts;
    nodes nodes;
    layers forward, backward;
    key_list meetings; /* in the order in which they came */
    layers meeting_format;
    wave_seed *seeds;
    size_t seed_count, seed_room;
    holos_position *seed_positions; /* NULL, or those of the seeds, most of which are other parts' */
    /* Seeds of different depths begin at different layers, so that all end at the same one: forward and backward, the
     * layer that is not expanded any more; 0: there is none. The options say, or the seeds when the first run begins. */
    unsigned reach[2];
    bool reach_decided;
    unsigned layer_cap; /* forward layers from here on are left alone, too; 0: there are none */
    wave_round *round;
    wave_classes *classes;
    wave_osmosis *osmosis;
    wave_spines *spines;
    wave_mappings *mappings;
    wave_edges *edges; /* NULL, or those of a graph; then nodes have numbers in place of values */
    wave_history *history;

    holos_wave_statistics statistics;
    unsigned next_forward, next_backward;       /* the layers that waves expand next */
    uint64_t forward_limited, backward_limited; /* positions counted as beyond the limits of depth */
    size_t crystal_next;                        /* the first meeting that has not been grown around */
    layer_place crystal_front;                  /* where the search for the front goes on */
    bool boundary_seeded;
    bool contradiction;   /* what was loaded is not true */
    bool *contradicted;   /* where threads note that */
    bool loaded;          /* from a hologram: how it came to be is not known */
    bool rests_on_tables; /* values of that hologram may */
    unsigned runs;        /* so far */
    wave_frame *frames;
    unsigned frame_count;
    bool layered; /* every edge so far leads from a layer to the next one */
    bool once;    /* each node stands in one list, once: so that it has been expanded need not be noted */
    uint64_t swept_positions; /* when values flowed last */

    /* Of the run in progress. */
    struct limits limits; /* its nodes are statistics.forward_expanded + backward_expanded, of all runs */
    double sweep_until;   /* when a sweep is cut short: what it has not come to waits for the next one */
    bool sweep_last; /* a request to stop has been seen: only sweep_until cuts the sweep that follows it */
    double sweep_seconds;  /* what a pass over a position takes */
    double survey_seconds; /* likewise for the classes */
    double save_by; /* when what follows a run (a save) must be done as well; CLOCK_NEVER: nothing does */
    double save_seconds; /* what that takes for a position */
    unsigned idle_steps; /* layers that were tried in vain, one after the other */
    bool by_question;    /* runs are questions of their own: none may cost what earlier ones have reached */
    uint64_t run_began;  /* with so many positions */
};

/* ---- wave.c ------------------------------------------------------------------------------------ */

/* As the options say: graph, unfolded, all_moves. */
wave_ways wave_ways_of(const holos_variant *v, const holos_wave_options *o);
/* Whether waves can run back, too. */
bool wave_runs_back(const holos_variant *v, const holos_wave_options *o);
/* Bytes that a node takes at the least. */
size_t wave_bytes_each(const wave_ways *ways);
/* When a run must have ended: its limit of time, with room for the save that follows what it has reached by now. */
double wave_deadline(const holos_wave *w);
/* Looks at the limits; false: one has been reached. That of time leaves room for a last sweep. */
bool wave_go_on(holos_wave *w);
/* True while all forward seeds are solved. */
bool wave_is_done(const holos_wave *w);
uint64_t wave_expanded(const holos_wave *w);
/* The predecessors of a position, but for those that cannot lie between the seeds and the boundary. */
uint32_t wave_predecessors(const holos_wave *w, const holos_position *p, holos_edges out);
/* Whether a position may lie between the seeds and the boundary; if not, the boundary may know it. */
bool wave_is_between(const holos_wave *w, const holos_position *p);
/* A place where a forward and a backward wave met. */
void wave_meet(holos_wave *w, holos_key key);
/* Moves what is in memory to disk, but the layer `keep`, if the options say where. False: they do not, or it
 * failed. Nobody may hold a node_at. */
bool wave_spill(holos_wave *w, const layer *keep, holos_error *err);
/* The bytes that may still be used before the 90 % stop. */
size_t wave_room(const holos_wave *w);

/* What is known of a position, whose node this is, as the public type has it. */
holos_value wave_value_of(const holos_wave *w, const holos_position *position, wave_node n);
bool wave_guess_of(const holos_wave *w, const holos_position *position, wave_node n, holos_guess *out);

/* Room for the edges and keys of the neighbours of so many positions, and for the neighbours of one. */
bool wave_edges_make(holos_wave *w, holos_edges *out, size_t neighbours, size_t positions);

/* Like holos_wave_open, within somebody else's budget, and with a boundary (NULL: options.boundary) whose errors are the
 * caller's affair. */
holos_status wave_open_within(const holos_variant *v, const holos_wave_options *options, mem_budget *budget,
                              boundary_guard *known, holos_wave **out, holos_error *err);
/* HOLOS_OK, or the error that the wave's own boundary met. */
holos_status wave_damage(holos_wave *w, holos_error *err);
/* False: no memory. */
bool wave_seeds_add(holos_wave *w, wave_seed seed);
/* Forgets what was asked for, and keeps what was found. */
void wave_seeds_clear(holos_wave *w);
void wave_seed_position(const holos_wave *w, size_t index, holos_position *out);
/* The node of a position, made if there was none; NODE_FORWARD or NODE_BACKWARD is how it was reached now.
 * NULL: no memory. Not for several threads at once. */
node_at wave_reach(holos_wave *w, const holos_position *p, holos_key key, unsigned flag, unsigned depth,
                   holos_error *err);

/* Keeps the one of symmetric positions that share a key which does not depend on which came first. */
void wave_image_keep(holos_wave *w, uint64_t hash, node_at at, const void *position);

/* Like nodes_insert, for a position as it was reached. */
static inline node_at wave_insert(holos_wave *w, holos_key key, uint64_t hash, const void *position,
                                  wave_node value, bool *fresh, holos_error *err)
{
    node_at at = nodes_insert(&w->nodes, key, hash, position, value, fresh, err);
    if (at != NULL && *fresh && w->has_images)
        wave_image_keep(w, hash, at, position);
    return at;
}

static inline bool wave_owns(const holos_wave *w, holos_key key)
{
    return w->parts <= 1 || nodes_part_of(nodes_hash(key), w->parts) == w->part;
}

/* ---- save.c ------------------------------------------------------------------------------------ */

/* Like holos_wave_save; but if somebody asks to stop before the deadline, and it is not done `patience` seconds later, nothing
 * has changed: HOLOS_INTERRUPTED. */
holos_status wave_save(const holos_wave *w, const char *path, double patience, double deadline,
                       holos_error *err);
/* Gives the writer entries in the order of their keys. HOLOS_INTERRUPTED: nothing is to be written. */
typedef holos_status wave_entries(const holos_wave *w, void *context, struct hologram_writer *out,
                                  holos_error *err);
/* A hologram whose entries somebody else gives, and the rest the wave. */
holos_status wave_save_entries(const holos_wave *w, const char *path, wave_entries *entries, void *context,
                               holos_error *err);

/* ---- mappings.c -------------------------------------------------------------------------------- */

/* The last layer of a wave that is whole. */
typedef struct wave_frontier {
    unsigned depth;
    uint64_t count, digest; /* of its keys; see hologram_layer_digest */
} wave_frontier;

/* A run has ended: notes its frontier, if the seeds alone lead there again. */
void wave_mapping_note(holos_wave *w);
/* The same where several processes share the layers. */
void wave_mapping_of(holos_wave *w, const wave_frontier *f);

/* ---- reach.c ----------------------------------------------------------------------------------- */

/* The first layer that waves do not expand. */
unsigned wave_forward_limit(const holos_wave *w);
unsigned wave_backward_limit(const holos_wave *w);
/* As the options say, until seeds say more. */
void wave_reach_reset(holos_wave *w);
/* Puts the seeds into the layers that they begin at. HOLOS_USAGE: there is no saying which. */
holos_status wave_seeds_place(holos_wave *w, holos_error *err);
/* The seeds of a hologram are in their layers already. */
void wave_seeds_loaded(holos_wave *w);
/* The layer for a seed that comes now. Before the first run of a wave without a limit it is not known: then the first. */
holos_status wave_seed_where(const holos_wave *w, const holos_wave_seed *seed, unsigned *begin,
                             holos_error *err);
bool wave_is_seed(const holos_wave *w, holos_key key);
/* A forward wave comes again to a position. If it has a limit and took fewer steps than the last time, it goes on from there
 * anew: true, and the node says so. */
static inline bool wave_come_nearer(const holos_wave *w, wave_node *n, unsigned depth)
{
    if (depth >= n->depth || w->reach[HOLOS_WAVE_FORWARD] == 0 || (!w->options.graph && node_is_solved(*n)))
        return false;
    n->flags &= (uint8_t)~NODE_EXPANDED;
    n->depth = (uint16_t)depth;
    return true;
}

/* ---- modes.c ----------------------------------------------------------------------------------- */

/* Values flow when there are half as many positions more than the last time. */
#define SWEEP_GROWTH(positions) ((positions) + (positions) / 2)

/* Everything that can be reached from the seeds has been expanded, or is solved. */
bool wave_is_closed(const holos_wave *w);
/* In a game that can go round, what is not decided in a closed region stays so: nobody can make progress, and that is a draw, as
 * far as the interval allows. */
void wave_settle_cycles(holos_wave *w);
/* Lets values flow through all that is there, and expands nothing. */
holos_status wave_settle(holos_wave *w, holos_error *err);

/* ---- values.c ---------------------------------------------------------------------------------- */

/* The position of a node. */
void wave_position(const holos_wave *w, holos_key key, holos_position *out);

/* A node of which nothing is known. */
wave_node wave_unknown(const holos_wave *w, unsigned flags, unsigned depth);

/* Where values come from: the rules, or a table. True: *n is solved. */
bool wave_known(const holos_wave *w, const holos_position *p, wave_node *n, wave_scratch *s);
/* Narrows by what the game knows without search. */
void wave_bound(const holos_wave *w, const holos_position *p, wave_node *n);

/* Computes the interval of a position from its successors' and narrows *n by it. True: it changed. */
bool wave_value(const holos_wave *w, const holos_position *p, wave_node *n, wave_scratch *s);

/* The same for a position that may be no node. Above a boundary, if any successor may be worth everything, only moves to the
 * boundary count: most positions that a wave back comes to have such a successor among the first, and the others need not be
 * looked up. */
bool wave_value_hasty(const holos_wave *w, const holos_position *p, wave_node *n, wave_scratch *s);

/* What is known of a position as a node, for whoever asks from elsewhere; one that is no node may be worth anything. */
typedef struct wave_told {
    int16_t lo, hi;
} wave_told;
#define TOLD_NO_NODE ((wave_told){1, 0})
static inline bool told_is_node(wave_told told)
{
    return told.lo <= told.hi;
}
wave_told wave_tell(const holos_wave *w, holos_key key);

/* Narrows *n by its successors, of which this is known. True: it changed. */
bool wave_value_among(const holos_wave *w, const holos_edge *edges, const wave_told *told, uint32_t count,
                      wave_node *n);
/* Like wave_value_hasty, by what is known of the successors in the order of `expand`. */
bool wave_value_told(const holos_wave *w, const holos_position *p, const holos_edge *edges,
                     const wave_told *told, uint32_t count, wave_node *n, wave_scratch *s);

/* The same where this part of a shared wave knows enough: a successor of its own may be worth everything. False: it does not. */
bool wave_value_early(const holos_wave *w, const holos_position *p, wave_node *n, bool *changed,
                      wave_scratch *s);

/* Lets values flow through the forward layers until nothing changes any more. */
bool wave_sweep(holos_wave *w); /* false: cut short */
/* Whether a sweep, or a survey of the classes, has no more time. */
bool wave_sweep_is_cut(const holos_wave *w);

/* The same for what the seeds depend on: the positions that can be reached from them through open ones. In a game that can go
 * round, they become draws if all of them have been expanded and nothing decides them. False: cut short. */
bool wave_sweep_below(holos_wave *w); /* below.c */
/* Whether positions that nobody can decide in a closed region become draws, as far as their intervals allow; and one that
 * does (modes.c). */
bool wave_may_settle(const holos_wave *w);
void wave_settle_draw(holos_wave *w, node_at at, wave_node n);

/* Narrows *n by the interval [lo, hi]. True: it changed. */
bool node_narrow(const holos_wave *w, wave_node *n, int32_t lo, int32_t hi);
/* Narrows *n by one successor: it is worth at least what that move gives. */
bool wave_value_by(const holos_wave *w, holos_edge edge, wave_node child, wave_node *n);

/* Whether a predecessor, whose edge leads to a node that is `child`, joins a backward wave: something can be said of it. *at is its
 * node, or NULL; *value what is known of it now (backward.c). */
bool wave_joins(const holos_wave *w, const holos_position *p, holos_key key, holos_edge edge, wave_node child,
                node_at *at, wave_node *value, wave_scratch *s);

/* ---- single.c ---------------------------------------------------------------------------------- */

/* Adds what the first scratch counted to the statistics. */
void wave_counts_collect(holos_wave *w);
/* Stores what is now known of a node, which was `before`, and counts it if it is solved. */
void wave_update(holos_wave *w, const holos_position *p, node_at at, wave_node before, wave_node n);
/* Values a node by its successors; its position is the frame's. */
wave_node wave_recompute(holos_wave *w, holos_key key, wave_frame *f);
/* A predecessor, whose edge leads to a node that is `child`, joins the backward wave if something can be said
 * of it (*joined); then, or if it is a node anyway, returns it. NULL: it is none, or there is no memory: then
 * the wave has been stopped. */
node_at wave_join(holos_wave *w, const holos_position *p, holos_key key, holos_edge edge, wave_node child,
                  unsigned depth, bool *joined, holos_error *err);
/* A node's value has changed: values its predecessors among the nodes, and theirs, as far as something
 * changes. `changed` (may be NULL) is called for each that does. */
void wave_flow(holos_wave *w, holos_key from, void (*changed)(holos_wave *w, holos_key key));

/* ---- The modes --------------------------------------------------------------------------------- */

/* Before a run: waves back have no business beyond what can lie between the seeds and the boundary. */
void wave_scope_make(holos_wave *w);
/* Makes boundary positions to run back from, if the caller gave none. */
void wave_seed_boundary(holos_wave *w, holos_error *err);
/* Solved positions on spines become places to run back from. */
void wave_seed_spines(holos_wave *w, holos_error *err);
/* A probe from each seed, and some from the ends of either wave. */
void wave_lightning(holos_wave *w, unsigned probes, holos_error *err);
/* Grows around the last meetings, and from at most `front` positions of the front. */
void wave_crystal(holos_wave *w, size_t front, holos_error *err);
/* At most so many steps, of one position each. */
void wave_osmose(holos_wave *w, uint64_t steps, holos_error *err);

/* ---- round.c, forward.c, backward.c ------------------------------------------------------------ */

holos_status wave_round_open(holos_wave *w, holos_error *err);
void wave_round_close(holos_wave *w);
/* How many entries one thread may make before they are sorted, and their bytes. */
size_t wave_round_entries(const holos_wave *w, size_t *bytes);

/* Expands the positions of a forward layer, or retraces those of a backward one, that are not done. False:
 * stopped by a limit. */
bool wave_expand_layer(holos_wave *w, unsigned depth, holos_error *err);
bool wave_retrace_layer(holos_wave *w, unsigned depth, holos_error *err);

#endif
