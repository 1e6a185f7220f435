/* SPDX-License-Identifier: MIT */

#include "games/hidato/cdcl.h"

#include "core/assert.h"
#include "core/list.h"

#include <stdlib.h>
#include <string.h>

enum {
    HEADER = 2,          /* words before the literals of a clause: its length and flags, its distance */
    RESTART_UNIT = 64,   /* conflicts, times Luby's sequence */
    REDUCE_FIRST = 2000, /* conflicts before the first half of the learned clauses goes */
    REDUCE_MORE = 500,   /* and so many more before each next time */
    KEEP_DISTANCE = 2,   /* clauses of so few decision levels stay for good */
    ASK_EVERY = 64,      /* decisions and conflicts between two questions whether to go on */
};

#define NO_REASON UINT32_MAX
#define NO_CLAUSE UINT32_MAX

#define ACTIVITY_DECAY 0.95
#define ACTIVITY_MOST  1e100

typedef enum value { UNKNOWN = 0, TRUE = 1, FALSE = 2 } value;

/* A clause that watches a literal. `blocker` is another literal of it: while that one is true, the clause need not be
 * looked at. */
typedef struct watch {
    uint32_t clause, blocker;
} watch;

typedef struct watch_list {
    watch *items;
    uint32_t count, room;
} watch_list;

typedef struct list {
    uint32_t *items;
    size_t count, room;
} list;

struct cdcl {
    unsigned variables;
    bool contradictory, failed; /* no model at all; out of memory */
    uint8_t *values;            /* of a literal */
    bool *phases;               /* what a variable was last, and is guessed to be */
    bool *seen;
    uint32_t *levels,
        *reasons; /* of a variable; a reason is a clause, shifted, or a literal, shifted, with bit 0 set */
    uint32_t (*groups_of)[CDCL_GROUPS]; /* where in `groups`; 0: none */
    list groups;                        /* length, variables; length, variables … from 1 on */
    list clauses;                       /* header, literals; … */
    list learned;                       /* clauses that may go */
    watch_list *watches;                /* of a literal: clauses to look at when it becomes false */
    uint32_t *trail;
    size_t trail_length, trail_read;
    list level_marks;
    /* Activities: a heap of variables, the most active on top. */
    double *activities;
    double activity_step;
    uint32_t *heap;
    int32_t *heap_at; /* -1: not in it */
    size_t heap_length;
    /* Of an analysis. */
    list conflict, lemma, marked;
    uint32_t *level_stamps;
    uint32_t stamp;
    uint64_t next_reduce, reductions;
    bool *model;
    cdcl_statistics statistics;
};

static uint32_t negate(uint32_t literal)
{
    return literal ^ 1;
}

/* ---- Lists -------------------------------------------------------------------------------------- */

static bool list_reserve(cdcl *c, list *l, size_t more)
{
    if (LIST_RESERVE(l->items, l->room, l->count + more))
        return true;
    c->failed = true;
    return false;
}

static void list_push(cdcl *c, list *l, uint32_t item)
{
    if (list_reserve(c, l, 1))
        l->items[l->count++] = item;
}

static void watch_push(cdcl *c, uint32_t literal, watch w)
{
    watch_list *l = &c->watches[literal];
    if (l->count == l->room) {
        uint32_t room = l->room != 0 ? l->room * 2 : 4;
        watch *items = realloc(l->items, room * sizeof *items);
        if (items == NULL) {
            c->failed = true;
            return;
        }
        l->items = items;
        l->room = room;
    }
    l->items[l->count++] = w;
}

/* ---- Activities --------------------------------------------------------------------------------- */

static bool is_more_active(const cdcl *c, uint32_t a, uint32_t b)
{
    double first = c->activities[a], second = c->activities[b];
    return first > second || (first == second && a < b);
}

static void heap_put(cdcl *c, size_t at, uint32_t variable)
{
    c->heap[at] = variable;
    c->heap_at[variable] = (int32_t)at;
}

