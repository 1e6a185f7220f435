/* SPDX-License-Identifier: MIT */

#include "cluster/values_inside.h"

#include <stdlib.h>

/* ---- Asking ------------------------------------------------------------------------------------ */

static void slice_free(asked_slice *a)
{
    free(a->keys);
    free(a->move_counts);
    free(a->moves);
    free(a->ends);
    free(a->until);
}

void slices_free(valuing *s)
{
    for (size_t i = 0; i < s->slice_room; i++)
        slice_free(&s->slices[i]);
    free(s->slices);
}

/* One more that asks. NULL: no memory. */
static asked_slice *slice_begin(valuing *s)
{
    size_t before = s->slice_room;
    if (s->slice_count == before) {
        if (!LIST_RESERVE(s->slices, s->slice_room, before + 1))
            return NULL;
        memset(s->slices + before, 0, (s->slice_room - before) * sizeof *s->slices);
    }
    asked_slice *a = &s->slices[s->slice_count];
    if (a->until == NULL) {
        a->keys = malloc(VALUES_SLICE * s->g->words * sizeof *a->keys);
        a->move_counts = malloc(VALUES_SLICE * sizeof *a->move_counts);
        a->until = malloc(s->g->q.cluster->ranks * sizeof *a->until);
        if (a->keys == NULL || a->move_counts == NULL || a->until == NULL) {
            slice_free(a);
            *a = (asked_slice){0};
            return NULL;
        }
    }
    a->count = a->move_count = a->end_count = 0;
    return a;
}

/* A position at which the game is over. */
static void end_keep(valuing *s, asked_slice *a)
{
    const holos_variant *v = s->g->q.v;
    int32_t score;
    v->game->terminal(v, s->g->here, &score);
    if (LIST_RESERVE(a->ends, a->end_room, a->end_count + 1))
        a->ends[a->end_count++] = (int16_t)(score + game_banked(v, s->g->here));
    else
        values_fail(s);
}

static void position_ask(valuing *s, asked_slice *a, holos_key key)
{
    cluster_graph *g = s->g;
    const holos_variant *v = g->q.v;
    holos_error err;
    wave_position(g->w, key, g->here);
    uint32_t count = v->game->expand(v, g->here, g->out);
    a->move_counts[a->count++] = (uint8_t)count;
    if (count == 0)
        end_keep(s, a);
    if (!LIST_RESERVE(a->moves, a->move_room, a->move_count + count)) {
        values_fail(s);
        return;
    }
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
        unsigned side = (edge.flags & HOLOS_EDGE_SAME_SIDE) != 0 ? SAME_SIDE : 0;
        a->moves[a->move_count++] =
            (asked_move){.rank = (uint16_t)(rank | side), .move = (uint16_t)edge.move};
        s->partners[rank].asked++;
        uint32_t *record = exchange_place(&s->asks, rank);
        if (record != NULL)
            key_record(next, g->words, record);
    }
}

void slice_ask(valuing *s, const uint64_t *keys, size_t count)
{
    cluster_graph *g = s->g;
    asked_slice *a = count > 0 && !g->skip ? slice_begin(s) : NULL;
    if (a == NULL) {
        if (count > 0 && !g->skip)
            values_fail(s);
        return;
    }
    memcpy(a->keys, keys, count * g->words * sizeof *keys);
    for (size_t i = 0; i < count && !g->skip; i++) {
        position_ask(s, a, words_key(keys + i * g->words, g->words));
        if (i % VALUES_POKE_EACH == 0)
            values_poke(s);
    }
    for (unsigned i = 0; i < g->q.cluster->ranks; i++)
        a->until[i] = s->partners[i].asked;
    s->missing += a->count;
    s->slice_count++;
    progress_add(g->q.progress, count * g->q.cluster->ranks);
}

/* ---- Answers ----------------------------------------------------------------------------------- */

/* A position's best move so far: the first of those with the best score. */
static inline void node_improve(graph_node *n, int32_t score, uint16_t move, unsigned order)
{
    if (n->known == 0 || score > n->value || (score == n->value && order + 1 < n->known)) {
        n->value = (int16_t)score;
        n->best = (uint16_t)(move + 1);
        n->known = (uint8_t)(order + 1);
    }
}

/* The answer to a question that has waited. */
static void late_take(valuing *s, partner *p, uint32_t number, int16_t value)
{
    const late *l = &p->late[number];
    if (l->asker == NULL) {
        p->words[l->word - p->before] = (uint16_t)value;
        return;
    }
    graph_node n = graph_load(l->asker);
    node_improve(&n, l->same_side ? value : -value, l->move, l->order);
    if (--n.flags == 0)
        node_settle(s, l->asker, n);
    else
        graph_store(l->asker, n);
}

/* A word from a rank: about the first question that it has said nothing of yet, or about one that has waited. */
static void word_take(valuing *s, partner *p, uint32_t word)
{
    uint32_t number = word & WORD_NUMBER;
    if (p->told > 0) {
        late_take(s, p, p->told - 1, (int16_t)word);
        p->told = 0;
    } else if ((word & WORD_LATE) == WORD_LATE) {
        p->told = number + 1;
    } else if (!COUNTED_RESERVE(s->g->q.budget, p->words, p->room, p->count + 1) ||
               ((word & WORD_WAITS) != 0 &&
                !COUNTED_RESERVE(s->g->q.budget, p->late, p->late_room, (size_t)number + 1))) {
        values_fail(s);
    } else {
        if ((word & WORD_WAITS) != 0)
            p->late[number] = (late){.word = p->before + p->count};
        p->words[p->count++] = word;
    }
}

