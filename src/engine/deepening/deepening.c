/* SPDX-License-Identifier: MIT */

/* The deepening engine: proofs of claims (claim.h) of ever greater depth, for games in which a position can come back.
 * What is proven is true, and what is not proven stays open. Depths grow one ply at a time, so the first proof of a win
 * is the shortest. */

#include "core/table.h"
#include "engine/claim.h"

#include <stdlib.h>
#include <string.h>

#define DEFAULT_MEMORY ((size_t)64 << 20)
#define DEPTH_MOST     1000u

/* What the table knows of a claim in a position. */
typedef struct claim_entry {
    uint16_t height; /* of the proof or refutation: plies, at most */
    uint16_t tried;  /* plies to which it was searched and stayed open */
    uint8_t verdict;
    uint8_t unused[3];
} claim_entry;

typedef struct frame {
    holos_edges successors;
    uint16_t *order;
} frame;

typedef struct deepening {
    const holos_variant *v;
    holos_solver_options options;
    boundary_guard *known; /* may be NULL */
    mem_budget *budget;
    table table;
    arena memory;
    frame *frames;                /* one for each depth that is left, made when the search first gets there */
    holos_position *here, *roots; /* of a line; and what is asked about: the position or its successors */
    holos_value *values;          /* of the roots, for the side to move there */
    holos_edge *root_edges;
    holos_move_value *moves;
    holos_move *best;
    holos_move line[DEPTH_MOST];
    struct limits limits;
} deepening;

static frame *frame_at(deepening *s, unsigned depth)
{
    size_t most = s->v->max_successors;
    frame *f = &s->frames[depth];
    if (f->order != NULL)
        return f;
    if (edges_make(&f->successors, &s->memory, s->v, most))
        f->order = arena_alloc(&s->memory, most * sizeof *f->order);
    if (f->order != NULL)
        return f;
    limits_stop_memory(&s->limits);
    return NULL;
}

/* ---- What is known already --------------------------------------------------------------------- */

static uint32_t entry_worth(const void *payload)
{
    const claim_entry *entry = payload;
    return 2u * entry->tried + 3u * entry->height;
}

static void claim_store(deepening *s, const holos_position *p, claim c, verdict found, unsigned height)
{
    claim_entry *entry = table_replace(&s->table, claim_key(s->v, p, c), entry_worth);
    if (found == OPEN) {
        entry->tried = (uint16_t)(height > entry->tried ? height : entry->tried);
    } else if (entry->verdict == OPEN || height < entry->height) {
        entry->verdict = (uint8_t)found;
        entry->height = (uint16_t)height;
    }
}

/* ---- The search -------------------------------------------------------------------------------- */

/* What looks best first, otherwise in natural order. */
static void frame_sort(frame *f, uint32_t count)
{
    const holos_edge *edges = f->successors.edges;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t j = i;
        for (; j > 0 && edges[f->order[j - 1]].order < edges[i].order; j--)
            f->order[j] = f->order[j - 1];
        f->order[j] = (uint16_t)i;
    }
}

/* Whether a claim can be proven or refuted within `depth` plies; *height is how many it took. */
static verdict claim_search(deepening *s, const holos_position *p, claim c, unsigned depth, unsigned *height)
{
    verdict found = claim_look(s->v, s->known, p, c);
    *height = 0;
    if (found != OPEN || depth == 0 || !limits_count(&s->limits))
        return found;
    const claim_entry *entry = depth > 1 ? table_find(&s->table, claim_key(s->v, p, c)) : NULL;
    if (entry != NULL && entry->verdict != OPEN && entry->height <= depth) {
        *height = entry->height;
        return entry->verdict;
    }
    if (entry != NULL && entry->tried >= depth)
        return OPEN;
    frame *f = frame_at(s, depth);
    if (f == NULL)
        return OPEN;
    uint32_t count = s->v->game->expand(s->v, p, f->successors);
    frame_sort(f, count);
    /* Who makes the claim needs one move that proves it, the other side one that refutes it. */
    verdict one = c.theirs ? REFUTED : PROVEN, all = c.theirs ? PROVEN : REFUTED;
    found = all;
    for (uint32_t i = 0; i < count && s->limits.status == HOLOS_OK; i++) {
        unsigned below;
        const holos_position *child = position_at(s->v, f->successors.positions, f->order[i]);
        verdict next =
            claim_search(s, child, claim_after(c, f->successors.edges[f->order[i]]), depth - 1, &below);
        if (next == one) {
            found = one;
            *height = below + 1;
            break;
        }
        if (next == OPEN)
            found = OPEN;
        else if (below + 1 > *height)
            *height = below + 1;
        if (next == OPEN && c.theirs)
            break; /* no proof any more; a refutation further on is not what is looked for */
    }
    if (s->limits.status != HOLOS_OK)
        return OPEN;
    if (depth > 1)
        claim_store(s, p, c, found, found == OPEN ? depth : *height);
    return found;
}

