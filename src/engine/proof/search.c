/* SPDX-License-Identifier: MIT */

/* Proof-number search, depth first (df-pn; Nagai 2002). The proof number of a claim is how many positions still have to be
 * proven, at least; the disproof number likewise. Where the claimant moves, one move is enough: the proof number is the least
 * of its moves'. The disproof number would be their sum; but moves lead to the same positions again and again, so it is the
 * greatest and one for each further open move (weak proof-number search; Ueda et al. 2008). The search goes where the
 * numbers are least, and stays there until another move looks better.
 *
 * Repetitions. A line that comes back to a position that stands above it proves nothing. For the side that wants to prevent
 * the claim it is as good as anything, but only as long as the way here is the same: so such a refutation carries the
 * least depth that it depends on, is never put into the table, and becomes a refutation for good at that depth: there
 * all its lines end in refutations or come back, and the other side can go round for ever. */

#include "engine/proof/proof.h"

#define INFINITE (UINT32_C(1) << 28)
#define NEVER    INT16_MAX /* a refutation that depends on nothing above */
#define TOO_DEEP (-1)      /* one that depends on lines that were not followed */

typedef proof_numbers numbers;
typedef proof_child child;

static const numbers proven_now = {.proof = 0, .disproof = INFINITE, .low = NEVER};
static const numbers refuted_now = {.proof = INFINITE, .disproof = 0, .low = NEVER};

/* ---- The table --------------------------------------------------------------------------------- */

/* What is settled is worth more than any effort that was not. */
static uint32_t entry_worth(const void *payload)
{
    const proof_entry *e = payload;
    uint32_t effort = e->effort < 1u << 30 ? e->effort : 1u << 30;
    return e->verdict != OPEN ? effort + (effort < 1u << 20 ? 1u << 12 : 0) : effort;
}

verdict proof_known(const proof_state *s, const holos_position *p, claim c, unsigned *height)
{
    verdict found = claim_look(s->v, s->known, p, c);
    *height = 0;
    if (found != OPEN)
        return found;
    const proof_entry *e = table_find(&s->table, claim_key(s->v, p, c));
    if (e == NULL)
        return OPEN;
    *height = e->height;
    return e->verdict;
}

void proof_keep(proof_state *s, holos_key key, verdict found, unsigned height)
{
    proof_entry *e = table_replace(&s->table, key, entry_worth);
    if (e->verdict == PROVEN && e->height <= height)
        return;
    e->verdict = (uint8_t)found;
    e->height = (uint16_t)height;
    e->proof = found == PROVEN ? 0 : INFINITE;
    e->disproof = found == PROVEN ? INFINITE : 0;
}

static void numbers_keep(proof_state *s, holos_key key, numbers n, int depth, uint64_t effort)
{
    bool refuted = n.disproof == 0;
    if (n.proof == 0 || (refuted && n.low >= depth)) {
        proof_keep(s, key, n.proof == 0 ? PROVEN : REFUTED, n.height);
    } else if (!refuted) {
        proof_entry *e = table_replace(&s->table, key, entry_worth);
        if (e->verdict != OPEN)
            return;
        e->proof = n.proof;
        e->disproof = n.disproof;
    }
    proof_entry *e = table_find(&s->table, key);
    if (e != NULL)
        e->effort = effort < UINT32_MAX - e->effort ? e->effort + (uint32_t)effort : UINT32_MAX;
}

static bool numbers_find(const proof_state *s, holos_key key, numbers *out)
{
    const proof_entry *e = table_find(&s->table, key);
    if (e == NULL || (e->proof == 0 && e->disproof == 0))
        return false;
    *out = (numbers){.proof = e->proof, .disproof = e->disproof, .height = e->height, .low = NEVER};
    return true;
}

/* ---- The path ---------------------------------------------------------------------------------- */

static uint8_t *path_place(const proof_state *s, holos_key key)
{
    return &s->on_path[(key.lo ^ key.hi) & (PROOF_PATH_PLACES - 1)];
}

static void path_enter(proof_state *s, unsigned depth, holos_key key)
{
    s->path[depth] = key;
    ++*path_place(s, key);
}

