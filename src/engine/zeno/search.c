/* SPDX-License-Identifier: MIT */

/* One search, step by step. */

#include "core/clock.h"
#include "engine/zeno/zeno.h"

#include <math.h>
#include <stdlib.h>

#define GAIN_INTERVAL 100  /* simulations between two looks of the gain stopper */
#define GAIN_LEAST    5e-6 /* information per simulation, below which it stops: lc0's figures */

bool zeno_is_over(zeno_until until)
{
    return holos_stop_asked(until.stop) || deadline_passed(until.deadline);
}

/* ---- Opening ----------------------------------------------------------------------------------- */

holos_status zeno_search_init(zeno_search *s, const holos_variant *v, const zeno_options *o,
                              zeno_exact *exact, uint64_t seed, uint64_t stream, holos_error *err)
{
    *s = (zeno_search){.v = v, .net = v->game->net, .o = *o, .exact = exact};
    s->net->shape(v, &s->view);
    s->stride = net_padded(s->view.planes, 8);
    s->logits = net_padded(s->view.policy, NET_PANEL);
    if (s->o.leaves < 1 || s->o.leaves > ZENO_LEAVES)
        s->o.leaves = ZENO_LEAVES;
    rng_init(&s->random, seed, stream);
    s->leaves = calloc(s->o.leaves, sizeof *s->leaves);
    s->edges = calloc(v->max_successors, sizeof *s->edges);
    s->positions = aligned_alloc(16, v->max_successors * v->position_size);
    bool made = zeno_tree_init(&s->tree, v) && zeno_tree_init(&s->spare, v);
    return made && s->leaves != NULL && s->edges != NULL && s->positions != NULL
               ? HOLOS_OK
               : error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for a search");
}

void zeno_search_free(zeno_search *s)
{
    zeno_tree_free(&s->tree);
    zeno_tree_free(&s->spare);
    free(s->leaves);
    free(s->edges);
    free(s->positions);
    *s = (zeno_search){0};
}

/* ---- Nodes ------------------------------------------------------------------------------------- */

/* The limits of one question to the solver. */
static struct limits question(const zeno_search *s, uint64_t nodes)
{
    struct limits all;
    holos_limits asked = {.nodes = nodes, .stop = s->r.stop};
    limits_begin(&all, &asked, NULL);
    all.deadline = s->r.deadline;
    return all;
}

/* Whether the value of a node is known without the network: the game is over, or the solver says. */
static bool node_settle(zeno_search *s, uint32_t node, uint32_t exact_below, uint64_t nodes)
{
    const holos_position *p = zeno_position(&s->tree, node);
    int32_t lo, hi;
    if (s->v->game->terminal(s->v, p, &lo)) {
        lo += game_banked(s->v, p);
        zeno_tree_prove(&s->tree, node, lo, lo);
        return true;
    }
    if (s->net->left == NULL || s->net->left(s->v, p) > exact_below)
        return false;
    struct limits limits = question(s, nodes);
    if (!zeno_exact_solve(s->exact, p, &limits, &lo, &hi))
        return false;
    zeno_tree_prove(&s->tree, node, lo, hi);
    return true;
}

/* What the moves of a node look like to their mover, at a glance: of the positions that they lead to. */
static void glances_fill(zeno_search *s, const zeno_node *n)
{
    for (uint32_t i = 0; i < n->count; i++) {
        float seen = s->net->glance(s->v, position_at(s->v, s->positions, i));
        bool same = (s->edges[i].flags & HOLOS_EDGE_SAME_SIDE) != 0;
        seen = same ? seen : -seen;
        s->tree.glances[n->first + i] = seen < -1 ? -1 : seen > 1 ? 1 : seen;
    }
}

