/* SPDX-License-Identifier: MIT */

/* What is known of one variant must not answer falsely for another: whatever a listed variant can have built, small enough,
 * is offered to every variant of the game, and where it is accepted its values are those of the definition. */

#include "conformance.h"

#include "holos/job.h"
#include "holos/knowledge.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LARGEST  300000             /* positions of a database */
#define MEMORY   ((size_t)48 << 20) /* of a graph: larger ones are not built */
#define EXPANDED 2000               /* of a wave, which may be cut short anywhere */
#define MOST     256

typedef struct donation {
    const holos_game *game;
    char *variant, *url;
    const char *kind;
} donation;

static donation donations[MOST];
static size_t donation_count;
static char folder[64];

/* ---- Building ---------------------------------------------------------------------------------- */

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info;
    (void)kind;
    (void)walk;
    return remove(path);
}

static void remove_folder(void)
{
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    for (size_t i = 0; i < donation_count; i++) {
        free(donations[i].variant);
        free(donations[i].url);
    }
}

static void folder_make(void)
{
    if (folder[0] != 0)
        return;
    const char *where = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%.40s/holos-XXXXXX",
             where != NULL && strlen(where) <= 40 ? where : "/tmp");
    assert_non_null(mkdtemp(folder));
    atexit(remove_folder);
}

static bool is_small(holos_job *job, const char *kind)
{
    holos_plan plan;
    return strcmp(kind, "database") != 0 ||
           (holos_job_plan(job, &plan, NULL) == HOLOS_OK && plan.known && plan.positions <= LARGEST);
}

/* Whether there is something to be opened now: a job that stops at a limit keeps what it has only where that is sound. */
static bool run(const holos_variant *v, const char *kind, const char *url)
{
    holos_settings *settings = holos_settings_new();
    holos_job_options o = {.kind = kind,
                           .store = url,
                           .threads = 1,
                           .limits = {.memory = MEMORY, .nodes = strcmp(kind, "wave") == 0 ? EXPANDED : 0},
                           .settings = settings};
    holos_job *job;
    assert_non_null(settings);
    if (strcmp(kind, "book") == 0)
        assert_int_equal(holos_settings_set(settings, "book-depth", "2", NULL), HOLOS_OK);
    bool done = false;
    if (holos_job_open(v, &o, &job, NULL) == HOLOS_OK && is_small(job, kind)) {
        holos_status status = holos_job_run(job, NULL);
        done = status == HOLOS_OK || (status == HOLOS_LIMIT && strcmp(kind, "wave") == 0);
    }
    holos_job_close(job);
    holos_settings_free(settings);
    return done;
}

static bool build(const holos_variant *v, const char *kind, const char *scheme)
{
    donation *d = &donations[donation_count];
    assert_true(donation_count < MOST);
    assert_true(asprintf(&d->url, "%s:%s/%zu", scheme, folder, donation_count) > 0);
    if (!run(v, kind, d->url)) {
        free(d->url);
        return false;
    }
    d->game = v->game;
    d->kind = kind;
    d->variant = strdup(v->name);
    assert_non_null(d->variant);
    donation_count++;
    return true;
}

static void donate(const holos_game *game, const char *variant)
{
    char name[128];
    holos_variant *v;
    snprintf(name, sizeof name, variant != NULL ? "%s:%s" : "%s", game->name, variant);
    assert_int_equal(holos_open(name, &v, NULL), HOLOS_OK);
    build(v, "database", "file");
    build(v, "database", "sqlite");
    build(v, "wave", "file");
    if (build(v, "graph", "file")) { /* small enough to be searched, too */
        build(v, "graph", "sqlite");
        build(v, "book", "file");
    }
    holos_close(v);
}

/* Everything that variants of the game can give, built once. */
static void donations_make(const holos_game *game)
{
    static const holos_game *last;
    if (game == last)
        return;
    last = game;
    folder_make();
    donate(game, NULL);
    for (const char *const *variant = game->variants; *variant != NULL; variant++)
        donate(game, *variant);
}

/* ---- Comparing --------------------------------------------------------------------------------- */

/* Returns how many positions were known. */
static size_t compare(subject *s, const donation *d, holos_knowledge *k)
{
    size_t known = 0;
    for (size_t i = 0; i < s->count; i++) {
        int32_t truth;
        holos_value value;
        holos_error err;
        const holos_position *p = subject_at(s, i);
        if (!minimax_sample_value(s, i, &truth))
            continue;
        truth += game_banked(s->v, p);
        if (holos_knowledge_find(k, p, &value, &err) != HOLOS_OK)
            fail_msg("%s of %s: %s", d->kind, d->variant, err.message);
        if (holos_source_is_proof(value.source) && (value.lo > truth || value.hi < truth))
            fail_msg("%s is worth %d, but a %s of %s says %d to %d", subject_text(s, p), (int)truth, d->kind,
                     d->variant, (int)value.lo, (int)value.hi);
        known += holos_source_is_proof(value.source);
    }
    return known;
}

void stores_that_accept_it_agree(void **state)
{
    subject *s = *state;
    donations_make(s->v->game);
    size_t own = 0, opened = 0;
    for (size_t i = 0; i < donation_count; i++) {
        const donation *d = &donations[i];
        holos_knowledge *k;
        bool mine = d->game == s->v->game && strcmp(d->variant, s->v->name) == 0;
        own += mine;
        if (holos_knowledge_open(d->url, s->v, NULL, &k, NULL) != HOLOS_OK) {
            assert_false(mine);
            continue;
        }
        if (d->game != s->v->game)
            fail_msg("a %s of %s is taken for one of %s", d->kind, d->variant, s->v->name);
        compare(s, d, k);
        opened += mine;
        holos_knowledge_close(k);
    }
    assert_int_equal(opened, own);
}
