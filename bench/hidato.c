/* SPDX-License-Identifier: MIT */

/* Hidato: sets of boards with one solution (tests/data/README.md). Each mode finds it and proves it unique: median and
 * worst CPU time, one thread. A board that is solved quickly is solved three times, and the fastest counts. Modes that
 * only propagate, or have a budget, need not solve all boards. */

#include "bench.h"

#include "chart.h"
#include "core/clock.h"
#include "games/hidato/generate.h"
#include "games/hidato/hidato.h"
#include "games/hidato/solver.h"
#include "hidato_sets.h"

#include <stdlib.h>
#include <string.h>

enum { SETS_MOST = 96, BOARDS_MOST = 16, MODES = 4, QUICK_SIDE = 8, QUICK_BOARDS = 2 };

#define AGAIN_BELOW 0.02 /* seconds */

static const char *const mode_names[] = {"v1", "v2", "v3", "v4", NULL};

typedef struct spread {
    uint64_t n, solved, nodes;
    double median, worst, total; /* seconds */
} spread;

typedef struct set {
    char name[32];
    hidato_kind kind;
    size_t count;
    hidato_board boards[BOARDS_MOST], solutions[BOARDS_MOST];
} set;

typedef struct contest {
    bench_context *c;
    holos_variant *variants[3]; /* by kind */
    set current;
    chart_row rows[SETS_MOST];
    char names[SETS_MOST][32];
    size_t row_count;
    hidato_answer answer; /* of the board at hand */
} contest;

/* ---- Sets ------------------------------------------------------------------------------------------- */

/* The next field of a line, up to a tab or its end. */
static const char *field_next(const char **s, char *out, size_t room)
{
    size_t length = strcspn(*s, "\t\n");
    size_t kept = length < room ? length : room - 1;
    memcpy(out, *s, kept);
    out[kept] = 0;
    *s += length + ((*s)[length] != 0);
    return out;
}

static holos_status board_read(contest *k, const char *written, hidato_board *out)
{
    return holos_parse(k->variants[k->current.kind], written, (holos_position *)out, &k->c->error);
}

/* Reads the lines of one set; NULL on an error. */
static const char *set_read(contest *k, const char *s)
{
    static const char *const marks[] = {
        [HIDATO_KING] = "-a8-", [HIDATO_ROOK] = "-a4-", [HIDATO_HEX] = "-a6-"};
    char name[32], written[1 << 14];
    set *now = &k->current;
    now->count = 0;
    for (const char *line = s; *line != 0 && now->count < BOARDS_MOST; s = line) {
        field_next(&line, name, sizeof name);
        if (now->count > 0 && strcmp(name, now->name) != 0)
            break;
        memcpy(now->name, name, sizeof name);
        for (hidato_kind kind = HIDATO_KING; kind <= HIDATO_HEX; kind++)
            if (strstr(name, marks[kind]) != NULL)
                now->kind = kind;
        if (board_read(k, field_next(&line, written, sizeof written), &now->boards[now->count]) != HOLOS_OK ||
            board_read(k, field_next(&line, written, sizeof written), &now->solutions[now->count]) !=
                HOLOS_OK)
            return NULL;
        now->count++;
    }
    return s;
}

/* ---- Measuring --------------------------------------------------------------------------------------- */

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static holos_status board_solve(contest *k, size_t index, const char *mode, double *seconds)
{
    hidato_answer *answer = &k->answer;
    const hidato_request request = {.mode = hidato_mode_find(mode), .solutions = 2};
    *seconds = CLOCK_NEVER;
    for (unsigned run = 0; run < 3 && (run == 0 || (*seconds < AGAIN_BELOW && !k->c->quick)); run++) {
        struct limits limits;
        limits_begin(&limits, &(holos_limits){.stop = k->c->stop}, NULL);
        double begin = clock_cpu();
        if (hidato_solve(&k->current.boards[index], k->current.kind, &request, &limits, answer) != HOLOS_OK)
            return error_set(&k->c->error, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "out of memory for a board");
        double took = clock_cpu() - begin;
        *seconds = took < *seconds ? took : *seconds;
    }
    bool right = answer->solutions == 1 && memcmp(answer->first.numbers, k->current.solutions[index].numbers,
                                                  sizeof answer->first.numbers) == 0;
    if (answer->complete && !right)
        return error_set(&k->c->error, HOLOS_BAD_POSITION, HOLOS_NOWHERE,
                         "board %zu of %s, %s: a wrong answer", index + 1, k->current.name, mode);
    return HOLOS_OK;
}

static holos_status set_measure(contest *k, const char *mode, spread *out)
{
    double times[BOARDS_MOST] = {0};
    size_t count = k->c->quick && k->current.count > QUICK_BOARDS ? QUICK_BOARDS : k->current.count;
    *out = (spread){.n = count};
    for (size_t i = 0; i < count; i++) {
        holos_status status = board_solve(k, i, mode, &times[i]);
        if (status != HOLOS_OK)
            return status;
        out->solved += k->answer.complete;
        out->nodes += k->answer.nodes;
        out->total += times[i];
    }
    qsort(times, count, sizeof *times, compare_times);
    out->median = (times[(count - 1) / 2] + times[count / 2]) / 2;
    out->worst = times[count - 1];
    return HOLOS_OK;
}

