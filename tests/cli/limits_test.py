# SPDX-License-Identifier: MIT
"""--time, --nodes and Ctrl-C: every verb that may take long keeps to them, and says so by its exit status.

Nobody measures absolute times here: a limit may be passed tenfold before a test fails, on however busy a machine."""
import os
import signal
import tempfile
import time

from tap import SANITIZED, check, equal, holos, main, start, test



def sparse(side):
    """A board of which only the ends of the path are given."""
    given = {(0, 0): 1, (side - 1, 0): side * side}
    return "/".join(" ".join(str(given.get((r, c), ".")) for c in range(side)) for r in range(side))


SPARSE = sparse(20)
ENDING = "8/8/8/3k4/8/8/1r6/KN5R b - -"

# What takes far longer than a test may.
LONG = [
    ("solve", "kalah:6,6", "start"),
    ("solve", "connect4:9x9", "start"),
    ("solve", "chess", "start", "--engine", "proof"),
    ("solve", "chess", "start", "--engine", "deepening"),
    ("solve", "chess", "start", "--engine", "wave"),
    ("solve", "chess", ENDING, "--engine", "region"),
    ("solve", "kalah:4,6", "start", "--engine", "retrograde", "--no-hot", "--mem", "2G"),
    ("explore", "kalah:6,6", "start"),
    ("explore", "chess", "start", "--mode", "osmosis"),
    ("explore", "chess", "KRRvKR"),
    ("generate", "hidato", "--size", "30x30", "--minimal", "--count", "1000"),
    ("rate", "hidato:4", SPARSE),
    ("hint", "hidato:4", SPARSE),
    ("lab", "ablation"),
]
LIMIT = 0.4


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def finish(process, seconds):
    """Waits for the end, and returns the CPU seconds that it took from now on."""
    before = cpu_seconds(process.pid)
    used = before
    while process.poll() is None:
        try:
            used = cpu_seconds(process.pid)
        except (FileNotFoundError, IndexError, ValueError):
            break
        if used - before > seconds:
            process.kill()
            process.wait()
            raise AssertionError(f"it is still at work {used - before:.1f} CPU seconds later")
        time.sleep(0.01)
    process.wait()
    return used - before


def interrupted(*arguments, after=0.3):
    """The exit status after Ctrl-C, which comes after so many CPU seconds."""
    process = start(*arguments, stdout=open(os.devnull, "wb"), stderr=open(os.devnull, "wb"))
    process.stdin.close()
    while cpu_seconds(process.pid) < after:
        check(process.poll() is None, f"{arguments[:3]} has ended by itself")
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    finish(process, 10)
    return process.returncode


@test
def a_time_limit_ends_the_work_and_the_status_is_4():
    for arguments in LONG:
        if arguments[0] in ("rate", "hint"):
            limit = "0.05"
        else:
            limit = str(LIMIT)
        began = time.monotonic()
        result = holos(*arguments, "--time", limit)
        took = time.monotonic() - began
        equal(result.status, 4, arguments[:4], result)
        check(took < 10 * LIMIT + 5, f"{arguments[:4]}: {took:.1f} s", result)


@test
def a_node_limit_does_the_same():
    for arguments in LONG[:7]:
        result = holos(*arguments, "--nodes", "5000", "--json")
        equal(result.status, 4, arguments[:4], result)
        answer = result.json[0]
        equal(answer["status"], "bounded", arguments[:4], answer)
        check(answer["lo"] < answer["hi"] and answer["nodes"] <= 5500, arguments[:4], answer)


@test
def an_interrupt_ends_the_work_and_the_status_is_130():
    for arguments in LONG:
        if arguments[0] == "hint":
            continue
        equal(interrupted(*arguments), 130, arguments[:4])


@test
def builds_can_be_interrupted_within_a_part():
    with tempfile.TemporaryDirectory() as folder:
        equal(interrupted("build", "chess", "KQRvKB", "--store", f"file:{folder}/tables"), 130)
        equal(interrupted("build", "kalah:6,4", "--seeds", "20", "--store", f"file:{folder}/kalah"), 130)


@test
def the_survey_of_rings_can_be_interrupted():
    equal(interrupted("lab", "phase", after=0.05), 130)


@test
def a_plan_above_memory_is_refused_at_once():
    result = holos("solve", "kalah:6,4", "start", "--engine", "retrograde", "--json")
    equal(result.status, 4, result)
    equal(result.json[0]["error"]["code"], "no-memory", result)


@test
def a_run_that_fails_prints_an_object_for_programs():
    for arguments in (("solve", "kalah", "start"), ("solve", "connect4", "start", "--no-book"), ("explore", "kalah", "start"),
                      ("build", "kalah:3,3", "--store", "file:/nowhere/at/all"), ("solve", "sudoku", "." * 81)):
        result = holos(*arguments, "--mem", "1", "--json")
        equal(result.status, 4, arguments, result)
        check(len(result.json) == 1 and result.json[0]["status"] in ("error", "no-memory"), arguments, result)
    result = holos("solve", "nosuch", "--json")
    equal((result.status, result.json[0]["error"]["code"]), (2, "usage"), result)


@test
def a_time_limit_of_a_second_is_kept_to_within_a_tenth():
    # What runs on one thread for a second cannot use more processor time than that, however busy the machine is.
    for arguments in (("generate", "hidato", "--size", "40x40", "--threads", "1"),
                      ("generate", "sudoku:16x16", "--minimal", "--count", "1000", "--threads", "1"),
                      ("solve", "hidato:4", sparse(16), "--steps", "--solutions", "1")):
        before = os.times()
        equal(holos(*arguments, "--time", "1").status, 4, arguments[:4])
        after = os.times()
        used = after.children_user + after.children_system - before.children_user - before.children_system
        check(used < (1.1 if not SANITIZED else 2), f"{arguments[:4]}: {used:.2f} CPU seconds")


@test
def a_booklet_that_a_limit_cuts_short_has_the_puzzles_until_then():
    with tempfile.TemporaryDirectory() as folder:
        result = holos("generate", "sudoku", "--count", "1000000", "--time", "0.5", "--booklet", folder)
        equal(result.status, 4, result)
        check(os.path.exists(f"{folder}/index.html"), os.listdir(folder), result)


@test
def a_graph_that_a_limit_cuts_short_says_what_was_reached():
    result = holos("build", "connect4:5x5", "--graph", "--mem", "24M", "--threads", "1", "--json", "-q")
    equal(result.status, 4, result)
    graph = result.json[0]
    equal((graph["status"], graph["positions"]), ("limit", sum(graph["positions_by_depth"])), graph)
    check(f"({graph['positions']} positions so far)" in graph["stopped"], graph)
    check(graph["depths"] == len(graph["positions_by_depth"]) > 5 and graph["generated"] > graph["positions"], graph)
    check("finished" not in graph and "start" not in graph, graph)  # nobody knows yet
    result = holos("build", "connect4:5x5", "--graph", "--mem", "24M", "--threads", "1")
    check(f"positions    {graph['positions']:,}" in result.out and "finished" not in result.out, result)


@test
def steps_that_a_limit_cuts_short_say_so():
    arguments = ("solve", "hidato:4", sparse(16), "--steps", "--time", "0.8", "--solutions", "1")
    result = holos(*arguments)
    equal(result.status, 4, result)
    check("time limit" in result.out, result)
    result = holos(*arguments, "--json")
    equal(result.status, 4, result)
    equal(result.json[0]["steps_complete"], False)


main()
