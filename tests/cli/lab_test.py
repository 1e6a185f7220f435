# SPDX-License-Identifier: MIT
"""The laboratory: every experiment runs at its quick size, writes its table and plot, and says the same again."""
import csv
import os
import re
import tempfile
import xml.dom.minidom

from tap import SOURCE, Skip, check, equal, holos, main, test

EXPERIMENTS = {line.split()[0] for line in holos("lab").lines if line and not line.startswith(" ")}
LONG = os.environ.get("HOLOS_LONG_TESTS", "0") not in ("", "0")
OVER_GAMES = ["modes", "iterations", "connect4", "compression", "tactics", "strategy", "transfer", "goal"]


@test
def the_list_has_all_experiments_of_the_document():
    listed = holos("lab").out
    for name in OVER_GAMES + ["phase", "ablation"]:
        check(name in listed, name, listed)


@test
def each_writes_a_table_a_plot_and_a_finding():
    for name in OVER_GAMES:
        with tempfile.TemporaryDirectory() as folder:
            result = holos("lab", name, "--quick", "--out", folder, "--json", "--fail-on-mismatch")
            equal(result.status, 0, name, result)
            answer = result.json[0]
            equal((answer["lab"], answer["quick"]), (name, True))
            check(len(answer["rows"]) > 2 and len(answer["finding"]) > 40, name, answer)
            with open(os.path.join(folder, name + ".csv"), encoding="utf-8") as f:
                rows = list(csv.DictReader(f))
            equal(len(rows), len(answer["rows"]), name)
            picture = xml.dom.minidom.parse(os.path.join(folder, name + ".svg"))
            check(picture.getElementsByTagName("polyline"), name)
            state = holos("status", folder, "--json").json[0]["jobs"]
            equal([(job["kind"], job["state"]) for job in state], [("experiment", "finished")])


@test
def an_ablation_is_an_experiment_too():
    with tempfile.TemporaryDirectory() as folder:
        answer = holos("lab", "ablation", "--quick", "--out", folder, "--json").json[0]
        equal(answer["lab"], "ablation")
        check({row["configuration"] for row in answer["rows"]} >= {"baseline", "all"}, answer["rows"])
        check(os.path.exists(os.path.join(folder, "ablation.csv")), os.listdir(folder))
    refused = holos("lab", "ablation", "--quick", "--game", "chess")
    check(refused.status == 2 and "no network" in refused.err, refused)


@test
def the_same_seed_gives_the_same_numbers():
    for name in ("strategy", "transfer"):
        equal(holos("lab", name, "--quick", "--seed", "7").out, holos("lab", name, "--quick", "--seed", "7").out)
        check(holos("lab", name, "--quick", "--seed", "7").out != holos("lab", name, "--quick", "--seed", "8").out, name)


@test
def it_runs_on_any_game_that_is_named():
    rows = holos("lab", "tactics", "--quick", "--game", "nim", "--position", "3,4,5 1", "--json").json[0]["rows"]
    equal(({row["subject"] for row in rows}, len(rows)), ({"nim:3,4,5"}, 72))
    for args, words in ((("tactics", "--position", "start"), "--game"), (("phase", "--game", "nim"), "one game alone"),
                        (("tactics", "--game", "chss"), "chss"), (("tactics", "--game", "sudoku"), "start")):
        result = holos("lab", *args, "--quick")
        check(result.status in (2, 3) and words in result.err, args, result)


@test
def osmosis_needs_nine_steps_where_waves_need_thousands():
    rows = [r for r in holos("lab", "modes", "--quick", "--json").json[0]["rows"] if r["subject"] == "sudoku"]
    osmosis = [r for r in rows if r["mode"] == "osmosis"][0]
    broad = [r for r in rows if r["mode"] == "wave, all moves"][0]
    equal((osmosis["solved"], osmosis["osmosis_steps"]), ("yes", 9))
    check(broad["expanded"] > 50 * osmosis["expanded"], broad)


@test
def seeds_that_are_optimized_can_be_explored():
    best = holos("optimize", "seed", "nim", "--json").json[0]
    equal(best["measured"], 72)
    check(best["efficiency"] > 1, best)
    lines = holos("optimize", "seed", "nim").out
    check(holos("explore", "nim", "--seeds", "-", "--json", stdin=lines).status in (0, 4), lines)
    several = holos("optimize", "seeds", "nim", "--count", "2", "--json", "--", "start", "1,2,3 1", "0,2,3 2").json[0]
    equal(len(several["seeds"]), 2)
    check(several["best_least"] <= several["best_most"] <= several["universe"], several)
    check(several["covered"] >= 0.632 * several["best_least"], several)
    equal(holos("optimize", "luck", "nim").status, 2)
    equal(holos("optimize", "seed", "nim", "--count", "2").status, 2)


def tables_of(name):
    """The rows of the tables of an experiment in the manual, as lists of cells."""
    with open(os.path.join(SOURCE, "docs", "lab.md"), encoding="utf-8") as f:
        section = re.search(rf"^## {name}\n(.*?)(?=^## |\Z)", f.read(), re.S | re.M).group(1)
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def record_of(name):
    with open(os.path.join(SOURCE, "docs", "lab", name + ".csv"), encoding="utf-8", newline="") as f:
        return list(csv.reader(f))


def plain(cell):
    """A cell as the record has it: without commas in numbers."""
    return cell.replace(",", "") if re.fullmatch(r"-?[0-9,]+(\.[0-9]+)?", cell) else cell


def is_part(cells, row):
    left = iter(row)
    return all(any(plain(cell) == other for other in left) for cell in cells)


@test
def the_manual_shows_what_was_recorded():
    for name in ("modes", "connect4", "compression", "strategy", "goal"):
        rows = record_of(name) + (record_of("compression-chess") if name == "compression" else [])
        for cells in tables_of(name):
            if set("".join(cells)) <= set("-: ") or not any(re.fullmatch(r"[0-9.,]+", c) for c in cells):
                continue  # the head
            check(any(is_part(cells, row) for row in rows), name, cells)


@test
def the_full_runs_give_the_recorded_tables():
    if not LONG:
        raise Skip("takes minutes; HOLOS_LONG_TESTS=1 runs it")
    with tempfile.TemporaryDirectory() as folder:
        for name in ("modes", "connect4", "compression", "tactics", "strategy", "transfer", "goal"):
            equal(holos("lab", name, "--out", folder, "--quiet").status, 0, name)
            with open(os.path.join(folder, name + ".csv"), encoding="utf-8", newline="") as f:
                equal(list(csv.reader(f)), record_of(name), name)


main()
