/* SPDX-License-Identifier: MIT */

/* Values. Each position asks the owners of its successors, once, from the lowest on (heights.h), or from the deepest layer on. Whoever
 * knows a value answers at once; otherwise the question waits there until the value is known: so in a graph without cycles every question
 * is answered, whatever edges lead to, and none travels twice. A position is known when its last answer has come.
 *
 * A question travels as a key. Answers come in the order of the questions, so nothing in them need say what they answer: a word
 * is a value, or says that the question waits, under a number. Later the number comes once more, before the value. */

#include "cluster/heights.h"
#include "cluster/numbers.h"
#include "cluster/owner.h"
#include "core/table.h"

#include <stdlib.h>

#define POKE_EACH    1024
#define AHEAD        16
#define WAITED       0x8000 /* in the depth of a node: somebody waits for its value */
#define NO_WAITER    UINT32_MAX
#define WAITING_MOST 16384 /* entries that the table may have, most of them of nobody any more */

/* Answers to a slice come while the second one after it asks, and what asks for its positions before that comes too early. So small graphs are cut into
 * at least so many slices, unless these get too small. Two ranks of kalah:4,2: 13 % of all questions do with slices of 1,024, 70 % with 8,192. */
#define LOW_SLICES  128
#define SLICE_LEAST 1024
#define SLICE_MOST  8192

/* The words of an answer. */
#define WORD_WAITS  UINT32_C(0x80000000) /* the question waits: the rest is its number */
#define WORD_LATE   UINT32_C(0xC0000000) /* it has waited, likewise; the next word is the value */
#define WORD_NUMBER UINT32_C(0x3FFFFFFF)

/* While a position waits for answers, its node says: `flags` how many are missing, `known` 1 + the place of the best move so far among
 * its moves, 0: none yet. */

/* What stays with the asker. */
typedef struct question {
    node_at asker;
    uint16_t move;
    uint8_t order; /* of the move among the asker's */
    bool same_side;
} question;

/* Who asks, if the answer has to wait: a rank, and the number there. */
typedef struct ask {
    uint32_t rank, number;
} ask;

/* What this rank has asked another one, or itself; and what that one has asked. */
typedef struct partner {
    question *asked; /* those from `first` on have no answer yet, in their order */
    size_t first, count, room;
    question *late; /* those that wait there, by number */
    size_t late_room;
    uint32_t told;   /* the number that the last word said, + 1: a value comes next */
    numbers numbers; /* of its questions that wait here */
} partner;

/* A question that waits for a value. */
typedef struct waiter {
    ask ask;
    uint32_t next;
} waiter;

/* A question that came too early. */
typedef struct early {
    node_at at;
    ask ask;
} early;

/* A node that has got its value, and the next of those that wait for it. */
typedef struct settled {
    node_at at;
    uint32_t next;
    int16_t value;
} settled;

typedef struct valuing {
    cluster_graph *g;
    exchange asks, answers;
    partner *partners; /* one for each rank */
    early *early;      /* the oldest first; beyond `early_most` of them, these wait */
    size_t early_count, early_room, early_most;
    /* Whose waiters are answered together, so that places in the table are fetched while others are worked at. */
    settled *settled;
    size_t settled_count, settled_room;
    table waiting; /* by the node that they wait for: the first of its waiters + 1 */
    waiter *waiters;
    size_t waiter_count, waiter_room;
    uint64_t open;    /* those that still wait */
    uint32_t free;    /* the first of those that are of no use any more */
    uint64_t missing; /* answers that this rank waits for */
} valuing;

/* Lets what travels go on. */
static void both_poke(valuing *s)
{
    exchange_poke(&s->asks);
    exchange_poke(&s->answers);
}

