# SPDX-License-Identifier: MIT
"""Sessions whose batches several processes share: `mpirun -n N holos explore … --session NAME --cluster` ends with the hologram of one,
byte for byte. Skipped with the reason if this build or this machine has no Open MPI.

HOLOS_LONG_TESTS=1 kills twenty times instead of ten.
"""
import contextlib
import filecmp
import json
import os
import shutil
import signal
import subprocess
import time

from mpi import (FOLDER, KILLS, LONG, NO_LIMIT_SIGNAL, RANDOM, STARVE, Disk, children, cluster, ended, ended_by_small_files, killed, need, place,
                 rank_of, refused_apart, started, starved, starving)
from tap import SOURCE, Skip, check, equal, holos, main, test

SMALL = ("nim", "--round-nodes", "20", "--round-seeds", "4", "--batch-seeds", "1")  # all phases
LAYERED = ("connect4:4x4", "--round-nodes", "3k", "--budget", "12k", "--batch-seeds", "4")
CROSSING = ("kalah:4,2", "--round-nodes", "3k", "--budget", "12k", "--batch-seeds", "3", "--phase-rounds", "1")
BROAD = ("connect4:4x4", "--round-nodes", "3k", "--budget", "9k", "--batch-seeds", "2", "--seed-depth", "2", "12 2 wave forward",
         "21 2 wave forward", "33 4 osmosis forward", "44", "14 2 wave forward")
SLOW = ("connect4:5x4", "--round-nodes", "16k", "--budget", "70k", "--batch-seeds", "2", "--phase-rounds", "1")
SYZYGY = os.path.join(SOURCE, "tests", "data", "chess", "syzygy")
# What depends on how a run went.
RUN = ("seconds", "store", "run", "ranks", "traffic", "messages")


def hologram(folder):
    return os.path.join(folder, "hologram")


def explore(*words, folder):
    """One process."""
    result = holos("explore", *words, "--session", folder, "-q", "--json")
    check(result.status in (0, 4), words, result)
    return result.json[0]


_references = {}


def reference(*words):
    if words not in _references:
        folder = place(f"one{len(_references)}")
        _references[words] = (folder, explore(*words, folder=folder))
    return _references[words]


def shared(ranks, *words, folder, **keywords):
    result = cluster(ranks, "explore", *words, "--session", folder, "-q", "--json", **keywords)
    check(result.status in (0, 4) and len(result.json) == 1, words, result)  # rank 0 alone speaks
    return result.json[0]


def same_hologram(folder, *words):
    check(filecmp.cmp(hologram(reference(*words)[0]), hologram(folder), shallow=False), "another hologram", folder, words)
    equal(sorted(os.listdir(folder)), ["explore.json", "hologram"])


def essence(answer):
    return {k: v for k, v in answer.items() if k not in RUN}


def many_ranks(*words, counts=(2, 3), more=()):
    facts = reference(*words)[1]
    folder = place("many")
    for ranks in counts:
        found = shared(ranks, *words, *more, "--restart", folder=folder)
        equal(found["ranks"], ranks)
        equal(essence(found), essence(facts), ranks, words)
        same_hologram(folder, *words)
        check((found["messages"] > 0) == (ranks > 1), found)


@test
def a_session_has_the_bytes_of_one_process():
    many_ranks(*LAYERED, counts=(1, 2, 3))
    rounds = holos("store", "info", reference(*LAYERED)[0], "--json").json[0]["rounds"]
    check(max(r["batches"] for r in rounds) >= 4, rounds)


@test
def it_goes_through_all_phases():
    """The last rounds have no batches, and ranks are more than those of the others."""
    many_ranks(*SMALL, counts=(2, 4))
    equal(reference(*SMALL)[1]["phase"], "complete")


@test
def edges_may_cross_layers():
    many_ranks(*CROSSING)


@test
def seeds_may_have_modes_and_depths_of_their_own():
    many_ranks(*BROAD, counts=(3,))


@test
def tables_are_a_boundary():
    many_ranks("chess", "8/8/8/3k4/8/3KR3/4P3/8 w - - 0 1", "--tables", SYZYGY, "--round-nodes", "200", "--budget", "500", "--batch-seeds",
               "2", "--boundary-seeds", "10", counts=(2,))


@test
def batches_may_be_processes_of_their_own():
    many_ranks(*LAYERED, counts=(1, 3), more=("--isolate", "--batch-mem", "256M"))


