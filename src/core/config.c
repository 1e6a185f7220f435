/* SPDX-License-Identifier: MIT */

#include "core/config.h"

#include "core/file.h"
#include "core/list.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#define CONFIG_FILE_MOST ((size_t)1 << 20) /* bytes */
#define CONFIG_DEPTH     8                 /* maps in maps */

/* A map that is being read. */
typedef struct config_level {
    size_t prefix;    /* the length of its name with the '-' */
    yaml_mark_t name; /* where the name was that a value is expected for */
    bool has_name;
    bool in_list;
} config_level;

typedef struct config_reader {
    config *c;
    const char *bytes;
    size_t size;
    yaml_parser_t parser;
    config_level levels[CONFIG_DEPTH];
    unsigned depth;    /* maps that are open */
    text name;         /* of the value that comes, in full */
    size_t list_start; /* the entry that the list that is open began with */
    holos_error *err;
} config_reader;

/* ---- Errors ------------------------------------------------------------------------------------ */

/* libyaml counts characters; people who open the file in a program want bytes. */
static int64_t mark_offset(const config_reader *r, yaml_mark_t mark)
{
    size_t characters = 0;
    for (size_t i = 0; i < r->size; i++)
        if (((unsigned char)r->bytes[i] & 0xC0) != 0x80 && characters++ == mark.index)
            return (int64_t)i;
    return (int64_t)r->size;
}

__attribute__((format(printf, 3, 4))) static holos_status reader_error(config_reader *r, yaml_mark_t mark,
                                                                       const char *format, ...)
{
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return error_set(r->err, HOLOS_BAD_FILE, mark_offset(r, mark), "%s, line %zu, column %zu: %s",
                     r->c->source, mark.line + 1, mark.column + 1, message);
}

static holos_status reader_no_memory(config_reader *r)
{
    return error_set(r->err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory to read %s", r->c->source);
}

static holos_status reader_bad_encoding(config_reader *r)
{
    size_t offset = r->parser.problem_offset, line = 1, column = 1;
    for (size_t i = 0; i < offset && i < r->size; i++) {
        line += r->bytes[i] == '\n';
        column = r->bytes[i] == '\n' ? 1 : column + (((unsigned char)r->bytes[i] & 0xC0) != 0x80);
    }
    return error_set(r->err, HOLOS_BAD_FILE, (int64_t)offset,
                     "%s, line %zu, column %zu: %s; it should be UTF-8", r->c->source, line, column,
                     r->parser.problem);
}

static holos_status reader_syntax_error(config_reader *r)
{
    yaml_parser_t *p = &r->parser;
    if (p->error == YAML_MEMORY_ERROR)
        return reader_no_memory(r);
    if (p->error == YAML_READER_ERROR)
        return reader_bad_encoding(r);
    if (p->context == NULL)
        return reader_error(r, p->problem_mark, "%s", p->problem);
    return reader_error(r, p->problem_mark, "%s: %s", p->context, p->problem);
}

/* ---- Entries ----------------------------------------------------------------------------------- */

static bool name_is_valid(const char *name)
{
    if (*name < 'a' || *name > 'z')
        return false;
    return name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0';
}

static holos_status reader_take_name(config_reader *r, const yaml_event_t *event)
{
    config_level *level = &r->levels[r->depth - 1];
    const char *name = (const char *)event->data.scalar.value;
    if (strlen(name) != event->data.scalar.length || !name_is_valid(name))
        return reader_error(r, event->start_mark,
                            "\"%s\" is not an option name: use lower case letters, digits and '-'", name);
    r->name.length = level->prefix;
    text_string(&r->name, name);
    if (r->name.failed)
        return reader_no_memory(r);
    level->name = event->start_mark;
    level->has_name = true;
    return HOLOS_OK;
}

/* The same name elsewhere in the file; entries from `before` on are of the same list. */
static const config_entry *config_find_before(const config *c, const char *name, size_t before)
{
    for (size_t i = 0; i < before; i++)
        if (strcmp(c->entries[i].name, name) == 0)
            return &c->entries[i];
    return NULL;
}

static bool config_add(config *c, config_entry entry)
{
    if (!LIST_RESERVE(c->entries, c->room, c->count + 1))
        return false;
    c->entries[c->count++] = entry;
    return true;
}

static holos_status reader_take_value(config_reader *r, const yaml_event_t *event)
{
    config_level *level = &r->levels[r->depth - 1];
    const char *value = (const char *)event->data.scalar.value;
    bool plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    if (strlen(value) != event->data.scalar.length)
        return reader_error(r, event->start_mark, "the value of %s has a zero byte in it", r->name.data);
    if (plain && (*value == '\0' || strcmp(value, "~") == 0 || strcmp(value, "null") == 0))
        return reader_error(r, event->start_mark, "%s has no value (an empty text is \"\")", r->name.data);
    size_t own = level->in_list ? r->list_start : r->c->count;
    const config_entry *twin = config_find_before(r->c, r->name.data, own);
    if (twin != NULL)
        return reader_error(r, level->name, "%s was already given in line %u", r->name.data, twin->line);
    config_entry entry = {
        .name = arena_string(&r->c->memory, r->name.data),
        .value = arena_string(&r->c->memory, value),
        .line = (unsigned)event->start_mark.line + 1,
        .column = (unsigned)event->start_mark.column + 1,
    };
    if (entry.name == NULL || entry.value == NULL || !config_add(r->c, entry))
        return reader_no_memory(r);
    level->has_name = level->in_list;
    return HOLOS_OK;
}

/* ---- The events of a YAML file ----------------------------------------------------------------- */

static holos_status reader_open_map(config_reader *r, const yaml_event_t *event)
{
    if (r->depth == CONFIG_DEPTH)
        return reader_error(r, event->start_mark, "maps in maps, more than %d deep", CONFIG_DEPTH);
    if (r->depth > 0) {
        config_level *above = &r->levels[r->depth - 1];
        if (above->in_list)
            return reader_error(r, event->start_mark, "a map in the list %s: lists hold plain values",
                                r->name.data);
        if (!above->has_name)
            return reader_error(r, event->start_mark, "a map where the name of an option should be");
        above->has_name = false;
        text_char(&r->name, '-');
    }
    r->levels[r->depth++] = (config_level){.prefix = r->name.length};
    return r->name.failed ? reader_no_memory(r) : HOLOS_OK;
}

static holos_status reader_open_list(config_reader *r, const yaml_event_t *event)
{
    if (r->depth == 0)
        return reader_error(r, event->start_mark, "a list where options should be, such as \"threads: 4\"");
    config_level *level = &r->levels[r->depth - 1];
    if (level->in_list)
        return reader_error(r, event->start_mark, "a list in the list %s: lists hold plain values",
                            r->name.data);
    if (!level->has_name)
        return reader_error(r, event->start_mark, "a list where the name of an option should be");
    level->in_list = true;
    r->list_start = r->c->count;
    return HOLOS_OK;
}

static holos_status reader_close_list(config_reader *r, const yaml_event_t *event)
{
    config_level *level = &r->levels[r->depth - 1];
    if (r->c->count == r->list_start)
        return reader_error(r, event->start_mark, "the list %s is empty", r->name.data);
    level->in_list = level->has_name = false;
    return HOLOS_OK;
}

static holos_status reader_scalar(config_reader *r, const yaml_event_t *event)
{
    bool empty = event->data.scalar.length == 0 && event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    if (r->depth == 0)
        return empty ? HOLOS_OK /* "---" and nothing more */
                     : reader_error(r, event->start_mark,
                                    "a value where options should be, such as \"threads: 4\"");
    return r->levels[r->depth - 1].has_name ? reader_take_value(r, event) : reader_take_name(r, event);
}

static const yaml_char_t *event_tag(const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return event->data.scalar.tag;
    case YAML_SEQUENCE_START_EVENT:
        return event->data.sequence_start.tag;
    case YAML_MAPPING_START_EVENT:
        return event->data.mapping_start.tag;
    default:
        return NULL;
    }
}

