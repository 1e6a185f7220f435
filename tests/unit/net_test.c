/* SPDX-License-Identifier: MIT */

/* Networks: what they say is compared with a textbook version and with oneDNN, gradients with finite differences. */

#include "unit.h"

#include "core/file.h"
#include "net/cache.h"
#include "plain_net.h"

#ifdef HOLOS_DNNL
#include <dnnl.h>
#endif

/* Boards of every shape that tiles can cover badly. */
static const net_shape shapes[] = {
    {NET_RESIDUAL, 8, 8, 4, 65, 16, 1, 2, 1, 16}, {NET_TOWER, 8, 8, 4, 65, 32, 3, 2, 1, 16},
    {NET_RESIDUAL, 6, 7, 3, 7, 16, 2, 3, 2, 32},  {NET_TOWER, 2, 7, 9, 6, 16, 2, 1, 1, 16},
    {NET_RESIDUAL, 4, 4, 1, 17, 32, 1, 4, 4, 16},
};
#define SHAPES (sizeof shapes / sizeof *shapes)
#define BOARDS 5

typedef struct fixture {
    net net;
    float *planes, *policy, *values;
    net_batch batch;
} fixture;

static void fixture_make(fixture *f, const net_shape *shape, uint64_t seed)
{
    holos_error err;
    rng random;
    rng_init(&random, seed, 0);
    assert_ok(net_init(&f->net, shape, "test:1", &err), err);
    net_randomise(&f->net, &random);
    size_t pixels = BOARDS * shape->height * shape->width, logits = f->net.at.logits;
    f->planes = calloc(pixels * f->net.at.planes, sizeof(float));
    f->policy = calloc(BOARDS * logits, sizeof(float));
    f->values = calloc(BOARDS, sizeof(float));
    for (size_t i = 0; i < pixels; i++)
        for (size_t c = 0; c < shape->planes; c++)
            f->planes[i * f->net.at.planes + c] = (float)rng_double(&random) - 0.3F;
    for (size_t i = 0; i < BOARDS; i++) {
        for (int k = 0; k < 4; k++)
            f->policy[i * logits + rng_below(&random, shape->policy)] += 0.25F;
        f->values[i] = (float)rng_below(&random, 3) - 1;
    }
    for (size_t i = 0; i <= f->net.at.convs; i++) /* as if it had been trained */
        for (size_t c = 0; c < (i < f->net.at.convs ? shape->channels : NET_PANEL); c++) {
            f->net.parameters[f->net.at.gamma[i] + c] = 0.5F + (float)rng_double(&random);
            f->net.parameters[f->net.at.beta[i] + c] = (float)rng_double(&random) - 0.4F;
            f->net.statistics[f->net.at.mean[i] + c] = (float)rng_double(&random) - 0.5F;
            f->net.statistics[f->net.at.variance[i] + c] = 0.5F + (float)rng_double(&random);
        }
    f->batch = (net_batch){.count = BOARDS, .planes = f->planes, .policy = f->policy, .values = f->values};
}

static void fixture_free(fixture *f)
{
    net_free(&f->net);
    free(f->planes);
    free(f->policy);
    free(f->values);
}

static double *doubles(const net *n)
{
    double *p = calloc(n->at.parameters, sizeof *p);
    for (size_t i = 0; i < n->at.parameters; i++)
        p[i] = (double)n->parameters[i];
    return p;
}

static void evaluate(const fixture *f, const net_kernels *kernels, float *logits, float *values)
{
    holos_error err;
    net_model model;
    net_room room;
    assert_ok(net_model_init(&model, &f->net, &err), err);
    assert_ok(net_room_init(&room, &f->net.shape, &err), err);
    if (kernels != NULL)
        model.kernels = kernels;
    net_evaluate(&model, &room, BOARDS, f->planes, logits, values);
    net_room_free(&room);
    net_model_free(&model);
}

#define assert_near(a, b, error)                                                                             \
    do {                                                                                                     \
        double near_a = (a), near_b = (b);                                                                   \
        if (!(fabs(near_a - near_b) <= (error) * (1 + fabs(near_b))))                                        \
            fail_msg("%s:%d: %.9g is not near %.9g", __FILE__, __LINE__, near_a, near_b);                    \
    } while (0)

