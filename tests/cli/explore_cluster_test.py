# SPDX-License-Identifier: MIT
"""Waves that several processes share: `mpirun -n N holos explore … --cluster` ends with the hologram of one, byte for byte.

HOLOS_LONG_TESTS=1 kills twenty times instead of ten.
"""
import filecmp
import os
import shutil
import signal
import subprocess
import time

from mpi import FOLDER, KILLS, NO_LIMIT_SIGNAL, RANDOM, children, cluster, done, ended, ended_by_small_files, killed, need, place, started
from tap import SOURCE, check, equal, holos, main, test

BOTH = ("--mode", "wave")  # forward and back
WAVE = (*BOTH, "--no-back")
LAYERED = ("connect4:4x4", *WAVE)
CROSSING = ("kalah:4,2", *WAVE)  # edges lead to any layer
QUEEN = "8/8/8/8/3k4/8/8/KQ6 w - - 0 1"
CYCLIC = ("chess", QUEEN, *WAVE)  # and round; positions are kept, since keys do not tell them, and have up to 16 images
COUNTED = ("kalah:4,2", "--graph")
SLOW = ("connect4:5x4", *WAVE)
BACK = ("connect4:5x4", *BOTH, "--boundary-seeds", "30000")  # layers of many rounds
SYZYGY = os.path.join(SOURCE, "tests", "data", "chess", "syzygy")
# What depends on who waits for whom.
TIMES = ("lightning_seconds", "wave_seconds", "crystal_seconds", "osmosis_seconds", "propagation_seconds", "seconds", "memory",
         "sweeps", "recomputed", "store", "run", "ranks", "traffic", "messages", "rank_most", "rank_least")


def explore(*words, folder, status=0):
    """One process."""
    result = holos("explore", *words, "--store", f"file:{folder}", "-q", "--json")
    equal(result.status, status, words, result)
    return result.json[0]


_references = {}


def reference(*words, status=0):
    if words not in _references:
        folder = place(f"one{len(_references)}")
        _references[words] = (folder, explore(*words, folder=folder, status=status))
    return _references[words]


def same_hologram(a, b, *about):
    check(filecmp.cmp(os.path.join(a, "hologram"), os.path.join(b, "hologram"), shallow=False), "another hologram", a, b, *about)


def essence(answer):
    return {k: v for k, v in answer.items() if k not in TIMES}


def many_ranks(*words, status=0, counts=(1, 2, 3, 4)):
    one, facts = reference(*words, status=status)
    folder = place("many")
    for ranks in counts:
        result = cluster(ranks, "explore", *words, "--store", f"file:{folder}", "-q", "--json", "--restart")
        equal(result.status, status, ranks, words, result)
        equal(len(result.json), 1)  # rank 0 alone speaks
        equal(result.json[0]["ranks"], ranks)
        equal(essence(result.json[0]), essence(facts), ranks, words)
        same_hologram(one, folder, ranks, words)
        equal(sorted(os.listdir(folder)), ["explore.json", "hologram"])


@test
def the_hologram_of_a_layered_game_has_the_bytes_of_one_process():
    many_ranks(*LAYERED)


@test
def one_whose_edges_cross_layers_has_them_too():
    many_ranks(*CROSSING)


@test
def so_has_that_of_a_game_that_can_go_round():
    many_ranks(*CYCLIC)
    equal(reference(*CYCLIC)[1]["seeds"][0]["status"], "solved")


@test
def so_has_one_that_runs_back():
    """Who joins a wave back depends on what was known when a round began: so the rounds must be the same."""
    many_ranks(*BACK, counts=(1, 3))
    facts = reference(*BACK)[1]
    check(facts["backward_expanded"] > 50000 and facts["connections"] > 1000, facts)
    for words in (("kalah:4,2", *BOTH), ("reversi:4", *BOTH, "--boundary-seeds", "500"), ("hidato:4", "1 . ./. 5 ./. . 9", *BOTH),
                  ("chess", QUEEN, *BOTH), ("connect4:4x4", *BOTH, "--unfolded", "--back-depth", "3")):
        many_ranks(*words, counts=(2, 3))


