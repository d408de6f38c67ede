"""How an article's body stands, in one word and as one of the console's states."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from gotgan.domains.news.models import NewsBody, Outcome

__all__ = ["KINDS", "Word", "may_retry", "word_of"]

Word: TypeAlias = Outcome | Literal["never", "progress", "waiting"]

KINDS: Final[Mapping[Word, str]] = MappingProxyType(
    {
        "never": "none",
        "progress": "running",
        "waiting": "warning",
        "ok": "good",
        "external": "none",
        "premium": "none",
        "gone": "none",
        "blocked": "warning",
        "dead": "bad",
    }
)
"""The console's state of each: good, running, warning, bad or none."""


def word_of(body: NewsBody | None) -> Word:
    """How a body stands; no body at all means that nobody has tried."""
    if body is None:
        return "never"
    if body.outcome is not None:
        return body.outcome
    return "progress" if body.state == "PROGRESS" else "waiting"


def may_retry(body: NewsBody | None, now: datetime) -> bool:
    """Whether it is of use to try an article again now: not where it is done, or due anyway."""
    if body is None or body.state == "PROGRESS":
        return False
    waits = body.due_at is not None and body.due_at > now
    return waits if body.state == "WAITING" else body.outcome in {"blocked", "dead"}
