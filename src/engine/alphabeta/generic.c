/* SPDX-License-Identifier: MIT */

/* The alphabeta engine over the contract of any game: one null-window search, fail-soft, over a table of
 * intervals, and around it what turns its answers into values, distances and lines. A game's own search
 * (holos_hot) takes the place of the first, never of the second. */

#include "core/clock.h"
#include "core/list.h"
#include "engine/alphabeta/alphabeta.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the table may grow to, unless the caller says otherwise. */
#define DEFAULT_MEMORY ((size_t)256 << 20)
/* What it begins with, so that a small question does not pay for fresh pages: 10 to 20 ms
 * of system time less for each solver than with a table of full size (`time holos solve nim start`). */
#define FIRST_MEMORY ((size_t)1 << 20)
/* A distance that costs no more nodes than the value did, and this many more, comes with it. */
#define DISTANCE_NODES 100000
/* Nodes between two words on how far the search is. */
#define TELL_NODES 4096
/* Of the stack, for what a search calls at its deepest place: a game, a boundary that reads files. */
#define STACK_RESERVE ((size_t)128 << 10)

static const holos_option alphabeta_options[] = {
    {OPTION(FLAG, alphabeta_settings, no_hot), .name = "no-hot",
     .help = "use the generic search, even if the game has a faster one"},
    {OPTION(FILE, alphabeta_settings, checkpoint), .name = "checkpoint", .value = "FILE",
     .help =
         "save what the search has proved in this file, so that it can continue after Ctrl-C, a limit or a "
         "kill"},
    {OPTION(DURATION, alphabeta_settings, checkpoint_every), .name = "checkpoint-every", .value = "TIME",
     .fallback = "1m", .help = "how often to write the checkpoint"},
    {OPTION(FLAG, alphabeta_settings, resume), .name = "resume", .letter = 'r',
     .help = "continue from the checkpoint"},
    {OPTION(FLAG, alphabeta_settings, restart), .name = "restart",
     .help = "start over and replace the checkpoint"},
    {0},
};

/* ---- What is known without a search ------------------------------------------------------------ */

/* The value of what is still to come, from the boundary. It knows no distances. */
static bool boundary_probe(const alphabeta *s, const holos_position *p, int32_t *value)
{
    if (s->boundary == NULL || s->base.stepping || !boundary_score(s->boundary, p, value))
        return false;
    *value -= game_banked(s->v, p);
    return true;
}

static bool value_is_known(const alphabeta *s, const holos_position *p, int32_t *value)
{
    return s->v->game->terminal(s->v, p, value) || boundary_probe(s, p, value);
}

/* ---- What the search stands on ------------------------------------------------------------------------------- */

static frame *frame_at(alphabeta *s, unsigned depth)
{
    bool room = depth < s->frame_capacity && stack_has_room(&s->stack, STACK_RESERVE);
    if (room && depth < s->frame_count)
        return &s->frames[depth];
    if (!room) {
        limits_stop(&s->base.limits, HOLOS_LIMIT, "the greatest depth");
        return NULL;
    }
    size_t count = s->v->max_successors;
    frame *f = &s->frames[depth];
    if (edges_make(&f->successors, &s->frames_arena, s->v, count))
        f->successors.keys = arena_alloc(&s->frames_arena, count * sizeof *f->successors.keys);
    f->order = arena_alloc(&s->frames_arena, (count < AB_SORT_MAX ? count : AB_SORT_MAX) * sizeof *f->order);
    if (f->successors.keys == NULL || f->order == NULL) {
        limits_stop_memory(&s->base.limits);
        return NULL;
    }
    s->frame_count = depth + 1;
    return f;
}

static frame *frame_expand(alphabeta *s, const holos_position *p, unsigned depth)
{
    frame *f = frame_at(s, depth);
    if (f == NULL)
        return NULL;
    const holos_search *search = s->v->game->search;
    f->count = search != NULL && search->expand != NULL ? search->expand(s->v, p, f->successors)
                                                        : s->v->game->expand(s->v, p, f->successors);
    return f;
}

