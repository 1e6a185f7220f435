/* SPDX-License-Identifier: MIT */

/* Every property for every game, in its default variant and in the small ones that the game lists.
 *
 *     conformance [GAME[:VARIANT]]      one game, or one variant, only */

#include "conformance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A variant and its tests. Its sample is made for the first of them and freed after the last. */
typedef struct variant_tests {
    char *variant;
    subject s;
    size_t count, begun, done;
} variant_tests;

static int test_setup(void **state)
{
    variant_tests *t = *state;
    if (t->begun++ == 0)
        subject_open(&t->s, t->variant);
    *state = &t->s;
    return 0;
}

static int test_teardown(void **state)
{
    variant_tests *t = (variant_tests *)((char *)*state - offsetof(variant_tests, s));
    if (++t->done == t->count)
        subject_close(&t->s);
    return 0;
}

typedef struct test_list {
    struct CMUnitTest *tests;
    variant_tests **variants;
    size_t test_count, variant_count;
} test_list;

static void *grow(void *array, size_t count, size_t size)
{
    array = realloc(array, count * size);
    if (array == NULL)
        abort();
    return array;
}

__attribute__((format(printf, 1, 2))) static char *make_name(const char *format, ...)
{
    char *name;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&name, format, arguments) < 0)
        abort();
    va_end(arguments);
    return name;
}

static void list_add_test(test_list *list, variant_tests *t, const char *property,
                          CMUnitTestFunction function)
{
    t->count++;
    list->tests = grow(list->tests, list->test_count + 1, sizeof *list->tests);
    list->tests[list->test_count++] = (struct CMUnitTest){.name = make_name("%s %s", t->variant, property),
                                                          .test_func = function,
                                                          .setup_func = test_setup,
                                                          .teardown_func = test_teardown,
                                                          .initial_state = t};
}

static void list_add_variant(test_list *list, const holos_game *game, const char *variant)
{
    variant_tests *t = grow(NULL, 1, sizeof *t);
    *t = (variant_tests){0};
    t->variant = make_name(variant != NULL ? "%s:%s" : "%s", game->name, variant);
    list->variants = grow(list->variants, list->variant_count + 1, sizeof *list->variants);
    list->variants[list->variant_count++] = t;
#define P(name, applies)                                                                                     \
    if (applies)                                                                                             \
        list_add_test(list, t, #name, name);
    PROPERTIES(P)
#undef P
}

static void list_free(test_list *list)
{
    for (size_t i = 0; i < list->variant_count; i++) {
        free(list->variants[i]->variant);
        free(list->variants[i]);
    }
    for (size_t i = 0; i < list->test_count; i++)
        free((void *)(uintptr_t)list->tests[i].name);
    free(list->variants);
    free(list->tests);
}

/* "kalah" is wanted by "kalah", and "kalah:3,2" by both "kalah" and "kalah:3,2". */
static bool is_wanted(const char *game, const char *variant, const char *filter)
{
    size_t length = strlen(game);
    if (filter == NULL || strcmp(filter, game) == 0)
        return true;
    return variant != NULL && strncmp(filter, game, length) == 0 && filter[length] == ':' &&
           strcmp(filter + length + 1, variant) == 0;
}

int main(int argc, char **argv)
{
    const char *filter = argc > 1 ? argv[1] : NULL;
    test_list list = {0};
    for (size_t i = 0; i < holos_game_count(); i++) {
        const holos_game *game = holos_game_at(i);
        if (is_wanted(game->name, NULL, filter))
            list_add_variant(&list, game, NULL);
        for (const char *const *variant = game->variants; *variant != NULL; variant++)
            if (is_wanted(game->name, *variant, filter))
                list_add_variant(&list, game, *variant);
    }
    if (list.test_count == 0) {
        fprintf(stderr, "conformance: no game is called %s\n", filter);
        return 2;
    }
    int failures = _cmocka_run_group_tests("conformance", list.tests, list.test_count, NULL, NULL);
    list_free(&list);
    return failures != 0;
}
