# SPDX-License-Identifier: MIT
"""Positions on standard input: many, odd ones, and people or programs that wait."""
import fcntl
import json
import math
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import termios
import time

from tap import HARD, Skip, check, equal, holos, main, start, test

GAME = "connect4:4x4"
SOLVE = ("solve", GAME, "--json")


def positions(stdin, *options):
    return holos(*SOLVE, *options, stdin=stdin)


@test
def one_line_is_one_answer():
    result = positions("1\n12\n123\n")
    equal(result.status, 0, result)
    equal([a["position"] for a in result.json], ["1", "12", "123"])


@test
def no_input_is_no_answer():
    result = positions("")
    equal((result.status, result.out, result.err), (0, "", ""))


@test
def the_last_line_needs_no_end():
    equal([a["position"] for a in positions("1\n12").json], ["1", "12"])


@test
def lines_may_end_in_carriage_return_and_newline():
    equal([a["position"] for a in positions("1\r\n12\r\n").json], ["1", "12"])


@test
def an_empty_line_is_read_as_a_position():
    equal([(a["position"], a["status"]) for a in positions("\n1\n").json], [("", "solved"), ("1", "solved")])
    result = holos("solve", "sudoku", "--json", stdin="\n")
    equal((result.status, result.json[0]["status"]), (3, "error"), result)


@test
def a_bad_line_gets_an_error_in_its_place():
    result = positions("1\nx\n12\n")
    equal(result.status, 3, result)
    equal([a["status"] for a in result.json], ["solved", "error", "solved"])


@test
def a_very_long_line_is_an_error_and_the_rest_goes_on():
    for length in (65536, 65537, 200000, 5000000):
        result = positions(b"1\n" + b"1" * length + b"\n12\n")
        equal(result.status, 3, length)
        equal([a["status"] for a in result.json], ["solved", "error", "solved"], length)
        error = result.json[1]
        check(len(error["position"]) < 100 and "65535" in error["error"]["message"], error)


@test
def a_long_line_at_the_end_without_its_end_is_an_error():
    result = positions(b"1\n" + b"1" * 100000)
    equal([a["status"] for a in result.json], ["solved", "error"], result)


@test
def a_byte_zero_is_an_error_with_its_place():
    result = positions(b"1\n12\x0034\n1\n")
    equal([a["status"] for a in result.json], ["solved", "error", "solved"], result)
    equal(result.json[1]["error"]["at"], 2)


@test
def bytes_that_are_not_text_are_an_error_in_valid_json():
    result = positions(b"\xff\xfe\n1\n")
    equal([a["status"] for a in result.json], ["error", "solved"], result)
    result.raw.decode("utf-8")


@test
def a_dash_stands_for_the_input_in_its_place():
    result = holos(*SOLVE, "1", "-", "3", stdin="2\n22\n")
    equal([a["position"] for a in result.json], ["1", "2", "22", "3"])


