# SPDX-License-Identifier: MIT
"""Progress reports of long work."""

from __future__ import annotations

import dataclasses
from typing import Any, Callable, Dict, Optional

from holos._library import Watch, ffi, word_of
from holos.values import filled


@dataclasses.dataclass(frozen=True)
class Progress:
    """How far a piece of work has come. Zero or "" means unknown."""

    label: str
    unit: str
    done: int
    total: int
    parts_done: int
    parts: int
    rate: float  #: things per second, recently
    seconds: float  #: since this piece of work began
    left: float  #: seconds to the end or to the time limit
    memory: int  #: bytes in use
    disk: int  #: bytes written
    ended: bool  #: the work is over; this is the last call for it
    is_wave: bool  #: the fields below are valid
    layer: int
    solved: int
    has_seed: bool
    seed_lo: int  #: what is proved about the first seed
    seed_hi: int


def progress_to(function: Optional[Callable[[Progress], None]], seconds: Optional[float], c: Any, watch: Watch,
                keep: "list[Any]") -> None:
    """Fills the members of an options struct that say whom to tell."""
    if function is None:
        return
    tell = function
    call = ffi.callback("void(void *, const holos_progress *)", watch.guard(lambda _, p: tell(filled(Progress, p))))
    keep.append(call)
    c.progress = call
    if seconds is not None:
        c.progress_seconds = seconds


def gauges_to(function: Optional[Callable[[Dict[str, float]], None]], c: Any, watch: Watch, keep: "list[Any]") -> None:
    """Fills the member of an options struct that says whom to tell what an engine reads of its own search."""
    if function is None:
        return
    tell = function
    call = ffi.callback("void(void *, const holos_gauge *, size_t)", watch.guard(
        lambda _, gauges, count: tell({word_of(gauges[i].name): gauges[i].value for i in range(count)})))
    keep.append(call)
    c.gauges = call


__all__ = ["Progress"]
