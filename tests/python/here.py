# SPDX-License-Identifier: MIT
"""What the tests of the package share: tests/cli/tap.py, and a reason to skip them where cffi is missing."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))

try:
    import cffi  # noqa: F401
except ImportError:
    print("1..0 # SKIP cffi is not installed (Debian: python3-cffi)")
    sys.exit(0)

from tap import SOURCE, Skip, check, equal, holos as program, main, test  # noqa: E402,F401

import holos  # noqa: E402,F401


def raises(kind, function, *arguments, **keywords):
    """The exception that a call raises, which is of this kind."""
    try:
        result = function(*arguments, **keywords)
    except kind as problem:
        return problem
    raise AssertionError(f"nothing was raised, but {result!r} returned")