@test
def threads_keep_the_order():
    lines = [str(i % 4 + 1) + str(i // 4 % 4 + 1) + str(i // 16 % 4 + 1) for i in range(1000)]
    stdin = "\n".join(lines) + "\n"
    one, many = positions(stdin), positions(stdin, "--threads", "4")
    equal([a["position"] for a in many.json], lines)
    equal([(a["lo"], a["hi"]) for a in many.json], [(a["lo"], a["hi"]) for a in one.json])


@test
def arguments_are_shared_out_over_threads():
    answers = holos(*SOLVE, "--threads", "3", "1", "x", "3", "4", "44").json
    equal([a["position"] for a in answers], ["1", "x", "3", "4", "44"])


@test
def two_runs_at_once_do_not_disturb_each_other():
    processes = [start(*SOLVE) for _ in range(2)]
    for p in processes:
        p.stdin.write(b"1\n12\n" * 500)
    outs = [p.communicate()[0] for p in processes]
    for p, out in zip(processes, outs):
        equal((p.returncode, len(out.splitlines())), (0, 1000))


def read_line(process):
    """The next line of a running program, which must come by itself."""
    ready, _, _ = select.select([process.stdout], [], [], 60)
    check(ready, "the program waits for more input before it answers")
    return process.stdout.readline()


def converse(*options):
    process = start(*SOLVE, *options)
    for position in ("1", "12", "x", "123"):
        process.stdin.write(position.encode() + b"\n")
        process.stdin.flush()
        equal(json.loads(read_line(process))["position"], position)
    # Half a line is no question yet.
    process.stdin.write(b"12")
    process.stdin.flush()
    process.stdin.write(b"34\n")
    process.stdin.flush()
    equal(json.loads(read_line(process))["position"], "1234")
    process.stdin.close()
    equal(process.wait(), 3)
    process.stdout.close()
    process.stderr.close()


@test
def whoever_waits_for_an_answer_gets_it():
    converse()


@test
def whoever_waits_for_an_answer_gets_it_from_threads():
    converse("--threads", "2")


@test
def a_question_behind_half_a_line_is_answered():
    process = start(*SOLVE)
    process.stdin.write(b"1\n12")
    process.stdin.flush()
    equal(json.loads(read_line(process))["position"], "1")
    out, _ = process.communicate(b"\n")
    equal(json.loads(out)["position"], "12")


def peak_of(count, *options):
    """Runs `count` positions through the program; returns its peak memory in KiB."""
    process = start(*SOLVE, "--mem", "8M", *options, stdout=subprocess.PIPE)
    pid = os.fork()
    if pid == 0:
        process.stdout.close()
        for _ in range(count // 100):
            process.stdin.write(b"1\n12\n123\n4321\n" * 25)
        process.stdin.close()
        os._exit(0)
    process.stdin.close()
    answers = sum(1 for _ in process.stdout)
    os.waitpid(pid, 0)
    process.stdout.close()
    process.stderr.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    equal((status, answers), (0, count))
    return usage.ru_maxrss


@test
def a_hundred_thousand_positions_take_no_more_memory_than_a_thousand():
    for options in ([], ["--threads", "2"]):
        few, many = peak_of(1000, *options), peak_of(100000, *options)
        check(many < few + 8192, f"{few} KiB, then {many} KiB", options)


@test
def a_reader_that_leaves_ends_the_run_quietly():
    for options in ([], ["--threads", "2"]):
        process = start(*SOLVE, *options)
        pid = os.fork()
        if pid == 0:
            process.stdout.close()
            try:
                for _ in range(100000):
                    process.stdin.write(b"1\n12\n123\n4321\n" * 25)
            except BrokenPipeError:
                pass
            os._exit(0)
        process.stdin.close()
        process.stdout.readline()
        process.stdout.close()
        equal(process.stderr.read(), b"")
        equal(process.wait(), 141)
        process.stderr.close()
        os.waitpid(pid, 0)


@test
def a_closed_stdout_is_an_error():
    process = subprocess.run(["bash", "-c", '"$HOLOS" games >&-'], capture_output=True)
    check(process.returncode == 5 and b"cannot write" in process.stderr, process)


@test
def a_full_disk_is_an_error():
    if not os.path.exists("/dev/full"):
        raise Skip("there is no /dev/full")
    for args, stdin in ((("games",), b""), (("solve", GAME), b"1\n" * 10000), (("help",), b"")):
        with open("/dev/full", "wb") as full:
            result = holos(*args, stdin=stdin, stdout=full)
        equal(result.status, 5, args, result)
        check("cannot write the output: No space left on device" in result.err, result)


@test
def input_that_cannot_be_read_is_an_error():
    folder = os.open("/", os.O_RDONLY)
    process = start(*SOLVE, stdin=folder)
    out, err = process.communicate()
    os.close(folder)
    equal((process.returncode, out), (3, b""), err)
    check(b"cannot read standard input: Is a directory" in err, err)


def with_closed(number, *args):
    """Runs the program with one of its standard streams closed."""
    return holos(*args, stdin=b"", preexec_fn=lambda: os.close(number))


@test
def closed_standard_input_is_an_error_and_not_a_hang():
    for verb in ("solve", "hint", "rate", "draw", "play"):
        result = with_closed(0, verb, "sudoku")
        equal(result.status, 3, verb, result)
        check("cannot read standard input: it is closed" in result.err, verb, result)
    equal(with_closed(0, "solve", "nim", "start").status, 0)


@test
def closed_standard_output_is_an_error_and_no_file_takes_its_place():
    with tempfile.TemporaryDirectory() as folder:
        for number in (0, 1, 2):
            store = f"file:{folder}/{number}"
            result = with_closed(number, "build", "nim:1,2", "--graph", "--store", store)
            equal(result.status, 5 if number == 1 else 0, number, result)
            equal(holos("store", "verify", store).status, 0, number)
    result = with_closed(1, "solve", "nim", "start")
    equal(result.status, 5, result)
    check("cannot write the output" in result.err, result)


def unread(pipe):
    return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)


@test
def drawing_standard_input_can_be_interrupted():
    process = start("draw", "sudoku")
    process.stdin.write(b"53..7....\n")
    process.stdin.flush()
    while unread(process.stdin) > 0:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    equal(process.returncode, 130)


GRID = "53..7....\n6..195...\n.98....6.\n8...6...3\n4..8.3..1\n7...2...6\n.6....28.\n...419..5\n....8..79\n"


@test
def a_grid_over_several_lines_is_told_of_whole():
    for verb in ("solve", "rate", "hint"):
        result = holos(verb, "sudoku", stdin=GRID)
        equal(result.status, 3, result)
        check("--whole" in result.err, verb, result)
        equal(holos(verb, "sudoku", "--whole", stdin=GRID).status, 0, verb)
    # A stream with one bad line among good ones is no grid.
    check("--whole" not in holos("solve", "nim", stdin="start\nx\n").err)
    check("--whole" not in holos("solve", "nim", stdin="x\n").err)


@test
def a_byte_order_mark_is_no_part_of_the_text():
    mark = b"\xef\xbb\xbf"
    for args, stdin in ((("solve", "nim"), b"start\n"), (("solve", "sudoku", "--whole"), GRID.encode()),
                        (("draw", "sudoku"), GRID.encode()), (("solve", "nim"), b"")):
        equal(holos(*args, stdin=mark + stdin).raw, holos(*args, stdin=stdin).raw, args)
    equal(holos("solve", "nim", "--json", mark.decode() + "3,4,5 1").status, 0)
    with tempfile.NamedTemporaryFile() as file:
        file.write(mark + b"json: true\n")
        file.flush()
        equal(len(holos("solve", "nim", "start", "--config", file.name).json), 1)


@test
def slow_answers_do_not_wait_in_a_buffer():
    # Ten hard questions at once: the first answer must be there long before the last.
    process = start("solve", "connect4:9x8", "--json", "--time", "0.3", "--mem", "16M")
    process.stdin.write(b"start\n" * 10)
    process.stdin.close()
    read_line(process)
    check(process.poll() is None, "all answers came at once")
    process.kill()
    process.wait()
    process.stdout.close()
    process.stderr.close()


@test
def progress_for_programs_is_json_on_stderr():
    result = positions("1\n12\n", "--progress=json")
    events = [json.loads(line) for line in result.err.splitlines()]
    equal((events[-1]["event"], events[-1]["done"], events[-1]["unit"]), ("done", 2, "positions"))
    equal(positions("1\n12\n").err, "")


@test
def progress_for_a_log_is_a_line_now_and_then():
    words = ("explore", *HARD, "--mode", "wave", "--time", "3")
    shown = r"explore: [\d.]+( [kM])? positions, layer \d+, \d+ % solved, .* left, [\d.]+ [KM]iB(, seed .*)?"
    before = time.monotonic()
    lines = holos(*words, "--progress=log").err.splitlines()
    seconds = time.monotonic() - before
    told = [line for line in lines if re.fullmatch(shown, line)]
    check(1 <= len(told) <= 1 + math.log(seconds, 1.5), seconds, lines)  # after 1, 1.5, 2.2, 3.4 … seconds
    equal([line for line in lines if "\r" in line or "\x1b" in line], [])
    for silent in (("--progress=log", "-q"), ("--progress=none",), ()):
        check(not re.search(shown, holos(*words, *silent).err), silent)


main()
