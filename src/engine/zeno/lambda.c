/* SPDX-License-Identifier: MIT */

#include "engine/zeno/lambda.h"

#include "core/error.h"
#include "core/file.h"
#include "core/json.h"
#include "core/list.h"

#include <math.h>
#include <stdlib.h>

#define STEPS       2000
#define RATE        0.01
#define HELD_OUT    10 /* every tenth row is for the measurement */
#define NUMBERS     (ZENO_LAMBDA_HIDDEN * 5 + 1)
#define COLUMNS_MAX 64

/* ---- Logs -------------------------------------------------------------------------------------- */

enum { COLUMN_ENTROPY, COLUMN_GAP, COLUMN_VARIANCE, COLUMN_LAMBDA, COLUMN_TACTICAL, COLUMN_OUTCOME, COLUMNS };

static const char *const names[COLUMNS] = {"H_v", "G", "Var_Q", "lambda_h", "tactical", "win_outcome"};

/* The next field of a line; NULL past its end. */
static const char *field_next(const char **at, const char *end, size_t *length)
{
    const char *field = *at;
    if (field > end)
        return NULL;
    const char *comma = memchr(field, ',', (size_t)(end - field));
    const char *stop = comma != NULL ? comma : end;
    *length = (size_t)(stop - field);
    *at = stop + 1;
    return field;
}

/* Which column is which; false: one is missing. */
static bool head_read(const char *line, const char *end, int places[COLUMNS])
{
    size_t length;
    const char *field;
    for (int i = 0; i < COLUMNS; i++)
        places[i] = -1;
    for (int at = 0; at < COLUMNS_MAX && (field = field_next(&line, end, &length)) != NULL; at++)
        for (int i = 0; i < COLUMNS; i++)
            if (strlen(names[i]) == length && memcmp(names[i], field, length) == 0)
                places[i] = at;
    for (int i = 0; i < COLUMNS; i++)
        if (places[i] < 0)
            return false;
    return true;
}

static bool number_read(const char *field, size_t length, double *out)
{
    char words[32], *end;
    if (length == 0 || length >= sizeof words)
        return false;
    memcpy(words, field, length);
    words[length] = 0;
    *out = strtod(words, &end);
    return *end == 0 && isfinite(*out);
}

static bool row_read(const char *line, const char *end, const int places[COLUMNS], double out[COLUMNS])
{
    size_t length;
    const char *field;
    int found = 0;
    for (int at = 0; at < COLUMNS_MAX && (field = field_next(&line, end, &length)) != NULL; at++)
        for (int i = 0; i < COLUMNS; i++)
            if (places[i] == at)
                found += number_read(field, length, &out[i]);
    return found == COLUMNS && out[COLUMN_LAMBDA] >= 0 && out[COLUMN_LAMBDA] <= 1;
}

static holos_status log_parse(const char *path, const text *file, lambda_row **out, size_t *count,
                              holos_error *err)
{
    int places[COLUMNS];
    size_t room = 0, number = 1;
    const char *at = file->data, *end = file->data + file->length;
    for (; at < end; number++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        double x[COLUMNS] = {0};
        stop = stop != NULL ? stop : end;
        if (number == 1 && !head_read(at, stop, places))
            return error_set(
                err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                "%s is no log of moves: its first line does not name H_v, G, Var_Q, lambda_h, tactical and "
                "win_outcome",
                path);
        if (number > 1 && !row_read(at, stop, places, x))
            return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                             "%s, line %zu: a number is missing or out of range", path, number);
        if (number > 1 && x[COLUMN_TACTICAL] == 0) {
            if (!LIST_RESERVE(*out, room, *count + 1))
                return error_system(err, "a log");
            (*out)[(*count)++] = (lambda_row){.shape = {.entropy = (float)x[COLUMN_ENTROPY],
                                                        .gap = (float)x[COLUMN_GAP],
                                                        .variance = (float)x[COLUMN_VARIANCE]},
                                              .lambda = (float)x[COLUMN_LAMBDA],
                                              .outcome = (x[COLUMN_OUTCOME] > 0) - (x[COLUMN_OUTCOME] < 0)};
        }
        at = stop + 1;
    }
    return number > 1 ? HOLOS_OK : error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s is empty", path);
}