static void heap_up(cdcl *c, size_t at)
{
    uint32_t variable = c->heap[at];
    while (at > 0 && is_more_active(c, variable, c->heap[(at - 1) / 2])) {
        heap_put(c, at, c->heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    heap_put(c, at, variable);
}

static void heap_down(cdcl *c, size_t at)
{
    uint32_t variable = c->heap[at];
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= c->heap_length)
            break;
        if (child + 1 < c->heap_length && is_more_active(c, c->heap[child + 1], c->heap[child]))
            child++;
        if (!is_more_active(c, c->heap[child], variable))
            break;
        heap_put(c, at, c->heap[child]);
        at = child;
    }
    heap_put(c, at, variable);
}

static void heap_add(cdcl *c, uint32_t variable)
{
    if (c->heap_at[variable] >= 0)
        return;
    heap_put(c, c->heap_length++, variable);
    heap_up(c, c->heap_length - 1);
}

static uint32_t heap_take(cdcl *c)
{
    uint32_t top = c->heap[0];
    c->heap_at[top] = -1;
    if (--c->heap_length > 0) {
        heap_put(c, 0, c->heap[c->heap_length]);
        heap_down(c, 0);
    }
    return top;
}

static void activity_bump(cdcl *c, uint32_t variable)
{
    c->activities[variable] += c->activity_step;
    if (c->activities[variable] > ACTIVITY_MOST) {
        for (uint32_t i = 0; i < c->variables; i++)
            c->activities[i] /= ACTIVITY_MOST;
        c->activity_step /= ACTIVITY_MOST;
    }
    if (c->heap_at[variable] >= 0)
        heap_up(c, (size_t)c->heap_at[variable]);
}

void cdcl_set_activity(cdcl *c, uint32_t variable, double activity)
{
    c->activities[variable] = activity;
    heap_up(c, (size_t)c->heap_at[variable]);
    heap_down(c, (size_t)c->heap_at[variable]);
}

/* ---- Opening ------------------------------------------------------------------------------------ */

cdcl *cdcl_open(unsigned variables)
{
    cdcl *c = calloc(1, sizeof *c);
    if (c == NULL)
        return NULL;
    size_t n = variables + 1u;
    c->variables = variables;
    c->values = calloc(2 * n, sizeof *c->values);
    c->phases = calloc(n, sizeof *c->phases);
    c->model = calloc(n, sizeof *c->model);
    c->seen = calloc(n, sizeof *c->seen);
    c->levels = calloc(n, sizeof *c->levels);
    c->reasons = calloc(n, sizeof *c->reasons);
    c->groups_of = calloc(n, sizeof *c->groups_of);
    c->watches = calloc(2 * n, sizeof *c->watches);
    c->trail = calloc(n, sizeof *c->trail);
    c->activities = calloc(n, sizeof *c->activities);
    c->heap = calloc(n, sizeof *c->heap);
    c->heap_at = calloc(n, sizeof *c->heap_at);
    c->level_stamps = calloc(n + 1, sizeof *c->level_stamps);
    if (c->values == NULL || c->phases == NULL || c->model == NULL || c->seen == NULL || c->levels == NULL ||
        c->reasons == NULL || c->groups_of == NULL || c->watches == NULL || c->trail == NULL ||
        c->activities == NULL || c->heap == NULL || c->heap_at == NULL || c->level_stamps == NULL) {
        cdcl_close(c);
        return NULL;
    }
    c->activity_step = 1;
    memset(c->phases, 1,
           n); /* a first guess says where a number is: 0.85 times the conflicts of one that says
                                where it is not */
    c->next_reduce = REDUCE_FIRST;
    for (uint32_t i = 0; i < variables; i++)
        heap_put(c, c->heap_length++, i);
    list_push(c, &c->groups, 0); /* so that 0 is no group */
    return c;
}

