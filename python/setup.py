# SPDX-License-Identifier: MIT
"""Makes the declarations from the public headers and puts them into the package: `pip install .` needs no compiler."""

import os
import pathlib
import sys

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = pathlib.Path(__file__).resolve().parent


def headers():
    """The headers of the source tree, or those of an installed library."""
    named = os.environ.get("HOLOS_INCLUDE")
    places = [named] if named else [HERE.parent / "include" / "holos", "/usr/local/include/holos", "/usr/include/holos"]
    for place in map(pathlib.Path, places):
        if (place / "holos.h").exists():
            return place
    raise SystemExit(f"setup: holos.h was not found in {', '.join(map(str, places))}; HOLOS_INCLUDE=FOLDER names its folder")


def version(folder):
    text = (folder / "base.h").read_text(encoding="utf-8")
    return ".".join(text.split(f"#define HOLOS_VERSION_{part} ")[1].split()[0] for part in ("MAJOR", "MINOR", "PATCH"))


class Build(build_py):
    def run(self):
        super().run()
        import cffi
        sys.path.insert(0, str(HERE / "holos"))
        import _headers
        ffi = cffi.FFI()
        ffi.cdef(_headers.declarations(headers()))
        ffi.set_source("holos._declarations", None)
        ffi.emit_python_code(os.path.join(self.build_lib, "holos", "_declarations.py"))


setup(
    name="holos",
    version=version(headers()),
    description="Exact values of positions in games and puzzles",
    license="MIT",
    packages=["holos"],
    package_data={"holos": ["py.typed"]},
    python_requires=">=3.9",
    install_requires=["cffi>=1.15"],
    cmdclass={"build_py": Build},
)
