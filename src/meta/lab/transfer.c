/* SPDX-License-Identifier: MIT */

/* Layer 3: does a rule for choosing seeds that wins on one game win on another? Each rule picks a few seeds of the same pool by one
 * feature that every game has. */

#include "meta/lab/experiments.h"
#include "meta/lab/sample.h"
#include "meta/strategy.h"

#include <stdlib.h>

#define QUICK_POOL 16
#define FULL_POOL  48
#define PLIES      10
#define DEPTH      2
#define SEEDS      5
#define NODES      5000
#define SUBJECTS   16

typedef struct trait {
    double plies, moves, forcing, predecessors, chance;
} trait;

/* Higher is taken first. */
static double rule_early(const trait *t)
{
    return -t->plies;
}
static double rule_late(const trait *t)
{
    return t->plies;
}
static double rule_many(const trait *t)
{
    return t->moves;
}
static double rule_few(const trait *t)
{
    return -t->moves;
}
static double rule_forcing(const trait *t)
{
    return t->forcing;
}
static double rule_back(const trait *t)
{
    return t->predecessors;
}
static double rule_random(const trait *t)
{
    return t->chance;
}

static const struct {
    const char *name;
    double (*rank)(const trait *t);
} rules[] = {{"early", rule_early},           {"late", rule_late},
             {"many moves", rule_many},       {"few moves", rule_few},
             {"forcing moves", rule_forcing}, {"many ways back", rule_back},
             {"at random", rule_random}};

enum { RULES = sizeof rules / sizeof *rules };

/* What all subjects of a run add up to. */
typedef struct transfer {
    lab_sheet sheet; /* first: visits see it as this */
    double share[SUBJECTS][RULES];
    char names[SUBJECTS][64];
    size_t count;
} transfer;

static holos_status trait_of(const holos_variant *v, const holos_position *p, unsigned plies, rng *r,
                             trait *out, holos_error *err)
{
    uint32_t room = v->max_successors > v->max_predecessors ? v->max_successors : v->max_predecessors;
    holos_edge *edges = malloc((room + 1) * sizeof *edges);
    if (edges == NULL)
        return error_system(err, "a sample");
    *out = (trait){.plies = plies, .chance = rng_double(r)};
    uint32_t count = v->game->expand(v, p, (holos_edges){.edges = edges});
    out->moves = count;
    for (uint32_t i = 0; i < count; i++)
        out->forcing += (edges[i].flags & HOLOS_EDGE_FORCING) != 0;
    if (v->game->back != NULL && v->max_predecessors > 0)
        out->predecessors = v->game->back->predecessors(v, p, (holos_edges){.edges = edges});
    free(edges);
    return HOLOS_OK;
}

/* The seeds that a rule takes, as a set; earlier ones of equal rank first. */
static uint64_t rule_take(const trait *traits, size_t count, double (*rank)(const trait *t))
{
    uint64_t set = 0;
    for (unsigned taken = 0; taken < SEEDS; taken++) {
        size_t best = SIZE_MAX;
        for (size_t i = 0; i < count; i++)
            if ((set >> i & 1) == 0 && (best == SIZE_MAX || rank(&traits[i]) > rank(&traits[best])))
                best = i;
        set |= UINT64_C(1) << best;
    }
    return set;
}

static holos_status pool_cover(lab_place *p, const lab_sample *sample, rng *r, strategy_pool *pool,
                               trait *traits, holos_error *err)
{
    holos_status status = HOLOS_OK;
    for (size_t i = 0; status == HOLOS_OK && i < sample->count; i++) {
        cover_task task = {.v = p->v,
                           .position = lab_sample_at(sample, i),
                           .depth = DEPTH,
                           .mode = HOLOS_WAVE_WAVE,
                           .direction = HOLOS_TACTIC_BOTH,
                           .nodes = NODES,
                           .stop = p->task->limits->stop};
        status = cover_measure(&task, &pool->covers[pool->count++], err);
        if (status == HOLOS_OK)
            status = trait_of(p->v, task.position, sample->plies[i], r, &traits[i], err);
        if (status == HOLOS_OK)
            status = lab_go_on(p, err);
    }
    return status == HOLOS_OK ? strategy_pool_count(pool, NULL, 0, err) : status;
}

