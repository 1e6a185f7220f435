/* SPDX-License-Identifier: MIT */

/* The zeno engine: its formulas, its tree, its searches and its games. */

#include "unit.h"

#include "core/clock.h"
#include "engine/zeno/selfplay.h"

#include <math.h>

#define assert_close(a, b)                                                                                   \
    do {                                                                                                     \
        double close_a = (double)(a), close_b = (double)(b);                                                 \
        if (fabs(close_a - close_b) > 1e-5)                                                                  \
            fail_msg("%s:%d: %g is not %g", __FILE__, __LINE__, close_a, close_b);                           \
    } while (0)

/* A game with a small random network. */
typedef struct fixture {
    holos_variant *v;
    net net;
    net_model model;
} fixture;

static void fixture_make(fixture *f, const char *game)
{
    holos_error err;
    net_shape wish = {
        .channels = 16, .blocks = 1, .policy_channels = 2, .value_channels = 1, .value_hidden = 16};
    net_shape shape;
    rng random;
    rng_init(&random, 1, 0);
    assert_ok(holos_open(game, &f->v, &err), err);
    assert_ok(zeno_net_shape(f->v, &wish, &shape, &err), err);
    assert_ok(net_init(&f->net, &shape, game, &err), err);
    net_randomise(&f->net, &random);
    assert_ok(net_model_init(&f->model, &f->net, &err), err);
}

static void fixture_free(fixture *f)
{
    net_model_free(&f->model);
    net_free(&f->net);
    holos_close(f->v);
}

static const zeno_request quiet = {.deadline = CLOCK_NEVER};

static zeno_result think(const fixture *f, const zeno_options *o, const holos_position *p,
                         const zeno_request *r, float *shares)
{
    holos_error err;
    zeno_thinker t;
    zeno_result found = {0};
    assert_ok(zeno_thinker_init(&t, f->v, o, &f->model, 1, 0, &err), err);
    assert_ok(zeno_think(&t, p, r, &found, shares, &err), err);
    zeno_thinker_free(&t);
    return found;
}

/* A position after so many random moves, or NULL if the game was over before. */
static holos_position *random_position(const holos_variant *v, rng *random, unsigned plies)
{
    holos_position *p = holos_position_new(v);
    holos_edge edges[256];
    v->game->start(v, p);
    for (unsigned i = 0; i < plies; i++) {
        uint32_t count = game_edges(v, p, edges);
        if (count == 0)
            break;
        v->game->play(v, p, edges[rng_below(random, count)].move, p);
    }
    if (game_edges(v, p, edges) > 0)
        return p;
    holos_position_free(p);
    return NULL;
}

/* ---- Formulas ---------------------------------------------------------------------------------- */

static void test_lambda_is_the_formula_of_the_document(void **state)
{
    (void)state;
    zeno_options o = {.control = true, .fixed_lambda = 0.25F};
    assert_close(zeno_lambda_of(&o, (zeno_shape){1, 0, 1}), 0.0);
    assert_close(zeno_lambda_of(&o, (zeno_shape){0, 1, 0}), 1.0);
    assert_close(zeno_lambda_of(&o, (zeno_shape){0.5F, 0.25F, 0.1F}), 0.2 + 0.1 + 0.18);
    assert_close(zeno_lambda_of(&o, (zeno_shape){1, 0, 7}), 0.0); /* the variance is clamped */
    o.control = false;
    assert_close(zeno_lambda_of(&o, (zeno_shape){0, 1, 0}), 0.25);
}

static void test_a_learned_lambda_takes_the_place_of_the_formula(void **state)
{
    (void)state;
    zeno_lambda l = {.out_bias = -1};
    l.weights[3][1] = 2; /* one unit looks at the gap */
    l.bias[3] = -0.5F;
    l.out[3] = 4;
    zeno_options o = {.control = true, .learned = &l};
    assert_close(zeno_lambda_of(&o, (zeno_shape){0, 0.1F, 0}), 1 / (1 + exp(1)));
    assert_close(zeno_lambda_of(&o, (zeno_shape){0, 0.5F, 0}), 1 / (1 + exp(-1)));
}

static void test_soft_pruning_has_three_steps(void **state)
{
    (void)state;
    assert_close(zeno_prune(0), 1);
    assert_close(zeno_prune(0.7F), 1);
    assert_close(zeno_prune(-0.01F), exp(-0.25));
    assert_close(zeno_prune(-0.5F), exp(-0.25));
    assert_close(zeno_prune(-0.51F), exp(-0.5));
}

