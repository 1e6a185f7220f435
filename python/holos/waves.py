# SPDX-License-Identifier: MIT
"""Waves, which keep everything that they reach, and holograms, which are what they leave."""

from __future__ import annotations

import dataclasses
from typing import Any, Callable, Iterator, List, Optional, Sequence, Tuple, Union

from holos import values
from holos._closing import Closing
from holos._library import (INTERRUPTED, LIMIT, NULL, Stop, Watch, bytes_of, check, checked, ffi, lib, maybe, opened, word_of,
                            written)
from holos.variants import Position, PositionLike, Variant
from holos.solving import Boundary, boundary_to
from holos.values import Guess, Limits, Value

MODES: Tuple[str, ...] = tuple(word_of(lib.holos_wave_mode_name(m)) for m in range(lib.HOLOS_WAVE_OSMOSIS + 1))
DIRECTIONS: Tuple[str, ...] = tuple(word_of(lib.holos_wave_direction_name(d)) for d in range(lib.HOLOS_WAVE_BACKWARD + 1))
PHASES: Tuple[str, ...] = tuple(word_of(lib.holos_phase_name(p)) for p in range(lib.HOLOS_PHASE_COMPLETE + 1))


def mode_number(name: str) -> int:
    out = ffi.new("holos_wave_mode *")
    if not lib.holos_wave_mode_find(bytes_of(name), out):
        raise ValueError(f"unknown mode {name!r}; choose from {', '.join(MODES)}")
    return int(out[0])


def _direction_number(name: str) -> int:
    if name not in DIRECTIONS:
        raise ValueError(f"unknown direction {name!r}; choose from {', '.join(DIRECTIONS)}")
    return DIRECTIONS.index(name)


@dataclasses.dataclass(frozen=True)
class Seed:
    """A position that a wave starts from."""

    position: Position
    depth: int = 0  #: maximum steps from this seed; 0: the wave's limit
    mode: str = "auto"
    direction: str = "forward"
    priority: int = 0  #: seeds of higher priority are probed first

    @classmethod
    def parse(cls, variant: Variant, line: str) -> "Seed":
        """A seed from a line of text: "4453", or "4453 3 wave forward"."""
        position, out = variant._new(), ffi.new("holos_wave_seed *")
        checked(lib.holos_seed_parse, variant._c, bytes_of(line), position, out)
        return seed_of(out, Position(variant, position))

    def __str__(self) -> str:
        return written(lib.holos_seed_format, self.position.variant._c, seed_to(self))


def seed_of(c: Any, position: Position) -> Seed:
    return Seed(position, c.depth, MODES[c.mode], DIRECTIONS[c.direction], c.priority)


def seed_to(seed: Seed) -> Any:
    return ffi.new("holos_wave_seed *", {"position": seed.position._c, "direction": _direction_number(seed.direction),
                                         "mode": mode_number(seed.mode), "priority": seed.priority, "depth": seed.depth})


@dataclasses.dataclass(frozen=True)
class WaveStatistics:
    """What a wave did. All numbers except times are the same for any number of threads."""

    positions: int
    solved: int
    forward_expanded: int
    backward_expanded: int
    generated: int
    boundary: int
    connections: int
    lightning_probes: int
    spines_found: int
    crystallized: int
    osmosis_steps: int
    minimax_solved: int
    sweeps: int
    recomputed: int
    equiv_tracked: int
    equiv_classes: int
    equiv_broken: int
    equiv_propagated: int
    equiv_confirmed: int
    equiv_refuted: int
    equiv_shortcuts: int
    goal_filtered: int
    frontier_capped: int
    depth_limited: int
    class_capped: int
    memory_limited: int
    spilled: int
    lightning_seconds: float
    wave_seconds: float
    crystal_seconds: float
    osmosis_seconds: float
    propagation_seconds: float
    bytes: int
    closed: bool


@dataclasses.dataclass(frozen=True)
class Layer:
    """A layer of the forward wave."""

    positions: int
    expanded: int
    generated: int
    duplicates: int


#: Options of a wave that are numbers or yes and no, as the C struct names them.
_PLAIN = ("frontier", "forward_depth", "backward_depth", "class_size", "boundary_seeds", "lightning_depth", "lightning_nodes",
          "crystal_points", "crystal_layers", "goal_stops", "spine_boundary", "no_backward", "no_classes", "graph", "unfolded",
          "all_moves")


