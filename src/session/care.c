/* SPDX-License-Identifier: MIT */

/* What lies at a place, and whether it is sound. */

#include "session/care.h"

#include "core/clock.h"
#include "core/pool.h"
#include "core/url.h"
#include "knowledge/knowledge.h"
#include "session/job.h"

#include <dirent.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define TELL_SECONDS 0.5
/* What is derived again unless somebody says how much. */
#define SAMPLES      100000
#define BOOK_SAMPLES 100

/* ---- Beginning and ending ---------------------------------------------------------------------- */

void care_begin(care *c, const holos_store_options *options)
{
    *c = (care){.lock.fd = -1};
    if (options != NULL)
        c->o = *options;
    c->o.threads = c->o.threads > 0 ? c->o.threads : pool_processors();
    c->o.memory = c->o.memory > 0 ? c->o.memory : build_memory_available() / 2;
    progress_init(&c->progress, c->o.progress, c->o.progress_context,
                  c->o.progress_seconds > 0 ? c->o.progress_seconds : TELL_SECONDS);
}

void care_end(care *c)
{
    progress_free(&c->progress);
    lock_release(&c->lock);
}

holos_status care_lock(care *c, const char *url, const char *what, const holos_variant *v, holos_error *err)
{
    holos_status status = place_lock(&c->lock, url, err);
    if (status != HOLOS_OK)
        return status;
    text words, moment;
    text_init(&words);
    text_init(&moment);
    json j = json_begin(&words);
    json_open(&j, NULL, '{');
    lock_put_owner(&j, time(NULL));
    if (c->o.command != NULL)
        json_put_string(&j, "command", c->o.command);
    text_moment(&moment, time(NULL));
    json_put_string(&j, "seen", moment.data);
    json_put_string(&j, "game", v->name);
    json_put_string(&j, "kind", what);
    json_close(&j);
    if (!words.failed)
        lock_write(&c->lock, words.data);
    text_free(&words);
    text_free(&moment);
    return HOLOS_OK;
}

holos_status care_stop(const care *c, const char *advice, holos_error *err)
{
    return holos_stop_asked(c->o.stop)
               ? error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted%s", advice)
               : HOLOS_OK;
}

holos_status care_distinct(const char *from, const char *to, const char *verb, holos_error *err)
{
    if (!place_same(from, to))
        return HOLOS_OK;
    if (strcmp(from, to) == 0)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s cannot be %s itself", from, verb);
    return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s cannot be %s itself, and %s is the same place",
                     from, verb, to);
}

/* ---- What lies there --------------------------------------------------------------------------- */

/* One of them, or all NULL. */
typedef struct found {
    holos_hologram *hologram;
    holos_knowledge *tables;
    store *store;
} found;

bool care_is_hologram(const char *url, char *path)
{
    return holos_hologram_path(url, path, PATH_MAX, NULL) == HOLOS_OK && access(path, F_OK) == 0;
}

holos_status care_open(const care *c, const char *url, store **out, holos_error *err)
{
    store_options o = {.mode = STORE_READ, .cache = c->o.memory, .stop = c->o.stop};
    return store_open(url, &o, out, err);
}

/* Whether a game's own tables lie there, and no store. */
static bool is_tables(const char *url)
{
    url_parts u = url_parse(url);
    const char *folder = url_is_path(&u) ? u.location : url;
    return (url_is_path(&u) || !store_is_named(url)) && knowledge_recognise(NULL, folder) != NULL;
}

static holos_status found_open(found *f, const care *c, const char *url, holos_error *err)
{
    char path[PATH_MAX];
    *f = (found){0};
    if (care_is_hologram(url, path))
        return holos_hologram_open(path, &f->hologram, err);
    if (is_tables(url))
        return holos_knowledge_open(url, NULL, NULL, &f->tables, err);
    return care_open(c, url, &f->store, err);
}

static void found_close(found *f)
{
    holos_hologram_close(f->hologram);
    holos_knowledge_close(f->tables);
    store_close(f->store);
}

static uint64_t folder_bytes(const char *url)
{
    url_parts u = url_parse(url);
    uint64_t bytes = 0;
    DIR *folder = opendir(u.location);
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        struct stat info;
        if (fstatat(dirfd(folder), entry->d_name, &info, 0) == 0 && S_ISREG(info.st_mode))
            bytes += (uint64_t)info.st_size;
    }
    if (folder != NULL)
        closedir(folder);
    return bytes;
}

