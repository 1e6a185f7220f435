/* SPDX-License-Identifier: MIT */

/* Calls to a server by gRPC's core: a request as bytes, answers as bytes, one or many. */

#ifndef HOLOS_STORE_RPC_H
#define HOLOS_STORE_RPC_H

#include "core/error.h"
#include "core/text.h"

typedef struct rpc rpc;

/* Codes of gRPC that are looked at. */
enum {
    RPC_OK = 0,
    RPC_DEADLINE = 4,
    RPC_NOT_FOUND = 5,
    RPC_ALREADY_EXISTS = 6,
    RPC_ABORTED = 10,
    RPC_UNAVAILABLE = 14,
};

/* A channel: plain to "HOST:PORT", or secured, with the credentials of GOOGLE_APPLICATION_CREDENTIALS. */
holos_status rpc_open(const char *address, bool plain, rpc **out, holos_error *err);
void rpc_close(rpc *r); /* may be NULL */

typedef struct rpc_call {
    const char *method;  /* "/google.bigtable.v2.Bigtable/ReadRows" */
    const char *routing; /* the value of x-goog-request-params; may be NULL */
    const uint8_t *request;
    size_t size;
    double seconds; /* until it counts as failed */
    /* Each answer; false: it cannot be read, and the call ends. */
    bool (*answer)(void *context, const uint8_t *bytes, size_t size);
    void *context;
} rpc_call;

/* The code that the call ended with; RPC_OK. `words` (256 bytes) is what the server says of it. */
int rpc_run(rpc *r, const rpc_call *c, char words[256]);

/* "grpc 29.0.0". False: the library is not there; what is needed. */
bool rpc_version(text *out);

#endif
