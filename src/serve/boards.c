/* SPDX-License-Identifier: MIT */

/* Games and positions: what can be told without a search. */

#include "core/error.h"
#include "serve/state.h"
#include "wire/answer.h"
#include "wire/step.h"

#include <stdlib.h>
#include <string.h>

/* ---- Games ----------------------------------------------------------------------------------------- */

static void put_words(json *j, const char *name, const holos_game *game,
                      const char *(*word)(const holos_game *, size_t))
{
    const char *w;
    json_open(j, name, '[');
    for (size_t i = 0; (w = word(game, i)) != NULL; i++)
        json_put_string(j, NULL, w);
    json_close(j);
}

static void put_notations(json *j, const holos_game *game)
{
    const char *name;
    json_open(j, "notations", '[');
    for (size_t i = 0; (name = holos_notation_name(game, i)) != NULL; i++) {
        json_open(j, NULL, '{');
        json_put_string(j, "name", name);
        json_put_string(j, "help", holos_notation_summary(game, i));
        json_close(j);
    }
    json_close(j);
}

static void put_engines(json *j, const holos_variant *v)
{
    const holos_engine *e;
    json_open(j, "engines", '[');
    for (size_t i = 0; (e = holos_engine_at(i)) != NULL; i++)
        if (holos_engine_supports(e, v, NULL) == HOLOS_OK)
            json_put_string(j, NULL, holos_engine_name(e));
    json_close(j);
}

static void put_techniques(json *j, const holos_game *game)
{
    const holos_technique *t;
    json_open(j, "techniques", '[');
    for (size_t i = 0; (t = holos_technique_at(game, i)) != NULL; i++)
        wire_technique(j, t);
    json_close(j);
}

static void put_job_kinds(json *j, const holos_variant *v)
{
    const holos_job_kind *k;
    json_open(j, "jobs", '[');
    for (size_t i = 0; (k = holos_job_kind_at(v, i)) != NULL; i++) {
        json_open(j, NULL, '{');
        json_put_string(j, "kind", k->name);
        json_put_string(j, "help", k->summary);
        json_put_string(j, "operands", k->operands);
        json_put_bool(j, "keeps", k->keeps);
        json_close(j);
    }
    json_close(j);
}

static void put_game(json *j, const holos_game *game, const holos_variant *v)
{
    int32_t min, max;
    json_open(j, NULL, '{');
    json_put_string(j, "game", holos_game_name(game));
    json_put_string(j, "variant", holos_variant_name(v));
    json_put_string(j, "title", holos_game_title(game));
    json_put_string(j, "summary", holos_game_summary(game));
    json_put_string(j, "variant_help", holos_game_variant_help(game));
    json_put_string(j, "position_help", holos_game_position_help(game));
    json_put_string(j, "score_help", holos_game_score_help(game));
    json_put_bool(j, "puzzle", wire_is_puzzle(v));
    json_put_bool(j, "scenes", holos_has_scenes(game));
    json_put_bool(j, "pictures", holos_has_pictures(game));
    if (holos_kind_word(game) != NULL)
        json_put_string(j, "kind_word", holos_kind_word(game));
    holos_score_range(v, &min, &max);
    json_put_int(j, "min", min);
    json_put_int(j, "max", max);
    put_words(j, "examples", game, holos_game_example);
    put_notations(j, game);
    put_engines(j, v);
    put_techniques(j, game);
    put_job_kinds(j, v);
    json_close(j);
}

void route_games(serve_state *s, const request *r, reply *out)
{
    (void)s;
    (void)r;
    json j = json_begin(&out->body);
    json_open(&j, NULL, '{');
    json_open(&j, "games", '[');
    for (size_t i = 0; i < holos_game_count(); i++) {
        holos_variant *v;
        if (holos_open(holos_game_name(holos_game_at(i)), &v, NULL) != HOLOS_OK)
            continue;
        put_game(&j, holos_game_at(i), v);
        holos_close(v);
    }
    json_close(&j);
    json_close(&j);
}

/* ---- Positions ------------------------------------------------------------------------------------- */

/* The members that are text which is JSON already. */
static void put_raw(json *j, const char *name, const char *value)
{
    json_put_null(j, name);
    text_cut(j->out, j->out->length - strlen("null"));
    text_string(j->out, value);
}

static void put_over(json *j, const question *q)
{
    holos_value value;
    char words[128];
    if (!holos_terminal(q->v, q->p, &value)) {
        json_put_null(j, "over");
        return;
    }
    holos_format_value(q->v, value, words, sizeof words);
    json_open(j, "over", '{');
    wire_value(j, q->v, value);
    json_put_string(j, "words", words);
    json_close(j);
}

/* The moves as people write them, and the position after each. */
static void put_path(json *j, const question *q)
{
    holos_position *p = holos_position_new(q->v);
    if (p == NULL) {
        j->out->failed = true;
        return;
    }
    memcpy(p, q->start, holos_position_size(q->v));
    json_open(j, "path", '[');
    for (size_t i = 0; i < q->move_count; i++) {
        json_open(j, NULL, '{');
        json_put_uint(j, "side", holos_side_to_move(q->v, p));
        wire_move(j, "move", q->v, p, q->moves[i]);
        holos_play(q->v, p, q->moves[i], p, NULL);
        json_close(j);
    }
    json_close(j);
    holos_position_free(p);
}