@test
def tables_are_a_boundary_to_run_back_from():
    """Only what lies between the seeds and the tables is reached, and haste must not depend on the order of moves."""
    words = ("chess", "8/8/8/3k4/8/3KR3/4P3/8 w - - 0 1", *BOTH, "--tables", SYZYGY, "--boundary-seeds", "300", "--nodes", "4000")
    many_ranks(*words, counts=(2, 3), status=4)
    check(reference(*words, status=4)[1]["backward_expanded"] > 1000, reference(*words, status=4))


@test
def seeds_may_say_where_a_wave_runs_back_from():
    many_ranks("connect4:4x4", "12 0 wave forward", "1212121 0 wave backward", "2323232 0 wave backward", *BOTH, counts=(2, 3))
    many_ranks("connect4:4x4", "1212121 0 wave backward", *BOTH, counts=(3,))
    many_ranks("connect4:4x4", "12 0 wave forward", "1212121 0 wave backward", "--graph", counts=(2,))


@test
def so_has_one_that_only_counts():
    many_ranks(*COUNTED, counts=(1, 3))


@test
def classes_are_optional():
    many_ranks(*CROSSING, "--no-classes", counts=(3,))
    check(reference(*CROSSING)[1]["equiv_propagated"] > 0, reference(*CROSSING))


@test
def bytes_do_not_depend_on_threads_either():
    for number, words in enumerate((CROSSING, BACK, ("chess", QUEEN, *BOTH))):
        folder = place(f"threads{number}")
        explore(*words, "--threads", "3", folder=folder)
        same_hologram(reference(*words)[0], folder, words)


@test
def seeds_may_be_many_and_go_different_ways():
    many_ranks("connect4:5x4", "44", "1", "33 3 wave forward", "--depth", "7", *WAVE, counts=(3,))
    many_ranks("kalah:3,2", "--unfolded", *WAVE, counts=(2,))


@test
def limits_choose_the_same_positions():
    """So many positions, in the order of their hashes; a layer that is full leaves the same ones waiting."""
    for words, status in (((*LAYERED, "--nodes", "5000", "--class-size", "20"), 4), ((*CROSSING, "--frontier", "500"), 0),
                          ((*CROSSING, "--frontier", "700", "--nodes", "3000"), 4), ((*COUNTED, "--nodes", "2345"), 4),
                          ((*BACK, "--nodes", "70001"), 4), (("chess", QUEEN, *BOTH, "--frontier", "300", "--nodes", "5000"), 4),
                          (("chess", *WAVE, "--nodes", "200"), 4)):
        many_ranks(*words, status=status, counts=(2, 3))


@test
def a_limit_is_where_the_next_run_goes_on():
    """The same as in one process, and with any number of ranks."""
    for number, (words, nodes) in enumerate(((CROSSING, "3000"), (("chess", QUEEN, *BOTH), "1500"))):
        one, many = place(f"steps-one{number}"), place(f"steps-many{number}")
        for step in range(4):
            limit, status = (("--nodes", nodes), 4) if step < 3 else ((), 0)
            start = ("--resume",) if step > 0 else ()
            asked = words if step < 2 else tuple(word for word in words if word != QUEEN)  # the seed came with the hologram
            explore(*asked, *limit, *start, folder=one, status=status)
            result = cluster(1 + step, "explore", *asked, *limit, *start, "--store", f"file:{many}", "-q")
            equal(result.status, status, result)
            same_hologram(one, many, words, step)


@test
def memory_is_that_of_a_rank():
    need()
    folder, spill = place("memory"), place("spill")
    words = (*SLOW, "--mem", "16M")
    facts = reference(*SLOW)[1]
    equal(explore(*words, folder=folder, status=4)["stopped"], "memory limit")
    result = cluster(2, "explore", *words, "--store", f"file:{folder}", "-q", "--json", "--restart")
    equal((result.status, result.json[0]["stopped"]), (4, "memory limit"))
    check(result.json[0]["memory"] <= 16 << 20, result)
    check(result.json[0]["rank_most"] < 0.6 * result.json[0]["positions"], result)  # each has about half of them
    os.makedirs(spill)
    found = done(2, "explore", *words, "--spill", spill, "--store", f"file:{folder}", "-q", "--json", "--restart").json[0]
    check(found["spilled"] > 0, found)
    equal([found[k] for k in ("positions", "solved", "seeds", "layers")], [facts[k] for k in ("positions", "solved", "seeds", "layers")])
    equal(os.listdir(spill), [])


