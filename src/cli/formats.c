/* SPDX-License-Identifier: MIT */

#include "cli/formats.h"

#include "cli/words.h"

holos_status format_find(const holos_variant *v, const char *name, const char *fallback, size_t *out,
                         holos_error *err)
{
    const holos_game *game = holos_variant_game(v);
    const char *other;
    char list[128];
    text t;
    *out = holos_notation_find(game, name != NULL ? name : fallback);
    if (*out != SIZE_MAX || name == NULL)
        return HOLOS_OK;
    text_init_fixed(&t, list, sizeof list);
    for (size_t i = 0; (other = holos_notation_name(game, i)) != NULL; i++)
        text_printf(&t, "%s%s", i > 0 ? ", " : "; it has ", other);
    return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "%s has no format \"%s\"%s", holos_variant_name(v),
                     name, list);
}

void format_write(text *t, const holos_variant *v, const holos_position *p, size_t notation)
{
    if (notation != SIZE_MAX) {
        text_take(t, holos_format_as, v, p, notation);
        return;
    }
    words_position(t, v, p);
    text_char(t, '\n');
}
