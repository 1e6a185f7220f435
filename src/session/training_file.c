/* SPDX-License-Identifier: MIT */

/* Trainings in a folder. The checkpoint is one file that is replaced whole:
 *
 *     "HOLOSTRN", the version, the length of the words (8 bytes each), the words (JSON), then floats: parameters, statistics, both
 *     moments, parameters and statistics of the rated network; then the buffer; then a checksum of 16 bytes.
 *
 * Floats and the buffer are bytes as the machine has them: a checkpoint is for the kind of machine that wrote it, a network for any. */

#include "core/bytes.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/json.h"
#include "core/list.h"
#include "session/training.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define MAGIC   "HOLOSTRN"
#define VERSION 1
#define HEAD    24

/* ---- Words ------------------------------------------------------------------------------------- */

static void row_put(json *j, const training_row *row)
{
    json_open(j, NULL, '{');
    json_put_uint(j, "iteration", row->iteration);
    json_put_uint(j, "games", row->games);
    json_put_uint(j, "positions", row->positions);
    json_put_uint(j, "steps", row->steps);
    json_put_double(j, "policy_loss", row->policy);
    json_put_double(j, "value_loss", row->value);
    json_put_double(j, "decay_loss", row->decay);
    json_put_double(j, "rate", row->rate);
    json_put_double(j, "plies", row->plies);
    json_put_double(j, "seconds", row->seconds);
    if (row->rated)
        json_put_double(j, "rating", row->rating);
    json_close(j);
}

/* The numbers of a calibration, exactly: whether there is drift depends on them. */
#define CALIBRATION_REALS(REAL)                                                                              \
    REAL(thresholds.entropy)                                                                                 \
    REAL(thresholds.gap)                                                                                     \
    REAL(thresholds.variance)                                                                                \
    REAL(mean.entropy)                                                                                       \
    REAL(mean.gap)                                                                                           \
    REAL(mean.variance) REAL(deviation.entropy) REAL(deviation.gap) REAL(deviation.variance) REAL(stops)

