/* SPDX-License-Identifier: MIT */

/* The end of an exploration: rank 0 gets what all of them have counted, and merges their positions into one hologram. */

#include "cluster/merge.h"
#include "cluster/wave_inside.h"
#include "engine/wave/classes.h"
#include "engine/wave/hologram_format.h"
#include "engine/wave/mappings.h"
#include "engine/wave/sorted.h"

#include <stdlib.h>
#include <string.h>

#define SORT_LEAST ((size_t)32 << 20) /* bytes to sort with, however full the memory is */
#define SOME       256                /* records that are made together */

/* ---- Counts ------------------------------------------------------------------------------------ */

/* Rank 0 counts for all from here on, and the others begin at 0 again. */
static void statistics_gather(cluster_wave *g)
{
    holos_wave_statistics *s = &g->w->statistics;
    uint64_t counters[] = {
#define COUNTER(name) s->name,
        HOLOS_WAVE_COUNTERS(COUNTER)
#undef COUNTER
    };
    size_t i = 0;
    cluster_sum(g->c, counters, sizeof counters / sizeof *counters);
    bool first = g->c->rank == 0;
#define COUNTER(name) s->name = first ? counters[i] : 0, i++;
    HOLOS_WAVE_COUNTERS(COUNTER)
#undef COUNTER
}

/* What reports say of layers. */
static void layers_report(cluster_wave *g)
{
    layers *l = &g->w->forward;
    holos_error err;
    for (unsigned d = 0; d < g->forward.depth; d++) {
        uint64_t sums[] = {l->at[d]->statistics.expanded, l->at[d]->statistics.generated};
        cluster_sum(g->c, sums, 2);
        if (g->c->rank != 0 || g->forward.counts[d] == 0 || layers_reach(l, d, &err) != HOLOS_OK)
            continue;
        l->at[d]->statistics =
            (holos_wave_layer){.positions = g->forward.counts[d], .expanded = sums[0], .generated = sums[1]};
    }
}

/* The last layer that is whole: all before it are expanded. */
static wave_frontier frontier_of(cluster_wave *g)
{
    wave_frontier f = {0};
    while (f.depth + 1 < g->forward.depth && g->forward.waiting[f.depth] == 0)
        f.depth++;
    while (f.depth > 0 && g->forward.counts[f.depth] == 0)
        f.depth--;
    if (f.depth == 0)
        return f;
    f.count = g->forward.counts[f.depth];
    f.digest = hologram_layer_digest(&g->w->forward, g->w->forward.at[f.depth]);
    cluster_sum(g->c, &f.digest, 1);
    return f;
}

/* Places where a forward and a backward wave met. */
static void meetings_gather(cluster_wave *g)
{
    holos_wave *w = g->w;
    holos_error err;
    size_t each = w->nodes.key_words * sizeof(uint64_t);
    if (g->c->rank > 0) {
        wave_fail(g,
                  holos_cluster_send(g->c, 0, w->meetings.words != NULL ? (void *)w->meetings.words : "",
                                     w->meetings.count * each, &err),
                  &err);
        return;
    }
    for (unsigned rank = 1; rank < g->c->ranks; rank++) {
        key_list theirs = {0};
        void *bytes = NULL;
        size_t size = 0;
        wave_fail(g, holos_cluster_receive(g->c, rank, &bytes, &size, &err), &err);
        theirs.words = bytes;
        for (size_t i = 0; bytes != NULL && i < size / each; i++)
            list_append(&w->meeting_format, &w->meetings, list_key(&w->meeting_format, &theirs, i));
        free(bytes);
    }
}

/* Classes go into the hologram as one list, so rank 0 gets all. */
static void classes_gather(cluster_wave *g)
{
    holos_wave *w = g->w;
    holos_error err;
    if (w->classes == NULL)
        return;
    if (g->c->rank > 0) {
        size_t count;
        hologram_class *classes = hologram_classes_of(w, &count);
        wave_fail(g, classes != NULL ? HOLOS_OK : error_system(&err, "the classes of a wave"), &err);
        wave_fail(g,
                  holos_cluster_send(g->c, 0, classes != NULL ? (void *)classes : "", count * sizeof *classes,
                                     &err),
                  &err);
        free(classes);
        return;
    }
    for (unsigned rank = 1; rank < g->c->ranks; rank++) {
        void *bytes = NULL;
        size_t size = 0;
        wave_fail(g, holos_cluster_receive(g->c, rank, &bytes, &size, &err), &err);
        const hologram_class *c = bytes;
        for (size_t i = 0; bytes != NULL && i < size / sizeof *c; i++)
            if (!classes_load(
                    w, c[i].features,
                    (class_record){.count = c[i].count, .value = c[i].value, .broken = c[i].broken != 0}))
                wave_fail(g, mem_error(&err, w->budget, sizeof *c, "the classes of a wave"), &err);
        free(bytes);
    }
}

