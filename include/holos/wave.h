/* SPDX-License-Identifier: MIT */

/* holos: waves and holograms. */

#ifndef HOLOS_WAVES_H
#define HOLOS_WAVES_H

#include <holos/solve.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Waves ---------------------------------------------------------------------------------- */

/* Waves run forward from the positions you ask about (seeds) and backward from positions whose value is
 * known; where they meet, values flow. A wave keeps everything it reaches, so the next run continues where
 * the last one stopped. Wherever it stops, every interval contains the true value. */
typedef struct holos_wave holos_wave;

typedef enum holos_wave_mode {
    HOLOS_WAVE_AUTO = 0,  /* switches between the others, by what pays */
    HOLOS_WAVE_LIGHTNING, /* depth first along forcing moves */
    HOLOS_WAVE_WAVE,      /* layer by layer, breadth first */
    HOLOS_WAVE_CRYSTAL,   /* around meeting points, and along the front of what is solved */
    HOLOS_WAVE_OSMOSIS,   /* one position at a time, the most certain one first */
} holos_wave_mode;

HOLOS_API const char *holos_wave_mode_name(holos_wave_mode mode); /* "auto", "lightning", … */
HOLOS_API bool holos_wave_mode_find(const char *name, holos_wave_mode *out);

typedef enum holos_wave_direction {
    HOLOS_WAVE_FORWARD = 0,
    HOLOS_WAVE_BACKWARD,
} holos_wave_direction;

HOLOS_API const char *holos_wave_direction_name(holos_wave_direction direction); /* "forward", "backward" */

/* Zero is the default everywhere. */
typedef struct holos_wave_options {
    holos_limits limits; /* seconds and nodes for each run; memory for the whole wave, which stops at 90 % */
    unsigned threads;    /* 0 means 1; results do not depend on it */
    uint64_t seed;       /* for random choices: boundary positions found by playing at random */

    uint64_t frontier;        /* maximum positions per layer; the rest wait. 0: no limit */
    unsigned forward_depth;   /* maximum steps from a seed. 0: no limit */
    unsigned backward_depth;  /* maximum steps back from the boundary. 0: no limit */
    uint64_t class_size;      /* maximum positions that an equivalence class counts. 0: 10,000 */
    uint64_t boundary_seeds;  /* boundary positions to start from if none are given. 0: 64 */
    unsigned lightning_depth; /* maximum steps of a probe. 0: 64 */
    uint64_t lightning_nodes; /* maximum positions of a probe. 0: 1,000 */
    unsigned crystal_points;  /* how many of the last meeting points to work around. 0: 10 */
    unsigned crystal_layers;  /* layers around each. 0: 3 */
    const char *const *goals; /* signatures that boundary positions must have one of; NULL: any */
    size_t goal_count;
    bool goal_stops;     /* ignore the values of boundary positions that match no goal */
    bool spine_boundary; /* also run back from solved positions on spines */
    bool no_backward;    /* forward only */
    bool no_classes;     /* no equivalence classes, no conjectures */
    bool graph;          /* reach and count every position, value none */
    bool unfolded;       /* count symmetric positions separately */
    bool all_moves;      /* expand every move, even if the game knows that some are enough */
    const char *spill;   /* a folder for positions that do not fit in memory; NULL: stop at the limit */
    const holos_boundary *boundary; /* NULL, or known values; must outlive the wave */
    /* NULL, or called often during a run, by the thread that runs the wave. It may query the wave, and must
     * be quick. */
    void (*tick)(void *context);
    void *tick_context;
} holos_wave_options;

