#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Installs the library into an empty folder, and builds and runs every example against what lies there.

An example shows in its opening comment how it is called, "$ ./best_move connect4:5x4 33", and below that what it
prints: this is what is compared.

usage: example_test.py BUILD SOURCE
"""
import glob
import os
import re
import shlex
import subprocess
import sys
import tempfile

build, source = map(os.path.abspath, sys.argv[1:3])


def run(*command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)


def find(root, name):
    for folder, _, files in os.walk(root):
        if name in files:
            return folder
    raise AssertionError(f"{name} was not installed")


def calls(path):
    """Pairs of a command line and the lines that it prints, from the comment on top."""
    with open(path, encoding="utf-8") as file:
        comment = re.search(r"/\*\s*\n?(?!\s*SPDX)(.*?)\*/", file.read().split("*/", 1)[1], re.S).group(1)
    found, current = [], None
    for line in (re.sub(r"^ \* ?", "", text) for text in comment.splitlines()):
        if line.strip().startswith("$ ./"):
            current = (shlex.split(line.strip()[2:]), [])
            found.append(current)
        elif not line.strip():
            current = None
        elif current is not None:
            current[1].append(line.strip())
    return found


def install(place):
    done = run("meson", "install", "-C", build, "--no-rebuild", "--destdir", place)
    assert done.returncode == 0, done.stdout


def example(path, place):
    name = os.path.basename(path)[:-2]
    environment = dict(os.environ, PKG_CONFIG_PATH=find(place, "holos.pc"), PKG_CONFIG_SYSROOT_DIR=place,
                       LD_LIBRARY_PATH=find(place, "libholos.so.0"))
    environment.pop("HOLOS_DATA", None)  # the data is found beside the library, wherever it was installed
    flags = run("pkg-config", "--cflags", "--libs", "holos", env=environment).stdout.split()
    done = run("cc", "-std=c17", "-Wall", "-Wextra", "-Werror", path, *flags, "-o", os.path.join(place, name))
    assert done.returncode == 0, done.stdout
    shown = calls(path)
    assert shown, "the comment on top does not show how it is called"
    with tempfile.TemporaryDirectory(dir=place) as folder:
        os.symlink(os.path.join(place, name), os.path.join(folder, name))
        for command, expected in shown:
            out = run(*command, cwd=folder, env=environment).stdout
            lines = [line.strip() for line in out.splitlines() if line.strip()]
            assert lines == expected, f"{shlex.join(command)}\nexpected: {expected}\nprinted:  {lines}"


paths = sorted(glob.glob(os.path.join(source, "examples", "*.c")))
print(f"TAP version 13\n1..{len(paths) + 1}")
with tempfile.TemporaryDirectory() as place:
    tests = [("the project installs into an empty folder", lambda: install(place))]
    tests += [(f"examples/{os.path.basename(path)}", lambda path=path: example(path, place)) for path in paths]
    for number, (what, test) in enumerate(tests, 1):
        try:
            test()
            print(f"ok {number} - {what}")
        except AssertionError as problem:
            print(f"not ok {number} - {what}\n# " + str(problem).replace("\n", "\n# "))
