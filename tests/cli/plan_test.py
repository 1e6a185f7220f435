# SPDX-License-Identifier: MIT
"""What a job says beforehand: --estimate of every kind, in words and as JSON, and how near it comes to what the run needs."""
import json
import os
import shutil
import tempfile

from tap import check, equal, holos, main, test

ROUGH = 10  # times, and what they follow from, on a machine that others use: this many times more or less


class Folder:
    """A folder of this test's own; programs run in it."""

    def __enter__(self):
        self.path = tempfile.mkdtemp(prefix="holos-plan-")
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)

    def url(self, name="store", scheme="file"):
        return f"{scheme}:{os.path.join(self.path, name)}"


def plan(*args):
    result = holos(*args, "--estimate", "--json")
    equal(result.status, 0, args, result)
    equal(len(result.json), 1)
    return result.json[0]


def within(factor, expected, found, *context):
    check(found / factor <= expected <= found * factor, "expected", expected, "found", found, *context)


# Every kind of job, with a game that takes a moment, and the words of its plan.
KINDS = (
    (("build", "kalah:3,2"), "kalah:3,2 up to 12 seeds: 18,564 positions in 49 parts; needs "),
    (("build", "kalah:3,2", "--graph"), "kalah:3,2, the reachable graph: 4,001 positions; needs about "),
    (("build", "connect4:4x3", "--book-depth", "4"), "connect4:4x3, the book: "),
    (("explore", "connect4:4x3"), "connect4:4x3, all that can be reached forward: "),
    (("explore", "chess", "KQvK"), "KQvK: up to "),
    (("build", "chess", "KQvK"), "1 table; "),
)


@test
def every_kind_of_job_has_a_plan():
    for args, words in KINDS:
        found = plan(*args)
        for field in ("game", "positions", "basis", "memory", "disk", "seconds"):
            check(field in found, args, field, found)
        check(found["positions"] > 0 and found["memory"] > 0 and found["basis"] == "exact", args, found)
        result = holos(*args, "--estimate")
        equal((result.status, len(result.lines)), (0, 1), args, result)
        check(result.out.startswith(words) and " of memory" in result.out, args, result)


@test
def a_plan_writes_nothing():
    with Folder() as folder:
        for args, _ in KINDS:
            if args[-1] == "KQvK" and args[0] == "explore":
                continue  # keeps nothing
            holos(*args, "--estimate", "--store", folder.url())
            equal(os.listdir(folder.path), [], args)


@test
def the_plan_is_said_before_long_work_starts():
    result = holos("build", "connect4:4x4", "--graph", "--verbose")
    check("connect4:4x4, the reachable graph: about 160,000 positions (an estimate, within a factor of 3)" in result.err, result)
    check("needs" not in holos("build", "kalah:3,2", "--graph").err, "short work needs no words")


@test
def what_is_small_is_counted():
    for game in ("kalah:3,2", "kalah:3,3", "connect4:4x3", "nim:3,4,5", "reversi:4"):
        found = plan("build", game, "--graph")
        run = holos("build", game, "--graph", "--json").json[0]
        equal((found["basis"], found["positions"], found["layers"]), ("exact", run["positions"], run["depths"]), game)
    for depth in ("0", "3", "8"):
        found = plan("build", "connect4:5x4", "--book-depth", depth)
        run = holos("build", "connect4:5x4", "--book-depth", depth, "--json").json[0]
        equal((found["basis"], found["positions"]), ("exact", run["folded"]), depth)
        equal(found["searches"], run["computed"], depth)


@test
def what_is_large_is_estimated_within_the_factor():
    for game in ("connect4:4x4", "kalah:4,3", "connect4:5x4"):
        found = plan("build", game, "--graph")
        run = holos("build", game, "--graph", "--json").json[0]
        equal(found["basis"], "estimate", game, found)
        within(found["factor"], run["positions"], found["positions"], game)
        within(found["factor"], run["memory"], found["memory"], game)
        within(ROUGH, run["seconds"], found["seconds"], game)
    found = plan("explore", "kalah:4,3", "--graph")
    run = holos("explore", "kalah:4,3", "--graph", "--json").json[0]
    equal((found["basis"], found["runs_back"]), ("estimate", False))
    within(found["factor"], run["positions"], found["positions"])
    within(found["factor"], run["memory"], found["memory"])


