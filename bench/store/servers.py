"""The servers that are measured: started on files of their own, timed, and always stopped."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.oracle.peers import PEERS
from tests.oracle.wire import Wire
from tests.programs import Unavailable

__all__ = ["COMMANDS", "Server", "serving"]

_READY_SECONDS = 30.0
_BETWEEN_LOOKS = 0.002


@dataclass(frozen=True)
class Server:
    """A running server, and how long it took from its start to its first answer."""

    endpoint: str
    startup: float


def _gotgan(port: int, folder: Path) -> list[str]:
    return [sys.executable, "-m", "gotgan", "dynamodb", "--port", str(port), "--data", str(folder)]


def _dynoxide(port: int, folder: Path) -> list[str]:
    return [*PEERS["dynoxide"].command(port), "--db-path", str(folder / "dynoxide.sqlite3")]


def _dynalite(port: int, folder: Path) -> list[str]:
    return [*PEERS["dynalite"].command(port), "--path", str(folder / "dynalite")]


def _stub(port: int, _folder: Path) -> list[str]:
    return [sys.executable, "-m", "bench.store.stub", str(port)]


COMMANDS: dict[str, Callable[[int, Path], list[str]]] = {
    "http": _gotgan,
    "dynoxide": _dynoxide,
    "dynalite": _dynalite,
    "stub": _stub,
}


@contextmanager
def serving(name: str, folder: Path) -> Iterator[Server]:
    """A server that keeps its data in this folder, from its first answer on."""
    port = _free_port()
    command = COMMANDS[name](port, folder)  # installs the server if it is missing: not timed
    wire = Wire(port)
    started = time.perf_counter()
    process = _started(command)
    try:
        _await_answer(name, process, wire)
        yield Server(f"http://127.0.0.1:{port}", time.perf_counter() - started)
    finally:
        wire.close()
        _stop(process)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _started(command: list[str]) -> subprocess.Popen[bytes]:
    # An installed package has its bytecode, so the first start may write it and later ones find it.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    quiet = subprocess.DEVNULL
    try:
        return subprocess.Popen(command, stdout=quiet, stderr=quiet, env=environment)
    except OSError as error:
        raise Unavailable(str(error)) from error


def _await_answer(name: str, process: subprocess.Popen[bytes], wire: Wire) -> None:
    deadline = time.monotonic() + _READY_SECONDS
    while not wire.send("ListTables", {}).ok:
        if process.poll() is not None:
            raise Unavailable(f"{name} ended at once with exit code {process.returncode}")
        if time.monotonic() > deadline:
            raise Unavailable(f"{name} was not ready after {_READY_SECONDS:.0f} seconds")
        time.sleep(_BETWEEN_LOOKS)


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
