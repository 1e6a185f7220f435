/* SPDX-License-Identifier: MIT */

#include "engine/retrograde/schedule.h"

#include <stdlib.h>

void schedule_init(schedule *s)
{
    *s = (schedule){.share = 1};
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->change, NULL);
}

void schedule_free(schedule *s)
{
    free(s->parts);
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->change);
}

/* ---- Taking ------------------------------------------------------------------------------------ */

/* `large`: only those that come before all that are split. */
static bool take_begin(schedule *s, bool large, task *out)
{
    for (uint32_t i = 0; i < s->count; i++) {
        schedule_part *p = &s->parts[i];
        if (large && p->steps > 0)
            return false;
        if (p->begun)
            continue;
        p->begun = true;
        *out = (task){.kind = TASK_BEGIN, .part = p};
        return true;
    }
    return false;
}

static bool take_end(schedule *s, task *out)
{
    for (uint32_t i = 0; i < s->count; i++) {
        schedule_part *p = &s->parts[i];
        if (!p->solved || p->ended)
            continue;
        p->ended = true;
        *out = (task){.kind = TASK_END, .part = p};
        return true;
    }
    return false;
}

static bool take_pieces(schedule *s, task *out)
{
    for (uint32_t i = 0; i < s->count; i++) {
        schedule_part *p = &s->parts[i];
        if (!p->open || p->next == p->pieces)
            continue;
        uint32_t count = (p->pieces + s->share - 1) / s->share;
        if (count > p->pieces - p->next)
            count = p->pieces - p->next;
        *out = (task){.kind = TASK_PIECES, .part = p, .step = p->step, .first = p->next, .count = count};
        p->next += count;
        p->running += count;
        return true;
    }
    return false;
}

/* A part that nobody else takes. */
static bool take_next(schedule *s, task *out)
{
    uint32_t at;
    if (s->none_left)
        return false;
    s->none_left = !s->next(s->next_context, &at);
    if (s->none_left)
        return false;
    s->parts[at].begun = true;
    *out = (task){.kind = TASK_BEGIN, .part = &s->parts[at]};
    return true;
}

static bool take_any(schedule *s, task *out)
{
    if (s->next != NULL)
        return take_end(s, out) || take_pieces(s, out) || take_next(s, out);
    return take_begin(s, true, out) || take_end(s, out) || take_pieces(s, out) || take_begin(s, false, out);
}

bool schedule_take(schedule *s, task *out)
{
    pthread_mutex_lock(&s->lock);
    bool taken = false;
    while (!s->stopped) {
        taken = take_any(s, out);
        if (taken || s->busy == 0)
            break;
        pthread_cond_wait(&s->change, &s->lock);
    }
    s->busy += taken;
    pthread_mutex_unlock(&s->lock);
    return taken;
}

/* ---- Giving back ------------------------------------------------------------------------------- */

/* Opens the next step that has pieces. */
static void part_advance(schedule *s, schedule_part *p)
{
    for (; p->step < p->steps; p->step++) {
        p->pieces = s->pieces(s->context, p->part, p->step);
        p->next = 0;
        if (p->pieces > 0)
            return;
    }
    p->open = false;
    p->solved = true;
}

void schedule_done(schedule *s, const task *t, bool open)
{
    schedule_part *p = t->part;
    pthread_mutex_lock(&s->lock);
    s->busy--;
    if (t->kind == TASK_BEGIN && open) {
        p->open = true;
        part_advance(s, p);
    }
    if (t->kind == TASK_PIECES) {
        p->running -= t->count;
        if (p->running == 0 && p->next == p->pieces) {
            p->step++;
            part_advance(s, p);
        }
    }
    pthread_cond_broadcast(&s->change);
    pthread_mutex_unlock(&s->lock);
}

void schedule_stop(schedule *s)
{
    pthread_mutex_lock(&s->lock);
    s->stopped = true;
    pthread_cond_broadcast(&s->change);
    pthread_mutex_unlock(&s->lock);
}
