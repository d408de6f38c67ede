"""The costs of this process, and those of the videos."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Annotated, Final, Literal, get_args

from fastapi import APIRouter, Depends, HTTPException
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page
from gotgan.console.given import Admin, Gotgan
from gotgan.console.listing import Elsewhere, as_csv
from gotgan.console.videos.charts import day_bars
from gotgan.console.videos.spending import spending_of
from gotgan.encoding import encode, keys_of
from gotgan.operations.params import CostGroup
from gotgan.operations.results import CostReport, CostShare
from gotgan.store.prices import money

__all__ = ["asked_by", "costs_file", "month_bars", "router", "share_bar", "show_costs"]

router = APIRouter()
_WAYS: Final[tuple[CostGroup, ...]] = get_args(CostGroup)
_DRAWN: Final = 30


def share_bar(part: Decimal, total: Decimal) -> Markup:
    """The share of a cost in the total."""
    share = part / (total or 1) * 100
    return Markup(  # noqa: S704 - all of it are figures
        '<svg xmlns="http://www.w3.org/2000/svg" class="cost-bar" aria-hidden="true" '
        'viewBox="0 0 100 8" preserveAspectRatio="none">'
        f'<rect class="ground" width="100" height="8"/>'
        f'<rect class="some" width="{share:.2f}" height="8"/></svg>'
    )


def month_bars(costs: CostReport, unit: Literal["reads", "writes"]) -> Markup:
    """The units of the last thirty days, the latest at the right."""
    spent = {each.day: getattr(each, unit) for each in costs.days}
    last = max(spent, default=costs.since.date())
    days = [last - timedelta(days=ago) for ago in reversed(range(_DRAWN))]
    return day_bars([spent.get(day, 0.0) for day in days])


async def asked_by(by: str = "line") -> CostGroup:
    """The grouping that an address asks for."""
    wanted = next((known for known in _WAYS if known == by), None)
    if wanted is None:
        raise HTTPException(422)
    return wanted


Wanted = Annotated[CostGroup, Depends(asked_by)]


@router.get("/ops/costs")
def show_costs(request: Request, _who: Admin, app: Gotgan, by: Wanted) -> Response:
    """What was spent."""
    return page(
        request,
        "ops/costs.html",
        costs=app.operations.costs(by=by),
        by=by,
        money=money,
        share_bar=share_bar,
        month_bars=month_bars,
        ways=_WAYS,
        spending=spending_of(app, request.app.state.past),
        elsewhere=Elsewhere.of("/v1/costs", "/ops/costs.csv", "", by=None if by == "line" else by),
    )


@router.get("/ops/costs.csv")
def costs_file(_who: Admin, app: Gotgan, by: Wanted) -> Response:
    """The same parts as a file."""
    return as_csv("costs", keys_of(CostShare), map(encode, app.operations.costs(by=by).items))
