/* SPDX-License-Identifier: MIT */

/* Tables as knowledge of the game: game/knowledge.h. */

#ifndef HOLOS_CHESS_TABLES_KNOWLEDGE_H
#define HOLOS_CHESS_TABLES_KNOWLEDGE_H

#include "game/knowledge.h"

extern const holos_game_knowledge chess_knowledge;

/* verify.c: as holos_game_knowledge.verify. */
holos_status tables_verify(const char *folders, const holos_stop *stop, uint64_t *files, holos_error *err);

#endif
