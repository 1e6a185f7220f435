/* SPDX-License-Identifier: MIT */

#include "store/rpc.h"

#include <grpc/byte_buffer.h>
#include <grpc/byte_buffer_reader.h>
#include <grpc/grpc.h>
#include <grpc/grpc_security.h>
#include <grpc/support/alloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rpc {
    grpc_channel *channel;
    grpc_completion_queue *queue;
};

const char *rpc_version(void)
{
    return grpc_version_string();
}

static grpc_channel *channel_make(const char *address, grpc_channel_credentials *credentials)
{
    grpc_arg arguments[] = {
        {.type = GRPC_ARG_INTEGER,
         .key = (char *)(uintptr_t)GRPC_ARG_MAX_RECEIVE_MESSAGE_LENGTH,
         .value = {.integer = -1}},
        {.type = GRPC_ARG_INTEGER,
         .key = (char *)(uintptr_t)GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS,
         .value = {.integer = 100}},
        {.type = GRPC_ARG_INTEGER,
         .key = (char *)(uintptr_t)GRPC_ARG_MIN_RECONNECT_BACKOFF_MS,
         .value = {.integer = 100}},
        {.type = GRPC_ARG_INTEGER,
         .key = (char *)(uintptr_t)GRPC_ARG_MAX_RECONNECT_BACKOFF_MS,
         .value = {.integer = 1000}},
        {.type = GRPC_ARG_INTEGER,
         .key = (char *)(uintptr_t)GRPC_ARG_ENABLE_HTTP_PROXY,
         .value = {.integer = 0}},
    };
    grpc_channel_args list = {.num_args = sizeof arguments / sizeof *arguments, .args = arguments};
    return grpc_channel_create(address, credentials, &list);
}

holos_status rpc_open(const char *address, bool plain, rpc **out, holos_error *err)
{
    rpc *r = calloc(1, sizeof *r);
    *out = NULL;
    if (r == NULL)
        return error_system(err, "gRPC");
    grpc_init();
    grpc_channel_credentials *credentials =
        plain ? grpc_insecure_credentials_create() : grpc_google_default_credentials_create(NULL);
    if (credentials == NULL) {
        grpc_shutdown();
        free(r);
        return error_set(err, HOLOS_IO, HOLOS_NOWHERE,
                         "Bigtable needs credentials: GOOGLE_APPLICATION_CREDENTIALS=FILE names them, or "
                         "BIGTABLE_EMULATOR_HOST=HOST:PORT an emulator");
    }
    r->channel = channel_make(address, credentials);
    r->queue = grpc_completion_queue_create_for_next(NULL);
    grpc_channel_credentials_release(credentials);
    *out = r;
    return HOLOS_OK;
}

void rpc_close(rpc *r)
{
    if (r == NULL)
        return;
    grpc_channel_destroy(r->channel);
    grpc_completion_queue_shutdown(r->queue);
    while (grpc_completion_queue_next(r->queue, gpr_inf_future(GPR_CLOCK_REALTIME), NULL).type !=
           GRPC_QUEUE_SHUTDOWN)
        ;
    grpc_completion_queue_destroy(r->queue);
    grpc_shutdown();
    free(r);
}

/* Starts operations and waits for them. */
static bool batch_run(rpc *r, grpc_call *call, const grpc_op *operations, size_t count)
{
    if (grpc_call_start_batch(call, operations, count, call, NULL) != GRPC_CALL_OK)
        return false;
    return grpc_completion_queue_next(r->queue, gpr_inf_future(GPR_CLOCK_REALTIME), NULL).success != 0;
}

static bool request_send(rpc *r, grpc_call *call, const rpc_call *c, grpc_metadata_array *head)
{
    grpc_slice bytes = grpc_slice_from_copied_buffer((const char *)c->request, c->size);
    grpc_byte_buffer *buffer = grpc_raw_byte_buffer_create(&bytes, 1);
    grpc_metadata routing = {.key = grpc_slice_from_static_string("x-goog-request-params"),
                             .value = grpc_slice_from_copied_string(c->routing != NULL ? c->routing : "")};
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
    grpc_byte_buffer_destroy(buffer);
    grpc_slice_unref(bytes);
    grpc_slice_unref(routing.value);
    return sent;
}

/* The next answer; false: there is none, or it cannot be read. */
static bool answer_take(rpc *r, grpc_call *call, const rpc_call *c, bool *bad)
{
    grpc_byte_buffer *buffer = NULL;
    grpc_byte_buffer_reader reader;
    grpc_op operation;
    memset(&operation, 0, sizeof operation);
    operation.op = GRPC_OP_RECV_MESSAGE;
    operation.data.recv_message.recv_message = &buffer;
    if (!batch_run(r, call, &operation, 1) || buffer == NULL)
        return false;
    *bad = !grpc_byte_buffer_reader_init(&reader, buffer);
    if (!*bad) {
        grpc_slice all = grpc_byte_buffer_reader_readall(&reader);
        *bad = c->answer != NULL && !c->answer(c->context, GRPC_SLICE_START_PTR(all), GRPC_SLICE_LENGTH(all));
        grpc_slice_unref(all);
        grpc_byte_buffer_reader_destroy(&reader);
    }
    grpc_byte_buffer_destroy(buffer);
    return !*bad;
}

static int status_take(rpc *r, grpc_call *call, char words[256])
{
    grpc_status_code code = GRPC_STATUS_UNKNOWN;
    grpc_slice details = grpc_empty_slice();
    grpc_metadata_array tail;
    grpc_op operation;
    grpc_metadata_array_init(&tail);
    memset(&operation, 0, sizeof operation);
    operation.op = GRPC_OP_RECV_STATUS_ON_CLIENT;
    operation.data.recv_status_on_client.trailing_metadata = &tail;
    operation.data.recv_status_on_client.status = &code;
    operation.data.recv_status_on_client.status_details = &details;
    batch_run(r, call, &operation, 1);
    snprintf(words, 256, "%.*s", (int)GRPC_SLICE_LENGTH(details),
             (const char *)GRPC_SLICE_START_PTR(details));
    grpc_metadata_array_destroy(&tail);
    grpc_slice_unref(details);
    return (int)code;
}

int rpc_run(rpc *r, const rpc_call *c, char words[256])
{
    grpc_metadata_array head;
    bool bad = false;
    gpr_timespec deadline = gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC),
                                         gpr_time_from_millis((int64_t)(c->seconds * 1000), GPR_TIMESPAN));
    grpc_slice method = grpc_slice_from_copied_string(c->method);
    grpc_call *call = grpc_channel_create_call(r->channel, NULL, GRPC_PROPAGATE_DEFAULTS, r->queue, method,
                                               NULL, deadline, NULL);
    grpc_metadata_array_init(&head);
    if (request_send(r, call, c, &head))
        while (answer_take(r, call, c, &bad))
            ;
    if (bad)
        grpc_call_cancel(call, NULL);
    int code = status_take(r, call, words);
    if (bad)
        snprintf(words, 256, "an answer that cannot be read");
    grpc_metadata_array_destroy(&head);
    grpc_call_unref(call);
    grpc_slice_unref(method);
    return bad && code == RPC_OK ? GRPC_STATUS_INTERNAL : code;
}
