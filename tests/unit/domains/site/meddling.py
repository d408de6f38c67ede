"""A driver that lets something happen just before or after a call: another hand, or a crash."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gotgan.store.drivers import Driver

__all__ = ["Killed", "Meddling"]


class Killed(Exception):
    """The program ended here."""


class Meddling:
    """A driver in front of another one; what is planned for an operation happens once."""

    name = "meddling"
    parallel = 1

    def __init__(self, behind: Driver) -> None:
        self.seen: list[str] = []
        """The operations so far."""
        self._behind = behind
        self._before: dict[str, list[Callable[[], object]]] = {}
        self._after: dict[str, list[Callable[[], object]]] = {}

    def before(self, operation: str, act: Callable[[], object]) -> None:
        """Act when the next call of an operation is about to be made."""
        self._before.setdefault(operation, []).append(act)

    def after(self, operation: str, act: Callable[[], object]) -> None:
        """Act when the next call of an operation was carried out, before anybody hears of it."""
        self._after.setdefault(operation, []).append(act)

    def dies_after(self, operation: str) -> None:
        """Let the program end when the next call of an operation was carried out."""
        self.after(operation, _die)

    def call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        """Carry out one operation, and what was planned for it."""
        _next(self._before, operation)()
        self.seen.append(operation)
        answer = self._behind.call(operation, request)
        _next(self._after, operation)()
        return answer

    def close(self) -> None:
        """Close what is behind it."""
        self._behind.close()


def _next(plans: dict[str, list[Callable[[], object]]], operation: str) -> Callable[[], object]:
    planned = plans.get(operation)
    return planned.pop(0) if planned else _nothing


def _nothing() -> None:
    """What happens where nothing is planned."""


def _die() -> None:
    raise Killed
