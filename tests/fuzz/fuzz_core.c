/* SPDX-License-Identifier: MIT */

/* What core reads, and the table. The first byte says what the rest is for: 'c' a configuration file, 'j'
 * JSON, 'n' a number, 't' operations on a table. */

#include "core/assert.h"
#include "core/config.h"
#include "core/json.h"
#include "core/table.h"

#include <float.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An accepted file has whole entries; a refused one has a message and a place in it. */
static void fuzz_config(const char *bytes, size_t size)
{
    config c;
    holos_error err = {0};
    if (config_read(&c, bytes, size, "fuzz.yaml", &err) != HOLOS_OK) {
        assert(err.message[0] != '\0' && err.at >= 0 && (size_t)err.at <= size);
        return;
    }
    for (size_t i = 0; i < c.count; i++)
        assert(c.entries[i].name[0] != '\0' && c.entries[i].value != NULL && c.entries[i].line > 0);
    config_free(&c);
}

/* Whatever a string holds, what is written can be read. */
static void fuzz_json(const char *bytes, size_t size)
{
    holos_error err = {0};
    json_t *value = json_read(bytes, size, &err);
    assert(value != NULL || (err.message[0] != '\0' && err.at >= 0 && (size_t)err.at <= size));
    json_decref(value);

    char *string = calloc(size + 1, 1);
    assert(string != NULL);
    memcpy(string, bytes, size);
    text t;
    text_init(&t);
    json j = json_begin(&t);
    json_open(&j, NULL, '{');
    json_put_string(&j, string, string);
    json_close(&j);
    value = json_read(t.data, t.length, &err);
    assert(value != NULL);
    json_decref(value);
    text_free(&t);
    free(string);
}

static void fuzz_number(const char *bytes, size_t size)
{
    char s[64] = "";
    memcpy(s, bytes, size < sizeof s - 1 ? size : sizeof s - 1);
    int64_t n;
    uint64_t u;
    double d;
    assert(!text_to_int(s, -5, 5, &n) || (n >= -5 && n <= 5));
    assert(!text_to_double(s, -1, 1, &d) || (d >= -1 && d <= 1));
    assert(!text_to_duration(s, &d) || (d >= 0 && d <= DBL_MAX));
    if (text_to_int(s, INT64_MIN, INT64_MAX, &n)) { /* reads back */
        char back[32];
        int64_t again;
        text t;
        text_init_fixed(&t, back, sizeof back);
        text_int(&t, n);
        assert(text_to_int(back, INT64_MIN, INT64_MAX, &again) && again == n);
    }
    text_to_size(s, &u);
    text_to_count(s, &u);
}

/* Keys that are near each other, far apart, and all in one slot. */
static holos_key fuzz_key(uint8_t family, uint8_t n)
{
    switch (family % 4) {
    case 0:
        return (holos_key){.lo = n};
    case 1:
        return (holos_key){.hi = (uint64_t)n << 56};
    case 2:
        return (holos_key){.hi = -(n * UINT64_C(0x9E3779B97F4A7C15)), .lo = n};
    default:
        return (holos_key){.hi = ~(uint64_t)0 - n, .lo = ~(uint64_t)0};
    }
}

/* Three bytes an operation: what to do, and the key. The model is a plain array. */
static void fuzz_table(const uint8_t *bytes, size_t size)
{
    uint8_t model[4][256] = {{0}};
    mem_budget budget;
    mem_budget_init(&budget, size > 0 ? 3000 + 100 * (size_t)bytes[0] : 0);
    table t;
    if (table_init(&t, &budget, 1, 0, NULL) != HOLOS_OK)
        return;
    for (size_t i = 1; i + 3 <= size; i += 3) {
        uint8_t n = bytes[i + 2], family = n == 0 && bytes[i + 1] % 4 < 3 ? 0 : bytes[i + 1] % 4;
        uint8_t value = model[family][n]; /* the key {0, 0} is in three families, and taken as the first's */
        uint8_t *payload = table_find(&t, fuzz_key(family, n));
        assert(payload == NULL ? value == 0 : value == *payload);
        if (bytes[i] % 8 == 0) {
            table_clear(&t);
            memset(model, 0, sizeof model);
        } else if (bytes[i] % 2 == 0) {
            bool fresh;
            payload = table_insert(&t, fuzz_key(family, n), &fresh);
            if (payload != NULL) {
                assert(fresh == (value == 0) && *payload == value);
                *payload = model[family][n] = bytes[i];
            }
        }
    }
    table_free(&t);
    assert(budget.used == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const char *rest = (const char *)data + 1;
    switch (data[0]) {
    case 'c':
        fuzz_config(rest, size - 1);
        break;
    case 'j':
        fuzz_json(rest, size - 1);
        break;
    case 'n':
        fuzz_number(rest, size - 1);
        break;
    case 't':
        fuzz_table(data + 1, size - 1);
        break;
    default:
        break;
    }
    return 0;
}
