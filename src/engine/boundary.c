/* SPDX-License-Identifier: MIT */

#include "engine/boundary.h"

#include <stdatomic.h>

boundary_guard *boundary_begin(boundary_guard *b, const holos_boundary *from, const holos_variant *v,
                               holos_stop *stop)
{
    if (from == NULL)
        return NULL;
    *b = (boundary_guard){.from = *from, .v = v, .stop = stop};
    return b;
}

void boundary_fail(boundary_guard *b, holos_status status, const holos_error *err)
{
    if (!atomic_exchange(&b->failed, true)) {
        if (err->message[0] != 0)
            b->error = *err;
        else
            error_set(&b->error, status, HOLOS_NOWHERE, "the known values cannot be read");
        b->error.code = status;
    }
    if (b->stop != NULL)
        holos_stop_set(b->stop);
}

holos_status boundary_end(boundary_guard *b, holos_error *err)
{
    if (b == NULL || !atomic_exchange(&b->failed, false))
        return HOLOS_OK;
    if (b->stop != NULL)
        holos_stop_clear(b->stop);
    if (err != NULL)
        *err = b->error;
    return b->error.code;
}