/* Shares by a softmax over the legal moves. */
static void priors_fill(zeno_search *s, const zeno_node *n, const holos_position *p, const float *logits)
{
    float *priors = s->tree.priors + n->first, most = -INFINITY, sum = 0;
    for (uint32_t i = 0; i < n->count; i++) {
        priors[i] = logits[s->net->policy(s->v, p, s->edges[i].move)];
        most = priors[i] > most ? priors[i] : most;
    }
    for (uint32_t i = 0; i < n->count; i++)
        sum += priors[i] = expf(priors[i] - most);
    for (uint32_t i = 0; i < n->count; i++)
        priors[i] /= sum;
}

/* Layer 3: scales priors by what is seen at a glance. */
static void priors_scale(zeno_search *s, const zeno_node *n)
{
    for (uint32_t i = n->first; i < n->first + n->count; i++)
        s->tree.priors[i] *= zeno_prune(s->tree.glances[i]);
}

/* Gives a node its edges. Without logits all moves are alike. */
static void node_open(zeno_search *s, uint32_t node, const float *logits, float value)
{
    const holos_position *p = zeno_position(&s->tree, node);
    bool looks = (s->o.glance || s->o.prune) && s->net->glance != NULL;
    holos_edges out = {.edges = s->edges, .positions = looks ? s->positions : NULL};
    uint32_t count = s->v->game->expand(s->v, p, out);
    if (count > ZENO_EDGES_MAX || !zeno_tree_open(&s->tree, node, s->edges, count)) {
        s->out_of_memory = true;
        return;
    }
    const zeno_node *n = &s->tree.nodes[node];
    s->tree.nodes[node].value = value;
    if (looks)
        glances_fill(s, n);
    priors_fill(s, n, p, logits);
    if (s->o.prune && s->net->glance != NULL)
        priors_scale(s, n);
}

/* ---- The root ---------------------------------------------------------------------------------- */

/* Gamma(alpha, 1), by Marsaglia and Tsang. */
static double gamma_draw(rng *random, double alpha)
{
    if (alpha < 1)
        return gamma_draw(random, alpha + 1) * pow(1 - rng_double(random), 1 / alpha);
    double d = alpha - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        double u = 1 - rng_double(random), angle = 6.283185307179586 * rng_double(random);
        double x = sqrt(-2 * log(u)) * cos(angle), v = 1 + c * x;
        v = v * v * v;
        if (v > 0 && log(1 - rng_double(random)) < 0.5 * x * x + d - d * v + d * log(v))
            return d * v;
    }
}

static void root_noise(zeno_search *s)
{
    const zeno_node *root = &s->tree.nodes[0];
    float noise[ZENO_EDGES_MAX], sum = 0;
    for (uint32_t i = 0; i < root->count; i++)
        sum += noise[i] = (float)gamma_draw(&s->random, (double)s->r.alpha);
    for (uint32_t i = 0; sum > 0 && i < root->count; i++) {
        float *prior = &s->tree.priors[root->first + i];
        *prior = (1 - s->r.epsilon) * *prior + s->r.epsilon * noise[i] / sum;
    }
}

/* The root has its edges: what comes before the first simulation. */
static void root_ready(zeno_search *s)
{
    if (s->o.root == ZENO_ROOT_GUMBEL)
        gumbel_begin(s);
    else if (s->r.epsilon > 0)
        root_noise(s);
}

/* Layer 0: a move that needs no search. The root gets its edges, all alike, for the move to stand on. */
static bool tactics(zeno_search *s)
{
    holos_move move;
    const holos_position *p = zeno_position(&s->tree, 0);
    uint32_t count = s->v->game->expand(s->v, p, (holos_edges){.edges = s->edges});
    if (!s->o.tactics || s->net->obvious == NULL || !s->net->obvious(s->v, p, s->edges, count, &move))
        return false;
    if (s->tree.nodes[0].state != ZENO_OPEN && !zeno_tree_open(&s->tree, 0, s->edges, count)) {
        s->out_of_memory = true;
        return true;
    }
    const zeno_node *root = &s->tree.nodes[0];
    for (uint32_t i = root->first; i < root->first + root->count; i++)
        if (s->tree.edges[i].move == move)
            s->edge = i;
    return true;
}