static void test_the_budget_follows_phase_and_lambda(void **state)
{
    (void)state;
    zeno_options o = {.simulations = 500, .least = 150, .most = 800};
    assert_int_equal(zeno_budget_of(&o, HOLOS_STAGE_OPENING, 0.5F), 350);
    assert_int_equal(zeno_budget_of(&o, HOLOS_STAGE_MIDDLE, 0.29F), 780);
    assert_int_equal(zeno_budget_of(&o, HOLOS_STAGE_MIDDLE, 0.3F), 600);
    assert_int_equal(zeno_budget_of(&o, HOLOS_STAGE_ENDING, 0.7F), 400);
    assert_int_equal(zeno_budget_of(&o, HOLOS_STAGE_ENDING, 0.71F), 280);
    o.simulations = 200;
    assert_int_equal(zeno_budget_of(&o, HOLOS_STAGE_OPENING, 1), 150); /* at least */
    o.simulations = 2000;
    assert_int_equal(zeno_budget_of(&o, HOLOS_STAGE_MIDDLE, 0), 800); /* at most */
}

static void test_the_early_stop_needs_all_three_signals(void **state)
{
    (void)state;
    zeno_thresholds t = {.entropy = 0.2, .gap = 0.5, .variance = 0.02};
    assert_true(zeno_is_clear(&t, (zeno_shape){0.1F, 0.6F, 0.01F}));
    assert_false(zeno_is_clear(&t, (zeno_shape){0.3F, 0.6F, 0.01F}));
    assert_false(zeno_is_clear(&t, (zeno_shape){0.1F, 0.4F, 0.01F}));
    assert_false(zeno_is_clear(&t, (zeno_shape){0.1F, 0.6F, 0.03F}));
}

static void test_sensors_read_the_visits_of_the_root(void **state)
{
    (void)state;
    float visits[] = {60, 30, 10, 0}, sums[] = {30, -15, 0, 0};
    int32_t lo[] = {-9, -9, -9, -9}, hi[] = {9, 9, 9, 9};
    zeno_node root = {.count = 4};
    zeno_tree t = {.nodes = &root, .visits = visits, .sums = sums, .lo = lo, .hi = hi};
    zeno_shape s = zeno_shape_of(&t);
    double entropy = -(0.6 * log(0.6) + 0.3 * log(0.3) + 0.1 * log(0.1)) / log(4);
    assert_close(s.entropy, entropy);
    assert_close(s.gap, 0.3);
    assert_close(s.variance, 0.5 / 3); /* of 0.5, -0.5 and 0 */
    memset(visits, 0, sizeof visits);
    assert_close(zeno_shape_of(&t).entropy, 1);
}

static void test_selection_is_the_formula(void **state)
{
    (void)state;
    float visits[] = {10, 5, 0}, sums[] = {4, -1, 0}, priors[] = {0.5F, 0.2F, 0.3F},
          glances[] = {-0.5F, 0.9F, 0};
    int32_t lo[] = {-9, -9, -9}, hi[] = {9, 9, 9};
    zeno_node root = {.count = 3, .visits = 15};
    zeno_tree t = {.nodes = &root,
                   .visits = visits,
                   .sums = sums,
                   .priors = priors,
                   .glances = glances,
                   .lo = lo,
                   .hi = hi};
    /* Q + c P sqrt(N) / (1 + n): 0.4 + 0.25, -0.2 + 0.18, 0 + 1.64 */
    assert_int_equal(zeno_tree_select(&t, 0, (zeno_formula){.c = 1.414F}), 2);
    assert_int_equal(zeno_tree_select(&t, 0, (zeno_formula){.c = 0.01F}), 0);
    assert_int_equal(zeno_tree_select(&t, 0, (zeno_formula){.c = 0.01F, .lambda = 1}), 1);
    hi[2] = -1; /* lost: nobody goes there */
    assert_int_equal(zeno_tree_select(&t, 0, (zeno_formula){.c = 1.414F}), 0);
}

/* ---- Searches ---------------------------------------------------------------------------------- */

