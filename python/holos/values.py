# SPDX-License-Identifier: MIT
"""Values and guesses. A proof and a guess never share a field."""

from __future__ import annotations

import dataclasses
from typing import Any, Optional, Type, TypeVar

from holos._library import Stop, ffi, lib, word_of

T = TypeVar("T")


def filled(kind: Type[T], c: Any) -> T:
    """A dataclass from a C struct whose members have the same names; strings are decoded."""
    values = {}
    for field in dataclasses.fields(kind):
        value = getattr(c, field.name)
        if isinstance(value, ffi.CData):
            value = word_of(value)
        values[field.name] = value
    return kind(**values)


@dataclasses.dataclass(frozen=True)
class Value:
    """What is proved about a position: its score lies in [lo, hi], seen from the side to move."""

    lo: int
    hi: int
    distance: Optional[int] = None  #: plies to the end under best play, if known
    conversion: Optional[int] = None  #: plies to the next irreversible move that keeps the result, if known
    source: str = "none"  #: who found it: "rules", "table", "search", …; "none": nothing is known but the range of scores

    @property
    def solved(self) -> bool:
        """Whether the score is known exactly."""
        return self.lo == self.hi

    @property
    def score(self) -> int:
        """The exact score; ValueError if only an interval is known."""
        if not self.solved:
            raise ValueError(f"the score is only known to be from {self.lo} to {self.hi}")
        return self.lo

    @property
    def known(self) -> bool:
        """Whether anything is proved; not so for a position that is not in a store."""
        return self.source != "none"


@dataclasses.dataclass(frozen=True)
class Guess:
    """An expectation without a proof."""

    value: int
    source: str  #: "conjecture" or "network"
    confirmed: int = 0  #: how many guesses by this source later proofs have confirmed
    refuted: int = 0

    @property
    def precision(self) -> Optional[float]:
        """The share of these guesses that proofs have confirmed; None if no proof has decided any yet."""
        decided = self.confirmed + self.refuted
        return self.confirmed / decided if decided > 0 else None


@dataclasses.dataclass(frozen=True)
class Limits:
    """How far work may go. None means no limit; for memory, a modest default."""

    seconds: Optional[float] = None
    nodes: Optional[int] = None
    memory: Optional[int] = None  #: bytes
    stop: Optional[Stop] = None  #: ends the work when it is set


def source_name(source: int) -> str:
    return word_of(lib.holos_source_name(source))


def is_proof(source: str) -> bool:
    """Whether values of this source are proved: "search" is, "network" is not."""
    for number in range(lib.HOLOS_SOURCE_NETWORK + 1):
        if source_name(number) == source:
            return bool(lib.holos_source_is_proof(number))
    raise ValueError(f"unknown source of values {source!r}")


def plies(c: int) -> Optional[int]:
    return None if c == lib.HOLOS_NO_DISTANCE else c


def value_of(c: Any) -> Value:
    return Value(c.lo, c.hi, plies(c.distance), plies(c.conversion), source_name(c.source))


def value_to(value: Value, c: Any) -> None:
    c.lo, c.hi = value.lo, value.hi
    c.distance = lib.HOLOS_NO_DISTANCE if value.distance is None else value.distance
    c.conversion = lib.HOLOS_NO_DISTANCE if value.conversion is None else value.conversion
    c.source = next(n for n in range(lib.HOLOS_SOURCE_NETWORK + 1) if source_name(n) == value.source)


def guess_of(c: Any) -> Optional[Guess]:
    if c.source == lib.HOLOS_SOURCE_NONE:
        return None
    return Guess(c.value, source_name(c.source), c.confirmed, c.refuted)


def limits_to(limits: Limits, c: Any, stop: Any) -> None:
    """Fills a holos_limits; `stop` is the holos_stop that the call is watched by."""
    for name in ("seconds", "nodes", "memory"):
        amount = getattr(limits, name)
        if amount is not None and amount < 0:
            raise ValueError(f"{name}: a limit is not negative")
    c.seconds = limits.seconds or 0
    c.nodes = limits.nodes or 0
    c.memory = limits.memory or 0
    c.stop = stop
