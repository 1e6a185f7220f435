/* SPDX-License-Identifier: MIT */

#include "cli/spines.h"

#include "cli/answer.h"
#include "core/json.h"

#include <stdlib.h>
#include <string.h>

#define LINE_MOST 65536

typedef struct spines_context {
    answer_format format;
    const char *path;
} spines_context;

typedef struct spines_worker {
    const spines_context *context;
    holos_hologram *h;
    holos_move *moves;
} spines_worker;

static holos_status worker_open(const void *context, unsigned workers, void **out, holos_error *err)
{
    (void)workers;
    spines_worker *w = calloc(1, sizeof *w);
    if (w == NULL)
        return error_system(err, "spines");
    w->context = context;
    *out = w;
    w->moves = malloc(LINE_MOST * sizeof *w->moves);
    return w->moves == NULL ? error_system(err, "spines") : holos_hologram_open(w->context->path, &w->h, err);
}

static void worker_close(void *worker)
{
    spines_worker *w = worker;
    holos_hologram_close(w->h);
    free(w->moves);
    free(w);
}

static void spine_json(const spines_worker *w, const batch_item *item, holos_value value, size_t length,
                       bool recorded)
{
    const holos_variant *v = w->context->format.v;
    holos_position *p = holos_position_new(v);
    char shown[64];
    json j = json_begin(item->answer);
    json_open(&j, NULL, '{');
    json_put_string(&j, "game", holos_variant_name(v));
    json_put_string(&j, "position", item->question);
    json_put_string(&j, "status", holos_value_is_solved(value) ? "solved" : "bounded");
    json_put_int(&j, "lo", value.lo);
    json_put_int(&j, "hi", value.hi);
    json_put_bool(&j, "recorded", recorded);
    json_open(&j, "spine", '[');
    if (p != NULL)
        memcpy(p, item->position, holos_position_size(v));
    for (size_t i = 0; p != NULL && i < length; i++) {
        holos_format_move(v, p, w->moves[i], shown, sizeof shown);
        json_put_string(&j, NULL, shown);
        if (holos_play(v, p, w->moves[i], p, NULL) != HOLOS_OK)
            break;
    }
    json_close(&j);
    json_close(&j);
    text_char(item->answer, '\n');
    holos_position_free(p);
}

static void spine_words(const spines_worker *w, const batch_item *item, holos_value value, size_t length,
                        bool recorded)
{
    const answer_format *f = &w->context->format;
    text *t = item->answer;
    answer_question(t, f, item->question, ": ");
    text_take(t, holos_format_value, f->v, value);
    if (!holos_value_is_solved(value))
        text_string(t, "; not solved, so there is no spine");
    else if (length == 0)
        text_string(t, "; at the boundary");
    else {
        text_string(t, recorded ? "; spine " : "; best play ");
        text_take(t, holos_format_line, f->v, item->position, w->moves, length);
    }
    text_char(t, '\n');
}

static void worker_answer(void *worker, batch_item *items, size_t count)
{
    spines_worker *w = worker;
    for (size_t i = 0; i < count; i++) {
        holos_value value;
        holos_error err;
        size_t length = 0;
        bool recorded = false;
        holos_status status = holos_hologram_query(w->h, items[i].position, &value, &err);
        if (status == HOLOS_OK)
            status =
                holos_hologram_line(w->h, items[i].position, w->moves, LINE_MOST, &length, &recorded, &err);
        items[i].failed = status != HOLOS_OK;
        if (items[i].failed) {
            items[i].status = answer_error(items[i].answer, &w->context->format, items[i].question, &err);
            continue;
        }
        length = length < LINE_MOST ? length : LINE_MOST;
        (w->context->format.json ? spine_json : spine_words)(w, &items[i], value, length, recorded);
        items[i].status = holos_value_is_solved(value) ? CLI_DONE : CLI_LIMIT;
    }
}

static void worker_refuse(const void *context, const char *question, const holos_error *err, text *out)
{
    answer_error(out, &((const spines_context *)context)->format, question, err);
}

cli_status spines_answer(cli *c, const holos_variant *v, const char *path, batch_source source)
{
    spines_context context = {.format = answer_format_of(c, v), .path = path};
    batch_kind kind = {.name = "spines",
                       .v = v,
                       .context = &context,
                       .block = 1,
                       .open = worker_open,
                       .close = worker_close,
                       .answer = worker_answer,
                       .refuse = worker_refuse};
    batch_totals totals = {0};
    return batch_run(c, &kind, source, 1, &totals);
}