@test
def time_ends_in_all_ranks_and_leaves_a_hologram():
    folder = place("time")
    result = cluster(2, "explore", "connect4:7x6", *WAVE, "--store", f"file:{folder}", "-q", "--json", "--time", "1")
    equal((result.status, result.json[0]["stopped"]), (4, "time limit"), result)
    equal(holos("store", "verify", f"file:{folder}", "-q").status, 0)
    equal(sorted(os.listdir(folder)), ["explore.json", "hologram"])


@test
def work_without_a_store_is_counted():
    found = done(3, "explore", *LAYERED, "-q", "--json").json[0]
    facts = reference(*LAYERED)[1]
    equal([found[k] for k in ("positions", "solved", "seeds")], [facts[k] for k in ("positions", "solved", "seeds")])


@test
def mpirun_is_not_needed_for_one_rank():
    need()
    folder = place("alone")
    explore(*LAYERED, "--cluster", folder=folder)
    same_hologram(reference(*LAYERED)[0], folder)


# ---- What goes wrong ---------------------------------------------------------------------------------

def begun(folder):
    """Whether there is a checkpoint."""
    return os.path.isdir(folder) and any(n.startswith("explore.reached.") for n in os.listdir(folder))


def goes_on_after_kill_9(*asked):
    one, _ = reference(*asked)
    folder = place("killed")
    words = ("explore", *asked, "--store", f"file:{folder}", "-q", "--checkpoint-every", "0.05s")
    before = time.monotonic()
    done(3, *words)
    seconds = time.monotonic() - before
    same_hologram(one, folder)
    shutil.rmtree(folder)
    count, hits, later, tries = KILLS, 0, 0, 0
    while hits < count and tries < 6 * count:
        tries += 1
        hit, result = killed(3, *words, "--resume", delay=RANDOM.uniform(0.2, 0.95) * seconds)
        hits += hit
        later += hit and begun(folder)
        if not hit:
            equal(result.status, 0, result)
            same_hologram(one, folder)
            shutil.rmtree(folder)
    check(hits > 0, tries, seconds)
    done(3, *words, "--resume")
    same_hologram(one, folder)
    equal(sorted(os.listdir(folder)), ["explore.json", "hologram"])
    shutil.rmtree(folder)
    print(f"# {hits} of {tries} runs of {seconds:.1f} s were killed in time, {later} of them after a checkpoint")


@test
def an_exploration_goes_on_after_kill_9():
    goes_on_after_kill_9(*SLOW)


@test
def so_does_one_that_runs_back():
    goes_on_after_kill_9("connect4:4x5", *BOTH, "--boundary-seeds", "20000")


def stopped(folder, *words, signals=(signal.SIGTERM,)):
    """Starts it, and asks to stop once there is a checkpoint; None: it has ended before."""
    process = started(2, "explore", *words, "--store", f"file:{folder}", "-q", "--checkpoint-every", "0.02s", "--resume",
                      stdin=subprocess.DEVNULL)
    while process.poll() is None and not begun(folder):
        time.sleep(0.005)
    for rank in children(process):
        os.kill(rank, RANDOM.choice(signals))
    result = ended(process)
    check(result.status in (0, 130, 143), result)
    return result if result.status != 0 else None


@test
def a_request_to_stop_leaves_a_checkpoint_that_goes_on():
    one, _ = reference(*SLOW)
    folder = place("stopped")
    result = stopped(folder, *SLOW, signals=(signal.SIGTERM, signal.SIGINT))
    if result is not None:
        equal(result.err.count("holos: "), 1, result)
        check("interrupted with " in result.err, result)
        check(begun(folder), os.listdir(folder))
        # Nobody takes it for something else.
        words = ("explore", *SLOW, "--store", f"file:{folder}", "-q")
        for ranks, more, reason in ((2, (), "has not ended"), (3, ("--resume",), "was begun with 2 ranks"),
                                    (2, ("--resume", "--depth", "9"), "another exploration")):
            refused = cluster(ranks, *words, *more)
            equal(refused.status, 2, refused)
            check(reason in refused.err, reason, refused)
        for start in ((), ("--resume",)):
            refused = holos(*words, *start)
            equal(refused.status, 2, refused)
            check("has not ended" in refused.err, refused)
    done(2, "explore", *SLOW, "--store", f"file:{folder}", "-q", "--resume")
    same_hologram(one, folder)
    equal(sorted(os.listdir(folder)), ["explore.json", "hologram"])


