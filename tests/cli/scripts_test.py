# SPDX-License-Identifier: MIT
"""Each script in scripts/ says with --help what it is for, and does nothing if it is asked for what it does not have."""
import os
import subprocess

from tap import PROGRAM, SOURCE, check, equal, main, test

SCRIPTS = os.path.join(SOURCE, "scripts")
# Sourced by others.
PARTS = {"tally", "usage"}
# Passes options on to `holos bench store`, which refuses what it does not know.
PASSES_ON = {"bench-stores"}


def names():
    return sorted(set(os.listdir(SCRIPTS)) - PARTS)


def run(name, *words):
    env = dict(os.environ, HOLOS=PROGRAM)
    return subprocess.run([os.path.join(SCRIPTS, name), *words], capture_output=True, text=True, env=env, stdin=subprocess.DEVNULL)


@test
def help_is_there():
    for name in names():
        for word in ("--help", "-h"):
            found = run(name, word)
            equal((found.returncode, found.stderr), (0, ""), name, found)
            check(len(found.stdout.split()) >= 8 and "Traceback" not in found.stdout, name, found)


@test
def what_a_script_does_not_have_is_refused():
    for name in sorted(set(names()) - PASSES_ON):
        found = run(name, "--frobnicate")
        equal(found.returncode, 2, name, found)
        check("Traceback" not in found.stderr and found.stdout + found.stderr != "", name, found)


@test
def names_that_nobody_knows_are_refused():
    for words, said in ((("check", "frob"), "unknown step"), (("check", "format", "frob"), "unknown step"), (("setup", "frob"), "unknown group"),
                        (("setup", "page", "frob"), '"frob" is one too many'), (("setup", "--with", "frob"), 'nothing is called "frob"'),
                        (("fuzz", "frob"), "not a fuzz target"), (("test", "frob"), "not a build folder"),
                        (("cluster-model", "--found"), "scripts/cluster-model")):
        found = run(*words)
        equal(found.returncode, 2, words, found)
        check(said in found.stderr + found.stdout, words, found)


main()
