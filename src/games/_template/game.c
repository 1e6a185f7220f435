/* SPDX-License-Identifier: MIT */

/* Nim: the smallest complete game, and the one to copy when you add yours. README.md says how. The
 * comments here say what is expected of each function; src/game/game.h has the exact promises. */

#include "game/game.h"
#include "game/experiment.h"
#include "games/_template/rules.h"

#include <stdlib.h>
#include <string.h>

/* A variant's own data. It is made by `open`, does not change afterwards, and is freed by `close`. */
typedef struct nim_rules {
    unsigned heaps; /* how many there are */
    unsigned limit; /* the largest a heap may be, in any position */
    nim_board start;
} nim_rules;

static const nim_rules *rules_of(const holos_variant *v)
{
    return v->rules;
}

/* holos_position has no members: a game casts it to what its positions are. */
static const nim_board *board_of(const holos_position *p)
{
    return (const nim_board *)p;
}

static void board_save(holos_position *out, nim_board board)
{
    *(nim_board *)out = board;
}

/* A move is a number of the game's own choosing. Here: which heap, and how many counters. */
static holos_move move_make(unsigned heap, unsigned counters)
{
    return heap * 16 + counters;
}

static unsigned move_heap(holos_move move)
{
    return move / 16;
}

static unsigned move_counters(holos_move move)
{
    return move % 16;
}

/* ---- Reading ----------------------------------------------------------------------------------- */

/* Reads "3,4,5" and moves *s behind it. An error says what is wrong, where, and what would be right. */
static holos_status read_heaps(const char *string, const char **s, holos_status code, nim_board *board,
                               unsigned *heaps, holos_error *err)
{
    *heaps = 0;
    do {
        const char *first = *s += *heaps > 0; /* behind the comma */
        unsigned counters = 0;
        for (; **s >= '0' && **s <= '9' && counters <= NIM_MAX_HEAP; ++*s)
            counters = 10 * counters + (unsigned)(**s - '0');
        if (*s == first)
            return error_set(err, code, first - string, "expected a heap: heaps are written 3,4,5");
        if (counters > NIM_MAX_HEAP)
            return error_set(err, code, first - string, "a heap has at most %d counters", NIM_MAX_HEAP);
        if (*heaps == NIM_MAX_HEAPS)
            return error_set(err, code, first - string, "there are at most %d heaps", NIM_MAX_HEAPS);
        board->heaps[(*heaps)++] = (uint8_t)counters;
    } while (**s == ',');
    return HOLOS_OK;
}

/* `parse` is the border of trust: what it accepts must be safe for every other function, whatever the
 * text was. tests/fuzz holds it to that. */
static holos_status nim_parse(const holos_variant *v, const char *string, holos_position *out,
                              holos_error *err)
{
    const nim_rules *rules = rules_of(v);
    const char *s = string;
    nim_board board = {0};
    unsigned heaps;
    holos_status status = read_heaps(string, &s, HOLOS_BAD_POSITION, &board, &heaps, err);
    if (status != HOLOS_OK)
        return status;
    if (heaps != rules->heaps)
        return error_set(err, HOLOS_BAD_POSITION, s - string, "%u heaps, but %s has %u", heaps, v->name,
                         rules->heaps);
    for (unsigned i = 0; i < heaps; i++)
        if (board.heaps[i] > rules->limit)
            return error_set(err, HOLOS_BAD_POSITION, 0, "a heap of %u, but the largest of %s is %u",
                             board.heaps[i], v->name, rules->limit);
    if (strcmp(s, " 1") != 0 && strcmp(s, " 2") != 0)
        return error_set(err, HOLOS_BAD_POSITION, s - string,
                         "after the heaps, expected a space and who is to move: 1 or 2");
    board.side = s[1] == '2';
    board_save(out, board);
    return HOLOS_OK;
}

/* ---- Opening ----------------------------------------------------------------------------------- */

static holos_status nim_open(const char *variant, holos_variant *v, holos_error *err)
{
    const char *string = variant[0] != 0 ? variant : "3,4,5";
    const char *s = string;
    nim_rules rules = {0};
    holos_status status = read_heaps(string, &s, HOLOS_BAD_VARIANT, &rules.start, &rules.heaps, err);
    if (status != HOLOS_OK)
        return status;
    if (*s != 0)
        return error_set(err, HOLOS_BAD_VARIANT, s - string, "unexpected text after the heaps");
    for (unsigned i = 0; i < rules.heaps; i++)
        if (rules.limit < rules.start.heaps[i])
            rules.limit = rules.start.heaps[i];
    if (rules.limit == 0)
        return error_set(err, HOLOS_BAD_VARIANT, 0, "all heaps are empty: at least one needs counters");

    v->rules = malloc(sizeof rules);
    if (v->rules == NULL)
        return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "out of memory");
    memcpy(v->rules, &rules, sizeof rules);
    text name;
    text_init_fixed(&name, v->name, sizeof v->name);
    text_string(&name, "nim:");
    for (unsigned i = 0; i < rules.heaps; i++)
        text_printf(&name, "%s%u", i > 0 ? "," : "", rules.start.heaps[i]);
    v->position_size = sizeof(nim_board);
    v->max_successors = v->max_predecessors = rules.heaps * rules.limit;
    v->score_min = -1;
    v->score_max = 1;
    return HOLOS_OK;
}

