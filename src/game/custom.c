/* SPDX-License-Identifier: MIT */

/* Games that a program brings along (holos/custom.h), behind the contract of games: a thin, distrustful layer. It checks what the
 * functions of the game say as far as memory depends on it, and remembers the first failure. After that every position looks
 * like a finished game, so that whatever engine is at work comes to its end; its answer is thrown away (game_failed). */

#include "core/hash.h"
#include "game/game.h"

#include <stdatomic.h>
#include <stdlib.h>

#define TRAITS (HOLOS_TRAIT_SOLITAIRE | HOLOS_TRAIT_CYCLIC | HOLOS_TRAIT_SAME_SIDE)

/* What a variant has as its rules. */
typedef struct custom {
    holos_custom c;
    holos_game game;
    holos_back back;
    holos_index index;
    uint64_t *tier_sizes;
    atomic_bool claimed, failed; /* by the thread that writes `error`; and it is written */
    holos_error error;
} custom;

static custom *custom_of(const holos_variant *v)
{
    return v->rules;
}

/* ---- Failures ---------------------------------------------------------------------------------- */

static bool has_failed(const custom *g)
{
    return atomic_load_explicit(&g->failed, memory_order_acquire);
}

/* Notes why the game cannot be trusted any more. Returns false. */
static bool fail(custom *g, holos_status status, const holos_error *err)
{
    if (!atomic_exchange(&g->claimed, true)) {
        g->error = *err;
        if (err->message[0] == 0)
            error_set(&g->error, status, HOLOS_NOWHERE, "the rules of %s failed", g->c.name);
        g->error.code = status;
        atomic_store_explicit(&g->failed, true, memory_order_release);
    }
    return false;
}

static bool fail_because(custom *g, const char *reason)
{
    holos_error err = {0};
    error_set(&err, HOLOS_USAGE, HOLOS_NOWHERE, "%s: %s", g->c.name, reason);
    return fail(g, HOLOS_USAGE, &err);
}

/* What a function of the game returned, as a truth. */
static bool fine(custom *g, holos_status status, const holos_error *err)
{
    return status == HOLOS_OK || fail(g, status, err);
}

static holos_status custom_failed(const holos_variant *v, holos_error *err)
{
    const custom *g = custom_of(v);
    if (!has_failed(g))
        return HOLOS_OK;
    if (err != NULL)
        *err = g->error;
    return g->error.code;
}

/* ---- Positions --------------------------------------------------------------------------------- */

static void custom_start(const holos_variant *v, holos_position *out)
{
    custom *g = custom_of(v);
    holos_error err = {0};
    memset(out, 0, v->position_size);
    fine(g, g->c.start(g->c.context, out, &err), &err);
}

static bool custom_terminal(const holos_variant *v, const holos_position *p, int32_t *score)
{
    custom *g = custom_of(v);
    holos_error err = {0};
    bool over = false;
    *score = v->score_min;
    if (has_failed(g) || !fine(g, g->c.terminal(g->c.context, p, &over, score, &err), &err))
        return true;
    if (over && (*score < v->score_min || *score > v->score_max)) {
        *score = v->score_min;
        fail_because(g, "a score lies outside of the range of scores");
    }
    return over;
}

static unsigned custom_side(const holos_variant *v, const holos_position *p)
{
    custom *g = custom_of(v);
    holos_error err = {0};
    unsigned side = 0;
    if (has_failed(g) || !fine(g, g->c.side(g->c.context, p, &side, &err), &err))
        return 0;
    if (side > 1)
        fail_because(g, "the side to move is 0 or 1");
    return side & 1;
}

/* 16 bytes are a key themselves, and can be undone; more are hashed. */
static holos_key bytes_key(const holos_variant *v, const void *bytes)
{
    holos_key key;
    if (v->position_size > sizeof key)
        return hash_bytes(bytes, v->position_size);
    memcpy(&key, bytes, sizeof key);
    return key;
}

static void bytes_from_key(const holos_variant *v, holos_key key, holos_position *out)
{
    (void)v;
    memcpy(out, &key, sizeof key);
}

static holos_key custom_identity(const holos_variant *v, const holos_position *p)
{
    return bytes_key(v, p);
}

