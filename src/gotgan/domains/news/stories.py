"""A story as a list gives it, before anybody knows whether it is new."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from gotgan.errors import BadUpload

__all__ = ["Story", "one_line"]

_SPACE: Final = re.compile(r"[ \t\n\r\f]+")
"""What HTML calls white space; a hard space stays, as it does on the page."""


@dataclass(frozen=True)
class Story:
    """A headline, its address exactly as it was given, and the tickers that belong to it."""

    title: str
    url: str
    tickers: tuple[str, ...] = ()
    """In capitals and in their order, each once, whatever way they are handed over."""

    def __post_init__(self) -> None:
        given: Any = self.tickers  # whoever calls from unchecked code may hand over anything
        if isinstance(given, str) or not all(isinstance(each, str) for each in given):
            raise BadUpload(f"tickers are a list of texts, and not {given!r:.100}")
        tidied = (ticker.strip().upper() for ticker in self.tickers)
        object.__setattr__(self, "tickers", tuple(dict.fromkeys(filter(None, tidied))))


def one_line(text: str | None) -> str:
    """A headline as a browser shows it: without the line breaks and indents of the page."""
    shown = _SPACE.sub(" ", text or "").strip(" ")
    return shown if shown.strip() else ""
