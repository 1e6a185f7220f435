# SPDX-License-Identifier: MIT
"""Games written in Python, solved and played by the engines that work for any game."""

from __future__ import annotations

import random
from typing import Any, Dict, Hashable, Iterable, List, Optional, Sequence, Tuple

from holos._library import OK, Error, bytes_of, ffi, lib, opened
from holos.variants import Position, PositionLike, Variant

_SIZE = 16  # of a position as the library sees it: a number, which stands for an object here


class Game:
    """A game of your own: a class with a few methods.

    A position is any hashable object (a tuple, a number, a string) that says everything the rest of the game depends on, and a
    move is another. ``start``, ``moves``, ``play``, ``terminal`` and ``side`` are enough (one player needs no ``side``).
    ``holos.open(MyGame())`` opens it, and everything that works for a :class:`holos.Variant` works then, except what is kept in
    files.

    Scores are seen from the side to move. An exception in a method ends the work and is raised again; the variant is of no more
    use then, because what was found meanwhile may be wrong. Python runs one thread at a time, so more threads do not help here.
    """

    name: str = "game"  #: lower case letters and digits
    variant: Optional[str] = None  #: what follows the colon
    title: str = ""
    summary: str = ""
    score_min: int = -1
    score_max: int = 1
    solitaire: bool = False  #: one player
    cyclic: bool = False  #: positions can repeat
    same_side: bool = False  #: a side may move again
    most_moves: int = 256  #: no position has more moves
    most_unmoves: int = 0  #: no more moves lead to a position; 0: there is no way back

    def start(self) -> Hashable:
        """The position in which the game begins."""
        raise NotImplementedError

    def moves(self, position: Any) -> Iterable[Hashable]:
        """The legal moves, at least one, of a position in which the game is not over."""
        raise NotImplementedError

    def play(self, position: Any, move: Any) -> Hashable:
        """The position after a move."""
        raise NotImplementedError

    def terminal(self, position: Any) -> Optional[int]:
        """The score for the side to move if the game is over; otherwise None."""
        raise NotImplementedError

    def side(self, position: Any) -> int:
        """Who is to move: 0 or 1."""
        if self.solitaire:
            return 0
        raise NotImplementedError

    def canonical(self, position: Any) -> Hashable:
        """A position with the same future, the same one for all that are symmetric."""
        return position  # type: ignore[no-any-return]

    def unmoves(self, position: Any) -> Iterable[Hashable]:
        """All positions with a move to this one (with ``most_unmoves``): for waves that run back, and retrograde analysis."""
        raise NotImplementedError

    def order(self, position: Any, move: Any) -> int:
        """How good a move looks: better ones are tried first."""
        return 0

    def forcing(self, position: Any, move: Any) -> bool:
        """Whether lightning follows a move: a threat, a capture."""
        return False

    def parse(self, text: str) -> Hashable:
        """Reads a position; ValueError with the reason if it is none."""
        raise ValueError(f"{self.name} reads no positions but \"start\"")

    def format(self, position: Any) -> str:
        """A position as text, which :meth:`parse` reads."""
        return str(position)

    def format_move(self, position: Any, move: Any) -> str:
        """A move as text, different for different moves of a position."""
        return str(move)

    def draw(self, position: Any) -> str:
        """A board of text, several lines."""
        return self.format(position)

    def tier_sizes(self) -> Sequence[int]:
        """For retrograde analysis: how many positions each tier has, the lowest first. A move never leads to a higher tier."""
        return ()

    def rank(self, position: Any) -> Tuple[int, int]:
        """The tier of a position, and its index in that."""
        raise NotImplementedError

    def unrank(self, tier: int, index: int) -> Hashable:
        """The position with this tier and index."""
        raise NotImplementedError


