/* SPDX-License-Identifier: MIT */

/* Every property for every game, in its default variant and in the small ones that the game lists.
 *
 *     conformance [GAME[:VARIANT]]      one game, or one variant, only */

#include "conformance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct CMUnitTest properties[] = {
#define P(name) {#name, name, NULL, NULL, NULL},
    PROPERTIES(P)
#undef P
};
#define PROPERTY_COUNT (sizeof properties / sizeof properties[0])

static int run_variant(const char *name)
{
    subject s;
    subject_open(&s, name);
    struct CMUnitTest tests[PROPERTY_COUNT];
    char names[PROPERTY_COUNT][128];
    for (size_t i = 0; i < PROPERTY_COUNT; i++) {
        snprintf(names[i], sizeof names[i], "%s %s", name, properties[i].name);
        tests[i] = properties[i];
        tests[i].name = names[i];
        tests[i].initial_state = &s;
    }
    int failures = _cmocka_run_group_tests(name, tests, PROPERTY_COUNT, NULL, NULL);
    subject_close(&s);
    return failures;
}

static bool is_wanted(const char *name, const char *filter)
{
    size_t length = filter != NULL ? strlen(filter) : 0;
    return strncmp(name, filter != NULL ? filter : "", length) == 0 &&
           (filter == NULL || name[length] == 0 || name[length] == ':');
}

int main(int argc, char **argv)
{
    const char *filter = argc > 1 ? argv[1] : NULL;
    int failures = 0, variants = 0;
    for (size_t i = 0; i < holos_game_count(); i++) {
        const holos_game *game = holos_game_at(i);
        if (is_wanted(game->name, filter)) {
            failures += run_variant(game->name);
            variants++;
        }
        for (const char *const *variant = game->variants; *variant != NULL; variant++) {
            char name[64];
            snprintf(name, sizeof name, "%s:%s", game->name, *variant);
            if (is_wanted(name, filter)) {
                failures += run_variant(name);
                variants++;
            }
        }
    }
    if (variants == 0)
        fprintf(stderr, "conformance: no variant is called %s\n", filter);
    return failures != 0 || variants == 0;
}
