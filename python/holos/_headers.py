# SPDX-License-Identifier: MIT
"""Turns the public headers into declarations for cffi, so that nothing is written twice: a function that a header
declares tomorrow is there tomorrow.

The headers are plain enough for this. Comments and directives go; macros that are numbers stay; the one list of
members that is a macro (HOLOS_WAVE_COUNTERS) is written out; functions that are defined in a header are left out, because the
library does not export them.
"""

from __future__ import annotations

import pathlib
import re

_COMMENT = re.compile(r"/\*.*?\*/", re.S)
_DIRECTIVE = re.compile(r"^[ \t]*#.*$", re.M)
_NUMBER = re.compile(r"^#define[ \t]+(HOLOS_\w+)[ \t]+\(?(-?\d+)\)?[ \t]*$", re.M)
_LIST = re.compile(r"^#define[ \t]+(HOLOS_\w+)\(X\)((?:.*\\\n)*.*)$", re.M)
_USE = re.compile(r"^#define[ \t]+(HOLOS_\w+)\(name\)[ \t]+(.*)\n[ \t]*(HOLOS_\w+)\(\1\)", re.M)
_INLINE = re.compile(r"static inline [^{;]*?\b(holos_\w+)\([^{]*\)\s*\{(?:[^{}]|\{[^{}]*\})*\}", re.S)
_FUNCTION = re.compile(r"HOLOS_API\s+[^;{}()]*?\b(holos_\w+)\s*\([^;{}]*\)\s*;", re.S)
# What cffi knows by other names.
_WORDS = {"UINT16_MAX": "65535", "UINT32_MAX": "4294967295", "HOLOS_API": ""}


def _without_comments(folder: pathlib.Path) -> str:
    """All headers, one after the other, each after those that it includes."""
    seen: list[str] = []
    texts: list[str] = []

    def take(name: str) -> None:
        if name in seen:
            return
        seen.append(name)
        text = (folder / name).read_text(encoding="utf-8")
        for other in re.findall(r"^#include <holos/(\w+\.h)>", text, re.M):
            take(other)
        text = re.sub(r"^#ifdef __cplusplus\n.*?^#endif$", "", text, flags=re.S | re.M)
        texts.append(re.sub(r"[ \t]*\\\n", " ", _COMMENT.sub("", text)))

    take("holos.h")
    return "\n".join(texts)


def _written_out(text: str) -> str:
    """Lists of members that are macros, written out where they are used."""
    lists = {name: re.findall(r"X\((\w+)\)", body) for name, body in _LIST.findall(text)}

    def members(match: "re.Match[str]") -> str:
        return "\n".join(match.group(2).replace("name", member) for member in lists[match.group(3)])

    return _USE.sub(members, _LIST.sub("", text))


def functions(folder: pathlib.Path) -> list[str]:
    """The functions that the headers declare, in their order."""
    return _FUNCTION.findall(_DIRECTIVE.sub("", _without_comments(folder)))


def inline_functions(folder: pathlib.Path) -> list[str]:
    """The functions that the headers define, which the library does not export."""
    return _INLINE.findall(_without_comments(folder))


def declarations(folder: pathlib.Path) -> str:
    """What cffi reads: numbers, types and functions."""
    text = _written_out(_without_comments(folder))
    for word, meaning in _WORDS.items():
        text = text.replace(word, meaning)
    numbers = "".join(f"#define {name} {value}\n" for name, value in _NUMBER.findall(text))
    return numbers + re.sub(r"\n\s*\n+", "\n", _DIRECTIVE.sub("", _INLINE.sub("", text)))
