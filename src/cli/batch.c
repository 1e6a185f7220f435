/* SPDX-License-Identifier: MIT */

#include "cli/batch_slot.h"
#include "cli/interrupt.h"
#include "cli/lines.h"
#include "cli/words.h"
#include "core/assert.h"
#include "core/pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Blocks for each thread between the first that is not printed and the last that was read: while one
 * thread is held up by a hard question, the others go on until so many answers wait for it. */
enum { RING_OF_SINGLES = 64, RING_OF_BLOCKS = 8 };

/* Questions that a thread took together. */
typedef struct block {
    slot *slots;
    size_t count;
    bool done; /* answered, and not yet printed */
} block;

typedef struct worker {
    void *own;                 /* the kind's */
    holos_position *positions; /* a block of them */
    batch_item *items;
    slot **asked;   /* the slot of each item */
    unsigned rank;  /* not 0: another rank of a cluster answers in its place */
    uint64_t nodes; /* that this rank has searched */
} worker;

typedef struct batch {
    cli *c;
    const batch_kind *kind;
    batch_totals *totals;
    pool *pool;
    worker *workers;
    unsigned worker_count;
    unsigned remote_count; /* the last of them: other ranks of a cluster, of which this is rank 0 */
    slot *slots;           /* of all blocks */
    block *ring;
    size_t ring_size;

    pthread_mutex_t reading; /* guards what follows; taken before `printing` where both are */
    batch_source source;
    uint64_t taken; /* blocks read so far */
    bool ended;     /* there are no more questions */
    cli_status source_status;

    pthread_mutex_t printing; /* guards what follows, and `done` of the blocks */
    pthread_cond_t room;      /* a block was printed, or will never be */
    uint64_t printed;         /* blocks whose answers are out */
    bool starving;            /* a thread waits for questions: whoever asks them may wait for answers */
    cli_status status;
} batch;

/* ---- Questions --------------------------------------------------------------------------------- */

static const char *const only_stdin[] = {"-"};

batch_source batch_source_choose(const cli *c, const char *const *alone)
{
    if (c->operand_count > 1)
        return (batch_source){.words = c->operands + 1, .count = c->operand_count - 1};
    bool waits = alone != NULL && isatty(STDIN_FILENO);
    return (batch_source){.words = waits ? alone : only_stdin, .count = 1};
}

static bool source_has_stdin(const batch_source *source)
{
    for (size_t i = 0; i < source->count; i++)
        if (strcmp(source->words[i], "-") == 0)
            return true;
    return false;
}

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
    const batch_source *s = &b->source;
    if (s->lines != NULL)
        return lines_ready(s->lines);
    return s->next == s->count || strcmp(s->words[s->next], "-") != 0;
}

void slot_ask(slot *s, const char *question, size_t length, bool cut)
{
    text_clear(&s->question);
    text_clear(&s->answer);
    text_bytes(&s->question, question, length);
    s->length = length;
    s->cut = cut;
    s->failed = false;
    s->status = CLI_DONE;
}

/* The next question of stdin: a line, or with --whole all that is left. False: there is none, or it cannot be read. */
static bool source_line(batch *b, slot *s, holos_status *status, holos_error *err)
{
    line l;
    if (!b->source.whole) {
        if (!lines_next(b->source.lines, &l, status, err))
            return false;
        slot_ask(s, l.text, l.length, l.cut);
        return true;
    }
    slot_ask(s, "", 0, false);
    *status = lines_join(b->source.lines, &s->question, &s->cut, err);
    s->length = s->question.length;
    return *status == HOLOS_OK && s->length > 0;
}