static void test_a_plain_search_makes_all_its_visits(void **state)
{
    (void)state;
    fixture f;
    holos_error err;
    zeno_thinker t;
    zeno_result r;
    fixture_make(&f, "reversi");
    zeno_options o = zeno_options_plain(f.v);
    holos_position *p = holos_position_new(f.v);
    f.v->game->start(f.v, p);
    for (uint32_t leaves = 1; leaves <= 16; leaves *= 4) {
        o.simulations = 200;
        o.leaves = leaves;
        assert_ok(zeno_thinker_init(&t, f.v, &o, &f.model, 1, 0, &err), err);
        float shares[64], sum = 0, total = 0;
        assert_ok(zeno_think(&t, p, &quiet, &r, shares, &err), err);
        assert_int_equal(r.simulations, 200);
        for (uint32_t i = 0; i < 4; i++) {
            sum += t.search.tree.visits[i];
            total += shares[i];
            assert_true(fabsf(t.search.tree.sums[i]) <= t.search.tree.visits[i] + 1e-3F);
        }
        assert_close(sum, 200); /* no virtual loss is left */
        assert_close(total, 1);
        zeno_thinker_free(&t);
    }
    holos_position_free(p);
    fixture_free(&f);
}

/* Without the solver, by what is backed up alone: never wrong about who wins, and right at the end. */
static void test_proofs_are_backed_up(void **state)
{
    (void)state;
    fixture f;
    holos_error err;
    rng random;
    holos_solver *solver;
    unsigned proved = 0;
    fixture_make(&f, "reversi:4");
    rng_init(&random, 3, 0);
    assert_ok(holos_solver_open(f.v, NULL, &solver, &err), err);
    for (int i = 0; i < 40; i++) {
        holos_position *p = random_position(f.v, &random, 5);
        holos_result exact;
        if (p == NULL)
            continue;
        zeno_options o = zeno_options_plain(f.v);
        o.exact_tree = o.exact_root = 0;
        o.simulations = 3000;
        zeno_result r = think(&f, &o, p, &quiet, NULL);
        assert_ok(holos_solver_solve(solver, p, &exact, &err), err);
        assert_true(r.lo <= exact.value.lo && exact.value.lo <= r.hi);
        float value;
        if (zeno_says(r.lo, r.hi, &value)) {
            proved++;
            assert_int_equal((int)value, (exact.value.lo > 0) - (exact.value.lo < 0));
            assert_close(r.value, value);
        }
        holos_position_free(p);
    }
    assert_true(proved > 20);
    holos_solver_close(solver);
    fixture_free(&f);
}

/* With the solver: the move that is chosen keeps what the position is worth. */
static void test_exact_endings_keep_the_outcome(void **state)
{
    (void)state;
    static const char *const games[] = {"reversi:6", "connect4:5x4"};
    for (int g = 0; g < 2; g++) {
        fixture f;
        holos_error err;
        rng random;
        holos_solver *solver;
        fixture_make(&f, games[g]);
        rng_init(&random, 4, 0);
        assert_ok(holos_solver_open(f.v, NULL, &solver, &err), err);
        for (int i = 0; i < 20; i++) {
            holos_position *p = random_position(f.v, &random, g == 0 ? 22 : 6);
            holos_result before, after;
            if (p == NULL)
                continue;
            zeno_options o = zeno_options_plain(f.v);
            o.exact_root = 30;
            zeno_result r = think(&f, &o, p, &quiet, NULL);
            assert_ok(holos_solver_solve(solver, p, &before, &err), err);
            int outcome = (before.value.lo > 0) - (before.value.lo < 0);
            assert_int_equal((int)r.value, outcome);
            assert_int_equal(r.simulations, 0);
            int32_t score;
            f.v->game->play(f.v, p, r.move, p);
            if (f.v->game->terminal(f.v, p, &score))
                after.value.lo = score;
            else
                assert_ok(holos_solver_solve(solver, p, &after, &err), err);
            assert_int_equal((after.value.lo < 0) - (after.value.lo > 0), outcome);
            holos_position_free(p);
        }
        holos_solver_close(solver);
        fixture_free(&f);
    }
}

