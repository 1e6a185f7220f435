/* SPDX-License-Identifier: MIT */

#include "cli/jsonl.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const char *const command_names[] = {
    [QUERY_SOLVE] = "solve",
    [QUERY_CHOOSE] = "choose",
    [QUERY_THINK] = "think",
    [QUERY_TERMINATE] = "terminate",
    [QUERY_TERMINATE_ALL] = "terminate_all",
    [QUERY_VERSION] = "query_version",
    [QUERY_GAMES] = "query_games",
};
enum { COMMAND_COUNT = sizeof command_names / sizeof *command_names };

const char *query_command_name(query_command command)
{
    return command_names[command];
}

bool query_is_work(query_command command)
{
    return command <= QUERY_THINK;
}

/* ---- Fields ------------------------------------------------------------------------------------ */

typedef holos_status field_reader(const json_t *value, void *out, const char *name, holos_error *err);

static holos_status read_string(const json_t *value, void *out, const char *name, holos_error *err)
{
    if (!json_is_string(value))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s is a string", name);
    *(const char **)out = json_string_value(value);
    return HOLOS_OK;
}

static holos_status read_flag(const json_t *value, void *out, const char *name, holos_error *err)
{
    if (!json_is_boolean(value))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s is true or false", name);
    *(bool *)out = json_is_true(value);
    return HOLOS_OK;
}

static holos_status read_seconds(const json_t *value, void *out, const char *name, holos_error *err)
{
    double seconds = json_is_number(value) ? json_number_value(value) : -1;
    if (!(seconds >= 0 && seconds <= 1e9))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s is a number of seconds, not negative", name);
    *(double *)out = seconds;
    return HOLOS_OK;
}

static holos_status read_count(const json_t *value, void *out, const char *name, holos_error *err)
{
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s is a whole number, not negative", name);
    *(uint64_t *)out = (uint64_t)json_integer_value(value);
    return HOLOS_OK;
}

static holos_status read_command(const json_t *value, void *out, const char *name, holos_error *err)
{
    const char *word = json_is_string(value) ? json_string_value(value) : "";
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(word, command_names[i]) == 0) {
            *(query_command *)out = (query_command)i;
            return HOLOS_OK;
        }
    return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                     "%s is solve, choose, think, terminate, terminate_all, query_version or query_games",
                     name);
}

static holos_status read_options(const json_t *value, void *out, const char *name, holos_error *err)
{
    if (!json_is_object(value))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s is an object of strings", name);
    holos_settings *settings = *(holos_settings **)out = holos_settings_new();
    if (settings == NULL)
        return error_system(err, "the options");
    for (void *at = json_object_iter((json_t *)(uintptr_t)value); at != NULL;
         at = json_object_iter_next((json_t *)(uintptr_t)value, at)) {
        const json_t *given = json_object_iter_value(at);
        if (!json_is_string(given))
            return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s is an object of strings", name);
        holos_status status =
            holos_settings_set(settings, json_object_iter_key(at), json_string_value(given), err);
        if (status != HOLOS_OK)
            return status;
    }
    return HOLOS_OK;
}

static const struct {
    const char *name;
    field_reader *read;
    size_t offset;
} fields[] = {
    {"id", read_string, offsetof(query, id)},
    {"cmd", read_command, offsetof(query, command)},
    {"game", read_string, offsetof(query, game)},
    {"position", read_string, offsetof(query, position)},
    {"time", read_seconds, offsetof(query, time)},
    {"nodes", read_count, offsetof(query, nodes)},
    {"memory", read_count, offsetof(query, memory)},
    {"depth", read_count, offsetof(query, depth)},
    {"seed", read_count, offsetof(query, seed)},
    {"report", read_seconds, offsetof(query, report)},
    {"engine", read_string, offsetof(query, engine)},
    {"options", read_options, offsetof(query, options)},
    {"moves", read_flag, offsetof(query, moves)},
    {"line", read_flag, offsetof(query, line)},
    {"weak", read_flag, offsetof(query, weak)},
    {"terminate_id", read_string, offsetof(query, terminate_id)},
};
_Static_assert(sizeof(size_t) == sizeof(uint64_t), "memory is read as a count");

static holos_status field_read(query *q, const char *name, const json_t *value, holos_error *err)
{
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (strcmp(fields[i].name, name) == 0)
            return fields[i].read(value, (char *)q + fields[i].offset, name, err);
    return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "unknown field \"%.40s\"", name);
}

/* What a command cannot do without. */
static holos_status needs_check(const query *q, const char **field, holos_error *err)
{
    const char *missing = q->id == NULL                                              ? "id"
                          : query_is_work(q->command) && q->game == NULL             ? "game"
                          : q->command == QUERY_TERMINATE && q->terminate_id == NULL ? "terminate_id"
                                                                                     : NULL;
    if (missing == NULL)
        return HOLOS_OK;
    *field = missing;
    return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s is missing", missing);
}

holos_status query_read(query *q, const char *line, size_t length, const char **field, holos_error *err)
{
    *q = (query){.command = QUERY_SOLVE};
    *field = NULL;
    q->whole = json_read(line, length, err);
    if (q->whole == NULL)
        return err->code;
    if (!json_is_object(q->whole))
        return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE,
                         "a question is a JSON object: {\"id\":…,\"game\":…,\"position\":…}");
    /* The id first: then whatever else is wrong, the answer names it. */
    if (json_is_string(json_object_get(q->whole, "id")))
        q->id = json_string_value(json_object_get(q->whole, "id"));
    holos_status status = HOLOS_OK;
    for (void *at = json_object_iter(q->whole); status == HOLOS_OK && at != NULL;
         at = json_object_iter_next(q->whole, at)) {
        status = field_read(q, json_object_iter_key(at), json_object_iter_value(at), err);
        if (status != HOLOS_OK)
            *field = json_object_iter_key(at);
    }
    return status == HOLOS_OK ? needs_check(q, field, err) : status;
}

void query_free(query *q)
{
    holos_settings_free(q->options);
    json_decref(q->whole);
}

/* ---- Answers ----------------------------------------------------------------------------------- */

json answer_begin(text *out, const query *q, bool partial)
{
    json j = json_begin(out);
    json_open(&j, NULL, '{');
    if (q->id != NULL)
        json_put_string(&j, "id", q->id);
    else
        json_put_null(&j, "id");
    json_put_string(&j, "cmd", command_names[q->command]);
    json_put_bool(&j, "partial", partial);
    return j;
}

void answer_end(json *j)
{
    json_close(j);
    text_char(j->out, '\n');
}