static void says_what_the_textbook_says(const net_kernels *kernels)
{
    for (size_t i = 0; i < SHAPES; i++) {
        fixture f;
        fixture_make(&f, &shapes[i], i);
        float logits[BOARDS * 80], values[BOARDS];
        evaluate(&f, kernels, logits, values);
        double *p = doubles(&f.net);
        plain_result r = plain_run(&f.net, p, false, BOARDS, f.planes);
        for (size_t b = 0; b < BOARDS; b++) {
            assert_near((double)values[b], r.values[b], 2e-4);
            for (size_t k = 0; k < shapes[i].policy; k++)
                assert_near((double)logits[b * f.net.at.logits + k], r.logits[b * shapes[i].policy + k],
                            2e-4);
        }
        plain_free(&r);
        free(p);
        fixture_free(&f);
    }
}

static void test_a_network_says_what_the_textbook_says(void **state)
{
    (void)state;
    says_what_the_textbook_says(NULL);
}

static void test_so_does_the_portable_path(void **state)
{
    (void)state;
    says_what_the_textbook_says(&net_kernels_portable);
}

/* Self-play relies on it: the same position gets the same answer whatever else is in its batch. */
static void test_an_answer_does_not_depend_on_the_batch(void **state)
{
    (void)state;
    fixture f;
    holos_error err;
    net_model model;
    net_room room;
    float logits[BOARDS * 80], values[BOARDS], alone[80], value;
    fixture_make(&f, &shapes[0], 7);
    evaluate(&f, NULL, logits, values);
    assert_ok(net_model_init(&model, &f.net, &err), err);
    assert_ok(net_room_init(&room, &f.net.shape, &err), err);
    for (size_t b = 0; b < BOARDS; b++) {
        net_evaluate(&model, &room, 1, f.planes + b * 64 * f.net.at.planes, alone, &value);
        assert_memory_equal(&value, &values[b], sizeof value);
        assert_memory_equal(alone, logits + b * f.net.at.logits, f.net.at.logits * sizeof(float));
    }
    net_room_free(&room);
    net_model_free(&model);
    fixture_free(&f);
}

/* Batches of boards in any order, with caches of a row, of four, and with room for all: the answers are the network's. */
static void test_a_cache_says_what_the_network_says(void **state)
{
    (void)state;
    fixture f;
    holos_error err;
    net_model model;
    net_room room;
    rng random;
    rng_init(&random, 3, 0);
    enum { LOGITS = 80, BATCH = 7, BATCHES = 40 };
    float said[BOARDS * LOGITS], says[BOARDS], logits[BATCH * LOGITS], values[BATCH];
    fixture_make(&f, &shapes[0], 11);
    evaluate(&f, NULL, said, says);
    assert_ok(net_model_init(&model, &f.net, &err), err);
    assert_ok(net_room_init(&room, &f.net.shape, &err), err);
    size_t board = 64 * f.net.at.planes, row = f.net.at.logits * sizeof(float);
    float *planes = calloc(BATCH * board, sizeof *planes);
    const size_t memories[] = {1, 4 * (row + 20), (size_t)1 << 20};
    for (size_t m = 0; m < sizeof memories / sizeof *memories; m++) {
        net_cache cache;
        assert_ok(net_cache_init(&cache, &model, memories[m], &err), err);
        for (int k = 0; k < BATCHES; k++) {
            size_t which[BATCH];
            for (size_t b = 0; b < BATCH; b++) {
                which[b] = rng_below(&random, BOARDS);
                memcpy(planes + b * board, f.planes + which[b] * board, board * sizeof *planes);
            }
            net_cache_evaluate(&cache, &model, &room, BATCH, planes, logits, values);
            for (size_t b = 0; b < BATCH; b++) {
                assert_memory_equal(&values[b], &says[which[b]], sizeof *values);
                assert_memory_equal(logits + b * f.net.at.logits, said + which[b] * f.net.at.logits, row);
            }
        }
        assert_true(cache.asked == (uint64_t)BATCH * BATCHES);
        assert_true(cache.found > 0 && cache.found < cache.asked);
        if (m == 2) /* no board is asked for after the batch that brought it */
            assert_true(cache.asked - cache.found <= (uint64_t)BOARDS * BATCH);
        net_cache_free(&cache);
    }
    free(planes);
    net_room_free(&room);
    net_model_free(&model);
    fixture_free(&f);
}

/* The derivative of the textbook's loss by one parameter, from both sides. */
static double difference(const fixture *f, double *p, size_t at)
{
    const double step = 1e-5;
    double before = p[at];
    p[at] = before + step;
    double above = plain_loss(&f->net, p, &f->batch);
    p[at] = before - step;
    double below = plain_loss(&f->net, p, &f->batch);
    p[at] = before;
    return (above - below) / (2 * step);
}