class Wave(Closing):
    """Runs forward from seeds and backward from positions whose value is known. Wherever it stops, every interval contains the
    true value, and the next run continues from there.

    Keyword arguments are those of ``holos_wave_options``: ``threads``, ``seed``, ``frontier``, ``forward_depth``, … ``goals`` is a list
    of signatures; ``known`` are known values; ``tick`` is called often during a run.
    """

    def __init__(self, variant: Variant, *, seconds: Optional[float] = None, nodes: Optional[int] = None,
                 memory: Optional[int] = None, stop: Optional[Stop] = None, threads: int = 1, seed: int = 0,
                 goals: Sequence[str] = (), spill: Optional[str] = None, known: Optional[Boundary] = None,
                 tick: Optional[Callable[[], None]] = None, **plain: Union[int, bool]) -> None:
        self.variant = variant
        self._watch = Watch(stop)
        self._keep: "list[Any]" = []
        c = ffi.new("holos_wave_options *")
        values.limits_to(Limits(seconds, nodes, memory), c.limits, self._watch.c)
        c.threads, c.seed = threads, seed
        for name, value in plain.items():
            if name not in _PLAIN:
                raise TypeError(f"Wave() got an unexpected keyword argument {name!r}")
            setattr(c, name, value)
        words = ffi.new("const char *[]", [maybe(goal, self._keep) for goal in goals] or 1)
        self._keep.append(words)
        c.goals, c.goal_count = (words if goals else NULL), len(goals)
        c.spill = maybe(spill, self._keep)
        c.boundary = boundary_to(known, variant, self._watch, self._keep)
        if tick is not None:
            call = tick
            self._keep.append(ffi.callback("void(void *)", self._watch.guard(lambda _: call())))
            c.tick = self._keep[-1]
        self._c = opened("holos_wave", lib.holos_wave_close, lib.holos_wave_open, variant._c, c)
        variant._settle()

    def _call(self, function: Any, *arguments: Any, fine: Tuple[int, ...] = ()) -> int:
        err = ffi.new("holos_error *")
        status = self._watch.run(function, self._open, *arguments, err)
        self.variant._settle()
        return check(status, err, *fine)

    def add(self, seed: Union[Seed, PositionLike]) -> None:
        """Adds a seed: one, or a position from which the wave runs forward."""
        made = seed if isinstance(seed, Seed) else Seed(self.variant.position(seed))
        self._call(lib.holos_wave_add, seed_to(made))

    def seeds(self) -> List[Seed]:
        """The seeds, highest priority first."""
        found: List[Seed] = []
        out = ffi.new("holos_wave_seed *")
        while True:
            position = self.variant._new()
            if not lib.holos_wave_seed_at(self._open, len(found), out, position):
                return found
            found.append(seed_of(out, Position(self.variant, position)))

    def reset(self) -> None:
        """Forgets everything it has reached."""
        lib.holos_wave_reset(self._open)

    def limit(self, seconds: Optional[float] = None, nodes: Optional[int] = None) -> None:
        """Sets the seconds and nodes for each run from now on."""
        c = ffi.new("holos_limits *")
        values.limits_to(Limits(seconds, nodes), c, self._watch.c)
        lib.holos_wave_limit(self._open, c)

    def run(self, mode: str = "auto") -> bool:
        """Runs until all forward seeds are solved or nothing is left to do (True), or until a limit is reached (False)."""
        return self._call(lib.holos_wave_run, mode_number(mode), fine=(LIMIT, INTERRUPTED)) == 0

    def query(self, position: PositionLike) -> Value:
        """What is proved about a position; the range of scores if it was never reached."""
        p = self.variant.position(position)
        value = lib.holos_wave_query(self._open, p._c)
        self.variant._settle()
        return values.value_of(value)

    def guess(self, position: PositionLike) -> Optional[Guess]:
        """What its class says about an unsolved position: a conjecture."""
        p, out = self.variant.position(position), ffi.new("holos_guess *")
        found = lib.holos_wave_guess(self._open, p._c, out)
        self.variant._settle()
        return values.guess_of(out) if found else None

    @property
    def statistics(self) -> WaveStatistics:
        out = ffi.new("holos_wave_statistics *")
        lib.holos_wave_statistics_get(self._open, out)
        return values.filled(WaveStatistics, out)

    def layers(self) -> List[Layer]:
        """The layers of the forward wave."""
        return [values.filled(Layer, lib.holos_wave_layer_at(self._open, i)) for i in range(lib.holos_wave_depth(self._open))]

    def save(self, path: str) -> None:
        """Writes a hologram, which appears whole or not at all."""
        self._call(lib.holos_wave_save, bytes_of(path))

    def load(self, path: str) -> None:
        """Forgets what the wave has reached and loads a hologram instead."""
        self._call(lib.holos_wave_load, bytes_of(path))


