/* SPDX-License-Identifier: MIT */

/* What long work is doing, or where it stopped: read from locks and records, which is all that it leaves. */

#include "core/file.h"
#include "core/json.h"
#include "session/job.h"
#include "store/store.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define RECORD_MOST ((size_t)16 << 20)

static const char *const record_names[] = {"build.json", "explore.json", "lab.json"};

/* ---- Reading ----------------------------------------------------------------------------------- */

static json_t *lock_load(const char *url, bool *held)
{
    text path, words;
    json_t *lock = NULL;
    text_init(&path);
    text_init(&words);
    place_beside(url, JOB_LOCK, &path);
    if (lock_read(path.data, &words, held))
        lock = json_read(words.data, words.length, NULL);
    text_free(&path);
    text_free(&words);
    return lock;
}

/* The record of the run that ended last. */
static json_t *record_load(const char *url)
{
    json_t *latest = NULL;
    for (size_t i = 0; i < sizeof record_names / sizeof *record_names; i++) {
        text path, words;
        text_init(&path);
        text_init(&words);
        place_beside(url, record_names[i], &path);
        json_t *record = file_read(path.data, RECORD_MOST, &words, NULL) == HOLOS_OK
                             ? json_read(words.data, words.length, NULL)
                             : NULL;
        const char *ended = json_string_value(json_object_get(json_object_get(record, "run"), "ended"));
        const char *before = json_string_value(json_object_get(json_object_get(latest, "run"), "ended"));
        if (ended != NULL && (before == NULL || strcmp(ended, before) > 0)) {
            json_decref(latest);
            latest = record;
        } else {
            json_decref(record);
        }
        text_free(&path);
        text_free(&words);
    }
    return latest;
}

/* ---- Telling ----------------------------------------------------------------------------------- */

static const char *string_in(const json_t *from, const char *key)
{
    const char *s = json_string_value(json_object_get(from, key));
    return s != NULL ? s : "";
}

static void text_copy(holos_report *r, const json_t *from, const char *key)
{
    const char *s = json_string_value(json_object_get(from, key));
    if (s != NULL)
        report_text(r, key, NULL, s);
}

/* Numbers of a progress, as they are. */
static void progress_copy(holos_report *r, const json_t *from)
{
    static const char *const counts[] = {"done", "total", "parts_done", "parts", "layer", "memory", "disk"};
    static const char *const reals[] = {"solved", "rate", "seconds", "left"};
    report_open(r, "progress", NULL, HOLOS_FIELD_GROUP);
    text_copy(r, from, "label");
    text_copy(r, from, "unit");
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (json_object_get(from, counts[i]) != NULL)
            report_count(r, counts[i], NULL, (uint64_t)json_integer_value(json_object_get(from, counts[i])));
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        if (json_object_get(from, reals[i]) != NULL)
            report_real(r, reals[i], NULL, json_number_value(json_object_get(from, reals[i])));
    report_close_field(r);
}

static void progress_words(text *t, const json_t *from)
{
    json_int_t done = json_integer_value(json_object_get(from, "done"));
    json_int_t total = json_integer_value(json_object_get(from, "total"));
    if (from == NULL)
        return;
    text_string(t, "; ");
    text_rough(t, (uint64_t)done);
    if (total > 0) {
        text_string(t, " of ");
        text_rough(t, (uint64_t)total);
    }
    text_printf(t, " %s", string_in(from, "unit"));
    if (strchr(string_in(from, "label"), ',') != NULL) /* of a session: its phase and round */
        text_printf(t, " in %s", string_in(from, "label"));
    double rate = json_number_value(json_object_get(from, "rate"));
    json_int_t memory = json_integer_value(json_object_get(from, "memory"));
    json_int_t disk = json_integer_value(json_object_get(from, "disk"));
    if (rate > 0) {
        text_string(t, ", ");
        text_rough(t, (uint64_t)rate);
        text_string(t, "/s");
    }
    if (memory > 0) {
        text_string(t, ", ");
        text_size(t, (uint64_t)memory);
        text_string(t, " of memory");
    }
    if (disk > 0) {
        text_string(t, ", ");
        text_size(t, (uint64_t)disk);
        text_string(t, " on disk");
    }
    if (total > 0 && done <= total)
        text_printf(t, ", %d %%", (int)(100.0 * (double)done / (double)total));
    double left = json_number_value(json_object_get(from, "left"));
    if (left > 0) {
        text_string(t, ", ");
        text_clock(t, left);
        text_string(t, " left");
    }
}

