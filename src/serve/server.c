/* SPDX-License-Identifier: MIT */

/* HTTP, by libmicrohttpd: a thread for each connection. Handlers run in it, and solvers, too; a thread of its own watches
 * whether somebody still waits (sentry.h). */

#include "core/clock.h"
#include "core/error.h"
#include "serve/guard.h"
#include "serve/page.h"
#include "serve/state.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    CONNECTIONS_MOST = 256,
    CONNECTION_MEMORY = 64 * 1024, /* for the head of a request */
    CONNECTION_TIMEOUT = 30,       /* seconds without a byte */
    STREAM_BLOCK = 16 * 1024,
};

struct serve {
    serve_state state;
    struct MHD_Daemon *daemon;
    unsigned port;
    char token[GUARD_TOKEN_SIZE];
    char url[128];
    holos_stop stop;         /* the server ends */
    _Atomic int64_t asked;   /* when the last request ended, in milliseconds */
    _Atomic unsigned active; /* requests at work */
};

/* A request on its way. */
typedef struct exchange {
    serve *s;
    char *uri;
    request request;
    reply reply;
    text body; /* of the request */
    bool too_large, watched;
    holos_stop stop;
    sentry_item item;
    /* Of a reply that is a stream. */
    text pending;
    size_t sent;
    bool over;
} exchange;

static int64_t now_ms(void)
{
    return (int64_t)(clock_wall() * 1000);
}

/* ---- Exchanges -------------------------------------------------------------------------------------- */

static void *exchange_new(void *context, const char *uri, struct MHD_Connection *connection)
{
    (void)connection;
    exchange *e = calloc(1, sizeof *e);
    if (e == NULL)
        return NULL;
    e->s = context;
    e->uri = strdup(uri);
    e->stop.also = &e->s->stop;
    e->request.stop = &e->stop;
    reply_init(&e->reply);
    text_init(&e->body);
    text_init(&e->pending);
    atomic_fetch_add(&e->s->active, 1);
    return e;
}

static void exchange_end(void *context, struct MHD_Connection *connection, void **own,
                         enum MHD_RequestTerminationCode code)
{
    (void)connection;
    (void)code;
    serve *s = context;
    exchange *e = *own;
    if (e == NULL)
        return;
    if (e->watched)
        sentry_end(&s->state.sentry, &e->item);
    request_free(&e->request);
    reply_free(&e->reply);
    text_free(&e->body);
    text_free(&e->pending);
    free(e->uri);
    free(e);
    atomic_store(&s->asked, now_ms());
    atomic_fetch_sub(&s->active, 1);
    *own = NULL;
}

/* Asks the work to stop once the other side hangs up. */
static void exchange_watch(exchange *e, struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    e->item =
        (sentry_item){.fd = info != NULL ? info->connect_fd : -1, .deadline = CLOCK_NEVER, .stop = &e->stop};
    sentry_begin(&e->s->state.sentry, &e->item);
    e->watched = true;
}

/* ---- Replies ---------------------------------------------------------------------------------------- */

static ssize_t stream_read(void *context, uint64_t position, char *buffer, size_t most)
{
    exchange *e = context;
    (void)position;
    while (e->sent == e->pending.length) {
        if (e->over || holos_stop_asked(&e->stop))
            return MHD_CONTENT_READER_END_OF_STREAM;
        text_clear(&e->pending);
        e->sent = 0;
        e->over = !e->reply.events->next(e->reply.events, &e->stop, &e->pending);
        if (e->pending.failed)
            return MHD_CONTENT_READER_END_WITH_ERROR;
    }
    size_t count = e->pending.length - e->sent < most ? e->pending.length - e->sent : most;
    memcpy(buffer, e->pending.data + e->sent, count);
    e->sent += count;
    return (ssize_t)count;
}

static const char *const headers[][2] = {
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
     "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
};

static enum MHD_Result respond(struct MHD_Connection *connection, unsigned status,
                               struct MHD_Response *response, const char *type, const char *keep)
{
    if (response == NULL)
        return MHD_NO;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
    MHD_add_response_header(response, "Content-Type", type);
    MHD_add_response_header(response, "Cache-Control", keep);
    enum MHD_Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result send_reply(exchange *e, struct MHD_Connection *connection)
{
    reply *r = &e->reply;
    if (r->events != NULL)
        return respond(
            connection, 200,
            MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK, stream_read, e, NULL),
            "text/event-stream", "no-store");
    if (r->body.failed)
        reply_refuse(r, 503, "no memory for the answer");
    return respond(connection, r->status,
                   MHD_create_response_from_buffer(r->body.length, r->body.data, MHD_RESPMEM_MUST_COPY),
                   r->type, "no-store");
}

static enum MHD_Result send_file(exchange *e, struct MHD_Connection *connection, const page_file *file)
{
    const char *accepts = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Accept-Encoding");
    if (accepts == NULL || strstr(accepts, "gzip") == NULL) {
        reply_refuse(&e->reply, 406, "the page is compressed: ask with Accept-Encoding: gzip");
        return send_reply(e, connection);
    }
    struct MHD_Response *response =
        MHD_create_response_from_buffer(file->size, (void *)(uintptr_t)file->data, MHD_RESPMEM_PERSISTENT);
    if (response != NULL)
        MHD_add_response_header(response, "Content-Encoding", "gzip");
    return respond(connection, 200, response, file->type,
                   file->lasting ? "public, max-age=31536000, immutable" : "no-cache");
}

/* ---- Requests --------------------------------------------------------------------------------------- */

