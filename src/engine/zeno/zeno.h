/* SPDX-License-Identifier: MIT */

/* The zeno engine: a Monte Carlo tree search that asks a network, reads the shape of its own tree, and decides by it how far to trust a
 * glance, how widely to look and how long. Every layer has a switch; without any, it is a plain search with a fixed budget.
 *
 *     tree      nodes and edges                 search    one search, as a machine that asks for evaluations
 *     control   sensors, and what they decide   gumbel    another way to divide few simulations among moves
 *     exact     endings by the game's solver    think     a whole search by one thread, with its own network
 *
 * A search does not evaluate: it hands out leaves and takes answers. So one thread can run many games at once and fill a batch. What it
 * finds is the same whatever is in the batch, and depends on nothing but the options, the position and the random numbers.
 *
 * What a search says of a position is a guess, except where zeno_result.lo and .hi prove it. */

#ifndef HOLOS_ZENO_H
#define HOLOS_ZENO_H

#include "core/rng.h"
#include "engine/zeno/tree.h"
#include "net/cache.h"

#define ZENO_LEAVES     16  /* that wait for the network at once, at most */
#define ZENO_INTERVAL   50  /* simulations between two looks at the tree */
#define ZENO_PROBE      100 /* simulations before anything is decided */
#define ZENO_CONSIDERED 64  /* moves that Gumbel's way considers, at most */

/* ---- Control (control.c) ----------------------------------------------------------------------- */

/* What the sensors read at the root. */
typedef struct zeno_shape {
    float entropy;  /* H_v, of visits, over that of even ones: 0 to 1 */
    float gap;      /* G, between the two most visited moves, over all visits: 0 to 1 */
    float variance; /* Var_Q, of the mean values of visited moves */
} zeno_shape;

/* When the search stops early: entropy and variance below, gap above. */
typedef struct zeno_thresholds {
    double entropy, gap, variance;
} zeno_thresholds;

/* The learned lambda: 3 inputs, 32 ReLUs, a sigmoid. */
#define ZENO_LAMBDA_HIDDEN 32
typedef struct zeno_lambda {
    float weights[ZENO_LAMBDA_HIDDEN][3], bias[ZENO_LAMBDA_HIDDEN], out[ZENO_LAMBDA_HIDDEN], out_bias;
} zeno_lambda;

typedef enum zeno_root { ZENO_ROOT_PUCT = 0, ZENO_ROOT_GUMBEL } zeno_root;

typedef struct zeno_options {
    uint32_t simulations; /* the budget; with `budget`, what it is reckoned from */
    uint32_t least, most; /* with `budget`: its bounds */
    float c;              /* c0 */
    float fixed_lambda;   /* without `control` */
    /* The layers. */
    bool tactics; /* 0: obvious moves without a search */
    bool glance;  /* 2: lambda h in the selection */
    bool prune;   /* 3: priors of moves that look bad are scaled down */
    bool control; /* 4: lambda by the shape of the tree */
    bool explore; /* 5: c = c0 (1 + H_v) */
    bool stop;    /* 6: early stop */
    bool budget;  /* 7: by phase and lambda */
    zeno_thresholds thresholds;
    const zeno_lambda *learned; /* NULL: the formula */
    /* Beyond the source document. */
    zeno_root root;
    uint32_t considered;             /* by Gumbel's way */
    bool gain;                       /* lc0's gain stopper */
    uint32_t exact_tree, exact_root; /* moves left at which the solver is asked; 0: never */
    uint32_t leaves;                 /* that may wait at once, at most ZENO_LEAVES */
    bool reuse;                      /* keep what is below the move that was played */
} zeno_options;

/* The layers of the source document, all on; and all off. */
zeno_options zeno_options_full(const holos_variant *v);
zeno_options zeno_options_plain(const holos_variant *v);

zeno_shape zeno_shape_of(const zeno_tree *t);
float zeno_lambda_of(const zeno_options *o, zeno_shape shape);
float zeno_lambda_learned(const zeno_lambda *l, zeno_shape shape);
uint32_t zeno_budget_of(const zeno_options *o, holos_stage phase, float lambda);
bool zeno_is_clear(const zeno_thresholds *t, zeno_shape shape);
/* What soft pruning does to the prior of a move that looks like this. */
float zeno_prune(float glance);

/* ---- Exact endings (exact.c) ------------------------------------------------------------------- */

typedef struct zeno_exact {
    const holos_variant *v;
    mem_budget budget;
    void *state; /* NULL: the game has no solver of its own */
} zeno_exact;

holos_status zeno_exact_open(zeno_exact *e, const holos_variant *v, size_t memory, holos_error *err);
void zeno_exact_close(zeno_exact *e);
/* Who wins, as an interval of scores; false if the solver cannot be asked or did not finish within the limits. */
bool zeno_exact_solve(zeno_exact *e, const holos_position *p, struct limits *limits, int32_t *lo,
                      int32_t *hi);

/* ---- One search (search.c, gumbel.c) ----------------------------------------------------------- */

/* What one search is asked for. */
typedef struct zeno_request {
    uint32_t simulations;   /* 0: the options' */
    float alpha, epsilon;   /* Dirichlet noise at the root; epsilon 0: none */
    float temperature;      /* 0: the most visited move; 1: by visits */
    bool noise;             /* Gumbel's way: with noise, so that moves are sampled */
    bool keep;              /* go on with the tree that is there: its root is the position */
    const holos_stop *stop; /* may be NULL */
    double deadline;        /* CLOCK_NEVER: none */
    uint64_t ending_nodes;  /* what an ending at the root may cost; 0: no limit */
    holos_gauges *gauges;   /* told at every look; may be NULL */
    void *gauges_context;
} zeno_request;

