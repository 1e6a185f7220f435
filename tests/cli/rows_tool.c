/* SPDX-License-Identifier: MIT */

/* Rows that no build makes, into any store and back: for stores_test.py.
 *
 *     rows_tool fill URL GAME COUNT SEED    writes them, goes on if some are there; prints the digest
 *     rows_tool check URL GAME COUNT SEED   reads them back: all, some, ranges, keys that are not there
 *
 * Among them are the first and the last key there is, neighbours, and long gaps; rows without a value; depths and values at
 * their ends. */

#include "core/hash.h"
#include "core/rng.h"
#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 10000, QUESTIONS = 600 };

typedef struct rows_list {
    holos_row *rows;
    uint64_t count;
} rows_list;

static void fail(const char *what, const holos_error *err)
{
    fprintf(stderr, "%s: %s\n", what, err != NULL ? err->message : "not as it should be");
    exit(err != NULL && err->code == HOLOS_IO ? 5 : 1);
}

static int row_compare(const void *a, const void *b)
{
    const holos_row *x = a, *y = b;
    return holos_key_less(x->identity, y->identity) ? -1 : holos_key_less(y->identity, x->identity);
}

/* Keys of all sizes that a game of this many bits could have. */
static holos_key key_make(rng *random, unsigned bits)
{
    unsigned size = (unsigned)rng_below(random, bits + 1);
    uint64_t lo = rng_next(random), hi = rng_next(random);
    if (size <= 64)
        return (holos_key){.lo = size == 0 ? 0 : lo >> (64 - size)};
    return (holos_key){.hi = hi >> (128 - size), .lo = lo};
}

static void row_fill(holos_row *row, uint64_t i)
{
    row->depth = i % 1000 == 7 ? INT32_MAX : (uint32_t)(i % 40);
    row->has_value = i % 11 != 0;
    row->value = !row->has_value ? 0
                 : i % 997 == 1  ? INT32_MIN
                 : i % 997 == 2  ? INT32_MAX
                                 : (int32_t)(i % 25) - 12;
}

static rows_list rows_make(const holos_variant *v, uint64_t count, uint64_t seed)
{
    unsigned bits = v->key_bits > 0 && v->key_bits <= 63 ? 63 : 127;
    rows_list list = {.rows = calloc(count, sizeof *list.rows)};
    rng random;
    rng_init(&random, seed, 0);
    uint64_t top = bits == 63 ? 0 : INT64_MAX;
    for (uint64_t i = 0; i < count; i++)
        list.rows[i].identity = i == 0   ? (holos_key){0}
                                : i == 1 ? (holos_key){.hi = top, .lo = bits == 63 ? INT64_MAX : UINT64_MAX}
                                : i % 3 == 0 ? (holos_key){.hi = list.rows[i - 1].identity.hi,
                                                           .lo = list.rows[i - 1].identity.lo ^ 1}
                                             : key_make(&random, bits);
    qsort(list.rows, count, sizeof *list.rows, row_compare);
    for (uint64_t i = 0; i < count; i++)
        if (list.count == 0 || row_compare(&list.rows[list.count - 1], &list.rows[i]) != 0)
            list.rows[list.count++] = list.rows[i];
    for (uint64_t i = 0; i < list.count; i++)
        row_fill(&list.rows[i], i);
    return list;
}

static bool rows_equal(const holos_row *a, const holos_row *b)
{
    return holos_key_equal(a->identity, b->identity) && a->depth == b->depth &&
           a->has_value == b->has_value && a->value == b->value && a->has_best == b->has_best &&
           a->best == b->best;
}

static store *store_get(const char *url, store_mode mode, const holos_variant *v)
{
    holos_error err;
    store *s;
    store_options o = {.mode = mode, .kind = STORE_GRAPH, .v = v};
    if (store_open(url, &o, &s, &err) != HOLOS_OK)
        fail("open", &err);
    return s;
}

