#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes a C file that calls every public function with NULL for every pointer, from the headers themselves: a function
that is declared tomorrow is called tomorrow. usage: null_calls.py OUT FOLDER"""

import pathlib
import re
import sys

FUNCTION = re.compile(r"HOLOS_API\s+([^;{}()]*?)\b(holos_\w+)\s*\(([^;{}]*)\)\s*;", re.S)


def functions(path):
    text = re.sub(r"/\*.*?\*/", "", open(path, encoding="utf-8").read(), flags=re.S)
    text = re.sub(r"^#.*$", "", text, flags=re.M)
    for result, name, parameters in FUNCTION.findall(text):
        parameters = [" ".join(p.split()) for p in parameters.split(",")]
        yield " ".join(result.split()), name, [p for p in parameters if p != "void"]


def kind(parameter):
    """The type of a parameter, without its name."""
    return re.sub(r"\w+$", "", parameter).strip()


def argument(parameter, given):
    what = kind(parameter)
    if given and what == "const holos_variant *":
        return "variant"
    if given and what == "const holos_game *":
        return "game"
    is_pointer = what.endswith("*") or what.endswith("_visitor")
    return "NULL" if is_pointer else "(%s){0}" % what


def call(result, name, parameters, given):
    made = "%s(%s)" % (name, ", ".join(argument(p, given) for p in parameters))
    return "return (int)%s;" % made if result == "holos_status" else "%s%s; return HOLOS_USAGE;" % (
        "" if result == "void" else "(void)", made)


def main():
    out, headers = pathlib.Path(sys.argv[1]), sorted(pathlib.Path(sys.argv[2]).glob("*.h"))
    found = [f for header in headers for f in functions(header)]
    lines = []
    for result, name, parameters in found:
        for given in (False, True):
            lines.append("static int %s_%s(void) { %s }" % ("given" if given else "none", name,
                                                          call(result, name, parameters, given)))
    lines.append("static const null_call calls[] = {")
    for result, name, parameters in found:
        pointers = [p for p in parameters if kind(p).endswith("*") and kind(p) != "holos_error *"]
        must_fail = result == "holos_status" and len(pointers) > 0
        lines.append('    {"%s", none_%s, given_%s, %s},' % (name, name, name, "true" if must_fail else "false"))
    lines.append("};")
    made = "\n".join(lines) + "\n"
    if not out.exists() or out.read_text(encoding="utf-8") != made:
        out.write_text(made, encoding="utf-8")


main()