/* ---- From claims to values --------------------------------------------------------------------- */

/* Asks one claim about a root and narrows its value by the answer. */
static void root_ask(deepening *s, const holos_position *p, claim c, unsigned depth, holos_value *value)
{
    unsigned height;
    verdict found = claim_search(s, p, c, depth, &height);
    if (s->limits.status != HOLOS_OK || found == OPEN)
        return;
    claim_narrow(c, found, value);
    if (found == PROVEN && c.least > 0 && s->known == NULL)
        value->distance = (uint16_t)height;
}

/* Whether one side wins, and how much, as far as a search of this depth tells. */
static void root_ask_wins(deepening *s, const holos_position *p, bool theirs, unsigned depth,
                          holos_value *value)
{
    for (int32_t asked = 0; s->limits.status == HOLOS_OK;) {
        int32_t lo = theirs ? -value->hi : value->lo, hi = theirs ? -value->lo : value->hi;
        int32_t least = lo > 0 ? lo + 1 : 1;
        if (least > hi || least <= asked)
            return;
        asked = least;
        root_ask(s, p, (claim){.theirs = theirs, .least = least}, depth, value);
    }
}

/* Everything that a search of this depth can tell of a root: who wins, and who at least does not lose. */
static void root_deepen(deepening *s, const holos_position *p, unsigned depth, holos_value *value)
{
    root_ask_wins(s, p, false, depth, value);
    root_ask_wins(s, p, true, depth, value);
    if (value->lo < 0 && value->hi >= 0 && s->limits.status == HOLOS_OK)
        root_ask(s, p, (claim){.theirs = false, .least = 0}, depth, value);
    if (value->hi > 0 && value->lo <= 0 && s->limits.status == HOLOS_OK)
        root_ask(s, p, (claim){.theirs = true, .least = 0}, depth, value);
}

static holos_value value_open(const deepening *s, const holos_position *p)
{
    int32_t score;
    holos_value value = game_value_unknown(s->v);
    value.source = HOLOS_SOURCE_SEARCH;
    if (s->v->game->terminal(s->v, p, &score))
        value = (holos_value){.lo = score, .hi = score, .distance = 0, .source = HOLOS_SOURCE_RULES};
    else if (s->known != NULL && boundary_score(s->known, p, &score)) {
        value.lo = value.hi = score;
        value.source = HOLOS_SOURCE_TABLE;
    }
    return value;
}

/* The value of a position from those of its moves; the distance of the shortest win or the longest loss. */
static holos_value value_combine(const holos_move_value *moves, size_t count)
{
    holos_value value = {.lo = INT32_MIN,
                         .hi = INT32_MIN,
                         .distance = HOLOS_NO_DISTANCE,
                         .conversion = HOLOS_NO_DISTANCE,
                         .source = HOLOS_SOURCE_SEARCH};
    for (size_t i = 0; i < count; i++) {
        value.lo = moves[i].value.lo > value.lo ? moves[i].value.lo : value.lo;
        value.hi = moves[i].value.hi > value.hi ? moves[i].value.hi : value.hi;
    }
    for (size_t i = 0; i < count && value.lo == value.hi && value.lo != 0; i++) {
        uint16_t distance = moves[i].value.distance;
        if (moves[i].value.lo != value.lo || distance == HOLOS_NO_DISTANCE)
            continue;
        if (value.distance == HOLOS_NO_DISTANCE || (distance < value.distance) == (value.lo > 0))
            value.distance = distance;
    }
    return value;
}

