/* SPDX-License-Identifier: MIT */

#include "cli/plot.h"

#include "core/file.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum { WIDTH = 720, HEIGHT = 300, LEFT = 70, RIGHT = 20, TOP = 40, BOTTOM = 40, LABELS = 12 };

typedef struct bars {
    const char *title, *axis;
    const uint64_t *counts;
    size_t count;
    int first;        /* the number of the first bar */
    bool logarithmic; /* heights */
} bars;

/* A count's height, as a share of the tallest. */
static double share(const bars *b, uint64_t count, uint64_t most)
{
    if (count == 0 || most == 0)
        return 0;
    return b->logarithmic ? (log10((double)count) + 0.3) / (log10((double)most) + 0.3)
                          : (double)count / (double)most;
}

static void grid_draw(text *t, const bars *b, double y, uint64_t most)
{
    double plot = HEIGHT - TOP - BOTTOM;
    unsigned decades = (unsigned)log10((double)most);
    for (unsigned i = 0; i <= (b->logarithmic ? decades : 4); i++) {
        uint64_t count = b->logarithmic ? (uint64_t)pow(10, i) : most / 4 * i;
        double at = y + TOP + plot * (1 - share(b, count, most));
        text_printf(t, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" class=\"grid\"/>", LEFT, at,
                    WIDTH - RIGHT, at);
        text_printf(t, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", LEFT - 6, at + 4);
        text_count(t, count);
        text_string(t, "</text>\n");
    }
}

static void bars_draw(text *t, const bars *b, double y)
{
    uint64_t most = 1;
    double plot = HEIGHT - TOP - BOTTOM, step = (double)(WIDTH - LEFT - RIGHT) / (double)b->count;
    size_t every = b->count / LABELS + 1;
    for (size_t i = 0; i < b->count; i++)
        most = b->counts[i] > most ? b->counts[i] : most;
    text_printf(t, "<text x=\"%d\" y=\"%.1f\" class=\"title\">%s</text>\n", LEFT, y + 22, b->title);
    grid_draw(t, b, y, most);
    for (size_t i = 0; i < b->count; i++) {
        double height = plot * share(b, b->counts[i], most), x = LEFT + step * (double)i;
        if (height > 0)
            text_printf(
                t,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>%d: %llu</title></rect>\n",
                x + 0.1 * step, y + TOP + plot - height, 0.8 * step, height, b->first + (int)i,
                (unsigned long long)b->counts[i]);
        if ((size_t)abs(b->first + (int)i) % every == 0)
            text_printf(t, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%d</text>\n", x + 0.5 * step,
                        y + HEIGHT - BOTTOM + 16, b->first + (int)i);
    }
    text_printf(t, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", WIDTH - RIGHT,
                y + HEIGHT - BOTTOM + 32, b->axis);
}

/* ---- Reports ----------------------------------------------------------------------------------- */

/* What one field of a chart counts: itself, or of a row its first count. */
static uint64_t count_of(const holos_field *f)
{
    if (f->type == HOLOS_FIELD_COUNT)
        return f->count;
    for (const holos_field *child = f->first; child != NULL; child = child->next)
        if (child->type == HOLOS_FIELD_COUNT)
            return child->count;
    return 0;
}

/* The number of a bar: the key of a group's field, the place of a list's. */
static int number_of(const holos_field *chart, const holos_field *f, size_t place)
{
    return chart->type == HOLOS_FIELD_GROUP ? atoi(f->key) : (int)place;
}

static holos_status chart_draw(text *t, const holos_field *chart, double y, holos_error *err)
{
    int first = INT_MAX, last = INT_MIN;
    size_t place = 0;
    for (const holos_field *f = chart->first; f != NULL; f = f->next, place++) {
        int number = number_of(chart, f, place);
        first = number < first ? number : first;
        last = number > last ? number : last;
    }
    size_t count = (size_t)(last - first) + 1;
    uint64_t *counts = calloc(count, sizeof *counts);
    if (counts == NULL)
        return error_system(err, "the plot");
    place = 0;
    for (const holos_field *f = chart->first; f != NULL; f = f->next, place++)
        counts[number_of(chart, f, place) - first] = count_of(f);
    bars b = {.title = chart->chart,
              .axis = chart->axis,
              .counts = counts,
              .count = count,
              .first = first,
              .logarithmic = chart->logarithmic};
    bars_draw(t, &b, y);
    free(counts);
    return HOLOS_OK;
}

static bool is_chart(const holos_field *f)
{
    return f->chart != NULL && f->first != NULL;
}

static holos_status picture_draw(text *t, const holos_field *root, holos_error *err)
{
    const holos_field *game = holos_report_find(root, "game");
    unsigned charts = 0;
    for (const holos_field *f = root->first; f != NULL; f = f->next)
        charts += is_chart(f);
    text_printf(t,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %u\" font-family=\"sans-serif\" "
                "font-size=\"11\">\n<style>rect{fill:#4a7fb5}.grid{stroke:#ddd}.title{font-size:15px;font-"
                "weight:bold}"
                "</style>\n<title>%s</title>\n",
                WIDTH, charts * HEIGHT, game != NULL ? game->text : "");
    holos_status status = HOLOS_OK;
    double y = 0;
    for (const holos_field *f = root->first; f != NULL && status == HOLOS_OK; f = f->next)
        if (is_chart(f)) {
            status = chart_draw(t, f, y, err);
            y += HEIGHT;
        }
    text_string(t, "</svg>\n");
    return status;
}

holos_status plot_write(const char *path, const holos_report *report, holos_error *err)
{
    text svg;
    text_init(&svg);
    holos_status status = picture_draw(&svg, holos_report_root(report), err);
    if (status == HOLOS_OK)
        status = svg.failed ? error_system(err, "the plot") : file_put(path, svg.data, svg.length, err);
    text_free(&svg);
    return status;
}
