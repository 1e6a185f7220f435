/* SPDX-License-Identifier: MIT */

/* The version, and what this build stands on. */

#include "cli/cli.h"
#include "core/json.h"

#include <sqlite3.h>
#include <stdio.h>
#include <xxhash.h>
#include <yaml.h>
#include <zstd.h>

typedef struct feature {
    const char *name;
    char value[96];
} feature;

enum { FEATURES_MAX = 16 };

static size_t list_libraries(feature *out)
{
    unsigned x = XXH_versionNumber();
    size_t n = 0;
    out[n].name = "zstd";
    snprintf(out[n++].value, sizeof out->value, "%s", ZSTD_versionString());
    out[n].name = "xxhash";
    snprintf(out[n++].value, sizeof out->value, "%u.%u.%u", x / 10000, x / 100 % 100, x % 100);
    out[n].name = "sqlite";
    snprintf(out[n++].value, sizeof out->value, "%s", sqlite3_libversion());
    out[n].name = "jansson";
    snprintf(out[n++].value, sizeof out->value, "%s", jansson_version_str());
    out[n].name = "libyaml";
    snprintf(out[n++].value, sizeof out->value, "%s", yaml_get_version_string());
    return n;
}

static void show(const cli *c, const feature *libraries, size_t count)
{
    text *t = &c->out->text;
    text_printf(t, "holos %s\n", holos_version());
    for (size_t i = 0; i < count; i++)
        text_printf(t, "%s%s %s", i == 0 ? "libraries: " : ", ", libraries[i].name, libraries[i].value);
    text_char(t, '\n');
    text_printf(t, "compiler: %s\n", __VERSION__);
}

static cli_status run(cli *c)
{
    feature libraries[FEATURES_MAX];
    size_t count = list_libraries(libraries);
    show(c, libraries, count);
    return CLI_DONE;
}

const cli_verb verb_version = {
    .name = "version",
    .operands = "",
    .summary = "the version, and what this build stands on",
    .description = "Prints the version, the libraries that were found with their versions, and the abilities of "
                   "the processor that are in use. 'holos --version' does the same.",
    .shared = SHARED_JSON,
    .run = run,
};
