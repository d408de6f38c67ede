"""The servers that can be asked: how each is started, when it is ready, and how it is stopped."""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.oracle.wire import Wire
from tests.programs import Unavailable, node, npm_package, python_package

__all__ = ["PEERS", "SERVERS", "Peer", "Running", "running"]

_READY_SECONDS = 30.0
_PORTS = range(20_000, 32_000)
"""Ports that systems give to nobody by themselves, so that none is gone before the peer has it."""


def _no_environment(_port: int) -> dict[str, str]:
    return {}


@dataclass(frozen=True)
class Peer:
    """An implementation of DynamoDB that answers on a port of this machine."""

    name: str
    command: Callable[[int], list[str]]
    environment: Callable[[int], dict[str, str]] = _no_environment


@dataclass(frozen=True)
class Running:
    """A started peer."""

    name: str
    port: int
    wire: Wire


def _gotgan(port: int) -> list[str]:
    script = Path(sys.executable).with_name("gotgan")
    return [str(script), "dynamodb", "--memory", "--port", str(port)]


def _dynoxide(port: int) -> list[str]:
    binary = npm_package("@dynoxide/linux-x64", "1.2.1", "dynoxide")
    return [str(binary), "--host", "127.0.0.1", "--port", str(port)]


def _dynalite(port: int) -> list[str]:
    script = npm_package("dynalite", "4.0.0", "cli.js")
    delays = ["--createTableMs", "0", "--deleteTableMs", "0", "--updateTableMs", "0"]
    return [node(), str(script), "--host", "127.0.0.1", "--port", str(port), *delays]


def _ministack(_port: int) -> list[str]:
    return [str(python_package("ministack==1.5.33", "ministack"))]


def _ministack_environment(port: int) -> dict[str, str]:
    return {
        "GATEWAY_PORT": str(port),
        "BIND_HOST": "127.0.0.1",
        "SERVICES": "dynamodb",
        "LOG_LEVEL": "ERROR",
    }


def _moto(port: int) -> list[str]:
    script = python_package("moto[server]==5.2.5", "moto_server")
    return [str(script), "--host", "127.0.0.1", "--port", str(port)]


PEERS: dict[str, Peer] = {
    peer.name: peer
    for peer in (
        Peer("dynoxide", _dynoxide),
        Peer("dynalite", _dynalite),
        Peer("ministack", _ministack, _ministack_environment),
        Peer("moto", _moto),
    )
}
SERVERS: dict[str, Peer] = {"gotgan": Peer("gotgan", _gotgan), **PEERS}


@contextmanager
def running(peer: Peer) -> Iterator[Running]:
    """A peer started on a free port, ready to answer, and stopped at the end."""
    port = _free_port()
    process = _started(peer, port)
    wire = Wire(port)
    try:
        _await_ready(peer, process, wire)
        yield Running(peer.name, port, wire)
    finally:
        wire.close()
        _stop(process)


def _free_port() -> int:
    while True:
        port = secrets.choice(_PORTS)  # random is seeded alike in all processes of the tests
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


def _started(peer: Peer, port: int) -> subprocess.Popen[bytes]:
    command = peer.command(port)
    environment = {**os.environ, **peer.environment(port)}
    try:
        return subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
    except OSError as error:
        raise Unavailable(str(error)) from error


def _await_ready(peer: Peer, process: subprocess.Popen[bytes], wire: Wire) -> None:
    deadline = time.monotonic() + _READY_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise Unavailable(f"{peer.name} ended at once with exit code {process.returncode}")
        if wire.send("ListTables", {}).ok:
            return
        time.sleep(0.05)
    raise Unavailable(f"{peer.name} was not ready after {_READY_SECONDS:.0f} seconds")


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
