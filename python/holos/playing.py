# SPDX-License-Identifier: MIT
"""Players, contestants of matches, and what a score says."""

from __future__ import annotations

import dataclasses
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

from holos import values
from holos._closing import Closing
from holos._library import Stop, Watch, bytes_of, check, checked, ffi, lib, maybe, opened
from holos.progress import gauges_to
from holos.variants import Position, PositionLike, Variant
from holos.options import Setting, settings_to
from holos.solving import Boundary, Result, boundary_to, result_of
from holos.values import Guess, Limits, Value

_GROUNDS = {lib.HOLOS_GROUNDS_BEST: "best", lib.HOLOS_GROUNDS_OUTCOME: "outcome", lib.HOLOS_GROUNDS_GUESS: "guess"}


@dataclasses.dataclass(frozen=True)
class Choice:
    """A move that a player chose, and why."""

    move: str
    grounds: str  #: "best": no move is better; "outcome": it keeps the win or the draw; "guess": nothing is proved
    value: Value  #: what is proved about the position
    guess: Optional[Guess]  #: who will win, if the engine guesses that
    expectation: Optional[float]  #: the same as a number from -1 to 1; None without a guess
    seconds: float


class Player(Closing):
    """Always finds a move in time: the best one if it can prove it, otherwise one that keeps the win or the draw, otherwise a
    guess. It says which."""

    def __init__(self, variant: Variant, *, engine: Optional[str] = None, seconds: Optional[float] = None,
                 nodes: Optional[int] = None, memory: Optional[int] = None, stop: Optional[Stop] = None,
                 known: Optional[Boundary] = None, seed: int = 0, slips: float = 0.0,
                 settings: Optional[Mapping[str, Setting]] = None,
                 gauges: Optional[Callable[[Dict[str, float]], None]] = None) -> None:
        self.variant = variant
        self._watch = Watch(stop)
        self._keep: "list[Any]" = []
        c = ffi.new("holos_player_options *")
        c.engine = maybe(engine, self._keep)
        values.limits_to(Limits(seconds, nodes, memory), c.limits, self._watch.c)
        c.boundary = boundary_to(known, variant, self._watch, self._keep)
        c.seed, c.slips = seed, slips
        c.settings = settings_to(settings, self._keep)
        gauges_to(gauges, c, self._watch, self._keep)
        self._c = opened("holos_player", lib.holos_player_close, lib.holos_player_open, variant._c, c)
        variant._settle()

    def choose(self, position: PositionLike) -> Choice:
        """Chooses a move. The game must not be over."""
        p = self.variant.position(position)
        c, err = ffi.new("holos_choice *"), ffi.new("holos_error *")
        status = self._watch.run(lib.holos_player_choose, self._open, p._c, c, err)
        self.variant._settle()
        check(status, err)
        guess = values.guess_of(c.guess)
        return Choice(p._text(c.move), _GROUNDS[c.grounds], values.value_of(c.value), guess,
                      c.expectation if guess is not None else None, c.seconds)

    def _judged(self, function: Any, position: PositionLike, moves: bool) -> Result:
        p = self.variant.position(position)
        c, err = ffi.new("holos_result *"), ffi.new("holos_error *")
        status = self._watch.run(function, self._open, p._c, c, err)
        self.variant._settle()
        check(status, err)
        solved = c.value.lo == c.value.hi
        return result_of(self.variant, p, c, 0 if solved else lib.HOLOS_LIMIT, moves)

    def judge(self, position: PositionLike) -> Result:
        """What is known about a position and every move, within the limits."""
        return self._judged(lib.holos_player_judge, position, True)

    def solve(self, position: PositionLike) -> Result:
        """The same without the value of every move; faster."""
        return self._judged(lib.holos_player_solve, position, False)


@dataclasses.dataclass(frozen=True)
class Thought:
    """What looks best so far: a guess, except where the score says that the game is decided."""

    depth: int
    deepest: int
    score: int  #: for the side to move, in hundredths of what players count in
    line: List[str]
    nodes: int
    known: int
    seconds: float


