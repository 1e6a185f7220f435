/* SPDX-License-Identifier: MIT */

/* Closed regions: that a claim can be prevented for ever.
 *
 * A region is a set of positions in which the claimant moves, with an answer to every move: one that leads into the region
 * again, or to where the rules, the boundary or an earlier refutation prevent the claim. If there is always one, the claimant gets
 * no further whatever it plays, and a game that never ends is not what it claims. So this, and not a repetition on the
 * way, is what makes a draw of a fortress.
 *
 * The region grows from the position asked about, breadth first, with one answer to each move: one that comes back into
 * the region, if there is any. Where no answer is left the claimant has a proof; it is passed back to those that rely on
 * that position, and they choose again. The region stands when a pass over all that can be reached has found nothing new. */

#include "engine/proof/proof.h"

#define PROBE_NODES 24 /* of a search before an answer is trusted */

/* Where the claimant moves: its own number. Where the other side does: the answer's. */
typedef struct region_entry {
    uint32_t position;
    bool safe; /* the answer leaves the region for good */
} region_entry;

typedef struct region {
    proof_state *s;
    table index; /* of both kinds, by their claims */
    unsigned char *positions;
    claim *claims;
    uint16_t *heights; /* of the proof that the claimant has there; 0: none */
    uint32_t *stamps;  /* the last pass that came here */
    uint32_t *queue;   /* of this pass */
    uint32_t count, room, queued, pass;
    uint32_t first; /* where passes begin */
    bool full;
    holos_edges moves, answers;
    bool *tried; /* answers that have failed */
} region;

static holos_position *region_position(const region *r, uint32_t id)
{
    return position_at(r->s->v, (holos_position *)(void *)r->positions, id);
}

/* ---- Room -------------------------------------------------------------------------------------- */

static bool block_grow(const region *r, void *block, size_t size, uint32_t room)
{
    void **at = block;
    void *grown = mem_resize(r->s->budget, *at, r->room * size, room * size);
    if (grown == NULL)
        return false;
    *at = grown;
    return true;
}

static bool region_grow(region *r)
{
    uint32_t room = r->room + r->room / 2 + 1024;
    size_t bytes = (size_t)room * (r->s->v->position_size + 64);
    bool grown = room > r->room && bytes <= r->s->hold_bytes &&
                 block_grow(r, &r->positions, r->s->v->position_size, room) &&
                 block_grow(r, &r->claims, sizeof *r->claims, room) &&
                 block_grow(r, &r->heights, sizeof *r->heights, room) &&
                 block_grow(r, &r->stamps, sizeof *r->stamps, room) &&
                 block_grow(r, &r->queue, sizeof *r->queue, room);
    if (grown)
        r->room = room;
    r->full |= !grown;
    return grown;
}

static void region_free(region *r)
{
    mem_budget *b = r->s->budget;
    mem_free(b, r->positions, r->room * r->s->v->position_size);
    mem_free(b, r->claims, r->room * sizeof *r->claims);
    mem_free(b, r->heights, r->room * sizeof *r->heights);
    mem_free(b, r->stamps, r->room * sizeof *r->stamps);
    mem_free(b, r->queue, r->room * sizeof *r->queue);
    table_free(&r->index);
}

/* A position where the claimant moves, new in the region. UINT32_MAX: no memory. */
static uint32_t region_add(region *r, const holos_position *p, claim c, holos_key key)
{
    bool fresh;
    if (r->count == r->room && !region_grow(r))
        return UINT32_MAX;
    region_entry *e = table_insert(&r->index, key, &fresh);
    if (e == NULL) {
        r->full = true;
        return UINT32_MAX;
    }
    e->position = r->count;
    memcpy(region_position(r, r->count), p, r->s->v->position_size);
    r->claims[r->count] = c;
    r->heights[r->count] = 0;
    r->stamps[r->count] = 0;
    return r->count++;
}

static void enqueue(region *r, uint32_t id)
{
    if (r->stamps[id] == r->pass)
        return;
    r->stamps[id] = r->pass;
    r->queue[r->queued++] = id;
}

/* ---- Answers ----------------------------------------------------------------------------------- */

