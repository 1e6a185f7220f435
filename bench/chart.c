/* SPDX-License-Identifier: MIT */

#include "chart.h"

#include "core/file.h"

#include <math.h>

enum { WIDTH = 860, LEFT = 170, RIGHT = 30, TOP = 70, ROW = 15, BOTTOM = 30 };

/* At the left and the right border. */
static const struct {
    double least, most;
} scales[2] = {{0.001, 10000}, {1000, 1e8}}; /* milliseconds; things per second */

static const char *const colors[CHART_SERIES] = {"#9aa0a6", "#4a7fb5", "#e0912f", "#2f8f4e",
                                                 "#a44a9c", "#c0392b", "#16a085", "#34495e"};

static double across(const chart *c, double value)
{
    double least = scales[c->rates].least, most = scales[c->rates].most;
    double clipped = value < least ? least : value > most ? most : value;
    return LEFT + (WIDTH - LEFT - RIGHT) * log10(clipped / least) / log10(most / least);
}

static void draw_number(text *t, const chart *c, double value)
{
    double step = c->rates ? (value < 1e6 ? 1e3 : 1e6) : value < 1000 ? 1 : 1000;
    text_double(t, value / step, 3);
    text_string(t, c->rates ? (value < 1e6 ? " k/s" : " M/s") : value < 1000 ? " ms" : " s");
}

static void draw_scale(text *t, const chart *c, double bottom)
{
    int first = (int)lround(log10(scales[c->rates].least)), last = (int)lround(log10(scales[c->rates].most));
    for (int power = first; power <= last; power++) {
        double at = pow(10, power);
        text_printf(t, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%.1f\" class=\"grid\"/>", across(c, at),
                    TOP - 8, across(c, at), bottom);
        text_printf(t, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">", across(c, at), TOP - 14);
        draw_number(t, c, at);
        text_string(t, "</text>\n");
    }
}

static void draw_legend(text *t, const chart *c)
{
    for (size_t i = 0; i < CHART_SERIES && c->series[i] != NULL; i++)
        text_printf(t,
                    "<circle cx=\"%zu\" cy=\"36\" r=\"4\" fill=\"%s\"/><text x=\"%zu\" y=\"40\">%s</text>\n",
                    LEFT + 70 * i, colors[i], LEFT + 70 * i + 9, c->series[i]);
    if (c->rates)
        return;
    text_printf(t,
                "<text x=\"%d\" y=\"40\" text-anchor=\"end\">dot: median, end of the line: worst; hollow: "
                "not all solved"
                "</text>\n",
                WIDTH - RIGHT);
}

static void draw_mark(text *t, const chart *c, const chart_mark *m, const char *color, double y)
{
    if (!m->there)
        return;
    text_printf(t, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>",
                across(c, m->median), y, across(c, m->worst), y, color);
    text_printf(t, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" stroke=\"%s\" fill=\"%s\"/>\n",
                across(c, m->median), y, color, m->all ? color : "white");
}

static void draw_row(text *t, const chart *c, size_t row)
{
    double y = TOP + ROW * (double)row + ROW / 2.0;
    text_printf(t, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", LEFT - 10, y + 4,
                c->rows[row].name);
    for (size_t i = 0; i < CHART_SERIES && c->series[i] != NULL; i++)
        draw_mark(t, c, &c->rows[row].marks[i], colors[i], y + 2.4 * ((double)i - 1.5));
}

static void draw_all(text *t, const chart *c)
{
    double bottom = TOP + ROW * (double)c->row_count;
    text_printf(
        t,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" font-family=\"sans-serif\" "
        "font-size=\"11\">\n<style>.grid{stroke:#ddd}.title{font-size:15px;font-weight:bold}</style>\n"
        "<title>%s</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
        "<text x=\"%d\" y=\"20\" class=\"title\">%s</text>\n",
        WIDTH, bottom + BOTTOM, c->title, LEFT, c->title);
    draw_legend(t, c);
    draw_scale(t, c, bottom);
    for (size_t row = 0; row < c->row_count; row++)
        draw_row(t, c, row);
    text_string(t, "</svg>\n");
}

holos_status chart_write(const chart *c, const char *path, holos_error *err)
{
    text svg;
    file_writer w;
    text_init(&svg);
    draw_all(&svg, c);
    holos_status status = svg.failed ? error_system(err, "the plot") : file_create(&w, path, err);
    if (status == HOLOS_OK) {
        file_write(&w, svg.data, svg.length);
        status = file_commit(&w, err);
    }
    text_free(&svg);
    return status;
}
