/* SPDX-License-Identifier: MIT */

#include "session/match.h"

#include "core/clock.h"
#include "core/error.h"
#include "core/list.h"
#include "core/rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLIES_MOST 2000 /* a game that lasts longer is a draw */
#define MOVES_MOST 4096 /* of a position, that an opening chooses among */

/* ---- A game ------------------------------------------------------------------------------------ */

void match_game_free(match_game *g)
{
    free(g->opening);
    free(g->moves);
    *g = (match_game){0};
}

/* A random opening after which the game is not over; the same for both games of a pair. */
static unsigned opening_choose(const match_setup *s, uint64_t pair, holos_position *scratch, holos_move *out)
{
    rng r;
    holos_value over;
    holos_move moves[MOVES_MOST];
    rng_init(&r, s->seed, pair);
    for (unsigned tries = 0, plies = s->opening_plies;; tries++) {
        unsigned count = 0;
        holos_start(s->v, scratch, NULL);
        while (count < plies && !holos_terminal(s->v, scratch, &over)) {
            size_t legal = holos_moves(s->v, scratch, moves, MOVES_MOST);
            legal = legal < MOVES_MOST ? legal : MOVES_MOST;
            out[count] = moves[rng_below(&r, legal)];
            holos_play(s->v, scratch, out[count++], scratch, NULL);
        }
        if (!holos_terminal(s->v, scratch, &over))
            return count;
        plies -= tries % 100 == 99 && plies > 0; /* games of this variant are shorter than that */
    }
}

typedef struct course {
    const match_setup *s;
    holos_contestant *const *players;
    bool first_begins;
    holos_position *here;
    holos_move *line;
    size_t room;
    unsigned plies;
    double seconds[2];
} course;

/* Whose turn it is: 0 for the first contestant. */
static unsigned turn_of(const course *c)
{
    return (holos_side_to_move(c->s->v, c->here) == 0) == c->first_begins ? 0 : 1;
}

static holos_status course_play(course *c, holos_move move, holos_error *err)
{
    holos_status status = HOLOS_OK;
    if (!LIST_RESERVE(c->line, c->room, c->plies + 1))
        return error_system(err, "a game");
    c->line[c->plies] = move;
    for (int i = 0; i < 2 && status == HOLOS_OK; i++)
        status = holos_contestant_play(c->players[i], move, err);
    if (status == HOLOS_OK)
        status = holos_play(c->s->v, c->here, move, c->here, err);
    c->plies++;
    return status;
}

static holos_status course_move(course *c, holos_error *err)
{
    holos_move move;
    unsigned who = turn_of(c);
    double begun = clock_wall();
    if (holos_stop_asked(c->s->stop))
        return error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
    holos_status status = holos_contestant_choose(c->players[who], &move, err);
    c->seconds[who] += clock_wall() - begun;
    if (status == HOLOS_OK && holos_stop_asked(c->s->stop))
        return error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE,
                         "interrupted"); /* it may have moved in haste */
    return status == HOLOS_OK ? course_play(c, move, err) : status;
}

/* Moves as text, with a blank between. */
static char *line_text(const match_setup *s, holos_position *scratch, const holos_move *line, size_t count)
{
    text t;
    char move[64];
    text_init(&t);
    for (size_t i = 0; i < count; i++) {
        holos_format_legal(s->v, scratch, line[i], move, sizeof move);
        text_printf(&t, "%s%s", i > 0 ? " " : "", move);
        holos_play(s->v, scratch, line[i], scratch, NULL);
    }
    char *out = t.failed ? NULL : strdup(t.length > 0 ? t.data : "");
    text_free(&t);
    return out;
}

static holos_status game_note(course *c, unsigned opening, match_game *out, holos_error *err)
{
    holos_value over = {0};
    if (holos_terminal(c->s->v, c->here, &over))
        out->score = turn_of(c) == 0 ? over.lo : -over.lo;
    out->points = out->score > 0 ? 2 : out->score == 0 ? 1 : 0;
    out->plies = c->plies;
    memcpy(out->seconds, c->seconds, sizeof out->seconds);
    holos_start(c->s->v, c->here, NULL);
    out->opening = line_text(c->s, c->here, c->line, opening);
    out->moves = line_text(c->s, c->here, c->line + opening, c->plies - opening);
    return out->opening != NULL && out->moves != NULL ? HOLOS_OK : error_system(err, "a game");
}

