# SPDX-License-Identifier: MIT
"""Long work: checkpoints, signals, locks, full disks, limits of time, what is left behind, and holos status."""
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import tempfile
import time

from tap import check, equal, holos, main, start, test

ENDLESS = ("explore", "connect4")  # nobody solves it while a test waits


class Folder:
    """A folder of this test's own."""

    def __enter__(self):
        self.path = tempfile.mkdtemp(prefix="holos-job-")
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)

    def __call__(self, name):
        return os.path.join(self.path, name)


def record(folder, name="explore.json"):
    with open(os.path.join(folder, name), encoding="utf-8") as f:
        return json.load(f)


def wait_for(process, condition):
    """Waits until something has happened, or the program has ended."""
    while process.poll() is None and not condition():
        time.sleep(0.01)
    equal(process.poll(), None, "it ended too soon", *(process.communicate() if process.poll() is not None else ()))


def has(folder, name):
    return os.path.exists(os.path.join(folder, name))


def leftovers(folder):
    return [name for name in os.listdir(folder) if name.endswith(".tmp") or name == ".holos-lock"]


@test
def killed_explorations_resume_to_the_same_values():
    game = "connect4:5x4"
    with Folder() as folder:
        whole, broken = folder("whole"), folder("broken")
        began = time.monotonic()
        first = holos("explore", game, "--store", "file:" + whole, "--json")
        took = time.monotonic() - began
        equal(first.status, 0, first)
        chance = random.Random(6)
        for _ in range(10):
            process = start("explore", game, "--store", "file:" + broken, "--checkpoint-every", "0.05",
                            *(["--resume"] if has(broken, "hologram") else []))
            time.sleep(chance.random() * took / 3)
            process.kill()
            process.communicate()
        # What a killed run leaves is its last checkpoint, whole, and a lock that nobody holds.
        if has(broken, "hologram"):
            equal(holos("store", "verify", "file:" + broken).status, 0)
        last = holos("explore", game, "--store", "file:" + broken, "--json",
                     *(["--resume"] if has(broken, "hologram") else []))
        equal(last.status, 0, last)
        equal(last.json[0]["seeds"], first.json[0]["seeds"])
        equal(leftovers(broken), [])
        for position in ("start", "3"):
            values = [holos("query", "file:" + at, position, "--json").json[0] for at in (whole, broken)]
            # Where a wave was cut decides how far it looked elsewhere: intervals may differ, but never exclude each other.
            check(max(v["lo"] for v in values) <= min(v["hi"] for v in values), position, values)
        roots = [holos("query", "file:" + at, "start", "--json").json[0] for at in (whole, broken)]
        equal((roots[0]["lo"], roots[0]["hi"]), (roots[1]["lo"], roots[1]["hi"]))


@test
def signals_keep_a_checkpoint():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        with Folder() as folder:
            store = folder("waves")
            process = start(*ENDLESS, "--store", "file:" + store, "--checkpoint-every", "0.1", "--json")
            wait_for(process, lambda: has(store, "hologram"))
            process.send_signal(number)
            out, err = process.communicate()
            equal(process.returncode, 130, number, err)
            answer = json.loads(out)
            equal((answer["status"], answer["stopped"]), ("interrupted", "interrupted"))
            equal(record(store), answer)
            equal(leftovers(store), [])
            info = holos("store", "info", "file:" + store, "--json").json[0]
            equal(info["positions"], answer["positions"])
            again = holos("explore", "connect4", "--store", "file:" + store, "--resume", "--nodes", "1k", "--json")
            equal(again.status, 4, again)
            equal([seed["position"] for seed in again.json[0]["seeds"]], [""])
            check(again.json[0]["positions"] > answer["positions"], again)


@test
def builds_end_at_signals_too():
    for number in (signal.SIGTERM, signal.SIGHUP):
        with Folder() as folder:
            store = folder("db")
            process = start("build", "kalah:6,4", "--seeds", "18", "--store", "file:" + store)
            wait_for(process, lambda: has(store, "004-000.part"))
            process.send_signal(number)
            _, err = process.communicate()
            equal(process.returncode, 130, err)
            equal(record(store, "build.json")["stopped"], "interrupted")
            equal(leftovers(store), [])


