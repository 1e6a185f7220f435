/* SPDX-License-Identifier: MIT */

/* The body of the alphabeta engine: one null-window search, fail-soft, over a transposition table of
 * intervals. It is written against a few names, so that it can be bound to the contract of any game
 * (generic.c) or to the inline rules of one game. Before including it, define
 *
 *   AB_STATE                the search: must have the members of ab_search (ab.h) as `base`
 *   AB_POSITION             what a node is: a pointer or a small value
 *   AB_TERMINAL(s, p, x)    true if the game is over, then *x is the score
 *   AB_BOUNDS(s, p, lo, hi) narrows *lo and *hi to what needs no search
 *   AB_FRAME                the successors of one node
 *   AB_EXPAND(s, p, depth)  an AB_FRAME * with the successors, or NULL if there is no room for it
 *   AB_COUNT(f)             how many successors there are
 *   AB_EDGE(f, i)           the holos_edge of successor i
 *   AB_CHILD(s, f, i)       the AB_POSITION of successor i
 *   AB_PROBE(s, p)          the table's entry of a node, an ab_entry * or NULL
 *   AB_PROBE_CHILD(s, f, i) the same for a successor
 *   AB_PREFETCH(s, f)       brings the successors' entries nearer (may be empty)
 *   AB_STORE(s, p)          an ab_entry * to write to (the node's own, or one that may be replaced)
 *   AB_NAME(x)              the names of what is defined here
 *
 * It defines   static int32_t AB_NAME(search)(AB_STATE *s, AB_POSITION p, int32_t beta, unsigned depth)
 * which answers whether the value of p is at least beta: a result r >= beta means value >= r, a result
 * r < beta means value <= r. When s->base.status is no longer HOLOS_OK the result means nothing.
 * All the names above are undefined again at the end. */

/* Looks for a child whose entry alone shows value >= beta, and orders the others on the way. */
static int32_t AB_NAME(probe_children)(AB_STATE *s, AB_FRAME *f, int32_t beta, const ab_entry *entry,
                                       unsigned *order, holos_move *move)
{
    unsigned count = AB_COUNT(f);
    int32_t rank[AB_SORT_MAX];
    AB_PREFETCH(s, f);
    for (unsigned i = 0; i < count; i++) {
        holos_edge edge = AB_EDGE(f, i);
        int32_t score = edge.order;
        const ab_entry *child = AB_PROBE_CHILD(s, f, i);
        if (child != NULL) {
            bool same = (edge.flags & HOLOS_EDGE_SAME_SIDE) != 0;
            int32_t lo = ab_step(&s->base, edge, same ? child->lo : child->hi);
            int32_t hi = ab_step(&s->base, edge, same ? child->hi : child->lo);
            if (lo >= beta) {
                *move = edge.move;
                return lo;
            }
            /* A child that is known to fail goes last: the others may make it unnecessary. */
            if (hi < beta)
                score -= 1 << 20;
        }
        if (entry != NULL && entry->move == edge.move && entry->work != 0)
            score += 1 << 19;
        if (i < AB_SORT_MAX) {
            unsigned j = i;
            for (; j > 0 && rank[j - 1] < score; j--) {
                rank[j] = rank[j - 1];
                order[j] = order[j - 1];
            }
            rank[j] = score;
            order[j] = i;
        }
    }
    return INT32_MIN;
}

static int32_t AB_NAME(search)(AB_STATE *s, AB_POSITION p, int32_t beta, unsigned depth)
{
    int32_t lo = s->base.range_lo, hi = s->base.range_hi, score;
    if (AB_TERMINAL(s, p, &score))
        return ab_scale(&s->base, score);
    if (!ab_count(&s->base))
        return 0;

    AB_BOUNDS(s, p, &lo, &hi);
    const ab_entry *entry = AB_PROBE(s, p);
    if (entry != NULL) {
        lo = entry->lo > lo ? entry->lo : lo;
        hi = entry->hi < hi ? entry->hi : hi;
    }
    if (lo >= beta)
        return lo;
    if (hi < beta)
        return hi;

    AB_FRAME *f = AB_EXPAND(s, p, depth);
    if (f == NULL)
        return 0;
    unsigned count = AB_COUNT(f);
    unsigned order[AB_SORT_MAX];
    holos_move move = 0;
    uint64_t before = s->base.nodes;
    int32_t best = AB_NAME(probe_children)(s, f, beta, entry, order, &move);
    for (unsigned i = 0; i < count && best < beta; i++) {
        unsigned c = i < AB_SORT_MAX ? order[i] : i;
        holos_edge edge = AB_EDGE(f, c);
        int32_t child = AB_NAME(search)(s, AB_CHILD(s, f, c), ab_child_beta(&s->base, edge, beta), depth + 1);
        if (s->base.status != HOLOS_OK)
            return 0;
        child = ab_step(&s->base, edge, child);
        if (child > best) {
            best = child;
            move = edge.move;
        }
    }

    ab_entry *store = AB_STORE(s, p);
    store->lo = best >= beta && best > lo ? best : lo;
    store->hi = best < beta && best < hi ? best : hi;
    if (best >= beta)
        store->move = move;
    store->work = ab_work(s->base.nodes - before);
    return best >= beta ? store->lo : store->hi;
}

#undef AB_STATE
#undef AB_POSITION
#undef AB_TERMINAL
#undef AB_BOUNDS
#undef AB_FRAME
#undef AB_EXPAND
#undef AB_COUNT
#undef AB_EDGE
#undef AB_CHILD
#undef AB_PROBE
#undef AB_PROBE_CHILD
#undef AB_PREFETCH
#undef AB_STORE
#undef AB_NAME
