/* SPDX-License-Identifier: MIT */

#include "core/screen.h"

#include "core/clock.h"
#include "core/json.h"

#include <math.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define COLUMNS_GUESS 80
#define ERASE         "\r\x1b[K"

/* Seconds. A day is 160 lines in a log. */
#define LOG_FIRST 1.0
#define LOG_MOST  600.0
#define LOG_SHARE 0.5

/* ---- How it looks ------------------------------------------------------------------------------ */

/* Seconds to the end; negative: not known. */
static double left_of(const holos_progress *p)
{
    if (p->left > 0)
        return p->left;
    if (p->total == 0 || p->done > p->total || p->rate <= 0)
        return -1;
    return (double)(p->total - p->done) / p->rate;
}

static double solved_share(const holos_progress *p)
{
    return p->done > 0 ? (double)p->solved / (double)p->done : 0;
}

static void count_words(const holos_progress *p, text *out)
{
    text_printf(out, "%s: ", p->label);
    text_rough(out, p->done);
    if (p->total > 0) {
        text_string(out, " of ");
        text_rough(out, p->total);
    }
    text_printf(out, " %s", p->unit);
    if (p->parts > 0)
        text_printf(out, ", part %llu of %llu", (unsigned long long)p->parts_done,
                    (unsigned long long)p->parts);
    if (p->total > 0 && p->done <= p->total)
        text_printf(out, ", %d %%", (int)(100.0 * (double)p->done / (double)p->total));
    if (p->is_wave)
        text_printf(out, ", layer %u, %d %% solved", p->layer, (int)(100.0 * solved_share(p)));
}

static void rate_words(const holos_progress *p, text *out)
{
    if (p->rate > 0) {
        text_string(out, ", ");
        if (p->rate < 10)
            text_printf(out, "%.1f", p->rate);
        else
            text_rough(out, (uint64_t)fmin(p->rate, 1e18));
        text_string(out, "/s");
    }
    text_string(out, ", ");
    double left = left_of(p);
    text_clock(out, left >= 0 ? left : p->seconds);
    if (left >= 0)
        text_string(out, " left");
}

void screen_format_line(const holos_progress *p, text *out)
{
    count_words(p, out);
    rate_words(p, out);
    if (p->memory > 0) {
        text_string(out, ", ");
        text_size(out, p->memory);
    }
    if (p->disk > 0) {
        text_string(out, ", ");
        text_size(out, p->disk);
        text_string(out, " on disk");
    }
    if (p->has_seed && p->seed_lo == p->seed_hi)
        text_printf(out, ", seed %+d", p->seed_lo);
    else if (p->has_seed)
        text_printf(out, ", seed %+d..%+d", p->seed_lo, p->seed_hi);
}

void screen_format_json(const holos_progress *p, text *out)
{
    json j = json_begin(out);
    json_open(&j, NULL, '{');
    json_put_string(&j, "event", p->ended ? "done" : "progress");
    json_put_string(&j, "label", p->label);
    json_put_uint(&j, "done", p->done);
    if (p->total > 0)
        json_put_uint(&j, "total", p->total);
    json_put_string(&j, "unit", p->unit);
    if (p->parts > 0) {
        json_put_uint(&j, "parts_done", p->parts_done);
        json_put_uint(&j, "parts", p->parts);
    }
    if (p->is_wave) {
        json_put_uint(&j, "layer", p->layer);
        json_put_double(&j, "solved", solved_share(p));
    }
    if (p->rate > 0)
        json_put_double(&j, "rate", p->rate);
    json_put_double(&j, "seconds", p->seconds);
    if (left_of(p) >= 0)
        json_put_double(&j, "left", left_of(p));
    if (p->memory > 0)
        json_put_uint(&j, "memory", p->memory);
    if (p->disk > 0)
        json_put_uint(&j, "disk", p->disk);
    if (p->has_seed) {
        json_open(&j, "seed", '{');
        json_put_int(&j, "lo", p->seed_lo);
        json_put_int(&j, "hi", p->seed_hi);
        json_close(&j);
    }
    json_close(&j);
}

/* ---- Drawing, under the lock ------------------------------------------------------------------- */

/* Writes a line in one piece, so that others who write to the same place do not cut into it. */
static void screen_put(screen *s, const char *before, const char *line, const char *after)
{
    text t;
    text_init(&t);
    text_string(&t, before);
    text_string(&t, line);
    text_string(&t, after);
    fwrite(t.data, 1, t.length, s->out);
    fflush(s->out);
    text_free(&t);
}

static void screen_erase(screen *s)
{
    if (s->drawn)
        screen_put(s, ERASE, "", "");
    s->drawn = false;
}

/* Cuts a line that would not fit: a wrapped one cannot be erased. */
static void line_cut(char *line, FILE *out)
{
    struct winsize size;
    bool known = ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    int columns = known ? size.ws_col : COLUMNS_GUESS;
    for (char *c = line; *c != '\0'; c++)
        if (((unsigned char)*c & 0xC0) != 0x80 && --columns == 0) {
            *c = '\0';
            return;
        }
}

static bool log_is_due(screen *s)
{
    double now = clock_wall();
    if (now < s->next)
        return false;
    s->next = now + fmin(LOG_SHARE * (now - s->begun), LOG_MOST);
    return true;
}

void screen_show(void *context, const holos_progress *state)
{
    screen *s = context;
    char line[512];
    text t;
    text_init_fixed(&t, line, sizeof line);
    if (s->mode == SCREEN_NONE)
        return;
    pthread_mutex_lock(&s->lock);
    if (s->mode == SCREEN_JSON) {
        screen_format_json(state, &t);
        screen_put(s, "", line, "\n");
    } else if (s->mode == SCREEN_LOG) {
        screen_format_line(state, &t);
        if (log_is_due(s))
            screen_put(s, "", line, "\n");
    } else if (state->ended) {
        screen_erase(s);
    } else {
        screen_format_line(state, &t);
        line_cut(line, s->out);
        screen_put(s, ERASE, line, "");
        s->drawn = true;
    }
    pthread_mutex_unlock(&s->lock);
}

void screen_log(void *context, log_level level, const char *message)
{
    screen *s = context;
    text t;
    text_init(&t);
    if (s->mode == SCREEN_JSON) {
        json j = json_begin(&t);
        json_open(&j, NULL, '{');
        json_put_string(&j, "event", "log");
        json_put_string(&j, "level", log_level_name(level));
        json_put_string(&j, "message", message);
        json_close(&j);
    } else {
        if (level != LOG_LEVEL_INFO)
            text_printf(&t, "%s: ", log_level_name(level));
        text_string(&t, message);
    }
    pthread_mutex_lock(&s->lock);
    screen_erase(s);
    screen_put(s, "", t.data, "\n");
    pthread_mutex_unlock(&s->lock);
    text_free(&t);
}

/* ---- The life of a screen ---------------------------------------------------------------------- */

void screen_init(screen *s, FILE *out, screen_mode mode)
{
    *s = (screen){.out = out, .mode = mode, .begun = clock_wall()};
    s->next = s->begun + LOG_FIRST;
    pthread_mutex_init(&s->lock, NULL);
}

void screen_free(screen *s)
{
    screen_erase(s);
    pthread_mutex_destroy(&s->lock);
}

double screen_interval(const screen *s)
{
    return s->mode == SCREEN_LINE ? 0.1 : 0.5;
}
