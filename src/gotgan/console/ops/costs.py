"""The cost meter: what this process took of the tables, what that comes to, and the videos."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Annotated, Final, Literal, get_args

from fastapi import APIRouter, Depends, HTTPException
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.ops.records import By, Part, part_record, parts_of
from gotgan.console.frame import page
from gotgan.console.given import Admin, Gotgan
from gotgan.console.listing import Elsewhere, as_csv
from gotgan.console.videos.charts import day_bars
from gotgan.console.videos.spending import spending_of
from gotgan.store import Cost
from gotgan.store.costs import CostMeter
from gotgan.store.prices import Price, money

__all__ = ["Bill", "asked_by", "costs_file", "router", "show_costs"]

router = APIRouter()
_WAYS: Final[tuple[By, ...]] = get_args(By)
_DRAWN: Final = 30
_COLUMNS: Final = ("verb", "table", "index", "reads", "writes", "usd")


@dataclass(frozen=True)
class Bill:
    """What was spent since the process began, in parts and day by day."""

    meter: CostMeter
    by: By
    price: Price
    total: Cost

    @classmethod
    def of(cls, meter: CostMeter, by: By) -> Bill:
        """The bill as it stands."""
        return cls(meter, by, Price.listed(), meter.total())

    @property
    def parts(self) -> list[Part]:
        """The parts, the dearest first."""
        return parts_of(self.total, self.by, self.price)

    @property
    def days(self) -> list[tuple[str, Cost]]:
        """The days on which anything was spent, the oldest first."""
        return [(day.isoformat(), cost) for day, cost in self.meter.days().items()]

    def money(self, cost: Cost) -> str:
        """What a cost comes to on demand."""
        return money(self.price.on_demand(cost))

    def bar(self, cost: Cost) -> Markup:
        """The share that a cost has of all."""
        share = self._usd(cost) / (self._usd(self.total) or 1) * 100
        return Markup(  # noqa: S704 - all of it are figures
            '<svg xmlns="http://www.w3.org/2000/svg" class="cost-bar" aria-hidden="true" '
            'viewBox="0 0 100 8" preserveAspectRatio="none">'
            f'<rect class="ground" width="100" height="8"/>'
            f'<rect class="some" width="{share:.2f}" height="8"/></svg>'
        )

    def drawn(self, figure: Literal["reads", "writes"]) -> Markup:
        """A figure of the last thirty days, the latest at the right."""
        spent = self.meter.days()
        last = max(spent, default=self.meter.since.date())
        days = [last - timedelta(days=ago) for ago in reversed(range(_DRAWN))]
        return day_bars([getattr(spent.get(day, Cost()), figure) for day in days])

    def _usd(self, cost: Cost) -> Decimal:
        return self.price.on_demand(cost)


async def asked_by(by: str = "line") -> By:
    """What an address wants to have added up."""
    wanted = next((known for known in _WAYS if known == by), None)
    if wanted is None:
        raise HTTPException(422)
    return wanted


Wanted = Annotated[By, Depends(asked_by)]


@router.get("/ops/costs")
def show_costs(request: Request, _who: Admin, app: Gotgan, by: Wanted) -> Response:
    """What was spent."""
    return page(
        request,
        "ops/costs.html",
        bill=Bill.of(app.store.calls.meter, by),
        ways=_WAYS,
        spending=spending_of(app, request.app.state.past),
        elsewhere=Elsewhere.of("/v1/costs", "/ops/costs.csv", "", by=None if by == "line" else by),
    )


@router.get("/ops/costs.csv")
def costs_file(_who: Admin, app: Gotgan, by: Wanted) -> Response:
    """The same parts as a file."""
    bill = Bill.of(app.store.calls.meter, by)
    return as_csv("costs", _COLUMNS, (part_record(part, bill.price) for part in bill.parts))
