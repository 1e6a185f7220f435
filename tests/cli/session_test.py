# SPDX-License-Identifier: MIT
"""Sessions: rounds and phases, kill and resume, batches in processes of their own, the disk; seeds as lines, and what a hologram
tells of itself."""
import os
import random
import signal
import tempfile
import time

from tap import check, equal, holos, main, start, test

# A session that takes a few rounds, in a moment.
SMALL = ("nim", "--round-nodes", "20", "--round-seeds", "2")
LARGER = ("connect4:4x4", "--round-nodes", "3k", "--budget", "15k")


def read(path):
    with open(path, "rb") as f:
        return f.read()


def session(folder, *args):
    result = holos("explore", *args, "--session", os.path.join(folder, "s"), "--json")
    check(result.status in (0, 4), result)
    return result.json[0]


@test
def a_session_goes_through_its_phases_and_ends():
    with tempfile.TemporaryDirectory() as folder:
        answer = session(folder, *SMALL)
        equal((answer["phase"], answer["stopped"], answer["status"]), ("complete", "complete", "ok"))
        equal((answer["seeds"][0]["lo"], answer["seeds"][0]["hi"]), (1, 1))
        info = holos("store", "info", os.path.join(folder, "s"), "--json").json[0]
        phases = [r["phase"] for r in info["rounds"]]
        order = ["lightning", "wave", "crystal", "complete"]
        equal(phases, sorted(phases, key=order.index))
        equal((phases[0], phases[-1]), ("lightning", "complete"))
        equal([r["round"] for r in info["rounds"]], list(range(1, len(phases) + 1)))
        equal(sum(r["expanded"] for r in info["rounds"]), answer["expanded"])
        check(info["modes"] and info["modes"][0]["tries"] > 0, info["modes"])
        again = session(folder, "nim", "--resume")
        equal((again["phase"], again["rounds_now"]), ("complete", 0))
        verified = holos("store", "verify", os.path.join(folder, "s"), "--all")
        check(verified.status == 0 and "sound" in verified.out, verified)


@test
def what_is_there_is_not_replaced_unasked():
    with tempfile.TemporaryDirectory() as folder:
        session(folder, *SMALL)
        result = holos("explore", *SMALL, "--session", os.path.join(folder, "s"))
        check(result.status == 2 and "--resume" in result.err, result)
        equal(session(folder, *SMALL, "--restart")["phase"], "complete")
        result = holos("explore", "nim", "--session", os.path.join(folder, "s"), "--store", "file:" + folder)
        check(result.status == 2 and "--store" in result.err, result)


@test
def killed_and_resumed_it_is_the_same_session():
    with tempfile.TemporaryDirectory() as whole, tempfile.TemporaryDirectory() as broken:
        answer = session(whole, *LARGER)
        equal(answer["stopped"], "budget")
        path = os.path.join(broken, "s")
        process = start("explore", *LARGER, "--session", path)
        for _ in range(400):
            time.sleep(0.02)
            done = holos("store", "info", path, "--json")
            if done.status == 0 and len(done.json[0].get("rounds", [])) >= 2 or process.poll() is not None:
                break
        process.kill()
        process.communicate()
        state = holos("status", path, "--json").json[0]["jobs"]
        check(state and state[0]["state"] in ("killed", "stopped"), state)
        session(broken, *LARGER, "--resume")
        equal(read(os.path.join(path, "hologram")), read(os.path.join(whole, "s", "hologram")))
        equal([f for f in os.listdir(path) if "batch" in f], [])