@test
def hangups_are_ignored_where_nohup_says_so():
    with Folder() as folder:
        store = folder("waves")
        process = start(*ENDLESS, "--store", "file:" + store, "--checkpoint-every", "0.1",
                        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        wait_for(process, lambda: has(store, "hologram"))
        process.send_signal(signal.SIGHUP)
        time.sleep(0.3)
        equal(process.poll(), None)
        process.send_signal(signal.SIGINT)
        process.communicate()
        equal(process.returncode, 130)


@test
def the_second_writer_is_told_who_has_the_store():
    with Folder() as folder:
        for place, url, command in ((folder("waves/.holos-lock"), "file:" + folder("waves"), ENDLESS),
                                    (folder("graph.db.holos-lock"), "sqlite:" + folder("graph.db"),
                                     ("build", "kalah:4,3", "--graph"))):
            first = start(*command, "--store", url)
            wait_for(first, lambda place=place: os.path.exists(place) and os.path.getsize(place) > 0)
            second = holos(*command, "--store", url, "--restart")
            running = first.poll() is None
            first.kill()
            first.communicate()
            check(running, "the first was done before the second began")
            equal(second.status, 5, second)
            words = f"locked by process {first.pid} (holos {' '.join(command)} --store {url}) since "
            check(words in second.err, second)
            # A lock of a process that is dead is taken over.
            third = holos("status", url, "--json").json[0]["jobs"][0]
            equal((third["state"], third["pid"]), ("killed", first.pid))
        third = holos(*ENDLESS, "--store", "file:" + folder("waves"), "--restart", "--nodes", "100")
        equal(third.status, 4, third)
        equal(leftovers(folder("waves")), [])


@test
def a_full_disk_keeps_the_last_checkpoint():
    with Folder() as folder:
        disk = folder("disk")
        os.mkdir(disk)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", disk],
                                 stderr=subprocess.DEVNULL).returncode == 0
        try:
            keywords = {}
            if not mounted:  # nearly the same: no file may be larger
                def limit():
                    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                    resource.setrlimit(resource.RLIMIT_FSIZE, (200000, resource.RLIM_INFINITY))
                keywords["preexec_fn"] = limit
            store = f"file:{disk}/waves"
            result = holos(*ENDLESS, "--store", store, "--checkpoint-every", "0.05", "--json", **keywords)
            equal(result.status, 5, result)
            check("space" in result.err or "large" in result.err, result)
            equal(result.json[0]["status"], "io", result)
            equal(leftovers(f"{disk}/waves"), [])
            equal(holos("store", "verify", store).status, 0)
            kept = holos("store", "info", store, "--json").json[0]["positions"]
            check(0 < kept < result.json[0]["positions"], kept, result)
            if mounted:
                subprocess.run(["mount", "-o", "remount,size=100m", disk], check=True)
            again = holos("explore", "connect4", "--store", store, "--resume", "--nodes", "1k", "--json")
            equal(again.status, 4, again)
            check(again.json[0]["positions"] > kept, again)
        finally:
            if mounted:
                subprocess.run(["umount", disk], check=True)


@test
def a_limit_of_time_holds_with_the_last_save():
    limit, shares = 4, []
    for _ in range(4):  # another process may take the machine away once, but not each time
        with Folder() as folder:
            began = time.monotonic()
            result = holos(*ENDLESS, "--mode", "wave", "--store", "file:" + folder("waves"), "--time", str(limit), "--json")
            shares.append((time.monotonic() - began) / limit)
            equal(result.status, 4, result)
            equal(result.json[0]["stopped"], "time limit")
            info = holos("store", "info", "file:" + folder("waves"), "--json").json[0]
            equal(info["positions"], result.json[0]["positions"])
        # The last save must fit in, and is as long as half the work here: it may end early, but not late.
        if 0.4 < shares[-1] < 1.1:
            return
    check(False, shares)


@test
def what_was_left_behind_is_removed():
    with Folder() as folder:
        store, spill = folder("waves"), folder("spill")
        os.mkdir(store)
        os.mkdir(spill)
        for path in (os.path.join(store, ".hologram.0123456789abcdef.tmp"), os.path.join(spill, ".holos-run-abcdef"),
                     os.path.join(store, ".holos-lock")):
            with open(path, "w", encoding="ascii") as f:
                f.write("{}")
        mine = os.path.join(spill, ".notes.0123456789abcdef.tmp")  # not ours to remove there
        with open(mine, "w", encoding="ascii"):
            pass
        result = holos("explore", "connect4:4x4", "--store", "file:" + store, "--spill", spill)
        equal(result.status, 0, result)
        equal(sorted(os.listdir(store)), ["explore.json", "hologram"])
        equal(os.listdir(spill), [os.path.basename(mine)])


