/* SPDX-License-Identifier: MIT */

/* Games that a program brings along. They are walks on random graphs: whoever stands at a node without an edge has lost, or
 * won, and an independent attractor computation says what every node is worth. */

#include "unit.h"

#include "core/rng.h"

#define NODES  48
#define DEGREE 3

typedef struct place {
    uint32_t node, side;
    uint64_t unused;
} place;

typedef struct graph {
    unsigned edges[NODES][DEGREE], degree[NODES];
    int end[NODES]; /* of a node without an edge: its score */
    bool cyclic;
    int calls, fail_at; /* the function that is called as the fail_at-th fails; 0: none does */
    int closed;
    int value[NODES]; /* of every node, by attractors */
} graph;

/* ---- The game ---------------------------------------------------------------------------------- */

static holos_status called(graph *g, holos_error *err)
{
    if (g->fail_at == 0 || ++g->calls != g->fail_at)
        return HOLOS_OK;
    snprintf(err->message, sizeof err->message, "call %d", g->fail_at);
    return err->code = HOLOS_BAD_FILE;
}

static holos_status walk_start(void *context, void *out, holos_error *err)
{
    ((place *)out)->node = NODES - 1;
    return called(context, err);
}

static holos_status walk_moves(void *context, const void *position, holos_custom_move *out, void *positions,
                               uint32_t *count, holos_error *err)
{
    graph *g = context;
    const place *p = position;
    for (unsigned i = 0; i < g->degree[p->node]; i++) {
        out[i].move = i;
        ((place *)positions)[i] = (place){.node = g->edges[p->node][i], .side = p->side ^ 1};
    }
    *count = g->degree[p->node];
    return called(g, err);
}

static holos_status walk_terminal(void *context, const void *position, bool *over, int32_t *score,
                                  holos_error *err)
{
    graph *g = context;
    const place *p = position;
    *over = g->degree[p->node] == 0;
    *score = g->end[p->node];
    return called(g, err);
}

static holos_status walk_side(void *context, const void *position, unsigned *side, holos_error *err)
{
    *side = ((const place *)position)->side;
    return called(context, err);
}

/* Who is to move makes no difference to what is to come. */
static holos_status walk_canonical(void *context, const void *position, void *out, holos_error *err)
{
    (void)position;
    ((place *)out)->side = 0;
    return called(context, err);
}

static holos_status walk_unmoves(void *context, const void *position, void *positions, uint32_t *count,
                                 holos_error *err)
{
    graph *g = context;
    const place *p = position;
    for (unsigned node = 0; node < NODES; node++) {
        bool leads = false;
        for (unsigned i = 0; i < g->degree[node]; i++)
            leads |= g->edges[node][i] == p->node;
        if (leads)
            ((place *)positions)[(*count)++] = (place){.node = node, .side = p->side ^ 1};
    }
    return called(g, err);
}

static holos_status walk_parse(void *context, const char *string, void *out, holos_error *err)
{
    place *p = out;
    int end = 0;
    if (sscanf(string, "%2u/%1u%n", &p->node, &p->side, &end) != 2 || string[end] != 0 || p->node >= NODES ||
        p->side > 1) {
        snprintf(err->message, sizeof err->message, "expected a node and a side: 7/1");
        err->at = 0;
        return HOLOS_BAD_POSITION;
    }
    return called(context, err);
}

static holos_status walk_format(void *context, const void *position, char *out, size_t size, holos_error *err)
{
    const place *p = position;
    snprintf(out, size, "%u/%u", p->node, p->side);
    return called(context, err);
}

/* An acyclic graph has its nodes in the order of the numbers, so tiers of four are fine. */
static holos_status walk_rank(void *context, const void *position, uint32_t *tier, uint64_t *index,
                              holos_error *err)
{
    graph *g = context;
    const place *p = position;
    *tier = g->cyclic ? 0 : p->node / 4;
    *index = g->cyclic ? p->node : p->node % 4;
    return called(g, err);
}

static holos_status walk_unrank(void *context, uint32_t tier, uint64_t index, void *out, holos_error *err)
{
    ((place *)out)->node = (uint32_t)(tier * 4 + index);
    return called(context, err);
}

static void walk_close(void *context)
{
    ((graph *)context)->closed++;
}

