/* SPDX-License-Identifier: MIT */

/* Chess tables: building them, the size of their files, probing the files and memory. The files go into a temporary
 * folder; positions are drawn evenly from all endings with four pieces. */

#include "bench.h"

#include "core/clock.h"
#include "core/rng.h"
#include "games/chess/tables/endings.h"
#include "games/chess/tables/memory.h"
#include "games/chess/tables/probe.h"

#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { POSITIONS = 200000, QUICK_POSITIONS = 2000, MEMORY_ROUNDS = 10 };

typedef struct tables_bench {
    bench_context *c;
    char folder[64];
    tb_key keys[64];
    size_t key_count;
    chess_position *positions;
    size_t count;
} tables_bench;

static int remove_one(const char *path, const struct stat *s, int flag, struct FTW *walk)
{
    (void)s;
    (void)flag;
    (void)walk;
    return remove(path);
}

/* A legal position of a material, or false: try again. */
static bool position_draw(tb_key key, rng *r, chess_position *out)
{
    *out = (chess_position){.number = 1, .side = (uint8_t)rng_below(r, 2)};
    for (unsigned side = 0; side < 2; side++) {
        for (unsigned kind = CHESS_PAWN; kind <= CHESS_KING; kind++) {
            for (unsigned i = kind == CHESS_KING ? 1 : key_count(key, side, kind); i > 0; i--) {
                unsigned square =
                    kind == CHESS_PAWN ? 8 + (unsigned)rng_below(r, 48) : (unsigned)rng_below(r, 64);
                if ((out->kinds[CHESS_ANY] >> square & 1) != 0)
                    return false;
                position_put(out, piece_make(side, kind), square);
            }
        }
    }
    return !position_in_check(out, 1 - out->side);
}

static void positions_draw(tables_bench *b)
{
    rng r;
    rng_init(&r, b->c->seed, 0);
    for (size_t i = 0; i < b->count;)
        i += position_draw(b->keys[rng_below(&r, b->key_count)], &r, &b->positions[i]);
}

/* All tables of three and four pieces; in a quick run, one. */
static holos_status measure_build(tables_bench *b)
{
    bench_context *c = b->c;
    endings_request r = {.name = c->quick ? "KQvK" : NULL,
                         .pieces = 4,
                         .folder = b->folder,
                         .threads = 1,
                         .memory = c->mem,
                         .stop = c->stop};
    endings_report report;
    uint64_t positions = 0, bytes = 0;
    double values = 0, begun = clock_cpu();
    holos_status status = endings_make(&r, &report, &c->error);
    double all = clock_cpu() - begun;
    for (size_t i = 0; i < report.count && status == HOLOS_OK; i++) {
        const ending_report *e = &report.endings[i];
        positions += e->positions;
        bytes += e->bytes;
        values += e->value_seconds;
        if (strcmp(e->name, "KQvKR") == 0) {
            status = bench_report(c, "KQvKR values", e->positions, e->value_seconds, "positions/s", 0);
            if (status == HOLOS_OK)
                status = bench_report(c, "KQvKR with files", e->positions,
                                      e->value_seconds + e->write_seconds, "positions/s", 0);
        }
    }
    free(report.endings);
    if (status == HOLOS_OK)
        status = bench_report(c, "all values", positions, values, "positions/s", 0);
    if (status == HOLOS_OK)
        status = bench_report(c, "all with files", positions, all, "positions/s", 0);
    return status == HOLOS_OK ? bench_figure(c, "files", positions, (double)bytes, "bytes") : status;
}

static holos_status measure_files(tables_bench *b)
{
    bench_context *c = b->c;
    tablebase *t;
    int sum = 0, value;
    holos_status status = tablebase_open(b->folder, &t, &c->error);
    if (status != HOLOS_OK)
        return status;
    size_t dtz = b->count / 20;
    for (size_t i = 0; i < b->count; i += 64) /* opens the tables */
        tablebase_wdl(t, &b->positions[i], &value);
    double begun = clock_cpu();
    for (size_t i = 0; i < b->count; i++)
        sum += tablebase_wdl(t, &b->positions[i], &value) == TB_FOUND ? value : 0;
    status = bench_report(c, "WDL in files", b->count, clock_cpu() - begun, "probes/s", 0);
    begun = clock_cpu();
    for (size_t i = 0; i < dtz; i++)
        sum += tablebase_dtz(t, &b->positions[i], &value) == TB_FOUND ? value : 0;
    if (status == HOLOS_OK && sum != INT32_MIN)
        status = bench_report(c, "DTZ in files", dtz, clock_cpu() - begun, "probes/s", 0);
    tablebase_close(t);
    return status;
}

static holos_status measure_memory(tables_bench *b)
{
    bench_context *c = b->c;
    memory_tables *m;
    int8_t *values = calloc(b->count, 1);
    int sum = 0, value;
    holos_status status = values == NULL
                              ? error_system(&c->error, "the endings benchmark")
                              : memory_tables_open(b->keys, b->key_count, NULL, NULL, &m, &c->error);
    if (status != HOLOS_OK) {
        free(values);
        return status;
    }
    double begun = clock_cpu();
    for (unsigned round = 0; round < MEMORY_ROUNDS; round++)
        for (size_t i = 0; i < b->count; i++)
            sum += memory_tables_wdl(m, &b->positions[i], &value) ? value : 0;
    status = bench_report(c, "WDL in memory", MEMORY_ROUNDS * b->count, clock_cpu() - begun, "probes/s", 0);
    begun = clock_cpu();
    for (unsigned round = 0; round < MEMORY_ROUNDS; round++)
        memory_tables_wdl_many(m, b->positions, b->count, values);
    for (size_t i = 0; i < b->count; i++)
        sum += values[i];
    if (status == HOLOS_OK && sum != INT32_MIN)
        status = bench_report(c, "WDL in memory, many", MEMORY_ROUNDS * b->count, clock_cpu() - begun,
                              "probes/s", 0);
    memory_tables_close(m);
    free(values);
    return status;
}

holos_status bench_endings(bench_context *c)
{
    tables_bench b = {
        .c = c, .folder = "/tmp/holos-bench-XXXXXX", .count = c->quick ? QUICK_POSITIONS : POSITIONS};
    b.positions = calloc(b.count, sizeof *b.positions);
    if (b.positions == NULL || mkdtemp(b.folder) == NULL) {
        free(b.positions);
        return error_system(&c->error, "the endings benchmark");
    }
    tb_key all[64];
    size_t count = key_all(c->quick ? 3 : 4, all, 64);
    for (size_t i = 0; i < count; i++)
        if (c->quick ? all[i] == key_one(CHESS_WHITE, CHESS_QUEEN) : key_pieces(all[i]) == 4)
            b.keys[b.key_count++] = all[i];
    positions_draw(&b);
    holos_status status = measure_build(&b);
    if (status == HOLOS_OK)
        status = measure_files(&b);
    if (status == HOLOS_OK)
        status = measure_memory(&b);
    nftw(b.folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(b.positions);
    return status;
}
