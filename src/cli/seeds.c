/* SPDX-License-Identifier: MIT */

#include "cli/seeds.h"

#include "cli/lines.h"
#include "core/list.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_blank(const char *s)
{
    while (isspace((unsigned char)*s))
        s++;
    return *s == 0;
}

static holos_status line_take(seed_words *s, const holos_variant *v, const line *l, holos_position *p,
                              holos_error *err)
{
    holos_wave_seed seed;
    if (l->cut || memchr(l->text, 0, l->length) != NULL)
        return error_set(err, HOLOS_BAD_POSITION, HOLOS_NOWHERE, "too long, or not a text");
    holos_status status = holos_seed_parse(v, l->text, p, &seed, err);
    if (status != HOLOS_OK)
        return status;
    char *own = LIST_RESERVE(s->words, s->room, s->count + 1) ? strdup(l->text) : NULL;
    if (own == NULL)
        return error_system(err, "the seeds");
    s->words[s->count++] = own;
    return HOLOS_OK;
}

static holos_status lines_take(seed_words *s, const holos_variant *v, const char *path, lines *from,
                               holos_error *err)
{
    holos_position *p = holos_position_new(v);
    holos_status status = p != NULL ? HOLOS_OK : error_system(err, "a position");
    line l;
    uint64_t number = 0;
    holos_status ended = HOLOS_OK;
    while (status == HOLOS_OK && lines_next(from, &l, &ended, err)) {
        number++;
        if (!is_blank(l.text))
            status = line_take(s, v, &l, p, err);
        if (status != HOLOS_OK)
            error_prefix(err, "%s, line %llu: ", path, (unsigned long long)number);
    }
    if (status == HOLOS_OK && ended == HOLOS_INTERRUPTED)
        error_set(err, HOLOS_INTERRUPTED, HOLOS_NOWHERE, "interrupted");
    holos_position_free(p);
    if (status == HOLOS_OK)
        status = ended;
    if (status == HOLOS_OK && s->count == s->given)
        status = error_set(err, HOLOS_BAD_FILE, HOLOS_NOWHERE,
                           "%s has no seeds: a line is POSITION, or POSITION DEPTH MODE DIRECTION", path);
    return status;
}

holos_status seed_words_read(seed_words *s, const cli *c, const holos_variant *v, const char *path,
                             holos_error *err)
{
    *s = (seed_words){0};
    size_t given = c->operand_count - 1;
    if (!LIST_RESERVE(s->words, s->room, given + 1))
        return error_system(err, "the seeds");
    for (; s->given < given; s->given++)
        s->words[s->count++] = c->operands[s->given + 1];
    if (path == NULL)
        return HOLOS_OK;
    bool standard = strcmp(path, "-") == 0;
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_system(err, "cannot read %s", path);
    lines *from = malloc(sizeof *from);
    holos_status status = HOLOS_OK;
    if (from == NULL) {
        status = error_system(err, "the seeds");
    } else {
        lines_init(from, fd);
        status = lines_take(s, v, standard ? "standard input" : path, from, err);
    }
    free(from);
    if (!standard)
        close(fd);
    return status;
}

void seed_words_free(seed_words *s)
{
    for (size_t i = s->given; i < s->count; i++)
        free((void *)(uintptr_t)s->words[i]);
    free(s->words);
}
