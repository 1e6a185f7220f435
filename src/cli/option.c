/* SPDX-License-Identifier: MIT */

#include "cli/option.h"

#include "core/text.h"

#include <string.h>

bool option_needs_value(const cli_option *option)
{
    return option->type != OPTION_FLAG;
}

size_t option_choice_count(const cli_option *option)
{
    size_t count = 1;
    for (const char *s = option->value; *s != 0; s++)
        count += *s == '|';
    return count;
}

const char *option_choice(const cli_option *option, size_t index, size_t *length)
{
    const char *word = option->value;
    for (; index > 0; index--)
        word = strchr(word, '|') + 1;
    *length = strcspn(word, "|");
    return word;
}

static bool read_flag(const char *s, bool *out)
{
    static const char *const words[][2] = {{"no", "yes"}, {"false", "true"}, {"off", "on"}, {"0", "1"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        for (int value = 0; value < 2; value++) {
            if (strcmp(s, words[i][value]) == 0) {
                *out = value;
                return true;
            }
        }
    }
    return false;
}

static bool read_choice(const cli_option *option, const char *s, unsigned *out)
{
    for (size_t i = 0; i < option_choice_count(option); i++) {
        size_t length;
        const char *word = option_choice(option, i, &length);
        if (strlen(s) == length && memcmp(s, word, length) == 0) {
            *out = (unsigned)i;
            return true;
        }
    }
    return false;
}

static holos_status refuse(const cli_option *option, const char *value, holos_error *err)
{
    static const char *const expected[] = {
        [OPTION_FLAG] = "yes or no",
        [OPTION_COUNT] = "a count such as 1000, 10k or 20M",
        [OPTION_SIZE] = "a size such as 512M or 2G",
        [OPTION_DURATION] = "a duration such as 0.5, 5s, 2m or 1h",
    };
    if (option->type == OPTION_INT)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "--%s takes a number from %lld to %lld, not \"%s\"",
                         option->name, (long long)option->min, (long long)option->max, value);
    return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "--%s takes %s, not \"%s\"", option->name,
                     option->type == OPTION_CHOICE ? option->value : expected[option->type], value);
}

holos_status option_set(const cli_option *option, void *base, const char *value, holos_error *err)
{
    void *member = (char *)base + option->offset;
    bool good = true;
    if (value == NULL && option_needs_value(option))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "--%s needs a value: --%s %s", option->name,
                         option->name, option->value);
    switch (option->type) {
    case OPTION_FLAG:
        good = value == NULL ? (*(bool *)member = true) : read_flag(value, member);
        break;
    case OPTION_INT:
        good = text_to_int(value, option->min, option->max, member);
        break;
    case OPTION_COUNT:
        good = text_to_count(value, member);
        break;
    case OPTION_SIZE:
        good = text_to_size(value, member);
        break;
    case OPTION_DURATION:
        good = text_to_duration(value, member);
        break;
    case OPTION_STRING:
    case OPTION_FILE:
        *(const char **)member = value;
        break;
    case OPTION_CHOICE:
        good = read_choice(option, value, member);
        break;
    }
    return good ? HOLOS_OK : refuse(option, value, err);
}