static const yaml_char_t *event_anchor(const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return event->data.scalar.anchor;
    case YAML_SEQUENCE_START_EVENT:
        return event->data.sequence_start.anchor;
    case YAML_MAPPING_START_EVENT:
        return event->data.mapping_start.anchor;
    case YAML_ALIAS_EVENT:
        return event->data.alias.anchor;
    default:
        return NULL;
    }
}

static holos_status reader_take(config_reader *r, const yaml_event_t *event, unsigned *documents)
{
    if (event_anchor(event) != NULL)
        return reader_error(r, event->start_mark, "anchors and aliases (& and *) are not supported here");
    if (event_tag(event) != NULL)
        return reader_error(r, event->start_mark, "tags (%s) are not supported here", event_tag(event));
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        return ++*documents == 1 ? HOLOS_OK
                                 : reader_error(r, event->start_mark, "a second document in the file");
    case YAML_MAPPING_START_EVENT:
        return reader_open_map(r, event);
    case YAML_MAPPING_END_EVENT:
        r->depth--;
        return HOLOS_OK;
    case YAML_SEQUENCE_START_EVENT:
        return reader_open_list(r, event);
    case YAML_SEQUENCE_END_EVENT:
        return reader_close_list(r, event);
    case YAML_SCALAR_EVENT:
        return reader_scalar(r, event);
    default:
        return HOLOS_OK;
    }
}

static holos_status reader_run(config_reader *r)
{
    unsigned documents = 0;
    for (bool end = false; !end;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&r->parser, &event))
            return reader_syntax_error(r);
        end = event.type == YAML_STREAM_END_EVENT;
        holos_status status = reader_take(r, &event, &documents);
        yaml_event_delete(&event);
        if (status != HOLOS_OK)
            return status;
    }
    return HOLOS_OK;
}

/* ---- The interface ----------------------------------------------------------------------------- */

holos_status config_read(config *c, const char *bytes, size_t size, const char *source, holos_error *err)
{
    size_t mark = text_mark(bytes, size);
    bytes += mark;
    size -= mark;
    *c = (config){0};
    arena_init(&c->memory, NULL, 4096);
    c->source = arena_string(&c->memory, source);
    config_reader r = {.c = c, .bytes = bytes, .size = size, .err = err};
    if (c->source == NULL || !yaml_parser_initialize(&r.parser)) {
        config_free(c);
        return error_set(err, HOLOS_NO_MEMORY, HOLOS_NOWHERE, "no memory to read %s", source);
    }
    text_init(&r.name);
    yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)bytes, size);
    holos_status status = reader_run(&r);
    yaml_parser_delete(&r.parser);
    text_free(&r.name);
    if (status != HOLOS_OK)
        config_free(c);
    return status;
}

holos_status config_read_file(config *c, const char *path, holos_error *err)
{
    text bytes;
    text_init(&bytes);
    *c = (config){0};
    holos_status status = file_read(path, CONFIG_FILE_MOST, &bytes, err);
    if (status == HOLOS_OK)
        status = config_read(c, bytes.data, bytes.length, path, err);
    text_free(&bytes);
    return status;
}

void config_free(config *c)
{
    free(c->entries);
    arena_free(&c->memory);
    *c = (config){0};
}

holos_status config_error(const config *c, const config_entry *entry, holos_error *err, const char *format,
                          ...)
{
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s, line %u, column %u: %s", c->source, entry->line,
                     entry->column, message);
}
