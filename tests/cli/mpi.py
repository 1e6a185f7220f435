# SPDX-License-Identifier: MIT
"""Starting `mpirun -n N holos … --cluster`, and ending ranks of it. Tests are skipped with the reason if this build or this machine has
no Open MPI."""
import filecmp
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time

from tap import PROGRAM, Result, Skip, check, environment, equal, holos

LONG = os.environ.get("HOLOS_LONG_TESTS", "") not in ("", "0")
KILLS = 20 if LONG else 10  # of ranks at random moments, in a test
NEEDED = os.environ.get("HOLOS_ALL_STORES", "") not in ("", "0")  # in CI, which installs everything
FOLDER = tempfile.mkdtemp(prefix="holos_cluster_")
RANDOM = random.Random(21)
STARVE = os.environ.get("STARVE")  # a library that lets requests for memory fail (starve.c)
# What Open MPI never frees is not ours.
os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
LIBRARIES = holos("version", "--json").json[0]["libraries"]
MPIRUN = shutil.which("mpirun")
# Ranks share processors with each other and with other tests: whoever waits must let the others work.
OPTIONS = ["--oversubscribe", "--bind-to", "none", "--mca",
           "btl_vader_single_copy_mechanism", "none", "--mca", "mpi_yield_when_idle", "1", "--mca",
           "orte_abort_print_stack", "0"]
if os.geteuid() == 0:
    OPTIONS.insert(0, "--allow-run-as-root")
LOOPBACK = ["--mca", "btl", "self,vader"]


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
    return subprocess.Popen([MPIRUN, *OPTIONS, *LOOPBACK, "-n", str(ranks), *wrap, PROGRAM, *words, "--cluster"], env=env, **keywords)


def place(name):
    return os.path.join(FOLDER, name)


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


def ended(process, stdin=None):
    """Waits for mpirun. Now and then it stays where it is when its ranks have been killed (pmix_rte_finalize waits for a lock that nobody holds);
    then it is killed, too."""
    alone = 0
    while True:
        try:
            out, err = process.communicate(stdin, timeout=10)
            return Result(process.returncode, out, err)
        except subprocess.TimeoutExpired:
            stdin = None  # it has that
            alone = 0 if children(process) else alone + 1
            if alone == 2:
                process.kill()


def cluster(ranks, *words, stdin=b"", **keywords):
    return ended(started(ranks, *words, **keywords), stdin)


def done(ranks, *words, **keywords):
    result = cluster(ranks, *words, **keywords)
    equal(result.status, 0, words, result)
    return result


# mpirun kills the others as soon as one has been killed, not after a second.
AT_ONCE = {"OMPI_MCA_odls_base_sigkill_timeout": "0"}


def kill_one(process):
    """Kills one rank, if there still are any; whether it was in time."""
    victims = children(process)
    if victims and process.poll() is None:
        try:
            os.kill(RANDOM.choice(victims), signal.SIGKILL)
        except ProcessLookupError:
            pass
    result = ended(process)
    return result.status != 0, result


def killed(ranks, *words, delay):
    """Starts it, and kills one rank after a while, as soon as there are any; whether it was in time."""
    process = started(ranks, *words, stdin=subprocess.DEVNULL, changes=AT_ONCE)
    end = time.monotonic() + delay
    while process.poll() is None and (time.monotonic() < end or not children(process)):
        time.sleep(0.005)
    return kill_one(process)


def rank_of(pid):
    try:
        with open(f"/proc/{pid}/environ", "rb") as f:
            found = re.search(rb"OMPI_COMM_WORLD_RANK=(\d+)", f.read())
    except OSError:
        return None
    return int(found.group(1)) if found else None


_references = {}


def reference(*words):
    """What one process makes."""
    if words not in _references:
        folder = place(f"one{len(_references)}")
        result = holos("build", *words, "--store", f"file:{folder}", "-q", "--json")
        equal(result.status, 0, words, result)
        _references[words] = (folder, result.json[0])
    return _references[words]


def same_files(a, b):
    """The same files with the same bytes; the record of the run tells of the run."""
    names = [sorted(n for n in os.listdir(f) if n != "build.json") for f in (a, b)]
    equal(names[1], names[0])
    for name in names[0]:
        check(filecmp.cmp(os.path.join(a, name), os.path.join(b, name), shallow=False), a, b, name)


class Disk:
    """A small disk: a file system in memory, that can grow."""

    def __init__(self, name, size):
        self.path = place(name)
        os.makedirs(self.path)
        made = None
        if shutil.which("mount") and shutil.which("unshare"):
            made = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", self.path], capture_output=True,
                                  check=False, text=True)
        self.mounted = made is not None and made.returncode == 0
        if not self.mounted:
            raise Skip("file systems may not be mounted here: " + (made.stderr.strip() if made else "no mount or unshare"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        subprocess.run(["umount", "-l", self.path], check=False)

    def grow(self):
        subprocess.run(["mount", "-o", "remount,size=1g", self.path], check=True)

    def wrap(self, folder):
        """Rank 1 sees this disk in place of a folder, as on a machine of its own."""
        return ("sh", "-c", f"""if [ "$OMPI_COMM_WORLD_RANK" = 1 ]; then
            exec unshare --mount sh -c 'mount --bind {self.path} {folder} && exec "$@"' sh "$@"
        fi
        exec "$@" """, "sh")


NO_LIMIT_SIGNAL = ("sh", "-c", 'trap "" XFSZ; exec "$@"', "sh")  # so that a file that may not grow is an error


def ended_by_small_files(process, size):
    """Rank 1 may write no larger files from now on, and says so."""
    for pid in children(process):
        if rank_of(pid) == 1:
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, size))
    result = ended(process)
    equal(result.status, 5, result)
    check("holos: rank 1: " in result.err and "File too large" in result.err, result)
    equal(result.err.count("holos: "), 1, result)


def ended_by_full_disk(result, rank=""):
    equal(result.status, 5, result)
    check(f"holos: {rank}" in result.err and "No space left on device" in result.err, result)
    equal(result.err.count("holos: "), 1, result)


def starved(words, request, **changes):
    """Runs it in two ranks; so many requests of the second one for memory have an answer."""
    changes = {"LD_PRELOAD": STARVE, "HOLOS_STARVE_RANK": "1", "HOLOS_STARVE": str(request), **changes}
    return cluster(2, *words, "-q", wrap=("env", *(f"{k}={v}" for k, v in changes.items())))


def starving(words):
    """How many requests for memory its second rank makes."""
    counted = place("requests")
    equal(starved(words, 0, HOLOS_STARVE_COUNT=counted).status, 0, words)
    with open(counted + ".1", encoding="utf-8") as f:
        return int(f.read())


def refused_apart(*words, folder):
    """Rank 1 works in another folder, as on a machine with a disk of its own; `words` name this one."""
    here, there = place("here"), place("there")
    for path in (here, there):
        os.makedirs(path)
    apart = ("sh", "-c", f"""if [ "$OMPI_COMM_WORLD_RANK" = 1 ]; then cd {there}; else cd {here}; fi; exec "$@" """, "sh")
    result = cluster(3, *words, wrap=apart)
    equal(result.status, 2, result)
    check(f"holos: rank 1: {folder} is another folder here" in result.err and "all ranks see" in result.err, result)
    equal(result.err.count("holos: "), 1, result)
    equal(os.listdir(there), [])
    equal([n for n in os.listdir(os.path.join(here, folder)) if not n.startswith(".holos")], [])