@test
def explorations_say_why_they_stopped_and_what_is_known():
    with Folder() as folder:
        store = "file:" + folder("waves")
        first = holos("explore", "connect4:4x4", "22", "--store", store, "--nodes", "300")
        equal(first.status, 4, first)
        check("stopped      node limit" in first.out and first.out.startswith("22: between loss and win"), first)
        again = holos("explore", "connect4:4x4", "--store", store, "--resume")
        equal(again.status, 0, again)
        check(again.out.startswith("22: draw in 14 plies (score 0)\n") and "stopped      solved" in again.out, again)
        everything = holos("explore", "connect4:4x4", "--graph", "--json").json[0]
        equal((everything["stopped"], everything["closed"]), ("nothing left to do", True))
        small = holos("explore", "connect4:5x4", "--mode", "wave", "--mem", "10M", "--no-back", "--json")
        equal((small.status, small.json[0]["stopped"]), (4, "memory limit"))


@test
def a_plan_that_does_not_fit_is_refused():
    for args in (("build", "kalah:6,4", "--seeds", "30", "--mem", "2G"), ("build", "chess", "KRBvKR", "--mem", "64M"),
                 ("explore", "chess", "KRvKN", "--mem", "1M")):
        words = holos(*args)
        equal(words.status, 4, words)
        check("needs" in words.err and ", limit " in words.err and words.out == "", words)
        refused = holos(*args, "--json")
        equal((refused.status, refused.json[0]["status"]), (4, "no-memory"), refused)
        check(refused.json[0]["memory"] > refused.json[0]["memory_limit"], refused)


@test
def status_tells_what_goes_on_and_how_it_ended():
    with Folder() as folder:
        def look():
            result = holos("status", folder.path, "--json")
            equal(result.status, 0, result)
            return {os.path.basename(job["store"]): job for job in result.json[0]["jobs"]}

        check("no long work" in holos("status", folder.path).out)
        equal(holos("status", folder("nowhere")).status, 5)
        holos("build", "kalah:2,2", "--store", "file:" + folder("small"))
        holos("build", "kalah:2,2", "--graph", "--store", "sqlite:" + folder("graph.db"))
        holos("explore", "connect4", "--nodes", "100", "--store", "file:" + folder("stopped"))
        process = start(*ENDLESS, "--store", "file:" + folder("waves"))
        wait_for(process, lambda: "progress" in look().get("waves", {}))
        jobs = look()
        equal({name: job["state"] for name, job in jobs.items()},
              {"small": "finished", "graph.db": "finished", "stopped": "stopped", "waves": "running"})
        equal((jobs["waves"]["pid"], jobs["stopped"]["stopped"]), (process.pid, "node limit"))
        check(jobs["waves"]["progress"]["done"] > 0, jobs)
        words = holos("status", folder.path).out
        check(f"running as process {process.pid}" in words and "positions" in words, words)
        process.kill()
        process.communicate()
        equal(look()["waves"]["state"], "killed")
        check("--resume" in holos("status", folder("waves")).out)


@test
def records_say_what_was_asked():
    with Folder() as folder:
        holos("explore", "connect4:4x4", "2", "--time", "50", "--seed", "7", "--store", "file:" + folder("waves"))
        run = record(folder("waves"))["run"]
        equal((run["job"], run["start"], run["operands"], run["limits"]["seconds"], run["seed"]),
              ("wave", "new", ["2"], 50, 7))
        check(run["command"].startswith("holos explore connect4:4x4 2 --time 50"), run)
        check(run["began"] <= run["ended"] and run["version"], run)


@test
def build_has_a_limit_of_time():
    with Folder() as folder:
        store = "file:" + folder("db")
        result = holos("build", "kalah:6,4", "--seeds", "20", "--store", store, "--time", "0.3", "--json")
        equal((result.status, result.json[0]["stopped"]), (4, "time limit"), result)


main()
