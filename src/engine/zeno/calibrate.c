/* SPDX-License-Identifier: MIT */

#include "engine/zeno/calibrate.h"

#include "core/clock.h"
#include "core/file.h"
#include "core/json.h"

#include <math.h>
#include <stdlib.h>

#define STREAM_POSITIONS (UINT64_C(5) << 60)
#define TRIES            20 /* games for a position, before there seem to be none */

/* ---- Positions --------------------------------------------------------------------------------- */

/* How long a random game is, or where it stands after `plies` of them. */
static uint32_t random_game(const holos_variant *v, rng *random, uint32_t plies, holos_edge *edges,
                            holos_position *p)
{
    uint32_t ply = 0, count;
    v->game->start(v, p);
    for (; ply < plies && (count = game_edges(v, p, edges)) > 0; ply++)
        v->game->play(v, p, edges[rng_below(random, count)].move, p);
    return ply;
}

/* A position in which somebody has to think. */
static bool position_draw(const holos_variant *v, rng *random, holos_edge *edges, holos_position *p)
{
    const holos_net *view = v->game->net;
    for (int i = 0; i < TRIES; i++) {
        rng same = *random;
        uint32_t length = random_game(v, random, UINT32_MAX, edges, p);
        uint32_t ply = (uint32_t)rng_below(random, length > 0 ? length : 1);
        holos_move move;
        random_game(v, &same, ply, edges, p);
        uint32_t count = game_edges(v, p, edges);
        if (count > 1 && (view->obvious == NULL || !view->obvious(v, p, edges, count, &move)))
            return true;
    }
    return false;
}

/* ---- Distributions ----------------------------------------------------------------------------- */

