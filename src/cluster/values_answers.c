/* SPDX-License-Identifier: MIT */

#include "cluster/values_inside.h"

#define WAITING_MOST 16384 /* entries that the table may have, most of them of nobody any more */

/* ---- Waiting ----------------------------------------------------------------------------------- */

static holos_key waiting_key(node_at at)
{
    return (holos_key){.lo = (uint64_t)(uintptr_t)at};
}

static void waiter_add(valuing *s, node_at at, const ask *a)
{
    holos_error err;
    bool fresh;
    uint32_t number = s->free;
    if (number != NO_WAITER) {
        s->free = s->waiters[number].next;
    } else if (COUNTED_RESERVE(s->g->q.budget, s->waiters, s->waiter_room, s->waiter_count + 1)) {
        number = (uint32_t)s->waiter_count++;
    } else {
        graph_fail(s->g, error_system(&err, "questions that wait"), &err);
        return;
    }
    uint64_t *first = table_insert(&s->waiting, waiting_key(at), &fresh);
    if (first == NULL) {
        graph_fail(s->g, error_set(&err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, GRAPH_NO_MEMORY), &err);
        return;
    }
    s->waiters[number] = (waiter){.ask = *a, .next = *first == 0 ? NO_WAITER : (uint32_t)(*first - 1)};
    *first = (uint64_t)number + 1;
    s->open++;
    graph_node n = graph_load(at);
    n.depth |= NODE_WAITED;
    graph_store(at, n);
}

/* After a word that found no room nothing is said any more: what the others hear is right as far as it goes. */
static void word_say(valuing *s, unsigned rank, uint32_t word)
{
    uint32_t *record = s->answers.no_memory ? NULL : exchange_place(&s->answers, rank);
    if (record != NULL)
        *record = word;
}

static void late_answer(valuing *s, const ask *a, int16_t value)
{
    word_say(s, a->rank, WORD_LATE | a->number);
    word_say(s, a->rank, (uint16_t)value);
    numbers_give(&s->partners[a->rank].numbers, a->number);
}

/* ---- Knowing ----------------------------------------------------------------------------------- */

void settled_add(valuing *s, node_at at, int16_t value)
{
    holos_error err;
    if (LIST_RESERVE(s->settled, s->settled_room, s->settled_count + 1))
        s->settled[s->settled_count++] = (settled){.at = at, .value = value};
    else
        graph_fail(s->g, error_system(&err, "questions that wait"), &err);
}

/* The first of those that wait for each node that has been settled. Places in the table are fetched ahead. */
static void settled_find(valuing *s)
{
    for (size_t i = 0; i < s->settled_count + VALUES_AHEAD; i++) {
        if (i < s->settled_count)
            table_prefetch(&s->waiting, waiting_key(s->settled[i].at));
        if (i < VALUES_AHEAD)
            continue;
        settled *one = &s->settled[i - VALUES_AHEAD];
        uint64_t *first = table_find(&s->waiting, waiting_key(one->at));
        one->next = first != NULL && *first > 0 ? (uint32_t)(*first - 1) : NO_WAITER;
        if (first != NULL)
            *first = 0;
    }
}

/* Forgets the nodes that nobody waits for any more. Without memory they stay. */
static void waiting_renew(valuing *s)
{
    table fresh;
    holos_error err;
    holos_key key;
    void *first;
    bool is_new, well = true;
    if (s->waiting.count <= WAITING_MOST || s->open > s->waiting.count / 4 ||
        table_init(&fresh, s->g->q.budget, sizeof(uint64_t), 0, &err) != HOLOS_OK)
        return;
    for (size_t i = 0; well && table_next(&s->waiting, &i, &key, &first);) {
        uint64_t waits = *(const uint64_t *)first;
        uint64_t *place = waits > 0 ? table_insert(&fresh, key, &is_new) : NULL;
        well = waits == 0 || place != NULL;
        if (place != NULL)
            *place = waits;
    }
    table swap = s->waiting;
    s->waiting = well ? fresh : swap;
    table_free(well ? &swap : &fresh);
}

