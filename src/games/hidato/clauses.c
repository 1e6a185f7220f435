/* SPDX-License-Identifier: MIT */

/* A component as clauses.
 *
 * There is a variable for every candidate; the candidates of a number, and those of a cell, are groups of which one is true.
 * A candidate needs one of the next number beside it, and one of the previous number. Where cells have four neighbours
 * there is also a variable for every way from one open cell to another: each cell has one way out and one way in. They
 * let a lemma speak of the path without saying which numbers it carries: minimal 10x10 boards take 101 conflicts with
 * them and 557 without. With eight neighbours it is 127 instead of 141, which does not pay for twice the clauses. */

#include "games/hidato/clauses.h"

#include "games/hidato/cdcl.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = 0 };

typedef struct encoder {
    hidato_part *part;
    const hidato_domains *d;
    cdcl *solver;
    uint32_t *begin; /* the first variable of a number's candidates, which follow by site */
    uint32_t *way;   /* variable + 1 of the way from a site in a direction */
    uint32_t variables;
    bool with_ways;
} encoder;

static bool is_ours(const encoder *e, unsigned number)
{
    return number >= 1 && number <= e->d->last && e->part->component_of[number] == e->part->component;
}

static bool is_open(const hidato_domains *d, unsigned site)
{
    return d->value_count[site] > 1;
}

/* The variable of a candidate that is there. */
static uint32_t variable_of(const encoder *e, unsigned number, unsigned site)
{
    const uint64_t *places = hidato_places(e->d, number);
    uint32_t rank = 0;
    for (unsigned word = 0; word < site / 64; word++)
        rank += (uint32_t)__builtin_popcountll(places[word]);
    rank += (uint32_t)__builtin_popcountll(places[site / 64] & ((UINT64_C(1) << site % 64) - 1));
    return e->begin[number] + rank;
}

static uint32_t positive(uint32_t variable)
{
    return 2 * variable;
}

static uint32_t negative(uint32_t variable)
{
    return 2 * variable + 1;
}

/* ---- Variables ------------------------------------------------------------------------------------- */

static bool is_our_site(const encoder *e, unsigned site)
{
    return is_open(e->d, site) && is_ours(e, set_first(hidato_values(e->d, site)));
}

static void count_candidates(encoder *e)
{
    for (unsigned number = 1; number <= e->d->last; number++) {
        e->begin[number] = e->variables;
        if (is_ours(e, number))
            e->variables += e->d->place_count[number];
    }
}

static void count_ways(encoder *e)
{
    const hidato_edges *edges = &e->part->state->edges;
    SET_EACH (site, e->d->grid.mask, e->d->grid.words) {
        if (!is_our_site(e, site))
            continue;
        for (unsigned open = edges->next[site]; open != 0; open &= open - 1) {
            unsigned direction = (unsigned)__builtin_ctz(open);
            if (is_our_site(e, edges->beside[site][direction]))
                e->way[site * HIDATO_DEGREE + direction] = ++e->variables;
        }
    }
}

/* ---- Candidates ------------------------------------------------------------------------------------- */

/* One of the group is true. */
static void add_choice(encoder *e, const uint32_t *variables, unsigned count)
{
    uint32_t literals[HIDATO_SITES];
    for (unsigned i = 0; i < count; i++)
        literals[i] = positive(variables[i]);
    cdcl_add_group(e->solver, variables, count);
    cdcl_add_clause(e->solver, literals, count);
}

static void add_numbers(encoder *e)
{
    uint32_t variables[HIDATO_SITES];
    for (unsigned number = 1; number <= e->d->last; number++) {
        unsigned count = e->d->place_count[number];
        if (!is_ours(e, number))
            continue;
        for (unsigned i = 0; i < count; i++) {
            variables[i] = e->begin[number] + i;
            cdcl_set_activity(e->solver, variables[i], 1.0 / count);
        }
        add_choice(e, variables, count);
    }
}

