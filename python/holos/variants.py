# SPDX-License-Identifier: MIT
"""Games, their variants, positions and moves. Moves are written as players write them."""

from __future__ import annotations

import dataclasses
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple, Union

import holos
from holos import values
from holos._library import (NULL, Error, bytes_of, check, checked, ffi, lib, listed, opened, text_of, word_of,
                            written)
from holos.values import Value

#: What functions take for a position: one, or its notation. "start" is the start of any game that has one.
PositionLike = Union["Position", str]

_TRAITS = {
    "solitaire": lib.HOLOS_TRAIT_SOLITAIRE,
    "cyclic": lib.HOLOS_TRAIT_CYCLIC,
    "same-side": lib.HOLOS_TRAIT_SAME_SIDE,
    "gains": lib.HOLOS_TRAIT_GAINS,
    "puzzle": lib.HOLOS_TRAIT_PUZZLE,
}


@dataclasses.dataclass(frozen=True)
class DistanceWords:
    """What players of a game call its distances."""

    end: str  #: for programs: "dtm"
    conversion: str
    end_title: str  #: for people: "DTM"
    conversion_title: str
    event: str  #: what the end is: "mate"
    legend: str


@dataclasses.dataclass(frozen=True)
class GameInfo:
    """A game that the library knows, in words."""

    name: str
    title: str
    summary: str
    variant_help: str
    position_help: str
    score_help: str
    traits: Tuple[str, ...]
    examples: Tuple[str, ...]
    protocols: Tuple[str, ...]  #: of other programs that are usually about this game
    usages: Tuple[Tuple[str, str], ...]  #: commands for the program, and what each one shows
    notations: Dict[str, str]  #: other ways to write a position, the most common one first, with what each one is
    kind_word: Optional[str]  #: the game's word for a kind of positions: "material"
    distance_words: Optional[DistanceWords]
    has_pictures: bool
    has_scenes: bool


def _usages(game: Any) -> Iterator[Tuple[str, str]]:
    command, what = ffi.new("char const **"), ffi.new("char const **")
    index = 0
    while lib.holos_game_usage(game, index, command, what):
        yield word_of(command[0]), word_of(what[0])
        index += 1


def _info(game: Any) -> GameInfo:
    words = lib.holos_game_distance_words(game)
    bits = lib.holos_game_traits(game)
    names = [word_of(n) for n in listed(lambda i: lib.holos_notation_name(game, i))]
    return GameInfo(
        name=word_of(lib.holos_game_name(game)),
        title=word_of(lib.holos_game_title(game)),
        summary=word_of(lib.holos_game_summary(game)),
        variant_help=word_of(lib.holos_game_variant_help(game)),
        position_help=word_of(lib.holos_game_position_help(game)),
        score_help=word_of(lib.holos_game_score_help(game)),
        traits=tuple(name for name, bit in _TRAITS.items() if bits & bit),
        examples=tuple(word_of(e) for e in listed(lambda i: lib.holos_game_example(game, i))),
        protocols=tuple(word_of(e) for e in listed(lambda i: lib.holos_game_protocol(game, i))),
        usages=tuple(_usages(game)),
        notations={name: word_of(lib.holos_notation_summary(game, i)) for i, name in enumerate(names)},
        kind_word=text_of(lib.holos_kind_word(game)),
        distance_words=None if words == NULL else values.filled(DistanceWords, words),
        has_pictures=bool(lib.holos_has_pictures(game)),
        has_scenes=bool(lib.holos_has_scenes(game)),
    )


def games() -> List[GameInfo]:
    """The built-in games, in the order of the list."""
    return [_info(lib.holos_game_at(i)) for i in range(lib.holos_game_count())]


def game(name: str) -> GameInfo:
    """A built-in game by its name."""
    data = bytes_of(name)
    found = lib.holos_game_find(data, len(data))
    if found == NULL:
        raise Error("usage", f'unknown game "{name}"; the games are {", ".join(g.name for g in games())}')
    return _info(found)