static holos_custom description(graph *g)
{
    static const uint64_t fours[NODES / 4] = {4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4}, all[1] = {NODES};
    return (holos_custom){.name = "walk",
                          .variant = g->cyclic ? "round" : "down",
                          .traits = g->cyclic ? HOLOS_TRAIT_CYCLIC : 0,
                          .position_size = sizeof(place),
                          .most_moves = DEGREE,
                          .most_unmoves = NODES * DEGREE,
                          .score_min = -1,
                          .score_max = 1,
                          .context = g,
                          .start = walk_start,
                          .moves = walk_moves,
                          .terminal = walk_terminal,
                          .side = walk_side,
                          .canonical = walk_canonical,
                          .unmoves = walk_unmoves,
                          .parse = walk_parse,
                          .format = walk_format,
                          .tiers = g->cyclic ? 1 : NODES / 4,
                          .tier_sizes = g->cyclic ? all : fours,
                          .rank = walk_rank,
                          .unrank = walk_unrank,
                          .close = walk_close};
}

/* ---- What every node is worth ------------------------------------------------------------------ */

/* Whether a node is settled as a win (1) or a loss (-1) by its neighbours; 0: not yet. */
static int node_settle(const graph *g, unsigned node)
{
    bool all = true;
    for (unsigned i = 0; i < g->degree[node]; i++) {
        int next = g->value[g->edges[node][i]];
        if (next == -1)
            return 1;
        all &= next == 1;
    }
    return all ? -1 : 0;
}

static void graph_solve(graph *g)
{
    bool changed = true;
    for (unsigned node = 0; node < NODES; node++)
        g->value[node] = g->degree[node] == 0 ? g->end[node] : 0;
    while (changed) {
        changed = false;
        for (unsigned node = 0; node < NODES; node++) {
            if (g->degree[node] == 0 || g->value[node] != 0)
                continue;
            g->value[node] = node_settle(g, node);
            changed |= g->value[node] != 0;
        }
    }
}

static bool has_edge(const graph *g, unsigned node, unsigned target)
{
    for (unsigned i = 0; i < g->degree[node]; i++)
        if (g->edges[node][i] == target)
            return true;
    return false;
}

static graph graph_make(uint64_t seed, bool cyclic)
{
    rng r;
    graph g = {.cyclic = cyclic};
    rng_init(&r, seed, 0);
    for (unsigned node = 0; node < NODES; node++) {
        unsigned room = cyclic ? NODES : node;
        g.end[node] = cyclic ? -1 : (int)rng_below(&r, 3) - 1;
        for (unsigned i = 0; room > 0 && i < DEGREE && rng_below(&r, 8) > 0; i++) {
            unsigned target = (unsigned)rng_below(&r, room);
            if (target != node && !has_edge(&g, node, target))
                g.edges[node][g.degree[node]++] = target;
        }
    }
    graph_solve(&g);
    return g;
}

/* ---- Tests ------------------------------------------------------------------------------------- */

static holos_variant *variant_open(graph *g)
{
    holos_error err;
    holos_variant *v;
    holos_custom c = description(g);
    assert_ok(holos_custom_open(&c, &v, &err), err);
    return v;
}

static void values_compare(const holos_variant *v, const graph *g, const char *engine)
{
    holos_error err;
    holos_solver *solver;
    const holos_solver_options o = {.engine = engine, .limits = {.nodes = 1000000}};
    assert_ok(holos_solver_open(v, &o, &solver, &err), err);
    for (unsigned node = 0; node < NODES; node++) {
        place p = {.node = node, .side = node & 1};
        holos_result r;
        holos_status status = holos_solver_solve(solver, (const holos_position *)&p, &r, &err);
        if (status == HOLOS_LIMIT && g->value[node] == 0)
            continue; /* this engine cannot prove a draw by repetition */
        assert_ok(status, err);
        if (r.value.lo != g->value[node] || r.value.hi != g->value[node])
            fail_msg("%s: node %u is worth %d to %d, not %d", engine, node, r.value.lo, r.value.hi,
                     g->value[node]);
    }
    holos_solver_close(solver);
}

static void test_every_generic_engine_finds_the_values(void **state)
{
    (void)state;
    static const char *const acyclic[] = {"alphabeta", "proof", "retrograde", "wave", NULL};
    static const char *const cyclic[] = {"proof", "retrograde", "wave", NULL};
    for (uint64_t seed = 0; seed < 6; seed++) {
        graph g = graph_make(seed, seed % 2 == 1);
        holos_variant *v = variant_open(&g);
        for (const char *const *e = g.cyclic ? cyclic : acyclic; *e != NULL; e++)
            values_compare(v, &g, *e);
        holos_close(v);
        assert_int_equal(g.closed, 1);
    }
}