static void nim_close(holos_variant *v)
{
    free(v->rules);
}

static void nim_start(const holos_variant *v, holos_position *out)
{
    board_save(out, rules_of(v)->start);
}

/* ---- Keys -------------------------------------------------------------------------------------- */

static holos_key heaps_key(const uint8_t heaps[NIM_MAX_HEAPS], unsigned side)
{
    holos_key key = {.hi = side, .lo = 0};
    for (int i = 0; i < NIM_MAX_HEAPS; i++)
        key.lo = key.lo * 16 + heaps[i];
    return key;
}

/* Positions with the same future should share a key: tables are smaller for it. In nim the order of the
 * heaps does not matter, nor who is to move, since a value is always that of the side to move. */
static holos_key board_key(const nim_board *board)
{
    uint8_t heaps[NIM_MAX_HEAPS];
    memcpy(heaps, board->heaps, sizeof heaps);
    for (int i = 1; i < NIM_MAX_HEAPS; i++)
        for (int k = i; k > 0 && heaps[k - 1] < heaps[k]; k--) {
            uint8_t swap = heaps[k];
            heaps[k] = heaps[k - 1];
            heaps[k - 1] = swap;
        }
    return heaps_key(heaps, 0);
}

static holos_key nim_key(const holos_variant *v, const holos_position *p)
{
    (void)v;
    return board_key(board_of(p));
}

/* An identity tells all positions apart. Where it can be undone, graphs need not keep the positions. */
static holos_key nim_identity(const holos_variant *v, const holos_position *p)
{
    (void)v;
    return heaps_key(board_of(p)->heaps, board_of(p)->side);
}

static void nim_from_identity(const holos_variant *v, holos_key identity, holos_position *out)
{
    (void)v;
    nim_board board = {.side = (uint8_t)identity.hi};
    for (int i = NIM_MAX_HEAPS; i-- > 0; identity.lo /= 16)
        board.heaps[i] = identity.lo % 16;
    board_save(out, board);
}

/* The symmetries are for tests: each image must have the key and the value of the position. Here they are
 * all orders of the heaps; the digits of `order` tell which heap goes where. */
static uint32_t nim_symmetries(const holos_variant *v, const holos_position *p, holos_position *out)
{
    uint32_t count = 1;
    for (unsigned heaps = rules_of(v)->heaps; heaps > 1; heaps--)
        count *= heaps;
    for (uint32_t order = 0; order < count; order++) {
        nim_board image = *board_of(p);
        uint32_t digits = order;
        for (unsigned left = rules_of(v)->heaps; left > 1; digits /= left--) {
            uint8_t *last = &image.heaps[left - 1], *other = last - digits % left, swap = *last;
            *last = *other;
            *other = swap;
        }
        board_save(position_at(v, out, order), image);
    }
    return count;
}

/* ---- Moves ------------------------------------------------------------------------------------- */

/* Writes one neighbour: what `expand` and `predecessors` share. */
static void edges_write(const holos_variant *v, holos_edges out, uint32_t index, holos_move move,
                        nim_board board)
{
    if (out.edges != NULL)
        out.edges[index] = (holos_edge){.move = move};
    if (out.positions != NULL)
        board_save(position_at(v, out.positions, index), board);
    if (out.keys != NULL)
        out.keys[index] = board_key(&board);
}

static uint32_t nim_expand(const holos_variant *v, const holos_position *p, holos_edges out)
{
    const nim_board *board = board_of(p);
    uint32_t count = 0;
    for (unsigned heap = 0; heap < rules_of(v)->heaps; heap++)
        for (unsigned counters = 1; counters <= board->heaps[heap]; counters++)
            edges_write(v, out, count++, move_make(heap, counters), nim_take(*board, heap, counters));
    return count;
}

/* The way back: any heap may have been larger. The edge is the move that leads here. */
static uint32_t nim_predecessors(const holos_variant *v, const holos_position *p, holos_edges out)
{
    const nim_rules *rules = rules_of(v);
    uint32_t count = 0;
    for (unsigned heap = 0; heap < rules->heaps; heap++)
        for (unsigned counters = 1; board_of(p)->heaps[heap] + counters <= rules->limit; counters++) {
            nim_board before = *board_of(p);
            before.heaps[heap] = (uint8_t)(before.heaps[heap] + counters);
            before.side ^= 1;
            edges_write(v, out, count++, move_make(heap, counters), before);
        }
    return count;
}

