# SPDX-License-Identifier: MIT
"""What is opened is closed."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Optional, Type, TypeVar

from holos._library import ffi

C = TypeVar("C", bound="Closing")


class Closing:
    """Something of the library's that is closed at the end of a ``with``, or when nobody has it any more."""

    _c: Any

    def close(self) -> None:
        """Frees it now. It cannot be used afterwards."""
        if self._c is not None:
            ffi.release(self._c)
            self._c = None

    @property
    def _open(self) -> Any:
        if self._c is None:
            raise ValueError(f"this {type(self).__name__} is closed")
        return self._c

    def __del__(self) -> None:
        # Before what it stands on (a variant, callbacks) goes, too.
        if getattr(self, "_c", None) is not None:
            self.close()

    def __enter__(self: C) -> C:
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], problem: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()
