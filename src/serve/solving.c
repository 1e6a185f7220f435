/* SPDX-License-Identifier: MIT */

/* Values, piece by piece. A question is worked on in slices, each a little longer than the one before; between two of
 * them the solver is free for others, and whoever asked sees the bounds so far. A solver remembers what it found, and
 * what a slice proved stays proved: bounds only narrow. */

#include "core/clock.h"
#include "core/error.h"
#include "serve/state.h"
#include "wire/answer.h"
#include "wire/narrow.h"

#include <stdlib.h>
#include <string.h>

static const double first_slice = 0.04,
                    last_slice = 1.0; /* seconds; each is twice as long as the one before */
static const double seconds_default = 5, seconds_most = 60;

/* ---- One question in slices ----------------------------------------------------------------------- */

/* One slice. HOLOS_OK: everything is solved; HOLOS_INTERRUPTED: not yet, and `write` has been called all the same. */
typedef void slice_writer(void *context, solver_seat *seat, holos_status status, const holos_result *r);

static holos_status slice_run(serve_state *s, const char *variant, const holos_position *p, double seconds,
                              const holos_stop *stop, wire_narrowing *n, slice_writer *write, void *context,
                              holos_error *err)
{
    solver_seat *seat;
    holos_result r;
    holos_status status = solvers_take(&s->solvers, variant, seconds, stop, &seat, err);
    if (status != HOLOS_OK)
        return status;
    status = seat_solve(&s->solvers, seat, p, seconds, stop, &r, err);
    if (status == HOLOS_OK || status == HOLOS_INTERRUPTED) {
        if (wire_narrow(n, &r)) {
            write(context, seat, status, &r);
            if (holos_stop_asked(&seat->stop)) /* time was up among the moves, or along the line */
                status = HOLOS_INTERRUPTED;
        } else {
            status = error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for the answer");
        }
    }
    solvers_give(&s->solvers, seat);
    return status;
}

/* ---- Solving ---------------------------------------------------------------------------------------- */

typedef struct solving {
    stream base;
    serve_state *s;
    question q;
    char *text; /* the position as it was asked for */
    wire_narrowing known;
    double slice, deadline;
    text *out; /* where the answer goes: while a slice is written */
    bool events;
} solving;

static void solving_free(solving *w)
{
    question_close(&w->q);
    free(w->text);
    free(w->known.moves);
    free(w);
}

static void write_answer(void *context, solver_seat *seat, holos_status status, const holos_result *r)
{
    const solving *w = context;
    const wire_answer a = {.v = w->q.v,
                           .question = w->text,
                           .position = w->q.p,
                           .r = r,
                           .solved = status == HOLOS_OK,
                           .moves = !wire_is_puzzle(w->q.v),
                           .line = !wire_is_puzzle(w->q.v),
                           .distances = wire_distances_of(seat->known)};
    char words[128];
    if (w->events)
        event_begin(w->out, "answer");
    else
        text_clear(w->out);
    json j = json_begin(w->out);
    json_open(&j, NULL, '{');
    wire_answer_put(&j, &a);
    holos_format_value(w->q.v, r->value, words, sizeof words);
    json_put_string(&j, "words", words);
    if (a.distances != NULL)
        json_put_string(&j, "legend", a.distances->legend);
    wire_answer_put_work(&j, r);
    json_close(&j);
    if (w->events)
        event_end(w->out);
}

/* One more slice; false: that was the last. */
static bool solving_next(stream *base, const holos_stop *stop, text *out)
{
    solving *w = (solving *)base;
    holos_error err;
    w->out = out;
    double left = w->deadline - clock_wall();
    if (left > 0 && !holos_stop_asked(stop)) {
        holos_status status =
            slice_run(w->s, holos_variant_name(w->q.v), w->q.p, left < w->slice ? left : w->slice, stop,
                      &w->known, write_answer, w, &err);
        w->slice = w->slice * 2 < last_slice ? w->slice * 2 : last_slice;
        if (status == HOLOS_INTERRUPTED)
            return true;
        if (status != HOLOS_OK)
            event_error(out, &err);
        left = 1;
    }
    text_printf(out, "event: end\ndata: {\"reason\":\"%s\"}\n\n", left > 0 ? "done" : "limit");
    return false;
}

static void solving_close(stream *base)
{
    solving_free((solving *)base);
}

static solving *solving_open(serve_state *s, const request *r, reply *out)
{
    holos_error err;
    double seconds;
    solving *w = calloc(1, sizeof *w);
    if (w == NULL) {
        reply_refuse(out, 503, "no memory for the question");
        return NULL;
    }
    holos_status status = question_open(&w->q, r, &err);
    if (status == HOLOS_OK)
        status = request_number(r, "seconds", 0.001, seconds_most, seconds_default, &seconds, &err);
    w->text = status == HOLOS_OK ? strdup(w->q.text) : NULL;
    if (status == HOLOS_OK && w->text == NULL)
        status = error_system(&err, "a question");
    if (status != HOLOS_OK) {
        reply_error(out, &err);
        solving_free(w);
        return NULL;
    }
    w->base = (stream){.next = solving_next, .close = solving_close};
    w->s = s;
    w->slice = first_slice;
    w->deadline = clock_wall() + seconds;
    return w;
}

