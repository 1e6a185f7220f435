# SPDX-License-Identifier: MIT
"""The shared library: where it is, how it is called, and what becomes of its errors."""

from __future__ import annotations

import ctypes.util
import importlib
import os
import pathlib
import queue
import threading
from typing import Any, Callable, Iterable, Optional

__all__ = ["Error", "ffi", "lib"]

_HERE = pathlib.Path(__file__).resolve().parent
_SOURCE = _HERE.parent.parent  # of a source tree; elsewhere this is nothing in particular


class Error(Exception):
    """What went wrong, as the library says it.

    ``status`` is the name that programs see ("bad-position"), ``message`` says what is wrong and what would be right, and
    ``offset`` is where in the text that was read, in bytes, or None.
    """

    def __init__(self, status: str, message: str, offset: Optional[int] = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.offset = offset

    def __reduce__(self) -> Any:
        return type(self), (self.status, self.message, self.offset)


# ---- Finding it --------------------------------------------------------------------------------


def _declared() -> Any:
    """The declarations: made when the package was installed, or else from the headers of the source tree."""
    try:
        return importlib.import_module("holos._declarations").ffi
    except ImportError:
        pass
    cffi: Any = importlib.import_module("cffi")

    from holos import _headers
    folder = _SOURCE / "include" / "holos"
    if not (folder / "holos.h").exists():
        raise ImportError(f"holos: no declarations in {_HERE}, and no headers in {folder}: install the package with pip")
    made = cffi.FFI()
    made.cdef(_headers.declarations(folder))
    return made


def _candidates() -> Iterable[str]:
    """Where the library may be: named by HOLOS_LIBRARY, built in the source tree, installed."""
    named = os.environ.get("HOLOS_LIBRARY")
    if named:
        yield named
        return
    if (_SOURCE / "include" / "holos" / "holos.h").exists():
        yield str(_SOURCE / "build" / "libholos.so.0")
    yield "libholos.so.0"
    for folder in ("/usr/local/lib", "/usr/local/lib/x86_64-linux-gnu", "/usr/local/lib/aarch64-linux-gnu"):
        yield os.path.join(folder, "libholos.so.0")
    found = ctypes.util.find_library("holos")
    if found:
        yield found


def _opened() -> Any:
    tried = []
    for name in _candidates():
        try:
            return ffi.dlopen(name)
        except OSError as problem:
            tried.append(str(problem).split("\n")[0])
    raise ImportError("holos: the shared library was not found; build it (`make`), install it (`make install`), or name it in "
                      "HOLOS_LIBRARY. Tried: " + "; ".join(tried))


ffi: Any = _declared()
lib: Any = _opened()
NULL: Any = ffi.NULL


def _agree() -> None:
    """The declarations are those of this very library: structs differ from version to version."""
    made_for = f"{lib.HOLOS_VERSION_MAJOR}.{lib.HOLOS_VERSION_MINOR}.{lib.HOLOS_VERSION_PATCH}"
    found = ffi.string(lib.holos_version()).decode()
    if made_for != found:
        raise ImportError(f"holos: this package is made for version {made_for} of the library, and found {found}; "
                          "install both from the same source")


_agree()


# ---- Words and errors --------------------------------------------------------------------------


def text_of(c: Any) -> Optional[str]:
    """A string of the library's, or None for NULL."""
    return None if c == NULL else ffi.string(c).decode("utf-8", "replace")


def word_of(c: Any) -> str:
    """A string that is never NULL."""
    return str(ffi.string(c).decode("utf-8", "replace")) if c != NULL else ""


def bytes_of(text: "str | os.PathLike[str]") -> bytes:
    """A string for the library. One with a zero byte inside cannot be given to it."""
    data = os.fspath(text).encode("utf-8", "surrogateescape")
    if b"\0" in data:
        raise Error("usage", "a text for the library has no zero bytes", data.index(b"\0"))
    return data


def maybe(text: "Optional[str | os.PathLike[str]]", keep: "list[Any]") -> Any:
    """A C string for an option, or NULL for None. `keep` keeps it alive."""
    if text is None:
        return NULL
    keep.append(ffi.new("char[]", bytes_of(text)))
    return keep[-1]


def written(function: Callable[..., int], *arguments: Any) -> str:
    """What a function like snprintf writes: its last arguments are a buffer and its size."""
    size = 256
    while True:
        buffer = ffi.new("char[]", size)
        length = function(*arguments, buffer, size)
        if length < size:
            return bytes(ffi.buffer(buffer, length)).decode("utf-8", "replace")
        size = length + 1


def listed(at: Callable[[int], Any]) -> "list[Any]":
    """What a function gives for 0, 1, 2 … up to NULL."""
    found: "list[Any]" = []
    while True:
        item = at(len(found))
        if item == NULL:
            return found
        found.append(item)


OK, LIMIT, INTERRUPTED = 0, lib.HOLOS_LIMIT, lib.HOLOS_INTERRUPTED


def error_of(status: int, err: Any) -> Error:
    name = word_of(lib.holos_status_name(status))
    offset = err.at if err.at >= 0 else None
    return Error(name, word_of(err.message) or name, offset)


def check(status: int, err: Any, *fine: int) -> int:
    """Raises unless the status is HOLOS_OK or one of those."""
    if status != OK and status not in fine:
        raise error_of(status, err)
    return status


def checked(function: Callable[..., int], *arguments: Any) -> None:
    """Calls a function whose last argument is a place for the error, and raises if it fails."""
    err = ffi.new("holos_error *")
    check(function(*arguments, err), err)


def opened(what: str, close: Any, function: Callable[..., int], *arguments: Any) -> Any:
    """Opens something (the last arguments are its place and that of the error), which closes itself."""
    place, err = ffi.new(what + " **"), ffi.new("holos_error *")
    check(function(*arguments, place, err), err)
    return ffi.gc(place[0], close)


# ---- Work that takes long ----------------------------------------------------------------------


class Stop:
    """A request to stop, which any thread may make. Work that has it ends soon, with what it knows so far."""

    def __init__(self) -> None:
        self._c = ffi.new("holos_stop *")

    def set(self) -> None:
        """Asks whatever has this to stop."""
        self._c.asked = 1

    def clear(self) -> None:
        """Takes the request back."""
        self._c.asked = 0

    @property
    def asked(self) -> bool:
        """Whether somebody has asked."""
        return bool(self._c.asked != 0)


class Watch:
    """What a call that takes long is watched by: its own request to stop, the caller's, and the first exception that one of its
    callbacks raised. Callbacks cannot raise through C; the work stops, and then the exception goes on."""

    def __init__(self, stop: Optional[Stop] = None) -> None:
        self.own = Stop()
        self.caller = stop
        self.own._c.also = stop._c if stop is not None else NULL
        self.raised: Optional[BaseException] = None

    @property
    def c(self) -> Any:
        return self.own._c

    def failed(self, problem: BaseException) -> None:
        """A callback raised this."""
        if self.raised is None:
            self.raised = problem
        self.own.set()

    def guard(self, function: Callable[..., Any], otherwise: Any = None) -> Callable[..., Any]:
        """The function as a callback: it raises nothing."""
        def call(*arguments: Any) -> Any:
            try:
                return function(*arguments)
            except BaseException as problem:  # whatever it is, it goes on when the work has ended
                self.failed(problem)
                return otherwise
        return call

    def go_on(self) -> None:
        """Raises what a callback raised."""
        if self.raised is not None:
            problem, self.raised = self.raised, None
            self.own.clear()
            raise problem

    def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Calls the function, and lets Ctrl-C end it: the work stops where it can, and then KeyboardInterrupt is raised."""
        if threading.current_thread() is not threading.main_thread():
            result = function(*arguments)
        else:
            result = self._run_aside(function, arguments)
        self.go_on()
        return result

    def _run_aside(self, function: Callable[..., Any], arguments: "tuple[Any, ...]") -> Any:
        """Python sees a signal only between two instructions of the main thread, so that one waits while another works."""
        task = _Task(function, arguments)
        try:
            _workers().put(task)
            task.done.acquire()
        except BaseException:  # KeyboardInterrupt, which may come at any moment here, before and after the work has begun
            task.cancelled = True
            self.own.set()
            _wait_until_idle()
            self.own.clear()
            raise
        if task.raised is not None:
            raise task.raised
        return task.result


class _Task:
    def __init__(self, function: Callable[..., Any], arguments: "tuple[Any, ...]") -> None:
        self.function, self.arguments = function, arguments
        self.done = threading.Lock()
        self.done.acquire()
        self.result: Any = None
        self.raised: Optional[BaseException] = None
        self.cancelled = False

    def work(self) -> None:
        try:
            if not self.cancelled:
                self.result = self.function(*self.arguments)
        except BaseException as problem:
            self.raised = problem
        finally:
            self.done.release()


_worker: "Optional[tuple[int, queue.SimpleQueue[_Task]]]" = None


def _workers() -> "queue.SimpleQueue[_Task]":
    """The thread that works for the main thread, made when it is first needed; a forked process makes its own."""
    global _worker
    if _worker is None or _worker[0] != os.getpid():
        tasks: "queue.SimpleQueue[_Task]" = queue.SimpleQueue()

        def work() -> None:
            while True:
                tasks.get().work()

        threading.Thread(target=work, name="holos", daemon=True).start()
        _worker = (os.getpid(), tasks)
    return _worker[1]


def _wait_until_idle() -> None:
    """Waits for everything that the worker was given: it takes one thing after the other. More Ctrl-C does not help."""
    while True:
        try:
            last = _Task(int, ())
            _workers().put(last)
            last.done.acquire()
            return
        except KeyboardInterrupt:
            pass
