/* SPDX-License-Identifier: MIT */

/* Looks after stores and holograms: what is in one, whether it is sound, a copy of it elsewhere, one made of
 * several. */

#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/known.h"
#include "cli/merging.h"
#include "core/clock.h"
#include "core/json.h"
#include "core/pool.h"
#include "session/build.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct store_settings {
    uint64_t samples;
    bool all, resume, restart;
    const char *into;
} store_settings;

static const cli_option options[] = {
    {OPTION(COUNT, store_settings, samples), .name = "samples", .value = "N",
     .help = "verify: re-derive about this many positions from the rules; 0 means 100,000, or 100 of a book, "
             "which are searched"},
    {OPTION(FLAG, store_settings, all), .name = "all", .letter = 'a',
     .help = "verify: re-derive every position"},
    {OPTION(FLAG, store_settings, resume), .name = "resume", .help = "copy: go on with an unfinished copy"},
    {OPTION(FLAG, store_settings, restart), .name = "restart", .help = "copy, merge: replace what is there"},
    {OPTION(STRING, store_settings, into), .name = "into", .value = "STORE", .help = "merge: where to"},
    {0},
};

/* ---- info -------------------------------------------------------------------------------------- */

static void facts_json(text *t, const char *url, const store_facts *f)
{
    json j = json_begin(t);
    json_open(&j, NULL, '{');
    json_put_string(&j, "store", url);
    json_put_string(&j, "kind", store_kind_name(f->kind));
    json_put_string(&j, "game", f->variant);
    json_put_string(&j, "family", f->family);
    json_put_bool(&j, "complete", f->complete);
    json_put_uint(&j, "positions", f->positions);
    json_put_uint(&j, "bytes", f->bytes);
    if (f->kind != STORE_GRAPH) {
        json_put_uint(&j, "top", f->top);
        json_put_uint(&j, "parts", f->parts);
        json_put_uint(&j, "parts_expected", f->parts_expected);
    }
    if (f->digest[0] != 0)
        json_put_string(&j, "digest", f->digest);
    json_close(&j);
    text_char(t, '\n');
}

static void facts_words(text *t, const store *s, const char *url, const store_facts *f)
{
    text_printf(t, "%s: a %s of %s%s\n", url, store_kind_name(f->kind), f->variant,
                f->complete ? "" : ", not finished");
    if (f->kind == STORE_BOOK)
        text_printf(t, "  up to        %u plies\n", f->top);
    if (f->kind == STORE_DATABASE)
        text_printf(t, "  up to        %u %s\n  parts        %llu of %llu\n", f->top,
                    s->v->game->index->tier_unit, (unsigned long long)f->parts,
                    (unsigned long long)f->parts_expected);
    text_string(t, "  positions    ");
    text_count(t, f->positions);
    text_string(t, "\n  size         ");
    text_size(t, f->bytes);
    if (f->positions > 0)
        text_printf(t, ", %.2f bytes a position", (double)f->bytes / (double)f->positions);
    text_char(t, '\n');
    if (f->family[0] != 0)
        text_printf(t, "  good for     %s\n", f->family);
    if (f->digest[0] != 0)
        text_printf(t, "  digest       %s\n", f->digest);
}

static void summary_json(text *t, const char *url, const holos_variant *v, const holos_hologram_summary *s)
{
    json j = json_begin(t);
    json_open(&j, NULL, '{');
    json_put_string(&j, "store", url);
    json_put_string(&j, "kind", "hologram");
    json_put_string(&j, "game", holos_variant_name(v));
    json_put_uint(&j, "positions", s->entries);
    json_put_uint(&j, "solved", s->solved);
    json_put_uint(&j, "spines", s->spines);
    json_put_uint(&j, "meetings", s->meetings);
    json_put_uint(&j, "classes", s->classes);
    json_put_uint(&j, "seeds", s->seeds);
    json_put_uint(&j, "bytes", s->bytes);
    json_close(&j);
    text_char(t, '\n');
}

static void summary_words(text *t, const char *url, const holos_variant *v, const holos_hologram_summary *s)
{
    const struct {
        const char *name;
        uint64_t count;
    } rows[] = {{"positions", s->entries}, {"solved", s->solved},   {"spines", s->spines},
                {"meetings", s->meetings}, {"classes", s->classes}, {"seeds", s->seeds}};
    text_printf(t, "%s: a hologram of %s\n", url, holos_variant_name(v));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        text_printf(t, "  %-12s ", rows[i].name);
        text_count(t, rows[i].count);
        text_char(t, '\n');
    }
    text_string(t, "  size         ");
    text_size(t, s->bytes);
    text_char(t, '\n');
}

