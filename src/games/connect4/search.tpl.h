/* SPDX-License-Identifier: MIT */

/* The search for connect four: one null-window search, fail-soft, like that of the alphabeta engine,
 * but with what only this game has. Whoever includes this has chosen the word (rules.h) and defines
 *
 *   SEARCH(name)     what a function is called
 *   SEARCH_SHAPE(s)  the board's shape, a const c4_shape *: one that is known here makes all masks constants
 *   SEARCH_WIDTH     the greatest number of columns
 *   MEMO_COMPACT     see memo.tpl.h
 *
 * What it does beyond the usual, with what each is worth in nodes (weak, begin-medium):
 *   moves without a choice are played out before anything is stored or counted;
 *   the follow-up plan bounds every child before it is searched (strategy.h): 3.7 times fewer;
 *   the children's entries are looked up before the first child is searched: 1.3 times fewer;
 *   positions that differ in dead stones only are one (memo.tpl.h): 1.25 times fewer. */

#include "core/limits.h"
#include "games/connect4/memo.tpl.h"
#include "games/connect4/strategy.h"

/* The order of moves: measured by the nodes of a mixed set of positions; see order_fill for the cells. */
enum {
    RANK_KNOWN = 1 << 14, /* the table's move */
    RANK_WIN = 128,       /* for each empty cell where the mover could then make four */
    RANK_WASTE = -100,    /* playing below such a cell: the other side takes it */
    RANK_LINE = 3,        /* for each line of four through the cell that is still open to the mover */
};

typedef struct c4_child {
    c4_node node;
    memo_key key;
    int lo, hi; /* what is known, for its side to move */
    int rank;
    unsigned cell, known_column;
    bool mirrored; /* the key is that of the mirror image */
} c4_child;

/* Positions that some thread is at: others leave them for later, and find them in the table then. Only
 * worth while where the subtree is large. */
#define BUSY_SLOTS         1024
#define BUSY_PLIES         14 /* empty cells, at least */
#define BUSY_SLOT(s, hash) (&(s)->busy[(hash) % BUSY_SLOTS])

/* What one thread searches with. */
typedef struct c4_search {
    c4_shape shape;
    memo *table;
    bool may_grow;
    uint64_t fresh; /* positions that were not in the table */
    bool full;      /* the table should grow before the search goes on */
    bool halted;    /* full, abandoned, or a limit was reached: unwind */
    struct limits *limits;
    bool *abandon;  /* set when another thread has the answer */
    uint64_t *busy; /* hashes; NULL with one thread */
    int16_t order[2][C4_MAX_BITS];
} c4_search;

static inline void node_play(const c4_shape *shape, c4_node *n, c4_word cell)
{
    c4_word mine = n->mine | cell;
    c4_word my_wins = c4_wins(shape, mine, mine | n->theirs);
    n->mine = n->theirs;
    n->theirs = mine;
    n->my_wins = n->their_wins & ~cell;
    n->their_wins = my_wins;
    n->stones++;
}

/* Plays on while there is no choice. True if then there is one; otherwise *value is what the position is
 * worth to the side to move. The side to move must not have a win on the board. */
static inline bool node_settle(const c4_shape *shape, c4_node *n, int *value)
{
    for (;;) {
        c4_word playable = c4_playable(shape, n->mine | n->theirs);
        c4_word moves = playable & n->their_wins;
        if (moves != 0) {
            if (((moves & (moves - 1)) | (moves << 1 & n->their_wins)) != 0) {
                *value = -c4_win_score(shape, (unsigned)n->stones + 1);
                return false;
            }
        } else {
            moves = playable & ~(n->their_wins >> 1);
            if (moves == 0) {
                *value = playable != 0 ? -c4_win_score(shape, (unsigned)n->stones + 1) : 0;
                return false;
            }
            if ((moves & (moves - 1)) != 0)
                return true;
        }
        node_play(shape, n, moves);
    }
}

static inline c4_along living_along(c4_along cells, c4_step step)
{
    c4_along lines = c4_fours_along(cells, step);
    lines |= lines << step;
    return lines | lines << (step + step);
}

/* The cells that are part of a line of four within `cells`. */
static inline c4_word living(const c4_shape *shape, c4_word cells)
{
    return C4_LINES(living_along, shape, cells);
}

/* Makes the key, and notes on the way if a side has no line left to win with. */
static inline void child_make_key(const c4_shape *shape, c4_child *c)
{
    const c4_node *n = &c->node;
    c4_word both = n->mine | n->theirs, empty = shape->cells ^ both;
    c4_word my_living = living(shape, n->mine | empty), their_living = living(shape, n->theirs | empty);
    if ((my_living & empty) == 0 && c->hi > 0)
        c->hi = 0;
    if ((their_living & empty) == 0 && c->lo < 0)
        c->lo = 0;
    c4_word dead = both & ~(n->mine & my_living) & ~(n->theirs & their_living);
    c4_word packed = both + shape->bottom + (n->mine & my_living);
    c->mirrored = false;
    /* Mirror images hardly ever meet later than here: 2 % more nodes for 13 % less work a node. */
    if ((unsigned)n->stones * 8 < c4_size_cells(shape->size) * 3) {
        c4_word packed_image = c4_mirror(shape, packed), dead_image = c4_mirror(shape, dead);
        if (packed_image < packed || (packed_image == packed && dead_image < dead)) {
            packed = packed_image;
            dead = dead_image;
            c->mirrored = true;
        }
    }
    c->key = (memo_key){.packed = packed, .dead = dead, .hash = memo_hash(packed, dead)};
}

