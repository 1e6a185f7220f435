/* SPDX-License-Identifier: MIT */

#include "core/progress.h"

#include "core/clock.h"
#include "core/json.h"

#include <math.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define SECOND 1000000000 /* in nanoseconds */

static const int64_t intervals[] = {
    [PROGRESS_NONE] = INT64_MAX,
    [PROGRESS_LINE] = SECOND / 10,
    [PROGRESS_JSON] = SECOND / 2,
};

#define RATE_MEMORY   5.0 /* seconds that the rate looks back, about */
#define COLUMNS_GUESS 80
#define ERASE         "\r\x1b[K"

/* Good to a few milliseconds, and five times as fast to read as the exact clock. */
static int64_t coarse_now(void)
{
#ifdef CLOCK_MONOTONIC_COARSE
    clockid_t id = CLOCK_MONOTONIC_COARSE;
#else
    clockid_t id = CLOCK_MONOTONIC;
#endif
    struct timespec t;
    clock_gettime(id, &t);
    return (int64_t)t.tv_sec * SECOND + t.tv_nsec;
}

/* ---- How it looks ------------------------------------------------------------------------------ */

/* Seconds to the end; negative: not known. */
static double state_left(const progress_state *s)
{
    if (s->total == 0 || s->done > s->total || s->rate <= 0)
        return -1;
    return (double)(s->total - s->done) / s->rate;
}

void progress_format_line(const progress_state *s, text *out)
{
    text_printf(out, "%s: ", s->label);
    text_rough(out, s->done);
    if (s->total > 0) {
        text_string(out, " of ");
        text_rough(out, s->total);
    }
    text_printf(out, " %s", s->unit);
    if (s->parts > 0)
        text_printf(out, ", part %llu of %llu", (unsigned long long)s->parts_done,
                    (unsigned long long)s->parts);
    if (s->total > 0 && s->done <= s->total)
        text_printf(out, ", %d %%", (int)(100.0 * (double)s->done / (double)s->total));
    if (s->rate > 0) {
        text_string(out, ", ");
        if (s->rate < 10)
            text_printf(out, "%.1f", s->rate);
        else
            text_rough(out, (uint64_t)fmin(s->rate, 1e18));
        text_string(out, "/s");
    }
    text_string(out, ", ");
    double left = state_left(s);
    text_clock(out, left >= 0 ? left : s->seconds);
    if (left >= 0)
        text_string(out, " left");
    if (s->memory > 0) {
        text_string(out, ", ");
        text_size(out, s->memory);
    }
    if (s->disk > 0) {
        text_string(out, ", ");
        text_size(out, s->disk);
        text_string(out, " on disk");
    }
}

void progress_format_json(const progress_state *s, const char *event, text *out)
{
    json j = json_begin(out);
    json_open(&j, NULL, '{');
    json_put_string(&j, "event", event);
    json_put_string(&j, "label", s->label);
    json_put_uint(&j, "done", s->done);
    if (s->total > 0)
        json_put_uint(&j, "total", s->total);
    json_put_string(&j, "unit", s->unit);
    if (s->parts > 0) {
        json_put_uint(&j, "parts_done", s->parts_done);
        json_put_uint(&j, "parts", s->parts);
    }
    if (s->rate > 0)
        json_put_double(&j, "rate", s->rate);
    json_put_double(&j, "seconds", s->seconds);
    if (state_left(s) >= 0)
        json_put_double(&j, "left", state_left(s));
    if (s->memory > 0)
        json_put_uint(&j, "memory", s->memory);
    if (s->disk > 0)
        json_put_uint(&j, "disk", s->disk);
    json_close(&j);
}

/* ---- Drawing, under the lock ------------------------------------------------------------------- */

/* Writes a line in one piece, so that others who write to the same place do not cut into it. */
static void progress_put(progress *p, const char *before, const char *line, const char *after)
{
    text t;
    text_init(&t);
    text_string(&t, before);
    text_string(&t, line);
    text_string(&t, after);
    fwrite(t.data, 1, t.length, p->out);
    fflush(p->out);
    text_free(&t);
}