/* The hologram at a URL; *out is NULL if there is none, which is no error. */
static holos_status hologram_at(const char *url, holos_hologram **out, holos_error *err)
{
    char path[PATH_MAX];
    *out = NULL;
    if (!known_hologram_path(url, path) || access(path, F_OK) != 0)
        return HOLOS_OK;
    return holos_hologram_open(path, out, err);
}

static void hologram_write(cli *c, const char *url, holos_hologram *h)
{
    holos_hologram_summary summary;
    holos_hologram_summary_get(h, &summary);
    if (c->shared.json)
        summary_json(&c->out->text, url, holos_hologram_variant(h), &summary);
    else
        summary_words(&c->out->text, url, holos_hologram_variant(h), &summary);
    holos_hologram_close(h);
}

static holos_status reader_open(cli *c, const char *url, store **out, holos_error *err)
{
    store_options o = {.mode = STORE_READ,
                       .cache = c->shared.mem != 0 ? c->shared.mem : build_memory_available() / 2};
    return store_open(url, &o, out, err);
}

static cli_status info_write(cli *c, const char *url)
{
    store *s;
    store_facts facts;
    holos_hologram *h;
    holos_error err;
    if (hologram_at(url, &h, &err) != HOLOS_OK)
        return cli_fail(&err);
    if (h != NULL) {
        hologram_write(c, url, h);
        return CLI_DONE;
    }
    if (reader_open(c, url, &s, &err) != HOLOS_OK)
        return cli_fail(&err);
    s->backend->facts(s, &facts);
    if (c->shared.json)
        facts_json(&c->out->text, url, &facts);
    else
        facts_words(&c->out->text, s, url, &facts);
    store_close(s);
    return CLI_DONE;
}

static cli_status store_info(cli *c)
{
    return info_write(c, c->operands[1]);
}

/* What verify derives again unless it is told. */
#define SAMPLES      100000
#define BOOK_SAMPLES 100

/* ---- verify ------------------------------------------------------------------------------------ */

static void verdict_write(cli *c, store_kind kind, uint64_t derived, double seconds,
                          const holos_error *problem)
{
    text *t = &c->out->text;
    if (c->shared.json) {
        json j = json_begin(t);
        json_open(&j, NULL, '{');
        json_put_string(&j, "store", c->operands[1]);
        json_put_bool(&j, "sound", problem == NULL);
        json_put_uint(&j, "derived", derived);
        if (problem != NULL)
            json_put_string(&j, "problem", problem->message);
        json_put_double(&j, "seconds", seconds);
        json_close(&j);
        text_char(t, '\n');
    } else if (problem == NULL) {
        text_printf(t, "%s is sound: all checksums fit, ", c->operands[1]);
        if (derived > 0)
            text_count(t, derived);
        text_string(t, derived == 0         ? "read in "
                       : kind == STORE_BOOK ? " positions were searched anew in "
                                            : " positions were re-derived from the rules in ");
        text_duration(t, seconds);
        text_char(t, '\n');
    } else {
        text_printf(t, "%s is not sound: %s\n", c->operands[1], problem->message);
    }
}

static holos_status derive(cli *c, store *s, uint64_t *derived, holos_error *err)
{
    const store_settings *settings = c->settings;
    pool *threads;
    holos_status status = pool_open((unsigned)c->shared.threads, &threads, err);
    if (status != HOLOS_OK)
        return status;
    uint64_t few = s->kind == STORE_BOOK ? BOOK_SAMPLES : SAMPLES;
    store_derivation how = {.samples = settings->all            ? 0
                                       : settings->samples != 0 ? settings->samples
                                                                : few,
                            .seed = c->shared.seed,
                            .threads = threads,
                            .progress = &c->progress,
                            .stop = interrupt_flag()};
    status = s->kind == STORE_BOOK ? book_verify(s, &how, derived, err) : store_derive(s, &how, derived, err);
    pool_close(threads);
    return status;
}

/* A hologram's values are not derived again: the waves that made it may have gone where nothing else does. */
static cli_status hologram_verify(cli *c, holos_hologram *h)
{
    holos_error err;
    double begun = clock_wall();
    holos_status status = holos_hologram_verify(h, &err);
    holos_hologram_close(h);
    if (status != HOLOS_OK && status != HOLOS_BAD_FILE)
        return cli_fail(&err);
    verdict_write(c, STORE_DATABASE, 0, clock_wall() - begun, status == HOLOS_OK ? NULL : &err);
    return status == HOLOS_OK ? CLI_DONE : CLI_NO;
}