void route_solve_events(serve_state *s, const request *r, reply *out)
{
    solving *w = solving_open(s, r, out);
    if (w == NULL)
        return;
    w->events = true;
    out->events = &w->base;
}

void route_solve(serve_state *s, const request *r, reply *out)
{
    solving *w = solving_open(s, r, out);
    if (w == NULL)
        return;
    holos_error err = {0};
    holos_status status = HOLOS_INTERRUPTED;
    w->out = &out->body;
    while (status == HOLOS_INTERRUPTED && clock_wall() < w->deadline && !holos_stop_asked(r->stop)) {
        double left = w->deadline - clock_wall();
        status = slice_run(s, holos_variant_name(w->q.v), w->q.p, left < w->slice ? left : w->slice, r->stop,
                           &w->known, write_answer, w, &err);
        w->slice = w->slice * 2 < last_slice ? w->slice * 2 : last_slice;
    }
    if (status != HOLOS_OK && status != HOLOS_INTERRUPTED)
        reply_error(out, &err);
    else if (out->body.length == 0)
        reply_refuse(out, 503, "there was no time to begin");
    solving_free(w);
}

/* ---- Reviews ---------------------------------------------------------------------------------------- */

/* A game, from its end to its beginning: late positions are easy, and what they taught the solver helps with earlier
 * ones. */
typedef struct review {
    stream base;
    serve_state *s;
    question q;
    unsigned char *positions; /* one after the other, from the start */
    size_t left;              /* positions that have not been looked at */
    double each;              /* seconds for a position */
    text *out;
} review;

static const holos_position *review_at(const review *w, size_t ply)
{
    return (const holos_position *)(w->positions + ply * holos_position_size(w->q.v));
}

static void review_close(stream *base)
{
    review *w = (review *)base;
    question_close(&w->q);
    free(w->positions);
    free(w);
}

static void review_write(void *context, solver_seat *seat, holos_status status, const holos_result *r)
{
    (void)seat;
    (void)status;
    const review *w = context;
    const holos_position *p = review_at(w, w->left);
    char words[128];
    json j = json_begin(w->out);
    event_begin(w->out, "ply");
    json_open(&j, NULL, '{');
    json_put_uint(&j, "ply", w->left);
    json_put_uint(&j, "side", holos_side_to_move(w->q.v, p));
    wire_value(&j, w->q.v, r->value);
    holos_format_value(w->q.v, r->value, words, sizeof words);
    json_put_string(&j, "words", words);
    json_open(&j, "best", '[');
    for (size_t i = 0; i < r->best_count; i++)
        wire_move(&j, NULL, w->q.v, p, r->best[i]);
    json_close(&j);
    for (size_t i = 0; w->left < w->q.move_count && i < r->move_count; i++)
        if (r->moves[i].move == w->q.moves[w->left]) {
            json_open(&j, "played", '{');
            wire_move(&j, "move", w->q.v, p, r->moves[i].move);
            wire_value(&j, w->q.v, r->moves[i].value);
            json_close(&j);
        }
    json_close(&j);
    event_end(w->out);
}

static bool review_next(stream *base, const holos_stop *stop, text *out)
{
    review *w = (review *)base;
    holos_error err;
    wire_narrowing known = {0};
    if (w->left == 0 || holos_stop_asked(stop)) {
        text_string(out, "event: end\ndata: {}\n\n");
        return false;
    }
    w->left--;
    w->out = out;
    holos_status status = slice_run(w->s, holos_variant_name(w->q.v), review_at(w, w->left), w->each, stop,
                                    &known, review_write, w, &err);
    free(known.moves);
    if (status == HOLOS_OK || status == HOLOS_INTERRUPTED)
        return true;
    event_error(out, &err);
    return false;
}

/* Every position of the game. */
static bool review_fill(review *w)
{
    size_t size = holos_position_size(w->q.v);
    w->positions = aligned_alloc(16, (w->q.move_count + 1) * size);
    if (w->positions == NULL)
        return false;
    memcpy(w->positions, w->q.start, size);
    for (size_t i = 0; i < w->q.move_count; i++)
        holos_play(w->q.v, review_at(w, i), w->q.moves[i], (holos_position *)(w->positions + (i + 1) * size),
                   NULL);
    return true;
}

void route_review(serve_state *s, const request *r, reply *out)
{
    holos_error err;
    review *w = calloc(1, sizeof *w);
    if (w == NULL) {
        reply_refuse(out, 503, "no memory for the review");
        return;
    }
    w->base = (stream){.next = review_next, .close = review_close};
    w->s = s;
    holos_status status = question_open(&w->q, r, &err);
    if (status == HOLOS_OK)
        status = request_number(r, "seconds", 0.001, last_slice, last_slice, &w->each, &err);
    if (status == HOLOS_OK && !review_fill(w))
        status = error_system(&err, "the review");
    if (status != HOLOS_OK) {
        reply_error(out, &err);
        review_close(&w->base);
        return;
    }
    w->left = w->q.move_count + 1;
    out->events = &w->base;
}