static void bounds_narrow(alphabeta *s, const holos_position *p, int32_t *lo, int32_t *hi)
{
    const holos_search *search = s->v->game->search;
    if (search == NULL || search->bounds == NULL)
        return;
    int32_t low = s->v->score_min, high = s->v->score_max;
    search->bounds(s->v, p, &low, &high);
    if (s->base.stepping) {
        /* A win is worth a ply less for every ply it takes, a loss a ply more. */
        low = low * AB_SCALE - (low > 0 ? AB_SCALE - 1 : 0);
        high = high * AB_SCALE + (high < 0 ? AB_SCALE - 1 : 0);
    }
    *lo = low > *lo ? low : *lo;
    *hi = high < *hi ? high : *hi;
}

/* Entries of a search for the distance live in the same table under other keys. */
static holos_key key_salt(const alphabeta *s, holos_key key)
{
    if (s->base.stepping)
        key.hi ^= 0x9e3779b97f4a7c15u;
    return key;
}

static uint32_t entry_worth(const void *payload)
{
    return ((const ab_entry *)payload)->work;
}

/* A table four times as large, with all that was known; if there is no memory for it, the old one does. */
static void table_widen(alphabeta *s)
{
    table wide;
    double began = clock_wall();
    if (began + 4 * s->widen_seconds >= s->base.limits.deadline) {
        s->widen_later = true; /* it would end after the time is up */
        return;
    }
    size_t index = 0, bytes = s->table_bytes * 4 < s->table_limit ? s->table_bytes * 4 : s->table_limit;
    holos_key key;
    void *payload;
    s->table_bytes = bytes;
    if (table_init_cache(&wide, s->budget, sizeof(ab_entry), bytes, NULL) != HOLOS_OK) {
        s->table_bytes = s->table_limit;
        return;
    }
    while (table_next(&s->table, &index, &key, &payload))
        memcpy(table_replace(&wide, key, entry_worth), payload, sizeof(ab_entry));
    table_free(&s->table);
    s->table = wide;
    s->widen_seconds = clock_wall() - began;
}

static const ab_entry *entry_find(const alphabeta *s, const holos_position *p)
{
    return table_find(&s->table, key_salt(s, s->v->game->key(s->v, p)));
}

ab_entry *entry_make(alphabeta *s, holos_key key)
{
    if (s->table_bytes < s->table_limit && s->table.count > s->table_bytes / 64 && !s->widen_later)
        table_widen(s);
    return table_replace(&s->table, key, entry_worth);
}

static ab_entry *entry_store(alphabeta *s, const holos_position *p)
{
    return entry_make(s, key_salt(s, s->v->game->key(s->v, p)));
}

static void frame_prefetch(const alphabeta *s, const frame *f)
{
    for (unsigned i = 0; i < f->count; i++)
        table_prefetch(&s->table, key_salt(s, f->successors.keys[i]));
}

static const ab_entry *child_probe(alphabeta *s, const frame *f, unsigned i)
{
    const ab_entry *entry = table_find(&s->table, key_salt(s, f->successors.keys[i]));
    if (entry != NULL || s->boundary == NULL)
        return entry;
    if (!boundary_probe(s, position_at(s->v, f->successors.positions, i), &s->known.lo))
        return NULL;
    s->known.hi = s->known.lo;
    return &s->known;
}

/* ---- The search -------------------------------------------------------------------------------- */