/* How long the propagation of v4 takes before the first guess. */
static holos_status root_measure(contest *k, const char *name)
{
    size_t rounds = k->c->quick ? 1 : 50;
    double begin = clock_cpu();
    for (size_t round = 0; round < rounds; round++)
        for (size_t i = 0; i < k->current.count; i++) {
            hidato_state s;
            if (!hidato_state_init(&s, &k->current.boards[i], k->current.kind, 4))
                return error_set(&k->c->error, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "out of memory for a board");
            hidato_propagate(&s);
            hidato_state_free(&s);
        }
    size_t n = rounds * k->current.count;
    return bench_report(k->c, name, n, clock_cpu() - begin, "boards/s", 0);
}

/* ---- The table ---------------------------------------------------------------------------------------- */

static holos_status mode_report(contest *k, const char *mode, const spread *s)
{
    char name[48];
    snprintf(name, sizeof name, "%s-%s", k->current.name, mode);
    return bench_spread(k->c, name,
                        &(bench_times){.n = s->n,
                                       .solved = s->solved,
                                       .nodes = s->nodes,
                                       .cpu_seconds = s->total,
                                       .median = s->median,
                                       .worst = s->worst});
}

static holos_status set_report(contest *k)
{
    chart_row *row = &k->rows[k->row_count];
    memcpy(k->names[k->row_count], k->current.name, sizeof k->current.name);
    row->name = k->names[k->row_count++];
    for (size_t i = 0; i < MODES; i++) {
        spread s;
        holos_status status = set_measure(k, mode_names[i], &s);
        if (status == HOLOS_OK)
            status = mode_report(k, mode_names[i], &s);
        if (status != HOLOS_OK)
            return status;
        row->marks[i] = (chart_mark){1e3 * s.median, 1e3 * s.worst, true, s.solved == s.n};
    }
    if (strcmp(k->current.name, "10x10-a8-h0-min") == 0 || strcmp(k->current.name, "10x10-a4-h0-min") == 0) {
        char name[48];
        snprintf(name, sizeof name, "%s-root", k->current.name);
        return root_measure(k, name);
    }
    return HOLOS_OK;
}

static holos_status sets_run(contest *k)
{
    holos_status status = HOLOS_OK;
    for (const char *s = puzzles; *s != 0 && status == HOLOS_OK;) {
        s = set_read(k, s);
        if (s == NULL)
            return k->c->error.code;
        if (k->row_count < SETS_MOST && (!k->c->quick || k->current.boards[0].rows <= QUICK_SIDE))
            status = set_report(k);
    }
    if (status == HOLOS_OK && k->c->plot != NULL)
        status = chart_write(&(chart){.title = "hidato: time to find the solution and prove it unique",
                                      .series = mode_names,
                                      .rows = k->rows,
                                      .row_count = k->row_count},
                             k->c->plot, &k->c->error);
    return status;
}

/* Minimal 8x8 puzzles, each proved to have one solution and to need every given. */
static holos_status makes_report(contest *k)
{
    const holos_variant *v = k->variants[HIDATO_KING];
    const holos_puzzle_request request = {.seed = k->c->seed, .minimal = true};
    const size_t count = k->c->quick ? 8 : 200;
    holos_position *boards = aligned_alloc(16, count * v->position_size);
    struct limits limits;
    size_t made;
    if (boards == NULL)
        return error_system(&k->c->error, "the hidato benchmark");
    limits_begin(&limits, &(holos_limits){.stop = k->c->stop}, NULL);
    double begin = clock_cpu();
    holos_status status = hidato_generate(v, &request, 0, count, &limits, boards, &made, &k->c->error);
    double seconds = clock_cpu() - begin;
    free(boards);
    return status == HOLOS_OK ? bench_report(k->c, "8x8-minimal-made", count, seconds, "puzzles/s", 0)
                              : status;
}

holos_status bench_hidato(bench_context *c)
{
    contest *k = calloc(1, sizeof *k);
    if (k == NULL)
        return error_system(&c->error, "the hidato benchmark");
    k->c = c;
    holos_status status = HOLOS_OK;
    for (hidato_kind kind = HIDATO_KING; kind <= HIDATO_HEX && status == HOLOS_OK; kind++)
        status = holos_open(hidato_kind_name(kind), &k->variants[kind], &c->error);
    if (status == HOLOS_OK)
        status = sets_run(k);
    if (status == HOLOS_OK)
        status = makes_report(k);
    for (hidato_kind kind = HIDATO_KING; kind <= HIDATO_HEX; kind++)
        holos_close(k->variants[kind]);
    free(k);
    return status;
}
