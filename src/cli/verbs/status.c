/* SPDX-License-Identifier: MIT */

/* What long work is doing. */

#include "cli/report.h"

static cli_status run(cli *c)
{
    holos_error err;
    holos_report *report;
    if (holos_job_inspect(c->operand_count > 0 ? c->operands[0] : ".", &report, &err) != HOLOS_OK)
        return cli_fail(&err);
    report_print(c, report);
    holos_report_close(report);
    return CLI_DONE;
}

static const cli_example examples[] = {
    {"status", "all long work in this folder and in those below it"},
    {"status waves", "the exploration that is kept there"},
    {"status file:waves --json", "the same for programs"},
    {0},
};

const cli_verb verb_status = {
    .name = "status",
    .operands = "[DIR|STORE]",
    .summary = "say what long work is doing, or where it stopped",
    .description =
        "Says for each store who is working on it, since when, and how far it has come; or how the last "
        "run ended: finished, stopped at a limit, interrupted, or killed. For a folder, it "
        "describes all stores in it.\n\n"
        "Use it to watch 'holos build' and 'holos explore' from another terminal: they update what "
        "they report every two seconds.",
    .operands_min = 0,
    .operands_max = 1,
    .shared = SHARED_JSON | SHARED_LOG,
    .examples = examples,
    .run = run,
};
