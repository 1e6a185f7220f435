/* SPDX-License-Identifier: MIT */

/* Chess: perft with all move generators, and with Stockfish if it is installed; unmoves; short mates. */

#include "bench.h"

#include "core/clock.h"
#include "core/cpu.h"
#include "core/rng.h"
#include "game/game.h"
#include "games/chess/fen.h"
#include "games/chess/perft.h"
#include "games/chess/phase/generator.h"
#include "games/chess/unmoves.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

typedef struct perft_case {
    const char *name, *fen;
    unsigned depth, quick, phase; /* plies: normally, with --quick, and for the slow generator */
} perft_case;

static const perft_case cases[] = {
    {"start", CHESS_START_FEN, 6, 4, 5},
    {"kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5, 3, 4},
    {"endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7, 4, 5},
    {"promote", "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 6, 4, 4},
};

typedef uint64_t perft_function(const chess_position *p, unsigned depth);

static uint64_t perft_by_phases(const chess_position *p, unsigned depth)
{
    phase_board b;
    phase_board_load(&b, p);
    return phase_perft(&b, depth);
}

/* ---- Stockfish --------------------------------------------------------------------------------- */

static double children_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
           1e-6 * ((double)usage.ru_utime.tv_usec + (double)usage.ru_stime.tv_usec);
}

/* Sends commands to Stockfish and reads its node count; false if it is not installed. */
static bool stockfish_ask(const char *commands, uint64_t *nodes, double *seconds)
{
    char line[512];
    double begun = children_seconds();
    snprintf(line, sizeof line,
             "PATH=\"$PATH:/usr/games\"; command -v stockfish >/dev/null && "
             "printf '%s\\nquit\\n' | stockfish 2>/dev/null",
             commands);
    FILE *pipe = popen(line, "r"); /* the commands are ours. NOLINT(cert-env33-c) */
    bool there = false;
    if (pipe == NULL)
        return false;
    while (fgets(line, sizeof line, pipe) != NULL) {
        unsigned long long count;
        there = there || strncmp(line, "Stockfish", 9) == 0;
        if (sscanf(line, "Nodes searched: %llu", &count) == 1)
            *nodes = count;
    }
    pclose(pipe);
    *seconds = children_seconds() - begun;
    return there;
}

/* Without the time that Stockfish takes to start. */
static bool stockfish_perft(const perft_case *t, unsigned depth, uint64_t *nodes, double *seconds)
{
    char commands[256];
    double idle;
    uint64_t none;
    snprintf(commands, sizeof commands, "position fen %s\\ngo perft %u", t->fen, depth);
    if (!stockfish_ask("isready", &none, &idle) || !stockfish_ask(commands, nodes, seconds))
        return false;
    *seconds -= idle;
    return true;
}

/* ---- Perft ------------------------------------------------------------------------------------- */

static holos_status measure(bench_context *c, const perft_case *t, const char *how, perft_function *perft,
                            unsigned depth, double *rate)
{
    chess_position p;
    char name[64];
    fen_parse(t->fen, &p, NULL);
    perft(&p, depth - 1); /* warm */
    double begun = clock_cpu();
    uint64_t lines = perft(&p, depth);
    double seconds = clock_cpu() - begun;
    *rate = (double)lines / (seconds > 0 ? seconds : 1e-9);
    snprintf(name, sizeof name, "perft %s %u%s", t->name, depth, how);
    return bench_report(c, name, lines, seconds, "nodes/s", 0);
}

static holos_status measure_stockfish(bench_context *c, const perft_case *t, unsigned depth, double ours)
{
    char name[64];
    uint64_t nodes = 0;
    double seconds;
    if (!stockfish_perft(t, depth, &nodes, &seconds) || nodes == 0 || seconds <= 0)
        return HOLOS_OK;
    snprintf(name, sizeof name, "perft %s %u, Stockfish", t->name, depth);
    holos_status status = bench_report(c, name, nodes, seconds, "nodes/s", 0);
    snprintf(name, sizeof name, "perft %s %u, ratio", t->name, depth);
    return status == HOLOS_OK ? bench_figure(c, name, nodes, ours * seconds / (double)nodes, "times")
                              : status;
}

static holos_status measure_perft(bench_context *c, const perft_case *t)
{
    unsigned depth = c->quick ? t->quick : t->depth;
    double best, other;
    holos_status status = measure(c, t, "", chess_perft, depth, &best);
    if (status == HOLOS_OK)
        status = measure_stockfish(c, t, depth, best);
    if (status == HOLOS_OK)
        status = measure(c, t, ", portable", chess_perft_portable, depth, &other);
    if (status == HOLOS_OK)
        status = measure(c, t, ", phases", perft_by_phases, c->quick ? t->quick : t->phase, &other);
    return status;
}

/* ---- Unmoves ----------------------------------------------------------------------------------- */

/* All unmoves of the positions of some random games. */
static holos_status measure_unmoves(bench_context *c, const chess_material *wanted, const char *name)
{
    uint64_t found = 0, games = c->quick ? 2 : 40;
    double seconds = 0;
    for (uint64_t game = 0; game < games; game++) {
        rng r;
        chess_position p, next;
        rng_init(&r, c->seed, game);
        fen_parse(CHESS_START_FEN, &p, NULL);
        for (unsigned ply = 0; ply < 200; ply++) {
            chess_move moves[CHESS_MOVES_MOST];
            unsigned count = position_moves(&p, moves);
            if (count == 0)
                break;
            position_make(&p, moves[rng_below(&r, count)], &next);
            p = next;
            double begun = clock_cpu();
            found += position_unmoves(&p, wanted, NULL, NULL);
            seconds += clock_cpu() - begun;
        }
    }
    return bench_report(c, name, found, seconds, "unmoves/s", 0);
}

/* ---- Mates ------------------------------------------------------------------------------------- */

static holos_status measure_mate(bench_context *c, const char *name, const char *fen)
{
    holos_variant *v = NULL;
    holos_solver *s = NULL;
    holos_position *p = NULL;
    holos_result r;
    holos_status status = holos_open("chess", &v, &c->error);
    if (status == HOLOS_OK)
        status = holos_solver_open(v, &(holos_solver_options){.limits.stop = c->stop}, &s, &c->error);
    if (status == HOLOS_OK && (p = holos_position_new(v)) == NULL)
        status = error_system(&c->error, "a position");
    if (status == HOLOS_OK)
        status = holos_parse(v, fen, p, &c->error);
    double begun = clock_cpu();
    if (status == HOLOS_OK)
        status = holos_solver_solve(s, p, &r, &c->error);
    if (status == HOLOS_OK)
        status = bench_report(c, name, 1, clock_cpu() - begun, "positions/s", r.nodes);
    holos_position_free(p);
    holos_solver_close(s);
    holos_close(v);
    return status;
}

holos_status bench_chess(bench_context *c)
{
    holos_status status = HOLOS_OK;
    for (size_t i = 0; status == HOLOS_OK && i < sizeof cases / sizeof cases[0]; i++)
        status = measure_perft(c, &cases[i]);
    if (status == HOLOS_OK)
        status = measure_unmoves(c, NULL, "unmoves");
    if (status == HOLOS_OK)
        status = measure_mate(c, "mate in 2", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
    if (status == HOLOS_OK && !c->quick)
        status = measure_mate(c, "mate in 3", "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1");
    if (status == HOLOS_OK && !c->quick)
        status = measure_mate(c, "mate in 3, rooks", "8/8/8/8/1k6/8/1K6/3RR3 w - - 0 1");
    return status;
}
