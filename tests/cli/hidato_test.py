# SPDX-License-Identifier: MIT
"""hidato: boards in every notation, modes, limits, telemetry, conflicts, the benchmark and its picture."""
import os
import tempfile
import xml.dom.minidom

from tap import check, equal, expected_fields, holos, main, test

KNOWN = (". 33 35 . . # # #/. . 24 22 . # # #/. . . 21 . . # #/. 26 . 13 40 11 # #/27 . . . 9 . 1 #/"
         "# # . . 18 . . #/# # # # . 7 . ./# # # # # # 5 .")
SOLUTION = ("32 33 35 36 37 # # #/31 34 24 22 38 # # #/30 25 23 21 12 39 # #/29 26 20 13 40 11 # #/27 28 14 19 9 10 1 #/"
            "# # 15 16 18 8 2 #/# # # # 17 7 6 3/# # # # # # 5 4")
WIDE = "1 . . . . ./. . . . . ./. . . . . ./. . . . . ./. . . . . ./. . . . . 36"


def one(*args, **keywords):
    result = holos("solve", *args, "--json", **keywords)
    equal(len(result.lines), 1, result)
    return result.json[0]


@test
def a_board_is_solved_and_its_solution_is_the_only_one():
    answer = one("hidato", KNOWN)
    equal((answer["solution"], answer["solutions"], answer["solutions_complete"]), (SOLUTION, 1, True))
    equal(set(answer), expected_fields("An answer", "a puzzle"), answer)


@test
def every_notation_is_read():
    grid = KNOWN.replace("/", "\n") + "\n"
    rows = [[None if cell == "." else cell if cell == "#" else int(cell) for cell in row.split()]
            for row in KNOWN.split("/")]
    equal(one("hidato", "--whole", stdin=grid)["solution"], SOLUTION)
    equal(one("hidato", str(rows).replace("None", "null").replace("'", '"'))["solution"], SOLUTION)
    equal(one("hidato", "3x3mR:1cAb6a")["solution"], one("hidato", "1 . ./. # ./. 6 .")["solution"])


@test
def modes_do_what_they_say():
    for mode, status in (("v1", 4), ("v2", 4), ("v3", 0), ("v3-table", 0), ("v4", 0)):
        result = holos("solve", "hidato", WIDE, "--mode", mode, "--json")
        equal(result.status, status, result)
        answer = result.json[0]
        equal("known" in answer, status == 4, answer)
        equal(answer.get("limit"), "what the mode can conclude" if status == 4 else None)
        if status == 4:
            equal((answer["status"], answer["lo"], answer["hi"], answer["nodes"]), ("bounded", 0, 1, 0))


@test
def an_unknown_mode_is_a_usage_error():
    result = holos("solve", "hidato", WIDE, "--mode", "v5")
    check(result.status == 2 and "v1|v2|v3|v3-table|v4" in result.err, result)
    result = holos("solve", "sudoku", "." * 81, "--mode", "v1")
    check(result.status == 2 and "--mode: sudoku solved by puzzle takes no such option; hidato and the wave engine do" in result.err, result)


@test
def budgets_end_a_search_and_are_named():
    for option, value, limit in (("--nodes", "3", "the node limit"), ("--depth", "2", "the depth limit")):
        result = holos("solve", "hidato", WIDE, "--mode", "v3", "--solutions", "1000000", option, value, "--json")
        equal((result.status, result.json[0]["limit"]), (4, limit), result)


@test
def telemetry_lists_the_techniques_of_the_mode():
    answer = one("hidato", KNOWN, "--mode", "v1", "--telemetry")
    equal([t["technique"] for t in answer["techniques"]], ["two-ended", "single-position", "single-value"])
    equal(set(answer["techniques"][0]), {"technique", "calls", "removals", "conflicts", "seconds"})
    check(sum(t["removals"] for t in answer["techniques"]) > 0, answer)
    check("two-ended" in holos("solve", "hidato", KNOWN, "--telemetry").out)


@test
def a_board_without_a_solution_has_a_reason():
    result = holos("solve", "hidato", "1 . . . 4")
    equal(result.status, 1, result)
    check("1 in r1c1 and 4 in r1c5 are too far apart" in result.out, result)
    answer = one("hidato:4", "1 ./. 2")
    equal((answer["outcome"], answer["reason"]), ("unsolvable", "1 in r1c1 and 2 in r2c2 are not neighbours"))


@test
def bad_boards_are_errors_and_the_others_go_on():
    result = holos("solve", "hidato", "--json", stdin="1 . 1\n1 . .\n1 # .\n9 .\n")
    equal([a["status"] for a in result.json], ["error", "solved", "error", "error"], result)
    equal([a["error"]["at"] for a in result.json if "error" in a], [4, 4, 0])


@test
def the_same_board_takes_the_same_steps():
    for mode in ("v3", "v4"):
        first, second = (one("hidato:4", WIDE, "--mode", mode, "--telemetry", "--solutions", "50") for _ in range(2))
        for answer in (first, second):
            del answer["seconds"]
            for technique in answer["techniques"]:
                del technique["seconds"]
        equal(first, second)


@test
def the_benchmark_is_a_table_json_and_a_picture():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "hidato.svg")
        result = holos("bench", "hidato", "--quick", "--json", "--plot", path)
        equal(result.status, 0, result)
        cases = {case["case"]: case for case in result.json}
        made = cases.pop("8x8-minimal-made")
        check(made["unit"] == "puzzles/s" and made["n"] > 0, made)
        for name, case in cases.items():
            equal(set(case) - {"nodes"}, expected_fields("A case of a benchmark", "hidato"), case)
            check(case["median_ms"] <= case["worst_ms"], case)
            check(not name.endswith("-v4") or case["solved"] == case["n"], case)
        check("8x8-a6-h0-min-v4" in cases and "5x5-a4-h0-dense-v1" in cases)
        picture = xml.dom.minidom.parse(path)
        equal(len(picture.getElementsByTagName("circle")), len(cases) + 4)


main()
