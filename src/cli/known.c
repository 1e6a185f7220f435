/* SPDX-License-Identifier: MIT */

#include "cli/known.h"

#include "session/build.h"

static bool known_probe(void *context, const holos_position *position, int32_t *score)
{
    bool found;
    return store_score(context, position, score, &found, NULL) == HOLOS_OK && found;
}

holos_status known_open(known *k, const char *url, const holos_variant *v, size_t cache, holos_error *err)
{
    *k = (known){0};
    if (url == NULL)
        return HOLOS_OK;
    store_options o = {
        .mode = STORE_READ, .v = v, .cache = cache != 0 ? cache : build_memory_available() / 2};
    holos_status status = store_open(url, &o, &k->s, err);
    if (status != HOLOS_OK)
        return status;
    store_facts facts;
    k->s->backend->facts(k->s, &facts);
    if (!facts.complete) {
        known_close(k);
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                         "%s is not finished; 'holos build --resume' goes on with it", url);
    }
    k->boundary = (holos_boundary){.context = k->s, .probe = known_probe};
    return HOLOS_OK;
}

void known_close(known *k)
{
    store_close(k->s);
    *k = (known){0};
}

const holos_boundary *known_boundary(const known *k)
{
    return k->s != NULL ? &k->boundary : NULL;
}
