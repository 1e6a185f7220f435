/* SPDX-License-Identifier: MIT */

/* How waves should set out: the best tactic for a position, or the few seeds of many that cover most. */

#include "cli/interrupt.h"
#include "cli/known.h"
#include "cli/seeds.h"
#include "core/json.h"

#include <stdlib.h>
#include <string.h>

typedef struct optimize_settings {
    const char *known, *seeds;
    int64_t count;
    uint64_t budget;
} optimize_settings;

static const holos_option options[] = {
    {OPTION(FILE, optimize_settings, seeds), .name = "seeds", .value = "FILE|-",
     .help = "take these, too, one a line: POSITION, or POSITION DEPTH MODE DIRECTION"},
    {OPTION(STRING, optimize_settings, known), .name = "known", .value = "URL",
     .help = "a store or hologram whose values are part of the boundary"},
    {OPTION(INT, optimize_settings, count), .name = "count", .value = "N", .fallback = "20", .min = 1,
     .max = HOLOS_STRATEGY_MOST, .help = "seeds: how many to choose, at most"},
    {OPTION(COUNT, optimize_settings, budget), .name = "budget", .value = "N", .fallback = "0",
     .help = "seeds: positions that all of them may expand together; 0 means no limit"},
    {0},
};

typedef struct optimization {
    cli *c;
    const holos_variant *v;
    holos_meta_options o;
    holos_wave_seed *seeds; /* with positions of their own */
    size_t count;
} optimization;

/* ---- One seed ---------------------------------------------------------------------------------- */

static void measure_json(json *j, const holos_measure *m)
{
    json_put_uint(j, "forward", m->forward);
    json_put_uint(j, "backward", m->backward);
    json_put_uint(j, "cost", m->cost);
    json_put_double(j, "efficiency", holos_measure_efficiency(m));
    json_put_bool(j, "cut", m->cut);
}

/* A seed goes forward or backward; a tactic that does both is two. */
static void tactic_print(const optimization *z, const holos_wave_seed *from, const holos_tactic *best,
                         unsigned measured)
{
    text *t = &z->c->out->text;
    holos_wave_seed seed = {.position = from->position, .depth = best->depth, .mode = best->mode};
    if (z->c->shared.json) {
        text position;
        text_init(&position);
        text_take(&position, holos_format, z->v, from->position);
        json j = json_begin(t);
        json_open(&j, NULL, '{');
        json_put_string(&j, "game", holos_variant_name(z->v));
        json_put_string(&j, "position", position.data);
        json_put_uint(&j, "depth", best->depth);
        json_put_string(&j, "mode", holos_wave_mode_name(best->mode));
        json_put_string(&j, "direction", holos_tactic_direction_name(best->direction));
        measure_json(&j, &best->measure);
        json_put_uint(&j, "measured", measured);
        json_close(&j);
        text_char(t, '\n');
        text_free(&position);
        return;
    }
    for (int way = 0; way < 2; way++) {
        seed.direction = way == 0 ? HOLOS_WAVE_FORWARD : HOLOS_WAVE_BACKWARD;
        if (best->direction != HOLOS_TACTIC_BOTH && (int)best->direction != way)
            continue;
        text_take(t, holos_seed_format, z->v, &seed);
        text_char(t, '\n');
    }
}

static cli_status optimize_seed(optimization *z)
{
    holos_error err;
    for (size_t i = 0; i < z->count; i++) {
        holos_tactic best;
        unsigned measured;
        if (holos_seed_optimize(z->v, z->seeds[i].position, &z->o, &best, &measured, &err) != HOLOS_OK)
            return cli_fail(&err);
        tactic_print(z, &z->seeds[i], &best, measured);
        log_write(&z->c->log, LOG_LEVEL_INFO,
                  "%llu positions forward and %llu back for %llu expanded, %.2f each; %u tactics",
                  (unsigned long long)best.measure.forward, (unsigned long long)best.measure.backward,
                  (unsigned long long)best.measure.cost, holos_measure_efficiency(&best.measure), measured);
    }
    return CLI_DONE;
}

/* ---- Several ----------------------------------------------------------------------------------- */

static void strategy_json(const optimization *z, const holos_strategy *s)
{
    holos_strategy_summary m;
    holos_strategy_step step;
    text line;
    text_init(&line);
    holos_strategy_summary_get(s, &m);
    json j = json_begin(&z->c->out->text);
    json_open(&j, NULL, '{');
    json_put_string(&j, "game", holos_variant_name(z->v));
    json_put_uint(&j, "universe", m.universe);
    json_put_uint(&j, "covered", m.greedy);
    json_put_uint(&j, "best_least", m.least);
    json_put_uint(&j, "best_most", m.most);
    json_put_double(&j, "overlap", m.overlap);
    json_put_uint(&j, "meeting", m.meeting);
    json_open(&j, "seeds", '[');
    for (size_t i = 0; holos_strategy_step_at(s, i, &step); i++) {
        text_clear(&line);
        text_take(&line, holos_seed_format, z->v, &z->seeds[step.seed]);
        json_open(&j, NULL, '{');
        json_put_string(&j, "seed", line.data);
        json_put_uint(&j, "covered", step.covered);
        json_put_uint(&j, "cost", step.cost);
        json_put_uint(&j, "bound", step.bound);
        json_close(&j);
    }
    json_close(&j);
    json_close(&j);
    text_char(&z->c->out->text, '\n');
    text_free(&line);
}

