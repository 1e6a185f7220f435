/* SPDX-License-Identifier: MIT */

/* Phase operators: do they reach what pieces reach, and which rings would do as well? */

#include "core/json.h"
#include "game/experiment.h"
#include "games/chess/phase/experiment.h"

/* Moduli that are worth a look: powers of two, products, primes, and the last before there are any. */
static const unsigned quick_moduli[] = {64, 128, 256, 301, 512, 640};
static const unsigned moduli[] = {64, 128, 225, 256, 301, 343, 400, 512, 521, 640, 641, 720};

static const struct {
    unsigned row, column;
} generators[] = {{67, 7}, {7, 67}, {29, 1}, {22, 1}, {15, 1}, {8, 1}, {10, 7}, {45, 23}};

enum { MODULUS_MOST = 1024 };

typedef struct survey {
    phase_modulus moduli[16];
    size_t count;
    struct {
        unsigned least, free;
    } generators[sizeof generators / sizeof generators[0]];
} survey;

static void survey_run(survey *s, bool quick, const struct limits *limits)
{
    const unsigned *list = quick ? quick_moduli : moduli;
    phase_differences d;
    phase_differences_find(&d);
    s->count = quick ? sizeof quick_moduli / sizeof quick_moduli[0] : sizeof moduli / sizeof moduli[0];
    for (size_t i = 0; i < s->count; i++)
        s->moduli[i] = phase_modulus_survey(&d, list[i], limits);
    for (size_t i = 0; i < sizeof generators / sizeof generators[0]; i++)
        s->generators[i].least = phase_least_modulus(&d, generators[i].row, generators[i].column,
                                                     MODULUS_MOST, &s->generators[i].free);
}

static void survey_print(const survey *s, text *t)
{
    text_string(t, "\nmodulus   generator pairs   without aliases   share   the first   67 and 7\n");
    for (size_t i = 0; i < s->count; i++) {
        const phase_modulus *m = &s->moduli[i];
        char first[24];
        text pair;
        text_init_fixed(&pair, first, sizeof first);
        if (m->free > 0)
            text_printf(&pair, "%u, %u", m->row, m->column);
        else
            text_char(&pair, '-');
        text_printf(t, "%7u %17u %17u %6.1f%% %11s   %s\n", m->modulus, m->pairs, m->free,
                    100.0 * m->free / m->pairs, first, m->usual ? "yes" : "no");
    }
    text_printf(t, "\ngenerators   least modulus without aliases   such moduli up to %d\n", MODULUS_MOST);
    for (size_t i = 0; i < sizeof generators / sizeof generators[0]; i++) {
        text_printf(t, "%5u, %3u ", generators[i].row, generators[i].column);
        if (s->generators[i].least == 0)
            text_printf(t, "%31s %24d\n", "none", 0);
        else
            text_printf(t, "%31u %24u\n", s->generators[i].least, s->generators[i].free);
    }
}

static void survey_csv(const survey *s, text *t)
{
    text_string(t, "modulus,pairs,free,first_row,first_col,usual_free\n");
    for (size_t i = 0; i < s->count; i++) {
        const phase_modulus *m = &s->moduli[i];
        text_printf(t, "%u,%u,%u,%u,%u,%s\n", m->modulus, m->pairs, m->free, m->row, m->column,
                    m->usual ? "true" : "false");
    }
}

static void print_json(text *out, const phase_ring *ring, unsigned equal, const survey *s)
{
    json j = json_begin(out);
    json_open(&j, NULL, '{');
    json_put_string(&j, "lab", "phase");
    json_put_uint(&j, "modulus", ring->modulus);
    json_put_uint(&j, "row", ring->row);
    json_put_uint(&j, "column", ring->column);
    json_put_uint(&j, "pairs", PHASE_ROWS);
    json_put_uint(&j, "equivalent", equal);
    json_open(&j, "moduli", '[');
    for (size_t i = 0; i < s->count; i++) {
        json_open(&j, NULL, '{');
        json_put_uint(&j, "modulus", s->moduli[i].modulus);
        json_put_uint(&j, "pairs", s->moduli[i].pairs);
        json_put_uint(&j, "free", s->moduli[i].free);
        json_put_bool(&j, "usual", s->moduli[i].usual);
        json_close(&j);
    }
    json_close(&j);
    json_close(&j);
    text_char(out, '\n');
}

static holos_status write_tables(const experiment_task *task, const phase_row *rows, const survey *s,
                                 holos_error *err)
{
    text table;
    text_init(&table);
    phase_rows_csv(rows, &table);
    holos_status status = experiment_write(task, "exp1_equivalence.csv", &table, err);
    text_clear(&table);
    survey_csv(s, &table);
    if (status == HOLOS_OK)
        status = experiment_write(task, "moduli.csv", &table, err);
    text_free(&table);
    return status;
}

static holos_status phase_run(const experiment_task *task, text *out, holos_experiment_result *result,
                              holos_error *err)
{
    const phase_settings *asked = task->settings;
    phase_ring ring;
    phase_row rows[PHASE_ROWS];
    survey s = {0};
    if (asked->row >= asked->modulus || asked->column >= asked->modulus)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "--row and --column must be below the modulus, %lld", (long long)asked->modulus);
    phase_ring_init(&ring, (unsigned)asked->modulus, (unsigned)asked->row, (unsigned)asked->column);
    unsigned equal = phase_compare(&ring, rows);
    survey_run(&s, task->quick, task->limits);
    if (!limits_check(task->limits))
        return limits_error(task->limits, "moduli", err);
    result->compared = PHASE_ROWS;
    result->mismatches = PHASE_ROWS - equal;
    holos_status status = write_tables(task, rows, &s, err);
    if (status != HOLOS_OK)
        return status;
    if (task->json) {
        print_json(out, &ring, equal, &s);
    } else {
        text_printf(out, "§11.3 complete: %u/%d pairs equivalent\n", equal, PHASE_ROWS);
        survey_print(&s, out);
    }
    return HOLOS_OK;
}

const holos_experiment chess_experiments[] = {
    {.name = "phase",
     .summary = "chess pieces as shifts modulo 640: 416 pieces alone on the board, and rings without aliases",
     .run = phase_run},
    {0},
};