holos_status match_play(const match_setup *s, holos_contestant *const players[2], uint64_t number,
                        match_game *out, holos_error *err)
{
    course c = {
        .s = s, .players = players, .first_begins = number % 2 == 0, .here = holos_position_new(s->v)};
    holos_move *opening = calloc(s->opening_plies + 1, sizeof *opening);
    holos_value over;
    *out = (match_game){0};
    holos_status status =
        c.here != NULL && opening != NULL ? holos_start(s->v, c.here, err) : error_system(err, "a game");
    unsigned plies = status == HOLOS_OK ? opening_choose(s, number / 2, c.here, opening) : 0;
    for (unsigned i = 0; i < 2 && status == HOLOS_OK; i++)
        status = holos_contestant_begin(players[i], s->seed + 2 * number + i, err);
    if (status == HOLOS_OK)
        status = holos_start(s->v, c.here, err);
    for (unsigned i = 0; i < plies && status == HOLOS_OK; i++)
        status = course_play(&c, opening[i], err);
    while (status == HOLOS_OK && c.plies < PLIES_MOST && !holos_terminal(s->v, c.here, &over))
        status = course_move(&c, err);
    if (status == HOLOS_OK)
        status = game_note(&c, plies, out, err);
    free(c.line);
    free(opening);
    holos_position_free(c.here);
    if (status != HOLOS_OK)
        match_game_free(out);
    return status;
}

/* ---- The table --------------------------------------------------------------------------------- */

static const char names[] = "game,points,score,plies,seconds_1,seconds_2,begins,player_1,player_2,game_name,"
                            "seed,opening_plies,opening,moves\n";

static void field_quote(text *out, const char *string)
{
    text_char(out, '"');
    for (const char *s = string; *s != 0; s++)
        text_string(out, *s == '"' ? "\"\"" : (char[2]){*s, 0});
    text_char(out, '"');
}

/* The fields that all games of a match have in common. */
static void match_write_common(const match_setup *s, text *out)
{
    for (int i = 0; i < 2; i++) {
        field_quote(out, s->names[i]);
        text_char(out, ',');
    }
    field_quote(out, holos_variant_name(s->v));
    text_printf(out, ",%llu,%u,", (unsigned long long)s->seed, s->opening_plies);
}

void match_write_table(const match_setup *s, const match_game *games, uint64_t count, text *out)
{
    text_string(out, names);
    for (uint64_t i = 0; i < count; i++) {
        const match_game *g = &games[i];
        text_printf(out, "%llu,%s,%d,%u,%.3f,%.3f,%d,", (unsigned long long)i + 1,
                    g->points == 2   ? "1"
                    : g->points == 1 ? "0.5"
                                     : "0",
                    (int)g->score, g->plies, g->seconds[0], g->seconds[1], i % 2 == 0 ? 1 : 2);
        match_write_common(s, out);
        field_quote(out, g->opening);
        text_char(out, ',');
        field_quote(out, g->moves);
        text_char(out, '\n');
    }
}

/* One line of the table: the numbers, what all have in common, two quoted lines of moves. */
static holos_status row_read(const char *path, const char *line, const text *common, uint64_t number,
                             match_game *out, holos_error *err)
{
    unsigned long long game;
    double points;
    int score, begins, used = 0;
    bool read = sscanf(line, "%llu,%lf,%d,%u,%lf,%lf,%d,%n", &game, &points, &score, &out->plies,
                       &out->seconds[0], &out->seconds[1], &begins, &used) == 7 &&
                game == number + 1 && (points == 0 || points == 0.5 || points == 1);
    if (read && strncmp(line + used, common->data, common->length) != 0)
        return error_set(
            err, HOLOS_USAGE, HOLOS_NOWHERE,
            "%s is of a match between others, or with another game, --seed or --opening-plies; --restart "
            "starts over",
            path);
    const char *opening = line + used + (read ? common->length : 0), *end = line + strlen(line);
    const char *middle = read ? strstr(opening, "\",\"") : NULL;
    if (!read || opening[0] != '"' || middle == NULL || end[-1] != '"')
        return error_set(err, HOLOS_BAD_FILE, number + 1, "%s, line %llu: this is no line of a match", path,
                         (unsigned long long)number + 2);
    out->points = (unsigned)(2 * points);
    out->score = score;
    out->opening = strndup(opening + 1, (size_t)(middle - opening - 1));
    out->moves = strndup(middle + 3, (size_t)(end - middle - 4));
    return out->opening != NULL && out->moves != NULL ? HOLOS_OK : error_system(err, "a match");
}