static uint32_t visits_of_root(const zeno_search *s)
{
    return (uint32_t)s->tree.nodes[0].visits;
}

void zeno_search_begin(zeno_search *s, const holos_position *p, const zeno_request *r)
{
    bool kept = r->keep && s->tree.node_count > 0 && s->tree.nodes[0].state == ZENO_OPEN &&
                s->o.root == ZENO_ROOT_PUCT;
    s->r = *r;
    s->leaf_count = s->started = s->next_look = 0;
    s->evaluations = 0;
    s->settled = s->tactical = s->early = s->ended = false;
    s->out_of_memory = !kept && !zeno_tree_root(&s->tree, p);
    s->budget = r->simulations > 0 ? r->simulations : s->o.simulations;
    s->shape = (zeno_shape){.entropy = 1};
    s->lambda = zeno_lambda_of(&s->o, s->shape);
    s->formula =
        (zeno_formula){.c = s->o.explore ? 2 * s->o.c : s->o.c, .lambda = s->o.glance ? s->lambda : 0};
    s->begun_with = 0;
    if (s->out_of_memory)
        return;
    s->tactical = tactics(s);
    if (s->tactical || s->out_of_memory)
        return;
    s->settled = node_settle(s, 0, s->o.exact_root, r->ending_nodes);
    if (kept) {
        s->begun_with = visits_of_root(s);
        root_ready(s);
    }
}

/* ---- Looking at the tree ----------------------------------------------------------------------- */

static void gauges_tell(const zeno_search *s)
{
    const holos_gauge gauges[] = {
        {"H_v", (double)s->shape.entropy},
        {"G", (double)s->shape.gap},
        {"Var_Q", (double)s->shape.variance},
        {"lambda", (double)s->lambda},
        {"c", (double)s->formula.c},
        {"simulations", s->started},
        {"budget", s->budget},
    };
    s->r.gauges(s->r.gauges_context, gauges, sizeof gauges / sizeof *gauges);
}

/* Layers 1, 4, 5 and 6, every 50 simulations; layer 7 once, after the probe. True: stop. */
static bool look(zeno_search *s)
{
    s->shape = zeno_shape_of(&s->tree);
    s->lambda = zeno_lambda_of(&s->o, s->shape);
    if (s->o.glance)
        s->formula.lambda = s->lambda;
    if (s->o.explore)
        s->formula.c = s->o.c * (1 + s->shape.entropy);
    if (s->o.budget && s->started == ZENO_PROBE && s->r.simulations == 0) {
        const holos_position *p = zeno_position(&s->tree, 0);
        holos_stage phase = s->net->phase != NULL ? s->net->phase(s->v, p) : HOLOS_STAGE_MIDDLE;
        s->budget = zeno_budget_of(&s->o, phase, s->lambda);
    }
    if (s->r.gauges != NULL)
        gauges_tell(s);
    return s->o.stop && s->started >= ZENO_PROBE && zeno_is_clear(&s->o.thresholds, s->shape);
}

/* lc0's gain stopper: what the last hundred simulations told, as a divergence of the shares of visits. */
static bool gained_little(zeno_search *s)
{
    const zeno_node *root = &s->tree.nodes[0];
    double gain = 0;
    bool before = s->started > GAIN_INTERVAL;
    for (uint32_t i = 0; i < root->count; i++) {
        float share = s->tree.visits[root->first + i] / root->visits;
        if (before && s->shares[i] > 0)
            gain += (double)s->shares[i] * log((double)s->shares[i] / ((double)share + 1e-12));
        s->shares[i] = share;
    }
    return before && gain / GAIN_INTERVAL < GAIN_LEAST;
}

/* ---- Simulations ------------------------------------------------------------------------------- */