class OwnVariant(Variant):
    """A game in Python, opened. The library sees numbers: each object that is a position or a move has one."""

    def __init__(self, game: Game) -> None:
        self.own = game
        self._positions: List[Hashable] = []
        self._numbers: Dict[Hashable, int] = {}
        self._moves: List[Hashable] = []
        self._move_numbers: Dict[Hashable, int] = {}
        self._raised: Optional[BaseException] = None
        self._failure: Optional[str] = None
        self._keep: List[Any] = []
        self._c = opened("holos_variant", lib.holos_close, lib.holos_custom_open, self._described())

    def _settle(self) -> None:
        if self._raised is not None:
            problem, self._raised = self._raised, None
            self._failure = f"{type(problem).__name__}: {problem}"
            raise problem
        err = ffi.new("holos_error *")
        status = lib.holos_custom_failure(self._c, err)
        if status != OK:
            message = ffi.string(err.message).decode("utf-8", "replace")
            if self._failure is not None:
                message = f"{self.own.name} failed before ({self._failure}); open it again"
            raise Error(ffi.string(lib.holos_status_name(status)).decode(), message)

    # -- objects and numbers

    def _number(self, position: Hashable) -> int:
        number = self._numbers.get(position)
        if number is None:
            number = self._numbers[position] = len(self._positions)
            self._positions.append(position)
        return number

    def _move_number(self, move: Hashable) -> int:
        number = self._move_numbers.get(move)
        if number is None:
            number = self._move_numbers[move] = len(self._moves)
            self._moves.append(move)
        return number

    def _at(self, c: Any) -> Any:
        return self._positions[ffi.cast("uint64_t *", c)[0]]

    def _put(self, position: Hashable, c: Any, index: int = 0) -> None:
        ffi.cast("uint64_t *", c)[2 * index] = self._number(position)

    def object(self, position: PositionLike) -> Any:
        """The game's own object for a position."""
        return self._at(self.position(position)._c)

    def position(self, text: Any) -> Position:
        """Reads a position, or takes one of the game's own objects (a text is always read)."""
        if isinstance(text, (str, Position)):
            return super().position(text)
        c = self._new()
        self._put(text, c)
        return Position(self, c)

    # -- what the library calls

    def _callback(self, signature: str, function: Any) -> Any:
        def call(*arguments: Any) -> int:
            try:
                function(*arguments)
                return OK
            except BaseException as problem:  # it goes on when the work has ended
                if self._raised is None:
                    self._raised = problem
                return int(lib.HOLOS_UNSUPPORTED)
        made = ffi.callback(f"holos_status({signature}, holos_error *)", call)
        self._keep.append(made)
        return made

    def _say(self, text: str, out: Any, size: int) -> None:
        data = bytes_of(text)
        if len(data) >= size:
            raise ValueError(f"{text[:40]!r}… is too long: {len(data)} bytes, and {size - 1} is the most")
        ffi.memmove(out, data + b"\0", len(data) + 1)

    def _list_moves(self, _: Any, position: Any, out: Any, positions: Any, count: Any, __: Any) -> None:
        game, here = self.own, self._at(position)
        side, index = game.side(here), 0
        for move in game.moves(here):
            if index == game.most_moves:
                raise ValueError(f"a position has more than {index} moves: {game.format(here)}; set most_moves")
            after = game.play(here, move)
            out[index].move = self._move_number(move)
            out[index].same_side = game.side(after) == side
            out[index].order = max(-32768, min(32767, game.order(here, move)))
            out[index].forcing = game.forcing(here, move)
            self._put(after, positions, index)
            index += 1
        count[0] = index

    def _list_unmoves(self, _: Any, position: Any, positions: Any, count: Any, __: Any) -> None:
        here, index = self._at(position), 0
        for before in dict.fromkeys(self.own.unmoves(here)):
            if index == self.own.most_unmoves:
                raise ValueError(f"more than {index} positions lead to {self.own.format(here)}; set most_unmoves")
            self._put(before, positions, index)
            index += 1
        count[0] = index

    def _terminal(self, _: Any, position: Any, over: Any, score: Any, __: Any) -> None:
        found = self.own.terminal(self._at(position))
        over[0] = found is not None
        score[0] = int(found) if found is not None else 0

    def _side(self, _: Any, position: Any, side: Any, __: Any) -> None:
        side[0] = self.own.side(self._at(position))

    def _rank(self, _: Any, position: Any, tier: Any, index: Any, __: Any) -> None:
        tier[0], index[0] = self.own.rank(self._at(position))

    def _read(self, _: Any, text: Any, out: Any, err: Any) -> int:
        """Reading may fail without harm."""
        try:
            self._put(self.own.parse(ffi.string(text).decode("utf-8", "replace")), out)
            return OK
        except ValueError as problem:
            message = str(problem).encode("utf-8")[:255] or b"this is not a position"
            ffi.memmove(err.message, message + b"\0", len(message) + 1)
            err.at = lib.HOLOS_NOWHERE
            return int(lib.HOLOS_BAD_POSITION)
        except BaseException as problem:
            self._raised = self._raised or problem
            return int(lib.HOLOS_UNSUPPORTED)

    def _words(self, c: Any) -> None:
        for name in ("name", "variant", "title", "summary"):
            text = getattr(self.own, name)
            if text:
                self._keep.append(ffi.new("char[]", bytes_of(text)))
                setattr(c, name, self._keep[-1])

    def _numbered(self, c: Any) -> None:
        sizes = list(self.own.tier_sizes())
        if sizes:
            self._keep.append(ffi.new("uint64_t[]", sizes))
            c.tiers, c.tier_sizes = len(sizes), self._keep[-1]
            c.rank = self._callback("void *, const void *, uint32_t *, uint64_t *", self._rank)
            c.unrank = self._callback("void *, uint32_t, uint64_t, void *",
                                      lambda _, tier, index, out, __: self._put(self.own.unrank(tier, index), out))

    def _described(self) -> Any:
        game, own = self.own, type(self.own)
        c = ffi.new("holos_custom *")
        self._words(c)
        c.traits = ((lib.HOLOS_TRAIT_SOLITAIRE if game.solitaire else 0) | (lib.HOLOS_TRAIT_CYCLIC if game.cyclic else 0) |
                    (lib.HOLOS_TRAIT_SAME_SIDE if game.same_side else 0))
        c.position_size, c.most_moves, c.most_unmoves = _SIZE, game.most_moves, game.most_unmoves
        c.score_min, c.score_max = game.score_min, game.score_max
        c.start = self._callback("void *, void *", lambda _, out, __: self._put(game.start(), out))
        c.moves = self._callback("void *, const void *, holos_custom_move *, void *, uint32_t *", self._list_moves)
        c.terminal = self._callback("void *, const void *, bool *, int32_t *", self._terminal)
        c.side = self._callback("void *, const void *, unsigned *", self._side)
        if own.canonical is not Game.canonical:
            c.canonical = self._callback("void *, const void *, void *",
                                         lambda _, p, out, __: self._put(game.canonical(self._at(p)), out))
        if game.most_unmoves > 0:
            c.unmoves = self._callback("void *, const void *, void *, uint32_t *", self._list_unmoves)
        self._keep.append(ffi.callback("holos_status(void *, const char *, void *, holos_error *)", self._read))
        c.parse = self._keep[-1]
        c.format = self._callback("void *, const void *, char *, size_t",
                                  lambda _, p, out, size, __: self._say(game.format(self._at(p)), out, size))
        c.format_move = self._callback(
            "void *, const void *, holos_move, char *, size_t",
            lambda _, p, move, out, size, __: self._say(game.format_move(self._at(p), self._moves[move]), out, size))
        c.draw = self._callback("void *, const void *, char *, size_t",
                                lambda _, p, out, size, __: self._say(game.draw(self._at(p)), out, size))
        self._numbered(c)
        return c


