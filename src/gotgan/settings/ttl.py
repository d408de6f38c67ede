"""How long an analysis is given again; less than a day needs a reason."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

__all__ = ["Ttl", "ttl"]

_TTL: Final = re.compile(r"(\d{1,2})\s*h\s*(?::\s*(\S.*))?", re.DOTALL)
_DAY: Final = 24
_LONGEST_REASON: Final = 200


@dataclass(frozen=True)
class Ttl:
    """A time to live, and why it is not the usual one."""

    hours: int = _DAY
    reason: str | None = None

    @property
    def span(self) -> timedelta:
        """How long it is."""
        return timedelta(hours=self.hours)


def ttl(text: str) -> Ttl:
    """``24h``, or fewer hours with a reason, such as ``6h: YouTube answers badly``."""
    found = _TTL.fullmatch(text.strip())
    if found is None or not 1 <= int(found[1]) <= _DAY:
        raise ValueError("use 1h to 23h and a reason, such as 6h: YouTube answers badly; or 24h")
    hours, reason = int(found[1]), found[2]
    if hours == _DAY:
        return Ttl()
    if reason is None:
        raise ValueError(f"less than 24h needs a reason, such as {hours}h: YouTube answers badly")
    if len(reason) > _LONGEST_REASON:
        raise ValueError(f"give the reason in {_LONGEST_REASON} characters or fewer")
    return Ttl(hours, " ".join(reason.split()))