static inline unsigned child_column(const c4_shape *shape, const c4_child *c, unsigned column)
{
    return c->mirrored && column != MEMO_NO_COLUMN ? shape->size.width - 1 - column : column;
}

static inline void child_look_up(const c4_search *s, const c4_shape *shape, c4_child *c)
{
    memo_value known;
    c->known_column = MEMO_NO_COLUMN;
    if (!memo_find(s->table, &c->key, &known))
        return;
    c->lo = known.lo > c->lo ? known.lo : c->lo;
    c->hi = known.hi < c->hi ? known.hi : c->hi;
    c->known_column = child_column(shape, c, known.column);
}

/* A child's window and values as its parent sees them: the turn may have come back on the way. */
static inline bool child_keeps_side(const c4_node *parent, const c4_child *c)
{
    return (c->node.stones - parent->stones) % 2 == 0;
}

static inline int child_beta(bool same, int beta)
{
    return same ? beta : 1 - beta;
}

static inline int child_lo(bool same, const c4_child *c)
{
    return same ? c->lo : -c->hi;
}

static inline int child_hi(bool same, const c4_child *c)
{
    return same ? c->hi : -c->lo;
}

/* What is known of a settled node without a look at the table. */
static inline void child_bound(const c4_shape *shape, c4_child *c, int beta)
{
    unsigned stones = (unsigned)c->node.stones;
    c->lo = -c4_win_score(shape, stones + 3);
    c->hi = c4_win_score(shape, stones + 2);
    if (c->lo >= beta || c->hi < beta)
        return;
    int bound = c4_follow_up(shape, &c->node, beta);
    c->hi = bound < c->hi ? bound : c->hi;
}

/* Plays a move and settles. True if the child is worth a search: otherwise *value is a bound of what the
 * move is worth to the mover, on the side of beta where it lies. */
static inline bool child_make(const c4_shape *shape, const c4_node *n, c4_word cell, int beta, c4_child *c,
                              int *value)
{
    c->cell = c4_first(cell);
    c->node = *n;
    node_play(shape, &c->node, cell);
    c->rank = RANK_WIN * (int)c4_count(c->node.their_wins);
    bool open = node_settle(shape, &c->node, value), same = child_keeps_side(n, c);
    if (!open) {
        *value = same ? *value : -*value;
        return false;
    }
    child_bound(shape, c, child_beta(same, beta));
    if (child_lo(same, c) >= beta)
        *value = child_lo(same, c);
    else if (child_hi(same, c) < beta)
        *value = child_hi(same, c);
    else
        return true;
    return false;
}

static inline unsigned lines_through_along(c4_word open, c4_word cell, unsigned step)
{
    c4_word lines = open & open >> step;
    c4_word starts = cell | cell >> step;
    return c4_count(lines & lines >> 2 * step & (starts | starts >> 2 * step));
}

/* How many lines of four within `open` go through the cell. */
static inline unsigned lines_through(const c4_shape *shape, c4_word open, c4_word cell)
{
    unsigned height = shape->size.height;
    return lines_through_along(open, cell, 1) + lines_through_along(open, cell, height) +
           lines_through_along(open, cell, height + 1) + lines_through_along(open, cell, height + 2);
}

static inline void child_rank(const c4_search *s, const c4_shape *shape, const c4_child *parent, c4_child *c)
{
    const c4_node *n = &parent->node;
    c4_word cell = (c4_word)1 << c->cell;
    c->rank += s->order[n->stones % 2][c->cell];
    c->rank += RANK_LINE * (int)lines_through(shape, shape->cells ^ n->theirs, cell);
    if ((cell << 1 & n->my_wins) != 0)
        c->rank += RANK_WASTE;
    if (c->cell / (shape->size.height + 1) == parent->known_column)
        c->rank += RANK_KNOWN;
}

static inline unsigned work_of(uint64_t nodes)
{
    return 64 - (unsigned)__builtin_clzll(nodes | 1);
}

static inline void search_store(c4_search *s, const c4_shape *shape, const c4_child *self, memo_value value)
{
    value.column = child_column(shape, self, value.column);
    s->fresh += memo_store(s->table, &self->key, value);
    /* As many as it has places, even if others stand there: easy questions fill a table, too, and in one that counts its
     * empty places a hard question after them takes 1.65 times the nodes (6555776177 after begin-easy). */
    if (s->may_grow && s->fresh > s->table->count * MEMO_WAYS)
        s->full = s->halted = true;
}