def check_game(game: Game, games: int = 20, plies: int = 200, seed: int = 0) -> int:
    """Plays at random and checks that the methods of a game agree with each other: every position can be written and read, moves
    have different texts, symmetric positions end alike, unmoves undo moves, ranks and indices fit. ValueError says what does
    not; the result is how many positions were looked at."""
    chance, looked = random.Random(seed), 0
    for _ in range(games):
        here = game.start()
        for _ in range(plies):
            looked += 1
            _check_position(game, here)
            if game.terminal(here) is not None:
                break
            moves = list(game.moves(here))
            texts = [game.format_move(here, move) for move in moves]
            _agree(len(moves) > 0, "no moves, but the game is not over", game, here)
            _agree(len(set(texts)) == len(texts), "two moves have the same text", game, here)
            after = [game.play(here, move) for move in moves]
            if game.most_unmoves > 0:
                _agree(all(here in game.unmoves(p) for p in after), "unmoves do not undo every move", game, here)
            if game.tier_sizes():
                _agree(all(game.rank(p)[0] <= game.rank(here)[0] for p in after), "a move leads to a higher tier", game, here)
            here = chance.choice(after)
    return looked


def _check_position(game: Game, here: Any) -> None:
    _agree(game.side(here) in (0, 1), "the side to move is 0 or 1", game, here)
    if type(game).parse is not Game.parse:
        _agree(game.parse(game.format(here)) == here, "it is not read as it is written", game, here)
    image = game.canonical(here)
    _agree(game.canonical(image) == image, "canonical has no end", game, here)
    _agree(game.terminal(image) == game.terminal(here), "a symmetric position ends otherwise", game, here)
    if game.tier_sizes():
        tier, index = game.rank(here)
        _agree(0 <= index < game.tier_sizes()[tier], "its index lies outside of its tier", game, here)


def _agree(fine: bool, reason: str, game: Game, here: Any) -> None:
    if not fine:
        raise ValueError(f"{game.name}, {game.format(here)}: {reason}")


__all__ = ["Game", "OwnVariant", "check_game"]
