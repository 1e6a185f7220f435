/* SPDX-License-Identifier: MIT */

/* Reaching: a layer's successors are the next layer, in their owners. */

#include "cluster/graph.h"

#include "cluster/owner.h"
#include "core/assert.h"
#include "core/hash.h"
#include "core/list.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define POKE_EACH 1024 /* positions between two looks at what travels: each asks the system */
#define AHEAD     16   /* slots are fetched this many insertions ahead; a power of two */
#define PIECE     32   /* keys of a rank, before it is the next one's turn */
#define SHEAF     256  /* successors that are sent together */
#define VERSION   1

void graph_fail(cluster_graph *g, holos_status status, const holos_error *err)
{
    if (g->status != HOLOS_OK || status == HOLOS_OK)
        return;
    g->status = status;
    g->error = *err;
    g->skip = true;
}

/* ---- Taking positions -------------------------------------------------------------------------- */

/* Room for so many keys in the block of all shards, each of which gets about its share of them; two thirds are new. So positions are looked
 * for on huge pages from the start, and need not be moved to such pages before they are valued: kalah:3,9 on two ranks takes 8.8 s instead of
 * 11.0 s, and about 450 MiB in each instead of 700. */
static void block_make(cluster_graph *g, uint64_t insertions)
{
    uint32_t incoming[NODES_SHARDS], share = (uint32_t)(insertions * 2 / 3 / NODES_SHARDS);
    for (unsigned i = 0; i < NODES_SHARDS; i++)
        incoming[i] = share;
    nodes_reserve(&g->w->nodes, incoming, g->grow, g->w->threads);
}

/* Moves positions to disk before memory runs out. */
static void room_make(cluster_graph *g, uint64_t insertions)
{
    holos_error err;
    if (nodes_growth(&g->w->nodes, insertions) + reached_growth(&g->reached, insertions) <= wave_room(g->w)) {
        block_make(g, insertions);
        return;
    }
    if (g->q.spill == NULL)
        graph_fail(g,
                   error_set(&err, HOLOS_LIMIT, HOLOS_NOWHERE,
                             "the graph does not fit into memory (%llu positions so far in this rank); "
                             "--spill DIR keeps the rest on disk",
                             (unsigned long long)g->w->statistics.positions),
                   &err);
    else if (!wave_spill(g->w, NULL, &err))
        graph_fail(g, HOLOS_IO, &err);
}

/* `kept`: an earlier run has written it. */
static inline void key_take(cluster_graph *g, holos_key key, uint64_t hash, unsigned depth, bool kept)
{
    bool fresh;
    wave_node unknown = {.depth = (uint16_t)depth, .flags = NODE_FORWARD};
    node_at at = nodes_insert(&g->w->nodes, key, hash, NULL, unknown, &fresh, &g->problem);
    if (at == NULL) {
        graph_fail(g, HOLOS_NO_MEMORY, &g->problem);
    } else if (fresh) {
        g->w->statistics.positions++;
        if (!kept)
            graph_fail(g, reached_add(&g->reached, key, &g->problem), &g->problem);
    }
}

/* Slots are fetched while those before them are filled. */
static void keys_take(cluster_graph *g, const uint64_t *words, size_t count, unsigned depth, bool kept)
{
    if (count == 0 || g->skip)
        return;
    room_make(g, count);
    uint64_t hashes[AHEAD] = {0};
    for (size_t i = 0; i < count + AHEAD && !g->skip; i++) {
        if (i >= AHEAD)
            key_take(g, words_key(words + (i - AHEAD) * g->words, g->words), hashes[i % AHEAD], depth, kept);
        if (i < count) {
            hashes[i % AHEAD] = nodes_hash(words_key(words + i * g->words, g->words));
            nodes_prefetch_hash(&g->w->nodes, hashes[i % AHEAD]);
        }
    }
}

/* ---- A layer ----------------------------------------------------------------------------------- */