@test
def stopped_while_values_flow_it_is_the_same_session():
    """Each time as soon as there is a batch that was not there before: then its round is settled."""
    words = ("connect4:5x4", "--round-nodes", "60k", "--budget", "240k", "--phase-rounds", "1")
    with tempfile.TemporaryDirectory() as whole, tempfile.TemporaryDirectory() as broken:
        session(whole, *words)
        path, seen, stops, more = os.path.join(broken, "s"), set(), 0, ()
        while True:
            process = start("explore", *words, *more, "--session", path, "-q")
            while process.poll() is None:
                batches = {n for n in (os.listdir(path) if os.path.isdir(path) else ()) if n.startswith("hologram.batch-")}
                if batches - seen:
                    seen |= batches
                    time.sleep(random.uniform(0, 0.3))
                    process.send_signal(signal.SIGTERM)
                    break
            process.communicate()
            stops += process.returncode == 130
            more = ("--resume",)
            if process.returncode == 4:
                break
            equal(process.returncode, 130)
        check(stops > 0, stops)
        equal(read(os.path.join(path, "hologram")), read(os.path.join(whole, "s", "hologram")))


@test
def isolated_batches_give_the_same_hologram():
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        session(one, *LARGER)
        isolated = session(other, *LARGER, "--isolate", "--batch-mem", "256M")
        equal(isolated["died"], 0)
        equal(read(os.path.join(one, "s", "hologram")), read(os.path.join(other, "s", "hologram")))


@test
def words_after_two_dashes_are_no_options_in_their_processes_either():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "s")
        result = holos("explore", "--isolate", "--session", path, "--round-nodes", "20", "--nodes", "20", "--json", "--", "nim", "3,4,5 1")
        check(result.status in (0, 4), result)
        equal((result.json[0]["died"], result.json[0]["rounds_now"] > 0), (0, True))


@test
def batches_end_well_with_any_memory():
    """Also where it is enough for a wave, but not for its first layer."""
    with tempfile.TemporaryDirectory() as folder:
        for kib in range(1200, 1440, 20):
            answer = session(folder, "kalah:4,2", "--round-nodes", "4k", "--nodes", "4k", "--batch-mem", f"{kib}k", "--restart", "-q")
            equal(answer["stopped"], "node limit")


def child_of(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as f:
            return [int(word) for word in f.read().split()]
    except OSError:
        return []


@test
def a_batch_that_dies_is_reported_and_tried_again_smaller():
    with tempfile.TemporaryDirectory() as folder:
        process = start("explore", "connect4:5x4", "--session", os.path.join(folder, "s"), "--isolate", "--round-nodes", "40k",
                        "--budget", "60k", "--json")
        killed = 0
        while process.poll() is None and killed == 0:
            for child in child_of(process.pid):
                try:
                    os.kill(child, signal.SIGKILL)
                    killed += 1
                except ProcessLookupError:
                    pass
        out, err = process.communicate()
        check(process.returncode == 4 and killed > 0, process.returncode, out, err)
        answer = holos("status", os.path.join(folder, "s"), "--json").json[0]["jobs"][0]
        equal(answer["stopped"], "budget")
        check(b"died" in err and b"signal 9" in err, err)
        check(holos("store", "verify", os.path.join(folder, "s")).status == 0)


@test
def it_stops_before_the_disk_is_full():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "s")
        session(folder, *SMALL, "--nodes", "10")
        before = read(os.path.join(path, "hologram"))
        result = holos("explore", "nim", "--session", path, "--resume", "--keep-free", "100000000G", "--json")
        equal((result.status, result.json[0]["stopped"]), (4, "disk limit"))
        equal(read(os.path.join(path, "hologram")), before)
        equal(session(folder, *SMALL, "--resume")["phase"], "complete")


@test
def status_tells_phase_and_round_while_it_runs():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "s")
        process = start("explore", "connect4:6x5", "--session", path, "--round-nodes", "50k")
        told = ""
        for _ in range(300):
            time.sleep(0.05)
            told = holos("status", path).out if os.path.isdir(path) else ""
            if "round" in told:
                break
        process.send_signal(signal.SIGINT)
        process.communicate()
        equal(process.returncode, 130)
        check("lightning, round" in told and "running as process" in told, told)