/* The value of a move, for the side that makes it. */
static holos_value value_of_move(holos_value child, holos_edge edge, int32_t banked)
{
    bool same = (edge.flags & HOLOS_EDGE_SAME_SIDE) != 0;
    holos_value value = child;
    value.lo = banked + edge_score(edge, same ? child.lo : child.hi);
    value.hi = banked + edge_score(edge, same ? child.hi : child.lo);
    if (value.distance != HOLOS_NO_DISTANCE)
        value.distance++;
    return value;
}

/* All moves, each as deep as the others, until the position is decided. */
static void moves_deepen(deepening *s, const holos_position *p, holos_result *result)
{
    holos_edges successors = {.edges = s->root_edges, .positions = s->roots};
    uint32_t count = s->v->game->expand(s->v, p, successors);
    int32_t banked = game_banked(s->v, p);
    for (uint32_t i = 0; i < count; i++)
        s->values[i] = value_open(s, position_at(s->v, s->roots, i));
    for (unsigned depth = 0; depth < DEPTH_MOST && s->limits.status == HOLOS_OK; depth++) {
        for (uint32_t i = 0; i < count; i++) {
            if (depth > 0 && s->values[i].lo < s->values[i].hi && s->limits.status == HOLOS_OK)
                root_deepen(s, position_at(s->v, s->roots, i), depth, &s->values[i]);
            s->moves[i] = (holos_move_value){.move = s->root_edges[i].move,
                                             .value = value_of_move(s->values[i], s->root_edges[i], banked)};
        }
        result->value = value_combine(s->moves, count);
        if (value_is_enough(s->v, &s->options, result->value))
            break;
    }
    result->moves = s->moves;
    result->move_count = count;
    result_take_best(result, s->moves, count, s->best);
}

/* ---- Lines ------------------------------------------------------------------------------------- */

/* The least depth at which a claim of at most `most` plies is decided; most + 1 if it is not. */
static unsigned claim_height(deepening *s, const holos_position *p, claim c, verdict wanted, unsigned most)
{
    for (unsigned depth = 0; depth <= most && s->limits.status == HOLOS_OK; depth++) {
        unsigned height;
        if (claim_search(s, p, c, depth, &height) == wanted)
            return depth;
    }
    return most + 1;
}

/* A move on the way of a proof of height `left`: the winner's shortest way, the loser's longest. */
static bool line_choose(deepening *s, const holos_position *p, claim c, unsigned left, uint32_t *choice)
{
    holos_edges successors = {.edges = s->root_edges, .positions = s->roots};
    uint32_t count = s->v->game->expand(s->v, p, successors);
    unsigned best = 0;
    bool found = false;
    for (uint32_t i = 0; i < count && s->limits.status == HOLOS_OK; i++) {
        unsigned height = claim_height(s, position_at(s->v, s->roots, i), claim_after(c, s->root_edges[i]),
                                       PROVEN, left - 1);
        if (height == left || (found && (c.theirs ? height <= best : height >= best)))
            continue;
        found = true;
        best = height;
        *choice = i;
    }
    return found;
}

/* Follows a win or loss to its end. */
static size_t line_follow(deepening *s, const holos_position *p, holos_value value)
{
    claim c = {.theirs = value.hi < 0, .least = value.hi < 0 ? -value.hi : value.lo};
    size_t length = 0;
    memcpy(s->here, p, s->v->position_size);
    for (unsigned left = value.distance; left > 0 && length < DEPTH_MOST; left--) {
        uint32_t choice;
        if (!line_choose(s, s->here, c, left, &choice))
            break;
        s->line[length++] = s->root_edges[choice].move;
        c = claim_after(c, s->root_edges[choice]);
        memcpy(s->here, position_at(s->v, s->roots, choice), s->v->position_size);
    }
    return length;
}

/* ---- The engine -------------------------------------------------------------------------------- */

static holos_status deepening_supports(const holos_variant *v, const holos_solver_options *options,
                                       holos_error *err)
{
    /* Down to a boundary there is no distance to be found, and proof numbers find the rest sooner. */
    if (options->engine == NULL && options->boundary != NULL)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "name the deepening engine to use it with tables");
    if ((v->game->traits & HOLOS_TRAIT_CYCLIC) == 0)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "the deepening engine is for games that can repeat a position; %s cannot", v->name);
    if (v->score_min != -v->score_max)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "the deepening engine needs scores that are the same for both sides");
    return HOLOS_OK;
}