void cdcl_close(cdcl *c)
{
    for (size_t i = 0; c->watches != NULL && i < 2u * c->variables; i++)
        free(c->watches[i].items);
    void *const blocks[] = {c->values,
                            c->phases,
                            c->model,
                            c->seen,
                            c->levels,
                            c->reasons,
                            c->groups_of,
                            c->watches,
                            c->trail,
                            c->activities,
                            c->heap,
                            c->heap_at,
                            c->level_stamps,
                            c->groups.items,
                            c->clauses.items,
                            c->learned.items,
                            c->level_marks.items,
                            c->conflict.items,
                            c->lemma.items,
                            c->marked.items};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        free(blocks[i]);
    free(c);
}

/* ---- Assignments -------------------------------------------------------------------------------- */

static unsigned level_now(const cdcl *c)
{
    return (unsigned)c->level_marks.count;
}

static void assign(cdcl *c, uint32_t literal, uint32_t reason)
{
    uint32_t variable = literal / 2;
    c->values[literal] = TRUE;
    c->values[negate(literal)] = FALSE;
    c->levels[variable] = level_now(c);
    c->reasons[variable] = reason;
    c->trail[c->trail_length++] = literal;
}

static void backtrack(cdcl *c, unsigned level)
{
    if (level_now(c) <= level)
        return;
    size_t length = c->level_marks.items[level];
    while (c->trail_length > length) {
        uint32_t literal = c->trail[--c->trail_length], variable = literal / 2;
        c->values[literal] = c->values[negate(literal)] = UNKNOWN;
        c->phases[variable] = literal % 2 == 0;
        heap_add(c, variable);
    }
    c->trail_read = length;
    c->level_marks.count = level;
}

/* ---- Clauses ------------------------------------------------------------------------------------ */

static uint32_t clause_length(const cdcl *c, uint32_t clause)
{
    return c->clauses.items[clause];
}

static uint32_t *clause_literals(const cdcl *c, uint32_t clause)
{
    return c->clauses.items + clause + HEADER;
}

/* Stores a clause of two literals or more; its first two watch. */
static uint32_t clause_store(cdcl *c, const uint32_t *literals, unsigned count, uint32_t distance)
{
    if (!list_reserve(c, &c->clauses, count + HEADER))
        return NO_CLAUSE;
    uint32_t clause = (uint32_t)c->clauses.count;
    c->clauses.items[clause] = count;
    c->clauses.items[clause + 1] = distance;
    memcpy(clause_literals(c, clause), literals, count * sizeof *literals);
    c->clauses.count += count + HEADER;
    watch_push(c, literals[0], (watch){clause, literals[1]});
    watch_push(c, literals[1], (watch){clause, literals[0]});
    return clause;
}

void cdcl_add_group(cdcl *c, const uint32_t *variables, unsigned count)
{
    if (count < 2 || !list_reserve(c, &c->groups, count + 1))
        return;
    uint32_t at = (uint32_t)c->groups.count;
    c->groups.items[c->groups.count++] = count;
    for (unsigned i = 0; i < count; i++) {
        uint32_t *of = c->groups_of[variables[i]];
        unsigned k = 0;
        while (k < CDCL_GROUPS && of[k] != 0)
            k++;
        assert(k < CDCL_GROUPS);
        of[k] = at;
        c->groups.items[c->groups.count++] = variables[i];
    }
}

/* At level 0: true clauses are left out, false literals, too. */
void cdcl_add_clause(cdcl *c, const uint32_t *literals, unsigned count)
{
    backtrack(c, 0);
    c->lemma.count = 0;
    for (unsigned i = 0; i < count; i++) {
        if (c->values[literals[i]] == TRUE)
            return;
        if (c->values[literals[i]] == UNKNOWN)
            list_push(c, &c->lemma, literals[i]);
    }
    if (c->lemma.count == 0)
        c->contradictory = true;
    else if (c->lemma.count == 1)
        assign(c, c->lemma.items[0], NO_REASON);
    else
        clause_store(c, c->lemma.items, (unsigned)c->lemma.count, 0);
}

/* ---- Propagation -------------------------------------------------------------------------------- */

static void conflict_set(cdcl *c, const uint32_t *literals, size_t count)
{
    c->conflict.count = 0;
    if (!list_reserve(c, &c->conflict, count))
        return;
    memcpy(c->conflict.items, literals, count * sizeof *literals);
    c->conflict.count = count;
}