static void check_gradients(const fixture *f, const net_trainer *t, rng *random)
{
    const net_layout *at = &f->net.at;
    const struct {
        size_t from, count;
    } parts[] = {
        {at->weight[0], 9 * at->in[0] * f->net.shape.channels},
        {at->weight[at->convs - 1], 9 * at->in[at->convs - 1] * f->net.shape.channels},
        {at->weight[1], 9 * at->in[1] * f->net.shape.channels},
        {at->gamma[0], f->net.shape.channels},
        {at->beta[at->convs - 1], f->net.shape.channels},
        {at->gamma[at->convs], f->net.shape.policy_channels + f->net.shape.value_channels},
        {at->head, f->net.shape.channels * NET_PANEL},
        {at->policy, at->policy_inputs * at->logits},
        {at->policy_bias, f->net.shape.policy},
        {at->hidden, at->hidden_inputs * f->net.shape.value_hidden},
        {at->hidden_bias, f->net.shape.value_hidden},
        {at->value, f->net.shape.value_hidden},
        {at->value_bias, 1},
    };
    double *p = doubles(&f->net), largest = 0;
    for (size_t i = 0; i < at->parameters; i++)
        largest = fmax(largest, fabs((double)t->gradient[i]));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (int k = 0; k < 6; k++) {
            size_t which = parts[i].from + rng_below(random, parts[i].count);
            double expected = difference(f, p, which);
            if (fabs((double)t->gradient[which] - expected) > 1e-3 * fabs(expected) + 1e-4 * largest)
                fail_msg("part %zu: the gradient is %.7g, the difference %.7g", i, (double)t->gradient[which],
                         expected);
        }
    free(p);
}

static void test_gradients_are_those_of_finite_differences(void **state)
{
    (void)state;
    for (size_t i = 0; i < SHAPES; i++) {
        fixture f;
        holos_error err;
        net_trainer t;
        rng random;
        rng_init(&random, 5, i);
        net_training how = net_training_usual();
        how.decay = 0;
        fixture_make(&f, &shapes[i], 20 + i);
        assert_ok(net_trainer_init(&t, &f.net, &how, BOARDS, &err), err);
        double *p = doubles(&f.net);
        net_loss loss = net_trainer_look(&t, &f.batch);
        assert_near(loss.policy + loss.value, plain_loss(&f.net, p, &f.batch), 1e-4);
        check_gradients(&f, &t, &random);
        free(p);
        net_trainer_free(&t);
        fixture_free(&f);
    }
}

static void test_decay_pulls_weights_towards_zero(void **state)
{
    (void)state;
    fixture f;
    holos_error err;
    net_trainer t;
    net_training how = net_training_usual();
    how.decay = 0;
    fixture_make(&f, &shapes[0], 3);
    assert_ok(net_trainer_init(&t, &f.net, &how, BOARDS, &err), err);
    net_trainer_look(&t, &f.batch);
    size_t weight = f.net.at.weight[1] + 5, gamma = f.net.at.gamma[1];
    float plain = t.gradient[weight], norm = t.gradient[gamma];
    t.how.decay = 0.5;
    net_loss loss = net_trainer_look(&t, &f.batch);
    assert_near((double)t.gradient[weight], (double)plain + 0.5 * (double)f.net.parameters[weight], 1e-6);
    assert_near((double)t.gradient[gamma], (double)norm, 1e-6); /* batch norm is left alone */
    assert_true(loss.decay > 0);
    net_trainer_free(&t);
    fixture_free(&f);
}

/* Five boards are learned by heart; and what is learned is what the folded network says. */
static void learns(net_method method, double rate)
{
    fixture f;
    holos_error err;
    net_trainer t;
    net_training how = net_training_usual();
    how.method = method;
    how.decay = 0;
    fixture_make(&f, &shapes[2], 9);
    assert_ok(net_trainer_init(&t, &f.net, &how, BOARDS, &err), err);
    net_loss first = net_trainer_step(&t, &f.batch, rate), last = first;
    for (int i = 0; i < 300; i++)
        last = net_trainer_step(&t, &f.batch, rate);
    assert_true(last.value < 0.02 * first.value);
    assert_true(last.policy < first.policy);
    float logits[BOARDS * 16], values[BOARDS];
    evaluate(&f, NULL, logits, values);
    for (size_t b = 0; b < BOARDS; b++)
        assert_near((double)values[b], (double)f.values[b], 0.2);
    net_trainer_free(&t);
    fixture_free(&f);
}