/* Looks for a child whose entry alone shows value >= beta, and orders the others on the way. */
__attribute__((noinline)) /* what it keeps is not for every ply of a line */
static int32_t
children_probe(alphabeta *s, const frame *f, int32_t beta, const ab_entry *entry, holos_move *move)
{
    int32_t rank[AB_SORT_MAX];
    unsigned *order = f->order;
    frame_prefetch(s, f);
    for (unsigned i = 0; i < f->count; i++) {
        holos_edge edge = f->successors.edges[i];
        int32_t score = edge.order;
        const ab_entry *child = child_probe(s, f, i);
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

/* Whether the value of p is at least beta: a result r >= beta means value >= r, a result r < beta means
 * value <= r. When s->base.limits.status is no longer HOLOS_OK the result means nothing. */
static int32_t generic_search(alphabeta *s, const holos_position *p, int32_t beta, unsigned depth)
{
    int32_t lo = s->base.range_lo, hi = s->base.range_hi, score;
    if (value_is_known(s, p, &score))
        return ab_scale(&s->base, score);
    if (!limits_count(&s->base.limits))
        return 0;
    if (s->base.limits.nodes % TELL_NODES == 0)
        progress_add(s->progress, TELL_NODES);

    bounds_narrow(s, p, &lo, &hi);
    const ab_entry *entry = entry_find(s, p);
    if (entry != NULL) {
        lo = entry->lo > lo ? entry->lo : lo;
        hi = entry->hi < hi ? entry->hi : hi;
    }
    if (lo >= beta)
        return lo;
    if (hi < beta)
        return hi;

    const frame *f = frame_expand(s, p, depth);
    if (f == NULL || f->count == 0) /* without moves, the game has failed: see game_failed */
        return 0;
    holos_move move = 0;
    uint64_t before = s->base.limits.nodes;
    int32_t best = children_probe(s, f, beta, entry, &move);
    for (unsigned i = 0; i < f->count && best < beta; i++) {
        unsigned c = i < AB_SORT_MAX ? f->order[i] : i;
        holos_edge edge = f->successors.edges[c];
        int32_t child = generic_search(s, position_at(s->v, f->successors.positions, c),
                                       ab_child_beta(&s->base, edge, beta), depth + 1);
        if (s->base.limits.status != HOLOS_OK)
            return 0;
        child = ab_step(&s->base, edge, child);
        if (child > best) {
            best = child;
            move = edge.move;
        }
    }

    ab_entry *store = entry_store(s, p);
    store->lo = best >= beta && best > lo ? best : lo;
    store->hi = best < beta && best < hi ? best : hi;
    if (best >= beta)
        store->move = move;
    store->work = ab_work(s->base.limits.nodes - before);
    return best >= beta ? store->lo : store->hi;
}

/* ---- From answers to values -------------------------------------------------------------------- */

/* Where to ask next: first who wins; then the middle while much is open, and near the even score once little
 * is. Small scores are the common ones, and each question that is closer to the value costs more than the
 * last: on connect four's begin-hard 26 % fewer nodes than halving all the way. */
static int32_t narrow_at(int32_t lo, int32_t hi)
{
    int32_t width = hi - lo, step = width > 10 ? width / 2 : (width - 1) / 4;
    if (lo <= 0 && hi > 0)
        return 1;
    return hi <= 0 ? hi - step : lo + 1 + step;
}

/* The same where scores are many and lie close together, as those of what is still to come do: from an even
 * game on, one step at a time in the direction of the answers, so that each search finds what the last one
 * left in the table. For kalah:6,4 over a database of 22 seeds 11.6 M nodes against 21.1 M. */
static int32_t step_at(int32_t lo, int32_t hi, int32_t first_lo, int32_t first_hi)
{
    if (lo > first_lo)
        return lo + 1;
    if (hi < first_hi)
        return hi;
    return lo >= 0 ? lo + 1 : hi <= 0 ? hi : 1;
}

/* What the boundary says of positions that p could come from: each is worth at least what the move to p is. A book that
 * ends a ply before p so answers for moves that are too weak, and says where to ask first of the others. */
static void before_narrow(const alphabeta *s, const holos_position *p, int32_t *lo, int32_t *hi)
{
    if (s->before.positions == NULL || s->base.stepping)
        return;
    uint32_t count = s->v->game->back->predecessors(s->v, p, s->before);
    for (uint32_t i = 0; i < count; i++) {
        int32_t value;
        holos_edge edge = s->before.edges[i];
        if (!boundary_probe(s, position_at(s->v, s->before.positions, i), &value))
            continue;
        if ((edge.flags & HOLOS_EDGE_SAME_SIDE) != 0)
            *hi = value - edge.gain < *hi ? value - edge.gain : *hi;
        else
            *lo = edge.gain - value > *lo ? edge.gain - value : *lo;
    }
}

/* What is known of p without a search. True if a position that came before says the most of what it is worth at least. */
static bool value_begin(alphabeta *s, const holos_position *p, int32_t *lo, int32_t *hi)
{
    int32_t score;
    *lo = s->base.range_lo;
    *hi = s->base.range_hi;
    if (value_is_known(s, p, &score)) {
        *lo = *hi = ab_scale(&s->base, score);
        return false;
    }
    before_narrow(s, p, lo, hi);
    int32_t before = *lo;
    if (s->hot != NULL) {
        s->hot->known(s->hot_state, p, lo, hi);
        return before > s->base.range_lo && *lo == before;
    }
    bounds_narrow(s, p, lo, hi);
    const ab_entry *entry = entry_find(s, p);
    if (entry != NULL) {
        *lo = entry->lo > *lo ? entry->lo : *lo;
        *hi = entry->hi < *hi ? entry->hi : *hi;
    }
    return before > s->base.range_lo && *lo == before;
}

/* What is asked, for whoever watches: 2 seconds say little, an hour does. */
static void question_tell(alphabeta *s, int32_t beta, int32_t lo, int32_t hi)
{
    char words[64];
    if (s->base.stepping)
        return;
    snprintf(words, sizeof words, "search, score %+d..%+d, at least %+d?", lo, hi, beta);
    progress_label(s->progress, words);
}

/* Asks whether the value of p is at least beta, and narrows [*lo, *hi] by the answer. */
static void value_ask(alphabeta *s, const holos_position *p, int32_t beta, int32_t *lo, int32_t *hi)
{
    question_tell(s, beta, *lo, *hi);
    int32_t answer = s->hot != NULL ? s->hot->search(s->hot_state, &s->base.limits, p, beta)
                                    : generic_search(s, p, beta, 0);
    if (s->base.limits.status != HOLOS_OK)
        return;
    if (answer >= beta)
        *lo = answer > *lo ? answer : *lo;
    else
        *hi = answer < *hi ? answer : *hi;
}

/* From a guess on in the direction of the answers, in steps that grow if it was far off: the first question after the last one finds most of
 * its answer in the table. For FFO 40 to 44 half the nodes of halving. */
static void value_close_in(alphabeta *s, const holos_position *p, int32_t guess, int32_t *lo, int32_t *hi)
{
    int32_t beta = guess, step = 1;
    bool first = true, last_up = false;
    while (*lo < *hi && s->base.limits.status == HOLOS_OK) {
        beta = beta <= *lo ? *lo + 1 : beta > *hi ? *hi : beta;
        value_ask(s, p, beta, lo, hi);
        bool up = *lo >= beta;
        if (!first)
            step = up == last_up ? 2 * step : 1;
        beta = up ? *lo + step : *hi - step + 1;
        first = false;
        last_up = up;
    }
}

/* Whether the game's own search has a guess about p, so that questions can begin there. */
static bool value_guess(alphabeta *s, const holos_position *p, int32_t *guess)
{
    holos_move move;
    return s->hot != NULL && s->hot->guess != NULL && s->hot->guess(s->hot_state, p, 0, guess, &move);
}

/* Narrows the value of p: with `weak` until [lo, hi] is all below `zero`, at it, or above it. */
static void value_narrow(alphabeta *s, const holos_position *p, bool weak, int32_t zero, int32_t *lo,
                         int32_t *hi)
{
    bool from_before = value_begin(s, p, lo, hi);
    int32_t first_lo = *lo, first_hi = *hi, guess;
    bool steps = (s->v->game->traits & HOLOS_TRAIT_GAINS) != 0;
    /* The best move of one that came before, as likely as not: a book's ply after connect four's seventh took 28 % fewer
     * nodes, 20 % of them by this question. */
    if (!weak && from_before && *lo < *hi)
        value_ask(s, p, *lo + 1, lo, hi);
    if (!weak && *lo < *hi && value_guess(s, p, &guess))
        value_close_in(s, p, guess, lo, hi);
    while (*lo < *hi && s->base.limits.status == HOLOS_OK) {
        if (!weak)
            value_ask(s, p, steps ? step_at(*lo, *hi, first_lo, first_hi) : narrow_at(*lo, *hi), lo, hi);
        else if (*lo <= zero && *hi > zero)
            value_ask(s, p, zero + 1, lo, hi);
        else if (*lo < zero && *hi >= zero)
            value_ask(s, p, zero, lo, hi);
        else
            return;
    }
}

static void stepping_set(alphabeta *s, bool stepping)
{
    s->base.stepping = stepping;
    s->base.range_lo = s->v->score_min * (stepping ? AB_SCALE : 1);
    s->base.range_hi = s->v->score_max * (stepping ? AB_SCALE : 1);
}

/* ---- Distances --------------------------------------------------------------------------------- */

/* The distance of p, whose value is `score`. What it costs is bounded, unless the caller insists: then
 * only the limits of the whole answer hold. A distance that is not found does not unsettle the value. */
static uint16_t distance_find(alphabeta *s, const holos_position *p, int32_t score)
{
    int32_t over;
    const holos_game *game = s->v->game;
    if (game->terminal(s->v, p, &over))
        return 0;
    if (game->search != NULL && game->search->distance != NULL)
        return game->search->distance(s->v, p, score + game_banked(s->v, p));
    if (score == 0 || (game->traits & HOLOS_TRAIT_GAINS) != 0 || s->base.limits.status != HOLOS_OK)
        return HOLOS_NO_DISTANCE;

    struct limits *l = &s->base.limits;
    uint64_t limit = l->node_limit, budget = l->nodes * 2 + DISTANCE_NODES;
    if (!s->options.distance && budget < limit)
        limits_set_nodes(l, budget);
    stepping_set(s, true);
    int32_t lo, hi;
    value_begin(s, p, &lo, &hi);
    int32_t nearest = score * AB_SCALE;
    /* Ask for ever longer games until one is long enough, then close in on the length. */
    for (int32_t plies = 1; lo < hi && s->base.limits.status == HOLOS_OK;) {
        int32_t edge = score > 0 ? nearest - plies : nearest + plies;
        if (edge > lo && edge <= hi)
            value_ask(s, p, edge, &lo, &hi);
        else if (plies >= AB_SCALE / 2)
            value_ask(s, p, lo + (hi - lo + 1) / 2, &lo, &hi);
        if (plies < AB_SCALE / 2)
            plies *= 2;
    }
    bool found = s->base.limits.status == HOLOS_OK;
    stepping_set(s, false);
    limits_resume(l);
    limits_set_nodes(l, limit);
    return found ? (uint16_t)abs(nearest - lo) : HOLOS_NO_DISTANCE;
}

/* ---- Moves and lines --------------------------------------------------------------------------- */

static holos_value value_make(const alphabeta *s, const holos_position *p, int32_t lo, int32_t hi)
{
    int32_t over;
    holos_value value = {.lo = lo,
                         .hi = hi,
                         .distance = HOLOS_NO_DISTANCE,
                         .conversion = HOLOS_NO_DISTANCE,
                         .source = HOLOS_SOURCE_SEARCH};
    if (s->v->game->terminal(s->v, p, &over))
        value.source = HOLOS_SOURCE_RULES;
    else if (boundary_probe(s, p, &over))
        value.source = HOLOS_SOURCE_TABLE;
    return value;
}

/* Writes the legal moves to s->legal, where searches leave them alone. */
static uint32_t moves_list(alphabeta *s, const holos_position *p)
{
    holos_edges edges = {.edges = s->frames[0].successors.edges};
    uint32_t count = s->v->game->expand(s->v, p, edges);
    for (uint32_t i = 0; i < count; i++)
        s->legal[i] = edges.edges[i].move;
    return count;
}

static int outcome_sign(holos_value value)
{
    return value.lo > 0 ? 1 : value.hi < 0 ? -1 : 0;
}

/* The values of all moves; the position's value follows from them. */
static void moves_solve(alphabeta *s, const holos_position *p, holos_result *result)
{
    int32_t banked = game_banked(s->v, p);
    holos_position *child = s->scratch;
    result->value.lo = result->value.hi = INT32_MIN;
    result->moves = s->moves;
    result->move_count = moves_list(s, p);
    for (size_t i = 0; i < result->move_count; i++) {
        int32_t lo, hi;
        holos_edge edge = s->v->game->play(s->v, p, s->legal[i], child);
        bool same = (edge.flags & HOLOS_EDGE_SAME_SIDE) != 0;
        value_narrow(s, child, s->options.weak, -game_banked(s->v, child), &lo, &hi);
        holos_value value = value_make(s, child, banked + edge_score(edge, same ? lo : hi),
                                       banked + edge_score(edge, same ? hi : lo));
        if (lo == hi) {
            uint16_t distance = distance_find(s, child, lo);
            value.distance = distance == HOLOS_NO_DISTANCE ? distance : (uint16_t)(distance + 1);
        }
        s->moves[i] = (holos_move_value){.move = s->legal[i], .value = value};
        result->value.lo = value.lo > result->value.lo ? value.lo : result->value.lo;
        result->value.hi = value.hi > result->value.hi ? value.hi : result->value.hi;
    }
    result->best = s->best;
    for (size_t i = 0; i < result->move_count; i++) {
        holos_value value = s->moves[i].value;
        bool settled = s->options.weak && s->base.limits.status == HOLOS_OK;
        if (settled ? outcome_sign(value) == outcome_sign(result->value) : value.lo >= result->value.hi)
            s->best[result->best_count++] = s->moves[i].move;
    }
}

/* The move that the game's own search guesses to be best comes first. */
static void move_advance(alphabeta *s, const holos_position *p, uint32_t count)
{
    int32_t score;
    holos_move best;
    if (count < 2 || s->hot == NULL || s->hot->guess == NULL ||
        !s->hot->guess(s->hot_state, p, 0, &score, &best))
        return;
    for (uint32_t i = 1; i < count; i++)
        if (s->legal[i] == best) {
            memmove(s->legal + 1, s->legal, i * sizeof *s->legal);
            s->legal[0] = best;
        }
}

/* Writes the legal moves to s->legal, what looks best first, otherwise in natural order. */
static uint32_t moves_rank(alphabeta *s, const holos_position *p)
{
    uint32_t count = moves_list(s, p);
    holos_edge *edges = s->frames[0].successors.edges;
    for (uint32_t i = 1; i < count; i++) {
        holos_edge edge = edges[i];
        uint32_t j = i;
        for (; j > 0 && edges[j - 1].order < edge.order; j--)
            edges[j] = edges[j - 1];
        edges[j] = edge;
    }
    for (uint32_t i = 0; i < count; i++)
        s->legal[i] = edges[i].move;
    move_advance(s, p, count);
    return count;
}

/* What the mover has at least, and at most, by a move to `next`, as far as that is known. */
static void step_bounds(alphabeta *s, holos_edge edge, const holos_position *next, int32_t *least,
                        int32_t *most)
{
    bool same = (edge.flags & HOLOS_EDGE_SAME_SIDE) != 0;
    int32_t low, high;
    value_begin(s, next, &low, &high);
    *least = ab_step(&s->base, edge, same ? low : high);
    *most = ab_step(&s->base, edge, same ? high : low);
}

/* The first move that is known to be worth at least lo, without a search. */
static bool move_recall(alphabeta *s, const holos_position *p, uint32_t count, int32_t lo, holos_edge *out,
                        holos_position *next)
{
    int32_t least, most;
    for (uint32_t i = 0; i < count; i++) {
        *out = s->v->game->play(s->v, p, s->legal[i], next);
        step_bounds(s, *out, next, &least, &most);
        if (least >= lo)
            return true;
    }
    return false;
}

/* The first move, in the order of moves_rank, that is worth at least lo to the mover (as ab_step counts
 * it): so the choice does not depend on what else has been searched, unless a limit ends the search: then it is one that is known
 * to be as good, if there is any. What looks best often is, and then no other move has to be refuted: a third fewer nodes for
 * the empty board of connect four than in natural order. */
static bool move_choose(alphabeta *s, const holos_position *p, int32_t lo, holos_edge *out,
                        holos_position *next)
{
    uint32_t count = moves_rank(s, p);
    for (uint32_t i = 0; i < count && s->base.limits.status == HOLOS_OK; i++) {
        int32_t least, most, low, high;
        *out = s->v->game->play(s->v, p, s->legal[i], next);
        step_bounds(s, *out, next, &least, &most);
        if (most < lo)
            continue;
        if (least < lo) {
            value_begin(s, next, &low, &high);
            value_ask(s, next, ab_child_beta(&s->base, *out, lo), &low, &high);
            bool same = (out->flags & HOLOS_EDGE_SAME_SIDE) != 0;
            least = ab_step(&s->base, *out, same ? low : high);
        }
        if (s->base.limits.status == HOLOS_OK && least >= lo)
            return true;
    }
    return s->base.limits.status != HOLOS_OK && move_recall(s, p, count, lo, out, next);
}

static bool line_push(alphabeta *s, size_t length, holos_move move)
{
    if (!LIST_RESERVE(s->line, s->line_room, length + 1))
        return false;
    s->line[length] = move;
    return true;
}

/* Follows best play from p for at most `most` moves: every mover keeps to the interval. */
static size_t line_follow(alphabeta *s, const holos_position *p, int32_t lo, int32_t hi, size_t most)
{
    size_t length = 0;
    int32_t over;
    holos_position *here = s->scratch, *next = position_at(s->v, s->scratch, 1);
    memcpy(here, p, s->v->position_size);
    while (length < most && !s->v->game->terminal(s->v, here, &over)) {
        holos_edge edge;
        if (!move_choose(s, here, lo, &edge, next) || !line_push(s, length, edge.move))
            break;
        length++;
        bool same = (edge.flags & HOLOS_EDGE_SAME_SIDE) != 0;
        int32_t low = ab_child_beta(&s->base, edge, lo), high = ab_child_beta(&s->base, edge, hi);
        lo = same ? low : high - 1;
        hi = same ? high : low - 1;
        memcpy(here, next, s->v->position_size);
    }
    return length;
}

/* ---- The engine -------------------------------------------------------------------------------- */

static holos_status alphabeta_supports(const holos_variant *v, const holos_solver_options *options,
                                       holos_error *err)
{
    (void)options;
    if ((v->game->traits & HOLOS_TRAIT_CYCLIC) != 0)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "the alphabeta engine needs a game that cannot repeat a position; %s can", v->name);
    return HOLOS_OK;
}

static void alphabeta_close(void *state)
{
    alphabeta *s = state;
    if (s == NULL)
        return;
    if (s->hot_state != NULL)
        s->hot->close(s->hot_state);
    table_free(&s->table);
    arena_free(&s->frames_arena);
    lock_release(&s->lock);
    free(s->line);
    free(s);
}

/* The game's own search, which then gets nearly all of the table's memory. */
static holos_status hot_open(alphabeta *s, holos_error *err)
{
    const holos_hot *hot = s->v->game->hot;
    if (hot == NULL || s->settings.no_hot)
        return HOLOS_OK;
    holos_hot_setup setup = {
        .budget = s->budget,
        .memory = s->table_limit - s->table_bytes,
        .threads = s->options.threads,
        .progress = s->progress,
    };
    void *settings = NULL;
    holos_status status = game_settings_new(game_options(s->v->game, HOLOS_USE_SOLVE, NULL),
                                            s->options.settings, &settings, err);
    setup.settings = settings;
    s->table_limit = s->table_bytes;
    s->hot = hot;
    if (status == HOLOS_OK)
        status = hot->open(s->v, &setup, &s->hot_state, err);
    free(settings);
    return status;
}

/* Without room for predecessors nothing is asked of them. */
static void before_open(alphabeta *s)
{
    const holos_variant *v = s->v;
    if (s->boundary != NULL && v->game->back != NULL && v->max_predecessors > 0)
        edges_make(&s->before, &s->frames_arena, v, v->max_predecessors);
}

static holos_status alphabeta_open(const engine_task *task, void **state, holos_error *err)
{
    const holos_variant *v = task->v;
    alphabeta *s = calloc(1, sizeof *s);
    if (s == NULL)
        return error_system(err, "alphabeta");
    s->v = v;
    s->lock.fd = -1;
    s->options = task->options;
    s->boundary = task->known;
    s->budget = task->budget;
    s->progress = task->progress;
    limits_begin(&s->base.limits, NULL, s->budget); /* none but while it searches */
    arena_init(&s->frames_arena, s->budget, 1 << 20);
    /* Half of the budget is for the frames and what else grows; on the default that is plenty. */
    s->table_limit = s->budget->limit != 0 ? mem_available(s->budget) / 2 : DEFAULT_MEMORY;
    s->table_bytes = s->table_limit < FIRST_MEMORY ? s->table_limit : FIRST_MEMORY;
    holos_status status = option_read(alphabeta_options, s->options.settings, &s->settings, err);
    if (status == HOLOS_OK)
        status = table_init_cache(&s->table, s->budget, sizeof(ab_entry), s->table_bytes, err);
    if (status == HOLOS_OK)
        status = hot_open(s, err);
    if (status == HOLOS_OK)
        status = keep_begin(s, err);
    if (status != HOLOS_OK) {
        alphabeta_close(s);
        return status;
    }
    s->frame_capacity = AB_DEPTH_MAX;
    s->frames = arena_alloc(&s->frames_arena, s->frame_capacity * sizeof *s->frames);
    s->scratch = arena_alloc(&s->frames_arena, 2 * v->position_size);
    s->moves = arena_alloc(&s->frames_arena, v->max_successors * sizeof *s->moves);
    s->legal = arena_alloc(&s->frames_arena, v->max_successors * sizeof *s->legal);
    s->best = arena_alloc(&s->frames_arena, v->max_successors * sizeof *s->best);
    before_open(s);
    stack_begin(&s->stack);
    if (s->frames == NULL || s->scratch == NULL || s->moves == NULL || s->legal == NULL || s->best == NULL ||
        frame_at(s, 0) == NULL) {
        alphabeta_close(s);
        return mem_error(err, task->budget, (size_t)4 << 20, "the alphabeta engine");
    }
    *state = s;
    return HOLOS_OK;
}

/* Forgets what an interval says beyond the outcome: moves are chosen by that alone. */
static void outcome_widen(const alphabeta *s, int32_t zero, int32_t *lo, int32_t *hi)
{
    if (*lo > zero) {
        *lo = zero + 1;
        *hi = s->base.range_hi;
    } else if (*hi < zero) {
        *lo = s->base.range_lo;
        *hi = zero - 1;
    }
}

/* A line of best play, and one best move where the values of all moves were not asked for. */
static void line_solve(alphabeta *s, const holos_position *p, int32_t lo, int32_t hi, holos_result *result)
{
    if (s->options.weak)
        outcome_widen(s, -game_banked(s->v, p), &lo, &hi);
    bool stepping = lo == hi && lo != 0 && result->value.distance != HOLOS_NO_DISTANCE &&
                    (s->v->game->search == NULL || s->v->game->search->distance == NULL);
    if (stepping) {
        int32_t distance = result->value.distance;
        lo = hi = lo * AB_SCALE + (lo > 0 ? -distance : distance);
    }
    stepping_set(s, stepping);
    size_t length = line_follow(s, p, lo, hi, s->options.line ? SIZE_MAX : 1);
    stepping_set(s, false);
    result_take_line(result, &s->options, s->line, length, s->best);
}

static void search_begin(alphabeta *s)
{
    s->widen_later = false;
    stack_begin(&s->stack);
    struct limits *l = &s->base.limits;
    limits_begin(l, &s->options.limits, s->budget);
    keep_during(s, l);
    stepping_set(s, false);
}

static holos_status alphabeta_solve(void *state, const holos_position *p, holos_result *result,
                                    holos_error *err)
{
    alphabeta *s = state;
    int32_t banked = game_banked(s->v, p), lo, hi, over;
    search_begin(s);
    progress_begin(s->progress, "search", "nodes", 0);
    if (s->options.moves && !s->v->game->terminal(s->v, p, &over)) {
        result->value.source = HOLOS_SOURCE_SEARCH;
        moves_solve(s, p, result);
        lo = result->value.lo - banked;
        hi = result->value.hi - banked;
    } else {
        value_narrow(s, p, s->options.weak, -banked, &lo, &hi);
    }
    holos_status failure = game_failed(s->v, err);
    if (failure != HOLOS_OK) {
        progress_end(s->progress);
        return failure;
    }
    result->value = value_make(s, p, banked + lo, banked + hi);
    bool known = s->base.limits.status == HOLOS_OK;
    if (lo == hi)
        result->value.distance = distance_find(s, p, lo);
    if ((known || lo == hi) && !s->options.value_only)
        line_solve(s, p, lo, hi, result);
    result->nodes = s->base.limits.nodes;
    progress_end(s->progress);
    holos_status kept = keep_end(s, err);
    if (kept != HOLOS_OK)
        return kept;
    if (!known && !holos_value_is_solved(result->value))
        return limits_error(&s->base.limits, "nodes", err);
    return HOLOS_OK;
}

static bool alphabeta_guess(void *state, const holos_position *p, unsigned depth, int32_t *score,
                            holos_move *move)
{
    alphabeta *s = state;
    return s->hot != NULL && s->hot->guess != NULL && s->hot->guess(s->hot_state, p, depth, score, move);
}

static const char *alphabeta_lacks(const void *state)
{
    const alphabeta *s = state;
    return s->hot != NULL && s->hot->lacks != NULL ? s->hot->lacks(s->hot_state) : NULL;
}

const holos_engine alphabeta_engine = {
    .name = "alphabeta",
    .summary = "depth-first search with a transposition table, for games that cannot repeat a position",
    .distances = ENGINE_DISTANCE_BY_SCORE | ENGINE_DISTANCE_SEARCHED,
    .options = alphabeta_options,
    .asks_hot = true,
    .supports = alphabeta_supports,
    .open = alphabeta_open,
    .close = alphabeta_close,
    .solve = alphabeta_solve,
    .guess = alphabeta_guess,
    .lacks = alphabeta_lacks,
};