static void path_leave(proof_state *s, unsigned depth)
{
    --*path_place(s, s->path[depth]);
}

/* The depth at which a claim stands above, or -1. */
static int path_find(const proof_state *s, unsigned depth, holos_key key)
{
    if (*path_place(s, key) == 0)
        return -1;
    for (unsigned i = 0; i <= depth; i++)
        if (holos_key_equal(s->path[i], key))
            return (int)i;
    return -1;
}

/* ---- Frames ------------------------------------------------------------------------------------ */

static proof_frame *frame_at(proof_state *s, unsigned depth)
{
    size_t most = s->v->max_successors;
    proof_frame *f = &s->frames[depth];
    if (f->children != NULL)
        return f;
    if (edges_make(&f->successors, &s->memory, s->v, most))
        f->children = arena_alloc(&s->memory, most * sizeof *f->children);
    if (f->children != NULL)
        return f;
    limits_stop_memory(&s->limits);
    return NULL;
}

/* A position that was never looked at: each of its moves is one more thing to settle. */
static numbers numbers_guess(const proof_state *s, const holos_position *p, claim c)
{
    uint32_t moves = s->v->game->expand(s->v, p, (holos_edges){0});
    return (numbers){.proof = c.theirs ? moves : 1, .disproof = c.theirs ? 1 : moves, .low = NEVER};
}

/* What is known of a successor before it is searched. */
static void child_begin(proof_state *s, const holos_position *p, claim c, unsigned depth, child *out)
{
    verdict found = claim_look(s->v, s->known, p, c);
    out->claim = c;
    out->n = found == PROVEN ? proven_now : refuted_now;
    if (found != OPEN)
        return;
    out->key = claim_key(s->v, p, c);
    int above = path_find(s, depth, out->key);
    if (above >= 0)
        out->n.low = (int16_t)above;
    else if (!numbers_find(s, out->key, &out->n))
        out->n = numbers_guess(s, p, c);
}

static bool child_is_open(const child *c)
{
    return c->n.proof != 0 && c->n.disproof != 0;
}

static proof_frame *frame_begin(proof_state *s, const holos_position *p, claim c, unsigned depth)
{
    proof_frame *f = frame_at(s, depth);
    if (f == NULL)
        return NULL;
    f->count = s->v->game->expand(s->v, p, f->successors);
    for (uint32_t i = 0; i < f->count; i++) {
        child_begin(s, position_at(s->v, f->successors.positions, i), claim_after(c, f->successors.edges[i]),
                    depth, &f->children[i]);
        bool settles = c.theirs ? f->children[i].n.disproof == 0 && f->children[i].n.low == NEVER
                                : f->children[i].n.proof == 0;
        if (settles) /* the others do not matter */
            f->count = i + 1;
    }
    return f;
}

/* Other lines may have settled a successor by now, or know more of it. */
static void frame_refresh(const proof_state *s, proof_frame *f)
{
    for (uint32_t i = 0; i < f->count; i++)
        if (child_is_open(&f->children[i]))
            numbers_find(s, f->children[i].key, &f->children[i].n);
}

/* ---- From successors --------------------------------------------------------------------------- */

/* Where one move is enough for `least`, all are needed for `rest`. */
typedef struct summary {
    uint32_t least, second; /* of what one move is enough for: the least, and the next one */
    uint32_t rest;          /* what is left of what needs all moves */
    uint32_t choice;
    uint32_t open;
} summary;

static uint32_t number_of(const child *c, bool disproof)
{
    return disproof ? c->n.disproof : c->n.proof;
}

/* Looks at all moves; `disproof`: one move is enough for a disproof, since the other side is to move. */
static summary frame_sum(const proof_frame *f, bool disproof)
{
    summary sum = {.least = INFINITE, .second = INFINITE};
    int best_order = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        uint32_t one = number_of(&f->children[i], disproof), all = number_of(&f->children[i], !disproof);
        int order = f->successors.edges[i].order;
        if (all > 0)
            sum.open++;
        sum.rest = all > sum.rest ? all : sum.rest;
        if (one < sum.least || (one == sum.least && one < INFINITE && order > best_order)) {
            sum.second = sum.least;
            sum.least = one;
            sum.choice = i;
            best_order = order;
        } else if (one < sum.second) {
            sum.second = one;
        }
    }
    if (sum.open > 1 && sum.rest < INFINITE)
        sum.rest += sum.open - 1;
    return sum;
}

