# SPDX-License-Identifier: MIT
"""Solvers, which find the values of positions, and the engines behind them."""

from __future__ import annotations

import dataclasses
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Union

from holos import values
from holos._closing import Closing
from holos._library import (INTERRUPTED, LIMIT, NULL, OK, Error, Stop, Watch, bytes_of, check, error_of, ffi, lib, listed,
                            maybe, opened, text_of, word_of)
from holos.variants import Position, PositionLike, Variant
from holos.knowing import Knowledge
from holos.options import Setting, settings_to
from holos.progress import Progress, gauges_to, progress_to
from holos.values import Guess, Limits, Value

#: Known values: knowledge, or a function from a position to its value, its exact score, or None if it is unknown.
Boundary = Union[Knowledge, Callable[[Position], Union[Value, int, None]]]


@dataclasses.dataclass(frozen=True)
class MoveValue:
    """A move and what is proved about it, for the side that makes it."""

    move: str
    value: Value


@dataclasses.dataclass(frozen=True)
class Work:
    """What one technique of a puzzle's solver did."""

    name: str
    calls: int
    removals: int
    conflicts: int
    seconds: float


@dataclasses.dataclass(frozen=True)
class Result:
    """The answer for one position. Everything but ``guess`` is proved."""

    position: Position
    value: Value
    guess: Optional[Guess]  #: about an unsolved position, if there is a guess
    status: str  #: "solved"; "bounded": a limit was reached, and the value is an interval
    outcome: Optional[str]  #: "win", "draw", "loss"; None while it is not known
    engine: str
    nodes: int
    seconds: float
    moves: Optional[List[MoveValue]]  #: with ``moves=True``: every legal move, in natural order
    best: List[str]  #: moves known to have the position's value
    line: List[str]  #: with ``line=True``: best play to the end, or as far as it is known
    line_end: Optional[str]  #: why the line ends before the game does, if known
    solutions: int  #: puzzles: how many were found, up to the option ``solutions``
    solutions_complete: bool
    solution: Optional[Position]
    known: Optional[Position]  #: puzzles: what is certain, if the limits left no time to find a solution
    reason: Optional[str]  #: puzzles: why there is no solution, if known
    limit: Optional[str]  #: puzzles: what ended the work early
    depth: int  #: puzzles: the deepest guess
    work: List[Work]

    @property
    def score(self) -> int:
        """The exact score; ValueError if only an interval is known."""
        return self.value.score

    def __str__(self) -> str:
        return f"{self.position}: {self.position.variant.describe(self.value)}"


def _outcome(v: Variant, value: Value) -> Optional[str]:
    low, high = v.outcome(value.lo), v.outcome(value.hi)
    return low if low == high else None


def result_of(v: Variant, p: Position, c: Any, status: int, with_moves: bool) -> Result:
    """A result from the library's, which it may overwrite at its next call."""
    value = values.value_of(c.value)
    text = p._text
    return Result(
        position=p,
        value=value,
        guess=values.guess_of(c.guess),
        status="solved" if status == OK else "bounded",
        outcome=_outcome(v, value),
        engine=word_of(c.engine),
        nodes=c.nodes,
        seconds=c.seconds,
        moves=[MoveValue(text(c.moves[i].move), values.value_of(c.moves[i].value)) for i in range(c.move_count)]
        if with_moves else None,
        best=[text(c.best[i]) for i in range(c.best_count)],
        line=v._line(p, c.line, c.line_length),
        line_end=text_of(c.line_end),
        solutions=c.solutions,
        solutions_complete=bool(c.solutions_complete),
        solution=v._copied(c.solution) if c.solution != NULL else None,
        known=v._copied(c.known) if c.known != NULL else None,
        reason=text_of(c.reason),
        limit=text_of(c.limit),
        depth=c.depth,
        work=[values.filled(Work, c.work[i]) for i in range(c.work_count)],
    )


