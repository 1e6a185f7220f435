/* SPDX-License-Identifier: MIT */

#include "session/plan.h"

/* An estimate is shown with two digits. */
static uint64_t rounded(uint64_t value)
{
    uint64_t unit = 1;
    while (value / unit >= 100)
        unit *= 10;
    return (value + unit / 2) / unit * unit;
}

static void positions_words(text *t, const holos_plan *plan)
{
    switch (plan->basis) {
    case HOLOS_PLAN_EXACT:
        text_count(t, plan->positions);
        text_string(t, plan->positions == 1 ? " position" : " positions");
        break;
    case HOLOS_PLAN_ESTIMATE:
        text_string(t, "about ");
        text_count(t, rounded(plan->positions));
        text_printf(t, " positions (an estimate, within a factor of %.0f)", plan->factor);
        break;
    case HOLOS_PLAN_AT_LEAST:
        text_string(t, "more than about ");
        text_count(t, rounded(plan->positions));
        text_string(t, " positions; how many is not known");
        break;
    }
}

void plan_by_growth(const growth *g, const plan_costs *each, const char *what, const holos_variant *v,
                    holos_plan *out, holos_report *r)
{
    text t;
    out->basis = g->basis;
    out->factor = g->basis == HOLOS_PLAN_ESTIMATE ? GROWTH_FACTOR : 1;
    out->positions = (uint64_t)g->positions;
    out->memory_each = each->memory;
    out->memory = each->base + (uint64_t)(g->positions * each->memory);
    out->memory_least = g->seen * each->least;
    out->beyond = each->beyond;
    out->disk = (uint64_t)(g->positions * each->disk);
    out->seconds = g->positions * each->seconds;
    report_count(r, "layers", NULL, g->layers);
    text_init_fixed(&t, out->what, sizeof out->what);
    text_printf(&t, "%s, %s: ", v->name, what);
    positions_words(&t, out);
}