static void test_words_of_a_game(void **state)
{
    (void)state;
    holos_error err;
    char buffer[64];
    graph g = graph_make(0, false);
    holos_variant *v = variant_open(&g);
    holos_position *p = holos_position_new(v);
    assert_string_equal(holos_variant_name(v), "walk:down");
    assert_string_equal(holos_game_title(holos_variant_game(v)), "walk");
    assert_null(holos_game_example(holos_variant_game(v), 0));
    assert_ok(holos_parse(v, "7/1", p, &err), err);
    assert_int_equal(holos_format(v, p, buffer, sizeof buffer), 3);
    assert_string_equal(buffer, "7/1");
    assert_int_equal(holos_side_to_move(v, p), 1);
    assert_int_equal(holos_parse(v, "77/1", p, &err), HOLOS_BAD_POSITION);
    assert_string_equal(err.message, "expected a node and a side: 7/1");
    assert_int_equal(holos_custom_failure(v, &err), HOLOS_OK); /* a bad position is no failure */
    assert_int_equal(holos_draw(v, p, buffer, sizeof buffer) > 0, 1);
    holos_position_free(p);
    holos_close(v);
}

/* A work of any kind that ends in a status. */
typedef holos_status worker(const holos_variant *v, const char *word, holos_error *err);

static holos_status work_solve(const holos_variant *v, const char *engine, holos_error *err)
{
    holos_solver *solver;
    holos_result r;
    place p = {.node = NODES - 1};
    const holos_solver_options o = {
        .engine = engine, .limits = {.nodes = 100000}, .moves = true, .line = true};
    holos_status status = holos_solver_open(v, &o, &solver, err);
    if (status != HOLOS_OK)
        return status;
    status = holos_solver_solve(solver, (const holos_position *)&p, &r, err);
    if (holos_custom_failure(v, NULL) != HOLOS_OK) {
        assert_int_equal(r.value.lo, -1); /* nothing is claimed */
        assert_int_equal(r.value.hi, 1);
        assert_null(r.best);
    }
    holos_solver_close(solver);
    return status;
}

static holos_status work_wave(const holos_variant *v, const char *mode, holos_error *err)
{
    holos_wave *w;
    holos_wave_mode m;
    place p = {.node = NODES - 1};
    const holos_wave_options o = {.limits = {.nodes = 100000}};
    holos_wave_seed seed = {.position = (const holos_position *)&p};
    assert_true(holos_wave_mode_find(mode, &m));
    holos_status status = holos_wave_open(v, &o, &w, err);
    if (status != HOLOS_OK)
        return status;
    status = holos_wave_add(w, &seed, err);
    if (status == HOLOS_OK)
        status = holos_wave_run(w, m, err);
    holos_value value = holos_wave_query(w, (const holos_position *)&p);
    if (holos_custom_failure(v, NULL) != HOLOS_OK)
        assert_true(value.lo == -1 && value.hi == 1);
    holos_wave_close(w);
    return status;
}

static holos_status work_choose(const holos_variant *v, const char *name, holos_error *err)
{
    holos_contestant *c;
    holos_move move;
    holos_status status = holos_contestant_open(v, name, NULL, &c, err);
    if (status != HOLOS_OK)
        return status;
    status = holos_contestant_begin(c, 1, err);
    if (status == HOLOS_OK)
        status = holos_contestant_choose(c, &move, err);
    if (status == HOLOS_OK)
        status = holos_contestant_play(c, move, err);
    holos_contestant_close(c);
    return status;
}

static holos_status work_measure(const holos_variant *v, const char *word, holos_error *err)
{
    holos_tactic tactic;
    place p = {.node = NODES - 1};
    (void)word;
    return holos_seed_optimize(v, (const holos_position *)&p, NULL, &tactic, NULL, err);
}

static holos_status work_job(const holos_variant *v, const char *kind, holos_error *err)
{
    holos_job *job;
    const holos_job_options o = {.kind = kind, .threads = 1};
    holos_status status = holos_job_open(v, &o, &job, err);
    if (status == HOLOS_OK)
        status = holos_job_run(job, err);
    holos_job_close(job);
    return status;
}