static cli_status store_verify(cli *c)
{
    store *s = NULL;
    store_facts facts = {0};
    holos_hologram *h;
    holos_error err;
    uint64_t derived = 0;
    double begun = clock_wall();
    if (hologram_at(c->operands[1], &h, &err) != HOLOS_OK) {
        verdict_write(c, STORE_DATABASE, 0, clock_wall() - begun, &err);
        return CLI_NO;
    }
    if (h != NULL)
        return hologram_verify(c, h);
    holos_status status = reader_open(c, c->operands[1], &s, &err);
    if (status == HOLOS_OK) {
        s->backend->facts(s, &facts);
        if (!facts.complete)
            status = error_set(&err, HOLOS_USAGE, HOLOS_NOWHERE, "%s is not finished", c->operands[1]);
    }
    if (status == HOLOS_OK)
        status = s->backend->check(s, interrupt_flag(), &err);
    if (status == HOLOS_OK)
        status = derive(c, s, &derived, &err);
    store_close(s);
    if (status != HOLOS_OK && status != HOLOS_BAD_FILE)
        return cli_fail(&err);
    verdict_write(c, facts.kind, derived, clock_wall() - begun, status == HOLOS_OK ? NULL : &err);
    return status == HOLOS_OK ? CLI_DONE : CLI_NO;
}

/* ---- copy -------------------------------------------------------------------------------------- */

static holos_status copy_database(store *from, store *to, const store_facts *facts, holos_error *err)
{
    const holos_index *index = from->v->game->index;
    if (from->backend->load == NULL || to->backend->save == NULL)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "databases cannot be copied from %s to %s",
                         from->backend->scheme, to->backend->scheme);
    for (uint32_t tier = 0; tier <= facts->top; tier++) {
        for (uint32_t part = 0; part < index->parts(from->v, tier); part++) {
            if (to->backend->has(to, tier, part))
                continue;
            uint64_t size = index->size(from->v, tier, part);
            uint8_t *bytes = malloc(size);
            holos_status status = bytes == NULL ? error_system(err, "a part")
                                                : from->backend->load(from, tier, part, bytes, size, err);
            if (status == HOLOS_OK)
                status = to->backend->save(to, tier, part, bytes, size, err);
            free(bytes);
            if (status == HOLOS_OK && interrupted())
                status = error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted; --resume goes on");
            if (status != HOLOS_OK)
                return status;
        }
    }
    return HOLOS_OK;
}

enum { COPY_BATCH = 10000 };

typedef struct row_copier {
    store *to;
    holos_row rows[COPY_BATCH];
    size_t count;
    holos_status status;
    holos_error *err;
} row_copier;

static bool row_copy(void *context, const holos_row *row)
{
    row_copier *r = context;
    r->rows[r->count++] = *row;
    if (r->count == COPY_BATCH) {
        r->status = r->to->backend->put(r->to, r->rows, r->count, r->err);
        r->count = 0;
    }
    if (r->status == HOLOS_OK && interrupted())
        r->status = error_set(r->err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
    return r->status == HOLOS_OK;
}

static holos_status copy_graph(store *from, store *to, holos_error *err)
{
    if (from->backend->each == NULL || to->backend->put == NULL)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "graphs cannot be copied from %s to %s",
                         from->backend->scheme, to->backend->scheme);
    row_copier *r = calloc(1, sizeof *r);
    if (r == NULL)
        return error_system(err, "the copy");
    r->to = to;
    r->err = err;
    holos_status status = from->backend->each(from, row_copy, r, err);
    status = status == HOLOS_OK ? r->status : status;
    if (status == HOLOS_OK && r->count > 0)
        status = to->backend->put(to, r->rows, r->count, err);
    free(r);
    return status;
}

static holos_status copy_book(store *from, store *to, holos_error *err)
{
    const book *b = from->backend->book(from);
    holos_status status = HOLOS_OK;
    for (uint32_t i = 0; status == HOLOS_OK && i < b->count; i++) {
        text bytes;
        text_init(&bytes);
        book_ply_encode(&b->plies[i], &bytes);
        status = bytes.failed ? error_system(err, "the copy")
                              : to->backend->save(to, i, 0, (const uint8_t *)bytes.data, bytes.length, err);
        text_free(&bytes);
    }
    return status;
}

