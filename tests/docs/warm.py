"""A process that has imported what is heavy, so that what a page runs starts at once.

``python -m tests.docs.warm DOOR`` listens on a socket. Whoever asks hands over its words, folder,
environment, input and outputs; a fork of this process is then what was asked for.
"""

from __future__ import annotations

import json
import os
import runpy
import signal
import socket
import sys
import traceback
import warnings
from datetime import UTC, datetime, timedelta
from importlib import import_module
from typing import Any, Final

from gotgan.cli import main as gotgan
from gotgan.clock import SystemClock

__all__ = ["AHEAD", "DOOR", "PORTS"]

DOOR: Final = "DOCS_DOOR"
"""Where the socket is."""
AHEAD: Final = "DOCS_AHEAD"
"""How many seconds the clock of a command is ahead of the real one, or less than none."""
PORTS: Final = "DOCS_PORTS"
"""The port of each command that serves: those that it has by itself may be taken."""
_HEAVY: Final = (
    "gotgan.day.service",
    "gotgan.domains.market.service",
    "gotgan.domains.videos.service",
    "gotgan.server",
    "gotgan.sql.database",
    "gotgan.store.drivers.aws",
    "gotgan.world",
)
"""What takes longest to import."""


def main(door: str) -> None:
    """Import what is heavy, and fork until ended."""
    for name in _HEAVY:
        import_module(name)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the forks
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(door)
        listening.listen()
        print("open", flush=True)  # noqa: T201 - whoever started us waits for it
        while True:
            asking, _ = listening.accept()
            if os.fork() == 0:
                listening.close()
                _answer(asking)
            asking.close()


def _answer(asking: socket.socket) -> None:
    asked = _received(asking)
    asking.sendall(os.getpid().to_bytes(4))
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    code = 1
    try:
        code = _program(asked["program"], asked["words"])
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 - said as an interpreter would
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        asking.sendall(code.to_bytes(1))
        os._exit(code)


def _received(asking: socket.socket) -> dict[str, Any]:
    head, files, _, _ = socket.recv_fds(asking, 4, 3)
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    with asking.makefile("rb") as stream:
        asked: dict[str, Any] = json.loads(stream.read(int.from_bytes(head)))
    return asked


def _program(name: str, words: list[str]) -> int:
    if name == "python" and words[0] == "-m":
        sys.argv = words[1:]
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
        return 0
    if name == "python":
        warnings.simplefilter("error")
        runpy.run_path(words[0], run_name="__main__")
        return 0
    ahead = timedelta(seconds=float(os.environ.pop(AHEAD)))
    setattr(SystemClock, "now", lambda _: datetime.now(UTC) + ahead)  # noqa: B010 - a method, for once
    ports = json.loads(os.environ.pop(PORTS))
    if words and words[0] in ports and "--port" not in words:
        words = [*words, "--port", str(ports[words[0]])]
    return gotgan(words)


if __name__ == "__main__":
    main(sys.argv[1])