static void calibration_put(json *j, const zeno_calibration *c)
{
    char exact[40];
#define REAL(name)                                                                                           \
    snprintf(exact, sizeof exact, "%a", (double)c->name);                                                    \
    json_put_string(j, #name, exact);
    CALIBRATION_REALS(REAL)
#undef REAL
}

static void calibration_get(const json_t *words, zeno_calibration *c)
{
    const char *exact;
    c->positions = (uint32_t)json_integer_value(json_object_get(words, "positions"));
#define REAL(name)                                                                                           \
    exact = json_string_value(json_object_get(words, #name));                                                \
    c->name = (__typeof__(c->name))(exact != NULL ? strtod(exact, NULL) : 0);
    CALIBRATION_REALS(REAL)
#undef REAL
}

static void words_put(const training *t, const holos_settings *words, text *out)
{
    char exact[40];
    json j = json_begin(out);
    json_open(&j, NULL, '{');
    json_put_string(&j, "game", t->v->name);
    json_put_uint(&j, "seed", t->seed);
    json_put_uint(&j, "iteration", t->iteration);
    json_put_uint(&j, "games", t->games);
    json_put_uint(&j, "positions", t->positions);
    json_put_uint(&j, "steps", t->trainer.steps);
    json_put_uint(&j, "next", t->buffer.next);
    snprintf(exact, sizeof exact, "%a", t->rating);
    json_put_string(&j, "rating", exact);
    if (t->calibration.positions > 0) {
        json_open(&j, "calibration", '{');
        json_put_uint(&j, "positions", t->calibration.positions);
        calibration_put(&j, &t->calibration);
        json_close(&j);
    }
    json_open(&j, "settings", '{');
    for (size_t i = 0; train_options[i].name != NULL; i++) {
        const char *value = holos_settings_get(words, train_options[i].name);
        json_put_string(&j, train_options[i].name, value != NULL ? value : train_options[i].fallback);
    }
    json_close(&j);
    json_open(&j, "log", '[');
    for (size_t i = 0; i < t->row_count; i++)
        row_put(&j, &t->rows[i]);
    json_close(&j);
    json_close(&j);
}

/* ---- Plot -------------------------------------------------------------------------------------- */

enum { WIDTH = 720, HEIGHT = 240, LEFT = 60, RIGHT = 20, TOP = 34, BOTTOM = 26 };

typedef struct curve {
    const char *title, *colour;
    double (*value)(const training_row *row);
    bool (*shown)(const training_row *row); /* NULL: where something was learned */
} curve;

static double policy_of(const training_row *row)
{
    return row->policy;
}
static double value_of(const training_row *row)
{
    return row->value;
}
static double rating_of(const training_row *row)
{
    return row->rating;
}
static bool is_rated(const training_row *row)
{
    return row->rated;
}
static bool has_learned(const training_row *row)
{
    return row->policy > 0;
}

static void curve_draw(text *out, const training *t, const curve *c, double top)
{
    double least = 0, most = 1e-9, last = 0;
    for (size_t i = 0; i < t->row_count; i++)
        if (c->shown(&t->rows[i])) {
            last = c->value(&t->rows[i]);
            least = last < least ? last : least;
            most = last > most ? last : most;
        }
    text_printf(out, "<text x=\"%d\" y=\"%.0f\" class=\"title\">%s</text>\n", LEFT, top + 20, c->title);
    for (int i = 0; i <= 4; i++) {
        double value = least + (most - least) * i / 4;
        double y = top + TOP + (HEIGHT - TOP - BOTTOM) * (1 - i / 4.0);
        text_printf(out,
                    "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" class=\"grid\"/>"
                    "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.3g</text>\n",
                    LEFT, y, WIDTH - RIGHT, y, LEFT - 6, y + 4, value);
    }
    text_printf(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" points=\"", c->colour);
    for (size_t i = 0; i < t->row_count; i++)
        if (c->shown(&t->rows[i]))
            text_printf(out, "%.1f,%.1f ",
                        LEFT + (double)(WIDTH - LEFT - RIGHT) * (double)(i + 1) / (double)t->row_count,
                        top + TOP +
                            (HEIGHT - TOP - BOTTOM) * (1 - (c->value(&t->rows[i]) - least) / (most - least)));
    text_printf(out, "\"/>\n<text x=\"%d\" y=\"%.0f\" text-anchor=\"end\">%" PRIu64 " iterations</text>\n",
                WIDTH - RIGHT, top + HEIGHT - 8, t->iteration);
}

static void plot_draw(const training *t, text *out)
{
    static const curve curves[] = {
        {"policy: cross-entropy", "#2a6fbb", policy_of, has_learned},
        {"value: squared error", "#b5452b", value_of, has_learned},
        {"strength: Elo over the first network", "#3a7d44", rating_of, is_rated},
    };
    size_t count = sizeof curves / sizeof *curves;
    text_printf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %zu\" font-family=\"sans-serif\" "
        "font-size=\"11\">\n<style>.grid{stroke:#ddd}.title{font-size:14px;font-weight:bold}</style>\n"
        "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
        WIDTH, count * HEIGHT);
    for (size_t i = 0; i < count; i++)
        curve_draw(out, t, &curves[i], (double)i * HEIGHT);
    text_string(out, "</svg>\n");
}

/* ---- Calibrations ------------------------------------------------------------------------------ */

/* calibrations/calibration_iter0005.json and calibration_latest.json. */
static holos_status calibration_save(const training *t, const char *folder, holos_error *err)
{
    char names[2][64];
    text path;
    if (!t->calibrated)
        return HOLOS_OK;
    snprintf(names[0], sizeof names[0], "iter%04llu", (unsigned long long)t->iteration);
    snprintf(names[1], sizeof names[1], "latest");
    text_init(&path);
    text_printf(&path, "%s/calibrations", folder);
    holos_status status = file_make_folder(path.data, err);
    for (int i = 0; status == HOLOS_OK && i < 2; i++) {
        text content;
        text_init(&content);
        zeno_calibration_write(&t->calibration, &content);
        text_clear(&path);
        text_printf(&path, "%s/calibrations/calibration_%s.json", folder, names[i]);
        status = content.failed || path.failed ? error_system(err, "a calibration")
                                               : file_put(path.data, content.data, content.length, err);
        text_free(&content);
    }
    text_free(&path);
    return status;
}

/* ---- Saving ------------------------------------------------------------------------------------ */

static void path_make(const char *folder, const char *name, text *out)
{
    text_init(out);
    text_printf(out, "%s/%s", folder, name);
}

static void floats_put(text *out, const float *x, size_t count)
{
    text_bytes(out, (const char *)x, count * sizeof *x);
}

static void checkpoint_write(const training *t, const holos_settings *words, text *out)
{
    text said;
    unsigned char head[HEAD] = {0}, sum[16];
    text_init(&said);
    words_put(t, words, &said);
    memcpy(head, MAGIC, sizeof MAGIC - 1);
    put64(head + 8, VERSION);
    put64(head + 16, said.length);
    text_bytes(out, (const char *)head, HEAD);
    text_bytes(out, said.data, said.length);
    out->failed |= said.failed;
    text_free(&said);
    size_t parameters = t->net.at.parameters, statistics = t->net.at.statistics;
    floats_put(out, t->net.parameters, parameters);
    floats_put(out, t->net.statistics, statistics);
    floats_put(out, t->trainer.first, parameters);
    floats_put(out, t->trainer.second, parameters);
    floats_put(out, t->rated.parameters, parameters);
    floats_put(out, t->rated.statistics, statistics);
    replay_write(&t->buffer, out);
    holos_key hash = hash_bytes(out->data, out->length);
    put64(sum, hash.lo);
    put64(sum + 8, hash.hi);
    text_bytes(out, (const char *)sum, sizeof sum);
}

/* Writes what a text has, and frees it. */
static holos_status text_put(const char *folder, const char *name, text *content, holos_error *err)
{
    text path;
    path_make(folder, name, &path);
    holos_status status = content->failed || path.failed
                              ? error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for a checkpoint")
                              : file_put(path.data, content->data, content->length, err);
    text_free(&path);
    text_free(content);
    return status;
}

holos_status training_save(const training *t, const holos_settings *words, const char *folder,
                           holos_error *err)
{
    text content, path;
    holos_status status = calibration_save(t, folder, err);
    if (status != HOLOS_OK)
        return status;
    text_init(&content);
    checkpoint_write(t, words, &content);
    status = text_put(folder, TRAINING_CHECKPOINT, &content, err);
    if (status != HOLOS_OK)
        return status;
    path_make(folder, TRAINING_NETWORK, &path);
    status = net_save(&t->net, path.data, err);
    text_free(&path);
    if (status != HOLOS_OK)
        return status;
    text_init(&content);
    plot_draw(t, &content);
    return text_put(folder, TRAINING_PLOT, &content, err);
}

/* ---- Loading ----------------------------------------------------------------------------------- */

static holos_status damaged(const char *folder, const char *why, holos_error *err)
{
    return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "the checkpoint in %s is damaged: %s", folder, why);
}

/* The whole file, checked; *words is its JSON, which the caller decrefs, and *rest where the numbers begin. */
static holos_status checkpoint_read(const char *folder, text *file, json_t **words,
                                    const unsigned char **rest, holos_error *err)
{
    text path;
    *words = NULL;
    path_make(folder, TRAINING_CHECKPOINT, &path);
    holos_status status = file_read(path.data, 0, file, err);
    text_free(&path);
    if (status != HOLOS_OK)
        return status;
    const unsigned char *bytes = (const unsigned char *)file->data;
    if (file->length < HEAD + 16 || memcmp(bytes, MAGIC, 8) != 0)
        return error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE, "%s/%s is not a checkpoint of a training",
                         folder, TRAINING_CHECKPOINT);
    if (get64(bytes + 8) != VERSION)
        return damaged(folder, "its format is one that this version of holos does not know", err);
    holos_key hash = hash_bytes(bytes, file->length - 16);
    if (get64(bytes + file->length - 16) != hash.lo || get64(bytes + file->length - 8) != hash.hi)
        return damaged(folder, "its checksum is wrong", err);
    uint64_t length = get64(bytes + 16);
    if (length > file->length - HEAD - 16)
        return damaged(folder, "it is too short", err);
    *words = json_read(file->data + HEAD, length, err);
    *rest = bytes + HEAD + length;
    return *words != NULL ? HOLOS_OK : damaged(folder, "its words are no JSON", err);
}

