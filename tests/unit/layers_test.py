#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Dependencies point downwards: who may include what. usage: layers_test.py SOURCE_ROOT"""

import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)
NAMED = re.compile(r"^(core|net|game|games|store|knowledge|engine|meta|cluster|session|wire|serve|cli|holos|bench)/")

# A folder of src/, and what its files may include: folders of src/, and public headers. "games/SELF" is a game's own folder.
RULES = [
    ("core", ["core/", "holos/base.h", "holos/option.h", "holos/progress.h", "holos/report.h"]),
    ("net", ["core/", "net/"]),
    ("game", ["core/", "game/", "holos/"]),
    ("games", ["core/", "game/", "games/SELF/", "holos/"]),
    ("store", ["core/", "game/", "store/", "holos/"]),
    ("knowledge", ["core/", "game/", "store/", "knowledge/", "holos/"]),
    ("engine", ["core/", "net/", "game/", "engine/", "holos/"]),
    ("meta", ["core/", "game/", "knowledge/", "engine/", "meta/", "holos/"]),
    ("cluster", ["core/", "game/", "store/", "engine/", "cluster/", "holos/"]),
    ("session", ["core/", "net/", "game/", "store/", "knowledge/", "engine/", "meta/", "cluster/", "session/", "holos/"]),
    ("wire", ["core/", "wire/", "holos/"]),
    ("serve", ["core/", "wire/", "serve/", "holos/"]),
    ("cli", ["core/", "wire/", "serve/serve.h", "cli/", "holos/"]),
]

def files(folder):
    return [p for p in sorted((ROOT / "src" / folder).rglob("*")) if p.suffix in (".c", ".h", ".def")]


def own_folder(path):
    """The game that a file belongs to."""
    return path.relative_to(ROOT / "src" / "games").parts[0]


def offences(folder, allowed):
    for path in files(folder):
        mine = [a.replace("SELF", own_folder(path)) if "SELF" in a else a for a in allowed]
        for quote, name in INCLUDE.findall(path.read_text(encoding="utf-8")):
            may = any(name == a or (a.endswith("/") and name.startswith(a)) for a in mine)
            # The program may not reach elsewhere by a bare name either: its own headers begin with cli/.
            if not may and (NAMED.match(name) or (folder in ("cli", "serve", "wire") and quote == '"')):
                yield "%s includes %s" % (path.relative_to(ROOT), name)


print("TAP version 13")
print("1..%d" % len(RULES))
failed = False
for number, (folder, allowed) in enumerate(RULES, 1):
    found = list(offences(folder, allowed))
    known = len(files(folder)) > 0
    print("%s %d - src/%s includes only %s" % ("ok" if known and not found else "not ok", number, folder,
                                              ", ".join(allowed)))
    for line in found:
        print("# " + line)
    failed |= not known or bool(found)
sys.exit(1 if failed else 0)
