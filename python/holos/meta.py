# SPDX-License-Identifier: MIT
"""Games whose positions are searches: tactics for one seed, strategies for many."""

from __future__ import annotations

import dataclasses
from typing import Any, List, Optional, Sequence, Tuple

from holos import values
from holos._library import Stop, Watch, check, ffi, lib, opened, word_of
from holos.variants import PositionLike, Variant
from holos.solving import Boundary, boundary_to
from holos.values import Limits
from holos.waves import MODES, Seed, mode_number, seed_to

TACTIC_DIRECTIONS: Tuple[str, ...] = tuple(word_of(lib.holos_tactic_direction_name(d))
                                           for d in range(lib.HOLOS_TACTIC_BOTH + 1))


@dataclasses.dataclass(frozen=True)
class Measure:
    """What an expansion covered."""

    forward: int  #: positions reached from the seed
    backward: int  #: positions that reach it
    cost: int  #: positions expanded
    cut: bool  #: the limit of nodes ended it

    @property
    def efficiency(self) -> float:
        """Positions covered for each one expanded."""
        return (self.forward + self.backward) / self.cost if self.cost > 0 else 0.0


@dataclasses.dataclass(frozen=True)
class Tactic:
    """How a wave sets out from one position."""

    depth: int
    mode: str
    direction: str  #: "forward", "backward", "both"
    measure: Measure
    measured: int = 0  #: how many tactics were measured to find it


class _Options:
    def __init__(self, v: Variant, nodes: Optional[int], memory: Optional[int], stop: Optional[Stop], known: Optional[Boundary],
                 seeds: int = 0, budget: int = 0) -> None:
        self.watch, self.keep = Watch(stop), []  # type: ignore[var-annotated]
        self.c = ffi.new("holos_meta_options *", {"seeds": seeds, "budget": budget})
        values.limits_to(Limits(nodes=nodes, memory=memory), self.c.limits, self.watch.c)
        self.c.boundary = boundary_to(known, v, self.watch, self.keep)


def _tactic(c: Any, measured: int = 0) -> Tactic:
    return Tactic(c.depth, MODES[c.mode], TACTIC_DIRECTIONS[c.direction], values.filled(Measure, c.measure), measured)


def measure(variant: Variant, position: PositionLike, depth: int, mode: str = "wave", direction: str = "forward", *,
            nodes: Optional[int] = None, memory: Optional[int] = None, stop: Optional[Stop] = None,
            known: Optional[Boundary] = None) -> Tactic:
    """Measures a tactic by really expanding."""
    if direction not in TACTIC_DIRECTIONS:
        raise ValueError(f"unknown direction {direction!r}; choose from {', '.join(TACTIC_DIRECTIONS)}")
    o, err, p = _Options(variant, nodes, memory, stop, known), ffi.new("holos_error *"), variant.position(position)
    c = ffi.new("holos_tactic *", {"depth": depth, "mode": mode_number(mode), "direction": TACTIC_DIRECTIONS.index(direction)})
    status = o.watch.run(lib.holos_tactic_measure, variant._c, p._c, o.c, c, err)
    variant._settle()
    check(status, err)
    return _tactic(c)


def optimize(variant: Variant, position: PositionLike = "start", *, nodes: Optional[int] = None, memory: Optional[int] = None,
             stop: Optional[Stop] = None, known: Optional[Boundary] = None) -> Tactic:
    """The most efficient tactic for a position."""
    o, err, p = _Options(variant, nodes, memory, stop, known), ffi.new("holos_error *"), variant.position(position)
    c, measured = ffi.new("holos_tactic *"), ffi.new("unsigned *")
    status = o.watch.run(lib.holos_seed_optimize, variant._c, p._c, o.c, c, measured, err)
    variant._settle()
    check(status, err)
    return _tactic(c, measured[0])


@dataclasses.dataclass(frozen=True)
class StrategyStep:
    """One seed of a set, in the order in which a greedy choice takes them."""

    seed: Seed
    covered: int  #: positions that the seeds so far cover together
    cost: int  #: what they cost together
    bound: int  #: no set of so many seeds covers more


@dataclasses.dataclass(frozen=True)
class Strategy:
    """Which few of many seeds cover most."""

    steps: List[StrategyStep]
    universe: int  #: positions that all seeds together cover
    greedy: int
    least: int  #: what the best set covers lies between this
    most: int  #: and this
    overlap: float
    meeting: int


def choose(variant: Variant, seeds: Sequence[Seed], *, count: int = 0, budget: int = 0, nodes: Optional[int] = None,
           memory: Optional[int] = None, stop: Optional[Stop] = None, known: Optional[Boundary] = None) -> Strategy:
    """Chooses seeds that together cover much."""
    o = _Options(variant, nodes, memory, stop, known, count, budget)
    array = ffi.new("holos_wave_seed[]", [seed_to(seed)[0] for seed in seeds] or 1)
    c = opened("holos_strategy", lib.holos_strategy_close, o.watch.run, lib.holos_strategy_choose, variant._c, array, len(seeds),
               o.c)
    variant._settle()
    summary, step = ffi.new("holos_strategy_summary *"), ffi.new("holos_strategy_step *")
    lib.holos_strategy_summary_get(c, summary)
    steps: List[StrategyStep] = []
    while lib.holos_strategy_step_at(c, len(steps), step):
        steps.append(StrategyStep(seeds[step.seed], step.covered, step.cost, step.bound))
    return Strategy(steps, summary.universe, summary.greedy, summary.least, summary.most, summary.overlap, summary.meeting)


__all__ = ["Measure", "Strategy", "StrategyStep", "TACTIC_DIRECTIONS", "Tactic", "choose", "measure", "optimize"]
