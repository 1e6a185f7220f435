# SPDX-License-Identifier: MIT
"""Puzzles: hints with reasons, ratings, new puzzles, and booklets to print."""

from __future__ import annotations

import dataclasses
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple

from holos import values
from holos._closing import Closing
from holos._library import (INTERRUPTED, LIMIT, NULL, OK, Stop, Watch, bytes_of, check, checked, ffi, lib, listed, maybe,
                            opened, word_of, written)
from holos.variants import Position, PositionLike, Variant
from holos.options import Setting, settings_to
from holos.values import Limits


@dataclasses.dataclass(frozen=True)
class Technique:
    """A way of reasoning about a puzzle."""

    name: str  #: "naked-pair"
    title: str  #: "Naked pair"
    summary: str  #: why it is right, in a sentence
    rating: float  #: its difficulty on the scale of Sudoku Explainer
    score: int  #: what each use adds to the score, on the scale of HoDoKu
    level: str  #: the easiest level that may need it
    by_uniqueness: bool  #: relies on a unique solution


def _technique(c: Any) -> Technique:
    return Technique(word_of(c.name), word_of(c.title), word_of(c.summary), c.rating / 10, c.score,
                     word_of(lib.holos_level_name(c.level)), bool(c.by_uniqueness))


def techniques(variant: Variant) -> List[Technique]:
    """The techniques of a game, the cheapest first; none for a game that is no puzzle."""
    game = lib.holos_variant_game(variant._c)
    return [_technique(c) for c in listed(lambda i: lib.holos_technique_at(game, i))]


def levels() -> List[str]:
    """The levels of puzzles, the easiest first."""
    return [word_of(lib.holos_level_name(i)) for i in range(lib.HOLOS_LEVEL_COUNT)]


def level_number(name: str) -> int:
    """Which level this is, counted from 0; ValueError if there is no such level."""
    out = ffi.new("holos_level *")
    if not lib.holos_level_find(bytes_of(name), out):
        raise ValueError(f"unknown level {name!r}; choose from {', '.join(levels())}")
    return int(out[0])


@dataclasses.dataclass(frozen=True)
class Candidate:
    """A value that a cell may hold. The game decides how they are numbered; ``text`` is for people: "r3c7=5"."""

    cell: int
    value: int
    text: str


@dataclasses.dataclass(frozen=True)
class Step:
    """One conclusion about a puzzle."""

    technique: Technique
    rating: float  #: of this step: a long chain is harder than a short one
    placements: Tuple[Candidate, ...]  #: what cells must hold
    eliminations: Tuple[Candidate, ...]  #: what cells cannot hold
    pattern: Tuple[Candidate, ...]  #: what proves it
    other: Tuple[Candidate, ...]  #: the pattern's other side
    houses: Tuple[str, ...]  #: the rows, columns, … that it uses
    explanation: str
    _c: Any = dataclasses.field(repr=False, compare=False)


def _candidates(v: Variant, array: Any, count: int, holds: bool) -> Tuple[Candidate, ...]:
    return tuple(Candidate(array[i].cell, array[i].value, written(lib.holos_format_candidate, v._c, array[i], holds))
                 for i in range(count))


def _marks(v: Variant, c: Any, role: int) -> Tuple[Candidate, ...]:
    return tuple(Candidate(m.candidate.cell, m.candidate.value, written(lib.holos_format_candidate, v._c, m.candidate, True))
                 for m in (c.marks[i] for i in range(c.mark_count)) if m.role == role)


def _step(v: Variant, c: Any) -> Step:
    return Step(
        technique=_technique(c.technique),
        rating=c.rating / 10,
        placements=_candidates(v, c.placements, c.placement_count, True),
        eliminations=_candidates(v, c.eliminations, c.elimination_count, False),
        pattern=_marks(v, c, lib.HOLOS_ROLE_PATTERN),
        other=_marks(v, c, lib.HOLOS_ROLE_OTHER),
        houses=tuple(written(lib.holos_format_house, v._c, c.houses[i]) for i in range(c.house_count)),
        explanation=word_of(c.explanation),
        _c=c,
    )


