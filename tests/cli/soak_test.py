# SPDX-License-Identifier: MIT
"""A short run of scripts/soak: some hundred mixed requests, all answered, memory flat. HOLOS_LONG_TESTS=1 takes an hour."""
import os
import subprocess
import sys

from tap import PROGRAM, SANITIZED, SOURCE, Skip, check, environment, main, test

LONG = os.environ.get("HOLOS_LONG_TESTS", "") not in ("", "0")


@test
def mixed_requests_are_answered_and_memory_stays_flat():
    if b"this build has no server" in subprocess.run([PROGRAM, "serve", "--port", "0", "--idle", "0.1"], capture_output=True,
                                                                     env=environment(), check=False).stderr:
        raise Skip("this build has no server")
    size = ["--seconds", "3600"] if LONG else ["--requests", "500"]
    result = subprocess.run([sys.executable, os.path.join(SOURCE, "scripts", "soak"), "--program", PROGRAM, *size,
                             *(["--growth", "200"] if SANITIZED else [])],  # a sanitizer keeps what was freed for a while
                            capture_output=True, text=True, env=environment(), check=False)
    check(result.returncode == 0, result.stdout, result.stderr)
    print("# " + result.stdout.splitlines()[0])


main()