static void add_sites(encoder *e)
{
    uint32_t variables[HIDATO_PLACES];
    SET_EACH (site, e->d->grid.mask, e->d->grid.words) {
        unsigned count = 0;
        if (!is_our_site(e, site))
            continue;
        SET_EACH (number, hidato_values(e->d, site), e->d->value_words)
            variables[count++] = variable_of(e, number, site);
        add_choice(e, variables, count);
    }
}

/* The candidate needs one of `other`, the number before or after it, beside it. */
static void add_support(encoder *e, unsigned number, unsigned site, unsigned other)
{
    uint32_t literals[HIDATO_DEGREE + 1];
    unsigned count = 0;
    if (!is_ours(e, other))
        return;
    literals[count++] = negative(variable_of(e, number, site));
    for (unsigned i = 0; i < e->d->grid.degree[site]; i++) {
        unsigned beside = e->d->grid.neighbours[site][i];
        if (hidato_may(e->d, other, beside))
            literals[count++] = positive(variable_of(e, other, beside));
    }
    cdcl_add_clause(e->solver, literals, count);
}

static void add_supports(encoder *e)
{
    for (unsigned number = 1; number <= e->d->last; number++) {
        if (!is_ours(e, number))
            continue;
        SET_EACH (site, hidato_places(e->d, number), e->d->grid.words) {
            add_support(e, number, site, number - 1);
            add_support(e, number, site, number + 1);
        }
    }
}

/* ---- Ways ------------------------------------------------------------------------------------------- */

/* A way and a candidate at one end of it are a candidate at the other end. */
static void add_way_candidate(encoder *e, uint32_t way, unsigned number, unsigned site, unsigned next,
                              unsigned beside)
{
    uint32_t literals[3] = {negative(way), negative(variable_of(e, number, site))};
    if (!hidato_may(e->d, next, beside)) {
        cdcl_add_clause(e->solver, literals, 2);
        return;
    }
    literals[2] = positive(variable_of(e, next, beside));
    cdcl_add_clause(e->solver, literals, 3);
}

static void add_way(encoder *e, unsigned site, unsigned beside, uint32_t way)
{
    const hidato_domains *d = e->d;
    SET_EACH (number, hidato_values(d, site), d->value_words) {
        add_way_candidate(e, way, number, site, number + 1, beside);
        if (number < d->last && hidato_may(d, number + 1, beside)) {
            const uint32_t both[] = {negative(variable_of(e, number, site)),
                                     negative(variable_of(e, number + 1, beside)), positive(way)};
            cdcl_add_clause(e->solver, both, 3);
        }
    }
    SET_EACH (number, hidato_values(d, beside), d->value_words)
        add_way_candidate(e, way, number, beside, number - 1, site);
}

typedef struct ends {
    uint32_t variables[HIDATO_DEGREE], literals[HIDATO_DEGREE + 1];
    unsigned variable_count, literal_count;
} ends;

/* What leads from a site in one direction: a way to an open cell, or to a filled one the candidate next to it. */
static void ends_add(const encoder *e, ends *out, uint32_t way, unsigned site, unsigned beside, bool forward)
{
    const hidato_domains *d = e->d;
    if (way != NONE) {
        out->variables[out->variable_count++] = way - 1;
        out->literals[out->literal_count++] = positive(way - 1);
        return;
    }
    if (is_open(d, beside))
        return;
    unsigned filled = set_first(hidato_values(d, beside)), number = forward ? filled - 1 : filled + 1;
    if (number >= 1 && number <= d->last && hidato_may(d, number, site))
        out->literals[out->literal_count++] = positive(variable_of(e, number, site));
}

/* One way in or out, unless the path begins or ends here. */
static void ends_close(encoder *e, ends *s, unsigned site, unsigned end)
{
    if (hidato_may(e->d, end, site))
        s->literals[s->literal_count++] = positive(variable_of(e, end, site));
    cdcl_add_group(e->solver, s->variables, s->variable_count);
    cdcl_add_clause(e->solver, s->literals, s->literal_count);
}