/* What a wave did. All numbers except times are the same for any number of threads. */
#define HOLOS_WAVE_COUNTERS(X)                                                                               \
    X(positions)         /* reached, in all */                                                               \
    X(solved)            /* with an exact value */                                                           \
    X(forward_expanded)  /* successors were generated*/                                                      \
    X(backward_expanded) /* predecessors were generated*/                                                    \
    X(generated)         /* successors and predecessors generated, including repeats */                      \
    X(boundary)          /* value known from rules or boundary */                                            \
    X(connections)       /* meeting points */                                                                \
    X(lightning_probes)                                                                                      \
    X(spines_found)                                                                                          \
    X(crystallized) /* solved around meeting points and along the front */                                   \
    X(osmosis_steps)                                                                                         \
    X(minimax_solved) /* solved by the values of their successors */                                         \
    X(sweeps)         /* passes over the layers to let values flow */                                        \
    X(recomputed)     /* positions valued again from their successors */                                     \
    X(equiv_tracked)  /* solved positions that a class counts */                                             \
    X(equiv_classes)                                                                                         \
    X(equiv_broken)     /* classes whose positions disagree */                                               \
    X(equiv_propagated) /* conjectures made */                                                               \
    X(equiv_confirmed)  /* conjectures that a proof confirmed later */                                       \
    X(equiv_refuted)    /* conjectures that a proof refuted later */                                         \
    X(equiv_shortcuts)  /* times a class decided where to look next */                                       \
    X(goal_filtered)    /* boundary positions that matched no goal */                                        \
    X(frontier_capped)  /* positions that waited because a layer was full */                                 \
    X(depth_limited)    /* positions not expanded because they are too deep */                               \
    X(class_capped)     /* positions not counted because their class was full */                             \
    X(memory_limited)   /* times the wave stopped or spilled at its memory limit */                          \
    X(spilled)          /* positions moved to disk */

typedef struct holos_wave_statistics {
#define HOLOS_WAVE_MEMBER(name) uint64_t name;
    HOLOS_WAVE_COUNTERS(HOLOS_WAVE_MEMBER)
#undef HOLOS_WAVE_MEMBER
    double lightning_seconds, wave_seconds, crystal_seconds, osmosis_seconds, propagation_seconds;
    uint64_t bytes; /* peak memory */
    bool closed;    /* everything that can be reached from the seeds has been expanded */
} holos_wave_statistics;

/* A layer of the forward wave. */
typedef struct holos_wave_layer {
    uint64_t positions;  /* first reached at this depth */
    uint64_t expanded;   /* how many of them so far */
    uint64_t generated;  /* successors of those */
    uint64_t duplicates; /* how many of the successors had been reached before */
} holos_wave_layer;

/* `options` may be NULL. HOLOS_UNSUPPORTED, with the reason, if the game cannot be explored this way. */
HOLOS_API holos_status holos_wave_open(const holos_variant *v, const holos_wave_options *options,
                                       holos_wave **out, holos_error *err);
HOLOS_API void holos_wave_close(holos_wave *w);
/* Forgets everything it has reached. */
HOLOS_API void holos_wave_reset(holos_wave *w);

typedef struct holos_wave_seed {
    const holos_position *position;
    holos_wave_direction direction;
    holos_wave_mode mode; /* the mode that an auto run starts with */
    int32_t priority;     /* seeds of higher priority are probed first */
    /* Maximum steps from this seed; 0: the wave's limit. In a wave without a limit, either all seeds have a
     * depth or none has. Layers are counted from the seed that goes farthest; the others start at later
     * layers. */
    unsigned depth;
} holos_wave_seed;

/* A seed as a line of text: a position alone, or "POSITION DEPTH MODE DIRECTION", such as "4453 3 wave forward". The depth
 * 0 means no limit of its own. */
HOLOS_API holos_status holos_seed_parse(const holos_variant *v, const char *line, holos_position *position,
                                        holos_wave_seed *out, holos_error *err);
/* The line for a seed. Like snprintf. */
HOLOS_API size_t holos_seed_format(const holos_variant *v, const holos_wave_seed *seed, char *out,
                                   size_t size);

/* Adds a seed. The value of a backward seed must be known from the rules or the boundary. */
HOLOS_API holos_status holos_wave_add(holos_wave *w, const holos_wave_seed *seed, holos_error *err);

/* The seed at an index, highest priority first. Writes its position, or a symmetric one, to `position`.
 * False past the end. */
HOLOS_API bool holos_wave_seed_at(const holos_wave *w, size_t index, holos_wave_seed *out,
                                  holos_position *position);

/* Sets the seconds and nodes for each run from now on. The memory limit stays. */
HOLOS_API void holos_wave_limit(holos_wave *w, const holos_limits *limits);

/* Runs until all forward seeds are solved (with options.graph, until everything is reached), nothing is left
 * to do, or a limit is reached: HOLOS_LIMIT, HOLOS_INTERRUPTED. The next run continues from there. */
HOLOS_API holos_status holos_wave_run(holos_wave *w, holos_wave_mode mode, holos_error *err);

