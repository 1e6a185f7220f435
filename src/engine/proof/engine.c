/* SPDX-License-Identifier: MIT */

/* The proof engine: from claims to values.
 *
 * Who wins, and by how much, are claims. Each gets a turn of proof-number search, and where positions can come back, a turn
 * of looking for a closed region; turns grow, so that what is easy is found soon and nothing is given up. */

#include "engine/proof/proof.h"

#include <stdlib.h>

#define DEFAULT_MEMORY ((size_t)1 << 30)
#define FIRST_TURN     4096 /* nodes */
#define LINE_MOST      1000
#define LINE_NODES     100000 /* to find again what the table has forgotten */

/* ---- Turns ------------------------------------------------------------------------------------- */

/* The claims that would narrow a value: who wins; and of a win, by how much. */
static unsigned claims_open(const proof_state *s, holos_value value, claim out[2])
{
    unsigned count = 0;
    if (value.lo == value.hi)
        return 0;
    if (value.lo > 0 || value.hi < 0) {
        bool theirs = value.hi < 0;
        int32_t lo = theirs ? -value.hi : value.lo, hi = theirs ? -value.lo : value.hi;
        if (s->options.weak)
            return 0;
        out[0] = (claim){.theirs = theirs, .least = lo + (hi - lo + 1) / 2};
        return 1;
    }
    if (value.hi > 0)
        out[count++] = (claim){.theirs = false, .least = 1};
    if (value.lo < 0)
        out[count++] = (claim){.theirs = true, .least = 1};
    return count;
}

/* Regions are for games that go round and in which the sides take turns. */
static bool can_hold(const proof_state *s)
{
    uint32_t traits = s->v->game->traits;
    return (traits & HOLOS_TRAIT_CYCLIC) != 0 && (traits & HOLOS_TRAIT_SAME_SIDE) == 0;
}

/* One claim's turn. *stuck: another turn would not help. */
static verdict claim_turn(proof_state *s, const holos_position *p, claim c, uint64_t nodes, bool *stuck)
{
    bool search_stuck, hold_stuck = true;
    verdict found = proof_search(s, p, c, nodes, &search_stuck);
    if (found == OPEN && s->limits.status == HOLOS_OK && can_hold(s))
        found = proof_hold(s, p, c, nodes, &hold_stuck);
    *stuck = search_stuck && hold_stuck;
    return found;
}

/* A turn for everything that is open of a value. False: nothing is left to do, or nothing helps. */
static bool value_turn(proof_state *s, const holos_position *p, uint64_t nodes, holos_value *value)
{
    claim claims[2];
    int32_t banked = game_banked(s->v, p);
    holos_value ahead = {.lo = value->lo - banked, .hi = value->hi - banked};
    unsigned count = claims_open(s, ahead, claims), hopeless = 0;
    for (unsigned i = 0; i < count && s->limits.status == HOLOS_OK; i++) {
        bool stuck;
        verdict found = claim_turn(s, p, claims[i], nodes, &stuck);
        claim_narrow(claims[i], found, &ahead);
        hopeless += found == OPEN && stuck;
    }
    value->lo = ahead.lo + banked;
    value->hi = ahead.hi + banked;
    if (count > 0 && hopeless == count)
        limits_stop(&s->limits, HOLOS_LIMIT, "the memory limit or the maximum line length");
    return claims_open(s, ahead, claims) > 0 && s->limits.status == HOLOS_OK &&
           game_failed(s->v, NULL) == HOLOS_OK;
}

/* What is known without search, with what is banked. */
static holos_value value_open(const proof_state *s, const holos_position *p)
{
    const holos_search *search = s->v->game->search;
    int32_t banked = game_banked(s->v, p), score;
    holos_value value = game_value_unknown(s->v);
    value.source = HOLOS_SOURCE_SEARCH;
    if (s->v->game->terminal(s->v, p, &score)) {
        value = (holos_value){.lo = score, .hi = score, .source = HOLOS_SOURCE_RULES};
    } else if (s->known != NULL && boundary_score(s->known, p, &score)) {
        value.lo = value.hi = score - banked;
        value.source = HOLOS_SOURCE_TABLE;
    } else if (search != NULL && search->bounds != NULL) {
        search->bounds(s->v, p, &value.lo, &value.hi);
    }
    value.lo += banked;
    value.hi += banked;
    return value;
}