static uint64_t word_uint(const json_t *words, const char *name)
{
    return (uint64_t)json_integer_value(json_object_get(words, name));
}

holos_status training_load_settings(const char *folder, const holos_variant *v, holos_settings *words,
                                    uint64_t *seed, holos_error *err)
{
    text file;
    json_t *said;
    const unsigned char *rest;
    text_init(&file);
    holos_status status = checkpoint_read(folder, &file, &said, &rest, err);
    if (status == HOLOS_OK) {
        const char *game = json_string_value(json_object_get(said, "game"));
        *seed = word_uint(said, "seed");
        if (game == NULL || strcmp(game, v->name) != 0)
            status = error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "the training in %s is for %s, not %s",
                               folder, game != NULL ? game : "nothing", v->name);
        const char *name;
        json_t *value;
        json_object_foreach(json_object_get(said, "settings"), name, value)
        {
            if (status == HOLOS_OK && json_is_string(value) && option_find(train_options, name, strlen(name)))
                status = holos_settings_set(words, name, json_string_value(value), err);
        }
    }
    json_decref(said);
    text_free(&file);
    return status;
}

static bool floats_get(const unsigned char **at, const unsigned char *end, float *x, size_t count)
{
    if ((size_t)(end - *at) < count * sizeof *x)
        return false;
    memcpy(x, *at, count * sizeof *x);
    *at += count * sizeof *x;
    return true;
}