/* When to break off work of many searches. */
typedef struct zeno_until {
    const holos_stop *stop; /* may be NULL */
    double deadline;        /* CLOCK_NEVER: none */
} zeno_until;

bool zeno_is_over(zeno_until until);

typedef struct zeno_result {
    uint32_t edge; /* of the tree */
    holos_move move;
    float value;    /* for the side to move: a guess, unless lo and hi say so */
    int32_t lo, hi; /* what is proved */
    bool tactical;  /* there was no search */
    bool early;     /* it was stopped before its budget */
    uint32_t simulations, budget;
    uint64_t evaluations;
    zeno_shape shape;
    float lambda, c;
} zeno_result;

typedef enum zeno_step {
    ZENO_LEAF = 0, /* a leaf's planes were written: evaluate it */
    ZENO_BUSY,     /* nothing more before answers come */
    ZENO_DONE,
    ZENO_NO_MEMORY,
} zeno_step;

typedef struct zeno_leaf {
    uint32_t node, depth;
    uint32_t path[ZENO_DEPTH]; /* edges */
} zeno_leaf;

/* Gumbel's way: moves that are left, and how many visits each of them is to have. */
typedef struct zeno_gumbel {
    float noise[ZENO_EDGES_MAX], logits[ZENO_EDGES_MAX];
    uint32_t candidates[ZENO_CONSIDERED], count, considered;
    uint32_t target; /* visits of each candidate at the end of this round */
} zeno_gumbel;

typedef struct zeno_search {
    const holos_variant *v;
    const holos_net *net;
    holos_net_shape view;
    size_t stride; /* of planes, padded */
    size_t logits; /* padded */
    zeno_options o;
    zeno_request r;
    zeno_tree tree, spare;
    zeno_exact *exact; /* may be NULL */
    rng random;
    holos_edge *edges; /* room for one position's */
    holos_position *positions;
    /* This search. */
    zeno_leaf *leaves;
    uint32_t leaf_count;
    uint32_t started, budget, next_look, begun_with;
    uint64_t evaluations;
    bool settled, tactical, early, out_of_memory, ended;
    zeno_shape shape;
    float lambda;
    zeno_formula formula;
    zeno_gumbel gumbel;
    float shares[ZENO_EDGES_MAX]; /* of visits, at the last look of the gain stopper */
    uint32_t edge;                /* of a tactical move */
} zeno_search;

/* `exact` may be NULL, may be shared by searches of one thread, and must outlive the search. */
holos_status zeno_search_init(zeno_search *s, const holos_variant *v, const zeno_options *o,
                              zeno_exact *exact, uint64_t seed, uint64_t stream, holos_error *err);
void zeno_search_free(zeno_search *s);

/* Begins with a position that is not over. */
void zeno_search_begin(zeno_search *s, const holos_position *p, const zeno_request *r);
/* Goes on; ZENO_LEAF: the planes of a leaf are in `planes`, which need not be zero. */
zeno_step zeno_search_next(zeno_search *s, float *planes);
/* The answers to all leaves that were handed out since the last call, in their order. */
void zeno_search_feed(zeno_search *s, const float *logits, const float *values);
/* What came of it. `shares`: NULL, or room for as many numbers as the root has edges: what a network should have said of the moves. */
zeno_result zeno_search_result(zeno_search *s, float *shares);
/* The move was played: keeps what is known below it, if the options say so. True: the next request may `keep`. */
bool zeno_search_play(zeno_search *s, uint32_t edge);
/* The same for a position that one or two moves lead to, as when it is this side's turn again. */
bool zeno_search_follow(zeno_search *s, const holos_position *p);

/* gumbel.c */
void gumbel_begin(zeno_search *s);
/* The root's edge to visit next; ZENO_NONE: all visits are made. `wait`: answers are needed first. */
uint32_t gumbel_select(zeno_search *s, bool *wait);
/* The edge to play, and the shares of an improved policy (may be NULL). */
uint32_t gumbel_choose(zeno_search *s, float *shares);

/* ---- By one thread (think.c) ------------------------------------------------------------------- */

typedef struct zeno_thinker {
    zeno_search search;
    zeno_exact exact;
    const net_model *model;
    net_cache *cache; /* may be NULL, may be shared by thinkers of one thread and one model */
    net_room room;
    float *planes, *logits, *values;
} zeno_thinker;

/* HOLOS_UNSUPPORTED: the game has no net capability. HOLOS_USAGE: the model is of another shape. The model must outlive the thinker. */
holos_status zeno_thinker_init(zeno_thinker *t, const holos_variant *v, const zeno_options *o,
                               const net_model *model, uint64_t seed, uint64_t stream, holos_error *err);
void zeno_thinker_free(zeno_thinker *t);
/* A whole search. HOLOS_NO_MEMORY; otherwise HOLOS_OK, also if it was stopped. */
holos_status zeno_think(zeno_thinker *t, const holos_position *p, const zeno_request *r, zeno_result *out,
                        float *shares, holos_error *err);

/* Whether a network fits a game; *out is the shape that it has to have, with the rest of `wish`. */
holos_status zeno_net_shape(const holos_variant *v, const net_shape *wish, net_shape *out, holos_error *err);

/* Where the network of a variant is: `asked`, or without that the one that comes with holos, DATA/networks/reversi-8.net. (engine.c) */
void zeno_network_path(const holos_variant *v, const char *asked, text *out);

#endif
