# SPDX-License-Identifier: MIT
"""The examples of the manual are what the program really prints.

In a fenced block of the kind `console`, a line that begins with "$ " is a command, and the lines up to the next one are
what it prints (stdout and stderr). The commands of a block run in one shell, in an empty folder. A line "..." stands
for any lines. Times and numbers of nodes change from run to run: they are not compared.

usage: docs_test.py             compares, and prints TAP
       docs_test.py --update    writes what the program prints into the pages, except where "..." stands
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

import tap
from tap import SOURCE, check, equal, holos, main

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MARK = "\x01"  # between the outputs of commands

VOLATILE = [
    (re.compile(r'"nodes":\d+'), '"nodes":0'),
    (re.compile(r'"seconds":[-+.\de]+'), '"seconds":0'),
    (re.compile(r'"cpu_seconds":[-+.\de]+'), '"cpu_seconds":0'),
    (re.compile(r'"rate":[-+.\de]+'), '"rate":0'),
    (re.compile(r"\b[\d.]+ (µs|ms|s)\b"), "0 s"),
    (re.compile(r"\b[\d,]+ nodes?\b"), "0 nodes"),
]


def pages():
    return sorted(glob.glob(os.path.join(SOURCE, "docs", "*.md")) + glob.glob(os.path.join(SOURCE, "README.md")))


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def examples(block):
    """The commands of a block with the output that the page shows."""
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            check(found, f"a block of the kind console begins with a command: {line}")
            found[-1][1].append(line)
    return found


def run_block(commands):
    """What the commands print, run in one shell."""
    script = "".join(f"{c}\nstatus=$?; printf '\\001'; (exit $status)\n" for c in commands)
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(tap.PROGRAM, os.path.join(folder, "holos"))
        work = os.path.join(folder, "work")
        os.mkdir(work)
        env = tap.environment(PATH=folder + os.pathsep + os.environ["PATH"], COLUMNS="80")
        result = subprocess.run(["bash", "-c", script], cwd=work, env=env, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return [out.splitlines() for out in result.stdout.decode("utf-8").split(MARK)[:len(commands)]]


def steady(line):
    for pattern, replacement in VOLATILE:
        line = pattern.sub(replacement, line)
    return line.rstrip()


def matches(shown, printed):
    """Whether the lines on the page are those printed; "..." stands for any."""
    if not shown:
        return not printed
    if shown[0] == "...":
        return any(matches(shown[1:], printed[i:]) for i in range(len(printed) + 1))
    return bool(printed) and steady(shown[0]) == steady(printed[0]) and matches(shown[1:], printed[1:])


def compare(path):
    for block in BLOCK.findall(read(path)):
        shown = examples(block)
        for (command, expected), printed in zip(shown, run_block([c for c, _ in shown])):
            check(matches(expected, printed), f"$ {command}", "the page shows:", *expected, "it prints:", *printed)


def update(path):
    def renewed(match):
        shown = examples(match.group(1))
        lines = []
        for (command, expected), printed in zip(shown, run_block([c for c, _ in shown])):
            keep = "..." in expected or matches(expected, printed)
            lines += ["$ " + command] + (expected if keep else [line.rstrip() for line in printed])
        return "```console\n" + "".join(line + "\n" for line in lines) + "```"

    new = BLOCK.sub(renewed, read(path))
    with open(path, "w", encoding="utf-8") as f:
        f.write(new)


def links_lead_somewhere():
    for path in pages():
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", read(path)):
            check(os.path.exists(os.path.join(os.path.dirname(path), target)), path, target)


def the_page_on_notation_says_what_the_program_says():
    page = " ".join(read(os.path.join(SOURCE, "docs", "notation.md")).split())
    for game in holos("games", "--json").json:
        for part in ("title", "variants", "position", "score"):
            check(" ".join(game[part].split()) in page, game["game"], part, game[part])


def the_page_on_sudoku_lists_the_techniques():
    page = read(os.path.join(SOURCE, "docs", "sudoku.md"))
    rows = re.findall(r"^\| .* \| `([\w-]+)` \| (\d.*) \|$", page, re.MULTILINE)
    techniques = holos("rate", "sudoku", "--techniques", "--json").json
    equal([name for name, _ in rows], [t["technique"] for t in techniques])
    for (_, row), t in zip(rows, techniques):
        star = " *" if t["by_uniqueness"] else ""
        equal(row, f'{t["rating"]:.1f} | {t["score"]} | {t["level"]} | {t["summary"]}{star}')


def the_manual_names_every_verb():
    page = read(os.path.join(SOURCE, "docs", "manual.md"))
    for verb in re.findall(r"^  (\w+)", holos("help").out, re.MULTILINE):
        check(f"holos {verb}" in page, verb)


def the_manual_tells_the_exit_statuses_as_the_man_page_does():
    man = holos("help", "--man").out.split(".SH EXIT STATUS\n")[1].split("\n.PP")[0]
    table = read(os.path.join(SOURCE, "docs", "manual.md"))
    for status, meaning in re.findall(r"^\.B (\d+)\n(.*)\.$", man, re.MULTILINE):
        check(f"| {status} | {meaning} |" in table, status, meaning)


def the_pages_name_every_option():
    text = "".join(read(p) for p in pages())
    for verb in ("solve", "play", "hint", "rate", "generate", "draw", "explore", "build", "query", "store"):
        for option in re.findall(r"--([\w-]+)", holos("help", verb).out):
            check(f"--{option}" in text, verb, option)


if "--update" in sys.argv:
    for page_path in pages():
        update(page_path)
else:
    for page_path in pages():
        if BLOCK.search(read(page_path)):
            def page_test(path=page_path):
                compare(path)
            page_test.__name__ = f"examples of {os.path.relpath(page_path, SOURCE)}"
            tap.test(page_test)
    for function in (links_lead_somewhere, the_page_on_sudoku_lists_the_techniques, the_page_on_notation_says_what_the_program_says,
                     the_manual_names_every_verb, the_manual_tells_the_exit_statuses_as_the_man_page_does,
                     the_pages_name_every_option):
        tap.test(function)
    main()
