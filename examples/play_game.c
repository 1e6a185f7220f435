/* SPDX-License-Identifier: MIT */

/* Players: holos plays a game against itself and says on what grounds it chose each move.
 *
 *     $ ./play_game connect4:4x4
 *     2 2 2 2 3 3 1 4 3 1 4 3 1 4 1 4
 *     16 moves: 16 best, 0 safe, 0 guesses; a draw
 */

#include <holos/holos.h>

#include <stdio.h>

typedef struct tally {
    unsigned moves, grounds[3];
} tally;

/* Plays to the end; the last position is left in p. */
static holos_status play(const holos_variant *v, holos_player *player, holos_position *p, tally *t,
                         holos_error *err)
{
    holos_value over;
    while (!holos_terminal(v, p, &over)) {
        holos_choice choice;
        char move[32];
        holos_status status = holos_player_choose(player, p, &choice, err);
        if (status != HOLOS_OK)
            return status;
        holos_format_move(v, p, choice.move, move, sizeof move);
        printf("%s%s", t->moves > 0 ? " " : "", move);
        t->moves++;
        t->grounds[choice.grounds]++;
        status = holos_play(v, p, choice.move, p, err);
        if (status != HOLOS_OK)
            return status;
    }
    printf("\n%u moves: %u best, %u safe, %u guesses; ", t->moves, t->grounds[HOLOS_GROUNDS_BEST],
           t->grounds[HOLOS_GROUNDS_OUTCOME], t->grounds[HOLOS_GROUNDS_GUESS]);
    if (over.lo == 0)
        printf("a draw\n");
    else
        printf("player %u wins\n", over.lo > 0 ? holos_side_to_move(v, p) + 1 : 2 - holos_side_to_move(v, p));
    return HOLOS_OK;
}

int main(int argc, char **argv)
{
    holos_error err = {0};
    holos_variant *v = NULL;
    holos_player *player = NULL;
    holos_position *p = NULL;
    tally t = {0};
    if (argc != 2) {
        fprintf(stderr, "usage: %s GAME[:VARIANT]\n", argv[0]);
        return 2;
    }
    holos_player_options options = {.seed = 1};
    holos_status status = holos_open(argv[1], &v, &err);
    if (status == HOLOS_OK)
        status = holos_player_open(v, &options, &player, &err);
    if (status == HOLOS_OK && (p = holos_position_new(v)) != NULL)
        status = play(v, player, p, &t, &err);
    if (status != HOLOS_OK)
        fprintf(stderr, "%s\n", err.message);
    holos_position_free(p);
    holos_player_close(player);
    holos_close(v);
    return status != HOLOS_OK;
}