static holos_edge nim_play(const holos_variant *v, const holos_position *p, holos_move move,
                           holos_position *out)
{
    (void)v;
    board_save(out, nim_take(*board_of(p), move_heap(move), move_counters(move)));
    return (holos_edge){.move = move};
}

/* Who is to move and finds no counter has lost: the other side took the last one. */
static bool nim_terminal(const holos_variant *v, const holos_position *p, int32_t *score)
{
    (void)v;
    *score = -1;
    return nim_is_over(board_of(p));
}

static unsigned nim_side(const holos_variant *v, const holos_position *p)
{
    (void)v;
    return board_of(p)->side;
}

/* Counters that are left: every move takes some. */
static uint32_t nim_height(const holos_variant *v, const holos_position *p)
{
    uint32_t counters = 0;
    (void)v;
    for (int i = 0; i < NIM_MAX_HEAPS; i++)
        counters += board_of(p)->heaps[i];
    return counters;
}

/* ---- Writing ----------------------------------------------------------------------------------- */

/* What `format` writes, `parse` reads back as the same position. */
static void nim_format(const holos_variant *v, const holos_position *p, text *out)
{
    for (unsigned heap = 0; heap < rules_of(v)->heaps; heap++)
        text_printf(out, "%s%u", heap > 0 ? "," : "", board_of(p)->heaps[heap]);
    text_printf(out, " %u", board_of(p)->side + 1);
}

static void nim_format_move(const holos_variant *v, const holos_position *p, holos_move move, text *out)
{
    (void)v;
    (void)p;
    text_printf(out, "%u-%u", move_heap(move) + 1, move_counters(move));
}

static void nim_draw(const holos_variant *v, const holos_position *p, text *out)
{
    const nim_board *board = board_of(p);
    for (unsigned heap = 0; heap < rules_of(v)->heaps; heap++) {
        text_printf(out, "%u:", heap + 1);
        for (unsigned i = 0; i < board->heaps[heap]; i++)
            text_string(out, " o");
        text_char(out, '\n');
    }
    text_printf(out, nim_is_over(board) ? "player %u has lost\n" : "player %u to move\n", board->side + 1);
}

/* ---- The game ---------------------------------------------------------------------------------- */

/* Positions of the default variant that are worth looking at: shown by `holos games`, used by tests. */
static const char *const nim_examples[] = {
    "3,4,5 1",
    "1,4,5 2", /* lost: 1 xor 4 xor 5 is 0 */
    "0,1,1 1",
    NULL,
};

/* Small variants that tests search whole. */
static const char *const nim_variants[] = {"1", "2,2", "1,2,3", "3,3,3", "2,1,2,1", NULL};

/* What the game can do beyond the core. What is left out is simply absent: nim has no `search`, so that
 * engines order its moves as they come. */
static const holos_back nim_back = {.predecessors = nim_predecessors};

/* Positions that experiments over any game run on (`holos lab`). */
static const holos_subject nim_subjects[] = {
    {.experiment = "modes", .variant = "nim:3,4,5", .position = "start"},
    {.experiment = "iterations", .variant = "nim:3,4,5", .position = "start"},
    {.experiment = "transfer", .variant = "nim:7,7,7", .position = "start"},
    {0},
};

extern const holos_game nim_game;
const holos_game nim_game = {
    .name = "nim",
    .title = "Nim",
    .summary = "Take any number of counters from one heap; whoever takes the last counter wins.",
    .variant_help = "The heaps, one to four of at most 15 counters: nim:1,3,5,7. nim alone is nim:3,4,5.",
    .position_help =
        "The heaps, then who is to move: 3,4,5 1. A move is a heap and how many it loses: 2-3 takes 3 "
        "from the second heap.",
    .score_help = "1 if the side to move wins, -1 if it loses.",
    .examples = nim_examples,
    .variants = nim_variants,
    .open = nim_open,
    .close = nim_close,
    .start = nim_start,
    .expand = nim_expand,
    .play = nim_play,
    .terminal = nim_terminal,
    .side = nim_side,
    .height = nim_height,
    .key = nim_key,
    .identity = nim_identity,
    .from_identity = nim_from_identity,
    .from_key = nim_from_identity, /* a key is the identity of the position with its heaps in order */
    .symmetries = nim_symmetries,
    .max_symmetries = 24, /* the orders of four heaps */
    .parse = nim_parse,
    .format = nim_format,
    .parse_move = game_parse_move, /* moves have one spelling, so the helper does */
    .format_move = nim_format_move,
    .draw = nim_draw,
    .back = &nim_back,
    .subjects = nim_subjects,
};