@dataclasses.dataclass(frozen=True)
class Rating:
    """How hard a puzzle is."""

    solved: bool  #: deductions alone reached the end
    hardest: Optional[Technique]  #: None if no step was needed
    rating: float  #: of the hardest step
    score: int  #: of all steps
    level: str
    steps: int
    counts: Dict[str, int]  #: uses of each technique, by name
    limited: bool  #: a limit came first; then this covers the steps so far
    _c: Any = dataclasses.field(repr=False, compare=False)


def _rating(v: Variant, c: Any, limited: bool = False) -> Rating:
    names = [t.name for t in techniques(v)]
    return Rating(
        solved=bool(c.solved),
        hardest=None if c.hardest == NULL else _technique(c.hardest),
        rating=c.rating / 10,
        score=c.score,
        level=word_of(lib.holos_level_name(c.level)),
        steps=c.steps,
        counts={name: c.counts[i] for i, name in enumerate(names) if c.counts[i] > 0},
        limited=limited,
        _c=c,
    )


@dataclasses.dataclass(frozen=True)
class TechniqueWork:
    """What a technique did since :meth:`Logic.measure`."""

    name: str
    calls: int
    removals: int
    conflicts: int
    seconds: float


class Logic(Closing):
    """A puzzle that is being solved by deduction. Iterating over it gives the steps, each applied before the next one.

    The solutions are counted first, within the limits, because some techniques rely on a unique solution.
    """

    def __init__(self, variant: Variant, position: PositionLike, *, seconds: Optional[float] = None,
                 nodes: Optional[int] = None, stop: Optional[Stop] = None) -> None:
        self.variant = variant
        self._watch = Watch(stop)
        p = variant.position(position)
        limits = ffi.new("holos_limits *")
        values.limits_to(Limits(seconds, nodes), limits, self._watch.c)
        self._c = opened("holos_logic", lib.holos_logic_close, self._watch.run, lib.holos_logic_open, variant._c, p._c, limits)

    def restart(self, position: PositionLike) -> None:
        """Starts over with another position of the same variant."""
        p, err = self.variant.position(position), ffi.new("holos_error *")
        check(self._watch.run(lib.holos_logic_restart, self._open, p._c, err), err)

    @property
    def solutions(self) -> int:
        """0, 1, or 2 for "several"."""
        return int(lib.holos_logic_solutions(self._open))

    @property
    def solution(self) -> Optional[Position]:
        """The solution, if there is one."""
        c = lib.holos_logic_solution(self._open)
        return None if c == NULL else self.variant._copied(c)

    @property
    def done(self) -> bool:
        """Whether every cell is filled."""
        return bool(lib.holos_logic_is_done(self._open))

    @property
    def position(self) -> Position:
        """The current position, including what has been ruled out."""
        c = self.variant._new()
        lib.holos_logic_position(self._open, c)
        return Position(self.variant, c)

    def find(self) -> Optional[Step]:
        """The cheapest next step. None if no technique finds one; :class:`holos.Error` if a limit came first."""
        c = ffi.new("holos_step *")
        if self._watch.run(lib.holos_logic_find, self._open, c):
            return _step(self.variant, c)
        checked(lib.holos_logic_status, self._open)
        return None

    def apply(self, step: Step) -> None:
        """Applies a step that was found for the current position."""
        lib.holos_logic_apply(self._open, step._c)

    def __iter__(self) -> Iterator[Step]:
        while True:
            step = self.find()
            if step is None:
                return
            self.apply(step)
            yield step

    def rate(self) -> Rating:
        """Solves the rest of the puzzle and sums up the steps."""
        c, err = ffi.new("holos_rating *"), ffi.new("holos_error *")
        status = self._watch.run(lib.holos_logic_rate, self._open, c)
        check(status, err, LIMIT, INTERRUPTED)
        return _rating(self.variant, c, status != OK)

    def measure(self) -> None:
        """Starts counting what each technique does."""
        lib.holos_logic_measure(self._open)

    def work(self, technique: str) -> TechniqueWork:
        """What a technique has done since :meth:`measure`."""
        game = lib.holos_variant_game(self.variant._c)
        index = lib.holos_technique_find(game, bytes_of(technique))
        if lib.holos_technique_at(game, index) == NULL:
            raise ValueError(f"{self.variant.game.name} has no technique {technique!r}")
        c = lib.holos_logic_work(self._open, index)
        return TechniqueWork(technique, c.calls, c.removals, c.conflicts, c.seconds)


