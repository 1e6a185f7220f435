/* SPDX-License-Identifier: MIT */

/* Kinds of positions, such as materials: what play leads to, what is known of that, and an example. */

#include "core/error.h"
#include "serve/state.h"
#include "wire/answer.h"

static void put_list(json *j, const char *name, const holos_variant *v, const holos_kind *kinds, size_t count)
{
    enum { LISTED = 200 };
    json_open(j, name, '[');
    for (size_t i = 0; i < count && i < LISTED; i++) {
        char word[64];
        holos_kind_format(v, kinds[i], word, sizeof word);
        json_put_string(j, NULL, word);
    }
    json_close(j);
}

static holos_status put_kind(serve_state *s, const request *r, const holos_variant *v, json *j,
                             holos_error *err)
{
    char name[64];
    double number;
    holos_kind kind;
    holos_surroundings around;
    holos_position *p = holos_position_new(v);
    holos_knowledge *known = NULL;
    holos_status status = p != NULL ? holos_kind_parse(v, request_get(r, "kind", ""), &kind, err)
                                    : error_system(err, "a position");
    if (status == HOLOS_OK)
        status = request_number(r, "number", 0, 9e15, 0, &number, err);
    if (status == HOLOS_OK)
        status = holos_kind_position(v, kind, 1, (uint64_t)number, p, err);
    if (status == HOLOS_OK)
        status = solvers_knowledge(&s->solvers, v, &known, err);
    if (status == HOLOS_OK) {
        status = holos_surroundings_find(v, kind, holos_knowledge_boundary(known), &around, err);
        holos_kind_format(v, kind, name, sizeof name);
        json_put_string(j, "kind", name);
        wire_position(j, "position", v, p);
        put_list(j, "known", v, around.known, around.known_count);
        put_list(j, "unknown", v, around.unknown, around.unknown_count);
        put_list(j, "parents", v, around.parents, around.parent_count);
        holos_surroundings_free(&around);
    }
    holos_knowledge_close(known);
    holos_position_free(p);
    return status;
}

void route_kind(serve_state *s, const request *r, reply *out)
{
    holos_error err;
    holos_variant *v = request_variant(r, out);
    if (v == NULL)
        return;
    json j = json_begin(&out->body);
    json_open(&j, NULL, '{');
    holos_status status = put_kind(s, r, v, &j, &err);
    json_close(&j);
    if (status != HOLOS_OK)
        reply_error(out, &err);
    holos_close(v);
}