/* Copies everything into a new store. */
static holos_status copy_all(cli *c, store *from, holos_error *err)
{
    const store_settings *settings = c->settings;
    store *to;
    store_facts facts;
    from->backend->facts(from, &facts);
    if (!facts.complete)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s is not finished", c->operands[1]);
    store_options o = {.mode = settings->resume    ? STORE_RESUME
                               : settings->restart ? STORE_RESTART
                                                   : STORE_CREATE,
                       .kind = facts.kind,
                       .v = from->v,
                       .top = facts.top};
    holos_status status = store_open(c->operands[2], &o, &to, err);
    if (to == NULL)
        return status;
    status = facts.kind == STORE_GRAPH  ? copy_graph(from, to, err)
             : facts.kind == STORE_BOOK ? copy_book(from, to, err)
                                        : copy_database(from, to, &facts, err);
    if (status == HOLOS_OK)
        status = to->backend->finish(to, err);
    if (status == HOLOS_OK) {
        to->backend->facts(to, &facts);
        if (c->shared.json)
            facts_json(&c->out->text, c->operands[2], &facts);
        else
            facts_words(&c->out->text, to, c->operands[2], &facts);
    }
    store_close(to);
    return status;
}

static cli_status store_copy(cli *c)
{
    store *from;
    holos_error err;
    if (reader_open(c, c->operands[1], &from, &err) != HOLOS_OK)
        return cli_fail(&err);
    holos_status status = copy_all(c, from, &err);
    store_close(from);
    return status == HOLOS_OK ? CLI_DONE : cli_fail(&err);
}

/* ---- merge ------------------------------------------------------------------------------------- */

static cli_status store_merge(cli *c)
{
    const store_settings *settings = c->settings;
    holos_error err;
    if (settings->into == NULL) {
        cli_error("store merge needs --into STORE: where to write what comes out");
        return CLI_USAGE;
    }
    if (merge_stores(c->operands + 1, c->operand_count - 1, settings->into, settings->restart, &err) !=
        HOLOS_OK)
        return cli_fail(&err);
    return info_write(c, settings->into);
}

/* ---- The verb ---------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    size_t least, most; /* stores */
    cli_status (*run)(cli *c);
} commands[] = {{"info", 1, 1, store_info},
                {"verify", 1, 1, store_verify},
                {"copy", 2, 2, store_copy},
                {"merge", 2, SIZE_MAX - 1, store_merge}};

static const char *command_word(size_t index)
{
    return index < sizeof commands / sizeof *commands ? commands[index].name : NULL;
}

static cli_status run(cli *c)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(c->operands[0], commands[i].name) != 0)
            continue;
        if (c->operand_count > commands[i].least && c->operand_count <= commands[i].most + 1)
            return commands[i].run(c);
        cli_error("store %s takes %zu %s%s", commands[i].name, commands[i].least,
                  commands[i].least == 1 ? "store" : "stores",
                  commands[i].most > commands[i].least ? " or more" : "");
        return CLI_USAGE;
    }
    cli_error("store does not know \"%s\"; it knows info, verify, copy and merge", c->operands[0]);
    return CLI_USAGE;
}

static const cli_example examples[] = {
    {"store info file:kalah6", "what is in it"},
    {"store verify file:kalah6 --all", "every checksum, and every position from the rules"},
    {"store copy file:kalah43 sqlite:kalah43.db", "as a table for SQL"},
    {"store merge file:waves file:more --into file:all", "two holograms, or two databases, as one"},
    {0},
};

const cli_verb verb_store = {
    .name = "store",
    .operands = "info|verify|copy|merge STORE [STORE…]",
    .summary = "look after databases",
    .description =
        "info says what a store holds. verify compares every checksum, and re-derives positions "
        "from the rules and the "
        "values of their successors: a sample, or with --all every one; the exit status is 1 if "
        "the store is not "
        "sound. copy writes what a store holds into a new one, of the same or of another kind. merge "
        "makes one of several databases, finished or not, or of several holograms; where two of "
        "them contradict each other it names the position or the key.",
    .operands_min = 2,
    .operands_max = SIZE_MAX,
    .complete = command_word,
    .shared = SHARED_MEM | SHARED_THREADS | SHARED_SEED | SHARED_JSON | SHARED_PROGRESS | SHARED_CONFIG |
              SHARED_LOG,
    .options = options,
    .settings_size = sizeof(store_settings),
    .examples = examples,
    .run = run,
};