bool graph_stopped(cluster_graph *g)
{
    holos_error err;
    if (holos_stop_asked(g->q.stop))
        graph_fail(g, error_set(&err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted"), &err);
    return g->skip;
}

size_t slice_read(cluster_graph *g, size_t depth, uint64_t first, size_t most)
{
    holos_error err;
    uint64_t count = g->reached.layers[depth].count;
    size_t some = first >= count ? 0 : count - first < most ? (size_t)(count - first) : most;
    if (graph_stopped(g) || some == 0)
        return 0;
    graph_fail(g, reached_read(&g->reached, depth, first, some, g->slice, &err), &err);
    return g->skip ? 0 : some;
}

static inline uint64_t *sent_place(const cluster_graph *g, uint64_t hash)
{
    return &g->sent[hash % SENT * g->words];
}

/* Whether a key was sent, or came, of late; from now on it was. */
static inline bool key_is_recent(cluster_graph *g, holos_key key, uint64_t hash)
{
    uint64_t *before = sent_place(g, hash);
    bool recent = holos_key_equal(words_key(before, g->words), key);
    key_record(key, g->words, (uint32_t *)before);
    return recent;
}

/* Successors on their way to their owners. First many are found, then all are sent: a loop without a call of the game, whose places in g->sent have been
 * fetched by then. Two ranks take 0.94 times the time for connect4:5x4 that they take if each is sent when it is found. */
typedef struct sheaf {
    holos_key keys[SHEAF + GRAPH_CLAIMED]; /* those of one position more */
    uint64_t hashes[SHEAF + GRAPH_CLAIMED];
    size_t count;
} sheaf;

static void sheaf_send(cluster_graph *g, exchange *x, sheaf *s)
{
    for (size_t i = 0; i < s->count; i++) {
        bool recent = key_is_recent(g, s->keys[i], s->hashes[i]);
        uint32_t *record = exchange_offer(x, owner_of(g->q.cluster, s->hashes[i]), !recent);
        if (record != NULL)
            key_record(s->keys[i], g->words, record);
    }
    s->count = 0;
}

static void slice_expand(cluster_graph *g, exchange *x, size_t count)
{
    const holos_variant *v = g->q.v;
    holos_edges out = {.positions = g->out.positions};
    sheaf s;
    s.count = 0;
    for (size_t i = 0; i < count; i++) {
        wave_position(g->w, words_key(g->slice + i * g->words, g->words), g->here);
        uint32_t successors = v->game->expand(v, g->here, out);
        for (uint32_t k = 0; k < successors; k++) {
            holos_key key = v->game->identity(v, position_at(v, out.positions, k));
            uint64_t hash = nodes_hash(key);
            __builtin_prefetch(sent_place(g, hash), 1);
            s.keys[s.count] = key;
            s.hashes[s.count++] = hash;
        }
        if (s.count >= SHEAF)
            sheaf_send(g, x, &s);
        if (i % POKE_EACH == 0)
            exchange_poke(x);
    }
    sheaf_send(g, x, &s);
}

/* One piece of so many of the keys of one rank, into g->taken. Those from elsewhere only if they did not come of late. */
static size_t piece_take(cluster_graph *g, const unsigned char *bytes, size_t size, uint64_t piece,
                         uint64_t pieces, bool away, size_t taken)
{
    const uint64_t *words = (const uint64_t *)(const void *)bytes;
    uint64_t count = size / (g->words * sizeof *words), end = count * (piece + 1) / pieces;
    for (uint64_t i = count * piece / pieces; i < end; i++) {
        holos_key key = words_key(words + i * g->words, g->words);
        key_record(key, g->words, (uint32_t *)(g->taken + g->words * taken));
        taken += !(away && key_is_recent(g, key, nodes_hash(key)));
    }
    return taken;
}

/* The keys of a batch, of this rank and of the others, a few of each in turn: about in the order in which one process would have them.
 * So positions with common successors stay near each other in the layers of all ranks, and most keys that come a second time do so soon
 * after the first. connect4:5x4: two ranks look for 5.9 million keys in their tables instead of 7.5 million (one: 4.7 million), and take
 * a twentieth less processor time. */
static void keys_zip(cluster_graph *g, const record_box *own, const exchange *x, unsigned depth)
{
    holos_error err;
    size_t most = own->size, taken = 0;
    for (unsigned i = 0; i < x->c->ranks; i++)
        most = (size_t)x->move.in_sizes[i] > most ? (size_t)x->move.in_sizes[i] : most;
    uint64_t pieces = most / (PIECE * g->words * sizeof *g->taken) + 1;
    if (!COUNTED_RESERVE(g->q.budget, g->taken, g->taken_room,
                         (own->size + x->in.size) / sizeof *g->taken + g->words))
        graph_fail(g, error_system(&err, "positions from other ranks"), &err);
    for (uint64_t piece = 0; piece < pieces && !g->skip; piece++) {
        taken = piece_take(g, own->bytes, own->size, piece, pieces, false, taken);
        for (unsigned i = 0; i < x->c->ranks; i++)
            taken = piece_take(g, x->in.bytes + x->move.in_at[i], (size_t)x->move.in_sizes[i], piece, pieces,
                               true, taken);
    }
    keys_take(g, g->taken, taken, depth, false);
}

/* Of the open layer so many positions are known in all ranks, or about so many. */
static void layer_tell(cluster_graph *g, uint64_t positions)
{
    uint64_t all = g->before + positions;
    if (all <= g->told)
        return;
    progress_add(g->q.progress, all - g->told);
    g->told = all;
}

/* What was put is on its way, or why not. What this rank has found for itself waits for what the others found at the same time. */
static void batch_begin(cluster_graph *g, exchange *x)
{
    holos_error err = {0};
    record_box swap = g->held;
    g->held = x->own;
    x->own = swap;
    x->own.size = 0;
    x->note = nodes_grow_soon(&g->w->nodes);
    exchange_begin(x, 0, g->status != HOLOS_OK);
    if (x->no_memory)
        graph_fail(g, error_set(&err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, GRAPH_NO_MEMORY), &err);
}

static void batch_take(cluster_graph *g, exchange *x, unsigned depth)
{
    record_box *own = &g->held;
    exchange_end(x);
    g->skip |= x->failed;
    g->grow = x->noted;
    if (x->in.size > 0)
        keys_zip(g, own, x, depth);
    else
        keys_take(g, (const uint64_t *)(const void *)own->bytes, own->size / (g->words * sizeof(uint64_t)),
                  depth, false);
    own->size = 0;
    layer_tell(g, g->reached.count * x->c->ranks); /* as many in each rank as here */
}

/* Expands the last layer that is whole. */
static void layer_expand(cluster_graph *g, exchange *x, size_t depth)
{
    unsigned next = (unsigned)depth + 1;
    for (uint64_t first = 0; first < g->longest[depth]; first += SLICE) {
        slice_expand(g, x, slice_read(g, depth, first, SLICE));
        if (first > 0)
            batch_take(g, x, next);
        batch_begin(g, x);
    }
    if (g->longest[depth] > 0)
        batch_take(g, x, next);
    /* What all ranks have heard decides: they make the same calls. */
    while (g->longest[depth] > 0 && x->unfinished > 0 && !x->failed) {
        batch_begin(g, x);
        batch_take(g, x, next);
    }
}

/* How many positions a layer has here and elsewhere, from what has been reached. */
static holos_status layer_count(cluster_graph *g, size_t depth, holos_error *err)
{
    holos_cluster *c = g->q.cluster;
    uint64_t total = 0, most = 0;
    holos_status status = HOLOS_OK;
    if (!LIST_RESERVE(g->layers, g->layer_room, depth + 1) ||
        !LIST_RESERVE(g->longest, g->longest_room, depth + 1))
        status = error_system(err, "the layers of the graph");
    status = holos_cluster_agree(c, status, err);
    if (status != HOLOS_OK)
        return status;
    const uint64_t *all = cluster_each(c, g->reached.layers[depth].count);
    for (unsigned i = 0; i < c->ranks; i++) {
        total += all[i];
        most = all[i] > most ? all[i] : most;
    }
    g->layers[depth] = (cluster_layer){.positions = total};
    g->longest[depth] = most;
    g->layer_count = depth + 1;
    layer_tell(g, total);
    g->before += total;
    return depth < INT16_MAX ? HOLOS_OK
                             : error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "the graph is too deep");
}

/* What all ranks have reached together of the layer, or why not. */
static holos_status layer_end(cluster_graph *g, holos_error *err)
{
    holos_error own;
    if (g->status == HOLOS_OK && !g->skip)
        graph_fail(g, reached_end(&g->reached, &own), &own);
    *err = g->error;
    return holos_cluster_agree(g->q.cluster, g->status, err);
}

/* ---- Going on ---------------------------------------------------------------------------------- */

/* As many layers as every rank has whole. */
static size_t layers_common(cluster_graph *g)
{
    holos_cluster *c = g->q.cluster;
    uint64_t least = g->reached.layer_count;
    const uint64_t *all = cluster_each(c, least);
    for (unsigned i = 0; i < c->ranks; i++)
        least = all[i] < least ? all[i] : least;
    return (size_t)least;
}

/* Puts what an earlier run has reached into the table again. */
static void layers_load(cluster_graph *g, size_t whole)
{
    uint64_t loaded = 0;
    for (size_t depth = 0; depth < whole && !g->skip; depth++)
        for (uint64_t first = 0; first < g->reached.layers[depth].count && !g->skip; first += SLICE) {
            size_t count = slice_read(g, depth, first, SLICE);
            keys_take(g, g->slice, count, (unsigned)depth, true);
            loaded += count;
            layer_tell(g, loaded * g->q.cluster->ranks);
        }
}

/* The whole that are there; at least the first, which is the start. */
static holos_status layers_begin(cluster_graph *g, holos_error *err)
{
    holos_error own;
    size_t whole = layers_common(g);
    graph_fail(g, reached_cut(&g->reached, whole, &own), &own);
    layers_load(g, whole);
    if (whole == 0 && g->status == HOLOS_OK) {
        holos_key key = g->q.v->game->identity(g->q.v, g->start);
        if (owner_of(g->q.cluster, nodes_hash(key)) == g->q.cluster->rank)
            key_take(g, key, nodes_hash(key), 0, false);
        return layer_end(g, err);
    }
    *err = g->error;
    return holos_cluster_agree(g->q.cluster, g->status, err);
}

/* ---- Opening ----------------------------------------------------------------------------------- */

static holos_status checkpoint_open(cluster_graph *g, holos_error *err)
{
    const cluster_graph_request *q = &g->q;
    text path;
    text_init(&path);
    if (q->path != NULL)
        text_printf(&path, "%s.%u", q->path, q->cluster->rank);
    reached_label label = {.family = hash_bytes(q->v->name, strlen(q->v->name)).lo,
                           .ranks = q->cluster->ranks,
                           .rank = q->cluster->rank,
                           .words = g->words,
                           .version = VERSION};
    holos_status status = path.failed ? error_system(err, "the checkpoint")
                                      : reached_open(&g->reached, q->path != NULL ? path.data : NULL,
                                                     q->spill, q->budget, q->resume, &label, err);
    text_free(&path);
    return status;
}

static holos_status graph_open(cluster_graph *g, holos_error *err)
{
    const holos_variant *v = g->q.v;
    holos_wave_options o = {.limits = {.memory = g->q.budget->limit, .stop = g->q.stop},
                            .threads = 1,
                            .spill = g->q.spill,
                            .graph = true,
                            .unfolded = true,
                            .all_moves = true};
    if (g->q.cluster->ranks > GRAPH_RANKS_MOST)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "a graph can be shared by up to %d ranks",
                         GRAPH_RANKS_MOST);
    if (v->max_successors >= GRAPH_CLAIMED)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "the graph of %s cannot be shared: its positions have too many moves", v->name);
    g->here = holos_position_new(v);
    g->start = holos_position_new(v);
    g->out.edges = malloc(v->max_successors * sizeof *g->out.edges);
    g->out.positions = aligned_alloc(16, v->max_successors * v->position_size);
    g->out.bare = true;
    g->slice = malloc(SLICE * 2 * sizeof *g->slice);
    g->sent = calloc(SENT, 2 * sizeof *g->sent);
    if (g->here == NULL || g->start == NULL || g->out.edges == NULL || g->out.positions == NULL ||
        g->slice == NULL || g->sent == NULL)
        return error_system(err, "the graph");
    g->sent[0] = 1; /* the hash of the key 0 is 0, and that of 1 is not: nothing has been sent */
    holos_status status = holos_start(v, g->start, err);
    if (status == HOLOS_OK)
        status = wave_open_within(v, &o, g->q.budget, NULL, &g->w, err);
    if (status != HOLOS_OK)
        return status;
    g->words = g->w->nodes.key_words;
    g->w->nodes.expected = g->q.expected / g->q.cluster->ranks;
    return checkpoint_open(g, err);
}

