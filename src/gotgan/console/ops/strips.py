"""Thirty days of a job as a strip: a mark for each day, and beside it how often it ended how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from markupsafe import Markup

from gotgan.console.sentences import retold
from gotgan.console.texts import Language
from gotgan.schedule import TickStatus

if TYPE_CHECKING:
    from gotgan.scheduler.history import DayOfTicks

__all__ = ["TickStrip", "strips_of"]

_DAY, _HEIGHT = 8, 24
_HEIGHTS: Final[Mapping[TickStatus | None, int]] = {
    "failed": 24,
    "running": 18,
    "done": 14,
    "waiting": 8,
    "skipped": 5,
    None: 1,
}
"""A day is as high as what came of it is worth a look; nobody has to tell colours apart."""


@dataclass(frozen=True)
class TickStrip:
    """The last days of one job, the oldest at the left."""

    days: Sequence[DayOfTicks]

    @property
    def counts(self) -> Mapping[str, int]:
        """How often it ended how, in all of them."""
        total: Counter[str] = Counter()
        for day in self.days:
            total.update(day.counts)
        return total

    def drawn(self, language: Language) -> Markup:
        """A mark for each day."""
        marks = "".join(_mark(number, day, language) for number, day in enumerate(self.days))
        box = f'viewBox="0 0 {len(self.days) * _DAY} {_HEIGHT}" preserveAspectRatio="none"'
        return Markup(  # noqa: S704 - figures, dates, and words of ours
            '<svg xmlns="http://www.w3.org/2000/svg" class="tick-strip" aria-hidden="true" '
            f"{box}>{marks}</svg>"
        )


def strips_of(found: Mapping[str, Sequence[DayOfTicks]]) -> Mapping[str, TickStrip]:
    """A strip for each job that ticked."""
    return {job: TickStrip(days) for job, days in found.items()}


def _mark(number: int, day: DayOfTicks, language: Language) -> str:
    height, counted = _HEIGHTS[day.status], [f"{n} {word}" for word, n in day.counts.items()]
    told = retold(language, ", ".join(counted))
    return (
        f'<rect class="{day.status or "never"}" x="{number * _DAY + 1}" y="{_HEIGHT - height}" '
        f'width="{_DAY - 2}" height="{height}"><title>{day.day}: {told or "–"}</title></rect>'
    )
