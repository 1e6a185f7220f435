/* SPDX-License-Identifier: MIT */

/* Questions about positions as JSON, one object a line, and how they are answered. jsonl.c reads lines and keeps the questions,
 * jsonl_query.c understands them, jsonl_work.c finds the answers. docs/protocols.md has all fields. */

#ifndef HOLOS_CLI_JSONL_H
#define HOLOS_CLI_JSONL_H

#include "cli/protocol.h"

#include "core/json.h"

typedef enum query_command {
    QUERY_SOLVE,
    QUERY_CHOOSE,
    QUERY_THINK,
    QUERY_TERMINATE,
    QUERY_TERMINATE_ALL,
    QUERY_VERSION,
    QUERY_GAMES,
} query_command;

const char *query_command_name(query_command command);
/* Whether a thread has to think about it. */
bool query_is_work(query_command command);

typedef struct query {
    json_t *whole; /* what was read: it owns all strings */
    const char *id, *game, *position, *engine, *terminate_id;
    query_command command;
    double time, report; /* seconds; 0: no limit, no reports */
    uint64_t nodes;
    int64_t depth;
    size_t memory;
    uint64_t seed;
    bool moves, line, weak;
    holos_settings *options; /* may be NULL */
    holos_stop stop;
    _Atomic bool terminated; /* somebody asked for it to stop */
    /* Where reports are wanted a solver works in slices, each twice as long as the one before: what it has proved is known between
     * two of them, and it remembers the rest. Under the lock of whoever watches: */
    double slice_end, next_report; /* moments; 0: it is not working now */
    holos_stop slice_stop;
    double begun;
    const holos_variant *v; /* of the bounds; NULL: there are none yet */
    holos_value bounds;
    struct query *next; /* in whichever list it is */
} query;

/* Reads a line. The query owns what it needs, even after an error; then `field` is what was wrong with, or NULL. */
holos_status query_read(query *q, const char *line, size_t length, const char **field, holos_error *err);
void query_free(query *q);

/* Begins an answer: id, cmd, and whether more will come. */
json answer_begin(text *out, const query *q, bool partial);
void answer_end(json *j); /* with the end of the line */
void query_refuse(session *s, const query *q, const char *field, const holos_error *err);

/* What a thread keeps from one question to the next. */
typedef struct worker_desk {
    session *s;
    pthread_mutex_t *lock; /* of the questions */
    holos_variant *v;
    holos_knowledge *known;
} worker_desk;

void desk_clear(worker_desk *d);
/* Answers a question, with reports on the way if it wants them. */
void query_answer(worker_desk *d, query *q);
/* Looks after a question that is being answered, under the lock: ends a slice whose time is up, or appends a report that is due. */
void query_watch(query *q, double now, text *out);

#endif