/* The distance where the score tells it. */
static void value_finish(const proof_state *s, const holos_position *p, holos_value *value)
{
    const holos_search *search = s->v->game->search;
    if (value->lo == value->hi && value->distance == HOLOS_NO_DISTANCE && search != NULL &&
        search->distance != NULL)
        value->distance = search->distance(s->v, p, value->lo);
}

/* ---- Moves ------------------------------------------------------------------------------------- */

/* The value of a move, for the side that makes it. */
static holos_value value_of_move(holos_value child, holos_edge edge)
{
    holos_value value = child;
    if ((edge.flags & HOLOS_EDGE_SAME_SIDE) == 0) {
        value.lo = -child.hi;
        value.hi = -child.lo;
    }
    if (value.distance != HOLOS_NO_DISTANCE)
        value.distance++;
    if (value.source == HOLOS_SOURCE_RULES)
        value.source = HOLOS_SOURCE_SEARCH;
    return value;
}

static void moves_combine(proof_state *s, uint32_t count, holos_result *result)
{
    int32_t lo = INT32_MIN, hi = INT32_MIN;
    for (uint32_t i = 0; i < count; i++) {
        s->moves[i] = (holos_move_value){.move = s->root_edges[i].move,
                                         .value = value_of_move(s->values[i], s->root_edges[i])};
        lo = s->moves[i].value.lo > lo ? s->moves[i].value.lo : lo;
        hi = s->moves[i].value.hi > hi ? s->moves[i].value.hi : hi;
    }
    result->value.lo = lo > result->value.lo ? lo : result->value.lo;
    result->value.hi = hi < result->value.hi ? hi : result->value.hi;
}

/* All moves, turn by turn. */
static void moves_solve(proof_state *s, const holos_position *p, holos_result *result)
{
    holos_edges successors = {.edges = s->root_edges, .positions = s->roots};
    uint32_t count = s->v->game->expand(s->v, p, successors);
    bool open = true;
    for (uint32_t i = 0; i < count; i++)
        s->values[i] = value_open(s, position_at(s->v, s->roots, i));
    for (uint64_t nodes = FIRST_TURN; open && s->limits.status == HOLOS_OK; nodes *= 2) {
        open = false;
        for (uint32_t i = 0; i < count && s->limits.status == HOLOS_OK; i++)
            if (!value_is_enough(s->v, &s->options, s->values[i]))
                open |= value_turn(s, position_at(s->v, s->roots, i), nodes, &s->values[i]);
    }
    for (uint32_t i = 0; i < count; i++)
        value_finish(s, position_at(s->v, s->roots, i), &s->values[i]);
    moves_combine(s, count, result);
    result->moves = s->moves;
    result->move_count = count;
    result_take_best(result, s->moves, count, s->best);
}

/* ---- Lines ------------------------------------------------------------------------------------- */

/* What is known of a claim, looked for again if the table has forgotten it. */
static verdict claim_recall(proof_state *s, const holos_position *p, claim c, bool again, unsigned *height)
{
    bool exhausted;
    verdict found = proof_known(s, p, c, height);
    if (found != OPEN || !again || s->limits.status != HOLOS_OK)
        return found;
    proof_search(s, p, c, LINE_NODES, &exhausted);
    return proof_known(s, p, c, height);
}

/* Whether a reply of the side that has to let a claim stand lets no more than that stand. */
static bool reply_keeps(proof_state *s, const holos_position *after, claim c, holos_edge edge, bool again)
{
    claim more = {.theirs = c.theirs, .least = c.least + 1};
    unsigned height;
    return claim_recall(s, after, claim_after(more, edge), again, &height) == REFUTED;
}