/* Answers whoever waits for what has been settled: the first of each node, then the second, …, so that places can be fetched
 * ahead. One rank values kalah:3,6 in 0.8 s; node by node it took 1.55 s. */
void settled_answer(valuing *s)
{
    settled_find(s);
    for (size_t count = s->settled_count; count > 0;) {
        size_t left = 0;
        for (size_t i = 0; i < count; i++) {
            settled one = s->settled[i];
            if (i + VALUES_AHEAD < count && s->settled[i + VALUES_AHEAD].next != NO_WAITER)
                __builtin_prefetch(&s->waiters[s->settled[i + VALUES_AHEAD].next]);
            if (one.next == NO_WAITER)
                continue;
            waiter *w = &s->waiters[one.next];
            uint32_t number = one.next;
            late_answer(s, &w->ask, one.value);
            one.next = w->next;
            w->next = s->free;
            s->free = number;
            s->open--;
            s->settled[left++] = one;
        }
        count = left;
    }
    s->settled_count = 0;
    waiting_renew(s);
}

/* ---- Questions --------------------------------------------------------------------------------- */

/* A question: the words of a key. */
static void ask_take(valuing *s, const uint32_t *words, unsigned rank)
{
    cluster_graph *g = s->g;
    holos_error err;
    node_at at = nodes_find(&g->w->nodes, record_key(words, g->words));
    graph_node n = graph_load(at);
    if (n.known == GRAPH_KNOWN) {
        word_say(s, rank, (uint16_t)n.value);
        return;
    }
    ask a = {.rank = rank, .number = numbers_take(&s->partners[rank].numbers)};
    if (a.number <= WORD_NUMBER &&
        COUNTED_RESERVE(g->q.budget, s->early, s->early_room, s->early_count + 1)) {
        s->early[s->early_count++] = (early){.at = at, .ask = a};
        word_say(s, rank, WORD_WAITS | a.number);
    } else {
        graph_fail(g, error_system(&err, "questions that wait"), &err);
    }
}

/* Answers those that are known by now; the others stay, the oldest first. */
static void early_answer(valuing *s)
{
    size_t count = s->early_count, left = 0;
    for (size_t i = 0; i < count + VALUES_AHEAD; i++) {
        if (i < count)
            __builtin_prefetch(s->early[i].at);
        if (i < VALUES_AHEAD)
            continue;
        early one = s->early[i - VALUES_AHEAD];
        graph_node n = graph_load(one.at);
        if (n.known == GRAPH_KNOWN)
            late_answer(s, &one.ask, n.value);
        else
            s->early[left++] = one;
    }
    s->early_count = left;
}

/* Looks once more at the questions that came too early: most are known a round or two later, and a look costs little. If they get too many for
 * that, the oldest wait. Of the 17.8 million questions of each of two ranks of kalah:3,8, 0.7 million come too early, and 25,000 wait. */
void early_look(valuing *s)
{
    early_answer(s);
    if (s->early_count <= s->early_most)
        return;
    size_t old = s->early_count - s->early_most;
    for (size_t i = 0; i < old + VALUES_AHEAD && !s->g->skip; i++) {
        if (i < old)
            table_prefetch(&s->waiting, waiting_key(s->early[i].at));
        if (i >= VALUES_AHEAD)
            waiter_add(s, s->early[i - VALUES_AHEAD].at, &s->early[i - VALUES_AHEAD].ask);
    }
    s->early_count = s->early_most;
    memmove(s->early, s->early + old, s->early_count * sizeof *s->early);
}

void asks_take(valuing *s, const unsigned char *bytes, size_t size, unsigned rank)
{
    const uint32_t *words = (const uint32_t *)(const void *)bytes;
    size_t each = s->asks.record / sizeof *words, count = size / s->asks.record;
    for (size_t i = 0; i < count + VALUES_AHEAD && !s->g->skip; i++) {
        if (i < count)
            nodes_prefetch(&s->g->w->nodes, record_key(words + i * each, s->g->words));
        if (i >= VALUES_AHEAD)
            ask_take(s, words + (i - VALUES_AHEAD) * each, rank);
        if (i % VALUES_POKE_EACH == 0)
            values_poke(s);
    }
}