@test
def stores_are_about_as_large_as_planned():
    with Folder() as folder:
        for args in (("build", "connect4:4x4", "--graph", "--store", folder.url("graph")),
                     ("build", "connect4:4x4", "--graph", "--store", folder.url("graph.db", "sqlite")),
                     ("build", "connect4:5x4", "--book-depth", "8", "--store", folder.url("book"))):
            found = plan(*args)
            within(3, holos(*args, "--json").json[0]["bytes"], found["disk"], args)
        waves = ("explore", "connect4:4x4", "--graph", "--store", folder.url("waves"))
        found = plan(*waves)
        holos(*waves)
        within(5, os.path.getsize(os.path.join(folder.path, "waves", "hologram")), found["disk"], waves)


@test
def the_same_seed_gives_the_same_estimate():
    first, second, other = (plan("explore", "connect4:5x4", "--seed", seed)["positions"] for seed in ("1", "1", "2"))
    equal(first, second)
    check(first != other, first)
    within(3, first, other)


@test
def what_nobody_knows_is_said():
    for args in (("build", "connect4", "--graph"), ("build", "reversi:6", "--graph"), ("explore", "chess", "start")):
        found = plan(*args, "--mem", "1G")
        equal(found["basis"], "at-least", args, found)
        equal(found["memory_limit"], 1 << 30)
        within(1.01, (1 << 30) / found["memory_each"], found["fits"])
        words = holos(*args, "--mem", "1G", "--estimate").out
        for part in ("more than about ", "how many is not known; these alone need ", "1.0 GiB hold about ",
                     "--spill DIR goes past that"):
            check(part in words, args, part, words)
    spilled = holos("build", "connect4", "--graph", "--mem", "1G", "--spill", "/tmp", "--estimate").out
    check("hold about" in spilled and "--spill" not in spilled, spilled)


@test
def the_time_of_a_book_comes_from_searches():
    args = ("build", "connect4:5x4", "--book-depth", "8")
    found = plan(*args)
    equal((found["searches_tried"], found["searches_finished"]), (16, 16))
    check("seconds_more" not in found, found)
    hard = plan("build", "connect4", "--book-depth", "2")
    check(hard["searches_finished"] < hard["searches_tried"] and hard["seconds_more"] and hard["seconds"] > 0.4, hard)
    check(", at least " in holos("build", "connect4", "--book-depth", "2", "--estimate").out)
    # The game is over by then: nothing has to be searched.
    check("searches" not in plan("build", "connect4:4x3", "--book-depth", "12"))


@test
def a_hologram_to_continue_counts_what_it_holds():
    with Folder() as folder:
        args = ("explore", "connect4:4x4", "--store", folder.url())
        run = holos(*args, "--nodes", "1k", "--json").json[0]
        found = plan(*args, "--resume")
        equal((found["basis"], found["positions"]), ("at-least", run["positions"]), found)


@test
def only_what_is_proved_refuses_a_job():
    # All 5,255,649 positions are needed, but only an estimate says so: the build begins, and ends at the limit.
    result = holos("build", "kalah:4,3", "--graph", "--mem", "16M")
    equal(result.status, 4, result)
    check("needs about" in result.err and "16.0 MiB hold about" in result.err, result)
    check("does not fit into memory" in result.out, result)
    # So does a job of a moment: 29,274 positions, for which nobody has to wait.
    result = holos("build", "kalah:3,3", "--graph", "--mem", "1M")
    check("needs about" in result.err and "1.0 MiB hold about" in result.err, result)
    equal(holos("build", "kalah:3,3", "--graph").err, "")
    # 100,000 positions have been seen, and each takes 16 bytes.
    result = holos("build", "connect4", "--graph", "--mem", "1M", "--json")
    equal(result.status, 4, result)
    check("needs 1.5 MiB of memory, limit 1.0 MiB" in result.err, result)
    answer = json.loads(result.out)
    equal((answer["status"], answer["kind"], answer["memory_limit"]), ("no-memory", "graph", 1 << 20))
    check(answer["memory"] > 1 << 20, answer)
    result = holos("build", "connect4:7x6", "--book-depth", "9", "--mem", "1M")
    equal(result.status, 4, result)
    check("needs 1.6 MiB of memory, limit 1.0 MiB" in result.err, result)


main()