@test
def a_budget_for_this_run_ends_it_where_one_process_ends():
    many_ranks(*CROSSING, "--nodes", "5k", counts=(2,))
    equal(reference(*CROSSING, "--nodes", "5k")[1]["stopped"], "node limit")


@test
def positions_may_go_to_the_disk():
    need()
    spill, folder = place("spill"), place("spilled")
    os.makedirs(spill)
    words = (*CROSSING, "--batch-mem", "1600k", "--spill", spill)
    found = shared(3, *words, folder=folder)
    equal(essence(found), essence(reference(*words)[1]))
    same_hologram(folder, *words)
    equal(os.listdir(spill), [])


@test
def it_goes_on_with_any_number_of_ranks():
    """Two rounds each time, with what is there of the next one."""
    folder, first = place("steps"), ()
    for ranks in (1, 3, 2, 0, 2, 0):
        words = (*CROSSING, "--nodes", "5k", *first)
        if ranks > 0:
            shared(ranks, *words, folder=folder)
        else:
            explore(*words, folder=folder)
        first = ("--resume",)
    same_hologram(folder, *CROSSING)


@test
def a_cluster_may_resume_what_has_not_begun():
    """A batch system starts the same command again."""
    need()
    folder = place("requeued")
    shared(2, *BROAD, "--resume", folder=folder)
    same_hologram(folder, *BROAD)
    equal(shared(2, *BROAD, "--resume", folder=folder)["rounds_now"], 0)


@test
def mpirun_is_not_needed_for_one_rank():
    need()
    folder = place("alone")
    equal(explore(*LAYERED, "--isolate", "--cluster", folder=folder)["ranks"], 1)
    same_hologram(folder, *LAYERED)


# ---- Batches that die --------------------------------------------------------------------------------

def deadly(folder, *batches):
    """The processes of these batches cannot say what became of them, and so have died: a folder has the name of their answer."""
    for batch in batches:
        os.makedirs(os.path.join(folder, f"hologram.batch-{batch}.request.answer"))


@test
def batches_that_die_are_halved_in_the_same_way():
    need()
    # Of the second round the second batch and its first half; of the third one the first, and a seed of it.
    batches = ("2-4-4", "2-4-2", "3-0-4", "3-0-2", "3-1-1")
    one, many = place("dies-one"), place("dies-many")
    deadly(one, *batches)
    facts = explore(*LAYERED, "--isolate", folder=one)
    equal(facts["died"], len(batches))
    for ranks in (2, 3):
        deadly(many, *batches)
        found = shared(ranks, *LAYERED, "--isolate", folder=many)
        equal(sorted(found["deaths"]), sorted(facts["deaths"]))
        equal([found[k] for k in ("died", "lost", "expanded", "positions")], [facts[k] for k in ("died", "lost", "expanded", "positions")])
        check(filecmp.cmp(hologram(one), hologram(many), shallow=False), "another hologram")
        check(not filecmp.cmp(hologram(reference(*LAYERED)[0]), hologram(many), shallow=False), "nothing has died")
        shutil.rmtree(many)


@test
def batches_without_memory_are_given_up_in_every_rank():
    words = (*CROSSING, "--batch-mem", "1M")
    facts = reference(*words)[1]
    check(facts["lost"] > 0, facts)
    many_ranks(*words, counts=(2,))


@test
def a_rank_without_memory_loses_a_batch_or_ends_all_with_the_reason():
    if STARVE is None:
        raise Skip("a sanitizer has memory of its own")
    words = ("explore", *SMALL, "--restart", "--session", place("starved"))
    total = starving(words)
    failed = tried = 0
    while tried < (40 if LONG else 6) or failed == 0 and tried < 60:
        tried += 1
        result = starved(words, RANDOM.randrange(40, total))
        check(result.status in (0, 4), tried, result)
        check(result.status == 0 or result.err.count("holos: ") == 1, result)
        failed += result.status == 4
    check(failed > 0, total)


# ---- What goes wrong ---------------------------------------------------------------------------------

def begun(folder, *words, ranks, **keywords):
    """Starts it, and waits for the first batch of the second round or later."""
    process = started(ranks, "explore", *words, "--session", folder, "-q", stdin=subprocess.DEVNULL, **keywords)
    while process.poll() is None and not (os.path.isdir(folder) and any(".batch-" in n and ".batch-1-" not in n for n in os.listdir(folder))):
        time.sleep(0.002)
    return process


