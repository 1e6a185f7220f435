# SPDX-License-Identifier: MIT
"""Stores: describes, checks, copies and merges databases, graphs, books, holograms and folders of tables."""

from __future__ import annotations

import dataclasses
from typing import Any, Callable, List, Optional, Sequence

from holos import values
from holos._library import NULL, Stop, Watch, bytes_of, check, checked, ffi, lib, maybe
from holos.jobs import Report, report_taken, start_number
from holos.progress import Progress, progress_to


@dataclasses.dataclass(frozen=True)
class StoreType:
    """A type of store: what can stand before the colon of a URL."""

    scheme: str
    form: str
    databases: bool
    graphs: bool
    books: bool
    remote: bool
    shared: bool
    sql: bool
    available: bool
    library: str


def store_types() -> List[StoreType]:
    """The types of stores, the native one first."""
    found: List[StoreType] = []
    out = ffi.new("holos_store_type *")
    while lib.holos_store_type_at(len(found), out):
        found.append(values.filled(StoreType, out))
    return found


@dataclasses.dataclass(frozen=True)
class StoreFacts:
    """Facts about a store."""

    kind: str
    game: str
    family: str
    complete: bool
    positions: int
    bytes: int
    top: int
    parts: int
    parts_expected: int
    digest: str
    writer: str


def look(url: str) -> StoreFacts:
    """Describes a store."""
    out = ffi.new("holos_store_facts *")
    checked(lib.holos_store_look, bytes_of(url), out)
    return values.filled(StoreFacts, out)


def info(url: str) -> Report:
    """The same as a document, with more."""
    out, err = ffi.new("holos_report **"), ffi.new("holos_error *")
    check(lib.holos_store_info(bytes_of(url), out, err), err)
    return report_taken(out)


def sql(url: str, question: str) -> Report:
    """Answers a question in SQL about a Parquet store."""
    out, err = ffi.new("holos_report **"), ffi.new("holos_error *")
    check(Watch().run(lib.holos_store_sql, bytes_of(url), bytes_of(question), out, err), err)
    return report_taken(out)


class _Call:
    """The options of one of the calls below, and the call."""

    def __init__(self, start: str = "new", stop: Optional[Stop] = None, progress: Optional[Callable[[Progress], None]] = None,
                 progress_seconds: float = 0.5, threads: int = 0, memory: Optional[int] = None, command: Optional[str] = None,
                 samples: int = 0, all: bool = False, seed: int = 0) -> None:
        self._watch, self._keep = Watch(stop), []  # type: ignore[var-annotated]
        c = self._c = ffi.new("holos_store_options *")
        c.start, c.samples, c.all, c.seed, c.threads = start_number(start), samples, all, seed, threads
        c.memory, c.stop, c.command = memory or 0, self._watch.c, maybe(command, self._keep)
        progress_to(progress, progress_seconds, c, self._watch, self._keep)

    def report(self, function: Any, *arguments: Any) -> Report:
        out, err = ffi.new("holos_report **"), ffi.new("holos_error *")
        try:
            status = self._watch.run(function, *arguments, self._c, out, err)
            check(status, err)
        except BaseException:
            lib.holos_report_close(out[0])
            raise
        return report_taken(out)


def verify(url: str, *, samples: int = 0, all: bool = False, seed: int = 0, threads: int = 0, memory: Optional[int] = None,
           stop: Optional[Stop] = None, progress: Optional[Callable[[Progress], None]] = None,
           progress_seconds: float = 0.5) -> Report:
    """Reads everything, compares every checksum, and derives values again. Raises ("bad-file") if the store is not sound."""
    call = _Call(samples=samples, all=all, seed=seed, threads=threads, memory=memory, stop=stop, progress=progress,
                 progress_seconds=progress_seconds)
    return call.report(lib.holos_store_verify, bytes_of(url))


def copy(source: str, target: str, *, start: str = "new", threads: int = 0, memory: Optional[int] = None,
         stop: Optional[Stop] = None, command: Optional[str] = None, progress: Optional[Callable[[Progress], None]] = None,
         progress_seconds: float = 0.5) -> Report:
    """Copies a store into another one, of the same type or another. The report is about the new one."""
    call = _Call(start=start, threads=threads, memory=memory, stop=stop, command=command, progress=progress,
                 progress_seconds=progress_seconds)
    return call.report(lib.holos_store_copy, bytes_of(source), bytes_of(target))


def merge(sources: Sequence[str], into: str, *, start: str = "new", threads: int = 0, memory: Optional[int] = None,
          stop: Optional[Stop] = None, command: Optional[str] = None, progress: Optional[Callable[[Progress], None]] = None,
          progress_seconds: float = 0.5) -> Report:
    """Combines several stores into one: holograms of one game, or databases of one family."""
    call = _Call(start=start, threads=threads, memory=memory, stop=stop, command=command, progress=progress,
                 progress_seconds=progress_seconds)
    keep: "list[Any]" = []
    urls = ffi.new("const char *[]", [maybe(url, keep) for url in sources] or 1)
    return call.report(lib.holos_store_merge, urls if sources else NULL, len(sources), bytes_of(into))


__all__ = ["StoreFacts", "StoreType", "copy", "info", "look", "merge", "sql", "store_types", "verify"]