static void progress_erase(progress *p)
{
    if (p->drawn)
        progress_put(p, ERASE, "", "");
    p->drawn = false;
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

/* The rate of late: each new measurement counts the more, the longer it took. */
static void progress_measure(progress *p, double now, uint64_t done)
{
    double span = now - p->rate_time;
    if (span <= 0)
        return;
    double rate = (double)(done - p->rate_done) / span;
    double weight = p->rate_time > p->begun ? 1 - exp(-span / RATE_MEMORY) : 1;
    p->rate += weight * (rate - p->rate);
    p->rate_time = now;
    p->rate_done = done;
}

static progress_state progress_observe(progress *p)
{
    double now = clock_wall();
    uint64_t done = atomic_load_explicit(&p->done, memory_order_relaxed);
    progress_measure(p, now, done);
    return (progress_state){
        .label = p->label,
        .unit = p->unit,
        .done = done,
        .total = atomic_load_explicit(&p->total, memory_order_relaxed),
        .parts_done = atomic_load_explicit(&p->parts_done, memory_order_relaxed),
        .parts = atomic_load_explicit(&p->parts, memory_order_relaxed),
        .disk = atomic_load_explicit(&p->disk, memory_order_relaxed),
        .rate = p->rate,
        .seconds = now - p->begun,
        .memory = p->budget != NULL ? atomic_load_explicit(&p->budget->used, memory_order_relaxed) : 0,
    };
}

static void progress_draw(progress *p, const char *event)
{
    char line[512];
    text t;
    text_init_fixed(&t, line, sizeof line);
    progress_state state = progress_observe(p);
    if (p->mode == PROGRESS_JSON) {
        progress_format_json(&state, event, &t);
        progress_put(p, "", line, "\n");
    } else {
        progress_format_line(&state, &t);
        line_cut(line, p->out);
        progress_put(p, ERASE, line, "");
        p->drawn = true;
    }
}

/* ---- The life of a progress -------------------------------------------------------------------- */

void progress_init(progress *p, FILE *out, progress_mode mode, const mem_budget *budget)
{
    *p = (progress){.out = out, .mode = mode, .budget = budget};
    atomic_init(&p->due, INT64_MAX);
    pthread_mutex_init(&p->lock, NULL);
}

void progress_free(progress *p)
{
    progress_end(p);
    pthread_mutex_destroy(&p->lock);
}

void progress_begin(progress *p, const char *label, const char *unit, uint64_t total)
{
    if (p == NULL || p->mode == PROGRESS_NONE)
        return;
    progress_end(p);
    pthread_mutex_lock(&p->lock);
    snprintf(p->label, sizeof p->label, "%s", label);
    snprintf(p->unit, sizeof p->unit, "%s", unit);
    p->begun = p->rate_time = clock_wall();
    p->rate = 0;
    p->rate_done = 0;
    atomic_store_explicit(&p->done, 0, memory_order_relaxed);
    atomic_store_explicit(&p->parts_done, 0, memory_order_relaxed);
    atomic_store_explicit(&p->parts, 0, memory_order_relaxed);
    atomic_store_explicit(&p->disk, 0, memory_order_relaxed);
    atomic_store_explicit(&p->total, total, memory_order_relaxed);
    /* Not at once: what is done in no time needs no line. */
    atomic_store_explicit(&p->due, coarse_now() + 2 * intervals[p->mode], memory_order_relaxed);
    pthread_mutex_unlock(&p->lock);
}

void progress_set_total(progress *p, uint64_t total)
{
    if (p != NULL)
        atomic_store_explicit(&p->total, total, memory_order_relaxed);
}

void progress_set_parts(progress *p, uint64_t parts)
{
    if (p != NULL)
        atomic_store_explicit(&p->parts, parts, memory_order_relaxed);
}

void progress_add_part(progress *p, uint64_t disk)
{
    if (p == NULL)
        return;
    atomic_fetch_add_explicit(&p->parts_done, 1, memory_order_relaxed);
    atomic_store_explicit(&p->disk, disk, memory_order_relaxed);
}

void progress_end(progress *p)
{
    if (p == NULL)
        return;
    pthread_mutex_lock(&p->lock);
    bool active = atomic_exchange_explicit(&p->due, INT64_MAX, memory_order_relaxed) != INT64_MAX;
    if (active && p->mode == PROGRESS_JSON) {
        p->rate_time = p->begun; /* the rate of the whole */
        p->rate_done = 0;
        progress_draw(p, "done");
    }
    progress_erase(p);
    pthread_mutex_unlock(&p->lock);
}

void progress_tick(progress *p)
{
    if (p == NULL)
        return;
    int64_t now = coarse_now();
    if (now < atomic_load_explicit(&p->due, memory_order_relaxed))
        return;
    if (pthread_mutex_trylock(&p->lock) != 0)
        return; /* somebody else draws it */
    int64_t due = atomic_load_explicit(&p->due, memory_order_relaxed);
    if (now >= due) {
        atomic_store_explicit(&p->due, now + intervals[p->mode], memory_order_relaxed);
        progress_draw(p, "progress");
    }
    pthread_mutex_unlock(&p->lock);
}

void progress_log(void *context, log_level level, const char *message)
{
    progress *p = context;
    text t;
    text_init(&t);
    if (p->mode == PROGRESS_JSON) {
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
    pthread_mutex_lock(&p->lock);
    progress_erase(p);
    progress_put(p, "", t.data, "\n");
    pthread_mutex_unlock(&p->lock);
    text_free(&t);
}