static void test_each_layer_has_its_switch(void **state)
{
    (void)state;
    fixture f;
    holos_error err;
    fixture_make(&f, "reversi");
    holos_position *p = holos_position_new(f.v);
    zeno_options o = zeno_options_plain(f.v);
    o.exact_root = 0;
    /* 0: a corner is taken without a search (x can take a1). */
    assert_ok(holos_parse(f.v, "-OX------------------------OX------XO--------------------------- X", p, &err),
              err);
    assert_false(think(&f, &o, p, &quiet, NULL).tactical);
    o.tactics = true;
    zeno_result r = think(&f, &o, p, &quiet, NULL);
    assert_true(r.tactical);
    assert_int_equal(r.move, 0);
    assert_int_equal(r.simulations, 0);
    o.tactics = false;
    /* 5: c = c0 (1 + H_v). */
    f.v->game->start(f.v, p);
    o.simulations = 150;
    assert_close(think(&f, &o, p, &quiet, NULL).c, 1.414);
    o.explore = true;
    r = think(&f, &o, p, &quiet, NULL);
    assert_true(r.c > 1.5F && r.c <= 2.83F);
    /* 6: with thresholds that everything passes it stops after the probe. */
    o.stop = true;
    o.simulations = 800;
    o.thresholds = (zeno_thresholds){.entropy = 2, .gap = -1, .variance = 9};
    r = think(&f, &o, p, &quiet, NULL);
    assert_true(r.early);
    assert_int_equal(r.simulations, 100);
    /* 7: 4 discs are an opening. */
    o.stop = false;
    o.budget = true;
    o.control = true;
    o.simulations = 500;
    r = think(&f, &o, p, &quiet, NULL);
    assert_true(r.budget == 455 || r.budget == 350 || r.budget == 245);
    assert_int_equal(r.simulations, r.budget);
    holos_position_free(p);
    fixture_free(&f);
}

static void test_a_tree_is_kept_below_the_move(void **state)
{
    (void)state;
    fixture f;
    holos_error err;
    zeno_thinker t;
    zeno_result r;
    fixture_make(&f, "reversi");
    zeno_options o = zeno_options_plain(f.v);
    o.simulations = 300;
    holos_position *p = holos_position_new(f.v);
    f.v->game->start(f.v, p);
    assert_ok(zeno_thinker_init(&t, f.v, &o, &f.model, 1, 0, &err), err);
    assert_ok(zeno_think(&t, p, &quiet, &r, NULL, &err), err);
    float below = t.search.tree.nodes[t.search.tree.children[r.edge]].visits;
    assert_true(below > 0);
    assert_true(zeno_search_play(&t.search, r.edge));
    f.v->game->play(f.v, p, r.move, p);
    assert_close(t.search.tree.nodes[0].visits, below);
    assert_memory_equal(zeno_position(&t.search.tree, 0), p, f.v->position_size);
    zeno_request again = quiet;
    again.keep = true;
    assert_ok(zeno_think(&t, p, &again, &r, NULL, &err), err);
    assert_close(t.search.tree.nodes[0].visits, below + 300);
    zeno_thinker_free(&t);
    holos_position_free(p);
    fixture_free(&f);
}

static void test_a_tree_is_kept_when_it_is_its_turn_again(void **state)
{
    (void)state;
    fixture f;
    holos_error err;
    zeno_thinker t;
    zeno_result r;
    fixture_make(&f, "reversi");
    zeno_options o = zeno_options_plain(f.v);
    o.simulations = 400;
    holos_position *p = holos_position_new(f.v);
    f.v->game->start(f.v, p);
    assert_ok(zeno_thinker_init(&t, f.v, &o, &f.model, 1, 0, &err), err);
    assert_false(zeno_search_follow(&t.search, p)); /* there is no tree yet */
    assert_ok(zeno_think(&t, p, &quiet, &r, NULL, &err), err);
    const zeno_tree *tree = &t.search.tree;
    uint32_t child = tree->children[r.edge], reply = tree->nodes[child].first;
    while (tree->children[reply] == ZENO_NONE || tree->nodes[tree->children[reply]].visits <= 0)
        reply++;
    float below = tree->nodes[tree->children[reply]].visits;
    memcpy(p, zeno_position(tree, tree->children[reply]), f.v->position_size);
    assert_true(zeno_search_follow(&t.search, p));
    assert_close(tree->nodes[0].visits, below);
    assert_memory_equal(zeno_position(tree, 0), p, f.v->position_size);
    f.v->game->start(f.v, p);
    assert_false(zeno_search_follow(&t.search, p)); /* another game */
    zeno_thinker_free(&t);
    holos_position_free(p);
    fixture_free(&f);
}

