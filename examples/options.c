/* SPDX-License-Identifier: MIT */

/* Lists the options that a game has for solving, and solves a position with some of them.
 *
 *     $ cc options.c $(pkg-config --cflags --libs holos) -o options
 *     $ ./options hidato "1 . ./. . ./. . 9" mode=v3 solutions=5
 *     mode (choice, default v4)
 *     depth (int, default 0)
 *     telemetry (flag)
 *     solvable, 5 solutions counted
 *
 * What neither the game nor the engine has is refused, with the reason:
 *
 *     $ ./options nim start mode=v3
 *     --mode: nim:3,4,5 solved by alphabeta takes no such option; hidato and the wave engine do
 */

#include <holos/holos.h>

#include <stdio.h>
#include <string.h>

static int fail(const holos_error *err)
{
    fprintf(stderr, "%s\n", err->message);
    return 1;
}

static void list_options(const char *game)
{
    holos_option_group group;
    for (size_t i = 0; holos_option_group_at(HOLOS_USE_SOLVE, i, &group); i++) {
        if (group.kind != HOLOS_OWNER_GAME || strcmp(group.owner, game) != 0)
            continue;
        for (const holos_option *o = group.options; o->name != NULL; o++)
            printf("%s (%s%s%s)\n", o->name, holos_option_type_name(o->type),
                   o->fallback != NULL ? ", default " : "", o->fallback != NULL ? o->fallback : "");
    }
}

/* "mode=v3" */
static holos_status set(holos_settings *settings, const char *word, holos_error *err)
{
    char name[32];
    size_t length = strcspn(word, "=");
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    return holos_settings_set(settings, name, word[length] == '=' ? word + length + 1 : NULL, err);
}

int main(int argc, char **argv)
{
    holos_variant *v = NULL;
    holos_solver *solver = NULL;
    holos_error err;
    holos_result result;
    if (argc < 3) {
        fprintf(stderr, "usage: options GAME POSITION [NAME=VALUE…]\n");
        return 2;
    }
    holos_settings *settings = holos_settings_new();
    holos_status status = holos_open(argv[1], &v, &err);
    for (int i = 3; status == HOLOS_OK && i < argc; i++)
        status = set(settings, argv[i], &err);
    holos_position *p = status == HOLOS_OK ? holos_position_new(v) : NULL;
    if (status == HOLOS_OK)
        list_options(holos_game_name(holos_variant_game(v)));
    if (status == HOLOS_OK)
        status = holos_parse(v, argv[2], p, &err);
    if (status == HOLOS_OK)
        status = holos_solver_open(v, &(holos_solver_options){.settings = settings}, &solver, &err);
    if (status == HOLOS_OK)
        status = holos_solver_solve(solver, p, &result, &err);
    if (status == HOLOS_OK)
        printf("%s, %llu solutions counted\n", holos_outcome(v, result.value.lo),
               (unsigned long long)result.solutions);
    holos_solver_close(solver);
    holos_position_free(p);
    holos_close(v);
    holos_settings_free(settings);
    return status == HOLOS_OK ? 0 : fail(&err);
}
