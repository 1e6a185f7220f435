/* SPDX-License-Identifier: MIT */

/* Databases, graphs and books. */

#include "store/store.h"
#include "knowledge/knowledge.h"

static void store_shut(holos_knowledge *k)
{
    store_close(k->state);
}

static holos_status score_find(void *context, const holos_position *p, int32_t *score, bool *found,
                               holos_error *err)
{
    const holos_knowledge *k = context;
    return store_score(k->state, p, score, found, err);
}

static holos_status value_find(void *context, const holos_position *p, holos_value *out, holos_error *err)
{
    const holos_knowledge *k = context;
    const holos_search *search = k->v->game->search;
    int32_t score;
    bool found;
    holos_status status = store_score(k->state, p, &score, &found, err);
    if (status != HOLOS_OK || !found)
        return status;
    out->lo = out->hi = score;
    out->source = HOLOS_SOURCE_TABLE;
    if (search != NULL && search->distance != NULL)
        out->distance = search->distance(k->v, p, score);
    return HOLOS_OK;
}

holos_status knowledge_open_store(holos_knowledge *k, const char *url, size_t memory, holos_error *err)
{
    store_options o = {.mode = STORE_READ, .v = k->v, .cache = memory};
    store *s;
    store_facts facts;
    holos_status status = store_open(url, &o, &s, err);
    if (status != HOLOS_OK)
        return status;
    s->backend->facts(s, &facts);
    if (!facts.complete) {
        store_close(s);
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                         "%s is unfinished; 'holos build --resume' continues", url);
    }
    k->state = s;
    k->v = k->v != NULL ? k->v : s->v;
    k->kind = store_kind_name(facts.kind);
    k->close = store_shut;
    k->boundary = (holos_boundary){.context = k, .find = value_find, .score = score_find};
    return HOLOS_OK;
}
