# SPDX-License-Identifier: MIT
"""match: two players, a rating with its error, a test that ends early, games that are kept and continued."""
import csv
import os
import shutil
import signal
import tempfile
import time
import xml.etree.ElementTree as ElementTree

from tap import PROGRAM, Skip, check, equal, holos, main, start, test


class Folder:
    """A folder that is gone afterwards."""

    def __enter__(self):
        self.path = tempfile.mkdtemp()
        return os.path.join(self.path, "match")

    def __exit__(self, *_):
        shutil.rmtree(self.path)


def games(folder):
    with open(os.path.join(folder, "games.csv"), encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def match(*arguments, status=0):
    result = holos("match", *arguments, "--json")
    equal(result.status, status, result)
    return result.json[0]


def timeless(rows):
    return [{k: v for k, v in row.items() if not k.startswith("seconds")} for row in rows]


@test
def whoever_looks_ahead_beats_chance():
    with Folder() as folder:
        found = match("alphabeta:depth=2", "random", "--games", "20", "--store", "file:" + folder)
        equal(found["game"], "reversi:8")
        equal(found["wins"] + found["draws"] + found["losses"], 20)
        check(found["elo"] > 100 and found["elo_low"] < found["elo"] < found["elo_high"], found)
        equal(sum(found["pairs"]), 10)
        rows = games(folder)
        equal(len(rows), 20)
        for a, b in zip(rows[::2], rows[1::2]):
            equal(a["opening"], b["opening"])
            equal((a["begins"], b["begins"]), ("1", "2"))
        check(len({row["opening"] for row in rows}) > 5, "openings repeat")
        ElementTree.parse(os.path.join(folder, "match.svg"))
        check(os.path.exists(os.path.join(folder, "match.json")))


@test
def the_number_of_threads_does_not_matter():
    with Folder() as one, Folder() as two:
        for folder, threads in ((one, "1"), (two, "3")):
            match("connect4:5x4", "alphabeta:nodes=300", "random", "--games", "10", "--threads", threads, "--store", "file:" + folder)
        equal(timeless(games(one)), timeless(games(two)))


@test
def a_match_that_is_stopped_goes_on():
    with Folder() as whole, Folder() as folder:
        match("alphabeta:depth=1", "random", "--games", "12", "--store", "file:" + whole)
        match("alphabeta:depth=1", "random", "--games", "4", "--store", "file:" + folder)
        refused = holos("match", "alphabeta:depth=1", "random", "--games", "12", "--store", "file:" + folder)
        equal(refused.status, 2, refused)
        check("--resume" in refused.err, refused)
        other = holos("match", "alphabeta:depth=2", "random", "--games", "12", "--resume", "--store", "file:" + folder)
        equal(other.status, 2, other)
        check("between others" in other.err, other)
        match("alphabeta:depth=1", "random", "--games", "12", "--resume", "--store", "file:" + folder)
        equal(timeless(games(folder)), timeless(games(whole)))
        path = os.path.join(folder, "games.csv")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text[:len(text) * 2 // 3])
        cut = holos("match", "alphabeta:depth=1", "random", "--games", "12", "--resume", "--store", "file:" + folder)
        equal(cut.status, 3, cut)
        match("alphabeta:depth=1", "random", "--games", "2", "--restart", "--store", "file:" + folder)
        equal(len(games(folder)), 2)


@test
def ctrl_c_keeps_what_was_played():
    with Folder() as folder:
        process = start("match", "alphabeta:depth=5", "random", "--games", "100000", "--store", "file:" + folder,
                        "--progress=json")
        while b"progress" not in process.stderr.readline():
            pass
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        process.communicate()
        equal(process.returncode, 130)
        resumed = match("alphabeta:depth=5", "random", "--games", "100000", "--time", "0.5", "--resume", "--store",
                        "file:" + folder, status=4)
        check(resumed["games"] % 2 == 0 and resumed["games"] > 0, resumed)


@test
def the_test_ends_a_match_early():
    found = match("alphabeta:depth=3", "random", "--games", "400", "--sprt", "0,50")
    check(found["games"] < 400, found)
    equal(found["sprt"]["verdict"], "stronger")
    check(found["sprt"]["likelihood"] >= found["sprt"]["bound"], found)
    equal(match("random", "alphabeta:depth=3", "--games", "400", "--sprt", "0,50")["sprt"]["verdict"], "not stronger")


@test
def engines_take_their_own_options():
    for player in ("zeno:simulations=20", "zeno:layers=glance,prune,simulations=20"):
        equal(match(player, "random", "--games", "2")["games"], 2)


@test
def what_is_wrong_is_said():
    for arguments, words in [(("random", "--games", "2"), "argument"),
                             (("random", "nobody"), 'unknown player "nobody"'),
                             (("random", "random", "--games", "3"), "--games must be even"),
                             (("random", "random", "--sprt", "5"), "--sprt takes two numbers"),
                             (("random", "random", "--sprt", "5,0"), "--sprt takes two numbers"),
                             (("random", "random", "--resume"), "--resume needs --store"),
                             (("random", "random", "--store", "sqlite:x.db"), "file:DIR"),
                             (("sudoku", "random", "random"), "not a game for two"),
                             (("chess:9", "random", "random"), "chess"),
                             (("random", "alphabeta:time=soon"), "time"),
                             (("random", "zeno:fast"), "is no option of a player"),
                             (("random", "alphabeta:network=x"), "--network")]:
        result = holos("match", *arguments)
        check(result.status in (2, 3), arguments, result)
        check(words in result.err, arguments, result)
    gone = holos("match", "random", "gtp:no-such-program", "--games", "2")
    equal(gone.status, 5, gone)
    check("no such program" in gone.err, gone)


@test
def holos_against_itself_by_protocol():
    found = match("reversi:4", "random", f"gtp:{PROGRAM} engine gtp reversi:4 --time 0.5", "--games", "4", "--opening-plies", "1")
    equal(found["games"], 4)
    check(found["wins"] < found["losses"], found)
    equal(match("connect4:4x4", "random", f"gtp:{PROGRAM} engine gtp connect4:4x4 --time 0.2", "--games", "2")["games"], 2)


@test
def another_program_plays_whole_games():
    rhino = shutil.which("gtp-rhino", path=os.environ.get("PATH", "") + ":/usr/games")
    if rhino is None:
        raise Skip("gtp-rhino is not installed (Debian: grhino)")
    equal(match("alphabeta:depth=2", f"gtp:{rhino} -l 1", "--games", "4")["games"], 4)


main()
