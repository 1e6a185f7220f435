# SPDX-License-Identifier: MIT
"""More than one process: `mpirun -n N holos … --cluster` ends with the bytes of one. Skipped with the reason if this build or this
machine has no Open MPI.

HOLOS_LONG_TESTS=1 kills twenty times instead of a few.
"""
import filecmp
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time

from tap import PROGRAM, Result, Skip, check, environment, equal, holos, main, test

LONG = os.environ.get("HOLOS_LONG_TESTS", "") not in ("", "0")
NEEDED = os.environ.get("HOLOS_ALL_STORES", "") not in ("", "0")  # in CI, which installs everything
FOLDER = tempfile.mkdtemp(prefix="holos_cluster_")
RANDOM = random.Random(21)
LIBRARIES = holos("version", "--json").json[0]["libraries"]
MPIRUN = shutil.which("mpirun")
# Ranks share processors with each other and with other tests: whoever waits must let the others work.
OPTIONS = ["--oversubscribe", "--bind-to", "none", "--mca", "btl", "self,vader", "--mca",
           "btl_vader_single_copy_mechanism", "none", "--mca", "mpi_yield_when_idle", "1", "--mca",
           "orte_abort_print_stack", "0"]
if os.geteuid() == 0:
    OPTIONS.insert(0, "--allow-run-as-root")


def need():
    missing = None
    if MPIRUN is None:
        missing = "there is no mpirun (openmpi-bin)"
    elif "openmpi" not in LIBRARIES:
        missing = "this build has no MPI"
    if missing is not None:
        check(not NEEDED, missing)
        raise Skip(missing)


def started(ranks, *words, wrap=(), **keywords):
    need()
    for stream in ("stdin", "stdout", "stderr"):
        keywords.setdefault(stream, subprocess.PIPE)
    env = environment(TMPDIR=FOLDER, **keywords.pop("changes", {}))
    return subprocess.Popen([MPIRUN, *OPTIONS, "-n", str(ranks), *wrap, PROGRAM, *words, "--cluster"], env=env, **keywords)


def cluster(ranks, *words, stdin=b"", **keywords):
    process = started(ranks, *words, **keywords)
    out, err = process.communicate(stdin)
    return Result(process.returncode, out, err)


def done(ranks, *words, **keywords):
    result = cluster(ranks, *words, **keywords)
    equal(result.status, 0, words, result)
    return result


def place(name):
    return os.path.join(FOLDER, name)


def same_files(a, b):
    """The same files with the same bytes; the record of the run tells of the run."""
    names = [sorted(n for n in os.listdir(f) if n != "build.json") for f in (a, b)]
    equal(names[1], names[0])
    for name in names[0]:
        check(filecmp.cmp(os.path.join(a, name), os.path.join(b, name), shallow=False), a, b, name)


_references = {}


def reference(*words):
    """What one process makes."""
    if words not in _references:
        folder = place(f"one{len(_references)}")
        result = holos("build", *words, "--store", f"file:{folder}", "-q", "--json")
        equal(result.status, 0, words, result)
        _references[words] = (folder, result.json[0])
    return _references[words]


# By the kernel, and position by position; layers that follow each other, and edges that lead to any layer.
DATABASE = ("kalah:4,2",)
SLOW_DATABASE = ("kalah:4,3", "--seeds", "17", "--no-hot")
LAYERED = ("connect4:4x4", "--graph")
CROSSING = ("kalah:4,2", "--graph")


def many_ranks(words, counted):
    one, facts = reference(*words)
    for ranks in (1, 2, 3, 4):
        folder = place(f"{words[0]}-{ranks}-{len(words)}")
        found = done(ranks, "build", *words, "--store", f"file:{folder}", "-q", "--json").json
        equal(len(found), 1)  # rank 0 alone speaks
        equal(found[0]["ranks"], ranks)
        for name in counted:
            equal(found[0][name], facts[name], ranks, name)
        same_files(one, folder)
        shutil.rmtree(folder)


@test
def a_database_has_the_bytes_of_one_process():
    many_ranks(DATABASE, ("positions", "start", "computed", "digest", "bytes", "positions_by_tier"))


@test
def a_layered_graph_has_the_bytes_of_one_process():
    many_ranks(LAYERED, ("positions", "start", "finished", "generated", "duplicates", "positions_by_depth", "digest"))


@test
def a_graph_whose_edges_cross_layers_has_the_bytes_of_one_process():
    many_ranks(CROSSING, ("positions", "start", "finished", "generated", "duplicates", "positions_by_depth", "digest"))


