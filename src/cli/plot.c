/* SPDX-License-Identifier: MIT */

#include "cli/plot.h"

#include "core/file.h"

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

/* Positions by tier, or by depth. */
static uint64_t *sizes_copy(const build_request *b, const build_report *r, size_t *count)
{
    *count = r->kind == STORE_GRAPH ? r->level_count : (size_t)b->top + 1;
    uint64_t *sizes = calloc(*count + 1, sizeof *sizes);
    for (size_t i = 0; sizes != NULL && i < *count; i++)
        sizes[i] = r->kind == STORE_GRAPH ? r->levels[i].positions : r->tiers[i];
    return sizes;
}

static void picture_draw(text *t, const build_request *b, const build_report *r, const uint64_t *sizes,
                         size_t count)
{
    size_t low = 0, high = 255;
    while (low < high && r->values[low] == 0)
        low++;
    while (high > low && r->values[high] == 0)
        high--;
    bool graph = r->kind == STORE_GRAPH;
    bars by_size = {.title = graph ? "Positions by depth" : "Positions by tier",
                    .axis = graph ? "moves from the start" : b->v->game->index->tier_unit,
                    .counts = sizes,
                    .count = count,
                    .logarithmic = true};
    bars by_value = {.title = "Positions by value",
                     .axis = "value, for the side to move",
                     .counts = r->values + low,
                     .count = high - low + 1,
                     .first = (int)low - HOLOS_BYTE_ZERO};
    text_printf(t,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
                "font-size=\"11\">\n<style>rect{fill:#4a7fb5}.grid{stroke:#ddd}.title{font-size:15px;font-"
                "weight:bold}"
                "</style>\n<title>%s</title>\n",
                WIDTH, 2 * HEIGHT, b->v->name);
    bars_draw(t, &by_size, 0);
    bars_draw(t, &by_value, HEIGHT);
    text_string(t, "</svg>\n");
}

holos_status plot_write(const char *path, const build_request *b, const build_report *r, holos_error *err)
{
    size_t count;
    text svg;
    file_writer w;
    uint64_t *sizes = sizes_copy(b, r, &count);
    if (sizes == NULL)
        return error_system(err, "the plot");
    text_init(&svg);
    picture_draw(&svg, b, r, sizes, count);
    holos_status status = svg.failed ? error_system(err, "the plot") : file_create(&w, path, err);
    if (status == HOLOS_OK) {
        file_write(&w, svg.data, svg.length);
        status = file_commit(&w, err);
    }
    text_free(&svg);
    free(sizes);
    return status;
}
