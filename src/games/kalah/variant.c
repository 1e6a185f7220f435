/* SPDX-License-Identifier: MIT */

#include "games/kalah/back.h"
#include "games/kalah/kalah.h"
#include "games/kalah/keys.h"

#include <stdlib.h>

/* The rule options, in the order of their names: that is also their order in a variant's full name. */
static const struct {
    const char *name;
    size_t offset; /* of the bool in kalah_rules */
} options[] = {
    {"empty-capture", offsetof(kalah_rules, empty_capture)},
    {"majority-stop", offsetof(kalah_rules, majority_stop)},
    {"mover-end", offsetof(kalah_rules, mover_end)},
};
#define OPTION_COUNT (sizeof options / sizeof options[0])

static bool *option_flag(kalah_rules *rules, size_t option)
{
    return (bool *)((char *)rules + options[option].offset);
}

/* Reads a number and moves *s behind it; false if there is none, or one of more than three digits. */
static bool read_number(const char **s, unsigned *out)
{
    const char *first = *s;
    for (*out = 0; **s >= '0' && **s <= '9' && *s < first + 4; ++*s)
        *out = 10 * *out + (unsigned)(**s - '0');
    return *s > first && *s < first + 4;
}

static holos_status read_size(const char **s, kalah_variant *out, holos_error *err)
{
    if (!read_number(s, &out->rules.pits) || *(*s)++ != ',' || !read_number(s, &out->seeds))
        return error_set(err, HOLOS_BAD_VARIANT, 0,
                         "a variant begins with pits a side and seeds a pit, such as kalah:6,4");
    if (out->rules.pits < 1 || out->rules.pits > KALAH_MAX_PITS)
        return error_set(err, HOLOS_BAD_VARIANT, 0, "%u pits a side: there can be 1 to %d", out->rules.pits,
                         KALAH_MAX_PITS);
    if (out->seeds < 1 || 2 * out->rules.pits * out->seeds > KALAH_MAX_SEEDS)
        return error_set(err, HOLOS_BAD_VARIANT, 0,
                         "%u seeds a pit: with %u pits a side there can be 1 to %u", out->seeds,
                         out->rules.pits, KALAH_MAX_SEEDS / (2 * out->rules.pits));
    return HOLOS_OK;
}

static holos_status read_option(const char *variant, const char **s, kalah_rules *rules, holos_error *err)
{
    size_t length = strcspn(*s, ",");
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (strlen(options[i].name) != length || memcmp(options[i].name, *s, length) != 0)
            continue;
        if (*option_flag(rules, i))
            return error_set(err, HOLOS_BAD_VARIANT, *s - variant, "%s is given twice", options[i].name);
        *option_flag(rules, i) = true;
        *s += length;
        return HOLOS_OK;
    }
    return error_set(err, HOLOS_BAD_VARIANT, *s - variant,
                     "'%.*s' is not an option; there are empty-capture, majority-stop and mover-end",
                     (int)(length < 40 ? length : 40), *s);
}

static holos_status read_variant(const char *variant, kalah_variant *out, holos_error *err)
{
    const char *s = variant;
    holos_status status = read_size(&s, out, err);
    while (status == HOLOS_OK && *s == ',') {
        s++;
        status = read_option(variant, &s, &out->rules, err);
    }
    if (status == HOLOS_OK && *s != 0)
        return error_set(err, HOLOS_BAD_VARIANT, s - variant, "expected a comma and an option, or the end");
    return status;
}

holos_status kalah_open(const char *variant, holos_variant *v, holos_error *err)
{
    kalah_variant read = {0};
    holos_status status = read_variant(variant[0] != 0 ? variant : "6,4", &read, err);
    if (status != HOLOS_OK)
        return status;
    kalah_variant *rules = malloc(sizeof *rules);
    if (rules == NULL)
        return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "out of memory");
    arrange_init(&read.arrange, read.rules.pits, 2 * read.rules.pits * read.seeds);
    *rules = read;
    v->rules = rules;
    text name;
    text_init_fixed(&name, v->name, sizeof v->name);
    text_printf(&name, "kalah:%u,%u", read.rules.pits, read.seeds);
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (*option_flag(&read.rules, i))
            text_printf(&name, ",%s", options[i].name);
    v->position_size = kalah_board_size(&read.rules);
    v->max_successors = read.rules.pits;
    v->max_predecessors = kalah_max_predecessors(&read.rules);
    v->score_min = -KALAH_MAX_SEEDS; /* positions may have more seeds than the start */
    v->score_max = KALAH_MAX_SEEDS;
    v->key_bits = (uint8_t)(kalah_key_bits(read.rules.pits) % 128);
    return HOLOS_OK;
}

void kalah_close(holos_variant *v)
{
    free(v->rules);
}