static void test_adam_learns(void **state)
{
    (void)state;
    learns(NET_ADAM, 3e-3);
}

static void test_momentum_learns(void **state)
{
    (void)state;
    learns(NET_MOMENTUM, 0.01);
}

/* ---- Files ------------------------------------------------------------------------------------- */

static void test_a_file_keeps_every_bit(void **state)
{
    (void)state;
    char folder[64];
    fixture f;
    net back;
    holos_error err;
    unit_make_folder(folder);
    fixture_make(&f, &shapes[2], 1);
    const char *path = unit_path(folder, "a.net");
    assert_ok(net_save(&f.net, path, &err), err);
    assert_ok(net_load(&back, path, "test:1", &err), err);
    assert_memory_equal(&back.shape, &f.net.shape, sizeof back.shape);
    assert_memory_equal(back.parameters, f.net.parameters, f.net.at.parameters * sizeof(float));
    assert_memory_equal(back.statistics, f.net.statistics, f.net.at.statistics * sizeof(float));
    net_free(&back);
    assert_fails(net_load(&back, path, "test:2", &err), err, HOLOS_USAGE, "for test:1, not test:2");
    net_free(&back);
    fixture_free(&f);
    unit_remove_folder(folder);
}

static void test_a_damaged_file_is_refused_with_the_reason(void **state)
{
    (void)state;
    const struct {
        size_t at;
        const char *words;
    } cases[] = {
        {0, "not a network"},     {8, "format that this version"},
        {16 + 5 * 8, "channels"}, {160, "size is not"},
        {96, "checksum"},         {176, "checksum"},
        {5000, "checksum"},
    };
    char folder[64];
    fixture f;
    net back;
    holos_error err;
    text file;
    unit_make_folder(folder);
    fixture_make(&f, &shapes[2], 1);
    const char *path = unit_path(folder, "a.net");
    assert_ok(net_save(&f.net, path, &err), err);
    text_init(&file);
    assert_ok(file_read(path, 0, &file, &err), err);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        file.data[cases[i].at] ^= 0x21;
        unit_write_file(path, file.data, file.length);
        file.data[cases[i].at] ^= 0x21;
        assert_fails(net_load(&back, path, NULL, &err), err, HOLOS_BAD_FILE, cases[i].words);
        net_free(&back);
    }
    for (size_t cut = 0; cut < file.length; cut += 1 + cut / 2) {
        unit_write_file(path, file.data, cut);
        assert_int_equal(net_load(&back, path, NULL, &err), HOLOS_BAD_FILE);
        net_free(&back);
    }
    text_free(&file);
    fixture_free(&f);
    unit_remove_folder(folder);
}

static void test_impossible_shapes_are_refused(void **state)
{
    (void)state;
    holos_error err;
    net n;
    net_shape shape = shapes[0];
    shape.channels = 24;
    assert_fails(net_init(&n, &shape, "", &err), err, HOLOS_USAGE, "channels 24");
    shape = shapes[0];
    shape.blocks = 40;
    assert_fails(net_init(&n, &shape, "", &err), err, HOLOS_USAGE, "convolutions 81");
    shape = shapes[0];
    shape.policy_channels = shape.value_channels = 9;
    assert_fails(net_init(&n, &shape, "", &err), err, HOLOS_USAGE, "heads 18");
}

/* ---- oneDNN ------------------------------------------------------------------------------------ */

