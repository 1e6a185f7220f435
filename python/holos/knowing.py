# SPDX-License-Identifier: MIT
"""Knowledge: anything that holds values of positions. One way opens them all."""

from __future__ import annotations

import importlib
from typing import Any, Dict, Iterator, Optional, Tuple

from holos import values
from holos._closing import Closing
from holos._library import LIMIT, NULL, OK, Error, Watch, bytes_of, check, checked, ffi, lib, maybe, opened, word_of, written
from holos.variants import Position, PositionLike, Variant
from holos.values import Value


class Knowledge(Closing):
    """A database, a graph, a book, a hologram, or a folder of tables, opened by URL or path.

    ``k["4453"]`` is the value of a position; KeyError if it is not here. ``k.find(p)`` gives the range of scores with the source
    "none" instead. A damaged file is an :class:`holos.Error`, never "not here".
    """

    def __init__(self, url: Optional[str] = None, variant: Optional[Variant] = None, *, memory: Optional[int] = None,
                 data: Optional[str] = None) -> None:
        keep: "list[Any]" = []
        options = ffi.new("holos_knowledge_options *", {"memory": memory or 0, "data": maybe(data, keep)})
        given = NULL if variant is None else variant._c
        if url is not None:
            self._c = opened("holos_knowledge", lib.holos_knowledge_close, lib.holos_knowledge_open, bytes_of(url), given, options)
        else:
            self._c = opened("holos_knowledge", lib.holos_knowledge_close, lib.holos_knowledge_open_shipped, given, options)
        if self._c == NULL:
            name = variant.name if variant is not None else "nothing"
            raise Error("unsupported", f"no book or tables ship with holos for {name}")
        #: The variant it was opened for, or else made for.
        self.variant = variant if variant is not None else Variant(
            word_of(lib.holos_variant_name(lib.holos_knowledge_variant(self._c))))
        self._made_with = keep

    @property
    def kind(self) -> str:
        """"database", "graph", "book", "hologram"; for a game's own format, its name: "Syzygy tables"."""
        return word_of(lib.holos_knowledge_kind(self._open))

    def find(self, position: PositionLike) -> Value:
        """What is known about a position; ``known`` is False if it is not here."""
        p = self.variant.position(position)
        out = ffi.new("holos_value *")
        checked(lib.holos_knowledge_find, self._open, p._c, out)
        return values.value_of(out)

    def __getitem__(self, position: PositionLike) -> Value:
        found = self.find(position)
        if not found.known:
            raise KeyError(str(position))
        return found

    def __contains__(self, position: PositionLike) -> bool:
        return self.find(position).known

    def _batches(self, size: int = 4096) -> Iterator[Tuple[Any, Any, int]]:
        """Positions, their values, and how many there are."""
        cursor, count = ffi.new("holos_cursor *"), ffi.new("size_t *")
        room, found, watch = self.variant._room(size), ffi.new("holos_value[]", size), Watch()
        while True:
            err = ffi.new("holos_error *")
            check(watch.run(lib.holos_knowledge_walk, self._open, cursor, room, found, size, count, err), err)
            if count[0] == 0:
                return
            yield room, found, count[0]

    def __iter__(self) -> Iterator[Tuple[Position, Value]]:
        """Every position that is here, with its value; of symmetric ones perhaps only one."""
        for room, found, count in self._batches():
            for i in range(count):
                yield self.variant._copied(self.variant._in(room, i)), values.value_of(found[i])

    def arrays(self, most: Optional[int] = None) -> "Dict[str, Any]":
        """The same as NumPy arrays: ``positions`` (a row of bytes each; :meth:`position_at` reads one), ``lo``, ``hi``, ``distance``
        and ``conversion`` (-1: unknown), ``source``. ImportError without NumPy."""
        numpy: Any = importlib.import_module("numpy")
        size, width = ffi.sizeof("holos_value"), lib.holos_position_size(self.variant._c)
        names = [name for name, _ in ffi.typeof("holos_value").fields]
        formats = {"lo": "<i4", "hi": "<i4", "distance": "<u2", "conversion": "<u2", "source": "u1"}
        layout = numpy.dtype({"names": names, "formats": [formats[n] for n in names],
                              "offsets": [ffi.offsetof("holos_value", n) for n in names], "itemsize": size})
        rows, places, left = [], [], most
        for room, found, count in self._batches(65536):
            count = count if left is None else min(count, left)
            rows.append(numpy.frombuffer(bytes(ffi.buffer(found, count * size)), dtype=layout))
            data = bytes(ffi.buffer(ffi.cast("char *", room), count * width))
            places.append(numpy.frombuffer(data, dtype="u1").reshape(count, width))
            left = None if left is None else left - count
            if left == 0:
                break
        whole = numpy.concatenate(rows) if rows else numpy.empty(0, layout)
        out = {"positions": numpy.concatenate(places) if places else numpy.empty((0, width), "u1")}
        for name in names:
            column = whole[name]
            if name in ("distance", "conversion"):
                column = numpy.where(column == lib.HOLOS_NO_DISTANCE, -1, column.astype("i4"))
            out[name] = column
        return out

    def position_at(self, row: Any) -> Position:
        """The position in a row of ``arrays()["positions"]``."""
        data = bytes(row)
        if len(data) != lib.holos_position_size(self.variant._c):
            raise ValueError("this is not a row of positions")
        c = self.variant._new()
        ffi.memmove(c, data, len(data))
        return Position(self.variant, c)

    def why_not(self, position: PositionLike) -> Optional[str]:
        """Why a position is unknown; None if it is known."""
        p, err = self.variant.position(position), ffi.new("holos_error *")
        status = lib.holos_knowledge_why(self._open, p._c, err)
        check(status, err, LIMIT, lib.HOLOS_UNSUPPORTED)
        return None if status == OK else word_of(err.message)


def data_folder() -> str:
    """The folder of the data that ships with holos."""
    return written(lib.holos_data_folder)


def hologram_path(url: str) -> str:
    """The path of the hologram at a URL, existing or not."""
    out = ffi.new("char[]", 4096)
    checked(lib.holos_hologram_path, bytes_of(url), out, 4096)
    return word_of(out)


__all__ = ["Knowledge", "data_folder", "hologram_path"]
