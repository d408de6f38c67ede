"""The board: every stage with its lanes, what is due and why, and on top what is stuck."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import APIRouter, Depends, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import here, page
from gotgan.console.gate import Form
from gotgan.console.given import Gotgan, Reader, app_of
from gotgan.console.listing import Elsewhere, as_csv
from gotgan.console.runs import RunCard
from gotgan.console.shops.states import KINDS, standings
from gotgan.console.viewer import Viewer
from gotgan.domains.shops.countries import country_of
from gotgan.domains.shops.lanes import FIRST, Lane
from gotgan.domains.shops.models import STAGES, Shop, Stage
from gotgan.domains.shops.stages import Stuck
from gotgan.encoding import encode, keys_of

__all__ = [
    "StageBoard",
    "again",
    "asked_country",
    "due_file",
    "router",
    "show_board",
    "stuck_file",
]

router = APIRouter()
_TYPED: Final = {"domain": "", "country": "", "name": ""}
"""The fields of a new shop."""


@dataclass(frozen=True)
class StageBoard:
    """A stage on the board."""

    stage: Stage
    lanes: tuple[Lane, ...]
    due: Sequence[Shop]
    """The first that are due."""
    has_more: bool
    elsewhere: Elsewhere


async def asked_country(country: str = "") -> str | None:
    """The country that an address asks for; none of an empty one."""
    return country_of(country) if country else None


Country = Annotated[str | None, Depends(asked_country)]


@router.get("/shops")
def show_board(request: Request, _who: Reader, country: Country) -> Response:
    """Where all shops stand, of one country or of all."""
    return _show(request, country)


@router.get("/shops/due.csv")
def due_file(_who: Reader, app: Gotgan, country: Country, stage: str = "crawl") -> Response:
    """All shops that are due, as a file."""
    if stage not in STAGES:
        raise HTTPException(422)
    found = app.shops.iter_due(stage, country=country)
    return as_csv(f"due-{stage}", keys_of(Shop), map(encode, found))


@router.get("/shops/stuck.csv")
def stuck_file(_who: Reader, app: Gotgan, country: Country) -> Response:
    """All work whose worker is no more, as a file."""
    found = app.shops.iter_stuck(country=country)
    return as_csv("stuck", keys_of(Stuck), map(encode, found))


def again(request: Request, form: Form, refusal: str) -> Response:
    """The board with the form of a new shop as it was typed, and why it was refused."""
    typed = {name: form.text(name) for name in _TYPED}
    return _show(request, None, typed=typed, refusal=refusal)


def _show(
    request: Request,
    country: str | None,
    *,
    typed: Mapping[str, str] = _TYPED,
    refusal: str | None = None,
) -> Response:
    app, who = app_of(request), Viewer.of(request)
    countries = app.shops.countries()
    stages = [_stage(app, stage, country) for stage in STAGES]
    shops = [shop for each in stages for lane in each.lanes for shop in lane.first]
    fields, back = {"country": country or ""}, "/shops" if refusal else here(request)
    return page(
        request,
        "shops/board.html",
        status=200 if refusal is None else 422,
        country=country,
        countries=countries,
        country_options=[
            ("", who.t("shops.board.all_countries")),
            *zip(countries, countries, strict=True),
        ],
        stages=stages,
        standings={shop.domain: standings(shop, app.clock.now()) for shop in shops},
        kinds=KINDS,
        stuck=app.shops.iter_stuck(country=country),
        stuck_elsewhere=Elsewhere.of(
            "/v1/shops/stuck", "/shops/stuck.csv", "gotgan shops stuck", country=country
        ),
        crawl=RunCard.of(app, "shops.crawl", back, **fields),
        scrape=RunCard.of(app, "shops.scrape", back, **fields),
        deliver=RunCard.of(app, "shops.deliver", back),
        adopt=RunCard.of(app, "shops.adopt", back),
        typed=typed,
        refusal=refusal,
    )


def _stage(app: App, stage: Stage, country: str | None) -> StageBoard:
    due, has_more = app.shops.first_due(stage, FIRST, country=country)
    return StageBoard(
        stage=stage,
        lanes=app.shops.lanes(stage, country=country),
        due=due,
        has_more=has_more,
        elsewhere=Elsewhere.of(
            "/v1/shops/due", "/shops/due.csv", "gotgan shops due", stage=stage, country=country
        ),
    )
