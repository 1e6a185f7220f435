/* SPDX-License-Identifier: MIT */

#include "engine/wave/classes.h"

#include <stdlib.h>

holos_status classes_open(holos_wave *w, holos_error *err)
{
    const holos_hints *hints = w->v->game->hints;
    if (hints == NULL || hints->features == NULL || w->options.no_classes || w->options.graph)
        return HOLOS_OK;
    wave_classes *c = calloc(1, sizeof *c);
    if (c == NULL)
        return error_system(err, "the classes of a wave");
    w->classes = c;
    return table_init(&c->classes, w->budget, sizeof(class_record), 64, err);
}

void classes_close(holos_wave *w)
{
    if (w->classes == NULL)
        return;
    table_free(&w->classes->classes);
    free(w->classes);
    w->classes = NULL;
}

void classes_clear(wave_classes *c)
{
    if (c == NULL)
        return;
    table_clear(&c->classes);
    c->surveyed = 0;
}

static holos_key features_key(const holos_wave *w, const holos_position *p)
{
    return (holos_key){.lo = w->v->game->hints->features(w->v, p)};
}

bool classes_opinion(const holos_wave *w, const holos_position *p, int16_t *value)
{
    return w->classes != NULL && classes_opinion_of(w, features_key(w, p), value);
}

bool classes_opinion_of(const holos_wave *w, holos_key features, int16_t *value)
{
    const class_record *r = table_find(&w->classes->classes, features);
    if (r == NULL || r->broken || r->count < CLASS_QUORUM)
        return false;
    *value = r->value;
    return true;
}

/* A proof has come for a position of which its class, whose value never changes, had expected something. */
static void conjecture_score(holos_wave *w, const class_record *r, wave_node *n)
{
    if (r->value == n->lo)
        w->statistics.equiv_confirmed++;
    else
        w->statistics.equiv_refuted++;
    n->flags &= (uint8_t)~NODE_CONJECTURE;
}

static void class_take(holos_wave *w, class_record *r, bool fresh, const wave_node *n)
{
    if (fresh) {
        w->statistics.equiv_classes++;
        r->value = n->lo;
    }
    if (!r->broken && r->value != n->lo) {
        r->broken = 1;
        w->statistics.equiv_broken++;
    }
    if (r->count >= w->options.class_size) {
        w->statistics.class_capped++;
        return;
    }
    r->count++;
    w->statistics.equiv_tracked++;
}

void classes_prove(holos_wave *w, const holos_position *p, wave_node *n)
{
    if (w->classes == NULL || (n->flags & (NODE_IN_CLASS | NODE_CONJECTURE)) == NODE_IN_CLASS)
        return;
    bool fresh;
    classes_count(w, features_key(w, p), n, &fresh); /* without memory the class does not hear of it */
}

class_record *classes_count(holos_wave *w, holos_key features, wave_node *n, bool *fresh)
{
    class_record *r = table_insert(&w->classes->classes, features, fresh);
    if (r == NULL)
        return NULL;
    if ((n->flags & NODE_CONJECTURE) != 0 && !*fresh)
        conjecture_score(w, r, n);
    if ((n->flags & NODE_IN_CLASS) == 0)
        class_take(w, r, *fresh, n);
    n->flags |= NODE_IN_CLASS;
    return r;
}

bool classes_load(holos_wave *w, uint64_t features, class_record r)
{
    bool fresh;
    class_record *to = table_insert(&w->classes->classes, (holos_key){.lo = features}, &fresh);
    if (to == NULL)
        return false;
    *to = r;
    return true;
}

/* ---- Surveys ----------------------------------------------------------------------------------- */

/* The solved positions that no class knows. */
static void survey_proofs(holos_wave *w)
{
    holos_position *p = w->scratch[0].position;
    for (unsigned shard = 0; shard < NODES_SHARDS; shard++) {
        node_at at;
        if (wave_sweep_is_cut(w))
            return;
        for (size_t i = 0; (at = nodes_next(&w->nodes, shard, &i)) != NULL;) {
            wave_node n = node_load(at);
            if (!node_is_solved(n) || (n.flags & (NODE_IN_CLASS | NODE_CONJECTURE)) == NODE_IN_CLASS)
                continue;
            wave_position(w, slot_key(&w->nodes, at), p);
            classes_prove(w, p, &n);
            node_store(at, n);
        }
    }
}

/* The open positions of a shard of which nothing has been said. */
static void survey_shard(void *context, uint64_t shard, unsigned worker)
{
    holos_wave *w = context;
    wave_scratch *s = &w->scratch[worker];
    node_at at;
    if (wave_sweep_is_cut(w))
        return;
    for (size_t i = 0; (at = nodes_next(&w->nodes, (unsigned)shard, &i)) != NULL;) {
        wave_node n = node_load(at);
        int16_t value;
        if (node_is_solved(n) || (n.flags & NODE_CONJECTURE) != 0)
            continue;
        wave_position(w, slot_key(&w->nodes, at), s->position);
        if (!classes_opinion(w, s->position, &value) || value < n.lo || value > n.hi)
            continue;
        n.flags |= NODE_CONJECTURE;
        node_store(at, n);
        s->conjectures++;
    }
}

/* Whether a survey would end in time; if not, a later one does it, too. */
static bool survey_fits(const holos_wave *w)
{
    return w->sweep_until == CLOCK_NEVER ||
           clock_wall() + w->survey_seconds * (double)w->statistics.positions < w->sweep_until;
}

void classes_survey(holos_wave *w)
{
    if (w->classes == NULL || !survey_fits(w))
        return;
    double began = clock_wall();
    survey_proofs(w);
    pool_run(w->threads, NODES_SHARDS, survey_shard, w);
    for (unsigned i = 0; i < pool_threads(w->threads); i++) {
        w->statistics.equiv_propagated += w->scratch[i].conjectures;
        w->scratch[i].conjectures = 0;
    }
    w->classes->surveyed = w->statistics.positions;
    w->survey_seconds = (clock_wall() - began) / (double)(w->statistics.positions + 1);
}

void classes_survey_if_grown(holos_wave *w)
{
    if (w->classes != NULL && w->statistics.positions / CLASSES_GROWTH >= w->classes->surveyed)
        classes_survey(w);
}
