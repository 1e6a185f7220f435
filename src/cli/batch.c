/* SPDX-License-Identifier: MIT */

#include "cli/batch.h"

#include "cli/interrupt.h"
#include "cli/lines.h"
#include "core/pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BATCH_PER_THREAD = 64 };

typedef struct slot {
    text question, answer;
    size_t length; /* of the question, which may hold zeros */
    bool cut;      /* the line was too long: `question` is its beginning */
    bool done;
    bool failed; /* the answer is an error */
    cli_status status;
} slot;

typedef struct worker {
    holos_solver *solver;
    holos_position *position;
    uint64_t nodes;
} worker;

typedef struct batch {
    cli *c;
    const answer_format *format;
    batch_source source;
    batch_totals *totals;
    pool *pool;
    worker *workers;
    unsigned worker_count;
    slot *slots;
    size_t capacity, count;

    pthread_mutex_t printing; /* guards what follows */
    size_t printed;           /* slots of this batch whose answers are out */
    cli_status status;
} batch;

/* ---- Questions --------------------------------------------------------------------------------- */

static bool source_opens_stdin(batch *b)
{
    b->source.lines = malloc(sizeof *b->source.lines);
    if (b->source.lines == NULL)
        return false;
    lines_init(b->source.lines, STDIN_FILENO);
    return true;
}

static void source_close_stdin(batch *b)
{
    free(b->source.lines);
    b->source.lines = NULL;
}

/* How many questions there are, 0 if that is not known. */
static uint64_t source_total(const batch_source *source)
{
    for (size_t i = 0; i < source->count; i++) {
        if (strcmp(source->words[i], "-") == 0)
            return 0;
    }
    return source->count;
}

/* True if the next question is there without waiting. */
static bool source_ready(const batch *b)
{
    return b->source.lines == NULL || lines_ready(b->source.lines);
}

static void slot_ask(slot *s, const char *question, size_t length, bool cut)
{
    text_clear(&s->question);
    text_clear(&s->answer);
    text_bytes(&s->question, question, length);
    s->length = length;
    s->cut = cut;
    s->done = s->failed = false;
    s->status = CLI_DONE;
}

/* Takes the next question; false if there is none, or if it cannot be read: then b->status tells. */
static bool source_next(batch *b, slot *s)
{
    for (;;) {
        if (b->source.lines != NULL) {
            line l;
            holos_status status;
            holos_error err;
            if (lines_next(b->source.lines, &l, &status, &err)) {
                slot_ask(s, l.text, l.length, l.cut);
                return true;
            }
            if (status == HOLOS_IO)
                cli_error("%s", err.message);
            b->status = cli_worse(b->status, status == HOLOS_IO ? CLI_INPUT : cli_status_of(status));
            source_close_stdin(b);
            if (status != HOLOS_OK)
                return false;
        }
        if (b->source.next == b->source.count)
            return false;
        const char *word = b->source.words[b->source.next++];
        if (strcmp(word, "-") != 0) {
            slot_ask(s, word, strlen(word), false);
            return true;
        }
        if (!source_opens_stdin(b))
            return false;
    }
}

/* Fills the batch with what can be had without waiting; waits only for the first question. */
static bool batch_fill(batch *b)
{
    b->count = b->printed = 0;
    while (b->count < b->capacity && !interrupted()) {
        if (!source_ready(b)) {
            if (b->count > 0)
                break;
            if (!output_flush(b->c->out))
                return false;
        }
        if (!source_next(b, &b->slots[b->count]))
            break;
        b->count++;
    }
    return b->count > 0;
}

/* ---- Answers ----------------------------------------------------------------------------------- */

static holos_status read_question(const batch *b, const slot *s, holos_position *out, holos_error *err)
{
    if (s->cut)
        return error_set(err, HOLOS_BAD_POSITION, LINES_LONGEST,
                         "a line may have up to %d bytes; this one is longer", LINES_LONGEST - 1);
    if (s->question.failed)
        return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for the position");
    size_t length = strlen(s->question.data);
    if (length < s->length)
        return error_set(err, HOLOS_BAD_POSITION, (int64_t)length, "a byte 0 in the middle of the line");
    return holos_parse(b->format->v, s->question.data, out, err);
}

