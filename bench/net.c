/* SPDX-License-Identifier: MIT */

/* Networks: how many boards of reversi's size a core evaluates and trains on in a second. */

#include "bench.h"
#include "core/clock.h"
#include "net/train.h"

#include <stdlib.h>

#define BATCH_MOST 256

typedef struct case_data {
    net net;
    net_model model;
    net_room room;
    float *planes, *policy, *logits, *values;
} case_data;

static const net_shape tower = {.kind = NET_TOWER,
                                .height = 8,
                                .width = 8,
                                .planes = 4,
                                .policy = 65,
                                .channels = 128,
                                .blocks = 4,
                                .policy_channels = 2,
                                .value_channels = 1,
                                .value_hidden = 64};
static const net_shape residual = {.kind = NET_RESIDUAL,
                                   .height = 8,
                                   .width = 8,
                                   .planes = 4,
                                   .policy = 65,
                                   .channels = 64,
                                   .blocks = 4,
                                   .policy_channels = 4,
                                   .value_channels = 4,
                                   .value_hidden = 64};

/* Boards of random planes, with a random move each that is the right one. */
static holos_status data_make(case_data *d, const net_shape *shape, uint64_t seed, holos_error *err)
{
    rng random;
    rng_init(&random, seed, 0);
    holos_status status = net_init(&d->net, shape, "bench", err);
    if (status != HOLOS_OK)
        return status;
    net_randomise(&d->net, &random);
    size_t planes = (size_t)BATCH_MOST * 64 * d->net.at.planes;
    d->planes = calloc(planes, sizeof *d->planes);
    d->policy = calloc(BATCH_MOST * d->net.at.logits, sizeof *d->policy);
    d->logits = calloc(BATCH_MOST * d->net.at.logits, sizeof *d->logits);
    d->values = calloc(BATCH_MOST, sizeof *d->values);
    if (d->planes == NULL || d->policy == NULL || d->logits == NULL || d->values == NULL)
        return error_system(err, "boards for a network");
    for (size_t i = 0; i < planes; i++)
        d->planes[i] = i % d->net.at.planes < shape->planes ? (float)rng_below(&random, 2) : 0;
    for (size_t i = 0; i < BATCH_MOST; i++)
        d->policy[i * d->net.at.logits + rng_below(&random, shape->policy)] = 1;
    status = net_model_init(&d->model, &d->net, err);
    return status == HOLOS_OK ? net_room_init(&d->room, shape, err) : status;
}

static void data_free(case_data *d)
{
    free(d->planes);
    free(d->policy);
    free(d->logits);
    free(d->values);
    net_room_free(&d->room);
    net_model_free(&d->model);
    net_free(&d->net);
    *d = (case_data){0};
}

static holos_status evaluations(bench_context *c, const char *name, case_data *d, size_t batch)
{
    size_t boards = c->quick ? 64 : 8192;
    net_evaluate(&d->model, &d->room, batch, d->planes, d->logits, d->values); /* warm */
    double begin = clock_cpu();
    for (size_t done = 0; done < boards; done += batch)
        net_evaluate(&d->model, &d->room, batch, d->planes, d->logits, d->values);
    return bench_report(c, name, boards, clock_cpu() - begin, "evaluations/s", 0);
}

static holos_status training(bench_context *c, const char *name, case_data *d)
{
    net_trainer t;
    net_training how = net_training_usual();
    size_t count = c->quick ? 32 : BATCH_MOST, steps = c->quick ? 1 : 8;
    holos_status status = net_trainer_init(&t, &d->net, &how, count, &c->error);
    net_batch batch = {.count = count, .planes = d->planes, .policy = d->policy, .values = d->values};
    if (status == HOLOS_OK) {
        net_trainer_step(&t, &batch, 1e-3);
        double begin = clock_cpu();
        for (size_t i = 0; i < steps; i++)
            net_trainer_step(&t, &batch, 1e-3);
        status = bench_report(c, name, steps * count, clock_cpu() - begin, "positions/s", 0);
    }
    net_trainer_free(&t);
    return status;
}

holos_status bench_net(bench_context *c)
{
    const struct {
        const char *name;
        const net_shape *shape;
        size_t batch; /* 0: training */
        bool portable;
    } cases[] = {
        {"tower 4x128, batch 1", &tower, 1, false},
        {"tower 4x128, batch 16", &tower, 16, false},
        {"tower 4x128, batch 16, portable", &tower, 16, true},
        {"tower 4x128, training", &tower, 0, false},
        {"residual 4x64, batch 1", &residual, 1, false},
        {"residual 4x64, batch 16", &residual, 16, false},
        {"residual 4x64, training", &residual, 0, false},
    };
    holos_status status = HOLOS_OK;
    for (size_t i = 0; status == HOLOS_OK && i < sizeof cases / sizeof *cases; i++) {
        case_data d = {0};
        status = data_make(&d, cases[i].shape, c->seed, &c->error);
        if (cases[i].portable)
            d.model.kernels = &net_kernels_portable;
        if (status == HOLOS_OK)
            status = cases[i].batch > 0 ? evaluations(c, cases[i].name, &d, cases[i].batch)
                                        : training(c, cases[i].name, &d);
        data_free(&d);
    }
    return status;
}