@test
def a_phase_may_change_after_every_round():
    with tempfile.TemporaryDirectory() as folder:
        answer = session(folder, "connect4:4x4", "--round-nodes", "2k", "--budget", "8k", "--phase-rounds", "1", "--batch-seeds", "4",
                         "--seed-depth", "2", "12 2 wave forward", "21 2 wave forward")
        check(answer["rounds"] >= 2, answer)
        info = holos("store", "info", os.path.join(folder, "s"), "--json").json[0]
        equal(info["rounds"][0]["seeds"], 2)
        check(info["mappings"], "the wave of the first round is kept as its seeds")
        verified = holos("store", "verify", os.path.join(folder, "s"), "--all", "--json").json[0]
        check(verified["sound"] and verified["frontiers"] == len(info["mappings"]), verified)


# ---- Seeds as lines --------------------------------------------------------------------------------


@test
def seeds_come_from_a_file_with_depth_mode_and_direction():
    with tempfile.TemporaryDirectory() as folder:
        url = "file:" + os.path.join(folder, "w")
        lines = "12 3 wave forward\n\nstart 4 wave forward\n"
        result = holos("explore", "connect4:4x4", "--seeds", "-", "--mode", "wave", "--store", url, "--json", stdin=lines)
        check(result.status in (0, 4), result)
        info = holos("store", "info", url, "--json").json[0]
        equal(sorted((s["position"], s["depth"], s["mode"], s["direction"]) for s in info["seeds"]),
              [("", 4, "wave", "forward"), ("12", 3, "wave", "forward")])
        equal((len(info["mappings"]), info["mappings"][0]["depth"] > 0), (1, True))
        check(len(info["mappings"][0]["digest"]) == 16 and info["mappings"][0]["positions"] > 0, info["mappings"])
        merged = "file:" + os.path.join(folder, "m")
        other = "file:" + os.path.join(folder, "o")
        holos("explore", "connect4:4x4", "--mode", "wave", "--depth", "3", "--store", other)
        equal(holos("store", "merge", url, other, "--into", merged).status, 0)
        equal(holos("store", "verify", merged, "--all", "--json").json[0]["frontiers"], 2)


@test
def backward_seeds_run_back_from_the_boundary():
    result = holos("explore", "connect4:4x4", "--seeds", "-", "--json", stdin="1212121 2 wave backward\n")
    check(result.status == 0 and result.json[0]["backward_expanded"] > 1, result)
    result = holos("explore", "connect4:4x4", "--seeds", "-", stdin="12 2 wave backward\n")
    check(result.status != 0 and "value is known" in result.err, result)


@test
def a_bad_line_is_named():
    for line, words in (("12 3 wav forward", "expected a mode"), ("12 x wave forward", "expected a depth"),
                        ("99 1 wave forward", "line 2")):
        result = holos("explore", "connect4:4x4", "--seeds", "-", stdin="1\n" + line + "\n")
        check(result.status == 3 and words in result.err and "line 2" in result.err, result)
    check("no seeds" in holos("explore", "connect4:4x4", "--seeds", "-", stdin="\n").err)
    check(holos("explore", "connect4:4x4", "--seeds", "/nowhere/seeds").status == 5)


@test
def a_spine_leads_from_a_solved_position_to_the_boundary():
    with tempfile.TemporaryDirectory() as folder:
        url = "file:" + os.path.join(folder, "w")
        equal(holos("explore", "nim", "--mode", "lightning", "--store", url).status, 0)
        answer = holos("query", url, "--spine", "--json", "start").json[0]
        check(answer["status"] == "solved" and len(answer["spine"]) > 0, answer)
        told = holos("query", url, "--spine", "start").out
        check("spine" in told or "best play" in told, told)
        result = holos("query", url, "--spine", "--pv", "start")
        check(result.status == 2 and "--spine" in result.err, result)


@test
def a_batch_alone_needs_its_session_and_its_request():
    result = holos("explore", "nim", "--batch", "/nowhere")
    check(result.status == 2 and "--session" in result.err, result)
    with tempfile.TemporaryDirectory() as folder:
        session(folder, *SMALL)
        result = holos("explore", *SMALL, "--session", os.path.join(folder, "s"), "--batch", "/nowhere")
        check(result.status == 5, result)


main()