def boundary_to(boundary: Optional[Boundary], v: Variant, watch: Watch, keep: "list[Any]") -> Any:
    """A holos_boundary for a call, or NULL."""
    if boundary is None:
        return NULL
    keep.append(boundary)
    if isinstance(boundary, Knowledge):
        return lib.holos_knowledge_boundary(boundary._c)
    return _boundary_of(boundary, v, watch, keep)


def _boundary_of(function: Callable[[Position], Union[Value, int, None]], v: Variant, watch: Watch,
                 keep: "list[Any]") -> Any:
    def find(_context: Any, position: Any, out: Any, _err: Any) -> int:
        found = function(v._copied(position))
        if isinstance(found, Value):
            if found.known and not values.is_proof(found.source):
                raise ValueError(f"a boundary is made of proofs, and {found.source!r} is a guess")
            values.value_to(found if found.known else dataclasses.replace(found, source="table"), out)
        elif found is not None:
            values.value_to(Value(int(found), int(found), source="table"), out)
        return OK

    signature = "holos_status(void *, const holos_position *, holos_value *, holos_error *)"
    c = ffi.new("holos_boundary *")
    callback = ffi.callback(signature, watch.guard(find, lib.HOLOS_INTERRUPTED))
    c.find = callback  # which does not keep it alive
    keep += [c, callback]
    return c


class Solver(Closing):
    """Finds the values of positions of one variant, and remembers what it learned. It serves one thread at a time.

    ``engine`` names one; otherwise it is the best one for the game. ``seconds``, ``nodes`` and ``memory`` limit the work for each
    position. ``moves`` asks for the value of every move, ``line`` for a line of best play, ``distance`` for the distance
    however long it takes, ``weak`` for the outcome alone. ``known`` are known values; ``settings`` are options of the engine and the game.
    ``progress`` is called from time to time; ``gauges`` whenever an engine reads its own search, with what it reads.
    """

    def __init__(self, variant: Variant, *, engine: Optional[str] = None, seconds: Optional[float] = None,
                 nodes: Optional[int] = None, memory: Optional[int] = None, stop: Optional[Stop] = None, weak: bool = False,
                 value_only: bool = False, moves: bool = False, line: bool = False, distance: bool = False, threads: int = 1,
                 known: Optional[Boundary] = None, settings: Optional[Mapping[str, Setting]] = None,
                 progress: Optional[Callable[[Progress], None]] = None, progress_seconds: float = 0.5,
                 gauges: Optional[Callable[[Dict[str, float]], None]] = None) -> None:
        self.variant = variant
        self._watch = Watch(stop)
        self._keep: "list[Any]" = []
        self._moves = moves
        c = ffi.new("holos_solver_options *")
        c.engine = maybe(engine, self._keep)
        values.limits_to(Limits(seconds, nodes, memory), c.limits, self._watch.c)
        c.weak, c.value_only, c.moves, c.line, c.distance = weak, value_only, moves, line, distance
        c.threads = threads
        c.boundary = boundary_to(known, variant, self._watch, self._keep)
        c.settings = settings_to(settings, self._keep)
        progress_to(progress, progress_seconds, c, self._watch, self._keep)
        gauges_to(gauges, c, self._watch, self._keep)
        self._c = opened("holos_solver", lib.holos_solver_close, lib.holos_solver_open, variant._c, c)
        variant._settle()

    def solve(self, position: PositionLike = "start") -> Result:
        """The value of a position. If a limit comes first, the value is an interval that contains the true score."""
        p = self.variant.position(position)
        c, err = ffi.new("holos_result *"), ffi.new("holos_error *")
        status = self._watch.run(lib.holos_solver_solve, self._open, p._c, c, err)
        self.variant._settle()
        check(status, err, LIMIT, INTERRUPTED)
        return result_of(self.variant, p, c, status, self._moves)

    def solve_many(self, positions: Iterable[PositionLike]) -> Iterator[Result]:
        """The values of many positions, in their order; faster than one by one where the engine can do many at once."""
        if not lib.holos_solver_takes_many(self._open):
            for position in positions:
                yield self.solve(position)
            return
        batch: List[Position] = []
        for position in positions:
            batch.append(self.variant.position(position))
            if len(batch) == lib.HOLOS_SOLVE_MANY:
                yield from self._batch(batch)
                batch = []
        yield from self._batch(batch)

    def _batch(self, batch: List[Position]) -> List[Result]:
        if not batch:
            return []
        size, room = lib.holos_position_size(self.variant._c), self.variant._room(len(batch))
        for i, p in enumerate(batch):
            ffi.memmove(self.variant._in(room, i), p._c, size)
        results = ffi.new("holos_result[]", len(batch))
        statuses = ffi.new("holos_status[]", len(batch))
        self._watch.run(lib.holos_solver_solve_many, self._open, room, len(batch), results, statuses)
        for status in statuses:
            if status not in (OK, LIMIT, INTERRUPTED):
                raise error_of(status, ffi.new("holos_error *", {"at": -1}))
        return [result_of(self.variant, p, results[i], statuses[i], self._moves) for i, p in enumerate(batch)]

    def guess(self, position: PositionLike, depth: int) -> "tuple[str, int]":
        """A move without a proof: the one that looks best after so many plies, and what the position then looks worth."""
        p = self.variant.position(position)
        move, score, err = ffi.new("holos_move *"), ffi.new("int32_t *"), ffi.new("holos_error *")
        status = self._watch.run(lib.holos_solver_guess, self._open, p._c, depth, move, score, err)
        self.variant._settle()
        check(status, err)
        return p._text(move[0]), score[0]

    @property
    def lacks(self) -> Optional[str]:
        """What the solver has to do without, in a sentence; None: nothing."""
        return text_of(lib.holos_solver_lacks(self._open))


