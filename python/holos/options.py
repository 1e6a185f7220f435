# SPDX-License-Identifier: MIT
"""Options as data: which ones games, engines, jobs and experiments have, and values for them."""

from __future__ import annotations

import dataclasses
from typing import Any, List, Mapping, Optional, Union

from holos._library import NULL, bytes_of, checked, ffi, lib, text_of, word_of, written

#: A value of an option: a text as on the command line ("20M", "v3"), a number, or yes and no.
Setting = Union[str, int, float, bool]


@dataclasses.dataclass(frozen=True)
class Option:
    """An option that somebody reads."""

    name: str
    letter: Optional[str]
    type: str  #: "flag", "int", "count", "size", "duration", "string", "file", "choice"
    min: int
    max: int
    value: Optional[str]  #: the placeholder in help texts; for a choice, its words
    default: Optional[str]
    help: str


@dataclasses.dataclass(frozen=True)
class OptionGroup:
    """Options that belong together."""

    owner: str
    kind: str  #: "game", "engine", "job", "experiment"
    use: str  #: "solve", "generate", "job", "experiment", "play"
    purpose: Optional[str]  #: for a game's options: the kind of job that takes them
    words: str  #: the owner in words: "the wave engine"
    options: "tuple[Option, ...]"


def _option(c: Any) -> Option:
    letter = c.letter.decode() if c.letter != b"\0" else None
    return Option(word_of(c.name), letter, word_of(lib.holos_option_type_name(c.type)), c.min, c.max,
                  text_of(c.value), text_of(c.fallback), word_of(c.help))


def option_groups(use: str) -> List[OptionGroup]:
    """Who has which options for a use: "solve", "generate", "job", "experiment", "play"."""
    uses = [word_of(lib.holos_use_name(i)) for i in range(lib.HOLOS_USE_COUNT)]
    if use not in uses:
        raise ValueError(f"unknown use {use!r}; choose from {', '.join(uses)}")
    found: List[OptionGroup] = []
    group = ffi.new("holos_option_group *")
    while lib.holos_option_group_at(uses.index(use), len(found), group):
        options, i = [], 0
        while group.options[i].name != NULL:
            options.append(_option(group.options[i]))
            i += 1
        found.append(OptionGroup(word_of(group.owner), word_of(lib.holos_owner_name(group.kind)), use,
                                 text_of(group.purpose), written(lib.holos_option_group_format, group), tuple(options)))
    return found


class Settings:
    """Values of options, by name. Functions take a plain mapping; this is what becomes of it."""

    def __init__(self, settings: Optional[Mapping[str, Setting]] = None) -> None:
        c = lib.holos_settings_new()
        if c == NULL:
            raise MemoryError
        self._c = ffi.gc(c, lib.holos_settings_free)
        for name, value in (settings or {}).items():
            self[name] = value

    def __setitem__(self, name: str, value: Setting) -> None:
        text = ("yes" if value else "no") if isinstance(value, bool) else str(value)
        checked(lib.holos_settings_set, self._c, bytes_of(name.replace("_", "-")), bytes_of(text))

    def __getitem__(self, name: str) -> str:
        text = text_of(lib.holos_settings_get(self._c, bytes_of(name)))
        if text is None:
            raise KeyError(name)
        return text

    def clear(self) -> None:
        """Forgets all values."""
        lib.holos_settings_clear(self._c)


def settings_to(settings: Optional[Mapping[str, Setting]], keep: "list[Any]") -> Any:
    """A holos_settings for a call, or NULL. `keep` keeps it alive."""
    if not settings:
        return NULL
    made = Settings(settings)
    keep.append(made)
    return made._c


__all__ = ["Option", "OptionGroup", "Setting", "Settings", "option_groups"]
