"""The blocks of code on the pages of the documentation, and whether each is run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.house.repository import relative

__all__ = ["Block", "blocks_of"]

_BLOCK: Final = re.compile(
    r"(?:^[ ]*<!-- not run: (?P<reason>[^\n]+?) -->\n+)?"
    r"^(?P<indent>[ ]*)```(?P<language>\w*)\n(?P<text>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Block:
    """A block of code, as it stands on its page."""

    page: Path
    line: int
    """Where it begins."""
    language: str
    text: str
    reason: str | None
    """Why it is not run; None where it is."""

    def __str__(self) -> str:
        return f"{relative(self.page)}:{self.line}"


def blocks_of(page: Path, text: str | None = None) -> Iterator[Block]:
    """The blocks of a page, in their order."""
    whole = page.read_text(encoding="utf-8") if text is None else text
    for found in _BLOCK.finditer(whole):
        yield Block(
            page,
            whole.count("\n", 0, found.start("indent")) + 1,
            found["language"],
            found["text"],
            found["reason"],
        )