/* A leaf's value goes up to the root; each edge of the path has had a loss on it meanwhile. */
static void back_up(zeno_search *s, const zeno_leaf *leaf, float value)
{
    for (uint32_t i = leaf->depth; i-- > 0;) {
        uint32_t e = leaf->path[i];
        if ((s->tree.edges[e].flags & HOLOS_EDGE_SAME_SIDE) == 0)
            value = -value;
        s->tree.sums[e] += 1 + value;
    }
}

/* Takes back a simulation that ran into a leaf that waits. */
static void undo(zeno_search *s, const zeno_leaf *leaf)
{
    uint32_t node = 0;
    for (uint32_t i = 0; i < leaf->depth; i++) {
        uint32_t e = leaf->path[i];
        s->tree.visits[e] -= 1;
        s->tree.sums[e] += 1;
        s->tree.nodes[node].visits -= 1;
        node = s->tree.children[e];
    }
}

typedef enum descent { DESCENT_LEAF = 0, DESCENT_BACK, DESCENT_MET } descent;

/* From the root to a leaf, along the edges that the formula likes; `first` is the root's, or ZENO_NONE. */
static descent descend(zeno_search *s, zeno_leaf *leaf, uint32_t first)
{
    zeno_tree *t = &s->tree;
    float value;
    leaf->node = leaf->depth = 0;
    for (;;) {
        zeno_node *n = &t->nodes[leaf->node];
        if (n->state == ZENO_WAITING && leaf->depth > 0)
            return DESCENT_MET;
        if (leaf->depth > 0 && zeno_says(n->lo, n->hi, &value)) {
            back_up(s, leaf, value);
            return DESCENT_BACK;
        }
        if (leaf->depth == ZENO_DEPTH) { /* as good as a draw */
            back_up(s, leaf, 0);
            return DESCENT_BACK;
        }
        uint32_t e =
            leaf->depth == 0 && first != ZENO_NONE ? first : zeno_tree_select(t, leaf->node, s->formula);
        n->visits += 1;
        t->visits[e] += 1;
        t->sums[e] -= 1;
        leaf->path[leaf->depth++] = e;
        if (t->children[e] != ZENO_NONE) {
            leaf->node = t->children[e];
            continue;
        }
        leaf->node = zeno_tree_add(t, leaf->node, e);
        if (leaf->node == ZENO_NONE) {
            s->out_of_memory = true;
            return DESCENT_BACK;
        }
        if (!node_settle(s, leaf->node, s->o.exact_tree, 0))
            return DESCENT_LEAF;
    }
}

static zeno_step hand_out(zeno_search *s, uint32_t node, float *planes)
{
    memset(planes, 0, (size_t)s->view.height * s->view.width * s->stride * sizeof *planes);
    s->net->planes(s->v, zeno_position(&s->tree, node), planes, s->stride);
    s->leaf_count++;
    s->evaluations++;
    return ZENO_LEAF;
}

/* Whether the search is over, as far as that can be told now. Answers may be needed first. */
static bool is_over(zeno_search *s)
{
    const zeno_node *root = &s->tree.nodes[0];
    float value;
    if (s->ended || s->settled || s->tactical || root->count == 0 || zeno_says(root->lo, root->hi, &value))
        return true;
    if (s->o.root == ZENO_ROOT_PUCT && s->started >= s->budget)
        return true;
    return holos_stop_asked(s->r.stop) || ((s->started & 15) == 0 && deadline_passed(s->r.deadline));
}

/* The looks that are due; true: stop early. */
static bool looks(zeno_search *s)
{
    bool clear = false;
    if (s->started >= s->next_look) {
        s->next_look = s->started + ZENO_INTERVAL;
        if (s->started > 0)
            clear = look(s);
        if (s->o.gain && s->started > 0 && s->started % GAIN_INTERVAL == 0)
            clear = gained_little(s) || clear;
    }
    return clear;
}

