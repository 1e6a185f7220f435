/* SPDX-License-Identifier: MIT */

/* Seeds as lines of text: what --seeds reads, and what records and requests say. */

#include "core/text.h"
#include "engine/wave/wave.h"

#include <ctype.h>
#include <stdlib.h>

#define DEPTH_MOST 65000
#define WORDS      3 /* behind the position: depth, mode, direction */

static const char *const direction_names[] = {"forward", "backward"};

const char *holos_wave_direction_name(holos_wave_direction direction)
{
    return direction == HOLOS_WAVE_BACKWARD ? direction_names[1] : direction_names[0];
}

/* Cuts the last word off a text that ends at *end; its beginning, or NULL if there is none. */
static char *word_cut(char *line, size_t *end)
{
    while (*end > 0 && isspace((unsigned char)line[*end - 1]))
        --*end;
    line[*end] = 0;
    size_t begin = *end;
    while (begin > 0 && !isspace((unsigned char)line[begin - 1]))
        begin--;
    if (begin == *end)
        return NULL;
    *end = begin;
    return line + begin;
}

static bool direction_find(const char *word, holos_wave_direction *out)
{
    for (unsigned i = 0; i < 2; i++)
        if (strcmp(word, direction_names[i]) == 0) {
            *out = (holos_wave_direction)i;
            return true;
        }
    return false;
}

/* Reads the words behind the position, and cuts them off. */
static holos_status words_read(char *line, holos_wave_seed *out, holos_error *err)
{
    size_t end = strlen(line), whole;
    char *word = word_cut(line, &end);
    whole = end + (word != NULL ? strlen(word) : 0);
    if (word == NULL || !direction_find(word, &out->direction)) {
        line[whole] = 0;
        return HOLOS_OK; /* a position alone */
    }
    word = word_cut(line, &end);
    if (word == NULL || !holos_wave_mode_find(word, &out->mode))
        return error_set(err, HOLOS_BAD_POSITION, (int64_t)end,
                         "expected a mode before \"%s\": a seed is POSITION DEPTH MODE DIRECTION, such as "
                         "\"start 3 wave forward\"",
                         direction_names[out->direction]);
    int64_t depth;
    word = word_cut(line, &end);
    if (word == NULL || !text_to_int(word, 0, DEPTH_MOST, &depth))
        return error_set(err, HOLOS_BAD_POSITION, (int64_t)end,
                         "expected a depth from 0 to %d before the mode of a seed", DEPTH_MOST);
    out->depth = (unsigned)depth;
    while (end > 0 && isspace((unsigned char)line[end - 1]))
        end--;
    line[end] = 0;
    return HOLOS_OK;
}

holos_status holos_seed_parse(const holos_variant *v, const char *line, holos_position *position,
                              holos_wave_seed *out, holos_error *err)
{
    if (v == NULL || line == NULL || position == NULL || out == NULL)
        return error_null(err, __func__);
    char *own = strdup(line);
    if (own == NULL)
        return error_system(err, "a seed");
    *out = (holos_wave_seed){.position = position};
    holos_status status = words_read(own, out, err);
    if (status == HOLOS_OK)
        status = holos_parse(v, own, position, err);
    free(own);
    return status;
}

size_t holos_seed_format(const holos_variant *v, const holos_wave_seed *seed, char *out, size_t size)
{
    text t;
    if (v == NULL || seed == NULL || seed->position == NULL)
        return 0;
    text_init_fixed(&t, out, size);
    v->game->format(v, seed->position, &t);
    if (t.length == 0)
        text_string(&t, "start");
    text_printf(&t, " %u %s %s", seed->depth, holos_wave_mode_name(seed->mode),
                holos_wave_direction_name(seed->direction));
    return t.length;
}