holos_status lambda_log_read(const char *path, lambda_row **out, size_t *count, holos_error *err)
{
    text file;
    text_init(&file);
    *out = NULL;
    *count = 0;
    holos_status status = file_read(path, 0, &file, err);
    if (status == HOLOS_OK)
        status = log_parse(path, &file, out, count, err);
    text_free(&file);
    return status;
}

/* ---- Fitting ----------------------------------------------------------------------------------- */

/* The numbers of the network in a row: three weights, a bias and a weight out of each hidden unit, and the last bias. */
static void network_unpack(const double n[NUMBERS], zeno_lambda *out)
{
    for (int i = 0; i < ZENO_LAMBDA_HIDDEN; i++) {
        for (int k = 0; k < 3; k++)
            out->weights[i][k] = (float)n[5 * i + k];
        out->bias[i] = (float)n[5 * i + 3];
        out->out[i] = (float)n[5 * i + 4];
    }
    out->out_bias = (float)n[NUMBERS - 1];
}

static double target_of(const lambda_row *r)
{
    return r->outcome > 0 ? (double)r->lambda : 1 - (double)r->lambda;
}

/* Adds the gradient of a row's square error. */
static void gradient_add(const double n[NUMBERS], const lambda_row *r, double g[NUMBERS])
{
    const double x[3] = {(double)r->shape.entropy, (double)r->shape.gap, (double)r->shape.variance};
    double hidden[ZENO_LAMBDA_HIDDEN], sum = n[NUMBERS - 1];
    for (int i = 0; i < ZENO_LAMBDA_HIDDEN; i++) {
        const double *w = &n[5 * i];
        double h = w[0] * x[0] + w[1] * x[1] + w[2] * x[2] + w[3];
        hidden[i] = h > 0 ? h : 0;
        sum += hidden[i] * w[4];
    }
    double y = 1 / (1 + exp(-sum)), back = 2 * (y - target_of(r)) * y * (1 - y);
    g[NUMBERS - 1] += back;
    for (int i = 0; i < ZENO_LAMBDA_HIDDEN; i++) {
        g[5 * i + 4] += back * hidden[i];
        if (hidden[i] <= 0)
            continue;
        for (int k = 0; k < 3; k++)
            g[5 * i + k] += back * n[5 * i + 4] * x[k];
        g[5 * i + 3] += back * n[5 * i + 4];
    }
}

static bool is_held_out(size_t i)
{
    return i % HELD_OUT == HELD_OUT - 1;
}

/* One step of Adam over all rows. */
static void step(double n[NUMBERS], double first[NUMBERS], double second[NUMBERS], const lambda_row *rows,
                 size_t count, unsigned number)
{
    double g[NUMBERS] = {0};
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        if (rows[i].outcome != 0 && !is_held_out(i)) {
            gradient_add(n, &rows[i], g);
            used++;
        }
    for (int i = 0; i < NUMBERS; i++) {
        double slope = g[i] / (double)used;
        first[i] = 0.9 * first[i] + 0.1 * slope;
        second[i] = 0.999 * second[i] + 0.001 * slope * slope;
        double a = first[i] / (1 - pow(0.9, number)), b = second[i] / (1 - pow(0.999, number));
        n[i] -= RATE * a / (sqrt(b) + 1e-8);
    }
}

