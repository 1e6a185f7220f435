# SPDX-License-Identifier: MIT
"""Experiments: each tests a claim about a game and reports the results as tables."""

from __future__ import annotations

import dataclasses
from typing import Any, Callable, List, Mapping, Optional

from holos import values
from holos._library import INTERRUPTED, LIMIT, NULL, Error, Stop, Watch, bytes_of, check, ffi, lib, listed, maybe, word_of
from holos.options import Setting, settings_to
from holos.progress import Progress, progress_to
from holos.values import Limits


@dataclasses.dataclass(frozen=True)
class ExperimentResult:
    """The findings, and how many things were compared and differ."""

    text: str
    compared: int
    mismatches: int


@dataclasses.dataclass(frozen=True)
class Experiment:
    """An experiment that the library has."""

    name: str
    summary: str
    takes_games: bool  #: it runs on any game, so that ``game`` may name one

    def run(self, *, folder: Optional[str] = None, quick: bool = False, json: bool = False, seed: int = 0,
            game: Optional[str] = None, position: Optional[str] = None, tables: Optional[str] = None,
            command: Optional[str] = None, seconds: Optional[float] = None, stop: Optional[Stop] = None,
            settings: Optional[Mapping[str, Setting]] = None,
            progress: Optional[Callable[[Progress], None]] = None) -> ExperimentResult:
        """Runs it. With a folder, it leaves its tables there as CSV."""
        watch, keep = Watch(stop), []  # type: ignore[var-annotated]
        c = ffi.new("holos_experiment_options *", {"quick": quick, "json": json, "seed": seed})
        c.settings, c.folder, c.command = settings_to(settings, keep), maybe(folder, keep), maybe(command, keep)
        c.game, c.position, c.tables = maybe(game, keep), maybe(position, keep), maybe(tables, keep)
        values.limits_to(Limits(seconds), c.limits, watch.c)
        progress_to(progress, None, c, watch, keep)
        out, err = ffi.new("holos_experiment_result *"), ffi.new("holos_error *")
        try:
            status = watch.run(lib.holos_experiment_run, _found(self.name), c, out, err)
            check(status, err, LIMIT, INTERRUPTED)
            return ExperimentResult(word_of(out.text), out.compared, out.mismatches)
        finally:
            lib.holos_experiment_result_free(out)


def _found(name: str) -> Any:
    return lib.holos_experiment_find(bytes_of(name))


def _experiment(c: Any) -> Experiment:
    return Experiment(word_of(lib.holos_experiment_name(c)), word_of(lib.holos_experiment_summary(c)),
                      bool(lib.holos_experiment_takes_games(c)))


def experiments() -> List[Experiment]:
    """The experiments that there are."""
    return [_experiment(c) for c in listed(lib.holos_experiment_at)]


def experiment(name: str) -> Experiment:
    """An experiment by its name."""
    c = _found(name)
    if c == NULL:
        raise Error("usage", f'unknown experiment "{name}"; choose from {", ".join(e.name for e in experiments())}')
    return _experiment(c)


__all__ = ["Experiment", "ExperimentResult", "experiment", "experiments"]
