/* SPDX-License-Identifier: MIT */

/* Experiments over HTTP. They run as jobs; their tables lie in the folder, under lab-NAME. */

#include "core/error.h"
#include "core/file.h"
#include "serve/state.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_MOST = 1 << 20 }; /* bytes */

static void experiment_name(const char *name, text *out)
{
    text_printf(out, "lab-%.50s", name);
}

static void put_table(json *j, const char *folder, const char *name)
{
    text path, content;
    size_t length = strlen(name);
    if (length < 5 || strcmp(name + length - 4, ".csv") != 0 || !jobs_is_name(name))
        return;
    text_init(&path);
    text_init(&content);
    text_printf(&path, "%s/%s", folder, name);
    if (file_read(path.data, TABLE_MOST, &content, NULL) == HOLOS_OK) {
        json_open(j, NULL, '{');
        json_put_string(j, "name", name);
        json_put_string(j, "csv", content.data);
        json_close(j);
    }
    text_free(&content);
    text_free(&path);
}

static void put_tables(const serve_state *s, const char *experiment, json *j)
{
    struct dirent **entries;
    text name;
    text_init(&name);
    experiment_name(experiment, &name);
    char *folder = jobs_path(&s->jobs, name.data);
    int count = folder != NULL ? scandir(folder, &entries, NULL, alphasort) : -1;
    json_open(j, "tables", '[');
    for (int i = 0; i < count; i++) {
        put_table(j, folder, entries[i]->d_name);
        free(entries[i]);
    }
    json_close(j);
    if (count >= 0)
        free(entries);
    free(folder);
    text_free(&name);
}

void route_lab(serve_state *s, const request *r, reply *out)
{
    const char *name = request_get(r, "name", NULL);
    const holos_experiment *e;
    json j = json_begin(&out->body);
    json_open(&j, NULL, '{');
    json_open(&j, "experiments", '[');
    for (size_t i = 0; (e = holos_experiment_at(i)) != NULL; i++) {
        json_open(&j, NULL, '{');
        json_put_string(&j, "name", holos_experiment_name(e));
        json_put_string(&j, "summary", holos_experiment_summary(e));
        json_close(&j);
    }
    json_close(&j);
    if (name != NULL && holos_experiment_find(name) != NULL)
        put_tables(s, name, &j);
    json_close(&j);
}

void route_lab_run(serve_state *s, const request *r, reply *out)
{
    holos_error err;
    unsigned id;
    const char *experiment = request_get(r, "name", "");
    text name;
    text_init(&name);
    experiment_name(experiment, &name);
    const job_wish wish = {.experiment = experiment,
                           .name = name.data,
                           .quick = request_flag(r, "quick"),
                           .settings = holos_settings_new()};
    if (jobs_start(&s->jobs, &wish, &id, &err) != HOLOS_OK) {
        reply_error(out, &err);
    } else {
        json j = json_begin(&out->body);
        json_open(&j, NULL, '{');
        json_put_uint(&j, "id", id);
        json_close(&j);
    }
    text_free(&name);
}