void wave_whole(cluster_wave *g)
{
    wave_frontier f = frontier_of(g);
    statistics_gather(g);
    layers_report(g);
    meetings_gather(g);
    classes_gather(g);
    wave_mapping_of(g->w, &f);
}

void cluster_wave_totals(const cluster_wave *g, holos_wave_statistics *out)
{
    *out = g->w->statistics;
    out->positions = g->facts[FACT_POSITIONS];
    out->solved = g->facts[FACT_SOLVED];
}

wave_node cluster_wave_node(cluster_wave *g, holos_key key)
{
    const holos_wave *w = g->w;
    node_at at = nodes_find(&w->nodes, key);
    wave_node n = at != NULL ? node_load(at) : wave_unknown(w, NODE_FORWARD, 0);
    cluster_share(g->c, &n, sizeof n, nodes_part_of(nodes_hash(key), g->c->ranks));
    return n;
}

/* ---- The hologram ------------------------------------------------------------------------------ */

/* A record: the key, the node, the position where positions are kept. */
typedef struct entry_way {
    const holos_wave *w;
    size_t record;
    unsigned char *records; /* SOME of them */
    merge_take *take;
    void *context;
    hologram_writer *out;
    bool merged; /* rank 0 has got so far */
} entry_way;

static holos_status entries_to_records(void *context, const uint64_t *entries, size_t count, holos_error *err)
{
    const entry_way *way = context;
    const nodes *n = &way->w->nodes;
    unsigned words = sorted_words(n);
    holos_status status = HOLOS_OK;
    while (status == HOLOS_OK && count > 0) {
        size_t some = count < SOME ? count : SOME;
        for (size_t i = 0; i < some; i++, entries += words) {
            unsigned char *to = way->records + i * way->record;
            holos_key key = sorted_key(entries, words);
            memcpy(to, &key, sizeof key);
            memcpy(to + sizeof key, &entries[words - 1], sizeof *entries);
            if (n->position_size > 0)
                memcpy(to + sizeof key + sizeof *entries, nodes_position(n, key), n->position_size);
        }
        status = way->take(way->context, way->records, some, err);
        count -= some;
    }
    return status;
}

static holos_status entries_give(void *from, merge_take *take, void *context, holos_error *err)
{
    entry_way *way = from;
    way->take = take;
    way->context = context;
    sorted_request q = {.nodes = &way->w->nodes,
                        .threads = way->w->threads,
                        .least = SORT_LEAST,
                        .take = entries_to_records,
                        .context = way};
    return nodes_sorted(&q, err);
}

static holos_status records_to_hologram(void *context, const void *records, size_t count, holos_error *err)
{
    const entry_way *way = context;
    const unsigned char *record = records;
    for (size_t i = 0; i < count; i++, record += way->record) {
        uint64_t words[3];
        holos_key key;
        unsigned at = way->w->nodes.key_words;
        memcpy(&key, record, sizeof key);
        words[0] = key.lo;
        words[1] = key.hi;
        memcpy(&words[at], record + sizeof key, sizeof *words);
        if (!wave_entry_write(way->w, words, record + sizeof key + sizeof *words, 0, way->out))
            return error_set(err, HOLOS_IO, HOLOS_NOWHERE, "the hologram cannot be written");
    }
    return HOLOS_OK;
}

typedef struct hologram_way {
    cluster_wave *g;
    entry_way *way;
} hologram_way;

static holos_status entries_merged(const holos_wave *w, void *context, hologram_writer *out, holos_error *err)
{
    const hologram_way *h = context;
    (void)w;
    /* The two directions of rank 0: its own records go into the merger, those of all come out of it. */
    entry_way to = *h->way;
    to.out = out;
    h->way->merged = true;
    return cluster_merge(h->g->c, h->way->record, entries_give, h->way, records_to_hologram, &to, err);
}

holos_status cluster_wave_save(cluster_wave *g, const char *path, holos_error *err)
{
    entry_way way = {.w = g->w, .record = sizeof(holos_key) + sizeof(uint64_t) + g->w->nodes.position_size};
    hologram_way h = {.g = g, .way = &way};
    way.records = malloc(SOME * way.record);
    holos_status status = way.records != NULL ? HOLOS_OK : error_system(err, "a hologram");
    status = holos_cluster_agree(g->c, status, err);
    if (status == HOLOS_OK && g->c->rank == 0) {
        status = wave_save_entries(g->w, path, entries_merged, &h, err);
        if (!way.merged) /* the others wait for the first call of a merger */
            status = holos_cluster_agree(g->c, status, err);
    } else if (status == HOLOS_OK) {
        status = cluster_merge(g->c, way.record, entries_give, &way, NULL, NULL, err);
    }
    free(way.records);
    return holos_cluster_agree(g->c, status, err);
}
