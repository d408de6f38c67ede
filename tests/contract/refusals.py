"""Expecting a refusal by its AWS code, whoever raises it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

__all__ = ["CANCELLED", "INVALID", "Refusal", "refused"]

INVALID = "ValidationException"
CANCELLED = "TransactionCanceledException"


@dataclass
class Refusal:
    """What the refusal said, to be read after the ``with`` block."""

    response: dict[str, Any] = field(default_factory=dict)

    @property
    def reasons(self) -> list[str]:
        """The codes of a cancelled transaction, one for each action."""
        return [reason.get("Code", "None") for reason in self.response["CancellationReasons"]]


@contextmanager
def refused(*codes: str, match: str = "") -> Iterator[Refusal]:
    """Expect an error with one of these codes; ``match`` is looked for in its message."""
    refusal = Refusal()
    try:
        yield refusal
    except Exception as error:
        refusal.response = getattr(error, "response", {})
        if not refusal.response:
            raise
        said = refusal.response["Error"]
        assert said["Code"] in codes, said
        assert re.search(match, said["Message"]), said
    else:
        pytest.fail(f"expected {codes}, and the call succeeded")