holos_status cluster_graph_reach(const cluster_graph_request *q, cluster_graph **out, holos_error *err)
{
    holos_error own = {0};
    exchange x = {0};
    err = err != NULL ? err : &own;
    cluster_graph *g = *out = calloc(1, sizeof *g);
    if (g == NULL)
        return error_system(err, "the graph");
    g->q = *q;
    g->reached.fd = -1;
    holos_status status = graph_open(g, err);
    if (status == HOLOS_OK)
        status = exchange_init(&x, q->cluster, q->budget, g->words * sizeof(uint64_t), err);
    status = holos_cluster_agree(q->cluster, status, err);
    assert(status != HOLOS_OK || x.c != NULL); /* or this rank had not agreed */
    if (status == HOLOS_OK)
        status = layers_begin(g, err);
    for (size_t depth = 0; status == HOLOS_OK; depth++) {
        status = layer_count(g, depth, err);
        if (status != HOLOS_OK || g->layers[depth].positions == 0)
            break;
        if (depth + 1 < g->reached.layer_count)
            continue;
        layer_expand(g, &x, depth);
        status = layer_end(g, err);
    }
    exchange_free(&x);
    return status;
}

void cluster_graph_close(cluster_graph *g, bool finished)
{
    if (g == NULL)
        return;
    reached_close(&g->reached, finished);
    holos_wave_close(g->w);
    holos_position_free(g->here);
    holos_position_free(g->start);
    free(g->out.edges);
    free(g->out.positions);
    free(g->slice);
    free(g->sent);
    COUNTED_FREE(g->q.budget, g->taken, g->taken_room);
    box_free(g->q.budget, &g->held);
    free(g->layers);
    free(g->longest);
    free(g);
}

