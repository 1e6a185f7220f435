/* SPDX-License-Identifier: MIT */

#include "core/file.h"
#include "core/json.h"
#include "session/build.h"

#include <stdlib.h>
#include <string.h>

static void put_start(json *j, const build_request *b, const build_report *r)
{
    holos_position *p = holos_position_new(b->v);
    if (!r->has_start || p == NULL || holos_start(b->v, p, NULL) != HOLOS_OK) {
        holos_position_free(p);
        return;
    }
    json_open(j, "start", '{');
    json_put_int(j, "value", r->start_score);
    json_open(j, "best", '[');
    for (uint32_t i = 0; i < r->start_best_count; i++) {
        char move[64];
        holos_format_move(b->v, p, r->start_best[i], move, sizeof move);
        json_put_string(j, NULL, move);
    }
    json_close(j);
    json_close(j);
    holos_position_free(p);
}

static void put_database(json *j, const build_request *b, const build_report *r)
{
    json_put_string(j, "tiers", b->v->game->index->tier_unit);
    json_put_uint(j, "top", b->top);
    json_put_uint(j, "parts", r->plan.parts);
    json_put_uint(j, "computed", r->computed);
    json_put_double(j, "cpu_seconds", r->solve_seconds);
    if (r->solve_seconds > 0)
        json_put_double(j, "rate", (double)r->computed / r->solve_seconds);
    json_open(j, "positions_by_tier", '[');
    for (uint32_t tier = 0; tier <= b->top; tier++)
        json_put_uint(j, NULL, r->tiers[tier]);
    json_close(j);
}

static void put_graph(json *j, const build_report *r)
{
    json_put_uint(j, "finished", r->finished);
    json_put_uint(j, "depths", r->level_count);
    json_put_uint(j, "generated", r->edges);
    json_put_uint(j, "duplicates", r->duplicates);
    json_put_double(j, "duplication", r->edges > 0 ? (double)r->duplicates / (double)r->edges : 0);
    if (r->reach_seconds > 0)
        json_put_double(j, "rate", (double)r->positions / r->reach_seconds);
    json_put_double(j, "reach_seconds", r->reach_seconds);
    json_put_double(j, "solve_seconds", r->solve_seconds);
    json_open(j, "positions_by_depth", '[');
    for (size_t depth = 0; depth < r->level_count; depth++)
        json_put_uint(j, NULL, r->levels[depth].positions);
    json_close(j);
}

static void put_book(json *j, const build_report *r)
{
    build_ply all = {0};
    json_put_uint(j, "computed", r->computed);
    json_put_double(j, "cpu_seconds", r->solve_seconds);
    json_open(j, "plies", '[');
    for (size_t i = 0; i < r->ply_count; i++) {
        const build_ply *ply = &r->plies[i];
        json_open(j, NULL, '{');
        json_put_uint(j, "positions", ply->positions);
        json_put_uint(j, "finished", ply->finished);
        json_put_uint(j, "won", ply->won);
        json_put_uint(j, "drawn", ply->drawn);
        json_put_uint(j, "lost", ply->lost);
        json_close(j);
        all.won += ply->won;
        all.drawn += ply->drawn;
        all.lost += ply->lost;
        all.finished += ply->finished;
        all.folded += ply->folded;
    }
    json_close(j);
    json_put_uint(j, "folded", all.folded);
    json_put_uint(j, "finished", all.finished);
    json_put_uint(j, "won", all.won);
    json_put_uint(j, "drawn", all.drawn);
    json_put_uint(j, "lost", all.lost);
}

static void put_values(json *j, const build_report *r)
{
    json_open(j, "values", '{');
    for (int byte = 0; byte < 256; byte++) {
        char name[8];
        text t;
        if (r->values[byte] == 0)
            continue;
        text_init_fixed(&t, name, sizeof name);
        text_int(&t, byte - HOLOS_BYTE_ZERO);
        json_put_uint(j, name, r->values[byte]);
    }
    json_close(j);
}

void build_report_json(const build_request *b, const build_report *r, text *out)
{
    json j = json_begin(out);
    json_open(&j, NULL, '{');
    json_put_string(&j, "game", b->v->name);
    json_put_string(&j, "kind", store_kind_name(r->kind));
    json_put_uint(&j, "positions", r->positions);
    put_start(&j, b, r);
    if (r->kind == STORE_GRAPH)
        put_graph(&j, r);
    else if (r->kind == STORE_BOOK)
        put_book(&j, r);
    else
        put_database(&j, b, r);
    json_put_double(&j, "seconds", r->seconds);
    json_put_uint(&j, "threads", b->threads);
    json_put_uint(&j, "memory", r->memory);
    if (b->url != NULL) {
        json_put_string(&j, "store", b->url);
        json_put_uint(&j, "bytes", r->facts.bytes);
        if (r->facts.digest[0] != 0)
            json_put_string(&j, "digest", r->facts.digest);
    }
    if (b->histogram)
        put_values(&j, r);
    json_close(&j);
    text_char(out, '\n');
}

/* file:DIR -> DIR/build.json, scheme:FILE -> FILE.build.json */
static void record_path(const char *url, text *out)
{
    const char *colon = strchr(url, ':');
    bool named = colon != NULL && memchr(url, '/', (size_t)(colon - url)) == NULL;
    bool folder = !named || strncmp(url, "file:", 5) == 0;
    text_string(out, named ? colon + 1 : url);
    text_string(out, folder ? "/build.json" : ".build.json");
}

holos_status build_record(const build_request *b, const build_report *r, holos_error *err)
{
    if (b->url == NULL)
        return HOLOS_OK;
    text path, record;
    file_writer w;
    text_init(&path);
    text_init(&record);
    record_path(b->url, &path);
    build_report_json(b, r, &record);
    holos_status status = path.failed || record.failed ? error_system(err, "the record of the build")
                                                       : file_create(&w, path.data, err);
    if (status == HOLOS_OK) {
        file_write(&w, record.data, record.length);
        status = file_commit(&w, err);
    }
    text_free(&path);
    text_free(&record);
    return status;
}