# ---- Holograms ---------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class HologramSummary:
    """How much a hologram holds."""

    entries: int
    solved: int
    spines: int
    meetings: int
    classes: int
    seeds: int
    mappings: int
    rounds: int
    bytes: int  #: of the file
    statistics: WaveStatistics = dataclasses.field(repr=False)


@dataclasses.dataclass(frozen=True)
class Checked:
    """What a check of a hologram derived again."""

    derived: int
    given: int
    frontiers: int


@dataclasses.dataclass(frozen=True)
class Frontier:
    """A frontier that is stored as the seeds that lead to it."""

    seeds: List[Seed]
    depth: int
    positions: int
    digest: int
    known: bool


@dataclasses.dataclass(frozen=True)
class Round:
    """A round of a session that contributed to a hologram."""

    session: int
    number: int
    phase: str
    seeds: List[Seed]
    batches: int
    lost: int
    expanded: int
    reached: int
    solved: int
    spines: int
    meetings: int
    positions: int
    all_solved: int


@dataclasses.dataclass(frozen=True)
class ModeSuccess:
    """How seeds did in a mode, over all rounds."""

    tries: int
    wins: int
    gain: int
    cost: int
    features: int


class Hologram(Closing):
    """What waves found, as a file. It serves one thread at a time."""

    def __init__(self, path: str, *, cache: Optional[int] = None) -> None:
        self.path = path
        self._c = opened("holos_hologram", lib.holos_hologram_close, lib.holos_hologram_open, bytes_of(path))
        self.variant = Variant(word_of(lib.holos_variant_name(lib.holos_hologram_variant(self._c))))
        if cache is not None:
            lib.holos_hologram_keep(self._c, cache)

    @staticmethod
    def is_at(path: str) -> bool:
        """Whether the file at a path looks like a hologram."""
        return bool(lib.holos_hologram_is_at(bytes_of(path)))

    @property
    def summary(self) -> HologramSummary:
        out = ffi.new("holos_hologram_summary *")
        lib.holos_hologram_summary_get(self._open, out)
        plain = {f.name: getattr(out, f.name) for f in dataclasses.fields(HologramSummary) if f.name != "statistics"}
        return HologramSummary(**plain, statistics=values.filled(WaveStatistics, out.statistics))

    def query(self, position: PositionLike) -> Value:
        """What is proved about a position; ``known`` is False if it is not in the file."""
        p, out = self.variant.position(position), ffi.new("holos_value *")
        checked(lib.holos_hologram_query, self._open, p._c, out)
        return values.value_of(out)

    def guess(self, position: PositionLike) -> Optional[Guess]:
        """What its class says about an unsolved position: a conjecture."""
        p, out, found = self.variant.position(position), ffi.new("holos_guess *"), ffi.new("bool *")
        checked(lib.holos_hologram_guess, self._open, p._c, out, found)
        return values.guess_of(out) if found[0] else None

    def best(self, position: PositionLike) -> Optional[str]:
        """A move that is proved to keep the value of a solved position, or None."""
        p, out, found = self.variant.position(position), ffi.new("holos_move *"), ffi.new("bool *")
        checked(lib.holos_hologram_best, self._open, p._c, out, found)
        return p._text(out[0]) if found[0] else None

    def line(self, position: PositionLike) -> List[str]:
        """The moves from a solved position to the boundary."""
        p = self.variant.position(position)
        moves, length, recorded = ffi.new("holos_move[]", 65536), ffi.new("size_t *"), ffi.new("bool *")
        checked(lib.holos_hologram_line, self._open, p._c, moves, 65536, length, recorded)
        return self.variant._line(p, moves, min(length[0], 65536))

    def spine(self, position: PositionLike) -> List[str]:
        """The moves of a spine from a position on it to its end."""
        p, moves = self.variant.position(position), ffi.new("holos_move[]", 65536)
        count = lib.holos_hologram_spine(self._open, p._c, moves, 65536)
        return self.variant._line(p, moves, min(count, 65536))

    def spines(self) -> Iterator[Tuple[Position, List[str]]]:
        """Each spine: where it begins, and its moves."""
        moves, index = ffi.new("holos_move[]", 65536), 0
        while index < self.summary.spines:
            begin = self.variant._new()
            count = lib.holos_hologram_spine_at(self._open, index, begin, moves, 65536)
            p = Position(self.variant, begin)
            yield p, self.variant._line(p, moves, min(count, 65536))
            index += 1

    def __iter__(self) -> Iterator[Tuple[Position, Value]]:
        """Every position in the file, with what is proved about it."""
        cursor, count, room = ffi.new("holos_cursor *"), ffi.new("size_t *"), self.variant._room(1024)
        while True:
            checked(lib.holos_hologram_walk, self._open, cursor, room, 1024, count)
            if count[0] == 0:
                return
            for i in range(count[0]):
                p = self.variant._copied(self.variant._in(room, i))
                yield p, self.query(p)

    def _seeds(self, at: Callable[[int, Any, Any], Any]) -> Iterator[Seed]:
        out, index = ffi.new("holos_wave_seed *"), 0
        while True:
            position = self.variant._new()
            if not at(index, out, position):
                return
            yield seed_of(out, Position(self.variant, position))
            index += 1

    def seeds(self) -> Iterator[Seed]:
        """The seeds that the waves started from."""
        return self._seeds(lambda i, out, p: lib.holos_hologram_seed_at(self._open, i, out, p))

    def frontiers(self) -> Iterator[Frontier]:
        """The frontiers that are stored as seeds."""
        out, index = ffi.new("holos_frontier *"), 0
        while lib.holos_hologram_frontier_at(self._open, index, out):
            seeds = list(self._seeds(lambda i, s, p: lib.holos_hologram_frontier_seed_at(self._open, index, i, s, p)))
            yield Frontier(seeds, out.depth, out.positions, out.digest, bool(out.known))
            index += 1

    def rounds(self) -> Iterator[Round]:
        """The rounds of sessions that contributed."""
        out, index = ffi.new("holos_round *"), 0
        while lib.holos_hologram_round_at(self._open, index, out):
            seeds = list(self._seeds(lambda i, s, p: lib.holos_hologram_round_seed_at(self._open, index, i, s, p)))
            yield Round(out.session, out.number, PHASES[out.phase], seeds, out.batches, out.lost, out.expanded, out.reached,
                        out.solved, out.spines, out.meetings, out.positions, out.all_solved)
            index += 1

    def mode_success(self, mode: str) -> Optional[ModeSuccess]:
        """How seeds did in a mode; None if nobody counted."""
        out = ffi.new("holos_mode_success *")
        found = lib.holos_hologram_mode_success(self._open, mode_number(mode), out)
        return values.filled(ModeSuccess, out) if found else None

    def verify(self) -> None:
        """Reads the whole file, compares the checksums, and derives every value again. Raises if it is not sound."""
        watch, err = Watch(), ffi.new("holos_error *")
        check(watch.run(lib.holos_hologram_verify, self._open, err), err)

    def check(self, *, known: Optional[Boundary] = None, threads: int = 1, memory: Optional[int] = None,
              stop: Optional[Stop] = None, frontiers: bool = False) -> Checked:
        """The same, with options, and says how much was derived."""
        watch, err, out = Watch(stop), ffi.new("holos_error *"), ffi.new("holos_hologram_checked *")
        keep: "list[Any]" = []
        how = ffi.new("holos_hologram_checking *")
        how.boundary = boundary_to(known, self.variant, watch, keep)
        how.threads, how.frontiers = threads, frontiers
        values.limits_to(Limits(memory=memory), how.limits, watch.c)
        check(watch.run(lib.holos_hologram_check, self._open, how, out, err), err)
        return values.filled(Checked, out)

    def frontier(self, index: int, known: Optional[Boundary] = None) -> Tuple[WaveStatistics, List[Layer]]:
        """Rebuilds a frontier that is stored as seeds, and checks that it is the same: what the wave did, and its layers."""
        watch, keep = Watch(), []  # type: ignore[var-annotated]
        wave = Wave.__new__(Wave)
        wave.variant, wave._watch, wave._keep = self.variant, watch, [self]
        wave._c = opened("holos_wave", lib.holos_wave_close, watch.run, lib.holos_hologram_frontier, self._open, index,
                         boundary_to(known, self.variant, watch, keep))
        with wave:
            return wave.statistics, wave.layers()


def merge_holograms(a: str, b: str, path: str) -> None:
    """Merges two holograms into a new one that has everything either has; the order makes no difference."""
    watch, err = Watch(), ffi.new("holos_error *")
    check(watch.run(lib.holos_hologram_merge, bytes_of(a), bytes_of(b), bytes_of(path), err), err)


__all__ = ["Checked", "DIRECTIONS", "Frontier", "Hologram", "HologramSummary", "Layer", "MODES", "ModeSuccess", "PHASES", "Round",
           "Seed", "Wave", "WaveStatistics", "merge_holograms"]
