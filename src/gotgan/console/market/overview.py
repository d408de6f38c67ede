"""The front page of the market: indices, what moved most, screens, and how collection stands."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page
from gotgan.console.lists import one_of
from gotgan.console.market.days import KINDS
from gotgan.console.market.screens import SCREENS
from gotgan.console.session import CurrentApp, Reader

router = APIRouter()
_SHOWN: Final = 8
"""Shares of each kind."""


@router.get("/market")
def show_market(request: Request, _who: Reader, app: CurrentApp, screen: str = "") -> Response:
    """What the last session brought, and a line about its collection."""
    market, missing = app.market, app.market.unset()
    today = market.today()
    kind = one_of(SCREENS, screen or SCREENS[0])
    movers = market.movers(limit=_SHOWN)
    moved = (*movers.gainers, *movers.losers, *movers.most_traded)
    session = market.calendar().last_session(today)
    statuses = market.status_between(session, today)
    return page(
        request,
        "market/overview.html",
        indices=market.indices().items,
        movers=movers,
        closes=market.recent_closes([row.ticker for row in moved]),
        kind=kind,
        screens=SCREENS,
        screened=market.screen(kind, limit=_SHOWN),
        session=statuses[0],
        next=statuses[-1].next,
        unset=missing.words if missing else None,
        kinds=KINDS,
    )
