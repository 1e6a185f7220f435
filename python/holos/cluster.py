# SPDX-License-Identifier: MIT
"""More than one machine: processes that `mpirun` has started share the work of a job."""

from __future__ import annotations

import ctypes
import sys
from types import TracebackType
from typing import Any, Optional, Type

from holos._library import check, checked, ffi, lib, word_of

_free = ctypes.CDLL(None).free
_free.argtypes = [ctypes.c_void_p]


def library() -> "tuple[bool, str]":
    """Whether the library of MPI is there, and its version, or what is missing."""
    out = ffi.new("char[]", 256)
    found = bool(lib.holos_cluster_library(out, 256))
    return found, word_of(out)


class Cluster:
    """The processes that share a job (``job(…, cluster=cluster)``), which every one of them opens and runs with the same options. A process
    joins once, and leaves at the end of a ``with``; one that was not started by mpirun is a cluster of one."""

    def __init__(self) -> None:
        out = ffi.new("holos_cluster **")
        checked(lib.holos_cluster_join, out)
        self._c: Any = out[0]

    @property
    def rank(self) -> int:
        """Which one this is, from 0."""
        return int(lib.holos_cluster_rank(self._c))

    @property
    def ranks(self) -> int:
        """How many there are."""
        return int(lib.holos_cluster_ranks(self._c))

    def agree(self) -> None:
        """Every rank calls it when things went well there; the first failure of any becomes that of all."""
        err = ffi.new("holos_error *")
        check(lib.holos_cluster_agree(self._c, 0, err), err)

    @property
    def agreed(self) -> bool:
        """Whether all ranks know of the last failure."""
        return bool(lib.holos_cluster_agreed(self._c))

    def send(self, to: int, data: bytes) -> None:
        """Sends bytes to another rank, which receives them in the order in which they were sent."""
        checked(lib.holos_cluster_send, self._c, to, data, len(data))

    def receive(self, sender: int) -> bytes:
        """Waits for bytes from another rank."""
        data, size = ffi.new("void **"), ffi.new("size_t *")
        checked(lib.holos_cluster_receive, self._c, sender, data, size)
        try:
            return bytes(ffi.buffer(data[0], size[0])) if size[0] > 0 else b""
        finally:
            _free(int(ffi.cast("uintptr_t", data[0])))

    def leave(self, status: int = 0) -> None:
        """Every rank calls it at the end, with the exit status of its process."""
        if self._c is not None:
            lib.holos_cluster_leave(self._c, status)
            self._c = None

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], problem: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        sys.stdout.flush()
        self.leave(0 if problem is None else 1)


__all__ = ["Cluster", "library"]