static holos_status rows_read(training *t, const json_t *log, holos_error *err)
{
    size_t count = json_array_size(log);
    if (!LIST_RESERVE(t->rows, t->row_room, count))
        return error_system(err, "a training");
    for (t->row_count = 0; t->row_count < count; t->row_count++) {
        const json_t *row = json_array_get(log, t->row_count), *rated = json_object_get(row, "rating");
#define REAL(name) json_number_value(json_object_get(row, name))
        t->rows[t->row_count] = (training_row){.iteration = word_uint(row, "iteration"),
                                               .games = word_uint(row, "games"),
                                               .positions = word_uint(row, "positions"),
                                               .steps = word_uint(row, "steps"),
                                               .policy = REAL("policy_loss"),
                                               .value = REAL("value_loss"),
                                               .decay = REAL("decay_loss"),
                                               .rate = REAL("rate"),
                                               .plies = REAL("plies"),
                                               .seconds = REAL("seconds"),
                                               .rated = rated != NULL,
                                               .rating = json_number_value(rated)};
#undef REAL
    }
    return HOLOS_OK;
}

holos_status training_load(training *t, const char *folder, holos_error *err)
{
    text file;
    json_t *said;
    const unsigned char *at;
    text_init(&file);
    holos_status status = checkpoint_read(folder, &file, &said, &at, err);
    if (status == HOLOS_OK)
        status = rows_read(t, json_object_get(said, "log"), err);
    if (status == HOLOS_OK) {
        const unsigned char *end = (const unsigned char *)file.data + file.length - 16;
        const char *rating = json_string_value(json_object_get(said, "rating"));
        size_t parameters = t->net.at.parameters, statistics = t->net.at.statistics;
        t->iteration = word_uint(said, "iteration");
        t->games = word_uint(said, "games");
        t->positions = word_uint(said, "positions");
        t->trainer.steps = word_uint(said, "steps");
        t->rating = rating != NULL ? strtod(rating, NULL) : 0;
        calibration_get(json_object_get(said, "calibration"), &t->calibration);
        bool whole = floats_get(&at, end, t->net.parameters, parameters) &&
                     floats_get(&at, end, t->net.statistics, statistics) &&
                     floats_get(&at, end, t->trainer.first, parameters) &&
                     floats_get(&at, end, t->trainer.second, parameters) &&
                     floats_get(&at, end, t->rated.parameters, parameters) &&
                     floats_get(&at, end, t->rated.statistics, statistics) &&
                     replay_read(&t->buffer, &at, end) && at == end;
        if (whole)
            t->buffer.next = json_object_get(said, "next") != NULL
                                 ? word_uint(said, "next") % t->buffer.capacity
                                 : t->buffer.next;
        else
            status = damaged(folder, "its numbers are not those of its settings", err);
    }
    json_decref(said);
    text_free(&file);
    return status;
}