zeno_step zeno_search_next(zeno_search *s, float *planes)
{
    if (s->out_of_memory)
        return ZENO_NO_MEMORY;
    if (s->tactical || s->settled || s->ended)
        return ZENO_DONE;
    if (s->leaf_count == s->o.leaves)
        return ZENO_BUSY;
    if (s->tree.nodes[0].state == ZENO_WAITING) {
        if (s->leaf_count > 0)
            return ZENO_BUSY;
        s->leaves[0] = (zeno_leaf){.node = 0};
        return hand_out(s, 0, planes);
    }
    for (;;) {
        bool due = s->started >= s->next_look;
        if (due && s->leaf_count > 0)
            return ZENO_BUSY;
        if (due && looks(s))
            s->early = s->ended = true;
        if (is_over(s))
            return s->leaf_count > 0 ? ZENO_BUSY : ZENO_DONE;
        bool wait = false;
        uint32_t first = s->o.root == ZENO_ROOT_GUMBEL ? gumbel_select(s, &wait) : ZENO_NONE;
        if (wait)
            return ZENO_BUSY;
        if (s->o.root == ZENO_ROOT_GUMBEL && first == ZENO_NONE) {
            s->ended = true;
            return ZENO_DONE;
        }
        zeno_leaf *leaf = &s->leaves[s->leaf_count];
        descent found = descend(s, leaf, first);
        if (s->out_of_memory)
            return ZENO_NO_MEMORY;
        if (found == DESCENT_MET) {
            undo(s, leaf);
            return ZENO_BUSY;
        }
        s->started++;
        if (found == DESCENT_LEAF)
            return hand_out(s, leaf->node, planes);
    }
}

void zeno_search_feed(zeno_search *s, const float *logits, const float *values)
{
    for (uint32_t i = 0; i < s->leaf_count; i++) {
        const zeno_leaf *leaf = &s->leaves[i];
        node_open(s, leaf->node, logits + i * s->logits, values[i]);
        back_up(s, leaf, values[i]);
        if (leaf->depth == 0 && !s->out_of_memory)
            root_ready(s);
    }
    s->leaf_count = 0;
}

/* ---- What came of it --------------------------------------------------------------------------- */

/* The solver knows who wins at the root, but not by which move: each is asked, the likely ones first. */
static void root_moves_settle(zeno_search *s)
{
    zeno_node *root = &s->tree.nodes[0];
    const holos_position *p = zeno_position(&s->tree, 0);
    int32_t lo = root->lo, hi = root->hi;
    if (root->count == 0) {
        uint32_t count = s->v->game->expand(s->v, p, (holos_edges){.edges = s->edges});
        if (!zeno_tree_open(&s->tree, 0, s->edges, count)) {
            s->out_of_memory = true;
            return;
        }
        s->tree.nodes[0].state = ZENO_SETTLED;
    }
    for (uint32_t i = 0; i < s->tree.nodes[0].count; i++) {
        uint32_t e = s->tree.nodes[0].first + i;
        float want, has;
        uint32_t child =
            s->tree.children[e] != ZENO_NONE ? s->tree.children[e] : zeno_tree_add(&s->tree, 0, e);
        if (child == ZENO_NONE)
            break;
        node_settle(s, child, UINT32_MAX, s->r.ending_nodes);
        zeno_says(lo, hi, &want);
        if (zeno_says(s->tree.lo[e], s->tree.hi[e], &has) && has == want && lo > 0)
            break; /* one win is enough */
    }
    root = &s->tree.nodes[0];
    root->lo = root->lo > lo ? root->lo : lo;
    root->hi = root->hi < hi ? root->hi : hi;
}

/* How good a move is to play without chance: what is proved first, then visits, then priors. */
static double rank_of(const zeno_tree *t, uint32_t e)
{
    float known;
    double rank = (double)t->visits[e] + (double)t->priors[e] / 2;
    if (zeno_says(t->lo[e], t->hi[e], &known))
        rank = known > 0 ? 1e9 + t->lo[e] : known < 0 ? -1e9 + t->hi[e] : rank;
    return rank;
}