static void add_ways(encoder *e)
{
    const hidato_edges *edges = &e->part->state->edges;
    static const unsigned counts[] = {[HIDATO_KING] = 8, [HIDATO_ROOK] = 4, [HIDATO_HEX] = 6};
    unsigned directions = counts[e->d->grid.kind];
    SET_EACH (site, e->d->grid.mask, e->d->grid.words) {
        if (!is_our_site(e, site))
            continue;
        ends out = {0}, in = {0};
        for (unsigned i = 0; i < directions; i++) {
            unsigned beside = edges->beside[site][i];
            if (beside == site)
                continue;
            uint32_t to = e->way[site * HIDATO_DEGREE + i];
            uint32_t from = e->way[beside * HIDATO_DEGREE + directions - 1 - i];
            ends_add(e, &out, to, site, beside, true);
            ends_add(e, &in, from, site, beside, false);
            if (to != NONE)
                add_way(e, site, beside, to - 1);
            if (to != NONE && from != NONE && site < beside)
                cdcl_add_clause(e->solver, (uint32_t[]){negative(to - 1), negative(from - 1)}, 2);
        }
        ends_close(e, &out, site, e->d->last);
        ends_close(e, &in, site, 1);
    }
}

/* ---- Solving ---------------------------------------------------------------------------------------- */

static bool go_on(void *context, const cdcl_statistics *so_far)
{
    hidato_run *run = context;
    run->limits.nodes = run->nodes_before + so_far->decisions;
    return limits_check(&run->limits); /* decisions differ too much in length to tell when to look */
}

/* Reads the model, and rules it out. */
static void take_solution(encoder *e, bool first)
{
    uint32_t literals[HIDATO_PLACES];
    unsigned count = 0;
    for (unsigned number = 1; number <= e->d->last; number++) {
        uint32_t variable = e->begin[number];
        if (!is_ours(e, number))
            continue;
        SET_EACH (site, hidato_places(e->d, number), e->d->grid.words) {
            if (cdcl_is_true(e->solver, variable)) {
                literals[count++] = negative(variable);
                if (first)
                    e->part->sites[number] = (uint16_t)site;
            }
            variable++;
        }
    }
    cdcl_add_clause(e->solver, literals, count);
}

static void solve_all(encoder *e, uint64_t limit)
{
    hidato_part *part = e->part;
    hidato_run *run = part->run;
    while (part->solutions < limit) {
        cdcl_result result = cdcl_solve(e->solver, go_on, run);
        part->exhausted = result == CDCL_UNSATISFIED;
        if (result == CDCL_NO_MEMORY) {
            run->failed = true;
            limits_stop_memory(&run->limits);
        }
        if (result != CDCL_SATISFIED)
            break;
        take_solution(e, part->solutions++ == 0);
    }
    const cdcl_statistics *statistics = cdcl_statistics_of(e->solver);
    run->nodes_before += statistics->decisions;
    run->limits.nodes = run->nodes_before;
    run->answer->conflicts += statistics->conflicts;
    if (statistics->depth > run->answer->depth)
        run->answer->depth = statistics->depth;
}

void hidato_solve_part(hidato_part *part, uint64_t limit)
{
    const hidato_domains *d = &part->state->d;
    encoder e = {.part = part, .d = d, .with_ways = d->grid.kind == HIDATO_ROOK};
    e.begin = calloc(d->last + 2u, sizeof *e.begin);
    e.way = calloc((size_t)d->grid.sites * HIDATO_DEGREE, sizeof *e.way);
    if (e.begin != NULL && e.way != NULL) {
        count_candidates(&e);
        if (e.with_ways)
            count_ways(&e);
        e.solver = cdcl_open(e.variables);
    }
    if (e.solver == NULL) {
        part->run->failed = true;
        limits_stop_memory(&part->run->limits);
    } else {
        add_numbers(&e);
        add_sites(&e);
        add_supports(&e);
        if (e.with_ways)
            add_ways(&e);
        solve_all(&e, limit);
        cdcl_close(e.solver);
    }
    free(e.begin);
    free(e.way);
}
