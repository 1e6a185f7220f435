/* SPDX-License-Identifier: MIT */

#include "cli/protocol.h"

#include "cli/interrupt.h"
#include "cli/known.h"
#include "core/pool.h"

#include <stdlib.h>
#include <string.h>

/* ---- The game ---------------------------------------------------------------------------------- */

/* What is known beforehand, and unless the protocol thinks for itself, a player. */
static holos_status player_open(session *s, holos_variant *v, holos_knowledge **known, holos_player **out,
                                holos_error *err)
{
    const shared_settings *shared = &s->c->shared;
    const engine_settings *settings = s->c->settings;
    bool with_book = !settings->no_book && shared->engine == NULL;
    holos_status status = known_open(settings->store, with_book, v, 0, known, err);
    if (status != HOLOS_OK || s->p->thinks)
        return status;
    holos_player_options wanted = {
        .engine = shared->engine,
        .limits = {.seconds = s->seconds > 0 ? s->seconds : shared->time,
                   .nodes = shared->nodes,
                   .memory = shared->mem,
                   .stop = interrupt_flag()},
        .boundary = holos_knowledge_boundary(*known),
        .seed = shared->seed,
        .settings = s->c->others,
    };
    return holos_player_open(v, &wanted, out, err);
}

static holos_status history_begin(const holos_variant *v, const char *position, history *out,
                                  holos_error *err)
{
    holos_position *p = holos_position_new(v);
    if (p == NULL)
        return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for the game");
    holos_status status = position != NULL ? holos_parse(v, position, p, err) : holos_start(v, p, err);
    if (status == HOLOS_OK && !history_init(out, v, p))
        status = error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory for the game");
    holos_position_free(p);
    return status;
}

void session_close(session *s)
{
    holos_player_close(s->player);
    holos_knowledge_close(s->known);
    history_free(&s->game);
    holos_close(s->v);
}

holos_status session_game(session *s, const char *game, holos_error *err)
{
    session next = {.c = s->c, .p = s->p, .out = s->out, .speaking = s->speaking, .seconds = s->seconds};
    holos_status status = holos_open(game, &next.v, err);
    if (status == HOLOS_OK && (holos_game_traits(holos_variant_game(next.v)) & HOLOS_TRAIT_SOLITAIRE) != 0)
        status = error_set(err, HOLOS_UNSUPPORTED, HOLOS_NOWHERE, "%s is not a game for two", game);
    if (status == HOLOS_OK)
        status = history_begin(next.v, NULL, &next.game, err);
    if (status == HOLOS_OK)
        status = player_open(s, next.v, &next.known, &next.player, err);
    session_close(status == HOLOS_OK ? s : &next);
    if (status == HOLOS_OK)
        *s = next;
    return status;
}

holos_status session_begin(session *s, const char *position, holos_error *err)
{
    history game = {0};
    holos_status status = history_begin(s->v, position, &game, err);
    if (status == HOLOS_OK) {
        history_free(&s->game);
        s->game = game;
    } else {
        history_free(&game);
    }
    return status;
}

holos_status session_limit(session *s, double seconds, holos_error *err)
{
    holos_player *player = NULL;
    holos_knowledge *known = NULL;
    s->seconds = seconds;
    holos_status status = player_open(s, s->v, &known, &player, err);
    if (status != HOLOS_OK) {
        holos_knowledge_close(known);
        return status;
    }
    holos_player_close(s->player);
    holos_knowledge_close(s->known);
    s->player = player;
    s->known = known;
    return HOLOS_OK;
}

const holos_position *session_now(const session *s)
{
    return history_now(&s->game);
}

holos_status session_play(session *s, const char *string, holos_error *err)
{
    holos_move move, only;
    holos_status status = holos_parse_move(s->v, session_now(s), string, &move, err);
    if (status != HOLOS_OK && holos_moves(s->v, session_now(s), &only, 1) == 1 &&
        holos_parse_move(s->v, session_now(s), "pass", &move, NULL) == HOLOS_OK) {
        status = history_play(&s->game, move, err);
        if (status == HOLOS_OK)
            status = holos_parse_move(s->v, session_now(s), string, &move, err);
        if (status != HOLOS_OK)
            history_undo(&s->game);
    }
    return status == HOLOS_OK ? history_play(&s->game, move, err) : status;
}

unsigned session_threads(const session *s)
{
    const shared_settings *shared = &s->c->shared;
    return shared->threads > 0 ? (unsigned)shared->threads : pool_processors();
}

void session_say(session *s, const text *words)
{
    pthread_mutex_lock(s->speaking);
    text_bytes(s->out, words->data, words->length);
    output_flush(s->c->out);
    pthread_mutex_unlock(s->speaking);
}

char *word_take(char **rest)
{
    static const char blanks[] = " \t";
    char *word = *rest + strspn(*rest, blanks), *end = word + strcspn(word, blanks);
    *rest = end + strspn(end, blanks);
    *end = 0;
    return word;
}
