"""The first page of the shops: what has changed, then the shops, then the work on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import current_url, page
from gotgan.console.lists import ExportLinks, all_items, encoded_csv, one_of
from gotgan.console.runs import RunCard
from gotgan.console.session import CurrentApp, Form, Reader, Viewer, app_of
from gotgan.console.shops.states import STAGE_KINDS
from gotgan.domains.shops.currency import price_text
from gotgan.domains.shops.models import STAGES, Change, Shop, Stage
from gotgan.domains.shops.products import ShopOverview
from gotgan.domains.shops.registration import parse_country
from gotgan.domains.shops.stages import Stuck

_NEW_SHOP: Final = {"domain": "", "country": "", "name": ""}
"""The fields of a new shop."""
_PAGE_SIZE: Final = 50
_MAX_DUE: Final = 8
"""How many shops that are due are named."""
_MAX_DROPS: Final = 6
_MAX_NEWS: Final = 10
"""How many changes of each kind lead the page."""
router = APIRouter()


@dataclass(frozen=True)
class DueStage:
    """The shops that are due in a stage."""

    stage: Stage
    due: Sequence[Shop]
    """The first of them."""
    has_more: bool
    elsewhere: ExportLinks


async def _requested_country(country: str = "") -> str | None:
    return parse_country(country) if country else None


Country = Annotated[str | None, Depends(_requested_country)]


@router.get("/shops")
def show_board(
    request: Request, _who: Reader, country: Country, cursor: str | None = None
) -> Response:
    """The newest changes and products, and the shops of one country or of all."""
    return _show_board(request, country, cursor=cursor)


@router.get("/shops/list.csv")
def shops_file(_who: Reader, app: CurrentApp, country: Country) -> Response:
    """The shops with both stages, as a file."""
    return encoded_csv("shops", ShopOverview, all_items(app.shops.list, country=country))


@router.get("/shops/due.csv")
def due_file(_who: Reader, app: CurrentApp, country: Country, stage: str = "crawl") -> Response:
    """All shops that are due, as a file."""
    found = app.shops.iter_due(one_of(STAGES, stage), country=country)
    return encoded_csv(f"due-{stage}", Shop, found)


@router.get("/shops/stuck.csv")
def stuck_file(_who: Reader, app: CurrentApp, country: Country) -> Response:
    """All shops whose worker died, as a file."""
    return encoded_csv("stuck", Stuck, app.shops.iter_stuck(country=country))


def show_refused_shop(request: Request, form: Form, refusal: str) -> Response:
    """The page with a shop that could not be added."""
    typed = {name: form.text(name) for name in _NEW_SHOP}
    return _show_board(request, None, typed=typed, refusal=refusal)


def _show_board(
    request: Request,
    country: str | None,
    *,
    cursor: str | None = None,
    typed: Mapping[str, str] = _NEW_SHOP,
    refusal: str | None = None,
) -> Response:
    app, all_countries = app_of(request), Viewer.of(request).t("shops.board.all_countries")
    countries = app.shops.countries()
    fields = {"country": country or ""}
    back = "/shops" if refusal else current_url(request, cursor=None)
    return page(
        request,
        "shops/board.html",
        status=200 if refusal is None else 422,
        foreign_images=True,
        country=country,
        countries=countries,
        country_options=[("", all_countries), *zip(countries, countries, strict=True)],
        **_newest(app),
        found=app.shops.list(country=country, limit=_PAGE_SIZE, cursor=cursor or None),
        cursor=cursor,
        due=[_due_stage(app, stage, country) for stage in STAGES],
        kinds=STAGE_KINDS,
        price=price_text,
        stuck=app.shops.iter_stuck(country=country),
        list_elsewhere=ExportLinks.of(
            "/v1/shops", "/shops/list.csv", "gotgan shops list", country=country
        ),
        stuck_elsewhere=ExportLinks.of(
            "/v1/shops/stuck", "/shops/stuck.csv", "gotgan shops stuck", country=country
        ),
        crawl=RunCard.of(app, "shops.crawl", back, **fields),
        scrape=RunCard.of(app, "shops.scrape", back, **fields),
        deliver=RunCard.of(app, "shops.deliver", back),
        adopt=RunCard.of(app, "shops.adopt", back),
        typed=typed,
        refusal=refusal,
    )


def _newest(app: App) -> dict[str, Any]:
    """The newest changes, price drops first, and the newest products."""
    drops = app.shops.changes(kind="price_down", limit=_MAX_DROPS).items
    latest = app.shops.changes(limit=_MAX_NEWS * 3).items
    others = [each for each in latest if each.kind not in ("price_down", "new")]
    new = app.shops.changes(kind="new", limit=_MAX_NEWS).items
    changes: list[Change] = [*drops, *others[: _MAX_NEWS - len(drops)]]
    return {"changes": changes, "new": new, "products": app.shops.products_of([*changes, *new])}


def _due_stage(app: App, stage: Stage, country: str | None) -> DueStage:
    due, has_more = app.shops.first_due(stage, _MAX_DUE, country=country)
    return DueStage(
        stage=stage,
        due=due,
        has_more=has_more,
        elsewhere=ExportLinks.of(
            "/v1/shops/due", "/shops/due.csv", "gotgan shops due", stage=stage, country=country
        ),
    )
