#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Installs the library into an empty folder, and builds and runs the example against what lies there.

usage: example_test.py BUILD SOURCE
"""
import os
import shutil
import subprocess
import sys
import tempfile

build, source = map(os.path.abspath, sys.argv[1:3])


def run(*command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        raise SystemExit(f"not ok 1 - {' '.join(command)}\n# " + done.stdout.replace("\n", "\n# "))
    return done.stdout


def find(root, name):
    for folder, _, files in os.walk(root):
        if name in files:
            return folder
    raise SystemExit(f"not ok 1 - {name} was not installed")


print("TAP version 13\n1..3")
with tempfile.TemporaryDirectory() as place:
    run("meson", "install", "-C", build, "--no-rebuild", "--destdir", place)
    print("ok 1 - the project installs into an empty folder")

    environment = dict(os.environ, PKG_CONFIG_PATH=find(place, "holos.pc"), PKG_CONFIG_SYSROOT_DIR=place)
    shutil.copy(os.path.join(source, "examples", "best_move.c"), place)
    flags = run("pkg-config", "--cflags", "--libs", "holos", env=environment).split()
    program = os.path.join(place, "best_move")
    run("cc", os.path.join(place, "best_move.c"), *flags, "-o", program)
    print("ok 2 - the example builds with what pkg-config says")

    environment["LD_LIBRARY_PATH"] = find(place, "libholos.so.0")
    out = run(program, "connect4:5x4", "33", "3", env=environment)
    expected = "33: draw, score 0, best 3\n3: draw, score 0, best 1 2 3 4 5\n"
    print("ok 3" if out == expected else "not ok 3", "- the example answers")
    if out != expected:
        print("# " + out.replace("\n", "\n# "))