static void measure(const zeno_lambda *l, const lambda_row *rows, size_t count, lambda_lesson *out)
{
    const zeno_options formula = {.control = true};
    double held = 0;
    *out = (lambda_lesson){.least = 1};
    for (size_t i = 0; i < count; i++) {
        double said = (double)zeno_lambda_learned(l, rows[i].shape);
        out->least = said < out->least ? said : out->least;
        out->most = said > out->most ? said : out->most;
        out->mean += said / (double)count;
        if (rows[i].outcome == 0)
            continue;
        out->rows++;
        if (!is_held_out(i))
            continue;
        double target = target_of(&rows[i]), by_formula = (double)zeno_lambda_of(&formula, rows[i].shape);
        held++;
        out->error += (said - target) * (said - target);
        out->formula += (by_formula - target) * (by_formula - target);
    }
    out->error /= held > 0 ? held : 1;
    out->formula /= held > 0 ? held : 1;
}

holos_status lambda_fit(const lambda_row *rows, size_t count, uint64_t seed, const holos_stop *stop,
                        zeno_lambda *out, lambda_lesson *lesson, holos_error *err)
{
    double n[NUMBERS], first[NUMBERS] = {0}, second[NUMBERS] = {0};
    size_t decided = 0;
    rng random;
    rng_init(&random, seed, 0);
    for (int i = 0; i < NUMBERS; i++)
        n[i] = (rng_double(&random) - 0.5) * 0.8;
    for (size_t i = 0; i < count; i++)
        decided += rows[i].outcome != 0 && !is_held_out(i);
    if (decided == 0)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "the log has nothing to learn from: no move of a game that was won or lost");
    for (unsigned i = 1; i <= STEPS; i++) {
        if (holos_stop_asked(stop))
            return error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
        step(n, first, second, rows, count, i);
    }
    network_unpack(n, out);
    measure(out, rows, count, lesson);
    return HOLOS_OK;
}

/* ---- Files ------------------------------------------------------------------------------------- */

static void list_put(json *j, const char *name, const float *x, size_t count)
{
    json_open(j, name, '[');
    for (size_t i = 0; i < count; i++)
        json_put_double(j, NULL, (double)x[i]);
    json_close(j);
}

void lambda_write(const zeno_lambda *l, text *out)
{
    json j = json_begin(out);
    json_open(&j, NULL, '{');
    json_put_string(&j, "holos", "lambda");
    list_put(&j, "weights", &l->weights[0][0], (size_t)ZENO_LAMBDA_HIDDEN * 3);
    list_put(&j, "bias", l->bias, ZENO_LAMBDA_HIDDEN);
    list_put(&j, "out", l->out, ZENO_LAMBDA_HIDDEN);
    list_put(&j, "out_bias", &l->out_bias, 1);
    json_close(&j);
    text_char(out, '\n');
}

static bool list_get(const json_t *from, const char *name, float *out, size_t count)
{
    const json_t *list = json_object_get(from, name);
    bool good = json_array_size(list) == count;
    for (size_t i = 0; good && i < count; i++) {
        const json_t *value = json_array_get(list, i);
        out[i] = (float)json_number_value(value);
        good = json_is_number(value) && isfinite(out[i]);
    }
    return good;
}

holos_status lambda_load(zeno_lambda *l, const char *path, holos_error *err)
{
    text file;
    text_init(&file);
    holos_status status = file_read(path, 1 << 20, &file, err);
    json_t *said = status == HOLOS_OK ? json_read(file.data, file.length, NULL) : NULL;
    if (status == HOLOS_OK &&
        !(list_get(said, "weights", &l->weights[0][0], (size_t)ZENO_LAMBDA_HIDDEN * 3) &&
          list_get(said, "bias", l->bias, ZENO_LAMBDA_HIDDEN) &&
          list_get(said, "out", l->out, ZENO_LAMBDA_HIDDEN) && list_get(said, "out_bias", &l->out_bias, 1)))
        status = error_set(
            err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
            "%s is not a learned lambda: weights, bias, out and out_bias of %d hidden units are needed", path,
            ZENO_LAMBDA_HIDDEN);
    json_decref(said);
    text_free(&file);
    return status;
}