static void facts_of(const found *f, const char *url, holos_store_facts *out)
{
    *out = (holos_store_facts){.kind = "", .complete = true};
    if (f->hologram != NULL) {
        holos_hologram_summary summary;
        holos_hologram_summary_get(f->hologram, &summary);
        out->kind = "hologram";
        out->positions = summary.entries;
        out->bytes = summary.bytes;
        strcpy(out->game, holos_hologram_variant(f->hologram)->name);
    } else if (f->tables != NULL) {
        out->kind = holos_knowledge_kind(f->tables);
        out->bytes = folder_bytes(url);
        strcpy(out->game, holos_knowledge_variant(f->tables)->name);
    } else {
        store_facts facts;
        f->store->backend->facts(f->store, &facts);
        out->kind = store_kind_name(facts.kind);
        out->complete = facts.complete;
        out->positions = facts.positions;
        out->bytes = facts.bytes;
        out->top = facts.top;
        out->parts = facts.parts;
        out->parts_expected = facts.parts_expected;
        strcpy(out->game, facts.variant);
        strcpy(out->family, facts.family);
        strcpy(out->digest, facts.digest);
        strcpy(out->writer, facts.writer);
    }
}

/* ---- Reports ----------------------------------------------------------------------------------- */

static void hologram_put(holos_report *r, holos_hologram *h)
{
    holos_hologram_summary s;
    holos_hologram_summary_get(h, &s);
    report_count(r, "positions", "positions", s.entries);
    report_count(r, "solved", "solved", s.solved);
    report_count(r, "spines", "spines", s.spines);
    report_count(r, "meetings", "meetings", s.meetings);
    report_count(r, "classes", "classes", s.classes);
    report_count(r, "seed_count", "seeds", s.seeds);
    report_bytes(r, "bytes", "size", s.bytes);
    contents_put(r, h, &s);
}

static void size_line(holos_report *r, const holos_store_facts *f)
{
    text t;
    text_init(&t);
    text_size(&t, f->bytes);
    if (f->positions > 0)
        text_printf(&t, ", %.2f bytes a position", (double)f->bytes / (double)f->positions);
    report_line(r, "size", "%s", t.data);
    text_free(&t);
}

static void store_put(holos_report *r, const store *s, const holos_store_facts *f)
{
    if (s->kind == STORE_BOOK)
        report_line(r, "up to", "%u plies", f->top);
    if (s->kind == STORE_DATABASE) {
        report_line(r, "up to", "%u %s", f->top, s->v->game->index->tier_unit);
        report_line(r, "parts", "%llu of %llu", (unsigned long long)f->parts,
                    (unsigned long long)f->parts_expected);
    }
    report_text(r, "family", NULL, f->family);
    report_truth(r, "complete", NULL, f->complete);
    report_count(r, "positions", "positions", f->positions);
    report_bytes(r, "bytes", NULL, f->bytes);
    size_line(r, f);
    if (s->kind != STORE_GRAPH) {
        report_count(r, "top", NULL, f->top);
        report_count(r, "parts", NULL, f->parts);
        report_count(r, "parts_expected", NULL, f->parts_expected);
    }
    if (f->family[0] != 0)
        report_text(r, NULL, "good for", f->family);
    if (f->digest[0] != 0)
        report_text(r, "digest", "digest", f->digest);
    if (f->writer[0] != 0)
        report_text(r, "writer", NULL, f->writer);
}

static void found_put(holos_report *r, const found *f, const char *url)
{
    holos_store_facts facts;
    facts_of(f, url, &facts);
    report_line(r, "", "%s: %s%s of %s%s", url, f->tables != NULL ? "" : "a ", facts.kind, facts.game,
                facts.complete ? "" : ", not finished");
    report_text(r, "store", NULL, url);
    report_text(r, "kind", NULL, facts.kind);
    report_text(r, "game", NULL, facts.game);
    if (f->hologram != NULL)
        hologram_put(r, f->hologram);
    else if (f->store != NULL)
        store_put(r, f->store, &facts);
    else
        report_bytes(r, "bytes", "size", facts.bytes);
}