@test
def work_without_a_store_is_counted():
    found = done(2, "build", *DATABASE, "--json", "-q").json[0]
    equal(found["computed"], reference(*DATABASE)[1]["positions"])
    found = done(2, "build", *LAYERED, "--json", "-q").json[0]
    equal(found["positions"], reference(*LAYERED)[1]["positions"])
    equal(found["start"], reference(*LAYERED)[1]["start"])


@test
def other_stores_are_written_by_rank_0():
    for words in (DATABASE, LAYERED):
        url = f"sqlite:{place(words[0])}.db"
        found = done(3, "build", *words, "--store", url, "-q", "--json").json[0]
        equal(found["digest"], reference(*words)[1]["digest"])
        equal(holos("store", "verify", url, "-q").status, 0)


@test
def positions_may_lie_on_disk():
    one, _ = reference("connect4:5x4", "--graph")
    folder, spill = place("spilled"), place("spill")
    os.makedirs(spill)
    words = ("build", "connect4:5x4", "--graph", "--store", f"file:{folder}", "-q")
    result = cluster(2, *words, "--mem", "24M")
    equal(result.status, 4, result)
    check("does not fit into memory" in result.out and "--spill" in result.out, result)
    done(2, *words, "--mem", "24M", "--spill", spill, "--resume")
    same_files(one, folder)
    equal(os.listdir(spill), [])


@test
def mpirun_is_not_needed_for_one_rank():
    need()
    folder = place("alone")
    equal(holos("build", *LAYERED, "--store", f"file:{folder}", "--cluster", "-q").status, 0)
    same_files(reference(*LAYERED)[0], folder)


# ---- What goes wrong ---------------------------------------------------------------------------------

def children(process):
    """The ranks of an mpirun."""
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as f:
                fields = f.read().rsplit(")", 1)[1].split()
            with open(f"/proc/{name}/cmdline", encoding="utf-8", errors="replace") as f:
                ours = PROGRAM in f.read()
        except OSError:
            continue
        if ours and int(fields[1]) == process.pid:
            found.append(int(name))
    return found


def killed(ranks, words, folder, delay):
    """Starts it, and kills one rank after a while; whether it was in time."""
    process = started(ranks, "build", *words, "--store", f"file:{folder}", "-q", "--resume", stdin=subprocess.DEVNULL)
    end = time.monotonic() + delay
    while process.poll() is None and time.monotonic() < end:
        time.sleep(0.005)
    victims = children(process)
    if victims and process.poll() is None:
        try:
            os.kill(RANDOM.choice(victims), signal.SIGKILL)
        except ProcessLookupError:
            pass
    out, err = process.communicate()
    return process.returncode != 0, Result(process.returncode, out, err)


def kills(words, count):
    """Kills at random moments of the time that a whole run takes; then lets one run end."""
    one, _ = reference(*words)
    before = time.monotonic()
    folder = place(f"killed-{words[0]}")
    done(3, "build", *words, "--store", f"file:{folder}", "-q", "--restart")
    seconds = time.monotonic() - before
    hits, tries = 0, 0
    shutil.rmtree(folder)
    while hits < count and tries < 6 * count:
        tries += 1
        hit, result = killed(3, words, folder, RANDOM.uniform(0.1, 0.95) * seconds)
        hits += hit
        if not hit:
            equal(result.status, 0, result)
            same_files(one, folder)
            shutil.rmtree(folder)
    check(hits > 0, tries, seconds)
    done(3, "build", *words, "--store", f"file:{folder}", "-q", "--resume")
    same_files(one, folder)
    print(f"# {words[0]}: {hits} of {tries} runs of {seconds:.1f} s were killed in time")


@test
def a_database_goes_on_after_kill_9():
    kills(SLOW_DATABASE, 20 if LONG else 2)


@test
def a_graph_goes_on_after_kill_9():
    kills(("connect4:5x4", "--graph") if LONG else LAYERED, 20 if LONG else 2)


def rank_of(pid):
    try:
        with open(f"/proc/{pid}/environ", "rb") as f:
            found = re.search(rb"OMPI_COMM_WORLD_RANK=(\d+)", f.read())
    except OSError:
        return None
    return int(found.group(1)) if found else None


def with_full_disk(words, folder, size):
    """Once the work has begun, the second rank may not write files of more than so many bytes."""
    process = started(2, "build", *words, "--store", f"file:{folder}", "-q", stdin=subprocess.DEVNULL,
                      wrap=("sh", "-c", 'trap "" XFSZ; exec "$@"', "sh"))
    while process.poll() is None and not os.path.exists(os.path.join(folder, "manifest.json")):
        time.sleep(0.005)
    for pid in children(process):
        if rank_of(pid) == 1:
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, size))
    out, err = process.communicate()
    result = Result(process.returncode, out, err)
    equal(result.status, 5, result)
    check("holos: rank 1: " in result.err and "File too large" in result.err, result)
    equal(result.err.count("holos: "), 1, result)