static void test_gumbel_spends_its_budget_and_sees_a_win(void **state)
{
    (void)state;
    fixture f;
    float shares[64];
    fixture_make(&f, "connect4:7x6");
    zeno_options o = zeno_options_plain(f.v);
    o.root = ZENO_ROOT_GUMBEL;
    o.exact_tree = o.exact_root = 0;
    o.simulations = 32;
    o.leaves = 1;
    holos_position *p = holos_position_new(f.v);
    holos_error err;
    assert_ok(holos_parse(f.v, "4433", p, &err), err);
    zeno_request r = quiet;
    r.noise = true;
    zeno_result found = think(&f, &o, p, &r, shares);
    assert_true(found.simulations >= 28 && found.simulations <= 36);
    float sum = 0;
    for (int i = 0; i < 7; i++)
        sum += shares[i];
    assert_close(sum, 1);
    assert_ok(holos_parse(f.v, "443322", p, &err), err); /* columns 1 and 5 win at once */
    for (int seed = 0; seed < 5; seed++) {
        found = think(&f, &o, p, &quiet, shares);
        assert_true(found.lo > 0);
        assert_close(found.value, 1);
    }
    holos_position_free(p);
    fixture_free(&f);
}

/* ---- What games show a network ----------------------------------------------------------------- */

static const char *const viewed[] = {"reversi",      "reversi:6",     "reversi:4", "connect4",
                                     "connect4:5x4", "connect4:9x10", "kalah",     "kalah:3,2"};

static void test_symmetries_turn_positions_and_moves_alike(void **state)
{
    (void)state;
    for (size_t g = 0; g < sizeof viewed / sizeof *viewed; g++) {
        holos_variant *v;
        holos_error err;
        holos_net_shape shape;
        rng random;
        assert_ok(holos_open(viewed[g], &v, &err), err);
        const holos_net *view = v->game->net;
        view->shape(v, &shape);
        rng_init(&random, 6, g);
        holos_position *turned = holos_position_new(v), *a = holos_position_new(v),
                       *b = holos_position_new(v);
        for (int i = 0; i < 60; i++) {
            holos_position *p = random_position(v, &random, (unsigned)rng_below(&random, 20));
            if (p == NULL)
                continue;
            holos_edge edges[256], images[256];
            uint32_t count = game_edges(v, p, edges);
            uint32_t symmetry = (uint32_t)rng_below(&random, shape.symmetries);
            memcpy(turned, p, v->position_size);
            if (symmetry > 0)
                view->image(v, symmetry, p, turned);
            assert_int_equal(game_edges(v, turned, images), count);
            for (uint32_t k = 0; k < count; k++) {
                uint32_t number = view->policy(v, p, edges[k].move), image = number, found = 0;
                assert_true(number < shape.policy);
                if (symmetry > 0)
                    image = view->image_policy(v, symmetry, number);
                for (uint32_t m = 0; m < count;
                     m++) { /* the move with that number leads to the image of where this one leads */
                    if (view->policy(v, turned, images[m].move) != image)
                        continue;
                    found++;
                    v->game->play(v, p, edges[k].move, a);
                    if (symmetry > 0)
                        view->image(v, symmetry, a, a);
                    v->game->play(v, turned, images[m].move, b);
                    assert_memory_equal(a, b, v->position_size);
                }
                assert_int_equal(found, 1);
            }
            holos_position_free(p);
        }
        holos_position_free(turned);
        holos_position_free(a);
        holos_position_free(b);
        holos_close(v);
    }
}

static void test_glances_are_between_minus_one_and_one(void **state)
{
    (void)state;
    holos_variant *v;
    holos_error err;
    rng random;
    assert_ok(holos_open("reversi", &v, &err), err);
    rng_init(&random, 8, 0);
    holos_position *p = holos_position_new(v);
    v->game->start(v, p);
    assert_close(v->game->net->glance(v, p), 0); /* even */
    for (int i = 0; i < 200; i++) {
        holos_position *q = random_position(v, &random, (unsigned)rng_below(&random, 58));
        if (q == NULL)
            continue;
        float seen = v->game->net->glance(v, q);
        assert_true(seen >= -1 && seen <= 1);
        holos_position_free(q);
    }
    /* Black has a corner, everything else is even. */
    assert_ok(holos_parse(v, "X-----O--------------------OX------XO--------------------------- X", p, &err),
              err);
    assert_true(v->game->net->glance(v, p) > 0.1F);
    holos_position_free(p);
    holos_close(v);
}