/* Whether the claimant wins at once, or nearly so, from where an answer would lead. */
static bool answer_fails(region *r, const holos_position *p, claim c, unsigned *height)
{
    proof_state *s = r->s;
    uint64_t end = s->turn_end;
    bool exhausted;
    verdict found = proof_search(s, p, c, PROBE_NODES, &exhausted);
    s->turn_end = end;
    if (found == PROVEN)
        proof_known(s, p, c, height);
    return found == PROVEN;
}

/* What is known of the place where an answer leads. */
static verdict answer_look(region *r, const holos_position *p, claim c, uint32_t *id, unsigned *height)
{
    verdict found = proof_known(r->s, p, c, height);
    *id = UINT32_MAX;
    if (found != OPEN)
        return found;
    const region_entry *e = table_find(&r->index, claim_key(r->s->v, p, c));
    if (e == NULL)
        return OPEN;
    *id = e->position;
    *height = r->heights[e->position];
    return *height > 0 ? PROVEN : OPEN;
}

typedef struct reply {
    verdict found; /* PROVEN: there is no answer */
    unsigned height;
    region_entry entry;
} reply;

static void reply_fail(reply *r, unsigned height)
{
    r->height = height > r->height ? height : r->height;
}

/* Takes an answer that leads out of the region for good or back into it. False: there is none; r->tried tells which have
 * failed, and *out how. */
static bool reply_return(region *r, uint32_t count, claim c, reply *out)
{
    uint32_t known = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++) {
        unsigned height;
        uint32_t id;
        verdict found = answer_look(r, position_at(r->s->v, r->answers.positions, i),
                                    claim_after(c, r->answers.edges[i]), &id, &height);
        if (found == REFUTED) {
            *out = (reply){.found = REFUTED, .entry = {.safe = true}};
            return true;
        }
        r->tried[i] = found == PROVEN;
        if (found == PROVEN)
            reply_fail(out, height);
        else if (id != UINT32_MAX && known == UINT32_MAX)
            known = id;
    }
    if (known != UINT32_MAX)
        *out = (reply){.found = OPEN, .entry = {.position = known}};
    return known != UINT32_MAX;
}

/* Chooses an answer where the other side is to move: what leads back is best, then what looks best. */
static reply reply_choose(region *r, const holos_position *p, claim c)
{
    const holos_variant *v = r->s->v;
    const holos_edge *edges = r->answers.edges;
    uint32_t count = v->game->expand(v, p, r->answers);
    reply out = {.found = PROVEN};
    if (reply_return(r, count, c, &out))
        return out;
    while (true) {
        uint32_t best = UINT32_MAX;
        unsigned height;
        for (uint32_t i = 0; i < count; i++)
            if (!r->tried[i] && (best == UINT32_MAX || edges[i].order > edges[best].order))
                best = i;
        if (best == UINT32_MAX)
            return out;
        r->tried[best] = true;
        const holos_position *q = position_at(v, r->answers.positions, best);
        claim after = claim_after(c, edges[best]);
        if (!answer_fails(r, q, after, &height))
            return (reply){.found = OPEN,
                           .entry = {.position = region_add(r, q, after, claim_key(v, q, after))}};
        reply_fail(&out, height);
    }
}

/* What there is against a move of the claimant; p is the position after it. */
static reply reply_find(region *r, const holos_position *p, claim c)
{
    unsigned height;
    bool fresh;
    verdict found = proof_known(r->s, p, c, &height);
    if (found != OPEN)
        return (reply){.found = found, .height = height, .entry = {.safe = true}};
    holos_key key = claim_key(r->s->v, p, c);
    const region_entry *there = table_find(&r->index, key);
    if (there != NULL && (there->safe || r->heights[there->position] == 0))
        return (reply){.found = there->safe ? REFUTED : OPEN, .entry = *there};
    reply chosen = reply_choose(r, p, c);
    if (chosen.found == PROVEN) {
        chosen.height++;
        proof_keep(r->s, key, PROVEN, chosen.height);
        return chosen;
    }
    if (chosen.entry.position == UINT32_MAX)
        return chosen;
    region_entry *e = table_insert(&r->index, key, &fresh);
    if (e == NULL)
        r->full = true;
    else
        *e = chosen.entry;
    return chosen;
}

/* ---- Passes ------------------------------------------------------------------------------------ */

static void position_prove(region *r, uint32_t id, unsigned height)
{
    r->heights[id] = (uint16_t)(height + 1);
    proof_keep(r->s, claim_key(r->s->v, region_position(r, id), r->claims[id]), PROVEN, height + 1);
}

