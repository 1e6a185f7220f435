# SPDX-License-Identifier: MIT
"""A tiny harness: tests are functions, their results are TAP lines.

    from tap import check, holos, main, test

    @test
    def unknown_verb_is_a_usage_error():
        result = holos("sovle")
        check(result.status == 2, result)

    main()

HOLOS names the program under test. A test fails by an exception; check() raises one that shows what it was given.
"""
import json
import os
import re
import signal
import subprocess
import sys
import traceback

PROGRAM = os.path.abspath(os.environ.get("HOLOS", "build/holos"))
SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))

with open(PROGRAM, "rb") as _program:  # sanitizers make everything a few times slower
    SANITIZED = b"__sanitizer" in _program.read()

# nohup and a shell's background ignore signals, and what runs there inherits it: the program under test is not to.
for _ignored in (signal.SIGHUP, signal.SIGINT):
    if signal.getsignal(_ignored) == signal.SIG_IGN:
        signal.signal(_ignored, signal.SIG_DFL)

# A position that nobody solves while a test waits.
HARD = ("connect4:9x8", "start")

_tests = []


class Skip(Exception):
    """Raised by a test that cannot run here; says why."""


class Result:
    """What a run of the program left behind."""

    def __init__(self, status, out, err):
        self.status, self.raw, self.raw_err = status, out, err
        self.out, self.err = out.decode("utf-8", "replace"), err.decode("utf-8", "replace")

    @property
    def lines(self):
        return self.out.splitlines()

    @property
    def json(self):
        """The objects on stdout, one a line."""
        return [json.loads(line) for line in self.lines]

    def __str__(self):
        return f"status {self.status}\nstdout: {self.out[:2000]}\nstderr: {self.err[:2000]}"


def environment(**changes):
    env = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "HOLOS_CPU", "HOLOS_DATA")}
    env.update(changes)
    return env


def start(*args, **keywords):
    """The program, running, with pipes."""
    for stream in ("stdin", "stdout", "stderr"):
        keywords.setdefault(stream, subprocess.PIPE)
    keywords.setdefault("env", environment())
    return subprocess.Popen([PROGRAM, *args], **keywords)


def holos(*args, stdin=b"", **keywords):
    """Runs the program to its end."""
    if isinstance(stdin, str):
        stdin = stdin.encode()
    process = start(*args, **keywords)
    out, err = process.communicate(stdin)
    return Result(process.returncode, out or b"", err or b"")


def check(condition, *shown):
    if not condition:
        raise AssertionError("\n".join(str(s) for s in shown))


def equal(found, expected, *shown):
    check(found == expected, f"found:    {found!r}", f"expected: {expected!r}", *shown)


def documented_fields(section):
    """The field names in the first column of the table under a heading of docs/json.md."""
    with open(os.path.join(SOURCE, "docs", "json.md"), encoding="utf-8") as f:
        part = f.read().split(f"## {section}\n", 1)[1].split("\n## ", 1)[0]
    rows = re.findall(r"^\| `(\w+)`\s*\|([^|]*)\|", part, re.MULTILINE)
    return {name: when.strip() for name, when in rows}


def expected_fields(section, *given):
    """Documented fields: always, and those that come with what was given."""
    return {name for name, when in documented_fields(section).items() if when == "always" or when in given}


def test(function):
    _tests.append(function)
    return function


def _diagnose(s):
    for line in s.rstrip().splitlines():
        print("# " + re.sub(r"[\x00-\x08\x0b-\x1f]", "?", line))


def main():
    print(f"1..{len(_tests)}")
    failed = 0
    for number, function in enumerate(_tests, 1):
        name = function.__name__.replace("_", " ")
        try:
            function()
        except Skip as reason:
            print(f"ok {number} - {name} # SKIP {reason}")
        except Exception:
            failed += 1
            print(f"not ok {number} - {name}")
            _diagnose(traceback.format_exc())
        else:
            print(f"ok {number} - {name}")
        sys.stdout.flush()
    sys.exit(1 if failed else 0)