/* The literal is true: the others of its groups are false. */
static bool propagate_groups(cdcl *c, uint32_t literal)
{
    for (unsigned k = 0; k < CDCL_GROUPS; k++) {
        const uint32_t *group = c->groups.items + c->groups_of[literal / 2][k];
        uint32_t count = group[0];
        for (uint32_t i = 1; i <= count; i++) {
            uint32_t other = 2 * group[i];
            if (other == literal || c->values[other] == FALSE)
                continue;
            if (c->values[other] == TRUE) {
                conflict_set(c, (uint32_t[]){negate(literal), negate(other)}, 2);
                return false;
            }
            assign(c, negate(other), literal << 1 | 1);
        }
    }
    return true;
}

/* Looks at one clause, in which `gone` has become false: finds another watch, or concludes. */
typedef enum visit { VISIT_KEEP, VISIT_MOVED, VISIT_CONFLICT } visit;

static visit visit_clause(cdcl *c, watch *w, uint32_t gone)
{
    uint32_t *literals = clause_literals(c, w->clause), length = clause_length(c, w->clause);
    if (literals[0] == gone) {
        literals[0] = literals[1];
        literals[1] = gone;
    }
    w->blocker = literals[0];
    if (c->values[literals[0]] == TRUE)
        return VISIT_KEEP;
    for (uint32_t i = 2; i < length; i++)
        if (c->values[literals[i]] != FALSE) {
            literals[1] = literals[i];
            literals[i] = gone;
            watch_push(c, literals[1], *w);
            return VISIT_MOVED;
        }
    if (c->values[literals[0]] == FALSE) {
        conflict_set(c, literals, length);
        return VISIT_CONFLICT;
    }
    assign(c, literals[0], w->clause << 1);
    return VISIT_KEEP;
}

static bool propagate_clauses(cdcl *c, uint32_t gone)
{
    watch_list *l = &c->watches[gone];
    uint32_t kept = 0, i = 0;
    bool holds = true;
    if (l->count == 0)
        return true;
    for (; i < l->count && holds; i++) {
        watch w = l->items[i];
        if (c->values[w.blocker] == TRUE) {
            l->items[kept++] = w;
            continue;
        }
        visit v = visit_clause(c, &w, gone);
        if (v != VISIT_MOVED)
            l->items[kept++] = w;
        holds = v != VISIT_CONFLICT;
    }
    memmove(l->items + kept, l->items + i, (l->count - i) * sizeof *l->items);
    l->count -= i - kept;
    return holds;
}

static bool propagate(cdcl *c)
{
    while (c->trail_read < c->trail_length) {
        uint32_t literal = c->trail[c->trail_read++];
        c->statistics.propagations++;
        if (literal % 2 == 0 && !propagate_groups(c, literal))
            return false;
        if (!propagate_clauses(c, negate(literal)))
            return false;
    }
    return true;
}

/* ---- Learning ----------------------------------------------------------------------------------- */

/* What made a literal true: its reason's other literals, all false. */
typedef struct explanation {
    const uint32_t *literals;
    uint32_t count, single;
} explanation;

static void explain(const cdcl *c, uint32_t variable, explanation *out)
{
    uint32_t reason = c->reasons[variable];
    if (reason == NO_REASON) {
        out->literals = NULL;
        out->count = 0;
    } else if ((reason & 1) != 0) {
        out->single = negate(reason >> 1);
        out->literals = &out->single;
        out->count = 1;
    } else { /* a clause's first literal is the one that it made true */
        out->literals = clause_literals(c, reason >> 1) + 1;
        out->count = clause_length(c, reason >> 1) - 1;
    }
}

/* Marks what led to the conflict: what was decided earlier goes into the lemma, what is of the last level is counted. */
static unsigned mark_all(cdcl *c, const uint32_t *literals, size_t count)
{
    unsigned open = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t variable = literals[i] / 2;
        if (c->seen[variable] || c->levels[variable] == 0)
            continue;
        c->seen[variable] = true;
        list_push(c, &c->marked, variable);
        activity_bump(c, variable);
        if (c->levels[variable] == level_now(c))
            open++;
        else
            list_push(c, &c->lemma, literals[i]);
    }
    return open;
}