/* The winner's shortest known way, the loser's longest; each step is nearer to the end of the proof than `height`. `exact`: the
 * loser gives nothing away. */
static bool line_choose(proof_state *s, const holos_position *p, claim c, bool exact, unsigned *height,
                        uint32_t *choice)
{
    uint32_t count =
        s->v->game->expand(s->v, p, (holos_edges){.edges = s->root_edges, .positions = s->roots});
    bool chosen = false;
    unsigned best = 0;
    for (unsigned again = 0; again < 2 && !chosen; again++)
        for (uint32_t i = 0; i < count; i++) {
            unsigned below;
            verdict found = claim_recall(s, position_at(s->v, s->roots, i), claim_after(c, s->root_edges[i]),
                                         again == 1, &below);
            if (found != PROVEN || below >= *height || (chosen && (c.theirs ? below <= best : below >= best)))
                continue;
            if (exact && c.theirs &&
                !reply_keeps(s, position_at(s->v, s->roots, i), c, s->root_edges[i], again == 1))
                continue;
            chosen = true;
            best = below;
            *choice = i;
        }
    *height = best;
    return chosen;
}

/* Follows a win or loss to where the rules or the boundary show it; *why is NULL, or why it ends before that. */
static size_t line_follow(proof_state *s, const holos_position *p, holos_value value, const char **why)
{
    int32_t banked = game_banked(s->v, p);
    bool theirs = value.hi - banked < 0;
    claim c = {.theirs = theirs, .least = theirs ? banked - value.hi : value.lo - banked};
    size_t length = 0;
    unsigned height = UINT16_MAX;
    uint32_t choice;
    memcpy(s->here, p, s->v->position_size);
    while (length < LINE_MOST && claim_look(s->v, s->known, s->here, c) == OPEN &&
           line_choose(s, s->here, c, value.lo == value.hi, &height, &choice)) {
        s->line[length++] = s->root_edges[choice].move;
        c = claim_after(c, s->root_edges[choice]);
        memcpy(s->here, position_at(s->v, s->roots, choice), s->v->position_size);
    }
    if (claim_look(s->v, s->known, s->here, c) == OPEN)
        *why = LINE_CUT;
    return length;
}

/* A move after which the other side cannot get more than the value leaves it. */
static size_t line_hold(proof_state *s, const holos_position *p, holos_value value)
{
    claim c = {.theirs = true, .least = 1 - (value.lo - game_banked(s->v, p))};
    uint32_t count =
        s->v->game->expand(s->v, p, (holos_edges){.edges = s->root_edges, .positions = s->roots});
    for (unsigned again = 0; again < 2; again++)
        for (uint32_t i = 0; i < count; i++) {
            unsigned height;
            const holos_position *q = position_at(s->v, s->roots, i);
            if (claim_recall(s, q, claim_after(c, s->root_edges[i]), again == 1, &height) != REFUTED)
                continue;
            s->line[0] = s->root_edges[i].move;
            return 1;
        }
    return 0;
}

static void line_solve(proof_state *s, const holos_position *p, holos_result *result)
{
    int32_t ahead = result->value.lo - game_banked(s->v, p);
    size_t length = 0;
    const char *why = NULL;
    if (ahead != 0)
        length = line_follow(s, p, result->value, &why);
    if (length == 0)
        length = line_hold(s, p, result->value);
    result_take_line(result, &s->options, s->line, length, s->best);
    result->line_end = s->options.line ? why : NULL;
}

/* ---- The engine -------------------------------------------------------------------------------- */

static holos_status proof_supports(const holos_variant *v, const holos_solver_options *options,
                                   holos_error *err)
{
    bool cyclic = (v->game->traits & HOLOS_TRAIT_CYCLIC) != 0;
    /* Unless it is named it is for games that go round, down to a boundary: otherwise distances are worth more. */
    if (options->engine == NULL && (options->boundary == NULL || !cyclic))
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "name the proof engine to use it without tables");
    if ((v->game->traits & HOLOS_TRAIT_PUZZLE) != 0)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE,
                         "the proof engine is for games for two; %s is a puzzle", v->name);
    return HOLOS_OK;
}

