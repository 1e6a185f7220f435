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
    holos_status status = table_init(&c->classes, w->budget, sizeof(class_record), 64, err);
    if (status == HOLOS_OK)
        status = table_init(&c->conjectures, w->budget, sizeof(int64_t), 64, err);
    return status;
}

void classes_close(holos_wave *w)
{
    if (w->classes == NULL)
        return;
    table_free(&w->classes->classes);
    table_free(&w->classes->conjectures);
    free(w->classes);
    w->classes = NULL;
}

void classes_clear(wave_classes *c)
{
    if (c == NULL)
        return;
    table_clear(&c->classes);
    table_clear(&c->conjectures);
}

static holos_key features_key(const holos_wave *w, const holos_position *p)
{
    return (holos_key){.lo = w->v->game->hints->features(w->v, p)};
}

bool classes_opinion(const holos_wave *w, const holos_position *p, int16_t *value)
{
    if (w->classes == NULL)
        return false;
    const class_record *r = table_find(&w->classes->classes, features_key(w, p));
    if (r == NULL || r->broken || r->count < CLASS_QUORUM)
        return false;
    *value = r->value;
    return true;
}

/* A proof has come for a position of which its class had expected something. */
static void conjecture_score(holos_wave *w, holos_key key, wave_node *n)
{
    const int64_t *expected = table_find(&w->classes->conjectures, key);
    if (expected != NULL && *expected == n->lo)
        w->statistics.equiv_confirmed++;
    else
        w->statistics.equiv_refuted++;
    n->flags &= (uint8_t)~NODE_CONJECTURE;
}

void classes_prove(holos_wave *w, const holos_position *p, holos_key key, wave_node *n)
{
    if (w->classes == NULL || (n->flags & NODE_IN_CLASS) != 0)
        return;
    if ((n->flags & NODE_CONJECTURE) != 0)
        conjecture_score(w, key, n);
    n->flags |= NODE_IN_CLASS;
    bool fresh;
    class_record *r = table_insert(&w->classes->classes, features_key(w, p), &fresh);
    if (r == NULL)
        return; /* no memory: the class does not hear of it */
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

static void conjecture_make(holos_wave *w, const holos_position *p, holos_key key, wave_node *n)
{
    int16_t value;
    if ((n->flags & NODE_CONJECTURE) != 0 || !classes_opinion(w, p, &value) || value < n->lo || value > n->hi)
        return;
    bool fresh;
    int64_t *expected = table_insert(&w->classes->conjectures, key, &fresh);
    if (expected == NULL)
        return;
    *expected = value;
    n->flags |= NODE_CONJECTURE;
    w->statistics.equiv_propagated++;
}

/* Visits every node: the solved ones that no class knows first, then the others. */
static void survey_pass(holos_wave *w, bool solved)
{
    holos_position *p = w->scratch[0].position;
    for (unsigned shard = 0; shard < NODES_SHARDS; shard++) {
        node_at at;
        for (size_t i = 0; (at = nodes_next(&w->nodes, shard, &i)) != NULL;) {
            wave_node n = node_load(at);
            unsigned known = solved ? NODE_IN_CLASS : NODE_CONJECTURE;
            if (node_is_solved(n) != solved || (n.flags & known) != 0)
                continue;
            holos_key key = slot_key(&w->nodes, at);
            wave_position(w, key, p);
            if (solved)
                classes_prove(w, p, key, &n);
            else
                conjecture_make(w, p, key, &n);
            node_store(at, n);
        }
    }
}

void classes_survey(holos_wave *w)
{
    if (w->classes == NULL)
        return;
    survey_pass(w, true);
    survey_pass(w, false);
}