/* The caller's, unless nobody wants it. */
static holos_status report_hand(holos_report *r, holos_report **out, holos_error *err)
{
    bool failed = r == NULL || r->failed;
    if (out != NULL && !failed)
        *out = r;
    else
        holos_report_close(r);
    return failed ? error_system(err, "the report") : HOLOS_OK;
}

holos_status care_report(const char *url, holos_report **out, holos_error *err)
{
    care c;
    found f;
    care_begin(&c, NULL);
    holos_status status = found_open(&f, &c, url, err);
    if (status == HOLOS_OK) {
        holos_report *r = report_new();
        if (r != NULL)
            found_put(r, &f, url);
        status = report_hand(r, out, err);
    }
    found_close(&f);
    care_end(&c);
    return status;
}

holos_status holos_store_info(const char *url, holos_report **out, holos_error *err)
{
    if (out != NULL)
        *out = NULL;
    if (url == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "a store has a URL");
    return care_report(url, out, err);
}

holos_status holos_store_look(const char *url, holos_store_facts *out, holos_error *err)
{
    care c;
    found f;
    if (url == NULL || out == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "a store has a URL, and its facts need a place");
    care_begin(&c, NULL);
    holos_status status = found_open(&f, &c, url, err);
    if (status == HOLOS_OK)
        facts_of(&f, url, out);
    found_close(&f);
    care_end(&c);
    return status;
}

/* ---- Types and questions ------------------------------------------------------------------------ */

bool holos_store_type_at(size_t index, holos_store_type *out)
{
    const store_backend *b = store_backend_at(index);
    text library;
    if (b == NULL || out == NULL)
        return false;
    *out = (holos_store_type){.scheme = b->scheme,
                              .form = b->summary,
                              .databases = (b->can & STORE_DATABASES) != 0,
                              .graphs = (b->can & STORE_GRAPHS) != 0,
                              .books = (b->can & STORE_BOOKS) != 0,
                              .remote = (b->can & STORE_REMOTE) != 0,
                              .shared = (b->can & STORE_SHARED) != 0,
                              .sql = (b->can & STORE_SQL) != 0};
    text_init_fixed(&library, out->library, sizeof out->library);
    if (b->missing != NULL)
        text_string(&library, b->missing);
    out->available = b->missing == NULL && (b->library == NULL || b->library(&library));
    return true;
}

holos_status holos_store_sql(const char *url, const char *question, holos_report **out, holos_error *err)
{
    const char *location;
    if (out != NULL)
        *out = NULL;
    if (url == NULL || question == NULL || out == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "a question needs the URL of a store, words and a place for the answer");
    holos_error own = {0};
    err = err != NULL ? err : &own;
    const store_backend *b = store_backend_of(url, &location);
    if (b == NULL || b->sql == NULL)
        return error_set(
            err, HOLOS_USAGE, HOLOS_NOWHERE, "%s: only parquet:DIR answers SQL here%s", url,
            b != NULL && (b->can & STORE_SQL) != 0 ? "; its own program (sqlite3, psql) asks this one" : "");
    holos_report *r = report_new();
    if (r == NULL)
        return error_system(err, "the report");
    report_text(r, "store", NULL, url);
    holos_status status = b->sql(location, question, r, err);
    if (status == HOLOS_OK)
        return report_hand(r, out, err);
    holos_report_close(r);
    return status;
}

/* ---- Whether it is sound ----------------------------------------------------------------------- */

static holos_status store_verify(care *c, store *s, const char *url, uint64_t *derived, holos_error *err)
{
    store_facts facts;
    pool *threads;
    s->backend->facts(s, &facts);
    if (!facts.complete)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s is unfinished", url);
    holos_status status = s->backend->check(s, c->o.stop, err);
    if (status == HOLOS_OK)
        status = pool_open(c->o.threads, &threads, err);
    if (status != HOLOS_OK)
        return status;
    uint64_t few = s->kind == STORE_BOOK ? BOOK_SAMPLES : SAMPLES;
    store_derivation how = {.samples = c->o.all            ? 0
                                       : c->o.samples != 0 ? c->o.samples
                                                           : few,
                            .seed = c->o.seed,
                            .threads = threads,
                            .progress = &c->progress,
                            .stop = c->o.stop};
    if (how.samples >= facts.positions)
        how.samples = 0; /* all of them, each once */
    status = s->kind == STORE_BOOK ? book_verify(s, &how, derived, err) : store_derive(s, &how, derived, err);
    pool_close(threads);
    return status;
}

