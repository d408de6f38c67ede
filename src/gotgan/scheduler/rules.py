"""Cron lines as people say them."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from cronsim import CronSim

__all__ = ["words_of"]

_FORMS: Final = tuple(
    (re.compile(pattern), told)
    for pattern, told in (
        (r"\* \*", "Every minute"),
        (r"\*/(?P<minutes>2|3|4|5|6|10|12|15|20|30) \*", "Every {minutes} minutes"),
        (r"(?P<minute>\d+) \*", "Every hour at minute {minute}"),
        (r"(?P<one>\d+),(?P<other>\d+) \*", "Every hour at minutes {one} and {other}"),
        (r"(?P<minute>\d+) \*/(?P<hours>2|3|4|6|8|12)", "Every {hours} hours at minute {minute}"),
        (
            r"(?P<minute>\d+) (?P<first>\d+)-(?P<last>\d+)",
            "Every hour from {first:02}:{minute:02} to {last:02}:{minute:02}",
        ),
        (r"(?P<minute>\d+) (?P<hour>\d+)", "At {hour:02}:{minute:02}"),
    )
)
"""Minutes and hours; of steps only those that are equally long all day."""
_DAYS: Final = {"* * *": "", "* * 1-5": ", Monday to Friday"}


def words_of(cron: str, now: datetime) -> str:
    """When a line comes round; one that is none of these plain ones is told field by field."""
    minute, hour, days = cron.split(maxsplit=2)
    for pattern, told in _FORMS if days in _DAYS else ():
        found = pattern.fullmatch(f"{minute} {hour}")
        if found is not None:
            figures = {name: int(figure) for name, figure in found.groupdict().items()}
            return told.format_map(figures) + _DAYS[days]
    return CronSim(cron, now).explain()