static int number_compare(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Sorts; `per_cent` of the numbers are below. */
static double percentile(float *x, uint32_t count, unsigned per_cent)
{
    qsort(x, count, sizeof *x, number_compare);
    return (double)x[(uint64_t)count * per_cent / 100];
}

static void spread_of(const float *x, uint32_t count, float *mean, float *deviation)
{
    double sum = 0, squares = 0;
    for (uint32_t i = 0; i < count; i++) {
        sum += (double)x[i] / count;
        squares += (double)x[i] * (double)x[i] / count;
    }
    *mean = (float)sum;
    *deviation = squares > sum * sum ? (float)sqrt(squares - sum * sum) : 0;
}

static void distributions(const zeno_shape *shapes, uint32_t count, float *scratch, zeno_calibration *out)
{
    uint32_t clear = 0;
#define COLUMN(member, to, per_cent)                                                                         \
    do {                                                                                                     \
        for (uint32_t i = 0; i < count; i++)                                                                 \
            scratch[i] = shapes[i].member;                                                                   \
        spread_of(scratch, count, &out->mean.member, &out->deviation.member);                                \
        out->thresholds.to = percentile(scratch, count, per_cent);                                           \
    } while (0)
    COLUMN(entropy, entropy, CALIBRATE_AIM);
    COLUMN(gap, gap, 100 - CALIBRATE_AIM);
    COLUMN(variance, variance, CALIBRATE_AIM);
#undef COLUMN
    for (uint32_t i = 0; i < count; i++)
        clear += zeno_is_clear(&out->thresholds, shapes[i]);
    out->stops = (double)clear / count;
    out->positions = count;
}

/* ---- Calibration ------------------------------------------------------------------------------- */

static holos_status probe(const holos_variant *v, zeno_thinker *t, uint32_t positions, uint64_t seed,
                          zeno_until until, zeno_shape *shapes, uint32_t *count, holos_error *err)
{
    holos_position *p = holos_position_new(v);
    holos_edge *edges = calloc(v->max_successors, sizeof *edges);
    holos_status status = p != NULL && edges != NULL ? HOLOS_OK : error_system(err, "a calibration");
    for (uint32_t i = 0; status == HOLOS_OK && i < positions; i++) {
        rng random;
        zeno_result found;
        zeno_request r = {.stop = until.stop, .deadline = until.deadline, .simulations = ZENO_PROBE};
        rng_init(&random, seed, STREAM_POSITIONS + i);
        if (!position_draw(v, &random, edges, p))
            continue;
        status = zeno_think(t, p, &r, &found, NULL, err);
        if (status == HOLOS_OK && zeno_is_over(until))
            status = error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
        if (status == HOLOS_OK && found.simulations >= ZENO_PROBE)
            shapes[(*count)++] = found.shape;
    }
    holos_position_free(p);
    free(edges);
    return status;
}

holos_status zeno_calibrate(const holos_variant *v, const zeno_options *o, const net_model *model,
                            uint32_t positions, uint64_t seed, zeno_until until, zeno_calibration *out,
                            holos_error *err)
{
    zeno_thinker t = {0};
    zeno_options options = *o;
    uint32_t count = 0;
    zeno_shape *shapes = calloc(positions, sizeof *shapes);
    float *scratch = calloc(positions, sizeof *scratch);
    *out = (zeno_calibration){.thresholds = o->thresholds};
    options.tactics = options.stop = options.budget = false;
    options.exact_root = 0;
    holos_status status = shapes != NULL && scratch != NULL
                              ? zeno_thinker_init(&t, v, &options, model, seed, 0, err)
                              : error_system(err, "a calibration");
    if (status == HOLOS_OK)
        status = probe(v, &t, positions, seed, until, shapes, &count, err);
    if (status == HOLOS_OK && count > 0)
        distributions(shapes, count, scratch, out);
    if (t.model != NULL)
        zeno_thinker_free(&t);
    free(shapes);
    free(scratch);
    return status;
}

double zeno_calibration_drift(const zeno_calibration *then, const zeno_calibration *now)
{
    double most = 0;
#define MOVED(member)                                                                                        \
    do {                                                                                                     \
        double by = fabs((double)(now->mean.member - then->mean.member));                                    \
        by = then->deviation.member > 0 ? by / (double)then->deviation.member : 0;                           \
        most = by > most ? by : most;                                                                        \
    } while (0)
    MOVED(entropy);
    MOVED(gap);
    MOVED(variance);
#undef MOVED
    return most;
}

/* ---- Files ------------------------------------------------------------------------------------- */

static void shape_put(json *j, const char *name, zeno_shape s)
{
    json_open(j, name, '{');
    json_put_double(j, "H_v", (double)s.entropy);
    json_put_double(j, "G", (double)s.gap);
    json_put_double(j, "Var_Q", (double)s.variance);
    json_close(j);
}

void zeno_calibration_write(const zeno_calibration *c, text *out)
{
    json j = json_begin(out);
    json_open(&j, NULL, '{');
    json_put_uint(&j, "positions", c->positions);
    json_open(&j, "thresholds", '{');
    json_put_double(&j, "H_v", c->thresholds.entropy);
    json_put_double(&j, "G", c->thresholds.gap);
    json_put_double(&j, "Var_Q", c->thresholds.variance);
    json_close(&j);
    shape_put(&j, "mean", c->mean);
    shape_put(&j, "deviation", c->deviation);
    json_put_double(&j, "stops", c->stops);
    json_close(&j);
    text_char(out, '\n');
}

static bool real_get(const json_t *from, const char *name, double *out)
{
    const json_t *value = json_object_get(from, name);
    *out = json_number_value(value);
    return json_is_number(value) && isfinite(*out);
}

holos_status zeno_calibration_load(zeno_calibration *c, const char *path, holos_error *err)
{
    text file;
    text_init(&file);
    *c = (zeno_calibration){0};
    holos_status status = file_read(path, 1 << 20, &file, err);
    json_t *said = status == HOLOS_OK ? json_read(file.data, file.length, NULL) : NULL;
    const json_t *t = json_object_get(said, "thresholds");
    if (status == HOLOS_OK &&
        !(real_get(t, "H_v", &c->thresholds.entropy) && real_get(t, "G", &c->thresholds.gap) &&
          real_get(t, "Var_Q", &c->thresholds.variance)))
        status = error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                           "%s is not a calibration: it has no thresholds H_v, G and Var_Q", path);
    json_decref(said);
    text_free(&file);
    return status;
}
