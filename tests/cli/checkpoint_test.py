# SPDX-License-Identifier: MIT
"""solve --checkpoint: a search that was stopped or killed goes on, and finds the same answer."""
import json
import os
import random
import shutil
import signal
import tempfile
import time

from tap import check, equal, holos, main, start, test

GAME = "kalah:4,5"
FIELDS = ("status", "lo", "hi", "outcome", "best")


class Folder:
    """A folder that is gone afterwards; called with a name it gives a path in it."""

    def __enter__(self):
        self.path = tempfile.mkdtemp()
        return lambda name: os.path.join(self.path, name)

    def __exit__(self, *_):
        shutil.rmtree(self.path)


def answer_of(result):
    answer = result.json[0]
    return {name: answer.get(name) for name in FIELDS}


def solve(path, *options, game=GAME):
    return holos("solve", game, "start", "--json", "--checkpoint", path, *options)


@test
def a_search_that_is_killed_goes_on():
    chance = random.Random(5)
    whole = holos("solve", GAME, "start", "--json")
    with Folder() as folder:
        path = folder("search")
        killed = 0
        while killed < 20:
            process = start("solve", GAME, "start", "--json", "--checkpoint", path, "--checkpoint-every", "0.02",
                            "--resume")
            # The first one writes something; the others end wherever they are.
            while killed == 0 and not os.path.exists(path):
                time.sleep(0.01)
            time.sleep(chance.uniform(0, 0.12))
            process.send_signal(signal.SIGKILL)
            process.communicate()
            killed += 1
        check([name for name in os.listdir(os.path.dirname(path)) if name == "search"], "no checkpoint")
        last = solve(path, "--resume")
        equal(last.status, 0, last)
        equal(answer_of(last), answer_of(whole))
        check(last.json[0]["nodes"] < whole.json[0]["nodes"], last.json[0]["nodes"], whole.json[0]["nodes"])
        # What is solved need not be searched again.
        again = solve(path, "--resume")
        equal(answer_of(again), answer_of(whole))
        check(again.json[0]["nodes"] < whole.json[0]["nodes"] / 50, again.json[0]["nodes"])


@test
def limits_and_interrupts_leave_a_checkpoint():
    whole = holos("solve", GAME, "start", "--json", "--moves")
    with Folder() as folder:
        path = folder("search")
        step = solve(path, "--moves", "--nodes", "300k")
        equal((step.status, step.json[0]["status"]), (4, "bounded"), step)
        process = start("solve", GAME, "start", "--json", "--moves", "--checkpoint", path, "--resume")
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
        check(process.returncode in (0, 130), process.returncode, out, err)
        runs = 1
        while step.status != 0:
            step = solve(path, "--moves", "--nodes", "1M", "--resume")
            check(step.status in (0, 4), step)
            runs += 1
            check(runs < 40, "it does not get anywhere")
        step = solve(path, "--moves", "--resume")
        equal(answer_of(step), answer_of(whole))
        equal([(m["move"], m["lo"], m["hi"]) for m in step.json[0]["moves"]],
              [(m["move"], m["lo"], m["hi"]) for m in whole.json[0]["moves"]])


@test
def a_checkpoint_is_never_overwritten_unasked_and_never_mistaken():
    with Folder() as folder:
        path = folder("search")
        equal(solve(path, game="kalah:3,3").status, 0)
        for options, status, reason in (((), 2, "--resume"), (("--resume",), 2, "is a checkpoint of kalah:3,3")):
            result = solve(path, *options, game=GAME)
            said = result.err if result.err else json.dumps(result.json)
            check(result.status == status and reason in said, options, result)
        equal(solve(path, "--restart", game="kalah:3,3").status, 0)
        for args, reason in (((GAME, "start", "--resume"), "--checkpoint"),
                             ((GAME, "start", "start", "--checkpoint", folder("x")), "one position"),
                             (("connect4", "44", "--checkpoint", folder("x"), "--no-book"), "--no-hot"),
                             (("sudoku", "." * 81, "--checkpoint", folder("x")), "checkpoint")):
            result = holos("solve", *args)
            check(result.status != 0 and reason in result.err + result.out, args, result)
        with_generic = holos("solve", "connect4:4x4", "start", "--no-hot", "--no-book", "--checkpoint", folder("c4"))
        equal(with_generic.status, 0, with_generic)


@test
def a_damaged_checkpoint_is_refused_or_harmless():
    chance = random.Random(6)
    whole = holos("solve", "kalah:3,3", "start", "--json")
    with Folder() as folder:
        path, kept = folder("search"), folder("kept")
        solve(kept, game="kalah:3,3")
        with open(kept, "rb") as f:
            data = f.read()
        for i in range(40):
            bad = bytearray(data)
            if i % 3 == 0:
                del bad[chance.randrange(len(bad)):]
            else:
                bad[chance.randrange(len(bad))] ^= 1 << chance.randrange(8)
            with open(path, "wb") as f:
                f.write(bad)
            result = solve(path, "--resume", game="kalah:3,3")
            check(result.status in (2, 3), i, result)
        with open(path, "wb") as f:
            f.write(data)
        equal(answer_of(solve(path, "--resume", game="kalah:3,3")), answer_of(whole))


@test
def two_searches_do_not_share_a_checkpoint():
    with Folder() as folder:
        path = folder("search")
        first = start("solve", "kalah:6,4", "start", "--checkpoint", path, "--checkpoint-every", "0.05")
        while not os.path.exists(path) and first.poll() is None:
            time.sleep(0.01)
        second = solve(path, "--resume", game="kalah:6,4")
        running = first.poll() is None
        first.send_signal(signal.SIGHUP)
        first.communicate()
        check(running, "the first search ended too soon")
        equal(second.status, 5, second)
        check(f"locked by process {first.pid}" in second.err, second)
        equal(first.returncode, 130)
        equal(os.listdir(os.path.dirname(path)), ["search"])


@test
def only_a_checkpoint_is_replaced():
    with Folder() as folder:
        path = folder("thesis.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write("twenty years of work\n")
        for option in ("--restart", "--resume"):
            result = solve(path, option, game="kalah:2,2")
            equal(result.status, 2, result)
            check("not a checkpoint" in result.err, result)
        with open(path, encoding="utf-8") as file:
            equal(file.read(), "twenty years of work\n")
        equal(sorted(os.listdir(os.path.dirname(path))), ["thesis.txt"])


@test
def what_a_killed_search_left_is_swept():
    with Folder() as folder:
        path = folder("search")
        left = (".search.0123456789abcdef.tmp", ".search.fedcba9876543210.tmp")
        others = (".search2.0123456789abcdef.tmp", ".search.old.0123456789abcdef.tmp", ".search.tmp")
        for name in left + others:
            with open(folder(name), "w", encoding="utf-8"):
                pass
        equal(solve(path, game="kalah:2,2").status, 0)
        equal(sorted(os.listdir(os.path.dirname(path))), sorted(("search",) + others))


@test
def no_time_between_checkpoints_is_refused():
    with Folder() as folder:
        for args in (("solve", "kalah:2,2", "start", "--checkpoint", folder("c")),
                     ("explore", "kalah:2,2", "--store", folder("w"))):
            result = holos(*args, "--checkpoint-every", "0")
            equal(result.status, 2, result)
            check("--checkpoint-every" in result.err, result)


main()
