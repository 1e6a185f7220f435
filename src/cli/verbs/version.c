/* SPDX-License-Identifier: MIT */

/* The version, and what this build stands on. */

#include "cli/cli.h"
#include "core/cpu.h"
#include "core/json.h"
#include "serve/serve.h"

#include <stdio.h>
#include <string.h>
#include <xxhash.h>
#include <yaml.h>
#include <zstd.h>

#ifdef __clang__
#define CLI_COMPILER "clang " __clang_version__
#else
#define CLI_COMPILER "gcc " __VERSION__
#endif

typedef struct library {
    char name[32], version[32];
} library;

enum { LIBRARIES_MAX = 16 };

static void library_add(library *list, size_t *count, const char *name, const char *version)
{
    if (*count == LIBRARIES_MAX)
        return;
    snprintf(list[*count].name, sizeof list->name, "%.31s", name);
    snprintf(list[*count].version, sizeof list->version, "%.31s", version);
    (*count)++;
}

/* The libraries that are loaded now, which may be newer than those of the build, and those that stores use. */
static size_t list_libraries(library *list)
{
    char xxhash[32];
    size_t count = 0;
    unsigned x = XXH_versionNumber();
    snprintf(xxhash, sizeof xxhash, "%u.%u.%u", x / 10000, x / 100 % 100, x % 100);
    library_add(list, &count, "zstd", ZSTD_versionString());
    library_add(list, &count, "xxhash", xxhash);
    library_add(list, &count, "jansson", jansson_version_str());
    library_add(list, &count, "libyaml", yaml_get_version_string());
    if (serve_library_version() != NULL)
        library_add(list, &count, "libmicrohttpd", serve_library_version());
    holos_store_type type;
    for (size_t i = 0; holos_store_type_at(i, &type); i++) {
        char *space = strchr(type.library, ' ');
        if (!type.available || space == NULL)
            continue;
        *space = 0;
        library_add(list, &count, type.library, space + 1);
    }
    char mpi[256], *space;
    if (holos_cluster_library(mpi, sizeof mpi) && (space = strchr(mpi, ' ')) != NULL) {
        *space = 0;
        library_add(list, &count, mpi, space + 1);
    }
    return count;
}

static void write_plain(text *t, const library *list, size_t count, const char *processor)
{
    text_printf(t, "holos %s\n\nlibraries  ", holos_version());
    for (size_t i = 0; i < count; i++)
        text_printf(t, "%s%s %s", i > 0 ? ", " : "", list[i].name, list[i].version);
    text_string(t, "\nstores     ");
    holos_store_type type;
    for (size_t i = 0; holos_store_type_at(i, &type); i++)
        text_printf(t, "%s%s%s", i > 0 ? ", " : "", type.form, type.available ? "" : " (not available)");
    text_printf(t, "\nprocessor  %s\ncompiler   %s\npage       ", processor, CLI_COMPILER);
    text_printf(t, serve_page_missing() == NULL ? "yes\n" : "no: %s\n", serve_page_missing());
}

static void write_json(text *t, const library *list, size_t count, const char *processor)
{
    json j = json_begin(t);
    json_open(&j, NULL, '{');
    json_put_string(&j, "version", holos_version());
    json_open(&j, "libraries", '{');
    for (size_t i = 0; i < count; i++)
        json_put_string(&j, list[i].name, list[i].version);
    json_close(&j);
    json_open(&j, "stores", '{');
    holos_store_type type;
    for (size_t i = 0; holos_store_type_at(i, &type); i++)
        json_put_string(&j, type.scheme, type.available ? "available" : type.library);
    json_close(&j);
    json_put_string(&j, "processor", processor);
    json_put_string(&j, "compiler", CLI_COMPILER);
    json_put_bool(&j, "page", serve_page_missing() == NULL);
    json_close(&j);
    text_char(t, '\n');
}

static cli_status run(cli *c)
{
    library list[LIBRARIES_MAX];
    size_t count = list_libraries(list);
    text processor;
    text_init(&processor);
    cpu_format(cpu_detect(), &processor);
    if (c->shared.json)
        write_json(&c->out->text, list, count, processor.data);
    else
        write_plain(&c->out->text, list, count, processor.data);
    text_free(&processor);
    return CLI_DONE;
}

const cli_verb verb_version = {
    .name = "version",
    .operands = "",
    .summary = "print the version and what this build uses",
    .description =
        "Prints the version, the libraries it uses with their versions, and the processor features "
        "in use. 'holos --version' does the same.",
    .shared = SHARED_JSON,
    .run = run,
};
