# SPDX-License-Identifier: MIT
"""explore: waves into a hologram, its limits, going on, and asking it."""
import os
import shutil
import tempfile

from tap import check, equal, holos, main, test

SUDOKU = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
PLIES = [1, 7, 49, 238, 1120, 4263, 16422, 54859]


class Folder:
    """A folder that is gone afterwards; called with a name it gives the URL of a store in it."""

    def __enter__(self):
        self.path = tempfile.mkdtemp()
        return lambda name: "file:" + os.path.join(self.path, name)

    def __exit__(self, *_):
        shutil.rmtree(self.path)


def read(url):
    with open(os.path.join(url[len("file:"):], "hologram"), "rb") as file:
        return file.read()


def explore(*args, status=0):
    result = holos("explore", *args, "--json")
    equal(result.status, status, result)
    return result.json[0]


@test
def a_time_that_is_over_at_once_leaves_something_to_continue():
    with Folder() as folder:
        store = folder("soon")
        result = holos("explore", "kalah:3,3", "--store", store, "--time", "0.000001", "--json")
        equal((result.status, result.json[0]["stopped"]), (4, "time limit"), result)
        equal(holos("store", "verify", store).status, 0)
        result = holos("explore", "kalah:3,3", "--store", store, "--resume", "--json")
        equal((result.status, result.json[0]["seeds"][0]["status"]), (0, "solved"), result)


@test
def small_boards_are_proved_by_every_mode():
    for mode in ("auto", "lightning", "wave", "crystal", "osmosis"):
        for game, score in (("connect4:4x4", 0), ("kalah:3,3", 2), ("kalah:4,2", 6)):
            seed = explore(game, "--mode", mode)["seeds"][0]
            equal((mode, game, seed["lo"], seed["hi"], seed["status"]), (mode, game, score, score, "solved"))


@test
def layers_are_the_published_ones_for_any_number_of_threads():
    for threads in ("1", "3"):
        answer = explore("connect4", "--graph", "--unfolded", "--depth", "7", "--threads", threads)
        equal(answer["layers"], PLIES)
        equal(answer["depth_limited"], PLIES[-1])


@test
def a_hologram_is_gone_on_with_and_asked():
    with Folder() as folder:
        store = folder("waves")
        first = explore("connect4:4x4", "--store", store, "--nodes", "500", status=4)
        equal(first["seeds"][0]["status"], "bounded")
        again = holos("explore", "connect4:4x4", "--store", store)
        check(again.status == 2 and "--resume" in again.err, again)
        answer = holos("query", store, "start", "--json")
        equal((answer.status, answer.json[0]["lo"], answer.json[0]["hi"]),
              (4, first["seeds"][0]["lo"], first["seeds"][0]["hi"]))
        explore("connect4:4x4", "--store", store, "--resume")
        answer = holos("query", store, "start", "--json", "--moves").json[0]
        equal((answer["status"], answer["lo"], answer["source"]), ("solved", 0, "wave"))
        solved = holos("solve", "connect4:4x4", "start", "--json", "--store", store).json[0]
        equal((solved["lo"], solved["hi"]), (0, 0))


@test
def holograms_are_merged_and_asked():
    with Folder() as folder:
        # Each knows what follows a move of its own; together they know the value of both.
        for name, move in (("a", "1"), ("b", "2")):
            explore("connect4:4x4", move, "--store", folder(name))
        merged = holos("store", "merge", folder("a"), folder("b"), "--into", folder("c"), "--json")
        equal(merged.status, 0, merged)
        parts = [holos("store", "info", folder(name), "--json").json[0] for name in "ab"]
        info = holos("store", "info", folder("c"), "--json").json[0]
        equal(merged.json[0], info)
        equal(info["kind"], "hologram")
        check(max(p["positions"] for p in parts) <= info["positions"] <= sum(p["positions"] for p in parts), info)
        for move in "12":
            known = holos("query", folder("c"), move, "--json")
            true = holos("solve", "connect4:4x4", move, "--json")
            equal(known.json[0]["lo"], true.json[0]["lo"])
            equal(known.json[0]["hi"], true.json[0]["hi"])
        equal(holos("store", "verify", folder("c")).status, 0)
        again = holos("store", "merge", folder("a"), folder("b"), "--into", folder("c"))
        check(again.status == 2 and "--restart" in again.err, again)
        # In whatever order several are merged, the file is the same.
        explore("connect4:4x4", "3", "--mode", "osmosis", "--store", folder("third"))
        for target, order in (("d", ("a", "b", "third")), ("e", ("third", "a", "b"))):
            holos("store", "merge", *map(folder, order), "--into", folder(target))
        check(read(folder("d")) == read(folder("e")), "the files differ")


@test
def what_does_not_belong_together_is_not_merged():
    with Folder() as folder:
        explore("connect4:4x4", "--store", folder("waves"))
        explore("connect4:3x3", "--store", folder("other"))
        equal(holos("build", "kalah:3,2", "--store", folder("database")).status, 0)
        for args, reason in (((folder("waves"), folder("database")), "of the same kind"),
                             ((folder("waves"), folder("other")), "connect4:3x3"),
                             ((folder("waves"),), "2 stores or more")):
            result = holos("store", "merge", *args, "--into", folder("new"))
            check(result.status in (2, 3) and reason in result.err, result)
        result = holos("store", "merge", folder("waves"), folder("waves"))
        check(result.status == 2 and "--into" in result.err, result)