static void put_legal(json *j, const question *q)
{
    size_t count = holos_moves(q->v, q->p, NULL, 0);
    holos_move *moves = malloc((count + 1) * sizeof *moves);
    json_open(j, "legal", '[');
    for (size_t i = 0; moves != NULL && i < holos_moves(q->v, q->p, moves, count) && i < count; i++)
        wire_move(j, NULL, q->v, q->p, moves[i]);
    json_close(j);
    free(moves);
}

static void put_board(json *j, const question *q)
{
    text t;
    text_init(&t);
    text_take(&t, holos_draw, q->v, q->p);
    json_put_string(j, "text", t.data);
    text_clear(&t);
    text_take(&t, holos_scene, q->v, q->p);
    if (t.length > 0)
        put_raw(j, "scene", t.data);
    else
        json_put_null(j, "scene");
    text_clear(&t);
    text_take(&t, holos_format_line, q->v, q->start, q->moves, q->move_count);
    json_put_string(j, "line", t.data);
    j->out->failed = j->out->failed || t.failed;
    text_free(&t);
}

void route_position(serve_state *s, const request *r, reply *out)
{
    (void)s;
    question q;
    holos_error err;
    if (question_open(&q, r, &err) != HOLOS_OK) {
        reply_error(out, &err);
        if (request_flag(r, "check")) /* whoever asks whether it is legal has got an answer */
            out->status = 200;
    } else {
        json j = json_begin(&out->body);
        json_open(&j, NULL, '{');
        json_put_string(&j, "game", holos_variant_name(q.v));
        wire_position(&j, "start", q.v, q.start);
        wire_position(&j, "position", q.v, q.p);
        json_put_bool(&j, "puzzle", wire_is_puzzle(q.v));
        json_put_uint(&j, "side", holos_side_to_move(q.v, q.p));
        put_over(&j, &q);
        put_path(&j, &q);
        put_board(&j, &q);
        if (!wire_is_puzzle(q.v))
            put_legal(&j, &q);
        holos_kind kind;
        if (holos_kind_of(q.v, q.p, &kind, NULL) == HOLOS_OK) {
            char name[64];
            holos_kind_format(q.v, kind, name, sizeof name);
            json_put_string(&j, "kind", name);
        }
        json_close(&j);
    }
    question_close(&q);
}

void route_candidates(serve_state *s, const request *r, reply *out)
{
    (void)s;
    question q;
    holos_error err;
    const char *cell = request_get(r, "cell", "");
    if (question_open(&q, r, &err) != HOLOS_OK) {
        reply_error(out, &err);
    } else {
        size_t count = holos_moves(q.v, q.p, NULL, 0), length = strlen(cell);
        holos_move *moves = malloc((count + 1) * sizeof *moves);
        json j = json_begin(&out->body);
        count = moves != NULL ? holos_moves(q.v, q.p, moves, count) : 0;
        json_open(&j, NULL, '{');
        json_open(&j, "candidates", '[');
        for (size_t i = 0; i < count; i++) {
            char name[64];
            holos_format_legal(q.v, q.p, moves[i], name, sizeof name);
            if (strncmp(name, cell, length) == 0 && name[length] == '=')
                json_put_string(&j, NULL, name + length + 1);
        }
        json_close(&j);
        json_close(&j);
        free(moves);
    }
    question_close(&q);
}

void route_write(serve_state *s, const request *r, reply *out)
{
    (void)s;
    question q;
    holos_error err;
    const char *name = request_get(r, "name", "");
    holos_status status = question_open(&q, r, &err);
    size_t notation = status == HOLOS_OK ? holos_notation_find(holos_variant_game(q.v), name) : SIZE_MAX;
    if (status == HOLOS_OK && notation == SIZE_MAX)
        status = error_set(&err, HOLOS_USAGE, HOLOS_NOWHERE, "%s has no notation \"%.40s\"",
                           holos_variant_name(q.v), name);
    if (status != HOLOS_OK) {
        reply_error(out, &err);
    } else {
        text t;
        text_init(&t);
        text_take(&t, holos_format_as, q.v, q.p, notation);
        json j = json_begin(&out->body);
        json_open(&j, NULL, '{');
        json_put_string(&j, "text", t.data);
        json_close(&j);
        text_free(&t);
    }
    question_close(&q);
}

void route_picture(serve_state *s, const request *r, reply *out)
{
    (void)s;
    question q;
    holos_error err;
    holos_status status = question_open(&q, r, &err);
    if (status == HOLOS_OK && !holos_has_pictures(holos_variant_game(q.v)))
        status =
            error_set(&err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "%s has no pictures", holos_variant_name(q.v));
    if (status != HOLOS_OK) {
        reply_error(out, &err);
    } else {
        out->type = "image/svg+xml";
        text_take(&out->body, holos_picture, q.v, q.p, NULL);
    }
    question_close(&q);
}
