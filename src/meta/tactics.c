/* SPDX-License-Identifier: MIT */

#include "meta/tactics.h"

#include "engine/wave/wave.h"

#include <stdio.h>
#include <stdlib.h>

#define NODES      20000
#define SCORE_MOST 32000

static const holos_wave_mode modes[] = {HOLOS_WAVE_LIGHTNING, HOLOS_WAVE_WAVE, HOLOS_WAVE_CRYSTAL,
                                        HOLOS_WAVE_OSMOSIS};
static const char *const direction_names[] = {"forward", "backward", "both"};

const char *holos_tactic_direction_name(holos_tactic_direction direction)
{
    return (unsigned)direction <= HOLOS_TACTIC_BOTH ? direction_names[direction] : "";
}

/* ---- The game ---------------------------------------------------------------------------------- */

typedef struct tactic_board {
    uint8_t depth, mode, direction; /* each from 0 */
    uint8_t taken;
    uint8_t unused[12];
} tactic_board;

enum { TAKE, DEEPER, NEXT_MODE, NEXT_DIRECTION };
static const char *const move_names[] = {"take", "deeper", "mode", "direction"};

static const tactic_board *board_of(const holos_position *p)
{
    return (const tactic_board *)p;
}

static tactics *tactics_of(const holos_variant *v)
{
    return v->rules;
}

static holos_key board_key(const holos_variant *v, const holos_position *p)
{
    const tactic_board *b = board_of(p);
    (void)v;
    return (holos_key){.lo = (uint64_t)b->depth | (uint64_t)b->mode << 8 | (uint64_t)b->direction << 16 |
                             (uint64_t)b->taken << 24};
}

static void board_from_key(const holos_variant *v, holos_key key, holos_position *out)
{
    (void)v;
    *(tactic_board *)out = (tactic_board){.depth = (uint8_t)key.lo,
                                          .mode = (uint8_t)(key.lo >> 8),
                                          .direction = (uint8_t)(key.lo >> 16),
                                          .taken = (uint8_t)(key.lo >> 24)};
}

static void tactic_start(const holos_variant *v, holos_position *out)
{
    (void)v;
    *(tactic_board *)out = (tactic_board){0};
}

/* Plays a move, forward or back; false: there is no such move. */
static bool board_move(tactic_board *b, unsigned move, int step)
{
    uint8_t *const members[] = {&b->taken, &b->depth, &b->mode, &b->direction};
    static const int most[] = {1, HOLOS_TACTIC_DEPTH - 1, 3, 2};
    int value = *members[move] + step;
    if ((b->taken != 0) != (move == TAKE && step < 0) && b->taken != 0)
        return false;
    if (value < 0 || value > most[move])
        return false;
    *members[move] = (uint8_t)value;
    return true;
}

static uint32_t neighbours(const holos_variant *v, const holos_position *p, int step, holos_edges out)
{
    uint32_t count = 0;
    for (unsigned move = TAKE; move <= NEXT_DIRECTION; move++) {
        tactic_board b = *board_of(p);
        if (board_move(&b, move, step))
            edges_put(v, out, count++, (holos_edge){.move = move, .flags = HOLOS_EDGE_SAME_SIDE},
                      (const holos_position *)(const void *)&b);
    }
    return count;
}

static uint32_t tactic_expand(const holos_variant *v, const holos_position *p, holos_edges out)
{
    return neighbours(v, p, 1, out);
}

static uint32_t tactic_predecessors(const holos_variant *v, const holos_position *p, holos_edges out)
{
    return neighbours(v, p, -1, out);
}

static holos_edge tactic_play(const holos_variant *v, const holos_position *p, holos_move move,
                              holos_position *out)
{
    tactic_board b = *board_of(p);
    (void)v;
    (void)board_move(&b, move, 1);
    *(tactic_board *)out = b;
    return (holos_edge){.move = move, .flags = HOLOS_EDGE_SAME_SIDE};
}

static holos_tactic tactic_of(const tactic_board *b)
{
    return (holos_tactic){
        .depth = b->depth + 1u, .mode = modes[b->mode], .direction = (holos_tactic_direction)b->direction};
}