/* ---- Games ------------------------------------------------------------------------------------- */

typedef struct heard {
    unsigned char bytes[1 << 16];
    size_t size, samples;
} heard;

static void hear(void *context, const zeno_sample *s)
{
    heard *h = context;
    memcpy(h->bytes + h->size, s->shares, s->count * sizeof(float));
    h->size += s->count * sizeof(float);
    memcpy(h->bytes + h->size, s->moves, s->count * sizeof(uint32_t));
    h->size += s->count * sizeof(uint32_t);
    memcpy(h->bytes + h->size, &s->value, sizeof(float));
    h->size += sizeof(float);
    h->samples++;
    assert_true(h->size < sizeof h->bytes - 1024);
}

/* So a training can be resumed, and split among threads. */
static void test_a_game_does_not_depend_on_its_group(void **state)
{
    (void)state;
    static const char *const games[] = {"reversi:4", "connect4:5x4", "kalah:3,2"};
    for (int g = 0; g < 3; g++)
        for (int root = 0; root < 2; root++) {
            fixture f;
            holos_error err;
            selfplay_result r;
            static heard together, apart;
            fixture_make(&f, games[g]);
            selfplay s = {.v = f.v,
                          .options = zeno_options_plain(f.v),
                          .seed = 5,
                          .warm = 8,
                          .alpha = 0.3F,
                          .epsilon = 0.25F,
                          .opening = 2,
                          .quick = root == 0 ? 4 : 0,
                          .full_one_in = 4};
            s.options.root = root == 0 ? ZENO_ROOT_PUCT : ZENO_ROOT_GUMBEL;
            s.options.simulations = 12;
            s.options.exact_tree = s.options.exact_root = 2;
            together = (heard){0};
            apart = (heard){0};
            assert_ok(selfplay_run(&s, &f.model, 3, 4, hear, &together, &r, &err), err);
            assert_int_equal(r.games, 4);
            assert_int_equal(r.first_wins + r.draws + r.second_wins, 4);
            for (uint64_t i = 3; i < 7; i++)
                assert_ok(selfplay_run(&s, &f.model, i, 1, hear, &apart, &r, &err), err);
            assert_true(together.samples > 0);
            assert_int_equal(together.size, apart.size);
            assert_memory_equal(together.bytes, apart.bytes, together.size);
            fixture_free(&f);
        }
}

static void test_a_game_without_planes_is_refused(void **state)
{
    (void)state;
    holos_variant *v;
    holos_error err;
    net_shape shape = {0};
    assert_ok(holos_open("sudoku", &v, &err), err);
    assert_fails(zeno_net_shape(v, &shape, &shape, &err), err, HOLOS_UNSUPPORTED, "sudoku has no networks");
    holos_close(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lambda_is_the_formula_of_the_document),
        cmocka_unit_test(test_a_learned_lambda_takes_the_place_of_the_formula),
        cmocka_unit_test(test_soft_pruning_has_three_steps),
        cmocka_unit_test(test_the_budget_follows_phase_and_lambda),
        cmocka_unit_test(test_the_early_stop_needs_all_three_signals),
        cmocka_unit_test(test_sensors_read_the_visits_of_the_root),
        cmocka_unit_test(test_selection_is_the_formula),
        cmocka_unit_test(test_a_plain_search_makes_all_its_visits),
        cmocka_unit_test(test_proofs_are_backed_up),
        cmocka_unit_test(test_exact_endings_keep_the_outcome),
        cmocka_unit_test(test_each_layer_has_its_switch),
        cmocka_unit_test(test_a_tree_is_kept_below_the_move),
        cmocka_unit_test(test_a_tree_is_kept_when_it_is_its_turn_again),
        cmocka_unit_test(test_gumbel_spends_its_budget_and_sees_a_win),
        cmocka_unit_test(test_symmetries_turn_positions_and_moves_alike),
        cmocka_unit_test(test_glances_are_between_minus_one_and_one),
        cmocka_unit_test(test_a_game_does_not_depend_on_its_group),
        cmocka_unit_test(test_a_game_without_planes_is_refused),
    };
    UNIT_MAIN(tests);
}