class Thinker(Closing):
    """Looks ahead in a game of two, deeper and deeper, as chess programs do."""

    def __init__(self, variant: Variant, *, memory: Optional[int] = None, threads: int = 1,
                 known: Optional[Boundary] = None, stop: Optional[Stop] = None) -> None:
        self.variant = variant
        self._watch = Watch(stop)
        self._keep: "list[Any]" = []
        c = ffi.new("holos_thinker_options *", {"memory": memory or 0, "threads": threads})
        c.boundary = boundary_to(known, variant, self._watch, self._keep)
        self._c = opened("holos_thinker", lib.holos_thinker_close, lib.holos_thinker_open, variant._c, c)

    def _thought(self, p: Position, c: Any) -> Thought:
        return Thought(c.depth, c.deepest, c.score, self.variant._line(p, c.line, c.line_length), c.nodes, c.known, c.seconds)

    def think(self, position: PositionLike, *, seconds: Optional[float] = None, nodes: Optional[int] = None, depth: int = 0,
              enough: float = 0, whole: bool = False, only: Sequence[str] = (), played: Sequence[PositionLike] = (),
              report: Optional[Callable[[Thought], None]] = None) -> Thought:
        """Thinks until a limit is reached. ``only`` are moves to choose from, ``played`` the positions of the game so far."""
        p, err, out = self.variant.position(position), ffi.new("holos_error *"), ffi.new("holos_thought *")
        c = ffi.new("holos_think_options *", {"depth": depth, "enough": enough, "whole": whole})
        values.limits_to(Limits(seconds, nodes), c.limits, self._watch.c)
        moves = ffi.new("holos_move[]", [p._move(move) for move in only] or 1)
        c.only, c.only_count = (moves if only else ffi.NULL), len(only)
        room = self.variant._room(len(played) + 1)
        for i, before in enumerate(played):
            ffi.memmove(self.variant._in(room, i), self.variant.position(before)._c, lib.holos_position_size(self.variant._c))
        c.played, c.played_count = room, len(played)
        keep = None
        if report is not None:
            tell = report
            keep = ffi.callback("void(void *, const holos_thought *)",
                                self._watch.guard(lambda _, thought: tell(self._thought(p, thought))))
            c.report = keep
        status = self._watch.run(lib.holos_thinker_think, self._open, p._c, c, out, err)
        self.variant._settle()
        check(status, err, lib.HOLOS_LIMIT, lib.HOLOS_INTERRUPTED)
        return self._thought(p, out)

    def forget(self) -> None:
        """Forgets all positions."""
        lib.holos_thinker_forget(self._open)


class Contestant(Closing):
    """Plays whole games: it is told every move, and chooses its own."""

    def __init__(self, variant: Variant, name: str, stop: Optional[Stop] = None) -> None:
        self.variant = variant
        self.name = name
        self._watch = Watch(stop)
        self._here = variant.start()
        self._c = opened("holos_contestant", lib.holos_contestant_close, self._watch.run, lib.holos_contestant_open, variant._c,
                         bytes_of(name), self._watch.c)
        variant._settle()

    def begin(self, seed: int = 0) -> None:
        """A game begins, from the start."""
        checked(lib.holos_contestant_begin, self._open, seed)
        self._here = self.variant.start()

    def choose(self) -> str:
        """Chooses a move for the side to move, which is then to be played."""
        move, err = ffi.new("holos_move *"), ffi.new("holos_error *")
        status = self._watch.run(lib.holos_contestant_choose, self._open, move, err)
        self.variant._settle()
        check(status, err)
        return self._here._text(move[0])

    def play(self, move: str) -> None:
        """A move is played, by whichever side."""
        err = ffi.new("holos_error *")
        check(self._watch.run(lib.holos_contestant_play, self._open, self._here._move(move), err), err)
        self._here = self._here.play(move)


@dataclasses.dataclass(frozen=True)
class Elo:
    """How much stronger one is than another, and between which bounds that lies with 95 % confidence."""

    elo: float
    low: float
    high: float
    superiority: float  #: the probability that it is the stronger one


@dataclasses.dataclass
class Score:
    """What the first of two contestants reached. Games come in pairs with the same opening, once with each colour."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: Tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)  #: pairs in which it got 0, ½, 1, 1½, 2 points

    def _c(self) -> Any:
        return ffi.new("holos_score *", {"wins": self.wins, "draws": self.draws, "losses": self.losses,
                                         "pairs": list(self.pairs)})

    def elo(self) -> Elo:
        """How much stronger the first one is, with bounds."""
        return values.filled(Elo, lib.holos_score_elo(self._c()))

    def likelihood(self, elo0: float, elo1: float) -> float:
        """The logarithm of how much more likely the score is if it is elo1 stronger than if it is elo0 stronger."""
        return float(lib.holos_score_likelihood(self._c(), elo0, elo1))


def play_game(first: Contestant, second: Contestant, *, seed: int = 0, opening: Sequence[str] = ()) -> Tuple[List[str], int]:
    """One game between two contestants of the same variant: its moves, and its score for the first one."""
    here, moves = first.variant.start(), list(opening)
    for contestant in (first, second):
        contestant.begin(seed)
        for move in opening:
            contestant.play(move)
    here = here.play(*opening)
    over = here.terminal()
    while over is None:
        move = (first if here.side == 0 else second).choose()
        first.play(move)
        second.play(move)
        here = here.play(move)
        moves.append(move)
        over = here.terminal()
    return moves, over.score if here.side == 0 else -over.score


__all__ = ["Choice", "Contestant", "Elo", "Player", "Score", "Thinker", "Thought", "play_game"]