@test
def a_damaged_hologram_is_refused():
    with Folder() as folder:
        store = folder("waves")
        explore("nim", "--store", store)
        path = os.path.join(store[5:], "hologram")
        with open(path, "r+b") as f:
            f.seek(100)
            f.write(b"?")
        result = holos("query", store, "start")
        check(result.status == 3 and "damaged" in result.err, result)


@test
def memory_is_kept_and_passed_with_a_folder():
    with Folder() as folder:
        os.mkdir(folder("spill")[5:])
        args = ("connect4:5x4", "--mode", "wave", "--no-classes", "--no-back", "--mem", "10M")
        limited = explore(*args, status=4)
        check(limited["memory"] <= 10 << 20 and limited["memory_limited"] > 0, limited)
        spilled = explore(*args, "--spill", folder("spill")[5:])
        check(spilled["memory"] <= 10 << 20 and spilled["spilled"] > 0, spilled)
        equal(spilled["seeds"][0]["lo"], 0)
        equal(os.listdir(folder("spill")[5:]), [])


@test
def what_would_do_nothing_is_refused():
    for args in (["--mode", "wave", "--probe-depth", "5"], ["--mode", "osmosis", "--crystal-points", "3"],
                 ["--mode", "lightning", "--crystal-layers", "2"], ["--no-back", "--boundary-seeds", "9"],
                 ["--graph", "--back-depth", "2"], ["--no-classes", "--class-size", "9"],
                 ["--graph", "--mode", "crystal"], ["--graph", "--goal", "draw"],
                 ["--mode", "wave", "--spine-boundary"]):
        result = holos("explore", "connect4:4x4", *args)
        equal(result.status, 2, args)
        check("would do nothing" in result.err, result)
    for args in (["--probe-depth", "5"], ["--mode", "crystal", "--crystal-points", "3", "--crystal-layers", "2"]):
        equal(holos("explore", "connect4:4x4", *args, "--quiet").status, 0, args)


@test
def goals_filter_the_boundary():
    args = ("connect4:4x4", "--mode", "wave", "--no-back")
    every = explore(*args, "--goal", "draw,first-wins,second-wins")
    only = explore(*args, "--goal", "draw")
    equal((every["goal_filtered"], every["seeds"]), (0, only["seeds"]))
    check(only["goal_filtered"] > 0, only)
    stopped = explore(*args, "--goal", "draw", "--goal-stops")
    check(stopped["seeds"][0]["lo"] <= 0 <= stopped["seeds"][0]["hi"] and stopped["solved"] < only["solved"], stopped)
    result = holos("explore", "nim", "--goal", "x")
    check(result.status == 2 and "signature" in result.err, result)


@test
def a_sudoku_is_solved_by_osmosis_in_about_as_many_steps_as_it_has_cells():
    answer = explore("sudoku", SUDOKU, "--mode", "osmosis")
    equal((answer["seeds"][0]["lo"], answer["status"]), (1, "ok"))
    check(answer["osmosis_steps"] <= SUDOKU.count(".") + 1, answer)


@test
def waves_go_no_farther_than_they_are_told():
    args = ("connect4:4x4", "--mode", "wave")
    near = explore(*args, "--no-back", "--depth", "3")
    equal(len(near["layers"]), 4)
    check(near["depth_limited"] > 0, near)
    no_steps = explore(*args, "--back-depth", "1", "--depth", "2", "--boundary-seeds", "5")
    more = explore(*args, "--back-depth", "3", "--depth", "2", "--boundary-seeds", "5")
    check(no_steps["backward_expanded"] < more["backward_expanded"], no_steps, more)
    many = explore(*args, "--back-depth", "1", "--depth", "2", "--boundary-seeds", "50")
    check(many["boundary"] > no_steps["boundary"], many, no_steps)
    small, large = (explore("connect4:4x4", "--mode", "wave", "--class-size", size) for size in ("2", "10k"))
    check(small["class_capped"] > large["class_capped"], small, large)
    equal(small["seeds"], large["seeds"])


@test
def probes_and_crystals_are_as_deep_as_they_are_told():
    value = explore("connect4:4x4")["seeds"][0]
    for extra in (("--mode", "lightning", "--probe-depth", "2"), ("--mode", "lightning", "--spine-boundary"),
                  ("--mode", "crystal", "--crystal-points", "1", "--crystal-layers", "1"), ("--all-moves",)):
        answer = explore("connect4:4x4", *extra)
        equal((answer["seeds"][0]["lo"], answer["seeds"][0]["hi"]), (value["lo"], value["hi"]), extra)
    shallow, deep = (explore("sudoku", SUDOKU, "--mode", "wave", "--no-back", "--depth", "1", *extra)
                     for extra in ((), ("--all-moves",)))
    check(shallow["positions"] < deep["positions"], shallow, deep)
    check("--goal-stops needs --goal" in holos("explore", "connect4:4x4", "--goal-stops").err)


@test
def wrong_words_are_refused():
    for args in (("connect4", "--mode", "tide"), ("connect4", "--resume"), ("connect4", "--store", "sqlite:x"),
                 ("connect4", "--resume", "--restart")):
        equal((args, holos("explore", *args).status), (args, 2))
    equal(holos("explore", "connect4", "x").status, 3)
    result = holos("solve", "nim", "start", "--engine", "wave", "--mode", "tide")
    check(result.status == 2 and "osmosis" in result.err, result)


main()