static void proof_close(void *state)
{
    proof_state *s = state;
    if (s == NULL)
        return;
    table_free(&s->table);
    arena_free(&s->memory);
    free(s);
}

static bool buffers_make(proof_state *s)
{
    size_t most = s->v->max_successors, frames = PROOF_DEPTH_MOST * sizeof *s->frames;
    s->frames = arena_alloc(&s->memory, frames);
    s->path = arena_alloc(&s->memory, PROOF_DEPTH_MOST * sizeof *s->path);
    s->on_path = arena_alloc(&s->memory, PROOF_PATH_PLACES);
    s->here = arena_alloc(&s->memory, s->v->position_size);
    s->roots = arena_alloc(&s->memory, most * s->v->position_size);
    s->root_edges = arena_alloc(&s->memory, most * sizeof *s->root_edges);
    s->values = arena_alloc(&s->memory, most * sizeof *s->values);
    s->moves = arena_alloc(&s->memory, most * sizeof *s->moves);
    s->best = arena_alloc(&s->memory, most * sizeof *s->best);
    s->line = arena_alloc(&s->memory, LINE_MOST * sizeof *s->line);
    if (s->frames == NULL || s->path == NULL || s->on_path == NULL || s->here == NULL || s->roots == NULL ||
        s->root_edges == NULL || s->values == NULL || s->moves == NULL || s->best == NULL || s->line == NULL)
        return false;
    memset(s->frames, 0, frames);
    memset(s->on_path, 0, PROOF_PATH_PLACES);
    return true;
}

static holos_status proof_open(const engine_task *task, void **state, holos_error *err)
{
    proof_state *s = calloc(1, sizeof *s);
    if (s == NULL)
        return error_system(err, "the proof engine");
    s->v = task->v;
    s->options = task->options;
    s->known = task->known;
    s->budget = task->budget;
    arena_init(&s->memory, s->budget, 1 << 20);
    /* A part for the table, more than half for regions, and something for the lines in hand. */
    size_t all = s->budget->limit != 0 ? mem_available(s->budget) : DEFAULT_MEMORY;
    s->hold_bytes = all / 2;
    holos_status status = table_init_cache(&s->table, s->budget, sizeof(proof_entry), all / 4, err);
    if (status == HOLOS_OK && !buffers_make(s))
        status = mem_error(err, task->budget, (size_t)1 << 20, "the proof engine");
    if (status != HOLOS_OK) {
        proof_close(s);
        return status;
    }
    *state = s;
    return HOLOS_OK;
}

static holos_status proof_solve(void *state, const holos_position *p, holos_result *result, holos_error *err)
{
    proof_state *s = state;
    limits_begin(&s->limits, &s->options.limits, s->budget);
    result->value = value_open(s, p);
    bool over = result->value.source == HOLOS_SOURCE_RULES;
    if (s->options.moves && !over)
        moves_solve(s, p, result);
    else
        for (uint64_t nodes = FIRST_TURN; value_turn(s, p, nodes, &result->value); nodes *= 2)
            ;
    value_finish(s, p, &result->value);
    const struct limits ended = s->limits;
    if (value_is_enough(s->v, &s->options, result->value) && !over) {
        limits_resume(&s->limits);
        line_solve(s, p, result);
    }
    result->nodes = s->limits.nodes;
    if (value_is_enough(s->v, &s->options, result->value) && (limits_go_on(&ended) || result->moves == NULL))
        return HOLOS_OK;
    holos_status failure = game_failed(s->v, err);
    return failure != HOLOS_OK ? failure : limits_error(&ended, "nodes", err);
}

const holos_engine proof_engine = {
    .name = "proof",
    .summary = "proof-number search, and closed regions for positions that can be held forever",
    .distances = ENGINE_DISTANCE_BY_SCORE,
    .supports = proof_supports,
    .open = proof_open,
    .close = proof_close,
    .solve = proof_solve,
};