static holos_status hologram_verify(const care *c, holos_hologram *h, uint64_t *derived, uint64_t *frontiers,
                                    holos_error *err)
{
    holos_hologram_checking how = {
        .threads = c->o.threads, .limits = {.memory = c->o.memory, .stop = c->o.stop}, .frontiers = c->o.all};
    holos_hologram_checked checked = {0};
    holos_status status = holos_hologram_check(h, &how, &checked, err);
    *derived = checked.derived;
    *frontiers = checked.frontiers;
    return status;
}

/* A game's own tables. Their values are not derived again: their checksums are all that files of other programs bring. */
static holos_status tables_verify(const care *c, const holos_knowledge *k, const char *url, holos_error *err)
{
    url_parts u = url_parse(url);
    uint64_t files;
    if (k->game->verify == NULL)
        return error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "there is no way to check %s", k->kind);
    return k->game->verify(url_is_path(&u) ? u.location : url, c->o.stop, &files, err);
}

static void verdict_words(holos_report *r, const char *url, const char *done, uint64_t derived,
                          double seconds)
{
    text t;
    text_init(&t);
    if (derived > 0)
        text_count(&t, derived);
    text_string(&t, derived > 0 ? done : "read in ");
    text_duration(&t, seconds);
    report_line(r, "", "%s is sound: all checksums match, %s", url, t.data);
    text_free(&t);
}

static holos_status verdict_make(const char *url, bool searched, uint64_t derived, uint64_t frontiers,
                                 double seconds, const holos_error *problem, holos_report **out,
                                 holos_error *err)
{
    holos_report *r = report_new();
    if (r == NULL)
        return error_system(err, "the report");
    report_text(r, "store", NULL, url);
    report_truth(r, "sound", NULL, problem == NULL);
    report_count(r, "derived", NULL, derived);
    if (frontiers > 0)
        report_count(r, "frontiers", NULL, frontiers);
    if (problem != NULL) {
        report_text(r, "problem", NULL, problem->message);
        report_line(r, "", "%s is not sound: %s", url, problem->message);
    } else {
        verdict_words(r, url,
                      searched ? " positions were searched again in "
                               : " positions were re-derived from the rules in ",
                      derived, seconds);
        if (frontiers > 0)
            report_line(r, "", "%llu frontiers were rebuilt from their seeds, with the same digests",
                        (unsigned long long)frontiers);
    }
    report_seconds(r, "seconds", NULL, seconds);
    return report_hand(r, out, err);
}

holos_status holos_store_verify(const char *url, const holos_store_options *options, holos_report **out,
                                holos_error *err)
{
    holos_error own = {0}, later;
    care c;
    found f;
    uint64_t derived = 0, frontiers = 0;
    double begun = clock_wall();
    err = err != NULL ? err : &own;
    if (out != NULL)
        *out = NULL;
    if (url == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "a store has a URL");
    care_begin(&c, options);
    holos_status status = found_open(&f, &c, url, err);
    bool searched = status == HOLOS_OK && f.store != NULL && f.store->kind == STORE_BOOK;
    if (status == HOLOS_OK && f.hologram != NULL)
        status = hologram_verify(&c, f.hologram, &derived, &frontiers, err);
    else if (status == HOLOS_OK && f.store != NULL)
        status = store_verify(&c, f.store, url, &derived, err);
    else if (status == HOLOS_OK)
        status = tables_verify(&c, f.tables, url, err);
    found_close(&f);
    care_end(&c);
    if (status != HOLOS_OK && status != HOLOS_BAD_FILE)
        return status;
    holos_status told = verdict_make(url, searched, derived, frontiers, clock_wall() - begun,
                                     status == HOLOS_OK ? NULL : err, out, &later);
    if (status == HOLOS_OK && told != HOLOS_OK)
        *err = later;
    return status == HOLOS_OK ? told : status;
}
