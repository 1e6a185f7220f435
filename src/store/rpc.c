/* SPDX-License-Identifier: MIT */

#include "store/rpc.h"

#include "store/library.h"

#include <grpc/byte_buffer.h>
#include <grpc/byte_buffer_reader.h>
#include <grpc/grpc.h>
#include <grpc/grpc_security.h>
#include <grpc/support/alloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GRPC_FUNCTIONS(X)                                                                                    \
    X(gpr_inf_future)                                                                                        \
    X(gpr_now)                                                                                               \
    X(gpr_time_add)                                                                                          \
    X(gpr_time_from_millis)                                                                                  \
    X(grpc_byte_buffer_destroy)                                                                              \
    X(grpc_byte_buffer_reader_destroy)                                                                       \
    X(grpc_byte_buffer_reader_init)                                                                          \
    X(grpc_byte_buffer_reader_readall)                                                                       \
    X(grpc_call_cancel)                                                                                      \
    X(grpc_call_start_batch)                                                                                 \
    X(grpc_call_unref)                                                                                       \
    X(grpc_channel_create)                                                                                   \
    X(grpc_channel_create_call)                                                                              \
    X(grpc_channel_credentials_release)                                                                      \
    X(grpc_channel_destroy)                                                                                  \
    X(grpc_completion_queue_create_for_next)                                                                 \
    X(grpc_completion_queue_destroy)                                                                         \
    X(grpc_completion_queue_next)                                                                            \
    X(grpc_completion_queue_shutdown)                                                                        \
    X(grpc_empty_slice)                                                                                      \
    X(grpc_google_default_credentials_create)                                                                \
    X(grpc_init)                                                                                             \
    X(grpc_insecure_credentials_create)                                                                      \
    X(grpc_metadata_array_destroy)                                                                           \
    X(grpc_metadata_array_init)                                                                              \
    X(grpc_raw_byte_buffer_create)                                                                           \
    X(grpc_shutdown)                                                                                         \
    X(grpc_slice_from_copied_buffer)                                                                         \
    X(grpc_slice_from_copied_string)                                                                         \
    X(grpc_slice_from_static_string)                                                                         \
    X(grpc_slice_unref)                                                                                      \
    X(grpc_version_string)

/* The functions of the library that are used. */
typedef struct grpc_library {
    GRPC_FUNCTIONS(LIBRARY_MEMBER)
} grpc_library;

struct rpc {
    grpc_library lib;
    grpc_channel *channel;
    grpc_completion_queue *queue;
};

/* False: it is not there. */
static bool grpc_load(grpc_library *lib)
{
    static const char *const files[] = {"libgrpc.so.29", "libgrpc.so"};
#define GRPC_ENTRY(name) {#name, offsetof(grpc_library, name)},
    static const library_entry entries[] = {GRPC_FUNCTIONS(GRPC_ENTRY)};
#undef GRPC_ENTRY
    void *library = library_open(files, 2);
    return library != NULL && library_fill(library, entries, sizeof entries / sizeof *entries, lib) == NULL;
}

bool rpc_version(text *out)
{
    grpc_library lib;
    bool there = grpc_load(&lib);
    text_string(out, there ? "grpc " : "bigtable:// needs the gRPC library (scripts/setup --with bigtable)");
    if (there)
        text_string(out, lib.grpc_version_string());
    return there;
}

static grpc_channel *channel_make(const grpc_library *g, const char *address,
                                  grpc_channel_credentials *credentials)
{
    grpc_arg arguments[] = {
        {.type = GRPC_ARG_INTEGER,
         .key = (char *)(uintptr_t)GRPC_ARG_MAX_RECEIVE_MESSAGE_LENGTH,
         .value = {.integer = -1}},
        {.type = GRPC_ARG_INTEGER,
         .key = (char *)(uintptr_t)GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS,
         .value = {.integer = 100}},
        {.type = GRPC_ARG_INTEGER,
         .key = (char *)(uintptr_t)GRPC_ARG_MAX_RECONNECT_BACKOFF_MS,
         .value = {.integer = 1000}},
        {.type = GRPC_ARG_INTEGER,
         .key = (char *)(uintptr_t)GRPC_ARG_ENABLE_HTTP_PROXY,
         .value = {.integer = 0}},
    };
    grpc_channel_args list = {.num_args = sizeof arguments / sizeof *arguments, .args = arguments};
    return g->grpc_channel_create(address, credentials, &list);
}

holos_status rpc_open(const char *address, bool plain, rpc **out, holos_error *err)
{
    rpc *r = calloc(1, sizeof *r);
    *out = NULL;
    if (r == NULL)
        return error_system(err, "gRPC");
    const grpc_library *g = &r->lib;
    if (!grpc_load(&r->lib)) {
        free(r);
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "bigtable:// needs the gRPC library (scripts/setup --with bigtable)");
    }
    g->grpc_init();
    grpc_channel_credentials *credentials =
        plain ? g->grpc_insecure_credentials_create() : g->grpc_google_default_credentials_create(NULL);
    if (credentials == NULL) {
        g->grpc_shutdown();
        free(r);
        return error_set(err, HOLOS_IO, HOLOS_NOWHERE,
                         "Bigtable needs credentials: GOOGLE_APPLICATION_CREDENTIALS=FILE names them, or "
                         "BIGTABLE_EMULATOR_HOST=HOST:PORT an emulator");
    }
    r->channel = channel_make(g, address, credentials);
    r->queue = g->grpc_completion_queue_create_for_next(NULL);
    g->grpc_channel_credentials_release(credentials);
    *out = r;
    return HOLOS_OK;
}