#if defined(HOLOS_DNNL) && DNNL_VERSION_MAJOR == 2
/* A convolution of NHWC boards by oneDNN. */
static void dnnl_convolve(const net_shape *s, size_t boards, float *in, size_t in_channels, float *weights,
                          size_t out_channels, float *out)
{
    dnnl_dim_t h = s->height, w = s->width, n = (dnnl_dim_t)boards, ic = (dnnl_dim_t)in_channels,
               oc = (dnnl_dim_t)out_channels;
    dnnl_dims_t in_dims = {n, ic, h, w}, weight_dims = {oc, ic, 3, 3}, out_dims = {n, oc, h, w}, one = {1, 1};
    dnnl_memory_desc_t in_desc, weight_desc, out_desc;
    dnnl_memory_desc_init_by_tag(&in_desc, 4, in_dims, dnnl_f32, dnnl_nhwc);
    dnnl_memory_desc_init_by_tag(&weight_desc, 4, weight_dims, dnnl_f32, dnnl_hwio);
    dnnl_memory_desc_init_by_tag(&out_desc, 4, out_dims, dnnl_f32, dnnl_nhwc);
    dnnl_engine_t engine;
    dnnl_stream_t stream;
    dnnl_convolution_desc_t desc;
    dnnl_primitive_desc_t primitive_desc;
    dnnl_primitive_t primitive;
    dnnl_memory_t memory[3];
    assert_int_equal(dnnl_engine_create(&engine, dnnl_cpu, 0), dnnl_success);
    assert_int_equal(dnnl_stream_create(&stream, engine, dnnl_stream_default_flags), dnnl_success);
    assert_int_equal(dnnl_convolution_forward_desc_init(&desc, dnnl_forward_inference,
                                                        dnnl_convolution_direct, &in_desc, &weight_desc, NULL,
                                                        &out_desc, one, one, one),
                     dnnl_success);
    assert_int_equal(dnnl_primitive_desc_create(&primitive_desc, &desc, NULL, engine, NULL), dnnl_success);
    assert_int_equal(dnnl_primitive_create(&primitive, primitive_desc), dnnl_success);
    dnnl_memory_create(&memory[0], &in_desc, engine, in);
    dnnl_memory_create(&memory[1], &weight_desc, engine, weights);
    dnnl_memory_create(&memory[2], &out_desc, engine, out);
    dnnl_exec_arg_t args[] = {
        {DNNL_ARG_SRC, memory[0]}, {DNNL_ARG_WEIGHTS, memory[1]}, {DNNL_ARG_DST, memory[2]}};
    assert_int_equal(dnnl_primitive_execute(primitive, stream, 3, args), dnnl_success);
    dnnl_stream_wait(stream);
    for (int i = 0; i < 3; i++)
        dnnl_memory_destroy(memory[i]);
    dnnl_primitive_destroy(primitive);
    dnnl_primitive_desc_destroy(primitive_desc);
    dnnl_stream_destroy(stream);
    dnnl_engine_destroy(engine);
}

static void test_a_convolution_is_that_of_onednn(void **state)
{
    (void)state;
    for (size_t i = 0; i < SHAPES; i++) {
        fixture f;
        holos_error err;
        net_room room;
        const net_shape *s = &shapes[i];
        fixture_make(&f, s, 40 + i);
        assert_ok(net_room_init(&room, s, &err), err);
        size_t in = f.net.at.planes, size = NET_BLOCK * (size_t)s->height * s->width * s->channels;
        float *weights = f.net.parameters + f.net.at.weight[0];
        float *packed = calloc(net_packed_size(in, s->channels), sizeof *packed);
        float *ours = calloc(size, sizeof *ours), *theirs = calloc(size, sizeof *theirs);
        net_pack(weights, in, s->channels, NULL, false, packed);
        net_convolve(net_kernels_pick(), s, &room, NET_BLOCK, f.planes, in, packed, s->channels,
                     (net_finish){0}, ours);
        dnnl_convolve(s, NET_BLOCK, f.planes, in, weights, s->channels, theirs);
        for (size_t k = 0; k < size; k++)
            assert_near((double)ours[k], (double)theirs[k], 1e-4);
        free(packed);
        free(ours);
        free(theirs);
        net_room_free(&room);
        fixture_free(&f);
    }
}
#else
static void test_a_convolution_is_that_of_onednn(void **state)
{
    (void)state;
    print_message("# oneDNN 2 (libdnnl-dev) was not there when the tests were built\n");
    skip();
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_network_says_what_the_textbook_says),
        cmocka_unit_test(test_so_does_the_portable_path),
        cmocka_unit_test(test_an_answer_does_not_depend_on_the_batch),
        cmocka_unit_test(test_a_cache_says_what_the_network_says),
        cmocka_unit_test(test_gradients_are_those_of_finite_differences),
        cmocka_unit_test(test_decay_pulls_weights_towards_zero),
        cmocka_unit_test(test_adam_learns),
        cmocka_unit_test(test_momentum_learns),
        cmocka_unit_test(test_a_file_keeps_every_bit),
        cmocka_unit_test(test_a_damaged_file_is_refused_with_the_reason),
        cmocka_unit_test(test_impossible_shapes_are_refused),
        cmocka_unit_test(test_a_convolution_is_that_of_onednn),
    };
    UNIT_MAIN(tests);
}