holos_status match_read_table(const match_setup *s, const char *path, const text *table, match_game **games,
                              uint64_t *count, holos_error *err)
{
    text common;
    size_t room = 0;
    holos_status status = HOLOS_OK;
    char *copy = strdup(table->data), *rest = copy;
    text_init(&common);
    match_write_common(s, &common);
    *games = NULL;
    *count = 0;
    if (copy == NULL || common.failed)
        status = error_system(err, "a match");
    else if (strncmp(copy, names, strlen(names)) != 0)
        status = error_set(err, HOLOS_BAD_FILE, 0, "%s is not a table of games of a match", path);
    else
        rest += strlen(names);
    while (status == HOLOS_OK && *rest != 0) {
        char *end = strchr(rest, '\n');
        if (end != NULL)
            *end = 0;
        if (end == NULL || !LIST_RESERVE(*games, room, *count + 1)) {
            status = error_set(err, HOLOS_BAD_FILE, *count + 1, "%s is cut off", path);
            break;
        }
        (*games)[*count] = (match_game){0};
        status = row_read(path, rest, &common, *count, &(*games)[*count], err);
        ++*count;
        rest = end + 1;
    }
    for (; status == HOLOS_OK && *count % 2 == 1;)
        match_game_free(&(*games)[--*count]);
    text_free(&common);
    free(copy);
    return status;
}

/* ---- The score --------------------------------------------------------------------------------- */

void match_count(const match_game *games, uint64_t count, holos_score *out)
{
    *out = (holos_score){0};
    for (uint64_t i = 0; i + 1 < count; i += 2) {
        for (uint64_t k = i; k < i + 2; k++) {
            out->wins += games[k].points == 2;
            out->draws += games[k].points == 1;
            out->losses += games[k].points == 0;
        }
        out->pairs[games[i].points + games[i + 1].points]++;
    }
}

/* ---- The picture ------------------------------------------------------------------------------- */

enum { WIDTH = 720, HEIGHT = 320, LEFT = 60, RIGHT = 20, TOP = 44, BOTTOM = 36 };

static double across(uint64_t pair, uint64_t pairs)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * (double)pair / (double)(pairs > 1 ? pairs : 1);
}

static double upwards(double elo, double most)
{
    double share = fmin(fmax(elo / most, -1), 1);
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - share) / 2;
}

static void text_escape(text *out, const char *string)
{
    for (const char *s = string; *s != 0; s++)
        text_string(out, *s == '<' ? "&lt;" : *s == '&' ? "&amp;" : *s == '>' ? "&gt;" : (char[2]){*s, 0});
}

void match_draw(const match_setup *s, const match_game *games, uint64_t count, text *out)
{
    uint64_t pairs = count / 2;
    holos_score score;
    match_count(games, count, &score);
    holos_elo last = holos_score_elo(&score);
    double most = 100 * ceil((fmax(fabs(last.low), fabs(last.high)) + 1) / 100);
    text_printf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
        "font-size=\"11\">\n<style>.grid{stroke:#ddd}.band{fill:#4a7fb5;opacity:.25}.elo{fill:none;stroke:#"
        "4a7fb5;stroke-width:2}.title{font-size:15px;font-weight:bold}</style>\n",
        WIDTH, HEIGHT);
    text_printf(out, "<text x=\"%d\" y=\"22\" class=\"title\">", LEFT);
    text_escape(out, s->names[0]);
    text_string(out, " against ");
    text_escape(out, s->names[1]);
    text_string(out, "</text>\n");
    for (int i = -2; i <= 2; i++) {
        double elo = most * i / 2, y = upwards(elo, most);
        text_printf(
            out,
            "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" class=\"grid\"/><text x=\"%d\" y=\"%.1f\" "
            "text-anchor=\"end\">%+.0f</text>\n",
            LEFT, y, WIDTH - RIGHT, y, LEFT - 6, y + 4, elo);
    }
    text band, line;
    text_init(&band);
    text_init(&line);
    for (uint64_t pair = 1; pair <= pairs; pair++) {
        match_count(games, 2 * pair, &score);
        holos_elo elo = holos_score_elo(&score);
        double x = across(pair, pairs);
        text_printf(&line, " %.1f,%.1f", x, upwards(elo.elo, most));
        text_printf(&band,
                    "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#4a7fb5\" "
                    "stroke-opacity=\".3\" stroke-width=\"%.1f\"/>\n",
                    x, upwards(elo.low, most), x, upwards(elo.high, most),
                    fmax(0.5, 0.8 * (WIDTH - LEFT - RIGHT) / (double)pairs));
    }
    text_string(out, band.data != NULL ? band.data : "");
    text_printf(out, "<polyline class=\"elo\" points=\"%s\"/>\n", line.data != NULL ? line.data : "");
    text_printf(out,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">pairs of games: %llu; Elo with 95 %% "
                "confidence</text>\n</svg>\n",
                WIDTH - RIGHT, HEIGHT - 8, (unsigned long long)pairs);
    text_free(&band);
    text_free(&line);
}
