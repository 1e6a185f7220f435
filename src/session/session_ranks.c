/* SPDX-License-Identifier: MIT */

/* Rounds that the ranks of a cluster share: rank 0 says what the batches are, all do them as they are handed out, and rank 0 settles
 * while the others wait. So a rank needs to know nothing of the session but where it lies. */

#include "cluster/letter.h"
#include "session/session.h"

#include <stdlib.h>

typedef struct sharing {
    job *j;
    const session_round *round;
    const char *path;      /* of the session's hologram, as this rank knows it */
    json_t *document;      /* another rank: what rank 0 said */
    session_task *batches; /* in any rank */
    size_t count, longest;
} sharing;

/* ---- What the batches are ------------------------------------------------------------------------ */

static void round_write(const session_round *round, text *out)
{
    json w = json_begin(out);
    json_open(&w, NULL, '[');
    for (size_t i = 0; i < round->count; i++)
        session_task_put(&w, &round->batches[i]);
    json_close(&w);
}

static holos_status round_read(sharing *s, const text *words, holos_error *err)
{
    s->document = json_read(words->data, words->length, err);
    if (s->document == NULL)
        return err->code;
    size_t count = json_array_size(s->document);
    s->batches = calloc(count + 1, sizeof *s->batches);
    if (s->batches == NULL)
        return error_system(err, "the batches of a round");
    holos_status status = HOLOS_OK;
    for (; status == HOLOS_OK && s->count < count; s->count++) {
        session_task *batch = &s->batches[s->count];
        status = session_task_get(json_array_get(s->document, s->count), batch, err);
        batch->path = s->path;
        batch->memory = session_memory(s->j, false);
    }
    return status;
}

static void round_forget(sharing *s)
{
    if (s->j->company->rank == 0)
        return;
    for (size_t i = 0; i < s->count; i++)
        session_task_forget(&s->batches[i]);
    free(s->batches);
    json_decref(s->document);
}

/* The batches of rank 0, to all. */
static holos_status round_share(sharing *s, holos_status status, holos_error *err)
{
    const job_company *company = s->j->company;
    text words;
    text_init(&words);
    if (company->rank == 0 && status == HOLOS_OK)
        round_write(s->round, &words);
    status = company->agree(company->context, status, err);
    if (status == HOLOS_OK)
        status = cluster_share_text(s->j->o->cluster, &words, err);
    if (status == HOLOS_OK && company->rank > 0)
        status = round_read(s, &words, err);
    text_free(&words);
    for (size_t i = 0; i < s->count; i++)
        s->longest = s->batches[i].seed_count > s->longest ? s->batches[i].seed_count : s->longest;
    return status;
}

/* ---- Doing them ---------------------------------------------------------------------------------- */

static bool is_settling(const sharing *s, uint32_t task)
{
    return task == s->count;
}

static holos_status task_make(void *context, uint32_t i, unsigned worker, const holos_stop *stop, void *said,
                              holos_error *err)
{
    const sharing *s = context;
    (void)worker;
    if (is_settling(s, i))
        return s->round->settle(s->j, stop, err);
    session_task batch = s->batches[i];
    batch.stop = stop;
    return session_batch_do(s->j, &batch, said, err);
}

static holos_status task_hear(void *context, uint32_t i, const void *said, holos_error *err)
{
    const sharing *s = context;
    (void)err;
    if (!is_settling(s, i))
        s->round->hear(s->j, said);
    return HOLOS_OK;
}

/* The batches, and settling, which waits for all of them. */
static holos_status tasks_make(const sharing *s, job_tasks *out, holos_error *err)
{
    size_t count = s->count + 1;
    *out = (job_tasks){.list = calloc(count, sizeof *out->list),
                       .waits = calloc(count * count, sizeof *out->waits),
                       .count = (uint32_t)count};
    if (out->list == NULL || out->waits == NULL)
        return error_system(err, "the batches of a round");
    for (size_t i = 0; i < s->count; i++) {
        out->list[i].seconds = (double)s->batches[i].nodes;
        out->waits[s->count * count + i] = true;
    }
    out->list[s->count].first = true;
    return HOLOS_OK;
}

holos_status session_share(job *j, const session_round *round, holos_status status, holos_error *err)
{
    const job_company *company = j->company;
    sharing s = {
        .j = j, .round = round, .path = round->path, .batches = round->batches, .count = round->count};
    job_tasks tasks = {0};
    status = round_share(&s, status, err);
    if (status == HOLOS_OK)
        status = tasks_make(&s, &tasks, err);
    status = company->agree(company->context, status, err);
    job_work work = {
        .context = &s, .make = task_make, .hear = task_hear, .said_size = session_outcome_size(s.longest)};
    if (status == HOLOS_OK)
        status = company->run(company->context, &tasks, &work, err);
    if (status == HOLOS_INTERRUPTED)
        error_set(err, status, HOLOS_NOWHERE, "interrupted; finished batches are kept");
    free(tasks.list);
    free(tasks.waits);
    round_forget(&s);
    return status;
}