@test
def a_rank_whose_disk_is_full_ends_all_with_the_reason():
    folder = place("full")
    with_full_disk(SLOW_DATABASE, folder, 6000)
    check(any(name.endswith(".part") for name in os.listdir(folder)))
    done(2, "build", *SLOW_DATABASE, "--store", f"file:{folder}", "-q", "--resume")
    same_files(reference(*SLOW_DATABASE)[0], folder)


@test
def a_graph_goes_on_from_its_last_layer_with_as_many_ranks():
    folder, graph = place("full-graph"), ("connect4:5x4", "--graph")
    words = ("build", *graph, "--store", f"file:{folder}", "-q")
    with_full_disk(graph, folder, 1000000)
    result = cluster(3, *words, "--resume")
    equal(result.status, 2, result)
    check("was begun with 2 ranks" in result.err, result)
    done(2, *words, "--resume")
    same_files(reference(*graph)[0], folder)


@test
def a_request_to_stop_keeps_what_is_finished():
    one, _ = reference(*SLOW_DATABASE)
    folder = place("stopped")
    process = started(2, "build", *SLOW_DATABASE, "--store", f"file:{folder}", "-q", stdin=subprocess.DEVNULL)
    while process.poll() is None and not (os.path.isdir(folder) and any(n.endswith(".part") for n in os.listdir(folder))):
        time.sleep(0.005)
    for rank in children(process):
        os.kill(rank, signal.SIGTERM)
    out, err = process.communicate()
    check(process.returncode in (0, 130, 143), Result(process.returncode, out, err))
    done(2, "build", *SLOW_DATABASE, "--store", f"file:{folder}", "-q", "--resume")
    same_files(one, folder)


@test
def time_ends_in_all_ranks():
    folder = place("time")
    result = cluster(2, "build", "kalah:6,4", "--seeds", "20", "--no-hot", "--store", f"file:{folder}", "-q", "--time", "0.3")
    equal(result.status, 4, result)
    with open(os.path.join(folder, "build.json"), encoding="utf-8") as f:
        equal(json.load(f)["stopped"], "time limit")


@test
def a_second_job_is_told_once_who_has_the_store():
    folder = place("locked")
    process = started(2, "build", "kalah:6,4", "--seeds", "20", "--no-hot", "--store", f"file:{folder}", "-q", "--time", "20")
    while process.poll() is None and not os.path.exists(os.path.join(folder, "manifest.json")):
        time.sleep(0.01)
    result = cluster(2, "build", "kalah:6,4", "--seeds", "20", "--store", f"file:{folder}", "-q", "--resume")
    for rank in children(process):
        os.kill(rank, signal.SIGTERM)
    process.communicate()
    equal(result.status, 5, result)
    equal(result.err.count("holos: "), 1, result)


@test
def what_cannot_be_shared_is_refused_once():
    for words, reason in ((("build", "connect4:5x4", "--book-depth", "3"), "leave out --cluster"),
                          (("build", "kalah:99"), "kalah:6,4"),
                          (("build", *LAYERED, "--threads", "2"), "start more ranks"),
                          (("solve", "connect4:5x4", "44", "--threads", "2"), "start more ranks")):
        result = cluster(2, *words)
        equal(result.status, 2, result)
        check(reason in result.err, reason, result)
        equal(result.err.count("holos: "), 1, result)


@test
def without_mpi_the_option_says_what_is_missing():
    if "openmpi" in LIBRARIES:
        raise Skip("this build has MPI")
    result = holos("build", *LAYERED, "--cluster")
    equal(result.status, 2, result)
    check("libopenmpi-dev" in result.err, result)


# ---- Streams -----------------------------------------------------------------------------------------

@test
def the_lines_of_a_stream_are_shared_and_answered_in_order():
    lines = ["".join(RANDOM.choice("12345") for _ in range(RANDOM.randrange(2, 7))) for _ in range(200)]
    lines[20] = "x"
    text = "\n".join(lines) + "\n"
    alone = holos("solve", "connect4:5x4", "--json", "--moves", stdin=text)
    shared = cluster(3, "solve", "connect4:5x4", "--json", "--moves", stdin=text.encode())
    equal(shared.status, alone.status, shared)

    def essence(result):
        return [{k: v for k, v in answer.items() if k not in ("seconds", "nodes")} for answer in result.json]
    equal(essence(shared), essence(alone))


try:
    main()
finally:
    shutil.rmtree(FOLDER, ignore_errors=True)
