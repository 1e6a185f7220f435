/* SPDX-License-Identifier: MIT */

/* Experiments: lists them, or runs one at its quick size on a game of your choice.
 *
 *     cc run_experiment.c $(pkg-config --cflags --libs holos) -o run_experiment
 *
 *     $ ./run_experiment strategy nim:3,4,5
 *     strategy: nothing differs from what it was compared with
 *
 *     $ ./run_experiment alchemy nim:3,4,5
 *     there is no experiment alchemy
 */

#include <holos/holos.h>

#include <stdio.h>

static void list(void)
{
    const holos_experiment *e;
    for (size_t i = 0; (e = holos_experiment_at(i)) != NULL; i++)
        printf("%s: %s\n", holos_experiment_name(e), holos_experiment_summary(e));
}

int main(int argc, char **argv)
{
    holos_error err;
    holos_experiment_result result;
    const holos_experiment *e = argc > 1 ? holos_experiment_find(argv[1]) : NULL;
    if (argc < 2) {
        list();
        return 0;
    }
    if (e == NULL) {
        printf("there is no experiment %s\n", argv[1]);
        return 2;
    }
    holos_experiment_options options = {.quick = true, .seed = 1};
    if (argc > 2 && holos_experiment_takes_games(e))
        options.game = argv[2];
    holos_status status = holos_experiment_run(e, &options, &result, &err);
    if (status != HOLOS_OK)
        printf("%s\n", err.message);
    else if (result.mismatches == 0)
        printf("%s: nothing differs from what it was compared with\n", argv[1]);
    else
        printf("%s: %llu of %llu differ\n", argv[1], (unsigned long long)result.mismatches,
               (unsigned long long)result.compared);
    holos_experiment_result_free(&result);
    return status != HOLOS_OK;
}