static holos_key custom_key(const holos_variant *v, const holos_position *p)
{
    custom *g = custom_of(v);
    _Alignas(16) unsigned char image[HOLOS_CUSTOM_POSITION_MOST];
    holos_error err = {0};
    if (g->c.canonical == NULL || has_failed(g))
        return bytes_key(v, p);
    memcpy(image, p, v->position_size);
    if (!fine(g, g->c.canonical(g->c.context, p, image, &err), &err))
        return bytes_key(v, p);
    return bytes_key(v, image);
}

/* ---- Moves ------------------------------------------------------------------------------------- */

/* Room for the moves of a position and the positions they lead to. */
typedef struct fan {
    holos_custom_move *moves;
    unsigned char *positions;
    uint32_t count;
} fan;

static void fan_free(fan *f)
{
    free(f->moves);
    free(f->positions);
}

static bool fan_make(custom *g, const holos_variant *v, fan *f)
{
    *f = (fan){.moves = calloc(v->max_successors, sizeof *f->moves),
               .positions = aligned_alloc(16, v->max_successors * v->position_size)};
    if (f->moves != NULL && f->positions != NULL) {
        memset(f->positions, 0, v->max_successors * v->position_size);
        return true;
    }
    fan_free(f);
    holos_error err = {0};
    error_set(&err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for the moves of %s", g->c.name);
    return fail(g, HOLOS_NO_MEMORY, &err);
}

static bool moves_check(custom *g, const holos_variant *v, const fan *f)
{
    if (f->count == 0)
        return fail_because(g, "a position has no moves, but the game is not over there");
    if (f->count > v->max_successors)
        return fail_because(g, "a position has more moves than most_moves");
    bool solitaire = (g->c.traits & HOLOS_TRAIT_SOLITAIRE) != 0;
    for (uint32_t i = 0; i < f->count; i++) {
        f->moves[i].same_side |= solitaire;
        if (f->moves[i].same_side && !solitaire && (g->c.traits & HOLOS_TRAIT_SAME_SIDE) == 0)
            return fail_because(g, "a move keeps the side to move, which the traits do not announce");
    }
    return true;
}

static bool custom_rank(const holos_variant *v, const holos_position *p, holos_place *out);

/* A table has room only for what lies where the game says that it does. */
static bool tiers_check(custom *g, const holos_variant *v, const holos_position *p, const fan *f)
{
    holos_place from, to;
    if (g->c.rank == NULL)
        return true;
    custom_rank(v, p, &from);
    for (uint32_t i = 0; i < f->count && !has_failed(g); i++) {
        custom_rank(v, (const holos_position *)(f->positions + i * v->position_size), &to);
        if (to.tier > from.tier)
            return fail_because(g, "a move leads to a higher tier");
    }
    return !has_failed(g);
}

/* The moves of a position; none where the game is over, and after a failure. The caller frees them if it is true. */
static bool fan_open(const holos_variant *v, const holos_position *p, fan *f)
{
    custom *g = custom_of(v);
    holos_error err = {0};
    int32_t score;
    if (custom_terminal(v, p, &score) || !fan_make(g, v, f))
        return false;
    if (fine(g, g->c.moves(g->c.context, p, f->moves, f->positions, &f->count, &err), &err) &&
        moves_check(g, v, f) && tiers_check(g, v, p, f))
        return true;
    fan_free(f);
    return false;
}

static holos_edge edge_of(const holos_custom_move *m)
{
    return (holos_edge){.move = m->move,
                        .order = m->order,
                        .flags = (uint8_t)((m->same_side ? HOLOS_EDGE_SAME_SIDE : 0) |
                                           (m->forcing ? HOLOS_EDGE_FORCING : 0))};
}

static uint32_t custom_expand(const holos_variant *v, const holos_position *p, holos_edges out)
{
    fan f;
    if (!fan_open(v, p, &f))
        return 0;
    for (uint32_t i = 0; i < f.count; i++)
        edges_put(v, out, i, edge_of(&f.moves[i]),
                  (const holos_position *)(f.positions + i * v->position_size));
    fan_free(&f);
    return f.count;
}

static holos_edge custom_play(const holos_variant *v, const holos_position *p, holos_move move,
                              holos_position *out)
{
    fan f;
    holos_edge edge = {.move = move};
    bool open = fan_open(v, p, &f);
    memmove(out, p, v->position_size); /* after a failure, nothing moves */
    if (!open)
        return edge;
    for (uint32_t i = 0; i < f.count; i++)
        if (f.moves[i].move == move) {
            edge = edge_of(&f.moves[i]);
            memcpy(out, f.positions + i * v->position_size, v->position_size);
            break;
        }
    fan_free(&f);
    return edge;
}

/* Adds the edges by which `before` leads to p; returns how many there are now. */
static uint32_t unmoves_add(const holos_variant *v, const holos_position *before, const holos_position *p,
                            holos_edges out, uint32_t count)
{
    custom *g = custom_of(v);
    fan f = {0};
    uint32_t first = count;
    if (!fan_open(v, before, &f))
        f = (fan){0}; /* the game is over there, or it failed */
    for (uint32_t i = 0; i < f.count; i++) {
        if (memcmp(f.positions + i * v->position_size, p, v->position_size) != 0)
            continue;
        if (count >= v->max_predecessors) {
            fail_because(g, "more moves lead to a position than most_unmoves");
            break;
        }
        edges_put(v, out, count++, edge_of(&f.moves[i]), before);
    }
    fan_free(&f);
    if (count == first)
        fail_because(g, "no move leads from what unmoves gives to the position that it was asked about");
    return count;
}

static uint32_t custom_predecessors(const holos_variant *v, const holos_position *p, holos_edges out)
{
    custom *g = custom_of(v);
    holos_error err = {0};
    uint32_t given = 0, count = 0;
    if (has_failed(g))
        return 0;
    unsigned char *positions = aligned_alloc(16, v->max_predecessors * v->position_size);
    if (positions == NULL) {
        fail_because(g, "no memory for the moves back");
        return 0;
    }
    memset(positions, 0, v->max_predecessors * v->position_size);
    if (fine(g, g->c.unmoves(g->c.context, p, positions, &given, &err), &err) && given > v->max_predecessors)
        fail_because(g, "a position has more unmoves than most_unmoves");
    for (uint32_t i = 0; i < given && !has_failed(g); i++)
        count = unmoves_add(v, (const holos_position *)(positions + i * v->position_size), p, out, count);
    free(positions);
    return has_failed(g) ? 0 : count;
}

/* ---- Texts ------------------------------------------------------------------------------------- */

static holos_status custom_parse(const holos_variant *v, const char *string, holos_position *out,
                                 holos_error *err)
{
    const custom *g = custom_of(v);
    holos_error own = {0};
    if (g->c.parse == NULL)
        return error_set(err, HOLOS_BAD_POSITION, 0, "%s reads no positions but \"start\"", g->c.name);
    memset(out, 0, v->position_size);
    holos_status status = g->c.parse(g->c.context, string, out, &own);
    if (status != HOLOS_OK)
        return error_set(err, status, own.message[0] != 0 ? own.at : HOLOS_NOWHERE, "%s",
                         own.message[0] != 0 ? own.message : "this is not a position");
    return HOLOS_OK;
}

static void hex_write(const holos_variant *v, const holos_position *p, text *out)
{
    for (size_t i = 0; i < v->position_size; i++)
        text_printf(out, "%02x", ((const unsigned char *)p)[i]);
}

static void custom_format(const holos_variant *v, const holos_position *p, text *out)
{
    custom *g = custom_of(v);
    char buffer[HOLOS_CUSTOM_TEXT] = "";
    holos_error err = {0};
    if (g->c.format == NULL)
        hex_write(v, p, out);
    else if (!has_failed(g) && fine(g, g->c.format(g->c.context, p, buffer, sizeof buffer - 1, &err), &err))
        text_string(out, buffer);
}

static void custom_format_move(const holos_variant *v, const holos_position *p, holos_move move, text *out)
{
    custom *g = custom_of(v);
    char buffer[HOLOS_CUSTOM_MOVE_TEXT] = "";
    holos_error err = {0};
    if (g->c.format_move == NULL)
        text_uint(out, move);
    else if (!has_failed(g) &&
             fine(g, g->c.format_move(g->c.context, p, move, buffer, sizeof buffer - 1, &err), &err))
        text_string(out, buffer);
}

static void custom_draw(const holos_variant *v, const holos_position *p, text *out)
{
    custom *g = custom_of(v);
    char buffer[HOLOS_CUSTOM_TEXT] = "";
    holos_error err = {0};
    if (g->c.draw == NULL)
        custom_format(v, p, out);
    else if (!has_failed(g) && fine(g, g->c.draw(g->c.context, p, buffer, sizeof buffer - 1, &err), &err))
        text_string(out, buffer);
    if (out->length == 0 || g->c.draw == NULL)
        text_char(out, '\n');
}

/* ---- Numbers ----------------------------------------------------------------------------------- */

static void custom_family(const holos_variant *v, text *out)
{
    text_string(out, v->name);
}

static uint32_t custom_tiers(const holos_variant *v)
{
    return custom_of(v)->c.tiers;
}

static uint32_t custom_parts(const holos_variant *v, uint32_t tier)
{
    (void)v;
    (void)tier;
    return 1;
}

static uint64_t custom_size(const holos_variant *v, uint32_t tier, uint32_t part)
{
    (void)part;
    return custom_of(v)->tier_sizes[tier];
}

static bool custom_rank(const holos_variant *v, const holos_position *p, holos_place *out)
{
    custom *g = custom_of(v);
    holos_error err = {0};
    *out = (holos_place){0}; /* a place that there always is */
    if (has_failed(g))
        return true;
    holos_place place = {0};
    if (!fine(g, g->c.rank(g->c.context, p, &place.tier, &place.index, &err), &err))
        return true;
    if (place.tier >= g->c.tiers || place.index >= g->tier_sizes[place.tier])
        fail_because(g, "the number of a position lies outside of its tier");
    else
        *out = place;
    return true;
}

static void custom_unrank(const holos_variant *v, holos_place place, holos_position *out)
{
    custom *g = custom_of(v);
    holos_error err = {0};
    memset(out, 0, v->position_size);
    if (has_failed(g) || !fine(g, g->c.unrank(g->c.context, place.tier, place.index, out, &err), &err))
        return;
    holos_place again;
    custom_rank(v, out, &again);
    if (!has_failed(g) && (again.tier != place.tier || again.index != place.index))
        fail_because(g, "rank and unrank do not undo each other");
}

/* ---- Opening ----------------------------------------------------------------------------------- */

static bool name_is_plain(const char *name)
{
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789");
    return length > 0 && length < 32 && name[length] == 0 && holos_game_find(name, length) == NULL;
}

static const char *numbers_wrong(const holos_custom *c)
{
    bool some = c->tiers != 0 || c->tier_sizes != NULL || c->rank != NULL || c->unrank != NULL;
    if (!some)
        return NULL;
    if (c->tiers == 0 || c->tier_sizes == NULL || c->rank == NULL || c->unrank == NULL)
        return "numbers need tiers, tier_sizes, rank and unrank";
    if (c->tiers > HOLOS_CUSTOM_TIERS_MOST)
        return "there are too many tiers";
    if (c->score_min < -127 || c->score_max > 127)
        return "scores of positions that are numbered lie in [-127, 127]";
    for (uint32_t i = 0; i < c->tiers; i++)
        if (c->tier_sizes[i] == 0)
            return "a tier has at least one position";
    return NULL;
}

/* What is wrong with a description, or NULL. */
static const char *description_wrong(const holos_custom *c)
{
    if (c->name == NULL || !name_is_plain(c->name))
        return "a game needs a name of lower case letters and digits that no built-in game has";
    if (c->variant != NULL && (c->variant[0] == 0 || strlen(c->variant) > 30))
        return "a variant has 1 to 30 characters";
    if (c->position_size == 0 || c->position_size % 16 != 0 || c->position_size > HOLOS_CUSTOM_POSITION_MOST)
        return "position_size is a multiple of 16, up to 4096";
    if (c->most_moves == 0 || c->most_moves > HOLOS_CUSTOM_MOVES_MOST ||
        c->most_unmoves > HOLOS_CUSTOM_MOVES_MOST)
        return "most_moves is 1 to 65536, most_unmoves up to 65536";
    if (c->score_min > c->score_max || c->score_min < -1000000 || c->score_max > 1000000)
        return "score_min and score_max are a range within a million";
    if ((c->traits & ~(uint32_t)TRAITS) != 0)
        return "the traits may be solitaire, cyclic and same-side";
    if (c->moves == NULL || c->terminal == NULL || c->side == NULL)
        return "moves, terminal and side are required";
    if ((c->unmoves != NULL) != (c->most_unmoves > 0))
        return "unmoves and most_unmoves come together";
    return numbers_wrong(c);
}

static const char *const no_examples[] = {NULL};

static const char *or_empty(const char *s)
{
    return s != NULL ? s : "";
}

static void game_fill(custom *g)
{
    const holos_custom *c = &g->c;
    bool undone = c->position_size == sizeof(holos_key);
    g->back = (holos_back){.predecessors = custom_predecessors};
    g->index = (holos_index){.tier_unit = "tiers",
                             .family = custom_family,
                             .tiers = custom_tiers,
                             .parts = custom_parts,
                             .size = custom_size,
                             .rank = custom_rank,
                             .unrank = custom_unrank};
    g->game = (holos_game){.name = c->name,
                           .title = c->title != NULL ? c->title : c->name,
                           .summary = or_empty(c->summary),
                           .variant_help = "",
                           .position_help = or_empty(c->position_help),
                           .score_help = or_empty(c->score_help),
                           .examples = no_examples,
                           .variants = no_examples,
                           .traits = c->traits,
                           .start = c->start != NULL ? custom_start : NULL,
                           .expand = custom_expand,
                           .play = custom_play,
                           .terminal = custom_terminal,
                           .side = custom_side,
                           .failed = custom_failed,
                           .key = custom_key,
                           .identity = custom_identity,
                           .from_identity = undone ? bytes_from_key : NULL,
                           .from_key = undone ? bytes_from_key : NULL,
                           .parse = custom_parse,
                           .format = custom_format,
                           .parse_move = game_parse_move,
                           .format_move = custom_format_move,
                           .draw = custom_draw,
                           .back = c->unmoves != NULL ? &g->back : NULL,
                           .index = c->rank != NULL ? &g->index : NULL};
}

static void custom_free(custom *g)
{
    if (g != NULL)
        free(g->tier_sizes);
    free(g);
}

static void custom_close(holos_variant *v)
{
    custom *g = custom_of(v);
    if (g->c.close != NULL)
        g->c.close(g->c.context);
    custom_free(g);
}

holos_status holos_custom_open(const holos_custom *game, holos_variant **out, holos_error *err)
{
    if (game == NULL || out == NULL)
        return error_null(err, __func__);
    *out = NULL;
    const char *wrong = description_wrong(game);
    if (wrong != NULL)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s", wrong);
    holos_variant *v = calloc(1, sizeof *v);
    custom *g = calloc(1, sizeof *g);
    if (g != NULL)
        g->tier_sizes = calloc((size_t)game->tiers + 1, sizeof *g->tier_sizes);
    if (v == NULL || g == NULL || g->tier_sizes == NULL) {
        free(v);
        custom_free(g);
        return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "out of memory");
    }
    g->c = *game;
    if (game->tiers > 0)
        memcpy(g->tier_sizes, game->tier_sizes, game->tiers * sizeof *g->tier_sizes);
    g->c.tier_sizes = g->tier_sizes;
    game_fill(g);
    g->game.close = custom_close;
    *v = (holos_variant){.game = &g->game,
                         .position_size = game->position_size,
                         .max_successors = game->most_moves,
                         .max_predecessors = game->most_unmoves,
                         .score_min = game->score_min,
                         .score_max = game->score_max,
                         .rules = g};
    text name;
    text_init_fixed(&name, v->name, sizeof v->name);
    text_printf(&name, "%s%s%s", game->name, game->variant != NULL ? ":" : "", or_empty(game->variant));
    *out = v;
    return HOLOS_OK;
}

holos_status holos_custom_failure(const holos_variant *v, holos_error *err)
{
    return v != NULL ? game_failed(v, err) : error_null(err, __func__);
}
