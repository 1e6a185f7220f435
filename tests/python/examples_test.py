# SPDX-License-Identifier: MIT
"""Every example in Python does what its opening text shows: a line "$ python3 NAME ARGUMENTS", and below it what is printed."""
import ast
import glob
import os
import shlex
import subprocess
import sys
import tempfile

from here import SOURCE, check, equal, main, test

EXAMPLES = sorted(glob.glob(os.path.join(SOURCE, "examples", "*.py")))


def calls(path):
    """Pairs of a command and the lines that it prints."""
    with open(path, encoding="utf-8") as file:
        text = ast.get_docstring(ast.parse(file.read()))
    found, current = [], None
    for line in map(str.strip, text.splitlines()):
        if line.startswith("$ python3 "):
            current = (shlex.split(line)[2:], [])
            found.append(current)
        elif not line:
            current = None
        elif current is not None:
            current[1].append(line)
    return found


def run(path, folder, arguments, *options):
    return subprocess.run([sys.executable, *options, path, *arguments], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)


def example(path):
    def runs():
        shown = calls(path)
        check(shown, "the text on top does not show how it is called")
        with tempfile.TemporaryDirectory() as folder:
            for (name, *arguments), expected in shown:
                equal(name, os.path.basename(path))
                done = run(path, folder, arguments)
                equal(done.stdout.splitlines(), expected, done.stderr)
    runs.__name__ = f"examples/{os.path.basename(path)}"
    return runs


for each in EXAMPLES:
    test(example(each))


@test
def there_are_ten_and_more():
    check(len(EXAMPLES) + len(glob.glob(os.path.join(SOURCE, "examples", "*.c"))) >= 10)


@test
def the_notebook_draws_without_matplotlib():
    path = os.path.join(SOURCE, "examples", "wave_notebook.py")
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "matplotlib.py"), "w", encoding="utf-8") as file:
            file.write("raise ImportError('not here')\n")
        done = subprocess.run([sys.executable, path, "plot.svg"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, env=dict(os.environ, PYTHONPATH=folder + os.pathsep + os.environ["PYTHONPATH"]))
        equal(done.returncode, 0, done.stderr)
        with open(os.path.join(folder, "plot.svg"), encoding="utf-8") as file:
            svg = file.read()
        check(svg.startswith("<svg") and svg.count("<rect") == 9, svg)


main()
