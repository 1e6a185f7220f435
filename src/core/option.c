/* SPDX-License-Identifier: MIT */

#include "core/option.h"

#include "core/list.h"
#include "core/text.h"

#include <stdlib.h>
#include <string.h>

const char *holos_option_type_name(holos_option_type type)
{
    static const char *const names[] = {
        [HOLOS_OPTION_FLAG] = "flag", [HOLOS_OPTION_INT] = "int",           [HOLOS_OPTION_COUNT] = "count",
        [HOLOS_OPTION_SIZE] = "size", [HOLOS_OPTION_DURATION] = "duration", [HOLOS_OPTION_STRING] = "string",
        [HOLOS_OPTION_FILE] = "file", [HOLOS_OPTION_CHOICE] = "choice",
    };
    return (size_t)type < sizeof names / sizeof *names ? names[type] : "unknown";
}

const char *holos_use_name(holos_use use)
{
    static const char *const names[] = {[HOLOS_USE_SOLVE] = "solve",
                                        [HOLOS_USE_GENERATE] = "generate",
                                        [HOLOS_USE_JOB] = "job",
                                        [HOLOS_USE_EXPERIMENT] = "experiment",
                                        [HOLOS_USE_PLAY] = "play"};
    return (size_t)use < sizeof names / sizeof *names ? names[use] : "unknown";
}

const char *holos_owner_name(holos_owner kind)
{
    static const char *const names[] = {[HOLOS_OWNER_GAME] = "game",
                                        [HOLOS_OWNER_ENGINE] = "engine",
                                        [HOLOS_OWNER_JOB] = "job",
                                        [HOLOS_OWNER_EXPERIMENT] = "experiment"};
    return (size_t)kind < sizeof names / sizeof *names ? names[kind] : "unknown";
}

/* ---- One option -------------------------------------------------------------------------------- */

bool option_needs_value(const holos_option *option)
{
    return option->type != HOLOS_OPTION_FLAG;
}

size_t option_choice_count(const holos_option *option)
{
    size_t count = 1;
    for (const char *s = option->value; *s != 0; s++)
        count += *s == '|';
    return count;
}

const char *option_choice(const holos_option *option, size_t index, size_t *length)
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

static bool read_choice(const holos_option *option, const char *s, unsigned *out)
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

static holos_status refuse(const holos_option *option, const char *value, holos_error *err)
{
    static const char *const expected[] = {
        [HOLOS_OPTION_FLAG] = "yes or no",
        [HOLOS_OPTION_COUNT] = "a count such as 1000, 10k or 20M",
        [HOLOS_OPTION_SIZE] = "a size such as 512M or 2G",
        [HOLOS_OPTION_DURATION] = "a duration such as 0.5, 5s, 2m or 1h",
    };
    if (option->type == HOLOS_OPTION_INT)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "--%s takes a number from %lld to %lld, not \"%s\"",
                         option->name, (long long)option->min, (long long)option->max, value);
    return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "--%s takes %s, not \"%s\"", option->name,
                     option->type == HOLOS_OPTION_CHOICE ? option->value : expected[option->type], value);
}

holos_status option_set(const holos_option *option, void *base, const char *value, holos_error *err)
{
    void *member = (char *)base + option->offset;
    bool good = true;
    if (value == NULL && option_needs_value(option))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "--%s needs a value: --%s %s", option->name,
                         option->name, option->value);
    switch (option->type) {
    case HOLOS_OPTION_FLAG:
        good = value == NULL ? (*(bool *)member = true) : read_flag(value, member);
        break;
    case HOLOS_OPTION_INT:
        good = text_to_int(value, option->min, option->max, member);
        break;
    case HOLOS_OPTION_COUNT:
        good = text_to_count(value, member);
        break;
    case HOLOS_OPTION_SIZE:
        good = text_to_size(value, member);
        break;
    case HOLOS_OPTION_DURATION:
        good = text_to_duration(value, member);
        break;
    case HOLOS_OPTION_STRING:
    case HOLOS_OPTION_FILE:
        *(const char **)member = value;
        break;
    case HOLOS_OPTION_CHOICE:
        good = read_choice(option, value, member);
        break;
    }
    return good ? HOLOS_OK : refuse(option, value, err);
}

/* ---- Tables ------------------------------------------------------------------------------------ */

const holos_option *option_find(const holos_option *table, const char *name, size_t length)
{
    for (const holos_option *o = table; o != NULL && o->name != NULL; o++) {
        if (strlen(o->name) == length && memcmp(o->name, name, length) == 0)
            return o;
    }
    return NULL;
}

holos_status option_read(const holos_option *table, const holos_settings *settings, void *base,
                         holos_error *err)
{
    for (const holos_option *o = table; o != NULL && o->name != NULL; o++) {
        const char *value = settings != NULL ? holos_settings_get(settings, o->name) : NULL;
        if (value == NULL)
            value = o->fallback;
        holos_status status = value != NULL ? option_set(o, base, value, err) : HOLOS_OK;
        if (status != HOLOS_OK)
            return status;
    }
    return HOLOS_OK;
}