/* Whether a word yet to come is about a question that is known to wait; one before it may say so first. */
static bool word_is_late(const partner *p, const uint32_t *word, const uint32_t *end)
{
    return word < end && (*word & WORD_LATE) == WORD_LATE && (*word & WORD_NUMBER) < p->late_room;
}

void words_take(valuing *s, const unsigned char *bytes, size_t size, unsigned rank)
{
    const uint32_t *words = (const uint32_t *)(const void *)bytes;
    const uint32_t *end = words + size / sizeof *words;
    partner *p = &s->partners[rank];
    for (; words < end && !s->g->skip; words++) {
        /* Not in a function of its own: gcc takes one that only fetches for one that does nothing. */
        if (word_is_late(p, words + 2 * VALUES_AHEAD, end))
            __builtin_prefetch(&p->late[words[2 * VALUES_AHEAD] & WORD_NUMBER]);
        if (word_is_late(p, words + VALUES_AHEAD, end))
            __builtin_prefetch(p->late[words[VALUES_AHEAD] & WORD_NUMBER].asker);
        word_take(s, p, *words);
    }
    settled_answer(s);
}

/* A score and where its move stands among those of its position, as one number: the best move has the highest, of equal ones the first. To compare the
 * two one after the other takes branches that nobody can foresee: with them, two ranks value connect4:5x4 and kalah:3,6 in 1.04 times the time. */
static inline int32_t merit_of(int32_t score, unsigned order)
{
    return score * (UINT8_MAX + 1) + (int32_t)(UINT8_MAX - order);
}

static inline void node_take_best(graph_node *n, int32_t merit, const asked_move *moves)
{
    unsigned order = UINT8_MAX - (merit & UINT8_MAX);
    n->value = (int16_t)((merit - (merit & UINT8_MAX)) / (UINT8_MAX + 1));
    n->best = (uint16_t)(moves[order].move + 1);
    n->known = (uint8_t)(order + 1);
}

/* Values a position from what all ranks have said. What waits elsewhere will be answered by late_take. */
static void position_value(valuing *s, node_at at, graph_node n, const asked_move *moves, unsigned count)
{
    unsigned waits = 0;
    int32_t best = INT32_MIN;
    n.known = 0;
    for (unsigned i = 0; i < count; i++) {
        partner *p = &s->partners[moves[i].rank & ~SAME_SIDE];
        uint32_t word = p->words[p->first++];
        bool same_side = (moves[i].rank & SAME_SIDE) != 0;
        if ((word & WORD_WAITS) != 0) {
            p->late[word & WORD_NUMBER] =
                (late){.asker = at, .move = moves[i].move, .order = (uint8_t)i, .same_side = same_side};
            waits++;
        } else {
            int32_t merit = merit_of(same_side ? (int16_t)word : -(int16_t)word, i);
            best = merit > best ? merit : best;
        }
    }
    if (waits < count)
        node_take_best(&n, best, moves);
    n.flags = (uint8_t)waits;
    if (waits == 0)
        node_settle(s, at, n);
    else
        graph_store(at, n);
}

static void slice_value(valuing *s, const asked_slice *a)
{
    cluster_graph *g = s->g;
    const asked_move *moves = a->moves;
    const int16_t *ends = a->ends;
    for (size_t i = 0; i < a->count + VALUES_AHEAD && !g->skip; i++) {
        if (i < a->count)
            nodes_prefetch(&g->w->nodes, words_key(a->keys + i * g->words, g->words));
        if (i < VALUES_AHEAD)
            continue;
        unsigned count = a->move_counts[i - VALUES_AHEAD];
        node_at at = nodes_find(&g->w->nodes, words_key(a->keys + (i - VALUES_AHEAD) * g->words, g->words));
        graph_node n = graph_load(at);
        g->layers[n.depth & ~NODE_WAITED].generated += count;
        n.best = 0;
        if (count > 0) {
            position_value(s, at, n, moves, count);
        } else {
            n.value = *ends++;
            node_settle(s, at, n);
        }
        moves += count;
        if (i % VALUES_POKE_EACH == 0)
            values_poke(s);
    }
    settled_answer(s);
}

/* What has been read makes room: so the list stays in the cache. */
static void words_close_up(partner *p)
{
    if (p->first <= p->count / 2)
        return;
    p->before += p->first;
    p->count -= p->first;
    memmove(p->words, p->words + p->first, p->count * sizeof *p->words);
    p->first = 0;
}

static bool slice_is_answered(const valuing *s, const asked_slice *a)
{
    for (unsigned i = 0; i < s->g->q.cluster->ranks; i++)
        if (s->partners[i].before + s->partners[i].count < a->until[i])
            return false;
    return true;
}

void slices_value(valuing *s)
{
    while (s->slice_count > 0 && !s->g->skip && slice_is_answered(s, &s->slices[0])) {
        asked_slice done = s->slices[0];
        slice_value(s, &done);
        s->slice_count--;
        memmove(s->slices, s->slices + 1, (s->slice_room - 1) * sizeof *s->slices);
        s->slices[s->slice_room - 1] = done;
        for (unsigned i = 0; i < s->g->q.cluster->ranks; i++)
            words_close_up(&s->partners[i]);
    }
}