static void obey(exchange *e, const guard_papers *papers)
{
    holos_error err;
    const route *at = route_find(&e->request, &e->reply);
    if (at == NULL || !guard_passes(papers, e->request.method, at->costs, e->s->port, e->s->token, &e->reply))
        return;
    holos_status status = HOLOS_OK;
    char *query = strchr(e->uri, '?');
    if (query != NULL)
        status = request_read_query(&e->request, query + 1, &err);
    if (status == HOLOS_OK && e->body.length > 0)
        status = request_read_body(&e->request, e->body.data, e->body.length, &err);
    if (status == HOLOS_OK)
        at->handler(&e->s->state, &e->request, &e->reply);
    else
        reply_error(&e->reply, &err);
}

static enum MHD_Result answer(exchange *e, struct MHD_Connection *connection, const char *path,
                              const char *method)
{
    const guard_papers papers = {
        .host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host"),
        .origin = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Origin"),
        .site = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Sec-Fetch-Site"),
        .token = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "X-Holos-Token"),
        .type = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Content-Type"),
    };
    bool head = strcmp(method, "HEAD") == 0;
    e->request.method = head ? "GET" : method;
    e->request.path = path;
    log_write(e->s->state.options.log, LOG_LEVEL_DEBUG, "%s %.200s", method, path);
    if (e->too_large) {
        reply_refuse(&e->reply, 413, "the body of a request has at most %d bytes", REQUEST_BODY_MOST);
        return send_reply(e, connection);
    }
    page_file file;
    bool found = strcmp(e->request.method, "GET") == 0 && page_find(path, &file);
    if (found && guard_passes(&papers, "GET", false, e->s->port, e->s->token, &e->reply))
        return send_file(e, connection, &file);
    if (!found && strcmp(path, "/") == 0)
        reply_refuse(&e->reply, 404, "this build has no page (%s); /api lists what programs can ask",
                     page_missing() != NULL ? page_missing() : "");
    else if (!found) {
        exchange_watch(e, connection);
        obey(e, &papers);
    }
    return send_reply(e, connection);
}

/* Called once with the head of a request, then with pieces of its body, then once more. */
static enum MHD_Result on_request(void *context, struct MHD_Connection *connection, const char *path,
                                  const char *method, const char *version, const char *data, size_t *size,
                                  void **own)
{
    (void)context;
    (void)version;
    exchange *e = *own;
    if (e == NULL || e->uri == NULL)
        return MHD_NO;
    if (e->request.method == NULL) {
        e->request.method = method; /* the head */
        return MHD_YES;
    }
    if (*size > 0) {
        e->too_large = e->too_large || e->body.length + *size > REQUEST_BODY_MOST;
        if (!e->too_large)
            text_bytes(&e->body, data, *size);
        *size = 0;
        return MHD_YES;
    }
    return answer(e, connection, path, method);
}

/* ---- The server ------------------------------------------------------------------------------------- */

static holos_status listen_on(serve *s, unsigned port, holos_error *err)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    errno = 0;
    s->daemon = MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL, (uint16_t)port, NULL,
        NULL, on_request, s, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)CONNECTIONS_MOST, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)CONNECTION_TIMEOUT, MHD_OPTION_URI_LOG_CALLBACK,
        exchange_new, s, MHD_OPTION_NOTIFY_COMPLETED, exchange_end, s, MHD_OPTION_END);
    if (s->daemon == NULL && errno == EADDRINUSE)
        return error_set(err, HOLOS_IO, HOLOS_NOWHERE,
                         "port %u is taken, perhaps by another holos serve; --port 0 takes any free one",
                         port);
    if (s->daemon == NULL)
        return error_system(err, "cannot listen on port %u of 127.0.0.1", port);
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_BIND_PORT);
    s->port = info != NULL ? info->port : port;
    return HOLOS_OK;
}

holos_status serve_open(const serve_options *options, serve **out, holos_error *err)
{
    serve *s = *out = calloc(1, sizeof *s);
    if (s == NULL)
        return error_system(err, "the server");
    holos_status status = guard_make_token(s->token, err);
    if (status == HOLOS_OK)
        status = serve_state_open(&s->state, options, err);
    atomic_store(&s->asked, now_ms());
    if (status == HOLOS_OK)
        status = listen_on(s, options->port, err);
    if (status != HOLOS_OK) {
        serve_close(s);
        *out = NULL;
        return status;
    }
    snprintf(s->url, sizeof s->url, "http://127.0.0.1:%u/#token=%s", s->port, s->token);
    return HOLOS_OK;
}

void serve_close(serve *s)
{
    if (s == NULL)
        return;
    holos_stop_set(&s->stop);
    if (s->daemon != NULL)
        MHD_stop_daemon(s->daemon);
    serve_state_close(&s->state);
    free(s);
}

const char *serve_url(const serve *s)
{
    return s->url;
}

unsigned serve_port(const serve *s)
{
    return s->port;
}

const char *serve_token(const serve *s)
{
    return s->token;
}

void serve_wait(serve *s, const holos_stop *stop)
{
    double idle = s->state.options.idle;
    while (!holos_stop_asked(stop)) {
        bool quiet = atomic_load(&s->active) == 0 && jobs_running(&s->state.jobs) == 0;
        if (idle > 0 && quiet && (double)(now_ms() - atomic_load(&s->asked)) > idle * 1000)
            return;
        nanosleep(&(struct timespec){.tv_nsec = 50 * 1000 * 1000}, NULL);
    }
}

const char *serve_library_version(void)
{
    return MHD_get_version();
}
