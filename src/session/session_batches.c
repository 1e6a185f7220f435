/* SPDX-License-Identifier: MIT */

/* The batches of a round. A file of one is named after the seeds that it is from, so that whoever goes on finds it, one process or
 * the ranks of a cluster. */

#include "session/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define NODES_LEAST 64 /* of a batch that is tried once more */

/* ---- Cutting ----------------------------------------------------------------------------------- */

/* The end of the batch that begins at a seed. */
static size_t batch_end(const job *j, const session_task *round, size_t begin, holos_position *p,
                        holos_wave_mode *mode, holos_error *err)
{
    const session_settings *asked = j->settings;
    size_t at = begin;
    bool deep = false;
    for (; at < round->seed_count && at - begin < (size_t)asked->batch_seeds; at++) {
        holos_wave_seed seed;
        if (holos_seed_parse(j->v, round->seeds[at], p, &seed, err) != HOLOS_OK)
            break;
        if (at == begin) {
            *mode = seed.mode;
            deep = seed.depth > 0;
        } else if (seed.mode != *mode || (seed.depth > 0) != deep) {
            break;
        }
    }
    return at;
}

holos_status session_batches(job *j, const session_task *round, session_task **out, size_t *count,
                             holos_error *err)
{
    holos_position *p = holos_position_new(j->v);
    holos_status status = HOLOS_OK;
    *count = 0;
    *out = calloc(round->seed_count + 1, sizeof **out);
    if (p == NULL || *out == NULL)
        status = error_system(err, "the batches of a round");
    for (size_t begin = 0, end; status == HOLOS_OK && begin < round->seed_count; begin = end) {
        session_task *batch = &(*out)[*count];
        *batch = *round;
        end = batch_end(j, round, begin, p, &batch->mode, err);
        if (end == begin) {
            status = err->code;
            break;
        }
        batch->first = begin;
        batch->seeds = round->seeds + begin;
        batch->seed_count = end - begin;
        batch->nodes = round->nodes * batch->seed_count / round->seed_count;
        batch->nodes = batch->nodes > 0 ? batch->nodes : 1;
        ++*count;
    }
    holos_position_free(p);
    return status;
}

/* ---- What is there ----------------------------------------------------------------------------- */

bool session_part_path(const session_task *round, session_part part, text *out)
{
    text_clear(out);
    text_printf(out, "%s.batch-%llu-%u-%u", round->path, (unsigned long long)round->round, part.first,
                part.count);
    return !out->failed;
}

/* Whether a hologram is from the seeds of a batch. */
static bool seeds_match(const job *j, const holos_hologram *h, const session_task *batch, holos_position *p)
{
    const hologram_seed *seeds = h->sections[HOLOGRAM_SEEDS];
    bool same = hologram_count(h, HOLOGRAM_SEEDS) == batch->seed_count;
    for (size_t i = 0; same && i < batch->seed_count; i++) {
        holos_wave_seed seed;
        bool found = false;
        same = holos_seed_parse(j->v, batch->seeds[i], p, &seed, NULL) == HOLOS_OK;
        holos_key key = hologram_key(h, p);
        for (size_t k = 0; same && k < batch->seed_count && !found; k++)
            found = holos_key_equal(seeds[k].key, key) && seeds[k].mode == (uint32_t)seed.mode &&
                    seeds[k].depth == seed.depth;
        same = same && found;
    }
    return same;
}

/* Whether a finished batch of an earlier run lies there, from these very seeds. */
static bool part_is_there(const job *j, const session_task *batch)
{
    holos_hologram *h;
    if (access(batch->out, F_OK) != 0 || holos_hologram_open(batch->out, &h, NULL) != HOLOS_OK)
        return false;
    holos_position *p = holos_position_new(j->v);
    bool same = p != NULL && strcmp(h->v->name, j->v->name) == 0 && seeds_match(j, h, batch, p);
    holos_position_free(p);
    holos_hologram_close(h);
    return same;
}

/* ---- Doing one --------------------------------------------------------------------------------- */

size_t session_outcome_size(size_t seeds)
{
    return sizeof(session_outcome) + seeds * sizeof(session_part);
}

holos_status session_task_do(job *j, const session_task *task, bool *died, holos_error *err)
{
    const session_settings *asked = j->settings;
    *died = false;
    if (asked->isolate)
        return session_task_spawn(j, task, died, err);
    holos_status status = session_task_run(j, task, err);
    *died = status == HOLOS_NO_MEMORY;
    return status;
}

static void part_note(const job *j, const session_task *batch, session_outcome *out)
{
    struct stat info;
    bool elsewhere = j->company != NULL && j->company->rank > 0;
    out->bytes += elsewhere && stat(batch->out, &info) == 0 ? (uint64_t)info.st_size : 0;
    out->parts[out->part_count++] = (session_part){(uint32_t)batch->first, (uint32_t)batch->seed_count};
}

static void death_note(session_outcome *out, const session_task *batch, const holos_error *err,
                       const char *what)
{
    size_t room = sizeof out->deaths - out->words;
    int length = snprintf(out->deaths + out->words, room, "round %llu: a batch of %zu seed%s died (%s); %s",
                          (unsigned long long)batch->round, batch->seed_count,
                          batch->seed_count == 1 ? "" : "s", err->message, what);
    out->died++;
    if (length >= 0 && (size_t)length < room)
        out->words += (uint32_t)length + 1;
}

static holos_status piece_do(job *j, session_task piece, session_outcome *out, holos_error *err)
{
    text path;
    bool died = false;
    text_init(&path);
    session_part part = {(uint32_t)piece.first, (uint32_t)piece.seed_count};
    holos_status status = session_part_path(&piece, part, &path) ? HOLOS_OK : error_system(err, "a batch");
    piece.out = path.data;
    if (status == HOLOS_OK && !part_is_there(j, &piece))
        status = session_task_do(j, &piece, &died, err);
    if (status == HOLOS_OK || (status == HOLOS_LIMIT && !died)) {
        part_note(j, &piece, out);
        status = HOLOS_OK;
    }
    text_free(&path);
    if (!died)
        return status;
    if (piece.nodes / 2 < NODES_LEAST) {
        death_note(out, &piece, err, "it was given up");
        out->lost++;
        return HOLOS_OK;
    }
    death_note(out, &piece, err, "it is tried again, smaller");
    size_t half = (piece.seed_count + 1) / 2, rest = piece.seed_count - half;
    piece.nodes /= 2;
    piece.seed_count = half;
    status = piece_do(j, piece, out, err);
    piece.first += half;
    piece.seeds += half;
    piece.seed_count = rest;
    return status == HOLOS_OK && rest > 0 ? piece_do(j, piece, out, err) : status;
}

holos_status session_batch_do(job *j, const session_task *batch, session_outcome *out, holos_error *err)
{
    *out = (session_outcome){0};
    if (holos_stop_asked(batch->stop))
        return error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted; finished batches are kept");
    return piece_do(j, *batch, out, err);
}
