"""UpdateTimeToLive and DescribeTimeToLive."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.oracle.cases.builders import ask, create
from tests.oracle.scenario import Scenario, Step, each, together

__all__ = ["scenarios"]


def scenarios() -> Iterator[Scenario]:
    """The states of one table, and requests that are refused."""
    yield from together("ttl", [create()], _states())
    yield from each("ttl switched twice", [create(), _on()], _repeated())
    yield from each("ttl refused", [create()], _refused())
    yield from each("ttl of a missing table", [], _missing())


def _on(attribute: str = "ttl", note: str = "") -> Step:
    specification = {"Enabled": True, "AttributeName": attribute}
    return ask("UpdateTimeToLive", note, TimeToLiveSpecification=specification)


def _off(attribute: str = "ttl", note: str = "") -> Step:
    specification = {"Enabled": False, "AttributeName": attribute}
    return ask("UpdateTimeToLive", note, TimeToLiveSpecification=specification)


def _states() -> list[Step]:
    described = ask("DescribeTimeToLive", "described")
    return [described, _on(), described, _off(), described]


def _repeated() -> list[Step]:
    return [
        _on(note="on again"),
        _on("other", note="on for another attribute"),
        _off("other", note="off for another attribute"),
    ]


def _refused() -> list[Step]:
    half: dict[str, Any] = {"Enabled": True}
    return [
        _off(note="off before it was on"),
        _on("", note="empty attribute name"),
        _on("a" * 256, note="attribute name of 256 letters"),
        ask("UpdateTimeToLive", "no attribute", TimeToLiveSpecification=half),
        ask("UpdateTimeToLive", "no specification"),
    ]


def _missing() -> list[Step]:
    return [ask("DescribeTimeToLive", "described"), _on(note="switched")]