/* Wherever the game fails, the work ends with its error, and claims nothing. */
static void failures_try(worker *work, const char *word, bool cyclic)
{
    for (int at = 1; at < 4000; at += 1 + at / 16) {
        holos_error err = {0};
        graph g = graph_make(cyclic ? 3 : 2, cyclic);
        holos_variant *v = variant_open(&g);
        g.fail_at = at;
        holos_status status = work(v, word, &err);
        bool failed = g.calls >= at;
        if (failed && (status != HOLOS_BAD_FILE || strstr(err.message, "call ") == NULL))
            fail_msg("%s: call %d fails, and the answer is %d, %s", word, at, status, err.message);
        holos_close(v);
        if (!failed)
            return;
    }
}

static void test_a_failure_ends_every_kind_of_work(void **state)
{
    (void)state;
    for (int cyclic = 0; cyclic < 2; cyclic++) {
        failures_try(work_solve, cyclic ? "deepening" : "alphabeta", cyclic);
        failures_try(work_solve, "proof", cyclic);
        failures_try(work_solve, "retrograde", cyclic);
        failures_try(work_solve, "wave", cyclic);
        for (unsigned mode = HOLOS_WAVE_AUTO; mode <= HOLOS_WAVE_OSMOSIS; mode++)
            failures_try(work_wave, holos_wave_mode_name(mode), cyclic);
        failures_try(work_choose, "random", cyclic);
        failures_try(work_measure, "tactic", cyclic);
        failures_try(work_job, "wave", cyclic);
    }
    failures_try(work_choose, "alphabeta:nodes=50", false);
    failures_try(work_choose, "alphabeta:depth=3", false);
}

static void test_what_failed_stays_failed(void **state)
{
    (void)state;
    holos_error err;
    graph g = graph_make(2, false);
    holos_variant *v = variant_open(&g);
    g.fail_at = 5;
    assert_int_equal(work_solve(v, "alphabeta", &err), HOLOS_BAD_FILE);
    assert_int_equal(work_solve(v, "wave", &err), HOLOS_BAD_FILE);
    assert_string_equal(err.message, "call 5");
    assert_int_equal(holos_custom_failure(v, &err), HOLOS_BAD_FILE);
    holos_close(v);
}

/* ---- Games that break their word ---------------------------------------------------------------- */

static holos_status no_moves(void *context, const void *position, holos_custom_move *out, void *positions,
                             uint32_t *count, holos_error *err)
{
    (void)context, (void)position, (void)out, (void)positions, (void)err;
    *count = 0;
    return HOLOS_OK;
}

static holos_status same_side(void *context, const void *position, holos_custom_move *out, void *positions,
                              uint32_t *count, holos_error *err)
{
    holos_status status = walk_moves(context, position, out, positions, count, err);
    out[0].same_side = true;
    return status;
}

static holos_status high_score(void *context, const void *position, bool *over, int32_t *score,
                               holos_error *err)
{
    (void)context, (void)position, (void)err;
    *over = true;
    *score = 2;
    return HOLOS_OK;
}

static holos_status odd_side(void *context, const void *position, unsigned *side, holos_error *err)
{
    (void)context, (void)position, (void)err;
    *side = 7;
    return HOLOS_OK;
}

static holos_status far_rank(void *context, const void *position, uint32_t *tier, uint64_t *index,
                             holos_error *err)
{
    (void)context, (void)position, (void)err;
    *tier = 3;
    *index = 1000;
    return HOLOS_OK;
}

/* Lower nodes in higher tiers. */
static holos_status upside_down(void *context, const void *position, uint32_t *tier, uint64_t *index,
                                holos_error *err)
{
    holos_status status = walk_rank(context, position, tier, index, err);
    *tier = NODES / 4 - 1 - *tier;
    return status;
}

static holos_status stray_unmove(void *context, const void *position, void *positions, uint32_t *count,
                                 holos_error *err)
{
    (void)context, (void)err;
    ((place *)positions)[0] = (place){.node = ((const place *)position)->node, .side = 0};
    *count = 1;
    return HOLOS_OK;
}

static void expect_refusal(const holos_custom *c, const char *engine, const char *words)
{
    holos_error err;
    holos_variant *v;
    assert_ok(holos_custom_open(c, &v, &err), err);
    holos_status status = work_solve(v, engine, &err);
    if (status != HOLOS_USAGE || strstr(err.message, words) == NULL)
        fail_msg("status %d, \"%s\", where it should say \"%s\"", status, err.message, words);
    holos_close(v);
}

