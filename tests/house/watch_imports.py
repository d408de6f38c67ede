"""Import the modules that are named, and print what they did meanwhile as JSON.

Run as a program: an audit hook cannot be taken off again.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterator, MutableMapping
from importlib import import_module
from typing import Any, Final

DEEDS: Final = {
    "os.mkdir",
    "os.remove",
    "os.rename",
    "os.system",
    "socket.bind",
    "socket.connect",
    "sqlite3.connect",
    "subprocess.Popen",
}


class WatchedEnvironment(MutableMapping[str, str]):
    """The environment, which reports when one of our modules looks at it."""

    def __init__(self, real: MutableMapping[str, str], watch: Watch) -> None:
        self._real = real
        self._watch = watch

    def __getitem__(self, name: str) -> str:
        self._watch.environment_used()
        return self._real[name]

    def __setitem__(self, name: str, value: str) -> None:
        self._watch.environment_used()
        self._real[name] = value

    def __delitem__(self, name: str) -> None:
        self._watch.environment_used()
        del self._real[name]

    def __iter__(self) -> Iterator[str]:
        self._watch.environment_used()
        return iter(self._real)

    def __len__(self) -> int:
        return len(self._real)


class Watch:
    """What was seen, and during the import of which module."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, str]] = []
        self.importing = ""

    def audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Note the deeds; reading a file is what an import is."""
        if event in DEEDS or (event == "open" and _writes(arguments)):
            self.seen.append((self.importing, event))

    def environment_used(self) -> None:
        """Note it if our own code asked: what other packages read is theirs to answer for."""
        if _asked_by_gotgan():
            self.seen.append((self.importing, "environ"))

    def thread_started(self, _thread: threading.Thread) -> None:
        """Note it, and start nothing."""
        self.seen.append((self.importing, "thread"))


def _writes(arguments: tuple[Any, ...]) -> bool:
    mode, flags = arguments[1], arguments[2]
    if isinstance(mode, str):
        return any(letter in mode for letter in "wax+")
    return bool(flags & (os.O_WRONLY | os.O_RDWR))


def _asked_by_gotgan() -> bool:
    """Whether the first caller outside this file, ``os`` and the mappings is one of our modules."""
    frame = sys._getframe(2)  # noqa: SLF001 - the only way to ask who called
    while frame.f_back and frame.f_globals["__name__"] in {__name__, "os", "collections.abc"}:
        frame = frame.f_back
    return str(frame.f_globals["__name__"]).startswith("gotgan")


def main(names: list[str]) -> None:
    """Import each module under the watch."""
    watch = Watch()
    sys.addaudithook(watch.audit)
    os.environ = WatchedEnvironment(os.environ, watch)  # type: ignore[assignment] # noqa: B003 - to see who reads it
    threading.Thread.start = lambda thread: watch.thread_started(thread)  # type: ignore[assignment,method-assign] # noqa: PLW0108 - a method needs its self
    for name in names:
        watch.importing = name
        import_module(name)
    print(json.dumps(watch.seen))  # noqa: T201 - the answer


if __name__ == "__main__":
    main(sys.argv[1:])
