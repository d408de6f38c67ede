"""What analyses cost: the units of today, and the last thirty days at a glance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, Final

from fastapi import APIRouter
from markupsafe import Markup
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.given import Gotgan, Reader
from gotgan.console.listing import as_csv
from gotgan.console.past import Past
from gotgan.console.videos.charts import day_bars
from gotgan.domains.videos.reports import DayCost
from gotgan.encoding import encode, keys_of
from gotgan.errors import KeyRefused

if TYPE_CHECKING:
    from gotgan.domains.videos.reports import QuotaDay

__all__ = ["Spending", "costs_file", "costs_of", "quota_of", "router", "spending_of"]

router = APIRouter()
_DAYS: Final = 30
_DRAWN: Final = ("analyses", "units", "cost_usd", "hits")


@dataclass(frozen=True)
class Spending:
    """The last days, the latest first, and the units of today."""

    quota: QuotaDay | None
    """None without a key: nobody can be asked then, and nothing is used."""
    days: Sequence[DayCost]

    def total(self, figure: str) -> Any:
        """A figure of all days together."""
        return sum(getattr(day, figure) for day in self.days)

    def drawn(self, figure: str) -> Markup:
        """A figure day by day, today at the right."""
        return day_bars([getattr(day, figure) for day in reversed(self.days)])

    @property
    def figures(self) -> tuple[str, ...]:
        """What is drawn."""
        return _DRAWN


@router.get("/videos/costs.csv")
def costs_file(_who: Reader, app: Gotgan) -> Response:
    """What each of the last days cost, as a file."""
    return as_csv("video-costs", keys_of(DayCost), map(encode, app.videos.costs(days=_DAYS).items))


def spending_of(app: App, past: Past) -> Spending:
    """What was spent up to now."""
    return Spending(quota_of(app), list(reversed(costs_of(app, past).values())))


def costs_of(app: App, past: Past) -> dict[date, DayCost]:
    """What the last days cost, the oldest first; a job may end on the day after it is asked for."""
    today = app.clock.now().date()
    days = [today - timedelta(days=number) for number in reversed(range(_DAYS))]
    return past.of("video-costs", days, today, app.videos.costs_of, open_days=2)


def quota_of(app: App) -> QuotaDay | None:
    """The units of today; None where no key is set that could have some."""
    try:
        return app.videos.quota()
    except KeyRefused:
        return None