@test
def a_rank_whose_disk_is_full_ends_all_with_the_reason():
    folder = place("full")
    process = started(2, "explore", *SLOW, "--store", f"file:{folder}", "-q", "--checkpoint-every", "0.02s",
                      stdin=subprocess.DEVNULL, wrap=NO_LIMIT_SIGNAL)
    while process.poll() is None and not begun(folder):
        time.sleep(0.005)
    ended_by_small_files(process, 100000)
    done(2, "explore", *SLOW, "--store", f"file:{folder}", "-q", "--resume")
    same_hologram(reference(*SLOW)[0], folder)


@test
def one_process_starts_over_where_ranks_have_stopped():
    folder = place("over")
    stopped(folder, *SLOW)
    explore(*LAYERED, "--restart", folder=folder)
    equal(sorted(os.listdir(folder)), ["explore.json", "hologram"])
    same_hologram(reference(*LAYERED)[0], folder)


@test
def a_damaged_checkpoint_is_named():
    folder = place("damaged")
    if stopped(folder, *SLOW) is None:
        return
    for name in os.listdir(folder):
        if name.startswith("explore.reached.1."):
            with open(os.path.join(folder, name), "r+b") as f:
                f.seek(os.path.getsize(os.path.join(folder, name)) - 4000)
                f.write(b"\xff" * 16)
    result = cluster(2, "explore", *SLOW, "--store", f"file:{folder}", "-q", "--resume")
    equal(result.status, 3, result)
    check("rank 1: " in result.err and "is damaged" in result.err, result)
    done(2, "explore", *SLOW, "--store", f"file:{folder}", "-q", "--restart")
    same_hologram(reference(*SLOW)[0], folder)


@test
def what_cannot_be_shared_is_refused_once_with_the_reason():
    game = "connect4:4x4"
    for words, reason in (((game, "--mode", "auto"), "share --mode wave"), ((game, "--mode", "osmosis"), "share --mode wave"),
                          ((game, "--probe-depth", "3"), "it needs --mode lightning or auto"),
                          ((game, *BOTH, "12 0 wave backward"), "needs a position whose value is known"),
                          ((game, *WAVE, "--threads", "2"), "start more ranks"), (("chess", "KQvK"), "leave out --cluster")):
        result = cluster(2, "explore", *words)
        equal(result.status, 2, words, result)
        check(reason in result.err, reason, result)
        equal(result.err.count("holos: "), 1, result)


@test
def options_that_contradict_each_other_are_refused():
    need()
    for words, reason in ((("connect4:4x4", "--graph", "--seeds", "-"), "put the seeds into a file"),
                          (("chess", "KQvK", "--kinds"), "--cluster")):
        result = holos("explore", *words, "--cluster")
        equal(result.status, 2, words, result)
        check(reason in result.err, reason, result)


@test
def ranks_share_a_wave_unless_a_mode_is_named():
    one, facts = reference(*LAYERED[:1], "--mode", "wave")
    folder = place("no-mode")
    found = done(2, "explore", LAYERED[0], "--store", f"file:{folder}", "-q", "--json").json[0]
    equal((found["mode"], essence(found)), ("wave", essence(facts)))
    same_hologram(one, folder)
    plans = [holos("explore", LAYERED[0], *words, "--estimate", "--json", "--ranks", "4").json[0] for words in ((), ("--mode", "wave"))]
    equal(plans[0]["memory"], plans[1]["memory"])
    equal(holos("explore", LAYERED[0], "--mode", "auto", "--estimate", "--ranks", "4").status, 2)


@test
def a_plan_for_ranks_needs_no_mpi():
    for words in (LAYERED, COUNTED):
        plans = []
        for ranks in (1, 4, 64):
            result = holos("explore", *words, "--estimate", "--json", "--ranks", str(ranks))
            equal(result.status, 0, result)
            plans.append(result.json[0])
        equal([p["ranks"] for p in plans], [1, 4, 64])
        check(plans[0]["memory"] > plans[1]["memory"] and plans[0]["traffic"] == 0 < plans[1]["traffic"], plans)
    equal(holos("explore", *LAYERED, "--ranks", "2").status, 2)


try:
    main()
finally:
    shutil.rmtree(FOLDER, ignore_errors=True)