static void deepening_close(void *state)
{
    deepening *s = state;
    if (s == NULL)
        return;
    table_free(&s->table);
    arena_free(&s->memory);
    free(s);
}

static bool buffers_make(deepening *s)
{
    size_t most = s->v->max_successors;
    s->frames = arena_alloc(&s->memory, DEPTH_MOST * sizeof *s->frames);
    s->here = arena_alloc(&s->memory, s->v->position_size);
    s->roots = arena_alloc(&s->memory, most * s->v->position_size);
    s->values = arena_alloc(&s->memory, most * sizeof *s->values);
    s->root_edges = arena_alloc(&s->memory, most * sizeof *s->root_edges);
    s->moves = arena_alloc(&s->memory, most * sizeof *s->moves);
    s->best = arena_alloc(&s->memory, most * sizeof *s->best);
    if (s->frames != NULL)
        memset(s->frames, 0, DEPTH_MOST * sizeof *s->frames);
    return s->frames != NULL && s->here != NULL && s->roots != NULL && s->values != NULL &&
           s->root_edges != NULL && s->moves != NULL && s->best != NULL;
}

static holos_status deepening_open(const engine_task *task, void **state, holos_error *err)
{
    deepening *s = calloc(1, sizeof *s);
    if (s == NULL)
        return error_system(err, "the deepening engine");
    s->v = task->v;
    s->options = task->options;
    s->known = task->known;
    s->budget = task->budget;
    arena_init(&s->memory, s->budget, 1 << 20);
    /* Half of the budget is for what else grows. */
    size_t bytes = s->budget->limit != 0 ? mem_available(s->budget) / 2 : DEFAULT_MEMORY;
    holos_status status = table_init_cache(&s->table, s->budget, sizeof(claim_entry), bytes, err);
    if (status == HOLOS_OK && !buffers_make(s))
        status = mem_error(err, task->budget, (size_t)1 << 20, "the deepening engine");
    if (status != HOLOS_OK) {
        deepening_close(s);
        return status;
    }
    *state = s;
    return HOLOS_OK;
}

/* A line, and one best move where the values of all moves were not asked for. */
static void line_solve(deepening *s, const holos_position *p, holos_result *result)
{
    bool decided = result->value.lo > 0 || result->value.hi < 0;
    if (!decided || result->value.distance == HOLOS_NO_DISTANCE || result->value.distance == 0)
        return;
    size_t length = line_follow(s, p, result->value);
    result_take_line(result, &s->options, s->line, length, s->best);
    if (s->options.line && length < result->value.distance)
        result->line_end = LINE_CUT;
}

static holos_status deepening_solve(void *state, const holos_position *p, holos_result *result,
                                    holos_error *err)
{
    deepening *s = state;
    unsigned depth = 0;
    limits_begin(&s->limits, &s->options.limits, s->budget);
    result->value = value_open(s, p);
    if (s->options.moves && result->value.source != HOLOS_SOURCE_RULES) {
        moves_deepen(s, p, result);
    } else {
        while (!value_is_enough(s->v, &s->options, result->value) && ++depth < DEPTH_MOST &&
               s->limits.status == HOLOS_OK)
            root_deepen(s, p, depth, &result->value);
        if (!value_is_enough(s->v, &s->options, result->value) && s->limits.status == HOLOS_OK)
            limits_stop(&s->limits, HOLOS_LIMIT, "the greatest depth");
    }
    bool known = value_is_enough(s->v, &s->options, result->value);
    if (known)
        line_solve(s, p, result);
    result->nodes = s->limits.nodes;
    if (!known)
        return limits_error(&s->limits, "nodes", err);
    return HOLOS_OK;
}

const holos_engine deepening_engine = {
    .name = "deepening",
    .summary = "proofs of increasing depth, for games that can repeat a position",
    .distances = ENGINE_DISTANCE_SEARCHED,
    .supports = deepening_supports,
    .open = deepening_open,
    .close = deepening_close,
    .solve = deepening_solve,
};