/* A literal of the lemma that follows from the others can be left out. */
static bool is_implied(cdcl *c, uint32_t literal, unsigned depth)
{
    explanation e;
    explain(c, literal / 2, &e);
    if (e.count == 0 || depth > 12)
        return false;
    for (uint32_t i = 0; i < e.count; i++) {
        uint32_t variable = e.literals[i] / 2;
        if (c->levels[variable] == 0 || c->seen[variable])
            continue;
        if (!is_implied(c, e.literals[i], depth + 1))
            return false;
        c->seen[variable] = true; /* it follows, too: the next question need not ask again */
        list_push(c, &c->marked, variable);
    }
    return true;
}

static void lemma_shorten(cdcl *c)
{
    size_t kept = 1;
    for (size_t i = 1; i < c->lemma.count; i++)
        if (!is_implied(c, c->lemma.items[i], 0))
            c->lemma.items[kept++] = c->lemma.items[i];
    c->lemma.count = kept;
}

/* The first unique implication point: c->lemma is what has been learned, its first literal the one that becomes true. */
static void analyze(cdcl *c)
{
    size_t at = c->trail_length;
    c->lemma.count = c->marked.count = 0;
    list_push(c, &c->lemma, 0);
    unsigned open = mark_all(c, c->conflict.items, c->conflict.count);
    for (;;) {
        do
            at--;
        while (!c->seen[c->trail[at] / 2]);
        if (--open == 0 || c->failed)
            break;
        explanation e;
        explain(c, c->trail[at] / 2, &e);
        open += mark_all(c, e.literals, e.count);
    }
    c->lemma.items[0] = negate(c->trail[at]);
    lemma_shorten(c);
    for (size_t i = 0; i < c->marked.count; i++)
        c->seen[c->marked.items[i]] = false;
}

static uint32_t lemma_distance(cdcl *c)
{
    uint32_t distance = 0;
    c->stamp++;
    for (size_t i = 0; i < c->lemma.count; i++) {
        uint32_t *stamp = &c->level_stamps[c->levels[c->lemma.items[i] / 2]];
        distance += *stamp != c->stamp;
        *stamp = c->stamp;
    }
    return distance;
}

/* Goes back to where the lemma says something new, and does what it says. */
static void learn(cdcl *c)
{
    uint32_t distance = lemma_distance(c), *lemma = c->lemma.items;
    unsigned level = 0;
    for (size_t i = 1; i < c->lemma.count; i++)
        if (c->levels[lemma[i] / 2] > level) {
            level = c->levels[lemma[i] / 2];
            uint32_t highest = lemma[i];
            lemma[i] = lemma[1];
            lemma[1] = highest;
        }
    backtrack(c, level);
    c->statistics.learned++;
    c->activity_step /= ACTIVITY_DECAY;
    if (c->lemma.count == 1) {
        assign(c, lemma[0], NO_REASON);
        return;
    }
    uint32_t clause = clause_store(c, lemma, (unsigned)c->lemma.count, distance);
    if (clause == NO_CLAUSE)
        return;
    if (distance > KEEP_DISTANCE)
        list_push(c, &c->learned, clause);
    assign(c, lemma[0], clause << 1);
}

/* ---- Forgetting ----------------------------------------------------------------------------------- */

static bool is_locked(const cdcl *c, uint32_t clause)
{
    uint32_t first = clause_literals(c, clause)[0];
    return c->values[first] == TRUE && c->reasons[first / 2] == clause << 1;
}

static uint32_t median_distance(const cdcl *c)
{
    size_t counts[64] = {0}, sum = 0;
    uint32_t distance = 0;
    for (size_t i = 0; i < c->learned.count; i++) {
        uint32_t d = c->clauses.items[c->learned.items[i] + 1];
        counts[d < 63 ? d : 63]++;
    }
    while (distance < 63 && (sum += counts[distance]) * 2 < c->learned.count)
        distance++;
    return distance;
}