/* What is proved about a position; the range of scores if it was never reached. */
HOLOS_API holos_value holos_wave_query(const holos_wave *w, const holos_position *position);
/* What its class says about an unsolved position: a conjecture. False: nothing. */
HOLOS_API bool holos_wave_guess(const holos_wave *w, const holos_position *position, holos_guess *out);
HOLOS_API void holos_wave_statistics_get(const holos_wave *w, holos_wave_statistics *out);
HOLOS_API size_t holos_wave_depth(const holos_wave *w); /* the number of layers */
HOLOS_API holos_wave_layer holos_wave_layer_at(const holos_wave *w, size_t depth);

/* ---- Holograms ------------------------------------------------------------------------------ */

/* What a wave found, as a file: values by key, spines, meeting points, classes, and the seeds it came from.
 * Opening a hologram reads no values; a query reads one small block. A hologram serves one thread at a time. */
typedef struct holos_hologram holos_hologram;

typedef struct holos_hologram_summary {
    uint64_t entries, solved;
    uint64_t spines, meetings, classes, seeds, mappings, rounds;
    uint64_t bytes;                   /* of the file */
    holos_wave_statistics statistics; /* the counters of the waves it came from */
} holos_hologram_summary;

/* The file appears whole or not at all. */
HOLOS_API holos_status holos_wave_save(const holos_wave *w, const char *path, holos_error *err);
/* Forgets what the wave has reached and loads a hologram instead. */
HOLOS_API holos_status holos_wave_load(holos_wave *w, const char *path, holos_error *err);

/* Whether the file at a path looks like a hologram, by its first bytes. */
HOLOS_API bool holos_hologram_is_at(const char *path);
/* HOLOS_BAD_FILE, with the reason, if it is something else, damaged, or of another version. */
HOLOS_API holos_status holos_hologram_open(const char *path, holos_hologram **out, holos_error *err);
HOLOS_API void holos_hologram_close(holos_hologram *h);
/* Sets the cache size in bytes; 64 MiB by default. */
HOLOS_API void holos_hologram_keep(holos_hologram *h, size_t bytes);
HOLOS_API const holos_variant *holos_hologram_variant(const holos_hologram *h);
HOLOS_API void holos_hologram_summary_get(const holos_hologram *h, holos_hologram_summary *out);
/* How to check a hologram. Zero is the default everywhere. */
typedef struct holos_hologram_checking {
    const holos_boundary *boundary; /* NULL, or the boundary that the waves had */
    unsigned threads;
    holos_limits limits; /* memory and stop */
    bool frontiers;      /* also rebuild the frontiers that are stored as seeds */
} holos_hologram_checking;

typedef struct holos_hologram_checked {
    uint64_t derived;   /* positions whose value follows from the rules and the other positions */
    uint64_t given;     /* values that rest on tables which were not given */
    uint64_t frontiers; /* rebuilt and found equal */
} holos_hologram_checked;

/* Reads the whole file, compares the checksums, and derives every value again. HOLOS_BAD_FILE, with the
 * first position whose value is false or does not follow. `how` and `out` may be NULL. */
HOLOS_API holos_status holos_hologram_check(holos_hologram *h, const holos_hologram_checking *how,
                                            holos_hologram_checked *out, holos_error *err);
/* The same with default options. */
HOLOS_API holos_status holos_hologram_verify(holos_hologram *h, holos_error *err);

/* What is known about a position; if it is not in the file, the range of scores with the source "none". */
HOLOS_API holos_status holos_hologram_query(holos_hologram *h, const holos_position *position,
                                            holos_value *out, holos_error *err);
/* What its class says about an unsolved position in the file: a conjecture. *found says whether there is one. */
HOLOS_API holos_status holos_hologram_guess(holos_hologram *h, const holos_position *position,
                                            holos_guess *out, bool *found, holos_error *err);
/* The next positions in the file, at most `capacity`, as holos_knowledge_walk gives them. *count 0: there are no more. */
HOLOS_API holos_status holos_hologram_walk(holos_hologram *h, holos_cursor *cursor, holos_position *positions,
                                           size_t capacity, size_t *count, holos_error *err);
/* A move that is proved to keep the value of a solved position: by the values of its successors, by the
 * rules, or by bounds that the game knows. *found says whether there is one. */
HOLOS_API holos_status holos_hologram_best(holos_hologram *h, const holos_position *position, holos_move *out,
                                           bool *found, holos_error *err);
/* The moves of a spine from a position on it to its end: writes at most `most`, returns how many there are. */
HOLOS_API size_t holos_hologram_spine(holos_hologram *h, const holos_position *position, holos_move *out,
                                      size_t most);
