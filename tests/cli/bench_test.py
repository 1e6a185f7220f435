# SPDX-License-Identifier: MIT
"""Every benchmark and every experiment runs, at the small size of --quick.

The lists come from the program, so a new benchmark is tested as soon as it is listed.
"""
import os
import tempfile

import tap
from tap import check, documented_fields, equal, expected_fields, holos, main, test

NUMBERS = ("n", "cpu_seconds", "rate")
# Figures that may be zero: what a method needs beside a table that it shares with the others.
MAY_BE_ZERO = ("bytes/position beside the table",)


def check_case(name, case):
    extra = set(case) - expected_fields("A case of a benchmark")
    equal(set(case) - extra, expected_fields("A case of a benchmark"), case)
    check(extra <= set(documented_fields("A case of a benchmark")), "undocumented fields", extra, case)
    equal(case["bench"], name)
    check(case["case"] and case["unit"], case)
    for field in (*NUMBERS, *(extra & {"nodes", "solved", "median_ms", "worst_ms"})):
        check(isinstance(case[field], (int, float)) and case[field] >= 0, field, case)
    check(isinstance(case["n"], int) and case["n"] > 0, case)
    check(case["rate"] > 0 or case["unit"] in MAY_BE_ZERO, case)
    if case["cpu_seconds"] > 0:
        # The rate has about six digits.
        expected = case["n"] / case["cpu_seconds"]
        check(abs(case["rate"] - expected) <= 1e-4 * expected, case)


def bench_runs(name):
    result = holos("bench", name, "--quick", "--json")
    equal(result.status, 0, result)
    equal(result.err, "", result)
    cases = result.json
    check(cases, "no case at all", result)
    for case in cases:
        check_case(name, case)
    names = [case["case"] for case in cases]
    equal(len(set(names)), len(names), "two cases have the same name", names)


def lab_runs(name):
    with tempfile.TemporaryDirectory() as folder:
        result = holos("lab", name, "--quick", "--json", "--out", os.path.join(folder, "tables"))
        equal(result.status, 0, result)
        tables = os.listdir(os.path.join(folder, "tables"))
        check(tables and all(os.path.getsize(os.path.join(folder, "tables", t)) > 0 for t in tables), tables)
    equal([row["lab"] for row in result.json], [name], result)
    check(holos("lab", name, "--quick").out.strip(), "it prints nothing")


def listed(verb, *arguments):
    result = holos(verb, *arguments, "--json")
    equal(result.status, 0, result)
    check(result.json, "an empty list", result)
    for entry in result.json:
        equal(list(entry), [verb, "summary"], entry)
    return [entry[verb] for entry in result.json]


@test
def the_lists_are_the_same_for_people():
    for verb, arguments in (("bench", ["--list"]), ("lab", [])):
        equal([line.split()[0] for line in holos(verb, *arguments).lines], listed(verb, *arguments))


for kind, run, arguments in (("bench", bench_runs, ["--list"]), ("lab", lab_runs, [])):
    for entry_name in listed(kind, *arguments):
        def entry_test(run=run, name=entry_name):
            run(name)
        entry_test.__name__ = f"{kind} {entry_name} runs"
        tap.test(entry_test)

main()
