# SPDX-License-Identifier: MIT
"""`pip install .` works without a network, a plain import finds the library, and the types hold."""
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile

from here import SOURCE, Skip, check, equal, holos, main, test

PACKAGE = os.path.join(SOURCE, "python")
LIBRARY = os.environ.get("HOLOS_LIBRARY", os.path.join(SOURCE, "build", "libholos.so.0"))


def run(*command, **changes):
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "HOLOS_LIBRARY")}
    env.update(changes)
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env, cwd="/")


def need(module, package):
    if importlib.util.find_spec(module) is None:
        raise Skip(f"{module} is not installed (Debian: {package})")


@test
def pip_installs_it_without_a_network():
    need("pip", "python3-pip")
    need("setuptools", "python3-setuptools")
    need("wheel", "python3-wheel")
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "source"), os.path.join(folder, "target")
        shutil.copytree(PACKAGE, os.path.join(source, "python"), ignore=shutil.ignore_patterns("build", "__pycache__", "*.egg-info"))
        shutil.copytree(os.path.join(SOURCE, "include"), os.path.join(source, "include"))
        done = run(sys.executable, "-m", "pip", "install", "--no-build-isolation", "--no-index", "--no-deps",
                   "--disable-pip-version-check", "--target", target, os.path.join(source, "python"))
        equal(done.returncode, 0, done.stdout)
        shutil.rmtree(source)  # nothing of it is needed any more
        script = "import holos; print(holos.__version__, holos.solve('nim').outcome, holos.__file__)"
        done = run(sys.executable, "-c", script, PYTHONPATH=target, HOLOS_LIBRARY=LIBRARY)
        equal(done.stdout.split()[:2], [holos.__version__, "win"], done.stdout)
        check(done.stdout.split()[2].startswith(target), done.stdout)
        check(os.path.exists(os.path.join(target, "holos", "_declarations.py")))
        check(os.path.exists(os.path.join(target, "holos", "py.typed")))


@test
def a_plain_import_finds_the_library():
    """In the source tree it is built in build/; here it is told where it is, or not found, and says so."""
    done = run(sys.executable, "-c", "import holos; print(holos.__version__)", PYTHONPATH=PACKAGE, HOLOS_LIBRARY=LIBRARY)
    equal(done.stdout.strip(), holos.__version__)
    done = run(sys.executable, "-c", "import holos", PYTHONPATH=PACKAGE, HOLOS_LIBRARY="/nowhere/libholos.so")
    check(done.returncode != 0 and "ImportError: holos: the shared library was not found" in done.stdout, done.stdout)
    if os.path.exists(os.path.join(SOURCE, "build", "libholos.so.0")):
        done = run(sys.executable, "-c", "import holos; print(holos.__version__)", PYTHONPATH=PACKAGE)
        equal(done.stdout.strip(), holos.__version__)


@test
def another_version_is_refused():
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(PACKAGE, os.path.join(folder, "python"), ignore=shutil.ignore_patterns("build", "__pycache__"))
        shutil.copytree(os.path.join(SOURCE, "include"), os.path.join(folder, "include"))
        base = os.path.join(folder, "include", "holos", "base.h")
        with open(base, encoding="utf-8") as file:
            text = file.read()
        with open(base, "w", encoding="utf-8") as file:
            file.write(text.replace("#define HOLOS_VERSION_MINOR ", "#define HOLOS_VERSION_MINOR 9"))
        done = run(sys.executable, "-c", "import holos", PYTHONPATH=os.path.join(folder, "python"), HOLOS_LIBRARY=LIBRARY)
        check(done.returncode != 0 and "install both from the same source" in done.stdout, done.stdout)


@test
def the_benchmark_runs():
    done = run(sys.executable, os.path.join(PACKAGE, "bench.py"), "--quick", PYTHONPATH=PACKAGE, HOLOS_LIBRARY=LIBRARY)
    cases = [json.loads(line) for line in done.stdout.splitlines()]
    check(len(cases) >= 5 and all(c["rate"] > 0 for c in cases), done.stdout)
    equal(cases[-1]["n"], cases[-2]["n"], "the game in Python is searched as the one in C is")


@test
def the_types_hold():
    need("mypy", "mypy")
    with tempfile.TemporaryDirectory() as folder:
        user = os.path.join(folder, "user.py")
        with open(user, "w", encoding="utf-8") as file:
            file.write("import holos\nscore: int = holos.solve('nim').value.score\nname: str = holos.open('nim').name\n")
        done = run(sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.path.join(folder, "cache"),
                   os.path.join(PACKAGE, "holos"), user, MYPYPATH=PACKAGE)
        equal(done.returncode, 0, done.stdout)


main()
