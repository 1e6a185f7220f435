/* SPDX-License-Identifier: MIT */

#include "cli/known.h"

#include "core/error.h"

holos_status known_open(const char *url, bool shipped, const holos_variant *v, size_t memory,
                        holos_knowledge **out, holos_error *err)
{
    holos_knowledge_options options = {.memory = memory};
    *out = NULL;
    if (url != NULL)
        return holos_knowledge_open(url, v, &options, out, err);
    if (!shipped)
        return HOLOS_OK;
    holos_status status = holos_knowledge_open_shipped(v, &options, out, err);
    if (status != HOLOS_OK)
        error_prefix(err, "the book cannot be used (--no-book does without it): ");
    return status;
}
