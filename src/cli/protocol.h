/* SPDX-License-Identifier: MIT */

/* Protocols of other people's programs: a game that they lead, line by line, and a player for it. */

#ifndef HOLOS_CLI_PROTOCOL_H
#define HOLOS_CLI_PROTOCOL_H

#include "cli/cli.h"
#include "cli/history.h"

#include <pthread.h>

typedef struct engine_settings {
    const char *store;
    bool no_book;
} engine_settings;

typedef struct session session;

typedef struct protocol {
    const char *name;
    bool plain;                 /* it is not about one game */
    bool thinks;                /* it needs no player */
    const char *const *refuses; /* options of the verb that it does nothing about, ended by NULL */
    bool refuses_others;        /* options of engines, too */
    holos_status (*open)(session *s, holos_error *err); /* before the first line; may be NULL */
    void (*close)(session *s);                          /* after the last; may be NULL */
    void (*obey)(session *s, char *command);            /* one line */
} protocol;

struct session {
    cli *c;
    const protocol *p;
    text *out;                 /* flushed after each line of the input */
    pthread_mutex_t *speaking; /* of those who speak at other times: session_say */
    holos_variant *v;
    history game;
    holos_player *player;
    holos_knowledge *known; /* what the player need not search, or NULL */
    double seconds;         /* for a move; 0: as --time says */
    bool quit;
    void *state; /* the protocol's own */
};

extern const protocol protocol_gtp, protocol_nboard, protocol_uci, protocol_jsonl;

void session_close(session *s);
/* How many threads may think. */
unsigned session_threads(const session *s);
/* Says something at once. Any thread may. */
void session_say(session *s, const text *words);
/* Begins a game of another kind or size: "reversi:6". What was there is kept if that fails. */
holos_status session_game(session *s, const char *game, holos_error *err);
/* Begins at a position; NULL: the start. */
holos_status session_begin(session *s, const char *position, holos_error *err);
/* How long a move may take from now on. */
holos_status session_limit(session *s, double seconds, holos_error *err);
const holos_position *session_now(const session *s);
/* Plays what somebody says. Whoever must pass and does not say so has passed. */
holos_status session_play(session *s, const char *string, holos_error *err);

/* Takes the first word off *rest; "" if there is none. */
char *word_take(char **rest);

#endif