class Variant:
    """A game opened with its variant: ``holos.open("connect4:5x4")``. Threads may share it."""

    def __init__(self, name: str) -> None:
        self._c = opened("holos_variant", lib.holos_close, lib.holos_open, bytes_of(name))

    def _settle(self) -> None:
        """After a call: raises what a game in Python raised meanwhile. Built-in games never do."""

    # -- what it is

    @property
    def name(self) -> str:
        """In full: "connect4:7x6"."""
        return word_of(lib.holos_variant_name(self._c))

    @property
    def game(self) -> GameInfo:
        return _info(lib.holos_variant_game(self._c))

    @property
    def score_range(self) -> Tuple[int, int]:
        low, high = ffi.new("int32_t *"), ffi.new("int32_t *")
        lib.holos_score_range(self._c, low, high)
        return low[0], high[0]

    def outcome(self, score: int) -> str:
        """A score as a word: "win", "draw", "loss"; for a puzzle, "solvable" or "unsolvable"."""
        return word_of(lib.holos_outcome(self._c, score))

    def describe(self, value: Value) -> str:
        """A value in words: "win in 5 plies (score +3)"."""
        c = ffi.new("holos_value *")
        values.value_to(value, c)
        return written(lib.holos_format_value, self._c, c[0])

    def __repr__(self) -> str:
        return f"holos.open({self.name!r})"

    # -- positions

    def _new(self) -> Any:
        c = lib.holos_position_new(self._c)
        self._settle()
        if c == NULL:
            raise MemoryError
        return ffi.gc(c, lib.holos_position_free)

    def start(self) -> "Position":
        """The start position. Puzzles have none."""
        c = self._new()
        self._checked(lib.holos_start, self._c, c)
        return Position(self, c)

    def position(self, text: PositionLike) -> "Position":
        """Reads a position. One that is a position already stays what it is."""
        if isinstance(text, Position):
            if text.variant is not self and text.variant.name != self.name:
                raise Error("usage", f"this position is one of {text.variant.name}, not of {self.name}")
            return text
        c = self._new()
        self._checked(lib.holos_parse, self._c, bytes_of(text), c)
        return Position(self, c)

    def _copied(self, c: Any) -> "Position":
        """A position from memory that the library owns."""
        own = self._new()
        ffi.memmove(own, c, lib.holos_position_size(self._c))
        return Position(self, own)

    def _room(self, count: int) -> Any:
        """Memory for so many positions, one after the other."""
        memory = ffi.new("char[]", lib.holos_position_size(self._c) * count + 16)
        address = int(ffi.cast("uintptr_t", memory))
        return ffi.gc(ffi.cast("holos_position *", memory + (-address % 16)), lambda _, keep=memory: None)

    def _in(self, room: Any, index: int) -> Any:
        """A position in such memory."""
        return ffi.cast("holos_position *", ffi.cast("char *", room) + index * lib.holos_position_size(self._c))

    def _checked(self, function: Any, *arguments: Any) -> None:
        err = ffi.new("holos_error *")
        status = function(*arguments, err)
        self._settle()
        check(status, err)

    def _line(self, p: "Position", moves: Any, count: int) -> List[str]:
        """Moves one after the other, each as it is written where it is made."""
        found, here = [], self._copied(p._c)
        for i in range(count):
            found.append(written(lib.holos_format_legal, self._c, here._c, moves[i]))
            self._checked(lib.holos_play, self._c, here._c, moves[i], here._c)
        return found

    # -- kinds of positions

    def kind(self, name: str) -> int:
        """The number of a kind of positions: ``holos.open("chess").kind("KQvKR")``."""
        out = ffi.new("holos_kind *")
        checked(lib.holos_kind_parse, self._c, bytes_of(name), out)
        return int(out[0])

    def kind_name(self, kind: int) -> str:
        """The name of a kind by its number."""
        return written(lib.holos_kind_format, self._c, kind)

    def kind_position(self, kind: Union[int, str], seed: int = 0, number: int = 0) -> "Position":
        """A random position of a kind. The same seed and number always give the same one."""
        c = self._new()
        number_of = self.kind(kind) if isinstance(kind, str) else kind
        checked(lib.holos_kind_position, self._c, number_of, seed, number, c)
        return Position(self, c)

    # -- what can be done with it; each lives in a module of its own

    def solver(self, **options: Any) -> "holos.solving.Solver":
        """A solver, which remembers what it learned: see :class:`holos.Solver`."""
        return holos.solving.Solver(self, **options)

    def solve(self, position: PositionLike = "start", **options: Any) -> "holos.solving.Result":
        """The value of one position, and what else the options ask for."""
        with self.solver(**options) as solver:
            return solver.solve(position)

    def player(self, **options: Any) -> "holos.playing.Player":
        """A player, which always finds a move in time."""
        return holos.playing.Player(self, **options)

    def contestant(self, name: str, **options: Any) -> "holos.playing.Contestant":
        """Somebody who plays whole games: "random", "alphabeta:depth=4", "gtp:COMMAND"."""
        return holos.playing.Contestant(self, name, **options)

    def logic(self, position: PositionLike, **options: Any) -> "holos.puzzles.Logic":
        """A puzzle that is solved step by step, with reasons."""
        return holos.puzzles.Logic(self, position, **options)

    def hint(self, position: PositionLike) -> "Optional[holos.puzzles.Step]":
        """The next step that a person could find, or None."""
        return self.logic(position).find()

    def rate(self, position: PositionLike, **options: Any) -> "holos.puzzles.Rating":
        """How hard a puzzle is, and by which techniques."""
        return self.logic(position, **options).rate()

    def generate(self, count: Optional[int] = None, **options: Any) -> "Iterator[holos.puzzles.Puzzle]":
        """Puzzles with one solution: as many as asked for, or without end."""
        return holos.puzzles.generate(self, count, **options)

    def booklet(self, folder: str, per_page: int = 1) -> "holos.puzzles.Booklet":
        """Puzzles on pages to print."""
        return holos.puzzles.Booklet(self, folder, per_page)

    def techniques(self) -> "List[holos.puzzles.Technique]":
        """The techniques of a puzzle, the cheapest first."""
        return holos.puzzles.techniques(self)

    def wave(self, **options: Any) -> "holos.waves.Wave":
        """A wave, which keeps everything that it reaches."""
        return holos.waves.Wave(self, **options)

    def job(self, kind: Optional[str] = None, *operands: str, **options: Any) -> "holos.jobs.Job":
        """Long work: a build, an exploration, a training, a match."""
        return holos.jobs.Job(self, kind, *operands, **options)

    def job_kinds(self) -> "List[holos.jobs.JobKind]":
        """The kinds of jobs for this game, its own first."""
        return holos.jobs.kinds(self)

    def knowledge(self, url: Optional[str] = None, **options: Any) -> "holos.knowing.Knowledge":
        """Whatever knows values of this variant, by URL or path; without one, the book or the tables that ship with holos."""
        return holos.knowing.Knowledge(url, self, **options)

    def tactic(self, position: PositionLike = "start", **options: Any) -> "holos.meta.Tactic":
        """How a wave should set out from a position."""
        return holos.meta.optimize(self, position, **options)

    def strategy(self, seeds: "Sequence[holos.waves.Seed]", **options: Any) -> "holos.meta.Strategy":
        """Which few of many seeds cover most."""
        return holos.meta.choose(self, seeds, **options)