static cli_status optimize_seeds(optimization *z)
{
    holos_strategy *s;
    holos_strategy_summary m;
    holos_strategy_step step;
    holos_error err;
    if (holos_strategy_choose(z->v, z->seeds, z->count, &z->o, &s, &err) != HOLOS_OK)
        return cli_fail(&err);
    holos_strategy_summary_get(s, &m);
    if (z->c->shared.json)
        strategy_json(z, s);
    for (size_t i = 0; !z->c->shared.json && holos_strategy_step_at(s, i, &step); i++) {
        text_take(&z->c->out->text, holos_seed_format, z->v, &z->seeds[step.seed]);
        text_char(&z->c->out->text, '\n');
    }
    log_write(&z->c->log, LOG_LEVEL_INFO,
              "%zu seeds cover %llu of %llu positions; the best set covers from %llu to %llu", m.steps,
              (unsigned long long)m.greedy, (unsigned long long)m.universe, (unsigned long long)m.least,
              (unsigned long long)m.most);
    holos_strategy_close(s);
    return CLI_DONE;
}

/* ---- The verb ---------------------------------------------------------------------------------- */

static holos_status seeds_read(optimization *z, const seed_words *words, holos_error *err)
{
    static const char *const start[] = {"start"};
    const char *const *lines = words->count > 0 ? words->words : start;
    size_t count = words->count > 0 ? words->count : 1;
    z->seeds = calloc(count, sizeof *z->seeds);
    if (z->seeds == NULL)
        return error_system(err, "the seeds");
    for (size_t i = 0; i < count; i++) {
        holos_position *p = holos_position_new(z->v);
        if (p == NULL)
            return error_system(err, "a position");
        holos_status status = holos_seed_parse(z->v, lines[i], p, &z->seeds[z->count], err);
        z->seeds[z->count++].position = p;
        if (status != HOLOS_OK)
            return error_prefix(err, "%s: ", lines[i]);
    }
    return HOLOS_OK;
}

static cli_status optimize(cli *c, const holos_variant *v, const holos_boundary *known, bool several)
{
    const optimize_settings *s = c->settings;
    optimization z = {
        .c = c,
        .v = v,
        .o = {.limits = {.nodes = c->shared.nodes, .memory = c->shared.mem, .stop = interrupt_flag()},
              .boundary = known,
              .seeds = (unsigned)s->count,
              .budget = s->budget}};
    seed_words words;
    holos_error err;
    c->operands++; /* the game stands where seeds expect it */
    c->operand_count--;
    holos_status status = seed_words_read(&words, c, v, s->seeds, &err);
    c->operands--;
    c->operand_count++;
    if (status == HOLOS_OK)
        status = seeds_read(&z, &words, &err);
    cli_status exit = status == HOLOS_OK ? (several ? optimize_seeds : optimize_seed)(&z) : cli_fail(&err);
    for (size_t i = 0; i < z.count; i++)
        free((void *)(uintptr_t)z.seeds[i].position);
    free(z.seeds);
    seed_words_free(&words);
    return exit;
}

static const char *const what[] = {"seed", "seeds"};

static const char *what_word(size_t index)
{
    return index < 2 ? what[index] : NULL;
}

static cli_status run(cli *c)
{
    static const char *const of_seeds[] = {"count", "budget", NULL};
    const optimize_settings *s = c->settings;
    holos_variant *v;
    holos_knowledge *known;
    holos_error err;
    bool several = strcmp(c->operands[0], what[1]) == 0;
    if (!several && strcmp(c->operands[0], what[0]) != 0)
        return cli_usage("optimize \"%s\": expected seed or seeds", c->operands[0]);
    if (!several && cli_refuses(c, of_seeds, "optimize seed"))
        return CLI_USAGE;
    if (holos_open(c->operands[1], &v, &err) != HOLOS_OK)
        return cli_fail(&err);
    cli_status exit = known_open(s->known, false, v, 0, &known, &err) == HOLOS_OK
                          ? optimize(c, v, holos_knowledge_boundary(known), several)
                          : cli_fail(&err);
    holos_knowledge_close(known);
    holos_close(v);
    return exit;
}

const cli_verb verb_optimize = {
    .name = "optimize",
    .operands = "seed|seeds GAME[:VARIANT] [POSITION…]",
    .summary = "find out how waves should set out",
    .description =
        "seed: for each position, the depth, mode and direction that cover most positions for each one "
        "expanded, "
        "measured by really expanding; a wave searches the game of tactics for them. seeds: the few of these "
        "seeds "
        "that cover most together. Both print seeds, one a line, which 'holos explore --seeds -' reads.",
    .operands_min = 2,
    .operands_max = SIZE_MAX,
    .complete = what_word,
    .shared = SHARED_NODES | SHARED_MEM | SHARED_JSON | SHARED_CONFIG | SHARED_LOG,
    .options = options,
    .settings_size = sizeof(optimize_settings),
    .run = run,
};
