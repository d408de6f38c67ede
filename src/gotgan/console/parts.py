"""Parts of a page that can fail alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from gotgan.errors import GotganError
from gotgan.events import emit

T = TypeVar("T")


def read_or_none(part: str, read: Callable[[], T]) -> T | None:
    """A part of a page, or None if it cannot be read: the others do not depend on it."""
    try:
        return read()
    except GotganError as error:
        emit("console.part.failed", level="warning", part=part, reason=error.message)
        return None
