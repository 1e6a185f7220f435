/* SPDX-License-Identifier: MIT */

#include "cli/kinds.h"

#include "cli/interrupt.h"
#include "cli/words.h"
#include "core/clock.h"
#include "core/json.h"
#include "engine/region/region.h"
#include "engine/scope.h"
#include "session/build.h"

#include <stdlib.h>

bool kinds_find(const holos_variant *v, const char *word, holos_kind *out)
{
    return v->game->kinds != NULL && v->game->kinds->parse(v, word, out, NULL) == HOLOS_OK;
}

static void kind_put(json *j, const char *name, const holos_variant *v, holos_kind kind)
{
    text t;
    text_init(&t);
    v->game->kinds->format(v, kind, &t);
    json_put_string(j, name, t.data);
    text_free(&t);
}

/* ---- What lies around -------------------------------------------------------------------------- */

/* A kind's neighbourhood: below it what is known and what is not, above it its parents. */
typedef struct surroundings {
    holos_kind known[KINDS_MOST], unknown[KINDS_MOST], parents[KINDS_MOST];
    size_t known_count, unknown_count, parent_count;
} surroundings;

static holos_status surroundings_find(surroundings *s, const holos_variant *v, const holos_boundary *boundary,
                                      holos_kind kind, holos_error *err)
{
    const holos_kinds *kinds = v->game->kinds;
    holos_kind closure[KINDS_MOST];
    holos_position *scratch = holos_position_new(v);
    size_t count = kinds->closure(v, kind, closure, KINDS_MOST);
    if (scratch == NULL)
        return error_system(err, "a position");
    for (size_t i = 0; i < count; i++) {
        if (scope_is_known(v, boundary, closure[i], scratch))
            s->known[s->known_count++] = closure[i];
        else if (closure[i] != kind)
            s->unknown[s->unknown_count++] = closure[i];
    }
    s->parent_count = kinds->parents(v, kind, s->parents, KINDS_MOST);
    holos_position_free(scratch);
    if (count == KINDS_MOST)
        return error_set(err, HOLOS_LIMIT, HOLOS_NOWHERE,
                         "play from there may come to more than %d kinds of positions", KINDS_MOST);
    return HOLOS_OK;
}

static void list_json(json *j, const char *name, const holos_variant *v, const holos_kind *kinds,
                      size_t count)
{
    json_open(j, name, '[');
    for (size_t i = 0; i < count; i++)
        kind_put(j, NULL, v, kinds[i]);
    json_close(j);
}

static void list_words(text *t, const char *what, const holos_variant *v, const holos_kind *kinds,
                       size_t count)
{
    if (count == 0)
        return;
    text_printf(t, "  %s (%zu):", what, count);
    for (size_t i = 0; i < count; i++) {
        text_string(t, i > 0 ? ", " : " ");
        v->game->kinds->format(v, kinds[i], t);
    }
    text_char(t, '\n');
}

static void list_write(cli *c, const holos_variant *v, holos_kind kind, const surroundings *s)
{
    text *t = &c->out->text;
    if (c->shared.json) {
        json j = json_begin(t);
        json_open(&j, NULL, '{');
        json_put_string(&j, "game", v->name);
        kind_put(&j, "kind", v, kind);
        list_json(&j, "known", v, s->known, s->known_count);
        list_json(&j, "unknown", v, s->unknown, s->unknown_count);
        list_json(&j, "parents", v, s->parents, s->parent_count);
        json_close(&j);
        text_char(t, '\n');
        return;
    }
    v->game->kinds->format(v, kind, t);
    text_printf(t, ", a %s of %s\n", v->game->kinds->what, v->name);
    list_words(t, "known below it", v, s->known, s->known_count);
    list_words(t, "not known", v, s->unknown, s->unknown_count);
    list_words(t, "a move leads to it from", v, s->parents, s->parent_count);
}

cli_status kinds_list(cli *c, const holos_variant *v, const holos_boundary *boundary, holos_kind kind)
{
    holos_error err;
    cli_status exit = CLI_DONE;
    surroundings *s = calloc(1, sizeof *s);
    if (s == NULL) {
        error_system(&err, "kinds of positions");
        return cli_fail(&err);
    }
    if (surroundings_find(s, v, boundary, kind, &err) == HOLOS_OK)
        list_write(c, v, kind, s);
    else
        exit = cli_fail(&err);
    free(s);
    return exit;
}

/* ---- All positions ----------------------------------------------------------------------------- */

static void report_json(text *t, const holos_variant *v, const regions *r, holos_status status, size_t memory,
                        double seconds)
{
    json j = json_begin(t);
    json_open(&j, NULL, '{');
    json_put_string(&j, "game", v->name);
    json_put_string(&j, "status", holos_status_name(status));
    json_open(&j, "kinds", '[');
    for (size_t i = 0; regions_report(r, i) != NULL; i++) {
        const region_report *k = regions_report(r, i);
        json_open(&j, NULL, '{');
        kind_put(&j, "kind", v, k->kind);
        json_put_uint(&j, "positions", k->positions);
        json_put_uint(&j, "wins", k->wins);
        json_put_uint(&j, "draws", k->draws);
        json_put_uint(&j, "losses", k->losses);
        json_put_uint(&j, "open", k->open);
        json_put_uint(&j, "plies", k->plies);
        json_put_double(&j, "seconds", k->seconds);
        json_close(&j);
    }
    json_close(&j);
    json_put_uint(&j, "memory", memory);
    json_put_double(&j, "seconds", seconds);
    json_close(&j);
    text_char(t, '\n');
}

