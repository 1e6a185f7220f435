# SPDX-License-Identifier: MIT
"""holos: exact values of positions in games and puzzles.

    >>> import holos
    >>> v = holos.open("connect4:5x4")
    >>> r = v.solve("33", moves=True)
    >>> r.value.score, r.outcome, r.best
    (0, 'draw', ['3'])

A value says what is proved: the score lies in [lo, hi], seen from the side to move. A guess has a field of its own.
"""

from __future__ import annotations

from typing import Any

from holos._library import Error, Stop, lib, word_of
from holos.values import Guess, Limits, Value, is_proof
from holos.progress import Progress
from holos.options import Option, OptionGroup, Settings, option_groups
from holos.variants import DistanceWords, GameInfo, Position, Variant, game, games, open
from holos.knowing import Knowledge, data_folder, hologram_path
from holos.solving import Engine, MoveValue, Result, Solver, Surroundings, Work, engines, surroundings
from holos.playing import Choice, Contestant, Elo, Player, Score, Thinker, Thought, play_game
from holos.puzzles import (Booklet, Candidate, Generator, Logic, Puzzle, Rating, Step, Technique, TechniqueWork, level_number,
                           levels)
from holos.waves import (Checked, Frontier, Hologram, HologramSummary, Layer, ModeSuccess, Round, Seed, Wave, WaveStatistics,
                         merge_holograms)
from holos.cluster import Cluster
from holos.jobs import Job, JobKind, Plan, Report, inspect
from holos import cluster, jobs, knowing, lab, meta, options, own, playing, puzzles, solving, stores, waves
from holos.stores import StoreFacts, StoreType, store_types
from holos.own import Game, check_game
from holos.meta import Measure, Strategy, StrategyStep, Tactic
from holos.lab import Experiment, ExperimentResult, experiment, experiments

__version__: str = word_of(lib.holos_version())


def solve(game: str, position: str = "start", **options: Any) -> Result:
    """The value of one position: ``holos.solve("connect4", "4453", moves=True)``."""
    return open(game).solve(position, **options)


__all__ = [
    "Booklet", "Candidate", "Checked", "Choice", "Cluster", "Contestant", "DistanceWords", "Elo", "Engine", "Error", "Experiment",
    "ExperimentResult", "Frontier", "Game", "GameInfo", "Generator", "Guess", "Hologram", "HologramSummary", "Job",
    "JobKind", "Knowledge", "Layer", "Limits", "Logic", "Measure", "ModeSuccess", "MoveValue", "Option", "OptionGroup",
    "Plan", "Player", "Position", "Progress", "Puzzle", "Rating", "Report", "Result", "Round", "Score", "Seed", "Settings",
    "Solver", "Step", "Stop", "StoreFacts", "StoreType", "Strategy", "StrategyStep", "Surroundings", "Tactic", "Technique",
    "TechniqueWork", "Thinker", "Thought", "Value", "Variant", "Wave", "WaveStatistics", "Work", "check_game", "cluster",
    "data_folder", "engines",
    "experiment", "experiments", "game", "games", "hologram_path", "inspect", "is_proof", "jobs", "knowing", "lab",
    "level_number", "levels", "merge_holograms", "meta", "open", "option_groups", "options", "own", "play_game",
    "playing", "puzzles", "solve", "solving", "store_types", "stores", "surroundings", "waves",
]
