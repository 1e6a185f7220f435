# SPDX-License-Identifier: MIT
"""Ctrl-C: what is known is printed, and the exit status is 130."""
import json
import os
import pty
import signal
import time

from tap import HARD, check, environment, equal, main, start, test


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_until_busy(process):
    """Returns once the program has been computing for a while."""
    while cpu_seconds(process.pid) < 0.2:
        check(process.poll() is None, "the program has ended by itself")
        time.sleep(0.02)


def interrupt_hard(*options, signals=(signal.SIGINT,)):
    process = start("solve", *HARD, "--mem", "32M", "--json", *options)
    wait_until_busy(process)
    for s in signals:
        process.send_signal(s)
        time.sleep(0.05)
    out, err = process.communicate()
    return process.returncode, out, err


@test
def an_interrupt_prints_what_is_known():
    status, out, err = interrupt_hard()
    equal(status, 130, err)
    answer = json.loads(out)
    equal(answer["status"], "bounded")
    check(answer["lo"] < answer["hi"], answer)


@test
def a_request_to_terminate_does_the_same():
    status, out, _ = interrupt_hard(signals=(signal.SIGTERM,))
    equal((status, json.loads(out)["status"]), (130, "bounded"))


@test
def an_interrupt_ends_a_stream_after_the_current_answer():
    for threads in ("1", "2"):
        process = start("solve", HARD[0], "--json", "--mem", "32M", "--threads", threads)
        process.stdin.write(b"x\nstart\nstart\nstart\n")
        process.stdin.flush()
        wait_until_busy(process)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate()
        equal(process.returncode, 130)
        statuses = [json.loads(line)["status"] for line in out.splitlines()]
        equal(statuses[0], "error")
        check(1 <= statuses.count("bounded") <= int(threads), threads, statuses)


@test
def an_interrupt_while_waiting_for_input_ends_the_run():
    for threads in ("1", "2", "3"): # whichever of them it is that waits
        process = start("solve", "nim", "--threads", threads)
        process.stdin.write(b"start\n" * 5)
        process.stdin.flush()
        for _ in range(5):
            process.stdout.readline()
        process.send_signal(signal.SIGINT)
        equal(process.wait(), 130)
        process.communicate()


def on_terminal(*args):
    """Starts the program with a terminal for input and output; returns it and our end of the terminal."""
    ours, theirs = pty.openpty()
    process = start(*args, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    return process, ours


def read_terminal(ours, until):
    seen = b""
    while until not in seen:
        try:
            more = os.read(ours, 4096)
        except OSError:
            break
        if not more:
            break
        seen += more
    return seen


@test
def on_a_terminal_the_start_is_solved_without_being_asked():
    process, ours = on_terminal("solve", "connect4:4x4")
    seen = read_terminal(ours, b"plies")
    check(b"start" in seen and b"draw" in seen, seen)
    equal(process.wait(), 0)
    os.close(ours)


@test
def in_a_game_an_interrupt_ends_the_thinking_and_not_the_game():
    process, ours = on_terminal("play", HARD[0], "--time", "1h", "--mem", "32M", "--side", "second")
    read_terminal(ours, "thinking".encode())
    wait_until_busy(process)
    process.send_signal(signal.SIGINT)
    seen = read_terminal(ours, b"second")
    check(b"first plays" in seen and b"guess" in seen, seen)
    os.write(ours, b"quit\n")
    read_terminal(ours, b"no such text")
    equal(process.wait(), 0)
    os.close(ours)


@test
def in_a_game_an_interrupt_at_the_prompt_leaves():
    process, ours = on_terminal("play", "nim")
    read_terminal(ours, b"> ")
    process.send_signal(signal.SIGINT)
    equal(process.wait(), 130)
    os.close(ours)


@test
def no_color_is_honoured_on_a_terminal():
    for changes, coloured in (({"TERM": "xterm"}, True), ({"TERM": "xterm", "NO_COLOR": "1"}, False),
                              ({"TERM": "dumb"}, False)):
        ours, theirs = pty.openpty()
        process = start("solve", "connect4:4x4", "start", stdin=theirs, stdout=theirs, stderr=theirs,
                        env=environment(**changes))
        os.close(theirs)
        seen = read_terminal(ours, b"plies")
        process.wait()
        os.close(ours)
        equal(b"\x1b[" in seen, coloured, changes, seen)


main()