# ---- New puzzles -------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Puzzle:
    """A new puzzle with exactly one solution, and how hard it is."""

    position: Position
    rating: Optional[Rating]  #: None for a game without techniques

    def __str__(self) -> str:
        return str(self.position)


class Generator(Closing):
    """Makes puzzles with one solution, one after another. The same seed makes the same puzzles, for any number of threads."""

    def __init__(self, variant: Variant, *, seed: int = 0, threads: int = 1, difficulty: Optional[str] = None,
                 minimal: bool = False, settings: Optional[Mapping[str, Setting]] = None, expected: int = 0,
                 seconds: Optional[float] = None, stop: Optional[Stop] = None) -> None:
        self.variant = variant
        self._watch = Watch(stop)
        self._keep: "list[Any]" = []
        c = ffi.new("holos_generator_options *")
        c.seed, c.threads, c.minimal, c.expected = seed, threads, minimal, expected
        c.difficulty = maybe(difficulty, self._keep)
        c.settings = settings_to(settings, self._keep)
        values.limits_to(Limits(seconds), c.limits, self._watch.c)
        self._rates = len(techniques(variant)) > 0
        self._c = opened("holos_generator", lib.holos_generator_close, lib.holos_generator_open, variant._c, c)

    def __iter__(self) -> "Generator":
        return self

    def __next__(self) -> Puzzle:
        p, err = self.variant._new(), ffi.new("holos_error *")
        rating = ffi.new("holos_rating *") if self._rates else NULL
        check(self._watch.run(lib.holos_generator_next, self._open, p, rating, err), err)
        return Puzzle(Position(self.variant, p), _rating(self.variant, rating) if self._rates else None)


def generate(variant: Variant, count: Optional[int] = None, **options: Any) -> Iterator[Puzzle]:
    """Puzzles: as many as asked for, or without end."""
    with Generator(variant, expected=count or 0, **options) as generator:
        made = 0
        while count is None or made < count:
            yield next(generator)
            made += 1


class Booklet(Closing):
    """Puzzles on A4 pages to print, with the solutions at the back: a folder with SVG files and an index.html."""

    def __init__(self, variant: Variant, folder: str, per_page: int = 1) -> None:
        self.variant = variant
        self._c = opened("holos_booklet", lib.holos_booklet_close, lib.holos_booklet_open, variant._c, bytes_of(folder), per_page)

    def add(self, position: PositionLike, rating: Optional[Rating] = None, *, seconds: Optional[float] = None,
            stop: Optional[Stop] = None) -> None:
        """Adds a puzzle and finds its solution."""
        watch, limits, err = Watch(stop), ffi.new("holos_limits *"), ffi.new("holos_error *")
        values.limits_to(Limits(seconds), limits, watch.c)
        p = self.variant.position(position)
        check(watch.run(lib.holos_booklet_add, self._open, p._c, NULL if rating is None else rating._c, limits, err), err)

    def write(self) -> int:
        """Writes the pages, and says how many there are."""
        pages = ffi.new("unsigned *")
        checked(lib.holos_booklet_write, self._open, pages)
        return int(pages[0])


__all__ = ["Booklet", "Candidate", "Generator", "Logic", "Puzzle", "Rating", "Step", "Technique", "TechniqueWork", "generate",
           "level_number", "levels", "techniques"]
