/* SPDX-License-Identifier: MIT */

/* Which positions there are, and what they look like to waves. */

#include "unit.h"

#include "core/rng.h"
#include "game/game.h"
#include "game/hints.h"
#include "game/kinds.h"
#include "games/chess/checks.h"
#include "games/chess/fen.h"
#include "games/chess/symmetry.h"
#include "games/chess/unmoves.h"

/* ---- Double checks ----------------------------------------------------------------------------- */

static void count_unmove(void *context, const chess_position *before, chess_move move)
{
    (void)before;
    (void)move;
    ++*(unsigned *)context;
}

/* A double check is refused exactly if no move can have given it: then there is no way back. */
static void test_double_checks_are_refused_if_no_move_gives_them(void **state)
{
    (void)state;
    static const char *const names[] = {"KQRvK", "KQQvK", "KRBvK", "KBBvK", "KRNvK",  "KNNvK",
                                        "KQNvK", "KRPvK", "KBPvK", "KNPvK", "KRPPvK", "KBPPvKP"};
    unsigned counts[2] = {0, 0};
    rng r;
    rng_init(&r, 9, 0);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        for (unsigned n = 0; n < 60000; n++) {
            chess_position p = {.side = CHESS_BLACK, .number = 1};
            unsigned side = CHESS_WHITE, ways = 0;
            bool fits = true;
            for (const char *c = names[i]; *c != 0; c++) {
                unsigned square = (unsigned)rng_below(&r, 64),
                         kind = (unsigned)(strchr(" PNBRQK", *c) - " PNBRQK");
                if (*c == 'v') {
                    side = CHESS_BLACK;
                    continue;
                }
                fits &= (p.kinds[CHESS_ANY] >> square & 1) == 0 &&
                        (*c != 'P' || (chess_rank_of(square) > 0 && chess_rank_of(square) < 7));
                if (fits)
                    position_put(&p, piece_make(side, kind), square);
            }
            if (!fits || position_in_check(&p, CHESS_WHITE) ||
                set_count(position_attackers(&p, position_king(&p, CHESS_BLACK), CHESS_WHITE,
                                             p.kinds[CHESS_ANY])) != 2)
                continue;
            position_unmoves(&p, NULL, count_unmove, &ways);
            if ((ways > 0) != (checks_fault(&p) == NULL)) {
                text fen;
                text_init(&fen);
                fen_format(&p, &fen);
                fail_msg("%s: %u ways back, but %s", fen.data, ways, checks_fault(&p));
            }
            counts[ways > 0]++;
        }
    }
    assert_true(counts[0] > 1000 && counts[1] > 100);
}

/* ---- Features ---------------------------------------------------------------------------------- */

static void test_images_have_the_same_features(void **state)
{
    (void)state;
    static const char *const names[] = {"KQvKR", "KPPvKP", "KRNvKB"};
    holos_variant *v;
    holos_error err;
    rng r;
    uint64_t seen[64];
    unsigned different = 0;
    rng_init(&r, 9, 0);
    assert_ok(holos_open("chess", &v, &err), err);
    for (unsigned n = 0; n < 64; n++) {
        _Alignas(16) chess_position p, images[CHESS_IMAGES_MOST];
        holos_kind kind;
        assert_ok(v->game->kinds->parse(v, names[n % 3], &kind, &err), err);
        assert_true(v->game->kinds->random(v, kind, &r, (holos_position *)&p));
        seen[n] = v->game->hints->features(v, (holos_position *)&p);
        unsigned count = position_images(&p, images);
        for (unsigned i = 0; i < count; i++) {
            chess_position image = images[i];
            memcpy(&p, &image, sizeof p);
            assert_true(v->game->hints->features(v, (holos_position *)&p) == seen[n]);
        }
        bool fresh = true;
        for (unsigned i = 0; i < n; i++)
            fresh &= seen[i] != seen[n];
        different += fresh;
    }
    assert_true(different > 20 && different < 64);
    holos_close(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_double_checks_are_refused_if_no_move_gives_them),
        cmocka_unit_test(test_images_have_the_same_features),
    };
    UNIT_MAIN(tests);
}