static void fill(const char *url, const holos_variant *v, const rows_list *list)
{
    holos_error err;
    store_facts facts;
    store *s = store_get(url, STORE_RESUME, v);
    for (uint64_t at = 0; at < list->count; at += BATCH) {
        uint64_t left = list->count - at;
        if (s->backend->put(s, list->rows + at, left < BATCH ? left : BATCH, &err) != HOLOS_OK)
            fail("put", &err);
    }
    if (s->backend->finish(s, &err) != HOLOS_OK)
        fail("finish", &err);
    s->backend->facts(s, &facts);
    printf("%llu %s\n", (unsigned long long)facts.positions, facts.digest);
    store_close(s);
}

/* ---- Reading ----------------------------------------------------------------------------------- */

typedef struct expectation {
    const rows_list *list;
    store_range range;
    uint64_t at;
} expectation;

static bool row_expected(void *context, const holos_row *row)
{
    expectation *e = context;
    while (e->at < e->list->count && !store_in_range(&e->range, &e->list->rows[e->at]))
        e->at++;
    if (e->at == e->list->count || !rows_equal(row, &e->list->rows[e->at++]))
        fail("a row of a scan", NULL);
    return true;
}

static void scan_check(store *s, const rows_list *list, store_range range)
{
    holos_error err;
    expectation e = {.list = list, .range = range};
    uint64_t expected = 0, counted;
    if (s->backend->scan(s, &range, row_expected, &e, &err) != HOLOS_OK)
        fail("scan", &err);
    for (uint64_t i = 0; i < list->count; i++)
        expected += store_in_range(&range, &list->rows[i]);
    for (; e.at < list->count; e.at++)
        if (store_in_range(&range, &list->rows[e.at]))
            fail("a scan that ends too early", NULL);
    if (store_count(s, &range, &counted, &err) != HOLOS_OK || counted != expected)
        fail("a count", NULL);
}

static void get_check(store *s, const rows_list *list, rng *random)
{
    static holos_key keys[QUESTIONS];
    static holos_row rows[QUESTIONS];
    static bool found[QUESTIONS];
    holos_error err;
    for (int i = 0; i < QUESTIONS; i++) {
        keys[i] = list->rows[rng_below(random, list->count)].identity;
        keys[i].lo += i % 4 == 0; /* perhaps there, perhaps not */
    }
    keys[0] = list->rows[0].identity;
    keys[1] = list->rows[list->count - 1].identity;
    keys[2] = (holos_key){.hi = UINT64_MAX, .lo = UINT64_MAX};
    if (s->backend->get(s, keys, QUESTIONS, rows, found, &err) != HOLOS_OK)
        fail("get", &err);
    for (int i = 0; i < QUESTIONS; i++) {
        holos_row asked = {.identity = keys[i]};
        const holos_row *there = bsearch(&asked, list->rows, list->count, sizeof asked, row_compare);
        if ((there != NULL) != found[i] || (there != NULL && !rows_equal(there, &rows[i])))
            fail("a row that was asked for", NULL);
    }
}

static void check(const char *url, const holos_variant *v, const rows_list *list, uint64_t seed)
{
    holos_error err;
    store *s = store_get(url, STORE_READ, v);
    rng random;
    rng_init(&random, seed, 1);
    get_check(s, list, &random);
    get_check(s, list, &random); /* from what was kept, and from what was checked before */
    scan_check(s, list, STORE_ALL);
    store_range some = STORE_ALL;
    some.first = list->rows[list->count / 3].identity;
    some.last = list->rows[list->count / 2].identity;
    scan_check(s, list, some);
    some.depth_first = 5;
    some.depth_last = 9;
    scan_check(s, list, some);
    some.last = some.first;
    some.first.lo++;
    scan_check(s, list, some); /* nothing */
    if (s->backend->check(s, NULL, &err) != HOLOS_OK)
        fail("check", &err);
    store_close(s);
}

int main(int count, char **words)
{
    holos_variant *v;
    holos_error err;
    if (count != 6 || holos_open(words[3], &v, &err) != HOLOS_OK)
        return 2;
    uint64_t seed = strtoull(words[5], NULL, 10);
    rows_list list = rows_make(v, strtoull(words[4], NULL, 10), seed);
    if (strcmp(words[1], "fill") == 0)
        fill(words[2], v, &list);
    else
        check(words[2], v, &list, seed);
    free(list.rows);
    holos_close(v);
    return 0;
}