static void slot_answer(batch *b, slot *s, worker *w)
{
    holos_error err;
    holos_result result;
    if (read_question(b, s, w->position, &err) != HOLOS_OK) {
        answer_error(&s->answer, b->format, s->question.data, &err);
        s->failed = true;
        s->status = CLI_INPUT;
        return;
    }
    holos_status status = holos_solver_solve(w->solver, w->position, &result, &err);
    if (status == HOLOS_OK || status == HOLOS_LIMIT || status == HOLOS_INTERRUPTED) {
        w->nodes += result.nodes;
        s->status = answer_write(&s->answer, b->format, s->question.data, w->position, status, &result);
    } else {
        s->failed = true;
        s->status = answer_error(&s->answer, b->format, s->question.data, &err);
    }
}

/* Prints the answers whose turn it is. */
static void batch_print(batch *b)
{
    while (b->printed < b->count && b->slots[b->printed].done) {
        slot *s = &b->slots[b->printed++];
        text *t = &b->c->out->text;
        text_bytes(t, s->answer.data, s->answer.length);
        t->failed = t->failed || s->answer.failed;
        b->status = cli_worse(b->status, s->status);
        b->totals->questions++;
        b->totals->errors += s->failed;
        progress_add(&b->c->progress, 1);
        if (!output_answer(b->c->out))
            interrupt_request(); /* nobody will see the rest */
    }
}

/* The slots after an interrupt stay unanswered: they are a tail, because indices are given out in order. */
static void batch_job(void *context, uint64_t index, unsigned worker_index)
{
    batch *b = context;
    slot *s = &b->slots[index];
    if (interrupted())
        return;
    slot_answer(b, s, &b->workers[worker_index]);
    pthread_mutex_lock(&b->printing);
    s->done = true;
    batch_print(b);
    pthread_mutex_unlock(&b->printing);
}

/* ---- The whole ----------------------------------------------------------------------------------- */

static holos_status batch_open(batch *b, const holos_solver_options *options, unsigned threads,
                               holos_error *err)
{
    if (pool_open(threads, &b->pool, err) != HOLOS_OK)
        return err->code;
    b->worker_count = pool_threads(b->pool);
    b->capacity = b->worker_count > 1 ? BATCH_PER_THREAD * (size_t)b->worker_count : 1;
    b->workers = calloc(b->worker_count, sizeof *b->workers);
    b->slots = calloc(b->capacity, sizeof *b->slots);
    if (b->workers == NULL || b->slots == NULL)
        return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for %u threads", b->worker_count);
    for (size_t i = 0; i < b->capacity; i++) {
        text_init(&b->slots[i].question);
        text_init(&b->slots[i].answer);
    }
    holos_solver_options own = *options;
    own.limits.memory /= b->worker_count;
    for (unsigned i = 0; i < b->worker_count; i++) {
        b->workers[i].position = holos_position_new(b->format->v);
        if (b->workers[i].position == NULL)
            return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for a position");
        if (holos_solver_open(b->format->v, &own, &b->workers[i].solver, err) != HOLOS_OK)
            return err->code;
    }
    return HOLOS_OK;
}

static void batch_close(batch *b)
{
    for (unsigned i = 0; b->workers != NULL && i < b->worker_count; i++) {
        holos_solver_close(b->workers[i].solver);
        holos_position_free(b->workers[i].position);
    }
    for (size_t i = 0; b->slots != NULL && i < b->capacity; i++) {
        text_free(&b->slots[i].question);
        text_free(&b->slots[i].answer);
    }
    free(b->workers);
    free(b->slots);
    free(b->source.lines);
    pool_close(b->pool);
    pthread_mutex_destroy(&b->printing);
}

cli_status batch_run(cli *c, const answer_format *format, const holos_solver_options *options,
                     batch_source source, unsigned threads, batch_totals *totals)
{
    holos_error err;
    batch b = {.c = c, .format = format, .source = source, .totals = totals};
    pthread_mutex_init(&b.printing, NULL);
    if (batch_open(&b, options, threads, &err) == HOLOS_OK) {
        progress_begin(&c->progress, "solve", "positions", source_total(&source));
        while (batch_fill(&b))
            pool_run(b.pool, b.count, batch_job, &b);
        progress_end(&c->progress);
        if (interrupted())
            b.status = cli_worse(b.status, CLI_INTERRUPTED);
        for (unsigned i = 0; i < b.worker_count; i++)
            totals->nodes += b.workers[i].nodes;
    } else {
        b.status = cli_fail(&err);
    }
    batch_close(&b);
    return b.status;
}
