/* SPDX-License-Identifier: MIT */

/* Two players against each other. */

#include "cli/job.h"

#include <string.h>

typedef struct match_settings {
    const char *store;
    bool resume, restart;
} match_settings;

static const holos_option options[] = {
    {OPTION(STRING, match_settings, store), .name = "store", .letter = 's', .value = "file:DIR",
     .help = "a folder for the games (games.csv), the course of the match (match.svg) and the record"},
    {OPTION(FLAG, match_settings, resume), .name = "resume", .letter = 'r',
     .help = "continue a match that was stopped, or play more games"},
    {OPTION(FLAG, match_settings, restart), .name = "restart",
     .help = "start over and replace what is there"},
    {0},
};

/* The game that other programs usually play by the protocol that they are asked with. */
static const char *usual_game(void)
{
    for (size_t i = 0; holos_game_at(i) != NULL; i++)
        for (size_t k = 0; holos_game_protocol(holos_game_at(i), k) != NULL; k++)
            if (strcmp(holos_game_protocol(holos_game_at(i), k), "gtp") == 0)
                return holos_game_name(holos_game_at(i));
    return holos_game_name(holos_game_at(0));
}

static cli_status run(cli *c)
{
    const match_settings *s = c->settings;
    size_t named = c->operand_count == 3 ? 1 : 0;
    holos_error err;
    holos_variant *v;
    if (holos_open(named > 0 ? c->operands[0] : usual_game(), &v, &err) != HOLOS_OK)
        return cli_fail(&err);
    holos_job_options o = {
        .kind = "match", .store = s->store, .operands = c->operands + named, .operand_count = 2};
    job_wishes wishes = {.resume = s->resume, .restart = s->restart};
    cli_status status = job_do(c, v, &o, &wishes);
    holos_close(v);
    return status;
}

static const char *const kinds[] = {"match", NULL};

static const cli_example examples[] = {
    {"match alphabeta:depth=3 random --games 10", "an engine that looks three plies ahead against chance"},
    {0},
};

const cli_verb verb_match = {
    .name = "match",
    .operands = "[GAME[:VARIANT]] A B",
    .summary = "let two players play each other, and rate them",
    .description =
        "Plays games between A and B and says how much stronger A is, in Elo, with its error. Each opening "
        "is "
        "played twice, once with each colour. Without a game it is the one that programs usually play by "
        "GTP.\n\n"
        "A player is random; an engine of holos, perhaps with options (alphabeta:depth=4, "
        "alphabeta:nodes=1M, "
        "alphabeta:time=1s, zeno:network=mine.net); or another program that speaks GTP (gtp:COMMAND). Two "
        "games run at once on two "
        "threads; the result is the same for any number, unless a player depends on the time.\n\n"
        "With --sprt the match ends as soon as it is decided. --resume continues a match that was stopped.",
    .operands_min = 2,
    .operands_max = 3,
    .complete = game_word,
    .shared = SHARED_TIME | SHARED_THREADS | SHARED_SEED | SHARED_JSON | SHARED_PROGRESS | SHARED_CONFIG |
              SHARED_LOG,
    .options = options,
    .uses = USE(JOB),
    .purposes = kinds,
    .settings_size = sizeof(match_settings),
    .examples = examples,
    .answers_once = true,
    .run = run,
};