class Position:
    """A position of a variant. It never changes: playing a move makes another one."""

    __slots__ = ("variant", "_c")

    def __init__(self, variant: Variant, c: Any) -> None:
        self.variant = variant
        self._c = c

    def _bytes(self) -> bytes:
        return bytes(ffi.buffer(ffi.cast("char *", self._c), lib.holos_position_size(self.variant._c)))

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, Position) and self.variant.name == other.variant.name and
                self._bytes() == other._bytes())

    def __hash__(self) -> int:
        return hash(self._bytes())

    def __str__(self) -> str:
        text = written(lib.holos_format, self.variant._c, self._c)
        self.variant._settle()
        return text

    def __repr__(self) -> str:
        return f"<{self.variant.name} {str(self)!r}>"

    def __reduce__(self) -> Any:
        return _position_again, (self.variant.name, str(self))

    def draw(self) -> str:
        """A board of text, several lines."""
        text = written(lib.holos_draw, self.variant._c, self._c)
        self.variant._settle()
        return text

    def format(self, notation: str) -> str:
        """The position in another notation of its game: "grid", "sdk"."""
        game = lib.holos_variant_game(self.variant._c)
        index = lib.holos_notation_find(game, bytes_of(notation))
        if lib.holos_notation_name(game, index) == NULL:
            known = ", ".join(self.variant.game.notations) or "none but its own"
            raise Error("usage", f'unknown notation "{notation}"; {self.variant.game.name} has {known}')
        return written(lib.holos_format_as, self.variant._c, self._c, index)

    @property
    def side(self) -> int:
        """The side to move: 0 for the first player, 1 for the second."""
        side = int(lib.holos_side_to_move(self.variant._c, self._c))
        self.variant._settle()
        return side

    def terminal(self) -> Optional[Value]:
        """The value if the game is over, otherwise None."""
        out = ffi.new("holos_value *")
        over = lib.holos_terminal(self.variant._c, self._c, out)
        self.variant._settle()
        return values.value_of(out) if over else None

    @property
    def is_over(self) -> bool:
        return self.terminal() is not None

    def _legal(self) -> "Tuple[Any, int]":
        count = lib.holos_moves(self.variant._c, self._c, NULL, 0)
        out = ffi.new("holos_move[]", max(count, 1))
        lib.holos_moves(self.variant._c, self._c, out, count)
        self.variant._settle()
        return out, count

    def moves(self) -> List[str]:
        """The legal moves in the game's natural order."""
        out, count = self._legal()
        found = [written(lib.holos_format_legal, self.variant._c, self._c, out[i]) for i in range(count)]
        self.variant._settle()
        return found

    def _move(self, text: str) -> int:
        out = ffi.new("holos_move *")
        self.variant._checked(lib.holos_parse_move, self.variant._c, self._c, bytes_of(text), out)
        return int(out[0])

    def _text(self, move: int) -> str:
        return written(lib.holos_format_move, self.variant._c, self._c, move)

    def spell(self, move: str) -> str:
        """A move as other programs write it, such as "e2e4" in chess."""
        return written(lib.holos_spell_move, self.variant._c, self._c, self._move(move))

    def play(self, *moves: str) -> "Position":
        """The position after these moves."""
        here = self.variant._copied(self._c)
        for move in moves:
            number = here._move(move)
            self.variant._checked(lib.holos_play, self.variant._c, here._c, number, here._c)
        return here

    def line(self, moves: Sequence[str]) -> str:
        """A line of moves from here as people write it, with move numbers if the game uses them."""
        here, numbers = self, []
        for move in moves:
            numbers.append(here._move(move))
            here = here.play(move)
        c = ffi.new("holos_move[]", numbers or 1)
        return written(lib.holos_format_line, self.variant._c, self._c, c, len(numbers))

    @property
    def kind(self) -> str:
        """The kind of the position, in a game that has kinds: "KQvKR"."""
        out = ffi.new("holos_kind *")
        checked(lib.holos_kind_of, self.variant._c, self._c, out)
        return self.variant.kind_name(out[0])

    def picture(self, step: "Optional[holos.puzzles.Step]" = None) -> str:
        """An SVG document of the position, with a step drawn on it if there is one."""
        c = NULL if step is None else step._c
        svg = written(lib.holos_picture, self.variant._c, self._c, c)
        if not svg:
            raise Error("unsupported", f"{self.variant.game.name} has no pictures")
        return svg

    def scene(self) -> Dict[str, Any]:
        """What stands where, for a program that draws the board itself; docs/http.md lists the members."""
        import json
        text = written(lib.holos_scene, self.variant._c, self._c)
        if not text:
            raise Error("unsupported", f"{self.variant.game.name} has no scenes")
        return dict(json.loads(text))

    # -- short ways

    def solve(self, **options: Any) -> "holos.solving.Result":
        """The value of the position."""
        return self.variant.solve(self, **options)

    def _repr_svg_(self) -> Optional[str]:
        """What notebooks show."""
        return self.picture() if self.variant.game.has_pictures else None


def _position_again(variant: str, text: str) -> Position:
    return Variant(variant).position(text)


def open(game: "Union[str, holos.own.Game]") -> Variant:
    """Opens "GAME" or "GAME:VARIANT", or a game of your own (:class:`holos.Game`)."""
    return Variant(game) if isinstance(game, str) else holos.own.OwnVariant(game)


__all__ = ["DistanceWords", "GameInfo", "Position", "PositionLike", "Variant", "game", "games", "open"]
