"""Words that stand in comments below any video, and so say nothing about this one."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

__all__ = ["stopwords"]


@cache
def stopwords() -> frozenset[str]:
    """All of them, Korean and English."""
    text = files(__package__).joinpath("stopwords.txt").read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return frozenset(word for line in lines for word in line.split())