static void test_a_game_that_breaks_its_word_is_told_so(void **state)
{
    (void)state;
    graph down = graph_make(2, false), round = graph_make(3, true);
    holos_custom c = description(&down);
    c.moves = no_moves;
    expect_refusal(&c, "alphabeta", "no moves, but the game is not over");
    c.moves = same_side;
    expect_refusal(&c, "alphabeta", "keeps the side to move");
    c = description(&down);
    c.terminal = high_score;
    expect_refusal(&c, "alphabeta", "outside of the range of scores");
    c = description(&down);
    c.rank = far_rank;
    expect_refusal(&c, "retrograde", "outside of its tier");
    c.rank = upside_down;
    expect_refusal(&c, "retrograde", "undo each other");
    c = description(&round);
    c.unmoves = stray_unmove;
    expect_refusal(&c, "retrograde", "no move leads from");
    c = description(&down);
    c.side = odd_side;
    holos_error err;
    holos_variant *v;
    assert_ok(holos_custom_open(&c, &v, &err), err);
    place p = {0};
    holos_side_to_move(v, (const holos_position *)&p);
    assert_int_equal(holos_custom_failure(v, &err), HOLOS_USAGE);
    holos_close(v);
}

static void expect_bad(holos_custom c, const char *words)
{
    holos_error err;
    holos_variant *v;
    assert_int_equal(holos_custom_open(&c, &v, &err), HOLOS_USAGE);
    assert_null(v);
    if (strstr(err.message, words) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", err.message, words);
}

static void test_a_description_that_lacks_something_is_refused(void **state)
{
    (void)state;
    graph g = graph_make(0, false);
    holos_custom c;
#define BAD(member, wrong, words)                                                                            \
    c = description(&g);                                                                                     \
    c.member = wrong;                                                                                        \
    expect_bad(c, words)
    BAD(name, NULL, "name");
    BAD(name, "Walk", "name");
    BAD(name, holos_game_name(holos_game_at(0)), "built-in");
    BAD(variant, "", "variant");
    BAD(position_size, 8, "multiple of 16");
    BAD(position_size, 0, "multiple of 16");
    BAD(most_moves, 0, "most_moves");
    BAD(most_unmoves, 0, "come together");
    BAD(score_min, 2, "range");
    BAD(traits, HOLOS_TRAIT_PUZZLE, "traits");
    BAD(moves, NULL, "required");
    BAD(terminal, NULL, "required");
    BAD(side, NULL, "required");
    BAD(unmoves, NULL, "come together");
    BAD(rank, NULL, "numbers need");
    BAD(tiers, 100000, "too many tiers");
    BAD(score_max, 128, "[-127, 127]");
#undef BAD
    assert_int_equal(g.closed, 0);
}

static void test_it_keeps_nothing(void **state)
{
    (void)state;
    holos_error err;
    holos_wave *w;
    holos_job *job;
    graph g = graph_make(0, false);
    holos_variant *v = variant_open(&g);
    const holos_job_options o = {.kind = "wave", .store = "file:never"};
    assert_int_equal(holos_job_open(v, &o, &job, &err), HOLOS_UNSUPPORTED);
    assert_ok(holos_wave_open(v, NULL, &w, &err), err);
    assert_int_equal(holos_wave_save(w, "never", &err), HOLOS_UNSUPPORTED);
    holos_wave_close(w);
    holos_settings *s = holos_settings_new();
    holos_solver *solver;
    const holos_solver_options options = {.settings = s};
    assert_ok(holos_settings_set(s, "checkpoint", "never", &err), err);
    assert_int_equal(holos_solver_open(v, &options, &solver, &err), HOLOS_UNSUPPORTED);
    holos_settings_free(s);
    holos_close(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_generic_engine_finds_the_values),
        cmocka_unit_test(test_words_of_a_game),
        cmocka_unit_test(test_a_failure_ends_every_kind_of_work),
        cmocka_unit_test(test_what_failed_stays_failed),
        cmocka_unit_test(test_a_game_that_breaks_its_word_is_told_so),
        cmocka_unit_test(test_a_description_that_lacks_something_is_refused),
        cmocka_unit_test(test_it_keeps_nothing),
    };
    UNIT_MAIN(tests);
}