def goes_on_after_kill_9(words, *more):
    folder, wanted = place("killed"), KILLS
    explore_words = ("explore", *words, *more, "--session", folder, "-q")
    before = time.monotonic()
    shared(3, *words, *more, folder=folder)
    seconds = time.monotonic() - before
    same_hologram(folder, *words)
    shutil.rmtree(folder)
    hits = amid = tries = 0
    while hits < wanted and tries < 6 * wanted:
        tries += 1
        _, result = killed(1 + tries % 3, *explore_words, "--resume", delay=RANDOM.uniform(0.1, 0.5) * seconds)
        hit = result.status != 4
        hits += hit
        amid += hit and os.path.isdir(folder) and any(".batch-" in n for n in os.listdir(folder))
        if not hit:
            same_hologram(folder, *words)
            shutil.rmtree(folder)
    check(hits > 0, tries, seconds)
    if tries % 2 or not os.path.exists(hologram(folder)):
        shared(2, *words, *more, "--resume", folder=folder)
    else:
        explore(*words, "--resume", folder=folder)
    same_hologram(folder, *words)
    shutil.rmtree(folder)
    print(f"# {hits} of {tries} runs of {seconds:.1f} s were killed in time, {amid} of them with finished batches")


@test
def a_session_goes_on_after_kill_9():
    goes_on_after_kill_9(SLOW)


@test
def so_does_one_with_processes_of_its_own():
    goes_on_after_kill_9(LAYERED, "--isolate")


@test
def a_request_to_stop_one_rank_stops_all():
    for victim, name in ((0, signal.SIGTERM), (1, signal.SIGTERM), (2, signal.SIGINT)):
        folder = place(f"stopped{victim}")
        process = begun(folder, *SLOW, ranks=3)
        for pid in children(process):
            if rank_of(pid) == victim:
                os.kill(pid, name)
        result = ended(process)
        equal(result.status, 130, victim, result)
        equal(result.err.count("holos: "), 1, result)
        with open(os.path.join(folder, "explore.json"), encoding="utf-8") as f:
            equal(json.load(f)["stopped"], "interrupted")
        explore(*SLOW, "--resume", folder=folder)
        same_hologram(folder, *SLOW)


@test
def the_rank_whose_time_ends_first_says_so_for_all():
    first = ("sh", "-c", """if [ "$OMPI_COMM_WORLD_RANK" = 1 ]; then exec "$@" --time 0.5; fi; exec "$@" --time 600""", "sh")
    folder = place("time")
    result = cluster(3, "explore", "connect4:6x5", "--batch-seeds", "1", "--session", folder, "-q", "--json", wrap=first)
    equal((result.status, result.json[0]["stopped"]), (4, "time limit"), result)


@test
def a_rank_that_cannot_write_ends_all_with_the_reason():
    folder = place("full")
    ended_by_small_files(begun(folder, *SLOW, ranks=2, wrap=NO_LIMIT_SIGNAL), 1000)
    shared(2, *SLOW, "--resume", folder=folder)
    same_hologram(folder, *SLOW)


@test
def a_session_ends_on_a_full_disk_and_goes_on():
    need()
    with Disk("disk", "8m") as disk:
        folder = os.path.join(disk.path, "s")
        process = begun(folder, *SLOW, "--keep-free", "0", ranks=3)
        with contextlib.suppress(OSError), open(os.path.join(disk.path, "filler"), "wb", buffering=0) as f:
            while True:
                f.write(bytes(16384))
        result = ended(process)
        equal(result.status, 5, result)
        check("No space left on device" in result.err, result)
        equal(result.err.count("holos: "), 1, result)
        disk.grow()
        shared(3, *SLOW, "--resume", folder=folder)
        same_hologram(folder, *SLOW)


@test
def ranks_without_a_common_folder_are_refused():
    refused_apart("explore", *SMALL, "--session", "s", folder="s")


@test
def what_is_there_is_refused_once():
    need()
    folder = place("there-already")
    explore(*SMALL, folder=folder)
    result = cluster(2, "explore", *SMALL, "--session", folder)
    equal(result.status, 2, result)
    check("--resume" in result.err, result)
    equal(result.err.count("holos: "), 1, result)


@test
def a_plan_for_ranks_is_refused_with_the_reason():
    result = holos("explore", *SMALL, "--session", place("planned"), "--estimate", "--ranks", "4")
    equal(result.status, 2, result)
    check("--ranks" in result.err and "how many batches" in result.err, result)


try:
    main()
finally:
    shutil.rmtree(FOLDER, ignore_errors=True)