/* The height of a proof, and what a refutation depends on. */
static numbers frame_numbers(const proof_frame *f, claim c, const summary *sum)
{
    numbers n = {.proof = c.theirs ? sum->rest : sum->least,
                 .disproof = c.theirs ? sum->least : sum->rest,
                 .low = NEVER};
    if (n.proof == 0) {
        uint16_t height = c.theirs ? 0 : UINT16_MAX - 1;
        for (uint32_t i = 0; i < f->count; i++) {
            const numbers *m = &f->children[i].n;
            if (m->proof == 0 && (c.theirs ? m->height > height : m->height < height))
                height = m->height;
        }
        n.height = (uint16_t)(height + 1);
    } else if (n.disproof == 0) {
        n.low = c.theirs ? TOO_DEEP : NEVER;
        for (uint32_t i = 0; i < f->count; i++) {
            const numbers *m = &f->children[i].n;
            if (m->disproof == 0 && (c.theirs ? m->low > n.low : m->low < n.low))
                n.low = m->low;
        }
    }
    return n;
}

/* How far the search of the chosen move may go: until another move looks better by a fourth, or the position as a
 * whole passes the caller's thresholds. */
static numbers thresholds_below(numbers most, claim c, const summary *sum)
{
    uint32_t all_most = c.theirs ? most.proof : most.disproof,
             one_most = c.theirs ? most.disproof : most.proof;
    uint32_t one = sum->second < INFINITE ? sum->second + sum->second / 4 + 1 : INFINITE;
    one = one < one_most ? one : one_most;
    uint32_t others = sum->open - 1, all = all_most > others ? all_most - others : 1;
    return (numbers){.proof = c.theirs ? all : one, .disproof = c.theirs ? one : all};
}

/* ---- The search -------------------------------------------------------------------------------- */

/* Searches a claim that is not settled until one of its numbers reaches its threshold. `depth` is that of its frame. */
static numbers search(proof_state *s, const holos_position *p, holos_key key, claim c, unsigned depth,
                      numbers most)
{
    uint64_t before = s->limits.nodes;
    numbers n = {.proof = 1, .disproof = 1, .low = NEVER};
    if (depth == PROOF_DEPTH_MOST)
        return (numbers){.proof = INFINITE, .disproof = 0, .low = TOO_DEEP};
    if (!proof_count(s))
        return n;
    path_enter(s, depth, key);
    proof_frame *f = frame_begin(s, p, c, depth);
    while (f != NULL) {
        summary sum = frame_sum(f, c.theirs);
        n = frame_numbers(f, c, &sum);
        if (n.proof >= most.proof || n.disproof >= most.disproof || n.proof == 0 || n.disproof == 0)
            break;
        child *next = &f->children[sum.choice];
        next->n = search(s, position_at(s->v, f->successors.positions, sum.choice), next->key, next->claim,
                         depth + 1, thresholds_below(most, c, &sum));
        if (proof_is_over(s))
            break;
        frame_refresh(s, f);
    }
    path_leave(s, depth);
    if (f != NULL)
        numbers_keep(s, key, n, (int)depth, s->limits.nodes - before);
    if (n.disproof == 0 && n.low >= (int)depth)
        n.low = NEVER;
    return n;
}

verdict proof_search(proof_state *s, const holos_position *p, claim c, uint64_t nodes, bool *exhausted)
{
    unsigned height;
    verdict found = proof_known(s, p, c, &height);
    *exhausted = false;
    if (found != OPEN)
        return found;
    proof_turn(s, nodes);
    numbers most = {.proof = INFINITE, .disproof = INFINITE};
    numbers n = search(s, p, claim_key(s->v, p, c), c, 0, most);
    if (n.proof == 0)
        return PROVEN;
    *exhausted = n.disproof == 0 && n.low < 0;
    return n.disproof == 0 && n.low >= 0 ? REFUTED : OPEN;
}
