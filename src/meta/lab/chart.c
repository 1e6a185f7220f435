/* SPDX-License-Identifier: MIT */

/* The plot of an experiment: lines with points, as SVG. */

#include "meta/lab/lab.h"

#include <math.h>

enum { WIDTH = 720, HEIGHT = 400, LEFT = 80, RIGHT = 190, TOP = 40, BOTTOM = 50, TICKS = 5 };

static const char *const colors[] = {"#4a7fb5", "#d1743c", "#4f9d69", "#a05195",
                                     "#c2474e", "#7a7a7a", "#b59a2f", "#2f8f9d"};

typedef struct axis {
    double low, high;
    bool logarithmic;
} axis;

static double scale(const axis *a, double value)
{
    double v = a->logarithmic ? log10(value > 1e-9 ? value : 1e-9) : value;
    return a->high > a->low ? (v - a->low) / (a->high - a->low) : 0.5;
}

static axis axis_of(const lab_sheet *s, bool x)
{
    axis a = {.low = HUGE_VAL, .high = -HUGE_VAL, .logarithmic = x ? s->log_x : s->log_y};
    for (size_t i = 0; i < s->series_count; i++)
        for (size_t k = 0; k < s->series[i].count; k++) {
            double v = x ? s->series[i].points[k].x : s->series[i].points[k].y;
            v = a.logarithmic ? log10(v > 1e-9 ? v : 1e-9) : v;
            a.low = v < a.low ? v : a.low;
            a.high = v > a.high ? v : a.high;
        }
    if (!(a.low <= a.high))
        a.low = 0, a.high = 1;
    if (!a.logarithmic && a.low > 0 && !x)
        a.low = 0;
    return a;
}

static double place_x(const axis *a, double v)
{
    return LEFT + scale(a, v) * (WIDTH - LEFT - RIGHT);
}

static double place_y(const axis *a, double v)
{
    return HEIGHT - BOTTOM - scale(a, v) * (HEIGHT - TOP - BOTTOM);
}

static void ticks_draw(text *t, const axis *a, bool x)
{
    for (int i = 0; i <= TICKS; i++) {
        double v = a->low + (a->high - a->low) * i / TICKS;
        v = a->logarithmic ? pow(10, v) : v;
        double at = x ? place_x(a, v) : place_y(a, v);
        if (x)
            text_printf(t, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" class=\"grid\"/>", at, TOP, at,
                        HEIGHT - BOTTOM);
        else
            text_printf(t, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" class=\"grid\"/>", LEFT, at,
                        WIDTH - RIGHT, at);
        if (x)
            text_printf(t, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">", at, HEIGHT - BOTTOM + 16);
        else
            text_printf(t, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", LEFT - 6, at + 4);
        text_double(t, v, 3);
        text_string(t, "</text>\n");
    }
}

static void words_put(text *t, const char *words)
{
    for (; *words != 0; words++)
        switch (*words) {
        case '<':
            text_string(t, "&lt;");
            break;
        case '&':
            text_string(t, "&amp;");
            break;
        default:
            text_char(t, *words);
        }
}

static void series_draw(text *t, const lab_series *series, size_t index, const axis *x, const axis *y)
{
    const char *color = colors[index % (sizeof colors / sizeof *colors)];
    text_printf(t, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", color);
    for (size_t i = 0; i < series->count; i++)
        text_printf(t, "%.1f,%.1f ", place_x(x, series->points[i].x), place_y(y, series->points[i].y));
    text_string(t, "\"/>\n");
    for (size_t i = 0; i < series->count; i++)
        text_printf(t, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n",
                    place_x(x, series->points[i].x), place_y(y, series->points[i].y), color);
    double at = TOP + 8 + 16.0 * (double)index;
    text_printf(
        t, "<rect x=\"%d\" y=\"%.1f\" width=\"10\" height=\"10\" fill=\"%s\"/><text x=\"%d\" y=\"%.1f\">",
        WIDTH - RIGHT + 12, at, color, WIDTH - RIGHT + 28, at + 9);
    words_put(t, series->name);
    text_string(t, "</text>\n");
}

void lab_chart_draw(const lab_sheet *s, text *t)
{
    axis x = axis_of(s, true), y = axis_of(s, false);
    text_printf(
        t,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
        "font-size=\"11\">\n<style>.grid{stroke:#ddd}.title{font-size:15px;font-weight:bold}</style>\n"
        "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n<text x=\"%d\" y=\"22\" class=\"title\">",
        WIDTH, HEIGHT, WIDTH, HEIGHT, LEFT);
    words_put(t, s->title);
    text_string(t, "</text>\n");
    ticks_draw(t, &x, true);
    ticks_draw(t, &y, false);
    for (size_t i = 0; i < s->series_count; i++)
        series_draw(t, &s->series[i], i, &x, &y);
    text_printf(t, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + WIDTH - RIGHT) / 2,
                HEIGHT - 12);
    words_put(t, s->x);
    text_printf(t, "</text>\n<text transform=\"translate(14 %d) rotate(-90)\" text-anchor=\"middle\">",
                (TOP + HEIGHT - BOTTOM) / 2);
    words_put(t, s->y);
    text_string(t, "</text>\n</svg>\n");
}
