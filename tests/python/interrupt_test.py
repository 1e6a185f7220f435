# SPDX-License-Identifier: MIT
"""Ctrl-C, requests to stop, progress: work that takes long ends where it can, and loses nothing."""
import os
import signal
import subprocess
import sys
import tempfile
import threading

from here import Skip, check, equal, holos, main, raises, test

HARD = ("connect4:9x8", "start")


def interrupted(script, *arguments):
    """What a program says that gets Ctrl-C after its first line."""
    process = subprocess.Popen([sys.executable, "-c", script, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, start_new_session=True)
    first = process.stdout.readline()
    check(first.strip() == "ready", first, process.stderr.read() if not first else "")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    return process.returncode, out, err


@test
def ctrl_c_ends_a_search():
    status, out, err = interrupted("""
import signal, holos
signal.signal(signal.SIGINT, signal.default_int_handler)
told = []
def tell(progress):
    if not told:
        told.append(progress)
        print("ready", flush=True)
solver = holos.open("connect4:9x8").solver(progress=tell, progress_seconds=0.01, engine="alphabeta", settings={"no-hot": True})
try:
    solver.solve()
except KeyboardInterrupt:
    print("interrupted", told[0].label)
print(holos.solve("nim").value.score)
""")
    equal((status, out.split()[0], out.split()[-1]), (0, "interrupted", "1"), out, err)


@test
def ctrl_c_ends_a_search_in_python():
    status, out, err = interrupted("""
import signal, holos
signal.signal(signal.SIGINT, signal.default_int_handler)
class Long(holos.Game):
    name, most_moves, told = "long", 2, False
    def start(self): return (0, 0)
    def side(self, p): return p[1]
    def terminal(self, p): return -1 if p[0] > 10**6 else None
    def moves(self, p): return [1, 2]
    def play(self, p, m):
        if not Long.told:
            Long.told = True
            print("ready", flush=True)
        return (p[0] * 3 % 1000003 % 99991 + m, 1 - p[1])
v = holos.open(Long())
try:
    v.solve(engine="proof")
except KeyboardInterrupt:
    print("interrupted")
""")
    equal((status, out.split()), (0, ["interrupted"]), out, err)


@test
def ctrl_c_leaves_a_checkpoint():
    with tempfile.TemporaryDirectory() as folder:
        store = "file:" + os.path.join(folder, "waves")
        status, out, err = interrupted("""
import signal, sys, holos
signal.signal(signal.SIGINT, signal.default_int_handler)
told = []
def tell(progress):
    if progress.done > 1000 and not told:
        told.append(progress)
        print("ready", flush=True)
job = holos.open("connect4").job("wave", "start", store=sys.argv[1], progress=tell, progress_seconds=0.05, memory=200 << 20)
try:
    job.run()
except KeyboardInterrupt:
    print("interrupted", job.report["status"])
""", store)
        equal((status, out.split()), (0, ["interrupted", "interrupted"]), out, err)
        before = holos.stores.look(store).positions
        check(before > 1000, before)
        job = holos.open("connect4").job("wave", "start", store=store, start="resume", seconds=0.3, memory=200 << 20)
        report = job.run()
        equal(report["status"], "limit", report)
        check(holos.stores.look(store).positions >= before)
        check(holos.inspect(store), "nothing to tell")


@test
def exceptions_in_callbacks_stop_the_work():
    def refuse(progress):
        raise LookupError(progress.unit)

    with holos.open(HARD[0]).solver(progress=refuse, progress_seconds=0.01, engine="alphabeta", settings={"no-hot": True}) as solver:
        raises(LookupError, solver.solve)
    job = holos.open("connect4").job("wave", "start", progress=refuse, progress_seconds=0.01, memory=100 << 20)
    raises(LookupError, job.run)
    with holos.open("connect4").wave(tick=lambda: 1 / 0) as wave:
        wave.add("start")
        raises(ZeroDivisionError, wave.run)


@test
def another_thread_may_stop_it():
    stop, told = holos.Stop(), threading.Event()
    with holos.open(HARD[0]).solver(stop=stop, progress=lambda p: told.set(), progress_seconds=0.01,
                                    engine="alphabeta", settings={"no-hot": True}) as solver:
        threading.Thread(target=lambda: told.wait() and stop.set()).start()
        equal(solver.solve().status, "bounded")
        check(stop.asked)
        stop.clear()
        check(not stop.asked)


@test
def jobs_plan_tell_and_report():
    with tempfile.TemporaryDirectory() as folder:
        store, said = "file:" + os.path.join(folder, "db"), []
        job = holos.open("kalah:3,2").job("database", store=store, progress=said.append, progress_seconds=0.001,
                                          log=lambda level, line: None, histogram=True)
        plan = job.plan()
        equal((plan.positions, plan.parts, plan.basis, job.name), (18564, 49, "exact", "database"))
        report = job.run()
        equal((report["positions"], report["status"]), (18564, "ok"))
        check(said and said[-1].ended and isinstance(said[0], holos.Progress), said[-1:])
        equal(job.report, report)
        raises(holos.Error, job.run)
        raises(holos.Error, holos.open("kalah:3,2").job("database", store=store).run)
        raises(ValueError, holos.open("kalah:3,2").job, "database", start="maybe")
    kinds = [k.name for k in holos.open("chess").job_kinds()]
    check("wave" in kinds, kinds)
    check(holos.jobs.takes(holos.open("chess"), "region", "KRvKN"))
    match = holos.open("connect4:4x4").job("match", "alphabeta:depth=3", "random", settings={"games": 4}, threads=1).run()
    equal(match["games"], 4, match)


@test
def a_process_alone_is_a_cluster_of_one():
    there, words = holos.cluster.library()
    if not there:
        equal(raises(holos.Error, holos.Cluster).status, "unsupported")
        raise Skip(words)
    script = """
import holos
with holos.Cluster() as cluster:
    cluster.agree()
    report = holos.open("kalah:2,2").job("database", cluster=cluster).run()
    print(cluster.rank, cluster.ranks, cluster.agreed, report["positions"])
"""
    done = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    equal(done.stdout.split()[:2] + done.stdout.split()[3:], ["0", "1", "495"], done.stdout, done.stderr)


main()