/* The moves from a solved position to the boundary: of a spine, if it is on one (*recorded), or else proved best moves.
 * Writes at most `most`; *length says how many there are. 0: the position is not solved, or is the boundary itself. */
HOLOS_API holos_status holos_hologram_line(holos_hologram *h, const holos_position *position, holos_move *out,
                                           size_t most, size_t *length, bool *recorded, holos_error *err);

/* ---- What else a hologram holds ----------------------------------------------------------------- */

/* The seeds, one by one: the position is written to `position`. False past the end. */
HOLOS_API bool holos_hologram_seed_at(holos_hologram *h, uint64_t index, holos_wave_seed *out,
                                      holos_position *position);

/* A frontier that is stored as the seeds that lead to it. */
typedef struct holos_frontier {
    uint64_t seeds;     /* how many lead to it */
    unsigned depth;     /* steps from the first layer, in the mode "wave" */
    uint64_t positions; /* in the frontier */
    uint64_t digest;    /* of their keys */
    bool known;         /* a boundary of tables took part, so that rebuilding it takes the same tables */
} holos_frontier;

/* False past the end; the index is that of holos_hologram_frontier. */
HOLOS_API bool holos_hologram_frontier_at(const holos_hologram *h, uint64_t index, holos_frontier *out);
/* The seeds of a frontier, in their order. */
HOLOS_API bool holos_hologram_frontier_seed_at(holos_hologram *h, uint64_t frontier, uint64_t index,
                                               holos_wave_seed *out, holos_position *position);

/* The position at which a spine begins, and its moves: writes at most `most`, returns how many there are; 0 past the end. */
HOLOS_API size_t holos_hologram_spine_at(holos_hologram *h, uint64_t index, holos_position *begin,
                                         holos_move *out, size_t most);

/* The phases of a session (holos/job.h, the kind "session"). */
typedef enum holos_phase {
    HOLOS_PHASE_INIT = 0,  /* nothing has been done */
    HOLOS_PHASE_LIGHTNING, /* probes, while they find spines */
    HOLOS_PHASE_WAVE,      /* layers from chosen seeds, while much is solved */
    HOLOS_PHASE_CRYSTAL,   /* growth around what is solved, while anything is */
    HOLOS_PHASE_COMPLETE,  /* nothing more comes of it */
} holos_phase;

HOLOS_API const char *holos_phase_name(holos_phase phase); /* "init", "lightning", … */

/* A round of a session that contributed to a hologram. */
typedef struct holos_round {
    uint64_t session; /* which session: a number made of its seeds and options */
    uint64_t number;  /* from 1 */
    holos_phase phase;
    uint64_t seeds, batches, lost;              /* batches that were given up */
    uint64_t expanded;                          /* positions */
    uint64_t reached, solved, spines, meetings; /* new ones */
    uint64_t positions, all_solved;             /* in all, after the round */
} holos_round;

HOLOS_API bool holos_hologram_round_at(const holos_hologram *h, uint64_t index, holos_round *out);
/* The seeds of a round, in their order. */
HOLOS_API bool holos_hologram_round_seed_at(holos_hologram *h, uint64_t round, uint64_t index,
                                            holos_wave_seed *out, holos_position *position);

/* How seeds did in a mode, over all rounds and features. */
typedef struct holos_mode_success {
    uint64_t tries, wins; /* wins: the seed was solved */
    uint64_t gain, cost;  /* positions solved, and positions expanded */
    uint64_t features;    /* how many different features the seeds had */
} holos_mode_success;

HOLOS_API bool holos_hologram_mode_success(const holos_hologram *h, holos_wave_mode mode,
                                           holos_mode_success *out);

/* Merges two holograms into a new one that has everything either has; the order makes no difference.
 * HOLOS_BAD_FILE, with the key, if they contradict each other. */
HOLOS_API holos_status holos_hologram_merge(const char *a, const char *b, const char *path, holos_error *err);
/* Rebuilds a frontier that is stored as seeds, as the last layer of a new wave, and checks that it is the
 * same. `boundary` is the one that the original wave had, or NULL. The wave uses the hologram's variant. */
HOLOS_API holos_status holos_hologram_frontier(holos_hologram *h, uint64_t mapping,
                                               const holos_boundary *boundary, holos_wave **out,
                                               holos_error *err);

#ifdef __cplusplus
}
#endif

#endif