static void rules_compare(lab_place *p, const strategy_pool *pool, const trait *traits)
{
    transfer *t = (transfer *)(void *)p->sheet;
    double all = pool->universe > 0 ? (double)pool->universe : 1;
    if (t->count == SUBJECTS)
        return;
    text name;
    text_init_fixed(&name, t->names[t->count], sizeof t->names[0]);
    text_string(&name, p->v->name);
    for (size_t i = 0; i < RULES; i++) {
        uint64_t set = rule_take(traits, pool->count, rules[i].rank), cost = strategy_cost(pool, set);
        double share = 100.0 * (double)strategy_covered(pool, set) / all;
        double efficiency = cost > 0 ? (double)strategy_covered(pool, set) / (double)cost : 0;
        t->share[t->count][i] = share;
        lab_row(p->sheet, "%s|%s|%.1f|%llu|%.2f", p->label, rules[i].name, share, (unsigned long long)cost,
                efficiency);
        lab_point_add(p->sheet, p->label, (double)i, share);
    }
    t->count++;
}

static holos_status transfer_visit(lab_place *p, holos_error *err)
{
    trait traits[FULL_POOL];
    lab_sample sample = {0};
    strategy_pool *pool = malloc(sizeof *pool);
    rng r;
    rng_init(&r, p->task->seed, 3);
    if (pool == NULL)
        return error_system(err, "a strategy");
    strategy_pool_init(pool);
    holos_status status =
        lab_sample_draw(&sample, p, &r, p->task->quick ? QUICK_POOL : FULL_POOL, PLIES, false, err);
    if (status == HOLOS_OK)
        status = pool_cover(p, &sample, &r, pool, traits, err);
    if (status == HOLOS_OK)
        rules_compare(p, pool, traits);
    strategy_pool_free(pool);
    free(pool);
    lab_sample_free(&sample);
    return status;
}

static size_t winner_of(const double *shares)
{
    size_t best = 0;
    for (size_t i = 1; i < RULES; i++)
        best = shares[i] > shares[best] ? i : best;
    return best;
}

/* Of all pairs of games: how often does the winner of one win on the other, and what does it lose if not? */
static void transfer_tell(transfer *t)
{
    unsigned pairs = 0, kept = 0;
    double loss = 0;
    text *f = &t->sheet.finding;
    for (size_t i = 0; i < t->count; i++)
        text_printf(f, "%s: \"%s\" wins with %.1f %%. ", t->names[i], rules[winner_of(t->share[i])].name,
                    t->share[i][winner_of(t->share[i])]);
    for (size_t a = 0; a < t->count; a++)
        for (size_t b = 0; b < t->count; b++) {
            if (a == b)
                continue;
            size_t won = winner_of(t->share[a]), best = winner_of(t->share[b]);
            pairs++;
            kept += won == best;
            loss += t->share[b][best] - t->share[b][won];
        }
    if (pairs > 0)
        text_printf(f,
                    "The winner of one game wins on another in %u of %u pairs (by chance: %.1f), and covers "
                    "%.1f points less "
                    "than the best rule there on average: %s.",
                    kept, pairs, (double)pairs / RULES, loss / pairs,
                    kept * RULES > 2 * pairs ? "what wins transfers more often than chance"
                                             : "what wins on one game says little about another");
}

static holos_status transfer_run(const experiment_task *task, text *out, holos_experiment_result *result,
                                 holos_error *err)
{
    static const char *const columns[] = {"subject", "rule", "percent", "cost", "per_cost", NULL};
    transfer *t = calloc(1, sizeof *t);
    (void)result;
    if (t == NULL)
        return error_system(err, "the experiment");
    lab_sheet_init(&t->sheet, columns, "Rules for choosing seeds, by game",
                   "0 early, 1 late, 2 many moves, 3 few, 4 forcing, 5 ways back, 6 random",
                   "percent covered by 5 seeds");
    holos_status status = lab_visit(task, "transfer", &t->sheet, transfer_visit, err);
    if (status == HOLOS_OK) {
        transfer_tell(t);
        status = lab_sheet_end(&t->sheet, task, out, err);
    }
    lab_sheet_free(&t->sheet);
    free(t);
    return status;
}

const holos_experiment lab_transfer = {
    .name = "transfer",
    .summary = "layer 3: does a rule for choosing seeds that wins on one game win on another?",
    .over_games = true,
    .run = transfer_run};
