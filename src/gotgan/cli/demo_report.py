"""What the demo has to tell: how far it has come, and what happened, domain by domain."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

from gotgan.cli.units import cost_fields, cost_text
from gotgan.clock import SEOUL

if TYPE_CHECKING:
    from gotgan.demo import Happened

__all__ = ["day_line", "happened_record", "happened_text", "in_seoul", "progress_line"]

_SEOUL: Final = ZoneInfo(SEOUL)
_SHORT: Final[tuple[tuple[str, str, str], ...]] = (
    ("news", "new", "stories"),
    ("shops", "crawls", "crawls"),
    ("shops", "changed", "changes in shops"),
    ("market", "prices", "prices"),
    ("market", "failed", "failed"),
    ("market", "recovered", "recovered"),
    ("videos", "analyses", "analyses"),
    ("site", "posts", "posts"),
    ("site", "mails", "mails"),
)
"""What is told of each on one line."""


def in_seoul(moment: datetime) -> str:
    """A moment by the demo's clock: ``Wed 2025-11-05 17:00 KST``."""
    return f"{moment.astimezone(_SEOUL):%a %Y-%m-%d %H:%M %Z}"


def progress_line(moment: datetime, happened: Happened) -> str:
    """How far the first days have come."""
    return f"{in_seoul(moment)}  {_shortly(happened)}"


def day_line(happened: Happened) -> str:
    """What happened on a day that is over."""
    # The first one may have begun anywhere, but each ends at midnight.
    day = (happened.ends - timedelta(seconds=1)).astimezone(_SEOUL)
    return f"{day:%a %Y-%m-%d}  {_shortly(happened) or 'nothing'}"


def happened_text(happened: Happened, sessions: int) -> str:
    """What happened, with a line for each domain; ``sessions`` were collected before that."""
    lines = [f"Demo, {in_seoul(happened.begins)} to {in_seoul(happened.ends)}:", ""]
    for domain, counts in happened.counts.items():
        lines.append(f"  {domain:<7} {_listed(counts.items())}")
        if domain in happened.costs:
            lines.append(f"  {'':<7} on DynamoDB: {cost_text(happened.costs[domain])}")
    if sessions:
        lines.append(f"  {'before':<7} sessions {sessions:,}, for the indicators")
    return "\n".join(lines)


def happened_record(happened: Happened) -> dict[str, Any]:
    """The same for programs."""
    return {
        "begins": happened.begins.astimezone(_SEOUL).isoformat(),
        "ends": happened.ends.astimezone(_SEOUL).isoformat(),
        "domains": dict(happened.counts),
        "costs": {domain: cost_fields(cost) for domain, cost in happened.costs.items()},
    }


def _shortly(happened: Happened) -> str:
    told = ((words, happened.counts[domain][word]) for domain, word, words in _SHORT)
    return _listed((words, count) for words, count in told if count)


def _listed(counts: Iterable[tuple[str, int]]) -> str:
    return " · ".join(f"{word} {count:,}" for word, count in counts)
