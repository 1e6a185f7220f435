# SPDX-License-Identifier: MIT
"""Long work: builds, explorations, trainings, matches. Each is a job, which plans, runs, saves checkpoints and reports."""

from __future__ import annotations

import dataclasses
import json
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence

from holos import values
from holos._closing import Closing
from holos.cluster import Cluster
from holos._library import (INTERRUPTED, LIMIT, NULL, Error, Stop, Watch, bytes_of, check, ffi, lib, listed, maybe, opened,
                            text_of, word_of, written)
from holos.variants import Variant
from holos.options import Setting, settings_to
from holos.progress import Progress, progress_to
from holos.solving import Boundary, boundary_to
from holos.values import Limits

#: A report: what the program prints with --json, as a dictionary.
Report = Dict[str, Any]

STARTS = {"new": lib.HOLOS_JOB_NEW, "resume": lib.HOLOS_JOB_RESUME, "restart": lib.HOLOS_JOB_RESTART}
_LEVELS = {lib.HOLOS_LOG_ERROR: "error", lib.HOLOS_LOG_WARNING: "warning", lib.HOLOS_LOG_INFO: "info",
           lib.HOLOS_LOG_DEBUG: "debug"}


def report_of(c: Any) -> Report:
    """A report as a dictionary; empty for none."""
    return {} if c == NULL else dict(json.loads(written(lib.holos_report_json, c)))


def report_taken(place: Any) -> Report:
    """The report that a call left, which is closed."""
    try:
        return report_of(place[0])
    finally:
        lib.holos_report_close(place[0])


def start_number(start: str) -> int:
    if start not in STARTS:
        raise ValueError(f"unknown start {start!r}; choose from {', '.join(STARTS)}")
    return int(STARTS[start])


@dataclasses.dataclass(frozen=True)
class JobKind:
    """A kind of job."""

    name: str
    summary: str
    operands: str  #: what it takes: "SEED…", "KIND", or "" for nothing
    keeps: bool  #: it can have a store


def kinds(variant: Variant) -> List[JobKind]:
    """The kinds of jobs for a game, its own first."""
    return [values.filled(JobKind, c) for c in listed(lambda i: lib.holos_job_kind_at(variant._c, i))]


def takes(variant: Variant, kind: str, word: str) -> bool:
    """Whether a kind of job takes this word as an operand."""
    return bool(lib.holos_job_takes(variant._c, bytes_of(kind), bytes_of(word)))


@dataclasses.dataclass(frozen=True)
class Plan:
    """What a job needs, as far as that is known before it starts."""

    basis: str  #: how the positions are known: "exact", "estimate", "at-least"
    factor: float
    positions: int
    parts: int
    memory: int
    memory_least: int
    memory_limit: int
    memory_each: float
    fits: int
    beyond: Optional[str]
    disk: int
    seconds: float
    seconds_more: bool
    ranks: int  #: of a cluster: then ``memory`` is what each of them needs
    traffic: int  #: bytes that will travel between them, about
    what: str
    report: Report = dataclasses.field(repr=False)


class Job(Closing):
    """Long work, made with its options, then run once.

    Ctrl-C and exceptions in callbacks stop it; its work so far is saved, and ``start="resume"`` continues it. ``progress`` is called with
    a :class:`holos.Progress` from time to time, ``log`` with a level and a line.
    """

    def __init__(self, variant: Variant, kind: Optional[str] = None, *operands: str, store: Optional[str] = None,
                 start: str = "new", known: Optional[Boundary] = None, seconds: Optional[float] = None,
                 nodes: Optional[int] = None, memory: Optional[int] = None, stop: Optional[Stop] = None, threads: int = 0,
                 seed: int = 0, checkpoint_seconds: float = 0, command: Optional[str] = None,
                 settings: Optional[Mapping[str, Setting]] = None, child: Optional[Sequence[str]] = None,
                 cluster: Optional[Cluster] = None, ranks: int = 0, machines: int = 0, histogram: bool = False, progress: Optional[Callable[[Progress], None]] = None,
                 progress_seconds: float = 0.5, log: Optional[Callable[[str, str], None]] = None) -> None:
        self.variant = variant
        self._watch = Watch(stop)
        keep = self._keep = []  # type: List[Any]
        c = ffi.new("holos_job_options *")
        c.kind, c.store, c.command = maybe(kind, keep), maybe(store, keep), maybe(command, keep)
        c.start = start_number(start)
        words = ffi.new("const char *[]", [maybe(word, keep) for word in operands] or 1)
        keep.append(words)
        c.operands, c.operand_count = words, len(operands)
        c.boundary = boundary_to(known, variant, self._watch, keep)
        values.limits_to(Limits(seconds, nodes, memory), c.limits, self._watch.c)
        c.threads, c.seed, c.checkpoint_seconds, c.histogram = threads, seed, checkpoint_seconds, histogram
        c.settings = settings_to(settings, keep)
        if child is not None:
            keep.append(ffi.new("const char *[]", [maybe(word, keep) for word in child] + [NULL]))
            c.child = keep[-1]
        c.cluster, c.ranks, c.machines = (NULL if cluster is None else cluster._c), ranks, machines
        keep.append(cluster)
        progress_to(progress, progress_seconds, c, self._watch, keep)
        if log is not None:
            tell = log
            keep.append(ffi.callback("void(void *, holos_log_level, const char *)",
                                     self._watch.guard(lambda _, level, line: tell(_LEVELS[level], word_of(line)))))
            c.log = keep[-1]
        self._c = opened("holos_job", lib.holos_job_close, lib.holos_job_open, variant._c, c)

    @property
    def name(self) -> str:
        """The name of its kind."""
        return word_of(lib.holos_job_name(self._open))

    def plan(self) -> Optional[Plan]:
        """What the job will need; None if nobody knows. That may take a second. Writes nothing."""
        c, err = ffi.new("holos_plan *"), ffi.new("holos_error *")
        check(self._watch.run(lib.holos_job_plan, self._open, c, err), err)
        if not c.known:
            return None
        special: Dict[str, Any] = {"basis": word_of(lib.holos_plan_basis_name(c.basis)), "beyond": text_of(c.beyond),
                   "what": word_of(c.what), "report": report_of(c.report)}
        plain = {f.name: getattr(c, f.name) for f in dataclasses.fields(Plan) if f.name not in special}
        return Plan(**plain, **special)

    def run(self) -> Report:
        """Runs the job, and gives its report. A limit is no error: ``report["status"]`` says why it stopped."""
        err = ffi.new("holos_error *")
        status = self._watch.run(lib.holos_job_run, self._open, err)
        self.variant._settle()
        check(status, err, LIMIT, INTERRUPTED)
        if status == INTERRUPTED and not self.report:
            raise Error("interrupted", word_of(err.message))
        return self.report

    @property
    def report(self) -> Report:
        """What the run found and why it stopped; empty before the run."""
        return report_of(lib.holos_job_report(self._open))

    def batch(self, request: str) -> None:
        """For a process that was started to do one batch of a job that another process runs (``child``)."""
        err = ffi.new("holos_error *")
        check(self._watch.run(lib.holos_job_batch, self._open, bytes_of(request), err), err)


def inspect(place: str) -> Report:
    """What the jobs at a place are doing, or where they stopped. It is a store, or a folder that contains stores."""
    out, err = ffi.new("holos_report **"), ffi.new("holos_error *")
    check(lib.holos_job_inspect(bytes_of(place), out, err), err)
    return report_taken(out)


__all__ = ["Job", "JobKind", "Plan", "Report", "inspect", "kinds", "takes"]
