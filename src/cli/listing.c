/* SPDX-License-Identifier: MIT */

#include "cli/listing.h"

#include "core/json.h"

void listing_entry(cli *c, const char *kind, const char *name, const char *summary)
{
    text *t = &c->out->text;
    if (!c->shared.json) {
        text_printf(t, "%-10s %s\n", name, summary);
        return;
    }
    json j = json_begin(t);
    json_open(&j, NULL, '{');
    json_put_string(&j, kind, name);
    json_put_string(&j, "summary", summary);
    json_close(&j);
    text_char(t, '\n');
}