static void questions_fail(valuing *s)
{
    holos_error err;
    graph_fail(s->g,
               error_set(&err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for questions to other ranks"),
               &err);
}

/* What has been answered makes room: so the list stays in the cache. */
static void questions_close_up(partner *p)
{
    if (p->first <= p->count / 2)
        return;
    p->count -= p->first;
    memmove(p->asked, p->asked + p->first, p->count * sizeof *p->asked);
    p->first = 0;
}

/* Keeps a question until its answer comes. */
static void question_keep(valuing *s, unsigned rank, question q)
{
    partner *p = &s->partners[rank];
    if (LIST_RESERVE(p->asked, p->room, p->count + 1))
        p->asked[p->count++] = q;
    else
        questions_fail(s);
}

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
    } else if (LIST_RESERVE(s->waiters, s->waiter_room, s->waiter_count + 1)) {
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
    n.depth |= WAITED;
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

/* A node has its value; whoever waits for it will be answered. */
static void node_settle(valuing *s, node_at at, graph_node n)
{
    holos_error err;
    bool waited = (n.depth & WAITED) != 0;
    n.depth &= (uint16_t)~WAITED;
    n.known = GRAPH_KNOWN;
    n.flags = NODE_FORWARD;
    graph_store(at, n);
    if (!waited)
        return;
    if (LIST_RESERVE(s->settled, s->settled_room, s->settled_count + 1))
        s->settled[s->settled_count++] = (settled){.at = at, .value = n.value};
    else
        graph_fail(s->g, error_system(&err, "questions that wait"), &err);
}

/* The first of those that wait for each node that has been settled. Places in the table are fetched ahead. */
static void settled_find(valuing *s)
{
    for (size_t i = 0; i < s->settled_count + AHEAD; i++) {
        if (i < s->settled_count)
            table_prefetch(&s->waiting, waiting_key(s->settled[i].at));
        if (i < AHEAD)
            continue;
        settled *one = &s->settled[i - AHEAD];
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
static void settled_answer(valuing *s)
{
    settled_find(s);
    for (size_t count = s->settled_count; count > 0;) {
        size_t left = 0;
        for (size_t i = 0; i < count; i++) {
            settled one = s->settled[i];
            if (i + AHEAD < count && s->settled[i + AHEAD].next != NO_WAITER)
                __builtin_prefetch(&s->waiters[s->settled[i + AHEAD].next]);
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

static void answer_take(valuing *s, question q, int16_t value)
{
    int32_t score = q.same_side ? value : -value;
    graph_node n = graph_load(q.asker);
    if (n.known == 0 || score > n.value || (score == n.value && q.order + 1 < n.known)) {
        n.value = (int16_t)score;
        n.best = (uint16_t)(q.move + 1);
        n.known = (uint8_t)(q.order + 1);
    }
    s->missing--;
    if (--n.flags == 0)
        node_settle(s, q.asker, n);
    else
        graph_store(q.asker, n);
}

/* A word from a rank: about the first question that it has not answered yet, or about one that has waited. */
static void word_take(valuing *s, partner *p, uint32_t word)
{
    if (p->told > 0) {
        answer_take(s, p->late[p->told - 1], (int16_t)word);
        p->told = 0;
    } else if ((word & WORD_LATE) == WORD_LATE) {
        p->told = (word & WORD_NUMBER) + 1;
    } else if ((word & WORD_WAITS) == 0) {
        answer_take(s, p->asked[p->first++], (int16_t)word);
    } else if (LIST_RESERVE(p->late, p->late_room, (size_t)(word & WORD_NUMBER) + 1)) {
        p->late[word & WORD_NUMBER] = p->asked[p->first++];
    } else {
        questions_fail(s);
    }
}

/* Whether a word yet to come is about a question that is known to wait; one before it may say so first. */
static bool word_is_late(const partner *p, const uint32_t *word, const uint32_t *end)
{
    return word < end && (*word & WORD_LATE) == WORD_LATE && (*word & WORD_NUMBER) < p->late_room;
}

static void answers_take(valuing *s, const unsigned char *bytes, size_t size, unsigned rank)
{
    const uint32_t *words = (const uint32_t *)(const void *)bytes;
    const uint32_t *end = words + size / sizeof *words;
    partner *p = &s->partners[rank];
    for (; words < end && !s->g->skip; words++) {
        /* Not in a function of its own: gcc takes one that only fetches for one that does nothing. */
        if (p->first + AHEAD < p->count)
            __builtin_prefetch(p->asked[p->first + AHEAD].asker);
        if (word_is_late(p, words + 2 * AHEAD, end))
            __builtin_prefetch(&p->late[words[2 * AHEAD] & WORD_NUMBER]);
        if (word_is_late(p, words + AHEAD, end))
            __builtin_prefetch(p->late[words[AHEAD] & WORD_NUMBER].asker);
        word_take(s, p, *words);
        if ((end - words) % POKE_EACH == 0)
            both_poke(s);
    }
    questions_close_up(p);
    settled_answer(s);
}

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
    if (a.number <= WORD_NUMBER && LIST_RESERVE(s->early, s->early_room, s->early_count + 1)) {
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
    for (size_t i = 0; i < count + AHEAD; i++) {
        if (i < count)
            __builtin_prefetch(s->early[i].at);
        if (i < AHEAD)
            continue;
        early one = s->early[i - AHEAD];
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
static void early_look(valuing *s)
{
    early_answer(s);
    if (s->early_count <= s->early_most)
        return;
    size_t old = s->early_count - s->early_most;
    for (size_t i = 0; i < old + AHEAD && !s->g->skip; i++) {
        if (i < old)
            table_prefetch(&s->waiting, waiting_key(s->early[i].at));
        if (i >= AHEAD)
            waiter_add(s, s->early[i - AHEAD].at, &s->early[i - AHEAD].ask);
    }
    s->early_count = s->early_most;
    memmove(s->early, s->early + old, s->early_count * sizeof *s->early);
}

static void asks_take(valuing *s, const unsigned char *bytes, size_t size, unsigned rank)
{
    const uint32_t *words = (const uint32_t *)(const void *)bytes;
    size_t each = s->asks.record / sizeof *words, count = size / s->asks.record;
    for (size_t i = 0; i < count + AHEAD && !s->g->skip; i++) {
        if (i < count)
            nodes_prefetch(&s->g->w->nodes, record_key(words + i * each, s->g->words));
        if (i >= AHEAD)
            ask_take(s, words + (i - AHEAD) * each, rank);
        if (i % POKE_EACH == 0)
            both_poke(s);
    }
}

/* What this rank has to say to itself; answers may lead to more of them. */
static void own_take(valuing *s)
{
    unsigned rank = s->g->q.cluster->rank;
    asks_take(s, s->asks.own.bytes, s->asks.own.size, rank);
    s->asks.own.size = 0;
    record_box now = {0};
    while (s->answers.own.size > 0) {
        record_box swap = now;
        now = s->answers.own;
        s->answers.own = swap;
        s->answers.own.size = 0;
        answers_take(s, now.bytes, now.size, rank);
    }
    free(now.bytes);
}

/* ---- Asking ------------------------------------------------------------------------------------ */

static void position_ask(valuing *s, holos_key key)
{
    cluster_graph *g = s->g;
    const holos_variant *v = g->q.v;
    holos_error err;
    node_at at = nodes_find(&g->w->nodes, key);
    graph_node n = graph_load(at);
    wave_position(g->w, key, g->here);
    uint32_t count = v->game->expand(v, g->here, g->out);
    g->layers[n.depth & ~WAITED].generated += count;
    n.known = n.best = 0;
    n.value = 0;
    if (count == 0) {
        int32_t score;
        v->game->terminal(v, g->here, &score);
        n.value = (int16_t)(score + game_banked(v, g->here));
        node_settle(s, at, n);
        return;
    }
    n.flags = (uint8_t)count;
    graph_store(at, n);
    s->missing += count;
    for (uint32_t i = 0; i < count; i++) {
        holos_edge edge = g->out.edges[i];
        holos_key next = v->game->identity(v, position_at(v, g->out.positions, i));
        if (edge.move >= UINT16_MAX)
            graph_fail(g,
                       error_set(&err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                                 "the graph of %s cannot be kept: its moves do not fit into 16 bits",
                                 v->name),
                       &err);
        unsigned rank = owner_of(g->q.cluster, nodes_hash(next));
        question_keep(s, rank,
                      (question){.asker = at,
                                 .move = (uint16_t)edge.move,
                                 .order = (uint8_t)i,
                                 .same_side = (edge.flags & HOLOS_EDGE_SAME_SIDE) != 0});
        uint32_t *record = exchange_place(&s->asks, rank);
        if (record != NULL)
            key_record(next, g->words, record);
    }
}

static void keys_ask(valuing *s, const uint64_t *keys, size_t count)
{
    cluster_graph *g = s->g;
    for (size_t i = 0; i < count && i < AHEAD; i++)
        nodes_prefetch(&g->w->nodes, words_key(keys + i * g->words, g->words));
    for (size_t i = 0; i < count && !g->skip; i++) {
        if (i + AHEAD < count)
            nodes_prefetch(&g->w->nodes, words_key(keys + (i + AHEAD) * g->words, g->words));
        position_ask(s, words_key(keys + i * g->words, g->words));
        if (i % POKE_EACH == 0)
            both_poke(s);
    }
    settled_answer(s);
    progress_add(g->q.progress, count * g->q.cluster->ranks);
}

/* ---- All of it --------------------------------------------------------------------------------- */

/* What has come with the last batch, and what is there for the next one. Answers come first, then this rank's own questions: what they
 * settle, others need not wait for. Returns whether with the last batch something was left to do; all ranks have heard the same. */
static bool round_run(valuing *s)
{
    cluster_graph *g = s->g;
    const exchange *asks = &s->asks, *answers = &s->answers;
    holos_error err;
    exchange_end(&s->answers);
    g->skip |= answers->failed;
    for (unsigned i = 0; answers->in.size > 0 && i < answers->c->ranks; i++)
        answers_take(s, answers->in.bytes + answers->move.in_at[i], (size_t)answers->move.in_sizes[i], i);
    early_look(s);
    own_take(s);
    exchange_end(&s->asks);
    g->skip |= asks->failed;
    bool more = answers->unfinished > 0 && !asks->failed && !answers->failed;
    for (unsigned i = 0; asks->in.size > 0 && i < asks->c->ranks; i++)
        asks_take(s, asks->in.bytes + asks->move.in_at[i], (size_t)asks->move.in_sizes[i], i);
    if (asks->no_memory || answers->no_memory)
        graph_fail(g, error_set(&err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, GRAPH_NO_MEMORY), &err);
    exchange_begin(&s->asks, s->missing, g->status != HOLOS_OK);
    exchange_begin(&s->answers, s->missing, g->status != HOLOS_OK);
    return more;
}

/* From the deepest layer on. */
static void layers_ask(valuing *s)
{
    cluster_graph *g = s->g;
    s->early_most = SLICE / 2;
    for (size_t depth = g->layer_count; depth-- > 0;) {
        for (uint64_t step = 0; step < g->steps[depth]; step++) {
            keys_ask(s, g->slice, slice_read(g, depth, step));
            round_run(s);
        }
    }
}

/* From the lowest position on. All ranks are about as high as each other: a hash has spread the positions. */
static void heights_ask(valuing *s, const heights *h)
{
    cluster_graph *g = s->g;
    holos_error err;
    if (g->q.path == NULL) /* the layers are in memory, and of no more use */
        graph_fail(g, reached_cut(&g->reached, 0, &err), &err);
    const uint64_t *all = cluster_each(g->q.cluster, h->count);
    uint64_t most = 0;
    for (unsigned i = 0; i < g->q.cluster->ranks; i++)
        most = all[i] > most ? all[i] : most;
    uint64_t slice = most / LOW_SLICES < SLICE_LEAST ? SLICE_LEAST : most / LOW_SLICES;
    slice = slice < SLICE_MOST ? slice : SLICE_MOST;
    s->early_most = slice / 2;
    for (uint64_t first = 0; first < most; first += slice) {
        uint64_t left = first < h->count && !graph_stopped(g) ? h->count - first : 0;
        keys_ask(s, h->words + first * g->words, left < slice ? (size_t)left : slice);
        round_run(s);
    }
}

static void all_solve(valuing *s)
{
    cluster_graph *g = s->g;
    heights h;
    uint64_t sorted = heights_sort(g, &h);
    cluster_sum(g->q.cluster, &sorted, 1);
    if (sorted == g->q.cluster->ranks)
        heights_ask(s, &h);
    else
        layers_ask(s);
    while (round_run(s)) /* all ranks make the same calls */
        ;
    exchange_end(&s->asks);
    exchange_end(&s->answers);
    heights_free(&h, g);
}

static void generated_sum(cluster_graph *g)
{
    for (size_t depth = 0; depth < g->layer_count; depth++)
        cluster_sum(g->q.cluster, &g->layers[depth].generated, 1);
}

static void partners_free(partner *all, unsigned count)
{
    for (unsigned i = 0; all != NULL && i < count; i++) {
        free(all[i].asked);
        free(all[i].late);
        numbers_free(&all[i].numbers);
    }
    free(all);
}

holos_status cluster_graph_solve(cluster_graph *g, holos_error *err)
{
    holos_cluster *c = g->q.cluster;
    valuing s = {.g = g, .free = NO_WAITER, .partners = calloc(c->ranks, sizeof *s.partners)};
    uint64_t total = 0;
    for (size_t depth = 0; depth < g->layer_count; depth++)
        total += g->layers[depth].positions;
    holos_status status = s.partners == NULL ? error_system(err, "questions to other ranks") : HOLOS_OK;
    if (status == HOLOS_OK)
        status = graph_settle_down(g->w, err);
    if (status == HOLOS_OK)
        status = table_init(&s.waiting, g->q.budget, sizeof(uint64_t), 0, err);
    if (status == HOLOS_OK)
        status = exchange_init(&s.asks, c, g->words * sizeof(uint64_t), err);
    if (status == HOLOS_OK)
        status = exchange_init(&s.answers, c, sizeof(uint32_t), err);
    s.answers.move.lane = 1;
    status = holos_cluster_agree(c, status, err);
    if (status == HOLOS_OK) {
        progress_begin(g->q.progress, "values", "positions", total);
        all_solve(&s);
        progress_end(g->q.progress);
        *err = g->error;
        status = holos_cluster_agree(c, g->status, err);
    }
    if (status == HOLOS_OK)
        generated_sum(g);
    exchange_free(&s.asks);
    exchange_free(&s.answers);
    table_free(&s.waiting);
    free(s.waiters);
    free(s.early);
    free(s.settled);
    partners_free(s.partners, c->ranks);
    return status;
}