static bool tactic_terminal(const holos_variant *v, const holos_position *p, int32_t *score)
{
    tactics *t = tactics_of(v);
    if (board_of(p)->taken == 0)
        return false;
    holos_tactic tactic = tactic_of(board_of(p));
    *score = 0;
    if (t->status == HOLOS_OK)
        t->status = tactics_measure(t, &tactic, &t->error);
    double efficiency = TACTICS_SCALE * holos_measure_efficiency(&tactic.measure);
    *score = efficiency < SCORE_MOST ? (int32_t)efficiency : SCORE_MOST;
    return true;
}

static unsigned tactic_side(const holos_variant *v, const holos_position *p)
{
    (void)v;
    (void)p;
    return 0;
}

static void tactic_format(const holos_variant *v, const holos_position *p, text *out)
{
    holos_tactic t = tactic_of(board_of(p));
    (void)v;
    text_printf(out, "%u %s %s%s", t.depth, holos_wave_mode_name(t.mode), direction_names[t.direction],
                board_of(p)->taken != 0 ? " taken" : "");
}

/* There are few tactics: the one that is written like this. */
static holos_status tactic_parse(const holos_variant *v, const char *string, holos_position *out,
                                 holos_error *err)
{
    for (unsigned i = 0; i < HOLOS_TACTIC_DEPTH * 4 * 3 * 2; i++) {
        tactic_board b = {
            .depth = (uint8_t)(i / 24), .mode = i / 6 % 4, .direction = i / 2 % 3, .taken = i % 2};
        char words[64];
        text t;
        text_init_fixed(&t, words, sizeof words);
        tactic_format(v, (const holos_position *)(const void *)&b, &t);
        if (strcmp(words, string) == 0) {
            *(tactic_board *)out = b;
            return HOLOS_OK;
        }
    }
    return error_set(err, HOLOS_BAD_POSITION, 0, "expected a tactic, such as \"3 wave forward\"");
}

static void tactic_format_move(const holos_variant *v, const holos_position *p, holos_move move, text *out)
{
    (void)v;
    (void)p;
    text_string(out, move_names[move]);
}

static void tactic_draw(const holos_variant *v, const holos_position *p, text *out)
{
    tactic_format(v, p, out);
    text_char(out, '\n');
}

static const holos_back tactic_back = {.predecessors = tactic_predecessors};

static const holos_game tactic_game = {
    .name = "tactics",
    .title = "Tactics",
    .summary = "How far, in which mode and direction a wave sets out from a position.",
    .variant_help = "Made for a position of another game.",
    .position_help = "A depth, a mode and a direction: 3 wave forward.",
    .score_help = "Positions covered for each hundred expanded.",
    .traits = HOLOS_TRAIT_SOLITAIRE | HOLOS_TRAIT_SAME_SIDE,
    .start = tactic_start,
    .expand = tactic_expand,
    .play = tactic_play,
    .terminal = tactic_terminal,
    .side = tactic_side,
    .key = board_key,
    .identity = board_key,
    .from_key = board_from_key,
    .from_identity = board_from_key,
    .parse = tactic_parse,
    .format = tactic_format,
    .parse_move = game_parse_move,
    .format_move = tactic_format_move,
    .draw = tactic_draw,
    .back = &tactic_back,
};

/* ---- Measuring --------------------------------------------------------------------------------- */

void tactics_init(tactics *t, const cover_task *place)
{
    *t = (tactics){.game = {.game = &tactic_game,
                            .position_size = sizeof(tactic_board),
                            .max_successors = 4,
                            .max_predecessors = 4,
                            .score_min = 0,
                            .score_max = SCORE_MOST,
                            .key_bits = 32},
                   .task = *place};
    t->game.rules = t;
    snprintf(t->game.name, sizeof t->game.name, "tactics");
}

static unsigned mode_index(holos_wave_mode mode)
{
    unsigned i = 0;
    while (i < 3 && modes[i] != mode)
        i++;
    return i;
}

holos_status tactics_measure(tactics *t, holos_tactic *tactic, holos_error *err)
{
    unsigned depth = tactic->depth - 1, mode = mode_index(tactic->mode), direction = tactic->direction;
    if (!t->cache[depth][mode][direction].done) {
        cover_task task = t->task;
        cover c;
        task.depth = tactic->depth;
        task.mode = tactic->mode;
        task.direction = tactic->direction;
        holos_status status = cover_measure(&task, &c, err);
        t->cache[depth][mode][direction].measure = c.measure;
        t->cache[depth][mode][direction].done = status == HOLOS_OK;
        cover_free(&c);
        if (status != HOLOS_OK)
            return status;
        t->measured++;
    }
    tactic->measure = t->cache[depth][mode][direction].measure;
    return HOLOS_OK;
}