void rpc_close(rpc *r)
{
    if (r == NULL)
        return;
    const grpc_library *g = &r->lib;
    g->grpc_channel_destroy(r->channel);
    g->grpc_completion_queue_shutdown(r->queue);
    while (g->grpc_completion_queue_next(r->queue, g->gpr_inf_future(GPR_CLOCK_REALTIME), NULL).type !=
           GRPC_QUEUE_SHUTDOWN)
        ;
    g->grpc_completion_queue_destroy(r->queue);
    g->grpc_shutdown();
    free(r);
}

/* Starts operations and waits for them. */
static bool batch_run(rpc *r, grpc_call *call, const grpc_op *operations, size_t count)
{
    const grpc_library *g = &r->lib;
    if (g->grpc_call_start_batch(call, operations, count, call, NULL) != GRPC_CALL_OK)
        return false;
    return g->grpc_completion_queue_next(r->queue, g->gpr_inf_future(GPR_CLOCK_REALTIME), NULL).success != 0;
}

static bool request_send(rpc *r, grpc_call *call, const rpc_call *c, grpc_metadata_array *head)
{
    const grpc_library *g = &r->lib;
    grpc_slice bytes = g->grpc_slice_from_copied_buffer((const char *)c->request, c->size);
    grpc_byte_buffer *buffer = g->grpc_raw_byte_buffer_create(&bytes, 1);
    grpc_metadata routing = {.key = g->grpc_slice_from_static_string("x-goog-request-params"),
                             .value = g->grpc_slice_from_copied_string(c->routing != NULL ? c->routing : "")};
    grpc_op operations[4];
    memset(operations, 0, sizeof operations);
    operations[0].op = GRPC_OP_SEND_INITIAL_METADATA;
    operations[0].data.send_initial_metadata.count = c->routing != NULL;
    operations[0].data.send_initial_metadata.metadata = &routing;
    operations[1].op = GRPC_OP_SEND_MESSAGE;
    operations[1].data.send_message.send_message = buffer;
    operations[2].op = GRPC_OP_SEND_CLOSE_FROM_CLIENT;
    operations[3].op = GRPC_OP_RECV_INITIAL_METADATA;
    operations[3].data.recv_initial_metadata.recv_initial_metadata = head;
    bool sent = batch_run(r, call, operations, 4);
    g->grpc_byte_buffer_destroy(buffer);
    g->grpc_slice_unref(bytes);
    g->grpc_slice_unref(routing.value);
    return sent;
}

/* The next answer; false: there is none, or it cannot be read. */
static bool answer_take(rpc *r, grpc_call *call, const rpc_call *c, bool *bad)
{
    const grpc_library *g = &r->lib;
    grpc_byte_buffer *buffer = NULL;
    grpc_byte_buffer_reader reader;
    grpc_op operation;
    memset(&operation, 0, sizeof operation);
    operation.op = GRPC_OP_RECV_MESSAGE;
    operation.data.recv_message.recv_message = &buffer;
    if (!batch_run(r, call, &operation, 1) || buffer == NULL)
        return false;
    *bad = !g->grpc_byte_buffer_reader_init(&reader, buffer);
    if (!*bad) {
        grpc_slice all = g->grpc_byte_buffer_reader_readall(&reader);
        *bad = c->answer != NULL && !c->answer(c->context, GRPC_SLICE_START_PTR(all), GRPC_SLICE_LENGTH(all));
        g->grpc_slice_unref(all);
        g->grpc_byte_buffer_reader_destroy(&reader);
    }
    g->grpc_byte_buffer_destroy(buffer);
    return !*bad;
}

static int status_take(rpc *r, grpc_call *call, char words[256])
{
    const grpc_library *g = &r->lib;
    grpc_status_code code = GRPC_STATUS_UNKNOWN;
    grpc_slice details = g->grpc_empty_slice();
    grpc_metadata_array tail;
    grpc_op operation;
    g->grpc_metadata_array_init(&tail);
    memset(&operation, 0, sizeof operation);
    operation.op = GRPC_OP_RECV_STATUS_ON_CLIENT;
    operation.data.recv_status_on_client.trailing_metadata = &tail;
    operation.data.recv_status_on_client.status = &code;
    operation.data.recv_status_on_client.status_details = &details;
    batch_run(r, call, &operation, 1);
    snprintf(words, 256, "%.*s", (int)GRPC_SLICE_LENGTH(details),
             (const char *)GRPC_SLICE_START_PTR(details));
    g->grpc_metadata_array_destroy(&tail);
    g->grpc_slice_unref(details);
    return (int)code;
}

int rpc_run(rpc *r, const rpc_call *c, char words[256])
{
    const grpc_library *g = &r->lib;
    grpc_metadata_array head;
    bool bad = false;
    gpr_timespec deadline = g->gpr_time_add(
        g->gpr_now(GPR_CLOCK_MONOTONIC), g->gpr_time_from_millis((int64_t)(c->seconds * 1000), GPR_TIMESPAN));
    grpc_slice method = g->grpc_slice_from_copied_string(c->method);
    grpc_call *call = g->grpc_channel_create_call(r->channel, NULL, GRPC_PROPAGATE_DEFAULTS, r->queue, method,
                                                  NULL, deadline, NULL);
    g->grpc_metadata_array_init(&head);
    if (request_send(r, call, c, &head))
        while (answer_take(r, call, c, &bad))
            ;
    if (bad)
        g->grpc_call_cancel(call, NULL);
    int code = status_take(r, call, words);
    if (bad)
        snprintf(words, 256, "an answer that cannot be read");
    g->grpc_metadata_array_destroy(&head);
    g->grpc_call_unref(call);
    g->grpc_slice_unref(method);
    return bad && code == RPC_OK ? GRPC_STATUS_INTERNAL : code;
}