/* Takes the next question; false if there is none, or if it cannot be read: then b->source_status tells. */
static bool source_next(batch *b, slot *s)
{
    for (;;) {
        if (b->source.lines != NULL) {
            holos_status status;
            holos_error err;
            if (source_line(b, s, &status, &err)) {
                b->totals->lines += !b->source.whole;
                return true;
            }
            if (status == HOLOS_BAD_FILE)
                cli_error("%s", err.message);
            b->source_status = cli_worse(b->source_status, cli_status_of(status));
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

/* Tells whoever prints that a thread waits for questions, or that it no longer does. */
static bool batch_starves(batch *b, bool starving)
{
    pthread_mutex_lock(&b->printing);
    b->starving = starving;
    bool written = !starving || output_flush(b->c->out);
    pthread_mutex_unlock(&b->printing);
    return written;
}

/* How many of the questions that are there without waiting a thread takes: a whole block where there are
 * enough for all threads, else its share. */
static size_t source_share(batch *b)
{
    size_t most = b->kind->block * b->worker_count;
    size_t there =
        b->source.lines != NULL ? lines_waiting(b->source.lines, most) : b->source.count - b->source.next;
    size_t share = (there + b->worker_count - 1) / b->worker_count;
    return b->worker_count == 1 || share > b->kind->block ? b->kind->block : share;
}

/* Fills a block with what can be had without waiting; waits only for its first question. */
static bool block_fill(batch *b, block *k)
{
    size_t most = 1;
    k->count = 0;
    while (k->count < most && !interrupted()) {
        bool waits = k->count == 0 && !source_ready(b);
        if (k->count > 0 && !source_ready(b))
            break;
        if (waits && !batch_starves(b, true))
            return false;
        bool found = source_next(b, &k->slots[k->count]);
        if (waits)
            batch_starves(b, false);
        if (!found)
            break;
        if (k->count++ == 0)
            most = source_share(b);
    }
    return k->count > 0;
}

/* Waits until the block that comes next has been printed, if it was used before. */
static void ring_wait(batch *b)
{
    pthread_mutex_lock(&b->printing);
    while (b->taken - b->printed == b->ring_size && !interrupted())
        pthread_cond_wait(&b->room, &b->printing);
    pthread_mutex_unlock(&b->printing);
}

/* The next block of questions; NULL when there are no more. */
static block *batch_take(batch *b)
{
    pthread_mutex_lock(&b->reading);
    ring_wait(b);
    block *next = &b->ring[b->taken % b->ring_size];
    b->ended = b->ended || interrupted() || !block_fill(b, next);
    b->taken += !b->ended;
    bool found = !b->ended;
    pthread_mutex_unlock(&b->reading);
    return found ? next : NULL;
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
    return holos_parse(b->kind->v, s->question.data, out, err);
}

/* Reads a block of questions and answers those that can be read. */
static void block_answer(batch *b, slot *slots, size_t count, worker *w)
{
    size_t asked = 0;
    for (size_t i = 0; i < count; i++) {
        holos_error err;
        slot *s = &slots[i];
        holos_position *p =
            (holos_position *)((char *)w->positions + asked * holos_position_size(b->kind->v));
        if (read_question(b, s, p, &err) != HOLOS_OK) {
            b->kind->refuse(b->kind->context, s->question.data, &err, &s->answer);
            s->failed = true;
            s->status = CLI_INPUT;
            continue;
        }
        if (b->source.whole) { /* many lines in, one line out */
            text_clear(&s->question);
            words_position(&s->question, b->kind->v, p);
        }
        w->asked[asked] = s;
        w->items[asked++] = (batch_item){.question = s->question.data, .position = p, .answer = &s->answer};
    }
    if (asked > 0)
        b->kind->answer(w->own, w->items, asked);
    for (size_t i = 0; i < asked; i++) {
        w->asked[i]->failed = w->items[i].failed;
        w->asked[i]->status = w->items[i].status;
    }
}

/* The same in another rank. */
static void block_send(const batch *b, slot *slots, size_t count, worker *w)
{
    holos_error err;
    if (remote_ask(b->c->cluster, w->rank, slots, count, &w->nodes, &err) == HOLOS_OK)
        return;
    for (size_t i = 0; i < count; i++) {
        text_clear(&slots[i].answer);
        b->kind->refuse(b->kind->context, slots[i].question.data, &err, &slots[i].answer);
        slots[i].failed = true;
        slots[i].status = cli_status_of(err.code);
    }
}

static void block_print(batch *b, const block *k)
{
    for (size_t i = 0; i < k->count; i++) {
        const slot *s = &k->slots[i];
        text *t = &b->c->out->text;
        text_bytes(t, s->answer.data, s->answer.length);
        t->failed = t->failed || s->answer.failed;
        b->status = cli_worse(b->status, s->status);
        b->totals->questions++;
        b->totals->errors += s->failed;
    }
    if (!output_answer(b->c->out))
        interrupt_request(); /* nobody will see the rest */
    progress_add(&b->c->progress, k->count);
}

/* Prints the blocks whose turn it is. */
static void batch_print(batch *b, block *answered)
{
    pthread_mutex_lock(&b->printing);
    answered->done = true;
    for (block *k; (k = &b->ring[b->printed % b->ring_size])->done; b->printed++) {
        block_print(b, k);
        k->done = false;
    }
    if (b->starving)
        output_flush(b->c->out);
    pthread_cond_broadcast(&b->room);
    pthread_mutex_unlock(&b->printing);
}

/* Every thread reads, answers and prints, so that none waits for another to feed it. */
static void batch_work(void *context, uint64_t index, unsigned worker_index)
{
    (void)index;
    batch *b = context;
    worker *w = &b->workers[worker_index];
    for (block *k; (k = batch_take(b)) != NULL;) {
        if (w->rank > 0)
            block_send(b, k->slots, k->count, w);
        else
            block_answer(b, k->slots, k->count, w);
        batch_print(b, k);
    }
}

/* In another rank than 0: answers what is asked, until nothing is any more. */
static holos_status batch_serve(batch *b, holos_error *err)
{
    worker *w = &b->workers[0];
    size_t count;
    holos_status status = HOLOS_OK;
    while (status == HOLOS_OK) {
        status = remote_questions(b->c->cluster, b->slots, b->kind->block, &count, err);
        if (status != HOLOS_OK || count == 0)
            break;
        block_answer(b, b->slots, count, w);
        uint64_t nodes = b->kind->nodes != NULL ? b->kind->nodes(w->own) : 0;
        status = remote_answer(b->c->cluster, b->slots, count, nodes, err);
    }
    return status;
}

/* ---- The whole ----------------------------------------------------------------------------------- */

static holos_status worker_open(batch *b, worker *w, holos_error *err)
{
    w->positions = aligned_alloc(16, b->kind->block * holos_position_size(b->kind->v));
    w->items = calloc(b->kind->block, sizeof *w->items);
    w->asked = calloc(b->kind->block, sizeof *w->asked);
    if (w->positions == NULL || w->items == NULL || w->asked == NULL)
        return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for positions");
    return b->kind->open(b->kind->context, b->worker_count - b->remote_count, &w->own, err);
}

static holos_status batch_open(batch *b, unsigned threads, holos_error *err)
{
    if (pool_open(threads, &b->pool, err) != HOLOS_OK)
        return err->code;
    assert(b->kind->block > 0);
    b->worker_count = pool_threads(b->pool);
    if (b->worker_count > 1)
        b->ring_size = b->worker_count * (size_t)(b->kind->block > 1 ? RING_OF_BLOCKS : RING_OF_SINGLES);
    else
        b->ring_size = 1;
    b->workers = calloc(b->worker_count, sizeof *b->workers);
    b->ring = calloc(b->ring_size, sizeof *b->ring);
    b->slots = calloc(b->ring_size * b->kind->block, sizeof *b->slots);
    if (b->workers == NULL || b->ring == NULL || b->slots == NULL)
        return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for %u threads", b->worker_count);
    for (size_t i = 0; i < b->ring_size; i++)
        b->ring[i].slots = b->slots + i * b->kind->block;
    for (size_t i = 0; i < b->ring_size * b->kind->block; i++) {
        text_init(&b->slots[i].question);
        text_init(&b->slots[i].answer);
    }
    unsigned local = b->worker_count - b->remote_count;
    for (unsigned i = local; i < b->worker_count; i++)
        b->workers[i].rank = i - local + 1;
    for (unsigned i = 0; i < local; i++)
        if (worker_open(b, &b->workers[i], err) != HOLOS_OK)
            return err->code;
    return HOLOS_OK;
}

static void batch_close(batch *b)
{
    for (unsigned i = 0; b->workers != NULL && i < b->worker_count; i++) {
        if (b->workers[i].own != NULL)
            b->kind->close(b->workers[i].own);
        free(b->workers[i].positions);
        free(b->workers[i].items);
        free(b->workers[i].asked);
    }
    for (size_t i = 0; b->slots != NULL && i < b->ring_size * b->kind->block; i++) {
        text_free(&b->slots[i].question);
        text_free(&b->slots[i].answer);
    }
    free(b->workers);
    free(b->ring);
    free(b->slots);
    free(b->source.lines);
    pool_close(b->pool);
    pthread_cond_destroy(&b->room);
    pthread_mutex_destroy(&b->printing);
    pthread_mutex_destroy(&b->reading);
}

cli_status batch_run(cli *c, const batch_kind *kind, batch_source source, unsigned threads,
                     batch_totals *totals)
{
    holos_error err;
    if (source.whole && !source_has_stdin(&source))
        return cli_usage("--whole is for standard input, but the positions are arguments");
    batch b = {.c = c, .kind = kind, .source = source, .totals = totals};
    pthread_mutex_init(&b.reading, NULL);
    pthread_mutex_init(&b.printing, NULL);
    pthread_cond_init(&b.room, NULL);
    unsigned rank = holos_cluster_rank(c->cluster);
    b.remote_count = rank == 0 ? holos_cluster_ranks(c->cluster) - 1 : 0;
    holos_status opened = batch_open(&b, threads + b.remote_count, &err);
    if (c->cluster != NULL)
        opened = holos_cluster_agree(c->cluster, opened, &err);
    if (opened == HOLOS_OK && rank > 0) {
        if (batch_serve(&b, &err) != HOLOS_OK)
            b.status = cli_fail(&err);
    } else if (opened == HOLOS_OK) {
        progress_begin(&c->progress, kind->name, "positions", source_total(&source));
        pool_run(b.pool, b.worker_count, batch_work, &b);
        progress_end(&c->progress);
        for (unsigned i = 1; i <= b.remote_count; i++)
            remote_dismiss(c->cluster, i, &err);
        b.status = cli_worse(b.status, b.source_status);
        if (interrupted())
            b.status = cli_worse(b.status, CLI_INTERRUPTED);
        for (unsigned i = 0; i < b.worker_count && kind->nodes != NULL; i++)
            totals->nodes += b.workers[i].rank > 0 ? b.workers[i].nodes : kind->nodes(b.workers[i].own);
    } else {
        b.status = cli_fail(&err);
    }
    batch_close(&b);
    return b.status;
}

/* A grid over several lines that was read as so many positions. */
static void suggest_whole(const cli *c, const batch_totals *totals)
{
    bool all_failed =
        totals->lines > 1 && totals->lines == totals->questions && totals->errors == totals->lines;
    for (const holos_option *o = c->verb->options; all_failed && o->name != NULL; o++)
        if (strcmp(o->name, "whole") == 0)
            log_write(&c->log, LOG_LEVEL_WARNING,
                      "each line of standard input is a position; for one position over several lines, add "
                      "--whole");
}

void batch_report(const cli *c, const batch_totals *totals, double seconds)
{
    if (totals->errors > 0)
        log_write(&c->log, LOG_LEVEL_WARNING, "%llu of %llu %s could not be answered",
                  (unsigned long long)totals->errors, (unsigned long long)totals->questions,
                  totals->questions == 1 ? "position" : "positions");
    suggest_whole(c, totals);
    if (!log_wants(&c->log, LOG_LEVEL_INFO))
        return;
    text t;
    text_init(&t);
    text_count(&t, totals->questions);
    text_string(&t, totals->questions == 1 ? " position, " : " positions, ");
    text_count(&t, totals->nodes);
    text_string(&t, " nodes in ");
    text_duration(&t, seconds);
    log_write(&c->log, LOG_LEVEL_INFO, "%s", t.data);
    text_free(&t);
}