/* Follows moves that keep the value, from the start to the tactic that is taken. */
static holos_status best_follow(tactics *t, const holos_wave *w, holos_tactic *out, holos_error *err)
{
    tactic_board here = {0};
    const holos_position *p = (const holos_position *)(const void *)&here;
    holos_value value = holos_wave_query(w, p);
    for (unsigned steps = 0; here.taken == 0 && steps < 64; steps++) {
        bool found = false;
        for (unsigned move = TAKE; move <= NEXT_DIRECTION && !found; move++) {
            tactic_board next = here;
            if (!board_move(&next, move, 1))
                continue;
            holos_value child = holos_wave_query(w, (const holos_position *)(const void *)&next);
            found = holos_value_is_solved(child) && child.lo == value.lo;
            if (found)
                here = next;
        }
        if (!found)
            return error_set(err, HOLOS_LIMIT, HOLOS_NOWHERE, "the best tactic was not found");
    }
    *out = tactic_of(&here);
    return tactics_measure(t, out, err);
}

holos_status tactics_best(tactics *t, holos_tactic *out, holos_error *err)
{
    holos_wave *w;
    tactic_board start = {0};
    holos_wave_options o = {.no_classes = true, .boundary_seeds = 1, .limits = {.stop = t->task.stop}};
    holos_status status = holos_wave_open(&t->game, &o, &w, err);
    if (status != HOLOS_OK)
        return status;
    holos_wave_seed seed = {.position = (const holos_position *)(const void *)&start};
    status = holos_wave_add(w, &seed, err);
    if (status == HOLOS_OK)
        status = holos_wave_run(w, HOLOS_WAVE_WAVE, err);
    if (status == HOLOS_OK && t->status != HOLOS_OK) {
        if (err != NULL)
            *err = t->error;
        status = t->status;
    }
    if (status == HOLOS_OK)
        status = best_follow(t, w, out, err);
    holos_wave_close(w);
    return status;
}

/* ---- In public --------------------------------------------------------------------------------- */

static cover_task task_of(const holos_variant *v, const holos_position *p, const holos_meta_options *o)
{
    static const holos_meta_options none;
    o = o != NULL ? o : &none;
    return (cover_task){.v = v,
                        .position = p,
                        .nodes = o->limits.nodes > 0 ? o->limits.nodes : NODES,
                        .memory = o->limits.memory,
                        .boundary = o->boundary,
                        .stop = o->limits.stop};
}

holos_status holos_tactic_measure(const holos_variant *v, const holos_position *position,
                                  const holos_meta_options *options, holos_tactic *tactic, holos_error *err)
{
    if (v == NULL || position == NULL || tactic == NULL)
        return error_null(err, __func__);
    if (tactic->depth < 1 || tactic->depth > HOLOS_TACTIC_DEPTH || tactic->direction > HOLOS_TACTIC_BOTH ||
        tactic->mode < HOLOS_WAVE_LIGHTNING || tactic->mode > HOLOS_WAVE_OSMOSIS)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "a tactic has a depth from 1 to %d, a mode other than auto, and a direction",
                         HOLOS_TACTIC_DEPTH);
    cover_task place = task_of(v, position, options);
    tactics *t = malloc(sizeof *t);
    if (t == NULL)
        return error_system(err, "tactics");
    tactics_init(t, &place);
    holos_status status = tactics_measure(t, tactic, err);
    free(t);
    return status;
}

holos_status holos_seed_optimize(const holos_variant *v, const holos_position *position,
                                 const holos_meta_options *options, holos_tactic *out, unsigned *measured,
                                 holos_error *err)
{
    if (v == NULL || position == NULL || out == NULL)
        return error_null(err, __func__);
    cover_task place = task_of(v, position, options);
    tactics *t = malloc(sizeof *t);
    if (t == NULL)
        return error_system(err, "tactics");
    tactics_init(t, &place);
    holos_status status = tactics_best(t, out, err);
    if (measured != NULL)
        *measured = t->measured;
    free(t);
    return status;
}