/* Looks for an answer to every move of the claimant; where they lead comes next in this pass. False: there is a move without
 * one. */
static bool position_visit(region *r, uint32_t id)
{
    const holos_variant *v = r->s->v;
    claim c = r->claims[id];
    if (!proof_count(r->s))
        return true;
    uint32_t count = v->game->expand(v, region_position(r, id), r->moves);
    for (uint32_t i = 0; i < count; i++) {
        const holos_position *p = position_at(v, r->moves.positions, i);
        reply answer = reply_find(r, p, claim_after(c, r->moves.edges[i]));
        if (r->full)
            return true;
        if (answer.found == PROVEN) {
            position_prove(r, id, answer.height);
            return false;
        }
        if (answer.found == OPEN)
            enqueue(r, answer.entry.position);
    }
    return true;
}

static bool is_over(const region *r)
{
    return r->full || proof_is_over(r->s);
}

/* Everything that can be reached from the first position with the answers that are chosen now. Returns how many positions
 * turned out to be proven. */
static uint64_t region_pass(region *r)
{
    uint64_t proven = 0;
    r->pass++;
    r->queued = 0;
    enqueue(r, r->first);
    for (uint32_t i = 0; i < r->queued && !is_over(r); i++)
        if (r->heights[r->queue[i]] == 0)
            proven += !position_visit(r, r->queue[i]);
    return proven;
}

/* Passes what was proven back, from the last position to the first. The next pass does the rest. */
static void region_settle(region *r)
{
    for (uint32_t i = r->queued; i-- > 0 && !is_over(r);)
        if (r->heights[r->queue[i]] == 0)
            position_visit(r, r->queue[i]);
}

/* The region stands: the claim is refuted in every position of the last pass. */
static void region_keep(region *r)
{
    for (uint32_t i = 0; i < r->queued; i++) {
        uint32_t id = r->queue[i];
        proof_keep(r->s, claim_key(r->s->v, region_position(r, id), r->claims[id]), REFUTED, 0);
    }
}

static verdict region_run(region *r)
{
    while (!is_over(r)) {
        uint64_t proven = region_pass(r);
        if (r->heights[r->first] > 0)
            return PROVEN;
        if (proven == 0 && !is_over(r)) {
            region_keep(r);
            return REFUTED;
        }
        region_settle(r);
    }
    return r->heights[r->first] > 0 ? PROVEN : OPEN;
}

/* The other side moves first: its answers one after the other. */
static verdict region_run_answers(region *r, const holos_position *p, claim c)
{
    verdict found = OPEN;
    while (!is_over(r)) {
        reply answer = reply_find(r, p, c);
        if (answer.found != OPEN)
            return answer.found;
        if (r->full)
            return OPEN;
        r->first = answer.entry.position;
        found = region_run(r);
        if (found != PROVEN)
            break;
    }
    return found == PROVEN ? OPEN : found;
}

/* ---- A question -------------------------------------------------------------------------------- */

static bool region_open(region *r, holos_error *err)
{
    proof_state *s = r->s;
    size_t most = s->v->max_successors;
    if (s->hold_tried == NULL && edges_make(&s->hold_edges[0], &s->memory, s->v, most) &&
        edges_make(&s->hold_edges[1], &s->memory, s->v, most))
        s->hold_tried = arena_alloc(&s->memory, most * sizeof *s->hold_tried);
    if (s->hold_tried == NULL)
        return false;
    r->moves = s->hold_edges[0];
    r->answers = s->hold_edges[1];
    r->tried = s->hold_tried;
    return table_init(&r->index, s->budget, sizeof(region_entry), 1000, err) == HOLOS_OK;
}

verdict proof_hold(proof_state *s, const holos_position *p, claim c, uint64_t nodes, bool *exhausted)
{
    region r = {.s = s};
    verdict found = OPEN;
    proof_turn(s, nodes);
    r.full = !region_open(&r, NULL);
    holos_key key = claim_key(s->v, p, c);
    if (!r.full && c.theirs)
        found = region_run_answers(&r, p, c);
    else if (!r.full && region_add(&r, p, c, key) != UINT32_MAX)
        found = region_run(&r);
    if (found == REFUTED)
        proof_keep(s, key, REFUTED, 0);
    *exhausted = r.full;
    region_free(&r);
    return found;
}