/* ---- Settings ---------------------------------------------------------------------------------- */

typedef struct setting {
    char *name, *value;
} setting;

struct holos_settings {
    setting *list;
    size_t count, room;
};

holos_settings *holos_settings_new(void)
{
    return calloc(1, sizeof(holos_settings));
}

void holos_settings_clear(holos_settings *settings)
{
    for (size_t i = 0; settings != NULL && i < settings->count; i++) {
        free(settings->list[i].name);
        free(settings->list[i].value);
    }
    if (settings != NULL)
        settings->count = 0;
}

void holos_settings_free(holos_settings *settings)
{
    if (settings == NULL)
        return;
    holos_settings_clear(settings);
    free(settings->list);
    free(settings);
}

static setting *setting_find(const holos_settings *settings, const char *name)
{
    for (size_t i = 0; settings != NULL && name != NULL && i < settings->count; i++)
        if (strcmp(settings->list[i].name, name) == 0)
            return &settings->list[i];
    return NULL;
}

holos_status holos_settings_set(holos_settings *settings, const char *name, const char *value,
                                holos_error *err)
{
    if (settings == NULL || name == NULL || name[0] == 0)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "settings and a name are needed");
    char *copy = strdup(value != NULL ? value : "yes");
    if (copy == NULL)
        return error_system(err, "settings");
    setting *there = setting_find(settings, name);
    if (there != NULL) {
        free(there->value);
        there->value = copy;
        return HOLOS_OK;
    }
    char *key = strdup(name);
    if (key == NULL || !LIST_RESERVE(settings->list, settings->room, settings->count + 1)) {
        free(key);
        free(copy);
        return error_system(err, "settings");
    }
    settings->list[settings->count++] = (setting){.name = key, .value = copy};
    return HOLOS_OK;
}

const char *holos_settings_get(const holos_settings *settings, const char *name)
{
    const setting *there = setting_find(settings, name);
    return there != NULL ? there->value : NULL;
}

const char *settings_name_at(const holos_settings *settings, size_t index)
{
    return settings != NULL && index < settings->count ? settings->list[index].name : NULL;
}

/* ---- Whose they are ---------------------------------------------------------------------------- */

size_t holos_option_group_format(const holos_option_group *group, char *out, size_t size)
{
    static const char *const around[][2] = {[HOLOS_OWNER_GAME] = {"", ""},
                                            [HOLOS_OWNER_ENGINE] = {"the ", " engine"},
                                            [HOLOS_OWNER_JOB] = {"the ", " job"},
                                            [HOLOS_OWNER_EXPERIMENT] = {"the experiment ", ""}};
    text t;
    text_init_fixed(&t, out, size);
    if (group != NULL && (size_t)group->kind < sizeof around / sizeof *around)
        text_printf(&t, "%s%s%s", around[group->kind][0], group->owner, around[group->kind][1]);
    return t.length;
}

/* Writes who has an option, "a, b and the wave engine"; returns how many. */
static size_t owners_list(option_groups *groups, const char *name, text *out)
{
    enum { OWNERS_MOST = 6 };
    char names[OWNERS_MOST][48];
    size_t count = 0;
    holos_option_group group;
    for (size_t i = 0; count < OWNERS_MOST && groups(i, &group); i++) {
        if (option_find(group.options, name, strlen(name)) == NULL)
            continue;
        holos_option_group_format(&group, names[count], sizeof names[count]);
        bool again = false; /* a game may have it for several kinds of jobs */
        for (size_t j = 0; j < count; j++)
            again |= strcmp(names[j], names[count]) == 0;
        count += !again;
    }
    for (size_t i = 0; i < count; i++)
        text_printf(out, "%s%s", i == 0 ? "" : i + 1 < count ? ", " : " and ", names[i]);
    return count;
}

static bool is_claimed(const char *name, const holos_option_group *parties, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (option_find(parties[i].options, name, strlen(name)) != NULL)
            return true;
    return false;
}

holos_status settings_check(const holos_settings *settings, const holos_option_group *parties, size_t count,
                            option_groups *groups, const char *what, holos_error *err)
{
    const char *name;
    for (size_t i = 0; (name = settings_name_at(settings, i)) != NULL; i++) {
        if (is_claimed(name, parties, count))
            continue;
        char owners[200];
        text list;
        text_init_fixed(&list, owners, sizeof owners);
        size_t others = owners_list(groups, name, &list);
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "--%s: %s takes no such option%s%s%s", name, what,
                         others > 0 ? "; " : "", owners,
                         others > 1   ? " do"
                         : others > 0 ? " does"
                                      : "");
    }
    return HOLOS_OK;
}