/* ---- What there is ----------------------------------------------------------------------------- */

size_t cluster_graph_depth(const cluster_graph *g)
{
    size_t count = g->layer_count;
    while (count > 0 && g->layers[count - 1].positions == 0)
        count--;
    return count;
}

cluster_layer cluster_graph_layer(const cluster_graph *g, size_t depth)
{
    return g->layers[depth];
}

void cluster_graph_count(cluster_graph *g, graph_counts *out)
{
    graph_count(g->w, out);
    cluster_sum(g->q.cluster, &out->finished, 1);
    cluster_sum(g->q.cluster, out->values, sizeof out->values / sizeof *out->values);
}

void cluster_graph_start(cluster_graph *g, holos_row *out)
{
    holos_key key = g->q.v->game->identity(g->q.v, g->start);
    *out = (holos_row){0};
    graph_find(g->w, key, out);
    cluster_share(g->q.cluster, out, sizeof *out, owner_of(g->q.cluster, nodes_hash(key)));
}

void cluster_graph_skew(cluster_graph *g, uint64_t *most, uint64_t *least)
{
    holos_cluster *c = g->q.cluster;
    const uint64_t *all = cluster_each(c, g->w->statistics.positions);
    *most = *least = all[0];
    for (unsigned i = 0; i < c->ranks; i++) {
        *most = all[i] > *most ? all[i] : *most;
        *least = all[i] < *least ? all[i] : *least;
    }
}
