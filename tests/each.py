"""One test for a rule that holds for many things, such as every file of the repository.

A case per thing would cost more to collect and report than to check. The one test still checks all
of them, and its failure lists every thing that breaks the rule and why.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from textwrap import indent
from typing import Any, TypeVar

import pytest

__all__ = ["each"]

T = TypeVar("T")


def each(
    argument: str, things: Iterable[T], name: Callable[[T], str] = str
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Call the test once for each thing, passed as ``argument``; fixtures are passed as usual."""
    checked = list(things)

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def check_all(**fixtures: Any) -> None:
            found = [(name(one), _fault(test, {argument: one, **fixtures})) for one in checked]
            faults = [f"{who}\n{indent(fault, '    ')}" for who, fault in found if fault]
            if faults or not checked:
                count = f"{len(faults)} of {len(checked)} break this rule:"
                pytest.fail("\n".join([count, *faults]), pytrace=False)

        signature = inspect.signature(test)
        others = [one for one in signature.parameters.values() if one.name != argument]
        check_all.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return check_all

    return decorate


def _fault(test: Callable[..., None], arguments: dict[str, Any]) -> str:
    try:
        test(**arguments)
    except Exception as error:  # noqa: BLE001 - whatever it is, the other things are checked too
        return str(error) if isinstance(error, AssertionError) else repr(error)
    return ""