static void watches_drop(cdcl *c, uint32_t literal)
{
    watch_list *l = &c->watches[literal];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < l->count; i++)
        if (clause_length(c, l->items[i].clause) != 0)
            l->items[kept++] = l->items[i];
    l->count = kept;
}

/* Forgets about half of the learned clauses: those that tie together the most levels, the older ones first. Their room is
 * not used again: a puzzle does not take long enough to need it. */
static void reduce(cdcl *c)
{
    uint32_t middle = median_distance(c);
    size_t kept = 0, goal = c->learned.count / 2, dropped = 0;
    for (size_t i = 0; i < c->learned.count; i++) {
        uint32_t clause = c->learned.items[i];
        if (dropped < goal && c->clauses.items[clause + 1] >= middle && !is_locked(c, clause)) {
            c->clauses.items[clause] = 0;
            dropped++;
        } else {
            c->learned.items[kept++] = clause;
        }
    }
    c->learned.count = kept;
    for (uint32_t literal = 0; literal < 2 * c->variables; literal++)
        watches_drop(c, literal);
    c->next_reduce = c->statistics.conflicts + REDUCE_FIRST + REDUCE_MORE * ++c->reductions;
}

/* ---- The search ----------------------------------------------------------------------------------- */

/* 1 1 2 1 1 2 4 1 1 2 … (Luby, Sinclair and Zuckerman 1993) */
static uint64_t luby(uint64_t i)
{
    uint64_t size = 1, power = 0;
    while (size < i + 1) {
        size = 2 * size + 1;
        power++;
    }
    while (size - 1 != i) {
        assert(size > 1); /* at 1, i is 0 */
        size = (size - 1) / 2;
        power--;
        i %= size;
    }
    return UINT64_C(1) << power;
}

/* False: every variable has a value. */
static bool decide(cdcl *c)
{
    while (c->heap_length > 0) {
        uint32_t variable = heap_take(c);
        if (c->values[2 * variable] != UNKNOWN)
            continue;
        list_push(c, &c->level_marks, (uint32_t)c->trail_length);
        c->statistics.decisions++;
        if (level_now(c) > c->statistics.depth)
            c->statistics.depth = level_now(c);
        assign(c, 2 * variable + !c->phases[variable], NO_REASON);
        return true;
    }
    return false;
}

static cdcl_result model_found(cdcl *c)
{
    for (uint32_t i = 0; i < c->variables; i++)
        c->model[i] = c->values[2 * i] == TRUE;
    return CDCL_SATISFIED;
}

cdcl_result cdcl_solve(cdcl *c, bool (*go_on)(void *context, const cdcl_statistics *so_far), void *context)
{
    uint64_t restart_at = c->statistics.conflicts + RESTART_UNIT * luby(c->statistics.restarts), steps = 0;
    while (!c->contradictory && !c->failed) {
        if (++steps % ASK_EVERY == 0 && !go_on(context, &c->statistics))
            return CDCL_STOPPED;
        if (!propagate(c)) {
            c->statistics.conflicts++;
            if (level_now(c) == 0) {
                c->contradictory = true;
                break;
            }
            analyze(c);
            if (!c->failed)
                learn(c);
            continue;
        }
        if (c->statistics.conflicts >= restart_at) {
            backtrack(c, 0);
            restart_at = c->statistics.conflicts + RESTART_UNIT * luby(++c->statistics.restarts);
            continue;
        }
        if (c->statistics.conflicts >= c->next_reduce)
            reduce(c);
        if (!decide(c))
            return model_found(c);
    }
    return c->failed ? CDCL_NO_MEMORY : CDCL_UNSATISFIED;
}

bool cdcl_is_true(const cdcl *c, uint32_t variable)
{
    return c->model[variable];
}

const cdcl_statistics *cdcl_statistics_of(const cdcl *c)
{
    return &c->statistics;
}
