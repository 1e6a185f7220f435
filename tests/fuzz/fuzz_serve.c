/* SPDX-License-Identifier: MIT */

/* Requests to the server, without a network: whatever arrives, it answers, with JSON or a picture, and never with a crash.
 * The first line is "METHOD URI", then come lines with Host, Origin and token; the rest is the body. Nobody waits for the
 * answers (`stop` is set), so that nothing takes long; what would start threads is left out. */

#include "serve/guard.h"
#include "serve/state.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PORT = 4650 };

static const char token[] = "0123456789abcdef0123456789abcdef";

static serve_state *state(void)
{
    static serve_state opened;
    static bool is_open;
    holos_error err;
    const serve_options options = {
        .folder = "/nonexistent", .threads = 1, .memory = 64 << 20, .no_book = true};
    if (!is_open && serve_state_open(&opened, &options, &err) != HOLOS_OK)
        abort();
    is_open = true;
    return &opened;
}

static void answer_check(const reply *out)
{
    holos_error err;
    if (out->events != NULL || strcmp(out->type, "application/json") != 0)
        return;
    json_t *read = json_read(out->body.data, out->body.length, &err);
    if (read == NULL)
        abort(); /* what it sends must be JSON */
    json_decref(read);
}

static void obey(request *r, const char *query, const char *body, const guard_papers *papers, reply *out)
{
    holos_error err;
    const route *at = route_find(r, out);
    if (at == NULL || !guard_passes(papers, r->method, at->costs, PORT, token, out))
        return;
    if (at->handler == route_jobs_start || at->handler == route_lab_run)
        return;
    if (request_read_query(r, query, &err) != HOLOS_OK ||
        (body[0] != 0 && request_read_body(r, body, strlen(body), &err) != HOLOS_OK)) {
        reply_error(out, &err);
        return;
    }
    at->handler(state(), r, out);
    text pending;
    text_init(&pending);
    for (int i = 0; out->events != NULL && i < 4 && out->events->next(out->events, r->stop, &pending); i++)
        continue;
    text_free(&pending);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *input = malloc(size + 1), *rest = input;
    if (input == NULL)
        return 0;
    if (size > 0)
        memcpy(input, data, size);
    input[size] = 0;
    char *first = strsep(&rest, "\n"), *uri = first;
    const char *method = strsep(&uri, " ");
    const guard_papers papers = {.host = rest != NULL ? strsep(&rest, "\n") : NULL,
                                 .origin = rest != NULL ? strsep(&rest, "\n") : NULL,
                                 .token = rest != NULL ? strsep(&rest, "\n") : NULL,
                                 .type = "application/json"};
    char *path = uri != NULL ? strsep(&uri, "?") : NULL;
    holos_stop stop = {.asked = 1};
    request r = {.method = method, .path = path != NULL ? path : "", .stop = &stop};
    reply out;
    reply_init(&out);
    const guard_papers seen = {.host = papers.host,
                               .origin =
                                   papers.origin != NULL && papers.origin[0] != 0 ? papers.origin : NULL,
                               .token = papers.token,
                               .type = papers.type};
    obey(&r, uri != NULL ? uri : "", rest != NULL ? rest : "", &seen, &out);
    answer_check(&out);
    reply_free(&out);
    request_free(&r);
    free(input);
    return 0;
}
