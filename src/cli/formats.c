/* SPDX-License-Identifier: MIT */

#include "cli/formats.h"

#include "cli/words.h"

#include <string.h>

holos_status format_find(const holos_variant *v, const char *name, const char *fallback,
                         const holos_notation **out, holos_error *err)
{
    char list[128];
    text t;
    text_init_fixed(&t, list, sizeof list);
    const holos_notation *notation = v->game->notations;
    const char *wanted = name != NULL ? name : fallback;
    *out = NULL;
    for (; notation != NULL && notation->name != NULL; notation++) {
        if (strcmp(notation->name, wanted) == 0) {
            *out = notation;
            return HOLOS_OK;
        }
        text_printf(&t, ", %s", notation->name);
    }
    if (name == NULL)
        return HOLOS_OK;
    return error_set(err, HOLOS_USAGE, HOLOS_NOWHERE, "there is no format \"%s\" for %s%s%s", name, v->name,
                     t.length > 0 ? "; there are: " : "", t.length > 0 ? list + 2 : "");
}

void format_write(text *t, const holos_variant *v, const holos_position *p, const holos_notation *notation)
{
    if (notation != NULL) {
        notation->write(v, p, t);
        return;
    }
    words_position(t, v, p);
    text_char(t, '\n');
}