/* A lock: somebody works here, or was killed. */
static void lock_put(holos_report *r, const char *place, const json_t *lock, bool held)
{
    const json_t *reached = json_object_get(lock, "progress");
    long long pid = (long long)json_integer_value(json_object_get(lock, "pid"));
    text words;
    text_init(&words);
    report_text(r, "state", NULL, held ? "running" : "killed");
    text_copy(r, lock, "kind");
    text_copy(r, lock, "game");
    report_integer(r, "pid", NULL, pid);
    text_copy(r, lock, "host");
    text_copy(r, lock, "command");
    text_copy(r, lock, "since");
    text_copy(r, lock, "seen");
    report_seconds(r, "seconds", NULL, json_number_value(json_object_get(lock, "seconds")));
    if (reached != NULL)
        progress_copy(r, reached);
    text_printf(&words, "%s: %s of %s, ", place, string_in(lock, "kind"), string_in(lock, "game"));
    text_printf(&words, held ? "running as process %lld since %s" : "killed as process %lld, which began %s",
                pid, string_in(lock, "since"));
    if (!held)
        text_printf(&words, " and was last seen %s; --resume continues", string_in(lock, "seen"));
    progress_words(&words, reached);
    report_line(r, "", "%s", words.data);
    text_free(&words);
}

/* A record: a run that ended by itself. */
static void record_put(holos_report *r, const char *place, const json_t *record)
{
    const json_t *run = json_object_get(record, "run");
    bool finished = strcmp(string_in(record, "status"), "ok") == 0;
    double seconds = json_number_value(json_object_get(run, "seconds"));
    const char *kind = string_in(run, "job");
    text took;
    text_init(&took);
    text_duration(&took, seconds);
    report_text(r, "state", NULL, finished ? "finished" : "stopped");
    report_text(r, "kind", NULL, kind);
    text_copy(r, record, "game");
    text_copy(r, record, "status");
    text_copy(r, record, "stopped");
    text_copy(r, run, "command");
    text_copy(r, run, "began");
    text_copy(r, run, "ended");
    report_seconds(r, "seconds", NULL, seconds);
    report_line(r, "", "%s: %s of %s, %s %s after %s: %s", place, kind, string_in(record, "game"),
                finished ? "finished" : "stopped", string_in(run, "ended"), took.data,
                string_in(record, "stopped"));
    text_free(&took);
}

/* What there is to tell of one store. */
static bool store_look(holos_report *r, const char *url)
{
    bool held = false;
    json_t *lock = lock_load(url, &held), *record = lock == NULL ? record_load(url) : NULL;
    bool found = lock != NULL || record != NULL;
    if (found) {
        report_open(r, NULL, NULL, HOLOS_FIELD_GROUP);
        report_text(r, "store", NULL, url);
        if (lock != NULL)
            lock_put(r, url, lock, held);
        else
            record_put(r, url, record);
        report_close_field(r);
    }
    json_decref(lock);
    json_decref(record);
    return found;
}

/* ---- Places ------------------------------------------------------------------------------------ */

/* The URL of a store in a folder, by one of its entries: a folder, or a file beside a store that is a file. False: none. */
static bool entry_url(const char *folder, const char *name, text *out)
{
    static const char *const ends[] = {JOB_LOCK, ".build.json"};
    struct stat info;
    text path;
    text_init(&path);
    text_printf(&path, "%s/%s", folder, name);
    bool is_folder = stat(path.data, &info) == 0 && S_ISDIR(info.st_mode);
    size_t cut = 0;
    for (size_t i = 0; i < sizeof ends / sizeof *ends && !is_folder && cut == 0; i++) {
        size_t length = strlen(name), end = strlen(ends[i]);
        if (length > end && strcmp(name + length - end, ends[i]) == 0)
            cut = end;
    }
    text_clear(out);
    const char *location;
    const store_backend *backend = is_folder ? store_backend_of(path.data, &location) : NULL;
    text_printf(out, "%s:%.*s", backend != NULL ? backend->scheme : "sqlite", (int)(path.length - cut),
                path.data);
    text_free(&path);
    return (is_folder || cut > 0) && name[0] != '.';
}

static size_t folder_look(holos_report *r, const char *folder)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, NULL, alphasort);
    size_t found = 0;
    text url, before;
    text_init(&url);
    text_init(&before);
    for (int i = 0; i < count; i++) {
        /* A store that is a file may have both a lock and a record, which stand together. */
        if (entry_url(folder, entries[i]->d_name, &url) && strcmp(url.data, before.data) != 0) {
            found += store_look(r, url.data);
            text_clear(&before);
            text_string(&before, url.data);
        }
        free(entries[i]);
    }
    free(entries);
    text_free(&url);
    text_free(&before);
    return found;
}

holos_status holos_job_inspect(const char *place, holos_report **out, holos_error *err)
{
    struct stat info;
    if (out != NULL)
        *out = NULL;
    if (place == NULL || out == NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "a place and a report are needed");
    const char *folder = place_folder(place);
    if (folder != NULL && stat(folder, &info) != 0)
        return error_system(err, "cannot read %s", folder);
    holos_report *r = report_new();
    if (r == NULL)
        return error_system(err, "the report");
    report_text(r, "place", NULL, place);
    report_open(r, "jobs", "", HOLOS_FIELD_LIST);
    size_t found = store_look(r, place);
    if (folder != NULL && S_ISDIR(info.st_mode))
        found += folder_look(r, folder);
    report_close_field(r);
    if (found == 0)
        report_line(r, "", "%s: no long work here", place);
    *out = r;
    return HOLOS_OK;
}