# ---- Engines -----------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Engine:
    """A way to narrow values."""

    name: str
    summary: str

    def why_not(self, variant: Variant) -> Optional[str]:
        """Why the engine cannot solve a variant, or None if it can."""
        err = ffi.new("holos_error *")
        status = lib.holos_engine_supports(lib.holos_engine_find(bytes_of(self.name)), variant._c, err)
        return None if status == OK else word_of(err.message)

    def supports(self, variant: Variant) -> bool:
        """Whether the engine can solve a variant."""
        return self.why_not(variant) is None


def engines() -> List[Engine]:
    """The engines, in the order in which a solver tries them."""
    return [Engine(word_of(lib.holos_engine_name(e)), word_of(lib.holos_engine_summary(e)))
            for e in listed(lib.holos_engine_at)]


@dataclasses.dataclass(frozen=True)
class Surroundings:
    """The kinds around a kind of positions."""

    known: List[str]  #: kinds that play can reach, if the boundary knows them
    unknown: List[str]  #: and if not
    parents: List[str]  #: kinds from which one move leads here


def surroundings(variant: Variant, kind: str, known: Optional[Boundary] = None) -> Surroundings:
    """Where play can lead from a kind of positions, and where it comes from."""
    out, err, watch = ffi.new("holos_surroundings *"), ffi.new("holos_error *"), Watch()
    keep: "list[Any]" = []
    try:
        status = watch.run(lib.holos_surroundings_find, variant._c, variant.kind(kind),
                           boundary_to(known, variant, watch, keep), out, err)
        check(status, err)
        return Surroundings([variant.kind_name(out.known[i]) for i in range(out.known_count)],
                            [variant.kind_name(out.unknown[i]) for i in range(out.unknown_count)],
                            [variant.kind_name(out.parents[i]) for i in range(out.parent_count)])
    finally:
        lib.holos_surroundings_free(out)


__all__ = ["Boundary", "Engine", "Error", "MoveValue", "Result", "Solver", "Surroundings", "Work", "engines", "surroundings"]
