/* SPDX-License-Identifier: MIT */

/* Matches: an engine against chance, as a job, and what the score says.
 *
 *     $ ./play_match connect4:5x4 alphabeta:nodes=2000 random 20
 *     20 games, Elo above 0 with 95 % confidence: yes
 */

#include <holos/holos.h>

#include <stdio.h>
#include <stdlib.h>

static double number(const holos_report *report, const char *key)
{
    const holos_field *f = holos_report_find(holos_report_root(report), key);
    return f == NULL ? 0 : f->type == HOLOS_FIELD_COUNT ? (double)f->count : f->real;
}

static holos_status play(const holos_variant *v, const char *const *players, const char *games,
                         holos_error *err)
{
    holos_settings *settings = holos_settings_new();
    holos_job *job = NULL;
    holos_job_options o = {
        .kind = "match", .operands = players, .operand_count = 2, .seed = 1, .settings = settings};
    holos_status status = holos_settings_set(settings, "games", games, err);
    if (status == HOLOS_OK)
        status = holos_job_open(v, &o, &job, err);
    if (status == HOLOS_OK)
        status = holos_job_run(job, err);
    if (status == HOLOS_OK)
        printf("%.0f games, Elo above 0 with 95 %% confidence: %s\n", number(holos_job_report(job), "games"),
               number(holos_job_report(job), "elo_low") > 0 ? "yes" : "no");
    holos_job_close(job);
    holos_settings_free(settings);
    return status;
}

int main(int argc, char **argv)
{
    holos_error err;
    holos_variant *v;
    if (argc != 5) {
        fprintf(stderr, "usage: play_match GAME A B GAMES\n");
        return 2;
    }
    const char *players[] = {argv[2], argv[3]};
    if (holos_open(argv[1], &v, &err) != HOLOS_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    holos_status status = play(v, players, argv[4], &err);
    if (status != HOLOS_OK)
        fprintf(stderr, "%s\n", err.message);
    holos_close(v);
    return status == HOLOS_OK ? 0 : 1;
}