static void report_words(text *t, const holos_variant *v, const regions *r, size_t memory, double seconds)
{
    for (size_t i = 0; regions_report(r, i) != NULL; i++) {
        const region_report *k = regions_report(r, i);
        v->game->kinds->format(v, k->kind, t);
        text_string(t, ": ");
        text_count(t, k->positions);
        text_string(t, " positions; ");
        text_count(t, k->wins);
        text_string(t, " wins, ");
        text_count(t, k->draws);
        text_string(t, " draws, ");
        text_count(t, k->losses);
        text_string(t, " losses");
        if (k->open > 0) {
            text_string(t, ", ");
            text_count(t, k->open);
            text_string(t, " open");
        }
        text_printf(t, "; at most %u plies to the end or out of it\n", k->plies);
    }
    text_string(t, "  memory         ");
    text_size(t, memory);
    text_string(t, "\n  time           ");
    text_duration(t, seconds);
    text_char(t, '\n');
}

cli_status kinds_explore(cli *c, const holos_variant *v, const holos_boundary *boundary, holos_kind kind)
{
    holos_error err;
    mem_budget budget;
    pool *threads = NULL;
    regions *r = NULL;
    double began = clock_wall();
    mem_budget_init(&budget, c->shared.mem != 0 ? c->shared.mem : build_memory_available());
    regions_setup setup = {
        .v = v, .boundary = boundary, .budget = &budget, .stop = interrupt_flag(), .deadline = CLOCK_NEVER};
    holos_status status =
        pool_open(c->shared.threads > 0 ? (unsigned)c->shared.threads : pool_processors(), &threads, &err);
    setup.threads = threads;
    if (status == HOLOS_OK)
        status = regions_open(&setup, &r, &err);
    if (status == HOLOS_OK)
        status = regions_solve(r, kind, c->shared.time > 0 ? began + c->shared.time : CLOCK_NEVER, &err);
    cli_status exit = status == HOLOS_OK ? CLI_DONE : cli_status_of(status);
    size_t memory = atomic_load_explicit(&budget.peak, memory_order_relaxed);
    if (status != HOLOS_OK && status != HOLOS_LIMIT && status != HOLOS_INTERRUPTED)
        exit = cli_fail(&err);
    else if (c->shared.json)
        report_json(&c->out->text, v, r, status, memory, clock_wall() - began);
    else
        report_words(&c->out->text, v, r, memory, clock_wall() - began);
    if (status == HOLOS_LIMIT || status == HOLOS_INTERRUPTED)
        log_write(&c->log, LOG_LEVEL_INFO, "%s", err.message);
    regions_close(r);
    pool_close(threads);
    return exit;
}

/* ---- At random --------------------------------------------------------------------------------- */

static void position_write(cli *c, const holos_variant *v, holos_kind kind, const holos_position *p,
                           uint64_t number)
{
    text *t = &c->out->text, position;
    text_init(&position);
    words_position(&position, v, p);
    if (c->shared.json) {
        json j = json_begin(t);
        json_open(&j, NULL, '{');
        json_put_string(&j, "game", v->name);
        json_put_uint(&j, "number", number);
        kind_put(&j, "kind", v, kind);
        json_put_string(&j, "position", position.data);
        json_close(&j);
    } else {
        text_string(t, position.data);
    }
    text_char(t, '\n');
    text_free(&position);
}

cli_status kinds_generate(cli *c, const holos_variant *v, const char *word, uint64_t count)
{
    const holos_kinds *kinds = v->game->kinds;
    holos_error err;
    holos_kind kind;
    if (kinds == NULL) {
        cli_error("generate %s: there are no kinds of positions to choose from; \"%s\" is one word too many",
                  v->name, word);
        return CLI_USAGE;
    }
    if (kinds->parse(v, word, &kind, &err) != HOLOS_OK)
        return cli_fail(&err);
    holos_position *p = holos_position_new(v);
    cli_status exit = p != NULL ? CLI_DONE : CLI_LIMIT;
    for (uint64_t i = 0; p != NULL && i < count && !*interrupt_flag(); i++) {
        rng r; /* a position depends on the seed and its number alone */
        rng_init(&r, c->shared.seed, i);
        if (!kinds->random(v, kind, &r, p)) {
            cli_error("%s: no position was found", word);
            exit = CLI_NO;
            break;
        }
        position_write(c, v, kind, p, i + 1);
        if (!output_answer(c->out))
            break;
    }
    holos_position_free(p);
    return exit;
}