static uint32_t choose(zeno_search *s, float *shares)
{
    const zeno_tree *t = &s->tree;
    const zeno_node *root = &t->nodes[0];
    uint32_t best = root->first;
    double left = 0;
    for (uint32_t i = root->first; i < root->first + root->count; i++)
        best = rank_of(t, i) > rank_of(t, best) ? i : best;
    float known;
    bool proved = zeno_says(t->lo[best], t->hi[best], &known) && known > 0;
    if (shares != NULL)
        for (uint32_t i = 0; i < root->count; i++)
            shares[i] = proved || root->visits <= 0 ? (float)(root->first + i == best)
                                                    : t->visits[root->first + i] / root->visits;
    if (s->r.temperature <= 0 || proved || root->visits <= 0)
        return best;
    for (uint32_t i = root->first; i < root->first + root->count; i++)
        left += pow((double)t->visits[i], 1 / (double)s->r.temperature);
    left *= rng_double(&s->random);
    for (uint32_t i = root->first; i < root->first + root->count; i++) {
        left -= pow((double)t->visits[i], 1 / (double)s->r.temperature);
        if (left < 0)
            return i;
    }
    return best;
}

zeno_result zeno_search_result(zeno_search *s, float *shares)
{
    if (s->settled)
        root_moves_settle(s);
    const zeno_node *root = &s->tree.nodes[0];
    bool gumbel = s->o.root == ZENO_ROOT_GUMBEL && !s->settled && !s->tactical;
    uint32_t edge = s->tactical ? s->edge : gumbel ? gumbel_choose(s, shares) : choose(s, shares);
    if (s->tactical && shares != NULL)
        for (uint32_t i = 0; i < root->count; i++)
            shares[i] = root->first + i == edge;
    zeno_result r = {.edge = edge,
                     .move = s->tree.edges[edge].move,
                     .lo = root->lo,
                     .hi = root->hi,
                     .tactical = s->tactical,
                     .early = s->early,
                     .simulations = s->started,
                     .budget = s->budget,
                     .evaluations = s->evaluations,
                     .shape = zeno_shape_of(&s->tree),
                     .lambda = s->lambda,
                     .c = s->formula.c};
    float sum = 0, weight = 0;
    for (uint32_t i = root->first; i < root->first + root->count; i++) {
        sum += s->tree.visits[i] * zeno_edge_value(&s->tree, i);
        weight += s->tree.visits[i];
    }
    if (!zeno_says(root->lo, root->hi, &r.value))
        r.value = weight > 0 ? sum / weight : root->value;
    return r;
}

bool zeno_search_play(zeno_search *s, uint32_t edge)
{
    return s->o.reuse && !s->tactical && !s->settled && zeno_tree_descend(&s->tree, &s->spare, edge);
}

/* The edge of a node that leads to a position, if it has been visited; ZENO_NONE otherwise. */
static uint32_t edge_to(const zeno_tree *t, uint32_t node, const holos_position *p)
{
    const zeno_node *n = &t->nodes[node];
    for (uint32_t edge = n->first; edge < n->first + n->count; edge++)
        if (t->children[edge] != ZENO_NONE &&
            memcmp(zeno_position(t, t->children[edge]), p, t->v->position_size) == 0)
            return edge;
    return ZENO_NONE;
}

bool zeno_search_follow(zeno_search *s, const holos_position *p)
{
    const zeno_tree *t = &s->tree;
    if (t->node_count == 0 || s->out_of_memory || t->nodes[0].state != ZENO_OPEN)
        return false;
    uint32_t edge = edge_to(t, 0, p);
    const zeno_node *root = &t->nodes[0];
    for (uint32_t i = root->first; edge == ZENO_NONE && i < root->first + root->count; i++)
        if (t->children[i] != ZENO_NONE && edge_to(t, t->children[i], p) != ZENO_NONE) {
            if (!zeno_search_play(s, i))
                return false;
            edge = edge_to(t, 0, p);
            break;
        }
    return edge != ZENO_NONE && zeno_search_play(s, edge);
}
