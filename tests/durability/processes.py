"""Other processes on the same file: to talk to, to work beside, to be killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from tests.house.repository import ROOT

__all__ = ["Child", "Neighbour", "NeighbourRefusal", "child", "neighbour"]


class Child:
    """A process that runs one of the tasks of ``tests.durability.child``."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process = process
        self._in: TextIO = process.stdin  # type: ignore[assignment]
        self._out: TextIO = process.stdout  # type: ignore[assignment]

    def tell(self, line: str = "go") -> None:
        """Write a line to the child."""
        self._in.write(f"{line}\n")
        self._in.flush()

    def hear(self) -> str:
        """Wait for the next line that the child says."""
        line = self._out.readline()
        assert line, "the child ended too early"
        return line.rstrip("\n")

    def kill(self) -> list[str]:
        """End it as a power cut would (kill -9); return what it had still said."""
        self._process.kill()
        rest = self._out.read().splitlines()
        self._process.wait()
        return rest


@contextmanager
def child(task: str, path: Path, *words: str, synchronous: str = "normal") -> Iterator[Child]:
    """Run a task in a process of its own for as long as the block runs."""
    command = [sys.executable, "-m", "tests.durability.child", task, str(path), *words]
    environment = os.environ | {"SYNCHRONOUS": synchronous}
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield Child(process)
        finally:
            process.kill()


class NeighbourRefusal(Exception):
    """What the other process's client raised."""

    def __init__(self, response: dict[str, Any]) -> None:
        super().__init__(response)
        self.response = response


class Neighbour:
    """A client that lives in another process; values must be such as JSON can carry."""

    def __init__(self, process: Child) -> None:
        self._child = process

    def __getattr__(self, method: str) -> Callable[..., dict[str, Any]]:
        def call(**request: Any) -> dict[str, Any]:
            self._child.tell(json.dumps([method, request]))
            said = json.loads(self._child.hear())
            if "response" in said:
                raise NeighbourRefusal(said["response"])
            answer: dict[str, Any] = said["answer"]
            return answer

        return call


@contextmanager
def neighbour(path: Path) -> Iterator[Neighbour]:
    """A client in another process, on the same file."""
    with child("answer", path) as process:
        assert process.hear() == "ready"
        yield Neighbour(process)