static inline bool search_goes_on(c4_search *s)
{
    if (!limits_count(s->limits) || __atomic_load_n(s->abandon, __ATOMIC_RELAXED))
        s->halted = true;
    return !s->halted;
}

/* With several threads: moves a child that no other thread is at to the front, if there is one. */
static inline void search_defer(const c4_search *s, const c4_shape *shape, c4_child **open, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        c4_child *c = open[i];
        if (__atomic_load_n(BUSY_SLOT(s, c->key.hash), __ATOMIC_RELAXED) == c->key.hash)
            continue;
        for (; i > 0; i--)
            open[i] = open[i - 1];
        open[0] = c;
        break;
    }
    child_look_up(s, shape, open[0]);
}

static int SEARCH(search)(c4_search *s, const c4_child *self, int beta);

/* Searches a child; where threads share the work, lets the others know, and first takes what they found. */
static inline int SEARCH(visit)(c4_search *s, const c4_child *c, int beta, bool shared)
{
    if (!shared)
        return SEARCH(search)(s, c, beta);
    if (c->lo >= beta)
        return c->lo;
    if (c->hi < beta)
        return c->hi;
    __atomic_store_n(BUSY_SLOT(s, c->key.hash), c->key.hash, __ATOMIC_RELAXED);
    int value = SEARCH(search)(s, c, beta);
    __atomic_store_n(BUSY_SLOT(s, c->key.hash), 0, __ATOMIC_RELAXED);
    return value;
}

/* Whether the value of a settled node is at least beta: r >= beta means value >= r, r < beta means
 * value <= r. Means nothing once s->halted is set. `self` has its key and what the table knows. */
static int SEARCH(search)(c4_search *s, const c4_child *self, int beta)
{
    const c4_shape *shape = SEARCH_SHAPE(s);
    const c4_node *n = &self->node;
    if (!search_goes_on(s))
        return 0;
    uint64_t before = s->limits->nodes;
    c4_child children[SEARCH_WIDTH], *open[SEARCH_WIDTH];
    unsigned made = 0, count = 0, column = MEMO_NO_COLUMN;
    unsigned step = shape->size.height + 1;
    int best = -C4_NO_BOUND;

    c4_word moves = c4_playable(shape, n->mine | n->theirs) & ~(n->their_wins >> 1);
    for (; moves != 0; moves &= moves - 1) {
        c4_child *c = &children[made];
        int value;
        if (child_make(shape, n, moves & -moves, beta, c, &value)) {
            made++;
            continue;
        }
        /* Not stored: it is found again sooner than an entry is fetched (10 % less time, 9 % more nodes). */
        if (value >= beta)
            return value;
        if (value > best)
            best = value;
    }
    for (unsigned i = 0; i < made; i++) {
        child_make_key(shape, &children[i]);
        __builtin_prefetch(memo_bucket_of(s->table, children[i].key.hash));
    }
    for (unsigned i = 0; i < made; i++) {
        c4_child *c = &children[i];
        bool same = child_keeps_side(n, c);
        child_look_up(s, shape, c);
        if (child_lo(same, c) >= beta) {
            best = child_lo(same, c);
            column = c->cell / step;
            goto done;
        }
        if (child_hi(same, c) < beta) {
            best = child_hi(same, c) > best ? child_hi(same, c) : best;
            continue;
        }
        child_rank(s, shape, self, c);
        unsigned j = count++;
        for (; j > 0 && open[j - 1]->rank < c->rank; j--)
            open[j] = open[j - 1];
        open[j] = c;
    }
    bool shared = s->busy != NULL && (int)c4_size_cells(shape->size) - n->stones >= BUSY_PLIES;
    for (unsigned i = 0; i < count; i++) {
        if (shared)
            search_defer(s, shape, &open[i], count - i);
        c4_child *c = open[i];
        bool same = child_keeps_side(n, c);
        int value = SEARCH(visit)(s, c, child_beta(same, beta), shared);
        if (s->halted)
            return 0;
        value = same ? value : -value;
        if (value > best) {
            best = value;
            column = c->cell / step;
            if (value >= beta)
                break;
        }
    }
done:;
    memo_value value = {self->lo, self->hi, column, work_of(s->limits->nodes - before)};
    if (best >= beta)
        value.lo = best > value.lo ? best : value.lo;
    else
        value.hi = best < value.hi ? best : value.hi;
    search_store(s, shape, self, value);
    return best >= beta ? value.lo : value.hi;
}

/* The value each cell adds to a move's rank, by the side that plays there. */
static void order_fill(c4_search *s, const c4_shape *shape, const int8_t *tuned)
{
    int width = (int)shape->size.width, height = (int)shape->size.height;
    for (int side = 0; side < 2; side++)
        for (int column = 0; column < width; column++)
            for (int row = 0; row < height; row++) {
                int off = abs(2 * column + 1 - width) / 2;
                s->order[side][column * (height + 1) + row] =
                    (int16_t)(tuned != NULL ? tuned[(side * height + row) * ((width + 1) / 2) + off]
                                            : -8 * off);
            }
}
